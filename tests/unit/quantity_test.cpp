// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/io/quantity.hpp"

#include "support/catch.hpp"

#include <cstdint>
#include <limits>

namespace quantity_test {

using snug::bytes_text;
using snug::grouped_text;

TEST_CASE("quantity: digits in groups") {
  CHECK(grouped_text(0) == "0");
  CHECK(grouped_text(999) == "999");
  CHECK(grouped_text(1000) == "1 000");
  CHECK(grouped_text(-2031616) == "-2 031 616");
  CHECK(grouped_text(-100) == "-100");
  CHECK(grouped_text((std::numeric_limits<std::int64_t>::min)()) ==
        "-9 223 372 036 854 775 808");
}

TEST_CASE("quantity: bytes to three digits") {
  CHECK(bytes_text(0) == "0 B");
  CHECK(bytes_text(1023) == "1023 B");
  CHECK(bytes_text(1024) == "1 KiB");
  CHECK(bytes_text(1536) == "1.5 KiB");
  CHECK(bytes_text(2031616) == "1.94 MiB");
  CHECK(bytes_text(20 * 1024 + 100) == "20.1 KiB");
  CHECK(bytes_text(1000000) == "977 KiB");
  // What rounds to 1024 of a unit is 1 of the next.
  CHECK(bytes_text(1048575) == "1 MiB");
  CHECK(bytes_text(1048064) == "1 MiB");
  CHECK(bytes_text(1048063) == "1023 KiB");
  CHECK(bytes_text(9223372036854775807.0) == "8 EiB");
}

TEST_CASE("quantity: steps of axes") {
  using snug::detail::bytes_step;
  using snug::detail::time_step;
  const auto is = [](double got, double wanted) {
    return got >= wanted && got <= wanted;
  };
  CHECK(is(bytes_step(1003520, 8), 131072));
  CHECK(is(bytes_step(1, 8), 1));
  CHECK(is(bytes_step(64, 8), 8));
  CHECK(is(bytes_step(65, 8), 16));
  CHECK(is(time_step(720, 8), 100));
  CHECK(is(time_step(800, 8), 100));
  CHECK(is(time_step(801, 8), 200));
  CHECK(is(time_step(4000, 8), 500));
  CHECK(is(time_step(3, 8), 1));
  CHECK(is(time_step(1.8e19, 8), 5e18));
}

}  // namespace quantity_test
