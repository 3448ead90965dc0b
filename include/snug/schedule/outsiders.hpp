// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which of the tensors that are written share bytes with another one, and are no
/// part of it, nor it of them:
///
///     p  ======================    a and b are parts of p, c is one of b:
///     a    ========                a is the only outsider of b, and none of c;
///     b        ============        p has none
///     c                ====
///
/// Outsiders are few, most often none: so their number tells where to look for them.
/// Those that meet a tensor are those that begin before its end less those that end
/// before it begins; what is inside of it, and around it, is counted along the tree.
///
/// Cost: O(n log n) for n tensors, and O(those written in its tree) for each tensor
/// that has outsiders.
#ifndef SNUG_SCHEDULE_OUTSIDERS_HPP
#define SNUG_SCHEDULE_OUTSIDERS_HPP

#include "snug/config.hpp"
#include "snug/schedule/operators.hpp"
#include "snug/schedule/sizes.hpp"
#include "snug/support/list.hpp"
#include "snug/support/sort.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// The written tensors, in the order of their bytes.
class Outsiders {
 public:
  /// Refers to `tensors` and `sizes`.
  Outsiders(const std::vector<Tensor>& tensors, const TensorSizes& sizes,
            const List<std::uint8_t>& is_written)
      : tensors_(tensors), sizes_(sizes), related_(tensors.size(), 0) {
    for (const std::size_t x : sizes.order) {
      if (sizes.sizes[x] == 0 || is_written[x] == 0) continue;
      const std::int64_t begin = sizes.places[x];
      begins_.push_back({sizes.roots[x], begin, x});
      ends_.push_back({sizes.roots[x], begin + sizes.sizes[x], x});
      related_[x] = 1;
    }
    heap_sort(begins_);
    heap_sort(ends_);
    count_related();
  }

  /// Hands visit() each outsider of `x`, and perhaps what `x` is a part of.
  template <class Visit>
  void visit(std::size_t x, Visit&& visit) const {
    if (sizes_.sizes[x] == 0) return;
    const std::size_t root = sizes_.roots[x];
    const std::int64_t begin = sizes_.places[x];
    const auto* const behind = before(begins_, root, begin + sizes_.sizes[x]);
    const std::size_t met = static_cast<std::size_t>(behind - begins_.begin()) -
                            static_cast<std::size_t>(
                                before(ends_, root, begin + 1) - ends_.begin());
    if (met == related_[x]) return;
    for (const Mark* mark = behind; mark != begins_.begin();) {
      const std::size_t y = (--mark)->tensor;
      if (mark->root != root) return;
      if (sizes_.places[y] + sizes_.sizes[y] > begin &&
          !is_part_of(tensors_, y, x))
        visit(y);
    }
  }

 private:
  /// Where a tensor begins, or ends.
  struct Mark {
    std::size_t root = 0;
    std::int64_t byte = 0;
    std::size_t tensor = 0;
    friend bool operator<(const Mark& a, const Mark& b) noexcept {
      if (a.root != b.root) return a.root < b.root;
      if (a.byte != b.byte) return a.byte < b.byte;
      return a.tensor < b.tensor;
    }
  };

  /// Makes of `related_` how many are written inside of each tensor, it included, and
  /// around it.
  void count_related() {
    List<std::size_t> around(related_.size(), 0);
    for (const std::size_t x : sizes_.order) {
      const std::size_t parent = tensors_[x].parent;
      if (parent != kNoIndex) around[x] = around[parent] + related_[parent];
    }
    for (std::size_t k = sizes_.order.size(); k-- > 0;) {
      const std::size_t x = sizes_.order[k];
      const std::size_t parent = tensors_[x].parent;
      if (parent != kNoIndex) related_[parent] += related_[x];
      related_[x] += around[x];
    }
  }

  /// Behind those of `marks` whose byte is below `byte`.
  [[nodiscard]] static const Mark* before(const List<Mark>& marks,
                                          std::size_t root,
                                          std::int64_t byte) noexcept {
    return std::lower_bound(marks.begin(), marks.end(), Mark{root, byte, 0});
  }

  const std::vector<Tensor>& tensors_;
  const TensorSizes& sizes_;
  List<Mark> begins_{};
  List<Mark> ends_{};
  List<std::size_t> related_;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_SCHEDULE_OUTSIDERS_HPP
