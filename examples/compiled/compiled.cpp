// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The functions of snug/api.hpp for problems of 64-bit sizes and times,
/// compiled once.
#include "snug/snug.hpp"

#include <cstdint>
#include <vector>

#ifdef _MSC_VER
#define SNUG_EXPORT __declspec(dllexport)
#else
#define SNUG_EXPORT __attribute__((visibility("default")))
#endif

SNUG_BEGIN_NAMESPACE
template SNUG_EXPORT Result<> solve(const Problem<>&, std::int64_t,
                                    const Options&);
template SNUG_EXPORT Result<> minimize(const Problem<>&, const Options&);
template SNUG_EXPORT Result<> minimize_within(const Problem<>&, std::int64_t,
                                              const Options&);
template SNUG_EXPORT Explanation<> explain(const Problem<>&, std::int64_t,
                                           const Options&);
template SNUG_EXPORT Certificate certify(const Problem<>&, std::int64_t,
                                         const Options&);
template SNUG_EXPORT Spills<> suggest_spills(const Problem<>&, std::int64_t,
                                             const std::vector<std::int64_t>&,
                                             const Options&);
template SNUG_EXPORT Spills<> suggest_spills(const Problem<>&, std::int64_t,
                                             const Options&);
template SNUG_EXPORT PenaltyResult<> minimize_penalty(const Problem<>&,
                                                      std::int64_t,
                                                      const Options&);
template SNUG_EXPORT AssignResult<> assign(const Problem<>&, const Pools<>&,
                                           const Options&);
SNUG_END_NAMESPACE
