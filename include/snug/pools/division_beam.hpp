// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The cheapest division of items among pools such that no section holds too
/// many bytes: by dynamic programming over time, exactly or as a bound.
///
/// Items come one after the other in order of their first sections. A *state*
/// says where those are that still share a section with one to come, and what
/// all so far cost; of two that say the same the cheaper one is enough.
///
///     layer 1        layer 2          layer 3
///       a|    -----    ab|     -----    b|       a is over: its two states
///        |a   \        a|b     -----     |b      become one, for b here and
///               ---     |ab    -----             for b there
///
/// What a state costs in the end at least is what it costs so far, and what the
/// rest does by the prices of LoadBound: each item at its least, those that are
/// not over for the sections to come, less the price of the room there. States
/// that cannot become cheaper than what is known are dropped.
///
/// If there are more states than `width`, those of the highest bounds go; the
/// least of the bounds of all that went is a bound still. If none went, what
/// remains is the cheapest.
///
/// Cost: O(width * columns * d) a layer for the d items of a state, and a word
/// for each state of each layer.
/// Source: Lowerre's beam (1976); bounds from what was cut off, as in Ibaraki et
/// al., "Heuristic dynamic programming" (1978).
#ifndef SNUG_POOLS_DIVISION_BEAM_HPP
#define SNUG_POOLS_DIVISION_BEAM_HPP

#include "snug/config.hpp"
#include "snug/normal/flat.hpp"
#include "snug/pools/cost_table.hpp"
#include "snug/pools/load_bound.hpp"
#include "snug/pools/pool_loads.hpp"
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

class DivisionBeam {
 public:
  static constexpr std::int64_t kNone =
      (std::numeric_limits<std::int64_t>::max)();
  static constexpr std::size_t kMostColumns = 255;

  /// All must outlive the beam. At most kMostColumns columns.
  DivisionBeam(const std::vector<PoolLoads>& pools, const CostTable& costs,
               const LoadBound& prices)
      : pools_(&pools), costs_(&costs), prices_(&prices) {
    find_order();
    find_ends();
    find_room_prices();
    least_.assign(order_.size() + 1, 0);
    for (std::size_t k = order_.size(); k-- > 0;)
      least_[k] = least_[k + 1] + prices.least(order_[k]);
  }

  /// Looks for divisions that cost less than `target`. False if stop() said so,
  /// and then nothing is known.
  [[nodiscard]] bool run(std::int64_t target, std::size_t width,
                         const Interrupt& stop) {
    target_ = target;
    bound_ = target;
    cost_ = kNone;
    nodes_ = 0;
    layers_.clear();
    live_.clear();
    states_.assign(1, 0);
    keys_.clear();
    for (std::size_t k = 0; k < order_.size() && !states_.empty(); ++k) {
      if (stop()) return false;
      open_layer(k);
      if (!expand(k, stop)) return false;
      close_layer(width);
    }
    if (!states_.empty()) {
      cost_ = states_.front();
      bound_ = (std::min)(bound_, cost_);
    }
    return true;
  }

  /// No division that the loads allow costs less; at most the target.
  [[nodiscard]] std::int64_t bound() const noexcept { return bound_; }
  /// Of the division that was found, or kNone.
  [[nodiscard]] std::int64_t cost() const noexcept { return cost_; }
  [[nodiscard]] std::int64_t nodes() const noexcept { return nodes_; }
  /// The column of each item of that division.
  [[nodiscard]] List<Index> division() const {
    List<Index> columns(costs_->items, 0);
    std::uint32_t at = 0;
    for (std::size_t k = order_.size(); k-- > 0;) {
      const Step& step = layers_[k][at];
      columns[order_[k]] = step.column;
      at = step.parent;
    }
    return columns;
  }

 private:
  /// What led to a state: from which state of the layer before, and where to.
  struct Step {
    std::uint32_t parent;
    std::uint8_t column;
  };
  /// A state of the next layer.
  struct Child {
    std::int64_t cost;
    std::int64_t bound;
    std::size_t hash;
    Step step;
  };

  void find_order() {
    List<Index> first(costs_->items, ~Index{0});
    for (Index i = 0; i < costs_->items; ++i)
      for (const PoolLoads& loads : *pools_)
        for (const LoadPart& part : loads.parts[i])
          first[i] = (std::min)(first[i], part.sections.lower);
    order_ = numbers_below(costs_->items);
    sort_ascending(order_, [&](Index k) { return first[k]; });
  }

