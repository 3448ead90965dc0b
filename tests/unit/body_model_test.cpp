// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The search for bodies by itself, component by component, against trying
// everything. Whole problems are compared with the oracle in
// property/constrained_test.cpp.
#include "snug/bodies/body_model.hpp"

#include "snug/bodies/domain.hpp"
#include "support/body_walker.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/hard_walks.hpp"
#include "support/pairwise.hpp"
#include "support/rule_rows.hpp"
#include "support/tuned.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace body_model_test {

using namespace snug::testing;
using snug::Options;
using snug::Problem;
using snug::detail::BodyModel;
using snug::detail::Component;
using snug::detail::Index;
using snug::detail::kFar;
using snug::detail::Outcome;

namespace {

constexpr std::int64_t kEndless = (std::numeric_limits<std::int64_t>::max)();

/// The search of a component.
struct BodyModelBench {
  BodyModelBench(const Component& component_, std::int64_t capacity_,
                 const Tuned& options_ = {})
      : component(component_),
        capacity(capacity_),
        options(options_),
        limits(options),
        model(component, capacity, options.own.rules, memory),
        search(model, {&options, &stats, &limits}, memory) {
    use("sTCA");
  }

  void use(std::string_view name) {
    const snug::Strategy strategy = strategy_named(name);
    model.use(strategy);
  }

  [[nodiscard]] bool holds_placement() const {
    for (Index x = 0; x < component.size; ++x) {
      const auto allowed = allowed_offsets(component, x, capacity);
      if (std::count(allowed.begin(), allowed.end(), model.offsets()[x]) != 1)
        return false;
      for (Index y = 0; y < x; ++y)
        if (!may_be_at(component, x, model.offsets()[x], y, model.offsets()[y]))
          return false;
    }
    return true;
  }

  const Component& component;
  std::int64_t capacity;
  Tuned options;
  snug::Stats stats;
  snug::detail::Limits limits;
  snug::detail::Memory memory;
  BodyModel model;
  snug::detail::TreeSearch<BodyModel> search;
};

/// Calls visit(component, capacity, random, seed) for components of a few
/// bodies that are not too high.
template <class Visit>
void for_each_small(std::uint64_t seeds, Visit&& visit) {
  for (std::uint64_t seed = 0; seed < effort(seeds); ++seed) {
    const auto bodies = bodies_of(draw_constrained(seed, 6));
    Random random(seed);
    for (const Component& component : components_of(bodies)) {
      const std::int64_t capacity =
          least_capacity(component) + random.between(-1, 2);
      if (component.size > 1 && component.size < 7 && capacity < 16)
        visit(component, capacity, random, seed);
    }
  }
}

/// A walk of a few dozen buffers that does not fit at its load.
Problem<> hard_walk(std::size_t k) {
  return middle_walk<>(kHardMiddleWalks[k]);
}

/// The largest component of a problem.
struct Largest {
  explicit Largest(const Problem<>& problem)
      : bodies(bodies_of(problem)), components(components_of(bodies)) {}
  [[nodiscard]] const Component& component() const {
    return *std::max_element(
        components.begin(), components.end(),
        [](const Component& a, const Component& b) { return a.size < b.size; });
  }

  snug::detail::Bodies bodies;
  std::vector<Component> components;
};

}  // namespace

TEST_CASE("body search: every setting of the rules, against everything",
          "[body_search]") {
  std::size_t placed = 0;
  std::size_t refuted = 0;
  std::size_t loose = 0;
  for_each_small(2500, [&](const Component& component, std::int64_t capacity,
                           auto& random, std::uint64_t seed) {
    const bool fits = !Placements(component, capacity).all().empty();
    if (!component.grounded) ++loose;
    // Some rows for each, in turn; all of them for many in all.
    for (std::size_t k = 0; k < 4; ++k) {
      const auto& row = kRows[(5 * k + seed) % kRows.size()];
      Tuned options = options_of(row);
      options.own.failed_state_bytes = random.chance(20) ? 0 : 1 << 16;
      BodyModelBench bench(component, capacity, options);
      bench.use(random.chance(50) ? "0TCA" : "sZW");
      const Outcome outcome = bench.search.run(kEndless);
      INFO(describe(row));
      CAPTURE(seed, capacity);
      if (fits) {
        REQUIRE(outcome == Outcome::kPlacedAll);
        REQUIRE(bench.holds_placement());
        ++placed;
      } else {
        REQUIRE(outcome == Outcome::kRefuted);
        ++refuted;
      }
    }
  });
  CHECK(placed > at_least(2000U));
  CHECK(refuted > at_least(1000U));
  CHECK(loose > at_least(100U));
}

