// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What snug does, without how: the model and the declarations of all that
/// solves. The definitions are in the header named after each function, or in
/// the library `snug::compiled` for 64-bit problems: a file that includes only
/// this one compiles in a fraction of a second, and links with that.
#ifndef SNUG_API_HPP
#define SNUG_API_HPP

#include "snug/config.hpp"
#include "snug/model/certificate.hpp"
#include "snug/model/explanation.hpp"
#include "snug/model/lifespan.hpp"
#include "snug/model/options.hpp"
#include "snug/model/penalty_result.hpp"
#include "snug/model/pool.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/reason.hpp"
#include "snug/model/result.hpp"
#include "snug/model/tuning.hpp"

#include <cstdint>
#include <vector>

SNUG_BEGIN_NAMESPACE

/// Finds an offset for each buffer such that no two buffers meet, all
/// constraints of the problem hold and no top is above `capacity`, or proves
/// that there are none.
///
/// Result::lower_bound is the load (with alignments, see
/// bounds/aligned_load.hpp), or more when the answer is "infeasible": then it
/// is at least capacity + 1, if the size type has that number. An
/// invalid problem or a negative capacity gives Status::kInvalid, with
/// the reason in Result::error. Buffers of size zero constrain nothing.
///
/// Exponential time in the worst case, hence the limits in `options`. Memory:
/// O(n + sections), plus at most 64 MiB for who overlaps whom,
/// Tuning::failed_state_bytes, and the path of the search; with constraints
/// some 100 bytes for each pair of buffers that are live together, too.
/// Options::memory_limit bounds these.
///
/// small.hpp has the same in less code, plain.hpp without constraints.
template <class Size, class Time>
[[nodiscard]] Result<Size> solve(
    const Problem<Size, Time>& problem,
    typename Problem<Size, Time>::SizeType capacity,
    const Options& options = {});

/// Finds a placement of the lowest height.
///
/// Status::kOptimal, unless something stops it: then the best placement known,
/// if any (Status::kFeasible), with a lower bound that is valid all the same. An
/// invalid problem gives Status::kInvalid; one that has no placement
/// whose height the size type can hold, Status::kInfeasible.
///
/// Hints are tried at the height that was found.
///
/// Cost: as solve(), for several capacities.
template <class Size, class Time>
[[nodiscard]] Result<Size> minimize(const Problem<Size, Time>& problem,
                                    const Options& options = {});

/// minimize() as far as `capacity` allows: Status::kInfeasible as soon as it is
/// proved that no placement is within it, and none above it is returned.
template <class Size, class Time>
[[nodiscard]] Result<Size> minimize_within(
    const Problem<Size, Time>& problem,
    typename Problem<Size, Time>::SizeType capacity,
    const Options& options = {});

/// Finds buffers of which no placement is within `capacity` although there is
/// one of every proper subset of them; see Explanation.
///
/// All constraints of the model count: those left out take theirs with them
/// (model/subset.hpp). The limits of `options` are for the whole call, which
/// may be stopped before all of `buffers` are known to be necessary; they do
/// not fit all the same. Without a time limit the result is the same on every
/// machine. Progress reports count the nodes of all solves.
///
/// Cost: O(n log n) if the load exceeds the capacity, else that of refuting
/// the problem, or a part of it, and some tries of smaller parts.
template <class Size, class Time>
[[nodiscard]] Explanation<Time> explain(
    const Problem<Size, Time>& problem,
    typename Problem<Size, Time>::SizeType capacity,
    const Options& options = {});

/// Proves that the buffers do not fit below `capacity`, in a text that others
/// can check; certify.hpp has the format and the argument. For use after
/// solve() has said so, or, with the height found less one, after minimize():
/// it looks for a proof and not for placements.
///
/// Of constraints, alignments, fixed offsets, pairs kept apart, base and
/// reserved ranges are used, and of ties and pairs that may overlap that they
/// let buffers share bytes; if the buffers fit without the rest, there is no
/// certificate. See Certificate.
///
/// Exponential time in the worst case, hence the limits in `options`; mostly
/// less than solve() takes. Memory: the lemmas, which may take some GiB before
/// it gives up as at a node limit. Of more than 4096 buffers only loads and piles
/// are certified, and within more than 2^61 - 1 bytes nothing is: that ends at
/// once, as at a node limit.
template <class Size, class Time>
[[nodiscard]] Certificate certify(
    const Problem<Size, Time>& problem,
    typename Problem<Size, Time>::SizeType capacity,
    const Options& options = {});

