// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// idealloc: boxing gives an order, best fit in that order gives offsets, and
/// random critical points give another one each time.
///
///     best fit, largest first --> a height to beat
///     box small jobs while that is safe -- box all --> boxes of one height
///         -- colour, unbox --> loose offsets -- best fit, lowest first --> height
///     again, until 30 rounds in a row have not lowered it
///
/// A round is safe while mu < (sqrt(5) - 1) / 2 and mu * H >= h_min, where r is
/// the ratio of the largest height to the least one, mu = e / lg(r)^2 and H =
/// mu^5 * h_max / lg(r)^2; e is chosen once, so that boxing ends with the least
/// r. Where r is too small for any e, a job of 2216.54 times the least height
/// and of all times is added while boxing.
///
/// Unboxing: boxes of one height are coloured, row above row; in a box, jobs
/// that do not overlap lie side by side, others are coloured by size, the
/// largest below.
///
/// What differs: as published one failure ends the rounds (`max_lives` 1);
/// offsets are not aligned to sizes; one thread; its own random numbers; where
/// a job is live at several critical points, it belongs to the first.
///
/// Cost: O(n log n) to box, and that of fit.hpp, each round.
/// Source: A. L. Buchsbaum and others (see boxing.hpp), Theorem 16; C. P.
/// Lamprakos and others, "Fast, Effective, Robust: idealloc" (arXiv 2504.04874);
/// cappadokes/idealloc coreba/src/.
#ifndef SNUG_BASELINES_IDEALLOC_HPP
#define SNUG_BASELINES_IDEALLOC_HPP

#include "baselines/allocator.hpp"
#include "baselines/boxing.hpp"
#include "baselines/fit.hpp"
#include "baselines/overlaps.hpp"
#include "baselines/xla.hpp"
#include "snug/config.hpp"
#include "snug/model/problem.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <map>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace baselines {

inline constexpr double kGoldenRatio = 0.61803398874989485;  // its inverse

/// What Theorem 16 makes of the heights of some jobs.
struct BoxingPlan {
  double ratio = 1;  ///< largest to least height
  double mu = 0;
  double height = 0;  ///< of the boxes, H
  bool is_safe = false;
};

[[nodiscard]] inline BoxingPlan boxing_plan(const Boxer& boxer,
                                            const Jobs& input, double e) {
  double least = boxer.jobs[input.front()].height;
  double most = least;
  for (const std::size_t j : input) {
    least = (std::min)(least, boxer.jobs[j].height);
    most = (std::max)(most, boxer.jobs[j].height);
  }
  BoxingPlan plan;
  plan.ratio = most / least;
  const double lg2 = std::pow(std::log2(plan.ratio), 2);
  if (lg2 <= 0) return plan;
  plan.mu = e / lg2;
  plan.height = std::ceil(std::pow(plan.mu, 5) * most / lg2);
  plan.is_safe =
      plan.mu < kGoldenRatio && std::floor(plan.mu * plan.height) >= least;
  return plan;
}

/// Boxes the small jobs as long as that is safe.
[[nodiscard]] inline Jobs box_while_safe(Boxer& boxer, Jobs input, double e,
                                         Meter& meter) {
  for (BoxingPlan plan = boxing_plan(boxer, input, e);
       plan.is_safe && meter.spend(); plan = boxing_plan(boxer, input, e)) {
    const double small = std::floor(plan.mu * plan.height);
    Jobs low;
    Jobs kept;
    for (const std::size_t j : input)
      (boxer.jobs[j].height <= small ? low : kept).push_back(j);
    const Jobs boxes = boxer.box_all(std::move(low), plan.height, plan.mu);
    kept.insert(kept.end(), boxes.begin(), boxes.end());
    input = std::move(kept);
  }
  return input;
}

/// Gives every buffer below `group` a loose offset; `base` is that of the group.
inline void unbox(const Boxer& boxer, const Jobs& group, double base,
                  std::vector<double>& loose) {
  std::map<double, Jobs, std::greater<>> by_height;
  for (const std::size_t j : group)
    by_height[boxer.jobs[j].height].push_back(j);
  // Jobs that do not overlap share a base, whatever their heights.
  const bool is_row = by_height.size() > 1 && boxer.colour(group).size() == 1;
  for (const auto& [height, jobs] : by_height) {
    for (const Jobs& row : boxer.colour(jobs)) {
      for (const std::size_t j : row) {
        if (boxer.jobs[j].contents.empty()) {
          if (j < loose.size()) loose[j] = base;
        } else {
          unbox(boxer, boxer.jobs[j].contents, base, loose);
        }
      }
      if (!is_row) base += height;
    }
  }
}

