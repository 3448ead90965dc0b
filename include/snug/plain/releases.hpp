// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Releases of skipped buffers: how high something must hold them up.
///
/// A skipped buffer x does not sit at its minimum offset m(x), so in a
/// canonical solution it rests on a neighbour y that is still unplaced, and
/// y's top is at least r(y) + s(y). So
///
///     r(x) = min over unplaced neighbours y of r(y) + s(y), rounded up,
///
/// is a lower bound on x's offset; without an unplaced neighbour x can never
/// be held up, and r(x) = kNever refutes the node. Skipped buffers hold each
/// other up, so the equations are those of shortest paths: values become final
/// in ascending order, starting from the buffers that are not skipped. Sizes
/// are positive, so no cycle of skipped buffers can support itself.
///
/// x was eligible when it was skipped: every unplaced y had r(y) + s(y) > m(x).
/// Releases only rise down a branch, so r(x) > m(x) as long as x is skipped.
///
/// Each skipped buffer remembers its support, the y that gave the minimum.
/// Only buffers whose support changed, or rests on one that did, are computed
/// anew. Cost: the neighbours of those, plus their number squared.
#ifndef SNUG_PLAIN_RELEASES_HPP
#define SNUG_PLAIN_RELEASES_HPP

#include "snug/config.hpp"
#include "snug/engine/bits.hpp"
#include "snug/plain/state.hpp"
#include "snug/support/memory.hpp"

#include <cstddef>
#include <utility>

SNUG_BEGIN_NAMESPACE
namespace detail {

template <class Units>
class Releases {
 public:
  static constexpr Units kNever = Instance<Units>::kNever;

  Releases(const Instance<Units>& instance, Memory& memory)
      : stale_(memory, instance.size) {}

  /// Brings the releases of the skipped buffers among [begin, end) up to date.
  /// Returns a buffer that nothing can hold up, or nobody().
  [[nodiscard]] Index update(State<Units>& state, Index begin, Index end) {
    collect_stale(state, begin, end);
    for (Stale& stale : stale_) lowest_support(state, stale);
    // Dijkstra: the lowest open value cannot change any more.
    for (std::size_t done = 0; done < stale_.size(); ++done) {
      std::size_t lowest = done;
      for (std::size_t k = done + 1; k < stale_.size(); ++k)
        if (stale_[k].value < stale_[lowest].value) lowest = k;
      std::swap(stale_[done], stale_[lowest]);
      const Stale settled = stale_[done];
      if (settled.value == kNever) return settled.buffer;
      state.release[settled.buffer] = settled.value;
      state.support[settled.buffer] = settled.support;
      for (std::size_t k = done + 1; k < stale_.size(); ++k)
        if (state.instance->are_neighbours(settled.buffer, stale_[k].buffer))
          relax(state, stale_[k], settled.buffer);
    }
    return state.nobody();
  }

 private:
  struct Stale {
    Index buffer;
    Index support;
    Units value;
  };

  [[nodiscard]] static Units release_on(const State<Units>& state, Index x,
                                        Index y) {
    return state.instance->round_up(
        x, static_cast<Units>(state.release[y] + state.instance->length[y]));
  }

  /// Finds the skipped buffers whose support moved, and those above them, and
  /// opens their releases.
  void collect_stale(State<Units>& state, Index begin, Index end) {
    stale_.shrink(0);
    for (bool grown = true; grown;) {
      grown = false;
      for (Index w = begin / 64; w < words_for(end); ++w)
        for (Word word = state.skipped[w] & state.unplaced[w]; word != 0;
             word &= word - 1) {
          const Index x = w * 64 + lowest_bit(word);
          const bool open = state.release[x] == kNever;
          if (state.support[x] == state.nobody()) {
            if (open) continue;
          } else if (!open && release_on(state, x, state.support[x]) ==
                                  state.release[x]) {
            continue;
          }
          if (!open) state.set_release(x, kNever);
          state.support[x] = state.nobody();
          stale_.push({x, state.nobody(), kNever});
          grown = true;
        }
    }
  }

  static void relax(const State<Units>& state, Stale& stale, Index y) {
    // Rounding up makes it no lower; and a release of kNever is no use.
    const Units top =
        static_cast<Units>(state.release[y] + state.instance->length[y]);
    if (top >= stale.value) return;
    const Units value = state.instance->round_up(stale.buffer, top);
    if (value < stale.value) {
      stale.value = value;
      stale.support = y;
    }
  }
  static void lowest_support(const State<Units>& state, Stale& stale) {
    state.for_each_neighbour(stale.buffer,
                             [&](Index y) { relax(state, stale, y); });
  }

  Stack<Stale> stale_;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAIN_RELEASES_HPP
