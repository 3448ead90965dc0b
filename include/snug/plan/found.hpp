// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What solve() and minimize() want of a flat problem, and what they find.
#ifndef SNUG_PLAN_FOUND_HPP
#define SNUG_PLAN_FOUND_HPP

#include "snug/config.hpp"
#include "snug/normal/flat.hpp"
#include "snug/support/list.hpp"

#include <cstdint>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// The placement that is wanted: any one below the ceiling, or the lowest.
enum class Wanted : std::uint8_t { kAny, kLowest };

struct Found {
  List<std::int64_t> offsets{};  ///< bytes, by buffer; or empty
  /// After a refutation: the buffers that it used, ascending; empty: all.
  List<Index> core{};
  std::int64_t bound = 0;  ///< no placement is lower
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAN_FOUND_HPP
