// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Lists: std::vector for plain values, in a fraction of its code.
///
/// std::vector brings its own copy of all it does with memory for each type of
/// element: an eighth of the code of snug::small. What is trivially copyable needs
/// none of that: its bytes can be moved by one function for all types. So
/// ListBytes, which is no template, has the memory, and List<T> adds the type:
/// what is left of it is arithmetic that compilers write in place.
///
/// The members are those of std::vector that snug uses, with their meaning,
/// shrink() and append(); but a list that another one is moved to gives it its
/// own elements. Indices are checked in debug builds only. Lists<T> is a list of
/// such lists. What owns something else is kept in a std::vector, and so is what
/// users see. Below them stand the few things that are done with lists everywhere,
/// such as erase_if().
///
/// Source: the idea of SmallVectorBase in LLVM ("LLVM Programmer's Manual",
/// llvm/ADT/SmallVector.h).
#ifndef SNUG_SUPPORT_LIST_HPP
#define SNUG_SUPPORT_LIST_HPP

#include "snug/config.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <new>
#include <numeric>
#include <type_traits>
#include <utility>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// The memory of a list. `width` is the size of an element in bytes, the same in
/// all calls.
class ListBytes {
 public:
  ListBytes() = default;
  ListBytes(ListBytes&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, Count{})),
        capacity_(std::exchange(other.capacity_, Count{})) {}
  ListBytes(const ListBytes&) = delete;
  ListBytes& operator=(const ListBytes&) = delete;
  ~ListBytes() { ::operator delete(data_); }

  [[nodiscard]] std::size_t size() const noexcept {
    return static_cast<std::size_t>(size_);
  }
  [[nodiscard]] std::size_t capacity() const noexcept {
    return static_cast<std::size_t>(capacity_);
  }
  [[nodiscard]] void* data() const noexcept { return data_; }
  /// No more than there is room for.
  void set_size(std::size_t count) noexcept {
    size_ = static_cast<Count>(count);
  }

  void swap(ListBytes& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }
  void copy(const ListBytes& other, std::size_t width) {
    if (this == &other) return;
    reserve(other.size(), width);
    size_ = other.size_;
    if (size() > 0) std::memcpy(data_, other.data_, size() * width);
  }
  void reserve(std::size_t count, std::size_t width) {
    if (count <= capacity()) return;
    // More bytes than there can be are for operator new to refuse.
    const std::size_t bytes =
        count <= kMostBytes / width ? count * width : ~std::size_t{0};
    void* const bigger = ::operator new(bytes);
    if (size() > 0) std::memcpy(bigger, data_, size() * width);
    ::operator delete(std::exchange(data_, bigger));
    capacity_ = static_cast<Count>(count);
  }
  /// Makes room for `count` more elements, and returns the first.
  [[nodiscard]] void* extend(std::size_t count, std::size_t width) {
    const std::size_t before = size();
    if (before + count > capacity())
      reserve((std::max)(2 * capacity(), before + count), width);
    set_size(before + count);
    return static_cast<char*>(data_) + before * width;
  }

 private:
  static constexpr std::size_t kMostBytes = ~std::size_t{0} / 2;

  /// A type of its own: were it that of an element, compilers would read the
  /// size again after each element that is written.
  enum class Count : std::size_t {};

  void* data_ = nullptr;
  Count size_{};
  Count capacity_{};
};

template <class T>
class List {
 public:
  static_assert(std::is_trivially_copyable_v<T>);
  static_assert(alignof(T) <= alignof(std::max_align_t));
  using value_type = T;
  using iterator = T*;

  List() = default;
  explicit List(std::size_t count, const T& value = T()) {
    assign(count, value);
  }
  List(std::initializer_list<T> values) : List(values.begin(), values.end()) {}
  template <class Iterator, class = decltype(*std::declval<Iterator&>())>
  List(Iterator first, Iterator last) {
    assign(first, last);
  }
  List(const List& other) { bytes_.copy(other.bytes_, sizeof(T)); }
  List(List&&) noexcept = default;
  List& operator=(const List& other) {
    bytes_.copy(other.bytes_, sizeof(T));
    return *this;
  }
  List& operator=(List&& other) noexcept {
    bytes_.swap(other.bytes_);
    return *this;
  }
  ~List() = default;
  void swap(List& other) noexcept { bytes_.swap(other.bytes_); }

