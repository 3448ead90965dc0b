// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Lasting buffers: those that meet all others, as weights meet all activations.
/// They are stacked at the bottom and the others placed above them, who have fewer
/// neighbours then, and come apart where only lasting ones are live.
///
///      |   a   |   b   |               |   a   |   b   |       x meets all others,
///      +-------+-------+               +-------+-------+       so nobody is beside
///      |       x       |               |   c   |   d   |       it: they are above or
///      +-------+-------+      -->      +-------+-------+       below. Those below
///      |   c   |   d   |               |       x       |       are moved up by the
///      +-------+-------+               +-------+-------+       size of x, x down.
///
/// That is a placement as well, and no higher. So is what comes of the next lasting
/// one, and in the end all of them are below all others.
///
/// *Alignments.* Who is moved up has to suit its alignment there: the sizes of the
/// stack are multiples of all alignments, and all have the same lowest address. If all
/// have one alignment, a size may be any, and is rounded up: nobody could begin in what
/// that takes. It costs something only where nothing is above x, and that is so for
/// one of them at most. To swap two lasting ones, and move what is between them by the
/// difference, lowers the height if the upper one is rounded up by more then. So one of
/// those that are rounded up the most is *spared*, and placed with the others. That
/// needs both to be free to go to the top: where there are ends, nothing is rounded up.
///
/// *Constraints.* All that is below x moves together, and stays below all that is above
/// x: pairs stay apart, and ends in order. Not in the stack is who has gaps or ties, may
/// overlap others or belongs to the top. There is none where something is fixed or
/// reserved, where somebody is in a gap all the time, and where x could be between the
/// bytes of some that are tied. To be sure to meet one with gaps while it has all its
/// bytes, x is live as long as that.
///
/// Who has no bytes, and no tie, stays at its lowest address, if that is no higher than
/// the stack begins.
///
/// Cost: O(n log n).
#ifndef SNUG_NORMAL_LASTING_HPP
#define SNUG_NORMAL_LASTING_HPP

#include "snug/config.hpp"
#include "snug/model/interval.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/reason.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/presolve.hpp"
#include "snug/support/align.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"
#include "snug/support/rounded.hpp"
#include "snug/support/sort.hpp"
#include "snug/support/sort_in_parts.hpp"
#include "snug/support/spread_sort.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// Whether the bytes of all that are tied are in one piece each, so that nobody who
/// meets them can be between them.
[[nodiscard]] inline bool are_in_one_piece(const Flat& flat) {
  List<Index> order = list_tied(flat);
  heap_sort(order, [&](Index a, Index b) {
    if (flat.root[a] != flat.root[b]) return flat.root[a] < flat.root[b];
    if (flat.delta[a] != flat.delta[b]) return flat.delta[a] < flat.delta[b];
    return a < b;
  });
  Index root = ~Index{0};
  std::int64_t top = 0;
  for (const Index i : order) {
    if (flat.root[i] != root) {
      root = flat.root[i];
      top = flat.delta[i];
    }
    if (flat.delta[i] > top) return false;
    top = (std::max)(top, flat.delta[i] + flat.buffers[i].size);
  }
  return true;
}

