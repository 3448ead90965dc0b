// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// First fit for bodies: a placement without a search and without relations,
/// for problems that are too large for them.
///
/// Bodies are placed one after the other, each at the lowest offset of its grid
/// at which it meets nobody placed before. Bottom buffers come before the
/// others and top ones after them, else those of the larger area or extent.
///
/// Time is cut into blocks of sections, the leaves of a binary tree. A placed
/// slab is listed at the topmost nodes that it covers, so that a body looks
/// only at what is near it, and at long slabs only once. Sections that keep pairs
/// apart are behind all time, and each has a list of its own.
///
/// In any placement of all, bodies of the top can be moved up, as far as they can.
///
/// Cost: O(s log s) for each body that shares sections with s placed slabs, as
/// a rule, and no more than kMostLooks of them; at most 2 log2(blocks) list entries
/// a slab.
/// Source: first fit and best-fit-by-size orders as in TFLite and TVM.
#ifndef SNUG_BODIES_BODY_FIT_HPP
#define SNUG_BODIES_BODY_FIT_HPP

#include "snug/bodies/bodies.hpp"
#include "snug/bodies/body_ends.hpp"
#include "snug/bodies/domain.hpp"
#include "snug/bodies/relations.hpp"
#include "snug/config.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"
#include "snug/support/memory.hpp"
#include "snug/support/rows.hpp"
#include "snug/support/sort.hpp"
#include "snug/support/sort_in_parts.hpp"
#include "snug/support/spread_sort.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// What first fit does with a body.
enum class Keep : std::uint8_t {
  kNo,           ///< places it
  kIfFree,       ///< leaves it where it is, if nobody else who stays is there
  kUnlessTaken,  ///< or stays in any case: none of this kind meet one another
  kYes,          ///< leaves it where it is
};

class BodyFit {
 public:
  /// A body in the order in which it comes: by rank_of(), then the largest key first.
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

  enum class Order : std::uint8_t { kArea, kExtent };
  static constexpr std::size_t kMostMisfits = 64;  ///< more are many

  explicit BodyFit(const Bodies& bodies)
      : bodies_(&bodies),
        ends_(bodies),
        leaves_(count_leaves(bodies)),
        blocks_(bodies.times, leaves_),
        nodes_(2 * std::size_t{leaves_}),
        seen_(bodies.slabs.size() + bodies.sections - bodies.times, 0) {}

  /// Fills in the offsets of all bodies but those that are fixed, none of whose
  /// ends is above `capacity`; `keep` and `offsets` say where they are kept. The
  /// others come in `order`. False if one does not fit or stop() was true.
  ///
  /// kLists: few misfits are left out, and it goes on with the others, as far again as it
  /// came before the first of them. Many, or if it is stopped, are not listed. `left` is
  /// empty at first.
  template <bool kLists = false>
  [[nodiscard]] bool place(Order order, std::int64_t capacity,
                           const List<Keep>& keep, List<std::int64_t>& offsets,
                           const Interrupt& stop, List<Index>* left = nullptr) {
    for (Node& node : nodes_) node = {};
    seen_.assign(seen_.size(), 0);
    stamp_ = 0;
    List<Ranked> ranked;
    if (!keep_some(capacity, keep, offsets, stop, [&](Index b) {
          ranked.push_back({rank_of(b), key_of(b, order), b});
        }))
      return false;
    (void)sort_in_parts(ranked.begin(), ranked.end(),
                        [](const Ranked& a, const Ranked& b) { return a < b; },
                        {});
    const std::size_t kept = bodies_->bodies.size() - ranked.size();
    std::size_t end = ranked.size();
    for (std::size_t k = 0; k < end; ++k) {
      const Index b = ranked[k].body;
      const bool is_stopped = stop();
      if (!is_stopped && fit(b, capacity, offsets)) {
        add(b);
      } else if constexpr (!kLists) {
        return false;
      } else {
        if (left->empty()) end = (std::min)(end, kept + 2 * k);
        left->push_back(b);
        if (!is_stopped && left->size() <= kMostMisfits) continue;
        left->clear();
        return false;
      }
    }
    return !kLists || left->empty();
  }

