// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Runs of the search for bodies: at one capacity until it is settled, or at
/// several until the lowest is known, as engine/portfolio.hpp and
/// engine/ladder.hpp do it for plain problems.
#ifndef SNUG_BODIES_BODY_LADDER_HPP
#define SNUG_BODIES_BODY_LADDER_HPP

#include "snug/bodies/body_model.hpp"
#include "snug/bodies/component.hpp"
#include "snug/config.hpp"
#include "snug/engine/limits.hpp"
#include "snug/engine/portfolio.hpp"
#include "snug/model/options.hpp"
#include "snug/model/result.hpp"
#include "snug/support/memory.hpp"
#include "snug/support/outcome.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// The searches of one component at one capacity.
class BodyPortfolio {
 public:
  BodyPortfolio(const Component& component, std::int64_t capacity,
                const Options& options, Stats& stats, Limits& limits)
      : component_(&component),
        capacity_(capacity),
        stats_(&stats),
        turns_(options, kBodyStrategies),
        search_(component, capacity, options, stats, limits, memory_) {}

  /// See BodySearch::prefer().
  [[nodiscard]] bool prefer(const std::int64_t* wanted) {
    return search_.prefer(wanted);
  }

  /// Makes one run. kStopped: it ran out of its nodes, or hit a limit.
  [[nodiscard]] Outcome run() {
    constexpr double kNoise = 0.2;
    turns_.advance();
    if (turns_.is_random())
      search_.chooser().shake(*component_, turns_.random(), kNoise);
    search_.chooser().use(turns_.strategy());
    turns_.strategy().write(stats_->strategy);
    ++stats_->runs;
    return search_.run(turns_.nodes(component_->size));
  }

  [[nodiscard]] std::int64_t capacity() const noexcept { return capacity_; }
  [[nodiscard]] const std::int64_t* offsets() const noexcept {
    return search_.offsets();
  }
  [[nodiscard]] std::size_t peak_bytes() const noexcept {
    return memory_.peak_bytes();
  }

 private:
  const Component* component_;
  std::int64_t capacity_;
  Memory memory_;
  Stats* stats_;
  Turns turns_;
  BodySearch search_;
};

/// The height of a component's placement.
[[nodiscard]] inline std::int64_t height_of(const Component& component,
                                            const std::int64_t* offsets) {
  std::int64_t height = 0;
  for (Index x = 0; x < component.size; ++x)
    height = (std::max)(height, offsets[x] + component.extent[x]);
  return height;
}

/// Closes in the lowest height of a component between `lowest`, below which
/// there is nothing, and `highest`, the height of a placement. After each
/// better placement calls found(offsets). Returns what `lowest` has become.
template <class Found>
[[nodiscard]] std::int64_t lower_component(const Component& component,
                                           std::int64_t lowest,
                                           std::int64_t highest,
                                           const Options& options, Stats& stats,
                                           Limits& limits, std::size_t& bytes,
                                           Found&& found) {
  constexpr std::size_t kTurns[] = {0, 2, 1, 2};
  std::unique_ptr<BodyPortfolio> rungs[3];
  for (std::size_t turn = 0;
       lowest < highest && limits.status() == Status::kSolved; ++turn) {
    const std::size_t k = kTurns[turn % 4];
    const std::int64_t gap = highest - lowest;
    const std::int64_t wanted = k == 0   ? lowest
                                : k == 1 ? highest - 1
                                         : lowest + gap / 3;
    std::unique_ptr<BodyPortfolio>& rung = rungs[k];
    // The rung between may stay anywhere between.
    const bool keep = rung && (rung->capacity() == wanted ||
                               (k == 2 && lowest < rung->capacity() &&
                                rung->capacity() < highest - 1));
    if (!keep) rung.reset();
    if (k != 0 && wanted == lowest) continue;
    if (!rung)
      rung = std::make_unique<BodyPortfolio>(component, wanted, options, stats,
                                             limits);
    const Outcome outcome = rung->run();
    std::size_t held = 0;
    for (const std::unique_ptr<BodyPortfolio>& each : rungs)
      if (each) held += each->peak_bytes();
    bytes = (std::max)(bytes, held);
    if (outcome == Outcome::kPlacedAll) {
      highest = height_of(component, rung->offsets());
      found(rung->offsets());
    } else if (outcome == Outcome::kRefuted) {
      lowest = rung->capacity() + 1;
    }
  }
  return lowest;
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_BODIES_BODY_LADDER_HPP
