// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Walks through a JSON text, value by value. Nothing here knows what the keys
/// mean.
///
/// The caller says what it expects next; nothing is kept of what was read. The
/// first error stays, with its place, and after it every call returns false.
/// No recursion: a caller nests as deep as its own format, and values that are
/// skipped as deep as kMostNested.
///
/// Cost: each byte is looked at once.
/// Source: RFC 8259, "The JavaScript Object Notation (JSON) Data Interchange
/// Format"; RFC 3629 for UTF-8.
#ifndef SNUG_IO_JSON_SCAN_HPP
#define SNUG_IO_JSON_SCAN_HPP

#include "snug/config.hpp"
#include "snug/io/text.hpp"
#include "snug/io/utf8.hpp"

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE

using JsonPosition = TextPosition;
using JsonError = TextError;

namespace detail {

inline void append_utf8(std::string& out, std::uint32_t code) {
  const auto append = [&](std::uint32_t byte) {
    out += static_cast<char>(static_cast<unsigned char>(byte));
  };
  if (code < 0x80U) {
    append(code);
  } else if (code < 0x800U) {
    append(0xC0U | code >> 6U);
    append(0x80U | (code & 0x3FU));
  } else if (code < 0x10000U) {
    append(0xE0U | code >> 12U);
    append(0x80U | (code >> 6U & 0x3FU));
    append(0x80U | (code & 0x3FU));
  } else {
    append(0xF0U | code >> 18U);
    append(0x80U | (code >> 12U & 0x3FU));
    append(0x80U | (code >> 6U & 0x3FU));
    append(0x80U | (code & 0x3FU));
  }
}

/// A key of an object. Its value goes to `target`, which JsonScanner::value()
/// takes and which must outlive this.
template <class Target>
struct JsonKey {
  std::string_view name{};
  Target* target = nullptr;
  bool is_needed = false;
};

/// A key that may be left out.
template <class Target>
[[nodiscard]] JsonKey<std::remove_reference_t<Target>> json_key(
    std::string_view name, Target&& target) {
  return {name, &target, false};
}
/// A key that must be there.
template <class Target>
[[nodiscard]] JsonKey<std::remove_reference_t<Target>> needed_json_key(
    std::string_view name, Target&& target) {
  return {name, &target, true};
}

class JsonScanner {
 public:
  static constexpr std::size_t kMostNested = 64;

  explicit JsonScanner(std::string_view text)
      : text_(skip_byte_order_mark(text)) {}

  [[nodiscard]] bool ok() const noexcept { return error_.ok(); }
  [[nodiscard]] const JsonError& error() const noexcept { return error_; }

  bool fail(JsonPosition position, std::string message) {
    if (ok()) error_ = {position, std::move(message)};
    return false;
  }
  bool fail(std::string message) { return fail(here(), std::move(message)); }

