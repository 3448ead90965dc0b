// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The search of the MiniMalloc baseline: canonical depth-first search with
/// the published rules, each with its switch.
///
/// A node tries unplaced buffers in turn, each at its minimum offset:
///
///     node: m(b1) = 0, m(b2) = 4, ...       A *part* is a range of sections
///       place b1 at 0 --> node --> ...      that shares no unplaced buffer
///       place b2 at 4 --> split:            with the rest. The parts of a
///                           part, part      split must all succeed.
///
/// Why the rules are sound. Let S be, among the placements that complete the
/// present one within the capacity, each new buffer above its placed
/// neighbours, one with the least sum of offsets. In S no buffer can drop, so
/// each lies at 0 or (rounded up) on a neighbour. Place S's buffers by
/// (offset, rank): each then lies at its minimum offset when its turn comes.
/// That is the *canonical path* of S. A rule is sound if it never cuts this
/// one path; so all rules may be combined at will, and exhausting the tree
/// proves that there is no S.
///
/// - canonical_only: the next buffer comes after the last one by (offset,
///   rank), and the path does so by definition. Each part starts afresh.
/// - section_inference, unallocated_floor: bounds that hold for all
///   completions; see minimalloc_state.hpp.
/// - monotonic_floor: on the path all unplaced buffers lie at or above the
///   next one, so every floor rises to its offset. As each floor + total fits
///   already, this comes down to offset + largest total <= capacity.
/// - check_dominance: no buffer is placed at or above m(y) + s(y) of an
///   unplaced y. On the path, all others would lie at or above that too, and
///   y could drop to m(y): the sum was not the least.
/// - hatless_pruning: an x with no unplaced neighbour lies at m(x) in S. Once
///   it has failed, no z after x by (offset, rank) can be next on the path, as
///   x precedes it. With dynamic_ordering that is all that is left of the node.
///   Without, a z before x may still succeed: giving up the node, as published,
///   would lose placements. (With dynamic_decomposition nothing is left to cut:
///   such an x is a part of its own.)
/// - dynamic_decomposition: parts share no unplaced buffer, so S is least in
///   each. A part that fails fails the placement that split it off; the
///   alternatives of its elder siblings cannot help and are skipped.
/// - dynamic_ordering (lowest offset first) and static_preordering (ranks by
///   the heuristic, not by start) only choose what is tried first.
///
/// Cost of a node: O(slots + sections of its part) and the placements tried. No
/// recursion: frames, parts and ranks are stacks on the heap.
///
/// Source: M. D. Moffitt, "MiniMalloc: A Lightweight Memory Allocator for
/// Hardware-Accelerated Machine Learning" (ASPLOS 2023), the sections on
/// canonical solutions, dominance, decomposition and search.
#ifndef SNUG_BASELINES_MINIMALLOC_SEARCH_HPP
#define SNUG_BASELINES_MINIMALLOC_SEARCH_HPP

#include "baselines/minimalloc_state.hpp"
#include "baselines/minimalloc_sweep.hpp"
#include "snug/config.hpp"
#include "snug/model/options.hpp"
#include "snug/model/result.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace baselines {
namespace detail {

/// How a run of the search ended.
struct Ended {
  Status status;
  Stop stopped_by;
};

class MinimallocSearch {
 public:
  using Clock = std::chrono::steady_clock;

  MinimallocSearch(const Sweep& sweep, Offset capacity, const Options& options,
                   const MinimallocParams& params, Clock::time_point start)
      : sweep_(sweep),
        capacity_(capacity),
        options_(options),
        params_(params),
        start_(start),
        state_(sweep, capacity, params),
        peak_(sweep.slots(), 0) {}

  /// One depth-first search by one heuristic, of at most `node_limit` nodes.
  [[nodiscard]] Ended run(const Preorder& preorder, std::int64_t node_limit);

  /// By slot; after a run that ended in kSolved.
  [[nodiscard]] const std::vector<Offset>& offsets() const {
    return state_.offset();
  }
  [[nodiscard]] std::int64_t nodes() const { return nodes_; }
  [[nodiscard]] std::int64_t backtracks() const { return backtracks_; }
  /// Most memory held so far: vectors never shrink.
  [[nodiscard]] std::size_t bytes() const {
    return state_.bytes() + peak_.capacity() * sizeof(Offset) +
           (order_.capacity() + ranks_.capacity()) * sizeof(Index) +
           frames_.capacity() * sizeof(Frame) +
           parts_.capacity() * sizeof(Part);
  }

