// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cliques against their definition, section by section.
#include "snug/bodies/cliques.hpp"

#include "support/body_walker.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/plain.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace cliques_test {

using namespace snug::testing;
using snug::Problem;
using snug::detail::Bodies;
using snug::detail::Body;
using snug::detail::Classes;
using snug::detail::CliqueFinder;
using snug::detail::Index;
using snug::detail::Job;
using snug::detail::Meetings;
using snug::detail::Slab;

namespace {

/// A job: its body, whether it is of idle bytes, its lower end and its length.
using Plain = std::tuple<Index, bool, std::int64_t, std::int64_t>;

struct Clique {
  Index owner;
  std::vector<Plain> jobs;

  friend bool operator==(const Clique& a, const Clique& b) {
    return a.owner == b.owner && a.jobs == b.jobs;
  }
};

std::vector<Clique> find_all(const Bodies& bodies, const Classes& classes) {
  std::vector<Clique> result;
  CliqueFinder(bodies, classes)
      .for_each([&](Index owner, const snug::detail::List<Job>& jobs) {
        Clique clique{owner, {}};
        for (const Job& job : jobs)
          clique.jobs.emplace_back(job.body, job.is_idle, job.lower,
                                   job.length);
        result.push_back(clique);
      });
  return result;
}

/// Byte by byte: the jobs that some slabs make.
std::vector<Plain> jobs_of(const Bodies& bodies,
                           const std::vector<Index>& slabs) {
  std::set<std::pair<Index, std::int64_t>> bytes;
  for (const Index k : slabs) {
    const Slab& slab = bodies.slabs[k];
    const std::int64_t fixed = bodies.bodies[slab.body].fixed;
    for (std::int64_t byte = slab.bytes.lower; byte < slab.bytes.upper; ++byte)
      if (fixed == Body::kFree) {
        bytes.emplace(slab.body, byte);
      } else {
        bytes.emplace(Job::kFixed, byte + fixed);
      }
  }
  std::vector<Plain> jobs;
  for (const auto& [body, byte] : bytes) {
    if (!jobs.empty()) {
      auto& [last, idle, lower, length] = jobs.back();
      if (last == body && lower + length == byte) {
        ++length;
        continue;
      }
    }
    jobs.emplace_back(body, false, byte, 1);
  }
  return jobs;
}

/// The sets of slabs of a section none of which may overlap another: the
/// largest go first, each into the first set all of which it excludes.
std::vector<std::vector<Index>> sets_of(const Bodies& bodies, Index section) {
  std::vector<Index> live;
  for (Index k = 0; k < bodies.slabs.size(); ++k)
    if (bodies.slabs[k].sections.lower <= section &&
        section < bodies.slabs[k].sections.upper)
      live.push_back(k);
  const auto length = [&](Index k) {
    return bodies.slabs[k].bytes.upper - bodies.slabs[k].bytes.lower;
  };
  std::sort(live.begin(), live.end(), [&](Index a, Index b) {
    return std::make_pair(-length(a), a) < std::make_pair(-length(b), b);
  });
  std::vector<std::vector<Index>> sets;
  for (const Index k : live) {
    const auto fits = [&](const std::vector<Index>& set) {
      return std::all_of(set.begin(), set.end(), [&](Index other) {
        const Slab& a = bodies.slabs[k];
        const Slab& b = bodies.slabs[other];
        return a.body == b.body || bodies.exclude(a, b);
      });
    };
    const auto set = std::find_if(sets.begin(), sets.end(), fits);
    if (set == sets.end()) {
      sets.push_back({k});
    } else {
      set->push_back(k);
    }
  }
  return sets;
}

/// The classes of free bodies by joining those that meet until nothing changes.
std::vector<Index> class_names(const Bodies& bodies, const Meetings& meetings) {
  std::vector<Index> name(bodies.bodies.size());
  for (Index b = 0; b < name.size(); ++b) name[b] = b;
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& meeting : meetings.free) {
      const Index least = (std::min)(name[meeting.x], name[meeting.y]);
      changed = changed || name[meeting.x] != name[meeting.y];
      name[meeting.x] = name[meeting.y] = least;
    }
  }
  return name;
}

}  // namespace

TEST_CASE("cliques: classes of bodies that are linked", "[cliques]") {
  std::size_t linked = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const Bodies bodies = bodies_of(draw_constrained(seed, 9));
    const Meetings meetings = snug::detail::find_meetings(bodies);
    const Classes classes(bodies, meetings);
    const std::vector<Index> name = class_names(bodies, meetings);
    std::vector<Index> names;  // By number of the class.
    CAPTURE(seed);
    for (Index b = 0; b < bodies.bodies.size(); ++b) {
      if (bodies.bodies[b].fixed != Body::kFree) {
        REQUIRE(classes.of(b) == Classes::kNone);
        continue;
      }
      if (name[b] == b) names.push_back(b);
      REQUIRE(classes.of(b) < names.size());
      REQUIRE(names[classes.of(b)] == name[b]);
      if (std::count(name.begin(), name.end(), name[b]) > 1) ++linked;
    }
    REQUIRE(classes.count() == names.size());
  }
  CHECK(linked > 1000);
}

