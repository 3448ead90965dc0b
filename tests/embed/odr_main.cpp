// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Two translation units, with the single header and with every other one, link into
/// one program and share the same functions.
#include "snug/snug.hpp"

#include <cstdint>
#include <cstdio>
#include <cstring>

std::int64_t solve_in_one(const snug::Problem<>& problem);
bool refutes_in_one(const snug::Problem<>& problem);
std::int64_t solve_in_two(const snug::Problem<>& problem);
const char* status_in_one(snug::Status status);
const char* status_in_two(snug::Status status);
const char* (*address_in_one())(snug::Status);
const char* (*address_in_two())(snug::Status);

int main() {
  snug::Problem<> problem;
  problem.buffers.push_back({{0, 2}, 5});
  problem.buffers.push_back({{1, 3}, 7});
  problem.buffers.push_back({{2, 4}, 5});
  const bool same_height =
      solve_in_one(problem) == 12 && solve_in_two(problem) == 12;
  const bool refuted = refutes_in_one(problem);
  const bool same_text =
      std::strcmp(status_in_one(snug::Status::kInfeasible), "infeasible") ==
          0 &&
      std::strcmp(status_in_two(snug::Status::kInfeasible), "infeasible") == 0;
  const bool same_address = address_in_one() == address_in_two();
  if (same_height && refuted && same_text && same_address) return 0;
  std::puts("the two translation units disagree");
  return 1;
}
