// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Everything that solves, on one small problem: whole and stopped early, with
/// rules and strategies changed, in 32 bits, with all sizes scaled. The judges
/// are validate(), the pairwise definition, the exhaustive searches, and for
/// certificates the checker.
#include "fuzz/judges.hpp"
#include "snug/certify.hpp"
#include "snug/io/strategies.hpp"
#include "snug/model/subset.hpp"
#include "snug/model/tuning.hpp"
#include "snug/planner.hpp"
#include "support/all_placements.hpp"
#include "support/certified.hpp"
#include "support/exhaustive.hpp"
#include "support/pairwise.hpp"
#include "support/solved.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace snug {
namespace fuzz {
namespace {

using Oracle = testing::Exhaustive<std::int64_t, std::int64_t>;

/// The oracle is asked for heights up to this one.
constexpr std::int64_t kLimit = 15;

/// Small problems are solved in far fewer nodes.
constexpr std::int64_t kPlenty = 300000;

class Judge {
 public:
  explicit Judge(const Case& c) : case_(&c), problem_(c.problem) {}

  [[nodiscard]] std::string run() {
    if (!check(problem_).ok() || case_->capacity < 0) {
      expect_invalid();
      return wrong_;
    }
    if (!case_->is_wild) lowest_ = Oracle(problem_).lowest_within(kLimit);
    const Options stopped = with_nodes(case_->node_limit);
    if (case_->is_wild) {
      // Nobody knows the answer: what is returned must agree with itself.
      judge_all(with_nodes((std::min)(case_->node_limit, kFewNodes)));
      return wrong_;
    }
    judge_all(stopped);
    judge_all(with_nodes(kPlenty));
    judge_settings(stopped);
    judge_narrow();
    judge_scaled();
    return wrong_;
  }

 private:
  static constexpr std::int64_t kFewNodes = 200;

  void expect(bool holds, const char* what) {
    if (!holds && wrong_.empty()) wrong_ = what;
  }

  [[nodiscard]] Options with_nodes(std::int64_t nodes) {
    Options options;
    options.node_limit = nodes;
    options.seed = case_->seed;
    options.progress = &Judge::watch;
    options.progress_data = this;
    options.progress_interval = std::chrono::nanoseconds(0);
    return options;
  }

  /// What is told on the way holds for the problem.
  static bool watch(const Progress& progress, void* data) {
    Judge& judge = *static_cast<Judge*>(data);
    if (judge.case_->is_wild) return true;
    const std::int64_t lowest = judge.lowest_.value_or(kLimit + 1);
    judge.expect(!judge.lowest_ || progress.lower_bound <= lowest,
                 "progress tells of a bound above the optimum");
    judge.expect(progress.height < 0 || progress.height >= lowest,
                 "progress tells of a height that no placement has");
    return true;
  }

  /// Whether a placement of height `most` is known to exist, or not to.
  [[nodiscard]] bool fits(std::int64_t most) const {
    return lowest_ && *lowest_ <= most;
  }
  [[nodiscard]] bool is_known(std::int64_t most) const {
    return !case_->is_wild && (lowest_ || most <= kLimit);
  }

  void expect_invalid() {
    const std::int64_t capacity = case_->capacity;
    const Options options = with_nodes(kFewNodes);
    expect(solve(problem_, capacity, options).status == Status::kInvalid,
           "solve takes an ill-formed problem");
    expect((minimize(problem_, options).status == Status::kInvalid) ==
               !check(problem_).ok(),
           "minimize takes an ill-formed problem, or refuses another");
    expect(explain(problem_, capacity, options).status == Status::kInvalid,
           "explain takes an ill-formed problem");
    expect(
        suggest_spills(problem_, capacity, options).status == Status::kInvalid,
        "suggest_spills takes an ill-formed problem");
    expect(minimize_penalty(problem_, capacity, options).status ==
               Status::kInvalid,
           "minimize_penalty takes an ill-formed problem");
    const std::vector<std::int64_t> offsets(problem_.buffers.size(), 0);
    expect(!validate(problem_, capacity, offsets).ok(),
           "validate takes an ill-formed problem");
  }

