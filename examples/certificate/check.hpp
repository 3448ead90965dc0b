// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The checker of certificates: accepts a text only if it proves that a problem
/// does not fit. include/snug/certify.hpp has the format and why its rules are
/// right; nothing of that library is used here.
///
/// Reserved ranges stand behind the buffers, as fixed ones, but for the bytes
/// above the capacity, which are no matter.
///
/// Numbers above the capacity count as one above it. For sums of addresses and
/// sizes that makes no difference to whether they are above it, and no claim
/// stronger.
///
/// Cost: for each lemma, the square of the terms of a stack or pile, the sets of the
/// terms of a pile, and the terms of a split and of the two lemmas that it rests on.
#ifndef SNUG_EXAMPLES_CERTIFICATE_CHECK_HPP
#define SNUG_EXAMPLES_CERTIFICATE_CHECK_HPP

#include "problem.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

namespace certificate {

/// Bytes from `lower` to `upper`, excluded, that are no buffer's while one with
/// the lifespan from `from` to `until` would be live.
struct Reserved {
  static constexpr std::int64_t kFirst =
      (std::numeric_limits<std::int64_t>::min)();
  static constexpr std::int64_t kLast =
      (std::numeric_limits<std::int64_t>::max)();

  std::int64_t lower = 0;
  std::int64_t upper = 0;
  std::int64_t from = kFirst;
  std::int64_t until = kLast;

  [[nodiscard]] bool is_for_all_time() const {
    return from == kFirst && until == kLast;
  }
};

struct Verdict {
  std::string fault{};  ///< empty: the certificate is right, and says that
  std::int64_t capacity = 0;         ///< there is no placement below this
  std::int64_t alignment = 1;        ///< at multiples of this
  std::vector<Reserved> reserved{};  ///< beside these
  std::size_t lemmas = 0;
};

class Checker {
 public:
  /// The problem must outlive this.
  explicit Checker(const Problem& problem) : buffers_(&problem) {}

  [[nodiscard]] Verdict check(std::string_view text) {
    Verdict verdict;
    problem_ = *buffers_;
    lemmas_.clear();
    verdict.fault = read_head(text, verdict);
    if (verdict.fault.empty()) verdict.fault = apply(verdict);
    while (verdict.fault.empty() && !text.empty()) {
      const std::string why = read_lemma(take(text, '\n'));
      if (why.empty())
        ++verdict.lemmas;
      else
        verdict.fault = "lemma " + std::to_string(verdict.lemmas) + ": " + why;
    }
    if (verdict.fault.empty() && !is_final())
      verdict.fault = "the last lemma does not refute the problem";
    return verdict;
  }

 private:
  /// "The buffer lies at `low` or above."
  struct Term {
    std::size_t buffer;
    std::int64_t low;
  };
  using Lemma = std::vector<Term>;

  static constexpr std::int64_t kAbsent = -1;
  static constexpr std::size_t kMostSets = std::size_t{1} << 23;

  /// Takes what stands before `end`, or all of it, and the `end` off `text`.
  static std::string_view take(std::string_view& text, char end) {
    const std::string_view part = text.substr(0, text.find(end));
    text.remove_prefix((std::min)(part.size() + 1, text.size()));
    return part;
  }
  /// A number from 0 up, without a sign.
  static bool read_number(std::string_view word, std::int64_t& value) {
    return !word.empty() && word[0] >= '0' && word[0] <= '9' &&
           read_integer(word, value);
  }

