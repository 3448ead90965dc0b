// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// JSON → problem. json.hpp describes the format.
///
/// One pass over the text, then one sort of the ids: O(n log n) time, and a cost
/// for each pool and each buffer that names its pools.
#ifndef SNUG_IO_JSON_READ_HPP
#define SNUG_IO_JSON_READ_HPP

#include "snug/config.hpp"
#include "snug/io/json_names.hpp"
#include "snug/io/json_pools.hpp"
#include "snug/io/json_scan.hpp"
#include "snug/model/interval.hpp"
#include "snug/model/pool.hpp"
#include "snug/model/problem.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE

/// What reading a problem gives. With an error, all else is empty.
template <class Size = std::int64_t, class Time = std::int64_t>
struct [[nodiscard]] JsonProblem {
  Problem<Size, Time> problem{};
  std::optional<Size> capacity = std::nullopt;
  std::vector<std::string> ids{};         ///< one a buffer, all different
  std::vector<JsonPosition> positions{};  ///< where each buffer's `{` stands
  Pools<Size, Time> pools{};              ///< for assign(); none: one memory
  std::vector<std::string> pool_names{};  ///< one a pool, all different
  std::vector<JsonPosition> pool_positions{};  ///< as those of the buffers
  JsonError error{};

  [[nodiscard]] bool ok() const noexcept { return error.ok(); }
};

namespace detail {

template <class Size, class Time>
class JsonProblemReader {
 public:
  explicit JsonProblemReader(std::string_view text) : in_(text) {}

  [[nodiscard]] JsonProblem<Size, Time> read() {
    if (!read_problem() || !in_.end() || !resolve() || !pools_.resolve(in_)) {
      JsonProblem<Size, Time> refused;
      refused.error = in_.error();
      return refused;
    }
    return std::move(out_);
  }

 private:
  /// An alias with its delta, or a penalty with its cost.
  template <class Number>
  struct NumberedPair {
    JsonPair buffers{};
    Number number = 0;
  };

  bool read_problem() {
    constexpr std::string_view kAliasKeys[] = {"buffer", "of", "delta"};
    constexpr std::string_view kPenaltyKeys[] = {"first", "second", "cost"};
    constexpr std::string_view kKeys[] = {
        "buffers",    "capacity", "base",        "alignment",
        "reserved",   "apart",    "may_overlap", "result",
        "contiguous", "aliases",  "penalties",   "pools"};
    const JsonPosition begin = in_.position();
    bool has_buffers = false;
    std::size_t memory = 0;  // a key of those that are about one memory
    JsonPosition place{};    // of its value
    const bool read = in_.object(kKeys, 0, [&](std::size_t key) {
      if (key >= 1 && key <= 4) {
        memory = key;
        place = in_.position();
      }
      switch (key) {
        case 0:
          has_buffers = true;
          return in_.array([&] { return read_buffer(); });
        case 1:
          return read_optional(out_.capacity);
        case 2:
          return in_.integer(out_.problem.base);
        case 3:
          return in_.integer(out_.problem.alignment);
        case 4:
          return in_.array([&] {
            return read_json_reserved(in_,
                                      out_.problem.reserved.emplace_back());
          });
        case 5:
          return read_json_pairs(in_, apart_);
        case 6:
          return read_json_pairs(in_, may_overlap_);
        case 7:
          return in_.skip();
        case 8:
          return in_.array(
              [&] { return read_json_list(in_, contiguous_.emplace_back()); });
        case 9:
          return read_numbered(kAliasKeys, 2, aliases_);
        case 10:
          return read_numbered(kPenaltyKeys, 3, penalties_);
        default:
          return pools_.read_pools(in_);
      }
    });
    if (read && memory != 0 && !pools_.empty())
      return in_.fail(place, "'" + std::string(kKeys[memory]) +
                                 "' beside 'pools': each has its own");
    return read && (has_buffers || in_.fail(begin, "no key 'buffers'"));
  }

  /// Reads a value, or null for none.
  bool read_optional(std::optional<Size>& value) {
    return in_.null() || (in_.ok() && in_.integer(value.emplace()));
  }

  bool read_end(End& end) {
    const JsonPosition place = in_.position();
    std::string word;
    if (!in_.string(word)) return false;
    end = word == "bottom" ? End::kBottom
          : word == "top"  ? End::kTop
                           : End::kAny;
    return end != End::kAny || word == "any" ||
           in_.fail(place, "expected 'bottom', 'top' or 'any'");
  }

