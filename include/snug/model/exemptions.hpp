// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which two buffers may share bytes at any time: those that aliases and
/// contiguous groups tie, directly or through others, and those in
/// Problem::may_overlap.
///
/// Cost: linear time and memory in the buffers and the m pairs that may overlap,
/// beyond the ties; a question takes O(log m).
#ifndef SNUG_MODEL_EXEMPTIONS_HPP
#define SNUG_MODEL_EXEMPTIONS_HPP

#include "snug/config.hpp"
#include "snug/model/pairs.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/ties.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"

#include <cstddef>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// The pairs of buffers that may share bytes at any time.
class Exemptions {
 public:
  /// Ties without vectors, or with an error, tie nobody. They must outlive this.
  /// Of no use if it is interrupted. Pairs with an index of no buffer are left out.
  template <class Size, class Time>
  Exemptions(const Problem<Size, Time>& problem, const Ties& ties,
             const Interrupt& interrupt = {})
      : ties_(&ties) {
    const std::size_t count = problem.buffers.size();
    for (std::size_t k = 0; k < problem.may_overlap.size(); ++k) {
      if (interrupt.at(k)) return;
      const auto [a, b] = problem.may_overlap[k];
      if (a < count && b < count)
        pairs_.push_back({static_cast<Index>(a), static_cast<Index>(b)});
    }
    sort_pairs(pairs_);
  }

  /// The same for all that are tied to one another, the index of one of them.
  [[nodiscard]] std::size_t class_of(std::size_t i) const {
    return ties_->root.empty() || !ties_->error.ok() ? i : ties_->root[i];
  }
  /// Whether two buffers are tied to one another.
  [[nodiscard]] bool tied(std::size_t a, std::size_t b) const {
    return class_of(a) == class_of(b);
  }
  [[nodiscard]] bool may_overlap(std::size_t a, std::size_t b) const {
    return contains_pair(pairs_, static_cast<Index>(a), static_cast<Index>(b));
  }
  [[nodiscard]] bool contain(std::size_t a, std::size_t b) const {
    return tied(a, b) || may_overlap(a, b);
  }
  /// Those that may overlap, sorted.
  [[nodiscard]] const List<IndexPair>& pairs() const noexcept { return pairs_; }

 private:
  const Ties* ties_;
  List<IndexPair> pairs_{};
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_MODEL_EXEMPTIONS_HPP
