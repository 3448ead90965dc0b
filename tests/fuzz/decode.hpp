// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Any bytes as a small problem with any constraints. Every byte means
/// something: a flipped bit is another problem, not a syntax error.
///
///     kind count length capacity nodes setting seed | buffers | constraints
///
/// Of the first byte the lowest bits say what numbers there are: small ones,
/// for which an exhaustive search knows the answer, or *wild* ones, from the
/// ends of the 64-bit integers. What bytes are missing are zero. A constraint
/// that check() refuses is left out, but where the problem is wild.
#ifndef SNUG_TESTS_FUZZ_DECODE_HPP
#define SNUG_TESTS_FUZZ_DECODE_HPP

#include "snug/model/interval.hpp"
#include "snug/model/problem.hpp"
#include "support/solved.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>

namespace snug {
namespace fuzz {

/// A problem and how to go about it.
struct Case {
  Problem<> problem{};
  std::int64_t capacity = 0;
  std::int64_t node_limit = 0;  ///< of the calls that are to be stopped
  unsigned setting = 0;         ///< which rules and strategies
  std::uint64_t seed = 1;
  std::int64_t unit = 1;  ///< sizes and addresses are tried times this, too
  bool is_wild = false;
};

class Decoder {
 public:
  explicit Decoder(std::string_view bytes) : bytes_(bytes) {}

  [[nodiscard]] Case decode() {
    constexpr std::size_t kMostConstraints = 24;
    constexpr std::int64_t kUnits[] = {1, 1, 3, std::int64_t{1} << 40};
    constexpr std::int64_t kNodes[] = {0, 1, 2, 3, 7, 30, 200, 2000};
    const unsigned kind = byte();
    out_.is_wild = kind % 8 == 7;
    out_.unit = kUnits[kind / 8 % 4];
    const std::size_t count = 1 + byte() % 6;
    length_ = 1 + byte() % 8;
    out_.capacity = size(13);
    out_.node_limit = kNodes[byte() % 8];
    out_.setting = byte();
    out_.seed = byte();
    for (std::size_t i = 0; i < count; ++i) add_buffer();
    for (std::size_t k = 0; k < kMostConstraints && !bytes_.empty(); ++k)
      add_constraint();
    return std::move(out_);
  }

 private:
  [[nodiscard]] unsigned byte() {
    if (bytes_.empty()) return 0;
    const auto first = static_cast<unsigned char>(bytes_.front());
    bytes_.remove_prefix(1);
    return first;
  }
  [[nodiscard]] std::int64_t below(std::int64_t n) { return byte() % n; }

  /// A number near one of the ends of what there is, or small.
  [[nodiscard]] std::int64_t wild() {
    constexpr std::int64_t kMost = (std::numeric_limits<std::int64_t>::max)();
    constexpr std::int64_t kEnds[] = {0,
                                      0,
                                      kMost,
                                      -kMost - 1,
                                      std::int64_t{1} << 62,
                                      std::int64_t{1} << 61,
                                      std::int64_t{1} << 32,
                                      -(std::int64_t{1} << 62)};
    const unsigned b = byte();
    const std::int64_t end = kEnds[b / 32];
    const auto small = static_cast<std::int64_t>(b % 32);
    return end > kMost - 32 ? end - small : end + small;
  }
  [[nodiscard]] std::int64_t size(std::int64_t n) {
    return is_wild_now() ? wild() : below(n);
  }
  /// Whether the next number is wild: few are, lest all problems are refused.
  [[nodiscard]] bool is_wild_now() { return out_.is_wild && byte() % 8 == 7; }

  [[nodiscard]] std::size_t any_buffer() {
    return byte() % out_.problem.buffers.size();
  }
  /// An interval within another one, not empty unless that is.
  [[nodiscard]] Interval<std::int64_t> within(
      const Interval<std::int64_t>& all) {
    if (is_wild_now()) return {wild(), wild()};
    if (all.empty()) return all;
    const std::int64_t lower = all.lower + below(room(all));
    return {lower, lower + 1 + below(room({lower, all.upper}))};
  }
  /// The length of an interval, as far as a byte counts.
  [[nodiscard]] static std::int64_t room(const Interval<std::int64_t>& all) {
    constexpr std::uint64_t kMost = 256;
    return static_cast<std::int64_t>(
        (std::min)(static_cast<std::uint64_t>(all.upper) -
                       static_cast<std::uint64_t>(all.lower),
                   kMost));
  }

  void add_buffer() {
    constexpr std::int64_t kAlignments[] = {1, 1, 1, 1, 2, 3, 4, 8};
    Buffer<> buffer;
    buffer.lifespan = within({0, length_});
    buffer.size = size(6);
    buffer.alignment = is_wild_now() ? wild() : kAlignments[below(8)];
    out_.problem.buffers.push_back(buffer);
  }

  void add_constraint() {
    Problem<> before = out_.problem;
    add(byte() % 14);
    if (!check(out_.problem).ok() && !is_wild_now())
      out_.problem = std::move(before);
  }

  void add(unsigned kind) {
    Problem<>& p = out_.problem;
    Buffer<>& buffer = p.buffers[any_buffer()];
    const auto index = static_cast<std::size_t>(&buffer - p.buffers.data());
    switch (kind) {
      case 0:
      case 1: {
        Gap<> gap{within(buffer.lifespan), std::nullopt};
        if (kind == 1) gap.window = within({0, buffer.size});
        buffer.gaps.push_back(gap);
        return;
      }
      case 2: {
        const std::int64_t step =
            std::lcm((std::clamp)(buffer.alignment, kOne, kSmall),
                     (std::clamp)(p.alignment, kOne, kSmall));
        buffer.offset = is_wild_now() ? wild() : step * below(5);
        return;
      }
      case 3:
        buffer.hint = size(16);
        return;
      case 4:
        buffer.end = below(2) == 0 ? End::kBottom : End::kTop;
        return;
      case 5:
        p.aliases.push_back({index, any_buffer(), size(5)});
        return;
      case 6: {
        std::vector<std::size_t> group = {index};
        for (std::int64_t more = 1 + below(2); more > 0; --more)
          group.push_back(any_buffer());
        p.contiguous.push_back(std::move(group));
        return;
      }
      case 7:
        p.apart.push_back({index, any_buffer()});
        return;
      case 8:
        p.may_overlap.push_back({index, any_buffer()});
        return;
      case 9:
        p.reserved.push_back({within({0, 14}), std::nullopt});
        return;
      case 10:
        p.reserved.push_back({within({0, 14}), within({0, length_})});
        return;
      case 11:
        p.base = size(4);
        return;
      case 12:
        p.alignment = is_wild_now() ? wild() : 1 + below(4);
        return;
      default:
        p.penalties.push_back({index, any_buffer(), size(9)});
        return;
    }
  }

  static constexpr std::int64_t kOne = 1;
  static constexpr std::int64_t kSmall = 8;

  std::string_view bytes_;
  Case out_{};
  std::int64_t length_ = 1;
};

[[nodiscard]] inline Case decode(std::string_view bytes) {
  return Decoder(bytes).decode();
}

}  // namespace fuzz
}  // namespace snug

#endif  // SNUG_TESTS_FUZZ_DECODE_HPP
