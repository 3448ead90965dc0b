// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Constrained problems of many bodies, without relations and without a search of
/// the whole, which would take more than placing them:
///
///     start     a placement that is known, if it is low; else dives, first fit, relaxed
///               (plan/body_start.hpp)
///     crest     the bodies of the highest levels (bodies/body_loads.hpp), those
///               that are live where memory is full: placed for themselves with
///               their constraints, by a search; then first fit of the others
///               around them, from where they are in the best placement and from
///               scratch
///     ...       the same and who does not fit around it, if these are few, else a crest
///               of twice as many, until one is too hard; then more nodes, or a search
///               of the whole (plan/place_presolved.hpp), if the start ended far too high
///               and it is not too much for one. Crests are for both models together
///
///     load          _____              1: the crest alone, searched
///             _____|     |___          2: the others, around it: there is room
///        ____|_____|crest|___|___         for them, as their sections need less
///
/// A placement of the whole is one of the crest, too, so what is proved of the crest
/// holds: if it does not fit, nor does the whole, and its bound is one of both.
///
/// Cost: that of its parts; O(p) memory for p slabs.
#ifndef SNUG_PLAN_LARGE_BODIES_HPP
#define SNUG_PLAN_LARGE_BODIES_HPP

#include "snug/bodies/bodies.hpp"
#include "snug/bodies/body_fit.hpp"
#include "snug/bodies/body_loads.hpp"
#include "snug/config.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/flat_subset.hpp"
#include "snug/peak/levels.hpp"
#include "snug/peak/place_large.hpp"
#include "snug/plan/body_components.hpp"
#include "snug/plan/body_start.hpp"
#include "snug/plan/call.hpp"
#include "snug/plan/models.hpp"
#include "snug/support/list.hpp"
#include "snug/support/outcome.hpp"
#include "snug/support/spread_sort.hpp"

#include <algorithm>
#include <cstdint>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// Whether a problem has many buffers that are not fixed.
[[nodiscard]] inline bool has_many_free(const Flat& flat) {
  if (flat.buffers.size() <= kLarge) return false;
  Index free = 0;
  for (Index i = 0; i < flat.buffers.size(); ++i)
    if (!flat.is_fixed(i)) ++free;
  return free > kLarge;
}

template <class M>
class LargeBodies {
 public:
  /// Placements above `ceiling` bytes are of no use. Of no use itself if the call
  /// gave up.
  LargeBodies(const Flat& flat, std::int64_t ceiling, Wanted wanted, Call& call)
      : flat_(&flat),
        wanted_(wanted),
        call_(&call),
        start_(flat, ceiling, wanted, call) {}

  /// No placement is lower; bytes.
  [[nodiscard]] std::int64_t bound() const noexcept { return start_.bound(); }
  /// Whether there is a placement, and none better is wanted.
  [[nodiscard]] bool is_done() const noexcept { return start_.is_done(); }
  /// Bytes, by buffer; none if nothing was found.
  [[nodiscard]] List<std::int64_t> offsets() const { return start_.offsets(); }

  /// Begins with a placement, or none. Whether that is low enough without relax().
  [[nodiscard]] bool begin(const List<std::int64_t>& offsets) {
    return start_.begin(offsets);
  }
  /// The steps before the crests.
  void relax() { start_.relax(); }

  /// The crests; as long as they are easy, if the whole is to be searched then.
  /// place_crest(crest, ceiling, call, found) places a problem: `found` is the best
  /// placement known, or none. kRefuted: there is none of the whole.
  template <class PlaceCrest>
  [[nodiscard]] Outcome place_crests(
      [[maybe_unused]] PlaceCrest&& place_crest) {
    if constexpr (M::kBoth)
      if (start_.goes_on() && widen(place_crest) == Outcome::kRefuted)
        return Outcome::kRefuted;
    return is_done() ? Outcome::kPlacedAll : Outcome::kOpen;
  }

 private:
  /// Bodies in a crest that is searched.
  static constexpr Index kMostSearched = 2048;

  [[nodiscard]] const Bodies& bodies() const noexcept {
    return start_.bodies();
  }

  /// Places crests, from the smallest one on, until nothing better is wanted.
  template <class PlaceCrest>
  [[nodiscard]] Outcome widen(PlaceCrest&& place_crest) {
    constexpr std::int64_t kFirstEffort = 64;  // nodes a body
    constexpr std::int64_t kMostEffort = 4096;
    const bool is_brief = is_for_search();
    // Any placement of the whole has one of the crest in it. Where one is to be found,
    // time that is kept from a crest goes to the same one from scratch.
    const auto time =
        wanted_ == Wanted::kAny ? Share::Time::kAll : Share::Time::kHalf;
    rank_by_level();
    Index size = levels_.crest(1);
    for (std::int64_t effort = kFirstEffort; effort <= kMostEffort;) {
      if (is_done() || size == 0 || call_->must_stop()) break;
      std::int64_t height = kFar;
      const Outcome outcome =
          step(size, effort * size, time, place_crest, height);
      if (outcome == Outcome::kRefuted) return outcome;
      if (is_brief && (height >= start_.height() || is_hard(height))) break;
      if (height < start_.height()) {
        // The crest is lower than what is around it.
        if (size == by_level_.size()) break;
        size = larger(size);
      } else {
        effort *= 8;
      }
    }
    return Outcome::kOpen;
  }

