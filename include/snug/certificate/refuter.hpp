// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The search for a certificate: it knows one branching, one bound and what it
/// has learned, and writes a lemma for each node that it refutes.
///
///     look for a lemma that is met, or for a stack --> none: place the lowest
///                                   |                         ^
///                                   v                         |
///     take the last placement back: is the lemma met without it?
///          yes  go on back                                    |
///          no   its buffer lies higher, if it can  -----------+
///               both cases refuted: a lemma for the node, which goes on back
///
/// A lemma asks for as little as its derivation needs, so it is met in many
/// other states, and by those before; that is all of the failed states and of
/// the backjumping here, and why it takes fewer nodes than the search of a
/// solve, mostly. It has no rule of thumb for finding placements.
///
/// *Branching.* x is the unplaced buffer of the lowest claim, of the fullest
/// clique among these. It is placed; then it is raised to the lowest top that
/// an unplaced neighbour may have which can hold it up, one whose own claim is
/// below x's top; without such a one there is no second case.
///
/// *What a lemma of both cases asks for.* Of x, its offset. Of a buffer of the
/// first lemma, its term, unless placing x gives it that. Of a buffer of the
/// second, its term, unless it is x. And of every neighbour of x among these:
/// to be above x where x is placed, and either not to hold x up, or to hold it
/// up as high as the second lemma needs.
///
/// Cost: all lemmas are kept, one for each two nodes or so, of n terms at the
/// most; those with a term for a buffer that is raised are looked through.
/// Source: learning from conflicts, Marques-Silva and Sakallah, "GRASP" (IEEE
/// Transactions on Computers 48, 1999), with addresses for literals.
#ifndef SNUG_CERTIFICATE_REFUTER_HPP
#define SNUG_CERTIFICATE_REFUTER_HPP

#include "snug/certificate/certifiable.hpp"
#include "snug/certificate/claims.hpp"
#include "snug/certificate/lemmas.hpp"
#include "snug/config.hpp"
#include "snug/engine/limits.hpp"
#include "snug/model/result.hpp"
#include "snug/normal/plain.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"
#include "snug/support/outcome.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

SNUG_BEGIN_NAMESPACE
namespace detail {

class Refuter {
 public:
  /// As for Claims.
  Refuter(const Certifiable& certifiable, std::int64_t capacity,
          const Interrupt& interrupt = {})
      : plain_(&certifiable.plain),
        claims_(certifiable, capacity, interrupt),
        lemmas_(plain_->buffers.size()),
        terms_(plain_->buffers.size()) {
    for (const Index x : plain_->order)
      if (claims_.is_fixed(x)) ++placed_;
  }

  /// After kRefuted, the last lemma asks for nothing but the presence of its
  /// buffers, and the offsets of fixed ones.
  [[nodiscard]] Outcome run(Limits& limits) {
    if (limits.stopped_by() != Stop::kNone) return Outcome::kOpen;
    for (;;) {
      const Lemma lemma = look();
      if (claims_.gave_up()) return Outcome::kOpen;
      if (lemma != kNoLemma) {
        if (!retreat(lemma)) return Outcome::kRefuted;
      } else if (placed_ == plain_->order.size()) {
        return Outcome::kPlacedAll;
      } else if (limits.hit(nodes_) || lemmas_.is_full()) {
        return Outcome::kOpen;
      } else {
        place(choose());
      }
    }
  }

  [[nodiscard]] const Lemmas& lemmas() const noexcept { return lemmas_; }
  /// The one that refutes the problem, after kRefuted.
  [[nodiscard]] Lemma last() const noexcept { return last_; }
  [[nodiscard]] std::int64_t nodes() const noexcept { return nodes_; }

 private:
  /// A buffer that was placed, or has been raised since that was refuted.
  struct Node {
    Index buffer;
    std::int64_t offset;
    std::size_t mark;  ///< the trail before
    Lemma placed;      ///< why it was raised; kNoLemma: it is placed
  };

  /// A lemma that the state meets, old or new, or kNoLemma.
  [[nodiscard]] Lemma look() {
    const Lemma met = claims_.find_met(lemmas_);
    if (met != kNoLemma) {
      claims_.forget_changes();
      return met;
    }
    if (!claims_.find_stack(terms_)) return kNoLemma;
    return lemmas_.add(terms_.take(), {});
  }

