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
/// *Lazy.* A job that rises by d takes at most d from the margin of thresholds
/// it passes, so spare[c], a lower bound on the least margin, pays for rises
/// until it is used up; only then the clique is looked at. A body placed with a
/// single job [a, b) in the clique pays itself for jobs that rise from a or
/// above to b exactly: all that began in [a, b) do, so what begins at b or
/// above now is what began at a or above, but for the job itself.
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
      : need_(memory.take<std::int64_t>(component.clique_count())),
        paid_(memory.take<Interval<std::int64_t>>(component.clique_count())),
        order_(memory.take_raw<Index>(component.jobs.size())),
        touched_(memory, component.clique_count()),
        starts_(memory, 64) {
    for (Index k = 0; k < component.jobs.size(); ++k) order_[k] = k;
  }

  /// Looks at every clique and sets its spare.
  [[nodiscard]] CliqueOverflow check_all(BodyState& state) {
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
      for (const Membership* of = component.begin(placed);
           of != component.end(placed); ++of)
        paid_[of->clique] = {};
    CliqueOverflow result;
    for (const Index c : touched_) {
      if (result.excess == 0) {
        const std::int64_t left = state.spare[c] - need_[c];
        if (left >= 0) {
          state.set_spare(c, left);
        } else {
          result = look_at(state, c);
        }
      }
      need_[c] = 0;
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
  [[nodiscard]] static bool moves(const BodyState& state, const Job& job) {
    return job.body != Job::kFixed && state.is_unplaced(job.body);
  }

 private:
  /// Whether a comes before b: from the highest down.
  [[nodiscard]] static bool before(const JobStart& a,
                                   const JobStart& b) noexcept {
    if (a.at != b.at) return a.at > b.at;
    if (a.moves != b.moves) return a.moves;
    return a.job < b.job;
  }

  /// Notes where the job of a body that was placed is in each clique.
  void pay(const BodyState& state, Index placed) {
    const Component& component = *state.component;
    for (const Membership* of = component.begin(placed);
         of != component.end(placed); ++of) {
      if (!of->is_single) continue;
      const std::int64_t start = state.offset[placed] + of->lower;
      paid_[of->clique] = {start, start + of->bytes};
    }
  }

  void rise(const Component& component, Index x, std::int64_t from,
            std::int64_t to) {
    const Membership* const end = component.end(x);
    for (const Membership* of = component.begin(x); of != end; ++of) {
      const Interval<std::int64_t> paid = paid_[of->clique];
      if (of->is_single && paid.lower <= from + of->lower &&
          paid.upper == to + of->lower && !paid.empty())
        continue;
      std::int64_t& need = need_[of->clique];
      if (need == 0) touched_.push(of->clique);
      need = (std::max)(need, to - from);
    }
  }

  [[nodiscard]] CliqueOverflow look_at(BodyState& state, Index c) {
    const Component& component = *state.component;
    Index* const order = order_ + component.jobs_begin[c];
    const Index count = component.jobs_begin[c + 1] - component.jobs_begin[c];
    const Job* const jobs = component.jobs.data();
    starts_.shrink(0);
    JobStart* const starts = starts_.extend(count);
    JobStart* end = starts;
    for (Index k = 0; k < count; ++k) {
      const Job& job = jobs[order[k]];
      const std::int64_t start = start_of(state, job);
      // Only reserved ranges can reach above the capacity.
      const std::int64_t room = state.capacity - start;
      const bool clip = job.body == Job::kFixed && room < job.length;
      if (clip && room <= 0) continue;
      const JobStart next{start, clip ? room : job.length, order[k],
                          moves(state, job)};
      // The order of last time is nearly that of now.
      JobStart* hole = end++;
      for (; hole != starts && before(next, hole[-1]); --hole) *hole = hole[-1];
      *hole = next;
    }
    if (end == starts + count)
      for (Index k = 0; k < count; ++k) order[k] = starts[k].job;
    std::int64_t sum = 0;
    std::int64_t least = state.capacity;
    CliqueOverflow result;
    bool moves = false;  // Whether a job that begins at the threshold does.
    const JobStart* below = starts;  // The next job down that is where it is.
    for (const JobStart* job = starts; job != end; ++job) {
      const std::int64_t threshold = job->at;
      sum += job->length;
      moves = moves || job->moves;
      if (job + 1 != end && job[1].at == threshold) continue;
      // Where no job moves, the next threshold up says as much.
      if (!moves) continue;
      moves = false;
      below = (std::max)(below, job + 1);
      while (below != end && below->moves) ++below;
      std::int64_t across = 0;
      if (below != end)
        across =
            (std::max)(std::int64_t{0}, below->at + below->length - threshold);
      const std::int64_t margin = state.capacity - threshold - sum - across;
      if (margin < least) {
        least = margin;
        result = {c, threshold, -margin, false};
      }
    }
    if (least < 0) return result;
    state.set_spare(c, least);
    const std::int64_t full =
        find_full_holes(starts, end, state.capacity, least);
    if (full >= 0) return {c, full, 1, true};
    return {};
  }

  std::int64_t* need_;  ///< highest rise in each clique; 0 between calls
  Interval<std::int64_t>* paid_;  ///< of the placed body; empty between calls
  Index* order_;  ///< jobs by clique, in the order they were last seen in
  Stack<Index> touched_;
  Stack<JobStart> starts_;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_BODIES_CLIQUE_BOUND_HPP
