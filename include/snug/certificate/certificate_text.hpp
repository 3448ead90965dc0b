// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A refutation as the text of a certificate: the lemmas that the last one rests
/// on, numbered anew in the order in which they were found. certify.hpp has the
/// format.
///
/// Cost: that of the text.
#ifndef SNUG_CERTIFICATE_CERTIFICATE_TEXT_HPP
#define SNUG_CERTIFICATE_CERTIFICATE_TEXT_HPP

#include "snug/certificate/certifiable.hpp"
#include "snug/certificate/lemmas.hpp"
#include "snug/config.hpp"
#include "snug/model/certificate.hpp"
#include "snug/model/problem.hpp"
#include "snug/support/list.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// The lemmas that `last` rests on, and itself.
[[nodiscard]] inline List<bool> lemmas_used(const Lemmas& lemmas, Lemma last) {
  List<bool> used(last + 1, false);
  used[last] = true;
  // What a lemma rests on was found before it.
  for (Lemma lemma = last + 1; lemma-- > 0;) {
    if (!used[lemma]) continue;
    const Derivation& how = lemmas.how(lemma);
    if (how.placed != kNoLemma) used[how.placed] = true;
    if (how.raised != kNoLemma) used[how.raised] = true;
  }
  return used;
}

template <class Number>
void append_number(std::string& text, Number number) {
  text += ' ';
  text += std::to_string(number);
}

/// What a certificate says of the memory.
[[nodiscard]] inline std::string certificate_head(
    const Certifiable& certifiable, std::int64_t capacity) {
  std::string text = "snug certificate 1\ncapacity " + std::to_string(capacity);
  if (certifiable.alignment > 1)
    text += "\nalignment " + std::to_string(certifiable.alignment);
  for (const Reserved<>& range : certifiable.reserved) {
    text += "\nreserved";
    append_number(text, range.bytes.lower);
    append_number(text, range.bytes.upper);
    if (!range.lifespan) continue;
    append_number(text, range.lifespan->lower);
    append_number(text, range.lifespan->upper);
  }
  return text;
}

/// Writes the refutation that ends with the lemma `last`, below the head.
inline void write_certificate(const Lemmas& lemmas, Lemma last,
                              std::string head, Certificate& result) {
  const List<bool> used = lemmas_used(lemmas, last);
  std::vector<std::size_t> number(last + 1, 0);
  result.text = std::move(head);
  for (Lemma lemma = 0; lemma <= last; ++lemma) {
    if (!used[lemma]) continue;
    number[lemma] = result.lemmas++;
    const Derivation& how = lemmas.how(lemma);
    if (how.placed == kNoLemma) {
      result.text += "\nstack";
    } else {
      result.text += "\nsplit";
      append_number(result.text, how.split);
      append_number(result.text, number[how.placed]);
      if (how.raised == kNoLemma)
        result.text += " -";
      else
        append_number(result.text, number[how.raised]);
    }
    for (const Term& term : lemmas.terms(lemma)) {
      append_number(result.text, term.buffer);
      if (term.lowest > 0) {
        result.text += '@';
        result.text += std::to_string(term.lowest);
      }
    }
  }
  result.text += '\n';
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_CERTIFICATE_CERTIFICATE_TEXT_HPP
