// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parts of examples/tflite_plan.cpp: reading, planning and writing.
#include "../../examples/tflite/plan.hpp"
#include "../../examples/tflite/write.hpp"
#include "snug/model/interval.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/instances.hpp"
#include "support/random.hpp"
#include "support/solved.hpp"
#include "support/tflite_models.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tflite_test {

namespace {

using namespace snug::testing;
using snug::Interval;
using tflite::InPlace;
using tflite::Pieces;

std::string error_of(const std::string& file) {
  const tflite::Model model = tflite::read_model(file);
  CHECK(model.fault.offset <= file.size());
  return model.fault.message;
}

/// A chain: 0 -- conv -- 1 -- relu -- 2 -- conv(weights 3) -- 4.
ModelSpec chain() {
  ModelSpec spec;
  spec.buffers.push_back({"weights!"});
  SubgraphSpec s;
  s.tensors = {{{1, 40}}, {{1, 100}}, {{1, 100}}, {{8}, 9, 1}, {{1, 10}}};
  s.inputs = {0};
  s.outputs = {4};
  s.operators = {{3, {0, 3, -1}, {1}}, {19, {1}, {2}}, {3, {2, 3}, {4}}};
  spec.subgraphs = {s};
  return spec;
}

Pieces pieces_of(const std::string& file, std::size_t tensor) {
  const tflite::Model model = tflite::read_model(file);
  REQUIRE(model.fault.ok());
  const tflite::Lifetimes lifetimes = tflite::find_lifetimes(model);
  REQUIRE(lifetimes.fault.ok());
  return lifetimes.pieces.at(tensor);
}

/// Plans and writes; the model that comes out.
std::string planned(const std::string& file, InPlace in_place) {
  const tflite::Model model = tflite::read_model(file);
  REQUIRE(model.fault.ok());
  tflite::Planning planning = tflite::make_planning(model, in_place, false);
  REQUIRE(planning.fault.ok());
  for (const tflite::InPlacePair& pair : planning.in_place)
    if (pair.is_first)
      planning.problem.aliases.push_back({pair.output, pair.input, 0});
  const auto result = snug::minimize(planning.problem);
  REQUIRE(result.has_solution());
  const auto plan = tflite::make_plan(model, planning, result.offsets);
  tflite::Fault fault;
  const std::string out = tflite::PlanWriter(model, file).write(plan, fault);
  REQUIRE(fault.ok());
  const tflite::Model again = tflite::read_model(out);
  REQUIRE(again.fault.ok());
  CHECK(tflite::read_plan(again, out) == plan);
  return out;
}

/// Whether no two tensors that are live in one step share a byte, but for an
/// output over an input in its own step. Judged from the operators alone, for a
/// model with one subgraph.
void check_plan(const std::string& file, bool in_place) {
  const tflite::Model model = tflite::read_model(file);
  const std::vector<std::int32_t> plan = tflite::read_plan(model, file);
  REQUIRE(plan.size() == model.tensors);
  REQUIRE(model.subgraphs.size() == 1);
  const tflite::Subgraph& s = model.subgraphs.front();
  const std::size_t n = s.tensors.size();
  std::vector<std::int64_t> first(n, -1);
  std::vector<std::int64_t> last(n, -1);
  std::vector<bool> used(n, false);
  const auto use = [&](std::size_t x, std::int64_t step) {
    if (!used[x]) first[x] = step;
    used[x] = true;
    last[x] = step;
  };
  for (const auto x : s.inputs) use(x, 0);
  for (std::size_t t = 0; t < s.operators.size(); ++t) {
    const auto step = static_cast<std::int64_t>(t) + 1;
    for (const auto x : s.operators[t].outputs) use(x, step);
    for (const auto x : s.operators[t].inputs) use(x, step);
  }
  for (const auto x : s.outputs)
    use(x, static_cast<std::int64_t>(s.operators.size()));
  for (std::size_t a = 0; a < n; ++a) {
    const bool planned = used[a] && s.tensors[a].bytes > 0 &&
                         !s.tensors[a].is_constant && !s.tensors[a].is_variable;
    CAPTURE(a);
    CHECK((plan[a] >= 0) == planned);
    if (!planned) continue;
    CHECK(plan[a] % 16 == 0);
    for (std::size_t b = 0; b < a; ++b) {
      if (plan[b] < 0 || last[a] < first[b] || last[b] < first[a]) continue;
      const bool apart = plan[a] + s.tensors[a].bytes <= plan[b] ||
                         plan[b] + s.tensors[b].bytes <= plan[a];
      const bool hands_over = last[a] == first[b] || last[b] == first[a];
      CAPTURE(b);
      CHECK((apart || (in_place && hands_over && plan[a] == plan[b])));
    }
  }
}

}  // namespace

