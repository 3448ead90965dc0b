// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A failing problem as CSV, to be pasted into a file and run again.
#ifndef SNUG_TESTS_SUPPORT_PRINT_HPP
#define SNUG_TESTS_SUPPORT_PRINT_HPP

#include "snug/io/csv.hpp"
#include "snug/model/problem.hpp"

#include <string>
#include <vector>

namespace snug {
namespace testing {

/// The problem, and `offsets` as its last column if there are any.
template <class Size, class Time>
[[nodiscard]] std::string as_csv(const Problem<Size, Time>& problem,
                                 const std::vector<Size>& offsets = {}) {
  return '\n' + write_csv(problem, {}, columns_of(problem), offsets);
}

}  // namespace testing
}  // namespace snug

#endif  // SNUG_TESTS_SUPPORT_PRINT_HPP
