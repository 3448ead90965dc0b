// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// All of snug's core, in the order of the data flow. The text formats under
/// snug/io/ are not part of it; include them where they are needed.
#ifndef SNUG_SNUG_HPP
#define SNUG_SNUG_HPP

// clang-format off
#include "snug/config.hpp"
#include "snug/model/interval.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/event.hpp"
#include "snug/model/check.hpp"
#include "snug/model/options.hpp"
#include "snug/model/result.hpp"
#include "snug/sweep/sweep.hpp"
#include "snug/bounds/load.hpp"
#include "snug/presolve/stack.hpp"
#include "snug/search/bits.hpp"
#include "snug/search/lanes.hpp"
#include "snug/search/memory.hpp"
#include "snug/search/random.hpp"
#include "snug/search/limits.hpp"
#include "snug/search/instance.hpp"
#include "snug/search/state_key.hpp"
#include "snug/search/state.hpp"
#include "snug/search/part.hpp"
#include "snug/search/releases.hpp"
#include "snug/search/section_bound.hpp"
#include "snug/search/dominance.hpp"
#include "snug/search/conflict.hpp"
#include "snug/search/failed_states.hpp"
#include "snug/search/weights.hpp"
#include "snug/search/strategy.hpp"
#include "snug/search/search.hpp"
#include "snug/search/portfolio.hpp"
#include "snug/search/ladder.hpp"
#include "snug/heuristics/boxes.hpp"
#include "snug/heuristics/orders.hpp"
#include "snug/heuristics/span_tree.hpp"
#include "snug/heuristics/skyline.hpp"
#include "snug/heuristics/slack.hpp"
#include "snug/heuristics/dive.hpp"
#include "snug/heuristics/watched_dive.hpp"
#include "snug/heuristics/repair.hpp"
#include "snug/heuristics/first_fit.hpp"
#include "snug/heuristics/incumbent.hpp"
#include "snug/solve.hpp"
#include "snug/minimize.hpp"
#include "snug/validate.hpp"
// clang-format on

#endif  // SNUG_SNUG_HPP
