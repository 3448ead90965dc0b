// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the search of constrained problems reads: a set of free bodies none of
/// which has a relation to a body outside, renumbered in order of time.
///
/// *Domains.* Fixed bodies are taken out of the domains of the free ones here,
/// once and for all, so thousands of them cost the search nothing.
///
/// Cost: O(relations + jobs) memory.
#ifndef SNUG_BODIES_COMPONENT_HPP
#define SNUG_BODIES_COMPONENT_HPP

#include "snug/bodies/bodies.hpp"
#include "snug/bodies/cliques.hpp"
#include "snug/bodies/domain.hpp"
#include "snug/bodies/relations.hpp"
#include "snug/config.hpp"
#include "snug/engine/bits.hpp"
#include "snug/model/interval.hpp"
#include "snug/normal/flat.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"
#include "snug/support/memory.hpp"
#include "snug/support/rows.hpp"
#include "snug/support/sort.hpp"
#include "snug/support/view.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// A clique that a body has jobs in.
struct Membership {
  Index clique = 0;
  bool is_single = true;   ///< whether the body has just one job there
  std::int64_t lower = 0;  ///< of its first job
  std::int64_t bytes = 0;  ///< of all of its jobs there
};

struct Component {
  Index size = 0;
  Rows<Relation, Index> relations{};  ///< by body, ascending
  Rows<Membership, Index> cliques{};  ///< by body, ascending
  Rows<Job, Index> jobs{};            ///< by clique
  Rows<Range, Index> ranges{};  ///< of the domains without a capacity, by body
  bool grounded = true;         ///< see body_model.hpp
  List<Index> body{};           ///< its number in Bodies
  List<Steps> steps{};
  List<std::int64_t> extent{};
  List<Interval<Index>> span{};  ///< hull of its slabs' sections
  List<double> width{};
  List<double> area{};
  List<Index> twin{};  ///< the next of its class of twins, in a ring

  List<std::int64_t> widest{};  ///< longest interval in its relations
  List<Forbidden> forbidden{};

  [[nodiscard]] Index words() const noexcept { return words_for(size); }
  [[nodiscard]] Index clique_count() const noexcept {
    return static_cast<Index>(jobs.size());
  }
  /// The most stretches of addresses that all others together forbid one body.
  [[nodiscard]] std::size_t most_stretches() const noexcept {
    std::size_t most = 0;
    for (Index x = 0; x < size; ++x)
      if (const View<const Relation> of = relations[x]; !of.empty())
        most = (std::max)(most, std::size_t{of[of.size() - 1].forbidden_end -
                                            of[0].forbidden_begin});
    return most;
  }
  [[nodiscard]] std::size_t bytes() const noexcept {
    return bytes_of(body, steps, extent, span, width, area, twin, widest,
                    forbidden) +
           ranges.bytes() + relations.bytes() + jobs.bytes() + cliques.bytes();
  }
};

[[nodiscard]] inline std::size_t bytes_of(
    const std::vector<Component>& components) noexcept {
  std::size_t bytes = 0;
  for (const Component& component : components) bytes += component.bytes();
  return bytes;
}

/// Makes the components of a problem, one for each class. They are of no use if it is
/// interrupted.
class ComponentBuilder {
 public:
  explicit ComponentBuilder(const Bodies& bodies,
                            const Interrupt& interrupt = {})
      : bodies_(&bodies),
        interrupt_(interrupt),
        meetings_(find_meetings(bodies, interrupt)),
        classes_(bodies, meetings_),
        local_(bodies.bodies.size(), 0),
        hull_(bodies.bodies.size(), {bodies.sections, 0}) {
    for (const Slab& slab : bodies.slabs)
      hull_[slab.body] = hull_of(hull_[slab.body], slab.sections);
  }

