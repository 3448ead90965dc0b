// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/engine/limits.hpp"

#include "snug/plan/budget.hpp"
#include "snug/plan/call.hpp"
#include "support/catch.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <thread>

namespace limits_test {

using snug::Options;
using snug::Status;
using snug::Stop;
using snug::detail::Limits;

TEST_CASE("limits: none by default", "[limits]") {
  const Options options;
  Limits limits(options);
  CHECK(limits.stopped_by() == Stop::kNone);
  CHECK_FALSE(limits.hit(0));
  CHECK_FALSE(limits.hit(std::int64_t{1} << 62));
  CHECK(limits.stopped_by() == Stop::kNone);
}

TEST_CASE("limits: nodes are counted exactly", "[limits]") {
  Options options;
  options.node_limit = 100;
  Limits limits(options);
  CHECK_FALSE(limits.hit(0));
  CHECK_FALSE(limits.hit(99));
  CHECK(limits.stopped_by() == Stop::kNone);
  CHECK(limits.hit(100));
  CHECK(limits.stopped_by() == Stop::kNodeLimit);
  CHECK(limits.hit(0));  // Once stopped, it stays so.
}

TEST_CASE("limits: a node limit of zero or less stops at once", "[limits]") {
  Options options;
  options.node_limit = 0;
  CHECK(Limits(options).hit(0));
  options.node_limit = (std::numeric_limits<std::int64_t>::min)();
  CHECK(Limits(options).hit(0));
}

TEST_CASE("limits: the cancel flag is seen at any node", "[limits]") {
  std::atomic<bool> cancel{false};
  Options options;
  options.cancel = &cancel;
  Limits limits(options);
  CHECK_FALSE(limits.hit(17));
  cancel = true;
  CHECK(limits.hit(18));
  CHECK(limits.stopped_by() == Stop::kCancelled);
}

TEST_CASE("limits: the node limit comes first", "[limits]") {
  // A result that a node limit decides must not depend on the clock.
  const std::atomic<bool> cancel{true};
  Options options;
  options.cancel = &cancel;
  options.node_limit = 64;
  options.time_limit = std::chrono::nanoseconds(0);
  Limits limits(options);
  CHECK(limits.hit(64));
  CHECK(limits.stopped_by() == Stop::kNodeLimit);
}

TEST_CASE("limits: the clock is read every 64 nodes", "[limits]") {
  Options options;
  options.time_limit = std::chrono::nanoseconds(0);
  Limits limits(options);
  CHECK_FALSE(limits.hit(1));
  CHECK_FALSE(limits.hit(63));
  CHECK(limits.hit(64));
  CHECK(limits.stopped_by() == Stop::kTimeLimit);
  CHECK(Limits(options).hit(0));

  options.time_limit = std::chrono::hours(1);
  Limits patient(options);
  CHECK_FALSE(patient.hit(0));
  CHECK_FALSE(patient.hit(64));
}

TEST_CASE("limits: time starts with the limits", "[limits]") {
  Options options;
  options.time_limit = std::chrono::milliseconds(2);
  Limits limits(options);
  const double before = limits.seconds();
  CHECK(before >= 0);
  std::this_thread::sleep_for(std::chrono::milliseconds(3));
  CHECK(limits.seconds() >= 0.003);
  CHECK(limits.seconds() > before);
  CHECK(limits.hit(0));
  CHECK(limits.stopped_by() == Stop::kTimeLimit);
}

namespace {

/// What a progress callback saw.
struct Reports {
  int count = 0;
  snug::Progress last{};
  bool go_on = true;
};

bool record(const snug::Progress& progress, void* data) {
  Reports& reports = *static_cast<Reports*>(data);
  ++reports.count;
  reports.last = progress;
  return reports.go_on;
}

Options reporting(Reports& reports, std::chrono::nanoseconds interval) {
  Options options;
  options.progress = record;
  options.progress_data = &reports;
  options.progress_interval = interval;
  return options;
}

}  // namespace

TEST_CASE("limits: as far below zero as can be", "[limits]") {
  Options options;
  options.time_limit = (std::chrono::nanoseconds::min)();
  options.node_limit = (std::numeric_limits<std::int64_t>::min)();
  CHECK(Limits(options).time_left() == std::chrono::nanoseconds(0));
  CHECK(Limits(options).hit(0));

  snug::detail::Budget budget(options);
  CHECK(budget.is_spent());
  CHECK(budget.nodes_left() == 0);
  CHECK(budget.share(5).node_limit == 0);
  CHECK(budget.share(5).time_limit <= std::chrono::nanoseconds(0));
  budget.add_nodes(5);
  CHECK(budget.stats().nodes == 0);
}

TEST_CASE("limits: progress is reported where the clock is read", "[limits]") {
  Reports reports;
  Options options = reporting(reports, std::chrono::nanoseconds(0));
  Limits limits(options);
  CHECK_FALSE(limits.hit(1));
  CHECK(reports.count == 0);
  CHECK_FALSE(limits.hit(64));
  CHECK(reports.count == 1);
  CHECK(reports.last.nodes == 64);
  CHECK(reports.last.height == -1);
  CHECK(reports.last.lower_bound == 0);
  CHECK(reports.last.seconds >= 0);

  limits.known().lower_bound = 7;
  limits.known().height = 9;
  CHECK_FALSE(limits.hit(128));
  CHECK(reports.count == 2);
  CHECK(reports.last.nodes == 128);
  CHECK(reports.last.lower_bound == 7);
  CHECK(reports.last.height == 9);

  reports.go_on = false;
  CHECK(limits.hit(192));
  CHECK(limits.stopped_by() == Stop::kCancelled);
}

TEST_CASE("limits: what is reported counts from 0, not from the ground",
          "[limits]") {
  Reports reports;
  Options options = reporting(reports, std::chrono::nanoseconds(0));
  Limits limits(options);
  limits.set_ground(100);
  limits.known().lower_bound = 7;
  limits.note_height(9);
  CHECK_FALSE(limits.hit(64));
  CHECK(reports.last.lower_bound == 107);
  CHECK(reports.last.height == 109);
}

TEST_CASE("limits: no report before the interval has passed", "[limits]") {
  Reports reports;
  Options options = reporting(reports, std::chrono::hours(1));
  Limits patient(options);
  for (std::int64_t nodes = 0; nodes < 1000; ++nodes)
    CHECK_FALSE(patient.hit(nodes));
  CHECK(reports.count == 0);

  options.progress_interval = std::chrono::milliseconds(1);
  Limits limits(options);
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  CHECK_FALSE(limits.hit(64));
  CHECK(reports.count == 1);
  CHECK(reports.last.seconds >= 0.001);
}

TEST_CASE("limits: many short solves report as one call", "[limits]") {
  Reports reports;
  Options options = reporting(reports, std::chrono::milliseconds(1));
  snug::detail::Budget budget(options);
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  {
    const Options share = budget.share(100);
    Limits limits(share);
    CHECK_FALSE(limits.hit(0));
    CHECK(reports.count == 1);
    options.progress_interval = std::chrono::hours(1);
    CHECK_FALSE(limits.hit(64));
    CHECK(reports.count == 1);
  }
  // Also those that have no nodes at all.
  options.progress_interval = std::chrono::nanoseconds(0);
  snug::Stats stats;
  stats.nodes = 3;
  budget.add(stats, Stop::kNone);
  CHECK(reports.count == 2);
  CHECK(reports.last.nodes == 3);
  CHECK_FALSE(budget.is_spent());
  reports.go_on = false;
  budget.add(stats, Stop::kNone);
  CHECK(budget.stopped_by() == Stop::kCancelled);
}

TEST_CASE("limits: who said no is not asked again", "[limits]") {
  Reports reports;
  reports.go_on = false;
  const Options options = reporting(reports, std::chrono::nanoseconds(0));
  SECTION("by a part of a call, before it tells the whole") {
    snug::Stats stats;
    snug::detail::Call call(options, stats);
    {
      snug::detail::Share share(call, 100);
      CHECK(share.call().must_stop());
      CHECK(call.must_stop());
    }
    CHECK(call.limits().stopped_by() == Stop::kCancelled);
  }
  SECTION("by a solve that came to its end all the same") {
    snug::detail::Budget budget(options);
    {
      const Options share = budget.share(100);
      Limits limits(share);
      CHECK(limits.hit(0));
    }
    budget.add(snug::Stats{}, Stop::kNone);
    CHECK(budget.stopped_by() == Stop::kCancelled);
  }
  CHECK(reports.count == 1);
}

TEST_CASE("limits: the clock is read at any time when asked to", "[limits]") {
  Options options;
  options.time_limit = std::chrono::nanoseconds(0);
  Limits limits(options);
  CHECK_FALSE(limits.hit(63));
  CHECK(limits.hit_now(63));
  CHECK(limits.stopped_by() == Stop::kTimeLimit);

  options.node_limit = 10;
  Limits few(options);
  CHECK(few.hit_now(10));
  CHECK(few.stopped_by() == Stop::kNodeLimit);
}

TEST_CASE("limits: the best height is reported on the way", "[limits]") {
  Reports reports;
  Options options = reporting(reports, std::chrono::nanoseconds(0));
  Limits limits(options);
  limits.note_height(30);
  CHECK_FALSE(limits.hit_now(5));
  CHECK(reports.count == 1);
  CHECK(reports.last.height == 30);
  CHECK(reports.last.nodes == 5);
  limits.note_height(20);
  CHECK_FALSE(limits.hit_now(5));
  CHECK(reports.last.height == 20);
  limits.note_height(25);
  CHECK_FALSE(limits.hit_now(5));
  CHECK(reports.last.height == 20);
  reports.go_on = false;
  CHECK(limits.hit_now(5));
  CHECK(limits.stopped_by() == Stop::kCancelled);
}

}  // namespace limits_test
