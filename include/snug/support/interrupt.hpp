// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How work that takes no nodes stops when the time of a call is up: it asks now
/// and then whether to. A heuristic keeps what it has; what all else leaves
/// behind is of no use, and whoever began it asks the call whether it gave up.
///
/// What is no search asks after so many elements:
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
#include <type_traits>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// Whether to give up. By default never.
class Interrupt {
 public:
  /// Elements between two questions: some 0.1 to 5 ms of work.
  static constexpr std::size_t kElements = std::size_t{1} << 14;

  Interrupt() = default;
  /// What the function object says. It must outlive this.
  template <class Asked, class = std::enable_if_t<
                             !std::is_same_v<std::decay_t<Asked>, Interrupt>>>
  Interrupt(Asked&& asked)  // NOLINT: stands for it
      : asked_(&asked), ask_([](const void* data) {
          using Object = std::remove_reference_t<Asked>;
          return (*static_cast<Object*>(const_cast<void*>(data)))();
        }) {}
  /// What (asked.*kAsks)() says. It must outlive this.
  template <auto kAsks, class Asked>
  [[nodiscard]] static Interrupt asking(Asked& asked) {
    Interrupt interrupt;
    interrupt.asked_ = &asked;
    interrupt.ask_ = [](const void* data) {
      return (static_cast<Asked*>(const_cast<void*>(data))->*kAsks)();
    };
    return interrupt;
  }

  [[nodiscard]] bool operator()() const {
    return ask_ != nullptr && ask_(asked_);
  }
  /// The same before each kElements-th element but the first.
  [[nodiscard]] bool at(std::size_t element) const {
    return element % kElements == 0 && element > 0 && (*this)();
  }
  /// The same after a pass over so many: few take no time.
  [[nodiscard]] bool after(std::size_t passed) const {
    return passed >= kElements && (*this)();
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
  const void* asked_ = nullptr;
  bool (*ask_)(const void*) = nullptr;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_SUPPORT_INTERRUPT_HPP
