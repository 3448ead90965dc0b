// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Whole files in and out; `-` is standard input or output.
#ifndef SNUG_EXAMPLES_FILES_HPP
#define SNUG_EXAMPLES_FILES_HPP

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <string>
#include <system_error>
#include <vector>

namespace files {

/// Reads a whole file. Returns what went wrong, or nothing.
[[nodiscard]] inline std::string read(const std::string& path,
                                      std::string& text) {
  std::FILE* const file = path == "-" ? stdin : std::fopen(path.c_str(), "rb");
  if (file == nullptr) return std::generic_category().message(errno);
  text.clear();
  std::vector<char> block(std::size_t{1} << 16);
  std::size_t got = 0;
  while ((got = std::fread(block.data(), 1, block.size(), file)) > 0)
    text.append(block.data(), got);
  const int error = std::ferror(file) != 0 ? errno : 0;
  if (file != stdin) std::fclose(file);
  return error != 0 ? std::generic_category().message(error) : "";
}

/// Writes a whole file. Returns what went wrong, or nothing.
[[nodiscard]] inline std::string write(const std::string& path,
                                       const std::string& text) {
  std::FILE* const file = path == "-" ? stdout : std::fopen(path.c_str(), "wb");
  if (file == nullptr) return std::generic_category().message(errno);
  int error = 0;
  if (std::fwrite(text.data(), 1, text.size(), file) != text.size() ||
      std::fflush(file) != 0)
    error = errno;
  if (file != stdout && std::fclose(file) != 0 && error == 0) error = errno;
  return error != 0 ? std::generic_category().message(error) : "";
}

}  // namespace files

#endif  // SNUG_EXAMPLES_FILES_HPP
