// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/plan/search_in_turns.hpp"

#include "snug/model/options.hpp"
#include "snug/model/result.hpp"
#include "snug/plan/call.hpp"
#include "snug/support/outcome.hpp"
#include "support/catch.hpp"

#include <atomic>
#include <optional>

namespace search_in_turns_test {
namespace {

using snug::Options;
using snug::Stats;
using snug::detail::Call;
using snug::detail::kNoNodeLimit;
using snug::detail::Outcome;
using snug::detail::SearchInTurns;

/// Takes all the nodes that there are.
struct Tireless {
  explicit Tireless(int& made) { ++made; }

  [[nodiscard]] Outcome run(Call& call) {
    while (!call.limits().hit(call.stats().nodes)) ++call.stats().nodes;
    return Outcome::kOpen;
  }
};

/// One turn of a tireless search, which is made if need be and not interrupted.
/// Counts in `made` how often that was.
auto turn_of(int& made) {
  return [&made](std::optional<Tireless>& tireless, Call& share) {
    if (!tireless) tireless.emplace(made);
    return share.gives_up() ? Outcome::kOpen : tireless->run(share);
  };
}

}  // namespace

TEST_CASE("search in turns: has had so many nodes after each",
          "[search_in_turns]") {
  Options options;
  options.node_limit = 100;
  Stats stats;
  Call call(options, stats);
  SearchInTurns<Tireless> search(call);
  int made = 0;
  const auto run = turn_of(made);
  CHECK(search.search_up_to(10, run) == Outcome::kOpen);
  CHECK(stats.nodes == 10);
  stats.nodes += 5;  // Of somebody else.
  CHECK(search.search_up_to(10, run) == Outcome::kOpen);
  CHECK(stats.nodes == 15);
  CHECK(search.search_up_to(25, run) == Outcome::kOpen);
  CHECK(stats.nodes == 30);
  CHECK_FALSE(call.is_stopped());
  CHECK(search.search_up_to(kNoNodeLimit, run) == Outcome::kOpen);
  CHECK(stats.nodes == 100);
  CHECK(call.is_stopped());
  CHECK(made == 1);
  CHECK_FALSE(search.stops());
  CHECK_FALSE(search.is_over());
  CHECK(search.of_last_turn() > 0);
}

TEST_CASE("search in turns: is over by itself or with an outcome",
          "[search_in_turns]") {
  const Options options;
  Stats stats;
  Call call(options, stats);
  SearchInTurns<int> search(call);
  for (const Outcome outcome :
       {Outcome::kOpen, Outcome::kPlacedAll, Outcome::kRefuted}) {
    CHECK(search.search_up_to(10, [&](std::optional<int>&, Call&) {
      return outcome;
    }) == outcome);
    CHECK(search.stops() == (outcome == Outcome::kOpen));
    CHECK(search.is_over());
    CHECK(search.of_last_turn() == 0);
  }
}

TEST_CASE("search in turns: is made again after an interruption",
          "[search_in_turns]") {
  std::atomic<bool> cancel{true};
  Options options;
  options.cancel = &cancel;
  Stats stats;
  Call call(options, stats);
  SearchInTurns<Tireless> search(call);
  int made = 0;
  const auto run = turn_of(made);
  CHECK(search.search_up_to(10, run) == Outcome::kOpen);
  CHECK(search.is_over());
  CHECK_FALSE(search.stops());
  cancel = false;
  CHECK(search.search_up_to(10, run) == Outcome::kOpen);
  CHECK(made == 2);
  CHECK(stats.nodes == 10);
  CHECK_FALSE(search.is_over());
}

}  // namespace search_in_turns_test
