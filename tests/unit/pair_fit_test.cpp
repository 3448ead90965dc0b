// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/heuristics/pair_fit.hpp"

#include "snug/minimize.hpp"
#include "snug/model/options.hpp"
#include "snug/validate.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/lists.hpp"
#include "support/obstructed.hpp"
#include "support/pairwise.hpp"
#include "support/plain.hpp"
#include "support/random.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace pair_fit_test {

using namespace snug::testing;
using snug::Problem;
using snug::detail::Interrupt;
using snug::detail::List;
using snug::detail::PairFit;
using snug::detail::Plain;

namespace {

const auto never = [] { return false; };

/// Some alignments, pairs kept apart, fixed buffers and reserved ranges.
Problem<> draw(std::uint64_t seed) {
  Random random(seed);
  Problem<> problem;
  const auto count = random.between(std::size_t{2}, std::size_t{14});
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t begin = random.between(0, 9);
    snug::Buffer<> buffer{{begin, begin + random.between(1, 5)},
                          random.between(1, 9)};
    if (random.chance(30)) buffer.alignment = random.between(1, 4);
    problem.buffers.push_back(buffer);
  }
  for (int k = random.between(0, 4); k > 0; --k) {
    const std::size_t a = random.between(std::size_t{0}, count - 1);
    const std::size_t b = random.between(std::size_t{0}, count - 1);
    if (a != b) problem.apart.push_back({a, b});
  }
  if (random.chance(40)) problem.buffers[0].offset = 4 * random.between(0, 5);
  if (random.chance(40)) {
    snug::Reserved<> range;
    range.bytes = {10, 10 + random.between(1, 5)};
    range.lifespan = {3, 6};
    problem.reserved.push_back(range);
  }
  return problem;
}

/// What lies alone at an offset, or beside those that are placed.
bool may_be_at(const Problem<>& problem, const std::vector<std::size_t>& placed,
               const std::vector<std::int64_t>& offsets) {
  Problem<> part;
  std::vector<std::int64_t> at;
  std::vector<std::size_t> place(problem.buffers.size(), placed.size());
  for (const std::size_t i : placed) {
    place[i] = at.size();
    part.buffers.push_back(problem.buffers[i]);
    at.push_back(offsets[i]);
  }
  part.reserved = problem.reserved;
  for (const auto& [a, b] : problem.apart)
    if (place[a] < placed.size() && place[b] < placed.size())
      part.apart.push_back({place[a], place[b]});
  return snug::validate(part, height_of(part, at), at).ok();
}

/// First fit, the largest first, by its definition.
std::vector<std::int64_t> naive_first_fit(const Problem<>& problem) {
  std::vector<std::size_t> order(problem.buffers.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) {
                     return problem.buffers[a].size > problem.buffers[b].size;
                   });
  std::vector<std::int64_t> offsets(problem.buffers.size(), 0);
  std::vector<std::size_t> placed;
  for (const bool is_fixed : {true, false})
    for (const std::size_t i : order) {
      if (problem.buffers[i].offset.has_value() != is_fixed) continue;
      placed.push_back(i);
      if (is_fixed) {
        offsets[i] = *problem.buffers[i].offset;
        continue;
      }
      while (!may_be_at(problem, placed, offsets)) ++offsets[i];
    }
  return offsets;
}

/// A clique of `count` buffers of one byte, and a later one, kept apart or not.
Problem<> clique(std::size_t count, bool has_pair) {
  Problem<> problem;
  for (std::size_t i = 0; i < count; ++i)
    problem.buffers.push_back({{0, 1}, 1});
  problem.buffers.push_back({{1, 2}, 1});
  if (has_pair) problem.apart.push_back({0, count});
  return problem;
}

/// Gives up when it is asked for the n-th time.
constexpr std::int64_t kAny = snug::detail::kMaxTotal;

struct Impatient {
  int left;
  [[nodiscard]] bool operator()() { return --left <= 0; }
};

}  // namespace

