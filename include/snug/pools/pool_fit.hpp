// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Divisions of items, placed soon, as far as that goes: what a search has in hand when
/// it is stopped at once.
///
///     dive     some buffers of a pool at once, if its problem is plain but for gaps and
///              pairs that may overlap, which are left to first fit: in the best of a
///              few dives, what ends below the capacity is placed
///     fit      all else by first fit (bodies/body_fit.hpp): the items that a division
///              has in a pool, the larger ones first; then each, best to have first, in
///              the cheapest pool that has a place left for it
///     walk     where alignments are mixed, from first fit in each order on
///              (place_walk.hpp)
///
/// The bodies of a pool are those of its problem with all its constraints, so that what
/// is placed one after the other is a placement. What is tied goes to one pool or
/// elsewhere together, also where its buffers are items of their own.
///
/// Cost: that of find_incumbent(); that of first fit for each item and each pool that
/// has no place for it.
#ifndef SNUG_POOLS_POOL_FIT_HPP
#define SNUG_POOLS_POOL_FIT_HPP

#include "snug/bodies/bodies.hpp"
#include "snug/bodies/body_builder.hpp"
#include "snug/bodies/body_fit.hpp"
#include "snug/bodies/conflict_cliques.hpp"
#include "snug/config.hpp"
#include "snug/explain/spots.hpp"
#include "snug/heuristics/incumbent.hpp"
#include "snug/normal/coarse.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/plain.hpp"
#include "snug/normal/presolve.hpp"
#include "snug/pools/cost_table.hpp"
#include "snug/pools/place_memory.hpp"
#include "snug/pools/place_walk.hpp"
#include "snug/pools/pool_set.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"
#include "snug/support/sort.hpp"
#include "snug/support/sort_in_parts.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

template <class M>
class PoolFit {
 public:
  /// Both must outlive this. The last column of the costs is elsewhere. Of no use if
  /// the budget gave up.
  PoolFit(PoolSet<M>& pools, const CostTable& costs)
      : pools_(&pools),
        costs_(&costs),
        sums_(0, costs.columns),
        elsewhere_(static_cast<Index>(pools.size())) {
    for (Index p = 0; p < elsewhere_; ++p) {
      Index like = 0;
      while (&pools.problem(like) != &pools.problem(p)) ++like;
      if (like < p) {
        memory_of_.push_back(memory_of_[like]);
        continue;
      }
      memory_of_.push_back(static_cast<Index>(flats_.size()));
      flats_.push_back(flatten(pools.problem(p), pools.budget().interrupt()));
      if (pools.budget().gave_up()) return;
      Flat& flat = flats_.back();
      sort_pairs(flat.may_overlap);
      drop_pairs(flat);
      // Whatever it would cost to round sizes up: that is for others to try.
      is_mixed_ = is_mixed_ || has_mixed_alignments(flat, 1);
      Flat tight = flat;
      (void)tighten(tight);
      const Ground ground =
          tight.apart.empty() ? plain_ground(tight) : Ground();
      is_plain_ = is_plain_ && ground;
      grounds_.push_back(ground.value_or(0));
    }
  }

  /// Whether the problems of all pools are plain but for gaps and pairs that may
  /// overlap: without these, what is placed is a placement with them, too.
  [[nodiscard]] bool is_plain() const noexcept { return is_plain_; }

  /// Whether alignments are mixed, so that a walk is of use.
  [[nodiscard]] bool is_mixed() const noexcept { return is_mixed_; }

  /// Writes the offsets of those of `buffers`, ascending, that it places in a pool
  /// whose problem is plain; stop() is asked between dives.
  void dive(Index p, const std::vector<std::size_t>& buffers,
            std::vector<std::int64_t>& offsets, const Interrupt& stop) const {
    // A million buffers take a second for each dive.
    constexpr std::size_t kMost = 16;
    constexpr std::size_t kLeast = 8;
    constexpr std::size_t kBuffers = std::size_t{1} << 18;
    const std::size_t dives =
        (std::min)((std::max)(kBuffers / (buffers.size() + 1), kLeast), kMost);
    const Flat& flat = flats_[memory_of_[p]];
    const std::int64_t ground = grounds_[memory_of_[p]];
    const std::int64_t height = pools_->capacity(p) - ground;
    if (height < 0) return;
    const Interrupt interrupt = pools_->budget().interrupt();
    const Plain plain = subset_of(flat.buffers, buffers, interrupt);
    const List<std::int64_t> found = find_incumbent(
        plain, height, stop, interrupt, static_cast<std::int64_t>(dives));
    for (std::size_t k = 0; k < found.size(); ++k)
      if (found[k] <= height - plain.buffers[k].size)
        offsets[buffers[k]] = ground + found[k];
  }

