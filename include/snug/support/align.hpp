// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Addresses rounded up to an alignment.
#ifndef SNUG_SUPPORT_ALIGN_HPP
#define SNUG_SUPPORT_ALIGN_HPP

#include "snug/config.hpp"

#include <cstdint>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// The lowest multiple of `alignment` that is at least `address`.
[[nodiscard]] constexpr std::int64_t align_up(std::int64_t address,
                                              std::int64_t alignment) noexcept {
  const std::int64_t rest = address % alignment;
  return rest == 0 ? address : address + (alignment - rest);
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_SUPPORT_ALIGN_HPP
