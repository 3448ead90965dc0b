// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A low placement of a plain problem, for minimize() to begin with, as a list of
/// attempts. It ends when height and bound meet.
///
///     dives     placements by rules of thumb, then first fit; with pairs first
///               fit that keeps them apart, and nothing to improve
///     joins     large problems only, as in solve() at the bound
///     improve   large problems only: repair and searches of the peak, in turns
///
/// And what other problems begin with: a placement without their constraints.
#ifndef SNUG_PLAN_PLAIN_START_HPP
#define SNUG_PLAN_PLAIN_START_HPP

#include "snug/bounds/aligned_load.hpp"
#include "snug/config.hpp"
#include "snug/heuristics/incumbent.hpp"
#include "snug/model/reason.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/plain.hpp"
#include "snug/peak/place_large.hpp"
#include "snug/plan/call.hpp"
#include "snug/plan/heights.hpp"
#include "snug/plan/ladder.hpp"
#include "snug/plan/partitions.hpp"
#include "snug/plan/solve_plain.hpp"
#include "snug/support/list.hpp"
#include "snug/support/outcome.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// The search of a plain problem by itself, partition by partition.
template <class M>
class PartitionsAt {
 public:
  using Source = const Plain;

  PartitionsAt(const Plain& plain, std::int64_t capacity, Call& call)
      : partitions_(plain, capacity, call) {
    placed_.offsets.assign(plain.buffers.size(), 0);
  }

  [[nodiscard]] Outcome run(Found& found) {
    Outcome outcome = Outcome::kOpen;
    if (!is_open_) outcome = partitions_.open(placed_);
    is_open_ = true;
    if (outcome == Outcome::kOpen)
      outcome = partitions_.search_up_to(kNoNodeLimit, placed_);
    if (outcome == Outcome::kPlacedAll)
      found.offsets = std::move(placed_.offsets);
    return outcome;
  }

 private:
  Found placed_{};
  bool is_open_ = false;
  Partitions<M> partitions_;
};

/// Brings a placement of a plain problem without pairs and obstacles down.
template <class M>
void lower_crest(const Plain& crest, Call& call, Found& found) {
  const auto all = static_cast<Index>(crest.order.size());
  const Heights heights{common_unit(crest, {{}, {0, all}}), /*origin=*/0};
  Ladder<PartitionsAt<M>>(crest, heights, call).climb(found);
}

/// Finds a placement of a plain problem that has buffers in its order.
template <class M>
class PlainStart {
 public:
  /// `bound`: a height that no placement is below.
  PlainStart(const Plain& plain, std::int64_t bound, Call& call)
      : plain_(&plain), bound_(bound), call_(&call) {
    offsets_.assign(plain.buffers.size(), 0);
  }

  /// False if the call gave up before there was a placement of use. take(offsets) gets
  /// it; and a first one, if much time goes into a lower one.
  template <class Take>
  [[nodiscard]] bool run(Take&& take) {
    const Held held(*call_, offsets_.capacity() * sizeof(std::int64_t));
    if (!(plain_->is_pure() ? dive() : fit())) return false;
    const std::int64_t first = height_;
    take(offsets_);
    if (plain_->is_pure() && height_ > bound_ && has_large_partition(*plain_))
      improve();
    if (height_ < first) take(offsets_);
    return true;
  }
  [[nodiscard]] bool run() {
    return run([](const List<std::int64_t>&) {});
  }

  /// In bytes.
  [[nodiscard]] List<std::int64_t>& offsets() noexcept { return offsets_; }
  /// No placement is lower.
  [[nodiscard]] std::int64_t bound() const noexcept { return bound_; }

 private:
  [[nodiscard]] bool fit() {
    if constexpr (!M::kBodies) return false;
    if (!fit_pairs(*plain_, bound_, kMaxTotal, *call_, offsets_)) return false;
    note_height();
    return true;
  }

