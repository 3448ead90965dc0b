// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "baselines/overlaps.hpp"
#include "snug/model/problem.hpp"
#include "support/catch.hpp"
#include "support/generators.hpp"
#include "support/pairwise.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace baseline_overlaps_test {

using namespace snug::baselines;
using snug::testing::Random;

namespace {

snug::Problem<> random_problem(std::uint64_t seed) {
  Random random(seed);
  snug::testing::Shape shape;
  shape.count = random.between(std::size_t{0}, std::size_t{20});
  shape.length = random.between(std::int64_t{1}, std::int64_t{12});
  snug::Problem<> problem = snug::testing::uniform<>(shape, random);
  for (std::size_t k = 0; shape.count > 1 && k < 4; ++k) {
    const std::size_t i = random.below(shape.count);
    const std::size_t j = random.below(shape.count);
    if (i != j) problem.apart.push_back({i, j});
  }
  return problem;
}

bool may_not_share(const snug::Problem<>& problem, std::size_t i,
                   std::size_t j) {
  if (problem.buffers[i].lifespan.overlaps(problem.buffers[j].lifespan))
    return true;
  return std::any_of(problem.apart.begin(), problem.apart.end(),
                     [&](const snug::BufferPair& pair) {
                       return (pair.first == i && pair.second == j) ||
                              (pair.first == j && pair.second == i);
                     });
}

}  // namespace

TEST_CASE("overlaps: conflicts are pairs live together or kept apart") {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    const snug::Problem<> problem = random_problem(seed);
    const auto conflicts = conflicts_of(problem);
    for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
      std::vector<std::uint32_t> expected;
      for (std::size_t j = 0; j < problem.buffers.size(); ++j)
        if (j != i && may_not_share(problem, i, j))
          expected.push_back(static_cast<std::uint32_t>(j));
      CHECK(conflicts[i] == expected);
    }
  }
}

TEST_CASE("overlaps: counts are the lengths of the lists, pairs given once") {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    snug::Problem<> problem = random_problem(seed);
    problem.apart.resize((std::min)(problem.apart.size(), std::size_t{1}));
    const auto conflicts = conflicts_of(problem);
    const std::vector<std::size_t> counts = conflict_counts(problem);
    REQUIRE(counts.size() == conflicts.size());
    for (std::size_t i = 0; i < counts.size(); ++i)
      CHECK(counts[i] == conflicts[i].size());
  }
}

TEST_CASE("overlaps: a live set knows what was put in and taken out") {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const snug::Problem<> problem = random_problem(seed);
    const std::size_t n = problem.buffers.size();
    LiveSet live(problem);
    std::vector<char> is_in(n, 0);
    for (int step = 0; n > 0 && step < 30; ++step) {
      const std::size_t i = random.below(n);
      if (is_in[i] != 0)
        live.erase(i);
      else
        live.insert(i);
      is_in[i] = static_cast<char>(1 - is_in[i]);
      const auto lower = random.between(std::int64_t{-1}, std::int64_t{12});
      const auto upper =
          lower + random.between(std::int64_t{1}, std::int64_t{5});
      std::vector<std::size_t> expected;
      for (std::size_t j = 0; j < n; ++j)
        if (is_in[j] != 0 &&
            problem.buffers[j].lifespan.overlaps({lower, upper}))
          expected.push_back(j);
      std::vector<std::size_t> found;
      live.for_each_live({lower, upper},
                         [&](std::size_t j) { found.push_back(j); });
      CHECK(std::is_sorted(found.begin(), found.end(),
                           [&](std::size_t a, std::size_t b) {
                             return problem.buffers[a].lifespan.lower <
                                    problem.buffers[b].lifespan.lower;
                           }));
      std::sort(found.begin(), found.end());
      CHECK(found == expected);
    }
  }
}

TEST_CASE("overlaps: the load is the largest of the profile") {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const snug::Problem<> problem = random_problem(seed);
    CHECK(snug::baselines::load_of(problem) == snug::testing::load_of(problem));
    const Profile profile = profile_of(problem);
    for (std::size_t k = 0; k < profile.moments.size(); ++k) {
      Bytes load = 0;
      for (const snug::Buffer<>& buffer : problem.buffers)
        if (buffer.lifespan.overlaps(
                {profile.moments[k], profile.moments[k] + 1}))
          load += buffer.size;
      CHECK(profile.loads[k] == load);
    }
  }
}

}  // namespace baseline_overlaps_test
