// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The entry point of libFuzzer. SNUG_FUZZ_JUDGE names the judge.
#include "fuzz/judges.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  const std::string wrong =
      snug::fuzz::SNUG_FUZZ_JUDGE({reinterpret_cast<const char*>(data), size});
  if (wrong.empty()) return 0;
  std::fprintf(stderr, "%s\n", wrong.c_str());
  std::abort();
}
