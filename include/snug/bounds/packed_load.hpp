// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The packed load: what buffers of which no two may share bytes need beside obstacles
/// that all of them meet.
///
/// They lie in *holes*, between these obstacles, and above them. How they are ordered in
/// a hole is no matter, only who is in which: no placement is lower than the least height
/// below which the holes can be packed (bounds/hole_packing.hpp). The obstructed load
/// counts all free bytes as one, as if a buffer could lie below and above an obstacle.
///
///     height   ===  quick: each in the lowest hole that it fits into, the largest first
///              ---  halfway: if all can be packed below that, it is the quick one from
///                   now on; if not, the bound
///     bound    ===  if all can be packed below that, the others are of no use
///
/// The buffers of a section are such buffers, and those of a clique are.
///
/// *Grid.* Let their alignments be multiples of g. Then each begins at a multiple of g,
/// and so at or above the end of the one below it, rounded up: sizes and the lower ends
/// of holes are rounded up. The one on top of a hole that ends at u ends at u or below,
/// so its rounded end is at most u rounded up: upper ends are rounded up, too.
///
/// Cost: O(n + obstacles) for each section and clique, and what packings take, up to a
/// limit; O(n + obstacles + sections) memory.
#ifndef SNUG_BOUNDS_PACKED_LOAD_HPP
#define SNUG_BOUNDS_PACKED_LOAD_HPP

#include "snug/bounds/hole_packing.hpp"
#include "snug/bounds/load.hpp"
#include "snug/config.hpp"
#include "snug/model/interval.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/plain.hpp"
#include "snug/support/align.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"
#include "snug/support/outcome.hpp"
#include "snug/support/sort.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// Steps of PackedLoads::run(): as many as take less than what else a solve does at first,
/// and for n buffers as many as take as long as a few nodes of a search for each.
inline constexpr std::int64_t kFirstPackingSteps = std::int64_t{1} << 16;
[[nodiscard]] constexpr std::int64_t packing_steps_for(std::size_t n) noexcept {
  constexpr std::size_t kMost = 1024;
  return std::int64_t{1 << 14} *
         static_cast<std::int64_t>(n < kMost ? n : kMost);
}

/// The packed loads of a plain problem with obstacles.
class PackedLoads {
 public:
  /// The problem must outlive this.
  explicit PackedLoads(const Plain& plain) : plain_(&plain) {}

  /// Finds the sections and cliques that need more than `above`, the heaviest first, in
  /// about `work` steps. Stops when one needs more than `enough`. False if there is more
  /// to do.
  bool run(std::int64_t above, std::int64_t enough, std::int64_t work,
           const Interrupt& interrupt = {}) {
    const std::size_t passed = plain_->obstacles.size() + plain_->order.size();
    std::size_t since = 0;
    // Few of many are looked at, so they are not sorted.
    list_groups(interrupt);
    std::make_heap(left_.begin(), left_.end(), is_later);
    for (; !left_.empty(); left_.pop_back()) {
      work -= static_cast<std::int64_t>(passed);
      if (work <= 0 || height_ > enough || interrupt.after(passed, since))
        return false;
      std::pop_heap(left_.begin(), left_.end(), is_later);
      const Group& group = left_.back();
      const List<Index> members =
          group.index < plain_->sections
              ? plain_->live_in(group.index)
              : plain_->cliques[group.index - plain_->sections];
      if (members.empty()) continue;
      find_sizes(members);
      find_holes(members);
      if (needs_more((std::max)(above, height_), enough, work))
        highest_ = members;
    }
    return work > 0;
  }

  /// No placement is lower; 0 if none needs more than it was to.
  [[nodiscard]] std::int64_t height() const noexcept { return height_; }
  /// Those that need it, beside the obstacles.
  [[nodiscard]] const List<Index>& highest() const noexcept { return highest_; }
  [[nodiscard]] std::size_t bytes() const noexcept {
    return bytes_of(left_, holes_, sizes_, rooms_, highest_);
  }

 private:
  using Hole = Interval<std::int64_t>;

  /// A section or, if there are no more of these, a clique.
  struct Group {
    Index index;
    std::int64_t load;
  };

