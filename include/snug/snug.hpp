// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// All of snug's core. The text formats under
/// snug/io/ are not part of it; include them where they are needed.
#ifndef SNUG_SNUG_HPP
#define SNUG_SNUG_HPP

#include "snug/assign.hpp"
#include "snug/certify.hpp"
#include "snug/explain.hpp"
#include "snug/load.hpp"
#include "snug/minimize.hpp"
#include "snug/model/check.hpp"
#include "snug/model/lifespan.hpp"
#include "snug/model/options.hpp"
#include "snug/model/pool.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/result.hpp"
#include "snug/model/subset.hpp"
#include "snug/penalty.hpp"
#include "snug/planner.hpp"
#include "snug/schedule.hpp"
#include "snug/separations.hpp"
#include "snug/solve.hpp"
#include "snug/spill.hpp"
#include "snug/validate.hpp"
#include "snug/waits.hpp"

#endif  // SNUG_SNUG_HPP
