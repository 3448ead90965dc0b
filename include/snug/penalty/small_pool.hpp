// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The least cost of a small pool by trying all placements that matter: for what
/// symmetry keeps the cores from, a few buffers of a few sizes, nearly all of
/// them pairs.
///
/// Placements that matter. Slide a buffer down, an alignment at a time, as long
/// as it comes to share bytes with none of its *neighbours* (live together, kept
/// apart, or soft pairs) with which it shares none. No pair begins to pay, so
/// when nothing slides any more, every buffer is at the ground or at the top of
/// a neighbour below it, rounded up. Among these placements is one of the least
/// cost.
///
/// Branching. Buffers are placed in the order of (offset, index), each at the
/// ground or at the top of a neighbour that is there already; what shares bytes
/// with it, of those placed, reaches above its offset.
///
/// Bound. All others come at the last offset or higher. Each pays for the placed
/// neighbours that reach above the highest place that it can have; and a clique
/// among the others pays what clique_demands.hpp says of the room that is left.
/// The two sums are of different pairs.
///
/// Twins, of one size and alignment and related to all others alike, come in the
/// order of their indices: exchanging them changes no cost.
///
/// Cost: exponential; some microseconds a node.
#ifndef SNUG_PENALTY_SMALL_POOL_HPP
#define SNUG_PENALTY_SMALL_POOL_HPP

#include "snug/config.hpp"
#include "snug/normal/flat.hpp"
#include "snug/penalty/clique_demands.hpp"
#include "snug/support/align.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"
#include "snug/support/sort.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

class SmallPool {
 public:
  static constexpr std::size_t kMostBuffers = 32;

  /// `flat`: plain, with its ground, and few enough buffers.
  SmallPool(const Flat& flat, std::int64_t ground, std::int64_t capacity,
            const CliqueDemands& cliques)
      : flat_(&flat),
        ground_(ground),
        room_(capacity - ground),
        cliques_(&cliques),
        offsets_(flat.buffers.size(), 0) {
    for (Index i = 0; i < flat.buffers.size(); ++i)
      if (flat.buffers[i].size > 0) open_.push_back(i);
    for (const Index i : open_) {
      earlier_twin_.push_back(i);
      for (const Index j : open_)
        if (j < i && are_twins(j, i)) earlier_twin_.back() = j;
    }
  }

  /// Looks for placements that cost less than `best` with at most `nodes` nodes, until
  /// stop() says so; calls found(offsets, cost) for each, the last one being the best.
  /// Whether there is none better.
  template <class Found>
  [[nodiscard]] bool run(std::int64_t best, std::int64_t nodes,
                         const Interrupt& stop, Found&& found) {
    best_ = best;
    nodes_ = nodes;
    stop_ = stop;
    is_stopped_ = false;
    is_placed_.assign(flat_->buffers.size(), 0);
    placed_.clear();
    place_next(0, 0, found);
    return !is_stopped_;
  }
  /// Of the last run.
  [[nodiscard]] std::int64_t nodes_left() const noexcept { return nodes_; }

 private:
  /// A look at the clock for some milliseconds of work.
  static constexpr std::int64_t kNodesPerLook = 256;

  struct Candidate {
    std::int64_t at;
    Index buffer;
    [[nodiscard]] bool operator<(const Candidate& other) const {
      return at != other.at ? at < other.at : buffer < other.buffer;
    }
    [[nodiscard]] bool operator==(const Candidate& other) const {
      return at == other.at && buffer == other.buffer;
    }
  };

  [[nodiscard]] std::int64_t size(Index i) const {
    return flat_->buffers[i].size;
  }
  [[nodiscard]] bool are_twins(Index a, Index b) const {
    if (size(a) != size(b) ||
        flat_->buffers[a].alignment != flat_->buffers[b].alignment)
      return false;
    return std::all_of(open_.begin(), open_.end(), [&](Index k) {
      return k == a || k == b ||
             cliques_->relation(a, k) == cliques_->relation(b, k);
    });
  }

