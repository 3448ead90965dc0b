// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The cheapest division of items *in part*, as a linear program (simplex.hpp):
/// the best prices that load_bound.hpp could come to, and what is where then.
///
///     x(i, c)    how much of item i is in column c, for all of its columns but
///                the last one, its *base*, where the rest of it is
///     rows       of sections, cores and cuts: those that a solution without them
///                breaks, of neighbours the most broken one, and with many items
///                only a few of those at a time; and that what is in all columns
///                is at most the whole. Rows that bind nothing go
///
/// Cost: that of simplex.hpp; the sum of all parts for each look at what is broken.
/// Source: cutting planes, Dantzig, Fulkerson and Johnson (Operations Research,
/// 1954).
#ifndef SNUG_POOLS_LOAD_PROGRAM_HPP
#define SNUG_POOLS_LOAD_PROGRAM_HPP

#include "snug/config.hpp"
#include "snug/normal/flat.hpp"
#include "snug/pools/cost_table.hpp"
#include "snug/pools/pool_loads.hpp"
#include "snug/pools/simplex.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"
#include "snug/support/rounded.hpp"
#include "snug/support/sort.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

class LoadProgram {
 public:
  /// The costs must outlive the program, which is of no use if its factors take
  /// more than so many bytes.
  LoadProgram(const CostTable& costs, std::size_t pools, std::size_t bytes)
      : costs_(&costs),
        most_factors_((std::min)(bytes / sizeof(double), kMostFactors)),
        unit_(static_cast<double>(costs.most()) + 1),
        base_(costs.items, 0),
        rows_of_(pools),
        has_whole_(costs.items, false),
        simplex_(gains()) {
    find_shares();
  }

  /// Whether it takes too much memory, or time.
  [[nodiscard]] bool is_too_large() const noexcept {
    return simplex_.size() > most_factors_;
  }
  /// About how many multiplications it took so far.
  [[nodiscard]] std::int64_t work() const noexcept { return simplex_.work(); }

  /// Solves it for the rows of pools, unless stop() says otherwise or it becomes
  /// too large. Since the last time, pools may have got rows more.
  void solve(const std::vector<PoolLoads>& pools, const Interrupt& stop) {
    is_solvable_ = true;
    for (bool is_new = true; is_new && !is_too_large() && !stop();) {
      is_solvable_ = simplex_.solve(stop);
      find_shares();
      if (!is_solvable_) return find_proof_unit();
      if (simplex_.size() > most_factors_ / 2) remove_free_rows();
      is_new = add_whole_rows();
      for (std::size_t p = 0; p < pools.size() && !is_too_large() && !stop();
           ++p)
        is_new = add_broken_rows(p, pools[p]) || is_new;
    }
  }

  /// Whether there is a solution, as far as solve() came.
  [[nodiscard]] bool is_solvable() const noexcept { return is_solvable_; }
  /// From now on items are only in columns that a table allows as well; but those
  /// that may be in several others may be in their base.
  void restrict_to(const CostTable& table) {
    for (std::size_t i = 0; i < costs_->items; ++i) {
      const bool is_open = table.is_open(i);
      for_each_variable(i, [&](std::size_t v, std::size_t c) {
        if (is_open && table.allows(i, c))
          simplex_.release(v);
        else
          simplex_.fix(v, table.allows(i, c));
      });
    }
  }

  /// How often a section is in a sum of sections.
  struct Multiplier {
    Index section;
    double times;
  };

  /// Removes what binds nothing.
  void remove_free_rows() {
    for (List<Row>& rows : rows_of_)
      for (Row& row : rows) {
        if (!row.is_in || !simplex_.is_free(row.number)) continue;
        simplex_.remove_row(row.number);
        row.is_in = false;
      }
  }
  /// Whether a section is one of the rows.
  [[nodiscard]] bool has_row(std::size_t pool, Index section) const {
    return section < rows_of_[pool].size() && rows_of_[pool][section].is_in;
  }
  /// Follows PoolLoads::keep_rows().
  void keep_rows(std::size_t pool, const List<bool>& keep) {
    List<Row> rows;
    for (Index s = 0; s < rows_of_[pool].size(); ++s)
      if (keep[s]) rows.push_back(rows_of_[pool][s]);
    rows_of_[pool] = std::move(rows);
  }

