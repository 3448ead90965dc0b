// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The border: a problem of any types becomes one flat problem of 64-bit
/// numbers, and everything behind this header is compiled once.
///
///     Problem<Size, Time>  --flatten-->  Flat  --presolve-->  Plain, or bodies
///
/// A flat problem says the same as the one it was made from. Sizes, lifespans
/// and alignments stand in one array, the alignment of the heap folded into
/// those of the buffers; what only few problems have stands in lists of its
/// own, which are empty where nothing of the kind is asked for.
///
/// Cost: O(n + constraints), and that of model/ties.hpp where there are ties.
#ifndef SNUG_NORMAL_FLAT_HPP
#define SNUG_NORMAL_FLAT_HPP

#include "snug/config.hpp"
#include "snug/model/interval.hpp"
#include "snug/model/pairs.hpp"
#include "snug/model/pieces.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/reason.hpp"
#include "snug/model/ties.hpp"
#include "snug/model/widen.hpp"
#include "snug/support/align.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"
#include "snug/support/memory.hpp"

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// What every buffer has.
struct FlatBuffer {
  Interval<std::int64_t> lifespan{};
  std::int64_t size = 0;
  std::int64_t alignment = 1;  ///< its own and that of the heap, in one
};

/// Bytes [window.lower, window.upper) of a buffer that are all it occupies
/// during `lifespan`: none if the window is empty.
struct FlatGap {
  Index buffer = 0;
  Interval<std::int64_t> lifespan{};
  Interval<std::int64_t> window{};
};

struct FlatReserved {
  Interval<std::int64_t> bytes{};
  Interval<std::int64_t> lifespan{};  ///< empty: for all time

  [[nodiscard]] bool is_live_in(const Interval<std::int64_t>& time) const {
    return lifespan.empty() || lifespan.overlaps(time);
  }
};

/// A well-formed problem without its types.
struct Flat {
  static constexpr std::int64_t kNone = -1;

  List<FlatBuffer> buffers{};
  std::int64_t base = 0;
  List<FlatGap> gaps{};  ///< by buffer, then in order of time
  /// By buffer, or kNone; empty: none. Who is tied to a fixed one is fixed too.
  List<std::int64_t> fixed{};
  List<std::int64_t> hints{};  ///< by buffer, or kNone; empty: none
  List<End> ends{};            ///< by buffer; empty: all kAny
  List<Index> root{};          ///< of ties.hpp; empty: no ties
  List<std::int64_t> delta{};  ///< of ties.hpp; empty: no ties
  List<IndexPair> apart{};     ///< kept apart
  List<IndexPair> may_overlap{};
  List<FlatReserved> reserved{};

  [[nodiscard]] bool is_fixed(Index i) const noexcept {
    return !fixed.empty() && fixed[i] != kNone;
  }
  /// Who stands for the class of buffers that are tied to it.
  [[nodiscard]] Index root_of(Index i) const noexcept {
    return root.empty() ? i : root[i];
  }
  [[nodiscard]] End end_of(Index i) const noexcept {
    return ends.empty() ? End::kAny : ends[i];
  }
  [[nodiscard]] std::size_t bytes() const noexcept {
    return bytes_of(buffers, gaps, fixed, hints, delta, ends, root, apart,
                    may_overlap, reserved);
  }
};

/// What divides all sizes and windows of a problem, and all addresses, counted from
/// `origin`: 0, or one below which nothing can begin that is not fixed. 0 if all of
/// these are 0.
[[nodiscard]] inline std::int64_t divisor_of(const Flat& flat,
                                             std::int64_t origin = 0) noexcept {
  std::int64_t result = origin == 0 ? flat.base : 0;
  const auto divide = [&](std::int64_t n) { result = std::gcd(result, n); };
  for (const FlatBuffer& buffer : flat.buffers) {
    if (result == 1) return 1;
    divide(buffer.size);
  }
  for (const std::int64_t delta : flat.delta) divide(delta);
  for (const std::int64_t offset : flat.fixed)
    if (offset != Flat::kNone) divide(offset - origin);
  for (const FlatGap& gap : flat.gaps) {
    divide(gap.window.lower);
    divide(gap.window.upper);
  }
  for (const FlatReserved& reserved : flat.reserved) {
    divide(reserved.bytes.lower - origin);
    divide(reserved.bytes.upper - origin);
  }
  return result;
}

