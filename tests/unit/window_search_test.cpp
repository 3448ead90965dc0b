// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/plan/window_search.hpp"

#include "snug/load.hpp"
#include "snug/model/options.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/result.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/flat_subset.hpp"
#include "snug/normal/presolve.hpp"
#include "snug/plan/call.hpp"
#include "snug/plan/flat_models.hpp"
#include "snug/plan/models.hpp"
#include "snug/plan/plan.hpp"
#include "snug/support/outcome.hpp"
#include "support/body_walker.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/exhaustive.hpp"

#include <cstddef>
#include <cstdint>

namespace window_search_test {
namespace {

using namespace snug::testing;
using snug::Options;
using snug::Problem;
using snug::Stats;
using snug::detail::Call;
using snug::detail::Flat;
using snug::detail::Found;
using snug::detail::Outcome;

using FlatModels = snug::detail::FlatModels<snug::detail::BothModels>;
using WindowSearch = snug::detail::WindowSearch<snug::detail::BothModels>;

}  // namespace

TEST_CASE("window search: refutes what does not fit, and no more",
          "[window_search]") {
  std::size_t refuted = 0;
  std::size_t with_core = 0;
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(3000); ++seed) {
    const Problem<> problem = draw_constrained(seed, 9);
    std::int64_t ceiling =
        snug::load(problem) - 1 + static_cast<std::int64_t>(seed % 4);
    CAPTURE(seed, ceiling);
    if (ceiling < 0) continue;
    const std::int64_t below = ceiling;
    Flat flat = snug::detail::flatten(problem);
    ceiling = snug::detail::presolve(flat, ceiling);
    FlatModels models(flat);
    const Options options;
    Stats stats;
    Call call(options, stats);
    Found found;
    WindowSearch search(models, ceiling, call);
    CHECK(search.search_again(found) == Outcome::kOpen);
    if (search.search_up_to(100000, found) != Outcome::kRefuted) continue;
    REQUIRE_FALSE(lowest_within(problem, below));
    ++refuted;
    // So are those alone that it names.
    REQUIRE_FALSE(found.core.empty());
    with_core += found.core.size() < flat.buffers.size();
    Stats of_some;
    Call again(options, of_some);
    Found none;
    REQUIRE(snug::detail::place_presolved<snug::detail::BothModels,
                                          snug::detail::Wanted::kAny>(
                snug::detail::subset_of(flat, found.core), ceiling, again,
                none) == Outcome::kRefuted);
    // Known from then on, also to who comes later.
    WindowSearch later(models, ceiling, call);
    CHECK(later.search_again(found) == Outcome::kRefuted);
  }
  CHECK(refuted > at_least<std::size_t>(100));
  CHECK(with_core > at_least<std::size_t>(100));
}

}  // namespace window_search_test
