// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// plot_comparison: makes pictures and tables of what `compare` has measured.
///
///     c++ -std=c++17 -O2 -Ibenchmarks benchmarks/plot_comparison.cpp -o plot_comparison
///     ./plot_comparison --input=results.csv --pictures=benchmarks/pictures --page=benchmarks/COMPARISON.md
///
///     heights.svg   height over load, by allocator and instance (tpu, large)
///     quality.svg   height over load against time (tpu, variants)
///     scaling.svg   time against the number of buffers (random, exponential)
///     solved.svg    how many instances are solved within a time (all)
///
/// In the page, what stands between the two lines
/// `<!-- results: begin -->` and `<!-- results: end -->` is replaced by the
/// tables.
#include "../examples/files.hpp"
#include "../examples/flags.hpp"
#include "compare_results.hpp"
#include "comparison_summary.hpp"
#include "svg_chart.hpp"
#include "table.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <initializer_list>
#include <map>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace {

namespace bench = snug::benchmarks;
using bench::fixed;

int fail(const std::string& message) {
  std::fprintf(stderr, "plot_comparison: %s\n", message.c_str());
  return 2;
}

// ---------------------------------------------------------------- pictures

bool is_ours(const std::string& allocator) {
  return allocator.rfind("snug", 0) == 0;
}

/// Those that a chart with lines shows: more cannot be told apart.
bool is_shown(const std::string& allocator) {
  static constexpr std::array<const char*, 16> kShown = {
      "snug",         "snug_from_load",   "snug_first",
      "minimalloc",   "branch_and_bound", "telamalloc",
      "idealloc",     "vela_99999",       "tvm_hill_climb",
      "xla_search",   "skyline",          "somas_release",
      "tflite_arena", "executorch",       "gpu_by_size",
      "gpu_in_order"};
  return std::find(kShown.begin(), kShown.end(), allocator) != kShown.end();
}

/// Height over load, an allocator a row, an instance a column.
std::string draw_heights(const bench::Results& results) {
  constexpr double kLeft = 130;
  constexpr double kTop = 60;
  constexpr double kCell = 42;
  constexpr double kRow = 15;
  std::vector<bench::Results::Key> columns = results.instances("tpu");
  for (const auto& key : results.instances("large")) columns.push_back(key);
  const std::vector<std::string>& rows = results.allocators();
  const double width = kLeft + kCell * static_cast<double>(columns.size()) + 8;
  const double height = kTop + kRow * static_cast<double>(rows.size()) + 8;
  std::string out = bench::svg_begin(width, height);
  out += bench::svg_text(8, 18, "Height over load (green: at the load)",
                         "font-size=\"13\"");
  for (std::size_t c = 0; c < columns.size(); ++c)
    out += bench::svg_text(kLeft + kCell * (static_cast<double>(c) + 0.5),
                           kTop - 6, columns[c].second.substr(0, 8),
                           "text-anchor=\"middle\" font-size=\"9\"");
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const double y = kTop + kRow * static_cast<double>(r);
    out += bench::svg_text(kLeft - 6, y + 11, rows[r],
                           "text-anchor=\"end\" font-size=\"10\"");
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const double x = kLeft + kCell * static_cast<double>(c);
      const bench::ResultRow* const row = results.find(columns[c], rows[r]);
      const bool placed = row != nullptr && row->placed();
      const bool best = placed && row->height == row->load;
      if (placed) {
        const double heat =
            best ? 0.4 : (std::min)(0.7, 0.05 + 0.6 * std::log(row->ratio()));
        out += "<rect class=\"" + std::string(best ? "cold" : "hot") +
               "\" fill-opacity=\"" + fixed(heat, 2) + "\" x=\"" +
               bench::svg_number(x) + "\" y=\"" + bench::svg_number(y) +
               "\" width=\"41\" height=\"14\"/>";
      }
      out += bench::svg_text(
          x + kCell / 2, y + 11,
          placed ? fixed(row->ratio(), row->ratio() < 9.9995 ? 3 : 1) : "-",
          "text-anchor=\"middle\" font-size=\"9\"");
    }
  }
  return out + "</svg>\n";
}

/// Height over load against time on the hard families. An allocator that did
/// not place all instances within a limit has no point there.
std::string draw_quality(const bench::Results& results) {
  bench::Chart chart("Hard instances (A to K, variants): height and time",
                     {"CPU seconds an instance (geometric mean)", true},
                     {"height over load (geometric mean)", true});
  struct Sums {
    double ratio = 0;
    double seconds = 0;
    std::size_t count = 0;
  };
  const std::size_t all =
      results.instances("tpu").size() + results.instances("variants").size();
  std::map<std::pair<std::string, double>, Sums> sums;
  for (const bench::ResultRow& row : results.rows()) {
    if ((row.family != "tpu" && row.family != "variants") || !row.placed())
      continue;
    Sums& sum = sums[{row.allocator, row.limit}];
    sum.ratio += std::log(row.ratio());
    sum.seconds += std::log((std::max)(row.seconds, 1e-7));
    ++sum.count;
  }
  for (const std::string& allocator : results.allocators()) {
    bench::ChartLine line;
    line.name = allocator;
    line.is_ours = is_ours(allocator);
    for (const auto& [key, sum] : sums) {
      if (key.first != allocator || sum.count != all) continue;
      const auto count = static_cast<double>(sum.count);
      const double ratio = std::exp(sum.ratio / count);
      if (ratio < 2)
        line.points.emplace_back(std::exp(sum.seconds / count), ratio);
    }
    if (!line.points.empty()) chart.add(std::move(line));
  }
  return chart.draw();
}

