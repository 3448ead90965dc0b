// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What constraints say of joins (joins/joins.hpp): who can be one with whom,
/// and what that one is asked for.
///
///     fixed    who shares the offset of a fixed buffer is fixed there, if it can
///              be. A stack with fixed members is fixed where it can begin, if
///              what else is fixed leaves but one place for that
///              (joins/fixed_stack.hpp)
///     apart    bytes: who shares those of a buffer keeps apart from all that it
///              does. No stack either, which would keep apart as a whole
///     ends     who is one with a bottom or top buffer is one as well
///     tied     by ties: such are left as they are
///     aligned  only if one alignment suits all; in a stack the coarsest is at the
///              bottom, and each at a multiple of its own
///     gaps     go, but where something else is fixed or reserved in one. Who
///              keeps them, or may overlap somebody, is left as it is
///
/// No two that are fixed share a byte at one time, or while they are kept apart,
/// or are in the wrong order for their ends then. What is asked of a joined
/// buffer is at least what was asked of its members, so a placement of what is
/// joined is one of the problem. It may be more (of a bottom buffer that lives
/// on): that there is none says nothing.
///
/// Cost: O(n + constraints) memory; a join takes as long as there are pairs of
/// its members.
#ifndef SNUG_JOINS_JOIN_RULES_HPP
#define SNUG_JOINS_JOIN_RULES_HPP

#include "snug/config.hpp"
#include "snug/joins/fixed_stack.hpp"
#include "snug/model/interval.hpp"
#include "snug/model/problem.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/flat_subset.hpp"
#include "snug/support/list.hpp"
#include "snug/support/memory.hpp"
#include "snug/support/sort.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// What is one with another buffer lives as long as both, and is aligned as both.
inline void live_as_both(FlatBuffer& one, const FlatBuffer& other) {
  one.alignment = std::lcm(one.alignment, other.alignment);
  one.lifespan = hull_of(one.lifespan, other.lifespan);
}

/// Whether one alignment of some buffers is a multiple of all.
[[nodiscard]] inline bool one_suits_all(const List<Index>& members,
                                        const List<FlatBuffer>& buffers) {
  std::int64_t coarsest = 1;
  for (const Index i : members)
    coarsest = (std::max)(coarsest, buffers[i].alignment);
  return !any_that(
      members, [&](Index i) { return coarsest % buffers[i].alignment != 0; });
}

/// Whether each member of a stack is at a multiple of its alignment, if the lowest is.
[[nodiscard]] inline bool are_aligned(const List<Index>& members,
                                      const List<FlatBuffer>& buffers) {
  std::int64_t below = 0;
  for (const Index i : members) {
    if (below % buffers[i].alignment != 0) return false;
    below += buffers[i].size;
  }
  return true;
}

/// Puts the coarsest of a stack first, where the order matters. False if no alignment
/// of theirs suits all.
[[nodiscard]] inline bool order_by_alignment(List<Index>& members,
                                             const List<FlatBuffer>& buffers) {
  if (!one_suits_all(members, buffers)) return false;
  if (!are_aligned(members, buffers))
    sort_descending(members, [&](Index i) { return buffers[i].alignment; });
  return true;
}

class JoinRules {
 public:
  /// Of a tight problem. What ends above `capacity` is of no use.
  JoinRules(const Flat& flat, std::int64_t capacity)
      : flat_(flat),
        capacity_(capacity),
        one_(numbers_below(flat.buffers.size())),
        others_(flat.apart.empty() ? 0 : flat.buffers.size()),
        stays_(flat.buffers.size(), false) {
    visit_tied(flat, [&](Index i) { stays_[i] = true; });
    for (std::size_t k = 0; k < flat.gaps.size(); ++k) {
      const Index i = flat.gaps[k].buffer;
      if (k > 0 && flat.gaps[k - 1].buffer == i) continue;
      if (!can_fix(i, flat_.fixed[i], flat_.end_of(i), flat.buffers))
        stays_[i] = true;
    }
    for (const auto& [a, b] : flat.may_overlap) stays_[a] = stays_[b] = true;
    for (const auto& [a, b] : flat.apart) {
      others_[a].push_back(b);
      others_[b].push_back(a);
    }
  }

