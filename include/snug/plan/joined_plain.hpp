// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A plain problem some of whose buffers are one (presolve/joins.hpp), and its solve.
#ifndef SNUG_PLAN_JOINED_PLAIN_HPP
#define SNUG_PLAN_JOINED_PLAIN_HPP

#include "snug/bounds/load.hpp"
#include "snug/config.hpp"
#include "snug/normal/plain.hpp"
#include "snug/peak/place_large.hpp"
#include "snug/plan/call.hpp"
#include "snug/presolve/joins.hpp"
#include "snug/support/list.hpp"
#include "snug/support/outcome.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// `Solve` is that of plain problems (plan/solve_plain.hpp).
template <class Solve>
class JoinedPlain {
 public:
  /// `bound`: a height that no placement of the whole is below.
  JoinedPlain(const Plain& whole, std::int64_t capacity, std::int64_t bound,
              Trust trust, Call& call)
      : joins_(whole, capacity, call.interrupt(), trust) {
    call.count_bytes(joins_.bytes());
    if (!joins_.pay()) return;
    plain_ = joins_.joined(call.interrupt());
    held_.emplace(call, sizeof(*this) + joins_.bytes() + plain_.bytes());
    if (call.gave_up()) return;
    solve_.emplace(plain_, capacity, (std::max)(bound, load(plain_)), call);
    is_brief_ = trust != Trust::kProved && plain_.order.size() > kLarge;
  }
  JoinedPlain(const JoinedPlain&) = delete;
  JoinedPlain& operator=(const JoinedPlain&) = delete;

  /// Whether there are enough joins.
  [[nodiscard]] bool pays() const noexcept { return joins_.pay(); }
  /// Whether there is something to solve, too.
  [[nodiscard]] bool can_run() const noexcept { return solve_.has_value(); }
  /// Goes on. Where much is left of a guess, a few dives have to do.
  [[nodiscard]] Outcome run(List<std::int64_t>& offsets) {
    const Outcome outcome = is_brief_ ? solve_->run_dives() : solve_->run();
    if (outcome == Outcome::kPlacedAll)
      joins_.expand(solve_->answer().offsets, offsets);
    return outcome;
  }

 private:
  Joins joins_;
  bool is_brief_ = false;
  Plain plain_{};
  std::optional<Held> held_{};
  std::optional<Solve> solve_{};
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAN_JOINED_PLAIN_HPP
