// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/support/product.hpp"

#include "support/catch.hpp"
#include "support/random.hpp"

#include <cstdint>
#include <limits>

namespace product_test {

using snug::detail::Product;
using snug::detail::Quotient;

namespace {

/// A number of any length in bits.
std::uint64_t draw(snug::testing::Random& random) {
  return random.next() >> random.below(64);
}

/// Whether a * b < c * d, a bit of a and of c at a time.
bool less_by_bits(std::uint64_t a, std::uint64_t b, std::uint64_t c,
                  std::uint64_t d) {
  const auto multiply = [](std::uint64_t x, std::uint64_t y,
                           std::uint64_t& high) {
    std::uint64_t low = high = 0;
    for (int bit = 63; bit >= 0; --bit) {
      high = (high << 1) | (low >> 63);
      low <<= 1;
      if (((x >> bit) & 1) == 0) continue;
      low += y;
      if (low < y) ++high;
    }
    return low;
  };
  std::uint64_t first_high = 0;
  std::uint64_t second_high = 0;
  const std::uint64_t first = multiply(a, b, first_high);
  const std::uint64_t second = multiply(c, d, second_high);
  return first_high != second_high ? first_high < second_high : first < second;
}

}  // namespace

TEST_CASE("product: compared exactly", "[product]") {
  constexpr std::uint64_t kMost = (std::numeric_limits<std::uint64_t>::max)();
  CHECK(Product(2, 3) < Product(1, 7));
  CHECK_FALSE(Product(2, 3) < Product(1, 6));
  CHECK(Product(kMost, kMost - 1) < Product(kMost, kMost));
  CHECK_FALSE(Product(kMost, kMost) < Product(kMost, kMost));
  CHECK_FALSE(Product(kMost - 1, kMost - 1) < Product(kMost, kMost - 2));
  CHECK(Product(kMost, kMost - 2) < Product(kMost - 1, kMost - 1));
  snug::testing::Random random(1);
  std::size_t less = 0;
  for (int k = 0; k < 20000; ++k) {
    const std::uint64_t a = draw(random);
    const std::uint64_t b = draw(random);
    const std::uint64_t c =
        random.chance(50) ? a + random.below(2) : draw(random);
    const std::uint64_t d =
        random.chance(50) ? b - random.below(2) : draw(random);
    CAPTURE(a, b, c, d);
    const bool expected = less_by_bits(a, b, c, d);
    REQUIRE((Product(a, b) < Product(c, d)) == expected);
    less += expected ? 1 : 0;
  }
  CHECK(less > 5000);
}

TEST_CASE("product: quotients that doubles cannot tell apart", "[product]") {
  constexpr std::int64_t kLarge = std::int64_t{1} << 60;
  CHECK(Quotient{kLarge, kLarge + 1} < Quotient{kLarge + 1, kLarge + 2});
  CHECK_FALSE(Quotient{kLarge + 1, kLarge + 2} < Quotient{kLarge, kLarge + 1});
  CHECK_FALSE(Quotient{2, 3} < Quotient{4, 6});
  CHECK_FALSE(Quotient{4, 6} < Quotient{2, 3});
  CHECK(Quotient{0, 5} < Quotient{1, kLarge});
}

}  // namespace product_test
