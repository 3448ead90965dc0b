// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/plan/body_components.hpp"

#include "snug/model/options.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/result.hpp"
#include "snug/normal/flat.hpp"
#include "snug/plan/call.hpp"
#include "support/catch.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace flat_models_test {

using snug::Options;
using snug::Problem;
using snug::Stats;
using snug::detail::BodyComponents;
using snug::detail::Call;
using snug::detail::Flat;
using snug::detail::FlatModels;
using snug::detail::Share;

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

}  // namespace

TEST_CASE("flat models: each is made once", "[flat_models]") {
  Problem<> problem = tied(100);
  Stats stats;
  const Options options;
  Call call(options, stats);
  {
    const Flat flat = snug::detail::flatten(problem);
    FlatModels models(flat);
    CHECK(call.held() == 0);
    const BodyComponents* const made = models.searched(call);
    REQUIRE(made != nullptr);
    const std::size_t held = call.held();
    CHECK(held > 0);
    CHECK(models.searched(call) == made);
    CHECK(models.walked(call) == made);
    CHECK(call.held() == held);
  }
  // Sections of cliques are for searches alone.
  for (std::size_t k = 2; k < 5; ++k)
    for (std::size_t x = 0; x < k; ++x)
      problem.apart.push_back({20 * x, 20 * k});
  problem.apart.push_back({0, 20});
  const Flat flat = snug::detail::flatten(problem);
  FlatModels models(flat);
  const BodyComponents* const walked = models.walked(call);
  const BodyComponents* const searched = models.searched(call);
  REQUIRE(walked != nullptr);
  REQUIRE(searched != nullptr);
  CHECK(walked->bodies().sections < searched->bodies().sections);
  CHECK(models.walked(call) == walked);
  CHECK(models.searched(call) == searched);
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
    CHECK(models.walked(share.call()) == nullptr);
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

}  // namespace flat_models_test
