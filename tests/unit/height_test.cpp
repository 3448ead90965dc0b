// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/model/height.hpp"

#include "support/catch.hpp"

#include <cstdint>
#include <vector>

using snug::detail::height_of;

TEST_CASE("height: the largest top") {
  snug::Problem<> problem;
  CHECK(height_of(problem, std::vector<std::int64_t>{}) == 0);
  problem.buffers = {{{0, 1}, 4}, {{0, 1}, 2}, {{1, 2}, 0}};
  CHECK(height_of(problem, std::vector<std::int64_t>{0, 4, 0}) == 6);
  CHECK(height_of(problem, std::vector<std::int64_t>{2, 0, 0}) == 6);
  CHECK(height_of(problem, std::vector<std::int64_t>{0, 4, 9}) == 9);
}

TEST_CASE("height: beyond the type of sizes") {
  snug::Problem<std::int8_t, std::int8_t> problem;
  problem.buffers = {{{0, 1}, 100}};
  CHECK(height_of(problem, std::vector<std::int8_t>{100}) == 200);
  CHECK(height_of(problem, std::vector<std::int64_t>{1000}) == 1100);
}
