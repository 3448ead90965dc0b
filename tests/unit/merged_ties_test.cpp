// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/normal/merged_ties.hpp"

#include "snug/minimize.hpp"
#include "snug/model/check.hpp"
#include "snug/normal/presolve.hpp"
#include "snug/solve.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/exhaustive.hpp"
#include "support/generators.hpp"
#include "support/pairwise.hpp"
#include "support/plain.hpp"
#include "support/same_placements.hpp"
#include "support/solved.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace merged_ties_test {

using namespace snug::testing;
using snug::End;
using snug::Options;
using snug::Problem;
using snug::detail::Flat;
using snug::detail::Index;
using snug::detail::List;

namespace {

[[nodiscard]] List<Index> merged(const Problem<>& problem) {
  Flat flat = snug::detail::flatten(problem);
  return snug::detail::merge_ties(flat);
}

/// Three buffers tied one after the other, and one beside them.
[[nodiscard]] Problem<> chain() {
  Problem<> problem;
  problem.buffers = {{{4, 6}, 3}, {{0, 2}, 3}, {{2, 4}, 3}, {{1, 5}, 2}};
  problem.aliases = {{1, 0, 0}, {2, 0, 0}};
  return problem;
}

/// Four buffers, three or four of them tied; nearly all that could be one is, and
/// nearly all that could keep them from it does.
[[nodiscard]] Problem<> draw(std::uint64_t seed) {
  Random random(seed);
  Problem<> problem;
  for (int i = 0; i < 4; ++i) {
    const std::int64_t lower = random.between(0, 4);
    problem.buffers.push_back({{lower, lower + random.between(1, 2)},
                               random.chance(70) ? 2 : random.between(0, 3)});
    auto& buffer = problem.buffers.back();
    if (random.chance(30)) buffer.alignment = random.between(1, 4);
    if (random.chance(20)) buffer.end = End::kBottom;
    if (random.chance(20)) buffer.end = End::kTop;
    if (random.chance(10)) buffer.gaps = {{buffer.lifespan, {}}};
    if (random.chance(5)) buffer.offset = random.between(0, 4);
  }
  const auto other = [&](std::size_t i) {
    return (i + random.between(std::size_t{1}, std::size_t{3})) % 4;
  };
  for (std::size_t i = 1; i < 4; ++i)
    if (random.chance(80))
      problem.aliases.push_back(
          {i, 0, random.chance(70) ? 0 : random.between(0, 2)});
  for (std::size_t i = 0; i < 4; ++i) {
    if (random.chance(15)) problem.apart.push_back({i, other(i)});
    if (random.chance(8)) problem.may_overlap.push_back({i, other(i)});
  }
  if (random.chance(15)) problem.reserved = {{{1, 3}, {{2, 4}}}};
  return problem;
}

}  // namespace

TEST_CASE("merged ties: a chain is one buffer") {
  Flat flat = snug::detail::flatten(chain());
  const List<Index> into = snug::detail::merge_ties(flat);
  CHECK(into == List<Index>{0, 0, 0, 3});
  CHECK(flat.buffers[0].lifespan.lower == 0);
  CHECK(flat.buffers[0].lifespan.upper == 6);
  CHECK(flat.buffers[1].size == 0);
  CHECK(flat.buffers[2].size == 0);
  std::int64_t ceiling = 100;
  ceiling = snug::detail::presolve(flat, ceiling);
  CHECK(snug::detail::plain_ground(flat));
}

TEST_CASE("merged ties: what keeps buffers from being one") {
  const auto kept = [](auto&& change) {
    Problem<> problem = chain();
    problem.buffers.erase(problem.buffers.begin());
    problem.aliases = {{1, 0, 0}};
    CHECK(merged(problem) == List<Index>{0, 0, 2});
    change(problem);
    REQUIRE(snug::check(problem).ok());
    return merged(problem).empty();
  };
  CHECK(kept([](auto& p) { p.aliases = {}; }));
  CHECK(kept([](auto& p) { p.aliases[0].delta = 1; }));
  CHECK(kept([](auto& p) { p.buffers[0].size = 4; }));
  CHECK(kept([](auto& p) { p.buffers[0].lifespan.upper = 1; }));
  CHECK(kept([](auto& p) { p.buffers[0].end = End::kTop; }));
  CHECK(kept([](auto& p) { p.buffers[0].gaps = {{{0, 1}, {}}}; }));
  CHECK(kept([](auto& p) { p.may_overlap = {{0, 2}}; }));
  CHECK(kept([](auto& p) {
    p.buffers[0].alignment = 2;
    p.buffers[1].alignment = 3;
  }));
  CHECK_FALSE(kept([](auto& p) {
    p.buffers[0].alignment = 2;
    p.buffers[1].alignment = 6;
  }));
}

