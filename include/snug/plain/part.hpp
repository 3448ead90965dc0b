// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Parts: runs of sections that no unplaced buffer leaves.
///
/// Placing a buffer can leave boundaries between sections that nobody crosses
/// any more. The buffers on either side do not overlap and never will, so the
/// runs of sections between such boundaries are independent problems: a
/// placement of the whole is a placement of each part, and the failure of one
/// part fails the node above. Buffers are numbered by their first section, so
/// a part's buffers are a range of indices.
///
/// Each part has its own key (state_key.hpp): what is remembered of it holds
/// whatever the other parts look like.
///
/// Cost: splitting visits the chosen buffer's span, and, only if the rest does
/// fall apart, the buffers of the new parts.
/// Source: MiniMalloc (ASPLOS 2023), dynamic decomposition.
#ifndef SNUG_PLAIN_PART_HPP
#define SNUG_PLAIN_PART_HPP

#include "snug/config.hpp"
#include "snug/engine/state_key.hpp"
#include "snug/model/interval.hpp"
#include "snug/normal/flat.hpp"
#include "snug/plain/instance.hpp"
#include "snug/plain/state.hpp"
#include "snug/support/memory.hpp"
#include "snug/support/sort.hpp"

#include <cstddef>

SNUG_BEGIN_NAMESPACE
namespace detail {

struct Part {
  Interval<Index> sections;
  Interval<Index> buffers;  ///< those that begin in the sections
  Index unplaced;           ///< how many of them
  Key key;                  ///< of their state
};

/// The parts that are open, as engine/tree_search.hpp sees them.
class PartStack : public Stack<Part> {
 public:
  using Stack<Part>::Stack;
  [[nodiscard]] std::size_t mark() const noexcept { return size(); }
};

/// The part that a run of sections is.
template <class Units>
[[nodiscard]] Part make_part(const State<Units>& state,
                             Interval<Index> sections) {
  const Instance<Units>& instance = *state.instance;
  Part part{
      sections,
      {instance.first_at[sections.lower], instance.first_at[sections.upper]},
      0,
      {}};
  for (Index x = part.buffers.lower; x < part.buffers.upper; ++x) {
    if (!state.is_unplaced(x)) continue;
    ++part.unplaced;
    part.key += state.keys.term(x, state.minimum[x], state.is_skipped(x));
  }
  return part;
}

/// Pushes the parts that `rest` falls into after `placed` was placed: those
/// with unplaced buffers, the fewest first, for small parts fail fastest.
template <class Units>
void split(const State<Units>& state, const Part& rest, Index placed,
           bool decompose, Stack<Part>& parts) {
  const Instance<Units>& instance = *state.instance;
  const std::size_t first = parts.size();
  Index from = rest.sections.lower;
  const auto cut = [&](Index to) {
    const Part part = make_part(state, {from, to});
    from = to;
    if (part.unplaced > 0) parts.push(part);
  };
  // The boundaries that nobody may cross any more: those that the placed buffer
  // crossed, with its pairs.
  Interval<Index> crossed{instance.lower[placed], instance.upper[placed] - 1};
  for (const Index y : instance.pairs[placed])
    if (state.is_unplaced(y))
      crossed = hull_of(crossed, instance.crossed(placed, y));
  if (decompose)
    for (Index s = crossed.lower; s < crossed.upper; ++s)
      if (state.crossing[s] == 0) cut(s + 1);
  if (from != rest.sections.lower) {
    cut(rest.sections.upper);
    insertion_sort(
        parts.begin() + first, parts.end(),
        [](const Part& a, const Part& b) { return a.unplaced < b.unplaced; });
  } else if (rest.unplaced > 0) {
    parts.push(rest);
  }
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAIN_PART_HPP
