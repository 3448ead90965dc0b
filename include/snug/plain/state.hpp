// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The mutable state of the search, one place that does (`place`, with `skip`
/// and `set_release` for the other branch) and one place that undoes
/// (`undo_to`).
///
/// For every unplaced buffer x:
///
///   minimum[x]   m(x): 0 or the highest top of a placed overlapping buffer,
///                rounded up to x's alignment, and above what is barred
///                (jumps.hpp). x cannot sit lower.
///   release[x]   r(x) >= m(x): a lower bound on x's offset. r(x) = m(x)
///                unless x is *skipped*: then the branch taken says that x
///                does not sit at m(x), so r(x) > m(x).
///   witness[x]   an unplaced neighbour that may still come to lie in x's
///                slot [m(x), m(x) + s(x)), or kNobody; see dominance.hpp.
///
/// A placed buffer has release kNever, so that comparisons against the
/// releases of neighbours need not ask who is placed. Skipping needs no flag
/// of its own: it is r(x) > m(x), and ends by itself when m(x) rises, for a
/// raise sets r(x) = m(x).
///
/// For every section s:
///
///   room[s]      capacity minus the sizes of the unplaced buffers in s, and
///                of what obstacles take
///   spare[s]     a lower bound on how far s is from overflowing
///   crossing[s]  how many unplaced buffers live in both s and s + 1
///
/// Every change is written to the trail; undo_to() takes the entries back in
/// reverse order and restores all of it exactly, witness lists included (but
/// for the order of each list).
///
/// Cost: place() visits x's unplaced neighbours and x's span.
#ifndef SNUG_PLAIN_STATE_HPP
#define SNUG_PLAIN_STATE_HPP

#include "snug/config.hpp"
#include "snug/engine/bits.hpp"
#include "snug/engine/lanes.hpp"
#include "snug/engine/state_key.hpp"
#include "snug/plain/instance.hpp"
#include "snug/support/memory.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

SNUG_BEGIN_NAMESPACE
namespace detail {

template <class Units>
class State {
 public:
  static constexpr Units kNever = Instance<Units>::kNever;

  enum class Change : std::uint8_t {
    kPlaced,
    kRaised,
    kReleased,  ///< up to here, those of a minimum or a release
    kWitness,
    kSpare,
    kCliqueSpare
  };

  struct TrailEntry {
    Index buffer;  ///< first section for kSpare, clique for kCliqueSpare
    Change change;
    /// Before; the witness for kWitness, a count for kSpare, the spare before
    /// for kCliqueSpare.
    Units minimum;
    Units release;  ///< before
  };

  State(const Instance<Units>& instance_, Memory& memory)
      : instance(&instance_),
        minimum(memory.take<Units>(instance_.size)),
        release(memory.take<Units>(instance_.size)),
        unplaced(memory.take<Word>(instance_.words)),
        skipped(memory.take<Word>(instance_.words)),
        support(memory.take<Index>(instance_.size)),
        witness(memory.take(instance_.size, instance_.size)),
        watchers(memory.take(std::size_t{instance_.size} + 1, instance_.size)),
        next_watcher(memory.take<Index>(instance_.size)),
        previous_watcher(memory.take<Index>(instance_.size)),
        room(memory.take(instance_.sections, instance_.capacity)),
        spare(memory.take<Units>(instance_.sections)),
        crossing(memory.take<std::int32_t>(instance_.sections)),
        weight(memory.take<std::int32_t>(instance_.size)),
        section_weight(memory.take<std::int32_t>(instance_.sections)),
        clique_room(memory.take(instance_.cliques.count(), instance_.capacity)),
        clique_spare(memory.take<Units>(instance_.cliques.count())),
        keys(instance_.size, memory),
        trail(memory, 64 + 2 * std::size_t{instance_.size} +
                          30 * (std::min)(std::size_t{instance_.size}, kMost)),
        saved_spare_(memory, 64 + 16 * (std::min)(std::size_t{instance_.size} +
                                                      instance_.sections,
                                                  kMost)) {
    // Each buffer is added to those before it, so that pairs count once.
    for (Index x = 0; x < instance->size; ++x) {
      set_bit(unplaced, x);
      add_to_sections(x);
      watch(x);
      minimum[x] = release[x] = instance->round_up(x, 0);
    }
    take_from_room();
    // Where all releases are 0, room is the reach of 0.
    std::copy(room, room + instance->sections, spare);
    std::copy(clique_room, clique_room + instance->cliques.count(),
              clique_spare);
  }

