// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Whether offsets are a placement of a problem. It depends on the model alone:
/// what it has in common with the search is how ties are read, lists and sorts. So
/// it can be its judge.
///
/// A placement is valid when
///
///   - every offset is a multiple of its alignment and of the problem's, at or
///     above the base, where it is fixed and where its ties put it;
///   - every offset + size is within the capacity, also where windows leave the
///     top empty;
///   - no two buffers occupy the same byte at the same time (see
///     model/pieces.hpp for what they occupy), bottom buffers lie below top
///     buffers, and nobody occupies reserved bytes;
///   - pairs kept apart share no byte and, if their ends differ, the bottom one
///     is the lower.
///
/// The last two do not hold among buffers that may overlap, nor among those that are
/// tied to one another: of these, a pair kept apart may share no byte, but its ends do
/// not matter. (A pair kept apart is never free to overlap.) The sweep is that of
/// model/check_pieces.hpp.
///
/// Cost: O((p + x) log p) time and O(p) memory for p pieces; p is n without
/// gaps and at most n + 2 * gaps, and x counts the pairs of pieces that collide
/// but may overlap. No input overflows or is undefined: ill-formed problems and
/// absurd offsets are reported like any other fault.
#ifndef SNUG_VALIDATE_HPP
#define SNUG_VALIDATE_HPP

#include "snug/config.hpp"
#include "snug/model/check.hpp"
#include "snug/model/check_pieces.hpp"
#include "snug/model/pieces.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/reason.hpp"
#include "snug/model/ties.hpp"
#include "snug/support/list.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

SNUG_BEGIN_NAMESPACE

/// What is wrong with a placement.
enum class Fault : std::uint8_t {
  kNone,
  kInvalidProblem,       ///< the problem is ill-formed or the capacity negative
  kWrongOffsetCount,     ///< not one offset for each buffer
  kNegativeOffset,       ///< offset < 0
  kBelowBase,            ///< offset < Problem::base
  kMovedFixedOffset,     ///< the buffer is fixed elsewhere
  kMisalignedPlacement,  ///< not a multiple of its or the problem's alignment
  kBeyondCapacity,       ///< offset + size exceeds the capacity
  kBrokenAlias,          ///< an alias is not where the other buffer puts it
  kBrokenGroup,          ///< a member does not begin where another ends
  kNotApart,             ///< two buffers kept apart share bytes
  kOverlap,              ///< two buffers occupy the same byte at the same time
  kWrongEnd,             ///< a bottom buffer is not below a top buffer
  kReservedBytes,        ///< a buffer occupies reserved bytes
};

[[nodiscard]] constexpr const char* to_string(Fault fault) noexcept {
  switch (fault) {
    case Fault::kNone:
      return "valid";
    case Fault::kInvalidProblem:
      return "the problem is not well formed";
    case Fault::kWrongOffsetCount:
      return "the number of offsets differs from the number of buffers";
    case Fault::kNegativeOffset:
      return "offset is negative";
    case Fault::kBelowBase:
      return "offset is below the base offset of the problem";
    case Fault::kMovedFixedOffset:
      return "offset differs from the buffer's fixed offset";
    case Fault::kMisalignedPlacement:
      return "offset is not a multiple of the alignment";
    case Fault::kBeyondCapacity:
      return "offset plus size exceeds the capacity";
    case Fault::kBrokenAlias:
      return "two buffers are not where their alias puts them";
    case Fault::kBrokenGroup:
      return "two buffers of a contiguous group do not follow one another";
    case Fault::kNotApart:
      return "two buffers that are kept apart share bytes";
    case Fault::kOverlap:
      return "two buffers overlap";
    case Fault::kWrongEnd:
      return "a bottom buffer is not below a top buffer";
    case Fault::kReservedBytes:
      return "a buffer occupies reserved bytes";
  }
  return "unknown";
}

