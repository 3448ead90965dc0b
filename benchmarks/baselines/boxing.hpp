// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Boxing: packs small jobs into boxes of equal height, which are jobs
/// themselves, until all have one height. For idealloc.hpp.
///
///     box_all (Corollary 15)   jobs of nearly equal height form a class; each
///                              class is boxed by itself
///     box_class (Theorem 2)    critical points split the class: jobs live at
///                              one are boxed now, those between two later, with
///                              new points
///     box_crossing (Lemma 1)   jobs that are all live at one point:
///
///           earliest starts |==| |---|---| |==| latest ends
///                           outer  inner   outer
///
///         inner strips, by start and by end in turn, are cut into boxes of h
///         jobs; the outer ones, with all jobs where there are few, are coloured
///         as intervals, and h rows make a box. The ends of the rows' gaps are
///         the next critical points.
///
/// Times are doubled, so that a point lies strictly inside a lifespan or
/// strictly outside. Heights are doubles: nothing here is an offset.
///
/// Cost: O(n log n) a level; the number of levels is logarithmic in practice.
/// Source: A. L. Buchsbaum, H. Karloff, C. Kenyon, N. Reingold, M. Thorup, "OPT
/// versus LOAD in dynamic storage allocation" (STOC 2003), Lemma 1, Theorem 2,
/// Corollary 15; cappadokes/idealloc coreba/src/algo/boxing.rs.
#ifndef SNUG_BASELINES_BOXING_HPP
#define SNUG_BASELINES_BOXING_HPP

#include "baselines/allocator.hpp"
#include "baselines/overlaps.hpp"
#include "random.hpp"
#include "snug/config.hpp"
#include "snug/model/interval.hpp"
#include "snug/model/problem.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <queue>
#include <set>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace baselines {

using Jobs = std::vector<std::size_t>;  ///< indices into Boxer::jobs

/// A buffer, or a box with jobs in it.
struct Job {
  double height = 0;
  Interval<Moment> time{};  ///< doubled
  Jobs contents{};          ///< none: a buffer

  [[nodiscard]] bool is_live_at(Moment point) const {
    return time.lower < point && point < time.upper;
  }
};

class Boxer {
 public:
  Boxer(const Problem<>& problem, std::uint64_t seed) : random_(seed) {
    for (const Buffer<>& buffer : problem.buffers) {
      Job job;
      job.height = static_cast<double>(buffer.size);
      job.time = {2 * buffer.lifespan.lower, 2 * buffer.lifespan.upper};
      jobs.push_back(std::move(job));
    }
  }

  /// The jobs, of heights up to `height`, in boxes of that height.
  /// `precision` is the ratio of a class, above 0.
  [[nodiscard]] Jobs box_all(Jobs input, double height, double precision) {
    std::sort(input.begin(), input.end(), [&](std::size_t a, std::size_t b) {
      return jobs[a].height != jobs[b].height ? jobs[a].height < jobs[b].height
                                              : a < b;
    });
    Jobs boxes;
    for (std::size_t k = 0; k < input.size();) {
      // The smallest power of 1 + precision that is no less than the height.
      const double exponent =
          std::ceil(std::log(jobs[input[k]].height) / std::log1p(precision));
      const double top = (std::max)(
          jobs[input[k]].height, std::floor(std::pow(1 + precision, exponent)));
      Jobs one_class;
      while (k < input.size() && jobs[input[k]].height <= top)
        one_class.push_back(input[k++]);
      const double fits = (std::max)(1.0, std::floor(height / top));
      box_class(std::move(one_class), height, precision,
                static_cast<std::size_t>((std::min)(fits, 1e9)), boxes);
    }
    return boxes;
  }

