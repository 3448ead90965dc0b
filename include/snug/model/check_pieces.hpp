// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Whether placed pieces are where they may be: no two buffers meet, bottom
/// buffers lie below top buffers, and nobody occupies reserved bytes.
///
/// A sweep runs through the pieces by time and puts in one after the other.
/// Those live at one time are leaves of a tree, by rank of their lower bytes;
/// each node knows the highest top below it, and the highest of those that are
/// not tied to that one. So whether a new piece
///
///     - shares bytes with a live one: rank below that of its own top, top
///       above its own lower byte;
///     - is of a bottom buffer and has a top buffer beside or below it: the
///       same among top buffers, whatever their tops;
///     - is of a top buffer and has a bottom buffer beside or above it: the
///       same among bottom buffers, whatever their ranks,
///
/// is one descent past all that are tied to it. Those that it may overlap cost
/// one more each.
///
/// Cost: O((p + x) log p) time for p pieces, x of whose pairs may overlap and
/// would collide; O(p) memory.
#ifndef SNUG_MODEL_CHECK_PIECES_HPP
#define SNUG_MODEL_CHECK_PIECES_HPP

#include "snug/config.hpp"
#include "snug/model/event.hpp"
#include "snug/model/exemptions.hpp"
#include "snug/model/interval.hpp"
#include "snug/model/pieces.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/ties.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"
#include "snug/support/memory.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// A set of intervals of positive numbers, by rank from 0 to n - 1, each of a
/// class, that finds those with high tops of other classes, O(log n) each: a
/// complete binary tree, each node holding the highest top below it, or 0, and
/// the highest one that is of another class.
template <class Size>
class TopTree {
 public:
  static constexpr std::size_t kNone =
      (std::numeric_limits<std::size_t>::max)();

  /// `has_classes`: else no two are of one class.
  TopTree(std::size_t n, bool has_classes) {
    while (leaves_ < n) leaves_ *= 2;
    tops_.assign(2 * leaves_, 0);
    if (!has_classes) return;
    classes_.assign(2 * leaves_, 0);
    others_.assign(2 * leaves_, 0);
  }

  [[nodiscard]] std::size_t leaves() const noexcept { return leaves_; }
  /// What trees with so many leaves hold together.
  [[nodiscard]] static constexpr std::size_t bytes(std::size_t leaves,
                                                   bool has_classes) noexcept {
    const std::size_t of_classes = sizeof(Size) + sizeof(std::uint32_t);
    return leaves * 2 * sizeof(Size) +
           (has_classes ? leaves * 2 * of_classes : 0);
  }

  /// Sets the top and the class of `rank`; a top of 0 takes it out.
  void set(std::size_t rank, Size top, std::uint32_t of) {
    std::size_t node = leaves_ + rank;
    tops_[node] = top;
    const bool has_classes = !classes_.empty();
    if (has_classes) classes_[node] = of;
    while (node > 1) {
      const std::size_t high = tops_[node] < tops_[node ^ 1] ? node ^ 1 : node;
      const std::size_t low = high ^ 1;
      node /= 2;
      if (!has_classes && tops_[node] == tops_[high]) return;
      tops_[node] = tops_[high];
      if (!has_classes) continue;
      const bool is_own = classes_[low] == classes_[high];
      others_[node] =
          (std::max)(others_[high], is_own ? others_[low] : tops_[low]);
      classes_[node] = classes_[high];
    }
  }

  /// The first rank from `from` that is of another class and whose top is above
  /// `bottom` >= 0, or kNone.
  [[nodiscard]] std::size_t find(std::size_t from, Size bottom,
                                 std::uint32_t of) const {
    const auto is_above = [&](std::size_t node) {
      const bool is_own = !classes_.empty() && classes_[node] == of;
      return (is_own ? others_[node] : tops_[node]) > bottom;
    };
    std::size_t node = leaves_ + from;
    if (from == leaves_) return kNone;
    while (!is_above(node)) {
      while (node % 2 == 1) node /= 2;
      if (node == 0) return kNone;
      ++node;
    }
    while (node < leaves_) node = 2 * node + (is_above(2 * node) ? 0 : 1);
    return node - leaves_;
  }

 private:
  std::size_t leaves_ = 1;
  List<Size> tops_;
  List<std::uint32_t> classes_;  ///< of the highest; empty: there are none
  List<Size> others_;  ///< the highest top that is of another class than that
};

/// Two that may not be where they are; indices of buffers, the smaller first.
/// Of kReserved, `other` is the index of the reserved range.
struct Collision {
  enum class Kind : std::uint8_t { kNone, kOverlap, kWrongEnd, kReserved };