 private:
  static constexpr Index kNone = (std::numeric_limits<Index>::max)();
  static constexpr std::size_t kNoFrame =
      (std::numeric_limits<std::size_t>::max)();
  static constexpr Offset kPlaced = MinimallocState::kPlaced;

  /// Canonical order is by this pair.
  struct Key {
    Offset offset = -1;
    std::int64_t rank = -1;
    [[nodiscard]] bool operator<(const Key& other) const {
      return offset != other.offset ? offset < other.offset : rank < other.rank;
    }
  };

  /// An independent range of sections, [begin, end).
  struct Part {
    Index begin = 0;
    Index end = 0;
    SlotRange slots{};             ///< has all its unplaced buffers
    Index unplaced = 0;            ///< how many, when it was split off
    std::size_t owner = kNoFrame;  ///< the frame whose placement did that
    Index then = kNone;            ///< the part to enter when it is solved
    std::size_t ranks = 0;         ///< where its slots' ranks start in ranks_
  };

  /// A node, and the placement it is trying.
  struct Frame {
    Index part = 0;
    Index unplaced = 0;
    bool is_root = false;     ///< of its part
    Key bound{};              ///< candidates come after it
    Key cursor{};             ///< the candidate tried last
    Key hatless{kPlaced, 0};  ///< candidates come before it
    Offset ceiling = 0;       ///< candidates lie below it
    Index slot = kNone;       ///< what is placed, or kNone
    bool cut = false;         ///< whether it is taken out of the cuts
    MinimallocState::Mark mark{};
    std::size_t parts = 0;  ///< sizes of the stacks before
    std::size_t ranks = 0;
  };

  [[nodiscard]] bool stopped(Stop& by);
  void count_node() {
    out_of_nodes_ = nodes_ >= last_node_;
    if (!out_of_nodes_) ++nodes_;
  }
  [[nodiscard]] Index split(std::size_t owner, Index begin, Index end,
                            Index then);
  void enter_part(const Preorder& preorder, Index part);
  void enter_node(Index part, Index unplaced, bool is_root, Key bound);
  [[nodiscard]] Offset ceiling(const Part& part, bool is_root) const;
  [[nodiscard]] Index next_candidate(Frame& frame) const;
  [[nodiscard]] bool place(Frame& frame, Index x);
  [[nodiscard]] bool falls_apart(Frame& frame);
  void undo(Frame& frame);
  /// Undoes and drops all but the lowest `frames` frames.
  void unwind(std::size_t frames) {
    for (; frames_.size() > frames; frames_.pop_back()) undo(frames_.back());
  }

  const Sweep& sweep_;
  Offset capacity_;
  const Options& options_;
  const MinimallocParams& params_;
  Clock::time_point start_;

