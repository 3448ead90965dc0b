// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Heavy cliques of a graph with weights, by branch and bound within a budget.
///
/// The vertices of a clique are chosen one by one. What is still possible, those
/// that are neighbours of all chosen ones, is coloured: no two of one colour are
/// neighbours, so of each colour at most the heaviest can be added, and
///
///     chosen weight + sum over the colours of their heaviest
///
/// bounds what comes of it. Vertices are numbered by weight, the heaviest first,
/// and colours are filled greedily in that order.
///
/// A search begins with the best of some greedy cliques, the careful ones from
/// vertices that are in none of these yet. When its nodes run out it returns
/// the heaviest clique that it has seen: any clique is a valid one.
///
/// Cost: n^2 / 64 words; O(n^2 / 64) time a node. Source: Carraghan and Pardalos
/// (Operations Research Letters, 1990); the colour bound after Tomita and Seki,
/// "An efficient branch-and-bound algorithm for finding a maximum clique"
/// (DMTCS 2003), here with weights.
#ifndef SNUG_ENGINE_HEAVY_CLIQUES_HPP
#define SNUG_ENGINE_HEAVY_CLIQUES_HPP

#include "snug/config.hpp"
#include "snug/engine/bits.hpp"
#include "snug/normal/flat.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"
#include "snug/support/sort.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

SNUG_BEGIN_NAMESPACE
namespace detail {

class HeavyCliques {
 public:
  /// A graph on `vertices`, with their weights; are_neighbours(a, b) is
  /// symmetric. If it is interrupted, cliques are less heavy: of fewer neighbours.
  template <class AreNeighbours>
  HeavyCliques(const List<Index>& vertices, const List<std::int64_t>& weights,
               AreNeighbours&& are_neighbours, const Interrupt& interrupt = {})
      : size_(static_cast<Index>(vertices.size())),
        words_(words_for(size_)),
        rows_(std::size_t{size_} * words_, 0),
        sets_((kMostDepth + 3) * words_, 0),
        interrupt_(interrupt) {
    List<Index> order = numbers_below(size_);
    sort_descending(order, [&](Index k) { return weights[k]; });
    for (const Index k : order) {
      name_.push_back(vertices[k]);
      weight_.push_back(weights[k]);
    }
    for (Index a = 0; a < size_ && !interrupt_.after(size_, since_); ++a)
      for (Index b = a + 1; b < size_; ++b) {
        if (!are_neighbours(name_[a], name_[b])) continue;
        set_bit(row(a), b);
        set_bit(row(b), a);
      }
  }

  /// The heaviest clique, or a heavy one when `nodes` run out; ascending.
  [[nodiscard]] List<Index> heaviest(std::int64_t nodes) {
    constexpr Index kMostStarts = 128;
    constexpr std::uint64_t kFewestStarts = 8;
    constexpr std::uint64_t kMostWork = std::uint64_t{1} << 24;
    // A careful start looks at every row again and again.
    const std::uint64_t work = std::uint64_t{rows_.size()} * size_ + 1;
    const std::uint64_t careful = (std::max)(kFewestStarts, kMostWork / work);
    start(nodes);
    List<bool> is_in_one(size_, false);  // of the careful cliques
    for (Index v = 0; v < (std::min)(size_, kMostStarts); ++v) {
      grow_from(v, false);
      if (v >= careful || is_in_one[v]) continue;
      for (const Index u : grow_from(v, true)) is_in_one[u] = true;
    }
    set_range(left(0), 0, size_);
    expand(0);
    return names_of_best();
  }

  /// The same for the cliques that have both of two neighbours.
  [[nodiscard]] List<Index> heaviest_with(Index x, Index y,
                                          std::int64_t nodes) {
    const Index a = number_of(x);
    const Index b = number_of(y);
    start(nodes);
    path_ = {a, b};
    for (Index w = 0; w < words_; ++w) left(2)[w] = row(a)[w] & row(b)[w];
    expand(weight_[a] + weight_[b]);
    return names_of_best();
  }

 private:
  static constexpr std::size_t kMostDepth = 128;

  [[nodiscard]] Word* row(Index a) {
    return rows_.data() + std::size_t{a} * words_;
  }
  /// The vertices that are neighbours of all on a path of this length.
  [[nodiscard]] Word* left(std::size_t length) {
    return sets_.data() + (length + 2) * words_;
  }
  [[nodiscard]] Index number_of(Index name) const {
    Index number = 0;
    while (number < name_.size() && name_[number] != name) ++number;
    return number;
  }

