// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a person in front of a long run wants: to see that it is alive, and to
/// stop it. While an Interactive lives, the first interrupt (Ctrl-C) asks the
/// solve to stop instead of ending the program (a second one ends it), and,
/// where standard error is a terminal, a line there says how far it is.
#ifndef SNUG_EXAMPLES_PROGRESS_HPP
#define SNUG_EXAMPLES_PROGRESS_HPP

#include "snug/model/options.hpp"
#include "terminal.hpp"

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>

/// At most one at a time. Signal handlers can only reach static data.
class Interactive {
 public:
  /// Arranges for `options` to cancel and, if `show`, to report.
  Interactive(snug::Options& options, bool show) {
    cancel_ = false;
    options.cancel = &cancel_;
    old_interrupt_ = std::signal(SIGINT, on_interrupt);
    // Whoever started the program in the background wants it left alone.
    if (old_interrupt_ == SIG_IGN) std::signal(SIGINT, SIG_IGN);
    if (!show || !terminal::is_shown(stderr)) return;
    options.progress = on_progress;
    options.progress_data = this;
    options.progress_interval = std::chrono::milliseconds(250);
  }
  ~Interactive() {
    if (shown_) std::fprintf(stderr, "\r%*s\r", kColumns, "");
    if (old_interrupt_ != SIG_ERR) std::signal(SIGINT, old_interrupt_);
  }
  Interactive(const Interactive&) = delete;
  Interactive& operator=(const Interactive&) = delete;

 private:
  static constexpr int kColumns = 78;

  static void on_interrupt(int) {
    cancel_ = true;
    std::signal(SIGINT, SIG_DFL);
  }

  static bool on_progress(const snug::Progress& progress, void* data) {
    char height[96] = "";
    if (progress.height >= 0) {
      // What the best placement has more than the bound, in percent of it.
      const auto bound = static_cast<double>(progress.lower_bound);
      const double gap =
          bound > 0 ? static_cast<double>(progress.height) / bound * 100 - 100
                    : 0;
      std::snprintf(height, sizeof height, "height %lld (gap %.2f %%), ",
                    static_cast<long long>(progress.height), gap);
    }
    char text[192];
    std::snprintf(text, sizeof text, "%slower bound %lld, %lld nodes, %.1f s",
                  height, static_cast<long long>(progress.lower_bound),
                  static_cast<long long>(progress.nodes), progress.seconds);
    std::fprintf(stderr, "\r%-*.*s", kColumns, kColumns, text);
    std::fflush(stderr);
    static_cast<Interactive*>(data)->shown_ = true;
    return true;
  }

  using Handler = void (*)(int);
  static inline std::atomic<bool> cancel_{false};
  Handler old_interrupt_ = SIG_DFL;
  bool shown_ = false;
};

#endif  // SNUG_EXAMPLES_PROGRESS_HPP
