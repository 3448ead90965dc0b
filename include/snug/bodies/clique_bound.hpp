// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Cross-section inference for bodies: when the jobs of a clique do not fit.
///
/// The jobs of a clique need disjoint bytes below the capacity C. A job of an
/// unplaced body x begins at release[x] + lower or above, one of a placed or
/// fixed body exactly where it is. For any threshold t
///
///     t + sum of the lengths of jobs that begin at or above t
///       + what a placed or fixed job that begins below t has above t  <=  C
///
/// must hold. The thresholds that matter are the beginnings of unplaced jobs.
///
/// *Idle bytes* (idle.hpp) are disjoint from all that is live, wherever their body
/// will be, and lie at its release or above: as long as it is unplaced they are a
/// job that begins there, and then none. They may lie in holes, so these are looked
/// at without them.
///
/// *Lazy.* A job that rises by d takes at most d from the margin of thresholds
/// it passes, so spare[c], a lower bound on the least margin, pays for rises
/// until it is used up; only then the clique is looked at. A body placed with a
/// single job [a, b) in the clique pays itself for jobs that rise from a or
/// above to b exactly: all that began in [a, b) do, so what begins at b or
/// above now is what began at a or above, but for the job itself.
///
/// *Margins.* From the lowest job up, with the sum of all lengths and that of
/// the jobs below t known, and how far up the last placed or fixed job below t
/// reaches, the margin of t is C - (sum - below) - max(t, reach).
///
/// Source: MiniMalloc (ASPLOS 2023), cross-section inference; Jackson's rule.
#ifndef SNUG_BODIES_CLIQUE_BOUND_HPP
#define SNUG_BODIES_CLIQUE_BOUND_HPP

#include "snug/bodies/body_state.hpp"
#include "snug/bodies/component.hpp"
#include "snug/config.hpp"
#include "snug/engine/holes.hpp"
#include "snug/model/interval.hpp"
#include "snug/support/memory.hpp"
#include "snug/support/sort.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// A clique that does not fit, the threshold that shows it, and by how much.
struct CliqueOverflow {
  Index clique = 0;
  std::int64_t threshold = 0;
  std::int64_t excess = 0;  ///< 0: none found
  bool holes = false;       ///< it takes all jobs to see it, engine/holes.hpp
};

class CliqueBound {
 public:
  CliqueBound(const Component& component, Memory& memory)
      : rises_(memory.take<Rise>(component.clique_count())),
        order_(memory.take_raw<Index>(component.jobs.all().size())),
        touched_(memory, component.clique_count()),
        places_(memory.take_raw<std::int64_t>(component.size)) {
    for (Index k = 0; k < component.jobs.all().size(); ++k) order_[k] = k;
    std::size_t most = 0;
    for (Index c = 0; c < component.clique_count(); ++c)
      most = (std::max)(most, component.jobs[c].size());
    seen_ = memory.take_raw<Seen>(most);
    starts_ = memory.take_raw<JobStart>(most);
  }

  /// Looks at every clique and sets its spare.
  [[nodiscard]] CliqueOverflow check_all(BodyState& state) {
    note_places(state);
    for (Index c = 0; c < state.component->clique_count(); ++c) {
      const CliqueOverflow result = look_at(state, c);
      if (result.excess > 0) return result;
    }
    return {};
  }

  /// Checks what the changes after the first `mark` trail entries may have
  /// broken: a placement, of which the first one tells, or skips.
  [[nodiscard]] CliqueOverflow check(BodyState& state, std::size_t mark) {
    const Component& component = *state.component;
    const std::size_t end = state.trail.size();
    if (mark == end) return {};
    const Index placed = state.trail[mark].body;
    // So far the entries are of bodies: only what comes below changes spares.
    for (std::size_t k = mark; k < end; ++k)
      SNUG_ASSERT(state.trail[k].change != BodyState::Change::kSpare);
    const bool pays = state.trail[mark].change == BodyState::Change::kPlaced;
    if (pays) pay(state, placed);
    for (std::size_t k = mark; k < end; ++k) {
      const BodyState::TrailEntry& entry = state.trail[k];
      const Index x = entry.body;
      const std::int64_t now =
          state.is_unplaced(x) ? state.release[x] : state.offset[x];
      if (now > entry.release) rise(component, x, entry.release, now);
    }
    if (pays)
      for (const Membership& of : component.cliques[placed])
        rises_[of.clique].paid = {};
    CliqueOverflow result;
    bool noted = false;
    for (const Index c : touched_) {
      if (result.excess == 0) {
        const std::int64_t left = state.spare[c] - rises_[c].highest;
        if (left >= 0) {
          state.set_spare(c, left);
        } else {
          if (!noted) note_places(state);
          noted = true;
          result = look_at(state, c);
        }
      }
      rises_[c].highest = 0;
    }
    touched_.shrink(0);
    return result;
  }