  /// The next character that is no blank, or NUL at the end or after an error;
  /// position() is its place.
  [[nodiscard]] char peek() noexcept {
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c != ' ' && c != '\t' && c != '\r' && c != '\n') break;
      if (c != '\n') continue;
      ++line_;
      line_begin_ = at_ + 1;
    }
    return ok() && at_ < text_.size() ? text_[at_] : '\0';
  }
  [[nodiscard]] JsonPosition position() noexcept {
    (void)peek();
    return here();
  }

  /// Nothing but blanks may follow.
  bool end() {
    (void)peek();
    return ok() && (at_ == text_.size() || fail("text behind the end"));
  }

  bool string(std::string& value) {
    value.clear();
    if (peek() != '"') return expected("a string");
    const JsonPosition begin = here();
    for (++at_; at_ < text_.size();) {
      const char c = text_[at_];
      if (c == '"') {
        ++at_;
        return true;
      }
      if (c == '\\') {
        if (!escape(value)) return false;
        continue;
      }
      if (static_cast<unsigned char>(c) < 0x20U)
        return fail("control character in a string");
      const std::size_t length = utf8_length(text_.substr(at_));
      if (length == 0) return fail("not UTF-8");
      value += text_.substr(at_, length);
      at_ += length;
    }
    return fail(begin, "string is not closed");
  }

  /// `what` is welcome there, for the message.
  template <class Integer>
  bool integer(Integer& value, const char* what = "an integer") {
    const char c = peek();
    if (c != '-' && !is_digit(c)) return expected(what);
    const std::string_view rest = text_.substr(at_);
    std::size_t length = c == '-' ? 1 : 0;
    const std::size_t digits = length;
    while (length < rest.size() && is_digit(rest[length])) ++length;
    if (length == digits) return fail("'-' without a number");
    if (length > digits + 1 && rest[digits] == '0')
      return fail("number begins with 0");
    const char next = length < rest.size() ? rest[length] : ' ';
    if (next == '.' || next == 'e' || next == 'E')
      return fail("not an integer: a fraction or an exponent");
    const std::from_chars_result read =
        std::from_chars(rest.data(), rest.data() + length, value);
    if (read.ec != std::errc{}) return fail("out of range");
    at_ += length;
    return true;
  }

  bool boolean(bool& value) {
    const char c = peek();
    if (c != 't' && c != 'f') return expected("true or false");
    value = c == 't';
    return word(value ? "true" : "false");
  }

  /// Steps over `null` if it is next.
  [[nodiscard]] bool null() { return peek() == 'n' && word("null"); }

  /// Calls `use()` at each element of an array, until it returns false.
  template <class Use>
  bool array(Use use) {
    if (peek() != '[') return expected("an array");
    ++at_;
    for (bool first = true; more(']', first); first = false)
      if (!use()) return false;
    return ok();
  }

  /// Reads a value of the type of its target.
  bool value(std::string& target) { return string(target); }
  bool value(bool& target) { return boolean(target); }
  /// `null` is none.
  template <class T>
  bool value(std::optional<T>& target) {
    return null() || (ok() && value(target.emplace()));
  }
  /// An array, of which there is nothing yet.
  template <class T>
  bool value(std::vector<T>& target) {
    return array([&] { return value(target.emplace_back()); });
  }
  /// An integer, what a function reads, or what has read(JsonScanner&).
  template <class T>
  bool value(T& target) {
    if constexpr (std::is_integral_v<T>)
      return integer(target);
    else if constexpr (std::is_invocable_v<T&>)
      return target();
    else
      return target.read(*this);
  }

  /// Reads an object of these keys. Skips others that begin with `_`.
  template <class... Targets>
  bool object(const JsonKey<Targets>&... keys) {
    constexpr std::size_t kKeys = sizeof...(keys);
    const std::string_view names[] = {keys.name...};
    const bool is_needed[] = {keys.is_needed...};
    if (peek() != '{') return expected("an object");
    const JsonPosition begin = position();
    ++at_;
    bool seen[kKeys] = {};
    std::string name;
    for (bool first = true; more('}', first); first = false) {
      const JsonPosition place = position();
      if (!key(name)) return false;
      if (!name.empty() && name.front() == '_') {
        if (!skip()) return false;
        continue;
      }
      std::size_t k = 0;
      while (k < kKeys && names[k] != name) ++k;
      if (k == kKeys)
        return fail(place, "unknown key '" + printable(name) + "'");
      if (seen[k])
        return fail(place, "key '" + printable(name) + "' comes twice");
      seen[k] = true;
      std::size_t at = 0;
      if (!((at++ != k || value(*keys.target)) && ...)) return false;
    }
    for (std::size_t k = 0; ok() && k < kKeys; ++k)
      if (is_needed[k] && !seen[k])
        fail(begin, "no key '" + std::string(names[k]) + "'");
    return ok();
  }

  /// Steps over any value.
  bool skip() {
    char closers[kMostNested] = {};
    std::size_t depth = 0;
    std::string ignored;
    bool first = false;
    for (;;) {
      // At a value.
      const char c = peek();
      if (c == '{' || c == '[') {
        if (depth == kMostNested) return fail("nested too deeply");
        closers[depth++] = c == '{' ? '}' : ']';
        ++at_;
        first = true;
      } else if (!scalar(c, ignored)) {
        return false;
      }
      while (depth > 0 && !more(closers[depth - 1], first)) {
        if (!ok()) return false;
        --depth;
        first = false;
      }
      if (depth == 0) return true;
      if (closers[depth - 1] == '}' && !key(ignored)) return false;
      first = false;
    }
  }

 private:
  [[nodiscard]] static bool is_digit(char c) noexcept {
    return c >= '0' && c <= '9';
  }

  [[nodiscard]] JsonPosition here() const noexcept {
    return {line_, at_ - line_begin_ + 1};
  }

  bool expected(const std::string& what) {
    const bool is_end = at_ == text_.size();
    return fail("expected " + what +
                (is_end ? ", not the end of the text" : ""));
  }

  bool word(std::string_view word) {
    if (text_.substr(at_, word.size()) != word)
      return fail("expected '" + std::string(word) + "'");
    at_ += word.size();
    return true;
  }

  bool key(std::string& name) {
    if (!string(name)) return false;
    if (peek() != ':') return expected("':'");
    ++at_;
    return true;
  }

  /// Steps to the next element, over a comma unless it is the first; or over
  /// `closer`, and returns false.
  bool more(char closer, bool first) {
    const char c = peek();
    if (c == closer) {
      ++at_;
      return false;
    }
    if (first) return ok() && (c != '\0' || expected("a value"));
    if (c != ',') return expected(std::string("',' or '") + closer + '\'');
    ++at_;
    return true;
  }

  /// Steps over a value that is no array or object and begins with `c`.
  bool scalar(char c, std::string& ignored) {
    bool truth = false;
    if (c == '"') return string(ignored);
    if (c == 't' || c == 'f') return boolean(truth);
    if (c == 'n') return word("null");
    return number();
  }

  /// Steps over any number.
  bool number() {
    const auto take_digits = [&] {
      const std::size_t begin = at_;
      while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
      return at_ > begin || expected("a digit");
    };
    const auto take = [&](std::string_view any_of) {
      const bool found = at_ < text_.size() &&
                         any_of.find(text_[at_]) != std::string_view::npos;
      if (found) ++at_;
      return found;
    };
    const char c = peek();
    if (c != '-' && !is_digit(c)) return expected("a value");
    (void)take("-");
    if (!take("0") && !take_digits()) return false;
    if (take(".") && !take_digits()) return false;
    if (take("eE")) {
      (void)take("+-");
      return take_digits();
    }
    return true;
  }

  /// Reads what a backslash begins.
  bool escape(std::string& value) {
    const char c = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
    constexpr std::string_view kEscapes = "\"\\/bfnrt";
    constexpr std::string_view kMeant = "\"\\/\b\f\n\r\t";
    const std::size_t k = kEscapes.find(c);
    if (c != '\0' && k != std::string_view::npos) {
      value += kMeant[k];
      at_ += 2;
      return true;
    }
    if (c != 'u') return fail("unknown escape in a string");
    std::uint32_t code = 0;
    if (!hex(code)) return false;
    if (code >= 0xD800U && code <= 0xDFFFU) {
      const std::uint32_t high = code;
      if (high > 0xDBFFU || text_.substr(at_, 2) != "\\u" || !hex(code) ||
          code < 0xDC00U || code > 0xDFFFU)
        return fail("half a surrogate pair in a string");
      code = 0x10000U + ((high - 0xD800U) << 10U) + (code - 0xDC00U);
    }
    append_utf8(value, code);
    return true;
  }

  /// Reads `\uXXXX`.
  bool hex(std::uint32_t& code) {
    const std::string_view digits = text_.substr(at_ + 2).substr(0, 4);
    const char* const last = digits.data() + digits.size();
    const std::from_chars_result read =
        std::from_chars(digits.data(), last, code, 16);
    if (digits.size() != 4 || read.ec != std::errc{} || read.ptr != last)
      return fail("expected four hexadecimal digits");
    at_ += 6;
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  std::size_t line_begin_ = 0;
  JsonError error_{};
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_IO_JSON_SCAN_HPP
