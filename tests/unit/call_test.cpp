// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/plan/call.hpp"

#include "support/catch.hpp"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace call_test {

using snug::Options;
using snug::Stats;
using snug::Status;
using snug::Stop;
using snug::detail::Call;
using snug::detail::Held;
using snug::detail::Share;

TEST_CASE("run: the most bytes that were held at one time", "[run]") {
  const Options options;
  Stats stats;
  Call run(options, stats);
  run.count_bytes(10);
  CHECK(stats.peak_bytes == 10);
  {
    const Held some(run, 7);
    CHECK(stats.peak_bytes == 10);
    run.count_bytes(5);
    CHECK(stats.peak_bytes == 12);
    const Held more(run, 20);
    CHECK(stats.peak_bytes == 27);
    Share share(run, 1);
    share.call().count_bytes(3);
    CHECK(stats.peak_bytes == 30);
  }
  run.count_bytes(29);
  CHECK(stats.peak_bytes == 30);
}

TEST_CASE("run: a share has fewer nodes, and counts them as the whole's",
          "[run]") {
  Options options;
  options.node_limit = 100;
  Stats stats;
  Call run(options, stats);
  stats.nodes = 30;
  {
    Share share(run, 20);
    CHECK(share.call().options().node_limit == 50);
    CHECK_FALSE(share.call().limits().hit(49));
    CHECK(share.call().limits().hit(50));
    stats.nodes = 50;
  }
  CHECK_FALSE(run.is_stopped());
  {
    Share share(run, 1000);
    CHECK(share.call().options().node_limit == 100);
    stats.nodes = 100;
  }
  CHECK(run.is_stopped());
  CHECK(run.limits().stopped_by() == Stop::kNodeLimit);
}

TEST_CASE("run: a share has half of the time, and no more than the whole",
          "[run]") {
  Options options;
  options.time_limit = std::chrono::hours(2);
  Stats stats;
  Call run(options, stats);
  {
    Share share(run, 20);
    CHECK(share.call().options().time_limit <= std::chrono::hours(1));
    CHECK(share.call().options().time_limit > std::chrono::minutes(59));
  }
  CHECK_FALSE(run.is_stopped());
  options.time_limit = std::chrono::nanoseconds(0);
  Call late(options, stats);
  {
    Share share(late, 20);
    CHECK(share.call().stop());
    CHECK(share.call().options().time_limit == std::chrono::nanoseconds(0));
  }
  CHECK(late.limits().stopped_by() == Stop::kTimeLimit);
}

TEST_CASE("run: who cancels a share cancels the whole", "[run]") {
  std::atomic<bool> cancel{false};
  Options options;
  Stats stats;
  SECTION("by the flag") {
    options.cancel = &cancel;
    Call run(options, stats);
    {
      Share share(run, 20);
      cancel = true;
      CHECK(share.call().stop());
    }
    CHECK(run.limits().stopped_by() == Stop::kCancelled);
  }
  SECTION("by its report, which asks once") {
    int asked = 0;
    options.progress_data = &asked;
    options.progress = [](const snug::Progress&, void* data) {
      return ++*static_cast<int*>(data) > 1;
    };
    options.progress_interval = std::chrono::nanoseconds(0);
    Call run(options, stats);
    {
      Share share(run, 20);
      CHECK(share.call().stop());
    }
    CHECK(run.limits().stopped_by() == Stop::kCancelled);
    CHECK(asked == 1);
  }
}

TEST_CASE("run: a share reports what the whole knows", "[run]") {
  snug::Progress last;
  Options options;
  options.progress_data = &last;
  options.progress_interval = std::chrono::nanoseconds(0);
  options.progress = [](const snug::Progress& progress, void* data) {
    *static_cast<snug::Progress*>(data) = progress;
    return true;
  };
  Stats stats;
  Call run(options, stats);
  run.known().lower_bound = 7;
  run.known().height = 40;
  {
    Share share(run, 20);
    Share inner(share.call(), 10);
    inner.call().known().lower_bound = 39;
    inner.call().known().height = 8;
    stats.nodes = 5;
    CHECK_FALSE(inner.call().stop());
    CHECK(last.nodes == 5);
    CHECK(last.lower_bound == 7);
    CHECK(last.height == 40);
  }
  // From the ground, which the share does not know.
  run.limits().set_ground(100);
  Share share(run, 20);
  CHECK_FALSE(share.call().stop());
  CHECK(last.lower_bound == 107);
  CHECK(last.height == 140);
  CHECK_FALSE(run.stop());
  CHECK(last.lower_bound == 107);
  CHECK(last.height == 140);
}

}  // namespace call_test
