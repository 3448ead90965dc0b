// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Holes: when the free bytes between jobs that stay where they are cannot be
/// used up by those that move.
///
/// Jobs of a clique that are placed or fixed leave holes between each other and
/// below the capacity. A hole of h bytes takes moving jobs whose lengths sum up
/// to at most h: its *fill* is the largest sum of some of their lengths that is
/// no more than h. For any threshold t, the moving jobs that begin at t or above
/// must fit the fills of the holes above t, where the one that t is in counts
/// from t on:
///
///     sum of lengths of moving jobs that begin at t or above
///         <=  sum of the fills of the holes above t
///
///      C +-----+
///        |fixed|    jobs of 3 and 5 bytes to come: the hole of 4 takes 3 of
///        +-----+    them, so if both begin above t they do not fit, though
///        |  4  |    8 bytes are free there
///        +-----+
///        |fixed|
///        +-----+
///      t |  4  |
///
/// Which sums there are is found by adding up, in multiples of the greatest
/// common divisor of the lengths; where the holes are larger than kMostSums of
/// these, every multiple that is no less than the shortest job counts as a sum.
///
/// Mostly far less shows that nothing is amiss: where the short jobs are many, a
/// hole loses little, whatever the sums are (are_dense).
///
/// Cost: kMostSums / 64 words for each moving job, and once more for each hole.
#ifndef SNUG_ENGINE_HOLES_HPP
#define SNUG_ENGINE_HOLES_HPP

#include "snug/config.hpp"
#include "snug/engine/bits.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// A job of a clique as the bounds see it.
struct JobStart {
  std::int64_t at = 0;  ///< where it begins, at the earliest if it moves
  std::int64_t length = 0;
  Index job = 0;
  bool moves = false;
};

/// The sums that some of a set of lengths can have.
class Sums {
 public:
  static constexpr Index kMostSums = 4096;

  /// Of the lengths of the moving jobs, at least one, as far as they may fill
  /// a hole of `largest` bytes; or else as many sums as are listed at most.
  Sums(const JobStart* begin, const JobStart* end,
       std::optional<std::int64_t> largest = {}) {
    for (const JobStart* job = begin; job != end; ++job) {
      if (!job->moves) continue;
      unit_ = std::gcd(unit_, job->length);
      shortest_ =
          total_ == 0 ? job->length : (std::min)(shortest_, job->length);
      total_ += job->length;
    }
    const std::int64_t all = total_ / unit_;
    const std::int64_t most =
        (std::min)(all, largest ? *largest / unit_ : kMostSums - 1);
    if (most >= kMostSums) return;
    words_ = static_cast<Index>(most) / 64 + 1;
    std::fill(sums_, sums_ + words_, Word{0});
    sums_[0] = 1;
    for (const JobStart* job = begin; job != end; ++job)
      if (job->moves && job->length / unit_ <= most)
        add(static_cast<Index>(job->length / unit_));
  }

  /// The most bytes of a hole that can be used up.
  [[nodiscard]] std::int64_t fill(std::int64_t hole) const noexcept {
    if (hole >= total_) return total_;
    if (hole < shortest_) return 0;
    const std::int64_t most = hole / unit_;
    if (most >= std::int64_t{64} * words_) return most * unit_;
    Index w = static_cast<Index>(most) / 64;
    Word word = sums_[w] & (~Word{0} >> (63 - most % 64));
    while (word == 0) word = sums_[--w];
    return (std::int64_t{64} * w + highest_bit(word)) * unit_;
  }

 private:
  /// Each sum may have `length` added to it.
  void add(Index length) noexcept {
    const Index whole = length / 64;
    const Index shift = length % 64;
    for (Index w = words_; w-- > whole;) {
      Word moved = sums_[w - whole] << shift;
      if (shift != 0 && w > whole)
        moved |= sums_[w - whole - 1] >> (64 - shift);
      sums_[w] |= moved;
    }
  }

  std::int64_t unit_ = 0;
  std::int64_t shortest_ = 0;
  std::int64_t total_ = 0;
  Index words_ = 0;  ///< every sum counts that is not in these
  Word sums_[kMostSums / 64];
};

/// Whether the sums that some or none of the moving jobs have follow one another
/// at `gap` or less, so that a hole which cannot take all of them loses less
/// than that. (Where one can, there is room for all.) If it holds for the
/// shortest, which are P bytes long together, it does with one of P + gap bytes
/// or less as well: the sums with that one begin P + gap or less from 0, and
/// those without it end at P.
[[nodiscard]] inline bool are_dense(const JobStart* begin, const JobStart* end,
                                    std::int64_t gap) {
  for (std::int64_t sum = 0;;) {
    const std::int64_t limit = sum + gap;
    std::int64_t next = 0;
    bool all = true;
    for (const JobStart* job = begin; job != end; ++job) {
      const std::int64_t length = job->moves ? job->length : 0;
      const bool fits = length <= limit;
      next += fits ? length : 0;
      all = all && fits;
    }
    if (all || next == sum) return all;
    sum = next;
  }
}

/// Looks for a threshold at which the jobs of a clique, sorted from the highest
/// down, do not fit the holes, although `margin` bytes more than they need are
/// free above each. Returns it, or -1.
[[nodiscard]] inline std::int64_t find_full_holes(const JobStart* begin,
                                                  const JobStart* end,
                                                  std::int64_t capacity,
                                                  std::int64_t margin) {
  // What stays below all that move leaves no hole that matters.
  while (begin != end && !end[-1].moves) --end;
  std::int64_t longest = 0;
  bool bounded = false;  // Whether a job that stays is above one that moves.
  for (const JobStart* job = begin; job != end; ++job)
    if (job->moves)
      longest = (std::max)(longest, job->length);
    else
      bounded = true;
  if (!bounded) return -1;
  std::int64_t largest = 0;
  std::int64_t ceiling = capacity;
  std::int64_t waste = 0;  // No more than this is lost in the holes.
  std::int64_t holes = 0;
  const auto add_hole = [&](std::int64_t hole) {
    ++holes;
    largest = (std::max)(largest, hole);
    waste += (std::min)(hole, longest);
  };
  for (const JobStart* job = begin; job != end; ++job) {
    if (job->moves) continue;
    add_hole(ceiling - job->at - job->length);
    ceiling = job->at;
  }
  const JobStart* const last = end - 1;
  add_hole(ceiling - (std::min)(ceiling, last->at));
  if (waste <= margin || are_dense(begin, end, margin / holes)) return -1;
  const Sums sums(begin, end, largest);
  std::int64_t room = 0;
  std::int64_t needed = 0;
  ceiling = capacity;
  for (const JobStart* job = begin; job != end; ++job) {
    if (!job->moves) {
      room += sums.fill(ceiling - job->at - job->length);
      ceiling = job->at;
      continue;
    }
    needed += job->length;
    const bool more = job != last && job[1].moves && job[1].at == job->at;
    if (!more && needed > room + sums.fill(ceiling - job->at)) return job->at;
  }
  return -1;
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_ENGINE_HOLES_HPP
