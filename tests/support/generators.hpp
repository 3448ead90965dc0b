// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Small random problems for the tests. benchmarks/generate.hpp has tight
/// walks, guillotine cuts and the like; here are the ones that only tests
/// want, and ways to add alignment, gaps and every other constraint to any
/// problem. What they add, check() accepts; whether a placement is left is
/// another matter.
#ifndef SNUG_TESTS_SUPPORT_GENERATORS_HPP
#define SNUG_TESTS_SUPPORT_GENERATORS_HPP

#include "../../benchmarks/generate.hpp"
#include "snug/model/check.hpp"
#include "snug/model/interval.hpp"
#include "snug/model/problem.hpp"
#include "support/random.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace snug {
namespace testing {

/// How many buffers, how large and how long. Sizes are multiples of `unit`.
struct Shape {
  std::size_t count = 8;
  std::int64_t length = 8;    ///< time steps, >= 1
  std::int64_t smallest = 1;  ///< units, >= 0
  std::int64_t largest = 6;   ///< units
  std::int64_t unit = 1;      ///< bytes
};

template <class Size, class Time>
[[nodiscard]] Buffer<Size, Time> make_buffer(std::int64_t lower,
                                             std::int64_t upper,
                                             std::int64_t size) {
  Buffer<Size, Time> buffer;
  buffer.lifespan = {static_cast<Time>(lower), static_cast<Time>(upper)};
  buffer.size = static_cast<Size>(size);
  return buffer;
}

/// Sizes up to 20 times `grain`, on grids of 1 to 16 times it, from times up to
/// `last` on.
[[nodiscard]] inline Problem<> mixed_grids(int count, std::int64_t last,
                                           std::int64_t grain,
                                           std::uint64_t seed) {
  Random random(seed);
  Problem<> problem;
  for (int i = 0; i < count; ++i) {
    const std::int64_t begin = random.between<std::int64_t>(0, last);
    const std::int64_t size = grain * random.between(1, 20);
    problem.buffers.push_back({{begin, begin + random.between(1, 15)}, size});
    problem.buffers.back().alignment = grain << random.between(0, 4);
  }
  return problem;
}

/// Offsets of buffers of any such grids, one on top of the other.
[[nodiscard]] inline std::vector<std::int64_t> one_on_the_other(
    const Problem<>& problem) {
  std::vector<std::int64_t> offsets;
  std::int64_t top = 0;
  for (const Buffer<>& buffer : problem.buffers) {
    top = (top + buffer.alignment - 1) / buffer.alignment * buffer.alignment;
    offsets.push_back(top);
    top += buffer.size;
  }
  return offsets;
}

/// Lifespans and sizes uniformly random.
template <class Size = std::int64_t, class Time = std::int64_t>
[[nodiscard]] Problem<Size, Time> uniform(const Shape& shape, Random& random) {
  Problem<Size, Time> problem;
  for (std::size_t i = 0; i < shape.count; ++i) {
    const std::int64_t lower =
        random.between(std::int64_t{0}, shape.length - 1);
    const std::int64_t upper = random.between(lower + 1, shape.length);
    problem.buffers.push_back(make_buffer<Size, Time>(
        lower, upper,
        random.between(shape.smallest, shape.largest) * shape.unit));
  }
  return problem;
}

/// All live at the step in the middle.
template <class Size = std::int64_t, class Time = std::int64_t>
[[nodiscard]] Problem<Size, Time> clique(const Shape& shape, Random& random) {
  Problem<Size, Time> problem;
  const std::int64_t middle = shape.length / 2;
  for (std::size_t i = 0; i < shape.count; ++i) {
    const std::int64_t lower = random.between(std::int64_t{0}, middle);
    const std::int64_t upper = random.between(middle + 1, shape.length + 1);
    problem.buffers.push_back(make_buffer<Size, Time>(
        lower, upper,
        random.between(shape.smallest, shape.largest) * shape.unit));
  }
  return problem;
}

/// Uniform, and then every buffer up to three times, in any order.
template <class Size = std::int64_t, class Time = std::int64_t>
[[nodiscard]] Problem<Size, Time> twins(const Shape& shape, Random& random) {
  Problem<Size, Time> problem = uniform<Size, Time>(shape, random);
  const std::size_t different = (shape.count + 1) / 2;
  problem.buffers.resize(different);
  while (problem.buffers.size() < shape.count)
    problem.buffers.push_back(
        problem.buffers[random.between(std::size_t{0}, different - 1)]);
  random.shuffle(problem.buffers);
  return problem;
}

/// The running example of model/problem.hpp: its load and its lowest height are
/// 12.
template <class T = std::int64_t>
[[nodiscard]] Problem<T, T> running_example() {
  Problem<T, T> problem;
  problem.buffers = {
      {{0, 3}, 4}, {{3, 9}, 4}, {{0, 9}, 4}, {{9, 21}, 4}, {{0, 21}, 4}};
  return problem;
}

/// Buffers that start in turn and live for 2 to 24 steps: it takes thousands of
/// nodes to place them at their load, and how many depends on the seed.
inline constexpr std::int64_t kStaircaseLoad = 297;
[[nodiscard]] inline Problem<> staircase() {
  Problem<> problem;
  for (std::int64_t i = 0; i < 250; ++i)
    problem.buffers.push_back(
        {{i, i + 2 + i * i * 5 % 23}, 1 + i * i * 5 % 29});
  return problem;
}

/// Gives `percent` of the buffers an alignment of 1, 2, 3, 4 or 8 times
/// `unit`.
template <class Size, class Time>
void align(Problem<Size, Time>& problem, int percent, Size unit,
           Random& random) {
  const std::vector<int> factors = {1, 2, 3, 4, 8};
  for (Buffer<Size, Time>& buffer : problem.buffers)
    if (random.chance(percent))
      buffer.alignment = static_cast<Size>(
          unit * factors[random.between(std::size_t{0}, factors.size() - 1)]);
}

/// Gives `percent` of the buffers one or two gaps, most with a window.
template <class Size, class Time>
void add_gaps(Problem<Size, Time>& problem, int percent, Random& random) {
  for (Buffer<Size, Time>& buffer : problem.buffers) {
    if (!random.chance(percent)) continue;
    Interval<Time> rest = buffer.lifespan;
    for (int k = random.between(1, 2); k > 0 && !rest.empty(); --k) {
      Gap<Size, Time> gap;
      gap.lifespan.lower =
          random.between(rest.lower, static_cast<Time>(rest.upper - 1));
      gap.lifespan.upper =
          random.between(static_cast<Time>(gap.lifespan.lower + 1), rest.upper);
      rest.lower = gap.lifespan.upper;
      if (buffer.size > 0 && random.chance(70)) {
        const Size lower =
            random.between(Size{0}, static_cast<Size>(buffer.size - 1));
        gap.window = Interval<Size>{
            lower, random.between(static_cast<Size>(lower + 1), buffer.size)};
      }
      buffer.gaps.push_back(gap);
    }
    random.shuffle(buffer.gaps);
  }
}

/// Makes a random change of a few that are tried, the first that leaves the
/// problem well formed. Returns whether there was one.
template <class Size, class Time, class Change>
bool try_to(Problem<Size, Time>& problem, Random& random, Change change) {
  if (problem.buffers.empty()) return false;
  for (int attempt = 0; attempt < 8; ++attempt) {
    Problem<Size, Time> changed = problem;
    change(changed, random);
    if (!check(changed).ok()) continue;
    problem = std::move(changed);
    return true;
  }
  return false;
}

/// A random buffer of a problem that has one.
template <class Size, class Time>
[[nodiscard]] std::size_t any_buffer(const Problem<Size, Time>& problem,
                                     Random& random) {
  return random.between(std::size_t{0}, problem.buffers.size() - 1);
}

/// A number of bytes about as large as the problem is high.
template <class Size, class Time>
[[nodiscard]] Size any_byte(const Problem<Size, Time>& problem,
                            Random& random) {
  Size most = 0;
  for (const Buffer<Size, Time>& buffer : problem.buffers)
    most = (std::max)(most, buffer.size);
  return random.between(Size{0}, static_cast<Size>(2 * most + 1));
}

/// An alias of another buffer, mostly within its bytes.
template <class Size, class Time>
void add_alias(Problem<Size, Time>& problem, Random& random) {
  try_to(problem, random, [](Problem<Size, Time>& changed, Random& draw) {
    const std::size_t of = any_buffer(changed, draw);
    const Size size = changed.buffers[of].size;
    Size delta = 0;
    if (!draw.chance(30)) {
      // One draw after the other: arguments come in any order.
      const auto upper = static_cast<Size>(size + (draw.chance(20) ? 2 : 0));
      const auto lower = static_cast<Size>(draw.chance(30) ? -size : 0);
      delta = draw.between(lower, upper);
    }
    changed.aliases.push_back({any_buffer(changed, draw), of, delta});
  });
}

/// A group of two or three; rarely of one or none.
template <class Size, class Time>
void add_group(Problem<Size, Time>& problem, Random& random) {
  try_to(problem, random, [](Problem<Size, Time>& changed, Random& draw) {
    std::vector<std::size_t> group;
    const int count = draw.chance(5) ? draw.between(0, 1) : draw.between(2, 3);
    for (int k = 0; k < count; ++k) group.push_back(any_buffer(changed, draw));
    changed.contiguous.push_back(group);
  });
}

template <class Size, class Time>
void add_apart(Problem<Size, Time>& problem, Random& random) {
  try_to(problem, random, [](Problem<Size, Time>& changed, Random& draw) {
    changed.apart.push_back(
        {any_buffer(changed, draw), any_buffer(changed, draw)});
  });
}

template <class Size, class Time>
void add_may_overlap(Problem<Size, Time>& problem, Random& random) {
  try_to(problem, random, [](Problem<Size, Time>& changed, Random& draw) {
    changed.may_overlap.push_back(
        {any_buffer(changed, draw), any_buffer(changed, draw)});
  });
}

/// One to three bytes, for all time or about as long as a buffer lives.
template <class Size, class Time>
void add_reserved(Problem<Size, Time>& problem, Random& random) {
  try_to(problem, random, [](Problem<Size, Time>& changed, Random& draw) {
    Reserved<Size, Time> reserved;
    reserved.bytes.lower = any_byte(changed, draw);
    reserved.bytes.upper =
        static_cast<Size>(reserved.bytes.lower + draw.between(1, 3));
    if (draw.chance(60)) {
      Interval<Time> life = changed.buffers[any_buffer(changed, draw)].lifespan;
      life.lower = static_cast<Time>(life.lower + draw.between(-1, 1));
      life.upper = static_cast<Time>(life.upper + draw.between(-1, 1));
      reserved.lifespan = life;
    }
    changed.reserved.push_back(reserved);
  });
}

template <class Size, class Time>
void set_base(Problem<Size, Time>& problem, Random& random) {
  try_to(problem, random, [](Problem<Size, Time>& changed, Random& draw) {
    changed.base = static_cast<Size>(draw.between(1, 4));
  });
}

template <class Size, class Time>
void set_heap_alignment(Problem<Size, Time>& problem, Random& random) {
  try_to(problem, random, [](Problem<Size, Time>& changed, Random& draw) {
    changed.alignment = static_cast<Size>(draw.between(2, 4));
  });
}

/// Gives `percent` of the buffers an end of memory, as far as they can have it.
template <class Size, class Time>
void add_ends(Problem<Size, Time>& problem, int percent, Random& random) {
  for (std::size_t i = 0; i < problem.buffers.size(); ++i)
    if (random.chance(percent))
      try_to(problem, random, [&](Problem<Size, Time>& changed, Random& draw) {
        changed.buffers[i].end = draw.chance(50) ? End::kBottom : End::kTop;
      });
}

/// Three buffers live together whose windows change places, so that they
/// interlock in the room of one; a triple of new buffers or of old ones.
template <class Size, class Time>
void add_interlocking(Problem<Size, Time>& problem, Random& random) {
  try_to(problem, random, [](Problem<Size, Time>& changed, Random& draw) {
    const auto third = static_cast<Size>(draw.between(1, 2));
    const std::size_t owner = any_buffer(changed, draw);
    const Interval<Time> life = changed.buffers[owner].lifespan;
    std::vector<std::size_t> triple = {owner};
    while (triple.size() < 3) {
      if (changed.buffers.size() < 5) {
        triple.push_back(changed.buffers.size());
        changed.buffers.emplace_back();
      } else {
        const std::size_t one = any_buffer(changed, draw);
        if (std::count(triple.begin(), triple.end(), one) == 0)
          triple.push_back(one);
      }
    }
    for (const std::size_t i : triple) {
      changed.buffers[i].lifespan = life;
      changed.buffers[i].size = static_cast<Size>(3 * third);
      changed.buffers[i].gaps.clear();
    }
    std::vector<int> place = {0, 1, 2};
    for (Time now = life.lower; now < life.upper;) {
      const Time end = draw.between(static_cast<Time>(now + 1), life.upper);
      draw.shuffle(place);
      for (std::size_t k = 0; k < 3; ++k) {
        const auto lower = static_cast<Size>(third * place[k]);
        Gap<Size, Time> gap{{now, end}, std::nullopt};
        if (draw.chance(90))
          gap.window = Interval<Size>{lower, static_cast<Size>(lower + third)};
        changed.buffers[triple[k]].gaps.push_back(gap);
      }
      now = end;
    }
  });
}

/// Fixes a buffer at an aligned offset.
template <class Size, class Time>
void add_fixed(Problem<Size, Time>& problem, Random& random) {
  try_to(problem, random, [](Problem<Size, Time>& changed, Random& draw) {
    Buffer<Size, Time>& buffer = changed.buffers[any_buffer(changed, draw)];
    const Size step = std::lcm(buffer.alignment, changed.alignment);
    const Size offset = (std::max)(any_byte(changed, draw), changed.base);
    buffer.offset = static_cast<Size>((offset + step - 1) / step * step);
  });
}

/// Hints for some buffers; they may be anything that is not negative.
template <class Size, class Time>
void add_hints(Problem<Size, Time>& problem, int percent, Random& random) {
  for (Buffer<Size, Time>& buffer : problem.buffers)
    if (random.chance(percent)) buffer.hint = any_byte(problem, random);
}

/// Takes a buffer's size away, and its windows with it.
template <class Size, class Time>
void add_empty(Problem<Size, Time>& problem, Random& random) {
  try_to(problem, random, [](Problem<Size, Time>& changed, Random& draw) {
    Buffer<Size, Time>& buffer = changed.buffers[any_buffer(changed, draw)];
    buffer.size = 0;
    for (Gap<Size, Time>& gap : buffer.gaps) gap.window.reset();
  });
}

/// Costs of up to `dearest` for `percent` of the pairs.
template <class Size, class Time>
void add_penalties(Problem<Size, Time>& problem, int percent,
                   std::int64_t dearest, Random& random) {
  for (std::size_t a = 0; a < problem.buffers.size(); ++a)
    for (std::size_t b = 0; b < a; ++b)
      if (random.chance(percent))
        problem.penalties.push_back(
            {a, b, random.between(std::int64_t{0}, dearest)});
}

/// The kinds of constraints, for add_constraint().
enum class Constraint : std::uint8_t {
  kAlias,
  kGroup,
  kApart,
  kMayOverlap,
  kReserved,
  kBase,
  kHeapAlignment,
  kEnds,
  kGaps,
  kInterlocking,
  kFixed,
  kHints,
  kEmpty,
  kAlignment,
};
inline constexpr int kConstraints = 14;

/// Adds constraints of one kind, as many as are interesting.
template <class Size, class Time>
void add_constraint(Problem<Size, Time>& problem, Constraint kind,
                    Random& random) {
  const auto repeat = [&](int most, auto add) {
    for (int k = random.between(1, most); k > 0; --k) add(problem, random);
  };
  switch (kind) {
    case Constraint::kAlias:
      return repeat(3, add_alias<Size, Time>);
    case Constraint::kGroup:
      return repeat(2, add_group<Size, Time>);
    case Constraint::kApart:
      return repeat(4, add_apart<Size, Time>);
    case Constraint::kMayOverlap:
      return repeat(4, add_may_overlap<Size, Time>);
    case Constraint::kReserved:
      return repeat(3, add_reserved<Size, Time>);
    case Constraint::kBase:
      return set_base(problem, random);
    case Constraint::kHeapAlignment:
      return set_heap_alignment(problem, random);
    case Constraint::kEnds:
      return add_ends(problem, 70, random);
    case Constraint::kGaps:
      try_to(problem, random, [](Problem<Size, Time>& changed, Random& draw) {
        for (Buffer<Size, Time>& buffer : changed.buffers) buffer.gaps.clear();
        add_gaps(changed, 60, draw);
      });
      return;
    case Constraint::kInterlocking:
      return add_interlocking(problem, random);
    case Constraint::kFixed:
      return repeat(3, add_fixed<Size, Time>);
    case Constraint::kHints:
      return add_hints(problem, 50, random);
    case Constraint::kEmpty:
      return repeat(2, add_empty<Size, Time>);
    case Constraint::kAlignment:
      try_to(problem, random, [](Problem<Size, Time>& changed, Random& draw) {
        align(changed, 40, Size{1}, draw);
      });
      return;
  }
}

/// `least` to `most` buffers of two to five bytes at most, within two to six steps.
[[nodiscard]] inline Problem<> uniform_small(std::size_t least,
                                             std::size_t most, Random& random) {
  Shape shape;
  shape.count = random.between(least, most);
  shape.length = random.between(2, 6);
  shape.largest = random.between(2, 5);
  return uniform<>(shape, random);
}

/// Two to five kinds of constraints, in random order.
template <class Size, class Time>
void add_constraints(Problem<Size, Time>& problem, Random& random) {
  for (int k = random.between(2, 5); k > 0; --k)
    add_constraint(problem,
                   static_cast<Constraint>(random.between(0, kConstraints - 1)),
                   random);
}

/// `count` buffers within ten steps, with two to five kinds of constraints.
[[nodiscard]] inline Problem<> uniform_constrained(Random& random,
                                                   std::size_t count) {
  Shape shape;
  shape.count = count;
  shape.length = 10;
  Problem<> problem = uniform(shape, random);
  add_constraints(problem, random);
  return problem;
}

/// Buffers that are live at one time.
[[nodiscard]] inline Problem<> live_together(
    const std::vector<std::int64_t>& sizes,
    const std::vector<std::int64_t>& alignments) {
  Problem<> problem;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    problem.buffers.push_back({{0, 1}, sizes[i]});
    problem.buffers.back().alignment = alignments[i];
  }
  return problem;
}

/// Nothing below 68 places them: ends and ties let the second class be 3 above
/// the first, no more and no less; at multiples of 7 and 11 that is first so at
/// 63 and 66.
[[nodiscard]] inline Problem<> classes_on_two_grids() {
  Problem<> problem;
  problem.buffers = {{{0, 1}, 3, 7}, {{1, 2}, 1}, {{0, 1}, 1, 11}, {{1, 2}, 1}};
  problem.buffers[0].end = End::kBottom;
  problem.buffers[1].end = End::kTop;
  problem.buffers[2].end = End::kTop;
  problem.buffers[3].end = End::kBottom;
  problem.aliases = {{1, 0, 4}, {3, 2, 0}};
  return problem;
}

}  // namespace testing
}  // namespace snug

#endif  // SNUG_TESTS_SUPPORT_GENERATORS_HPP