  /// Reads what comes before the lemmas. Returns what is wrong, or nothing.
  [[nodiscard]] std::string read_head(std::string_view& text,
                                      Verdict& verdict) {
    if (take(text, '\n') != "snug certificate 1") return "not a certificate";
    std::string_view line = take(text, '\n');
    if (take(line, ' ') != "capacity" || !read_number(line, capacity_) ||
        capacity_ == (std::numeric_limits<std::int64_t>::max)())
      return "no capacity";
    verdict.capacity = capacity_;
    if (text.substr(0, 10) == "alignment ") {
      line = take(text, '\n').substr(10);
      if (!read_number(line, verdict.alignment) || verdict.alignment == 0)
        return "bad alignment";
    }
    while (text.substr(0, 9) == "reserved ") {
      line = take(text, '\n').substr(9);
      Reserved range;
      if (!read_number(take(line, ' '), range.lower) ||
          !read_number(take(line, ' '), range.upper) ||
          (!line.empty() && (!read_integer(take(line, ' '), range.from) ||
                             !read_integer(take(line, ' '), range.until))) ||
          !line.empty() || range.lower >= range.upper ||
          range.from >= range.until)
        return "bad reserved range";
      verdict.reserved.push_back(range);
    }
    return "";
  }

  /// Makes the problem that of the head. Returns what is wrong, or nothing.
  [[nodiscard]] std::string apply(const Verdict& head) {
    for (Buffer& buffer : problem_) {
      const std::int64_t times =
          head.alignment / std::gcd(head.alignment, buffer.alignment);
      if (buffer.alignment > (std::numeric_limits<std::int64_t>::max)() / times)
        return "the alignments are too large";
      buffer.alignment *= times;
    }
    for (const Reserved& range : head.reserved) {
      Buffer& buffer = problem_.emplace_back();
      buffer.lower = range.from;
      buffer.upper = range.until;
      buffer.size = (std::min)(range.upper, capacity_) -
                    (std::min)(range.lower, capacity_);
      buffer.fixed = range.lower;
    }
    low_.assign(problem_.size(), kAbsent);
    in_the_way_.assign(problem_.size(), {});
    std::vector<std::size_t> fixed;
    for (std::size_t x = 0; x < problem_.size(); ++x)
      if (is_fixed(x) && buffer(x).size > 0 && !buffer(x).has_gaps)
        fixed.push_back(x);
    std::sort(fixed.begin(), fixed.end(), [&](std::size_t x, std::size_t y) {
      return buffer(x).fixed < buffer(y).fixed;
    });
    for (std::size_t x = 0; x < problem_.size(); ++x)
      for (const std::size_t y : fixed)
        if (!is_fixed(x) && conflict(problem_, x, y))
          in_the_way_[x].push_back(y);
    return "";
  }

  /// Reads a lemma and checks that it follows. Returns why not, or nothing.
  [[nodiscard]] std::string read_lemma(std::string_view line) {
    const std::string_view rule = take(line, ' ');
    std::string_view split[3];
    if (rule == "split")
      for (std::string_view& word : split) word = take(line, ' ');
    else if (rule != "stack" && rule != "pile")
      return "unknown rule";
    Lemma lemma;
    while (!line.empty()) {
      const std::string why = read_term(take(line, ' '), lemma);
      if (!why.empty()) return why;
    }
    if (lemma.empty()) return "no terms";
    std::string why = rule == "split"   ? check_split(split, lemma)
                      : rule == "stack" ? check_stack(lemma)
                                        : check_pile(lemma);
    if (!why.empty()) return why;
    // What is said of fixed buffers is so anyway.
    lemma.erase(
        std::remove_if(lemma.begin(), lemma.end(),
                       [&](const Term& term) { return is_fixed(term.buffer); }),
        lemma.end());
    lemmas_.push_back(std::move(lemma));
    return "";
  }

  [[nodiscard]] std::string read_term(std::string_view word,
                                      Lemma& lemma) const {
    std::string_view address = word;
    std::int64_t x = 0;
    Term term{0, 0};
    if (!read_number(take(address, '@'), x) ||
        static_cast<std::size_t>(x) >= problem_.size() ||
        (word.find('@') != std::string_view::npos &&
         !read_number(address, term.low)))
      return "bad term";
    term.buffer = static_cast<std::size_t>(x);
    if (!lemma.empty() && lemma.back().buffer >= term.buffer)
      return "terms do not ascend";
    if (buffer(term.buffer).size == 0 || buffer(term.buffer).has_gaps)
      return "a buffer without bytes, or with gaps";
    if (is_fixed(term.buffer) && term.low > buffer(term.buffer).fixed)
      return "a fixed buffer is not there";
    lemma.push_back(term);
    return "";
  }

