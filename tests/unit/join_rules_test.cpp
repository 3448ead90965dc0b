// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/joins/join_rules.hpp"

#include "constrain.hpp"
#include "generate.hpp"
#include "snug/joins/joined_flat.hpp"
#include "snug/minimize.hpp"
#include "snug/model/options.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/result.hpp"
#include "snug/solve.hpp"
#include "snug/validate.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/lists.hpp"
#include "support/plain.hpp"
#include "support/random.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace join_rules_test {

namespace {

using namespace snug::testing;
using snug::End;
using snug::Options;
using snug::Problem;
using snug::detail::Flat;
using snug::detail::Interrupt;
using snug::detail::JoinedFlat;
using snug::detail::Nearness;

constexpr std::int64_t kCapacity = 12;

/// How many are left of the buffers, and what they are asked for.
Flat join(const Problem<>& problem) {
  const Flat flat = snug::detail::flatten(problem);
  return JoinedFlat(flat, kCapacity, Interrupt()).flat();
}

/// Halves, and who takes their place; somebody is there all the time.
Problem<> halves() {
  Problem<> problem;
  problem.buffers = {{{0, 4}, 3}, {{0, 4}, 2}, {{4, 9}, 5}, {{0, 9}, 1}};
  return problem;
}

/// One after the other, twice, beside somebody who is there all the time.
Problem<> chain() {
  Problem<> problem;
  problem.buffers = {{{0, 3}, 4}, {{3, 6}, 4}, {{6, 9}, 4}, {{0, 9}, 1}};
  return problem;
}

}  // namespace

TEST_CASE("join rules: who shares the offset of a fixed buffer is fixed",
          "[joins]") {
  Problem<> problem = halves();
  CHECK(join(problem).buffers.size() == 2);
  problem.buffers[2].offset = 4;
  Flat flat = join(problem);
  REQUIRE(flat.buffers.size() == 2);
  CHECK(flat.fixed == snug::detail::List<std::int64_t>{4, Flat::kNone});
  CHECK(flat.buffers[0].size == 5);

  problem = chain();
  problem.buffers[1].offset = 2;
  flat = join(problem);
  REQUIRE(flat.buffers.size() == 2);
  CHECK(flat.fixed == snug::detail::List<std::int64_t>{2, Flat::kNone});
  problem.buffers[2].offset = 2;
  CHECK(join(problem).buffers.size() == 2);
  problem.buffers[2].offset = 3;
  CHECK(join(problem).buffers.size() == 3);
}

TEST_CASE("join rules: a stack with fixed members has one begin", "[joins]") {
  // The other one is above the fixed one or below it.
  Problem<> problem = halves();
  problem.buffers[0].offset = 4;
  CHECK(join(problem).buffers.size() == 4);

  // There is no room below, above, beside another one, or at such an offset.
  const auto begin = [&] {
    const Flat flat = join(problem);
    const std::size_t fixed = problem.reserved.size() - flat.reserved.size();
    const bool is_one =
        flat.buffers.size() + 2 == problem.buffers.size() + fixed;
    return is_one ? flat.fixed[0] : Flat::kNone;
  };
  problem.buffers[0].offset = 1;
  CHECK(begin() == 1);
  problem.buffers[0].offset = 9;
  CHECK(begin() == 7);
  problem.buffers[0].offset = 4;
  problem.buffers.push_back({{0, 9}, 2, 1, {}, 7});
  CHECK(begin() == 2);
  problem.buffers.back().offset = 2;
  CHECK(begin() == 4);
  problem.buffers.push_back({{0, 9}, 2, 1, {}, 7});
  CHECK(begin() == Flat::kNone);
  problem.buffers.resize(4);
  problem.reserved.push_back({{3, 4}, {}});
  CHECK(begin() == 4);
  problem.reserved.clear();

  // A range for one of them only: they do not have the same sections, unless it stays
  // what it is, as it meets another one.
  problem.reserved.push_back({{8, 9}, {{1, 2}}});
  problem.buffers[0].lifespan.lower = 2;
  CHECK(begin() == Flat::kNone);
  problem.reserved = {{{8, 9}, {{-2, -1}}}, {{8, 9}, {{-2, 1}}}};
  CHECK(begin() == 2);
  problem.reserved.clear();
  problem.buffers[0].lifespan.lower = 0;

  // Who takes their place says where they are.
  problem.buffers[2].offset = 2;
  CHECK(begin() == 2);
  problem.buffers[2].offset = 4;
  CHECK(begin() == 4);
  problem.buffers[2].offset = 3;
  CHECK(begin() == Flat::kNone);

  // Both halves are fixed, together or not.
  problem = halves();
  problem.buffers[0].offset = 4;
  problem.buffers[1].offset = 2;
  CHECK(begin() == 2);
  problem.buffers[1].offset = 1;
  CHECK(begin() == Flat::kNone);

  // All of a stack is aligned as its members are.
  problem = halves();
  for (auto& buffer : problem.buffers) buffer.size *= 2;
  problem.buffers[0].offset = 1;
  CHECK(join(problem).buffers.size() == 2);
  problem.buffers[1].alignment = 2;
  CHECK(join(problem).buffers.size() == 4);
}

