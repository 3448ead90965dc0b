// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/normal/parts.hpp"

#include "generate.hpp"
#include "snug/model/check.hpp"
#include "snug/normal/presolve.hpp"
#include "snug/solve.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/generators.hpp"
#include "support/lists.hpp"
#include "support/pairwise.hpp"
#include "support/plain.hpp"
#include "support/same_placements.hpp"
#include "support/solved.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace parts_test {

using namespace snug::testing;
using snug::End;
using snug::Options;
using snug::Problem;
using snug::detail::Flat;
using snug::detail::List;
using snug::detail::Parts;

namespace {

/// A large buffer and two others that may be parts of it, and one beside them; nearly
/// all that could keep them from it does.
[[nodiscard]] Problem<> draw(std::uint64_t seed) {
  Random random(seed);
  Problem<> problem;
  for (int i = 0; i < 4; ++i) {
    const std::int64_t lower = random.between(0, 3);
    problem.buffers.push_back(
        {{lower, lower + random.between(1, 2)}, random.between(0, 2)});
    auto& buffer = problem.buffers.back();
    if (random.chance(30)) buffer.alignment = random.between(1, 3);
    if (random.chance(20)) buffer.end = End::kBottom;
    if (random.chance(20)) buffer.end = End::kTop;
    if (random.chance(7)) buffer.gaps = {{buffer.lifespan, {}}};
    if (random.chance(5)) buffer.offset = random.between(0, 3);
  }
  // Not always the root, nor the lowest one.
  const auto whole = random.between(std::size_t{0}, std::size_t{2});
  problem.buffers[whole].lifespan = {0, random.between(3, 5)};
  problem.buffers[whole].size = random.between(2, 4);
  if (random.chance(50)) problem.buffers[whole].alignment = 2;
  for (std::size_t i = 0; i < 3; ++i)
    if (i != whole && random.chance(85)) {
      problem.aliases.push_back({i, whole, random.between(-1, 3)});
      // Live as long as another one, they may be side by side.
      const auto other = random.between(std::size_t{0}, std::size_t{2});
      if (random.chance(40))
        problem.buffers[i].lifespan = problem.buffers[other].lifespan;
      // Or when hardly anybody is.
      if (i != whole && random.chance(20)) {
        problem.buffers[i].lifespan.lower += 6;
        problem.buffers[i].lifespan.upper += 6;
      }
    }
  for (std::size_t i = 0; i < 4; ++i) {
    const auto other = (i + random.between(std::size_t{1}, std::size_t{3})) % 4;
    if (random.chance(8)) problem.apart.push_back({i, other});
    if (random.chance(5)) problem.may_overlap.push_back({i, other});
  }
  if (random.chance(15)) problem.reserved = {{{1, 2}, {{2, 4}}}};
  if (random.chance(15)) problem.reserved.push_back({{1, 2}, {{7, 8}}});
  if (random.chance(10)) problem.buffers[3].lifespan = {6, 8};
  return problem;
}

}  // namespace

TEST_CASE("parts: a view leaves a plain problem") {
  Problem<> problem;
  problem.buffers = {{{1, 2}, 2}, {{0, 4}, 6}, {{2, 5}, 3}, {{3, 7}, 0}};
  problem.aliases = {{0, 1, 4}, {3, 1, 6}};
  Flat flat = snug::detail::flatten(problem);
  const Parts parts(flat);
  REQUIRE(!parts.empty());
  std::int64_t ceiling = 100;
  ceiling = snug::detail::presolve(flat, ceiling);
  CHECK(snug::detail::plain_ground(flat));
  List<std::int64_t> offsets = {0, 3, 0, 0};
  parts.put(offsets);
  CHECK(offsets == List<std::int64_t>{7, 3, 0, 9});
  List<std::int64_t> nowhere;
  parts.put(nowhere);
  CHECK(nowhere.empty());
}

TEST_CASE("parts: side by side, they leave a plain problem") {
  Problem<> problem;
  problem.buffers = {{{0, 4}, 6}, {{0, 4}, 2}, {{2, 5}, 3}, {{0, 4}, 1}};
  problem.contiguous = {{0, 3, 1}};
  Flat flat = snug::detail::flatten(problem);
  const Parts parts(flat);
  REQUIRE(!parts.empty());
  CHECK(flat.buffers[0].size == 9);
  std::int64_t ceiling = 100;
  ceiling = snug::detail::presolve(flat, ceiling);
  CHECK(snug::detail::plain_ground(flat));
  List<std::int64_t> offsets = {3, 0, 0, 0};
  parts.put(offsets);
  CHECK(vector_of(offsets) == std::vector<std::int64_t>{3, 10, 0, 9});
  // One that is live for longer is no part, and keeps the others apart.
  problem.buffers[3].lifespan.upper = 5;
  flat = snug::detail::flatten(problem);
  CHECK(Parts(flat).empty());
}

