// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Strategies: which buffer is branched on.
///
/// A strategy is a rule and a *preorder*. All rules take a buffer of the
/// lowest release in the part: nobody can come to lie below it, so it is
/// eligible, and its release is its minimum offset. They differ in how ties
/// are broken:
///
///   0   by the preorder alone (the paper's dynamic order)
///   s   those first that span the most urgent section, then by the preorder.
///       A section is the more urgent the fewer ties span it and the larger
///       its failure weight is (weights.hpp): the least quotient counts. This
///       is dom/wdeg (Boussemart and others, ECAI 2004) with sections for
///       variables and the ties that span them for values.
///   w   those first that waste the least memory for their area, or up to half
///       more (plain/waste.hpp); of these as in s. Near the load, where room is short,
///       it finds placements in a half to a sixth of the nodes, which take half
///       as long again.
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

#include <algorithm>
#include <cstddef>
#include <string_view>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// What is used where Options::strategies names none. Where there is room, s is
/// enough, and its nodes are cheaper.
inline constexpr std::string_view kSolveStrategies =
    "sTCA,sTWA,sWAT,sZW,wTCA,wTWA,wWAT,wZW";
inline constexpr std::string_view kMinimizeStrategies = "wTCA,wTWA,wWAT,wZW";
/// Where w means s (constrained problems).
inline constexpr std::string_view kBodyStrategies = "sTCA,sTWA,sWAT,sZW";

/// The letters of a preorder, and what comes before it.
struct Strategy {
  static constexpr std::size_t kMaxLetters = 6;

  bool weighted = false;  ///< urgent sections
  bool frugal = false;    ///< little waste
  std::size_t letters = 0;
  char letter[kMaxLetters] = {};

  /// Reads "sTCA" and the like; false if it is none.
  [[nodiscard]] static bool parse(std::string_view text, Strategy& result) {
    if (text.size() < 2 || text.size() > 1 + kMaxLetters) return false;
    if (text[0] != '0' && text[0] != 's' && text[0] != 'w') return false;
    result.weighted = text[0] != '0';
    result.frugal = text[0] == 'w';
    result.letters = 0;
    for (const char c : text.substr(1)) {
      if (std::string_view("ACLOTUWZ").find(c) == std::string_view::npos)
        return false;
      result.letter[result.letters++] = c;
    }
    return true;
  }

  /// Writes its name, with a final zero.
  void write(char (&name)[8]) const noexcept {
    name[0] = frugal ? 'w' : weighted ? 's' : '0';
    for (std::size_t k = 0; k < letters; ++k) name[k + 1] = letter[k];
    name[letters + 1] = 0;
  }
};

/// The first few strategies of a comma-separated list, unknown ones left out.
struct Strategies {
  static constexpr std::size_t kMost = 16;

  explicit Strategies(std::string_view list) {
    while (!list.empty() && count < kMost) {
      const std::size_t comma = (std::min)(list.find(','), list.size());
      if (Strategy::parse(list.substr(0, comma), strategy[count])) ++count;
      list.remove_prefix((std::min)(comma + 1, list.size()));
    }
  }

  std::size_t count = 0;
  Strategy strategy[kMost];
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_ENGINE_STRATEGY_HPP
