// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// assign(): which buffer goes to which memory pool, and where, at the least
/// cost; or the best found and a lower bound.
///
///     check     the problem, and that of each pool
///     items     buffers that are tied go to one pool
///     costs     of each item in each pool, if the pool's alignment allows it
///     search    cheap divisions, placed, and a bound (pools/pool_search.hpp)
#ifndef SNUG_ASSIGN_HPP
#define SNUG_ASSIGN_HPP

#include "snug/api.hpp"
#include "snug/config.hpp"
#include "snug/model/check.hpp"
#include "snug/model/options.hpp"
#include "snug/model/pool.hpp"
#include "snug/model/pool_part.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/reason.hpp"
#include "snug/model/result.hpp"
#include "snug/model/ties.hpp"
#include "snug/model/widen.hpp"
#include "snug/normal/flat.hpp"
#include "snug/plan/budget.hpp"
#include "snug/plan/plan.hpp"
#include "snug/pools/cost_table.hpp"
#include "snug/pools/pool_search.hpp"
#include "snug/pools/pool_set.hpp"
#include "snug/support/list.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// The problem of a pool. What may not be in it has no fixed offset there. Empty
/// if it is interrupted.
template <class Size, class Time, class Allows>
[[nodiscard]] Problem<Size, Time> problem_of(const Problem<Size, Time>& problem,
                                             const Pool<Size, Time>& pool,
                                             const Interrupt& interrupt,
                                             Allows&& allows) {
  Problem<Size, Time> result;
  result.buffers.reserve(problem.buffers.size());
  for (const Buffer<Size, Time>& buffer : problem.buffers) {
    if (interrupt.at(result.buffers.size())) return {};
    result.buffers.push_back(buffer);
  }
  result.aliases = problem.aliases;
  result.contiguous = problem.contiguous;
  result.apart = problem.apart;
  result.may_overlap = problem.may_overlap;
  set_memory(pool, result);
  for (std::size_t b = 0; b < result.buffers.size(); ++b)
    if (!allows(b)) result.buffers[b].offset.reset();
  return result;
}

/// Lets tied buffers that the alignment of a pool forbids begin together, and
/// keeps them apart from nobody: they are not there, and so the problem is well
/// formed and has the same classes.
template <class Size, class Time, class Forbids>
void let_go(Problem<Size, Time>& problem, Forbids&& forbids) {
  for (Alias<Size>& alias : problem.aliases)
    if (forbids(alias.buffer)) alias.delta = 0;
  for (std::vector<std::size_t>& group : problem.contiguous) {
    if (group.empty() || !forbids(group.front())) continue;
    for (const std::size_t b : group)
      if (b != group.front()) problem.aliases.push_back({b, group.front(), 0});
    group.clear();
  }
  detail::erase_if(problem.apart, [&](const BufferPair& pair) {
    return forbids(pair.first) || forbids(pair.second);
  });
}

/// The problem and its pools as items and what each costs in each pool.
template <class Size, class Time>
class AssignInput {
 public:
  AssignInput(const Problem<Size, Time>& problem,
              const Pools<Size, Time>& pools, Budget& budget)
      : problem_(&problem), pools_(&pools), budget_(&budget) {}

  /// Finds the items, their costs and the problem of each pool. False if
  /// something is wrong with the input: error() and error_pool() say what; or if
  /// the budget gave up.
  [[nodiscard]] bool read() {
    error_ =
        check(problem_of(*problem_, Pool<Size, Time>{}, budget_->interrupt(),
                         [](std::size_t) { return false; }));
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
  static constexpr std::int64_t kNever = Pools<Size, Time>::kNever;

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
    for (const Pool<Size, Time>& pool : pools_->pools)
      forbidden_.push_back(find_forbidden(pool, ties));
  }

