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
    "0xe2104c096197d733",
    "0x9b4a3dd5f131874a",
    "0x65b718f222d72c75",
    "0xacfb9458900e86e3",
    "0x80f334b98d94d94c",
    "0x11d275de62ee5b53",
    "0x53a7799833272fda",
    "0x5d42656dc0952754",
    "0x0ca09ebe089fc9ea",
    "0x8be50df13aee4e25",
    "0x122c75f6a6edcf83",
    "0xbbcd4badc3624ddb",
    "0xbdeae24fdd6ac5d9",
    "0x99edb5d8a9fa5f68",
    "0xf33b5f933119b562",
    "0x795856609a3b2441",
    "0x83f1a7706b64db4e",
    "0xece9de4de1e9f9cd",
    "0x4f63f9b5c5bb22c8",
    "0xc2a0d12095ab8caf",
    "0x8a594b6363479711",
    "0x583446a44a349e0d",
    "0x084dcf25f6dd4fa0",
    "0xf33e02bfff95863a",
    "0x96550bb9d714e4b7",
}};
// clang-format on

}  // namespace golden
}  // namespace snug

#endif  // SNUG_TESTS_GOLDEN_CALLS_HPP
