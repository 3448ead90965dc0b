// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A tight problem (normal/flat.hpp) with constraints, joined by a guess: fewer
/// buffers, most of them with the constraints that they had
/// (presolve/join_rules.hpp).
///
/// A placement of it is one of the problem. That there is none says nothing.
///
/// What is reserved for a time is joined like a fixed buffer, as which it mostly began:
/// without it the sums of its neighbours would not agree.
///
/// Cost: that of its joins, and for each that fixes a buffer, or range that is reserved,
/// O(fixed + reserved).
#ifndef SNUG_PRESOLVE_JOINED_FLAT_HPP
#define SNUG_PRESOLVE_JOINED_FLAT_HPP

#include "snug/config.hpp"
#include "snug/model/interval.hpp"
#include "snug/model/problem.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/plain.hpp"
#include "snug/presolve/join_rules.hpp"
#include "snug/presolve/joins.hpp"
#include "snug/presolve/subset_sums.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"

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
  /// A problem with fixed buffers behind its own, instead of what is reserved below
  /// `capacity` for a time, but for ranges that meet others, or are too many to be
  /// compared with each other.
  [[nodiscard]] static Flat fix_reserved(const Flat& flat,
                                         std::int64_t capacity) {
    Flat result = flat;
    if (flat.reserved.size() > kMost) return result;
    result.reserved.clear();
    const auto is_free = [&](Interval<std::int64_t> bytes,
                             Interval<std::int64_t> lifespan) {
      for (Index i = 0; i < result.fixed.size(); ++i) {
        const FlatBuffer& other = result.buffers[i];
        if (result.is_fixed(i) && other.lifespan.overlaps(lifespan) &&
            bytes.overlaps({result.fixed[i], result.fixed[i] + other.size}))
          return false;
      }
      return true;
    };
    for (const FlatReserved& range : flat.reserved) {
      const Interval<std::int64_t> bytes = intersection(
          range.bytes, Interval<std::int64_t>{flat.base, capacity});
      if (range.lifespan.empty() || bytes.empty() ||
          !is_free(bytes, range.lifespan)) {
        result.reserved.push_back(range);
        continue;
      }
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

#endif  // SNUG_PRESOLVE_JOINED_FLAT_HPP
