// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The search of suggest_spills(); see spill.hpp for its idea.
///
/// Sections come as demands when a choice leaves them too full: of each run of
/// such sections the worst. That is enough in the end and keeps the demands
/// few. Sets that do not fit come several at a time: each is taken out of the
/// rest, with all its buffers, until what is left fits or cannot be decided.
///
/// If it is not known whether the rest fits, a dive places what it can
/// (first_placement.hpp); then
/// more and more is left out until the remainder is found to fit, as long as
/// that is cheaper.
///
/// Cost: see suggest_spills().
#ifndef SNUG_EXPLAIN_SPILL_SEARCH_HPP
#define SNUG_EXPLAIN_SPILL_SEARCH_HPP

#include "snug/config.hpp"
#include "snug/explain/budget.hpp"
#include "snug/explain/cover.hpp"
#include "snug/explain/first_placement.hpp"
#include "snug/explain/overload.hpp"
#include "snug/explain/refute.hpp"
#include "snug/explain/shrink.hpp"
#include "snug/explain/spots.hpp"
#include "snug/explain/trial.hpp"
#include "snug/model/interval.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/subset.hpp"
#include "snug/normal/plain.hpp"
#include "snug/support/outcome.hpp"
#include "snug/support/sort.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

template <class E, class Cost>
class SpillSearch {
 public:
  SpillSearch(Trials<E>& trials, const std::vector<Cost>& cost)
      : trials_(&trials),
        problem_(&trials.problem()),
        cost_(&cost),
        moments_(make_moments(*problem_, trials.capacity())),
        cover_(cost, &trials.budget()),
        limit_((std::min)(
            multiply_nodes(kNodesForBuffer,
                           static_cast<std::int64_t>(cost.size()) + 1),
            trials.budget().options().node_limit / 4)),
        offsets_(cost.size(), kAbsent) {}

  void run() {
    while (!is_tired()) {
      const Choice<Cost> choice = choose();
      if (choice.is_best) lower_bound_ = (std::max)(lower_bound_, choice.cost);
      const std::vector<std::size_t> rest = without(choice.buffers);
      Refuted found;
      const Trial trial = place_or_refute(*trials_, rest, limit_, found);
      if (trial.outcome == Outcome::kPlacedAll) {
        take(rest, trial);
        is_cheapest_ = choice.is_best;
        if (!is_cheapest_) improve();
        return;
      }
      if (trial.outcome == Outcome::kStopped) {
        leave_out_more(rest);
        return;
      }
      add_sets(rest, std::move(found));
    }
    leave_out_more(without(choose().buffers));
  }

  /// In input order, kAbsent for those left out.
  [[nodiscard]] const std::vector<std::int64_t>& offsets() const noexcept {
    return offsets_;
  }
  [[nodiscard]] Cost lower_bound() {
    return (std::max)(lower_bound_, cover_.least());
  }
  [[nodiscard]] bool is_cheapest() const noexcept { return is_cheapest_; }

 private:
  static constexpr std::int64_t kNodesForBuffer = 256;
  static constexpr std::int64_t kTries = 16;
  static constexpr std::int64_t kCoverNodes = 20000;

  /// Whether as many nodes were spent as so many tries may take.
  [[nodiscard]] bool is_tired() {
    return trials_->budget().is_spent() ||
           trials_->budget().stats().nodes / kTries >= limit_ ||
           trials_->budget().stats().solves / kTries >= kNodesForBuffer;
  }

  /// A cheap choice that leaves no section too full; or, when the time is up,
  /// the one at hand.
  [[nodiscard]] Choice<Cost> choose() {
    for (;;) {
      Choice<Cost> choice = cover_.choose();
      if (trials_->budget().is_interrupted()) return choice;
      if (add_sections(choice.buffers)) continue;
      choice = cover_.improve(std::move(choice), kCoverNodes);
      if (!add_sections(choice.buffers)) return choice;
    }
  }

