// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// picture: first fit by size beside snug, as one SVG picture. README's is
///
///     c++ -std=c++17 -O2 -Iinclude benchmarks/picture.cpp -o picture
///     ./picture instances/tpu/J.1048576.csv 1048576 benchmarks/pictures/J.svg
///
/// The number is the capacity. Both halves have the scale of first fit, which
/// is drawn on the left. The right half is the placement of minimize() within a
/// fixed number of nodes, so that the same file comes out everywhere.
#include "../examples/files.hpp"
#include "../examples/flags.hpp"
#include "baselines/greedy.hpp"
#include "instances.hpp"
#include "snug/io/quantity.hpp"
#include "snug/io/svg.hpp"
#include "snug/minimize.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace {

constexpr int kWidth = 640;
constexpr int kHeight = 460;
constexpr std::int64_t kNodes = 2000000;

/// Half of the picture, `left` units from its left side.
std::string half(const snug::Problem<>& problem, std::int64_t capacity,
                 std::int64_t top, const std::vector<std::int64_t>& offsets,
                 const std::string& title, int left) {
  snug::SvgOptions options;
  options.width = kWidth;
  options.height = kHeight;
  options.title = title;
  options.top = static_cast<double>(top);
  options.tooltips = false;  // a page shows the picture as an image
  const std::vector<std::string> no_names(problem.buffers.size());
  std::string svg =
      snug::draw_svg(problem, capacity, offsets, no_names, options);
  return "<svg x=\"" + std::to_string(left) + "\"" + svg.substr(4);
}

}  // namespace

int main(int argc, char** argv) {
  std::int64_t capacity = 0;
  if (argc != 4 || !flags::parse_bytes(argv[2], capacity)) {
    std::fputs("Usage: picture INPUT.csv CAPACITY OUTPUT.svg\n", stderr);
    return 2;
  }
  snug::Problem<> problem;
  const std::string why = snug::benchmarks::read_problem(argv[1], problem);
  if (!why.empty()) {
    std::fprintf(stderr, "%s\n", why.c_str());
    return 2;
  }
  const std::vector<std::int64_t> greedy =
      snug::baselines::greedy_first_fit(problem);
  snug::Options options;
  options.node_limit = kNodes;
  const snug::Result<> result = snug::minimize(problem, options);
  if (!result.has_solution() || greedy.empty()) return 1;
  std::int64_t height = 0;
  for (std::size_t i = 0; i < greedy.size(); ++i)
    height = (std::max)(height, greedy[i] + problem.buffers[i].size);
  const double more =
      static_cast<double>(height) / static_cast<double>(result.height) * 100 -
      100;
  char percent[32] = "";
  std::snprintf(percent, sizeof percent, " (%+.0f %%)", more);
  const std::string optimal =
      result.height == result.lower_bound ? ", proved optimal" : "";
  const auto kib = [](std::int64_t bytes) {
    return snug::bytes_text(static_cast<double>(bytes));
  };
  std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " +
                    std::to_string(2 * kWidth) + ' ' + std::to_string(kHeight) +
                    "\">\n";
  svg += half(problem, capacity, height, greedy,
              "First fit by size: " + kib(height) + percent, 0);
  svg += half(problem, capacity, height, result.offsets,
              "snug: " + kib(result.height) + optimal, kWidth);
  svg += "</svg>\n";
  const std::string failed = files::write(argv[3], svg);
  if (!failed.empty())
    std::fprintf(stderr, "%s: %s\n", argv[3], failed.c_str());
  return failed.empty() ? 0 : 2;
}
