// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The cheapest division of items among pools such that no section holds too
/// many bytes: by branch and bound over a linear program, exactly or as a bound.
///
///     a, and half of b: 4
///      |- b is in: 7
///      `- b is out; a, and a third of c: 5
///          |- c is in: 6
///          `- ...
///
/// A *node* says of some items which columns they may be in. Its bound is that of
/// load_bound.hpp for these columns, at the prices of the linear program, rounded up to
/// a multiple of what divides all costs. The node of the least bound is next, so that
/// the least of those left is a bound for all divisions at any time. It branches on the
/// largest item that is in part: that decides about many others. In the first node
/// columns go that cost more than what is known, by the prices there.
///
/// All that is concluded is computed exactly: the program only says where to look, and
/// a node goes when its bound does, or when all of its items are decided. Where there
/// is no solution in part, a sum of the rows says so: if items cost nothing, and rows
/// what they are in that sum, a bound above 0 proves that there is no division. Where
/// the program's numbers have drifted away from the exact ones, it is made again.
///
/// Cost: some pivots of simplex.hpp a node.
/// Source: Land and Doig, "An automatic method of solving discrete programming
/// problems" (Econometrica, 1960); Farkas' lemma, in Schrijver, "Theory of Linear and
/// Integer Programming" (1986).
#ifndef SNUG_POOLS_DIVISION_TREE_HPP
#define SNUG_POOLS_DIVISION_TREE_HPP

#include "snug/config.hpp"
#include "snug/normal/flat.hpp"
#include "snug/pools/cost_table.hpp"
#include "snug/pools/load_bound.hpp"
#include "snug/pools/load_program.hpp"
#include "snug/pools/pool_loads.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"
#include "snug/support/rounded.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

class DivisionTree {
 public:
  static constexpr std::int64_t kNone =
      (std::numeric_limits<std::int64_t>::max)();

  /// Both must outlive the tree, whose program, and nodes, may each take about so many
  /// bytes. The last column of the costs is elsewhere.
  DivisionTree(const std::vector<PoolLoads>& loads, const CostTable& costs,
               std::size_t bytes)
      : loads_(&loads),
        costs_(&costs),
        bytes_(bytes),
        program_(costs, loads.size(), bytes),
        root_(costs),
        allowed_(costs),
        largest_(costs.items, 0) {
    for (const std::int64_t cost : costs.costs)
      if (cost != CostTable::kNever) unit_ = std::gcd(unit_, cost);
    for (std::size_t i = 0; i < costs.items; ++i)
      for (const PoolLoads& pool : loads)
        for (const LoadPart& part : pool.parts[i])
          if (!pool.is_cut(part.sections.lower))
            largest_[i] = (std::max)(largest_[i], part.bytes);
  }
  DivisionTree(const DivisionTree&) = delete;
  DivisionTree& operator=(const DivisionTree&) = delete;

  /// Looks for divisions that cost less than `target`, with about so many
  /// multiplications, unless stop() says otherwise. Once.
  void run(std::int64_t target, std::int64_t work, const Interrupt& stop) {
    const std::size_t most_nodes = bytes_ / sizeof(Node) + 1;
    const auto is_over = [&] {
      return this->work() >= work || program_.is_too_large() || stop();
    };
    target_ = target;
    add({0, kNoParent, {}});
    while (!open_.empty() && nodes_.size() < most_nodes && !is_over()) {
      const std::uint32_t at = take_next();
      if (nodes_[at].bound < target_) look_at(at, is_over);
    }
    bound_ = (std::min)(target_, left_);
    for (const std::uint32_t at : open_)
      bound_ = (std::min)(bound_, nodes_[at].bound);
  }

  /// No division that the loads allow costs less; at most the target.
  [[nodiscard]] std::int64_t bound() const noexcept { return bound_; }
  /// Of the cheapest division that was found, or kNone.
  [[nodiscard]] std::int64_t cost() const noexcept { return cost_; }
  /// The column of each item of that division.
  [[nodiscard]] const List<Index>& division() const noexcept {
    return division_;
  }
  [[nodiscard]] std::size_t nodes() const noexcept { return nodes_.size(); }
  /// About how many multiplications it took.
  [[nodiscard]] std::int64_t work() const noexcept {
    return work_ + program_.work();
  }

 private:
  static constexpr std::uint32_t kNoParent = ~std::uint32_t{0};

  /// An item is in a column, or is not.
  struct Decision {
    Index item = 0;
    Index column = 0;
    bool is_in = false;
  };
  struct Node {
    std::int64_t bound;
    std::uint32_t parent;
    Decision decision;
  };
  enum class Solved : std::uint8_t {
    kYes,
    kNever,   ///< proved
    kDrifted  ///< not exactly
  };

  /// For a heap: the least bound first, of equal ones the last.
  [[nodiscard]] auto comes_later() const {
    return [this](std::uint32_t a, std::uint32_t b) {
      if (nodes_[a].bound != nodes_[b].bound)
        return nodes_[a].bound > nodes_[b].bound;
      return a < b;
    };
  }
  void add(const Node& node) {
    nodes_.push_back(node);
    open_.push_back(static_cast<std::uint32_t>(nodes_.size() - 1));
    std::push_heap(open_.begin(), open_.end(), comes_later());
  }
  [[nodiscard]] std::uint32_t take_next() {
    std::pop_heap(open_.begin(), open_.end(), comes_later());
    const std::uint32_t at = open_.back();
    open_.pop_back();
    return at;
  }

