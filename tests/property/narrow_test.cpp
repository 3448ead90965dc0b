// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The type of sizes and times changes no answer: the same problem in 8, 32 and
/// 64 bits, with numbers up to the largest and down to the least that the type
/// holds.
#include "snug/snug.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/generators.hpp"
#include "support/pairwise.hpp"
#include "support/print.hpp"
#include "support/random.hpp"
#include "support/solved.hpp"
#include "support/status.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace narrow_test {

namespace {

using namespace snug::testing;
using snug::Buffer;
using snug::Interval;
using snug::Options;
using snug::Pool;
using snug::Pools;
using snug::Problem;
using snug::Reason;
using snug::Reserved;
using snug::Status;

using Wide = std::int64_t;

constexpr Wide kLeast = (std::numeric_limits<std::int8_t>::min)();
constexpr Wide kMost = (std::numeric_limits<std::int8_t>::max)();

/// Numbers of 64 bits in another type, and whether it holds them all.
template <class To>
class Cast {
 public:
  [[nodiscard]] bool is_exact() const { return is_exact_; }

  [[nodiscard]] To number(Wide from) {
    const auto to = static_cast<To>(from);
    is_exact_ = is_exact_ && Wide{to} == from;
    return to;
  }
  [[nodiscard]] Interval<To> interval(const Interval<Wide>& from) {
    return {number(from.lower), number(from.upper)};
  }
  [[nodiscard]] std::optional<To> optional(const std::optional<Wide>& from) {
    return from ? std::optional<To>(number(*from)) : std::nullopt;
  }
  [[nodiscard]] std::optional<Interval<To>> optional(
      const std::optional<Interval<Wide>>& from) {
    return from ? std::optional<Interval<To>>(interval(*from)) : std::nullopt;
  }
  [[nodiscard]] std::vector<Reserved<To, To>> reserved(
      const std::vector<Reserved<>>& from) {
    std::vector<Reserved<To, To>> to;
    for (const Reserved<>& one : from)
      to.push_back({interval(one.bytes), optional(one.lifespan)});
    return to;
  }

  [[nodiscard]] Problem<To, To> problem(const Problem<>& from) {
    Problem<To, To> to;
    for (const Buffer<>& buffer : from.buffers) {
      Buffer<To, To> copy;
      copy.lifespan = interval(buffer.lifespan);
      copy.size = number(buffer.size);
      copy.alignment = number(buffer.alignment);
      for (const snug::Gap<>& gap : buffer.gaps)
        copy.gaps.push_back({interval(gap.lifespan), optional(gap.window)});
      copy.offset = optional(buffer.offset);
      copy.hint = optional(buffer.hint);
      copy.end = buffer.end;
      to.buffers.push_back(copy);
    }
    for (const snug::Alias<>& alias : from.aliases)
      to.aliases.push_back({alias.buffer, alias.of, number(alias.delta)});
    to.contiguous = from.contiguous;
    to.apart = from.apart;
    to.may_overlap = from.may_overlap;
    to.penalties = from.penalties;
    to.reserved = reserved(from.reserved);
    to.base = number(from.base);
    to.alignment = number(from.alignment);
    return to;
  }
  [[nodiscard]] Pools<To, To> pools(const Pools<>& from) {
    Pools<To, To> to;
    for (const Pool<>& pool : from.pools)
      to.pools.push_back({number(pool.capacity), number(pool.base),
                          number(pool.alignment), reserved(pool.reserved),
                          pool.cost_per_byte});
    to.costs = from.costs;
    return to;
  }

