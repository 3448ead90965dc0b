// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Re-planning: buffers stay at their hints, as far as they leave each other
/// alone, and the others are placed around them.
///
///     hints        h1    h2    h3    h4     h3 meets h2, h5 has none
///     round 1      kept  kept  free  kept   5: free        3 and 5 are placed
///     round 2      free neighbours of the free ones, and try again
///     ...          until a round places all, or all are free: no re-planning
///
/// A kept buffer is a fixed one, so a round has to place the free ones alone.
/// Each round gets a few nodes: rounds in which the kept ones leave no room are
/// refuted soon, as a rule.
///
/// Cost: O(p log p + p k) for p slabs, k of which are live together, a round.
#ifndef SNUG_PLAN_REPLAN_HPP
#define SNUG_PLAN_REPLAN_HPP

#include "snug/bodies/bodies.hpp"
#include "snug/bodies/domain.hpp"
#include "snug/bodies/relations.hpp"
#include "snug/config.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/plain.hpp"
#include "snug/plan/call.hpp"
#include "snug/plan/presolved.hpp"
#include "snug/plan/solve_bodies.hpp"
#include "snug/support/outcome.hpp"
#include "snug/support/sort.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// The buffers that may stay where their hints say.
class KeptHints {
 public:
  /// `capacity` is in bytes.
  KeptHints(const Flat& flat, std::int64_t capacity) : pinned_(flat) {
    pin_all(flat);
    const Bodies bodies = BodyBuilder(pinned_).build();
    keeps_.assign(bodies.bodies.size(), true);
    for (Index b = 0; b < bodies.bodies.size(); ++b)
      keeps_[b] = is_possible(bodies, b, capacity / bodies.unit);
    drop_met(flat, bodies);
    for (Index i = 0; i < flat.buffers.size(); ++i) {
      if (flat.is_fixed(i) || keeps_[bodies.body_of[i]]) continue;
      pinned_.fixed[i] = Flat::kNone;
      if (flat.buffers[i].size > 0) ++free_;
    }
  }

  /// The problem with these fixed at their hints.
  [[nodiscard]] Flat& pinned() noexcept { return pinned_; }
  /// How many buffers are not, but for empty ones.
  [[nodiscard]] std::size_t free() const noexcept { return free_; }

 private:
  /// Fixes all that have a hint, and those tied to them: where the first one
  /// of a class says.
  void pin_all(const Flat& flat) {
    if (pinned_.fixed.empty())
      pinned_.fixed.assign(flat.buffers.size(), Flat::kNone);
    for (Index i = 0; i < flat.buffers.size(); ++i) {
      const Index root = flat.root.empty() ? i : flat.root[i];
      if (flat.hints[i] == Flat::kNone || pinned_.is_fixed(root)) continue;
      pinned_.fixed[root] =
          flat.root.empty()
              ? flat.hints[i]
              : (std::max)(flat.hints[i] - flat.delta[i] + flat.delta[root],
                           std::int64_t{0});
    }
    if (!flat.root.empty()) fix_classes(pinned_);
  }

  [[nodiscard]] static bool is_possible(const Bodies& bodies, Index b,
                                        std::int64_t capacity) {
    const Body& body = bodies.bodies[b];
    return body.fixed != Body::kFree && body.fixed >= body.first &&
           (body.fixed - body.first) % body.step == 0 &&
           body.fixed <= capacity - body.extent;
  }

