// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Random walks through the states of the search, to test its parts on.
///
/// A move places a buffer or skips it, as the search does: one whose release
/// is the lowest among its unplaced neighbours. The test draws the
/// conclusions, with the part it is about among them, and says whether the
/// state still stands; a refuted move is taken back, and some others are too.
#ifndef SNUG_TESTS_SUPPORT_WALKER_HPP
#define SNUG_TESTS_SUPPORT_WALKER_HPP

#include "snug/engine/bits.hpp"
#include "snug/engine/conflict.hpp"
#include "snug/model/problem.hpp"
#include "snug/normal/plain.hpp"
#include "snug/plain/dominance.hpp"
#include "snug/plain/instance.hpp"
#include "snug/plain/releases.hpp"
#include "snug/plain/section_bound.hpp"
#include "snug/plain/state.hpp"
#include "snug/support/memory.hpp"
#include "support/generators.hpp"
#include "support/pairwise.hpp"
#include "support/plain.hpp"
#include "support/random.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace snug {
namespace testing {

/// The elements of a set of bits, of which there may be `size`.
[[nodiscard]] inline std::vector<Index> elements(const detail::Word* set,
                                                 Index size) {
  std::vector<Index> result;
  for (Index x = 0; x < size; ++x)
    if (detail::has_bit(set, x)) result.push_back(x);
  return result;
}

/// A conflict with its words, of sets of so many each.
struct ConflictSets {
  explicit ConflictSets(Index count)
      : words(2 * std::size_t{count}, 0), conflict(words.data(), count) {}
  ConflictSets(const ConflictSets&) = delete;
  ConflictSets& operator=(const ConflictSets&) = delete;

  std::vector<detail::Word> words;
  detail::Conflict conflict;
};

/// Makes `steps` moves and undos of a walker. What conclude(move) refutes is
/// taken back.
template <class Walker, class Conclude>
void walk_along(Walker& walker, Random& random, int steps,
                Conclude&& conclude) {
  std::vector<std::size_t> marks;
  for (int k = 0; k < steps; ++k) {
    if (walker.candidates().empty() || (!marks.empty() && random.chance(8))) {
      if (marks.empty()) return;
      const std::size_t kept = random.between(std::size_t{0}, marks.size() - 1);
      walker.state.undo_to(marks[kept]);
      marks.resize(kept);
      continue;
    }
    const auto made = walker.move(random);
    if (conclude(made)) {
      marks.push_back(made.mark);
    } else {
      walker.state.undo_to(made.mark);
    }
  }
}

/// A random problem of 4 to `most` buffers, of which some are aligned where
/// the seed is odd.
[[nodiscard]] inline Problem<> draw_problem(std::uint64_t seed,
                                            std::size_t most) {
  Random random(seed);
  Shape shape;
  shape.count = random.between(std::size_t{4}, most);
  shape.length = random.between(3, 8);
  shape.largest = random.between(2, 6);
  Problem<> problem = seed % 4 < 2   ? uniform<>(shape, random)
                      : seed % 4 < 3 ? twins<>(shape, random)
                                     : clique<>(shape, random);
  if (seed % 2 == 1) align(problem, 40, std::int64_t{1}, random);
  return problem;
}

/// The first partition of a problem, in units of 1, in the hands of a test.
template <class Units>
class Walker {
 public:
  using State = detail::State<Units>;
  static constexpr Units kNever = State::kNever;

  /// The problem must have a buffer of positive size, and a load that is at
  /// most `capacity`.
  Walker(const Problem<>& problem, std::int64_t capacity)
      : instance(make_instance(problem, capacity, memory)),
        state(instance, memory),
        releases(instance, memory),
        bound(instance, memory) {
    for (Index x = 0; x < instance.size; ++x)
      state.set_witness(x, detail::find_witness(state, x));
    state.trail.shrink(0);
  }

