// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/plan/windows.hpp"

#include "snug/normal/flat.hpp"
#include "snug/support/list.hpp"
#include "snug/support/outcome.hpp"
#include "support/catch.hpp"
#include "support/lists.hpp"
#include "support/plain.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace windows_test {
namespace {

using namespace snug::testing;
using snug::detail::Index;
using snug::detail::List;
using snug::detail::Outcome;
using snug::detail::Windows;

using Tried = std::vector<std::vector<Index>>;

/// Buffer i lives from i to i + 2, or all the time if it is the first one.
Windows windows_of(std::int64_t count) {
  snug::Problem<> problem;
  problem.buffers.push_back({{0, count + 1}, 1});
  for (std::int64_t i = 1; i < count; ++i)
    problem.buffers.push_back({{i, i + 2}, 1});
  return Windows(plain_of(problem), 2);
}

const auto kNeverStops = [] { return false; };

}  // namespace

TEST_CASE("windows: short ones first, and whole lifespans", "[windows]") {
  Windows windows = windows_of(16);
  Tried tried;
  CHECK_FALSE(windows.search(10, 1000, kNeverStops,
                             [&](const List<Index>& inside, std::int64_t) {
                               tried.push_back(vector_of(inside));
                               return Windows::Answer{Outcome::kPlacedAll, 1};
                             }));
  REQUIRE(tried.size() > 4);
  // Three sections: {0, 1, 2}, {0, 2, 3} and {0, 3, 4}.
  CHECK(tried.front() == std::vector<Index>{0, 1, 2, 3, 4});
  for (std::size_t k = 0; k < tried.size(); ++k) {
    CHECK(tried[k].front() == 0);
    for (std::size_t at = 2; at < tried[k].size(); ++at)
      CHECK(tried[k][at] == tried[k][at - 1] + 1);
    if (k > 0) CHECK(tried[k].size() + 1 >= tried[k - 1].size());
  }
  CHECK(tried.back().back() == 15);
  CHECK_FALSE(windows.wants_nodes());
  // All fit, and none is asked again.
  tried.clear();
  CHECK_FALSE(windows.search(10, 1000, kNeverStops,
                             [&](const List<Index>& inside, std::int64_t) {
                               tried.push_back(vector_of(inside));
                               return Windows::Answer{Outcome::kPlacedAll, 1};
                             }));
  CHECK(tried.empty());
}

TEST_CASE("windows: until one is refuted", "[windows]") {
  Windows windows = windows_of(12);
  Index last = 0;
  const auto refute_last = [&](const List<Index>& inside, std::int64_t) {
    last = inside.back();
    return Windows::Answer{last == 9 ? Outcome::kRefuted : Outcome::kPlacedAll,
                           1};
  };
  REQUIRE(windows.search(10, 1000, kNeverStops, refute_last));
  CHECK(last == 9);
}

TEST_CASE("windows: those that were not decided are asked again", "[windows]") {
  Windows windows = windows_of(8);
  std::size_t asked = 0;
  const auto stop_at_limit = [&](const List<Index>&, std::int64_t limit) {
    ++asked;
    return Windows::Answer{Outcome::kOpen, limit};
  };
  // For 25 nodes, the last of them half of its share.
  CHECK_FALSE(windows.search(10, 25, kNeverStops, stop_at_limit));
  CHECK(asked == 3);
  CHECK(windows.wants_nodes());
  CHECK_FALSE(windows.search(10, 25, kNeverStops, stop_at_limit));
  CHECK(asked == 6);
  CHECK_FALSE(windows.search(
      10, 25, [] { return true; }, stop_at_limit));
  CHECK(asked == 6);
}

TEST_CASE("windows: no longer ones where one has no memory or time",
          "[windows]") {
  Windows windows = windows_of(40);
  std::size_t longest = 0;
  CHECK_FALSE(windows.search(10, 1000, kNeverStops,
                             [&](const List<Index>& inside, std::int64_t) {
                               longest = inside.size();
                               return Windows::Answer{Outcome::kOpen, 0};
                             }));
  CHECK(longest < 8);
  CHECK_FALSE(windows.wants_nodes());
}

}  // namespace windows_test
