// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Claims: the state of the search for a certificate, and the cliques in it.
///
/// The state claims of each unplaced buffer that it lies at lowest(x) or above;
/// of placed ones nothing, for what they did to others is in these. A buffer is
/// placed at its lowest offset, which raises its unplaced neighbours to its top,
/// or is raised itself. Every offset is rounded up to the alignment, and past the
/// fixed buffers that are in the way; what is above the capacity counts as one
/// above it. Fixed buffers claim their offsets, are never placed, and are
/// nobody's neighbours.
///
/// A *stack* is a clique of unplaced or fixed buffers, all at t or above, that
/// does not fit between t and the capacity: with sizes and t rounded up to an
/// alignment that divides all of theirs, but for the top one
/// (bounds/aligned_load.hpp).
///
/// Cost: O(n + pairs of neighbours) memory; a change visits the cliques of each
/// buffer that it raises.
#ifndef SNUG_CERTIFICATE_CLAIMS_HPP
#define SNUG_CERTIFICATE_CLAIMS_HPP

#include "snug/certificate/certifiable.hpp"
#include "snug/certificate/lemmas.hpp"
#include "snug/config.hpp"
#include "snug/model/interval.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/plain.hpp"
#include "snug/support/align.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"
#include "snug/support/sort.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// The largest capacity of a certificate: sums of four such numbers fit.
inline constexpr std::int64_t kMostCertified =
    (std::numeric_limits<std::int64_t>::max)() / 4;

class Claims {
 public:
  /// `certifiable`, with no more than kMostRefuted buffers, must outlive this.
  /// The capacity is at most kMostCertified. Of no use if it is interrupted.
  Claims(const Certifiable& certifiable, std::int64_t capacity,
         const Interrupt& interrupt = {})
      : plain_(&certifiable.plain),
        fixed_(&certifiable.fixed),
        taken_(&certifiable.taken),
        capacity_(capacity),
        interrupt_(interrupt),
        lowest_(plain_->buffers.size(), 0),
        unplaced_(plain_->buffers.size(), false),
        neighbours_(plain_->buffers.size()),
        cliques_of_(plain_->buffers.size()) {
    list_cliques();
    std::size_t looks = 0;
    for (const Index x : plain_->order) {
      if (interrupt.after(plain_->order.size(), looks)) return;
      unplaced_[x] = true;
      for (const Index y : plain_->order)
        if (are_neighbours(x, y)) neighbours_[x].push_back(y);
      lowest_[x] = is_fixed(x) ? (*fixed_)[x] : round_up(x, 0);
      if (!is_fixed(x)) alignments_.push_back(alignment(x));
    }
    sort_unique(alignments_);
  }

  [[nodiscard]] std::int64_t size(Index x) const {
    return plain_->buffers[x].size;
  }
  [[nodiscard]] std::int64_t lowest(Index x) const { return lowest_[x]; }
  [[nodiscard]] bool is_unplaced(Index x) const { return unplaced_[x]; }
  [[nodiscard]] const List<Index>& neighbours(Index x) const {
    return neighbours_[x];
  }
  [[nodiscard]] bool is_fixed(Index x) const {
    return (*fixed_)[x] != Flat::kNone;
  }
  [[nodiscard]] bool are_neighbours(Index x, Index y) const {
    return x != y && !is_fixed(x) && !is_fixed(y) &&
           (plain_->spans[x].overlaps(plain_->spans[y]) ||
            plain_->is_apart(x, y));
  }
  /// How many cliques x is in, and the unplaced bytes of the fullest one.
  [[nodiscard]] std::size_t cliques(Index x) const {
    return cliques_of_[x].size();
  }
  [[nodiscard]] std::int64_t fullest(Index x) const {
    std::int64_t most = 0;
    for (const Index c : cliques_of_[x]) most = (std::max)(most, bytes_[c]);
    return most;
  }

