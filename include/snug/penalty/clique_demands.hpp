// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What must be paid in a clique: buffers of which every two are live together,
/// kept apart or a soft pair.
///
/// Let C bytes be there, sizes of the clique sum up to W, and let c(x) buffers
/// hold byte x. The sum of c(x) over all bytes is W, so the sum of
/// c(x) * (c(x) - 1) / 2 is least where all c(x) are as even as can be:
///
///     c is q or q + 1, W = q * C + r:   needed = C * q * (q - 1) / 2 + r * q
///
/// That sum counts each byte that a pair shares, and only pairs that pay share
/// any, none more than the smaller size. So over the soft pairs of the clique
///
///     sum of min(size, size) of those that pay  >=  needed
///
/// which is a demand of penalty/cover.hpp on the pairs. For W <= C nothing is
/// needed; with equal sizes that divide C it is the number of pairs in a
/// complete graph that has no clique larger than C / size (Turan, 1941).
///
/// Rounding. For any unit u, a buffer of size s holds at least floor(s / u) of
/// the floor(C / u) bytes u - 1, 2u - 1, ...; counting these bytes alone, the
/// same holds of sizes floor(s / u) and capacity floor(C / u). The sizes of the
/// clique are tried as units, and the one that asks for most is taken.
///
/// Cost: that of engine/heavy_cliques.hpp.
#ifndef SNUG_PENALTY_CLIQUE_DEMANDS_HPP
#define SNUG_PENALTY_CLIQUE_DEMANDS_HPP

#include "snug/config.hpp"
#include "snug/engine/heavy_cliques.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/presolve.hpp"
#include "snug/penalty/cover.hpp"
#include "snug/penalty/soft_pairs.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"
#include "snug/support/sort.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

class CliqueDemands {
 public:
  /// Whether a problem is small enough.
  [[nodiscard]] static bool suits(const Flat& flat) {
    return flat.buffers.size() <= kMostBuffers;
  }

  /// `flat`: with sorted pairs. `room`: the bytes that there are.
  CliqueDemands(const Flat& flat, const List<SoftPair>& soft, std::int64_t room)
      : flat_(&flat),
        soft_(&soft),
        room_(room),
        count_(flat.buffers.size()),
        kind_(count_ * count_, kFree) {
    const GapsOf gaps(flat);
    for (Index a = 0; a < count_; ++a) {
      if (flat.buffers[a].size == 0) continue;
      vertices_.push_back(a);
      weights_.push_back(flat.buffers[a].size);
      for (Index b = a + 1; b < count_; ++b)
        if (sharing_of(flat, gaps, a, b) == Sharing::kNever) set(a, b, kHard);
    }
    for (std::size_t p = 0; p < soft.size(); ++p)
      set(soft[p].a, soft[p].b, static_cast<std::int32_t>(p));
  }

  /// Calls visit(demand) for the demand of a heavy clique around each soft pair
  /// that is_open(p) and in no earlier clique: of `most` pairs, beginning where
  /// the last call ended. Returns whether it came round. stop() ends it.
  template <class IsOpen, class Visit>
  bool find(std::int64_t most, IsOpen&& is_open, Visit&& visit,
            const Interrupt& stop) {
    constexpr std::int64_t kNodes = 64;
    HeavyCliques graph(vertices_, weights_, [&](Index a, Index b) {
      const std::int32_t kind = kind_[a * count_ + b];
      return kind == kHard ||
             (kind != kFree && is_open(static_cast<std::size_t>(kind)));
    });
    List<std::uint8_t> done(soft_->size(), 0);
    for (std::size_t k = 0; k < soft_->size(); ++k) {
      if (next_ >= soft_->size()) next_ = 0;
      const std::size_t p = next_;
      if (done[p] == 0 && is_open(p) && most-- <= 0) return false;
      ++next_;
      if (done[p] != 0 || !is_open(p)) continue;
      if (stop()) return false;
      const List<Index> clique =
          graph.heaviest_with((*soft_)[p].a, (*soft_)[p].b, kNodes);
      for_each_pair(clique, [&](std::size_t pair) { done[pair] = 1; });
      Demand demand = demand_of(clique);
      if (demand.needed > 0) visit(std::move(demand));
    }
    return true;
  }

