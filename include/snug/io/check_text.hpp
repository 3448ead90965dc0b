// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What check() refuses, as a sentence with names:
///
///     buffer 'a': fixed offsets conflict (buffer 'b')
///     buffer 'a': fixed offset occupies reserved bytes (reserved range 48-64)
///     buffer 'a': size is too large: more than 2^62
#ifndef SNUG_IO_CHECK_TEXT_HPP
#define SNUG_IO_CHECK_TEXT_HPP

#include "snug/config.hpp"
#include "snug/io/text.hpp"
#include "snug/model/interval.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/reason.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

SNUG_BEGIN_NAMESPACE

/// The `error` that check() has for a problem whose buffers are called `ids` and
/// whose reserved ranges are these. With the `buffers` it says where a sum is too
/// large because of one size.
template <class Size, class Time>
[[nodiscard]] std::string to_string(
    const Check& error, const std::vector<std::string>& ids,
    const std::vector<Reserved<Size, Time>>& reserved,
    const std::vector<Buffer<Size, Time>>& buffers = {}) {
  const auto name = [&](std::size_t buffer) {
    return "buffer '" + printable(ids[buffer]) + '\'';
  };
  std::string text;
  if (error.buffer < ids.size()) text = name(error.buffer) + ": ";
  const bool is_sum = error.reason == Reason::kSizeOverflow;
  if (is_sum && error.buffer < buffers.size() &&
      std::int64_t{buffers[error.buffer].size} > detail::kMaxTotal)
    text += "size is too large: more than 2^62";
  else if (is_sum && error.entry == Entry::kProblem)
    text += "base offset of the problem is too large: more than 2^62";
  else
    text += to_string(error.reason);
  if (error.entry == Entry::kReserved && error.index < reserved.size()) {
    const Interval<Size>& bytes = reserved[error.index].bytes;
    text += " (reserved range " + std::to_string(bytes.lower) + '-' +
            std::to_string(bytes.upper) + ')';
  } else if (error.entry != Entry::kGap && error.other < ids.size() &&
             error.other != error.buffer) {
    text += " (" + name(error.other) + ')';
  }
  return text;
}

SNUG_END_NAMESPACE

#endif  // SNUG_IO_CHECK_TEXT_HPP
