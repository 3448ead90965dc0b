// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the rows of a comparison say: of each allocator on each family, and of
/// snug against each.
///
/// The *bound* of an instance is the highest that any allocator proved, at
/// least the load. An allocator has *solved* the instance if its height is the
/// bound. Of a search, the row with the longest limit counts.
#ifndef SNUG_BENCHMARKS_COMPARISON_SUMMARY_HPP
#define SNUG_BENCHMARKS_COMPARISON_SUMMARY_HPP

#include "compare_results.hpp"
#include "timing.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace snug {
namespace benchmarks {

/// Rows by instance and allocator, in the order of the file.
class Results {
 public:
  explicit Results(std::vector<ResultRow> rows) : rows_(std::move(rows)) {
    for (const ResultRow& row : rows_) {
      remember(families_, row.family);
      remember(allocators_, row.allocator);
      const Key instance{row.family, row.instance};
      if (bounds_.count(instance) == 0) instances_.push_back(instance);
      std::int64_t& bound = bounds_[instance];
      bound = (std::max)(bound, row.bound);
      // Limits increase, so that the last one of a search is the longest.
      last_[{instance, row.allocator}] = &row;
    }
  }

  using Key = std::pair<std::string, std::string>;  ///< family, instance

  [[nodiscard]] const std::vector<ResultRow>& rows() const { return rows_; }
  [[nodiscard]] const std::vector<std::string>& families() const {
    return families_;
  }
  [[nodiscard]] const std::vector<std::string>& allocators() const {
    return allocators_;
  }
  /// Those of one family; of all for an empty name.
  [[nodiscard]] std::vector<Key> instances(const std::string& family) const {
    std::vector<Key> result;
    for (const Key& key : instances_)
      if (family.empty() || key.first == family) result.push_back(key);
    return result;
  }
  [[nodiscard]] std::int64_t bound(const Key& instance) const {
    return bounds_.at(instance);
  }
  /// The row that counts; null if the allocator was not run on it.
  [[nodiscard]] const ResultRow* find(const Key& instance,
                                      const std::string& allocator) const {
    const auto found = last_.find({instance, allocator});
    return found == last_.end() ? nullptr : found->second;
  }
  [[nodiscard]] bool solved(const ResultRow& row) const {
    return row.placed() && row.height == bound({row.family, row.instance});
  }

 private:
  static void remember(std::vector<std::string>& names,
                       const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(name);
  }

  std::vector<ResultRow> rows_;
  std::vector<std::string> families_{};
  std::vector<std::string> allocators_{};
  std::vector<Key> instances_{};
  std::map<Key, std::int64_t> bounds_{};
  std::map<std::pair<Key, std::string>, const ResultRow*> last_{};
};

/// One allocator on one family.
struct Summary {
  std::size_t tried = 0;  ///< instances that it can do
  std::size_t placed = 0;
  std::size_t solved = 0;
  double mean = 0;  ///< geometric, of height over load, of those placed
  double worst = 0;
  double median_seconds = 0;
  double most_seconds = 0;
  std::int64_t most_bytes = 0;
};

[[nodiscard]] inline Summary summarise(const Results& results,
                                       const std::string& family,
                                       const std::string& allocator) {
  Summary summary;
  double logs = 0;
  std::vector<double> seconds;
  for (const Results::Key& instance : results.instances(family)) {
    const ResultRow* const row = results.find(instance, allocator);
    if (row == nullptr || row->outcome.rfind("cannot", 0) == 0) continue;
    ++summary.tried;
    if (!row->placed()) continue;
    ++summary.placed;
    if (results.solved(*row)) ++summary.solved;
    logs += std::log(row->ratio());
    summary.worst = (std::max)(summary.worst, row->ratio());
    seconds.push_back(row->seconds);
    summary.most_bytes = (std::max)(summary.most_bytes, row->bytes);
  }
  if (summary.placed == 0) return summary;
  summary.mean = std::exp(logs / static_cast<double>(summary.placed));
  summary.median_seconds = median(seconds);
  summary.most_seconds = *std::max_element(seconds.begin(), seconds.end());
  return summary;
}

/// `ours` against another allocator on the instances that both can do; of those
/// of a family, or of all for an empty name.
struct Duel {
  std::size_t both = 0;
  std::size_t lower = 0;  ///< instances on which the other one is lower
  std::size_t equal = 0;
  std::size_t faster = 0;    ///< of the equal ones, where the other is faster
  double median_factor = 0;  ///< of the equal ones: our time by its time
  double worst_factor = 0;
  std::string worst_instance{};
};

[[nodiscard]] inline Duel compare(const Results& results,
                                  const std::string& family,
                                  const std::string& ours,
                                  const std::string& other,
                                  bool only_solved = false) {
  Duel duel;
  std::vector<double> factors;
  for (const Results::Key& instance : results.instances(family)) {
    const ResultRow* const a = results.find(instance, ours);
    const ResultRow* const b = results.find(instance, other);
    if (a == nullptr || b == nullptr || !b->placed()) continue;
    if (only_solved && !results.solved(*b)) continue;
    ++duel.both;
    if (!a->placed() || b->height < a->height) ++duel.lower;
    if (!a->placed() || b->height != a->height) continue;
    ++duel.equal;
    // The clock ticks in microseconds.
    const double factor = a->seconds / (std::max)(b->seconds, 1e-7);
    if (factor > 1) ++duel.faster;
    factors.push_back(factor);
    if (factor > duel.worst_factor) {
      duel.worst_factor = factor;
      duel.worst_instance = instance.second;
    }
  }
  duel.median_factor = median(factors);
  return duel;
}

}  // namespace benchmarks
}  // namespace snug

#endif  // SNUG_BENCHMARKS_COMPARISON_SUMMARY_HPP
