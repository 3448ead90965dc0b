// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Moments at which more bytes are live than fit: proofs without a search.
///
/// Only *solid* buffers count: those that are tied to no other and may overlap
/// none. At any time the bytes that they occupy are disjoint, so their sum is
/// at most what lies between the base and the capacity. Gaps and windows are
/// considered: each piece of a buffer counts while it lasts.
///
/// The largest buffers of an overloaded section whose sum is just too much are
/// the fewest of it that do not fit. Where each of them can lie at any multiple of
/// its alignment and all sizes are such multiples, they are irreducible: any
/// but all of them fit on top of each other, with the bottom buffers below and
/// the top buffers above the others.
///
/// Cost: O(p log p) for p pieces.
#ifndef SNUG_EXPLAIN_OVERLOAD_HPP
#define SNUG_EXPLAIN_OVERLOAD_HPP

#include "snug/bounds/load.hpp"
#include "snug/config.hpp"
#include "snug/model/pieces.hpp"
#include "snug/model/problem.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/plain.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"
#include "snug/support/sort.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// The pieces of the solid buffers as buffers of a plain problem, with their
/// sections and what is live there.
struct Moments {
  Plain pieces{};
  List<std::size_t> owner{};   ///< of each piece
  List<std::int64_t> loads{};  ///< of the sections
  std::int64_t room = 0;       ///< bytes between base and capacity, at least 0
};

/// Empty if it is interrupted.
[[nodiscard]] inline Moments make_moments(const Problem<>& problem,
                                          std::int64_t capacity,
                                          const Interrupt& interrupt = {}) {
  Moments moments;
  List<bool> solid(problem.buffers.size(), true);
  for (const BufferPair& pair : problem.may_overlap)
    solid[pair.first] = solid[pair.second] = false;
  for (const Alias<>& alias : problem.aliases)
    solid[alias.buffer] = solid[alias.of] = false;
  for (const std::vector<std::size_t>& group : problem.contiguous)
    for (const std::size_t i : group) solid[i] = false;
  List<Piece<std::int64_t, std::int64_t>> pieces;
  List<Gap<>> scratch;
  std::size_t since = 0;
  for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
    if (interrupt.at(i) ||
        interrupt.after(problem.buffers[i].gaps.size(), since))
      return moments;
    if (solid[i])
      append_pieces(problem.buffers[i], i, std::int64_t{0}, scratch, pieces);
  }
  List<FlatBuffer> buffers;
  for (const Piece<std::int64_t, std::int64_t>& piece : pieces) {
    if (interrupt.at(buffers.size())) return moments;
    buffers.push_back({piece.time, length_of(piece.bytes), 1});
    moments.owner.push_back(piece.buffer);
  }
  moments.pieces = make_plain(std::move(buffers), interrupt);
  moments.loads = section_loads(moments.pieces);
  moments.room = (std::max)(capacity - problem.base, std::int64_t{0});
  return moments;
}

/// Buffers that do not fit because of what they occupy at one time.
struct Overload {
  std::vector<std::size_t> buffers{};  ///< ascending
  std::int64_t moment{};
};

/// The largest buffers of a section of a plain problem, just too much for
/// `room`.
[[nodiscard]] inline Overload overload_of(const Plain& plain, Index section,
                                          std::int64_t room) {
  List<Index> live = plain.live_in(section);
  const List<FlatBuffer>& buffers = plain.buffers;
  sort_descending(live, [&](Index i) { return buffers[i].size; });
  Overload result;
  result.moment = buffers[live.front()].lifespan.lower;
  std::int64_t sum = 0;
  for (const Index i : live) {
    result.moment = (std::max)(result.moment, buffers[i].lifespan.lower);
    result.buffers.push_back(i);
    sum += buffers[i].size;
    if (sum > room) break;
  }
  heap_sort(result.buffers);
  return result;
}

/// The fewest buffers of a plain problem that overload a section, or nothing if
/// all loads fit `room`. Only looks at the sections with the largest loads; if
/// it is interrupted, not at all of these, but at one.
[[nodiscard]] inline std::optional<Overload> find_overload(
    const Plain& plain, const List<std::int64_t>& loads, std::int64_t room,
    const Interrupt& interrupt = {}) {
  constexpr std::size_t kMostSections = 256;
  List<Index> worst;
  for (Index s = 0; s < loads.size(); ++s)
    if (loads[s] > room) worst.push_back(s);
  const auto is_worse = [&](Index a, Index b) {
    return loads[a] != loads[b] ? loads[a] > loads[b] : a < b;
  };
  if (worst.size() > kMostSections) {
    std::nth_element(worst.begin(), worst.begin() + kMostSections, worst.end(),
                     is_worse);
    worst.shrink(kMostSections);
  }
  heap_sort(worst, is_worse);
  std::optional<Overload> fewest;
  std::size_t looked_at = 0;
  for (const Index s : worst) {
    if (fewest && interrupt.after(plain.order.size(), looked_at)) break;
    Overload found = overload_of(plain, s, room);
    if (!fewest || found.buffers.size() < fewest->buffers.size())
      fewest = std::move(found);
  }
  return fewest;
}

/// The same for a problem of the whole model, by its pieces.
[[nodiscard]] inline std::optional<Overload> find_overload(
    const Moments& moments, const Interrupt& interrupt = {}) {
  auto result =
      find_overload(moments.pieces, moments.loads, moments.room, interrupt);
  // Pieces of one buffer are not live together, so no buffer comes twice, and
  // owners ascend with their pieces.
  if (result)
    for (std::size_t& i : result->buffers) i = moments.owner[i];
  return result;
}

/// Whether all but one of these buffers, which are the fewest that overload a
/// section, surely fit on top of each other.
[[nodiscard]] inline bool all_but_one_stack(
    const Problem<>& problem, const std::vector<std::size_t>& buffers) {
  if (!problem.reserved.empty()) return false;
  for (const std::size_t i : buffers) {
    const Buffer<>& buffer = problem.buffers[i];
    if (!buffer.gaps.empty() || buffer.offset) return false;
    for (const std::int64_t alignment : {problem.alignment, buffer.alignment}) {
      if (alignment == 1) continue;
      if (problem.base % alignment != 0) return false;
      for (const std::size_t j : buffers)
        if (problem.buffers[j].size % alignment != 0) return false;
    }
  }
  return true;
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_EXPLAIN_OVERLOAD_HPP
