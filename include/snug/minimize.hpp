// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// minimize(): the lowest height, or the best one found and a lower bound.
///
/// Partitions share no moment of time, so the height of the whole is that of
/// its highest partition. They are minimised one after the other, and none
/// further than to the largest lower bound of all: what another one needs
/// anyway costs nothing. Within a partition the optimum is closed in from both
/// sides, see engine/ladder.hpp.
#ifndef SNUG_MINIMIZE_HPP
#define SNUG_MINIMIZE_HPP

#include "snug/bodies/place.hpp"
#include "snug/bounds/aligned_load.hpp"
#include "snug/config.hpp"
#include "snug/engine/ladder.hpp"
#include "snug/engine/limits.hpp"
#include "snug/heuristics/incumbent.hpp"
#include "snug/model/check.hpp"
#include "snug/model/event.hpp"
#include "snug/model/height.hpp"
#include "snug/model/kind.hpp"
#include "snug/model/options.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/result.hpp"
#include "snug/peak/place_large.hpp"
#include "snug/plain/instance.hpp"
#include "snug/plain/plain_model.hpp"
#include "snug/solve.hpp"
#include "snug/support/memory.hpp"
#include "snug/sweep/sweep.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// The height of a partition's placement.
template <class Size, class Time>
[[nodiscard]] std::int64_t height_of(const Problem<Size, Time>& problem,
                                     const Sweep& sweep,
                                     const Partition& partition,
                                     const std::vector<std::int64_t>& offsets) {
  std::int64_t height = 0;
  for (Index k = partition.buffers.lower; k < partition.buffers.upper; ++k) {
    const Index i = sweep.order[k];
    height = (std::max)(height, offsets[i] + problem.buffers[i].size);
  }
  return height;
}

/// `bound` in the size type, which may be too small for it.
template <class Size>
[[nodiscard]] Size as_bound(std::int64_t bound) {
  return static_cast<Size>(
      (std::min)(bound, std::int64_t{(std::numeric_limits<Size>::max)()}));
}

/// Brings a partition's placement down from `height` as far as possible, but
/// not below `floor`, with at most `most_nodes` nodes or so. After each better
/// placement calls found(). Returns a height that none is below, or `floor`.
/// `held`: bytes that others hold meanwhile.
template <class Lane, class Size, class Time, class Found>
[[nodiscard]] std::int64_t minimize_partition(
    const Problem<Size, Time>& problem, const Sweep& sweep,
    const Partition& partition, std::int64_t unit, std::int64_t floor,
    std::int64_t height, std::int64_t most_nodes, const Options& options,
    Limits& limits, std::size_t held, Stats& stats, Found&& found,
    std::vector<std::int64_t>& offsets) {
  Memory memory;
  const Instance<Lane> instance =
      make_instance<Lane>(problem, sweep, partition, unit, height, memory);
  // Rounded down: what fits below a floor that is no multiple will do.
  Ladder<PlainModel<Lane>> ladder(instance, static_cast<Lane>(floor / unit),
                                  instance.capacity,
                                  {&options, &stats, &limits});
  ladder.climb(most_nodes, [&](const Lane* lower) {
    for (Index x = 0; x < instance.size; ++x)
      offsets[sweep.order[partition.buffers.lower + x]] = lower[x] * unit;
    found();
  });
  stats.peak_bytes = (std::max)(
      stats.peak_bytes, held + memory.peak_bytes() + ladder.peak_bytes());
  return (std::max)(floor, std::int64_t{ladder.lowest()} * unit);
}

/// Brings one partition after the other down to `bound`, which rises on the
/// way, with at most `most_nodes` nodes each.
template <bool kSmall, class Size, class Time, class Found>
void minimize_partitions(const Problem<Size, Time>& problem, const Sweep& sweep,
                         std::int64_t most_nodes, const Options& options,
                         Limits& limits, std::size_t held, Stats& stats,
                         Found&& found, std::int64_t& bound,
                         std::vector<std::int64_t>& offsets) {
  for (const Partition& partition : sweep.partitions) {
    const std::int64_t height = height_of(problem, sweep, partition, offsets);
    if (height <= bound) continue;
    if (limits.status() != Status::kSolved) return;
    const std::int64_t unit = common_unit(problem, sweep, partition);
    // Rounded up: what others hold up in a core need not be at a multiple.
    const std::int64_t units = (height - 1) / unit + 1;
    bound = with_lane<kSmall>(units, [&](auto lane) {
      return minimize_partition<decltype(lane)>(
          problem, sweep, partition, unit, bound, units * unit, most_nodes,
          options, limits, held, stats, found, offsets);
    });
    limits.known().lower_bound = bound;
  }
}

