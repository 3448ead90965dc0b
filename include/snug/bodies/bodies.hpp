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
///     own, behind all others, in which both occupy all of their bytes.
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

#include "snug/config.hpp"
#include "snug/model/event.hpp"
#include "snug/model/interval.hpp"
#include "snug/model/pieces.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/ties.hpp"
#include "snug/sweep/sweep.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

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
};

struct Bodies {
  static constexpr Index kNoBuffer = ~Index{0};

  std::int64_t unit = 1;
  std::vector<Index> body_of{};       ///< of each buffer, in input order
  std::vector<std::int64_t> delta{};  ///< of each buffer in its body, in units
  std::vector<Body> bodies{};
  std::vector<Slab> slabs{};  ///< by body
  Index sections = 0;
  Index times = 0;  ///< sections that are of time; the others keep pairs apart
  std::vector<std::pair<Index, Index>> exempt{};  ///< both ways, sorted

  /// Whether a buffer may overlap any other.
  [[nodiscard]] bool is_exempt(Index buffer) const {
    const auto found = std::lower_bound(exempt.begin(), exempt.end(),
                                        std::make_pair(buffer, Index{0}));
    return found != exempt.end() && found->first == buffer;
  }

  /// Whether two slabs that share a section must not share bytes.
  [[nodiscard]] bool conflict(const Slab& a, const Slab& b) const {
    return a.body != b.body &&
           (exempt.empty() ||
            !std::binary_search(exempt.begin(), exempt.end(),
                                std::make_pair(a.buffer, b.buffer)));
  }
};

/// The largest unit for a problem, and perhaps its hints; at least 1.
template <class Size, class Time>
[[nodiscard]] std::int64_t unit_of(const Problem<Size, Time>& problem,
                                   const Ties& ties,
                                   const std::vector<Grid>& grids,
                                   bool with_hints) {
  std::int64_t unit = std::int64_t{problem.base};
  const auto divide = [&](std::int64_t n) { unit = std::gcd(unit, n); };
  for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
    const Buffer<Size, Time>& buffer = problem.buffers[i];
    divide(std::int64_t{buffer.size});
    divide(ties.delta[i]);
    if (buffer.offset) divide(std::int64_t{*buffer.offset});
    if (with_hints && buffer.hint) divide(std::int64_t{*buffer.hint});
    for (const Gap<Size, Time>& gap : buffer.gaps) {
      if (!gap.window) continue;
      divide(std::int64_t{gap.window->lower});
      divide(std::int64_t{gap.window->upper});
    }
  }
  for (const Reserved<Size, Time>& reserved : problem.reserved) {
    divide(std::int64_t{reserved.bytes.lower});
    divide(std::int64_t{reserved.bytes.upper});
  }
  for (const Grid& grid : grids) divide(grid.first);
  for (bool stable = false; !stable;) {
    stable = true;
    for (const Grid& grid : grids) {
      if (unit % grid.step == 0 || (unit != 0 && grid.step % unit == 0))
        continue;
      divide(grid.step);
      stable = false;
    }
  }
  return (std::max)(unit, std::int64_t{1});
}

template <class Size, class Time>
class BodyBuilder {
 public:
  explicit BodyBuilder(const Problem<Size, Time>& problem)
      : problem_(&problem), ties_(tie(problem)) {}

  /// with_hints: hints are to be multiples of the unit, too.
  [[nodiscard]] Bodies build(bool with_hints) {
    number_bodies();
    result_.unit = unit_of(*problem_, ties_, grids_, with_hints);
    for (std::int64_t& delta : result_.delta) delta /= result_.unit;
    for (const BufferPair& pair : problem_->may_overlap) {
      const auto a = static_cast<Index>(pair.first);
      const auto b = static_cast<Index>(pair.second);
      result_.exempt.emplace_back(a, b);
      result_.exempt.emplace_back(b, a);
    }
    std::sort(result_.exempt.begin(), result_.exempt.end());
    make_bodies();
    add_reserved();
    cut_into_sections();
    add_apart();
    gather();
    return std::move(result_);
  }

 private:
  /// A slab, and the time that it takes.
  struct Timed {
    Slab slab;
    Interval<Time> time;
  };

  void number_bodies() {
    const std::size_t n = problem_->buffers.size();
    result_.body_of.resize(n);
    result_.delta = ties_.delta;
    // A root comes before the other members of its class.
    for (Index i = 0; i < n; ++i) {
      const std::uint32_t root = ties_.root[i];
      result_.body_of[i] =
          root == i ? static_cast<Index>(grids_.size()) : result_.body_of[root];
      if (root == i) grids_.emplace_back();
      align_member(*problem_, ties_, i, grids_[result_.body_of[i]]);
    }
  }

