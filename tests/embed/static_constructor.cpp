// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A static constructor and a mutable global, in snug's namespace: what
/// no_globals.cmake must find. Never linked.
#include "snug/config.hpp"

#include <vector>

SNUG_BEGIN_NAMESPACE

int planted_global = 1;
std::vector<int> planted_constructor(3, planted_global);

SNUG_END_NAMESPACE
