// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// When to stop, and when to report: one predicate for the node limit, the
/// clock, the cancel flag and the progress callback. Nodes are counted exactly;
/// the clock is read every 64 nodes, and not at all when nobody asks.
#ifndef SNUG_ENGINE_LIMITS_HPP
#define SNUG_ENGINE_LIMITS_HPP

#include "snug/config.hpp"
#include "snug/model/options.hpp"
#include "snug/model/result.hpp"
#include "snug/support/interrupt.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>

SNUG_BEGIN_NAMESPACE
namespace detail {

[[nodiscard]] inline bool is_timed(const Options& options) noexcept {
  return options.time_limit != (std::chrono::nanoseconds::max)();
}
[[nodiscard]] inline bool is_cancelled(const Options& options) noexcept {
  return options.cancel != nullptr &&
         options.cancel->load(std::memory_order_relaxed);
}

class Limits {
 public:
  explicit Limits(const Options& options)
      : options_(&options), start_(Clock::now()) {}

  /// The time counts from now on, and nothing was hit.
  void restart() {
    start_ = Clock::now();
    stopped_by_ = Stop::kNone;
  }
  /// Whether to stop before another node; stopped_by() then says why.
  [[nodiscard]] bool hit(std::int64_t nodes) {
    if (stopped_by_ != Stop::kNone) return true;
    if (nodes >= options_->node_limit) {
      stopped_by_ = Stop::kNodeLimit;
    } else if (is_cancelled(*options_)) {
      stopped_by_ = Stop::kCancelled;
    } else if (nodes % kNodesPerLook == 0) {
      stopped_by_ = look(nodes);
    }
    return stopped_by_ != Stop::kNone;
  }
  /// The same, and always looks at the clock.
  [[nodiscard]] bool hit_now(std::int64_t nodes) {
    if (!hit(nodes) && nodes % kNodesPerLook != 0) stopped_by_ = look(nodes);
    return stopped_by_ != Stop::kNone;
  }
  /// Whether the time is up or the call was cancelled, for what takes no nodes.
  /// This does not make a Call give up (plan/call.hpp): it is for what is of use even
  /// if it was cut short.
  [[nodiscard]] bool gives_up() {
    if (stopped_by_ == Stop::kCancelled) return true;
    const Stop now =
        is_cancelled(*options_) ? Stop::kCancelled : look(known_.nodes);
    if (stopped_by_ == Stop::kNone) stopped_by_ = now;
    return now != Stop::kNone;
  }
  [[nodiscard]] Interrupt interrupt() {
    return Interrupt::asking<&Limits::gives_up>(*this);
  }
  /// What a progress report says; whoever learns something writes it here.
  [[nodiscard]] Progress& known() noexcept { return known_; }
  /// kNone as long as no limit was hit.
  [[nodiscard]] Stop stopped_by() const noexcept { return stopped_by_; }
  /// What there is no time for is left out, and so the question may stay open.
  void leave_out() noexcept { leaves_out_ = true; }
  [[nodiscard]] bool leaves_out() const noexcept { return leaves_out_; }
  /// Why there is no answer: a limit, or that there was no search at all.
  [[nodiscard]] Stop left_open_by() const noexcept {
    if (stopped_by_ != Stop::kNone) return stopped_by_;
    return leaves_out_ ? Stop::kTimeLimit : Stop::kNodeLimit;
  }
  /// Heights are counted from here from now on, but not in reports.
  void set_ground(std::int64_t ground) noexcept {
    const std::int64_t change = ground_ - ground;
    if (known_.height >= 0)
      known_.height = (std::max)(known_.height + change, std::int64_t{0});
    known_.lower_bound += change;
    ground_ = ground;
  }
  /// No placement is lower, counted from 0.
  [[nodiscard]] std::int64_t lower_bound() const noexcept {
    return known_.lower_bound + ground_;
  }
  /// No placement above this height, counted from 0, is one of the problem.
  void set_ceiling(std::int64_t ceiling) noexcept { ceiling_ = ceiling; }
  /// There is a placement of this height.
  void note_height(std::int64_t height) noexcept {
    if (height > ceiling_ - ground_) return;
    if (known_.height < 0 || height < known_.height) known_.height = height;
  }
  /// Stops the solve as if its progress callback had.
  void cancel() noexcept { stopped_by_ = Stop::kCancelled; }
  /// Tells options.progress, which there is, what is known after so many nodes,
  /// if the last report is an interval ago. False if it wants to cancel.
  [[nodiscard]] bool report_when_due(std::int64_t nodes) {
    return report_at(Clock::now(), nodes);
  }
  /// Until the time limit; not below zero.
  [[nodiscard]] std::chrono::nanoseconds time_left() const {
    if (!is_timed(*options_)) return options_->time_limit;
    const std::chrono::nanoseconds spent = Clock::now() - start_;
    // A limit below zero may have nothing below it.
    return options_->time_limit > spent ? options_->time_limit - spent
                                        : std::chrono::nanoseconds(0);
  }
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(Clock::now() - start_).count();
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::int64_t kNodesPerLook = 64;

  [[nodiscard]] bool is_late(Clock::time_point now) const {
    return now - start_ >= options_->time_limit;
  }

  /// Looks at the clock, and reports. Why to stop.
  [[nodiscard]] Stop look(std::int64_t nodes) {
    if (!is_timed(*options_) && options_->progress == nullptr)
      return Stop::kNone;
    const Clock::time_point now = Clock::now();
    if (options_->progress != nullptr && !report_at(now, nodes))
      return Stop::kCancelled;
    return is_late(now) ? Stop::kTimeLimit : Stop::kNone;
  }
  [[nodiscard]] bool report_at(Clock::time_point now, std::int64_t nodes) {
    if (is_refused_) return false;
    if (now - reported_ < options_->progress_interval) return true;
    reported_ = now;
    // Whoever has a part of the nodes does not know of the others.
    known_.nodes = (std::max)(known_.nodes, nodes);
    Progress report = known_;
    report.seconds = std::chrono::duration<double>(now - start_).count();
    // What is fixed counts towards the bound, and is no part of the search.
    if (report.height >= 0)
      report.height = (std::max)(report.height, report.lower_bound) + ground_;
    report.lower_bound = lower_bound();
    is_refused_ = !options_->progress(report, options_->progress_data);
    return !is_refused_;
  }

  const Options* options_;
  Clock::time_point start_;
  Clock::time_point reported_ = start_;
  Progress known_{};
  std::int64_t ground_ = 0;
  std::int64_t ceiling_ = (std::numeric_limits<std::int64_t>::max)();
  Stop stopped_by_ = Stop::kNone;
  bool is_refused_ = false;  ///< a report was the last: nobody is asked again
  bool leaves_out_ = false;
};

/// Interrupts what is of use even if it is cut short, once a part of the time that is
/// left now has passed.
class TimeForPart {
 public:
  TimeForPart(Limits& limits, int part)
      : limits_(&limits), least_left_(limits.time_left()) {
    least_left_ -= least_left_ / part;
  }

  [[nodiscard]] bool is_over() {
    return limits_->time_left() < least_left_ || limits_->gives_up();
  }
  [[nodiscard]] Interrupt interrupt() {
    return Interrupt::asking<&TimeForPart::is_over>(*this);
  }

 private:
  Limits* limits_;
  std::chrono::nanoseconds least_left_;
};

/// What a search is handed from above: how to go about it, where to count, when
/// to stop.
struct Run {
  const Options* options;
  Stats* stats;
  Limits* limits;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_ENGINE_LIMITS_HPP
