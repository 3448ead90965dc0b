// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/plan/ladder.hpp"

#include "snug/normal/flat.hpp"
#include "snug/plan/lowest.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/hard_walks.hpp"
#include "support/lists.hpp"
#include "support/pairwise.hpp"
#include "support/random.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ladder_test {

using namespace snug::testing;
using snug::Options;
using snug::Problem;
using snug::Stats;
using snug::Stop;
using snug::detail::Call;
using snug::detail::Flat;
using snug::detail::FlatBuffer;
using snug::detail::Found;
using snug::detail::Ladder;
using snug::detail::List;
using snug::detail::Outcome;

namespace {

/// One buffer of no size, whose offset is the height of all there is: the lowest one
/// is known, and how many nodes an answer takes.
struct Known {
  List<FlatBuffer> buffers{};
  std::int64_t lowest = 0;
  std::int64_t unit = 1;
  std::int64_t origin = 0;
  /// Nodes of an answer; those just above and below the lowest take more.
  std::int64_t easy = 1;
  std::int64_t hard = 1;
  bool gives_up = false;
  mutable std::vector<std::int64_t> tried{};  ///< capacities, as they came
  mutable std::int64_t nodes_at_lowest = 0;

  [[nodiscard]] std::int64_t nodes_at(std::int64_t capacity) const {
    const std::int64_t off = capacity - lowest;
    return off > -3 * unit && off < 3 * unit ? hard : easy;
  }
};

class KnownSearch {
 public:
  using Source = const Known;

  KnownSearch(Source& source, std::int64_t capacity, Call& call)
      : source_(&source),
        capacity_(capacity),
        call_(&call),
        left_(source.nodes_at(capacity)) {
    source.tried.push_back(capacity);
  }

  [[nodiscard]] Outcome run(Found& found) {
    if (source_->gives_up) return Outcome::kOpen;
    for (; left_ > 0; --left_, ++call_->stats().nodes) {
      if (call_->limits().hit(call_->stats().nodes)) return Outcome::kOpen;
      if (capacity_ == source_->lowest) ++source_->nodes_at_lowest;
    }
    if (capacity_ < source_->lowest) return Outcome::kRefuted;
    // The highest that fits, so that all steps count.
    found.offsets = {capacity_ - (capacity_ - source_->lowest) % source_->unit};
    return Outcome::kPlacedAll;
  }

 private:
  Source* source_;
  std::int64_t capacity_;
  Call* call_;
  std::int64_t left_;
};

struct Climbed {
  std::int64_t height = 0;
  std::int64_t bound = 0;
  std::int64_t nodes = 0;
  bool is_stopped = false;
};

Climbed climb(const Known& known, std::int64_t bound, std::int64_t height,
              const Options& options = {}) {
  Stats stats;
  Call call(options, stats);
  Found found;
  found.offsets = {height};
  found.bound = bound;
  Ladder<KnownSearch>(known, {known.unit, known.origin}, call).climb(found);
  REQUIRE(found.offsets.size() == 1);
  return {found.offsets[0], found.bound, stats.nodes, call.is_stopped()};
}

Known known_with(std::int64_t lowest) {
  Known known;
  known.buffers.resize(1);
  known.lowest = lowest;
  return known;
}

}  // namespace

TEST_CASE("ladder: goes on where it was", "[ladder]") {
  Known known = known_with(700);
  known.easy = 100;
  known.hard = 2000;
  Stats stats;
  const Options options;
  Call call(options, stats);
  Found found;
  found.offsets = {1000};
  Ladder<KnownSearch> ladder(known, {known.unit, known.origin}, call);
  std::int64_t rounds = 0;
  for (std::int64_t nodes = 100; ladder.climb(found, nodes); nodes += 100) {
    CHECK(stats.nodes >= nodes);
    ++rounds;
    // As if somebody else had found it.
    if (rounds == 3 && found.offsets[0] > 800) found.offsets[0] = 800;
  }
  CHECK(rounds > 3);
  CHECK(found.offsets[0] == 700);
  CHECK(found.bound == 700);
}

TEST_CASE("ladder: closes in the lowest height, from anywhere", "[ladder]") {
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(2000); ++seed) {
    Random random(seed);
    Known known = known_with(0);
    known.unit = random.between(1, 5);
    known.origin = random.between(0, 9);
    known.lowest =
        known.origin +
        known.unit * random.between(std::int64_t{0}, std::int64_t{500});
    known.easy = random.between(1, 300);
    known.hard = random.between(1, 3000);
    const std::int64_t height =
        known.lowest +
        known.unit * random.between(std::int64_t{0}, std::int64_t{500});
    // A bound may be anything.
    const std::int64_t bound = random.between(std::int64_t{0}, known.lowest);
    const Climbed climbed = climb(known, bound, height);
    CAPTURE(seed, known.lowest, known.unit, known.origin, height, bound);
    REQUIRE(climbed.height == known.lowest);
    REQUIRE(climbed.bound == known.lowest);
    REQUIRE_FALSE(climbed.is_stopped);
    for (const std::int64_t capacity : known.tried) {
      REQUIRE(capacity >= bound);
      REQUIRE(capacity < height);
    }
  }
}

