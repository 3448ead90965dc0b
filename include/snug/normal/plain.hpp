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
/// *Obstacles* are bytes that are taken for some time, by what is fixed or
/// reserved (normal/obstacles.hpp). Their times are cut into sections as well.
///
/// Cost: O(n log n) time, O(n) memory. Source: MiniMalloc (ASPLOS 2023), the
/// sections on spatial and temporal structure of the problem.
#ifndef SNUG_NORMAL_PLAIN_HPP
#define SNUG_NORMAL_PLAIN_HPP

#include "snug/config.hpp"
#include "snug/model/event.hpp"
#include "snug/model/interval.hpp"
#include "snug/normal/flat.hpp"
#include "snug/support/align.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"
#include "snug/support/memory.hpp"
#include "snug/support/rows.hpp"
#include "snug/support/sort.hpp"
#include "snug/support/spread_sort.hpp"
#include "snug/support/view.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// A run of sections that no buffer leaves, and the buffers that live there.
struct Partition {
  Interval<Index> sections{};
  Interval<Index> buffers{};  ///< a range of positions in Plain::order
};

/// Bytes that are taken for a run of sections.
struct Obstacle {
  Interval<Index> sections{};
  Interval<std::int64_t> bytes{};
};

/// Offsets that a buffer cannot have: those above `lower` and below `upper`.
using Barred = Interval<std::int64_t>;

struct Plain {
  List<FlatBuffer> buffers{};     ///< in input order
  List<Interval<Index>> spans{};  ///< of each buffer
  /// The buffers of positive size by (span, size, alignment, pairs, index):
  /// partitions are ranges of it, and identical buffers are neighbours.
  List<Index> order{};
  List<Partition> partitions{};  ///< in order of time
  Index sections = 0;
  /// Pairs that are kept apart although their lifespans are disjoint: the others
  /// of each buffer, ascending. No row need be there if there are none.
  Rows<Index> apart{};
  /// Cliques of the conflict graph that no section holds (bounds/clique_cover.hpp).
  Lists<Index> cliques{};
  /// By lower end; of those that share a section no two share a byte.
  List<Obstacle> obstacles{};
  /// Those of each buffer, ascending, and no two share an offset. As above, no row
  /// need be there.
  Rows<Barred> barred{};

  /// Whether there is nothing but sizes, lifespans and alignments.
  [[nodiscard]] bool is_pure() const noexcept {
    return apart.empty() && barred.empty();
  }

  /// The buffers of a partition, in order.
  [[nodiscard]] View<const Index> buffers_of(const Partition& partition) const {
    return {order.begin() + partition.buffers.lower,
            order.begin() + partition.buffers.upper};
  }

  /// The buffers of a section, in order.
  [[nodiscard]] List<Index> live_in(Index section) const {
    List<Index> live;
    for (const Index i : order)
      if (spans[i].lower <= section && section < spans[i].upper)
        live.push_back(i);
    return live;
  }

  /// Those that buffer i is kept apart from, ascending.
  [[nodiscard]] View<const Index> apart_from(Index i) const {
    if (apart.empty()) return {};
    return apart[i];
  }
  [[nodiscard]] bool is_apart(Index i, Index j) const {
    const View<const Index> others = apart_from(i);
    return std::binary_search(others.begin(), others.end(), j);
  }
  /// Whether i and j are kept apart from the same buffers: below 0, 0 or above
  /// as in an order.
  [[nodiscard]] int compare_apart(Index i, Index j) const {
    const View<const Index> a = apart_from(i);
    const View<const Index> b = apart_from(j);
    const auto before = [](const View<const Index>& x,
                           const View<const Index>& y) {
      return std::lexicographical_compare(x.begin(), x.end(), y.begin(),
                                          y.end());
    };
    return before(a, b) ? -1 : before(b, a) ? 1 : 0;
  }
  /// The offsets that buffer i cannot have, ascending.
  [[nodiscard]] View<const Barred> barred_to(Index i) const {
    if (barred.empty()) return {};
    return barred[i];
  }

  [[nodiscard]] std::size_t bytes() const noexcept {
    return bytes_of(buffers, spans, order, partitions, obstacles) +
           apart.bytes() + barred.bytes();
  }
};