TEST_CASE("tflite: reads what a planner needs") {
  const std::string file = make_model(chain());
  const tflite::Model model = tflite::read_model(file);
  REQUIRE(model.fault.ok());
  REQUIRE(model.subgraphs.size() == 1);
  const tflite::Subgraph& s = model.subgraphs[0];
  REQUIRE(s.tensors.size() == 5);
  CHECK(s.tensors[1].bytes == 100);
  CHECK(s.tensors[1].name == "tensor");
  CHECK(s.tensors[1].needs_memory());
  CHECK(s.tensors[3].is_constant);
  CHECK_FALSE(s.tensors[3].needs_memory());
  CHECK(s.operators[0].inputs == std::vector<std::uint32_t>{0, 3});
  CHECK(s.operators[1].code == 19);
}

TEST_CASE("tflite: sizes of tensors") {
  const auto bytes = [](std::vector<int> shape, unsigned type) {
    ModelSpec spec;
    spec.subgraphs = {{{{std::move(shape), type}}, {}, {}, {}}};
    const tflite::Model model = tflite::read_model(make_model(spec));
    REQUIRE(model.fault.ok());
    return model.subgraphs[0].tensors[0].bytes;
  };
  CHECK(bytes({}, 0) == 4);           // a scalar
  CHECK(bytes({2, 3}, 0) == 24);      // FLOAT32
  CHECK(bytes({2, 3}, 4) == 48);      // INT64
  CHECK(bytes({5}, 17) == 5);         // INT4: not packed in memory
  CHECK(bytes({5}, 5) == -1);         // STRING
  CHECK(bytes({5}, 200) == -1);       // unknown type
  CHECK(bytes({2, -1, 3}, 9) == -1);  // unknown dimension
  CHECK(bytes({2, 0, 3}, 9) == 0);
  CHECK(bytes({0, -1}, 9) == -1);
  ModelSpec spec;
  spec.subgraphs = {{{{{1 << 30, 1 << 30, 1 << 30}, 0}}, {}, {}, {}}};
  CHECK(error_of(make_model(spec)) == "tensor has too many bytes");
}

TEST_CASE("tflite: lifetimes of a chain") {
  const std::string file = make_model(chain());
  CHECK(pieces_of(file, 0) == Pieces{{0, 2}});
  CHECK(pieces_of(file, 1) == Pieces{{1, 3}});
  CHECK(pieces_of(file, 2) == Pieces{{2, 4}});
  CHECK(pieces_of(file, 4) == Pieces{{3, 4}});
}

