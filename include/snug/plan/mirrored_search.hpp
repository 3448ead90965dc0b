// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The search of the mirror image of a presolved problem (normal/mirrored.hpp), in
/// turns with others. What it places and what it refutes is placed and refuted for
/// the problem; its bounds say nothing of that, as they count from the other end.
#ifndef SNUG_PLAN_MIRRORED_SEARCH_HPP
#define SNUG_PLAN_MIRRORED_SEARCH_HPP

#include "snug/config.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/mirrored.hpp"
#include "snug/plan/call.hpp"
#include "snug/plan/flat_models.hpp"
#include "snug/plan/presolved.hpp"
#include "snug/plan/search_in_turns.hpp"
#include "snug/support/outcome.hpp"

#include <cstdint>
#include <optional>
#include <utility>

SNUG_BEGIN_NAMESPACE
namespace detail {

template <class M>
class MirroredSearch {
 public:
  /// Both must outlive the search.
  MirroredSearch(const Flat& flat, std::int64_t capacity, Call& call)
      : mirrored_(flat, capacity), held_(call, 0), search_(call) {
    search_.leave_memory();
  }

  /// Goes on until it has had so many nodes.
  [[nodiscard]] Outcome search_up_to(std::int64_t nodes, Found& found) {
    Found placed;
    const Outcome outcome = search_.search_up_to(
        nodes, [&](std::optional<PresolvedSearch<M>>& search, Call& call) {
          if (!search) {
            image_ = mirrored_.image();
            held_.change(image_.bytes());
            search.emplace(models_.emplace(image_), mirrored_.capacity(), call);
          }
          return search->run(placed);
        });
    if (outcome == Outcome::kPlacedAll) {
      mirrored_.restore(placed.offsets);
      found.offsets = std::move(placed.offsets);
    }
    if (outcome == Outcome::kRefuted) found.core = std::move(placed.core);
    return outcome;
  }

  /// Whether more nodes do not help.
  [[nodiscard]] bool is_over() const noexcept { return search_.is_over(); }

 private:
  Mirrored mirrored_;
  Flat image_{};  ///< once there is a search
  Held held_;     ///< that
  std::optional<FlatModels<M>> models_{};
  SearchInTurns<PresolvedSearch<M>> search_;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAN_MIRRORED_SEARCH_HPP
