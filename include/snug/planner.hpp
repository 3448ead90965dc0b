// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Planner: a placement to which a host adds buffer after buffer, at the cost of
/// what changes instead of the whole.
///
///     x is new      is there a hole for x?                    yes  it goes there
///        |    no        nobody moves
///        v
///     round 1   free the buffers that are live together with x; those that are
///        |      live together with them stay: solve these   fits  some moved
///        v
///               do x and its neighbours fit without the others?  no  infeasible
///        |
///     round 2   free the neighbours of those as well, ...
///        v
///     the last  nobody is left to be freed                     no  infeasible
///
/// *Why "infeasible" is right.* A part of the buffers, with those that are fixed
/// where they are, fits wherever all do. So does what is left in the last
/// round: nobody outside is live together with a buffer that is free to move.
///
/// Where aliases, contiguous groups, pairs kept apart or pairs that may overlap
/// relate buffers that are not live together, there is one round: all.
///
/// It calls solve(), which snug/solve.hpp defines, or snug::compiled.
///
/// Cost: O(n + d log d) time for a buffer with d neighbours that fits a hole; else
/// solves of the neighbours, then of theirs, and so on. O(n) memory. Buffers that were
/// removed count in n: a host that adds and removes for ever makes a new Planner of those
/// that are left now and then. So does one that adds an alias, a group or a pair, none of
/// which a buffer can bring.
#ifndef SNUG_PLANNER_HPP
#define SNUG_PLANNER_HPP

#include "snug/api.hpp"
#include "snug/config.hpp"
#include "snug/explain/spots.hpp"
#include "snug/model/busy_times.hpp"
#include "snug/model/check.hpp"
#include "snug/model/subset.hpp"
#include "snug/plan/budget.hpp"
#include "snug/plan/call.hpp"
#include "snug/support/list.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE

/// A problem that grows, and a placement of it below a capacity.
template <class Size = std::int64_t, class Time = std::int64_t>
class Planner {
 public:
  /// Begins with no buffers.
  explicit Planner(Size capacity) : capacity_(capacity) {}

  /// Begins with a placement of a well-formed `problem` below `capacity`, as
  /// solve() returns it.
  Planner(Problem<Size, Time> problem, std::vector<Size> offsets, Size capacity)
      : problem_(std::move(problem)),
        offsets_(std::move(offsets)),
        capacity_(capacity) {
    SNUG_ASSERT(offsets_.size() == problem_.buffers.size() &&
                "Planner: an offset for each buffer");
    for (const Buffer<Size, Time>& buffer : problem_.buffers)
      sum_ += padded_size(buffer);
    for (const Reserved<Size, Time>& reserved : problem_.reserved)
      highest_ = (std::max)(highest_, std::int64_t{reserved.bytes.upper});
    for (std::size_t i = 0; i < offsets_.size(); ++i)
      highest_ = (std::max)(highest_, std::int64_t{bytes_of(i).upper});
  }

  /// All buffers, in the order in which they came.
  [[nodiscard]] const Problem<Size, Time>& problem() const noexcept {
    return problem_;
  }
  /// Where they are.
  [[nodiscard]] const std::vector<Size>& offsets() const noexcept {
    return offsets_;
  }

  /// Adds a buffer, and places it at its hint, or as low as it can be without
  /// another one moving; where there are gaps or ends of memory, perhaps
  /// elsewhere although that is free. Where there is no such offset, others that
  /// are not fixed move.
  ///
  /// Status::kFeasible: it is the last buffer now, and Result::moved are those
  /// that were elsewhere before. Otherwise there is no such buffer, and all stay
  /// where they were: kInfeasible, proved; kUnknown, a limit was hit; kInvalid,
  /// Result::error says why. There is no lower bound but 0. Nor is there such a
  /// buffer if this throws for want of memory.
  Result<Size> add(const Buffer<Size, Time>& buffer,
                   const Options& options = {}) {
    detail::Budget budget(options);
    Result<Size> result;
    Attempt attempt(*this, buffer);
    result.error = check_added();
    if (result.error.ok()) {
      if (fit_hole())
        result.status = Status::kFeasible;
      else
        move_others(budget, result);
    }
    result.stats.nodes = budget.stats().nodes;
    result.stats.seconds = budget.stats().seconds;
    if (!result.has_solution()) return result;
    result.offsets = offsets_;
    for (std::size_t i = 0; i < offsets_.size(); ++i)
      result.height = (std::max)(result.height, bytes_of(i).upper);
    sum_ += padded_size(buffer);
    highest_ = (std::max)(highest_, std::int64_t{result.height});
    attempt.keep();
    return result;
  }

