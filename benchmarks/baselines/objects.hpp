// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Shared objects: buffers that are never live together share a block of
/// memory that is as large as the largest of them, and the blocks lie one above
/// the other. What TensorFlow Lite's GPU delegate does where it cannot place a
/// tensor at any offset of one large block.
///
///     object 2   | b3 |      | b7   |
///     object 1   | b1    | b4  | b6 |       offset of an object: the sizes of
///     object 0   | b0       | b2  | b5 |    those before it
#ifndef SNUG_BASELINES_OBJECTS_HPP
#define SNUG_BASELINES_OBJECTS_HPP

#include "baselines/allocator.hpp"
#include "baselines/overlaps.hpp"
#include "snug/config.hpp"
#include "snug/model/interval.hpp"
#include "snug/model/problem.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace baselines {

class SharedObjects {
 public:
  explicit SharedObjects(const Problem<>& problem)
      : problem_(problem), object_of_(problem.buffers.size(), 0) {}

  [[nodiscard]] std::size_t count() const { return sizes_.size(); }
  [[nodiscard]] Bytes size(std::size_t object) const { return sizes_[object]; }

  /// Whether no tenant of `object` is live with buffer i.
  [[nodiscard]] bool is_free(std::size_t object, std::size_t i) const {
    const Interval<Moment>& lifespan = problem_.buffers[i].lifespan;
    // Tenants do not overlap, so the last one that starts before the end of
    // this lifespan also ends last of them.
    auto next = tenants_[object].lower_bound(lifespan.upper);
    return next == tenants_[object].begin() ||
           (--next)->second <= lifespan.lower;
  }

  /// Puts buffer i into `object`, which grows if it must; count() is a new one.
  void assign(std::size_t i, std::size_t object) {
    if (object == sizes_.size()) {
      sizes_.push_back(0);
      tenants_.emplace_back();
    }
    const Buffer<>& buffer = problem_.buffers[i];
    sizes_[object] = (std::max)(sizes_[object], buffer.size);
    tenants_[object].emplace(buffer.lifespan.lower, buffer.lifespan.upper);
    object_of_[i] = object;
  }

  [[nodiscard]] std::vector<Bytes> offsets() const {
    std::vector<Bytes> base;
    Bytes top = 0;
    for (const Bytes size : sizes_) {
      base.push_back(top);
      top += size;
    }
    std::vector<Bytes> offsets;
    for (const std::size_t object : object_of_) offsets.push_back(base[object]);
    return offsets;
  }

 private:
  const Problem<>& problem_;
  std::vector<Bytes> sizes_{};
  std::vector<std::map<Moment, Moment>> tenants_{};  ///< start to end
  std::vector<std::size_t> object_of_;
};

}  // namespace baselines
SNUG_END_NAMESPACE

#endif  // SNUG_BASELINES_OBJECTS_HPP
