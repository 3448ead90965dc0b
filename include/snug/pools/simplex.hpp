// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A small linear program: what it costs least to choose parts x of the
/// variables, 0 <= x <= 1, where rows bound what they add up to.
///
///     min  sum of cost(v) x(v)     with    sum of factor(r, v) x(v) <= room(r)
///
/// Rows come and go, and variables may be kept at an end for a while. Without any
/// rows, each variable is where it costs least; after some more the *dual simplex
/// method* goes on from where it was.
///
///               nonbasic: each at one of its ends        values
///     basic  [  factors of the nonbasic ones         ]   of the basic ones
///            ...
///     reduced costs: none says that its variable is at the wrong end
///
/// A *pivot* takes the basic variable that is furthest outside its ends to the end
/// it has passed; on the way, others change their ends as long as that helps, and
/// the last one becomes basic.
///
/// Where a basic variable stays outside its ends, whatever the others do, there is no
/// solution: its row is the sum of some others that says so.
///
/// Numbers are doubles, so results are near to the truth, and what follows from
/// prices has to be computed exactly elsewhere. They are the same on every machine
/// that computes with doubles; where one has more bits, choices between numbers
/// that should be the same are still the same, as they are compared coarsely.
///
/// Cost: O(rows * variables) a pivot and a new row.
/// Source: Lemke, "The dual method of solving the linear programming problem"
/// (Naval Research Logistics, 1954); the longer steps after Fourer, "Notes on the
/// dual simplex method" (1994).
#ifndef SNUG_POOLS_SIMPLEX_HPP
#define SNUG_POOLS_SIMPLEX_HPP

#include "snug/config.hpp"
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

class Simplex {
 public:
  struct Term {
    std::size_t variable;
    double factor;
  };
  using Terms = List<Term>;

  explicit Simplex(const List<double>& costs)
      : variables_(costs.size()),
        reduced_(costs),
        least_(costs.size(), 0),
        most_(costs.size(), 1) {
    for (std::size_t v = 0; v < variables_; ++v) {
      nonbasic_.push_back(v);
      at_top_.push_back(costs[v] < 0);
      place_.push_back({false, v});
    }
  }

  /// How many factors there are.
  [[nodiscard]] std::size_t size() const noexcept {
    return variables_ * rows_.size();
  }
  /// About how many multiplications it took so far.
  [[nodiscard]] std::int64_t work() const noexcept { return work_; }
  /// How much of a variable there is.
  [[nodiscard]] double value(std::size_t v) const {
    if (place_[v].is_basic) return values_[place_[v].at];
    return at_top_[place_[v].at] ? 1 : 0;
  }
  /// What one more of a row's room is worth, at least 0.
  [[nodiscard]] double price(std::size_t row) const {
    const Place& place = place_[variables_ + row];
    return place.is_basic ? 0 : (std::max)(reduced_[place.at], 0.0);
  }

  /// Keeps a variable at one of its ends until it is released.
  void fix(std::size_t v, bool at_top) {
    least_[v] = most_[v] = at_top ? 1 : 0;
    const Place& place = place_[v];
    if (!place.is_basic && at_top_[place.at] != at_top) flip(place.at);
  }
  void release(std::size_t v) {
    least_[v] = 0;
    most_[v] = 1;
    const Place& place = place_[v];
    if (place.is_basic || reduced_[place.at] == 0) return;
    if ((reduced_[place.at] < 0) != at_top_[place.at]) flip(place.at);
  }

  /// Where solve() found no solution: how often a row is in a sum of rows that none
  /// meets, at least 0.
  [[nodiscard]] double share_in_proof(std::size_t row) const {
    const Place& place = place_[variables_ + row];
    if (place.is_basic) return place.at == broken_ ? 1 : 0;
    const double factor = rows_[broken_][place.at];
    return (std::max)(is_above_ ? -factor : factor, 0.0);
  }

  /// Whether it is in part.
  [[nodiscard]] bool is_basic(std::size_t v) const {
    return place_[v].is_basic;
  }
  /// How often a row was added to come to the equation of a basic variable,
  /// whose factor is 1 there.
  [[nodiscard]] double multiplier(std::size_t v, std::size_t row) const {
    const Place& place = place_[variables_ + row];
    return place.is_basic ? 0 : rows_[place_[v].at][place.at];
  }

