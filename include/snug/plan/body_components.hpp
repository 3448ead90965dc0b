// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The bodies of a flat problem and its components, which no capacity changes:
///
///     bodies -> meetings -> components
///
/// Components share no section in which both may move, so each is placed for
/// itself. Fixed bodies are in none: with most of them fixed, what is left is small.
///
/// Problems in which too many slabs share sections have bodies alone.
#ifndef SNUG_PLAN_BODY_COMPONENTS_HPP
#define SNUG_PLAN_BODY_COMPONENTS_HPP

#include "snug/bodies/bodies.hpp"
#include "snug/bodies/body_builder.hpp"
#include "snug/bodies/body_loads.hpp"
#include "snug/bodies/component.hpp"
#include "snug/bodies/conflict_cliques.hpp"
#include "snug/bodies/domain.hpp"
#include "snug/config.hpp"
#include "snug/engine/search_options.hpp"
#include "snug/normal/flat.hpp"
#include "snug/plan/call.hpp"
#include "snug/support/list.hpp"
#include "snug/support/memory.hpp"
#include "snug/support/sort.hpp"
#include "snug/support/view.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// The bodies of a problem. What it takes to make them is counted, and ends when the
/// call gives up: then they are of no use.
[[nodiscard]] inline Bodies build_bodies(const Flat& flat, Call& call,
                                         CliqueScope scope) {
  BodyBuilder builder(flat, call.interrupt());
  Bodies bodies = builder.build(scope, call.interrupt());
  call.count_bytes(builder.peak_bytes());
  return bodies;
}

class BodyComponents {
 public:
  /// Beyond this, relations and cliques would take more than some 100 MB, and
  /// a search gets nowhere.
  static constexpr std::int64_t kMostMeetings = std::int64_t{1} << 21;

  /// The bodies, and no components yet. Of no use if the call gave up.
  BodyComponents(const Flat& flat, Call& call)
      : bodies_(build_bodies(flat, call, CliqueScope::kOfPairs)),
        held_(call, bodies_.bytes()) {
    if (call.gave_up()) return;
    meetings_ = count_meetings(bodies_);
    for (const Body& body : bodies_.bodies)
      if (body.is_fixed())
        lower_bound_ = (std::max)(lower_bound_, body.fixed + body.extent);
  }

  /// Makes the components, unless there are some. False if the call has no memory for
  /// them, or no time.
  [[nodiscard]] bool make(Call& call) {
    if (meetings_ > meetings_in_memory(call)) return false;
    if (is_made_) return true;
    if (meetings_ > meetings_in_time(call)) {
      call.limits().leave_out();
      return false;
    }
    ComponentBuilder builder(bodies_, call.interrupt());
    std::vector<Component> components = builder.build();
    call.count_bytes(builder.peak_bytes());
    if (call.gave_up()) return false;
    components_ = std::move(components);
    for (const Component& component : components_)
      lower_bound_ = (std::max)(lower_bound_, lowest_height(component));
    held_.change(bodies_.bytes() + bytes_of(components_));
    is_made_ = true;
    return true;
  }

  /// How many meetings there is time for: relations and cliques of each take 50 to
  /// 250 ns, or twice as long if most of them may overlap. A search in the rest of the
  /// time would get nowhere.
  [[nodiscard]] static std::int64_t meetings_in_time(Call& call) {
    constexpr std::chrono::nanoseconds kEach{250};
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
  /// None before make().
  [[nodiscard]] const std::vector<Component>& components() const noexcept {
    return components_;
  }
  /// No placement is lower, in units: of little use before make().
  [[nodiscard]] std::int64_t lower_bound() const noexcept {
    return lower_bound_;
  }

  /// Writes the offsets of all buffers, bytes, with those of each component's bodies as
  /// its walk has them.
  template <class Walk>
  void write(const std::vector<Walk>& walks,
             List<std::int64_t>& offsets) const {
    List<std::int64_t> at = bodies_.fixed_offsets();
    for (const Walk& walk : walks)
      for (Index x = 0; x < walk.component().size; ++x)
        at[walk.component().body[x]] = walk.offsets()[x];
    bodies_.write_offsets(at, offsets);
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
      for (const Job& job : component.jobs[c]) {
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
    const View<const Range> domain = component.ranges[x];
    return domain.empty() ? 0 : domain[0].lower;
  }

  Bodies bodies_;
  Held held_;
  std::int64_t meetings_ = 0;
  std::vector<Component> components_{};
  bool is_made_ = false;
  std::int64_t lower_bound_ = 0;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAN_BODY_COMPONENTS_HPP
