// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Components: sets of buffers that say nothing of one another. Which of them are
/// plain?
///
///     |  a  |    c  |               | x |          a, b and c are a component, which
///     +-----+---+---+               +---+---+      is plain; x and y, a tie apart, are
///     |    b    |                       | y |      one that is not
///
/// Two buffers that are not fixed are in one component if they are live together, tied,
/// or kept apart, or linked by others that are; a fixed one is where it is, whoever
/// that is an obstacle to. So placements of the components, put together, are one of
/// the whole; what refutes one refutes the whole; and the lowest height is the highest
/// of theirs. A few tied buffers, live when nobody else is, so leave the others plain,
/// and a few pairs the others *pure*: of sizes, alignments and lifespans alone, for
/// which there are more ways to place them. And who lasts through one component, as the
/// weights of one of several models do, is *lasting* once that stands alone.
///
/// Cost: O(n log n), and the gaps and pairs.
#ifndef SNUG_NORMAL_PLAIN_COMPONENTS_HPP
#define SNUG_NORMAL_PLAIN_COMPONENTS_HPP

#include "snug/config.hpp"
#include "snug/model/interval.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/ties.hpp"
#include "snug/normal/flat.hpp"
#include "snug/normal/flat_subset.hpp"
#include "snug/support/align.hpp"
#include "snug/support/list.hpp"
#include "snug/support/sort.hpp"
#include "snug/support/spread_sort.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// Of a presolved problem.
class PlainComponents {
 public:
  /// Whom to choose: all that are plain or pure, or one with who lasts.
  enum class What : std::uint8_t { kPlain, kPure, kLasting };

  /// With kLasting, a component of fewer than `least` buffers is easy as it is.
  explicit PlainComponents(const Flat& flat, What what = What::kPlain,
                           std::size_t least = 16)
      : flat_(&flat), what_(what) {
    if (what == What::kPure && !(flat.fixed.empty() && flat.reserved.empty()))
      return;
    if (what == What::kLasting && flat.buffers.size() > kMostWithLasting)
      return;
    if (!find_components()) return;
    if (what == What::kLasting) {
      choose_lasting(least);
      return;
    }
    // What is fixed and tied may share bytes, which is seen by its ties.
    for (Index i = 0; i < root_.size(); ++i)
      if (is_tied_[i] != 0 && flat.is_fixed(i)) return;
    mark_constrained();
    if (what == What::kPure) mark_pairs(flat.apart);
    const std::int64_t ground = most_common_ground();
    for (Index i = 0; i < root_.size(); ++i) {
      if (is_on_both(i)) continue;
      const bool is_plain = has_bytes(i) && constrained_[root_[i]] == 0 &&
                            ground_[root_[i]] == ground;
      (is_plain ? chosen_ : others_).push_back(i);
    }
  }

  /// Whether some are, and some are not.
  [[nodiscard]] bool divide() const noexcept {
    return !chosen_.empty() && !others_.empty();
  }
  /// The buffers of those that are chosen, ascending, and with them all that is fixed,
  /// but for kLasting; those of plain components begin at one address. Of no use if they
  /// do not divide.
  [[nodiscard]] List<Index> chosen() const { return with_fixed(chosen_); }
  /// The same of all others; who has no bytes, and is not tied, is among them.
  [[nodiscard]] List<Index> others() const { return with_fixed(others_); }

  /// The problem of those that are plain. The ends of what is fixed do not matter there.
  [[nodiscard]] static Flat subset_of_plain(const Flat& flat,
                                            const List<Index>& members) {
    Flat some = subset_of(flat, members);
    some.ends.clear();
    return some;
  }

 private:
  static constexpr std::int64_t kNoGround = -1;
  /// Of more buffers in all it takes too long without a look at the clock.
  static constexpr std::size_t kMostWithLasting = std::size_t{1} << 14;

  /// Whether a buffer asks others for room, by itself or by who is tied to it.
  [[nodiscard]] bool has_bytes(Index i) const {
    return flat_->buffers[i].size > 0 || is_tied_[i] != 0;
  }

  /// Whether it is an obstacle to both sides. Nobody lasts where there is one, so then
  /// it is in a component like all others.
  [[nodiscard]] bool is_on_both(Index i) const noexcept {
    return what_ != What::kLasting && flat_->is_fixed(i);
  }

