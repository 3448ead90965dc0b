// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/assign.hpp"

#include "../../examples/assignment.hpp"
#include "snug/load.hpp"
#include "snug/model/options.hpp"
#include "snug/model/pool.hpp"
#include "snug/model/pool_part.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/subset.hpp"
#include "snug/validate.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/exhaustive.hpp"
#include "support/generators.hpp"
#include "support/instances.hpp"
#include "support/print.hpp"
#include "support/random.hpp"
#include "support/status.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <optional>
#include <vector>

namespace assign_test {

namespace {

using namespace snug::testing;
using snug::assign;
using snug::AssignResult;
using snug::Options;
using snug::Pools;
using snug::Problem;
using snug::Reason;
using snug::Status;
using snug::Stop;

constexpr std::int64_t kNever = Pools<>::kNever;

/// The problem of the buffers that are in a pool.
Problem<> problem_in(const Problem<>& problem, const snug::Pool<>& pool,
                     const std::vector<std::size_t>& buffers) {
  Problem<> part = snug::subset(problem, buffers);
  part.base = pool.base;
  part.alignment = pool.alignment;
  part.reserved = pool.reserved;
  return part;
}

std::vector<std::size_t> buffers_in(const std::vector<std::size_t>& pools,
                                    std::size_t pool) {
  std::vector<std::size_t> buffers;
  for (std::size_t b = 0; b < pools.size(); ++b)
    if (pools[b] == pool) buffers.push_back(b);
  return buffers;
}

std::int64_t cost_in(const Problem<>& problem, const Pools<>& pools,
                     std::size_t buffer, std::size_t pool) {
  const bool has_own =
      buffer < pools.costs.size() && !pools.costs[buffer].empty();
  const std::int64_t own = has_own ? pools.costs[buffer][pool] : 0;
  return own == kNever ? kNever
                       : own + pools.pools[pool].cost_per_byte *
                                   problem.buffers[buffer].size;
}

/// Checks a result against its documentation, all but how good it is.
void check_assignment(const Problem<>& problem, const Pools<>& pools,
                      const AssignResult<>& found) {
  REQUIRE(found.status != Status::kInvalid);
  CHECK(found.error.ok());
  if (!found.has_solution()) {
    CHECK(found.pools.empty());
    CHECK(found.offsets.empty());
    return;
  }
  REQUIRE(found.pools.size() == problem.buffers.size());
  REQUIRE(found.offsets.size() == problem.buffers.size());
  std::int64_t cost = 0;
  for (std::size_t b = 0; b < found.pools.size(); ++b) {
    REQUIRE(found.pools[b] < pools.pools.size());
    const std::int64_t its = cost_in(problem, pools, b, found.pools[b]);
    REQUIRE(its != kNever);
    cost += its;
  }
  CHECK(found.cost == cost);
  CHECK(found.cost_bound <= found.cost);
  CHECK((found.status == Status::kOptimal) == (found.cost_bound == found.cost));
  CHECK(keeps_ties(problem, found.pools));
  for (std::size_t p = 0; p < pools.pools.size(); ++p) {
    const std::vector<std::size_t> buffers = buffers_in(found.pools, p);
    std::vector<std::int64_t> offsets;
    for (const std::size_t b : buffers) offsets.push_back(found.offsets[b]);
    CHECK(snug::validate(problem_in(problem, pools.pools[p], buffers),
                         pools.pools[p].capacity, offsets)
              .ok());
    const auto part = snug::pool_part(problem, pools, found, p);
    CHECK(part.buffers == buffers);
    CHECK(part.offsets == offsets);
    CHECK(snug::validate(part.problem, pools.pools[p].capacity, part.offsets)
              .ok());
  }
}

/// The least cost, by trying all assignments; nothing if none is possible.
std::optional<std::int64_t> least_cost(const Problem<>& problem,
                                       const Pools<>& pools) {
  const std::size_t n = problem.buffers.size();
  const std::size_t count = pools.pools.size();
  // Which sets of buffers fit each pool: 0 is not known yet.
  std::vector<std::vector<char>> fits(
      count, std::vector<char>(std::size_t{1} << n, 0));
  const auto fits_in = [&](std::size_t pool, std::size_t set) {
    char& known = fits[pool][set];
    if (known == 0) {
      std::vector<std::size_t> buffers;
      for (std::size_t b = 0; b < n; ++b)
        if ((set >> b & 1) != 0) buffers.push_back(b);
      const Problem<> part = problem_in(problem, pools.pools[pool], buffers);
      Exhaustive<std::int64_t, std::int64_t> oracle(part);
      known = oracle.fits(pools.pools[pool].capacity) ? 'y' : 'n';
    }
    return known == 'y';
  };
  std::size_t number = 1;
  for (std::size_t b = 0; b < n; ++b) number *= count;
  std::optional<std::int64_t> least;
  for (std::size_t code = 0; code < number; ++code) {
    std::vector<std::size_t> of(n);
    std::size_t rest = code;
    std::int64_t cost = 0;
    bool is_allowed = true;
    for (std::size_t b = 0; b < n; ++b, rest /= count) {
      of[b] = rest % count;
      const std::int64_t its = cost_in(problem, pools, b, of[b]);
      is_allowed = is_allowed && its != kNever;
      cost += its;
    }
    if (!is_allowed || (least && cost >= *least) || !keeps_ties(problem, of))
      continue;
    bool all_fit = true;
    for (std::size_t p = 0; all_fit && p < count; ++p) {
      std::size_t set = 0;
      for (std::size_t b = 0; b < n; ++b)
        if (of[b] == p) set |= std::size_t{1} << b;
      all_fit = fits_in(p, set);
    }
    if (all_fit) least = cost;
  }
  return least;
}

struct Drawn {
  Problem<> problem{};
  Pools<> pools{};
};

/// Checks a result that no limit stopped; returns its least cost.
std::optional<std::int64_t> check_least(const Drawn& drawn,
                                        const AssignResult<>& found) {
  INFO(as_csv(drawn.problem, found.offsets));
  check_assignment(drawn.problem, drawn.pools, found);
  const std::optional<std::int64_t> least =
      least_cost(drawn.problem, drawn.pools);
  CHECK(found.status == (least ? Status::kOptimal : Status::kInfeasible));
  if (least) CHECK(found.cost == *least);
  return least;
}

/// A small problem and a few pools, with constraints in half of all cases.
Drawn draw(std::uint64_t seed) {
  Random random(seed);
  Drawn drawn;
  Shape shape;
  shape.count = random.between(std::size_t{2}, std::size_t{6});
  shape.length = random.between(2, 7);
  shape.largest = random.between(2, 5);
  drawn.problem =
      seed % 3 == 0 ? twins<>(shape, random) : uniform<>(shape, random);
  if (seed % 2 == 1) add_constraints(drawn.problem, random);
  const auto count = random.between(std::size_t{1}, std::size_t{3});
  for (std::size_t p = 0; p < count; ++p) {
    snug::Pool<> pool;
    pool.capacity = random.between(2, p + 1 == count ? 16 : 8);
    pool.cost_per_byte = random.between(0, 3);
    if (random.chance(20)) pool.base = random.between(0, 2);
    if (random.chance(20)) pool.alignment = random.between(1, 3);
    if (random.chance(20)) {
      const std::int64_t begin = random.between(0, 5);
      pool.reserved.push_back({{begin, begin + random.between(1, 2)}});
      if (random.chance(50)) pool.reserved.back().lifespan = {{1, 3}};
    }
    drawn.pools.pools.push_back(pool);
  }
  for (std::size_t b = 0; b < drawn.problem.buffers.size(); ++b) {
    drawn.pools.costs.emplace_back();
    if (random.chance(30)) continue;
    for (std::size_t p = 0; p < count; ++p)
      drawn.pools.costs[b].push_back(random.chance(15) ? kNever
                                                       : random.between(0, 9));
  }
  return drawn;
}

/// The same with two or three pools that are alike, or nearly so, as the first
/// ones.
Drawn draw_banks(std::uint64_t seed) {
  Drawn drawn = draw(seed);
  Random random(seed + 1);
  const auto copies = random.between(std::size_t{1}, std::size_t{2});
  std::vector<snug::Pool<>>& pools = drawn.pools.pools;
  pools.resize((std::min)(pools.size(), std::size_t{2}));
  pools.insert(pools.begin(), copies, pools.front());
  if (random.chance(10)) pools.front().alignment = 2;
  if (random.chance(10)) pools.front().base = 1;
  if (random.chance(10)) pools.front().reserved.push_back({{0, 1}, {{1, 4}}});
  for (std::vector<std::int64_t>& costs : drawn.pools.costs) {
    if (costs.empty()) continue;
    costs.insert(costs.begin(), copies, costs.front());
    // Placements are the same, but not always what they cost.
    if (random.chance(10)) costs.front() = kNever;
    costs.resize(pools.size());
  }
  return drawn;
}

std::uint64_t number_of_problems() {
  const char* const text = std::getenv("SNUG_POOL_PROBLEMS");
  return text == nullptr ? 400 : std::strtoull(text, nullptr, 10);
}

}  // namespace

TEST_CASE("assign: the cheaper pool as far as it goes", "[assign]") {
  Problem<> problem;
  problem.buffers.push_back({{0, 4}, 4});
  problem.buffers.push_back({{0, 4}, 4});
  problem.buffers.push_back({{4, 8}, 8});
  Pools<> pools;
  pools.pools.resize(2);
  pools.pools[0].capacity = 8;
  pools.pools[1].capacity = 100;
  pools.pools[1].cost_per_byte = 5;
  AssignResult<> found = assign(problem, pools);
  check_assignment(problem, pools, found);
  CHECK(found.status == Status::kOptimal);
  CHECK(found.cost == 0);
  pools.pools[0].capacity = 7;
  found = assign(problem, pools);
  check_assignment(problem, pools, found);
  CHECK(found.status == Status::kOptimal);
  CHECK(found.cost == 60);
  // The third is dearer to move than its bytes say, the first must not be.
  pools.costs = {{0, kNever}, {}, {0, 1}};
  found = assign(problem, pools);
  check_assignment(problem, pools, found);
  CHECK(found.cost == 61);
  CHECK(found.pools == std::vector<std::size_t>{0, 1, 1});
  pools.costs[2] = {0, kNever};
  found = assign(problem, pools);
  CHECK(found.status == Status::kInfeasible);
  check_assignment(problem, pools, found);
}

TEST_CASE("assign: large costs that are multiples of one number", "[assign]") {
  constexpr std::int64_t kUnit = (std::int64_t{1} << 42) + 15;
  Problem<> problem;
  for (const std::int64_t size : {3, 4, 5, 6, 7})
    problem.buffers.push_back({{0, 4}, size});
  Pools<> pools;
  pools.pools.resize(2);
  pools.pools[0].capacity = 13;
  pools.pools[1].capacity = 100;
  pools.costs = {{0, 3 * kUnit},
                 {0, 40000 * kUnit},
                 {0, 1 * kUnit},
                 {0, 6 * kUnit},
                 {0, 7 * kUnit}};
  const AssignResult<> found = assign(problem, pools);
  check_assignment(problem, pools, found);
  CHECK(found.status == Status::kOptimal);
  CHECK(found.cost == 8 * kUnit);
  CHECK(found.cost_bound == 8 * kUnit);
}

TEST_CASE("assign: costs in another unit are the same", "[assign]") {
  bool found_any = false;
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(10); ++seed) {
    CAPTURE(seed);
    Random random(seed);
    Problem<> problem;
    Pools<> pools;
    pools.pools.resize(3);
    for (snug::Pool<>& pool : pools.pools)
      pool.capacity = random.between(20, 40);
    for (int i = 0; i < 20; ++i) {
      const std::int64_t lower = random.between(0, 20);
      problem.buffers.push_back(
          {{lower, lower + random.between(1, 10)}, random.between(1, 10)});
      pools.costs.push_back({random.between(1, 50), random.between(1, 50),
                             random.between(1, 50)});
    }
    Options options;
    options.node_limit = 20'000;
    const AssignResult<> found = assign(problem, pools, options);
    CHECK(found.error.ok());
    found_any = found_any || found.has_solution();
    for (const std::int64_t unit : {3, 7, 1000}) {
      Pools<> other = pools;
      for (auto& costs : other.costs)
        for (std::int64_t& cost : costs) cost *= unit;
      const AssignResult<> again = assign(problem, other, options);
      CHECK(again.stats.nodes == found.stats.nodes);
      CHECK(again.cost == unit * found.cost);
      CHECK(again.pools == found.pools);
    }
  }
  CHECK(found_any);
}

