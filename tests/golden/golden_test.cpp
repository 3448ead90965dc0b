// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Pinned results: status, nodes, height and a hash of the offsets.
///
/// The same problem and options give the same result with every compiler, at
/// every level of optimisation, on every platform, for 32 and 64 bits. What is
/// pinned was computed by one of them, so a difference on another shows here.
///
/// A change of the search that is meant to change its course (another rule,
/// another order among ties, another strategy) changes these numbers. Then,
/// and only then, regenerate them; look at the difference first: no "solved"
/// may turn into "infeasible" or the other way, and the node counts should
/// tell what the change was for. A change that is meant to make the same steps
/// faster must leave every number as it is, and so must another compiler: if
/// it does not, that is a defect, and regenerating would hide it.
///
/// To regenerate, with SNUG_BENCHMARK_DIR set when the tests were built:
///
///     golden_tests '[.regenerate]'
///
/// It writes goldens.hpp, next to this file; build again to use it.
#include "../../benchmarks/generate.hpp"
#include "../../benchmarks/variants.hpp"
#include "goldens.hpp"
#include "pinned.hpp"
#include "snug/io/csv.hpp"
#include "snug/snug.hpp"
#include "snug/validate.hpp"
#include "support/catch.hpp"
#include "support/generators.hpp"
#include "support/hard_cuts.hpp"
#include "support/hard_walks.hpp"
#include "support/instances.hpp"
#include "support/pairwise.hpp"
#include "support/random.hpp"
#include "support/solved.hpp"
#include "support/tuned.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace snug::testing;
using snug::Options;
using snug::Problem;
using snug::Result;
using snug::Status;
using snug::golden::file_beside;
using snug::golden::Golden;
using snug::golden::Hash;
using snug::golden::kGoldens;

template <class Size, class Time>
struct Case {
  std::string name;
  Problem<Size, Time> problem;
  Size capacity;  ///< minimize() where it is negative
  Tuned options;
};

template <class Size, class Time>
class Cases {
 public:
  using P = Problem<Size, Time>;

  Cases() {
    add_data();
    add_cuts();
    add_walks();
    add_others();
    add_switches();
    add_tpu();
  }

  std::vector<Case<Size, Time>> all;
  bool has_tpu = true;

 private:
  void add(std::string name, P problem, std::int64_t capacity,
           Tuned options = {}) {
    if (options.node_limit > 30000) options.node_limit = 30000;
    all.push_back({std::move(name), std::move(problem),
                   static_cast<Size>(capacity), options});
  }

  static P read(const std::string& path) {
    std::ifstream file(file_beside(path), std::ios::binary);
    CAPTURE(path);
    REQUIRE(file.good());
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    auto table = snug::read_csv<Size, Time>(text);
    REQUIRE(table.ok());
    return std::move(table.problem);
  }

  void add_data() {
    const P example = read("../../benchmarks/data/running_example.csv");
    add("running example, 12", example, 12);
    add("running example, 11", example, 11);
    add("running example, minimum", example, -1);
    const P quilt = read("../../benchmarks/data/quilt.csv");
    const std::int64_t load = load_of(quilt);
    add("quilt, load", quilt, load);
    add("quilt, a tenth more", quilt, load + load / 10);
    add("quilt, minimum", quilt, -1);
  }

  void add_cuts() {
    for (const std::size_t count :
         std::array<std::size_t, 5>{20, 45, 80, 150, 300}) {
      const std::string name = "cut of " + std::to_string(count);
      const auto cut = snug::benchmarks::guillotine<Size, Time>(
          static_cast<Time>(10 * count), Size{1} << 20, count, count);
      add(name, cut.problem, 1 << 20);
      add(name + ", holes", snug::benchmarks::without(cut.problem, 4, count),
          1 << 20);
    }
    // Sizes whose sums need more than 32 bits inside the search.
    add("cut of 60, large numbers",
        snug::benchmarks::guillotine<Size, Time>(200, 1500000000, 60, 6)
            .problem,
        1500000000);
    for (std::size_t k = 0; k < 12; ++k) {
      const std::uint64_t seed = kHardCuts[8 * k];
      const auto cut = aligned_cut<Size, Time>(seed);
      add("aligned cut " + std::to_string(seed), cut.problem,
          height_of(cut.problem, cut.offsets));
    }
  }

