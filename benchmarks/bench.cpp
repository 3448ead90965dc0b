// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// bench: measures snug. README.md in this folder says what each table means.
///
///     c++ -std=c++17 -O2 -Iinclude -Ibenchmarks benchmarks/bench.cpp -pthread -o bench
///     ./bench tpu --dir=instances
#include "../examples/flags.hpp"
#include "bench_ablation.hpp"
#include "bench_constrained.hpp"
#include "bench_explain.hpp"
#include "bench_infeasible.hpp"
#include "bench_kernels.hpp"
#include "bench_large.hpp"
#include "bench_minimize.hpp"
#include "bench_penalties.hpp"
#include "bench_pools.hpp"
#include "bench_race.hpp"
#include "bench_robust.hpp"
#include "bench_scale.hpp"
#include "bench_tpu.hpp"
#include "cases.hpp"
#include "report.hpp"
#include "timing.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#ifndef SNUG_BENCHMARK_DIR
#define SNUG_BENCHMARK_DIR ""
#endif

namespace {

namespace bench = snug::benchmarks;

enum ExitStatus : int { kFine = 0, kFailed = 1, kBadUse = 2 };

void print_usage() {
  std::fputs(
      R"(Usage: bench [COMMAND] [flags]

  tpu          A to K at their capacity under default options
  robust       variants of A to K, and guillotine cuts, with a time limit
  constrained  A to K with constraints; buffers that come one by one
  kernels      memory pools of a compiler's kernels: kernels/manifest.csv
  hard         kinds that take a search long: hard/manifest.csv
  infeasible   proofs, against the baseline minimalloc
  explain      irreducible infeasible sets, and what to spill
  ablation     each rule switched off, and other strategies
  minimize     lowest heights and bounds of A to K and the large instances
  grids        the same of A to K with alignments
  jittered     the same of A to K with sizes that are a little less
  banks        the same of A to K with memory that reserved ranges cut
  lowest       the same of A to K with constraints
  large        the large instances with constraints
  penalties    least costs of pairs that share bytes: kernels/ of the folder,
               and A to K with pairs
  pools        what to leave out of a memory of half and three quarters of
               the load, or to put into the slowest of three
  race         lowest heights of the hard ones of A to K, alone and in races
  scale        time and memory for up to a million buffers
  all          every one of them in brief, but for kernels, hard, grids,
               jittered, banks, lowest and race (the default)

  --dir=DIR        folder with A.1048576.csv to K.1048576.csv, or with tpu/ that
                   holds them (default: $SNUG_BENCHMARK_DIR). Without it, what
                   needs them is left out
  --limit=SECONDS  a solve, wall clock (default: robust, constrained and
                   infeasible 1, explain and penalties 1 for all solves of a
                   case, pools 1, and ten times that for spills, ablation 0.5,
                   minimize 3, large 1, race and scale 10, kernels 1, hard 2; tpu: of
                   the baseline alone, 10)
  --repeats=N      rounds of tpu and infeasible (default 5)
  --seeds=N:M      of the generated instances of robust and constrained, both
                   included (default 0:3). Even: tuning half, odd: held-out half.
                   race: which races, each with seeds of its own
  --write=DIR      robust: write the instances there too, as
                   NAME.CAPACITY.csv
  --every=N        ablation: only each N-th instance (default 1)
  --largest=N      scale: leave out instances with more buffers than N
  --megabytes=N    scale: leave out instances expected to need more (default
                   2000)
  --baseline       tpu: run the baseline minimalloc as well
  --list           robust, infeasible, explain: a row for each instance
  --csv            comma-separated values instead of aligned columns
  --help

Exit status: 0 fine; 1 a placement was invalid, something feasible by
construction was called infeasible, or one of A to K was not solved; 2 wrong
flags, or a file that cannot be read or written.
)",
      stdout);
}

bool parse_seeds(std::string_view text, bench::Seeds& seeds) {
  const std::size_t colon = text.find(':');
  constexpr std::uint64_t kMost = 1000000000;
  return colon != std::string_view::npos &&
         flags::parse_integer(text.substr(0, colon), seeds.first) &&
         flags::parse_integer(text.substr(colon + 1), seeds.last) &&
         seeds.first <= seeds.last && seeds.last <= kMost;
}

flags::Parser make_parser(bench::Settings& settings, bool& help) {
  flags::Parser parser;
  parser.add_value("dir", "a folder", [&](const std::string& text) {
    settings.dir = text;
    return true;
  });
  parser.add_value("limit", "seconds, above 0 and up to 100000",
                   [&](const std::string& text) {
                     std::string_view rest = text;
                     return flags::take_decimal(rest, settings.limit) &&
                            rest.empty() && settings.limit > 0 &&
                            settings.limit <= 100000;
                   });
  parser.add_value("repeats", "an integer from 1 to 1000",
                   [&](const std::string& text) {
                     return flags::parse_integer(text, settings.repeats) &&
                            settings.repeats >= 1 && settings.repeats <= 1000;
                   });
  parser.add_value("seeds", "FIRST:LAST", [&](const std::string& text) {
    return parse_seeds(text, settings.seeds);
  });
  parser.add_text("write", "a folder", settings.write);
  parser.add_value("every", "an integer of at least 1",
                   [&](const std::string& text) {
                     return flags::parse_integer(text, settings.every) &&
                            settings.every >= 1;
                   });
  parser.add_value("largest", "a number of buffers",
                   [&](const std::string& text) {
                     return flags::parse_integer(text, settings.largest);
                   });
  parser.add_value("megabytes", "a number", [&](const std::string& text) {
    std::string_view rest = text;
    return flags::take_decimal(rest, settings.megabytes) && rest.empty();
  });
  parser.add_switch("baseline", settings.baseline);
  parser.add_switch("list", settings.list);
  parser.add_switch("csv", settings.csv);
  parser.add_switch("help", help);
  return parser;
}