/// The lasting buffers of a presolved problem, in a stack.
class LastingStack {
 public:
  /// Of no use if it is interrupted.
  explicit LastingStack(const Flat& flat, const Interrupt& interrupt = {}) {
    if (!find_ground(flat) || interrupt.after(flat.buffers.size())) return;
    const List<std::uint8_t> may = list_stackable(flat);
    const Interval<std::int64_t> core = core_of(flat);
    const List<FlatBuffer>& buffers = flat.buffers;
    const auto lasts = [&](Index i) {
      return may[i] != 0 && buffers[i].lifespan.overlaps(core);
    };
    spared_ = most_padded(flat, lasts);
    bool leaves_any = false;
    offsets_.reserve(buffers.size());
    for (Index i = 0; i < buffers.size(); ++i) {
      offsets_.push_back(align_up(flat.base, buffers[i].alignment));
      if (!matters(flat, i)) continue;
      const bool is_in = i != spared_ && lasts(i);
      (is_in ? stacked_ : others_).push_back(i);
      leaves_any = leaves_any || (!is_in && buffers[i].size > 0);
    }
    // Where this is a part of a larger problem, others of that can lie beside the
    // short-lived ones of the stack, so these are on top.
    const auto width = [&](Index i) {
      return distance(buffers[i].lifespan.lower, buffers[i].lifespan.upper);
    };
    const bool is_sorted = sort_in_parts(
        stacked_.begin(), stacked_.end(),
        [&](Index a, Index b) {
          const double x = width(a);
          const double y = width(b);
          return x != y ? x > y : a < b;
        },
        interrupt);
    leaves_any = leaves_any && is_sorted;
    top_ = ground_;
    for (const Index i : stacked_) {
      size_.push_back(align_up(buffers[i].size, step_));
      leaves_any = leaves_any && size_.back() <= kMaxTotal - top_;
      if (!leaves_any) break;
      offsets_[i] = top_;
      top_ += size_.back();
    }
    if (!leaves_any) stacked_.clear();
  }

  /// Whether nobody is in the stack, as where nobody else has bytes.
  [[nodiscard]] bool empty() const noexcept { return stacked_.empty(); }
  /// Whether there are so few in it that to take them out is not worth a copy.
  [[nodiscard]] bool is_small() const noexcept {
    return stacked_.size() <= offsets_.size() / 64;
  }
  /// Who is in it, from the bottom up; and if it is not empty, all others, ascending,
  /// but those that have no bytes, and no ties.
  [[nodiscard]] const List<Index>& stacked() const noexcept { return stacked_; }
  [[nodiscard]] const List<Index>& others() const noexcept { return others_; }
  /// Where it ends: the base of the others. Of no use if it is empty.
  [[nodiscard]] std::int64_t top() const noexcept { return top_; }

  [[nodiscard]] std::size_t bytes() const noexcept {
    return bytes_of(stacked_, others_, size_, offsets_);
  }

  /// The offsets of the others once the stack of a placement is at its bottom. That may
  /// be higher than it was, if the topmost one of the stack is rounded up. Who lies where
  /// one of the stack begins has no bytes, and ends something below that.
  [[nodiscard]] List<std::int64_t> raise_others(
      const List<std::int64_t>& offsets) const {
    List<Keyed> by_offset;
    for (Index k = 0; k < stacked_.size(); ++k)
      by_offset.push_back({offsets[stacked_[k]], k});
    sort_keyed(by_offset);
    List<std::int64_t> below;  // of the k-th one by offset and all above it
    below.resize(by_offset.size() + 1, 0);
    for (std::size_t k = by_offset.size(); k-- > 0;)
      below[k] = below[k + 1] + size_[by_offset[k].index];
    List<std::int64_t> result;
    for (const Index i : others_) {
      const Keyed* const above = std::partition_point(
          by_offset.begin(), by_offset.end(),
          [&](const Keyed& one) { return one.key < offsets[i]; });
      result.push_back(
          offsets[i] +
          below[static_cast<std::size_t>(above - by_offset.begin())]);
    }
    return result;
  }

  /// The offsets of all: those of the others, and of the stack.
  [[nodiscard]] List<std::int64_t> join(
      const List<std::int64_t>& of_others) const {
    List<std::int64_t> result = offsets_;
    for (Index k = 0; k < others_.size(); ++k)
      result[others_[k]] = of_others[k];
    return result;
  }

  /// What refutes together with the stack, of all, ascending: some of the others that
  /// do not fit above it, and who is spared, or the stack might be rounded up less.
  [[nodiscard]] List<Index> join_core(const List<Index>& of_others) const {
    List<Index> core = stacked_;
    if (spared_ != kNobody) core.push_back(spared_);
    for (const Index k : of_others)
      if (others_[k] != spared_) core.push_back(others_[k]);
    heap_sort(core);
    return core;
  }

 private:
  static constexpr Index kNobody = ~Index{0};

