// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Small random problems for the tests. benchmarks/generate.hpp has tight
/// walks, guillotine cuts and the like; here are the ones that only tests
/// want, and ways to add alignment, gaps and fixed offsets to any problem.
#ifndef SNUG_TESTS_SUPPORT_GENERATORS_HPP
#define SNUG_TESTS_SUPPORT_GENERATORS_HPP

#include "../../benchmarks/generate.hpp"
#include "snug/model/interval.hpp"
#include "snug/model/problem.hpp"
#include "support/random.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace snug {
namespace testing {

/// How many buffers, how large and how long. Sizes are multiples of `unit`.
struct Shape {
  std::size_t count = 8;
  std::int64_t length = 8;    ///< time steps, >= 1
  std::int64_t smallest = 1;  ///< units, >= 0
  std::int64_t largest = 6;   ///< units
  std::int64_t unit = 1;      ///< bytes
};

template <class Size, class Time>
[[nodiscard]] Buffer<Size, Time> make_buffer(std::int64_t lower,
                                             std::int64_t upper,
                                             std::int64_t size) {
  Buffer<Size, Time> buffer;
  buffer.lifespan = {static_cast<Time>(lower), static_cast<Time>(upper)};
  buffer.size = static_cast<Size>(size);
  return buffer;
}

/// Lifespans and sizes uniformly random.
template <class Size = std::int64_t, class Time = std::int64_t>
[[nodiscard]] Problem<Size, Time> uniform(const Shape& shape, Random& random) {
  Problem<Size, Time> problem;
  for (std::size_t i = 0; i < shape.count; ++i) {
    const std::int64_t lower =
        random.between(std::int64_t{0}, shape.length - 1);
    const std::int64_t upper = random.between(lower + 1, shape.length);
    problem.buffers.push_back(make_buffer<Size, Time>(
        lower, upper,
        random.between(shape.smallest, shape.largest) * shape.unit));
  }
  return problem;
}

/// All live at the step in the middle.
template <class Size = std::int64_t, class Time = std::int64_t>
[[nodiscard]] Problem<Size, Time> clique(const Shape& shape, Random& random) {
  Problem<Size, Time> problem;
  const std::int64_t middle = shape.length / 2;
  for (std::size_t i = 0; i < shape.count; ++i) {
    const std::int64_t lower = random.between(std::int64_t{0}, middle);
    const std::int64_t upper = random.between(middle + 1, shape.length + 1);
    problem.buffers.push_back(make_buffer<Size, Time>(
        lower, upper,
        random.between(shape.smallest, shape.largest) * shape.unit));
  }
  return problem;
}

/// Uniform, and then every buffer up to three times, in any order.
template <class Size = std::int64_t, class Time = std::int64_t>
[[nodiscard]] Problem<Size, Time> twins(const Shape& shape, Random& random) {
  Problem<Size, Time> problem = uniform<Size, Time>(shape, random);
  const std::size_t different = (shape.count + 1) / 2;
  problem.buffers.resize(different);
  while (problem.buffers.size() < shape.count)
    problem.buffers.push_back(
        problem.buffers[random.between(std::size_t{0}, different - 1)]);
  random.shuffle(problem.buffers);
  return problem;
}

/// Gives `percent` of the buffers an alignment of 1, 2, 3, 4 or 8 times
/// `unit`.
template <class Size, class Time>
void align(Problem<Size, Time>& problem, int percent, Size unit,
           Random& random) {
  const std::vector<int> factors = {1, 2, 3, 4, 8};
  for (Buffer<Size, Time>& buffer : problem.buffers)
    if (random.chance(percent))
      buffer.alignment = static_cast<Size>(
          unit * factors[random.between(std::size_t{0}, factors.size() - 1)]);
}

/// Gives `percent` of the buffers one or two gaps, most with a window.
template <class Size, class Time>
void add_gaps(Problem<Size, Time>& problem, int percent, Random& random) {
  for (Buffer<Size, Time>& buffer : problem.buffers) {
    if (!random.chance(percent)) continue;
    Interval<Time> rest = buffer.lifespan;
    for (int k = random.between(1, 2); k > 0 && !rest.empty(); --k) {
      Gap<Size, Time> gap;
      gap.lifespan.lower =
          random.between(rest.lower, static_cast<Time>(rest.upper - 1));
      gap.lifespan.upper =
          random.between(static_cast<Time>(gap.lifespan.lower + 1), rest.upper);
      rest.lower = gap.lifespan.upper;
      if (buffer.size > 0 && random.chance(70)) {
        const Size lower =
            random.between(Size{0}, static_cast<Size>(buffer.size - 1));
        gap.window = Interval<Size>{
            lower, random.between(static_cast<Size>(lower + 1), buffer.size)};
      }
      buffer.gaps.push_back(gap);
    }
    random.shuffle(buffer.gaps);
  }
}

}  // namespace testing
}  // namespace snug

#endif  // SNUG_TESTS_SUPPORT_GENERATORS_HPP