  struct Move {
    std::size_t mark;  ///< of the trail, before it
    Index buffer;
    bool placed;  ///< else skipped
  };

  [[nodiscard]] std::vector<Index> unplaced() const {
    std::vector<Index> result;
    for (Index x = 0; x < instance.size; ++x)
      if (state.is_unplaced(x)) result.push_back(x);
    return result;
  }
  /// The unplaced buffers of the lowest release among [begin, end), which all
  /// rules choose from.
  [[nodiscard]] std::vector<Index> ties(Index begin, Index end) const {
    std::vector<Index> result;
    for (Index x = begin; x < end; ++x) {
      if (!state.is_unplaced(x)) continue;
      if (!result.empty() && state.release[x] < state.release[result[0]])
        result.clear();
      if (result.empty() || state.release[x] == state.release[result[0]])
        result.push_back(x);
    }
    return result;
  }
  [[nodiscard]] bool neighbours(Index x, Index y) const {
    return x != y && instance.overlap(x, y);
  }
  [[nodiscard]] std::vector<Index> unplaced_neighbours(Index x) const {
    std::vector<Index> result;
    for (const Index y : unplaced())
      if (neighbours(x, y)) result.push_back(y);
    return result;
  }

  /// Buffers that may be placed or skipped; none if all are placed.
  [[nodiscard]] std::vector<Index> candidates() const {
    std::vector<Index> result;
    for (const Index x : unplaced()) {
      bool lowest = !state.is_skipped(x);
      for (const Index y : unplaced_neighbours(x))
        lowest = lowest && state.release[y] >= state.release[x];
      if (lowest) result.push_back(x);
    }
    return result;
  }

  /// Makes a random move, without its conclusions.
  [[nodiscard]] Move move(Random& random) {
    const std::vector<Index> choice = candidates();
    const Index x = choice[random.between(std::size_t{0}, choice.size() - 1)];
    const Move result{state.trail.size(), x, random.chance(place_percent)};
    if (result.placed) {
      state.place(x);
    } else {
      state.skip(x);
    }
    return result;
  }

  /// The conclusions that the search draws, but for dominance.
  [[nodiscard]] bool propagate(const Move& move) {
    if (releases.update(state, 0, instance.size) != state.nobody())
      return false;
    const Index placed = move.placed ? move.buffer : state.nobody();
    if (bound.check(state, move.mark, placed, 0, instance.size).excess > 0)
      return false;
    detail::update_witnesses(state, move.mark);
    return true;
  }

  /// Makes `steps` moves and undos. `conclude(move)` must leave releases and
  /// witnesses up to date, or return false: then the move is taken back.
  template <class Conclude>
  void walk(Random& random, int steps, Conclude&& conclude) {
    walk_along(*this, random, steps, conclude);
  }

  detail::Memory memory;
  detail::Instance<Units> instance;
  State state;
  detail::Releases<Units> releases;
  detail::SectionBound<Units> bound;
  int place_percent = 50;  ///< how many moves place; the others skip

 private:
  [[nodiscard]] static detail::Instance<Units> make_instance(
      const Problem<>& problem, std::int64_t capacity, detail::Memory& memory) {
    const Plain plain = plain_of(problem);
    return detail::make_instance<Units>(plain, plain.partitions[0], 1, capacity,
                                        memory);
  }
};

/// Calls visit(walker, random) with walkers through the problems of `seeds`
/// seeds, at capacities from the load up.
template <class Units, class Visit>
void for_each_walker(std::uint64_t seeds, std::size_t most, Visit&& visit) {
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const Problem<> problem = draw_problem(seed, most);
    Random random(seed);
    Walker<Units> walker(problem, load_of(problem) + random.between(0, 3));
    walker.place_percent = random.between(10, 75);
    visit(walker, random);
  }
}

}  // namespace testing
}  // namespace snug

#endif  // SNUG_TESTS_SUPPORT_WALKER_HPP