TEST_CASE("pair fit: by size first, the first fit of its definition") {
  std::size_t compared = 0;
  for (std::uint64_t seed = 0; seed < effort(1500U); ++seed) {
    CAPTURE(seed);
    const Problem<> problem = draw(seed);
    if (!snug::check(problem).ok()) continue;
    const Plain plain = obstructed_of(problem);
    List<std::int64_t> list;
    PairFit first(plain);
    REQUIRE(first.run(
        0, kAny, {}, [] { return true; }, list));
    std::vector<std::int64_t> offsets = naive_first_fit(problem);
    std::vector<std::int64_t> found = vector_of(list);
    // The plain problem leaves the fixed one to its obstacles.
    if (problem.buffers[0].offset) found[0] = *problem.buffers[0].offset;
    CHECK(found == offsets);
    ++compared;

    PairFit fit(plain);
    REQUIRE(fit.run(0, kAny, {}, never, list));
    std::vector<std::int64_t> best = vector_of(list);
    if (problem.buffers[0].offset) best[0] = *problem.buffers[0].offset;
    const std::int64_t height = height_of(problem, best);
    CHECK(snug::validate(problem, height, best).ok());
    CHECK(height <= height_of(problem, offsets));

    // What is fixed is no matter of it.
    const std::int64_t top = snug::detail::height_of(plain.buffers, list);
    List<std::int64_t> again;
    REQUIRE(PairFit(plain).run(0, top, {}, never, again));
    CHECK(again == list);
    CHECK_FALSE(PairFit(plain).run(0, top - 1, {}, never, again));
  }
  CHECK(compared > effort(1000U));
}

TEST_CASE("pair fit: the first order that reaches the target is the last one") {
  const Plain plain = obstructed_of(clique(5, true));
  PairFit fit(plain);
  List<std::int64_t> offsets;
  int asked = 0;
  const auto stop = [&] {
    ++asked;
    return false;
  };
  REQUIRE(fit.run(5, kAny, {}, stop, offsets));
  CHECK(asked == 0);
  REQUIRE(fit.run(4, kAny, {}, stop, offsets));
  CHECK(asked == 2);
}

TEST_CASE("pair fit: interrupted where there are many, with what it has") {
  // Some 2.2 million steps an order, with two questions whether to go on.
  const Plain plain = plain_of(clique(2100, false));
  List<std::int64_t> offsets;
  const auto run = [&](int patience, std::int64_t target) {
    Impatient impatient{patience};
    PairFit fit(plain);
    return fit.run(target, kAny, Interrupt(impatient), never, offsets);
  };
  CHECK_FALSE(run(1, 2100));
  CHECK_FALSE(run(2, 2100));
  CHECK(run(3, 2100));
  REQUIRE(run(4, 0));
  CHECK(snug::detail::height_of(plain.buffers, offsets) == 2100);

  Impatient impatient{1};
  const Plain small = plain_of(clique(1000, false));
  PairFit fit(small);
  CHECK(fit.run(1000, kAny, Interrupt(impatient), never, offsets));
}

TEST_CASE("pair fit: late, there is a placement of some hundred buffers") {
  snug::Options late;
  late.time_limit = std::chrono::nanoseconds(1);
  for (const std::size_t count : {100U, 400U, 1000U}) {
    CAPTURE(count);
    // The pair is in the way of a height as low as the load.
    Problem<> problem = clique(count, true);
    problem.buffers.back().size = static_cast<std::int64_t>(count);
    const snug::Result<> result = snug::minimize(problem, late);
    REQUIRE(result.has_solution());
    CHECK(snug::validate(problem, result.height, result.offsets).ok());
  }
}

