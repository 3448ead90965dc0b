// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// One solve on its way: what was asked for, what stops it, and what it did.
/// Handed down to everything that takes time or memory, instead of each of
/// these by itself.
///
/// A *share* is a part of a solve: it counts into the same statistics, may have
/// fewer nodes and less time. What it proves may hold for its own problem alone, so
/// its progress reports do not say that, unless it is told that it has the whole.
#ifndef SNUG_PLAN_CALL_HPP
#define SNUG_PLAN_CALL_HPP

#include "snug/config.hpp"
#include "snug/engine/limits.hpp"
#include "snug/model/options.hpp"
#include "snug/model/result.hpp"
#include "snug/support/interrupt.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>

SNUG_BEGIN_NAMESPACE
namespace detail {

inline constexpr std::int64_t kNoNodeLimit =
    (std::numeric_limits<std::int64_t>::max)();

/// a * b, both not negative, or kNoNodeLimit if that is too much.
[[nodiscard]] constexpr std::int64_t multiply_nodes(std::int64_t a,
                                                    std::int64_t b) noexcept {
  return b != 0 && a > kNoNodeLimit / b ? kNoNodeLimit : a * b;
}

/// The turn after one of so many nodes, of attempts that take turns.
[[nodiscard]] constexpr std::int64_t longer_turn(std::int64_t nodes) noexcept {
  return multiply_nodes(4, nodes);
}

class Call {
 public:
  /// Both must outlive the call.
  Call(const Options& options, Stats& stats)
      : options_(&options), stats_(&stats), limits_(options) {}
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  [[nodiscard]] const Options& options() const noexcept { return *options_; }
  [[nodiscard]] Stats& stats() noexcept { return *stats_; }
  [[nodiscard]] Limits& limits() noexcept { return limits_; }
  /// What a search needs of it.
  [[nodiscard]] Run run() noexcept { return {options_, stats_, &limits_}; }
  /// What a progress report says.
  [[nodiscard]] Progress& known() noexcept { return limits_.known(); }

  /// Whether a limit was hit by the last look.
  [[nodiscard]] bool is_stopped() const noexcept {
    return limits_.stopped_by() != Stop::kNone;
  }
  /// Looks at all limits, and says whether to stop.
  [[nodiscard]] bool stop() { return limits_.hit_now(stats_->nodes); }

  /// Whether to interrupt what is no search. Once it was, what comes of it is
  /// of no use: gave_up().
  [[nodiscard]] bool gives_up() {
    gave_up_ = gave_up_ || limits_.is_interrupted();
    return gave_up_;
  }
  [[nodiscard]] bool gave_up() const noexcept { return gave_up_; }
  [[nodiscard]] Interrupt interrupt() { return Interrupt(*this); }

  /// Counts memory held beside all that hold() says is held.
  void count_bytes(std::size_t more) noexcept {
    stats_->peak_bytes = (std::max)(stats_->peak_bytes, held_ + more);
  }

 private:
  friend class Held;
  friend class Share;

  const Options* options_;
  Stats* stats_;
  Limits limits_;
  std::size_t held_ = 0;
  bool gave_up_ = false;
};

/// Memory that is held while this lives.
class Held {
 public:
  Held(Call& call, std::size_t bytes) : call_(&call), bytes_(bytes) {
    call_->held_ += bytes_;
    call_->count_bytes(0);
  }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  ~Held() { call_->held_ -= bytes_; }

 private:
  Call* call_;
  std::size_t bytes_;
};

/// A part of a call with at most `nodes` more nodes and half of the time left.
class Share {
 public:
  enum class Of { kPart, kWhole };

  Share(Call& whole, std::int64_t nodes, Of of = Of::kPart)
      : whole_(&whole),
        of_(of),
        options_(whole.options()),
        call_(prepare(nodes), whole.stats()) {
    call_.held_ = whole.held_;
  }
  Share(const Share&) = delete;
  Share& operator=(const Share&) = delete;
  /// What stopped the share stops the whole only if it is the whole's limit.
  ~Share() {
    if (call_.limits().stopped_by() == Stop::kCancelled)
      whole_->limits().cancel();
    (void)whole_->stop();
  }

  [[nodiscard]] Call& call() noexcept { return call_; }

 private:
  [[nodiscard]] const Options& prepare(std::int64_t nodes) {
    const std::int64_t used = whole_->stats().nodes;
    if (nodes < options_.node_limit - used) options_.node_limit = used + nodes;
    if (options_.time_limit != (std::chrono::nanoseconds::max)())
      options_.time_limit = whole_->limits().time_left() / 2;
    if (options_.progress != nullptr) {
      options_.progress = &Share::report;
      options_.progress_data = this;
    }
    return options_;
  }

  /// Reports no more than that it goes on, but of the whole.
  [[nodiscard]] static bool report(const Progress& progress, void* data) {
    const Share& share = *static_cast<Share*>(data);
    Progress& known = share.whole_->known();
    if (share.of_ == Of::kWhole) {
      known.lower_bound = (std::max)(known.lower_bound, progress.lower_bound);
      if (progress.height >= 0 &&
          (known.height < 0 || progress.height < known.height))
        known.height = progress.height;
    }
    return share.whole_->limits().report(progress.nodes);
  }

  Call* whole_;
  Of of_;
  Options options_;
  Call call_;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAN_CALL_HPP
