// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Strategies: which buffer is branched on.
///
/// A strategy is a rule and a *preorder*. All rules take a buffer of the
/// lowest release in the part: nobody can come to lie below it, so it is
/// eligible, and its release is its minimum offset. They differ in how ties
/// are broken:
///
///   0   by the preorder alone (MiniMalloc's dynamic order)
///   s   those first that span the most urgent section, then by the preorder.
///       The most urgent section has the least quotient of the number of ties
///       that span it and its failure weight (plain/weights.hpp). This is
///       dom/wdeg (Boussemart and others, ECAI 2004) with sections for
///       variables and the ties that span them for values.
///   w   those first that waste the least memory for their area, or up to half
///       more (plain/waste.hpp); of these as in s. Near the load, where room is
///       short, it finds placements in a half to a sixth of the nodes, which take
///       half as long again.
///
/// The preorder compares by its letters in turn, larger first, then by index:
///
///   A  area: lifespan times size          T  total of the fullest section it
///   C  number of sections it spans           spans (unplaced sizes, as of now)
///   L  lower end of its lifespan, later   U  upper end, later first
///      first                              W  width: lifespan
///   O  number of overlapping buffers      Z  size
#ifndef SNUG_ENGINE_STRATEGY_HPP
#define SNUG_ENGINE_STRATEGY_HPP

#include "snug/config.hpp"
#include "snug/model/tuning.hpp"

#include <cstddef>
#include <string_view>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// Their letters, in the order of the enumerators (kNone has none).
inline constexpr std::string_view kBranchingLetters = "0sw";
inline constexpr std::string_view kCriterionLetters = "ACLOTUWZ";

/// How many criteria a strategy has.
[[nodiscard]] constexpr std::size_t criteria_of(
    const Strategy& strategy) noexcept {
  std::size_t count = 0;
  while (count < Strategy::kMostCriteria &&
         strategy.preorder[count] != Criterion::kNone)
    ++count;
  return count;
}

/// Writes the name of a strategy, with a final zero.
inline void write_name(const Strategy& strategy, char (&name)[8]) noexcept {
  const auto letter = [](std::string_view letters, std::size_t k) {
    return k < letters.size() ? letters[k] : '?';
  };
  name[0] =
      letter(kBranchingLetters, static_cast<std::size_t>(strategy.branching));
  const std::size_t count = criteria_of(strategy);
  for (std::size_t k = 0; k < count; ++k)
    name[k + 1] = letter(kCriterionLetters,
                         static_cast<std::size_t>(strategy.preorder[k]) - 1);
  name[count + 1] = 0;
}

/// Some strategies in a row.
struct Strategies {
  static constexpr std::size_t kMost = 16;

  const Strategy* strategy = nullptr;
  std::size_t count = 0;
  std::size_t once = 0;  ///< the first ones are not used a second time
};

/// The strategies that are used where Tuning names none. Where there is room, urgency
/// is enough, and its nodes are cheaper; who is not done by then has little.
inline constexpr Strategy kUsual[] = {
    {Branching::kUrgent,
     {Criterion::kTotal, Criterion::kSections, Criterion::kArea}},
    {Branching::kUrgent,
     {Criterion::kTotal, Criterion::kWidth, Criterion::kArea}},
    {Branching::kUrgent,
     {Criterion::kWidth, Criterion::kArea, Criterion::kTotal}},
    {Branching::kUrgent, {Criterion::kSize, Criterion::kWidth}},
    {Branching::kFrugal,
     {Criterion::kTotal, Criterion::kSections, Criterion::kArea}},
    {Branching::kFrugal,
     {Criterion::kTotal, Criterion::kWidth, Criterion::kArea}},
    {Branching::kFrugal,
     {Criterion::kWidth, Criterion::kArea, Criterion::kTotal}},
    {Branching::kFrugal, {Criterion::kSize, Criterion::kWidth}}};
inline constexpr Strategies kPlainStrategies{kUsual, 8, 4};
/// With pairs and obstacles, in whose way urgency finds as much.
inline constexpr Strategies kPairStrategies{kUsual, 8};
/// Where kFrugal means kUrgent (constrained problems).
inline constexpr Strategies kBodyStrategies{kUsual, 4};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_ENGINE_STRATEGY_HPP
