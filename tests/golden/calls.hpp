// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Written by calls_test.cpp, which says when and how.
#ifndef SNUG_TESTS_GOLDEN_CALLS_HPP
#define SNUG_TESTS_GOLDEN_CALLS_HPP

#include <array>
#include <string_view>

namespace snug {
namespace golden {

// clang-format off
inline constexpr std::array<std::string_view, 28> kCallGoldens = {{
    "0x1a9c5742635f1702",
    "0xab39294c2c561aaa",
    "0xad5ee9f1847e639f",
    "0x3297e7297e1f8a68",
    "0x4a3d3834e6ad3fcd",
    "0x58c6aad8b62392b6",
    "0xb26b1622295317a3",
    "0x02918416e7814d94",
    "0x75ecfdd505a7c5d0",
    "0xcbe497df7405e99c",
    "0x678a5bdb6ff5edf7",
    "0xdfec99c12e0a862a",
    "0xc3c044e3e815a7f7",
    "0x784ee5dd3df556f1",
    "0x7f6f84e9ed139d96",
    "0x3f55d8975e17f418",
    "0x2dc469d664594d7c",
    "0x2121a256ffb68899",
    "0xc21e7a641c61cad7",
    "0xbd9c3d597a0f91ca",
    "0x0cfc2ceed9d32c3b",
    "0xc8a94bd863a73fe8",
    "0xafa826db22795808",
    "0x99cc4e261a08a575",
    "0x583446a44a349e0d",
    "0x084dcf25f6dd4fa0",
    "0xf33e02bfff95863a",
    "0x96550bb9d714e4b7",
}};
// clang-format on

}  // namespace golden
}  // namespace snug

#endif  // SNUG_TESTS_GOLDEN_CALLS_HPP