/// The largest unit for a problem; at least 1. Counted from the origin, its lowest
/// height is a multiple of that: brought down to multiples, the offsets of a placement
/// are one, too.
[[nodiscard]] inline std::int64_t unit_of(const Flat& flat,
                                          std::int64_t origin) {
  return unit_beside(divisor_of(flat, origin), [&](auto&& visit) {
    for (const FlatBuffer& buffer : flat.buffers) visit(buffer.alignment);
  });
}

/// Whether only fixed buffers have gaps, and only two of these may overlap.
[[nodiscard]] inline bool is_tight(const Flat& flat) noexcept {
  for (const FlatGap& gap : flat.gaps)
    if (!flat.is_fixed(gap.buffer)) return false;
  for (const auto& [a, b] : flat.may_overlap)
    if (!flat.is_fixed(a) || !flat.is_fixed(b)) return false;
  return true;
}

/// The size, the lifespan and the alignment of a buffer of a problem with an
/// alignment of its own.
template <class Size, class Time>
[[nodiscard]] FlatBuffer flatten_buffer(const Buffer<Size, Time>& buffer,
                                        std::int64_t alignment) {
  return {widen(buffer.lifespan), std::int64_t{buffer.size},
          std::lcm(std::int64_t{buffer.alignment}, alignment)};
}

/// Sizes, lifespans and alignments of a well-formed problem, and its base.
/// Empty if it is interrupted.
template <class Size, class Time>
[[nodiscard]] Flat flatten_plain(const Problem<Size, Time>& problem,
                                 const Interrupt& interrupt = {}) {
  Flat flat;
  flat.base = std::int64_t{problem.base};
  flat.buffers.reserve(problem.buffers.size());
  for (const Buffer<Size, Time>& buffer : problem.buffers) {
    if (interrupt.at(flat.buffers.size())) return {};
    flat.buffers.push_back(
        flatten_buffer(buffer, std::int64_t{problem.alignment}));
  }
  return flat;
}

/// Puts what else buffer i asks for into the lists of `flat`; its gaps by time.
template <class Size, class Time>
void flatten_rest(const Buffer<Size, Time>& buffer, Index i, Flat& flat) {
  const std::size_t n = flat.buffers.size();
  const auto note = [&](List<std::int64_t>& list, Size value) {
    if (list.empty()) list.assign(n, Flat::kNone);
    list[i] = std::int64_t{value};
  };
  if (buffer.offset) note(flat.fixed, *buffer.offset);
  // No offset is beyond kMaxTotal (check.hpp), so nor is a hint of any use.
  if (buffer.hint && std::int64_t{*buffer.hint} <= kMaxTotal)
    note(flat.hints, *buffer.hint);
  if (buffer.end != End::kAny) {
    if (flat.ends.empty()) flat.ends.resize(n);
    flat.ends[i] = buffer.end;
  }
  const std::size_t first = flat.gaps.size();
  for (const Gap<Size, Time>& gap : buffer.gaps) {
    FlatGap next{i, widen(gap.lifespan), {}};
    if (gap.window && !gap.window->empty()) next.window = widen(*gap.window);
    flat.gaps.push_back(next);
  }
  sort_gaps(flat.gaps.data() + first, flat.gaps.size() - first);
}

