// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Lemmas: what a certificate consists of.
///
/// A lemma is a set of terms "buffer x lies at address a or above" that cannot
/// all hold below the capacity. It stands alone, without a search or a state;
/// whoever meets its terms, or higher ones, is refuted. certify.hpp says how one
/// follows from others.
///
/// Cost: a lemma whose terms a state has just come to meet is looked for among
/// those with a term for a buffer that was raised, past that term.
#ifndef SNUG_CERTIFICATE_LEMMAS_HPP
#define SNUG_CERTIFICATE_LEMMAS_HPP

#include "snug/config.hpp"
#include "snug/normal/flat.hpp"
#include "snug/support/list.hpp"
#include "snug/support/rows.hpp"
#include "snug/support/sort.hpp"
#include "snug/support/view.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// The number of a lemma: how many there were before.
using Lemma = std::size_t;
inline constexpr Lemma kNoLemma = (std::numeric_limits<Lemma>::max)();

/// "The buffer lies at `lowest` or above."
struct Term {
  Index buffer;
  std::int64_t lowest;
};

/// How a lemma follows.
struct Derivation {
  Index split = 0;          ///< the buffer whose two cases there are
  Lemma placed = kNoLemma;  ///< refutes the first; none: the lemma is a stack
  Lemma raised = kNoLemma;  ///< refutes the second; none: it cannot be
};

/// The terms of a lemma that is being made.
class TermSet {
 public:
  explicit TermSet(std::size_t buffers) : lowest_(buffers, kAbsent) {}

  /// Asks for `x` at `lowest` or above; for its presence, if that is 0 or less.
  void add(Index x, std::int64_t lowest) {
    if (lowest_[x] == kAbsent) buffers_.push_back(x);
    lowest_[x] = (std::max)({lowest_[x], lowest, std::int64_t{0}});
  }
  [[nodiscard]] const List<Index>& buffers() const noexcept { return buffers_; }
  /// Hands the terms over, ascending by buffer, and starts again.
  [[nodiscard]] const List<Term>& take() {
    heap_sort(buffers_);
    terms_.clear();
    for (const Index x : buffers_) {
      terms_.push_back({x, lowest_[x]});
      lowest_[x] = kAbsent;
    }
    buffers_.clear();
    return terms_;
  }

 private:
  static constexpr std::int64_t kAbsent = -1;

  std::vector<std::int64_t> lowest_;
  List<Index> buffers_{};
  List<Term> terms_{};
};

class Lemmas {
 public:
  using Terms = View<const Term>;

  explicit Lemmas(std::size_t buffers) : uses_(buffers) {}

  [[nodiscard]] std::size_t size() const noexcept { return how_.size(); }
  /// Whether there is no room for more: some GiB are taken.
  [[nodiscard]] bool is_full() const noexcept {
    return terms_.all().size() > kMostTerms;
  }
  /// Of one, ascending by buffer.
  [[nodiscard]] Terms terms(Lemma lemma) const noexcept {
    return terms_[lemma];
  }
  [[nodiscard]] const Derivation& how(Lemma lemma) const noexcept {
    return how_[lemma];
  }

  Lemma add(const List<Term>& terms, const Derivation& how) {
    for (const Term& term : terms)
      if (term.lowest > 0) uses_[term.buffer].push_back({term.lowest, size()});
    terms_.add_row(terms);
    how_.push_back(how);
    return size() - 1;
  }

  /// The first lemma that is_met(), of those with a term for `buffer` above
  /// `from` and at `to` at the most.
  template <class IsMet>
  [[nodiscard]] Lemma find(Index buffer, std::int64_t from, std::int64_t to,
                           IsMet&& is_met) const {
    for (const Use& use : uses_[buffer])
      if (from < use.lowest && use.lowest <= to && is_met(use.lemma))
        return use.lemma;
    return kNoLemma;
  }

 private:
  static constexpr std::size_t kMostTerms = std::size_t{1} << 26;

  struct Use {
    std::int64_t lowest;
    Lemma lemma;
  };

  Rows<Term> terms_{};  ///< of each lemma
  List<Derivation> how_{};
  Lists<Use> uses_;  ///< of each buffer, in terms above 0
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_CERTIFICATE_LEMMAS_HPP
