// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Whether placed pieces are where they may be: no two buffers meet, bottom
/// buffers lie below top buffers, and nobody occupies reserved bytes.
///
/// A sweep runs through the pieces by time and puts in one after the other.
/// Those live at one time are leaves of a tree, by rank of their lower bytes;
/// each node knows the highest top below it. So whether a new piece
///
///     - shares bytes with a live one: rank below that of its own top, top
///       above its own lower byte;
///     - is of a bottom buffer and has a top buffer beside or below it: the
///       same among top buffers, whatever their tops;
///     - is of a top buffer and has a bottom buffer beside or above it: the
///       same among bottom buffers, whatever their ranks,
///
/// is one descent, and pairs that are exempt cost one more each. A piece that
/// stays within a live one of its class is not put in: whoever meets it meets
/// that one, too.
///
/// Cost: O((p + x) log p) time for p pieces, x of whose pairs are exempt and
/// would collide, if both are put in; O(p) memory.
#ifndef SNUG_MODEL_CHECK_PIECES_HPP
#define SNUG_MODEL_CHECK_PIECES_HPP

#include "snug/config.hpp"
#include "snug/model/event.hpp"
#include "snug/model/exemptions.hpp"
#include "snug/model/interval.hpp"
#include "snug/model/pieces.hpp"
#include "snug/model/problem.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// A set of intervals of positive numbers, by rank from 0 to n - 1, that finds
/// those with high tops, O(log n) each: a complete binary tree, each node
/// holding the highest top below it, or 0.
template <class Size>
class TopTree {
 public:
  static constexpr std::size_t kNone =
      (std::numeric_limits<std::size_t>::max)();

  explicit TopTree(std::size_t n) {
    while (leaves_ < n) leaves_ *= 2;
    tops_.assign(2 * leaves_, 0);
  }

  /// Sets the top of `rank`; 0 takes it out.
  void set(std::size_t rank, Size top) {
    std::size_t node = leaves_ + rank;
    tops_[node] = top;
    while (node > 1) {
      const Size highest = (std::max)(tops_[node], tops_[node ^ 1]);
      node /= 2;
      if (tops_[node] == highest) return;
      tops_[node] = highest;
    }
  }

  /// The first rank from `from` whose top is above `bottom` >= 0, or kNone.
  [[nodiscard]] std::size_t find(std::size_t from, Size bottom) const {
    std::size_t node = leaves_ + from;
    if (from == leaves_) return kNone;
    while (!(tops_[node] > bottom)) {
      while (node % 2 == 1) node /= 2;
      if (node == 0) return kNone;
      ++node;
    }
    while (node < leaves_) node = 2 * node + (tops_[2 * node] > bottom ? 0 : 1);
    return node - leaves_;
  }

 private:
  std::size_t leaves_ = 1;
  List<Size> tops_;
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
        occupied_(pieces.size()),
        bottoms_(count(End::kBottom)),
        tops_(count(End::kTop)),
        reserved_(problem.reserved.empty() ? 0 : pieces.size()) {
    for (std::size_t r = 0; r < pieces.size(); ++r) rank_[by_bottom_[r]] = r;
  }

  /// The first collision in time; see Validation for the order of those at
  /// the same time. None if it is interrupted.
  [[nodiscard]] Collision run() {
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
        if (is_covered(owner_of(event))) continue;
      }
      set(owner_of(event), is_start(event) ? piece.bytes.upper : Size{0});
    }
    return {};
  }

 private:
  static constexpr std::size_t kNone = TopTree<Size>::kNone;

  /// The indices of all pieces by their lower ends, then in order.
  [[nodiscard]] List<std::size_t> in_order_of_bottoms() const {
    Events events(pieces_->size());
    for (std::size_t i = 0; i < pieces_->size(); ++i)
      events.add((*pieces_)[i].bytes, i);
    (void)events.sort(interrupt_);
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
  /// How many leaves a tree of those of one end needs: none if there are none.
  [[nodiscard]] std::size_t count(End end) const {
    for (const Piece<Size, Time>& piece : *pieces_)
      if (end_of(piece) == end) return pieces_->size();
    return 0;
  }

  void set(std::size_t i, Size top) {
    const Piece<Size, Time>& piece = (*pieces_)[i];
    (is_reserved(piece) ? reserved_ : occupied_).set(rank_[i], top);
    if (end_of(piece) == End::kBottom) bottoms_.set(rank_[i], top);
    if (end_of(piece) == End::kTop) tops_.set(rank_[i], top);
  }

  /// The lowest live piece with a top above `bottom` and a lower byte below
  /// `top` that is not exempt from colliding with `piece`, or kNone.
  [[nodiscard]] std::size_t find(const TopTree<Size>& live, Size bottom,
                                 Size top, const Piece<Size, Time>& piece) {
    const bool any_exempt = &live != &reserved_ && !is_reserved(piece);
    for (std::size_t rank = live.find(0, bottom); rank != kNone;
         rank = live.find(rank + 1, bottom)) {
      const Piece<Size, Time>& other = (*pieces_)[by_bottom_[rank]];
      if (!(other.bytes.lower < top)) return kNone;
      if (!any_exempt || !exemptions_->contain(piece.buffer, other.buffer))
        return by_bottom_[rank];
      ++exempted_;
    }
    return kNone;
  }

  /// Whether what would be found to collide with a piece is found to do so with
  /// a live one that comes first: of its class and end, which has all its bytes
  /// for as long.
  [[nodiscard]] bool is_covered(std::size_t i) const {
    const Piece<Size, Time>& piece = (*pieces_)[i];
    if (is_reserved(piece) || !problem_->may_overlap.empty()) return false;
    const std::size_t rank = occupied_.find(0, piece.bytes.lower);
    if (rank >= rank_[i]) return false;
    const Piece<Size, Time>& other = (*pieces_)[by_bottom_[rank]];
    return exemptions_->tied(piece.buffer, other.buffer) &&
           end_of(piece) == end_of(other) &&
           other.bytes.contains(piece.bytes) &&
           piece.time.upper <= other.time.upper;
  }

  [[nodiscard]] Collision collide(const Piece<Size, Time>& piece) {
    using Kind = Collision::Kind;
    constexpr Size kHighest = (std::numeric_limits<Size>::max)();
    const Interval<Size> bytes = piece.bytes;
    const auto verdict = [&](Kind kind, std::size_t other) {
      const auto both = std::minmax({piece.buffer, (*pieces_)[other].buffer});
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
  List<std::size_t> by_bottom_;
  List<std::size_t> rank_;
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
  const auto both = std::minmax({pair.first, pair.second});
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
