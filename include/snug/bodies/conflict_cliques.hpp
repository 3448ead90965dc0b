// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Cliques of the conflict graph of a problem with constraints: buffers of which
/// any two share no byte, in whatever placement.
///
///   - *Whole.* Two buffers share none if they are kept apart, or if at some time
///     both occupy all of their bytes (normal/pair_gaps.hpp).
///   - *Ties.* Tied buffers that share no byte here share none anywhere. And whom a
///     buffer meets shares no byte with those tied to it within its bytes either:
///
///         b |=====|                 a lies within b, so it shares no byte with
///           | |=a=|  apart   |=x=|  x, although they never meet
///
///   - *Windows.* The same holds of the bytes that all windows of a buffer have in
///     common, at all times but those of gaps without a window. These cliques are
///     looked for by themselves, for such bytes are fewer, but there for longer.
///
/// Pairs that may overlap are among them, for a section knows them; but nothing
/// follows from one.
///
/// Cost: that of bounds/cliques.hpp, and O(n) for each two tied buffers, until there
/// are kMostPairs, or it took kMostLooks looks.
#ifndef SNUG_BODIES_CONFLICT_CLIQUES_HPP
#define SNUG_BODIES_CONFLICT_CLIQUES_HPP

#include "snug/bounds/cliques.hpp"
#include "snug/config.hpp"
#include "snug/model/interval.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/pair_gaps.hpp"
#include "snug/normal/plain.hpp"
#include "snug/normal/presolve.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// Whether they are looked for, in problems with gaps or pairs kept apart: those of
/// ties alone are of less use than the time that they take.
enum class CliqueScope : std::uint8_t { kNone, kOfPairs };

/// Finds them, each with three buffers or more: two have a section already, of
/// their pair or where they meet.
class ConflictCliques {
 public:
  /// Whether there is anything that they could come from, and it is not too much.
  [[nodiscard]] static bool is_of_use(const Flat& flat) noexcept {
    constexpr std::size_t kMost = 1024;  // of the buffers
    return flat.buffers.size() <= kMost &&
           (!flat.gaps.empty() || !flat.apart.empty());
  }

  ConflictCliques(const Flat& flat, const Interrupt& interrupt)
      : flat_(flat), interrupt_(interrupt) {
    sort_pairs(flat_.may_overlap);
    for (const FlatBuffer& buffer : flat_.buffers)
      bytes_.push_back({0, buffer.size});
  }

  /// Calls visit(clique, bytes) with the buffers of each, and those of the bytes of
  /// any buffer, from its offset on, of which that is so.
  template <class Visit>
  void for_each(Visit&& visit) {
    do {
      visit_all(visit);
    } while (keep_shared_bytes());
  }

 private:
  static constexpr std::size_t kMostPairs = std::size_t{1} << 15;
  static constexpr std::size_t kMostLooks = std::size_t{1} << 20;

  template <class Visit>
  void visit_all(Visit&& visit) {
    Stretches stretches;
    if (!find_stretches(flat_, stretches)) return;
    // A pair follows from what ties make of either of the two, so it takes two steps
    // to find one that follows from both.
    for (int side = 0; side < 2 && !flat_.root.empty(); ++side)
      add_tied(stretches);
    List<FlatBuffer> whole = flat_.buffers;
    for (std::size_t i = 0; i < whole.size(); ++i) {
      whole[i].lifespan = stretches.kept[i];
      if (stretches.kept[i].empty()) whole[i].size = 0;
    }
    const Plain plain = make_paired(std::move(whole), stretches.pairs);
    CliqueCover cover(plain, interrupt_);
    for (const List<Index>& clique : cover.cliques())
      if (clique.size() > 2) visit(clique, bytes_);
  }

  /// Makes of buffers with windows those with the bytes alone that all of their
  /// windows share, if there are any. False if there is none.
  [[nodiscard]] bool keep_shared_bytes() {
    List<Interval<std::int64_t>> shared = bytes_;
    for (const FlatGap& gap : flat_.gaps) {
      if (gap.window.empty()) continue;
      Interval<std::int64_t>& of = shared[gap.buffer];
      of = intersection(of, gap.window);
    }
    const std::size_t before = flat_.gaps.size();
    erase_if(flat_.gaps, [&](const FlatGap& gap) {
      return !gap.window.empty() && !shared[gap.buffer].empty();
    });
    for (std::size_t i = 0; i < bytes_.size(); ++i) {
      if (shared[i].empty()) continue;
      bytes_[i] = shared[i];
      flat_.buffers[i].size = length_of(bytes_[i]);
    }
    return flat_.gaps.size() < before;
  }

  /// Adds the pairs that follow from ties and the pairs so far.
  void add_tied(Stretches& stretches) const {
    const auto n = static_cast<Index>(bytes_.size());
    const List<IndexPair> known = stretches.pairs;
    const List<Interval<std::int64_t>>& kept = stretches.kept;
    const auto meet = [&](Index x, Index y) {
      return !kept[x].empty() && !kept[y].empty() && kept[x].overlaps(kept[y]);
    };
    std::size_t looks = 0;
    for (Index a = 0; a < n; ++a)
      for (Index b = 0; b < n; ++b) {
        if (a == b || flat_.root[a] != flat_.root[b]) continue;
        const Interval<std::int64_t> of_a = bytes_in_class(a);
        const Interval<std::int64_t> of_b = bytes_in_class(b);
        if (of_a.empty() || of_b.empty()) continue;
        looks += n;
        if (looks > kMostLooks || stretches.pairs.size() > kMostPairs) break;
        if (!of_a.overlaps(of_b)) {
          stretches.pairs.push_back({a, b});
        } else if (of_b.contains(of_a)) {
          for (Index x = 0; x < n; ++x)
            if (flat_.root[x] != flat_.root[a] && !meet(a, x) &&
                (meet(b, x) || contains_pair(known, b, x)) &&
                !contains_pair(flat_.may_overlap, b, x))
              stretches.pairs.push_back({a, x});
        }
      }
    sort_pairs(stretches.pairs);
  }

  [[nodiscard]] Interval<std::int64_t> bytes_in_class(Index i) const noexcept {
    return {bytes_[i].lower + flat_.delta[i], bytes_[i].upper + flat_.delta[i]};
  }

  Flat flat_;
  List<Interval<std::int64_t>> bytes_{};
  Interrupt interrupt_;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_BODIES_CONFLICT_CLIQUES_HPP