 private:
  bool is_exact_ = true;
};

/// A few buffers, some of which live at the first and the last times there are,
/// or are as large as can be.
Problem<> draw_buffers(Random& random) {
  Problem<> problem;
  const Wide largest = random.chance(40) ? 15 : random.chance(60) ? 45 : kMost;
  for (int n = random.between(1, 6); n > 0; --n) {
    Buffer<> buffer;
    Interval<Wide>& life = buffer.lifespan;
    life.lower = random.chance(20) ? kLeast : random.between(kLeast, kMost - 1);
    life.upper = random.chance(20)
                     ? kMost
                     : random.between(life.lower + 1,
                                      (std::min)(life.lower + 100, kMost));
    buffer.size =
        random.chance(20) ? largest : random.between(Wide{0}, largest);
    if (random.chance(25)) buffer.alignment = Wide{1} << random.between(1, 6);
    problem.buffers.push_back(buffer);
  }
  return problem;
}

/// From numbers of 8 bits to those of 32, up to the last ones.
constexpr Wide kTimes = Wide{1} << 24;
constexpr Wide kSizes = INT32_MAX / kMost;
static_assert(kLeast * kTimes == INT32_MIN);

void stretch_life(Interval<Wide>& life) {
  life = {life.lower * kTimes, life.upper * kTimes};
}
void stretch_bytes(Interval<Wide>& bytes) {
  bytes = {bytes.lower * kSizes, bytes.upper * kSizes};
}
void stretch(std::vector<Reserved<>>& reserved) {
  for (Reserved<>& one : reserved) {
    stretch_bytes(one.bytes);
    if (one.lifespan) stretch_life(*one.lifespan);
  }
}
void stretch(Problem<>& problem) {
  for (Buffer<>& buffer : problem.buffers) {
    stretch_life(buffer.lifespan);
    buffer.size *= kSizes;
    for (snug::Gap<>& gap : buffer.gaps) {
      stretch_life(gap.lifespan);
      if (gap.window) stretch_bytes(*gap.window);
    }
    if (buffer.offset) *buffer.offset *= kSizes;
    if (buffer.hint) *buffer.hint *= kSizes;
  }
  for (snug::Alias<>& alias : problem.aliases) alias.delta *= kSizes;
  stretch(problem.reserved);
  problem.base *= kSizes;
}
/// A capacity, up to the last byte if it was that before.
void stretch(Wide& capacity) {
  capacity = capacity == kMost ? INT32_MAX : capacity * kSizes;
}
void stretch(Pools<>& pools) {
  for (Pool<>& pool : pools.pools) {
    stretch(pool.capacity);
    pool.base *= kSizes;
    stretch(pool.reserved);
  }
}

Pools<> draw_pools(std::size_t buffers, Random& random) {
  Pools<> pools;
  for (int k = random.between(1, 3); k > 0; --k) {
    Pool<> pool;
    pool.capacity = random.chance(30) ? kMost : random.between(Wide{5}, kMost);
    if (random.chance(25)) pool.base = random.between(Wide{0}, pool.capacity);
    if (random.chance(25)) pool.alignment = Wide{1} << random.between(1, 6);
    if (random.chance(25)) {
      const Wide lower = random.between(pool.base, kMost - 1);
      pool.reserved = {{{lower, random.between(lower + 1, kMost)}, {}}};
    }
    pool.cost_per_byte = random.between(0, 3);
    pools.pools.push_back(pool);
  }
  for (std::size_t b = 0; b < buffers && random.chance(50); ++b)
    for (pools.costs.emplace_back();
         pools.costs[b].size() < pools.pools.size();)
      pools.costs[b].push_back(
          random.chance(20) ? Pools<>::kNever : random.between(Wide{0}, kMost));
  return pools;
}

struct Tally {
  std::size_t placed = 0;
  std::size_t infeasible = 0;
  std::size_t paid = 0;      ///< penalties
  std::size_t assigned = 0;  ///< at some cost
  std::size_t high = 0;      ///< up to one of the last bytes
  std::size_t too_high = 0;  ///< for the narrow type
  std::size_t beyond =
      0;  ///< placed in several memories, though too high for one
};

/// Offsets, as the wide problem has them.
template <class Narrow>
std::vector<Wide> widened(const std::vector<Narrow>& offsets) {
  return {offsets.begin(), offsets.end()};
}

/// Whether it says that what is well formed in a wider type needs one.
bool says_too_high(Reason reason) {
  return reason == Reason::kOffsetOverflow || reason == Reason::kSizeOverflow ||
         reason == Reason::kLoadOverflow;
}

/// Asks the same of a problem in both types, if the narrow one holds it.
template <class Narrow>
void compare(const Problem<>& wide, const Pools<>& wide_pools,
             Wide wide_capacity, Tally& tally) {
  constexpr Wide kLast = (std::numeric_limits<Narrow>::max)();
  Cast<Narrow> cast;
  const Problem<Narrow, Narrow> problem = cast.problem(wide);
  const Pools<Narrow, Narrow> pools = cast.pools(wide_pools);
  const Narrow capacity = cast.number(wide_capacity);
  if (!cast.is_exact()) return;
  INFO(as_csv(wide));
  CAPTURE(wide_capacity);
  REQUIRE(snug::check(wide).ok());
  Options options;
  options.node_limit = 100000;  // A mistake must not hang.
  const auto fits = [&](const auto& offsets) {
    return validate_pairwise(wide, wide_capacity, widened(offsets)).ok();
  };

  // Several memories, or one and what is left out of it, may hold more at a time
  // than the narrow type counts.
  const snug::Check check = snug::check(problem);
  const auto assigned = snug::assign(problem, pools, options);
  const auto wide_assigned = snug::assign(wide, wide_pools, options);
  REQUIRE(assigned.status == wide_assigned.status);
  REQUIRE(assigned.cost == wide_assigned.cost);
  REQUIRE(assigned.cost_bound == wide_assigned.cost_bound);
  REQUIRE(assigned.has_solution() == wide_assigned.has_solution());
  if (assigned.cost > 0) ++tally.assigned;
  if (assigned.has_solution() && !check.ok()) ++tally.beyond;
  const auto spills = snug::suggest_spills(problem, capacity, options);
  const auto wide_spills = snug::suggest_spills(wide, wide_capacity, options);
  REQUIRE(spills.status == wide_spills.status);
  REQUIRE(spills.cost == wide_spills.cost);
  REQUIRE(spills.cost_bound == wide_spills.cost_bound);
  REQUIRE(spills.buffers == wide_spills.buffers);
  REQUIRE(widened(spills.offsets) == wide_spills.offsets);

  const auto wide_within = snug::minimize_within(wide, wide_capacity, options);
  if (!check.ok()) {
    REQUIRE(says_too_high(check.reason));
    REQUIRE(wide_within.status == Status::kInfeasible);
    ++tally.too_high;
    return;
  }
  const auto within = snug::minimize_within(problem, capacity, options);
  REQUIRE(within.status == wide_within.status);
  REQUIRE(within.height == wide_within.height);
  // One byte more than there are is a bound that the narrow type does not hold.
  if (wide_within.lower_bound <= kLast) {
    REQUIRE(within.lower_bound == wide_within.lower_bound);
  } else {
    REQUIRE(within.status == Status::kInfeasible);
  }
  REQUIRE(within.has_solution() == fits(within.offsets));
  ++(is_placed(within.status) ? tally.placed : tally.infeasible);
  if (within.height > kLast - kLast / 16) ++tally.high;

  const auto cheapest = snug::minimize_penalty(problem, capacity, options);
  const auto wide_cheapest =
      snug::minimize_penalty(wide, wide_capacity, options);
  REQUIRE(cheapest.status == wide_cheapest.status);
  REQUIRE(cheapest.cost == wide_cheapest.cost);
  REQUIRE(cheapest.cost_bound == wide_cheapest.cost_bound);
  REQUIRE(cheapest.has_solution() == fits(cheapest.offsets));
  if (cheapest.cost > 0) ++tally.paid;
}

/// A problem with up to two kinds of constraints, and with penalties.
Problem<> draw(Random& random) {
  Problem<> problem = draw_buffers(random);
  for (int k = random.between(0, 2); k > 0; --k)
    add_constraint(problem,
                   static_cast<Constraint>(random.between(0, kConstraints - 1)),
                   random);
  if (random.chance(50)) add_penalties(problem, 50, kMost, random);
  return problem;
}

}  // namespace

