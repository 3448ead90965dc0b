// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// generate: writes a random instance, or a variant of one, as CSV.
///
///     c++ -std=c++17 -O2 -Iinclude benchmarks/generate.cpp -o generate
///     ./generate --guillotine=200 --delete=4 --seed=7 --output=cut.csv
///     ./generate --input=A.csv --clip=25%:75% --reverse --shuffle
///
/// The same flags give the same file everywhere.
#include "generate.hpp"

#include "../examples/files.hpp"
#include "../examples/flags.hpp"
#include "instances.hpp"
#include "snug/io/csv.hpp"
#include "variants.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <optional>
#include <string>
#include <utility>

namespace {

using snug::Interval;
using snug::Problem;

enum ExitStatus : int { kWritten = 0, kBadUse = 2 };

void print_usage() {
  std::fputs(
      R"(Usage: generate SOURCE [variants] [--seed=N] [--output=FILE]

Source, one of:
  --input=FILE       CSV as for solve_csv; - is standard input
  --guillotine=N     a rectangle of --length steps by --capacity bytes, cut from
                     side to side into N buffers; fits the capacity
  --tight_walk=N     N time steps; at each, up to --changed buffers end and up
                     to as many of the same total size begin; load = capacity
  --exponential=N    N buffers with lifespans of half-life --half_life
  --nested=N         N buffers, each live within the lifespan of the one before
  --mixed=N          N buffers, one in ten long-lived

  --length=N         time steps (default 1000)
  --capacity=N       bytes (default 1048576)
  --unit=N           sizes of a tight walk are multiples of it (default 1024)
  --live=N           buffers in the first stack of a tight walk (default 16)
  --changed=N        default 3
  --half_life=N      time steps (default 50)
  --largest=N        largest size of the last three sources (default 65536)

Variants, applied in this order:
  --clip=FROM:TO     only what is live in [FROM, TO), cut to it; times, or parts
                     of the whole such as 25%:75%
  --delete=PERCENT   leave out each buffer with this chance
  --scale=PERCENT    every size times its own factor in 1 -+ PERCENT/100
  --reverse          time runs backwards
  --shuffle          rows in random order

  --seed=N           of everything random (default 1)
  --output=FILE      default -, standard output

Exit status: 0 written; 2 wrong flags or input, or a file that cannot be read
or written.
)",
      stdout);
}

struct Arguments {
  std::string input{};
  std::int64_t guillotine = 0, tight_walk = 0, exponential = 0;
  std::int64_t nested = 0, mixed = 0;
  std::int64_t length = 1000, capacity = 1048576, unit = 1024;
  std::int64_t live = 16, changed = 3, half_life = 50, largest = 65536;
  std::string clip{};
  std::int64_t remove = 0, scale = 0;
  bool reverse = false, shuffle = false, help = false;
  std::int64_t seed = 1;
  std::string output = "-";
};

/// Counts, times and sizes up to here keep every sum within 64 bits.
constexpr std::int64_t kMost = std::int64_t{1} << 40;

void add_number(flags::Parser& parser, const char* name, std::int64_t lowest,
                std::int64_t highest, std::int64_t& value) {
  parser.add_value(name,
                   "an integer from " + std::to_string(lowest) + " to " +
                       std::to_string(highest),
                   [lowest, highest, &value](const std::string& text) {
                     return flags::parse_integer(text, value) &&
                            value >= lowest && value <= highest;
                   });
}

flags::Parser make_parser(Arguments& a) {
  flags::Parser parser;
  parser.add_text("input", "the name of a file", a.input);
  constexpr std::int64_t kMostBuffers = 10000000;
  add_number(parser, "guillotine", 1, kMostBuffers, a.guillotine);
  add_number(parser, "tight_walk", 1, kMostBuffers, a.tight_walk);
  add_number(parser, "exponential", 1, kMostBuffers, a.exponential);
  add_number(parser, "nested", 1, kMostBuffers, a.nested);
  add_number(parser, "mixed", 1, kMostBuffers, a.mixed);
  add_number(parser, "length", 1, kMost, a.length);
  add_number(parser, "capacity", 1, kMost, a.capacity);
  add_number(parser, "unit", 1, kMost, a.unit);
  add_number(parser, "live", 1, 10000, a.live);
  add_number(parser, "changed", 1, kMostBuffers, a.changed);
  add_number(parser, "half_life", 1, kMost, a.half_life);
  add_number(parser, "largest", 1, kMost, a.largest);
  parser.add_text("clip", "FROM:TO", a.clip);
  add_number(parser, "delete", 0, 100, a.remove);
  add_number(parser, "scale", 0, 100, a.scale);
  parser.add_switch("reverse", a.reverse);
  parser.add_switch("shuffle", a.shuffle);
  add_number(parser, "seed", 0, (std::numeric_limits<std::int64_t>::max)(),
             a.seed);
  parser.add_text("output", "the name of a file", a.output);
  parser.add_switch("help", a.help);
  return parser;
}

