// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/bounds/aligned_stack.hpp"

#include "snug/bounds/aligned_load.hpp"
#include "snug/explain.hpp"
#include "snug/minimize.hpp"
#include "snug/normal/plain.hpp"
#include "snug/solve.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/exhaustive.hpp"
#include "support/plain.hpp"
#include "support/print.hpp"
#include "support/random.hpp"
#include "support/solved.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

namespace aligned_stack_test {

using namespace snug::testing;

namespace {

using snug::detail::AlignedStacks;
using snug::detail::Plain;

constexpr std::int64_t kMost = (std::numeric_limits<std::int64_t>::max)();
constexpr std::size_t kAnyBytes = (std::numeric_limits<std::size_t>::max)();

const auto never = [] { return false; };

/// The height of the highest stack of a problem.
std::int64_t highest_stack(const Plain& plain) {
  AlignedStacks stacks(plain, kAnyBytes);
  stacks.run(0, kMost, kMost, never);
  CHECK_FALSE(stacks.has_more());
  return stacks.height();
}

/// The height of buffers on top of each other in the best order, by trying all.
std::int64_t lowest_order(const snug::Problem<>& problem,
                          std::vector<std::size_t> order) {
  std::sort(order.begin(), order.end());
  std::int64_t lowest = kMost;
  do {
    std::int64_t height = 0;
    for (const std::size_t i : order) {
      const snug::Buffer<>& buffer = problem.buffers[i];
      if (buffer.size > 0)
        height = snug::detail::align_up(height, buffer.alignment) + buffer.size;
    }
    lowest = (std::min)(lowest, height);
  } while (std::next_permutation(order.begin(), order.end()));
  return lowest;
}

/// Buffers of many alignments, most of them live at one time.
snug::Problem<> draw_stacked(std::uint64_t seed, std::size_t most) {
  constexpr std::int64_t kAlignments[] = {1, 1, 2, 3, 4, 8};
  Random random(seed);
  snug::Problem<> problem;
  const std::size_t count = random.between(std::size_t{1}, most);
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t lower = random.between(0, 3);
    problem.buffers.push_back({{lower, lower + random.between(1, 4)},
                               random.between(0, 19),
                               kAlignments[random.between(0, 5)]});
  }
  return problem;
}

/// Eight buffers live at one time.
snug::Problem<> all_at_once() {
  snug::Problem<> problem;
  for (const std::int64_t size : {1, 3, 3, 5, 5, 5, 3, 1})
    problem.buffers.push_back({{0, 2}, size, size == 1 ? 1 : 4});
  return problem;
}

}  // namespace

TEST_CASE("aligned stack: the best of all orders", "[bounds]") {
  int above_the_bound = 0;
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(400); ++seed) {
    const snug::Problem<> problem = draw_stacked(seed, 7);
    CAPTURE(seed, as_csv(problem));
    std::int64_t highest = 0;
    for (std::int64_t time = 0; time < 7; ++time) {
      std::vector<std::size_t> live;
      for (std::size_t i = 0; i < problem.buffers.size(); ++i)
        if (problem.buffers[i].lifespan.lower <= time &&
            time < problem.buffers[i].lifespan.upper)
          live.push_back(i);
      highest = (std::max)(highest, lowest_order(problem, live));
    }
    const Plain plain = plain_of(problem);
    // What no stack is above is no bound: the load of unaligned buffers.
    REQUIRE((std::max)(highest_stack(plain), snug::detail::load(plain)) ==
            highest);
    above_the_bound += highest > snug::detail::aligned_load(plain) ? 1 : 0;
  }
  CHECK(above_the_bound > at_least(60));
}

TEST_CASE("aligned stack: never above the lowest height", "[bounds]") {
  int exact = 0;
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(400); ++seed) {
    const snug::Problem<> problem = draw_stacked(seed, 6);
    CAPTURE(seed, as_csv(problem));
    const Plain plain = plain_of(problem);
    const std::int64_t height = highest_stack(plain);
    const std::int64_t lowest = Exhaustive(problem).lowest();
    REQUIRE(height <= lowest);
    exact +=
        height == lowest && height > snug::detail::aligned_load(plain) ? 1 : 0;
    const snug::Result<> result = snug::minimize(problem);
    REQUIRE(result.status == snug::Status::kOptimal);
    REQUIRE(result.height == lowest);
    if (lowest > 0)
      REQUIRE(snug::solve(problem, lowest - 1).status ==
              snug::Status::kInfeasible);
  }
  CHECK(exact > at_least(30));
}

