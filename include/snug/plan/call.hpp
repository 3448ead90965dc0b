// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// One solve on its way: what was asked for, what stops it, what it did and found.
/// Handed down to everything that takes time or memory, instead of each of
/// these by itself.
///
/// A *share* is a part of a solve: it counts into the same statistics, may have
/// fewer nodes and less time. What it holds is held by the whole. What it proves may
/// hold for its own problem alone, so its progress reports do not say that, unless it
/// is told that it has the whole.
///
/// A share has *turns*. What is searched in one, models and all that was learnt,
/// stays until the next one:
///
///     share A   |== 100 nodes ==|               |== 400 more ==|
///     share B                   |== 100 nodes ==|              |== 400 more ==|
///
/// Only in a turn may a share be used, and only then is what stopped it forgotten.
///
/// Who asks a call whether to go on, and what it answers:
///
///     a search, now and then     limits().hit()   whether any limit is hit
///     between two attempts       must_stop()      the same, looked at now
///                                is_stopped()     whether it was hit at the last look
///                                is_settled()     or the outcome before is an answer
///     what is no search and      interrupt()      whether the time is up; what was
///     of no use in part                           made is dropped if it gave_up()
///     the same, of use in part   stopper()        must_stop()
#ifndef SNUG_PLAN_CALL_HPP
#define SNUG_PLAN_CALL_HPP

#include "snug/config.hpp"
#include "snug/engine/limits.hpp"
#include "snug/model/options.hpp"
#include "snug/model/result.hpp"
#include "snug/normal/flat.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"
#include "snug/support/outcome.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// The placement that is wanted: any one below the ceiling, or the lowest.
enum class Wanted : std::uint8_t { kAny, kLowest };

/// What a solve of a flat problem finds.
struct Found {
  List<std::int64_t> offsets{};  ///< bytes, by buffer; or empty
  /// After a refutation: the buffers that it used, ascending; empty: all.
  List<Index> core{};
  std::int64_t bound = 0;  ///< no placement is lower
};

/// What a call that stops has: the lowest placement known, if not the lowest of all.
[[nodiscard]] inline Outcome when_stopped(Wanted wanted,
                                          const Found& found) noexcept {
  return wanted == Wanted::kLowest && !found.offsets.empty()
             ? Outcome::kPlacedAll
             : Outcome::kOpen;
}

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
  /// No placement is lower than that.
  void note_bound(std::int64_t bound) noexcept {
    known().lower_bound = (std::max)(known().lower_bound, bound);
  }

  /// Whether a limit was hit by the last look.
  [[nodiscard]] bool is_stopped() const noexcept {
    return limits_.stopped_by() != Stop::kNone;
  }
  /// Whether there is no more to do in this turn, after an outcome.
  [[nodiscard]] bool is_settled(Outcome outcome) const noexcept {
    return outcome != Outcome::kOpen || is_stopped();
  }
  /// Looks at all limits, and says whether to stop.
  [[nodiscard]] bool must_stop() { return limits_.hit_now(stats_->nodes); }

  /// Whether to interrupt what is no search. Once it was, what comes of it is
  /// of no use: gave_up().
  [[nodiscard]] bool gives_up() {
    gave_up_ = gave_up_ || limits_.gives_up();
    return gave_up_;
  }
  [[nodiscard]] bool gave_up() const noexcept { return gave_up_; }
  [[nodiscard]] Interrupt interrupt() {
    return Interrupt::asking<&Call::gives_up>(*this);
  }
  /// For what keeps what it has: asks must_stop().
  [[nodiscard]] Interrupt stopper() {
    return Interrupt::asking<&Call::must_stop>(*this);
  }

  /// Whether it is of a window of a problem, or a share of such a one
  /// (plan/window_search.hpp): windows have no windows.
  [[nodiscard]] bool is_of_window() const noexcept { return is_of_window_; }
  void enter_window() noexcept { is_of_window_ = true; }

  /// What is held now, in bytes.
  [[nodiscard]] std::size_t held() const noexcept { return whole_->held_; }
  /// Counts memory held beside that.
  void count_bytes(std::size_t more) noexcept {
    stats_->peak_bytes = (std::max)(stats_->peak_bytes, held() + more);
  }

 private:
  friend class Held;
  friend class Share;

  const Options* options_;
  Stats* stats_;
  Limits limits_;
  Call* whole_ = this;    ///< in a share: of which it is one, or a share of one
  std::size_t held_ = 0;  ///< of the whole
  bool gave_up_ = false;
  bool is_of_window_ = false;
};

