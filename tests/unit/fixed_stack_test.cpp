// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/joins/fixed_stack.hpp"

#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/random.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <set>
#include <vector>

namespace fixed_stack_test {

using namespace snug::testing;
using snug::detail::FixedStack;
using snug::detail::Flat;

namespace {

struct Member {
  std::int64_t size;
  std::int64_t fixed = Flat::kNone;
};

FixedStack stack_of(const std::vector<Member>& members) {
  FixedStack stack;
  for (const Member& member : members) stack.add(member.size, member.fixed);
  return stack;
}

std::set<std::int64_t> begins_of(const std::vector<Member>& members) {
  std::set<std::int64_t> begins;
  stack_of(members).for_each_begin([&](std::int64_t begin) {
    begins.insert(begin);
    return true;
  });
  return begins;
}

/// Whether all that is fixed is where it should be, in this order.
bool suits(const std::vector<Member>& members,
           const std::vector<std::size_t>& order, std::int64_t begin) {
  for (const std::size_t m : order) {
    if (members[m].fixed != Flat::kNone && members[m].fixed != begin)
      return false;
    begin += members[m].size;
  }
  return true;
}

/// The same by trying all orders and begins.
std::set<std::int64_t> naive_begins_of(const std::vector<Member>& members) {
  std::set<std::int64_t> begins;
  std::vector<std::size_t> order(members.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  do {
    for (std::int64_t begin = -40; begin <= 20; ++begin)
      if (suits(members, order, begin)) begins.insert(begin);
  } while (std::next_permutation(order.begin(), order.end()));
  return begins;
}

}  // namespace

TEST_CASE("fixed stack: the sums of those who can be below", "[joins]") {
  CHECK(begins_of({{1}, {2, 6}, {5}}) == std::set<std::int64_t>{0, 1, 5, 6});
  CHECK(begins_of({{3, 2}, {3, 5}, {4}}) == std::set<std::int64_t>{-2, 2});
  // Four bytes between two that are fixed, and three that could be there.
  CHECK(begins_of({{3, 2}, {3, 9}, {3}}).empty());
  CHECK(begins_of({{3, 2}, {3, 4}}).empty());
}

TEST_CASE("fixed stack: a visit may end the search", "[joins]") {
  int visits = 0;
  stack_of({{1}, {2, 6}, {5}}).for_each_begin([&](std::int64_t /*begin*/) {
    return ++visits < 2;
  });
  CHECK(visits == 2);
}

TEST_CASE("fixed stack: against all orders", "[joins]") {
  int several = 0;
  int none = 0;
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(3000); ++seed) {
    Random random(seed);
    std::vector<Member> members(
        random.between(std::size_t{1}, FixedStack::kMost));
    for (Member& member : members) {
      member.size = random.between(1, 5);
      if (random.chance(35)) member.fixed = random.between(0, 12);
    }
    members[random.between(std::size_t{0}, members.size() - 1)].fixed =
        random.between(0, 12);
    CAPTURE(seed);
    const std::set<std::int64_t> begins = begins_of(members);
    REQUIRE(begins == naive_begins_of(members));
    several += begins.size() > 1;
    none += begins.empty();
    for (std::int64_t begin = -20; begin <= 20; ++begin) {
      FixedStack stack = stack_of(members);
      REQUIRE(stack.arrange(begin) == (begins.count(begin) > 0));
      if (begins.count(begin) == 0) continue;
      std::vector<std::size_t> order;
      for (std::size_t k = 0; k < members.size(); ++k)
        order.push_back(stack.member(k));
      REQUIRE(suits(members, order, begin));
      std::sort(order.begin(), order.end());
      for (std::size_t k = 0; k < order.size(); ++k) REQUIRE(order[k] == k);
    }
  }
  CHECK(several > at_least(300));
  CHECK(none > at_least(300));
}

}  // namespace fixed_stack_test