TEST_CASE("assign: a cost that stands for never hides no others", "[assign]") {
  // Rounded to what 10^17 leaves, all others are nothing.
  Problem<> problem;
  problem.buffers.assign(4, {{0, 1}, 1});
  Pools<> pools;
  pools.pools.resize(2);
  pools.pools[0].capacity = 2;
  pools.pools[1].capacity = 9;
  pools.costs = {{100000000000000000, 1}, {0, 3}, {0, 5}, {0, 4}};
  const AssignResult<> found = assign(problem, pools);
  check_assignment(problem, pools, found);
  CHECK(found.status == Status::kOptimal);
  CHECK(found.cost == 4);
  CHECK(found.pools == std::vector<std::size_t>{1, 1, 0, 0});
  // What has to be paid hides none either, nor does what most of it is.
  for (const std::int64_t other : {kNever, std::int64_t{100000000000000010}}) {
    pools.costs[0].back() = other;
    const AssignResult<> dear = assign(problem, pools);
    check_assignment(problem, pools, dear);
    CHECK(dear.status == Status::kOptimal);
    CHECK(dear.cost == 100000000000000007);
    CHECK(dear.cost_bound == dear.cost);
  }
}

TEST_CASE("assign: no buffers, and no pools", "[assign]") {
  Problem<> problem;
  Pools<> pools;
  CHECK(assign(problem, pools).status == Status::kOptimal);
  problem.buffers.push_back({{0, 1}, 0});
  CHECK(assign(problem, pools).error.reason == Reason::kNoPool);
  pools.pools.resize(1);
  const AssignResult<> found = assign(problem, pools);
  check_assignment(problem, pools, found);
  CHECK(found.status == Status::kOptimal);
}

