// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The differences of offsets that bodies must not have, against trying them
// all on the buffers of the problem.
#include "snug/bodies/relations.hpp"

#include "support/body_walker.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/pairwise.hpp"
#include "support/random.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <tuple>
#include <vector>

namespace relations_test {

using namespace snug::testing;
using snug::End;
using snug::Interval;
using snug::Problem;
using snug::detail::Bodies;
using snug::detail::Body;
using snug::detail::Forbidden;
using snug::detail::Index;
using snug::detail::kFar;
using snug::detail::List;
using snug::detail::Meeting;
using snug::detail::Slab;

namespace {

using ByteRange = Interval<std::int64_t>;

Slab slab(ByteRange bytes, End end = End::kAny) {
  Slab result;
  result.bytes = bytes;
  result.end = end;
  return result;
}

bool is_before(const Meeting& a, const Meeting& b) {
  return std::tie(a.x, a.y, a.forbidden.lower, a.forbidden.upper) <
         std::tie(b.x, b.y, b.forbidden.lower, b.forbidden.upper);
}

bool is_in(std::int64_t difference, const Forbidden& interval) {
  return interval.lower < difference && difference < interval.upper;
}

/// Whether buffer i at `at_i` and j at `at_j`, not tied, meet or are the wrong
/// way round.
bool collide(const Problem<>& problem, std::size_t i, std::int64_t at_i,
             std::size_t j, std::int64_t at_j) {
  const auto& a = problem.buffers[i];
  const auto& b = problem.buffers[j];
  if (has_pair(problem.may_overlap, i, j)) return false;
  const auto clash = [&](const ByteRange& in_a, const ByteRange& in_b) {
    if (in_a.empty() || in_b.empty()) return false;
    const ByteRange x = snug::testing::moved(in_a, at_i);
    const ByteRange y = snug::testing::moved(in_b, at_j);
    return x.overlaps(y) || at_wrong_ends(a.end, x, b.end, y);
  };
  for (const std::int64_t time : changes(a, b))
    if (clash(bytes_at(a, time), bytes_at(b, time))) return true;
  return has_pair(problem.apart, i, j) && clash({0, a.size}, {0, b.size});
}

/// Whether a buffer at `at` occupies reserved bytes.
bool hits_reserved(const Problem<>& problem, std::size_t i, std::int64_t at) {
  const auto& buffer = problem.buffers[i];
  for (const auto& reserved : problem.reserved)
    for (std::int64_t time = buffer.lifespan.lower;
         time < buffer.lifespan.upper; ++time) {
      if (reserved.lifespan &&
          (time < reserved.lifespan->lower || time >= reserved.lifespan->upper))
        continue;
      const ByteRange bytes = bytes_at(buffer, time);
      if (!bytes.empty() &&
          snug::testing::moved(bytes, at).overlaps(reserved.bytes))
        return true;
    }
  return false;
}

/// The buffers of each body of a problem.
std::vector<std::vector<std::size_t>> members_of(const Bodies& bodies) {
  std::vector<std::vector<std::size_t>> result(bodies.bodies.size());
  for (std::size_t i = 0; i < bodies.body_of.size(); ++i)
    result[bodies.body_of[i]].push_back(i);
  return result;
}

}  // namespace

TEST_CASE("relations: two slabs", "[relations]") {
  // [2, 5) of x and [1, 4) of y: apart when y is 4 higher, or 2 lower.
  const Forbidden plain = snug::detail::forbidden(slab({2, 5}), slab({1, 4}));
  CHECK(plain == Forbidden{-2, 4});
  const Forbidden below = snug::detail::forbidden(slab({2, 5}, End::kBottom),
                                                  slab({1, 4}, End::kTop));
  CHECK(below == Forbidden{-kFar, 4});
  const Forbidden above = snug::detail::forbidden(slab({2, 5}, End::kTop),
                                                  slab({1, 4}, End::kBottom));
  CHECK(above == Forbidden{-2, kFar});
  for (const End end : {End::kBottom, End::kTop})
    CHECK(snug::detail::forbidden(slab({2, 5}, end), slab({1, 4}, end)) ==
          plain);
}

TEST_CASE("relations: any two slabs, at any distance", "[relations]") {
  const End ends[] = {End::kAny, End::kBottom, End::kTop};
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    const auto draw = [&] {
      const std::int64_t lower = random.between(0, 5);
      return slab({lower, lower + random.between(1, 5)},
                  ends[random.between(0, 2)]);
    };
    const Slab p = draw();
    const Slab q = draw();
    const Forbidden interval = snug::detail::forbidden(p, q);
    for (std::int64_t difference = -12; difference <= 12; ++difference) {
      const ByteRange moved = snug::testing::moved(q.bytes, difference);
      CAPTURE(seed, difference);
      CHECK(is_in(difference, interval) ==
            (p.bytes.overlaps(moved) ||
             at_wrong_ends(p.end, p.bytes, q.end, moved)));
    }
  }
}

