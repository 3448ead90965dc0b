// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Parts: sets of unplaced bodies without a relation to one outside. A placement
/// of the whole is a placement of each part, and the failure of one part fails
/// the node above; see plain/part.hpp.
///
/// Parts are kept on a stack, with their sets on another.
///
/// Cost: for each body that is reached, the words of bodies that it is linked to; as a
/// rule the first few reach all that are asked for. A bit for each two bodies.
#ifndef SNUG_BODIES_BODY_PARTS_HPP
#define SNUG_BODIES_BODY_PARTS_HPP

#include "snug/bodies/body_state.hpp"
#include "snug/bodies/component.hpp"
#include "snug/config.hpp"
#include "snug/engine/bits.hpp"
#include "snug/engine/state_key.hpp"
#include "snug/support/memory.hpp"
#include "snug/support/sort.hpp"

#include <algorithm>
#include <cstddef>

SNUG_BEGIN_NAMESPACE
namespace detail {

struct BodyPart {
  std::size_t words = 0;   ///< where its set begins
  Index unplaced = 0;      ///< how many bodies it has
  Key key{};               ///< of their state
  bool is_linked = false;  ///< it is known to be no more than one part
};

class BodyParts {
 public:
  /// How many parts there are, and how many words of sets.
  struct Mark {
    std::size_t parts = 0;
    std::size_t words = 0;
  };

  BodyParts(const Component& component, Memory& memory)
      : words_(component.words()),
        parts_(memory, std::size_t{component.size} + 1),
        sets_(memory, words_ * (std::size_t{component.size} + 1)),
        linked_(memory.take<Word>(std::size_t{words_} * component.size)),
        reached_(memory.take<Word>(words_)),
        waiting_(memory.take<Word>(words_)),
        all_(memory.take(words_, ~Word{0})) {
    for (Index x = 0; x < component.size; ++x)
      for (const Relation& relation : component.relations[x])
        set_bit(linked_ + std::size_t{words_} * x, relation.body);
  }

  [[nodiscard]] std::size_t size() const noexcept { return parts_.size(); }
  [[nodiscard]] const BodyPart& operator[](std::size_t k) const noexcept {
    return parts_[k];
  }
  [[nodiscard]] const Word* set_of(const BodyPart& part) const noexcept {
    return sets_.begin() + part.words;
  }
  [[nodiscard]] Mark mark() const noexcept {
    return {parts_.size(), sets_.size()};
  }
  void shrink(const Mark& mark) noexcept {
    parts_.shrink(mark.parts);
    sets_.shrink(mark.words);
  }

  /// Drops all parts, and returns that of all unplaced bodies, which is not on
  /// the stack itself.
  [[nodiscard]] BodyPart start(const BodyState& state) {
    shrink({});
    BodyPart part;
    Word* const set = sets_.extend(words_);
    std::copy(state.unplaced, state.unplaced + words_, set);
    add_up(state, set, part);
    return part;
  }

  /// Pushes the parts that `part` falls into, all but one of whose bodies,
  /// `placed`, are still unplaced; the fewest bodies first. `key` is that of all
  /// together.
  void split(const BodyState& state, const BodyPart& part, const Key& key,
             Index placed, bool decompose) {
    const std::size_t first = parts_.size();
    Index left = part.unplaced - 1;
    bool is_whole = !decompose;
    if (part.is_linked && decompose && left > 0) {
      // All are linked if those are that were linked to the placed one.
      reach_none(state, part);
      is_whole = reach(linked_ + std::size_t{words_} * placed);
    }
    reach_none(state, part);
    while (left > 0) {
      BodyPart next;
      next.words = sets_.size();
      next.is_linked = decompose;
      Word* const set = sets_.extend(words_);
      for (Index w = 0; w < words_; ++w) set[w] = ~reached_[w];
      const bool is_last = is_whole || reach(all_);
      if (parts_.size() == first && is_last) {
        next.unplaced = left;
        next.key = key;
      } else {
        for (Index w = 0; w < words_; ++w) set[w] &= reached_[w];
        add_up(state, set, next);
      }
      left -= next.unplaced;
      parts_.push(next);
    }
    insertion_sort(parts_.begin() + first, parts_.end(),
                   [](const BodyPart& a, const BodyPart& b) {
                     return a.unplaced < b.unplaced;
                   });
  }

 private:
  void add_up(const BodyState& state, const Word* set, BodyPart& part) const {
    for_each_in_both(set, state.unplaced, words_, [&](Index x) {
      ++part.unplaced;
      part.key += state.term(x);
    });
  }

  void reach_none(const BodyState& state, const BodyPart& part) {
    for (Index w = 0; w < words_; ++w)
      reached_[w] = ~(sets_[part.words + w] & state.unplaced[w]);
  }

  /// Reaches the first of `wanted`, of which one is left, and all that it is
  /// linked to, until all of them are reached. Returns whether they are.
  ///
  /// Upwards first: bodies are in order of time, and the wanted ones mostly near
  /// each other.
  [[nodiscard]] bool reach(const Word* wanted) {
    std::fill(waiting_, waiting_ + words_, Word{0});
    Index open = 0;
    while ((wanted[open] & ~reached_[open]) == 0) ++open;
    Index w = open;
    waiting_[w] = wanted[w] & ~reached_[w];
    waiting_[w] &= ~waiting_[w] + 1;
    reached_[w] |= waiting_[w];
    for (bool is_below = false;;) {
      while ((wanted[open] & ~reached_[open]) == 0)
        if (++open == words_) return true;
      while (waiting_[w] == 0) {
        if (++w < words_) continue;
        if (!is_below) return false;
        is_below = false;
        w = 0;
      }
      const Index x = w * 64 + lowest_bit(waiting_[w]);
      waiting_[w] &= waiting_[w] - 1;
      const Word* const linked = linked_ + std::size_t{words_} * x;
      for (Index v = 0; v < words_; ++v) {
        const Word added = linked[v] & ~reached_[v];
        reached_[v] |= added;
        waiting_[v] |= added;
        if (added != 0 && v < w) is_below = true;
      }
    }
  }

  Index words_;
  Stack<BodyPart> parts_;
  Stack<Word> sets_;
  Word* linked_;   ///< for each body, those it has relations to
  Word* reached_;  ///< bodies that are in a part already, or not at issue
  Word* waiting_;  ///< those reached last whose links were not followed yet
  Word* all_;      ///< whether they are there or not
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_BODIES_BODY_PARTS_HPP
