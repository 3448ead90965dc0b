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
#include "snug/io/utf8.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

SNUG_BEGIN_NAMESPACE
namespace detail {

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
