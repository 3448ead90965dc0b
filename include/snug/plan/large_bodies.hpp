// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Constrained problems of many bodies, without relations and without a search of
/// the whole, which would take more than placing them. Before the crests it is where
/// a search of fewer begins as well:
///
///     dive      of bodies (bodies/body_dive.hpp), if something is fixed, reserved or
///               belongs to an end; more of them if nothing else is in the way
///     relaxed   placed without constraints (plan/plain_start.hpp); what meets nobody
///               stays there, first fit of the others (bodies/body_fit.hpp)
///     dives     if that is far too high: of all bodies, in other orders; first fit if
///               some may overlap or nothing else was found
///     crest     the bodies of the highest levels (bodies/body_loads.hpp), those
///               that are live where memory is full: placed for themselves with
///               their constraints, by a search; then first fit of the others
///               around them, from where they are in the best placement and from
///               scratch
///     ...       the same and who does not fit around it, if these are few, else a crest
///               of twice as many, until one is too hard; then more nodes, or a search
///               of the whole (plan/place_presolved.hpp), if relax() ended far too high
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
#include "snug/bodies/body_dive.hpp"
#include "snug/bodies/body_fit.hpp"
#include "snug/bodies/body_loads.hpp"
#include "snug/bodies/body_orders.hpp"
#include "snug/bodies/domain.hpp"
#include "snug/config.hpp"
#include "snug/model/reason.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/flat_subset.hpp"
#include "snug/plan/body_components.hpp"
#include "snug/plan/call.hpp"
#include "snug/plan/plain_start.hpp"
#include "snug/support/list.hpp"
#include "snug/support/memory.hpp"
#include "snug/support/outcome.hpp"
#include "snug/support/sort_in_parts.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

SNUG_BEGIN_NAMESPACE
namespace detail {

template <class M>
class LargeBodies {
 public:
  /// Placements above `ceiling` bytes are of no use. Of no use itself if the call
  /// gave up.
  LargeBodies(const Flat& flat, std::int64_t ceiling, Wanted wanted, Call& call)
      : flat_(&flat),
        ceiling_((std::min)(ceiling, kMaxTotal)),
        wanted_(wanted),
        call_(&call),
        bodies_(build_bodies(flat, call, CliqueScope::kNone)),
        loads_(bodies_, call.interrupt()),
        bound_(loads_.bound()),
        height_(ceiling_ / bodies_.unit + 1),
        held_(call, bodies_.bytes() + loads_.bytes() +
                        3 * bodies_.bodies.size() * sizeof(std::int64_t)) {}

  /// No placement is lower; bytes.
  [[nodiscard]] std::int64_t bound() const noexcept {
    return bound_ * bodies_.unit;
  }
  /// Whether there is a placement.
  [[nodiscard]] bool is_placed() const noexcept { return !offsets_.empty(); }
  /// Whether there is one, and none better is wanted.
  [[nodiscard]] bool is_done() const noexcept {
    return height_ <= target() && is_placed();
  }
  /// Bytes, by buffer; none if nothing was found.
  [[nodiscard]] List<std::int64_t> offsets() const {
    List<std::int64_t> result;
    if (!offsets_.empty()) bodies_.write_offsets(offsets_, result);
    return result;
  }

  /// The steps before the crests; the last one only if the height is above the target
  /// by more than its `closeness`-th part.
  void relax(std::int64_t closeness = kCloseness) {
    const bool has_obstacles =
        !flat_->fixed.empty() || !flat_->reserved.empty();
    // With these, first fit from the relaxed placement takes longer than a dive.
    const bool is_unlike = has_obstacles || !flat_->ends.empty();
    std::size_t dives = is_unlike || !M::kBoth ? 1 : 0;
    if (has_obstacles && is_tight(*flat_) && flat_->root.empty() &&
        flat_->ends.empty())
      dives = std::size(kBodyOrders);
    for (std::size_t k = 0; k < dives && goes_on(); ++k) dive(kBodyOrders[k]);
    if constexpr (M::kBoth)
      if (goes_on())
        keep_relaxed(place_relaxed<M>(*flat_, ceiling_, wanted_, *call_));
    const auto is_far = [&] {
      return goes_on() &&
             (offsets_.empty() || height_ - target() > target() / closeness);
    };
    for (std::size_t k = dives; k < std::size(kBodyOrders) && is_far(); ++k)
      dive(kBodyOrders[k]);
    if constexpr (M::kBoth) {
      if (!offsets_.empty() && flat_->may_overlap.empty()) return;
      const List<Keep> keep(bodies_.bodies.size(), Keep::kNo);
      for (const auto order : {BodyFit::Order::kExtent, BodyFit::Order::kArea})
        if (is_far()) fit(order, height_ - 1, keep, bodies_.fixed_offsets());
    }
  }

