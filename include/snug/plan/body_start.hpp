// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Placements of bodies without relations, and without a search: where a search of
/// fewer begins, and the crests of many (plan/large_bodies.hpp).
///
///     dive      of bodies (bodies/body_dive.hpp), if something is fixed, reserved or
///               belongs to an end
///     fits      first fit of all, by size and by area, if that takes no time
///               (bodies/body_fit.hpp)
///     relaxed   placed without constraints (plan/plain_start.hpp); what meets nobody
///               stays there, first fit of the others
///     dives     if that is far too high: of all bodies, in other orders; first fit now
///               if some may overlap or nothing else was found
///
/// Cost: that of its parts; O(p) memory for p slabs.
#ifndef SNUG_PLAN_BODY_START_HPP
#define SNUG_PLAN_BODY_START_HPP

#include "snug/bodies/bodies.hpp"
#include "snug/bodies/body_dive.hpp"
#include "snug/bodies/body_fit.hpp"
#include "snug/bodies/body_loads.hpp"
#include "snug/bodies/body_orders.hpp"
#include "snug/bodies/domain.hpp"
#include "snug/config.hpp"
#include "snug/model/reason.hpp"
#include "snug/model/result.hpp"
#include "snug/normal/flat.hpp"
#include "snug/plan/body_components.hpp"
#include "snug/plan/call.hpp"
#include "snug/plan/plain_start.hpp"
#include "snug/plan/relaxed_load.hpp"
#include "snug/support/list.hpp"
#include "snug/support/memory.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

SNUG_BEGIN_NAMESPACE
namespace detail {

template <class M>
class BodyStart {
 public:
  /// Placements above `ceiling` bytes are of no use. Of no use itself if the call
  /// gave up.
  BodyStart(const Flat& flat, std::int64_t ceiling, Wanted wanted, Call& call)
      : flat_(&flat),
        ceiling_((std::min)(ceiling, kMaxTotal)),
        wanted_(wanted),
        call_(&call),
        bodies_(build_bodies(flat, call, CliqueScope::kNone)),
        loads_(bodies_, call.interrupt()),
        bound_(loads_.bound()),
        height_(ceiling_ / bodies_.unit + 1),
        held_(call, bodies_.bytes() + loads_.bytes() +
                        3 * bodies_.bodies.size() * sizeof(std::int64_t)) {
    if constexpr (M::kBoth)
      bound_ = (std::max)(bound_, in_units(relaxed_load(flat, call)));
  }

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
  /// Whether there is more to do, and a limit that allows it.
  [[nodiscard]] bool goes_on() { return !is_done() && !call_->must_stop(); }
  /// Bytes, by buffer; none if nothing was found.
  [[nodiscard]] List<std::int64_t> offsets() const {
    List<std::int64_t> result;
    if (!offsets_.empty()) bodies_.write_offsets(offsets_, result);
    return result;
  }

  /// Begins with a placement of all, bytes, by buffer, or none. Whether that is so low
  /// that the steps before a search hardly come lower.
  [[nodiscard]] bool begin(const List<std::int64_t>& at) {
    constexpr std::int64_t kNear = 8;
    if (at.empty()) return false;
    take(bodies_.bodies_at(at));
    return !is_far(kNear);
  }

  /// What takes little time: the first dives, and fits if the height is above the
  /// target by more than its `closeness`-th part then. Returns how many orders had a
  /// dive.
  std::size_t place_soon(std::int64_t closeness = kCloseness) {
    // With these, first fit from the relaxed placement takes longer than a dive.
    const bool is_unlike = !flat_->fixed.empty() || !flat_->reserved.empty() ||
                           !flat_->ends.empty();
    const std::size_t dives = is_unlike || !M::kBoth ? 1 : 0;
    if (dives > 0 && goes_on()) dive(kBodyOrders[0]);
    if (fits_soon()) fit_all(closeness);
    return dives;
  }

