// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The inline namespace carries the version of the macros, so that copies of
/// different versions can meet in one program. The assertions are the test.
#include "snug/snug.hpp"

#include <type_traits>

#define SNUG_TEST_JOIN(major, minor) v##major##_##minor
#define SNUG_TEST_VERSIONED(major, minor) SNUG_TEST_JOIN(major, minor)

namespace versioned =
    snug::SNUG_TEST_VERSIONED(SNUG_VERSION_MAJOR, SNUG_VERSION_MINOR);

static_assert(std::is_same_v<snug::Status, versioned::Status>);
static_assert(std::is_same_v<snug::Problem<>, versioned::Problem<>>);
static_assert(std::is_same_v<snug::Result<>, versioned::Result<>>);
static_assert(SNUG_VERSION_PATCH >= 0);

int main() {
  return 0;
}
