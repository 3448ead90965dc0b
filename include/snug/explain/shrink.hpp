// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// From buffers that do not fit to an irreducible set of them.
///
/// Let K be a set that was refuted. Some of its buffers are left out and the
/// rest is tried:
///
///     refuted   the core of the proof is the new K; it is tried in turn, for
///               it may have a smaller core yet
///     fits      if one was left out, it is *necessary*: without it K fits, and
///               so does every subset of K. If there were several, they come
///               again in smaller chunks
///     neither   the nodes ran out: again in smaller chunks; for one, later and
///               with more nodes
///
/// Before that, a short window of time may be refuted (window_trials.hpp). Chunks are
/// a quarter of K at first, and half as large after each pass.
///
/// A placement of a part of K says more. Those of K that it lacks are put into
/// its holes; if one is left, that one is necessary. Exchanged for a buffer
/// that alone is in its way (spots.hpp), it shows that other one necessary,
/// and so on: most buffers of a small K need no solve. Placements are kept, for
/// when K shrinks, they may lack only one of it.
///
/// K is irreducible when all of it is necessary. Every refutation and every
/// placement is of the buffers it is about; nothing hangs on the cores or on
/// the exchanges, which validate() judges.
///
/// Cost: about one solve a buffer at worst, in practice far fewer.
/// Source: deletion by chunks after Junker, "QuickXplain" (AAAI 2004); the
/// exchange after model rotation, Belov and Marques-Silva, "Accelerating MUS
/// extraction with recursive model rotation" (FMCAD 2011).
#ifndef SNUG_EXPLAIN_SHRINK_HPP
#define SNUG_EXPLAIN_SHRINK_HPP

#include "snug/config.hpp"
#include "snug/explain/spots.hpp"
#include "snug/explain/trial.hpp"
#include "snug/explain/window_trials.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/subset.hpp"
#include "snug/plan/budget.hpp"
#include "snug/support/list.hpp"
#include "snug/support/outcome.hpp"
#include "snug/support/rounded.hpp"
#include "snug/support/sort.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

template <class M>
class Shrinker {
 public:
  Shrinker(Trials<M>& trials, Refuted found)
      : trials_(&trials),
        problem_(&trials.problem()),
        buffers_(found.buffers),
        marks_(problem_->buffers.size(), Mark::kOutside) {
    for (const std::size_t i : buffers_) marks_[i] = Mark::kUntried;
    leave_only(std::move(found));
  }

  /// Does not fit. Ascending.
  [[nodiscard]] const std::vector<std::size_t>& buffers() const noexcept {
    return buffers_;
  }
  /// Whether all of them are necessary.
  [[nodiscard]] bool is_irreducible() const {
    return std::all_of(buffers_.begin(), buffers_.end(), [&](std::size_t i) {
      return marks_[i] == Mark::kNecessary;
    });
  }

  /// Goes on with some of them, which were refuted.
  void leave_only(Refuted found) {
    for (;;) {
      raise_limit(found.nodes);
      if (found.buffers.size() < buffers_.size()) drop_others(found.buffers);
      if (found.core.size() == buffers_.size()) return;
      Trial trial = trials_->run(found.core, limit_);
      if (trial.outcome == Outcome::kPlacedAll)
        keep_placement(found.core, trial);
      if (trial.outcome != Outcome::kRefuted) return;
      found = {std::move(found.core), std::move(trial.core), trial.nodes};
    }
  }

  /// Shrinks until the set is irreducible or the budget is spent. What takes
  /// more than `most` nodes is given up.
  void run(std::int64_t most) {
    for (; !trials_->budget().is_spent(); raise_limit(limit_)) {
      shorten((std::min)(limit_, most));
      shrink_at_limit((std::min)(limit_, most));
      if (is_irreducible() || limit_ >= most) return;
      for (const std::size_t i : buffers_)
        if (marks_[i] == Mark::kOpen) marks_[i] = Mark::kUntried;
    }
  }

 private:
  enum class Mark : std::uint8_t {
    kOutside,  ///< not one of the set
    kUntried,
    kOpen,       ///< neither answer within the limit
    kNecessary,  ///< the set without it fits
  };

  static constexpr std::int64_t kLimitGrowth = 2;

  void raise_limit(std::int64_t nodes) {
    limit_ = (std::max)({limit_, multiply_nodes(kLimitGrowth, nodes),
                         multiply_nodes(kFirstNodes, static_cast<std::int64_t>(
                                                         buffers_.size()))});
  }

  /// Goes on with the buffers of a short window, if one is refuted.
  void shorten(std::int64_t limit) {
    Refuted found = WindowTrials<M>(*trials_, buffers_)
                        .search(limit, multiply_nodes(8, limit));
    if (!found.buffers.empty()) leave_only(std::move(found));
  }