  /// The crests; as long as they are easy, if the whole is to be searched then.
  /// place_crest(crest, ceiling, call, found) places a problem: `found` is the best
  /// placement known, or none. kRefuted: there is none of the whole.
  template <class PlaceCrest>
  [[nodiscard]] Outcome place_crests(PlaceCrest&& place_crest) {
    if (!M::kBoth || !goes_on())
      return is_done() ? Outcome::kPlacedAll : Outcome::kStopped;
    constexpr std::int64_t kFirstEffort = 64;  // nodes a body
    constexpr std::int64_t kMostEffort = 4096;
    const bool is_brief = is_for_search();
    // Any placement of the whole has one of the crest in it. Where one is to be found,
    // time that is kept from a crest goes to the same one from scratch.
    const auto time =
        wanted_ == Wanted::kAny ? Share::Time::kAll : Share::Time::kHalf;
    rank_by_level();
    Index size = crest(1);
    for (std::int64_t effort = kFirstEffort; effort <= kMostEffort;) {
      if (is_done() || size == 0 || call_->must_stop()) break;
      std::int64_t height = kFar;
      const Outcome outcome =
          step(size, effort * size, time, place_crest, height);
      if (outcome == Outcome::kRefuted) return outcome;
      if (is_brief && (height >= height_ || is_hard(height))) break;
      if (height < height_) {
        // The crest is lower than what is around it.
        if (size == by_level_.size()) break;
        size = larger(size);
      } else {
        effort *= 8;
      }
    }
    return is_done() ? Outcome::kPlacedAll : Outcome::kStopped;
  }

 private:
  /// Bodies in a crest that is searched.
  static constexpr Index kMostSearched = 2048;
  static constexpr std::int64_t kCloseness = 128;

  [[nodiscard]] bool is_fixed(Index b) const noexcept {
    return bodies_.bodies[b].is_fixed();
  }
  /// In units, as all heights below.
  [[nodiscard]] std::int64_t target() const noexcept {
    return wanted_ == Wanted::kLowest ? bound_ : ceiling_ / bodies_.unit;
  }

  /// Whether all that came of relax() is so high that what is placed around a crest
  /// may be, too, and there is memory to search the whole instead, and time for more
  /// than its relations.
  [[nodiscard]] bool is_for_search() const {
    constexpr std::int64_t kFarOff = 4;
    if (!M::kBoth || offsets_.empty() ||
        height_ - target() <= target() / kFarOff)
      return false;
    const std::int64_t meetings = count_meetings(bodies_);
    return meetings <= BodyComponents::meetings_in_memory(*call_) &&
           meetings <= BodyComponents::meetings_in_time(*call_) / 4;
  }

  /// Whether a crest is not known to be as low as can be, where that is wanted.
  [[nodiscard]] bool is_hard(std::int64_t crest_height) const noexcept {
    return wanted_ == Wanted::kLowest && crest_height > bound_;
  }

  [[nodiscard]] bool goes_on() { return !is_done() && !call_->must_stop(); }

  /// A dive; takes the placement if it is better than the best.
  void dive(std::string_view order) {
    const Interrupt interrupt = call_->interrupt();
    const List<Index> preferred = sort_bodies(bodies_, order, interrupt);
    BodyDive dive(bodies_, interrupt);
    if (call_->gave_up()) return;
    List<std::int64_t> offsets = bodies_.fixed_offsets();
    const bool fits =
        dive.run(preferred, height_ - 1, offsets, call_->stopper());
    call_->count_bytes(dive.bytes() + bytes_of(offsets, preferred));
    if (fits) take(std::move(offsets));
  }

