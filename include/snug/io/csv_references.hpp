// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How a row names other rows: lists of ids, separated by blanks, each with a
/// distance behind it where the column has one.
///
///     a  b-1  'my tensor'  'b-1'+64  'it''s'       a*3  'my tensor'*20
///
/// A word is an id as it stands, or an id in single quotes, with two of them
/// for one in it; an id that is empty, has a blank or starts with a quote must
/// be quoted. A word without quotes that is an id as a whole is that id; else
/// its last sign and the digits behind it are the distance. So where both `b`
/// and `b-1` are ids, `b-1` is the second and `'b'-1` the first, less 1.
#ifndef SNUG_IO_CSV_REFERENCES_HPP
#define SNUG_IO_CSV_REFERENCES_HPP

#include "snug/config.hpp"
#include "snug/io/csv_scan.hpp"
#include "snug/io/ids.hpp"
#include "snug/io/text.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// One entry of a list.
struct CsvWord {
  std::string_view text{};      ///< as it stands, for messages
  std::string id{};             ///< of a quoted word
  std::string_view distance{};  ///< what follows a quoted id
  bool quoted = false;
};

/// Takes a word off the front of `list`, which starts with none of the blanks
/// that separate words. Returns an error's text, or nullptr.
[[nodiscard]] inline const char* take_word(std::string_view& list,
                                           CsvWord& word) {
  std::size_t end = 0;
  word.quoted = list.front() == '\'';
  if (word.quoted) {
    word.id.clear();
    for (++end;; ++end) {
      if (end == list.size()) {
        word.text = list;
        return "id is not closed by a quote";
      }
      if (list[end] == '\'') {
        ++end;
        if (end == list.size() || list[end] != '\'') break;
      }
      word.id += list[end];
    }
  }
  const std::size_t behind_id = end;
  while (end < list.size() && !is_blank(list[end])) ++end;
  word.text = list.substr(0, end);
  word.distance = word.text.substr(behind_id);
  list.remove_prefix(end);
  return nullptr;
}

/// Reads a distance such as `+4` or `-4`.
template <class Size>
[[nodiscard]] const char* parse_distance(std::string_view text,
                                         Size& distance) noexcept {
  const bool has_digits = text.size() > 1 && text[1] >= '0' && text[1] <= '9';
  if (!has_digits || (text[0] != '+' && text[0] != '-'))
    return "not of the form id, id+distance or id-distance";
  if (text[0] == '+') text.remove_prefix(1);
  return parse_integer(text, distance);
}

/// What may stand behind an id.
enum class Behind : std::uint8_t {
  kNothing,
  kDistance,  ///< or nothing
  kCost,
};

/// The id of a word, and what stands behind it: in one without quotes, its last
/// star and the rest.
[[nodiscard]] inline std::pair<std::string_view, std::string_view>
split_at_star(const CsvWord& word) noexcept {
  if (word.quoted) return {word.id, word.distance};
  const std::size_t star = (std::min)(word.text.rfind('*'), word.text.size());
  return {word.text.substr(0, star), word.text.substr(star)};
}

/// Reads a cost such as `*4`; what else it is, is not of this form.
template <class Size>
[[nodiscard]] const char* parse_cost(std::string_view text, Size& cost,
                                     const char* malformed) noexcept {
  if (text.size() < 2 || text[0] != '*') return malformed;
  return parse_integer(text.substr(1), cost);
}

/// Finds the row that a word names, with a cost.
template <class Size>
[[nodiscard]] const char* resolve_priced(const CsvWord& word, const Ids& ids,
                                         std::size_t& row, Size& cost) {
  constexpr const char* kMalformed = "not of the form id*cost";
  const auto [id, behind] = split_at_star(word);
  if (!word.quoted && behind.empty()) return kMalformed;
  row = ids.find(id);
  if (row == Ids::kNoRow) return "no row has this id";
  return parse_cost(behind, cost, kMalformed);
}

