// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A problem that the plain search can take, made for it: one whose buffers all can
/// begin at one address, its *ground*. What is fixed or reserved are obstacles then
/// (normal/obstacles.hpp).
///
///     flat -> plain, its cliques -> a bound
///
/// None of that depends on the capacity.
///
/// Cost: that of its parts, of which the cliques have half of the time that is left.
#ifndef SNUG_PLAN_ABOVE_GROUND_HPP
#define SNUG_PLAN_ABOVE_GROUND_HPP

#include "snug/bounds/aligned_load.hpp"
#include "snug/bounds/clique_cover.hpp"
#include "snug/bounds/load.hpp"
#include "snug/config.hpp"
#include "snug/engine/limits.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/obstacles.hpp"
#include "snug/normal/plain.hpp"
#include "snug/plan/call.hpp"
#include "snug/plan/relaxed_load.hpp"
#include "snug/support/align.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// The ground of a problem with constraints if the plain search can take all of it.
template <class M>
[[nodiscard]] Ground searched_ground(const Flat& flat) {
  if constexpr (M::kBoth) return obstructed_ground(flat);
  return {};
}

/// A height that no placement is below. Also lists the cliques of the problem,
/// as many as are found in half of the time that is left.
[[nodiscard]] inline std::int64_t bound_and_cover(Plain& plain, Call& call) {
  TimeForPart half(call.limits(), 2);
  const Interrupt interrupt = half.interrupt();
  std::int64_t load = aligned_load(plain, interrupt);
  if (!plain.obstacles.empty())
    load = (std::max)(load, obstructed_load(plain, interrupt));
  if (plain.apart.empty()) return load;
  CliqueCover cover(plain, interrupt);
  const std::int64_t bound = (std::max)(load, cover.find_bound());
  plain.cliques = std::move(cover.cliques());
  return bound;
}

/// The plain problem of what has a ground. Its memory is held.
template <class M>
class AboveGround {
 public:
  /// Takes the buffers, which are the longest list, if nothing is fixed or reserved:
  /// `flat` has none from then on. Of no use if the call gave up.
  AboveGround(Flat& flat, std::int64_t ground, Call& call)
      : ground_(ground), plain_(make(flat, ground, call)), held_(call, 0) {
    call.count_bytes(flat.bytes() + bytes_to_make(plain_));
    if (call.gave_up()) return;
    held_.change(plain_.bytes());
    if constexpr (M::kBodies) {
      bound_ =
          (std::max)(bound_and_cover(plain_, call), height_of_others(flat));
      if (!flat.fixed.empty())
        bound_ = (std::max)(bound_, relaxed_load(flat, call) - ground_);
    } else {
      bound_ = aligned_load(plain_, call.interrupt());
    }
  }

  [[nodiscard]] const Plain& plain() const noexcept { return plain_; }
  [[nodiscard]] std::int64_t ground() const noexcept { return ground_; }
  /// A height above the ground that no placement is below.
  [[nodiscard]] std::int64_t bound() const noexcept { return bound_; }

  /// Makes a placement of the plain problem one of the flat problem.
  void lift(const Flat& flat, List<std::int64_t>& offsets) const {
    if (ground_ == 0 && flat.base == 0 && flat.fixed.empty()) return;
    for (Index i = 0; i < offsets.size(); ++i)
      offsets[i] = flat.is_fixed(i) ? flat.fixed[i]
                   : plain_.buffers[i].size == 0
                       ? align_up(flat.base, plain_.buffers[i].alignment)
                       : offsets[i] + ground_;
  }

 private:
  [[nodiscard]] static Plain make(Flat& flat, std::int64_t ground, Call& call) {
    if constexpr (M::kBodies)
      return make_obstructed(flat, ground, call.interrupt());
    else
      return make_plain(std::move(flat.buffers), call.interrupt());
  }

  /// That of what is fixed, and of buffers without bytes, above the ground.
  [[nodiscard]] std::int64_t height_of_others(const Flat& flat) const {
    std::int64_t height = 0;
    for (Index i = 0; i < plain_.buffers.size(); ++i)
      if (flat.is_fixed(i))
        height = (std::max)(height, flat.fixed[i] + flat.buffers[i].size);
      else if (plain_.buffers[i].size == 0)
        height = (std::max)(height,
                            align_up(flat.base, plain_.buffers[i].alignment));
    return height - ground_;
  }

  std::int64_t ground_;
  Plain plain_;
  std::int64_t bound_ = 0;
  Held held_;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAN_ABOVE_GROUND_HPP
