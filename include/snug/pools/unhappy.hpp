// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Who would cost less in some pool than where it is: whom a walk (load_walk.hpp,
/// place_walk.hpp) begins its steps with.
///
/// Cost: constant for all that is asked and noted.
#ifndef SNUG_POOLS_UNHAPPY_HPP
#define SNUG_POOLS_UNHAPPY_HPP

#include "snug/config.hpp"
#include "snug/normal/flat.hpp"
#include "snug/support/list.hpp"
#include "snug/support/random.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

class Unhappy {
 public:
  /// Nobody of so many is.
  explicit Unhappy(std::size_t count) : position_(count, kNowhere) {}

  [[nodiscard]] bool empty() const noexcept { return list_.empty(); }
  [[nodiscard]] Index draw(Random& random) const {
    return list_[random.below(static_cast<std::uint32_t>(list_.size()))];
  }
  void note(Index i, bool is_unhappy) {
    if (is_unhappy == (position_[i] != kNowhere)) return;
    if (is_unhappy) {
      position_[i] = list_.size();
      list_.push_back(i);
      return;
    }
    list_[position_[i]] = list_.back();
    position_[list_.back()] = position_[i];
    position_[i] = kNowhere;
    list_.pop_back();
  }

 private:
  static constexpr std::size_t kNowhere = ~std::size_t{0};

  List<Index> list_{};
  std::vector<std::size_t> position_;  ///< in that list, or kNowhere
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_POOLS_UNHAPPY_HPP