/// Finds the row that a word names and the distance or cost.
template <class Size>
[[nodiscard]] const char* resolve_word(const CsvWord& word, const Ids& ids,
                                       Behind behind, std::size_t& row,
                                       Size& distance) {
  if (behind == Behind::kCost) return resolve_priced(word, ids, row, distance);
  const bool with_distance = behind == Behind::kDistance;
  std::string_view id = word.quoted ? std::string_view(word.id) : word.text;
  std::string_view rest = word.quoted ? word.distance : std::string_view();
  distance = 0;
  row = ids.find(id);
  if (row == Ids::kNoRow && with_distance && !word.quoted) {
    rest = id.substr((std::min)(id.find_last_of("+-"), id.size()));
    row = ids.find(id.substr(0, id.size() - rest.size()));
  }
  if (row == Ids::kNoRow) return "no row has this id";
  if (rest.empty()) return nullptr;
  if (!with_distance) return "text behind the closing quote";
  return parse_distance(rest, distance);
}

/// Calls visit(word) for each word of `list`, until it returns the text of an
/// error. Returns that, or why `list` cannot be read, with the word in
/// `culprit`, or nullptr.
template <class Visit>
[[nodiscard]] const char* for_each_word(std::string_view list,
                                        std::string_view& culprit,
                                        Visit visit) {
  CsvWord word;
  for (list = trim_blanks(list); !list.empty(); list = trim_blanks(list)) {
    const char* error = take_word(list, word);
    culprit = word.text;
    if (error == nullptr) error = visit(word);
    if (error != nullptr) return error;
  }
  return nullptr;
}

/// Calls visit(row, distance) for each word of `list`; `Size` is the type of
/// distances, or costs. Returns as for_each_word() does.
template <class Size, class Visit>
[[nodiscard]] const char* for_each_reference(std::string_view list,
                                             const Ids& ids, Behind behind,
                                             std::string_view& culprit,
                                             Visit visit) {
  return for_each_word(list, culprit, [&](const CsvWord& word) {
    std::size_t row = 0;
    Size distance = 0;
    const char* const error = resolve_word(word, ids, behind, row, distance);
    if (error == nullptr) visit(row, distance);
    return error;
  });
}

/// Appends `id` to a list of ids, in quotes if need be or if asked for.
inline void append_reference(std::string& list, std::string_view id,
                             bool quoted = false) {
  if (!list.empty()) list += ' ';
  if (!quoted && !id.empty() && id.front() != '\'' &&
      std::none_of(id.begin(), id.end(), is_blank))
    list += id;
  else
    append_in_quotes(list, id, '\'');
}

/// Appends `id` and a distance to it to a list.
template <class Size>
void append_reference(std::string& list, const std::string& id, Size distance,
                      const Ids& ids) {
  std::string text;
  if (distance != 0) {
    if (distance > 0) text += '+';
    append_integer(text, distance);
  }
  const bool ambiguous = !text.empty() && ids.find(id + text) != Ids::kNoRow;
  append_reference(list, id, ambiguous);
  list += text;
}

/// Leaves the first of each pair that is listed several times, in either order
/// of its buffers; merge(first, other) is called for each of the others.
template <class Pair, class Merge>
void remove_repeated(std::vector<Pair>& pairs, Merge merge) {
  using Ordered = std::pair<std::size_t, std::size_t>;
  std::vector<std::pair<Ordered, std::size_t>> order;  // with their indices
  order.reserve(pairs.size());
  for (const Pair& pair : pairs)
    order.emplace_back(std::minmax(pair.first, pair.second), order.size());
  std::sort(order.begin(), order.end());
  std::vector<std::size_t> firsts;
  for (std::size_t k = 0; k < order.size(); ++k)
    if (k == 0 || order[k].first != order[k - 1].first)
      firsts.push_back(order[k].second);
    else
      merge(pairs[firsts.back()], pairs[order[k].second]);
  std::sort(firsts.begin(), firsts.end());
  for (std::size_t k = 0; k < firsts.size(); ++k) pairs[k] = pairs[firsts[k]];
  pairs.resize(firsts.size());
}

template <class Pair>
void remove_repeated(std::vector<Pair>& pairs) {
  remove_repeated(pairs, [](Pair&, const Pair&) {});
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_IO_CSV_REFERENCES_HPP
