// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// First fit for bodies: a placement without a search and without relations,
/// for problems that are too large for them.
///
/// Bodies are placed one after the other, each at the lowest offset of its grid
/// at which it meets nobody placed before. Bottom buffers come before the
/// others and top ones after them, else in a given order:
///
///     area, extent or width, larger first; or the first section, lower first
///
/// Time is cut into blocks of sections, the leaves of a binary tree. A placed
/// slab is listed at the topmost nodes that it covers, so that a body looks
/// only at what is near it, and at long slabs only once.
///
/// Cost: O(s log s) for each body that shares sections with s placed slabs, as
/// a rule; at most 2 log2(kBlocks) list entries a slab.
/// Source: first fit and best-fit-by-size orders as in TFLite and TVM.
#ifndef SNUG_BODIES_BODY_FIT_HPP
#define SNUG_BODIES_BODY_FIT_HPP

#include "snug/bodies/bodies.hpp"
#include "snug/bodies/domain.hpp"
#include "snug/bodies/relations.hpp"
#include "snug/config.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"
#include "snug/support/sort.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

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

/// A height that no placement is below: the most bytes of a section, counting
/// only buffers that share none: of bodies of one, and of two that may overlap the
/// larger.
[[nodiscard]] inline std::int64_t load_of(const Bodies& bodies) {
  List<std::int64_t> change(std::size_t{bodies.sections} + 1, 0);
  const auto add = [&](Index from, Index to, std::int64_t bytes) {
    if (from >= to) return;
    change[from] += bytes;
    change[to] -= bytes;
  };
  const auto length = [](const Slab& slab) {
    return slab.bytes.upper - slab.bytes.lower;
  };
  List<Index> members(bodies.bodies.size(), 0);
  for (const Index b : bodies.body_of) ++members[b];
  for (const Slab& slab : bodies.slabs)
    if (members[slab.body] == 1)
      add(slab.sections.lower, slab.sections.upper, length(slab));
  for (const auto& [a, b] : bodies.exempt) {
    const Body& x = bodies.bodies[bodies.body_of[a]];
    const Body& y = bodies.bodies[bodies.body_of[b]];
    if (a > b || members[bodies.body_of[a]] != 1 ||
        members[bodies.body_of[b]] != 1)
      continue;
    for (Index k = x.slabs.lower; k < x.slabs.upper; ++k)
      for (Index l = y.slabs.lower; l < y.slabs.upper; ++l) {
        const Slab& one = bodies.slabs[k];
        const Slab& two = bodies.slabs[l];
        add((std::max)(one.sections.lower, two.sections.lower),
            (std::min)(one.sections.upper, two.sections.upper),
            -(std::min)(length(one), length(two)));
      }
  }
  std::int64_t load = 0;
  std::int64_t most = 0;
  for (const std::int64_t by : change) most = (std::max)(most, load += by);
  return most;
}

/// A height that no placement is below, by the load and by each body alone.
[[nodiscard]] inline std::int64_t quick_bound(const Bodies& bodies) {
  std::int64_t bound = load_of(bodies);
  for (const Body& body : bodies.bodies)
    bound = (std::max)(bound, (std::max)(body.first, body.fixed) + body.extent);
  return bound;
}

class BodyFit {
 public:
  enum class Order : std::uint8_t { kArea, kExtent, kWidth, kFirst };

  explicit BodyFit(const Bodies& bodies, const Interrupt& interrupt = {})
      : bodies_(&bodies),
        interrupt_(interrupt),
        per_block_(bodies.sections / kBlocks + 1),
        nodes_(2 * kBlocks),
        seen_(bodies.slabs.size(), 0) {}

  /// Fills in the offsets of the free bodies, but for those that `kept` marks,
  /// which meet no one another, as far as they meet nothing fixed and fit below
  /// `capacity`. False if one does not fit, stop() was true, or it was interrupted.
  template <class Stop>
  [[nodiscard]] bool place(Order order, std::int64_t capacity,
                           const List<std::uint8_t>& kept,
                           List<std::int64_t>& offsets, Stop&& stop) {
    for (Node& node : nodes_) node = {};
    List<Ranked> ranked;
    List<Index> stays;
    for (Index b = 0; b < bodies_->bodies.size(); ++b)
      if (bodies_->bodies[b].fixed != Body::kFree) add(b);
    for (Index b = 0; b < bodies_->bodies.size(); ++b) {
      if (bodies_->bodies[b].fixed != Body::kFree) continue;
      if (interrupt_.at(b)) return false;
      if (kept[b] != 0 && offsets[b] <= capacity - bodies_->bodies[b].extent &&
          is_free(b, offsets)) {
        stays.push_back(b);
      } else {
        ranked.push_back({end_of(b), key_of(b, order), b});
      }
    }
    for (const Index b : stays) add(b);
    heap_sort(ranked);
    for (const Ranked& next : ranked) {
      if (stop() || !fit(next.body, capacity, offsets)) return false;
      add(next.body);
    }
    return true;
  }

 private:
  static constexpr Index kBlocks = 512;  ///< a power of two

  /// The children of node k are 2k and 2k + 1; the root is 1.
  struct Node {
    List<Index> slabs{};
    bool has_more = false;  ///< below it
  };

  struct Ranked {
    int end;
    double key;
    Index body;

