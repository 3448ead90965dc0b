// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// One set of limits for a call that makes many solves: each gets a share of
/// the nodes and what is left of the time.
///
/// Shares count nodes, so that without a time limit the result is the same on
/// every machine.
#ifndef SNUG_PLAN_BUDGET_HPP
#define SNUG_PLAN_BUDGET_HPP

#include "snug/config.hpp"
#include "snug/engine/limits.hpp"
#include "snug/model/check.hpp"
#include "snug/model/explanation.hpp"
#include "snug/model/options.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/result.hpp"
#include "snug/support/interrupt.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// Nodes for each buffer of the first tries.
inline constexpr std::int64_t kFirstNodes = 64;

class Budget {
 public:
  /// `options` must outlive the budget.
  explicit Budget(const Options& options)
      : options_(&options), limits_(options) {}
  Budget(const Budget&) = delete;
  Budget& operator=(const Budget&) = delete;

  /// The options of the next solve, of at most `nodes` nodes. They must not be
  /// used after another call.
  [[nodiscard]] Options share(std::int64_t nodes) {
    Options options = *options_;
    options.node_limit = (std::min)(nodes, nodes_left());
    options.time_limit = limits_.time_left();
    if (options_->progress != nullptr) {
      options.progress = &Budget::report;
      options.progress_data = this;
      // Solves may be shorter than the interval, which is that of all of them.
      options.progress_interval = std::chrono::nanoseconds(0);
    }
    return options;
  }
  /// Enters what a solve did.
  void add(const Stats& stats, Stop stopped_by) {
    ++stats_.solves;
    stats_.nodes += stats.nodes;
    if (stopped_by == Stop::kNodeLimit) ++cut_short_;
    if (stopped_by == Stop::kCancelled ||
        (options_->progress != nullptr &&
         !limits_.report_when_due(stats_.nodes)))
      limits_.cancel();
  }
  /// How many solves had no nodes left, of their share or of all: with a larger
  /// share they might do better.
  [[nodiscard]] std::int64_t cut_short() const noexcept { return cut_short_; }
  /// Enters nodes that took no solve, as far as there are any left.
  void add_nodes(std::int64_t nodes) {
    stats_.nodes += (std::min)(nodes, nodes_left());
  }
  /// kNone as long as no limit of the call was hit, else which.
  [[nodiscard]] Stop stopped_by() {
    (void)is_interrupted();
    return limits_.stopped_by();
  }
  /// Why the question of a call was left open: the limit that was hit. If none
  /// was, something was too large to be searched, which is as a node limit.
  [[nodiscard]] Stop left_open_by() {
    (void)is_interrupted();
    return limits_.left_open_by();
  }
  [[nodiscard]] bool is_spent() { return stopped_by() != Stop::kNone; }
  /// Whether the time is up or the call was cancelled, for what takes no nodes.
  [[nodiscard]] bool is_interrupted() {
    if (stats_.nodes >= options_->node_limit) (void)limits_.hit(stats_.nodes);
    return limits_.gives_up();
  }
  /// The same; once it was so, it stays so, and what was being made is of no use.
  [[nodiscard]] bool gives_up() {
    gave_up_ = gave_up_ || is_interrupted();
    return gave_up_;
  }
  [[nodiscard]] bool gave_up() const noexcept { return gave_up_; }
  /// Whether a call gave up before its search began: `result` says so then.
  template <class Result>
  [[nodiscard]] bool has_given_up(Result& result) {
    if (!gave_up_) return false;
    result.status = Status::kUnknown;
    result.stopped_by = left_open_by();
    result.stats = stats();
    return true;
  }
  [[nodiscard]] Interrupt interrupt() {
    return Interrupt::asking<&Budget::gives_up>(*this);
  }
  /// For what keeps what it has: asks is_interrupted().
  [[nodiscard]] Interrupt stopper() {
    return Interrupt::asking<&Budget::is_interrupted>(*this);
  }
  [[nodiscard]] const Options& options() const noexcept { return *options_; }
  [[nodiscard]] Limits& limits() noexcept { return limits_; }
  [[nodiscard]] std::int64_t nodes_left() const noexcept {
    return (std::max)(options_->node_limit, std::int64_t{0}) - stats_.nodes;
  }
  [[nodiscard]] ExplainStats stats() const {
    ExplainStats stats = stats_;
    stats.seconds = limits_.seconds();
    return stats;
  }

 private:
  /// Passes the report of a solve on, with the nodes and the time of all: what
  /// it knows is of a part.
  [[nodiscard]] static bool report(const Progress& progress, void* data) {
    Budget& budget = *static_cast<Budget*>(data);
    return budget.limits_.report_when_due(budget.stats_.nodes + progress.nodes);
  }

  const Options* options_;
  Limits limits_;  ///< of the call; told of the nodes now and then
  ExplainStats stats_{};
  std::int64_t cut_short_ = 0;
  bool gave_up_ = false;
};

/// Checks what a call is given. Returns whether there is something to search; `result`
/// says why, if not.
template <class Size, class Time, class Result>
[[nodiscard]] bool is_worth_search(const Problem<Size, Time>& problem,
                                   Size capacity, Budget& budget,
                                   Result& result) {
  result.error = check<false>(problem, budget.interrupt());
  check_capacity(capacity, result.error);
  return result.error.ok() && !budget.has_given_up(result);
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAN_BUDGET_HPP
