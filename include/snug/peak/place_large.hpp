// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// lower_large(): a low placement of a problem that is too large for a search
/// of the whole, from which one may still begin.
///
///     dives, first and best fit  -->  repair, peak first, repair, ...
///
/// Either of the two may take ages on a problem on which the other one is done
/// at once, so they take turns by the work they have had (peak/work.hpp), peak
/// first with small crests from the start. It counts work and not time, so that
/// the result is the same on every machine unless a time limit strikes. When
/// both together have had the work of some searches of the whole, what is left
/// is for those, and the function returns.
///
/// Cost: as its parts, see heuristics/incumbent.hpp and peak_first.hpp.
#ifndef SNUG_PEAK_PLACE_LARGE_HPP
#define SNUG_PEAK_PLACE_LARGE_HPP

#include "snug/config.hpp"
#include "snug/heuristics/incumbent.hpp"
#include "snug/normal/plain.hpp"
#include "snug/peak/peak_first.hpp"
#include "snug/support/outcome.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// Problems of more buffers are large.
inline constexpr Index kLarge = 512;

/// Lowers the placement of `incumbent`, which has begun, until it is at most
/// `target` bytes high, stop() says so, or a search of the whole is due.
/// kPlacedAll: the target was reached; kRefuted: `place_crest` says that there
/// is no placement, see PeakFirst::step(); it may raise `target`. Placements
/// above `ceiling` are of no use.
template <class PlaceCrest, class Stops>
[[nodiscard]] Outcome lower_large(const Plain& plain, std::int64_t ceiling,
                                  const std::int64_t& target,
                                  PlaceCrest&& place_crest, Stops&& stop,
                                  IncumbentSearch& incumbent) {
  constexpr std::int64_t kMostStepsOfTurn = std::int64_t{1} << 20;
  const Work work(incumbent.boxes(), incumbent.memory());
  const std::int64_t turn =
      (std::min)(kMostStepsOfTurn, work.before_whole / 64) / work.dive + 1;
  std::int64_t repaired = incumbent.dives() * work.dive;
  std::optional<PeakFirst> peak;
  while (incumbent.best().height > target && !stop()) {
    const std::int64_t left = repaired - (peak ? peak->done() : 0);
    if (2 * repaired - left >= work.before_whole) break;
    if (!peak && left >= work.before_peak) peak.emplace(plain, work, incumbent);
    if (!peak || peak->is_whole() || left < peak->least()) {
      incumbent.repair(target, turn, stop);
      repaired += turn * work.dive;
    } else {
      const Outcome outcome = peak->step(left, ceiling, target, place_crest,
                                         stop, incumbent.best());
      incumbent.count_beside(peak->scratch_bytes());
      if (outcome == Outcome::kRefuted) return outcome;
    }
  }
  return incumbent.best().height <= target ? Outcome::kPlacedAll
                                           : Outcome::kStopped;
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PEAK_PLACE_LARGE_HPP
