// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Whether a problem is well formed: every error names a reason, an
/// entry of the problem and a buffer.
///
/// A problem that passes can be solved without overflow. The sum of
///
///   - the base;
///   - all sizes, each with the padding that its alignment and that of the
///     problem may cost, and so, once more, all classes of tied buffers;
///   - the highest top of a fixed buffer or reserved range
///
/// is at most 2^62, and without ties and exempt pairs the bytes occupied at one
/// time fit the size type. So every offset, top and load that snug ever
/// computes fits a 64-bit integer with room to spare: all that is free fits on
/// top of all that is not.
///
/// Of a problem that has no constraints, penalties and hints, that sum is taken
/// over the buffers of one *partition* only, those that a chain of overlapping
/// lifespans ties together:
///
///     2^61 +------+      +------+      each of the two partitions has 2^62
///     2^61 +---+--+---+  +------+      bytes, and there may be any number of
///          0   |      |  9      15     them
///
/// What is added up there is live at one time (loads), or lies on top of one
/// another (a placement by hand, a dive, first fit, the search): each
/// of these puts a buffer no higher than the top of those that it overlaps, so
/// that chains of overlapping buffers bound the height. Whatever is summed over
/// partitions is real (areas, prices) or no bytes (steps, nodes); the costs of
/// suggest_spills() are looked at on their own.
/// The load alone is no bound: with staggered lifespans, one dive may stack a
/// whole partition. Bodies may be tied or kept apart whatever their lifespans,
/// so there the sum is over all.
///
/// Cost: O(n log n) time, O(n) memory. One pass and no memory for 64-bit sizes
/// when nothing is fixed or constrained and all sizes together fit; narrower
/// ones may take a sweep.
#ifndef SNUG_MODEL_CHECK_HPP
#define SNUG_MODEL_CHECK_HPP

#include "snug/config.hpp"
#include "snug/model/check_constraints.hpp"
#include "snug/model/event.hpp"
#include "snug/model/interval.hpp"
#include "snug/model/pieces.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/reason.hpp"
#include "snug/model/ties.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>

SNUG_BEGIN_NAMESPACE

