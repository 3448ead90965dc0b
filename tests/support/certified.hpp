// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A problem as the checker of certificates knows it, and what it says of a text.
#ifndef SNUG_TESTS_SUPPORT_CERTIFIED_HPP
#define SNUG_TESTS_SUPPORT_CERTIFIED_HPP

#include "../../examples/certificate/check.hpp"
#include "../../examples/certificate/problem.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/ties.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace snug {
namespace testing {

/// Of ties it knows no more than who is tied.
template <class Size, class Time>
[[nodiscard]] certificate::Problem for_checker(
    const Problem<Size, Time>& problem) {
  certificate::Problem result;
  for (const Buffer<Size, Time>& buffer : problem.buffers) {
    certificate::Buffer& copy = result.emplace_back();
    copy.lower = buffer.lifespan.lower;
    copy.upper = buffer.lifespan.upper;
    copy.size = buffer.size;
    copy.alignment = buffer.alignment;
    if (buffer.offset) copy.fixed = *buffer.offset;
    copy.has_gaps = !buffer.gaps.empty();
  }
  for (const BufferPair& pair : problem.apart)
    result[pair.first].apart.push_back(pair.second);
  for (const BufferPair& pair : problem.may_overlap)
    result[pair.first].may_overlap.push_back(pair.second);
  for (certificate::Buffer& buffer : result) {
    std::sort(buffer.apart.begin(), buffer.apart.end());
    std::sort(buffer.may_overlap.begin(), buffer.may_overlap.end());
  }
  if (problem.aliases.empty() && problem.contiguous.empty()) return result;
  const detail::Ties ties = detail::tie(problem);
  for (std::size_t i = 0; i < result.size(); ++i) result[i].tie = ties.root[i];
  return result;
}

/// Whether a certificate that the checker accepts speaks of the memory that the
/// problem has.
template <class Size, class Time>
[[nodiscard]] bool is_memory_of(const Problem<Size, Time>& problem,
                                const certificate::Verdict& verdict) {
  std::vector<Reserved<Size, Time>> reserved = problem.reserved;
  if (problem.base > 0)
    reserved.insert(reserved.begin(), {{0, problem.base}, std::nullopt});
  bool are_equal = verdict.alignment == problem.alignment &&
                   verdict.reserved.size() == reserved.size();
  for (std::size_t k = 0; k < reserved.size() && are_equal; ++k) {
    const certificate::Reserved& one = verdict.reserved[k];
    are_equal =
        one.lower == reserved[k].bytes.lower &&
        one.upper == reserved[k].bytes.upper &&
        (reserved[k].lifespan ? one.from == reserved[k].lifespan->lower &&
                                    one.until == reserved[k].lifespan->upper
                              : one.is_for_all_time());
  }
  return are_equal;
}

/// Whether the checker takes `text` for a proof that the problem does not fit.
template <class Size, class Time>
[[nodiscard]] bool is_proof(const Problem<Size, Time>& problem,
                            std::int64_t capacity, const std::string& text) {
  const certificate::Problem read = for_checker(problem);
  const certificate::Verdict verdict = certificate::Checker(read).check(text);
  return verdict.fault.empty() && verdict.capacity == capacity &&
         is_memory_of(problem, verdict);
}

/// The same certificate, of another capacity; or the same text, if it has no
/// second line.
[[nodiscard]] inline std::string with_capacity(const std::string& text,
                                               std::int64_t capacity) {
  const std::size_t begin = text.find('\n') + 1;
  const std::size_t end = text.find('\n', begin);
  if (begin == 0 || end == std::string::npos) return text;
  return text.substr(0, begin) + "capacity " + std::to_string(capacity) +
         text.substr(end);
}

}  // namespace testing
}  // namespace snug

#endif  // SNUG_TESTS_SUPPORT_CERTIFIED_HPP
