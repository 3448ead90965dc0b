// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the formats share: places in a text, integers, and names that are safe to
/// print. Independent of the locale; no streams.
#ifndef SNUG_IO_TEXT_HPP
#define SNUG_IO_TEXT_HPP

#include "snug/config.hpp"

#include <charconv>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

SNUG_BEGIN_NAMESPACE

/// A place in a text. Both count from 1; columns count bytes within the line,
/// not counting a byte order mark.
struct TextPosition {
  std::size_t line = 0;
  std::size_t column = 0;
};

/// What is wrong with a text, and where.
struct TextError {
  TextPosition position{};
  std::string message{};  ///< one line without a full stop; empty when ok

  [[nodiscard]] bool ok() const noexcept { return message.empty(); }
};

/// The error as `line:column: message`, to be put behind a file's name.
[[nodiscard]] inline std::string to_string(const TextError& error) {
  return std::to_string(error.position.line) + ':' +
         std::to_string(error.position.column) + ": " + error.message;
}

/// `text` as it may appear in a message: control characters become `?`, and
/// what exceeds `limit` bytes becomes `...` (UTF-8 characters stay whole).
[[nodiscard]] inline std::string printable(std::string_view text,
                                           std::size_t limit = 40) {
  std::size_t length = text.size();
  if (length > limit) {
    length = limit;
    while (length > 0 &&
           (static_cast<unsigned char>(text[length]) & 0xC0U) == 0x80U)
      --length;
  }
  std::string out(text.substr(0, length));
  for (char& c : out)
    if (static_cast<unsigned char>(c) < 0x20U || c == '\x7F') c = '?';
  if (length < text.size()) out += "...";
  return out;
}

namespace detail {

template <class Integer>
void append_integer(std::string& out, Integer value) {
  char digits[24] = {};
  const std::to_chars_result written =
      std::to_chars(digits, digits + sizeof digits, value);
  out.append(digits, written.ptr);
}

/// The name of buffer `index`: its id, or the index where there is none.
[[nodiscard]] inline std::string name_of(const std::vector<std::string>& ids,
                                         std::size_t index) {
  return index < ids.size() ? ids[index] : std::to_string(index);
}

/// Appends `text` between quotes, with two of them for one in it.
inline void append_in_quotes(std::string& out, std::string_view text,
                             char quote) {
  out += quote;
  for (const char c : text) {
    if (c == quote) out += c;
    out += c;
  }
  out += quote;
}

/// What comes behind a byte order mark, or all if there is none.
[[nodiscard]] inline std::string_view skip_byte_order_mark(
    std::string_view text) noexcept {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  if (text.substr(0, kMark.size()) == kMark) text.remove_prefix(kMark.size());
  return text;
}

[[nodiscard]] inline bool is_blank(char c) noexcept {
  return c == ' ' || c == '\t';
}

[[nodiscard]] inline std::string_view trim_blanks(
    std::string_view text) noexcept {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace detail

SNUG_END_NAMESPACE

#endif  // SNUG_IO_TEXT_HPP
