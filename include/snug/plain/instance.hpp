// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the search reads: one partition, its buffers renumbered in order of
/// time, its sizes divided by their common unit, and who overlaps whom.
///
/// *Unit.* Every canonical offset is a sum of sizes, rounded up to alignments.
/// If all sizes are multiples of g and each alignment divides g or is divided
/// by it, all canonical offsets are multiples of g. Dividing by the largest
/// such g loses nothing (a top is at most C exactly if top / g is at most
/// floor(C / g)) and lets most problems run in 32 bits.
///
/// *Numbering.* Buffers are sorted by span, so the buffers of any run of
/// sections that nobody leaves are a range of indices, and identical buffers
/// (*twins*: same span, size, alignment, pairs and barred offsets) are next to
/// each other.
///
/// *Rows.* Row x is the set N(x) of x's *neighbours*, the buffers that overlap
/// x in time or are kept apart from it, one bit a buffer. Only the words from
/// the first to the last that can hold a neighbour are kept; where all rows
/// together would take more than 64 MiB, none is, and words are computed from
/// the spans when they are asked for.
///
/// Cost: at most n^2 / 64 words of rows, and at most 64 MiB of them; O(n^2)
/// time to fill them.
#ifndef SNUG_PLAIN_INSTANCE_HPP
#define SNUG_PLAIN_INSTANCE_HPP

#include "snug/config.hpp"
#include "snug/engine/bits.hpp"
#include "snug/model/interval.hpp"
#include "snug/normal/plain.hpp"
#include "snug/plain/jumps.hpp"
#include "snug/plain/pairs.hpp"
#include "snug/support/align.hpp"
#include "snug/support/memory.hpp"
#include "snug/support/rounded.hpp"
#include "snug/support/view.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// The largest unit that divides all offsets worth trying; at least 1.
[[nodiscard]] inline std::int64_t common_unit(const Plain& plain,
                                              const Partition& partition) {
  std::int64_t unit = 0;
  for (const Index i : plain.buffers_of(partition))
    unit = std::gcd(unit, plain.buffers[i].size);
  for_each_barred(plain, partition,
                  [&](const Barred& b) { unit = std::gcd(unit, b.upper); });
  return unit_beside(unit, [&](auto&& visit) {
    for (const Index i : plain.buffers_of(partition))
      visit(plain.buffers[i].alignment);
  });
}

/// Searches below as many units run on 32 bits.
inline constexpr std::int64_t kNarrowCapacity = std::int64_t{1} << 29;

/// One partition as the search sees it. `Units` is the integer that holds
/// scaled offsets; kNever stands for an address that is out of reach.
template <class Units>
struct Instance {
  static constexpr Units kNever = (std::numeric_limits<Units>::max)() / 2;
  // A release of kNever, a size below the capacity and a rounding up to an
  // alignment of at most the capacity + 1 add up without an overflow.
  static_assert(sizeof(Units) > 4 ||
                std::int64_t{kNever} + 2 * (kNarrowCapacity - 1) + 1 <=
                    (std::numeric_limits<Units>::max)());

  Index size = 0;      ///< number of buffers
  Index words = 0;     ///< words of a set of buffers
  Index sections = 0;  ///< sections are numbered from 0 here
  Units capacity = 0;
  bool aligned = false;  ///< whether some alignment is above 1

  Index* lower = nullptr;   ///< first section of each buffer
  Index* upper = nullptr;   ///< one past its last section
  Units* length = nullptr;  ///< its size in units
  Units* alignment = nullptr;
  Index* twins_begin = nullptr;  ///< its class of identical buffers is
  Index* twins_end = nullptr;    ///< [twins_begin, twins_end)
  double* width = nullptr;       ///< its lifespan, in the user's time
  Index* first_at = nullptr;     ///< first buffer with lower >= section
  Index* first_live = nullptr;   ///< first buffer with upper > section

  Index* row_begin = nullptr;     ///< first word of row x that may not be zero
  Index* row_end = nullptr;       ///< one past the last
  std::size_t* row_at = nullptr;  ///< where its words are kept in `rows`
  Word* rows = nullptr;           ///< null: rows are computed when asked for

  PairRows pairs{};  ///< who is kept apart from whom; in the rows, too
  PairCliques cliques{};
  Jumps<Units> jumps{};
  SectionObstacles<Units> obstacles{};

