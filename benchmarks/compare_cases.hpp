// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The families of the comparison.
///
///     tpu             A to K
///     large           networks that others published, up to 62185 buffers
///     variants        of A to K, and guillotine cuts: a part of `bench robust`
///     kernels         memory pools with alignments and pairs kept apart
///     kernels_plain   the same without the pairs, for those who know none
///     networks        of networks.hpp
///     random          exponential, nested and mixed, 10^2 to 10^6 buffers
///     files           what --input names
///
/// The first five need the instances of SNUG_BENCHMARK_DIR.
#ifndef SNUG_BENCHMARKS_COMPARE_CASES_HPP
#define SNUG_BENCHMARKS_COMPARE_CASES_HPP

#include "cases.hpp"
#include "generate.hpp"
#include "instances.hpp"
#include "networks.hpp"
#include "snug/model/problem.hpp"

#include <algorithm>
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

inline constexpr std::array<const char*, 7> kFamilies = {
    "tpu",           "large",    "variants", "kernels",
    "kernels_plain", "networks", "random"};

struct CompareCase {
  std::string family{};
  std::string name{};
  Problem<> problem{};
  /// Of instances that differ in size only: who does not finish one need not
  /// try the larger ones, which come later. Empty: none.
  std::string series{};
};

/// Which instances of the families are taken.
struct CompareChoice {
  std::string dir{};
  std::size_t largest = 1000000;  ///< buffers
  std::size_t every_variant = 6;  ///< each so-manieth
  std::size_t every_kernel = 16;
};

/// Reads one file. Returns what went wrong, or nothing.
[[nodiscard]] inline std::string read_case(const std::string& path,
                                           CompareCase& one) {
  one.name = std::filesystem::path(path).stem().string();
  std::replace(one.name.begin(), one.name.end(), ',', '_');
  return read_problem(path, one.problem);
}

/// The CSV files in `dir`, by name; none if there is no such folder.
[[nodiscard]] inline std::vector<std::string> csv_files(
    const std::string& dir) {
  std::vector<std::string> paths;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(dir, error))
    if (entry.path().extension() == ".csv" && entry.path().stem() != "manifest")
      paths.push_back(entry.path().string());
  std::sort(paths.begin(), paths.end());
  return paths;
}

inline void append_random(std::size_t largest,
                          std::vector<CompareCase>& cases) {
  constexpr std::int64_t kLargest = 65536;
  for (const char* const kind : {"exponential", "nested", "mixed"}) {
    const std::string name = kind;
    for (std::size_t n = 100; n <= largest; n *= 10) {
      const auto length = static_cast<std::int64_t>(n);
      CompareCase one;
      one.family = "random";
      one.name = name + std::to_string(n);
      one.series = name;
      one.problem = name == "nested" ? nested<>(n, kLargest, n)
                    : name == "mixed"
                        ? mixed<>(n, length, kLargest, n)
                        : exponential<>(n, length, 20, kLargest, n);
      cases.push_back(std::move(one));
    }
  }
}

/// Appends the instances of `family`. Returns what went wrong, or nothing;
/// without files there are no instances.
[[nodiscard]] inline std::string append_family(
    const std::string& family, const CompareChoice& choice,
    std::vector<CompareCase>& cases) {
  const auto add = [&](std::string name, Problem<> problem) {
    cases.push_back({family, std::move(name), std::move(problem), {}});
  };
  if (family == "random") {
    append_random(choice.largest, cases);
  } else if (family == "networks") {
    for (auto& [name, problem] : network_problems())
      add(name, std::move(problem));
  } else if (choice.dir.empty()) {
    return {};
  } else if (family == "tpu" || family == "variants") {
    std::vector<Case> tpu;
    const std::string error = read_tpu(choice.dir, tpu);
    if (!error.empty()) return error;
    std::vector<Case> taken;
    if (family == "tpu")
      taken = std::move(tpu);
    else
      taken = robust_cases(tpu, {1, 1});
    const std::size_t step = family == "tpu" ? 1 : choice.every_variant;
    for (std::size_t k = 0; k < taken.size(); k += step)
      add(taken[k].name, std::move(taken[k].problem));
  } else {
    const bool is_large = family == "large";
    const auto paths =
        csv_files(choice.dir + (is_large ? "/large" : "/kernels"));
    for (std::size_t k = 0; k < paths.size();
         k += is_large ? 1 : choice.every_kernel) {
      CompareCase one;
      one.family = family;
      const std::string error = read_case(paths[k], one);
      if (!error.empty()) return error;
      if (family == "kernels_plain") one.problem.apart.clear();
      cases.push_back(std::move(one));
    }
  }
  return {};
}

}  // namespace benchmarks
}  // namespace snug

#endif  // SNUG_BENCHMARKS_COMPARE_CASES_HPP
