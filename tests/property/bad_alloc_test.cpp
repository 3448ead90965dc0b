// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// No memory: every call fails at its first allocation, at its second, and so
/// on until it needs no more. std::bad_alloc arrives, nothing stays behind, and
/// what is called next does not notice.
#include "snug/io/csv.hpp"
#include "snug/io/json.hpp"
#include "snug/planner.hpp"
#include "snug/schedule.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/solved.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <string>
#include <vector>

namespace {

/// Allocations that are left until one fails, if not negative; what is alive.
std::int64_t until_failure = -1;
std::int64_t alive = 0;

constexpr std::int64_t kEveryOne = std::int64_t{1} << 40;

}  // namespace

void* operator new(std::size_t size) {
  if (until_failure == 0) throw std::bad_alloc();
  if (until_failure > 0) --until_failure;
  void* const block = std::malloc(size == 0 ? 1 : size);
  if (block == nullptr) throw std::bad_alloc();
  ++alive;
  return block;
}
void* operator new[](std::size_t size) {
  return operator new(size);
}
// std::stable_sort asks for its memory by this form, and can do without.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  if (until_failure == 0) return nullptr;
  if (until_failure > 0) --until_failure;
  void* const block = std::malloc(size == 0 ? 1 : size);
  if (block != nullptr) ++alive;
  return block;
}
void* operator new[](std::size_t size, const std::nothrow_t& form) noexcept {
  return operator new(size, form);
}
void operator delete(void* block) noexcept {
  if (block != nullptr) --alive;
  std::free(block);
}
void operator delete[](void* block) noexcept {
  operator delete(block);
}
void operator delete(void* block, std::size_t) noexcept {
  operator delete(block);
}
void operator delete[](void* block, std::size_t) noexcept {
  operator delete(block);
}
void operator delete(void* block, const std::nothrow_t&) noexcept {
  operator delete(block);
}
void operator delete[](void* block, const std::nothrow_t&) noexcept {
  operator delete(block);
}

namespace {

using snug::Options;
using snug::Problem;

/// Lets `call` fail at every allocation in turn; of those behind the first
/// hundred at some, unless SNUG_TEST_EFFORT asks for more. Returns how often it
/// did.
template <class Call>
std::int64_t fail_everywhere(Call&& call) {
  const std::int64_t share = snug::testing::effort(1) > 1 ? kEveryOne : 100;
  std::int64_t failures = 0;
  for (std::int64_t left = 0;; left += 1 + left / share) {
    const std::int64_t before = alive;
    bool is_done = false;
    bool is_right = true;
    until_failure = left;
    try {
      is_right = call();
      is_done = true;
    } catch (const std::bad_alloc&) {
      ++failures;
    }
    until_failure = -1;
    const std::int64_t behind = alive - before;
    CAPTURE(left);
    REQUIRE(is_right);
    REQUIRE(behind == 0);
    if (is_done) return failures;
    // Every so often, whether all is as before.
    if (failures % 32 == 0) REQUIRE(call());
  }
}

Problem<> plain_problem() {
  Problem<> problem;
  for (std::int64_t i = 0; i < 7; ++i)
    problem.buffers.push_back(
        {{i, i + 2 + i * i % 5}, 3 + i * 7 % 5, 1 + i % 2});
  return problem;
}

Problem<> constrained_problem() {
  Problem<> problem = plain_problem();
  problem.buffers[1].gaps.push_back(
      {{1, 2}, snug::Interval<std::int64_t>{0, 1}});
  problem.buffers[2].gaps.push_back({{3, 4}, std::nullopt});
  problem.buffers[3].hint = 4;
  problem.buffers[4].end = snug::End::kTop;
  problem.buffers[5].end = snug::End::kBottom;
  problem.aliases.push_back({3, 6, 0});
  problem.apart.push_back({0, 5});
  problem.reserved.push_back({{2, 3}, std::nullopt});
  problem.penalties.push_back({1, 5, 5});
  problem.penalties.push_back({2, 6, 3});
  return problem;
}

}  // namespace