  /// Rows of jobs that never overlap, as few as there can be.
  [[nodiscard]] std::vector<Jobs> colour(Jobs input) const {
    using Ending = std::pair<Moment, std::size_t>;
    sort_by_start(input);
    std::vector<Jobs> rows;
    std::priority_queue<Ending, std::vector<Ending>, std::greater<>> in_use;
    std::set<std::size_t> free_rows;
    for (const std::size_t j : input) {
      for (; !in_use.empty() && in_use.top().first <= jobs[j].time.lower;
           in_use.pop())
        free_rows.insert(in_use.top().second);
      if (free_rows.empty()) {
        free_rows.insert(rows.size());
        rows.emplace_back();
      }
      const std::size_t row = *free_rows.begin();
      free_rows.erase(free_rows.begin());
      rows[row].push_back(j);
      in_use.emplace(jobs[j].time.upper, row);
    }
    return rows;
  }

  std::vector<Job> jobs{};  ///< the buffers first, in input order

 private:
  /// Jobs between two points, and points inside that split them.
  struct Part {
    Jobs input{};
    Interval<Moment> bounds{};
    std::vector<Moment> points{};
  };

  void sort_by_start(Jobs& input) const {
    std::sort(input.begin(), input.end(), [&](std::size_t a, std::size_t b) {
      return jobs[a].time.lower != jobs[b].time.lower
                 ? jobs[a].time.lower < jobs[b].time.lower
                 : a < b;
    });
  }

  [[nodiscard]] std::size_t add_box(Jobs contents, double height) {
    Job box;
    box.height = height;
    box.time = jobs[contents.front()].time;
    for (const std::size_t j : contents) {
      box.time.lower = (std::min)(box.time.lower, jobs[j].time.lower);
      box.time.upper = (std::max)(box.time.upper, jobs[j].time.upper);
    }
    box.contents = std::move(contents);
    jobs.push_back(std::move(box));
    return jobs.size() - 1;
  }

  /// A random moment just inside one of the jobs' lifespans.
  [[nodiscard]] Moment random_point(const Jobs& input) {
    const Interval<Moment>& time =
        jobs[input[static_cast<std::size_t>(random_.below(input.size()))]].time;
    return random_.chance(50) ? time.lower + 1 : time.upper - 1;
  }

  void box_class(Jobs input, double height, double precision, std::size_t h,
                 Jobs& boxes) {
    std::vector<Part> parts;
    Interval<Moment> all = jobs[input.front()].time;
    for (const std::size_t j : input) {
      all.lower = (std::min)(all.lower, jobs[j].time.lower);
      all.upper = (std::max)(all.upper, jobs[j].time.upper);
    }
    const Moment first = random_point(input);
    parts.push_back({std::move(input), all, {first}});
    while (!parts.empty()) {
      Part part = std::move(parts.back());
      parts.pop_back();
      // Between points k - 1 and k; the rest is live at point k, the first one
      // that it reaches over.
      std::vector<Jobs> between(part.points.size() + 1);
      std::vector<Jobs> crossing(part.points.size());
      for (const std::size_t j : part.input) {
        const auto k = static_cast<std::size_t>(
            std::upper_bound(part.points.begin(), part.points.end(),
                             jobs[j].time.lower) -
            part.points.begin());
        if (k < part.points.size() && jobs[j].is_live_at(part.points[k]))
          crossing[k].push_back(j);
        else
          between[k].push_back(j);
      }
      Jobs unresolved;
      for (Jobs& group : crossing)
        box_crossing(std::move(group), height, precision, h, unresolved, boxes);
      const std::set<Moment> gaps =
          box_rows(std::move(unresolved), height, h, boxes);
      for (std::size_t k = 0; k < between.size(); ++k) {
        if (between[k].empty()) continue;
        Part next;
        next.bounds = {
            k == 0 ? part.bounds.lower : part.points[k - 1],
            k < part.points.size() ? part.points[k] : part.bounds.upper};
        for (auto it = gaps.upper_bound(next.bounds.lower);
             it != gaps.end() && *it < next.bounds.upper; ++it)
          next.points.push_back(*it);
        const bool any_live = std::any_of(
            between[k].begin(), between[k].end(), [&](std::size_t j) {
              const auto point = std::upper_bound(
                  next.points.begin(), next.points.end(), jobs[j].time.lower);
              return point != next.points.end() && *point < jobs[j].time.upper;
            });
        if (!any_live) {
          const Moment point = random_point(between[k]);
          next.points.insert(
              std::lower_bound(next.points.begin(), next.points.end(), point),
              point);
        }
        next.input = std::move(between[k]);
        parts.push_back(std::move(next));
      }
    }
  }