  /// The end of x if it lies at `offset`.
  [[nodiscard]] std::int64_t top(Index x, std::int64_t offset) const {
    return offset > capacity_ - size(x) ? beyond() : offset + size(x);
  }
  /// The lowest offset that x may have at `address` or above.
  [[nodiscard]] std::int64_t round_up(Index x, std::int64_t address) const {
    address = align(x, address);
    for (const Interval<std::int64_t>& taken : (*taken_)[x])
      if (taken.overlaps({address, address + size(x)}))
        address = align(x, taken.upper);
    return address;
  }
  /// The lowest address that is rounded up to `offset` or above.
  [[nodiscard]] std::int64_t relax(Index x, std::int64_t offset) const {
    const auto align_down = [&](std::int64_t address) {
      return address < 0 ? -1 : address - address % alignment(x);
    };
    std::int64_t below = align_down(offset - 1);
    for (std::size_t k = (*taken_)[x].size(); k-- > 0 && below >= 0;) {
      const Interval<std::int64_t>& taken = (*taken_)[x][k];
      if (taken.overlaps({below, below + size(x)}))
        below = align_down(taken.lower - size(x));
    }
    return below + 1;
  }

  [[nodiscard]] bool meets(const Lemmas::Terms& terms) const {
    return std::all_of(terms.begin(), terms.end(), [&](const Term& term) {
      return unplaced_[term.buffer] && lowest_[term.buffer] >= term.lowest;
    });
  }

  [[nodiscard]] std::size_t mark() const noexcept { return trail_.size(); }

  void place(Index x) {
    unplaced_[x] = false;
    for (const Index c : cliques_of_[x]) bytes_[c] -= size(x);
    const std::int64_t top_of_x = top(x, lowest_[x]);
    for (const Index y : neighbours_[x])
      if (unplaced_[y] && lowest_[y] < top_of_x)
        raise(y, round_up(y, top_of_x));
  }
  void raise(Index x, std::int64_t offset) {
    trail_.push_back({x, lowest_[x]});
    lowest_[x] = offset;
    for (const Index c : cliques_of_[x])
      if (!is_changed_[c]) note_changed(c);
  }
  /// Takes back what was raised after `mark`, and the placement of x if it is
  /// placed.
  void undo(std::size_t mark, Index x) {
    for (; trail_.size() > mark; trail_.pop_back())
      lowest_[trail_.back().buffer] = trail_.back().before;
    seen_ = mark;
    if (unplaced_[x]) return;
    unplaced_[x] = true;
    for (const Index c : cliques_of_[x]) bytes_[c] += size(x);
  }

  /// A lemma whose terms the state meets since the last look, or kNoLemma.
  [[nodiscard]] Lemma find_met(const Lemmas& lemmas) {
    Lemma found = kNoLemma;
    for (; seen_ < trail_.size() && found == kNoLemma; ++seen_) {
      const Change& change = trail_[seen_];
      found =
          lemmas.find(change.buffer, change.before, lowest_[change.buffer],
                      [&](Lemma lemma) { return meets(lemmas.terms(lemma)); });
    }
    return found;
  }

  /// Adds the terms of a stack to `terms`, of the one that asks for the least,
  /// if the last changes have made one. Forgets the changes. If it is interrupted,
  /// it finds none.
  [[nodiscard]] bool find_stack(TermSet& terms) {
    stack_.clear();
    for (const Index c : changed_) {
      is_changed_[c] = false;
      gave_up_ = gave_up_ || interrupt_.after(cliques_[c].size(), looks_);
      if (gave_up_) return false;
      for (const std::int64_t alignment : alignments_) look_at(c, alignment);
    }
    changed_.clear();
    for (const Index x : stack_)
      terms.add(x, is_fixed(x) ? needed_ : relax(x, needed_));
    return !stack_.empty();
  }
  /// Whether it was interrupted.
  [[nodiscard]] bool gave_up() const noexcept { return gave_up_; }
  /// Forgets the last changes.
  void forget_changes() {
    for (const Index c : changed_) is_changed_[c] = false;
    changed_.clear();
  }

 private:
  struct Change {
    Index buffer;
    std::int64_t before;
  };

