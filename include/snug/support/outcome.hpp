// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How a run of a search ends.
#ifndef SNUG_SUPPORT_OUTCOME_HPP
#define SNUG_SUPPORT_OUTCOME_HPP

#include "snug/config.hpp"

#include <cstdint>

SNUG_BEGIN_NAMESPACE
namespace detail {

enum class Outcome : std::uint8_t {
  kPlacedAll,
  kRefuted,
  kStopped,  ///< by a limit, or out of nodes
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_SUPPORT_OUTCOME_HPP
