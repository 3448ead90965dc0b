// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/pools/equal_pools.hpp"

#include "snug/pools/cost_table.hpp"
#include "snug/pools/pool_loads.hpp"
#include "snug/support/list.hpp"
#include "support/catch.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace equal_pools_test {

using snug::detail::CostTable;
using snug::detail::EqualPools;
using snug::detail::Index;
using snug::detail::List;
using snug::detail::PoolLoads;

namespace {

/// One item that takes so many bytes of so much room.
PoolLoads one_section(std::int64_t bytes, std::int64_t room) {
  PoolLoads loads;
  loads.sections = 1;
  loads.room = {room};
  loads.parts.push_back({{0, 1}, bytes});
  loads.parts.end_row();
  return loads;
}

}  // namespace

TEST_CASE("equal pools: one column for what is alike and costs the same",
          "[equal_pools]") {
  // Banks, of which one is dearer for the second item, and two other pools.
  CostTable costs(2, 6);
  const std::vector<std::int64_t> first = {1, 1, 1, 1, 3, 9};
  const std::vector<std::int64_t> second = {2, 2, 5, 2, CostTable::kNever, 8};
  for (std::size_t c = 0; c < 6; ++c) {
    costs.at(0, c) = first[c];
    costs.at(1, c) = second[c];
  }
  const EqualPools equal(costs, {0, 0, 0, 3, 4});
  REQUIRE(equal.size() == 4);
  CHECK(equal.copies(0) == 2);
  CHECK(equal.copies(1) == 1);
  CHECK(equal.copies(2) == 1);
  CHECK(equal.copies(3) == 1);
  REQUIRE(equal.costs().items == 2);
  REQUIRE(equal.costs().columns == 5);
  CHECK(equal.costs().costs == std::vector<std::int64_t>{1, 1, 1, 3, 9, 2, 5, 2,
                                                         CostTable::kNever, 8});
  PoolLoads bank = one_section(5, 10);
  const std::vector<PoolLoads> joined =
      equal.join({bank, bank, bank, one_section(6, 11), one_section(7, 12)});
  REQUIRE(joined.size() == 4);
  CHECK(joined[0].room == std::vector<std::int64_t>{20});
  CHECK(joined[1].room == std::vector<std::int64_t>{10});
  CHECK(joined[2].room == std::vector<std::int64_t>{11});
  CHECK(joined[3].room == std::vector<std::int64_t>{12});
  CHECK(joined[0].bytes_at(0, 0) == 5);
  CHECK(joined[3].bytes_at(0, 0) == 7);
}

TEST_CASE("equal pools: no more than sixteen become one", "[equal_pools]") {
  CostTable costs(1, 41);
  for (std::int64_t& cost : costs.costs) cost = 0;
  const EqualPools equal(costs, List<Index>(40, 0));
  REQUIRE(equal.size() == 3);
  CHECK(equal.copies(0) == 16);
  CHECK(equal.copies(1) == 16);
  CHECK(equal.copies(2) == 8);
  const std::vector<PoolLoads> joined =
      equal.join(std::vector<PoolLoads>(40, one_section(1, 7)));
  CHECK(joined[0].room[0] == 112);
  CHECK(joined[2].room[0] == 56);
}

TEST_CASE("equal pools: none", "[equal_pools]") {
  CostTable costs(1, 1);
  costs.at(0, 0) = 4;
  const EqualPools equal(costs, {});
  CHECK(equal.size() == 0);
  CHECK(equal.costs().columns == 1);
  CHECK(equal.costs().at(0, 0) == 4);
}

}  // namespace equal_pools_test
