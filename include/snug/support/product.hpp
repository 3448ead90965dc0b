// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Products of two 64-bit numbers, compared exactly: how quotients are compared
/// without dividing, and the same on every platform.
#ifndef SNUG_SUPPORT_PRODUCT_HPP
#define SNUG_SUPPORT_PRODUCT_HPP

#include "snug/config.hpp"

#include <cstdint>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// A product of two 64-bit numbers.
class Product {
 public:
  constexpr Product(std::uint64_t a, std::uint64_t b) noexcept {
    constexpr std::uint64_t kLow = 0xffffffff;
    const std::uint64_t low = (a & kLow) * (b & kLow);
    const std::uint64_t first = (a >> 32) * (b & kLow) + (low >> 32);
    const std::uint64_t second = (a & kLow) * (b >> 32) + (first & kLow);
    high_ = (a >> 32) * (b >> 32) + (first >> 32) + (second >> 32);
    low_ = (second << 32) | (low & kLow);
  }

  [[nodiscard]] friend constexpr bool operator<(const Product& a,
                                                const Product& b) noexcept {
    return a.high_ != b.high_ ? a.high_ < b.high_ : a.low_ < b.low_;
  }

 private:
  std::uint64_t high_ = 0;
  std::uint64_t low_ = 0;
};

/// a / b, both at least 0, b above 0.
struct Quotient {
  std::int64_t a;
  std::int64_t b;

  [[nodiscard]] friend constexpr bool operator<(const Quotient& x,
                                                const Quotient& y) noexcept {
    return Product(static_cast<std::uint64_t>(x.a),
                   static_cast<std::uint64_t>(y.b)) <
           Product(static_cast<std::uint64_t>(y.a),
                   static_cast<std::uint64_t>(x.b));
  }
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_SUPPORT_PRODUCT_HPP
