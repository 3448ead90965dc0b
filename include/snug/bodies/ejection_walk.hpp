// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The ejection walk: bodies are put where the least is in their way, and who is
/// in the way loses its place, until all have one.
///
///         c |====|            a goes to the address whose owners weigh least:
///           |    | <- a       here c loses its place, weighs more from now on,
///         b |====|            and looks for another one in its turn
///
/// An address of a body costs the weights of all whose places it takes. Who comes
/// next is drawn at random among those without a place, and so is the address, of
/// several that cost the least. Whoever loses a place weighs 1 more, so what is
/// hard to place stays in the end, and the walk does not go in circles.
///
/// The cost only changes where a body that is placed begins or ends to be in the
/// way, and the owner of a place may touch its neighbours: so the least cost is at
/// one of these addresses, or at an end of the body's domain.
///
///     cost   ----+      +-------+             it is least at the addresses that
///                |______|       |______       are marked: from one place to the
///                ^      ^       ^             next one it is never less
///
/// It proves nothing. It places what has room and is torn by what is fixed, where a
/// search that builds up from the bottom notices late what no longer fits above. It
/// hardly ever places what fills all of its room.
///
/// Cost: O(k) a move for a body with k relations, unless their addresses are close
/// to each other; O(relations) memory.
/// Source: the idea of weights is from Morris, "The Breakout Method for Escaping
/// from Local Minima" (AAAI 1993), that of ejections from Glover, "Ejection chains,
/// reference structures and alternating path methods" (Discrete Applied Mathematics,
/// 1996).
#ifndef SNUG_BODIES_EJECTION_WALK_HPP
#define SNUG_BODIES_EJECTION_WALK_HPP

#include "snug/bodies/component.hpp"
#include "snug/bodies/domain.hpp"
#include "snug/bodies/relations.hpp"
#include "snug/config.hpp"
#include "snug/support/list.hpp"
#include "snug/support/memory.hpp"
#include "snug/support/product.hpp"
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
class EjectionWalk {
 public:
  static constexpr std::int64_t kNowhere = -1;

  /// A walk to a placement below `capacity`, in units below kFar / 4. No body has a
  /// place yet. The component must outlive the walk.
  EjectionWalk(const Component& component, std::int64_t capacity,
               std::uint64_t seed)
      : component_(&component),
        capacity_(capacity),
        random_(seed),
        offsets_(component.size, kNowhere),
        weights_(component.size, 1),
        homeless_(numbers_below(component.size)),
        begun_(component.size),
        least_(component.size),
        changes_(2 * component.most_stretches()),
        spread_(changes_.size()) {}

  [[nodiscard]] const Component& component() const noexcept {
    return *component_;
  }
  /// Whether all bodies have a place.
  [[nodiscard]] bool is_done() const noexcept { return homeless_.empty(); }
  /// Of each body; kNowhere for those without a place.
  [[nodiscard]] const List<std::int64_t>& offsets() const noexcept {
    return offsets_;
  }
  [[nodiscard]] std::size_t bytes() const noexcept {
    return bytes_of(offsets_, weights_, homeless_, changes_) + spread_.bytes();
  }

  /// Moves so far.
  [[nodiscard]] std::int64_t moves() const noexcept { return moves_; }
  /// Whether it comes near a placement as fast as walks do that find one: one of n
  /// bodies that began with k of them without a place has no more than k / 8 such
  /// after 4 n moves, and 2.5 times fewer with each four times as many.
  [[nodiscard]] bool is_promising() const noexcept {
    // (8 least / k)^3 (moves / 4 n)^2 <= 1. A component has fewer bodies than 2^21 + 2,
    // as it has no more meetings than kMostMeetings (plan/body_components.hpp).
    const auto n = static_cast<std::uint64_t>(component_->size);
    const auto begun = static_cast<std::uint64_t>(begun_);
    const auto least = static_cast<std::uint64_t>(least_);
    const auto moves =
        static_cast<std::uint64_t>((std::min)(moves_, std::int64_t{1} << 29));
    return !(Product(begun * begun * begun, n * n) <
             Product(least * least * least, 32 * moves * moves));
  }

  /// Begins at a placement; who is above the capacity has no place.
  void start_from(List<std::int64_t> offsets) {
    offsets_ = std::move(offsets);
    homeless_.clear();
    for (Index x = 0; x < component_->size; ++x)
      if (offsets_[x] > capacity_ - component_->extent[x]) eject(x);
    least_ = begun_ = static_cast<Index>(homeless_.size());
  }

