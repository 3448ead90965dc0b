// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// certify(): a proof that buffers do not fit which anybody can check.
///
/// A solver that says "infeasible" asks to be believed: the rules of its search
/// have arguments, but also code. A certificate is a list of *lemmas*, each of
/// which follows from those before it in one small step. To check it takes no
/// search and none of this library: examples/check_certificate.cpp does it.
///
/// *Lemmas.* A lemma is a list of terms, a buffer and an address each, and says:
/// there are no offsets, multiples of the alignments, from these addresses up,
/// with which no two of these buffers meet that conflict, none a fixed one, and
/// none ends above the capacity. So a lemma all of whose addresses are 0 says that
/// these buffers, and thus the problem, do not fit. Buffers *conflict* if they are
/// live together or kept apart, unless they may share bytes: those that are tied
/// by aliases and contiguous groups, directly or through others, and pairs that
/// may overlap. What is *reserved* of the memory is a fixed buffer, too, behind the
/// others, that conflicts with all that are live then, and ends at the capacity if
/// it ends above it; the bytes below the base are reserved for all time.
///
/// *Text.* Lines of words with one blank between; numbers are decimal; buffers
/// are rows of the problem, from 0 up; lemmas are numbered from 0 up, as they
/// come. A term is `BUFFER@ADDRESS`, or `BUFFER` for address 0; those of a lemma
/// ascend by buffer. Fixed buffers may be in stacks and piles only, at their offsets
/// or below; as that is so anyway, they are no terms of the lemma in what follows.
/// The last lemma has no address but 0.
///
///     snug certificate 1
///     capacity CAPACITY
///     alignment ALIGNMENT
///     reserved LOWER UPPER [FROM UNTIL]
///     stack TERM...
///     pile TERM...
///     split BUFFER PLACED RAISED TERM...
///
/// Of the head, `alignment` is that of the heap, each buffer's alignment with it
/// their least common multiple; it is left out if it is 1. There is a line for each
/// reserved range, that below the base first, if there is a base; FROM and UNTIL are
/// the lifespan of one that is not for all time. The first reserved range is the row
/// after the last buffer.
///
/// *Rules.* Let low(x) be the least address from that of x in the lemma at hand
/// up which is a multiple of its alignment, and at which x meets none of the
/// fixed buffers that conflict with it: x lies there or above. So "rounded up"
/// means for buffers.
///
///   stack   All terms conflict with each other. With g the greatest common
///           divisor of their alignments, or offsets of fixed ones, t the least
///           low(x), and s'(x) the size of x rounded up to a multiple of g,
///
///               t + sum of s'(x) - largest of s'(x) - size(x)  >  CAPACITY.
///
///           For they lie one on top of the other from t up, each from a
///           multiple of g, and only the highest one ends before another.
///
///   pile    All terms conflict with each other. Put on top of each other from t up,
///           each at the lowest multiple of its alignment, the highest one ends above
///           CAPACITY whatever their order: least(all terms) > CAPACITY, with
///           least(no term) = t, and else the least, over x on top, of the end of x
///           above least(the others) (bounds/aligned_stack.hpp). Of sets in which
///           as many have each size and alignment there are at most 2^23.
///
///   split   BUFFER, x, is in a term. Every other term y that conflicts with x
///           has low(y) + size(y) > low(x). Let top = low(x) + size(x).
///
///           PLACED is a lemma whose terms are met by those of this one without
///           x, where those that conflict with x are raised to top.
///           RAISED is a lemma whose terms are met by those of this one with x
///           raised to the least low(y) + size(y) among the terms y that
///           conflict with x and have low(y) < top. If there is no such y it
///           is `-`.
///
///           Terms meet another if they have its buffer at its address or above,
///           rounded up. There may be more of them.
///
/// *Why a split is right.* Suppose the terms of the lemma have offsets after all,
/// and take some of the least sum. Either x lies at low(x). Then a y that
/// conflicts with it does not end at or below low(x), so it lies above x, at top
/// or higher: the offsets of the others contradict PLACED. Or x lies above
/// low(x). It could not move down to low(x) alone, for the sum would be less; so
/// some y in conflict with x, which is not fixed, has bytes in [low(x), top), and
/// is below x, as x ends above top. Then low(y) < top, and x lies at y's end or
/// above, which contradicts RAISED.
///
///        |     |  y  |           x is at low(x), or on a y that is in its way
///        |  x  +-----+
///        |     |  y  |
///        +-----+-----+  low(x)
///
/// *Bounds.* Where minimize() has found the optimum, the certificate of one less
/// proves it.
///
/// *What is certified.* Sizes, lifespans, alignments and fixed offsets of
/// buffers, pairs kept apart, base, alignment of the heap and reserved ranges
/// (certificate/certifiable.hpp). What only restricts offsets further (ends of
/// memory, that tied buffers have their distance) is left out, and so are buffers
/// with gaps, and those of fewer bytes where two that are live together may share
/// some, and those of no bytes, although their offsets have to be aligned within the
/// memory, too: what does not fit without these does not fit with them.
///
///     check --> load too high? ---> the largest buffers of that moment: one stack
///                    | no
///               a stack too high? -> all buffers of that moment: one pile
///                    | no
///               certificate/refuter.hpp
#ifndef SNUG_CERTIFY_HPP
#define SNUG_CERTIFY_HPP

