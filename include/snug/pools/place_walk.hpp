// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Local search for a division of bodies among pools and their offsets at once. Where
/// alignments are mixed, what has room by its loads (load_walk.hpp) mostly has no
/// placement; what is at hand here always is one.
///
///     pick      a body that is not where it costs least, and some that it must not
///               meet: they move out
///     put back  one after the other, those first that save most for their bytes, or
///               for their time as well, or the largest, or any; with some luck. Each
///               goes to the cheapest pool that has an offset left, the lowest of them
///     accept    what is cheaper, and what is a little dearer as long as it is hot;
///               else all of it is undone
///
/// A *refuge* of a body is a pool that has room for all there is: as long as the body
/// is there, the walk does not care where, and what the walk calls elsewhere is in the
/// refuge. Only in the placement that is asked for it has an offset.
///
/// It starts hot and cools down in cycles, each half again as long as the one before and
/// from the best placement so far. It needs no clock: the same number of looks leads to
/// the same placement everywhere.
///
/// Cost: O(d log d) for each body that is put back and each pool that it looks at, for
/// the d bodies that it must not meet.
/// Source: Shaw, large neighbourhoods (CP 1998); Schrimpf and others, "Record breaking
/// optimization results using the ruin and recreate principle" (Journal of
/// Computational Physics, 2000).
#ifndef SNUG_POOLS_PLACE_WALK_HPP
#define SNUG_POOLS_PLACE_WALK_HPP

#include "snug/bodies/bodies.hpp"
#include "snug/bodies/domain.hpp"
#include "snug/bodies/relations.hpp"
#include "snug/config.hpp"
#include "snug/model/interval.hpp"
#include "snug/normal/flat.hpp"
#include "snug/pools/cooling.hpp"
#include "snug/pools/cost_table.hpp"
#include "snug/pools/place_memory.hpp"
#include "snug/pools/unhappy.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"
#include "snug/support/random.hpp"
#include "snug/support/rounded.hpp"
#include "snug/support/sort.hpp"
#include "snug/support/view.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

class PlaceWalk {
 public:
  /// A division of the bodies, the offsets of those in pools, and what it costs.
  struct Placement {
    List<Index> columns{};
    List<std::int64_t> at{};
    std::int64_t cost = 0;
  };

  /// All must outlive the walk. For each body, `choices`: pools that cost less than
  /// elsewhere, the cheapest first; and its refuge, elsewhere if it has none. What comes
  /// after that is no choice.
  PlaceWalk(const std::vector<PlaceMemory>& memories,
            const List<PlacePool>& pools, const CostTable& costs,
            const Lists<Index>& choices, List<Index> refuges,
            std::uint64_t seed)
      : memories_(&memories),
        pools_(&pools),
        costs_(&costs),
        choices_(&choices),
        refuges_(std::move(refuges)),
        elsewhere_(static_cast<Index>(pools.size())),
        random_(seed),
        unhappy_(costs.items),
        heat_(heat_of(costs, kHeat)) {
    now_.columns.assign(costs.items, elsewhere_);
    now_.at.assign(costs.items, 0);
    for (Index b = 0; b < costs.items; ++b) {
      now_.cost += cost_in(b, elsewhere_);
      unhappy_.note(b, is_unhappy(b));
      const Body& body = memories.front().bodies->bodies[b];
      const double saving = saving_of(b);
      values_.push_back({rounded(saving / static_cast<double>(body.extent + 1)),
                         rounded(saving / (body.area + 1)), body.area});
    }
    best_ = now_;
  }

  /// The best placement so far. Who has no room in its refuge stays elsewhere.
  [[nodiscard]] Placement best() {
    go_back();
    for (Index b = 0; b < refuges_.size(); ++b) {
      const Index refuge = refuges_[b];
      if (now_.columns[b] != elsewhere_ || refuge == elsewhere_) continue;
      const std::int64_t at = find_offset(b, refuge);
      if (at != kNoOffset) place(b, refuge, at);
    }
    Placement found = now_;
    go_back();
    return found;
  }
  /// At how many bodies it looked so far, to find out whether they are in the way.
  [[nodiscard]] std::int64_t looks() const noexcept { return looks_; }

