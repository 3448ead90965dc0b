// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/schedule.hpp"

#include "snug/model/check.hpp"
#include "snug/model/lifespan.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/random.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace schedule_test {

namespace {

using namespace snug::testing;
using snug::Dependency;
using snug::InPlace;
using snug::InPlaceReason;
using snug::Interval;
using snug::kNoIndex;
using snug::Lifespan;
using snug::make_problem;
using snug::Operator;
using snug::Schedule;
using snug::ScheduledProblem;
using snug::ScheduleReason;
using snug::Tensor;

constexpr std::int64_t kMax = (std::numeric_limits<std::int64_t>::max)();

using Indices = std::vector<std::size_t>;
using Span = std::pair<std::int64_t, std::int64_t>;

Tensor bytes(std::int64_t size) {
  Tensor tensor;
  tensor.shape = {size};
  return tensor;
}

Tensor input(std::int64_t size) {
  Tensor tensor = bytes(size);
  tensor.is_input = true;
  return tensor;
}

Tensor output(std::int64_t size) {
  Tensor tensor = bytes(size);
  tensor.is_output = true;
  return tensor;
}

Tensor weights(std::int64_t size) {
  Tensor tensor = bytes(size);
  tensor.lives_throughout = true;
  return tensor;
}

Tensor part(std::int64_t size, std::size_t parent, std::int64_t offset) {
  Tensor tensor = bytes(size);
  tensor.parent = parent;
  tensor.parent_offset = offset;
  return tensor;
}

Operator op(Indices inputs, Indices outputs, std::vector<InPlace> in_place = {},
            std::size_t stream = 0) {
  Operator made;
  made.inputs = std::move(inputs);
  made.outputs = std::move(outputs);
  made.in_place = std::move(in_place);
  made.stream = stream;
  return made;
}

// The size of the one tensor of a schedule, or minus its error.
std::int64_t size_of(const Tensor& tensor) {
  Tensor kept = tensor;
  kept.is_input = true;
  const auto made = make_problem({{kept}, {}, {}});
  if (!made.ok()) return -static_cast<std::int64_t>(made.error.reason);
  return made.problem.buffers.at(0).size;
}

std::int64_t minus(ScheduleReason reason) {
  return -static_cast<std::int64_t>(reason);
}

// Lifespans by tensor; {0, 0} where there is no buffer.
std::vector<Span> lifespans_of(const ScheduledProblem<>& made) {
  std::vector<Span> spans;
  for (const std::size_t b : made.buffer_of)
    spans.push_back(b == kNoIndex
                        ? Span{0, 0}
                        : Span{made.problem.buffers[b].lifespan.lower,
                               made.problem.buffers[b].lifespan.upper});
  return spans;
}

struct Tie {
  std::size_t tensor;
  std::size_t of;
  std::int64_t delta;
  bool operator==(const Tie& other) const {
    return tensor == other.tensor && of == other.of && delta == other.delta;
  }
};

std::vector<Tie> ties_of(const ScheduledProblem<>& made) {
  std::vector<Tie> ties;
  for (const auto& alias : made.problem.aliases)
    ties.push_back(
        {made.tensor_of[alias.buffer], made.tensor_of[alias.of], alias.delta});
  return ties;
}

bool fails(const Schedule& schedule, ScheduleReason reason, std::size_t op,
           std::size_t tensor) {
  const auto made = make_problem(schedule);
  return made.error.reason == reason && made.error.op == op &&
         made.error.tensor == tensor && !made.ok() &&
         made.problem.buffers.empty() && made.buffer_of.empty();
}

}  // namespace

TEST_CASE("lifespan: from_inclusive") {
  static_assert(std::is_same_v<decltype(Lifespan::from_inclusive(0, 2)),
                               Interval<std::int64_t>>);
  static_assert(Lifespan::from_inclusive(0, 2) == Interval<std::int64_t>{0, 3});
  CHECK(Lifespan::from_inclusive(5, 5) == Interval<std::int64_t>{5, 6});
  CHECK(Lifespan::from_inclusive(-4, -2) == Interval<std::int64_t>{-4, -1});
  CHECK(Lifespan::from_inclusive(-1, kMax - 1) ==
        Interval<std::int64_t>{-1, kMax});
  CHECK(Lifespan::from_inclusive<std::int32_t>(7, 9) ==
        Interval<std::int32_t>{7, 10});
  // No step comes after the last: empty, which check() refuses.
  CHECK(Lifespan::from_inclusive(0, kMax).empty());
  CHECK(Lifespan::from_inclusive(kMax, kMax).empty());
  CHECK(Lifespan::from_inclusive<std::int8_t>(0, 127).empty());
  CHECK_FALSE(Lifespan::from_inclusive<std::int8_t>(0, 126).empty());
  CHECK(Lifespan::from_inclusive(3, 2).empty());
  CHECK(Lifespan::from_inclusive(3, -kMax - 1).empty());
  snug::Problem<> problem;
  problem.buffers.push_back({Lifespan::from_inclusive(0, kMax), 4});
  CHECK(snug::check(problem).reason == snug::Reason::kEmptyLifespan);
}

TEST_CASE("schedule: sizes") {
  Tensor tensor;
  CHECK(size_of(tensor) == 1);
  tensor.shape = {3, 5, 7};
  CHECK(size_of(tensor) == 105);
  tensor.element_bits = 32;
  CHECK(size_of(tensor) == 420);
  tensor.element_bits = 4;
  CHECK(size_of(tensor) == 53);
  tensor.element_bits = 1;
  CHECK(size_of(tensor) == 14);
  tensor.alignment = 8;
  CHECK(size_of(tensor) == 16);
  tensor.alignment = 14;
  CHECK(size_of(tensor) == 14);
  tensor.shape = {3, 0, kMax};
  CHECK(size_of(tensor) == 0);
}

TEST_CASE("schedule: layout padding") {
  Tensor tensor;
  tensor.shape = {3, 5, 200};
  tensor.multiples = {8, 128};
  CHECK(size_of(tensor) == 3 * 8 * 256);
  tensor.multiples = {128};
  CHECK(size_of(tensor) == 3 * 5 * 256);
  tensor.multiples = {2, 1, 64};
  CHECK(size_of(tensor) == 4 * 5 * 256);
  tensor.shape = {200};
  tensor.multiples = {8, 128};
  CHECK(size_of(tensor) == 8 * 256);
  tensor.shape = {};
  CHECK(size_of(tensor) == 8 * 128);
  tensor.shape = {0, 5};
  CHECK(size_of(tensor) == 0);
}

