// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Constraints that a given placement satisfies: they turn an instance and one
/// of its placements into constrained instances that are feasible at the same
/// capacity by construction, and as tight as before.
#ifndef SNUG_BENCHMARKS_CONSTRAIN_HPP
#define SNUG_BENCHMARKS_CONSTRAIN_HPP

#include "random.hpp"
#include "snug/model/interval.hpp"
#include "snug/model/problem.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace snug {
namespace benchmarks {

class Constrain {
 public:
  /// `offsets` is a placement of `problem` below `capacity`.
  Constrain(Problem<> problem, std::vector<std::int64_t> offsets,
            std::int64_t capacity, std::uint64_t seed)
      : problem_(std::move(problem)),
        offsets_(std::move(offsets)),
        capacity_(capacity),
        random_(seed) {}

  /// Fixes some buffers where they are.
  void fix(int percent) {
    for (std::size_t i = 0; i < problem_.buffers.size(); ++i)
      if (random_.chance(percent)) problem_.buffers[i].offset = offsets_[i];
  }

  /// Cuts a gap into the middle of some lifespans, with a window or without.
  void cut_gaps(int percent, bool with_window) {
    for (Buffer<>& buffer : problem_.buffers) {
      const Interval<std::int64_t> life = buffer.lifespan;
      if (life.upper - life.lower < 3 || !random_.chance(percent)) continue;
      Gap<> gap;
      gap.lifespan.lower = random_.between(life.lower + 1, life.upper - 2);
      gap.lifespan.upper =
          random_.between(gap.lifespan.lower + 1, life.upper - 1);
      if (with_window) {
        const std::int64_t lower =
            random_.between(std::int64_t{0}, buffer.size / 2);
        gap.window = Interval<std::int64_t>{
            lower, random_.between(lower + 1, buffer.size)};
      }
      buffer.gaps.push_back(gap);
    }
  }

  /// Keeps pairs apart that are.
  void keep_apart(int pairs) {
    for (int tries = 0; pairs > 0 && tries < 100 * pairs; ++tries) {
      const std::size_t a = any();
      const std::size_t b = any();
      if (a == b || bytes(a).overlaps(bytes(b))) continue;
      problem_.apart.push_back({a, b});
      --pairs;
    }
  }

  void let_overlap(int pairs) {
    for (; pairs > 0; --pairs) {
      const std::size_t a = any();
      const std::size_t b = any();
      if (a != b) problem_.may_overlap.push_back({a, b});
    }
  }

  /// Gives some buffers the end of memory that they are nearer to; not where a
  /// bottom one lies above a top one that it meets in time.
  void choose_ends(int percent) {
    std::vector<Buffer<>>& buffers = problem_.buffers;
    for (std::size_t i = 0; i < buffers.size(); ++i)
      if (random_.chance(percent))
        buffers[i].end = 2 * offsets_[i] + buffers[i].size < capacity_
                             ? End::kBottom
                             : End::kTop;
    for (std::size_t i = 0; i < buffers.size(); ++i)
      for (std::size_t k = 0; k < buffers.size(); ++k)
        if (buffers[i].end == End::kBottom && buffers[k].end == End::kTop &&
            buffers[i].lifespan.overlaps(buffers[k].lifespan) &&
            offsets_[i] > offsets_[k])
          buffers[i].end = End::kAny;
  }

  /// Takes some buffers out and reserves their places.
  void reserve(int ranges) {
    for (; ranges > 0; --ranges) {
      const std::size_t i = any();
      problem_.reserved.push_back({bytes(i), problem_.buffers[i].lifespan});
      const auto at = static_cast<std::ptrdiff_t>(i);
      problem_.buffers.erase(problem_.buffers.begin() + at);
      offsets_.erase(offsets_.begin() + at);
    }
  }

  /// Gives some buffers whose place the next owner takes over unchanged an
  /// alias with it: what in-place operators ask for.
  void tie(int pairs) {
    for (std::size_t a = 0; a < problem_.buffers.size() && pairs > 0; ++a)
      for (std::size_t b = 0; b < problem_.buffers.size(); ++b)
        if (problem_.buffers[a].lifespan.upper ==
                problem_.buffers[b].lifespan.lower &&
            offsets_[a] == offsets_[b] && random_.chance(50)) {
          problem_.aliases.push_back({b, a, 0});
          --pairs;
          break;
        }
  }

  [[nodiscard]] Problem<> take() { return std::move(problem_); }

 private:
  [[nodiscard]] std::size_t any() {
    return random_.between(std::size_t{0}, problem_.buffers.size() - 1);
  }
  [[nodiscard]] Interval<std::int64_t> bytes(std::size_t i) const {
    return {offsets_[i], offsets_[i] + problem_.buffers[i].size};
  }

  Problem<> problem_;
  std::vector<std::int64_t> offsets_;
  std::int64_t capacity_;
  Random random_;
};

/// One kind of constraints, or a mixture, by name.
struct Kind {
  const char* family;
  void (*apply)(Constrain& to);
};

inline const std::vector<Kind>& kinds() {
  static const std::vector<Kind> result = {
      {"fixed 10 %", [](Constrain& to) { to.fix(10); }},
      {"fixed 50 %", [](Constrain& to) { to.fix(50); }},
      {"fixed 90 %", [](Constrain& to) { to.fix(90); }},
      {"gaps 30 %", [](Constrain& to) { to.cut_gaps(30, false); }},
      {"windows 30 %", [](Constrain& to) { to.cut_gaps(30, true); }},
      {"apart 30", [](Constrain& to) { to.keep_apart(30); }},
      {"apart 200", [](Constrain& to) { to.keep_apart(200); }},
      {"may overlap 50", [](Constrain& to) { to.let_overlap(50); }},
      {"ends 10 %", [](Constrain& to) { to.choose_ends(10); }},
      {"in place 20", [](Constrain& to) { to.tie(20); }},
      {"reserved 5", [](Constrain& to) { to.reserve(5); }},
      {"mixed",
       [](Constrain& to) {
         to.fix(5);
         to.cut_gaps(10, true);
         to.keep_apart(30);
       }},
  };
  return result;
}

/// The same problem below a capacity, seen from the other end of memory and of
/// time: its placements are the other ones, upside down.
[[nodiscard]] inline Problem<> turned(Problem<> problem,
                                      std::int64_t capacity) {
  const auto turn = [](Interval<std::int64_t>& range, std::int64_t end) {
    range = {end - range.upper, end - range.lower};
  };
  for (Alias<>& alias : problem.aliases)
    alias.delta = problem.buffers[alias.of].size - alias.delta -
                  problem.buffers[alias.buffer].size;
  for (Buffer<>& buffer : problem.buffers) {
    turn(buffer.lifespan, 0);
    if (buffer.offset) *buffer.offset = capacity - buffer.size - *buffer.offset;
    if (buffer.end != End::kAny)
      buffer.end = buffer.end == End::kBottom ? End::kTop : End::kBottom;
    for (Gap<>& gap : buffer.gaps) {
      turn(gap.lifespan, 0);
      if (gap.window) turn(*gap.window, buffer.size);
    }
  }
  for (Reserved<>& reserved : problem.reserved) {
    turn(reserved.bytes, capacity);
    if (reserved.lifespan) turn(*reserved.lifespan, 0);
  }
  return problem;
}

}  // namespace benchmarks
}  // namespace snug

#endif  // SNUG_BENCHMARKS_CONSTRAIN_HPP