  [[nodiscard]] bool dive() {
    incumbent_.emplace(*plain_, call_->interrupt());
    incumbent_->dive(*plain_, bound_, kDiveOrders, stopper());
    if (incumbent_->dives() == 0) return false;
    incumbent_->fit(*plain_, bound_, stopper());
    take_incumbent();
    return true;
  }

  void improve() {
    if (place_joined()) return;
    const auto place_crest = [&](const Crest& crest, std::int64_t& nodes,
                                 List<std::int64_t>& offsets) {
      const Held held(*call_, incumbent_->peak_bytes() + crest.bytes_in_use());
      const std::int64_t start = call_->stats().nodes;
      Found found;
      found.offsets = offsets;
      found.bound = (std::max)(bound_ - crest.ground(), std::int64_t{0});
      {
        Share share(*call_, nodes);
        lower_crest<M>(crest.above(), share.call(), found);
      }
      nodes = call_->stats().nodes - start;
      bound_ = found.bound + crest.ground();
      call_->note_bound(bound_);
      offsets.swap(found.offsets);
      return crest.height(offsets) <= bound_ ? Outcome::kPlacedAll
                                             : Outcome::kOpen;
    };
    (void)lower_large(*plain_, kMaxTotal, bound_, place_crest, stopper(),
                      *incumbent_);
    take_incumbent();
  }

  /// A placement at the bound, once some buffers are joined, for a few nodes. Beside
  /// the dives of more buffers that would take too much memory.
  [[nodiscard]] bool place_joined() {
    if constexpr (M::kBoth) {
      constexpr std::int64_t kNodesPerBuffer = 4;
      constexpr std::int64_t kMostBuffers = 8192;
      const auto n = static_cast<std::int64_t>(plain_->order.size());
      if (n > kMostBuffers) return false;
      const Held held(*call_, incumbent_->memory().bytes());
      Share share(*call_, kNodesPerBuffer * n);
      PlainSolve<M> solve({plain_, bound_, bound_}, share.call());
      if (solve.run_joins() != Outcome::kPlacedAll) return false;
      offsets_ = std::move(solve.found().offsets);
      note_height();
      return true;
    }
    return false;
  }

  /// That of the call, and reports the best height on the way.
  [[nodiscard]] auto stopper() noexcept {
    return [this] {
      call_->limits().note_height(incumbent_->best().height);
      return call_->must_stop();
    };
  }

  void take_incumbent() {
    call_->count_bytes(incumbent_->peak_bytes());
    incumbent_->write(offsets_);
    note_height();
  }

  void note_height() {
    height_ = height_of(plain_->buffers, offsets_);
    call_->limits().note_height(height_);
  }

  const Plain* plain_;
  std::int64_t bound_;
  Call* call_;
  List<std::int64_t> offsets_{};
  std::int64_t height_ = 0;
  std::optional<IncumbentSearch> incumbent_{};
};

/// A relaxed placement of a large problem, from which others are made that honour its
/// constraints (plan/body_start.hpp): nothing is known of any but the alignments, so
/// it is placed as a problem that has no others. Offsets count from the base of memory.
/// They are multiples of the alignments then, which is not what the whole needs if the
/// base is not. take(offsets) gets it; where it is to be low, a first one before, if much
/// time goes into a lower one. None if they are not known or the call gave up.
template <class M, class Take>
void place_relaxed(const Flat& flat, std::int64_t ceiling, Wanted wanted,
                   Call& call, Take&& take) {
  const Plain relaxed = make_plain(flat.buffers, call.interrupt());
  if (call.gave_up() || relaxed.order.empty()) return;
  const Held held(call, relaxed.bytes());
  const std::int64_t bound = aligned_load(relaxed, call.interrupt());
  Share share(call, Share::kNoSearch);
  if (wanted == Wanted::kLowest) {
    PlainStart<M> start(relaxed, bound, share.call());
    (void)start.run(take);
  } else {
    PlainSolve<M> solve({&relaxed, ceiling - flat.base, bound}, share.call());
    if (solve.run() == Outcome::kPlacedAll) take(solve.found().offsets);
  }
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAN_PLAIN_START_HPP
