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
    "0xec44d6a6889ad10d",
    "0xd672a95a536fcc86",
    "0x98b88dfa14f7687a",
    "0x7b66f4c372126fb1",
    "0x84fe679aebe329eb",
    "0xe353569ab14f5b94",
    "0x46fa22eac663a8c2",
    "0x3b0595fa830734b3",
    "0x11d275de62ee5b53",
    "0x53a7799833272fda",
    "0x5d42656dc0952754",
    "0x0ca09ebe089fc9ea",
    "0x023d81413718b33e",
    "0xf31f8f18d4a5393f",
    "0x53206c76b9900d69",
    "0xca9c083147490b43",
    "0x99edb5d8a9fa5f68",
    "0xf33b5f933119b562",
    "0x795856609a3b2441",
    "0x83f1a7706b64db4e",
    "0x4288d50cee33ea07",
    "0xf0a233dca03ad783",
    "0xad68f07d02054fd4",
    "0x394d0e15b4d2696a",
    "0x583446a44a349e0d",
    "0x084dcf25f6dd4fa0",
    "0xf33e02bfff95863a",
    "0x96550bb9d714e4b7",
}};
// clang-format on

}  // namespace golden
}  // namespace snug

#endif  // SNUG_TESTS_GOLDEN_CALLS_HPP
