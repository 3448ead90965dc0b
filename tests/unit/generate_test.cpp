// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../benchmarks/generate.hpp"

#include "../../benchmarks/random.hpp"
#include "../../benchmarks/variants.hpp"
#include "snug/io/csv.hpp"
#include "snug/model/check.hpp"
#include "snug/validate.hpp"
#include "support/catch.hpp"
#include "support/exhaustive.hpp"
#include "support/generators.hpp"
#include "support/pairwise.hpp"
#include "support/print.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace generate_test {

namespace {

using namespace snug::testing;
using snug::Buffer;
using snug::check;
using snug::Interval;
using snug::Problem;
using snug::validate;
using snug::benchmarks::Random;

std::int64_t load_at(const Problem<>& problem, std::int64_t time) {
  std::int64_t sum = 0;
  for (const Buffer<>& buffer : problem.buffers) {
    const Interval<std::int64_t> bytes = bytes_at(buffer, time);
    sum += bytes.upper - bytes.lower;
  }
  return sum;
}

/// The rows, each as text, sorted: equal for problems that differ in order.
std::vector<std::string> rows(const Problem<>& problem) {
  std::vector<std::string> result;
  for (const Buffer<>& buffer : problem.buffers) {
    Problem<> one;
    one.buffers = {buffer};
    result.push_back(snug::write_csv(one));
  }
  std::sort(result.begin(), result.end());
  return result;
}

/// A problem that uses all of the model.
Problem<> rich(std::uint64_t seed) {
  Random random(seed);
  Shape shape;
  shape.count = 12;
  shape.length = 20;
  shape.largest = 9;
  Problem<> problem = uniform<>(shape, random);
  add_gaps(problem, 60, random);
  problem.buffers[0].offset = 3;
  problem.buffers[1].hint = 4;
  problem.buffers[2].alignment = 4;
  return problem;
}

}  // namespace

TEST_CASE("the generator's numbers are these on every platform", "[generate]") {
  // The published first outputs of SplitMix64 for the seed 1234567.
  Random random(1234567);
  CHECK(random.next() == 6457827717110365317U);
  CHECK(random.next() == 3203168211198807973U);
  CHECK(random.next() == 9817491932198370423U);
}

TEST_CASE("random numbers keep to their range and reach its ends",
          "[generate]") {
  Random random(1);
  std::vector<int> seen(7);
  for (int k = 0; k < 1000; ++k) {
    const int number = random.between(-3, 3);
    REQUIRE(number >= -3);
    REQUIRE(number <= 3);
    ++seen[static_cast<std::size_t>(number + 3)];
  }
  for (const int count : seen) CHECK(count > 80);
  int hits = 0;
  for (int k = 0; k < 1000; ++k) hits += random.chance(30) ? 1 : 0;
  CHECK(hits > 240);
  CHECK(hits < 360);
  CHECK_FALSE(random.chance(0));
  CHECK(random.chance(100));
}

TEST_CASE("split makes positive parts of the sum", "[generate]") {
  Random random(1);
  for (std::int64_t total = 1; total < 12; ++total)
    for (std::size_t parts = 1; parts <= static_cast<std::size_t>(total);
         ++parts)
      for (int k = 0; k < 20; ++k) {
        const auto split = snug::benchmarks::split(total, parts, random);
        REQUIRE(split.size() == parts);
        std::int64_t sum = 0;
        for (const std::int64_t part : split) {
          REQUIRE(part >= 1);
          sum += part;
        }
        REQUIRE(sum == total);
      }
}

TEST_CASE("a guillotine cut fits by construction and has no slack",
          "[generate]") {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Random random(seed);
    const auto length = random.between(std::int64_t{1}, std::int64_t{40});
    const auto capacity = random.between(std::int64_t{1}, std::int64_t{40});
    const std::int64_t cells = length * capacity;
    // Now and then as many buffers as there are cells.
    const std::int64_t count =
        seed % 10 == 0 ? cells
                       : random.between(std::int64_t{1},
                                        (std::min)(cells, std::int64_t{300}));
    CAPTURE(seed, length, capacity, count);
    const auto cut = snug::benchmarks::guillotine<>(
        length, capacity, static_cast<std::size_t>(count), seed);
    CHECK(cut.problem.buffers.size() == static_cast<std::size_t>(count));
    CHECK(check(cut.problem).ok());
    CHECK(validate(cut.problem, capacity, cut.offsets).ok());
    for (std::int64_t time = 0; time < length; ++time)
      REQUIRE(load_at(cut.problem, time) == capacity);
    CHECK(load_at(cut.problem, -1) == 0);
    CHECK(load_at(cut.problem, length) == 0);
  }
}

