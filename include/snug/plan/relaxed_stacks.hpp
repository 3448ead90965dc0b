// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A bound for problems with constraints: the stacks of what is live together
/// (bounds/aligned_stack.hpp), whatever else is asked of that (normal/relaxed.hpp).
/// Without it a search for bodies that has no room because of alignments takes all
/// orders of those that are live at one time.
///
///     first turn      as many steps as take less than a few hundred nodes
///     later           those that may take the tenth part of a second, once
///     minimize        what takes as long as a few nodes a buffer: of all stacks the
///                     highest, as its bound would else climb from one that refutes a
///                     capacity to the next
#ifndef SNUG_PLAN_RELAXED_STACKS_HPP
#define SNUG_PLAN_RELAXED_STACKS_HPP

#include "snug/bounds/aligned_stack.hpp"
#include "snug/config.hpp"
#include "snug/engine/search_options.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/plain.hpp"
#include "snug/normal/relaxed.hpp"
#include "snug/plan/call.hpp"
#include "snug/support/list.hpp"
#include "snug/support/sort.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

SNUG_BEGIN_NAMESPACE
namespace detail {

class RelaxedStacks {
 public:
  /// Whether alignments may need more than the sizes do: those of free buffers differ.
  /// Those of all on one grid need the aligned load, which is known without them.
  [[nodiscard]] static bool suits(const Flat& flat) noexcept {
    std::int64_t last = 0;
    for (Index i = 0; i < flat.buffers.size(); ++i) {
      const std::int64_t alignment = flat.buffers[i].alignment;
      if (flat.buffers[i].size == 0 || flat.is_fixed(i)) continue;
      if (last != 0 && alignment != last) return true;
      last = alignment;
    }
    return false;
  }

  /// Of no use if the call gave up.
  RelaxedStacks(const Flat& flat, Call& call)
      : RelaxedStacks(relax(flat, call.interrupt()), call) {}
  RelaxedStacks(const RelaxedStacks&) = delete;
  RelaxedStacks& operator=(const RelaxedStacks&) = delete;

  /// Raises a bound, until it is above `enough`: by those that are soon known, then by
  /// others in `steps` more; with kMostStackSteps the rest is never looked at again. Also
  /// by those that do not refute, as a bound is of use by itself.
  [[nodiscard]] std::int64_t raise(std::int64_t bound, std::int64_t enough,
                                   std::int64_t steps, Call& call) {
    if (is_open_) look(bound, enough, kFirstStackSteps, call);
    if (steps > 0 && !is_over_ && origin_ + stacks_.height() <= enough) {
      look(bound, enough, steps, call);
      is_over_ = !is_open_ && steps == kMostStackSteps;
    }
    return (std::max)(bound, origin_ + stacks_.height());
  }
  /// The buffers of the highest stack, ascending: they do not fit below it.
  [[nodiscard]] List<Index> core() const {
    List<Index> result = stacks_.highest();
    heap_sort(result);
    if (is_filled_ && !result.empty() &&
        result[result.size() - 1] + 1 == plain_.buffers.size())
      result.pop_back();
    return result;
  }

 private:
  RelaxedStacks(Relaxed relaxed, Call& call)
      : origin_(relaxed.origin),
        is_filled_(relaxed.is_filled),
        plain_(make_plain(std::move(relaxed.buffers), call.interrupt())),
        stacks_(plain_, table_bytes_of(call.options())),
        held_(call, plain_.bytes()) {
    call.count_bytes(bytes_to_make(plain_));
  }

  void look(std::int64_t bound, std::int64_t enough, std::int64_t steps,
            Call& call) {
    stacks_.run((std::max)(bound - origin_, std::int64_t{0}), enough - origin_,
                steps, call.stopper());
    // Once one is too high the others are not looked at.
    is_open_ = origin_ + stacks_.height() > enough || call.is_stopped();
    call.count_bytes(sizeof(*this) + stacks_.bytes());
  }

  std::int64_t origin_;
  bool is_filled_;
  Plain plain_;
  AlignedStacks stacks_;
  Held held_;
  bool is_open_ = true;   ///< there may be others that are soon known
  bool is_over_ = false;  ///< the long ones were looked at
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAN_RELAXED_STACKS_HPP
