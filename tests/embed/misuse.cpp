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

  if (call == "penalty_cost") (void)snug::penalty_cost(problem, {0});
  if (call == "subset_order") (void)snug::subset(problem, {1, 0});
  if (call == "subset_range") (void)snug::subset(problem, {0, 2});
  if (call == "put_back_count") snug::put_back({0, 1}, {8}, offsets);
  if (call == "put_back_range") snug::put_back({2}, {8}, offsets);
  return 0;
}
