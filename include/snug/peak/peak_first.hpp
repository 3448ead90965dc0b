// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Peak first: a search places the buffers that are live around the peak, then
/// first fit places all others around them. For problems that are too large
/// for a search of the whole.
///
///     load |      crest       What decides about the height is where the load
///          |     _|__|_       is close to its maximum: often a short window
///      t - | - _|- - - |_ -   of time, though not always a single one. All
///          | _|          |_   buffers with a level of at least t are the crest
///          +--------------    (levels.hpp).
///
/// *The crest* is a problem of its own, in which who lasts is stacked (crest.hpp).
/// What the search proves of it holds for the whole: no placement of all buffers is
/// lower than one of the crest.
///
/// *Completion.* First fit gets the crest's buffers by ascending offset, then
/// the others. It puts no buffer y of the crest above its offset o(y) there, by
/// induction: whoever comes before y and overlaps it lay below it, with its top
/// at or below o(y), and is nowhere higher now; so nobody is in the way at
/// o(y). The crest thus ends up no higher than the search placed it. The others
/// come in rings by their level, the first as many as the crest, the next as many
/// as both, and so on: who comes late finds what is left, and whoever does not
/// fit is found soon. Within a ring they come by size, or else in the order of a
/// dive, each time of another one. Every other time those by size come without
/// rings: where large buffers are far from the peak, they should not be late.
///
/// *The size of the crest.* The first one has the buffers that are live when the
/// load is largest: they may be hard to place, or fill the peak like a stack.
/// When another buffer does not fit any more, the crest was too small, and the
/// next one is a quarter larger, all others twice as large. One that is not
/// placed may be too large for it: then one between it and the last that was
/// placed comes next. When none is left between, it gets twice the effort.
/// Dives are repaired from the last one that was placed, too: its buffers as they
/// lie there, then the others.
///
/// *Misfits.* Since a crest was too hard, it is asked who does not fit around the
/// last one that was placed: first fit leaves them out and goes on. Often that is one
/// of thousands, large and of a level far below. If they are few, they are promoted,
/// so that the next crest is the same and they.
///
/// Cost of a step: a search of the crest, a first fit in each of two orders and one for
/// misfits, which mostly give up early. O(n) memory, some 50 bytes a box, and that of
/// the search.
#ifndef SNUG_PEAK_PEAK_FIRST_HPP
#define SNUG_PEAK_PEAK_FIRST_HPP

#include "snug/config.hpp"
#include "snug/heuristics/boxes.hpp"
#include "snug/heuristics/first_fit.hpp"
#include "snug/heuristics/incumbent.hpp"
#include "snug/heuristics/orders.hpp"
#include "snug/heuristics/repair.hpp"
#include "snug/normal/plain.hpp"
#include "snug/peak/crest.hpp"
#include "snug/peak/levels.hpp"
#include "snug/peak/work.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"
#include "snug/support/memory.hpp"
#include "snug/support/outcome.hpp"
#include "snug/support/spread_sort.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

SNUG_BEGIN_NAMESPACE
namespace detail {

class PeakFirst {
 public:
  /// `incumbent` is one of `plain` that has dived: two of its orders are those
  /// in which boxes outside of the crest are placed. All must outlive this,
  /// whose memory is the incumbent's.
  PeakFirst(const Plain& plain, const Work& work, IncumbentSearch& incumbent)
      : PeakFirst(plain, work, incumbent,
                  Orders(plain, incumbent.boxes(), incumbent.memory())) {}

  /// Whether the crest is the whole.
  [[nodiscard]] bool is_whole() const noexcept {
    return size_ == boxes_->count;
  }
  /// The steps that all calls of step() took so far.
  [[nodiscard]] std::int64_t done() const noexcept { return done_; }
  /// What a crest takes from one step to the next, beside the memory given to this.
  [[nodiscard]] std::size_t bytes() const noexcept {
    return crest_->bytes() + bytes_of(offsets_, placed_, misfits_);
  }
  /// The most bytes that dives in crests took, beside the memory given to this.
  [[nodiscard]] std::size_t scratch_bytes() const noexcept {
    return scratch_bytes_;
  }
  /// The steps that the next one should be allowed at least: those of some
  /// dives in the crest, or of a search that places it at once, and of placing
  /// the others, as far as that came the last time.
  [[nodiscard]] std::int64_t least() const noexcept {
    return (searches_ ? search() : effort_ * dive()) + fit_steps_;
  }
  /// What a search takes that places the crest at once.
  [[nodiscard]] std::int64_t search() const noexcept {
    return 2 * crest_->size() * degree();
  }

