// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/engine/failed_states.hpp"

#include "snug/plain/explainer.hpp"
#include "snug/support/memory.hpp"
#include "support/catch.hpp"
#include "support/random.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace failed_states_test {

using snug::detail::Conflict;
using snug::detail::FailedStates;
using snug::detail::Key;
using snug::detail::Memory;
using snug::detail::Word;

namespace {

constexpr std::size_t kProbes = 8;  // neighbouring slots of a key
constexpr std::size_t kWords = 3;   // of each set in the tests

Key key_of(std::uint64_t k) {
  snug::testing::Random random(k);
  const std::uint64_t low = random.next();
  return {low, random.next()};
}

/// The words of a conflict that can be told from all others.
std::vector<Word> words_of(std::uint64_t k, std::size_t words = kWords) {
  std::vector<Word> result(2 * words);
  for (std::size_t w = 0; w < result.size(); ++w) result[w] = 1000 * k + w;
  return result;
}

void insert(FailedStates& table, const Key& key, std::uint64_t k,
            std::int64_t nodes = 1) {
  std::vector<Word> words = words_of(k);
  table.insert(key, {words.data(), kWords}, nodes);
}

/// Whether a key is there with the conflict of `k`.
bool holds(FailedStates& table, const Key& key, std::uint64_t k) {
  const std::size_t slot = table.find(key);
  if (slot == FailedStates::kNone) return false;
  const Conflict conflict = table.conflict(slot);
  REQUIRE(conflict.words() == kWords);
  return std::vector<Word>(conflict.members(),
                           conflict.members() + conflict.size()) == words_of(k);
}

}  // namespace

TEST_CASE("failed states: what was put in is found", "[failed_states]") {
  Memory memory;
  FailedStates table(kWords, std::size_t{1} << 20, memory);
  CHECK(table.find(key_of(1)) == FailedStates::kNone);
  for (std::uint64_t k = 0; k < 100; ++k) {
    insert(table, key_of(k), k);
    CHECK(holds(table, key_of(k), k));
  }
  for (std::uint64_t k = 0; k < 100; ++k) CHECK(holds(table, key_of(k), k));
  for (std::uint64_t k = 100; k < 1000; ++k)
    CHECK(table.find(key_of(k)) == FailedStates::kNone);
}

TEST_CASE("failed states: both words of a key count", "[failed_states]") {
  Memory memory;
  FailedStates table(kWords, std::size_t{1} << 20, memory);
  insert(table, {5, 7}, 1);
  CHECK(table.find({5, 8}) == FailedStates::kNone);
  CHECK(table.find({5 + (std::uint64_t{1} << 40), 7}) == FailedStates::kNone);
  insert(table, {5, 8}, 2);
  CHECK(holds(table, {5, 7}, 1));
  CHECK(holds(table, {5, 8}, 2));
  insert(table, {0, 7}, 3);  // Only two zero words mark a free slot.
  insert(table, {7, 0}, 4);
  CHECK(holds(table, {0, 7}, 3));
  CHECK(holds(table, {7, 0}, 4));
}

TEST_CASE("failed states: the first conflict of a key stays",
          "[failed_states]") {
  Memory memory;
  FailedStates table(kWords, std::size_t{1} << 20, memory);
  insert(table, key_of(1), 1);
  insert(table, key_of(1), 2);
  CHECK(holds(table, key_of(1), 1));

  // Nor does it take a slot from its neighbours.
  for (std::uint64_t k = 2; k <= kProbes; ++k) insert(table, {250, k}, k);
  for (std::uint64_t k = 0; k < 20; ++k) insert(table, {250, 1}, 1);
  for (std::uint64_t k = 1; k <= kProbes; ++k) CHECK(holds(table, {250, k}, k));
}

TEST_CASE("failed states: a full neighbourhood is overwritten in turn",
          "[failed_states]") {
  Memory memory;
  FailedStates table(kWords, std::size_t{1} << 20, memory);
  const auto neighbour = [](std::uint64_t k) { return Key{250, k + 1}; };
  for (std::uint64_t k = 0; k < 50; ++k) {
    insert(table, neighbour(k), k);
    CHECK(holds(table, neighbour(k), k));
    std::size_t kept = 0;
    for (std::uint64_t j = 0; j <= k; ++j) {
      if (table.find(neighbour(j)) == FailedStates::kNone) continue;
      CHECK(holds(table, neighbour(j), j));
      ++kept;
    }
    CHECK(kept == (k < kProbes ? k + 1 : kProbes));
    // Each slot has its turn, so the last eight are there.
    if (k >= kProbes)
      for (std::uint64_t j = k - kProbes + 1; j <= k; ++j)
        CHECK(holds(table, neighbour(j), j));
  }
}