TEST_CASE("schedule: sizes that are refused") {
  Tensor tensor;
  SECTION("dimension") {
    tensor.shape = {0, -1};
    CHECK(size_of(tensor) == minus(ScheduleReason::kNegativeDimension));
  }
  SECTION("element") {
    tensor.element_bits = 0;
    CHECK(size_of(tensor) == minus(ScheduleReason::kBadElementBits));
  }
  SECTION("multiple") {
    tensor.multiples = {4, 0};
    CHECK(size_of(tensor) == minus(ScheduleReason::kBadMultiple));
  }
  SECTION("alignment") {
    tensor.alignment = 0;
    CHECK(size_of(tensor) == minus(ScheduleReason::kBadAlignment));
  }
  SECTION("product of the dimensions") {
    tensor.shape = {std::int64_t{1} << 30, std::int64_t{1} << 29};
    CHECK(size_of(tensor) == std::int64_t{1} << 59);
    tensor.shape[1] *= 2;
    CHECK(size_of(tensor) == minus(ScheduleReason::kSizeOverflow));
    tensor.shape = {kMax, kMax};
    CHECK(size_of(tensor) == minus(ScheduleReason::kSizeOverflow));
  }
  SECTION("rounding a dimension") {
    tensor.shape = {kMax};
    tensor.multiples = {2};
    CHECK(size_of(tensor) == minus(ScheduleReason::kSizeOverflow));
  }
  SECTION("rounding to the alignment") {
    tensor.shape = {1};
    tensor.alignment = kMax;
    CHECK(size_of(tensor) == minus(ScheduleReason::kSizeOverflow));
  }
  SECTION("the sum of all sizes") {
    const Tensor large = input(std::int64_t{1} << 59);
    Schedule schedule{std::vector<Tensor>(8, large), {}, {}};
    const auto made = make_problem(schedule);
    REQUIRE(made.ok());
    CHECK(snug::check(made.problem).ok());
    schedule.tensors.push_back(input(1));
    CHECK(fails(schedule, ScheduleReason::kSizeOverflow, kNoIndex, 8));
  }
  SECTION("narrow sizes") {
    const Schedule schedule{{input(127)}, {}, {}};
    CHECK(make_problem<std::int8_t, std::int8_t>(schedule).ok());
    const auto made =
        make_problem<std::int8_t, std::int8_t>({{input(128)}, {}, {}});
    CHECK(made.error.reason == ScheduleReason::kSizeOverflow);
    Tensor aligned = input(1);
    aligned.alignment = 128;
    const auto other =
        make_problem<std::int8_t, std::int8_t>({{aligned}, {}, {}});
    CHECK(other.error.reason == ScheduleReason::kBadAlignment);
    CHECK(other.error.tensor == 0);
  }
}

TEST_CASE("schedule: lifespans") {
  // The picture in liveness.hpp, with weights, workspace and a loose tensor.
  Schedule schedule;
  schedule.tensors = {input(8),   bytes(4), bytes(6), output(2),
                      weights(5), bytes(9), bytes(7), input(3)};
  schedule.operators = {op({0}, {1}), op({1, 4}, {2}), op({1, 2}, {3}),
                        op({}, {})};
  schedule.operators[1].scratch = {5};
  const auto made = make_problem(schedule);
  REQUIRE(made.ok());
  CHECK(lifespans_of(made) ==
        std::vector<Span>{
            {0, 1}, {0, 3}, {1, 3}, {2, 4}, {0, 4}, {1, 2}, {0, 0}, {0, 1}});
  CHECK(made.buffer_of == Indices{0, 1, 2, 3, 4, 5, kNoIndex, 6});
  CHECK(made.tensor_of == Indices{0, 1, 2, 3, 4, 5, 7});
  CHECK(made.problem.buffers[4].size == 5);
  CHECK(made.problem.aliases.empty());
  CHECK(made.problem.apart.empty());
  CHECK(snug::check(made.problem).ok());
}

TEST_CASE("schedule: an output that nobody reads, and no operators") {
  Schedule schedule;
  schedule.tensors = {bytes(1), bytes(1)};
  schedule.operators = {op({}, {0}), op({}, {1}), op({}, {})};
  CHECK(lifespans_of(make_problem(schedule)) ==
        std::vector<Span>{{0, 1}, {1, 2}});
  Tensor both = input(4);
  both.is_output = true;
  CHECK(lifespans_of(make_problem({{input(4), both, weights(4)}, {}, {}})) ==
        std::vector<Span>{{0, 1}, {0, 1}, {0, 1}});
  const auto empty = make_problem(Schedule{});
  CHECK(empty.ok());
  CHECK(empty.problem.buffers.empty());
}

TEST_CASE("schedule: state may be written by several operators") {
  Schedule schedule;
  schedule.tensors = {weights(4), input(4)};
  schedule.operators = {op({0}, {0}), op({1}, {0}), op({0}, {})};
  schedule.operators[2].scratch = {0};
  CHECK(lifespans_of(make_problem(schedule)) ==
        std::vector<Span>{{0, 3}, {0, 2}});
}

TEST_CASE("schedule: alignment") {
  Schedule schedule;
  schedule.tensors = {input(10), output(17)};
  schedule.tensors[0].alignment = 16;
  schedule.operators = {op({0}, {1})};
  const auto made = make_problem<std::int32_t, std::int16_t>(schedule);
  REQUIRE(made.ok());
  CHECK(made.problem.buffers[0].size == 16);
  CHECK(made.problem.buffers[0].alignment == 16);
  CHECK(made.problem.buffers[1].size == 17);
}

TEST_CASE("schedule: a chain in place") {
  Schedule schedule;
  schedule.tensors = {input(8), bytes(8), bytes(8), output(4)};
  schedule.operators = {op({0}, {1}, {{0, 0}}), op({1}, {2}, {{0, 0}}),
                        op({2}, {3}, {{0, 0}})};
  const auto made = make_problem(schedule);
  CHECK(ties_of(made) == std::vector<Tie>{{1, 0, 0}, {2, 1, 0}, {3, 2, 0}});
  CHECK(made.ignored.empty());
  CHECK(lifespans_of(made) ==
        std::vector<Span>{{0, 1}, {0, 2}, {1, 3}, {2, 3}});
  CHECK(snug::check(made.problem).ok());
}

TEST_CASE("schedule: in-place pairs that are not legal") {
  Schedule schedule;
  schedule.tensors = {input(8), input(8), bytes(8), bytes(8)};
  schedule.operators = {op({0, 1}, {2}, {{0, 0}}), op({2}, {3})};
  const auto why_not = [&] {
    const auto made = make_problem(schedule);
    REQUIRE(made.ok());
    const bool taken = made.ignored.empty();
    CHECK(made.problem.aliases.size() ==
          schedule.tensors.size() - 4 + (taken ? 1 : 0));
    if (taken) return InPlaceReason::kNone;
    CHECK(made.ignored.size() == 1);
    CHECK(made.ignored[0].op == 0);
    CHECK(made.ignored[0].pair == 0);
    return made.ignored[0].reason;
  };
  CHECK(why_not() == InPlaceReason::kNone);
  SECTION("the input is read later") {
    schedule.operators[1].inputs.push_back(0);
    CHECK(why_not() == InPlaceReason::kUsedLater);
  }
  SECTION("the input is an output of the schedule") {
    schedule.tensors[0].is_output = true;
    CHECK(why_not() == InPlaceReason::kReadByHost);
    schedule.operators.pop_back();
    CHECK(why_not() == InPlaceReason::kReadByHost);
  }
  SECTION("the input lives throughout") {
    schedule.tensors[0].lives_throughout = true;
    CHECK(why_not() == InPlaceReason::kLivesThroughout);
    schedule.operators.pop_back();
    CHECK(why_not() == InPlaceReason::kLivesThroughout);
  }
  SECTION("the output lives throughout") {
    schedule.tensors[2].lives_throughout = true;
    CHECK(why_not() == InPlaceReason::kLivesThroughout);
    schedule.operators.pop_back();
    CHECK(why_not() == InPlaceReason::kLivesThroughout);
  }
  SECTION("the operator updates the input, or the output") {
    schedule.operators[0].outputs.push_back(0);
    CHECK(why_not() == InPlaceReason::kUpdated);
    schedule.operators[0].outputs = {1, 2};
    CHECK(why_not() == InPlaceReason::kUpdated);
  }
  SECTION("an input that is given twice is still one") {
    schedule.operators[0].inputs[1] = 0;
    CHECK(why_not() == InPlaceReason::kNone);
  }
  SECTION("a view of the input is read later") {
    schedule.tensors.push_back(part(2, 0, 4));
    schedule.operators[1].inputs.push_back(4);
    CHECK(why_not() == InPlaceReason::kOverlap);
  }
  SECTION("a view of the input is read by the same operator") {
    schedule.tensors.push_back(part(2, 0, 4));
    schedule.operators[0].inputs.push_back(4);
    CHECK(why_not() == InPlaceReason::kOverlap);
  }
  SECTION("a view of the output does no harm") {
    schedule.tensors.push_back(part(2, 2, 4));
    schedule.operators[1].inputs.push_back(4);
    const auto made = make_problem(schedule);
    CHECK(ties_of(made) == std::vector<Tie>{{4, 2, 4}, {2, 0, 0}});
    CHECK(made.ignored.empty());
  }
  SECTION("a view of the input that was read before does no harm") {
    schedule.tensors.push_back(part(2, 0, 4));
    schedule.operators.insert(schedule.operators.begin(), op({4}, {}));
    const auto made = make_problem(schedule);
    CHECK(ties_of(made) == std::vector<Tie>{{4, 0, 4}, {2, 0, 0}});
  }
  SECTION("a larger output reaches into a live neighbour") {
    schedule.tensors[0].is_input = false;
    schedule.tensors[0].parent = 4;
    schedule.tensors.push_back(input(16));
    schedule.tensors.push_back(part(8, 4, 8));
    schedule.operators[1].inputs.push_back(5);
    schedule.operators.insert(schedule.operators.begin(), op({}, {}));
    CHECK(make_problem(schedule).ignored.empty());
    schedule.tensors[2].shape = {9};
    const auto made = make_problem(schedule);
    REQUIRE(made.ignored.size() == 1);
    CHECK(made.ignored[0].reason == InPlaceReason::kOverlap);
  }
}

