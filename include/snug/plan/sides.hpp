// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// solve() and minimize() of a problem some of whose components are plain, and some
/// are not (normal/plain_components.hpp), or pure and not, or through one of which
/// some last (normal/lasting.hpp): each side for itself, and put together.
///
///     the smaller one   for a few nodes a buffer, which is mostly all that it takes
///     the larger one    with all that is left, down to the height of the smaller one,
///                       or what is proved; with half of it if that has no placement
///     what is open      begun again, the higher one first, with half of what is left,
///                       then with all, as long as both come down in turns
///
/// A side is settled once it has a placement that is low enough: of solve(), any; of
/// minimize(), one that is not above what is proved of the whole. While the other side
/// is settled, what is found of one is true of the whole, and so are its progress
/// reports. Otherwise they say no more than what both sides have proved.
#ifndef SNUG_PLAN_SIDES_HPP
#define SNUG_PLAN_SIDES_HPP

#include "snug/config.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/flat_subset.hpp"
#include "snug/normal/lasting.hpp"
#include "snug/normal/plain.hpp"
#include "snug/normal/plain_components.hpp"
#include "snug/normal/presolve.hpp"
#include "snug/plan/above_ground.hpp"
#include "snug/plan/call.hpp"
#include "snug/plan/presolved.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"
#include "snug/support/memory.hpp"
#include "snug/support/outcome.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// The two sides of a problem, and what is found of each.
template <class M, Wanted kWanted>
class Sides {
 public:
  /// None, if all components are alike, or one alone. The problem outlives them.
  Sides(const Flat& flat, std::int64_t ceiling, Call& call)
      : flat_(&flat), call_(&call) {
    using What = PlainComponents::What;
    divide(What::kLasting, ceiling);
    is_lasting_ = !empty();
    const bool is_plain = searched_ground<M>(flat).has_value();
    if (!is_lasting_ && !(is_plain && flat.apart.empty()))
      divide(is_plain ? What::kPure : What::kPlain, ceiling);
  }
  Sides(const Sides&) = delete;
  Sides& operator=(const Sides&) = delete;

  [[nodiscard]] bool empty() const noexcept { return !others_; }
  /// Whether they are divided by who lasts, so that others may last through one of them.
  [[nodiscard]] bool is_lasting() const noexcept { return is_lasting_; }

  /// Places both as place(flat, ceiling, call, found) places one, from the placement
  /// in `found`, if there is one.
  template <class Place>
  [[nodiscard]] Outcome run(Found& found, const Place& place) {
    const Outcome stopped = when_stopped(kWanted, found);
    if (call_->gave_up()) return stopped;
    bound_ =
        (std::max)({found.bound, chosen_->found.bound, others_->found.bound});
    for (Side* const side : {&*chosen_, &*others_}) {
      if (found.offsets.empty()) break;
      for (const Index i : side->members)
        side->found.offsets.push_back(found.offsets[i]);
      side->outcome = stopped;
    }
    take_turns(place);
    found.bound = bound_;
    for (const Side* const side : {&*chosen_, &*others_})
      if (side->outcome == Outcome::kRefuted) {
        found.core = side->core();
        return Outcome::kRefuted;
      }
    if (!chosen_->is_placed() || !others_->is_placed()) return stopped;
    found.offsets.resize(flat_->buffers.size(), 0);
    for (const Side* const side : {&*chosen_, &*others_})
      for (Index k = 0; k < side->members.size(); ++k)
        found.offsets[side->members[k]] = side->found.offsets[k];
    return Outcome::kPlacedAll;
  }

 private:
  void divide(PlainComponents::What what, std::int64_t ceiling) {
    const PlainComponents components(*flat_, what);
    const Interrupt interrupt = call_->interrupt();
    if (interrupt.after(flat_->buffers.size()) || !components.divide()) return;
    const bool is_lasting = what == PlainComponents::What::kLasting;
    List<Index> members = components.chosen();
    Flat chosen = is_lasting
                      ? subset_of(*flat_, members)
                      : PlainComponents::subset_of_plain(*flat_, members);
    if (interrupt.after(chosen.buffers.size())) return;
    std::int64_t below = presolve(chosen, ceiling);
    // Without a stack of its own it need not stand alone.
    if (is_lasting ? LastingStack(chosen).is_small()
                   : !searched_ground<M>(chosen))
      return;
    chosen_.emplace(std::move(chosen), std::move(members), below, *call_);
    members = components.others();
    Flat others = subset_of(*flat_, members);
    below = presolve(others, ceiling);
    others_.emplace(std::move(others), std::move(members), below, *call_);
  }

  struct Side {
    Side(Flat&& problem, List<Index>&& of, std::int64_t most, Call& call)
        : flat(std::move(problem)),
          members(std::move(of)),
          ceiling(most),
          held(call, flat.bytes() + bytes_of(members)) {
      found.bound = quick_bound<M>(flat, call);
    }

