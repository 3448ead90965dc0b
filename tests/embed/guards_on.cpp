// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Makes one mistake on purpose; the guard that its argument names must report
/// it. Without the guard the program ends in silence and its test fails.
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <thread>
#include <vector>

namespace {

// Read and written so that no compiler sees through the mistakes.
volatile int sink = 0;
volatile std::size_t three = 3;
int shared = 0;

void overrun_heap() {
  const std::vector<char> bytes(three, 'x');
  sink = bytes.data()[three];
}

void overflow_integer() {
  int largest = (std::numeric_limits<int>::max)();
  sink = largest;
  largest = sink;
  sink = largest + static_cast<int>(three);
}

// Inside the capacity, beyond the size: only the library can tell.
void overrun_vector() {
  std::vector<char> bytes;
  bytes.reserve(8);
  bytes.resize(three, 'x');
  sink = bytes[three];
}

void race() {
  std::thread other([] { shared += 1; });
  shared += 2;
  other.join();
  sink = shared;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return EXIT_FAILURE;
  // Ends in an ordinary exit, so that the test reads the report, not a crash.
  std::signal(SIGABRT, [](int) { std::_Exit(EXIT_FAILURE); });
  if (std::strcmp(argv[1], "address") == 0) overrun_heap();
  if (std::strcmp(argv[1], "undefined") == 0) overflow_integer();
  if (std::strcmp(argv[1], "library") == 0) overrun_vector();
  if (std::strcmp(argv[1], "thread") == 0) race();
  return EXIT_SUCCESS;
}
