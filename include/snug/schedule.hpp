// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// make_problem(): from operators in execution order to a problem.
///
///     tensors, operators -- sizes --> bytes, places of parts
///                        -- liveness --> lifespans
///                        -- in_place --> aliases
///                        -- happens_before, separations --> apart, or
///                                                           penalties
///
/// Every tensor that an operator or a flag mentions becomes a buffer, in input
/// order. Parts become aliases of their parents, and outputs that may be
/// written in place aliases of the input. Of the in-place pairs of a schedule,
/// in order, each is taken that is legal given those taken before:
/// - The input is read by no later operator, and what it is a part of is not
///   either; it is no output of the schedule and does not live throughout. The
///   inputs of the schedule may be written over: let one that the host wants
///   back live throughout. Nor does the operator update input or output.
/// - No other tensor of those that so become tied loses bytes; on streams, all
///   users of the input have finished when the operator starts.
/// - Alignments hold with the tied tensors at offset 0.
///
/// Cost: that of its parts; with one stream O(k log k) for k operands, but for
/// in-place pairs.
#ifndef SNUG_SCHEDULE_HPP
#define SNUG_SCHEDULE_HPP

#include "snug/config.hpp"
#include "snug/model/check.hpp"
#include "snug/model/interval.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/reason.hpp"
#include "snug/schedule/happens_before.hpp"
#include "snug/schedule/in_place.hpp"
#include "snug/schedule/liveness.hpp"
#include "snug/schedule/operators.hpp"
#include "snug/schedule/sizes.hpp"
#include "snug/separations.hpp"
#include "snug/waits.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE

/// Operators[op].in_place[pair], and why it was not taken.
struct IgnoredInPlace {
  std::size_t op = 0;
  std::size_t pair = 0;
  InPlaceReason reason = InPlaceReason::kNone;
};

/// What make_problem() returns. With an error, all else is empty.
template <class Size = std::int64_t, class Time = std::int64_t>
struct [[nodiscard]] ScheduledProblem {
  Problem<Size, Time> problem{};
  /// For each tensor the index of its buffer; kNoIndex where it has none.
  std::vector<std::size_t> buffer_of{};
  std::vector<std::size_t> tensor_of{};   ///< for each buffer its tensor
  std::vector<IgnoredInPlace> ignored{};  ///< in-place pairs not legal
  /// For each buffer the operators that read or write it.
  std::vector<std::vector<std::size_t>> users{};
  std::vector<std::size_t> streams{};  ///< for each operator its stream
  /// Those of the schedule and, on several streams, those of the flow of data.
  std::vector<Dependency> dependencies{};
  ScheduleError error{};

  [[nodiscard]] bool ok() const noexcept { return error.ok(); }
};

namespace detail {

/// Sets what orders the operators. The user's dependencies come first, so that
/// a bad one keeps its index.
template <class Size, class Time>
void set_order(const Schedule& schedule, const Liveness& liveness,
               ScheduledProblem<Size, Time>& out) {
  out.streams.reserve(schedule.operators.size());
  for (const Operator& op : schedule.operators)
    out.streams.push_back(op.stream);
  out.dependencies = schedule.dependencies;
  // On one stream the flow of data orders nothing more.
  if (std::adjacent_find(out.streams.begin(), out.streams.end(),
                         [](std::size_t a, std::size_t b) { return a != b; }) ==
      out.streams.end())
    return;
  const std::vector<Dependency> flow = liveness.data_flow();
  out.dependencies.insert(out.dependencies.end(), flow.begin(), flow.end());
}

/// Makes a buffer of every tensor that is ever live.
template <class Size, class Time>
void make_buffers(const Schedule& schedule, const TensorSizes& sizes,
                  const Liveness& liveness, ScheduledProblem<Size, Time>& out) {
  out.buffer_of.assign(schedule.tensors.size(), kNoIndex);
  for (std::size_t x = 0; x < schedule.tensors.size(); ++x) {
    const Interval<std::size_t>& steps = liveness[x].steps;
    if (steps.empty()) continue;
    out.buffer_of[x] = out.tensor_of.size();
    out.tensor_of.push_back(x);
    out.users.push_back(liveness.users()[x]);
    Buffer<Size, Time>& buffer = out.problem.buffers.emplace_back();
    buffer.lifespan = {static_cast<Time>(steps.lower),
                       static_cast<Time>(steps.upper)};
    buffer.size = static_cast<Size>(sizes.sizes[x]);
    buffer.alignment = static_cast<Size>(schedule.tensors[x].alignment);
  }
}

/// Makes an alias of every part that has a buffer: of the nearest buffer that
/// it is a part of, or else of the first of its tree.
template <class Size, class Time>
void alias_parts(const Schedule& schedule, const TensorSizes& sizes,
                 ScheduledProblem<Size, Time>& out) {
  std::vector<std::size_t> anchors(schedule.tensors.size(), kNoIndex);
  std::vector<std::size_t> firsts = anchors;
  for (const std::size_t x : sizes.order) {
    const std::size_t parent = schedule.tensors[x].parent;
    std::size_t anchor = parent == kNoIndex ? kNoIndex : anchors[parent];
    if (anchor == kNoIndex) anchor = firsts[sizes.roots[x]];
    anchors[x] = anchor;
    if (out.buffer_of[x] == kNoIndex) continue;
    anchors[x] = x;
    if (anchor == kNoIndex)
      firsts[sizes.roots[x]] = x;
    else
      out.problem.aliases.push_back(
          {out.buffer_of[x], out.buffer_of[anchor],
           static_cast<Size>(sizes.places[x] - sizes.places[anchor])});
  }
}

/// Makes an alias of every output that is written in place.
template <class Size, class Time>
void alias_in_place(const Schedule& schedule, Families& families,
                    ScheduledProblem<Size, Time>& out) {
  for (std::size_t t = 0; t < schedule.operators.size(); ++t) {
    const Operator& op = schedule.operators[t];
    for (std::size_t k = 0; k < op.in_place.size(); ++k) {
      const std::size_t y = op.outputs[op.in_place[k].output];
      const std::size_t x = op.inputs[op.in_place[k].input];
      const InPlaceReason reason = families.tie(t, y, x);
      if (reason != InPlaceReason::kNone)
        out.ignored.push_back({t, k, reason});
      else if (x != y)
        out.problem.aliases.push_back({out.buffer_of[y], out.buffer_of[x], 0});
    }
  }
}

}  // namespace detail

