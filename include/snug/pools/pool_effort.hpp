// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How much of its effort each part of pool_search.hpp gets, and what is too much.
#ifndef SNUG_POOLS_POOL_EFFORT_HPP
#define SNUG_POOLS_POOL_EFFORT_HPP

#include "snug/config.hpp"

#include <cstddef>
#include <cstdint>

SNUG_BEGIN_NAMESPACE
namespace detail {

struct PoolEffort {
  // Items: too many for a dive in each order to come first; for walks and beams.
  static constexpr std::size_t kManyItems = std::size_t{1} << 12;
  static constexpr std::size_t kMostItems = std::size_t{1} << 16;
  // The start makes many solves, so each has only one such part of the nodes that a
  // try has: before the turns, in each turn, and where items are many.
  static constexpr std::int64_t kTryForStart = 64;
  static constexpr std::int64_t kTryForTurn = 8;
  static constexpr std::int64_t kTryForMany = 1024;
  // What the first turn gets, so that no part of it takes all the time: steps of
  // the walk, states in a layer of the beam, multiplications of a program and of a
  // tree.
  static constexpr std::int64_t kStepsForTurn = 256;
  static constexpr std::int64_t kWidthForTurn = 32;
  static constexpr std::int64_t kWorkForTurn = std::int64_t{1} << 24;
  static constexpr std::int64_t kWorkForTree = std::int64_t{1} << 22;
  // How many of these count as a node, as they take about as long.
  static constexpr std::int64_t kStepsForNode = 8;
  static constexpr std::int64_t kStatesForNode = 16;
  static constexpr std::int64_t kWorkForNode = 1024;
  /// A tree with so many nodes may come to an end with some more work.
  static constexpr std::size_t kManyNodes = 256;
  /// For all divisions of a beam, or of a tree.
  static constexpr std::int64_t kTriesForAll = 4;
  static constexpr std::size_t kMostStates = std::size_t{1} << 24;  ///< 512 MiB
  /// How much longer to walk where a walk with room left free was placed.
  static constexpr std::int64_t kWalksForLoose = 32;
  /// The least room to leave free is one part of so many.
  static constexpr std::int64_t kLeastSlack = 128;
  /// 256 times the root of 1 / 2: two steps double the room to leave free.
  static constexpr std::int64_t kLooserBy256 = 181;
  /// How many turns may come to nothing one after the other: as each is twice as long
  /// as the one before, four of them are fifteen times as long as the first.
  static constexpr int kPatience = 4;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_POOLS_POOL_EFFORT_HPP