#include "snug/api.hpp"
#include "snug/bounds/aligned_load.hpp"
#include "snug/bounds/aligned_stack.hpp"
#include "snug/bounds/clique_cover.hpp"
#include "snug/bounds/load.hpp"
#include "snug/certificate/certifiable.hpp"
#include "snug/certificate/certificate_text.hpp"
#include "snug/certificate/claims.hpp"
#include "snug/certificate/lemmas.hpp"
#include "snug/certificate/refuter.hpp"
#include "snug/config.hpp"
#include "snug/engine/limits.hpp"
#include "snug/explain/overload.hpp"
#include "snug/model/certificate.hpp"
#include "snug/model/check.hpp"
#include "snug/model/options.hpp"
#include "snug/model/problem.hpp"
#include "snug/normal/plain.hpp"
#include "snug/support/list.hpp"
#include "snug/support/outcome.hpp"
#include "snug/support/sort.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// The sets of a pile that a checker looks at.
inline constexpr std::size_t kMostPiled = std::size_t{1} << 23;

/// The sets of these buffers in which as many have each size and alignment; more
/// than kMostPiled if that is too many.
[[nodiscard]] inline std::uint64_t sets_of(const Plain& plain,
                                           List<Index> buffers) {
  const auto is_before = [&](Index a, Index b) {
    const FlatBuffer& x = plain.buffers[a];
    const FlatBuffer& y = plain.buffers[b];
    return x.size != y.size ? x.size < y.size : x.alignment < y.alignment;
  };
  heap_sort(buffers, is_before);
  std::uint64_t sets = 1;
  for (std::size_t k = 0, next = 0; k < buffers.size(); k = next) {
    while (next < buffers.size() && !is_before(buffers[k], buffers[next]))
      ++next;
    sets *= next - k + 1;
    if (sets > kMostPiled) return sets;
  }
  return sets;
}

/// Writes the certificate of what does not fit at one moment, if there is one.
[[nodiscard]] inline bool certify_load(const Certifiable& certifiable,
                                       std::int64_t capacity, Limits& limits,
                                       Certificate& result) {
  const Plain& plain = certifiable.plain;
  const auto overload =
      find_overload(plain, section_loads(plain), capacity, limits.interrupt());
  if (!overload) return false;
  Lemmas lemmas(plain.buffers.size());
  List<Term> terms;
  for (const std::size_t i : overload->buffers)
    terms.push_back({static_cast<Index>(i), 0});
  write_certificate(lemmas, lemmas.add(terms, {}),
                    certificate_head(certifiable, capacity), result);
  return true;
}

/// Writes the certificate of what does not fit at one moment in any order, if it
/// is soon found, and takes more than a stack.
[[nodiscard]] inline bool certify_pile(const Certifiable& certifiable,
                                       std::int64_t capacity, Limits& limits,
                                       Certificate& result) {
  const Plain& plain = certifiable.plain;
  const std::int64_t bound = aligned_load(plain);
  if (bound > capacity) return false;
  AlignedStacks stacks(plain, kMostPiled * sizeof(std::uint32_t));
  stacks.run(bound, capacity, kMostStackSteps,
             [&] { return limits.hit_now(0); });
  List<Index> pile = stacks.highest();
  if (stacks.height() <= capacity || sets_of(plain, pile) > kMostPiled)
    return false;
  heap_sort(pile);
  result.text = certificate_head(certifiable, capacity) + "\npile";
  for (const Index i : pile) append_number(result.text, i);
  result.text += '\n';
  result.lemmas = 1;
  return true;
}

/// The outcome for what certificates speak of, with the certificate.
[[nodiscard]] inline Outcome certify_all(Certifiable certifiable,
                                         std::int64_t capacity, Limits& limits,
                                         Certificate& result) {
  if (certify_load(certifiable, capacity, limits, result) ||
      certify_pile(certifiable, capacity, limits, result))
    return Outcome::kRefuted;
  Plain& plain = certifiable.plain;
  if (plain.buffers.size() > kMostRefuted) return Outcome::kOpen;
  CliqueCover cover(plain, limits.interrupt());
  plain.cliques = std::move(cover.cliques());
  Refuter refuter(certifiable, capacity, limits.interrupt());
  const Outcome outcome = refuter.run(limits);
  result.nodes = refuter.nodes();
  if (outcome == Outcome::kRefuted)
    write_certificate(refuter.lemmas(), refuter.last(),
                      certificate_head(certifiable, capacity), result);
  return outcome;
}

}  // namespace detail

template <class Size, class Time>
Certificate certify(const Problem<Size, Time>& problem,
                    typename Problem<Size, Time>::SizeType capacity,
                    const Options& options) {
  Certificate result;
  detail::Limits limits(options);
  result.error = detail::check<false>(problem, limits.interrupt());
  detail::check_capacity(capacity, result.error);
  if (!result.error.ok()) return result;
  result.status = Status::kUnknown;
  if (std::int64_t{capacity} > detail::kMostCertified) {
    result.stopped_by = Stop::kNodeLimit;
    return result;
  }
  detail::Certifiable certifiable;
  if (limits.stopped_by() == Stop::kNone)
    certifiable = detail::certifiable(problem, capacity, limits.interrupt());
  if (limits.stopped_by() != Stop::kNone) {
    result.stopped_by = limits.stopped_by();
    result.seconds = limits.seconds();
    return result;
  }
  const bool is_whole = certifiable.is_whole;
  const detail::Outcome outcome = detail::certify_all(
      std::move(certifiable), std::int64_t{capacity}, limits, result);
  if (outcome == detail::Outcome::kRefuted) {
    result.status = Status::kInfeasible;
  } else if (outcome == detail::Outcome::kOpen) {
    result.stopped_by = limits.left_open_by();
  } else if (is_whole) {
    result.status = Status::kFeasible;
  }
  result.seconds = limits.seconds();
  return result;
}

SNUG_END_NAMESPACE

#endif  // SNUG_CERTIFY_HPP
