// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A problem of narrower types as one of 64-bit sizes and times, for what is
/// written for these alone.
#ifndef SNUG_MODEL_WIDEN_HPP
#define SNUG_MODEL_WIDEN_HPP

#include "snug/config.hpp"
#include "snug/model/interval.hpp"
#include "snug/model/problem.hpp"
#include "snug/support/interrupt.hpp"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

template <class T>
[[nodiscard]] Interval<std::int64_t> widen(const Interval<T>& interval) {
  return {std::int64_t{interval.lower}, std::int64_t{interval.upper}};
}

template <class T>
[[nodiscard]] std::optional<std::int64_t> widen(const std::optional<T>& value) {
  return value ? std::optional<std::int64_t>(*value) : std::nullopt;
}

template <class Size, class Time>
[[nodiscard]] std::vector<Reserved<>> widen(
    const std::vector<Reserved<Size, Time>>& ranges) {
  std::vector<Reserved<>> wide;
  wide.reserve(ranges.size());
  for (const Reserved<Size, Time>& range : ranges) {
    wide.push_back({widen(range.bytes), std::nullopt});
    if (range.lifespan) wide.back().lifespan = widen(*range.lifespan);
  }
  return wide;
}

/// A copy of the same problem. Empty if it is interrupted.
template <class Size, class Time>
[[nodiscard]] Problem<> copy_widened(const Problem<Size, Time>& problem,
                                     const Interrupt& interrupt = {}) {
  Problem<> wide;
  wide.buffers.reserve(problem.buffers.size());
  for (const Buffer<Size, Time>& buffer : problem.buffers) {
    if (interrupt.at(wide.buffers.size())) return {};
    Buffer<> next{
        widen(buffer.lifespan), buffer.size,        buffer.alignment, {},
        widen(buffer.offset),   widen(buffer.hint), buffer.end};
    for (const Gap<Size, Time>& gap : buffer.gaps) {
      next.gaps.push_back({widen(gap.lifespan), std::nullopt});
      if (gap.window) next.gaps.back().window = widen(*gap.window);
    }
    wide.buffers.push_back(std::move(next));
  }
  for (const Alias<Size>& alias : problem.aliases)
    wide.aliases.push_back({alias.buffer, alias.of, alias.delta});
  wide.contiguous = problem.contiguous;
  wide.apart = problem.apart;
  wide.may_overlap = problem.may_overlap;
  wide.penalties = problem.penalties;
  wide.reserved = widen(problem.reserved);
  wide.base = problem.base;
  wide.alignment = problem.alignment;
  return wide;
}

/// The same problem.
template <class Size, class Time>
[[nodiscard]] Problem<> widen(const Problem<Size, Time>& problem) {
  return copy_widened(problem);
}
[[nodiscard]] inline const Problem<>& widen(const Problem<>& problem) {
  return problem;
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_MODEL_WIDEN_HPP
