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
#include "snug/support/sort.hpp"

#include <algorithm>
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

 private:
  void* asked_ = nullptr;
  bool (*ask_)(void*) = nullptr;
};

/// std::sort() by a total order, in parts. False if it was interrupted: the
/// elements are in any order then.
///
/// The parts are those of quicksort, with the median of a few elements as
/// pivot. Where that does not halve, the rest is one part.
template <class Iterator, class Before>
[[nodiscard]] bool sort_in_parts(Iterator first, Iterator last, Before before,
                                 const Interrupt& interrupt) {
  constexpr std::ptrdiff_t kMostOfPart = 4 * Interrupt::kElements;
  constexpr std::ptrdiff_t kSamples = 63;
  while (last - first > kMostOfPart) {
    if (interrupt()) return false;
    const std::ptrdiff_t step = (last - first) / kSamples;
    auto pivot = *first;
    {
      decltype(pivot) samples[kSamples];
      for (std::ptrdiff_t k = 0; k < kSamples; ++k)
        samples[k] = first[k * step];
      heap_sort(samples, kSamples, before);
      pivot = samples[kSamples / 2];
    }
    const Iterator middle = std::partition(
        first, last, [&](const auto& other) { return before(other, pivot); });
    if ((std::min)(middle - first, last - middle) < (last - first) / 8) break;
    if (!sort_in_parts(first, middle, before, interrupt)) return false;
    first = middle;
  }
  std::sort(first, last, before);
  return true;
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_SUPPORT_INTERRUPT_HPP
