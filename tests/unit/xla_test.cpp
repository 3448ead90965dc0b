// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parts of examples/xla_report.cpp: reading XLA's dumps and repacking.
#include "../../examples/xla/dump.hpp"
#include "../../examples/xla/repack.hpp"
#include "snug/model/interval.hpp"
#include "support/catch.hpp"
#include "support/random.hpp"
#include "support/solved.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace xla_test {

namespace {

using Life = snug::Interval<std::int64_t>;

const std::string kAssignment = R"(BufferAssignment:
allocation 0: size 4096, parameter 0, shape |f32[32,32]| at ShapeIndex {}:
 value: <3 p0 @0> (size=4096,offset=0): f32[32,32]{1,0}
allocation 1: size 384, preallocated-temp:
 value: <12 fusion.1 @0> (size=128,offset=0): f32[32]{0}
 value: <13 while{2} @0> (size=64,offset=128): f32[16]{0}
 value: <14 body{0,1} (phi) @0> (size=64,offset=128): f32[16]{0}
 value: <15 dot> (size=128,offset=256): f32[32]{0}

Total bytes used: 4480 (4.4KiB)

Used values:
<3 p0 @0>
 positions:
  p0
 uses:
  fusion.1, operand 0
 from instruction: %p0 = f32[32,32]{1,0} parameter(0)
)";

const std::string kLiveRange = R"(HloLiveRange (max 9):
  InstructionSequence:
    0:p0
    1:fusion.1
  BufferLiveRange:
    p0{}:0-9
    fusion.1{}:1-3
    while{2}:2-5
    body{0,1}:5-8
    dot{}:4-6
  Live ranges at 5 (peak):
    dot{}: 128 bytes (cumulative: 128 bytes)
)";

std::string assignment_error_of(const std::string& text) {
  xla::Fault fault;
  const auto allocations = xla::read_assignment(text, fault);
  CHECK((fault.ok() || allocations.empty()));
  return fault.ok() ? "ok" : std::to_string(fault.line) + ": " + fault.message;
}

std::string live_range_error_of(const std::string& text) {
  xla::Fault fault;
  const auto ranges = xla::read_live_ranges(text, fault);
  CHECK((fault.ok() || ranges.empty()));
  return fault.ok() ? "ok" : std::to_string(fault.line) + ": " + fault.message;
}

/// An allocation with these places and sizes.
xla::Allocation allocation_of(
    const std::vector<std::pair<std::int64_t, std::int64_t>>& places) {
  xla::Allocation allocation;
  for (const auto& [offset, size] : places)
    allocation.values.push_back({"v", offset, size});
  return allocation;
}

}  // namespace

TEST_CASE("xla: reads a buffer assignment") {
  xla::Fault fault;
  const auto allocations = xla::read_assignment(kAssignment, fault);
  REQUIRE(fault.ok());
  REQUIRE(allocations.size() == 2);
  CHECK(allocations[0].index == 0);
  CHECK(allocations[0].size == 4096);
  CHECK(allocations[0].kind ==
        "parameter 0, shape |f32[32,32]| at ShapeIndex {}");
  REQUIRE(allocations[0].values.size() == 1);
  CHECK(allocations[0].values[0].name == "p0{}");
  CHECK(allocations[1].kind == "preallocated-temp");
  REQUIRE(allocations[1].values.size() == 4);
  CHECK(allocations[1].values[0].name == "fusion.1{}");
  CHECK(allocations[1].values[1].name == "while{2}");
  CHECK(allocations[1].values[1].offset == 128);
  CHECK(allocations[1].values[1].size == 64);
  CHECK(allocations[1].values[2].name == "body{0,1}");
  CHECK(allocations[1].values[3].name == "dot{}");
}

TEST_CASE("xla: reads live ranges") {
  xla::Fault fault;
  const xla::LiveRanges ranges = xla::read_live_ranges(kLiveRange, fault);
  REQUIRE(fault.ok());
  CHECK(ranges.size() == 5);
  CHECK(ranges.at("p0{}") == Life{0, 10});
  CHECK(ranges.at("while{2}") == Life{2, 6});
}