  /// Adds demands for sections that are too full without `out`. False if there
  /// are none.
  [[nodiscard]] bool add_sections(const std::vector<std::size_t>& out) {
    std::vector<std::int64_t> loads = moments_.loads;
    const auto& pieces = moments_.pieces.buffers;
    for (std::size_t p = 0; p < pieces.size(); ++p) {
      if (!std::binary_search(out.begin(), out.end(), moments_.owner[p]))
        continue;
      const Interval<Index> span = moments_.pieces.spans[p];
      for (Index s = span.lower; s < span.upper; ++s)
        loads[s] -= pieces[p].size;
    }
    bool added = false;
    for (Index s = 0; s < loads.size(); ++s) {
      Index worst = s;
      for (; s < loads.size() && loads[s] > moments_.room; ++s)
        if (loads[s] > loads[worst]) worst = s;
      if (s == worst) continue;
      add_section(worst);
      added = true;
    }
    return added;
  }

  void add_section(Index section) {
    Demand demand;
    demand.needed = moments_.loads[section] - moments_.room;
    for (const Index p : moments_.pieces.order) {
      const Interval<Index> span = moments_.pieces.spans[p];
      if (section < span.lower || span.upper <= section) continue;
      demand.buffers.push_back(moments_.owner[p]);
      demand.worth.push_back(
          (std::min)(moments_.pieces.buffers[p].size, demand.needed));
    }
    cover_.add(std::move(demand));
  }

  /// Adds sets that do not fit, until what is left of `rest` fits or is not
  /// known to fit. `found` is a part of `rest`.
  void add_sets(std::vector<std::size_t> rest, Refuted found) {
    for (;;) {
      Shrinker<E> shrinker(*trials_, std::move(found));
      shrinker.run(limit_);
      Demand demand;
      demand.needed = 1;
      demand.buffers = shrinker.buffers();
      demand.worth.assign(demand.buffers.size(), 1);
      const auto in_demand = [&](std::size_t i) {
        return std::binary_search(demand.buffers.begin(), demand.buffers.end(),
                                  i);
      };
      rest.erase(std::remove_if(rest.begin(), rest.end(), in_demand),
                 rest.end());
      cover_.add(std::move(demand));
      Trial trial = trials_->run(rest, limit_);
      if (trial.outcome != Outcome::kRefuted) return;
      found = {rest, std::move(trial.core), trial.nodes};
    }
  }

  /// Finds a placement of a part of `rest`, of which it is not known whether
  /// all of it fits.
  void leave_out_more(std::vector<std::size_t> rest) {
    place_some(*problem_, trials_->capacity(), rest, offsets_,
               [&] { return trials_->budget().is_spent(); });
    exchange();
    // At the end, those that take the most bytes and time for their cost.
    heap_sort(rest, [&](std::size_t a, std::size_t b) {
      const double x = price(a);
      const double y = price(b);
      return x != y ? x > y : a < b;
    });
    const Cost cost = cost_of(left_out());
    for (std::size_t out = 1; !rest.empty() && !is_tired(); out *= 2) {
      rest.resize(rest.size() - (std::min)(out, rest.size()));
      std::vector<std::size_t> kept = rest;
      heap_sort(kept);
      if (!(cost_of(without(kept)) < cost)) break;
      const Trial trial = trials_->run(kept, limit_);
      if (trial.outcome != Outcome::kPlacedAll) continue;
      take(kept, trial);
      break;
    }
    improve();
  }

  [[nodiscard]] Cost cost_of(const std::vector<std::size_t>& buffers) const {
    Cost sum{};
    for (const std::size_t i : buffers) sum += (*cost_)[i];
    return sum;
  }
  [[nodiscard]] double price(std::size_t i) const {
    const Buffer<>& buffer = problem_->buffers[i];
    return static_cast<double>((*cost_)[i]) /
           ((static_cast<double>(buffer.lifespan.upper) -
             static_cast<double>(buffer.lifespan.lower)) *
            (static_cast<double>(buffer.size) + 1));
  }

