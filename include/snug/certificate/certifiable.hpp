// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What certificates speak of: a problem without all that they cannot say, such
/// that what does not fit then does not fit at all.
///
///     left out    buffers with gaps: they have no bytes
///                 those of fewer bytes where two may share some
///                 of reserved ranges that meet, all but the largest one
///     not said    ends of memory, the distances of ties
///
///     time  0   2   4   6      a, b and c are tied, so a and b may share bytes,
///     a     |-------|          and b and c: b, which has fewer than a, is left
///     b         |-------|      out, and c stays
///     c             |---|
///
/// Reserved ranges are buffers as well, after the others and fixed; the first of
/// them is what lies below the base, if there is one.
///
/// Cost: O(n log n) for n buffers, and for pairs; O(n^2) if n, with reserved ranges
/// among them, is at most kMostRefuted.
#ifndef SNUG_CERTIFICATE_CERTIFIABLE_HPP
#define SNUG_CERTIFICATE_CERTIFIABLE_HPP

#include "snug/config.hpp"
#include "snug/model/exemptions.hpp"
#include "snug/model/interval.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/ties.hpp"
#include "snug/model/widen.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/plain.hpp"
#include "snug/normal/relaxed.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"
#include "snug/support/sort.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// Certificates of more buffers and reserved ranges are of loads and piles: the search
/// needs to know who conflicts with whom.
inline constexpr std::size_t kMostRefuted = 4096;

/// What is certified. No size is above capacity + 1; that of what is left out is
/// 0.
struct Certifiable {
  Plain plain{};                       ///< buffers, then reserved ranges
  std::vector<std::int64_t> fixed{};   ///< the offset of each, or Flat::kNone
  std::vector<Reserved<>> reserved{};  ///< that below the base first
  /// Of each buffer, the bytes that are those of fixed ones in conflict with it,
  /// left out or not, and of reserved ranges, ascending. None are listed for more
  /// than kMostRefuted buffers and ranges.
  Lists<Interval<std::int64_t>> taken{};
  std::int64_t alignment = 1;  ///< of the heap
  bool is_whole = true;        ///< nothing is left out
};

/// The reserved ranges that certificates list.
template <class Size, class Time>
[[nodiscard]] std::vector<Reserved<>> list_reserved(
    const Problem<Size, Time>& problem) {
  std::vector<Reserved<>> result = widen(problem.reserved);
  if (problem.base > 0)
    result.insert(result.begin(),
                  {{0, std::int64_t{problem.base}}, std::nullopt});
  return result;
}

/// Appends reserved ranges, as fixed buffers that end at the capacity or below.
/// Of those that meet only the largest one has bytes. Whether nothing is lost.
[[nodiscard]] inline bool append_fixed(const std::vector<Reserved<>>& reserved,
                                       std::int64_t capacity,
                                       List<FlatBuffer>& buffers,
                                       std::vector<std::int64_t>& fixed) {
  constexpr Interval<std::int64_t> kAlways{
      (std::numeric_limits<std::int64_t>::min)(),
      (std::numeric_limits<std::int64_t>::max)()};
  std::vector<std::size_t> order;
  for (const Reserved<>& range : reserved) {
    const std::int64_t end = (std::min)(range.bytes.upper, capacity);
    order.push_back(buffers.size());
    buffers.push_back({range.lifespan.value_or(kAlways),
                       (std::max)(end - range.bytes.lower, std::int64_t{0})});
    fixed.push_back(range.bytes.lower);
  }
  sort_descending(order, [&](std::size_t i) { return buffers[i].size; });
  const auto bytes_of = [&](std::size_t i) {
    return Interval<std::int64_t>{fixed[i], fixed[i] + buffers[i].size};
  };
  bool is_whole = true;
  List<std::size_t> kept;
  for (const std::size_t i : order) {
    FlatBuffer& one = buffers[i];
    if (one.size == 0) break;
    const auto* const met = first_that(kept.begin(), kept.end(), [&](auto k) {
      return kept.size() == kMostRefuted ||
             (bytes_of(k).overlaps(bytes_of(i)) &&
              buffers[k].lifespan.overlaps(one.lifespan));
    });
    if (met == kept.end()) {
      kept.push_back(i);
      continue;
    }
    is_whole = is_whole && bytes_of(*met).contains(bytes_of(i)) &&
               buffers[*met].lifespan.contains(one.lifespan);
    one.size = 0;
  }
  return is_whole;
}

