// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/bodies/component.hpp"

#include "support/body_walker.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

namespace component_test {

using namespace snug::testing;
using snug::Problem;
using snug::detail::Bodies;
using snug::detail::Body;
using snug::detail::Component;
using snug::detail::ComponentBuilder;
using snug::detail::Index;
using snug::detail::Job;
using snug::detail::Meeting;
using snug::detail::Meetings;
using snug::detail::Range;
using snug::detail::Relation;
using snug::detail::Slab;

namespace {

/// Calls visit(bodies, meetings, component) for those of random problems, some
/// of which are rare.
template <class Visit>
void for_each_component(std::uint64_t seeds, Visit&& visit) {
  constexpr std::uint64_t kLeast = 150;
  for (std::uint64_t seed = 0; seed < (std::max)(effort(seeds), kLeast);
       ++seed) {
    const Bodies bodies = bodies_of(draw_constrained(seed, 8));
    const Meetings meetings = snug::detail::find_meetings(bodies);
    CAPTURE(seed);
    for (const Component& component : components_of(bodies))
      visit(bodies, meetings, component);
  }
}

bool is_in(std::int64_t n, const snug::detail::Forbidden& interval) {
  return interval.lower < n && n < interval.upper;
}

/// Whether a meeting forbids x and y, numbers in Bodies, to be there.
bool meet(const Meetings& meetings, Index x, std::int64_t at_x, Index y,
          std::int64_t at_y) {
  if (x > y) return meet(meetings, y, at_y, x, at_x);
  return std::any_of(meetings.free.begin(), meetings.free.end(),
                     [&](const Meeting& meeting) {
                       return meeting.x == x && meeting.y == y &&
                              is_in(at_y - at_x, meeting.forbidden);
                     });
}

std::vector<std::set<Index>> rings_of(const Component& component) {
  std::vector<std::set<Index>> result;
  for (Index x = 0; x < component.size; ++x) {
    std::set<Index> ring = {x};
    for (Index y = component.twin[x]; y != x; y = component.twin[y]) {
      REQUIRE(y < component.size);
      REQUIRE(ring.insert(y).second);
    }
    result.push_back(ring);
  }
  return result;
}

}  // namespace

TEST_CASE("component: every free body is in one, in order of time",
          "[component]") {
  std::size_t several = 0;
  for (std::uint64_t seed = 0; seed < effort(500U); ++seed) {
    const Bodies bodies = bodies_of(draw_constrained(seed, 8));
    const auto components = components_of(bodies);
    CAPTURE(seed);
    std::set<Index> seen;
    for (const Component& component : components) {
      REQUIRE(component.size > 0);
      REQUIRE(component.body.size() == component.size);
      for (Index x = 0; x < component.size; ++x) {
        REQUIRE(seen.insert(component.body[x]).second);
        const Body& body = bodies.bodies[component.body[x]];
        REQUIRE(body.fixed == Body::kFree);
        CHECK(component.steps[x].first == body.first);
        CHECK(component.steps[x].step == body.step);
        CHECK(component.extent[x] == body.extent);
        CHECK(component.width[x] == body.width);
        CHECK(component.area[x] == body.area);
        snug::Interval<Index> span{bodies.sections, 0};
        for (const Slab& slab : bodies.slabs)
          if (slab.body == component.body[x])
            span = {(std::min)(span.lower, slab.sections.lower),
                    (std::max)(span.upper, slab.sections.upper)};
        CHECK(component.span[x] == span);
        if (x > 0)
          CHECK(component.span[x - 1].lower <= component.span[x].lower);
        if (component.steps[x].step != component.steps[0].step)
          CHECK_FALSE(component.grounded);
      }
      std::set<std::int64_t> steps;
      for (const auto& each : component.steps) steps.insert(each.step);
      CHECK(component.grounded == (steps.size() == 1));
    }
    std::size_t free = 0;
    for (const Body& body : bodies.bodies)
      if (body.fixed == Body::kFree) ++free;
    REQUIRE(seen.size() == free);
    if (components.size() > 1) ++several;
  }
  CHECK(several > at_least(100U));
}

TEST_CASE("component: relations say what meetings do, both ways",
          "[component]") {
  std::size_t forbidden = 0;
  std::size_t holes = 0;
  for_each_component(500, [&](const Bodies& bodies, const Meetings& meetings,
                              const Component& component) {
    REQUIRE(component.relations.size() == component.size);
    for (Index x = 0; x < component.size; ++x) {
      std::int64_t widest = 0;
      Index last = 0;
      for (const Relation& relation : component.relations[x]) {
        REQUIRE(relation.body != x);
        if (&relation != component.relations[x].begin())
          REQUIRE(last < relation.body);
        last = relation.body;
        REQUIRE(relation.forbidden_begin < relation.forbidden_end);
        // Disjoint and ascending; the first and last say the rest.
        for (Index k = relation.forbidden_begin; k + 1 < relation.forbidden_end;
             ++k)
          REQUIRE(component.forbidden[k].upper <=
                  component.forbidden[k + 1].lower);
        for (Index k = relation.forbidden_begin; k < relation.forbidden_end;
             ++k) {
          const auto& interval = component.forbidden[k];
          const bool endless = interval.lower == -snug::detail::kFar ||
                               interval.upper == snug::detail::kFar;
          widest =
              (std::max)(widest, endless ? snug::detail::kFar
                                         : interval.upper - interval.lower);
        }
        CHECK(relation.clear ==
              component.forbidden[relation.forbidden_end - 1].upper);
        CHECK(relation.rest ==
              -component.forbidden[relation.forbidden_end - 1].lower);
        if (relation.forbidden_end > relation.forbidden_begin + 1) ++holes;
      }
      CHECK(component.widest[x] == widest);
      for (Index y = 0; y < component.size; ++y) {
        if (x == y) continue;
        for (std::int64_t difference = -25; difference <= 25; ++difference) {
          const bool met = meet(meetings, component.body[x], 0,
                                component.body[y], difference);
          REQUIRE(may_be_at(component, x, 0, y, difference) == !met);
          if (met) ++forbidden;
        }
      }
    }
    REQUIRE(bodies.bodies.size() >= component.size);
  });
  CHECK(forbidden > at_least(20000U));
  CHECK(holes > at_least(50U));
}

TEST_CASE("component: a body that rests has another right below it",
          "[component]") {
  // x at Y + rest is allowed, and is the lowest that x can be above something
  // of y's; y at X + clear is the lowest that is above all of x.
  std::size_t seen = 0;
  for_each_component(300, [&](const Bodies&, const Meetings& meetings,
                              const Component& component) {
    for (Index x = 0; x < component.size; ++x)
      for (const Relation& relation : component.relations[x]) {
        const Index a = component.body[x];
        const Index b = component.body[relation.body];
        if (relation.rest < snug::detail::kFar) {
          CHECK_FALSE(meet(meetings, a, relation.rest, b, 0));
          CHECK(meet(meetings, a, relation.rest - 1, b, 0));
          // Supported no lower than there: a step down from there is free.
          for (std::int64_t at = relation.rest - 20; at < relation.rest; ++at)
            CHECK((meet(meetings, a, at, b, 0) ||
                   !meet(meetings, a, at - 1, b, 0)));
        }
        if (relation.clear < snug::detail::kFar) {
          CHECK(meet(meetings, a, 0, b, relation.clear - 1));
          for (std::int64_t more = 0; more < 20; ++more)
            CHECK_FALSE(meet(meetings, a, 0, b, relation.clear + more));
        }
        ++seen;
      }
  });
  CHECK(seen > at_least(1000U));
}

TEST_CASE("component: domains are what fixed bodies leave", "[component]") {
  std::size_t cut = 0;
  for_each_component(500, [&](const Bodies& bodies, const Meetings& meetings,
                              const Component& component) {
    for (Index x = 0; x < component.size; ++x) {
      const Index b = component.body[x];
      const Range* const first = component.ranges[x].begin();
      const Range* const last = component.ranges[x].end();
      for (const Range* range = first; range != last; ++range) {
        REQUIRE_FALSE(range->open);
        REQUIRE(range->lower <= range->upper);
        if (range != first)
          REQUIRE((range - 1)->upper + component.steps[x].step < range->lower);
      }
      if (first != last) REQUIRE(first->lower >= bodies.bodies[b].first);
      if (last - first != 1) ++cut;
      for (std::int64_t at = 0; at <= 40; ++at) {
        bool expected =
            at >= bodies.bodies[b].first &&
            (at - bodies.bodies[b].first) % bodies.bodies[b].step == 0;
        for (const Meeting& meeting : meetings.fixed)
          expected =
              expected && !(meeting.x == b && is_in(at, meeting.forbidden));
        const bool found =
            at >= bodies.bodies[b].first &&
            (at - bodies.bodies[b].first) % bodies.bodies[b].step == 0 &&
            std::any_of(first, last, [&](const Range& range) {
              return range.lower <= at && at <= range.upper;
            });
        REQUIRE(found == expected);
      }
    }
  });
  CHECK(cut > at_least(200U));
}

TEST_CASE("component: memberships are sums over the jobs", "[component]") {
  std::size_t broken = 0;
  for_each_component(
      1200, [&](const Bodies&, const Meetings&, const Component& component) {
        REQUIRE(component.cliques.size() == component.size);
        for (Index x = 0; x < component.size; ++x) {
          const auto all = component.cliques[x];
          const auto* membership = all.begin();
          for (Index c = 0; c < component.clique_count(); ++c) {
            std::vector<Job> own;
            for (const auto& job : component.jobs[c]) {
              REQUIRE((job.body == Job::kFixed || job.body < component.size));
              if (job.body == x) own.push_back(job);
            }
            if (own.empty()) continue;
            REQUIRE(membership != all.end());
            CHECK(membership->clique == c);
            CHECK(membership->is_single == (own.size() == 1));
            CHECK(membership->lower == own[0].lower);
            std::int64_t bytes = 0;
            for (const Job& job : own) bytes += job.length;
            CHECK(membership->bytes == bytes);
            if (own.size() > 1) ++broken;
            ++membership;
          }
          REQUIRE(membership == all.end());
        }
      });
  CHECK(broken > at_least(20U));
}

TEST_CASE("component: twins can be exchanged in every placement",
          "[component]") {
  std::size_t twins = 0;
  std::size_t triples = 0;
  for_each_component(700, [&](const Bodies& bodies, const Meetings&,
                              const Component& component) {
    const auto rings = rings_of(component);
    for (Index x = 0; x < component.size; ++x)
      for (const Index y : rings[x]) {
        if (x == y) continue;
        REQUIRE(rings[y] == rings[x]);
        ++twins;
        if (rings[x].size() > 2) ++triples;
        REQUIRE(component.extent[x] == component.extent[y]);
        for (std::int64_t at = 0; at <= 30; ++at) {
          const auto at_x = allowed_offsets(component, x, at);
          REQUIRE(at_x == allowed_offsets(component, y, at));
        }
        for (std::int64_t difference = -20; difference <= 20; ++difference) {
          REQUIRE(may_be_at(component, x, 0, y, difference) ==
                  may_be_at(component, y, 0, x, difference));
          for (Index z = 0; z < component.size; ++z)
            if (z != x && z != y)
              REQUIRE(may_be_at(component, x, 0, z, difference) ==
                      may_be_at(component, y, 0, z, difference));
        }
      }
    REQUIRE(bodies.sections > 0);
  });
  CHECK(twins > at_least(300U));
  CHECK(triples > at_least(30U));
}

TEST_CASE("component: who is a twin and who is not", "[component]") {
  Problem<> problem;
  problem.buffers.resize(4, {{0, 3}, 2});
  const auto ring = [&] {
    const Bodies bodies = bodies_of(problem);
    const auto components = components_of(bodies);
    REQUIRE(components.size() == 1);
    std::set<Index> result;  // Bodies by number of their buffer.
    const auto rings = rings_of(components[0]);
    for (const Index x : rings[0]) result.insert(components[0].body[x]);
    return result;
  };
  CHECK(ring() == std::set<Index>{0, 1, 2, 3});
  SECTION("not one of another size") {
    problem.buffers[2].size = 3;
  }
  SECTION("nor of another alignment") {
    problem.buffers[2].alignment = 4;
  }
  SECTION("nor of another end") {
    problem.buffers[2].end = snug::End::kTop;
  }
  SECTION("nor with a gap") {
    problem.buffers[2].gaps = {{{1, 2}, {}}};
  }
  SECTION("nor one that meets somebody else") {
    problem.buffers[2].lifespan = {0, 4};
    problem.buffers.push_back({{3, 5}, 1});
  }
  SECTION("nor with a pair that may overlap") {
    problem.buffers.push_back({{0, 3}, 5});
    problem.may_overlap = {{4, 2}};
    CHECK(ring() == std::set<Index>{0, 1, 3});
    return;
  }
  SECTION("nor kept apart from somebody") {
    problem.buffers.push_back({{0, 9}, 5});
    problem.apart = {{4, 2}};
  }
  CHECK(ring().count(2) == 0);
  CHECK(ring().count(1) == 1);
}

TEST_CASE("component: an empty buffer is a component of its own",
          "[component]") {
  Problem<> problem;
  problem.buffers = {{{0, 2}, 4}, {{0, 2}, 0}, {{1, 3}, 2}};
  problem.buffers[1].alignment = 8;
  problem.base = 3;
  const Bodies bodies = bodies_of(problem);
  const auto components = components_of(bodies);
  REQUIRE(components.size() == 2);
  const Component& alone = components[1];
  REQUIRE(alone.size == 1);
  CHECK(alone.body[0] == 1);
  CHECK(alone.clique_count() == 0);
  CHECK(alone.ranges[0][0].lower == 8);
  CHECK(alone.bytes() > 0);
}

TEST_CASE("component: what makes them can be interrupted at each step",
          "[component]") {
  // Each meets nearly all others, in sections of its own.
  Problem<> problem;
  for (std::int64_t k = 0; k < 400; ++k)
    problem.buffers.push_back({{k, 200 + k}, 1 + k % 7});
  const Bodies bodies = bodies_of(problem);
  std::size_t asked = 0;
  std::size_t patience = ~std::size_t{0};
  const auto ask = [&] { return ++asked > patience; };
  const auto relations = [&] {
    asked = 0;
    std::size_t result = 0;
    for (const Component& component : ComponentBuilder(bodies, ask).build())
      result += component.relations.all().size();
    return result;
  };
  const std::size_t all = relations();
  CHECK(all == 400 * 199 * 2 - 199 * 200);
  const std::size_t questions = asked;
  REQUIRE(questions >= 8);
  for (patience = 0; patience < questions; ++patience) {
    CAPTURE(patience);
    const std::size_t made = relations();
    // What is left to do asks once more.
    CHECK(asked <= patience + 2);
    if (patience == 0) CHECK(made < all);
  }
}

}  // namespace component_test
