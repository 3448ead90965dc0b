// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The same on several cores: snug::race::solve() and minimize() let searches
/// with different seeds run against each other, in threads of their own.
///
///     seed ------ alone, a few nodes ----> answered: done
///                        | not yet
///     seed      ---------+------------>|
///     seed + 1  ---------+----X        |   the answer with the fewest nodes;
///     seed + 2  ---------+------------>|   the others end where they have more
///
/// How long a hard search takes is a matter of luck: at its load, D of the TPU
/// benchmarks takes 60 000 to 1 200 000 nodes, depending on the seed, and is as
/// far from its end at any time. So the first of k searches needs about a k-th.
/// What is solved soon is solved alone, and starts no thread.
///
/// *The same on every run.* What each racer does is settled by its seed. The
/// winner is not who comes in first, but who needs the fewest nodes; of equals
/// the one with the lower seed. Who has an answer tells the others how many nodes
/// it took, and these go on only as long as they have fewer. So the result
/// depends on how many racers there are, not on the machine. With a time limit,
/// or cancelled, it does, as always.
///
/// *Threads* come from std::async; where that needs it, link with -pthread. An
/// exception of one racer (std::bad_alloc) ends the others and reaches the
/// caller. No two threads call Options::progress at the same time.
#ifndef SNUG_RACE_HPP
#define SNUG_RACE_HPP

#include "snug/config.hpp"
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

/// What the racers of one call know of each other.
class Race {
 public:
  Race(const Options& options, std::size_t racers)
      : options_(options), racers_(racers) {
    for (std::size_t k = 0; k < racers; ++k) racers_[k] = {this, k, {}};
  }
  Race(const Race&) = delete;
  Race& operator=(const Race&) = delete;

  [[nodiscard]] Options options_of(std::size_t racer) {
    Options options = options_;
    options.seed += racer;
    options.memory_limit /= racers_.size();
    options.progress = &Race::report;
    options.progress_data = &racers_[racer];
    options.progress_interval = std::chrono::nanoseconds(0);
    return options;
  }

  /// A racer has an answer, after so many nodes.
  void arrive(std::size_t racer, std::int64_t nodes) {
    const std::lock_guard<std::mutex> lock(mutex_);
    best_ = (std::min)(best_, {nodes, racer});
  }
  /// Nobody goes on.
  void stop() {
    const std::lock_guard<std::mutex> lock(mutex_);
    is_stopped_ = true;
  }

  [[nodiscard]] bool has_winner() const { return best_ != kNobody; }
  [[nodiscard]] std::size_t winner() const { return best_.second; }

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
  };

  /// Whether a racer goes on.
  [[nodiscard]] static bool report(const Progress& known, void* data) {
    auto& racer = *static_cast<Racer*>(data);
    return racer.race->goes_on(racer, known);
  }
  [[nodiscard]] bool goes_on(Racer& racer, const Progress& known) {
    const std::lock_guard<std::mutex> lock(mutex_);
    racer.known = known;
    if (options_.progress != nullptr && !is_stopped_) tell();
    return !is_stopped_ && Arrival{known.nodes, racer.number} < best_;
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
      all.seconds = (std::max)(all.seconds, known.seconds);
    }
    is_stopped_ = !options_.progress(all, options_.progress_data);
  }

  const Options& options_;
  std::vector<Racer> racers_;
  std::mutex mutex_{};
  Arrival best_ = kNobody;
  bool is_stopped_ = false;
  Clock::time_point told_ = Clock::now();
};

/// Stops a race that is left before its end.
class Finish {
 public:
  explicit Finish(Race& race) : race_(&race) {}
  Finish(const Finish&) = delete;
  Finish& operator=(const Finish&) = delete;
  ~Finish() {
    if (!is_reached_) race_->stop();
  }
  void reach() noexcept { is_reached_ = true; }

 private:
  Race* race_;
  bool is_reached_ = false;
};

/// What results of which none is an answer say together.
template <class Size>
[[nodiscard]] Result<Size> join_results(std::vector<Result<Size>>& results) {
  std::size_t best = 0;
  Size bound = 0;
  for (std::size_t k = 0; k < results.size(); ++k) {
    bound = (std::max)(bound, results[k].lower_bound);
    if (results[k].has_solution() && (!results[best].has_solution() ||
                                      results[k].height < results[best].height))
      best = k;
  }
  Result<Size> result = std::move(results[best]);
  result.lower_bound = bound;
  if (result.has_solution() && result.height <= bound) {
    result.status = Status::kOptimal;
    result.stopped_by = Stop::kNone;
  }
  return result;
}

/// Lets `racers` make the same call(options), after `alone` nodes without them.
template <class Size, class Call>
[[nodiscard]] Result<Size> run_race(std::size_t racers, std::int64_t alone,
                                    const Options& options, const Call& call) {
  const Limits limits(options);
  if (racers < 2 || options.node_limit <= alone) return call(options);
  Options now = options;
  now.node_limit = alone;
  Result<Size> first = call(now);
  if (first.stopped_by != Stop::kNodeLimit) return first;
  now = options;
  now.time_limit = limits.time_left();

  Race race(now, racers);
  std::vector<Result<Size>> results(racers);
  const auto run = [&](std::size_t k) {
    Finish finish(race);
    results[k] = call(race.options_of(k));
    if (results[k].stopped_by == Stop::kNone)
      race.arrive(k, results[k].stats.nodes);
    finish.reach();
  };
  {
    std::vector<std::future<void>> others;
    Finish finish(race);
    for (std::size_t k = 1; k < racers; ++k)
      others.push_back(std::async(std::launch::async, run, k));
    run(0);
    for (std::future<void>& other : others) other.get();
    finish.reach();
  }
  if (!race.has_winner()) results.push_back(std::move(first));
  Result<Size> result = race.has_winner() ? std::move(results[race.winner()])
                                          : join_results(results);
  result.stats.seconds = limits.seconds();
  return result;
}

/// Nodes after which a problem is worth several threads: some ten milliseconds.
inline constexpr std::int64_t kNodesAlone = 4096;

}  // namespace detail

namespace race {

/// snug::solve() with the seeds options.seed to options.seed + racers - 1, each
/// in a thread of its own: one of them per core is what pays. The result, with
/// its statistics, is that of the racer that needs the fewest nodes;
/// Options::node_limit is for each of them, Options::memory_limit for all
/// together. Memory: that of so many solves.
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