  /// Whether a buffer has bytes, or a tie to one that has.
  [[nodiscard]] static bool matters(const Flat& flat, Index i) noexcept {
    return flat.buffers[i].size > 0 || !flat.root.empty();
  }

  /// Finds what all alignments divide, and the lowest address; false if that is no
  /// number, or not one for all.
  [[nodiscard]] bool find_ground(const Flat& flat) {
    is_uniform_ = flat.ends.empty();
    for (Index i = 0; i < flat.buffers.size(); ++i) {
      if (!matters(flat, i)) continue;
      const std::int64_t alignment = flat.buffers[i].alignment;
      const std::int64_t more = alignment / std::gcd(step_, alignment);
      if (more > kMaxTotal / step_) return false;
      step_ *= more;
    }
    if (flat.base > kMaxTotal - step_) return false;
    ground_ = align_up(flat.base, step_);
    for (Index i = 0; i < flat.buffers.size(); ++i) {
      const std::int64_t alignment = flat.buffers[i].alignment;
      const std::int64_t lowest = align_up(flat.base, alignment);
      if (matters(flat, i) ? lowest != ground_ : lowest > ground_) return false;
      is_uniform_ = is_uniform_ && (!matters(flat, i) || alignment == step_);
    }
    return true;
  }

  /// Says of each buffer whether size and constraints let it be in the stack.
  [[nodiscard]] List<std::uint8_t> list_stackable(const Flat& flat) const {
    List<std::uint8_t> may(flat.buffers.size(), 0);
    if (!flat.fixed.empty() || !flat.reserved.empty() ||
        (!flat.gaps.empty() && !all_are_whole(flat)) || !are_in_one_piece(flat))
      return may;
    for (Index i = 0; i < may.size(); ++i) {
      const std::int64_t size = flat.buffers[i].size;
      may[i] = size > 0 && (is_uniform_ || size % step_ == 0) &&
               flat.end_of(i) != End::kTop;
    }
    for (const FlatGap& gap : flat.gaps) may[gap.buffer] = 0;
    for (const auto& [a, b] : flat.may_overlap) may[a] = may[b] = 0;
    visit_tied(flat, [&](Index i) { may[i] = 0; });
    return may;
  }

  /// Who meets all others whole begins before its upper end, and ends after its lower
  /// one: the first time at which one ends, and the last at which one begins.
  [[nodiscard]] static Interval<std::int64_t> core_of(const Flat& flat) {
    Interval<std::int64_t> core{(std::numeric_limits<std::int64_t>::min)(),
                                (std::numeric_limits<std::int64_t>::max)()};
    for (const FlatBuffer& buffer : flat.buffers)
      if (buffer.size > 0) core = intersection(core, buffer.lifespan);
    // Live as long as one with gaps.
    for (const FlatGap& gap : flat.gaps) {
      const Interval<std::int64_t> life = flat.buffers[gap.buffer].lifespan;
      core = intersection(core, {life.upper - 1, life.lower + 1});
    }
    return core;
  }

  /// The first of those that last and are rounded up the most, if any is.
  template <class Lasts>
  [[nodiscard]] Index most_padded(const Flat& flat, const Lasts& lasts) const {
    Index result = kNobody;
    std::int64_t most = 0;
    for (Index i = 0; i < flat.buffers.size(); ++i) {
      const std::int64_t size = flat.buffers[i].size;
      const std::int64_t padding = align_up(size, step_) - size;
      if (padding <= most || !lasts(i)) continue;
      result = i;
      most = padding;
    }
    return result;
  }

  std::int64_t step_ = 1;
  bool is_uniform_ = true;  ///< whether all have that alignment, and no ends
  Index spared_ = kNobody;  ///< who lasts, but is none of the stack
  std::int64_t ground_ = 0;
  std::int64_t top_ = 0;
  List<Index> stacked_{};
  List<Index> others_{};
  List<std::int64_t> size_{};     ///< of those in the stack, rounded up
  List<std::int64_t> offsets_{};  ///< of all; those of the others do not matter
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_NORMAL_LASTING_HPP