TEST_CASE("schedule: of two inputs one is written over") {
  Schedule schedule;
  schedule.tensors = {input(8), input(8), bytes(8), bytes(8)};
  schedule.operators = {op({0, 1}, {2, 3}, {{0, 0}, {0, 1}, {1, 0}, {1, 1}})};
  auto made = make_problem(schedule);
  CHECK(ties_of(made) == std::vector<Tie>{{2, 0, 0}, {3, 1, 0}});
  REQUIRE(made.ignored.size() == 2);
  CHECK(made.ignored[0].pair == 1);
  CHECK(made.ignored[0].reason == InPlaceReason::kOverlap);
  CHECK(made.ignored[1].pair == 2);
  // The first is read later, so the second is taken.
  schedule.operators.push_back(op({0}, {}));
  made = make_problem(schedule);
  CHECK(ties_of(made) == std::vector<Tie>{{2, 1, 0}});
  CHECK(made.ignored.size() == 3);
}

TEST_CASE("schedule: an assembled tensor") {
  // a and b are parts of c, which only op 3 reads.
  Schedule schedule;
  schedule.tensors = {input(1), part(6, 3, 0), part(4, 3, 6), bytes(10),
                      output(1)};
  schedule.operators = {op({0}, {1}), op({}, {}), op({0}, {2}), op({}, {}),
                        op({3}, {4})};
  auto made = make_problem(schedule);
  REQUIRE(made.ok());
  CHECK(lifespans_of(made) ==
        std::vector<Span>{{0, 3}, {0, 3}, {2, 3}, {2, 5}, {4, 5}});
  CHECK(ties_of(made) == std::vector<Tie>{{1, 3, 0}, {2, 3, 6}});
  CHECK(snug::check(made.problem).ok());
  SECTION("an operator that copies writes it, too") {
    schedule.operators[3] = op({1, 2}, {3});
    made = make_problem(schedule);
    CHECK(lifespans_of(made) ==
          std::vector<Span>{{0, 3}, {0, 4}, {2, 4}, {3, 5}, {4, 5}});
    CHECK(ties_of(made) == std::vector<Tie>{{1, 3, 0}, {2, 3, 6}});
  }
  SECTION("it is read before its last part is written") {
    schedule.operators[2].inputs.push_back(3);
    CHECK(fails(schedule, ScheduleReason::kUsedBeforeProduced, 2, 3));
  }
  SECTION("parts keep their exact size") {
    schedule.tensors[3].alignment = 8;
    schedule.tensors[1].alignment = 4;
    made = make_problem(schedule);
    CHECK(made.problem.buffers[1].size == 6);
    CHECK(made.problem.buffers[2].size == 4);
    CHECK(made.problem.buffers[3].size == 16);
    schedule.tensors[2].alignment = 4;
    CHECK(fails(schedule, ScheduleReason::kMisalignedPart, kNoIndex, 2));
  }
  SECTION("nobody uses it: its parts are tied to one another") {
    schedule.operators[4].inputs.clear();
    made = make_problem(schedule);
    CHECK(made.buffer_of[3] == kNoIndex);
    CHECK(lifespans_of(made)[1] == Span{0, 1});
    CHECK(ties_of(made) == std::vector<Tie>{{2, 1, 6}});
  }
  SECTION("it is an output, written by the last operator") {
    schedule.tensors[3].is_output = true;
    schedule.operators.resize(3);
    schedule.tensors[4].is_output = false;
    CHECK(lifespans_of(make_problem(schedule)) ==
          std::vector<Span>{{0, 3}, {0, 3}, {2, 3}, {2, 3}, {0, 0}});
  }
  SECTION("a view of it keeps the parts") {
    schedule.operators[4].inputs = {5};
    schedule.tensors.push_back(part(2, 3, 5));
    made = make_problem(schedule);
    CHECK(lifespans_of(made) ==
          std::vector<Span>{{0, 3}, {0, 3}, {2, 3}, {2, 3}, {4, 5}, {2, 5}});
  }
  SECTION("the last part may be written in place") {
    // A tensor of its own becomes part b; the first part is read again.
    schedule.tensors.push_back(bytes(4));
    schedule.operators[1] = op({0}, {5});
    schedule.operators[2] = op({5, 1}, {2}, {{0, 0}});
    made = make_problem(schedule);
    CHECK(made.ignored.empty());
    CHECK(ties_of(made).back() == Tie{2, 5, 0});
    CHECK(snug::check(made.problem).ok());
    // Larger than the part, it would reach into the one below.
    schedule.tensors[1].parent_offset = 4;
    schedule.tensors[2].parent_offset = 0;
    schedule.tensors[5].shape = {5};
    CHECK(make_problem(schedule).ignored.size() == 1);
  }
}

TEST_CASE("schedule: parts of parts") {
  // 2 in 1 in 0; nobody mentions 1.
  Schedule schedule;
  schedule.tensors = {bytes(32), part(16, 0, 8), part(4, 1, 4), output(1)};
  schedule.operators = {op({}, {2}), op({}, {}), op({0}, {3})};
  auto made = make_problem(schedule);
  REQUIRE(made.ok());
  CHECK(lifespans_of(made) ==
        std::vector<Span>{{0, 3}, {0, 0}, {0, 1}, {2, 3}});
  CHECK(ties_of(made) == std::vector<Tie>{{2, 0, 12}});
  // A second part of 0, written later: 2 stays until then through 1.
  schedule.tensors.push_back(part(8, 0, 24));
  schedule.operators[1] = op({}, {4});
  made = make_problem(schedule);
  CHECK(lifespans_of(made) ==
        std::vector<Span>{{1, 3}, {0, 0}, {0, 2}, {2, 3}, {1, 2}});
  // So it does for one of 1, with which all of 0 is there.
  schedule.tensors[4] = part(4, 1, 8);
  CHECK(lifespans_of(make_problem(schedule)) ==
        std::vector<Span>{{1, 3}, {0, 0}, {0, 2}, {2, 3}, {1, 2}});
  schedule.tensors[4] = part(8, 0, 24);
  // Views of views begin with the outermost.
  schedule.operators = {op({}, {0}), op({}, {4}), op({2}, {3})};
  made = make_problem(schedule);
  CHECK(lifespans_of(made) ==
        std::vector<Span>{{0, 1}, {0, 1}, {0, 3}, {2, 3}, {1, 2}});
}

