// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What all programs of Catch2 have, beside its main(): the exit status is kSkipped
/// where every test case that ran was skipped and none failed. ctest, which runs one
/// at a time, then shows it as skipped. Otherwise it is 0 or 1; that of version 2
/// would be the number of failures, which may be kSkipped. That version is compiled
/// here, unless it is linked as a library: SNUG_CATCH2_COMPILED.
#if defined(SNUG_CATCH2_COMPILED)
#define CATCH_CONFIG_EXTERNAL_INTERFACES
#else
#define CATCH_CONFIG_MAIN
#endif
#include "support/catch.hpp"

#include <cstdio>
#include <cstdlib>
#include <iostream>

namespace {

constexpr int kSkipped = 4;  // As in version 3.3 and later.
int ran = 0;
int skipped = 0;
int status = EXIT_SUCCESS;

#if defined(CATCH_VERSION_MAJOR) && CATCH_VERSION_MAJOR < 3
using ListenerBase = Catch::TestEventListenerBase;
#else
using ListenerBase = Catch::EventListenerBase;
#endif

/// Ends the process with `status`, once main() has returned another.
void leave() {
  std::cout << std::flush;
  std::fflush(nullptr);
  std::_Exit(status);
}

/// Counts the test cases, and those that say that they are skipped.
class SkipListener : public ListenerBase {
 public:
  using ListenerBase::ListenerBase;

  void testCaseEnded(const Catch::TestCaseStats& stats) override {
    ListenerBase::testCaseEnded(stats);
    ++ran;
    if (snug::testing::is_skipped()) ++skipped;
    snug::testing::is_skipped() = false;
  }

  void testRunEnded(const Catch::TestRunStats& stats) override {
    ListenerBase::testRunEnded(stats);
    if (stats.totals.assertions.failed > 0) {
      status = EXIT_FAILURE;
    } else if (ran > 0 && skipped == ran) {
      status = kSkipped;
    }
    if (status != EXIT_SUCCESS) std::atexit(leave);
  }
};
CATCH_REGISTER_LISTENER(SkipListener)

}  // namespace
