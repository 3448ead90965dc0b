// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Options that bring the tuning they point to.
#ifndef SNUG_TESTS_SUPPORT_TUNED_HPP
#define SNUG_TESTS_SUPPORT_TUNED_HPP

#include "snug/io/strategies.hpp"
#include "snug/model/options.hpp"
#include "snug/model/tuning.hpp"
#include "support/catch.hpp"

#include <string_view>
#include <vector>

namespace snug {
namespace testing {

[[nodiscard]] inline std::vector<Strategy> strategies_named(
    std::string_view list) {
  std::vector<Strategy> result;
  REQUIRE(read_strategies(list, result).empty());
  return result;
}
[[nodiscard]] inline Strategy strategy_named(std::string_view name) {
  const std::vector<Strategy> result = strategies_named(name);
  REQUIRE(result.size() == 1);
  return result[0];
}

struct Tuned : Options {
  Tuned() { tuning = &own; }
  Tuned(const Tuned& other) : Options(other), own(other.own) { tuning = &own; }
  Tuned& operator=(const Tuned& other) {
    Options::operator=(other);
    own = other.own;
    tuning = &own;
    return *this;
  }

  void use(std::string_view list) { own.strategies = strategies_named(list); }

  Tuning own;
};

}  // namespace testing
}  // namespace snug

#endif  // SNUG_TESTS_SUPPORT_TUNED_HPP
