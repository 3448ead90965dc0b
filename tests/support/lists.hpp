// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the library keeps in lists (support/list.hpp), as users get it.
#ifndef SNUG_TESTS_SUPPORT_LISTS_HPP
#define SNUG_TESTS_SUPPORT_LISTS_HPP

#include "snug/support/list.hpp"

#include <vector>

template <class T>
[[nodiscard]] std::vector<T> vector_of(const snug::detail::List<T>& list) {
  return std::vector<T>(list.begin(), list.end());
}

template <class T>
[[nodiscard]] snug::detail::List<T> list_of(const std::vector<T>& values) {
  return snug::detail::List<T>(values.begin(), values.end());
}

#endif  // SNUG_TESTS_SUPPORT_LISTS_HPP
