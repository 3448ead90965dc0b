// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The first of two translation units that have everything: this one as the single
/// header, and nothing of include/snug.
#include <snug.hpp>
#include <snug/race.hpp>

std::int64_t solve_in_one(const snug::Problem<>& problem);
bool refutes_in_one(const snug::Problem<>& problem);
const char* status_in_one(snug::Status status);
const char* (*address_in_one())(snug::Status);

std::int64_t solve_in_one(const snug::Problem<>& problem) {
  const snug::Result<> found = snug::solve(problem, 12);
  return snug::validate(problem, 12, found.offsets).ok() ? found.height : -1;
}

bool refutes_in_one(const snug::Problem<>& problem) {
  return snug::solve(problem, 11).status == snug::Status::kInfeasible;
}

const char* status_in_one(snug::Status status) {
  return snug::to_string(status);
}

const char* (*address_in_one())(snug::Status) {
  return &snug::to_string;
}
