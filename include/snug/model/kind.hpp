// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What kind of problem it is: which of the two searches it takes.
#ifndef SNUG_MODEL_KIND_HPP
#define SNUG_MODEL_KIND_HPP

#include "snug/config.hpp"
#include "snug/model/problem.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>

SNUG_BEGIN_NAMESPACE
namespace detail {

template <class Size, class Time>
[[nodiscard]] bool is_constrained(const Buffer<Size, Time>& buffer) {
  return !buffer.gaps.empty() || buffer.offset || buffer.end != End::kAny;
}

/// Whether a problem needs more than sizes, lifespans and alignments. The
/// alignment of the problem counts only where that of a buffer might not fit
/// its type once the two are one, see aligned().
template <class Size, class Time>
[[nodiscard]] bool is_constrained(const Problem<Size, Time>& problem) {
  return !problem.aliases.empty() || !problem.contiguous.empty() ||
         !problem.apart.empty() || !problem.may_overlap.empty() ||
         !problem.reserved.empty() || problem.base > 0 ||
         (problem.alignment > 1 && sizeof(Size) < sizeof(std::int64_t)) ||
         std::any_of(problem.buffers.begin(), problem.buffers.end(),
                     [](const Buffer<Size, Time>& buffer) {
                       return is_constrained(buffer);
                     });
}

template <class Size, class Time>
[[nodiscard]] bool has_hints(const Problem<Size, Time>& problem) {
  return std::any_of(
      problem.buffers.begin(), problem.buffers.end(),
      [](const Buffer<Size, Time>& buffer) { return buffer.hint.has_value(); });
}

/// A problem without constraints whose buffers have its alignment themselves.
template <class Size, class Time>
[[nodiscard]] Problem<Size, Time> aligned(const Problem<Size, Time>& problem) {
  Problem<Size, Time> result;
  result.buffers = problem.buffers;
  for (Buffer<Size, Time>& buffer : result.buffers)
    buffer.alignment = std::lcm(buffer.alignment, problem.alignment);
  return result;
}

/// The problem with nothing but sizes, lifespans and alignments, as far as they
/// are those of its buffers.
template <class Size, class Time>
[[nodiscard]] Problem<Size, Time> relaxed(const Problem<Size, Time>& problem) {
  Problem<Size, Time> result;
  for (const Buffer<Size, Time>& buffer : problem.buffers) {
    result.buffers.emplace_back();
    result.buffers.back().lifespan = buffer.lifespan;
    result.buffers.back().size = buffer.size;
    result.buffers.back().alignment = buffer.alignment;
  }
  return result;
}

/// Whether tightened() makes a difference.
template <class Size, class Time>
[[nodiscard]] bool is_loose(const Problem<Size, Time>& problem) {
  return !problem.may_overlap.empty() ||
         std::any_of(problem.buffers.begin(), problem.buffers.end(),
                     [](const Buffer<Size, Time>& buffer) {
                       return !buffer.gaps.empty();
                     });
}

/// The problem without what only ever gives more freedom: gaps, and pairs that
/// may overlap. Its placements are placements of `problem`. It need not be well
/// formed: fixed buffers may meet.
template <class Size, class Time>
[[nodiscard]] Problem<Size, Time> tightened(
    const Problem<Size, Time>& problem) {
  Problem<Size, Time> result = problem;
  result.may_overlap.clear();
  for (Buffer<Size, Time>& buffer : result.buffers) buffer.gaps.clear();
  return result;
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_MODEL_KIND_HPP