  /// Places all, from where they are in a relaxed placement.
  void keep_relaxed(const List<std::int64_t>& at) {
    if (call_->gave_up()) return;
    List<std::int64_t> offsets = bodies_.fixed_offsets();
    List<Keep> keep(offsets.size(), Keep::kNo);
    for (Index i = 0; i < at.size(); ++i)
      keep_relaxed(i, at[i] + flat_->base, keep, offsets);
    mark_constrained(keep);
    fit(BodyFit::Order::kExtent, height_ - 1, keep, std::move(offsets));
  }
  /// Keeps the body of a free buffer where that is, if its grid has that offset.
  void keep_relaxed(Index i, std::int64_t at, List<Keep>& keep,
                    List<std::int64_t>& offsets) const {
    const Index b = bodies_.body_of[i];
    const Body& body = bodies_.bodies[b];
    if (is_fixed(b)) return;
    const std::int64_t offset = bodies_.body_at(i, at);
    if (at % bodies_.unit != 0 || offset < body.first ||
        Steps{body.first, body.step}.up(offset) != offset)
      return;
    keep[b] = Keep::kUnlessTaken;
    offsets[b] = offset;
  }

  /// Bodies of whose constraints the relaxed problem knows nothing may meet.
  void mark_constrained(List<Keep>& keep) const {
    List<Index> members(keep.size(), 0);
    for (const Index b : bodies_.body_of)
      if (++members[b] == 2 && keep[b] != Keep::kNo) keep[b] = Keep::kIfFree;
    for (const Slab& slab : bodies_.slabs) {
      if (slab.sections.lower >= bodies_.times && keep[slab.body] != Keep::kNo)
        keep[slab.body] = Keep::kIfFree;
      // Of the ends, those of the bottom come first.
      if (slab.end != End::kAny) keep[slab.body] = Keep::kNo;
    }
  }

  /// First fit; takes the placement if it is better than the best.
  template <bool kLists = false>
  void fit(BodyFit::Order order, std::int64_t capacity, const List<Keep>& keep,
           List<std::int64_t> offsets) {
    BodyFit fit(bodies_);
    const bool fits = fit.place<kLists>(order, capacity, keep, offsets,
                                        call_->stopper(), &misfits_);
    call_->count_bytes(fit.bytes() + bytes_of(offsets, keep));
    if (fits) take(std::move(offsets));
  }
  /// Takes a placement, if it is better than the best.
  void take(List<std::int64_t> offsets) {
    std::int64_t height = bound_;
    for (Index b = 0; b < offsets.size(); ++b)
      height = (std::max)(height, offsets[b] + bodies_.bodies[b].extent);
    if (height >= height_) return;
    height_ = height;
    offsets_ = std::move(offsets);
    if (wanted_ == Wanted::kLowest)
      call_->limits().note_height(height_ * bodies_.unit);
  }

  /// Lists the free bodies, those of the highest levels first.
  void rank_by_level() {
    level_ = highest_of_bodies(bodies_, loads_.levels());
    List<Keyed> ranked;
    for (Index b = 0; b < level_.size(); ++b)
      if (!is_fixed(b) && level_[b] > 0) ranked.push_back({-level_[b], b});
    (void)sort_keyed(ranked, 0, ranked.size());
    for (const Keyed& one : ranked) by_level_.push_back(one.index);
  }

  /// How many bodies make up the smallest crest of at least `least`: those of one
  /// level are in it together.
  [[nodiscard]] Index crest(Index least) const {
    const Index count = static_cast<Index>(by_level_.size());
    Index size = (std::min)(least, count);
    while (size < count &&
           level_[by_level_[size]] == level_[by_level_[size - 1]])
      ++size;
    return size;
  }

  /// The next crest: one and the misfits, as if they had the level of its last body; if
  /// there are none, twice as many.
  [[nodiscard]] Index larger(Index size) {
    // Twice the peak is a long way: a few more may do.
    if (misfits_.empty())
      return crest(size + (size == crest(1) ? size / 4 + 1 : size));
    for (const Index b : misfits_) {
      Index* const to = by_level_.data() + size;
      Index* const at = std::find(to, by_level_.data() + by_level_.size(), b);
      level_[b] = level_[to[-1]];
      std::rotate(to, at, at + 1);
      ++size;
    }
    return size;
  }