  /// Looks for a placement of the crest that is at most `target` bytes high, by
  /// dives and by a search in turns, and completes what it finds; all in about
  /// `steps` steps.
  ///
  /// place_crest(crest, nodes, offsets) searches what is above the stack of the
  /// crest. On entry `offsets` (bytes, from the top of the stack) is a placement of
  /// it that is too high, and `nodes` the most nodes that it may have; on return the
  /// lowest placement known, and the nodes that it took. If it says kRefuted, step()
  /// returns that at once. It may raise `target`, if no placement of the crest is
  /// lower.
  ///
  /// Puts into `best` what is lower than it, and at most `ceiling` bytes high.
  template <class PlaceCrest>
  [[nodiscard]] Outcome step(std::int64_t steps, std::int64_t ceiling,
                             const std::int64_t& target,
                             PlaceCrest&& place_crest, const Interrupt& stop,
                             Best& best) {
    List<std::int64_t> above = begin_crest(best);
    Outcome outcome = Outcome::kOpen;
    if (!searches_) {
      dive_in(target - crest_->ground(), stop, above);
    } else {
      std::int64_t nodes =
          (std::min)(effort_ * crest_->size(), (steps - fit_steps_) / degree());
      outcome = place_crest(*crest_, nodes, above);
      done_ += nodes * degree();
      if (outcome == Outcome::kRefuted) return outcome;
    }
    const std::int64_t height = crest_->height(above);
    offsets_ = crest_->offsets_of_all(std::move(above));
    if (height <= target) placed_ = List<std::int64_t>(offsets_);
    if (height < best.height && height <= ceiling)
      complete(target, ceiling, stop, best);
    if (height <= target) {
      advance();
    } else if (is_second_ || !may_search()) {
      too_hard_ = size_;
      if (!std::exchange(looks_for_misfits_, true) && !placed_.empty() &&
          best.height > target) {
        size_ = static_cast<Index>(placed_.size());
        offsets_ = List<std::int64_t>(placed_);
        complete(target, ceiling, stop, best);
      }
      advance();
    } else {
      is_second_ = true;
      searches_ = !searches_;
    }
    return outcome;
  }

 private:
  static constexpr Index kRings = 8;
  static constexpr std::size_t kMostMisfits = 64;
  static constexpr std::int64_t kFirstEffort = 16;  ///< dives, nodes a buffer

  PeakFirst(const Plain& plain, const Work& work, IncumbentSearch& incumbent,
            const Orders& orders)
      : plain_(&plain),
        boxes_(&incumbent.boxes()),
        cost_(&work),
        by_size_(incumbent.memory().take_raw<Index>(boxes_->count)),
        others_{incumbent.order(0), incumbent.order(2)},
        levels_(levels_of(*boxes_, orders, incumbent.memory())),
        fit_(*boxes_, incumbent.memory()),
        order_(incumbent.memory().take_raw<Index>(boxes_->count)),
        ring_(incumbent.memory().take_raw<std::uint8_t>(boxes_->count)),
        fit_steps_(work.fit / 8) {
    orders.sort("Z", by_size_);
    begin_crest_of(levels_.crest(1));
  }

  [[nodiscard]] std::int64_t degree() const noexcept {
    return (std::min)(cost_->degree, std::int64_t{crest_->size()});
  }

  [[nodiscard]] std::int64_t dive() const noexcept {
    return cost_->dive * crest_->size() / boxes_->count + 1;
  }

  [[nodiscard]] bool may_search() const noexcept {
    return crest_->size() * degree() < 2 * kManyPairs;
  }

  /// Goes on to the next crest, and begins with what is done sooner.
  void advance() {
    begin_crest_of(next_size());
    searches_ = may_search() && search() < effort_ * dive();
    is_second_ = false;
  }

  /// With the misfits, if there are few. Else twice as large, until one is too hard;
  /// then between that one and the last that was placed.
  [[nodiscard]] Index next_size() {
    if (!misfits_.empty()) {
      auto size = static_cast<Index>(placed_.size());
      for (const Index x : misfits_) levels_.promote(x, size++);
      misfits_.clear();
      if (size >= too_hard_) too_hard_ = 0;
      return size;
    }
    if (too_hard_ == 0) return levels_.crest_after(size_);
    const auto placed = static_cast<Index>(placed_.size());
    const Index between = levels_.crest(placed + (too_hard_ - placed) / 2);
    if (between - placed > placed / 8 && between < too_hard_) return between;
    effort_ *= 2;
    return std::exchange(too_hard_, Index{0});
  }

  void begin_crest_of(Index size) {
    size_ = size;
    crest_.emplace(*plain_, *boxes_, levels_.order(), size_);
    scratch_bytes_ = (std::max)(scratch_bytes_, crest_->bytes_in_use());
  }

  /// What is known of the crest's placement, above its stack: as it lies in `best`,
  /// or the result of the last step, if that is lower.
  [[nodiscard]] List<std::int64_t> begin_crest(const Best& best) const {
    List<std::int64_t> offsets(size_);
    for (Index k = 0; k < size_; ++k)
      offsets[k] = best.offsets[levels_.order()[k]] * boxes_->unit;
    List<std::int64_t> above = crest_->offsets_above(std::move(offsets));
    if (offsets_.size() != size_) return above;
    List<std::int64_t> last =
        crest_->offsets_above(List<std::int64_t>(offsets_));
    return crest_->height(above) < crest_->height(last) ? std::move(above)
                                                        : std::move(last);
  }

