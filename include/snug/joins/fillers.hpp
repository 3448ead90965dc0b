// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A guess at what is missing: fillers, buffers of nobody that take all that is
/// free.
///
/// Where a full memory has lost a few buffers, few of the times at which others
/// begin or end change the load: each of the lost left room from where it began
/// to where it ended. When room opens, and when it closes again, is known, and
/// how much; which belongs to which is a guess.
///
///     time      0   4   9  15  21         fillers   2 from 4 to 15, then
///     opens     5   2                               3 from 0 to 9 and
///     closes            3   2   2                   2 from 0 to 21
///
/// Two changes of one amount make a filler. What is left by them: one change
/// that is the sum of two others, of three and so on, each of which makes one.
/// What is left by all: what closes takes from what opened last.
///
/// With fillers all is full, and there buffers are joined (joins/joins.hpp)
/// that are not without. A placement with fillers is one without them. That
/// there is none with them says nothing: other fillers may do.
///
/// Cost: O(n), and in a partition whose load changes at few boundaries of
/// sections O(n log n) and at most kMostSteps sums.
#ifndef SNUG_JOINS_FILLERS_HPP
#define SNUG_JOINS_FILLERS_HPP

#include "snug/bounds/load.hpp"
#include "snug/config.hpp"
#include "snug/joins/joins.hpp"
#include "snug/model/event.hpp"
#include "snug/model/interval.hpp"
#include "snug/model/reason.hpp"
#include "snug/normal/plain.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"
#include "snug/support/memory.hpp"
#include "snug/support/sort.hpp"
#include "snug/support/view.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

SNUG_BEGIN_NAMESPACE
namespace detail {

class Fillers {
 public:
  /// Fills what is free below `capacity`, which no load exceeds. The problem is
  /// pure. In fewer partitions, if it is interrupted.
  Fillers(const Plain& plain, std::int64_t capacity,
          const Interrupt& interrupt = {})
      : plain_(&plain) {
    if (capacity > kMaxTotal) return;  // No load may be larger.
    const List<std::int64_t> loads = section_loads(plain);
    std::size_t since = 0;
    for (const Partition& partition : plain.partitions) {
      std::size_t work = plain.buffers_of(partition).size();
      const std::int64_t unit = unit_of_sizes(plain, partition);
      if (unit > 0 && has_few_changes(loads, partition.sections) &&
          note_changes(partition, capacity / unit * unit)) {
        divide();
        work += static_cast<std::size_t>(kMostSteps - steps_);
      }
      if (interrupt.after(work, since)) return;
    }
  }

  /// How many there are.
  [[nodiscard]] std::size_t count() const noexcept { return fillers_.size(); }

  /// The problem with the fillers behind its buffers.
  [[nodiscard]] Plain filled(const Interrupt& interrupt = {}) const {
    List<FlatBuffer> buffers;
    buffers.reserve(plain_->buffers.size() + fillers_.size());
    buffers.append(plain_->buffers.begin(), plain_->buffers.end());
    buffers.append(fillers_.begin(), fillers_.end());
    return make_plain(std::move(buffers), interrupt);
  }

  [[nodiscard]] std::size_t bytes() const noexcept {
    return bytes_of(fillers_, opens_, closes_, parts_);
  }

 private:
  /// A partition whose load changes more often, or at more than a third of the
  /// boundaries of its sections, is no full memory that has lost a few buffers.
  static constexpr std::size_t kMostChanges = 256;
  static constexpr std::size_t kFewestBoundaries = 3;
  /// A change is the sum of at most so many others.
  static constexpr std::size_t kMostParts = 6;
  static constexpr std::int64_t kMostSteps = std::int64_t{1} << 18;

  /// At some time so much opens or closes.
  struct Change {
    std::int64_t time;
    std::int64_t amount;  ///< 0: there are fillers for it
  };

  [[nodiscard]] static bool has_few_changes(const List<std::int64_t>& loads,
                                            Interval<Index> sections) {
    std::size_t count = 0;
    for (Index s = sections.lower + 1; s < sections.upper; ++s)
      if (loads[s - 1] != loads[s]) ++count;
    return count <= kMostChanges &&
           count <= length_of(sections) / kFewestBoundaries;
  }

