// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/plain/waste.hpp"

#include "snug/engine/preorder.hpp"
#include "snug/model/problem.hpp"
#include "snug/support/memory.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/generators.hpp"
#include "support/naive_waste.hpp"
#include "support/random.hpp"
#include "support/walker.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace waste_test {

using namespace snug::testing;
using snug::detail::Index;
using snug::detail::Stack;
using snug::detail::Waste;

namespace {

constexpr std::int32_t kOne = snug::detail::Preorder::kOne;

double as_double(const snug::detail::Quotient& quotient) {
  return static_cast<double>(quotient.a) / static_cast<double>(quotient.b);
}

template <class Units>
Stack<Index> stack_of(const std::vector<Index>& buffers,
                      Walker<Units>& walker) {
  Stack<Index> result(walker.memory, buffers.size());
  for (const Index x : buffers) result.push(x);
  return result;
}

std::vector<Index> listed(const Stack<Index>& buffers) {
  return {buffers.begin(), buffers.end()};
}

/// The buffer of a size that no other has.
template <class Units>
Index of_size(const Walker<Units>& walker, Units size) {
  return static_cast<Index>(
      std::find(walker.instance.length,
                walker.instance.length + walker.instance.size, size) -
      walker.instance.length);
}

///     section 0   1   2       once 5 is placed, 3 lies on it;
///             +---+           2, 4 and 7 are the ties
///             | 2 |
///             +---+---+
///             |   4   |
///             +---+---+
///             | 7 | 3     |
///             +---+---+---+
///                     | 5 |
snug::Problem<> five_buffers() {
  snug::Problem<> problem;
  problem.buffers = {
      {{0, 1}, 2}, {{0, 3}, 4}, {{0, 1}, 7}, {{1, 4}, 3}, {{3, 4}, 5}};
  return problem;
}

}  // namespace

TEST_CASE("waste: beside and above a tie, below the highest of them",
          "[waste]") {
  snug::Problem<> problem = five_buffers();
  const bool another = GENERATE(false, true);
  if (another) problem.buffers.push_back({{1, 3}, 1});
  Walker<std::int32_t> walker(problem, 1000);
  walker.state.place(of_size(walker, 5));
  Waste<std::int32_t> waste(walker.instance, walker.memory);
  const Index n = walker.instance.size;
  waste.measure(walker.state, 0, n, stack_of(walker.ties(0, n), walker));
  const auto of = [&](std::int32_t size) {
    return as_double(waste.of(of_size(walker, size)));
  };
  if (another) {
    // Another one takes what is left in section 1.
    CHECK(of(2) == 0);
    CHECK(of(4) == 0);
    CHECK(of(7) == 0);
    CHECK(of(1) == 0);
  } else {
    CHECK(of(2) == 2.0 / 2);        // in section 1, below 4
    CHECK(of(4) == 1.0 / (4 * 2));  // in section 1, between 4 and 3
    CHECK(of(7) == 5.0 / 7);        // in section 1, below 3
  }
}

TEST_CASE("waste: a lone buffer wastes nothing", "[waste]") {
  snug::Problem<> problem;
  problem.buffers = {{{0, 5}, 7}};
  Walker<std::int32_t> walker(problem, 1000);
  Waste<std::int32_t> waste(walker.instance, walker.memory);
  waste.measure(walker.state, 0, 1, stack_of(walker.ties(0, 1), walker));
  CHECK(waste.of(0).a == 0);
}