std::string draw_scaling(const bench::Results& results) {
  bench::Chart chart("Random problems of few live buffers: time to finish",
                     {"buffers", true}, {"CPU seconds", true});
  for (const std::string& allocator : results.allocators()) {
    bench::ChartLine line;
    line.name = allocator;
    line.is_ours = is_ours(allocator);
    for (const auto& key : results.instances("random")) {
      if (key.second.rfind("exponential", 0) != 0) continue;
      const bench::ResultRow* const row = results.find(key, allocator);
      if (row != nullptr && row->placed())
        line.points.emplace_back(static_cast<double>(row->buffers),
                                 (std::max)(row->seconds, 1e-7));
    }
    if (!line.points.empty() && is_shown(allocator)) chart.add(std::move(line));
  }
  return chart.draw();
}

std::string draw_solved(const bench::Results& results) {
  bench::Chart chart("Instances solved (at the best known bound) within a time",
                     {"CPU seconds", true}, {"instances", false});
  for (const std::string& allocator : results.allocators()) {
    std::vector<double> times;
    for (const auto& key : results.instances("")) {
      // Those with pairs kept apart are not for all.
      if (key.first == "kernels") continue;
      const bench::ResultRow* const row = results.find(key, allocator);
      if (row != nullptr && results.solved(*row))
        times.push_back((std::max)(row->seconds, 1e-6));
    }
    std::sort(times.begin(), times.end());
    bench::ChartLine line;
    line.name = allocator;
    line.is_ours = is_ours(allocator);
    line.steps = true;
    for (std::size_t k = 0; k < times.size(); ++k)
      if (k + 1 == times.size() || times[k + 1] > times[k] * 1.02)
        line.points.emplace_back(times[k], static_cast<double>(k + 1));
    if (!line.points.empty() && is_shown(allocator)) chart.add(std::move(line));
  }
  return chart.draw();
}

// ------------------------------------------------------------------ tables

std::string milliseconds(double seconds) {
  const double ms = seconds * 1e3;
  return fixed(ms, ms < 0.1 ? 4 : ms < 10 ? 2 : 0);
}

std::string family_table(const bench::Results& results,
                         const std::string& family) {
  std::string out = "\n### " + family + " (" +
                    std::to_string(results.instances(family).size()) +
                    " instances)\n\n| | placed | solved | height/load, mean | "
                    "worst | median ms | worst ms | peak MB |\n"
                    "|---|---:|---:|---:|---:|---:|---:|---:|\n";
  for (const std::string& allocator : results.allocators()) {
    const bench::Summary s = bench::summarise(results, family, allocator);
    if (s.tried == 0) continue;
    out += "| " + allocator + " | " + std::to_string(s.placed) + " of " +
           std::to_string(s.tried) + " | " + std::to_string(s.solved) + " | ";
    if (s.placed == 0)
      out += "- | - | - | - | - |\n";
    else
      out += fixed(s.mean, 4) + " | " + fixed(s.worst, 3) + " | " +
             milliseconds(s.median_seconds) + " | " +
             milliseconds(s.most_seconds) + " | " +
             fixed(static_cast<double>(s.most_bytes) / 1e6, 2) + " |\n";
  }
  std::string unable;
  for (const std::string& allocator : results.allocators()) {
    if (bench::summarise(results, family, allocator).tried > 0) continue;
    const auto instances = results.instances(family);
    const bench::ResultRow* const row =
        instances.empty() ? nullptr
                          : results.find(instances.front(), allocator);
    if (row == nullptr) continue;
    if (!unable.empty()) unable += ", ";
    unable += allocator;
  }
  if (!unable.empty()) out += "\nNone that these can do: " + unable + ".\n";
  return out;
}

