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
///
/// So may sums of sections be. Where a linear program says what is in part, the
/// sum that says so of an item is divided such that it counts once, twice or
/// three times. If a section s is in that sum f < 0 times, what it leaves free is
/// in it too, f times, and is so after rounding:
///
///     sum of bytes(i) x(i) + free(s) = room(s),   free(s) >= 0
///
/// Where pools that are alike are taken as one (equal_pools.hpp), a cut of one of
/// them, at its part of what is in all, holds for the sum of all as well.
///
/// Whatever holds for all divisions into whole items holds for the bound, too.
/// All is computed exactly, in integers. Which sum a cut is made of is read off the
/// program, whose numbers are only close: a cut of another sum holds as well.
///
/// Cost: O(d) for each divisor tried for the d items of a section; O(items) for
/// each section of each sum.
/// Source: Marchand and Wolsey, "Aggregation and mixed integer rounding to solve
/// MIPs" (Operations Research, 2001); Gomory, "An algorithm for the mixed integer
/// problem" (RAND, 1960).
#ifndef SNUG_POOLS_LOAD_CUTS_HPP
#define SNUG_POOLS_LOAD_CUTS_HPP

#include "snug/config.hpp"
#include "snug/normal/flat.hpp"
#include "snug/pools/load_bound.hpp"
#include "snug/pools/load_program.hpp"
#include "snug/pools/pool_loads.hpp"
#include "snug/support/list.hpp"
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
  /// All must outlive the cuts. These are of one of so many `copies` that the
  /// pool is made of.
  LoadCuts(const PoolLoads& loads, const LoadBound& prices, std::size_t pool,
           std::int64_t copies)
      : loads_(&loads),
        prices_(&prices),
        pool_(pool),
        copies_(copies),
        items_(loads.parts.size()) {
    for (std::size_t i = 0; i < items_; ++i)
      shares_.push_back(prices.share(i, pool) / copies);
  }

  /// Looks at the sections that ask a price.
  void find_in_sections() {
    Lists<LoadTerm> terms(loads_->sections);
    for (std::size_t i = 0; i < items_; ++i)
      loads_->for_each_section(i, [&](Index s, std::int64_t bytes) {
        if (bytes > 0 && !loads_->is_cut(s) &&
            prices_->price_at(pool_, s) > 0 && shares_[i] > 0)
          terms[s].push_back({i, bytes});
      });
    for (Index s = 0; s < loads_->sections; ++s)
      if (!terms[s].empty()) find(terms[s], loads_->room[s] / copies_);
  }
  /// Looks at the sums of a linear program; of all copies, not of one of
  /// several.
  void find_in_sums(const LoadProgram& program) {
    SNUG_ASSERT(copies_ == 1);
    terms_ = Lists<LoadTerm>(loads_->sections);
    totals_.assign(loads_->sections, 0);
    program.for_each_equation(
        pool_, [&](const Multipliers& multipliers) { find(multipliers); });
  }

  /// Adds what was found to the loads. Whether that is anything.
  bool add_to(PoolLoads& loads) const {
    loads.add_rows(cuts_, true);
    return cuts_.size() > 0;
  }

 private:
  using Terms = List<LoadTerm>;
  using Multipliers = List<LoadProgram::Multiplier>;
  static constexpr std::int64_t kWhole = LoadBound::kWholeShare;
  static constexpr std::size_t kMostDivisors = 12;

  struct Cut {
    Terms terms{};
    std::int64_t room = 0;
    double excess = 0;  ///< of what is in the pool, for the largest factor
  };

  /// Whether it is counted by what it lacks.
  [[nodiscard]] bool is_mostly_in(std::size_t item) const {
    return 2 * shares_[item] > kWhole;
  }

  /// The cut of a section that is broken most, if one is.
  void find(const Terms& terms, std::int64_t room) {
    std::vector<std::int64_t> divisors;
    for (const auto& [i, bytes] : terms)
      if (shares_[i] > kWhole / 32 && shares_[i] < kWhole - kWhole / 32)
        divisors.push_back(bytes);
    sort_unique(divisors);
    const std::size_t step = divisors.size() / kMostDivisors + 1;
    Cut best;
    for (std::size_t k = 0; k < divisors.size(); k += step) {
      Cut cut = round(terms, room, divisors[k]);
      if (scale(cut) && cut.excess > best.excess) best = std::move(cut);
    }
    keep(std::move(best));
  }
  void keep(Cut cut) {
    if (cut.excess <= 0) return;
    cuts_.add(std::move(cut.terms), cut.room * copies_);
  }

  /// The same for a sum of sections.
  void find(const Multipliers& multipliers) {
    constexpr std::int64_t kOne = std::int64_t{1} << 36;
    // Of all numbers together, so that no sum of them overflows.
    constexpr double kMostTotal = std::int64_t{1} << 60;
    double total = 0;
    for (const auto& [s, multiplier] : multipliers)
      total = rounded(total + rounded(magnitude(multiplier) * total_of(s)));
    if (rounded(total * static_cast<double>(3 * kOne)) > kMostTotal) return;
    Cut best;
    std::vector<std::int64_t> sum;
    std::vector<std::int64_t> free;  // What is left free, the other way round.
    Terms terms;
    for (int times = 1; times <= 3; ++times) {
      sum.assign(items_, 0);
      free.assign(items_, 0);
      std::int64_t room = 0;
      std::int64_t free_room = 0;
      for (const auto& [s, multiplier] : multipliers) {
        const std::int64_t factor =
            nearest(multiplier * static_cast<double>(kOne * times));
        room += factor * loads_->room[s];
        add(factor, terms_[s], sum);
        if (factor > 0) continue;
        free_room -= factor * loads_->room[s];
        add(-factor, terms_[s], free);
      }
      terms.clear();
      for (std::size_t i = 0; i < items_; ++i)
        if (sum[i] != 0 || free[i] != 0) terms.push_back({i, sum[i]});
      Cut cut = round(terms, room, kOne);
      if (cut.terms.empty()) continue;
      cut.room += free_room;
      for (auto& [i, factor] : cut.terms) factor += free[i];
      if (scale(cut) && cut.excess > best.excess) best = std::move(cut);
    }
    keep(std::move(best));
  }
  /// All numbers of a section together, and one. Looks at it once for all sums
  /// that it is in.
  [[nodiscard]] double total_of(Index s) {
    double& total = totals_[s];
    if (total > 0) return total;
    terms_[s] = loads_->terms_at(s);
    total = magnitude(static_cast<double>(loads_->room[s])) + 1;
    for (const auto& [i, bytes] : terms_[s])
      total += magnitude(static_cast<double>(bytes));
    return total;
  }
  static void add(std::int64_t times, const Terms& terms,
                  std::vector<std::int64_t>& sum) {
    for (const auto& [i, bytes] : terms) sum[i] += times * bytes;
  }

  /// Without terms if nothing is lost by rounding.
  [[nodiscard]] Cut round(const Terms& terms, std::int64_t room,
                          std::int64_t divisor) const {
    std::int64_t left = room;
    for (const auto& [i, bytes] : terms)
      if (is_mostly_in(i)) left -= bytes;
    const std::int64_t full = divide_down(left, divisor);
    const std::int64_t rest = left - full * divisor;
    Cut cut;
    if (rest == 0) return cut;
    const auto rounded_down = [&](std::int64_t bytes) {
      const std::int64_t whole = divide_down(bytes, divisor);
      const std::int64_t its = bytes - whole * divisor;
      return whole * (divisor - rest) + (std::max)(its - rest, std::int64_t{0});
    };
    cut.room = full * (divisor - rest);
    for (const auto& [i, bytes] : terms) {
      const bool is_lack = is_mostly_in(i);
      const std::int64_t factor =
          is_lack ? -rounded_down(-bytes) : rounded_down(bytes);
      if (is_lack) cut.room += factor;
      cut.terms.push_back({i, factor});
    }
    return cut;
  }
  [[nodiscard]] static std::int64_t divide_down(std::int64_t number,
                                                std::int64_t divisor) noexcept {
    const std::int64_t ratio = number / divisor;
    return ratio * divisor > number ? ratio - 1 : ratio;
  }

  /// Makes the numbers of a cut small, rounding down: items are whole, and so is
  /// what they take then. False if it is hardly broken, if at all.
  [[nodiscard]] bool scale(Cut& cut) const {
    constexpr double kLeastExcess = 0.001;
    std::int64_t most = magnitude(cut.room);
    for (const auto& [i, factor] : cut.terms)
      most = (std::max)(most, magnitude(factor));
    int shift = 0;
    while (most >> shift > PoolLoads::kMostRoom) ++shift;
    const auto shifted = [shift](std::int64_t number) {
      return divide_down(number, std::int64_t{1} << shift);
    };
    cut.room = shifted(cut.room);
    std::size_t kept = 0;
    double used = 0;
    std::int64_t largest = 1;
    for (const auto& [i, factor] : cut.terms) {
      const std::int64_t now = shifted(factor);
      if (now == 0) continue;
      used = rounded(used + rounded(static_cast<double>(now) *
                                    static_cast<double>(shares_[i])));
      largest = (std::max)(largest, magnitude(now));
      cut.terms[kept++] = {i, now};
    }
    cut.terms.resize(kept);
    cut.excess = (rounded(used / static_cast<double>(kWhole)) -
                  static_cast<double>(cut.room)) /
                 static_cast<double>(largest);
    return cut.excess > kLeastExcess;
  }

  const PoolLoads* loads_;
  const LoadBound* prices_;
  std::size_t pool_;
  std::int64_t copies_;
  std::size_t items_;
  std::vector<std::int64_t> shares_{};  ///< of each item, in one of the copies
  Lists<LoadTerm> terms_{};             ///< of sections in sums
  List<double> totals_{};               ///< of these; 0: not looked at yet
  LoadRows cuts_{};
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_POOLS_LOAD_CUTS_HPP
