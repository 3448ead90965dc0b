// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Time as sections: the sweep turns lifespans into ranges of small integers.
///
/// A *section* is a maximal set of buffers live together: a run of time that
/// reaches from a start to the next end. Every overlap of two buffers shows in
/// at least one section, so nothing finer is ever needed. A buffer *spans* the
/// sections [lower, upper). A *partition* is a maximal run of sections linked
/// by buffers that cross from one to the next: partitions share no moment of
/// time and are solved one by one.
///
/// The running example (see model/problem.hpp), with a sixth buffer behind it:
///
///      time      0     3           9                     21      30
///                +-----------------+                     .       .
///                |        b3       |                     .       .
///                +-----------------+---------------------+       .
///                |                  b5                   |       .
///                +-----+-----------+---------------------+-------+
///                | b1  |    b2     |         b4          |  b6   |
///                +-----+-----------+---------------------+-------+
///      sections     0        1                2              3
///      spans     b1 [0,1)  b2 [1,2)  b3 [0,2)  b4 [2,3)  b5 [0,3)  b6 [3,4)
///      partitions  sections [0,3): b1 b2 b3 b4 b5   sections [3,4): b6
///
/// Buffers of size zero take part in nothing: they have an empty span.
///
/// Cost: O(n log n) time, O(n) memory. Source: MiniMalloc (ASPLOS 2023), the
/// sections on spatial and temporal structure of the problem.
#ifndef SNUG_SWEEP_SWEEP_HPP
#define SNUG_SWEEP_SWEEP_HPP

#include "snug/config.hpp"
#include "snug/model/event.hpp"
#include "snug/model/interval.hpp"
#include "snug/model/problem.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

SNUG_BEGIN_NAMESPACE

/// Indices of buffers and sections inside the engine.
using Index = std::uint32_t;

/// A run of sections that no buffer leaves, and the buffers that live there.
struct Partition {
  Interval<Index> sections{};
  Interval<Index> buffers{};  ///< a range of positions in Sweep::order
};

struct Sweep {
  std::vector<Interval<Index>> spans{};  ///< of each buffer, in input order
  /// The buffers of positive size by (span, size, alignment, input index):
  /// partitions are ranges of it, and identical buffers are neighbours.
  std::vector<Index> order{};
  std::vector<Partition> partitions{};  ///< in order of time
  Index sections = 0;
};

/// The bytes that a sweep holds.
[[nodiscard]] inline std::size_t bytes_of(const Sweep& sweep) noexcept {
  return sweep.spans.capacity() * sizeof(Interval<Index>) +
         sweep.order.capacity() * sizeof(Index) +
         sweep.partitions.capacity() * sizeof(Partition);
}

namespace detail {

/// Numbers the sections that sorted events cut time into, and notes the span of
/// each interval in spans[owner]. Returns the number of sections.
template <class Time>
[[nodiscard]] Index number_sections(const Events<Time>& events,
                                    Interval<Index>* spans) {
  Index sections = 0;
  bool open = false;  // Whether an interval has started since the last end.
  for (const Event<Time>& event : events) {
    if (event.is_start) {
      spans[event.owner].lower = sections;
    } else {
      sections += open ? 1 : 0;
      spans[event.owner].upper = sections;
    }
    open = event.is_start;
  }
  return sections;
}

/// Cuts the ordered buffers into partitions: a new one begins with each
/// buffer that starts no earlier than all before it have ended.
inline void append_partitions(Sweep& sweep) {
  Index reach = 0;
  for (Index k = 0; k < sweep.order.size(); ++k) {
    const Interval<Index> span = sweep.spans[sweep.order[k]];
    if (k == 0 || span.lower >= reach)
      sweep.partitions.push_back({{span.lower, span.upper}, {k, k}});
    reach = (std::max)(reach, span.upper);
    sweep.partitions.back().sections.upper = reach;
    sweep.partitions.back().buffers.upper = k + 1;
  }
}

}  // namespace detail

/// Computes sections, spans and partitions of a well-formed problem with
/// fewer than 2^31 buffers.
template <class Size, class Time>
[[nodiscard]] Sweep sweep(const Problem<Size, Time>& problem) {
  const std::vector<Buffer<Size, Time>>& buffers = problem.buffers;
  Sweep result;
  result.spans = std::vector<Interval<Index>>(buffers.size());
  result.order = std::vector<Index>(buffers.size());
  Index count = 0;
  {
    detail::Events<Time> events(buffers.size());
    for (Index i = 0; i < buffers.size(); ++i) {
      if (buffers[i].size == 0) continue;
      events.add(buffers[i].lifespan, i);
      result.order[count++] = i;
    }
    events.sort();
    result.sections = detail::number_sections(events, result.spans.data());
  }
  while (result.order.size() > count) result.order.pop_back();
  std::sort(result.order.begin(), result.order.end(), [&](Index a, Index b) {
    const Interval<Index>& x = result.spans[a];
    const Interval<Index>& y = result.spans[b];
    if (x.lower != y.lower) return x.lower < y.lower;
    if (x.upper != y.upper) return x.upper < y.upper;
    if (buffers[a].size != buffers[b].size)
      return buffers[a].size < buffers[b].size;
    if (buffers[a].alignment != buffers[b].alignment)
      return buffers[a].alignment < buffers[b].alignment;
    return a < b;
  });
  detail::append_partitions(result);
  return result;
}

SNUG_END_NAMESPACE

#endif  // SNUG_SWEEP_SWEEP_HPP