  void judge_all(const Options& options) {
    const bool must_end = options.node_limit == kPlenty;
    judge_solve(solve(problem_, case_->capacity, options), must_end);
    judge_minimum(minimize(problem_, options), must_end);
    judge_explanation(explain(problem_, case_->capacity, options), must_end);
    judge_spills(options);
    if (!problem_.penalties.empty()) judge_penalty(options);
    judge_planner(options);
    judge_certificate(options);
  }

  /// What any placement with its height must be.
  template <class R>
  void judge_placement(const R& result, std::int64_t capacity) {
    expect(validate(problem_, capacity, result.offsets).ok(),
           "validate refuses a placement");
    expect(testing::height_of(problem_, result.offsets) == result.height,
           "the height is not that of the placement");
    if (case_->is_wild) return;
    expect(testing::validate_pairwise(problem_, capacity, result.offsets).ok(),
           "a placement is wrong");
    expect(fits(result.height) || result.height > kLimit,
           "the oracle lacks a placement");
  }

  void judge_bound(const Result<>& result) {
    expect(result.has_solution() == !result.offsets.empty() ||
               problem_.buffers.empty(),
           "offsets without a placement, or none with one");
    if (result.has_solution())
      expect(result.lower_bound <= result.height, "bound above the height");
    if (result.status == Status::kOptimal)
      expect(result.lower_bound == result.height, "optimal above its bound");
    if (result.status != Status::kInfeasible && lowest_)
      expect(result.lower_bound <= *lowest_, "bound above the optimum");
    expect((result.status == Status::kUnknown) ==
                   (result.stopped_by != Stop::kNone) ||
               result.status == Status::kFeasible,
           "unknown, but nothing stopped it, or the reverse");
  }

  void judge_solve(const Result<>& result, bool must_end) {
    judge_bound(result);
    expect(result.status != Status::kInvalid, "solve calls it invalid");
    if (result.has_solution()) judge_placement(result, case_->capacity);
    if (result.status == Status::kInfeasible) {
      expect(!fits(case_->capacity), "solve refutes what fits");
      expect(result.lower_bound > case_->capacity,
             "infeasible, but not by the bound");
    }
    if (must_end)
      expect(result.status != Status::kUnknown, "solve does not end");
    if (must_end && is_known(case_->capacity))
      expect(result.has_solution() == fits(case_->capacity),
             "solve and the oracle disagree");
  }

  void judge_minimum(const Result<>& result, bool must_end) {
    judge_bound(result);
    expect(result.status != Status::kInvalid, "minimize calls it invalid");
    if (result.has_solution())
      judge_placement(result, (std::numeric_limits<std::int64_t>::max)());
    if (result.status == Status::kInfeasible)
      expect(!lowest_, "minimize refutes what fits");
    if (result.status == Status::kOptimal && lowest_)
      expect(result.height == *lowest_, "the minimum is not the lowest");
    if (must_end)
      expect(result.status == Status::kOptimal ||
                 result.status == Status::kInfeasible,
             "minimize does not end");
  }

  void judge_explanation(const Explanation<>& result, bool must_end) {
    const std::int64_t capacity = case_->capacity;
    expect(result.status != Status::kInvalid, "explain calls it invalid");
    expect(result.status == Status::kInfeasible || result.buffers.empty(),
           "an explanation of nothing");
    if (must_end) {
      expect(result.status != Status::kUnknown, "explain does not end");
      expect(result.status != Status::kInfeasible || result.proved_irreducible,
             "explain does not end with an irreducible set");
    }
    if (!is_known(capacity)) return;
    if (result.status == Status::kFeasible)
      expect(fits(capacity), "explain says that it fits");
    if (result.status != Status::kInfeasible) return;
    expect(!fits(capacity), "explain says that it does not fit");
    const Problem<> core = subset(problem_, result.buffers);
    expect(!Oracle(core).fits(capacity), "an explanation fits");
    for (std::size_t k = 0;
         result.proved_irreducible && k < core.buffers.size(); ++k)
      expect(Oracle(without(core, k)).fits(capacity),
             "an explanation is not irreducible");
  }

