// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The search of assign() and suggest_spills(): divisions that are cheap by
/// their loads, placed; and a bound on what all of them cost.
///
///     all where they cost least       fits: nothing is cheaper, done
///        | no
///     overload   more bytes live at one time than all pools hold: nothing fits
///        | no
///     start      some divisions, placed greedily (pool_start.hpp)
///        |
///     prices     where items are many: a bound, and a start in their order; with
///                more still, that of a program as well, in turns, and no more
///        |
///     in turns, each with twice the work of the one before, until both ends meet
///        program  a lower bound on all of them (program_bound.hpp), also with
///                 pools that are alike as one (equal_pools.hpp)
///        start    again; where alignments are mixed, walks as long as all else
///        walk     a cheap division that no load and no core forbids
///                 (load_walk.hpp)
///        tree     a better bound, or the cheapest of them: fast where many items
///                 are live at a time (division_tree.hpp). Not in the first turn:
///                 what it comes to is hard to place
///        prices   guides to cheap ones, and a bound that is had sooner
///                 (load_bound.hpp, load_cuts.hpp)
///        beam     the same: fast where few are (division_beam.hpp)
///        place    each pool of such a division by itself. What is refuted
///                 becomes a core; of what is undecided, some is moved out
///     until some turns have come to nothing for want of memory: that is no
///     question of work
///
/// Whatever can be placed meets all loads and cores, so their bound is one on
/// everything; and the cheapest division, once it is placed, is optimal.
///
/// Without a time limit it takes the same way everywhere: nothing hangs on the clock.
///
/// Source: implicit hitting sets, Moreno-Centeno and Karp (Operations Research,
/// 2013); logic-based Benders decomposition, Hooker and Ottosson (Mathematical
/// Programming, 2003).
#ifndef SNUG_POOLS_POOL_SEARCH_HPP
#define SNUG_POOLS_POOL_SEARCH_HPP

#include "snug/config.hpp"
#include "snug/engine/search_options.hpp"
#include "snug/normal/flat.hpp"
#include "snug/plan/budget.hpp"
#include "snug/pools/cost_table.hpp"
#include "snug/pools/division_beam.hpp"
#include "snug/pools/division_placer.hpp"
#include "snug/pools/division_tree.hpp"
#include "snug/pools/equal_pools.hpp"
#include "snug/pools/load_walk.hpp"
#include "snug/pools/pool_effort.hpp"
#include "snug/pools/pool_prices.hpp"
#include "snug/pools/pool_set.hpp"
#include "snug/pools/pool_start.hpp"
#include "snug/pools/program_bound.hpp"
#include "snug/support/list.hpp"
#include "snug/support/outcome.hpp"
#include "snug/support/sort.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

template <class M>
class PoolSearch : private PoolEffort {
 public:
  /// More pairs of an item and a section in which it takes bytes are many.
  static constexpr std::size_t kMostPairs = std::size_t{1} << 21;

  /// Both must outlive the search. The last column of the costs is elsewhere.
  PoolSearch(PoolSet<M>& pools, const CostTable& costs,
             std::size_t most_pairs = kMostPairs)
      : pools_(&pools),
        costs_(&costs),
        budget_(&pools.budget()),
        elsewhere_(static_cast<Index>(pools.size())),
        nodes_for_try_(multiply_nodes(
            kFirstNodes, static_cast<std::int64_t>(costs.items) + 1)),
        placer_(pools, costs),
        prices_(costs) {
    std::size_t pairs = 0;
    for (const PoolLoads& loads : pools.loads())
      for (std::size_t i = 0; i < loads.parts.size(); ++i)
        if (pairs < most_pairs) pairs += loads.count_sections(i);
    is_small_ = pairs < most_pairs && costs.items < kMostItems;
  }