TEST_CASE("schedule: a slice of a view of what was there before") {
  // 2 in 1 in 0; operator 2 writes the slice, operator 3 reads the view.
  Schedule schedule;
  schedule.tensors = {input(8), part(8, 0, 0), part(2, 1, 4), output(1)};
  schedule.operators = {op({}, {}), op({}, {}), op({}, {2}), op({1}, {3})};
  const auto spans = [&] {
    const auto made = make_problem(schedule);
    REQUIRE(made.ok());
    REQUIRE(snug::check(made.problem).ok());
    return lifespans_of(made);
  };
  const auto write = [&](std::size_t t, std::size_t x) {
    schedule.tensors[0] = bytes(8);
    schedule.operators[t].outputs.push_back(x);
  };
  SECTION("of an input") {
    CHECK(spans() == std::vector<Span>{{0, 1}, {0, 4}, {2, 3}, {3, 4}});
  }
  SECTION("of what lives throughout") {
    schedule.tensors[0] = bytes(8);
    schedule.tensors[0].lives_throughout = true;
    CHECK(spans()[1] == Span{0, 4});
  }
  SECTION("of what an operator wrote") {
    write(1, 0);
    CHECK(spans() == std::vector<Span>{{1, 2}, {1, 4}, {2, 3}, {3, 4}});
    // And in place, with its views.
    schedule.tensors.push_back(input(8));
    schedule.operators[1] = op({4}, {0}, {{0, 0}});
    CHECK(make_problem(schedule).ignored.empty());
  }
  SECTION("of what the same operator wrote, or a later one") {
    write(2, 0);
    CHECK(spans() == std::vector<Span>{{2, 3}, {2, 4}, {2, 3}, {3, 4}});
    schedule.operators[2].outputs = {2};
    schedule.operators.push_back(op({}, {0}));
    CHECK(spans()[1] == Span{2, 4});
    schedule.operators[2] = op({1}, {});
    CHECK(fails(schedule, ScheduleReason::kUsedBeforeProduced, 2, 1));
  }
  SECTION("of what is written between two slices") {
    write(1, 0);
    schedule.tensors.push_back(part(2, 1, 0));
    schedule.operators[0].outputs = {4};
    CHECK(spans() == std::vector<Span>{{1, 2}, {1, 4}, {2, 3}, {3, 4}, {0, 1}});
  }
  SECTION("the view is read before it, too") {
    schedule.operators[1].inputs = {1};
    CHECK(spans()[1] == Span{0, 4});
  }
  SECTION("the view is updated, or an output") {
    schedule.operators[3] = op({1}, {1, 3});
    CHECK(spans()[1] == Span{0, 4});
    schedule.operators[3] = op({}, {3});
    schedule.tensors[1].is_output = true;
    write(0, 0);
    CHECK(spans()[1] == Span{0, 4});
  }
  SECTION("a view of a view") {
    schedule.tensors.push_back(part(6, 1, 2));
    schedule.tensors[2] = part(2, 4, 2);
    schedule.operators[3].inputs = {4};
    CHECK(spans() == std::vector<Span>{{0, 1}, {0, 1}, {2, 3}, {3, 4}, {0, 4}});
  }
  SECTION("a part of the view is made of slices before the whole is written") {
    // Of 4 in the view; the slice behind it is written after the whole.
    schedule.tensors.push_back(part(4, 1, 0));
    schedule.tensors.push_back(part(4, 4, 0));
    schedule.operators[0].outputs = {5};
    schedule.operators[1].inputs = {4};
    write(1, 0);
    CHECK(spans() ==
          std::vector<Span>{{1, 2}, {1, 4}, {2, 3}, {3, 4}, {0, 2}, {0, 1}});
  }
  SECTION("something around it is there, what it is a view of is not yet") {
    schedule.tensors.push_back(input(8));
    schedule.tensors[0] = part(8, 4, 0);
    schedule.operators.push_back(op({}, {0}));
    CHECK(fails(schedule, ScheduleReason::kUsedBeforeProduced, 3, 1));
    std::swap(schedule.operators[3], schedule.operators[4]);
    CHECK(spans()[1] == Span{3, 5});
  }
  SECTION("nothing of scratch is left") {
    schedule.tensors[0] = bytes(8);
    schedule.operators[1].scratch = {0};
    CHECK(spans() == std::vector<Span>{{1, 2}, {2, 4}, {2, 3}, {3, 4}});
  }
}

TEST_CASE("schedule: bytes that an assembled tensor has by way of another") {
  // 1 and 2 are parts of 0; of 2 only part 3 is written, the rest by way of 1.
  Schedule schedule;
  schedule.tensors = {bytes(7), part(7, 0, 0), part(5, 0, 1), part(3, 2, 2)};
  schedule.tensors[2].is_output = true;
  schedule.operators = {op({}, {}), op({}, {1}), op({}, {}), op({}, {3})};
  CHECK(lifespans_of(make_problem(schedule)) ==
        std::vector<Span>{{0, 0}, {1, 4}, {3, 4}, {3, 4}});
  SECTION("a view of it is all that is used") {
    schedule.tensors[2].is_output = false;
    schedule.tensors.push_back(part(1, 2, 0));
    schedule.tensors[4].is_output = true;
    CHECK(lifespans_of(make_problem(schedule))[1] == Span{1, 4});
  }
  SECTION("the host wrote it") {
    schedule.operators[1].outputs.clear();
    schedule.tensors[1].is_input = true;
    CHECK(lifespans_of(make_problem(schedule))[1] == Span{0, 4});
  }
  SECTION("nobody uses it") {
    schedule.tensors[2].is_output = false;
    CHECK(lifespans_of(make_problem(schedule))[1] == Span{1, 2});
  }
  SECTION("nothing of it stays in scratch, or in other bytes") {
    schedule.operators[1].outputs.clear();
    schedule.operators[1].scratch = {1};
    CHECK(lifespans_of(make_problem(schedule))[1] == Span{1, 2});
    schedule.operators[1] = op({}, {1});
    schedule.tensors[1] = part(1, 0, 0);
    CHECK(lifespans_of(make_problem(schedule))[1] == Span{1, 2});
  }
}

// Random trees of parts, of which some are written, each once.
Schedule random_parts(Random& random) {
  Schedule schedule;
  const std::size_t n = random.between<std::size_t>(3, 8);
  const std::size_t steps = random.between<std::size_t>(2, 6);
  schedule.operators.resize(steps);
  for (std::size_t x = 0; x < n; ++x) {
    Tensor tensor = bytes(random.between<std::int64_t>(1, 8));
    if (x > 0 && random.chance(85)) {
      const std::size_t parent = random.below(x);
      const std::int64_t whole = schedule.tensors[parent].shape[0];
      const auto size = random.between<std::int64_t>(1, whole);
      tensor =
          part(size, parent, random.between<std::int64_t>(0, whole - size));
    }
    tensor.is_input = random.chance(10);
    tensor.is_output = random.chance(25);
    if (!tensor.is_input && random.chance(50))
      schedule.operators[random.below(steps)].outputs.push_back(x);
    if (random.chance(20))
      schedule.operators[random.below(steps)].inputs.push_back(x);
    schedule.tensors.push_back(tensor);
  }
  return schedule;
}

