// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A constrained problem as rigid bodies that only move up and down.
///
/// Every constraint of the model becomes one of three things:
///
///   - *Slabs.* A body is a set of rectangles, each a run of sections times a
///     range of bytes relative to the body's offset. A plain buffer is one
///     slab; gaps and windows cut it into several; buffers tied by aliases or
///     contiguous groups are one body with the slabs of all, so ties are exact,
///     whatever holes there are between the members. Reserved ranges are slabs
///     of bodies that are fixed. Each pair kept apart gets a section of its
///     own, behind all others, in which both occupy all of their bytes; so do
///     cliques (conflict_cliques.hpp), of all bytes or some.
///   - *A grid* of the offsets that suit the alignments of all members.
///   - *A fixed offset.*
///
///         8 +-----+     +-----+      b: 8 bytes, a gap, then the window
///           |  b  |     |     |      [4, 8), tied to a at b's offset + 2:
///         4 |     |     +-----+      one body of three slabs
///         2 |     | +-------+
///         0 +-----+ |   a   |
///                   +-------+
///
/// Two slabs of different bodies that share a section are in conflict unless
/// their buffers may overlap. What it takes for bodies not to meet is worked
/// out in relations.hpp.
///
/// *Unit.* All byte counts are divided by the largest number that divides all
/// of them and divides, or is divided by, the step of each grid; see
/// plain/instance.hpp for why nothing is lost.
///
/// Cost: O(p log p) time and O(p) memory for p slabs.
#ifndef SNUG_BODIES_BODIES_HPP
#define SNUG_BODIES_BODIES_HPP

#include "snug/bodies/conflict_cliques.hpp"
#include "snug/config.hpp"
#include "snug/model/event.hpp"
#include "snug/model/interval.hpp"
#include "snug/model/problem.hpp"
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

/// Bytes, in units and relative to its body's offset, that a buffer occupies
/// throughout a run of sections.
struct Slab {
  Interval<Index> sections{};
  Interval<std::int64_t> bytes{};
  Index body = 0;
  Index buffer = 0;  ///< in input order; kNoBuffer for reserved ranges
  End end = End::kAny;
};

struct Body {
  static constexpr std::int64_t kFree = -1;

  std::int64_t first = 0;  ///< lowest offset of its grid that is allowed
  std::int64_t step = 1;
  std::int64_t extent = 0;  ///< its members end at most this far above it
  std::int64_t fixed = kFree;
  Interval<Index> slabs{};
  double width = 0;  ///< the user's time that its slabs cover
  double area = 0;   ///< that time multiplied by their bytes

  [[nodiscard]] bool is_fixed() const noexcept { return fixed != kFree; }
};

struct Bodies {
  static constexpr Index kNoBuffer = ~Index{0};

  std::int64_t unit = 1;
  List<Index> body_of{};       ///< of each buffer, in input order
  List<std::int64_t> delta{};  ///< of each buffer in its body, in units
  List<Body> bodies{};
  List<Slab> slabs{};  ///< by body
  Index sections = 0;
  Index times = 0;  ///< sections that are of time; the others keep pairs apart
  List<IndexPair> exempt{};  ///< both ways, sorted

  [[nodiscard]] std::size_t bytes() const noexcept {
    return bytes_of(body_of, delta, bodies, slabs, exempt);
  }

  /// The offset of a buffer in bytes, with its body at `at`.
  [[nodiscard]] std::int64_t offset_of(Index buffer,
                                       std::int64_t at) const noexcept {
    return (at + delta[buffer]) * unit;
  }
  /// Writes the offsets of all buffers in bytes, with their bodies at `at`.
  void write_offsets(const List<std::int64_t>& at,
                     List<std::int64_t>& offsets) const {
    offsets.resize(body_of.size());
    for (Index i = 0; i < offsets.size(); ++i)
      offsets[i] = offset_of(i, at[body_of[i]]);
  }
  /// Where its body is, with a buffer at `offset` bytes.
  [[nodiscard]] std::int64_t body_at(Index buffer,
                                     std::int64_t offset) const noexcept {
    return offset / unit - delta[buffer];
  }

  /// Offsets with those of fixed bodies alone.
  [[nodiscard]] List<std::int64_t> fixed_offsets() const {
    List<std::int64_t> result(bodies.size(), 0);
    for (Index b = 0; b < result.size(); ++b)
      if (bodies[b].is_fixed()) result[b] = bodies[b].fixed;
    return result;
  }
  /// Calls visit(k) for each slab of a body.
  template <class Visit>
  void for_each_slab(Index b, Visit&& visit) const {
    const Interval<Index> of_body = bodies[b].slabs;
    for (Index k = of_body.lower; k < of_body.upper; ++k) visit(k);
  }

  /// Whether a buffer may overlap any other.
  [[nodiscard]] bool is_exempt(Index buffer) const {
    const auto found =
        std::lower_bound(exempt.begin(), exempt.end(), IndexPair{buffer, 0});
    return found != exempt.end() && found->first == buffer;
  }

  /// Whether two slabs that share a section must not share bytes.
  [[nodiscard]] bool exclude(const Slab& a, const Slab& b) const {
    return a.body != b.body &&
           (exempt.empty() ||
            !std::binary_search(exempt.begin(), exempt.end(),
                                IndexPair{a.buffer, b.buffer}));
  }
};

/// Time in blocks of sections, for lists of what is near.
struct SectionBlocks {
  static constexpr Index kCount = 512;  ///< a power of two