  /// As deep as there are buffers.
  template <class Found>
  void place_next(std::int64_t last, std::int64_t cost, Found&& found) {
    is_stopped_ =
        is_stopped_ || nodes_ <= 0 || (nodes_ % kNodesPerLook == 0 && stop_());
    if (is_stopped_) return;
    --nodes_;
    if (cost >= best_) return;
    if (placed_.size() == open_.size()) {
      best_ = cost;
      std::vector<std::int64_t> offsets = offsets_;
      for (std::size_t i = 0; i < offsets.size(); ++i)
        offsets[i] = size(static_cast<Index>(i)) == 0
                         ? align_up(flat_->base, flat_->buffers[i].alignment)
                         : offsets[i] + ground_;
      found(offsets, cost);
      return;
    }
    const std::int64_t more = least_of_others(last);
    if (more < 0 || cost + more >= best_) return;
    for (const auto& [at, i] : choices(last)) {
      const std::int64_t added = cost_at(i, at);
      if (added < 0 || cost + added >= best_) continue;
      offsets_[i] = at;
      is_placed_[i] = 1;
      placed_.push_back(i);
      place_next(at, cost + added, found);
      placed_.pop_back();
      is_placed_[i] = 0;
      if (is_stopped_) return;
    }
  }

  /// Where the next buffer may be, in order.
  [[nodiscard]] List<Candidate> choices(std::int64_t last) const {
    List<Candidate> result;
    for (std::size_t k = 0; k < open_.size(); ++k) {
      const Index i = open_[k];
      if (is_placed_[i] != 0) continue;
      if (earlier_twin_[k] != i && is_placed_[earlier_twin_[k]] == 0) continue;
      const auto offer = [&](std::int64_t at) {
        if (at < last || at + size(i) > room_) return;
        if (at == last && !placed_.empty() && i < placed_.back()) return;
        result.push_back({at, i});
      };
      offer(0);
      for (const Index j : placed_)
        if (cliques_->relation(i, j) != CliqueDemands::kFree)
          offer(align_up(offsets_[j] + size(j), flat_->buffers[i].alignment));
    }
    sort_unique(result);
    return result;
  }

  /// What buffer i pays at an offset to those placed, none of which is higher;
  /// -1 if it cannot be there.
  [[nodiscard]] std::int64_t cost_at(Index i, std::int64_t at) const {
    std::int64_t cost = 0;
    for (const Index j : placed_) {
      const std::int64_t relation = cliques_->relation(i, j);
      if (relation == CliqueDemands::kFree || offsets_[j] + size(j) <= at)
        continue;
      if (relation == CliqueDemands::kHard) return -1;
      cost += relation;
    }
    return cost;
  }

  /// What those that are not placed pay more at least, all at `last` or higher;
  /// -1 if one has no place.
  [[nodiscard]] std::int64_t least_of_others(std::int64_t last) const {
    std::int64_t least = 0;
    List<Index> clique;
    for (const Index i : open_) {
      if (is_placed_[i] != 0) continue;
      const std::int64_t highest = room_ - size(i);
      if (highest < last) return -1;
      const std::int64_t cost = cost_at(i, highest);
      if (cost < 0) return -1;
      least += cost;
      if (std::all_of(clique.begin(), clique.end(), [&](Index j) {
            return cliques_->relation(i, j) != CliqueDemands::kFree;
          }))
        clique.push_back(i);
    }
    return least + cliques_->least_in(clique, room_ - last);
  }

  const Flat* flat_;
  std::int64_t ground_;
  std::int64_t room_;
  const CliqueDemands* cliques_;
  List<Index> open_{};                 ///< all that have a size
  List<Index> earlier_twin_{};         ///< of each of them, or itself
  std::vector<std::int64_t> offsets_;  ///< from the ground
  List<std::uint8_t> is_placed_{};
  List<Index> placed_{};
  std::int64_t best_ = 0;
  std::int64_t nodes_ = 0;  ///< left
  Interrupt stop_{};
  bool is_stopped_ = false;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PENALTY_SMALL_POOL_HPP