  [[nodiscard]] static Problem<> without(const Problem<>& problem,
                                         std::size_t k) {
    std::vector<std::size_t> rest;
    for (std::size_t i = 0; i < problem.buffers.size(); ++i)
      if (i != k) rest.push_back(i);
    return subset(problem, rest);
  }

  void judge_spills(const Options& options) {
    const std::size_t n = problem_.buffers.size();
    std::vector<std::int64_t> cost;
    for (std::size_t i = 0; i < n; ++i)
      cost.push_back(1 + static_cast<std::int64_t>((case_->seed + 3 * i) % 5));
    const Spills<> result =
        suggest_spills(problem_, case_->capacity, cost, options);
    expect(result.status == Status::kFeasible, "no spills");
    std::vector<std::size_t> kept;
    std::vector<std::int64_t> offsets;
    std::int64_t sum = 0;
    std::size_t spilled = 0;
    for (std::size_t i = 0; i < n && i < result.offsets.size(); ++i) {
      if (result.offsets[i] == Spills<>::kSpilled) {
        sum += cost[i];
        expect(
            spilled < result.buffers.size() && result.buffers[spilled++] == i,
            "spilled buffers are not those without offset");
      } else {
        kept.push_back(i);
        offsets.push_back(result.offsets[i]);
      }
    }
    expect(sum == result.cost, "spills cost something else");
    expect(result.cost_bound <= result.cost, "spills below their bound");
    expect(validate(subset(problem_, kept), case_->capacity, offsets).ok(),
           "what is not spilled is not placed");
    if (is_known(case_->capacity)) judge_cheapest(cost, result);
  }

  /// Nothing that is cheaper than what was proved lets the rest fit.
  void judge_cheapest(const std::vector<std::int64_t>& cost,
                      const Spills<>& result) {
    const std::int64_t proved =
        result.proved_cheapest ? result.cost : result.cost_bound;
    const std::size_t n = cost.size();
    for (std::size_t out = 0; out < std::size_t{1} << n; ++out) {
      std::vector<std::size_t> rest;
      std::int64_t sum = 0;
      for (std::size_t i = 0; i < n; ++i)
        if ((out >> i & 1U) != 0)
          sum += cost[i];
        else
          rest.push_back(i);
      if (sum >= proved) continue;
      const Problem<> part = subset(problem_, rest);
      if (Oracle(part).fits(case_->capacity))
        return expect(false, "something cheaper could be spilled");
    }
  }

  /// The last buffers come one after the other.
  void judge_planner(const Options& options) {
    const std::size_t n = problem_.buffers.size();
    if (n == 0) return;
    Options own;  // What is told on the way is of other problems.
    own.node_limit = options.node_limit;
    std::vector<std::size_t> first;
    for (std::size_t i = 0; i + 1 + case_->seed % n < n; ++i)
      first.push_back(i);
    const Problem<> begin = subset(problem_, first);
    const std::int64_t capacity = case_->capacity;
    const Result<> start = solve(begin, capacity, own);
    if (!start.has_solution()) return;
    Planner<> planner(begin, start.offsets, capacity);
    for (std::size_t i = first.size(); i < n; ++i) {
      Problem<> whole = planner.problem();
      whole.buffers.push_back(problem_.buffers[i]);
      const Result<> result = planner.add(problem_.buffers[i], own);
      expect(
          result.status != Status::kUnknown || result.stopped_by != Stop::kNone,
          "a planner does not know, but nothing stopped it");
      const bool is_ok = check(whole).ok();
      expect(result.status != Status::kInvalid || !is_ok,
             "a planner refuses a well-formed problem");
      if (result.has_solution() && is_ok)
        expect(validate(whole, capacity, result.offsets).ok(),
               "a planner misplaces buffers");
      if (case_->is_wild || capacity > kLimit) continue;
      if (result.status == Status::kInfeasible)
        expect(!Oracle(whole).fits(capacity), "a planner refutes what fits");
    }
  }