  /// Whether these, which live at the same times, can be stacked on each other:
  /// in the order in which they are then, the lowest first. `others`: who takes
  /// all of their bytes before or after them.
  [[nodiscard]] bool order_stack(List<Index>& members,
                                 const List<Index>& others,
                                 const List<FlatBuffer>& buffers) const {
    End end = End::kAny;
    bool some_fixed = false;
    for (const Index i : members) {
      if (stays_[i] || is_kept_apart(i)) return false;
      if (!combine(end, flat_.end_of(i))) return false;
      some_fixed = some_fixed || flat_.is_fixed(i);
    }
    return !some_fixed || (members.size() <= FixedStack::kMost &&
                           order_fixed(members, others, end, buffers));
  }

  /// Whether one can live on as another one of about its size. `buffers`: joined as
  /// they are so far.
  [[nodiscard]] bool allow_prolong(Index first, Index second,
                                   const List<FlatBuffer>& buffers) const {
    if (stays_[first] || stays_[second]) return false;
    End end = flat_.end_of(first);
    if (!combine(end, flat_.end_of(second))) return false;
    if (flat_.is_fixed(first) || flat_.is_fixed(second)) {
      if (buffers[first].size != buffers[second].size) return false;
      const std::int64_t offset =
          flat_.fixed[flat_.is_fixed(first) ? first : second];
      if (!can_fix(first, offset, end, buffers) ||
          !can_fix(second, offset, end, buffers))
        return false;
    }
    if (is_kept_apart(first))
      for (const Index other : others_[first])
        if (one_of(other) == second) return false;
    return true;
  }

  /// From now on `buffer` is a part of `to`, so far above its offset.
  void join(Index buffer, Index to, std::int64_t delta) {
    one_[buffer] = to;
    if (flat_.is_fixed(buffer)) flat_.fixed[to] = flat_.fixed[buffer] - delta;
    if (flat_.end_of(buffer) != End::kAny) flat_.ends[to] = flat_.ends[buffer];
    if (is_kept_apart(buffer)) {
      others_[to].append(others_[buffer].begin(), others_[buffer].end());
      others_[buffer].clear();
    }
  }

  /// The problem of the buffers that are left, joined as they are in `buffers`,
  /// in their order.
  [[nodiscard]] Flat joined(const List<FlatBuffer>& buffers) const {
    List<Index> left = numbers_below(one_.size());
    erase_if(left, [&](Index i) { return one_[i] != i; });
    Flat result = subset_of(flat_, left);
    List<Index> position(one_.size(), 0);
    for (Index k = 0; k < left.size(); ++k) {
      position[left[k]] = k;
      result.buffers[k] = buffers[left[k]];
    }
    result.apart.clear();
    for (const auto& [a, b] : flat_.apart)
      if (one_of(a) != one_of(b))
        result.apart.push_back({position[one_of(a)], position[one_of(b)]});
    erase_if(result.gaps,
             [&](const FlatGap& gap) { return !stays_[left[gap.buffer]]; });
    return result;
  }

  /// Places what is left as in a placement of joined().
  void expand(const List<std::int64_t>& joined,
              List<std::int64_t>& offsets) const {
    std::size_t next = 0;
    for (Index i = 0; i < one_.size(); ++i)
      if (one_[i] == i) offsets[i] = joined[next++];
  }

  [[nodiscard]] std::size_t bytes() const noexcept {
    std::size_t result = flat_.bytes() + bytes_of(one_, others_, stays_);
    for (const List<Index>& list : others_) result += bytes_of(list);
    return result;
  }

