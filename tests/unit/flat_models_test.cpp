// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/plan/flat_models.hpp"

#include "snug/model/options.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/result.hpp"
#include "snug/normal/flat.hpp"
#include "snug/plan/above_ground.hpp"
#include "snug/plan/body_components.hpp"
#include "snug/plan/call.hpp"
#include "snug/plan/models.hpp"
#include "snug/support/list.hpp"
#include "support/catch.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace flat_models_test {

using snug::Options;
using snug::Problem;
using snug::Stats;
using snug::detail::BodyComponents;
using snug::detail::BothModels;
using snug::detail::Call;
using snug::detail::Flat;
using snug::detail::Share;

using AboveGround = snug::detail::AboveGround<BothModels>;
using FlatModels = snug::detail::FlatModels<BothModels>;

namespace {

/// Tied in pairs, and one after the other.
Problem<> tied(std::int64_t n) {
  Problem<> problem;
  for (std::int64_t k = 0; k < n; ++k)
    problem.buffers.push_back({{k, k + 3}, 1 + k % 5});
  for (std::size_t k = 0; k + 9 < problem.buffers.size(); k += 10)
    problem.aliases.push_back({k, k + 9, 0});
  return problem;
}

/// The same without ties.
Flat free(std::int64_t n) {
  Problem<> problem = tied(n);
  problem.aliases.clear();
  return snug::detail::flatten(problem);
}

}  // namespace

TEST_CASE("flat models: each is made once", "[flat_models]") {
  Stats stats;
  const Options options;
  Call call(options, stats);
  const Flat flat = snug::detail::flatten(tied(100));
  FlatModels models(flat);
  CHECK(call.held() == 0);
  const BodyComponents* const made = models.searched(call);
  REQUIRE(made != nullptr);
  const std::size_t held = call.held();
  CHECK(held > 0);
  CHECK(models.searched(call) == made);
  CHECK(call.held() == held);
}

TEST_CASE("flat models: what was interrupted is made again", "[flat_models]") {
  const Flat flat = snug::detail::flatten(tied(100000));
  std::atomic<bool> cancel{true};
  Options options;
  options.cancel = &cancel;
  Stats stats;
  Call call(options, stats);
  FlatModels models(flat);
  {
    Share share(call, 1);
    CHECK(models.searched(share.call()) == nullptr);
    CHECK(share.call().gave_up());
  }
  CHECK(call.held() == 0);
  cancel = false;
  {
    Share share(call, 1);
    REQUIRE(models.searched(share.call()) != nullptr);
    CHECK_FALSE(share.call().gave_up());
  }
  const BodyComponents* const made = models.searched(call);
  CHECK(made->bodies().body_of.size() == flat.buffers.size());
  CHECK(call.held() == made->bodies().bytes());
  // What is there is there for those who have no time, too.
  cancel = true;
  Share share(call, 1);
  CHECK(models.searched(share.call()) == made);
}

TEST_CASE("flat models: above the ground", "[flat_models]") {
  std::atomic<bool> cancel{true};
  Options options;
  options.cancel = &cancel;
  Stats stats;
  Call call(options, stats);
  const Flat flat = free(100000);
  {
    FlatModels models(flat);
    REQUIRE(models.ground());
    {
      Share share(call, 1);
      CHECK(models.above(share.call()) == nullptr);
      CHECK(share.call().gave_up());
    }
    CHECK(call.held() == 0);
    cancel = false;
    const AboveGround* made = nullptr;
    {
      Share share(call, 1);
      made = models.above(share.call());
      REQUIRE(made != nullptr);
    }
    // What was taken was a copy.
    CHECK(flat.buffers.size() == 100000);
    CHECK(made->plain().buffers.size() == 100000);
    CHECK(made->bound() > 0);
    CHECK(call.held() == made->plain().bytes());
    cancel = true;
    Share share(call, 1);
    CHECK(models.above(share.call()) == made);
    CHECK(call.held() == made->plain().bytes());
  }
  CHECK(call.held() == 0);
}

TEST_CASE("above ground: placements are lifted", "[above_ground]") {
  // The fixed one is above the others, and one without bytes at the first multiple
  // of 32 from the base.
  Problem<> problem;
  problem.buffers = {{{0, 2}, 4}, {{0, 2}, 8}, {{0, 2}, 0}, {{0, 2}, 3}};
  problem.buffers[1].offset = 72;
  problem.buffers[2].alignment = 32;
  problem.base = 16;
  problem.reserved = {{{16, 18}, {}}};
  Flat flat = snug::detail::flatten(problem);
  const Options options;
  Stats stats;
  Call call(options, stats);
  const AboveGround above(flat, flat.base, call);
  CHECK(above.ground() == flat.base);
  CHECK(above.bound() + above.ground() == flat.fixed[1] + 8);
  snug::detail::List<std::int64_t> offsets{2, 0, 0, 6};
  above.lift(flat, offsets);
  CHECK(offsets[0] == 2 + flat.base);
  CHECK(offsets[1] == flat.fixed[1]);
  CHECK(offsets[2] % 32 == 0);
  CHECK(offsets[2] >= flat.base);
  CHECK(offsets[3] == 6 + flat.base);
}

}  // namespace flat_models_test