TEST_CASE("ladder: a bound that is no multiple of the unit may be the height",
          "[ladder]") {
  // As where something is fixed that high, and the rest lies lower.
  Known known = known_with(13);
  known.unit = 8;
  const Climbed climbed = climb(known, 13, 16);
  CHECK(known.tried == std::vector<std::int64_t>{13});
  CHECK(climbed.height == 13);
}

TEST_CASE("ladder: nothing to do", "[ladder]") {
  const Known known = known_with(7);
  const Climbed climbed = climb(known, 7, 7);
  CHECK(known.tried.empty());
  CHECK(climbed.nodes == 0);
  CHECK(climbed.height == 7);
}

TEST_CASE("ladder: the bound comes first, and is the whole when it is met",
          "[ladder]") {
  const Known known = known_with(40);
  CHECK(climb(known, 40, 1000).height == 40);
  CHECK(known.tried == std::vector<std::int64_t>{40});
}

TEST_CASE("ladder: does not wait for a capacity that is hard", "[ladder]") {
  // The optimum takes more nodes than there are, all others few.
  Known known = known_with(1000);
  known.easy = 50;
  known.hard = 1 << 30;
  Options options;
  options.node_limit = 100000;
  const Climbed climbed = climb(known, 900, 4000, options);
  CHECK(climbed.is_stopped);
  CHECK(climbed.nodes <= 100000);
  CHECK(climbed.height <= 1010);
  CHECK(climbed.bound >= 990);
}

TEST_CASE("ladder: the rungs have their shares", "[ladder]") {
  // All are too hard: the bound gets as many nodes as the other two, but it gets
  // twice that where the gap is small, and less if it is weak.
  struct Case {
    std::int64_t height;
    bool is_weak;
    std::int64_t percent;
  };
  for (const Case& c : {Case{4000, false, 50}, Case{1005, false, 67},
                        Case{4000, true, 6}, Case{1005, true, 67}}) {
    Known known = known_with(1000);
    known.easy = known.hard = 1 << 30;
    Options options;
    options.node_limit = 1000000;
    Stats stats;
    Call call(options, stats);
    Found found;
    found.offsets = {c.height};
    found.bound = 1000;
    Ladder<KnownSearch>(known, {1, 0}, call, c.is_weak).climb(found);
    const std::int64_t at_bound = known.nodes_at_lowest;
    CAPTURE(c.height, c.is_weak, at_bound);
    CHECK(at_bound * 100 > stats.nodes * (c.percent - 5));
    CHECK(at_bound * 100 < stats.nodes * (c.percent + 5));
  }
}

TEST_CASE("ladder: ends when its searches stop by themselves", "[ladder]") {
  Known known = known_with(10);
  known.gives_up = true;
  const Climbed climbed = climb(known, 5, 20);
  CHECK(known.tried.size() == 3);  // Each rung once.
  CHECK(climbed.height == 20);
  CHECK(climbed.bound == 5);
  CHECK_FALSE(climbed.is_stopped);
}

TEST_CASE("ladder: stopped at any node, it tells the truth", "[ladder]") {
  using snug::detail::BothModels;
  std::size_t stopped = 0;
  for (std::size_t k = 0; k < 10; ++k) {
    const Problem<> problem = small_walk<>(kHardSmallWalks[k]);
    const Flat flat = snug::detail::flatten(problem);
    const std::int64_t load = load_of(problem);
    const auto lower = [&](std::int64_t nodes, Stats& stats, Found& found) {
      Options options;
      options.node_limit = nodes;
      Call call(options, stats);
      // One on top of the other.
      std::int64_t top = 0;
      for (const FlatBuffer& buffer : flat.buffers) {
        found.offsets.push_back(top);
        top += buffer.size;
      }
      found.bound = load;
      snug::detail::FlatModels<BothModels> models(flat);
      Ladder<snug::detail::FlatSearch<BothModels>>(
          models, {snug::detail::unit_of(flat, 0), 0}, call)
          .climb(found);
      return call.is_stopped();
    };
    const auto height = [&](const Found& found) {
      return height_of(problem, vector_of(found.offsets));
    };
    Stats all;
    Found least;
    REQUIRE_FALSE(lower(1000000, all, least));
    REQUIRE(height(least) == least.bound);
    for (std::int64_t nodes = 0; nodes <= all.nodes; ++nodes) {
      Stats stats;
      Found found;
      const bool was_stopped = lower(nodes, stats, found);
      CAPTURE(k, nodes);
      REQUIRE(stats.nodes <= nodes);
      REQUIRE(found.bound <= least.bound);
      REQUIRE(height(found) >= least.bound);
      REQUIRE(snug::validate(problem, height(found), vector_of(found.offsets))
                  .ok());
      if (was_stopped) ++stopped;
      if (!was_stopped) REQUIRE(found.bound == height(found));
    }
  }
  CHECK(stopped > at_least<std::size_t>(50));
}

}  // namespace ladder_test
