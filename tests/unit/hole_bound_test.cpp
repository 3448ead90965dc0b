// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/plain/hole_bound.hpp"

#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/obstructed.hpp"
#include "support/random.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

namespace hole_bound_test {

using namespace snug::testing;
using snug::Problem;
using snug::detail::HoleBound;
using snug::detail::Index;
using snug::detail::Overflow;
using snug::detail::Plain;

namespace {

/// The first partition of a problem, in units of 1.
template <class Units>
struct HoleBench {
  HoleBench(const Problem<>& problem, std::int64_t capacity)
      : plain(obstructed_of(problem)),
        instance(snug::detail::make_instance<Units>(plain, plain.partitions[0],
                                                    1, capacity, memory)),
        state(instance, memory),
        bound(instance, memory) {}

  [[nodiscard]] bool lives(Index x, Index s) const {
    return instance.lower[x] <= s && s < instance.upper[x];
  }
  [[nodiscard]] std::vector<Index> unplaced_in(Index s) const {
    std::vector<Index> result;
    for (Index x = 0; x < instance.size; ++x)
      if (state.is_unplaced(x) && lives(x, s)) result.push_back(x);
    return result;
  }
  /// Whether [lower, upper) of a section is free of obstacles.
  [[nodiscard]] bool is_free(Index s, Units lower, Units upper) const {
    for (Index k = 0; k < instance.jumps.taken_count; ++k) {
      const auto& taken = instance.jumps.taken[k];
      if (taken.sections.lower <= s && s < taken.sections.upper &&
          taken.units.lower < upper && lower < taken.units.upper)
        return false;
    }
    return true;
  }

  /// Whether the buffers `some` of a section, each at its release or above, can
  /// be placed there, by trying everything.
  [[nodiscard]] bool fit(Index s, std::vector<Index> some) {
    if (some.empty()) return true;
    const Index x = some.back();
    some.pop_back();
    const Units length = instance.length[x];
    for (Units at = state.release[x];
         static_cast<Units>(at + length) <= instance.capacity; ++at) {
      const Units top = static_cast<Units>(at + length);
      bool free = is_free(s, at, top);
      for (const Index y : put)
        free = free && (top <= state.minimum[y] || state.top(y) <= at);
      if (!free) continue;
      const Units before = state.minimum[x];
      state.minimum[x] = at;
      put.push_back(x);
      const bool found = fit(s, some);
      put.pop_back();
      state.minimum[x] = before;
      if (found) return true;
    }
    return false;
  }

  /// The bound in one section, by its definition.
  [[nodiscard]] bool holds(Index s) const {
    const std::vector<Index> some = unplaced_in(s);
    if (some.empty()) return true;
    Units lowest = instance.capacity;
    std::int64_t needed = 0;
    for (const Index x : some) {
      lowest = (std::min)(lowest, state.release[x]);
      needed += instance.length[x];
    }
    std::int64_t free = 0;
    std::int64_t hole = 0;
    for (Units byte = lowest; byte < instance.capacity; ++byte) {
      if (!is_free(s, byte, static_cast<Units>(byte + 1))) continue;
      if (free == byte - lowest) ++hole;
      ++free;
    }
    if (hole == instance.capacity - lowest) return true;
    std::set<std::int64_t> sums = {0};
    for (const Index x : some) {
      const std::set<std::int64_t> before = sums;
      for (const std::int64_t sum : before)
        if (sum + instance.length[x] <= hole)
          sums.insert(sum + instance.length[x]);
    }
    return needed <= free - hole + *sums.rbegin();
  }

  /// Whether a section of a span is one that is looked at: the last one of an
  /// unplaced buffer or of the span, or with other obstacles than the next.
  [[nodiscard]] bool is_looked_at(Index s, Index span_end) const {
    if (s + 1 == span_end) return true;
    for (const Index x : unplaced_in(s))
      if (instance.upper[x] == s + 1) return true;
    for (Units byte = 0; byte < instance.capacity; ++byte)
      if (is_free(s, byte, static_cast<Units>(byte + 1)) !=
          is_free(s + 1, byte, static_cast<Units>(byte + 1)))
        return true;
    return false;
  }

