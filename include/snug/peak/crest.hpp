// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A crest: the boxes that are live where the load is highest (peak/levels.hpp), as a
/// problem of its own. Most of them meet all others there, however long the whole
/// lasts: these are stacked at the bottom (normal/lasting.hpp), and what is left above
/// them is a problem of few.
///
///      +------+--+---+
///      |  a   |  | b |        above the stack
///      +------+--+---+
///      |  lasting    |        the stack
///      +-------------+
///
/// Cost: O(n log n) for n boxes of the crest.
#ifndef SNUG_PEAK_CREST_HPP
#define SNUG_PEAK_CREST_HPP

#include "snug/config.hpp"
#include "snug/heuristics/boxes.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/lasting.hpp"
#include "snug/normal/plain.hpp"
#include "snug/support/list.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>

SNUG_BEGIN_NAMESPACE
namespace detail {

class Crest {
 public:
  /// Of the first `size` boxes of `order`.
  Crest(const Plain& plain, const Boxes& boxes, const Index* order, Index size)
      : Crest(problem_of(plain, boxes, order, size)) {}

  /// The problem of those above the stack.
  [[nodiscard]] const Plain& above() const noexcept { return above_; }
  /// The height of the stack, in bytes.
  [[nodiscard]] std::int64_t ground() const noexcept {
    return stack_.empty() ? 0 : stack_.top();
  }
  /// How many are above the stack.
  [[nodiscard]] Index size() const noexcept {
    return static_cast<Index>(above_.order.size());
  }
  [[nodiscard]] std::size_t bytes() const noexcept {
    return stack_.bytes() + above_.bytes();
  }
  /// The same while it is made, or placed: with its last placement and that of the last
  /// crest, the one that is known, and the one that a search comes to.
  [[nodiscard]] std::size_t bytes_in_use() const noexcept {
    return stack_.bytes() + bytes_to_make(above_) +
           4 * all_ * sizeof(std::int64_t);
  }

  /// What is said of those above the stack.
  [[nodiscard]] List<std::int64_t> pick(List<std::int64_t> of_all) const {
    if (stack_.empty()) return of_all;
    List<std::int64_t> result;
    for (const Index k : stack_.others()) result.push_back(of_all[k]);
    return result;
  }
  /// Where those above the stack are, from its top, once the stack of a placement of all
  /// is at the bottom.
  [[nodiscard]] List<std::int64_t> offsets_above(
      List<std::int64_t> offsets) const {
    if (stack_.empty()) return offsets;
    offsets = stack_.raise_others(offsets);
    for (std::int64_t& offset : offsets) offset -= ground();
    return offsets;
  }
  /// Where all are, if those above the stack are where a placement of them says.
  [[nodiscard]] List<std::int64_t> offsets_of_all(
      List<std::int64_t> offsets) const {
    if (stack_.empty()) return offsets;
    for (std::int64_t& offset : offsets) offset += ground();
    return stack_.join(offsets);
  }
  /// Of the placement of all, from one above the stack.
  [[nodiscard]] std::int64_t height(const List<std::int64_t>& above) const {
    return ground() + height_of(above_.buffers, above);
  }

 private:
  explicit Crest(Flat&& flat)
      : all_(flat.buffers.size()),
        stack_(flat),
        above_(stack_.empty() ? make_plain(std::move(flat.buffers))
                              : subset_of(flat.buffers, stack_.others())) {}

  [[nodiscard]] static Flat problem_of(const Plain& plain, const Boxes& boxes,
                                       const Index* order, Index size) {
    Flat flat;
    flat.buffers.reserve(size);
    for (Index k = 0; k < size; ++k)
      flat.buffers.push_back(plain.buffers[boxes.input[order[k]]]);
    return flat;
  }

  std::size_t all_;  ///< how many are in it
  LastingStack stack_;
  Plain above_;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PEAK_CREST_HPP
