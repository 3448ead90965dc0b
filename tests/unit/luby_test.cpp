// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/engine/luby.hpp"

#include "support/catch.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace luby_test {

using snug::detail::luby;

TEST_CASE("luby: the first numbers, and doubled runs", "[luby]") {
  const std::vector<std::int64_t> expected = {1, 1, 2, 1, 1, 2, 4, 1,
                                              1, 2, 1, 1, 2, 4, 8, 1};
  for (std::size_t k = 0; k < expected.size(); ++k)
    CHECK(luby(static_cast<std::int64_t>(k) + 1) == expected[k]);
  for (int power = 1; power < 62; ++power) {
    const std::int64_t end = (std::int64_t{1} << power) - 1;
    CHECK(luby(end) == std::int64_t{1} << (power - 1));
    CHECK(luby(end + 1) == 1);
  }
  for (std::int64_t i = 1; i <= 511; ++i) CHECK(luby(511 + i) == luby(i));
}

}  // namespace luby_test