  /// Goes on until the cheapest is known, `most_nodes` were spent, or a limit
  /// is hit; or until is_stuck().
  void run(std::int64_t most_nodes) {
    most_nodes_ = most_nodes;
    const List<Index> division = cheapest_columns();
    bound_ = placer_.cost_of(division);
    if (have_room_for(pools_->loads(), division))
      (void)placer_.place(division, nodes_for_try_, Effort::kRefute);
    if (is_done()) return;
    if (pools_->are_overloaded(*costs_)) bound_ = DivisionPlacer<M>::kNoCost;
    if (is_done()) return;
    PoolStart<M> start(*pools_, *costs_, placer_);
    if (!is_small_) return run_many(start);
    if (costs_->items > kManyItems) start_by_price(start);
    start.dive();
    start.walk(nodes_for_try_ / kTryForTurn, bound_);
    if (is_done()) return;
    prepare(division);
    if (is_done()) return;
    start.solve(nodes_for_try_ / kTryForStart, bound_);
    if (is_over()) return;
    prices_.cut(target(), table_bytes(), stop());
    raise_bound(prices_.bound());
    // Pools that are alike as one, if there are such pools, and all by itself.
    const EqualPools equal(*costs_, pools_->alike());
    const bool has_equal = equal.size() < pools_->size();
    const std::size_t bytes = table_bytes() / (has_equal ? 2 : 1);
    std::optional<ProgramBound> joined;
    if (has_equal) joined.emplace(equal, pools_->loads(), bytes);
    ProgramBound program(EqualPools(*costs_), pools_->loads(), bytes);
    for (std::int64_t turn = 1; !is_over() && !is_stuck();
         turn = multiply_nodes(2, turn)) {
      const Known before = known();
      const std::int64_t undecided = placer_.undecided();
      is_narrow_ = false;
      start.walk(nodes_for_try_ / kTryForTurn, bound_);
      const std::int64_t nodes = multiply_nodes(nodes_for_try_, turn);
      const std::int64_t work = multiply_nodes(kWorkForTurn, turn);
      if (joined) bound_by_program(*joined, work);
      if (!is_over()) bound_by_program(program, work);
      if (is_over()) return;
      start.solve(nodes / kTryForTurn, bound_);
      walk(multiply_nodes(kStepsForTurn, turn), nodes);
      start.walk(nodes_for_try_ / kTryForTurn, bound_);
      if (turn > 1 && !is_over()) bound_by_tree(program, nodes);
      if (is_over()) return;
      if (costs_->columns <= DivisionBeam::kMostColumns)
        bound_by_beam(multiply_nodes(kWidthForTurn, turn), nodes);
      // All else may come to something with more work.
      const bool lacks_memory = is_narrow_ || placer_.undecided() > undecided;
      idle_turns_ = lacks_memory && known() == before ? idle_turns_ + 1 : 0;
    }
  }

  /// Whether it is proved that nothing is cheaper, or that there is nothing.
  [[nodiscard]] bool is_done() const noexcept { return bound_ >= cost(); }
  /// Whether it was given up, as more work does not mend it.
  [[nodiscard]] bool is_stuck() const noexcept {
    return idle_turns_ == kPatience;
  }
  /// Of the best division; DivisionPlacer::kNoCost if none.
  [[nodiscard]] std::int64_t cost() const noexcept { return placer_.cost(); }
  /// No division costs less; DivisionPlacer::kNoCost: none.
  [[nodiscard]] std::int64_t bound() const noexcept { return bound_; }
  /// The column of each item.
  [[nodiscard]] const List<Index>& division() const noexcept {
    return placer_.division();
  }
  /// Of each buffer in its pool; kAbsent elsewhere.
  [[nodiscard]] const std::vector<std::int64_t>& offsets() const noexcept {
    return placer_.offsets();
  }

 private:
  /// What a turn may change, and then the next one is not in vain: the bound,
  /// the cost, the cores, and the solves that had no nodes left.
  using Known = std::array<std::int64_t, 4>;

  /// More than all that can be paid.
  static constexpr std::int64_t kMostCost = CostTable::kMostSum + 1;
  /// For too many items for a dive in each order to come before all else.
  void start_by_price(PoolStart<M>& start) {
    start.dive_hastily();
    if (is_over()) return;
    raise_prices();
    start.follow(prices_.prices().price_table(), bound_);
  }
  /// The search for more, of which a walk or a beam would see too little.
  void run_many(PoolStart<M>& start) {
    start.dive_hastily();
    if (is_over()) return;
    ProgramBound program(EqualPools(*costs_), pools_->loads(), table_bytes());
    for (std::int64_t turn = 1; !is_over() && !is_stuck();
         turn = multiply_nodes(2, turn)) {
      const Known before = known();
      bound_by_program(program, multiply_nodes(kWorkForTurn, turn));
      // Where many sections are full, that takes much longer.
      if (!program.is_solved()) raise_prices();
      if (is_over()) return;
      start.follow(program.is_solved() ? *program.prices()
                                       : prices_.prices().price_table(),
                   bound_);
      start.solve_by_price(
          multiply_nodes(nodes_for_try_ / kTryForMany + 1, turn), bound_);
      if (turn == 1 && !is_over()) start.dive();
      idle_turns_ = known() == before ? idle_turns_ + 1 : 0;
    }
  }

