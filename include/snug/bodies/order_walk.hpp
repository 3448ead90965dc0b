// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The order walk: all bodies of a component by first fit, in an order that is changed
/// a little for each *pass*:
///
///     a b c d e    in the order of their offsets, where there is a placement
///     a e b c d    one of the highest comes earlier, or any body somewhere else;
///       ^ ^ ^ ^    those behind are placed again, each at the lowest offset that
///                  those before it leave to it
///
/// An order stays if its placement is not higher than that of the one before, or seldom
/// if it is a little higher. A pass ends where it is too high, so most of them end soon.
///
/// It proves nothing. Searches, and ejection walks, aim at a capacity, and all that is
/// left of them is whether they came to it; this walk comes down from wherever it is. So
/// it does where ties and mixed alignments keep the height above all sums.
///
/// Cost: O(k) a step for a body with k relations, unless their addresses are close to
/// each other, O(n) a pass; O(n) memory for n bodies.
/// Source: orders that are placed by a fixed rule, and searched by small changes, as in
/// Jakobs, "On genetic algorithms for the packing of polygons" (European Journal of
/// Operational Research, 1996).
#ifndef SNUG_BODIES_ORDER_WALK_HPP
#define SNUG_BODIES_ORDER_WALK_HPP

#include "snug/bodies/component.hpp"
#include "snug/bodies/domain.hpp"
#include "snug/bodies/relations.hpp"
#include "snug/config.hpp"
#include "snug/support/list.hpp"
#include "snug/support/memory.hpp"
#include "snug/support/random.hpp"
#include "snug/support/spread_sort.hpp"
#include "snug/support/view.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// A walk for the bodies of a component.
class OrderWalk {
 public:
  /// Begins with all bodies, by number, in `order`, and with no placement. The component
  /// must outlive the walk.
  OrderWalk(const Component& component, List<Index> order, std::uint64_t seed)
      : component_(&component),
        random_(seed),
        order_(std::move(order)),
        offsets_(component.size, kNowhere),
        taken_(component.most_stretches()),
        spread_(taken_.size()) {
    kept_order_.reserve(component.size);
    kept_.reserve(component.size);
    best_.reserve(component.size);
  }

  [[nodiscard]] const Component& component() const noexcept {
    return *component_;
  }
  /// The height of the lowest placement so far, in units; kFar if there is none.
  [[nodiscard]] std::int64_t lowest() const noexcept { return lowest_; }
  /// The offsets of that placement.
  [[nodiscard]] const List<std::int64_t>& offsets() const noexcept {
    return best_;
  }
  [[nodiscard]] std::size_t bytes() const noexcept {
    return bytes_of(order_, offsets_, kept_order_, kept_, best_, taken_) +
           spread_.bytes();
  }

  /// Places one more body. Returns how many short steps would take as long.
  [[nodiscard]] std::int64_t step() {
    const Index x = order_[next_];
    const View<const Forbidden> taken = taken_from(x);
    const std::int64_t at = lowest_offset(taken, x);
    std::size_t looks = taken.size();
    const bool fits = at != kNowhere && at + component_->extent[x] <= most_;
    if (fits) {
      offsets_[x] = at;
      height_ = (std::max)(height_, at + component_->extent[x]);
      ++next_;
    }
    if (!fits || next_ == component_->size) {
      end_pass();
      looks += component_->size;
    }
    return 1 + static_cast<std::int64_t>(looks / kLooksAStep);
  }

 private:
  static constexpr std::int64_t kNowhere = -1;
  /// Bodies that are in the way, or are copied between two passes, in a short step.
  static constexpr std::size_t kLooksAStep = 64;
  /// How much higher a placement may be that stays: by one part of so many, once in so
  /// many times.
  static constexpr std::int64_t kPartHigher = 512;
  static constexpr std::uint32_t kSeldom = 8;
  /// Bodies that are changed for a pass, at most; and of how many the highest comes
  /// earlier.
  static constexpr std::uint32_t kMostChanges = 3;
  static constexpr int kDrawn = 12;

  /// Whether to keep the order of a pass that has placed all.
  [[nodiscard]] bool is_kept() {
    return next_ == component_->size &&
           (height_ <= kept_height_ || random_.below(kSeldom) == 0);
  }

