// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/peak/work.hpp"

#include "generate.hpp"
#include "snug/heuristics/boxes.hpp"
#include "support/catch.hpp"
#include "support/plain.hpp"

#include <cstddef>
#include <cstdint>

namespace work_test {

using snug::detail::Boxes;
using snug::detail::Memory;
using snug::detail::Work;

namespace {

Work work_of(const snug::Problem<>& problem) {
  Memory memory;
  const snug::testing::Plain plain = snug::testing::plain_of(problem);
  const Boxes boxes = snug::detail::make_boxes(plain, memory);
  return Work(boxes, memory);
}

snug::Problem<> clique_of(std::size_t count) {
  snug::Problem<> problem;
  for (std::size_t k = 0; k < count; ++k)
    problem.buffers.push_back({{0, 1}, 1});
  return problem;
}

}  // namespace

TEST_CASE("work: counts the overlapping pairs") {
  // A clique of 100: each overlaps 99 others.
  CHECK(work_of(clique_of(100)).degree == 100);
  snug::Problem<> chain;
  for (std::int64_t k = 0; k < 50; ++k)
    chain.buffers.push_back({{2 * k, 2 * k + 2}, 1});
  CHECK(work_of(chain).degree == 1);
}

TEST_CASE("work: a fit of few pairs counts them, another one all boxes") {
  // Some 30 neighbours each, of 20000 and of 200.
  const auto exponential = [](std::size_t n) {
    return work_of(snug::benchmarks::exponential<>(
        n, static_cast<std::int64_t>(n), 20, 100, 1));
  };
  const Work sparse = exponential(20000);
  CHECK(sparse.fit >= 20000 * (sparse.degree - 1));
  CHECK(sparse.fit <= 20000 * sparse.degree);
  CHECK(exponential(200).fit == 200 * 200 / 64);
  CHECK(sparse.before_peak == sparse.fit / 2);
  const Work huge = work_of(clique_of(100000));
  CHECK(huge.before_peak == 4 * huge.fit);
}

TEST_CASE(
    "work: more is done before the whole of a dense problem is searched") {
  const Work few = work_of(clique_of(1000));
  const Work many = work_of(clique_of(3000));
  CHECK(few.before_whole / (1000 * few.degree) <
        many.before_whole / (3000 * many.degree));
  CHECK(few.before_whole >= 2 * 1000 * few.degree);
}

}  // namespace work_test
