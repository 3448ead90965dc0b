// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The least cost by implicit hitting sets.
///
/// A *core* is a set of soft pairs that cannot all be hard, so one of them pays
/// in every placement. Cliques that outweigh the capacity ask for more than one
/// (clique_demands.hpp). A choice of pairs that meets all demands known so far,
/// at the least cost, is a lower bound:
///
///     demands --> cheapest choice of pairs that pay --> all others hard: fits?
///        ^                                                |           |
///        |            the pairs that the refutation used  | no        | yes
///        +---------------- less what it did not need -----+        optimal
///
/// Before that, cliques that the choice, or the prices of dual_bound.hpp, pay too
/// little are looked for, and the prices are improved: that is the bound where
/// there are too many demands for a choice.
///
/// When the others do not fit, the pairs of the core found are let go too and
/// the rest is tried again, until it fits: that gives several cores without a
/// pair in common, and a placement.
///
/// Where the search of choices or a trial runs out of nodes, the bound is that
/// of the demands so far, and the next round begins with more. The budget pays
/// for the nodes of choices, too.
///
/// Source: implicit hitting sets, Moreno-Centeno and Karp (Operations Research,
/// 2013); disjoint cores first, Davies and Bacchus, "Solving MAXSAT by solving a
/// sequence of simpler SAT instances" (CP 2011).
#ifndef SNUG_PENALTY_CORE_SEARCH_HPP
#define SNUG_PENALTY_CORE_SEARCH_HPP

#include "snug/config.hpp"
#include "snug/penalty/clique_demands.hpp"
#include "snug/penalty/cover.hpp"
#include "snug/penalty/dual_bound.hpp"
#include "snug/penalty/hard_trials.hpp"
#include "snug/penalty/soft_pairs.hpp"
#include "snug/support/list.hpp"
#include "snug/support/outcome.hpp"
#include "snug/support/sort.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

template <class M>
class CoreSearch {
 public:
  /// `cliques` may be null.
  CoreSearch(HardTrials<M>& trials, CliqueDemands* cliques)
      : trials_(&trials),
        cliques_(cliques),
        costs_(costs_of(trials.soft())),
        dual_(costs_) {}

  /// No placement costs less.
  [[nodiscard]] std::int64_t bound() const noexcept { return bound_; }
  void raise_bound(std::int64_t bound) { bound_ = (std::max)(bound_, bound); }
  /// Whether the last round ended with a trial that was given up with most of its nodes
  /// left, for want of memory, or with pairs that could not be made hard: more nodes do
  /// not mend that.
  [[nodiscard]] bool is_stuck() const noexcept { return is_stuck_; }

  /// One round with at most `nodes` nodes a trial; all else has its share of
  /// work by that, too. Calls placed(offsets) for each placement on the way.
  /// Stops where the bound reaches `best`, a cost that is known.
  template <class Placed>
  void round(std::int64_t nodes, std::int64_t best, Placed&& placed) {
    work_ = nodes;
    is_stuck_ = false;
    const bool is_priced = raise_prices(nodes, best);
    if (bound_ >= best || !is_priced) return;
    Choice choice = choose(nodes);
    while (bound_ < best && !is_over()) {
      const std::size_t before = dual_.demands();
      const List<std::uint8_t> marks = marks_of(choice);
      const bool is_all = separate(nodes / kNodesForClique, [&](std::size_t p) {
        return marks[p] == 0;
      });
      if (dual_.demands() == before && is_all) break;
      if (!is_all) return;
      choice = choose(nodes);
    }
    if (bound_ >= best || nodes < kNodesForPair * pairs()) return;
    find_cores(choice, nodes, placed);
  }

 private:
  static constexpr std::int64_t kNodesForClique = 4;
  /// Work on all pairs of all demands, counted as so many for a node.
  static constexpr std::int64_t kPairsForNode = 4096;
  /// Trials take long with many pairs, also before their first node.
  static constexpr std::int64_t kNodesForPair = 8;
  static constexpr std::size_t kMostDemands = 8192;

