// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Buffers that are one in every placement, because nothing is left free.
///
/// Let all bytes below the capacity be taken just before a boundary of sections
/// and just after it. Who ends there leaves what who begins there takes, since
/// all others stay where they are: the same bytes. They lie in runs, between
/// those who stay, and each run holds some of those who end and some of those
/// who begin, of the same sum. If no such sums agree but those of none and all,
/// there is one run: a *block*.
///
///      C +-------+-----+        a and b end where c begins. Before and after,
///        |   d         |        all is full, so c is where they were, and both
///        +-------+-----+        are the halves of a block. They begin together
///        |   a   |     |        as well: (1) makes one buffer of them, as large
///        +-------+  c  |        as c, and (2) that and c.
///        |   b   |     |
///      0 +-------+-----+
///
///   (1) All that end in a block, if they have one span, are one buffer of their
///       total size: nobody gets between them, and their order is free. So are
///       all that begin in a block.
///   (2) If one ends in a block and one begins, they are one buffer that lives
///       as long as both: they have the same size and offset.
///
/// Whatever is joined, the problem has a placement if and only if it had one, and
/// its sections are as full as before. What is joined at one end of a buffer may
/// allow a join at its other end, and so on: most of a rectangle that was cut in
/// two again and again becomes one buffer again.
///
/// *Guesses.* Where something is free, nothing is known. But where the sum of
/// some who end is that of some who begin, these often took the place of those
/// when the problem was made (an operator's result that of its operands), and if
/// not, there often is a placement in which they do. Guessed joins treat as a
/// block all who end at a boundary and all who begin there if their sums are the
/// same, as above; else one of them and the only choice of the fewest on the
/// other side that has its size, and then perhaps the same for those who are
/// left. A placement of what is joined is one of the problem; that there is none
/// says nothing.
///
/// *Near guesses.* Where sizes were rounded or measured, such sums are near and not
/// equal. Guesses may take near sums for the same: who is prolonged has the size of
/// the larger one, so that a placement still has room for both. Such sizes may grow
/// from one to the next, but never beyond the sum of all (model/check.hpp).
///
/// That all is full is counted in units that divide all sizes; a partition in
/// which an alignment does not divide the unit has guesses alone. In any other there
/// is a placement at multiples of the unit if there is any (push all down), and
/// what is joined is aligned as its members were. Guesses join whom one alignment
/// suits, a multiple of theirs, the coarsest at the bottom of a stack.
///
/// Cost: O(n log n), and up to 256 sums for each full boundary, or to guess each one,
/// whenever one of its buffers was joined. Most problems have no full boundary.
#ifndef SNUG_JOINS_JOINS_HPP
#define SNUG_JOINS_JOINS_HPP

#include "snug/bounds/load.hpp"
#include "snug/config.hpp"
#include "snug/joins/boundary_lists.hpp"
#include "snug/joins/join_rules.hpp"
#include "snug/joins/subset_sums.hpp"
#include "snug/normal/plain.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"
#include "snug/support/memory.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// The largest number that divides all sizes of a partition, or 0: an alignment
/// does not divide that.
[[nodiscard]] inline std::int64_t unit_of_sizes(const Plain& plain,
                                                const Partition& partition) {
  std::int64_t unit = 0;
  for (const Index i : plain.buffers_of(partition))
    unit = std::gcd(unit, plain.buffers[i].size);
  for (const Index i : plain.buffers_of(partition))
    if (unit % plain.buffers[i].alignment != 0) return 0;
  return unit;
}

/// Which joins: those that hold in every placement, or others as well.
enum class Trust : std::uint8_t { kProved, kGuessed };

