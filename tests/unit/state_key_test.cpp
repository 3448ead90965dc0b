// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/engine/state_key.hpp"

#include "snug/support/memory.hpp"
#include "support/catch.hpp"
#include "support/walker.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace state_key_test {

using snug::detail::Index;
using snug::detail::Key;
using snug::detail::Memory;
using snug::detail::StateKeys;

namespace {

struct Less {
  bool operator()(const Key& a, const Key& b) const {
    return a.low != b.low ? a.low < b.low : a.high < b.high;
  }
};

Key sum(Key a, const Key& b) {
  a += b;
  return a;
}

/// The key of all unplaced buffers, by its definition.
template <class Units>
Key key_of(const snug::testing::Walker<Units>& walker) {
  Key key;
  for (const Index x : walker.unplaced())
    key += walker.state.keys.term(x, walker.state.minimum[x],
                                  walker.state.is_skipped(x));
  return key;
}

}  // namespace

TEST_CASE("state key: sums of terms, in any order", "[state_key]") {
  Memory memory;
  const StateKeys<std::int32_t> keys(3, memory);
  const Key a = keys.term(0, 5, false);
  const Key b = keys.term(1, 0, true);
  const Key c = keys.term(2, 7, false);
  CHECK(sum(sum(a, b), c) == sum(sum(c, a), b));
  Key rest = sum(sum(a, b), c);
  rest -= b;
  CHECK(rest == sum(a, c));
  rest -= a;
  rest -= c;
  CHECK(rest == Key{});
  CHECK_FALSE(Key{1, 0} == Key{0, 1});
  CHECK_FALSE(Key{1, 0} == Key{});
  CHECK_FALSE(Key{0, 1} == Key{});
}

TEMPLATE_TEST_CASE("state key: no two terms are equal, and none is zero",
                   "[state_key]", std::int32_t, std::int64_t) {
  Memory memory;
  const StateKeys<TestType> keys(50, memory);
  std::set<Key, Less> seen;
  for (Index x = 0; x < 50; ++x)
    for (TestType minimum = 0; minimum < 100; ++minimum)
      for (const bool skipped : {false, true}) {
        const Key term = keys.term(x, minimum, skipped);
        REQUIRE(term.low != 0);
        REQUIRE(term.high != 0);
        REQUIRE(seen.insert(term).second);
        REQUIRE(term ==
                keys.term(x, StateKeys<TestType>::hash(minimum, skipped)));
      }
}

TEST_CASE("state key: both words spread over all bits", "[state_key]") {
  Memory memory;
  const StateKeys<std::int32_t> keys(1, memory);
  Key ones;
  Key zeros;
  for (std::int32_t minimum = 0; minimum < 64; ++minimum) {
    const Key key = keys.term(0, minimum, false);
    ones = {ones.low | key.low, ones.high | key.high};
    zeros = {zeros.low | ~key.low, zeros.high | ~key.high};
  }
  CHECK((ones.low & zeros.low) == ~std::uint64_t{0});
  CHECK((ones.high & zeros.high) == ~std::uint64_t{0});
}

TEST_CASE("state key: the same numbers for both widths of units",
          "[state_key]") {
  Memory memory;
  const StateKeys<std::int32_t> narrow(20, memory);
  const StateKeys<std::int64_t> wide(20, memory);
  for (Index x = 0; x < 20; ++x) {
    const auto minimum = static_cast<std::int32_t>(x * 1000003);
    CHECK(narrow.term(x, minimum, x % 2 == 0) ==
          wide.term(x, minimum, x % 2 == 0));
  }
  CHECK_FALSE(StateKeys<std::int64_t>::hash(std::int64_t{1} << 40, false) ==
              StateKeys<std::int64_t>::hash(0, false));
}

TEMPLATE_TEST_CASE("state key: one key a state", "[state_key]", std::int32_t,
                   std::int64_t) {
  std::size_t distinct = 0;
  snug::testing::for_each_walker<TestType>(
      60, 10, [&](auto& walker, auto& random) {
        using Part = std::vector<std::pair<Index, std::int64_t>>;
        std::map<Key, Part, Less> by_key;
        std::set<Part> parts;
        walker.walk(random, 40, [&](const auto& move) {
          if (!walker.propagate(move)) return false;
          Part part;
          for (const Index x : walker.unplaced())
            part.emplace_back(x, 2 * walker.state.minimum[x] +
                                     (walker.state.is_skipped(x) ? 1 : 0));
          REQUIRE(by_key.emplace(key_of(walker), part).first->second == part);
          parts.insert(part);
          return true;
        });
        REQUIRE(by_key.size() == parts.size());
        distinct += parts.size();
      });
  CHECK(distinct > 300);
}

TEMPLATE_TEST_CASE("state key: follows every placement and every skip",
                   "[state_key]", std::int32_t, std::int64_t) {
  std::size_t moves = 0;
  snug::testing::for_each_walker<TestType>(
      60, 10, [&](auto& walker, auto& random) {
        while (!walker.candidates().empty()) {
          const Key tracked = walker.state.key;
          const Key before = key_of(walker);
          const auto move = walker.move(random);
          Key change = walker.state.key;
          change -= tracked;
          Key expected = key_of(walker);
          expected -= before;
          REQUIRE(change == expected);
          ++moves;
          if (!walker.propagate(move)) break;
        }
      });
  CHECK(moves > 200);
}

}  // namespace state_key_test
