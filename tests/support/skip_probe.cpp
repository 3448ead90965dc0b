// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Test cases for skip_test.cmake: what passes, is skipped and fails. Those in
/// hiding are no tests of the project.
#include "support/catch.hpp"

TEST_CASE("this one passes") {
  CHECK(true);
}

TEST_CASE("this one is skipped", "[.][probe]") {
  SNUG_SKIP("skipped: to see that it shows");
}

TEST_CASE("this one fails and is skipped", "[.][probe]") {
  CHECK(false);
  SNUG_SKIP("skipped: which must not hide the failure");
}

TEST_CASE("one section of this one is skipped", "[.][probe]") {
  SECTION("this") {
    CHECK(true);
  }
  SECTION("that") {
    SNUG_SKIP("skipped: in one section");
  }
  SECTION("and this") {
    CHECK(true);
  }
}
