// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The mutable state of the search for bodies, one place that does (`place`,
/// and `skip` for the other branch) and one that undoes (`undo_to`).
///
/// For every body x that is not placed:
///
///   domain(x)    where it may still go, see domain.hpp
///   candidate(x) the lowest end of a range that is not open: the next offset
///                to try
///   release[x]   a lower bound on its offset (body_releases.hpp)
///
/// For a placed one the domain is what it was, release[x] is kNever and
/// offset[x] says where it is. For every clique:
///
///   spare[c]     a lower bound on how far it is from overflowing
///   total[c]     bytes of its jobs whose bodies are not placed
///   weight[c]    the sum of the weights of these bodies
///
/// Domains are copied before they change, on a stack that shrinks when the
/// change is undone; unchanged ones are shared between all states.
///
/// Cost: place() visits the relations of x, and copies the domains it changes.
#ifndef SNUG_BODIES_BODY_STATE_HPP
#define SNUG_BODIES_BODY_STATE_HPP

#include "snug/bodies/component.hpp"
#include "snug/bodies/domain.hpp"
#include "snug/config.hpp"
#include "snug/engine/bits.hpp"
#include "snug/engine/state_key.hpp"
#include "snug/support/list.hpp"
#include "snug/support/memory.hpp"
#include "snug/support/view.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

SNUG_BEGIN_NAMESPACE
namespace detail {

class BodyState {
 public:
  static constexpr std::int64_t kNever = kFar;

  /// A domain: ranges on the stack of all of them.
  struct Domain {
    std::size_t at = 0;
    std::size_t count = 0;
  };

  enum class Change : std::uint8_t { kPlaced, kDomain, kRelease, kSpare };

  struct TrailEntry {
    Index body;  ///< the clique for kSpare
    Change change;
    Index cause;           ///< for kDomain: see narrow(); nobody() in place()
    Domain domain;         ///< before
    std::int64_t release;  ///< before; the spare for kSpare
  };

  /// All tops are to be at most `capacity_`.
  BodyState(const Component& component_, std::int64_t capacity_, Memory& memory)
      : component(&component_),
        capacity((std::min)(capacity_, kFar)),
        release(memory.take<std::int64_t>(component_.size)),
        offset(memory.take<std::int64_t>(component_.size)),
        unplaced(memory.take<Word>(component_.words())),
        skipped(memory.take<Word>(component_.words())),
        spare(memory.take<std::int64_t>(component_.clique_count())),
        total(memory.take<std::int64_t>(component_.clique_count())),
        weight(memory.take<std::int64_t>(component_.clique_count())),
        body_weight(memory.take<std::int64_t>(component_.size)),
        keys(component_.size, memory),
        trail(memory, 64 + 16 * std::size_t{component_.size}),
        domains_(memory.take<Domain>(component_.size)),
        ranges_(memory, 64 + 4 * component_.ranges.all().size()) {
    set_range(unplaced, 0, component->size);
    for (Index x = 0; x < component->size; ++x) {
      const std::int64_t highest =
          component->steps[x].down(capacity - component->extent[x]);
      domains_[x].at = ranges_.size();
      for (Range range : component->ranges[x]) {
        range.upper = (std::min)(range.upper, highest);
        if (range.lower <= range.upper) ranges_.push(range);
      }
      domains_[x].count = ranges_.size() - domains_[x].at;
      release[x] = domains_[x].count > 0 ? begin(x)->lower : kNever;
      add_to_cliques(x, 1);
    }
  }

  [[nodiscard]] Index nobody() const noexcept { return component->size; }
  [[nodiscard]] bool is_unplaced(Index x) const noexcept {
    return has_bit(unplaced, x);
  }
  [[nodiscard]] const Range* begin(Index x) const noexcept {
    return ranges_.begin() + domains_[x].at;
  }
  [[nodiscard]] const Range* end(Index x) const noexcept {
    return begin(x) + domains_[x].count;
  }
  [[nodiscard]] bool same_domain(Index x, Index y) const noexcept {
    return std::equal(begin(x), end(x), begin(y), end(y));
  }
  /// Whether the lowest offset of x's domain is forbidden it.
  [[nodiscard]] bool is_skipped(Index x) const noexcept {
    return has_bit(skipped, x);
  }
  /// Whether any range of x is open; also before a change, by its entry.
  [[nodiscard]] bool is_open(const Domain& domain) const noexcept {
    return any_that(ranges_in(domain),
                    [](const Range& range) { return range.open; });
  }
  [[nodiscard]] bool is_open(Index x) const noexcept {
    return is_open(domains_[x]);
  }
  /// The range whose lower end is x's next offset to try, or end(x).
  [[nodiscard]] const Range* candidate_range(Index x) const noexcept {
    return first_that(begin(x), end(x),
                      [](const Range& range) { return !range.open; });
  }
  [[nodiscard]] std::int64_t candidate(Index x) const noexcept {
    const Range* const range = candidate_range(x);
    return range == end(x) ? kNever : range->lower;
  }

