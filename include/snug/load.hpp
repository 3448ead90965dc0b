// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The load of a problem: what no placement can go below.
#ifndef SNUG_LOAD_HPP
#define SNUG_LOAD_HPP

#include "snug/bounds/load.hpp"
#include "snug/config.hpp"
#include "snug/model/problem.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/plain.hpp"

#include <cstdint>

SNUG_BEGIN_NAMESPACE

/// The most bytes live at one time in a well-formed problem, by sizes and
/// lifespans alone: gaps count as live, and ties are not looked at. Without
/// these no placement is lower. O(n log n).
template <class Size, class Time>
[[nodiscard]] std::int64_t load(const Problem<Size, Time>& problem) {
  return detail::load(detail::make_plain(detail::flatten(problem).buffers));
}

SNUG_END_NAMESPACE

#endif  // SNUG_LOAD_HPP
