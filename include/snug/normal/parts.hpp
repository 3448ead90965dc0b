// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Parts: tied buffers that lie within another one, as a view does in what it shows.
///
///     +-------------------+
///     |         a         |        b is tied to a, inside of its bytes, and live only
///     |    +------+       |        when a is: whoever is in nobody's way who is live
///     |    |  b   |       |        with a is in nobody's way who is live with b
///     +----+------+-------+
///
/// All that such a part asks of others, and of a placement, the whole asks for: who
/// meets the part meets the whole, at bytes that are taken, and the lowest and the
/// highest address of the part are between those of the whole. Its alignment must
/// divide that of the whole and the distance, so that it is aligned wherever that is.
/// Who has no bytes is in nobody's way, whenever it is live, and nor is who is live
/// when nobody else is, and nothing is reserved just for then. So the placements are the
/// same without the parts, and what refutes the problem without them refutes it. Mostly
/// no ties are left then, and a problem that is otherwise plain is plain.
///
/// No part is who is kept apart from others, in whose way the whole may be; nor who may
/// overlap others or has gaps, nor is the whole; nor who is of another end. Of each
/// class, parts of the largest one are looked for.
///
/// *Side by side.* Tied buffers that touch, and are live for the same time, ask of
/// others what one buffer asks that has the bytes of both: the lower one becomes that,
/// and the upper one a part of it.
///
///     +-------+
///     |   d   |        c and d are live for the same time: c becomes both, and
///     +-------+        d a part of it
///     |   c   |
///     +-------+
///
/// Cost: O(n), the gaps and pairs, and to sort what is tied; O(n log n) where a part is
/// live when the whole is not.
#ifndef SNUG_NORMAL_PARTS_HPP
#define SNUG_NORMAL_PARTS_HPP

#include "snug/config.hpp"
#include "snug/model/interval.hpp"
#include "snug/model/problem.hpp"
#include "snug/normal/flat.hpp"
#include "snug/support/list.hpp"
#include "snug/support/rounded.hpp"
#include "snug/support/sort.hpp"
#include "snug/support/spread_sort.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <tuple>

SNUG_BEGIN_NAMESPACE
namespace detail {

class Parts {
 public:
  /// Without any.
  Parts() = default;
  /// Makes the parts of a flat problem buffers of no size, tied to nobody, but for those
  /// that stay.
  explicit Parts(Flat& flat, List<std::uint8_t> stays = {}) {
    if (flat.root.empty()) return;
    const Index count = static_cast<Index>(flat.buffers.size());
    stays.resize(count, 0);
    const List<std::uint8_t> shares = mark_shared(flat);
    for (const auto& [a, b] : flat.apart) stays[a] = stays[b] = 1;
    join_side_by_side(flat, shares, stays);
    const List<Index> largest = find_largest(flat, shares);
    List<std::uint8_t> is_alone;
    for (Index i = 0; i < count; ++i) {
      const Index whole = largest[flat.root[i]];
      if (shares[i] != 0 || stays[i] != 0 || whole == kNobody || whole == i ||
          !is_within(flat, whole, i))
        continue;
      if (flat.buffers[i].size > 0 &&
          !flat.buffers[whole].lifespan.contains(flat.buffers[i].lifespan)) {
        if (is_alone.empty()) is_alone = mark_alone(flat);
        if (is_alone[i] == 0) continue;
      }
      parts_.push_back({i, whole, flat.delta[i] - flat.delta[whole]});
    }
    for (const Part& part : parts_) {
      flat.buffers[part.buffer].size = 0;
      flat.buffers[part.buffer].alignment = 1;
      if (!flat.fixed.empty()) flat.fixed[part.buffer] = Flat::kNone;
      if (!flat.ends.empty()) flat.ends[part.buffer] = End::kAny;
    }
    if (!parts_.empty()) untie(flat);
  }

  [[nodiscard]] bool empty() const noexcept { return parts_.empty(); }
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_of(parts_); }

  /// What refutes the problem with its parts, ascending: they may be what is fixed.
  void join_core(List<Index>& core) const {
    List<Index> more;
    for (const Part& part : parts_)
      if (std::binary_search(core.begin(), core.end(), part.whole) &&
          !std::binary_search(core.begin(), core.end(), part.buffer))
        more.push_back(part.buffer);
    core.append(more.begin(), more.end());
    heap_sort(core);
  }

  /// Puts the parts where they are in the others, if these are somewhere.
  template <class Offsets>
  void put(Offsets& offsets) const {
    if (offsets.empty()) return;
    for (const Part& part : parts_)
      offsets[part.buffer] = offsets[part.whole] + part.above;
  }

 private:
  static constexpr Index kNobody = ~Index{0};

  struct Part {
    Index buffer;
    Index whole;
    std::int64_t above;  ///< the offset of the whole
  };