TEST_CASE("aligned stack: refutes without a search", "[bounds]") {
  snug::Problem<> problem = all_at_once();
  std::vector<std::size_t> all(problem.buffers.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  const std::int64_t lowest = lowest_order(problem, all);
  CAPTURE(lowest);
  // Others that live at other times are no part of it.
  problem.buffers.push_back({{2, 4}, lowest - 1, 1});
  problem.buffers.push_back({{-5, 0}, lowest - 1, 2});
  const snug::Result<> result = snug::solve(problem, lowest - 1);
  CHECK(result.status == snug::Status::kInfeasible);
  CHECK(highest_stack(plain_of(problem)) == lowest);

  const Plain plain = plain_of(problem);
  AlignedStacks highest(plain, kAnyBytes);
  highest.run(0, kMost, kMost, never);
  snug::detail::List<snug::detail::Index> live = highest.highest();
  std::sort(live.begin(), live.end());
  CHECK(live ==
        snug::detail::List<snug::detail::Index>(all.begin(), all.end()));
}

TEST_CASE("aligned stack: as much as it may take", "[bounds]") {
  const Plain plain = plain_of(all_at_once());
  const std::int64_t height = highest_stack(plain);
  AlignedStacks in_turns(plain, kAnyBytes);
  in_turns.run(7, kMost, 4, never);
  CHECK(in_turns.has_more());
  CHECK(in_turns.height() == 7);
  in_turns.run(7, kMost, kMost, never);
  CHECK_FALSE(in_turns.has_more());
  CHECK(in_turns.height() == height);
  CHECK(in_turns.bytes() > 0);

  // Without memory for the table there is nothing to come back to.
  AlignedStacks small(plain, 16);
  small.run(7, kMost, kMost, never);
  CHECK_FALSE(small.has_more());
  CHECK(small.height() == 7);
  CHECK(small.bytes() == 0);

  AlignedStacks stopped(plain, kAnyBytes);
  stopped.run(7, kMost, kMost, [] { return true; });
  CHECK(stopped.height() == 7);
  AlignedStacks above(plain, kAnyBytes);
  above.run(height, kMost, kMost, never);
  CHECK(above.height() == height);
  CHECK(above.highest().empty());
}

TEST_CASE("aligned stack: what is of no use is left out", "[bounds]") {
  // The fine one of 3 fills what the two coarse ones of 5 leave between them.
  snug::Problem<> problem;
  problem.buffers = {{{0, 1}, 5}, {{0, 1}, 5}, {{0, 1}, 3}};
  problem.buffers[0].alignment = problem.buffers[1].alignment = 8;
  const Plain plain = plain_of(problem);
  const std::int64_t least = highest_stack(plain);
  CHECK(least == 13);
  for (std::int64_t height = 0; height < 40; ++height) {
    AlignedStacks stacks(plain, kAnyBytes);
    stacks.look_only_above(height);
    stacks.run(0, kMost, kMost, never);
    CAPTURE(height);
    CHECK_FALSE(stacks.has_more());
    // The stack that is soon found is the least one here.
    CHECK(stacks.height() == (height < least ? least : 0));
  }
}

TEST_CASE("aligned stack: large numbers", "[bounds]") {
  // Alignments whose multiple, and heights that, a table cannot hold.
  snug::Problem<> problem;
  const std::int64_t large = std::int64_t{1} << 40;
  problem.buffers = {{{0, 2}, 5, large}, {{0, 2}, 5, 3}, {{0, 2}, 5, 7}};
  CHECK(highest_stack(plain_of(problem)) == 0);
  problem.buffers[0].alignment = 1000003;
  problem.buffers[1].alignment = 1000033;
  CHECK(highest_stack(plain_of(problem)) == 0);
  problem.buffers = {{{0, 2}, 5 * large + 3, 4}, {{0, 2}, large + 6, 8}};
  CHECK(highest_stack(plain_of(problem)) == 6 * large + 11);

  // Many buffers of one type, and of more types than sets can be listed.
  problem.buffers.assign(1000, {{0, 2}, 5, 4});
  CHECK(highest_stack(plain_of(problem)) == 999 * 8 + 5);
  for (std::size_t i = 0; i < problem.buffers.size(); ++i)
    problem.buffers[i].size = 1 + static_cast<std::int64_t>(i);
  for (snug::Buffer<>& buffer : problem.buffers) buffer.alignment = 1 << 12;
  CHECK(highest_stack(plain_of(problem)) == 0);
}

}  // namespace aligned_stack_test