  /// What is certified does not fit, and the checker believes it.
  void judge_certificate(const Options& options) {
    const Certificate result = certify(problem_, case_->capacity, options);
    const bool is_proved = result.status == Status::kInfeasible;
    expect(is_proved == !result.text.empty(),
           "a certificate of what fits, or none of what does not");
    expect(
        !is_proved || testing::is_proof(problem_, case_->capacity, result.text),
        "the checker rejects a certificate");
    if (!is_known(case_->capacity)) return;
    expect(!is_proved || !fits(case_->capacity), "certified, but it fits");
    expect(result.status != Status::kFeasible || fits(case_->capacity),
           "not certified as it fits, but it does not");
  }

  void judge_penalty(const Options& options) {
    const bool must_end = options.node_limit == kPlenty;
    const PenaltyResult<> result =
        minimize_penalty(problem_, case_->capacity, options);
    expect(result.status != Status::kInvalid, "minimize_penalty: invalid");
    if (result.has_solution()) {
      judge_placement(result, case_->capacity);
      expect(penalty_cost(problem_, result.offsets) == result.cost,
             "penalties cost something else");
      expect(result.cost_bound <= result.cost, "penalties below their bound");
    }
    if (result.status == Status::kOptimal)
      expect(result.cost_bound == result.cost, "optimal above its bound");
    if (must_end)
      expect(result.status == Status::kOptimal ||
                 result.status == Status::kInfeasible,
             "minimize_penalty does not end");
    if (case_->is_wild) return;
    if (!has_least_) {
      has_least_ = true;
      least_ = testing::AllPlacements(problem_, case_->capacity).least();
    }
    if (result.status == Status::kInfeasible)
      expect(!least_, "minimize_penalty refutes what fits");
    if (!least_) return expect(!result.has_solution(), "no cost is known");
    expect(result.cost_bound <= *least_, "cost bound above the least cost");
    if (result.status == Status::kOptimal)
      expect(result.cost == *least_, "the least cost is another");
  }

  /// Other rules and strategies take other nodes to the same answer.
  void judge_settings(const Options& stopped) {
    constexpr const char* kStrategies[] = {"", "0WAT", "sZW,wTWA", "sTCA,0ULO"};
    Tuning tuning;
    const unsigned setting = case_->setting;
    tuning.rules.section_inference = (setting & 1U) == 0;
    tuning.rules.abandoned_slot = (setting & 2U) == 0;
    tuning.rules.twins = (setting & 4U) == 0;
    tuning.rules.failed_states = (setting & 8U) == 0;
    tuning.rules.conflict_sets = (setting & 16U) == 0;
    tuning.rules.decomposition = (setting & 32U) == 0;
    expect(
        read_strategies(kStrategies[setting / 64], tuning.strategies).empty(),
        "a strategy is none");
    tuning.rules.no_hurt_placement = case_->seed % 2 == 0;
    tuning.rules.failure_weights = case_->seed % 3 == 0;
    tuning.rules.restarts = case_->seed % 5 != 0;
    constexpr std::int64_t kNodes = 3000;
    for (const std::int64_t nodes : {stopped.node_limit, kNodes}) {
      Options options = with_nodes(nodes);
      options.tuning = &tuning;
      judge_solve(solve(problem_, case_->capacity, options), false);
      judge_minimum(minimize(problem_, options), false);
    }
  }