TEST_CASE("large guillotine cuts do not overflow", "[generate]") {
  constexpr std::int64_t kLarge = std::int64_t{1} << 55;
  const auto cut = snug::benchmarks::guillotine<>(kLarge, kLarge, 60, 1);
  CHECK(cut.problem.buffers.size() == 60);
  CHECK(validate(cut.problem, kLarge, cut.offsets).ok());
  CHECK(load_of(cut.problem) == kLarge);

  const auto narrow = snug::benchmarks::guillotine<std::int32_t, std::int32_t>(
      1 << 20, 1 << 20, 500, 7);
  const auto wide = snug::benchmarks::guillotine<>(1 << 20, 1 << 20, 500, 7);
  CHECK(snug::write_csv(narrow.problem) == snug::write_csv(wide.problem));
  CHECK(validate(narrow.problem, 1 << 20, narrow.offsets).ok());
}

TEST_CASE("a tight walk is full at all times", "[generate]") {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    Random random(seed);
    snug::benchmarks::TightWalk walk;
    walk.units = random.between(4, 30);
    walk.unit = random.between(1, 5);
    walk.live = random.between(std::size_t{1}, std::size_t{4});
    walk.steps = random.between(1, 20);
    walk.most_changed = random.between(std::size_t{1}, std::size_t{3});
    CAPTURE(seed);
    const Problem<> problem = snug::benchmarks::tight_walk<>(walk, seed);
    CHECK(check(problem).ok());
    for (std::int64_t time = 0; time < walk.steps; ++time) {
      REQUIRE(load_at(problem, time) == walk.units * walk.unit);
      std::size_t starts = 0;
      std::size_t ends = 0;
      for (const Buffer<>& buffer : problem.buffers) {
        CHECK(buffer.size % walk.unit == 0);
        starts += buffer.lifespan.lower == time ? 1 : 0;
        ends += buffer.lifespan.upper == time ? 1 : 0;
      }
      if (time == 0) {
        CHECK(starts == walk.live);
        continue;
      }
      CHECK(starts >= 1);
      CHECK(starts <= walk.most_changed);
      CHECK(ends >= 1);
      CHECK(ends <= walk.most_changed);
    }
    CHECK(load_at(problem, walk.steps) == 0);
  }
}

TEST_CASE("exponential, nested and mixed are what they say", "[generate]") {
  const Problem<> exponential =
      snug::benchmarks::exponential<>(4000, 10000, 100, 50, 1);
  CHECK(check(exponential).ok());
  CHECK(exponential.buffers.size() == 4000);
  // Of those with room enough, half survive each half-life.
  std::vector<int> survived(4);
  int roomy = 0;
  for (const Buffer<>& buffer : exponential.buffers) {
    CHECK(buffer.lifespan.lower >= 0);
    CHECK(buffer.lifespan.upper <= 10000);
    CHECK(buffer.size >= 1);
    CHECK(buffer.size <= 50);
    if (buffer.lifespan.lower >= 9000) continue;
    ++roomy;
    const auto lived = buffer.lifespan.upper - buffer.lifespan.lower;
    for (std::size_t k = 0; k < survived.size(); ++k)
      if (lived > 100 * static_cast<std::int64_t>(k)) ++survived[k];
  }
  CHECK(survived[0] == roomy);
  for (std::size_t k = 1; k < survived.size(); ++k) {
    CHECK(survived[k] * 2 > survived[k - 1] * 85 / 100);
    CHECK(survived[k] * 2 < survived[k - 1] * 115 / 100);
  }

  const Problem<> nested = snug::benchmarks::nested<>(50, 9, 1);
  CHECK(check(nested).ok());
  REQUIRE(nested.buffers.size() == 50);
  for (std::size_t i = 1; i < 50; ++i)
    CHECK(nested.buffers[i - 1].lifespan.contains(nested.buffers[i].lifespan));

  const Problem<> mixed = snug::benchmarks::mixed<>(1000, 1000, 9, 1);
  CHECK(check(mixed).ok());
  CHECK(mixed.buffers.size() == 1000);
  int longer = 0;
  for (const Buffer<>& buffer : mixed.buffers) {
    const auto lived = buffer.lifespan.upper - buffer.lifespan.lower;
    CHECK((lived <= 20 || lived >= 250));
    longer += lived >= 250 ? 1 : 0;
  }
  CHECK(longer > 60);
  CHECK(longer < 140);
  CHECK(check(snug::benchmarks::mixed<>(20, 1, 9, 1)).ok());
}