  /// First fit of all bodies in an order; what is interrupted does not count.
  void fill(const List<Index>& order, const Interrupt& stop) {
    for (Index b = 0; b < now_.columns.size(); ++b) place(b, elsewhere_, 0);
    std::size_t since = 0;
    for (const Index b : order) {
      const std::int64_t before = looks_;
      settle(b);
      if (stop.after(static_cast<std::size_t>(looks_ - before) + 1, since))
        break;
    }
    trail_.clear();
    note_best();
  }
  /// Goes on from another placement, if it is cheaper than the best one so far.
  void begin(const Placement& other) {
    if (other.cost >= best_.cost) return;
    best_ = other;
    for (Index b = 0; b < refuges_.size(); ++b)
      if (best_.columns[b] == refuges_[b]) best_.columns[b] = elsewhere_;
    go_back();
  }

  /// Goes on until it has looked at so many more bodies, or the cost is not above
  /// `target`, or stop() says so.
  void run(std::int64_t looks, std::int64_t target, const Interrupt& stop) {
    constexpr std::int64_t kStepsForLook = 16;
    const std::int64_t last = looks_ + looks;
    for (std::int64_t step = 0; looks_ < last; ++step) {
      if (best_.cost <= target || unhappy_.empty() ||
          (step % kStepsForLook == 0 && stop()))
        return;
      if (step_ == length_) {
        go_back();
        step_ = 0;
        length_ += length_ / 2;
      }
      take_step();
      ++step_;
    }
  }

 private:
  /// A step may cost such a part of a mean cost more, at first.
  static constexpr std::int64_t kHeat = 8;
  /// At most so many neighbours of a body move out with it, and at most so many more
  /// are drawn that would cost less elsewhere.
  static constexpr std::uint32_t kMostOut = 24;
  static constexpr std::int64_t kNoOffset = -1;
  static constexpr std::uint32_t kValues = 3;

  struct Move {
    Index body;
    Index from;
    std::int64_t at;
  };
  /// What it saves for its extent, and for its area; and that.
  struct Values {
    double of[kValues];
  };
  struct Valued {
    double value;
    Index body;
  };

  [[nodiscard]] std::int64_t cost_in(Index b, Index column) const noexcept {
    return costs_->paid_at(b, column == elsewhere_ ? refuges_[b] : column);
  }
  [[nodiscard]] std::int64_t cost_of(Index b) const noexcept {
    return cost_in(b, now_.columns[b]);
  }
  /// What the dearest column costs more than the cheapest one.
  [[nodiscard]] double saving_of(Index b) const noexcept {
    const Interval<std::int64_t> range = costs_->range_of(b);
    return static_cast<double>(
        (std::max)(range.upper - range.lower, std::int64_t{0}));
  }
  [[nodiscard]] const PlaceMemory& memory(Index pool) const {
    return (*memories_)[(*pools_)[pool].memory];
  }
  [[nodiscard]] View<const PlaceNear> near(Index b) const {
    return memories_->front().near[b];
  }
  [[nodiscard]] std::uint32_t below(std::size_t bound) noexcept {
    return random_.below(static_cast<std::uint32_t>(bound));
  }

  void place(Index b, Index column, std::int64_t at) {
    now_.cost += cost_in(b, column) - cost_of(b);
    now_.columns[b] = column;
    now_.at[b] = at;
    unhappy_.note(b, is_unhappy(b));
  }
  void move(Index b, Index column, std::int64_t at) {
    trail_.push_back({b, now_.columns[b], now_.at[b]});
    place(b, column, at);
  }
  void undo() {
    while (!trail_.empty()) {
      const auto [b, column, at] = trail_.back();
      trail_.pop_back();
      place(b, column, at);
    }
  }
  void go_back() {
    for (Index b = 0; b < now_.columns.size(); ++b)
      place(b, best_.columns[b], best_.at[b]);
  }
  void note_best() {
    if (now_.cost < best_.cost) best_ = now_;
  }