  void list_groups(const Interrupt& interrupt) {
    left_.clear();
    for (const std::int64_t load : obstructed_loads(*plain_, interrupt))
      left_.push_back({static_cast<Index>(left_.size()), load});
    for (const List<Index>& clique : plain_->cliques) {
      std::int64_t sum = 0;
      for (const Index i : clique) sum += plain_->buffers[i].size;
      left_.push_back({static_cast<Index>(left_.size()), sum});
    }
  }
  [[nodiscard]] static bool is_later(const Group& a, const Group& b) {
    return a.load != b.load ? a.load < b.load : a.index > b.index;
  }

  /// Their sizes on their grid, the largest first.
  void find_sizes(const List<Index>& members) {
    grid_ = 0;
    for (const Index i : members)
      grid_ = std::gcd(grid_, plain_->buffers[i].alignment);
    sizes_.clear();
    for (const Index i : members)
      sizes_.push_back(align_up(plain_->buffers[i].size, grid_));
    sort_descending(sizes_, [](std::int64_t size) { return size; });
  }

  /// What the obstacles that all of them meet leave, from the bottom up.
  void find_holes(const List<Index>& members) {
    Interval<Index> met{plain_->sections,
                        0};  // Whoever begins before, and ends after.
    for (const Index i : members)
      met = {(std::min)(met.lower, plain_->spans[i].upper),
             (std::max)(met.upper, plain_->spans[i].lower)};
    holes_.clear();
    std::int64_t from = 0;
    for (const Obstacle& obstacle : plain_->obstacles) {
      if (obstacle.sections.lower >= met.lower ||
          obstacle.sections.upper <= met.upper)
        continue;
      if (from < obstacle.bytes.lower)
        add_hole(on_grid(from), on_grid(obstacle.bytes.lower));
      from = (std::max)(from, obstacle.bytes.upper);
    }
    std::int64_t end = on_grid(from);  // All are below it.
    for (const std::int64_t size : sizes_) end += size;
    add_hole(on_grid(from), end);
  }
  void add_hole(std::int64_t lower, std::int64_t upper) {
    if (lower < upper) holes_.push_back({lower, upper});
  }
  [[nodiscard]] std::int64_t on_grid(std::int64_t address) const noexcept {
    return grid_ == 1 ? address : align_up(address, grid_);
  }

  /// The room of the holes below a height.
  void find_rooms(std::int64_t height) {
    rooms_.clear();
    height = on_grid(height);
    for (const Hole& hole : holes_) {
      if (hole.lower >= height) return;
      rooms_.push_back((std::min)(hole.upper, height) - hole.lower);
    }
  }

  /// A height below which all can be packed: each in the lowest hole that it fits into.
  [[nodiscard]] std::int64_t quick_height() {
    find_rooms(holes_.back().upper);
    std::int64_t top = grid_ - 1;
    for (const std::int64_t size : sizes_) {
      std::size_t hole = 0;
      while (rooms_[hole] < size) ++hole;
      rooms_[hole] -= size;
      top = (std::max)(top, holes_[hole].upper - rooms_[hole]);
    }
    return top - (grid_ - 1);
  }

  /// Whether they need more than `proved`: how much more, if it is not more than `enough`.
  [[nodiscard]] bool needs_more(std::int64_t proved, std::int64_t enough,
                                std::int64_t& work) {
    const std::int64_t before = height_;
    std::int64_t fits = quick_height();
    if (fits <= proved) return false;
    HolePacking packing(sizes_);
    std::int64_t tried = proved;
    while (proved < fits && proved <= enough) {
      find_rooms(tried);
      const Outcome outcome = packing.run(rooms_, work);
      if (outcome == Outcome::kOpen) break;
      if (outcome == Outcome::kPlacedAll)
        fits = tried;
      else
        height_ = proved = tried + 1;
      tried = proved + (fits - proved) / 2;
    }
    return height_ > before;
  }

  const Plain* plain_;
  std::int64_t height_ = 0;
  List<Group> left_{};     ///< that were not looked at
  std::int64_t grid_ = 1;  ///< of those that are looked at, as what follows
  List<std::int64_t> sizes_{};
  List<Hole> holes_{};
  List<std::int64_t> rooms_{};
  List<Index> highest_{};
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_BOUNDS_PACKED_LOAD_HPP