  /// Calls visit(relation) for each relation of x to an unplaced body.
  template <class Visit>
  void for_each_relation(Index x, Visit&& visit) const {
    for (const Relation& relation : component->relations[x])
      if (is_unplaced(relation.body)) visit(relation);
  }

  /// Puts x at an offset of its domain. Writes one kPlaced entry, then one
  /// kDomain entry for each domain that it changes. Returns a body that has
  /// nowhere left to go, or nobody(); in the first case the rest of the domains
  /// stay.
  [[nodiscard]] Index place(Index x, std::int64_t at) {
    offset[x] = at;
    trail.push({x, Change::kPlaced, nobody(), domains_[x], release[x]});
    release[x] = kNever;
    clear_bit(unplaced, x);
    add_to_cliques(x, -1);
    key -= term(x);
    Index stuck = nobody();
    for_each_relation(x, [&](const Relation& relation) {
      const Index y = relation.body;
      if (domains_[y].count == 0) stuck = y;
      if (stuck != nobody() || begin(y)->lower >= offset[x] + relation.clear)
        return;
      for (Index k = relation.forbidden_begin;
           k < relation.forbidden_end && domains_[y].count > 0; ++k) {
        const Forbidden& forbidden = component->forbidden[k];
        take(y, moved(forbidden, offset[x]), nobody());
      }
      if (!has_room(y)) stuck = y;
    });
    return stuck;
  }

  /// Takes from the domains of others what a body whose domain changed after
  /// the first `mark` trail entries will be in the way of wherever it ends up:
  /// with all of its domain in [l, u], and (a, b) forbidden, (u + a, l + b).
  /// Looks at 64 changes a body at most: on different grids two could push each
  /// other on byte by byte. Returns as place() does.
  [[nodiscard]] Index narrow(std::size_t mark) {
    const std::size_t most = mark + 64 * std::size_t{component->size};
    Index stuck = nobody();
    for (std::size_t k = mark; k < trail.size() && k < most; ++k)
      if (trail[k].change == Change::kDomain && stuck == nobody())
        stuck = narrow_by(trail[k].body);
    return stuck;
  }
  /// The same for all bodies.
  [[nodiscard]] Index narrow_all() {
    const std::size_t mark = trail.size();
    for (Index y = 0; y < component->size; ++y) {
      if (!is_unplaced(y)) continue;
      const Index stuck = narrow_by(y);
      if (stuck != nobody()) return stuck;
    }
    return narrow(mark);
  }

  /// Forbids x its candidate.
  void skip(Index x) {
    key -= term(x);
    const std::size_t index =
        static_cast<std::size_t>(candidate_range(x) - begin(x));
    Range* const ranges = copy(x);
    ranges[index].open = true;
    if (index == 0) set_bit(skipped, x);
    key += term(x);
  }

  /// Takes the offsets below `lower`, which is in an open range of x, out of
  /// its domain, and makes `lower` its candidate.
  void reopen(Index x, std::int64_t lower) {
    key -= term(x);
    const Domain before = domains_[x];
    Range* const ranges = copy(x);
    std::size_t dropped = 0;
    while (ranges[dropped].upper < lower) ++dropped;
    std::copy(ranges + dropped, ranges + before.count, ranges);
    ranges[0].lower = lower;
    ranges[0].open = false;
    set_domain(x, {domains_[x].at, before.count - dropped});
    key += term(x);
  }

  void set_release(Index x, std::int64_t value) {
    if (release[x] == value) return;
    trail.push({x, Change::kRelease, nobody(), domains_[x], release[x]});
    release[x] = value;
  }

  void set_spare(Index clique, std::int64_t value) {
    if (spare[clique] == value) return;
    trail.push({clique, Change::kSpare, nobody(), {}, spare[clique]});
    spare[clique] = value;
  }