  /// Lets a buffer stay where it is from now on.
  void fix(std::size_t i) {
    SNUG_ASSERT(i < offsets_.size() && "Planner::fix: index of a buffer");
    problem_.buffers[i].offset = offsets_[i];
  }
  /// Lets a buffer move again, if others need its place.
  void unfix(std::size_t i) {
    SNUG_ASSERT(i < offsets_.size() && "Planner::unfix: index of a buffer");
    problem_.buffers[i].offset.reset();
  }
  /// Whether a buffer is in a contiguous group.
  [[nodiscard]] bool is_in_group(std::size_t i) const {
    return std::any_of(problem_.contiguous.begin(), problem_.contiguous.end(),
                       [&](const std::vector<std::size_t>& group) {
                         return std::find(group.begin(), group.end(), i) !=
                                group.end();
                       });
  }
  /// Takes the bytes of a buffer back. It keeps its index, with a size of zero;
  /// so it must not be in a contiguous group, where others begin at its end.
  void remove(std::size_t i) {
    SNUG_ASSERT(i < offsets_.size() && "Planner::remove: index of a buffer");
    SNUG_ASSERT(!is_in_group(i) && "Planner::remove: in no contiguous group");
    sum_ -= static_cast<double>(problem_.buffers[i].size);
    problem_.buffers[i].size = 0;
    // The windows of gaps are within the bytes of their buffer.
    problem_.buffers[i].gaps.clear();
  }

 private:
  using Indices = std::vector<std::size_t>;

  /// A last buffer, which goes away again if nobody wants to keep it.
  class Attempt {
   public:
    Attempt(Planner& planner, const Buffer<Size, Time>& buffer)
        : planner_(&planner) {
      std::vector<Size>& offsets = planner.offsets_;
      if (offsets.size() == offsets.capacity())
        offsets.reserve(2 * offsets.size() + 1);
      planner.problem_.buffers.push_back(buffer);
      offsets.push_back(0);
    }
    Attempt(const Attempt&) = delete;
    Attempt& operator=(const Attempt&) = delete;
    ~Attempt() {
      if (is_kept_) return;
      planner_->problem_.buffers.pop_back();
      planner_->offsets_.pop_back();
    }
    void keep() noexcept { is_kept_ = true; }

   private:
    Planner* planner_;
    bool is_kept_ = false;
  };

  /// The last buffer is the new one.
  [[nodiscard]] std::size_t added() const noexcept {
    return problem_.buffers.size() - 1;
  }
  [[nodiscard]] bool has_relations() const noexcept {
    return !problem_.aliases.empty() || !problem_.contiguous.empty() ||
           !problem_.apart.empty() || !problem_.may_overlap.empty();
  }
  [[nodiscard]] bool is_fixed(std::size_t i) const noexcept {
    return problem_.buffers[i].offset.has_value();
  }
  [[nodiscard]] Interval<Size> bytes_of(std::size_t i) const {
    return {offsets_[i],
            static_cast<Size>(offsets_[i] + problem_.buffers[i].size)};
  }

  /// The size and at least what alignments may cost.
  [[nodiscard]] double padded_size(const Buffer<Size, Time>& buffer) const {
    return static_cast<double>(buffer.size) +
           static_cast<double>(buffer.alignment) *
               static_cast<double>(problem_.alignment);
  }

  /// What is wrong with the new buffer by itself, or with the sum of all.
  [[nodiscard]] Check check_added() const {
    Check error;
    detail::check_capacity(capacity_, error);
    if (!error.ok()) return error;
    Problem<Size, Time> alone;
    alone.base = problem_.base;
    alone.alignment = problem_.alignment;
    alone.reserved = problem_.reserved;
    alone.buffers.push_back(problem_.buffers.back());
    error = detail::check<false>(alone);
    if (error.buffer == 0) error.buffer = added();
    if (error.entry == Entry::kBuffer) error.index = added();
    // Far below the limit of sums there is no need to look at all others: they must
    // fit on top of all that is fixed or reserved.
    constexpr double kFew = std::int64_t{1} << 60;
    const Buffer<Size, Time>& buffer = problem_.buffers.back();
    const double sum = sum_ + padded_size(buffer) +
                       static_cast<double>(problem_.base) +
                       static_cast<double>(highest_) +
                       static_cast<double>(buffer.offset.value_or(Size{0}));
    return error.ok() && sum > kFew ? detail::check<false>(problem_) : error;
  }

  /// Places the new buffer where nobody is, if it can be.
  [[nodiscard]] bool fit_hole() {
    const Buffer<Size, Time>& buffer = problem_.buffers.back();
    if (buffer.end != End::kAny) return false;
    detail::List<detail::SpotScan::Edge> edges;
    if (buffer.size > 0) {
      edges = detail::edges_around(problem_, added(), offsets_);
      std::size_t owner = problem_.buffers.size();
      for (const Reserved<Size, Time>& reserved : problem_.reserved) {
        ++owner;
        if (reserved.lifespan && !reserved.lifespan->overlaps(buffer.lifespan))
          continue;
        edges.push_back({std::int64_t{reserved.bytes.lower}, owner, true});
        edges.push_back({std::int64_t{reserved.bytes.upper}, owner, false});
      }
    }
    const std::int64_t size = buffer.size;
    // Above that, no offset can be fixed.
    const Interval<std::int64_t> all{
        problem_.base, (std::min)(std::int64_t{capacity_}, detail::kMaxTotal)};
    const auto take_hole = [&](const Interval<std::int64_t>& bounds) {
      if (bounds.upper < bounds.lower || !all.contains(bounds)) return false;
      const detail::Spots spots =
          detail::SpotScan(size, std::lcm(std::int64_t{buffer.alignment},
                                          std::int64_t{problem_.alignment}))
              .run(bounds, edges);
      if (spots.hole) offsets_.back() = static_cast<Size>(*spots.hole);
      return spots.hole.has_value();
    };
    const std::optional<Size> wish =
        buffer.offset ? buffer.offset : buffer.hint;
    if (wish && *wish <= all.upper - size && take_hole({*wish, *wish + size}))
      return true;
    return !buffer.offset && take_hole(all);
  }