TEST_CASE("merged ties: the placements are the same") {
  constexpr std::int64_t kCapacity = 5;
  std::size_t cases = 0;
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(8000); ++seed) {
    const Problem<> problem = draw(seed);
    if (!snug::check(problem).ok()) continue;
    Flat flat = snug::detail::flatten(problem);
    const List<Index> into = snug::detail::merge_ties(flat);
    if (into.empty()) continue;
    ++cases;
    CAPTURE(seed);
    require_same_placements(
        problem, std::move(flat), kCapacity,
        [&](const std::vector<std::int64_t>& offsets, auto& of_less) {
          bool agree = true;
          for (std::size_t i = 0; i < 4; ++i) {
            agree = agree && offsets[i] == offsets[into[i]];
            if (into[i] == i) of_less[i] = offsets[i];
          }
          return agree;
        });
  }
  CHECK(cases > effort<std::size_t>(1000));
}

TEST_CASE("merged ties: a placement of boxes is one of the whole") {
  constexpr std::int64_t kCapacity = 5;
  std::size_t cases = 0;
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(8000); ++seed) {
    Problem<> problem = draw(seed);
    for (auto& alias : problem.aliases) alias.delta = seed % 3 == 0 ? 1 : 0;
    if (!snug::check(problem).ok()) continue;
    Flat flat = snug::detail::flatten(problem);
    (void)snug::detail::tighten(flat);
    const List<Index> into =
        snug::detail::merge_ties(flat, snug::detail::Merge::kBoxes);
    if (into.empty()) continue;
    std::int64_t ceiling = kCapacity;
    ceiling = snug::detail::presolve(flat, ceiling);
    const Problem<> boxes = unflatten(flat);
    CAPTURE(seed);
    REQUIRE(snug::check(boxes).ok());
    Exhaustive<std::int64_t, std::int64_t> oracle(boxes);
    const auto placed = oracle.place(ceiling);
    if (!placed) continue;
    ++cases;
    List<std::int64_t> offsets;
    for (const std::int64_t offset : *placed) offsets.push_back(offset);
    snug::detail::spread(into, offsets);
    const std::vector<std::int64_t> all(offsets.begin(), offsets.end());
    CHECK(validate_pairwise(problem, kCapacity, all).ok());
  }
  CHECK(cases > effort<std::size_t>(1000));
}

TEST_CASE("merged ties: results that are smaller take no longer") {
  // Buffers of a tight problem shrink in the middle of their lives.
  std::size_t ties = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    CAPTURE(seed);
    const auto cut = snug::benchmarks::guillotine<>(100, 1000, 80, seed);
    Problem<> problem = cut.problem;
    const auto n = problem.buffers.size();
    for (std::size_t i = 0; i < n; i += 3) {
      auto& first = problem.buffers[i];
      if (first.lifespan.upper - first.lifespan.lower < 2) continue;
      auto second = first;
      second.lifespan.lower = first.lifespan.lower + 1;
      first.lifespan.upper = second.lifespan.lower;
      second.size = (first.size + 1) / 2;
      problem.aliases.push_back({problem.buffers.size(), i, 0});
      problem.buffers.push_back(second);
      ++ties;
    }
    Options options;
    options.node_limit = 5000;
    const auto whole = snug::solve(cut.problem, 1000, options);
    const auto tied = snug::solve(problem, 1000, options);
    CHECK(tied.has_solution() == whole.has_solution());
    if (tied.has_solution())
      CHECK(validate_pairwise(problem, 1000, tied.offsets).ok());
    CHECK(snug::minimize(problem, options).height <= 1100);
  }
  CHECK(ties > 100);
}

}  // namespace merged_ties_test
