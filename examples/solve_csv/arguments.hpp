// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The arguments of the program: what they may be, and how they are read.
#ifndef SNUG_EXAMPLES_SOLVE_CSV_ARGUMENTS_HPP
#define SNUG_EXAMPLES_SOLVE_CSV_ARGUMENTS_HPP

#include "../files.hpp"
#include "../flags.hpp"
#include "snug/io/colours.hpp"
#include "snug/io/strategies.hpp"
#include "snug/model/interval.hpp"
#include "snug/model/options.hpp"
#include "snug/model/pool.hpp"
#include "snug/model/problem.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

struct Arguments {
  std::optional<std::int64_t> capacity{};
  std::string input{};
  std::string output{};
  std::string svg{};
  std::string html{};
  std::string certificate{};
  std::string colour = "auto";
  snug::ColourBy colour_by = snug::ColourBy::kAuto;
  bool draw = false;
  bool compare = false;
  bool explain = false;
  bool spill = false;
  bool validate = false;
  bool minimize = false;
  bool minimize_penalty = false;
  bool quiet = false;
  bool help = false;
  bool version = false;
  bool minimalloc = false;  ///< called by that name
  bool demo = false;        ///< called without arguments
  std::size_t racers = 1;   ///< searches at once
  std::int64_t base = 0;
  std::int64_t alignment = 1;
  std::vector<snug::Reserved<>> reserved{};
  std::vector<snug::Pool<>> pools{};
  std::vector<std::string> pool_names{};  ///< all different
  snug::Tuning tuning{};
  snug::Options options{};
  std::vector<std::string> ignored{};
  std::size_t flagfiles = 0;  ///< being read, each named in the one before it

  /// Whether standard output is a file that nothing else may be a part of.
  [[nodiscard]] bool fills_stdout() const {
    return output == "-" || svg == "-" || html == "-" || certificate == "-";
  }
  /// Of pictures: the name of the file without its folder.
  [[nodiscard]] std::string title() const {
    return input == "-" ? "" : input.substr(input.find_last_of("/\\") + 1);
  }
  /// Whether something else takes the place of the offsets on standard output.
  [[nodiscard]] bool shows_other() const {
    return draw || (fills_stdout() && output != "-");
  }
};

/// Takes what comes before the first `end` off a text, and that with it; all of it
/// where there is none.
inline std::string_view take_up_to(char end, std::string_view& text) {
  const std::string_view taken = text.substr(0, text.find(end));
  text.remove_prefix((std::min)(taken.size() + 1, text.size()));
  return taken;
}

/// Puts `rule` before each preorder of `list` and reads the strategies that
/// these are; false if one is not a strategy. An empty list is no strategy.
inline bool parse_strategies(std::string_view list, std::string_view rule,
                             std::vector<snug::Strategy>& strategies) {
  std::string text;
  while (!list.empty()) {
    const std::string_view item = take_up_to(',', list);
    if (!item.empty()) text.append(rule).append(item).append(",");
  }
  strategies.clear();
  return snug::read_strategies(text, strategies).empty();
}

/// Reads `LO-HI` or `LO-HI@T0-T1`.
inline bool parse_reserved(std::string_view text, snug::Reserved<>& reserved) {
  const std::size_t at = text.find('@');
  const std::string_view bytes = text.substr(0, at);
  const std::size_t dash = bytes.find('-', 1);
  if (dash == std::string_view::npos ||
      !flags::parse_bytes(bytes.substr(0, dash), reserved.bytes.lower) ||
      !flags::parse_bytes(bytes.substr(dash + 1), reserved.bytes.upper) ||
      reserved.bytes.lower >= reserved.bytes.upper)
    return false;
  if (at == std::string_view::npos) return true;
  snug::Interval<std::int64_t>& time = reserved.lifespan.emplace();
  return flags::parse_range(text.substr(at + 1), time.lower, time.upper);
}

/// Reads `NAME:CAPACITY` or `NAME:CAPACITY:COST_PER_BYTE`; false also if there
/// is a pool of that name.
inline bool parse_pool(std::string_view text, Arguments& arguments) {
  const std::string name(take_up_to(':', text));
  const std::string_view capacity = text.substr(0, text.find(':'));
  text.remove_prefix(capacity.size());
  snug::Pool<> pool;
  if (capacity == "unlimited")
    pool.capacity = (std::numeric_limits<std::int64_t>::max)();
  else if (!flags::parse_bytes(capacity, pool.capacity))
    return false;
  if (!text.empty() &&
      (!flags::parse_integer(text.substr(1), pool.cost_per_byte) ||
       pool.cost_per_byte < 0))
    return false;
  const std::vector<std::string>& names = arguments.pool_names;
  if (name.empty() ||
      std::find(names.begin(), names.end(), name) != names.end())
    return false;
  arguments.pool_names.push_back(name);
  arguments.pools.push_back(std::move(pool));
  return true;
}