  /// Puts a body without a place somewhere. There must be one. False if the
  /// capacity leaves it no address at all.
  [[nodiscard]] bool move() {
    const std::size_t drawn =
        random_.below(static_cast<std::uint32_t>(homeless_.size()));
    const Index x = homeless_[drawn];
    const std::int64_t offset = cheapest_offset(x);
    if (offset == kNowhere) return false;
    homeless_[drawn] = homeless_.back();
    homeless_.pop_back();
    offsets_[x] = offset;
    for_each_related(x, [&](Index y, const Forbidden& taken) {
      if (taken.lower < offset && offset < taken.upper &&
          offsets_[y] != kNowhere)
        eject(y);
    });
    least_ = (std::min)(least_, static_cast<Index>(homeless_.size()));
    ++moves_;
    return true;
  }

 private:
  /// The cost is `more` more, or less, from an address on, or behind it.
  struct Change {
    std::int64_t where;  ///< twice the address; 1 more: behind it
    std::int64_t more;
  };

  void eject(Index x) {
    offsets_[x] = kNowhere;
    ++weights_[x];
    homeless_.push_back(x);
  }

  /// Calls visit(y, taken) for each stretch of addresses that a body with a place
  /// takes from x.
  template <class Visit>
  void for_each_related(Index x, Visit&& visit) const {
    const Forbidden* const forbidden = component_->forbidden.data();
    const std::int64_t* const offsets = offsets_.data();
    for (const Relation& relation : component_->relations[x]) {
      const Index y = relation.body;
      const std::int64_t at = offsets[y];
      if (at == kNowhere) continue;
      for (Index f = relation.forbidden_begin; f < relation.forbidden_end; ++f)
        visit(y, moved(negated(forbidden[f]), at));
    }
  }

  /// Lists where the cost of x changes, from that at address 0 on. Returns the
  /// end of the list.
  [[nodiscard]] const Change* list_changes(Index x) {
    const Steps& steps = component_->steps[x];
    const std::int64_t* const weights = weights_.data();
    Change* end = changes_.data();
    for_each_related(x, [&](Index y, const Forbidden& taken) {
      if (taken.lower >= 0)
        *end++ = {2 * steps.down(taken.lower) + 1, weights[y]};
      if (taken.upper <= capacity_)
        *end++ = {2 * steps.up(taken.upper), -weights[y]};
    });
    spread_.sort(changes_.begin(), end,
                 [](const Change& change) { return change.where; });
    return end;
  }

  /// An offset of x that costs the least; kNowhere if it has none.
  [[nodiscard]] std::int64_t cheapest_offset(Index x) {
    const Component& all = *component_;
    const std::int64_t highest = capacity_ - all.extent[x];
    const Change* const changes_end = list_changes(x);
    std::int64_t cost = 0;  // More than at address 0.
    std::int64_t least = kFar;
    std::int64_t cheapest = kNowhere;
    std::uint32_t as_cheap = 0;
    const Change* change = changes_.begin();
    for (const Range& range : all.ranges[x]) {
      const std::int64_t upper =
          (std::min)(range.upper, all.steps[x].down(highest));
      for (std::int64_t at = range.lower; at <= upper;) {
        for (; change != changes_end && change->where <= 2 * at; ++change)
          cost += change->more;
        if (cost < least) as_cheap = 0;
        if (cost <= least && random_.below(++as_cheap) == 0) {
          least = cost;
          cheapest = at;
        }
        for (; change != changes_end && change->where == 2 * at + 1; ++change)
          cost += change->more;
        if (at == upper) break;
        at = change != changes_end ? (std::min)(change->where / 2, upper)
                                   : upper;
      }
    }
    return cheapest;
  }

  const Component* component_;
  std::int64_t capacity_;
  Random random_;
  List<std::int64_t> offsets_;
  List<std::int64_t> weights_;
  List<Index> homeless_;  ///< the bodies without a place
  Index begun_;           ///< of them when it began
  Index least_;           ///< of them, since it aims at the capacity
  std::int64_t moves_ = 0;
  List<Change> changes_;  ///< where the cost of a body changes, in order
  SpreadSort<Change> spread_;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_BODIES_EJECTION_WALK_HPP
