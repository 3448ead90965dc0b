// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Reads what XLA dumps of its buffer assignment with `--xla_dump_to=DIR
/// --xla_dump_hlo_as_text`: `*-buffer-assignment.txt`, which says where each
/// value is, and `*-live-range.txt`, which says when it is live.
///
///     allocation 3: size 8192, preallocated-temp:
///      value: <12 fusion.1 @0> (size=4096,offset=4096): f32[32,32]{1,0}
///      value: <15 while{2} @0> (size=4096,offset=0): f32[32,32]{1,0}
///
///     Total bytes used: 8192 (8.0KiB)
///
///       BufferLiveRange:
///         fusion.1{}:3-7
///         while{2}:4-9
///       Live ranges at 5 (peak):
///
/// The last step counts in. A value that is no part of a tuple has `{}` behind
/// its name in the second file only. The total and the line of the peak come last
/// of what counts: a file without is not complete, and refused. All other lines are
/// skipped: the format is not a stable one.
///
/// Source: xla/service/buffer_assignment.cc, BufferAllocation::ToString and
/// BufferAssignment::ToString;
/// xla/service/hlo_value.cc, HloValue::ToShortString;
/// xla/hlo/utils/hlo_live_range.cc, HloLiveRange::ToString.
#ifndef SNUG_EXAMPLES_XLA_DUMP_HPP
#define SNUG_EXAMPLES_XLA_DUMP_HPP

#include "snug/model/interval.hpp"
#include "snug/model/lifespan.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <utility>
#include <vector>

namespace xla {

struct Value {
  std::string name{};  ///< with the index of its tuple, or `{}`
  std::int64_t offset = 0;
  std::int64_t size = 0;
};

struct Allocation {
  std::int64_t index = 0;
  std::int64_t size = 0;
  std::string kind{};  ///< such as "preallocated-temp" or "constant"
  std::vector<Value> values{};
};

/// What is wrong with a file; line 0: not one line.
struct Fault {
  std::size_t line = 0;
  std::string message{};

  [[nodiscard]] bool ok() const noexcept { return message.empty(); }
};

/// Takes `wanted` off the front of `text`.
[[nodiscard]] inline bool take(std::string_view& text,
                               std::string_view wanted) noexcept {
  if (text.substr(0, wanted.size()) != wanted) return false;
  text.remove_prefix(wanted.size());
  return true;
}

/// Takes a number that is not negative off the front of `text`.
[[nodiscard]] inline bool take(std::string_view& text,
                               std::int64_t& value) noexcept {
  const std::from_chars_result read =
      std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec != std::errc{} || value < 0) return false;
  text.remove_prefix(static_cast<std::size_t>(read.ptr - text.data()));
  return true;
}

/// Calls `use(line, number)` for each line, without blanks in front, until it
/// returns false.
template <class Use>
void for_each_line(std::string_view text, Use use) {
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = (std::min)(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix((std::min)(end + 1, text.size()));
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    const std::size_t begin = line.find_first_not_of(" \t");
    line.remove_prefix((std::min)(begin, line.size()));
    if (!use(line, number)) return;
  }
}

/// Reads `<12 fusion.1 @0> (size=4096,offset=0): ...`.
[[nodiscard]] inline bool read_value(std::string_view line, Value& value) {
  std::int64_t id = 0;
  const std::size_t close = line.find("> (size=");
  if (!take(line, "<") || !take(line, id) || !take(line, " ") ||
      close == std::string_view::npos)
    return false;
  std::string_view name = line.substr(0, line.find("> (size="));
  line.remove_prefix(name.size());
  name = name.substr(0, name.rfind(" @"));
  name = name.substr(0, name.find(" (phi)"));
  value.name = name;
  if (name.empty() || name.back() != '}') value.name += "{}";
  return take(line, "> (size=") && take(line, value.size) &&
         take(line, ",offset=") && take(line, value.offset) && take(line, ")");
}

/// Reads `3: size 8192, preallocated-temp:`.
[[nodiscard]] inline bool read_allocation(std::string_view line,
                                          Allocation& allocation) {
  if (!take(line, allocation.index) || !take(line, ": size ") ||
      !take(line, allocation.size))
    return false;
  (void)take(line, ", ");
  allocation.kind = line.substr(0, line.rfind(':'));
  return true;
}

[[nodiscard]] inline std::vector<Allocation> read_assignment(
    std::string_view text, Fault& fault) {
  constexpr std::int64_t kMostBytes = std::int64_t{1} << 60;
  std::vector<Allocation> out;
  std::int64_t total = 0;
  bool is_complete = false;
  for_each_line(text, [&](std::string_view line, std::size_t number) {
    std::int64_t told = -1;
    if (take(line, "Total bytes used: ")) {
      if (!take(line, told) || told != total)
        fault = {number, "the allocations have " + std::to_string(total) +
                             " bytes together: not a complete file"};
      is_complete = true;
    } else if (take(line, "allocation ")) {
      out.emplace_back();
      if (!read_allocation(line, out.back()))
        fault = {number, "not of the form 'allocation N: size N, ...:'"};
      else if (out.back().size > kMostBytes - total)
        fault = {number, "allocations have too many bytes"};
      else
        total += out.back().size;
    } else if (take(line, "value: ")) {
      Value value;
      if (out.empty())
        fault = {number, "value outside an allocation"};
      else if (!read_value(line, value))
        fault = {number,
                 "not of the form 'value: <ID NAME> (size=N,offset=N)'"};
      else if (value.size > out.back().size ||
               value.offset > out.back().size - value.size)
        fault = {number, "value lies outside its allocation"};
      else
        out.back().values.push_back(std::move(value));
    }
    return fault.ok();
  });
  if (fault.ok() && out.empty())
    fault = {0, "no allocation: not the text of a buffer assignment"};
  if (fault.ok() && !is_complete)
    fault = {0, "no line 'Total bytes used': not a complete file"};
  if (!fault.ok()) out.clear();
  return out;
}

using LiveRanges =
    std::unordered_map<std::string, snug::Interval<std::int64_t>>;

/// The lifespans, half-open, by name.
[[nodiscard]] inline LiveRanges read_live_ranges(std::string_view text,
                                                 Fault& fault) {
  LiveRanges out;
  bool is_inside = false;
  bool was_inside = false;
  bool is_complete = false;
  for_each_line(text, [&](std::string_view line, std::size_t number) {
    if (line == "BufferLiveRange:") {
      is_inside = was_inside = true;
      return true;
    }
    if (take(line, "Live ranges at ")) {
      is_complete = was_inside;
      is_inside = false;
    }
    const std::size_t colon = line.rfind(':');
    if (!is_inside || line.empty()) return true;
    std::int64_t first = 0;
    std::int64_t last = 0;
    std::string_view range = line.substr((std::min)(colon, line.size()));
    if (!take(range, ":") || !take(range, first) || !take(range, "-") ||
        !take(range, last) || !range.empty() || last < first ||
        snug::Lifespan::from_inclusive(first, last).empty()) {
      fault = {number, "not of the form 'NAME{}:FIRST-LAST'"};
      return false;
    }
    out[std::string(line.substr(0, colon))] =
        snug::Lifespan::from_inclusive(first, last);
    return true;
  });
  if (fault.ok() && !was_inside)
    fault = {0, "no 'BufferLiveRange:': not the text of live ranges"};
  if (fault.ok() && !is_complete)
    fault = {0, "no line 'Live ranges at': not a complete file"};
  if (!fault.ok()) out.clear();
  return out;
}

}  // namespace xla

#endif  // SNUG_EXAMPLES_XLA_DUMP_HPP
