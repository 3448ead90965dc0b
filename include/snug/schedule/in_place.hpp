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

/// Why an output is not written over an input.
enum class InPlaceReason : std::uint8_t {
  kNone,
  kTiedElsewhere,
  kLivesThroughout,
  kUpdated,
  kReadByHost,
  kUsedLater,
  kMisaligned,
  kTooLarge,
  kOverlap,
  kUnordered,
};

[[nodiscard]] constexpr const char* to_string(InPlaceReason reason) noexcept {
  switch (reason) {
    case InPlaceReason::kNone:
      return "written in place";
    case InPlaceReason::kTiedElsewhere:
      return "input and output are tied already, at different places";
    case InPlaceReason::kLivesThroughout:
      return "input or output lives throughout";
    case InPlaceReason::kUpdated:
      return "the operator updates the input or the output";
    case InPlaceReason::kReadByHost:
      return "input is an output of the schedule";
    case InPlaceReason::kUsedLater:
      return "input is in use after the operator";
    case InPlaceReason::kMisaligned:
      return "a tensor tied to them would not be aligned";
    case InPlaceReason::kTooLarge:
      return "what would be tied to them overflows the size type";
    case InPlaceReason::kOverlap:
      return "a tensor tied to them would lose bytes";
    case InPlaceReason::kUnordered:
      return "a user of the bytes on another stream may not have finished";
  }
  return "unknown";
}

namespace detail {

class Families {
 public:
  /// Refers to all its arguments but `limit`: no family has more bytes.
  Families(const Schedule& schedule, const TensorSizes& sizes,
           const Liveness& liveness, const UserOrder& order, std::int64_t limit)
      : schedule_(schedule),
        sizes_(sizes.sizes),
        liveness_(liveness),
        order_(order),
        families_(sizes.roots),
        places_(sizes.places),
        members_(sizes.roots.size()),
        lowest_(sizes.roots.size(), 0),
        highest_(sizes.sizes),
        limit_(limit) {
    for (std::size_t x = 0; x < families_.size(); ++x)
      members_[families_[x]].push_back(x);
  }

  /// Ties tensor `y` to the place of `x` if operator `t`, which writes y and
  /// reads x, may write y over x. Returns why not; kNone if they are tied.
  [[nodiscard]] InPlaceReason tie(std::size_t t, std::size_t y, std::size_t x) {
    if (families_[x] == families_[y])
      return places_[x] == places_[y] ? InPlaceReason::kNone
                                      : InPlaceReason::kTiedElsewhere;
    const Tensor& input = schedule_.tensors[x];
    if (input.lives_throughout || schedule_.tensors[y].lives_throughout)
      return InPlaceReason::kLivesThroughout;
    if (liveness_.updates(t, x) || liveness_.updates(t, y))
      return InPlaceReason::kUpdated;
    if (input.is_output) return InPlaceReason::kReadByHost;
    if (liveness_[x].steps.upper > t + 1) return InPlaceReason::kUsedLater;
    const std::int64_t shift = places_[x] - places_[y];
    const std::int64_t lowest =
        (std::min)(lowest_[families_[x]], lowest_[families_[y]] + shift);
    if (!is_aligned(families_[x], lowest) ||
        !is_aligned(families_[y], lowest - shift))
      return InPlaceReason::kMisaligned;
    const std::int64_t highest =
        (std::max)(highest_[families_[x]], highest_[families_[y]] + shift);
    if (highest - lowest > limit_) return InPlaceReason::kTooLarge;
    for (const std::size_t p : members_[families_[x]])
      for (const std::size_t q : members_[families_[y]]) {
        const InPlaceReason reason =
            why_not(p, q, shift, p == x && liveness_[q].definer == y);
        if (reason != InPlaceReason::kNone) return reason;
      }
    join(families_[x], families_[y], shift);
    return InPlaceReason::kNone;
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

  /// Why `p`, and `q` moved by `shift`, may not lie where they then do.
  [[nodiscard]] InPlaceReason why_not(std::size_t p, std::size_t q,
                                      std::int64_t shift,
                                      bool is_exempt) const {
    const Interval<std::size_t>& a = liveness_[p].steps;
    const Interval<std::size_t>& b = liveness_[q].steps;
    if (a.empty() || b.empty()) return InPlaceReason::kNone;
    const std::int64_t place = places_[q] + shift;
    if (sizes_[p] == 0 || sizes_[q] == 0 || places_[p] + sizes_[p] <= place ||
        place + sizes_[q] <= places_[p])
      return InPlaceReason::kNone;
    if (!is_exempt && a.overlaps(b)) return InPlaceReason::kOverlap;
    const bool is_ordered = is_exempt || a.lower < b.lower
                                ? order_.precedes(p, q)
                                : order_.precedes(q, p);
    return is_ordered ? InPlaceReason::kNone : InPlaceReason::kUnordered;
  }

  /// Moves family `g` by `shift` into family `f`.
  void join(std::size_t f, std::size_t g, std::int64_t shift) {
    if (members_[f].size() < members_[g].size()) {
      std::swap(f, g);
      shift = -shift;
    }
    lowest_[f] = (std::min)(lowest_[f], lowest_[g] + shift);
    highest_[f] = (std::max)(highest_[f], highest_[g] + shift);
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
  std::vector<std::int64_t> lowest_;   ///< place of each family
  std::vector<std::int64_t> highest_;  ///< end of each family
  std::int64_t limit_;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_SCHEDULE_IN_PLACE_HPP