  /// Places the new buffer by moving others, round after round.
  void move_others(detail::Budget& budget, Result<Size>& result) {
    detail::List<bool> is_free(problem_.buffers.size(), false);
    is_free[added()] = true;
    Indices neighbours = reach(is_free);
    std::int64_t nodes_each = detail::kFirstNodes;
    result.status = Status::kUnknown;
    while (result.status == Status::kUnknown) {
      for (const std::size_t i : neighbours)
        is_free[i] = is_free[i] || !is_fixed(i);
      const Indices part = reach(is_free);
      const bool is_last =
          std::all_of(part.begin(), part.end(),
                      [&](std::size_t i) { return is_free[i] || is_fixed(i); });
      const std::int64_t nodes =
          is_last ? detail::kNoNodeLimit
                  : detail::multiply_nodes(
                        nodes_each, static_cast<std::int64_t>(part.size()));
      const Result<Size> moved = solve_part(part, is_free, nodes, budget);
      // Those that stay may be so high that sums with them are too large.
      const bool is_too_high =
          moved.error.reason == Reason::kSizeOverflow && !is_last;
      if (moved.status == Status::kInvalid && !is_too_high) {
        result.status = Status::kInvalid;
        result.error = renamed(moved.error, part);
      } else if (moved.has_solution()) {
        result.status = Status::kFeasible;
        take(part, moved.offsets, result.moved);
      } else if (is_last) {
        result.status = moved.status;
        result.stopped_by = moved.stopped_by;
        return;
      } else if (moved.status == Status::kInfeasible &&
                 solve_part(neighbours, is_free, nodes, budget).status ==
                     Status::kInfeasible) {
        result.status = Status::kInfeasible;
      }
      if (budget.is_spent() && result.status == Status::kUnknown) {
        result.stopped_by = budget.stopped_by();
        return;
      }
      neighbours = part;
      nodes_each = detail::longer_turn(nodes_each);
    }
  }

  /// Those that are free, and those that are live together with one of them.
  [[nodiscard]] Indices reach(const detail::List<bool>& is_free) const {
    const std::vector<Buffer<Size, Time>>& all = problem_.buffers;
    detail::BusyTimes busy(all.size());
    for (std::size_t i = 0; i < all.size(); ++i)
      if (is_free[i] && all[i].size > 0) busy.add(all[i].lifespan);
    busy.merge();
    Indices result;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (is_free[i] || has_relations() ||
          (all[i].size > 0 && busy.overlaps(all[i].lifespan)))
        result.push_back(i);
    return result;
  }

  /// Solves for a part of the buffers. Those that are not free stay where they
  /// are, and the others would like to.
  [[nodiscard]] Result<Size> solve_part(const Indices& part,
                                        const detail::List<bool>& is_free,
                                        std::int64_t nodes,
                                        detail::Budget& budget) const {
    Problem<Size, Time> some = subset(problem_, part);
    for (std::size_t k = 0; k < part.size(); ++k) {
      if (part[k] == added()) continue;
      some.buffers[k].hint = offsets_[part[k]];
      if (!is_free[part[k]]) some.buffers[k].offset = offsets_[part[k]];
    }
    Result<Size> result = solve(some, capacity_, budget.share(nodes));
    budget.add(result.stats, result.stopped_by);
    return result;
  }

  /// Lets the buffers of a part be at `offsets`; notes which ones have moved.
  void take(const Indices& part, const std::vector<Size>& offsets,
            Indices& moved) {
    for (std::size_t k = 0; k < part.size(); ++k)
      if (part[k] != added() && offsets_[part[k]] != offsets[k])
        moved.push_back(part[k]);
    put_back(part, offsets, offsets_);
  }

  /// What check() says of a part, with the indices of the whole.
  [[nodiscard]] static Check renamed(Check error, const Indices& part) {
    if (error.buffer != Check::kNoBuffer) error.buffer = part[error.buffer];
    if (error.other != Check::kNoBuffer) error.other = part[error.other];
    if (error.entry == Entry::kBuffer) error.index = error.buffer;
    return error;
  }

  Problem<Size, Time> problem_{};
  std::vector<Size> offsets_{};
  Size capacity_;
  /// Of all padded sizes, or more. Kept, as add() takes half as long again
  /// where it adds them up.
  double sum_ = 0;
  /// No buffer, and nothing reserved, ends above it.
  std::int64_t highest_ = 0;
};

SNUG_END_NAMESPACE

#endif  // SNUG_PLANNER_HPP