  void make_bodies() {
    const std::int64_t unit = result_.unit;
    const std::int64_t base = std::int64_t{problem_->base} / unit;
    result_.bodies = std::vector<Body>(grids_.size());
    for (std::size_t b = 0; b < grids_.size(); ++b) {
      Body& body = result_.bodies[b];
      body.step = (std::max)(grids_[b].step / unit, std::int64_t{1});
      body.first = grids_[b].first / unit % body.step;
      if (body.first < base)
        body.first +=
            (base - body.first + body.step - 1) / body.step * body.step;
    }
    std::vector<Gap<Size, Time>> sorted_gaps;
    std::vector<Piece<Size, Time>> pieces;
    for (Index i = 0; i < problem_->buffers.size(); ++i) {
      const Buffer<Size, Time>& buffer = problem_->buffers[i];
      Body& body = result_.bodies[result_.body_of[i]];
      const std::int64_t delta = result_.delta[i];
      body.extent =
          (std::max)(body.extent, delta + std::int64_t{buffer.size} / unit);
      if (buffer.offset)
        body.fixed = std::int64_t{*buffer.offset} / unit - delta;
      pieces.clear();
      append_pieces(buffer, i, Size{0}, sorted_gaps, pieces);
      for (const Piece<Size, Time>& piece : pieces) {
        Slab slab;
        slab.bytes = {delta + std::int64_t{piece.bytes.lower} / unit,
                      delta + std::int64_t{piece.bytes.upper} / unit};
        slab.body = result_.body_of[i];
        slab.buffer = i;
        slab.end = buffer.end;
        timed_.push_back({slab, piece.time});
        const double width = static_cast<double>(piece.time.upper) -
                             static_cast<double>(piece.time.lower);
        body.width += width;
        body.area +=
            width * static_cast<double>(slab.bytes.upper - slab.bytes.lower);
      }
    }
  }

  /// All reserved ranges are one body, as they may overlap.
  void add_reserved() {
    if (problem_->reserved.empty()) return;
    Body body;
    body.fixed = 0;
    for (const Reserved<Size, Time>& reserved : problem_->reserved) {
      Slab slab;
      slab.body = static_cast<Index>(result_.bodies.size());
      slab.buffer = Bodies::kNoBuffer;
      slab.bytes = {std::int64_t{reserved.bytes.lower} / result_.unit,
                    std::int64_t{reserved.bytes.upper} / result_.unit};
      if (reserved.lifespan) {
        timed_.push_back({slab, *reserved.lifespan});
      } else {
        for_all_time_.push_back(slab);
      }
    }
    result_.bodies.push_back(body);
  }

  void cut_into_sections() {
    Events<Time> events(timed_.size());
    for (std::size_t k = 0; k < timed_.size(); ++k)
      events.add(timed_[k].time, k);
    events.sort();
    std::vector<Interval<Index>> spans(timed_.size());
    result_.sections = number_sections(events, spans.data());
    result_.times = result_.sections;
    for (std::size_t k = 0; k < timed_.size(); ++k) {
      result_.slabs.push_back(timed_[k].slab);
      result_.slabs.back().sections = spans[k];
    }
    for (Slab slab : for_all_time_) {
      slab.sections = {0, result_.sections};
      if (result_.sections > 0) result_.slabs.push_back(slab);
    }
  }

  void add_apart() {
    for (const BufferPair& pair : problem_->apart) {
      bool differ = result_.body_of[pair.first] != result_.body_of[pair.second];
      for (const std::size_t i : {pair.first, pair.second})
        differ = differ && problem_->buffers[i].size > 0;
      if (!differ) continue;
      for (const std::size_t i : {pair.first, pair.second}) {
        Slab slab;
        slab.sections = {result_.sections, result_.sections + 1};
        slab.body = result_.body_of[i];
        slab.buffer = static_cast<Index>(i);
        slab.bytes = {
            result_.delta[i],
            result_.delta[i] +
                std::int64_t{problem_->buffers[i].size} / result_.unit};
        slab.end = problem_->buffers[i].end;
        result_.slabs.push_back(slab);
      }
      ++result_.sections;
    }
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
    std::vector<Slab> slabs(result_.slabs.size());
    for (const Slab& slab : result_.slabs)
      slabs[result_.bodies[slab.body].slabs.upper++] = slab;
    result_.slabs.swap(slabs);
  }

  const Problem<Size, Time>* problem_;
  Ties ties_;
  std::vector<Grid> grids_;
  std::vector<Timed> timed_;
  std::vector<Slab> for_all_time_;
  Bodies result_;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_BODIES_BODIES_HPP
