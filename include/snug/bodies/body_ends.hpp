// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which ends of memory the slabs of each body belong to: several, where buffers of
/// different ends are tied.
///
/// Cost: O(p) for p slabs; a byte for each body.
#ifndef SNUG_BODIES_BODY_ENDS_HPP
#define SNUG_BODIES_BODY_ENDS_HPP

#include "snug/bodies/bodies.hpp"
#include "snug/config.hpp"
#include "snug/model/problem.hpp"
#include "snug/normal/flat.hpp"
#include "snug/support/list.hpp"
#include "snug/support/memory.hpp"

#include <cstddef>
#include <cstdint>

SNUG_BEGIN_NAMESPACE
namespace detail {

class BodyEnds {
 public:
  explicit BodyEnds(const Bodies& bodies) : bits_(bodies.bodies.size(), 0) {
    for (const Slab& slab : bodies.slabs) bits_[slab.body] |= bit_of(slab.end);
  }

  /// Whether a slab of body b belongs to an end.
  [[nodiscard]] bool has(Index b, End end) const noexcept {
    return (bits_[b] & bit_of(end)) != 0;
  }
  /// Whether all of them do, and there is one.
  [[nodiscard]] bool has_only(Index b, End end) const noexcept {
    return bits_[b] == bit_of(end);
  }
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_of(bits_); }

 private:
  [[nodiscard]] static std::uint8_t bit_of(End end) noexcept {
    return static_cast<std::uint8_t>(1U << static_cast<unsigned>(end));
  }

  List<std::uint8_t> bits_;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_BODIES_BODY_ENDS_HPP
