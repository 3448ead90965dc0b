// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What all allocators of the comparison have in common: what they take, what
/// they return, when they stop, and which constraints they honour.
///
///     Problem, Budget -- refusal --> why it cannot be placed by this one
///                     -- allocate --> Placement: offsets, lower bound, steps
///
/// An allocator reads the sizes and lifespans of the buffers, and their
/// alignments and the pairs kept apart if it honours them. Nothing else of the
/// model: a problem with more is refused before it is called, as is one whose
/// total size would let a sum of sizes overflow. So none of them checks its
/// input or its sums.
///
/// `allocate` leaves out empty buffers (they lie at 0) and, for allocators that
/// know one alignment for the whole heap, rounds the sizes up to it, which is
/// what they do themselves. The rest of the work is theirs, and what is timed
/// is `allocate`.
#ifndef SNUG_BASELINES_ALLOCATOR_HPP
#define SNUG_BASELINES_ALLOCATOR_HPP

#include "snug/config.hpp"
#include "snug/model/check.hpp"
#include "snug/model/problem.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace baselines {

using Bytes = std::int64_t;

/// When to stop. A step is one buffer placed, or one node of a search.
struct Budget {
  std::chrono::steady_clock::time_point deadline =
      (std::chrono::steady_clock::time_point::max)();
  std::int64_t steps = (std::numeric_limits<std::int64_t>::max)();
};

/// Counts the steps of one run.
class Meter {
 public:
  explicit Meter(const Budget& budget) : budget_(budget) {}

  /// Counts a step. False when the budget is spent, from then on.
  bool spend() {
    if (over_) return false;
    if (++steps_ > budget_.steps ||
        (budget_.deadline != (std::chrono::steady_clock::time_point::max)() &&
         std::chrono::steady_clock::now() >= budget_.deadline))
      over_ = true;
    return !over_;
  }
  [[nodiscard]] bool over() const { return over_; }
  [[nodiscard]] std::int64_t steps() const { return steps_; }

 private:
  Budget budget_;
  std::int64_t steps_ = 0;
  bool over_ = false;
};

/// What an allocator returns.
struct Placement {
  std::vector<Bytes> offsets{};  ///< in input order; empty: none within budget
  Bytes lower_bound = 0;         ///< proved; 0: nothing was
  std::int64_t steps = 0;
};

/// Constraints that an allocator honours, a set of bits.
enum Honours : unsigned {
  kSizesOnly = 0,
  kOneAlignment = 1,   ///< the same for all buffers
  kEachAlignment = 2,  ///< every buffer's own
  kApart = 4,          ///< Problem::apart
};

struct Allocator {
  const char* name;    ///< one word, for tables and flags
  const char* source;  ///< where the algorithm is published
  unsigned honours;
  /// Goes on until it has proved its height, or reached the load, or given up,
  /// or the budget is spent; the others make one placement and stop.
  bool searches;
  /// More buffers than this are not worth trying; its time or memory grows with
  /// the square or worse.
  std::size_t most_buffers;
  Placement (*place)(const Problem<>& problem, const Budget& budget);
};

/// Largest offset + size; 0 without buffers or without offsets.
[[nodiscard]] inline Bytes height_of(const Problem<>& problem,
                                     const std::vector<Bytes>& offsets) {
  Bytes height = 0;
  for (std::size_t i = 0; i < offsets.size(); ++i)
    height = (std::max)(height, offsets[i] + problem.buffers[i].size);
  return height;
}

/// `offset` rounded up to a multiple of `alignment`.
[[nodiscard]] inline Bytes align_up(Bytes offset, Bytes alignment) {
  return (offset + alignment - 1) / alignment * alignment;
}

/// Why `allocator` cannot place `problem`; null if it can.
[[nodiscard]] inline const char* refusal(const Allocator& allocator,
                                         const Problem<>& problem) {
  if (!check(problem).ok()) return "the problem is not well formed";
  if (!problem.aliases.empty()) return "aliases";
  if (!problem.contiguous.empty()) return "contiguous groups";
  if (!problem.may_overlap.empty()) return "pairs that may overlap";
  if (!problem.reserved.empty() || problem.base != 0) return "reserved bytes";
  if (problem.alignment != 1) return "a heap alignment";
  if (!problem.apart.empty() && (allocator.honours & kApart) == 0)
    return "pairs kept apart";
  constexpr Bytes kMost = (std::numeric_limits<Bytes>::max)() / 4;
  Bytes total = 0;
  Bytes alignment = 1;  // of the first buffer that has a size
  bool is_first = true;
  for (const Buffer<>& buffer : problem.buffers) {
    if (!buffer.gaps.empty()) return "gaps";
    if (buffer.offset) return "fixed offsets";
    if (buffer.end != End::kAny) return "ends of memory";
    if (buffer.size > kMost - total) return "sizes that overflow";
    total += buffer.size;
    if (buffer.alignment > kMost - total) return "sizes that overflow";
    total += buffer.alignment;
    if (buffer.size == 0) continue;
    if (buffer.alignment > 1 &&
        (allocator.honours & (kOneAlignment | kEachAlignment)) == 0)
      return "alignments";
    if (!is_first && buffer.alignment != alignment &&
        (allocator.honours & kEachAlignment) == 0)
      return "different alignments";
    alignment = buffer.alignment;
    is_first = false;
  }
  if (problem.buffers.size() > allocator.most_buffers) return "so many buffers";
  return nullptr;
}

/// Runs `allocator`, which must not refuse `problem`.
[[nodiscard]] inline Placement allocate(const Allocator& allocator,
                                        const Problem<>& problem,
                                        const Budget& budget = {}) {
  const std::size_t n = problem.buffers.size();
  Problem<> kept;
  std::vector<std::size_t> kept_as(n, n);
  kept.buffers.reserve(n);
  for (std::size_t i = 0; i < n; ++i) {
    Buffer<> buffer;
    buffer.lifespan = problem.buffers[i].lifespan;
    buffer.size = problem.buffers[i].size;
    buffer.alignment = problem.buffers[i].alignment;
    if (buffer.size == 0) continue;
    if ((allocator.honours & kEachAlignment) == 0) {
      buffer.size = align_up(buffer.size, buffer.alignment);
      buffer.alignment = 1;
    }
    kept_as[i] = kept.buffers.size();
    kept.buffers.push_back(std::move(buffer));
  }
  for (const BufferPair& pair : problem.apart)
    if (kept_as[pair.first] < n && kept_as[pair.second] < n)
      kept.apart.push_back({kept_as[pair.first], kept_as[pair.second]});

  Placement found = allocator.place(kept, budget);
  if (found.offsets.size() != kept.buffers.size() || n == 0) {
    found.offsets.clear();
    return found;
  }
  std::vector<Bytes> offsets(n, 0);
  for (std::size_t i = 0; i < n; ++i)
    if (kept_as[i] < n) offsets[i] = found.offsets[kept_as[i]];
  found.offsets = std::move(offsets);
  return found;
}

}  // namespace baselines
SNUG_END_NAMESPACE

#endif  // SNUG_BASELINES_ALLOCATOR_HPP
