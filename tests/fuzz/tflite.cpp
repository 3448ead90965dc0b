// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../examples/tflite/plan.hpp"
#include "../../examples/tflite/write.hpp"
#include "fuzz/judges.hpp"
#include "support/solved.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace snug {
namespace fuzz {
namespace {

/// Plans the model for some nodes, writes the plan and reads it again.
std::string judge_plan(const tflite::Model& model, std::string_view file,
                       tflite::InPlace in_place) {
  tflite::Planning planning = tflite::make_planning(
      model, in_place, in_place != tflite::InPlace::kNone);
  if (!planning.fault.ok())
    return planning.fault.offset > file.size() ? "fault behind the file" : "";
  const Check error = check(planning.problem);
  if (!error.ok())
    return std::string("planned problem: ") + to_string(error.reason);
  for (const tflite::InPlacePair& pair : planning.in_place)
    if (pair.is_first)
      planning.problem.aliases.push_back({pair.output, pair.input, 0});
  if (!check(planning.problem).ok()) return "";
  constexpr std::size_t kMostBuffers = 40;
  if (planning.problem.buffers.size() > kMostBuffers) return "";
  Options options;
  options.node_limit = 300;
  const Result<> result = minimize(planning.problem, options);
  if (!result.has_solution()) return "";
  if (!validate(planning.problem, result.height, result.offsets).ok())
    return "no placement";
  const std::vector<std::int32_t> plan =
      tflite::make_plan(model, planning, result.offsets);
  if (plan.empty()) return "";
  tflite::Fault fault;
  const std::string out = tflite::PlanWriter(model, file).write(plan, fault);
  if (!fault.ok())
    return fault.offset > file.size() ? "fault behind the file" : "";
  const tflite::Model again = tflite::read_model(out);
  if (!again.fault.ok())
    return "the model as written is refused: " +
           std::string(again.fault.message);
  return tflite::read_plan(again, out) == plan ? ""
                                               : "another plan after writing";
}

}  // namespace

std::string judge_tflite(std::string_view bytes) {
  const tflite::Model model = tflite::read_model(bytes);
  if (!model.fault.ok())
    return model.fault.offset > bytes.size() ? "fault behind the file" : "";
  for (const tflite::InPlace in_place :
       {tflite::InPlace::kNone, tflite::InPlace::kElementwise}) {
    const std::string wrong = judge_plan(model, bytes, in_place);
    if (!wrong.empty()) return wrong;
  }
  return "";
}

}  // namespace fuzz
}  // namespace snug