class Joins {
 public:
  /// Joins what is joined below `capacity`, which no load exceeds. The problem
  /// is pure. If it is interrupted, there are no joins. Only guesses are near.
  Joins(const Plain& plain, std::int64_t capacity, const Interrupt& interrupt,
        Trust trust = Trust::kProved, JoinRules* rules = nullptr,
        Nearness nearness = {})
      : plain_(&plain), trust_(trust), nearness_(nearness), rules_(rules) {
    find_boundaries(capacity);
    if (boundaries_.empty() || !list_ends(interrupt)) return;
    for (std::size_t since = 0; !boundaries_.empty() || !crowded_.empty();) {
      const bool is_calm = boundaries_.empty();
      List<Index>& from = is_calm ? crowded_ : boundaries_;
      const Index boundary = from.back();
      from.pop_back();
      if (interrupt.after(look_at(boundary, is_calm), since)) {
        joins_.clear();
        return;
      }
    }
    left_.reserve(plain_->order.size() - count());
    for (Index i = 0; i < buffers_.size(); ++i)
      if (buffers_[i].size > 0) left_.push_back(i);
  }

  /// How many buffers fewer there are.
  [[nodiscard]] std::size_t count() const noexcept { return joins_.size(); }
  /// Whether another search pays: an eighth of the buffers at least are gone, and
  /// there were so many that they are not searched as soon as joined.
  [[nodiscard]] bool pay() const noexcept {
    return plain_->order.size() >= kFewest &&
           count() >= plain_->order.size() / 8;
  }
  static constexpr std::size_t kFewest = 64;

  /// The problem of what is left, in the order of the buffers, if there are joins.
  [[nodiscard]] Plain joined(const Interrupt& interrupt = {}) const {
    return subset_of(buffers_, left_, interrupt);
  }

  /// What has become of the buffers: those that are part of another are empty.
  [[nodiscard]] const List<FlatBuffer>& buffers() const noexcept {
    return buffers_;
  }

  [[nodiscard]] std::size_t bytes() const noexcept {
    return bytes_of(buffers_, spans_, joins_, boundaries_, crowded_, left_,
                    loads_, is_put_off_, is_listed_) +
           ended_.bytes() + begun_.bytes();
  }

  /// From a placement of joined(), the offsets of all that are not empty.
  void expand(const List<std::int64_t>& joined,
              List<std::int64_t>& offsets) const {
    for (std::size_t k = 0; k < left_.size(); ++k)
      offsets[left_[k]] = joined[k];
    expand_parts(offsets);
  }
  /// From the offsets of all that are left, those of the others.
  void expand_parts(List<std::int64_t>& offsets) const {
    // Who was joined last hangs on one that is left.
    for (std::size_t k = joins_.size(); k-- > 0;)
      offsets[joins_[k].buffer] = offsets[joins_[k].to] + joins_[k].delta;
  }

 private:
  [[nodiscard]] bool guesses() const noexcept {
    return trust_ == Trust::kGuessed;
  }
  static constexpr std::size_t kMostLooks = std::size_t{1} << 25;  ///< to guess

  /// From now on `buffer` is a part of `to`, so far above its offset.
  struct Join {
    Index buffer;
    Index to;
    std::int64_t delta;
  };

  /// Notes the boundaries, each by the section after it, with all bytes taken
  /// on both sides; for guesses all.
  void find_boundaries(std::int64_t capacity) {
    loads_ = section_loads(*plain_);
    for (const Partition& partition : plain_->partitions) {
      const std::int64_t unit = unit_of_sizes(*plain_, partition);
      if (unit == 0 && !guesses()) continue;
      const std::int64_t full = guesses() ? 0 : capacity - capacity % unit;
      for (Index s = partition.sections.lower + 1; s < partition.sections.upper;
           ++s)
        if (guesses() || (loads_[s - 1] == full && loads_[s] == full))
          boundaries_.push_back(s);
    }
  }

  /// False if it is interrupted.
  [[nodiscard]] bool list_ends(const Interrupt& interrupt) {
    std::size_t since = 0;
    const auto gives_up = [&] {
      return interrupt.after(plain_->order.size(), since);
    };
    if (gives_up()) return false;
    buffers_ = plain_->buffers;
    if (gives_up()) return false;
    spans_ = plain_->spans;
    is_listed_.assign(std::size_t{plain_->sections} + 1, false);
    is_put_off_ = is_listed_;
    for (const Index boundary : boundaries_) is_listed_[boundary] = true;
    ended_ = BoundaryLists(is_listed_.size(), spans_.size());
    begun_ = BoundaryLists(is_listed_.size(), spans_.size());
    if (gives_up()) return false;
    for (const Index i : plain_->order) {
      if (is_listed_[spans_[i].lower]) begun_.add(spans_[i].lower, i);
      if (is_listed_[spans_[i].upper]) ended_.add(spans_[i].upper, i);
    }
    return true;
  }