  /// Puts back what fits, the dearest first: into holes, in exchange for
  /// something cheaper, or by placing everything anew.
  void improve() {
    exchange();
    for (const std::size_t i : left_out()) {
      if (offsets_[i] != kAbsent) continue;
      if (is_tired()) return;
      std::vector<std::size_t> more = placed();
      more.insert(std::lower_bound(more.begin(), more.end(), i), i);
      const Trial trial = trials_->run(more, limit_ / 4);
      if (trial.outcome != Outcome::kPlacedAll) continue;
      take(more, trial);
      exchange();
    }
  }

  /// Until nothing more can be gained so, or time is up. It takes no nodes: a
  /// limit on these does not keep it from filling holes.
  void exchange() {
    for (bool is_better = true; is_better;) {
      is_better = false;
      for (const std::size_t i : left_out()) {
        if (trials_->budget().is_interrupted()) return;
        is_better = (offsets_[i] == kAbsent && put_in(i)) || is_better;
      }
    }
  }

  /// Puts buffer i into a hole or in the place of the cheapest buffer that is
  /// cheaper. False if it cannot be.
  [[nodiscard]] bool put_in(std::size_t i) {
    Spots spots = find_spots(*problem_, i, trials_->capacity(), offsets_);
    if (spots.hole && put_at(i, *spots.hole, i)) return true;
    heap_sort(spots.shared, [&](const Spot& a, const Spot& b) {
      const Cost& x = (*cost_)[a.blocker];
      const Cost& y = (*cost_)[b.blocker];
      return x != y ? x < y : a.blocker < b.blocker;
    });
    for (const Spot& spot : spots.shared) {
      if (!((*cost_)[spot.blocker] < (*cost_)[i]) ||
          trials_->budget().is_interrupted())
        return false;
      if (put_at(i, spot.offset, spot.blocker)) return true;
    }
    return false;
  }

  /// Puts buffer i there instead of `out`, if that is a placement.
  [[nodiscard]] bool put_at(std::size_t i, std::int64_t offset,
                            std::size_t out) {
    std::vector<std::int64_t> offsets = offsets_;
    offsets[out] = kAbsent;
    offsets[i] = offset;
    // Where there is nothing but sizes and lifespans, spots are right.
    if (!trials_->is_plain() &&
        !is_placement(*problem_, trials_->capacity(), offsets))
      return false;
    offsets_ = std::move(offsets);
    return true;
  }

  void take(const std::vector<std::size_t>& buffers, const Trial& trial) {
    offsets_.assign(offsets_.size(), kAbsent);
    put_back(buffers, trial.offsets, offsets_);
  }
  [[nodiscard]] std::vector<std::size_t> placed() const {
    std::vector<std::size_t> result;
    for (std::size_t i = 0; i < offsets_.size(); ++i)
      if (offsets_[i] != kAbsent) result.push_back(i);
    return result;
  }
  /// The dearest first.
  [[nodiscard]] std::vector<std::size_t> left_out() const {
    std::vector<std::size_t> result;
    for (std::size_t i = 0; i < offsets_.size(); ++i)
      if (offsets_[i] == kAbsent) result.push_back(i);
    heap_sort(result, [&](std::size_t a, std::size_t b) {
      return (*cost_)[a] != (*cost_)[b] ? (*cost_)[a] > (*cost_)[b] : a < b;
    });
    return result;
  }
  [[nodiscard]] std::vector<std::size_t> without(
      const std::vector<std::size_t>& out) const {
    std::vector<std::size_t> result;
    for (std::size_t i = 0; i < offsets_.size(); ++i)
      if (!std::binary_search(out.begin(), out.end(), i)) result.push_back(i);
    return result;
  }

  Trials<E>* trials_;
  const Problem<>* problem_;
  const std::vector<Cost>* cost_;
  Moments moments_;
  Cover<Cost> cover_;
  std::int64_t limit_;  ///< nodes of a try
  std::vector<std::int64_t> offsets_;
  Cost lower_bound_{};
  bool is_cheapest_ = false;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_EXPLAIN_SPILL_SEARCH_HPP
