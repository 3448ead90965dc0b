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

#include <algorithm>
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

/// Deals elements out to rows: counts them until it is told where they belong, and
/// puts them there when they come again. `begin` has two zeros more than rows.
template <class T, class Place>
struct Dealer {
  Place* begin;
  T* all = nullptr;

  void operator()(std::size_t row, const T& element) {
    // One place further on, until the elements are there.
    if (all == nullptr)
      ++begin[row + 2];
    else
      all[begin[row + 1]++] = element;
  }
  /// How many there are.
  [[nodiscard]] std::size_t add_up(std::size_t rows) {
    for (std::size_t k = 2; k < rows + 2; ++k) begin[k] += begin[k - 1];
    return begin[rows + 1];
  }
};

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
    begin_.assign(rows + 2, 0);
    Dealer<T, Place> give{begin_.data()};
    for_each(give);
    all_.resize(give.add_up(rows));
    give.all = all_.data();
    for_each(give);
    begin_.pop_back();
  }

 private:
  List<T> all_{};
  List<Place> begin_{};
};

/// Rows that stand in a Memory, which must outlive them and their copies.
template <class T, class Place>
class RowsView {
 public:
  RowsView() = default;
  /// As Rows::deal().
  template <class ForEach>
  RowsView(Memory& memory, std::size_t rows, ForEach&& for_each)
      : begin_(memory.take<Place>(rows + 2)), size_(static_cast<Place>(rows)) {
    Dealer<T, Place> give{begin_};
    for_each(give);
    if (const std::size_t count = give.add_up(rows); count > 0) {
      all_ = give.all = memory.take_raw<T>(count);
      for_each(give);
    }
  }

  /// Whether no row has an element. Without rows at all, each is empty.
  [[nodiscard]] bool empty() const noexcept { return all_ == nullptr; }
  [[nodiscard]] Place size() const noexcept { return size_; }
  [[nodiscard]] View<T> operator[](Place k) const noexcept {
    if (empty()) return {};
    return {all_ + begin_[k], all_ + begin_[k + 1]};
  }
  [[nodiscard]] View<T> all() const noexcept {
    if (empty()) return {};
    return {all_, all_ + begin_[size_]};
  }
  [[nodiscard]] Place begin_of(Place k) const noexcept { return begin_[k]; }
  [[nodiscard]] bool are_equal(Place j, Place k) const noexcept {
    const View<T> a = (*this)[j];
    const View<T> b = (*this)[k];
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  Place* begin_ = nullptr;
  Place size_ = 0;
  T* all_ = nullptr;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_SUPPORT_ROWS_HPP
