// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What assign() is given, as items and what each costs in each pool:
///
///     check     the problem, and that of each pool
///     items     buffers that are tied go to one pool
///     costs     of each item in each pool, if the pool's alignment allows it
///
/// All of it in 64 bits: what is live at a time may be more than the type of the sizes
/// of one pool holds, as there are several.
#ifndef SNUG_POOLS_POOL_INPUT_HPP
#define SNUG_POOLS_POOL_INPUT_HPP

#include "snug/config.hpp"
#include "snug/model/check.hpp"
#include "snug/model/pool.hpp"
#include "snug/model/pool_part.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/reason.hpp"
#include "snug/model/ties.hpp"
#include "snug/plan/budget.hpp"
#include "snug/pools/pool_set.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// The problem of a pool. What may not be in it has no fixed offset there. Empty
/// if it is interrupted.
template <class Allows>
[[nodiscard]] Problem<> problem_of(const Problem<>& problem, const Pool<>& pool,
                                   const Interrupt& interrupt,
                                   Allows&& allows) {
  Problem<> result;
  result.buffers.reserve(problem.buffers.size());
  for (std::size_t b = 0; b < problem.buffers.size(); ++b) {
    if (interrupt.at(b)) return {};
    result.buffers.push_back(problem.buffers[b]);
    if (!allows(b)) result.buffers.back().offset.reset();
  }
  result.aliases = problem.aliases;
  result.contiguous = problem.contiguous;
  result.apart = problem.apart;
  result.may_overlap = problem.may_overlap;
  set_memory(pool, result);
  return result;
}

/// Lets tied buffers that the alignment of a pool forbids begin together, and
/// keeps them apart from nobody: they are not there, and so the problem is well
/// formed and has the same classes.
template <class Forbids>
void let_go(Problem<>& problem, Forbids&& forbids) {
  for (Alias<>& alias : problem.aliases)
    if (forbids(alias.buffer)) alias.delta = 0;
  for (std::vector<std::size_t>& group : problem.contiguous) {
    if (group.empty() || !forbids(group.front())) continue;
    for (const std::size_t b : group)
      if (b != group.front()) problem.aliases.push_back({b, group.front(), 0});
    group.clear();
  }
  erase_if(problem.apart, [&](const BufferPair& pair) {
    return forbids(pair.first) || forbids(pair.second);
  });
}

/// The problem and its pools as items and what each costs in each pool.
class PoolInput {
 public:
  PoolInput(const Problem<>& problem, const Pools<>& pools, Budget& budget)
      : problem_(&problem), pools_(&pools), budget_(&budget) {}

  /// Finds the items, their costs and the problem of each pool. False if
  /// something is wrong with the input: error() and error_pool() say what; or if
  /// the budget gave up.
  [[nodiscard]] bool read() {
    error_ = check<false>(problem_of(*problem_, Pool<>{}, budget_->interrupt(),
                                     [](std::size_t) { return false; }),
                          budget_->interrupt());
    if (budget_->gave_up()) return false;
    // The problem of a pool has none.
    if (error_.ok()) error_ = check_penalties(*problem_);
    if (error_.ok() && pools_->pools.empty() && !problem_->buffers.empty())
      error_.reason = Reason::kNoPool;
    if (!error_.ok()) return false;
    find_items();
    return !budget_->gave_up() && find_costs() && find_problems();
  }
  [[nodiscard]] const Check& error() const noexcept { return error_; }
  [[nodiscard]] std::size_t error_pool() const noexcept { return error_pool_; }

  [[nodiscard]] std::vector<PoolProblem> take_problems() noexcept {
    return std::move(problems_);
  }
  [[nodiscard]] Items take_items() noexcept { return std::move(items_); }
  /// By item, then by pool; Pools::kNever where it may not be.
  [[nodiscard]] const std::vector<std::vector<std::int64_t>>& costs()
      const noexcept {
    return costs_;
  }
  /// Forbids what costs so much that, with the least for all else, it is more
  /// than `cost`, which can be had. Whether there was any.
  [[nodiscard]] bool forbid_above(std::int64_t cost) {
    for (const std::vector<std::int64_t>& costs : costs_)
      cost -= least_of(costs);
    bool is_any = false;
    for (std::vector<std::int64_t>& costs : costs_) {
      const std::int64_t most = least_of(costs) + cost;
      for (std::int64_t& one : costs) {
        if (one <= most) continue;
        one = kNever;
        is_any = true;
      }
    }
    return is_any;
  }