  /// Boxes jobs that are all live at one point; the outer ones are left.
  void box_crossing(Jobs group, double height, double precision, std::size_t h,
                    Jobs& unresolved, Jobs& boxes) {
    const auto times = [&](double factor) {
      return static_cast<std::size_t>(
          (std::min)(static_cast<double>(h) * std::ceil(factor), 1e9));
    };
    const std::size_t outer = times(1 / (precision * precision));
    const std::size_t inner = times(1 / precision);
    if (group.size() <= 2 * outer) {
      unresolved.insert(unresolved.end(), group.begin(), group.end());
      return;
    }
    sort_by_start(group);
    Jobs by_end = group;
    std::stable_sort(by_end.begin(), by_end.end(),
                     [&](std::size_t a, std::size_t b) {
                       return jobs[a].time.upper > jobs[b].time.upper;
                     });
    std::set<std::size_t> left(group.begin(), group.end());
    const auto cut = [&](const Jobs& source, std::size_t& next,
                         std::size_t count) {
      Jobs strip;
      for (; next < source.size() && strip.size() < count; ++next)
        if (left.erase(source[next]) > 0) strip.push_back(source[next]);
      return strip;
    };
    std::size_t next_start = 0;
    std::size_t next_end = 0;
    for (const Jobs& strip :
         {cut(group, next_start, outer), cut(by_end, next_end, outer)})
      unresolved.insert(unresolved.end(), strip.begin(), strip.end());
    for (bool is_by_start = true; !left.empty(); is_by_start = !is_by_start) {
      Jobs strip = is_by_start ? cut(group, next_start, inner)
                               : cut(by_end, next_end, inner);
      // Starts are alike in a strip by start: there, by end.
      std::stable_sort(
          strip.begin(), strip.end(), [&](std::size_t a, std::size_t b) {
            return is_by_start ? jobs[a].time.upper > jobs[b].time.upper
                               : jobs[a].time.lower < jobs[b].time.lower;
          });
      for (std::size_t k = 0; k < strip.size(); k += h) {
        const std::size_t end = (std::min)(k + h, strip.size());
        boxes.push_back(
            add_box(Jobs(strip.begin() + static_cast<std::ptrdiff_t>(k),
                         strip.begin() + static_cast<std::ptrdiff_t>(end)),
                    height));
      }
    }
  }

  /// Boxes `h` rows each; returns where gaps in the rows begin and end.
  std::set<Moment> box_rows(Jobs input, double height, std::size_t h,
                            Jobs& boxes) {
    std::set<Moment> gaps;
    Jobs box;
    std::size_t rows = 0;
    for (const Jobs& row : colour(std::move(input))) {
      for (std::size_t k = 0; k < row.size(); ++k) {
        gaps.insert(jobs[row[k]].time.lower);
        gaps.insert(jobs[row[k]].time.upper);
      }
      box.insert(box.end(), row.begin(), row.end());
      if (++rows % h != 0) continue;
      boxes.push_back(add_box(std::move(box), height));
      box.clear();
    }
    if (!box.empty()) boxes.push_back(add_box(std::move(box), height));
    return gaps;
  }

  benchmarks::Random random_;
};

}  // namespace baselines
SNUG_END_NAMESPACE

#endif  // SNUG_BASELINES_BOXING_HPP