  snug::detail::Memory memory;
  Plain plain;
  snug::detail::Instance<Units> instance;
  snug::detail::State<Units> state;
  HoleBound<Units> bound;
  std::vector<Index> put{};
};

/// Some buffers, and ranges that are reserved for a while or always.
Problem<> draw(Random& random, std::int64_t capacity) {
  Problem<> problem;
  const int count = random.between(3, 9);
  for (int k = 0; k < count; ++k) {
    const std::int64_t begin = random.between(0, 5);
    problem.buffers.push_back(
        {{begin, begin + random.between(1, 4)}, random.between(1, 6)});
  }
  const int ranges = random.between(1, 3);
  for (int k = 0; k < ranges; ++k) {
    const std::int64_t lower = random.between(std::int64_t{2}, capacity - 2);
    snug::Reserved<> range;
    range.bytes = {lower, lower + random.between(1, 2)};
    const std::int64_t begin = random.between(0, 6);
    if (random.chance(70))
      range.lifespan =
          snug::Interval<std::int64_t>{begin, begin + random.between(1, 4)};
    problem.reserved.push_back(range);
  }
  return problem;
}

}  // namespace

//     10 +-----+     4 bytes are free below the range and 6 above it; of the
//        |  6  |     buffers of 3 and 7 bytes the lower hole takes 3, and 10
//        +-----+     are needed.
//        |/////|
//        +-----+
//        |  4  |
//      1 +-----+
TEMPLATE_TEST_CASE("hole bound: what nobody can use", "[hole_bound]",
                   std::int32_t, std::int64_t) {
  Problem<> problem;
  problem.buffers = {{{0, 1}, 1}, {{0, 1}, 3}, {{0, 1}, 7}};
  snug::Reserved<> range;
  range.bytes = {5, 6};
  problem.reserved = {range};
  const auto after_the_first = [&] {
    HoleBench<TestType> bench(problem, 12);
    Index first = 0;
    while (bench.instance.length[first] != 1) ++first;
    CHECK(bench.bound.check(bench.state, bench.state.nobody()).excess == 0);
    bench.state.place(first);
    return bench.bound.check(bench.state, first);
  };
  const Overflow<TestType> overflow = after_the_first();
  CHECK(overflow.section == 0);
  CHECK(overflow.threshold == 1);
  CHECK(overflow.excess == 1);
  // 4 and 6 fill both holes.
  problem.buffers[1].size = 4;
  problem.buffers[2].size = 6;
  CHECK(after_the_first().excess == 0);
  // The same bytes are lost, but not needed.
  problem.buffers[1].size = 3;
  CHECK(after_the_first().excess == 0);
}

TEST_CASE("hole bound: not where many may be in the hole", "[hole_bound]") {
  // A hole of 31 bytes takes 30 in pieces of 2, and 9 or 10 above it the rest.
  const auto fails_at = [](std::int64_t capacity, int count) {
    Problem<> problem;
    problem.buffers.assign(static_cast<std::size_t>(count), {{0, 1}, 2});
    problem.buffers.push_back({{0, 1}, 1});
    snug::Reserved<> range;
    range.bytes = {32, 33};
    problem.reserved = {range};
    HoleBench<std::int32_t> bench(problem, capacity);
    Index first = 0;
    while (bench.instance.length[first] != 1) ++first;
    bench.state.place(first);
    return bench.bound.check(bench.state, first).excess > 0;
  };
  CHECK_FALSE(fails_at(43, 20));
  CHECK_FALSE(fails_at(42, 20));  // It does not fit, but is not looked at.
  // 28 of 31 bytes.
  CHECK_FALSE(fails_at(34, 14));
}

TEMPLATE_TEST_CASE("hole bound: against its definition, and everything",
                   "[hole_bound]", std::int32_t, std::int64_t) {
  int refuted = 0;
  int stands = 0;
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(6000); ++seed) {
    Random random(seed);
    const std::int64_t capacity = random.between(9, 16);
    HoleBench<TestType> bench(draw(random, capacity), capacity);
    auto& state = bench.state;
    const auto& instance = bench.instance;
    CAPTURE(seed, capacity);
    for (int step = 0; step < 5; ++step) {
      std::vector<Index> candidates;
      for (Index x = 0; x < instance.size; ++x) {
        bool lowest = state.is_unplaced(x) && state.top(x) <= instance.capacity;
        for (Index y = 0; y < instance.size; ++y)
          lowest =
              lowest && (!state.is_unplaced(y) || !instance.overlap(x, y) ||
                         state.release[y] >= state.release[x]);
        if (lowest) candidates.push_back(x);
      }
      if (candidates.empty()) break;
      const Index x =
          candidates[random.between(std::size_t{0}, candidates.size() - 1)];
      state.place(x);
      const Overflow<TestType> overflow = bench.bound.check(state, x);
      if (overflow.excess > 0) {
        ++refuted;
        const Index s = overflow.section;
        REQUIRE(bench.lives(x, s));
        // The reasons that are given: these releases, at the threshold.
        std::vector<Index> reasons;
        for (const Index y : bench.unplaced_in(s)) {
          if (state.release[y] < overflow.threshold) continue;
          reasons.push_back(y);
          state.release[y] = overflow.threshold;
        }
        REQUIRE_FALSE(bench.fit(s, reasons));
        break;
      }
      ++stands;
      for (Index s = instance.lower[x]; s < instance.upper[x]; ++s)
        if (bench.is_looked_at(s, instance.upper[x])) REQUIRE(bench.holds(s));
    }
  }
  CHECK(refuted > at_least(1000));
  CHECK(stands > at_least(1000));
}

}  // namespace hole_bound_test
