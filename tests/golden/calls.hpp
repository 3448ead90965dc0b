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
    "0x2e4f36cc540d2f83",
    "0xb09454cc8f0ac835",
    "0x8680de37691adb5c",
    "0x4a3d3834e6ad3fcd",
    "0x6092fee546e97909",
    "0xafc66f36193e13f6",
    "0x393a586c071e843e",
    "0x75ecfdd505a7c5d0",
    "0xcbe497df7405e99c",
    "0xf035d9870735a7d6",
    "0x5a3a8c6c2453de28",
    "0xf99e9d375e2bd6c8",
    "0x80dead195009d366",
    "0xf7d1c71ff5c725c7",
    "0x1b8116ec8e7f08b3",
    "0x2dc469d664594d7c",
    "0x2121a256ffb68899",
    "0xf72bf13c3ccc8036",
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