/// Calls visit(time, bytes) for each stretch of buffer i between gaps and for each gap,
/// in order: the bytes it has then, from its offset on. `gap` is one of flat.gaps that is
/// not behind those of i; it is behind them afterwards.
template <class Visit>
void visit_pieces(const Flat& flat, Index i, std::size_t& gap, Visit&& visit) {
  using Numbers = Interval<std::int64_t>;
  const FlatBuffer& buffer = flat.buffers[i];
  const Numbers whole{0, buffer.size};
  std::int64_t from = buffer.lifespan.lower;
  while (gap < flat.gaps.size() && flat.gaps[gap].buffer < i) ++gap;
  for (; gap < flat.gaps.size() && flat.gaps[gap].buffer == i; ++gap) {
    const FlatGap& next = flat.gaps[gap];
    visit(Numbers{from, next.lifespan.lower}, whole);
    visit(next.lifespan, next.window);
    from = next.lifespan.upper;
  }
  visit(Numbers{from, buffer.lifespan.upper}, whole);
}

/// Marks the buffers whose bytes others may use while they are live: who has gaps, or may
/// overlap others.
[[nodiscard]] inline List<std::uint8_t> mark_shared(const Flat& flat) {
  List<std::uint8_t> shares(flat.buffers.size(), 0);
  for (const FlatGap& gap : flat.gaps) shares[gap.buffer] = 1;
  for (const auto& [a, b] : flat.may_overlap) shares[a] = shares[b] = 1;
  return shares;
}

/// Calls visit(i) of each buffer that is tied to another one, once or more.
template <class Visit>
void visit_tied(const Flat& flat, Visit&& visit) {
  for (Index i = 0; i < flat.root.size(); ++i) {
    if (flat.root[i] == i) continue;
    visit(i);
    visit(flat.root[i]);
  }
}

/// All that are tied to another buffer, ascending.
[[nodiscard]] inline List<Index> list_tied(const Flat& flat) {
  List<std::uint8_t> is_tied(flat.root.size(), 0);
  visit_tied(flat, [&](Index i) { is_tied[i] = 1; });
  List<Index> tied = numbers_below(flat.root.size());
  erase_if(tied, [&](Index i) { return is_tied[i] == 0; });
  return tied;
}

/// Fixes all members of the classes that have a fixed one.
inline void fix_classes(Flat& flat) {
  const std::size_t n = flat.buffers.size();
  List<std::int64_t> of_class(n, Flat::kNone);
  for (std::size_t i = 0; i < n; ++i)
    if (flat.fixed[i] != Flat::kNone)
      of_class[flat.root[i]] = flat.fixed[i] - flat.delta[i];
  for (std::size_t i = 0; i < n; ++i)
    if (of_class[flat.root[i]] != Flat::kNone)
      flat.fixed[i] = of_class[flat.root[i]] + flat.delta[i];
}

/// The flat problem of a well-formed one. Empty if it is interrupted.
template <class Size, class Time>
[[nodiscard]] Flat flatten(const Problem<Size, Time>& problem,
                           const Interrupt& interrupt = {}) {
  Flat flat = flatten_plain(problem, interrupt);
  if (flat.buffers.size() < problem.buffers.size()) return {};
  std::size_t since = 0;
  for (Index i = 0; i < problem.buffers.size(); ++i) {
    if (interrupt.at(i) ||
        interrupt.after(problem.buffers[i].gaps.size(), since))
      return {};
    flatten_rest(problem.buffers[i], i, flat);
  }
  if (has_ties(problem)) {
    Ties ties = tie(problem);
    flat.root = std::move(ties.root);
    flat.delta = std::move(ties.delta);
    if (!flat.fixed.empty()) fix_classes(flat);
  }
  const auto copy_pairs = [&](const std::vector<BufferPair>& from,
                              List<IndexPair>& to) {
    for (const BufferPair& pair : from) {
      if (interrupt.at(to.size())) return false;
      to.push_back(
          {static_cast<Index>(pair.first), static_cast<Index>(pair.second)});
    }
    return true;
  };
  if (!copy_pairs(problem.apart, flat.apart) ||
      !copy_pairs(problem.may_overlap, flat.may_overlap))
    return {};
  for (const Reserved<Size, Time>& reserved : problem.reserved) {
    FlatReserved next{widen(reserved.bytes), {}};
    if (reserved.lifespan) next.lifespan = widen(*reserved.lifespan);
    flat.reserved.push_back(next);
  }
  return flat;
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_NORMAL_FLAT_HPP
