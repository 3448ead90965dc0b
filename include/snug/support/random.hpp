// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A small random generator that gives the same numbers everywhere.
///
/// Source: SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom
/// number generators", OOPSLA 2014): a Weyl sequence through a mixing function.
#ifndef SNUG_SUPPORT_RANDOM_HPP
#define SNUG_SUPPORT_RANDOM_HPP

#include "snug/config.hpp"

#include <cstdint>

SNUG_BEGIN_NAMESPACE
namespace detail {

class Random {
 public:
  explicit Random(std::uint64_t seed) noexcept : state_(seed) {}

  [[nodiscard]] std::uint64_t next() noexcept {
    state_ += 0x9e3779b97f4a7c15;
    std::uint64_t word = state_;
    word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9;
    word = (word ^ (word >> 27)) * 0x94d049bb133111eb;
    return word ^ (word >> 31);
  }
  /// A number in [0, bound); bound is in [1, 2^32). Slightly uneven for
  /// bounds that are not powers of two, which does not matter here.
  [[nodiscard]] std::uint32_t below(std::uint32_t bound) noexcept {
    return static_cast<std::uint32_t>(((next() >> 32) * bound) >> 32);
  }
  /// About 1024 times an exponentially distributed number of mean 1, in integers:
  /// log2 is a line between two powers of two.
  [[nodiscard]] std::int64_t exponential() noexcept {
    std::uint64_t draw = next() | 1;
    std::int64_t zeros = 0;
    for (; draw >> 63 == 0; draw <<= 1) ++zeros;
    const auto part = static_cast<std::int64_t>((draw << 1) >> 54);
    return (zeros * 1024 + 1024 - part) * 710 / 1024;
  }

 private:
  std::uint64_t state_;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_SUPPORT_RANDOM_HPP
