// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Makes the bodies (bodies.hpp) of a flat problem:
///
///     ties     -->  a body for each class, and the grid of its offsets
///     gaps     -->  a slab for each stretch between them and for each window
///     reserved -->  slabs of one fixed body
///     time     -->  sections; behind these one for each clique, then for each pair
///                   that is kept apart
///
/// *Unit.* All byte counts are divided by the largest number that divides all
/// of them and divides, or is divided by, the step of each grid; see
/// plain/instance.hpp for why nothing is lost.
///
/// Cost: O(p log p) time and O(p) memory for p slabs.
#ifndef SNUG_BODIES_BODY_BUILDER_HPP
#define SNUG_BODIES_BODY_BUILDER_HPP

#include "snug/bodies/bodies.hpp"
#include "snug/bodies/conflict_cliques.hpp"
#include "snug/config.hpp"
#include "snug/model/event.hpp"
#include "snug/model/interval.hpp"
#include "snug/model/ties.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/plain.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"
#include "snug/support/memory.hpp"
#include "snug/support/rounded.hpp"
#include "snug/support/sort.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// The largest unit for a problem, whose offsets are on grids; at least 1.
[[nodiscard]] inline std::int64_t unit_of(const Flat& flat,
                                          const List<Grid>& grids) {
  std::int64_t divisor = divisor_of(flat);
  for (const Grid& grid : grids) divisor = std::gcd(divisor, grid.first);
  return unit_beside(divisor, [&](auto&& visit) {
    for (const Grid& grid : grids) visit(grid.step);
  });
}

class BodyBuilder {
 public:
  explicit BodyBuilder(const Flat& flat, const Interrupt& interrupt = {})
      : flat_(&flat), interrupt_(interrupt) {}

  /// Of no use if it is interrupted. `scope`: which cliques are listed; bounds alone ask
  /// for them, and it takes far less time without. `cliques` ends the search for them;
  /// those that were found until then are of use.
  [[nodiscard]] Bodies build(CliqueScope scope = CliqueScope::kOfPairs,
                             const Interrupt& cliques = {}) {
    if (!number_bodies()) return {};
    result_.unit = unit_of(*flat_, grids_);
    for (std::int64_t& delta : result_.delta) delta /= result_.unit;
    if (!list_exempt() || !make_bodies()) return {};
    add_reserved();
    if (!cut_into_sections()) return {};
    if (scope != CliqueScope::kNone && may_have_conflict_cliques(*flat_))
      add_cliques(cliques);
    if (!add_apart() || !gather()) return {};
    peak_bytes_ = result_.bytes() +
                  bytes_of(result_.slabs, grids_, timed_, for_all_time_);
    return std::move(result_);
  }

  /// The most bytes that were held at one time.
  [[nodiscard]] std::size_t peak_bytes() const noexcept { return peak_bytes_; }

 private:
  /// A slab, and the time that it takes.
  struct Timed {
    Slab slab;
    Interval<std::int64_t> time;
  };

  [[nodiscard]] bool number_bodies() {
    const std::size_t n = flat_->buffers.size();
    result_.body_of.resize(n);
    result_.delta = flat_->delta;
    result_.delta.resize(n, 0);
    // A root comes before the other members of its class.
    for (Index i = 0; i < n; ++i) {
      if (interrupt_.at(i)) return false;
      const Index root = flat_->root_of(i);
      result_.body_of[i] =
          root == i ? static_cast<Index>(grids_.size()) : result_.body_of[root];
      if (root == i) grids_.push_back({});
      Grid& grid = grids_[result_.body_of[i]];
      grid = align_grid(grid, result_.delta[i], flat_->buffers[i].alignment);
    }
    return true;
  }

  [[nodiscard]] bool list_exempt() {
    List<IndexPair>& exempt = result_.exempt;
    exempt.reserve(2 * flat_->may_overlap.size());
    for (const auto& [a, b] : flat_->may_overlap) {
      if (interrupt_.at(exempt.size())) return false;
      exempt.push_back({a, b});
      exempt.push_back({b, a});
    }
    const bool is_long = exempt.size() >= Interrupt::kElements;
    for (const auto index : {&IndexPair::second, &IndexPair::first}) {
      if (is_long && interrupt_()) return false;
      sort_by_index(exempt, index, flat_->buffers.size());
    }
    return true;
  }

  [[nodiscard]] bool make_bodies() {
    const std::int64_t unit = result_.unit;
    const std::int64_t base = flat_->base / unit;
    result_.bodies = List<Body>(grids_.size());
    for (std::size_t b = 0; b < grids_.size(); ++b) {
      Body& body = result_.bodies[b];
      body.step = (std::max)(grids_[b].step / unit, std::int64_t{1});
      body.first = grids_[b].first / unit % body.step;
      if (body.first < base)
        body.first +=
            (base - body.first + body.step - 1) / body.step * body.step;
    }
    std::size_t gap = 0;
    for (Index i = 0; i < flat_->buffers.size(); ++i) {
      if (interrupt_.at(i)) return false;
      const FlatBuffer& buffer = flat_->buffers[i];
      Body& body = result_.bodies[result_.body_of[i]];
      const std::int64_t delta = result_.delta[i];
      body.extent = (std::max)(body.extent, delta + buffer.size / unit);
      if (flat_->is_fixed(i)) body.fixed = flat_->fixed[i] / unit - delta;
      // One slab for each stretch between gaps and for each window.
      std::int64_t from = buffer.lifespan.lower;
      for (; gap < flat_->gaps.size() && flat_->gaps[gap].buffer == i; ++gap) {
        if (interrupt_.at(gap)) return false;
        const FlatGap& next = flat_->gaps[gap];
        add_slab(i, {from, next.lifespan.lower}, {0, buffer.size});
        add_slab(i, next.lifespan, next.window);
        from = next.lifespan.upper;
      }
      add_slab(i, {from, buffer.lifespan.upper}, {0, buffer.size});
    }
    return true;
  }

