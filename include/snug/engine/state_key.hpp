// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// 128-bit keys of search states, kept up to date a few additions at a time.
///
/// The state of a part of the problem is the set of its unplaced buffers, each
/// with its minimum offset m and whether it is skipped there. Its key is
///
///     sum over unplaced x of  a[x] * h(2 m(x) + skipped(x))   (mod 2^64)
///
/// twice, with independent multipliers a. h is a fixed one-to-one mixing of
/// 64-bit words that avoids zero for every code in use. Two different states
/// differ in at least one h, by some d that is not zero; for multipliers drawn
/// from the odd words at random, the two sums then agree with probability
/// 2^v / 2^63, where 2^v is the largest power of two that divides all such d. h
/// spreads the low bits, so v is small: 0 for most pairs, and at most k for all
/// but 2^-k of them. Both words agree with probability 2^-(126 - 2v). A search
/// that compares 2^30 states against a table of 2^20 makes 2^50 comparisons:
/// the chance that one of them is wrong is about 2^-76. The multipliers come
/// from a fixed generator, so the keys are the same on every platform.
#ifndef SNUG_ENGINE_STATE_KEY_HPP
#define SNUG_ENGINE_STATE_KEY_HPP

#include "snug/config.hpp"
#include "snug/normal/flat.hpp"
#include "snug/support/memory.hpp"
#include "snug/support/random.hpp"

#include <cstdint>

SNUG_BEGIN_NAMESPACE
namespace detail {

struct Key {
  std::uint64_t low = 0;
  std::uint64_t high = 0;

  Key& operator+=(const Key& other) noexcept {
    low += other.low;
    high += other.high;
    return *this;
  }
  Key& operator-=(const Key& other) noexcept {
    low -= other.low;
    high -= other.high;
    return *this;
  }
  [[nodiscard]] friend Key operator-(Key a, const Key& b) noexcept {
    return a -= b;
  }
  [[nodiscard]] friend bool operator==(const Key& a, const Key& b) noexcept {
    return a.low == b.low && a.high == b.high;
  }
};

/// The multipliers of each buffer.
template <class Units>
class StateKeys {
 public:
  StateKeys(Index buffers, Memory& memory)
      : multipliers_(memory.take<Key>(buffers)) {
    Random random(0x736e7567);
    for (Index x = 0; x < buffers; ++x) {
      multipliers_[x].low = random.next() | 1;
      multipliers_[x].high = random.next() | 1;
    }
  }

  [[nodiscard]] static std::uint64_t hash(Units minimum,
                                          bool skipped) noexcept {
    std::uint64_t code =
        2 * static_cast<std::uint64_t>(minimum) + (skipped ? 2 : 1);
    code *= 0x9e3779b97f4a7c15;
    code ^= code >> 32;
    code *= 0xd6e8feb86659fd93;
    return code ^ (code >> 29);
  }
  [[nodiscard]] Key term(Index x, std::uint64_t hashed) const noexcept {
    return {multipliers_[x].low * hashed, multipliers_[x].high * hashed};
  }
  [[nodiscard]] Key term(Index x, Units minimum, bool skipped) const noexcept {
    return term(x, hash(minimum, skipped));
  }

 private:
  Key* multipliers_;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_ENGINE_STATE_KEY_HPP
