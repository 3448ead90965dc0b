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
    "0x8d4934ad2fcc9ce1",
    "0x4a3d3834e6ad3fcd",
    "0x58c6aad8b62392b6",
    "0xeccf1e800ff920a5",
    "0x44d053fa79b3d762",
    "0x75ecfdd505a7c5d0",
    "0xcbe497df7405e99c",
    "0x678a5bdb6ff5edf7",
    "0x5a3a8c6c2453de28",
    "0x47e1980fc83e3261",
    "0x9a7d04bb96aa22b8",
    "0x7c25768d0c4292e8",
    "0xcafa15b7e35887d7",
    "0xa142636a138d3a3e",
    "0xd0f9afcbe6907c89",
    "0xb5a6ba145afe812e",
    "0x2e1b3fba4f3e2872",
    "0x9f652388b01e160e",
    "0x573d65f5e2ef7aa9",
    "0x66d7076e24a4657b",
    "0x1a1a9b0cc5fdea54",
    "0x583446a44a349e0d",
    "0x084dcf25f6dd4fa0",
    "0xf33e02bfff95863a",
    "0x96550bb9d714e4b7",
}};
// clang-format on

}  // namespace golden
}  // namespace snug

#endif  // SNUG_TESTS_GOLDEN_CALLS_HPP