  void add_walks() {
    for (std::size_t k = 0; k < 8; ++k) {
      const std::uint64_t small = kHardSmallWalks[40 * k];
      const auto walk = small_walk<Size, Time>(small);
      const std::int64_t load = load_of(walk);
      add("small walk " + std::to_string(small) + ", load", walk, load);
      add("small walk " + std::to_string(small) + ", minimum", walk, -1);
      const std::uint64_t seed = kHardMiddleWalks[20 * k];
      const auto middle = middle_walk<Size, Time>(seed);
      const std::int64_t more = load_of(middle);
      add("middle walk " + std::to_string(seed) + ", load", middle, more);
      add("middle walk " + std::to_string(seed) + ", one more", middle,
          more + 1);
      add("middle walk " + std::to_string(seed) + ", minimum", middle, -1);
    }
    snug::benchmarks::TightWalk walk;
    walk.units = 40;
    walk.unit = 1024;
    walk.live = 9;
    walk.steps = 20;
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
      P problem = snug::benchmarks::tight_walk<Size, Time>(walk, seed);
      add("large walk " + std::to_string(seed), problem, 40 * 1024);
      Random random(seed);
      align(problem, 30, Size{256}, random);
      add("large walk " + std::to_string(seed) + ", aligned", problem,
          41 * 1024);
    }
  }

  void add_others() {
    const auto at_load = [&](const std::string& name, const P& problem) {
      add(name, problem, load_of(problem));
    };
    at_load("exponential of 150",
            snug::benchmarks::exponential<Size, Time>(150, 1000, 60, 4096, 1));
    at_load("nested of 80", snug::benchmarks::nested<Size, Time>(80, 4096, 2));
    at_load("mixed of 200",
            snug::benchmarks::mixed<Size, Time>(200, 2000, 4096, 3));
    add("nothing", {}, 0);
  }

  void add_switches() {
    snug::benchmarks::TightWalk walk;
    walk.units = 40;
    walk.live = 9;
    walk.steps = 20;
    const P problem = snug::benchmarks::tight_walk<Size, Time>(walk, 4);
    Tuned options;
    options.own.rules.restarts = false;
    add("no restarts", problem, 40, options);
    options.use("0WAT");
    add("no restarts, 0WAT", problem, 40, options);
    options.own.rules.conflict_sets = false;
    add("no restarts, 0WAT, no conflict sets", problem, 40, options);
    options.own.rules.failed_states = false;
    options.own.rules.failure_weights = false;
    options.own.rules.section_inference = false;
    add("few rules", problem, 40, options);
    options = {};
    options.use("sOCL,0UZ");
    options.seed = 7;
    options.own.failed_state_bytes = 4096;
    const std::uint64_t seed = kHardMiddleWalks[77];
    const auto middle = middle_walk<Size, Time>(seed);
    add("other strategies", middle, load_of(middle), options);
  }

  void add_tpu() {
    for (const char* name : kTpuInstances) {
      auto problem = load_instance<Size, Time>(name);
      if (!problem) {
        has_tpu = false;
        continue;
      }
      add(name, std::move(*problem), kTpuCapacity);
    }
  }
};

template <class Size>
Hash hash_of(const std::vector<Size>& offsets) {
  Hash hash;
  hash.add(offsets);
  return hash;
}

template <class Size, class Time>
Result<Size> run(const Case<Size, Time>& c) {
  return c.capacity < 0 ? minimize(c.problem, c.options)
                        : solve(c.problem, c.capacity, c.options);
}

const Golden* find(const std::string& name) {
  const auto found =
      std::find_if(kGoldens.begin(), kGoldens.end(),
                   [&](const Golden& golden) { return name == golden.name; });
  return found == kGoldens.end() ? nullptr : &*found;
}

}  // namespace

TEMPLATE_TEST_CASE("results are the pinned ones", "[golden]", std::int64_t,
                   std::int32_t) {
  const Cases<TestType, TestType> cases;
  for (const auto& c : cases.all) {
    CAPTURE(c.name);
    const Golden* const golden = find(c.name);
    CHECK(golden != nullptr);
    if (golden == nullptr) continue;
    const Result<TestType> result = run(c);
    CHECK(std::string(outcome_word(result.status, result.stopped_by)) ==
          golden->status);
    CHECK(result.stats.nodes == golden->nodes);
    CHECK(std::int64_t{result.height} == golden->height);
    CHECK(hash_of(result.offsets).value() == golden->hash);
    if (!result.has_solution()) continue;
    const TestType capacity = c.capacity < 0 ? result.height : c.capacity;
    CHECK(validate(c.problem, capacity, result.offsets).ok());
  }
}

TEST_CASE("every pinned result is looked at, also those of A to K",
          "[golden]") {
  const Cases<std::int64_t, std::int64_t> cases;
  SNUG_NEEDS_INSTANCES(cases.has_tpu);
  std::size_t pinned = 0;
  for (const auto& c : cases.all) pinned += find(c.name) != nullptr ? 1U : 0U;
  CHECK(pinned == kGoldens.size());
}

TEST_CASE("write goldens.hpp", "[.regenerate]") {
  const Cases<std::int64_t, std::int64_t> cases;
  INFO("A to K " << kNoInstances);
  REQUIRE(cases.has_tpu);
  std::string text =
      "// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n"
      "/// \\file\n"
      "/// Written by golden_test.cpp, which says when and how.\n"
      "#ifndef SNUG_TESTS_GOLDEN_GOLDENS_HPP\n"
      "#define SNUG_TESTS_GOLDEN_GOLDENS_HPP\n\n"
      "#include <array>\n#include <cstdint>\n\n"
      "namespace snug {\nnamespace golden {\n\n"
      "struct Golden {\n  const char* name;\n  const char* status;\n"
      "  std::int64_t nodes;\n  std::int64_t height;\n"
      "  std::uint64_t hash;  ///< of the offsets\n};\n\n"
      "// clang-format off\n"
      "inline constexpr std::array<Golden, " +
      std::to_string(cases.all.size()) + "> kGoldens = {{\n";
  for (const auto& c : cases.all) {
    const Result<> result = run(c);
    text += "    {\"" + c.name + "\", \"" +
            outcome_word(result.status, result.stopped_by) + "\", " +
            std::to_string(result.stats.nodes) + ", " +
            std::to_string(result.height) + ", " +
            hash_of(result.offsets).text() + "},\n";
  }
  text +=
      "}};\n// clang-format on\n\n"
      "}  // namespace golden\n}  // namespace snug\n\n"
      "#endif  // SNUG_TESTS_GOLDEN_GOLDENS_HPP\n";
  std::ofstream file(file_beside("goldens.hpp"), std::ios::binary);
  file << text;
  file.close();
  CHECK(file.good());
}
