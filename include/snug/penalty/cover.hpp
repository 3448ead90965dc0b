// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Weighted covering: soft pairs of small total cost that meet all demands.
///
/// A demand names pairs, what paying for each of them is worth, and how much is
/// needed: 1 for pairs that cannot all be kept apart, of which one has to be
/// paid for. Demands come one after the other.
///
///   - Greedily, the pair that meets the largest part of the demands for its
///     cost comes next; what is not needed in the end is put back, the dearest
///     first.
///   - By branch and bound, if there are nodes for it: on the pairs of the
///     demand with the fewest left. The bound of a demand lets a part of a pair
///     be chosen; demands without a common pair add up.
///
/// Cost: O(k log k) for the greedy choice of k entries of demands in all; O(k) a
/// node.
/// Source: the greedy rule for submodular covers, Wolsey (1982).
#ifndef SNUG_PENALTY_COVER_HPP
#define SNUG_PENALTY_COVER_HPP

#include "snug/config.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"
#include "snug/support/rounded.hpp"
#include "snug/support/sort.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

struct Demand {
  std::vector<std::size_t> pairs{};
  std::vector<std::int64_t> worth{};  ///< of each, in [1, needed]
  std::int64_t needed = 0;            ///< at most the sum of `worth`
};

/// `bound`, computed with rounding, as a cost that is surely no larger than
/// the true one.
[[nodiscard]] inline std::int64_t round_bound(double bound) {
  const double least = rounded(bound * (1 - 1e-9));
  const auto whole = static_cast<std::int64_t>(least);
  return static_cast<double>(whole) < least ? whole + 1 : whole;
}

struct Choice {
  std::vector<std::size_t> pairs{};  ///< ascending
  std::int64_t cost = 0;
  bool is_best = false;    ///< no choice that meets the demands costs less
  std::int64_t nodes = 0;  ///< that improve() took
};

class Cover {
 public:
  /// Costs are not negative, and their sum fits the type. What improves a choice ends
  /// if it is interrupted.
  explicit Cover(const std::vector<std::int64_t>& cost,
                 const Interrupt& interrupt = {})
      : cost_(&cost),
        interrupt_(interrupt),
        in_(cost.size()),
        state_(cost.size(), State::kFree) {}

  void add(Demand demand) {
    // The cheapest for what they are worth come first, for the bound.
    auto order = numbers_below<std::vector<std::size_t>>(demand.pairs.size());
    heap_sort(order, [&](std::size_t a, std::size_t b) {
      const double x = price(demand, a);
      const double y = price(demand, b);
      return x != y ? x < y : demand.pairs[a] < demand.pairs[b];
    });
    Demand sorted;
    sorted.needed = demand.needed;
    for (const std::size_t k : order) {
      in_[demand.pairs[k]].push_back({demands_.size(), demand.worth[k]});
      sorted.pairs.push_back(demand.pairs[k]);
      sorted.worth.push_back(demand.worth[k]);
    }
    left_.push_back(demand.needed);
    demands_.push_back(std::move(sorted));
  }

  /// Greedily.
  [[nodiscard]] Choice choose() {
    clear();
    complete();
    put_back();
    return choice();
  }

  /// The best choice, or `best` improved as far as `nodes` nodes go.
  [[nodiscard]] Choice improve(Choice best, std::int64_t nodes) {
    clear();
    path_.clear();
    tried_.clear();
    std::int64_t taken = 0;
    bool is_open = true;  // Whether the node at hand is not looked at yet.
    while (is_open || !path_.empty()) {
      best.nodes = taken;
      if (is_open) {
        if (taken >= nodes || interrupt_()) return best;
        ++taken;
        const std::size_t demand = most_urgent();
        if (demand == kNoDemand) {
          if (cost_taken_ < best.cost) best = choice();
        } else if (lower_bound() < best.cost) {
          path_.push_back({demand, 0, tried_.size()});
        }
        if (path_.empty()) break;
      }
      is_open = advance();
    }
    best.is_best = true;
    best.nodes = taken;
    return best;
  }

  /// No choice that meets the demands costs less.
  [[nodiscard]] std::int64_t least() {
    clear();
    return lower_bound();
  }

 private:
  enum class State : std::uint8_t { kFree, kTaken, kBanned };
  struct In {
    std::size_t demand;
    std::int64_t worth;
  };
  /// A demand, of whose pairs one after the other is taken and then banned.
  struct Branch {
    std::size_t demand;
    std::size_t next;
    std::size_t first;  ///< of its pairs in tried_, of which the last is taken
  };
  static constexpr std::size_t kNoDemand =
      (std::numeric_limits<std::size_t>::max)();

  [[nodiscard]] double price(const Demand& demand, std::size_t k) const {
    return rounded(static_cast<double>((*cost_)[demand.pairs[k]]) /
                   static_cast<double>(demand.worth[k]));
  }

  void clear() {
    std::fill(state_.begin(), state_.end(), State::kFree);
    for (std::size_t d = 0; d < demands_.size(); ++d)
      left_[d] = demands_[d].needed;
    cost_taken_ = 0;
  }
  void take(std::size_t i) {
    state_[i] = State::kTaken;
    cost_taken_ += (*cost_)[i];
    for (const In& in : in_[i]) left_[in.demand] -= in.worth;
  }
  void release(std::size_t i) {
    state_[i] = State::kFree;
    cost_taken_ -= (*cost_)[i];
    for (const In& in : in_[i]) left_[in.demand] += in.worth;
  }
  [[nodiscard]] Choice choice() const {
    Choice result;
    for (std::size_t i = 0; i < state_.size(); ++i) {
      if (state_[i] != State::kTaken) continue;
      result.pairs.push_back(i);
      result.cost += (*cost_)[i];
    }
    return result;
  }

