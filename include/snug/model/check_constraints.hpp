// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Whether the constraints that tie buffers to places and to one another are
/// well formed and do not contradict each other outright.
///
/// What is refused here is what no capacity could mend and what is visible
/// without a search: ties that give a buffer two places, fixed offsets that
/// conflict, references to buffers that do not exist. That an accepted problem
/// has a placement is not promised.
///
/// Cost: O(n log n) and, for what pairs of fixed buffers that may overlap
/// cost, see check_pieces.hpp.
#ifndef SNUG_MODEL_CHECK_CONSTRAINTS_HPP
#define SNUG_MODEL_CHECK_CONSTRAINTS_HPP

#include "snug/config.hpp"
#include "snug/model/check_pieces.hpp"
#include "snug/model/exemptions.hpp"
#include "snug/model/pieces.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/reason.hpp"
#include "snug/model/ties.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"
#include "snug/support/memory.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// Whether a problem has ties, pairs or reserved ranges.
template <class Size, class Time>
[[nodiscard]] bool has_constraints(const Problem<Size, Time>& problem) {
  return has_ties(problem) || !problem.apart.empty() ||
         !problem.may_overlap.empty() || !problem.reserved.empty();
}

/// Judges the pair `index` of a kind, of `count` buffers; names it in any case.
[[nodiscard]] inline Check check_pair(const BufferPair& pair, Entry entry,
                                      std::size_t index, std::size_t count) {
  Check found{Reason::kNone, pair.first, entry, index, pair.second};
  if (pair.first >= count) {
    found.reason = Reason::kUnknownBuffer;
  } else if (pair.second >= count) {
    found.reason = Reason::kUnknownBuffer;
    std::swap(found.buffer, found.other);
  } else if (pair.first == pair.second) {
    found.reason = Reason::kPairOfOne;
  }
  return found;
}

/// For buffers that are all in order by themselves. Each step relies on those
/// before it. What is found is of no use if it is interrupted.
template <class Size, class Time>
class ConstraintCheck {
 public:
  /// `total` is what check() has added up so far.
  ConstraintCheck(const Problem<Size, Time>& problem, std::int64_t total,
                  const Interrupt& interrupt)
      : problem_(&problem), total_(total), interrupt_(interrupt) {}

