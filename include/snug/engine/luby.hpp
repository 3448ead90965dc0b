// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The Luby sequence: lengths of runs that are at most a logarithmic factor
/// worse than the best lengths, whatever those are.
///
/// Source: Luby, Sinclair, Zuckerman, "Optimal speedup of Las Vegas
/// algorithms" (1993).
#ifndef SNUG_ENGINE_LUBY_HPP
#define SNUG_ENGINE_LUBY_HPP

#include "snug/config.hpp"

#include <cstdint>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// The i-th number of the Luby sequence 1 1 2 1 1 2 4 ..., i >= 1.
[[nodiscard]] constexpr std::int64_t luby(std::int64_t i) noexcept {
  for (;;) {
    std::int64_t power = 1;
    while (2 * power - 1 < i) power *= 2;
    if (2 * power - 1 == i) return power;
    i -= power - 1;
  }
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_ENGINE_LUBY_HPP
