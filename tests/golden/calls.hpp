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
    "0x0a7238fcd90578c7",
    "0xec4ad2525006ca60",
    "0xf7d1c71ff5c725c7",
    "0x3e05469f21d0ca37",
    "0x2dc469d664594d7c",
    "0x2121a256ffb68899",
    "0xc21e7a641c61cad7",
    "0xbd9c3d597a0f91ca",
    "0x1913922afa0a7d8c",
    "0x774d9f55f56f54f1",
    "0xd2f6f2de9f12f775",
    "0xac5564342d9bc0ff",
    "0x583446a44a349e0d",
    "0x084dcf25f6dd4fa0",
    "0xf33e02bfff95863a",
    "0x96550bb9d714e4b7",
}};
// clang-format on

}  // namespace golden
}  // namespace snug

#endif  // SNUG_TESTS_GOLDEN_CALLS_HPP