 private:
  [[nodiscard]] bool is_kept_apart(Index i) const {
    return !others_.empty() && !others_[i].empty();
  }
  /// Makes of two ends that of both, if there is one.
  [[nodiscard]] static bool combine(End& end, End other) {
    if (end != End::kAny && other != End::kAny && end != other) return false;
    if (other != End::kAny) end = other;
    return true;
  }
  /// The joined buffer that a buffer is a part of.
  [[nodiscard]] Index one_of(Index i) const {
    while (one_[i] != i) i = one_[i];
    return i;
  }
  /// The same for members some of which are fixed: whether only one begin of the
  /// stack is free.
  [[nodiscard]] bool order_fixed(List<Index>& members,
                                 const List<Index>& others, End end,
                                 const List<FlatBuffer>& buffers) const {
    FixedStack stack;
    FlatBuffer whole = buffers[members[0]];
    whole.size = 0;
    for (const Index i : members) {
      stack.add(buffers[i].size, flat_.fixed[i]);
      whole.size += buffers[i].size;
      // One span of sections may be several lifespans.
      live_as_both(whole, buffers[i]);
    }
    const std::int64_t wanted = others.size() == 1 && flat_.is_fixed(others[0])
                                    ? flat_.fixed[others[0]]
                                    : Flat::kNone;
    std::int64_t found = Flat::kNone;
    bool one = false;
    stack.for_each_begin([&](std::int64_t begin) {
      if (begin == found || (wanted != Flat::kNone && begin != wanted) ||
          !is_free(members, whole, begin, end, buffers))
        return true;
      one = found == Flat::kNone;
      found = begin;
      return one;
    });
    if (!one || !stack.arrange(found)) return false;
    const List<Index> before = members;
    for (std::size_t k = 0; k < before.size(); ++k)
      members[k] = before[stack.member(k)];
    return true;
  }
  /// Whether a buffer can be at an offset, with an end, beside what is fixed.
  [[nodiscard]] bool can_fix(Index buffer, std::int64_t offset, End end,
                             const List<FlatBuffer>& buffers) const {
    if (flat_.is_fixed(buffer) && flat_.fixed[buffer] != offset) return false;
    return is_free({buffer}, buffers[buffer], offset, end, buffers);
  }
  /// Whether what some become, `one` with an end, can be at an offset, beside
  /// what else is fixed.
  [[nodiscard]] bool is_free(const List<Index>& some, const FlatBuffer& one,
                             std::int64_t offset, End end,
                             const List<FlatBuffer>& buffers) const {
    if (offset < flat_.base || offset > capacity_ - one.size ||
        offset % one.alignment != 0)
      return false;
    const Interval<std::int64_t> bytes{offset, offset + one.size};
    const auto is_in_the_way = [&](Index other) {
      return bytes.overlaps({flat_.fixed[other],
                             flat_.fixed[other] + buffers[other].size}) ||
             are_crossed(end, offset, flat_.end_of(other), flat_.fixed[other]);
    };
    for (Index i = 0; i < flat_.fixed.size(); ++i)
      if (one_[i] == i && flat_.fixed[i] != Flat::kNone &&
          one.lifespan.overlaps(buffers[i].lifespan) &&
          std::find(some.begin(), some.end(), i) == some.end() &&
          is_in_the_way(i))
        return false;
    if (is_kept_apart(some[0]))
      for (const Index other : others_[some[0]])
        if (flat_.is_fixed(one_of(other)) && is_in_the_way(one_of(other)))
          return false;
    for (const FlatReserved& range : flat_.reserved)
      if (bytes.overlaps(range.bytes) && range.is_live_in(one.lifespan))
        return false;
    return true;
  }
  /// Whether a top buffer is below a bottom one.
  [[nodiscard]] static bool are_crossed(End a, std::int64_t at_a, End b,
                                        std::int64_t at_b) {
    return (a == End::kTop && b == End::kBottom && at_a < at_b) ||
           (a == End::kBottom && b == End::kTop && at_b < at_a);
  }

  Flat flat_;  ///< of what is left, what it is asked for
  std::int64_t capacity_;
  List<Index> one_;  ///< what each is a part of, or itself
  /// Kept apart from each that is left; empty without pairs.
  Lists<Index> others_;
  List<bool> stays_;  ///< as it is
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_JOINS_JOIN_RULES_HPP