TEST_CASE("assign: bad input", "[assign]") {
  Problem<> problem;
  problem.buffers.push_back({{0, 2}, 4});
  problem.buffers.push_back({{1, 3}, 4});
  Pools<> pools;
  pools.pools.resize(2);
  pools.pools[0].capacity = 4;
  pools.pools[1].capacity = 4;
  constexpr auto kMost = (std::numeric_limits<std::int64_t>::max)();
  const auto refused = [&](Reason reason, std::size_t pool) {
    const AssignResult<> found = assign(problem, pools);
    CHECK(found.status == Status::kInvalid);
    CHECK(found.error.reason == reason);
    CHECK(found.error_pool == pool);
    CHECK(found.pools.empty());
  };
  SECTION("the problem") {
    problem.buffers[0].size = -1;
    refused(Reason::kNegativeSize, AssignResult<>::kNoPool);
  }
  SECTION("a pool") {
    pools.pools[1].capacity = -1;
    refused(Reason::kNegativeCapacity, 1);
    pools.pools[1] = {4, 0, 0};
    refused(Reason::kBadHeapAlignment, 1);
    pools.pools[1] = {4, -1};
    refused(Reason::kNegativeBase, 1);
    pools.pools[1] = {4, 0, 1, {{{2, 2}}}};
    refused(Reason::kBadReserved, 1);
    pools.pools[1] = {4, 0, 1, {}, -1};
    refused(Reason::kNegativeCost, 1);
    pools.pools[1] = {4, 0, 1, {}, kMost};
    refused(Reason::kCostOverflow, 1);
  }
  SECTION("costs") {
    pools.costs = {{}, {1}};
    refused(Reason::kPoolCosts, AssignResult<>::kNoPool);
    pools.costs = {{}, {}, {}};
    refused(Reason::kPoolCosts, AssignResult<>::kNoPool);
    pools.costs = {{0, -2}};
    refused(Reason::kNegativeCost, 1);
    pools.costs = {{0, kMost / 2}, {kMost / 2, 0}};
    refused(Reason::kCostOverflow, AssignResult<>::kNoPool);
  }
  SECTION("a fixed offset that is none in one of its pools") {
    problem.buffers[1].offset = 1;
    pools.pools[1].alignment = 2;
    refused(Reason::kMisalignedOffset, 1);
    pools.costs = {{}, {0, kNever}};
    pools.pools[0].capacity = 5;
    const AssignResult<> found = assign(problem, pools);
    check_assignment(problem, pools, found);
    CHECK(found.status == Status::kOptimal);
    CHECK(found.pools == std::vector<std::size_t>{1, 0});
    CHECK(found.offsets == std::vector<std::int64_t>{0, 1});
  }
}