/// Whether certificates speak of all that a problem asks for, but perhaps of its
/// reserved ranges.
template <class Size, class Time>
[[nodiscard]] bool is_certifiable(const Problem<Size, Time>& problem,
                                  std::int64_t capacity) {
  return !has_ties(problem) && problem.may_overlap.empty() &&
         std::all_of(problem.buffers.begin(), problem.buffers.end(),
                     [&](const Buffer<Size, Time>& buffer) {
                       return buffer.gaps.empty() && buffer.end == End::kAny &&
                              (buffer.size > 0 ||
                               (buffer.offset ? *buffer.offset <= capacity
                                              : problem.base == 0));
                     });
}

/// Lists what is taken from whom; `apart`: pairs that may share no byte. Not all if it
/// is interrupted.
template <class Size, class Time>
void list_taken(const Problem<Size, Time>& problem,
                const Exemptions& exemptions, const List<IndexPair>& apart,
                std::int64_t capacity, const Interrupt& interrupt,
                Certifiable& result) {
  const List<FlatBuffer>& buffers = result.plain.buffers;
  const std::size_t n = problem.buffers.size();
  result.taken.resize(buffers.size());
  const auto is_fixed = [&](std::size_t x) {
    return result.fixed[x] != Flat::kNone;
  };
  const auto take = [&](std::size_t x, std::size_t y) {
    std::int64_t end = 0;
    if (y >= n)
      end = (std::min)(result.reserved[y - n].bytes.upper, capacity);
    else if (problem.buffers[y].gaps.empty())
      end = result.fixed[y] + std::int64_t{problem.buffers[y].size};
    if (is_fixed(y) && !is_fixed(x) && result.fixed[y] < end)
      result.taken[x].push_back({result.fixed[y], end});
  };
  std::size_t since = 0;
  for (std::size_t y = 0; y < buffers.size(); ++y) {
    if (!is_fixed(y)) continue;
    if (interrupt.after(n, since)) return;
    for (std::size_t x = 0; x < n; ++x)
      if (buffers[x].lifespan.overlaps(buffers[y].lifespan) &&
          (y >= n || !exemptions.contain(x, y)))
        take(x, y);
  }
  for (const auto& [x, y] : apart) {
    take(x, y);
    take(y, x);
  }
  for (List<Interval<std::int64_t>>& taken : result.taken) sort_by_lower(taken);
}

/// Of no use if it is interrupted.
template <class Size, class Time>
[[nodiscard]] Certifiable certifiable(const Problem<Size, Time>& problem,
                                      std::int64_t capacity,
                                      const Interrupt& interrupt = {}) {
  Certifiable result;
  result.reserved = list_reserved(problem);
  result.alignment = std::int64_t{problem.alignment};
  List<FlatBuffer> buffers;
  for (const Buffer<Size, Time>& buffer : problem.buffers) {
    if (interrupt.at(buffers.size())) return result;
    const std::int64_t size =
        buffer.gaps.empty()
            ? (std::min)(std::int64_t{buffer.size}, capacity + 1)
            : 0;
    buffers.push_back(
        {widen(buffer.lifespan), size,
         std::lcm(std::int64_t{buffer.alignment}, result.alignment)});
    result.fixed.push_back(widen(buffer.offset).value_or(Flat::kNone));
  }
  const Ties ties = has_ties(problem) ? tie(problem) : Ties{};
  leave_out_tied(ties.root, {}, buffers, interrupt);
  const Exemptions exemptions(problem, ties, interrupt);
  leave_out_overlapping(exemptions.pairs(), buffers, interrupt);
  List<IndexPair> apart;
  for (std::size_t k = 0; k < problem.apart.size(); ++k) {
    if (interrupt.at(k)) return result;
    const auto [a, b] = problem.apart[k];
    if (!exemptions.contain(a, b))
      apart.push_back({static_cast<Index>(a), static_cast<Index>(b)});
  }
  sort_pairs(apart);
  result.is_whole =
      append_fixed(result.reserved, capacity, buffers, result.fixed) &&
      is_certifiable(problem, capacity);
  result.plain = make_paired(std::move(buffers), apart, {}, interrupt);
  if (result.plain.buffers.size() < result.fixed.size()) return result;
  if (result.plain.buffers.size() <= kMostRefuted)
    list_taken(problem, exemptions, apart, capacity, interrupt, result);
  return result;
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_CERTIFICATE_CERTIFIABLE_HPP