  /// The demand of a clique on soft pairs that costs most; needed <= 0: there is
  /// none.
  [[nodiscard]] Demand demand_of(const List<Index>& clique) const {
    std::vector<std::int64_t> units{1};
    for (const Index i : clique)
      if (std::find(units.begin(), units.end(), flat_->buffers[i].size) ==
          units.end())
        units.push_back(flat_->buffers[i].size);
    Demand best;
    double highest = 0;
    for (const std::int64_t unit : units) {
      if (unit > room_) continue;
      Demand demand = demand_in(clique, unit);
      if (demand.needed <= 0) continue;
      const double cost = least_cost(demand);
      // Rounding must not choose between equal ones.
      if (cost <= highest * (1 + 1e-9)) continue;
      best = std::move(demand);
      highest = cost;
    }
    return best;
  }

 private:
  static constexpr std::size_t kMostBuffers = 1024;
  static constexpr std::int32_t kFree = -1;
  static constexpr std::int32_t kHard = -2;

  void set(Index a, Index b, std::int32_t kind) {
    kind_[a * count_ + b] = kind;
    kind_[b * count_ + a] = kind;
  }

  /// Calls visit(pair) for each soft pair of a clique.
  template <class Visit>
  void for_each_pair(const List<Index>& clique, Visit&& visit) const {
    for (std::size_t x = 0; x < clique.size(); ++x)
      for (std::size_t y = x + 1; y < clique.size(); ++y) {
        const std::int32_t kind = kind_[clique[x] * count_ + clique[y]];
        if (kind >= 0) visit(static_cast<std::size_t>(kind));
      }
  }

  /// What it costs to meet a demand if pairs can pay in part.
  [[nodiscard]] double least_cost(const Demand& demand) const {
    struct Offer {
      double price;
      double worth;
    };
    List<Offer> offers;
    for (std::size_t k = 0; k < demand.pairs.size(); ++k) {
      const auto cost = static_cast<double>((*soft_)[demand.pairs[k]].cost);
      const auto worth = static_cast<double>(demand.worth[k]);
      offers.push_back({cost / worth, worth});
    }
    heap_sort(offers, [](const Offer& a, const Offer& b) {
      return a.price != b.price ? a.price < b.price : a.worth < b.worth;
    });
    auto left = static_cast<double>(demand.needed);
    double sum = 0;
    for (const auto& [price, worth] : offers) {
      const double part = (std::min)(left, worth);
      sum += price * part;
      left -= part;
      if (left <= 0) break;
    }
    return sum;
  }

  [[nodiscard]] Demand demand_in(const List<Index>& clique,
                                 std::int64_t unit) const {
    Demand demand;
    const std::int64_t room = room_ / unit;
    std::int64_t weight = 0;
    for (const Index i : clique) weight += flat_->buffers[i].size / unit;
    if (room <= 0 || weight <= room) return demand;
    const std::int64_t full = weight / room;
    const std::int64_t rest = weight % room;
    // What is needed, and what all pairs are worth, is at most the weight times
    // the buffers, unless one is larger than the room: then it cannot be met.
    // Larger numbers are no use to dual_bound.hpp; a larger unit has others.
    constexpr std::int64_t kMost = std::int64_t{1} << 52;
    const auto count = static_cast<std::int64_t>(clique.size());
    if (full > count || weight > kMost / count) return demand;
    demand.needed = room * (full * (full - 1) / 2) + rest * full;
    std::int64_t total = 0;
    for_each_pair(clique, [&](std::size_t p) {
      const std::int64_t worth = (std::min)(
          {flat_->buffers[(*soft_)[p].a].size / unit,
           flat_->buffers[(*soft_)[p].b].size / unit, demand.needed});
      if (worth == 0) return;
      demand.pairs.push_back(p);
      demand.worth.push_back(worth);
      total += worth;
    });
    // It cannot be met at all: the problem has no placement, which the search
    // says. As a demand it would be ill-formed.
    if (total < demand.needed) demand = {};
    return demand;
  }

  const Flat* flat_;
  const List<SoftPair>* soft_;
  std::int64_t room_;
  std::size_t count_;
  List<std::int32_t> kind_;  ///< of two buffers: a soft pair, kHard or kFree
  std::size_t next_ = 0;     ///< where find() goes on
  List<Index> vertices_{};
  List<std::int64_t> weights_{};
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PENALTY_CLIQUE_DEMANDS_HPP
