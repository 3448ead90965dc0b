// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// solve() and minimize() of a problem some of whose components are plain, and some
/// are not (normal/plain_components.hpp), or pure and not: each side for itself, and
/// put together.
///
///     the lower one    by a bound that is soon known: with half of the nodes and of
///                      the time. Any height up to the bound of the other one will do
///     the other one    with all that is left, if the first one is settled, or half
///     what is open     once more, as long as anything is left: the higher one first
///
/// While the lower side is not above the bound of the other one, what is found of that
/// is true of the whole, and so are its progress reports. Otherwise they say no more
/// than what both sides have proved.
#ifndef SNUG_PLAN_PLACE_COMPONENTS_HPP
#define SNUG_PLAN_PLACE_COMPONENTS_HPP

#include "snug/config.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/flat_subset.hpp"
#include "snug/normal/plain.hpp"
#include "snug/normal/plain_components.hpp"
#include "snug/normal/presolve.hpp"
#include "snug/plan/call.hpp"
#include "snug/plan/from_ground.hpp"
#include "snug/plan/presolved.hpp"
#include "snug/support/list.hpp"
#include "snug/support/memory.hpp"
#include "snug/support/outcome.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// The two sides of a problem, and what is found of each.
template <class M, Wanted kWanted>
class Sides {
 public:
  /// None, if all components are alike. The problem outlives them.
  Sides(const Flat& flat, std::int64_t ceiling, Call& call)
      : flat_(&flat), call_(&call) {
    const bool is_plain = searched_ground<M>(flat).has_value();
    if (is_plain && flat.apart.empty()) return;
    using What = PlainComponents::What;
    const PlainComponents components(flat,
                                     is_plain ? What::kPure : What::kPlain);
    if (!components.divide()) return;
    List<Index> members = components.plain();
    Flat plain = PlainComponents::subset_of_plain(flat, members);
    std::int64_t below = ceiling;
    presolve(plain, below);
    if (!searched_ground<M>(plain)) return;
    low_.emplace(std::move(plain), std::move(members), below, call);
    members = components.others();
    Flat others = subset_of(flat, members);
    below = ceiling;
    presolve(others, below);
    high_.emplace(std::move(others), std::move(members), below, call);
  }
  Sides(const Sides&) = delete;
  Sides& operator=(const Sides&) = delete;

  [[nodiscard]] bool empty() const noexcept { return !high_; }

  /// Places both as place(flat, ceiling, call, found) places one, from the placement
  /// in `found`, if there is one.
  template <class Place>
  [[nodiscard]] Outcome run(Found& found, const Place& place) {
    // The lowest one known, if not the lowest of all.
    const Outcome stopped = kWanted == Wanted::kLowest && !found.offsets.empty()
                                ? Outcome::kPlacedAll
                                : Outcome::kStopped;
    if (call_->gave_up()) return stopped;
    bound_ = (std::max)({found.bound, low_->found.bound, high_->found.bound});
    for (Side* const side : {&*low_, &*high_})
      for (const Index i : side->members)
        if (!found.offsets.empty())
          side->found.offsets.push_back(found.offsets[i]);
    take_turns(place);
    found.bound = bound_;
    for (const Side* const side : {&*low_, &*high_})
      if (side->outcome == Outcome::kRefuted) {
        found.core = side->core();
        return Outcome::kRefuted;
      }
    if (!are_placed()) return stopped;
    found.offsets.resize(flat_->buffers.size(), 0);
    for (const Side* const side : {&*low_, &*high_})
      for (Index k = 0; k < side->members.size(); ++k)
        found.offsets[side->members[k]] = side->found.offsets[k];
    return Outcome::kPlacedAll;
  }

 private:
  struct Side {
    Side(Flat&& problem, List<Index>&& of, std::int64_t most, Call& call)
        : flat(std::move(problem)),
          members(std::move(of)),
          ceiling(most),
          held(call, flat.bytes() + bytes_of(members)) {
      found.bound = quick_bound(flat, call);
    }

    [[nodiscard]] bool is_placed() const noexcept {
      return outcome == Outcome::kPlacedAll;
    }
    [[nodiscard]] std::int64_t height() const {
      return height_of(flat.buffers, found.offsets);
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
    Outcome outcome = Outcome::kStopped;
  };

  template <class Place>
  void take_turns(const Place& place) {
    Side* low = &*low_;
    Side* high = &*high_;
    // What cannot fit comes first, and then the lower one.
    if (low->found.bound > high->found.bound) std::swap(low, high);
    if (high->found.bound > high->ceiling) std::swap(low, high);
    take_turn(*low, half_of_nodes(), place);
    if (is_over()) return;
    if (low->is_placed() && low->height() <= bound_) {
      raise_bound(*high);
      high->outcome =
          place(Flat(high->flat), high->ceiling, *call_, high->found);
      call_->limits().set_ground(0);
      note(*high);
    } else {
      take_turn(*high, half_of_nodes(), place);
    }
    for (int k = 0; k < 2 && !is_over(); ++k) {
      // Who has no placement is as high as can be.
      if (low->is_placed() &&
          (!high->is_placed() || high->height() > low->height()))
        std::swap(low, high);
      take_turn(*low, kNoNodeLimit, place);
    }
  }

  /// Whether there is no more to do, or nothing left to do it with.
  [[nodiscard]] bool is_over() const {
    return low_->outcome == Outcome::kRefuted ||
           high_->outcome == Outcome::kRefuted || call_->is_stopped() ||
           (are_placed() &&
            (kWanted == Wanted::kAny ||
             (std::max)(low_->height(), high_->height()) <= bound_));
  }
  [[nodiscard]] bool are_placed() const noexcept {
    return low_->is_placed() && high_->is_placed();
  }

  [[nodiscard]] std::int64_t half_of_nodes() const noexcept {
    return (call_->options().node_limit - call_->stats().nodes) / 2;
  }

  /// Places one of them in so many nodes.
  template <class Place>
  void take_turn(Side& side, std::int64_t nodes, const Place& place) {
    raise_bound(side);
    Share share(*call_, nodes);
    side.outcome =
        place(Flat(side.flat), side.ceiling, share.call(), side.found);
    if (share.call().limits().leaves_out()) call_->limits().leave_out();
    note(side);
  }

  /// Nothing lower than the bound of the other one is of use.
  void raise_bound(Side& side) const {
    if (kWanted == Wanted::kLowest && bound_ <= side.ceiling)
      side.found.bound = bound_;
  }

  /// What is known of the whole after a turn.
  void note(const Side& side) {
    bound_ = (std::max)(bound_, side.found.bound);
    call_->note_bound(bound_);
    if (kWanted == Wanted::kLowest && are_placed())
      call_->limits().note_height((std::max)(low_->height(), high_->height()));
  }

  const Flat* flat_;
  Call* call_;
  std::optional<Side> low_{};
  std::optional<Side> high_{};
  std::int64_t bound_ = 0;  ///< no placement of the whole is lower
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAN_PLACE_COMPONENTS_HPP
