// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/support/random.hpp"

#include "support/catch.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace random_test {

// The first numbers of SplitMix64, from another implementation of it.
TEST_CASE("random: the first values are pinned", "[random]") {
  snug::detail::Random zero(0);
  CHECK(zero.next() == 16294208416658607535U);
  CHECK(zero.next() == 7960286522194355700U);
  CHECK(zero.next() == 487617019471545679U);
  snug::detail::Random other(1234567);
  CHECK(other.next() == 6457827717110365317U);
  CHECK(other.next() == 3203168211198807973U);
  CHECK(other.next() == 9817491932198370423U);
  CHECK(other.next() == 4593380528125082431U);
  CHECK(other.next() == 16408922859458223821U);
}

TEST_CASE("random: numbers below a bound, each about as often", "[random]") {
  snug::detail::Random random(5);
  for (const std::uint32_t bound : {1U, 2U, 3U, 7U, 16U}) {
    std::vector<int> counts(bound, 0);
    for (int k = 0; k < 4000; ++k) ++counts.at(random.below(bound));
    CAPTURE(bound);
    for (const int count : counts) {
      CHECK(count > 4000 / static_cast<int>(bound) * 7 / 10);
      CHECK(count < 4000 / static_cast<int>(bound) * 13 / 10 + 1);
    }
  }
  // The upper half of the word, scaled.
  snug::detail::Random a(9);
  snug::detail::Random b(9);
  for (int k = 0; k < 100; ++k)
    CHECK(a.below(0xffffffff) ==
          static_cast<std::uint32_t>(((b.next() >> 32) * 0xffffffffU) >> 32));
}

}  // namespace random_test