TEST_CASE("tflite: lifetimes across subgraphs") {
  // Two IFs run subgraph 1 and 2, so that these are live twice.
  ModelSpec spec;
  SubgraphSpec main;
  main.tensors = {{{16}}, {{16}}, {{16}}, {{16}}};
  main.inputs = {0};
  main.outputs = {2};
  main.operators = {{118, {0}, {1}, {1, 2}}, {118, {1}, {2}, {1, 1}}};
  SubgraphSpec body;
  body.tensors = {{{16}}, {{16}}};
  body.inputs = {0};
  body.outputs = {1};
  body.operators = {{3, {0}, {1}}};
  spec.subgraphs = {main, body, body};
  const std::string file = make_model(spec);
  // Steps: 0; IF 1; enter 2, 3; enter 4, 5; IF 6; enter 7, 8; enter 9, 10.
  CHECK(pieces_of(file, 0) == Pieces{{0, 6}});
  CHECK(pieces_of(file, 1) == Pieces{{1, 11}});
  CHECK(pieces_of(file, 2) == Pieces{{6, 11}});
  CHECK(pieces_of(file, 3).empty());
  CHECK(pieces_of(file, 4) == Pieces{{2, 4}, {7, 9}, {9, 11}});
  CHECK(pieces_of(file, 5) == Pieces{{3, 4}, {8, 9}, {10, 11}});
  CHECK(pieces_of(file, 6) == Pieces{{4, 6}});

  const tflite::Model model = tflite::read_model(file);
  const auto planning = tflite::make_planning(model, InPlace::kNone, false);
  REQUIRE(planning.fault.ok());
  CHECK(planning.unused == 16);
  REQUIRE(planning.problem.buffers.size() == 7);
  CHECK(planning.problem.buffers[3].lifespan == Interval<std::int64_t>{2, 11});
  REQUIRE(planning.problem.buffers[3].gaps.size() == 1);
  CHECK(planning.problem.buffers[3].gaps[0].lifespan ==
        Interval<std::int64_t>{4, 7});
  const std::string out = planned(file, InPlace::kNone);
  const std::vector<std::int32_t> plan =
      tflite::read_plan(tflite::read_model(out), out);
  CHECK(plan.size() == 8);
  CHECK(plan[3] == -1);

  spec.subgraphs[1].operators[0] = {119, {0}, {1}, {2, 0}};
  const std::string loop = make_model(spec);
  CHECK(tflite::find_lifetimes(tflite::read_model(loop)).fault.message ==
        "subgraph runs itself");
  spec.subgraphs[1].operators[0] = {119, {0}, {1}, {2, 7}};
  CHECK(error_of(make_model(spec)) == "no subgraph has this index");
  spec.subgraphs[1].operators[0] = {119, {0}, {1}, {}};
  CHECK(error_of(make_model(spec)) ==
        "operator does not say which subgraph it runs");
}

TEST_CASE("tflite: refuses subgraphs that run each other without end") {
  const auto fault_of_doubled = [](int depth) {
    ModelSpec spec;
    for (int k = 0; k < depth; ++k)
      spec.subgraphs.push_back(
          {{{{1}}}, {0}, {0}, {{118, {0}, {0}, {k + 1, k + 1}}}});
    spec.subgraphs.push_back({{{{1}}}, {0}, {0}, {{3, {0}, {0}}}});
    const std::string file = make_model(spec);
    return tflite::find_lifetimes(tflite::read_model(file)).fault.message;
  };
  CHECK(fault_of_doubled(10).empty());
  // What is allowed grows with the model, not with what it asks for.
  CHECK(fault_of_doubled(16) == "subgraphs run each other too many times");
  CHECK(fault_of_doubled(40) == "subgraphs run each other too many times");
  ModelSpec spec;
  for (int k = 0; k < 99; ++k)
    spec.subgraphs.push_back({{{{1}}}, {0}, {0}, {{129, {0}, {0}, {k + 1}}}});
  spec.subgraphs.push_back({{{{1}}}, {0}, {0}, {}});
  const std::string deep = make_model(spec);
  CHECK(tflite::find_lifetimes(tflite::read_model(deep)).fault.message ==
        "subgraphs are nested too deeply");
}

TEST_CASE("tflite: refuses tensors that share one long name") {
  // All elements of the list are made to refer to its first tensor. Each name
  // would be written out where tensors are told by name.
  const auto error_of_shared = [](std::size_t letters) {
    ModelSpec spec;
    constexpr std::size_t kTensors = 1000;
    spec.subgraphs.push_back({std::vector<TensorSpec>(kTensors), {}, {}, {}});
    spec.subgraphs[0].tensors[0].name = std::string(letters, 'n');
    std::string file = make_model(spec);
    tflite::Flatbuffer in(file);
    const tflite::Table subgraph = in.table(in.vector(in.table(0), 2, 4).at);
    const std::size_t first = in.vector(subgraph, 0, 4).at;
    const std::size_t table = in.table(first).at;
    for (std::size_t k = 0; k < kTensors; ++k)
      for (unsigned byte = 0; byte < 4; ++byte)
        file[first + 4 * k + byte] =
            static_cast<char>((table - first - 4 * k) >> (8 * byte) & 255U);
    return error_of(file);
  };
  CHECK(error_of_shared(100).empty());
  CHECK(error_of_shared(10000) == "lists are referred to over and over");
}

