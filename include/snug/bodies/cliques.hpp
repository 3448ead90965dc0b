// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Sets of slabs that exclude one another.
///
/// The slabs of a section exclude one another, so their bytes are jobs on one
/// machine (clique_bound.hpp). Where some buffers of a section may overlap, it
/// is replaced by sets in which none may: each buffer is put in the first set
/// all of which it excludes, largest buffers first. Slabs of one body are joined
/// where they touch or overlap, so jobs of a body are disjoint. Fixed bodies
/// take part as jobs that never move. Cliques with fewer than two jobs, or
/// without a free body, say nothing that the domains do not. Idle bytes (idle.hpp)
/// are jobs as well, at the lower end of their body's range.
///
/// Cost: the slabs of each section, and that of idle.hpp.
#ifndef SNUG_BODIES_CLIQUES_HPP
#define SNUG_BODIES_CLIQUES_HPP

#include "snug/bodies/bodies.hpp"
#include "snug/bodies/idle.hpp"
#include "snug/bodies/relations.hpp"
#include "snug/config.hpp"
#include "snug/model/ties.hpp"
#include "snug/normal/flat.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"
#include "snug/support/sort.hpp"
#include "snug/support/view.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// Bytes [offset + lower, offset + lower + length) of a body in a clique; a
/// fixed one's lower end is absolute.
struct Job {
  static constexpr Index kFixed = ~Index{0};

  Index body = kFixed;
  std::int64_t lower = 0;
  std::int64_t length = 0;
  bool is_idle = false;  ///< counts only as long as the body is unplaced
};

/// The classes of free bodies that are linked by meetings: for each body the
/// number of its class, kNone for fixed ones. Classes count from 0.
class Classes {
 public:
  static constexpr Index kNone = ~Index{0};

  Classes(const Bodies& bodies, const Meetings& meetings)
      : of_(bodies.bodies.size(), kNone) {
    TieForest forest(of_.size());
    for (const Meeting& meeting : meetings.free)
      (void)forest.join(meeting.x, meeting.y, 0);
    const List<Index> root = forest.finish().root;
    for (Index b = 0; b < of_.size(); ++b) {
      if (bodies.bodies[b].is_fixed()) continue;
      of_[b] = root[b] == b ? count_++ : of_[root[b]];
    }
  }

  [[nodiscard]] Index count() const noexcept { return count_; }
  [[nodiscard]] Index of(Index body) const noexcept { return of_[body]; }

 private:
  List<Index> of_;
  Index count_ = 0;
};

/// Slabs by section, and the cliques that they make.
class CliqueFinder {
 public:
  CliqueFinder(const Bodies& bodies, const Classes& classes)
      : bodies_(&bodies),
        classes_(&classes),
        order_(slabs_in_time(bodies)),
        chosen_in_(bodies.exempt.empty() ? 0 : bodies.body_of.size(), 0) {}

  /// Calls visit(class, jobs) for each clique, until it is interrupted; jobs of bodies
  /// by their number in Bodies, and of fixed ones at their addresses.
  template <class Visit>
  void for_each(Visit&& visit, const Interrupt& interrupt = {}) {
    List<Index> live;
    List<Index> rest;
    List<Index> chosen;
    std::size_t next = 0;
    const List<Idle> all_idle = find_idle(*bodies_, interrupt);
    const Idle* idle = all_idle.begin();
    std::size_t since = 0;
    for (Index s = 0; s < bodies_->sections; ++s) {
      if (interrupt.after(live.size(), since)) break;
      erase_if(live,
               [&](Index k) { return bodies_->slabs[k].sections.upper <= s; });
      for (; next < order_.size() &&
             bodies_->slabs[order_[next]].sections.lower == s;
           ++next)
        live.push_back(order_[next]);
      const Idle* const first_idle = idle;
      while (idle != all_idle.end() && idle->section == s) ++idle;
      const View<const Idle> idle_of_s{first_idle, idle};
      if (bodies_->exempt.empty()) {
        emit(live, idle_of_s, visit);
        continue;
      }
      rest = live;
      sort_descending(rest,
                      [&](Index k) { return bodies_->slabs[k].length(); });
      while (!rest.empty()) {
        choose(rest, chosen);
        emit(chosen, idle_of_s, visit);
      }
    }
  }

 private:
  /// Moves slabs that exclude one another (or are of one body) out of `rest`.
  void choose(List<Index>& rest, List<Index>& chosen) {
    chosen.clear();
    ++round_;
    erase_if(rest, [&](Index k) {
      const Slab& slab = bodies_->slabs[k];
      if (may_overlap_one(slab, chosen)) return false;
      chosen.push_back(k);
      if (slab.buffer != Bodies::kNoBuffer) chosen_in_[slab.buffer] = round_;
      return true;
    });
  }

  /// Whether a slab may share bytes with one that is chosen and of another body:
  /// by a look at all whose buffers may overlap its own, or at all that are chosen.
  [[nodiscard]] bool may_overlap_one(const Slab& slab,
                                     const List<Index>& chosen) const {
    const View<const IndexPair> exempt = bodies_->exempt_of(slab.buffer);
    if (exempt.size() > chosen.size())
      return any_that(chosen, [&](Index other) {
        const Slab& b = bodies_->slabs[other];
        return b.body != slab.body && !bodies_->exclude(slab, b);
      });
    return any_that(exempt, [&](const IndexPair& pair) {
      return chosen_in_[pair.second] == round_ &&
             bodies_->body_of[pair.second] != slab.body;
    });
  }

  template <class Visit>
  void emit(const List<Index>& chosen, View<const Idle> idle, Visit&& visit) {
    jobs_.clear();
    Index owner = Classes::kNone;
    for (const Index k : chosen) {
      const Slab& slab = bodies_->slabs[k];
      const std::int64_t fixed = bodies_->bodies[slab.body].fixed;
      const bool is_free = fixed == Body::kFree;
      if (is_free) owner = classes_->of(slab.body);
      jobs_.push_back({is_free ? slab.body : Job::kFixed,
                       slab.bytes.lower + (is_free ? 0 : fixed),
                       slab.length()});
    }
    if (owner == Classes::kNone) return;
    for (const Idle& of : idle)
      if (classes_->of(of.body) == owner)
        jobs_.push_back({of.body, of.lower, of.bytes, true});
    heap_sort(jobs_, [](const Job& a, const Job& b) {
      if (a.body != b.body) return a.body < b.body;
      return a.is_idle != b.is_idle ? b.is_idle : a.lower < b.lower;
    });
    join_neighbours(jobs_, [](Job& last, const Job& job) {
      if (last.body != job.body || job.is_idle ||
          job.lower > last.lower + last.length)
        return false;
      last.length =
          (std::max)(last.length, job.lower + job.length - last.lower);
      return true;
    });
    if (jobs_.size() > 1) visit(owner, jobs_);
  }

  const Bodies* bodies_;
  const Classes* classes_;
  List<Index> order_;
  List<std::uint64_t> chosen_in_;  ///< round_, by buffer, if any may overlap
  std::uint64_t round_ = 0;        ///< how many cliques were chosen
  List<Job> jobs_;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_BODIES_CLIQUES_HPP
