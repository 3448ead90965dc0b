// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The first of two translation units that include every header.
#include "all_headers.hpp"

std::int64_t solve_in_one(const snug::Problem<>& problem);
const char* status_in_one(snug::Status status);
const char* (*address_in_one())(snug::Status);

std::int64_t solve_in_one(const snug::Problem<>& problem) {
  return snug::solve(problem, 12).height;
}

const char* status_in_one(snug::Status status) {
  return snug::to_string(status);
}

const char* (*address_in_one())(snug::Status) {
  return &snug::to_string;
}
