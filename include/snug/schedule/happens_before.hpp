// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which operators are sure to have finished before another one starts.
///
/// Operators run on streams: those of one stream run one after another, in
/// input order; those of different streams run at the same time unless a
/// dependency (an event, a barrier, a wait for data) orders them:
///
///     stream 0   op 0 ----> op 1 -----------> op 4
///                     \                      /
///     stream 1         `--> op 2 ----> op 3 '       op 1 and op 3: no order
///
/// Each operator gets a vector clock: for each stream, the latest operator on
/// it that is known to have finished. One comparison then orders two operators.
/// Where a stream ends and another begins after a dependency on its last
/// operator, both are one *chain*, with one entry in the clocks. So a graph
/// that gives every operator a stream of its own costs about as many entries as
/// operators can run at one time.
///
/// Cost: O((operators + dependencies) * chains) time, O(operators * chains)
/// memory, 4 bytes an entry. Fewer than 2^32 - 1 operators.
#ifndef SNUG_SCHEDULE_HAPPENS_BEFORE_HPP
#define SNUG_SCHEDULE_HAPPENS_BEFORE_HPP

#include "snug/config.hpp"
#include "snug/support/list.hpp"
#include "snug/support/rows.hpp"
#include "snug/support/sort.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

SNUG_BEGIN_NAMESPACE

/// Stands for none, where an index of an operator, tensor or buffer may stand.
inline constexpr std::size_t kNoIndex =
    (std::numeric_limits<std::size_t>::max)();

/// Operator `before` has finished when operator `after` starts.
struct Dependency {
  std::size_t before = 0;
  std::size_t after = 0;
};

namespace detail {

/// Streams as numbers below how many there are.
[[nodiscard]] inline std::vector<std::size_t> number_streams(
    std::vector<std::size_t> streams) {
  std::vector<std::size_t> known = streams;
  sort_unique(known);
  for (std::size_t& stream : streams) stream = index_in(known, stream);
  return streams;
}

}  // namespace detail

/// The partial order that streams and dependencies make of operators.
class HappensBefore {
 public:
  /// `streams[i]` is the stream of operator i, any number. Each dependency
  /// must point from an operator to one with a larger index.
  HappensBefore(const std::vector<std::size_t>& streams,
                const std::vector<Dependency>& dependencies)
      : chain_of_(streams.size()) {
    const std::size_t n = streams.size();
    for (std::size_t d = 0; d < dependencies.size(); ++d) {
      if (dependencies[d].before >= dependencies[d].after ||
          dependencies[d].after >= n) {
        bad_dependency_ = d;
        chain_of_.clear();
        return;
      }
    }
    Befores befores;
    befores.deal(n, [&](auto&& give) {
      for (const Dependency& one : dependencies) give(one.after, one.before);
    });

    const std::vector<std::size_t> previous = link_chains(streams, befores);
    clocks_.resize(n * chains_);
    for (std::size_t i = 0; i < n; ++i) {
      if (previous[i] != kNoIndex) join(i, previous[i]);
      for (const std::size_t before : befores[i]) join(i, before);
      clocks_[i * chains_ + chain_of_[i]] = entry_of(i);
    }
  }

  /// Whether all dependencies point forward to operators that exist. If not,
  /// the order holds no operators.
  [[nodiscard]] bool ok() const noexcept { return bad_dependency_ == kNoIndex; }
  /// The index of the first dependency that does not, or kNoIndex.
  [[nodiscard]] std::size_t bad_dependency() const noexcept {
    return bad_dependency_;
  }
  [[nodiscard]] std::size_t operators() const noexcept {
    return chain_of_.size();
  }
  /// The length of a clock. At most 1: every two operators are ordered.
  [[nodiscard]] std::size_t chains() const noexcept { return chains_; }
  [[nodiscard]] std::size_t chain(std::size_t op) const noexcept {
    return chain_of_[op];
  }
  /// For each chain the latest operator that is `op` or happens before it, as
  /// entry_of() writes it; 0 stands for none.
  [[nodiscard]] const std::uint32_t* clock(std::size_t op) const noexcept {
    return clocks_.data() + op * chains_;
  }
  [[nodiscard]] static std::uint32_t entry_of(std::size_t op) noexcept {
    return static_cast<std::uint32_t>(op + 1);
  }

