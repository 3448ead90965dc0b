// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Local search for a placement of low cost: some buffers are lifted out and put
/// back one by one, each where it costs least.
///
///     lift      a buffer that pays, and some that share bytes with it, are live
///               with it or pay with it
///     put back  in some order, each at the least cost; of equal ones at the
///               lowest or at the highest offset, by turns
///     accept    what is better, and what is a little worse as long as it is hot
///
/// Spots. What is placed forbids (or prices) an interval of offsets, so the cost
/// of a spot is a sum over intervals that hold it, and only changes at their
/// ends: one sweep over the neighbours finds the cheapest.
///
///        hard      soft, 2
///     |=======|               cost of a buffer of size s at offset o:
///          |--------|         no way in (lower - s, upper) of a hard
///     xxxxxxxxxxxx 2 2 | 0    neighbour, 2 more in that of the soft one
///
/// The walk starts hot and cools down in cycles, each twice as long as the one
/// before and from the best placement so far. It needs no clock: the same
/// number of steps gives the same placement everywhere.
///
/// It reads lifespans, alignments, fixed offsets, reserved ranges and pairs that are
/// kept apart or may overlap. Gaps only ever give more freedom and are left out, so
/// every placement is one of the problem. It knows nothing of ties and ends of memory:
/// who has some is fixed before (pinned.hpp).
///
/// Cost: O(d log d) for a buffer that is put back among d placed neighbours.
/// Source: Schrimpf et al., "Record breaking optimization results using the ruin
/// and recreate principle" (Journal of Computational Physics, 2000); blinks and
/// the choice of few neighbours after Christiaens and Vanden Berghe, "Slack
/// induction by string removals" (Transportation Science, 2020).
#ifndef SNUG_PENALTY_PENALTY_WALK_HPP
#define SNUG_PENALTY_PENALTY_WALK_HPP

#include "snug/config.hpp"
#include "snug/normal/flat.hpp"
#include "snug/penalty/live_pairs.hpp"
#include "snug/penalty/penalty_links.hpp"
#include "snug/penalty/soft_pairs.hpp"
#include "snug/support/align.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"
#include "snug/support/random.hpp"
#include "snug/support/rounded.hpp"
#include "snug/support/sort.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

class PenaltyWalk {
 public:
  /// Whether so many bytes hold all links. Of no use if it is interrupted.
  [[nodiscard]] static bool suits(const Flat& flat, std::size_t bytes,
                                  const Interrupt& interrupt = {}) {
    return 2 * count_overlaps(flat.buffers, interrupt) <=
           bytes / sizeof(PenaltyLink);
  }

  /// `flat` suits, without ties and ends; no offset + size may be above `capacity`. Of
  /// no use if it is interrupted.
  PenaltyWalk(const Flat& flat, const List<SoftPair>& soft,
              std::int64_t capacity, std::uint64_t seed,
              const Interrupt& interrupt = {})
      : flat_(&flat),
        soft_(&soft),
        capacity_(capacity),
        random_(seed),
        links_(link_penalties(flat, soft, interrupt)),
        offsets_(flat.buffers.size(), kOut) {
    weigh(flat);
    std::int64_t sum = 0;
    for (const SoftPair& pair : soft) sum += pair.cost;
    if (!soft.empty())
      unit_ = static_cast<double>(sum) / static_cast<double>(soft.size());
  }

  /// Starts from a placement; false if it is none for this walk.
  [[nodiscard]] bool start(const std::vector<std::int64_t>& offsets) {
    offsets_ = offsets;
    for (const Index i : movable_) offsets_[i] = kOut;
    cost_ = 0;
    for (const Index i : movable_) {
      const std::int64_t added = cost_at(i, offsets[i]);
      if (added == kNoWay) return false;
      offsets_[i] = offsets[i];
      cost_ += added;
    }
    note_best();
    return true;
  }

  /// Puts all buffers in, the widest neighbourhoods first; false if one finds
  /// no room, or if stop() says so.
  [[nodiscard]] bool start_empty(const Interrupt& stop = {}) {
    lifted_ = movable_;
    for (const Index i : lifted_) offsets_[i] = kOut;
    cost_ = 0;
    sort_descending(lifted_, [&](Index x) { return bytes_around_[x]; });
    for (const Index i : lifted_)
      if (must_stop(stop) || !put_back(i, false, false)) return false;
    note_best();
    return true;
  }

  /// Lifts and puts back until `steps` buffers were put back, the cost is not
  /// above `target`, or stop() says so. Returns the number of steps.
  std::int64_t run(std::int64_t steps, std::int64_t target,
                   const Interrupt& stop) {
    if (movable_.empty()) return 0;
    const std::int64_t first = steps_;
    if (steps <= 0 || best_cost_ <= target || stop()) return 0;
    while (steps_ - first < steps && best_cost_ > target) {
      if (must_stop(stop)) break;
      if (in_cycle_ >= cycle_) {
        in_cycle_ = 0;
        cycle_ = (std::min)(2 * cycle_, kLongestCycle);
        offsets_ = best_;
        cost_ = best_cost_;
      }
      const std::int64_t before = steps_;
      move();
      in_cycle_ += (std::max)(steps_ - before, std::int64_t{1});
      if (steps_ == before) ++steps_;
    }
    return steps_ - first;
  }

