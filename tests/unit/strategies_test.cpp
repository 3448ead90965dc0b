// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/io/strategies.hpp"

#include "support/catch.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace strategies_test {

using snug::Branching;
using snug::Criterion;
using snug::read_strategies;
using snug::Strategy;

namespace {

/// The names of the strategies of a list, and the item that is none.
std::vector<std::string> names(std::string_view list, std::string& unknown) {
  std::vector<Strategy> strategies;
  unknown = std::string(read_strategies(list, strategies));
  std::vector<std::string> result;
  for (const Strategy& strategy : strategies) {
    char name[8];
    snug::detail::write_name(strategy, name);
    result.push_back(name);
  }
  return result;
}
using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("strategies: a rule and up to six letters", "[strategies]") {
  std::string unknown;
  for (const char* text :
       {"sT", "0T", "sTCA", "0ACLOTU", "sWZ", "sAAAAAA", "0Z", "wT", "wWZ"}) {
    CAPTURE(text);
    CHECK(names(text, unknown) == Names{text});
    CHECK(unknown.empty());
  }
  std::vector<Strategy> one;
  REQUIRE(read_strategies("wTZ", one).empty());
  REQUIRE(one.size() == 1);
  CHECK(one[0].branching == Branching::kFrugal);
  CHECK(one[0].preorder[0] == Criterion::kTotal);
  CHECK(one[0].preorder[1] == Criterion::kSize);
  CHECK(one[0].preorder[2] == Criterion::kNone);
  CHECK(snug::detail::criteria_of(one[0]) == 2);
}

TEST_CASE("strategies: what is none is told", "[strategies]") {
  std::string unknown;
  for (const char* text : {"s", "0", "T", "TCA", "sX", "sTCX", "s TCA", "stca",
                           "STCA", "1TCA", "sTCATCAT", "00", "s-TCA", "junk"}) {
    CAPTURE(text);
    CHECK(names(text, unknown).empty());
    CHECK(unknown == text);
  }
  CHECK(names("sTCA, wTWA,sZ", unknown) == Names{"sTCA"});
  CHECK(unknown == " wTWA");
}

TEST_CASE("strategies: a list", "[strategies]") {
  std::string unknown;
  CHECK(names("sTCA,0W", unknown) == Names{"sTCA", "0W"});
  CHECK(names(",,sTCA,,0W,", unknown) == Names{"sTCA", "0W"});
  CHECK(names("", unknown).empty());
  CHECK(names(",", unknown).empty());
  CHECK(unknown.empty());
  // The view need not end where its string does.
  const std::string longer = "0TCA,sZW,sA";
  CHECK(names(std::string_view(longer).substr(0, 8), unknown) ==
        Names{"0TCA", "sZW"});
}

TEST_CASE("strategies: the usual ones", "[strategies]") {
  const auto listed = [](const snug::detail::Strategies& strategies) {
    std::string result;
    for (std::size_t k = 0; k < strategies.count; ++k) {
      char name[8];
      snug::detail::write_name(strategies.strategy[k], name);
      result += std::string(k > 0 ? "," : "") + name;
    }
    return result;
  };
  CHECK(listed(snug::detail::kPlainStrategies) ==
        "sTCA,sTWA,sWAT,sZW,wTCA,wTWA,wWAT,wZW");
  CHECK(listed(snug::detail::kBodyStrategies) == "sTCA,sTWA,sWAT,sZW");
}

}  // namespace strategies_test
