// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the golden tests share: a hash of results, and where their files are.
#ifndef SNUG_TESTS_GOLDEN_PINNED_HPP
#define SNUG_TESTS_GOLDEN_PINNED_HPP

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace snug {
namespace golden {

/// FNV-1a of numbers, eight bytes each, lowest first.
class Hash {
 public:
  void add(std::int64_t number) {
    auto word = static_cast<std::uint64_t>(number);
    for (int byte = 0; byte < 8; ++byte, word >>= 8)
      value_ = (value_ ^ (word & 0xff)) * 0x100000001b3;
  }
  template <class T>
  void add(const std::vector<T>& numbers) {
    for (const T number : numbers) add(static_cast<std::int64_t>(number));
  }
  [[nodiscard]] std::uint64_t value() const { return value_; }
  /// As it is written in a header.
  [[nodiscard]] std::string text() const {
    char text[32];
    std::snprintf(text, sizeof text, "0x%016llx",
                  static_cast<unsigned long long>(value_));
    return text;
  }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325;
};

/// A file beside this one, or, with "../", elsewhere in the project.
[[nodiscard]] inline std::string file_beside(const std::string& path) {
  const std::string here = __FILE__;
  const std::size_t slash = here.find_last_of("/\\");
  return (slash == std::string::npos ? "" : here.substr(0, slash + 1)) + path;
}

}  // namespace golden
}  // namespace snug

#endif  // SNUG_TESTS_GOLDEN_PINNED_HPP