 private:
  static constexpr std::int64_t kNever = Pools<>::kNever;

  void find_items() {
    const std::size_t n = problem_->buffers.size();
    const Ties ties = tie(*problem_);
    item_of_.assign(n, 0);
    for (std::size_t b = 0; b < n; ++b) {
      if (budget_->interrupt().at(b)) return;
      // The root of a class comes first.
      item_of_[b] = ties.root[b] == b ? items_.size() : item_of_[ties.root[b]];
      if (ties.root[b] == b) items_.emplace_back();
      items_[item_of_[b]].push_back(b);
    }
    for (const Pool<>& pool : pools_->pools)
      forbidden_.push_back(find_forbidden(pool, ties));
  }

  /// For each item whether a pool has no offset at which all its buffers are
  /// aligned; empty if there is no such item.
  [[nodiscard]] List<bool> find_forbidden(const Pool<>& pool,
                                          const Ties& ties) const {
    // What is no alignment is refused later on.
    if (!has_ties(*problem_) || pool.alignment < 1) return {};
    List<bool> forbidden(items_.size(), false);
    bool is_any = false;
    for (std::size_t i = 0; i < items_.size(); ++i) {
      if (budget_->interrupt().at(i)) return {};
      Grid grid;
      for (const std::size_t b : items_[i])
        for (const std::int64_t alignment :
             {pool.alignment, problem_->buffers[b].alignment})
          grid = align_grid(grid, ties.delta[b], alignment);
      forbidden[i] = !grid.possible;
      is_any = is_any || forbidden[i];
    }
    return is_any ? forbidden : List<bool>{};
  }

  [[nodiscard]] bool refuse(Reason reason, std::size_t buffer,
                            std::size_t pool) {
    error_ = Check::of_buffer(reason, buffer);
    error_pool_ = pool;
    return false;
  }