  explicit SectionBlocks(const Bodies& bodies)
      : per_block(bodies.sections / kCount + 1) {}

  /// The blocks of a run of sections.
  [[nodiscard]] Interval<Index> of(Interval<Index> sections) const noexcept {
    return {sections.lower / per_block, (sections.upper - 1) / per_block + 1};
  }

  Index per_block;
};

/// The slabs of all bodies in order of their first sections.
[[nodiscard]] inline List<Index> slabs_in_time(const Bodies& bodies) {
  List<Index> order(bodies.slabs.size());
  for (Index k = 0; k < order.size(); ++k) order[k] = k;
  heap_sort(order, [&](Index a, Index b) {
    const Index x = bodies.slabs[a].sections.lower;
    const Index y = bodies.slabs[b].sections.lower;
    return x != y ? x < y : a < b;
  });
  return order;
}

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

  /// Of no use if it is interrupted. Without what bounds look for alone, cliques,
  /// it takes far less time.
  [[nodiscard]] Bodies build(Cliques cliques = Cliques::kOfPairs) {
    if (!number_bodies()) return {};
    result_.unit = unit_of(*flat_, grids_);
    for (std::int64_t& delta : result_.delta) delta /= result_.unit;
    for (const auto& [a, b] : flat_->may_overlap) {
      result_.exempt.push_back({a, b});
      result_.exempt.push_back({b, a});
    }
    heap_sort(result_.exempt);
    make_bodies();
    add_reserved();
    if (!cut_into_sections()) return {};
    if (cliques != Cliques::kNone) add_cliques(cliques);
    add_apart();
    gather();
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
      const Index root = flat_->root.empty() ? i : flat_->root[i];
      result_.body_of[i] =
          root == i ? static_cast<Index>(grids_.size()) : result_.body_of[root];
      if (root == i) grids_.push_back({});
      Grid& grid = grids_[result_.body_of[i]];
      grid = align_grid(grid, result_.delta[i], flat_->buffers[i].alignment);
    }
    return true;
  }

  void make_bodies() {
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
      if (interrupt_.at(i)) return;
      const FlatBuffer& buffer = flat_->buffers[i];
      Body& body = result_.bodies[result_.body_of[i]];
      const std::int64_t delta = result_.delta[i];
      body.extent = (std::max)(body.extent, delta + buffer.size / unit);
      if (flat_->is_fixed(i)) body.fixed = flat_->fixed[i] / unit - delta;
      // One slab for each stretch between gaps and for each window.
      std::int64_t from = buffer.lifespan.lower;
      for (; gap < flat_->gaps.size() && flat_->gaps[gap].buffer == i; ++gap) {
        const FlatGap& next = flat_->gaps[gap];
        add_slab(i, {from, next.lifespan.lower}, {0, buffer.size});
        add_slab(i, next.lifespan, next.window);
        from = next.lifespan.upper;
      }
      add_slab(i, {from, buffer.lifespan.upper}, {0, buffer.size});
    }
  }

  /// Bytes of buffer i, relative to it, that it occupies for some time.
  void add_slab(Index i, const Interval<std::int64_t>& time,
                const Interval<std::int64_t>& bytes) {
    if (time.empty() || bytes.empty()) return;
    Body& body = result_.bodies[result_.body_of[i]];
    const Slab slab = slab_of(i, bytes);
    timed_.push_back({slab, time});
    const double width = rounded(static_cast<double>(time.upper) -
                                 static_cast<double>(time.lower));
    body.width = rounded(body.width + width);
    body.area = rounded(body.area +
                        rounded(width * static_cast<double>(slab.bytes.upper -
                                                            slab.bytes.lower)));
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
    result_.slabs.reserve(timed_.size() + for_all_time_.size());
    for (std::size_t k = 0; k < timed_.size(); ++k) {
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
  /// another; but it says nothing of who lies below.
  void add_cliques(Cliques cliques) {
    ConflictCliques(*flat_, cliques, interrupt_)
        .for_each([&](const List<Index>& clique,
                      const List<Interval<std::int64_t>>& bytes) {
          for (const Index i : clique) {
            Slab slab = slab_of(i, bytes[i]);
            slab.end = End::kAny;
            add_to_section(slab);
          }
          ++result_.sections;
        });
  }

  void add_apart() {
    for (const IndexPair& pair : flat_->apart) {
      bool differ = result_.body_of[pair.first] != result_.body_of[pair.second];
      for (const Index i : {pair.first, pair.second})
        differ = differ && flat_->buffers[i].size > 0;
      if (!differ) continue;
      for (const Index i : {pair.first, pair.second})
        add_to_section(slab_of(i, {0, flat_->buffers[i].size}));
      ++result_.sections;
    }
  }

  /// Adds a slab to the section behind all others.
  void add_to_section(Slab slab) {
    slab.sections = {result_.sections, result_.sections + 1};
    result_.slabs.push_back(slab);
  }

  /// Sorts the slabs by body, each body's as they came.
  void gather() {
    for (const Slab& slab : result_.slabs)
      ++result_.bodies[slab.body].slabs.upper;
    Index end = 0;
    for (Body& body : result_.bodies) {
      end += body.slabs.upper;
      body.slabs = {end - body.slabs.upper, end - body.slabs.upper};
    }
    List<Slab> slabs(result_.slabs.size());
    for (const Slab& slab : result_.slabs)
      slabs[result_.bodies[slab.body].slabs.upper++] = slab;
    result_.slabs.swap(slabs);
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

#endif  // SNUG_BODIES_BODIES_HPP
