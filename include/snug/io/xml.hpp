// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Text and attributes of XML documents. The same in every locale.
#ifndef SNUG_IO_XML_HPP
#define SNUG_IO_XML_HPP

#include "snug/config.hpp"
#include "snug/io/quantity.hpp"
#include "snug/io/utf8.hpp"

#include <cstdint>
#include <string>
#include <string_view>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// Appends `text` to an XML document: markup is escaped, and bytes that XML
/// does not allow (control characters, malformed UTF-8) become `?`.
inline void append_xml(std::string& out, std::string_view text) {
  while (!text.empty()) {
    const std::string_view letter = take_printable(text);
    const char first = letter.front();
    if (first == '&')
      out += "&amp;";
    else if (first == '<')
      out += "&lt;";
    else if (first == '>')
      out += "&gt;";
    else if (first == '"')
      out += "&quot;";
    else
      out += letter;
  }
}

/// Appends a coordinate, rounded to hundredths.
inline void append_coordinate(std::string& out, double value) {
  const double rounded = value * 100 + (value < 0 ? -0.5 : 0.5);
  auto hundredths = static_cast<std::int64_t>(rounded);
  if (hundredths < 0) {
    out += '-';
    hundredths = -hundredths;
  }
  append_hundredths(out, hundredths);
}

/// Appends the two coordinates of a point.
inline void append_point(std::string& out, double x, double y) {
  append_coordinate(out, x);
  out += ' ';
  append_coordinate(out, y);
}

/// Appends ` name="value"`, the value rounded to hundredths.
inline void append_attribute(std::string& out, std::string_view name,
                             double value) {
  out += ' ';
  out += name;
  out += "=\"";
  append_coordinate(out, value);
  out += '"';
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_IO_XML_HPP
