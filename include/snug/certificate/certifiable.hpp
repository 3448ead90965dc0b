// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What certificates speak of: a problem without all that they cannot say, such
/// that what does not fit then does not fit at all.
///
///     left out   buffers with gaps: they have no bytes
///                those of fewer bytes where two may share some
///     not said   base, alignment of the heap, reserved ranges, ends, ties
///
///     time  0   2   4   6      a, b and c are tied, so a and b may share bytes,
///     a     |-------|          and b and c: b, which has fewer than a, is left
///     b         |-------|      out, and c stays
///     c             |---|
///
/// Cost: O(n log n) for n buffers, and for pairs.
#ifndef SNUG_CERTIFICATE_CERTIFIABLE_HPP
#define SNUG_CERTIFICATE_CERTIFIABLE_HPP

#include "snug/config.hpp"
#include "snug/model/exemptions.hpp"
#include "snug/model/interval.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/ties.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/plain.hpp"
#include "snug/support/sort.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// Leaves out tied buffers, as without bytes, until no two of one class are live
/// together: of two that are, by time, the smaller one.
inline void leave_out_tied(const std::vector<std::uint32_t>& root,
                           std::vector<FlatBuffer>& buffers) {
  std::vector<Index> order;
  for (Index i = 0; i < root.size(); ++i)
    if (buffers[i].size > 0) order.push_back(i);
  heap_sort(order, [&](Index a, Index b) {
    return std::tie(root[a], buffers[a].lifespan.lower, a) <
           std::tie(root[b], buffers[b].lifespan.lower, b);
  });
  for (std::size_t k = 0, last = 0; k < order.size(); ++k) {
    FlatBuffer& one = buffers[order[k]];
    FlatBuffer& before = buffers[order[last]];
    const bool meets = k > 0 && root[order[k]] == root[order[last]] &&
                       one.lifespan.lower < before.lifespan.upper;
    if (meets && one.size <= before.size) {
      one.size = 0;
    } else {
      if (meets) before.size = 0;
      last = k;
    }
  }
}

/// Leaves out buffers until no two that may overlap are live together: the
/// smaller ones.
inline void leave_out_overlapping(const Exemptions& exemptions,
                                  std::vector<FlatBuffer>& buffers) {
  for (const auto& [a, b] : exemptions.pairs()) {
    if (!buffers[a].lifespan.overlaps(buffers[b].lifespan)) continue;
    if (buffers[a].size == 0 || buffers[b].size == 0) continue;
    buffers[buffers[a].size < buffers[b].size ? a : b].size = 0;
  }
}

/// The fixed offset of each buffer; none if there are none.
template <class Size, class Time>
[[nodiscard]] std::vector<std::int64_t> fixed_offsets(
    const Problem<Size, Time>& problem) {
  std::vector<std::int64_t> fixed;
  for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
    const auto& offset = problem.buffers[i].offset;
    if (offset && fixed.empty())
      fixed.assign(problem.buffers.size(), Flat::kNone);
    if (offset) fixed[i] = std::int64_t{*offset};
  }
  return fixed;
}

/// What certificates speak of. No size is above capacity + 1; that of a buffer
/// that is left out is 0.
template <class Size, class Time>
[[nodiscard]] Plain certifiable(const Problem<Size, Time>& problem,
                                std::int64_t capacity) {
  std::vector<FlatBuffer> buffers;
  for (const Buffer<Size, Time>& buffer : problem.buffers)
    buffers.push_back({{std::int64_t{buffer.lifespan.lower},
                        std::int64_t{buffer.lifespan.upper}},
                       buffer.gaps.empty()
                           ? (std::min)(std::int64_t{buffer.size}, capacity + 1)
                           : 0,
                       std::int64_t{buffer.alignment}});
  const Ties ties = has_ties(problem) ? tie(problem) : Ties{};
  leave_out_tied(ties.root, buffers);
  const Exemptions exemptions(problem, ties);
  leave_out_overlapping(exemptions, buffers);
  std::vector<IndexPair> apart;
  for (const BufferPair& pair : problem.apart)
    if (!exemptions.contain(pair.first, pair.second))
      apart.emplace_back(static_cast<Index>(pair.first),
                         static_cast<Index>(pair.second));
  return make_paired(std::move(buffers), apart);
}

/// Whether nothing was left out.
template <class Size, class Time>
[[nodiscard]] bool is_certifiable(const Problem<Size, Time>& problem,
                                  std::int64_t capacity) {
  return problem.base == 0 && problem.alignment == 1 &&
         problem.reserved.empty() && !has_ties(problem) &&
         problem.may_overlap.empty() &&
         std::all_of(problem.buffers.begin(), problem.buffers.end(),
                     [&](const Buffer<Size, Time>& buffer) {
                       return buffer.gaps.empty() && buffer.end == End::kAny &&
                              (buffer.size > 0 || !buffer.offset ||
                               *buffer.offset <= capacity);
                     });
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_CERTIFICATE_CERTIFIABLE_HPP