/// The files that are to be written, each with its flag; empty if not asked for.
inline std::array<std::pair<const char*, std::string>, 4> outputs_of(
    const Arguments& arguments) {
  return {{{"--output", arguments.output},
           {"--html", arguments.html},
           {"--svg", arguments.svg},
           {"--certificate", arguments.certificate}}};
}

/// Two flags that name one file, of which the last one written would be left.
inline std::string find_same_output(const Arguments& arguments) {
  const auto outputs = outputs_of(arguments);
  for (std::size_t b = 0; b < outputs.size(); ++b)
    for (std::size_t a = 0; a < b; ++a)
      if (!outputs[a].second.empty() && !outputs[b].second.empty() &&
          files::are_same(outputs[a].second, outputs[b].second))
        return std::string(outputs[b].first) + ": the same file as " +
               outputs[a].first;
  return {};
}

/// What is wrong with the flags taken together; empty if nothing is.
inline std::string find_conflict(const Arguments& arguments) {
  const std::string same = find_same_output(arguments);
  if (!same.empty()) return same;
  if (arguments.draw && arguments.fills_stdout())
    return "--draw: not together with a file on standard output";
  using Given = std::pair<bool, const char*>;
  const auto find = [](const char* flag, std::initializer_list<Given> others) {
    for (const auto& [given, other] : others)
      if (given) return std::string(flag) + ": not together with " + other;
    return std::string();
  };
  if (!arguments.pools.empty())
    return find("--pool", {{arguments.capacity.has_value(), "--capacity"},
                           {arguments.minimize, "--minimize_capacity"},
                           {arguments.minimize_penalty, "--minimize_penalty"},
                           {arguments.racers > 1, "--racers"},
                           {arguments.explain, "--explain"},
                           {arguments.spill, "--spill"},
                           {!arguments.certificate.empty(), "--certificate"},
                           {arguments.draw, "--draw"},
                           {arguments.compare, "--compare"}});
  // The published program has a capacity in any case.
  if (!arguments.capacity && !arguments.minimalloc) {
    if (arguments.explain) return "--explain: --capacity is missing";
    if (arguments.spill) return "--spill: --capacity is missing";
  }
  if (!arguments.minimize_penalty) return {};
  if (!arguments.capacity) return "--minimize_penalty: --capacity is missing";
  return find("--minimize_penalty",
              {{arguments.minimize, "--minimize_capacity"},
               {arguments.racers > 1, "--racers"},
               {!arguments.certificate.empty(), "--certificate"},
               {arguments.compare, "--compare"}});
}

/// The flags that describe what no column can.
inline void add_memory_flags(flags::Parser& parser, Arguments& arguments) {
  parser.add_capacity(arguments.capacity);
  parser.add_value("base", flags::kBytes, [&](const std::string& text) {
    return flags::parse_bytes(text, arguments.base);
  });
  parser.add_value("alignment",
                   "an integer from 1 to 2^63 - 1, or an amount in K, M, G, T "
                   "or P (KiB to PiB, powers of 1024) such as 1K",
                   [&](const std::string& text) {
                     return flags::parse_bytes(text, arguments.alignment) &&
                            arguments.alignment >= 1;
                   });
  parser.add_value(
      "pool",
      "NAME:CAPACITY or NAME:CAPACITY:COST_PER_BYTE, an amount or "
      "unlimited and an integer >= 0, each name once",
      [&](const std::string& text) { return parse_pool(text, arguments); });
  parser.add_value("reserve",
                   "LO-HI or LO-HI@T0-T1 with 0 <= LO < HI and T0 < T1",
                   [&](const std::string& text) {
                     snug::Reserved<> reserved;
                     if (!parse_reserved(text, reserved)) return false;
                     arguments.reserved.push_back(reserved);
                     return true;
                   });
}

/// Limits, strategies and rules.
inline void add_search_flags(flags::Parser& parser, Arguments& arguments) {
  snug::Options& options = arguments.options;
  parser.add_timeout(options.time_limit);
  parser.add_value("nodes", "an integer >= 0",
                   [&options](const std::string& text) {
                     return flags::parse_integer(text, options.node_limit) &&
                            options.node_limit >= 0;
                   });
  parser.add_value(
      "memory", flags::kBytes, [&options](const std::string& text) {
        std::int64_t bytes = 0;
        if (!flags::parse_bytes(text, bytes)) return false;
        constexpr auto kMost =
            std::uint64_t{(std::numeric_limits<std::size_t>::max)()};
        options.memory_limit = static_cast<std::size_t>(
            (std::min)(static_cast<std::uint64_t>(bytes), kMost));
        return true;
      });
  parser.add_value("racers", "an integer from 1 to 1024",
                   [&](const std::string& text) {
                     return flags::parse_integer(text, arguments.racers) &&
                            arguments.racers >= 1 && arguments.racers <= 1024;
                   });
  parser.add_value("seed", "an integer from 0 to 2^64 - 1",
                   [&options](const std::string& text) {
                     return flags::parse_integer(text, options.seed);
                   });
  parser.add_value("strategies", "rules and preorders such as sTCA,sWAT",
                   [&](const std::string& text) {
                     return parse_strategies(text, "",
                                             arguments.tuning.strategies);
                   });
  parser.add_value("preordering_heuristics", "preorders such as WAT,TAW,TWA",
                   [&](const std::string& text) {
                     return parse_strategies(text, "s",
                                             arguments.tuning.strategies);
                   });
  snug::Rules& rules = arguments.tuning.rules;
  for (const snug::RuleName& one : snug::kRuleNames)
    parser.add_switch(one.name, rules.*one.rule);
  parser.add_switch("hatless_pruning", rules.no_hurt_placement);
  parser.add_switch("check_dominance", rules.abandoned_slot);
  parser.add_switch("dynamic_decomposition", rules.decomposition);
  for (const char* name :
       {"canonical_only", "dynamic_ordering", "unallocated_floor",
        "static_preordering", "monotonic_floor", "print_solution"})
    parser.add_switch(name, [&arguments, name](bool) {
      arguments.ignored.emplace_back(name);
    });
}

