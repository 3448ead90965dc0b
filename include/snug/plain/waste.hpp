// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Waste: the memory that is lost for good when a buffer is placed.
///
/// The *ties* are the buffers of the lowest release r of a part. The floor of a
/// section is its lowest release: nothing can come to lie below. Placing the
/// tie x lifts floors, and what they pass is lost:
///
///      t +-----+ - - - - - -     *beside x*: y rests on x; where nobody else
///        |  x  |. . . . +----      comes as low, the floor rises from y's
///        |     |. y . . |  v       release to x's top t, or to v
///      r +-----+--------+----
///
///      u +-----+ - - - - - -     *above x*: where x is the only tie, and the
///        |. . .|                   next release u lies above t
///      t +-----+
///        |  x  |
///      r +-----+-------------
///
/// Nothing above the highest top of a tie is counted: no tie would fill it.
/// waste(x) is the sum over the sections, each of which counts as one, divided
/// by x's own share, its size times the sections it spans: what is lost for
/// each byte that is placed.
///
/// *How.* Left of x, the buffers that do not overlap x end before x begins. So
/// with buffers in the order of their ends and ties in the order of their
/// beginnings, one array of the lowest releases of those that have ended serves
/// all ties; likewise to the right, the other way round. Where the lowest
/// release of a section is not among them, it is that of a buffer that x lifts.
///
/// Addresses count as *depths* below the highest top of a tie, in steps that
/// make all of it at most 2047 deep: 16 bits hold them, and sums of 16. That is
/// exact up to 2047 units, and good enough for a preference beyond. Nobody is
/// at depth 0.
///
/// Cost: for each tie, and each buffer below the highest top, a few runs over
/// the sections that it spans or that its neighbours reach.
#ifndef SNUG_PLAIN_WASTE_HPP
#define SNUG_PLAIN_WASTE_HPP

#include "snug/config.hpp"
#include "snug/engine/lanes.hpp"
#include "snug/model/interval.hpp"
#include "snug/plain/instance.hpp"
#include "snug/plain/state.hpp"
#include "snug/support/list.hpp"
#include "snug/support/memory.hpp"
#include "snug/support/product.hpp"
#include "snug/support/rows.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

SNUG_BEGIN_NAMESPACE
namespace detail {

template <class Units>
class Waste {
 public:
  Waste(const Instance<Units>& instance, Memory& memory)
      : floor_(memory.take<Depth>(std::size_t{instance.sections} + kWide)),
        above_(memory.take<Depth>(std::size_t{instance.sections} + kWide)),
        beside_(memory.take<Depth>(std::size_t{instance.sections} + kWide)),
        waste_(memory.take_raw<Quotient>(instance.size)),
        reach_(memory.take<Index>(instance.sections)),
        by_end_(memory, std::size_t{instance.sections} + 1,
                [&](auto&& give) {
                  for (Index x = 0; x < instance.size; ++x)
                    give(instance.upper[x], x);
                }),
        low_(memory.take_raw<Index>(instance.size)),
        low_by_end_(memory.take_raw<Index>(instance.size)) {
    Index reach = 0;
    for (Index s = 0, x = 0; s < instance.sections; ++s) {
      for (; x < instance.first_at[s + 1]; ++x)
        reach = (std::max)(reach, instance.upper[x]);
      reach_[s] = reach;
    }
  }

  /// Keeps those `ties` of [begin, end) that waste the least, or up to half
  /// more. They are in ascending order. The waste of x counts factors[x] times.
  void keep_least(const State<Units>& state, Index begin, Index end,
                  const std::int32_t* factors, Stack<Index>& ties) {
    measure(state, begin, end, ties);
    for (const Index x : ties) waste_[x].a *= factors[x];
    Quotient most = waste_[ties[0]];
    for (const Index x : ties)
      if (waste_[x] < most) most = waste_[x];
    most = {3 * most.a, 2 * most.b};
    erase_if(ties, [&](Index x) { return most < waste_[x]; });
  }

  /// Computes the waste of the `ties` of [begin, end), for of().
  void measure(const State<Units>& state, Index begin, Index end,
               const Stack<Index>& ties) {
    const Instance<Units>& instance = *state.instance;
    lowest_ = state.release[ties[0]];
    Units tallest = 0;
    for (const Index x : ties)
      tallest = (std::max)(tallest, instance.length[x]);
    highest_ = static_cast<Units>(lowest_ + tallest);
    for (shift_ = 0; (tallest - 1) >> shift_ >= kDeepest;) ++shift_;
    part_ = {begin, end};
    find_low(state);
    find_floors(state);
    find_left(state, ties);
    find_right(state);
  }
  [[nodiscard]] Quotient of(Index x) const noexcept { return waste_[x]; }

