// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/support/rounded.hpp"

#include "support/catch.hpp"

#include <cmath>

namespace rounded_test {

TEST_CASE("rounded: a product is not joined with a sum", "[rounded]") {
  // The square has 61 bits, of which a double keeps the first ones.
  volatile double just_above_one = 1 + std::ldexp(1.0, -30);
  const double x = just_above_one;
  CHECK(snug::detail::rounded(x * x) - (1 + std::ldexp(1.0, -29)) == 0);
}

}  // namespace rounded_test
