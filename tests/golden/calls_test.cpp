// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Pinned results of every call that solves, for random problems with
/// constraints and for large numbers: hashes of all that the result holds but
/// the time. golden_test.cpp says when they may change. To regenerate:
///
///     golden_tests '[.regenerate_calls]'
///
/// It writes calls.hpp, next to this file; build again to use it.
#include "calls.hpp"

#include "pinned.hpp"
#include "snug/load.hpp"
#include "snug/snug.hpp"
#include "support/catch.hpp"
#include "support/generators.hpp"
#include "support/random.hpp"
#include "support/solved.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace snug::testing;
using snug::Options;
using snug::Problem;
using snug::golden::Hash;
using snug::golden::kCallGoldens;

Options options_for(std::int64_t nodes) {
  Options options;
  options.node_limit = nodes;
  return options;
}

/// Small, with constraints in two of three cases.
Problem<> small(Random& random) {
  Shape shape;
  shape.count = random.between(std::size_t{4}, std::size_t{14});
  shape.length = random.between(3, 12);
  shape.largest = random.between(3, 9);
  Problem<> problem =
      random.chance(30) ? twins<>(shape, random) : uniform<>(shape, random);
  if (random.chance(67)) add_constraints(problem, random);
  return problem;
}

/// Products of sizes and lifespans need more bits than a double has. Some are
/// equal, or nearly.
Problem<> large(Random& random) {
  Shape shape;
  shape.count = random.between(std::size_t{30}, std::size_t{80});
  shape.length = 30000001;
  shape.largest = 60;
  shape.unit = 100000007;
  Problem<> problem = uniform<>(shape, random);
  for (auto& buffer : problem.buffers)
    if (random.chance(40)) buffer.size += random.between(0, 3);
  for (std::size_t i = 1; i < problem.buffers.size(); i += 3)
    if (random.chance(50)) {
      problem.buffers[i] = problem.buffers[i - 1];
      problem.buffers[i].lifespan.upper += random.between(0, 1);
    }
  return problem;
}

Problem<> any(std::uint64_t seed, Random& random) {
  return seed % 3 == 0 ? large(random) : small(random);
}

/// A capacity at which some fit and some do not.
std::int64_t tight(const Problem<>& problem, Random& random) {
  const std::int64_t load = snug::load(problem);
  return load - load / 16 + random.between(std::int64_t{0}, load / 8);
}

snug::Pools<> pools_for(const Problem<>& problem, Random& random) {
  snug::Pools<> pools;
  const std::int64_t load = snug::load(problem);
  for (int p = random.between(1, 3); p > 0; --p) {
    snug::Pool<> pool;
    pool.capacity = random.between(load / 4, load + 4);
    pool.cost_per_byte = random.between(0, 9);
    pools.pools.push_back(pool);
  }
  return pools;
}

template <class R>
void add_placement(Hash& hash, const R& result) {
  hash.add(static_cast<std::int64_t>(result.status));
  hash.add(result.offsets);
  hash.add(result.stats.nodes);
}

void solve(std::uint64_t seed, Hash& hash) {
  Random random(seed);
  const Problem<> problem = any(seed, random);
  const auto result =
      snug::solve(problem, tight(problem, random), options_for(3000));
  add_placement(hash, result);
  hash.add(result.lower_bound);
}

void minimize(std::uint64_t seed, Hash& hash) {
  Random random(seed);
  const auto result = snug::minimize(any(seed, random), options_for(3000));
  add_placement(hash, result);
  hash.add(result.lower_bound);
}

void explain(std::uint64_t seed, Hash& hash) {
  Random random(seed);
  const Problem<> problem = any(seed, random);
  const auto result =
      snug::explain(problem, tight(problem, random), options_for(3000));
  hash.add(static_cast<std::int64_t>(result.status));
  hash.add(result.buffers);
  hash.add(result.stats.nodes);
}

void spill(std::uint64_t seed, Hash& hash) {
  Random random(seed);
  const Problem<> problem = any(seed, random);
  const std::int64_t capacity = tight(problem, random) * 3 / 4;
  std::vector<std::int64_t> costs;
  if (random.chance(50))
    for (std::size_t i = 0; i < problem.buffers.size(); ++i)
      costs.push_back(random.between(std::int64_t{0}, std::int64_t{99}));
  const auto result =
      snug::suggest_spills(problem, capacity, costs, options_for(3000));
  add_placement(hash, result);
  hash.add(result.cost_bound);
}