  /// In the order of the buffers; empty before a start.
  [[nodiscard]] const std::vector<std::int64_t>& best() const noexcept {
    return best_;
  }

 private:
  static constexpr std::int64_t kOut = -1;
  static constexpr std::int64_t kNoWay = -1;
  static constexpr std::size_t kStepLooks = 16;  // What it takes in any case.
  static constexpr std::int64_t kFirstCycle = 32768;
  static constexpr std::int64_t kLongestCycle = std::int64_t{1} << 40;

  /// Where a buffer was.
  struct Lifted {
    Index buffer;
    std::int64_t at;
  };
  /// Offsets that something placed forbids or prices: (lower, upper), both
  /// excluded.
  struct Edge {
    std::int64_t at;
    std::int64_t cost;  ///< or PenaltyLink::kHard
    bool is_end;        ///< the interval ends here
    [[nodiscard]] bool operator<(const Edge& other) const {
      return at != other.at ? at < other.at : is_end && !other.is_end;
    }
  };

  /// Asks now and then: how long a step takes depends on what it looks at.
  [[nodiscard]] bool must_stop(const Interrupt& stop) {
    return stop.after(std::exchange(looks_, 0), since_);
  }

  void weigh(const Flat& flat) {
    bytes_around_.assign(flat.buffers.size(), 0);
    for (Index a = 0; a < flat.buffers.size(); ++a) {
      for (const PenaltyLink& link : links_[a])
        bytes_around_[a] += static_cast<double>(size(link.other));
      if (flat.is_fixed(a))
        offsets_[a] = flat.fixed[a];
      else if (size(a) == 0)
        offsets_[a] = align_up(flat.base, flat.buffers[a].alignment);
      else
        movable_.push_back(a);
    }
  }

  [[nodiscard]] std::int64_t size(Index i) const {
    return flat_->buffers[i].size;
  }
  [[nodiscard]] bool share_bytes(Index i, std::int64_t at, Index j) const {
    return at < offsets_[j] + size(j) && offsets_[j] < at + size(i);
  }

  /// What buffer i adds at an offset, or kNoWay.
  [[nodiscard]] std::int64_t cost_at(Index i, std::int64_t at) const {
    std::int64_t cost = 0;
    for (const PenaltyLink& link : links_[i]) {
      if (offsets_[link.other] == kOut || !share_bytes(i, at, link.other))
        continue;
      if (link.cost == PenaltyLink::kHard) return kNoWay;
      cost += link.cost;
    }
    for (const FlatReserved& range : flat_->reserved)
      if (range.is_live_in(flat_->buffers[i].lifespan) &&
          range.bytes.overlaps({at, at + size(i)}))
        return kNoWay;
    return cost;
  }

  void lift(Index i) {
    const std::int64_t at = offsets_[i];
    offsets_[i] = kOut;
    cost_ -= cost_at(i, at);
    looks_ += links_[i].size() + flat_->reserved.size();
  }

  /// The ends of what forbids or prices offsets of buffer i, in order.
  void list_edges(Index i) {
    edges_.clear();
    const auto add = [&](std::int64_t lower, std::int64_t upper,
                         std::int64_t cost) {
      edges_.push_back({lower - size(i), cost, false});
      edges_.push_back({upper, cost, true});
    };
    for (const PenaltyLink& link : links_[i])
      if (offsets_[link.other] != kOut)
        add(offsets_[link.other], offsets_[link.other] + size(link.other),
            link.cost);
    for (const FlatReserved& range : flat_->reserved)
      if (range.is_live_in(flat_->buffers[i].lifespan))
        add(range.bytes.lower, range.bytes.upper, PenaltyLink::kHard);
    std::sort(edges_.begin(), edges_.end());
  }

