// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Obstacles: what is fixed or reserved, seen from the buffers that are not.
///
///      5 +- - -+-----+     :  an obstacle of time [4, 9) and bytes [3, 5)
///      3 +- - -+:::::+     a buffer of more than 3 bytes that is live then lies
///      0 +-----+-----+     at 5 or above; one that ends at 4 may lie at 0
///        0     4     9
///
/// A fixed buffer of size s at offset f is an obstacle for all of its lifespan
/// but its gaps, where only the window is; a reserved range is one for its
/// time. A buffer x that is live with an obstacle [l, u) cannot be at an offset
/// above l - s(x) and below u: these are *barred*. Where x is kept apart from a
/// fixed buffer, the same holds for the whole of that.
///
/// So an obstacle is no buffer of the plain problem. It changes which offsets
/// there are (plain/jumps.hpp), and how many bytes a section has
/// (plain/section_bound.hpp).
///
/// Cost: O(k log k + m) for k obstacles and m meetings of a buffer with one; for each
/// buffer a look at 64 obstacles at once, and at each that begins between the first
/// one live and it; where some are reserved, a step for each section of each obstacle.
#ifndef SNUG_NORMAL_OBSTACLES_HPP
#define SNUG_NORMAL_OBSTACLES_HPP

#include "snug/config.hpp"
#include "snug/engine/bits.hpp"
#include "snug/model/interval.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/plain.hpp"
#include "snug/support/align.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"
#include "snug/support/sort.hpp"
#include "snug/support/view.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// The ground of a flat problem that may have obstacles, too.
[[nodiscard]] inline Ground obstructed_ground(const Flat& flat) {
  if (const Ground ground = plain_ground(flat)) return ground;
  if (!flat.ends.empty() || !flat.root.empty() || !is_tight(flat))
    return std::nullopt;
  std::size_t count = 0;
  std::int64_t ground = 0;
  for (Index i = 0; i < flat.buffers.size(); ++i) {
    const FlatBuffer& buffer = flat.buffers[i];
    if (buffer.size == 0 || flat.is_fixed(i)) continue;
    const std::int64_t lowest = align_up(flat.base, buffer.alignment);
    if (count > 0 && lowest != ground) return std::nullopt;
    ground = lowest;
    if (++count > kMostPaired) return std::nullopt;
  }
  return ground;
}

/// Makes the plain problem of a flat one that has a ground.
class Obstructed {
 public:
  Obstructed(const Flat& flat, std::int64_t ground, const Interrupt& interrupt)
      : flat_(&flat), ground_(ground), interrupt_(interrupt) {}

  [[nodiscard]] Plain make() {
    Plain plain = make_free();
    if (plain.buffers.empty()) return plain;
    if (!bar(plain) || !cut(plain)) return {};
    return plain;
  }

 private:
  /// The free buffers with their pairs. Lists the obstacles meanwhile.
  [[nodiscard]] Plain make_free() {
    List<FlatBuffer> free = flat_->buffers;
    for (Index i = 0; i < free.size(); ++i)
      if (flat_->is_fixed(i)) free[i].size = 0;
    add_fixed();
    const std::size_t most = times_.size() + flat_->reserved.size();
    times_.reserve(most);
    obstacles_.reserve(most);
    for (const FlatReserved& range : flat_->reserved) add_reserved(range);
    Plain plain =
        make_paired(std::move(free), flat_->apart, times_, interrupt_);
    if (plain.buffers.empty()) return plain;
    const std::size_t n = plain.buffers.size();
    for (std::size_t k = 0; k < times_.size(); ++k)
      obstacles_[k].sections = plain.spans[n + k];
    for (Obstacle& obstacle : for_all_time_) {
      obstacle.sections = {0, plain.sections};
      obstacles_.push_back(obstacle);
    }
    plain.spans.shrink(n);
    sort(obstacles_);
    return plain;
  }

  void add_fixed() {
    std::size_t gap = 0;
    for (Index i = 0; i < flat_->buffers.size(); ++i) {
      if (!flat_->is_fixed(i)) continue;
      const std::int64_t at = flat_->fixed[i];
      visit_pieces(*flat_, i, gap, [&](const auto& time, const auto& bytes) {
        add(time, {at + bytes.lower, at + bytes.upper});
      });
    }
  }

