// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The aligned load of a problem with constraints: that of what is live together
/// (bounds/aligned_load.hpp), whatever else is asked of that (normal/relaxed.hpp). Loads
/// of bodies and of obstacles know nothing of alignments, so without it one tie, or one
/// fixed buffer, would hide what these ask for.
///
/// No placement of the relaxed problem is lower than its aligned load, and the placements
/// of the problem are among those.
///
/// Cost: that of both, and of a plain problem, if there are paddings at all.
#ifndef SNUG_PLAN_RELAXED_LOAD_HPP
#define SNUG_PLAN_RELAXED_LOAD_HPP

#include "snug/bounds/aligned_load.hpp"
#include "snug/config.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/plain.hpp"
#include "snug/normal/relaxed.hpp"
#include "snug/plan/call.hpp"
#include "snug/support/list.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// A height that no placement is below, or 0 where alignments ask for no more than the
/// sizes do. Of no use if the call gave up.
[[nodiscard]] inline std::int64_t relaxed_load(const Flat& flat, Call& call) {
  const auto is_coarse = [](const FlatBuffer& buffer) {
    return buffer.size > 0 && buffer.alignment > 1;
  };
  if (std::none_of(flat.buffers.begin(), flat.buffers.end(), is_coarse))
    return 0;
  Relaxed relaxed = relax(flat, call.interrupt());
  const auto is_padded = [](const FlatBuffer& buffer) {
    return buffer.size % buffer.alignment != 0;
  };
  if (std::none_of(relaxed.buffers.begin(), relaxed.buffers.end(), is_padded))
    return 0;
  const Plain plain = make_plain(std::move(relaxed.buffers), call.interrupt());
  call.count_bytes(bytes_to_make(plain));
  return relaxed.origin + aligned_load(plain, call.interrupt());
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAN_RELAXED_LOAD_HPP