  /// Places a crest, and the others around it. Tells the height of the crest.
  template <class PlaceCrest>
  [[nodiscard]] Outcome step(Index size, std::int64_t nodes, Share::Time time,
                             PlaceCrest&& place_crest, std::int64_t& height) {
    List<std::uint8_t> is_in(bodies_.bodies.size(), 0);
    for (Index b = 0; b < is_in.size(); ++b) is_in[b] = is_fixed(b) ? 1 : 0;
    for (Index k = 0; k < size; ++k) is_in[by_level_[k]] = 1;
    List<Index> members;
    for (Index i = 0; i < bodies_.body_of.size(); ++i)
      if (is_in[bodies_.body_of[i]] != 0) members.push_back(i);
    const Flat crest = subset_of(*flat_, members);
    const Held held(*call_, crest.bytes());
    Found found;
    const std::int64_t below = (height_ - 1) * bodies_.unit;
    {
      Share share(*call_);
      const Turn turn(share, nodes, time);
      LargeBodies inner(crest, below, wanted_, share.call());
      if (share.call().gave_up()) return Outcome::kStopped;
      raise_bound(inner.bound());
      inner.relax(kMaxTotal);  // In a crest hardly anybody can go elsewhere.
      found.offsets = inner.offsets();
      if (!inner.is_done() && size <= kMostSearched) {
        const Outcome outcome = place_crest(crest, below, share.call(), found);
        raise_bound(found.bound);
        if (outcome == Outcome::kRefuted && offsets_.empty()) return outcome;
        // Nothing is lower than the best placement.
        if (outcome == Outcome::kRefuted) raise_bound(height_ * bodies_.unit);
      }
    }
    if (!found.offsets.empty()) height = place_others(members, found.offsets);
    return Outcome::kStopped;
  }

  void raise_bound(std::int64_t bytes) {
    const std::int64_t unit = bodies_.unit;
    const std::int64_t bound = bytes / unit + (bytes % unit != 0 ? 1 : 0);
    if (bound <= bound_) return;
    bound_ = bound;
    if (wanted_ == Wanted::kLowest) call_->note_bound(this->bound());
  }

  /// Places the others around a crest, the free ones of `members`, that is where `at`
  /// says. Returns its height.
  std::int64_t place_others(const List<Index>& members,
                            const List<std::int64_t>& at) {
    List<std::int64_t> offsets = offsets_;
    offsets.resize(bodies_.bodies.size(), 0);
    List<Keep> keep(offsets.size(),
                    offsets_.empty() ? Keep::kNo : Keep::kUnlessTaken);
    std::int64_t height = bound_;
    for (Index k = 0; k < members.size(); ++k) {
      const Index b = bodies_.body_of[members[k]];
      keep[b] = Keep::kYes;
      offsets[b] = bodies_.body_at(members[k], at[k]);
      height = (std::max)(height, offsets[b] + bodies_.bodies[b].extent);
    }
    const auto may_help = [&] {
      return !is_done() && height < height_ && !call_->must_stop();
    };
    const bool has_best = !offsets_.empty();
    List<Keep> crest = keep;
    for (Keep& one : crest)
      if (one == Keep::kUnlessTaken) one = Keep::kNo;
    misfits_.clear();
    const std::int64_t goal = (std::max)(height, target());
    const auto by_extent = BodyFit::Order::kExtent;
    if (may_help()) fit<true>(by_extent, goal, crest, offsets);
    // Who is always in a gap has no level, and is in no crest.
    erase_if(misfits_, [&](Index b) { return level_[b] == 0; });
    if (has_best && may_help()) fit(by_extent, height_ - 1, keep, offsets);
    if (!misfits_.empty() && has_best) return height;
    if (goal < height_ - 1 && may_help())
      fit(by_extent, height_ - 1, crest, offsets);
    if (may_help()) fit(BodyFit::Order::kArea, height_ - 1, crest, offsets);
    return height;
  }

  const Flat* flat_;
  std::int64_t ceiling_;
  Wanted wanted_;
  Call* call_;
  Bodies bodies_;
  BodyLoads loads_;
  std::int64_t bound_;
  std::int64_t height_;  ///< of the best placement, or above the ceiling
  Held held_;            ///< bodies, loads, and three numbers of each body
  List<std::int64_t> offsets_{};  ///< of the bodies in the best placement
  List<std::int64_t> level_{};    ///< of each body
  List<Index> by_level_{};        ///< free bodies
  List<Index> misfits_{};         ///< around the last crest
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAN_LARGE_BODIES_HPP
