// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The bodies of a problem (bodies/bodies.hpp), within a call: what it takes to
/// make them is counted, and ends when the call gives up.
#ifndef SNUG_PLAN_BUILD_BODIES_HPP
#define SNUG_PLAN_BUILD_BODIES_HPP

#include "snug/bodies/bodies.hpp"
#include "snug/bodies/body_builder.hpp"
#include "snug/config.hpp"
#include "snug/normal/flat.hpp"
#include "snug/plan/call.hpp"

SNUG_BEGIN_NAMESPACE
namespace detail {

/// Of no use if the call gave up.
[[nodiscard]] inline Bodies build_bodies(const Flat& flat, Call& call,
                                         Cliques cliques = Cliques::kOfPairs) {
  BodyBuilder builder(flat, call.interrupt());
  Bodies bodies = builder.build(cliques);
  call.count_bytes(builder.peak_bytes());
  return bodies;
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAN_BUILD_BODIES_HPP