  /// Word w, in [row_begin[x], row_end[x]), of row x.
  [[nodiscard]] Word row(Index x, Index w) const noexcept {
    return rows != nullptr ? rows[row_at[x] + (w - row_begin[x])]
                           : compute_row(x, w);
  }
  /// Calls visit(y) for each neighbour y of x in `set`, ascending, until it
  /// returns false.
  template <class Visit>
  void for_each_neighbour(Index x, const Word* set, Visit&& visit) const {
    for (Index w = row_begin[x]; w < row_end[x]; ++w)
      for (Word word = row(x, w) & set[w]; word != 0; word &= word - 1)
        if (!visit(w * 64 + lowest_bit(word))) return;
  }
  [[nodiscard]] Word compute_row(Index x, Index w) const noexcept {
    Word word = 0;
    const Index end = (std::min)(size, 64 * w + 64);
    for (Index y = 64 * w; y < end; ++y)
      if (overlap(x, y)) word |= Word{1} << (y % 64);
    if (x / 64 == w) word &= ~(Word{1} << (x % 64));
    for (const Index y : pairs[x])
      if (y / 64 == w) word |= Word{1} << (y % 64);
    return word;
  }
  /// Whether x and y must not share bytes.
  [[nodiscard]] bool are_neighbours(Index x, Index y) const noexcept {
    const View<Index> others = pairs[x];
    return overlap(x, y) || std::binary_search(others.begin(), others.end(), y);
  }
  /// The boundaries behind sections that a pair kept apart reaches over.
  [[nodiscard]] Interval<Index> crossed(Index x, Index y) const noexcept {
    return lower[x] < lower[y] ? Interval<Index>{upper[x] - 1, lower[y]}
                               : Interval<Index>{upper[y] - 1, lower[x]};
  }
  [[nodiscard]] bool overlap(Index x, Index y) const noexcept {
    return lower[x] < upper[y] && lower[y] < upper[x];
  }
  /// The lowest multiple of x's alignment that is at least `address` and not
  /// barred.
  [[nodiscard]] Units round_up(Index x, Units address) const noexcept {
    if (!aligned && jumps.empty()) return address;
    Units result = align(x, address);
    for (const Interval<Units>& barred : jumps.barred[x]) {
      if (result <= barred.lower) break;
      if (result < barred.upper) result = align(x, barred.upper);
    }
    return result;
  }
  /// The lowest address that round_up(x, ...) takes to `address`, which is not
  /// 0, or above.
  [[nodiscard]] Units above(Index x, Units address) const noexcept {
    if (!aligned && jumps.empty()) return address;
    // One above the highest offset below `address` that x may have.
    Units highest = align_down(x, static_cast<Units>(address - 1));
    const View<Interval<Units>> barred = jumps.barred[x];
    for (std::size_t k = barred.size(); k-- > 0;) {
      if (highest >= barred[k].upper) break;
      if (highest > barred[k].lower) highest = align_down(x, barred[k].lower);
    }
    return static_cast<Units>(highest + 1);
  }

 private:
  [[nodiscard]] Units align(Index x, Units address) const noexcept {
    if (alignment[x] == 1) return address;
    const Units rest = static_cast<Units>(address % alignment[x]);
    return rest == 0 ? address
                     : static_cast<Units>(address + alignment[x] - rest);
  }
  [[nodiscard]] Units align_down(Index x, Units address) const noexcept {
    return alignment[x] == 1 || address < 0
               ? address
               : static_cast<Units>(address / alignment[x] * alignment[x]);
  }
};

template <class Units>
void find_twins(Instance<Units>& instance) {
  const auto same = [&](Index x, Index y) {
    return instance.lower[x] == instance.lower[y] &&
           instance.upper[x] == instance.upper[y] &&
           instance.length[x] == instance.length[y] &&
           instance.alignment[x] == instance.alignment[y] &&
           instance.pairs.are_equal(x, y) &&
           instance.jumps.barred.are_equal(x, y);
  };
  for (Index begin = 0; begin < instance.size;) {
    Index end = begin + 1;
    while (end < instance.size && same(begin, end)) ++end;
    for (Index x = begin; x < end; ++x) {
      instance.twins_begin[x] = begin;
      instance.twins_end[x] = end;
    }
    begin = end;
  }
}

/// Rows are kept up to so many bytes.
inline constexpr std::size_t kMostRowBytes = std::size_t{64} << 20;