  bool read_buffer() {
    constexpr std::string_view kKeys[] = {"lower",     "upper",  "size", "id",
                                          "alignment", "offset", "hint", "end",
                                          "gaps",      "pools"};
    out_.positions.push_back(in_.position());
    out_.ids.push_back(std::to_string(out_.ids.size()));  // without an id
    Buffer<Size, Time>& buffer = out_.problem.buffers.emplace_back();
    return in_.object(kKeys, 3, [&](std::size_t key) {
      switch (key) {
        case 0:
          return in_.integer(buffer.lifespan.lower);
        case 1:
          return in_.integer(buffer.lifespan.upper);
        case 2:
          return in_.integer(buffer.size);
        case 3:
          return in_.string(out_.ids.back());
        case 4:
          return in_.integer(buffer.alignment);
        case 5:
          return read_optional(buffer.offset);
        case 6:
          return read_optional(buffer.hint);
        case 7:
          return read_end(buffer.end);
        case 8:
          return in_.array(
              [&] { return read_gap(buffer.gaps.emplace_back()); });
        default:
          return pools_.read_choices(in_, out_.ids.size() - 1);
      }
    });
  }

  bool read_gap(Gap<Size, Time>& gap) {
    constexpr std::string_view kKeys[] = {"lower", "upper", "window"};
    return in_.object(kKeys, 2, [&](std::size_t key) {
      if (key == 0) return in_.integer(gap.lifespan.lower);
      if (key == 1) return in_.integer(gap.lifespan.upper);
      Interval<Size>& window = gap.window.emplace();
      return read_json_two(in_, "numbers in a window", [&](std::size_t k) {
        return in_.integer(k == 0 ? window.lower : window.upper);
      });
    });
  }

  /// Reads objects of two buffers and a number, which have these keys; the
  /// first `needed` of them must be there.
  template <class Number>
  bool read_numbered(const std::string_view (&keys)[3], std::size_t needed,
                     std::vector<NumberedPair<Number>>& list) {
    return in_.array([&] {
      NumberedPair<Number>& pair = list.emplace_back();
      return in_.object(keys, needed, [&](std::size_t key) {
        if (key == 2) return in_.integer(pair.number);
        return (key == 0 ? pair.buffers.first : pair.buffers.second).read(in_);
      });
    });
  }

  bool resolve() {
    const JsonNames names(out_.ids, "buffer");
    if (!names.check(in_, out_.positions)) return false;
    Problem<Size, Time>& problem = out_.problem;
    for (const auto& [buffers, delta] : aliases_) {
      Alias<Size>& alias = problem.aliases.emplace_back();
      alias.delta = delta;
      if (!names.resolve(in_, buffers, alias.buffer, alias.of)) return false;
    }
    for (const auto& [buffers, cost] : penalties_) {
      Penalty& penalty = problem.penalties.emplace_back();
      penalty.cost = cost;
      if (!names.resolve(in_, buffers, penalty.first, penalty.second))
        return false;
    }
    for (const std::vector<JsonReference>& group : contiguous_)
      if (!names.resolve(in_, group, problem.contiguous.emplace_back()))
        return false;
    const auto resolve_pairs = [&](const std::vector<JsonPair>& pairs,
                                   std::vector<BufferPair>& to) {
      for (const JsonPair& pair : pairs) {
        BufferPair& indices = to.emplace_back();
        if (!names.resolve(in_, pair, indices.first, indices.second))
          return false;
      }
      return true;
    };
    return resolve_pairs(apart_, problem.apart) &&
           resolve_pairs(may_overlap_, problem.may_overlap);
  }

  JsonScanner in_;
  std::vector<NumberedPair<Size>> aliases_{};
  std::vector<NumberedPair<std::int64_t>> penalties_{};
  std::vector<std::vector<JsonReference>> contiguous_{};
  std::vector<JsonPair> apart_{};
  std::vector<JsonPair> may_overlap_{};
  JsonProblem<Size, Time> out_{};
  JsonPoolReader<Size, Time> pools_{out_.pools, out_.pool_names,
                                    out_.pool_positions};
};

}  // namespace detail

/// Reads a problem. Stops at the first error, which names its line and column.
/// What the values mean is not judged here: that is check().
template <class Size = std::int64_t, class Time = std::int64_t>
JsonProblem<Size, Time> read_json(std::string_view text) {
  return detail::JsonProblemReader<Size, Time>(text).read();
}

SNUG_END_NAMESPACE

#endif  // SNUG_IO_JSON_READ_HPP