TEST_CASE("schedule: written bytes stay until what has them begins") {
  Random random(1234);
  std::size_t made_count = 0;
  std::size_t kept = 0;
  const int rounds = effort(100000);
  for (int round = 0; round < rounds; ++round) {
    const Schedule schedule = random_parts(random);
    const auto made = make_problem(schedule);
    if (!made.ok()) continue;
    ++made_count;
    const std::vector<Span> spans = lifespans_of(made);
    const std::size_t n = schedule.tensors.size();
    Indices roots(n);
    std::vector<std::int64_t> places(n, 0);
    std::vector<std::int64_t> written(n, -1);
    for (std::size_t x = 0; x < n; ++x) {
      const Tensor& tensor = schedule.tensors[x];
      roots[x] = tensor.parent == kNoIndex ? x : roots[tensor.parent];
      if (tensor.parent != kNoIndex)
        places[x] = places[tensor.parent] + tensor.parent_offset;
      if (tensor.is_input) written[x] = 0;
    }
    for (std::size_t t = 0; t < schedule.operators.size(); ++t)
      for (const std::size_t x : schedule.operators[t].outputs)
        if (written[x] < 0) written[x] = static_cast<std::int64_t>(t);
    const auto has = [&](std::size_t x, std::size_t root, std::int64_t byte) {
      return roots[x] == root && places[x] <= byte &&
             byte < places[x] + schedule.tensors[x].shape[0];
    };
    for (std::size_t x = 0; x < n; ++x) {
      const std::int64_t begin = spans[x].first;
      if (spans[x].second == 0) continue;
      for (std::int64_t k = 0; k < schedule.tensors[x].shape[0]; ++k) {
        const std::int64_t byte = places[x] + k;
        std::int64_t last = -1;
        for (std::size_t y = 0; y < n; ++y)
          if (has(y, roots[x], byte) && written[y] <= begin)
            last = (std::max)(last, written[y]);
        if (last >= 0 && last < begin) ++kept;
        for (std::int64_t t = last; last >= 0 && t < begin; ++t) {
          bool is_live = false;
          for (std::size_t y = 0; y < n; ++y)
            is_live = is_live || (has(y, roots[x], byte) &&
                                  spans[y].first <= t && t < spans[y].second);
          INFO(round << ": byte " << k << " of " << x << " in step " << t);
          REQUIRE(is_live);
        }
      }
    }
  }
  CHECK(made_count > at_least(std::size_t{1000}));
  CHECK(kept > at_least(std::size_t{1000}));
}

TEST_CASE("schedule: alignments that do not agree in place") {
  Schedule schedule;
  schedule.tensors = {bytes(16), part(8, 0, 8), bytes(8)};
  schedule.operators = {op({}, {0}), op({1}, {2}, {{0, 0}})};
  CHECK(make_problem(schedule).ignored.empty());
  schedule.tensors[2].alignment = 8;
  CHECK(make_problem(schedule).ignored.empty());
  schedule.tensors[2].alignment = 16;
  auto made = make_problem(schedule);
  REQUIRE(made.ignored.size() == 1);
  CHECK(made.ignored[0].reason == InPlaceReason::kMisaligned);
  CHECK(snug::check(made.problem).ok());
  // Part 1 has its place in 0, and is not at that of another part.
  schedule.tensors[2] = part(8, 0, 0);
  made = make_problem(schedule);
  REQUIRE(made.ignored.size() == 1);
  CHECK(made.ignored[0].reason == InPlaceReason::kTiedElsewhere);
}

TEST_CASE("schedule: alignments along a chain in place") {
  // Part 2 of 1, 8 bytes up, takes the place of 0; 3 would that of 2.
  Schedule schedule;
  schedule.tensors = {bytes(8),      bytes(16),     part(8, 1, 8), bytes(8),
                      part(2, 0, 0), part(2, 0, 2), part(2, 0, 4)};
  schedule.operators = {op({}, {0}), op({4, 5, 6}, {}), op({0}, {2}, {{0, 0}}),
                        op({2}, {3}, {{0, 0}})};
  schedule.tensors[3].alignment = 8;
  CHECK(make_problem(schedule).ignored.empty());
  schedule.tensors[3].alignment = 16;
  const auto made = make_problem(schedule);
  REQUIRE(made.ignored.size() == 1);
  CHECK(made.ignored[0].op == 3);
}

TEST_CASE("schedule: streams") {
  // Stream 0: x -> a -> y in place; stream 1: z reads a as well.
  Schedule schedule;
  schedule.tensors = {input(4), bytes(4), output(4), output(4), bytes(9)};
  schedule.operators = {op({0}, {1}), op({1}, {3}, {}, 1),
                        op({1}, {2}, {{0, 0}})};
  auto made = make_problem(schedule);
  // Operator 1 may still read what operator 2 writes over.
  REQUIRE(made.ignored.size() == 1);
  CHECK(made.ignored[0].reason == InPlaceReason::kUnordered);
  CHECK(made.problem.apart.empty());
  schedule.dependencies = {{1, 2}};
  made = make_problem(schedule);
  CHECK(made.ignored.empty());
  schedule.dependencies.clear();
  // Scratch of operator 1 and the output of operator 2, by pairs of buffers.
  schedule.operators[1].scratch = {4};
  made = make_problem(schedule);
  REQUIRE(made.problem.apart.size() == 1);
  CHECK(made.problem.apart[0].first == 2);
  CHECK(made.problem.apart[0].second == 4);
  CHECK(snug::check(made.problem).ok());
  schedule.operators[1].stream = 0;
  CHECK(make_problem(schedule).problem.apart.empty());
}

TEST_CASE("schedule: data that flows between streams orders them") {
  // Both operators have scratch, on two streams.
  Schedule schedule;
  schedule.tensors = {bytes(4), bytes(4), bytes(8), bytes(8), part(2, 2, 1)};
  schedule.operators = {op({}, {}), op({}, {}, {}, 1)};
  schedule.operators[0].scratch = {0};
  schedule.operators[1].scratch = {1};
  CHECK(make_problem(schedule).problem.apart.size() == 1);
  SECTION("a tensor") {
    schedule.operators[0].outputs = {3};
    schedule.operators[1].inputs = {3};
    CHECK(make_problem(schedule).problem.apart.empty());
  }
  SECTION("a view") {
    schedule.operators[0].outputs = {2};
    schedule.operators[1].inputs = {4};
    CHECK(make_problem(schedule).problem.apart.empty());
  }
  SECTION("a part") {
    schedule.operators[0].outputs = {4};
    schedule.operators[1].inputs = {2};
    CHECK(make_problem(schedule).problem.apart.empty());
  }
  SECTION("but not what lives throughout") {
    schedule.tensors[3].lives_throughout = true;
    schedule.operators[0].outputs = {3};
    schedule.operators[1].inputs = {3};
    CHECK(make_problem(schedule).problem.apart.size() == 1);
  }
}