  /// The last layer that each section is part of, and each item shares a
  /// section with.
  void find_ends() {
    last_.assign(costs_->items, 0);
    for (const PoolLoads& loads : *pools_) {
      std::vector<std::size_t> latest(loads.sections, 0);
      for (std::size_t k = 0; k < order_.size(); ++k)
        loads.for_each_section(order_[k],
                               [&](Index s, std::int64_t) { latest[s] = k; });
      for (Index i = 0; i < costs_->items; ++i)
        loads.for_each_section(i, [&](Index s, std::int64_t) {
          last_[i] = (std::max)(last_[i], latest[s]);
        });
      latest_.push_back(std::move(latest));
    }
  }

  /// The price of all room in sections with items after layer k, negative.
  void find_room_prices() {
    room_prices_.assign(order_.size(), 0);
    for (std::size_t c = 0; c < pools_->size(); ++c)
      for (Index s = 0; s < (*pools_)[c].sections; ++s)
        if (latest_[c][s] > 0)
          room_prices_[latest_[c][s] - 1] -=
              prices_->price_at(c, s) * (*pools_)[c].room[s];
    for (std::size_t k = room_prices_.size(); k-- > 1;)
      room_prices_[k - 1] += room_prices_[k];
  }

  /// What the next item shares with those at hand, and what all of them pay.
  void open_layer(std::size_t k) {
    const Index item = order_[k];
    rooms_.clear();
    bytes_.clear();
    first_.assign(1, 0);
    for (std::size_t c = 0; c < pools_->size(); ++c) {
      const PoolLoads& loads = (*pools_)[c];
      if (costs_->allows(item, c))
        for (const Index s : critical_sections(loads, item)) {
          rooms_.push_back(loads.room[s] - loads.bytes_at(item, s));
          for (const Index other : live_)
            bytes_.push_back(loads.bytes_at(other, s));
        }
      first_.push_back(rooms_.size());
    }
    live_.push_back(item);
    kept_.clear();
    dues_.assign(live_.size() * costs_->columns, 0);
    for (std::size_t j = 0; j < live_.size(); ++j) {
      if (last_[live_[j]] <= k) continue;
      kept_.push_back(j);
      for (std::size_t c = 0; c < pools_->size(); ++c) {
        std::int64_t& due = dues_[j * costs_->columns + c];
        (*pools_)[c].for_each_section(
            live_[j], [&](Index s, std::int64_t bytes) {
              if (latest_[c][s] > k) due += bytes * prices_->price_at(c, s);
            });
        due = (std::min)(due, kMostDue);
      }
    }
  }

  /// The sections of an item in which those at hand may take most.
  [[nodiscard]] List<Index> critical_sections(const PoolLoads& loads,
                                              Index item) const {
    List<Index> sections;
    for (const LoadPart& part : loads.parts[item]) {
      if (loads.is_cut(part.sections.lower)) continue;
      sections.push_back(part.sections.lower);
      for (Index s = part.sections.lower + 1; s < part.sections.upper; ++s)
        if (loads.room[s] < loads.room[s - 1]) sections.push_back(s);
      for (const Index other : live_)
        for (const LoadPart& its : loads.parts[other])
          if (part.sections.lower < its.sections.lower &&
              its.sections.lower < part.sections.upper)
            sections.push_back(its.sections.lower);
    }
    sort_unique(sections);
    return sections;
  }

  /// Puts the next item into each column from each state. False if stopped.
  [[nodiscard]] bool expand(std::size_t k, const Interrupt& stop) {
    constexpr std::uint32_t kStatesForLook = 4096;
    const Index item = order_[k];
    const std::size_t stride = live_.size() - 1;
    children_.clear();
    child_keys_.clear();
    table_.assign(kSmallTable, kFree);
    List<std::uint8_t> key(live_.size());
    for (std::uint32_t at = 0; at < states_.size(); ++at) {
      if (at > 0 && at % kStatesForLook == 0 && stop()) return false;
      std::copy_n(keys_.data() + at * stride, stride, key.begin());
      for (std::size_t c = 0; c < costs_->columns; ++c) {
        if (!costs_->allows(item, c)) continue;
        ++nodes_;
        if (c < pools_->size() && !has_room(c, key)) continue;
        key.back() = static_cast<std::uint8_t>(c);
        Child child{states_[at] + costs_->at(item, c), 0, 0, {at, key.back()}};
        child.bound = child.cost + least_[k + 1] + room_prices_[k];
        for (const std::size_t j : kept_) {
          child.bound += dues_[j * costs_->columns + key[j]];
          child.hash = (child.hash ^ key[j]) * std::size_t{0x9e3779b1};
          child.hash ^= child.hash >> 15;
        }
        if (child.bound < target_) enter(child, key);
      }
    }
    return true;
  }
  [[nodiscard]] bool has_room(std::size_t pool,
                              const List<std::uint8_t>& key) const {
    const std::size_t others = live_.size() - 1;
    for (std::size_t r = first_[pool]; r < first_[pool + 1]; ++r) {
      const std::int64_t* const bytes = bytes_.data() + r * others;
      std::int64_t room = rooms_[r];
      for (std::size_t j = 0; j < others; ++j)
        if (key[j] == pool) room -= bytes[j];
      if (room < 0) return false;
    }
    return true;
  }