  [[nodiscard]] bool find_costs() {
    const std::size_t count = pools_->pools.size();
    for (std::size_t i = 0; i < items_.size(); ++i) {
      if (budget_->interrupt().at(i)) return false;
      costs_.emplace_back(count, 0);
    }
    const auto& costs = pools_->costs;
    if (costs.size() > problem_->buffers.size())
      return refuse(Reason::kPoolCosts, problem_->buffers.size(),
                    AssignResult<>::kNoPool);
    for (std::size_t b = 0; b < item_of_.size(); ++b) {
      const bool has_own = b < costs.size() && !costs[b].empty();
      if (has_own && costs[b].size() != count)
        return refuse(Reason::kPoolCosts, b, AssignResult<>::kNoPool);
      for (std::size_t p = 0; p < count; ++p) {
        const Reason reason = add_cost(b, p, has_own ? costs[b][p] : 0);
        if (reason != Reason::kNone) return refuse(reason, b, p);
      }
    }
    for (std::size_t p = 0; p < count; ++p)
      for (std::size_t i = 0; i < forbidden_[p].size(); ++i)
        if (forbidden_[p][i]) costs_[i][p] = kNever;
    return check_sum();
  }
  /// Adds what buffer b costs in pool p, `own` and for its bytes, to its item.
  [[nodiscard]] Reason add_cost(std::size_t b, std::size_t p,
                                std::int64_t own) {
    const std::int64_t each = pools_->pools[p].cost_per_byte;
    const std::int64_t size = problem_->buffers[b].size;
    std::int64_t& sum = costs_[item_of_[b]][p];
    if (each < 0 || (own < 0 && own != kNever)) return Reason::kNegativeCost;
    if (own == kNever || sum == kNever) {
      sum = kNever;
    } else if (own > kMaxTotal - sum ||
               (size > 0 && each > (kMaxTotal - sum - own) / size)) {
      return Reason::kCostOverflow;
    } else {
      sum += own + each * size;
    }
    return Reason::kNone;
  }
  /// Refuses items whose largest costs add up to too much.
  [[nodiscard]] bool check_sum() {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < costs_.size(); ++i) {
      const std::int64_t most =
          *std::max_element(costs_[i].begin(), costs_[i].end());
      if (most > kMaxTotal - sum)
        return refuse(Reason::kCostOverflow, items_[i].front(),
                      AssignResult<>::kNoPool);
      sum += (std::max)(most, std::int64_t{0});
    }
    return true;
  }
  /// What an item costs at the least; 0 if it may be nowhere.
  [[nodiscard]] static std::int64_t least_of(
      const std::vector<std::int64_t>& costs) {
    std::int64_t least = kMaxTotal;
    for (const std::int64_t cost : costs)
      if (cost != kNever) least = (std::min)(least, cost);
    return least == kMaxTotal ? 0 : least;
  }

  /// Whether the alignment of a pool forbids the item of a buffer.
  [[nodiscard]] bool is_forbidden(std::size_t b, std::size_t p) const {
    return !forbidden_[p].empty() && forbidden_[p][item_of_[b]];
  }
  [[nodiscard]] Problem<> pool_problem(std::size_t p) const {
    Problem<> result = problem_of(
        *problem_, pools_->pools[p], budget_->interrupt(),
        [&](std::size_t b) { return costs_[item_of_[b]][p] != kNever; });
    if (!forbidden_[p].empty())
      let_go(result, [&](std::size_t b) { return is_forbidden(b, p); });
    return result;
  }
  /// The first pool with the memory of a pool in which the same buffers are fixed.
  [[nodiscard]] std::size_t first_like(std::size_t p,
                                       std::size_t& since) const {
    const Interrupt interrupt = budget_->interrupt();
    const std::size_t looks =
        item_of_.size() + pools_->pools[p].reserved.size() + 1;
    for (std::size_t first = 0; first < p; ++first) {
      if (interrupt.after(looks, since)) break;
      if (has_same_memory(pools_->pools[first], pools_->pools[p]) &&
          fix_the_same(first, p))
        return first;
    }
    return p;
  }
  /// Whether the same fixed offsets count in two pools.
  [[nodiscard]] bool fix_the_same(std::size_t p, std::size_t q) const {
    for (std::size_t b = 0; b < item_of_.size(); ++b) {
      const std::vector<std::int64_t>& costs = costs_[item_of_[b]];
      if (problem_->buffers[b].offset &&
          (costs[p] == kNever) != (costs[q] == kNever))
        return false;
    }
    return true;
  }
  /// Which pair kept apart it is of all, of those whose buffers may be in a pool.
  [[nodiscard]] std::size_t index_of_kept(std::size_t p,
                                          std::size_t index) const {
    const std::vector<BufferPair>& all = problem_->apart;
    std::size_t k = 0;
    for (; k < all.size(); ++k) {
      if (is_forbidden(all[k].first, p) || is_forbidden(all[k].second, p))
        continue;
      if (index-- == 0) break;
    }
    return k;
  }
  [[nodiscard]] bool find_problems() {
    const Interrupt interrupt = budget_->interrupt();
    std::size_t since = 0;
    for (std::size_t p = 0; p < pools_->pools.size(); ++p) {
      error_pool_ = p;
      PoolProblem next{nullptr, pools_->pools[p].capacity};
      if (const std::size_t q = first_like(p, since); q < p) {
        next.problem = problems_[q].problem;
      } else {
        next.problem = std::make_shared<const Problem<>>(pool_problem(p));
        error_ = check(*next.problem);
        if (error_.entry == Entry::kApart)
          error_.index = index_of_kept(p, error_.index);
      }
      check_capacity(pools_->pools[p].capacity, error_);
      if (interrupt.after(problem_->buffers.size(), since) ||
          budget_->gave_up())
        break;
      if (!error_.ok()) return false;
      problems_.push_back(std::move(next));
    }
    error_pool_ = AssignResult<>::kNoPool;
    return !budget_->gave_up();
  }

  const Problem<>* problem_;
  const Pools<>* pools_;
  Budget* budget_;
  Check error_{};
  std::size_t error_pool_ = AssignResult<>::kNoPool;
  Items items_{};
  std::vector<std::size_t> item_of_{};  ///< of each buffer
  /// By pool, then by item; empty for a pool that forbids none.
  Lists<bool> forbidden_{};
  std::vector<std::vector<std::int64_t>> costs_{};
  std::vector<PoolProblem> problems_{};  ///< by pool
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_POOLS_POOL_INPUT_HPP
