// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/plan/call.hpp"

#include "support/catch.hpp"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <thread>
#include <vector>

namespace call_test {

using snug::Options;
using snug::Stats;
using snug::Status;
using snug::Stop;
using snug::detail::Call;
using snug::detail::Held;
using snug::detail::Share;
using snug::detail::Turn;

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
    CHECK(share.call().must_stop());
    CHECK(share.call().options().time_limit == std::chrono::nanoseconds(0));
  }
  CHECK(late.limits().stopped_by() == Stop::kTimeLimit);
}

TEST_CASE("run: who cancels a share cancels the whole", "[run]") {
  std::atomic<bool> cancel{false};
  Options options;
  Stats stats;
  SECTION("by the flag, also if that is taken back") {
    options.cancel = &cancel;
    for (const bool is_taken_back : {false, true}) {
      CAPTURE(is_taken_back);
      cancel = false;
      Call run(options, stats);
      {
        Share share(run, 20);
        cancel = true;
        CHECK(share.call().must_stop());
        cancel = !is_taken_back;
      }
      CHECK(run.limits().stopped_by() == Stop::kCancelled);
      CHECK(run.must_stop());
    }
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
      CHECK(share.call().must_stop());
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
    CHECK_FALSE(inner.call().must_stop());
    CHECK(last.nodes == 5);
    CHECK(last.lower_bound == 7);
    CHECK(last.height == 40);
  }
  // From the ground, which the share does not know. What was known before was
  // counted from 0.
  run.limits().set_ground(30);
  CHECK_FALSE(run.must_stop());
  CHECK(last.height == 40);
  CHECK(last.lower_bound == 7);
  run.limits().set_ground(100);
  run.known().lower_bound = 7;
  run.known().height = 40;
  Share share(run, 20);
  CHECK_FALSE(share.call().must_stop());
  CHECK(last.lower_bound == 107);
  CHECK(last.height == 140);
  CHECK_FALSE(run.must_stop());
  CHECK(last.lower_bound == 107);
  CHECK(last.height == 140);
}

TEST_CASE("run: shares report when the whole is due", "[run]") {
  int reports = 0;
  Options options;
  options.progress_data = &reports;
  options.progress_interval = std::chrono::milliseconds(20);
  options.progress = [](const snug::Progress&, void* data) {
    ++*static_cast<int*>(data);
    return true;
  };
  Stats stats;
  Call run(options, stats);
  Share old(run);
  std::this_thread::sleep_for(std::chrono::milliseconds(21));
  {
    Share share(run, 20);
    Share inner(share.call(), 10);
    CHECK_FALSE(inner.call().must_stop());
  }
  CHECK(reports == 1);
  options.progress_interval = std::chrono::hours(1);
  const Turn turn(old, 20);
  CHECK_FALSE(old.call().must_stop());
  CHECK_FALSE(run.must_stop());
  CHECK(reports == 1);
}

TEST_CASE("run: what stopped a turn is forgotten in the next one", "[run]") {
  Options options;
  options.node_limit = 100;
  Stats stats;
  Call run(options, stats);
  Share share(run);
  {
    const Turn turn(share, 10);
    stats.nodes = 10;
    CHECK(share.call().must_stop());
  }
  CHECK_FALSE(run.is_stopped());
  {
    const Turn turn(share, 10);
    CHECK_FALSE(share.call().is_stopped());
    CHECK(share.call().options().node_limit == 20);
    CHECK_FALSE(share.call().limits().hit(19));
    CHECK(share.call().limits().hit(20));
  }
  {
    const Turn turn(share, snug::detail::kNoNodeLimit);
    CHECK(share.call().options().node_limit == 100);
    stats.nodes = 100;
    CHECK(share.call().must_stop());
  }
  CHECK(run.limits().stopped_by() == Stop::kNodeLimit);
}

TEST_CASE("run: a turn without a node limit has all of the time", "[run]") {
  Options options;
  options.time_limit = std::chrono::hours(2);
  Stats stats;
  Call run(options, stats);
  Share share(run);
  {
    const Turn turn(share, 5);
    CHECK(share.call().options().time_limit <= std::chrono::hours(1));
  }
  {
    const Turn turn(share, 5, Share::Time::kAll);
    CHECK(share.call().options().time_limit > std::chrono::minutes(119));
    CHECK(share.call().options().node_limit == 5);
  }
  const Turn turn(share, snug::detail::kNoNodeLimit);
  CHECK(share.call().options().time_limit > std::chrono::minutes(119));
}