  /// False if all are live in one stretch of time: then they are not divided.
  [[nodiscard]] bool find_components() {
    const Flat& flat = *flat_;
    const std::size_t count = flat.buffers.size();
    List<Keyed> by_start;
    bool is_one = true;
    for (Index i = 0; i < count; ++i) {
      if (is_on_both(i)) continue;
      is_one = is_one && flat.buffers[i].size > 0;
      if (flat.buffers[i].size > 0)
        by_start.push_back({flat.buffers[i].lifespan.lower, i});
    }
    sort_keyed(by_start);
    // Each next to the one that is live for longest of those that began before.
    List<IndexPair> linked;
    for (std::size_t k = 1, last = 0; k < by_start.size(); ++k) {
      const Index longest = by_start[last].index;
      const std::int64_t end = flat.buffers[longest].lifespan.upper;
      if (by_start[k].key < end)
        linked.push_back({longest, by_start[k].index});
      else
        is_one = false;
      if (flat.buffers[by_start[k].index].lifespan.upper > end) last = k;
    }
    if (is_one) return false;
    TieForest forest(count);
    for (const auto& [a, b] : linked) (void)forest.join(b, a, 0);
    for (const auto& [a, b] : flat.apart)
      if (!is_on_both(a) && !is_on_both(b)) (void)forest.join(b, a, 0);
    is_tied_.assign(count, 0);
    visit_tied(flat, [&](Index i) {
      is_tied_[i] = 1;
      (void)forest.join(i, flat.root[i], 0);
    });
    root_ = forest.finish().root;
    return true;
  }

  /// Marks the components of which the plain search cannot take all.
  void mark_constrained() {
    const Flat& flat = *flat_;
    constrained_.assign(root_.size(), 0);
    const auto mark = [&](Index i) { constrained_[root_[i]] = 1; };
    for (const FlatGap& gap : flat.gaps) mark(gap.buffer);
    mark_pairs(flat.may_overlap);
    bool is_top_fixed = false;
    for (Index i = 0; i < root_.size(); ++i) {
      if (is_tied_[i] != 0 || flat.end_of(i) == End::kTop) mark(i);
      is_top_fixed =
          is_top_fixed || (flat.is_fixed(i) && flat.end_of(i) == End::kTop);
    }
    if (!is_top_fixed) return;
    for (Index i = 0; i < root_.size(); ++i)
      if (flat.end_of(i) == End::kBottom) mark(i);
  }

  /// Chooses, of the components through which some last and others do not, the one
  /// with the most buffers, if others have bytes. One with few of all is not worth it.
  void choose_lasting(std::size_t least) {
    List<Interval<std::int64_t>> core(
        root_.size(), {(std::numeric_limits<std::int64_t>::min)(),
                       (std::numeric_limits<std::int64_t>::max)()});
    List<Index> members = numbers_below(root_.size());
    erase_if(members, [&](Index i) { return !has_bytes(i); });
    const auto life = [&](Index i) { return flat_->buffers[i].lifespan; };
    for (const Index i : members)
      core[root_[i]] = intersection(core[root_[i]], life(i));
    List<Index> lasting(root_.size(), 0);
    List<Index> count(root_.size(), 0);
    for (const Index i : members) {
      if (life(i).overlaps(core[root_[i]])) ++lasting[root_[i]];
      ++count[root_[i]];
    }
    Index largest = 0;
    for (Index k = 0; k < count.size(); ++k) {
      if (lasting[k] == 0 || lasting[k] == count[k]) count[k] = 0;
      if (count[k] > count[largest]) largest = k;
    }
    const std::size_t chosen = count[largest];
    if (chosen == members.size() || chosen < least ||
        chosen < members.size() / 8)
      return;
    for (Index i = 0; i < root_.size(); ++i)
      (root_[i] == largest ? chosen_ : others_).push_back(i);
  }

  void mark_pairs(const List<IndexPair>& pairs) {
    for (const auto& [a, b] : pairs)
      constrained_[root_[a]] = constrained_[root_[b]] = 1;
  }

  /// Finds the lowest address of each component that may be plain: that of most
  /// buffers. Those with several of them are constrained.
  [[nodiscard]] std::int64_t most_common_ground() {
    ground_.assign(root_.size(), kNoGround);
    List<std::int64_t> grounds;
    for (Index i = 0; i < root_.size(); ++i) {
      const Index k = root_[i];
      if (flat_->is_fixed(i) || !has_bytes(i)) continue;
      const std::int64_t lowest =
          align_up(flat_->base, flat_->buffers[i].alignment);
      if (ground_[k] == kNoGround) ground_[k] = lowest;
      if (ground_[k] != lowest) constrained_[k] = 1;
      if (constrained_[k] == 0) grounds.push_back(lowest);
    }
    heap_sort(grounds);
    std::int64_t result = kNoGround;
    std::size_t most = 0;
    for (std::size_t k = 0, first = 0; k < grounds.size(); ++k) {
      if (grounds[k] != grounds[first]) first = k;
      if (k - first < most) continue;
      most = k - first + 1;
      result = grounds[k];
    }
    return result;
  }

  [[nodiscard]] List<Index> with_fixed(List<Index> members) const {
    for (Index i = 0; i < flat_->fixed.size(); ++i)
      if (is_on_both(i)) members.push_back(i);
    heap_sort(members);
    return members;
  }

  const Flat* flat_;
  What what_;
  List<std::uint8_t> is_tied_{};
  List<Index> root_{};                ///< of the component of each
  List<std::uint8_t> constrained_{};  ///< by root
  List<std::int64_t> ground_{};       ///< by root
  List<Index> chosen_{};
  List<Index> others_{};
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_NORMAL_PLAIN_COMPONENTS_HPP
