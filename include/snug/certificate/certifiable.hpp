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
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// Which buffers of a problem, which has been checked, may share bytes.
class SharedBytes {
 public:
  template <class Size, class Time>
  explicit SharedBytes(const Problem<Size, Time>& problem) {
    if (!problem.aliases.empty() || !problem.contiguous.empty())
      root_ = tie(problem).root;
    for (const BufferPair& pair : problem.may_overlap)
      pairs_.push_back(ordered(pair));
    heap_sort(pairs_);
  }

  [[nodiscard]] bool may_share(const BufferPair& pair) const {
    return (!root_.empty() && root_[pair.first] == root_[pair.second]) ||
           std::binary_search(pairs_.begin(), pairs_.end(), ordered(pair));
  }

  /// Leaves out buffers, as without bytes, until no two that are live together
  /// may share any: the smaller ones.
  void thin(std::vector<FlatBuffer>& buffers) const {
    thin_ties(buffers);
    for (const auto& [a, b] : pairs_) {
      if (!buffers[a].lifespan.overlaps(buffers[b].lifespan)) continue;
      if (buffers[a].size == 0 || buffers[b].size == 0) continue;
      buffers[buffers[a].size < buffers[b].size ? a : b].size = 0;
    }
  }

 private:
  [[nodiscard]] static IndexPair ordered(const BufferPair& pair) {
    return {static_cast<Index>((std::min)(pair.first, pair.second)),
            static_cast<Index>((std::max)(pair.first, pair.second))};
  }

  /// Of tied buffers, by time, those whose lifespans are disjoint: of two that
  /// are live together the larger one.
  void thin_ties(std::vector<FlatBuffer>& buffers) const {
    std::vector<Index> order;
    for (Index i = 0; i < root_.size(); ++i)
      if (buffers[i].size > 0) order.push_back(i);
    heap_sort(order, [&](Index a, Index b) {
      return std::tie(root_[a], buffers[a].lifespan.lower, a) <
             std::tie(root_[b], buffers[b].lifespan.lower, b);
    });
    for (std::size_t k = 0, last = 0; k < order.size(); ++k) {
      FlatBuffer& one = buffers[order[k]];
      FlatBuffer& before = buffers[order[last]];
      const bool meets = k > 0 && root_[order[k]] == root_[order[last]] &&
                         one.lifespan.lower < before.lifespan.upper;
      if (meets && one.size <= before.size) {
        one.size = 0;
      } else {
        if (meets) before.size = 0;
        last = k;
      }
    }
  }

  std::vector<std::uint32_t> root_{};  ///< of each buffer's class; or none
  std::vector<IndexPair> pairs_{};     ///< that may overlap, ascending
};

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
  const SharedBytes shared(problem);
  shared.thin(buffers);
  std::vector<IndexPair> apart;
  for (const BufferPair& pair : problem.apart)
    if (!shared.may_share(pair))
      apart.emplace_back(static_cast<Index>(pair.first),
                         static_cast<Index>(pair.second));
  return make_paired(std::move(buffers), apart);
}

/// Whether nothing was left out.
template <class Size, class Time>
[[nodiscard]] bool is_certifiable(const Problem<Size, Time>& problem,
                                  std::int64_t capacity) {
  return problem.base == 0 && problem.alignment == 1 &&
         problem.reserved.empty() && problem.aliases.empty() &&
         problem.contiguous.empty() && problem.may_overlap.empty() &&
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