  [[nodiscard]] std::vector<Component> build() {
    std::vector<Component> result(classes_.count());
    for (Index b = 0; b < local_.size(); ++b)
      if (const Index k = classes_.of(b); k != Classes::kNone)
        result[k].body.push_back(b);
    for (Component& component : result) add_bodies(component);
    add_relations(result);
    meetings_ = {};
    const auto add_clique = [&](Index k, const List<Job>& jobs) {
      Component& component = result[k];
      for (Job job : jobs) {
        if (job.body != Job::kFixed) job.body = local_[job.body];
        component.jobs.push_back(job);
      }
      component.jobs.end_row();
    };
    CliqueFinder(*bodies_, classes_).for_each(add_clique, interrupt_);
    for (Component& component : result) {
      list_cliques(component);
      find_twins(component);
    }
    return result;
  }

  /// The most bytes that were held at one time.
  [[nodiscard]] std::size_t peak_bytes() const noexcept { return peak_bytes_; }

 private:
  /// Those of the component, which are listed already, in order of time.
  void add_bodies(Component& component) {
    heap_sort(component.body, [&](Index a, Index b) {
      const Interval<Index> x = hull_[a];
      const Interval<Index> y = hull_[b];
      if (x.lower != y.lower) return x.lower < y.lower;
      return x.upper != y.upper ? x.upper < y.upper : a < b;
    });
    component.size = static_cast<Index>(component.body.size());
    for (Index x = 0; x < component.size; ++x) {
      const Index b = component.body[x];
      const Body& body = bodies_->bodies[b];
      local_[b] = x;
      component.steps.push_back({body.first, body.step});
      component.extent.push_back(body.extent);
      component.span.push_back(hull_[b]);
      component.width.push_back(body.width);
      component.area.push_back(body.area);
      component.grounded =
          component.grounded && body.step == component.steps[0].step;
      add_domain(component, b);
    }
  }

  /// The domain of a body: between the offsets that fixed ones forbid it, which are
  /// disjoint, and in ascending order.
  void add_domain(Component& component, Index b) {
    const Body& body = bodies_->bodies[b];
    const Steps steps{body.first, body.step};
    const std::int64_t last = steps.down(kFar - body.extent);
    std::int64_t at = body.first;
    const List<Meeting>& fixed = meetings_.fixed;
    const Meeting* next = std::partition_point(
        fixed.begin(), fixed.end(), [&](const Meeting& m) { return m.x < b; });
    for (; next != fixed.end() && next->x == b && at <= last; ++next) {
      const Forbidden& taken = next->forbidden;
      if (taken.upper <= at) continue;
      const std::int64_t right =
          taken.upper <= last ? steps.up(taken.upper) : last + 1;
      if (at <= taken.lower) {
        const std::int64_t left = steps.down(taken.lower);
        // It may lie between two offsets of the grid.
        if (right - left <= steps.step) continue;
        component.ranges.push_back({at, left, false});
      }
      at = right;
    }
    if (at <= last) component.ranges.push_back({at, last, false});
    component.ranges.end_row();
  }

  void add_relations(std::vector<Component>& result) {
    // As each of the two sees them: x is the one, by its number in Bodies, and y the
    // other, by its place in the component.
    List<Meeting> all;
    all.reserve(2 * meetings_.free.size());
    for (const Meeting& meeting : meetings_.free) {
      const auto [x, y, forbidden] = meeting;
      all.push_back({x, local_[y], forbidden});
      all.push_back({y, local_[x], negated(forbidden)});
    }
    meetings_.free = {};
    sort_meetings(all, local_.size());
    const auto those_of = [&](Index b) -> View<const Meeting> {
      const auto first_of = [&](Index x) {
        return std::partition_point(all.begin(), all.end(),
                                    [&](const Meeting& m) { return m.x < x; });
      };
      return {first_of(b), first_of(b + 1)};
    };
    std::size_t since = 0;
    for (Component& component : result) {
      std::size_t most = 0;
      for (const Index b : component.body) most += those_of(b).size();
      component.relations.reserve(component.size, most);
      component.forbidden.reserve(most);
      for (const Index b : component.body) {
        const View<const Meeting> of_b = those_of(b);
        if (interrupt_.after(of_b.size(), since)) break;
        add_relations_of(of_b, component);
      }
    }
    peak_bytes_ = bytes_of(meetings_.fixed, all) + bytes_of(result);
  }

