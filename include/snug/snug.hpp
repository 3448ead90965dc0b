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
#include "snug/model/check.hpp"
#include "snug/model/options.hpp"
#include "snug/model/result.hpp"
#include "snug/solve.hpp"
// clang-format on

#endif  // SNUG_SNUG_HPP
