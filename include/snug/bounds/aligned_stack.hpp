// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The aligned stack: what the buffers that are live together need because of
/// their alignments, in the best order.
///
/// They lie one on top of another, each at the lowest multiple of its alignment
/// that is not below the end of the one below it:
///
///     |  x  |:|  y    |z|:::|  w   |        ':' padding
///     0                           height
///
/// A lower end below y never makes the end of y higher, so of a set S of them at
/// the bottom only the least height matters, with x the one on top:
///
///     least(S)  =  least over x in S of  align_up(least(S - x), a(x)) + s(x)
///
/// No placement is lower than least(all that are live). The aligned load counts
/// those of one alignment alone, and the best case for all others.
///
/// *Smaller sums.* Let A be the least common multiple of the alignments. Sizes
/// count modulo A here, as a multiple of A more or less changes the height by just
/// that; those that are multiples of A count at the bottom, where they move
/// nothing. Then buffers of equal size and alignment are one *type*, and S is how
/// many of each type are in it: all of these numbers are the digits of one, with
/// the bases (number of the type) + 1, and in ascending order of that S - x comes
/// before S.
///
/// Cost: the product of these bases, times the types, for a section, which
/// `run()` bounds; as much memory as the product, 4 bytes each.
/// Source: Held and Karp, "A Dynamic Programming Approach to Sequencing Problems"
/// (Journal of SIAM 10, 1962), for sets instead of orders.
#ifndef SNUG_BOUNDS_ALIGNED_STACK_HPP
#define SNUG_BOUNDS_ALIGNED_STACK_HPP

#include "snug/bounds/load.hpp"
#include "snug/config.hpp"
#include "snug/normal/plain.hpp"
#include "snug/support/align.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"
#include "snug/support/sort.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// Steps of run(): as many as take less than what else a solve does at first, and
/// as many as may take the tenth part of a second.
inline constexpr std::int64_t kFirstStackSteps = std::int64_t{1} << 16;
inline constexpr std::int64_t kMostStackSteps = std::int64_t{1} << 25;

/// As many as take as long as a few nodes of a search for each of n buffers.
[[nodiscard]] constexpr std::int64_t stack_steps_for(std::size_t n) noexcept {
  constexpr std::int64_t kStepsPerBuffer = std::int64_t{1} << 15;
  return n < static_cast<std::size_t>(kMostStackSteps / kStepsPerBuffer)
             ? kStepsPerBuffer * static_cast<std::int64_t>(n)
             : kMostStackSteps;
}

/// The stacks of a plain problem, one for each section.
class AlignedStacks {
 public:
  /// The problem must outlive this. No list is larger than `bytes`.
  AlignedStacks(const Plain& plain, std::size_t bytes)
      : plain_(&plain),
        most_sets_((std::min)(kMostSets, bytes / sizeof(std::uint32_t))) {}

  /// Finds the heights of stacks that may be above `bound`, those of the largest
  /// loads first, in at most `work` steps, and each in one call only. Stops when
  /// one is above `enough`.
  void run(std::int64_t bound, std::int64_t enough, std::int64_t work,
           const Interrupt& stop) {
    height_ = (std::max)(height_, bound);
    if (!is_listed_) list_sections();
    List<Section> left;
    bool is_over = false;
    for (const Section& section : sections_) {
      is_over = is_over || height_ > enough || stop();
      if (is_over) {
        left.push_back(section);
        continue;
      }
      if (section.load + section.most_padding <= height_) continue;
      work -= static_cast<std::int64_t>(plain_->order.size());
      if (work > 0 && (!make_types(section.index) ||
                       quick_height() <= (std::max)(height_, of_no_use_)))
        continue;
      const auto steps = static_cast<std::int64_t>(sets_ * types_.size());
      if (work <= 0 || steps > work) {
        left.push_back(section);
        continue;
      }
      work -= steps;
      if (!raise(section.index, stop)) left.push_back(section);
    }
    sections_.swap(left);
  }

  /// From now on stacks that are no higher are of no use, if that is soon known.
  void look_only_above(std::int64_t height) noexcept { of_no_use_ = height; }