namespace detail {

template <class Size, class Time>
[[nodiscard]] bool is_constrained(const Buffer<Size, Time>& buffer) {
  return !buffer.gaps.empty() || buffer.offset || buffer.end != End::kAny;
}

/// Whether a problem asks for nothing but sizes, lifespans and alignments, so that
/// buffers which are never live together, nor by way of others, have nothing to do
/// with one another.
template <class Size, class Time>
[[nodiscard]] bool is_unconstrained(const Problem<Size, Time>& problem) {
  return problem.base == 0 && !has_constraints(problem) &&
         problem.penalties.empty() &&
         std::none_of(problem.buffers.begin(), problem.buffers.end(),
                      [](const Buffer<Size, Time>& buffer) {
                        return is_constrained(buffer) || buffer.hint;
                      });
}

/// Judges the gaps of buffer `i`.
template <class Size, class Time>
[[nodiscard]] Check check_gaps(const Buffer<Size, Time>& buffer,
                               std::size_t i) {
  Events events(buffer.gaps.size());
  for (std::size_t g = 0; g < buffer.gaps.size(); ++g) {
    const Gap<Size, Time>& gap = buffer.gaps[g];
    Reason reason = Reason::kNone;
    if (gap.lifespan.empty())
      reason = Reason::kEmptyGap;
    else if (!buffer.lifespan.contains(gap.lifespan))
      reason = Reason::kGapOutsideLifespan;
    else if (gap.window &&
             (gap.window->upper < gap.window->lower || gap.window->lower < 0 ||
              gap.window->upper > buffer.size))
      reason = Reason::kWindowOutsideSize;
    if (reason != Reason::kNone) return {reason, i, Entry::kGap, g};
    events.add(gap.lifespan, g);
  }
  events.sort();
  const Event* open = nullptr;
  for (const Event& event : events) {
    if (is_start(event) && open != nullptr)
      return {Reason::kOverlappingGaps, i, Entry::kGap,
              (std::max)(owner_of(*open), owner_of(event)),
              (std::min)(owner_of(*open), owner_of(event))};
    open = is_start(event) ? &event : nullptr;
  }
  return {};
}

/// What is wrong with a buffer, its gaps aside.
template <bool kPlainOnly, class Size, class Time>
[[nodiscard]] Reason check_buffer(const Problem<Size, Time>& problem,
                                  const Buffer<Size, Time>& buffer) {
  if (buffer.size < 0) return Reason::kNegativeSize;
  if (buffer.lifespan.empty()) return Reason::kEmptyLifespan;
  if (buffer.alignment < 1) return Reason::kBadAlignment;
  if (buffer.hint && *buffer.hint < 0) return Reason::kNegativeHint;
  if (!kPlainOnly && buffer.offset) {
    if (*buffer.offset < 0) return Reason::kNegativeOffset;
    if (*buffer.offset < problem.base) return Reason::kOffsetBelowBase;
    if (*buffer.offset % buffer.alignment != 0 ||
        *buffer.offset % problem.alignment != 0)
      return Reason::kMisalignedOffset;
    if (*buffer.offset > (std::numeric_limits<Size>::max)() - buffer.size)
      return Reason::kOffsetOverflow;
  }
  return Reason::kNone;
}

/// The first buffer, by time, at the start of one of whose pieces the occupied
/// bytes exceed the size type; kNoBuffer when there is none. The sum of all
/// sizes fits 64 bits. Of no use if it is interrupted.
template <class Size, class Time>
[[nodiscard]] std::size_t find_load_overflow(const Problem<Size, Time>& problem,
                                             const Interrupt& interrupt) {
  List<Piece<Size, Time>> pieces;
  List<Gap<Size, Time>> sorted_gaps;
  for (std::size_t i = 0; i < problem.buffers.size(); ++i)
    append_pieces(problem.buffers[i], i, Size{0}, sorted_gaps, pieces);
  Events events(pieces.size());
  for (std::size_t k = 0; k < pieces.size(); ++k) events.add(pieces[k].time, k);
  if (!events.sort(interrupt)) return Check::kNoBuffer;
  std::int64_t load = 0;
  for (const Event& event : events) {
    const Interval<Size>& bytes = pieces[owner_of(event)].bytes;
    const std::int64_t size = std::int64_t{bytes.upper} - bytes.lower;
    load += is_start(event) ? size : -size;
    if (load > (std::numeric_limits<Size>::max)())
      return pieces[owner_of(event)].buffer;
  }
  return Check::kNoBuffer;
}

/// Adds a buffer's size and the most that its alignment, on a heap of
/// alignment `heap`, may cost to `total`; false if that exceeds 2^62.
template <class Size, class Time>
[[nodiscard]] bool add_padded(const Buffer<Size, Time>& buffer,
                              std::int64_t heap, std::int64_t& total) {
  std::int64_t step{buffer.alignment};
  if (heap != 1) {
    step /= std::gcd(step, heap);
    if (step > kMaxTotal / heap) return false;
    step *= heap;
  }
  const std::int64_t room = kMaxTotal - total;
  const std::int64_t padding = step - 1;
  if (padding > room || std::int64_t{buffer.size} > room - padding)
    return false;
  total += std::int64_t{buffer.size} + padding;
  return true;
}

/// The first buffer, by time, with which the buffers of its partition, padded,
/// and the base exceed 2^62; kNoBuffer when there is none. Of no use if it is
/// interrupted.
template <class Size, class Time>
[[nodiscard]] std::size_t find_size_overflow(const Problem<Size, Time>& problem,
                                             const Interrupt& interrupt) {
  Events events(problem.buffers.size());
  for (std::size_t i = 0; i < problem.buffers.size(); ++i)
    events.add(problem.buffers[i].lifespan, i);
  if (!events.sort(interrupt)) return Check::kNoBuffer;
  std::int64_t total = 0;
  std::size_t live = 0;
  for (const Event& event : events) {
    if (!is_start(event)) {
      --live;
      continue;
    }
    if (live++ == 0) total = std::int64_t{problem.base};
    if (!add_padded(problem.buffers[owner_of(event)],
                    std::int64_t{problem.alignment}, total))
      return owner_of(event);
  }
  return Check::kNoBuffer;
}

/// The error of a problem that is not plain: names the first buffer that has a
/// constraint of its own.
template <class Size, class Time>
[[nodiscard]] Check refuse_constraints(const Problem<Size, Time>& problem) {
  for (std::size_t i = 0; i < problem.buffers.size(); ++i)
    if (is_constrained(problem.buffers[i]))
      return Check::of_buffer(Reason::kUnsupported, i);
  const bool is_plain = problem.base == 0 && !has_constraints(problem);
  return {is_plain ? Reason::kNone : Reason::kUnsupported, Check::kNoBuffer};
}

/// Judges the penalties, as listed.
template <class Size, class Time>
[[nodiscard]] Check check_penalties(const Problem<Size, Time>& problem) {
  std::int64_t total = 0;
  for (std::size_t k = 0; k < problem.penalties.size(); ++k) {
    const Penalty& penalty = problem.penalties[k];
    Check found = check_pair({penalty.first, penalty.second}, Entry::kPenalty,
                             k, problem.buffers.size());
    if (found.ok())
      found.reason = penalty.cost < 0                   ? Reason::kNegativeCost
                     : penalty.cost > kMaxTotal - total ? Reason::kCostOverflow
                                                        : Reason::kNone;
    if (!found.ok()) return found;
    total += penalty.cost;
  }
  return {};
}

/// Says in `error`, unless something else is wrong, whether a capacity is negative.
template <class Size>
void check_capacity(Size capacity, Check& error) noexcept {
  if (error.ok() && capacity < 0) error.reason = Reason::kNegativeCapacity;
}

/// check(). kPlainOnly: constraints are refused, and so need no checks. If it is
/// interrupted, not all has been checked. `bytes`: that it took where some are fixed.
template <bool kPlainOnly, class Size, class Time>
[[nodiscard]] Check check(const Problem<Size, Time>& problem,
                          const Interrupt& interrupt = {},
                          std::size_t* bytes = nullptr) {
  if (problem.base < 0) return {Reason::kNegativeBase, Check::kNoBuffer};
  if (problem.alignment < 1)
    return {Reason::kBadHeapAlignment, Check::kNoBuffer};
  std::int64_t total{problem.base};
  if (total > kMaxTotal) return {Reason::kSizeOverflow, Check::kNoBuffer};
  if constexpr (kPlainOnly) {
    const Check error = refuse_constraints(problem);
    if (!error.ok()) return error;
  }
  bool constrained = has_constraints(problem);
  std::size_t first_over = Check::kNoBuffer;
  for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
    const Buffer<Size, Time>& buffer = problem.buffers[i];
    const Reason reason = check_buffer<kPlainOnly>(problem, buffer);
    if (reason != Reason::kNone) return Check::of_buffer(reason, i);
    if constexpr (!kPlainOnly) {
      if (!buffer.gaps.empty()) {
        const Check error = check_gaps(buffer, i);
        if (!error.ok()) return error;
      }
    }
    if (first_over == Check::kNoBuffer &&
        !add_padded(buffer, std::int64_t{problem.alignment}, total))
      first_over = i;
    constrained = constrained || buffer.offset;
  }
  if (first_over != Check::kNoBuffer) {
    if (is_unconstrained(problem))
      first_over = find_size_overflow(problem, interrupt);
    if (first_over != Check::kNoBuffer)
      return Check::of_buffer(Reason::kSizeOverflow, first_over);
    total = kMaxTotal;  // Or more.
  }
  if constexpr (sizeof(Size) < sizeof(std::int64_t)) {
    // Where buffers share bytes, what is live says little about any offset.
    if (total > (std::numeric_limits<Size>::max)() && !has_ties(problem) &&
        problem.may_overlap.empty()) {
      const std::size_t i = find_load_overflow(problem, interrupt);
      if (i != Check::kNoBuffer)
        return Check::of_buffer(Reason::kLoadOverflow, i);
    }
  }
  Check error;
  if constexpr (!kPlainOnly)
    if (constrained) {
      ConstraintCheck<Size, Time> constraints(problem, total, interrupt);
      error = constraints.run();
      if (bytes != nullptr) *bytes = constraints.bytes();
    }
  return error.ok() ? check_penalties(problem) : error;
}

}  // namespace detail

