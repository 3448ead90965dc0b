// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The pools of a call, and whether some items fit one of them.
///
///     items     0: {b0}   1: {b1, b4} tied   2: {b2} ...
///     pool      the problem with the pool's base, alignment and reserved ranges
///               trials     places buffers, or refutes some of them
///               loads      what its sections hold, and the *cores*: sets of
///                          items that are known not to fit
///
/// Cost: the loads of each pool.
#ifndef SNUG_POOLS_POOL_SET_HPP
#define SNUG_POOLS_POOL_SET_HPP

#include "snug/bodies/bodies.hpp"
#include "snug/bodies/body_builder.hpp"
#include "snug/config.hpp"
#include "snug/explain/overload.hpp"
#include "snug/explain/shrink.hpp"
#include "snug/explain/trial.hpp"
#include "snug/explain/window_trials.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/reason.hpp"
#include "snug/model/subset.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/presolve.hpp"
#include "snug/plan/budget.hpp"
#include "snug/pools/cost_table.hpp"
#include "snug/pools/pool_loads.hpp"
#include "snug/support/list.hpp"
#include "snug/support/outcome.hpp"
#include "snug/support/rounded.hpp"
#include "snug/support/sort.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// What is left in each section of each pool.
using PoolRooms = std::vector<std::vector<std::int64_t>>;

/// The buffers of each item, ascending.
using Items = std::vector<std::vector<std::size_t>>;

/// Items of one buffer each. None if it is interrupted.
[[nodiscard]] inline Items single_items(std::size_t count,
                                        const Interrupt& interrupt) {
  Items items;
  items.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (interrupt.at(i)) return {};
    items.push_back({i});
  }
  return items;
}

/// Whether two pools, or the memories of two problems, are the same but for
/// their capacities and costs.
template <class A, class B>
[[nodiscard]] bool has_same_memory(const A& a, const B& b) {
  return a.base == b.base && a.alignment == b.alignment &&
         std::equal(a.reserved.begin(), a.reserved.end(), b.reserved.begin(),
                    b.reserved.end(), [](const auto& one, const auto& other) {
                      return one.bytes == other.bytes &&
                             one.lifespan == other.lifespan;
                    });
}

/// A problem with the base, the alignment and the reserved ranges of a pool. Pools
/// share it if it is the same: then all have the fixed offsets of the same buffers.
struct PoolProblem {
  std::shared_ptr<const Problem<>> problem{};
  std::int64_t capacity = 0;

  /// Whether both, of the same buffers, have the same placements.
  [[nodiscard]] bool is_like(const PoolProblem& other) const {
    return capacity == other.capacity && problem == other.problem;
  }
};

/// What to do about what does not fit.
enum class Effort : std::uint8_t {
  kPlace,     ///< finds no cores
  kRefute,    ///< finds cores where the whole is refuted
  kThorough,  ///< or a part of it
};

template <class M>
class PoolSet {
 public:
  /// The budget must outlive the set. The problems are of the same buffers. If
  /// the budget gave up, or does so now, the set is of no use.
  PoolSet(std::vector<PoolProblem> pools, Items items, Budget& budget)
      : problems_(std::move(pools)),
        items_(std::move(items)),
        item_of_(problems_.front().problem->buffers.size(), 0),
        budget_(&budget) {
    if (budget.gave_up()) return;
    for (std::size_t i = 0; i < items_.size(); ++i)
      for (const std::size_t b : items_[i]) item_of_[b] = i;
    for (Index p = 0; p < problems_.size(); ++p) {
      Index first = 0;
      while (!problems_[first].is_like(problems_[p])) ++first;
      alike_.push_back(first);
    }
    make_loads();
  }

  [[nodiscard]] std::size_t size() const noexcept { return problems_.size(); }
  [[nodiscard]] std::size_t buffers() const noexcept { return item_of_.size(); }
  [[nodiscard]] const Items& items() const noexcept { return items_; }
  [[nodiscard]] const std::vector<PoolLoads>& loads() const noexcept {
    return loads_;
  }
  [[nodiscard]] const Problem<>& problem(std::size_t pool) const {
    return *problems_[pool].problem;
  }
  [[nodiscard]] std::int64_t capacity(std::size_t pool) const {
    return problems_[pool].capacity;
  }
  [[nodiscard]] Budget& budget() noexcept { return *budget_; }