  void start(std::int64_t nodes) {
    nodes_ = nodes;
    best_weight_ = -1;
    path_.clear();
    best_.clear();
  }
  void keep_if_better(const List<Index>& clique, std::int64_t weight) {
    if (weight <= best_weight_) return;
    best_weight_ = weight;
    best_ = clique;
  }
  [[nodiscard]] List<Index> names_of_best() const {
    List<Index> names;
    for (const Index k : best_) names.push_back(name_[k]);
    heap_sort(names);
    return names;
  }

  /// A greedy clique: always the heaviest vertex or, looking ahead, the one
  /// that is heaviest with what it leaves. It is kept if it is the best.
  List<Index> grow_from(Index v, bool looks_ahead) {
    return grow(row(v), {v}, weight_[v], looks_ahead);
  }
  /// The same from a clique of weight `sum` on, with vertices of a set, which are
  /// neighbours of all its own.
  List<Index> grow(const Word* set, List<Index> clique, std::int64_t sum,
                   bool looks_ahead) {
    List<Word> left(set, set + words_);
    for (;;) {
      if (looks_ahead && interrupt_.after(rows_.size(), since_)) break;
      Index next = size_;
      std::int64_t most = -1;
      for (Index w = 0; w < words_ && (looks_ahead || next == size_); ++w)
        for (Word word = left[w]; word != 0; word &= word - 1) {
          const Index u = w * 64 + lowest_bit(word);
          std::int64_t value = weight_[u];
          if (looks_ahead)
            for_each_in_both(left.data(), row(u), words_,
                             [&](Index k) { value += weight_[k]; });
          if (value > most) {
            most = value;
            next = u;
          }
          if (!looks_ahead) break;
        }
      if (next == size_) break;
      clique.push_back(next);
      sum += weight_[next];
      for (Index w = 0; w < words_; ++w) left[w] &= row(next)[w];
    }
    keep_if_better(clique, sum);
    return clique;
  }

  /// Vertices by colour, with the most that they and those before them add.
  struct Coloured {
    Index vertex;
    std::int64_t most;
  };

  /// Appends those of a set.
  void colour(const Word* set) {
    Word* const uncoloured = sets_.data();
    Word* const open = uncoloured + words_;  // To get the present colour.
    std::copy(set, set + words_, uncoloured);
    std::int64_t total = 0;
    for (std::size_t first = ~std::size_t{0}; first != coloured_.size();) {
      first = coloured_.size();
      std::copy(uncoloured, uncoloured + words_, open);
      std::int64_t heaviest = 0;
      for (Index w = 0; w < words_; ++w)
        while (open[w] != 0) {
          const Index v = w * 64 + lowest_bit(open[w]);
          clear_bit(open, v);
          clear_bit(uncoloured, v);
          const Word* const neighbours = row(v);
          for (Index u = w; u < words_; ++u) open[u] &= ~neighbours[u];
          heaviest = (std::max)(heaviest, weight_[v]);
          coloured_.push_back({v, 0});
        }
      total += heaviest;
      for (std::size_t k = first; k < coloured_.size(); ++k)
        coloured_[k].most = total;
    }
  }

  /// Tries all ways to add vertices to the path, of weight `sum`, that are
  /// neighbours of all its own. As deep as a clique, but no deeper than a small
  /// stack allows.
  void expand(std::int64_t sum) {
    --nodes_;
    const std::size_t depth = path_.size();
    if (depth == kMostDepth) {
      (void)grow(left(depth), path_, sum, false);
      return;
    }
    const std::size_t first = coloured_.size();
    colour(left(depth));
    if (coloured_.size() == first) keep_if_better(path_, sum);
    for (; coloured_.size() > first; coloured_.pop_back()) {
      const Coloured last = coloured_.back();
      if (sum + last.most <= best_weight_) break;
      if (nodes_ <= 0 && best_weight_ >= 0) break;
      for (Index w = 0; w < words_; ++w)
        left(depth + 1)[w] = left(depth)[w] & row(last.vertex)[w];
      path_.push_back(last.vertex);
      expand(sum + weight_[last.vertex]);
      path_.pop_back();
      clear_bit(left(depth), last.vertex);
    }
    coloured_.shrink(first);
  }

  Index size_;
  Index words_;
  List<Word> rows_;
  List<Index> name_{};
  List<std::int64_t> weight_{};
  List<Index> path_{};
  List<Word> sets_;            ///< two of colour(), and those of left()
  List<Coloured> coloured_{};  ///< those of each length, one by one
  List<Index> best_{};
  std::int64_t best_weight_ = -1;
  std::int64_t nodes_ = 0;
  Interrupt interrupt_;
  std::size_t since_ = 0;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_ENGINE_HEAVY_CLIQUES_HPP