  /// Solves a node, and branches, unless it has no division below the target.
  void look_at(std::uint32_t at, const Interrupt& stop) {
    allow(at);
    std::int64_t bound = nodes_[at].bound;
    Solved solved = solve(at, bound, stop);
    if (solved == Solved::kDrifted && !stop()) {
      work_ += program_.work();
      program_ = LoadProgram(*costs_, loads_->size(), bytes_);
      solved = solve(at, bound, stop);
    }
    if (solved == Solved::kNever) return;
    if (stop()) {
      left_ = (std::min)(left_, bound);
      return;
    }
    Decision next = choose(true);
    if (next.item == costs_->items) note_division();
    if (bound >= target_) return;
    // Nothing is in part, but that is not proved to be the cheapest.
    if (next.item == costs_->items) next = choose(false);
    if (next.item == costs_->items) return;
    add({bound, at, {next.item, next.column, !next.is_in}});
    add({bound, at, next});
  }
  /// What the decisions of a node leave.
  void allow(std::uint32_t at) {
    allowed_ = root_;
    for (; nodes_[at].parent != kNoParent; at = nodes_[at].parent) {
      const Decision& its = nodes_[at].decision;
      for (std::size_t c = 0; c < costs_->columns; ++c)
        if ((c == its.column) != its.is_in)
          allowed_.at(its.item, c) = CostTable::kNever;
    }
  }
  [[nodiscard]] Solved solve(std::uint32_t at, std::int64_t& bound,
                             const Interrupt& stop) {
    program_.restrict_to(allowed_);
    program_.solve(*loads_, stop);
    if (!program_.is_solvable())
      return is_proved() ? Solved::kNever : Solved::kDrifted;
    LoadBound prices(*loads_, allowed_);
    prices.follow(program_);
    bound = (std::max)(bound, to_unit(prices.bound()));
    const double cost = cost_in_part();
    const double away = cost - static_cast<double>(prices.bound());
    if (magnitude(away) > cost / 1024) return Solved::kDrifted;
    if (at == 0) drop_dear_columns(prices);
    return Solved::kYes;
  }
  /// That there is no division, by the sum of rows that the program has found.
  [[nodiscard]] bool is_proved() const {
    CostTable free = allowed_;
    for (std::int64_t& cost : free.costs)
      cost = (std::min)(cost, std::int64_t{0});
    LoadBound proof(*loads_, free);
    proof.follow(program_);
    return proof.bound() > 0;
  }
  [[nodiscard]] double cost_in_part() const {
    double sum = 0;
    for (std::size_t i = 0; i < costs_->items; ++i)
      for (std::size_t c = 0; c < costs_->columns; ++c)
        if (costs_->allows(i, c))
          sum = rounded(sum + rounded(program_.share(i, c) *
                                      static_cast<double>(costs_->at(i, c))));
    return sum;
  }
  /// Drops those that are in no division cheaper than the target. A bound of 0 may be
  /// more than what the prices say.
  void drop_dear_columns(const LoadBound& prices) {
    if (prices.bound() == 0) return;
    for (std::size_t i = 0; i < costs_->items; ++i) {
      const std::int64_t others = prices.bound() - prices.least(i);
      for (std::size_t c = 0; c < costs_->columns; ++c)
        if (root_.allows(i, c) && others + prices.price(i, c) >= target_)
          root_.at(i, c) = CostTable::kNever;
    }
  }

  /// The largest item that is in part, or of those that may be in several columns, and
  /// whether it is rather in one of them; else no item.
  [[nodiscard]] Decision choose(bool is_in_part) const {
    const double least = is_in_part ? 1e-6 : -1;
    Decision best{static_cast<Index>(costs_->items), 0, false};
    std::int64_t largest = -1;
    for (Index i = 0; i < costs_->items; ++i) {
      if (largest_[i] <= largest || !allowed_.is_open(i)) continue;
      for (Index c = 0; c < costs_->columns; ++c) {
        const double share = program_.share(i, c);
        if (!allowed_.allows(i, c) || share <= least || share >= 1 - least)
          continue;
        largest = largest_[i];
        best = {i, c, share > 0.5};
      }
    }
    return best;
  }
  /// Keeps the division of the program, if it is one below the target.
  void note_division() {
    List<Index> division(costs_->items, 0);
    for (Index i = 0; i < costs_->items; ++i) {
      const bool is_decided = !allowed_.is_open(i);
      for (Index c = 0; c < costs_->columns; ++c)
        if (is_decided ? allowed_.allows(i, c) : program_.share(i, c) > 0.5)
          division[i] = c;
    }
    const std::int64_t cost = allowed_.cost_of(division);
    if (cost == CostTable::kNever || cost >= target_ ||
        !have_room_for(*loads_, division))
      return;
    target_ = cost_ = cost;
    division_ = std::move(division);
  }
  /// What a cost that is at least so much is, as all are multiples of a unit.
  [[nodiscard]] std::int64_t to_unit(std::int64_t bound) const noexcept {
    const std::int64_t rest = unit_ > 0 ? bound % unit_ : 0;
    return rest > 0 ? bound - rest + unit_ : bound;
  }

  const std::vector<PoolLoads>* loads_;
  const CostTable* costs_;
  std::size_t bytes_;
  LoadProgram program_;
  std::int64_t work_ = 0;  ///< of programs before
  CostTable root_;     ///< what may be in a division cheaper than the target
  CostTable allowed_;  ///< what a node leaves of that
  List<std::int64_t> largest_;  ///< bytes of each item, in any section
  std::int64_t unit_ = 0;       ///< divides all costs
  List<Node> nodes_{};
  List<std::uint32_t> open_{};  ///< a heap
  std::int64_t target_ = 0;
  std::int64_t left_ = kNone;  ///< the least bound of those given up
  std::int64_t bound_ = 0;
  std::int64_t cost_ = kNone;
  List<Index> division_{};
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_POOLS_DIVISION_TREE_HPP
