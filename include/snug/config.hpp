// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Version, namespace and assertion macros. Beside this and the headers of C, only
/// engine/bits.hpp and engine/lanes.hpp have preprocessor logic beyond their include
/// guards: they ask what the compiler has.
///
/// Everything lives in `snug::v0_2`, an inline namespace, so that two copies
/// of different versions can meet in one program without breaking the
/// one-definition rule. Users write `snug::` and never the version.
#ifndef SNUG_CONFIG_HPP
#define SNUG_CONFIG_HPP

#include <cassert>

#define SNUG_VERSION_MAJOR 0
#define SNUG_VERSION_MINOR 2
#define SNUG_VERSION_PATCH 0

#define SNUG_BEGIN_NAMESPACE \
  namespace snug {           \
  inline namespace v0_2 {
#define SNUG_END_NAMESPACE \
  }                        \
  }

/// Checks one of snug's own invariants in debug builds, or what a caller
/// promises where no result could report it. Problems are never asserted: they
/// are checked and reported, see model/check.hpp. Define it before the first
/// include to route failures elsewhere.
#ifndef SNUG_ASSERT
#define SNUG_ASSERT(condition) assert(condition)
#endif

#endif  // SNUG_CONFIG_HPP