TEST_CASE("assign: tied buffers stay together", "[assign]") {
  Problem<> problem;
  problem.buffers.assign(3, {{0, 2}, 4});
  problem.aliases = {{2, 0, 0}};
  Pools<> pools;
  pools.pools.resize(2);
  pools.pools[0].capacity = 4;
  pools.pools[1].capacity = 4;
  pools.pools[1].cost_per_byte = 1;
  pools.costs = {{}, {}, {9, 0}};
  const AssignResult<> found = assign(problem, pools);
  check_assignment(problem, pools, found);
  CHECK(found.status == Status::kOptimal);
  CHECK(found.pools == std::vector<std::size_t>{1, 0, 1});
  CHECK(found.cost == 8);
}

TEST_CASE("assign: the same offset fixed in two pools", "[assign]") {
  Problem<> problem;
  problem.buffers.assign(2, {{0, 2}, 4});
  problem.buffers[0].offset = problem.buffers[1].offset = 0;
  Pools<> pools;
  pools.pools.resize(2);
  pools.pools[0].capacity = pools.pools[1].capacity = 4;
  pools.costs = {{0, kNever}, {kNever, 0}};
  const AssignResult<> found = assign(problem, pools);
  check_assignment(problem, pools, found);
  CHECK(found.status == Status::kOptimal);
}