  /// Notes bytes that are taken for some time; for all time if that is empty.
  void add_reserved(const FlatReserved& range) {
    if (range.lifespan.empty()) {
      // With a name, so that one push_back() is compiled for all of them.
      const Obstacle obstacle = {{}, above_ground(range.bytes)};
      for_all_time_.push_back(obstacle);
    } else {
      add(range.lifespan, range.bytes);
    }
  }
  void add(const Interval<std::int64_t>& time,
           const Interval<std::int64_t>& bytes) {
    const Interval<std::int64_t> taken = above_ground(bytes);
    if (time.empty() || taken.empty()) return;
    times_.push_back(time);
    const Obstacle obstacle = {{}, taken};
    obstacles_.push_back(obstacle);
  }
  [[nodiscard]] Interval<std::int64_t> above_ground(
      const Interval<std::int64_t>& bytes) const noexcept {
    return {(std::max)(bytes.lower - ground_, std::int64_t{0}),
            (std::max)(bytes.upper - ground_, std::int64_t{0})};
  }

  /// Finds the offsets that each buffer cannot have. False if it is interrupted.
  [[nodiscard]] bool bar(Plain& plain) const {
    const std::size_t n = plain.buffers.size();
    struct KeptApart {
      Index buffer;
      Interval<std::int64_t> from;
    };
    List<KeptApart> kept_apart;
    for (const auto& [a, b] : flat_->apart) {
      if (flat_->is_fixed(a)) kept_apart.push_back({b, whole(a)});
      if (flat_->is_fixed(b)) kept_apart.push_back({a, whole(b)});
    }
    heap_sort(kept_apart,
              [](const auto& p, const auto& q) { return p.buffer < q.buffer; });
    if (obstacles_.empty() && kept_apart.empty()) return true;
    const List<Index> by_begin = sorted_by_begin();
    const List<Index> first_live = first_of_sections(by_begin, plain);
    std::size_t pair = 0;
    std::size_t since = 0;  // obstacles without a look at the interrupt
    List<Word> met(words_for(static_cast<Index>(obstacles_.size())), 0);
    List<Barred> of_one;
    plain.barred.reserve(n, 0);
    for (Index i = 0; i < n; ++i) {
      const std::int64_t size = plain.buffers[i].size;
      of_one.clear();
      const auto add = [&](const Interval<std::int64_t>& taken) {
        if (size > 0 && !taken.empty())
          of_one.push_back(
              {(std::max)(taken.lower - size, std::int64_t{-1}), taken.upper});
      };
      if (size > 0) {
        const Interval<Index> span = plain.spans[i];
        for (std::size_t k = first_live[span.lower]; k < by_begin.size(); ++k) {
          const Obstacle& obstacle = obstacles_[by_begin[k]];
          if (obstacle.sections.lower >= span.upper) break;
          if (obstacle.sections.overlaps(span))
            set_bit(met.data(), by_begin[k]);
          if (interrupt_.after(1, since)) return false;
        }
      }
      // Obstacles are in the order of their bytes.
      for (Index w = 0; w < met.size(); ++w)
        for (Word& word = met[w]; word != 0; word &= word - 1)
          add(obstacles_[64 * w + lowest_bit(word)].bytes);
      const std::size_t in_order = of_one.size();
      for (; pair < kept_apart.size() && kept_apart[pair].buffer == i; ++pair)
        add(kept_apart[pair].from);
      if (of_one.size() > in_order) sort(of_one);
      // They are open: where two touch, the offset between them is allowed.
      join_neighbours(of_one, join_overlapping<std::int64_t>);
      plain.barred.add_row(of_one);
    }
    return true;
  }
  [[nodiscard]] Interval<std::int64_t> whole(Index i) const {
    return above_ground(
        {flat_->fixed[i], flat_->fixed[i] + flat_->buffers[i].size});
  }
  /// The obstacles by their first sections.
  [[nodiscard]] List<Index> sorted_by_begin() const {
    List<Index> result = numbers_below(obstacles_.size());
    sort_ascending(result,
                   [&](Index k) { return obstacles_[k].sections.lower; });
    return result;
  }

