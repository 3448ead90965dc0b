// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The same in less code: snug::small::solve() and minimize() give the answers of
/// snug::solve() and snug::minimize(), in one width of numbers for all problems.
/// For more than 512 buffers solve() has first fit and the search alone, which is
/// enough for some thousands of them unless they need nearly the load.
///
/// With g++ -Os about half of the code, and up to twice the time.
#ifndef SNUG_SMALL_HPP
#define SNUG_SMALL_HPP

#include "snug/config.hpp"
#include "snug/minimize.hpp"
#include "snug/model/options.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/result.hpp"
#include "snug/solve.hpp"

#include <limits>

SNUG_BEGIN_NAMESPACE
namespace small {

/// See snug::solve().
template <class Size, class Time>
[[nodiscard]] Result<Size> solve(
    const Problem<Size, Time>& problem,
    typename Problem<Size, Time>::SizeType capacity,
    const Options& options = {}) {
  return detail::solve_with<detail::Engine<true, true>>(problem, capacity,
                                                        options);
}

/// See snug::minimize().
template <class Size, class Time>
[[nodiscard]] Result<Size> minimize(const Problem<Size, Time>& problem,
                                    const Options& options = {}) {
  return detail::minimize_with<detail::Engine<true, true>>(
      problem, (std::numeric_limits<Size>::max)(), options);
}

}  // namespace small
SNUG_END_NAMESPACE

#endif  // SNUG_SMALL_HPP
