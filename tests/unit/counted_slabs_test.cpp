// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/pools/counted_slabs.hpp"

#include "snug/bodies/bodies.hpp"
#include "snug/bodies/body_builder.hpp"
#include "snug/model/problem.hpp"
#include "snug/normal/flat.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/generators.hpp"
#include "support/random.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace counted_slabs_test {

using namespace snug::testing;
using snug::Problem;
using snug::detail::Bodies;
using snug::detail::BodyBuilder;
using snug::detail::CountedSlabs;
using snug::detail::Index;
using snug::detail::IndexPair;
using snug::detail::Slab;

namespace {

Bodies bodies_of(const Problem<>& problem) {
  return BodyBuilder(snug::detail::flatten(problem), {}).build();
}

/// The bytes that count, by section and buffer.
std::vector<std::vector<std::int64_t>> count(const Bodies& bodies) {
  const CountedSlabs counted(bodies);
  std::vector<std::vector<std::int64_t>> result(
      bodies.sections, std::vector<std::int64_t>(bodies.body_of.size(), 0));
  for (const Slab& whole : bodies.slabs)
    counted.for_each(whole, [&](const Slab& slab) {
      CHECK(whole.sections.contains(slab.sections));
      CHECK(whole.bytes == slab.bytes);
      for (Index s = slab.sections.lower; s < slab.sections.upper; ++s)
        if (slab.buffer != Bodies::kNoBuffer)
          result[s][slab.buffer] += slab.length();
    });
  return result;
}

}  // namespace

TEST_CASE("counted slabs: one of two counts while both are live",
          "[counted_slabs]") {
  using Counted = std::vector<std::vector<std::int64_t>>;
  Problem<> problem;
  problem.buffers = {{{0, 2}, 5}, {{1, 4}, 3}, {{3, 5}, 7}};
  CHECK(count(bodies_of(problem)) == Counted{{5, 3, 0}, {0, 3, 7}});
  problem.may_overlap = {{0, 1}, {2, 1}};
  SECTION("the one of more bytes") {
    CHECK(count(bodies_of(problem)) == Counted{{5, 0, 0}, {0, 0, 7}});
    problem.buffers[1].size = 12;
    CHECK(count(bodies_of(problem)) == Counted{{0, 12, 0}, {0, 12, 0}});
  }
  SECTION("it has too many pairs for its bytes") {
    problem.buffers = {{{0, 2}, 5}, {{0, 2}, 6}, {{0, 2}, 4}};
    CHECK(count(bodies_of(problem)) == Counted{{5, 0, 4}});
    problem.buffers[1].size = 60;
    CHECK(count(bodies_of(problem)) == Counted{{0, 60, 0}});
  }
  SECTION("nobody hides another by bytes that do not count") {
    problem.buffers = {{{0, 1}, 9}, {{0, 2}, 8}, {{0, 2}, 4}, {{1, 2}, 1}};
    CHECK(count(bodies_of(problem)) == Counted{{9, 0, 4, 0}, {0, 8, 0, 1}});
  }
  SECTION("they are tied, and so one body") {
    problem.aliases = {{1, 0, 0}, {2, 0, 0}};
    CHECK(count(bodies_of(problem)) == Counted{{5, 3, 0}, {0, 3, 7}});
  }
}

TEST_CASE("counted slabs: nothing that counts may overlap another",
          "[counted_slabs]") {
  std::size_t hidden = 0;
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(2000); ++seed) {
    CAPTURE(seed);
    Random random(seed);
    Shape shape;
    shape.count = random.between(std::size_t{2}, std::size_t{12});
    Problem<> problem = uniform<>(shape, random);
    add_constraints(problem, random);
    for (int k = random.between(0, 12); k > 0; --k)
      add_may_overlap(problem, random);
    const Bodies bodies = bodies_of(problem);
    const auto bytes = count(bodies);
    std::vector<std::vector<std::int64_t>> all(
        bytes.size(), std::vector<std::int64_t>(bodies.body_of.size(), 0));
    for (const Slab& slab : bodies.slabs)
      for (Index s = slab.sections.lower; s < slab.sections.upper; ++s)
        if (slab.buffer != Bodies::kNoBuffer)
          all[s][slab.buffer] += slab.length();
    for (std::size_t s = 0; s < bytes.size(); ++s)
      for (Index i = 0; i < bodies.body_of.size(); ++i) {
        const auto& pairs = bodies.exempt_of(i);
        const auto counts_beside = [&](const IndexPair& pair) {
          return bodies.body_of[i] != bodies.body_of[pair.second] &&
                 bytes[s][pair.second] > 0;
        };
        const bool is_beside =
            std::any_of(pairs.begin(), pairs.end(), counts_beside);
        if (all[s][i] == 0) {
          REQUIRE(bytes[s][i] == 0);
          continue;
        }
        // It counts in full, or one that it may overlap does.
        REQUIRE((bytes[s][i] > 0) != is_beside);
        REQUIRE((bytes[s][i] == 0 || bytes[s][i] == all[s][i]));
        if (is_beside) ++hidden;
      }
  }
  CHECK(hidden > at_least<std::size_t>(2000));
}

}  // namespace counted_slabs_test