TEST_CASE("run: what a share holds between its turns is counted", "[run]") {
  const Options options;
  Stats stats;
  Call run(options, stats);
  {
    Share share(run);
    std::optional<Held> kept;
    {
      const Turn turn(share, 1);
      kept.emplace(share.call(), 10);
      CHECK(stats.peak_bytes == 10);
      kept->change(8);
    }
    {
      const Held other(run, 5);
      CHECK(stats.peak_bytes == 13);
      const Turn turn(share, 1);
      share.call().count_bytes(1);
      CHECK(stats.peak_bytes == 14);
      kept->change(11);
      CHECK(stats.peak_bytes == 16);
    }
    run.count_bytes(6);
    CHECK(stats.peak_bytes == 17);
  }
  run.count_bytes(18);
  CHECK(stats.peak_bytes == 18);
}

TEST_CASE("run: what is held may outlive the share that it began in", "[run]") {
  const Options options;
  Stats stats;
  Call run(options, stats);
  {
    std::optional<Held> kept;
    {
      Share share(run, 1);
      Share part(share.call(), 1);
      kept.emplace(part.call(), 10);
      CHECK(run.held() == 10);
      CHECK(share.call().held() == 10);
    }
    CHECK(run.held() == 10);
    kept->change(12);
    CHECK(run.held() == 12);
    CHECK(stats.peak_bytes == 12);
  }
  CHECK(run.held() == 0);
  CHECK(stats.peak_bytes == 12);
}

TEST_CASE("run: what takes no nodes reports, too", "[run]") {
  struct Told {
    std::vector<std::int64_t> nodes{};
    std::size_t most = 9;
  } told;
  Options options;
  options.node_limit = 9;
  options.progress_data = &told;
  options.progress_interval = std::chrono::nanoseconds(0);
  options.progress = [](const snug::Progress& progress, void* data) {
    Told& all = *static_cast<Told*>(data);
    all.nodes.push_back(progress.nodes);
    return all.nodes.size() < all.most;
  };
  Stats stats;
  Call run(options, stats);
  stats.nodes = 5;
  CHECK_FALSE(run.must_stop());
  {
    // It knows nothing of the nodes yet.
    Share share(run, 1);
    CHECK_FALSE(share.call().gives_up());
  }
  CHECK(told.nodes == std::vector<std::int64_t>{5, 5, 5});
  stats.nodes = 9;
  CHECK(run.must_stop());
  CHECK_FALSE(run.gives_up());
  CHECK(run.limits().stopped_by() == Stop::kNodeLimit);
  told.most = 0;
  CHECK(run.gives_up());
  CHECK(run.gave_up());
  const std::size_t before = told.nodes.size();
  CHECK(run.gives_up());
  CHECK(told.nodes.size() == before);
  CHECK(run.limits().stopped_by() == Stop::kNodeLimit);
}

TEST_CASE("run: what a share of the whole proves is kept without reports",
          "[run]") {
  const Options options;
  Stats stats;
  Call run(options, stats);
  {
    Share part(run, 1);
    part.call().note_bound(30);
  }
  CHECK(run.limits().lower_bound() == 0);
  {
    Share all(run, 1, Share::Of::kWhole);
    all.call().limits().set_ground(8);
    all.call().note_bound(12);
  }
  CHECK(run.limits().lower_bound() == 20);
  {
    Share all(run, 1, Share::Of::kWhole);
    all.call().note_bound(19);
  }
  CHECK(run.limits().lower_bound() == 20);
}

TEST_CASE(
    "run: a share leaves memory, and what it has no time for is told by "
    "who has the whole",
    "[run]") {
  Options options;
  options.memory_limit = 1000;
  Stats stats;
  Call run(options, stats);
  {
    Share part(run);
    part.leave_memory();
    CHECK(part.call().options().memory_limit == 500);
    const Turn turn(part, 1);
    part.call().limits().leave_out();
  }
  CHECK_FALSE(run.limits().leaves_out());
  {
    Share all(run, Share::Of::kWhole);
    const Turn turn(all, 1);
    all.call().limits().leave_out();
  }
  CHECK(run.limits().leaves_out());
}

}  // namespace call_test