TEST_CASE("parts: what keeps buffers from being parts") {
  const auto is_kept = [](auto&& change) {
    Problem<> problem;
    problem.buffers = {{{1, 2}, 2}, {{0, 4}, 6}, {{2, 5}, 3}};
    problem.aliases = {{0, 1, 4}};
    change(problem);
    REQUIRE(snug::check(problem).ok());
    Flat flat = snug::detail::flatten(problem);
    return Parts(flat).empty();
  };
  CHECK_FALSE(is_kept([](auto&) {}));
  CHECK(is_kept([](auto& p) { p.aliases = {}; }));
  CHECK_FALSE(is_kept([](auto& p) { p.buffers[0].lifespan = {9, 12}; }));
  CHECK(is_kept([](auto& p) {
    p.buffers[0].lifespan = {9, 12};
    p.buffers[2].lifespan = {8, 10};
  }));
  CHECK(is_kept([](auto& p) {
    p.buffers[0].lifespan = {9, 12};
    p.buffers[2].lifespan = {11, 13};
  }));
  CHECK(is_kept([](auto& p) {
    p.buffers[0].lifespan = {9, 12};
    p.reserved = {{{0, 1}, {{11, 13}}}};
  }));
  CHECK_FALSE(is_kept([](auto& p) {
    p.buffers[0].lifespan = {9, 12};
    p.buffers[2].lifespan = {12, 13};
    p.reserved = {{{0, 1}, {}}, {{0, 1}, {{5, 9}}}};
  }));
  CHECK(is_kept([](auto& p) { p.aliases[0].delta = 5; }));
  CHECK(is_kept([](auto& p) { p.aliases[0].delta = -1; }));
  CHECK(is_kept([](auto& p) { p.buffers[0].lifespan.upper = 5; }));
  CHECK(is_kept([](auto& p) {
    p.buffers[0].lifespan = {1, 3};
    p.buffers[1].lifespan.lower = 2;
  }));
  CHECK(is_kept([](auto& p) { p.buffers[0].alignment = 2; }));
  CHECK(is_kept([](auto& p) { p.buffers[0].end = End::kTop; }));
  CHECK(is_kept([](auto& p) { p.buffers[1].gaps = {{{0, 1}, {}}}; }));
  CHECK(is_kept([](auto& p) { p.buffers[0].gaps = {{{1, 2}, {}}}; }));
  CHECK(is_kept([](auto& p) { p.may_overlap = {{1, 2}}; }));
  CHECK(is_kept([](auto& p) { p.apart = {{0, 2}}; }));
  CHECK_FALSE(is_kept([](auto& p) { p.apart = {{1, 2}}; }));
  CHECK_FALSE(is_kept([](auto& p) {
    p.buffers[0].alignment = 2;
    p.buffers[1].alignment = 6;
  }));
}

TEST_CASE("parts: the placements are the same") {
  constexpr std::int64_t kCapacity = 5;
  std::size_t cases = 0;
  std::size_t with_bytes = 0;
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(8000); ++seed) {
    const Problem<> problem = draw(seed);
    if (!snug::check(problem).ok()) continue;
    Flat flat = snug::detail::flatten(problem);
    const Parts parts(flat);
    if (parts.empty()) continue;
    ++cases;
    std::vector<bool> is_part;
    for (std::size_t i = 0; i < 4; ++i) {
      List<std::int64_t> far(4, 0);
      far[i] = 1000;
      parts.put(far);
      is_part.push_back(far[i] != 1000);
      with_bytes += is_part[i] && problem.buffers[i].size > 0 ? 1U : 0U;
    }
    CAPTURE(seed);
    require_same_placements(
        problem, std::move(flat), kCapacity,
        [&](const std::vector<std::int64_t>& offsets, auto& of_less) {
          List<std::int64_t> put = list_of(offsets);
          parts.put(put);
          for (std::size_t i = 0; i < 4; ++i)
            if (!is_part[i]) of_less[i] = offsets[i];
          return vector_of(put) == offsets;
        });
  }
  CHECK(cases > effort<std::size_t>(1000));
  CHECK(with_bytes > effort<std::size_t>(1000));
}

TEST_CASE("parts: views take no longer, whatever is beside them") {
  std::int64_t nodes = 0;
  std::int64_t with_views = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    CAPTURE(seed);
    Problem<> problem =
        snug::benchmarks::guillotine<>(100, 1000, 80, seed).problem;
    Options options;
    options.node_limit = 20'000;
    nodes += snug::solve(problem, 1000, options).stats.nodes;
    const auto n = problem.buffers.size();
    for (std::size_t i = 0; i < n; i += 3) {
      auto view = problem.buffers[i];
      view.size /= 2;
      problem.aliases.push_back({problem.buffers.size(), i, view.size / 2});
      problem.buffers.push_back(view);
    }
    problem.buffers.push_back({{500, 600}, 0});
    problem.aliases.push_back({problem.buffers.size() - 1, 0, 1});
    const auto result = snug::solve(problem, 1000, options);
    with_views += result.stats.nodes;
    if (result.has_solution())
      CHECK(validate_pairwise(problem, 1000, result.offsets).ok());
  }
  CHECK(with_views == nodes);
}

}  // namespace parts_test
