// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How to solve: limits, cancellation, strategies, and a switch for each rule
/// of the search. The defaults are what snug recommends; every switch changes
/// only how long the search takes, never its answer.
#ifndef SNUG_MODEL_OPTIONS_HPP
#define SNUG_MODEL_OPTIONS_HPP

#include "snug/config.hpp"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

SNUG_BEGIN_NAMESPACE

/// The rules of the search, each with a header in plain/ or engine/ that argues
/// why it is sound. Turn one off to measure what it is worth.
struct Rules {
  bool section_inference = true;  ///< sorted bound of each section, not its sum
  bool no_hurt_placement = true;  ///< place what blocks nobody, no branch
  bool abandoned_slot = true;     ///< fail when a skipped buffer could drop
  bool twins = true;              ///< skip identical buffers together
  bool failed_states = true;      ///< remember what was refuted
  bool conflict_sets = true;      ///< jump back over what a failure did not use
  bool decomposition = true;      ///< solve independent parts one by one
  bool failure_weights = true;    ///< prefer sections that failed often
  bool restarts = true;           ///< Luby node limits, strategies in turn
};

/// What is known while a solve runs; see Options::progress.
struct Progress {
  std::int64_t height = -1;      ///< of the best placement so far; -1: none
  std::int64_t lower_bound = 0;  ///< no placement is lower
  std::int64_t nodes = 0;
  double seconds = 0;
};

struct Options {
  /// Wall-clock limit; unlimited by default. The one option that makes a
  /// result depend on the machine.
  std::chrono::nanoseconds time_limit = (std::chrono::nanoseconds::max)();
  /// Limit on search nodes over all runs; unlimited by default. Deterministic.
  std::int64_t node_limit = (std::numeric_limits<std::int64_t>::max)();
  /// When set to true by another thread, the solve stops soon after with
  /// Status::kCancelled. Not owned; may be null.
  const std::atomic<bool>* cancel = nullptr;
  /// When not null, called from the solving thread while nodes are searched,
  /// at most once in `progress_interval`. Returning false cancels the solve.
  bool (*progress)(const Progress& progress, void* data) = nullptr;
  void* progress_data = nullptr;  ///< handed to `progress`
  std::chrono::nanoseconds progress_interval = std::chrono::milliseconds(100);
  /// Comma-separated strategies, tried in turn, then at random. Each is a
  /// branching rule (`w`, `s` or `0`, see plain/chooser.hpp) and up to six
  /// preordering letters (A C L O T U W Z as in MiniMalloc). Unknown ones are
  /// left out. None, the default: TCA,TWA,WAT,ZW with rule s and then with
  /// rule w; for minimize(), with rule w alone.
  std::string_view strategies{};
  /// Seed of the restarts' own random generator.
  std::uint64_t seed = 1;
  /// Most bytes that the remembered failed states of one search may take; while
  /// they move to a larger table, half as much again.
  std::size_t failed_state_bytes = std::size_t{64} << 20;
  Rules rules{};
};

SNUG_END_NAMESPACE

#endif  // SNUG_MODEL_OPTIONS_HPP