TEST_CASE("assign: against all assignments", "[assign]") {
  std::uint64_t optimal = 0;
  std::uint64_t infeasible = 0;
  std::uint64_t invalid = 0;
  std::uint64_t costly = 0;
  const std::uint64_t number = effort(number_of_problems());
  for (std::uint64_t seed = 0; seed < number; ++seed) {
    CAPTURE(seed);
    const Drawn drawn = draw(seed);
    const AssignResult<> found = assign(drawn.problem, drawn.pools);
    if (found.status == Status::kInvalid) {
      // Fixed offsets that are none in some pool.
      CHECK(found.error_pool < drawn.pools.pools.size());
      ++invalid;
      continue;
    }
    const std::optional<std::int64_t> least = check_least(drawn, found);
    ++(least ? optimal : infeasible);
    if (least.value_or(0) > 0) ++costly;
  }
  CHECK(optimal > number / 3);
  CHECK(infeasible > number / 10);
  CHECK(invalid < number / 4);
  CHECK(costly > number / 4);
}

TEST_CASE("assign: banks that are alike, against all assignments", "[assign]") {
  std::uint64_t costly = 0;
  const std::uint64_t number = effort(number_of_problems());
  for (std::uint64_t seed = 0; seed < number; ++seed) {
    CAPTURE(seed);
    const Drawn drawn = draw_banks(seed);
    const AssignResult<> found = assign(drawn.problem, drawn.pools);
    if (found.status == Status::kInvalid) continue;
    if (check_least(drawn, found).value_or(0) > 0) ++costly;
  }
  CHECK(costly > number / 4);
}

TEST_CASE(
    "assign: fixed in banks that not all may use, against all assignments",
    "[assign]") {
  std::uint64_t fixed = 0;
  const std::uint64_t number = 2 * effort(number_of_problems());
  for (std::uint64_t seed = 0; seed < number; ++seed) {
    CAPTURE(seed);
    Drawn drawn = draw_banks(seed);
    Random random(seed + 3);
    const std::size_t count = drawn.pools.pools.size();
    for (std::size_t b = 0; b < drawn.problem.buffers.size(); ++b) {
      if (random.chance(60)) continue;
      drawn.problem.buffers[b].offset = random.between(0, 4);
      std::vector<std::int64_t>& costs = drawn.pools.costs[b];
      costs.assign(count, random.between(0, 3));
      costs[random.between(std::size_t{0}, count - 1)] = kNever;
    }
    const AssignResult<> found = assign(drawn.problem, drawn.pools);
    if (found.status == Status::kInvalid) continue;
    if (check_least(drawn, found)) ++fixed;
  }
  CHECK(fixed > number / 20);
}