  Kind kind = Kind::kNone;
  std::size_t buffer = 0;
  std::size_t other = 0;
};

/// Whether a buffer at [a.lower, a.upper) of end `end_a` and one at `b`, at the
/// same time, are the wrong way round.
template <class Size>
[[nodiscard]] bool wrong_ends(End end_a, const Interval<Size>& a, End end_b,
                              const Interval<Size>& b) {
  if (end_a == End::kBottom && end_b == End::kTop) return b.lower < a.upper;
  if (end_a == End::kTop && end_b == End::kBottom) return a.lower < b.upper;
  return false;
}

/// The sweep. Pieces come in order of their buffers; those of the reserved
/// range r follow, as buffer n + r.
template <class Size, class Time>
class PieceSweep {
 public:
  PieceSweep(const Problem<Size, Time>& problem, const Exemptions& exemptions,
             const List<Piece<Size, Time>>& pieces,
             const Interrupt& interrupt = {})
      : problem_(&problem),
        exemptions_(&exemptions),
        pieces_(&pieces),
        interrupt_(interrupt),
        by_bottom_(in_order_of_bottoms()),
        rank_(pieces.size()),
        has_ties_(has_ties(problem)),
        occupied_(pieces.size(), has_ties_),
        bottoms_(count(End::kBottom), has_ties_),
        tops_(count(End::kTop), has_ties_),
        reserved_(problem.reserved.empty() ? 0 : pieces.size(), false) {
    for (std::size_t r = 0; r < pieces.size(); ++r) rank_[by_bottom_[r]] = r;
  }

  /// The bytes that run() holds, and the pieces.
  [[nodiscard]] std::size_t bytes() const noexcept {
    const std::size_t leaves =
        occupied_.leaves() + bottoms_.leaves() + tops_.leaves();
    return bytes_of(*pieces_, by_bottom_, rank_) +
           Events::bytes_for(pieces_->size()) +
           TopTree<Size>::bytes(leaves, has_ties_) +
           TopTree<Size>::bytes(reserved_.leaves(), false);
  }

  /// The first collision in time; see Validation for the order of those at
  /// the same time. None if it is interrupted.
  [[nodiscard]] Collision run() {
    if (!is_sorted_) return {};
    Events events(pieces_->size());
    for (std::size_t i = 0; i < pieces_->size(); ++i)
      events.add((*pieces_)[i].time, i);
    if (!events.sort(interrupt_)) return {};
    std::size_t since = 0;
    for (const Event& event : events) {
      const Piece<Size, Time>& piece = (*pieces_)[owner_of(event)];
      if (is_start(event)) {
        const Collision collision = collide(piece);
        if (collision.kind != Collision::Kind::kNone) return collision;
        if (interrupt_.after(1 + std::exchange(exempted_, 0), since)) return {};
      }
      set(owner_of(event), is_start(event) ? piece.bytes.upper : Size{0});
    }
    return {};
  }

 private:
  static constexpr std::size_t kNone = TopTree<Size>::kNone;

  /// The indices of all pieces by their lower ends, then in order, unless that is
  /// interrupted.
  [[nodiscard]] List<std::size_t> in_order_of_bottoms() {
    Events events(pieces_->size());
    for (std::size_t i = 0; i < pieces_->size(); ++i)
      events.add((*pieces_)[i].bytes, i);
    is_sorted_ = events.sort(interrupt_);
    List<std::size_t> order;
    order.reserve(pieces_->size());
    for (const Event& event : events)
      if (is_start(event)) order.push_back(owner_of(event));
    return order;
  }

  [[nodiscard]] bool is_reserved(const Piece<Size, Time>& piece) const {
    return piece.buffer >= problem_->buffers.size();
  }
  [[nodiscard]] End end_of(const Piece<Size, Time>& piece) const {
    return is_reserved(piece) ? End::kAny : problem_->buffers[piece.buffer].end;
  }
  /// Reserved ranges are tied to nobody.
  [[nodiscard]] std::uint32_t class_of(const Piece<Size, Time>& piece) const {
    return static_cast<std::uint32_t>(
        is_reserved(piece) ? piece.buffer
                           : exemptions_->class_of(piece.buffer));
  }
  /// How many leaves a tree of those of one end needs: none if there are none.
  [[nodiscard]] std::size_t count(End end) const {
    for (const Piece<Size, Time>& piece : *pieces_)
      if (end_of(piece) == end) return pieces_->size();
    return 0;
  }

