// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Random walks through the states of the search for bodies, to test its parts
/// on, and all placements of a small component, to test its conclusions on.
///
/// A move places a body at its candidate or skips it, most often one of the
/// lowest candidate, as the search does. The test draws the conclusions and
/// says whether the state still stands; a refuted move is taken back, and some
/// others are too.
#ifndef SNUG_TESTS_SUPPORT_BODY_WALKER_HPP
#define SNUG_TESTS_SUPPORT_BODY_WALKER_HPP

#include "snug/bodies/bodies.hpp"
#include "snug/bodies/body_builder.hpp"
#include "snug/bodies/body_dominance.hpp"
#include "snug/bodies/body_model.hpp"
#include "snug/bodies/body_releases.hpp"
#include "snug/bodies/body_state.hpp"
#include "snug/bodies/clique_bound.hpp"
#include "snug/bodies/component.hpp"
#include "snug/model/problem.hpp"
#include "snug/support/memory.hpp"
#include "support/generators.hpp"
#include "support/random.hpp"
#include "support/walker.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace snug {
namespace testing {

/// A random problem of at most `most` buffers, or five if that is more, with
/// one to three kinds of constraints.
[[nodiscard]] inline Problem<> draw_constrained(std::uint64_t seed,
                                                std::size_t most) {
  Problem<> problem = draw_problem(seed, most);
  Random random(seed + 1000003);
  for (int k = random.between(1, 3); k > 0; --k)
    add_constraint(problem,
                   static_cast<Constraint>(random.between(0, kConstraints - 1)),
                   random);
  return problem;
}

[[nodiscard]] inline detail::Bodies bodies_of(const Problem<>& problem) {
  return detail::BodyBuilder(snug::detail::flatten(problem)).build();
}
[[nodiscard]] inline std::vector<detail::Component> components_of(
    const detail::Bodies& bodies) {
  return detail::ComponentBuilder(bodies).build();
}

/// Puts bodies where `wanted` says, one after the other as far as their domains
/// let them, for good. kFar: anywhere. False if that leaves a body nowhere to
/// go; then the state is of no more use.
[[nodiscard]] inline bool settle(detail::BodyState& state,
                                 const std::vector<std::int64_t>& wanted) {
  for (Index x = 0; x < state.component->size; ++x) {
    const std::int64_t at = wanted[x];
    const auto holds = [&](const detail::Range& range) {
      return range.lower <= at && at <= range.upper;
    };
    if (at != detail::kFar && state.component->steps[x].up(at) == at &&
        std::any_of(state.begin(x), state.end(x), holds) &&
        state.place(x, at) != state.nobody())
      return false;
  }
  state.trail.shrink(0);
  return true;
}
/// The same of a model before its first run, which shows its state to readers.
[[nodiscard]] inline bool settle(detail::BodyModel& model,
                                 const std::vector<std::int64_t>& wanted) {
  return settle(const_cast<detail::BodyState&>(model.state()), wanted);
}

/// Whether x at `at_x` and y at `at_y` do not meet.
[[nodiscard]] inline bool may_be_at(const detail::Component& component, Index x,
                                    std::int64_t at_x, Index y,
                                    std::int64_t at_y) {
  for (const detail::Relation& relation : component.relations[x]) {
    if (relation.body != y) continue;
    for (Index k = relation.forbidden_begin; k < relation.forbidden_end; ++k) {
      const detail::Forbidden& forbidden = component.forbidden[k];
      if (forbidden.lower < at_y - at_x && at_y - at_x < forbidden.upper)
        return false;
    }
  }
  return true;
}

/// The offsets of a component's body with a top of at most `capacity`.
[[nodiscard]] inline std::vector<std::int64_t> allowed_offsets(
    const detail::Component& component, Index x, std::int64_t capacity) {
  std::vector<std::int64_t> result;
  for (const auto& range : component.ranges[x])
    for (std::int64_t at = range.lower;
         at <= range.upper && at <= capacity - component.extent[x];
         at += component.steps[x].step)
      result.push_back(at);
  return result;
}

/// The placements of a component, by trying everything.
class Placements {
 public:
  using Offsets = std::vector<std::int64_t>;