TEST_CASE("failed states: what took the fewest nodes is overwritten",
          "[failed_states]") {
  Memory memory;
  FailedStates table(kWords, std::size_t{1} << 20, memory);
  const auto neighbour = [](std::uint64_t k) { return Key{250, k + 1}; };
  for (std::uint64_t k = 0; k < kProbes; ++k)
    insert(table, neighbour(k), k, k % 2 == 0 ? 100 : 3);
  // Four cheap ones go first, then what came instead of them.
  for (std::uint64_t k = kProbes; k < 40; ++k) {
    insert(table, neighbour(k), k, k < 12 ? 50 : 1);
    CHECK(holds(table, neighbour(k), k));
    for (std::uint64_t j = 0; j < kProbes; j += 2)
      CHECK(holds(table, neighbour(j), j));
    if (k == 11) {
      for (std::uint64_t j = kProbes; j <= k; ++j)
        CHECK(holds(table, neighbour(j), j));
      table.prepare(1000);  // It remembers when it grows.
    }
  }
}

TEST_CASE("failed states: growing keeps all there is", "[failed_states]") {
  Memory memory;
  FailedStates table(kWords, std::size_t{1} << 20, memory);
  for (std::uint64_t k = 0; k < 100; ++k) insert(table, key_of(k), k);
  const std::size_t before = memory.peak_bytes();
  table.prepare(20);  // There is room for that many.
  CHECK(memory.peak_bytes() == before);
  table.prepare(1000);
  CHECK(memory.peak_bytes() > before);
  for (std::uint64_t k = 0; k < 100; ++k) CHECK(holds(table, key_of(k), k));
  for (std::uint64_t k = 100; k < 1100; ++k) insert(table, key_of(k), k);
  // The run that it was prepared for fits without a loss.
  for (std::uint64_t k = 0; k < 1100; ++k) CHECK(holds(table, key_of(k), k));
}

TEST_CASE("failed states: no more than the bytes allowed", "[failed_states]") {
  constexpr std::size_t kPerSlot =
      sizeof(Key) + (2 * kWords + 1) * sizeof(Word);
  for (const std::size_t bytes :
       {std::size_t{100}, std::size_t{5000}, std::size_t{100000}}) {
    CAPTURE(bytes);
    Memory memory;
    FailedStates table(kWords, bytes, memory);
    for (std::uint64_t k = 0; k < 3000; ++k) {
      if (k % 100 == 0)
        table.prepare((std::numeric_limits<std::int64_t>::max)());
      insert(table, key_of(k), k);
      REQUIRE(holds(table, key_of(k), k));
    }
    std::size_t kept = 0;
    for (std::uint64_t k = 0; k < 3000; ++k)
      if (table.find(key_of(k)) != FailedStates::kNone) ++kept;
    CHECK(kept >= kProbes);
    CHECK(kept * kPerSlot <= (std::max)(bytes, kProbes * kPerSlot));
    // Half of the allowance is used at least; while a table moves, there is
    // the smaller one as well.
    CHECK(kept * kPerSlot * 3 > bytes);
    CHECK(memory.peak_bytes() <=
          (std::max)(bytes + bytes / 2, kProbes * kPerSlot) + 256);
  }
}

TEST_CASE("failed states: a run without end gets what most need",
          "[failed_states]") {
  Memory memory;
  FailedStates table(kWords, std::size_t{1} << 30, memory);
  table.prepare((std::numeric_limits<std::int64_t>::max)());
  CHECK(memory.peak_bytes() < (std::size_t{8} << 20));
}

TEST_CASE("failed states: without conflicts only keys are kept",
          "[failed_states]") {
  Memory memory;
  FailedStates table(0, std::size_t{1} << 16, memory);
  std::vector<Word> words = words_of(1);
  for (std::uint64_t k = 0; k < 50; ++k)
    table.insert(key_of(k), {words.data(), 0}, 1);
  for (std::uint64_t k = 0; k < 50; ++k)
    CHECK(table.find(key_of(k)) != FailedStates::kNone);
  CHECK(table.find(key_of(50)) == FailedStates::kNone);
}

TEST_CASE("failed states: without bytes nothing is remembered",
          "[failed_states]") {
  Memory memory;
  FailedStates table(kWords, 0, memory);
  table.prepare(1000);
  insert(table, key_of(1), 1);
  CHECK(table.find(key_of(1)) == FailedStates::kNone);
  CHECK(memory.peak_bytes() == 0);
}

}  // namespace failed_states_test
