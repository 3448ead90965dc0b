// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Numbers as people read them: digits in groups, bytes with binary units, and
/// the steps of an axis. The same in every locale; no streams.
///
///     2031616  ->  2 031 616        a count
///              ->  1.94 MiB         an amount of memory
///     an axis of 1 003 520 bytes with at most 8 steps  ->  every 128 KiB
///     an axis of 720 time steps with at most 8 steps   ->  every 100
#ifndef SNUG_IO_QUANTITY_HPP
#define SNUG_IO_QUANTITY_HPP

#include "snug/config.hpp"
#include "snug/io/text.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

SNUG_BEGIN_NAMESPACE

/// `2 031 616`: an integer with a blank between groups of three digits.
template <class Integer>
[[nodiscard]] std::string grouped_text(Integer value) {
  const std::string digits = std::to_string(value);
  const std::size_t first = digits[0] == '-' ? 1 : 0;
  std::string out;
  for (std::size_t k = 0; k < digits.size(); ++k) {
    if (k > first && (digits.size() - k) % 3 == 0) out += ' ';
    out += digits[k];
  }
  return out;
}

namespace detail {

/// Appends `hundredths` / 100 (>= 0) without zeros at the end.
inline void append_hundredths(std::string& out, std::int64_t hundredths) {
  append_integer(out, hundredths / 100);
  const auto rest = static_cast<int>(hundredths % 100);
  if (rest == 0) return;
  out += '.';
  out += static_cast<char>('0' + rest / 10);
  if (rest % 10 != 0) out += static_cast<char>('0' + rest % 10);
}

/// The distance between the marks on an axis of `span` bytes that has room for
/// `most` of them: a power of two, at least 1.
[[nodiscard]] inline double bytes_step(double span, double most) {
  double step = 1;
  while (step * most < span) step *= 2;
  return step;
}

/// Likewise for time: 1, 2 or 5 times a power of ten, at least 1.
[[nodiscard]] inline double time_step(double span, double most) {
  for (double power = 1;; power *= 10)
    for (const double factor : {1.0, 2.0, 5.0})
      if (power * factor * most >= span) return power * factor;
}

}  // namespace detail

/// `1.94 MiB`: an amount of memory, >= 0, to three digits.
[[nodiscard]] inline std::string bytes_text(double bytes) {
  static constexpr const char* kUnits[] = {" B",   " KiB", " MiB", " GiB",
                                           " TiB", " PiB", " EiB"};
  // What is rounded up to 1024 of a unit is 1 of the next.
  std::size_t unit = 0;
  for (; bytes >= 1023.5 && unit < 6; ++unit) bytes /= 1024;
  const double rounding = bytes < 10 ? 1 : bytes < 100 ? 10 : 100;
  const auto rounded = static_cast<std::int64_t>(bytes * 100 / rounding + 0.5);
  std::string out;
  detail::append_hundredths(out, rounded * static_cast<std::int64_t>(rounding));
  return out + kUnits[unit];
}

SNUG_END_NAMESPACE

#endif  // SNUG_IO_QUANTITY_HPP
