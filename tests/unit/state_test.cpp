// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/plain/state.hpp"

#include "snug/engine/bits.hpp"
#include "support/catch.hpp"
#include "support/walker.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace state_test {

using namespace snug::testing;
using snug::detail::Index;

namespace {

/// Who is in the list of whom; the order of a list does not matter. Fails if
/// the links of a list do not fit together.
template <class Units>
std::vector<std::set<Index>> watch_lists(
    const snug::detail::State<Units>& state) {
  std::vector<std::set<Index>> lists(state.nobody() + 1);
  for (Index y = 0; y <= state.nobody(); ++y) {
    Index previous = state.nobody();
    for (Index x = state.watchers[y]; x != state.nobody();
         x = state.next_watcher[x]) {
      REQUIRE(state.previous_watcher[x] == previous);
      REQUIRE(lists[y].insert(x).second);
      previous = x;
    }
  }
  return lists;
}

/// All of a state but its trail and key, to be compared.
template <class Units>
auto snapshot(const Walker<Units>& walker) {
  const auto& state = walker.state;
  const Index n = walker.instance.size;
  const Index m = walker.instance.sections;
  const auto copy = [](const auto* values, std::size_t count) {
    return std::vector<std::int64_t>(values, values + count);
  };
  std::vector<Index> unplaced;
  std::vector<Index> skipped;
  for (Index x = 0; x < n; ++x) {
    if (state.is_unplaced(x)) unplaced.push_back(x);
    if (snug::detail::has_bit(state.skipped, x)) skipped.push_back(x);
  }
  return std::make_tuple(copy(state.minimum, n), copy(state.release, n),
                         unplaced, skipped, copy(state.witness, n),
                         copy(state.room, m), copy(state.spare, m),
                         copy(state.crossing, m), copy(state.section_weight, m),
                         watch_lists(state));
}

template <class Units>
using Snapshot = decltype(snapshot(std::declval<const Walker<Units>&>()));

/// Places or skips a random buffer, sets a random witness or saves and
/// changes some spare: any change that a state can take, sensible or not.
template <class Units>
void change_anything(Walker<Units>& walker, Random& random) {
  auto& state = walker.state;
  const auto& instance = walker.instance;
  const std::vector<Index> left = walker.unplaced();
  if (left.empty()) return;
  const Index x = left[random.between(std::size_t{0}, left.size() - 1)];
  switch (random.between(0, 4)) {
    case 0:
      if (!state.is_skipped(x)) state.place(x);
      break;
    case 1:
      if (!state.is_skipped(x)) state.skip(x);
      break;
    case 2:
      if (state.is_skipped(x))
        state.set_release(
            x, static_cast<Units>(state.minimum[x] + random.between(1, 9)));
      break;
    case 3:
      state.set_witness(x, random.between(Index{0}, state.nobody()));
      break;
    default: {
      const Index lower = random.between(Index{0}, instance.sections - 1);
      const Index upper = random.between(lower + 1, instance.sections);
      state.save_spare({lower, upper});
      for (Index s = lower; s < upper; ++s)
        state.spare[s] = static_cast<Units>(random.between(0, 99));
      break;
    }
  }
}

/// Whether sums, counts and sets are what they say.
template <class Units>
void check_by_definition(const Walker<Units>& walker) {
  const auto& state = walker.state;
  const auto& instance = walker.instance;
  std::vector<Units> room(instance.sections, instance.capacity);
  std::vector<std::int32_t> crossing(instance.sections, 0);
  std::vector<std::int32_t> weight(instance.sections, 0);
  for (Index x = 0; x < instance.size; ++x) {
    if (!state.is_unplaced(x)) {
      REQUIRE(state.release[x] == Walker<Units>::kNever);
      REQUIRE_FALSE(snug::detail::has_bit(state.skipped, x));
      continue;
    }
    REQUIRE(state.release[x] >= state.minimum[x]);
    REQUIRE(snug::detail::has_bit(state.skipped, x) == state.is_skipped(x));
    REQUIRE(state.minimum[x] % instance.alignment[x] == 0);
    for (Index s = instance.lower[x]; s < instance.upper[x]; ++s) {
      room[s] = static_cast<Units>(room[s] - instance.length[x]);
      weight[s] += state.weight[x];
      if (s + 1 < instance.upper[x]) ++crossing[s];
    }
  }
  REQUIRE(std::equal(room.begin(), room.end(), state.room));
  REQUIRE(std::equal(crossing.begin(), crossing.end(), state.crossing));
  REQUIRE(std::equal(weight.begin(), weight.end(), state.section_weight));
}

/// Gives all buffers weights before the first move.
template <class Units>
void add_weights(Walker<Units>& walker, Random& random) {
  for (Index x = 0; x < walker.instance.size; ++x) {
    walker.state.weight[x] = random.between(0, 1000);
    for (Index s = walker.instance.lower[x]; s < walker.instance.upper[x]; ++s)
      walker.state.section_weight[s] += walker.state.weight[x];
  }
}

}  // namespace