  [[nodiscard]] bool is_spent() {
    return budget_->is_spent() || budget_->stats().nodes >= most_nodes_;
  }
  [[nodiscard]] bool is_over() { return is_done() || is_spent(); }
  /// What ends work that spends no nodes as it goes.
  [[nodiscard]] Interrupt stop() { return budget_->stopper(); }
  [[nodiscard]] std::size_t table_bytes() const noexcept {
    return table_bytes_of(budget_->options());
  }
  [[nodiscard]] Known known() const {
    std::int64_t rows = 0;
    for (const PoolLoads& loads : pools_->loads())
      rows += static_cast<std::int64_t>(loads.room.size());
    return {bound_, cost(), rows, budget_->cut_short()};
  }
  /// A cost that can be had, or more than any.
  [[nodiscard]] std::int64_t target() const noexcept {
    return cost() < DivisionPlacer<M>::kNoCost ? cost() : kMostCost;
  }
  [[nodiscard]] List<Index> cheapest_columns() const {
    List<Index> columns(costs_->items, elsewhere_);
    for (std::size_t i = 0; i < columns.size(); ++i)
      for (Index c = elsewhere_; c-- > 0;)
        if (costs_->allows(i, c) &&
            (!costs_->allows(i, columns[i]) ||
             costs_->at(i, c) <= costs_->at(i, columns[i])))
          columns[i] = c;
    return columns;
  }
  /// Prices, and a walk from a division, for the cores as they are. It may be
  /// the best one of the walk before.
  void prepare(const List<Index>& division) {
    raise_prices();
    if (is_over()) return;
    std::vector<std::int64_t> advantages;
    for (Index i = 0; i < costs_->items; ++i)
      advantages.push_back(prices_.prices().advantage(i));
    order_ = numbers_below(costs_->items);
    sort_descending(order_, [&](Index i) { return advantages[i]; });
    LoadWalk walk(pools_->loads(), *costs_, budget_->options().seed + ++walks_);
    walk.fill(order_, division);
    walk_ = std::move(walk);
  }
  void raise_prices() {
    prices_.follow(pools_->loads());
    prices_.raise(target(), stop());
    raise_bound(prices_.bound());
  }
  /// More than all that can be paid is no cost at all.
  void raise_bound(std::int64_t bound) {
    if (bound >= kMostCost) bound = DivisionPlacer<M>::kNoCost;
    bound_ = (std::max)(bound_, (std::min)(bound, cost()));
  }

  /// Walks, and tries what it comes to.
  void walk(std::int64_t steps, std::int64_t nodes) {
    for (std::int64_t left = steps; left > 0 && !is_over();) {
      // Whatever was tried since may have left a core.
      if (walk_->is_stale()) prepare(walk_->best());
      const std::int64_t most =
          multiply_nodes(budget_->nodes_left(), kStepsForNode);
      const std::int64_t done =
          walk_->run((std::min)(left, most), bound_, stop());
      left -= done + 1;
      budget_->add_nodes(done / kStepsForNode);
      if (walk_->best_cost() >= target() || is_spent()) return;
      const Outcome outcome =
          placer_.place(walk_->best(), nodes, Effort::kRefute);
      if (outcome == Outcome::kOpen) return loosen(steps, nodes);
      if (outcome == Outcome::kRefuted) prepare(walk_->best());
    }
  }

  /// A bound by a linear program.
  void bound_by_program(ProgramBound& program, std::int64_t work) {
    const std::int64_t before = program.work();
    program.follow(pools_->loads());
    program.raise(target(), work, stop());
    budget_->add_nodes((program.work() - before) / kWorkForNode);
    raise_bound(program.bound());
  }