TEST_CASE("tflite: plans a chain and writes it") {
  const std::string file = make_model(chain());
  const std::string out = planned(file, InPlace::kNone);
  check_plan(out, false);
  // The old file is there as it was, behind the new root.
  REQUIRE(out.size() > file.size());
  CHECK((out.size() - file.size()) % 64 == 0);
  CHECK(std::string_view(out).substr(out.size() - file.size()) == file);
  const tflite::Model model = tflite::read_model(out);
  CHECK(model.buffers.size() == 3);
  REQUIRE(model.metadata.size() == 1);
  CHECK(model.metadata[0].name == "OfflineMemoryAllocation");
  CHECK(model.metadata[0].buffer == 2);
  CHECK(model.buffers[2].data.at % 16 == 0);
  CHECK(model.buffers[2].data.count == 12 + 5 * 4);
  CHECK(std::string_view(out).substr(model.buffers[2].data.at, 12) ==
        std::string_view("\1\0\0\0\1\0\0\0\5\0\0\0", 12));
  // A second run changes nothing.
  CHECK(planned(out, InPlace::kNone) == out);
}

TEST_CASE("tflite: in place") {
  ModelSpec spec = chain();
  const auto pairs = [&](InPlace allowed) {
    const tflite::Model model = tflite::read_model(make_model(spec));
    REQUIRE(model.fault.ok());
    return tflite::make_planning(model, allowed, false).in_place;
  };
  CHECK(pairs(InPlace::kNone).empty());
  CHECK(pairs(InPlace::kReshape).empty());
  REQUIRE(pairs(InPlace::kElementwise).size() == 1);
  CHECK(pairs(InPlace::kElementwise)[0].output == 2);
  CHECK(pairs(InPlace::kElementwise)[0].input == 1);
  const std::string out = planned(make_model(spec), InPlace::kElementwise);
  check_plan(out, true);
  const auto plan = tflite::read_plan(tflite::read_model(out), out);
  CHECK(plan[1] == plan[2]);

  SECTION("the input is read later") {
    spec.subgraphs[0].operators[2].inputs = {2, 1};
    CHECK(pairs(InPlace::kElementwise).empty());
  }
  SECTION("the input is an output of the model") {
    spec.subgraphs[0].outputs = {4, 1};
    CHECK(pairs(InPlace::kElementwise).empty());
  }
  SECTION("sizes differ") {
    spec.subgraphs[0].tensors[2].shape = {1, 99};
    CHECK(pairs(InPlace::kElementwise).empty());
  }
  SECTION("elements differ") {
    spec.subgraphs[0].tensors[2] = {{1, 50}, 7};
    CHECK(pairs(InPlace::kElementwise).empty());
  }
  SECTION("the input is a variable") {
    spec.subgraphs[0].tensors[1].is_variable = true;
    CHECK(pairs(InPlace::kElementwise).empty());
  }
  SECTION("a reshape") {
    spec.subgraphs[0].operators[1].code = 22;
    CHECK(pairs(InPlace::kReshape).size() == 1);
    CHECK(pairs(InPlace::kNone).empty());
  }
  SECTION("the shape of a reshape is no operand to write over") {
    spec.subgraphs[0].tensors[0].shape = {1, 100};
    spec.subgraphs[0].operators[1] = {22, {3, 1}, {2}};
    CHECK(pairs(InPlace::kReshape).empty());
  }
  SECTION("both operands of a sum") {
    // 1 + 1: the same operand twice is still read before it is written.
    spec.subgraphs[0].operators[1] = {0, {1, 1}, {2}};
    CHECK(pairs(InPlace::kElementwise).size() == 2);
    CHECK(pairs(InPlace::kElementwise)[0].is_first);
    CHECK_FALSE(pairs(InPlace::kElementwise)[1].is_first);
  }
}