  /// Returns how many buffers it looked at, or 1. Where many end or begin it looks
  /// when all others are done, unless it guesses, for which the order matters.
  std::size_t look_at(Index boundary, bool is_calm) {
    const bool many_end = ended_.has_more(boundary, SubsetSums::kMost);
    const bool many_begin = begun_.has_more(boundary, SubsetSums::kMost);
    // No sums of so many are compared.
    if (many_end && many_begin) return 1;
    if (!guesses() && (many_end || many_begin) && !is_calm) {
      if (!is_put_off_[boundary]) crowded_.push_back(boundary);
      is_put_off_[boundary] = true;
      return 1;
    }
    is_put_off_[boundary] = false;
    ended_.list(boundary, ends_);
    begun_.list(boundary, begins_);
    const std::size_t looks = ends_.size() + begins_.size() + 1;
    looks_ += looks;
    if (ends_.empty() || begins_.empty() || (guesses() && looks_ > kMostLooks))
      return looks;
    if (is_block()) {
      join_block(ends_, begins_);
    } else if (guesses() && join_some()) {
      boundaries_.push_back(boundary);  // Those who are left may be a block.
    }
    return looks;
  }
  /// Guesses who took the place of one.
  bool join_some() {
    const SubsetSums begun = sums_of(begins_);
    for (const Index i : ends_)
      if (choose(begins_, begun, i) && join_block({i}, chosen_)) return true;
    const SubsetSums ended = sums_of(ends_);
    for (const Index i : begins_)
      if (choose(ends_, ended, i) && join_block(chosen_, {i})) return true;
    return false;
  }

  /// Of no subset but the empty one, if there are too many.
  [[nodiscard]] SubsetSums sums_of(const List<Index>& members) const {
    SubsetSums sums;
    if (members.size() > SubsetSums::kMost) return sums;
    for (const Index i : members) sums.add(buffers_[i].size);
    return sums;
  }

  [[nodiscard]] std::int64_t total(const List<Index>& members) const {
    std::int64_t result = 0;
    for (const Index i : members) result += buffers_[i].size;
    return result;
  }

  /// Whether no sum of some who end is that of some who begin, unless these are
  /// none or all, whose sums are the same.
  [[nodiscard]] bool is_block() const {
    if (guesses() && !nearness_.are_near(total(ends_), total(begins_)))
      return false;
    if (ends_.size() == 1 || begins_.size() == 1) return true;
    if (ends_.size() > SubsetSums::kMost || begins_.size() > SubsetSums::kMost)
      return false;
    SubsetSums ended;
    SubsetSums begun;
    for (const Index i : ends_) ended.merge(buffers_[i].size);
    for (const Index i : begins_) begun.merge(buffers_[i].size);
    return !share_a_part(ended, begun, nearness_);
  }

  /// Sets chosen_ to the fewest members, of whose subsets these are the sums, that
  /// have the size of a buffer, the nearest to it, if there is one such choice.
  [[nodiscard]] bool choose(const List<Index>& members, const SubsetSums& sums,
                            Index buffer) {
    std::size_t fewest = SubsetSums::kMost + 1;
    std::int64_t nearest = 0;
    std::size_t choices = 0;
    std::size_t choice = 0;
    const std::int64_t size = buffers_[buffer].size;
    for (std::size_t subset = 1; subset < sums.size(); ++subset) {
      if (!nearness_.are_near(sums[subset], size)) continue;
      std::size_t count = 0;
      for (std::size_t bits = subset; bits > 0; bits &= bits - 1) ++count;
      const std::int64_t off = sums[subset] - size;
      const std::int64_t distance = off < 0 ? -off : off;
      if (count > fewest || (count == fewest && distance > nearest)) continue;
      choices = count < fewest || distance < nearest ? 1 : choices + 1;
      nearest = distance;
      fewest = count;
      choice = subset;
    }
    chosen_.clear();
    for (std::size_t k = 0; k < members.size(); ++k)
      if ((choice >> k & 1) != 0) chosen_.push_back(members[k]);
    return choices == 1;
  }

