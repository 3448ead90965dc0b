// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A tight problem (normal/flat.hpp) with constraints, joined by a guess: fewer
/// buffers, most of them with the constraints that they had
/// (joins/join_rules.hpp).
///
/// A placement of it is one of the problem. That there is none says nothing.
///
/// What is reserved for a time is joined like a fixed buffer, as which it mostly began:
/// without it the sums of its neighbours would not agree.
///
/// Cost: that of its joins, and for each that fixes a buffer, or range that is reserved,
/// O(fixed + reserved).
#ifndef SNUG_JOINS_JOINED_FLAT_HPP
#define SNUG_JOINS_JOINED_FLAT_HPP

#include "snug/config.hpp"
#include "snug/joins/join_rules.hpp"
#include "snug/joins/joins.hpp"
#include "snug/joins/subset_sums.hpp"
#include "snug/model/interval.hpp"
#include "snug/model/problem.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/plain.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"
#include "snug/support/spread_sort.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>

SNUG_BEGIN_NAMESPACE
namespace detail {

class JoinedFlat {
 public:
  /// Larger problems are not joined; nor are ranges if they are more.
  static constexpr std::size_t kMost = 4096;
  /// Of the first search of what is joined.
  static constexpr std::int64_t kNodesPerBuffer = 2;

  /// Whether a problem may be joined: one that is plain is joined elsewhere.
  [[nodiscard]] static bool applies(const Flat& flat) noexcept {
    return flat.buffers.size() >= Joins::kFewest &&
           flat.buffers.size() <= kMost && is_tight(flat) &&
           !(flat.fixed.empty() && flat.ends.empty() && flat.root.empty() &&
             flat.apart.empty() && flat.reserved.empty());
  }

  /// Joined by equal sums.
  JoinedFlat(const Flat& flat, std::int64_t capacity,
             const Interrupt& interrupt)
      : count_(flat.buffers.size()),
        flat_(fix_reserved(flat, capacity)),
        capacity_(capacity),
        plain_(make_plain(flat_.buffers, interrupt)) {
    join({}, interrupt);
  }
  JoinedFlat(const JoinedFlat&) = delete;
  JoinedFlat& operator=(const JoinedFlat&) = delete;

  /// Joins the problem anew, by sums that are near.
  void join(Nearness nearness, const Interrupt& interrupt) {
    rules_.emplace(flat_, capacity_);
    joins_.emplace(plain_, capacity_, interrupt, Trust::kGuessed, &*rules_,
                   nearness);
  }

  /// Whether a search of it pays.
  [[nodiscard]] bool pays() const noexcept { return joins_->pay(); }
  [[nodiscard]] Flat flat() const {
    return rules_->joined(joins_->count() > 0 ? joins_->buffers()
                                              : plain_.buffers);
  }

  /// The placement of the problem that one of flat() is.
  [[nodiscard]] List<std::int64_t> expand(
      const List<std::int64_t>& joined) const {
    List<std::int64_t> offsets(plain_.buffers.size(), 0);
    rules_->expand(joined, offsets);
    joins_->expand_parts(offsets);
    offsets.shrink(count_);
    return offsets;
  }

  [[nodiscard]] std::size_t bytes() const noexcept {
    return flat_.bytes() + plain_.bytes() + rules_->bytes() + joins_->bytes();
  }

 private:
  /// Where a range matters.
  [[nodiscard]] static Interval<std::int64_t> bytes_below(
      const FlatReserved& range, const Flat& flat, std::int64_t capacity) {
    return intersection(range.bytes,
                        Interval<std::int64_t>{flat.base, capacity});
  }

  /// Marks what is reserved for all time or nowhere below `capacity`, or meets what is
  /// fixed, or one that is not marked and begins no later: in order of time, so that
  /// only those that are live are compared.
  [[nodiscard]] static List<std::uint8_t> mark_met(const Flat& flat,
                                                   std::int64_t capacity) {
    List<std::uint8_t> meets(flat.reserved.size(), 1);
    List<Keyed> by_start;
    for (Index k = 0; k < flat.reserved.size(); ++k)
      by_start.push_back({flat.reserved[k].lifespan.lower, k});
    sort_keyed(by_start);
    List<Index> fixed = numbers_below(flat.buffers.size());
    erase_if(fixed, [&](Index i) { return !flat.is_fixed(i); });
    List<Index> live;
    for (const Keyed& next : by_start) {
      const FlatReserved& range = flat.reserved[next.index];
      const Interval<std::int64_t> bytes = bytes_below(range, flat, capacity);
      if (range.lifespan.empty() || bytes.empty()) continue;
      erase_if(live, [&](Index k) {
        return flat.reserved[k].lifespan.upper <= next.key;
      });
      const auto meets_range = [&](Index k) {
        return bytes.overlaps(flat.reserved[k].bytes);
      };
      const auto meets_fixed = [&](Index i) {
        const FlatBuffer& other = flat.buffers[i];
        return other.lifespan.overlaps(range.lifespan) &&
               bytes.overlaps({flat.fixed[i], flat.fixed[i] + other.size});
      };
      if (any_that(live, meets_range) || any_that(fixed, meets_fixed)) continue;
      meets[next.index] = 0;
      live.push_back(next.index);
    }
    return meets;
  }

  /// A problem with fixed buffers behind its own, instead of what is reserved below
  /// `capacity` for a time, but for ranges that meet others, or are too many to be
  /// compared with each other.
  [[nodiscard]] static Flat fix_reserved(const Flat& flat,
                                         std::int64_t capacity) {
    Flat result = flat;
    if (flat.reserved.size() > kMost) return result;
    result.reserved.clear();
    const List<std::uint8_t> meets = mark_met(flat, capacity);
    for (Index k = 0; k < flat.reserved.size(); ++k) {
      const FlatReserved& range = flat.reserved[k];
      if (meets[k] != 0) {
        result.reserved.push_back(range);
        continue;
      }
      const Interval<std::int64_t> bytes = bytes_below(range, flat, capacity);
      result.fixed.resize(result.buffers.size(), Flat::kNone);
      result.fixed.push_back(bytes.lower);
      if (!result.ends.empty()) result.ends.push_back(End::kAny);
      if (!result.root.empty()) {
        result.root.push_back(static_cast<Index>(result.buffers.size()));
        result.delta.push_back(0);
      }
      result.buffers.push_back({range.lifespan, length_of(bytes), 1});
    }
    return result;
  }

  std::size_t count_;  ///< of the problem's buffers, before what is reserved
  Flat flat_;
  std::int64_t capacity_;
  Plain plain_;
  std::optional<JoinRules> rules_{};
  std::optional<Joins> joins_{};
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_JOINS_JOINED_FLAT_HPP