/// The problem of giving every tensor of `schedule` its memory, with lifespans
/// in steps: operator t runs in step t. A schedule without operators has one
/// step, so that its tensors have lifespans.
///
/// Pairs of buffers that could share bytes if some operator of one stream waited
/// for one of another (separations.hpp) are kept apart; with `wait_cost`, >= 0,
/// each is a penalty of that cost instead, for minimize_penalty(). A pair that
/// shares pays even where the waits of other pairs imply its own.
template <class Size = std::int64_t, class Time = std::int64_t>
ScheduledProblem<Size, Time> make_problem(
    const Schedule& schedule,
    std::optional<std::int64_t> wait_cost = std::nullopt) {
  const auto refuse = [](const ScheduleError& error) {
    ScheduledProblem<Size, Time> refused;
    refused.error = error;
    return refused;
  };
  const detail::TensorSizes sizes = detail::measure_all(
      schedule.tensors, std::int64_t{(std::numeric_limits<Size>::max)()});
  if (!sizes.error.ok()) return refuse(sizes.error);
  constexpr auto kMostSteps =
      static_cast<std::uint64_t>((std::numeric_limits<Time>::max)());
  if (schedule.operators.size() > kMostSteps)
    return refuse({ScheduleReason::kTooManyOperators,
                   static_cast<std::size_t>(kMostSteps), kNoIndex});
  const detail::Liveness liveness(schedule, sizes);
  if (!liveness.error().ok()) return refuse(liveness.error());
  ScheduledProblem<Size, Time> out;
  detail::set_order(schedule, liveness, out);
  const HappensBefore order(out.streams, out.dependencies);
  if (!order.ok())
    return refuse(
        {ScheduleReason::kBadDependency, order.bad_dependency(), kNoIndex});

  detail::make_buffers(schedule, sizes, liveness, out);
  detail::alias_parts(schedule, sizes, out);
  const UserOrder user_order(order, liveness.users());
  detail::Families families(schedule, sizes, liveness, user_order,
                            std::int64_t{(std::numeric_limits<Size>::max)()});
  detail::alias_in_place(schedule, families, out);
  // What is tied counts more than once, and multiples of alignments may be large.
  if (const Check sound = check(out.problem); !sound.ok()) {
    const std::size_t x = sound.buffer < out.tensor_of.size()
                              ? out.tensor_of[sound.buffer]
                              : kNoIndex;
    return refuse({ScheduleReason::kSizeOverflow, kNoIndex, x});
  }
  Separations unsafe = find_separations(out.problem, out.users, order);
  if (!wait_cost) {
    out.problem.apart = std::move(unsafe.pairs);
    return out;
  }
  for (const BufferPair& pair : unsafe.pairs)
    out.problem.penalties.push_back({pair.first, pair.second, *wait_cost});
  return out;
}

/// The waits to add to the schedule so that every run is right with `offsets`, a
/// placement of the buffers of `made`. None where no pair that has a penalty
/// shares bytes.
template <class Size, class Time>
Waits find_waits(const ScheduledProblem<Size, Time>& made,
                 const std::vector<Size>& offsets) {
  return find_waits(made.problem, made.users, made.streams, made.dependencies,
                    offsets);
}

SNUG_END_NAMESPACE

#endif  // SNUG_SCHEDULE_HPP
