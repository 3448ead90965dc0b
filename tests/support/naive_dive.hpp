// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The canonical dive and the orders of heuristics/ by their definitions,
/// without sections, skylines or trees. Quadratic and worse.
#ifndef SNUG_TESTS_SUPPORT_NAIVE_DIVE_HPP
#define SNUG_TESTS_SUPPORT_NAIVE_DIVE_HPP

#include "snug/heuristics/boxes.hpp"
#include "snug/model/problem.hpp"
#include "snug/normal/plain.hpp"
#include "snug/support/memory.hpp"
#include "support/generators.hpp"
#include "support/pairwise.hpp"
#include "support/plain.hpp"
#include "support/random.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

namespace snug {
namespace testing {

/// A problem and what the heuristics make of it.
struct Boxed {
  explicit Boxed(Problem<> which)
      : problem(std::move(which)),
        plain(plain_of(problem)),
        boxes(detail::make_boxes(plain, memory)) {}

  /// The offsets of the boxes, in units, as those of the buffers.
  [[nodiscard]] std::vector<std::int64_t> unboxed(
      const std::int64_t* offsets) const {
    std::vector<std::int64_t> result(problem.buffers.size(), 0);
    for (Index x = 0; x < boxes.count; ++x)
      result[boxes.input[x]] = offsets[x] * boxes.unit;
    return result;
  }

  /// All boxes in random order.
  [[nodiscard]] std::vector<Index> shuffled(Random& random) const {
    std::vector<Index> order(boxes.count);
    std::iota(order.begin(), order.end(), Index{0});
    random.shuffle(order);
    return order;
  }

  detail::Memory memory;
  Problem<> problem;
  Plain plain;
  detail::Boxes boxes;
};

/// One of several shapes of small problems, some with buffers of size zero
/// and, if `aligned`, with alignments.
[[nodiscard]] inline Problem<> draw_any(std::uint64_t seed, std::size_t most,
                                        bool aligned) {
  Random random(seed);
  Shape shape;
  shape.count = random.between(std::size_t{1}, most);
  shape.length = random.between(1, 30);
  shape.smallest = random.between(0, 1);
  shape.largest = random.between(2, 40);
  Problem<> problem;
  switch (random.between(0, 4)) {
    case 0:
      problem = uniform<>(shape, random);
      break;
    case 1:
      problem = clique<>(shape, random);
      break;
    case 2:
      problem = twins<>(shape, random);
      break;
    case 3:
      problem =
          benchmarks::guillotine<>(40, 40, shape.count, random.next()).problem;
      break;
    default:
      problem = benchmarks::mixed<>(shape.count, 100, 20, random.next());
      break;
  }
  if (aligned)
    align(problem, random.chance(50) ? 60 : 100,
          random.between(std::int64_t{1}, std::int64_t{3}), random);
  return problem;
}

/// Again and again: of the buffers that are left, the one that can lie lowest
/// above all placed ones that it overlaps, of those the first in `order`.
/// "Lowest" is in units of the greatest common divisor of all alignments; the
/// buffer's own counts when it is placed.
[[nodiscard]] inline std::vector<std::int64_t> naive_dive(
    const Problem<>& problem, const std::vector<std::size_t>& order) {
  const auto& buffers = problem.buffers;
  std::int64_t unit = 0;
  for (const std::size_t i : order) unit = std::gcd(unit, buffers[i].alignment);
  const auto round_up = [](std::int64_t offset, std::int64_t step) {
    return (offset + step - 1) / step * step;
  };
  std::vector<std::int64_t> level(buffers.size(), 0);
  std::vector<std::int64_t> offsets(buffers.size(), 0);
  std::vector<std::size_t> left = order;
  while (!left.empty()) {
    const auto next = std::min_element(
        left.begin(), left.end(), [&](std::size_t a, std::size_t b) {
          return round_up(level[a], unit) < round_up(level[b], unit);
        });
    const std::size_t i = *next;
    left.erase(next);
    offsets[i] = round_up(level[i], buffers[i].alignment);
    for (const std::size_t j : left)
      if (buffers[i].lifespan.overlaps(buffers[j].lifespan))
        level[j] = (std::max)(level[j], offsets[i] + buffers[i].size);
  }
  return offsets;
}

/// The buffers of positive size, in the order of these letters.
[[nodiscard]] inline std::vector<std::size_t> naive_order(
    const Problem<>& problem, const std::string& letters) {
  const auto& buffers = problem.buffers;
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < buffers.size(); ++i)
    if (buffers[i].size > 0) order.push_back(i);
  const auto total_at = [&](std::int64_t time) {
    std::int64_t total = 0;
    for (const std::size_t i : order)
      if (buffers[i].lifespan.lower <= time && time < buffers[i].lifespan.upper)
        total += buffers[i].size;
    return total;
  };
  const auto key = [&](char letter, std::size_t i) -> std::int64_t {
    const Interval<std::int64_t>& life = buffers[i].lifespan;
    std::int64_t value = 0;
    switch (letter) {
      case 'A':
        return (life.upper - life.lower) * buffers[i].size;
      case 'T':
        for (std::int64_t time = life.lower; time < life.upper; ++time)
          value = (std::max)(value, total_at(time));
        return value;
      case 'W':
        return life.upper - life.lower;
      default:  // 'Z'
        return buffers[i].size;
    }
  };
  for (std::size_t k = letters.size(); k-- > 0;) {
    std::vector<std::int64_t> keys(buffers.size(), 0);
    for (const std::size_t i : order) keys[i] = key(letters[k], i);
    std::stable_sort(
        order.begin(), order.end(),
        [&](std::size_t a, std::size_t b) { return keys[a] > keys[b]; });
  }
  return order;
}

}  // namespace testing
}  // namespace snug

#endif  // SNUG_TESTS_SUPPORT_NAIVE_DIVE_HPP