  [[nodiscard]] Check run() {
    const Check bad_reserved = check_reserved();
    if (!bad_reserved.ok()) return bad_reserved;
    ties_ = tie(*problem_);
    if (!ties_.error.ok()) return ties_.error;
    exemptions_.emplace(*problem_, ties_, interrupt_);
    const bool is_large = (std::max)(count(), exemptions_->pairs().size()) >=
                          Interrupt::kElements;
    using Step = Check (ConstraintCheck::*)();
    constexpr Step kSteps[] = {
        &ConstraintCheck::check_classes, &ConstraintCheck::fix_classes,
        &ConstraintCheck::check_room,    &ConstraintCheck::check_pairs,
        &ConstraintCheck::check_fixed,
    };
    for (const Step step : kSteps) {
      if (is_large && interrupt_()) return {};
      const Check result = (this->*step)();
      if (!result.ok()) return result;
    }
    return {};
  }
  /// The bytes that it took to compare what is fixed.
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }

 private:
  static constexpr std::int64_t kFree = -1;
  static constexpr std::int64_t kMost = (std::numeric_limits<Size>::max)();

  [[nodiscard]] std::size_t count() const { return problem_->buffers.size(); }
  [[nodiscard]] std::int64_t size(std::size_t i) const {
    return std::int64_t{problem_->buffers[i].size};
  }

  [[nodiscard]] Check check_reserved() const {
    for (std::size_t r = 0; r < problem_->reserved.size(); ++r) {
      const auto& [bytes, lifespan] = problem_->reserved[r];
      if (bytes.empty() || bytes.lower < 0 || (lifespan && lifespan->empty()))
        return {Reason::kBadReserved, Check::kNoBuffer, Entry::kReserved, r};
    }
    return {};
  }

  /// Something is wrong with buffer i because of `other`, unless that is i.
  [[nodiscard]] static Check because_of(Reason reason, std::size_t i,
                                        std::size_t other) {
    return Check::of_buffer(reason, i, other == i ? Check::kNoBuffer : other);
  }

  /// Whether the members of each class can be aligned, and its extent, with
  /// what its alignment costs, fits.
  [[nodiscard]] Check check_classes() {
    if (!has_ties(*problem_)) return {};
    struct Class {
      Grid grid{};
      std::int64_t extent = 0;
      std::size_t members = 0;
    };
    List<Class> classes(count());
    for (std::size_t i = 0; i < count(); ++i) {
      Class& own = classes[ties_.root[i]];
      align_member(*problem_, ties_, i, own.grid);
      std::int64_t top = 0;
      Reason reason = Reason::kNone;
      if (!own.grid.possible)
        reason = Reason::kUnalignableAlias;
      else if (!add_within(ties_.delta[i], size(i), top) || top > kMost)
        reason = Reason::kSizeOverflow;
      if (reason != Reason::kNone) return because_of(reason, i, ties_.root[i]);
      own.extent = (std::max)(own.extent, top);
      ++own.members;
    }
    // The members' sizes are in the total already, but not what lies between.
    for (std::size_t i = 0; i < count(); ++i)
      if (classes[i].members > 1 &&
          (!add_within(total_, classes[i].extent, total_) ||
           !add_within(total_, classes[i].grid.step - 1, total_)))
        return Check::of_buffer(Reason::kSizeOverflow, i);
    return {};
  }

  /// Finds the offsets that are fixed, also those of buffers tied to others.
  [[nodiscard]] Check fix_classes() {
    List<std::size_t> fixed_by(count(), Check::kNoBuffer);
    fixed_.assign(count(), kFree);
    for (std::size_t i = 0; i < count(); ++i) {
      const auto& offset = problem_->buffers[i].offset;
      std::size_t& by = fixed_by[ties_.root[i]];
      if (offset && std::int64_t{*offset} > kMaxTotal)
        return Check::of_buffer(Reason::kSizeOverflow, i);
      if (offset && by == Check::kNoBuffer) by = i;
    }
    for (std::size_t i = 0; i < count(); ++i) {
      const std::size_t by = fixed_by[ties_.root[i]];
      if (by == Check::kNoBuffer) continue;
      const auto& offset = problem_->buffers[i].offset;
      Reason reason = Reason::kNone;
      if (!add_within(
              std::int64_t{*problem_->buffers[by].offset} - ties_.delta[by],
              ties_.delta[i], fixed_[i]))
        reason = Reason::kSizeOverflow;
      else if (offset && std::int64_t{*offset} != fixed_[i])
        reason = Reason::kContradictoryOffset;
      else if (fixed_[i] < std::int64_t{problem_->base})
        reason = Reason::kOffsetBelowBase;
      else if (fixed_[i] % problem_->alignment != 0 ||
               fixed_[i] % problem_->buffers[i].alignment != 0)
        reason = Reason::kMisalignedOffset;
      else if (fixed_[i] > kMost - size(i))
        reason = Reason::kOffsetOverflow;
      if (reason != Reason::kNone) return because_of(reason, i, by);
    }
    return {};
  }

  /// Whether everything fits on top of all that is fixed or reserved.
  [[nodiscard]] Check check_room() {
    const std::int64_t room = kMaxTotal - total_;
    for (std::size_t i = 0; i < count(); ++i)
      if (fixed_[i] != kFree && fixed_[i] + size(i) > room)
        return Check::of_buffer(Reason::kSizeOverflow, i);
    for (std::size_t r = 0; r < problem_->reserved.size(); ++r)
      if (problem_->reserved[r].bytes.upper > room)
        return {Reason::kSizeOverflow, Check::kNoBuffer, Entry::kReserved, r};
    return {};
  }

  [[nodiscard]] Check check_pairs() {
    const std::vector<BufferPair>& apart = problem_->apart;
    for (std::size_t k = 0; k < apart.size(); ++k) {
      const BufferPair& pair = apart[k];
      Check result = check_pair(pair, Entry::kApart, k, count());
      if (!result.ok()) return result;
      if (ties_.root[pair.first] != ties_.root[pair.second]) continue;
      const std::int64_t a = ties_.delta[pair.first];
      const std::int64_t b = ties_.delta[pair.second];
      // An empty interval overlaps no other, but may lie within it.
      if (size(pair.first) > 0 && size(pair.second) > 0 &&
          a < b + size(pair.second) && b < a + size(pair.first))
        result.reason = Reason::kApartButTied;
      if (!result.ok()) return result;
    }
    for (std::size_t k = 0; k < problem_->may_overlap.size(); ++k) {
      const Check result =
          check_pair(problem_->may_overlap[k], Entry::kMayOverlap, k, count());
      if (!result.ok()) return result;
    }
    for (std::size_t k = 0; k < apart.size(); ++k)
      if (exemptions_->may_overlap(apart[k].first, apart[k].second))
        return {Reason::kApartButMayOverlap, apart[k].first, Entry::kApart, k,
                apart[k].second};
    return {};
  }

  /// Whether the fixed buffers form a placement.
  [[nodiscard]] Check check_fixed() {
    List<Piece<Size, Time>> pieces;
    List<Gap<Size, Time>> sorted_gaps;
    for (std::size_t i = 0; i < count(); ++i)
      if (fixed_[i] != kFree)
        append_pieces(problem_->buffers[i], i, static_cast<Size>(fixed_[i]),
                      sorted_gaps, pieces);
    // Reserved ranges alone collide with nobody.
    if (!pieces.empty()) append_reserved(*problem_, pieces);
    Collision found{};
    for (std::size_t k = 0; k < problem_->apart.size(); ++k) {
      const BufferPair& pair = problem_->apart[k];
      const std::int64_t a = fixed_[pair.first];
      const std::int64_t b = fixed_[pair.second];
      if (a == kFree || b == kFree) continue;
      found = check_apart(*problem_, *exemptions_, pair, static_cast<Size>(a),
                          static_cast<Size>(b));
      if (found.kind != Collision::Kind::kNone)
        return {Reason::kConflictingOffsets, found.buffer, Entry::kApart, k,
                found.other};
    }
    PieceSweep<Size, Time> sweep(*problem_, *exemptions_, pieces, interrupt_);
    bytes_ = sweep.bytes() + bytes_of(fixed_, ties_.root, ties_.delta);
    found = sweep.run();
    if (found.kind == Collision::Kind::kNone) return {};
    if (found.kind == Collision::Kind::kReserved)
      return {Reason::kReservedOffset, found.buffer, Entry::kReserved,
              found.other};
    return Check::of_buffer(Reason::kConflictingOffsets, found.buffer,
                            found.other);
  }

  const Problem<Size, Time>* problem_;
  std::int64_t total_;
  Interrupt interrupt_;
  Ties ties_{};
  std::optional<Exemptions> exemptions_{};
  List<std::int64_t> fixed_{};
  std::size_t bytes_ = 0;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_MODEL_CHECK_CONSTRAINTS_HPP
