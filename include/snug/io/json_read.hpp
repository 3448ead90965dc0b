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
  struct NamedAlias {
    JsonPair buffers{};
    Size delta = 0;

    bool read(JsonScanner& in) {
      return in.object(needed_json_key("buffer", buffers.first),
                       needed_json_key("of", buffers.second),
                       json_key("delta", delta));
    }
  };
  struct NamedPenalty {
    JsonPair buffers{};
    std::int64_t cost = 0;

    bool read(JsonScanner& in) {
      return in.object(needed_json_key("first", buffers.first),
                       needed_json_key("second", buffers.second),
                       needed_json_key("cost", cost));
    }
  };

  bool read_problem() {
    const JsonPosition begin = in_.position();
    bool has_buffers = false;
    const char* memory = nullptr;  // a key of those that are about one memory
    JsonPosition place{};          // of its value
    const auto read_memory = [&](const char* key, auto& target) {
      memory = key;
      place = in_.position();
      return in_.value(target);
    };
    Problem<Size, Time>& problem = out_.problem;
    const auto reserved = [&] {
      return read_json_reserved(in_, problem.reserved);
    };
    const bool read = in_.object(
        json_key("buffers",
                 [&] {
                   has_buffers = true;
                   return in_.array([&] { return read_buffer(); });
                 }),
        json_key("capacity",
                 [&] { return read_memory("capacity", out_.capacity); }),
        json_key("base", [&] { return read_memory("base", problem.base); }),
        json_key("alignment",
                 [&] { return read_memory("alignment", problem.alignment); }),
        json_key("reserved", [&] { return read_memory("reserved", reserved); }),
        json_key("apart", apart_), json_key("may_overlap", may_overlap_),
        json_key("result", [&] { return in_.skip(); }),
        json_key("contiguous", contiguous_), json_key("aliases", aliases_),
        json_key("penalties", penalties_),
        json_key("pools", [&] { return pools_.read_pools(in_); }));
    if (read && memory != nullptr && !pools_.empty())
      return in_.fail(place, "'" + std::string(memory) +
                                 "' beside 'pools': each has its own");
    return read && (has_buffers || in_.fail(begin, "no key 'buffers'"));
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
    out_.positions.push_back(in_.position());
    out_.ids.push_back(std::to_string(out_.ids.size()));  // without an id
    Buffer<Size, Time>& buffer = out_.problem.buffers.emplace_back();
    return in_.object(
        needed_json_key("lower", buffer.lifespan.lower),
        needed_json_key("upper", buffer.lifespan.upper),
        needed_json_key("size", buffer.size), json_key("id", out_.ids.back()),
        json_key("alignment", buffer.alignment),
        json_key("offset", buffer.offset), json_key("hint", buffer.hint),
        json_key("end", [&] { return read_end(buffer.end); }),
        json_key("gaps",
                 [&] {
                   return in_.array(
                       [&] { return read_gap(buffer.gaps.emplace_back()); });
                 }),
        json_key("pools", [&] {
          return pools_.read_choices(in_, out_.ids.size() - 1);
        }));
  }

  bool read_gap(Gap<Size, Time>& gap) {
    return in_.object(
        needed_json_key("lower", gap.lifespan.lower),
        needed_json_key("upper", gap.lifespan.upper), json_key("window", [&] {
          Interval<Size>& window = gap.window.emplace();
          return read_json_two(in_, "numbers in a window", [&](std::size_t k) {
            return in_.integer(k == 0 ? window.lower : window.upper);
          });
        }));
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
  std::vector<NamedAlias> aliases_{};
  std::vector<NamedPenalty> penalties_{};
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
