// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What research on the search changes, and nobody else: its rules, its
/// strategies and how much it remembers. Options::tuning may point to one. The
/// defaults are what snug recommends; nothing here changes an answer, only how
/// long it takes.
#ifndef SNUG_MODEL_TUNING_HPP
#define SNUG_MODEL_TUNING_HPP

#include "snug/config.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

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

/// Which of the buffers of the lowest release come into question.
enum class Branching : std::uint8_t {
  kAll,     ///< all of them: the preorder alone decides
  kUrgent,  ///< those that span the most urgent section
  kFrugal,  ///< those that waste little memory; of these the urgent ones
};

/// What a preorder compares by, larger first.
enum class Criterion : std::uint8_t {
  kNone,      ///< ends a preorder
  kArea,      ///< lifespan times size
  kSections,  ///< number of sections it spans
  kLower,     ///< lower end of its lifespan: later first
  kOverlaps,  ///< number of overlapping buffers
  kTotal,     ///< unplaced sizes of the fullest section it spans, as of now
  kUpper,     ///< upper end of its lifespan: later first
  kWidth,     ///< lifespan
  kSize,
};

/// How the search chooses the buffer to branch on; see engine/strategy.hpp.
struct Strategy {
  static constexpr std::size_t kMostCriteria = 6;

  Branching branching = Branching::kUrgent;
  Criterion preorder[kMostCriteria] = {};  ///< up to the first kNone
};

struct Tuning {
  Rules rules{};
  /// Tried in turn, then at random; the first 16 count. None, the default: total
  /// sections area, total width area, width area total, size width, with
  /// kUrgent and then with kFrugal.
  std::vector<Strategy> strategies{};
  /// Most bytes that the remembered failed states of one search may take; while
  /// they move to a larger table, half as much again.
  std::size_t failed_state_bytes = kFailedStateBytes;

  static constexpr std::size_t kFailedStateBytes = std::size_t{16} << 20;
};

SNUG_END_NAMESPACE

#endif  // SNUG_MODEL_TUNING_HPP
