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

TEST_CASE("this one fails as often as the status of what is skipped",
          "[.][probe]") {
  for (int k = 0; k < 4; ++k) CHECK(k < 0);
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
