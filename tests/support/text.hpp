// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What tests ask of texts.
#ifndef SNUG_TESTS_SUPPORT_TEXT_HPP
#define SNUG_TESTS_SUPPORT_TEXT_HPP

#include <cstddef>
#include <string>
#include <string_view>

namespace snug {
namespace testing {

/// How often `part`, which is not empty, stands in a text.
[[nodiscard]] inline std::size_t count(const std::string& text,
                                       std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos;
       at = text.find(part, at + 1))
    ++found;
  return found;
}

}  // namespace testing
}  // namespace snug

#endif  // SNUG_TESTS_SUPPORT_TEXT_HPP