  Placements(const detail::Component& component, std::int64_t capacity)
      : component_(&component), now_(component.size, 0) {
    for (Index x = 0; x < component.size; ++x)
      allowed_.push_back(allowed_offsets(component, x, capacity));
    place(0);
  }

  [[nodiscard]] const std::vector<Offsets>& all() const { return all_; }

  /// Those in which no body could be lower with the others where they are.
  /// The ones of least sum are among them.
  [[nodiscard]] std::vector<Offsets> settled() const {
    std::vector<Offsets> result;
    for (const Offsets& offsets : all_)
      if (is_settled(offsets)) result.push_back(offsets);
    return result;
  }

  /// Those of least sum.
  [[nodiscard]] std::vector<Offsets> least() const {
    std::vector<Offsets> result;
    std::int64_t least = 0;
    for (const Offsets& offsets : all_) {
      std::int64_t sum = 0;
      for (const std::int64_t offset : offsets) sum += offset;
      if (result.empty() || sum < least) {
        least = sum;
        result.clear();
      }
      if (sum == least) result.push_back(offsets);
    }
    return result;
  }

 private:
  void place(Index x) {
    if (x == component_->size) {
      all_.push_back(now_);
      return;
    }
    for (const std::int64_t at : allowed_[x]) {
      bool fits = true;
      for (Index y = 0; y < x && fits; ++y)
        fits = may_be_at(*component_, x, at, y, now_[y]);
      if (!fits) continue;
      now_[x] = at;
      place(x + 1);
    }
  }

  [[nodiscard]] bool is_settled(const Offsets& offsets) const {
    for (Index x = 0; x < component_->size; ++x)
      for (const std::int64_t at : allowed_[x]) {
        if (at >= offsets[x]) break;
        bool fits = true;
        for (Index y = 0; y < component_->size && fits; ++y)
          fits = may_be_at(*component_, x, at, y, offsets[y]);
        if (fits) return false;
      }
    return true;
  }

  const detail::Component* component_;
  std::vector<Offsets> allowed_;
  Offsets now_;
  std::vector<Offsets> all_;
};

/// A component in the hands of a test.
class BodyWalker {
 public:
  using State = detail::BodyState;

  /// The component must outlive it.
  BodyWalker(const detail::Component& component_, std::int64_t capacity)
      : component(component_),
        state(component, capacity, memory),
        releases(component, memory),
        bound(component, memory),
        dominance(component, memory),
        all_(component.words(), 0) {
    detail::set_range(all_.data(), 0, component.size);
  }

  /// As the search begins: false if it is refuted at once.
  [[nodiscard]] bool begin() {
    for (Index x = 0; x < component.size; ++x)
      if (state.begin(x) == state.end(x)) return false;
    if (narrows && state.narrow_all() != state.nobody()) return false;
    const bool fits = bound.check_all(state).excess == 0;
    state.trail.shrink(0);
    return fits;
  }

  struct Move {
    std::size_t mark;  ///< of the trail, before it
    Index body;
    bool placed;  ///< else skipped
    bool stuck;   ///< somebody has nowhere to go
  };

  /// The set of all bodies.
  [[nodiscard]] const detail::Word* all() const { return all_.data(); }

  [[nodiscard]] std::vector<Index> unplaced() const {
    std::vector<Index> result;
    for (Index x = 0; x < component.size; ++x)
      if (state.is_unplaced(x)) result.push_back(x);
    return result;
  }

  /// Unplaced bodies that have a candidate.
  [[nodiscard]] std::vector<Index> candidates() const {
    std::vector<Index> result;
    for (const Index x : unplaced())
      if (state.candidate(x) != State::kNever) result.push_back(x);
    return result;
  }