  /// Where a job begins at the earliest.
  [[nodiscard]] static std::int64_t start_of(const BodyState& state,
                                             const Job& job) {
    if (job.body == Job::kFixed) return job.lower;
    return job.lower + (state.is_unplaced(job.body) ? state.release[job.body]
                                                    : state.offset[job.body]);
  }

 private:
  /// How jobs of a clique rise in a check; nothing between checks.
  struct Rise {
    std::int64_t highest = 0;       ///< of those that nobody pays for
    Interval<std::int64_t> paid{};  ///< what the placed body takes
  };

  /// A job: twice where it begins, and one more if it moves. So those that move
  /// come first from the highest down.
  struct Seen {
    std::int64_t place;
    Index job;

    [[nodiscard]] bool moves() const noexcept { return (place & 1) != 0; }
    [[nodiscard]] std::int64_t at() const noexcept { return place >> 1; }
  };

  /// Notes where the job of a body that was placed is in each clique.
  void pay(const BodyState& state, Index placed) {
    for (const Membership& of : state.component->cliques[placed]) {
      if (!of.is_single) continue;
      const std::int64_t start = state.offset[placed] + of.lower;
      rises_[of.clique].paid = {start, start + of.bytes};
    }
  }

  void rise(const Component& component, Index x, std::int64_t from,
            std::int64_t to) {
    for (const Membership& of : component.cliques[x]) {
      Rise& rise = rises_[of.clique];
      const Interval<std::int64_t> paid = rise.paid;
      if (of.is_single && paid.lower <= from + of.lower &&
          paid.upper == to + of.lower && !paid.empty())
        continue;
      if (rise.highest == 0) touched_.push(of.clique);
      rise.highest = (std::max)(rise.highest, to - from);
    }
  }

  /// Notes where all bodies are.
  void note_places(const BodyState& state) {
    for (Index x = 0; x < state.component->size; ++x) {
      const bool moves = state.is_unplaced(x);
      places_[x] =
          2 * (moves ? state.release[x] : state.offset[x]) + (moves ? 1 : 0);
    }
  }

  [[nodiscard]] CliqueOverflow look_at(BodyState& state, Index c) {
    const Component& component = *state.component;
    Index* const order = order_ + component.jobs.begin_of(c);
    const Index count =
        component.jobs.begin_of(c + 1) - component.jobs.begin_of(c);
    const Job* const jobs = component.jobs.all().data();
    Seen* const seen = seen_;
    Seen* end = seen;
    std::int64_t below = state.capacity;  // Without the jobs at t or above.
    for (Index k = 0; k < count; ++k) {
      const Job& job = jobs[order[k]];
      Seen next{2 * job.lower, order[k]};
      if (job.body != Job::kFixed) {
        next.place += places_[job.body];
      } else if (job.lower >= state.capacity) {
        continue;
      }
      below -= length_of(state, job, next);
      // The order of last time is nearly that of now.
      *end = next;
      insert_next(seen, end++, [](const Seen& a, const Seen& b) {
        return a.place > b.place;
      });
    }
    if (end == seen + count)
      for (Index k = 0; k < count; ++k) order[k] = seen[k].job;
    std::int64_t least = state.capacity;
    std::int64_t threshold = 0;
    std::int64_t reach = 0;
    bool moved = false;
    bool bounded = false;  // Whether a job that stays is above one that moves.
    for (const Seen* job = end; job-- != seen;) {
      const std::int64_t at = job->at();
      const std::int64_t length = length_of(state, jobs[job->job], *job);
      if (job->moves()) {
        const std::int64_t margin = below - (std::max)(at, reach);
        // Of those that begin there the first is below all of them.
        if (margin <= least) {
          least = margin;
          threshold = at;
        }
        moved = true;
      } else if (length > 0) {
        reach = at + length;
        bounded = moved;
      }
      below += length;
    }
    if (least < 0) return {c, threshold, -least, false};
    state.set_spare(c, least);
    if (!bounded) return {};
    JobStart* start = starts_;
    for (const Seen* job = seen; job != end; ++job)
      if (!jobs[job->job].is_idle)
        *start++ = {job->at(), length_of(state, jobs[job->job], *job), job->job,
                    job->moves()};
    const std::int64_t full =
        find_full_holes(starts_, start, state.capacity, least);
    if (full >= 0) return {c, full, 1, true};
    return {};
  }

  /// Only reserved ranges can reach above the capacity.
  [[nodiscard]] static std::int64_t length_of(const BodyState& state,
                                              const Job& job,
                                              const Seen& seen) {
    if (job.is_idle && !seen.moves()) return 0;
    return job.body == Job::kFixed
               ? (std::min)(job.length, state.capacity - seen.at())
               : job.length;
  }

  Rise* rises_;   ///< by clique
  Index* order_;  ///< jobs by clique, in the order they were last seen in
  Stack<Index> touched_;
  std::int64_t* places_;  ///< of bodies, as those of jobs, at the first look
  Seen* seen_;            ///< the jobs of a clique, from the highest down
  JobStart* starts_;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_BODIES_CLIQUE_BOUND_HPP
