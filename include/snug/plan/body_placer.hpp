// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The placement of all bodies of a problem, component by component:
///
///     bodies -> meetings -> components -> for each: a search
///
/// Components share no section in which both may move, so each is placed for
/// itself. Fixed bodies are never searched: with most of them fixed, what is
/// left is small.
///
/// Problems in which too many slabs share sections are not searched.
#ifndef SNUG_PLAN_BODY_PLACER_HPP
#define SNUG_PLAN_BODY_PLACER_HPP

#include "snug/bodies/bodies.hpp"
#include "snug/bodies/body_loads.hpp"
#include "snug/bodies/body_model.hpp"
#include "snug/bodies/component.hpp"
#include "snug/bodies/domain.hpp"
#include "snug/config.hpp"
#include "snug/engine/search_options.hpp"
#include "snug/plan/call.hpp"
#include "snug/plan/held_search.hpp"
#include "snug/support/list.hpp"
#include "snug/support/memory.hpp"
#include "snug/support/outcome.hpp"
#include "snug/support/sort.hpp"
#include "snug/support/view.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// The bodies and components of a problem, and the offsets found for them.
class BodyPlacer {
 public:
  /// Beyond this, relations and cliques would take more than some 100 MB, and
  /// a search gets nowhere.
  static constexpr std::int64_t kMostMeetings = std::int64_t{1} << 21;

  BodyPlacer(Bodies&& bodies, Call& call)
      : bodies_(std::move(bodies)),
        call_(&call),
        offsets_(bodies_.bodies.size(), 0) {
    const std::int64_t meetings = count_meetings(bodies_);
    is_large_ = meetings > meetings_in_memory(call);
    if (!is_large_ && meetings > meetings_in_time(call)) {
      is_large_ = true;
      call.limits().leave_out();
    }
    for (std::size_t b = 0; b < offsets_.size(); ++b) {
      const Body& body = bodies_.bodies[b];
      if (!body.is_fixed()) continue;
      offsets_[b] = body.fixed;
      lower_bound_ = (std::max)(lower_bound_, body.fixed + body.extent);
    }
    if (is_large_) {
      lower_bound_ = quick_bound(bodies_);
    } else {
      ComponentBuilder builder(bodies_);
      components_ = builder.build();
      call.count_bytes(bodies_.bytes() + builder.peak_bytes());
    }
    for (const Component& component : components_)
      lower_bound_ = (std::max)(lower_bound_, lowest_height(component));
    held_.emplace(call,
                  bodies_.bytes() + bytes_of(components_) + bytes_of(offsets_));
  }

  /// How many meetings there is time for: relations and cliques of each take a
  /// microsecond or so. A search in the rest of the time would get nowhere.
  [[nodiscard]] static std::int64_t meetings_in_time(Call& call) {
    constexpr std::chrono::nanoseconds kEach = std::chrono::microseconds(1);
    constexpr std::int64_t kFew = 4096;  // Of no account.
    return (std::max)(std::int64_t{call.limits().time_left() / kEach}, kFew);
  }

  /// How many meetings there is memory for.
  [[nodiscard]] static std::int64_t meetings_in_memory(const Call& call) {
    constexpr std::size_t kEach = 64;  // Bytes, cliques included.
    constexpr std::size_t kMost = kMostMeetings;
    return static_cast<std::int64_t>(
        (std::min)(overlap_bytes_of(call.options()) / kEach, kMost));
  }

  [[nodiscard]] const Bodies& bodies() const noexcept { return bodies_; }
  /// No placement is lower.
  [[nodiscard]] std::int64_t lower_bound() const noexcept {
    return lower_bound_;
  }
  /// Writes the placement, after kPlacedAll: offsets of all buffers in bytes.
  void write(List<std::int64_t>& offsets) const {
    bodies_.write_offsets(offsets_, offsets);
  }
  /// Places everything below `capacity`, each component in at most `nodes`
  /// nodes, or so. Goes on where it was if the capacity is that of the last time.
  [[nodiscard]] Outcome place(std::int64_t capacity,
                              std::int64_t nodes = kNoNodeLimit) {
    if (capacity < lower_bound_) return Outcome::kRefuted;
    if (is_large_) return Outcome::kStopped;
    if (capacity != capacity_) {
      capacity_ = capacity;
      placed_ = 0;
      search_.reset();
    }
    for (; placed_ < components_.size(); ++placed_) {
      const Component& component = components_[placed_];
      if (!search_) search_.emplace(component, capacity, *call_);
      const Outcome outcome = search_->held.go_on(nodes);
      if (outcome != Outcome::kPlacedAll) return outcome;
      keep(component, search_->held.offsets());
      search_.reset();
    }
    return Outcome::kPlacedAll;
  }

 private:
  /// The height that the sizes and domains of a component need: for each
  /// clique, and each beginning t of a job, t + all that begins there or above.
  [[nodiscard]] static std::int64_t lowest_height(const Component& component) {
    std::int64_t result = 0;
    struct Start {
      std::int64_t at;
      std::int64_t length;
    };
    List<Start> starts;
    for (Index c = 0; c < component.clique_count(); ++c) {
      starts.clear();
      for (const Job& job : component.jobs_of(c)) {
        if (job.body == Job::kFixed) continue;
        starts.push_back(
            {job.lower + first_of(component, job.body), job.length});
      }
      heap_sort(starts,
                [](const Start& a, const Start& b) { return a.at < b.at; });
      std::int64_t sum = 0;
      for (std::size_t k = starts.size(); k-- > 0;) {
        sum += starts[k].length;
        result = (std::max)(result, starts[k].at + sum);
      }
    }
    for (Index x = 0; x < component.size; ++x)
      result = (std::max)(result, first_of(component, x) + component.extent[x]);
    return result;
  }

  /// The lowest offset of a body's domain; 0 if there is none.
  [[nodiscard]] static std::int64_t first_of(const Component& component,
                                             Index x) {
    const View<const Range> domain = component.ranges_of(x);
    return domain.empty() ? 0 : domain[0].lower;
  }

  /// The search of a component.
  struct Search {
    Search(const Component& component, std::int64_t capacity, Call& call)
        : held(component, capacity, kBodyStrategies, call, memory) {}

    Memory memory{};
    HeldSearch<BodyModel> held;
  };

  void keep(const Component& component, const std::int64_t* offsets) {
    for (Index x = 0; x < component.size; ++x)
      offsets_[component.body[x]] = offsets[x];
  }

  Bodies bodies_;
  bool is_large_ = false;  ///< there is no search, and there are no components
  std::vector<Component> components_{};
  Call* call_;
  List<std::int64_t> offsets_;  ///< of each body
  std::int64_t lower_bound_ = 0;
  std::optional<Held> held_{};
  std::int64_t capacity_ = -1;      ///< of the last place()
  std::size_t placed_ = 0;          ///< components below it, the first ones
  std::optional<Search> search_{};  ///< of the next one
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAN_BODY_PLACER_HPP
