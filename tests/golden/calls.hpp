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
    "0x092dfea62642f381",
    "0x42ffb6c59a159242",
    "0x0fa3333bcd19978d",
    "0xadd9656ec8b7218a",
    "0xe6ba9b4a56db4877",
    "0xa6d1626a7a674b40",
    "0xb3cfecffaa27b0c4",
    "0xe500655882d68675",
    "0x9aa76c17dd03dcb6",
    "0x6d5a72ad2d877a10",
    "0x7fb684389d04fd24",
    "0x4231b1f6d605c179",
    "0x09b731f44723d149",
    "0x3b47e60f4924e1b7",
    "0x216c9ce37f625753",
    "0x6b8411e38ab584e9",
    "0x1292cfa10ba51e3b",
    "0x5cae06dc709b4842",
    "0x5cec0f7174ffc6ce",
    "0xe59c2787f08cec5d",
    "0x4ca95feb32d284d8",
    "0x43a3e41038d004fe",
    "0x7e7480a2bfa73cc6",
    "0x8fd863de25d3e726",
    "0x583446a44a349e0d",
    "0x084dcf25f6dd4fa0",
    "0xf33e02bfff95863a",
    "0x96550bb9d714e4b7",
}};
// clang-format on

}  // namespace golden
}  // namespace snug

#endif  // SNUG_TESTS_GOLDEN_CALLS_HPP