  /// Keeps the order or goes back to the one that is kept, and changes that.
  void end_pass() {
    if (is_kept()) {
      kept_order_.assign(order_.begin(), order_.end());
      kept_.assign(offsets_.begin(), offsets_.end());
      kept_height_ = height_;
      if (height_ < lowest_) {
        lowest_ = height_;
        best_.assign(offsets_.begin(), offsets_.end());
      }
    } else if (!kept_.empty()) {
      order_.assign(kept_order_.begin(), kept_order_.end());
      offsets_.assign(kept_.begin(), kept_.end());
    }
    Index first = kept_.empty() ? 0 : component_->size - 1;
    for (std::uint32_t k = random_.below(kMostChanges) + 1; k > 0; --k)
      first = (std::min)(first, change_order());
    begin_pass(first);
  }

  /// From a position of the order on.
  void begin_pass(Index first) {
    next_ = first;
    height_ = 0;
    for (Index k = 0; k < component_->size; ++k) {
      const Index x = order_[k];
      if (k < first)
        height_ = (std::max)(height_, offsets_[x] + component_->extent[x]);
      else
        offsets_[x] = kNowhere;
    }
    most_ =
        kept_height_ == kFar ? kFar : kept_height_ + kept_height_ / kPartHigher;
  }

  /// Moves a body to another position; returns the first one that has another body now.
  Index change_order() {
    const Index n = component_->size;
    Index from = random_.below(n);
    if (random_.below(2) == 0)
      for (int k = 1; k < kDrawn; ++k) {
        const Index other = random_.below(n);
        if (end_of(order_[other]) > end_of(order_[from])) from = other;
      }
    const Index to =
        random_.below(4) != 0 ? random_.below(from + 1) : random_.below(n);
    const Index x = order_[from];
    for (; from > to; --from) order_[from] = order_[from - 1];
    for (Index k = from; k < to; ++k) order_[k] = order_[k + 1];
    order_[to] = x;
    return (std::min)(from, to);
  }
  [[nodiscard]] std::int64_t end_of(Index x) const {
    return offsets_[x] + component_->extent[x];
  }

  /// The lowest offset that is left for x; kNowhere if there is none.
  [[nodiscard]] std::int64_t lowest_offset(View<const Forbidden> taken,
                                           Index x) const {
    const Forbidden* next = taken.begin();
    std::int64_t at = 0;
    for (const Range& range : component_->ranges[x]) {
      at = (std::max)(at, range.lower);
      next = skip_taken(next, taken.end(), component_->steps[x], at);
      if (at <= range.upper) return at;
    }
    return kNowhere;
  }

  /// What placed bodies take from x, by lower ends.
  [[nodiscard]] View<const Forbidden> taken_from(Index x) {
    const Forbidden* const forbidden = component_->forbidden.data();
    Forbidden* end = taken_.data();
    // About half of them have a place, in no pattern: a branch would cost more than to
    // write what the next one writes over.
    for (const Relation& relation : component_->relations[x]) {
      const std::int64_t at = offsets_[relation.body];
      for (Index f = relation.forbidden_begin; f < relation.forbidden_end;
           ++f) {
        *end = moved(negated(forbidden[f]), at);
        end += at == kNowhere ? 0 : 1;
      }
    }
    // Those that begin below all addresses come first, in any order.
    spread_.sort(taken_.begin(), end, [](const Forbidden& one) {
      return (std::max)(one.lower, std::int64_t{-1});
    });
    return {taken_.begin(), end};
  }

  const Component* component_;
  Random random_;
  List<Index> order_;
  List<std::int64_t> offsets_;  ///< of this pass; kNowhere for those to come
  Index next_ = 0;              ///< the position of the body that comes next
  std::int64_t height_ = 0;     ///< of those that are placed
  std::int64_t most_ = kFar;    ///< a pass that is higher is of no use
  List<Index> kept_order_{};    ///< the last one that stayed
  List<std::int64_t> kept_{};   ///< its offsets, none at first
  std::int64_t kept_height_ = kFar;
  List<std::int64_t> best_{};
  std::int64_t lowest_ = kFar;
  List<Forbidden> taken_;  ///< scratch of taken_from()
  SpreadSort<Forbidden> spread_;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_BODIES_ORDER_WALK_HPP