/// Every instance on which an allocator is lower than snug.
std::string lower_table(const bench::Results& results) {
  std::string rows;
  for (const bench::Results::Key& key : results.instances("")) {
    const bench::ResultRow* const ours = results.find(key, "snug");
    if (ours == nullptr) continue;
    const bench::ResultRow* best = nullptr;
    for (const std::string& allocator : results.allocators()) {
      const bench::ResultRow* const row = results.find(key, allocator);
      if (row == nullptr || !row->placed()) continue;
      if (ours->placed() && row->height >= ours->height) continue;
      if (best == nullptr || row->height < best->height) best = row;
    }
    if (best == nullptr) continue;
    rows += "| " + key.first + ", " + key.second + " | " +
            (ours->placed() ? fixed(ours->ratio(), 5) : "none") + " | " +
            best->allocator + " | " + fixed(best->ratio(), 5) + " |\n";
  }
  if (rows.empty()) return "\nNo allocator is lower than snug anywhere.\n";
  return "\n### Where another one is lower\n\n| | snug | lowest | height/load "
         "|\n|---|---:|---|---:|\n" +
         rows;
}

std::string duel_row(const std::string& name, const bench::Duel& duel) {
  std::string row = "| " + name + " | " + std::to_string(duel.both) + " | " +
                    std::to_string(duel.lower) + " | " +
                    std::to_string(duel.equal) + " | " +
                    std::to_string(duel.faster) + " | ";
  if (duel.equal == 0) return row + "- | - |\n";
  return row + fixed(duel.median_factor, 2) + " | " +
         fixed(duel.worst_factor, 1) + " (" + duel.worst_instance + ") |\n";
}

constexpr const char* kDuelColumns =
    " | placed | lower | same | faster | time, median | worst |\n"
    "|---|---:|---:|---:|---:|---:|---|\n";

std::string duel_tables(const bench::Results& results) {
  std::string out =
      "\n### snug against each\n\nOn all instances that the other one placed: "
      "where its height is lower than snug's; where it is the same; on how "
      "many "
      "of these it is faster; and snug's time by its time on these, so that "
      "less "
      "than 1 means that snug is faster.\n\n|";
  out += kDuelColumns;
  for (const std::string& allocator : results.allocators())
    if (!is_ours(allocator) && allocator != "naive")
      out +=
          duel_row(allocator, bench::compare(results, "", "snug", allocator));
  const std::string greedy = "gpu_by_size";
  out +=
      "\n### What `minimize` costs where greedy by size is enough\n\n"
      "Only instances on which " +
      greedy + " solves, by family.\n\n|";
  out += kDuelColumns;
  for (const std::string& family : results.families()) {
    const bench::Duel duel =
        bench::compare(results, family, "snug", greedy, true);
    if (duel.both > 0) out += duel_row(family, duel);
  }
  return out + lower_table(results);
}

/// Puts `tables` between the page's markers. Returns what went wrong, or
/// nothing.
std::string replace_results(const std::string& path,
                            const std::string& tables) {
  const std::string begin = "<!-- results: begin -->\n";
  const std::string end = "<!-- results: end -->";
  std::string page;
  const std::string failure = files::read(path, page);
  if (!failure.empty()) return path + ": " + failure;
  const std::size_t first = page.find(begin);
  const std::size_t last = page.find(end);
  if (first == std::string::npos || last == std::string::npos || last < first)
    return path + ": no lines that say where results begin and end";
  page.replace(first + begin.size(), last - first - begin.size(),
               tables + "\n");
  const std::string unwritten = files::write(path, page);
  return unwritten.empty() ? "" : path + ": " + unwritten;
}

}  // namespace

int main(int argc, char** argv) {
  std::string input;
  std::string pictures;
  std::string page;
  flags::Parser parser;
  parser.add_text("input", "a file", input);
  parser.add_text("pictures", "a folder", pictures);
  parser.add_text("page", "a file", page);
  std::string error = parser.parse(argc, argv);
  if (!error.empty()) return fail(error);
  if (input.empty())
    return fail("--input=RESULTS.csv [--pictures=DIR] [--page=FILE.md]");
  std::string text;
  error = files::read(input, text);
  if (!error.empty()) return fail(input + ": " + error);
  std::vector<bench::ResultRow> rows;
  const std::size_t bad = bench::parse_results(text, rows);
  if (bad > 0)
    return fail(input + ':' + std::to_string(bad) + ": not a line of results");
  const bench::Results results(std::move(rows));

  std::string tables;
  for (const std::string& family : results.families())
    tables += family_table(results, family);
  tables += duel_tables(results);
  if (page.empty())
    std::fputs(tables.c_str(), stdout);
  else
    error = replace_results(page, tables);
  if (!error.empty()) return fail(error);
  if (pictures.empty()) return 0;
  std::error_code failure;
  std::filesystem::create_directories(pictures, failure);
  if (failure) return fail(pictures + ": " + failure.message());
  for (const auto& [name, picture] :
       {std::make_pair("heights.svg", draw_heights(results)),
        std::make_pair("quality.svg", draw_quality(results)),
        std::make_pair("scaling.svg", draw_scaling(results)),
        std::make_pair("solved.svg", draw_solved(results))}) {
    error = files::write(pictures + '/' + name, picture);
    if (!error.empty()) return fail(pictures + '/' + name + ": " + error);
  }
  return 0;
}