  /// Puts buffer i where it costs least. A blink overlooks a spot now and then.
  [[nodiscard]] bool put_back(Index i, bool high, bool blinks) {
    ++steps_;
    list_edges(i);
    looks_ += kStepLooks + edges_.size();
    const FlatBuffer& buffer = flat_->buffers[i];
    std::int64_t hard = 0;
    std::int64_t cost = 0;
    std::int64_t best_at = kOut;
    std::int64_t best_cost = 0;
    const std::int64_t top = capacity_ - buffer.size;
    // Between two ends the cost is the same: [from, to], both included.
    std::int64_t from = flat_->base;
    const auto offer_up_to = [&](std::int64_t to) {
      to = (std::min)(to, top);
      const std::int64_t low = align_up(from, buffer.alignment);
      if (hard > 0 || low > to) return;
      if (best_at != kOut && (high ? cost > best_cost : cost >= best_cost))
        return;
      if (blinks && best_at != kOut && any(64) == 0) return;
      best_at = high ? to - to % buffer.alignment : low;
      best_cost = cost;
    };
    for (const Edge& edge : edges_) {
      // Offsets below an end are still inside; a beginning is not yet.
      offer_up_to(edge.is_end ? edge.at - 1 : edge.at);
      from = (std::max)(from, edge.is_end ? edge.at : edge.at + 1);
      const std::int64_t sign = edge.is_end ? -1 : 1;
      (edge.cost == PenaltyLink::kHard ? hard : cost) +=
          edge.cost == PenaltyLink::kHard ? sign : sign * edge.cost;
    }
    offer_up_to(top);
    if (best_at == kOut) return false;
    offsets_[i] = best_at;
    cost_ += best_cost;
    return true;
  }

  void note_best() {
    if (!best_.empty() && cost_ >= best_cost_) return;
    best_cost_ = cost_;
    best_ = offsets_;
  }

  [[nodiscard]] Index any(std::size_t count) {
    return static_cast<Index>(random_.below(static_cast<std::uint32_t>(count)));
  }

  /// A buffer of a pair that pays, or any.
  [[nodiscard]] Index choose_first() {
    for (int tries = 0; tries < 8 && !soft_->empty(); ++tries) {
      const SoftPair& pair = (*soft_)[any(soft_->size())];
      if (!share_bytes(pair.a, offsets_[pair.a], pair.b)) continue;
      const Index i = any(2) == 0 ? pair.a : pair.b;
      if (!flat_->is_fixed(i)) return i;
    }
    return movable_[any(movable_.size())];
  }

  void choose_lifted() {
    constexpr Index kMostLifted = 8;
    const Index wanted = 1 + any(kMostLifted);
    lifted_.assign(1, choose_first());
    for (Index tries = 0; tries < 3 * wanted && lifted_.size() < wanted;
         ++tries) {
      const Index from = lifted_[any(lifted_.size())];
      if (links_[from].empty()) continue;
      const PenaltyLink& link = links_[from][any(links_[from].size())];
      if (flat_->is_fixed(link.other) ||
          std::find(lifted_.begin(), lifted_.end(), link.other) !=
              lifted_.end())
        continue;
      lifted_.push_back(link.other);
    }
  }

  void order_lifted() {
    for (std::size_t k = lifted_.size(); k > 1; --k)
      std::swap(lifted_[k - 1], lifted_[any(k)]);
    if (any(2) != 0) return;
    insertion_sort(lifted_.begin(), lifted_.end(),
                   [&](Index a, Index b) { return size(a) > size(b); });
  }

  void move() {
    choose_lifted();
    const std::int64_t cost = cost_;
    undo_.clear();
    for (const Index i : lifted_) undo_.push_back({i, offsets_[i]});
    for (const Index i : lifted_) lift(i);
    order_lifted();
    const bool high = any(2) != 0;
    bool fits = true;
    for (const Index i : lifted_) {
      fits = put_back(i, high, true);
      if (!fits) break;
    }
    if (fits && is_accepted(cost_ - cost)) {
      note_best();
      return;
    }
    for (const auto& [i, at] : undo_) offsets_[i] = at;
    cost_ = cost;
  }

  [[nodiscard]] bool is_accepted(std::int64_t more) {
    if (more <= 0) return true;
    // Integers but for two rounded products: the same everywhere.
    constexpr std::int64_t kHot = 1024;
    constexpr std::int64_t kCold = 102;
    const std::int64_t heat =
        kHot - (kHot - kCold) * (in_cycle_ * 1024 / cycle_) / 1024;
    const auto draw = static_cast<double>(heat * random_.exponential());
    return static_cast<double>(more) * kScale < rounded(unit_ * draw);
  }

  static constexpr double kScale = 1024.0 * 1024.0;

  const Flat* flat_;
  const List<SoftPair>* soft_;
  std::int64_t capacity_;
  Random random_;
  Lists<PenaltyLink> links_;
  List<double> bytes_around_{};
  List<Index> movable_{};
  std::vector<std::int64_t> offsets_;
  std::int64_t cost_ = 0;
  std::vector<std::int64_t> best_{};
  std::int64_t best_cost_ = 0;
  double unit_ = 1;  ///< the mean cost of a pair
  std::int64_t steps_ = 0;
  std::int64_t in_cycle_ = 0;
  std::int64_t cycle_ = kFirstCycle;
  List<Index> lifted_{};
  List<Lifted> undo_{};
  List<Edge> edges_{};
  std::size_t looks_ = 0;  ///< at edges, links and ranges, not yet counted
  std::size_t since_ = 0;  ///< those that were, since the last question
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PENALTY_PENALTY_WALK_HPP