/// The verdict on a placement: its first fault, in this order.
/// 1. kInvalidProblem; `error` says why, `buffer` is error.buffer.
/// 2. kWrongOffsetCount; names no buffer.
/// 3. Faults of one buffer: the first such buffer in input order; if it has
///    several faults, the one that comes first in `Fault`.
/// 4. kBrokenAlias, then kBrokenGroup: the first as listed.
/// 5. Pairs kept apart, as listed: kNotApart, or kWrongEnd, which for them
///    holds whatever their lifespans.
/// 6. In order of time: at the earliest time at which two buffers collide, put
///    in the buffers one after another, first those that were there just before
///    and then those whose piece begins at that time, in input order, and the
///    reserved ranges behind them. Of the first that does not fit, kOverlap
///    before kWrongEnd before kReservedBytes; of those it collides with in this
///    way, the lowest in memory, then the first in input order.
///
/// Faults of two buffers have the smaller index of the two in `buffer` and the
/// larger in `other`. kReservedBytes has the reserved range in `other`.
struct [[nodiscard]] Validation {
  Fault fault = Fault::kNone;
  std::size_t buffer = Check::kNoBuffer;  ///< index, or Check::kNoBuffer
  std::size_t other = Check::kNoBuffer;   ///< second index of a pair
  Check error{};                          ///< of an ill-formed problem

  [[nodiscard]] bool ok() const noexcept { return fault == Fault::kNone; }
};

namespace detail {

/// The faults of well-formed problems.
template <class Size, class Time>
class PlacementCheck {
 public:
  /// One offset for each buffer; 0 <= capacity.
  PlacementCheck(const Problem<Size, Time>& problem, Size capacity,
                 const std::vector<Size>& offsets)
      : problem_(&problem), capacity_(capacity), offsets_(&offsets) {}

  [[nodiscard]] Validation run() const {
    for (std::size_t i = 0; i < problem_->buffers.size(); ++i) {
      const Fault fault = check_buffer(i);
      if (fault != Fault::kNone) return {fault, i, Check::kNoBuffer, {}};
    }
    Validation result = check_ties();
    if (!result.ok()) return result;
    const Ties ties = has_ties(*problem_) ? tie(*problem_) : Ties{};
    const Exemptions exemptions(*problem_, ties);
    for (const BufferPair& pair : problem_->apart) {
      result = fault_of(
          check_apart(*problem_, exemptions, pair, (*offsets_)[pair.first],
                      (*offsets_)[pair.second]),
          Fault::kNotApart);
      if (!result.ok()) return result;
    }
    return check_pieces(exemptions);
  }

 private:
  /// What is wrong with one buffer, apart from others.
  [[nodiscard]] Fault check_buffer(std::size_t i) const {
    const Buffer<Size, Time>& buffer = problem_->buffers[i];
    const Size offset = (*offsets_)[i];
    if (offset < 0) return Fault::kNegativeOffset;
    if (offset < problem_->base) return Fault::kBelowBase;
    if (buffer.offset && *buffer.offset != offset)
      return Fault::kMovedFixedOffset;
    if (offset % buffer.alignment != 0 || offset % problem_->alignment != 0)
      return Fault::kMisalignedPlacement;
    // Neither side can overflow: capacity and size are not negative.
    if (offset > capacity_ - buffer.size) return Fault::kBeyondCapacity;
    return Fault::kNone;
  }

  /// Whether `upper` lies `delta` above `lower`. No difference of two offsets
  /// overflows, as none is negative.
  [[nodiscard]] bool follows(std::size_t upper, std::size_t lower,
                             Size delta) const {
    return std::int64_t{(*offsets_)[upper]} - (*offsets_)[lower] ==
           std::int64_t{delta};
  }

  [[nodiscard]] static Validation fault_of_two(Fault fault, std::size_t a,
                                               std::size_t b) {
    return {fault, (std::min)(a, b), (std::max)(a, b), {}};
  }

