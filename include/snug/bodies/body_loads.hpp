// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What each section needs, seen from the bodies alone: without relations and
/// cliques, so it is soon known for any number of them.
///
///     load      the bytes of the bodies that are live there: of one body those
///               of one slab at least, of two buffers that may overlap those of
///               the larger
///     beside    the address below which as many bytes are free as the bodies
///               that are not fixed have, those below the base and those of
///               what is fixed left out:
///
///      9 |   free   |       4 bytes are to be placed beside a fixed slab of
///      6 +----------+       [3, 6). 3 of them may lie below it, and one more
///        |  fixed   |       needs an address above it: the section is 7 high
///      3 +----------+       at least, and not 3 + 4 as its load would say
///        |   free   |       without regard to where
///      0 +----------+
///
/// The larger of both is the *level* of the section, that of a body is the
/// highest of its sections. No placement is lower than the highest of all.
///
/// Cost: O(p log p + sections) for p slabs, and a step for each section of each
/// fixed one; if these are more than kMostSteps, nothing counts as fixed.
#ifndef SNUG_BODIES_BODY_LOADS_HPP
#define SNUG_BODIES_BODY_LOADS_HPP

#include "snug/bodies/bodies.hpp"
#include "snug/bodies/domain.hpp"
#include "snug/config.hpp"
#include "snug/heuristics/orders.hpp"
#include "snug/support/list.hpp"
#include "snug/support/sort.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// How many pairs of slabs share a section, and how many slabs all sections
/// have together, whichever is more: what relations and cliques would take.
[[nodiscard]] inline std::int64_t count_meetings(const Bodies& bodies) {
  List<std::int64_t> begun(std::size_t{bodies.sections} + 1, 0);
  List<std::int64_t> ended(std::size_t{bodies.sections} + 1, 0);
  for (const Slab& slab : bodies.slabs) {
    if (bodies.bodies[slab.body].fixed != Body::kFree) continue;
    ++begun[slab.sections.lower];
    ++ended[slab.sections.upper];
  }
  std::int64_t live = 0;
  std::int64_t pairs = 0;
  std::int64_t jobs = 0;
  for (Index s = 0; s < bodies.sections; ++s) {
    live -= ended[s];
    pairs += begun[s] * live + begun[s] * (begun[s] - 1) / 2;
    live += begun[s];
    jobs += live;
  }
  return (std::max)(pairs, jobs);
}

class BodyLoads {
 public:
  explicit BodyLoads(const Bodies& bodies)
      : bodies_(&bodies), members_(bodies.bodies.size(), 0) {
    for (const Index b : bodies.body_of) ++members_[b];
    levels_ = sum(Which::kAll);
    raise_beside_fixed();
  }

  /// Of each section.
  [[nodiscard]] const List<std::int64_t>& levels() const noexcept {
    return levels_;
  }

  /// No placement is lower, by the sections and by each body alone.
  [[nodiscard]] std::int64_t bound() const {
    std::int64_t bound = 0;
    for (const std::int64_t level : levels_) bound = (std::max)(bound, level);
    for (const Body& body : bodies_->bodies)
      bound =
          (std::max)(bound, (std::max)(body.first, body.fixed) + body.extent);
    return bound;
  }

 private:
  static constexpr std::int64_t kMostSteps = std::int64_t{1} << 24;

  enum class Which : std::uint8_t { kAll, kFree };

  [[nodiscard]] bool is_fixed(Index b) const noexcept {
    return bodies_->bodies[b].fixed != Body::kFree;
  }
  [[nodiscard]] static std::int64_t length(const Slab& slab) noexcept {
    return slab.bytes.upper - slab.bytes.lower;
  }

  /// The bytes in each section, of all buffers or of those that are not fixed.
  [[nodiscard]] List<std::int64_t> sum(Which which) const {
    List<std::int64_t> loads(std::size_t{bodies_->sections} + 1, 0);
    List<Slab> slabs;
    for (Index b = 0; b < members_.size(); ++b) {
      if (members_[b] == 0 || (which == Which::kFree && is_fixed(b))) continue;
      slabs.assign(bodies_->slabs.begin() + bodies_->bodies[b].slabs.lower,
                   bodies_->slabs.begin() + bodies_->bodies[b].slabs.upper);
      add_body(slabs, members_[b] > 1, loads);
    }
    take_off_shared(which, loads);
    for (std::size_t s = 1; s < loads.size(); ++s) loads[s] += loads[s - 1];
    loads.pop_back();
    return loads;
  }

