// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Elements in a row that somebody else owns: what std::span is in C++20.
#ifndef SNUG_SUPPORT_VIEW_HPP
#define SNUG_SUPPORT_VIEW_HPP

#include "snug/config.hpp"

#include <cstddef>

SNUG_BEGIN_NAMESPACE
namespace detail {

template <class T>
class View {
 public:
  View() = default;
  View(T* first, T* last) noexcept : first_(first), last_(last) {}

  [[nodiscard]] T* begin() const noexcept { return first_; }
  [[nodiscard]] T* end() const noexcept { return last_; }
  [[nodiscard]] bool empty() const noexcept { return first_ == last_; }
  [[nodiscard]] std::size_t size() const noexcept {
    return static_cast<std::size_t>(last_ - first_);
  }
  [[nodiscard]] T& operator[](std::size_t k) const noexcept {
    return first_[k];
  }

 private:
  T* first_ = nullptr;
  T* last_ = nullptr;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_SUPPORT_VIEW_HPP