  MinimallocState state_;
  std::vector<Offset> peak_;  ///< by slot: preorder letter T
  std::vector<Index> order_;  ///< scratch of enter_part
  std::vector<Frame> frames_;
  std::vector<Part> parts_;
  std::vector<Index> ranks_;
  std::int64_t nodes_ = 0;
  std::int64_t backtracks_ = 0;
  std::int64_t last_node_ = 0;  ///< of this run
  bool out_of_nodes_ = false;
  std::int64_t ticks_ = 0;
};

/// The loop: the top frame tries its next candidate; then down, or up.
inline Ended MinimallocSearch::run(const Preorder& preorder,
                                   std::int64_t node_limit) {
  constexpr std::int64_t kMax = (std::numeric_limits<std::int64_t>::max)();
  last_node_ = node_limit > kMax - nodes_ ? kMax : nodes_ + node_limit;
  out_of_nodes_ = false;
  Ended ended{Status::kFeasible, Stop::kNone};
  Index part = split(kNoFrame, 0, sweep_.sections(), kNone);
  if (part != kNone) enter_part(preorder, part);
  while (part != kNone && !stopped(ended.stopped_by)) {
    Frame& frame = frames_.back();
    const Index x = next_candidate(frame);
    if (x == kNone) {
      ++backtracks_;
      const std::size_t up =
          frame.is_root ? parts_[frame.part].owner : frames_.size() - 2;
      if (up == kNoFrame) {
        ended.status = Status::kInfeasible;
        break;
      }
      unwind(up + 1);
      undo(frames_.back());
    } else if (!place(frame, x)) {
      undo(frame);
    } else if (frame.unplaced == 1) {
      count_node();
      part = parts_[frame.part].then;
      if (part != kNone) enter_part(preorder, part);
    } else if (falls_apart(frame)) {
      const Part whole = parts_[frame.part];
      enter_part(preorder,
                 split(frames_.size() - 1, whole.begin, whole.end, whole.then));
    } else {
      enter_node(frame.part, frame.unplaced - 1, false, frame.cursor);
    }
  }
  unwind(0);
  parts_.clear();
  ranks_.clear();
  if (ended.stopped_by != Stop::kNone) ended.status = Status::kUnknown;
  return ended;
}

/// Whether a limit is reached. Cheap enough to be asked at every placement:
/// the clock is read at every 16th only.
inline bool MinimallocSearch::stopped(Stop& by) {
  if (options_.cancel != nullptr &&
      options_.cancel->load(std::memory_order_relaxed)) {
    by = Stop::kCancelled;
    return true;
  }
  if (options_.time_limit != (std::chrono::nanoseconds::max)() &&
      ticks_++ % 16 == 0 && Clock::now() - start_ >= options_.time_limit) {
    by = Stop::kTimeLimit;
    return true;
  }
  if (out_of_nodes_) by = Stop::kNodeLimit;
  return out_of_nodes_;
}

/// Makes the parts of sections [begin, end), split where no unplaced buffer
/// crosses; `then` follows the last. Returns the first to enter.
inline Index MinimallocSearch::split(std::size_t owner, Index begin, Index end,
                                     Index then) {
  const std::size_t first = parts_.size();
  for (Index a = begin, b = begin; a < end; a = b) {
    while (++b < end && state_.cuts()[b - 1] != 0) {
    }
    Part part;
    part.begin = a;
    part.end = b;
    part.owner = owner;
    part.slots = {sweep_.first_slot[b], sweep_.first_slot[a]};
    for (Index y = sweep_.first_slot[a]; y < sweep_.first_slot[b]; ++y) {
      if (state_.minimum()[y] == kPlaced) continue;
      part.slots.begin = (std::min)(part.slots.begin, y);
      part.slots.end = y + 1;
      ++part.unplaced;
    }
    if (part.unplaced == 0) continue;
    if (parts_.size() > first)
      parts_.back().then = static_cast<Index>(parts_.size());
    parts_.push_back(part);
  }
  if (parts_.size() == first) return then;
  parts_.back().then = then;
  return static_cast<Index>(first);
}

/// Ranks the unplaced buffers of a part afresh and opens its root node.
inline void MinimallocSearch::enter_part(const Preorder& preorder,
                                         Index index) {
  Part& part = parts_[index];
  order_.clear();
  for (Index y = part.slots.begin; y < part.slots.end; ++y) {
    if (state_.minimum()[y] == kPlaced) continue;
    order_.push_back(y);
    if (preorder.has_total) peak_[y] = state_.peak(y);
  }
  if (params_.static_preordering) {
    std::sort(order_.begin(), order_.end(), [&](Index a, Index b) {
      if (preorder.before[a] != preorder.before[b])
        return preorder.before[a] < preorder.before[b];
      if (peak_[a] != peak_[b]) return peak_[a] > peak_[b];
      return preorder.after[a] < preorder.after[b];
    });
  }
  part.ranks = ranks_.size();
  ranks_.resize(part.ranks + (part.slots.end - part.slots.begin));
  for (std::size_t k = 0; k < order_.size(); ++k)
    ranks_[part.ranks + (order_[k] - part.slots.begin)] = static_cast<Index>(k);
  enter_node(index, part.unplaced, true, Key{});
}

/// Opens a node whose candidates come after `bound` in canonical order.
inline void MinimallocSearch::enter_node(Index part, Index unplaced,
                                         bool is_root, Key bound) {
  count_node();
  Frame frame;
  frame.part = part;
  frame.unplaced = unplaced;
  frame.is_root = is_root;
  if (params_.canonical_only) frame.bound = bound;
  if (params_.dynamic_ordering) frame.cursor = frame.bound;
  frame.ceiling = ceiling(parts_[part], is_root);
  frames_.push_back(frame);
}

/// What the offset of the next buffer must be below, by dominance and by the
/// monotonic floor.
inline Offset MinimallocSearch::ceiling(const Part& part, bool is_root) const {
  Offset result = kPlaced;
  if (params_.check_dominance) {
    for (Index y = part.slots.begin; y < part.slots.end; ++y)
      result = (std::min)(result, state_.minimum()[y] + sweep_.size[y]);
  }
  // Bounds look at what placements touch: what is too full from the start is
  // seen at roots.
  if (!params_.section_inference || !(params_.monotonic_floor || is_root))
    return result;
  Offset largest = 0;
  for (Index s = part.begin; s < part.end; ++s)
    largest = (std::max)(largest, state_.total()[s]);
  const Offset room = capacity_ - largest;
  if (!params_.monotonic_floor && room >= 0) return result;
  return (std::min)(result, room + 1);
}

/// The next buffer to try: the first after the cursor, by (offset, rank) or
/// by rank alone; kNone if there is none.
inline Index MinimallocSearch::next_candidate(Frame& frame) const {
  const Part& part = parts_[frame.part];
  const Index* const ranks = ranks_.data() + part.ranks;
  const Offset* const minimum = state_.minimum().data() + part.slots.begin;
  const Index count = part.slots.end - part.slots.begin;
  const Key limit = (std::min)(frame.hatless, Key{frame.ceiling, -1});
  const Key cursor = frame.cursor;
  Key best = limit;
  Index found = kNone;
  if (params_.dynamic_ordering) {
    for (Index k = 0; k < count; ++k) {
      if (minimum[k] > best.offset || minimum[k] < cursor.offset) continue;
      const Key key{minimum[k], ranks[k]};
      if (!(cursor < key) || !(key < best)) continue;
      best = key;
      found = k;
    }
  } else {
    for (Index k = 0; k < count; ++k) {
      const Key key{minimum[k], ranks[k]};
      if (!(frame.bound < key) || !(key < limit)) continue;
      if (key.rank <= cursor.rank) continue;
      if (found != kNone && key.rank > best.rank) continue;
      best = key;
      found = k;
    }
  }
  if (found == kNone) return kNone;
  frame.cursor = best;
  return part.slots.begin + found;
}

/// Places x, which is at the frame's cursor. Returns false if a bound refutes
/// that; undo() is due in any case.
inline bool MinimallocSearch::place(Frame& frame, Index x) {
  const Offset size = sweep_.size[x];
  const Offset peak = state_.peak(x);
  if (params_.hatless_pruning && peak == size) frame.hatless = frame.cursor;
  // All unplaced buffers of its sections would come to lie above x.
  const Offset needed = params_.section_inference ? peak : size;
  if (frame.cursor.offset + needed > capacity_) return false;
  frame.slot = x;
  frame.mark = state_.mark();
  frame.parts = parts_.size();
  frame.ranks = ranks_.size();
  return state_.place(x, parts_[frame.part].slots, peak);
}

/// Whether the placement of a frame leaves more than one part.
inline bool MinimallocSearch::falls_apart(Frame& frame) {
  frame.cut = params_.dynamic_decomposition;
  return frame.cut && state_.remove_cuts(frame.slot);
}

/// Takes back the placement of a frame, if there is one.
inline void MinimallocSearch::undo(Frame& frame) {
  if (frame.slot == kNone) return;
  state_.undo(frame.slot, frame.mark);
  if (frame.cut) state_.restore_cuts(frame.slot);
  parts_.resize(frame.parts);
  ranks_.resize(frame.ranks);
  frame.slot = kNone;
  frame.cut = false;
}

}  // namespace detail
}  // namespace baselines
SNUG_END_NAMESPACE

#endif  // SNUG_BASELINES_MINIMALLOC_SEARCH_HPP
