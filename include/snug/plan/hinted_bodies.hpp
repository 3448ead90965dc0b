// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The bodies of a problem, each where its hint says if it can be there by
/// itself: in range, on its grid, and not fixed elsewhere. Of buffers that are
/// tied, the first hint counts. Those that meet one another do so until whoever
/// derives from this lets some lose their places. Once it is known who stays, those
/// are fixed, and the others are searched.
///
/// Cost: that of bodies/body_builder.hpp; O(k p) for the k slabs of a body, of p slabs,
/// the first time that its relations are asked for.
#ifndef SNUG_PLAN_HINTED_BODIES_HPP
#define SNUG_PLAN_HINTED_BODIES_HPP

#include "snug/bodies/bodies.hpp"
#include "snug/bodies/relations.hpp"
#include "snug/config.hpp"
#include "snug/normal/flat.hpp"
#include "snug/plan/body_components.hpp"
#include "snug/plan/call.hpp"
#include "snug/support/list.hpp"
#include "snug/support/memory.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

SNUG_BEGIN_NAMESPACE
namespace detail {

class HintedBodies {
 public:
  /// `capacity` is in bytes. Of no use if the call gave up.
  HintedBodies(const Flat& flat, std::int64_t capacity, Call& call)
      : flat_(&flat), call_(&call) {
    const Flat pinned = pin(flat);
    const Held held(call, pinned.bytes());
    bodies_ = build_bodies(pinned, call, CliqueScope::kNone);
    capacity_ = capacity / bodies_.unit;
    if (bodies_.body_of.size() < flat.buffers.size()) return;  // Interrupted.
    take_places();
  }

  /// The bytes that are held.
  [[nodiscard]] std::size_t bytes() const noexcept {
    std::size_t bytes =
        bodies_.bytes() + bytes_of(at_, hold_, related_, is_asked_);
    for (const List<Meeting>& one : related_) bytes += bytes_of(one);
    return bytes;
  }

  /// Where the buffers are, in bytes; Flat::kNone for those without a place.
  [[nodiscard]] List<std::int64_t> offsets() const {
    List<std::int64_t> result(flat_->buffers.size(), Flat::kNone);
    for (Index i = 0; i < result.size(); ++i)
      if (const std::int64_t at = at_[bodies_.body_of[i]]; at != kNowhere)
        result[i] = bodies_.offset_of(i, at);
    return result;
  }

 protected:
  static constexpr std::int64_t kNowhere = -1;

  enum class Hold : std::uint8_t {
    kLoose,  ///< may lose its place
    kTaken,  ///< found another one
    kFixed,
  };

  /// Addresses between the two ends that `body`, where it is, forbids another.
  struct Taken {
    Index body;
    Interval<std::int64_t> addresses;
  };

  /// Whether two bodies meet, the first of which has a place.
  [[nodiscard]] bool meet(const Meeting& meeting) const {
    if (at_[meeting.y] == kNowhere) return false;
    const std::int64_t difference = at_[meeting.y] - at_[meeting.x];
    return meeting.forbidden.lower < difference &&
           difference < meeting.forbidden.upper;
  }

  /// Who b has relations with, and the differences that they forbid. Not all of
  /// them if the call gives up.
  [[nodiscard]] const List<Meeting>& related(Index b) {
    List<Meeting>& result = related_[b];
    if (is_asked_[b] != 0) return result;
    is_asked_[b] = 1;
    for (const Slab& own : bodies_.slabs_of(b)) {
      if (call_->gives_up()) break;
      for (const Slab& other : bodies_.slabs)
        if (other.sections.overlaps(own.sections) &&
            bodies_.exclude(own, other))
          result.push_back({b, other.body, forbidden(own, other)});
    }
    return result;
  }

  /// The addresses that those with a place forbid b.
  [[nodiscard]] List<Taken> taken_from(Index b) {
    List<Taken> taken;
    for (const Meeting& meeting : related(b)) {
      const std::int64_t y = at_[meeting.y];
      if (y == kNowhere) continue;
      taken.push_back({meeting.y, moved(negated(meeting.forbidden), y)});
    }
    return taken;
  }

  /// Whether b, which has a place, meets a fixed one there.
  [[nodiscard]] bool meets_fixed(Index b) {
    return any_that(related(b), [&](const Meeting& meeting) {
      return hold_[meeting.y] == Hold::kFixed && meet(meeting);
    });
  }

  /// Whether its hint is a place for it, but for who else is there.
  [[nodiscard]] bool may_stay(Index b) const {
    const Body& body = bodies_.bodies[b];
    return body.is_fixed() && body.fixed >= body.first &&
           (body.fixed - body.first) % body.step == 0 &&
           body.fixed <= capacity_ - body.extent;
  }

  /// How many buffers of a body that has a place are at their hints.
  [[nodiscard]] std::int64_t count_hints(Index b) const {
    std::int64_t result = 0;
    for (Index i = 0; i < flat_->hints.size(); ++i)
      if (bodies_.body_of[i] == b && flat_->hints[i] != Flat::kNone &&
          flat_->hints[i] == bodies_.offset_of(i, at_[b]))
        ++result;
    return result;
  }

  const Flat* flat_;
  Call* call_;
  Bodies bodies_{};
  std::int64_t capacity_ = 0;      ///< in units
  List<std::int64_t> at_{};        ///< of each body
  List<Hold> hold_{};              ///< of each body
  Lists<Meeting> related_{};       ///< of those that were asked
  List<std::uint8_t> is_asked_{};  ///< of each body

 private:
  /// The problem with all hints as fixed offsets: where the first one of a
  /// class of tied buffers says.
  [[nodiscard]] static Flat pin(const Flat& flat) {
    Flat pinned = flat;
    if (pinned.fixed.empty())
      pinned.fixed.assign(flat.buffers.size(), Flat::kNone);
    for (Index i = 0; i < flat.buffers.size(); ++i) {
      const Index root = flat.root_of(i);
      if (flat.hints[i] == Flat::kNone || pinned.is_fixed(root)) continue;
      pinned.fixed[root] =
          flat.root.empty()
              ? flat.hints[i]
              : (std::max)(flat.hints[i] - flat.delta[i] + flat.delta[root],
                           std::int64_t{0});
    }
    if (!flat.root.empty()) fix_classes(pinned);
    return pinned;
  }

  /// Lets the bodies be where they are pinned, as far as that is possible.
  void take_places() {
    at_.assign(bodies_.bodies.size(), kNowhere);
    // A body without buffers is of reserved ranges.
    hold_.assign(at_.size(), Hold::kFixed);
    for (Index i = 0; i < flat_->buffers.size(); ++i)
      if (!flat_->is_fixed(i)) hold_[bodies_.body_of[i]] = Hold::kLoose;
    for (Index b = 0; b < at_.size(); ++b) {
      const Body& body = bodies_.bodies[b];
      if (hold_[b] == Hold::kFixed || may_stay(b)) at_[b] = body.fixed;
      // Without slabs it is in nobody's way.
      if (at_[b] == kNowhere && body.slabs.empty()) at_[b] = body.first;
    }
    related_ = Lists<Meeting>(at_.size());
    is_asked_.assign(at_.size(), 0);
  }
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAN_HINTED_BODIES_HPP