  /// What rules (1) and (2) make of a block; false if nothing.
  bool join_block(List<Index> ends, List<Index> begins) {
    const std::size_t before = joins_.size();
    bool one_ends = make_one(ends, begins);
    const bool one_begins = make_one(begins, ends);
    // What became of those who begin may say where those who end are.
    if (!one_ends) one_ends = make_one(ends, begins);
    if (one_ends && one_begins) prolong(ends[0], begins[0]);
    return joins_.size() > before;
  }

  /// Rule (1), for those of a block that end, or that begin: one becomes all of
  /// them, and the only member. False if their spans differ, or constraints forbid
  /// it. `others`: those on the other side.
  bool make_one(List<Index>& members, const List<Index>& others) {
    if (members.size() == 1) return true;
    const Interval<Index> span = spans_[members[0]];
    for (const Index i : members)
      if (spans_[i] != span) return false;
    if (guesses() && !order_by_alignment(members, buffers_)) return false;
    if (rules_ != nullptr && !rules_->order_stack(members, others, buffers_))
      return false;
    if (!are_aligned(members, buffers_)) return false;
    const Index one = members[0];
    for (std::size_t k = 1; k < members.size(); ++k) {
      const Index i = members[k];
      const std::int64_t below = buffers_[one].size;
      buffers_[one].size += buffers_[i].size;
      join(i, one, below);
      begun_.remove(span.lower, i);
      ended_.remove(span.upper, i);
    }
    members.shrink(1);
    look_again(span);
    return true;
  }

  /// Rule (2), unless constraints forbid it.
  void prolong(Index first, Index second) {
    if (guesses() && !one_suits_all({first, second}, buffers_)) return;
    if (rules_ != nullptr && !rules_->allow_prolong(first, second, buffers_))
      return;
    const Interval<Index> span = spans_[second];
    buffers_[first].size =
        (std::max)(buffers_[first].size, buffers_[second].size);
    join(second, first, 0);
    ended_.remove(span.lower, first);
    begun_.remove(span.lower, second);
    if (is_listed_[span.upper]) {
      ended_.remove(span.upper, second);
      ended_.add(span.upper, first);
    }
    spans_[first].upper = span.upper;
    look_again(spans_[first]);
  }

  void join(Index buffer, Index to, std::int64_t delta) {
    joins_.push_back({buffer, to, delta});
    live_as_both(buffers_[to], buffers_[buffer]);
    buffers_[buffer].size = 0;
    if (rules_ != nullptr) rules_->join(buffer, to, delta);
  }

  /// What ends or begins at the ends of a span has changed.
  void look_again(Interval<Index> span) {
    if (is_listed_[span.lower]) boundaries_.push_back(span.lower);
    if (is_listed_[span.upper]) boundaries_.push_back(span.upper);
  }

  const Plain* plain_;
  Trust trust_;
  Nearness nearness_;
  JoinRules* rules_;
  List<Join> joins_{};
  List<Index> boundaries_{};    ///< to be looked at
  List<Index> crowded_{};       ///< and these when there are none left
  List<bool> is_put_off_{};     ///< by boundary: it is among these
  std::size_t looks_ = 0;       ///< at a buffer
  List<std::int64_t> loads_{};  ///< by section
  List<bool> is_listed_{};      ///< by boundary: it was to be looked at
  BoundaryLists ended_{0, 0};   ///< at listed boundaries
  BoundaryLists begun_{0, 0};   ///< at listed boundaries
  List<Index> ends_{};          ///< at the boundary looked at
  List<Index> begins_{};        ///< at the boundary looked at
  List<Index> chosen_{};        ///< some of these
  List<FlatBuffer> buffers_{};
  List<Interval<Index>> spans_{};
  List<Index> left_{};  ///< of joined()
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_JOINS_JOINS_HPP
