// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The problem that one of XLA's allocations solves.
///
/// Values that are one buffer to XLA (a loop's state, an update in place) must
/// stay together, but the dump does not say which they are. Two answers:
///
/// - *Meeting* values are tied: those whose bytes overlap in XLA's placement
///   while both are live, which XLA could not do with any others. A placement
///   of this problem may tear apart buffers whose values never meet, such as
///   the results of the branches of a conditional: so its height is a bound on
///   what is possible.
/// - *Coinciding* values are tied as well: those of one size at one place. XLA's
///   buffers are among them, so that the placement is possible, though values
///   that share a place by chance are tied, too.
///
/// XLA's own placement is one of both problems.
#ifndef SNUG_EXAMPLES_XLA_REPACK_HPP
#define SNUG_EXAMPLES_XLA_REPACK_HPP

#include "dump.hpp"
#include "snug/model/interval.hpp"
#include "snug/model/problem.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace xla {

/// The largest power of two that divides `offset`, at most `most`.
[[nodiscard]] inline std::int64_t alignment_of(std::int64_t offset,
                                               std::int64_t most) {
  std::int64_t alignment = 1;
  while (alignment < most && offset % (2 * alignment) == 0) alignment *= 2;
  return alignment;
}

class Repacking {
 public:
  /// `lives` has one lifespan a value.
  Repacking(const Allocation& allocation,
            std::vector<snug::Interval<std::int64_t>> lives)
      : values_(allocation.values),
        lives_(std::move(lives)),
        family_(values_.size()) {
    std::iota(family_.begin(), family_.end(), std::size_t{0});
    std::vector<std::size_t> by_start = family_;
    std::stable_sort(by_start.begin(), by_start.end(),
                     [&](std::size_t a, std::size_t b) {
                       return lives_[a].lower < lives_[b].lower;
                     });
    tie_meeting(by_start);
    measure_load(by_start);
  }

  /// False where so many values are live at one time that it would take too
  /// long to compare them.
  [[nodiscard]] bool ok() const noexcept { return comparisons_ <= kMost; }

  /// The most bytes that are live at one time, those of tied values once.
  [[nodiscard]] std::int64_t load() const noexcept { return load_; }

  /// Ties values of one size at one place.
  void tie_coinciding() {
    std::map<std::pair<std::int64_t, std::int64_t>, std::size_t> places;
    for (std::size_t v = 0; v < values_.size(); ++v) {
      const auto place = std::make_pair(values_[v].offset, values_[v].size);
      tie(places.emplace(place, v).first->second, v);
    }
  }

  /// Values that have a tie, and so do not move alone.
  [[nodiscard]] std::size_t tied() {
    std::size_t count = 0;
    for (std::size_t v = 0; v < values_.size(); ++v)
      count += find(v) != v ? 1U : 0U;
    return count;
  }

  /// Offsets are multiples of `alignment`, as far as XLA's are.
  [[nodiscard]] snug::Problem<> problem(std::int64_t alignment) {
    snug::Problem<> out;
    for (std::size_t v = 0; v < values_.size(); ++v) {
      snug::Buffer<> buffer;
      buffer.lifespan = lives_[v];
      buffer.size = values_[v].size;
      buffer.alignment = alignment_of(values_[v].offset, alignment);
      out.buffers.push_back(buffer);
      const std::size_t root = find(v);
      if (root != v)
        out.aliases.push_back(
            {v, root, values_[v].offset - values_[root].offset});
    }
    return out;
  }

  /// What XLA's offsets are all multiples of, up to 128 bytes, apart from those
  /// inside of larger values.
  [[nodiscard]] std::int64_t guess_alignment() {
    std::vector<std::int64_t> lowest(values_.size(), -1);
    for (std::size_t v = 0; v < values_.size(); ++v) {
      std::int64_t& place = lowest[find(v)];
      if (place < 0 || values_[v].offset < place) place = values_[v].offset;
    }
    std::int64_t alignment = 128;
    for (const std::int64_t place : lowest)
      if (place >= 0) alignment = alignment_of(place, alignment);
    return alignment;
  }

 private:
  static constexpr std::int64_t kMost = 1000000000;

  [[nodiscard]] std::size_t find(std::size_t v) {
    while (family_[v] != v) v = family_[v] = family_[family_[v]];
    return v;
  }
  /// The smaller index becomes the root.
  void tie(std::size_t a, std::size_t b) {
    a = find(a);
    b = find(b);
    family_[(std::max)(a, b)] = (std::min)(a, b);
  }

  void tie_meeting(const std::vector<std::size_t>& by_start) {
    std::vector<std::size_t> live;
    for (const std::size_t v : by_start) {
      comparisons_ += static_cast<std::int64_t>(live.size());
      if (!ok()) return;
      live.erase(std::remove_if(live.begin(), live.end(),
                                [&](std::size_t other) {
                                  return lives_[other].upper <= lives_[v].lower;
                                }),
                 live.end());
      for (const std::size_t other : live)
        if (values_[other].offset < values_[v].offset + values_[v].size &&
            values_[v].offset < values_[other].offset + values_[other].size)
          tie(v, other);
      live.push_back(v);
    }
  }

  void measure_load(const std::vector<std::size_t>& by_start) {
    if (!ok()) return;
    std::vector<std::size_t> by_end = by_start;
    std::stable_sort(by_end.begin(), by_end.end(),
                     [&](std::size_t a, std::size_t b) {
                       return lives_[a].upper < lives_[b].upper;
                     });
    std::vector<std::multiset<std::int64_t>> live(values_.size());
    std::int64_t sum = 0;
    const auto largest = [&](std::size_t family) {
      return live[family].empty() ? 0 : *live[family].rbegin();
    };
    std::size_t ended = 0;
    for (const std::size_t v : by_start) {
      for (; lives_[by_end[ended]].upper <= lives_[v].lower; ++ended) {
        const std::size_t family = find(by_end[ended]);
        sum -= largest(family);
        live[family].erase(live[family].find(values_[by_end[ended]].size));
        sum += largest(family);
      }
      const std::size_t family = find(v);
      sum -= largest(family);
      live[family].insert(values_[v].size);
      sum += largest(family);
      load_ = (std::max)(load_, sum);
    }
  }

  const std::vector<Value>& values_;
  std::vector<snug::Interval<std::int64_t>> lives_;
  std::vector<std::size_t> family_;
  std::int64_t comparisons_ = 0;
  std::int64_t load_ = 0;
};

}  // namespace xla

#endif  // SNUG_EXAMPLES_XLA_REPACK_HPP
