// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Failed states: what was refuted once is not searched again.
///
/// A refuted part refutes every later one with the same key (state_key.hpp says
/// how sure equality of keys is), in other branches, under other strategies and
/// after restarts, at the same capacity: see engine/tree_search.hpp. The conflict
/// found then is stored with it and explains the later node just as well, for it
/// speaks of the same unplaced items in the same state.
///
/// The table is bounded. It probes a few neighbouring slots and, when all are
/// taken, overwrites the state that took the fewest nodes to refute, for that is
/// refuted again the soonest; of several, one in turn. Between runs it may grow
/// until it reaches its limit; during a run it never allocates. With a limit of 0
/// bytes nothing is remembered.
#ifndef SNUG_ENGINE_FAILED_STATES_HPP
#define SNUG_ENGINE_FAILED_STATES_HPP

#include "snug/config.hpp"
#include "snug/engine/bits.hpp"
#include "snug/engine/conflict.hpp"
#include "snug/engine/state_key.hpp"
#include "snug/support/memory.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

SNUG_BEGIN_NAMESPACE
namespace detail {

class FailedStates {
 public:
  /// A table for conflicts of `words` words a set, of at most `bytes` bytes.
  FailedStates(std::size_t words, std::size_t bytes, Memory& memory)
      : memory_(&memory), words_(words) {
    if (bytes == 0) return;
    const std::size_t per_slot = sizeof(Key) + stride() * sizeof(Word);
    limit_ = kProbes;
    while (limit_ * 2 * per_slot <= bytes) limit_ *= 2;
    resize((std::min)(limit_, std::size_t{256}));
  }

  /// The slot of a key, or kNone.
  static constexpr std::size_t kNone = ~std::size_t{0};
  [[nodiscard]] std::size_t find(const Key& key) const noexcept {
    if (limit_ == 0) return kNone;
    for (std::size_t k = 0; k < kProbes; ++k) {
      const std::size_t slot = (key.low + k) & mask_;
      if (keys_[slot] == key) return slot;
      if (keys_[slot] == Key{}) return kNone;
    }
    return kNone;
  }
  /// The conflict in a slot.
  [[nodiscard]] Conflict conflict(std::size_t slot) noexcept {
    return {&nodes_of(slot) + 1, static_cast<Index>(words_)};
  }

  /// A state that took so many nodes to refute.
  void insert(const Key& key, const Conflict& conflict,
              std::int64_t nodes) noexcept {
    if (limit_ == 0) return;
    // If all are taken and one is as good as another.
    std::size_t slot = (key.low + turn_++ % kProbes) & mask_;
    for (std::size_t k = 0; k < kProbes; ++k) {
      const std::size_t probed = (key.low + k) & mask_;
      if (keys_[probed] == key) return;
      if (keys_[probed] == Key{}) {
        slot = probed;
        ++count_;
        break;
      }
      if (nodes_of(probed) < nodes_of(slot)) slot = probed;
    }
    keys_[slot] = key;
    nodes_of(slot) = static_cast<Word>(nodes);
    this->conflict(slot).assign(conflict);
  }

  /// Makes room for a run of `nodes` nodes, as far as the limits allow. A run
  /// without end gets what most need.
  void prepare(std::int64_t nodes) {
    if (limit_ == 0) return;
    const std::size_t wanted =
        count_ + static_cast<std::size_t>((std::min)(nodes, kNodesPerRun));
    std::size_t slots = mask_ + 1;
    while (slots < limit_ && slots < 2 * wanted) slots *= 2;
    if (slots > mask_ + 1) resize(slots);
  }

 private:
  static constexpr std::size_t kProbes = 8;
  static constexpr std::int64_t kNodesPerRun = 1 << 14;

  /// Words of a slot: the nodes, then the two sets of the conflict.
  [[nodiscard]] std::size_t stride() const noexcept { return 2 * words_ + 1; }
  [[nodiscard]] Word& nodes_of(std::size_t slot) const noexcept {
    return sets_[stride() * slot];
  }

  void resize(std::size_t slots) {
    const std::size_t old_slots = keys_ == nullptr ? 0 : mask_ + 1;
    Key* const old_keys = keys_;
    Word* const old_sets = sets_;
    keys_ = memory_->take<Key>(slots);
    sets_ = memory_->take<Word>(stride() * slots);
    mask_ = slots - 1;
    count_ = 0;
    for (std::size_t slot = 0; slot < old_slots; ++slot) {
      if (old_keys[slot] == Key{}) continue;
      Word* const old = old_sets + stride() * slot;
      insert(old_keys[slot], {old + 1, static_cast<Index>(words_)},
             static_cast<std::int64_t>(*old));
    }
    if (old_keys == nullptr) return;
    memory_->release(old_keys);
    memory_->release(old_sets);
  }

  Memory* memory_;
  std::size_t words_;
  std::size_t limit_ = 0;  ///< most slots
  std::size_t mask_ = 0;
  std::size_t count_ = 0;
  std::size_t turn_ = 0;
  Key* keys_ = nullptr;  ///< the zero key marks a free slot
  Word* sets_ = nullptr;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_ENGINE_FAILED_STATES_HPP