  void set(std::size_t i, Size top) {
    const Piece<Size, Time>& piece = (*pieces_)[i];
    const std::uint32_t of = class_of(piece);
    (is_reserved(piece) ? reserved_ : occupied_).set(rank_[i], top, of);
    if (end_of(piece) == End::kBottom) bottoms_.set(rank_[i], top, of);
    if (end_of(piece) == End::kTop) tops_.set(rank_[i], top, of);
  }

  /// The lowest live piece with a top above `bottom` and a lower byte below
  /// `top` that is not exempt from colliding with `piece`, or kNone.
  [[nodiscard]] std::size_t find(const TopTree<Size>& live, Size bottom,
                                 Size top, const Piece<Size, Time>& piece) {
    const std::uint32_t of = class_of(piece);
    for (std::size_t rank = live.find(0, bottom, of); rank != kNone;
         rank = live.find(rank + 1, bottom, of)) {
      const Piece<Size, Time>& other = (*pieces_)[by_bottom_[rank]];
      if (!(other.bytes.lower < top)) return kNone;
      if (!exemptions_->may_overlap(piece.buffer, other.buffer))
        return by_bottom_[rank];
      ++exempted_;
    }
    return kNone;
  }

  [[nodiscard]] Collision collide(const Piece<Size, Time>& piece) {
    using Kind = Collision::Kind;
    constexpr Size kHighest = (std::numeric_limits<Size>::max)();
    const Interval<Size> bytes = piece.bytes;
    const auto verdict = [&](Kind kind, std::size_t other) {
      const auto both = std::minmax(piece.buffer, (*pieces_)[other].buffer);
      const std::size_t buffers = problem_->buffers.size();
      return Collision{kind, both.first,
                       both.second - (kind == Kind::kReserved ? buffers : 0)};
    };
    std::size_t other = find(occupied_, bytes.lower, bytes.upper, piece);
    if (other != kNone)
      return verdict(is_reserved(piece) ? Kind::kReserved : Kind::kOverlap,
                     other);
    if (is_reserved(piece)) return {};
    if (end_of(piece) == End::kBottom)
      other = find(tops_, 0, bytes.upper, piece);
    if (end_of(piece) == End::kTop)
      other = find(bottoms_, bytes.lower, kHighest, piece);
    if (other != kNone) return verdict(Kind::kWrongEnd, other);
    other = find(reserved_, bytes.lower, bytes.upper, piece);
    return other == kNone ? Collision{} : verdict(Kind::kReserved, other);
  }

  const Problem<Size, Time>* problem_;
  const Exemptions* exemptions_;
  const List<Piece<Size, Time>>* pieces_;
  Interrupt interrupt_;
  bool is_sorted_ = false;  ///< by_bottom_
  List<std::size_t> by_bottom_;
  List<std::size_t> rank_;
  bool has_ties_;
  TopTree<Size> occupied_;
  TopTree<Size> bottoms_;
  TopTree<Size> tops_;
  TopTree<Size> reserved_;
  std::size_t exempted_ = 0;  ///< of the piece at hand
};

/// Whether a pair kept apart is in order at these offsets.
template <class Size, class Time>
[[nodiscard]] Collision check_apart(const Problem<Size, Time>& problem,
                                    const Exemptions& exemptions,
                                    const BufferPair& pair, Size offset_first,
                                    Size offset_second) {
  using Kind = Collision::Kind;
  const Buffer<Size, Time>& first = problem.buffers[pair.first];
  const Buffer<Size, Time>& second = problem.buffers[pair.second];
  const Interval<Size> a{offset_first,
                         static_cast<Size>(offset_first + first.size)};
  const Interval<Size> b{offset_second,
                         static_cast<Size>(offset_second + second.size)};
  if (a.empty() || b.empty()) return {};
  const auto both = std::minmax(pair.first, pair.second);
  if (a.overlaps(b)) return {Kind::kOverlap, both.first, both.second};
  if (!exemptions.tied(pair.first, pair.second) &&
      wrong_ends(first.end, a, second.end, b))
    return {Kind::kWrongEnd, both.first, both.second};
  return {};
}

/// The pieces of the reserved ranges; see PieceSweep.
template <class Size, class Time>
void append_reserved(const Problem<Size, Time>& problem,
                     List<Piece<Size, Time>>& pieces) {
  std::size_t index = problem.buffers.size();
  for (const Reserved<Size, Time>& reserved : problem.reserved) {
    // No lifespan reaches further: its upper end is a number, too.
    const Interval<Time> always{(std::numeric_limits<Time>::min)(),
                                (std::numeric_limits<Time>::max)()};
    pieces.push_back(
        {reserved.lifespan.value_or(always), reserved.bytes, index++});
  }
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_MODEL_CHECK_PIECES_HPP