  /// Adds a body that is where it is said to be.
  void add(Index b) {
    bodies_->for_each_slab(b, [&](Index k) {
      const Interval<Index> sections = bodies_->slabs[k].sections;
      if (sections.lower >= bodies_->times) {
        Index& last = last_in(sections);
        seen_[k] = last;
        last = k + 1;
        return;
      }
      const Interval<Index> blocks = blocks_.of(sections);
      Index from = blocks.lower + leaves_;
      Index to = blocks.upper + leaves_;
      for (; from < to; from /= 2, to /= 2) {
        if (from % 2 != 0) list(from++, k);
        if (to % 2 != 0) list(--to, k);
      }
    });
  }
  /// Adds a body where it is fixed, or at the lowest offset that is left for it. False
  /// if there is none such that it ends at most at `capacity`.
  [[nodiscard]] bool put(Index b, std::int64_t capacity,
                         List<std::int64_t>& offsets) {
    const Body& body = bodies_->bodies[b];
    if (body.is_fixed()) offsets[b] = body.fixed;
    if (body.is_fixed()
            ? body.fixed > capacity - body.extent || !is_free(b, offsets)
            : !fit(b, capacity, offsets))
      return false;
    add(b);
    return true;
  }
  /// At how many placed slabs it looked for the last body.
  [[nodiscard]] std::size_t looks() const noexcept { return looks_; }

  /// 0 for bodies with a bottom buffer, 2 for others with a top one, else 1: the
  /// order in which they come.
  [[nodiscard]] int rank_of(Index b) const {
    if (ends_.has(b, End::kBottom)) return 0;
    return ends_.has(b, End::kTop) ? 2 : 1;
  }

  /// Moves the bodies all of whose buffers belong to the top up, the highest first,
  /// in a placement of all below `capacity`. It stays one if it is interrupted.
  void raise_tops(std::int64_t capacity, const Interrupt& interrupt,
                  List<std::int64_t>& offsets) {
    List<Keyed> tops;
    for (Index b = 0; b < offsets.size(); ++b) {
      add(b);
      if (is_top(b)) tops.push_back({-offsets[b], b});
    }
    sort_keyed(tops, interrupt);
    for (const Keyed& top : tops) {
      if (interrupt()) return;
      raise(top.index, capacity, offsets);
    }
  }

  /// The bytes that are held.
  [[nodiscard]] std::size_t bytes() const noexcept {
    std::size_t bytes = nodes_.size() * sizeof(Node);
    for (const Node& node : nodes_) bytes += bytes_of(node.slabs);
    return bytes + bytes_of(seen_, taken_) + hands_.bytes();
  }

 private:
  /// Blocks, a power of two: more for long problems, as each look goes through all
  /// that is listed in a block.
  [[nodiscard]] static Index count_leaves(const Bodies& bodies) {
    constexpr Index kLong = 1U << 15;
    return bodies.times < kLong ? SectionBlocks::kCount : kLong;
  }

  /// The children of node k are 2k and 2k + 1; the root is 1.
  struct Node {
    List<Index> slabs{};
    bool has_more = false;  ///< below it
  };

  /// Adds the bodies that stay, and calls leave(b) for each other. False if
  /// stop() was true.
  template <class Leave>
  [[nodiscard]] bool keep_some(std::int64_t capacity, const List<Keep>& keep,
                               const List<std::int64_t>& offsets,
                               const Interrupt& stop, Leave&& leave) {
    const Index count = static_cast<Index>(bodies_->bodies.size());
    const auto is = [&](Index b, Keep kind) {
      const bool is_fixed = bodies_->bodies[b].is_fixed();
      return kind == (is_fixed ? Keep::kYes : keep[b]);
    };
    List<Index> left;
    for (Index b = 0; b < count; ++b) {
      if (is(b, Keep::kYes)) add(b);
      if (is(b, Keep::kNo)) left.push_back(b);
    }
    List<Index> stay;
    for (const Keep kind : {Keep::kUnlessTaken, Keep::kIfFree}) {
      for (Index b = 0; b < count; ++b) {
        if (!is(b, kind)) continue;
        if (stop()) return false;
        if (offsets[b] > capacity - bodies_->bodies[b].extent ||
            !is_free(b, offsets)) {
          left.push_back(b);
        } else if (kind == Keep::kIfFree) {
          add(b);
        } else {
          stay.push_back(b);
        }
      }
      for (const Index b : stay) add(b);
      stay.clear();
    }
    for (const Index b : left) leave(b);
    return true;
  }

  [[nodiscard]] bool is_top(Index b) const {
    return !bodies_->bodies[b].is_fixed() && ends_.has_only(b, End::kTop);
  }

  [[nodiscard]] double key_of(Index b, Order order) const {
    const Body& body = bodies_->bodies[b];
    return order == Order::kArea ? body.area : static_cast<double>(body.extent);
  }

  void list(Index node, Index slab) {
    nodes_[node].slabs.push_back(slab);
    while (node > 1 && !nodes_[node / 2].has_more)
      nodes_[node /= 2].has_more = true;
  }

  /// Of the section beyond time that these are.
  [[nodiscard]] Index& last_in(Interval<Index> sections) {
    return seen_[bodies_->slabs.size() + (sections.lower - bodies_->times)];
  }

