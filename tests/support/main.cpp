// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Runs the test cases of a program. The exit status is kSkipped where every test
/// case that ran was skipped and none failed: ctest, which runs one at a time,
/// then shows it as skipped. Otherwise it is 0 or 1; that of version 2 of Catch2
/// is the number of failures, which may be kSkipped.
#define CATCH_CONFIG_RUNNER  // What version 2 wants.
#include "support/catch.hpp"

#include <cstdlib>

namespace {

constexpr int kSkipped = 4;  // As in version 3.3 and later.
int ran = 0;
int skipped = 0;

#if defined(CATCH_VERSION_MAJOR) && CATCH_VERSION_MAJOR < 3
using ListenerBase = Catch::TestEventListenerBase;
#else
using ListenerBase = Catch::EventListenerBase;
#endif

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
};
CATCH_REGISTER_LISTENER(SkipListener)

}  // namespace

int main(int argc, char** argv) {
  const int status = Catch::Session().run(argc, argv);
  if (status != 0) return EXIT_FAILURE;
  return ran > 0 && skipped == ran ? kSkipped : EXIT_SUCCESS;
}
