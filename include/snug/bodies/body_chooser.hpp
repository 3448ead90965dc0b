// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which body is branched on, by the strategies of plain/chooser.hpp: their
/// letters mean the same with cliques for sections and bodies for buffers, and
/// w means s.
///
/// The bodies to choose from are those with the lowest candidate. As a rule it
/// is the lowest release as well: then nobody can come to support them lower.
/// (Windows that let bodies support each other in a circle are the exception.)
#ifndef SNUG_BODIES_BODY_CHOOSER_HPP
#define SNUG_BODIES_BODY_CHOOSER_HPP

#include "snug/bodies/body_state.hpp"
#include "snug/config.hpp"
#include "snug/engine/bits.hpp"
#include "snug/plain/chooser.hpp"
#include "snug/support/memory.hpp"
#include "snug/support/random.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

SNUG_BEGIN_NAMESPACE
namespace detail {

class BodyChooser {
 public:
  BodyChooser(const Component& component, Memory& memory)
      : ties_(memory, component.size),
        counts_(memory.take<Index>(component.clique_count())),
        noise_(memory.take(component.size, 1.0)) {}

  /// Undoes shake().
  void calm(const Component& component) {
    std::fill(noise_, noise_ + component.size, 1.0);
  }
  void shake(const Component& component, Random& random, double amount) {
    for (Index x = 0; x < component.size; ++x)
      noise_[x] = 1.0 + amount * (2.0 * random.unit() - 1.0);
  }
  void use(const Strategy& strategy) { strategy_ = strategy; }

  /// An unplaced body of `part` with a candidate, or nobody().
  [[nodiscard]] Index choose(const BodyState& state, const Word* part) {
    collect(state, part);
    if (ties_.empty()) return state.nobody();
    if (strategy_.weighted && ties_.size() > 1) keep_most_urgent(state);
    Index best = ties_[0];
    for (std::size_t k = 1; k < ties_.size(); ++k)
      if (before(state, ties_[k], best)) best = ties_[k];
    return best;
  }

  /// The unplaced body of `part` with the lowest release.
  [[nodiscard]] static Index lowest_release(const BodyState& state,
                                            const Word* part) {
    Index lowest = state.nobody();
    for_each_in_both(part, state.unplaced, 0, state.component->words(),
                     [&](Index x) {
                       if (lowest == state.nobody() ||
                           state.release[x] < state.release[lowest])
                         lowest = x;
                     });
    return lowest;
  }

 private:
  /// Lists the bodies with the lowest candidate.
  void collect(const BodyState& state, const Word* part) {
    std::int64_t lowest = BodyState::kNever;
    ties_.shrink(0);
    for (Index w = 0; w < state.component->words(); ++w)
      for (Word word = part[w] & state.unplaced[w]; word != 0;
           word &= word - 1) {
        const Index x = w * 64 + lowest_bit(word);
        const std::int64_t candidate = state.candidate(x);
        if (candidate >= BodyState::kNever || candidate > lowest) continue;
        if (candidate < lowest) ties_.shrink(0);
        lowest = candidate;
        ties_.push(x);
      }
  }

  /// Keeps the ties in the clique with the fewest of them for its weight.
  void keep_most_urgent(const BodyState& state) {
    const Component& component = *state.component;
    const auto for_each = [&](auto&& visit) {
      for (const Index x : ties_)
        for (const Membership* of = component.begin(x); of != component.end(x);
             ++of)
          visit(of->clique);
    };
    for_each([&](Index c) { ++counts_[c]; });
    Index urgent = component.clique_count();
    double least = 0;
    for_each([&](Index c) {
      const double quotient = static_cast<double>(counts_[c]) /
                              static_cast<double>(state.weight[c] + 1);
      if (urgent == component.clique_count() || quotient < least ||
          (quotient == least && c < urgent)) {
        urgent = c;
        least = quotient;
      }
    });
    for_each([&](Index c) { counts_[c] = 0; });
    if (urgent == component.clique_count()) return;
    std::size_t kept = 0;
    for (const Index x : ties_) {
      const bool in_it = std::any_of(
          component.begin(x), component.end(x),
          [&](const Membership& of) { return of.clique == urgent; });
      if (in_it) ties_[kept++] = x;
    }
    ties_.shrink(kept);
  }

  [[nodiscard]] double key(const BodyState& state, char letter, Index x) const {
    const Component& component = *state.component;
    const auto number = [](auto value) { return static_cast<double>(value); };
    switch (letter) {
      case 'A':
        return component.area[x];
      case 'C':
        return number(component.cliques_begin[x + 1] -
                      component.cliques_begin[x]);
      case 'L':
        return number(component.span[x].lower);
      case 'O':
        return number(component.relations_begin[x + 1] -
                      component.relations_begin[x]);
      case 'U':
        return number(component.span[x].upper);
      case 'W':
        return component.width[x];
      case 'Z':
        return number(component.extent[x]);
      default: {
        std::int64_t most = 0;
        for (const Membership* of = component.begin(x); of != component.end(x);
             ++of)
          most = (std::max)(most, state.total[of->clique]);
        return number(most);
      }
    }
  }

  [[nodiscard]] bool before(const BodyState& state, Index x, Index y) const {
    for (std::size_t k = 0; k < strategy_.letters; ++k) {
      const double a = noise_[x] * key(state, strategy_.letter[k], x);
      const double b = noise_[y] * key(state, strategy_.letter[k], y);
      if (a != b) return a > b;
    }
    return x < y;
  }

  Strategy strategy_{};
  Stack<Index> ties_;
  Index* counts_;  ///< ties in each clique; 0 between calls
  double* noise_;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_BODIES_BODY_CHOOSER_HPP