  /// Whether there are sections that took too many steps.
  [[nodiscard]] bool has_more() const noexcept { return !sections_.empty(); }
  /// No placement is lower.
  [[nodiscard]] std::int64_t height() const noexcept { return height_; }
  /// The buffers of the highest stack; of none if none is above `bound`.
  [[nodiscard]] const List<Index>& highest() const noexcept { return highest_; }
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }

 private:
  struct Section {
    Index index;
    std::int64_t load;
    std::int64_t most_padding;
  };
  /// Buffers of equal alignment and, modulo A, of equal size.
  struct Type {
    std::int64_t size;
    std::int64_t alignment;
    std::size_t number;
    std::size_t place;  ///< of the digit: the product of the bases before
  };

  /// No height is above: A times the number of buffers is at most half of it, and
  /// each takes less than A, and less than A of padding.
  static constexpr std::uint32_t kHighest =
      (std::numeric_limits<std::uint32_t>::max)();
  /// More types than these have more sets.
  static constexpr std::size_t kMostTypes = 25;
  static constexpr std::size_t kMostSets = std::size_t{1} << kMostTypes;
  /// Enough; sorting more would take longer than between two looks at the clock.
  static constexpr std::size_t kMostSections = std::size_t{1} << 14;
  static constexpr std::size_t kBetweenLooks = 4096;

  /// The sections whose stacks may be above the bound, by load.
  void list_sections() {
    is_listed_ = true;
    const auto padding = sums_over(plain_->sections, [&](auto&& add) {
      for (const Index i : plain_->order)
        add(plain_->spans[i], plain_->buffers[i].alignment - 1);
    });
    const List<std::int64_t> loads = section_loads(*plain_);
    for (Index s = 0; s < plain_->sections; ++s)
      if (loads[s] + padding[s] > height_ && sections_.size() < kMostSections)
        sections_.push_back({s, loads[s], padding[s]});
    heap_sort(sections_, [](const Section& a, const Section& b) {
      return a.load != b.load ? a.load > b.load : a.index < b.index;
    });
  }

  /// Makes the types of a section. False if they, or the sets of them, are too
  /// many, or A is too large.
  [[nodiscard]] bool make_types(Index section) {
    const List<Index> live = plain_->live_in(section);
    const auto most =
        std::int64_t{kHighest} / 2 / static_cast<std::int64_t>(live.size());
    std::int64_t multiple = 1;
    for (const Index i : live) {
      const std::int64_t alignment = plain_->buffers[i].alignment;
      if (alignment > most) return false;
      multiple = std::lcm(multiple, alignment);
      if (multiple > most) return false;
    }
    types_.clear();
    in_multiples_ = 0;
    for (const Index i : live) {
      const FlatBuffer& buffer = plain_->buffers[i];
      const std::int64_t size = buffer.size % multiple;
      in_multiples_ += buffer.size - size;
      if (size > 0) count(size, buffer.alignment);
      if (types_.size() > kMostTypes) return false;
    }
    sets_ = 1;
    for (Type& type : types_) {
      type.place = sets_;
      if (sets_ > most_sets_ / (type.number + 1)) return false;
      sets_ *= type.number + 1;
    }
    return true;
  }
  void count(std::int64_t size, std::int64_t alignment) {
    for (Type& type : types_)
      if (type.size == size && type.alignment == alignment) {
        ++type.number;
        return;
      }
    types_.push_back({size, alignment, 1, 0});
  }

  /// The height of a stack of all types, mostly little more than the least: what
  /// comes next is what needs the least padding, the coarsest of those.
  [[nodiscard]] std::int64_t quick_height() const {
    List<std::size_t> left;
    for (const Type& type : types_) left.push_back(type.number);
    std::int64_t height = 0;
    for (;;) {
      const Type* next = nullptr;
      std::int64_t begin = 0;
      for (std::size_t t = 0; t < types_.size(); ++t) {
        if (left[t] == 0) continue;
        const std::int64_t at = align_up(height, types_[t].alignment);
        if (next == nullptr || at < begin ||
            (at == begin && types_[t].alignment > next->alignment)) {
          next = &types_[t];
          begin = at;
        }
      }
      if (next == nullptr) return in_multiples_ + height;
      --left[static_cast<std::size_t>(next - types_.data())];
      height = begin + next->size;
    }
  }

  /// Raises the height to that of a section whose types are made. False if it is
  /// stopped.
  [[nodiscard]] bool raise(Index section, const Interrupt& stop) {
    const std::int64_t least = least_height(stop);
    if (least < 0) return false;
    if (in_multiples_ + least <= height_) return true;
    height_ = in_multiples_ + least;
    highest_ = plain_->live_in(section);
    return true;
  }

  /// The least height of all types; -1 if it is stopped.
  [[nodiscard]] std::int64_t least_height(const Interrupt& stop) {
    List<std::uint32_t> least(sets_, 0);
    bytes_ = (std::max)(bytes_, least.capacity() * sizeof(std::uint32_t));
    List<std::size_t> digits(types_.size(), 0);
    for (std::size_t set = 1; set < sets_; ++set) {
      if (set % kBetweenLooks == 0 && stop()) return -1;
      for (std::size_t t = 0; digits[t]++ == types_[t].number; ++t)
        digits[t] = 0;
      std::int64_t height{kHighest};
      for (std::size_t t = 0; t < types_.size(); ++t) {
        if (digits[t] == 0) continue;
        const Type& top = types_[t];
        const std::int64_t below{least[set - top.place]};
        height = (std::min)(height, align_up(below, top.alignment) + top.size);
      }
      least[set] = static_cast<std::uint32_t>(height);
    }
    return least.back();
  }

  const Plain* plain_;
  std::size_t most_sets_;
  bool is_listed_ = false;
  List<Section> sections_{};       ///< not looked at yet
  List<Type> types_{};             ///< of one of them
  std::int64_t in_multiples_ = 0;  ///< bytes of its buffers not in types
  std::size_t sets_ = 1;           ///< of its types
  std::int64_t height_ = 0;
  std::int64_t of_no_use_ = 0;
  List<Index> highest_{};
  std::size_t bytes_ = 0;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_BOUNDS_ALIGNED_STACK_HPP
