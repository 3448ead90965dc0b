// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Lists: std::vector for plain values, in a fraction of its code.
///
/// std::vector brings its own copy of all it does with memory for each type of
/// element: a third of the code of snug::small. What is trivially copyable needs
/// none of that, for its bytes can be moved by one function that is told how many
/// there are. So ListBytes, which is no template, has the memory, and List<T> adds
/// the type: what is left of it is arithmetic that compilers write in place.
///
/// The members are those of std::vector that snug uses, with their meaning and
/// cost. What only debug builds check: indices. What holds other lists or owns
/// something is kept in a std::vector, and so is what users see.
///
/// Source: the idea of SmallVectorBase in LLVM ("LLVM Programmer's Manual",
/// llvm/ADT/SmallVector.h).
#ifndef SNUG_SUPPORT_LIST_HPP
#define SNUG_SUPPORT_LIST_HPP

#include "snug/config.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <iterator>
#include <new>
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
        size_(std::exchange(other.size_, 0)),
        capacity_(std::exchange(other.capacity_, 0)) {}
  ListBytes(const ListBytes&) = delete;
  ListBytes& operator=(const ListBytes&) = delete;
  ~ListBytes() { ::operator delete(data_); }

  void swap(ListBytes& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }
  void copy(const ListBytes& other, std::size_t width) {
    if (this == &other) return;
    size_ = 0;
    reserve(other.size_, width);
    size_ = other.size_;
    if (size_ > 0) std::memcpy(data_, other.data_, size_ * width);
  }
  void reserve(std::size_t count, std::size_t width) {
    if (count <= capacity_) return;
    void* const bigger = ::operator new(count* width);
    if (size_ > 0) std::memcpy(bigger, data_, size_ * width);
    ::operator delete(std::exchange(data_, bigger));
    capacity_ = count;
  }
  /// Makes room for `count` more elements at least.
  void grow(std::size_t count, std::size_t width) {
    if (size_ + count > capacity_)
      reserve((std::max)(2 * capacity_, size_ + count), width);
  }
  /// Opens room for `count` elements before element `at`.
  void* open(std::size_t at, std::size_t count, std::size_t width) {
    grow(count, width);
    char* const gap = static_cast<char*>(data_) + at * width;
    if (at < size_)
      std::memmove(gap + count * width, gap, (size_ - at) * width);
    size_ += count;
    return gap;
  }
  /// Closes the room of `count` elements from element `at` on.
  void close(std::size_t at, std::size_t count, std::size_t width) noexcept {
    size_ -= count;
    char* const gap = static_cast<char*>(data_) + at * width;
    if (at < size_)
      std::memmove(gap, gap + count * width, (size_ - at) * width);
  }

  void* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

template <class T>
class List {
 public:
  static_assert(std::is_trivially_copyable_v<T>);
  static_assert(alignof(T) <= alignof(std::max_align_t));
  using value_type = T;
  using iterator = T*;
  using const_iterator = const T*;

  List() = default;
  explicit List(std::size_t count, const T& value = T()) {
    assign(count, value);
  }
  List(std::initializer_list<T> values) : List(values.begin(), values.end()) {}
  template <class Iterator,
            class = typename std::iterator_traits<Iterator>::iterator_category>
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

  [[nodiscard]] bool empty() const noexcept { return bytes_.size_ == 0; }
  [[nodiscard]] std::size_t size() const noexcept { return bytes_.size_; }
  [[nodiscard]] std::size_t capacity() const noexcept {
    return bytes_.capacity_;
  }
  [[nodiscard]] T* data() noexcept { return static_cast<T*>(bytes_.data_); }
  [[nodiscard]] const T* data() const noexcept {
    return static_cast<const T*>(bytes_.data_);
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

  void clear() noexcept { bytes_.size_ = 0; }
  void reserve(std::size_t count) { bytes_.reserve(count, sizeof(T)); }
  void resize(std::size_t count, const T& value = T()) {
    const T copy = value;  // It may be an element that moves.
    if (count > size()) {
      bytes_.grow(count - size(), sizeof(T));
      std::fill(end(), data() + count, copy);
    }
    bytes_.size_ = count;
  }
  void assign(std::size_t count, const T& value) {
    const T copy = value;
    clear();
    resize(count, copy);
  }
  template <class Iterator,
            class = typename std::iterator_traits<Iterator>::iterator_category>
  void assign(Iterator first, Iterator last) {
    clear();
    insert(end(), first, last);
  }
  void push_back(const T& value) {
    const T copy = value;
    if (size() == capacity()) bytes_.grow(1, sizeof(T));
    data()[bytes_.size_++] = copy;
  }
  void pop_back() noexcept {
    SNUG_ASSERT(!empty());
    --bytes_.size_;
  }
  void insert(const T* before, const T& value) {
    const T copy = value;
    *open(before, 1) = copy;
  }
  /// The values may not be elements of this list.
  template <class Iterator>
  void insert(const T* before, Iterator first, Iterator last) {
    const auto count = static_cast<std::size_t>(std::distance(first, last));
    std::copy(first, last, open(before, count));
  }
  void erase(const T* first, const T* last) noexcept {
    bytes_.close(static_cast<std::size_t>(first - data()),
                 static_cast<std::size_t>(last - first), sizeof(T));
  }

  friend bool operator==(const List& a, const List& b) noexcept {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  [[nodiscard]] T* open(const T* before, std::size_t count) {
    return static_cast<T*>(bytes_.open(
        static_cast<std::size_t>(before - data()), count, sizeof(T)));
  }

  ListBytes bytes_;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_SUPPORT_LIST_HPP