  /// Lists what opens and what closes; false if these are none or too many.
  [[nodiscard]] bool note_changes(const Partition& partition,
                                  std::int64_t full) {
    const View<const Index> members = plain_->buffers_of(partition);
    Events events(members.size());
    for (const Index i : members) events.add(plain_->buffers[i].lifespan, i);
    events.sort();
    opens_.clear();
    closes_.clear();
    // Before the partition nothing is to be filled, and nothing after it.
    std::int64_t opened = full;
    for (const Event* at = events.begin(); at != events.end();) {
      const std::int64_t time = time_of(*at);
      for (; at != events.end() && time_of(*at) == time; ++at) {
        const std::int64_t size = plain_->buffers[owner_of(*at)].size;
        opened += is_start(*at) ? -size : size;
      }
      if (at == events.end()) opened -= full;
      if (opened > 0) opens_.push_back({time, opened});
      if (opened < 0) closes_.push_back({time, -opened});
      opened = 0;
    }
    return !opens_.empty() && opens_.size() + closes_.size() <= kMostChanges;
  }

  void divide() {
    steps_ = kMostSteps;
    for (std::size_t count = 1; count <= kMostParts; ++count) {
      for (Change& close : closes_)
        if (find_parts(opens_, close, count)) take_parts(close);
      for (Change& open : opens_)
        if (find_parts(closes_, open, count)) take_parts(open);
    }
    for (Change& close : closes_)
      for (std::size_t k = opens_.size(); k-- > 0;)
        if (opens_[k].time < close.time) take(opens_[k], close);
  }

  /// A filler for as much as two changes have in common.
  void take(Change& one, Change& other) {
    FlatBuffer filler;
    filler.size = (std::min)(one.amount, other.amount);
    filler.lifespan = {(std::min)(one.time, other.time),
                       (std::max)(one.time, other.time)};
    if (filler.size == 0) return;
    fillers_.push_back(filler);
    one.amount -= filler.size;
    other.amount -= filler.size;
  }
  void take_parts(Change& whole) {
    for (std::size_t k = 0; k < chosen_count_; ++k)
      take(*parts_[chosen_[k]], whole);
  }

  /// Whether `whole` is the sum of so many of the opposite changes, which are
  /// earlier than what closes and later than what opens: the first such sum, of
  /// what is largest and then nearest.
  [[nodiscard]] bool find_parts(List<Change>& opposite, const Change& whole,
                                std::size_t count) {
    const bool is_close = &opposite == &opens_;
    parts_.clear();
    for (Change& change : opposite)
      if ((change.time < whole.time) == is_close && change.amount > 0 &&
          change.amount <= whole.amount)
        parts_.push_back(&change);
    heap_sort(parts_, [&](const Change* a, const Change* b) {
      if (a->amount != b->amount) return a->amount > b->amount;
      return is_close ? a->time > b->time : a->time < b->time;
    });
    chosen_count_ = 0;
    std::int64_t left = whole.amount;
    for (std::size_t next = 0; steps_ > 0; --steps_) {
      const auto missing = static_cast<std::int64_t>(count - chosen_count_);
      // No part that follows is larger than the next one.
      if (next == parts_.size() ||
          parts_[next]->amount < left / missing + (left % missing != 0)) {
        if (chosen_count_ == 0) return false;
        next = chosen_[--chosen_count_];
        left += parts_[next]->amount;
      } else if ((parts_[next]->amount == left) == (missing == 1) &&
                 parts_[next]->amount <= left) {
        chosen_[chosen_count_++] = next;
        left -= parts_[next]->amount;
        if (left == 0) return true;
      }
      ++next;
    }
    return false;
  }

  const Plain* plain_;
  List<FlatBuffer> fillers_{};
  List<Change> opens_{};  ///< by time, ascending
  List<Change> closes_{};
  List<Change*> parts_{};             ///< that a change may be the sum of
  std::size_t chosen_[kMostParts]{};  ///< some of them
  std::size_t chosen_count_ = 0;
  std::int64_t steps_ = 0;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_JOINS_FILLERS_HPP
