// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Why buffers do not fit, for the programs that have a flag --explain.
#ifndef SNUG_EXAMPLES_EXPLAIN_WHY_HPP
#define SNUG_EXAMPLES_EXPLAIN_WHY_HPP

#include "snug/explain.hpp"
#include "snug/io/explain_text.hpp"
#include "snug/model/options.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/result.hpp"

#include <cstdint>
#include <string>
#include <vector>

struct Why {
  std::string text;
  std::string hint;  ///< what --explain would say; empty: no more
};

/// Why the buffers do not fit `capacity`, in a sentence. Without --explain, and
/// where a search would be needed to know, only that it is so.
inline Why explain_why(const snug::Problem<>& problem,
                       const std::vector<std::string>& ids,
                       std::int64_t capacity, snug::Options options,
                       bool has_flag) {
  if (!has_flag) options.node_limit = 0;
  snug::Explanation<> why = snug::explain(problem, capacity, options);
  if (has_flag || why.proved_irreducible)
    return {snug::to_string(problem, capacity, why, ids), ""};
  if (why.status != snug::Status::kInfeasible)
    return {"there is no placement",
            "--explain says which buffers are to blame"};
  // Nobody has asked for the limit that stopped it.
  why.proved_irreducible = true;
  return {snug::to_string(problem, capacity, why, ids),
          "--explain says whether fewer are to blame"};
}

#endif  // SNUG_EXAMPLES_EXPLAIN_WHY_HPP