  /// What else takes time, in nodes.
  static constexpr std::size_t kTrialForNode = 256;

  /// Whether the round has had its share.
  [[nodiscard]] bool is_over() {
    return work_ <= 0 || trials_->budget().is_spent();
  }

  [[nodiscard]] Trial run(const std::vector<std::size_t>& buffers,
                          const std::vector<std::size_t>& hard,
                          std::int64_t nodes) {
    Trial trial = trials_->run(buffers, hard, nodes);
    work_ -=
        trial.nodes + 8 +
        static_cast<std::int64_t>(buffers.size() * hard.size() / kTrialForNode);
    return trial;
  }

  /// Looks for cliques that pay too little by the prices, and improves those.
  /// False if there may be more, or too many for a choice.
  [[nodiscard]] bool raise_prices(std::int64_t nodes, std::int64_t best) {
    constexpr std::int64_t kMostIterations = 512;
    bool is_all = true;
    for (int pass = 0; pass < 4; ++pass) {
      const std::size_t before = dual_.demands();
      is_all = separate(nodes / kNodesForClique, [&](std::size_t p) {
        return before == 0 || !dual_.is_chosen(p);
      });
      dual_.raise((std::min)(kMostIterations, 8 + looks_for(nodes)), best,
                  trials_->budget().stopper());
      raise_bound((std::min)(dual_.bound(), best));
      if (bound_ >= best || dual_.demands() == before || !is_all) break;
    }
    return is_all && entries() <= multiply_nodes(nodes, 2);
  }

  template <class IsOpen>
  [[nodiscard]] bool separate(std::int64_t most, IsOpen&& is_open) {
    if (cliques_ == nullptr || demands_.size() >= kMostDemands) return true;
    return cliques_->find(
        most, is_open, [&](Demand demand) { add(std::move(demand)); },
        trials_->budget().stopper());
  }

  void add(Demand demand) {
    if (demands_.size() < kMostDemands) dual_.add(demand);
    demands_.push_back(std::move(demand));
  }

  /// Tries all but the pairs of `choice` hard, and lets go the pairs of one core
  /// after the other.
  template <class Placed>
  void find_cores(const Choice& choice, std::int64_t nodes, Placed&& placed) {
    List<std::uint8_t> pays = marks_of(choice);
    do {
      const std::vector<std::size_t> hard = pairs_without(pays);
      Trial trial = run(trials_->all_buffers(), hard, nodes);
      if (trial.outcome == Outcome::kPlacedAll) {
        placed(trial.offsets);
        is_stuck_ = trials_->leaves_soft();
        return;
      }
      is_stuck_ = trial.is_stuck(nodes / 16);
      if (trial.outcome == Outcome::kOpen) return;
      std::vector<std::size_t> core = shrink(std::move(trial), hard, nodes);
      if (core.empty()) return;  // Stopped.
      for (const std::size_t p : core) pays[p] = 1;
      Demand demand;
      demand.needed = 1;
      demand.worth.assign(core.size(), 1);
      demand.pairs = std::move(core);
      add(std::move(demand));
    } while (!is_over());
  }

  [[nodiscard]] std::int64_t pairs() const noexcept {
    return static_cast<std::int64_t>(costs_.size());
  }
  /// The pairs of all demands together.
  [[nodiscard]] std::int64_t entries() const noexcept {
    return static_cast<std::int64_t>(dual_.size());
  }
  /// How often all of these may be looked at for so many nodes.
  [[nodiscard]] std::int64_t looks_for(std::int64_t nodes) const noexcept {
    return multiply_nodes(nodes, kPairsForNode) / (entries() + kPairsForNode);
  }
  [[nodiscard]] static std::vector<std::int64_t> costs_of(
      const List<SoftPair>& soft) {
    std::vector<std::int64_t> costs;
    for (const SoftPair& pair : soft) costs.push_back(pair.cost);
    return costs;
  }