  [[nodiscard]] bool empty() const noexcept { return bytes_.size() == 0; }
  [[nodiscard]] std::size_t size() const noexcept { return bytes_.size(); }
  [[nodiscard]] std::size_t capacity() const noexcept {
    return bytes_.capacity();
  }
  [[nodiscard]] T* data() noexcept { return static_cast<T*>(bytes_.data()); }
  [[nodiscard]] const T* data() const noexcept {
    return static_cast<const T*>(bytes_.data());
  }
  [[nodiscard]] T* begin() noexcept { return data(); }
  [[nodiscard]] T* end() noexcept { return data() + size(); }
  [[nodiscard]] const T* begin() const noexcept { return data(); }
  [[nodiscard]] const T* end() const noexcept { return data() + size(); }
  [[nodiscard]] T& operator[](std::size_t k) noexcept {
    SNUG_ASSERT(k < size());
    return data()[k];
  }
  [[nodiscard]] const T& operator[](std::size_t k) const noexcept {
    SNUG_ASSERT(k < size());
    return data()[k];
  }
  [[nodiscard]] T& front() noexcept { return (*this)[0]; }
  [[nodiscard]] const T& front() const noexcept { return (*this)[0]; }
  [[nodiscard]] T& back() noexcept { return (*this)[size() - 1]; }
  [[nodiscard]] const T& back() const noexcept { return (*this)[size() - 1]; }

  void clear() noexcept { bytes_.set_size(0); }
  void reserve(std::size_t count) { bytes_.reserve(count, sizeof(T)); }
  void resize(std::size_t count, const T& value = T()) {
    const T copy = value;  // It may be an element that moves.
    const std::size_t before = size();
    if (count > before)
      std::fill_n(extend(count - before), count - before, copy);
    bytes_.set_size(count);
  }
  /// Drops all elements after the first `count`: resize() in less code.
  void shrink(std::size_t count) noexcept {
    SNUG_ASSERT(count <= size());
    bytes_.set_size(count);
  }
  void assign(std::size_t count, const T& value) {
    const T copy = value;
    clear();
    resize(count, copy);
  }
  template <class Iterator, class = decltype(*std::declval<Iterator&>())>
  void assign(Iterator first, Iterator last) {
    clear();
    append(first, last);
  }
  void push_back(const T& value) {
    const T copy = value;
    *extend(1) = copy;
  }
  void pop_back() noexcept {
    SNUG_ASSERT(!empty());
    bytes_.set_size(size() - 1);
  }
  /// The values may not be elements of this list; random access iterators.
  template <class Iterator>
  void append(Iterator first, Iterator last) {
    const auto count = static_cast<std::size_t>(last - first);
    std::copy(first, last, extend(count));
  }
  /// As of a std::vector; all that anybody erases is at the end.
  void erase(const T* first, [[maybe_unused]] const T* last) noexcept {
    SNUG_ASSERT(last == end());
    shrink(static_cast<std::size_t>(first - data()));
  }

  friend bool operator==(const List& a, const List& b) noexcept {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  [[nodiscard]] T* extend(std::size_t count) {
    return static_cast<T*>(bytes_.extend(count, sizeof(T)));
  }

  ListBytes bytes_;
};

/// Lists of one type, one after the other: a std::vector of them in less code.
template <class T>
class Lists {
 public:
  using value_type = List<T>;

