// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A search that stays between the turns of a call: what it holds then is counted
/// (plan/call.hpp).
#ifndef SNUG_PLAN_HELD_SEARCH_HPP
#define SNUG_PLAN_HELD_SEARCH_HPP

#include "snug/config.hpp"
#include "snug/engine/bits.hpp"
#include "snug/engine/portfolio.hpp"
#include "snug/engine/strategy.hpp"
#include "snug/plan/call.hpp"
#include "snug/support/memory.hpp"
#include "snug/support/outcome.hpp"

#include <cstdint>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// The portfolio of a model, with the memory of both.
template <class Model>
class HeldSearch {
 public:
  /// All that `memory` holds is counted as the search's. Whoever makes an
  /// instance for this search alone makes it in the same memory.
  HeldSearch(const typename Model::Instance& instance,
             typename Model::Offset capacity, const Strategies& usual,
             Call& call, Memory& memory)
      : call_(&call),
        memory_(&memory),
        portfolio_(instance, capacity, usual, call.run(), memory),
        held_(call, 0) {}

  /// Searches until the outcome is known, a limit is hit or `most_nodes` more were
  /// needed, about.
  [[nodiscard]] Outcome go_on(std::int64_t most_nodes) {
    const Outcome outcome = portfolio_.run_all(most_nodes);
    call_->count_bytes(memory_->peak_bytes() - held_.bytes());
    memory_->restart_peak();
    held_.change(memory_->bytes());
    return outcome;
  }

  /// After kPlacedAll, in units of the instance.
  [[nodiscard]] auto offsets() const noexcept {
    return portfolio_.model().offsets();
  }
  /// After kRefuted: whether the proof used an item.
  [[nodiscard]] bool refutes_with(Index x) const noexcept {
    return has_bit(portfolio_.refuted(), x);
  }

 private:
  Call* call_;
  Memory* memory_;
  Portfolio<Model> portfolio_;
  Held held_;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAN_HELD_SEARCH_HPP
