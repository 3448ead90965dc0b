// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Releases of bodies: how low each may still end up.
///
/// In a settled solution no body can move down by a step of its grid. So it
/// sits at the lower end of a range of its domain, or elsewhere in a range, on
/// a body y that is not placed yet: then at Y + rest or above (relations.hpp),
/// and Y >= release[y]. A range that is not open has its lower end to offer. So
///
///     release[x] = the lowest offset of x's domain that is the lower end of a
///                  range that is not open, or, in an open range, above its
///                  lower end and at least
///                      v = min over unplaced y of release[y] + rest(x, y).
///
/// If a body's first range is not open its release is there. The others hold
/// each other up; where all rests are positive the values become final in
/// ascending order, as those of shortest paths. A rest that is not positive
/// (windows that reach below the offset of what they lie on) is taken to offer
/// any offset, which only makes releases lower.
///
/// Cost: the relations of the skipped bodies, plus their number squared.
#ifndef SNUG_BODIES_BODY_RELEASES_HPP
#define SNUG_BODIES_BODY_RELEASES_HPP

#include "snug/bodies/body_state.hpp"
#include "snug/config.hpp"
#include "snug/engine/bits.hpp"
#include "snug/support/memory.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

SNUG_BEGIN_NAMESPACE
namespace detail {

class BodyReleases {
 public:
  static constexpr std::int64_t kNever = BodyState::kNever;

  BodyReleases(const Component& component, Memory& memory)
      : open_(memory, component.size),
        place_of_(memory.take<Index>(component.size, component.size)) {}

  /// Brings the releases of the unplaced bodies of `part` up to date. Returns
  /// a body that nothing can hold up, or nobody().
  [[nodiscard]] Index update(BodyState& state, const Word* part) {
    open_.shrink(0);
    for_each_in_both(part, state.skipped, state.component->words(),
                     [&](Index x) {
                       if (!state.is_unplaced(x)) return;
                       place_of_[x] = static_cast<Index>(open_.size());
                       open_.push({x, kNever, state.candidate(x)});
                     });
    for (Open& open : open_) support(state, open);
    const Index result = settle(state);
    for (const Open& open : open_) place_of_[open.body] = state.nobody();
    return result;
  }

  /// The lowest offset of x given that unplaced bodies support it at
  /// `support` or above.
  [[nodiscard]] static std::int64_t lowest(const BodyState& state, Index x,
                                           std::int64_t support) {
    const Steps& steps = state.component->steps[x];
    for (const Range* range = state.begin(x); range != state.end(x); ++range) {
      if (!range->open) return range->lower;
      if (support > range->upper || range->lower == range->upper) continue;
      const std::int64_t value =
          steps.up((std::max)(support, range->lower + steps.step));
      if (value <= range->upper) return value;
    }
    return kNever;
  }

 private:
  struct Open {
    Index body;
    std::int64_t support;
    std::int64_t value;
  };

  /// The support that bodies which are not open give.
  void support(const BodyState& state, Open& open) const {
    state.for_each_relation(open.body, [&](const Relation& relation) {
      if (relation.rest <= 0) {
        open.support = -kFar;
      } else if (place_of_[relation.body] == state.nobody()) {
        rest_on(open, relation.rest, state.release[relation.body]);
      }
    });
    open.value = lowest(state, open.body, open.support);
  }

  static void rest_on(Open& open, std::int64_t rest, std::int64_t release) {
    if (release >= kNever || rest >= kFar) return;
    open.support = (std::min)(open.support, release + rest);
  }

  [[nodiscard]] Index settle(BodyState& state) {
    for (std::size_t done = 0; done < open_.size(); ++done) {
      std::size_t lowest_open = done;
      for (std::size_t k = done + 1; k < open_.size(); ++k)
        if (open_[k].value < open_[lowest_open].value) lowest_open = k;
      swap(done, lowest_open);
      const Open settled = open_[done];
      if (settled.value >= kNever) return settled.body;
      state.set_release(settled.body, settled.value);
      state.for_each_relation(settled.body, [&](const Relation& relation) {
        const std::size_t k = place_of_[relation.body];
        if (k == state.nobody() || k <= done) return;
        Open& other = open_[k];
        const std::int64_t before = other.support;
        // The rest of the relation the other way round.
        const std::int64_t rest =
            state.component->forbidden[relation.forbidden_begin].upper;
        rest_on(other, rest, settled.value);
        if (other.support < before)
          other.value = lowest(state, other.body, other.support);
      });
    }
    return state.nobody();
  }

  void swap(std::size_t a, std::size_t b) {
    std::swap(open_[a], open_[b]);
    place_of_[open_[a].body] = static_cast<Index>(a);
    place_of_[open_[b].body] = static_cast<Index>(b);
  }

  Stack<Open> open_;
  Index* place_of_;  ///< in open_, nobody() outside of an update
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_BODIES_BODY_RELEASES_HPP
