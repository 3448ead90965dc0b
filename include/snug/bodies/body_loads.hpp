// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What each section needs, seen from the bodies alone: without relations and
/// cliques, so it is soon known for any number of them.
///
///     load      the bytes of the bodies that are live there: of one body those
///               of one slab at least, of two buffers that may overlap those of
///               the larger; and idle bytes (idle.hpp)
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
/// Cost: O(p log p + sections) for p slabs, that of idle.hpp, for each pair
/// that may overlap a look at the slabs of both buffers, and a step for each
/// section of each fixed slab. If the looks are more than kMostSteps, no body counts
/// for a load; if the steps are, nothing counts as fixed.
#ifndef SNUG_BODIES_BODY_LOADS_HPP
#define SNUG_BODIES_BODY_LOADS_HPP

#include "snug/bodies/bodies.hpp"
#include "snug/bodies/idle.hpp"
#include "snug/bounds/load.hpp"
#include "snug/config.hpp"
#include "snug/model/interval.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"
#include "snug/support/memory.hpp"
#include "snug/support/rows.hpp"
#include "snug/support/sort.hpp"
#include "snug/support/spread_sort.hpp"
#include "snug/support/view.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// What relations and cliques would take: how many pairs of slabs share a section, or
/// how many slabs all sections have together, whichever is more. A pair of which one
/// is fixed counts half: nothing but a range of a domain is left of it.
[[nodiscard]] inline std::int64_t count_meetings(const Bodies& bodies) {
  // How many begin and end at each section, of each kind.
  enum : std::size_t { kBegun, kEnded, kBegunFixed, kEndedFixed, kCounts };
  List<std::int64_t> counts(kCounts * (std::size_t{bodies.sections} + 1), 0);
  for (const Slab& slab : bodies.slabs) {
    const std::size_t kind =
        bodies.bodies[slab.body].is_fixed() ? kBegunFixed : kBegun;
    ++counts[kCounts * slab.sections.lower + kind];
    ++counts[kCounts * slab.sections.upper + kind + kEnded];
  }
  std::int64_t live = 0;
  std::int64_t live_fixed = 0;
  std::int64_t pairs = 0;
  std::int64_t pairs_with_fixed = 0;
  std::int64_t jobs = 0;
  for (Index s = 0; s < bodies.sections; ++s) {
    const std::int64_t* const here = &counts[kCounts * s];
    live -= here[kEnded];
    live_fixed += here[kBegunFixed] - here[kEndedFixed];
    pairs += here[kBegun] * live + here[kBegun] * (here[kBegun] - 1) / 2;
    pairs_with_fixed += here[kBegun] * live_fixed + here[kBegunFixed] * live;
    live += here[kBegun];
    jobs += live;
  }
  return (std::max)(pairs + pairs_with_fixed / 2, jobs);
}

/// A capacity that is large enough if any is: that of all bodies on top of
/// each other and of all that is fixed. Where a gap between two of them is
/// as long as the period of all grids, what is above it could drop by that. No
/// placement is lower than `lower_bound`.
[[nodiscard]] inline std::int64_t sufficient_capacity(
    const Bodies& bodies, std::int64_t lower_bound) noexcept {
  std::int64_t sum = 0;
  for (const Body& body : bodies.bodies)
    sum = (std::max)(sum, body.is_fixed() ? 0 : body.first);
  for (const Slab& slab : bodies.slabs) {
    const Body& body = bodies.bodies[slab.body];
    if (body.is_fixed()) sum = (std::max)(sum, body.fixed + slab.bytes.upper);
  }
  sum = (std::max)(sum, lower_bound);
  std::int64_t period = 1;
  for (const Body& body : bodies.bodies) {
    if (body.is_fixed()) continue;
    const std::int64_t factor = body.step / std::gcd(body.step, period);
    period = factor > kFar / period ? kFar : factor * period;
  }
  for (const Body& body : bodies.bodies) {
    if (body.is_fixed()) continue;
    for (const std::int64_t more : {body.extent, period})
      sum = more > kFar - sum ? kFar : sum + more;
  }
  return sum;
}

/// Bytes of a section that are to be placed beside what is fixed.
struct Filled {
  std::int64_t top = 0;   ///< all below is used up
  std::int64_t left = 0;  ///< bytes that have no place yet

  /// Fills what is free below what is taken; they come by lower ends.
  void go_beyond(const Interval<std::int64_t>& taken) noexcept {
    const std::int64_t room = (std::max)(taken.lower - top, std::int64_t{0});
    if (left <= room) return;
    left -= room;
    top = (std::max)(top, taken.upper);
  }
  /// The section is not lower.
  [[nodiscard]] std::int64_t height() const noexcept {
    return left > 0 ? top + left : 0;
  }
};

class BodyLoads {
 public:
  /// As true, but lower ones, if it is interrupted.
  explicit BodyLoads(const Bodies& bodies, const Interrupt& interrupt = {})
      : bodies_(&bodies),
        free_(std::size_t{bodies.sections} + 1, 0),
        levels_(free_) {
    if (!bodies.exempt.empty()) list_slabs();
    if (steps_to_share() <= kMostSteps) add_up();
    for (const Idle& idle : find_idle(bodies, interrupt)) {
      free_[idle.section] += idle.bytes;
      free_[idle.section + 1] -= idle.bytes;
    }
    for (std::size_t s = 1; s < free_.size(); ++s) {
      free_[s] += free_[s - 1];
      levels_[s] += levels_[s - 1];
    }
    for (std::size_t s = 0; s < free_.size(); ++s) levels_[s] += free_[s];
    raise_beside_fixed(interrupt);
  }