  [[nodiscard]] Index choose() const {
    using Rank = std::array<std::int64_t, 4>;
    Index best = 0;
    Rank least{(std::numeric_limits<std::int64_t>::max)(), 0, 0, 0};
    for (const Index x : plain_->order) {
      if (claims_.is_fixed(x) || !claims_.is_unplaced(x) ||
          claims_.lowest(x) > least[0])
        continue;
      const Rank key{claims_.lowest(x), -claims_.fullest(x),
                     -static_cast<std::int64_t>(claims_.cliques(x)),
                     -claims_.size(x)};
      if (key >= least) continue;
      least = key;
      best = x;
    }
    return best;
  }

  void place(Index x) {
    ++nodes_;
    ++placed_;
    path_.push_back({x, claims_.lowest(x), claims_.mark(), kNoLemma});
    claims_.place(x);
  }

  /// Goes back to a node with a case that is still open, and takes that. False,
  /// with the last lemma, if there is none.
  [[nodiscard]] bool retreat(Lemma lemma) {
    for (; !path_.empty(); path_.pop_back()) {
      Node& node = path_.back();
      claims_.undo(node.mark, node.buffer);
      const bool is_placed = node.placed == kNoLemma;
      if (is_placed) --placed_;
      if (claims_.meets(lemmas_.terms(lemma))) continue;
      if (!is_placed) {
        lemma = join(node, node.placed, lemma);
      } else if (can_be_held_up(node, lemma)) {
        node.placed = lemma;
        claims_.raise(node.buffer, held_up(node));
        return true;
      } else {
        lemma = join(node, lemma, kNoLemma);
      }
    }
    last_ = lemma;
    return false;
  }

  /// Whether a buffer that the first lemma speaks of can hold up that of the
  /// node. If none can, the others do not matter: it speaks of the same state
  /// without them.
  [[nodiscard]] bool can_be_held_up(const Node& node, Lemma placed) const {
    const std::int64_t top = claims_.top(node.buffer, node.offset);
    const Lemmas::Terms terms = lemmas_.terms(placed);
    return any_that(terms, [&](const Term& term) {
      return claims_.are_neighbours(node.buffer, term.buffer) &&
             claims_.lowest(term.buffer) < top;
    });
  }

  /// The lowest offset at which something may hold up the buffer of a node.
  [[nodiscard]] std::int64_t held_up(const Node& node) const {
    const Index x = node.buffer;
    const std::int64_t top = claims_.top(x, node.offset);
    std::int64_t least = (std::numeric_limits<std::int64_t>::max)();
    for (const Index y : claims_.neighbours(x))
      if (claims_.is_unplaced(y) && claims_.lowest(y) < top)
        least = (std::min)(least, claims_.top(y, claims_.lowest(y)));
    return claims_.round_up(x, least);
  }

  /// The lemma of a node whose cases are refuted by `placed` and `raised`, or
  /// kNoLemma if it cannot be raised.
  [[nodiscard]] Lemma join(const Node& node, Lemma placed, Lemma raised) {
    const Index x = node.buffer;
    const std::int64_t top = claims_.top(x, node.offset);
    ask(x, node.offset);
    for (const Term& term : lemmas_.terms(placed)) {
      const Index y = term.buffer;
      const bool is_given = claims_.are_neighbours(x, y) &&
                            term.lowest <= claims_.round_up(y, top);
      ask(y, is_given ? 0 : term.lowest);
    }
    std::int64_t held_up = top;
    if (raised != kNoLemma)
      for (const Term& term : lemmas_.terms(raised)) {
        if (term.buffer == x)
          held_up = claims_.relax(x, term.lowest);
        else
          ask(term.buffer, term.lowest);
      }
    for (const Index y : terms_.buffers()) {
      if (!claims_.are_neighbours(x, y)) continue;
      ask(y, node.offset - claims_.size(y) + 1);
      ask(y, raised == kNoLemma ? top
                                : (std::min)(top, held_up - claims_.size(y)));
    }
    return lemmas_.add(terms_.take(), {x, placed, raised});
  }

  /// What is fixed is where it is in any state.
  void ask(Index x, std::int64_t lowest) {
    if (!claims_.is_fixed(x)) terms_.add(x, claims_.relax(x, lowest));
  }

  const Plain* plain_;
  Claims claims_;
  Lemmas lemmas_;
  TermSet terms_;
  List<Node> path_{};
  std::size_t placed_ = 0;
  std::int64_t nodes_ = 0;
  Lemma last_ = kNoLemma;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_CERTIFICATE_REFUTER_HPP