  /// How many buffers end before section s begins.
  [[nodiscard]] Index ended(Index s) const noexcept {
    return by_end_.begin_of(s + 1);
  }

 private:
  using Depth = std::int16_t;
  using Depths = Vector<Depth>;
  static constexpr Index kWide = kLanes<Depth>;
  static constexpr Units kDeepest = 2047;
  static constexpr Index kMostTerms = 16;  ///< whose sum a Depth holds

  /// Of an address that is not above the highest top.
  [[nodiscard]] Depth depth(Units address) const noexcept {
    return static_cast<Depth>(((highest_ - address - 1) >> shift_) + 1);
  }

  /// For a tie.
  [[nodiscard]] Depth depth_of_top(const Instance<Units>& instance,
                                   Index x) const noexcept {
    return depth(static_cast<Units>(lowest_ + instance.length[x]));
  }

  /// The size of a tie times the sections it spans; sizes of more than 31 bits
  /// count in steps, so that it fits.
  [[nodiscard]] std::int64_t share(const Instance<Units>& instance,
                                   Index x) const noexcept {
    const int step = (std::max)(0, shift_ - 20);
    const Index sections = instance.upper[x] - instance.lower[x];
    return (std::int64_t{instance.length[x] >> step} + (step > 0 ? 1 : 0)) *
           std::int64_t{sections};
  }

  /// Lists the buffers that are released below the highest top of a tie.
  void find_low(const State<Units>& state) {
    const Instance<Units>& instance = *state.instance;
    low_count_ = static_cast<Index>(
        list_at_most(state.release, part_.lower, part_.upper,
                     static_cast<Units>(highest_ - 1), low_) -
        low_);
    sections_ = {instance.lower[low_[0]],
                 reach_[instance.lower[low_[low_count_ - 1]]]};
    Index count = 0;
    const Index* next = by_end_.all().begin() + ended(sections_.lower);
    for (; count < low_count_; ++next)
      if (is_low(state, *next)) low_by_end_[count++] = *next;
  }

  /// Finds the depth of each section's floor, and of the lowest release but
  /// for that of its only tie.
  void find_floors(const State<Units>& state) {
    const Instance<Units>& instance = *state.instance;
    clear(floor_);
    clear(above_);
    for (Index k = 0; k < low_count_; ++k) {
      const Index y = low_[k];
      if (state.release[y] == lowest_) {
        ++above_[instance.lower[y]];
        --above_[instance.upper[y]];
      } else {
        deepen(state, floor_, y);
      }
    }
    const Depth ground = depth(lowest_);
    Depth ties = 0;
    for (Index s = sections_.lower; s < sections_.upper; ++s) {
      ties = static_cast<Depth>(ties + above_[s]);
      above_[s] = ties > 1 ? ground : floor_[s];
      if (ties > 0) floor_[s] = ground;
    }
    above_[sections_.upper] = 0;
  }

  /// Finds what is lost above each tie and to its left.
  void find_left(const State<Units>& state, const Stack<Index>& ties) {
    const Instance<Units>& instance = *state.instance;
    clear(beside_);
    const Index* next = low_by_end_;
    for (const Index x : ties) {
      const Index begin = instance.lower[x];
      // x itself ends later.
      for (; instance.upper[*next] <= begin; ++next)
        deepen(state, beside_, *next);
      waste_[x] = {rises({begin, instance.upper[x]}, nullptr, above_,
                         depth_of_top(instance, x)),
                   share(instance, x)};
      // No neighbour of x begins before the first buffer that ends so late.
      const Index reach = instance.lower[instance.first_live[begin]];
      add_beside(state, x, {(std::max)(sections_.lower, reach), begin});
    }
  }

  /// Adds what is lost to the right.
  void find_right(const State<Units>& state) {
    const Instance<Units>& instance = *state.instance;
    clear(beside_);
    const Index* next = low_ + low_count_;
    for (Index k = low_count_; k > 0; --k) {
      const Index x = low_by_end_[k - 1];
      if (state.release[x] > lowest_) continue;
      const Index end = instance.upper[x];
      for (; instance.lower[next[-1]] >= end; --next)
        deepen(state, beside_, next[-1]);
      add_beside(state, x, {end, (std::min)(sections_.upper, reach_[end - 1])});
    }
  }