  [[nodiscard]] Index nobody() const noexcept { return instance->size; }
  [[nodiscard]] bool is_unplaced(Index x) const noexcept {
    return has_bit(unplaced, x);
  }
  [[nodiscard]] bool is_skipped(Index x) const noexcept {
    return release[x] > minimum[x];
  }
  [[nodiscard]] Units top(Index x) const noexcept {
    return static_cast<Units>(minimum[x] + instance->length[x]);
  }

  [[nodiscard]] bool is_change_of_release(std::size_t k) const noexcept {
    return trail[k].change == Change::kRaised ||
           trail[k].change == Change::kReleased;
  }

  /// Calls visit(y, rise) for every release that a change after `mark` began below:
  /// by how much it is higher now.
  template <class Visit>
  void for_each_rise(std::size_t mark, Visit&& visit) const {
    for (std::size_t k = mark; k < trail.size(); ++k) {
      if (!is_change_of_release(k)) continue;
      const Index y = trail[k].buffer;
      const Units rise = static_cast<Units>(release[y] - trail[k].release);
      if (rise > 0) visit(y, rise);
    }
  }

  /// Calls visit(y) for every unplaced neighbour y of x, ascending.
  template <class Visit>
  void for_each_neighbour(Index x, Visit&& visit) const {
    instance->for_each_neighbour(x, unplaced, [&](Index y) {
      visit(y);
      return true;
    });
  }

  /// Puts x, which is not skipped, at its minimum offset, and raises its
  /// unplaced neighbours to its top. Writes one kPlaced entry, then one
  /// kRaised entry for each neighbour raised.
  void place(Index x) {
    const Units top_of_x = top(x);
    trail.push({x, Change::kPlaced, minimum[x], release[x]});
    unwatch(x);
    clear_bit(unplaced, x);
    release[x] = kNever;
    take_from_sections(x);
    key -= keys.term(x, minimum[x], false);
    const std::uint64_t hashed = StateKeys<Units>::hash(top_of_x, false);
    for_each_neighbour(x, [&](Index y) {
      if (minimum[y] < top_of_x) raise(y, top_of_x, hashed);
    });
  }

  /// Forbids x its minimum offset for the rest of this branch. Its release
  /// is left open (kNever) for releases.hpp to compute.
  void skip(Index x) {
    key -= keys.term(x, minimum[x], false);
    key += keys.term(x, minimum[x], true);
    set_bit(skipped, x);
    support[x] = x;  // Nobody's support yet: tells it from one being computed.
    set_release(x, kNever);
  }

  /// Changes the release of a skipped buffer.
  void set_release(Index x, Units value) {
    trail.push({x, Change::kReleased, minimum[x], release[x]});
    release[x] = value;
  }

  /// Makes `blocker` (or nobody()) the witness of x.
  void set_witness(Index x, Index blocker) {
    trail.push(
        {x, Change::kWitness, static_cast<Units>(witness[x]), release[x]});
    unwatch(x);
    witness[x] = blocker;
    watch(x);
  }

  /// Remembers the spare of some sections, for whoever changes it next.
  void save_spare(Interval<Index> sections) {
    trail.push({sections.lower, Change::kSpare,
                static_cast<Units>(sections.upper - sections.lower), 0});
    std::copy(spare + sections.lower, spare + sections.upper,
              saved_spare_.extend(sections.upper - sections.lower));
  }

  /// Changes the spare of a clique.
  void set_clique_spare(Index clique, Units value) {
    trail.push({clique, Change::kCliqueSpare, clique_spare[clique], 0});
    clique_spare[clique] = value;
  }

  /// Takes back every change after the first `mark` of the trail.
  void undo_to(std::size_t mark) {
    while (trail.size() > mark) {
      const TrailEntry entry = trail.pop();
      const Index x = entry.buffer;
      switch (entry.change) {
        case Change::kPlaced:
          release[x] = entry.release;
          add_to_sections(x);
          set_bit(unplaced, x);
          watch(x);
          break;
        case Change::kRaised:
        case Change::kReleased:
          minimum[x] = entry.minimum;
          release[x] = entry.release;
          clear_bit(skipped, x);
          skipped[x / 64] |= Word{is_skipped(x)} << (x % 64);
          break;
        case Change::kWitness:
          unwatch(x);
          witness[x] = static_cast<Index>(entry.minimum);
          watch(x);
          break;
        case Change::kSpare: {
          const auto count = static_cast<std::size_t>(entry.minimum);
          std::copy(saved_spare_.end() - count, saved_spare_.end(), spare + x);
          saved_spare_.shrink(saved_spare_.size() - count);
          break;
        }
        case Change::kCliqueSpare:
          clique_spare[x] = entry.minimum;
          break;
      }
    }
  }

