// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Who ends at a boundary of sections, or who begins there.
#ifndef SNUG_JOINS_BOUNDARY_LISTS_HPP
#define SNUG_JOINS_BOUNDARY_LISTS_HPP

#include "snug/config.hpp"
#include "snug/normal/flat.hpp"
#include "snug/support/list.hpp"

#include <cstddef>
#include <limits>
#include <utility>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// For some boundaries the buffers that end there, or that begin there: linked
/// lists, each buffer in one of them at most.
class BoundaryLists {
 public:
  BoundaryLists(std::size_t boundaries, std::size_t buffers)
      : first_(boundaries, kNone),
        next_(buffers, kNone),
        previous_(buffers, kNone) {}

  /// Whether the list of a boundary has more than `most`.
  [[nodiscard]] bool has_more(Index boundary, std::size_t most) const {
    Index i = first_[boundary];
    for (; most > 0 && i != kNone; --most) i = next_[i];
    return i != kNone;
  }
  /// Makes `members` the list of a boundary.
  void list(Index boundary, List<Index>& members) const {
    members.clear();
    for (Index i = first_[boundary]; i != kNone; i = next_[i])
      members.push_back(i);
  }

  void add(Index boundary, Index i) {
    const Index next = first_[boundary];
    if (next != kNone) previous_[next] = i;
    next_[i] = next;
    first_[boundary] = i;
  }
  /// Takes a buffer out of the list of a boundary, if it is in there.
  void remove(Index boundary, Index i) {
    const Index next = std::exchange(next_[i], kNone);
    const Index previous = std::exchange(previous_[i], kNone);
    if (next != kNone) previous_[next] = previous;
    if (previous != kNone) next_[previous] = next;
    if (first_[boundary] == i) first_[boundary] = next;
  }

  [[nodiscard]] std::size_t bytes() const noexcept {
    return bytes_of(first_, next_, previous_);
  }

 private:
  static constexpr Index kNone = (std::numeric_limits<Index>::max)();

  List<Index> first_;
  List<Index> next_;
  List<Index> previous_;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_JOINS_BOUNDARY_LISTS_HPP