TEST_CASE("body search: each rule on its own", "[body_search]") {
  std::size_t searched = 0;
  for_each_small(700, [&](const Component& component, std::int64_t capacity,
                          auto&, std::uint64_t seed) {
    const bool fits = !Placements(component, capacity).all().empty();
    for (const auto& rule : snug::kRuleNames)
      for (const bool only : {false, true}) {
        Tuned options;
        for (const auto& each : snug::kRuleNames)
          options.own.rules.*each.rule = !only;
        options.own.rules.*rule.rule = only;
        BodyModelBench bench(component, capacity, options);
        const Outcome outcome = bench.search.run(kEndless);
        INFO((only ? "only " : "without ") << rule.name);
        CAPTURE(seed, capacity);
        REQUIRE(outcome == (fits ? Outcome::kPlacedAll : Outcome::kRefuted));
        if (fits) REQUIRE(bench.holds_placement());
        ++searched;
      }
  });
  CHECK(searched > at_least(5000U));
}

TEST_CASE("body search: in pieces, under changing strategies",
          "[body_search]") {
  std::size_t pieces = 0;
  for (std::size_t k = 0; k < 40; ++k) {
    const Problem<> problem = hard_walk(k);
    const Largest largest(problem);
    const std::int64_t load = load_of(problem) / largest.bodies.unit;
    const bool one = largest.components.size() == 1;
    for (const std::int64_t capacity : {load, load + 3}) {
      BodyModelBench bench(largest.component(), capacity);
      Outcome outcome = Outcome::kOpen;
      CAPTURE(k, capacity);
      for (std::int64_t nodes = 5; outcome == Outcome::kOpen; nodes += 5) {
        bench.use(nodes % 2 == 0 ? "0TCA" : "sZW");
        const std::int64_t before = bench.stats.nodes;
        outcome = bench.search.run(nodes);
        if (outcome != Outcome::kOpen) break;
        CHECK(bench.stats.nodes - before == nodes);
        ++pieces;
      }
      if (outcome == Outcome::kPlacedAll) {
        CHECK(bench.holds_placement());
      } else {
        CHECK(capacity == load);
      }
      if (one && capacity == load) CHECK(outcome == Outcome::kRefuted);
    }
  }
  CHECK(pieces > 50);
}

TEST_CASE("body search: what it has proved, it proves again at once",
          "[body_search]") {
  std::int64_t first = 0;
  std::int64_t second = 0;
  for (std::size_t k = 0; k < 40; ++k) {
    const Problem<> problem = hard_walk(k);
    const Largest largest(problem);
    if (largest.components.size() > 1) continue;
    BodyModelBench bench(largest.component(),
                         load_of(problem) / largest.bodies.unit);
    REQUIRE(bench.search.run(kEndless) == Outcome::kRefuted);
    first += bench.stats.nodes;
    second -= bench.stats.nodes;
    REQUIRE(bench.search.run(kEndless) == Outcome::kRefuted);
    second += bench.stats.nodes;
  }
  CAPTURE(first);
  CHECK(second < first / 3);
}

TEST_CASE("body search: rules save nodes", "[body_search]") {
  // Each on its own, on walks with gaps that only just fit or do not: a rule
  // that does nothing, or little, is a bug that no answer shows.
  const auto nodes_with = [&](const snug::Rules& rules) {
    std::int64_t nodes = 0;
    for (std::size_t k = 0; k < 60; ++k) {
      Problem<> problem = hard_walk(k);
      Random random(k);
      add_constraint(problem, Constraint::kGaps, random);
      const Largest largest(problem);
      Tuned options;
      options.own.rules = rules;
      options.node_limit = 20000;
      BodyModelBench bench(largest.component(),
                           least_capacity(largest.component()), options);
      (void)bench.search.run(kEndless);
      nodes += bench.stats.nodes;
    }
    return nodes;
  };
  using snug::Rules;
  const Rules none{false, false, false, false, false,
                   false, false, false, false};
  const std::int64_t without = nodes_with(none);
  struct Worth {
    bool Rules::*rule;
    std::int64_t percent;  ///< of the nodes without, at most
  };
  // These walks rarely fall apart.
  const Worth worth[] = {
      {&Rules::section_inference, 6}, {&Rules::no_hurt_placement, 50},
      {&Rules::abandoned_slot, 35},   {&Rules::failed_states, 80},
      {&Rules::conflict_sets, 60},    {&Rules::decomposition, 100}};
  for (const Worth& each : worth) {
    Rules rules = none;
    rules.*each.rule = true;
    CAPTURE(each.percent);
    CHECK(100 * nodes_with(rules) < each.percent * without);
  }
  CHECK(100 * nodes_with(Rules{}) < 4 * without);
}