/// Whether `problem` is well formed. The first error in this order, with the
/// entry, the buffer and the other that it names:
///
/// 1. Base and alignment of the problem: neither buffer nor other.
/// 2. Each buffer by itself and its gaps, in input order: that buffer. Of
///    overlapping gaps, the one that is listed later; the other is the other
///    gap. Then kSizeOverflow and kLoadOverflow, each the first in order of
///    time; with constraints or hints, kSizeOverflow is in input order.
/// 3. Reserved ranges, as listed: no buffer.
/// 4. Aliases, then groups, as listed: the index that no buffer has, or the
///    later of the two tied buffers, and the one it is tied to.
/// 5. Classes of tied buffers, then their fixed offsets, and whether they and
///    the reserved ranges leave room: the first buffer in input order; the
///    other is the one whose fixed offset binds it, or the first of its class.
/// 6. Pairs kept apart, then those that may overlap, as listed, and pairs that
///    are both: the index that no buffer has, or the first of the pair, and the
///    other of it.
/// 7. Fixed buffers that conflict: pairs kept apart, as listed, then in order
///    of time (see Validation): the smaller index of two, and the larger; or
///    the buffer that occupies the reserved range that is the entry.
/// 8. Penalties, as listed: as for pairs, then kNegativeCost and kCostOverflow.
///
/// Linear for 64-bit sizes when nothing is fixed or constrained, else
/// O(n log n).
template <class Size, class Time>
[[nodiscard]] Check check(const Problem<Size, Time>& problem) {
  return detail::check<false>(problem);
}

SNUG_END_NAMESPACE

#endif  // SNUG_MODEL_CHECK_HPP
