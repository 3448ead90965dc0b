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
#include "snug/model/explanation.hpp"
#include "snug/model/options.hpp"
#include "snug/model/result.hpp"
#include "snug/plan/call.hpp"
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
      : options_(&options), start_(Clock::now()), reported_(start_) {}
  Budget(const Budget&) = delete;
  Budget& operator=(const Budget&) = delete;

  /// The options of the next solve, of at most `nodes` nodes. They must not be
  /// used after another call.
  [[nodiscard]] Options share(std::int64_t nodes) {
    Options options = *options_;
    options.node_limit = (std::min)(nodes, nodes_left());
    // Below zero is as zero, and there may be nothing below it.
    if (is_timed(*options_))
      options.time_limit =
          (std::max)(options_->time_limit, std::chrono::nanoseconds(0)) -
          spent();
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
        (options_->progress != nullptr && !report({}, this)))
      stopped_by_ = Stop::kCancelled;
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
    if (stopped_by_ != Stop::kNone) return stopped_by_;
    if (stats_.nodes >= options_->node_limit) {
      stopped_by_ = Stop::kNodeLimit;
    } else if (is_cancelled(*options_)) {
      stopped_by_ = Stop::kCancelled;
    } else if (is_late()) {
      stopped_by_ = Stop::kTimeLimit;
    }
    return stopped_by_;
  }
  /// Why the question of a call was left open: the limit that was hit. If none
  /// was, something was too large to be searched, which is as a node limit.
  [[nodiscard]] Stop left_open_by() {
    const Stop limit = stopped_by();
    return limit != Stop::kNone ? limit : Stop::kNodeLimit;
  }
  [[nodiscard]] bool is_spent() { return stopped_by() != Stop::kNone; }
  /// Whether the time is up or the call was cancelled, for what takes no nodes.
  [[nodiscard]] bool is_interrupted() {
    if (stopped_by_ == Stop::kNone) (void)stopped_by();
    return stopped_by_ == Stop::kCancelled || stopped_by_ == Stop::kTimeLimit ||
           is_cancelled(*options_) || is_late();
  }
  /// As of a Call.
  [[nodiscard]] bool gives_up() {
    gave_up_ = gave_up_ || is_interrupted();
    return gave_up_;
  }
  [[nodiscard]] bool gave_up() const noexcept { return gave_up_; }
  [[nodiscard]] Interrupt interrupt() { return Interrupt(*this); }
  [[nodiscard]] const Options& options() const noexcept { return *options_; }
  [[nodiscard]] std::int64_t nodes_left() const noexcept {
    return (std::max)(options_->node_limit, std::int64_t{0}) - stats_.nodes;
  }
  [[nodiscard]] ExplainStats stats() const {
    ExplainStats stats = stats_;
    stats.seconds = std::chrono::duration<double>(spent()).count();
    return stats;
  }

 private:
  using Clock = std::chrono::steady_clock;

  [[nodiscard]] bool is_late() const {
    return is_timed(*options_) && spent() >= options_->time_limit;
  }
  [[nodiscard]] std::chrono::nanoseconds spent() const {
    return Clock::now() - start_;
  }

  /// Passes the report of a solve on, with the nodes and the time of all.
  [[nodiscard]] static bool report(const Progress& progress, void* data) {
    Budget& budget = *static_cast<Budget*>(data);
    if (budget.is_refused_) return false;
    const Clock::time_point now = Clock::now();
    if (now - budget.reported_ < budget.options_->progress_interval)
      return true;
    budget.reported_ = now;
    Progress all;
    all.nodes = budget.stats_.nodes + progress.nodes;
    all.seconds = budget.stats().seconds;
    budget.is_refused_ =
        !budget.options_->progress(all, budget.options_->progress_data);
    return !budget.is_refused_;
  }

  const Options* options_;
  Clock::time_point start_;
  Clock::time_point reported_;
  ExplainStats stats_{};
  std::int64_t cut_short_ = 0;
  Stop stopped_by_ = Stop::kNone;
  bool gave_up_ = false;
  bool is_refused_ = false;  ///< as of Limits
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAN_BUDGET_HPP
