// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/io/explain_text.hpp"

#include "snug/explain.hpp"
#include "snug/model/problem.hpp"
#include "snug/spill.hpp"
#include "support/catch.hpp"
#include "support/solved.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace explain_text_test {

using snug::Problem;
using snug::to_string;

namespace {

/// What explain() returns for the load of these buffers at `moment`.
snug::Explanation<> load_at(std::int64_t moment,
                            std::vector<std::size_t> buffers) {
  snug::Explanation<> why;
  why.status = snug::Status::kInfeasible;
  why.cause = snug::Cause::kLoad;
  why.moment = moment;
  why.buffers = std::move(buffers);
  why.proved_irreducible = true;
  return why;
}

}  // namespace

TEST_CASE("explain text: too much at one time") {
  Problem<> problem;
  problem.buffers = {{{0, 9}, 1000000}, {{3, 9}, 31616}, {{3, 5}, 1000000}};
  CHECK(to_string(problem, 2000000, load_at(3, {0, 1, 2}), {"a", "b", "c"}) ==
        "at step 3, three buffers need 2 031 616 bytes, 31 616 more than there "
        "are: a (1 000 000), c (1 000 000), b (31 616)");
  CHECK(to_string(problem, 5, load_at(0, {0})) ==
        "at step 0, one buffer needs 1 000 000 bytes, 999 995 more than there "
        "are: 0 (1 000 000)");
  problem.buffers[0].size = 1;
  CHECK(to_string(problem, 0, load_at(0, {0})) ==
        "at step 0, one buffer needs 1 byte, 1 more than there are: 0 (1)");
  problem.buffers[0].size = 1000000;
  problem.base = 100;
  CHECK(to_string(problem, 1000000, load_at(0, {0}))
            .find(", 100 more than there are") != std::string::npos);
}

TEST_CASE("explain text: gaps count as what is in use then") {
  Problem<> problem;
  problem.buffers = {{{0, 9}, 100}, {{0, 9}, 50}, {{0, 9}, 7}};
  problem.buffers[0].gaps = {{{2, 4}, snug::Interval<std::int64_t>{10, 30}}};
  problem.buffers[2].gaps = {{{2, 4}, {}}};
  const std::string text = to_string(problem, 60, load_at(3, {0, 1, 2}));
  CHECK(text.find("need 70 bytes, 10 more") != std::string::npos);
}

TEST_CASE("explain text: of many, the twelve largest") {
  Problem<> problem;
  std::vector<std::size_t> all;
  for (std::size_t k = 0; k < 15; ++k) {
    problem.buffers.push_back({{0, 9}, static_cast<std::int64_t>(k + 1)});
    all.push_back(k);
  }
  const std::string text = to_string(problem, 10, load_at(0, all));
  CAPTURE(text);
  CHECK(text.find("at step 0, 15 buffers need 120 bytes, 110 more") == 0);
  CHECK(text.find(": 14 (15), 13 (14), ") != std::string::npos);
  CHECK(text.find(", 3 (4) and 3 more") != std::string::npos);
}

TEST_CASE("explain text: agrees with explain and suggest_spills") {
  Problem<> problem;
  problem.buffers = {{{0, 9}, 6}, {{3, 12}, 6}, {{0, 4}, 1}};
  const std::string why =
      to_string(problem, 11, snug::explain(problem, 11), {"x\n", "y", "z"});
  CHECK(why ==
        "at step 3, two buffers need 12 bytes, 1 more than there are: "
        "x? (6), y (6)");
  CHECK(to_string(problem, 20, snug::explain(problem, 20)) ==
        "all buffers fit");
  CHECK(to_string(problem, snug::suggest_spills(problem, std::int64_t{20})) ==
        "nothing has to be moved elsewhere");
  const std::string spill =
      to_string(problem, snug::suggest_spills(problem, std::int64_t{12}));
  CHECK(spill ==
        "to be moved elsewhere: 2 (1); together 1 byte; the other 2 "
        "fit; nothing cheaper would do");
}

TEST_CASE("explain text: no moment to blame, limits and bad input") {
  Problem<> problem;
  problem.buffers = {{{0, 9}, 6}, {{0, 9}, 6}};
  snug::Explanation<> why;
  why.error.reason = snug::Reason::kNegativeSize;
  CHECK(to_string(problem, 11, why) ==
        "the problem is not valid: size is negative");
  why.status = snug::Status::kUnknown;
  why.stopped_by = snug::Stop::kTimeLimit;
  CHECK(to_string(problem, 11, why) ==
        "it is not known why: stopped by the time limit");
  why.status = snug::Status::kInfeasible;
  why.cause = snug::Cause::kSearch;
  why.buffers = {0, 1};
  why.stopped_by = snug::Stop::kNodeLimit;
  CHECK(to_string(problem, 11, why) ==
        "two buffers have no place within 11 bytes, although there is no "
        "moment at which they need more: 0 (6), 1 (6) (stopped by the node "
        "limit: fewer may be to blame)");
}

TEST_CASE("explain text: costs that are none are not the problem's fault") {
  Problem<> problem;
  problem.buffers = {{{0, 9}, 6}, {{0, 9}, 6}};
  const auto text_of = [&](const std::vector<std::int64_t>& costs) {
    return to_string(problem,
                     snug::suggest_spills(problem, std::int64_t{6}, costs),
                     {"x", "y\n"});
  };
  CHECK(text_of({1, -1}) == "the cost of y? is not valid");
  CHECK(text_of({1, 1, 1}) == "the cost of 2 is not valid");
  problem.buffers[0].size = -1;
  CHECK(text_of({1, -1}) == "the problem is not valid: size is negative");
}

TEST_CASE("explain text: more bytes elsewhere than a number holds") {
  constexpr std::int64_t kHuge = (std::int64_t{1} << 62) - 1;
  Problem<> problem;
  problem.buffers = {{{0, 1}, kHuge}, {{1, 2}, kHuge}, {{2, 3}, kHuge}};
  const std::vector<std::int64_t> costs{1, 1, 1};
  const std::string text =
      to_string(problem, snug::suggest_spills(problem, std::int64_t{5}, costs));
  CHECK(text.find("together more than 9 223 372 036 854 775 807 bytes") !=
        std::string::npos);
}

}  // namespace explain_text_test