TEST_CASE("generators depend on the seed and nothing else", "[generate]") {
  const auto all = [](std::uint64_t seed) {
    namespace make = snug::benchmarks;
    std::vector<std::string> texts;
    const Problem<> cut = make::guillotine<>(50, 50, 30, seed).problem;
    for (const Problem<>& problem :
         {cut, make::tight_walk<>({}, seed),
          make::exponential<>(20, 100, 10, 50, seed),
          make::nested<>(20, 50, seed), make::mixed<>(20, 100, 50, seed),
          make::shuffled(cut, seed), make::without(cut, 50, seed),
          make::rescaled(cut, 30, seed)})
      texts.push_back(snug::write_csv(problem));
    return texts;
  };
  CHECK(all(1) == all(1));
  const auto one = all(1);
  const auto two = all(2);
  for (std::size_t k = 0; k < one.size(); ++k) CHECK(one[k] != two[k]);
}

TEST_CASE("variants keep well-formed problems well formed", "[generate]") {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const Problem<> problem = rich(seed);
    REQUIRE(check(problem).ok());
    CHECK(check(snug::benchmarks::reversed(problem)).ok());
    CHECK(check(snug::benchmarks::shuffled(problem, seed)).ok());
    CHECK(check(snug::benchmarks::without(problem, 30, seed)).ok());
    CHECK(check(snug::benchmarks::clipped(problem, {5, 12})).ok());
    CHECK(check(snug::benchmarks::rescaled(problem, 100, seed)).ok());
  }
}

TEST_CASE("variants keep what buffers are to each other", "[generate]") {
  Problem<> problem;  // sizes tell who is who
  for (std::int64_t k = 1; k <= 8; ++k)
    problem.buffers.push_back({{k, k + 4}, k});
  problem.aliases = {{1, 0, 0}, {3, 2, 3}};
  problem.contiguous = {{2, 3}};
  problem.apart = {{4, 5}};
  problem.penalties = {{6, 7, 3}};
  problem.base = 16;
  const auto keeps = [](const Problem<>& variant, std::size_t aliases) {
    const auto size = [&](std::size_t i) { return variant.buffers[i].size; };
    REQUIRE(variant.apart.size() == 1);
    REQUIRE(variant.penalties.size() == 1);
    REQUIRE(variant.aliases.size() == aliases);
    for (const snug::Alias<>& alias : variant.aliases)
      CHECK((size(alias.buffer) + 1) / 2 == (size(alias.of) + 1) / 2);
    CHECK(size(variant.apart[0].first) + size(variant.apart[0].second) == 11);
    CHECK(size(variant.penalties[0].first) == 7);
    CHECK(size(variant.penalties[0].second) == 8);
    CHECK(variant.base == 16);
    CHECK(check(variant).ok());
  };
  keeps(problem, 2);
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    keeps(snug::benchmarks::shuffled(problem, seed), 2);
    CHECK(check(snug::benchmarks::without(problem, 40, seed)).ok());
    CHECK(check(snug::benchmarks::rescaled(problem, 100, seed)).ok());
  }
  keeps(snug::benchmarks::reversed(problem), 2);
  keeps(snug::benchmarks::without(problem, 0, 1), 2);
  keeps(snug::benchmarks::clipped(problem, {2, 30}), 2);
  keeps(snug::benchmarks::clipped(problem, {6, 30}), 1);
}