//      capacity 9      +---+
//                      | 1 |          0 [0,2) of 3, 1 [0,1) of 2,
//                      +---+---+      2 [1,2) of 4 with alignment 4
//                      |   0   |
//                      +---+---+
TEMPLATE_TEST_CASE("state: placing raises the neighbours", "[state]",
                   std::int32_t, std::int64_t) {
  snug::Problem<> problem;
  problem.buffers = {{{0, 2}, 3}, {{0, 1}, 2}, {{1, 2}, 4}};
  problem.buffers[2].alignment = 4;
  Walker<TestType> walker(problem, 9);
  auto& state = walker.state;
  constexpr TestType kNever = Walker<TestType>::kNever;
  // By span: 1, 0, 2.
  CHECK(state.nobody() == 3);
  CHECK(state.room[0] == 4);
  CHECK(state.room[1] == 2);
  CHECK(state.spare[0] == 4);
  CHECK(state.spare[1] == 2);
  CHECK(state.crossing[0] == 1);
  CHECK(state.top(1) == 3);

  state.place(1);
  using Change = typename snug::detail::State<TestType>::Change;
  REQUIRE(state.trail.size() == 3);
  CHECK(state.trail[0].change == Change::kPlaced);
  CHECK(state.trail[0].buffer == 1);
  CHECK(state.trail[1].change == Change::kRaised);
  CHECK(state.trail[1].buffer == 0);
  CHECK(state.trail[2].buffer == 2);
  CHECK_FALSE(state.is_change_of_release(0));
  CHECK(state.is_change_of_release(1));
  CHECK_FALSE(state.is_unplaced(1));
  CHECK(state.minimum[1] == 0);
  CHECK(state.release[1] == kNever);
  CHECK(state.minimum[0] == 3);
  CHECK(state.release[0] == 3);
  CHECK(state.minimum[2] == 4);  // 3, rounded up
  CHECK(state.release[2] == 4);
  CHECK(state.room[0] == 7);
  CHECK(state.room[1] == 5);
  CHECK(state.crossing[0] == 0);

  // 0 and 2 do not meet, so nobody is left to be raised.
  state.place(0);
  CHECK(state.trail.size() == 4);
  CHECK(state.minimum[2] == 4);

  state.undo_to(0);
  CHECK(state.trail.size() == 0);
  CHECK(state.release[1] == 0);
  CHECK(state.minimum[2] == 0);
  CHECK(state.room[1] == 2);
}

TEMPLATE_TEST_CASE("state: a skip ends when the minimum rises", "[state]",
                   std::int32_t, std::int64_t) {
  snug::Problem<> problem;
  problem.buffers = {{{0, 1}, 3}, {{0, 1}, 4}, {{0, 1}, 5}};
  Walker<TestType> walker(problem, 12);
  auto& state = walker.state;
  CHECK_FALSE(state.is_skipped(0));
  state.skip(0);
  CHECK(state.is_skipped(0));
  CHECK(state.release[0] == Walker<TestType>::kNever);
  state.set_release(0, 4);
  CHECK(state.is_skipped(0));
  CHECK(state.minimum[0] == 0);
  const std::size_t mark = state.trail.size();
  state.place(1);
  CHECK_FALSE(state.is_skipped(0));
  CHECK_FALSE(snug::detail::has_bit(state.skipped, 0));
  CHECK(state.minimum[0] == 4);
  CHECK(state.release[0] == 4);
  state.undo_to(mark);
  CHECK(state.is_skipped(0));
  CHECK(snug::detail::has_bit(state.skipped, 0));
  CHECK(state.release[0] == 4);
  state.undo_to(0);
  CHECK_FALSE(state.is_skipped(0));
}

TEMPLATE_TEST_CASE("state: a skip that ended leaves nothing in the key",
                   "[state]", std::int32_t, std::int64_t) {
  snug::Problem<> problem;
  problem.buffers = {{{0, 1}, 3}, {{0, 1}, 4}, {{0, 1}, 5}};
  Walker<TestType> placed(problem, 12);
  placed.state.place(1);
  Walker<TestType> skipped(problem, 12);
  skipped.state.skip(0);
  CHECK_FALSE(skipped.state.key == placed.state.key);
  skipped.state.place(1);
  CHECK(skipped.state.key == placed.state.key);
}

