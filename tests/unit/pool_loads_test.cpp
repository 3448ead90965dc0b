// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/pools/pool_loads.hpp"

#include "snug/bodies/bodies.hpp"
#include "snug/bodies/body_builder.hpp"
#include "snug/model/interval.hpp"
#include "snug/model/problem.hpp"
#include "snug/normal/flat.hpp"
#include "snug/support/interrupt.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/exhaustive.hpp"
#include "support/generators.hpp"
#include "support/random.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace pool_loads_test {

using namespace snug::testing;
using snug::Interval;
using snug::Problem;
using snug::detail::Bodies;
using snug::detail::BodyBuilder;
using snug::detail::Flat;
using snug::detail::FlatBuffer;
using snug::detail::LoadBuilder;
using snug::detail::PoolLoads;

namespace {

constexpr std::int64_t kTimes = 8;

/// Buffers whose sizes are all but equal powers of two.
Flat random_flat(Random& random, int power) {
  Flat flat;
  for (int n = random.between(1, 9); n > 0; --n) {
    FlatBuffer buffer;
    buffer.size = (std::int64_t{1} << power) + random.between(0, 7);
    buffer.lifespan.lower = random.between<std::int64_t>(0, kTimes - 1);
    buffer.lifespan.upper = random.between(buffer.lifespan.lower + 1, kTimes);
    flat.buffers.push_back(buffer);
  }
  return flat;
}

PoolLoads loads_of(const Flat& flat, std::int64_t capacity) {
  const Bodies bodies = BodyBuilder(flat, {}).build();
  return LoadBuilder(bodies, flat.buffers.size(), capacity / bodies.unit, {})
      .build();
}

/// The largest sum of sizes of some buffers at one time.
std::int64_t load_of(const Flat& flat, const std::vector<bool>& is_in) {
  std::int64_t most = 0;
  for (std::int64_t time = 0; time < kTimes; ++time) {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < is_in.size(); ++i)
      if (is_in[i] && flat.buffers[i].lifespan.contains(
                          Interval<std::int64_t>{time, time + 1}))
        sum += flat.buffers[i].size;
    most = (std::max)(most, sum);
  }
  return most;
}

}  // namespace

TEST_CASE("pool loads: what fits, fits in loads", "[pool_loads]") {
  for (std::uint64_t seed = 0; seed < effort(std::uint64_t{2000}); ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const int power = random.between(0, 55);
    const Flat flat = random_flat(random, power);
    std::vector<bool> is_in;
    for (std::size_t i = 0; i < flat.buffers.size(); ++i)
      is_in.push_back(random.chance(60));
    const auto names = [&](std::size_t i) { return bool{is_in[i]}; };
    const std::int64_t load = load_of(flat, is_in);
    REQUIRE(loads_of(flat, load).has_room_for(names));
    // Nothing is rounded down where numbers are small.
    if (power < 15 && load > 0)
      REQUIRE(!loads_of(flat, load - 1).has_room_for(names));
  }
}

TEST_CASE("pool loads: what fits, fits in loads whatever the constraints",
          "[pool_loads]") {
  std::size_t fit = 0;
  std::size_t refuted = 0;
  for (std::uint64_t seed = 0; seed < effort(std::uint64_t{600}); ++seed) {
    CAPTURE(seed);
    Random random(seed);
    Problem<> problem = uniform_small(2, 6, random);
    add_constraints(problem, random);
    for (int k = random.between(0, 6); k > 0; --k)
      add_may_overlap(problem, random);
    const std::int64_t capacity = random.between(2, 10);
    const Bodies bodies =
        BodyBuilder(snug::detail::flatten(problem), {}).build();
    const std::size_t items =
        bodies.bodies.size() - (problem.reserved.empty() ? 0 : 1);
    const PoolLoads loads =
        LoadBuilder(bodies, items, capacity / bodies.unit, {}).build();
    for (std::size_t set = 0; set < std::size_t{1} << items; ++set) {
      const auto names = [&](std::size_t i) { return (set >> i & 1) != 0; };
      if (loads.has_room_for(names)) continue;
      CAPTURE(set);
      std::vector<std::size_t> buffers;
      for (std::size_t b = 0; b < problem.buffers.size(); ++b)
        if (names(bodies.body_of[b])) buffers.push_back(b);
      REQUIRE(!fits(problem, capacity, buffers));
      ++refuted;
    }
    if (loads.has_room_for([](std::size_t) { return true; })) ++fit;
  }
  CHECK(fit > at_least<std::size_t>(100));
  CHECK(refuted > at_least<std::size_t>(2000));
}

TEST_CASE("pool loads: a core leaves room for all but one", "[pool_loads]") {
  Flat flat;
  for (std::int64_t time = 0; time < 5; ++time) {
    FlatBuffer buffer;
    buffer.size = 1;
    buffer.lifespan = {time, time + 1};
    flat.buffers.push_back(buffer);
  }
  PoolLoads loads = loads_of(flat, 1);
  loads.add_core({0, 2, 3});
  for (std::size_t set = 0; set < 32; ++set) {
    CAPTURE(set);
    const bool has_core = (set & 13) == 13;
    CHECK(loads.has_room_for(
              [&](std::size_t i) { return (set >> i & 1) != 0; }) == !has_core);
  }
}

TEST_CASE("pool loads: an item of many buffers asks whether to go on",
          "[pool_loads]") {
  constexpr snug::detail::Index kCount = 1000;
  Flat flat;
  for (snug::detail::Index i = 0; i < kCount; ++i) {
    FlatBuffer buffer;
    buffer.size = 1 + i % 7;
    buffer.lifespan = {i, i + 5};
    flat.buffers.push_back(buffer);
    flat.root.push_back(0);
    flat.delta.push_back(i % 11);
  }
  const Bodies bodies = BodyBuilder(flat, {}).build();
  struct Asked {
    int times = 0;
    int most = 0;
    bool operator()() { return ++times > most; }
  };
  const auto build = [&](Asked& asked) {
    return LoadBuilder(bodies, 1, 20, snug::detail::Interrupt(asked)).build();
  };
  Asked patient;
  patient.most = 1000000;
  CHECK_FALSE(build(patient).parts.empty());
  CHECK(patient.times > 10);
  Asked hasty;
  CHECK(build(hasty).parts.empty());
  CHECK(hasty.times == 1);
}

}  // namespace pool_loads_test