  [[nodiscard]] Validation check_ties() const {
    for (const Alias<Size>& alias : problem_->aliases)
      if (!follows(alias.buffer, alias.of, alias.delta))
        return fault_of_two(Fault::kBrokenAlias, alias.buffer, alias.of);
    for (const std::vector<std::size_t>& group : problem_->contiguous)
      for (std::size_t k = 1; k < group.size(); ++k)
        if (!follows(group[k], group[k - 1],
                     problem_->buffers[group[k - 1]].size))
          return fault_of_two(Fault::kBrokenGroup, group[k], group[k - 1]);
    return {};
  }

  [[nodiscard]] Validation check_pieces(const Exemptions& exemptions) const {
    List<Piece<Size, Time>> pieces;
    pieces.reserve(problem_->buffers.size() + problem_->reserved.size());
    List<Gap<Size, Time>> sorted_gaps;
    for (std::size_t i = 0; i < problem_->buffers.size(); ++i)
      append_pieces(problem_->buffers[i], i, (*offsets_)[i], sorted_gaps,
                    pieces);
    append_reserved(*problem_, pieces);
    return fault_of(PieceSweep<Size, Time>(*problem_, exemptions, pieces).run(),
                    Fault::kOverlap);
  }

  /// `overlap`: what it is called that two buffers share bytes.
  [[nodiscard]] static Validation fault_of(const Collision& collision,
                                           Fault overlap) {
    using Kind = Collision::Kind;
    if (collision.kind == Kind::kNone) return {};
    const Fault fault = collision.kind == Kind::kOverlap ? overlap
                        : collision.kind == Kind::kWrongEnd
                            ? Fault::kWrongEnd
                            : Fault::kReservedBytes;
    return {fault, collision.buffer, collision.other, {}};
  }

  const Problem<Size, Time>* problem_;
  Size capacity_;
  const std::vector<Size>* offsets_;
};

}  // namespace detail

/// Whether `offsets`, in input order, places the buffers of `problem` within
/// [0, capacity). Buffers of size zero overlap nobody.
template <class Size, class Time>
Validation validate(const Problem<Size, Time>& problem,
                    typename Problem<Size, Time>::SizeType capacity,
                    const std::vector<Size>& offsets) {
  Check error = check(problem);
  detail::check_capacity(capacity, error);
  if (!error.ok())
    return {Fault::kInvalidProblem, error.buffer, Check::kNoBuffer, error};
  if (offsets.size() != problem.buffers.size())
    return {Fault::kWrongOffsetCount, Check::kNoBuffer, Check::kNoBuffer, {}};
  return detail::PlacementCheck<Size, Time>(problem, capacity, offsets).run();
}

/// The same without a capacity: every top must fit the size type.
template <class Size, class Time>
Validation validate(const Problem<Size, Time>& problem,
                    const std::vector<Size>& offsets) {
  return validate(problem, (std::numeric_limits<Size>::max)(), offsets);
}

/// What the penalties of `problem` cost with `offsets`, one for each buffer of a
/// well-formed problem, none negative, with tops that the size type holds: the
/// sum over the pairs whose bytes, from offset to offset + size, are not
/// disjoint. Linear.
template <class Size, class Time>
[[nodiscard]] std::int64_t penalty_cost(const Problem<Size, Time>& problem,
                                        const std::vector<Size>& offsets) {
  SNUG_ASSERT(offsets.size() == problem.buffers.size() &&
              "penalty_cost: an offset for each buffer");
  std::int64_t cost = 0;
  for (const Penalty& penalty : problem.penalties) {
    const Size a = offsets[penalty.first];
    const Size b = offsets[penalty.second];
    const Size a_size = problem.buffers[penalty.first].size;
    const Size b_size = problem.buffers[penalty.second].size;
    // An empty interval overlaps no other, but may lie within it.
    if (a_size > 0 && b_size > 0 && a < b + b_size && b < a + a_size)
      cost += penalty.cost;
  }
  return cost;
}

SNUG_END_NAMESPACE

#endif  // SNUG_VALIDATE_HPP
