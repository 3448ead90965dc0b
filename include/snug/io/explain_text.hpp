// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What explain() and suggest_spills() found, as sentences that a host can show
/// as they are:
///
///     at step 18, ten buffers need 2 031 616 bytes, 31 616 more than there are:
///     layer3/act (327 680), layer2/act (262 144), ... and 4 more
///
///     to be moved elsewhere: layer3/act (327 680); together 327 680 bytes; the
///     other 199 fit; something cheaper may do
///
/// The largest buffers come first, twelve at most. One line each, without an
/// end; control characters in ids become `?`.
#ifndef SNUG_IO_EXPLAIN_TEXT_HPP
#define SNUG_IO_EXPLAIN_TEXT_HPP

#include "snug/config.hpp"
#include "snug/explain.hpp"
#include "snug/io/quantity.hpp"
#include "snug/io/text.hpp"
#include "snug/model/interval.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/result.hpp"
#include "snug/spill.hpp"
#include "snug/support/sort.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// `ten buffers`: small numbers are words.
[[nodiscard]] inline std::string buffer_count(std::size_t count) {
  static constexpr const char* kWords[] = {
      "no",    "one",   "two",  "three", "four",   "five",  "six",
      "seven", "eight", "nine", "ten",   "eleven", "twelve"};
  return (count < std::size(kWords) ? kWords[count] : grouped_text(count)) +
         (count == 1 ? " buffer" : " buffers");
}

/// `2 031 616 bytes`, `1 byte`
[[nodiscard]] inline std::string byte_count(std::int64_t count) {
  return grouped_text(count) + (count == 1 ? " byte" : " bytes");
}

/// What `buffer` occupies at `moment`, in bytes.
template <class Size, class Time>
[[nodiscard]] std::int64_t bytes_at(const Buffer<Size, Time>& buffer,
                                    Time moment) {
  const auto holds = [&](const Interval<Time>& time) {
    return time.lower <= moment && moment < time.upper;
  };
  if (!holds(buffer.lifespan)) return 0;
  for (const Gap<Size, Time>& gap : buffer.gaps)
    if (holds(gap.lifespan))
      return gap.window ? std::int64_t{gap.window->upper} - gap.window->lower
                        : 0;
  return buffer.size;
}

/// Appends `a (4 096), b (512), ...`, the largest first.
template <class Size, class Time>
void append_largest(std::string& out, const Problem<Size, Time>& problem,
                    std::vector<std::size_t> buffers,
                    const std::vector<std::string>& ids) {
  constexpr std::size_t kMost = 12;
  sort_descending(buffers,
                  [&](std::size_t i) { return problem.buffers[i].size; });
  for (std::size_t k = 0; k < buffers.size() && k < kMost; ++k) {
    if (k > 0) out += ", ";
    out += printable(name_of(ids, buffers[k]), 60) + " (" +
           grouped_text(problem.buffers[buffers[k]].size) + ')';
  }
  if (buffers.size() > kMost)
    out += " and " + grouped_text(buffers.size() - kMost) + " more";
}

/// Whether it is fixed where it ends above the capacity.
template <class Size, class Time>
[[nodiscard]] bool is_fixed_above(const Buffer<Size, Time>& buffer,
                                  std::int64_t capacity) noexcept {
  return buffer.offset && *buffer.offset > capacity - buffer.size;
}

/// How a limit reads in a sentence.
[[nodiscard]] constexpr const char* limit_text(Stop stopped_by) noexcept {
  switch (stopped_by) {
    case Stop::kTimeLimit:
      return "the time limit";
    case Stop::kNodeLimit:
      return "the node limit";
    case Stop::kCancelled:
      return "an interrupt";
    case Stop::kNone:
      break;
  }
  return "a limit of its own";
}

}  // namespace detail

