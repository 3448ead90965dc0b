// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Whether a presolved problem of four buffers has the placements of the problem that
/// it was made from, by trying all; and whether the calls come to the same.
#ifndef SNUG_TESTS_SUPPORT_SAME_PLACEMENTS_HPP
#define SNUG_TESTS_SUPPORT_SAME_PLACEMENTS_HPP

#include "snug/explain.hpp"
#include "snug/minimize.hpp"
#include "snug/model/check.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/presolve.hpp"
#include "snug/solve.hpp"
#include "support/catch.hpp"
#include "support/pairwise.hpp"
#include "support/plain.hpp"
#include "support/solved.hpp"
#include "support/status.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace snug {
namespace testing {

/// keep(offsets, of_less) says where those are that are left in `flat`, which is still
/// to be presolved; of all others of_less is the base. False if `offsets` is no placement, as
/// somebody who was left out is not where it has to be.
template <class Keep>
void require_same_placements(const Problem<>& problem, detail::Flat flat,
                             std::int64_t capacity, Keep&& keep) {
  std::int64_t ceiling = capacity;
  ceiling = detail::presolve(flat, ceiling);
  const Problem<> less = unflatten(flat);
  REQUIRE(check(less).ok());
  std::vector<std::int64_t> offsets(4, 0);
  std::int64_t lowest = -1;
  for (bool more = true; more;) {
    std::vector<std::int64_t> of_less(4, problem.base);
    const bool agrees = keep(offsets, of_less);
    const bool is_valid = validate_pairwise(problem, capacity, offsets).ok();
    SNUG_REQUIRE_OFTEN(
        is_valid == (agrees && validate_pairwise(less, ceiling, of_less).ok()));
    if (is_valid) {
      const std::int64_t height = height_of(problem, offsets);
      if (lowest < 0 || height < lowest) lowest = height;
    }
    std::size_t i = 0;
    while (i < 4 && offsets[i] == capacity) offsets[i++] = 0;
    more = i < 4;
    if (more) ++offsets[i];
  }
  // The whole way, there and back.
  const Result<> result = minimize_within(problem, capacity);
  REQUIRE(is_solved(result) == (lowest >= 0));
  if (lowest >= 0) {
    CHECK(result.height == lowest);
    CHECK(validate_pairwise(problem, lowest, result.offsets).ok());
  } else if (solve(problem, capacity).status == Status::kInfeasible) {
    const auto core = explain(problem, capacity);
    CHECK(core.status == Status::kInfeasible);
    CHECK(core.proved_irreducible);
  }
}

}  // namespace testing
}  // namespace snug

#endif  // SNUG_TESTS_SUPPORT_SAME_PLACEMENTS_HPP