TEMPLATE_TEST_CASE("state: a skip stays while the minimum does", "[state]",
                   std::int32_t, std::int64_t) {
  // 0 and 1 do not meet and are as large; 2 meets both.
  snug::Problem<> problem;
  problem.buffers = {{{0, 1}, 4}, {{1, 2}, 4}, {{0, 2}, 1}, {{0, 2}, 2}};
  Walker<TestType> walker(problem, 12);
  auto& state = walker.state;  // By span: 0 [0,1), 1 and 2 [0,2), 3 [1,2).
  state.place(0);
  REQUIRE(state.minimum[1] == 4);
  state.skip(1);
  state.set_release(1, 6);
  const std::size_t mark = state.trail.size();
  state.place(3);  // Its top is 4 as well.
  CHECK(state.is_skipped(1));
  CHECK(state.release[1] == 6);
  CHECK(state.trail.size() == mark + 1);
  CHECK(state.minimum[2] == 4);
}

TEMPLATE_TEST_CASE("state: witnesses and those they watch", "[state]",
                   std::int32_t, std::int64_t) {
  snug::Problem<> problem;
  problem.buffers.resize(5, {{0, 1}, 1});
  Walker<TestType> walker(problem, 5);
  auto& state = walker.state;
  for (const Index x : {0U, 1U, 2U, 4U}) state.set_witness(x, 3);
  state.set_witness(3, state.nobody());
  const std::size_t mark = state.trail.size();
  using Lists = std::vector<std::set<Index>>;
  const Lists before = {{}, {}, {}, {0, 1, 2, 4}, {}, {3}};
  CHECK(watch_lists(state) == before);

  // From the middle, the front and the back of the list.
  state.set_witness(1, 0);
  state.set_witness(4, state.nobody());
  state.place(0);
  CHECK(watch_lists(state) == Lists{{1}, {}, {}, {2}, {}, {3, 4}});
  state.undo_to(mark);
  CHECK(watch_lists(state) == before);
}

TEMPLATE_TEST_CASE("state: whatever was changed can be taken back", "[state]",
                   std::int32_t, std::int64_t) {
  std::size_t undos = 0;
  for_each_walker<TestType>(60, 12, [&](auto& walker, auto& random) {
    add_weights(walker, random);
    std::vector<std::size_t> marks;
    std::vector<Snapshot<TestType>> snapshots;
    for (int k = 0; k < 80; ++k) {
      marks.push_back(walker.state.trail.size());
      snapshots.push_back(snapshot(walker));
      change_anything(walker, random);
      check_by_definition(walker);
      if (k != 79 && !random.chance(15)) continue;
      const std::size_t back =
          k == 79 ? 0 : random.between(std::size_t{0}, marks.size() - 1);
      walker.state.undo_to(marks[back]);
      REQUIRE(walker.state.trail.size() == marks[back]);
      REQUIRE(snapshot(walker) == snapshots[back]);
      marks.resize(back);
      snapshots.resize(back);
      ++undos;
    }
  });
  CHECK(undos > 500);
}

TEMPLATE_TEST_CASE("state: what the search does can be taken back", "[state]",
                   std::int32_t, std::int64_t) {
  std::size_t moves = 0;
  std::size_t refuted = 0;
  for_each_walker<TestType>(60, 12, [&](auto& walker, auto& random) {
    add_weights(walker, random);
    const auto root = snapshot(walker);
    std::vector<Snapshot<TestType>> snapshots;
    std::vector<std::size_t> marks;
    walker.walk(random, 60, [&](const auto& move) {
      const bool stands = walker.propagate(move);
      check_by_definition(walker);
      ++moves;
      const auto after = snapshot(walker);
      const std::size_t here = walker.state.trail.size();
      if (!stands) {
        ++refuted;
        return false;
      }
      // One step deeper and back again.
      if (!walker.candidates().empty()) {
        (void)walker.propagate(walker.move(random));
        walker.state.undo_to(here);
        REQUIRE(snapshot(walker) == after);
      }
      return true;
    });
    walker.state.undo_to(0);
    REQUIRE(snapshot(walker) == root);
  });
  CHECK(moves > 1000);
  CHECK(refuted > 100);
}

TEST_CASE("state: minimum offsets rest on placed neighbours", "[state]") {
  // In any order of placement: each buffer at the highest top of the
  // neighbours placed before it, so nobody overlaps.
  for_each_walker<std::int32_t>(100, 12, [&](auto& walker, auto& random) {
    auto& state = walker.state;
    std::vector<Index> order = walker.unplaced();
    random.shuffle(order);
    for (std::size_t k = 0; k < order.size(); ++k) {
      const Index x = order[k];
      std::int32_t lowest = 0;
      for (std::size_t j = 0; j < k; ++j)
        if (walker.neighbours(x, order[j]))
          lowest = (std::max)(lowest, state.top(order[j]));
      REQUIRE(state.minimum[x] == walker.instance.round_up(x, lowest));
      state.place(x);
      REQUIRE(state.minimum[x] == walker.instance.round_up(x, lowest));
    }
  });
}

}  // namespace state_test