TEST_CASE("xla: refuses what is not a dump") {
  CHECK(assignment_error_of("") ==
        "0: no allocation: not the text of a buffer assignment");
  CHECK(assignment_error_of("allocation x: size 1:\n") ==
        "1: not of the form 'allocation N: size N, ...:'");
  CHECK(assignment_error_of("allocation 0: size -1:\n") ==
        "1: not of the form 'allocation N: size N, ...:'");
  CHECK(assignment_error_of(" value: <1 a> (size=1,offset=0): x\n") ==
        "1: value outside an allocation");
  const std::string four = "allocation 0: size 4:\n";
  const std::string total = "Total bytes used: ";
  CHECK(assignment_error_of(four + total + "4 (4B)\n") == "ok");
  CHECK(assignment_error_of(four) ==
        "0: no line 'Total bytes used': not a complete file");
  for (const char* wrong : {"", "5 (5B)", "44 (44B)", "-4 (4B)"})
    CHECK(assignment_error_of(four + total + wrong) ==
          "2: the allocations have 4 bytes together: not a complete file");
  const std::string form =
      "2: not of the form 'value: <ID NAME> (size=N,offset=N)'";
  for (const char* value :
       {"", "<1 a>", "<a> (size=1,offset=0)", "<1 a> (size=1)",
        "<1 a> (size=1,offset=-1)",
        "<1 a> (size=99999999999999999999,offset=0)", "> (size=1,offset=0)"})
    CHECK(assignment_error_of(four + "value: " + value + "\n") == form);
  CHECK(assignment_error_of(four + "value: <1 a> (size=3,offset=2)") ==
        "2: value lies outside its allocation");
  CHECK(
      assignment_error_of(four + "allocation 1: size 9223372036854775807:\n") ==
      "2: allocations have too many bytes");

  CHECK(live_range_error_of("") ==
        "0: no 'BufferLiveRange:': not the text of live ranges");
  const std::string header = "BufferLiveRange:\n";
  const std::string peak = " Live ranges at 0 (peak):\n";
  CHECK(live_range_error_of(header + peak) == "ok");
  CHECK(live_range_error_of(header + " a{}:0-0\r\n\r\n" + peak) == "ok");
  for (const std::string& cut : {header, header + " a{}:0-0\n", peak + header})
    CHECK(live_range_error_of(cut) ==
          "0: no line 'Live ranges at': not a complete file");
  for (const char* line : {"a{}", "a{}:1", "a{}:1-", "a{}:2-1", "a{}:1-2x",
                           "a{}:-1-2", "a{}:0-9223372036854775807"})
    CHECK(live_range_error_of(header + line + "\n") ==
          "2: not of the form 'NAME{}:FIRST-LAST'");
}

TEST_CASE("xla: ties values that meet") {
  const xla::Allocation allocation =
      allocation_of({{0, 128}, {128, 64}, {128, 64}, {256, 128}, {160, 16}});
  // 1 and 2 share one step, 4 lies inside of 2; 0 and 3 meet nobody.
  xla::Repacking repacking(allocation,
                           {{1, 4}, {2, 6}, {5, 9}, {4, 7}, {7, 8}});
  REQUIRE(repacking.ok());
  CHECK(repacking.tied() == 2);
  CHECK(repacking.load() == 192);
  CHECK(repacking.guess_alignment() == 128);
  const snug::Problem<> problem = repacking.problem(128);
  REQUIRE(problem.aliases.size() == 2);
  CHECK(problem.aliases[0].buffer == 2);
  CHECK(problem.aliases[0].of == 1);
  CHECK(problem.aliases[0].delta == 0);
  CHECK(problem.aliases[1].buffer == 4);
  CHECK(problem.aliases[1].of == 1);
  CHECK(problem.aliases[1].delta == 32);
  CHECK(problem.buffers[4].alignment == 32);
  CHECK(problem.buffers[1].alignment == 128);
  const auto result = snug::minimize(problem);
  REQUIRE(result.has_solution());
  // XLA used 384; the first value lies where the last one does.
  CHECK(result.height == 192);
}

