// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/io/labels.hpp"

#include "support/catch.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace labels_test {

using snug::detail::Box;
using snug::detail::fit_label;
using snug::detail::Label;
using snug::detail::SharedLabels;
using snug::detail::visible_parts;

namespace {

bool inside(const Box& inner, const Box& outer) {
  return inner.left >= outer.left && inner.right <= outer.right &&
         inner.top >= outer.top && inner.bottom <= outer.bottom;
}

}  // namespace

TEST_CASE("labels: level where they fit, else upright, else cut") {
  const Label level = fit_label({0, 100, 0, 20}, "tensor");
  CHECK(level.text == "tensor");
  CHECK_FALSE(level.upright);
  CHECK(inside(level.box, {0, 100, 0, 20}));
  const Label upright = fit_label({0, 20, 0, 100}, "tensor");
  CHECK(upright.text == "tensor");
  CHECK(upright.upright);
  CHECK(inside(upright.box, {0, 20, 0, 100}));
  CHECK(fit_label({0, 40, 0, 40}, "tensor").text == "te\xE2\x80\xA6or");
  CHECK(fit_label({0, 40, 0, 60}, "block/tensor").upright);
  CHECK(fit_label({0, 100, 0, 9}, "tensor").text.empty());
  CHECK(fit_label({0, 9, 0, 100}, "tensor").text.empty());
  CHECK(fit_label({}, "tensor").text.empty());
}

TEST_CASE("labels: what others leave visible") {
  const Box box{0, 100, 0, 60};
  CHECK(visible_parts(box, {}).size() == 1);
  CHECK(visible_parts(box, {{200, 300, 0, 60}}).size() == 1);
  CHECK(visible_parts(box, {box}).empty());
  const std::vector<Box> parts =
      visible_parts(box, {{0, 60, 0, 30}, {40, 100, 30, 60}});
  CHECK(parts.size() == 2);
  for (const Box& part : parts) {
    CHECK(inside(part, box));
    CHECK_FALSE(part.meets({0, 60, 0, 30}));
    CHECK_FALSE(part.meets({40, 100, 30, 60}));
  }
  // Many covers do not make ever more parts.
  std::vector<Box> grid;
  for (int k = 0; k < 100; ++k)
    grid.push_back({k % 10 * 10.0 + 4, k % 10 * 10.0 + 6, k / 10 * 6.0 + 2,
                    k / 10 * 6.0 + 4});
  CHECK(visible_parts(box, grid).size() <= 32);
}

TEST_CASE("labels: of buffers in one place none hides another") {
  SharedLabels labels;
  const Box box{0, 100, 0, 60};
  std::vector<Box> placed;
  std::size_t named = 0;
  for (int k = 0; k < 8; ++k) {
    std::vector<Box> covers;
    if (k < 7) covers.push_back(box);  // all but the last one are hidden
    const Label label = labels.place(box, covers, "view" + std::to_string(k));
    if (label.text.empty()) continue;
    ++named;
    CHECK(inside(label.box, box));
    for (const Box& other : placed) CHECK_FALSE(other.meets(label.box));
    placed.push_back(label.box);
  }
  CHECK(named >= 4);
}

TEST_CASE("labels: in the strip that is left") {
  SharedLabels labels;
  const Label label =
      labels.place({0, 100, 0, 60}, {{0, 100, 15, 60}}, "concat");
  CHECK(label.text == "concat");
  CHECK(label.box.bottom <= 15);
}

}  // namespace labels_test
