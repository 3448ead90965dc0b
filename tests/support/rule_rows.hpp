// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A covering array of strength three over the switches of the search: for
/// any three of the rules and the choice of strategies, every combination of
/// their settings is in some row. The first row has every rule on, the second
/// none. Found by a greedy search outside; covers_triples() checks it.
#ifndef SNUG_TESTS_SUPPORT_RULE_ROWS_HPP
#define SNUG_TESTS_SUPPORT_RULE_ROWS_HPP

#include "snug/io/strategies.hpp"
#include "snug/model/options.hpp"
#include "support/random.hpp"
#include "support/tuned.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace snug {
namespace testing {

/// The default, then lists that use both branching rules and every letter.
inline constexpr std::array<std::string_view, 3> kStrategyLists = {"", "0TCA",
                                                                   "0ZLU,sWOC"};

struct Row {
  unsigned rules;          ///< bit k is kRuleNames[8 - k]: reads left to right
  std::size_t strategies;  ///< index into kStrategyLists
};

// clang-format off
inline constexpr std::array<Row, 20> kRows = {{
    {0b111111111, 0},
    {0b000000000, 1},
    {0b001100111, 2},
    {0b110011010, 2},
    {0b011110000, 0},
    {0b100101101, 1},
    {0b011001110, 1},
    {0b101010001, 2},
    {0b000010111, 0},
    {0b010101001, 2},
    {0b100100010, 0},
    {0b111110100, 1},
    {0b101001001, 0},
    {0b000111100, 2},
    {0b110010011, 1},
    {0b111000100, 2},
    {0b001111011, 1},
    {0b010001100, 0},
    {0b001001100, 2},
    {0b110110100, 2},
}};
// clang-format on

[[nodiscard]] constexpr bool is_on(const Row& row, std::size_t which) {
  return ((row.rules >> (kRuleNames.size() - 1 - which)) & 1U) != 0;
}

[[nodiscard]] inline Tuned options_of(const Row& row) {
  snug::testing::Tuned options;
  options.use(kStrategyLists[row.strategies]);
  for (std::size_t k = 0; k < kRuleNames.size(); ++k)
    options.own.rules.*kRuleNames[k].rule = is_on(row, k);
  return options;
}

/// Random switches, seed and strategy; `strategy` keeps the letters.
[[nodiscard]] inline Tuned random_options(Random& random,
                                          std::string& strategy) {
  snug::testing::Tuned options;
  for (const RuleName& one : kRuleNames)
    options.own.rules.*one.rule = random.chance(50);
  strategy = random.chance(50) ? "0" : "s";
  for (int letters = random.between(1, 3); letters > 0; --letters)
    strategy += "ACLOTUWZ"[random.below(8)];
  options.use(strategy);
  options.seed = random.next();
  return options;
}

[[nodiscard]] inline std::string describe(const Row& row) {
  std::string text = "strategies ";
  text += kStrategyLists[row.strategies];
  text += ", without:";
  for (std::size_t k = 0; k < kRuleNames.size(); ++k)
    if (!is_on(row, k)) text.append(1, ' ').append(kRuleNames[k].name);
  return text;
}

/// Whether any three factors take all combinations of their settings.
[[nodiscard]] constexpr bool covers_triples() {
  constexpr std::size_t kFactors = kRuleNames.size() + 1;
  constexpr std::size_t kMost = kStrategyLists.size();
  const auto settings = [](std::size_t factor) {
    return factor < kRuleNames.size() ? std::size_t{2} : kMost;
  };
  const auto setting = [](const Row& row, std::size_t factor) {
    if (factor == kRuleNames.size()) return row.strategies;
    return is_on(row, factor) ? std::size_t{1} : std::size_t{0};
  };
  for (std::size_t a = 0; a < kFactors; ++a)
    for (std::size_t b = a + 1; b < kFactors; ++b)
      for (std::size_t c = b + 1; c < kFactors; ++c) {
        bool seen[kMost * kMost * kMost] = {};
        std::size_t count = 0;
        for (const Row& row : kRows) {
          bool& mark =
              seen[(setting(row, a) * kMost + setting(row, b)) * kMost +
                   setting(row, c)];
          if (!mark) ++count;
          mark = true;
        }
        if (count != settings(a) * settings(b) * settings(c)) return false;
      }
  return true;
}

}  // namespace testing
}  // namespace snug

#endif  // SNUG_TESTS_SUPPORT_RULE_ROWS_HPP
