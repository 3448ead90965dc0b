// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a person in front of a long run wants: to see that it is alive, and to
/// stop it. While an Interactive lives, the first interrupt (Ctrl-C) asks the
/// solve to stop instead of ending the program (a second one ends it), and,
/// where the system is POSIX and standard error a terminal, the seconds that
/// have passed are shown there.
///
/// Signals rather than a thread: no library to link, nothing to join.
#ifndef SNUG_EXAMPLES_PROGRESS_HPP
#define SNUG_EXAMPLES_PROGRESS_HPP

#include <atomic>
#include <csignal>
#include <cstddef>

#if defined(__unix__) || defined(__APPLE__)
#include <sys/time.h>
#include <unistd.h>
#define SNUG_EXAMPLES_HAVE_TIMER 1
#else
#define SNUG_EXAMPLES_HAVE_TIMER 0
#endif

/// At most one at a time. Signal handlers can only reach static data.
class Interactive {
 public:
  explicit Interactive(bool show_seconds) {
    cancel_ = false;
    old_interrupt_ = std::signal(SIGINT, on_interrupt);
    // Whoever started the program in the background wants it left alone.
    if (old_interrupt_ == SIG_IGN) std::signal(SIGINT, SIG_IGN);
    if (show_seconds) start_timer();
  }
  ~Interactive() {
    stop_timer();
    if (old_interrupt_ != SIG_ERR) std::signal(SIGINT, old_interrupt_);
  }
  Interactive(const Interactive&) = delete;
  Interactive& operator=(const Interactive&) = delete;

  /// Becomes true with the first interrupt.
  [[nodiscard]] static const std::atomic<bool>& cancel() noexcept {
    return cancel_;
  }

 private:
  static void on_interrupt(int) {
    cancel_ = true;
    std::signal(SIGINT, SIG_DFL);
  }

#if SNUG_EXAMPLES_HAVE_TIMER
  void start_timer() {
    if (isatty(STDERR_FILENO) == 0) return;
    seconds_ = 0;
    old_alarm_ = std::signal(SIGALRM, on_alarm);
    itimerval each_second{};
    each_second.it_interval.tv_sec = 1;
    each_second.it_value.tv_sec = 1;
    running_ = setitimer(ITIMER_REAL, &each_second, nullptr) == 0;
  }

  void stop_timer() {
    if (!running_) return;
    const itimerval never{};
    setitimer(ITIMER_REAL, &never, nullptr);
    std::signal(SIGALRM, old_alarm_);
    if (seconds_ > 0) put("\r                              \r", 32);
  }

  // Only what a signal handler may do: no allocation, no stream.
  static void on_alarm(int) {
    const std::sig_atomic_t seconds = seconds_ + 1;
    seconds_ = seconds;
    char text[32] = "\rsolving, ";
    std::size_t length = 10;
    std::sig_atomic_t unit = 1;
    while (seconds / unit >= 10) unit *= 10;
    for (; unit > 0; unit /= 10)
      text[length++] = static_cast<char>('0' + seconds / unit % 10);
    text[length++] = ' ';
    text[length++] = 's';
    put(text, length);
  }

  static void put(const char* text, std::size_t length) {
    if (write(STDERR_FILENO, text, length) < 0) seconds_ = 0;
  }

  using Handler = void (*)(int);
  Handler old_alarm_ = SIG_DFL;
  bool running_ = false;
  static inline volatile std::sig_atomic_t seconds_ = 0;
#else
  void start_timer() {}
  void stop_timer() {}
  using Handler = void (*)(int);
#endif

  static inline std::atomic<bool> cancel_{false};
  Handler old_interrupt_ = SIG_DFL;
};

#endif  // SNUG_EXAMPLES_PROGRESS_HPP
