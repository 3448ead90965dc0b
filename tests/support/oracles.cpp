// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What judges the answers in many tests, and runs longest there, compiled once
/// and optimised: the linker takes it from here, for it comes before the tests.
#include "baselines/greedy.hpp"
#include "snug/config.hpp"
#include "snug/model/problem.hpp"
#include "support/exhaustive.hpp"
#include "support/pairwise.hpp"

#include <cstdint>
#include <vector>

namespace snug {
namespace testing {

template class Exhaustive<std::int64_t, std::int64_t>;
template class Exhaustive<std::int32_t, std::int32_t>;
template Validation validate_pairwise(const Problem<>&, std::int64_t,
                                      const std::vector<std::int64_t>&);
template Validation validate_pairwise(
    const Problem<std::int32_t, std::int32_t>&, std::int32_t,
    const std::vector<std::int32_t>&);

}  // namespace testing
}  // namespace snug

SNUG_BEGIN_NAMESPACE
namespace baselines {

template std::vector<std::int64_t> greedy_first_fit(const Problem<>&);
template std::vector<std::int64_t> greedy_best_fit(const Problem<>&);

}  // namespace baselines
SNUG_END_NAMESPACE
