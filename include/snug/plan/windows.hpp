// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Windows of time. If the buffers that live in one do not fit by themselves, then all
/// of them do not either; and the shorter a window, the sooner it is refuted.
///
///     window      |-----------|              the buffers live in it, with
///               +---------+                  their whole lifespans
///           +---+-----+---+----+ +---+
///           |   in    | in     | |   |  not in
///           +---------+--------+ +---+
///
/// Windows are runs of sections, the shorter the earlier: of each length, those that
/// begin at every p-th part of it, from left to right; then longer ones, by two of the
/// parts. Those that fit are not asked twice.
///
/// Cost: O(n log n), and O(k log k) and a try for each window of k buffers, of which
/// there are some 4 for each section with two parts, and 12 with four; the tries of most
/// windows need no search.
#ifndef SNUG_PLAN_WINDOWS_HPP
#define SNUG_PLAN_WINDOWS_HPP

#include "snug/config.hpp"
#include "snug/model/interval.hpp"
#include "snug/normal/plain.hpp"
#include "snug/support/list.hpp"
#include "snug/support/memory.hpp"
#include "snug/support/outcome.hpp"
#include "snug/support/sort.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

SNUG_BEGIN_NAMESPACE
namespace detail {

class Windows {
 public:
  /// What came of a try, and the nodes that it took.
  struct Answer {
    Outcome outcome;
    std::int64_t nodes;
  };

  /// Of the lifespans of a problem: nothing else of it is looked at.
  Windows(Plain plain, Index parts) : plain_(std::move(plain)), parts_(parts) {}

  /// Tries those that are not known to fit, each for at most `limit` nodes, until one
  /// is refuted, or all of them together have taken `most`, or it is stopped. True if
  /// one was: the last one that was tried.
  ///
  ///     bool must_stop()
  ///     Answer try_some(const List<Index>& inside, std::int64_t limit)
  template <class MustStop, class TrySome>
  [[nodiscard]] bool search(std::int64_t limit, std::int64_t most,
                            MustStop&& must_stop, TrySome&& try_some) {
    std::size_t number = 0;
    wants_nodes_ = is_stuck_ = false;
    for (Index length = kShortest; length < plain_.sections && !is_stuck_;
         length += (2 * length + parts_ - 1) / parts_) {
      const Index last = plain_.sections - length;
      const Index step = (std::max)(length / parts_, Index{1});
      // Back to before the first one.
      live_.clear();
      begun_ = 0;
      for (Index from = 0;; from = (std::min)(from + step, last)) {
        if (number == fits_.size()) fits_.push_back(false);
        if (!fits_[number] && most > 0) {
          if (must_stop()) return false;
          move_to({from, from + length});
          const std::int64_t share = (std::min)(limit, most);
          const Answer answer = try_some(inside_, share);
          if (answer.outcome == Outcome::kRefuted) return true;
          if (answer.outcome == Outcome::kOpen)
            (answer.nodes < share ? is_stuck_ : wants_nodes_) = true;
          fits_[number] = answer.outcome == Outcome::kPlacedAll;
          most -= answer.nodes;
        }
        ++number;
        if (from == last) break;
      }
    }
    return false;
  }

  /// Whether another search with a larger limit may come to more.
  [[nodiscard]] bool wants_nodes() const noexcept { return wants_nodes_; }
  [[nodiscard]] std::size_t bytes() const noexcept {
    return plain_.bytes() + bytes_of(live_, inside_, fits_);
  }

 private:
  /// Two sections always fit where their loads do, but for alignments.
  static constexpr Index kShortest = 3;

  /// To a window that does not begin or end before the last one.
  void move_to(Interval<Index> window) {
    const List<Interval<Index>>& spans = plain_.spans;
    erase_if(live_, [&](Index k) { return spans[k].upper <= window.lower; });
    for (; begun_ < plain_.order.size(); ++begun_) {
      const Index k = plain_.order[begun_];
      if (spans[k].lower >= window.upper) break;
      if (spans[k].upper > window.lower) live_.push_back(k);
    }
    inside_ = live_;
    heap_sort(inside_);
  }

  Plain plain_;
  Index parts_;               ///< of a length
  List<Index> live_{};        ///< in the window, in the order of their begins
  List<Index> inside_{};      ///< the same, ascending
  std::size_t begun_ = 0;     ///< how many of plain_.order begin before its end
  List<bool> fits_{};         ///< of each window
  bool wants_nodes_ = false;  ///< one in the last search, of more than it had
  bool is_stuck_ = false;     ///< one in it, as longer ones mostly would be
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAN_WINDOWS_HPP
