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
    "0x09feccc70c4d762e",
    "0xe800077f200114b0",
    "0x53206c76b9900d69",
    "0xda0e31d67975d342",
    "0x2dc469d664594d7c",
    "0x2121a256ffb68899",
    "0xc21e7a641c61cad7",
    "0xbd9c3d597a0f91ca",
    "0xfe866069ecae9d23",
    "0xb82c9117f262b927",
    "0x434662119bc483e5",
    "0xe423f21d19d3f7f7",
    "0x583446a44a349e0d",
    "0x084dcf25f6dd4fa0",
    "0xf33e02bfff95863a",
    "0x96550bb9d714e4b7",
}};
// clang-format on

}  // namespace golden
}  // namespace snug

#endif  // SNUG_TESTS_GOLDEN_CALLS_HPP
