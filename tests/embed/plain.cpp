// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The entry point without constraints: they are refused, hints are ignored,
/// and plain problems have the results that the whole model gives: by the same steps
/// where there are no alignments, for which it knows other ways.
#include "snug/plain.hpp"

#include "expect.hpp"
#include "snug/minimize.hpp"
#include "snug/small.hpp"
#include "snug/solve.hpp"
#include "snug/validate.hpp"
#include "support/status.hpp"

#include <cstddef>
#include <cstdint>

namespace {

using snug::Problem;
using snug::Reason;
using snug::Result;
using snug::Status;

// Five buffers that fill 12 bytes without waste.
Problem<> running_example() {
  Problem<> problem;
  problem.buffers = {
      {{0, 3}, 4}, {{3, 9}, 4}, {{0, 9}, 4}, {{9, 21}, 4}, {{0, 21}, 4}};
  return problem;
}

// Some that take a search: sizes that just fit, many of them. Every second one has
// alignments.
Problem<> walk(std::uint64_t seed) {
  const bool is_aligned = seed % 2 != 0;
  Problem<> problem;
  const auto draw = [&](std::uint64_t below) {
    seed = seed * 6364136223846793005 + 1442695040888963407;
    return static_cast<std::int64_t>((seed >> 33) % below);
  };
  for (int k = 0; k < 20; ++k) {
    const std::int64_t lower = draw(20);
    problem.buffers.push_back({{lower, lower + 1 + draw(8)},
                               1 + draw(6),
                               is_aligned && draw(4) == 0 ? 2 : 1});
  }
  return problem;
}

void refuse(const Problem<>& problem, std::size_t buffer, const char* what) {
  expect(snug::check(problem).ok(), what);
  for (const Result<>& result : {snug::plain::solve(problem, std::int64_t{12}),
                                 snug::plain::minimize(problem)}) {
    expect(result.status == Status::kInvalid, what);
    expect(result.error.reason == Reason::kUnsupported, what);
    expect(result.error.buffer == buffer, what);
    expect(result.offsets.empty(), what);
  }
}

void refuse_each() {
  constexpr std::size_t kNobody = snug::Check::kNoBuffer;
  const auto with = [](auto change) {
    Problem<> problem = running_example();
    change(problem);
    return problem;
  };
  refuse(with([](auto& p) { p.buffers[2].gaps = {{{4, 5}, {}}}; }), 2, "gap");
  refuse(with([](auto& p) { p.buffers[4].offset = 0; }), 4, "offset");
  refuse(with([](auto& p) { p.buffers[3].end = snug::End::kTop; }), 3, "end");
  refuse(with([](auto& p) {
           p.aliases = {{0, 1, 0}};
           p.buffers[1].offset = 8;
         }),
         1, "the buffer first");
  refuse(with([](auto& p) { p.aliases = {{0, 1, 0}}; }), kNobody, "alias");
  refuse(with([](auto& p) { p.contiguous = {{0, 1}}; }), kNobody, "group");
  refuse(with([](auto& p) { p.apart = {{0, 1}}; }), kNobody, "apart");
  refuse(with([](auto& p) { p.may_overlap = {{0, 2}}; }), kNobody, "overlap");
  refuse(with([](auto& p) {
           p.reserved = {{{0, 1}, {}}};
         }),
         kNobody, "reserved");
  refuse(with([](auto& p) { p.base = 1; }), kNobody, "base");
}

/// The same answer by the same steps, in numbers of whatever width.
bool same_steps(const Result<>& a, const Result<>& b) {
  return a.status == b.status && a.offsets == b.offsets &&
         a.height == b.height && a.lower_bound == b.lower_bound &&
         a.stats.nodes == b.stats.nodes && a.stats.runs == b.stats.runs;
}

bool same(const Result<>& a, const Result<>& b) {
  return same_steps(a, b) && a.stats.peak_bytes == b.stats.peak_bytes;
}

/// The same answer, wherever the buffers are.
bool same_answer(const Result<>& plain, const Result<>& whole) {
  return plain.status == whole.status && plain.height == whole.height;
}

void compare_aligned(const Problem<>& problem) {
  const Result<> lowest = snug::plain::minimize(problem);
  expect(is_solved(lowest), "the lowest height");
  expect(same_answer(lowest, snug::small::minimize(problem)) &&
             same_answer(lowest, snug::minimize(problem)),
         "minimize with alignments");
  for (std::int64_t capacity = lowest.height - 1; capacity <= lowest.height;
       ++capacity) {
    const Result<> plain = snug::plain::solve(problem, capacity);
    expect(same_answer(plain, snug::small::solve(problem, capacity)) &&
               same_answer(plain, snug::solve(problem, capacity)),
           "solve with alignments");
  }
}

void compare_with_whole() {
  std::int64_t nodes = 0;
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    Problem<> problem = walk(seed);
    if (seed % 2 != 0) {
      compare_aligned(problem);
      continue;
    }
    const Result<> lowest = snug::plain::minimize(problem);
    expect(is_solved(lowest), "the lowest height");
    expect(same_answer(lowest, snug::small::minimize(problem)),
           "minimize as with constraints");
    expect(same_steps(lowest, snug::minimize(problem)),
           "minimize as in other widths");
    for (std::int64_t capacity = lowest.height - 2;
         capacity <= lowest.height + 1; ++capacity) {
      const Result<> plain = snug::plain::solve(problem, capacity);
      expect(same_answer(plain, snug::small::solve(problem, capacity)),
             "solve as with constraints");
      expect(same_steps(plain, snug::solve(problem, capacity)),
             "solve as in other widths");
      nodes += plain.stats.nodes;
      if (is_solved(plain))
        expect(snug::validate(problem, capacity, plain.offsets).ok(),
               "a placement");
      // Hints are ignored.
      Problem<> hinted = problem;
      for (auto& buffer : hinted.buffers) buffer.hint = 1;
      expect(same(snug::plain::solve(hinted, capacity), plain),
             "solve and hints");
    }
    Problem<> hinted = problem;
    for (auto& buffer : hinted.buffers) buffer.hint = 1;
    expect(same(snug::plain::minimize(hinted), lowest), "minimize and hints");
  }
  expect(nodes > 1000, "problems that take a search");
}

}  // namespace

int main() {
  const Result<> solved =
      snug::plain::solve(running_example(), std::int64_t{12});
  expect(is_solved(solved), "solved at 12");
  expect(snug::plain::solve(running_example(), std::int64_t{11}).status ==
             Status::kInfeasible,
         "infeasible at 11");
  refuse_each();
  compare_with_whole();
  return failures == 0 ? 0 : 1;
}
