// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The instances of the benchmark. All but A to K are generated, the same on
/// every machine, and split into two halves by the parity of their seed: the
/// *tuning* half (even), which may be looked at to choose rules, strategies
/// and constants, and the *held-out* half (odd), which may not.
#ifndef SNUG_BENCHMARKS_CASES_HPP
#define SNUG_BENCHMARKS_CASES_HPP

#include "../examples/files.hpp"
#include "generate.hpp"
#include "instances.hpp"
#include "random.hpp"
#include "snug/io/csv.hpp"
#include "snug/model/interval.hpp"
#include "snug/model/problem.hpp"
#include "variants.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace snug {
namespace benchmarks {

struct Case {
  std::string family{};
  std::string name{};  ///< fit for a file name
  std::int64_t capacity = 0;
  Problem<> problem{};
  bool feasible = true;  ///< by construction
  bool held_out = false;
};

inline constexpr std::int64_t kTpuCapacity = 1048576;

/// Reads A to K from `dir` or its subfolder tpu. Returns what went wrong, or
/// nothing.
[[nodiscard]] inline std::string read_tpu(const std::string& dir,
                                          std::vector<Case>& cases) {
  std::string folder = dir + "/tpu";
  std::error_code error;
  if (!std::filesystem::is_directory(folder, error)) folder = dir;
  for (char letter = 'A'; letter <= 'K'; ++letter) {
    const std::string path =
        folder + '/' + letter + '.' + std::to_string(kTpuCapacity) + ".csv";
    Case added;
    added.family = "A to K";
    added.name = letter;
    added.capacity = kTpuCapacity;
    const std::string failure = read_problem(path, added.problem);
    if (!failure.empty()) return failure;
    cases.push_back(std::move(added));
  }
  return {};
}

/// Seeds, both ends included.
struct Seeds {
  std::uint64_t first = 0;
  std::uint64_t last = 3;
};

/// Between half and nine tenths of the problem's duration.
[[nodiscard]] inline Interval<std::int64_t> random_window(
    const Problem<>& problem, std::uint64_t seed) {
  Random random(seed);
  const Interval<std::int64_t> all = duration(problem);
  const std::int64_t length = all.upper - all.lower;
  const std::int64_t kept = random.between(length / 2, length * 9 / 10);
  const std::int64_t lower =
      all.lower + random.between(std::int64_t{0}, length - kept);
  return {lower, lower + kept};
}

/// Leaves out each buffer with a chance of `percent` in 100, but at least one
/// of them, which the next seed decides if need be.
[[nodiscard]] inline Problem<> without_some(const Problem<>& problem,
                                            int percent, std::uint64_t seed) {
  // Multiplied, so that these seeds and their successors do not meet.
  for (seed *= 1000;; ++seed) {
    Problem<> kept = without(problem, percent, seed);
    if (kept.buffers.size() < problem.buffers.size() || kept.buffers.empty())
      return kept;
  }
}

/// Variants of `tpu` that fit its capacity because the originals do.
inline void append_variants(const std::vector<Case>& tpu, Seeds seeds,
                            std::vector<Case>& cases) {
  for (std::size_t i = 0; i < tpu.size(); ++i) {
    const Problem<>& original = tpu[i].problem;
    const auto append = [&](std::string family, const std::string& suffix,
                            std::uint64_t seed, Problem<> problem) {
      Case added;
      added.family = std::move(family);
      added.name = tpu[i].name + '.' + suffix;
      added.capacity = tpu[i].capacity;
      added.problem = std::move(problem);
      added.held_out = seed % 2 == 1;
      cases.push_back(std::move(added));
    };
    // There is one of these only, so the letters' order stands in for a seed.
    append("reversed", "reversed", i, reversed(original));
    for (std::uint64_t seed = seeds.first; seed <= seeds.last; ++seed) {
      const std::string tail = ".s" + std::to_string(seed);
      // To a solver that sorts its input, one order of the rows is like any
      // other: two of them do.
      if (seed < seeds.first + 2)
        append("shuffled", "shuffled" + tail, seed, shuffled(original, seed));
      // Every family and instance has a stream of its own: with a common one
      // the buffers left out by 1 % would be among those left out by 3 %, and
      // at the same places in all of A to K.
      std::uint64_t stream = (seed * tpu.size() + i) * 16;
      for (const int percent : {1, 3, 6}) {
        const std::string deleted = std::to_string(percent);
        append(deleted + " % deleted", "deleted" + deleted + tail, seed,
               without_some(original, percent, stream++));
      }
      append("clipped", "clipped" + tail, seed,
             clipped(original, random_window(original, stream++)));
      const Problem<> window =
          clipped(original, random_window(original, stream++));
      append("mixture", "mixture" + tail, seed,
             shuffled(reversed(without_some(window, 3, stream++)), seed));
    }
  }
}

/// Random guillotine cuts, whole and with 4 % of the buffers left out.
inline void append_guillotines(Seeds seeds, std::vector<Case>& cases) {
  constexpr std::array<std::size_t, 8> kCounts = {40,  60,  90,  130,
                                                  190, 280, 400, 500};
  for (std::size_t k = 0; k < kCounts.size(); ++k) {
    for (std::uint64_t seed = seeds.first; seed <= seeds.last; ++seed) {
      // Small numbers give many equal sizes and times, large ones few. Both
      // kinds fall to both halves.
      const bool large = (k + seed / 2) % 2 == 1;
      const std::int64_t length = large ? 1000 : 100;
      const std::int64_t capacity = large ? 1048576 : 1000;
      Case added;
      added.family = "guillotine";
      added.name = "guillotine" + std::to_string(kCounts[k]) + ".s" +
                   std::to_string(seed);
      added.capacity = capacity;
      added.problem =
          guillotine<>(length, capacity, kCounts[k], 1000 * seed + kCounts[k])
              .problem;
      added.held_out = seed % 2 == 1;
      cases.push_back(added);
      added.family += ", 4 % deleted";
      added.name = "holes" + added.name.substr(10);
      added.problem = without_some(added.problem, 4, 1000 * seed + kCounts[k]);
      cases.push_back(std::move(added));
    }
  }
}

/// All that `bench robust` solves.
[[nodiscard]] inline std::vector<Case> robust_cases(
    const std::vector<Case>& tpu, Seeds seeds) {
  std::vector<Case> cases;
  append_variants(tpu, seeds, cases);
  append_guillotines(seeds, cases);
  return cases;
}

/// Writes each case as `name.capacity.csv`. Returns what went wrong, or
/// nothing.
[[nodiscard]] inline std::string write_cases(const std::vector<Case>& cases,
                                             const std::string& dir) {
  std::error_code error;
  std::filesystem::create_directories(dir, error);
  if (error) return dir + ": " + error.message();
  for (const Case& one : cases) {
    const std::string path =
        dir + '/' + one.name + '.' + std::to_string(one.capacity) + ".csv";
    const std::string failure = files::write(path, write_csv(one.problem));
    if (!failure.empty()) return path + ": " + failure;
  }
  return {};
}

}  // namespace benchmarks
}  // namespace snug

#endif  // SNUG_BENCHMARKS_CASES_HPP