  /// For each item whether it finds room in a pool that has no other.
  [[nodiscard]] List<bool> find_room(std::size_t pool) const {
    const PoolLoads& loads = loads_[pool];
    std::int64_t least = PoolLoads::kMostRoom;
    for (const std::int64_t room : loads.room) least = (std::min)(least, room);
    List<bool> has_room(items_.size(), true);
    for (std::size_t i = 0; i < items_.size(); ++i) {
      bool is_little = true;
      for (const LoadPart& part : loads.parts[i])
        is_little = is_little && part.bytes <= least;
      has_room[i] = is_little || loads.has_room(i, 1, loads.room);
    }
    return has_room;
  }

  /// For each pool the first one like it.
  [[nodiscard]] const List<Index>& alike() const noexcept { return alike_; }
  /// Sections of a pool that are not cores.
  [[nodiscard]] Index sections(std::size_t pool) const {
    return sections_[pool];
  }
  /// Whether a pool has room for all that may be there on top of one another.
  [[nodiscard]] bool is_ample(std::size_t pool, const CostTable& costs) const {
    const Problem<>& of_pool = problem(pool);
    double room =
        static_cast<double>(capacity(pool)) - static_cast<double>(of_pool.base);
    for (std::size_t b = 0; b < of_pool.buffers.size() && room >= 0; ++b)
      if (costs.allows(item_of_[b], pool))
        room = rounded(
            room -
            rounded(static_cast<double>(of_pool.buffers[b].size) +
                    rounded(static_cast<double>(of_pool.buffers[b].alignment) *
                            static_cast<double>(of_pool.alignment))));
    return room >= 0 && of_pool.reserved.empty();
  }
  /// Whether more bytes are live at one time than the pools hold together: those
  /// of items that may neither be elsewhere nor in an ample pool, and the pools
  /// that these may be in.
  [[nodiscard]] bool are_overloaded(const CostTable& costs) const {
    List<bool> is_confined;
    for (std::size_t i = 0; i < items_.size(); ++i)
      is_confined.push_back(!costs.allows(i, size()));
    for (Index p = 0; p < size(); ++p)
      if (is_ample(p, costs))
        for (std::size_t i = 0; i < items_.size(); ++i)
          if (costs.allows(i, p)) is_confined[i] = false;
    std::int64_t room = 0;
    for (Index p = 0; p < size(); ++p) {
      std::size_t i = 0;
      while (i < items_.size() && !(is_confined[i] && costs.allows(i, p))) ++i;
      if (i < items_.size() && capacity(p) > problem(p).base)
        room += (std::min)(capacity(p) - problem(p).base, kMaxTotal - room);
    }
    std::vector<std::size_t> confined;
    for (std::size_t b = 0; b < buffers(); ++b)
      if (is_confined[item_of_[b]]) confined.push_back(b);
    const Interrupt interrupt = budget_->interrupt();
    Problem<> live = make_subset(problem(0), confined, interrupt);
    live.base = 0;
    const Moments moments = make_moments(live, room, interrupt);
    return std::any_of(moments.loads.begin(), moments.loads.end(),
                       [&](std::int64_t load) { return load > room; });
  }
  /// Bytes times lifespan of an item, at least 1.
  [[nodiscard]] double area_of(std::size_t item) const {
    double area = 1;
    for (const std::size_t b : items_[item]) {
      const Buffer<>& buffer = problem(0).buffers[b];
      area = rounded(area + rounded(distance(buffer.lifespan.lower,
                                             buffer.lifespan.upper) *
                                    static_cast<double>(buffer.size)));
    }
    return area;
  }

  /// What a division leaves of the room.
  [[nodiscard]] PoolRooms rooms_left_by(const List<Index>& division) const {
    PoolRooms rooms;
    for (Index p = 0; p < size(); ++p)
      rooms.push_back(loads_[p].room_left_by(
          [&](std::size_t i) { return division[i] == p; }));
    return rooms;
  }
  /// The buffers of all items of a division that are in a pool, ascending.
  [[nodiscard]] std::vector<std::size_t> buffers_in(
      std::size_t pool, const List<Index>& division) const {
    std::vector<std::size_t> buffers;
    for (std::size_t b = 0; b < item_of_.size(); ++b)
      if (division[item_of_[b]] == pool) buffers.push_back(b);
    return buffers;
  }