TEST_CASE("pair fit: the lowest offset that is allowed, by the definition") {
  Random random(3);
  for (int k = 0; k < 200; ++k) {
    Plain plain;
    plain.buffers.push_back({{0, 1}, 1, random.between(1, 4)});
    std::int64_t end = random.between(-1, 3);
    for (int n = random.between(1, 6); n > 0; --n) {
      const std::int64_t from = end;
      end += random.between(1, 6);
      plain.barred.push_back({from, end});
      end += random.between(0, 3);
    }
    plain.barred.end_row();
    for (std::int64_t address = 0; address < end + 3; ++address) {
      const auto is_barred = [&](std::int64_t at) {
        return std::any_of(plain.barred.all().begin(), plain.barred.all().end(),
                           [&](const snug::detail::Barred& barred) {
                             return barred.lower < at && at < barred.upper;
                           });
      };
      std::int64_t expected = address;
      while (expected % plain.buffers[0].alignment != 0 || is_barred(expected))
        ++expected;
      CHECK(snug::detail::lowest_allowed(plain, 0, address) == expected);
    }
  }
}

TEST_CASE("pair fit: to look above many barred stretches takes log n time") {
  using Clock = std::chrono::steady_clock;
  constexpr std::int64_t kStretches = 100000;
  Plain plain;
  plain.buffers.push_back({{0, 1}, 1, 1});
  for (std::int64_t k = 0; k < kStretches; ++k)
    plain.barred.push_back({4 * k, 4 * k + 2});
  plain.barred.end_row();
  const Clock::time_point start = Clock::now();
  std::int64_t above = 0;
  for (std::int64_t k = 0; k < 2 * kStretches; ++k)
    above += snug::detail::lowest_allowed(plain, 0, 2 * k + 1) - 2 * k;
  // Every other address is barred, and the next one is not.
  CHECK(above == 3 * kStretches);
  // A look at all of them, each time, takes many seconds.
  CHECK(std::chrono::duration<double>(Clock::now() - start).count() < 2.0);
}

namespace {

/// The height of first fit, the largest first, by a look at all placed ones.
std::int64_t first_fit_height(const Problem<>& problem) {
  const std::size_t count = problem.buffers.size();
  std::vector<std::vector<bool>> meets(count, std::vector<bool>(count, false));
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < count; ++j)
      meets[i][j] =
          problem.buffers[i].lifespan.overlaps(problem.buffers[j].lifespan);
  for (const auto& pair : problem.apart)
    meets[pair.first][pair.second] = meets[pair.second][pair.first] = true;
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) {
                     return problem.buffers[a].size > problem.buffers[b].size;
                   });
  std::vector<std::int64_t> offsets(count, 0);
  std::vector<std::size_t> placed;  // by offset
  std::int64_t height = 0;
  for (const std::size_t i : order) {
    const std::int64_t size = problem.buffers[i].size;
    std::int64_t at = 0;
    for (const std::size_t j : placed)
      if (meets[i][j] && offsets[j] < at + size)
        at = std::max(at, offsets[j] + problem.buffers[j].size);
    offsets[i] = at;
    height = std::max(height, at + size);
    const auto is_lower = [&](std::size_t a, std::size_t b) {
      return offsets[a] < offsets[b];
    };
    placed.insert(std::upper_bound(placed.begin(), placed.end(), i, is_lower),
                  i);
  }
  return height;
}

}  // namespace

TEST_CASE("pair fit: of many buffers with many pairs", "[pairs]") {
  std::size_t cases = 0;
  for (const int percent : {10, 50, 100}) {
    if (!is_due(cases++)) continue;
    CAPTURE(percent);
    Random random(static_cast<std::uint64_t>(percent));
    Problem<> problem;
    constexpr int kCount = 1200;
    std::int64_t sum = 0;
    for (int i = 0; i < kCount; ++i) {
      const std::int64_t begin = random.between(0, kCount);
      problem.buffers.push_back(
          {{begin, begin + random.between(1, 10)}, random.between(1, 4999)});
      sum += problem.buffers.back().size;
    }
    for (std::size_t i = 0; i < kCount; ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (random.chance(percent)) problem.apart.push_back({i, j});
    snug::Options options;
    options.node_limit = 100;
    const auto result = snug::minimize(problem, options);
    REQUIRE(result.has_solution());
    CHECK(snug::validate(problem, result.height, result.offsets).ok());
    CHECK(result.height <= first_fit_height(problem));
    if (percent == 100) {
      CHECK(result.status == snug::Status::kOptimal);
      CHECK(result.height == sum);
    }
  }
}

}  // namespace pair_fit_test
