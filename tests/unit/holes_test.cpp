// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/engine/holes.hpp"

#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/random.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <set>
#include <utility>
#include <vector>

namespace holes_test {

using namespace snug::testing;
using snug::detail::are_dense;
using snug::detail::find_full_holes;
using snug::detail::Index;
using snug::detail::JobStart;
using snug::detail::Sums;

namespace {

std::vector<JobStart> moving(const std::vector<std::int64_t>& lengths) {
  std::vector<JobStart> jobs;
  for (const std::int64_t length : lengths)
    jobs.push_back({0, length, static_cast<Index>(jobs.size()), true});
  return jobs;
}

/// All sums of some of the lengths.
std::set<std::int64_t> sums_of(const std::vector<std::int64_t>& lengths) {
  std::set<std::int64_t> sums = {0};
  for (const std::int64_t length : lengths) {
    const std::set<std::int64_t> before = sums;
    for (const std::int64_t sum : before) sums.insert(sum + length);
  }
  return sums;
}

/// Whether the moving jobs can be placed, each at its start or above, by
/// trying everything.
bool fits(std::vector<JobStart>& jobs, std::size_t k, std::int64_t capacity) {
  while (k < jobs.size() && !jobs[k].moves) ++k;
  if (k == jobs.size()) return true;
  const JobStart job = jobs[k];
  for (std::int64_t at = job.at; at + job.length <= capacity; ++at) {
    bool free = true;
    for (std::size_t j = 0; j < jobs.size() && free; ++j)
      free = (jobs[j].moves && j >= k) || j == k ||
             at >= jobs[j].at + jobs[j].length || jobs[j].at >= at + job.length;
    if (!free) continue;
    jobs[k].at = at;
    const bool found = fits(jobs, k + 1, capacity);
    jobs[k].at = job.at;
    if (found) return true;
  }
  return false;
}

void sort_down(std::vector<JobStart>& jobs) {
  std::sort(jobs.begin(), jobs.end(), [](const JobStart& a, const JobStart& b) {
    if (a.at != b.at) return a.at > b.at;
    if (a.moves != b.moves) return a.moves;
    return a.job < b.job;
  });
}

/// The margin that is free above each threshold, as clique_bound.hpp has it.
std::int64_t margin_of(const std::vector<JobStart>& jobs,
                       std::int64_t capacity) {
  std::int64_t margin = capacity;
  for (const JobStart& at : jobs) {
    if (!at.moves) continue;
    std::int64_t sum = at.at;
    for (const JobStart& job : jobs) {
      if (job.at >= at.at) {
        sum += job.length;
      } else if (!job.moves) {
        sum += (std::max)(job.at + job.length - at.at, std::int64_t{0});
      }
    }
    margin = (std::min)(margin, capacity - sum);
  }
  return margin;
}

}  // namespace

TEST_CASE("holes: what fills a hole", "[holes]") {
  const std::vector<JobStart> jobs = moving({3, 5, 9});
  const Sums sums(jobs.data(), jobs.data() + jobs.size(), 100);
  const std::int64_t expected[] = {0, 0, 0,  3,  3,  5,  5,  5,  8, 9,
                                   9, 9, 12, 12, 14, 14, 14, 17, 17};
  for (std::int64_t hole = 0; hole < 19; ++hole)
    CHECK(sums.fill(hole) == expected[hole]);
  CHECK(sums.fill(1000000) == 17);
}

TEST_CASE("holes: sums of many lengths", "[holes]") {
  std::size_t compared = 0;
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(300); ++seed) {
    Random random(seed);
    std::vector<std::int64_t> lengths(
        random.between(std::size_t{1}, std::size_t{8}));
    const std::int64_t unit = random.between(1, 40);
    for (std::int64_t& length : lengths)
      length = unit * random.between(1, random.chance(50) ? 5 : 60);
    std::vector<JobStart> jobs = moving(lengths);
    // Those that stay where they are do not count.
    jobs.insert(jobs.begin() + static_cast<std::ptrdiff_t>(jobs.size() / 2),
                {7, 1, 99, false});
    const std::set<std::int64_t> all = sums_of(lengths);
    const std::int64_t largest = unit * random.between(1, 300);
    const Sums sums(jobs.data(), jobs.data() + jobs.size(), largest);
    for (std::int64_t hole = 0; hole <= largest; ++hole) {
      REQUIRE(sums.fill(hole) == *std::prev(all.upper_bound(hole)));
      ++compared;
    }
  }
  CHECK(compared > 100000);
}

TEST_CASE("holes: sums are dense where no two are further apart", "[holes]") {
  std::size_t dense = 0;
  std::size_t sparse = 0;
  Random random(78);
  for (int k = 0; k < effort(2000); ++k) {
    std::vector<std::int64_t> lengths(
        random.between(std::size_t{1}, std::size_t{8}));
    for (std::int64_t& length : lengths)
      length = random.between(1, random.chance(50) ? 8 : 60);
    std::vector<JobStart> jobs = moving(lengths);
    jobs.insert(jobs.begin() + static_cast<std::ptrdiff_t>(jobs.size() / 2),
                {7, 99, 99, false});
    std::int64_t widest = 0;
    std::int64_t last = 0;
    for (const std::int64_t sum : sums_of(lengths)) {
      widest = (std::max)(widest, sum - last);
      last = sum;
    }
    for (std::int64_t gap = 0; gap < 70; ++gap) {
      const bool found = are_dense(jobs.data(), jobs.data() + jobs.size(), gap);
      if (found) REQUIRE(widest <= gap);
      ++(found ? dense : sparse);
    }
    REQUIRE(are_dense(jobs.data(), jobs.data() + jobs.size(),
                      *std::max_element(lengths.begin(), lengths.end())));
  }
  CHECK(dense > at_least(1000U));
  CHECK(sparse > at_least(1000U));
}