  /// How much of an item is in a column, from 0 to 1.
  [[nodiscard]] double share(std::size_t item, std::size_t column) const {
    return shares_[costs_->index(item, column)];
  }
  /// What a byte more in a section is worth, in units of costs. If there is no
  /// solution: how often it is in a sum that says so, times some factor.
  [[nodiscard]] double price(std::size_t pool, Index section) const {
    const List<Row>& rows = rows_of_[pool];
    if (section >= rows.size() || !rows[section].is_in) return 0;
    const std::size_t number = rows[section].number;
    const double price =
        is_solvable_ ? rounded(simplex_.price(number) * unit_)
                     : rounded(simplex_.share_in_proof(number) * proof_unit_);
    return rounded(price / rows[section].scale);
  }

  /// For each item that is partly in a pool, calls visit(multipliers): how often
  /// which of its sections were added, so that one of the item remains, less
  /// what others of the pool have in the sum.
  template <class Visit>
  void for_each_equation(std::size_t pool, Visit&& visit) const {
    List<Multiplier> multipliers;
    for (const std::size_t v : in_part_) {
      multipliers.clear();
      for (Index s = 0; s < rows_of_[pool].size(); ++s) {
        const Row& row = rows_of_[pool][s];
        const double times =
            row.is_in ? simplex_.multiplier(v, row.number) / row.scale : 0;
        if (times != 0) multipliers.push_back({s, times});
      }
      visit(multipliers);
    }
  }

 private:
  static constexpr double kBroken = 1e-6;
  static constexpr std::size_t kMostFactors = std::size_t{1} << 21;

  /// The row of a section in the linear program, where it has one.
  struct Row {
    bool is_in = false;
    std::size_t number = 0;
    double scale = 1;  ///< what its numbers were divided by
  };

  /// What each variable changes in the costs, compared with the item's base.
  [[nodiscard]] List<double> gains() {
    List<double> gains;
    for (std::size_t i = 0; i < costs_->items; ++i) {
      for (std::size_t c = 0; c < costs_->columns; ++c)
        if (costs_->allows(i, c)) base_[i] = c;
      first_.push_back(gains.size());
      for (std::size_t c = 0; c < base_[i]; ++c)
        if (costs_->allows(i, c))
          gains.push_back(
              static_cast<double>(costs_->at(i, c) - costs_->at(i, base_[i])) /
              unit_);
    }
    variables_ = gains.size();
    return gains;
  }

  /// Calls visit(variable, column) for those of an item.
  template <class Visit>
  void for_each_variable(std::size_t item, Visit&& visit) const {
    std::size_t v = first_[item];
    for (std::size_t c = 0; c < base_[item]; ++c)
      if (costs_->allows(item, c)) visit(v++, c);
  }

  /// Such that the prices of a proof add up to a large number.
  void find_proof_unit() {
    constexpr double kSum = std::int64_t{1} << 28;
    double sum = 0;
    for (const List<Row>& rows : rows_of_)
      for (const Row& row : rows)
        if (row.is_in)
          sum = rounded(
              sum + rounded(simplex_.share_in_proof(row.number) / row.scale));
    proof_unit_ = sum > 0 ? rounded(kSum / sum) : 0;
  }

  /// Notes where everything is, for the solution as it is.
  void find_shares() {
    constexpr double kLeast = 0.001;
    shares_.assign(costs_->costs.size(), 0);
    in_part_.clear();
    for (std::size_t i = 0; i < costs_->items; ++i) {
      double* const shares = shares_.data() + costs_->index(i, 0);
      double rest = 1;
      for_each_variable(i, [&](std::size_t v, std::size_t c) {
        const double value = simplex_.value(v);
        rest = rounded(rest - value);
        shares[c] = (std::clamp)(value, 0.0, 1.0);
        if (simplex_.is_basic(v) && value >= kLeast && value <= 1 - kLeast)
          in_part_.push_back(v);
      });
      shares[base_[i]] = (std::clamp)(rest, 0.0, 1.0);
    }
  }

  /// That the parts of an item are at most the whole.
  bool add_whole_rows() {
    std::size_t added = 0;
    for (std::size_t i = 0; i < costs_->items && added < rows_at_once(); ++i) {
      if (has_whole_[i]) continue;
      double sum = 0;
      Simplex::Terms terms;
      for_each_variable(i, [&](std::size_t v, std::size_t) {
        sum = rounded(sum + simplex_.value(v));
        terms.push_back({v, 1});
      });
      if (terms.size() < 2 || sum <= 1 + kBroken) continue;
      (void)simplex_.add_row(terms, 1);
      has_whole_[i] = true;
      ++added;
    }
    return added > 0;
  }