TEST_CASE("no memory: whatever solves", "[memory]") {
  for (const Problem<>& problem : {plain_problem(), constrained_problem()}) {
    Options options;
    options.node_limit = 40;
    const auto lowest = minimize(problem, options);
    REQUIRE(lowest.has_solution());
    const std::int64_t height = lowest.height;
    CHECK(fail_everywhere([&] {
            return minimize(problem, options).offsets == lowest.offsets;
          }) > 10);
    const auto at_height = solve(problem, height, options);
    CHECK(fail_everywhere([&] {
            return solve(problem, height, options).offsets == at_height.offsets;
          }) > 10);
    const auto why = explain(problem, height - 1, options);
    CHECK(fail_everywhere([&] {
            return explain(problem, height - 1, options).buffers == why.buffers;
          }) > 10);
    const auto spills = suggest_spills(problem, height / 2, {}, options);
    CHECK(fail_everywhere([&] {
            return suggest_spills(problem, height / 2, {}, options).offsets ==
                   spills.offsets;
          }) > 10);
    const auto cheapest = minimize_penalty(problem, height + 2, options);
    CHECK(fail_everywhere([&] {
            return minimize_penalty(problem, height + 2, options).offsets ==
                   cheapest.offsets;
          }) > 10);
    CHECK(fail_everywhere([&] {
            return validate(problem, height, lowest.offsets).ok();
          }) > 1);
    fail_everywhere([&] { return check(problem).ok(); });
  }
}

TEST_CASE("no memory: a planner goes on without the new buffer", "[memory]") {
  // The two that are there leave 4 bytes in two pieces.
  Problem<> problem;
  problem.buffers = {{{0, 9}, 3}, {{0, 9}, 3}};
  const std::vector<std::int64_t> offsets = {2, 7};
  const snug::Buffer<> added = {{0, 9}, 4};
  const auto is_as_before = [&](snug::Planner<>& planner) {
    return planner.problem().buffers.size() == 2 &&
           validate(problem, 10, planner.offsets()).ok() &&
           planner.add(added).has_solution();
  };
  CHECK(fail_everywhere([&] {
          snug::Planner<> planner(problem, offsets, 10);
          try {
            (void)planner.add(added);
          } catch (const std::bad_alloc&) {
            until_failure = -1;
            if (!is_as_before(planner)) return false;
            throw;
          }
          return validate(planner.problem(), 10, planner.offsets()).ok();
        }) > 10);
}

TEST_CASE("no memory: files", "[memory]") {
  const Problem<> problem = constrained_problem();
  const std::string csv = snug::write_csv(problem);
  CHECK(fail_everywhere([&] { return snug::write_csv(problem) == csv; }) > 5);
  CHECK(fail_everywhere([&] {
          const snug::CsvTable<> table = snug::read_csv(csv);
          return table.ok() && table.problem.buffers.size() == 7;
        }) > 10);
  CHECK(fail_everywhere([&] {
          return snug::read_csv("id,lower,upper,size\na,0,1,x")
                     .error.position.line == 2;
        }) > 1);
  const std::string json = snug::write_json(problem);
  CHECK(fail_everywhere([&] { return snug::write_json(problem) == json; }) > 3);
  CHECK(fail_everywhere([&] {
          const snug::JsonProblem<> read = snug::read_json(json);
          return read.ok() && read.problem.buffers.size() == 7;
        }) > 10);
  const std::string schedule =
      "{\"tensors\": [{\"name\": \"x\", \"bytes\": 8, \"input\": true},"
      "{\"name\": \"y\", \"bytes\": 8}, {\"name\": \"z\", \"bytes\": 4,"
      "\"output\": true, \"parent\": \"y\", \"parent_offset\": 4}],"
      "\"operators\": [{\"inputs\": [\"x\"], \"outputs\": [\"y\"],"
      "\"in_place\": [[\"y\", \"x\"]]}, {\"inputs\": [\"y\"], \"outputs\":"
      "[\"z\"], \"stream\": 1}]}";
  CHECK(fail_everywhere([&] {
          const snug::JsonSchedule read = snug::read_json_schedule(schedule);
          return read.ok() && snug::make_problem(read.schedule).ok();
        }) > 10);
}