  /// Makes a random move, without its conclusions.
  [[nodiscard]] Move move(Random& random) {
    std::vector<Index> choice = candidates();
    if (random.chance(70)) {
      std::int64_t lowest = State::kNever;
      for (const Index x : choice)
        lowest = (std::min)(lowest, state.candidate(x));
      choice.erase(
          std::remove_if(choice.begin(), choice.end(),
                         [&](Index x) { return state.candidate(x) > lowest; }),
          choice.end());
    }
    const Index x = choice[random.between(std::size_t{0}, choice.size() - 1)];
    Move result{state.trail.size(), x, random.chance(place_percent), false};
    if (result.placed) {
      result.stuck = state.place(x, state.candidate(x)) != state.nobody() ||
                     (narrows && state.narrow(result.mark) != state.nobody());
    } else {
      state.skip(x);
    }
    return result;
  }

  /// The conclusions that the search draws, but for dominance.
  [[nodiscard]] bool propagate(const Move& move) {
    return !move.stuck && releases.update(state, all()) == state.nobody() &&
           bound.check(state, move.mark).excess == 0;
  }

  /// Makes `steps` moves and undos. `conclude(move)` must leave the releases
  /// and spares up to date, or return false: then the move is taken back.
  template <class Conclude>
  void walk(Random& random, int steps, Conclude&& conclude) {
    walk_along(*this, random, steps, conclude);
  }

  /// Whether the state leaves a placement possible: placed bodies where they
  /// are, the others in their domains and at the lower end of no open range.
  [[nodiscard]] bool admits(const Placements::Offsets& offsets) const {
    for (Index x = 0; x < component.size; ++x) {
      if (!state.is_unplaced(x)) {
        if (offsets[x] != state.offset[x]) return false;
      } else if (!in_domain(x, offsets[x]) || at_open_end(x, offsets[x])) {
        return false;
      }
    }
    return true;
  }
  [[nodiscard]] bool in_domain(Index x, std::int64_t at) const {
    return std::any_of(state.begin(x), state.end(x),
                       [&](const detail::Range& range) {
                         return range.lower <= at && at <= range.upper;
                       });
  }
  [[nodiscard]] bool at_open_end(Index x, std::int64_t at) const {
    return std::any_of(state.begin(x), state.end(x),
                       [&](const detail::Range& range) {
                         return range.open && range.lower == at;
                       });
  }

  const detail::Component& component;
  detail::Memory memory;
  State state;
  detail::BodyReleases releases;
  detail::CliqueBound bound;
  detail::BodyDominance dominance;
  int place_percent = 50;  ///< how many moves place; the others skip
  bool narrows = true;     ///< placements take more than their own bytes

 private:
  std::vector<detail::Word> all_;
};

/// What the sizes of a component alone need, and at least 1.
[[nodiscard]] inline std::int64_t least_capacity(
    const detail::Component& component) {
  std::int64_t least = 1;
  for (Index x = 0; x < component.size; ++x) {
    const auto domain = component.ranges[x];
    if (!domain.empty())
      least = (std::max)(least, domain[0].lower + component.extent[x]);
  }
  for (Index c = 0; c < component.clique_count(); ++c) {
    std::int64_t sum = 0;
    for (const auto& job : component.jobs[c])
      if (job.body != detail::Job::kFixed) sum += job.length;
    least = (std::max)(least, sum);
  }
  return least;
}

/// Calls visit(walker, random) with walkers through the components of two
/// bodies or more of the problems of `seeds` seeds.
template <class Visit>
void for_each_body_walker(std::uint64_t seeds, std::size_t most,
                          Visit&& visit) {
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const Problem<> problem = draw_constrained(seed, most);
    const detail::Bodies bodies = bodies_of(problem);
    Random random(seed);
    for (const detail::Component& component : components_of(bodies)) {
      if (component.size < 2) continue;
      BodyWalker walker(component,
                        least_capacity(component) + random.between(0, 3));
      walker.place_percent = random.between(10, 75);
      if (walker.begin()) visit(walker, random);
    }
  }
}

}  // namespace testing
}  // namespace snug

#endif  // SNUG_TESTS_SUPPORT_BODY_WALKER_HPP
