// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/waits.hpp"

#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/random.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace waits_test {

namespace {

using namespace snug::testing;
using snug::BufferPair;
using snug::Dependency;
using snug::find_waits;
using snug::HappensBefore;
using snug::kNoIndex;
using snug::Problem;
using snug::SeparationFault;
using snug::Waits;

using Users = std::vector<std::vector<std::size_t>>;
using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;

Pairs pairs_of(const Waits& waits) {
  Pairs pairs;
  for (const Dependency& wait : waits.waits)
    pairs.emplace_back(wait.before, wait.after);
  return pairs;
}

}  // namespace

TEST_CASE("waits: two streams") {
  // The picture in the header.
  Problem<> problem;
  problem.buffers.push_back({{0, 2}, 8});
  problem.buffers.push_back({{2, 4}, 8});
  const Users users = {{0, 1}, {2, 3}};
  const auto find = [&](const std::vector<Dependency>& dependencies,
                        std::int64_t offset) {
    const std::vector<std::int64_t> offsets = {0, offset};
    return pairs_of(
        find_waits(problem, users, {0, 0, 1, 1}, dependencies, offsets));
  };
  CHECK(find({}, 0) == Pairs{{1, 2}});
  CHECK(find({}, 7) == Pairs{{1, 2}});
  CHECK(find({}, 8).empty());
  CHECK(find({{0, 3}}, 0) == Pairs{{1, 2}});
  CHECK(find({{1, 2}}, 0).empty());
  problem.buffers[1].size = 0;
  CHECK(find({}, 4).empty());
}

TEST_CASE("waits: what other waits imply is left out") {
  // Readers on two streams, then a writer on a third and its reader on a fourth.
  Problem<> problem;
  problem.buffers.push_back({{0, 3}, 8});
  problem.buffers.push_back({{3, 5}, 8});
  const Users users = {{0, 1, 2}, {3, 4}};
  const std::vector<std::int64_t> offsets = {0, 0};
  CHECK(pairs_of(find_waits(problem, users, {0, 0, 1, 2, 3}, {{0, 2}, {3, 4}},
                            offsets)) == Pairs{{1, 3}, {2, 3}});
  // Nothing orders the writer and the reader.
  CHECK(pairs_of(find_waits(problem, users, {0, 0, 1, 2, 3}, {{0, 2}},
                            offsets)) == Pairs{{1, 3}, {2, 3}, {1, 4}, {2, 4}});
}

TEST_CASE("waits: nobody waits without need, though fewer waits would do") {
  // That operator 2 waits for operator 1 would be enough, and holds 2 up.
  Problem<> problem;
  for (std::int64_t op = 0; op < 4; ++op)
    problem.buffers.push_back({{op, op + 1}, 8});
  const Users users = {{0}, {1}, {2}, {3}};
  CHECK(pairs_of(find_waits(problem, users, {0, 0, 1, 1}, {},
                            std::vector<std::int64_t>{0, 8, 0, 8})) ==
        Pairs{{0, 2}, {1, 3}});
}

TEST_CASE("waits: a buffer in the gap of another waits and is waited for") {
  Problem<> problem;
  problem.buffers.push_back({{0, 4}, 8, 1, {{{1, 3}, {}}}});
  problem.buffers.push_back({{1, 3}, 8});
  const std::vector<std::int64_t> offsets = {0, 0};
  CHECK(pairs_of(find_waits(problem, {{0, 3}, {1, 2}}, {0, 1, 1, 0}, {},
                            offsets)) == Pairs{{0, 1}, {2, 3}});
}

TEST_CASE("waits: faults") {
  Problem<> problem;
  problem.buffers.push_back({{0, 1}, 8});
  problem.buffers.push_back({{1, 2}, 8});
  const std::vector<std::int64_t> offsets = {0, 0};
  Waits bad = find_waits(problem, {{0}, {1}}, {0, 1}, {{1, 0}}, offsets);
  CHECK(bad.fault == SeparationFault::kBadDependency);
  CHECK(bad.index == 0);
  CHECK_FALSE(bad.ok());
  bad = find_waits(problem, {{0}, {7}}, {0, 1}, {}, offsets);
  CHECK(bad.fault == SeparationFault::kUnknownOperator);
  CHECK(bad.index == 1);
  bad = find_waits(problem, {{0}, {1}}, {0, 1}, {}, {std::int64_t{0}});
  CHECK(bad.fault == SeparationFault::kWrongOffsetCount);
  CHECK(bad.index == kNoIndex);
  CHECK(bad.waits.empty());
  CHECK(find_waits(problem, {{0}, {1}}, {0, 1}, {}, offsets).ok());
}

TEST_CASE("waits: they make pairs that share safe, and none is too many") {
  Random random(31);
  int waits = 0;
  int shared = 0;
  for (int round = 0; round < effort(400); ++round) {
    CAPTURE(round);
    const std::size_t n = random.between<std::size_t>(2, 20);
    std::vector<std::size_t> streams;
    for (std::size_t t = 0; t < n; ++t) streams.push_back(random.below(4));
    std::vector<Dependency> dependencies;
    for (std::size_t e = random.below(n); e > 0; --e) {
      const std::size_t after = random.between<std::size_t>(1, n - 1);
      dependencies.push_back({random.below(after), after});
    }
    Problem<std::int32_t, std::int32_t> problem;
    Users users;
    std::vector<std::int32_t> offsets;
    for (int b = 0; b < 8; ++b) {
      const std::size_t first = random.below(n);
      const std::size_t last = (std::min)(n - 1, first + random.below(4));
      users.emplace_back();
      for (std::size_t op = first; op <= last; ++op)
        if (op == first || op == last || random.chance(30))
          users.back().push_back(op);
      problem.buffers.push_back({{static_cast<std::int32_t>(first),
                                  static_cast<std::int32_t>(last + 1)},
                                 random.between(0, 3)});
      offsets.push_back(random.between(0, 5));
    }
    const HappensBefore order(streams, dependencies);
    const auto unsafe = snug::find_separations(problem, users, order).pairs;
    const Waits found =
        find_waits(problem, users, streams, dependencies, offsets);
    REQUIRE(found.ok());
    // Whether `all` orders every two users of every two that share bytes.
    const auto is_safe = [&](const HappensBefore& all) {
      bool safe = true;
      for (const BufferPair& pair : unsafe)
        for (std::int32_t byte = 0; byte < 9; ++byte) {
          const auto covers = [&](std::size_t i) {
            return offsets[i] <= byte &&
                   byte < offsets[i] + problem.buffers[i].size;
          };
          if (!covers(pair.first) || !covers(pair.second)) continue;
          for (const std::size_t i : users[pair.first])
            for (const std::size_t j : users[pair.second])
              safe = safe && (i == j || all(i, j) || all(j, i));
        }
      return safe;
    };
    REQUIRE(found.waits.empty() == is_safe(order));
    const auto with = [&](const std::vector<Dependency>& added) {
      std::vector<Dependency> all = dependencies;
      all.insert(all.end(), added.begin(), added.end());
      return HappensBefore(streams, all);
    };
    REQUIRE(is_safe(with(found.waits)));
    for (std::size_t k = 0; k < found.waits.size(); ++k) {
      REQUIRE_FALSE(order(found.waits[k].before, found.waits[k].after));
      std::vector<Dependency> fewer = found.waits;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(k));
      REQUIRE_FALSE(is_safe(with(fewer)));
    }
    waits += static_cast<int>(found.waits.size());
    shared += found.waits.empty() ? 0 : 1;
  }
  CHECK(waits > at_least(400));
  CHECK(shared > at_least(200));
}

}  // namespace waits_test