TEST_CASE("join rules: members of a stack are where they are fixed",
          "[joins]") {
  Problem<> problem = halves();
  problem.buffers[0].offset = 4;
  problem.buffers[2].offset = 2;
  const Flat flat = snug::detail::flatten(problem);
  const JoinedFlat joined(flat, kCapacity, Interrupt());
  CHECK(joined.expand({2, 0}) == snug::detail::List<std::int64_t>{4, 2, 2, 0});
}

TEST_CASE("join rules: nobody is fixed where somebody else is", "[joins]") {
  Problem<> problem = chain();
  problem.buffers[1].offset = 4;
  CHECK(join(problem).buffers.size() == 2);
  problem.buffers.push_back({{1, 2}, 2, 1, {}, 7});
  CHECK(join(problem).buffers.size() == 4);
  problem.buffers.back().offset = 8;
  CHECK(join(problem).buffers.size() == 3);

  problem.buffers.pop_back();
  problem.reserved.push_back({{7, 8}, {{7, 8}}});
  CHECK(join(problem).buffers.size() == 4);  // and one of them is the range
  problem.reserved[0].lifespan = std::nullopt;
  problem.reserved[0].bytes = {8, 9};
  CHECK(join(problem).buffers.size() == 2);
}

TEST_CASE("join rules: who is fixed is one with who has exactly its size",
          "[joins]") {
  // A larger one would be where the third is.
  Problem<> problem;
  problem.buffers = {{{0, 4}, 500}, {{4, 9}, 501}, {{0, 4}, 100}, {{0, 9}, 1}};
  const auto count = [&] {
    const Flat flat = snug::detail::flatten(problem);
    JoinedFlat joined(flat, 2000, Interrupt());
    joined.join({6}, Interrupt());
    return joined.flat().buffers.size();
  };
  CHECK(count() == 3);
  problem.buffers[0].offset = 0;
  problem.buffers[2].offset = 500;
  CHECK(count() == 4);
  problem.buffers[1].size = 500;
  CHECK(count() == 3);
}

