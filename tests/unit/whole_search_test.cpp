// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/model/options.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/result.hpp"
#include "snug/normal/flat.hpp"
#include "snug/plan/plan.hpp"
#include "snug/plan/presolved.hpp"
#include "support/catch.hpp"
#include "support/lists.hpp"

#include <cstdint>
#include <vector>

namespace whole_search_test {

using snug::Problem;
using snug::detail::BodiesAlone;
using snug::detail::Call;
using snug::detail::Flat;
using snug::detail::FlatModels;
using snug::detail::Found;
using snug::detail::Outcome;
using snug::detail::WholeSearch;

TEST_CASE("whole search: bounds and capacities are bytes, whatever the unit",
          "[whole_search]") {
  // A multiple of 32 each: the free one is between what is reserved and the
  // fixed one, which ends at 128.
  Problem<> problem;
  problem.buffers = {{{0, 1}, 64}, {{0, 1}, 32}};
  problem.buffers[1].offset = 96;
  problem.reserved = {{{0, 32}, {}}};
  const snug::Options options;
  snug::Stats stats;
  Call call(options, stats);
  const Flat flat = snug::detail::flatten(problem);
  FlatModels<BodiesAlone> models(flat);
  for (const std::int64_t capacity : {127, 128, 159, 160}) {
    CAPTURE(capacity);
    WholeSearch<BodiesAlone> search(models, capacity, call);
    CHECK(search.bound() == 128);
    Found found;
    const Outcome outcome = search.search_up_to(1000, found);
    CHECK(outcome ==
          (capacity < 128 ? Outcome::kRefuted : Outcome::kPlacedAll));
    if (capacity < 128) continue;
    CHECK(vector_of(found.offsets) == std::vector<std::int64_t>{32, 96});
  }
}

}  // namespace whole_search_test