TEST_CASE("tflite: plans of random models") {
  Random random(21);
  std::size_t pairs = 0;
  for (int k = 0; k < effort(200); ++k) {
    CAPTURE(k);
    ModelSpec spec;
    SubgraphSpec s;
    const int count = random.between(2, 14);
    for (int x = 0; x < count; ++x)
      s.tensors.push_back({{random.between(1, 3) * 20}});
    s.inputs = {0};
    s.outputs = {count - 1};
    if (random.chance(30)) s.outputs.push_back(random.between(0, count - 1));
    for (int x = 1; x < count; ++x) {
      // ADD, RELU, RESHAPE or CONV_2D, mostly of what was written last.
      const unsigned code =
          std::vector<unsigned>{0, 19, 22, 3}[random.below(4)];
      OperatorSpec op{code, {}, {x}};
      for (int input = code == 0 ? 2 : 1; input > 0; --input)
        op.inputs.push_back(random.chance(70) ? x - 1
                                              : random.between(0, x - 1));
      s.operators.push_back(op);
    }
    spec.subgraphs = {s};
    const std::string file = make_model(spec);
    for (const InPlace in_place :
         {InPlace::kNone, InPlace::kReshape, InPlace::kElementwise}) {
      const tflite::Model model = tflite::read_model(file);
      pairs += tflite::make_planning(model, in_place, false).in_place.size();
      const std::string out = planned(file, in_place);
      check_plan(out, in_place != InPlace::kNone);
      CHECK((out.size() - file.size()) % 64 == 0);
    }
  }
  CHECK(pairs > at_least(100U));
}

TEST_CASE("tflite: variables") {
  ModelSpec spec = chain();
  spec.subgraphs[0].tensors.push_back({{32}, 9, 0, true});
  spec.subgraphs[0].operators[1].inputs = {1, 5};
  const tflite::Model model = tflite::read_model(make_model(spec));
  REQUIRE(model.fault.ok());
  const auto apart = tflite::make_planning(model, InPlace::kNone, false);
  CHECK(apart.variables == 32);
  CHECK(apart.tensor_of == std::vector<std::size_t>{0, 1, 2, 4});
  const auto inside = tflite::make_planning(model, InPlace::kNone, true);
  CHECK(inside.variables == 0);
  REQUIRE(inside.tensor_of.size() == 5);
  CHECK(inside.tensor_of[4] == 5);
  CHECK(inside.problem.buffers[4].lifespan == Interval<std::int64_t>{0, 4});
}

TEST_CASE("tflite: data behind the model moves with it") {
  ModelSpec spec = chain();
  spec.behind = "0123456789abcdef";
  spec.buffers[1] = {{}, 1000, 8};
  spec.subgraphs[0].operators[0].custom_offset = 2000;
  const std::string file = make_model(spec);
  const tflite::Model model = tflite::read_model(file);
  REQUIRE(model.fault.ok());
  CHECK(model.subgraphs[0].tensors[3].is_constant);
  REQUIRE(model.file_offsets.size() == 2);
  const std::string out = planned(file, InPlace::kNone);
  const std::size_t shift = out.size() - file.size();
  CHECK(shift % 64 == 0);
  const tflite::Model again = tflite::read_model(out);
  tflite::Flatbuffer in(out);
  REQUIRE(again.file_offsets.size() == 2);
  CHECK(in.u64(again.file_offsets[0]) == 1000 + shift);
  CHECK(in.u64(again.file_offsets[1]) == 2000 + shift);
  CHECK(std::string_view(out).substr(out.size() - 16) == spec.behind);
}

