// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Whether items can lie in holes, the free bytes between obstacles: bin packing with
/// bins of several sizes.
///
///     12 +-----+
///        |  4  |     5, 3 and 3 bytes, and 11 are free: with 5 in the lower hole 2 are
///      8 +-----+     lost there, with 3 and 3 one is, and what is left does not fit
///        |/////|     into the upper one
///      7 +-----+
///        |  7  |
///      0 +-----+
///
/// The items are put into holes from the largest to the smallest, depth first, by rules
/// that leave a packing if there is one. Of all packings, take the one that is first in
/// lexicographic order of the holes that the items are in, in their order:
///
///     equal rooms    of holes with as much room left the first one alone is tried: what
///                    would come into either from then on could be exchanged, so that
///                    the packing would not be the first one
///     equal items    no item is below the one before that is as large: the same
///     exact fit      an item that fills a hole goes there: what would come into that
///                    hole instead would fit where the item would be. What is left is a
///                    smaller problem, of which all of this holds again
///     waste          no more may be lost than is free beyond the sizes of all: of each
///                    hole what no sum of sizes comes to (engine/holes.hpp)
///
/// Cost: that of the sums, and a step for each hole that is looked at. O(items + holes)
/// memory, no recursion.
/// Source: Martello and Toth, "Knapsack Problems" (1990), chapter "Bin-packing problem".
#ifndef SNUG_BOUNDS_HOLE_PACKING_HPP
#define SNUG_BOUNDS_HOLE_PACKING_HPP

#include "snug/config.hpp"
#include "snug/engine/holes.hpp"
#include "snug/support/list.hpp"
#include "snug/support/outcome.hpp"

#include <cstddef>
#include <cstdint>

SNUG_BEGIN_NAMESPACE
namespace detail {

class HolePacking {
 public:
  /// Of items of some sizes, at least one, the largest first, which must outlive it.
  explicit HolePacking(const List<std::int64_t>& sizes)
      : sizes_(&sizes), sums_(sums_of(sizes)) {
    for (const std::int64_t size : sizes) total_ += size;
  }

  /// Whether they fit into holes of so much room. Open if that takes more than `steps`,
  /// which it takes off.
  [[nodiscard]] Outcome run(const List<std::int64_t>& rooms,
                            std::int64_t& steps) {
    rooms_ = rooms;
    path_.clear();
    spare_ = -total_;
    for (const std::int64_t room : rooms) spare_ += usable(room);
    if (spare_ < 0) return Outcome::kRefuted;
    path_.push_back(first_choice());
    for (;;) {
      if (steps <= 0) return Outcome::kOpen;
      if (put_next(steps)) {
        if (path_.size() == sizes_->size()) return Outcome::kPlacedAll;
        path_.push_back(first_choice());
        continue;
      }
      path_.pop_back();
      if (path_.empty()) return Outcome::kRefuted;
      take_back();
    }
  }

 private:
  /// Of an item: the hole it is in, and the next one to try.
  struct Choice {
    std::size_t hole;
    std::size_t next;
  };

  [[nodiscard]] static Sums sums_of(const List<std::int64_t>& sizes) {
    List<JobStart> jobs;
    for (const std::int64_t size : sizes) jobs.push_back({0, size, 0, true});
    return {jobs.begin(), jobs.end()};
  }

  /// The most bytes that items have in a hole with so much room.
  [[nodiscard]] std::int64_t usable(std::int64_t room) const {
    return sums_.fill(room);
  }
  /// What more is lost if an item is put into such a hole.
  [[nodiscard]] std::int64_t lost(std::int64_t room, std::int64_t size) const {
    return usable(room) - usable(room - size) - size;
  }

  /// Of the item after those on the path.
  [[nodiscard]] Choice first_choice() const {
    const std::size_t item = path_.size();
    const std::int64_t size = (*sizes_)[item];
    for (std::size_t h = 0; h < rooms_.size(); ++h)
      if (rooms_[h] == size) return {h, kExact};
    const bool is_equal = item > 0 && size == (*sizes_)[item - 1] &&
                          path_[item - 1].next != kFilled;
    return {0, is_equal ? path_[item - 1].hole : 0};
  }

  /// Puts the last item of the path into its next hole. False if there is none.
  [[nodiscard]] bool put_next(std::int64_t& steps) {
    Choice& choice = path_.back();
    const std::int64_t size = (*sizes_)[path_.size() - 1];
    if (choice.next == kExact) {
      choice.next = kFilled;
      --steps;
      rooms_[choice.hole] = 0;
      return true;
    }
    for (; choice.next < rooms_.size(); ++choice.next) {
      steps -= static_cast<std::int64_t>(choice.next) + 1;
      const std::int64_t room = rooms_[choice.next];
      if (room < size || is_like_one_below(choice.next)) continue;
      if (lost(room, size) > spare_) continue;
      spare_ -= lost(room, size);
      rooms_[choice.next] -= size;
      choice.hole = choice.next++;
      return true;
    }
    return false;
  }
  [[nodiscard]] bool is_like_one_below(std::size_t hole) const {
    for (std::size_t h = 0; h < hole; ++h)
      if (rooms_[h] == rooms_[hole]) return true;
    return false;
  }

  /// Takes the last item of the path out of its hole.
  void take_back() {
    const Choice& choice = path_.back();
    const std::int64_t size = (*sizes_)[path_.size() - 1];
    rooms_[choice.hole] += size;
    spare_ += lost(rooms_[choice.hole], size);
  }

  /// As the next hole: the one that is filled, and none after that.
  static constexpr std::size_t kFilled = static_cast<std::size_t>(-1);
  static constexpr std::size_t kExact = kFilled - 1;

  const List<std::int64_t>* sizes_;
  Sums sums_;
  std::int64_t total_ = 0;
  List<std::int64_t> rooms_{};
  List<Choice> path_{};
  std::int64_t spare_ = 0;  ///< that may be lost yet
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_BOUNDS_HOLE_PACKING_HPP