TEST_CASE("schedule: an operator that updates a tensor") {
  // Operator 1 appends to cache 0, operator 2 reads all of it.
  Schedule schedule;
  schedule.tensors = {bytes(8), input(2), bytes(3), output(1)};
  schedule.operators = {op({}, {0}), op({1, 0}, {2, 0}, {{1, 1}}),
                        op({0, 2}, {3})};
  auto made = make_problem(schedule);
  REQUIRE(made.ok());
  CHECK(lifespans_of(made) ==
        std::vector<Span>{{0, 3}, {0, 2}, {1, 3}, {2, 3}});
  CHECK(made.problem.aliases.empty());
  CHECK(made.ignored.empty());
  SECTION("the host fills it and reads it") {
    schedule.tensors[0].is_input = schedule.tensors[0].is_output = true;
    schedule.operators[0].outputs.clear();
    schedule.operators.push_back(op({}, {}));
    CHECK(lifespans_of(make_problem(schedule))[0] == Span{0, 4});
  }
  SECTION("by a view, of the same bytes or of some") {
    schedule.tensors.push_back(part(8, 0, 0));
    schedule.tensors[4].shape = {2, 4};
    schedule.operators[1] = op({1, 4}, {2, 4});
    made = make_problem(schedule);
    CHECK(lifespans_of(made)[0] == Span{0, 3});
    CHECK(lifespans_of(made)[4] == Span{0, 2});
    CHECK(ties_of(made) == std::vector<Tie>{{4, 0, 0}});
    schedule.tensors[4] = part(2, 0, 6);
    CHECK(ties_of(make_problem(schedule)) == std::vector<Tie>{{4, 0, 6}});
  }
  SECTION("nobody produced it") {
    schedule.operators[0].outputs.clear();
    CHECK(fails(schedule, ScheduleReason::kUsedBeforeProduced, 1, 0));
    schedule.operators[1].outputs.pop_back();
    schedule.operators[1].in_place.clear();
    schedule.operators[2].outputs.push_back(0);
    CHECK(fails(schedule, ScheduleReason::kUsedBeforeProduced, 1, 0));
  }
  SECTION("without reading it: produced twice") {
    schedule.operators[1] = op({1}, {2, 0});
    CHECK(fails(schedule, ScheduleReason::kProducedTwice, 1, 0));
  }
  SECTION("scratch") {
    schedule.tensors[0] = bytes(8);
    schedule.operators[0] = op({}, {});
    schedule.operators[0].scratch = {0};
    CHECK(fails(schedule, ScheduleReason::kSharedScratch, 1, 0));
  }
}

TEST_CASE("schedule: updates order streams") {
  // Both operators have scratch; they use the cache, or a view of half of it.
  Schedule schedule;
  schedule.tensors = {input(8), bytes(4), bytes(4), part(4, 0, 0),
                      part(4, 0, 4)};
  schedule.operators = {op({}, {}), op({}, {}, {}, 1)};
  schedule.operators[0].scratch = {1};
  schedule.operators[1].scratch = {2};
  const auto are_ordered = [&](Indices in_0, Indices out_0, Indices in_1,
                               Indices out_1) {
    schedule.operators[0].inputs = std::move(in_0);
    schedule.operators[0].outputs = std::move(out_0);
    schedule.operators[1].inputs = std::move(in_1);
    schedule.operators[1].outputs = std::move(out_1);
    const auto made = make_problem(schedule);
    REQUIRE(made.ok());
    return made.problem.apart.empty();
  };
  CHECK(are_ordered({0}, {0}, {0}, {}));
  CHECK(are_ordered({0}, {}, {0}, {0}));
  CHECK(are_ordered({0}, {0}, {0}, {0}));
  CHECK(are_ordered({0}, {0}, {3}, {}));
  CHECK(are_ordered({4}, {4}, {0}, {}));
  CHECK(are_ordered({4}, {}, {0}, {0}));
  CHECK_FALSE(are_ordered({0}, {}, {0}, {}));
  CHECK_FALSE(are_ordered({3}, {3}, {4}, {}));
  CHECK_FALSE(are_ordered({4}, {4}, {3}, {3}));
  // Who updates the cache may read a part of it by itself, too.
  CHECK(are_ordered({0, 3}, {0}, {3}, {}));
  CHECK(are_ordered({3, 0}, {0}, {3}, {}));
  CHECK(are_ordered({3}, {}, {0, 3}, {0}));
  CHECK_FALSE(are_ordered({4, 3}, {4}, {3}, {}));
  schedule.tensors[3].shape = {0};
  CHECK_FALSE(are_ordered({0}, {0}, {3}, {}));
  schedule.tensors[0].lives_throughout = true;
  CHECK_FALSE(are_ordered({0}, {0}, {0}, {}));
}

TEST_CASE("schedule: writing over bytes orders streams") {
  // Both operators have scratch, which is kept apart where neither waits.
  Schedule schedule;
  schedule.tensors = {input(8), part(4, 0, 0), part(4, 0, 4), bytes(4),
                      bytes(4)};
  const auto are_ordered = [&](Operator first, Operator second) {
    schedule.operators = {std::move(first), std::move(second)};
    schedule.operators[0].scratch = {3};
    schedule.operators[1].scratch = {4};
    schedule.operators[1].stream = 1;
    const auto made = make_problem(schedule);
    REQUIRE(made.ok());
    return made.problem.apart.empty();
  };
  SECTION("a part of what is there") {
    CHECK(are_ordered(op({}, {1}), op({0}, {})));
    CHECK(are_ordered(op({0}, {}), op({}, {1})));
    CHECK(are_ordered(op({0}, {0}), op({}, {2})));
    CHECK(are_ordered(op({}, {2}), op({0}, {0})));
    CHECK_FALSE(are_ordered(op({}, {1}), op({2}, {})));
    CHECK_FALSE(are_ordered(op({}, {1}), op({}, {2})));
    schedule.tensors[0].lives_throughout = true;
    CHECK_FALSE(are_ordered(op({}, {1}), op({0}, {})));
  }
  SECTION("a part of what was written") {
    schedule.tensors[0] = bytes(8);
    CHECK(are_ordered(op({}, {0}), op({}, {1})));
  }
  SECTION("bytes that another part has, too") {
    schedule.tensors[0] = bytes(8);
    schedule.tensors[1] = part(5, 0, 0);
    CHECK(are_ordered(op({}, {1}), op({}, {2})));
    schedule.tensors[1] = part(4, 0, 0);
    CHECK_FALSE(are_ordered(op({}, {1}), op({}, {2})));
  }
  SECTION("scratch, where others were or will be") {
    schedule.tensors[0] = bytes(8);
    const auto are_apart = [&] {
      schedule.operators = {op({}, {1}), op({1}, {}), op({}, {}, {}, 1)};
      schedule.operators[2].scratch = {2, 4};
      schedule.operators[1].scratch = {3};
      const auto made = make_problem(schedule);
      REQUIRE(made.ok());
      return !made.problem.apart.empty();
    };
    CHECK(are_apart());
    schedule.tensors[2] = part(4, 0, 3);
    CHECK_FALSE(are_apart());
  }
  SECTION("what lives throughout, by scratch or outputs") {
    schedule.tensors[0].lives_throughout = true;
    schedule.tensors[1].is_input = true;
    CHECK_FALSE(are_ordered(op({1}, {}), op({}, {0})));
    schedule.operators[1].scratch = {0};
    CHECK(make_problem(schedule).ok());
  }
  SECTION("the whole, over a part that it is not made of") {
    schedule.tensors[0] = bytes(8);
    schedule.tensors[1].is_input = true;
    CHECK(are_ordered(op({}, {0}), op({1}, {})));
    CHECK(are_ordered(op({1}, {}), op({}, {0})));
    CHECK_FALSE(are_ordered(op({1}, {0}), op({1}, {})));
  }
}

TEST_CASE("schedule: many slices have few dependencies, which order them") {
  // Each is written on one stream, and then the whole is read on another one.
  constexpr std::size_t kCount = 500;
  Schedule schedule;
  schedule.tensors = {input(kCount)};
  for (std::size_t k = 0; k < kCount; ++k) {
    schedule.tensors.push_back(part(1, 0, static_cast<std::int64_t>(k)));
    schedule.operators.push_back(op({}, {k + 1}));
    schedule.operators.push_back(op({0}, {}, {}, 1));
  }
  const auto made = make_problem(schedule);
  REQUIRE(made.ok());
  CHECK(made.dependencies.size() < 2 * schedule.operators.size());
  const snug::HappensBefore order(made.streams, made.dependencies);
  REQUIRE(order.ok());
  for (std::size_t t = 1; t < schedule.operators.size(); ++t)
    CHECK(order(t - 1, t));
}