  const Instance<Units>* instance;
  Units* minimum;
  Units* release;  ///< kNever for placed buffers
  Word* unplaced;
  Word* skipped;
  Index* support;  ///< who a skipped buffer's release stands on
  Index* witness;
  Index* watchers;  ///< first of the buffers that x is witness of
  Index* next_watcher;
  Index* previous_watcher;
  Units* room;
  Units* spare;  ///< see section_bound.hpp
  std::int32_t* crossing;
  std::int32_t* weight;
  std::int32_t* section_weight;  ///< sum over unplaced buffers
  Units* clique_room;
  Units* clique_spare;  ///< see pair_clique_bound.hpp
  StateKeys<Units> keys;
  Key key;  ///< changes with the state; only differences of it mean anything
  Stack<TrailEntry> trail;

 private:
  /// Raises y, skipped or not, to `top`, whose hash is given.
  void raise(Index y, Units top, std::uint64_t hashed) {
    const Units raised = instance->round_up(y, top);
    trail.push({y, Change::kRaised, minimum[y], release[y]});
    if (raised != top) hashed = StateKeys<Units>::hash(raised, false);
    key += keys.term(
        y, hashed - StateKeys<Units>::hash(minimum[y], is_skipped(y)));
    clear_bit(skipped, y);
    minimum[y] = release[y] = raised;
  }

  /// Room for the undo records of a path is taken at once for as many buffers;
  /// with more of them the stacks grow when they have to.
  static constexpr std::size_t kMost = 1 << 15;

  void add_to_sections(Index x) {
    const Index lower = instance->lower[x];
    const Index upper = instance->upper[x];
    add_to_range(room, lower, upper, static_cast<Units>(-instance->length[x]));
    add_to_range(section_weight, lower, upper, weight[x]);
    add_to_range(crossing, lower, upper - 1, std::int32_t{1});
    if (!instance->pairs.empty())
      add_to_pairs(x, 1, static_cast<Units>(-instance->length[x]));
  }
  void take_from_sections(Index x) {
    const Index lower = instance->lower[x];
    const Index upper = instance->upper[x];
    add_to_range(room, lower, upper, instance->length[x]);
    add_to_range(section_weight, lower, upper, -weight[x]);
    add_to_range(crossing, lower, upper - 1, std::int32_t{-1});
    if (!instance->pairs.empty()) add_to_pairs(x, -1, instance->length[x]);
  }
  /// Counts the pairs of x with unplaced buffers where they cross, and adds
  /// `length` to the room of x's cliques.
  void add_to_pairs(Index x, std::int32_t count, Units length) {
    for (const Index y : instance->pairs[x]) {
      if (!is_unplaced(y)) continue;
      const Interval<Index> crossed = instance->crossed(x, y);
      add_to_range(crossing, crossed.lower, crossed.upper, count);
    }
    for (const Index c : instance->cliques.of[x])
      clique_room[c] = static_cast<Units>(clique_room[c] + length);
  }
  /// Obstacles take some of it.
  void take_from_room() {
    const Jumps<Units>& jumps = instance->jumps;
    for (Index k = 0; k < jumps.taken_count; ++k) {
      const Taken<Units>& taken = jumps.taken[k];
      const Units upper = (std::min)(taken.units.upper, instance->capacity);
      if (upper > taken.units.lower)
        add_to_range(room, taken.sections.lower, taken.sections.upper,
                     static_cast<Units>(taken.units.lower - upper));
    }
  }
  void watch(Index x) {
    const Index blocker = witness[x];
    const Index first = watchers[blocker];
    next_watcher[x] = first;
    previous_watcher[x] = nobody();
    if (first != nobody()) previous_watcher[first] = x;
    watchers[blocker] = x;
  }
  void unwatch(Index x) {
    const Index next = next_watcher[x];
    const Index previous = previous_watcher[x];
    if (previous == nobody()) {
      watchers[witness[x]] = next;
    } else {
      next_watcher[previous] = next;
    }
    if (next != nobody()) previous_watcher[next] = previous;
  }

  Stack<Units> saved_spare_;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAIN_STATE_HPP