  /// Places what has no offset yet: items that a division has in a pool, there, and then
  /// all that it can, in `order`, where they cost less than where they are; and changes
  /// the division so. Whether all items are where they may be. If it is interrupted, the
  /// last ones are not tried.
  [[nodiscard]] bool fit(const List<Index>& order, List<Index>& division,
                         std::vector<std::int64_t>& offsets) {
    if (!prepare() || !start(division, offsets)) return false;
    List<Ranked> ranked;
    List<bool> is_ranked(choices_.size(), false);
    for (Index k = 0; k < order.size(); ++k) {
      const Index b = body_of_[order[k]];
      if (is_ranked[b]) continue;
      is_ranked[b] = true;
      const Body& body = bodies_.front().bodies[b];
      const Index p = division[order[k]];
      const bool is_chosen = p != elsewhere_ && column_[b] == elsewhere_;
      ranked.push_back({{body.is_fixed() ? -1 : fits_.front().rank_of(b),
                         is_chosen ? body.area : -static_cast<double>(k), b},
                        is_chosen ? p : elsewhere_});
    }
    if (!sort_in_parts(
            ranked.begin(), ranked.end(),
            [](const Ranked& a, const Ranked& b) { return a < b; },
            pools_->budget().interrupt()))
      return false;
    for (const Ranked& one : ranked) {
      if (one.pool != elsewhere_) (void)put(one.body, one.pool);
      if (one.end < 0) improve(one.body);
    }
    for (const Ranked& one : ranked) improve(one.body);
    return write(division, offsets);
  }

  /// Walks, from its best placement or a cheaper one that is given, until it has looked
  /// at so many bodies, or costs at most `target`; where it began, from first fit in
  /// each of the orders. Writes the best placement. Whether all items are where they may
  /// be; false where it is of no use to walk.
  [[nodiscard]] bool walk(const Lists<Index>& orders, std::int64_t looks,
                          std::int64_t target, List<Index>& division,
                          std::vector<std::int64_t>& offsets) {
    const Interrupt stop = pools_->budget().stopper();
    if (!has_walk(orders, stop)) return false;
    if (!division.empty()) {
      if (!start(division, offsets)) return false;
      if (is_of_bodies(division))
        walk_->begin({column_, offsets_in_pools(), sums_.cost_of(column_)});
    }
    walk_->run(looks, target, stop);
    const PlaceWalk::Placement best = walk_->best();
    column_ = best.columns;
    for (Index b = 0; b < column_.size(); ++b)
      if (column_[b] != elsewhere_) at_[column_[b]][b] = best.at[b];
    division.resize(costs_->items);
    offsets.resize(pools_->buffers());
    return write(division, offsets);
  }

  /// At how many bodies the walk has looked.
  [[nodiscard]] std::int64_t looks() const noexcept {
    return walk_ ? walk_->looks() : 0;
  }

 private:
  /// More pairs of bodies are too many for a walk.
  static constexpr std::int64_t kMostPairs = std::int64_t{1} << 18;

  /// With the pool in which the body is to be.
  struct Ranked : BodyFit::Ranked {
    Index pool;
  };

  [[nodiscard]] const Bodies& bodies(Index pool) const {
    return bodies_[memory_of_[pool]];
  }

