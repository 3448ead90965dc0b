// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Problems with fixed and reserved bytes as the plain search has them.
#ifndef SNUG_TESTS_SUPPORT_OBSTRUCTED_HPP
#define SNUG_TESTS_SUPPORT_OBSTRUCTED_HPP

#include "snug/model/pairs.hpp"
#include "snug/model/problem.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/obstacles.hpp"
#include "snug/normal/plain.hpp"
#include "support/catch.hpp"

#include <cstdint>

namespace snug {
namespace testing {

/// The problem must have its ground at 0.
[[nodiscard]] inline detail::Plain obstructed_of(const Problem<>& problem) {
  detail::Flat flat = detail::flatten(problem);
  detail::sort_pairs(flat.apart);
  REQUIRE(detail::obstructed_ground(flat) == 0);
  return detail::make_obstructed(flat, 0);
}

}  // namespace testing
}  // namespace snug

#endif  // SNUG_TESTS_SUPPORT_OBSTRUCTED_HPP
