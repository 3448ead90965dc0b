// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which in-place pairs of a schedule are legal.
///
/// Tensors tied by parts and by the pairs accepted before are *families*, each
/// member at a fixed place. Writing output y over input x joins two families:
///
///     family of x    | x |                   x |======|
///     family of y        | y |    joined ->  y |==|
///                        |  c  |             c |=====|     y is a part of c
///
/// That is legal when no other member of one loses bytes to a member of the
/// other: wherever their bytes meet, all users of one finish before all users
/// of the other start, in the order of steps and in that of streams. The
/// operator's promise exempts x from y, and from what the writing of y
/// completes (views of y, and tensors assembled with y last).
///
/// The joined family also stays aligned with its lowest byte at offset 0, so
/// that a tie never forces it up.
///
/// Cost: O(size of one family * size of the other) questions of UserOrder a
/// pair.
#ifndef SNUG_SCHEDULE_IN_PLACE_HPP
#define SNUG_SCHEDULE_IN_PLACE_HPP

#include "snug/config.hpp"
#include "snug/schedule/happens_before.hpp"
#include "snug/schedule/liveness.hpp"
#include "snug/schedule/operators.hpp"
#include "snug/schedule/sizes.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

class Families {
 public:
  /// Refers to all its arguments.
  Families(const Schedule& schedule, const TensorSizes& sizes,
           const Liveness& liveness, const UserOrder& order)
      : schedule_(schedule),
        sizes_(sizes.sizes),
        liveness_(liveness),
        order_(order),
        families_(sizes.roots),
        places_(sizes.places),
        members_(sizes.roots.size()),
        lowest_(sizes.roots.size(), 0) {
    for (std::size_t x = 0; x < families_.size(); ++x)
      members_[families_[x]].push_back(x);
  }

  /// Ties tensor `y` to the place of `x` if operator `t`, which writes y and
  /// reads x, may write y over x. Returns whether they are tied.
  [[nodiscard]] bool tie(std::size_t t, std::size_t y, std::size_t x) {
    if (families_[x] == families_[y]) return places_[x] == places_[y];
    const Tensor& input = schedule_.tensors[x];
    if (input.is_output || input.lives_throughout ||
        schedule_.tensors[y].lives_throughout ||
        liveness_[x].steps.upper > t + 1)
      return false;
    const std::int64_t shift = places_[x] - places_[y];
    const std::int64_t lowest =
        (std::min)(lowest_[families_[x]], lowest_[families_[y]] + shift);
    if (!is_aligned(families_[x], lowest) ||
        !is_aligned(families_[y], lowest - shift))
      return false;
    for (const std::size_t p : members_[families_[x]])
      for (const std::size_t q : members_[families_[y]])
        if (!may_meet(p, q, shift, p == x && liveness_[q].definer == y))
          return false;
    join(families_[x], families_[y], shift);
    return true;
  }

 private:
  /// Whether the members of family `f` are still aligned when the place that
  /// is at offset 0 is `lowest`. They are with their own lowest place there.
  [[nodiscard]] bool is_aligned(std::size_t f, std::int64_t lowest) const {
    if (lowest == lowest_[f]) return true;
    for (const std::size_t x : members_[f])
      if ((places_[x] - lowest) % schedule_.tensors[x].alignment != 0)
        return false;
    return true;
  }

  /// Whether `p`, and `q` moved by `shift`, may lie where they then do.
  [[nodiscard]] bool may_meet(std::size_t p, std::size_t q, std::int64_t shift,
                              bool is_exempt) const {
    const Interval<std::size_t>& a = liveness_[p].steps;
    const Interval<std::size_t>& b = liveness_[q].steps;
    if (a.empty() || b.empty()) return true;
    const std::int64_t place = places_[q] + shift;
    if (sizes_[p] == 0 || sizes_[q] == 0 || places_[p] + sizes_[p] <= place ||
        place + sizes_[q] <= places_[p])
      return true;
    if (is_exempt) return order_.precedes(p, q);
    if (a.overlaps(b)) return false;
    return a.lower < b.lower ? order_.precedes(p, q) : order_.precedes(q, p);
  }

  /// Moves family `g` by `shift` into family `f`.
  void join(std::size_t f, std::size_t g, std::int64_t shift) {
    if (members_[f].size() < members_[g].size()) {
      std::swap(f, g);
      shift = -shift;
    }
    lowest_[f] = (std::min)(lowest_[f], lowest_[g] + shift);
    for (const std::size_t x : members_[g]) {
      families_[x] = f;
      places_[x] += shift;
      members_[f].push_back(x);
    }
    members_[g].clear();
  }

  const Schedule& schedule_;
  const std::vector<std::int64_t>& sizes_;
  const Liveness& liveness_;
  const UserOrder& order_;
  std::vector<std::size_t> families_;
  std::vector<std::int64_t> places_;
  std::vector<std::vector<std::size_t>> members_;
  std::vector<std::int64_t> lowest_;  ///< place of each family
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_SCHEDULE_IN_PLACE_HPP