int fail(const std::string& message) {
  std::fprintf(stderr, "generate: %s\n", message.c_str());
  return kBadUse;
}

/// Makes or reads the source. Returns what went wrong, or nothing.
std::string make_source(const Arguments& a, std::uint64_t seed,
                        Problem<>& problem) {
  namespace make = snug::benchmarks;
  const int sources = (a.input.empty() ? 0 : 1) + (a.guillotine > 0 ? 1 : 0) +
                      (a.tight_walk > 0 ? 1 : 0) + (a.exponential > 0 ? 1 : 0) +
                      (a.nested > 0 ? 1 : 0) + (a.mixed > 0 ? 1 : 0);
  if (sources != 1) return "give one source (see --help)";
  const auto count = [](std::int64_t n) { return static_cast<std::size_t>(n); };
  if (!a.input.empty()) return make::read_problem(a.input, problem);
  if (a.guillotine > 0) {
    if (a.guillotine / a.length > a.capacity ||
        (a.guillotine / a.length == a.capacity && a.guillotine % a.length > 0))
      return "--guillotine: more buffers than the rectangle has cells";
    problem =
        make::guillotine<>(a.length, a.capacity, count(a.guillotine), seed)
            .problem;
  } else if (a.tight_walk > 0) {
    if (a.capacity % a.unit != 0) return "--capacity: not a multiple of --unit";
    if (a.live > a.capacity / a.unit)
      return "--live: more buffers than the capacity has units";
    problem = make::tight_walk<>({a.capacity / a.unit, a.unit, count(a.live),
                                  a.tight_walk, count(a.changed)},
                                 seed);
  } else if (a.exponential > 0) {
    problem = make::exponential<>(count(a.exponential), a.length, a.half_life,
                                  a.largest, seed);
  } else if (a.nested > 0) {
    problem = make::nested<>(count(a.nested), a.largest, seed);
  } else {
    problem = make::mixed<>(count(a.mixed), a.length, a.largest, seed);
  }
  return {};
}

/// Reads one end of a clip: a time, or a percentage of the time there is.
bool parse_time(std::string text, Interval<std::int64_t> all,
                std::int64_t& time) {
  const bool is_part = !text.empty() && text.back() == '%';
  if (is_part) text.pop_back();
  if (!flags::parse_integer(text, time)) return false;
  if (!is_part) return true;
  if (time < 0 || time > 100) return false;
  const std::int64_t span = all.upper - all.lower;
  time = all.lower + span / 100 * time + span % 100 * time / 100;
  return true;
}

bool parse_clip(const std::string& text, Interval<std::int64_t> all,
                Interval<std::int64_t>& window) {
  const std::size_t colon = text.find(':');
  return colon != std::string::npos &&
         parse_time(text.substr(0, colon), all, window.lower) &&
         parse_time(text.substr(colon + 1), all, window.upper) &&
         !window.empty();
}

/// Applies the variants. Returns what went wrong, or nothing.
std::string vary(const Arguments& a, std::uint64_t seed, Problem<>& problem) {
  namespace make = snug::benchmarks;
  const Interval<std::int64_t> all = make::duration(problem);
  if (all.lower < -kMost || all.upper > kMost)
    return "the times are too large: at most 2^40 either way";
  if (!a.clip.empty()) {
    Interval<std::int64_t> window;
    if (!parse_clip(a.clip, all, window))
      return "--clip: expected FROM:TO, not '" + a.clip + "'";
    problem = make::clipped(problem, window);
  }
  if (a.remove > 0)
    problem = make::without(problem, static_cast<int>(a.remove), seed);
  if (a.scale > 0) {
    for (const snug::Buffer<>& buffer : problem.buffers)
      if (buffer.size > kMost) return "--scale: a size is larger than 2^40";
    problem =
        make::rescaled(std::move(problem), static_cast<int>(a.scale), seed);
  }
  if (a.reverse) problem = make::reversed(std::move(problem));
  if (a.shuffle) problem = make::shuffled(std::move(problem), seed);
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  std::string error = make_parser(arguments).parse(argc, argv);
  if (!error.empty()) return fail(error + " (see --help)");
  if (arguments.help) {
    print_usage();
    return kWritten;
  }
  const auto seed = static_cast<std::uint64_t>(arguments.seed);
  Problem<> problem;
  error = make_source(arguments, seed, problem);
  if (error.empty()) error = vary(arguments, seed, problem);
  if (!error.empty()) return fail(error);
  error = files::write(arguments.output, snug::write_csv(problem));
  if (!error.empty()) return fail(arguments.output + ": " + error);
  return kWritten;
}
