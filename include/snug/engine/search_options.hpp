// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the options of a call say to a search: its rules and strategies, and how much
/// of the memory each of its tables may take.
#ifndef SNUG_ENGINE_SEARCH_OPTIONS_HPP
#define SNUG_ENGINE_SEARCH_OPTIONS_HPP

#include "snug/config.hpp"
#include "snug/engine/strategy.hpp"
#include "snug/model/options.hpp"
#include "snug/model/tuning.hpp"

#include <algorithm>
#include <cstddef>

SNUG_BEGIN_NAMESPACE
namespace detail {

[[nodiscard]] inline Rules rules_of(const Options& options) {
  return options.tuning != nullptr ? options.tuning->rules : Rules{};
}

/// What the failed states of a search may take; 0: none are remembered. Of the
/// memory an eighth, for three searches take turns (plan/ladder.hpp), and a table
/// that moves takes half as much again.
[[nodiscard]] inline std::size_t failed_state_bytes_of(const Options& options) {
  if (!rules_of(options).failed_states) return 0;
  const std::size_t bytes = options.tuning != nullptr
                                ? options.tuning->failed_state_bytes
                                : Tuning::kFailedStateBytes;
  return (std::min)(bytes, options.memory_limit / 8);
}

/// What the table of stacks, or one of those of pools/, may take.
[[nodiscard]] inline std::size_t table_bytes_of(const Options& options) {
  return options.memory_limit / 8;
}

/// What overlaps, or relations, may take.
[[nodiscard]] inline std::size_t overlap_bytes_of(const Options& options) {
  return options.memory_limit / 4;
}

/// The strategies that the options name, else the `usual` ones.
[[nodiscard]] inline Strategies strategies_of(const Options& options,
                                              const Strategies& usual) {
  if (options.tuning == nullptr || options.tuning->strategies.empty())
    return usual;
  return {options.tuning->strategies.data(),
          (std::min)(options.tuning->strategies.size(), Strategies::kMost)};
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_ENGINE_SEARCH_OPTIONS_HPP
