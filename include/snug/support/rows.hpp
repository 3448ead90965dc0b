// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Rows: a list of lists, none of which changes once it is written, in one array.
///
/// The elements of all rows stand one after the other, and a second list tells
/// where each row begins: row k is all()[begin_of(k), begin_of(k + 1)).
///
///      rows      a b | | c | d e f
///      all       a b c d e f
///      begin_of  0 2 2 3 6
///
/// Rows are either written one by one, or dealt out from elements in any order.
/// Without a row nothing is held. `Place` is a type that can count all elements.
///
/// Cost: O(rows + elements), and O(1) for a row of them.
#ifndef SNUG_SUPPORT_ROWS_HPP
#define SNUG_SUPPORT_ROWS_HPP

#include "snug/config.hpp"
#include "snug/support/list.hpp"
#include "snug/support/memory.hpp"
#include "snug/support/view.hpp"

#include <cstddef>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// Notes that a row ends behind so many elements; no member, so that one function
/// does it for all types.
template <class Place>
void note_end(List<Place>& begin, std::size_t elements) {
  if (begin.empty()) begin.push_back(0);
  begin.push_back(static_cast<Place>(elements));
}

template <class T, class Place = std::size_t>
class Rows {
 public:
  /// Whether no row has an element.
  [[nodiscard]] bool empty() const noexcept { return all_.empty(); }
  /// How many rows have ended.
  [[nodiscard]] std::size_t size() const noexcept {
    return begin_.empty() ? 0 : begin_.size() - 1;
  }
  [[nodiscard]] View<const T> operator[](Place k) const noexcept {
    return {all_.data() + begin_[k], all_.data() + begin_[k + 1]};
  }
  [[nodiscard]] const List<T>& all() const noexcept { return all_; }
  /// For other values; there must be as many.
  [[nodiscard]] List<T>& all() noexcept { return all_; }
  [[nodiscard]] Place begin_of(Place k) const noexcept { return begin_[k]; }
  [[nodiscard]] std::size_t bytes() const noexcept {
    return bytes_of(all_, begin_);
  }

  void clear() noexcept {
    all_.clear();
    begin_.clear();
  }
  void reserve(std::size_t rows, std::size_t elements) {
    begin_.reserve(rows + 1);
    all_.reserve(elements);
  }
  /// Adds to the row that is being written.
  void push_back(const T& element) { all_.push_back(element); }
  void end_row() { note_end(begin_, all_.size()); }
  template <class Elements>
  void add_row(const Elements& elements) {
    all_.append(elements.begin(), elements.end());
    end_row();
  }

  /// Makes `rows` rows of the elements that for_each(give) hands to give(row,
  /// element), in its order. It is called twice, and must do the same.
  template <class ForEach>
  void deal(std::size_t rows, ForEach&& for_each) {
    // One place further on, until the elements are there.
    begin_.assign(rows + 2, 0);
    bool is_counted = false;
    const auto give = [&](std::size_t row, const T& element) {
      if (is_counted)
        all_[begin_[row + 1]++] = element;
      else
        ++begin_[row + 2];
    };
    for_each(give);
    for (std::size_t k = 2; k < begin_.size(); ++k) begin_[k] += begin_[k - 1];
    all_.resize(begin_.back());
    is_counted = true;
    for_each(give);
    begin_.pop_back();
  }

 private:
  List<T> all_{};
  List<Place> begin_{};
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_SUPPORT_ROWS_HPP
