// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Whole files in and out; `-` is standard input or output. What would keep one
/// from being written can be found out before there is anything to write, and
/// at the end whether all of standard output was. What goes wrong is returned, or
/// said on standard error.
#ifndef SNUG_EXAMPLES_FILES_HPP
#define SNUG_EXAMPLES_FILES_HPP

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <filesystem>
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

/// What a program returns at its end: `exit_status`, or `failure` where not all
/// that it has printed to standard output got there, which it says.
[[nodiscard]] inline int finish(int exit_status, int failure) {
  // What a full device refused before is gone, and is not tried again.
  const bool is_cut = std::ferror(stdout) != 0;
  const int error = std::fflush(stdout) != 0 ? errno : 0;
  if (!is_cut && error == 0) return exit_status;
  std::fprintf(stderr, "standard output: %s\n",
               error != 0 ? std::generic_category().message(error).c_str()
                          : "not all was written");
  return failure;
}

/// What keeps write() from writing this file, or nothing. A file that is there
/// stays as it is, and where there is none, none is left behind.
[[nodiscard]] inline std::string find_obstacle(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::file_type type = fs::symlink_status(path, error).type();
  const bool is_new = type == fs::file_type::not_found;
  // Others would notice that a pipe or a device is opened, and a link that leads
  // nowhere would be followed.
  if (path == "-" || (!is_new && !fs::is_regular_file(path, error) &&
                      !fs::is_directory(path, error)))
    return "";
  std::FILE* const file = std::fopen(path.c_str(), "ab");
  if (file == nullptr) return std::generic_category().message(errno);
  std::fclose(file);
  if (is_new) std::remove(path.c_str());
  return "";
}

inline void print_error(const std::string& message) {
  std::fprintf(stderr, "%s\n", message.c_str());
}

/// Says what went wrong with a file, if anything did. Whether nothing did.
[[nodiscard]] inline bool report(const std::string& path,
                                 const std::string& why) {
  if (!why.empty()) print_error(path + ": " + why);
  return why.empty();
}

/// read(), write() and find_obstacle() that say what went wrong, and return
/// whether nothing did.
[[nodiscard]] inline bool load(const std::string& path, std::string& text) {
  return report(path, read(path, text));
}
[[nodiscard]] inline bool save(const std::string& path,
                               const std::string& text) {
  return report(path, write(path, text));
}
[[nodiscard]] inline bool can_save(const std::string& path) {
  return report(path, find_obstacle(path));
}

/// Whether what is written to one of them would be lost to the other.
[[nodiscard]] inline bool are_same(const std::string& a, const std::string& b) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (a == "-" || b == "-") return a == b;
  if (fs::exists(a, error) && !fs::is_regular_file(a, error)) return false;
  const fs::path first = fs::weakly_canonical(fs::absolute(a, error), error);
  const fs::path second = fs::weakly_canonical(fs::absolute(b, error), error);
  return a == b || (!error && first == second);
}

}  // namespace files

#endif  // SNUG_EXAMPLES_FILES_HPP