  /// Bytes of buffer i, relative to it, that it occupies for some time.
  void add_slab(Index i, const Interval<std::int64_t>& time,
                const Interval<std::int64_t>& bytes) {
    if (time.empty() || bytes.empty()) return;
    Body& body = result_.bodies[result_.body_of[i]];
    const Slab slab = slab_of(i, bytes);
    timed_.push_back({slab, time});
    const double width = distance(time.lower, time.upper);
    body.width = rounded(body.width + width);
    body.area = rounded(body.area +
                        rounded(width * static_cast<double>(slab.length())));
  }

  /// Bytes of buffer i, relative to it, at no time yet.
  [[nodiscard]] Slab slab_of(Index i,
                             const Interval<std::int64_t>& bytes) const {
    Slab slab;
    slab.bytes = {result_.delta[i] + bytes.lower / result_.unit,
                  result_.delta[i] + bytes.upper / result_.unit};
    slab.body = result_.body_of[i];
    slab.buffer = i;
    slab.end = flat_->end_of(i);
    return slab;
  }

  /// All reserved ranges are one body, as they may overlap.
  void add_reserved() {
    if (flat_->reserved.empty()) return;
    Body body;
    body.fixed = 0;
    for (const FlatReserved& reserved : flat_->reserved) {
      Slab slab;
      slab.body = static_cast<Index>(result_.bodies.size());
      slab.buffer = Bodies::kNoBuffer;
      slab.bytes = {reserved.bytes.lower / result_.unit,
                    reserved.bytes.upper / result_.unit};
      if (reserved.lifespan.empty()) {
        for_all_time_.push_back(slab);
      } else {
        timed_.push_back({slab, reserved.lifespan});
      }
    }
    result_.bodies.push_back(body);
  }

  [[nodiscard]] bool cut_into_sections() {
    Events events(timed_.size());
    for (std::size_t k = 0; k < timed_.size(); ++k)
      events.add(timed_[k].time, k);
    if (!events.sort(interrupt_)) return false;
    List<Interval<Index>> spans(timed_.size());
    result_.sections = number_sections(events, spans.data());
    result_.times = result_.sections;
    result_.slabs.reserve(timed_.size() + for_all_time_.size() +
                          2 * flat_->apart.size());
    for (std::size_t k = 0; k < timed_.size(); ++k) {
      if (interrupt_.at(k)) return false;
      result_.slabs.push_back(timed_[k].slab);
      result_.slabs.back().sections = spans[k];
    }
    for (Slab slab : for_all_time_) {
      slab.sections = {0, result_.sections};
      if (result_.sections > 0) result_.slabs.push_back(slab);
    }
    return true;
  }

  /// Adds a section for each clique: no more than that asks for, but bounds see
  /// it at once. In it, too, some may overlap, and those of one body do not exclude
  /// another.
  void add_cliques(const Interrupt& interrupt) {
    for_each_conflict_clique(*flat_, interrupt, [&](const List<Index>& clique) {
      for (const Index i : clique) add_to_section(i);
      ++result_.sections;
    });
  }

  [[nodiscard]] bool add_apart() {
    for (const IndexPair& pair : flat_->apart) {
      if (interrupt_.at(result_.sections)) return false;
      bool differ = result_.body_of[pair.first] != result_.body_of[pair.second];
      for (const Index i : {pair.first, pair.second})
        differ = differ && flat_->buffers[i].size > 0;
      if (!differ) continue;
      for (const Index i : {pair.first, pair.second}) add_to_section(i);
      ++result_.sections;
    }
    return true;
  }

  /// Adds all bytes of buffer i to the section behind all others.
  void add_to_section(Index i) {
    Slab slab = slab_of(i, {0, flat_->buffers[i].size});
    slab.sections = {result_.sections, result_.sections + 1};
    result_.slabs.push_back(slab);
  }

  /// Sorts the slabs by body, each body's as they came.
  [[nodiscard]] bool gather() {
    for (const Slab& slab : result_.slabs)
      ++result_.bodies[slab.body].slabs.upper;
    Index end = 0;
    for (Body& body : result_.bodies) {
      end += body.slabs.upper;
      body.slabs = {end - body.slabs.upper, end - body.slabs.upper};
    }
    List<Slab> slabs(result_.slabs.size());
    for (Index k = 0; k < slabs.size(); ++k) {
      if (interrupt_.at(k)) return false;
      const Slab& slab = result_.slabs[k];
      slabs[result_.bodies[slab.body].slabs.upper++] = slab;
    }
    result_.slabs.swap(slabs);
    return true;
  }

  const Flat* flat_;
  Interrupt interrupt_;
  List<Grid> grids_;
  List<Timed> timed_;
  List<Slab> for_all_time_;
  Bodies result_;
  std::size_t peak_bytes_ = 0;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_BODIES_BODY_BUILDER_HPP
