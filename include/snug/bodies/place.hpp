// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Constrained problems from end to end, for solve() and minimize().
///
/// A problem with gaps or pairs that may overlap is first tried without them,
/// for a few nodes: what is left is often a plain problem, for which the search
/// is some ten times as fast, and a placement of it is one of the whole.
///
/// Hints are tried in a single run, with the buffers at them as if they were
/// fixed, as far as they leave each other alone.
#ifndef SNUG_BODIES_PLACE_HPP
#define SNUG_BODIES_PLACE_HPP

#include "snug/bodies/bodies.hpp"
#include "snug/bodies/body_placer.hpp"
#include "snug/config.hpp"
#include "snug/engine/limits.hpp"
#include "snug/model/check.hpp"
#include "snug/model/kind.hpp"
#include "snug/model/options.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/result.hpp"
#include "snug/support/outcome.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// Writes offsets and height of a placement.
template <class Size>
void write_offsets(const BodyPlacer& placer, std::size_t buffers,
                   Result<Size>& result) {
  result.offsets = std::vector<Size>(buffers);
  for (std::size_t i = 0; i < buffers; ++i)
    result.offsets[i] =
        static_cast<Size>(placer.offset(i) * placer.bodies().unit);
  result.height = static_cast<Size>(placer.height() * placer.bodies().unit);
}

/// Tells the hints of a problem.
template <class Size, class Time>
void hint_all(const Problem<Size, Time>& problem, BodyPlacer& placer) {
  for (std::size_t i = 0; i < problem.buffers.size(); ++i)
    if (problem.buffers[i].hint)
      placer.hint(
          i, std::int64_t{*problem.buffers[i].hint} / placer.bodies().unit);
}

/// Tries to place a well-formed problem below `capacity` with buffers where
/// their hints are, in a single run. Returns whether it did.
template <class Size, class Time>
[[nodiscard]] bool solve_hinted(const Problem<Size, Time>& problem,
                                Size capacity, const Options& options,
                                Limits& limits, Result<Size>& result) {
  BodyPlacer placer(BodyBuilder<Size, Time>(problem).build(true), options,
                    limits, result.stats);
  const std::int64_t units = std::int64_t{capacity} / placer.bodies().unit;
  hint_all(problem, placer);
  if (!placer.place_hinted(units)) return false;
  placer.raise_tops(units);
  write_offsets(placer, problem.buffers.size(), result);
  result.status = Status::kSolved;
  return true;
}

/// Tries a well-formed problem without its gaps and the like. `attempt` solves
/// or minimizes. Returns whether it found a placement, which is in `result`.
template <class Size, class Time, class Attempt>
[[nodiscard]] bool try_tightened(const Problem<Size, Time>& problem,
                                 const Options& options, Limits& limits,
                                 Result<Size>& result, Attempt&& attempt) {
  constexpr std::int64_t kNodesPerBuffer = 64;
  if (!is_loose(problem)) return false;
  Problem<Size, Time> tight = tightened(problem);
  if (!check(tight).ok()) return false;
  Options some = options;
  some.node_limit = (std::min)(
      options.node_limit - result.stats.nodes,
      kNodesPerBuffer * static_cast<std::int64_t>(problem.buffers.size()));
  if (options.time_limit != (std::chrono::nanoseconds::max)())
    some.time_limit = options.time_limit / 2;
  Result<Size> found = attempt(tight, some);
  found.stats.peak_bytes =
      (std::max)(found.stats.peak_bytes, result.stats.peak_bytes);
  result.stats = found.stats;
  // Of its statuses only cancellation is true of the whole.
  (void)limits.hit(result.stats.nodes);
  if (found.offsets.empty()) return false;
  result.offsets = std::move(found.offsets);
  result.height = found.height;
  return true;
}

