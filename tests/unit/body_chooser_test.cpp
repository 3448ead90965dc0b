// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/bodies/body_chooser.hpp"

#include "support/body_walker.hpp"
#include "support/catch.hpp"
#include "support/tuned.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace body_chooser_test {

using namespace snug::testing;
using snug::Problem;
using snug::Strategy;
using snug::detail::BodyChooser;
using snug::detail::BodyState;
using snug::detail::Component;
using snug::detail::Index;
using snug::detail::Word;

namespace {

Strategy strategy(std::string_view name) {
  return strategy_named(name);
}

/// What a letter stands for.
double key(const BodyState& state, char letter, Index x) {
  const Component& component = *state.component;
  std::int64_t most = 0;
  switch (letter) {
    case 'A':
      return component.area[x];
    case 'C':
      return static_cast<double>(component.cliques[x].size());
    case 'L':
      return component.span[x].lower;
    case 'O':
      return static_cast<double>(component.relations[x].size());
    case 'U':
      return component.span[x].upper;
    case 'W':
      return component.width[x];
    case 'Z':
      return static_cast<double>(component.extent[x]);
    default:
      for (Index c = 0; c < component.clique_count(); ++c) {
        std::int64_t total = 0;
        bool member = false;
        for (const auto& job : component.jobs[c]) {
          if (job.body == snug::detail::Job::kFixed ||
              !state.is_unplaced(job.body))
            continue;
          total += job.length;
          member = member || job.body == x;
        }
        if (member) most = (std::max)(most, total);
      }
      return static_cast<double>(most);
  }
}

/// The unplaced bodies of a set with the lowest candidate.
std::vector<Index> lowest(const BodyWalker& walker, const Word* set) {
  std::vector<Index> result;
  for (const Index x : walker.candidates()) {
    if (!snug::detail::has_bit(set, x)) continue;
    if (!result.empty() &&
        walker.state.candidate(x) > walker.state.candidate(result[0]))
      continue;
    if (!result.empty() &&
        walker.state.candidate(x) < walker.state.candidate(result[0]))
      result.clear();
    result.push_back(x);
  }
  return result;
}

}  // namespace

TEST_CASE("body chooser: the lowest candidate, then the letters",
          "[body_chooser]") {
  std::size_t ties = 0;
  const char* const names[] = {"0A", "0C", "0L",   "0O",   "0T",
                               "0U", "0W", "0ZAC", "0TCA", "0LUZ"};
  for_each_body_walker(300, 12, [&](BodyWalker& walker, auto& random) {
    BodyState& state = walker.state;
    BodyChooser chooser(walker.component, walker.memory);
    walker.walk(random, 20, [&](const BodyWalker::Move& move) {
      if (!walker.propagate(move)) return false;
      std::vector<Word> set(walker.component.words(), 0);
      for (Index x = 0; x < walker.component.size; ++x)
        if (random.chance(70)) snug::detail::set_bit(set.data(), x);
      const std::string name = names[random.below(10)];
      chooser.use(strategy(name));
      const Index chosen = chooser.choose(state, set.data());
      const std::vector<Index> equal = lowest(walker, set.data());
      if (equal.empty()) {
        REQUIRE(chosen == state.nobody());
        return true;
      }
      if (equal.size() > 1) ++ties;
      // By the first letter in which they differ, else the first.
      Index best = equal[0];
      for (const Index x : equal)
        for (std::size_t k = 1; k < name.size(); ++k) {
          const double a = key(state, name[k], x);
          const double b = key(state, name[k], best);
          if (a > b) best = x;
          if (a != b) break;
        }
      CAPTURE(name);
      REQUIRE(chosen == best);
      return true;
    });
  });
  CHECK(ties > 500);
}

