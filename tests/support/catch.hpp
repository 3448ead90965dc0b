// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Catch2, version 2 or 3, whichever is installed. Tests use what both have:
/// TEST_CASE, TEMPLATE_TEST_CASE, SECTION, GENERATE, CHECK, REQUIRE, INFO,
/// CAPTURE.
#ifndef SNUG_TESTS_SUPPORT_CATCH_HPP
#define SNUG_TESTS_SUPPORT_CATCH_HPP

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif

#endif  // SNUG_TESTS_SUPPORT_CATCH_HPP