TEST_CASE("relations: bodies meet where their buffers do", "[relations]") {
  std::size_t forbidden = 0;
  std::size_t allowed = 0;
  std::size_t holes = 0;
  std::size_t next_to_fixed = 0;
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(1600); ++seed) {
    const Problem<> problem = draw_constrained(seed, 6);
    const Bodies bodies = bodies_of(problem);
    const auto meetings = snug::detail::find_meetings(bodies);
    const auto members = members_of(bodies);
    const auto count = static_cast<Index>(bodies.bodies.size());
    CAPTURE(seed);
    REQUIRE(
        std::is_sorted(meetings.free.begin(), meetings.free.end(), is_before));
    REQUIRE(std::is_sorted(meetings.fixed.begin(), meetings.fixed.end(),
                           is_before));
    // Of the members of x at X and of y at Y, counted in units.
    const auto clash = [&](Index x, std::int64_t at_x, Index y,
                           std::int64_t at_y) {
      for (const std::size_t i : members[x])
        for (const std::size_t j : members[y])
          if (collide(problem, i, (at_x + bodies.delta[i]) * bodies.unit, j,
                      (at_y + bodies.delta[j]) * bodies.unit))
            return true;
      return false;
    };
    for (Index x = 0; x < count; ++x) {
      if (bodies.bodies[x].fixed != Body::kFree) continue;
      for (Index y = x + 1; y < count; ++y) {
        if (bodies.bodies[y].fixed != Body::kFree) continue;
        bool in_hole = false;
        bool was_forbidden = false;
        for (std::int64_t difference = -30; difference <= 30; ++difference) {
          bool found = false;
          for (const Meeting& meeting : meetings.free)
            found = found || (meeting.x == x && meeting.y == y &&
                              is_in(difference, meeting.forbidden));
          const std::int64_t at_x = difference < 0 ? -difference : 0;
          SNUG_REQUIRE_OFTEN(found == clash(x, at_x, y, at_x + difference));
          ++(found ? forbidden : allowed);
          if (found && in_hole) ++holes;
          in_hole = !found && was_forbidden;
          was_forbidden = was_forbidden || found;
        }
      }
      for (std::int64_t at = 0; at <= 30; ++at) {
        bool found = false;
        for (const Meeting& meeting : meetings.fixed) {
          SNUG_REQUIRE_OFTEN(meeting.y == 0);
          found = found || (meeting.x == x && is_in(at, meeting.forbidden));
        }
        bool expected = false;
        for (Index y = 0; y < count && !expected; ++y)
          expected = bodies.bodies[y].fixed != Body::kFree &&
                     clash(x, at, y, bodies.bodies[y].fixed);
        for (const std::size_t i : members[x])
          expected =
              expected ||
              hits_reserved(problem, i, (at + bodies.delta[i]) * bodies.unit);
        SNUG_REQUIRE_OFTEN(found == expected);
        if (found) ++next_to_fixed;
      }
    }
  }
  CHECK(forbidden > at_least<std::size_t>(20000));
  CHECK(allowed > 20000);
  CHECK(holes > at_least<std::size_t>(100));
  CHECK(next_to_fixed > at_least<std::size_t>(2000));
}

TEST_CASE("relations: meetings are counted into their places") {
  Random random(17);
  for (int round = 0; round < 300; ++round) {
    CAPTURE(round);
    const auto bodies = random.between<Index>(1, 12);
    List<Meeting> meetings;
    for (int k = random.between(0, 200); k > 0; --k) {
      const std::int64_t lower = random.between(-9, 9);
      meetings.push_back({random.between<Index>(0, bodies - 1),
                          random.between<Index>(0, bodies - 1),
                          {lower, lower + random.between(1, 3)}});
    }
    std::vector<Meeting> expected(meetings.begin(), meetings.end());
    std::sort(expected.begin(), expected.end(), is_before);
    sort_meetings(meetings, bodies);
    REQUIRE(meetings.size() == expected.size());
    for (std::size_t k = 0; k < expected.size(); ++k) {
      REQUIRE(!is_before(expected[k], meetings[k]));
      REQUIRE(!is_before(meetings[k], expected[k]));
    }
  }
}

}  // namespace relations_test