/// Finds the words that rows reach over, and fills them if they are kept.
template <class Units>
void fill_rows(Instance<Units>& instance, std::size_t most_bytes,
               Memory& memory) {
  std::size_t total = 0;
  for (Index x = 0; x < instance.size; ++x) {
    instance.row_begin[x] = instance.first_live[instance.lower[x]] / 64;
    instance.row_end[x] = words_for(instance.first_at[instance.upper[x]]);
    for (const Index y : instance.pairs[x]) {
      instance.row_begin[x] = (std::min)(instance.row_begin[x], y / 64);
      instance.row_end[x] = (std::max)(instance.row_end[x], y / 64 + 1);
    }
    instance.row_at[x] = total;
    total += instance.row_end[x] - instance.row_begin[x];
  }
  if (total > (std::min)(most_bytes, kMostRowBytes) / sizeof(Word)) return;
  Word* const rows = memory.take<Word>(total);
  Word* const live = memory.take<Word>(instance.words);  // when x begins
  Index added = 0;
  Index from = 0;  // Words of `live` before it have no bits.
  for (Index x = 0; x < instance.size; ++x) {
    const Index s = instance.lower[x];
    const Index base = instance.row_begin[x];
    if (added < instance.first_at[s]) {
      set_range(live, added, instance.first_at[s]);
      added = instance.first_at[s];
      for_each_in_both(live + from, live + from, words_for(added) - from,
                       [&](Index k) {
                         const Index y = 64 * from + k;
                         if (instance.upper[y] <= s) clear_bit(live, y);
                       });
      from = instance.first_live[s] / 64;
    }
    Word* const row = rows + instance.row_at[x];
    std::copy(live + base, live + instance.row_end[x], row);
    set_range(row, added - 64 * base,
              instance.first_at[instance.upper[x]] - 64 * base);
    clear_bit(row, x - 64 * base);
    for (const Index y : instance.pairs[x]) set_bit(row, y - 64 * base);
  }
  memory.release(live);
  instance.rows = rows;
}

/// kExtras: with pairs and obstacles, if the problem has any. Who overlaps whom
/// takes up to `most_bytes`, and obstacles by section up to a quarter of it.
template <class Units, bool kExtras = true>
[[nodiscard]] Instance<Units> make_instance(
    const Plain& plain, const Partition& partition, std::int64_t unit,
    std::int64_t capacity, Memory& memory,
    std::size_t most_bytes = kMostRowBytes) {
  Instance<Units> result;
  const View<const Index> buffers = plain.buffers_of(partition);
  const auto n = static_cast<Index>(buffers.size());
  result.size = n;
  result.words = words_for(n);
  result.sections = partition.sections.upper - partition.sections.lower;
  result.capacity = static_cast<Units>(capacity / unit);
  result.lower = memory.take<Index>(n);
  result.upper = memory.take<Index>(n);
  result.length = memory.take<Units>(n);
  result.alignment = memory.take<Units>(n);
  result.twins_begin = memory.take<Index>(n);
  result.twins_end = memory.take<Index>(n);
  result.width = memory.take<double>(n);
  result.first_at = memory.take<Index>(std::size_t{result.sections} + 1);
  result.first_live = memory.take<Index>(result.sections);
  result.row_begin = memory.take<Index>(n);
  result.row_end = memory.take<Index>(n);
  result.row_at = memory.take<std::size_t>(n);
  for (Index x = 0; x < n; ++x) {
    const FlatBuffer& buffer = plain.buffers[buffers[x]];
    const Interval<Index>& span = plain.spans[buffers[x]];
    result.lower[x] = span.lower - partition.sections.lower;
    result.upper[x] = span.upper - partition.sections.lower;
    result.length[x] = static_cast<Units>(buffer.size / unit);
    const std::int64_t alignment =
        buffer.alignment <= unit ? 1 : buffer.alignment / unit;
    // An alignment above the capacity leaves address 0 alone; so does the
    // next larger number, which is sure to fit the type.
    result.alignment[x] = static_cast<Units>(
        (std::min)(alignment, std::int64_t{result.capacity} + 1));
    result.aligned = result.aligned || alignment > 1;
    result.width[x] = distance(buffer.lifespan.lower, buffer.lifespan.upper);
    ++result.first_at[result.lower[x] + 1];
  }
  for (Index s = 0; s < result.sections; ++s)
    result.first_at[s + 1] += result.first_at[s];
  Index first = 0;
  for (Index s = 0; s < result.sections; ++s) {
    while (result.upper[first] <= s) ++first;
    result.first_live[s] = first;
  }
  if constexpr (kExtras) {
    result.pairs = take_pairs(plain, partition, memory);
    result.cliques = take_cliques(plain, partition, memory);
    result.jumps =
        take_jumps<Units>(plain, partition, unit, result.capacity, memory);
    result.obstacles =
        list_by_section(result.jumps, result.sections, most_bytes / 4, memory);
  }
  find_twins(result);
  fill_rows(result, most_bytes, memory);
  return result;
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAIN_INSTANCE_HPP
