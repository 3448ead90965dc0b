// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/model/ties.hpp"

#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/lists.hpp"
#include "support/random.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <vector>

namespace ties_test {

namespace {

using namespace snug::testing;
using snug::Check;
using snug::Problem;
using snug::Reason;
using snug::detail::align_grid;
using snug::detail::align_member;
using snug::detail::Grid;
using snug::detail::tie;
using snug::detail::Ties;

constexpr std::int64_t kLimit = std::int64_t{1} << 62;
constexpr std::int64_t kMost = (std::numeric_limits<std::int64_t>::max)();

Problem<> buffers(const std::vector<std::int64_t>& sizes) {
  Problem<> problem;
  for (const std::int64_t size : sizes)
    problem.buffers.push_back({{0, 1}, size});
  return problem;
}

bool refuses(const Problem<>& problem, Reason reason, std::size_t buffer) {
  const Ties ties = tie(problem);
  return ties.error.reason == reason && ties.error.buffer == buffer;
}

/// Distances by repeating every tie until nothing changes; nothing when two
/// ties contradict each other.
struct Naive {
  bool contradictory = false;
  std::vector<std::size_t> root;
  std::vector<std::int64_t> delta;
};

Naive naive(const Problem<>& problem) {
  struct Tie {
    std::size_t upper, lower;
    std::int64_t delta;
  };
  std::vector<Tie> all;
  Naive result;
  for (const auto& alias : problem.aliases)
    all.push_back({alias.buffer, alias.of, alias.delta});
  for (const auto& group : problem.contiguous)
    for (std::size_t k = 0; k < group.size(); ++k) {
      if (std::count(group.begin(), group.end(), group[k]) > 1)
        result.contradictory = true;
      if (k > 0)
        all.push_back(
            {group[k], group[k - 1], problem.buffers[group[k - 1]].size});
    }
  const std::size_t n = problem.buffers.size();
  result.root.assign(n, n);
  result.delta.assign(n, 0);
  for (std::size_t i = 0; i < n; ++i) {
    if (result.root[i] != n) continue;
    std::vector<std::optional<std::int64_t>> at(n);
    at[i] = 0;
    for (std::size_t round = 0; round < n; ++round)
      for (const Tie& one : all) {
        if (at[one.lower] && !at[one.upper])
          at[one.upper] = *at[one.lower] + one.delta;
        if (at[one.upper] && !at[one.lower])
          at[one.lower] = *at[one.upper] - one.delta;
      }
    for (const Tie& one : all)
      if (at[one.lower] && *at[one.upper] != *at[one.lower] + one.delta)
        result.contradictory = true;
    std::int64_t least = 0;
    for (const auto& place : at)
      if (place) least = (std::min)(least, *place);
    for (std::size_t j = 0; j < n; ++j)
      if (at[j]) {
        result.root[j] = i;
        result.delta[j] = *at[j] - least;
      }
  }
  return result;
}

}  // namespace

TEST_CASE("without ties every buffer is a class of its own", "[ties]") {
  const Ties ties = tie(buffers({4, 0, 7}));
  CHECK(ties.error.ok());
  CHECK(ties.root == snug::detail::List<std::uint32_t>{0, 1, 2});
  CHECK(ties.delta == snug::detail::List<std::int64_t>{0, 0, 0});
  CHECK(tie(Problem<>{}).root.empty());
  CHECK(tie(Problem<>{}).error.ok());
}

TEST_CASE("aliases and groups make one class, counted from its lowest",
          "[ties]") {
  Problem<> problem = buffers({4, 3, 5, 1, 2});
  problem.aliases = {{4, 1, -6}};
  problem.contiguous = {{2, 1}, {}, {3}};
  const Ties ties = tie(problem);
  CHECK(ties.error.ok());
  // 2 at x, 1 at x + 5, 4 at x - 1.
  CHECK(ties.root == snug::detail::List<std::uint32_t>{0, 1, 1, 3, 1});
  CHECK(ties.delta == snug::detail::List<std::int64_t>{0, 6, 1, 0, 0});
}

TEST_CASE("tie names what is wrong", "[ties]") {
  Problem<> problem = buffers({4, 3, 0, 0});
  SECTION("unknown buffers, by the index given") {
    problem.aliases = {{0, 4, 0}};
    CHECK(refuses(problem, Reason::kUnknownBuffer, 4));
    problem.aliases = {{9, 4, 0}};
    CHECK(refuses(problem, Reason::kUnknownBuffer, 9));
    problem.aliases.clear();
    problem.contiguous = {{7}};
    CHECK(refuses(problem, Reason::kUnknownBuffer, 7));
    problem.contiguous = {{0, 1, Check::kNoBuffer}};
    CHECK(refuses(problem, Reason::kUnknownBuffer, Check::kNoBuffer));
  }
  SECTION("a buffer beside itself") {
    problem.aliases = {{1, 1, 0}};
    CHECK(tie(problem).error.ok());
    problem.aliases = {{1, 1, 2}};
    CHECK(refuses(problem, Reason::kContradictoryAlias, 1));
  }
  SECTION("two places") {
    problem.aliases = {{1, 0, 2}, {0, 1, -2}};
    CHECK(tie(problem).error.ok());
    problem.aliases[1].delta = -3;
    CHECK(refuses(problem, Reason::kContradictoryAlias, 0));
    problem.aliases.pop_back();
    problem.contiguous = {{0, 1}};
    CHECK(refuses(problem, Reason::kContradictoryAlias, 1));
  }
  SECTION("a member twice, even where nothing lies between") {
    problem.contiguous = {{0, 1, 0}};
    CHECK(refuses(problem, Reason::kContradictoryAlias, 0));
    problem.contiguous = {{2, 3, 2}};
    CHECK(refuses(problem, Reason::kContradictoryAlias, 2));
    problem.contiguous = {{2, 3}, {3, 2}};
    CHECK(tie(problem).error.ok());
  }
  SECTION("distances beyond 2^62") {
    problem.aliases = {{1, 0, kLimit}};
    CHECK(tie(problem).error.ok());
    CHECK(tie(problem).delta[1] == kLimit);
    problem.aliases = {{1, 0, -kLimit}};
    CHECK(tie(problem).delta[0] == kLimit);
    problem.aliases = {{1, 0, kLimit + 1}};
    CHECK(refuses(problem, Reason::kSizeOverflow, 1));
    problem.aliases = {{1, 0, -kMost - 1}};
    CHECK(refuses(problem, Reason::kSizeOverflow, 1));
    problem.aliases = {{1, 0, kLimit}, {2, 1, 1}};
    CHECK_FALSE(tie(problem).error.ok());
    problem.aliases = {{0, 1, kLimit}, {0, 2, -kLimit}};
    CHECK(tie(problem).error.reason == Reason::kSizeOverflow);
    problem.aliases = {{3, 2, kLimit}, {1, 0, kLimit}, {2, 1, kLimit}};
    CHECK(tie(problem).error.reason == Reason::kSizeOverflow);
    problem.aliases = {{3, 2, -kLimit}, {1, 0, -kLimit}, {2, 1, -kLimit}};
    CHECK(tie(problem).error.reason == Reason::kSizeOverflow);
  }
  SECTION("the first error in order") {
    problem.aliases = {{1, 1, 2}, {8, 0, 0}};
    problem.contiguous = {{9}};
    CHECK(refuses(problem, Reason::kContradictoryAlias, 1));
  }
}

TEST_CASE("tie agrees with repeated propagation", "[ties]") {
  std::size_t contradictory = 0;
  std::size_t large = 0;
  for (std::uint64_t seed = 1; seed <= 4000; ++seed) {
    Random random(seed);
    const auto n = random.between(std::size_t{1}, std::size_t{9});
    std::vector<std::int64_t> sizes;
    std::vector<std::int64_t> truth;
    for (std::size_t i = 0; i < n; ++i) {
      sizes.push_back(random.between(0, 4));
      truth.push_back(random.between(0, 20));
    }
    Problem<> problem = buffers(sizes);
    const auto any = [&] { return random.between(std::size_t{0}, n - 1); };
    for (int k = random.between(0, 8); k > 0; --k) {
      const std::size_t a = any();
      const std::size_t b = any();
      problem.aliases.push_back({a, b, truth[a] - truth[b]});
    }
    if (random.chance(20))
      problem.aliases.push_back({any(), any(), random.between(-3, 3)});
    for (int k = random.between(0, 2); k > 0; --k) {
      problem.contiguous.emplace_back();
      for (int m = random.between(0, 3); m > 0; --m)
        problem.contiguous.back().push_back(any());
    }
    const Naive expected = naive(problem);
    const Ties ties = tie(problem);
    CAPTURE(seed);
    REQUIRE(ties.error.ok() == !expected.contradictory);
    if (expected.contradictory) {
      CHECK(ties.error.reason == Reason::kContradictoryAlias);
      ++contradictory;
      continue;
    }
    if (std::count(ties.root.begin(), ties.root.end(), ties.root[n - 1]) > 3)
      ++large;
    CHECK(std::vector<std::size_t>(ties.root.begin(), ties.root.end()) ==
          expected.root);
    CHECK(vector_of(ties.delta) == expected.delta);
  }
  CHECK(contradictory > 500);
  CHECK(large > 500);
}

TEST_CASE("tie takes next to linear time", "[ties]") {
  constexpr std::size_t kCount = 200000;
  Problem<> problem = buffers(std::vector<std::int64_t>(kCount, 3));
  Random random(1);
  std::vector<std::size_t> order(kCount);
  std::iota(order.begin(), order.end(), std::size_t{0});
  random.shuffle(order);
  for (std::size_t i = 1; i < kCount; ++i)
    problem.aliases.push_back({order[i], order[i - 1], 1});
  problem.contiguous.push_back(order);
  const auto start = std::chrono::steady_clock::now();
  CHECK(refuses(problem, Reason::kContradictoryAlias, order[1]));
  problem.aliases.clear();
  const Ties chain = tie(problem);
  REQUIRE(chain.error.ok());
  for (std::size_t i = 0; i < kCount; ++i)
    if (chain.root[order[i]] != 0 ||
        chain.delta[order[i]] != 3 * static_cast<std::int64_t>(i))
      FAIL("buffer " << order[i]);
  const std::chrono::duration<double> elapsed =
      std::chrono::steady_clock::now() - start;
  CHECK(elapsed.count() < 5.0);
}

TEST_CASE("a grid holds exactly the offsets that suit all", "[ties]") {
  std::size_t impossible = 0;
  for (std::uint64_t seed = 1; seed <= effort<std::uint64_t>(4000); ++seed) {
    Random random(seed);
    Problem<> problem = buffers({1, 1, 1, 1});
    problem.alignment = random.between(1, 6);
    for (auto& buffer : problem.buffers)
      buffer.alignment = random.between(1, 12);
    for (std::size_t i = 1; i < 4; ++i)
      if (random.chance(80))
        problem.aliases.push_back({i, i - 1, random.between(-30, 30)});
    const Ties ties = tie(problem);
    REQUIRE(ties.error.ok());
    for (std::size_t root = 0; root < 4; ++root) {
      if (ties.root[root] != root) continue;
      const auto suits = [&](std::int64_t offset) {
        for (std::size_t i = 0; i < 4; ++i) {
          const std::int64_t place = offset + ties.delta[i];
          if (ties.root[i] == root &&
              (place % problem.alignment != 0 ||
               place % problem.buffers[i].alignment != 0))
            return false;
        }
        return true;
      };
      Grid grid;
      for (std::size_t i = 0; i < 4; ++i)
        if (ties.root[i] == root) align_member(problem, ties, i, grid);
      CAPTURE(seed, root, grid.first, grid.step, grid.possible);
      // 27720 is a multiple of every number to 12.
      std::vector<std::int64_t> found;
      for (std::int64_t x = 0; x < 27720 && found.size() < 2; ++x)
        if (suits(x)) found.push_back(x);
      REQUIRE(grid.possible == !found.empty());
      if (found.empty()) {
        ++impossible;
        continue;
      }
      CHECK(grid.first == found[0]);
      CHECK(grid.step ==
            (found.size() == 2 ? found[1] - found[0] : std::int64_t{27720}));
    }
  }
  CHECK(impossible > at_least(500U));
}

TEST_CASE("grids of huge steps do not overflow", "[ties]") {
  SECTION("one huge alignment") {
    const Grid grid = align_grid({}, 5, kLimit);
    CHECK(grid.possible);
    CHECK(grid.first == kLimit - 5);
    CHECK(grid.step == kLimit);
    CHECK_FALSE(align_grid({}, 5, kMost).possible);
    const Grid far = align_grid({}, kLimit, kMost);
    CHECK(far.first == kMost - kLimit);
    CHECK(far.step == kLimit);
  }
  SECTION("coprime ones, of which the first common offset is known") {
    const std::int64_t a = (std::int64_t{1} << 31) - 1;
    const std::int64_t b = (std::int64_t{1} << 31) + 11;
    const Grid both = align_grid(align_grid({}, 0, a), 0, b);
    CHECK(both.possible);
    CHECK(both.first == 0);
    CHECK(both.step == kLimit);
    CHECK(align_grid(both, 0, 1000003).first == 0);
    CHECK_FALSE(align_grid(both, 1, 1000003).possible);
  }
  SECTION("the step is capped, the offset is not") {
    // x = 3 modulo 2^40 and modulo 3^20 alike, so nothing else is in range.
    constexpr std::int64_t kPower = 3486784401;
    const std::int64_t two = std::int64_t{1} << 40;
    const Grid both =
        align_grid(align_grid({}, two - 3, two), kPower - 3, kPower);
    CHECK(both.possible);
    CHECK(both.first == 3);
    CHECK(both.step == kLimit);
    CHECK(align_grid(both, 4, 7).possible);
    CHECK_FALSE(align_grid(both, 5, 7).possible);
  }
  SECTION("random moduli and a hidden offset") {
    std::size_t capped = 0;
    for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
      Random random(seed);
      const std::int64_t hidden = random.between(std::int64_t{0}, kLimit - 1);
      Grid grid;
      for (int k = 0; k < 3; ++k) {
        const int bits = random.between(1, 61);
        const std::int64_t alignment =
            random.between(std::int64_t{1}, std::int64_t{1} << bits);
        const std::int64_t delta = (alignment - hidden % alignment) % alignment;
        const Grid before = grid;
        grid = align_grid(grid, delta, alignment);
        CAPTURE(seed, hidden, alignment, before.first, before.step);
        REQUIRE(grid.possible);
        CHECK(grid.first <= hidden);
        CHECK((hidden - grid.first) % grid.step == 0);
        CHECK((grid.first - before.first) % before.step == 0);
        const std::int64_t remainder = grid.first % alignment;
        CHECK((remainder + delta) % alignment == 0);
        if (grid.step == kLimit) {
          CHECK(grid.first == hidden);
          ++capped;
        } else {
          CHECK(grid.step == std::lcm(before.step, alignment));
        }
      }
    }
    CHECK(capped > 500);
  }
}

}  // namespace ties_test
