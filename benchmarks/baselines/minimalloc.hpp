// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// MiniMalloc, the algorithm of the paper: the first baseline, and an oracle
/// for snug's own search. It shares the model with snug and nothing else.
///
///     problem --> sweep --> round 1: WAT (2n nodes), TAW (2n), TWA (2n)
///                           round 2: WAT (4n nodes), TAW (4n), TWA (4n)
///                           ...      until one run ends: solved, or refuted
///
/// Each run starts from scratch with its own preorder; a run that exhausts
/// its tree has proved the problem infeasible, whatever its heuristic. One
/// heuristic alone runs without a limit.
///
/// Nodes are counted as published: one for a part entered, one for a placement
/// that no bound refutes at once. Backtracks are nodes that failed.
///
/// minimalloc_sweep.hpp has sections and preorders, minimalloc_state.hpp what
/// follows from the buffers placed, minimalloc_search.hpp the search, and why
/// each of its rules is sound.
///
/// Where it differs from the published program, always on the strict side:
/// - Empty buffers lie at offset 0 and are not searched.
/// - A floor is the lowest minimum offset of its section's unplaced buffers
///   also where the last placement raised none of them.
/// - The largest load is compared with the capacity before any placement.
/// - With dynamic_ordering off, hatless pruning cuts only what comes later in
///   canonical order; the published one also cuts what may still succeed.
/// - Gaps and fixed offsets are refused.
///
/// Source: M. D. Moffitt, "MiniMalloc: A Lightweight Memory Allocator for
/// Hardware-Accelerated Machine Learning" (ASPLOS 2023), the section on search
/// heuristics for the rounds.
#ifndef SNUG_BASELINES_MINIMALLOC_HPP
#define SNUG_BASELINES_MINIMALLOC_HPP

#include "baselines/minimalloc_search.hpp"
#include "baselines/minimalloc_state.hpp"
#include "baselines/minimalloc_sweep.hpp"
#include "snug/config.hpp"
#include "snug/model/check.hpp"
#include "snug/model/options.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/result.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace baselines {
namespace detail {

/// `check`, and what this search does not support.
template <class Size, class Time>
[[nodiscard]] Check check_plain(const Problem<Size, Time>& problem,
                                Size capacity) {
  const Check result = check(problem);
  if (!result.ok()) return result;
  for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
    if (!problem.buffers[i].gaps.empty()) return {Reason::kUnsupported, i};
    if (problem.buffers[i].offset) return {Reason::kUnsupported, i};
  }
  if (capacity < 0) return {Reason::kNegativeCapacity, Check::kNoBuffer};
  return {};
}

/// The comma-separated names, empty ones left out; one empty name if none is
/// left, which orders by input index.
[[nodiscard]] inline std::vector<std::string_view> split_names(
    std::string_view names) {
  std::vector<std::string_view> result;
  while (!names.empty()) {
    const std::size_t comma = (std::min)(names.find(','), names.size());
    if (comma > 0) result.push_back(names.substr(0, comma));
    names.remove_prefix((std::min)(comma + 1, names.size()));
  }
  if (result.empty()) result.push_back({});
  return result;
}

/// Tries the heuristics in turn, in rounds of growing node limits.
[[nodiscard]] inline Ended run_rounds(MinimallocSearch& search,
                                      const Sweep& sweep,
                                      std::string_view heuristics,
                                      std::int64_t node_limit, Stats& stats) {
  constexpr std::int64_t kUnlimited =
      (std::numeric_limits<std::int64_t>::max)();
  const std::vector<std::string_view> names = split_names(heuristics);
  std::vector<Preorder> preorders;
  for (const std::string_view name : names)
    preorders.push_back(preorder(sweep, name));
  std::int64_t limit = sweep.slots();
  for (;;) {
    limit = limit > kUnlimited / 2 ? kUnlimited : 2 * limit;
    if (names.size() == 1) limit = kUnlimited;
    for (std::size_t k = 0; k < names.size(); ++k) {
      const std::int64_t left = node_limit - search.nodes();
      ++stats.runs;
      const Ended ended = search.run(preorders[k], (std::min)(limit, left));
      std::fill(stats.strategy, stats.strategy + sizeof stats.strategy, '\0');
      names[k].copy(stats.strategy, sizeof stats.strategy - 1);
      if (ended.stopped_by != Stop::kNodeLimit || left <= limit) return ended;
    }
  }
}

}  // namespace detail

/// Places all buffers of `problem` within `capacity`, or proves that it cannot
/// be done, or stops at a limit of `options` (its time limit, node limit and
/// cancel flag; the rest is snug's own and unused). Never throws by itself.
/// Status::kInvalid names the reason; gaps and fixed offsets are
/// refused. Exponential time in the worst case.
template <class Size, class Time>
Result<Size> minimalloc(const Problem<Size, Time>& problem,
                        typename Problem<Size, Time>::SizeType capacity,
                        const Options& options = {},
                        const MinimallocParams& params = {}) {
  const auto start = std::chrono::steady_clock::now();
  Result<Size> result;
  result.error = detail::check_plain(problem, capacity);
  if (!result.error.ok()) return result;

  const detail::Sweep sweep = detail::sweep(problem);
  detail::MinimallocSearch search(sweep, capacity, options, params, start);
  const detail::Ended ended =
      detail::run_rounds(search, sweep, params.preordering_heuristics,
                         options.node_limit, result.stats);
  result.status = ended.status;
  result.stopped_by = ended.stopped_by;
  for (const detail::Offset load : sweep.load)
    result.lower_bound =
        (std::max)(result.lower_bound, static_cast<Size>(load));
  if (result.status == Status::kInfeasible &&
      capacity < (std::numeric_limits<Size>::max)())
    result.lower_bound =
        (std::max)(result.lower_bound, static_cast<Size>(capacity + 1));
  if (result.has_solution()) {
    result.offsets.assign(problem.buffers.size(), 0);
    for (detail::Index x = 0; x < sweep.slots(); ++x) {
      const auto offset = static_cast<Size>(search.offsets()[x]);
      result.offsets[sweep.buffer[x]] = offset;
      result.height =
          (std::max)(result.height, static_cast<Size>(offset + sweep.size[x]));
    }
  }
  result.stats.nodes = search.nodes();
  result.stats.backtracks = search.backtracks();
  result.stats.peak_bytes = search.bytes();
  result.stats.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  return result;
}

}  // namespace baselines
SNUG_END_NAMESPACE

#endif  // SNUG_BASELINES_MINIMALLOC_HPP
