// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The search by itself: in pieces, and from capacity to capacity. Its answers
// are compared with the oracle's in property/oracle_test.cpp.
#include "snug/plain/plain_model.hpp"

#include "snug/engine/limits.hpp"
#include "snug/engine/tree_search.hpp"
#include "snug/model/options.hpp"
#include "snug/plain/chooser.hpp"
#include "snug/support/memory.hpp"
#include "snug/validate.hpp"
#include "support/catch.hpp"
#include "support/exhaustive.hpp"
#include "support/hard_walks.hpp"
#include "support/plain.hpp"
#include "support/print.hpp"
#include "support/tuned.hpp"
#include "support/walker.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

namespace plain_model_test {

using namespace snug::testing;
using snug::Options;
using snug::Problem;
using snug::detail::Index;
using snug::detail::Outcome;

namespace {

constexpr std::int64_t kEndless = (std::numeric_limits<std::int64_t>::max)();

/// The search of a problem of one partition.
template <class Units>
struct PlainModelBench {
  PlainModelBench(const Problem<>& problem_, std::int64_t capacity,
                  std::string_view strategy, const Tuned& options_ = {})
      : problem(problem_),
        plain(plain_of(problem)),
        options(options_),
        limits(options),
        instance(snug::detail::make_instance<Units>(plain, plain.partitions[0],
                                                    1, capacity, memory)),
        model(instance, instance.capacity, options.own.rules, memory),
        search(model, {&options, &stats, &limits}, memory) {
    REQUIRE(plain.partitions.size() == 1);
    use(strategy);
  }

  void use(std::string_view name) {
    const snug::Strategy strategy = strategy_named(name);
    model.use(strategy);
  }

  [[nodiscard]] bool holds_placement() const {
    std::vector<std::int64_t> offsets(problem.buffers.size(), 0);
    for (Index x = 0; x < instance.size; ++x)
      offsets[plain.order[x]] = model.offsets()[x];
    return validate(problem, instance.capacity, offsets).ok();
  }

  Problem<> problem;
  Plain plain;
  Tuned options;
  snug::Stats stats;
  snug::detail::Limits limits;
  snug::detail::Memory memory;
  snug::detail::Instance<Units> instance;
  snug::detail::PlainModel<Units> model;
  snug::detail::TreeSearch<snug::detail::PlainModel<Units>> search;
};

/// The first `count` middle-size walks of one partition that do not fit at
/// their load.
std::vector<Problem<>> hard_walks(std::size_t count) {
  std::vector<Problem<>> result;
  for (const std::uint64_t seed : kHardMiddleWalks) {
    const Problem<> walk = middle_walk<>(seed);
    if (result.size() < count && plain_of(walk).partitions.size() == 1)
      result.push_back(walk);
  }
  REQUIRE(result.size() == count);
  return result;
}

}  // namespace

TEMPLATE_TEST_CASE("search: in pieces, under changing strategies", "[search]",
                   std::int32_t, std::int64_t) {
  std::size_t pieces = 0;
  for (const Problem<>& problem : hard_walks(50)) {
    const std::int64_t load = load_of(problem);
    for (const std::int64_t capacity : {load, load + 3}) {
      PlainModelBench<TestType> bench(problem, capacity, "sTCA");
      Outcome outcome = Outcome::kOpen;
      INFO(as_csv(problem));
      CAPTURE(capacity);
      for (std::int64_t nodes = 5; outcome == Outcome::kOpen; nodes += 5) {
        bench.use(nodes % 2 == 0 ? "0TCA" : "sZW");
        const std::int64_t before = bench.stats.nodes;
        outcome = bench.search.run(nodes);
        if (outcome != Outcome::kOpen) break;
        CHECK(bench.stats.nodes - before == nodes);
        ++pieces;
      }
      if (capacity == load) {
        CHECK(outcome == Outcome::kRefuted);
      } else {
        // The walk is not so tight that three more bytes do not do.
        REQUIRE(outcome == Outcome::kPlacedAll);
        CHECK(bench.holds_placement());
      }
    }
  }
  CHECK(pieces > 100);
}

TEST_CASE("search: what it has proved, it proves again at once", "[search]") {
  // Failed states are kept from run to run.
  std::int64_t first = 0;
  std::int64_t second = 0;
  for (const Problem<>& problem : hard_walks(40)) {
    PlainModelBench<std::int32_t> bench(problem, load_of(problem), "sTCA");
    REQUIRE(bench.search.run(kEndless) == Outcome::kRefuted);
    first += bench.stats.nodes;
    second -= bench.stats.nodes;
    REQUIRE(bench.search.run(kEndless) == Outcome::kRefuted);
    second += bench.stats.nodes;
  }
  CAPTURE(first);
  CHECK(second < first / 3);
}

TEST_CASE("search: stops between two nodes when a limit is hit", "[search]") {
  const Problem<> problem = hard_walks(1)[0];
  Tuned options;
  options.node_limit = 9;
  PlainModelBench<std::int32_t> bench(problem, load_of(problem), "sTCA",
                                      options);
  CHECK(bench.search.run(kEndless) == Outcome::kOpen);
  CHECK(bench.stats.nodes == 9);
  CHECK(bench.limits.stopped_by() == snug::Stop::kNodeLimit);
  CHECK(bench.search.run(kEndless) == Outcome::kOpen);
  CHECK(bench.stats.nodes == 9);
}

TEMPLATE_TEST_CASE("search: from strategy to strategy, with all it has learnt",
                   "[search]", std::int32_t, std::int64_t) {
  std::size_t refuted = 0;
  std::size_t placed = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Random random(seed);
    Problem<> problem = seed % 3 == 0
                            ? middle_walk<>(kHardMiddleWalks[seed / 3])
                            : small_walk<>(kHardSmallWalks[seed]);
    if (seed % 3 != 0) align(problem, 30, std::int64_t{1}, random);
    if (plain_of(problem).partitions.size() != 1) continue;
    Exhaustive<std::int64_t, std::int64_t> oracle(problem);
    const std::int64_t load = load_of(problem);
    for (std::int64_t capacity = load + random.between(3, 8); capacity >= load;
         capacity -= random.between(1, 2)) {
      PlainModelBench<TestType> bench(problem, capacity, "sTCA");
      CAPTURE(seed, load, capacity);
      // Not to the end every time: what was learnt by then counts too.
      Outcome outcome = Outcome::kOpen;
      for (std::int64_t nodes = random.between(3, 20);
           outcome == Outcome::kOpen; nodes += nodes / 2) {
        bench.use(random.chance(50) ? "sTCA" : "0WZ");
        outcome = bench.search.run(nodes);
      }
      REQUIRE((outcome == Outcome::kPlacedAll) == oracle.fits(capacity));
      if (outcome == Outcome::kPlacedAll) REQUIRE(bench.holds_placement());
      ++(outcome == Outcome::kPlacedAll ? placed : refuted);
    }
  }
  CHECK(placed > 100);
  CHECK(refuted > 30);
}

}  // namespace plain_model_test
