// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Plain problems: sizes, alignments and lifespans, with time as *sections*: the
/// sweep turns lifespans into ranges of small integers.
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
#ifndef SNUG_NORMAL_PLAIN_HPP
#define SNUG_NORMAL_PLAIN_HPP

#include "snug/config.hpp"
#include "snug/model/event.hpp"
#include "snug/model/interval.hpp"
#include "snug/normal/flat.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// A run of sections that no buffer leaves, and the buffers that live there.
struct Partition {
  Interval<Index> sections{};
  Interval<Index> buffers{};  ///< a range of positions in Plain::order
};

struct Plain {
  std::vector<FlatBuffer> buffers{};     ///< in input order
  std::vector<Interval<Index>> spans{};  ///< of each buffer
  /// The buffers of positive size by (span, size, alignment, input index):
  /// partitions are ranges of it, and identical buffers are neighbours.
  std::vector<Index> order{};
  std::vector<Partition> partitions{};  ///< in order of time
  Index sections = 0;

  [[nodiscard]] std::size_t bytes() const noexcept {
    return buffers.capacity() * sizeof(FlatBuffer) +
           spans.capacity() * sizeof(Interval<Index>) +
           order.capacity() * sizeof(Index) +
           partitions.capacity() * sizeof(Partition);
  }
};

/// Numbers the sections that sorted events cut time into, and notes the span of
/// each interval in spans[owner]. Returns the number of sections.
[[nodiscard]] inline Index number_sections(const Events& events,
                                           Interval<Index>* spans) {
  Index sections = 0;
  bool open = false;  // Whether an interval has started since the last end.
  for (const Event& event : events) {
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
inline void append_partitions(Plain& plain) {
  Index reach = 0;
  for (Index k = 0; k < plain.order.size(); ++k) {
    const Interval<Index> span = plain.spans[plain.order[k]];
    if (k == 0 || span.lower >= reach)
      plain.partitions.push_back({{span.lower, span.upper}, {k, k}});
    reach = (std::max)(reach, span.upper);
    plain.partitions.back().sections.upper = reach;
    plain.partitions.back().buffers.upper = k + 1;
  }
}

/// Computes sections, spans and partitions of well-formed buffers, fewer than
/// 2^31. The ends of lifespans are any numbers: only their order counts.
[[nodiscard]] inline Plain make_plain(std::vector<FlatBuffer> buffers) {
  Plain result;
  result.buffers = std::move(buffers);
  const std::vector<FlatBuffer>& all = result.buffers;
  result.spans = std::vector<Interval<Index>>(all.size());
  result.order = std::vector<Index>(all.size());
  Index count = 0;
  {
    Events events(all.size());
    for (Index i = 0; i < all.size(); ++i) {
      if (all[i].size == 0) continue;
      events.add(all[i].lifespan, i);
      result.order[count++] = i;
    }
    events.sort();
    result.sections = number_sections(events, result.spans.data());
  }
  while (result.order.size() > count) result.order.pop_back();
  std::sort(result.order.begin(), result.order.end(), [&](Index a, Index b) {
    const Interval<Index>& x = result.spans[a];
    const Interval<Index>& y = result.spans[b];
    if (x.lower != y.lower) return x.lower < y.lower;
    if (x.upper != y.upper) return x.upper < y.upper;
    if (all[a].size != all[b].size) return all[a].size < all[b].size;
    if (all[a].alignment != all[b].alignment)
      return all[a].alignment < all[b].alignment;
    return a < b;
  });
  append_partitions(result);
  return result;
}

/// The lowest multiple of `alignment` that is at least `address`.
[[nodiscard]] constexpr std::int64_t align_up(std::int64_t address,
                                              std::int64_t alignment) noexcept {
  const std::int64_t rest = address % alignment;
  return rest == 0 ? address : address + (alignment - rest);
}

/// Whether a flat problem has nothing but sizes, lifespans and alignments left,
/// and a ground from which all of its buffers start: the lowest offset that
/// suits one of them suits all. Counted from there it is plain.
[[nodiscard]] inline bool is_plain(const Flat& flat, std::int64_t& ground) {
  if (!flat.gaps.empty() || !flat.fixed.empty() || !flat.ends.empty() ||
      !flat.root.empty() || !flat.apart.empty() || !flat.may_overlap.empty() ||
      !flat.reserved.empty())
    return false;
  ground = 0;
  if (flat.base == 0) return true;
  bool is_first = true;
  for (const FlatBuffer& buffer : flat.buffers) {
    const std::int64_t lowest = align_up(flat.base, buffer.alignment);
    if (!is_first && lowest != ground) return false;
    ground = lowest;
    is_first = false;
  }
  return true;
}

/// The plain problem of some of the buffers, in the order of `indices`.
template <class Indices>
[[nodiscard]] Plain subset_of(const std::vector<FlatBuffer>& buffers,
                              const Indices& indices) {
  std::vector<FlatBuffer> some;
  some.reserve(indices.size());
  for (const auto i : indices) some.push_back(buffers[i]);
  return make_plain(std::move(some));
}

/// The height of a placement: its largest offset + size; 0 if there is none.
[[nodiscard]] inline std::int64_t height_of(
    const std::vector<FlatBuffer>& buffers,
    const std::vector<std::int64_t>& offsets) {
  std::int64_t height = 0;
  for (std::size_t i = 0; i < offsets.size(); ++i)
    height = (std::max)(height, offsets[i] + buffers[i].size);
  return height;
}

/// The height of the placement of one partition.
[[nodiscard]] inline std::int64_t height_of(
    const Plain& plain, const Partition& partition,
    const std::vector<std::int64_t>& offsets) {
  std::int64_t height = 0;
  for (Index k = partition.buffers.lower; k < partition.buffers.upper; ++k) {
    const Index i = plain.order[k];
    height = (std::max)(height, offsets[i] + plain.buffers[i].size);
  }
  return height;
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_NORMAL_PLAIN_HPP
