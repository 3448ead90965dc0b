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
/// Cost: in proportion to the work that is allowed.
/// Source: cutting planes as in load_cuts.hpp.
#ifndef SNUG_POOLS_PROGRAM_BOUND_HPP
#define SNUG_POOLS_PROGRAM_BOUND_HPP

#include "snug/config.hpp"
#include "snug/normal/flat.hpp"
#include "snug/pools/cost_table.hpp"
#include "snug/pools/load_bound.hpp"
#include "snug/pools/load_cuts.hpp"
#include "snug/pools/load_program.hpp"
#include "snug/pools/pool_loads.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

class ProgramBound {
 public:
  /// The costs must outlive the bound. Its program, and the cuts, may each take
  /// about so many bytes.
  ProgramBound(const CostTable& costs, const std::vector<PoolLoads>& loads,
               std::size_t bytes)
      : costs_(&costs),
        most_parts_(bytes / sizeof(LoadPart)),
        program_(costs, loads.size(), bytes) {
    follow(loads);
  }

  /// No division costs less.
  [[nodiscard]] std::int64_t bound() const noexcept { return bound_; }
  /// About how many multiplications it took so far.
  [[nodiscard]] std::int64_t work() const noexcept { return program_.work(); }

  /// Takes over what was added to the loads since the last time.
  void follow(const std::vector<PoolLoads>& loads) {
    follow_loads(loads, known_, loads_);
  }

  /// Solves and cuts until that does not help any more, the bound is `target`,
  /// the work is done or stop() says so.
  template <class Stop>
  void raise(std::int64_t target, std::int64_t work, Stop&& stop) {
    constexpr int kPatience = 4;
    const std::int64_t end = program_.work() + work;
    const auto is_over = [&] { return program_.work() > end || stop(); };
    std::int64_t last = bound_;
    for (int idle = 0; idle < kPatience; ++idle) {
      program_.solve(loads_, is_over);
      LoadBound prices(loads_, *costs_);
      prices.follow(program_);
      bound_ = (std::max)(bound_, prices.bound());
      if (bound_ >= target || is_over() || program_.is_too_large()) return;
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
      if (loads.parts.size() > most_parts_) continue;
      LoadCuts cuts(loads, prices, p);
      cuts.find_in_sections();
      cuts.find_in_sums(program_);
      std::vector<bool> keep;
      for (Index s = 0; s < loads.sections; ++s)
        keep.push_back(!loads.is_cut(s) || program_.has_row(p, s));
      loads.keep_rows(keep);
      program_.keep_rows(p, keep);
      loads.add_rows(cuts.cuts(), true);
      is_new = is_new || !cuts.cuts().empty();
    }
    return is_new;
  }

  const CostTable* costs_;
  std::size_t most_parts_;
  std::vector<PoolLoads> loads_{};
  std::vector<Index> known_{};  ///< sections of the loads of others, by pool
  LoadProgram program_;
  std::int64_t bound_ = 0;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_POOLS_PROGRAM_BOUND_HPP
