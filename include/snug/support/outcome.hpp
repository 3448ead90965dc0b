// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a search, or anything else that may know the answer, comes to.
#ifndef SNUG_SUPPORT_OUTCOME_HPP
#define SNUG_SUPPORT_OUTCOME_HPP

#include "snug/config.hpp"

#include <cstdint>

SNUG_BEGIN_NAMESPACE
namespace detail {

enum class Outcome : std::uint8_t {
  kPlacedAll,
  kRefuted,
  kOpen,  ///< out of nodes, stopped by a limit, or it is not for this to say
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_SUPPORT_OUTCOME_HPP