/// Why `problem` does not fit `capacity`: `explanation` is what explain() says
/// of both. `ids` (none, or one a buffer) name the buffers.
template <class Size, class Time>
[[nodiscard]] std::string to_string(
    const Problem<Size, Time>& problem,
    typename Problem<Size, Time>::SizeType capacity,
    const Explanation<Time>& explanation,
    const std::vector<std::string>& ids = {}) {
  if (explanation.status == Status::kInvalid)
    return std::string("the problem is not valid: ") +
           to_string(explanation.error.reason);
  if (explanation.status == Status::kFeasible) return "all buffers fit";
  if (explanation.status != Status::kInfeasible)
    return std::string("it is not known why: stopped by ") +
           detail::limit_text(explanation.stopped_by);
  const bool is_one = explanation.buffers.size() == 1;
  std::string out = detail::buffer_count(explanation.buffers.size());
  if (explanation.cause == Cause::kLoad) {
    std::int64_t need = 0;
    for (const std::size_t i : explanation.buffers)
      need += detail::bytes_at(problem.buffers[i], explanation.moment);
    const std::int64_t room = (std::max)(
        std::int64_t{capacity} - std::int64_t{problem.base}, std::int64_t{0});
    out = "at step " + std::to_string(explanation.moment) + ", " + out +
          (is_one ? " needs " : " need ") + detail::byte_count(need) + ", " +
          grouped_text(need - room) + " more than there are: ";
  } else if (is_one && detail::is_fixed_above(
                           problem.buffers[explanation.buffers[0]], capacity)) {
    const Buffer<Size, Time>& fixed = problem.buffers[explanation.buffers[0]];
    out += " is fixed at " + grouped_text(*fixed.offset) + " and ends " +
           detail::byte_count(std::int64_t{*fixed.offset} + fixed.size -
                              capacity) +
           " too high: ";
  } else {
    out += is_one ? " has" : " have";
    out += " no place within " + detail::byte_count(capacity) +
           ", although there is no moment at which ";
    out += is_one ? "it needs more: " : "they need more: ";
  }
  detail::append_largest(out, problem, explanation.buffers, ids);
  if (!explanation.proved_irreducible)
    out += std::string(" (stopped by ") +
           detail::limit_text(explanation.stopped_by) +
           ": fewer may be to blame)";
  return out;
}

/// What to move elsewhere so that the rest of `problem` fits: `spills` is what
/// suggest_spills() says. `ids` (none, or one a buffer) name the buffers.
template <class Size, class Time, class Cost>
[[nodiscard]] std::string to_string(const Problem<Size, Time>& problem,
                                    const Spills<Size, Cost>& spills,
                                    const std::vector<std::string>& ids = {}) {
  if (spills.status != Status::kFeasible && spills.error.ok())
    return "the cost of " +
           printable(detail::name_of(ids, spills.error.buffer), 60) +
           " is not valid";
  if (spills.status != Status::kFeasible)
    return std::string("the problem is not valid: ") +
           to_string(spills.error.reason);
  if (spills.buffers.empty()) return "nothing has to be moved elsewhere";
  std::string out = "to be moved elsewhere: ";
  detail::append_largest(out, problem, spills.buffers, ids);
  // At different times they may be of more bytes than a number holds.
  constexpr std::int64_t kMost = (std::numeric_limits<std::int64_t>::max)();
  std::int64_t bytes = 0;
  bool is_more = false;
  for (const std::size_t i : spills.buffers) {
    const std::int64_t size{problem.buffers[i].size};
    is_more = is_more || size > kMost - bytes;
    bytes = is_more ? kMost : bytes + size;
  }
  const std::size_t others = problem.buffers.size() - spills.buffers.size();
  out += is_more ? "; together more than " : "; together ";
  out += detail::byte_count(bytes) + "; the other " + grouped_text(others) +
         (others == 1 ? " fits" : " fit");
  out += spills.proved_cheapest ? "; nothing cheaper would do"
                                : "; something cheaper may do";
  return out;
}

SNUG_END_NAMESPACE

#endif  // SNUG_IO_EXPLAIN_TEXT_HPP