TEST_CASE("reversed twice is the problem", "[generate]") {
  const Problem<> problem = rich(3);
  const Problem<> once = snug::benchmarks::reversed(problem);
  CHECK(snug::write_csv(once) != snug::write_csv(problem));
  CHECK(snug::write_csv(snug::benchmarks::reversed(once)) ==
        snug::write_csv(problem));
  CHECK(snug::benchmarks::duration(once) ==
        snug::benchmarks::duration(problem));
  for (std::size_t i = 0; i < problem.buffers.size(); ++i)
    CHECK(once.buffers[i].lifespan.upper - once.buffers[i].lifespan.lower ==
          problem.buffers[i].lifespan.upper -
              problem.buffers[i].lifespan.lower);
  CHECK(snug::benchmarks::reversed(Problem<>{}).buffers.empty());
}

TEST_CASE("shuffled has the same rows", "[generate]") {
  const Problem<> problem = rich(4);
  const Problem<> shuffled = snug::benchmarks::shuffled(problem, 1);
  CHECK(rows(shuffled) == rows(problem));
  CHECK(snug::write_csv(shuffled) != snug::write_csv(problem));
}

TEST_CASE("without leaves out about that part", "[generate]") {
  const Problem<> problem =
      snug::benchmarks::guillotine<>(1000, 1000, 2000, 1).problem;
  CHECK(snug::benchmarks::without(problem, 0, 1).buffers.size() == 2000);
  CHECK(snug::benchmarks::without(problem, 100, 1).buffers.empty());
  const Problem<> most = snug::benchmarks::without(problem, 4, 1);
  CHECK(most.buffers.size() > 1880);
  CHECK(most.buffers.size() < 1960);
  const auto all = rows(problem);
  const auto kept = rows(most);
  CHECK(std::includes(all.begin(), all.end(), kept.begin(), kept.end()));
}

TEST_CASE("clipped is the problem seen through a window", "[generate]") {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const Problem<> problem = rich(seed);
    const Interval<std::int64_t> window{4, 13};
    const Problem<> clipped = snug::benchmarks::clipped(problem, window);
    for (std::int64_t time = -1; time < 22; ++time)
      CHECK(load_at(clipped, time) ==
            (window.lower <= time && time < window.upper
                 ? load_at(problem, time)
                 : 0));
    for (const Buffer<>& buffer : clipped.buffers)
      CHECK(window.contains(buffer.lifespan));
  }
  CHECK(snug::benchmarks::clipped(rich(1), {100, 200}).buffers.empty());
}

TEST_CASE("rescaled sizes stay within the percentage", "[generate]") {
  const Problem<> problem =
      snug::benchmarks::guillotine<>(100, 1 << 20, 400, 1).problem;
  const Problem<> rescaled = snug::benchmarks::rescaled(problem, 30, 1);
  REQUIRE(rescaled.buffers.size() == problem.buffers.size());
  std::size_t smaller = 0;
  for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
    const std::int64_t size = problem.buffers[i].size;
    CHECK(rescaled.buffers[i].size >= size * 7 / 10);
    CHECK(rescaled.buffers[i].size <= size * 13 / 10 + 1);
    CHECK(rescaled.buffers[i].lifespan == problem.buffers[i].lifespan);
    if (rescaled.buffers[i].size < size) ++smaller;
  }
  CHECK(smaller > 140);
  CHECK(smaller < 260);
  CHECK(snug::write_csv(snug::benchmarks::rescaled(problem, 0, 1)) ==
        snug::write_csv(problem));

  Problem<> huge;
  huge.buffers.push_back(
      {{0, 1}, (std::numeric_limits<std::int64_t>::max)() / 3});
  const Problem<> scaled = snug::benchmarks::rescaled(huge, 100, 1);
  CHECK(scaled.buffers[0].size >= 0);
  CHECK(scaled.buffers[0].size <= huge.buffers[0].size / 1000 * 2000 + 2000);
}

TEST_CASE("a small cut is no lower than its capacity", "[generate]") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto cut = snug::benchmarks::guillotine<>(6, 8, 8, seed);
    Exhaustive<std::int64_t, std::int64_t> oracle(cut.problem);
    CHECK(oracle.lowest() == 8);
  }
}

}  // namespace generate_test
