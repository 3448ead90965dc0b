// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/plan/fewest_freed.hpp"

#include "snug/engine/bits.hpp"
#include "snug/normal/flat.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/random.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace fewest_freed_test {

using snug::detail::FewestFreed;
using snug::detail::Index;
using snug::detail::Word;

namespace {

constexpr std::int64_t kMany = 1 << 20;

bool has(Word set, Index b) {
  return (set >> b & 1) != 0;
}

}  // namespace

TEST_CASE("fewest freed: one in the middle, or all around it if they are less",
          "[replan]") {
  const bool is_heavy = GENERATE(false, true);
  FewestFreed freed;
  freed.add(0, 1);
  freed.add(1, is_heavy ? 3 : 1);
  freed.add(2, 1);
  freed.add_meeting(0, 1);
  freed.add_meeting(2, 1);
  Word found = 0;
  const auto take = [&](Word set) {
    found = set;
    return true;
  };
  CHECK_FALSE(freed.find(is_heavy ? 2 : 1, kMany, take));
  CHECK(freed.find(kMany, kMany, take));
  CHECK(found == (is_heavy ? 0b101U : 0b010U));
}

TEST_CASE("fewest freed: of two that meet, the last one", "[replan]") {
  FewestFreed freed;
  for (const Index b : {3U, 63U}) freed.add(b, 1);
  freed.add_meeting(3, 63);
  CHECK(freed.find(kMany, kMany,
                   [](Word set) { return set == FewestFreed::bit_of(63); }));
}

TEST_CASE("fewest freed: no more looks than it may take", "[replan]") {
  FewestFreed freed;
  for (Index b = 0; b < 20; ++b) {
    freed.add(b, 1);
    freed.add_near_free(b);
  }
  std::int64_t seen = 0;
  CHECK_FALSE(freed.find(kMany, 100, [&](Word) {
    ++seen;
    return false;
  }));
  CHECK(seen > 50);
  CHECK(seen <= 100);
}

TEST_CASE("fewest freed: every set that may do, once, by weight", "[replan]") {
  // A set may do if it has one of each pair that meets, and each of its parts,
  // which are neighbours of one another, has one that is free anyway or meets.
  for (std::uint64_t seed = 0; seed < snug::testing::effort<std::uint64_t>(300);
       ++seed) {
    constexpr Index kBodies = 7;
    snug::testing::Random random(seed);
    FewestFreed freed;
    std::vector<std::int64_t> weight(kBodies);
    std::vector<Word> near(kBodies, 0);
    std::vector<Word> meets(kBodies, 0);
    Word roots = 0;
    for (Index b = 0; b < kBodies; ++b) {
      weight[b] = random.between(1, 3);
      freed.add(b, weight[b]);
      if (random.chance(20)) {
        freed.add_near_free(b);
        roots |= FewestFreed::bit_of(b);
      }
      for (Index other = 0; other < b; ++other) {
        if (!random.chance(40)) continue;
        freed.add_neighbours(b, other);
        near[b] |= FewestFreed::bit_of(other);
        near[other] |= FewestFreed::bit_of(b);
        if (!random.chance(30)) continue;
        freed.add_meeting(b, other);
        meets[b] |= FewestFreed::bit_of(other);
        meets[other] |= FewestFreed::bit_of(b);
      }
    }
    for (Index b = 0; b < kBodies; ++b)
      if (meets[b] != 0) roots |= FewestFreed::bit_of(b);
    std::vector<Word> expected;
    for (Word set = 0; set < Word{1} << kBodies; ++set) {
      bool may_do = true;
      Word reached = set & roots;
      for (Index round = 0; round < kBodies; ++round)
        for (Index b = 0; b < kBodies; ++b)
          if (has(reached, b)) reached |= near[b] & set;
      for (Index b = 0; b < kBodies; ++b)
        may_do = may_do && (has(set, b) || (meets[b] & ~set) == 0);
      if (may_do && reached == set) expected.push_back(set);
    }
    std::vector<Word> seen;
    std::int64_t last = 0;
    CHECK_FALSE(freed.find(kMany / 1024, kMany, [&](Word set) {
      std::int64_t sum = 0;
      for (Index b = 0; b < kBodies; ++b)
        if (has(set, b)) sum += weight[b];
      CHECK(sum >= last);
      last = sum;
      seen.push_back(set);
      return false;
    }));
    std::sort(seen.begin(), seen.end());
    CAPTURE(seed);
    CHECK(seen == expected);
  }
}

}  // namespace fewest_freed_test
