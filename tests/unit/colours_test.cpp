// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/io/colours.hpp"

#include "snug/io/companions.hpp"
#include "snug/model/problem.hpp"
#include "support/catch.hpp"

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace colours_test {

using snug::ColourBy;
using snug::Problem;
using snug::detail::colour;
using snug::detail::Companions;

namespace {

std::vector<std::size_t> companions_of(const Problem<>& problem,
                                       std::size_t buffer) {
  std::vector<std::size_t> found;
  Companions<std::int64_t, std::int64_t>(problem).for_each(
      buffer, [&](std::size_t other) { found.push_back(other); });
  return found;
}

}  // namespace

TEST_CASE("colours: by size, four times from one to the next") {
  Problem<> problem;
  for (const std::int64_t size : {0, 1, 16, 17, 64, 65, 256, 4096, 4097, 9000})
    problem.buffers.push_back({{0, 1}, size});
  const auto colouring = colour(problem, {}, ColourBy::kSize);
  // Up to 1, 4, 16, 64, 256, 1024, 4096 and 16384 bytes.
  CHECK(colouring.colour_of ==
        std::vector<std::size_t>{0, 0, 2, 3, 3, 4, 4, 6, 7, 7});
  REQUIRE(colouring.legend.size() == 6);
  CHECK(colouring.legend.front().second == "to 1 B");
  CHECK(colouring.legend.back().second == "to 16 KiB");
}

TEST_CASE("colours: by the strictest kind") {
  Problem<> problem;
  problem.buffers.assign(9, {{0, 1}, 8});
  problem.buffers[1].size = 0;
  problem.buffers[2].alignment = 4;
  problem.buffers[3].gaps = {{{0, 1}, {}}};
  problem.apart = {{4, 8}};
  problem.aliases = {{5, 8, 0}};
  problem.buffers[6].end = snug::End::kBottom;
  problem.buffers[7].end = snug::End::kTop;
  problem.buffers[8].offset = 0;
  const auto colouring = colour(problem, {}, ColourBy::kKind);
  CHECK(colouring.colour_of ==
        std::vector<std::size_t>{0, 1, 2, 3, 4, 5, 6, 7, 8});
  CHECK(colouring.legend.size() == 9);
}

TEST_CASE("colours: by family, and the companions of each") {
  Problem<> problem;
  problem.buffers.assign(7, {{0, 1}, 8});
  problem.aliases = {{1, 4, 0}};
  problem.contiguous = {{2, 3}};
  problem.may_overlap = {{0, 4}, {5, 0}};
  const auto colouring = colour(problem, {"a", "b", "c"}, ColourBy::kFamily);
  using snug::detail::kGrey;
  CHECK(colouring.colour_of ==
        std::vector<std::size_t>{kGrey, 0, 1, 1, 0, kGrey, kGrey});
  REQUIRE(colouring.legend.size() == 3);
  CHECK(colouring.legend[0].second == "b and 1");
  CHECK(colouring.legend[1].second == "c and 1");
  CHECK(companions_of(problem, 0) == std::vector<std::size_t>{4, 5});
  CHECK(companions_of(problem, 4) == std::vector<std::size_t>{1, 0});
  CHECK(companions_of(problem, 3) == std::vector<std::size_t>{2});
  CHECK(companions_of(problem, 6).empty());
  CHECK(companions_of(Problem<>{}, 0).empty());
}

TEST_CASE("colours: of a large family, those next in the list") {
  Problem<> problem;
  problem.buffers.assign(1000, {{0, 1}, 8});
  for (std::size_t k = 1; k < 1000; ++k) problem.aliases.push_back({k, 0, 0});
  const std::vector<std::size_t> found = companions_of(problem, 500);
  CHECK(found.size() == 128);
  CHECK(found.front() == 436);
  CHECK(found.back() == 564);
}

TEST_CASE("colours: all differ") {
  std::set<std::string> fills = {snug::detail::kGreyColour.light};
  for (const snug::detail::Colour& fill : snug::detail::kColours)
    fills.insert(fill.light);
  CHECK(fills.size() == snug::detail::kColourCount + 1);
}

}  // namespace colours_test