TEST_CASE("schedule: many updates have few dependencies, which order them") {
  // A cache and two parts of it that meet, on three streams.
  constexpr std::size_t kCount = 2000;
  Schedule schedule;
  schedule.tensors = {input(8), part(5, 0, 0), part(5, 0, 3)};
  Random random(1);
  for (std::size_t t = 0; t < kCount; ++t) {
    const Indices in{random.between(std::size_t{0}, std::size_t{2})};
    schedule.operators.push_back(
        op(in, random.chance(50) ? in : Indices{}, {},
           random.between(std::size_t{0}, std::size_t{2})));
  }
  const auto made = make_problem(schedule);
  REQUIRE(made.ok());
  CHECK(made.dependencies.size() < 16 * kCount);
  const snug::HappensBefore order(made.streams, made.dependencies);
  std::size_t unordered = 0;
  for (std::size_t b = 0; b < kCount; ++b)
    for (std::size_t a = 0; a < b; ++a)
      if (!schedule.operators[a].outputs.empty() ||
          !schedule.operators[b].outputs.empty())
        unordered += order(a, b) ? 0U : 1U;
  CHECK(unordered == 0);
}

TEST_CASE("schedule: one operator with very many operands") {
  constexpr std::size_t kCount = 100000;
  Schedule schedule;
  schedule.operators.emplace_back();
  for (std::size_t x = 0; x < kCount; ++x) {
    schedule.tensors.push_back(x % 2 == 0 ? input(1) : output(1));
    auto& operands = schedule.operators[0];
    (x % 2 == 0 ? operands.inputs : operands.outputs).push_back(x);
  }
  CHECK(make_problem(schedule).problem.buffers.size() == kCount);
}

TEST_CASE("schedule: errors of tensors") {
  Schedule schedule;
  schedule.tensors = {input(8), bytes(8), bytes(8)};
  SECTION("unknown parent") {
    schedule.tensors[2].parent = 3;
    CHECK(fails(schedule, ScheduleReason::kUnknownParent, kNoIndex, 2));
  }
  SECTION("cycles") {
    schedule.tensors[1].parent = 2;
    schedule.tensors[2].parent = 1;
    CHECK(fails(schedule, ScheduleReason::kParentCycle, kNoIndex, 1));
    schedule.tensors[1].parent = 1;
    CHECK(fails(schedule, ScheduleReason::kParentCycle, kNoIndex, 1));
  }
  SECTION("outside the parent") {
    schedule.tensors[1] = part(4, 0, 4);
    CHECK(make_problem(schedule).ok());
    schedule.tensors[1] = part(4, 0, 5);
    CHECK(fails(schedule, ScheduleReason::kPartOutsideParent, kNoIndex, 1));
    schedule.tensors[1] = part(4, 0, -1);
    CHECK(fails(schedule, ScheduleReason::kPartOutsideParent, kNoIndex, 1));
    schedule.tensors[1] = part(9, 0, 0);
    CHECK(fails(schedule, ScheduleReason::kPartOutsideParent, kNoIndex, 1));
    schedule.tensors[1] = part(4, 0, kMax);
    CHECK(fails(schedule, ScheduleReason::kPartOutsideParent, kNoIndex, 1));
  }
  SECTION("the padding of the parent is not for parts") {
    schedule.tensors[0].shape = {7};
    schedule.tensors[0].alignment = 8;
    schedule.tensors[1] = part(4, 0, 4);
    CHECK(fails(schedule, ScheduleReason::kPartOutsideParent, kNoIndex, 1));
  }
  SECTION("misaligned within the outermost tensor") {
    schedule.tensors[1] = part(6, 0, 2);
    schedule.tensors[2] = part(2, 1, 2);
    schedule.tensors[2].alignment = 4;
    CHECK(make_problem(schedule).ok());
    schedule.tensors[2].parent_offset = 4;
    CHECK(fails(schedule, ScheduleReason::kMisalignedPart, kNoIndex, 2));
  }
}

TEST_CASE("schedule: errors of operators") {
  Schedule schedule;
  schedule.tensors = {input(8), bytes(8), output(8)};
  schedule.operators = {op({0}, {1}), op({1}, {2})};
  REQUIRE(make_problem(schedule).ok());
  SECTION("unknown tensors") {
    schedule.operators[1].inputs[0] = 3;
    CHECK(fails(schedule, ScheduleReason::kUnknownTensor, 1, 3));
    schedule.operators[0].outputs[0] = kNoIndex;
    CHECK(fails(schedule, ScheduleReason::kUnknownTensor, 0, kNoIndex));
    schedule.operators[0].outputs[0] = 1;
    schedule.operators[0].scratch = {7};
    CHECK(fails(schedule, ScheduleReason::kUnknownTensor, 0, 7));
  }
  SECTION("in-place pairs") {
    schedule.operators[1].in_place = {{0, 1}};
    CHECK(fails(schedule, ScheduleReason::kBadInPlace, 1, kNoIndex));
    schedule.operators[1].in_place = {{1, 0}};
    CHECK(fails(schedule, ScheduleReason::kBadInPlace, 1, kNoIndex));
  }
  SECTION("produced twice") {
    schedule.operators[1] = op({}, {2, 1});
    CHECK(fails(schedule, ScheduleReason::kProducedTwice, 1, 1));
    schedule.operators[1].outputs[1] = 2;
    CHECK(fails(schedule, ScheduleReason::kProducedTwice, 1, 2));
    schedule.operators[1].outputs[1] = 0;
    CHECK(fails(schedule, ScheduleReason::kProducedTwice, 1, 0));
  }
  SECTION("scratch that is not only scratch") {
    schedule.tensors.push_back(bytes(8));
    schedule.operators[0].scratch = {3};
    CHECK(make_problem(schedule).ok());
    schedule.operators[1].scratch = {3};
    CHECK(fails(schedule, ScheduleReason::kProducedTwice, 1, 3));
    schedule.operators[1].scratch.clear();
    schedule.operators[1].inputs.push_back(3);
    CHECK(fails(schedule, ScheduleReason::kSharedScratch, 1, 3));
    schedule.operators[1].inputs.pop_back();
    schedule.tensors.push_back(part(4, 3, 0));
    schedule.operators[1].inputs.push_back(4);
    CHECK(fails(schedule, ScheduleReason::kSharedScratch, 1, 4));
    schedule.operators[1].inputs.pop_back();
    schedule.tensors[4].is_output = true;
    CHECK(fails(schedule, ScheduleReason::kSharedScratch, kNoIndex, 4));
    schedule.tensors[3].is_output = true;
    CHECK(fails(schedule, ScheduleReason::kSharedScratch, 0, 3));
    schedule.tensors[3].is_output = false;
    schedule.tensors[3].is_input = true;
    CHECK(fails(schedule, ScheduleReason::kSharedScratch, 0, 3));
    schedule.tensors = {input(8), bytes(8), output(8), part(4, 0, 4)};
    CHECK(fails(schedule, ScheduleReason::kSharedScratch, 0, 3));
    std::swap(schedule.operators[0].scratch, schedule.operators[1].scratch);
    CHECK(make_problem(schedule).ok());  // What it is a part of is dead.
  }
  SECTION("used before it is produced") {
    schedule.operators[0].inputs[0] = 2;
    CHECK(fails(schedule, ScheduleReason::kUsedBeforeProduced, 0, 2));
    schedule.operators[0].inputs[0] = 1;
    CHECK(fails(schedule, ScheduleReason::kUsedBeforeProduced, 0, 1));
    schedule.tensors.push_back(bytes(8));
    schedule.operators[0].inputs[0] = 3;
    CHECK(fails(schedule, ScheduleReason::kUsedBeforeProduced, 0, 3));
  }
  SECTION("an output that is never produced") {
    schedule.tensors.push_back(output(8));
    CHECK(fails(schedule, ScheduleReason::kNeverProduced, kNoIndex, 3));
  }
  SECTION("dependencies") {
    schedule.dependencies = {{0, 1}, {1, 0}};
    CHECK(fails(schedule, ScheduleReason::kBadDependency, 1, kNoIndex));
    schedule.dependencies = {{0, 2}};
    CHECK(fails(schedule, ScheduleReason::kBadDependency, 0, kNoIndex));
    schedule.operators[1].stream = 1;
    CHECK(fails(schedule, ScheduleReason::kBadDependency, 0, kNoIndex));
  }
  SECTION("more operators than the type of time has steps") {
    schedule.operators.resize(127);
    CHECK(make_problem<std::int64_t, std::int8_t>(schedule).ok());
    schedule.operators.resize(128);
    const auto made = make_problem<std::int64_t, std::int8_t>(schedule);
    CHECK(made.error.reason == ScheduleReason::kTooManyOperators);
    CHECK(made.error.op == 127);
  }
}