  /// Whether a body would cost less in some pool than where it is.
  [[nodiscard]] bool is_unhappy(Index b) const noexcept {
    const List<Index>& pools = (*choices_)[b];
    return !pools.empty() && costs_->at(b, pools[0]) < cost_of(b);
  }

  void take_step() {
    const std::int64_t before = now_.cost;
    const std::int64_t slack = draw_slack(heat_, step_, length_, random_);
    move_out(unhappy_.draw(random_));
    sort_out();
    for (const Valued& one : out_) settle(one.body);
    if (now_.cost - before > slack) return undo();
    trail_.clear();
    note_best();
  }
  /// Moves out a body and some of those that it must not meet; some that would cost
  /// less elsewhere are put back with them. Lists them.
  void move_out(Index b) {
    out_.clear();
    leave(b);
    const View<const PlaceNear> others = near(b);
    if (others.empty()) return;
    const std::uint32_t count = 1 + random_.below(kMostOut);
    // Some are drawn twice, or are out already.
    for (std::uint32_t k = 0; k < 4 * count && out_.size() <= count; ++k) {
      const Index other = others[below(others.size())].body;
      if (now_.columns[other] != elsewhere_) leave(other);
    }
    for (std::uint32_t k = 0; k < count; ++k) {
      const Index other = others[below(others.size())].body;
      if (is_unhappy(other)) leave(other);
    }
  }
  void leave(Index b) {
    if (now_.columns[b] != elsewhere_) move(b, elsewhere_, 0);
    out_.push_back({0, b});
  }
  void sort_out() {
    const std::uint32_t kind = random_.below(kValues + 1);
    for (Valued& one : out_) {
      const std::uint32_t luck = random_.below(1024);
      one.value = kind == kValues
                      ? luck
                      : rounded(values_[one.body].of[kind] * (2048 + luck));
    }
    heap_sort(out_, [](const Valued& a, const Valued& b) {
      return a.value != b.value ? a.value > b.value : a.body < b.body;
    });
  }

  /// Puts a body into the cheapest pool that has an offset left, if it costs less there
  /// than where it is.
  void settle(Index b) {
    for (const Index pool : (*choices_)[b]) {
      if (costs_->at(b, pool) >= cost_of(b)) return;
      const std::int64_t at = find_offset(b, pool);
      if (at != kNoOffset) return move(b, pool, at);
    }
  }
  /// The lowest that is left for a body in a pool.
  [[nodiscard]] std::int64_t find_offset(Index b, Index pool) {
    const View<const Forbidden> barred = memory(pool).barred[b];
    taken_.assign(barred.begin(), barred.end());
    const View<const PlaceNear> others = memory(pool).near[b];
    for (const PlaceNear& one : others)
      if (now_.columns[one.body] == pool)
        taken_.push_back(moved(one.forbidden, now_.at[one.body]));
    looks_ += static_cast<std::int64_t>(others.size() + barred.size()) + 1;
    std::sort(taken_.begin(), taken_.end(),
              [](const Forbidden& x, const Forbidden& y) {
                return x.lower < y.lower;
              });
    const Body& body = memory(pool).bodies->bodies[b];
    const Steps steps{body.first, body.step};
    std::int64_t at = body.first;
    (void)skip_taken(taken_.begin(), taken_.end(), steps, at);
    return at <= (*pools_)[pool].top - body.extent ? at : kNoOffset;
  }

  const std::vector<PlaceMemory>* memories_;
  const List<PlacePool>* pools_;
  const CostTable* costs_;
  const Lists<Index>* choices_;
  List<Index> refuges_;
  Index elsewhere_;
  Random random_;
  Placement now_{};
  Placement best_{};
  List<Values> values_{};    ///< of each body
  List<Move> trail_{};       ///< moves of this step
  List<Valued> out_{};       ///< who is put back
  List<Forbidden> taken_{};  ///< what is forbidden to the body at hand
  Unhappy unhappy_;
  std::int64_t looks_ = 0;
  std::int64_t step_ = 0;
  std::int64_t length_ = 1024;  ///< of the cycle, in steps
  std::int64_t heat_;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_POOLS_PLACE_WALK_HPP