  /// All steps; fits and last dives only if the height is as far above the target.
  void relax(std::int64_t closeness = kCloseness) {
    std::size_t dives = place_soon(closeness);
    if constexpr (M::kBoth)
      if (goes_on() || makes_first())
        place_relaxed<M>(
            *flat_, ceiling_, wanted_, *call_,
            [&](const List<std::int64_t>& at) { keep_relaxed(at); });
    for (; dives < std::size(kBodyOrders) && is_far(closeness); ++dives)
      dive(kBodyOrders[dives]);
    if ((offsets_.empty() || !flat_->may_overlap.empty()) && !fits_soon())
      fit_all(closeness);
  }

  [[nodiscard]] const Bodies& bodies() const noexcept { return bodies_; }
  [[nodiscard]] const BodyLoads& loads() const noexcept { return loads_; }
  [[nodiscard]] bool is_fixed(Index b) const noexcept {
    return bodies_.bodies[b].is_fixed();
  }
  /// The offsets of the bodies in the best placement, or none.
  [[nodiscard]] const List<std::int64_t>& best() const noexcept {
    return offsets_;
  }
  /// Its height, or one above the ceiling. In units, as what follows.
  [[nodiscard]] std::int64_t height() const noexcept { return height_; }
  /// No placement is lower.
  [[nodiscard]] std::int64_t lowest() const noexcept { return bound_; }
  /// The height that is low enough.
  [[nodiscard]] std::int64_t target() const noexcept {
    return wanted_ == Wanted::kLowest ? bound_ : ceiling_ / bodies_.unit;
  }

  /// First fit; takes the placement if it is better than the best. Who found no place
  /// is listed if that is wanted (bodies/body_fit.hpp).
  template <bool kLists = false>
  void fit(BodyFit::Order order, std::int64_t capacity, const List<Keep>& keep,
           List<std::int64_t> offsets, List<Index>* misfits = nullptr) {
    BodyFit fit(bodies_);
    const bool fits = fit.place<kLists>(
        order, capacity, keep, offsets,
        makes_first() ? call_->interrupt() : call_->stopper(), misfits);
    call_->count_bytes(fit.bytes() + bytes_of(offsets, keep));
    if (fits) take(std::move(offsets));
  }

  /// No placement has fewer bytes.
  void raise_bound(std::int64_t bytes) {
    const std::int64_t bound = in_units(bytes);
    if (bound <= bound_) return;
    bound_ = bound;
    if (wanted_ == Wanted::kLowest) call_->note_bound(this->bound());
  }

 private:
  static constexpr std::int64_t kCloseness = 128;
  /// First fit takes no more than a millisecond or so.
  static constexpr std::int64_t kFewMeetings = std::int64_t{1} << 18;

  /// Rounded up.
  [[nodiscard]] std::int64_t in_units(std::int64_t bytes) const noexcept {
    return bytes / bodies_.unit + (bytes % bodies_.unit != 0 ? 1 : 0);
  }

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

  /// Whether a limit of nodes was hit before there was any placement: to make one
  /// takes none.
  [[nodiscard]] bool makes_first() const {
    return M::kBoth && wanted_ == Wanted::kLowest && !is_placed() &&
           call_->limits().stopped_by() == Stop::kNodeLimit &&
           !call_->gave_up();
  }

  /// Whether there is more to do, and it is worth something.
  [[nodiscard]] bool is_far(std::int64_t closeness) {
    return goes_on() &&
           (offsets_.empty() || height_ - target() > target() / closeness);
  }

  [[nodiscard]] bool fits_soon() const {
    return M::kBoth && count_meetings(bodies_) <= kFewMeetings;
  }

  /// First fit of all by size, and by area, as long as it is far.
  void fit_all(std::int64_t closeness) {
    if constexpr (M::kBoth) {
      const List<Keep> keep(bodies_.bodies.size(), Keep::kNo);
      for (const auto order : {BodyFit::Order::kExtent, BodyFit::Order::kArea})
        if (is_far(closeness))
          fit(order, height_ - 1, keep, bodies_.fixed_offsets());
    }
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
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAN_BODY_START_HPP