    [[nodiscard]] bool is_placed() const noexcept {
      return outcome == Outcome::kPlacedAll;
    }
    /// Of its placement; without one it is as high as can be.
    [[nodiscard]] std::int64_t height() const {
      return is_placed() ? height_of(flat.buffers, found.offsets)
                         : (std::numeric_limits<std::int64_t>::max)();
    }
    /// What refutes it, of the whole problem.
    [[nodiscard]] List<Index> core() const {
      if (found.core.empty()) return members;
      List<Index> result;
      for (const Index k : found.core) result.push_back(members[k]);
      return result;
    }

    Flat flat;
    List<Index> members;  ///< ascending
    std::int64_t ceiling;
    Held held;
    Found found{};
    Outcome outcome = Outcome::kOpen;
    bool is_stuck = false;  ///< it stopped by itself: another turn is of no use
  };

  template <class Place>
  void take_turns(const Place& place) {
    Side* first = &*chosen_;
    Side* second = &*others_;
    if (first->flat.buffers.size() > second->flat.buffers.size())
      std::swap(first, second);
    // What cannot fit is soon refuted.
    if (second->found.bound > second->ceiling) std::swap(first, second);
    take_turn(*first,
              (std::min)(half_of_nodes(), nodes_of_similar(first->flat) / 8),
              place);
    if (first->outcome == Outcome::kRefuted) return;
    take_turn(*second, first->is_placed() ? kNoNodeLimit : half_of_nodes(),
              place);
    for (bool is_first = true; !is_over(); is_first = false) {
      if (!is_open(*first) ||
          (is_open(*second) && second->height() > first->height()))
        std::swap(first, second);
      if (!is_open(*first)) return;
      take_turn(*first,
                is_first && is_open(*second) ? half_of_nodes() : kNoNodeLimit,
                place);
    }
  }

  [[nodiscard]] bool is_over() const {
    return chosen_->outcome == Outcome::kRefuted ||
           others_->outcome == Outcome::kRefuted || call_->is_stopped();
  }
  /// Whether nothing lower than its placement is of use to the whole.
  [[nodiscard]] bool is_settled(const Side& side) const {
    return side.is_placed() &&
           (kWanted == Wanted::kAny || side.height() <= bound_);
  }
  [[nodiscard]] bool is_open(const Side& side) const {
    return !is_settled(side) && !side.is_stuck;
  }

  [[nodiscard]] std::int64_t half_of_nodes() const noexcept {
    return (call_->options().node_limit - call_->stats().nodes) / 2;
  }

  /// Places one of them in so many nodes. It never loses a placement that it had.
  template <class Place>
  void take_turn(Side& side, std::int64_t nodes, const Place& place) {
    const Side& other = &side == &*chosen_ ? *others_ : *chosen_;
    // For now, nothing lower than the other one is of use, if that is lower. One that
    // is as high may be so because nothing lower was.
    std::int64_t target = bound_;
    if (kWanted == Wanted::kLowest) {
      if (other.is_placed() && other.height() < side.height())
        target = (std::max)(target, other.height());
      if (target <= side.ceiling) side.found.bound = target;
    }
    Found found = side.found;
    const bool is_alone =
        nodes == kNoNodeLimit && is_settled(other) && !call_->is_stopped();
    std::optional<Share> share;
    if (!is_alone) share.emplace(*call_, nodes);
    Call& call = is_alone ? *call_ : share->call();
    const Outcome outcome = place(Flat(side.flat), side.ceiling, call, found);
    enter(side, outcome, std::move(found));
    const bool is_stopped = call.is_stopped();
    if (is_alone) call_->limits().set_ground(0);
    if (call.limits().leaves_out()) call_->limits().leave_out();
    share.reset();
    side.is_stuck = !is_stopped && side.height() > target;
    call_->note_bound(bound_);
    if (kWanted == Wanted::kLowest && chosen_->is_placed() &&
        others_->is_placed())
      call_->limits().note_height(
          (std::max)(chosen_->height(), others_->height()));
  }
  void enter(Side& side, Outcome outcome, Found&& found) {
    // Of the bound that it was given, nothing is proved.
    if (found.bound > side.found.bound || found.bound <= bound_)
      bound_ = (std::max)(bound_, found.bound);
    if (outcome == Outcome::kRefuted) side.found.core = std::move(found.core);
    if (outcome == Outcome::kPlacedAll &&
        (!side.is_placed() ||
         height_of(side.flat.buffers, found.offsets) < side.height()))
      side.found.offsets = std::move(found.offsets);
    if (outcome != Outcome::kOpen) side.outcome = outcome;
  }

  const Flat* flat_;
  Call* call_;
  std::optional<Side> chosen_{};
  std::optional<Side> others_{};
  bool is_lasting_ = false;
  std::int64_t bound_ = 0;  ///< no placement of the whole is lower
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAN_SIDES_HPP
