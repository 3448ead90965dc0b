// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The same on several cores: snug::race::solve() and minimize() let searches
/// with different seeds run against each other, in threads of their own.
///
///     seed     -----+-------------------->|
///     seed + 1      +---------X           |   the answer with the fewest nodes;
///     seed + 2      +-------------------->|   the others end where they have more
///             some nodes
///
/// How long a hard search takes is a matter of luck: minimize() takes 15 000 to
/// 45 000 nodes for D of the TPU benchmarks, and 200 000 to more than 3 000 000 for
/// J, depending on the seed. Where a search is as far from its end at any time, the
/// first of k needs about a k-th.
/// The others start when the first has had some nodes: what is solved soon is
/// solved alone, and starts no thread.
///
/// *The same on every run.* What each racer does is settled by its seed. The
/// winner is not who comes in first, but who needs the fewest nodes; of equals
/// the one with the lower seed; and the first seed, if it needs so few that no
/// other starts. Who has an answer tells the others how many nodes it took, and
/// these go on only as long as they have fewer. So the result depends on how many
/// racers there are, not on the machine. With a time limit, or cancelled, it
/// does, as always.
///
/// *Threads* come from std::async; where that needs it, link with -pthread. A
/// racer that gets no thread runs after the others. An exception of one of them
/// (std::bad_alloc) ends the others and reaches the caller. Any of the threads
/// may call Options::progress, but no two at the same time.
///
/// Source: Gomes and Selman, "Algorithm portfolios" (Artificial Intelligence
/// 126, 2001), for why seeds race; Hamadi, Jabbour, Piette and Sais,
/// "Deterministic parallel DPLL" (JSAT 7, 2011), for the aim.
#ifndef SNUG_RACE_HPP
#define SNUG_RACE_HPP

#include "snug/config.hpp"
#include "snug/engine/limits.hpp"
#include "snug/minimize.hpp"
#include "snug/model/options.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/result.hpp"
#include "snug/solve.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <future>
#include <limits>
#include <mutex>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// A race of the same call(options) with different seeds.
template <class Size, class Call>
class Race {
 public:
  /// All but the first of `racers` start when that one has had `alone` nodes.
  Race(std::size_t racers, std::int64_t alone, const Options& options,
       const Call& call)
      : call_(&call),
        options_(options),
        alone_(alone),
        limits_(options_),
        racers_(racers + 1) {
    for (std::size_t k = 0; k <= racers; ++k) racers_[k] = {this, k, {}, {}};
    others_.reserve(racers);
  }
  Race(const Race&) = delete;
  Race& operator=(const Race&) = delete;

  [[nodiscard]] Result<Size> run() {
    Finish finish(*this);
    race(racers_[0]);
    for (std::future<void>& other : others_) other.get();
    // Goes on from nothing, so it may end before it is as low as they were.
    const bool goes_alone =
        best_ == kNobody && !is_stopped_ && gave_up(lowest().result);
    if (goes_alone) race(racers_.back());
    finish.reach();
    Result<Size> result = best_ != kNobody
                              ? std::move(racers_[best_.second].result)
                              : join_racers(goes_alone);
    result.stats.seconds = limits_.seconds();
    return result;
  }

 private:
  using Clock = std::chrono::steady_clock;
  using Arrival = std::pair<std::int64_t, std::size_t>;  ///< nodes, racer

  static constexpr Arrival kNobody = {
      (std::numeric_limits<std::int64_t>::max)(),
      (std::numeric_limits<std::size_t>::max)()};

  struct Racer {
    Race* race;
    std::size_t number;
    Progress known;
    Result<Size> result;
  };

  /// Stops the race when somebody leaves it by an exception.
  class Finish {
   public:
    explicit Finish(Race& race) : race_(&race) {}
    Finish(const Finish&) = delete;
    Finish& operator=(const Finish&) = delete;
    ~Finish() {
      if (is_reached_) return;
      const std::lock_guard<std::mutex> lock(race_->mutex_);
      race_->is_stopped_ = true;
    }
    void reach() noexcept { is_reached_ = true; }

   private:
    Race* race_;
    bool is_reached_ = false;
  };

  /// The last one runs when the others have ended: as the first, with all memory.
  void race(Racer& racer) {
    Finish finish(*this);
    Options options = options_;
    options.time_limit = limits_.time_left();
    if (const std::size_t count = racers_.size() - 1; racer.number < count) {
      options.seed += racer.number;
      options.memory_limit /= count;
    }
    options.progress = &Race::report;
    options.progress_data = &racer;
    options.progress_interval = std::chrono::nanoseconds(0);
    racer.result = (*call_)(options);
    finish.reach();
    if (racer.result.stopped_by != Stop::kNone) return;
    const std::lock_guard<std::mutex> lock(mutex_);
    best_ = (std::min)(best_, {racer.result.stats.nodes, racer.number});
  }

  [[nodiscard]] static bool report(const Progress& known, void* data) {
    auto& racer = *static_cast<Racer*>(data);
    Race& race = *racer.race;
    if (!race.goes_on(racer, known)) return false;
    if (racer.number == 0 && known.nodes >= race.alone_) race.start_others();
    return true;
  }

