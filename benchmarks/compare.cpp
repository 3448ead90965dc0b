// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// compare: every allocator of baselines/field.hpp on the same instances, each
/// placement validated. COMPARISON.md has what it found.
///
///     c++ -std=c++17 -O2 -Iinclude -Ibenchmarks benchmarks/compare.cpp -o compare
///     ./compare --dir=instances --out=results.csv
///
/// A search runs once for each limit, unless a shorter one was enough for it. A
/// pass that makes one placement runs once, with a limit of its own.
#include "../examples/files.hpp"
#include "../examples/flags.hpp"
#include "baselines/allocator.hpp"
#include "baselines/field.hpp"
#include "baselines/overlaps.hpp"
#include "compare_cases.hpp"
#include "compare_results.hpp"
#include "counting_new.hpp"
#include "snug/model/problem.hpp"
#include "snug/validate.hpp"
#include "timing.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#ifndef SNUG_BENCHMARK_DIR
#define SNUG_BENCHMARK_DIR ""
#endif

namespace {

namespace bench = snug::benchmarks;
namespace baselines = snug::baselines;

enum ExitStatus : int { kFine = 0, kFailed = 1, kBadUse = 2 };

struct Settings {
  bench::CompareChoice choice{};
  std::vector<std::string> families{};
  std::vector<std::string> allocators{};
  std::vector<std::string> inputs{};
  std::vector<double> limits = {0.01, 0.1, 0.5};
  double patience = 10;
  std::string out = "-";
  bool list = false;
  bool help = false;
};

void print_usage() {
  std::fputs(
      R"(Usage: compare [flags]

  --dir=DIR           folder that holds tpu/, large/ and kernels/ (default:
                      $SNUG_BENCHMARK_DIR); without it, what needs them is left
                      out
  --families=A,B      some of: tpu large variants kernels kernels_plain networks
                      random (default: all; none with --input)
  --input=FILE.csv    a file to be placed; may be repeated
  --allocators=A,B    some of those that --list prints (default: all)
  --limits=S,S        wall-clock seconds of each run of a search (default
                      0.01,0.1,0.5)
  --patience=S        those of a single pass (default 10)
  --largest=N         random: leave out more buffers than N (default 1000000)
  --every_variant=N   take each N-th of the variants (default 6)
  --every_kernel=N    take each N-th of the kernels' pools (default 16)
  --out=FILE          the results as CSV (default: standard output)
  --list              print the allocators and what they honour
  --help

Exit status: 0 fine; 1 a placement was invalid, or a proof contradicts one; 2
wrong flags, or a file that cannot be read or written.
)",
      stdout);
}

flags::Parser make_parser(Settings& settings) {
  flags::Parser parser;
  const auto add_words = [&](const char* name, const char* kind,
                             std::vector<std::string>& words) {
    parser.add_value(name, kind, [&words](const std::string& text) {
      words = bench::split_at(text, ',');
      return !text.empty();
    });
  };
  const auto add_count = [&](const char* name, std::size_t& value) {
    parser.add_value(name, "an integer of at least 1",
                     [&value](const std::string& text) {
                       return flags::parse_integer(text, value) && value >= 1;
                     });
  };
  parser.add_text("dir", "a folder", settings.choice.dir);
  add_words("families", "families", settings.families);
  add_words("allocators", "allocators", settings.allocators);
  parser.add_value("input", "a file", [&](const std::string& text) {
    settings.inputs.push_back(text);
    return !text.empty();
  });
  const auto is_time = [](std::string_view text, double& seconds) {
    return flags::take_decimal(text, seconds) && text.empty() && seconds > 0 &&
           seconds <= 100000;
  };
  parser.add_value(
      "limits", "seconds, increasing, above 0 and up to 100000",
      [&settings, is_time](const std::string& text) {
        settings.limits.clear();
        for (const std::string& word : bench::split_at(text, ',')) {
          settings.limits.push_back(0);
          if (!is_time(word, settings.limits.back())) return false;
        }
        return std::is_sorted(settings.limits.begin(), settings.limits.end());
      });
  parser.add_value("patience", "seconds, above 0 and up to 100000",
                   [&settings, is_time](const std::string& text) {
                     return is_time(text, settings.patience);
                   });
  add_count("largest", settings.choice.largest);
  add_count("every_variant", settings.choice.every_variant);
  add_count("every_kernel", settings.choice.every_kernel);
  parser.add_text("out", "a file", settings.out);
  parser.add_switch("list", settings.list);
  parser.add_switch("help", settings.help);
  return parser;
}

