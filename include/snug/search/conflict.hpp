// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Conflict sets: why a node failed, in terms that outlive it.
#ifndef SNUG_SEARCH_CONFLICT_HPP
#define SNUG_SEARCH_CONFLICT_HPP

#include "snug/config.hpp"
#include "snug/search/bits.hpp"
#include "snug/search/memory.hpp"
#include "snug/search/section_bound.hpp"
#include "snug/search/state.hpp"

#include <algorithm>
#include <cstddef>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// A conflict: `members` and `skips`, two sets of buffers side by side.
class Conflict {
 public:
  Conflict(Word* words, Index count) noexcept : words_(words), count_(count) {}

  [[nodiscard]] Word* members() const noexcept { return words_; }
  [[nodiscard]] Word* skips() const noexcept { return words_ + count_; }
  [[nodiscard]] Index words() const noexcept { return count_; }
  /// Words of both sets.
  [[nodiscard]] std::size_t size() const noexcept {
    return 2 * std::size_t{count_};
  }

  void clear() const noexcept { std::fill(words_, words_ + size(), 0); }
  void assign(const Conflict& other) const noexcept {
    std::copy(other.words_, other.words_ + size(), words_);
  }
  void join(const Conflict& other) const noexcept {
    for (std::size_t w = 0; w < size(); ++w) words_[w] |= other.words_[w];
  }

 private:
  Word* words_;
  Index count_;
};

template <class Lane>
class Explainer {
 public:
  static constexpr Lane kNever = Instance<Lane>::kNever;

  Explainer(const Instance<Lane>& instance, Memory& memory)
      : explained_(memory.take<Lane>(instance.size, Lane{-1})),
        tasks_(memory, instance.size),
        seen_(memory, instance.size) {}

  /// Adds the reasons for r(x) >= needed.
  void release(const State<Lane>& state, Index x, Lane needed,
               const Conflict& conflict) {
    demand(state, x, needed, conflict);
    settle(state, conflict);
  }

  /// Adds the reasons why nobody else can come to lie at or below x's
  /// minimum offset (x was eligible).
  void eligible(const State<Lane>& state, Index x, const Conflict& conflict) {
    const Lane minimum = state.minimum[x];
    state.for_each_neighbour(x, [&](Index y) {
      if (state.top(y) <= minimum)
        demand(state, y,
               static_cast<Lane>(minimum - state.instance->length[y] + 1),
               conflict);
    });
    settle(state, conflict);
  }

  /// Adds the reasons why nobody can come to lie in x's slot.
  void no_witness(const State<Lane>& state, Index x, const Conflict& conflict) {
    add_neighbours(state, x, conflict);
    state.for_each_neighbour(x, [&](Index y) {
      if (state.minimum[y] < state.top(x))
        demand(state, y, state.top(x), conflict);
    });
    settle(state, conflict);
  }

  void add_neighbours(const State<Lane>& state, Index x,
                      const Conflict& conflict) const {
    const Instance<Lane>& instance = *state.instance;
    for (Index w = instance.row_begin[x]; w < instance.row_end[x]; ++w)
      conflict.members()[w] |= instance.row(x, w);
  }

  /// Adds the reasons why the unplaced buffers of a section do not fit.
  /// `begin` is the first buffer that may live there.
  void overflow(const State<Lane>& state, const Overflow<Lane>& overflow,
                Index begin, const Conflict& conflict) {
    const Instance<Lane>& instance = *state.instance;
    // The section stays over full as long as the threshold does not sink by
    // the whole excess, so less is asked of each release.
    const Lane needed =
        static_cast<Lane>(overflow.threshold - overflow.excess + 1);
    const Index end = instance.first_at[overflow.section + 1];
    for (Index y = begin; y < end; ++y)
      if (instance.upper[y] > overflow.section &&
          state.release[y] >= overflow.threshold && state.is_unplaced(y))
        demand(state, y, needed, conflict);
    settle(state, conflict);
  }

 private:
  struct Task {
    Index buffer;
    Lane needed;
  };

  void demand(const State<Lane>& state, Index x, Lane needed,
              const Conflict& conflict) {
    set_bit(conflict.members(), x);
    if (state.minimum[x] >= needed || explained_[x] >= needed) return;
    if (explained_[x] < 0) seen_.push(x);
    explained_[x] = needed;
    tasks_.push({x, needed});
  }

  void settle(const State<Lane>& state, const Conflict& conflict) {
    while (!tasks_.empty()) {
      const Task task = tasks_.back();
      tasks_.shrink(tasks_.size() - 1);
      if (explained_[task.buffer] > task.needed) continue;
      SNUG_ASSERT(state.is_skipped(task.buffer) && "only skips raise releases");
      set_bit(conflict.skips(), task.buffer);
      add_neighbours(state, task.buffer, conflict);
      const Lane needed = state.instance->above(task.buffer, task.needed);
      state.for_each_neighbour(task.buffer, [&](Index y) {
        if (state.top(y) < needed)
          demand(state, y,
                 static_cast<Lane>(needed - state.instance->length[y]),
                 conflict);
      });
    }
    for (const Index x : seen_) explained_[x] = -1;
    seen_.shrink(0);
  }

  Lane* explained_;  ///< what was asked of each release so far
  Stack<Task> tasks_;
  Stack<Index> seen_;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_SEARCH_CONFLICT_HPP
