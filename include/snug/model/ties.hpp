// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Classes of buffers that aliases and contiguous groups tie into one rigid
/// body, and the offsets at which all members of a class are aligned.
///
/// A class is placed by one number, its offset, which is the lowest offset of
/// its members; every member sits at a constant distance above it:
///
///       delta 8  +------+
///                |  c   |        c alias of a, delta 8
///       delta 4  +------+----+
///                       | b  |   b follows a: contiguous {a, b}
///       delta 0  +------+----+
///                |  a   |
///                +------+        offset of the class
///
/// Classes come from a union-find forest whose nodes know their distance from
/// their parent. The root is the smallest index of a class, paths are
/// compressed in two passes, and no distance is ever computed that is not one
/// between two members, so that a sum beyond 2^62 means that the input is.
///
/// An alignment allows the class offsets of one residue; the residues of all
/// members meet in one again, modulo the least common multiple, or not at all
/// (Chinese remainder theorem).
///
/// Cost: O((n + t) log n) time for t ties, O(n) memory; a problem without ties
/// costs one pass.
#ifndef SNUG_MODEL_TIES_HPP
#define SNUG_MODEL_TIES_HPP

#include "snug/config.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/reason.hpp"
#include "snug/support/list.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// The classes: buffer i lies `delta[i]` above the offset of class `root[i]`.
struct Ties {
  List<std::uint32_t> root{};  ///< smallest index of the class
  List<std::int64_t> delta{};  ///< >= 0, and 0 for one of each class
  /// kUnknownBuffer, kContradictoryAlias (the later of the two tied buffers,
  /// and the other) or kSizeOverflow, and then the vectors mean nothing.
  Check error{};
};

/// a + b, both within 2^62 of zero; false when the sum is not.
[[nodiscard]] inline bool add_within(std::int64_t a, std::int64_t b,
                                     std::int64_t& sum) noexcept {
  if (b > 0 ? a > kMaxTotal - b : a < -kMaxTotal - b) return false;
  sum = a + b;
  return true;
}

/// The union-find forest. Sums that leave 2^62 make a call return false.
class TieForest {
 public:
  explicit TieForest(std::size_t n)
      : ties_{numbers_below(n), List<std::int64_t>(n, 0), {}} {}

  /// Lets the parent of `i` be its root.
  [[nodiscard]] bool compress(std::uint32_t i) {
    std::int64_t above = 0;
    std::uint32_t root = i;
    for (; ties_.root[root] != root; root = ties_.root[root])
      if (!add_within(above, ties_.delta[root], above)) return false;
    while (i != root) {
      const std::uint32_t parent = ties_.root[i];
      const std::int64_t above_parent = ties_.delta[i];
      ties_.root[i] = root;
      ties_.delta[i] = above;
      if (!add_within(above, -above_parent, above)) return false;
      i = parent;
    }
    return true;
  }

  /// Ties `buffer` to lie `delta` above `of`, both below n.
  [[nodiscard]] Reason join(std::size_t buffer, std::size_t of,
                            std::int64_t delta) {
    const auto b = static_cast<std::uint32_t>(buffer);
    const auto o = static_cast<std::uint32_t>(of);
    if (delta > kMaxTotal || delta < -kMaxTotal || !compress(b) || !compress(o))
      return Reason::kSizeOverflow;
    // How far the root of `buffer` is above the root of `of`.
    std::int64_t above = 0;
    if (!add_within(ties_.delta[o], delta, above) ||
        !add_within(above, -ties_.delta[b], above))
      return Reason::kSizeOverflow;
    const std::uint32_t root_b = ties_.root[b];
    const std::uint32_t root_o = ties_.root[o];
    if (root_b == root_o)
      return above == 0 ? Reason::kNone : Reason::kContradictoryAlias;
    const std::uint32_t child = (std::max)(root_b, root_o);
    ties_.root[child] = (std::min)(root_b, root_o);
    ties_.delta[child] = child == root_b ? above : -above;
    return Reason::kNone;
  }

  /// Compresses all paths and counts from the lowest of each class.
  [[nodiscard]] Ties finish() {
    const std::size_t n = ties_.root.size();
    List<std::int64_t> least(n, 0);
    for (std::size_t i = 0; i < n; ++i) {
      if (!compress(static_cast<std::uint32_t>(i)))
        return {{}, {}, Check::of_buffer(Reason::kSizeOverflow, i)};
      std::int64_t& lowest = least[ties_.root[i]];
      lowest = (std::min)(lowest, ties_.delta[i]);
    }
    for (std::size_t i = 0; i < n; ++i)
      if (!add_within(ties_.delta[i], -least[ties_.root[i]], ties_.delta[i]))
        return {{}, {}, Check::of_buffer(Reason::kSizeOverflow, i)};
    return std::move(ties_);
  }

 private:
  Ties ties_;
};

/// Whether any buffer may be tied to another.
template <class Size, class Time>
[[nodiscard]] bool has_ties(const Problem<Size, Time>& problem) {
  return !problem.aliases.empty() || !problem.contiguous.empty();
}

