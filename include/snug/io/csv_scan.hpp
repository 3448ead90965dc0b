// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Cuts a text into lines of comma-separated fields, and fields into integers.
/// Nothing here knows what the columns mean.
///
/// Each character is looked at once, and a field is a view into the text; only
/// one with a doubled quote is copied, to a buffer that is used again.
#ifndef SNUG_IO_CSV_SCAN_HPP
#define SNUG_IO_CSV_SCAN_HPP

#include "snug/config.hpp"
#include "snug/io/csv_table.hpp"
#include "snug/io/text.hpp"

#include <charconv>
#include <cstddef>
#include <string>
#include <string_view>
#include <system_error>

SNUG_BEGIN_NAMESPACE

namespace detail {

struct CsvField {
  std::string_view text{};  ///< without quotes; valid until the next field
  CsvPosition position{};
  bool last = false;  ///< whether its line ends here
};

class CsvScanner {
 public:
  explicit CsvScanner(std::string_view text)
      : text_(skip_byte_order_mark(text)) {}

  [[nodiscard]] bool at_end() const noexcept { return at_ == text_.size(); }

  [[nodiscard]] CsvPosition position() const noexcept {
    return {line_, at_ - line_begin_ + 1};
  }

  /// At the start of a line: skips the line if it has nothing but blanks.
  [[nodiscard]] bool skip_blank_line() noexcept {
    std::size_t end = at_;
    while (end < text_.size() && (is_blank(text_[end]) || text_[end] == '\r'))
      ++end;
    if (end < text_.size() && text_[end] != '\n') return false;
    at_ = end;
    if (at_ < text_.size()) end_line();
    return true;
  }

  /// Reads the next field of the line. Returns an error's text, or nullptr.
  [[nodiscard]] const char* next(CsvField& field) {
    field.position = position();
    if (at_ < text_.size() && text_[at_] == '"') return next_quoted(field);
    const std::size_t begin = at_;
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == ',' || c == '\n') break;
      if (c == '\0') return kNulByte;
    }
    std::size_t end = at_;
    const bool ends_line = at_ == text_.size() || text_[at_] == '\n';
    if (ends_line && end > begin && text_[end - 1] == '\r') --end;
    field.text = text_.substr(begin, end - begin);
    field.last = end_field();
    return nullptr;
  }

 private:
  static constexpr const char* kNulByte =
      "NUL byte: this is not a text in UTF-8";

  /// Steps over the end of a line.
  void end_line() noexcept {
    line_begin_ = ++at_;
    ++line_;
  }

  /// Steps over the separator behind a field; whether it ended the line.
  bool end_field() noexcept {
    if (at_ == text_.size()) return true;
    if (text_[at_] == '\n') {
      end_line();
      return true;
    }
    ++at_;
    return false;
  }

  [[nodiscard]] const char* next_quoted(CsvField& field) {
    std::size_t begin = ++at_;
    bool copied = false;
    for (;; ++at_) {
      if (at_ == text_.size()) return "quoted field is not closed";
      const char c = text_[at_];
      if (c == '\0') return kNulByte;
      if (c == '\n') {
        line_begin_ = at_ + 1;
        ++line_;
      }
      if (c != '"') continue;
      if (at_ + 1 == text_.size() || text_[at_ + 1] != '"') break;
      if (!copied) scratch_.clear();
      copied = true;
      scratch_ += text_.substr(begin, at_ - begin + 1);
      begin = ++at_ + 1;
    }
    field.text = text_.substr(begin, at_ - begin);
    if (copied) {
      scratch_ += field.text;
      field.text = scratch_;
    }
    ++at_;
    if (at_ < text_.size() && text_[at_] == '\r' &&
        (at_ + 1 == text_.size() || text_[at_ + 1] == '\n'))
      ++at_;
    if (at_ < text_.size() && text_[at_] != ',' && text_[at_] != '\n')
      return "text behind the closing quote";
    field.last = end_field();
    return nullptr;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  std::size_t line_begin_ = 0;
  std::string scratch_{};
};

/// Reads an integer, with or without a sign, off the front of `text`. Returns an
/// error's text, or nullptr.
template <class Integer>
[[nodiscard]] const char* take_integer(std::string_view& text,
                                       Integer& value) noexcept {
  // from_chars() takes no plus; what follows it must not be another sign.
  if (text.size() > 1 && text[0] == '+' && text[1] >= '0' && text[1] <= '9')
    text.remove_prefix(1);
  const std::from_chars_result read =
      std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec == std::errc::result_out_of_range) return "out of range";
  if (read.ec != std::errc{}) return "not an integer";
  text.remove_prefix(static_cast<std::size_t>(read.ptr - text.data()));
  return nullptr;
}

/// Reads `text`, blanks around it aside, as one integer.
template <class Integer>
[[nodiscard]] const char* parse_integer(std::string_view text,
                                        Integer& value) noexcept {
  text = trim_blanks(text);
  const char* const error = take_integer(text, value);
  if (error != nullptr) return error;
  return text.empty() ? nullptr : "not an integer";
}

/// What is wrong with a word of a column, as a message.
[[nodiscard]] inline std::string csv_fault(const char* column, const char* why,
                                           std::string_view culprit) {
  return std::string(column) + ": " + why + ": '" + printable(culprit) + '\'';
}

}  // namespace detail

SNUG_END_NAMESPACE

#endif  // SNUG_IO_CSV_SCAN_HPP
