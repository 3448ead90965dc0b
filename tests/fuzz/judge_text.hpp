// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the judges of texts ask of whatever was read: that an error is somewhere in
/// the text, and that a small problem has an answer that stands.
#ifndef SNUG_TESTS_FUZZ_JUDGE_TEXT_HPP
#define SNUG_TESTS_FUZZ_JUDGE_TEXT_HPP

#include "snug/model/options.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/result.hpp"
#include "support/solved.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace snug {
namespace fuzz {

/// Problems of more buffers are read and written, but not solved.
inline constexpr std::size_t kMostSolved = 12;
inline constexpr std::int64_t kJudgeNodes = 300;

/// What is wrong with where an error is said to be; of a reader, with position and
/// message.
template <class Error>
std::string judge_error(std::string_view text, const Error& error) {
  const auto lines =
      static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n') + 1);
  if (error.position.line > lines) return "error behind the last line";
  if (error.position.column > text.size() + 1)
    return "error behind the end of its line";
  if (error.message.find('\n') != std::string::npos)
    return "message of two lines";
  return "";
}

/// Solves for some nodes what is small.
template <class Size, class Time>
std::string judge_answer(const Problem<Size, Time>& problem) {
  if (problem.buffers.size() > kMostSolved) return "";
  Options options;
  options.node_limit = kJudgeNodes;
  const Result<Size> lowest = minimize(problem, options);
  if (lowest.status == Status::kInvalid) return "minimize calls it invalid";
  if (!lowest.has_solution()) return "";
  if (lowest.lower_bound > lowest.height) return "bound above the height";
  if (!validate(problem, lowest.height, lowest.offsets).ok())
    return "minimize returns no placement";
  if (solve(problem, lowest.height, options).status == Status::kInfeasible)
    return "solve refutes the height that minimize has";
  return "";
}

}  // namespace fuzz
}  // namespace snug

#endif  // SNUG_TESTS_FUZZ_JUDGE_TEXT_HPP