  /// Calls visit(slab) for each placed slab that shares a section with `slab`.
  template <class Visit>
  void for_each_near(const Slab& slab, Visit&& visit) {
    if (slab.sections.lower >= bodies_->times) {
      for (Index k = last_in(slab.sections); k > 0; k = seen_[k - 1])
        visit(bodies_->slabs[k - 1]);
      return;
    }
    struct Subtree {
      Index node;
      Interval<Index> blocks;
    };
    const Interval<Index> wanted = blocks_.of(slab.sections);
    ++stamp_;
    Subtree stack[32] = {{1, {0, leaves_}}};
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

  /// Lists what the placed slabs forbid a body. False if that takes too many looks,
  /// some 50 ms and 32 MB.
  [[nodiscard]] bool collect(Index b, const List<std::int64_t>& offsets) {
    constexpr std::size_t kMostLooks = std::size_t{1} << 21;
    taken_.clear();
    looks_ = 0;
    for (const Slab& slab : bodies_->slabs_of(b)) {
      for_each_near(slab, [&](const Slab& placed) {
        ++looks_;
        if (bodies_->exclude(placed, slab))
          taken_.push_back(
              moved(forbidden(placed, slab), offsets[placed.body]));
      });
      if (looks_ > kMostLooks) return false;
    }
    return true;
  }

  /// Whether no placed slab is in the way of a body, as far as anybody knows.
  [[nodiscard]] bool is_free(Index b, const List<std::int64_t>& offsets) {
    if (!collect(b, offsets)) return false;
    return !any_that(taken_, [&](const Forbidden& taken) {
      return taken.lower < offsets[b] && offsets[b] < taken.upper;
    });
  }

  /// Takes the lowest offset that is left for a body. False if there is none, or if
  /// to find it takes too long.
  /// What is forbidden is dealt out by its lower end, and each hand in turn raises
  /// the offset. One that begins below it all in all needs no order.
  [[nodiscard]] bool fit(Index b, std::int64_t capacity,
                         List<std::int64_t>& offsets) {
    const Body& body = bodies_->bodies[b];
    const Steps steps{body.first, body.step};
    std::int64_t& offset = offsets[b];
    offset = body.first;
    if (!collect(b, offsets)) return false;
    deal();
    for (std::size_t k = 0; k < hands_.size(); ++k) {
      const std::int64_t end = static_cast<std::int64_t>(k + 1) * hand_width_;
      Forbidden* const first = hands_.all().data() + hands_.begin_of(k);
      const std::size_t count = hands_[k].size();
      if (end > offset) sort_by_lower(first, count);
      (void)skip_taken(first, first + count, steps, offset);
      if (offset < end) break;
    }
    return offset < kFar && offset <= capacity - body.extent;
  }

  /// Moves a body from where it is free to the highest offset that is left for it.
  void raise(Index b, std::int64_t capacity, List<std::int64_t>& offsets) {
    const Body& body = bodies_->bodies[b];
    const Steps steps{body.first, body.step};
    if (!collect(b, offsets)) return;
    heap_sort(taken_, [](const Forbidden& p, const Forbidden& q) {
      return p.upper > q.upper;
    });
    std::int64_t offset = steps.down(capacity - body.extent);
    for (const Forbidden& taken : taken_)
      if (taken.lower < offset && offset < taken.upper)
        offset = steps.down(taken.lower);
    offsets[b] = offset;
  }

  /// Deals taken_ out by lower ends, about kHand to a hand.
  void deal() {
    constexpr std::size_t kHand = 16;
    const std::size_t count = taken_.size() / kHand + 1;
    std::int64_t highest = 0;
    for (const Forbidden& taken : taken_)
      highest = (std::max)(highest, taken.lower);
    hand_width_ = highest / static_cast<std::int64_t>(count) + 1;
    const auto hand_of = [&](const Forbidden& taken) {
      if (taken.lower < hand_width_) return std::size_t{0};
      return (std::min)(static_cast<std::size_t>(taken.lower / hand_width_),
                        count - 1);
    };
    hands_.deal(count, [&](auto&& give) {
      for (const Forbidden& taken : taken_) give(hand_of(taken), taken);
    });
  }

  const Bodies* bodies_;
  BodyEnds ends_;
  Index leaves_;  ///< blocks
  SectionBlocks blocks_;
  std::vector<Node> nodes_;
  /// When each slab was seen last. Of one beyond time, the one placed there before
  /// it, plus 1; and behind all of them the last one of each section there.
  List<Index> seen_;
  Index stamp_ = 0;
  List<Forbidden> taken_{};  ///< what is forbidden to the body at hand
  std::size_t looks_ = 0;    ///< of the last collect()
  Rows<Forbidden> hands_{};  ///< the same, by lower ends
  std::int64_t hand_width_ = 1;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_BODIES_BODY_FIT_HPP
