// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The memories of a problem in JSON, and which of them each buffer may be in.
/// json.hpp describes the format.
#ifndef SNUG_IO_JSON_POOLS_HPP
#define SNUG_IO_JSON_POOLS_HPP

#include "snug/config.hpp"
#include "snug/io/json_names.hpp"
#include "snug/io/json_scan.hpp"
#include "snug/model/interval.hpp"
#include "snug/model/pool.hpp"
#include "snug/model/problem.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// A range of reserved bytes.
template <class Size, class Time>
bool read_json_range(JsonScanner& in, Reserved<Size, Time>& reserved) {
  const JsonPosition begin = in.position();
  std::optional<Time> from;
  std::optional<Time> to;
  const bool read =
      in.object(needed_json_key("lower", reserved.bytes.lower),
                needed_json_key("upper", reserved.bytes.upper),
                json_key("from", [&] { return in.integer(from.emplace()); }),
                json_key("to", [&] { return in.integer(to.emplace()); }));
  if (from && to) reserved.lifespan = Interval<Time>{*from, *to};
  if (!read || from.has_value() == to.has_value()) return read;
  return in.fail(begin, from ? "no key 'to'" : "no key 'from'");
}

/// The array of them.
template <class Size, class Time>
bool read_json_reserved(JsonScanner& in,
                        std::vector<Reserved<Size, Time>>& ranges) {
  return in.array([&] { return read_json_range(in, ranges.emplace_back()); });
}

/// Reads the pools, and apart from them the lists of the buffers, which may
/// stand before them.
template <class Size, class Time>
class JsonPoolReader {
 public:
  /// What is read goes into all of them: the pools, their names, and where their
  /// `{` stand.
  JsonPoolReader(Pools<Size, Time>& pools, std::vector<std::string>& names,
                 std::vector<JsonPosition>& positions)
      : pools_(pools), names_(names), positions_(positions) {}

  /// Reads the array of pools.
  bool read_pools(JsonScanner& in) {
    return in.array([&] { return read_pool(in); });
  }

  /// Reads the array of the pools that buffer `buffer` may be in.
  bool read_choices(JsonScanner& in, std::size_t buffer) {
    lists_.push_back({buffer, {}});
    return in.array(
        [&] { return read_choice(in, lists_.back().choices.emplace_back()); });
  }

  /// Finds the pools that the lists name; an empty list means any.
  bool resolve(JsonScanner& in) {
    const JsonNames names(names_, "pool");
    if (!names.check(in, positions_)) return false;
    for (const List& list : lists_) {
      if (list.choices.empty()) continue;
      if (pools_.costs.size() <= list.buffer)
        pools_.costs.resize(list.buffer + 1);
      std::vector<std::int64_t>& costs = pools_.costs[list.buffer];
      costs.assign(names_.size(), kNever);
      std::vector<bool> is_listed(names_.size(), false);
      for (const Choice& choice : list.choices) {
        std::size_t pool = 0;
        if (!names.resolve(in, choice.pool, pool)) return false;
        if (is_listed[pool])
          return in.fail(choice.pool.position, "pool is listed twice");
        is_listed[pool] = true;
        costs[pool] = choice.cost;
      }
    }
    return true;
  }

  [[nodiscard]] bool empty() const noexcept { return names_.empty(); }

 private:
  static constexpr std::int64_t kNever = Pools<Size, Time>::kNever;

  struct Choice {
    JsonReference pool{};
    std::int64_t cost = 0;
  };
  struct List {
    std::size_t buffer = 0;
    std::vector<Choice> choices{};
  };

  bool read_pool(JsonScanner& in) {
    positions_.push_back(in.position());
    names_.push_back(std::to_string(names_.size()));  // without a name
    Pool<Size, Time>& pool = pools_.pools.emplace_back();
    pool.capacity = (std::numeric_limits<Size>::max)();
    return in.object(
        json_key("name", names_.back()),
        json_key("capacity",
                 [&] {
                   return in.null() || (in.ok() && in.integer(pool.capacity));
                 }),
        json_key("base", pool.base), json_key("alignment", pool.alignment),
        json_key("reserved",
                 [&] { return read_json_reserved(in, pool.reserved); }),
        json_key("cost_per_byte", pool.cost_per_byte));
  }

  /// Reads a pool, or an object of a pool and a cost, null for a pool that the
  /// buffer may not be in.
  bool read_choice(JsonScanner& in, Choice& choice) {
    if (in.peek() != '{') return choice.pool.read(in);
    return in.object(
        needed_json_key("pool", choice.pool),
        json_key("cost", [&] { return read_cost(in, choice.cost); }));
  }

  bool read_cost(JsonScanner& in, std::int64_t& cost) {
    if (in.null()) {
      cost = kNever;
      return true;
    }
    const JsonPosition place = in.position();
    return in.ok() && in.integer(cost) &&
           (cost >= 0 || in.fail(place, "cost is negative"));
  }

  Pools<Size, Time>& pools_;
  std::vector<std::string>& names_;
  std::vector<JsonPosition>& positions_;
  std::vector<List> lists_{};
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_IO_JSON_POOLS_HPP