TEST_CASE("body search: twins are not tried one after the other",
          "[body_search]") {
  // Nine of 5 and one of 4 below 48: it takes twins to see that soon.
  Problem<> problem;
  problem.buffers.resize(9, {{0, 2}, 5});
  problem.buffers.push_back({{0, 1}, 2, 7});
  problem.buffers.push_back({{1, 2}, 2, 11});
  const auto bodies = bodies_of(problem);
  const auto components = components_of(bodies);
  const auto nodes_with = [&](bool twins) {
    Tuned options;
    options.own.rules.twins = twins;
    options.own.rules.failed_states = false;
    options.own.rules.conflict_sets = false;
    options.node_limit = effort(100000);
    BodyModelBench bench(components[0], 47, options);
    (void)bench.search.run(kEndless);
    return bench.stats.nodes;
  };
  CHECK(2 * nodes_with(true) < nodes_with(false));
}

TEST_CASE(
    "body search: twins that are not left the same are not skipped "
    "together",
    "[body_search]") {
  // Two grids, so that a body may be placed where nothing holds it up.
  Problem<> problem;
  problem.buffers = {{{0, 2}, 4}, {{0, 2}, 4}, {{0, 2}, 2}};
  problem.buffers[2].alignment = 8;
  const auto bodies = bodies_of(problem);
  const auto components = components_of(bodies);
  REQUIRE(components.size() == 1);
  const Component& component = components[0];
  REQUIRE_FALSE(component.grounded);
  BodyModelBench bench(component, 40);
  BodyModel& model = bench.model;
  std::vector<snug::detail::Word> words(2);
  const snug::detail::Conflict conflict(words.data(), 1);
  REQUIRE(model.start(conflict));
  const BodyModel::Part part = model.root();
  using Kind = snug::detail::Decision::Kind;
  std::size_t twins = 0;
  for (Index x = 0; x < component.size; ++x) {
    const Index twin = component.twin[x];
    model.undo_to(0);
    if (twin == x) continue;
    ++twins;
    // All are skipped, the twins together, so the next choice is a blind one.
    REQUIRE(model.skip({x, Kind::kBranch}, conflict) == 2);
    for (Index y = 0; y < component.size; ++y)
      if (!model.state().is_skipped(y))
        REQUIRE(model.skip({y, Kind::kBranch}, conflict) == 1);
    snug::detail::Decision decision;
    REQUIRE(model.choose(part, decision));
    REQUIRE(decision.kind == Kind::kBlind);
    REQUIRE(component.twin[decision.item] != decision.item);
    const Index other = component.twin[decision.item];
    REQUIRE_FALSE(model.state().same_domain(decision.item, other));
    // Whatever the choice is called, the other one is not skipped with it.
    for (const Kind kind : {Kind::kBranch, Kind::kBlind}) {
      const std::size_t before = model.trail_size();
      CHECK(model.skip({decision.item, kind}, conflict) == 1);
      CHECK(model.trail_size() == before + 1);
      CHECK(model.item_at(before) == decision.item);
      model.undo_to(before);
    }
  }
  CHECK(twins == 2);
}

TEST_CASE("body search: stops between two nodes when a limit is hit",
          "[body_search]") {
  const Problem<> problem = hard_walk(0);
  const Largest largest(problem);
  Tuned options;
  options.node_limit = 9;
  BodyModelBench bench(largest.component(),
                       load_of(problem) / largest.bodies.unit, options);
  CHECK(bench.search.run(kEndless) == Outcome::kOpen);
  CHECK(bench.stats.nodes == 9);
  CHECK(bench.limits.stopped_by() == snug::Stop::kNodeLimit);
  CHECK(bench.search.run(kEndless) == Outcome::kOpen);
  CHECK(bench.stats.nodes == 9);
}