int fail(const std::string& message) {
  std::fprintf(stderr, "compare: %s\n", message.c_str());
  return kBadUse;
}

void print_list() {
  for (const baselines::Allocator& allocator : baselines::field()) {
    const bool each = (allocator.honours & baselines::kEachAlignment) != 0;
    const bool one = (allocator.honours & baselines::kOneAlignment) != 0;
    const bool apart = (allocator.honours & baselines::kApart) != 0;
    std::printf(
        "%-20s %-32s %-8s %s%s%s\n", allocator.name, allocator.source,
        allocator.searches ? "search" : "pass",
        each  ? "alignments"
        : one ? "one alignment"
              : "no alignment",
        apart ? ", kept apart" : "",
        allocator.most_buffers < 1000000
            ? (", up to " + std::to_string(allocator.most_buffers) + " buffers")
                  .c_str()
            : "");
  }
}

/// The allocators that were asked for. Returns what went wrong, or nothing.
std::string choose(const std::vector<std::string>& names,
                   std::vector<baselines::Allocator>& chosen) {
  if (names.empty()) chosen = baselines::field();
  for (const std::string& name : names) {
    const auto found = std::find_if(
        baselines::field().begin(), baselines::field().end(),
        [&](const baselines::Allocator& a) { return a.name == name; });
    if (found == baselines::field().end())
      return "no allocator '" + name + "' (see --list)";
    chosen.push_back(*found);
  }
  return {};
}

std::string collect(const Settings& settings,
                    std::vector<bench::CompareCase>& cases) {
  std::vector<std::string> families = settings.families;
  if (families.empty() && settings.inputs.empty())
    families.assign(bench::kFamilies.begin(), bench::kFamilies.end());
  for (const std::string& family : families) {
    if (std::find(bench::kFamilies.begin(), bench::kFamilies.end(), family) ==
        bench::kFamilies.end())
      return "no family '" + family + "' (see --help)";
    const std::size_t before = cases.size();
    const std::string error =
        bench::append_family(family, settings.choice, cases);
    if (!error.empty()) return error;
    if (cases.size() == before)
      std::fprintf(stderr, "compare: no instances of %s (see --dir)\n",
                   family.c_str());
  }
  for (const std::string& path : settings.inputs) {
    bench::CompareCase one;
    one.family = "files";
    const std::string error = bench::read_case(path, one);
    if (!error.empty()) return error;
    cases.push_back(std::move(one));
  }
  return {};
}

/// Runs allocators, judges what they return, and prints the rows.
class Comparison {
 public:
  Comparison(const Settings& settings, std::FILE* out)
      : settings_(settings), out_(out) {
    std::fprintf(out_, "%s\n", bench::kResultHeader);
  }

  void run(const bench::CompareCase& one,
           const std::vector<baselines::Allocator>& allocators) {
    const baselines::Bytes load = baselines::load_of(one.problem);
    highest_bound_ = load;
    lowest_height_ = -1;
    for (const baselines::Allocator& allocator : allocators) {
      bench::ResultRow row;
      row.family = one.family;
      row.instance = one.name;
      row.buffers = static_cast<std::int64_t>(one.problem.buffers.size());
      row.load = row.bound = load;
      row.allocator = allocator.name;
      const std::string why_not = left_out(allocator, one);
      bool is_enough = false;
      for (const double limit :
           allocator.searches ? settings_.limits : std::vector<double>{0}) {
        row.limit = limit;
        if (!why_not.empty())
          row.outcome = why_not;
        else if (!is_enough)
          is_enough = measure(allocator, one, row);
        std::fprintf(out_, "%s\n", bench::to_line(row).c_str());
      }
      if (one.series.empty()) continue;
      Growth& growth = growths_[std::string(allocator.name) + ' ' + one.series];
      growth.before = growth.last;
      growth.last = row.placed() ? row.seconds : kHopeless;
    }
    std::fflush(out_);
    if (lowest_height_ >= 0 && lowest_height_ < highest_bound_)
      blame(one.name + ": a placement is lower than a proved bound");
  }

  [[nodiscard]] int failures() const { return failures_; }

 private:
  /// Seconds that an allocator took for the last two sizes of a series.
  struct Growth {
    double before = 0;
    double last = 0;
  };