  /// Whether a racer may still win.
  [[nodiscard]] bool goes_on(Racer& racer, const Progress& known) {
    const std::lock_guard<std::mutex> lock(mutex_);
    racer.known = known;
    if (options_.progress != nullptr && !is_stopped_) tell();
    return !is_stopped_ && Arrival{known.nodes, racer.number} < best_;
  }

  void start_others() {
    for (std::size_t k = others_.size() + 1; k + 1 < racers_.size(); ++k)
      others_.push_back(std::async(std::launch::async | std::launch::deferred,
                                   [this, k] { race(racers_[k]); }));
  }

  /// Tells the caller what they know together.
  void tell() {
    const Clock::time_point now = Clock::now();
    if (now - told_ < options_.progress_interval) return;
    told_ = now;
    Progress all;
    for (const Racer& racer : racers_) {
      const Progress& known = racer.known;
      if (known.height >= 0 && (all.height < 0 || known.height < all.height))
        all.height = known.height;
      all.lower_bound = (std::max)(all.lower_bound, known.lower_bound);
      all.nodes += known.nodes;
    }
    all.seconds = limits_.seconds();
    is_stopped_ = !options_.progress(all, options_.progress_data);
  }

  /// Who has the lowest placement; the first, if nobody has one.
  [[nodiscard]] Racer& lowest() {
    Racer* best = &racers_[0];
    for (Racer& racer : racers_)
      if (racer.result.has_solution() &&
          (!best->result.has_solution() ||
           racer.result.height < best->result.height))
        best = &racer;
    return *best;
  }

  /// What they say together where none has an answer.
  [[nodiscard]] Result<Size> join_racers(bool went_alone) {
    Result<Size> result = lowest().result;
    for (const Racer& racer : racers_)
      result.lower_bound =
          (std::max)(result.lower_bound, racer.result.lower_bound);
    if (went_alone) result.stopped_by = racers_.back().result.stopped_by;
    if (is_stopped_) result.stopped_by = Stop::kCancelled;
    if (result.has_solution() && result.height <= result.lower_bound) {
      result.status = Status::kOptimal;
      result.stopped_by = Stop::kNone;
    }
    return result;
  }

  /// Whether a share of the memory was too little to search at all.
  [[nodiscard]] bool gave_up(const Result<Size>& result) const noexcept {
    return options_.memory_limit != (std::numeric_limits<std::size_t>::max)() &&
           result.stopped_by == Stop::kNodeLimit &&
           result.stats.nodes < options_.node_limit;
  }

  const Call* call_;
  Options options_;
  std::int64_t alone_;
  Limits limits_;
  std::vector<Racer> racers_;  ///< and the one that may go alone
  std::mutex mutex_{};
  Arrival best_ = kNobody;
  bool is_stopped_ = false;
  Clock::time_point told_ = Clock::now();
  std::vector<std::future<void>> others_{};  ///< ends before the rest does
};

/// Lets `racers` make the same call(options); see Race.
template <class Size, class Call>
[[nodiscard]] Result<Size> run_race(std::size_t racers, std::int64_t alone,
                                    const Options& options, const Call& call) {
  if (racers < 2) return call(options);
  return Race<Size, Call>(racers, alone, options, call).run();
}

/// Nodes after which a problem is worth several threads: some ten milliseconds.
inline constexpr std::int64_t kNodesAlone = 4096;

}  // namespace detail

namespace race {

/// snug::solve() with the seeds options.seed to options.seed + racers - 1, each
/// in a thread of its own: one of them per core is what pays. The result, with
/// its statistics, is that of the winner. Options::node_limit is for each of
/// them. Options::memory_limit is for all together, in equal shares; what cannot
/// be searched with a share is solved alone then, from the beginning. Memory: that of
/// so many solves.
template <class Size, class Time>
[[nodiscard]] Result<Size> solve(
    const Problem<Size, Time>& problem,
    typename Problem<Size, Time>::SizeType capacity, std::size_t racers,
    const Options& options = {}) {
  return detail::run_race<Size>(
      racers, detail::kNodesAlone, options,
      [&](const Options& own) { return snug::solve(problem, capacity, own); });
}

/// snug::minimize() in the same way. If a limit stops all of them, the lowest of
/// their placements, with the highest of their bounds.
template <class Size, class Time>
[[nodiscard]] Result<Size> minimize(const Problem<Size, Time>& problem,
                                    std::size_t racers,
                                    const Options& options = {}) {
  return detail::run_race<Size>(
      racers, detail::kNodesAlone, options,
      [&](const Options& own) { return snug::minimize(problem, own); });
}

/// snug::minimize_within() in the same way.
template <class Size, class Time>
[[nodiscard]] Result<Size> minimize_within(
    const Problem<Size, Time>& problem,
    typename Problem<Size, Time>::SizeType capacity, std::size_t racers,
    const Options& options = {}) {
  return detail::run_race<Size>(
      racers, detail::kNodesAlone, options, [&](const Options& own) {
        return snug::minimize_within(problem, capacity, own);
      });
}

}  // namespace race
SNUG_END_NAMESPACE

#endif  // SNUG_RACE_HPP