TEST_CASE("tflite: replaces a plan") {
  ModelSpec spec = chain();
  const auto plan_of = [&] {
    const std::string out = planned(make_model(spec), InPlace::kNone);
    const tflite::Model model = tflite::read_model(out);
    CHECK(std::count_if(model.metadata.begin(), model.metadata.end(),
                        [](const tflite::Metadata& m) {
                          return m.name == tflite::kPlanName;
                        }) == 1);
    check_plan(out, false);
    return out;
  };
  const std::size_t size = make_model(spec).size();
  SECTION("an empty list of metadata") {
    spec.has_metadata = true;
    CHECK(plan_of().size() > size);
  }
  SECTION("other metadata stays") {
    spec.metadata = {{"min_runtime_version", 0},
                     {"OfflineMemoryAllocatioN", 0}};
    const std::string out = plan_of();
    const tflite::Model model = tflite::read_model(out);
    REQUIRE(model.metadata.size() == 3);
    CHECK(model.metadata[0].name == "min_runtime_version");
  }
  SECTION("of the right size: overwritten") {
    spec.buffers.push_back({std::string(12 + 5 * 4, '\7')});
    spec.metadata = {{"OfflineMemoryAllocation", 2}};
    const std::size_t old_size = make_model(spec).size();
    CHECK(plan_of().size() == old_size);
  }
  SECTION("of another size") {
    spec.buffers.push_back({std::string(12 + 4 * 4, '\7')});
    spec.metadata = {{"a", 0}, {"OfflineMemoryAllocation", 2}, {"b", 1}};
    const std::string out = plan_of();
    CHECK(tflite::read_model(out).metadata.size() == 3);
  }
  SECTION("in a buffer that something else uses") {
    spec.buffers.push_back({std::string(12 + 5 * 4, '\7')});
    spec.metadata = {{"OfflineMemoryAllocation", 2}, {"other", 2}};
    const std::string out = plan_of();
    const tflite::Model model = tflite::read_model(out);
    CHECK(model.buffers.size() == 4);
    CHECK(std::string_view(out).substr(model.buffers[2].data.at, 4) ==
          "\7\7\7\7");
  }
  SECTION("in a buffer that a tensor uses") {
    spec.buffers[1].data = std::string(12 + 5 * 4, '\7');
    spec.metadata = {{"OfflineMemoryAllocation", 1}};
    const std::string out = plan_of();
    const tflite::Model model = tflite::read_model(out);
    CHECK(model.buffers.size() == 3);
    CHECK(std::string_view(out).substr(model.buffers[1].data.at, 4) ==
          "\7\7\7\7");
  }
  SECTION("in a table that is another buffer, too") {
    spec.buffers.push_back({std::string(12 + 5 * 4, '\7')});
    spec.buffers.push_back({});
    spec.metadata = {{"OfflineMemoryAllocation", 2}};
    std::string file = make_model(spec);
    tflite::Flatbuffer in(file);
    const tflite::Vector list = in.vector(in.table(0), 4, 4);
    const std::size_t distance = in.table(list.at + 8).at - (list.at + 12);
    file[list.at + 12] = static_cast<char>(distance & 255U);
    file[list.at + 13] = static_cast<char>(distance >> 8U & 255U);
    REQUIRE(tflite::read_model(file).fault.ok());
    const std::string out = planned(file, InPlace::kNone);
    const tflite::Model model = tflite::read_model(out);
    CHECK(model.buffers.size() == 5);
    CHECK(std::string_view(out).substr(model.buffers[3].data.at, 4) ==
          "\7\7\7\7");
  }
  SECTION("twice") {
    spec.buffers.push_back({std::string(12 + 5 * 4, '\7')});
    spec.buffers.push_back({std::string(12 + 5 * 4, '\6')});
    spec.metadata = {{"OfflineMemoryAllocation", 2},
                     {"OfflineMemoryAllocation", 3}};
    CHECK(tflite::read_model(plan_of()).metadata.size() == 1);
  }
}

TEST_CASE("tflite: refuses bad models with the offset") {
  CHECK(error_of("") == "too short for a model");
  CHECK(error_of(std::string("\4\0\0\0TFL2....", 12)) ==
        "not a TensorFlow Lite model: no identifier 'TFL3'");
  CHECK(error_of(std::string("\xff\0\0\0TFL3....", 12)) ==
        "reference points outside the file");
  ModelSpec spec = chain();
  std::string cut = make_model(spec);
  tflite::Flatbuffer in(cut);
  const std::size_t buffers = in.vector(in.table(0), 4, 4).at - 4;
  cut[buffers + 3] = '\1';  // 2^24 more buffers
  CHECK(error_of(cut) == "vector reaches beyond the end of the file");
  CHECK(tflite::read_model(cut).fault.offset == buffers);
  spec.has_unknown_field = true;
  const std::string file = make_model(spec);
  const tflite::Model model = tflite::read_model(file);
  REQUIRE(model.fault.ok());
  tflite::Fault fault;
  const std::vector<std::int32_t> plan(5, 0);
  CHECK(tflite::PlanWriter(model, file).write(plan, fault).empty());
  CHECK(fault.message == "model has a field that this program does not know");
  spec = chain();
  spec.subgraphs[0].tensors[0].buffer = 2;
  CHECK(error_of(make_model(spec)) ==
        "tensor refers to a buffer that is not there");
  spec = chain();
  spec.subgraphs[0].operators[1].inputs = {5};
  CHECK(error_of(make_model(spec)) == "no tensor has this index");
  spec = chain();
  spec.subgraphs.clear();
  CHECK(error_of(make_model(spec)) == "model has no subgraph");
  spec = chain();
  spec.metadata = {{"OfflineMemoryAllocation", 9}};
  CHECK(error_of(make_model(spec)) ==
        "metadata refers to a buffer that is not there");
}