  [[nodiscard]] bool is_low(const State<Units>& state, Index y) const noexcept {
    return state.release[y] < highest_ && part_.lower <= y && y < part_.upper;
  }

  void add_beside(const State<Units>& state, Index x,
                  Interval<Index> sections) {
    if (sections.lower < sections.upper)
      waste_[x].a +=
          rises(sections, floor_, beside_, depth_of_top(*state.instance, x));
  }

  /// The mask of a vector all of which is meant.
  struct All {
    [[nodiscard]] friend Depths operator&(const Depths& depths,
                                          All /*mask*/) noexcept {
      return depths;
    }
    explicit operator Depths() const noexcept {
      return static_cast<Depths>(Depths{} - Depth{1});
    }
  };

  /// Calls visit(s, inside) for each vector of sections, from s on, with a mask
  /// of those that are meant. The vectors of all calls are the same ones: a
  /// processor is slow to load what it has just stored in other portions.
  template <class Visit>
  static void for_each_block(Interval<Index> sections, Visit&& visit) {
    static constexpr Depth kInside[3 * 8] = {0,  0,  0,  0,  0,  0,  0,  0,
                                             -1, -1, -1, -1, -1, -1, -1, -1,
                                             0,  0,  0,  0,  0,  0,  0,  0};
    static_assert(kWide <= 8);
    auto s = static_cast<std::size_t>(sections.lower / kWide * kWide);
    const auto last =
        static_cast<std::size_t>((sections.upper - 1) / kWide * kWide);
    Depths inside = get_lanes(kInside + 8 - (sections.lower - s));
    if (s != last) {
      visit(s, inside);
      for (s += kWide; s != last; s += kWide) visit(s, All{});
      inside = get_lanes(kInside + 8);
    }
    visit(last, inside & get_lanes(kInside + 16 - (sections.upper - last)));
  }

  void clear(Depth* a) const {
    const Index first = sections_.lower / kWide * kWide;
    std::memset(a + first, 0,
                std::size_t{sections_.upper + kWide - first} * sizeof(Depth));
  }
  /// Notes the release of y in its sections: raise_range() in those vectors.
  void deepen(const State<Units>& state, Depth* a, Index y) const {
    const Depths values = Depths{} + depth(state.release[y]);
    for_each_block({state.instance->lower[y], state.instance->upper[y]},
                   [&](std::size_t s, auto inside) {
                     const Depths old = get_lanes(a + s);
                     const Depths deep = values & inside;
                     set_lanes<Depth>(a + s, larger<Depth>(old, deep));
                   });
  }
  /// The sum of from[s] - to(s), where that is positive: to(s) is to[s] or, if
  /// that is deeper, the top of a tie. Without `from`: of to(s) - to[s].
  [[nodiscard]] static std::int64_t rises(Interval<Index> sections,
                                          const Depth* from, const Depth* to,
                                          Depth top) {
    const Depths zero{};
    const Depths tops = zero + top;
    Depths part{};
    Index terms = 0;
    std::int64_t result = 0;
    const auto add = [&](std::size_t s, const Depths& inside) {
      const Depths lowest = get_lanes(to + s);
      const Depths lifted = larger<Depth>(lowest, tops);
      part += larger<Depth>(from == nullptr
                                ? (lifted & inside) - lowest
                                : (get_lanes(from + s) & inside) - lifted,
                            zero);
      if (++terms % kMostTerms == 0) {
        result += total(part);
        part = zero;
      }
    };
    for_each_block(sections, [&](std::size_t s, auto inside) {
      add(s, static_cast<Depths>(inside));
    });
    return result + total(part);
  }
  [[nodiscard]] static std::int64_t total(const Depths& depths) {
    Depth each[kWide];
    std::memcpy(each, &depths, sizeof(depths));
    std::int64_t result = 0;
    for (const Depth depth : each) result += depth;
    return result;
  }

  Depth* floor_;
  Depth* above_;   ///< the floor but for the tie, where that is the only one
  Depth* beside_;  ///< the lowest of those off the tie looked at
  Quotient* waste_;
  Index* reach_;  ///< the last end of those that begin here or before
  RowsView<Index, Index> by_end_;  ///< by the section behind their last one
  Index* low_;  ///< what is released below the highest top of a tie
  Index* low_by_end_;
  Index low_count_ = 0;
  Interval<Index> part_{};
  Interval<Index> sections_{};  ///< all that low_ spans are among these
  Units lowest_ = 0;            ///< release of the ties
  Units highest_ = 0;           ///< of their tops
  int shift_ = 0;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAIN_WASTE_HPP