TEST_CASE("assign: pairs that may overlap, against all assignments",
          "[assign]") {
  std::uint64_t costly = 0;
  const std::uint64_t number = effort(number_of_problems()) / 2;
  for (std::uint64_t seed = 0; seed < number; ++seed) {
    CAPTURE(seed);
    Drawn drawn = draw(seed);
    Random random(seed + 2);
    for (int k = random.between(1, 6); k > 0; --k)
      add_may_overlap(drawn.problem, random);
    const AssignResult<> found = assign(drawn.problem, drawn.pools);
    if (found.status == Status::kInvalid) continue;
    if (check_least(drawn, found).value_or(0) > 0) ++costly;
  }
  CHECK(costly > number / 4);
}

TEST_CASE("assign: valid whatever the limits", "[assign]") {
  int partial = 0;
  for (std::uint64_t seed = 1; seed < 240; ++seed) {
    CAPTURE(seed);
    const Drawn drawn = draw(seed);
    const AssignResult<> whole = assign(drawn.problem, drawn.pools);
    if (whole.status == Status::kInvalid) continue;
    Options options;
    options.node_limit = static_cast<std::int64_t>(seed % 40);
    const std::atomic<bool> cancel{true};
    if (seed % 3 == 0) options.time_limit = std::chrono::nanoseconds(0);
    if (seed % 3 == 1) options.cancel = &cancel;
    const AssignResult<> found = assign(drawn.problem, drawn.pools, options);
    check_assignment(drawn.problem, drawn.pools, found);
    CHECK(found.stats.nodes <= options.node_limit);
    if (found.status == Status::kInfeasible)
      CHECK(whole.status == Status::kInfeasible);
    if (whole.status != Status::kOptimal) continue;
    CHECK(found.cost_bound <= whole.cost);
    if (found.has_solution()) CHECK(found.cost >= whole.cost);
    if (found.status == Status::kOptimal) {
      CHECK(found.cost == whole.cost);
      continue;
    }
    CHECK(found.stopped_by != Stop::kNone);
    ++partial;
  }
  CHECK(partial > 10);
}

TEST_CASE("assign: what a pool cannot align is not in it", "[assign]") {
  Problem<> problem;
  problem.buffers = {{{0, 2}, 3}, {{0, 2}, 4}, {{0, 2}, 5}};
  Pools<> pools;
  pools.pools.resize(2);
  pools.pools[0].capacity = 7;
  pools.pools[0].cost_per_byte = 1;
  pools.pools[1].capacity = 20;
  pools.pools[1].alignment = 4;
  SECTION("an alias") {
    problem.aliases = {{1, 0, 3}};
    SECTION("that may be there or not") {}
    SECTION("that may not be there anyway") {
      pools.costs = {{0, kNever}, {0, kNever}};
    }
    SECTION("of buffers kept apart") {
      problem.apart = {{0, 1}, {1, 2}};
    }
  }
  SECTION("a contiguous group") {
    problem.contiguous = {{0, 1}};
  }
  const AssignResult<> found = assign(problem, pools);
  check_assignment(problem, pools, found);
  CHECK(found.status == Status::kOptimal);
  CHECK(found.pools == std::vector<std::size_t>{0, 0, 1});
  CHECK(found.cost == 7);

  pools.pools[0].capacity = 6;
  CHECK(assign(problem, pools).status == Status::kInfeasible);
  pools.pools[0].alignment = 2;
  pools.pools[0].capacity = 20;
  CHECK(assign(problem, pools).status == Status::kInfeasible);
}