//     8 +-------+     0 [0, 4) and 1 [4, 6) are of one body, so one job of 6;
//       |   2   |     2 is fixed at 6. 3 may overlap 0: the larger, 0, goes
//     6 +---+---+     first, then 3 has to begin another set.
//       | 1 |   |
//     4 +---+ 3 |
//       | 0 |   |
//     0 +---+---+
TEST_CASE("cliques: jobs join, exempt pairs part", "[cliques]") {
  Problem<> problem;
  problem.buffers = {{{0, 1}, 4}, {{0, 1}, 2}, {{0, 1}, 2}, {{0, 1}, 3}};
  problem.contiguous = {{0, 1}};
  problem.buffers[2].offset = 6;
  const auto find = [&] {
    const Bodies bodies = bodies_of(problem);
    return find_all(bodies,
                    Classes(bodies, snug::detail::find_meetings(bodies)));
  };
  const Plain both{0, false, 0, 6};
  const Plain fixed{Job::kFixed, false, 6, 2};
  const Plain last{2, false, 0, 3};
  std::vector<Clique> cliques = find();
  REQUIRE(cliques.size() == 1);
  CHECK(cliques[0].owner == 0);
  CHECK(cliques[0].jobs == std::vector<Plain>{both, last, fixed});

  // 0 of 4, 3 of 3, then 1 of 2, which goes with 0, and 2, likewise.
  problem.may_overlap = {{3, 0}};
  cliques = find();
  REQUIRE(cliques.size() == 1);
  CHECK(cliques[0].jobs == std::vector<Plain>{both, fixed});

  // 3 and 2 say nothing if 2 is in the first set; so 2 may overlap 0, too.
  problem.may_overlap = {{3, 0}, {2, 0}};
  cliques = find();
  REQUIRE(cliques.size() == 1);
  CHECK(cliques[0].owner == 0);
  CHECK(cliques[0].jobs == std::vector<Plain>{last, fixed});
}

TEST_CASE("cliques: one job, or none that moves, says nothing", "[cliques]") {
  Problem<> problem;
  problem.buffers = {{{0, 1}, 4}, {{1, 2}, 2}, {{1, 2}, 2}};
  problem.buffers[1].offset = 0;
  problem.buffers[2].offset = 2;
  const Bodies bodies = bodies_of(problem);
  const Classes classes(bodies, snug::detail::find_meetings(bodies));
  CHECK(classes.count() == 1);
  CHECK(find_all(bodies, classes).empty());
}

TEST_CASE("cliques: agree with their definition", "[cliques]") {
  std::size_t split = 0;
  std::size_t with_fixed = 0;
  std::size_t broken = 0;
  std::size_t with_idle = 0;
  for (std::uint64_t seed = 0; seed < effort(2000U); ++seed) {
    const Bodies bodies = bodies_of(draw_constrained(seed, 9));
    const Meetings meetings = snug::detail::find_meetings(bodies);
    const Classes classes(bodies, meetings);
    const std::vector<Clique> found = find_all(bodies, classes);
    const auto all_idle = snug::detail::find_idle(bodies);
    std::vector<Clique> expected;
    for (Index s = 0; s < bodies.sections; ++s) {
      const auto sets = sets_of(bodies, s);
      if (sets.size() > 1) ++split;
      for (const auto& set : sets) {
        Clique clique{Classes::kNone, jobs_of(bodies, set)};
        for (const auto& [body, idle, lower, length] : clique.jobs) {
          if (body == Job::kFixed) continue;
          // Whoever excludes one another is of one class.
          REQUIRE((clique.owner == Classes::kNone ||
                   clique.owner == classes.of(body)));
          clique.owner = classes.of(body);
        }
        if (clique.owner == Classes::kNone) continue;
        for (const snug::detail::Idle& idle : all_idle)
          if (idle.section == s && classes.of(idle.body) == clique.owner) {
            clique.jobs.emplace_back(idle.body, true, idle.lower, idle.bytes);
            ++with_idle;
          }
        std::sort(clique.jobs.begin(), clique.jobs.end());
        if (clique.jobs.size() < 2) continue;
        if (std::get<0>(clique.jobs.back()) == Job::kFixed) ++with_fixed;
        for (std::size_t k = 1; k < clique.jobs.size(); ++k)
          if (std::get<0>(clique.jobs[k]) == std::get<0>(clique.jobs[k - 1]) &&
              !std::get<1>(clique.jobs[k]))
            ++broken;
        expected.push_back(clique);
      }
    }
    CAPTURE(seed);
    REQUIRE(found == expected);
  }
  CHECK(split > at_least(200U));
  CHECK(with_fixed > at_least(200U));
  CHECK(broken > at_least(50U));
  CHECK(with_idle > at_least(50U));
}

}  // namespace cliques_test
