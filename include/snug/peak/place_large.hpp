// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// lower_large(): a low placement of a problem that is too large for a search
/// of the whole, from which one may still begin.
///
///     dives, first fit  -->  repair, peak first, repair, ...
///
/// Either of the two may take ages on a problem on which the other one is done at
/// once, so they take turns by the work they have had (peak/work.hpp). Where repair
/// is the one, it is so within a few dives: these come first. From then on peak first
/// has most of the work, and begins with small crests. It counts work and not time,
/// so that the result is the same on every machine unless a time limit strikes. When
/// both together have had the work of some searches of the whole, what is left is for
/// those, and the function returns.
///
/// Cost: as its parts, see heuristics/incumbent.hpp and peak_first.hpp.
#ifndef SNUG_PEAK_PLACE_LARGE_HPP
#define SNUG_PEAK_PLACE_LARGE_HPP

#include "snug/config.hpp"
#include "snug/heuristics/incumbent.hpp"
#include "snug/model/interval.hpp"
#include "snug/normal/plain.hpp"
#include "snug/peak/peak_first.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/outcome.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// Problems of more buffers are large.
inline constexpr Index kLarge = 512;

/// Whether one of the partitions is large: each is searched for itself.
[[nodiscard]] inline bool has_large_partition(const Plain& plain) {
  return std::any_of(plain.partitions.begin(), plain.partitions.end(),
                     [](const Partition& partition) {
                       return length_of(partition.buffers) > kLarge;
                     });
}

/// Lowers the placement of `incumbent`, which has begun, until it is at most
/// `target` bytes high, stop() says so, or a search of the whole is due.
/// kPlacedAll: the target was reached; kRefuted: `place_crest` says that there
/// is no placement, see PeakFirst::step(); it may raise `target`. Placements
/// above `ceiling` are of no use.
template <class PlaceCrest>
[[nodiscard]] Outcome lower_large(const Plain& plain, std::int64_t ceiling,
                                  const std::int64_t& target,
                                  PlaceCrest&& place_crest,
                                  const Interrupt& stop,
                                  IncumbentSearch& incumbent) {
  constexpr std::int64_t kMostStepsOfTurn = std::int64_t{1} << 20;
  // Steps of peak first for each one of repair, once it has begun.
  constexpr std::int64_t kShareOfPeak = 16;
  const Work work(incumbent.boxes(), incumbent.memory());
  const std::int64_t turn =
      (std::min)(kMostStepsOfTurn, work.before_whole / 64) / work.dive + 1;
  std::int64_t done = incumbent.dives() * work.dive;  // by both
  std::int64_t due = done;                            // for peak first
  std::optional<PeakFirst> peak;
  while (done < work.before_whole && incumbent.best().height > target &&
         !stop()) {
    if (!peak && due >= work.before_peak) peak.emplace(plain, work, incumbent);
    if (!peak || peak->is_whole() || due < peak->least()) {
      incumbent.repair(target, turn, stop);
      if (peak) incumbent.count_beside(peak->bytes());
      done += turn * work.dive;
      due += (peak ? kShareOfPeak : 1) * turn * work.dive;
    } else {
      const std::int64_t before = peak->done();
      const Outcome outcome =
          peak->step(due, ceiling, target, place_crest, stop, incumbent.best());
      incumbent.count_beside(peak->scratch_bytes());
      if (outcome == Outcome::kRefuted) return outcome;
      done += peak->done() - before;
      due -= peak->done() - before;
    }
  }
  return incumbent.best().height <= target ? Outcome::kPlacedAll
                                           : Outcome::kOpen;
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PEAK_PLACE_LARGE_HPP