TEST_CASE("schedule: anything is either refused or well formed") {
  Random random(31);
  int good = 0;
  std::vector<int> refused(32, 0);
  for (int round = 0; round < effort(20000); ++round) {
    CAPTURE(round);
    Schedule schedule;
    const std::size_t n = random.between<std::size_t>(1, 6);
    const auto any = [&] {
      return random.chance(2) ? n + random.below(3) : random.below(n);
    };
    const auto number = [&](std::int64_t low) {
      return random.chance(2) ? kMax - random.between(0, 2)
                              : random.between<std::int64_t>(low, 9);
    };
    for (std::size_t x = 0; x < n; ++x) {
      Tensor tensor;
      for (std::size_t k = random.below(3); k > 0; --k)
        tensor.shape.push_back(number(random.chance(2) ? -1 : 0));
      for (std::size_t k = random.below(2); k > 0; --k)
        tensor.multiples.push_back(number(random.chance(2) ? 0 : 1));
      tensor.element_bits = number(random.chance(2) ? 0 : 1);
      tensor.alignment = random.chance(70) ? 1 : number(random.chance(2));
      tensor.is_input = random.chance(50);
      tensor.is_output = random.chance(10);
      tensor.lives_throughout = random.chance(20);
      if (random.chance(10)) tensor.parent = any();
      if (random.chance(30)) tensor.parent_offset = number(-1);
      schedule.tensors.push_back(tensor);
    }
    for (std::size_t t = random.below(4); t > 0; --t) {
      Operator made;
      made.stream = random.below(3);
      for (std::size_t k = random.below(3); k > 0; --k)
        made.inputs.push_back(any());
      for (std::size_t k = random.below(2); k > 0; --k)
        made.outputs.push_back(any());
      if (random.chance(10)) made.scratch.push_back(any());
      if (random.chance(20))
        made.in_place.push_back({0, random.chance(90) ? 0U : 1U});
      schedule.operators.push_back(made);
    }
    if (random.chance(10))
      schedule.dependencies.push_back({random.below(3), random.below(3)});
    const auto made = make_problem(schedule);
    ++refused[static_cast<std::size_t>(made.error.reason)];
    if (made.ok()) {
      ++good;
      REQUIRE(made.buffer_of.size() == n);
      REQUIRE(snug::check(made.problem).ok());
    } else {
      REQUIRE(made.problem.buffers.empty());
    }
    const auto narrow = make_problem<std::int8_t, std::int8_t>(schedule);
    REQUIRE((!narrow.ok() || made.ok()));
  }
  CHECK(good > at_least(1000));
  for (std::size_t k = 1;
       k <= static_cast<std::size_t>(ScheduleReason::kBadDependency); ++k) {
    CAPTURE(k);
    CHECK((refused[k] > 0 ||
           k == static_cast<std::size_t>(ScheduleReason::kTooManyOperators)));
  }
}

TEST_CASE("schedule: every reason has a text of its own") {
  std::vector<std::string> texts;
  for (int i = 0; i <= static_cast<int>(ScheduleReason::kBadDependency); ++i)
    texts.emplace_back(snug::to_string(static_cast<ScheduleReason>(i)));
  std::sort(texts.begin(), texts.end());
  CHECK(std::unique(texts.begin(), texts.end()) == texts.end());
  for (int i = 0; i <= static_cast<int>(InPlaceReason::kUnordered); ++i)
    texts.emplace_back(snug::to_string(static_cast<InPlaceReason>(i)));
  std::sort(texts.begin(), texts.end());
  CHECK(std::unique(texts.begin(), texts.end()) == texts.end());
  CHECK(std::find(texts.begin(), texts.end(), "unknown") == texts.end());
}

TEST_CASE("schedule: what is tied in place stays within the type of sizes") {
  // Each round puts a buffer into the lower half of two whose upper half is next.
  constexpr std::int64_t kHalf = 700000000;
  Schedule schedule;
  schedule.tensors.emplace_back();
  schedule.tensors[0].shape = {kHalf};
  schedule.tensors[0].is_input = true;
  std::size_t last = 0;
  for (int round = 0; round < 3; ++round) {
    const std::size_t whole = schedule.tensors.size();
    schedule.tensors.resize(whole + 4);
    schedule.tensors[whole].shape = {2 * kHalf};
    for (const std::size_t half : {whole + 1, whole + 2}) {
      schedule.tensors[half].shape = {kHalf};
      schedule.tensors[half].parent = whole;
    }
    schedule.tensors[whole + 1].parent_offset = kHalf;
    schedule.tensors[whole + 3].shape = {kHalf};
    schedule.operators.push_back({{last}, {whole + 1}, {}, {{0, 0}}});
    schedule.operators.push_back({{}, {whole + 2}});
    schedule.operators.push_back({{whole}, {}});
    schedule.operators.push_back({{whole + 2}, {whole + 3}, {}, {{0, 0}}});
    last = whole + 3;
  }
  schedule.tensors[last].is_output = true;
  const auto narrow = make_problem<std::int32_t, std::int32_t>(schedule);
  REQUIRE(narrow.ok());
  CHECK(snug::check(narrow.problem).ok());
  REQUIRE(narrow.ignored.size() == 1);
  CHECK(narrow.ignored[0].reason == InPlaceReason::kTooLarge);
  const auto wide = make_problem(schedule);
  REQUIRE(wide.ok());
  CHECK(snug::check(wide.problem).ok());
  CHECK(wide.ignored.empty());
}

TEST_CASE("schedule: what check() would refuse is an error") {
  Schedule schedule;
  schedule.tensors.resize(4);
  for (Tensor& tensor : schedule.tensors)
    tensor.shape = {(std::int64_t{1} << 60) - 1};
  schedule.tensors[0].is_input = schedule.tensors[2].is_input = true;
  schedule.tensors[1].is_output = schedule.tensors[3].is_output = true;
  schedule.operators.push_back({{0}, {1}});
  schedule.operators.push_back({{2}, {3}});
  REQUIRE(make_problem(schedule).ok());
  schedule.operators[0].in_place = {{0, 0}};
  const ScheduledProblem<> made = make_problem(schedule);
  CHECK(made.error.reason == ScheduleReason::kSizeOverflow);
  CHECK(made.problem.buffers.empty());
}

}  // namespace schedule_test