TEST_CASE("join rules: what is reserved for a time is as if it were fixed",
          "[joins]") {
  Problem<> problem = halves();
  // Instead of who takes the place of the halves.
  problem.buffers.erase(problem.buffers.begin() + 2);
  problem.reserved.push_back({{1, 6}, snug::Interval<std::int64_t>{4, 9}});
  Flat left = join(problem);
  CHECK(left.reserved.empty());
  REQUIRE(left.buffers.size() == 2);
  CHECK(left.buffers[0].size == 5);
  CHECK(left.buffers[0].lifespan.upper == 9);
  CHECK(left.fixed[0] == 1);
  // What ends above the capacity is cut off, and what meets another one stays.
  problem.reserved.clear();
  problem.reserved.push_back({{10, 20}, snug::Interval<std::int64_t>{4, 9}});
  problem.reserved.push_back({{11, 12}, snug::Interval<std::int64_t>{8, 10}});
  left = join(problem);
  REQUIRE(left.reserved.size() == 1);
  CHECK(left.reserved[0].bytes.lower == 11);
  CHECK(left.buffers[left.buffers.size() - 1].size == kCapacity - 10);
  CHECK(left.fixed[left.fixed.size() - 1] == 10);
  // So does what is reserved for all time.
  problem.reserved.clear();
  problem.reserved.push_back({{1, 6}, std::nullopt});
  left = join(problem);
  CHECK(left.reserved.size() == 1);
  CHECK(left.fixed.empty());
  // More of them than can be compared stay as they are.
  problem.reserved.clear();
  for (std::size_t k = 0; k <= JoinedFlat::kMost; ++k)
    problem.reserved.push_back({{1, 6}, snug::Interval<std::int64_t>{4, 9}});
  left = join(problem);
  CHECK(left.reserved.size() == JoinedFlat::kMost + 1);
  CHECK(left.fixed.empty());
  problem.reserved.pop_back();
  CHECK(join(problem).reserved.size() == JoinedFlat::kMost - 1);
  problem.reserved.resize(1);
  problem.reserved[0].lifespan.reset();
  // The placement is that of the problem's own buffers.
  problem.reserved[0].lifespan = snug::Interval<std::int64_t>{4, 9};
  const Flat flat = snug::detail::flatten(problem);
  const JoinedFlat joined(flat, kCapacity, Interrupt());
  CHECK(joined.expand(list_of(std::vector<std::int64_t>{1, 0})).size() == 3);
}

TEST_CASE("join rules: a fixed offset must suit all", "[joins]") {
  Problem<> problem = chain();
  problem.buffers[0].offset = 2;
  problem.buffers[1].alignment = 4;
  // The first one is fixed where the second cannot be.
  CHECK(join(problem).buffers.size() == 3);
  problem.buffers[0].offset = 4;
  CHECK(join(problem).buffers.size() == 2);
}

TEST_CASE("join rules: pairs are kept apart byte by byte", "[joins]") {
  Problem<> problem = chain();
  problem.apart = {{0, 2}};
  // The second is joined with one of these, not with both.
  Flat flat = join(problem);
  CHECK(flat.buffers.size() == 3);
  CHECK(flat.apart == snug::detail::List<snug::detail::IndexPair>{{0, 1}});

  problem = halves();
  problem.buffers.push_back({{9, 10}, 2});
  problem.apart = {{2, 4}};
  CHECK(join(problem).buffers.size() == 3);
  problem.apart = {{0, 4}};
  CHECK(join(problem).buffers.size() == 5);

  // A fixed one's pair is nearer than it may be.
  problem = chain();
  problem.buffers[0].offset = 2;
  problem.buffers.push_back({{20, 21}, 2, 1, {}, 5});
  CHECK(join(problem).buffers.size() == 3);
  problem.apart = {{1, 4}};
  CHECK(join(problem).buffers.size() == 4);

  // So is the pair of one that is fixed by a join.
  problem = chain();
  problem.buffers.push_back({{20, 21}, 2, 1, {}, 5});
  problem.buffers.push_back({{21, 22}, 2});
  problem.buffers.push_back({{20, 22}, 1});
  problem.buffers[0].offset = 2;
  CHECK(join(problem).buffers.size() == 4);
  problem.apart = {{1, 5}};
  CHECK(join(problem).buffers.size() == 5);
}

TEST_CASE("join rules: ends go with all", "[joins]") {
  Problem<> problem = chain();
  problem.buffers[1].end = End::kTop;
  Flat flat = join(problem);
  REQUIRE(flat.buffers.size() == 2);
  CHECK(flat.ends == snug::detail::List<End>{End::kTop, End::kAny});
  problem.buffers[2].end = End::kBottom;
  CHECK(join(problem).buffers.size() == 3);

  problem = halves();
  problem.buffers[1].end = End::kBottom;
  flat = join(problem);
  REQUIRE(flat.buffers.size() == 2);
  CHECK(flat.ends == snug::detail::List<End>{End::kBottom, End::kAny});
  problem.buffers[0].end = End::kTop;
  CHECK(join(problem).buffers.size() == 4);
}