/// Best fit in order of the loose offsets, until it gets as high as `limit`.
[[nodiscard]] inline Placement squeeze(const Problem<>& problem,
                                       const std::vector<double>& loose,
                                       Bytes limit, Meter& meter) {
  Placed placed(problem);
  for (const std::size_t i : ordered(
           problem.buffers.size(),
           [&](std::size_t a, std::size_t b) { return loose[a] < loose[b]; })) {
    if (!meter.spend()) return {};
    placed.place(i, best_fit(placed.neighbours(i), problem.buffers[i].size, 1));
    if (placed.height() >= limit) return {};
  }
  return {placed.offsets(), 0, 0};
}

[[nodiscard]] inline Placement idealloc(const Problem<>& problem,
                                        const Budget& budget) {
  constexpr int kLives = 30;
  constexpr double kDummy = 2216.54;
  if (problem.buffers.empty()) return {};
  Meter meter(budget);
  Placement best = xla_best<XlaOrder::kSpatial>(problem, budget);
  if (best.offsets.empty()) return best;
  const Bytes load = load_of(problem);
  Bytes height = height_of(problem, best.offsets);

  const std::size_t n = problem.buffers.size();
  Boxer fresh(problem, 1);
  Jobs input(n);
  double least = fresh.jobs.front().height;
  double most = least;
  Interval<Moment> all = fresh.jobs.front().time;
  for (std::size_t i = 0; i < n; ++i) {
    input[i] = i;
    least = (std::min)(least, fresh.jobs[i].height);
    most = (std::max)(most, fresh.jobs[i].height);
    all.lower = (std::min)(all.lower, fresh.jobs[i].time.lower);
    all.upper = (std::max)(all.upper, fresh.jobs[i].time.upper);
  }
  // The range that e may come from; empty for a small ratio.
  const auto range = [&] {
    const double lg2 = std::pow(std::log2(most / least), 2);
    return std::make_pair(std::pow(std::pow(lg2, 7) * least / most, 1.0 / 6),
                          kGoldenRatio * lg2);
  };
  if (range().first >= range().second) {
    most = std::ceil(kDummy * least);
    fresh.jobs.push_back({most, all, {}});
    input.push_back(n);
  }
  double best_e = range().first;
  double best_ratio = -1;
  int tries = 3;
  for (double e = best_e; tries > 0 && !meter.over();
       e += (range().second - e) * 0.01) {
    Boxer boxer = fresh;
    const double ratio =
        boxing_plan(boxer, box_while_safe(boxer, input, e, meter), e).ratio;
    --tries;
    if (best_ratio >= 0 && ratio >= best_ratio) continue;
    best_ratio = ratio;
    best_e = e;
    tries = 3;
  }

  Boxer boxer = fresh;
  for (int lives = kLives; lives > 0 && height > load && !meter.over();) {
    boxer.jobs.resize(fresh.jobs.size());
    const Jobs boxed = box_while_safe(boxer, input, best_e, meter);
    double mu = boxing_plan(boxer, boxed, best_e).mu;
    if (mu <= 0 || mu > kGoldenRatio) mu = 0.99 * kGoldenRatio;
    double highest = 0;
    for (const std::size_t j : boxed)
      highest = (std::max)(highest, boxer.jobs[j].height);
    const Jobs boxes = boxer.box_all(boxed, highest / mu, mu);
    std::vector<double> loose(n, 0);
    unbox(boxer, boxes, 0, loose);
    Placement found = squeeze(problem, loose, height, meter);
    --lives;
    if (found.offsets.empty()) continue;
    best.offsets = std::move(found.offsets);
    height = height_of(problem, best.offsets);
    lives = kLives;
  }
  best.steps += meter.steps();
  return best;
}

}  // namespace baselines
SNUG_END_NAMESPACE

#endif  // SNUG_BASELINES_IDEALLOC_HPP
