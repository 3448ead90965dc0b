// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Builds a JSON text (RFC 8259) from keys and values.
#ifndef SNUG_IO_JSON_WRITER_HPP
#define SNUG_IO_JSON_WRITER_HPP

#include "snug/config.hpp"
#include "snug/io/text.hpp"
#include "snug/io/utf8.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// Appends a string in quotes. What is not UTF-8 becomes U+FFFD.
inline void append_json_string(std::string& out, std::string_view text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  out += '"';
  while (!text.empty()) {
    const char c = text.front();
    const auto code = static_cast<unsigned char>(c);
    const std::size_t length = utf8_length(text);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (code < 0x20U || code == 0x7FU) {
      out += "\\u00";
      out += kHex[code >> 4U];
      out += kHex[code & 15U];
    } else if (length == 0) {
      out += "\\ufffd";
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  out += '"';
}

/// Writes keys and values, with commas where they belong.
class JsonWriter {
 public:
  [[nodiscard]] std::string take() { return std::move(out_); }

  void open(char bracket) {
    separate();
    out_ += bracket;
    is_first_ = true;
  }
  void close(char bracket) {
    out_ += bracket;
    is_first_ = false;
  }
  void line() {
    if (!is_first_) out_ += ',';
    is_first_ = true;
    out_ += '\n';
  }
  void key(const char* name) {
    separate();
    out_ += '"';
    out_ += name;
    out_ += "\":";
    is_first_ = true;
  }
  void text(std::string_view text) {
    separate();
    append_json_string(out_, text);
  }
  template <class Integer>
  void number(Integer value) {
    separate();
    append_integer(out_, value);
  }
  void word(std::string_view word) {
    separate();
    out_ += word;
  }
  template <class Integer>
  void field(const char* name, Integer value) {
    key(name);
    number(value);
  }
  void text_field(const char* name, std::string_view value) {
    key(name);
    text(value);
  }
  /// An item by its name, or by its index where it has none.
  void item(const std::vector<std::string>& names, std::size_t index) {
    if (index < names.size() && !names[index].empty())
      text(names[index]);
    else
      number(index);
  }
  void item_field(const char* name, const std::vector<std::string>& names,
                  std::size_t index) {
    key(name);
    item(names, index);
  }
  /// A list under a key; write(item) writes one of `items`.
  template <class Items, class Write>
  void list(const char* name, const Items& items, Write write) {
    key(name);
    open('[');
    for (const auto& item : items) write(item);
    close(']');
  }
  /// A list of objects under a key, each on a line; write(k) writes what is in one.
  template <class Write>
  void objects(const char* name, std::size_t count, Write write) {
    key(name);
    open('[');
    for (std::size_t k = 0; k < count; ++k) {
      line();
      open('{');
      write(k);
      close('}');
    }
    close(']');
  }
  template <class Integers>
  void numbers(const char* name, const Integers& integers) {
    list(name, integers, [&](auto value) { number(value); });
  }
  void items(const char* name, const std::vector<std::string>& names,
             const std::vector<std::size_t>& indices) {
    list(name, indices, [&](std::size_t index) { item(names, index); });
  }
  void pair(const std::vector<std::string>& names, std::size_t first,
            std::size_t second) {
    open('[');
    item(names, first);
    item(names, second);
    close(']');
  }

 private:
  void separate() {
    if (!is_first_) out_ += ',';
    is_first_ = false;
  }

  std::string out_{};
  bool is_first_ = true;
};

/// A text of one object; write(out) writes what is in it.
template <class Write>
[[nodiscard]] std::string json_object(Write write) {
  JsonWriter out;
  out.open('{');
  write(out);
  out.close('}');
  return out.take() + '\n';
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_IO_JSON_WRITER_HPP
