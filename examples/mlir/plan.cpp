// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan.hpp"

#include "snug/explain.hpp"
#include "snug/minimize.hpp"

#include <cstdint>
#include <optional>

namespace snug_pack {

Plan make_plan(const snug::Problem<>& problem,
               std::optional<std::int64_t> capacity, std::int64_t node_limit) {
  snug::Options options;
  options.node_limit = node_limit;
  Plan plan;
  plan.result = capacity ? snug::minimize_within(problem, *capacity, options)
                         : snug::minimize(problem, options);
  if (plan.result.status == snug::Status::kInfeasible && capacity)
    plan.why_not = snug::explain(problem, *capacity, options);
  return plan;
}

}  // namespace snug_pack