  /// For each section the place in `by_begin` of the first one that is live
  /// there or begins later.
  [[nodiscard]] List<Index> first_of_sections(const List<Index>& by_begin,
                                              const Plain& plain) const {
    List<Index> result(plain.sections, 0);
    Index first = 0;
    for (Index s = 0; s < plain.sections; ++s) {
      while (first < by_begin.size() &&
             obstacles_[by_begin[first]].sections.upper <= s)
        ++first;
      result[s] = first;
    }
    return result;
  }

  /// Lists the obstacles, cut where they share bytes of a section: of those that
  /// begin higher only what is above the others is left there. What is fixed does
  /// not share any, unless it may or is tied. False if it is interrupted.
  [[nodiscard]] bool cut(Plain& plain) const {
    if (flat_->reserved.empty() && flat_->may_overlap.empty() &&
        flat_->root.empty()) {
      plain.obstacles = obstacles_;
      return true;
    }
    List<std::int64_t> tops(plain.sections, 0);
    plain.obstacles.reserve(obstacles_.size());
    std::size_t since = 0;
    for (const Obstacle& whole : obstacles_) {
      if (interrupt_.after(length_of(whole.sections), since)) return false;
      const std::size_t first = plain.obstacles.size();
      for (Index s = whole.sections.lower; s < whole.sections.upper; ++s) {
        const std::int64_t lower = (std::max)(whole.bytes.lower, tops[s]);
        if (lower >= whole.bytes.upper) continue;
        tops[s] = whole.bytes.upper;
        add_section(s, {lower, whole.bytes.upper}, first, plain.obstacles);
      }
    }
    sort(plain.obstacles);
    return true;
  }

  static void sort(List<Barred>& barred) { sort_by_lower(barred); }
  static void sort(List<Obstacle>& obstacles) {
    heap_sort(obstacles, [](const Obstacle& a, const Obstacle& b) {
      if (a.bytes.lower != b.bytes.lower) return a.bytes.lower < b.bytes.lower;
      if (a.bytes.upper != b.bytes.upper) return a.bytes.upper < b.bytes.upper;
      return a.sections.lower < b.sections.lower;
    });
  }

  const Flat* flat_;
  std::int64_t ground_;
  Interrupt interrupt_;
  List<Interval<std::int64_t>> times_{};  ///< of obstacles_, at first
  List<Obstacle> obstacles_{};
  List<Obstacle> for_all_time_{};
};

/// The plain problem of a flat one that has a ground, counted from there. Empty
/// if it is interrupted. Takes the buffers where nothing is fixed or reserved.
[[nodiscard]] inline Plain make_obstructed(Flat& flat, std::int64_t ground,
                                           const Interrupt& interrupt = {}) {
  if (flat.fixed.empty() && flat.reserved.empty())
    return make_paired(std::move(flat.buffers), flat.apart, {}, interrupt);
  return Obstructed(flat, ground, interrupt).make();
}

/// Adds the buffers that obstacles are made of to a core that does not name them.
inline void add_fixed(const Flat& flat, List<Index>& core) {
  if (flat.fixed.empty()) return;
  for (Index i = 0; i < flat.buffers.size(); ++i)
    if (flat.is_fixed(i)) core.push_back(i);
  heap_sort(core);
}

/// The lowest offset that buffer i may have at `address` or above.
[[nodiscard]] inline std::int64_t lowest_allowed(const Plain& plain, Index i,
                                                 std::int64_t address) {
  const std::int64_t alignment = plain.buffers[i].alignment;
  address = align_up(address, alignment);
  const View<const Barred> all = plain.barred_to(i);
  const Barred* barred = std::partition_point(
      all.begin(), all.end(),
      [&](const Barred& one) { return one.upper <= address; });
  for (; barred != all.end() && barred->lower < address; ++barred)
    if (address < barred->upper) address = align_up(barred->upper, alignment);
  return address;
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_NORMAL_OBSTACLES_HPP