  /// Adds a row, and returns its number. Terms of the same variable add up.
  std::size_t add_row(const Terms& terms, double room) {
    List<double> row(variables_, 0);
    double value = room;
    for (const auto& [v, factor] : terms) {
      value = rounded(value - rounded(factor * this->value(v)));
      const Place& place = place_[v];
      if (place.is_basic) {
        take(rows_[place.at]);
        subtract(factor, row);
      } else {
        row[place.at] = rounded(row[place.at] + factor);
      }
    }
    rows_.push_back(std::move(row));
    values_.push_back(value);
    place_.push_back({true, basic_.size()});
    basic_.push_back(place_.size() - 1);
    return place_.size() - 1 - variables_;
  }
  /// Whether a row leaves some room free, so that all would be the same
  /// without it.
  [[nodiscard]] bool is_free(std::size_t row) const {
    return place_[variables_ + row].is_basic;
  }
  /// Removes a row that is free. Its number is not used again.
  void remove_row(std::size_t row) {
    const std::size_t at = place_[variables_ + row].at;
    rows_[at].swap(rows_.back());
    values_[at] = values_.back();
    basic_[at] = basic_.back();
    place_[basic_[at]].at = at;
    rows_.pop_back();
    values_.pop_back();
    basic_.pop_back();
  }

  /// Pivots until no variable is outside its ends, no pivot helps, or stop()
  /// says so. Prices are of use in any case. False if no pivot helps: then there is
  /// no solution.
  bool solve(const Interrupt& stop) {
    for (;;) {
      const std::size_t row = furthest_outside();
      if (row == kNone || stop()) return true;
      const bool is_above = values_[row] > most_of(basic_[row]);
      const std::size_t column = find_entering(row, is_above);
      if (column == kNone) return false;
      pivot(row, column, is_above);
    }
  }

 private:
  static constexpr std::size_t kNone = ~std::size_t{0};
  static constexpr double kFree = 1e30;  ///< no row leaves more
  static constexpr double kTolerance = 1e-7;
  static constexpr double kLeastPivot = 1e-6;

  /// Where a variable is. What rows leave free are variables, too, in the order
  /// of their numbers behind the others.
  struct Place {
    bool is_basic;
    std::size_t at;
  };
  struct Candidate {
    std::int64_t ratio;
    std::int64_t size;  ///< of the factor
    double factor;
    std::size_t column;
  };

  /// For comparisons; at most 2^62 off 0.
  [[nodiscard]] static std::int64_t coarse(double value) {
    constexpr double kOne = std::int64_t{1} << 32;
    constexpr double kMost = std::int64_t{1} << 30;
    return nearest((std::clamp)(value, -kMost, kMost) * kOne);
  }
  /// What is left of a difference; nothing if it is next to nothing.
  [[nodiscard]] static double difference(double a, double b) {
    constexpr double kNothing = 1e-11;
    const double rest = rounded(a - b);
    return magnitude(rest) < kNothing ? 0 : rest;
  }

  /// Takes what has to be subtracted from others, without its zeros.
  void take(const List<double>& row) {
    taken_.resize(row.size());
    std::size_t count = 0;
    for (std::size_t j = 0; j < row.size(); ++j)
      if (row[j] != 0) taken_[count++] = {j, row[j]};
    taken_.shrink(count);
    work_ += static_cast<std::int64_t>(row.size());
  }
  /// to -= factor * what was taken.
  void subtract(double factor, List<double>& to) {
    for (const auto& [j, value] : taken_)
      to[j] = difference(to[j], rounded(factor * value));
    work_ += static_cast<std::int64_t>(taken_.size());
  }

  /// The ends of a variable, or of what a row leaves free.
  [[nodiscard]] double least_of(std::size_t v) const {
    return v < variables_ ? least_[v] : 0;
  }
  [[nodiscard]] double most_of(std::size_t v) const {
    return v < variables_ ? most_[v] : kFree;
  }