  void dive_in(std::int64_t target, const Interrupt& stop,
               List<std::int64_t>& above) {
    const Plain& crest = crest_->above();
    IncumbentSearch incumbent(crest);
    incumbent.dive(crest, target, effort_, stop);
    incumbent.fit(crest, target, stop);
    if (!placed_.empty()) incumbent.add_order(as_placed());
    incumbent.repair(target, effort_ - incumbent.dives(), stop);
    done_ += incumbent.dives() * dive();
    scratch_bytes_ = (std::max)(
        scratch_bytes_, crest_->bytes_in_use() + incumbent.peak_bytes());
    if (incumbent.best().height < height_of(crest.buffers, above))
      incumbent.write(above);
  }

  /// What the boxes above the stack are ordered by, so that they come as they lie in
  /// the last crest that was placed, and then by size.
  [[nodiscard]] List<std::int64_t> as_placed() const {
    constexpr std::int64_t kLast = (std::numeric_limits<std::int64_t>::max)();
    List<std::int64_t> keys(size_);
    for (Index k = 0; k < size_; ++k)
      keys[k] = k < placed_.size() ? placed_[k]
                                   : kLast - boxes_->bytes[levels_.order()[k]];
    return crest_->pick(std::move(keys));
  }

  /// Says of each box in which ring it is, and how many come before each ring.
  void draw_rings() {
    const Index* const by_level = levels_.order();
    within_[0] = size_;
    for (Index r = 1; r < kRings; ++r)
      within_[r] = within_[r - 1] +
                   (std::min)(within_[r - 1], boxes_->count - within_[r - 1]);
    within_[kRings] = boxes_->count;
    for (Index k = 0; k < size_; ++k) ring_[by_level[k]] = kRings;
    for (Index r = 0; r < kRings; ++r)
      for (Index k = within_[r]; k < within_[r + 1]; ++k)
        ring_[by_level[k]] = static_cast<std::uint8_t>(r);
  }

  /// First fit of the crest, as in order_, then of the others. Lists who does not fit,
  /// if they are at most `most`.
  [[nodiscard]] bool fit(const Index* others, bool in_rings,
                         std::int64_t ceiling, const Interrupt& stop,
                         List<Index>& misfits, std::size_t most) {
    std::array<Index, kRings + 1> next = within_;
    for (Index k = 0; k < boxes_->count; ++k)
      if (const Index ring = ring_[others[k]]; ring < kRings)
        order_[next[in_rings ? ring : 0]++] = others[k];
    const bool fits = fit_.run(order_, ceiling, stop, most, misfits);
    fit_steps_ += cost_->fit / boxes_->count * fit_.tried();
    return fits;
  }

  /// First fit of the crest by offsets_, then of the others.
  void complete(std::int64_t target, std::int64_t ceiling,
                const Interrupt& stop, Best& best) {
    const Index* const crest = levels_.order();
    List<Keyed> by_offset(size_);
    for (Index k = 0; k < size_; ++k) by_offset[k] = {offsets_[k], crest[k]};
    sort_keyed(by_offset);
    std::int64_t height = target;  // Of the crest, or more.
    for (Index k = 0; k < size_; ++k) {
      order_[k] = by_offset[k].index;
      height = (std::max)(height,
                          by_offset[k].key + boxes_->bytes[by_offset[k].index]);
    }
    draw_rings();
    fit_steps_ = boxes_->count;
    misfits_.clear();
    ceiling = (std::min)(ceiling, best.height - 1);
    std::swap(others_[0], others_[1]);
    in_rings_ = !in_rings_;
    bool fits = looks_for_misfits_ && placed_.size() == size_ &&
                fit(by_size_, true, height, stop, misfits_, kMostMisfits);
    List<Index> none;
    if (!fits) fits = fit(by_size_, in_rings_, ceiling, stop, none, 0);
    if (!fits) fits = fit(others_[0], true, ceiling, stop, none, 0);
    if (fits) best.keep(fit_.height(), fit_.offsets(), boxes_->count);
    done_ += fit_steps_;
  }

  const Plain* plain_;
  const Boxes* boxes_;
  const Work* cost_;
  Index* by_size_;
  std::array<const Index*, 2> others_;
  Levels levels_;
  GreedyFit fit_;
  Index* order_;
  std::uint8_t* ring_;                      ///< of each box; kRings: the crest
  std::array<Index, kRings + 1> within_{};  ///< how many before each ring
  bool in_rings_ = false;                   ///< whether those by size come so
  Index size_ = 0;                          ///< of the crest, with its stack
  std::optional<Crest> crest_{};
  List<std::int64_t> offsets_{};  ///< of the crest, in bytes
  bool searches_ = false;         ///< whether the next step does
  bool is_second_ = false;        ///< whether it is the second try
  List<std::int64_t> placed_{};   ///< offsets of the last crest at the target
  List<Index> misfits_{};         ///< who does not fit around that one, if few
  bool looks_for_misfits_ = false;  ///< since one was too hard
  Index too_hard_ = 0;              ///< one that did not; 0: none yet
  std::int64_t effort_ = kFirstEffort;
  std::int64_t done_ = 0;
  std::size_t scratch_bytes_ = 0;
  std::int64_t fit_steps_;  ///< that complete() took the last time
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PEAK_PEAK_FIRST_HPP