  /// Of each section, and one more.
  [[nodiscard]] const List<std::int64_t>& levels() const noexcept {
    return levels_;
  }

  [[nodiscard]] std::size_t bytes() const noexcept {
    return slabs_.bytes() + bytes_of(free_, levels_);
  }

  /// No placement is lower, by the sections and by each body alone.
  [[nodiscard]] std::int64_t bound() const {
    std::int64_t bound = largest_of(levels_);
    for (const Body& body : bodies_->bodies)
      bound =
          (std::max)(bound, (std::max)(body.first, body.fixed) + body.extent);
    return bound;
  }

 private:
  static constexpr std::int64_t kMostSteps = std::int64_t{1} << 24;

  [[nodiscard]] bool is_fixed(Index b) const noexcept {
    return bodies_->bodies[b].is_fixed();
  }

  /// All bodies, and what those that may overlap share.
  void add_up() {
    for (Index b = 0; b < bodies_->bodies.size(); ++b)
      add(b, is_fixed(b) ? levels_ : free_);
    for (const auto& [i, j] : bodies_->exempt)
      if (i < j) take_off_shared(i, j);
  }

  /// Counts one slab of a body in each section that it has some in, but for what is
  /// reserved.
  void add(Index b, List<std::int64_t>& change) const {
    View<const Slab> slabs = bodies_->slabs_of(b);
    if (slabs.empty() || slabs[0].buffer == Bodies::kNoBuffer) return;
    List<Slab> sorted;
    if (slabs.size() > 1) {
      sorted.assign(slabs.begin(), slabs.end());
      heap_sort(sorted, [](const Slab& p, const Slab& q) {
        return p.sections.lower < q.sections.lower;
      });
      slabs = {sorted.begin(), sorted.end()};
    }
    Index counted = 0;
    for (const Slab& slab : slabs) {
      const Index from = (std::max)(counted, slab.sections.lower);
      if (from >= slab.sections.upper) continue;
      counted = slab.sections.upper;
      change[from] += slab.length();
      change[counted] -= slab.length();
    }
  }

  /// Lists the slabs by buffer, each buffer's in order of time.
  void list_slabs() {
    slabs_.deal(bodies_->body_of.size(), [&](auto&& give) {
      for (Index k = 0; k < bodies_->slabs.size(); ++k)
        if (const Index i = bodies_->slabs[k].buffer; i != Bodies::kNoBuffer)
          give(i, k);
    });
  }
  /// The looks of take_off_shared() at most: each pair is there both ways.
  [[nodiscard]] std::int64_t steps_to_share() const noexcept {
    std::int64_t steps = 0;
    for (const IndexPair& pair : bodies_->exempt)
      steps += static_cast<std::int64_t>(slabs_[pair.second].size());
    return steps;
  }
  /// Takes off what two buffers that may overlap have in common at most. What is
  /// fixed is no obstacle to a free one then.
  void take_off_shared(Index i, Index j) {
    const Index a = bodies_->body_of[i];
    const Index b = bodies_->body_of[j];
    if (a == b) return;  // One of them counts at most.
    List<std::int64_t>& change = is_fixed(a) && is_fixed(b) ? levels_ : free_;
    const View<const Index> of_i = slabs_[i];
    const View<const Index> of_j = slabs_[j];
    for (std::size_t p = 0, q = 0; p < of_i.size() && q < of_j.size();) {
      const Slab& one = bodies_->slabs[of_i[p]];
      const Slab& two = bodies_->slabs[of_j[q]];
      const Interval<Index> both = intersection(one.sections, two.sections);
      if (!both.empty()) {
        change[both.lower] -= (std::min)(one.length(), two.length());
        change[both.upper] += (std::min)(one.length(), two.length());
      }
      one.sections.upper < two.sections.upper ? ++p : ++q;
    }
  }

  /// Leaves the levels as they are if it is interrupted.
  void raise_beside_fixed(const Interrupt& interrupt) {
    List<Keyed> fixed;  // Slabs, by their lower ends.
    std::int64_t steps = 0;
    for (Index k = 0; k < bodies_->slabs.size(); ++k) {
      const Slab& slab = bodies_->slabs[k];
      if (!is_fixed(slab.body)) continue;
      fixed.push_back({bodies_->bodies[slab.body].fixed + slab.bytes.lower, k});
      steps += length_of(slab.sections);
    }
    if (steps > kMostSteps) fixed.clear();
    if (!sort_keyed(fixed, interrupt)) return;
    std::int64_t ground = kFar;
    for (const Body& body : bodies_->bodies)
      if (!body.is_fixed()) ground = (std::min)(ground, body.first);
    List<Filled> filled(free_.size());
    for (std::size_t s = 0; s < free_.size(); ++s)
      filled[s] = {ground, free_[s]};
    for (const Keyed& one : fixed) {
      const Slab& slab = bodies_->slabs[one.index];
      for (Index s = slab.sections.lower; s < slab.sections.upper; ++s)
        filled[s].go_beyond({one.key, one.key + slab.length()});
    }
    for (std::size_t s = 0; s < free_.size(); ++s)
      levels_[s] = (std::max)(levels_[s], filled[s].height());
  }

  const Bodies* bodies_;
  Rows<Index, Index> slabs_{};  ///< of each buffer, if some may overlap
  List<std::int64_t> free_;     ///< bytes of free bodies in each section
  List<std::int64_t> levels_;   ///< of those that are fixed, at first
};

/// A height that no placement is below; a lower one, if it is interrupted.
[[nodiscard]] inline std::int64_t quick_bound(const Bodies& bodies,
                                              const Interrupt& interrupt = {}) {
  return BodyLoads(bodies, interrupt).bound();
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_BODIES_BODY_LOADS_HPP
