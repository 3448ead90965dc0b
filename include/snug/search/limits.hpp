// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// When to stop: one predicate for the node limit, the clock and the cancel
/// flag. Nodes are counted exactly; the clock is read every 64 nodes.
#ifndef SNUG_SEARCH_LIMITS_HPP
#define SNUG_SEARCH_LIMITS_HPP

#include "snug/config.hpp"
#include "snug/model/options.hpp"
#include "snug/model/result.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>

SNUG_BEGIN_NAMESPACE
namespace detail {

class Limits {
 public:
  explicit Limits(const Options& options)
      : options_(&options), start_(Clock::now()) {}

  /// Whether to stop before another node; status() then says why.
  [[nodiscard]] bool hit(std::int64_t nodes) {
    if (nodes >= options_->node_limit) {
      status_ = Status::kNodeLimit;
    } else if (options_->cancel != nullptr &&
               options_->cancel->load(std::memory_order_relaxed)) {
      status_ = Status::kCancelled;
    } else if (nodes % kNodesPerLook == 0 && timed() &&
               Clock::now() - start_ >= options_->time_limit) {
      status_ = Status::kTimeLimit;
    }
    return status_ != Status::kSolved;
  }
  /// kSolved as long as no limit was hit.
  [[nodiscard]] Status status() const noexcept { return status_; }
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(Clock::now() - start_).count();
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::int64_t kNodesPerLook = 64;

  [[nodiscard]] bool timed() const noexcept {
    return options_->time_limit != (std::chrono::nanoseconds::max)();
  }

  const Options* options_;
  Clock::time_point start_;
  Status status_ = Status::kSolved;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_SEARCH_LIMITS_HPP