void penalty(std::uint64_t seed, Hash& hash) {
  Random random(seed);
  Problem<> problem = any(seed, random);
  add_penalties(problem, 20, 1000, random);
  const std::int64_t load = snug::load(problem);
  const auto result = snug::minimize_penalty(
      problem, load + random.between(std::int64_t{0}, load / 4),
      options_for(5000));
  add_placement(hash, result);
  hash.add(result.cost);
  hash.add(result.cost_bound);
}

void assign(std::uint64_t seed, Hash& hash) {
  Random random(seed);
  const Problem<> problem = any(seed, random);
  const auto result =
      snug::assign(problem, pools_for(problem, random), options_for(3000));
  add_placement(hash, result);
  hash.add(result.cost_bound);
  hash.add(result.pools);
}

void certify(std::uint64_t seed, Hash& hash) {
  Random random(seed);
  const Problem<> problem = any(seed, random);
  const auto result =
      snug::certify(problem, tight(problem, random), options_for(3000));
  hash.add(static_cast<std::int64_t>(result.status));
  hash.add(result.nodes);
  hash.add(std::vector<char>(result.text.begin(), result.text.end()));
}

struct Call {
  const char* name;
  void (*run)(std::uint64_t seed, Hash& hash);
  /// The first seed: two calls have one in their range that took another way
  /// where a processor computes with more bits than a double has.
  std::uint64_t first;
};
constexpr std::array<Call, 7> kCalls = {{{"solve", solve, 0},
                                         {"minimize", minimize, 0},
                                         {"explain", explain, 0},
                                         {"suggest_spills", spill, 360},
                                         {"minimize_penalty", penalty, 0},
                                         {"assign", assign, 180},
                                         {"certify", certify, 0}}};
constexpr std::uint64_t kProblems = 15;  ///< of each hash

/// A hash for each of the goldens: all groups of seeds of the first call, then
/// those of the next one.
std::vector<Hash> run_all() {
  std::vector<Hash> hashes(kCallGoldens.size());
  const std::size_t groups = hashes.size() / kCalls.size();
  for (std::size_t k = 0; k < hashes.size(); ++k)
    for (std::uint64_t i = 0; i < kProblems; ++i)
      kCalls[k / groups].run(
          kCalls[k / groups].first + k % groups * kProblems + i, hashes[k]);
  return hashes;
}

}  // namespace

TEST_CASE("results of all calls are the pinned ones", "[golden]") {
  const std::vector<Hash> hashes = run_all();
  const std::size_t groups = hashes.size() / kCalls.size();
  for (std::size_t k = 0; k < hashes.size(); ++k) {
    CAPTURE(kCalls[k / groups].name, k % groups);
    CHECK(hashes[k].text() == kCallGoldens[k]);
  }
}

TEST_CASE("all calls give the same again, and in two threads at once",
          "[golden]") {
  std::array<std::vector<Hash>, 2> found;
  std::vector<std::thread> threads;
  for (std::vector<Hash>& hashes : found)
    threads.emplace_back([&hashes] { hashes = run_all(); });
  for (std::thread& thread : threads) thread.join();
  for (const std::vector<Hash>& hashes : found)
    for (std::size_t k = 0; k < hashes.size(); ++k)
      CHECK(hashes[k].text() == kCallGoldens[k]);
}

TEST_CASE("write calls.hpp", "[.regenerate_calls]") {
  const std::vector<Hash> hashes = run_all();
  std::string text =
      "// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n"
      "/// \\file\n"
      "/// Written by calls_test.cpp, which says when and how.\n"
      "#ifndef SNUG_TESTS_GOLDEN_CALLS_HPP\n"
      "#define SNUG_TESTS_GOLDEN_CALLS_HPP\n\n"
      "#include <array>\n#include <string_view>\n\n"
      "namespace snug {\nnamespace golden {\n\n"
      "// clang-format off\n"
      "inline constexpr std::array<std::string_view, " +
      std::to_string(hashes.size()) + "> kCallGoldens = {{\n";
  for (const Hash& hash : hashes) text += "    \"" + hash.text() + "\",\n";
  text +=
      "}};\n// clang-format on\n\n"
      "}  // namespace golden\n}  // namespace snug\n\n"
      "#endif  // SNUG_TESTS_GOLDEN_CALLS_HPP\n";
  std::ofstream file(snug::golden::file_beside("calls.hpp"), std::ios::binary);
  file << text;
  file.close();
  CHECK(file.good());
}