  /// Those of a body: one for all meetings with the same other one.
  static void add_relations_of(View<const Meeting> meetings,
                               Component& component) {
    std::int64_t widest = 0;
    for (const Meeting* next = meetings.begin(); next != meetings.end();) {
      Relation relation;
      relation.body = next->y;
      relation.forbidden_begin = static_cast<Index>(component.forbidden.size());
      for (; next != meetings.end() && next->y == relation.body; ++next) {
        const Forbidden& interval = next->forbidden;
        component.forbidden.push_back(interval);
        widest =
            (std::max)(widest, interval.lower == -kFar || interval.upper == kFar
                                   ? kFar
                                   : length_of(interval));
        relation.rest = -interval.lower;
        relation.clear = interval.upper;
      }
      relation.forbidden_end = static_cast<Index>(component.forbidden.size());
      component.relations.push_back(relation);
    }
    component.relations.end_row();
    component.widest.push_back(widest);
  }

  static void list_cliques(Component& component) {
    component.cliques.deal(component.size, [&](auto&& give) {
      for_each_membership(component, give);
    });
  }
  /// Calls visit(body, membership) for each body of each clique.
  template <class Visit>
  static void for_each_membership(const Component& component, Visit&& visit) {
    for (Index c = 0; c < component.clique_count(); ++c) {
      const View<const Job> jobs = component.jobs[c];
      for (std::size_t k = 0; k < jobs.size();) {
        const Job& first = jobs[k++];
        if (first.body == Job::kFixed) continue;
        Membership of{c, true, first.lower, first.length};
        // The jobs of a body are next to each other.
        for (; k < jobs.size() && jobs[k].body == first.body; ++k) {
          of.is_single = false;
          of.bytes += jobs[k].length;
        }
        visit(first.body, of);
      }
    }
  }

  /// Twins: the same slabs, none of which may overlap anything, and the same
  /// grid and extent.
  void find_twins(Component& component) const {
    const auto is_exempt = [&](const Slab& slab) {
      return bodies_->is_exempt(slab.buffer);
    };
    const auto are_alike = [](const Slab& p, const Slab& q) {
      return p.sections == q.sections && p.bytes == q.bytes && p.end == q.end;
    };
    const auto same = [&](Index x, Index y) {
      const Body& a = bodies_->bodies[component.body[x]];
      const Body& b = bodies_->bodies[component.body[y]];
      const View<const Slab> of_a = bodies_->slabs_of(component.body[x]);
      const View<const Slab> of_b = bodies_->slabs_of(component.body[y]);
      return a.first == b.first && a.step == b.step && a.extent == b.extent &&
             std::equal(of_a.begin(), of_a.end(), of_b.begin(), of_b.end(),
                        are_alike) &&
             !any_that(of_a, is_exempt) && !any_that(of_b, is_exempt);
    };
    component.twin = numbers_below(component.size);
    // Twins have the same span, so they are in one run of it.
    for (Index x = 0; x < component.size; ++x)
      for (Index y = x + 1;
           y < component.size && component.span[y] == component.span[x]; ++y)
        if (same(x, y)) {
          component.twin[y] = component.twin[x];
          component.twin[x] = y;
          break;
        }
  }

  const Bodies* bodies_;
  Interrupt interrupt_;
  Meetings meetings_;
  Classes classes_;
  List<Index> local_;
  List<Interval<Index>> hull_;  ///< of each body: all sections that it spans
  std::size_t peak_bytes_ = 0;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_BODIES_COMPONENT_HPP
