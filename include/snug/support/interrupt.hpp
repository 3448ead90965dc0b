// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How work that is no search stops when the time of a call is up: it asks
/// after so many elements, and what it then leaves behind is of no use. Whoever
/// began it asks the call whether it gave up.
///
///     |--- kElements ---|--- kElements ---|-- ...
///                       ?                 ?
///
/// So small problems are never interrupted before a search, and the clock costs
/// nothing.
#ifndef SNUG_SUPPORT_INTERRUPT_HPP
#define SNUG_SUPPORT_INTERRUPT_HPP

#include "snug/config.hpp"

#include <cstddef>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// Whether to give up. By default never.
class Interrupt {
 public:
  /// Elements between two questions: some 0.1 to 5 ms of work.
  static constexpr std::size_t kElements = std::size_t{1} << 14;

  Interrupt() = default;
  /// What asked.gives_up() says. It must outlive this.
  template <class Asked>
  explicit Interrupt(Asked& asked)
      : asked_(&asked),
        ask_([](void* data) { return static_cast<Asked*>(data)->gives_up(); }) {
  }

  [[nodiscard]] bool operator()() const {
    return ask_ != nullptr && ask_(asked_);
  }
  /// The same before each kElements-th element but the first.
  [[nodiscard]] bool at(std::size_t element) const {
    return element % kElements == 0 && element > 0 && (*this)();
  }
  /// The same where elements come in steps of any size: `since` counts those
  /// since the last question.
  [[nodiscard]] bool after(std::size_t more, std::size_t& since) const {
    since += more;
    if (since < kElements) return false;
    since = 0;
    return (*this)();
  }

 private:
  void* asked_ = nullptr;
  bool (*ask_)(void*) = nullptr;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_SUPPORT_INTERRUPT_HPP
