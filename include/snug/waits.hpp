// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The waits that a placement needs when operators run on several streams and
/// buffers of different streams share bytes:
///
///     stream 0   op 0 writes a, op 1 reads a
///     stream 1   op 2 writes b, op 3 reads b      op 2 has to wait for op 1
///
/// separations.hpp says which pairs of buffers it is about, and why the waits
/// are always possible and enough.
///
/// Cost: that of find_separations() and twice that of the order, plus for each
/// pair that shares bytes O(users of one * users of the other) waits, each of
/// which is looked at with the operators between its two.
#ifndef SNUG_WAITS_HPP
#define SNUG_WAITS_HPP

#include "snug/config.hpp"
#include "snug/model/interval.hpp"
#include "snug/model/problem.hpp"
#include "snug/schedule/happens_before.hpp"
#include "snug/separations.hpp"
#include "snug/support/list.hpp"
#include "snug/support/sort.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

SNUG_BEGIN_NAMESPACE

struct [[nodiscard]] Waits {
  std::vector<Dependency> waits{};  ///< by `after`, then by `before`
  SeparationFault fault = SeparationFault::kNone;
  std::size_t index = kNoIndex;  ///< of what is at fault

  [[nodiscard]] bool ok() const noexcept {
    return fault == SeparationFault::kNone;
  }
};

namespace detail {

/// For each two users that `order` leaves open, one of each buffer of a pair,
/// that the later waits for the earlier. Sorted, each once.
[[nodiscard]] inline std::vector<Dependency> order_users(
    const std::vector<BufferPair>& pairs,
    const std::vector<std::vector<std::size_t>>& users,
    const HappensBefore& order) {
  std::vector<Dependency> waits;
  for (const BufferPair& pair : pairs)
    for (const std::size_t i : users[pair.first])
      for (const std::size_t j : users[pair.second])
        if (order.leaves_open(i, j))
          waits.push_back({(std::min)(i, j), (std::max)(i, j)});
  heap_sort(waits, [](const Dependency& a, const Dependency& b) {
    return a.after != b.after ? a.after < b.after : a.before < b.before;
  });
  join_neighbours(waits, [](const Dependency& a, const Dependency& b) {
    return a.before == b.before && a.after == b.after;
  });
  return waits;
}

}  // namespace detail

/// The waits, beside `streams` and `dependencies`, that make `offsets` safe in
/// every run: so that of two buffers that share bytes, as whole ranges, all users
/// are ordered if find_separations() names the two. They order no operators but
/// those that every safe set of waits orders, and none follows from the others:
/// there is one such set. Fewer waits may be safe where they order more. `offsets`:
/// a placement of `problem`, with tops that the size type holds; where no pair that
/// shares bytes is named, there are no waits.
template <class Size, class Time>
Waits find_waits(const Problem<Size, Time>& problem,
                 const std::vector<std::vector<std::size_t>>& users,
                 const std::vector<std::size_t>& streams,
                 std::vector<Dependency> dependencies,
                 const std::vector<Size>& offsets) {
  Waits result;
  const HappensBefore order(streams, dependencies);
  Separations unsafe = find_separations(problem, users, order);
  if (unsafe.ok() && offsets.size() != problem.buffers.size())
    unsafe.fault = SeparationFault::kWrongOffsetCount;
  result.fault = unsafe.fault;
  result.index = unsafe.index;
  if (!result.ok()) return result;

  const auto bytes_of = [&](std::size_t i) {
    return Interval<Size>{
        offsets[i], static_cast<Size>(offsets[i] + problem.buffers[i].size)};
  };
  detail::erase_if(unsafe.pairs, [&](const BufferPair& pair) {
    return !bytes_of(pair.first).overlaps(bytes_of(pair.second));
  });
  std::vector<Dependency> waits =
      detail::order_users(unsafe.pairs, users, order);
  dependencies.insert(dependencies.end(), waits.begin(), waits.end());
  const HappensBefore all(streams, dependencies);
  // A wait with an operator between its two follows from others, and one
  // without does not.
  for (const Dependency& wait : waits) {
    bool is_implied = false;
    for (std::size_t w = wait.before + 1; !is_implied && w < wait.after; ++w)
      is_implied = all(wait.before, w) && all(w, wait.after);
    if (!is_implied) result.waits.push_back(wait);
  }
  return result;
}

SNUG_END_NAMESPACE

#endif  // SNUG_WAITS_HPP