TEST_CASE(
    "body chooser: weighted, of the clique with the fewest for its weight",
    "[body_chooser]") {
  std::size_t several = 0;
  for_each_body_walker(300, 12, [&](BodyWalker& walker, auto& random) {
    BodyState& state = walker.state;
    const Component& component = walker.component;
    BodyChooser chooser(component, walker.memory);
    for (Index x = 0; x < component.size; ++x) {
      state.body_weight[x] = random.between(0, 30);
      for (const auto& of : component.cliques[x])
        state.weight[of.clique] += state.body_weight[x];
    }
    chooser.use(strategy("sZ"));
    walker.walk(random, 20, [&](const BodyWalker::Move& move) {
      if (!walker.propagate(move)) return false;
      const std::vector<Index> equal = lowest(walker, walker.all());
      const Index chosen = chooser.choose(state, walker.all());
      if (equal.empty()) {
        REQUIRE(chosen == state.nobody());
        return true;
      }
      REQUIRE(std::count(equal.begin(), equal.end(), chosen) == 1);
      if (equal.size() == 1) return true;
      std::vector<double> quotient(component.clique_count(), -1);
      for (const Index x : equal)
        for (const auto& of : component.cliques[x]) {
          const auto shares = [&](const auto& other) {
            return other.clique == of.clique;
          };
          double& q = quotient[of.clique];
          q = 0;
          for (const Index y : equal) {
            const auto others = component.cliques[y];
            q += std::any_of(others.begin(), others.end(), shares) ? 1 : 0;
          }
          q /= static_cast<double>(state.weight[of.clique] + 1);
        }
      Index urgent = component.clique_count();
      for (Index c = 0; c < component.clique_count(); ++c)
        if (quotient[c] >= 0 && (urgent == component.clique_count() ||
                                 quotient[c] < quotient[urgent]))
          urgent = c;
      if (urgent == component.clique_count()) return true;
      // The largest of those in it, then the first.
      Index best = state.nobody();
      for (const Index x : equal) {
        const auto all = component.cliques[x];
        if (std::any_of(all.begin(), all.end(),
                        [&](const auto& of) { return of.clique == urgent; }) &&
            (best == state.nobody() ||
             component.extent[x] > component.extent[best]))
          best = x;
      }
      REQUIRE(chosen == best);
      ++several;
      return true;
    });
  });
  CHECK(several > 300);
}

TEST_CASE("body chooser: noise changes the order, within bounds",
          "[body_chooser]") {
  Problem<> problem;
  problem.buffers = {{{0, 1}, 10}, {{0, 1}, 11}, {{0, 1}, 40}};
  const auto bodies = bodies_of(problem);
  const auto components = components_of(bodies);
  BodyWalker walker(components[0], 100);
  BodyChooser chooser(components[0], walker.memory);
  chooser.use(strategy("0Z"));
  CHECK(chooser.choose(walker.state, walker.all()) == 2);
  const std::vector<Word> two = {Word{3}};
  CHECK(chooser.choose(walker.state, two.data()) == 1);
  snug::detail::Random random(1);
  int changed = 0;
  for (int k = 0; k < 200; ++k) {
    chooser.preorder().shake(random, snug::detail::Preorder::kOne / 5);
    chooser.use(strategy("0Z"));
    CHECK(chooser.choose(walker.state, walker.all()) == 2);
    if (chooser.choose(walker.state, two.data()) == 0) ++changed;
  }
  CHECK(changed > 20);
  CHECK(changed < 150);
}

TEST_CASE("body chooser: the lowest release", "[body_chooser]") {
  Problem<> problem;
  problem.buffers = {{{0, 1}, 2}, {{0, 1}, 3}, {{0, 1}, 4}};
  const auto bodies = bodies_of(problem);
  const auto components = components_of(bodies);
  BodyWalker walker(components[0], 20);
  BodyState& state = walker.state;
  state.set_release(0, 5);
  state.set_release(1, 3);
  state.set_release(2, 3);
  CHECK(BodyChooser::lowest_release(state, walker.all()) == 1);
  const std::vector<Word> first = {Word{1}};
  CHECK(BodyChooser::lowest_release(state, first.data()) == 0);
  REQUIRE(state.place(1, 0) == state.nobody());
  REQUIRE(state.place(2, 3) == state.nobody());
  CHECK(BodyChooser::lowest_release(state, walker.all()) == 0);
}

}  // namespace body_chooser_test