  [[nodiscard]] List<std::uint8_t> marks_of(const Choice& choice) const {
    List<std::uint8_t> pays(costs_.size(), 0);
    for (const std::size_t p : choice.pairs) pays[p] = 1;
    return pays;
  }

  /// The cheapest choice that meets the demands, or a cheap one.
  [[nodiscard]] Choice choose(std::int64_t nodes) {
    work_ -= entries();
    Cover cover(costs_, trials_->budget().stopper());
    for (const Demand& demand : demands_) cover.add(demand);
    Choice choice = cover.choose();
    raise_bound((std::min)(cover.least(), choice.cost));
    if (bound_ < choice.cost) {
      choice =
          cover.improve(std::move(choice), looks_for(nodes) / kNodesForClique);
      trials_->budget().add_nodes(
          multiply_nodes(choice.nodes, 1 + entries() / kPairsForNode));
      if (choice.is_best) raise_bound(choice.cost);
    }
    return choice;
  }

  [[nodiscard]] std::vector<std::size_t> pairs_without(
      const List<std::uint8_t>& pays) const {
    std::vector<std::size_t> hard;
    for (std::size_t p = 0; p < pays.size(); ++p)
      if (pays[p] == 0) hard.push_back(p);
    return hard;
  }

  [[nodiscard]] std::vector<std::size_t> pairs_among(
      const std::vector<std::size_t>& buffers,
      const std::vector<std::size_t>& pairs) const {
    std::vector<std::size_t> result;
    for (const std::size_t p : pairs)
      if (std::binary_search(buffers.begin(), buffers.end(),
                             std::size_t{trials_->soft()[p].a}) &&
          std::binary_search(buffers.begin(), buffers.end(),
                             std::size_t{trials_->soft()[p].b}))
        result.push_back(p);
    return result;
  }

  /// From a refutation to a core of pairs: chunks of pairs are let go as long as
  /// the buffers of the refutation still do not fit, the cheap ones first, for
  /// then what remains costs more. What a refutation used is a guess until it is
  /// refuted itself; only sets of pairs that were are returned.
  [[nodiscard]] std::vector<std::size_t> shrink(
      Trial trial, const std::vector<std::size_t>& hard, std::int64_t nodes) {
    std::vector<std::size_t> sure = hard;
    std::vector<std::size_t> buffers = std::move(trial.core);
    std::vector<std::size_t> core = pairs_among(buffers, hard);
    sort_ascending(core, [&](std::size_t p) { return costs_[p]; });
    nodes = (std::min)(nodes, 4 * trial.nodes + 256);
    const auto is_refuted = [&](const std::vector<std::size_t>& pairs) {
      Trial less = run(buffers, pairs, nodes);
      if (less.outcome != Outcome::kRefuted) return false;
      sure = pairs;
      buffers = std::move(less.core);
      core = pairs_among(buffers, pairs);
      return true;
    };
    if (!is_refuted(core)) return sure;
    for (std::size_t chunk = (core.size() + 3) / 4; chunk > 0; chunk /= 2)
      for (std::size_t at = 0; at < core.size();) {
        if (is_over()) return sure;
        const std::size_t end = (std::min)(core.size(), at + chunk);
        const std::size_t* const all = core.data();
        std::vector<std::size_t> rest(all, all + at);
        rest.insert(rest.end(), all + end, all + core.size());
        if (!is_refuted(rest)) at = end;
      }
    if (core.size() < sure.size()) (void)is_refuted(core);
    return sure;
  }

  HardTrials<M>* trials_;
  CliqueDemands* cliques_;
  std::vector<std::int64_t> costs_;
  DualBound dual_;
  std::vector<Demand> demands_{};
  std::int64_t bound_ = 0;
  std::int64_t work_ = 0;  ///< that the round has left, in nodes
  bool is_stuck_ = false;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PENALTY_CORE_SEARCH_HPP