  /// Whether all terms of a lemma conflict with each other.
  [[nodiscard]] bool is_clique(const Lemma& lemma) const {
    for (const Term& term : lemma)
      for (const Term& other : lemma)
        if (other.buffer < term.buffer &&
            !conflict(problem_, other.buffer, term.buffer))
          return false;
    return true;
  }
  [[nodiscard]] std::int64_t lowest_of(const Lemma& lemma) const {
    std::int64_t lowest = beyond();
    for (const Term& term : lemma) lowest = (std::min)(lowest, low_of(term));
    return lowest;
  }

  /// Whether buffers on top of each other end above the capacity.
  [[nodiscard]] std::string check_stack(const Lemma& lemma) const {
    if (!is_clique(lemma)) return "buffers that do not conflict";
    std::int64_t unit = 0;
    for (const Term& term : lemma) {
      const Buffer& one = buffer(term.buffer);
      unit = std::gcd(unit, is_fixed(term.buffer) ? one.fixed : one.alignment);
    }
    // One buffer, at address 0.
    if (unit == 0) unit = 1;
    const auto padding = [&](const Term& term) {
      const std::int64_t rest = buffer(term.buffer).size % unit;
      return rest == 0 ? 0 : unit - rest;
    };
    const auto top = std::max_element(
        lemma.begin(), lemma.end(),
        [&](const Term& a, const Term& b) { return padding(a) < padding(b); });
    std::int64_t end = lowest_of(lemma);
    for (auto term = lemma.begin(); term != lemma.end(); ++term) {
      end = add(end, buffer(term->buffer).size);
      if (term != top) end = add(end, padding(*term));
    }
    return end > capacity_ ? "" : "the stack fits";
  }

  /// Whether buffers on top of each other end above the capacity, whatever their
  /// order: `least` has the least end of each set of them, which is a number with
  /// a digit for all of one size and alignment.
  [[nodiscard]] std::string check_pile(const Lemma& lemma) const {
    struct Kind {
      std::size_t buffer, count, place;
    };
    if (!is_clique(lemma)) return "buffers that do not conflict";
    std::vector<Kind> kinds;
    for (const Term& term : lemma) {
      const auto same =
          std::find_if(kinds.begin(), kinds.end(), [&](const Kind& kind) {
            const Buffer& one = buffer(kind.buffer);
            const Buffer& other = buffer(term.buffer);
            return one.size == other.size && one.alignment == other.alignment;
          });
      if (same == kinds.end())
        kinds.push_back({term.buffer, 1, 0});
      else
        ++same->count;
    }
    std::size_t sets = 1;
    for (Kind& kind : kinds) {
      kind.place = sets;
      if (sets > kMostSets / (kind.count + 1)) return "too many sets";
      sets *= kind.count + 1;
    }
    std::vector<std::int64_t> least(sets, beyond());
    least[0] = lowest_of(lemma);
    for (std::size_t set = 1; set < sets; ++set)
      for (const Kind& top : kinds) {
        if (set / top.place % (top.count + 1) == 0) continue;
        const std::int64_t below = align(top.buffer, least[set - top.place]);
        least[set] =
            (std::min)(least[set], add(below, buffer(top.buffer).size));
      }
    return least.back() > capacity_ ? "" : "the pile fits";
  }

