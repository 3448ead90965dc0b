// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The benchmark instances of others, which are not part of this project: the
/// build passes the folder that holds them (tpu/ and large/) as the macro
/// SNUG_BENCHMARK_DIR. Without it, or without a file, there is no instance and
/// the test that wants it is skipped.
#ifndef SNUG_TESTS_SUPPORT_INSTANCES_HPP
#define SNUG_TESTS_SUPPORT_INSTANCES_HPP

#include "snug/io/csv.hpp"
#include "snug/model/problem.hpp"
#include "support/catch.hpp"

#include <array>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#ifndef SNUG_BENCHMARK_DIR
#define SNUG_BENCHMARK_DIR ""
#endif

namespace snug {
namespace testing {

/// The challenging TPU instances, feasible at kTpuCapacity.
inline constexpr std::array<const char*, 11> kTpuInstances = {
    "tpu/A.1048576.csv", "tpu/B.1048576.csv", "tpu/C.1048576.csv",
    "tpu/D.1048576.csv", "tpu/E.1048576.csv", "tpu/F.1048576.csv",
    "tpu/G.1048576.csv", "tpu/H.1048576.csv", "tpu/I.1048576.csv",
    "tpu/J.1048576.csv", "tpu/K.1048576.csv"};
inline constexpr std::int64_t kTpuCapacity = 1048576;

inline constexpr std::array<const char*, 5> kLargeInstances = {
    "large/resnet50.csv", "large/G_1.csv", "large/pangu_2.6B.csv",
    "large/S_1.csv", "large/Y_1.csv"};

/// What a test that has no instances to run on should say.
inline constexpr const char* kNoInstances =
    "skipped: set SNUG_BENCHMARK_DIR to the folder that holds tpu/ and large/";

/// The instance in the file `name` below SNUG_BENCHMARK_DIR, or nothing when
/// it is not there. Throws if the file cannot be parsed.
template <class Size = std::int64_t, class Time = std::int64_t>
[[nodiscard]] std::optional<Problem<Size, Time>> load_instance(
    const std::string& name) {
  const std::string folder = SNUG_BENCHMARK_DIR;
  if (folder.empty()) return std::nullopt;
  std::ifstream file(folder + '/' + name, std::ios::binary);
  if (!file) return std::nullopt;
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  CsvTable<Size, Time> table = read_csv<Size, Time>(text);
  if (!table.ok())
    throw std::runtime_error(name + ':' + to_string(table.error));
  return std::move(table.problem);
}

}  // namespace testing
}  // namespace snug

/// Ends the test case as one that is skipped, if what it has loaded is not there.
#define SNUG_NEEDS_INSTANCES(are_there)       \
  do {                                        \
    if (!(are_there)) {                       \
      SNUG_SKIP(snug::testing::kNoInstances); \
      return;                                 \
    }                                         \
  } while (false)

#endif  // SNUG_TESTS_SUPPORT_INSTANCES_HPP