  /// Counts one slab of a body in each section that it has some in.
  void add_body(List<Slab>& slabs, bool is_tied,
                List<std::int64_t>& change) const {
    if (is_tied) {
      // Who may overlap one of several members: left out.
      slabs.erase(std::remove_if(slabs.begin(), slabs.end(),
                                 [&](const Slab& slab) {
                                   return bodies_->is_exempt(slab.buffer);
                                 }),
                  slabs.end());
      heap_sort(slabs, [](const Slab& p, const Slab& q) {
        return p.sections.lower < q.sections.lower;
      });
    }
    Index counted = 0;
    for (const Slab& slab : slabs) {
      const Index from = (std::max)(counted, slab.sections.lower);
      if (from >= slab.sections.upper) continue;
      counted = slab.sections.upper;
      change[from] += length(slab);
      change[counted] -= length(slab);
    }
  }

  /// Takes off what two buffers that may overlap have in common at most.
  void take_off_shared(Which which, List<std::int64_t>& change) const {
    const auto is_counted = [&](Index b) {
      return members_[b] == 1 && (which == Which::kAll || !is_fixed(b));
    };
    for (const auto& [i, j] : bodies_->exempt) {
      const Index a = bodies_->body_of[i];
      const Index b = bodies_->body_of[j];
      // Each pair is there both ways. One that is not counted may be an
      // obstacle to the other, which it is not then.
      if (i > j || (!is_counted(a) && !is_counted(b))) continue;
      if (which == Which::kAll && !(is_counted(a) && is_counted(b))) continue;
      take_off_shared(bodies_->bodies[a].slabs, bodies_->bodies[b].slabs,
                      change);
    }
  }
  void take_off_shared(Interval<Index> a, Interval<Index> b,
                       List<std::int64_t>& change) const {
    for (Index k = a.lower; k < a.upper; ++k)
      for (Index l = b.lower; l < b.upper; ++l) {
        const Slab& one = bodies_->slabs[k];
        const Slab& two = bodies_->slabs[l];
        const Index from = (std::max)(one.sections.lower, two.sections.lower);
        const Index to = (std::min)(one.sections.upper, two.sections.upper);
        if (from >= to) continue;
        change[from] -= (std::min)(length(one), length(two));
        change[to] += (std::min)(length(one), length(two));
      }
  }

  /// The slabs that are fixed, the lowest first; none if they span too many
  /// sections, each slab for itself.
  [[nodiscard]] List<Index> fixed_slabs() const {
    List<Index> fixed;
    std::int64_t steps = 0;
    for (Index k = 0; k < bodies_->slabs.size(); ++k) {
      const Slab& slab = bodies_->slabs[k];
      if (!is_fixed(slab.body)) continue;
      fixed.push_back(k);
      steps += slab.sections.upper - slab.sections.lower;
    }
    if (steps > kMostSteps) fixed.clear();
    heap_sort(fixed, [&](Index p, Index q) {
      return bytes_of_fixed(p).lower < bytes_of_fixed(q).lower;
    });
    return fixed;
  }

  /// Where the free bodies begin at the lowest.
  [[nodiscard]] std::int64_t ground() const noexcept {
    std::int64_t ground = kFar;
    for (Index b = 0; b < members_.size(); ++b)
      if (!is_fixed(b)) ground = (std::min)(ground, bodies_->bodies[b].first);
    return ground;
  }

  void raise_beside_fixed() {
    struct Filled {
      std::int64_t top;   ///< all below is used up
      std::int64_t left;  ///< bytes that have no place yet
    };
    const std::int64_t lowest = ground();
    const List<std::int64_t> loads = sum(Which::kFree);
    List<Filled> filled(loads.size());
    for (std::size_t s = 0; s < loads.size(); ++s)
      filled[s] = {lowest, loads[s]};
    for (const Index k : fixed_slabs()) {
      const Interval<std::int64_t> bytes = bytes_of_fixed(k);
      const Interval<Index> sections = bodies_->slabs[k].sections;
      for (Index s = sections.lower; s < sections.upper; ++s) {
        Filled& section = filled[s];
        const std::int64_t room =
            (std::max)(bytes.lower - section.top, std::int64_t{0});
        if (section.left <= room) continue;
        section.left -= room;
        section.top = (std::max)(section.top, bytes.upper);
      }
    }
    for (std::size_t s = 0; s < levels_.size(); ++s)
      if (filled[s].left > 0)
        levels_[s] = (std::max)(levels_[s], filled[s].top + filled[s].left);
  }
  [[nodiscard]] Interval<std::int64_t> bytes_of_fixed(Index slab) const {
    const Slab& of = bodies_->slabs[slab];
    const std::int64_t at = bodies_->bodies[of.body].fixed;
    return {at + of.bytes.lower, at + of.bytes.upper};
  }

  const Bodies* bodies_;
  List<Index> members_;  ///< buffers of each body
  List<std::int64_t> levels_;
};

/// A height that no placement is below.
[[nodiscard]] inline std::int64_t quick_bound(const Bodies& bodies) {
  return BodyLoads(bodies).bound();
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_BODIES_BODY_LOADS_HPP