TEST_CASE("assign: with little memory it ends by itself", "[assign]") {
  Problem<> problem;
  problem.buffers = {{{0, 4}, 5}, {{3, 4}, 4}, {{0, 4}, 1}, {{1, 3}, 4}};
  problem.may_overlap = {{1, 2}};
  Pools<> pools;
  pools.pools.resize(2);
  pools.pools[0].capacity = 6;
  pools.pools[1].capacity = 6;
  pools.pools[1].cost_per_byte = 1;
  Options options;
  options.memory_limit = 100;
  const AssignResult<> found = assign(problem, pools, options);
  check_assignment(problem, pools, found);
  CHECK(found.status == Status::kFeasible);
  CHECK(found.stopped_by == Stop::kNodeLimit);
  CHECK(found.cost_bound <= 5);
  CHECK(found.cost >= 5);

  int stopped = 0;
  const auto seeds = (std::max)(effort<std::uint64_t>(240), std::uint64_t{80});
  for (std::uint64_t seed = 1; seed < seeds; ++seed) {
    CAPTURE(seed);
    const Drawn drawn = draw(seed);
    const AssignResult<> whole = assign(drawn.problem, drawn.pools);
    if (whole.status == Status::kInvalid) continue;
    options.memory_limit = 100 * static_cast<std::size_t>(seed % 4);
    const AssignResult<> some = assign(drawn.problem, drawn.pools, options);
    check_assignment(drawn.problem, drawn.pools, some);
    if (some.status == Status::kInfeasible)
      CHECK(whole.status == Status::kInfeasible);
    if (some.has_solution()) CHECK(some.cost >= whole.cost);
    if (whole.has_solution()) CHECK(some.cost_bound <= whole.cost);
    stopped += some.stopped_by == Stop::kNodeLimit ? 1 : 0;
  }
  CHECK(stopped > 0);
}

TEST_CASE("assign: a scratchpad of half the load", "[assign]") {
  const auto problem = load_instance("tpu/A.1048576.csv");
  SNUG_NEEDS_INSTANCES(problem);
  Pools<> pools;
  pools.pools.resize(2);
  pools.pools[0].capacity = snug::load(*problem) / 2;
  pools.pools[1].capacity = std::int64_t{1} << 40;
  pools.pools[1].cost_per_byte = 1;
  Options options;
  options.node_limit = 20000;
  const AssignResult<> found = assign(*problem, pools, options);
  check_assignment(*problem, pools, found);
  REQUIRE(found.has_solution());
  CHECK(found.cost < found.cost_bound + found.cost_bound / 10);
  const AssignResult<> again = assign(*problem, pools, options);
  CHECK(again.cost == found.cost);
  CHECK(again.pools == found.pools);
  CHECK(again.offsets == found.offsets);
  CHECK(again.stats.nodes == found.stats.nodes);
}

TEST_CASE("assign: many buffers have a placement soon") {
  Problem<> problem;
  Random random(7);
  for (int i = 0; i < 50000; ++i) {
    const std::int64_t lower = random.between(0, 50000);
    problem.buffers.push_back(
        {{lower, lower + random.between(1, 40)}, random.between(1, 1000)});
  }
  snug::Pools<> pools;
  pools.pools.resize(2);
  pools.pools[0].capacity = 4000;
  pools.pools[1].capacity = std::int64_t{1} << 50;
  pools.pools[1].cost_per_byte = 1;
  // A release needs 0.2 seconds; what goes on after that is no matter here. So it
  // gets half a second, and more only where that does not do.
  Options options;
  AssignResult<> result;
  for (int halves = 1; halves <= 8 && !result.has_solution(); halves *= 2) {
    options.time_limit = halves * std::chrono::milliseconds(500);
    result = snug::assign(problem, pools, options);
  }
  CHECK(result.status == Status::kFeasible);
  CHECK(result.offsets.size() == problem.buffers.size());
}

TEST_CASE("assign: more bytes live at one time than all pools hold") {
  Problem<> problem;
  Random random(7);
  for (int i = 0; i < 1000; ++i) {
    const std::int64_t lower = random.between(0, 1000);
    problem.buffers.push_back(
        {{lower, lower + random.between(1, 40)}, random.between(1, 1000)});
  }
  // Live at one time, one in each pool but the last.
  problem.buffers.push_back({{2000, 2001}, 9000});
  problem.buffers.push_back({{2000, 2001}, 9001});
  Pools<> pools;
  pools.pools.resize(3);
  pools.pools[0].capacity = 9000 + 64;
  pools.pools[0].base = 64;
  pools.pools[1].capacity = 9001;
  pools.pools[1].cost_per_byte = 1;
  pools.pools[2].capacity = std::int64_t{1} << 50;
  pools.pools[2].cost_per_byte = 9;
  pools.costs.resize(problem.buffers.size());
  pools.costs[1000] = pools.costs[1001] = {0, 0, kNever};
  Options options;
  options.node_limit = 0;
  CHECK(assign(problem, pools, options).has_solution());
  problem.buffers.push_back({{0, 2001}, 1});
  CHECK(assign(problem, pools, options).status != Status::kInfeasible);
  pools.costs.push_back({kNever, 0, kNever});
  CHECK(assign(problem, pools, options).status == Status::kInfeasible);
  SECTION("tied buffers may share bytes") {
    problem.aliases.push_back({1002, 1001, 0});
    CHECK(assign(problem, pools, options).status != Status::kInfeasible);
  }
  SECTION("with an end") {
    pools.pools.pop_back();
    pools.costs.clear();
    CHECK(assign(problem, pools, options).status == Status::kInfeasible);
  }
}

