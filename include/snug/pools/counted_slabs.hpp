// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The slabs that count where bytes are added up, section by section, although some
/// buffers may overlap others: no two slabs that count in one section are of buffers
/// that may overlap one another.
///
///     a  +-------+                a and b may overlap, so may b and c: b counts
///     b      +=======:-------+    where neither of the two is live
///     c              +-------+
///
/// So in each section those that count, of different bodies, share no bytes, and
/// there are at least as many as all of them have together. It matters to nobody
/// whether a buffer that hides another is there: then fewer bytes count than could.
///
/// Those with the most bytes for their number of pairs come first.
///
/// Cost: for each pair, a look at each run of sections in which one of the two counts,
/// and sorting these; a binary search for each slab of what may overlap others.
/// Source: the greedy GWMIN of Sakai, Togasaki and Yamazaki, "A note on greedy
/// algorithms for the maximum weighted independent set problem" (Discrete Applied
/// Mathematics, 2003).
#ifndef SNUG_POOLS_COUNTED_SLABS_HPP
#define SNUG_POOLS_COUNTED_SLABS_HPP

#include "snug/bodies/bodies.hpp"
#include "snug/config.hpp"
#include "snug/model/interval.hpp"
#include "snug/normal/flat.hpp"
#include "snug/support/interrupt.hpp"
#include "snug/support/list.hpp"
#include "snug/support/sort.hpp"
#include "snug/support/spread_sort.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

SNUG_BEGIN_NAMESPACE
namespace detail {

class CountedSlabs {
 public:
  /// The bodies must outlive this. Of no use if it is interrupted.
  explicit CountedSlabs(const Bodies& bodies, const Interrupt& interrupt = {})
      : bodies_(&bodies) {
    if (bodies.exempt.empty()) return;
    hidden_.resize(bodies.body_of.size());
    Lists<Interval<Index>> counted(hidden_.size());
    Lists<Index> slabs(hidden_.size());
    List<std::int64_t> size(hidden_.size(), 0);
    for (Index k = 0; k < bodies.slabs.size(); ++k) {
      const Slab& slab = bodies.slabs[k];
      if (slab.buffer == Bodies::kNoBuffer) continue;
      slabs[slab.buffer].push_back(k);
      size[slab.buffer] = (std::max)(size[slab.buffer], slab.length());
    }
    std::size_t since = 0;
    for (const Keyed& next : in_order(size)) {
      const Index i = next.index;
      Runs& hidden = hidden_[i];
      for (const IndexPair& pair : bodies.exempt_of(i))
        if (bodies.body_of[i] != bodies.body_of[pair.second])
          for (const Interval<Index>& run : counted[pair.second])
            hidden.push_back(run);
      if (interrupt.after(hidden.size() + 1, since)) return;
      sort_by_lower(hidden);
      join_neighbours(hidden, join_overlapping<Index>);
      for (const Index k : slabs[i])
        for_each(bodies.slabs[k], [&](const Slab& slab) {
          counted[i].push_back(slab.sections);
        });
    }
  }

  /// Calls visit(slab) for each part of a slab that counts.
  template <class Visit>
  void for_each(Slab slab, Visit&& visit) const {
    const Index end = slab.sections.upper;
    if (!hidden_.empty() && slab.buffer != Bodies::kNoBuffer) {
      const Runs& hidden = hidden_[slab.buffer];
      const auto* run = std::upper_bound(
          hidden.begin(), hidden.end(), slab.sections.lower,
          [](Index s, const Interval<Index>& one) { return s < one.upper; });
      for (; run != hidden.end() && run->lower < end; ++run) {
        slab.sections.upper = run->lower;
        if (slab.sections.lower < run->lower) visit(slab);
        slab.sections.lower = run->upper;
      }
    }
    slab.sections.upper = end;
    if (slab.sections.lower < end) visit(slab);
  }

 private:
  using Runs = List<Interval<Index>>;

  /// Those that may overlap others, of the most bytes for their pairs first.
  [[nodiscard]] List<Keyed> in_order(const List<std::int64_t>& size) const {
    List<Keyed> order;
    for (Index i = 0; i < size.size(); ++i) {
      const std::size_t pairs = bodies_->exempt_of(i).size();
      if (pairs > 0)
        order.push_back({-size[i] / static_cast<std::int64_t>(pairs + 1), i});
    }
    sort_keyed(order);
    return order;
  }

  const Bodies* bodies_;
  Lists<Interval<Index>> hidden_{};  ///< by buffer; none if all count
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_POOLS_COUNTED_SLABS_HPP