/// Memory that is held while this lives: no longer than the whole call, but it may
/// outlive the share that it began in.
class Held {
 public:
  Held(Call& call, std::size_t bytes) : whole_(call.whole_) { change(bytes); }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  ~Held() { whole_->held_ -= bytes_; }

  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }
  /// It is so much from now on.
  void change(std::size_t bytes) noexcept {
    whole_->held_ += bytes - bytes_;
    bytes_ = bytes;
    whole_->count_bytes(0);
  }

 private:
  Call* whole_;
  std::size_t bytes_ = 0;
};

/// A part of a call.
class Share {
 public:
  enum class Of { kPart, kWhole };
  enum class Time { kHalf, kAll };

  /// The nodes of a share that is no search: for half of the time that is left.
  static constexpr std::int64_t kNoSearch = 1;

  explicit Share(Call& whole, Of of = Of::kPart)
      : whole_(&whole),
        of_(of),
        options_(whole.options()),
        call_(options_, whole.stats()) {
    call_.whole_ = whole.whole_;
    call_.is_of_window_ = whole.is_of_window_;
    if (options_.progress == nullptr) return;
    options_.progress = &Share::report;
    options_.progress_data = this;
    // The whole knows when the next report is due.
    options_.progress_interval = std::chrono::nanoseconds(0);
  }
  /// One turn, as long as it lives.
  Share(Call& whole, std::int64_t nodes, Of of = Of::kPart) : Share(whole, of) {
    begin(nodes);
  }
  Share(const Share&) = delete;
  Share& operator=(const Share&) = delete;
  ~Share() {
    if (in_turn_) end();
  }

  [[nodiscard]] Call& call() noexcept { return call_; }
  /// Leaves half of the memory to others that hold some at the same time.
  void leave_memory() noexcept { options_.memory_limit /= 2; }

  /// Begins a turn of at most `nodes` more nodes, with half of the time left, or
  /// with all of it if that is wanted or there is no limit to the nodes.
  void begin(std::int64_t nodes, Time time = Time::kHalf) {
    const Options& all = whole_->options();
    const std::int64_t used = whole_->stats().nodes;
    options_.node_limit =
        nodes < all.node_limit - used ? used + nodes : all.node_limit;
    options_.time_limit = all.time_limit;
    if (is_timed(all))
      options_.time_limit =
          whole_->limits().time_left() /
          (time == Time::kAll || nodes == kNoNodeLimit ? 1 : 2);
    call_.limits_.restart();
    call_.gave_up_ = false;
    in_turn_ = true;
  }
  /// What stopped the share stops the whole only if it is the whole's limit.
  void end() {
    in_turn_ = false;
    if (call_.limits().stopped_by() == Stop::kCancelled)
      whole_->limits().cancel();
    if (of_ == Of::kWhole) {
      whole_->note_bound(call_.limits().lower_bound());
      if (call_.limits().leaves_out()) whole_->limits().leave_out();
    }
    (void)whole_->must_stop();
  }

 private:
  /// Reports no more than that it goes on, but of the whole.
  [[nodiscard]] static bool report(const Progress& progress, void* data) {
    const Share& share = *static_cast<Share*>(data);
    if (share.of_ == Of::kWhole) {
      share.whole_->note_bound(progress.lower_bound);
      if (progress.height >= 0)
        share.whole_->limits().note_height(progress.height);
    }
    return share.whole_->limits().report_when_due(progress.nodes);
  }

  Call* whole_;
  Of of_;
  Options options_;
  Call call_;
  bool in_turn_ = false;
};

/// Keeps what place(call, found) places in a share of at most `nodes` nodes. Returns
/// whether it places all.
template <class Place>
[[nodiscard]] bool place_in_share(Call& call, std::int64_t nodes, Found& found,
                                  const Place& place) {
  Share share(call, nodes);
  Found placed;
  if (place(share.call(), placed) != Outcome::kPlacedAll) return false;
  found.offsets = std::move(placed.offsets);
  return true;
}

/// A turn of a share, as long as it lives.
class Turn {
 public:
  Turn(Share& share, std::int64_t nodes, Share::Time time = Share::Time::kHalf)
      : share_(&share) {
    share.begin(nodes, time);
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  ~Turn() { share_->end(); }

 private:
  Share* share_;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAN_CALL_HPP