    [[nodiscard]] bool operator<(const Ranked& other) const noexcept {
      if (end != other.end) return end < other.end;
      if (key != other.key) return key > other.key;
      return body < other.body;
    }
  };

  /// 0 for bodies with a bottom buffer, 2 for others with a top one, else 1.
  [[nodiscard]] int end_of(Index b) const {
    int result = 1;
    for_each_slab(b, [&](Index k) {
      const End end = bodies_->slabs[k].end;
      if (end == End::kBottom) result = 0;
      if (end == End::kTop && result == 1) result = 2;
    });
    return result;
  }

  [[nodiscard]] double key_of(Index b, Order order) const {
    const Body& body = bodies_->bodies[b];
    switch (order) {
      case Order::kArea:
        return body.area;
      case Order::kExtent:
        return static_cast<double>(body.extent);
      case Order::kWidth:
        return body.width;
      case Order::kFirst:
        break;
    }
    Index first = bodies_->sections;
    for_each_slab(b, [&](Index k) {
      first = (std::min)(first, bodies_->slabs[k].sections.lower);
    });
    return -static_cast<double>(first);
  }

  template <class Visit>
  void for_each_slab(Index b, Visit&& visit) const {
    const Interval<Index> slabs = bodies_->bodies[b].slabs;
    for (Index k = slabs.lower; k < slabs.upper; ++k) visit(k);
  }

  /// The blocks of a run of sections.
  [[nodiscard]] Interval<Index> blocks_of(Interval<Index> sections) const {
    return {sections.lower / per_block_, (sections.upper - 1) / per_block_ + 1};
  }

  void add(Index b) {
    for_each_slab(b, [&](Index k) {
      const Interval<Index> blocks = blocks_of(bodies_->slabs[k].sections);
      Index from = blocks.lower + kBlocks;
      Index to = blocks.upper + kBlocks;
      for (; from < to; from /= 2, to /= 2) {
        if (from % 2 != 0) list(from++, k);
        if (to % 2 != 0) list(--to, k);
      }
    });
  }
  void list(Index node, Index slab) {
    nodes_[node].slabs.push_back(slab);
    while (node > 1 && !nodes_[node / 2].has_more)
      nodes_[node /= 2].has_more = true;
  }

  /// Calls visit(slab) for each placed slab that shares a section with `slab`.
  template <class Visit>
  void for_each_near(const Slab& slab, Visit&& visit) {
    struct Subtree {
      Index node;
      Interval<Index> blocks;
    };
    const Interval<Index> wanted = blocks_of(slab.sections);
    ++stamp_;
    Subtree stack[32] = {{1, {0, kBlocks}}};
    for (std::size_t size = 1; size > 0;) {
      const Subtree subtree = stack[--size];
      for (const Index k : nodes_[subtree.node].slabs)
        if (seen_[k] != stamp_ &&
            bodies_->slabs[k].sections.overlaps(slab.sections)) {
          seen_[k] = stamp_;
          visit(bodies_->slabs[k]);
        }
      if (!nodes_[subtree.node].has_more) continue;
      const Index middle = (subtree.blocks.lower + subtree.blocks.upper) / 2;
      if (wanted.upper > middle)
        stack[size++] = {2 * subtree.node + 1, {middle, subtree.blocks.upper}};
      if (wanted.lower < middle)
        stack[size++] = {2 * subtree.node, {subtree.blocks.lower, middle}};
    }
  }

  /// Lists what the placed slabs forbid a body.
  void collect(Index b, const List<std::int64_t>& offsets) {
    taken_.clear();
    for_each_slab(b, [&](Index k) {
      const Slab& slab = bodies_->slabs[k];
      for_each_near(slab, [&](const Slab& placed) {
        if (!bodies_->exclude(placed, slab)) return;
        const Forbidden gap = forbidden(placed, slab);
        const std::int64_t at = offsets[placed.body];
        taken_.push_back({gap.lower == -kFar ? -kFar : gap.lower + at,
                          gap.upper == kFar ? kFar : gap.upper + at});
      });
    });
  }

  /// Whether no placed slab is in the way of a body.
  [[nodiscard]] bool is_free(Index b, const List<std::int64_t>& offsets) {
    collect(b, offsets);
    return std::none_of(taken_.begin(), taken_.end(), [&](const Forbidden& t) {
      return t.lower < offsets[b] && offsets[b] < t.upper;
    });
  }

  /// Takes the lowest offset that is left for a body.
  [[nodiscard]] bool fit(Index b, std::int64_t capacity,
                         List<std::int64_t>& offsets) {
    const Body& body = bodies_->bodies[b];
    collect(b, offsets);
    heap_sort(taken_, [](const Forbidden& p, const Forbidden& q) {
      return p.lower != q.lower ? p.lower < q.lower : p.upper < q.upper;
    });
    const Steps steps{body.first, body.step};
    std::int64_t offset = body.first;
    for (const Forbidden& taken : taken_) {
      if (taken.lower >= offset) break;
      if (taken.upper > offset) offset = steps.up(taken.upper);
    }
    offsets[b] = offset;
    return offset <= capacity - body.extent;
  }

  const Bodies* bodies_;
  Interrupt interrupt_;
  Index per_block_;  ///< sections of a block
  std::vector<Node> nodes_;
  List<Index> seen_;
  Index stamp_ = 0;
  List<Forbidden> taken_{};
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_BODIES_BODY_FIT_HPP
