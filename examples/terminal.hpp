// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What is known of the terminal: whether there is one, its size, and whether
/// it shows colours. COLUMNS and LINES, where they are set, decide the size;
/// NO_COLOR and TERM=dumb turn colours off (no-color.org).
#ifndef SNUG_EXAMPLES_TERMINAL_HPP
#define SNUG_EXAMPLES_TERMINAL_HPP

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>

#if defined(__unix__) || defined(__APPLE__)
#include <sys/ioctl.h>
#include <unistd.h>
#elif defined(_WIN32)
#include <io.h>
#endif

namespace terminal {

/// Whether what is written to `stream`, stdout or stderr, is seen at once.
[[nodiscard]] inline bool is_shown(std::FILE* stream) {
#if defined(__unix__) || defined(__APPLE__)
  return isatty(fileno(stream)) != 0;
#elif defined(_WIN32)
  return _isatty(_fileno(stream)) != 0;
#else
  (void)stream;
  return false;
#endif
}

struct Size {
  std::size_t columns = 78;
  std::size_t rows = 24;
};

/// The size of the terminal behind standard output, or else the usual one.
[[nodiscard]] inline Size size() {
  Size size;
#if (defined(__unix__) || defined(__APPLE__)) && defined(TIOCGWINSZ)
  winsize window{};
  if (is_shown(stdout) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 &&
      window.ws_col > 0 && window.ws_row > 0)
    size = {window.ws_col, window.ws_row};
#endif
  const auto read = [](const char* name, std::size_t& value) {
    const char* const text = std::getenv(name);
    const long given = text != nullptr ? std::strtol(text, nullptr, 10) : 0;
    if (given > 0 && given <= 1000) value = static_cast<std::size_t>(given);
  };
  read("COLUMNS", size.columns);
  read("LINES", size.rows);
  return size;
}

/// Whether standard output shows colours.
[[nodiscard]] inline bool has_colours() {
  const char* const none = std::getenv("NO_COLOR");
  const char* const term = std::getenv("TERM");
  if (none != nullptr && *none != '\0') return false;
  return is_shown(stdout) && term != nullptr && std::string(term) != "dumb";
}

}  // namespace terminal

#endif  // SNUG_EXAMPLES_TERMINAL_HPP