/// Where pictures go, and how they look.
inline void add_picture_flags(flags::Parser& parser, Arguments& arguments) {
  parser.add_text("svg", "the name of a file", arguments.svg);
  parser.add_text("html", "the name of a file", arguments.html);
  parser.add_switch("draw", arguments.draw);
  parser.add_switch("compare", arguments.compare);
  for (const char* name : {"colour", "color"})
    parser.add_value(
        name, "auto, always or never", [&](const std::string& text) {
          arguments.colour = text;
          return text == "auto" || text == "always" || text == "never";
        });
  for (const char* name : {"colour_by", "color_by"})
    parser.add_value(
        name, "size, kind or family", [&](const std::string& text) {
          if (text == "size") arguments.colour_by = snug::ColourBy::kSize;
          if (text == "kind") arguments.colour_by = snug::ColourBy::kKind;
          if (text == "family") arguments.colour_by = snug::ColourBy::kFamily;
          return text == "size" || text == "kind" || text == "family";
        });
}

/// Reads the flags on the lines of `text`; those that begin with # are notes.
inline bool parse_lines(const flags::Parser& parser, std::string_view text) {
  while (!text.empty()) {
    std::string line(take_up_to('\n', text));
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty() || line[0] == '#') continue;
    const char* const arguments[] = {"", line.c_str()};
    if (line[0] != '-' || !parser.parse(2, arguments).empty()) return false;
  }
  return true;
}

/// The flags that Abseil gives to every program, as scripts may set them.
inline void add_abseil_flags(flags::Parser& parser, Arguments& arguments) {
  for (const char* name : {"helpfull", "helpshort", "helppackage"})
    parser.add_switch(name, arguments.help);
  for (const char* name :
       {"stderrthreshold", "minloglevel", "v", "vmodule", "log_backtrace_at"})
    parser.add_ignored(name, false);
  for (const char* name :
       {"log_prefix", "logtostderr", "alsologtostderr", "only_check_args"})
    parser.add_ignored(name, true);
  parser.add_value("flagfile", "a file with a flag on each line",
                   [&](const std::string& path) {
                     // One that names itself would be read for ever.
                     constexpr std::size_t kMostNested = 16;
                     std::string text;
                     if (arguments.flagfiles == kMostNested ||
                         !files::read(path, text).empty())
                       return false;
                     ++arguments.flagfiles;
                     const bool good = parse_lines(parser, text);
                     --arguments.flagfiles;
                     return good;
                   });
  parser.add_value("undefok", "names of flags", [&](const std::string& text) {
    std::string_view rest = text;
    while (!rest.empty())
      parser.allow_unknown(std::string(take_up_to(',', rest)));
    return true;
  });
}

/// Both must outlive the parsing.
inline void add_flags(flags::Parser& parser, Arguments& arguments) {
  parser.add_input(arguments.input);
  parser.add_text("output", "the name of a file", arguments.output);
  parser.add_text("certificate", "the name of a file", arguments.certificate);
  parser.add_switch("explain", arguments.explain);
  parser.add_switch("spill", arguments.spill);
  parser.add_switch("validate", arguments.validate);
  parser.add_switch("minimize_capacity", arguments.minimize);
  parser.add_switch("minimize", arguments.minimize);
  parser.add_switch("minimize_penalty", arguments.minimize_penalty);
  parser.add_switch("quiet", arguments.quiet);
  parser.add_switch("help", arguments.help);
  parser.add_switch("h", arguments.help);
  parser.add_switch("version", arguments.version);
  add_memory_flags(parser, arguments);
  add_search_flags(parser, arguments);
  add_picture_flags(parser, arguments);
  add_abseil_flags(parser, arguments);
}

#endif  // SNUG_EXAMPLES_SOLVE_CSV_ARGUMENTS_HPP
