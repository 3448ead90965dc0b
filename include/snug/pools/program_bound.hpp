// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The bound of load_bound.hpp at the best prices there are: those of a linear
/// program, with cuts for what it has in part.
///
///     solve -> cuts, for sections and for sums of them -> solve -> ...
///
/// Subgradients come close to the prices without cuts, and are better guides; but
/// cuts need what is in part exactly, and close half or more of what is open then.
///
/// Where pools that are alike are taken as one, cuts are those of what is in all
/// of them, and those of one of them, which holds its part of everything.
///
/// Cost: in proportion to the work that is allowed.
/// Source: cutting planes as in load_cuts.hpp.
#ifndef SNUG_POOLS_PROGRAM_BOUND_HPP
#define SNUG_POOLS_PROGRAM_BOUND_HPP

#include "snug/config.hpp"
#include "snug/normal/flat.hpp"
#include "snug/pools/cost_table.hpp"
#include "snug/pools/division_tree.hpp"
#include "snug/pools/equal_pools.hpp"
#include "snug/pools/load_bound.hpp"
#include "snug/pools/load_cuts.hpp"
#include "snug/pools/load_program.hpp"
#include "snug/pools/pool_loads.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

class ProgramBound {
 public:
  /// The loads are of all pools. The bound's program, and the cuts, may each take
  /// about so many bytes.
  ProgramBound(EqualPools pools, const std::vector<PoolLoads>& loads,
               std::size_t bytes)
      : pools_(std::move(pools)),
        bytes_(bytes),
        program_(pools_.costs(), pools_.size(), bytes) {
    follow(loads);
  }
  ProgramBound(const ProgramBound&) = delete;
  ProgramBound& operator=(const ProgramBound&) = delete;

  /// No division costs less.
  [[nodiscard]] std::int64_t bound() const noexcept { return bound_; }
  /// What items cost with their bytes at the prices that this bound is of; none
  /// if there are no such prices.
  [[nodiscard]] const std::optional<CostTable>& prices() const noexcept {
    return prices_;
  }
  /// Whether it is at least that of the best prices without cuts.
  [[nodiscard]] bool is_solved() const noexcept { return is_solved_; }
  /// About how many multiplications it took so far.
  [[nodiscard]] std::int64_t work() const noexcept { return program_.work(); }

  /// Goes on to whole items, from the cuts so far; this must outlive the tree.
  [[nodiscard]] DivisionTree tree() const {
    return {loads_, pools_.costs(), bytes_};
  }

  /// Takes over what was added to the loads since the last time.
  void follow(const std::vector<PoolLoads>& loads) {
    follow_loads(pools_.join(loads), known_, loads_);
  }

  /// Solves and cuts until that does not help any more, the bound is `target`,
  /// the work is done or stop() says so.
  void raise(std::int64_t target, std::int64_t work, const Interrupt& stop) {
    constexpr int kPatience = 4;
    const std::int64_t before = program_.work();
    const auto is_over = [&] {
      return program_.work() - before > work || stop();
    };
    std::int64_t last = bound_;
    for (int idle = 0; idle < kPatience; ++idle) {
      program_.solve(loads_, is_over);
      LoadBound prices(loads_, pools_.costs());
      prices.follow(program_);
      if (prices.bound() > bound_) {
        bound_ = prices.bound();
        prices_ = prices.price_table();
      }
      if (is_over() || program_.is_too_large()) return;
      is_solved_ = prices_.has_value();
      if (bound_ >= target) return;
      if (!cut(prices)) return;
      if (bound_ - last <= last / 4096) continue;
      last = bound_;
      idle = 0;
    }
  }

 private:
  /// Adds cuts, and removes what binds nothing. False if there are none.
  bool cut(const LoadBound& prices) {
    bool is_new = false;
    program_.remove_free_rows();
    for (std::size_t p = 0; p < loads_.size(); ++p) {
      PoolLoads& loads = loads_[p];
      if (loads.parts.all().size() > bytes_ / sizeof(LoadPart)) continue;
      LoadCuts cuts(loads, prices, p, 1);
      cuts.find_in_sections();
      cuts.find_in_sums(program_);
      LoadCuts of_one(loads, prices, p, pools_.copies(p));
      if (pools_.copies(p) > 1) of_one.find_in_sections();
      List<bool> keep;
      for (Index s = 0; s < loads.sections; ++s)
        keep.push_back(!loads.is_cut(s) || program_.has_row(p, s));
      loads.keep_rows(keep);
      program_.keep_rows(p, keep);
      for (const LoadCuts* found : {&cuts, &of_one})
        is_new = found->add_to(loads) || is_new;
    }
    return is_new;
  }

  EqualPools pools_;
  std::size_t bytes_;  ///< of the program, and of the cuts of each pool
  std::vector<PoolLoads> loads_{};
  List<Index> known_{};  ///< sections of the loads of others, by pool
  LoadProgram program_;
  std::int64_t bound_ = 0;
  std::optional<CostTable> prices_{};
  bool is_solved_ = false;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_POOLS_PROGRAM_BOUND_HPP
