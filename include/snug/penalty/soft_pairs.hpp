// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The penalties of a problem that a placement decides about: each pair once,
/// with the sum of its costs.
///
///     paid in any case    tied or fixed such that the pair shares bytes
///     never paid          kept apart; somewhere live together with all of their
///                         bytes; tied or fixed elsewhere; of no size or cost
///     soft                all others
///
/// Cost: O(p log p) for p penalties, and their gaps.
#ifndef SNUG_PENALTY_SOFT_PAIRS_HPP
#define SNUG_PENALTY_SOFT_PAIRS_HPP

#include "snug/config.hpp"
#include "snug/model/problem.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/presolve.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"
#include "snug/support/sort_in_parts.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

struct SoftPair {
  Index a = 0;
  Index b = 0;  ///< above a
  std::int64_t cost = 0;
};

struct SoftPairs {
  List<SoftPair> pairs{};  ///< ascending
  std::int64_t paid = 0;   ///< by every placement
};

/// What is known of a pair before anything is placed.
enum class Sharing : std::uint8_t { kNever, kAlways, kOpen };

/// `flat`: with sorted pairs (sort_pairs()).
[[nodiscard]] inline Sharing sharing_of(const Flat& flat, const GapsOf& gaps,
                                        Index a, Index b) {
  const std::int64_t a_size = flat.buffers[a].size;
  const std::int64_t b_size = flat.buffers[b].size;
  if (a_size == 0 || b_size == 0) return Sharing::kNever;
  const auto of_places = [&](std::int64_t x, std::int64_t y) {
    return x < y + b_size && y < x + a_size ? Sharing::kAlways
                                            : Sharing::kNever;
  };
  if (!flat.root.empty() && flat.root[a] == flat.root[b])
    return of_places(flat.delta[a], flat.delta[b]);
  if (flat.is_fixed(a) && flat.is_fixed(b))
    return of_places(flat.fixed[a], flat.fixed[b]);
  if (contains_pair(flat.apart, a, b)) return Sharing::kNever;
  if (!contains_pair(flat.may_overlap, a, b) && meet_whole(flat, gaps, a, b))
    return Sharing::kNever;
  return Sharing::kOpen;
}

/// Of well-formed penalties. Not all, if it is interrupted.
[[nodiscard]] inline SoftPairs make_soft_pairs(
    const std::vector<Penalty>& penalties, const Flat& flat,
    const Interrupt& interrupt = {}) {
  SoftPairs result;
  List<SoftPair> all;
  for (const Penalty& penalty : penalties) {
    if (penalty.cost == 0) continue;
    SoftPair pair{static_cast<Index>(penalty.first),
                  static_cast<Index>(penalty.second), penalty.cost};
    if (pair.b < pair.a) std::swap(pair.a, pair.b);
    all.push_back(pair);
  }
  const auto before = [](const SoftPair& x, const SoftPair& y) {
    if (x.a != y.a) return x.a < y.a;
    return x.b != y.b ? x.b < y.b : x.cost < y.cost;
  };
  if (!sort_in_parts(all.data(), all.data() + all.size(), before, interrupt))
    return result;
  const GapsOf gaps(flat);
  std::size_t count = 0;
  for (const SoftPair& pair : all) {
    if (interrupt.at(count++)) break;
    if (!result.pairs.empty() && result.pairs.back().a == pair.a &&
        result.pairs.back().b == pair.b) {
      result.pairs.back().cost += pair.cost;
      continue;
    }
    const Sharing sharing = sharing_of(flat, gaps, pair.a, pair.b);
    if (sharing == Sharing::kAlways) result.paid += pair.cost;
    if (sharing == Sharing::kOpen) result.pairs.push_back(pair);
  }
  return result;
}

/// Divides the costs of pairs by the largest number that divides them all, which is
/// returned: bounds are rounded up to multiples of it then.
[[nodiscard]] inline std::int64_t divide_costs(List<SoftPair>& pairs) {
  std::int64_t unit = 0;
  for (const SoftPair& pair : pairs) unit = std::gcd(unit, pair.cost);
  for (SoftPair& pair : pairs) pair.cost /= unit;
  return (std::max)(unit, std::int64_t{1});
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PENALTY_SOFT_PAIRS_HPP