  /// Tries to place buffers, ascending, in a pool with at most `nodes` nodes a
  /// try; if `how` is thorough, windows of time as well. What is refuted becomes a
  /// core of all pools alike, if cores are to be found, and so do other parts of
  /// the buffers that do not fit.
  [[nodiscard]] Trial place(std::size_t pool, std::vector<std::size_t> buffers,
                            std::int64_t nodes, Effort how) {
    Trials<M> trials(*problems_[pool].problem, problems_[pool].capacity,
                     *budget_);
    Refuted found;
    Trial trial = how == Effort::kThorough
                      ? place_or_refute(trials, buffers, nodes, found)
                      : trials.run(buffers, nodes);
    if (trial.outcome != Outcome::kRefuted || how == Effort::kPlace)
      return trial;
    if (how != Effort::kThorough)
      found = {buffers, std::move(trial.core), trial.nodes};
    for (;;) {
      Shrinker<M> shrinker(trials, std::move(found));
      shrinker.run(nodes);
      std::vector<std::size_t> core;
      for (const std::size_t b : shrinker.buffers())
        core.push_back(item_of_[b]);
      sort_unique(core);
      for (std::size_t p = 0; p < size(); ++p)
        if (alike_[p] == alike_[pool]) loads_[p].add_core(core);
      detail::erase_if(buffers, [&](std::size_t b) {
        return std::binary_search(core.begin(), core.end(), item_of_[b]);
      });
      Trial other = trials.run(buffers, nodes);
      if (other.outcome != Outcome::kRefuted) return trial;
      found = {buffers, std::move(other.core), other.nodes};
    }
  }

 private:
  void make_loads() {
    const Interrupt interrupt = budget_->interrupt();
    std::size_t since = 0;
    loads_.reserve(size());
    find_times();
    Bodies bodies;
    const Problem<>* last = nullptr;  // That the bodies are of.
    for (Index p = 0; p < size(); ++p) {
      const Problem<>& problem = *problems_[p].problem;
      if (alike_[p] < p) {
        loads_.push_back(loads_[alike_[p]]);
      } else {
        if (last == nullptr || !has_same_memory(*last, problem))
          bodies = make_bodies(problem, interrupt);
        last = &problem;
        if (budget_->gave_up()) return;
        loads_.push_back(LoadBuilder(bodies, items_.size(),
                                     problems_[p].capacity / bodies.unit,
                                     interrupt)
                             .build());
      }
      if (interrupt.after(buffers() + times_.size(), since) ||
          budget_->gave_up())
        return;
      sections_.push_back(loads_.back().sections);
    }
  }
  /// When something is reserved in any pool: so all have the same sections.
  void find_times() {
    const Problem<>* last = nullptr;
    for (const PoolProblem& pool : problems_) {
      if (pool.problem.get() == last) continue;
      last = pool.problem.get();
      for (const Reserved<>& reserved : last->reserved)
        if (reserved.lifespan) times_.push_back(*reserved.lifespan);
    }
    const auto is_before = [](const auto& a, const auto& b) {
      return a.lower != b.lower ? a.lower < b.lower : a.upper < b.upper;
    };
    heap_sort(times_, is_before);
    drop_repeated(times_);
  }
  /// Ties hold within an item; where its buffers are items of their own, those
  /// that are tied take nothing. No buffer is fixed, and no pair says nothing.
  [[nodiscard]] Bodies make_bodies(const Problem<>& problem,
                                   const Interrupt& interrupt) const {
    Flat flat = flatten(problem, interrupt);
    if (budget_->gave_up()) return {};
    if (!flat.root.empty() && items_.size() == flat.buffers.size()) {
      for (std::size_t b = 0; b < flat.buffers.size(); ++b)
        if (flat.root[b] != b)
          flat.buffers[b].size = flat.buffers[flat.root[b]].size = 0;
      flat.root.clear();
      flat.delta.clear();
      erase_if(flat.gaps, [&](const FlatGap& gap) {
        return flat.buffers[gap.buffer].size == 0;
      });
    }
    flat.fixed.clear();
    sort_pairs(flat.may_overlap);
    std::size_t since = 0;
    if (interrupt.after(flat.may_overlap.size(), since)) return {};
    drop_pairs(flat);
    for (const Interval<std::int64_t>& time : times_)
      flat.reserved.push_back({{0, 0}, time});
    // To place what it can comes first.
    TimeForPart cliques(budget_->limits(), 8);
    return BodyBuilder(flat, interrupt)
        .build(CliqueScope::kOfPairs, cliques.interrupt());
  }

  std::vector<PoolProblem> problems_;
  Items items_;
  std::vector<std::size_t> item_of_;  ///< of each buffer
  Budget* budget_;
  std::vector<PoolLoads> loads_{};
  List<Index> sections_{};                ///< of each pool, without cores
  List<Index> alike_{};                   ///< by pool, the first one like it
  List<Interval<std::int64_t>> times_{};  ///< of reserved ranges, ascending
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_POOLS_POOL_SET_HPP