/// The classes of a problem whose sizes are not negative. The first error in
/// order: aliases, then groups, each as listed.
template <class Size, class Time>
[[nodiscard]] Ties tie(const Problem<Size, Time>& problem) {
  const std::size_t n = problem.buffers.size();
  TieForest forest(n);
  if (!has_ties(problem)) return forest.finish();
  const auto refuse = [](Reason reason, std::size_t buffer, Entry entry,
                         std::size_t index, std::size_t other) {
    return Ties{{}, {}, {reason, buffer, entry, index, other}};
  };
  for (std::size_t k = 0; k < problem.aliases.size(); ++k) {
    const Alias<Size>& alias = problem.aliases[k];
    Reason reason = Reason::kUnknownBuffer;
    if (alias.buffer >= n)
      return refuse(reason, alias.buffer, Entry::kAlias, k, alias.of);
    if (alias.of >= n)
      return refuse(reason, alias.of, Entry::kAlias, k, alias.buffer);
    reason = forest.join(alias.buffer, alias.of, std::int64_t{alias.delta});
    if (reason != Reason::kNone)
      return refuse(reason, alias.buffer, Entry::kAlias, k, alias.of);
  }
  // A member that comes twice would follow itself.
  constexpr std::size_t kNone = Check::kNoBuffer;
  List<std::size_t> last_group(n, kNone);
  for (std::size_t group = 0; group < problem.contiguous.size(); ++group) {
    std::size_t below = kNone;
    for (const std::size_t i : problem.contiguous[group]) {
      Reason reason = Reason::kNone;
      if (i >= n)
        reason = Reason::kUnknownBuffer;
      else if (last_group[i] == group)
        reason = Reason::kContradictoryAlias;
      else if (below != kNone)
        reason =
            forest.join(i, below, std::int64_t{problem.buffers[below].size});
      if (reason != Reason::kNone)
        return refuse(reason, i, Entry::kGroup, group, below);
      last_group[i] = group;
      below = i;
    }
  }
  return forest.finish();
}

/// The class offsets first + k * step, k >= 0, as far as they are below 2^62.
/// A step of 2^62 stands for anything as large: `first` is the only one.
struct Grid {
  std::int64_t first = 0;  ///< in [0, step)
  std::int64_t step = 1;   ///< in [1, 2^62]
  bool possible = true;    ///< false: there is none
};

/// a * b modulo m, for a, b < m <= 2^63.
[[nodiscard]] inline std::uint64_t multiply_modulo(std::uint64_t a,
                                                   std::uint64_t b,
                                                   std::uint64_t m) noexcept {
  std::uint64_t product = 0;
  for (; b != 0; b >>= 1) {
    if ((b & 1) != 0) product = (product + a) % m;
    a = (a + a) % m;
  }
  return product;
}

/// The inverse of a modulo m, coprime, by Euclid's algorithm.
[[nodiscard]] inline std::uint64_t invert_modulo(std::uint64_t a,
                                                 std::uint64_t m) noexcept {
  if (m == 1) return 0;
  // Coefficients of `a` in what remains, modulo m.
  std::uint64_t old_coefficient = 0;
  std::uint64_t coefficient = 1;
  std::uint64_t old_rest = m;
  std::uint64_t rest = a % m;
  while (rest > 1) {
    const std::uint64_t times = old_rest / rest;
    const std::uint64_t next =
        (old_coefficient + m - multiply_modulo(coefficient, times % m, m)) % m;
    old_coefficient = coefficient;
    coefficient = next;
    const std::uint64_t next_rest = old_rest % rest;
    old_rest = rest;
    rest = next_rest;
  }
  return coefficient;
}

/// What remains of a grid when its offsets must also be `delta` below a
/// multiple of `alignment` (>= 1); delta in [0, 2^62].
[[nodiscard]] inline Grid align_grid(const Grid& grid, std::int64_t delta,
                                     std::int64_t alignment) noexcept {
  constexpr Grid kNowhere{0, 1, false};
  constexpr auto kMost = static_cast<std::uint64_t>(kMaxTotal);
  if (!grid.possible) return grid;
  const auto first = static_cast<std::uint64_t>(grid.first);
  const auto step = static_cast<std::uint64_t>(grid.step);
  const auto modulus = static_cast<std::uint64_t>(alignment);
  // How far the first offset of the grid is below the next that is aligned.
  const std::uint64_t excess =
      (first % modulus + static_cast<std::uint64_t>(delta) % modulus) % modulus;
  if (excess == 0 && step % modulus == 0) return grid;
  if (step >= kMost) return excess == 0 ? grid : kNowhere;
  const std::uint64_t missing = excess == 0 ? 0 : modulus - excess;
  const std::uint64_t common = std::gcd(step, modulus);
  if (missing % common != 0) return kNowhere;
  const std::uint64_t rest = modulus / common;
  const std::uint64_t steps = multiply_modulo(
      missing / common % rest, invert_modulo(step / common % rest, rest), rest);
  if (steps > (kMost - 1 - first) / step) return kNowhere;
  const std::uint64_t next = step > kMost / rest ? kMost : step * rest;
  return {static_cast<std::int64_t>(first + steps * step),
          static_cast<std::int64_t>(next), true};
}

/// Lets the grid of a class suit one of its members, the heap included: both
/// alignments are at least 1. If no offset is left when all members had their
/// turn, the problem is refused with Reason::kUnalignableAlias.
///
/// Some hundred steps where an alignment does not divide those before it.
template <class Size, class Time>
void align_member(const Problem<Size, Time>& problem, const Ties& ties,
                  std::size_t member, Grid& grid) {
  for (const Size alignment :
       {problem.alignment, problem.buffers[member].alignment})
    grid = align_grid(grid, ties.delta[member], std::int64_t{alignment});
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_MODEL_TIES_HPP
