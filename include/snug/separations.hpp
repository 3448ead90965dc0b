// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Pairs of buffers to keep apart because operators run on several streams.
///
/// Lifespans count steps of one nominal order of the operators. When streams
/// run at the same time, other orders happen, too, and two buffers whose
/// lifespans are disjoint may yet be in use together:
///
///     stream 0   op 0 writes a, op 1 reads a      nominal order: op 0, 1, 2, 3
///     stream 1   op 2 writes b, op 3 reads b      a [0, 2) and b [2, 4)
///
/// No dependency orders the streams, so a and b may not share memory. Two
/// buffers may when all users of one happen before all users of the other.
///
/// **Hard or soft.** The host may keep these pairs apart (Problem::apart), or
/// let them share at a cost (Problem::penalties) and then add waits, which
/// find_waits() in waits.hpp lists: for each two users, one of each buffer, the
/// later operator waits for the earlier one. That is always possible, and
/// enough:
/// - All such waits point forward in the nominal order, as streams and
///   dependencies do. So the nominal order obeys any set of them, and none makes
///   a cycle, alone or with others.
/// - Where all users of both are ordered, they follow one another in every run
///   as in the nominal order, in which a placement lets no two buffers meet.
/// What the nominal order itself has in use at one time, no wait mends: that is
/// what lifespans say, and stays hard.
///
/// Cost, beyond that of the order: that of UserOrder, and of finding the pairs that
/// it does not keep apart (schedule/open_pairs.hpp), for few of them O(n log n) for
/// n buffers. A buffer with gaps is compared with all others, in O(users of one *
/// users of the other) with those that are live at one time. Nothing where every
/// two operators are ordered.
#ifndef SNUG_SEPARATIONS_HPP
#define SNUG_SEPARATIONS_HPP

#include "snug/config.hpp"
#include "snug/model/exemptions.hpp"
#include "snug/model/interval.hpp"
#include "snug/model/pairs.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/ties.hpp"
#include "snug/model/widen.hpp"
#include "snug/schedule/happens_before.hpp"
#include "snug/schedule/open_pairs.hpp"
#include "snug/support/list.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

SNUG_BEGIN_NAMESPACE

/// What is wrong with the input of find_separations() or find_waits().
enum class SeparationFault : std::uint8_t {
  kNone,
  kBadDependency,     ///< not forward, or to no operator; index: dependency
  kWrongUserCount,    ///< not one list of users a buffer; no index
  kUnknownOperator,   ///< a user that is no operator; index: buffer
  kWrongOffsetCount,  ///< for find_waits(): not one offset a buffer; no index
};

[[nodiscard]] constexpr const char* to_string(SeparationFault fault) noexcept {
  switch (fault) {
    case SeparationFault::kNone:
      return "no fault";
    case SeparationFault::kBadDependency:
      return "dependency does not point forward to an operator";
    case SeparationFault::kWrongUserCount:
      return "the number of user lists differs from the number of buffers";
    case SeparationFault::kUnknownOperator:
      return "no operator has this index";
    case SeparationFault::kWrongOffsetCount:
      return "the number of offsets differs from the number of buffers";
  }
  return "unknown";
}

struct [[nodiscard]] Separations {
  std::vector<BufferPair> pairs{};  ///< first < second, in lexical order
  SeparationFault fault = SeparationFault::kNone;
  std::size_t index = kNoIndex;  ///< of what is at fault

  [[nodiscard]] bool ok() const noexcept {
    return fault == SeparationFault::kNone;
  }
};

namespace detail {

/// Whether every two different operators, one of each list, are ordered.
[[nodiscard]] inline bool is_ordered(const HappensBefore& order,
                                     const std::vector<std::size_t>& a,
                                     const std::vector<std::size_t>& b) {
  for (const std::size_t i : a)
    for (const std::size_t j : b)
      if (order.leaves_open(i, j)) return false;
  return true;
}

/// Adds the pairs of buffers with bytes that are live at one time, so that they may
/// share bytes in gaps only, and have users that `order` leaves open.
template <class Size, class Time>
void add_pairs_with_gaps(const Problem<Size, Time>& problem,
                         const std::vector<std::vector<std::size_t>>& users,
                         const HappensBefore& order, List<IndexPair>& pairs) {
  for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
    const Buffer<Size, Time>& a = problem.buffers[i];
    if (a.size == 0 || a.gaps.empty()) continue;
    for (std::size_t j = 0; j < problem.buffers.size(); ++j) {
      const Buffer<Size, Time>& b = problem.buffers[j];
      // Of two that have gaps, the first one finds the other.
      if (b.size != 0 && (j > i || b.gaps.empty()) &&
          a.lifespan.overlaps(b.lifespan) &&
          !is_ordered(order, users[i], users[j]))
        pairs.push_back({static_cast<Index>(i), static_cast<Index>(j)});
    }
  }
}

}  // namespace detail

/// The pairs that Problem::apart needs so that every placement is safe in every
/// run that respects `order`, or that waits are needed for. `users[i]` are the
/// operators that write or read buffer i (none: a buffer that only the host
/// uses, before all operators or after them). Lifespans follow the operators'
/// indices: a buffer whose lifespan ends before that of another begins has no
/// user after one of its.
///
/// Left out are pairs live at one time, which no placement lets meet; pairs of
/// tied buffers, whose bytes the host shares itself; pairs in `may_overlap`;
/// and buffers of size zero. Where a buffer has gaps, a pair that is live at
/// one time counts as safe only if all users of one are ordered with all users
/// of the other.
template <class Size, class Time>
Separations find_separations(const Problem<Size, Time>& problem,
                             const std::vector<std::vector<std::size_t>>& users,
                             const HappensBefore& order) {
  Separations result;
  const auto refuse = [&](SeparationFault fault, std::size_t index) {
    result.fault = fault;
    result.index = index;
    return result;
  };
  const std::size_t n = problem.buffers.size();
  if (!order.ok())
    return refuse(SeparationFault::kBadDependency, order.bad_dependency());
  if (users.size() != n)
    return refuse(SeparationFault::kWrongUserCount, kNoIndex);
  for (std::size_t i = 0; i < n; ++i)
    for (const std::size_t op : users[i])
      if (op >= order.operators())
        return refuse(SeparationFault::kUnknownOperator, i);
  if (order.chains() <= 1) return result;

  detail::List<Interval<std::int64_t>> lifespans(n);
  for (std::size_t i = 0; i < n; ++i)
    if (problem.buffers[i].size != 0)
      lifespans[i] = detail::widen(problem.buffers[i].lifespan);
  detail::List<detail::IndexPair> pairs =
      detail::open_pairs(order, UserOrder(order, users), lifespans);
  detail::add_pairs_with_gaps(problem, users, order, pairs);
  detail::sort_pairs(pairs);
  // An ill-formed problem is check()'s to report.
  const detail::Ties ties = detail::tie(problem);
  const detail::Exemptions exemptions(problem, ties);
  result.pairs.reserve(pairs.size());
  for (const auto& [i, j] : pairs)
    if (!exemptions.contain(i, j)) result.pairs.push_back({i, j});
  return result;
}

/// The same for operators given by their streams and dependencies.
template <class Size, class Time>
Separations find_separations(const Problem<Size, Time>& problem,
                             const std::vector<std::vector<std::size_t>>& users,
                             const std::vector<std::size_t>& streams,
                             const std::vector<Dependency>& dependencies) {
  return find_separations(problem, users, HappensBefore(streams, dependencies));
}

SNUG_END_NAMESPACE

#endif  // SNUG_SEPARATIONS_HPP
