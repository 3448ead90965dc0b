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
    "0x0d011d148403bf97",
    "0x5d24289e5220e5df",
    "0xd1dce60e31aa0cb0",
    "0x593f1ab84c601abc",
    "0x2dc469d664594d7c",
    "0x2121a256ffb68899",
    "0xc21e7a641c61cad7",
    "0xbd9c3d597a0f91ca",
    "0x94ace97cd52407c7",
    "0x526966a9e92cfd37",
    "0xf1cd3fe1b315f26a",
    "0x81ae4e7273058243",
    "0x583446a44a349e0d",
    "0x084dcf25f6dd4fa0",
    "0xf33e02bfff95863a",
    "0x96550bb9d714e4b7",
}};
// clang-format on

}  // namespace golden
}  // namespace snug

#endif  // SNUG_TESTS_GOLDEN_CALLS_HPP