  /// Makes of those that are side by side the lowest one the whole, and the others its
  /// parts. All of them stay what they are then.
  void join_side_by_side(Flat& flat, const List<std::uint8_t>& shares,
                         List<std::uint8_t>& stays) {
    List<Index> order = list_tied(flat);
    erase_if(order, [&](Index i) {
      return shares[i] != 0 || stays[i] != 0 || flat.buffers[i].size == 0;
    });
    const auto group_of = [&](Index i) {
      const Interval<std::int64_t>& life = flat.buffers[i].lifespan;
      return std::make_tuple(flat.root[i], life.lower, life.upper,
                             flat.end_of(i));
    };
    heap_sort(order, [&](Index a, Index b) {
      return std::make_tuple(group_of(a), flat.delta[a], a) <
             std::make_tuple(group_of(b), flat.delta[b], b);
    });
    for (std::size_t k = 1, whole = 0; k < order.size(); ++k) {
      const Index part = order[k];
      FlatBuffer& x = flat.buffers[order[whole]];
      const FlatBuffer& y = flat.buffers[part];
      const std::int64_t above = flat.delta[part] - flat.delta[order[whole]];
      if (group_of(order[whole]) != group_of(part) || above > x.size ||
          x.alignment % y.alignment != 0 || above % y.alignment != 0) {
        whole = k;
        continue;
      }
      x.size = (std::max)(x.size, above + y.size);
      parts_.push_back({part, order[whole], above});
      stays[part] = stays[order[whole]] = 1;
    }
  }

  /// By root: the largest one with bytes of its own, of these the one that is live
  /// longest.
  [[nodiscard]] static List<Index> find_largest(
      const Flat& flat, const List<std::uint8_t>& shares) {
    List<Index> largest(flat.buffers.size(), kNobody);
    const auto is_larger = [](const FlatBuffer& x, const FlatBuffer& y) {
      if (x.size != y.size) return x.size > y.size;
      return distance(x.lifespan.lower, x.lifespan.upper) >
             distance(y.lifespan.lower, y.lifespan.upper);
    };
    for (Index i = 0; i < flat.buffers.size(); ++i) {
      if (shares[i] != 0 || flat.buffers[i].size == 0) continue;
      Index& one = largest[flat.root[i]];
      if (one == kNobody || is_larger(flat.buffers[i], flat.buffers[one]))
        one = i;
    }
    return largest;
  }

  /// Marks who is live when nobody else is.
  [[nodiscard]] static List<std::uint8_t> mark_alone(const Flat& flat) {
    const auto count = static_cast<Index>(flat.buffers.size());
    const auto lifespan_of = [&](Index i) {
      return i < count ? flat.buffers[i].lifespan
                       : flat.reserved[i - count].lifespan;
    };
    List<Keyed> by_begin;
    const auto note = [&](Index i) {
      by_begin.push_back({lifespan_of(i).lower, i});
    };
    for (Index i = 0; i < count; ++i)
      if (flat.buffers[i].size > 0) note(i);
    for (Index r = 0; r < flat.reserved.size(); ++r)
      if (!flat.reserved[r].lifespan.empty()) note(count + r);
    sort_keyed(by_begin);
    List<std::uint8_t> result(count, 0);
    std::int64_t end = (std::numeric_limits<std::int64_t>::min)();
    for (std::size_t k = 0; k < by_begin.size(); ++k) {
      const Index i = by_begin[k].index;
      const Interval<std::int64_t> lifespan = lifespan_of(i);
      const bool is_last = k + 1 == by_begin.size();
      if (i < count && end <= lifespan.lower &&
          (is_last || lifespan.upper <= by_begin[k + 1].key))
        result[i] = 1;
      end = (std::max)(end, lifespan.upper);
    }
    return result;
  }

  /// Whether `part` lies within `whole`, to which it is tied, and asks for no more when
  /// that is live.
  [[nodiscard]] static bool is_within(const Flat& flat, Index whole,
                                      Index part) {
    const FlatBuffer& x = flat.buffers[whole];
    const FlatBuffer& y = flat.buffers[part];
    const std::int64_t above = flat.delta[part] - flat.delta[whole];
    const End end = flat.end_of(part);
    return above >= 0 && above <= x.size - y.size &&
           (end == End::kAny || end == flat.end_of(whole)) &&
           x.alignment % y.alignment == 0 && above % y.alignment == 0;
  }

  /// Unties the parts. The first one that is left of a class is its root; the lowest
  /// one is left, as no part is lower than the whole.
  void untie(Flat& flat) const {
    for (const Part& part : parts_) flat.delta[part.buffer] = 0;
    const Index count = static_cast<Index>(flat.buffers.size());
    List<std::uint8_t> is_part(count, 0);
    for (const Part& part : parts_) is_part[part.buffer] = 1;
    List<Index> first(count, kNobody);  // by former root
    for (Index i = 0; i < count; ++i) {
      Index& root = first[flat.root[i]];
      if (is_part[i] == 0 && root == kNobody) root = i;
      flat.root[i] = is_part[i] != 0 ? i : root;
    }
  }

  List<Part> parts_{};
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_NORMAL_PARTS_HPP
