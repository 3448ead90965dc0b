// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Who ends at a boundary of sections, or who begins there.
#ifndef SNUG_PRESOLVE_BOUNDARY_LISTS_HPP
#define SNUG_PRESOLVE_BOUNDARY_LISTS_HPP

#include "snug/config.hpp"
#include "snug/normal/flat.hpp"
#include "snug/support/list.hpp"

#include <cstddef>
#include <limits>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// For some boundaries the buffers that end there, or that begin there: lists
/// through one array.
class BoundaryLists {
 public:
  BoundaryLists(std::size_t boundaries, std::size_t buffers)
      : first_(boundaries, kNone), next_(buffers, kNone) {}

  /// The first of a list, or kNone.
  [[nodiscard]] Index first(Index boundary) const { return first_[boundary]; }
  /// The one after it, or kNone.
  [[nodiscard]] Index next(Index i) const { return next_[i]; }

  void add(Index boundary, Index i) {
    next_[i] = first_[boundary];
    first_[boundary] = i;
  }
  void remove(Index boundary, Index i) {
    Index* link = &first_[boundary];
    while (*link != kNone && *link != i) link = &next_[*link];
    if (*link == i) *link = next_[i];
  }

  [[nodiscard]] std::size_t bytes() const noexcept {
    return bytes_of(first_, next_);
  }

  static constexpr Index kNone = (std::numeric_limits<Index>::max)();

 private:
  List<Index> first_;
  List<Index> next_;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PRESOLVE_BOUNDARY_LISTS_HPP
