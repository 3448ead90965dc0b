// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Catch2, version 2 or 3, whichever is installed. Tests use what both have:
/// TEST_CASE, TEMPLATE_TEST_CASE, SECTION, GENERATE, CHECK, REQUIRE, INFO,
/// CAPTURE, SNUG_SKIP for a test that lacks what it needs, and SNUG_REQUIRE_OFTEN.
#ifndef SNUG_TESTS_SUPPORT_CATCH_HPP
#define SNUG_TESTS_SUPPORT_CATCH_HPP

// An exception in an assertion ends its test case, which fails; to catch it in each
// one by itself takes a seventh of the time that tests take to compile.
#define CATCH_CONFIG_FAST_COMPILE

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif

namespace snug {
namespace testing {

/// Whether the test case at hand was skipped; main.cpp reads it.
[[nodiscard]] inline bool& is_skipped() {
  static bool skipped = false;
  return skipped;
}

}  // namespace testing
}  // namespace snug

/// REQUIRE for what is asked a million times, where nearly all time would go into
/// that it is written down. What does not hold is asked again, for its values, and
/// fails even if it holds then.
#define SNUG_REQUIRE_OFTEN(...)                 \
  do {                                          \
    if (!(__VA_ARGS__)) {                       \
      REQUIRE(__VA_ARGS__);                     \
      FAIL("did not hold when asked at first"); \
    }                                           \
  } while (false)

/// Says why the test case cannot run and lets ctest show it as skipped, unless
/// a check fails all the same. To be followed by `return`.
#define SNUG_SKIP(why)                  \
  do {                                  \
    WARN(why);                          \
    snug::testing::is_skipped() = true; \
  } while (false)

#endif  // SNUG_TESTS_SUPPORT_CATCH_HPP