  /// Whether all that came of the start is so high that what is placed around a crest
  /// may be, too, and there is memory to search the whole instead, and time for more
  /// than its relations.
  [[nodiscard]] bool is_for_search() const {
    constexpr std::int64_t kFarOff = 4;
    if (!start_.is_placed() ||
        start_.height() - start_.target() <= start_.target() / kFarOff)
      return false;
    const std::int64_t meetings = count_meetings(bodies());
    return meetings <= BodyComponents::meetings_in_memory(*call_) &&
           meetings <= BodyComponents::meetings_in_time(*call_) / 4;
  }

  /// Whether a crest is not known to be as low as can be, where that is wanted.
  [[nodiscard]] bool is_hard(std::int64_t crest_height) const noexcept {
    return wanted_ == Wanted::kLowest && crest_height > start_.lowest();
  }

  /// Lists the free bodies, those of the highest levels first.
  void rank_by_level() {
    level_ = highest_of_bodies(bodies(), start_.loads().levels());
    List<Keyed> ranked;
    for (Index b = 0; b < level_.size(); ++b)
      if (!start_.is_fixed(b) && level_[b] > 0)
        ranked.push_back({-level_[b], b});
    sort_keyed(ranked);
    for (const Keyed& one : ranked) by_level_.push_back(one.index);
    levels_ = {level_.data(), by_level_.data(),
               static_cast<Index>(by_level_.size())};
  }

  /// The next crest: one and the misfits, or the one after it.
  [[nodiscard]] Index larger(Index size) {
    if (misfits_.empty()) return levels_.crest_after(size);
    for (const Index b : misfits_) levels_.promote(b, size++);
    return size;
  }

  /// Places a crest, and the others around it. Tells the height of the crest.
  template <class PlaceCrest>
  [[nodiscard]] Outcome step(Index size, std::int64_t nodes, Share::Time time,
                             PlaceCrest&& place_crest, std::int64_t& height) {
    List<std::uint8_t> is_in(bodies().bodies.size(), 0);
    for (Index b = 0; b < is_in.size(); ++b)
      is_in[b] = start_.is_fixed(b) ? 1 : 0;
    for (Index k = 0; k < size; ++k) is_in[by_level_[k]] = 1;
    List<Index> members;
    for (Index i = 0; i < bodies().body_of.size(); ++i)
      if (is_in[bodies().body_of[i]] != 0) members.push_back(i);
    const Flat crest = subset_of(*flat_, members);
    const Held held(*call_, crest.bytes());
    Found found;
    const std::int64_t below = (start_.height() - 1) * bodies().unit;
    {
      Share share(*call_);
      const Turn turn(share, nodes, time);
      BodyStart<M> inner(crest, below, wanted_, share.call());
      if (share.call().gave_up()) return Outcome::kOpen;
      start_.raise_bound(inner.bound());
      inner.relax(kMaxTotal);  // In a crest hardly anybody can go elsewhere.
      found.offsets = inner.offsets();
      if (!inner.is_done() && size <= kMostSearched) {
        const Outcome outcome = place_crest(crest, below, share.call(), found);
        start_.raise_bound(found.bound);
        if (outcome == Outcome::kRefuted && !start_.is_placed()) return outcome;
        // Nothing is lower than the best placement.
        if (outcome == Outcome::kRefuted)
          start_.raise_bound(start_.height() * bodies().unit);
      }
    }
    if (!found.offsets.empty()) height = place_others(members, found.offsets);
    return Outcome::kOpen;
  }

  /// Places the others around a crest, the free ones of `members`, that is where `at`
  /// says. Returns its height.
  std::int64_t place_others(const List<Index>& members,
                            const List<std::int64_t>& at) {
    List<std::int64_t> offsets = start_.best();
    offsets.resize(bodies().bodies.size(), 0);
    List<Keep> keep(offsets.size(),
                    start_.is_placed() ? Keep::kUnlessTaken : Keep::kNo);
    std::int64_t height = start_.lowest();
    for (Index k = 0; k < members.size(); ++k) {
      const Index b = bodies().body_of[members[k]];
      keep[b] = Keep::kYes;
      offsets[b] = bodies().body_at(members[k], at[k]);
      height = (std::max)(height, offsets[b] + bodies().bodies[b].extent);
    }
    const auto may_help = [&] {
      return !is_done() && height < start_.height() && !call_->must_stop();
    };
    const bool has_best = start_.is_placed();
    List<Keep> crest = keep;
    for (Keep& one : crest)
      if (one == Keep::kUnlessTaken) one = Keep::kNo;
    misfits_.clear();
    const std::int64_t goal = (std::max)(height, start_.target());
    const auto by_extent = BodyFit::Order::kExtent;
    if (may_help())
      start_.template fit<true>(by_extent, goal, crest, offsets, &misfits_);
    // Who is always in a gap has no level, and is in no crest.
    erase_if(misfits_, [&](Index b) { return level_[b] == 0; });
    if (has_best && may_help())
      start_.fit(by_extent, start_.height() - 1, keep, offsets);
    if (!misfits_.empty() && has_best) return height;
    if (goal < start_.height() - 1 && may_help())
      start_.fit(by_extent, start_.height() - 1, crest, offsets);
    if (may_help())
      start_.fit(BodyFit::Order::kArea, start_.height() - 1, crest, offsets);
    return height;
  }

  const Flat* flat_;
  Wanted wanted_;
  Call* call_;
  BodyStart<M> start_;
  List<std::int64_t> level_{};  ///< of each body
  List<Index> by_level_{};      ///< free bodies
  IfBoth<M, Levels> levels_{};  ///< of the two
  List<Index> misfits_{};       ///< around the last crest
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAN_LARGE_BODIES_HPP