  /// Whether operator `a` happens before operator `b`; no operator happens
  /// before itself. O(1).
  [[nodiscard]] bool operator()(std::size_t a, std::size_t b) const noexcept {
    return a != b && clock(b)[chain_of_[a]] >= entry_of(a);
  }
  /// Whether of two different operators neither happens before the other. O(1).
  [[nodiscard]] bool leaves_open(std::size_t a, std::size_t b) const noexcept {
    return a != b && !(*this)(a, b) && !(*this)(b, a);
  }

 private:
  /// Of each operator those that it depends on.
  using Befores = detail::Rows<std::size_t>;

  /// Sets the chains and returns each operator's predecessor on its chain.
  [[nodiscard]] std::vector<std::size_t> link_chains(
      const std::vector<std::size_t>& streams, const Befores& befores) {
    const std::size_t n = streams.size();
    const std::vector<std::size_t> numbers = detail::number_streams(streams);
    std::vector<std::size_t> latest(n, kNoIndex);
    std::vector<std::size_t> previous(n, kNoIndex);
    detail::List<std::uint8_t> is_continued(n, 0);
    for (std::size_t i = 0; i < n; ++i) {
      std::size_t& latest_of_stream = latest[numbers[i]];
      previous[i] = latest_of_stream;
      if (previous[i] != kNoIndex) is_continued[previous[i]] = 1;
      latest_of_stream = i;
    }
    for (std::size_t i = 0; i < n; ++i) {
      for (const std::size_t before : befores[i])
        if (previous[i] == kNoIndex && is_continued[before] == 0) {
          previous[i] = before;
          is_continued[before] = 1;
        }
      chain_of_[i] =
          previous[i] == kNoIndex ? chains_++ : chain_of_[previous[i]];
    }
    return previous;
  }

  void join(std::size_t op, std::size_t before) noexcept {
    for (std::size_t c = 0; c < chains_; ++c) {
      std::uint32_t& entry = clocks_[op * chains_ + c];
      entry = (std::max)(entry, clocks_[before * chains_ + c]);
    }
  }

  std::vector<std::size_t> chain_of_;
  std::size_t chains_ = 0;
  detail::List<std::uint32_t> clocks_;
  std::size_t bad_dependency_ = kNoIndex;
};

/// The order of sets of operators, such as the users of each buffer.
///
/// Cost: O(users * (chains + log users)) to build, O(sets * chains + users)
/// memory. A question costs the chains that the first set has operators on.
class UserOrder {
 public:
  /// The latest operator of a set on a chain, as HappensBefore::entry_of() writes it.
  struct Latest {
    std::size_t chain;
    std::uint32_t entry;
  };

  /// `users[i]` are the operators in set i, in any order.
  UserOrder(const HappensBefore& order,
            const std::vector<std::vector<std::size_t>>& users)
      : chains_(order.chains()),
        known_(users.size() * chains_,
               (std::numeric_limits<std::uint32_t>::max)()) {
    std::vector<std::size_t> latest_first;
    detail::List<Latest> latest;
    for (std::size_t i = 0; i < users.size(); ++i) {
      latest_first = users[i];
      latest.clear();
      detail::heap_sort(latest_first, [&](std::size_t a, std::size_t b) {
        if (order.chain(a) != order.chain(b))
          return order.chain(a) < order.chain(b);
        return a > b;
      });
      for (const std::size_t op : latest_first) {
        if (latest.empty() || latest.back().chain != order.chain(op))
          latest.push_back({order.chain(op), HappensBefore::entry_of(op)});
        for (std::size_t c = 0; c < chains_; ++c) {
          std::uint32_t& known = known_[i * chains_ + c];
          known = (std::min)(known, order.clock(op)[c]);
        }
      }
      latest_.add_row(latest);
    }
  }

  /// Whether every operator in set `a` happens before every other operator in
  /// set `b`. True when one of them is empty.
  [[nodiscard]] bool precedes(std::size_t a, std::size_t b) const noexcept {
    return !detail::any_that(latest_[a], [&](const Latest& latest) {
      return latest.entry > known(b, latest.chain);
    });
  }

  /// Of each set that of each chain where it has operators.
  [[nodiscard]] const detail::Rows<Latest>& latest() const noexcept {
    return latest_;
  }
  /// The latest operator on a chain that is, or happens before, each one of set `i`;
  /// beyond all entries if it is empty.
  [[nodiscard]] std::uint32_t known(std::size_t i,
                                    std::size_t chain) const noexcept {
    return known_[i * chains_ + chain];
  }

 private:
  std::size_t chains_;
  detail::Rows<Latest> latest_{};
  detail::List<std::uint32_t> known_;
};

SNUG_END_NAMESPACE

#endif  // SNUG_SCHEDULE_HAPPENS_BEFORE_HPP