TEST_CASE("holes: each of several may lose what is free", "[holes]") {
  // Three holes of 7 bytes take one job of 4 each, and 5 bytes too many are free.
  const std::vector<JobStart> jobs = {{15, 1, 0, false}, {7, 1, 1, false},
                                      {0, 4, 2, true},   {0, 4, 3, true},
                                      {0, 4, 4, true},   {0, 4, 5, true}};
  CHECK(find_full_holes(jobs.data(), jobs.data() + jobs.size(), 23, 5) == 0);
}

TEST_CASE("holes: where there are too many sums, all that may be", "[holes]") {
  // Multiples of 2, from the shortest on.
  const std::vector<JobStart> jobs = moving({100, 20002, 30004});
  const Sums sums(jobs.data(), jobs.data() + jobs.size(), 40000);
  CHECK(sums.fill(99) == 0);
  CHECK(sums.fill(100) == 100);
  CHECK(sums.fill(103) == 102);
  CHECK(sums.fill(39999) == 39998);
  CHECK(sums.fill(50106) == 50106);
  CHECK(sums.fill(60000) == 50106);
  // One less than the most that are told apart.
  const std::vector<JobStart> few = moving({1, 4094, 9000});
  const Sums exact(few.data(), few.data() + few.size(),
                   std::int64_t{Sums::kMostSums} - 1);
  CHECK(exact.fill(4093) == 1);
  CHECK(exact.fill(4095) == 4095);
}

//      C +-----+        jobs of 3 and 5 bytes to come: the hole of 4 takes 3
//        |  1  |        of them, so if both begin above it they do not fit
//        +-----+
//        |     |
//        +-----+
TEST_CASE("holes: a threshold that shows it", "[holes]") {
  std::vector<JobStart> jobs = {
      {10, 3, 0, false}, {6, 3, 1, true}, {6, 5, 2, true}};
  const auto find = [&](std::int64_t capacity) {
    sort_down(jobs);
    return find_full_holes(jobs.data(), jobs.data() + jobs.size(), capacity,
                           margin_of(jobs, capacity));
  };
  CHECK(find(17) == 6);
  CHECK(find(18) == -1);
  jobs[1].at = 5;
  CHECK(find(17) == -1);
  // However much is free, if no hole takes the only one.
  jobs = {{10, 3, 0, false}, {6, 5, 1, true}};
  CHECK(margin_of(jobs, 17) == 3);
  CHECK(find(17) == 6);
}

TEST_CASE("holes: nothing without a job that stays above one that moves",
          "[holes]") {
  std::vector<JobStart> jobs = {{4, 3, 0, true}, {0, 3, 1, false}};
  CHECK(find_full_holes(jobs.data(), jobs.data() + 2, 20, 0) == -1);
  CHECK(find_full_holes(jobs.data(), jobs.data(), 20, 0) == -1);
  jobs = {{4, 3, 0, false}};
  CHECK(find_full_holes(jobs.data(), jobs.data() + 1, 20, 0) == -1);
}

TEST_CASE("holes: refutes nothing that fits", "[holes]") {
  std::size_t full = 0;
  std::size_t missed = 0;
  std::size_t fitting = 0;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    Random random(seed);
    const std::int64_t capacity = random.between(8, 18);
    std::vector<JobStart> jobs;
    // One to three jobs that stay, disjoint.
    std::int64_t at = random.between(0, 4);
    for (int k = random.between(1, 3); k > 0; --k) {
      const std::int64_t length = random.between(1, 3);
      if (at + length > capacity) break;
      jobs.push_back({at, length, static_cast<Index>(jobs.size()), false});
      at += length + random.between(0, 5);
    }
    for (int k = random.between(1, 4); k > 0; --k)
      jobs.push_back({random.between(0, static_cast<int>(capacity / 2)),
                      random.between(1, 5), static_cast<Index>(jobs.size()),
                      true});
    sort_down(jobs);
    const std::int64_t margin = margin_of(jobs, capacity);
    if (margin < 0) continue;  // The clique bound has seen to that.
    const std::int64_t found = find_full_holes(
        jobs.data(), jobs.data() + jobs.size(), capacity, margin);
    CAPTURE(seed, capacity);
    if (fits(jobs, 0, capacity)) {
      REQUIRE(found == -1);
      ++fitting;
      continue;
    }
    ++(found == -1 ? missed : full);
    if (found == -1) continue;
    // The threshold is a job's that moves; those from there on do not fit.
    REQUIRE(std::any_of(jobs.begin(), jobs.end(), [&](const JobStart& job) {
      return job.moves && job.at == found;
    }));
    std::vector<JobStart> above;
    for (JobStart job : jobs)
      if (!job.moves || job.at >= found) {
        if (job.moves) job.at = found;
        above.push_back(job);
      }
    REQUIRE_FALSE(fits(above, 0, capacity));
  }
  CHECK(fitting > 1000);
  CHECK(full > 100);
  CHECK(full > missed);
}

}  // namespace holes_test
