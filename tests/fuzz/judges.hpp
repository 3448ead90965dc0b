// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the fuzz targets do with some bytes. Each returns what is wrong with
/// snug's answers, in one line, or nothing. Whatever the bytes are, it has to
/// come back soon.
///
///     bytes -- libfuzzer.cpp: random ones, until something is wrong
///           -- corpus.cpp:    those in corpus/, as a test
#ifndef SNUG_TESTS_FUZZ_JUDGES_HPP
#define SNUG_TESTS_FUZZ_JUDGES_HPP

#include "fuzz/decode.hpp"

#include <string>
#include <string_view>

namespace snug {
namespace fuzz {

/// A CSV text: read, written, read again, solved if it is small.
[[nodiscard]] std::string judge_csv(std::string_view bytes);

/// A JSON text, as a problem and as a schedule: the same.
[[nodiscard]] std::string judge_json(std::string_view bytes);

/// A TensorFlow Lite model: read, planned, written with its plan, read again.
[[nodiscard]] std::string judge_tflite(std::string_view bytes);

/// Everything that solves, on one problem; see decode.hpp.
[[nodiscard]] std::string judge_case(const Case& c);
[[nodiscard]] inline std::string judge_problem(std::string_view bytes) {
  return judge_case(decode(bytes));
}

}  // namespace fuzz
}  // namespace snug

#endif  // SNUG_TESTS_FUZZ_JUDGES_HPP
