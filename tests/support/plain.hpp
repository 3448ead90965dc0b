// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the border makes of a problem, for tests of what is behind it.
#ifndef SNUG_TESTS_SUPPORT_PLAIN_HPP
#define SNUG_TESTS_SUPPORT_PLAIN_HPP

#include "snug/model/problem.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/plain.hpp"

#include <cstddef>
#include <optional>

namespace snug {
namespace testing {

using detail::Index;
using detail::Plain;

/// The answer to whether to stop, where there are no limits.
struct NeverStop {
  [[nodiscard]] bool operator()() const noexcept { return false; }
};

/// The sizes, lifespans and alignments of a problem, and nothing else of it.
template <class Size, class Time>
[[nodiscard]] Plain plain_of(const Problem<Size, Time>& problem) {
  return detail::make_plain(detail::flatten(problem).buffers);
}

/// A problem of these buffers.
[[nodiscard]] inline Problem<> problem_of(const Plain& plain) {
  Problem<> problem;
  for (const detail::FlatBuffer& buffer : plain.buffers)
    problem.buffers.push_back({buffer.lifespan, buffer.size, buffer.alignment});
  return problem;
}

/// What a flat problem says, as a problem that need not be well formed. The
/// alignment of the heap is in those of the buffers.
[[nodiscard]] inline Problem<> unflatten(const detail::Flat& flat) {
  Problem<> problem;
  problem.base = flat.base;
  for (std::size_t i = 0; i < flat.buffers.size(); ++i) {
    const detail::FlatBuffer& from = flat.buffers[i];
    Buffer<> buffer{from.lifespan, from.size, from.alignment};
    if (flat.is_fixed(static_cast<Index>(i))) buffer.offset = flat.fixed[i];
    if (!flat.hints.empty() && flat.hints[i] != detail::Flat::kNone)
      buffer.hint = flat.hints[i];
    if (!flat.ends.empty()) buffer.end = flat.ends[i];
    problem.buffers.push_back(buffer);
  }
  for (const detail::FlatGap& gap : flat.gaps) {
    problem.buffers[gap.buffer].gaps.push_back({gap.lifespan, std::nullopt});
    if (!gap.window.empty())
      problem.buffers[gap.buffer].gaps.back().window = gap.window;
  }
  for (std::size_t i = 0; i < flat.root.size(); ++i)
    if (flat.root[i] != i)
      problem.aliases.push_back(
          {i, flat.root[i], flat.delta[i] - flat.delta[flat.root[i]]});
  for (const auto& [a, b] : flat.apart) problem.apart.push_back({a, b});
  for (const auto& [a, b] : flat.may_overlap)
    problem.may_overlap.push_back({a, b});
  for (const detail::FlatReserved& range : flat.reserved) {
    problem.reserved.push_back({range.bytes, std::nullopt});
    if (!range.lifespan.empty())
      problem.reserved.back().lifespan = range.lifespan;
  }
  return problem;
}

}  // namespace testing
}  // namespace snug

#endif  // SNUG_TESTS_SUPPORT_PLAIN_HPP