  std::string left_out(const baselines::Allocator& allocator,
                       const bench::CompareCase& one) const {
    const char* const why = baselines::refusal(allocator, one.problem);
    if (why != nullptr) return std::string("cannot do ") + why;
    const auto growth =
        growths_.find(std::string(allocator.name) + ' ' + one.series);
    if (growth == growths_.end()) return "";
    const double last = growth->second.last;
    if (last >= kHopeless) return "did not finish a smaller one";
    const double before = growth->second.before;
    const bool is_too_long =
        !allocator.searches && before > 0 && last * last / before > kLongest;
    return is_too_long ? "would take too long" : "";
  }

  /// One run. Whether a longer one would be no other.
  bool measure(const baselines::Allocator& allocator,
               const bench::CompareCase& one, bench::ResultRow& row) {
    const double limit = row.limit > 0 ? row.limit : settings_.patience;
    const std::chrono::nanoseconds allowed(std::llround(limit * 1e9));
    baselines::Placement found;
    std::chrono::steady_clock::duration taken{};
    std::size_t peak = 0;
    // Short ones are repeated, because the clock is too coarse for them.
    row.seconds = bench::time_of(
        [&] {
          bench::memory().restart();
          found = {};
          const std::size_t before = bench::memory().live;
          const auto start = std::chrono::steady_clock::now();
          baselines::Budget budget;
          budget.deadline = start + allowed;
          found = baselines::allocate(allocator, one.problem, budget);
          taken = std::chrono::steady_clock::now() - start;
          peak = bench::memory().peak - before;
        },
        0.0005);
    row.bytes = static_cast<std::int64_t>(peak);
    row.steps = found.steps;
    row.height = baselines::height_of(one.problem, found.offsets);
    row.bound = (std::max)(row.load, found.lower_bound);
    const bool none = found.offsets.empty() && !one.problem.buffers.empty();
    row.outcome = none ? "none" : "placed";
    highest_bound_ = (std::max)(highest_bound_, row.bound);
    if (!none) {
      const snug::Validation verdict =
          snug::validate(one.problem, row.height, found.offsets);
      if (!verdict.ok()) {
        row.outcome = "invalid";
        blame(row.instance + ", " + row.allocator + ": " +
              snug::to_string(verdict.fault));
      } else if (lowest_height_ < 0 || row.height < lowest_height_) {
        lowest_height_ = row.height;
      }
    }
    return !none && (row.height == row.bound || taken < allowed * 9 / 10);
  }

  void blame(const std::string& what) {
    std::fprintf(stderr, "compare: FAILED: %s\n", what.c_str());
    ++failures_;
  }

  static constexpr double kHopeless = 1e9;
  /// Seconds of a pass in a series; longer ones, as its growth has it, are left
  /// out.
  static constexpr double kLongest = 3;

  const Settings& settings_;
  std::FILE* out_;
  std::map<std::string, Growth> growths_{};  ///< by allocator and series
  baselines::Bytes highest_bound_ = 0;
  baselines::Bytes lowest_height_ = -1;
  int failures_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  settings.choice.dir = SNUG_BENCHMARK_DIR;
  if (const char* const dir = std::getenv("SNUG_BENCHMARK_DIR"))
    settings.choice.dir = dir;
  std::string error = make_parser(settings).parse(argc, argv);
  if (!error.empty()) return fail(error + " (see --help)");
  if (settings.help) {
    print_usage();
    return kFine;
  }
  if (settings.list) {
    print_list();
    return kFine;
  }
  std::vector<baselines::Allocator> allocators;
  error = choose(settings.allocators, allocators);
  if (!error.empty()) return fail(error);
  std::vector<bench::CompareCase> cases;
  error = collect(settings, cases);
  if (!error.empty()) return fail(error);

  const bool to_file = settings.out != "-";
  std::FILE* const out =
      to_file ? std::fopen(settings.out.c_str(), "wb") : stdout;
  if (out == nullptr) return fail(settings.out + ": cannot be written");
  Comparison comparison(settings, out);
  for (std::size_t k = 0; k < cases.size(); ++k) {
    if (to_file)
      std::fprintf(stderr, "\r%zu of %zu: %s, %s\x1b[K", k + 1, cases.size(),
                   cases[k].family.c_str(), cases[k].name.c_str());
    comparison.run(cases[k], allocators);
  }
  if (to_file) std::fputc('\n', stderr);
  const bool written = std::ferror(out) == 0;
  if (to_file && std::fclose(out) != 0) return fail("cannot be written");
  if (!written) return fail("cannot be written");
  return comparison.failures() > 0 ? kFailed : kFine;
}
