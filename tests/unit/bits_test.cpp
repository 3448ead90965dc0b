// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/engine/bits.hpp"

#include "support/catch.hpp"
#include "support/random.hpp"

#include <cstddef>
#include <vector>

namespace bits_test {

using snug::detail::Index;
using snug::detail::Word;

namespace {

std::vector<Index> elements(const std::vector<Word>& set) {
  std::vector<Index> result;
  for (Index i = 0; i < 64 * set.size(); ++i)
    if (snug::detail::has_bit(set.data(), i)) result.push_back(i);
  return result;
}

}  // namespace

TEST_CASE("bits: the words of a set", "[bits]") {
  CHECK(snug::detail::words_for(0) == 0);
  CHECK(snug::detail::words_for(1) == 1);
  CHECK(snug::detail::words_for(64) == 1);
  CHECK(snug::detail::words_for(65) == 2);
  CHECK(snug::detail::words_for(128) == 2);
}

TEST_CASE("bits: one at a time", "[bits]") {
  for (const Index i : {0U, 1U, 31U, 32U, 63U, 64U, 65U, 127U, 128U, 191U}) {
    CAPTURE(i);
    std::vector<Word> set(3, 0);
    snug::detail::set_bit(set.data(), i);
    CHECK(elements(set) == std::vector<Index>{i});
    CHECK(set[i / 64] == Word{1} << (i % 64));
    snug::detail::set_bit(set.data(), i);
    CHECK(elements(set) == std::vector<Index>{i});

    std::vector<Word> rest(3, ~Word{0});
    snug::detail::clear_bit(rest.data(), i);
    CHECK(elements(rest).size() == 191);
    CHECK_FALSE(snug::detail::has_bit(rest.data(), i));
    snug::detail::clear_bit(set.data(), i);
    CHECK(elements(set).empty());
  }
}

TEST_CASE("bits: every range of three words", "[bits]") {
  for (Index begin = 0; begin <= 192; ++begin)
    for (Index end = 0; end <= 192; ++end) {
      // One word more than a reader could reach, and one bit set before.
      std::vector<Word> set(4, 0);
      set[1] = Word{1} << 5;
      std::vector<Word> expected = set;
      for (Index i = begin; i < end; ++i)
        snug::detail::set_bit(expected.data(), i);
      snug::detail::set_range(set.data(), begin, end);
      if (set == expected) continue;
      CAPTURE(begin, end);
      REQUIRE(set == expected);
    }
  // Not one word too far.
  std::vector<Word> exact(2, 0);
  snug::detail::set_range(exact.data(), 0, 128);
  CHECK(exact == std::vector<Word>(2, ~Word{0}));
}

TEST_CASE("bits: the lowest bit of a word", "[bits]") {
  for (Index i = 0; i < 64; ++i) {
    CHECK(snug::detail::lowest_bit(Word{1} << i) == i);
    CHECK(snug::detail::lowest_bit(~Word{0} << i) == i);
    CHECK(snug::detail::highest_bit(Word{1} << i) == i);
    CHECK(snug::detail::highest_bit(~Word{0} >> (63 - i)) == i);
  }
}

TEST_CASE("bits: what is in both sets, ascending", "[bits]") {
  snug::testing::Random random(3);
  for (int round = 0; round < 200; ++round) {
    std::vector<Word> a(4);
    std::vector<Word> b(4);
    for (std::size_t w = 0; w < 4; ++w) {
      a[w] = random.next() & random.next();
      b[w] = random.next() & random.next();
    }
    const Index words = random.between(0U, 4U);
    std::vector<Index> expected;
    for (Index i = 0; i < 64 * words; ++i)
      if (snug::detail::has_bit(a.data(), i) &&
          snug::detail::has_bit(b.data(), i))
        expected.push_back(i);
    std::vector<Index> visited;
    snug::detail::for_each_in_both(a.data(), b.data(), words,
                                   [&](Index i) { visited.push_back(i); });
    CHECK(visited == expected);
  }
}

}  // namespace bits_test