TEST_CASE("join rules: ends of what is fixed are in their order", "[joins]") {
  Problem<> problem = chain();
  problem.buffers[0].offset = 4;
  problem.buffers[1].end = End::kBottom;
  problem.buffers.push_back({{4, 5}, 1, 1, {}, 9});
  problem.buffers.back().end = End::kTop;
  CHECK(join(problem).buffers.size() == 3);
  problem.buffers.back().offset = 1;
  CHECK(join(problem).buffers.size() == 4);
  problem.buffers.back().end = End::kAny;
  CHECK(join(problem).buffers.size() == 3);
  // Pairs that are kept apart are in their order at all times.
  problem.buffers.back().end = End::kTop;
  problem.buffers.back().lifespan = {20, 21};
  CHECK(join(problem).buffers.size() == 3);
  problem.apart = {{1, 4}};
  CHECK(join(problem).buffers.size() == 4);
  problem.buffers.back().offset = 9;
  CHECK(join(problem).buffers.size() == 3);
  problem.apart.clear();
  // An end comes to the fixed one as well, or with it.
  problem.buffers.back() = {{1, 2}, 1, 1, {}, 1};
  problem.buffers.back().end = End::kTop;
  CHECK(join(problem).buffers.size() == 4);
}

TEST_CASE("join rules: who is tied stays as it is", "[joins]") {
  Problem<> problem = chain();
  problem.buffers.push_back({{9, 10}, 1});
  problem.aliases = {{4, 1, 2}};
  Flat flat = join(problem);
  CHECK(flat.buffers.size() == 4 + 1);
  CHECK(flat.root.size() == flat.buffers.size());
  problem.aliases = {{4, 3, 0}};
  flat = join(problem);
  REQUIRE(flat.buffers.size() == 3);
  CHECK(flat.root[2] == flat.root[1]);
  CHECK(flat.delta[2] == flat.delta[1]);

  problem = halves();
  problem.buffers.push_back({{9, 10}, 1});
  problem.aliases = {{4, 1, 0}};
  CHECK(join(problem).buffers.size() == 5);
}

TEST_CASE("join rules: gaps of what is fixed go where nothing is in them",
          "[joins]") {
  Problem<> problem = chain();
  problem.buffers[1].offset = 2;
  problem.buffers[1].gaps = {{{4, 5}, {{1, 2}}}};
  Flat flat = join(problem);
  CHECK(flat.buffers.size() == 2);
  CHECK(flat.gaps.empty());

  // A fixed one is in the gap, beside the window.
  problem.buffers.push_back({{4, 5}, 2, 1, {}, 4});
  flat = join(problem);
  CHECK(flat.buffers.size() == 5);
  REQUIRE(flat.gaps.size() == 1);
  CHECK(flat.gaps[0].buffer == 1);
  CHECK(flat.gaps[0].window.upper == 2);
  // It may overlap, without a gap as well.
  problem.buffers[1].gaps.clear();
  problem.may_overlap = {{1, 4}};
  flat = join(problem);
  CHECK(flat.buffers.size() == 5);
  CHECK(flat.may_overlap ==
        snug::detail::List<snug::detail::IndexPair>{{1, 4}});

  // A reserved range is in the gap, and another buffer is joined before it.
  problem = halves();
  problem.buffers.push_back({{10, 14}, 3, 1, {}, 0});
  problem.buffers.back().gaps = {{{11, 12}, {}}};
  problem.reserved = {{{1, 2}, {{11, 12}}}};
  flat = join(problem);
  REQUIRE(flat.gaps.size() == 1);
  CHECK(flat.buffers.size() == 3);
  CHECK(flat.gaps[0].buffer == 2);
}

