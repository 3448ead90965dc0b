// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The tests draw from the generator that makes the benchmark instances, so
/// that a seed means the same problem in both.
#ifndef SNUG_TESTS_SUPPORT_RANDOM_HPP
#define SNUG_TESTS_SUPPORT_RANDOM_HPP

#include "../../benchmarks/random.hpp"

namespace snug {
namespace testing {

using benchmarks::Random;

}  // namespace testing
}  // namespace snug

#endif  // SNUG_TESTS_SUPPORT_RANDOM_HPP
