// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/schedule/outsiders.hpp"

#include "support/catch.hpp"
#include "support/random.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace outsiders_test {

namespace {

using namespace snug::testing;
using snug::kNoIndex;
using snug::Tensor;
using snug::detail::is_part_of;
using snug::detail::List;
using snug::detail::measure_all;
using snug::detail::Outsiders;
using snug::detail::TensorSizes;

using Indices = std::vector<std::size_t>;

struct Forest {
  std::vector<Tensor> tensors;
  List<std::uint8_t> is_written;
};

Tensor part(std::int64_t size, std::size_t parent, std::int64_t offset) {
  Tensor tensor;
  tensor.shape = {size};
  tensor.parent = parent;
  tensor.parent_offset = offset;
  return tensor;
}

// Parts of earlier ones, in an order that is not theirs.
Forest random_forest(Random& random) {
  std::vector<Tensor> made;
  const std::size_t n = random.between<std::size_t>(1, 12);
  for (std::size_t x = 0; x < n; ++x) {
    const std::size_t parent = random.below(x + 1);
    if (parent == x || random.chance(20)) {
      made.push_back(part(random.between<std::int64_t>(0, 9), kNoIndex, 0));
      continue;
    }
    const std::int64_t whole = made[parent].shape[0];
    const std::int64_t size = random.between<std::int64_t>(0, whole);
    made.push_back(
        part(size, parent, random.between<std::int64_t>(0, whole - size)));
  }
  Forest forest;
  // The last comes first.
  for (std::size_t x = n; x-- > 0;) {
    Tensor tensor = made[x];
    if (tensor.parent != kNoIndex) tensor.parent = n - 1 - tensor.parent;
    forest.tensors.push_back(tensor);
    forest.is_written.push_back(random.chance(60) ? 1 : 0);
  }
  return forest;
}

Indices visited(const Outsiders& outsiders, std::size_t x) {
  Indices all;
  outsiders.visit(x, [&](std::size_t y) { all.push_back(y); });
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace

TEST_CASE("outsiders: parts of the parent that reach into a tensor",
          "[outsiders]") {
  // The picture of the header: a, b and c are 1, 2 and 3.
  const std::vector<Tensor> tensors = {part(22, kNoIndex, 0), part(8, 0, 2),
                                       part(12, 0, 6), part(4, 2, 8)};
  const TensorSizes sizes = measure_all(tensors, 100);
  const Outsiders all(tensors, sizes, {1, 1, 1, 1});
  CHECK(visited(all, 0).empty());
  CHECK(visited(all, 3).empty());
  const Outsiders but_p(tensors, sizes, {0, 1, 1, 1});
  CHECK(visited(but_p, 1) == Indices{2});
  CHECK(visited(but_p, 2) == Indices{1});
  const Outsiders only_c(tensors, sizes, {0, 0, 0, 1});
  CHECK(visited(only_c, 2).empty());
  CHECK(visited(only_c, 1).empty());
}

TEST_CASE("outsiders: the same as a look at all pairs", "[outsiders]") {
  Random random(77);
  std::size_t found = 0;
  for (int round = 0; round < 3000; ++round) {
    const Forest forest = random_forest(random);
    const TensorSizes sizes = measure_all(forest.tensors, 100);
    REQUIRE(sizes.error.ok());
    const Outsiders outsiders(forest.tensors, sizes, forest.is_written);
    for (std::size_t x = 0; x < forest.tensors.size(); ++x) {
      Indices expected;
      Indices around;
      for (std::size_t y = 0; y < forest.tensors.size(); ++y) {
        if (forest.is_written[y] == 0 || sizes.roots[x] != sizes.roots[y] ||
            is_part_of(forest.tensors, y, x))
          continue;
        const std::int64_t from = (std::max)(sizes.places[x], sizes.places[y]);
        if (from >= sizes.places[x] + sizes.sizes[x] ||
            from >= sizes.places[y] + sizes.sizes[y])
          continue;
        (is_part_of(forest.tensors, x, y) ? around : expected).push_back(y);
      }
      // What is around it comes only with outsiders.
      const bool has_any = !expected.empty();
      found += expected.size();
      if (has_any)
        expected.insert(expected.end(), around.begin(), around.end());
      std::sort(expected.begin(), expected.end());
      CHECK(visited(outsiders, x) == expected);
    }
  }
  CHECK(found > 3000);
}

}  // namespace outsiders_test