/// Places a problem of many buffers by first fit, starting from what its sizes,
/// lifespans and alignments alone lead to. Returns whether it could.
template <class Size, class Time, class Attempt>
[[nodiscard]] bool fit_many(const Problem<Size, Time>& problem,
                            std::int64_t capacity, const Options& options,
                            BodyPlacer& placer, Attempt&& attempt) {
  if (!placer.has_many() || capacity < placer.floor()) return false;
  Options some = options;
  some.node_limit = 1;  // Heuristics only.
  if (options.time_limit != (std::chrono::nanoseconds::max)())
    some.time_limit = options.time_limit / 2;
  Problem<Size, Time> plain = relaxed(problem);
  if (check(plain).ok()) placer.keep_plain(attempt(plain, some).offsets);
  return placer.fit(capacity, true);
}

/// Why there is no answer: a limit, or that there was no search at all.
[[nodiscard]] inline Status stopped(const Limits& limits) {
  return limits.status() == Status::kSolved ? Status::kNodeLimit
                                            : limits.status();
}

/// solve() for a well-formed problem; `attempt` is solve() itself.
template <class Size, class Time, class Attempt>
void solve_constrained(const Problem<Size, Time>& problem, Size capacity,
                       const Options& options, Limits& limits,
                       Result<Size>& result, Attempt&& attempt) {
  BodyPlacer placer(BodyBuilder<Size, Time>(problem).build(has_hints(problem)),
                    options, limits, result.stats);
  const std::int64_t unit = placer.bodies().unit;
  const std::int64_t units = std::int64_t{capacity} / unit;
  hint_all(problem, placer);
  result.lower_bound = static_cast<Size>((std::min)(
      placer.floor() * unit, std::int64_t{(std::numeric_limits<Size>::max)()}));
  limits.known().lower_bound = placer.floor() * unit;
  result.status = Status::kSolved;
  if (placer.floor() <= units &&
      try_tightened(problem, options, limits, result, attempt))
    return;
  const bool fitted =
      !has_hints(problem) && fit_many(problem, units, options, placer, attempt);
  const Outcome outcome = fitted ? Outcome::kPlacedAll : placer.place(units);
  result.status = outcome == Outcome::kPlacedAll ? Status::kSolved
                  : outcome == Outcome::kRefuted ? Status::kInfeasible
                                                 : stopped(limits);
  if (outcome != Outcome::kPlacedAll) return;
  placer.raise_tops(units);
  write_offsets(placer, problem.buffers.size(), result);
}

/// minimize() for a well-formed problem, without its hints; `attempt` is
/// minimize() itself.
template <class Size, class Time, class Attempt>
void minimize_constrained(const Problem<Size, Time>& problem,
                          const Options& options, Limits& limits,
                          Result<Size>& result, Attempt&& attempt) {
  BodyPlacer placer(BodyBuilder<Size, Time>(problem).build(false), options,
                    limits, result.stats);
  const std::int64_t unit = placer.bodies().unit;
  const std::int64_t most =
      std::int64_t{(std::numeric_limits<Size>::max)()} / unit;
  const auto note_floor = [&] {
    result.lower_bound =
        static_cast<Size>((std::min)(placer.floor(), most) * unit);
    limits.known().lower_bound = placer.floor() * unit;
  };
  note_floor();
  Outcome outcome = Outcome::kPlacedAll;
  if (try_tightened(problem, options, limits, result, attempt)) {
    placer.adopt(result.offsets);
  } else {
    const std::int64_t enough = (std::min)(placer.enough(), most);
    if (!fit_many(problem, enough, options, placer, attempt))
      outcome = placer.place(enough);
  }
  if (outcome == Outcome::kPlacedAll) {
    limits.known().height = placer.height() * unit;
    placer.lower(limits.known());
    note_floor();
    placer.raise_tops(placer.height());
    write_offsets(placer, problem.buffers.size(), result);
  }
  result.status =
      outcome == Outcome::kRefuted ? Status::kInfeasible
      : outcome == Outcome::kPlacedAll && placer.height() <= placer.floor()
          ? Status::kSolved
          : stopped(limits);
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_BODIES_PLACE_HPP