TEST_CASE("join rules: what is placed joined is a placement", "[joins]") {
  constexpr std::int64_t kMemory = 24;
  std::size_t right = 0;
  std::size_t wrong = 0;
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(20000); ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const auto cut = snug::benchmarks::guillotine<>(
        20, kMemory, random.between(std::size_t{6}, std::size_t{16}), seed);
    snug::benchmarks::Constrain constrain(cut.problem, cut.offsets, kMemory,
                                          seed);
    if (random.chance(40)) constrain.reserve(random.between(1, 3));
    if (random.chance(80)) constrain.fix(random.between(10, 50));
    if (random.chance(40)) constrain.choose_ends(30);
    if (random.chance(40)) constrain.keep_apart(random.between(1, 5));
    if (random.chance(30)) constrain.tie(1);
    if (random.chance(30)) constrain.cut_gaps(40, random.chance(50));
    if (random.chance(20)) constrain.let_overlap(3);
    Problem<> problem = constrain.take();
    // The same sections may be several lifespans.
    for (auto& buffer : problem.buffers) {
      if (!buffer.gaps.empty()) continue;
      if (random.chance(30)) ++buffer.lifespan.lower;
      if (random.chance(30)) --buffer.lifespan.upper;
      if (buffer.lifespan.empty()) buffer.lifespan = {-1, 0};
    }
    if (random.chance(30))
      for (auto& buffer : problem.buffers)
        if (buffer.offset.value_or(0) % 4 == 0 && random.chance(20))
          buffer.alignment = random.chance(50) ? 4 : 2;
    for (auto& range : problem.reserved)
      if (random.chance(50)) range.lifespan->upper = range.lifespan->lower + 1;
    if (!snug::check(problem).ok()) continue;
    Flat flat = snug::detail::flatten(problem);
    (void)snug::detail::tighten(flat);
    JoinedFlat joined(flat, kMemory, Interrupt());
    // By equal sums, and by near ones.
    const int near = static_cast<int>(random.between(1, 3));
    for (const int shift : {Nearness::kEqual, near}) {
      if (shift < Nearness::kEqual) joined.join({shift}, Interrupt());
      const Flat left = joined.flat();
      if (left.buffers.size() == flat.buffers.size()) continue;
      Options options;
      options.node_limit = 1000;
      const auto placed = snug::solve(unflatten(left), kMemory, options);
      if (placed.status == snug::Status::kInfeasible) ++wrong;
      if (!placed.has_solution()) continue;
      ++right;
      const auto offsets = joined.expand(list_of(placed.offsets));
      REQUIRE(snug::validate(problem, kMemory, vector_of(offsets)).ok());
    }
  }
  CAPTURE(right, wrong);
  CHECK(right > at_least<std::size_t>(7500));
  CHECK(wrong > at_least<std::size_t>(50));
}

TEST_CASE("join rules: without memory for the whole it ends by itself",
          "[joins]") {
  constexpr std::int64_t kMemory = 40;
  std::size_t stopped = 0;
  for (std::uint64_t seed = 1; seed <= 24; ++seed) {
    CAPTURE(seed);
    const auto cut = snug::benchmarks::guillotine<>(60, kMemory, 100, seed);
    snug::benchmarks::Constrain constrain(cut.problem, cut.offsets, kMemory,
                                          seed);
    constrain.tie(3);
    constrain.keep_apart(3);
    constrain.choose_ends(5);
    Options options;
    options.memory_limit = 0;
    const auto result = snug::solve(constrain.take(), kMemory, options);
    CHECK(result.stats.nodes < 100);
    if (result.stopped_by == snug::Stop::kNodeLimit) ++stopped;
  }
  CHECK(stopped > 10);
}

TEST_CASE("join rules: cuts with constraints are placed in few nodes",
          "[joins]") {
  constexpr std::int64_t kMemory = 1 << 20;
  std::size_t placed = 0;
  std::size_t lowest = 0;
  for (const auto& kind : snug::benchmarks::kinds())
    for (std::uint64_t seed = 1; seed <= 2; ++seed) {
      INFO(kind.family << ", seed " << seed);
      const auto cut = snug::benchmarks::guillotine<>(1000, kMemory, 250, seed);
      snug::benchmarks::Constrain constrain(cut.problem, cut.offsets, kMemory,
                                            seed);
      kind.apply(constrain);
      const Problem<> problem = constrain.take();
      Options options;
      options.node_limit = 8 * 250;
      const auto result = snug::solve(problem, kMemory, options);
      if (result.has_solution()) {
        ++placed;
        CHECK(snug::validate(problem, kMemory, result.offsets).ok());
      }
      options.node_limit *= 8;
      const auto low = snug::minimize(problem, options);
      REQUIRE(low.has_solution());
      CHECK(snug::validate(problem, low.height, low.offsets).ok());
      if (low.height <= kMemory) ++lowest;
    }
  CAPTURE(placed, lowest);
  CHECK(placed >= 18);
  CHECK(lowest >= 20);
}

}  // namespace join_rules_test