/// Finds buffers of small total cost without which there is a placement within
/// `capacity`, and that placement. Nothing is spilled if everything is found to
/// fit.
///
/// `cost` holds the cost of spilling each buffer, not negative; if it is empty,
/// that is its size, and the sum of all must be below half of what Cost holds.
/// Buffers that are tied, or fixed, may be spilled like any others; their
/// companions stay as they were tied (model/subset.hpp).
///
/// Effort: without a limit of time or nodes in `options`, it stops improving after
/// some 8192 nodes for each buffer. When the time is up or the call is cancelled, it
/// ends after one dive at the most: even when stopped at once it returns a
/// placement, of whatever first fits; with more than some ten thousand buffers, gaps
/// or pairs perhaps of none. Nodes are placements tried by a search, and what takes as
/// long. Without a time limit the result is the same on every machine.
///
/// Real costs are added up with a precision of 2^-44 of their sum; whole ones of a sum
/// above 2^44 too, without those that turn out to be more than what has to be paid.
template <class Size, class Time, class Cost = std::int64_t>
[[nodiscard]] Spills<Size, Cost> suggest_spills(
    const Problem<Size, Time>& problem,
    typename Problem<Size, Time>::SizeType capacity,
    const std::vector<Cost>& cost = {}, const Options& options = {});

/// The same without costs: a byte costs 1.
template <class Size, class Time>
[[nodiscard]] Spills<Size> suggest_spills(
    const Problem<Size, Time>& problem,
    typename Problem<Size, Time>::SizeType capacity, const Options& options);

/// Finds a placement within `capacity` for which Problem::penalties cost least.
///
/// Status::kOptimal means that the cost is proved to be the least: then it equals
/// PenaltyResult::cost_bound. Stopped by a limit or cancelled, it returns the
/// cheapest placement known, with a bound that is valid all the same. What
/// check() refuses, or a negative capacity, gives Status::kInvalid.
///
/// Pairs of a bottom and a top buffer may stay open where all sizes, and once more one
/// for each such pair, sum up to more than 2^60: it ends then as at a node limit.
///
/// Limits are for the whole call; a node is a placement tried by a search, or a
/// buffer put back by the local search. Without a time limit the result is the
/// same on every machine. Hints count for nothing unless no pair has to pay.
///
/// Cost: as solve() for problems in which no pair has to pay; else exponential
/// time in the worst case, with good placements early.
template <class Size, class Time>
[[nodiscard]] PenaltyResult<Size> minimize_penalty(
    const Problem<Size, Time>& problem,
    typename Problem<Size, Time>::SizeType capacity,
    const Options& options = {});

/// Finds a pool for each buffer, and an offset there, such that each pool by
/// itself is a placement within its capacity, at the least cost.
///
/// The problem of a pool is that of its buffers (model/subset.hpp) with the base,
/// the alignment and the reserved ranges of the pool in the place of
/// the problem's own, which are not looked at. Tied buffers are in one pool,
/// and may be where all of them may, if the alignment of that pool lets them lie
/// as they are tied; pairs matter where both are in one pool.
/// A fixed offset is one in whatever pool the buffer is in: it must be a legal
/// one in each that the buffer may be in (Pools::kNever), else the input is
/// invalid. So must be the sums of sizes, with the alignment of each pool, of all
/// buffers. Hints and penalties count for nothing.
///
/// Status::kOptimal means that the cost is proved to be the least: then it equals
/// AssignResult::cost_bound. Stopped by a limit or cancelled, it returns the
/// cheapest assignment known, if any, with a bound that is valid all the same.
/// Status::kInfeasible is a proof too. What is wrong with the input is in
/// AssignResult::error and error_pool.
///
/// Costs with a sum above 2^44 are rounded, unless one number divides them all,
/// and then the proof may stay open; those that turn out to be more than what has
/// to be paid are not in that sum.
///
/// Limits are for the whole call; nodes are placements tried by a search, and
/// what takes as long. Without a time limit the result is the same on every
/// machine.
///
/// Cost: exponential time in the worst case, with good assignments early; a copy
/// of the problem for each pool. Give a limit: the gap of some hundred buffers
/// may stay open for very long.
template <class Size, class Time>
[[nodiscard]] AssignResult<Size> assign(const Problem<Size, Time>& problem,
                                        const Pools<Size, Time>& pools,
                                        const Options& options = {});

SNUG_END_NAMESPACE

#endif  // SNUG_API_HPP
