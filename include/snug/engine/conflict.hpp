// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Conflicts: why a node of the tree search failed, in terms that outlive it.
///
/// A conflict is two sets of items, members K and skips F. What it says exactly
/// is the model's (plain/explainer.hpp, bodies/body_explainer.hpp); always that
/// it refutes every state in which the members are placed, or restricted, as
/// they were where it was found, and the items of F are skipped, whatever else
/// has been placed. What follows from that is in engine/tree_search.hpp.
///
/// Cost: joining is n / 32 words.
#ifndef SNUG_ENGINE_CONFLICT_HPP
#define SNUG_ENGINE_CONFLICT_HPP

#include "snug/config.hpp"
#include "snug/engine/bits.hpp"

#include <algorithm>
#include <cstddef>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// A conflict: `members` and `skips`, two sets of items side by side.
class Conflict {
 public:
  Conflict(Word* words, Index count) noexcept : words_(words), count_(count) {}

  [[nodiscard]] Word* members() const noexcept { return words_; }
  [[nodiscard]] Word* skips() const noexcept { return words_ + count_; }
  [[nodiscard]] Index words() const noexcept { return count_; }
  /// Words of both sets.
  [[nodiscard]] std::size_t size() const noexcept {
    return 2 * std::size_t{count_};
  }

  void clear() const noexcept { std::fill(words_, words_ + size(), 0); }
  /// Makes it rest on every one of `items` items.
  void fill(Index items) const noexcept {
    set_range(members(), 0, items);
    set_range(skips(), 0, items);
  }
  void assign(const Conflict& other) const noexcept {
    std::copy(other.words_, other.words_ + size(), words_);
  }
  void join(const Conflict& other) const noexcept {
    for (std::size_t w = 0; w < size(); ++w) words_[w] |= other.words_[w];
  }

 private:
  Word* words_;
  Index count_;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_ENGINE_CONFLICT_HPP