  /// The part of the demands that pair i would meet, for its cost.
  [[nodiscard]] double gain(std::size_t i) const {
    double gain = 0;
    for (const In& in : in_[i])
      if (left_[in.demand] > 0)
        gain = rounded(
            gain + rounded(static_cast<double>(
                               (std::min)(in.worth, left_[in.demand])) /
                           static_cast<double>(demands_[in.demand].needed)));
    if (gain == 0) return 0;
    const auto cost = static_cast<double>((*cost_)[i]);
    return cost > 0 ? rounded(gain / cost)
                    : (std::numeric_limits<double>::max)();
  }

  /// Takes pairs until all demands are met.
  void complete() {
    struct Offer {
      double gain;
      std::size_t pair;
      [[nodiscard]] bool operator<(const Offer& other) const {
        return gain != other.gain ? gain < other.gain : pair > other.pair;
      }
    };
    List<Offer> heap;
    for (std::size_t i = 0; i < in_.size(); ++i) {
      if (const double its = gain(i); its > 0) heap.push_back({its, i});
    }
    std::make_heap(heap.begin(), heap.end());
    // Gains only sink, so one that is still the largest is.
    while (!heap.empty()) {
      std::pop_heap(heap.begin(), heap.end());
      const Offer top = heap.back();
      heap.pop_back();
      const Offer now{gain(top.pair), top.pair};
      if (now.gain == 0) continue;
      if (!heap.empty() && now < heap.front()) {
        heap.push_back(now);
        std::push_heap(heap.begin(), heap.end());
      } else {
        take(top.pair);
      }
    }
  }

  /// What is not needed, the dearest first.
  void put_back() {
    std::vector<std::size_t> taken = choice().pairs;
    sort_descending(taken, [&](std::size_t k) { return (*cost_)[k]; });
    for (const std::size_t i : taken)
      if (std::all_of(in_[i].begin(), in_[i].end(), [&](const In& in) {
            return left_[in.demand] + in.worth <= 0;
          }))
        release(i);
  }

  /// The unmet demand with the fewest free pairs, or kNoDemand.
  [[nodiscard]] std::size_t most_urgent() const {
    std::size_t found = kNoDemand;
    std::size_t fewest = kNoDemand;
    for (std::size_t d = 0; d < demands_.size(); ++d) {
      if (left_[d] <= 0) continue;
      const auto free = static_cast<std::size_t>(std::count_if(
          demands_[d].pairs.begin(), demands_[d].pairs.end(),
          [&](std::size_t i) { return state_[i] == State::kFree; }));
      if (free >= fewest) continue;
      fewest = free;
      found = d;
    }
    return found;
  }

  /// What meeting one demand costs more at least; infinite if it cannot be.
  [[nodiscard]] double bound(std::size_t d) const {
    const Demand& demand = demands_[d];
    std::int64_t left = left_[d];
    double bound = 0;
    for (std::size_t k = 0; k < demand.pairs.size() && left > 0; ++k) {
      if (state_[demand.pairs[k]] != State::kFree) continue;
      const std::int64_t part = (std::min)(left, demand.worth[k]);
      bound = rounded(bound +
                      rounded(price(demand, k) * static_cast<double>(part)));
      left -= part;
    }
    return left > 0 ? std::numeric_limits<double>::infinity() : bound;
  }

  /// Of all choices that go on from here. Too large for the type if none does.
  [[nodiscard]] std::int64_t lower_bound() const {
    List<double> costs(demands_.size(), 0);
    std::vector<std::size_t> unmet;
    for (std::size_t d = 0; d < demands_.size(); ++d) {
      if (left_[d] <= 0) continue;
      costs[d] = bound(d);
      unmet.push_back(d);
    }
    sort_descending(unmet, [&](std::size_t d) { return costs[d]; });
    List<bool> used(state_.size(), false);
    double sum = 0;
    for (const std::size_t d : unmet) {
      if (costs[d] == std::numeric_limits<double>::infinity())
        return (std::numeric_limits<std::int64_t>::max)();
      const std::vector<std::size_t>& pairs = demands_[d].pairs;
      if (std::any_of(pairs.begin(), pairs.end(), [&](std::size_t i) {
            return used[i] && state_[i] == State::kFree;
          }))
        continue;
      for (const std::size_t i : pairs) used[i] = true;
      sum = rounded(sum + costs[d]);
    }
    return cost_taken_ + round_bound(sum);
  }

  /// Goes to the next choice of the last branch that has one. False if none
  /// has.
  [[nodiscard]] bool advance() {
    while (!path_.empty()) {
      Branch& branch = path_.back();
      if (tried_.size() > branch.first) {
        release(tried_.back());
        state_[tried_.back()] = State::kBanned;
      }
      const std::vector<std::size_t>& pairs = demands_[branch.demand].pairs;
      while (branch.next < pairs.size() &&
             state_[pairs[branch.next]] != State::kFree)
        ++branch.next;
      if (branch.next < pairs.size()) {
        tried_.push_back(pairs[branch.next++]);
        take(tried_.back());
        return true;
      }
      for (std::size_t k = branch.first; k < tried_.size(); ++k)
        state_[tried_[k]] = State::kFree;
      tried_.shrink(branch.first);
      path_.pop_back();
    }
    return false;
  }

  const std::vector<std::int64_t>* cost_;
  Interrupt interrupt_;
  std::vector<Demand> demands_{};
  Lists<In> in_;  ///< the demands that name each pair
  List<State> state_;
  std::vector<std::int64_t> left_{};  ///< of each demand
  List<Branch> path_{};               ///< of improve()
  List<std::size_t> tried_{};
  std::int64_t cost_taken_ = 0;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PENALTY_COVER_HPP