  /// Whether both cases of a split are refuted.
  [[nodiscard]] std::string check_split(const std::string_view (&split)[3],
                                        const Lemma& lemma) {
    std::int64_t number = 0;
    if (!read_number(split[0], number)) return "bad buffer";
    const auto x = static_cast<std::size_t>(number);
    const auto own =
        std::find_if(lemma.begin(), lemma.end(),
                     [&](const Term& term) { return term.buffer == x; });
    if (own == lemma.end()) return "a split on a buffer without a term";
    for (const Term& term : lemma)
      if (is_fixed(term.buffer)) return "a split with a fixed buffer";
    const std::int64_t low = round_up(x, own->low);
    const std::int64_t top = add(low, buffer(x).size);
    bool can_rise = false;
    std::int64_t raised = beyond();
    for (const Term& term : lemma) {
      low_[term.buffer] = round_up(term.buffer, term.low);
      if (term.buffer == x || !conflict(problem_, x, term.buffer)) continue;
      const std::int64_t end = add(low_[term.buffer], buffer(term.buffer).size);
      if (end <= low) return forget(lemma, "a buffer has room below");
      if (low_[term.buffer] >= top) continue;
      can_rise = true;
      raised = (std::min)(raised, end);
    }
    low_[x] = round_up(x, raised);
    if (can_rise ? !refutes(split[2]) : split[2] != "-")
      return forget(lemma, "the second case is open");
    low_[x] = kAbsent;
    for (const Term& term : lemma)
      if (term.buffer != x && conflict(problem_, x, term.buffer))
        low_[term.buffer] =
            round_up(term.buffer, (std::max)(low_[term.buffer], top));
    return forget(lemma, refutes(split[1]) ? "" : "the first case is open");
  }

  /// Whether the terms of a lemma, named by its number, are met by low_.
  [[nodiscard]] bool refutes(std::string_view name) const {
    std::int64_t number = 0;
    if (!read_number(name, number) ||
        static_cast<std::size_t>(number) >= lemmas_.size())
      return false;
    const Lemma& lemma = lemmas_[static_cast<std::size_t>(number)];
    return std::all_of(lemma.begin(), lemma.end(), [&](const Term& term) {
      return low_[term.buffer] != kAbsent && low_[term.buffer] >= term.low;
    });
  }
  [[nodiscard]] std::string forget(const Lemma& lemma, const char* why) {
    for (const Term& term : lemma) low_[term.buffer] = kAbsent;
    return why;
  }

  /// Whether the last lemma asks for nothing but the presence of buffers.
  [[nodiscard]] bool is_final() const {
    return !lemmas_.empty() &&
           std::all_of(lemmas_.back().begin(), lemmas_.back().end(),
                       [](const Term& term) { return term.low == 0; });
  }

  [[nodiscard]] const Buffer& buffer(std::size_t x) const {
    return problem_[x];
  }
  [[nodiscard]] std::int64_t beyond() const { return capacity_ + 1; }
  [[nodiscard]] std::int64_t add(std::int64_t a, std::int64_t b) const {
    return b >= beyond() - (std::min)(a, beyond()) ? beyond() : a + b;
  }
  [[nodiscard]] bool is_fixed(std::size_t x) const {
    return buffer(x).fixed >= 0;
  }
  /// Where the buffer of a term lies at the least.
  [[nodiscard]] std::int64_t low_of(const Term& term) const {
    return is_fixed(term.buffer)
               ? (std::min)(buffer(term.buffer).fixed, beyond())
               : round_up(term.buffer, term.low);
  }
  /// The least offset of x from an address up that is aligned and at which it
  /// meets no fixed buffer.
  [[nodiscard]] std::int64_t round_up(std::size_t x,
                                      std::int64_t address) const {
    address = align(x, address);
    for (const std::size_t y : in_the_way_[x])
      if (buffer(y).fixed < add(address, buffer(x).size) &&
          address < add(buffer(y).fixed, buffer(y).size))
        address = align(x, add(buffer(y).fixed, buffer(y).size));
    return address;
  }
  [[nodiscard]] std::int64_t align(std::size_t x, std::int64_t address) const {
    const std::int64_t rest = address % buffer(x).alignment;
    return rest == 0 ? (std::min)(address, beyond())
                     : add(address, buffer(x).alignment - rest);
  }

  const Problem* buffers_;
  Problem problem_{};  ///< that of the head
  std::int64_t capacity_ = 0;
  std::vector<Lemma> lemmas_{};
  /// Addresses of a case of a split; kAbsent between.
  std::vector<std::int64_t> low_{};
  /// Fixed buffers that conflict with each, by their offsets.
  std::vector<std::vector<std::size_t>> in_the_way_{};
};

}  // namespace certificate

#endif  // SNUG_EXAMPLES_CERTIFICATE_CHECK_HPP
