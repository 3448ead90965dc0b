// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a caller promises and no result can report is asserted, with the name of
/// the call: prints what fails in the call that the argument names.
#include <cstdio>
#include <cstdlib>

namespace {

[[noreturn]] void fail(const char* text) {
  std::puts(text);
  std::exit(1);
}

}  // namespace

#define SNUG_ASSERT(condition) \
  static_cast<void>((condition) || (fail(#condition), false))

#include "snug/snug.hpp"

#include <cstdint>
#include <string>
#include <vector>

int main(int argc, char** argv) {
  const std::string call = argc > 1 ? argv[1] : "";
  snug::Problem<> problem;
  problem.buffers.push_back({{0, 2}, 8});
  problem.buffers.push_back({{2, 4}, 8});
  problem.penalties.push_back({0, 1, 5});
  std::vector<std::int64_t> offsets{0, 0};
  if (snug::penalty_cost(problem, offsets) != 5) return 2;
  if (snug::subset(problem, {0, 1}).buffers.size() != 2) return 2;
  snug::put_back({1}, {std::int64_t{8}}, offsets);
  snug::Planner<> planner(problem, offsets, 16);
  planner.fix(1);
  planner.unfix(1);
  planner.remove(1);
  snug::Problem<> group = problem;
  group.contiguous.push_back({0, 1});
  snug::Planner<> grouped(group, {0, 8}, 16);

  if (call == "penalty_cost") (void)snug::penalty_cost(problem, {0});
  if (call == "subset_order") (void)snug::subset(problem, {1, 0});
  if (call == "subset_range") (void)snug::subset(problem, {0, 2});
  if (call == "put_back_count") snug::put_back({0, 1}, {8}, offsets);
  if (call == "put_back_range") snug::put_back({2}, {8}, offsets);
  if (call == "Planner_count") (void)snug::Planner<>(problem, {0}, 16);
  if (call == "Planner::fix_range") planner.fix(2);
  if (call == "Planner::unfix_range") planner.unfix(2);
  if (call == "Planner::remove_range") planner.remove(2);
  if (call == "Planner::remove_group") grouped.remove(1);
  return 0;
}
