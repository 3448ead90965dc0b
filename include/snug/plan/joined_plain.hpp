// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The attempts of solve() that make one of some buffers of a plain problem
/// (joins/joins.hpp), and solve what is left:
///
///     joins     what is proved to be one
///     fillers   the same with guessed fillers (joins/fillers.hpp)
///     guess     what a guess says is one: for a few nodes, then in turns. If equal
///               sums did not do, the same with near ones, where these say more
#ifndef SNUG_PLAN_JOINED_PLAIN_HPP
#define SNUG_PLAN_JOINED_PLAIN_HPP

#include "snug/bounds/load.hpp"
#include "snug/config.hpp"
#include "snug/joins/fillers.hpp"
#include "snug/joins/joins.hpp"
#include "snug/joins/subset_sums.hpp"
#include "snug/normal/plain.hpp"
#include "snug/peak/place_large.hpp"
#include "snug/plan/call.hpp"
#include "snug/plan/search_in_turns.hpp"
#include "snug/support/list.hpp"
#include "snug/support/memory.hpp"
#include "snug/support/outcome.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// A plain problem that is to be placed below a capacity.
struct PlainTask {
  const Plain* plain;
  std::int64_t capacity;
  std::int64_t bound;  ///< No placement is lower.
};

/// A plain problem some of whose buffers are one, and its solve. `Solve` is that
/// of plain problems (plan/solve_plain.hpp).
template <class Solve>
class JoinedPlain {
 public:
  JoinedPlain(const PlainTask& whole, Trust trust, Nearness nearness,
              Call& call)
      : joins_(*whole.plain, whole.capacity, call.interrupt(), trust, nullptr,
               nearness) {
    call.count_bytes(joins_.bytes());
    if (!joins_.pay()) return;
    plain_ = joins_.joined(call.interrupt());
    held_.emplace(call, sizeof(*this) + joins_.bytes() + plain_.bytes());
    if (call.gave_up()) return;
    const std::int64_t bound = (std::max)(whole.bound, load(plain_));
    solve_.emplace(PlainTask{&plain_, whole.capacity, bound}, call);
    is_brief_ = trust == Trust::kGuessed && has_large_partition(plain_);
  }
  JoinedPlain(const JoinedPlain&) = delete;
  JoinedPlain& operator=(const JoinedPlain&) = delete;

  /// How many buffers fewer there are.
  [[nodiscard]] std::size_t count() const noexcept { return joins_.count(); }
  /// Whether there is something to solve, too.
  [[nodiscard]] bool can_run() const noexcept { return solve_.has_value(); }
  /// Goes on, if it can. Where much is left of a guess, a few dives have to do.
  [[nodiscard]] Outcome run(List<std::int64_t>& offsets) {
    if (!can_run()) return Outcome::kOpen;
    const Outcome outcome = is_brief_ ? solve_->run_dives() : solve_->run();
    if (outcome == Outcome::kPlacedAll)
      joins_.expand(solve_->found().offsets, offsets);
    return outcome;
  }

 private:
  Joins joins_;
  bool is_brief_ = false;
  Plain plain_{};
  std::optional<Held> held_{};
  std::optional<Solve> solve_{};
};

/// The attempts above. Only `joins` refutes.
template <class Solve>
class JoinAttempts {
 public:
  /// Both must outlive the object. The bound of the task may rise.
  JoinAttempts(const PlainTask& task, Call& call)
      : task_(&task),
        call_(&call),
        may_join_(task.plain->is_pure() &&
                  task.plain->order.size() >= Joins::kFewest) {}

  /// What is proved to be one, and once that is many, goes on with what is left.
  [[nodiscard]] Outcome join(List<std::int64_t>& offsets) {
    if (!may_join_) return Outcome::kOpen;
    if (!joined_)
      joined_ =
          std::make_unique<Joined>(*task_, Trust::kProved, Nearness{}, *call_);
    const Outcome outcome = joined_->run(offsets);
    if (!joined_->can_run()) joined_.reset();
    return outcome;
  }
  /// Whether it goes on there.
  [[nodiscard]] bool has_joined() const noexcept { return joined_ != nullptr; }