  /// The same in 32 bits.
  void judge_narrow() {
    using Narrow = std::int32_t;
    const auto narrow = [](std::int64_t number) {
      return static_cast<Narrow>(number);
    };
    const auto shorten = [&](const Interval<std::int64_t>& all) {
      return Interval<Narrow>{narrow(all.lower), narrow(all.upper)};
    };
    Problem<Narrow, Narrow> same;
    for (const Buffer<>& buffer : problem_.buffers) {
      Buffer<Narrow, Narrow> copy;
      copy.lifespan = shorten(buffer.lifespan);
      copy.size = narrow(buffer.size);
      copy.alignment = narrow(buffer.alignment);
      for (const Gap<>& gap : buffer.gaps) {
        copy.gaps.push_back({shorten(gap.lifespan), std::nullopt});
        if (gap.window) copy.gaps.back().window = shorten(*gap.window);
      }
      if (buffer.offset) copy.offset = narrow(*buffer.offset);
      if (buffer.hint) copy.hint = narrow(*buffer.hint);
      copy.end = buffer.end;
      same.buffers.push_back(copy);
    }
    for (const Alias<>& alias : problem_.aliases)
      same.aliases.push_back({alias.buffer, alias.of, narrow(alias.delta)});
    same.contiguous = problem_.contiguous;
    same.apart = problem_.apart;
    same.may_overlap = problem_.may_overlap;
    for (const Reserved<>& range : problem_.reserved) {
      same.reserved.push_back({shorten(range.bytes), std::nullopt});
      if (range.lifespan)
        same.reserved.back().lifespan = shorten(*range.lifespan);
    }
    same.penalties = problem_.penalties;
    same.base = narrow(problem_.base);
    same.alignment = narrow(problem_.alignment);
    expect(check(same).ok(), "ill-formed in 32 bits");
    Options options;
    options.node_limit = kPlenty;
    const Result<Narrow> result = minimize(same, options);
    expect(result.has_solution() || result.status == Status::kInfeasible,
           "no answer in 32 bits");
    if (result.has_solution())
      expect(validate(same, result.height, result.offsets).ok(),
             "no placement in 32 bits");
    if (lowest_)
      expect(result.has_solution() && result.height == *lowest_,
             "another minimum in 32 bits");
  }

  /// All bytes times `unit`: nothing changes, for tops are multiples of it.
  void judge_scaled() {
    const std::int64_t unit = case_->unit;
    if (unit == 1) return;
    Problem<> same = problem_;
    const auto scale = [&](Interval<std::int64_t>& bytes) {
      bytes.lower *= unit;
      bytes.upper *= unit;
    };
    for (Buffer<>& buffer : same.buffers) {
      buffer.size *= unit;
      buffer.alignment *= unit;
      if (buffer.offset) *buffer.offset *= unit;
      if (buffer.hint) *buffer.hint *= unit;
      for (Gap<>& gap : buffer.gaps)
        if (gap.window) scale(*gap.window);
    }
    for (Alias<>& alias : same.aliases) alias.delta *= unit;
    for (Reserved<>& range : same.reserved) scale(range.bytes);
    same.base *= unit;
    same.alignment *= unit;
    expect(check(same).ok(), "ill-formed when scaled");
    Options options;
    options.node_limit = kPlenty;
    const Result<> result = minimize(same, options);
    if (result.has_solution())
      expect(validate(same, result.height, result.offsets).ok(),
             "no placement when scaled");
    if (lowest_)
      expect(
          result.status == Status::kOptimal && result.height == *lowest_ * unit,
          "another minimum when scaled");
  }

  const Case* case_;
  Problem<> problem_;
  std::optional<std::int64_t> lowest_{};  ///< nothing: not within kLimit
  bool has_least_ = false;
  std::optional<std::int64_t> least_{};  ///< cost
  std::string wrong_{};
};

}  // namespace

std::string judge_case(const Case& c) {
  return Judge(c).run();
}

}  // namespace fuzz
}  // namespace snug
