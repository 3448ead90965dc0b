// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/model/interval.hpp"
#include "snug/model/options.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/result.hpp"
#include "support/catch.hpp"

#include <chrono>
#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <type_traits>

namespace model_test {

using snug::Interval;
using snug::Status;
using snug::Stop;

TEMPLATE_TEST_CASE("an interval is half-open", "[model]", std::int64_t,
                   std::int32_t) {
  using I = Interval<TestType>;
  constexpr TestType kMin = (std::numeric_limits<TestType>::min)();
  constexpr TestType kMax = (std::numeric_limits<TestType>::max)();

  SECTION("it is empty unless lower is below upper") {
    CHECK(I{}.empty());
    CHECK(I{3, 3}.empty());
    CHECK(I{4, 3}.empty());
    CHECK(I{kMax, kMin}.empty());
    CHECK_FALSE(I{3, 4}.empty());
    CHECK_FALSE(I{kMin, kMax}.empty());
  }
  SECTION("touching ends do not overlap") {
    CHECK_FALSE(I{0, 3}.overlaps({3, 5}));
    CHECK_FALSE(I{3, 5}.overlaps({0, 3}));
    CHECK(I{0, 4}.overlaps({3, 5}));
    CHECK(I{3, 5}.overlaps({0, 4}));
    CHECK(I{0, 9}.overlaps({3, 5}));
    CHECK(I{3, 5}.overlaps({0, 9}));
    CHECK(I{kMin, kMax}.overlaps({kMin, kMin + 1}));
    CHECK(I{kMin, kMax}.overlaps({kMax - 1, kMax}));
    CHECK_FALSE(I{kMin, 0}.overlaps({0, kMax}));
  }
  SECTION("it contains itself and what lies inside") {
    CHECK(I{2, 5}.contains({2, 5}));
    CHECK(I{2, 5}.contains({3, 4}));
    CHECK_FALSE(I{2, 5}.contains({1, 4}));
    CHECK_FALSE(I{2, 5}.contains({3, 6}));
    CHECK(I{kMin, kMax}.contains({kMin, kMax}));
    CHECK_FALSE(I{kMin + 1, kMax}.contains({kMin, kMax}));
  }
  SECTION("equality compares both ends") {
    CHECK(I{1, 2} == I{1, 2});
    CHECK(I{1, 2} != I{1, 3});
    CHECK(I{0, 2} != I{1, 2});
    CHECK_FALSE(I{1, 2} != I{1, 2});
  }
}

TEMPLATE_TEST_CASE("a buffer is free, unaligned and without gaps by default",
                   "[model]", std::int64_t, std::int32_t) {
  const snug::Buffer<TestType, TestType> buffer{{3, 9}, 4};
  CHECK(buffer.lifespan == Interval<TestType>{3, 9});
  CHECK(buffer.size == 4);
  CHECK(buffer.alignment == 1);
  CHECK(buffer.gaps.empty());
  CHECK_FALSE(buffer.offset.has_value());
  CHECK_FALSE(buffer.hint.has_value());
  CHECK(buffer.end == snug::End::kAny);

  const snug::Gap<TestType, TestType> gap{{4, 5}};
  CHECK_FALSE(gap.window.has_value());

  const snug::Problem<TestType, TestType> problem;
  CHECK(problem.buffers.empty());
  CHECK(problem.aliases.empty());
  CHECK(problem.contiguous.empty());
  CHECK(problem.apart.empty());
  CHECK(problem.may_overlap.empty());
  CHECK(problem.reserved.empty());
  CHECK(problem.base == 0);
  CHECK(problem.alignment == 1);
}

TEST_CASE("64-bit values are the default", "[model]") {
  CHECK(std::is_same_v<snug::Problem<>::SizeType, std::int64_t>);
  CHECK(std::is_same_v<snug::Problem<>::TimeType, std::int64_t>);
  CHECK(std::is_same_v<decltype(snug::Result<>::height), std::int64_t>);
  CHECK(std::is_same_v<decltype(snug::Result<std::int32_t>::height),
                       std::int32_t>);
}

TEST_CASE("every status, and all that stops, has its own word", "[model]") {
  CHECK(std::string(to_string(Status::kOptimal)) == "optimal");
  CHECK(std::string(to_string(Status::kFeasible)) == "feasible");
  CHECK(std::string(to_string(Status::kInfeasible)) == "infeasible");
  CHECK(std::string(to_string(Status::kUnknown)) == "unknown");
  CHECK(std::string(to_string(Status::kInvalid)) == "invalid");
  CHECK(std::string(to_string(Stop::kNone)) == "none");
  CHECK(std::string(to_string(Stop::kTimeLimit)) == "time_limit");
  CHECK(std::string(to_string(Stop::kNodeLimit)) == "node_limit");
  CHECK(std::string(to_string(Stop::kCancelled)) == "cancelled");
}

TEST_CASE("a call ends in one word", "[model]") {
  const auto word = [](Status status, Stop stopped_by) {
    return std::string(snug::outcome_word(status, stopped_by));
  };
  CHECK(word(Status::kOptimal, Stop::kNone) == "solved");
  CHECK(word(Status::kFeasible, Stop::kNone) == "solved");
  CHECK(word(Status::kInfeasible, Stop::kNone) == "infeasible");
  CHECK(word(Status::kInvalid, Stop::kNone) == "invalid");
  CHECK(word(Status::kFeasible, Stop::kTimeLimit) == "time_limit");
  CHECK(word(Status::kUnknown, Stop::kNodeLimit) == "node_limit");
  CHECK(word(Status::kUnknown, Stop::kCancelled) == "cancelled");
}

TEST_CASE("a result knows whether it holds a placement", "[model]") {
  snug::Result<> result;
  CHECK(result.status == Status::kInvalid);
  CHECK_FALSE(result.has_solution());
  for (const Status status : {Status::kOptimal, Status::kFeasible}) {
    result.status = status;
    CHECK(result.has_solution());
  }
  for (const Status status :
       {Status::kInfeasible, Status::kUnknown, Status::kInvalid}) {
    result.status = status;
    CHECK_FALSE(result.has_solution());
  }
}

TEST_CASE("statistics start at zero", "[model]") {
  const snug::Stats stats;
  CHECK(stats.nodes == 0);
  CHECK(stats.backtracks == 0);
  CHECK(stats.runs == 0);
  CHECK(stats.peak_bytes == 0);
  CHECK(std::string(stats.strategy).empty());
}

TEST_CASE("options are unlimited, with every rule on", "[model]") {
  const snug::Options options;
  CHECK(options.time_limit == (std::chrono::nanoseconds::max)());
  CHECK(options.node_limit == (std::numeric_limits<std::int64_t>::max)());
  CHECK(options.cancel == nullptr);
  CHECK(options.seed == 1);
  CHECK(options.tuning == nullptr);

  const snug::Tuning tuning;
  CHECK(tuning.strategies.empty());
  CHECK(tuning.failed_state_bytes == std::size_t{16} << 20);
  const snug::Rules& rules = tuning.rules;
  CHECK(rules.section_inference);
  CHECK(rules.no_hurt_placement);
  CHECK(rules.abandoned_slot);
  CHECK(rules.twins);
  CHECK(rules.failed_states);
  CHECK(rules.conflict_sets);
  CHECK(rules.decomposition);
  CHECK(rules.failure_weights);
  CHECK(rules.restarts);
}

TEST_CASE("every reason has a message of its own", "[model]") {
  std::set<std::string> messages;
  const int last = static_cast<int>(snug::Reason::kUnsupported);
  for (int k = 0; k <= last; ++k) {
    const std::string message = to_string(static_cast<snug::Reason>(k));
    CAPTURE(k, message);
    CHECK_FALSE(message.empty());
    CHECK(message != "unknown");
    CHECK(message.back() != '.');
    CHECK(messages.insert(message).second);
  }
  CHECK(std::string(to_string(static_cast<snug::Reason>(last + 1))) ==
        "unknown");
}

}  // namespace model_test
