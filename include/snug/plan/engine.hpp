// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a build of the engine has: chosen by the entry point (solve.hpp,
/// small.hpp, plain.hpp), handed down as a type, so that two builds never share
/// a name.
#ifndef SNUG_PLAN_ENGINE_HPP
#define SNUG_PLAN_ENGINE_HPP

#include "snug/config.hpp"

SNUG_BEGIN_NAMESPACE
namespace detail {

/// kSmall: saves code rather than time, with one width of numbers. kBodies:
/// honours constraints; without it there are no pairs and obstacles either.
template <bool kSmall_, bool kBodies_>
struct Engine {
  static constexpr bool kSmall = kSmall_;
  static constexpr bool kBodies = kBodies_;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAN_ENGINE_HPP
