// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How to solve: limits, cancellation, progress, and the seed.
#ifndef SNUG_MODEL_OPTIONS_HPP
#define SNUG_MODEL_OPTIONS_HPP

#include "snug/config.hpp"
#include "snug/model/tuning.hpp"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>

SNUG_BEGIN_NAMESPACE

/// What is known while a solve runs; see Options::progress.
struct Progress {
  std::int64_t height = -1;      ///< of the best placement so far; -1: none
  std::int64_t lower_bound = 0;  ///< no placement is lower
  std::int64_t nodes = 0;
  double seconds = 0;
};

struct Options {
  /// Wall-clock limit; unlimited by default; with 0 or less a call stops as soon
  /// as it looks at the clock. Of the limits, the one that makes a result depend on
  /// the machine, as `cancel` and `progress` may.
  std::chrono::nanoseconds time_limit = (std::chrono::nanoseconds::max)();
  /// Limit on search nodes over all runs; unlimited by default; with 0 or less
  /// there is no search. A move of a walk counts as a node. Deterministic.
  std::int64_t node_limit = (std::numeric_limits<std::int64_t>::max)();
  /// About the most bytes that are held beside what grows with the problem alone:
  /// remembered failed states, who overlaps whom, relations of buffers with
  /// constraints, tables of pools. Unlimited by default; they have limits of
  /// their own (see solve()). What is placed or proved with more is so with less,
  /// too, in more nodes or more time and maybe at other offsets, but for the costs
  /// and bounds of pools; and where relations take more than a quarter of it, there
  /// is no search (Stop::kNodeLimit).
  std::size_t memory_limit = (std::numeric_limits<std::size_t>::max)();
  /// When set to true by another thread, the solve stops soon after with
  /// Stop::kCancelled. Not owned; may be null.
  const std::atomic<bool>* cancel = nullptr;
  /// When not null, called from the solving thread (in a race from any of them)
  /// wherever that looks at the clock, at most once in `progress_interval`. Returning
  /// false cancels the solve, and it is not called again.
  bool (*progress)(const Progress& progress, void* data) = nullptr;
  void* progress_data = nullptr;  ///< handed to `progress`
  std::chrono::nanoseconds progress_interval = std::chrono::milliseconds(100);
  /// Seed of all that is drawn at random: by restarts of a search, and by walks.
  std::uint64_t seed = 1;
  /// For research: the rules and strategies of the search. Not owned; null, the
  /// default, means those of Tuning{}.
  const Tuning* tuning = nullptr;
};

SNUG_END_NAMESPACE

#endif  // SNUG_MODEL_OPTIONS_HPP
