// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The memory of one search: arrays that live exactly as long as it does.
///
/// All arrays are taken before the first node and given back together. Sizes
/// are known in advance but for the stacks that follow the path of the search;
/// those start with room for most searches and double when that is not enough.
/// One place allocates, so one place counts: bytes() is what a search holds.
/// Each array is a block of its own, so that address sanitizers see its ends.
#ifndef SNUG_SUPPORT_MEMORY_HPP
#define SNUG_SUPPORT_MEMORY_HPP

#include "snug/config.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <new>
#include <type_traits>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// The bytes that lists and vectors hold.
template <class... Container>
[[nodiscard]] std::size_t bytes_of(const Container&... lists) noexcept {
  return (std::size_t{0} + ... +
          (lists.capacity() * sizeof(typename Container::value_type)));
}

class Memory {
 public:
  Memory() = default;
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  ~Memory() {
    while (blocks_ != nullptr) {
      Block* const block = blocks_;
      blocks_ = block->next;
      ::operator delete(block);
    }
  }

  /// An array of `count` elements, all bytes zero.
  template <class T>
  [[nodiscard]] T* take(std::size_t count) {
    static_assert(std::is_trivially_copyable_v<T>);
    return static_cast<T*>(allocate_zero(count * sizeof(T)));
  }
  /// An array of `count` copies of `value`.
  template <class T>
  [[nodiscard]] T* take(std::size_t count, const T& value) {
    T* const result = take_raw<T>(count);
    std::fill(result, result + count, value);
    return result;
  }
  /// An array of `count` elements without a value: its pages are not touched.
  template <class T>
  [[nodiscard]] T* take_raw(std::size_t count) {
    static_assert(std::is_trivially_copyable_v<T>);
    return static_cast<T*>(allocate(count * sizeof(T)));
  }

  /// Gives an array back early.
  void release(void* array) noexcept {
    Block* const block = static_cast<Block*>(array) - 1;
    (block->previous == nullptr ? blocks_ : block->previous->next) =
        block->next;
    if (block->next != nullptr) block->next->previous = block->previous;
    bytes_ -= block->bytes;
    ::operator delete(block);
  }

  /// What is held now.
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }
  /// The most bytes that were held at one time, since the last restart_peak().
  [[nodiscard]] std::size_t peak_bytes() const noexcept { return peak_; }
  void restart_peak() noexcept { peak_ = bytes_; }

 private:
  struct alignas(std::max_align_t) Block {
    Block* next;
    Block* previous;
    std::size_t bytes;
  };

  [[nodiscard]] void* allocate(std::size_t bytes) {
    bytes += sizeof(Block);
    Block* const block =
        new (::operator new(bytes)) Block{blocks_, nullptr, bytes};
    if (blocks_ != nullptr) blocks_->previous = block;
    blocks_ = block;
    bytes_ += bytes;
    peak_ = (std::max)(peak_, bytes_);
    return block + 1;
  }
  [[nodiscard]] void* allocate_zero(std::size_t bytes) {
    return std::memset(allocate(bytes), 0, bytes);
  }

  Block* blocks_ = nullptr;
  std::size_t bytes_ = 0;
  std::size_t peak_ = 0;
};

/// A stack that grows. Growing moves its elements.
template <class T>
class Stack {
 public:
  Stack(Memory& memory, std::size_t capacity)
      : memory_(&memory),
        data_(memory.take_raw<T>(capacity)),
        capacity_(capacity) {}

  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] T* data() noexcept { return data_; }
  [[nodiscard]] T* begin() noexcept { return data_; }
  [[nodiscard]] T* end() noexcept { return data_ + size_; }
  [[nodiscard]] const T* begin() const noexcept { return data_; }
  [[nodiscard]] const T* end() const noexcept { return data_ + size_; }
  [[nodiscard]] T& operator[](std::size_t k) noexcept { return data_[k]; }
  [[nodiscard]] const T& operator[](std::size_t k) const noexcept {
    return data_[k];
  }
  [[nodiscard]] T& back() noexcept { return data_[size_ - 1]; }

  void push(const T& value) {
    const T copy = value;  // It may be an element that moves.
    *extend(1) = copy;
  }
  /// Makes room for `count` more elements at the end, and returns the first.
  [[nodiscard]] T* extend(std::size_t count) {
    if (size_ + count > capacity_) grow(size_ + count);
    size_ += count;
    return data_ + (size_ - count);
  }
  /// Drops the last element, and returns it.
  [[nodiscard]] T pop() noexcept { return data_[--size_]; }
  /// Drops all elements after the first `size`.
  void shrink(std::size_t size) noexcept { size_ = size; }
  /// Drops those from `first` to the end, as List::erase().
  void erase(const T* first, const T* /*end*/) noexcept {
    size_ = static_cast<std::size_t>(first - data_);
  }

 private:
  void grow(std::size_t wanted) {
    capacity_ = (std::max)(2 * capacity_, wanted);
    T* const bigger = memory_->take_raw<T>(capacity_);
    std::copy(data_, data_ + size_, bigger);
    memory_->release(data_);
    data_ = bigger;
  }

  Memory* memory_;
  T* data_;
  std::size_t size_ = 0;
  std::size_t capacity_;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_SUPPORT_MEMORY_HPP
