// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A program without exceptions and RTTI solves, refuses and stops.
#include "expect.hpp"
#include "snug/race.hpp"
#include "snug/snug.hpp"
#include "support/status.hpp"

#include <cstdint>

#if defined(__cpp_exceptions) || defined(__cpp_rtti)
#error "this program must be compiled without exceptions and RTTI"
#endif

namespace {

// The running example: five buffers that fill 12 bytes without waste.
template <class Size, class Time>
snug::Problem<Size, Time> running_example() {
  snug::Problem<Size, Time> problem;
  problem.buffers.push_back({{0, 3}, 4});
  problem.buffers.push_back({{3, 9}, 4});
  problem.buffers.push_back({{0, 9}, 4});
  problem.buffers.push_back({{9, 21}, 4});
  problem.buffers.push_back({{0, 21}, 4});
  return problem;
}

template <class Size, class Time>
bool is_placement(const snug::Problem<Size, Time>& problem, Size capacity,
                  const snug::Result<Size>& result) {
  const auto& buffers = problem.buffers;
  if (result.offsets.size() != buffers.size()) return false;
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    if (result.offsets[i] < 0) return false;
    if (result.offsets[i] + buffers[i].size > capacity) return false;
    for (std::size_t j = 0; j < i; ++j)
      if (buffers[i].lifespan.overlaps(buffers[j].lifespan) &&
          result.offsets[i] < result.offsets[j] + buffers[j].size &&
          result.offsets[j] < result.offsets[i] + buffers[i].size)
        return false;
  }
  return true;
}

template <class Size, class Time>
void run() {
  const auto problem = running_example<Size, Time>();
  const auto solved = snug::solve(problem, Size{12});
  expect(is_solved(solved), "solved at 12");
  expect(is_placement(problem, Size{12}, solved), "placement at 12");
  expect(solved.height == 12, "height 12");

  const auto raced = snug::race::minimize(problem, 2);
  expect(raced.status == snug::Status::kOptimal, "optimal in a race");
  expect(is_placement(problem, Size{12}, raced), "placement of a race");

  const auto refuted = snug::solve(problem, Size{11});
  expect(refuted.status == snug::Status::kInfeasible, "infeasible at 11");
  expect(!refuted.has_solution(), "no placement at 11");

  // The load is 12; the alignment costs 8 bytes more.
  snug::Problem<Size, Time> aligned;
  for (int k = 0; k < 3; ++k) aligned.buffers.push_back({{0, 1}, 4, 8});
  const auto wasteful = snug::solve(aligned, Size{19});
  expect(wasteful.status == snug::Status::kInfeasible, "infeasible at 19");
  const auto padded = snug::solve(aligned, Size{20});
  expect(is_solved(padded), "solved at 20");
  expect(is_placement(aligned, Size{20}, padded), "placement at 20");

  auto invalid = problem;
  invalid.buffers[2].size = -1;
  const auto refused = snug::solve(invalid, Size{12});
  expect(refused.status == snug::Status::kInvalid, "refused");
  expect(refused.error.reason == snug::Reason::kNegativeSize, "its reason");
  expect(refused.error.buffer == 2, "its buffer");
}

}  // namespace

int main() {
  run<std::int64_t, std::int64_t>();
  run<std::int32_t, std::int32_t>();
  return failures == 0 ? 0 : 1;
}
