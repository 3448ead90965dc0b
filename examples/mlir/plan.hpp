// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Offsets for a problem, or why there are none. No header of MLIR is needed
/// here, none of the solver where this one is included.
#ifndef SNUG_EXAMPLES_MLIR_PLAN_HPP
#define SNUG_EXAMPLES_MLIR_PLAN_HPP

#include "snug/api.hpp"

#include <cstdint>
#include <optional>

namespace snug_pack {

struct Plan {
  snug::Result<> result{};
  /// Where it is proved that there is no placement: which buffers do not fit.
  snug::Explanation<> why_not{};
};

/// Looks for the lowest height, within `capacity` if there is one. A node limit
/// rather than a time limit: the same input gives the same code everywhere.
[[nodiscard]] Plan make_plan(const snug::Problem<>& problem,
                             std::optional<std::int64_t> capacity,
                             std::int64_t node_limit);

}  // namespace snug_pack

#endif  // SNUG_EXAMPLES_MLIR_PLAN_HPP