  /// Makes the bodies. False if it is interrupted.
  [[nodiscard]] bool prepare() {
    if (!choices_.empty()) return true;
    const Interrupt interrupt = pools_->budget().interrupt();
    bodies_.clear();
    for (const Flat& flat : flats_)
      bodies_.push_back(BodyBuilder(flat, interrupt).build(CliqueScope::kNone));
    if (pools_->budget().gave_up()) return false;
    body_of_.clear();
    for (const std::vector<std::size_t>& item : pools_->items())
      body_of_.push_back(bodies_.front().body_of[item.front()]);
    find_choices(interrupt);
    if (!pools_->budget().gave_up()) return true;
    choices_.clear();
    return false;
  }
  /// The pools of each body that cost less than elsewhere, the cheapest first.
  void find_choices(const Interrupt& interrupt) {
    Index count = 0;
    for (const Index b : body_of_) count = (std::max)(count, b + 1);
    sums_ = CostTable(count, costs_->columns);
    for (std::int64_t& sum : sums_.costs) sum = 0;
    for (Index i = 0; i < costs_->items; ++i)
      for (Index c = 0; c <= elsewhere_; ++c) {
        std::int64_t& sum = sums_.at(body_of_[i], c);
        if (!costs_->allows(i, c)) sum = CostTable::kNever;
        if (sum != CostTable::kNever) sum += costs_->at(i, c);
      }
    std::size_t since = 0;
    for (Index b = 0; b < count; ++b) {
      if (interrupt.after(elsewhere_ + std::size_t{1}, since)) return;
      List<Index> its;
      for (Index p = 0; p < elsewhere_; ++p)
        if (sums_.allows(b, p) && (!sums_.allows(b, elsewhere_) ||
                                   sums_.at(b, p) < sums_.at(b, elsewhere_)))
          its.push_back(p);
      sort_ascending(its, [&](Index p) { return sums_.at(b, p); });
      choices_.push_back(std::move(its));
    }
  }

  /// Whether there is a walk: it is begun here.
  [[nodiscard]] bool has_walk(const Lists<Index>& orders,
                              const Interrupt& stop) {
    if (!is_mixed_ || !prepare()) return false;
    if (walk_) return true;
    std::int64_t pairs = 0;
    bool has_fixed = false;
    for (const Bodies& memory : bodies_) {
      pairs += PlaceMemory::count_pairs(memory);
      for (Index b = 0; b < choices_.size(); ++b)
        has_fixed = has_fixed || memory.bodies[b].is_fixed();
    }
    is_mixed_ = pairs <= kMostPairs && !has_fixed;
    if (!is_mixed_) return false;
    if (!start(List<Index>(costs_->items, elsewhere_),
               std::vector<std::int64_t>(pools_->buffers(), kAbsent)))
      return false;
    for (const Bodies& memory : bodies_)
      places_.emplace_back(memory, choices_.size());
    for (Index p = 0; p < elsewhere_; ++p)
      place_pools_.push_back(
          {memory_of_[p], pools_->capacity(p) / bodies(p).unit});
    walk_.emplace(places_, place_pools_, sums_, choices_, refuges(),
                  pools_->budget().options().seed);
    for (const List<Index>& order : orders) {
      List<Index> of_bodies;
      for (const Index i : order) of_bodies.push_back(body_of_[i]);
      walk_->fill(of_bodies, stop);
      if (stop()) break;
    }
    return true;
  }
  /// The cheapest pool for each body that is ample; elsewhere if there is none that is
  /// cheaper. Only the plain are surely placed there one on top of the other.
  [[nodiscard]] List<Index> refuges() const {
    List<Index> refuges(choices_.size(), elsewhere_);
    for (Index p = 0; p < elsewhere_ && is_plain_; ++p) {
      if (!pools_->is_ample(p, *costs_)) continue;
      for (Index b = 0; b < refuges.size(); ++b)
        if (is_choice(b, p) && (refuges[b] == elsewhere_ ||
                                sums_.at(b, p) < sums_.at(b, refuges[b])))
          refuges[b] = p;
    }
    return refuges;
  }
  [[nodiscard]] bool is_choice(Index b, Index p) const {
    return std::find(choices_[b].begin(), choices_[b].end(), p) !=
           choices_[b].end();
  }
  /// Whether no body is torn: what is tied may be where only a part of it is.
  [[nodiscard]] bool is_of_bodies(const List<Index>& division) const {
    for (Index i = 0; i < division.size(); ++i)
      if (division[i] != column_[body_of_[i]]) return false;
    return true;
  }
  /// Of each body, in the units of its pool.
  [[nodiscard]] List<std::int64_t> offsets_in_pools() const {
    List<std::int64_t> offsets(column_.size(), 0);
    for (Index b = 0; b < column_.size(); ++b)
      if (column_[b] != elsewhere_) offsets[b] = at_[column_[b]][b];
    return offsets;
  }