TEST_CASE("body search: refuted without a node", "[body_search]") {
  Problem<> problem;
  problem.buffers = {{{0, 1}, 3}, {{0, 1}, 4}};
  SECTION("a body that has nowhere to go") {
    problem.reserved = {{{2, 97}, {}}};
  }
  SECTION("a clique that does not fit") {
    problem.base = 94;
  }
  Tuned options;
  SECTION("two in each other's way wherever they are") {
    problem.buffers[0].size = 60;
    problem.buffers[1].size = 41;
    options.own.rules.section_inference = false;
  }
  const auto bodies = bodies_of(problem);
  const auto components = components_of(bodies);
  REQUIRE(bodies.unit == 1);
  BodyModelBench bench(components[0], 100, options);
  CHECK(bench.search.run(kEndless) == Outcome::kRefuted);
  CHECK(bench.stats.nodes == 0);
  CHECK(bench.search.refuted()[0] == 3);
}

//        step  0     1     2
//      8          +---+
//                 | x |
//      7          +---+             x and y go through each other, and move
//      6    +---+ +---+ +---+       by 2 and by 3. x cannot drop to 0, for y
//           | y | |   | | y |       is in the way in step 1; nor y, for x is in
//      5    +---+ |   | +---+       step 0; nor both, for they would meet in
//                 | y | | x |       step 2.
//      4          |   | +---+
//      3    +---+ +---+
//           | x |
//      2    +---+
TEST_CASE("body search: two that only hold each other up", "[body_search]") {
  Problem<> problem;
  problem.buffers = {{{0, 3}, 6, 2}, {{0, 3}, 3, 3}};
  problem.buffers[0].gaps = {
      {{0, 1}, {{0, 1}}}, {{1, 2}, {{5, 6}}}, {{2, 3}, {{2, 3}}}};
  problem.buffers[1].gaps = {{{0, 1}, {{2, 3}}}, {{2, 3}, {{2, 3}}}};
  const auto bodies = bodies_of(problem);
  const auto components = components_of(bodies);
  REQUIRE(components.size() == 1);
  REQUIRE_FALSE(components[0].grounded);
  const std::vector<Placements::Offsets> only = {{2, 3}};
  REQUIRE(Placements(components[0], 8).all() == only);
  for (const auto& row : kRows) {
    INFO(describe(row));
    BodyModelBench bench(components[0], 8, options_of(row));
    REQUIRE(bench.search.run(kEndless) == Outcome::kPlacedAll);
    CHECK(bench.holds_placement());
  }
}

TEST_CASE("body search: what is placed before stays where it is",
          "[body_search]") {
  std::size_t honoured = 0;
  std::size_t refused = 0;
  std::size_t refuted = 0;
  for_each_small(1500, [&](const Component& component, std::int64_t capacity,
                           auto& random, std::uint64_t seed) {
    const auto all = Placements(component, capacity).all();
    std::vector<std::int64_t> wanted(component.size, kFar);
    for (std::int64_t& at : wanted)
      if (random.chance(50)) at = random.between(0, 12);
    // One after the other, as far as those before leave them free.
    std::vector<bool> kept(component.size, false);
    for (Index x = 0; x < component.size; ++x) {
      if (wanted[x] == kFar) continue;
      const auto allowed = allowed_offsets(component, x, capacity);
      bool free = std::count(allowed.begin(), allowed.end(), wanted[x]) != 0;
      for (Index y = 0; y < x && free; ++y)
        free = !kept[y] || may_be_at(component, x, wanted[x], y, wanted[y]);
      kept[x] = free;
    }
    const bool possible =
        std::any_of(all.begin(), all.end(), [&](const auto& offsets) {
          for (Index x = 0; x < component.size; ++x)
            if (kept[x] && offsets[x] != wanted[x]) return false;
          return true;
        });
    BodyModelBench bench(component, capacity);
    CAPTURE(seed, capacity);
    if (!settle(bench.model, wanted)) {
      REQUIRE_FALSE(possible);
      ++refused;
      return;
    }
    const Outcome outcome = bench.search.run(kEndless);
    REQUIRE(outcome == (possible ? Outcome::kPlacedAll : Outcome::kRefuted));
    if (!possible) {
      ++refuted;
      return;
    }
    REQUIRE(bench.holds_placement());
    for (Index x = 0; x < component.size; ++x)
      if (kept[x]) {
        REQUIRE(bench.model.offsets()[x] == wanted[x]);
        ++honoured;
      }
  });
  CHECK(honoured > at_least(200U));
  CHECK(refused > at_least(100U));
  CHECK(refuted > at_least(50U));
}

}  // namespace body_model_test
