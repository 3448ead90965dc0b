// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which buffers may share bytes at one time: those of one family, tied by
/// aliases and groups, and the pairs that may overlap.
///
/// Cost: O((n + t) log n) for t ties and pairs.
#ifndef SNUG_IO_COMPANIONS_HPP
#define SNUG_IO_COMPANIONS_HPP

#include "snug/config.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/ties.hpp"
#include "snug/support/list.hpp"
#include "snug/support/sort.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

template <class Size, class Time>
class Companions {
 public:
  explicit Companions(const Problem<Size, Time>& problem) {
    const std::size_t count = problem.buffers.size();
    if (has_ties(problem)) {
      root_of_ = tie(problem).root;
      by_root_ = numbers_below<std::vector<std::size_t>>(root_of_.size());
      sort_ascending(by_root_, [&](std::size_t i) { return root_of_[i]; });
      place_.resize(root_of_.size());
      for (std::size_t k = 0; k < by_root_.size(); ++k) place_[by_root_[k]] = k;
    }
    for (const BufferPair& pair : problem.may_overlap) {
      if (pair.first >= count || pair.second >= count) continue;
      pairs_.emplace_back(pair.first, pair.second);
      pairs_.emplace_back(pair.second, pair.first);
    }
    std::sort(pairs_.begin(), pairs_.end());
  }

  /// Whether any two buffers may share bytes.
  [[nodiscard]] bool any() const noexcept {
    return !by_root_.empty() || !pairs_.empty();
  }

  [[nodiscard]] bool has(std::size_t buffer) const {
    bool found = false;
    for_each(buffer, [&](std::size_t) { found = true; });
    return found;
  }

  /// Calls visit(other) for each companion; of a large family, for the 64
  /// members before `buffer` and the 64 behind it.
  template <class Visit>
  void for_each(std::size_t buffer, Visit visit) const {
    constexpr std::size_t kReach = 64;
    if (buffer < place_.size()) {
      const std::size_t place = place_[buffer];
      const auto is_of_family = [&](std::size_t k) {
        return root_of_[by_root_[k]] == root_of_[buffer];
      };
      std::size_t first = place;
      while (first > 0 && place - first < kReach && is_of_family(first - 1))
        --first;
      for (std::size_t k = first;
           k < place_.size() && k <= place + kReach && is_of_family(k); ++k)
        if (k != place) visit(by_root_[k]);
    }
    const std::pair<std::size_t, std::size_t> key(buffer, 0);
    auto pair = std::lower_bound(pairs_.begin(), pairs_.end(), key);
    for (std::size_t k = 0;
         k < kReach && pair != pairs_.end() && pair->first == buffer;
         ++k, ++pair)
      visit(pair->second);
  }

 private:
  List<std::uint32_t> root_of_{};
  std::vector<std::size_t> by_root_{};  ///< buffers, family by family
  std::vector<std::size_t> place_{};    ///< of each buffer in by_root_
  std::vector<std::pair<std::size_t, std::size_t>> pairs_{};
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_IO_COMPANIONS_HPP
