// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/heuristics/boxes.hpp"

#include "support/catch.hpp"
#include "support/naive_dive.hpp"
#include "support/random.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace boxes_test {

using namespace snug::testing;
using snug::detail::Boxes;
using snug::detail::Index;

TEST_CASE("boxes: every buffer of positive size once, with its span") {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    const Boxed boxed(draw_any(seed, 60, seed % 2 == 0));
    const Boxes& boxes = boxed.boxes;
    const auto& buffers = boxed.problem.buffers;
    std::vector<Index> seen(boxes.input, boxes.input + boxes.count);
    std::sort(seen.begin(), seen.end());
    std::vector<Index> expected;
    std::int64_t unit = 0;
    for (Index i = 0; i < buffers.size(); ++i) {
      if (buffers[i].size == 0) continue;
      expected.push_back(i);
      unit = std::gcd(unit, buffers[i].alignment);
    }
    REQUIRE(seen == expected);
    CHECK(boxes.sections == boxed.plain.sections);
    if (boxes.count > 0) CHECK(boxes.unit == unit);
    for (Index x = 0; x < boxes.count; ++x) {
      const auto& buffer = buffers[boxes.input[x]];
      CHECK(boxes.span[x] == boxed.plain.spans[boxes.input[x]]);
      CHECK(boxes.bytes[x] == buffer.size);
      CHECK(boxes.size[x] * unit >= buffer.size);
      CHECK((boxes.size[x] - 1) * unit < buffer.size);
      for (const std::int64_t level : {0, 1, 2, 7, 24}) {
        const std::int64_t offset = boxes.offset_at(level, x) * unit;
        CHECK(offset >= level * unit);
        CHECK(offset < level * unit + buffer.alignment);
        CHECK(offset % buffer.alignment == 0);
      }
      CHECK(boxes.top(3, x) == 3 * unit + buffer.size);
    }
  }
}

TEST_CASE("boxes: the buffers of a block are close together") {
  // Apart in time, two groups of eight; in the input they alternate.
  snug::Problem<> problem;
  for (int k = 0; k < 16; ++k)
    problem.buffers.push_back(make_buffer<std::int64_t, std::int64_t>(
        k % 2 * 100 + k, k % 2 * 100 + k + 1, 1));
  const Boxed boxed(problem);
  for (Index x = 0; x < 8; ++x) {
    CHECK(boxed.boxes.input[x] == 2 * x);
    CHECK(boxed.boxes.input[8 + x] == 2 * x + 1);
  }
}

TEST_CASE("boxes: none") {
  const Boxed none(snug::Problem<>{});
  CHECK(none.boxes.count == 0);
  snug::Problem<> empty;
  empty.buffers.push_back(make_buffer<std::int64_t, std::int64_t>(0, 1, 0));
  CHECK(Boxed(empty).boxes.count == 0);
}

}  // namespace boxes_test
