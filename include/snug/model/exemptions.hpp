// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which two buffers may share bytes at any time: those that aliases and
/// contiguous groups tie, directly or through others, and those in
/// Problem::may_overlap.
///
/// Cost: O(m log m) time and O(m) memory for m pairs that may overlap, beyond
/// the ties; a question takes O(log m).
#ifndef SNUG_MODEL_EXEMPTIONS_HPP
#define SNUG_MODEL_EXEMPTIONS_HPP

#include "snug/config.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/ties.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"
#include "snug/support/sort_in_parts.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// The pairs of buffers that may share bytes at any time.
class Exemptions {
 public:
  /// Ties without vectors, or with an error, tie nobody. They must outlive this.
  /// Of no use if it is interrupted, or if there is no buffer of an index.
  template <class Size, class Time>
  Exemptions(const Problem<Size, Time>& problem, const Ties& ties,
             const Interrupt& interrupt = {})
      : ties_(&ties) {
    List<Keyed> sorted;
    for (const BufferPair& pair : problem.may_overlap) {
      const BufferPair next = in_order(pair.first, pair.second);
      sorted.push_back({static_cast<std::int64_t>(next.first),
                        static_cast<std::uint32_t>(next.second)});
    }
    sort_keyed(sorted, interrupt);
    for (const Keyed& pair : sorted)
      pairs_.push_back({static_cast<std::size_t>(pair.key), pair.index});
  }

  /// The same for all that are tied to one another, the index of one of them.
  [[nodiscard]] std::size_t class_of(std::size_t i) const {
    return ties_->root.empty() || !ties_->error.ok() ? i : ties_->root[i];
  }
  /// Whether two buffers are.
  [[nodiscard]] bool tied(std::size_t a, std::size_t b) const {
    return class_of(a) == class_of(b);
  }
  [[nodiscard]] bool may_overlap(std::size_t a, std::size_t b) const {
    return std::binary_search(pairs_.begin(), pairs_.end(), in_order(a, b),
                              is_before);
  }
  [[nodiscard]] bool contain(std::size_t a, std::size_t b) const {
    return tied(a, b) || may_overlap(a, b);
  }
  /// Those that may overlap, the smaller index first, ascending.
  [[nodiscard]] const List<BufferPair>& pairs() const noexcept {
    return pairs_;
  }

 private:
  [[nodiscard]] static BufferPair in_order(std::size_t a, std::size_t b) {
    return {(std::min)(a, b), (std::max)(a, b)};
  }
  [[nodiscard]] static bool is_before(const BufferPair& p,
                                      const BufferPair& q) {
    return p.first != q.first ? p.first < q.first : p.second < q.second;
  }

  const Ties* ties_;
  List<BufferPair> pairs_;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_MODEL_EXEMPTIONS_HPP