/// What was held, about, while a problem was made: the times of the obstacles,
/// and the events beside all but what is barred, or half of that once more.
[[nodiscard]] inline std::size_t bytes_to_make(const Plain& plain) noexcept {
  const std::size_t events =
      Events::bytes_for(plain.buffers.size() + plain.obstacles.size());
  const std::size_t barred = plain.barred.bytes();
  return plain.bytes() +
         plain.obstacles.size() * sizeof(Interval<std::int64_t>) +
         (std::max)(events, barred + barred / 2) - barred;
}

/// Numbers the sections that sorted events cut time into, and notes the span of
/// each interval in spans[owner]. Returns the number of sections.
[[nodiscard]] inline Index number_sections(const Events& events,
                                           Interval<Index>* spans) {
  Index sections = 0;
  bool open = false;  // Whether an interval has started since the last end.
  for (const Event& event : events) {
    if (is_start(event)) {
      spans[owner_of(event)].lower = sections;
    } else {
      sections += open ? 1 : 0;
      spans[owner_of(event)].upper = sections;
    }
    open = is_start(event);
  }
  return sections;
}

/// Adds a section to the last one of `obstacles` from `first` on, if that ends there
/// and has the same bytes; else as one more.
inline void add_section(Index section, const Interval<std::int64_t>& bytes,
                        std::size_t first, List<Obstacle>& obstacles) {
  const bool goes_on = obstacles.size() > first &&
                       obstacles.back().sections.upper == section &&
                       obstacles.back().bytes.lower == bytes.lower &&
                       obstacles.back().bytes.upper == bytes.upper;
  const Obstacle piece = {{section, section}, bytes};
  if (!goes_on) obstacles.push_back(piece);
  obstacles.back().sections.upper = section + 1;
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

/// Lists those of sorted pairs whose lifespans are disjoint and that are not empty.
inline void list_apart(const List<IndexPair>& pairs, Plain& plain) {
  SNUG_ASSERT(are_sorted(pairs));
  if (pairs.empty()) return;
  plain.apart.deal(plain.buffers.size(), [&](auto&& give) {
    for (const auto& [a, b] : pairs) {
      const FlatBuffer& x = plain.buffers[a];
      const FlatBuffer& y = plain.buffers[b];
      if (x.size == 0 || y.size == 0 || x.lifespan.overlaps(y.lifespan))
        continue;
      give(a, b);
      give(b, a);
    }
  });
}

/// Joins the partitions that pairs link, with all that are between them.
inline void join_partitions(Plain& plain) {
  if (plain.apart.empty()) return;
  List<Index> place(plain.buffers.size(), 0);
  for (Index k = 0; k < plain.order.size(); ++k) place[plain.order[k]] = k;
  List<Partition> joined;
  Index reach = 0;  // The last position that belongs to the same partition.
  for (const Partition& partition : plain.partitions) {
    if (joined.empty() || partition.buffers.lower > reach) {
      joined.push_back(partition);
    } else {
      joined.back().sections.upper = partition.sections.upper;
      joined.back().buffers.upper = partition.buffers.upper;
    }
    for (const Index i : plain.buffers_of(partition))
      for (const Index j : plain.apart_from(i))
        reach = (std::max)(reach, place[j]);
  }
  plain.partitions.swap(joined);
}

/// Computes sections, spans and partitions of the buffers; pairs kept apart are
/// listed already. `others`: lifespans that are to be cut into sections as well;
/// their spans come behind those of the buffers. False if it is interrupted.
[[nodiscard]] inline bool cut_into_sections(
    Plain& result, const List<Interval<std::int64_t>>& others,
    const Interrupt& interrupt) {
  const List<FlatBuffer>& all = result.buffers;
  result.spans = List<Interval<Index>>(all.size() + others.size());
  {
    Events events(all.size() + others.size());
    for (Index i = 0; i < all.size(); ++i) {
      if (interrupt.at(i)) return false;
      if (all[i].size != 0) events.add(all[i].lifespan, i);
    }
    for (std::size_t k = 0; k < others.size(); ++k)
      events.add(others[k], all.size() + k);
    if (!events.sort(interrupt)) return false;
    result.sections = number_sections(events, result.spans.data());
  }
  // By their spans, as one number: there are fewer than 2^31 sections.
  List<Keyed> ranked;
  bool differ = !result.apart.empty();  // By more than sizes.
  for (Index i = 0; i < all.size(); ++i) {
    const Interval<Index> span = result.spans[i];
    if (all[i].alignment > 1) differ = true;
    if (all[i].size != 0)
      ranked.push_back({std::int64_t{span.lower} << 31 | span.upper, i});
  }
  if (!sort_keyed(ranked, interrupt)) return false;
  for_each_run(ranked.begin(), ranked.end(), [&](Keyed* first, Keyed* last) {
    const auto before = [&](const Keyed& a, const Keyed& b) {
      if (a.key != b.key) return a.key < b.key;
      const std::int64_t x = all[a.index].alignment;
      const std::int64_t y = all[b.index].alignment;
      if (x != y) return x < y;
      const int apart_order = result.compare_apart(a.index, b.index);
      return apart_order != 0 ? apart_order < 0 : a.index < b.index;
    };
    for (Keyed* at = first; at != last; ++at) at->key = all[at->index].size;
    sort_keyed(first, last);
    if (differ)
      heap_sort(first, static_cast<std::size_t>(last - first), before);
  });
  result.order.reserve(ranked.size());
  for (const Keyed& one : ranked) result.order.push_back(one.index);
  append_partitions(result);
  return true;
}

/// The plain problem of well-formed buffers, fewer than 2^31. The ends of
/// lifespans are any numbers: only their order counts. Empty if it is
/// interrupted.
[[nodiscard]] inline Plain make_plain(List<FlatBuffer> buffers,
                                      const Interrupt& interrupt = {}) {
  Plain result;
  result.buffers = std::move(buffers);
  if (!cut_into_sections(result, {}, interrupt)) return {};
  return result;
}

/// The same with pairs kept apart, sorted, and `others` as above.
[[nodiscard]] inline Plain make_paired(
    List<FlatBuffer> buffers, const List<IndexPair>& apart,
    const List<Interval<std::int64_t>>& others = {},
    const Interrupt& interrupt = {}) {
  Plain result;
  result.buffers = std::move(buffers);
  list_apart(apart, result);
  if (!cut_into_sections(result, others, interrupt)) return {};
  join_partitions(result);
  return result;
}

/// Larger problems with pairs or obstacles are not searched as plain ones: what
/// places large problems soon knows nothing of them.
inline constexpr std::size_t kMostPaired = 1024;

/// Whether that is so: many buffers, and few pairs for so many. Where more than one of
/// 64 pairs is kept apart, what places bodies soon is of no use either.
[[nodiscard]] inline bool has_few_pairs(const Flat& flat) noexcept {
  const std::size_t count = flat.buffers.size();
  const std::size_t pairs = flat.apart.size();
  return pairs > 0 && count > kMostPaired && pairs < count * (count / 128);
}

/// The offset from which a problem is plain: the lowest one that suits a buffer, the
/// same for all of them. None if it is not plain from anywhere.
using Ground = std::optional<std::int64_t>;

/// That of a flat problem which has nothing but sizes, lifespans and alignments left,
/// and a few pairs kept apart.
[[nodiscard]] inline Ground plain_ground(const Flat& flat) {
  if (!flat.gaps.empty() || !flat.fixed.empty() || !flat.ends.empty() ||
      !flat.root.empty() || !flat.may_overlap.empty() || !flat.reserved.empty())
    return std::nullopt;
  if (has_few_pairs(flat)) return std::nullopt;
  if (flat.buffers.empty()) return 0;
  // Most have the alignment of the one before.
  std::int64_t alignment = flat.buffers[0].alignment;
  const std::int64_t ground = align_up(flat.base, alignment);
  for (const FlatBuffer& buffer : flat.buffers) {
    if (buffer.alignment == alignment) continue;
    alignment = buffer.alignment;
    if (align_up(flat.base, alignment) != ground) return std::nullopt;
  }
  return ground;
}

/// The plain problem of some of the buffers, in the order of `indices`.
template <class Indices>
[[nodiscard]] Plain subset_of(const List<FlatBuffer>& buffers,
                              const Indices& indices,
                              const Interrupt& interrupt = {}) {
  List<FlatBuffer> some;
  some.reserve(indices.size());
  for (const auto i : indices) some.push_back(buffers[i]);
  return make_plain(std::move(some), interrupt);
}

/// The height of a placement: its largest offset + size; 0 if there is none.
[[nodiscard]] inline std::int64_t height_of(const List<FlatBuffer>& buffers,
                                            const List<std::int64_t>& offsets) {
  std::int64_t height = 0;
  for (std::size_t i = 0; i < offsets.size(); ++i)
    height = (std::max)(height, offsets[i] + buffers[i].size);
  return height;
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_NORMAL_PLAIN_HPP
