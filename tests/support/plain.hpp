// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the border makes of a problem, for tests of what is behind it.
#ifndef SNUG_TESTS_SUPPORT_PLAIN_HPP
#define SNUG_TESTS_SUPPORT_PLAIN_HPP

#include "snug/model/problem.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/plain.hpp"

namespace snug {
namespace testing {

using detail::Index;
using detail::Plain;

/// The sizes, lifespans and alignments of a problem, and nothing else of it.
template <class Size, class Time>
[[nodiscard]] Plain plain_of(const Problem<Size, Time>& problem) {
  return detail::make_plain(detail::flatten(problem).buffers);
}

}  // namespace testing
}  // namespace snug

#endif  // SNUG_TESTS_SUPPORT_PLAIN_HPP
