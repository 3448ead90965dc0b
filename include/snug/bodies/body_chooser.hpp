// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which body is branched on, by the strategies of engine/strategy.hpp: their
/// criteria mean the same with cliques for sections and bodies for buffers, and
/// kFrugal means kUrgent.
///
/// The bodies to choose from are those with the lowest candidate. As a rule it
/// is the lowest release as well: then nobody can come to support them lower.
/// (Windows that let bodies support each other in a circle are the exception.)
#ifndef SNUG_BODIES_BODY_CHOOSER_HPP
#define SNUG_BODIES_BODY_CHOOSER_HPP

#include "snug/bodies/body_state.hpp"
#include "snug/bodies/cliques.hpp"
#include "snug/bodies/component.hpp"
#include "snug/config.hpp"
#include "snug/engine/bits.hpp"
#include "snug/engine/preorder.hpp"
#include "snug/model/tuning.hpp"
#include "snug/support/list.hpp"
#include "snug/support/memory.hpp"
#include "snug/support/product.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

SNUG_BEGIN_NAMESPACE
namespace detail {

class BodyChooser {
 public:
  BodyChooser(const Component& component, Memory& memory)
      : preorder_(component.size, most_total(component), memory),
        component_(&component),
        ties_(memory, component.size),
        counts_(memory.take<Index>(component.clique_count())) {}

  [[nodiscard]] Preorder& preorder() noexcept { return preorder_; }

  void use(const Strategy& strategy) {
    preorder_.use(strategy, [&](Criterion criterion, Index x) {
      return value(criterion, x);
    });
  }

  /// An unplaced body of `part` with a candidate, or nobody().
  [[nodiscard]] Index choose(const BodyState& state, const Word* part) {
    collect(state, part);
    if (ties_.empty()) return state.nobody();
    if (preorder_.strategy().branching != Branching::kAll && ties_.size() > 1)
      keep_most_urgent(state);
    return preorder_.first(ties_, [&](Index x) {
      std::int64_t most = 0;
      for (const Membership& of : component_->cliques[x])
        most = (std::max)(most, state.total[of.clique]);
      return most;
    });
  }

  /// The unplaced body of `part` with the lowest release.
  [[nodiscard]] static Index lowest_release(const BodyState& state,
                                            const Word* part) {
    Index lowest = state.nobody();
    for_each_in_both(part, state.unplaced, state.component->words(),
                     [&](Index x) {
                       if (lowest == state.nobody() ||
                           state.release[x] < state.release[lowest])
                         lowest = x;
                     });
    return lowest;
  }

 private:
  /// The bytes of the fullest clique.
  [[nodiscard]] static std::int64_t most_total(const Component& component) {
    std::int64_t most = 0;
    for (Index c = 0; c < component.clique_count(); ++c) {
      std::int64_t total = 0;
      for (const Job& job : component.jobs[c])
        if (job.body != Job::kFixed) total += job.length;
      most = (std::max)(most, total);
    }
    return most;
  }

  /// Lists the bodies with the lowest candidate.
  void collect(const BodyState& state, const Word* part) {
    std::int64_t lowest = BodyState::kNever;
    ties_.shrink(0);
    for (Index w = 0; w < state.component->words(); ++w)
      for (Word word = part[w] & state.unplaced[w]; word != 0;
           word &= word - 1) {
        const Index x = w * 64 + lowest_bit(word);
        // No offset is below the release.
        if (state.release[x] > lowest) continue;
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
        for (const Membership& of : component.cliques[x]) visit(of.clique);
    };
    for_each([&](Index c) { ++counts_[c]; });
    Index urgent = component.clique_count();
    Quotient least{0, 1};
    for_each([&](Index c) {
      if (counts_[c] == 0) return;  // It was looked at before.
      const Quotient quotient{counts_[c], state.weight[c] + 1};
      counts_[c] = 0;
      if (urgent == component.clique_count() || quotient < least ||
          (c < urgent && !(least < quotient))) {
        urgent = c;
        least = quotient;
      }
    });
    if (urgent == component.clique_count()) return;
    const auto is_urgent = [&](const Membership& of) {
      return of.clique == urgent;
    };
    erase_if(ties_, [&](Index x) {
      return !any_that(component.cliques[x], is_urgent);
    });
  }

  [[nodiscard]] double value(Criterion criterion, Index x) const {
    const Component& component = *component_;
    const auto number = [](auto value) { return static_cast<double>(value); };
    switch (criterion) {
      case Criterion::kArea:
        return component.area[x];
      case Criterion::kSections:
        return number(component.cliques[x].size());
      case Criterion::kLower:
        return number(component.span[x].lower);
      case Criterion::kOverlaps:
        return number(component.relations[x].size());
      case Criterion::kUpper:
        return number(component.span[x].upper);
      case Criterion::kWidth:
        return component.width[x];
      default:
        return number(component.extent[x]);
    }
  }

  Preorder preorder_;
  const Component* component_;
  Stack<Index> ties_;
  Index* counts_;  ///< ties in each clique; 0 between calls
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_BODIES_BODY_CHOOSER_HPP