/// A placement by heuristics and, if the problem has more than `large` buffers,
/// by searches of its core; these may lift `bound`. Its height may not fit the
/// size type.
template <bool kSmall, class Size, class Time>
[[nodiscard]] std::vector<std::int64_t> first_placement(
    const Problem<Size, Time>& problem, const Sweep& sweep,
    const Options& options, Limits& limits, std::int64_t large, Stats& stats,
    std::int64_t& bound) {
  std::vector<std::int64_t> placement(problem.buffers.size(), 0);
  if (sweep.order.empty()) return placement;
  const std::size_t held =
      bytes_of(sweep) + placement.capacity() * sizeof(std::int64_t);
  IncumbentSearch incumbent(problem, sweep, {});
  const Stopper stop{&limits, &stats, &incumbent.best().height};
  // The larger the problem, the less a search can do and the more repair can.
  const auto n = static_cast<std::int64_t>(sweep.order.size());
  const std::int64_t dives = 4 + dives_for(sweep.order.size());
  incumbent.dive(problem, sweep, bound, dives, stop);
  incumbent.fit(problem, sweep, bound, stop);
  if (n <= large) {
    incumbent.repair(bound, dives - incumbent.dives(), stop);
  } else {
    const auto place_core = [&](const Problem<Size, Time>& core,
                                std::int64_t& nodes,
                                std::vector<std::int64_t>& offsets) {
      const Sweep core_sweep = snug::sweep(core);
      const std::int64_t start = stats.nodes;
      minimize_partitions<kSmall>(
          core, core_sweep, nodes, options, limits,
          held + incumbent.peak_bytes() + bytes_of_core(core, core_sweep),
          stats, [] {}, bound, offsets);
      nodes = stats.nodes - start;
      return height_of(core, offsets) <= bound ? Outcome::kPlacedAll
                                               : Outcome::kStopped;
    };
    (void)lower_large<true>(problem, sweep, kMaxTotal, bound, place_core, stop,
                            incumbent);
  }
  incumbent.write(placement);
  stats.peak_bytes =
      (std::max)(stats.peak_bytes, held + incumbent.peak_bytes());
  return placement;
}

/// minimize() for a problem without constraints, and without its hints.
template <bool kSmall, class Size, class Time>
void minimize_plain(const Problem<Size, Time>& problem, const Options& options,
                    Limits& limits, Result<Size>& result) {
  if (problem.alignment > 1)
    return minimize_plain<kSmall>(aligned(problem), options, limits, result);
  const Sweep sweep = snug::sweep(problem);
  std::int64_t bound = aligned_load(problem, sweep);
  limits.known().lower_bound = bound;
  std::vector<std::int64_t> offsets = first_placement<kSmall>(
      problem, sweep, options, limits, kLarge, result.stats, bound);
  std::int64_t height = height_of(problem, offsets);
  limits.known().height = height;
  minimize_partitions<kSmall>(
      problem, sweep, (std::numeric_limits<std::int64_t>::max)(), options,
      limits, bytes_of(sweep) + offsets.capacity() * sizeof(std::int64_t),
      result.stats,
      [&] { limits.known().height = height_of(problem, offsets); }, bound,
      offsets);
  result.lower_bound = as_bound<Size>(bound);
  height = height_of(problem, offsets);
  if (height <= (std::numeric_limits<Size>::max)()) {
    result.height = static_cast<Size>(height);
    result.offsets.reserve(offsets.size());
    for (const std::int64_t offset : offsets)
      result.offsets.push_back(static_cast<Size>(offset));
  }
  result.status = height <= bound ? Status::kSolved : limits.status();
}

}  // namespace detail

/// Finds a placement of the lowest height.
///
/// Status::kSolved means that the height is proved to be the lowest: then it
/// equals Result::lower_bound. Stopped by a limit or cancelled, it returns the
/// best placement known, with a lower bound that is valid all the same. An
/// invalid problem gives Status::kInvalidProblem; one whose constraints no
/// placement satisfies, whatever its height, Status::kInfeasible; and a problem
/// none of whose placements that were found fits the size type no offsets.
///
/// Hints are tried at the height that was found.
///
/// Cost: as solve(), for several capacities. kSmall, kPlainOnly: see
/// SNUG_SMALL_CODE and SNUG_PLAIN_ONLY.
template <class Size, class Time, bool kSmall = SNUG_SMALL_CODE != 0,
          bool kPlainOnly = SNUG_PLAIN_ONLY != 0>
[[nodiscard]] Result<Size> minimize(const Problem<Size, Time>& problem,
                                    const Options& options = {}) {
  Result<Size> result;
  result.error = detail::check<kPlainOnly>(problem);
  if (!result.error.ok()) return result;
  detail::Limits limits(options);
  if (kPlainOnly || !detail::is_constrained(problem)) {
    detail::minimize_plain<kSmall>(problem, options, limits, result);
  } else if constexpr (!kPlainOnly) {
    detail::minimize_constrained(
        problem, options, limits, result,
        [](Problem<Size, Time>& tight, const Options& some) {
          for (Buffer<Size, Time>& buffer : tight.buffers) buffer.hint.reset();
          return minimize<Size, Time, kSmall>(tight, some);
        });
  }
  if constexpr (!kPlainOnly) {
    if (detail::has_hints(problem) && !result.offsets.empty()) {
      const Status status = result.status;
      (void)detail::solve_hinted(problem, result.height, options, limits,
                                 result);
      result.status = status;
    }
  }
  result.stats.seconds = limits.seconds();
  return result;
}

SNUG_END_NAMESPACE

#endif  // SNUG_MINIMIZE_HPP