  /// Of two that meet, the one that is not really fixed goes, else the later.
  void drop_met(const Flat& flat, const Bodies& bodies) {
    std::vector<std::uint8_t> real(bodies.bodies.size(), 1);
    for (Index i = 0; i < flat.buffers.size(); ++i)
      if (!flat.is_fixed(i)) real[bodies.body_of[i]] = 0;
    for (Index b = 0; b < keeps_.size(); ++b)
      keeps_[b] = keeps_[b] || real[b] != 0;
    const std::vector<Index> order = slabs_in_time(bodies);
    std::vector<Index> live;
    for (const Index k : order) {
      const Slab& slab = bodies.slabs[k];
      std::size_t kept = 0;
      for (const Index other : live)
        if (bodies.slabs[other].sections.upper > slab.sections.lower)
          live[kept++] = other;
      live.resize(kept);
      for (const Index other : live) {
        const Slab& with = bodies.slabs[other];
        if (!keeps_[slab.body]) break;
        if (!keeps_[with.body] || !bodies.conflict(slab, with) ||
            !meet(bodies, slab, with))
          continue;
        const bool drop_this = real[with.body] != 0 ||
                               (real[slab.body] == 0 && with.body < slab.body);
        keeps_[drop_this ? slab.body : with.body] = false;
      }
      if (keeps_[slab.body]) live.push_back(k);
    }
  }

  [[nodiscard]] static bool meet(const Bodies& bodies, const Slab& p,
                                 const Slab& q) {
    const Forbidden apart = forbidden(p, q);
    const std::int64_t difference =
        bodies.bodies[q.body].fixed - bodies.bodies[p.body].fixed;
    return apart.lower < difference && difference < apart.upper;
  }

  Flat pinned_;
  std::vector<bool> keeps_{};
  std::size_t free_ = 0;
};

/// Frees the kept buffers that are live together with a free one. False if
/// there are none.
inline bool free_neighbours(const Flat& flat, Flat& pinned) {
  const Plain plain = make_plain(pinned.buffers);
  // How many free buffers are live in each section, as sums up to it.
  std::vector<std::int64_t> change(std::size_t{plain.sections} + 1, 0);
  for (const Index i : plain.order) {
    if (pinned.is_fixed(i)) continue;
    ++change[plain.spans[i].lower];
    --change[plain.spans[i].upper];
  }
  std::vector<std::int64_t> busy(std::size_t{plain.sections} + 1, 0);
  std::int64_t live = 0;
  for (Index s = 0; s < plain.sections; ++s) {
    live += change[s];
    busy[s + 1] = busy[s] + (live > 0 ? 1 : 0);
  }
  std::vector<std::uint8_t> freed(pinned.buffers.size(), 0);  // Classes.
  bool frees = false;
  for (const Index i : plain.order) {
    if (!pinned.is_fixed(i) || flat.is_fixed(i)) continue;
    if (busy[plain.spans[i].upper] == busy[plain.spans[i].lower]) continue;
    freed[flat.root.empty() ? i : flat.root[i]] = 1;
    frees = true;
  }
  for (Index i = 0; i < pinned.buffers.size(); ++i)
    if (freed[flat.root.empty() ? i : flat.root[i]] != 0)
      pinned.fixed[i] = Flat::kNone;
  return frees;
}

/// Tries to place a presolved problem below `capacity` with buffers at their
/// hints. Returns whether it did.
template <class E>
[[nodiscard]] bool replan(const Flat& flat, std::int64_t capacity, Call& call,
                          Found& found) {
  constexpr std::int64_t kNodesPerBuffer = 4;
  constexpr int kRounds = 3;
  KeptHints kept(flat, capacity);
  Flat& pinned = kept.pinned();
  pinned.hints.clear();
  // With most of them free, there is little to keep.
  if (kept.free() > flat.buffers.size() / 4) return false;
  if (kept.free() == 0) {
    found.offsets = pinned.fixed;
    for (Index i = 0; i < pinned.fixed.size(); ++i)
      if (found.offsets[i] == Flat::kNone)
        found.offsets[i] = align_up(flat.base, flat.buffers[i].alignment);
    return true;
  }
  for (int round = 0; round < kRounds && !call.is_stopped(); ++round) {
    Share share(
        call, kNodesPerBuffer * static_cast<std::int64_t>(flat.buffers.size()));
    Found of_round;
    if (solve_presolved<E>(pinned, capacity, share.call(), of_round) ==
        Outcome::kPlacedAll) {
      found.offsets = std::move(of_round.offsets);
      return true;
    }
    if (!free_neighbours(flat, pinned)) return false;
  }
  return false;
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAN_REPLAN_HPP