TEST_CASE("tflite: survives any damage") {
  ModelSpec spec = chain();
  spec.metadata = {{"min_runtime_version", 0}};
  spec.subgraphs.push_back(spec.subgraphs[0]);
  spec.subgraphs[0].operators.push_back({118, {4}, {4}, {1, 1}});
  const std::string whole = make_model(spec);
  Random random(7);
  std::size_t refused = 0;
  const auto try_one = [&](const std::string& file) {
    const tflite::Model model = tflite::read_model(file);
    CHECK(model.fault.offset <= file.size());
    if (!model.fault.ok()) ++refused;
    if (!model.fault.ok()) return;
    const auto planning =
        tflite::make_planning(model, InPlace::kElementwise, false);
    if (!planning.fault.ok()) return;
    const std::vector<std::int64_t> offsets(planning.tensor_of.size(), 0);
    const auto plan = tflite::make_plan(model, planning, offsets);
    if (plan.size() != model.tensors) return;
    tflite::Fault fault;
    const std::string out = tflite::PlanWriter(model, file).write(plan, fault);
    CHECK(fault.ok() == !out.empty());
    if (fault.ok())
      CHECK(tflite::read_plan(tflite::read_model(out), out) == plan);
  };
  for (std::size_t size = 0; size < whole.size(); ++size)
    try_one(whole.substr(0, size));
  CHECK(refused > whole.size() / 2);
  for (int k = 0; k < effort(20000); ++k) {
    std::string file = whole;
    for (auto changes = random.between(1, 4); changes > 0; --changes) {
      const auto at = static_cast<std::size_t>(random.below(file.size()));
      file[at] = static_cast<char>(random.between(0, 255));
    }
    try_one(file);
  }
}

TEST_CASE("tflite: plans of published models") {
  struct Row {
    const char* name;
    std::int64_t total, greedy, height, reshape, elementwise;
  };
  for (const Row& row : {
           Row{"audio_preprocessor_int8", 12208, 3040, 2096, 2096, 2096},
           Row{"dtln_noise_suppression", 1072, 544, 544, 544, 400},
           Row{"keyword_scrambled_8bit", 752, 288, 288, 288, 288},
           Row{"person_detect", 241072, 55296, 55296, 55296, 55296},
           Row{"trained_lstm_int8", 1936, 1344, 1344, 1344, 1344},
           Row{"transpose_conv2", 9360, 9360, 9360, 9360, 9360},
       }) {
    const std::string folder = SNUG_BENCHMARK_DIR;
    std::ifstream in(folder + "/tflite/" + row.name + ".tflite",
                     std::ios::binary);
    if (folder.empty() || !in) {
      SNUG_SKIP(
          "skipped: set SNUG_BENCHMARK_DIR to the folder that holds tflite/");
      return;
    }
    CAPTURE(row.name);
    const std::string file{std::istreambuf_iterator<char>(in), {}};
    const tflite::Model model = tflite::read_model(file);
    REQUIRE(model.fault.ok());
    const auto planning = tflite::make_planning(model, InPlace::kNone, false);
    CHECK(planning.total == row.total);
    CHECK(tflite::greedy_height(planning.problem) == row.greedy);
    const auto height = [&](InPlace in_place) {
      const std::string out = planned(file, in_place);
      check_plan(out, in_place != InPlace::kNone);
      CHECK(planned(out, in_place) == out);
      const tflite::Model again = tflite::read_model(out);
      const auto plan = tflite::read_plan(again, out);
      std::int64_t top = 0;
      for (std::size_t x = 0; x < plan.size(); ++x)
        if (plan[x] >= 0)
          top = (std::max)(
              top,
              plan[x] + tflite::align_up(again.subgraphs[0].tensors[x].bytes));
      return top;
    };
    CHECK(height(InPlace::kNone) == row.height);
    CHECK(height(InPlace::kReshape) == row.reshape);
    CHECK(height(InPlace::kElementwise) == row.elementwise);
  }
}

}  // namespace tflite_test
