// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What libFuzzer would do with files that there are already, without it.
///
///     fuzz_corpus FOLDER...           judges all files in FOLDER/csv and so on
///     fuzz_corpus --judge csv FILE    one file: csv, json, tflite, problem
///     fuzz_corpus --random SEED N     judges N problems of random bytes
///     fuzz_corpus --shrink FILE       prints the smallest failing problem
///     fuzz_corpus --test-shrink       whether shrinking works
///
/// While it shrinks, every case is tried in a process of its own, where there
/// are any: one that crashes or hangs has failed.
#include "fuzz/judges.hpp"
#include "fuzz/shrink.hpp"
#include "snug/io/csv.hpp"
#include "snug/io/json.hpp"
#include "support/random.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#if defined(__unix__) || defined(__APPLE__)
#include <sys/wait.h>
#include <unistd.h>
#define SNUG_FUZZ_FORK 1
#endif

namespace {

namespace fs = std::filesystem;
using snug::fuzz::Case;

struct Target {
  const char* name;
  std::string (*judge)(std::string_view bytes);
};
constexpr std::array<Target, 4> kTargets = {{
    {"csv", &snug::fuzz::judge_csv},
    {"json", &snug::fuzz::judge_json},
    {"tflite", &snug::fuzz::judge_tflite},
    {"problem", &snug::fuzz::judge_problem},
}};

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    std::fprintf(stderr, "cannot read %s\n", path.string().c_str());
    std::exit(2);
  }
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// Whether a file passes; says what is wrong if it does not.
bool passes(const Target& target, const fs::path& path) {
  const std::string wrong = target.judge(read_file(path));
  if (!wrong.empty())
    std::printf("%s: %s\n", path.string().c_str(), wrong.c_str());
  return wrong.empty();
}

/// Judges every file of a corpus. False if one is wrong or a target has none.
bool judge_folder(const fs::path& folder) {
  bool all_pass = true;
  for (const Target& target : kTargets) {
    std::vector<fs::path> files;
    if (fs::is_directory(folder / target.name))
      for (const auto& entry : fs::directory_iterator(folder / target.name))
        files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    for (const fs::path& file : files)
      all_pass = passes(target, file) && all_pass;
    std::printf("%-8s %zu files\n", target.name, files.size());
    all_pass = all_pass && !files.empty();
  }
  return all_pass;
}

/// Whether the case fails, if need be by taking its process with it.
bool fails(const Case& c) {
#ifdef SNUG_FUZZ_FORK
  constexpr unsigned kMostSeconds = 20;
  const pid_t child = fork();
  if (child == 0) {
    alarm(kMostSeconds);
    std::_Exit(snug::fuzz::judge_case(c).empty() ? 0 : 1);
  }
  int status = 0;
  return child > 0 && waitpid(child, &status, 0) == child && status != 0;
#else
  return !snug::fuzz::judge_case(c).empty();
#endif
}

/// What fails as CSV; in JSON where it has what no row has.
void print_case(const Case& c) {
  std::printf("capacity %lld, %lld nodes, setting %u, seed %llu, unit %lld%s\n",
              static_cast<long long>(c.capacity),
              static_cast<long long>(c.node_limit), c.setting,
              static_cast<unsigned long long>(c.seed),
              static_cast<long long>(c.unit), c.is_wild ? ", wild" : "");
  std::fputs(snug::write_csv(c.problem).c_str(), stdout);
  if (c.problem.base != 0 || c.problem.alignment != 1 ||
      !c.problem.reserved.empty())
    std::fputs(snug::write_json(c.problem, {}, c.capacity).c_str(), stdout);
}

void print_least(const Case& c) {
  const Case least = snug::fuzz::shrink(c, fails);
  print_case(least);
  std::fflush(stdout);
  std::printf("%s\n", snug::fuzz::judge_case(least).c_str());
}

bool shrink_file(const fs::path& path) {
  const Case c = snug::fuzz::decode(read_file(path));
  const bool is_failing = fails(c);
  if (is_failing)
    print_least(c);
  else
    std::puts("it does not fail");
  return is_failing;
}

/// Judges problems of random bytes; the first that is wrong is shrunk.
bool judge_random(std::uint64_t seed, std::uint64_t count) {
  for (std::uint64_t k = 0; k < count; ++k) {
    snug::testing::Random random(seed + k);
    std::string bytes(random.between(std::size_t{8}, std::size_t{100}), '\0');
    for (char& byte : bytes) byte = static_cast<char>(random.between(0, 255));
    if (snug::fuzz::judge_problem(bytes).empty()) continue;
    std::printf("seed %llu\n", static_cast<unsigned long long>(seed + k));
    print_least(snug::fuzz::decode(bytes));
    return false;
  }
  return true;
}

/// Shrinks a case that fails because of two of its buffers and a pair.
bool shrinking_works() {
  const auto is_bad = [](const Case& c) {
    const auto& buffers = c.problem.buffers;
    return std::any_of(
        c.problem.apart.begin(), c.problem.apart.end(), [&](const auto& pair) {
          return buffers[pair.first].size + buffers[pair.second].size >= 5 &&
                 c.capacity >= 3;
        });
  };
  Case c;
  c.capacity = 1000;
  for (std::int64_t i = 0; i < 12; ++i) {
    c.problem.buffers.push_back({{i, i + 9}, 3 + i, 4, {{{i, i + 1}, {}}}});
    c.problem.buffers.back().hint = i;
  }
  c.problem.base = 2;
  c.problem.reserved.push_back({{9, 10}, std::nullopt});
  c.problem.may_overlap = {{0, 1}, {4, 7}};
  c.problem.apart = {{0, 1}, {3, 8}, {2, 9}};
  if (!is_bad(c)) return false;
  const Case least = snug::fuzz::shrink(c, is_bad);
  print_case(least);
  const auto& buffers = least.problem.buffers;
  return is_bad(least) && buffers.size() == 2 && least.capacity == 3 &&
         buffers[0].size + buffers[1].size == 5 && buffers[0].gaps.empty() &&
         !buffers[0].hint && buffers[0].alignment == 1 &&
         least.problem.apart.size() == 1 && least.problem.reserved.empty() &&
         least.problem.may_overlap.empty() && least.problem.base == 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.size() == 1 && arguments[0] == "--test-shrink")
    return shrinking_works() ? EXIT_SUCCESS : EXIT_FAILURE;
  if (arguments.size() == 2 && arguments[0] == "--shrink")
    return shrink_file(arguments[1]) ? EXIT_SUCCESS : EXIT_FAILURE;
  if (arguments.size() == 3 && arguments[0] == "--random")
    return judge_random(std::stoull(arguments[1]), std::stoull(arguments[2]))
               ? EXIT_SUCCESS
               : EXIT_FAILURE;
  if (arguments.size() == 3 && arguments[0] == "--judge") {
    for (const Target& target : kTargets)
      if (arguments[1] == target.name)
        return passes(target, arguments[2]) ? EXIT_SUCCESS : EXIT_FAILURE;
  }
  bool all_pass = !arguments.empty();
  for (const std::string& folder : arguments)
    all_pass = judge_folder(folder) && all_pass;
  return all_pass ? EXIT_SUCCESS : EXIT_FAILURE;
}