int fail(const std::string& message) {
  std::fprintf(stderr, "bench: %s\n", message.c_str());
  return kBadUse;
}

/// Runs one command. Returns what went wrong with the files, or nothing.
std::string run(std::string_view command, const std::vector<bench::Case>& tpu,
                const bench::Settings& settings, const bench::Startup& startup,
                bench::Report& report) {
  if (command == "tpu") {
    if (tpu.empty()) return "tpu: no instances (see --dir)";
    bench_tpu(tpu, settings, startup, report);
  } else if (command == "robust") {
    const std::vector<bench::Case> cases =
        bench::robust_cases(tpu, settings.seeds);
    if (!settings.write.empty()) {
      const std::string error = bench::write_cases(cases, settings.write);
      if (!error.empty()) return error;
    }
    bench_robust(cases, settings, report);
  } else if (command == "constrained") {
    bench_constrained(tpu, settings, report);
  } else if (command == "kernels") {
    return bench::bench_kernels(settings, report);
  } else if (command == "hard") {
    return bench::bench_hard(settings, report);
  } else if (command == "infeasible") {
    bench_infeasible(settings, report);
  } else if (command == "explain") {
    bench_explain(tpu, settings, report);
  } else if (command == "ablation") {
    bench_ablation(tpu, settings, report);
  } else if (command == "minimize") {
    bench_minimize(tpu, settings, report);
  } else if (command == "grids") {
    bench_grids(tpu, settings, report);
  } else if (command == "jittered") {
    bench_jittered(tpu, settings, report);
  } else if (command == "banks") {
    bench_banks(tpu, settings, report);
  } else if (command == "lowest") {
    bench_lowest(tpu, settings, report);
  } else if (command == "large") {
    bench_large(settings, report);
  } else if (command == "penalties") {
    bench_penalties(tpu, settings, report);
  } else if (command == "pools") {
    bench_pools(tpu, settings, report);
  } else if (command == "race") {
    bench_race(tpu, settings, report);
  } else if (command == "scale") {
    bench_scale(settings, report);
  } else {
    return "unknown command '" + std::string(command) + "' (see --help)";
  }
  return {};
}

/// Most commands, each within its share of two minutes on a slow machine.
std::string run_all(const std::vector<bench::Case>& tpu,
                    const bench::Settings& settings,
                    const bench::Startup& startup, bench::Report& report) {
  struct Share {
    const char* command;
    double limit;
    int repeats;
  };
  std::string error;
  for (const Share& share :
       {Share{"tpu", 1, 5}, Share{"robust", 1, 1}, Share{"infeasible", 0.1, 1},
        Share{"explain", 0.1, 1}, Share{"constrained", 0.05, 1},
        Share{"ablation", 0.1, 1}, Share{"minimize", 0.3, 1},
        Share{"large", 0.05, 1}, Share{"penalties", 0.5, 1},
        Share{"pools", 0.03, 1}, Share{"scale", 5, 1}}) {
    if (tpu.empty() && std::string_view(share.command) == "tpu") continue;
    bench::Settings brief = settings;
    brief.baseline = true;
    brief.repeats = share.repeats;
    brief.largest = (std::min)(settings.largest, std::size_t{5000});
    brief.every = (std::max)(settings.every, std::size_t{4});
    if (settings.limit <= 0) brief.limit = share.limit;
    if (error.empty()) error = run(share.command, tpu, brief, startup, report);
  }
  return error;
}

}  // namespace

int main(int argc, char** argv) {
  bench::Startup startup;
  startup.process = bench::cpu_seconds();
  const bool named = argc > 1 && argv[1][0] != '-';
  const std::string_view command = named ? argv[1] : "all";
  bench::Settings settings;
  settings.dir = SNUG_BENCHMARK_DIR;
  if (const char* const dir = std::getenv("SNUG_BENCHMARK_DIR"))
    settings.dir = dir;
  bool help = false;
  const int skipped = named ? 1 : 0;
  std::string error =
      make_parser(settings, help).parse(argc - skipped, argv + skipped);
  if (!error.empty()) return fail(error + " (see --help)");
  if (help) {
    print_usage();
    return kFine;
  }
  std::vector<bench::Case> tpu;
  if (!settings.dir.empty()) {
    startup.reading =
        bench::time_of([&] { error = bench::read_tpu(settings.dir, tpu); });
    if (!error.empty()) return fail(error);
  } else if (command != "infeasible" && command != "scale") {
    std::fputs("bench: no --dir: A to K and their variants are left out\n",
               stderr);
  }
  bench::Report report;
  error = command == "all" ? run_all(tpu, settings, startup, report)
                           : run(command, tpu, settings, startup, report);
  if (!error.empty()) return fail(error);
  return report.failures() > 0 ? kFailed : kFine;
}
