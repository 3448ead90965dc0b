// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Whether a problem has a placement in which some of its soft pairs share no
/// bytes, and if not, for which of them that is so.
///
/// A soft pair made hard is a pair kept apart, which then is not free to overlap;
/// but where its buffers grow from different ends it does not say which lies
/// below. Then the pair stays what it is, and a shadow of the one, tied to it and
/// live when nobody else is, is kept apart from the other. It takes no bytes: its
/// owner may never take those of its own that are reserved for all time.
///
/// Cost: as solve().
#ifndef SNUG_PENALTY_HARD_TRIALS_HPP
#define SNUG_PENALTY_HARD_TRIALS_HPP

#include "snug/config.hpp"
#include "snug/explain/trial.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/subset.hpp"
#include "snug/normal/flat.hpp"
#include "snug/penalty/soft_pairs.hpp"
#include "snug/plan/budget.hpp"
#include "snug/support/list.hpp"
#include "snug/support/outcome.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

template <class M>
class HardTrials {
 public:
  /// `problem`: without penalties.
  HardTrials(const Problem<>& problem, const List<SoftPair>& soft,
             std::int64_t capacity, Budget& budget)
      : problem_(&problem),
        soft_(&soft),
        capacity_(capacity),
        budget_(&budget),
        all_(numbers_below<std::vector<std::size_t>>(problem.buffers.size())) {}

  [[nodiscard]] Budget& budget() noexcept { return *budget_; }
  [[nodiscard]] const List<SoftPair>& soft() const noexcept { return *soft_; }
  [[nodiscard]] const std::vector<std::size_t>& all_buffers() const noexcept {
    return all_;
  }

  /// Tries `buffers`, ascending, with those `pairs` hard that are among them. The
  /// core: buffers that do not fit with the pairs among them.
  [[nodiscard]] Trial run(const std::vector<std::size_t>& buffers,
                          const std::vector<std::size_t>& pairs,
                          std::int64_t nodes) {
    leaves_soft_ = false;
    if (budget_->is_spent()) return {};
    Problem<> part = make_subset(*problem_, buffers, budget_->interrupt());
    if (budget_->gave_up()) return {};
    harden(buffers, pairs, part);
    Flat flat = flatten(part, budget_->interrupt());
    if (!pairs.empty()) flat.hints.clear();
    if (budget_->gave_up()) return {};
    Trial trial = solve_within<M>(std::move(flat), capacity_, nodes, *budget_);
    // Shadows are no buffers of the problem.
    const std::size_t count = buffers.size();
    if (trial.offsets.size() > count) trial.offsets.resize(count);
    erase_if(trial.core, [&](std::size_t i) { return i >= count; });
    for (std::size_t& i : trial.core) i = buffers[i];
    if (trial.outcome == Outcome::kRefuted && trial.core.empty())
      trial.core = buffers;
    return trial;
  }

  /// Whether some of the pairs of the last one stayed soft, as sizes are near the limit
  /// of what they may sum up to.
  [[nodiscard]] bool leaves_soft() const noexcept { return leaves_soft_; }

 private:
  void harden(const std::vector<std::size_t>& buffers,
              const std::vector<std::size_t>& pairs, Problem<>& part) {
    std::vector<std::size_t> position(problem_->buffers.size(),
                                      Check::kNoBuffer);
    for (std::size_t k = 0; k < buffers.size(); ++k) position[buffers[k]] = k;
    List<IndexPair> hard;
    for (const std::size_t p : pairs) {
      const std::size_t a = position[(*soft_)[p].a];
      const std::size_t b = position[(*soft_)[p].b];
      if (a == Check::kNoBuffer || b == Check::kNoBuffer) continue;
      hard.push_back({static_cast<Index>((std::min)(a, b)),
                      static_cast<Index>((std::max)(a, b))});
    }
    sort_pairs(hard);
    detail::erase_if(part.may_overlap, [&](const BufferPair& pair) {
      return !have_both_ends(part, pair) &&
             contains_pair(hard, static_cast<Index>(pair.first),
                           static_cast<Index>(pair.second));
    });
    std::vector<BufferPair> shadowed;
    for (const auto& [a, b] : hard)
      (have_both_ends(part, {a, b}) ? shadowed : part.apart).push_back({a, b});
    leaves_soft_ = !add_shadows(shadowed, part);
  }

  /// Whether one is a bottom buffer and the other one a top buffer.
  [[nodiscard]] static bool have_both_ends(const Problem<>& part,
                                           const BufferPair& pair) {
    const End x = part.buffers[pair.first].end;
    const End y = part.buffers[pair.second].end;
    return x != End::kAny && y != End::kAny && x != y;
  }

  /// False if sizes came too near to the limit of what they may sum up to.
  static bool add_shadows(const std::vector<BufferPair>& pairs,
                          Problem<>& part) {
    if (pairs.empty()) return true;
    std::int64_t room = kMaxTotal / 4;
    std::int64_t now = (std::numeric_limits<std::int64_t>::min)();
    for (const Buffer<>& buffer : part.buffers) {
      room -= (std::min)(room, buffer.size);
      now = (std::max)(now, buffer.lifespan.upper);
    }
    for (const Reserved<>& reserved : part.reserved)
      if (reserved.lifespan) now = (std::max)(now, reserved.lifespan->upper);
    for (const auto& [a, b] : pairs) {
      Buffer<> shadow;
      shadow.size = part.buffers[a].size;
      if (shadow.size >= room) return false;
      room -= shadow.size;
      // After the last of times it is live with others, of no account either.
      shadow.lifespan = part.buffers[a].lifespan;
      if (now < (std::numeric_limits<std::int64_t>::max)()) {
        shadow.lifespan = {now, now + 1};
        ++now;
      }
      shadow.gaps.push_back({shadow.lifespan, std::nullopt});
      part.aliases.push_back({part.buffers.size(), a, 0});
      part.apart.push_back({b, part.buffers.size()});
      part.buffers.push_back(shadow);
    }
    return true;
  }

  const Problem<>* problem_;
  const List<SoftPair>* soft_;
  std::int64_t capacity_;
  Budget* budget_;
  std::vector<std::size_t> all_;
  bool leaves_soft_ = false;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PENALTY_HARD_TRIALS_HPP