  /// For a few nodes, once guessed fillers take what is free.
  [[nodiscard]] Outcome fill(List<std::int64_t>& offsets) {
    if (!may_join_ || task_->bound < task_->capacity / 2) return Outcome::kOpen;
    const Fillers fillers(*task_->plain, task_->capacity, call_->interrupt());
    if (fillers.count() == 0 || call_->must_stop()) return Outcome::kOpen;
    const Plain filled = fillers.filled(call_->interrupt());
    List<std::int64_t> placed(filled.buffers.size(), 0);
    const Held held(*call_,
                    fillers.bytes() + filled.bytes() + bytes_of(placed));
    if (call_->gave_up()) return Outcome::kOpen;
    Share share(*call_, nodes_for(kFilledPerBuffer));
    Joined joined({&filled, task_->capacity, task_->bound}, Trust::kProved, {},
                  share.call());
    if (joined.run(placed) != Outcome::kPlacedAll) return Outcome::kOpen;
    // The fillers are the last ones.
    placed.shrink(offsets.size());
    offsets.swap(placed);
    return Outcome::kPlacedAll;
  }

  /// By a guess, for a few nodes.
  [[nodiscard]] Outcome guess(List<std::int64_t>& offsets) {
    if (!may_join_) return Outcome::kOpen;
    const Outcome outcome = begin_guess(offsets);
    if (call_->is_settled(outcome) || !find_near()) return outcome;
    return begin_guess(offsets);
  }

  /// Whether that goes on.
  [[nodiscard]] bool guesses() const noexcept { return guess_ != nullptr; }
  /// Goes on, until it has had so many nodes.
  [[nodiscard]] Outcome guess_up_to(std::int64_t nodes,
                                    List<std::int64_t>& offsets) {
    if (!guesses()) return Outcome::kOpen;
    const Outcome outcome = guess_->search_up_to(
        nodes, [&](std::optional<Joined>& joined, Call& call) {
          if (!joined) {
            joined.emplace(*task_, Trust::kGuessed, nearness_, call);
            guessed_ = joined->count();
          }
          return joined->run(offsets);
        });
    if (guess_->is_over()) guess_.reset();
    return outcome == Outcome::kPlacedAll ? outcome : Outcome::kOpen;
  }

 private:
  /// Nodes of a search with fillers and of the first one with guessed joins, a
  /// buffer.
  static constexpr std::int64_t kFilledPerBuffer = 8;
  static constexpr std::int64_t kGuessPerBuffer = 2;

  /// Near sums are not looked for in larger problems.
  static constexpr std::size_t kMostNear = 8192;

  using Joined = JoinedPlain<Solve>;

  [[nodiscard]] Outcome begin_guess(List<std::int64_t>& offsets) {
    guess_ = std::make_unique<SearchInTurns<Joined>>(*call_);
    guess_->leave_memory();
    return guess_up_to(nodes_for(kGuessPerBuffer), offsets);
  }

  /// Sets nearness_ to one by which a sixteenth more of the buffers is gone than by
  /// equal sums, or by a finer one, and the load fits. False if there is none.
  [[nodiscard]] bool find_near() {
    const std::size_t buffers = task_->plain->order.size();
    if (buffers > kMostNear || task_->bound == task_->capacity) return false;
    std::size_t most = (std::max)(guessed_, buffers / 8);
    for (const int shift : Nearness::kShifts) {
      const Joins joins(*task_->plain, task_->capacity, call_->interrupt(),
                        Trust::kGuessed, nullptr, Nearness{shift});
      if (joins.count() < most + buffers / 16) continue;
      const Plain plain = joins.joined(call_->interrupt());
      call_->count_bytes(joins.bytes() + plain.bytes());
      if (load(plain) > task_->capacity) continue;
      most = joins.count();
      nearness_ = {shift};
    }
    return nearness_.shift < Nearness::kEqual && !call_->gave_up();
  }

  [[nodiscard]] std::int64_t nodes_for(std::int64_t per_buffer) const noexcept {
    return per_buffer * static_cast<std::int64_t>(task_->plain->order.size());
  }

  const PlainTask* task_;
  Call* call_;
  bool may_join_;
  Nearness nearness_{};               ///< of the guess
  std::size_t guessed_ = 0;           ///< buffers that are gone by it
  std::unique_ptr<Joined> joined_{};  ///< solved instead, if there is one
  std::unique_ptr<SearchInTurns<Joined>> guess_{};
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAN_JOINED_PLAIN_HPP