  Lists() = default;
  explicit Lists(std::size_t count) { resize(count); }
  Lists(const Lists& other) : Lists(other.size()) {
    std::copy(other.begin(), other.end(), begin());
  }
  Lists(Lists&& other) noexcept { swap(other); }
  Lists& operator=(Lists other) noexcept {
    swap(other);
    return *this;
  }
  ~Lists() { delete[] lists_; }
  void swap(Lists& other) noexcept {
    std::swap(lists_, other.lists_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }

  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }
  [[nodiscard]] List<T>* begin() noexcept { return lists_; }
  [[nodiscard]] List<T>* end() noexcept { return lists_ + size_; }
  [[nodiscard]] const List<T>* begin() const noexcept { return lists_; }
  [[nodiscard]] const List<T>* end() const noexcept { return lists_ + size_; }
  [[nodiscard]] List<T>& operator[](std::size_t k) noexcept {
    SNUG_ASSERT(k < size());
    return lists_[k];
  }
  [[nodiscard]] const List<T>& operator[](std::size_t k) const noexcept {
    SNUG_ASSERT(k < size());
    return lists_[k];
  }
  [[nodiscard]] const List<T>& front() const noexcept { return (*this)[0]; }
  [[nodiscard]] List<T>& back() noexcept { return (*this)[size() - 1]; }

  void clear() noexcept { shrink(0); }
  void reserve(std::size_t count) {
    if (count <= capacity_) return;
    auto* const bigger = new List<T>[count];
    for (std::size_t k = 0; k < size_; ++k) bigger[k].swap(lists_[k]);
    delete[] std::exchange(lists_, bigger);
    capacity_ = count;
  }
  /// What is added is empty.
  void resize(std::size_t count) {
    if (count < size_) return shrink(count);
    if (count > capacity_) reserve((std::max)(2 * capacity_, count));
    size_ = count;
  }
  void push_back(List<T> list) {
    resize(size_ + 1);
    back().swap(list);
  }
  void pop_back() noexcept { shrink(size() - 1); }

 private:
  /// Those behind the end hold nothing.
  void shrink(std::size_t count) noexcept {
    SNUG_ASSERT(count <= size());
    while (size_ > count) List<T>().swap(lists_[--size_]);
  }

  List<T>* lists_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

/// 0, 1, ..., `count` - 1.
template <class Numbers = List<std::uint32_t>>
[[nodiscard]] Numbers numbers_below(std::size_t count) {
  Numbers numbers(count);
  std::iota(numbers.begin(), numbers.end(), typename Numbers::value_type{0});
  return numbers;
}

/// Of each number below `count` the sum of the amounts of the intervals that it lies
/// in. for_each(add) hands each one to add(interval, amount).
/// Cost: O(intervals + count).
template <class ForEach>
[[nodiscard]] List<std::int64_t> sums_over(std::size_t count,
                                           ForEach&& for_each) {
  List<std::int64_t> sums(count + 1, 0);
  for_each([&](const auto& interval, std::int64_t amount) {
    sums[interval.lower] += amount;
    sums[interval.upper] -= amount;
  });
  for (std::size_t k = 1; k < count; ++k) sums[k] += sums[k - 1];
  sums.pop_back();
  return sums;
}

/// The first element of which is() is true, or `last`: what std::find_if() finds,
/// which has more code, as it looks at four in a row.
template <class T, class Is>
[[nodiscard]] T* first_that(T* first, T* last, Is&& is) {
  while (first != last && !is(*first)) ++first;
  return first;
}

/// Whether is() is true of an element.
template <class Container, class Is>
[[nodiscard]] bool any_that(const Container& elements, Is&& is) {
  return first_that(elements.begin(), elements.end(), is) != elements.end();
}

/// Drops the elements of which is_dropped() is true, as std::remove_if(), which
/// looks for the first in the same way.
template <class Container, class IsDropped>
void erase_if(Container& list, IsDropped&& is_dropped) {
  auto kept = list.begin();
  for (const auto& element : list)
    if (!is_dropped(element)) *kept++ = element;
  list.erase(kept, list.end());
}

/// Drops the elements that join(last, element) has made a part of the last one that
/// is kept before them, as it says.
template <class Container, class Join>
void join_neighbours(Container& list, Join&& join) {
  auto kept = list.begin();
  for (const auto& element : list)
    if (kept == list.begin() || !join(kept[-1], element)) *kept++ = element;
  list.erase(kept, list.end());
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_SUPPORT_LIST_HPP