  void shrink_at_limit(std::int64_t limit) {
    std::size_t chunk = (std::max)(buffers_.size() / 4, std::size_t{1});
    for (;; chunk = (std::max)(chunk / 2, std::size_t{1})) {
      std::vector<std::size_t> untried = find_untried();
      if (untried.empty() || trials_->budget().is_spent()) return;
      for (std::size_t at = 0; at < untried.size(); at += chunk) {
        std::vector<std::size_t> out;
        for (std::size_t k = at; k < untried.size() && k < at + chunk; ++k)
          if (marks_[untried[k]] == Mark::kUntried) out.push_back(untried[k]);
        if (!out.empty()) try_without(std::move(out), limit);
      }
    }
  }

  void try_without(std::vector<std::size_t> out, std::int64_t limit) {
    heap_sort(out);
    std::vector<std::size_t> rest;
    for (const std::size_t i : buffers_)
      if (!std::binary_search(out.begin(), out.end(), i)) rest.push_back(i);
    Trial trial = trials_->run(rest, limit);
    switch (trial.outcome) {
      case Outcome::kRefuted:
        leave_only({std::move(rest), std::move(trial.core), trial.nodes});
        break;
      case Outcome::kPlacedAll:
        keep_placement(rest, trial);
        break;
      case Outcome::kOpen:
        if (out.size() == 1) marks_[out.front()] = Mark::kOpen;
        break;
    }
  }

  /// Those that come next, small ones first: they are needed the least.
  [[nodiscard]] std::vector<std::size_t> find_untried() const {
    std::vector<std::size_t> untried;
    for (const std::size_t i : buffers_)
      if (marks_[i] == Mark::kUntried) untried.push_back(i);
    sort_ascending(untried, [&](std::size_t i) {
      return rounded(area(problem_->buffers[i]));
    });
    return untried;
  }
  [[nodiscard]] static double area(const Buffer<>& buffer) {
    return distance(buffer.lifespan.lower, buffer.lifespan.upper) *
           static_cast<double>(buffer.size);
  }

  void drop_others(const std::vector<std::size_t>& kept) {
    for (const std::size_t i : buffers_)
      if (!std::binary_search(kept.begin(), kept.end(), i))
        marks_[i] = Mark::kOutside;
    buffers_ = kept;
    for (const std::vector<std::int64_t>& offsets : placements_)
      if (const std::size_t* lone = find_only_absent(offsets))
        mark_necessary(*lone, offsets);
  }

  /// The one buffer of the set that a placement lacks, or null.
  [[nodiscard]] const std::size_t* find_only_absent(
      const std::vector<std::int64_t>& offsets) const {
    const std::size_t* found = nullptr;
    for (const std::size_t& i : buffers_) {
      if (offsets[i] != kAbsent) continue;
      if (found != nullptr) return nullptr;
      found = &i;
    }
    return found;
  }

  /// Draws the conclusions from a placement of a part of the set.
  void keep_placement(const std::vector<std::size_t>& placed,
                      const Trial& trial) {
    std::vector<std::int64_t> offsets(problem_->buffers.size(), kAbsent);
    put_back(placed, trial.offsets, offsets);
    std::vector<std::int64_t> fuller = offsets;
    for (const std::size_t i : buffers_) {
      if (fuller[i] != kAbsent) continue;
      if (trials_->budget().is_interrupted()) break;
      const Spots spots = find_spots(*problem_, i, trials_->capacity(), fuller);
      if (spots.hole) fuller[i] = *spots.hole;
    }
    if (is_placement(*problem_, trials_->capacity(), fuller))
      offsets.swap(fuller);
    if (const std::size_t* lone = find_only_absent(offsets))
      mark_necessary(*lone, offsets);
    placements_.push_back(std::move(offsets));
  }

  /// `offsets` places all of the set but `lone`: marks it, and those that it
  /// can be exchanged for, as long as there is time.
  void mark_necessary(std::size_t lone,
                      const std::vector<std::int64_t>& offsets) {
    if (marks_[lone] == Mark::kNecessary) return;
    marks_[lone] = Mark::kNecessary;
    struct Exchange {
      std::size_t lone;
      std::vector<std::int64_t> offsets;
    };
    std::vector<Exchange> exchanges = {{lone, offsets}};
    while (!exchanges.empty()) {
      const Exchange from = std::move(exchanges.back());
      exchanges.pop_back();
      const Spots spots =
          find_spots(*problem_, from.lone, trials_->capacity(), from.offsets);
      for (const Spot& spot : spots.shared) {
        if (marks_[spot.blocker] == Mark::kNecessary ||
            marks_[spot.blocker] == Mark::kOutside)
          continue;
        if (trials_->budget().is_interrupted()) return;
        Exchange to{spot.blocker, from.offsets};
        to.offsets[from.lone] = spot.offset;
        to.offsets[to.lone] = kAbsent;
        if (!is_placement(*problem_, trials_->capacity(), to.offsets)) continue;
        marks_[to.lone] = Mark::kNecessary;
        exchanges.push_back(std::move(to));
      }
    }
  }

  Trials<M>* trials_;
  const Problem<>* problem_;
  std::vector<std::size_t> buffers_;
  List<Mark> marks_;
  std::vector<std::vector<std::int64_t>>
      placements_{};  ///< of parts of the set
  std::int64_t limit_ = 0;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_EXPLAIN_SHRINK_HPP
