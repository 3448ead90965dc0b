// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A small random generator whose numbers are the same on every compiler and
/// platform (the standard library's distributions are not). The mixing
/// function is SplitMix64 (Steele, Lea and Flood, 2014).
#ifndef SNUG_BENCHMARKS_RANDOM_HPP
#define SNUG_BENCHMARKS_RANDOM_HPP

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace snug {
namespace benchmarks {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  /// 64 random bits.
  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t bits = state_;
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9U;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebU;
    return bits ^ (bits >> 31);
  }

  /// A number in [0, n), n > 0. The modulo favours some by less than n / 2^64.
  std::uint64_t below(std::uint64_t n) { return next() % n; }

  /// A number in [low, high], both included; high - low must fit `Int`.
  template <class Int>
  Int between(Int low, Int high) {
    const auto width = static_cast<std::uint64_t>(high - low) + 1;
    return static_cast<Int>(low + static_cast<Int>(below(width)));
  }

  /// True in `percent` of 100 cases.
  bool chance(int percent) { return between(0, 99) < percent; }

  /// A random order, every one equally likely.
  template <class T>
  void shuffle(std::vector<T>& items) {
    for (std::size_t i = items.size(); i > 1; --i)
      std::swap(items[i - 1], items[static_cast<std::size_t>(below(i))]);
  }

 private:
  std::uint64_t state_;
};

}  // namespace benchmarks
}  // namespace snug

#endif  // SNUG_BENCHMARKS_RANDOM_HPP
