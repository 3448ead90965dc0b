// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A bound for problems with constraints: what is live together needs beside what is fixed
/// and reserved (bounds/packed_load.hpp), whatever else is asked of it
/// (normal/relaxed.hpp). Without it a search for bodies takes one hole after the other as
/// full as can be before it sees that the last ones are too small.
#ifndef SNUG_PLAN_RELAXED_PACKINGS_HPP
#define SNUG_PLAN_RELAXED_PACKINGS_HPP

#include "snug/bounds/packed_load.hpp"
#include "snug/config.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/obstacles.hpp"
#include "snug/normal/plain.hpp"
#include "snug/normal/relaxed.hpp"
#include "snug/plan/call.hpp"
#include "snug/support/list.hpp"
#include "snug/support/sort.hpp"

#include <cstdint>
#include <utility>

SNUG_BEGIN_NAMESPACE
namespace detail {

class RelaxedPackings {
 public:
  /// Whether there are obstacles.
  [[nodiscard]] static bool suits(const Flat& flat) noexcept {
    return !flat.fixed.empty() || !flat.reserved.empty();
  }

  /// Of no use if the call gave up. The problem must outlive it.
  RelaxedPackings(const Flat& flat, Call& call)
      : RelaxedPackings(flat, relax_beside_fixed(flat, call.interrupt()),
                        call) {}
  RelaxedPackings(const RelaxedPackings&) = delete;
  RelaxedPackings& operator=(const RelaxedPackings&) = delete;

  /// No placement is lower: the highest one that is above `above`, or the first one above
  /// `enough`; 0 if there is none. Those that take long are looked at if that is wanted,
  /// but only once unless `above` is lower than before.
  [[nodiscard]] std::int64_t height(std::int64_t above, std::int64_t enough,
                                    bool takes_long, Call& call) {
    if (!is_over_ || above < above_) {
      above_ = above;
      is_over_ = loads_.run(above, enough,
                            takes_long ? packing_steps_for(plain_.order.size())
                                       : kFirstPackingSteps,
                            call.stopper()) ||
                 takes_long;
    }
    call.count_bytes(sizeof(*this) + loads_.bytes());
    return loads_.height();
  }
  /// The buffers that need it, and all that are fixed, ascending.
  [[nodiscard]] List<Index> core() const {
    List<Index> result;
    const auto buffers =
        static_cast<Index>(plain_.buffers.size() - owners_.size());
    for (const Index i : loads_.highest())
      result.push_back(i < buffers ? i : owners_[i - buffers]);
    heap_sort(result);
    add_fixed(*flat_, result);
    return result;
  }

 private:
  RelaxedPackings(const Flat& flat, RelaxedBesideFixed relaxed, Call& call)
      : flat_(&flat),
        owners_(std::move(relaxed.owners)),
        plain_(make_obstructed(relaxed.problem, 0, call.interrupt())),
        loads_(plain_),
        held_(call, plain_.bytes() + bytes_of(owners_)) {
    call.count_bytes(bytes_to_make(plain_));
  }

  const Flat* flat_;
  List<Index> owners_;
  Plain plain_;
  PackedLoads loads_;
  Held held_;
  std::int64_t above_ = 0;  ///< of the last look
  bool is_over_ = false;    ///< there is no more to look at above that
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAN_RELAXED_PACKINGS_HPP