  /// A bound by a tree, and what it comes to; again as long as that is refuted, and
  /// takes no more than some tries. The next turn gets twice the work if this was of
  /// use, or nodes are cheap.
  void bound_by_tree(ProgramBound& program, std::int64_t nodes) {
    const Known known_before = known();
    const std::int64_t before = budget_->stats().nodes;
    bool is_quick = false;
    while (program.is_solved() && has_tries_left(before, nodes)) {
      DivisionTree tree = program.tree();
      tree.run(target(), work_for_tree_, stop());
      budget_->add_nodes(tree.work() / kWorkForNode);
      is_quick = tree.nodes() >= kManyNodes;
      if (!has_refuted(tree, nodes)) break;
      program.follow(pools_->loads());
    }
    if (is_quick || known() != known_before)
      work_for_tree_ = multiply_nodes(2, work_for_tree_);
  }
  /// The same by a beam.
  void bound_by_beam(std::int64_t width, std::int64_t nodes) {
    const std::int64_t before = budget_->stats().nodes;
    while (has_tries_left(before, nodes)) {
      DivisionBeam beam(prices_.loads(), *costs_, prices_.prices());
      if (!beam.run(target(), width_within(width), stop())) return;
      budget_->add_nodes(beam.nodes() / kStatesForNode);
      if (!has_refuted(beam, nodes)) return;
    }
  }
  [[nodiscard]] bool has_tries_left(std::int64_t before, std::int64_t nodes) {
    return !is_over() && budget_->stats().nodes - before <
                             multiply_nodes(nodes, kTriesForAll);
  }
  /// Takes over what a tree or a beam has come to. Whether its division is refuted, so
  /// that the next one may come to more.
  template <class Search>
  [[nodiscard]] bool has_refuted(const Search& search, std::int64_t nodes) {
    raise_bound(search.bound());
    if (is_over() || search.cost() == Search::kNone) return false;
    const List<Index> division = search.division();
    if (placer_.place(division, nodes, Effort::kThorough) != Outcome::kRefuted)
      return false;
    prepare(division);
    return true;
  }
  /// Such that memory and nodes suffice.
  [[nodiscard]] std::size_t width_within(std::int64_t width) {
    const auto layers = static_cast<std::int64_t>(costs_->items);
    const auto columns = static_cast<std::int64_t>(costs_->columns);
    constexpr std::size_t kBytesForState = 32;
    const std::size_t bytes = table_bytes();
    const std::size_t states = (std::min)(bytes / kBytesForState, kMostStates);
    const std::int64_t most = static_cast<std::int64_t>(states) / layers + 1;
    is_narrow_ = is_narrow_ || (most < width && states < kMostStates);
    width = (std::min)(width, most);
    width = (std::min)(width,
                       multiply_nodes(budget_->nodes_left(), kStatesForNode) /
                               (layers * columns) +
                           1);
    return static_cast<std::size_t>(width);
  }

  /// Looks for divisions that are easier to place than one of which it is not
  /// known whether it fits: with less and less room, as long as they are cheaper
  /// than what is known. Then puts back what fits, and walks on with the same
  /// room: steps are cheap, and what is placed there seems to be easy to place.
  void loosen(std::int64_t steps, std::int64_t nodes) {
    for (std::int64_t part = least_slack_; part > 1 && !budget_->is_spent();
         part = part * kLooserBy256 / 256) {
      std::vector<PoolLoads> loads = pools_->loads();
      for (std::size_t p = 0; p < loads.size(); ++p)
        for (Index s = 0; s < pools_->sections(p); ++s)
          loads[p].room[s] -= loads[p].room[s] / part;
      LoadWalk walk(loads, *costs_, budget_->options().seed + ++walks_);
      walk.fill(order_, walk_->best());
      bool is_placed = false;
      for (const std::int64_t walks : {std::int64_t{1}, kWalksForLoose}) {
        const std::int64_t done =
            walk.run(multiply_nodes(steps, walks), bound_, stop());
        budget_->add_nodes(done / kStepsForNode);
        if (walk.best_cost() >= target()) continue;
        if (!placer_.has_placed(walk.best(), nodes)) break;
        placer_.move_back(nodes / 4, bound_);
        is_placed = true;
      }
      if (is_placed) least_slack_ = (std::min)(2 * part, kLeastSlack);
      if (is_placed || walk.best_cost() >= target()) return;
    }
  }

  PoolSet<M>* pools_;
  const CostTable* costs_;
  Budget* budget_;
  Index elsewhere_;
  std::int64_t nodes_for_try_;
  std::int64_t most_nodes_ = 0;  ///< of all there is
  std::int64_t work_for_tree_ = kWorkForTree;
  bool is_small_ = true;
  DivisionPlacer<M> placer_;
  PoolPrices prices_;
  List<Index> order_{};  ///< items that gain most by the prices first
  std::optional<LoadWalk> walk_{};
  std::uint64_t walks_ = 0;
  /// Of the room, what part to leave free first: half of what it took last.
  std::int64_t least_slack_ = kLeastSlack;
  std::int64_t bound_ = 0;
  int idle_turns_ = 0;
  bool is_narrow_ = false;  ///< the beam of this turn, for want of memory
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_POOLS_POOL_SEARCH_HPP