  /// For each item whether a pool has no offset at which all its buffers are
  /// aligned; empty if there is no such item.
  [[nodiscard]] List<bool> find_forbidden(const Pool<Size, Time>& pool,
                                          const Ties& ties) const {
    // What is no alignment is refused later on.
    if (!has_ties(*problem_) || pool.alignment < 1) return {};
    List<bool> forbidden(items_.size(), false);
    bool is_any = false;
    for (std::size_t i = 0; i < items_.size(); ++i) {
      if (budget_->interrupt().at(i)) return {};
      Grid grid;
      for (const std::size_t b : items_[i])
        for (const Size alignment :
             {pool.alignment, problem_->buffers[b].alignment})
          grid = align_grid(grid, ties.delta[b], std::int64_t{alignment});
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
                    AssignResult<Size>::kNoPool);
    for (std::size_t b = 0; b < item_of_.size(); ++b) {
      const bool has_own = b < costs.size() && !costs[b].empty();
      if (has_own && costs[b].size() != count)
        return refuse(Reason::kPoolCosts, b, AssignResult<Size>::kNoPool);
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
    const std::int64_t size{problem_->buffers[b].size};
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
                      AssignResult<Size>::kNoPool);
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

  [[nodiscard]] Problem<Size, Time> pool_problem(std::size_t p) const {
    Problem<Size, Time> result = problem_of(
        *problem_, pools_->pools[p], budget_->interrupt(),
        [&](std::size_t b) { return costs_[item_of_[b]][p] != kNever; });
    if (!forbidden_[p].empty())
      let_go(result,
             [&](std::size_t b) { return bool{forbidden_[p][item_of_[b]]}; });
    return result;
  }
  /// The first pool with the memory of a pool.
  [[nodiscard]] std::size_t first_like(std::size_t p) const {
    std::size_t first = 0;
    while (!has_same_memory(pools_->pools[first], pools_->pools[p])) ++first;
    return first;
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
  [[nodiscard]] bool find_problems() {
    const Interrupt interrupt = budget_->interrupt();
    std::size_t since = 0;
    for (std::size_t p = 0; p < pools_->pools.size(); ++p) {
      error_pool_ = p;
      PoolProblem next{nullptr, std::int64_t{pools_->pools[p].capacity}};
      if (const std::size_t q = first_like(p); q < p && fix_the_same(p, q)) {
        next.problem = problems_[q].problem;
      } else {
        const Problem<Size, Time> problem = pool_problem(p);
        error_ = check(problem);
        if (error_.ok())
          next.problem = std::make_shared<const Problem<>>(
              copy_widened(problem, interrupt));
      }
      check_capacity(pools_->pools[p].capacity, error_);
      if (interrupt.after(problem_->buffers.size(), since) ||
          budget_->gave_up())
        break;
      if (!error_.ok()) return false;
      problems_.push_back(std::move(next));
    }
    error_pool_ = AssignResult<Size>::kNoPool;
    return !budget_->gave_up();
  }

  const Problem<Size, Time>* problem_;
  const Pools<Size, Time>* pools_;
  Budget* budget_;
  Check error_{};
  std::size_t error_pool_ = AssignResult<Size>::kNoPool;
  Items items_{};
  std::vector<std::size_t> item_of_{};  ///< of each buffer
  /// By pool, then by item; empty for a pool that forbids none.
  Lists<bool> forbidden_{};
  std::vector<std::vector<std::int64_t>> costs_{};
  std::vector<PoolProblem> problems_{};  ///< by pool
};

/// Searches, and says in `result` what is known now, which may be something
/// already. Whether the costs were added up as they are, not rounded.
template <class M, class Size, class Time>
[[nodiscard]] bool search_pools(const AssignInput<Size, Time>& input,
                                PoolSet<M>& set, AssignResult<Size>& result) {
  Lists<bool> has_room;
  for (std::size_t p = 0; p < set.size(); ++p)
    has_room.push_back(set.find_room(p));
  const ScaledCosts<std::int64_t> costs(
      set.items().size(), set.size() + 1,
      [&](std::size_t i, std::size_t p) -> const std::int64_t* {
        if (p == set.size() || !has_room[p][i]) return nullptr;
        const std::int64_t& own = input.costs()[i][p];
        return own == Pools<Size, Time>::kNever ? nullptr : &own;
      });
  PoolSearch<M> search(set, costs.table());
  search.run(kNoNodeLimit);

  std::int64_t cost = 0;
  const List<Index>& division = search.division();
  for (std::size_t i = 0; i < division.size(); ++i)
    cost += input.costs()[i][division[i]];
  if (!division.empty() && (!result.has_solution() || cost < result.cost)) {
    result.status = Status::kFeasible;
    result.cost = cost;
    result.pools.assign(set.buffers(), 0);
    for (std::size_t i = 0; i < division.size(); ++i)
      for (const std::size_t b : set.items()[i]) result.pools[b] = division[i];
    result.offsets.clear();
    for (const std::int64_t offset : search.offsets())
      result.offsets.push_back(static_cast<Size>(offset));
  }
  if (!result.has_solution()) {
    result.status = search.is_done() ? Status::kInfeasible : Status::kUnknown;
    if (!search.is_done()) result.cost_bound = costs.bound(search.bound());
    return costs.is_exact();
  }
  const std::int64_t bound = search.is_done() && costs.is_exact()
                                 ? result.cost
                                 : costs.bound(search.bound());
  result.cost_bound =
      (std::min)((std::max)(result.cost_bound, bound), result.cost);
  if (result.cost_bound == result.cost) result.status = Status::kOptimal;
  return costs.is_exact();
}

/// The result of a call that a limit stopped before its search began.
template <class Size>
[[nodiscard]] AssignResult<Size> stopped(Budget& budget) {
  AssignResult<Size> result;
  result.status = Status::kUnknown;
  result.stopped_by = budget.stopped_by();
  result.stats = budget.stats();
  return result;
}

}  // namespace detail

template <class Size, class Time>
AssignResult<Size> assign(const Problem<Size, Time>& problem,
                          const Pools<Size, Time>& pools,
                          const Options& options) {
  AssignResult<Size> result;
  detail::Budget budget(options);
  detail::AssignInput<Size, Time> input(problem, pools, budget);
  const bool is_valid = input.read();
  if (budget.gave_up()) return detail::stopped<Size>(budget);
  result.error = input.error();
  result.error_pool = input.error_pool();
  if (!is_valid) return result;
  if (problem.buffers.empty()) {
    result.status = Status::kOptimal;
    return result;
  }
  detail::PoolSet<detail::BothModels> set(input.take_problems(),
                                          input.take_items(), budget);
  if (budget.gave_up()) return detail::stopped<Size>(budget);
  bool is_exact = detail::search_pools(input, set, result);
  // Few very large costs make all others look alike. Once it is known that they
  // need not be paid, the others count in full.
  while (!is_exact && result.status == Status::kFeasible &&
         !budget.is_spent() && input.forbid_above(result.cost))
    is_exact = detail::search_pools(input, set, result);
  if (result.status == Status::kUnknown || result.status == Status::kFeasible)
    result.stopped_by = budget.left_open_by();
  result.stats = budget.stats();
  return result;
}

SNUG_END_NAMESPACE

#endif  // SNUG_ASSIGN_HPP
