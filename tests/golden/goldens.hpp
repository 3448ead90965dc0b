// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Written by golden_test.cpp, which says when and how.
#ifndef SNUG_TESTS_GOLDEN_GOLDENS_HPP
#define SNUG_TESTS_GOLDEN_GOLDENS_HPP

#include <array>
#include <cstdint>

namespace snug {
namespace golden {

struct Golden {
  const char* name;
  const char* status;
  std::int64_t nodes;
  std::int64_t height;
  std::uint64_t hash;  ///< of the offsets
};

// clang-format off
inline constexpr std::array<Golden, 105> kGoldens = {{
    {"running example, 12", "solved", 3, 12, 0xac4aff5cc685e4c5},
    {"running example, 11", "infeasible", 0, 0, 0xcbf29ce484222325},
    {"running example, minimum", "solved", 0, 12, 0xac4aff5cc685e4c5},
    {"quilt, load", "solved", 24, 4096, 0x4c34696775c98ad6},
    {"quilt, a tenth more", "solved", 24, 4096, 0x4c34696775c98ad6},
    {"quilt, minimum", "solved", 24, 4096, 0x4c34696775c98ad6},
    {"cut of 20", "solved", 20, 1048576, 0x3a48b826d566cb76},
    {"cut of 20, holes", "solved", 19, 1048576, 0x810eecbc349e53c8},
    {"cut of 45", "solved", 36, 1048576, 0xca0ea4dfdf04de2a},
    {"cut of 45, holes", "solved", 38, 1048576, 0x893bca328b024ea5},
    {"cut of 80", "solved", 25, 1048576, 0x931402e2114f4477},
    {"cut of 80, holes", "solved", 44, 1048576, 0xbf15f7db521b86ee},
    {"cut of 150", "solved", 139, 1048576, 0x4eafae2a77bc08d2},
    {"cut of 150, holes", "solved", 96, 1048576, 0x16dc536aa1d7e1ec},
    {"cut of 300", "solved", 0, 1048576, 0xcc8b7bd15aaccbca},
    {"cut of 300, holes", "solved", 17, 1048576, 0xbbafc2bae9a93447},
    {"cut of 60, large numbers", "solved", 60, 1500000000, 0x7e82e36ad392d274},
    {"aligned cut 7", "solved", 1557, 38, 0x2ddf311c76c42424},
    {"aligned cut 100", "solved", 194, 24, 0xb5dfadd6c18f64cb},
    {"aligned cut 292", "solved", 179, 39, 0x5a96c5544d090ce6},
    {"aligned cut 513", "solved", 308, 15, 0x889f7d28c17ee223},
    {"aligned cut 733", "solved", 191, 26, 0x9a4892939e3d443d},
    {"aligned cut 874", "solved", 162, 31, 0x228be641f4afbb8d},
    {"aligned cut 1067", "solved", 105, 35, 0xc29e78d5b8975086},
    {"aligned cut 1206", "solved", 134, 35, 0xe9d7b7b565d28433},
    {"aligned cut 1386", "solved", 792, 28, 0xb5ef8222842f539e},
    {"aligned cut 1696", "solved", 1210, 27, 0x0a55eade76fd3b58},
    {"aligned cut 1818", "solved", 1807, 39, 0x046eb54d2075b482},
    {"aligned cut 5309", "solved", 149, 35, 0x138498f8d1c8ba23},
    {"small walk 406, load", "infeasible", 28, 0, 0xcbf29ce484222325},
    {"small walk 406, minimum", "solved", 28, 13, 0xc320de579766a462},
    {"middle walk 145, load", "infeasible", 76, 0, 0xcbf29ce484222325},
    {"middle walk 145, one more", "solved", 12, 15, 0x6aa4c6a7c98a0f2c},
    {"middle walk 145, minimum", "solved", 76, 15, 0x61942072c254b1ae},
    {"small walk 59600, load", "infeasible", 58, 0, 0xcbf29ce484222325},
    {"small walk 59600, minimum", "solved", 75, 11, 0x3f16a25719fe7183},
    {"middle walk 2957, load", "infeasible", 60, 0, 0xcbf29ce484222325},
    {"middle walk 2957, one more", "solved", 30, 13, 0x86cfe2cbbd3735c6},
    {"middle walk 2957, minimum", "solved", 90, 13, 0x86cfe2cbbd3735c6},
    {"small walk 115012, load", "infeasible", 33, 0, 0xcbf29ce484222325},
    {"small walk 115012, minimum", "solved", 33, 13, 0x2a4d8562ecbd1002},
    {"middle walk 4975, load", "infeasible", 144, 0, 0xcbf29ce484222325},
    {"middle walk 4975, one more", "solved", 66, 19, 0xeae51d99cf45488b},
    {"middle walk 4975, minimum", "solved", 210, 19, 0xeae51d99cf45488b},
    {"small walk 191599, load", "infeasible", 46, 0, 0xcbf29ce484222325},
    {"small walk 191599, minimum", "solved", 46, 14, 0x7127a9d072330c05},
    {"middle walk 6692, load", "infeasible", 123, 0, 0xcbf29ce484222325},
    {"middle walk 6692, one more", "solved", 16, 9, 0xafba3b0b83c2256e},
    {"middle walk 6692, minimum", "solved", 123, 9, 0x21257c7e30ebcfe8},
    {"small walk 252402, load", "infeasible", 73, 0, 0xcbf29ce484222325},
    {"small walk 252402, minimum", "solved", 73, 11, 0x366bfb88c335ac6d},
    {"middle walk 8179, load", "infeasible", 103, 0, 0xcbf29ce484222325},
    {"middle walk 8179, one more", "solved", 43, 15, 0x4ffb3abcdb7e5685},
    {"middle walk 8179, minimum", "solved", 146, 15, 0x4ffb3abcdb7e5685},
    {"small walk 316494, load", "infeasible", 88, 0, 0xcbf29ce484222325},
    {"small walk 316494, minimum", "solved", 88, 12, 0xeb5c5ad01a0d6dcc},
    {"middle walk 9551, load", "infeasible", 100, 0, 0xcbf29ce484222325},
    {"middle walk 9551, one more", "solved", 45, 20, 0x68d661833806782e},
    {"middle walk 9551, minimum", "solved", 145, 20, 0x68d661833806782e},
    {"small walk 396179, load", "infeasible", 17, 0, 0xcbf29ce484222325},
    {"small walk 396179, minimum", "solved", 27, 11, 0x50d6e4b3288cb6c5},
    {"middle walk 11304, load", "infeasible", 106, 0, 0xcbf29ce484222325},
    {"middle walk 11304, one more", "solved", 23, 15, 0x8681f686a978970f},
    {"middle walk 11304, minimum", "solved", 129, 15, 0x8681f686a978970f},
    {"small walk 448274, load", "infeasible", 33, 0, 0xcbf29ce484222325},
    {"small walk 448274, minimum", "solved", 33, 13, 0xfcc7668a2a8be18b},
    {"middle walk 13131, load", "infeasible", 107, 0, 0xcbf29ce484222325},
    {"middle walk 13131, one more", "solved", 18, 11, 0xcdfd43a80e1f9fc1},
    {"middle walk 13131, minimum", "solved", 107, 11, 0xcdfd43a80e1f9fc1},
    {"large walk 0", "infeasible", 5175, 0, 0xcbf29ce484222325},
    {"large walk 0, aligned", "solved", 7586, 41984, 0x2c0614b315860d91},
    {"large walk 1", "infeasible", 5415, 0, 0xcbf29ce484222325},
    {"large walk 1, aligned", "solved", 80, 41984, 0x7f1450cfb99cb369},
    {"large walk 2", "infeasible", 2953, 0, 0xcbf29ce484222325},
    {"large walk 2, aligned", "solved", 7892, 41984, 0xe2b68a6ff89a98f5},
    {"large walk 3", "infeasible", 1416, 0, 0xcbf29ce484222325},
    {"large walk 3, aligned", "node_limit", 30000, 0, 0xcbf29ce484222325},
    {"large walk 4", "infeasible", 302, 0, 0xcbf29ce484222325},
    {"large walk 4, aligned", "node_limit", 30000, 0, 0xcbf29ce484222325},
    {"large walk 5", "infeasible", 1245, 0, 0xcbf29ce484222325},
    {"large walk 5, aligned", "solved", 53, 41984, 0xaf27cb629160bdbd},
    {"large walk 6", "infeasible", 10645, 0, 0xcbf29ce484222325},
    {"large walk 6, aligned", "node_limit", 30000, 0, 0xcbf29ce484222325},
    {"large walk 7", "infeasible", 3139, 0, 0xcbf29ce484222325},
    {"large walk 7, aligned", "solved", 50, 41984, 0x29c2ec449ba9c979},
    {"exponential of 150", "solved", 150, 52002, 0xa5564fa0a8b1a682},
    {"nested of 80", "solved", 0, 171699, 0x49596f29a9ec6600},
    {"mixed of 200", "solved", 200, 48724, 0xda3860375bf2d505},
    {"nothing", "solved", 0, 0, 0xcbf29ce484222325},
    {"no restarts", "infeasible", 254, 0, 0xcbf29ce484222325},
    {"no restarts, 0WAT", "infeasible", 483, 0, 0xcbf29ce484222325},
    {"no restarts, 0WAT, no conflict sets", "infeasible", 669, 0, 0xcbf29ce484222325},
    {"few rules", "node_limit", 30000, 0, 0xcbf29ce484222325},
    {"other strategies", "infeasible", 121, 0, 0xcbf29ce484222325},
    {"tpu/A.1048576.csv", "solved", 18, 1048576, 0x0cce85a658e06cec},
    {"tpu/B.1048576.csv", "solved", 51, 1048576, 0xde1871bf5cae8fea},
    {"tpu/C.1048576.csv", "solved", 40, 1048576, 0x7c19bb3d80bdb872},
    {"tpu/D.1048576.csv", "solved", 100, 1041408, 0x1ea51eb2725eb10e},
    {"tpu/E.1048576.csv", "solved", 75, 1048576, 0xb92475dc6259a0e0},
    {"tpu/F.1048576.csv", "solved", 481, 1048576, 0xdd88f278e2f44d01},
    {"tpu/G.1048576.csv", "solved", 792, 1048576, 0x03ea98031eddc48c},
    {"tpu/H.1048576.csv", "solved", 1009, 1048576, 0xa0823937fbf01d4d},
    {"tpu/I.1048576.csv", "solved", 1374, 1048576, 0x9b1e64ca93633e57},
    {"tpu/J.1048576.csv", "solved", 331, 1048576, 0x56f0d8f65d5ee11f},
    {"tpu/K.1048576.csv", "solved", 47, 1048576, 0x8fc6de18ab7b1c1a},
}};
// clang-format on

}  // namespace golden
}  // namespace snug

#endif  // SNUG_TESTS_GOLDEN_GOLDENS_HPP
