// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Cuts: what holds in a section for whole items, and not for parts of them.
///
///     room 10, items of 4, 4, 4      4 a + 4 b + 4 c <= 10
///                                      a +   b +   c <=  2     by whole items
///
/// By mixed integer rounding: those of the items that are mostly in the pool are
/// counted by what they lack, and the inequality is divided by the bytes of
/// one of its items, with a part of what is lost by rounding down given back.
/// Whatever holds for all divisions into whole items holds for the bound, too.
///
/// All is computed exactly, in integers.
///
/// Cost: O(d) for each divisor tried for the d items of a section.
/// Source: Marchand and Wolsey, "Aggregation and mixed integer rounding to solve
/// MIPs" (Operations Research, 2001).
#ifndef SNUG_POOLS_LOAD_CUTS_HPP
#define SNUG_POOLS_LOAD_CUTS_HPP

#include "snug/config.hpp"
#include "snug/normal/flat.hpp"
#include "snug/pools/load_bound.hpp"
#include "snug/pools/pool_loads.hpp"
#include "snug/support/rounded.hpp"
#include "snug/support/sort.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

class LoadCuts {
 public:
  /// Looks at the sections of a pool that ask a price.
  LoadCuts(const PoolLoads& loads, const LoadBound& prices, std::size_t pool) {
    std::vector<std::vector<Term>> terms(loads.sections);
    for (std::size_t i = 0; i + 1 < loads.begin.size(); ++i)
      loads.for_each_section(i, [&](Index s, std::int64_t bytes) {
        if (bytes > 0 && !loads.is_cut(s) && prices.price_at(pool, s) > 0 &&
            prices.share(i, pool) > 0)
          terms[s].push_back({i, bytes, prices.share(i, pool)});
      });
    for (Index s = 0; s < loads.sections; ++s)
      if (!terms[s].empty()) find(terms[s], loads.room[s]);
  }

  /// Adds what was found. False if it was nothing.
  [[nodiscard]] bool add_to(PoolLoads& loads) const {
    for (const Cut& cut : cuts_) loads.add_row(cut.terms, cut.room, true);
    return !cuts_.empty();
  }

 private:
  static constexpr std::int64_t kWhole = LoadBound::kWholeShare;
  static constexpr std::size_t kMostDivisors = 12;

  struct Term {
    std::size_t item;
    std::int64_t bytes;
    std::int64_t share;
  };
  struct Cut {
    std::vector<std::pair<std::size_t, std::int64_t>> terms{};
    std::int64_t room = 0;
  };

  /// The cut of a section that the shares violate most, if they do.
  void find(const std::vector<Term>& terms, std::int64_t room) {
    std::vector<std::int64_t> divisors;
    for (const Term& term : terms)
      if (term.share > kWhole / 32 && term.share < kWhole - kWhole / 32)
        divisors.push_back(term.bytes);
    heap_sort(divisors);
    divisors.erase(std::unique(divisors.begin(), divisors.end()),
                   divisors.end());
    const std::size_t step = divisors.size() / kMostDivisors + 1;
    Cut best;
    double worst = 0.002;
    for (std::size_t k = 0; k < divisors.size(); k += step) {
      Cut cut = round(terms, room, divisors[k]);
      if (cut.room <= 0) continue;
      double used = 0;
      for (std::size_t t = 0; t < cut.terms.size(); ++t)
        used = rounded(
            used + static_cast<double>(cut.terms[t].second * terms[t].share));
      const double violation =
          rounded(rounded(rounded(used / static_cast<double>(kWhole)) /
                          static_cast<double>(cut.room)) -
                  1);
      if (violation <= worst) continue;
      worst = violation;
      best = std::move(cut);
    }
    if (!best.terms.empty()) cuts_.push_back(std::move(best));
  }

  [[nodiscard]] static Cut round(const std::vector<Term>& terms,
                                 std::int64_t room, std::int64_t divisor) {
    // Counted by what they lack: those of more than half.
    std::int64_t left = room;
    for (const Term& term : terms)
      if (2 * term.share > kWhole) left -= term.bytes;
    const std::int64_t rest = modulo(left, divisor);
    Cut cut;
    if (rest == 0) return cut;
    const auto rounded = [&](std::int64_t bytes) {
      const std::int64_t its = modulo(bytes, divisor);
      return (bytes - its) / divisor * (divisor - rest) +
             (std::max)(its - rest, std::int64_t{0});
    };
    cut.room = (left - rest) / divisor * (divisor - rest);
    for (const Term& term : terms) {
      const bool is_lack = 2 * term.share > kWhole;
      const std::int64_t factor =
          is_lack ? -rounded(-term.bytes) : rounded(term.bytes);
      if (is_lack) cut.room += factor;
      cut.terms.emplace_back(term.item, factor);
    }
    int shift = 0;
    while (cut.room >> shift > PoolLoads::kMostRoom) ++shift;
    cut.room >>= shift;
    for (auto& term : cut.terms)
      term.second = (std::min)(term.second >> shift, PoolLoads::kMostRoom + 1);
    return cut;
  }
  [[nodiscard]] static std::int64_t modulo(std::int64_t number,
                                           std::int64_t divisor) noexcept {
    const std::int64_t rest = number % divisor;
    return rest < 0 ? rest + divisor : rest;
  }

  std::vector<Cut> cuts_{};
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_POOLS_LOAD_CUTS_HPP
