// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Names of buffers, cut to the room there is. What tells tensors of a network
/// apart stands at the end of their names, so folders go first, from the front,
/// and then the middle of what is left:
///
///     MobilenetV1/MobilenetV1/Conv2d_0/Relu6     room for 38 letters or more
///     MobilenetV1/Conv2d_0/Relu6                 26
///     Conv2d_0/Relu6                             14
///     Relu6                                      5
///     Re~6                                       4, ~ being an ellipsis
///
/// Letters are counted, not bytes: names are UTF-8.
#ifndef SNUG_IO_NAMES_HPP
#define SNUG_IO_NAMES_HPP

#include "snug/config.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// The length of the UTF-8 character at the front of `text`, 0 if malformed.
[[nodiscard]] inline std::size_t utf8_length(std::string_view text) noexcept {
  const auto byte = [&](std::size_t k) -> unsigned {
    return k < text.size() ? static_cast<unsigned char>(text[k]) : 0U;
  };
  const auto follows = [&](std::size_t k) {
    return (byte(k) & 0xC0U) == 0x80U;
  };
  const unsigned first = byte(0);
  if (first < 0x80U) return 1;
  if (first >= 0xC2U && first <= 0xDFU) return follows(1) ? 2 : 0;
  if (first >= 0xE0U && first <= 0xEFU) {
    const bool overlong = first == 0xE0U && byte(1) < 0xA0U;
    const bool surrogate = first == 0xEDU && byte(1) > 0x9FU;
    return follows(1) && follows(2) && !overlong && !surrogate ? 3 : 0;
  }
  if (first >= 0xF0U && first <= 0xF4U) {
    const bool overlong = first == 0xF0U && byte(1) < 0x90U;
    const bool beyond = first == 0xF4U && byte(1) > 0x8FU;
    return follows(1) && follows(2) && follows(3) && !overlong && !beyond ? 4
                                                                          : 0;
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

/// How many letters `text` has.
[[nodiscard]] inline std::size_t count_letters(std::string_view text) noexcept {
  std::size_t count = 0;
  for (; !text.empty(); ++count) (void)take_letter(text);
  return count;
}

/// `name` in at most `room` letters, see the head of this file; empty where
/// less than three letters of it would be left, unless that is all of it.
[[nodiscard]] inline std::string fit_name(std::string_view name,
                                          std::size_t room,
                                          std::string_view ellipsis) {
  std::size_t letters = count_letters(name);
  while (letters > room) {
    const std::size_t slash = name.find('/');
    if (slash == std::string_view::npos || slash + 1 == name.size()) break;
    letters -= count_letters(name.substr(0, slash + 1));
    name.remove_prefix(slash + 1);
  }
  if (letters <= room) return std::string(name);
  const std::size_t kept = room - (std::min)(room, count_letters(ellipsis));
  if (kept < 3) return {};
  const std::size_t tail = kept / 2;
  std::string out;
  for (std::size_t k = 0; k < letters; ++k) {
    const std::string_view letter = take_letter(name);
    if (k == kept - tail) out += ellipsis;
    if (k < kept - tail || k >= letters - tail) out += letter;
  }
  return out;
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_IO_NAMES_HPP