  /// Takes back every change after the first `mark` of the trail.
  void undo_to(std::size_t mark) {
    while (trail.size() > mark) {
      const TrailEntry entry = trail.pop();
      const Index x = entry.body;
      if (entry.change == Change::kSpare) {
        spare[x] = entry.release;
        continue;
      }
      release[x] = entry.release;
      if (entry.change == Change::kPlaced) {
        set_bit(unplaced, x);
        add_to_cliques(x, 1);
      } else if (entry.change == Change::kDomain) {
        ranges_.shrink(domains_[x].at);
        set_domain(x, entry.domain);
      }
    }
  }

  /// The key of a set of unplaced bodies.
  [[nodiscard]] Key term(Index x) const noexcept {
    std::uint64_t hash = 0;
    for (const Range* range = begin(x); range != end(x); ++range) {
      hash ^= StateKeys<std::int64_t>::hash(range->lower, range->open);
      hash = hash * 0x9e3779b97f4a7c15 +
             StateKeys<std::int64_t>::hash(range->upper, true);
    }
    return keys.term(x, hash);
  }

  const Component* component;
  std::int64_t capacity;
  std::int64_t* release;
  std::int64_t* offset;
  Word* unplaced;
  Word* skipped;  ///< of placed ones, too
  std::int64_t* spare;
  std::int64_t* total;
  std::int64_t* weight;
  std::int64_t* body_weight;
  StateKeys<std::int64_t> keys;
  Key key;  ///< changes with the state; only differences of it mean anything
  Stack<TrailEntry> trail;

 private:
  [[nodiscard]] View<const Range> ranges_in(
      const Domain& domain) const noexcept {
    const Range* const first = ranges_.begin() + domain.at;
    return {first, first + domain.count};
  }

  void set_domain(Index x, const Domain& domain) {
    domains_[x] = domain;
    clear_bit(skipped, x);
    if (domain.count > 0 && begin(x)->open) set_bit(skipped, x);
  }

  void add_to_cliques(Index x, std::int64_t sign) {
    for (const Membership& of : component->cliques[x]) {
      weight[of.clique] += sign * body_weight[x];
      total[of.clique] += sign * of.bytes;
    }
  }

  [[nodiscard]] Index narrow_by(Index y) {
    const std::int64_t lower = begin(y)->lower;
    const std::int64_t upper = (end(y) - 1)->upper;
    Index stuck = nobody();
    if (!is_unplaced(y) || upper - lower >= component->widest[y]) return stuck;
    for_each_relation(y, [&](const Relation& relation) {
      const Index x = relation.body;
      for (Index k = relation.forbidden_begin;
           k < relation.forbidden_end && stuck == nobody(); ++k) {
        const Forbidden& forbidden = component->forbidden[k];
        const Forbidden taken{moved(forbidden.lower, upper),
                              moved(forbidden.upper, lower)};
        if (taken.empty()) continue;
        take(x, taken, y);
        if (!has_room(x)) stuck = x;
      }
    });
    return stuck;
  }

  /// Takes the interval `taken` out of the domain of y.
  void take(Index y, const Forbidden& taken, Index cause) {
    const Domain before = domains_[y];
    Range* const room = ranges_.extend(before.count + 1);
    const std::size_t base = ranges_.size() - before.count - 1;
    const std::size_t count =
        take_out(ranges_.begin() + before.at, before.count, taken,
                 component->steps[y], room);
    if (count == kSame) {
      ranges_.shrink(base);
      return;
    }
    ranges_.shrink(base + count);
    key -= term(y);
    trail.push({y, Change::kDomain, cause, before, release[y]});
    set_domain(y, {base, count});
    key += term(y);
    // A skipped body's release is the business of body_releases.hpp.
    if (count > 0 && !is_skipped(y)) release[y] = begin(y)->lower;
  }

  /// Whether an offset that is not forbidden is left.
  [[nodiscard]] bool has_room(Index y) const noexcept {
    return any_that(ranges_in(domains_[y]), [](const Range& range) {
      return !range.open || range.lower < range.upper;
    });
  }

  /// A copy of x's domain that may be changed.
  [[nodiscard]] Range* copy(Index x) {
    const Domain before = domains_[x];
    trail.push({x, Change::kDomain, nobody(), before, release[x]});
    Range* const ranges = ranges_.extend(before.count);
    std::copy(ranges_.begin() + before.at,
              ranges_.begin() + before.at + before.count, ranges);
    domains_[x] = {ranges_.size() - before.count, before.count};
    return ranges;
  }

  Domain* domains_;
  Stack<Range> ranges_;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_BODIES_BODY_STATE_HPP