  /// Begins with what is reserved, and with what has an offset. False if it is
  /// interrupted.
  [[nodiscard]] bool start(const List<Index>& division,
                           const std::vector<std::int64_t>& offsets) {
    const Interrupt interrupt = pools_->budget().interrupt();
    std::size_t since = 0;
    fits_.clear();
    at_.clear();
    for (Index p = 0; p < elsewhere_; ++p) {
      if (interrupt.after(bodies(p).bodies.size(), since)) return false;
      fits_.emplace_back(bodies(p));
      at_.push_back(bodies(p).fixed_offsets());
      for (std::size_t b = choices_.size(); b < bodies(p).bodies.size(); ++b)
        fits_.back().add(static_cast<Index>(b));
    }
    column_.assign(choices_.size(), elsewhere_);
    since_ = 0;
    is_over_ = false;
    for (Index i = 0; i < division.size(); ++i) {
      const auto buffer = static_cast<Index>(pools_->items()[i].front());
      if (offsets[buffer] == kAbsent) continue;
      const Index b = body_of_[i];
      const Index p = column_[b] = division[i];
      at_[p][b] = bodies(p).body_at(buffer, offsets[buffer]);
      fits_[p].add(b);
    }
    return true;
  }
  /// Whether a body now is in a pool, in which it was not.
  bool put(Index b, Index p) {
    const std::int64_t capacity = pools_->capacity(p) / bodies(p).unit;
    is_over_ = is_over_ ||
               pools_->budget().stopper().after(fits_[p].looks() + 1, since_);
    if (is_over_ || !fits_[p].put(b, capacity, at_[p])) return false;
    column_[b] = p;
    return true;
  }
  /// Puts a body where it costs less, if it can. Where it was, nobody else is put.
  void improve(Index b) {
    for (const Index p : choices_[b])
      if (p == column_[b] || put(b, p)) return;
  }
  [[nodiscard]] bool write(List<Index>& division,
                           std::vector<std::int64_t>& offsets) const {
    bool is_whole = true;
    for (Index i = 0; i < division.size(); ++i) {
      const Index p = division[i] = column_[body_of_[i]];
      is_whole = is_whole && costs_->allows(i, p);
      for (const std::size_t b : pools_->items()[i])
        offsets[b] = p == elsewhere_
                         ? kAbsent
                         : bodies(p).offset_of(static_cast<Index>(b),
                                               at_[p][body_of_[i]]);
    }
    return is_whole;
  }

  PoolSet<M>* pools_;
  const CostTable* costs_;
  CostTable sums_;  ///< of each body
  Index elsewhere_;
  std::vector<Flat> flats_{};     ///< of each memory
  List<std::int64_t> grounds_{};  ///< of each memory, if all are plain
  bool is_plain_ = true;
  bool is_mixed_ = false;              ///< alignments, so that a walk is of use
  List<Index> memory_of_{};            ///< of each pool
  std::vector<Bodies> bodies_{};       ///< of each memory
  List<Index> body_of_{};              ///< of each item
  Lists<Index> choices_{};             ///< of each body
  std::vector<PlaceMemory> places_{};  ///< of each memory
  List<PlacePool> place_pools_{};
  std::optional<PlaceWalk> walk_{};
  // Of the placement at hand:
  std::vector<BodyFit> fits_{};  ///< of each pool
  Lists<std::int64_t> at_{};     ///< of each pool and body
  List<Index> column_{};         ///< where each body is
  std::size_t since_ = 0;
  bool is_over_ = false;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_POOLS_POOL_FIT_HPP
