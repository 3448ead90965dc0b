// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/normal/flat_subset.hpp"

#include "snug/model/subset.hpp"
#include "snug/normal/flat.hpp"
#include "support/body_walker.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/exhaustive.hpp"
#include "support/random.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace flat_subset_test {

namespace {

using namespace snug::testing;
using snug::Problem;
using snug::detail::Flat;
using snug::detail::Index;
using snug::detail::List;

bool same_gap(const snug::detail::FlatGap& a, const snug::detail::FlatGap& b) {
  return a.buffer == b.buffer && a.lifespan == b.lifespan &&
         a.window == b.window;
}

}  // namespace

TEST_CASE("flat subset: what the subset of a problem is") {
  Random random(7);
  std::size_t tied = 0;
  std::size_t fixed = 0;
  std::size_t pairs = 0;
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(800); ++seed) {
    Problem<> problem = draw_constrained(seed, 9);
    for (auto& buffer : problem.buffers) buffer.hint = {};
    const Flat whole = snug::detail::flatten(problem);
    List<Index> members;
    std::vector<std::size_t> kept;
    for (Index i = 0; i < whole.buffers.size(); ++i) {
      if (random.below(3) == 0) continue;
      members.push_back(i);
      kept.push_back(i);
    }
    const Flat some = snug::detail::subset_of(whole, members);
    const Flat other = snug::detail::flatten(snug::subset(problem, kept));
    CAPTURE(seed);
    REQUIRE(some.base == other.base);
    REQUIRE(some.buffers.size() == other.buffers.size());
    for (Index k = 0; k < some.buffers.size(); ++k) {
      REQUIRE(some.buffers[k].lifespan == other.buffers[k].lifespan);
      REQUIRE(some.buffers[k].size == other.buffers[k].size);
      REQUIRE(some.buffers[k].alignment == other.buffers[k].alignment);
      // Who was tied to a fixed buffer that is left out is fixed all the same.
      REQUIRE(some.is_fixed(k) == whole.is_fixed(members[k]));
      if (some.is_fixed(k)) REQUIRE(some.fixed[k] == whole.fixed[members[k]]);
      if (some.is_fixed(k)) ++fixed;
    }
    REQUIRE(some.gaps.size() == other.gaps.size());
    for (std::size_t k = 0; k < some.gaps.size(); ++k)
      REQUIRE(same_gap(some.gaps[k], other.gaps[k]));
    REQUIRE(some.apart == other.apart);
    REQUIRE(some.may_overlap == other.may_overlap);
    REQUIRE(some.reserved.size() == other.reserved.size());
    if (!whole.ends.empty()) {
      for (Index k = 0; k < some.buffers.size(); ++k)
        REQUIRE(some.ends[k] == whole.ends[members[k]]);
    }
    pairs += some.apart.size() + some.may_overlap.size();
    if (other.root.empty()) continue;
    ++tied;
    REQUIRE(some.root == other.root);
    REQUIRE(some.delta == other.delta);
  }
  CHECK(tied > at_least<std::size_t>(50));
  CHECK(fixed > at_least<std::size_t>(100));
  CHECK(pairs > at_least<std::size_t>(100));
}

}  // namespace flat_subset_test