TEST_CASE("xla: ties values that coincide") {
  const xla::Allocation allocation =
      allocation_of({{0, 64}, {64, 64}, {0, 64}, {0, 32}});
  xla::Repacking repacking(allocation, {{0, 1}, {0, 1}, {2, 3}, {4, 5}});
  CHECK(repacking.tied() == 0);
  CHECK(repacking.load() == 128);
  // Neighbours do not meet, whichever comes first.
  const xla::Allocation neighbours = allocation_of({{64, 64}, {0, 64}});
  CHECK(xla::Repacking(neighbours, {{0, 1}, {0, 1}}).tied() == 0);
  repacking.tie_coinciding();
  CHECK(repacking.tied() == 1);
  REQUIRE(repacking.problem(64).aliases.size() == 1);
  CHECK(repacking.problem(64).aliases[0].buffer == 2);
  CHECK(repacking.problem(64).aliases[0].of == 0);
}

TEST_CASE("xla: its own placement is one of the problem") {
  snug::testing::Random random(5);
  for (int k = 0; k < 100; ++k) {
    // First fit, sometimes with a value laid over a live one on purpose.
    xla::Allocation allocation;
    std::vector<Life> lives;
    for (int v = 0; v < 12; ++v) {
      const std::int64_t lower = random.between(0, 10);
      const Life life{lower, lower + random.between(1, 5)};
      xla::Value value{"v", 0, 16 * random.between(1, 4)};
      if (v > 0 && random.chance(20)) {
        value = allocation.values.back();
      } else {
        for (bool moved = true; moved;) {
          moved = false;
          for (std::size_t o = 0; o < lives.size(); ++o) {
            const xla::Value& other = allocation.values[o];
            if (!lives[o].overlaps(life) ||
                other.offset >= value.offset + value.size ||
                value.offset >= other.offset + other.size)
              continue;
            value.offset = other.offset + other.size;
            moved = true;
          }
        }
      }
      allocation.values.push_back(value);
      allocation.size = (std::max)(allocation.size, value.offset + value.size);
      lives.push_back(life);
    }
    xla::Repacking repacking(allocation, lives);
    std::vector<std::int64_t> own;
    for (const xla::Value& value : allocation.values)
      own.push_back(value.offset);
    std::int64_t last = 0;
    for (const bool coinciding : {false, true}) {
      CAPTURE(k, coinciding);
      if (coinciding) repacking.tie_coinciding();
      const auto problem = repacking.problem(16);
      CHECK(snug::validate(problem, allocation.size, own).ok());
      const auto result = snug::minimize(problem);
      REQUIRE(result.has_solution());
      CHECK(result.height <= allocation.size);
      CHECK(result.height >= repacking.load());
      CHECK(result.height >= last);
      last = result.height;
    }
  }
}

TEST_CASE("xla: survives any damage") {
  snug::testing::Random random(9);
  for (int k = 0; k < 4000; ++k) {
    for (const std::string& whole : {kAssignment, kLiveRange}) {
      std::string text = whole;
      for (auto changes = random.between(1, 3); changes > 0; --changes)
        text[static_cast<std::size_t>(random.below(text.size()))] =
            "<>():,=-0 9\n{}x"[random.below(15)];
      xla::Fault fault;
      for (const xla::Allocation& allocation :
           xla::read_assignment(text, fault))
        for (const xla::Value& value : allocation.values) {
          CHECK(value.offset >= 0);
          CHECK(value.size <= allocation.size - value.offset);
        }
      fault = {};
      for (const auto& range : xla::read_live_ranges(text, fault))
        CHECK_FALSE(range.second.empty());
    }
  }
}

}  // namespace xla_test