TEST_CASE("assign: many pools of one kind see the problem once") {
  Problem<> problem;
  for (std::size_t i = 0; i < 200; ++i) {
    problem.buffers.push_back({{0, 2}, 8});
    for (std::size_t k = 0; k < i; ++k) problem.may_overlap.push_back({k, i});
  }
  Pools<> pools;
  pools.pools.resize(500);
  for (std::size_t p = 0; p < pools.pools.size(); ++p) {
    pools.pools[p].capacity = 8 + static_cast<std::int64_t>(p);
    pools.pools[p].cost_per_byte = 1 + static_cast<std::int64_t>(p % 7);
  }
  Options options;
  options.time_limit = std::chrono::seconds(3);  // A release needs 0.1.
  CHECK(assign(problem, pools, options).status == Status::kOptimal);
}

TEST_CASE("assign: many pools with ranges of their own leave in time",
          "[assign]") {
  Problem<> problem;
  problem.buffers = {{{0, 8}, 1}};
  Pools<> pools;
  pools.pools.resize(2000);
  for (std::size_t p = 0; p < pools.pools.size(); ++p) {
    const auto at = static_cast<std::int64_t>(p);
    pools.pools[p].capacity = 64;
    for (std::int64_t k = 1; k < 8; ++k)
      pools.pools[p].reserved.push_back(
          {{k, k + 1}, {{8 * at + k, 8 * at + 8}}});
  }
  Options options;
  options.time_limit = std::chrono::milliseconds(100);
  const AssignResult<> result = assign(problem, pools, options);
  CHECK(result.error.ok());
  CHECK(result.stats.seconds < 2);
}

TEST_CASE("assign: pairs are counted among all, wherever their buffers may be",
          "[assign]") {
  // No pool of even addresses has 0 and 1, so nor the first pair.
  Problem<> problem;
  problem.buffers = {{{0, 9}, 4}, {{0, 9}, 4}, {{0, 3}, 4}, {{5, 9}, 4}};
  problem.aliases.push_back({1, 0, 1});
  problem.apart = {{0, 2}, {2, 3}};
  problem.buffers[2].offset = problem.buffers[3].offset = 0;
  Pools<> pools;
  pools.pools.resize(2);
  for (const std::int64_t alignment : {1, 2}) {
    CAPTURE(alignment);
    for (snug::Pool<>& pool : pools.pools) pool.capacity = 100;
    pools.pools[0].alignment = alignment;
    const AssignResult<> result = assign(problem, pools);
    CHECK(result.error.reason == Reason::kConflictingOffsets);
    CHECK(result.error.entry == snug::Entry::kApart);
    CHECK(result.error.index == 1);
    CHECK(result.error_pool == 0);
  }
}

TEST_CASE("assign: what is at the top of an endless pool can be fixed there",
          "[assign]") {
  Problem<> problem;
  problem.buffers = {{{0, 2}, 3}, {{0, 2}, 5}};
  problem.buffers[0].end = snug::End::kTop;
  Pools<> pools;
  pools.pools.resize(1);
  for (const std::int64_t capacity :
       {std::int64_t{1} << 61, std::int64_t{1} << 62,
        (std::numeric_limits<std::int64_t>::max)()}) {
    CAPTURE(capacity);
    pools.pools[0].capacity = capacity;
    const AssignResult<> placed = assign(problem, pools);
    REQUIRE(placed.status == Status::kOptimal);
    CHECK(placed.offsets[0] > std::int64_t{1} << 60);
    Problem<> again = problem;
    for (std::size_t i = 0; i < again.buffers.size(); ++i)
      again.buffers[i].offset = placed.offsets[i];
    CHECK(assign(again, pools).status == Status::kOptimal);
  }
}

}  // namespace assign_test
