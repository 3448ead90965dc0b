// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Characters of UTF-8, as far as texts and drawings ask for them.
#ifndef SNUG_IO_UTF8_HPP
#define SNUG_IO_UTF8_HPP

#include "snug/config.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// The length of the character of UTF-8 that `text` begins with; 0 if it
/// begins with none.
[[nodiscard]] inline std::size_t utf8_length(std::string_view text) noexcept {
  const auto byte = [&](std::size_t k) -> std::uint32_t {
    return k < text.size() ? static_cast<unsigned char>(text[k]) : 0U;
  };
  const auto follows = [&](std::size_t k, std::uint32_t low = 0x80U,
                           std::uint32_t high = 0xBFU) {
    return byte(k) >= low && byte(k) <= high;
  };
  const std::uint32_t first = byte(0);
  if (text.empty()) return 0;
  if (first < 0x80U) return 1;
  if (first >= 0xC2U && first <= 0xDFU) return follows(1) ? 2 : 0;
  if (first >= 0xE0U && first <= 0xEFU) {
    const std::uint32_t low = first == 0xE0U ? 0xA0U : 0x80U;   // not overlong
    const std::uint32_t high = first == 0xEDU ? 0x9FU : 0xBFU;  // no surrogate
    return follows(1, low, high) && follows(2) ? 3 : 0;
  }
  if (first >= 0xF0U && first <= 0xF4U) {
    const std::uint32_t low = first == 0xF0U ? 0x90U : 0x80U;
    const std::uint32_t high = first == 0xF4U ? 0x8FU : 0xBFU;
    return follows(1, low, high) && follows(2) && follows(3) ? 4 : 0;
  }
  return 0;
}

/// Takes one letter, or one malformed byte, off the front of `text`.
inline std::string_view take_letter(std::string_view& text) noexcept {
  const std::size_t length = utf8_length(text);
  const std::string_view letter = text.substr(0, length == 0 ? 1 : length);
  text.remove_prefix(letter.size());
  return letter;
}

/// The same; `?` for what no document allows: control characters and malformed
/// bytes.
inline std::string_view take_printable(std::string_view& text) noexcept {
  const bool well_formed = utf8_length(text) > 0;
  const std::string_view letter = take_letter(text);
  const auto first = static_cast<unsigned char>(letter.front());
  return !well_formed || first < 0x20U || first == 0x7FU ? "?" : letter;
}

/// `text` with U+FFFD in the place of each malformed byte.
inline std::string well_formed(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const bool is_malformed = utf8_length(text) == 0;
    const std::string_view letter = take_letter(text);
    out += is_malformed ? std::string_view("\xEF\xBF\xBD") : letter;
  }
  return out;
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_IO_UTF8_HPP
