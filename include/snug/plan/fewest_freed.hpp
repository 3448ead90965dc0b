// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which of up to 64 bodies to free such that the others can stay where they
/// are: sets of them in order of weight, the number of buffers that lose their
/// hints, until one will do.
///
///     a --- b --- c      who meets whom. Two that meet cannot both stay: either b
///           |            goes, or a, c and d do. If there is no place for b then,
///           d            some that are live together with it go as well
///
/// Of two that meet, one is free: the one that meets most goes, or else all
/// whom it meets. Once nobody meets, a set grows by the neighbours of those
/// that are free, as one that is live together with none of them may as well
/// stay: what meets nobody where it is has no use for another place. A
/// neighbour that was tried stays in all sets after that, so none comes twice.
///
/// Cost: exponential in the weight, so the looks are limited.
#ifndef SNUG_PLAN_FEWEST_FREED_HPP
#define SNUG_PLAN_FEWEST_FREED_HPP

#include "snug/config.hpp"
#include "snug/engine/bits.hpp"
#include "snug/normal/flat.hpp"

#include <array>
#include <cstdint>

SNUG_BEGIN_NAMESPACE
namespace detail {

class FewestFreed {
 public:
  static constexpr Index kMost = 64;

  /// Body b may be freed, at the price of `weight` buffers.
  void add(Index b, std::int64_t weight) {
    may_free_ |= bit_of(b);
    bodies_[b].weight = weight;
  }
  /// Two that may be freed meet where they are.
  void add_meeting(Index a, Index b) {
    bodies_[a].meets |= bit_of(b);
    bodies_[b].meets |= bit_of(a);
  }
  /// Two may be in each other's way.
  void add_neighbours(Index a, Index b) {
    bodies_[a].neighbours |= bit_of(b);
    bodies_[b].neighbours |= bit_of(a);
  }
  /// One that is free in any case is near b.
  void add_near_free(Index b) { near_free_ |= bit_of(b); }

  /// Calls fits(set) for sets that weigh less than `weight`, the lightest
  /// first, until it says true; returns whether it did.
  template <class Fits>
  [[nodiscard]] bool find(std::int64_t weight, std::int64_t looks,
                          Fits&& fits) {
    looks_left_ = looks;
    for (std::int64_t left = 0; left < weight && looks_left_ > 0; ++left)
      if (search({0, 0, left}, fits)) return true;
    return false;
  }

  [[nodiscard]] static Word bit_of(Index b) noexcept { return Word{1} << b; }

 private:
  /// A body that may be freed.
  struct Loose {
    Word meets = 0;       ///< of these, as they are at their hints
    Word neighbours = 0;  ///< whose places may be in its way
    std::int64_t weight = 0;
  };
  struct Choice {
    Word freed;
    Word kept;          ///< for good
    std::int64_t left;  ///< to be freed: exactly that much
  };

  /// Goes as deep as the weight.
  template <class Fits>
  [[nodiscard]] bool search(const Choice& choice, Fits&& fits) {
    if (--looks_left_ < 0) return false;
    if (const Index b = find_busiest(choice.freed); b < kMost) {
      const Word met = bodies_[b].meets & ~choice.freed;
      return free_all(choice, bit_of(b), 0, fits) ||
             free_all(choice, met, bit_of(b), fits);
    }
    if (choice.left == 0) return fits(choice.freed);
    Word neighbours = near_free_;
    for (Word rest = choice.freed; rest != 0; rest &= rest - 1)
      neighbours |= bodies_[lowest_bit(rest)].neighbours;
    Word kept = 0;
    for (Word rest = neighbours & may_free_ & ~choice.freed & ~choice.kept;
         rest != 0; rest &= rest - 1) {
      const Word b = rest & (~rest + 1);
      if (free_all(choice, b, kept, fits)) return true;
      kept |= b;
    }
    return false;
  }

  /// Goes on with `some` freed and `kept` kept beside what was chosen before.
  template <class Fits>
  [[nodiscard]] bool free_all(Choice choice, Word some, Word kept,
                              Fits&& fits) {
    if ((some & choice.kept) != 0) return false;
    choice.freed |= some;
    choice.kept |= kept;
    for (Word rest = some; rest != 0; rest &= rest - 1)
      choice.left -= bodies_[lowest_bit(rest)].weight;
    return choice.left >= 0 && search(choice, fits);
  }

  /// Who meets most of those that are not free, the last one of several; kMost
  /// if nobody does.
  [[nodiscard]] Index find_busiest(Word freed) const {
    Index result = kMost;
    Index most = 1;
    for (Word rest = may_free_ & ~freed; rest != 0; rest &= rest - 1) {
      const Index b = lowest_bit(rest);
      Index count = 0;
      for (Word word = bodies_[b].meets & ~freed; word != 0; word &= word - 1)
        ++count;
      if (count < most) continue;
      result = b;
      most = count;
    }
    return result;
  }

  std::array<Loose, kMost> bodies_{};
  Word may_free_ = 0;
  Word near_free_ = 0;
  std::int64_t looks_left_ = 0;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAN_FEWEST_FREED_HPP