  /// Adds a state of the next layer, or finds the one that says the same.
  void enter(const Child& child, const List<std::uint8_t>& key) {
    if (2 * children_.size() >= table_.size()) {
      table_.assign(4 * table_.size(), kFree);
      for (std::uint32_t at = 0; at < children_.size(); ++at) {
        std::size_t slot = children_[at].hash % table_.size();
        while (table_[slot] != kFree) slot = (slot + 1) % table_.size();
        table_[slot] = at;
      }
    }
    std::size_t slot = child.hash % table_.size();
    for (; table_[slot] != kFree; slot = (slot + 1) % table_.size()) {
      Child& other = children_[table_[slot]];
      if (other.hash != child.hash || !is_key(table_[slot], key)) continue;
      if (child.cost < other.cost) other = child;
      return;
    }
    table_[slot] = static_cast<std::uint32_t>(children_.size());
    children_.push_back(child);
    for (const std::size_t j : kept_) child_keys_.push_back(key[j]);
  }
  [[nodiscard]] bool is_key(std::size_t at,
                            const List<std::uint8_t>& key) const {
    const std::uint8_t* const its = child_keys_.data() + at * kept_.size();
    for (std::size_t n = 0; n < kept_.size(); ++n)
      if (its[n] != key[kept_[n]]) return false;
    return true;
  }

  /// Makes the best `width` of the children the states.
  void close_layer(std::size_t width) {
    const auto is_better = [&](std::uint32_t a, std::uint32_t b) {
      const std::int64_t x = children_[a].bound;
      const std::int64_t y = children_[b].bound;
      return x != y ? x < y : a < b;
    };
    std::uint32_t first_out = kFree;
    if (children_.size() > width) {
      List<std::uint32_t> all = numbers_below(children_.size());
      std::nth_element(all.begin(), all.begin() + width, all.end(), is_better);
      first_out = all[width];
      bound_ = (std::min)(bound_, children_[first_out].bound);
    }
    states_.clear();
    keys_.clear();
    List<Step> steps;
    for (std::uint32_t at = 0; at < children_.size(); ++at) {
      if (first_out != kFree && !is_better(at, first_out)) continue;
      states_.push_back(children_[at].cost);
      steps.push_back(children_[at].step);
      const std::uint8_t* const key = child_keys_.data() + at * kept_.size();
      keys_.append(key, key + kept_.size());
    }
    layers_.push_back(std::move(steps));
    for (std::size_t n = 0; n < kept_.size(); ++n) live_[n] = live_[kept_[n]];
    live_.resize(kept_.size());
  }

  /// Of the price of one item, so that no sum of them overflows.
  static constexpr std::int64_t kMostDue = 4 * CostTable::kMostSum;
  static constexpr std::uint32_t kFree = ~std::uint32_t{0};
  static constexpr std::size_t kSmallTable = 256;

  const std::vector<PoolLoads>* pools_;
  const CostTable* costs_;
  const LoadBound* prices_;
  List<Index> order_{};                             ///< item of each layer
  std::vector<std::size_t> last_{};                 ///< layer of each item
  std::vector<std::vector<std::size_t>> latest_{};  ///< layer of each section
  std::vector<std::int64_t> least_{};  ///< price of all items from here on
  std::vector<std::int64_t> room_prices_{};  ///< behind each layer

  std::int64_t target_ = 0;
  std::int64_t bound_ = 0;
  std::int64_t cost_ = kNone;
  std::int64_t nodes_ = 0;
  Lists<Step> layers_{};
  List<Index> live_{};                  ///< items at hand
  std::vector<std::int64_t> states_{};  ///< their costs
  List<std::uint8_t> keys_{};           ///< column of each item at hand
  /// Room with the item, without the others, in sections in which it may find
  /// none: those of pool p are [first_[p], first_[p + 1]).
  std::vector<std::int64_t> rooms_{};
  std::vector<std::size_t> first_{};
  std::vector<std::int64_t>
      bytes_{};                       ///< of each of the others in each of them
  std::vector<std::size_t> kept_{};   ///< of live_, at hand in the next layer
  std::vector<std::int64_t> dues_{};  ///< of each, by column
  List<Child> children_{};
  List<std::uint8_t> child_keys_{};  ///< columns of those kept
  List<std::uint32_t> table_{};      ///< children by hash
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_POOLS_DIVISION_BEAM_HPP
