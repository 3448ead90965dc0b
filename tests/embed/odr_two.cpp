// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The second of two translation units that have everything: this one as the headers
/// of include/snug, the last one first.
#include "all_headers_reversed.hpp"

std::int64_t solve_in_two(const snug::Problem<>& problem);
const char* status_in_two(snug::Status status);
const char* (*address_in_two())(snug::Status);

std::int64_t solve_in_two(const snug::Problem<>& problem) {
  return snug::solve(problem, 12).height;
}

const char* status_in_two(snug::Status status) {
  return snug::to_string(status);
}

const char* (*address_in_two())(snug::Status) {
  return &snug::to_string;
}
