// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Three translation units of one program want different things: one refuses
/// constraints, one saves code, and this one has all of the model and
/// explains. Each gets what it asks for, in whatever order they are linked:
/// the build does so in two.
#include "expect.hpp"
#include "snug/explain.hpp"
#include "snug/minimize.hpp"
#include "snug/solve.hpp"
#include "support/status.hpp"

#include <cstdint>
#include <vector>

snug::Result<> solve_plain(const snug::Problem<>& problem,
                           std::int64_t capacity);
snug::Result<> minimize_plain(const snug::Problem<>& problem);
snug::Result<> solve_small(const snug::Problem<>& problem,
                           std::int64_t capacity);

int main() {
  // Three of 4 bytes; a gap lets the third one share the room of the first.
  snug::Problem<> problem;
  problem.buffers = {{{0, 4}, 4}, {{0, 4}, 4}, {{2, 6}, 4}};
  problem.buffers[0].gaps = {{{2, 4}, {}}};
  constexpr auto kInfeasible = snug::Status::kInfeasible;
  constexpr auto kUnsupported = snug::Reason::kUnsupported;

  expect(solve_plain(problem, 8).error.reason == kUnsupported,
         "plain solve refuses the gap");
  expect(minimize_plain(problem).error.reason == kUnsupported,
         "plain minimize refuses the gap");
  expect(is_placed(snug::solve(problem, std::int64_t{8}).status),
         "solve takes the gap");
  expect(snug::minimize(problem).height == 8, "minimize takes the gap");
  expect(is_placed(solve_small(problem, 8).status), "small solve does");
  expect(solve_small(problem, 7).status == kInfeasible, "and refutes");
  const auto explained = snug::explain(problem, std::int64_t{7});
  expect(explained.error.ok() && explained.status == kInfeasible,
         "explain takes the gap");
  expect(explained.buffers == std::vector<std::size_t>{0, 1} ||
             explained.buffers == std::vector<std::size_t>{1, 2},
         "explain names two that do not fit");
  expect(is_placed(snug::explain(problem, std::int64_t{8}).status),
         "explain finds that all fit");

  problem.buffers[0].gaps.clear();
  expect(is_placed(solve_plain(problem, 12).status), "plain solve");
  expect(minimize_plain(problem).height == 12, "plain minimize");
  expect(snug::minimize(problem).height == 12, "minimize");
  expect(solve_small(problem, 11).status == kInfeasible, "small solve");
  return failures == 0 ? 0 : 1;
}