  [[nodiscard]] std::int64_t beyond() const { return capacity_ + 1; }
  [[nodiscard]] std::int64_t alignment(Index x) const {
    return plain_->buffers[x].alignment;
  }
  /// Whether x can only lie at multiples of `unit`.
  [[nodiscard]] bool lies_on(Index x, std::int64_t unit) const {
    return (is_fixed(x) ? (*fixed_)[x] : alignment(x)) % unit == 0;
  }
  [[nodiscard]] std::int64_t align(Index x, std::int64_t address) const {
    const std::int64_t rest = address % alignment(x);
    if (rest == 0 || address > capacity_) return (std::min)(address, beyond());
    const std::int64_t padding = alignment(x) - rest;
    return padding > beyond() - address ? beyond() : address + padding;
  }

  /// The buffers of each section, and the cliques that no section holds.
  void list_cliques() {
    cliques_.resize(plain_->sections);
    for (const Index x : plain_->order)
      for (Index s = plain_->spans[x].lower; s < plain_->spans[x].upper; ++s)
        cliques_[s].push_back(x);
    for (const List<Index>& clique : plain_->cliques)
      cliques_.push_back(clique);
    bytes_.assign(cliques_.size(), 0);
    is_changed_.assign(cliques_.size(), false);
    for (Index c = 0; c < cliques_.size(); ++c) {
      for (const Index x : cliques_[c]) {
        cliques_of_[x].push_back(c);
        bytes_[c] += size(x);
      }
      note_changed(c);
    }
  }

  void note_changed(Index clique) {
    is_changed_[clique] = true;
    changed_.push_back(clique);
  }

  /// Looks for a stack in a clique, of those that lie at multiples of `unit`: the
  /// highest ones, as many as it takes.
  void look_at(Index clique, std::int64_t unit) {
    live_.clear();
    for (const Index x : cliques_[clique])
      if (unplaced_[x] && lies_on(x, unit)) live_.push_back(x);
    sort_descending(live_, [&](Index k) { return lowest_[k]; });
    std::int64_t sum = 0;
    std::int64_t most_padding = 0;
    for (std::size_t k = 0; k < live_.size(); ++k) {
      const std::int64_t padding =
          align_up(size(live_[k]), unit) - size(live_[k]);
      // Fewer will do, or no two of them fit: placing one shows that.
      if (sum - most_padding > capacity_ || padding > capacity_) return;
      sum += size(live_[k]) + padding;
      most_padding = (std::max)(most_padding, padding);
      // The lowest address from which they do not fit.
      const std::int64_t needed =
          (std::max)(capacity_ - (sum - most_padding) + 1, std::int64_t{0});
      if (lowest_[live_[k]] < needed) continue;
      if (!stack_.empty() &&
          (needed > needed_ || (needed == needed_ && k + 1 >= stack_.size())))
        continue;
      needed_ = needed;
      stack_.assign(live_.data(), live_.data() + k + 1);
    }
  }

  const Plain* plain_;
  const std::vector<std::int64_t>* fixed_;
  const Lists<Interval<std::int64_t>>* taken_;
  std::int64_t capacity_;
  Interrupt interrupt_;
  std::vector<std::int64_t> lowest_;
  List<bool> unplaced_;
  Lists<Index> neighbours_;
  Lists<Index> cliques_{};
  Lists<Index> cliques_of_;
  std::vector<std::int64_t> bytes_{};  ///< unplaced, of each clique
  List<std::int64_t> alignments_{1};
  List<Change> trail_{};
  std::size_t seen_ = 0;  ///< of the trail, by find_met()
  List<bool> is_changed_{};
  List<Index> changed_{};  ///< cliques that find_stack() has not seen
  List<Index> live_{};
  List<Index> stack_{};
  std::int64_t needed_ = 0;  ///< address from which the stack does not fit
  std::size_t looks_ = 0;    ///< at members of cliques, since the last question
  bool gave_up_ = false;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_CERTIFICATE_CLAIMS_HPP