  [[nodiscard]] std::size_t furthest_outside() const {
    std::size_t worst = kNone;
    std::int64_t most = coarse(kTolerance);
    for (std::size_t r = 0; r < values_.size(); ++r) {
      const double outside = (std::max)(least_of(basic_[r]) - values_[r],
                                        values_[r] - most_of(basic_[r]));
      if (coarse(outside) <= most) continue;
      most = coarse(outside);
      worst = r;
    }
    return worst;
  }

  /// The column that becomes basic, after others have changed their ends.
  [[nodiscard]] std::size_t find_entering(std::size_t row, bool is_above) {
    const List<double>& factors = rows_[row];
    candidates_.clear();
    for (std::size_t j = 0; j < variables_; ++j) {
      if (least_of(nonbasic_[j]) == most_of(nonbasic_[j])) continue;
      // Away from its end, the row's variable is to come nearer to its own.
      const double towards = is_above == at_top_[j] ? -factors[j] : factors[j];
      if (towards <= kLeastPivot) continue;
      const double ratio = rounded(magnitude(reduced_[j]) / towards);
      candidates_.push_back({coarse(ratio), coarse(towards), towards, j});
    }
    heap_sort(candidates_, [](const Candidate& a, const Candidate& b) {
      if (a.ratio != b.ratio) return a.ratio < b.ratio;
      if (a.size != b.size) return a.size > b.size;
      return a.column < b.column;
    });
    double left = is_above ? rounded(values_[row] - most_of(basic_[row]))
                           : rounded(least_of(basic_[row]) - values_[row]);
    for (const Candidate& each : candidates_) {
      if (nonbasic_[each.column] >= variables_) return each.column;
      left = rounded(left - each.factor);
      if (left <= kTolerance) return each.column;
      flip(each.column);
    }
    for (const Candidate& each : candidates_) flip(each.column);
    broken_ = row;
    is_above_ = is_above;
    return kNone;
  }

  void flip(std::size_t column) {
    const double change = at_top_[column] ? -1 : 1;
    for (std::size_t r = 0; r < rows_.size(); ++r)
      values_[r] = rounded(values_[r] - rounded(rows_[r][column] * change));
    at_top_[column] = !at_top_[column];
  }

  void pivot(std::size_t row, std::size_t column, bool is_above) {
    List<double>& factors = rows_[row];
    const double factor = factors[column];
    const std::size_t left = basic_[row];
    const double target = is_above ? most_of(left) : least_of(left);
    const double change = rounded(rounded(values_[row] - target) / factor);
    const double entered = (at_top_[column] ? 1 : 0) + change;
    for (double& each : factors) each = rounded(each / factor);
    factors[column] = rounded(1 / factor);
    take(factors);
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      if (r == row) continue;
      const double its = rows_[r][column];
      if (its == 0) continue;
      values_[r] = rounded(values_[r] - rounded(its * change));
      rows_[r][column] = 0;
      subtract(its, rows_[r]);
    }
    const double reduced = reduced_[column];
    reduced_[column] = 0;
    subtract(reduced, reduced_);
    values_[row] = entered;
    std::swap(basic_[row], nonbasic_[column]);
    at_top_[column] = target > 0;
    place_[basic_[row]] = {true, row};
    place_[nonbasic_[column]] = {false, column};
  }

  std::size_t variables_;
  Lists<double> rows_{};                 ///< factors, by column
  List<double> values_{};                ///< of the basic variables, by row
  std::vector<std::size_t> basic_{};     ///< variable of each row
  std::vector<std::size_t> nonbasic_{};  ///< variable of each column
  List<double> reduced_;                 ///< costs, by column
  List<double> least_;                   ///< of each variable
  List<double> most_;
  List<bool> at_top_{};  ///< by column
  List<Place> place_{};  ///< by variable
  List<Candidate> candidates_{};
  // Of the row that cannot be mended, if there is no solution.
  std::size_t broken_ = 0;
  bool is_above_ = false;
  Terms taken_{};          ///< by column
  std::int64_t work_ = 0;  ///< multiplications so far
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_POOLS_SIMPLEX_HPP