TEMPLATE_TEST_CASE("waste: is what its definition says", "[waste]",
                   std::int32_t, std::int64_t) {
  std::size_t compared = 0;
  std::size_t positive = 0;
  std::size_t dropped = 0;
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(40); ++seed) {
    Random random(seed);
    Shape shape;
    // Short and long runs of sections, up to hundreds of them.
    shape.count = random.between(std::size_t{4}, std::size_t{200});
    shape.length = random.between(3, 600);
    shape.largest = random.between(2, 60);
    snug::Problem<> problem = uniform<>(shape, random);
    if (seed % 2 == 1) align(problem, 40, std::int64_t{1}, random);
    Walker<TestType> walker(problem, 4 * load_of(problem));
    walker.place_percent = random.between(40, 95);
    Waste<TestType> waste(walker.instance, walker.memory);
    const std::vector<std::int32_t> factors(walker.instance.size, kOne);
    walker.walk(random, 40, [&](const auto& move) {
      if (!walker.propagate(move)) return false;
      const Index begin = random.between(Index{0}, walker.instance.size);
      const Index end = random.between(begin, walker.instance.size);
      const std::vector<Index> all = walker.ties(begin, end);
      if (all.empty()) return true;
      Stack<Index> kept = stack_of(all, walker);
      waste.measure(walker.state, begin, end, kept);
      for (const Index x : all) {
        const double expected = naive_waste(walker, all, x, begin, end);
        REQUIRE(as_double(waste.of(x)) == expected);
        ++compared;
        if (expected > 0) ++positive;
      }
      waste.keep_least(walker.state, begin, end, factors.data(), kept);
      REQUIRE(listed(kept) == naive_frugal(walker, all, begin, end));
      dropped += all.size() - kept.size();
      return true;
    });
  }
  CHECK(compared > at_least<std::size_t>(5000));
  CHECK(positive > at_least(1000U));
  CHECK(dropped > at_least(500U));
}

TEST_CASE("waste: large numbers count in steps", "[waste]") {
  // All sizes 2^21 times as large: the steps are 2^k bytes, so only the unit
  // of the waste changes, and nothing is lost by rounding.
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Random random(seed);
    Shape shape;
    shape.count = 30;
    shape.length = 40;
    shape.largest = 9;
    snug::Problem<> problem = uniform<>(shape, random);
    Walker<std::int64_t> small(problem, 1000);
    for (auto& buffer : problem.buffers) buffer.size <<= 21;
    Walker<std::int64_t> large(problem, std::int64_t{1000} << 21);
    Waste<std::int64_t> of_small(small.instance, small.memory);
    Waste<std::int64_t> of_large(large.instance, large.memory);
    const Index n = small.instance.size;
    const std::vector<Index> all = small.ties(0, n);
    of_small.measure(small.state, 0, n, stack_of(all, small));
    of_large.measure(large.state, 0, n, stack_of(all, large));
    const std::int64_t tallest =
        *std::max_element(large.instance.length, large.instance.length + n);
    int shift = 0;
    while ((tallest - 1) >> shift >= 2047) ++shift;
    for (const Index x : all)
      REQUIRE(as_double(of_large.of(x)) *
                  static_cast<double>(std::int64_t{1} << shift) ==
              as_double(of_small.of(x)));
  }
}

TEST_CASE("waste: noise decides what is close", "[waste]") {
  // As above: 2 wastes 1, 4 an eighth and 7 five sevenths.
  snug::Problem<> problem = five_buffers();
  Walker<std::int32_t> walker(problem, 1000);
  walker.state.place(of_size(walker, 5));
  Waste<std::int32_t> waste(walker.instance, walker.memory);
  const Index n = walker.instance.size;
  std::vector<std::int32_t> factors(n, kOne);
  const auto kept = [&] {
    Stack<Index> stack = stack_of(walker.ties(0, n), walker);
    waste.keep_least(walker.state, 0, n, factors.data(), stack);
    std::vector<std::int32_t> sizes;
    for (const Index x : stack) sizes.push_back(walker.instance.length[x]);
    std::sort(sizes.begin(), sizes.end());
    return sizes;
  };
  using Sizes = std::vector<std::int32_t>;
  CHECK(kept() == Sizes{4});
  factors[of_size(walker, 4)] =
      4 * kOne;  // 1/2, and 5/7 is less than half more
  CHECK(kept() == Sizes{4, 7});
  factors[of_size(walker, 7)] = kOne / 10;
  CHECK(kept() == Sizes{7});
}

}  // namespace waste_test
