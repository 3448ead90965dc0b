// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A search for a window of time (plan/windows.hpp) whose buffers do not fit, in turns
/// with searches of a whole problem with constraints (plan/constrained_search.hpp).
///
/// Ties and coarse alignments may leave no room where loads leave a lot, and a search
/// of everything knows that only when it has been there, in each of its branches. The
/// thirty buffers around the place are refuted in a few hundred nodes.
///
/// A placement of all is one of those in a window, for what is asked of them is less
/// (normal/flat_subset.hpp). So what is refuted is refuted for all; a placement of
/// theirs says nothing.
///
/// Cost: a window counts as one node a buffer at least, for what it takes to make its
/// models.
#ifndef SNUG_PLAN_WINDOW_SEARCH_HPP
#define SNUG_PLAN_WINDOW_SEARCH_HPP

#include "snug/config.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/flat_subset.hpp"
#include "snug/normal/plain.hpp"
#include "snug/normal/presolve.hpp"
#include "snug/plan/call.hpp"
#include "snug/plan/flat_models.hpp"
#include "snug/plan/windows.hpp"
#include "snug/support/list.hpp"
#include "snug/support/outcome.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// plan/place_presolved.hpp, whose search gives windows their turns.
template <class M, Wanted kWanted>
[[nodiscard]] Outcome place_presolved(Flat flat, std::int64_t ceiling,
                                      Call& call, Found& found);

template <class M>
class WindowSearch {
 public:
  /// Both must outlive it. Of no use if the call gave up.
  WindowSearch(FlatModels<M>& models, std::int64_t capacity, Call& call)
      : models_(&models),
        capacity_(capacity),
        call_(&call),
        windows_(make_plain(models.flat().buffers, call.interrupt()), kParts),
        held_(call, windows_.bytes()) {}
  WindowSearch(const WindowSearch&) = delete;
  WindowSearch& operator=(const WindowSearch&) = delete;

  /// Tries windows until they had so many nodes in all, each for a part of these.
  [[nodiscard]] Outcome search_up_to(std::int64_t nodes, Found& found) {
    const auto must_stop = [&] { return call_->must_stop(); };
    const auto try_some = [&](const List<Index>& inside, std::int64_t limit) {
      return search_some(inside, limit, found);
    };
    return windows_.search(nodes / kShare, nodes - nodes_, must_stop, try_some)
               ? Outcome::kRefuted
               : Outcome::kOpen;
  }
  /// Tries the one that was refuted at another capacity, once, for about as long again.
  [[nodiscard]] Outcome search_again(Found& found) {
    const RefutedSome before = models_->refuted;
    if (before.buffers.empty() || nodes_ > 0) return Outcome::kOpen;
    const Outcome outcome =
        search_some(before.buffers, multiply_nodes(2, before.nodes), found)
            .outcome;
    return outcome == Outcome::kRefuted ? outcome : Outcome::kOpen;
  }

 private:
  static constexpr Index kParts = 2;         ///< of a window
  static constexpr std::int64_t kShare = 4;  ///< a window has of the nodes

  [[nodiscard]] Windows::Answer search_some(const List<Index>& inside,
                                            std::int64_t limit, Found& found) {
    const std::int64_t before = call_->stats().nodes;
    Share share(*call_, limit);
    share.call().enter_window();
    Flat some = subset_of(models_->flat(), inside);
    const std::int64_t capacity = presolve(some, capacity_);
    Found placed;
    const Outcome outcome = place_presolved<M, Wanted::kAny>(
        std::move(some), capacity, share.call(), placed);
    const std::int64_t nodes =
        (std::max)(call_->stats().nodes - before,
                   static_cast<std::int64_t>(inside.size()));
    nodes_ += nodes;
    if (outcome == Outcome::kRefuted) {
      models_->refuted = {inside, nodes};
      found.core.clear();
      for (const Index k : placed.core) found.core.push_back(inside[k]);
      if (placed.core.empty()) found.core = inside;
    }
    return {outcome, nodes};
  }

  FlatModels<M>* models_;
  std::int64_t capacity_;
  Call* call_;
  Windows windows_;
  Held held_;
  std::int64_t nodes_ = 0;  ///< so far
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAN_WINDOW_SEARCH_HPP
