// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A problem with hints once it is known which buffers stay at theirs: these are
/// fixed, and the others are searched.
#ifndef SNUG_PLAN_PLACE_PINNED_HPP
#define SNUG_PLAN_PLACE_PINNED_HPP

#include "snug/config.hpp"
#include "snug/normal/flat.hpp"
#include "snug/plan/call.hpp"
#include "snug/plan/found.hpp"
#include "snug/plan/place_presolved.hpp"
#include "snug/support/outcome.hpp"

#include <cstdint>
#include <utility>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// Places a presolved problem some of whose buffers are pinned to their hints,
/// in at most `nodes` nodes. Returns whether it did.
template <class M>
[[nodiscard]] bool place_pinned(Flat pinned, std::int64_t capacity,
                                std::int64_t nodes, Call& call, Found& found) {
  pinned.hints.clear();
  Share share(call, nodes);
  Found placed;
  if (solve_presolved<M>(std::move(pinned), capacity, share.call(), placed) !=
      Outcome::kPlacedAll)
    return false;
  found.offsets = std::move(placed.offsets);
  return true;
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAN_PLACE_PINNED_HPP