  bool add_broken_rows(std::size_t pool, const PoolLoads& loads) {
    List<Row>& rows = rows_of_[pool];
    rows.resize(loads.sections);
    // How far each section is broken, for its room.
    List<double> excess = find_loads(pool, loads);
    for (Index s = 0; s < loads.sections; ++s) {
      const auto room = static_cast<double>(loads.room[s]);
      excess[s] = rounded(excess[s] - room) / (magnitude(room) + 1);
    }
    List<Index> broken;
    for (Index s = 0; s < loads.sections; ++s) {
      if (excess[s] <= kBroken || rows[s].is_in) continue;
      if (s > 0 && excess[s] <= excess[s - 1]) continue;
      if (s + 1 < loads.sections && excess[s] < excess[s + 1]) continue;
      broken.push_back(s);
    }
    const std::size_t most = rows_at_once();
    if (broken.size() > most) {
      sort_descending(broken, [&](Index k) { return excess[k]; });
      broken.resize(most);
    }
    for (const Index s : broken) add_section(pool, loads, s);
    return !broken.empty();
  }
  /// A part of those there is memory for.
  [[nodiscard]] std::size_t rows_at_once() const {
    constexpr std::size_t kPart = 16;
    return most_factors_ / kPart / (variables_ + 1) + 1;
  }
  /// What each section holds.
  [[nodiscard]] List<double> find_loads(std::size_t pool,
                                        const PoolLoads& loads) const {
    // What each takes more than the one before it, then all that it takes.
    List<double> bytes(std::size_t{loads.sections} + 1, 0);
    for (std::size_t i = 0; i < costs_->items; ++i) {
      if (!costs_->allows(i, pool)) continue;
      const double part = share(i, pool);
      if (part == 0) continue;
      for (const LoadPart& its : loads.parts[i]) {
        const double more = rounded(part * static_cast<double>(its.bytes));
        double& from = bytes[its.sections.lower];
        double& to = bytes[its.sections.upper];
        from = rounded(from + more);
        to = rounded(to - more);
      }
    }
    for (Index s = 1; s < loads.sections; ++s)
      bytes[s] = rounded(bytes[s] + bytes[s - 1]);
    return bytes;
  }

  void add_section(std::size_t pool, const PoolLoads& loads, Index section) {
    List<LoadTerm> held = loads.terms_at(section);
    std::int64_t room = loads.room[section];
    erase_if(held, [&](const LoadTerm& term) {
      return !costs_->allows(term.item, pool);
    });
    std::int64_t most = magnitude(room);
    for (const auto& [i, bytes] : held) {
      if (base_[i] == pool) room -= bytes;
      most = (std::max)(most, magnitude(bytes));
    }
    const double scale = static_cast<double>(most) + 1;
    Simplex::Terms terms;
    for (const auto& [i, bytes] : held) {
      const double factor = static_cast<double>(bytes) / scale;
      const bool is_base = base_[i] == pool;
      for_each_variable(i, [&](std::size_t v, std::size_t c) {
        if (is_base) terms.push_back({v, -factor});
        if (c == pool) terms.push_back({v, factor});
      });
    }
    rows_of_[pool][section] = {
        true, simplex_.add_row(terms, static_cast<double>(room) / scale),
        scale};
  }

  const CostTable* costs_;
  std::size_t most_factors_;
  double unit_;  ///< what all costs are divided by
  std::size_t variables_ = 0;
  std::vector<std::size_t> base_;       ///< column of each item
  std::vector<std::size_t> first_{};    ///< variable of each item
  Lists<Row> rows_of_;                  ///< by pool and section
  List<bool> has_whole_;                ///< by item, whether it has a row
  List<double> shares_{};               ///< by item and column
  std::vector<std::size_t> in_part_{};  ///< basic variables off both ends
  Simplex simplex_;
  bool is_solvable_ = true;
  double proof_unit_ = 1;  ///< what the prices of a proof were multiplied by
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_POOLS_LOAD_PROGRAM_HPP