TEST_CASE("narrow types: the same answers in 8, 32 and 64 bits", "[narrow]") {
  Tally in_8_bits;
  Tally in_32_bits;
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(4000); ++seed) {
    Random random(seed);
    CAPTURE(seed);
    Problem<> problem = draw(random);
    Pools<> pools = draw_pools(problem.buffers.size(), random);
    Wide capacity = random.chance(40) ? kMost : random.between(Wide{20}, kMost);
    compare<std::int8_t>(problem, pools, capacity, in_8_bits);
    stretch(problem);
    stretch(pools);
    stretch(capacity);
    compare<std::int32_t>(problem, pools, capacity, in_32_bits);
  }
  for (const Tally& tally : {in_8_bits, in_32_bits}) {
    CAPTURE(tally.placed, tally.infeasible, tally.paid, tally.assigned,
            tally.high, tally.too_high, tally.beyond);
    CHECK(tally.placed > at_least<std::size_t>(2000));
    CHECK(tally.infeasible > at_least<std::size_t>(300));
    CHECK(tally.paid > at_least<std::size_t>(50));
    CHECK(tally.assigned > at_least<std::size_t>(1200));
    CHECK(tally.high > at_least<std::size_t>(20));
    CHECK(tally.too_high > at_least<std::size_t>(300));
    CHECK(tally.beyond > at_least<std::size_t>(20));
  }
}

}  // namespace narrow_test
