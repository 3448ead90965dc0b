// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a Tuning has as text, for the flags of programs: names of rules, and
/// strategies such as "sTCA,wTWA".
#ifndef SNUG_IO_STRATEGIES_HPP
#define SNUG_IO_STRATEGIES_HPP

#include "snug/config.hpp"
#include "snug/engine/strategy.hpp"
#include "snug/model/tuning.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

SNUG_BEGIN_NAMESPACE

struct RuleName {
  const char* name;
  bool Rules::*rule;
};

/// Every rule, in the order of Rules.
inline constexpr std::array<RuleName, 9> kRuleNames = {{
    {"section_inference", &Rules::section_inference},
    {"no_hurt_placement", &Rules::no_hurt_placement},
    {"abandoned_slot", &Rules::abandoned_slot},
    {"twins", &Rules::twins},
    {"failed_states", &Rules::failed_states},
    {"conflict_sets", &Rules::conflict_sets},
    {"decomposition", &Rules::decomposition},
    {"failure_weights", &Rules::failure_weights},
    {"restarts", &Rules::restarts},
}};
static_assert(sizeof(Rules) == kRuleNames.size() * sizeof(bool),
              "a rule was added or removed: list it here");

/// Appends the strategies of a comma-separated list to `strategies`. Each is a
/// branching rule (`0`, `s` or `w`) and one to six letters of a preorder, as
/// engine/strategy.hpp explains them. Returns the first item that is none, a
/// part of `list`, and nothing if all are; what stands between two commas may
/// be empty.
[[nodiscard]] inline std::string_view read_strategies(
    std::string_view list, std::vector<Strategy>& strategies) {
  while (!list.empty()) {
    const std::string_view item = list.substr(0, list.find(','));
    list.remove_prefix((std::min)(item.size() + 1, list.size()));
    if (item.empty()) continue;
    Strategy strategy;
    const std::size_t branching = detail::kBranchingLetters.find(item[0]);
    if (branching == std::string_view::npos || item.size() < 2 ||
        item.size() > 1 + Strategy::kMostCriteria)
      return item;
    strategy.branching = static_cast<Branching>(branching);
    for (std::size_t k = 1; k < item.size(); ++k) {
      const std::size_t letter = detail::kCriterionLetters.find(item[k]);
      if (letter == std::string_view::npos) return item;
      strategy.preorder[k - 1] = static_cast<Criterion>(letter + 1);
    }
    strategies.push_back(strategy);
  }
  return {};
}

SNUG_END_NAMESPACE

#endif  // SNUG_IO_STRATEGIES_HPP
