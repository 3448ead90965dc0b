// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/separations.hpp"

#include "snug/schedule.hpp"
#include "support/catch.hpp"
#include "support/random.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace separations_test {

namespace {

using namespace snug::testing;
using snug::BufferPair;
using snug::Dependency;
using snug::HappensBefore;
using snug::kNoIndex;
using snug::Problem;
using snug::SeparationFault;
using snug::Separations;

using Users = std::vector<std::vector<std::size_t>>;
using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;

Pairs pairs_of(const Separations& separations) {
  Pairs pairs;
  for (const BufferPair& pair : separations.pairs)
    pairs.emplace_back(pair.first, pair.second);
  return pairs;
}

// Whether i happens before j: the closure by Warshall's algorithm.
using Closure = std::vector<std::vector<bool>>;

Closure close(const std::vector<std::size_t>& streams,
              const std::vector<Dependency>& dependencies) {
  const std::size_t n = streams.size();
  Closure before(n, std::vector<bool>(n, false));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i + 1; j < n; ++j)
      before[i][j] = streams[i] == streams[j];
  for (const Dependency& d : dependencies) before[d.before][d.after] = true;
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        if (before[i][k] && before[k][j]) before[i][j] = true;
  return before;
}

struct Graph {
  std::vector<std::size_t> streams;
  std::vector<Dependency> dependencies;
};

Graph random_graph(Random& random, std::size_t most) {
  Graph graph;
  const std::size_t n = random.between<std::size_t>(0, most);
  const std::size_t streams = random.between<std::size_t>(1, 5);
  const bool is_own = random.chance(25);
  for (std::size_t i = 0; i < n; ++i)
    graph.streams.push_back(is_own ? 7 * i : 1000 * random.below(streams));
  const std::size_t edges = n < 2 ? 0 : random.below(2 * n);
  for (std::size_t e = 0; e < edges; ++e) {
    const std::size_t after = random.between<std::size_t>(1, n - 1);
    graph.dependencies.push_back({random.below(after), after});
  }
  return graph;
}

// find_separations() by its definition: a look at all pairs.
Pairs all_pairs(const Problem<>& problem, const Users& users,
                const HappensBefore& order) {
  const auto ties = snug::detail::tie(problem);
  const auto may_overlap = [&](std::size_t a, std::size_t b) {
    for (const BufferPair& pair : problem.may_overlap)
      if ((pair.first == a && pair.second == b) ||
          (pair.first == b && pair.second == a))
        return true;
    return ties.root[a] == ties.root[b];
  };
  Pairs pairs;
  for (std::size_t a = 0; a < users.size(); ++a)
    for (std::size_t b = a + 1; b < users.size(); ++b) {
      const auto& first = problem.buffers[a];
      const auto& second = problem.buffers[b];
      if (first.size == 0 || second.size == 0 || may_overlap(a, b)) continue;
      const bool meet = first.lifespan.overlaps(second.lifespan);
      if (meet && first.gaps.empty() && second.gaps.empty()) continue;
      const bool is_first = first.lifespan.lower < second.lifespan.lower;
      bool is_safe = true;
      for (const std::size_t i : users[a])
        for (const std::size_t j : users[b])
          is_safe = is_safe && (i == j || (meet       ? !order.leaves_open(i, j)
                                           : is_first ? order(i, j)
                                                      : order(j, i)));
      if (!is_safe) pairs.emplace_back(a, b);
    }
  return pairs;
}

// Operators with inputs, outputs, scratch and leave to write in place.
snug::Schedule random_schedule(Random& random) {
  snug::Schedule schedule;
  const auto add_tensor = [&] {
    schedule.tensors.emplace_back().shape = {random.between(0, 4)};
    return schedule.tensors.size() - 1;
  };
  // The host alone uses some of these.
  for (int k = 0; k < 4; ++k) {
    snug::Tensor& tensor = schedule.tensors[add_tensor()];
    (random.chance(70) ? tensor.is_input : tensor.lives_throughout) = true;
  }
  const std::size_t streams = random.between<std::size_t>(1, 4);
  const std::size_t n = random.between<std::size_t>(1, 40);
  for (std::size_t t = 0; t < n; ++t) {
    snug::Operator op;
    op.stream = random.below(streams);
    for (std::size_t k = random.below(3); k > 0; --k) {
      const std::size_t count = schedule.tensors.size();
      const std::size_t back = random.below((std::min)(count, std::size_t{8}));
      const std::size_t x = count - 1 - (random.chance(90) ? back : count - 1);
      if (std::find(op.inputs.begin(), op.inputs.end(), x) == op.inputs.end())
        op.inputs.push_back(x);
    }
    for (std::size_t k = random.below(3); k > 0; --k)
      op.outputs.push_back(add_tensor());
    for (std::size_t o = 0; o < op.outputs.size(); ++o)
      for (std::size_t i = 0; i < op.inputs.size(); ++i)
        if (random.chance(40)) op.in_place.push_back({o, i});
    schedule.operators.push_back(op);
    if (t > 0 && random.chance(20))
      schedule.dependencies.push_back({random.below(t), t});
  }
  for (auto& op : schedule.operators)
    if (random.chance(20)) op.scratch.push_back(add_tensor());
  for (std::size_t k = 0; k < 2; ++k)
    schedule.tensors[random.below(4)].is_output = true;
  return schedule;
}

}  // namespace

TEST_CASE("happens_before: streams and dependencies") {
  // Stream 0: 0, 1, 4; stream 9: 2, 3; 0 before 2, 3 before 4.
  const HappensBefore order({0, 0, 9, 9, 0}, {{0, 2}, {3, 4}});
  REQUIRE(order.ok());
  CHECK(order.operators() == 5);
  CHECK(order.chains() == 2);
  CHECK(order(0, 1));
  CHECK(order(0, 3));
  CHECK(order(2, 4));
  CHECK(order(0, 4));
  CHECK_FALSE(order(1, 2));
  CHECK_FALSE(order(1, 3));
  CHECK_FALSE(order(2, 1));
  CHECK_FALSE(order(1, 0));
  CHECK_FALSE(order(3, 3));
}

TEST_CASE("happens_before: a path of streams is one chain") {
  std::vector<std::size_t> streams;
  std::vector<Dependency> path;
  for (std::size_t i = 0; i < 50; ++i) {
    streams.push_back(i);
    if (i > 0) path.push_back({i - 1, i});
  }
  CHECK(HappensBefore(streams, path).chains() == 1);
  CHECK(HappensBefore(streams, {}).chains() == 50);
  // Two diamonds: never more than two operators at one time.
  CHECK(HappensBefore(
            {0, 1, 2, 3, 4, 5, 6},
            {{0, 1}, {0, 2}, {1, 3}, {2, 3}, {3, 4}, {3, 5}, {4, 6}, {5, 6}})
            .chains() <= 3);
  CHECK(HappensBefore({}, {}).chains() == 0);
  CHECK(HappensBefore({}, {}).ok());
}

TEST_CASE("happens_before: a bad dependency is named") {
  const std::vector<std::size_t> streams = {0, 1, 2};
  CHECK(HappensBefore(streams, {{0, 1}, {2, 1}}).bad_dependency() == 1);
  CHECK(HappensBefore(streams, {{1, 1}, {2, 1}}).bad_dependency() == 0);
  CHECK(HappensBefore(streams, {{0, 3}}).bad_dependency() == 0);
  CHECK(HappensBefore(streams, {{0, kNoIndex}}).bad_dependency() == 0);
  const HappensBefore good(streams, {{0, 1}, {0, 2}});
  CHECK(good.ok());
  CHECK(good.bad_dependency() == kNoIndex);
}

TEST_CASE("happens_before: equals the closure on random graphs") {
  Random random(11);
  int ordered = 0;
  int unordered = 0;
  int merged = 0;
  for (int round = 0; round < 400; ++round) {
    CAPTURE(round);
    const Graph graph = random_graph(random, 30);
    const Closure before = close(graph.streams, graph.dependencies);
    const HappensBefore order(graph.streams, graph.dependencies);
    REQUIRE(order.ok());
    const std::size_t n = graph.streams.size();
    bool is_equal = true;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        is_equal = is_equal && order(i, j) == before[i][j];
        if (i < j) ++(before[i][j] ? ordered : unordered);
      }
    REQUIRE(is_equal);
    std::vector<std::size_t> streams = graph.streams;
    std::sort(streams.begin(), streams.end());
    streams.erase(std::unique(streams.begin(), streams.end()), streams.end());
    REQUIRE(order.chains() <= streams.size());
    if (order.chains() < streams.size()) ++merged;

    const Users sets = [&] {
      Users out(6);
      for (auto& set : out)
        for (std::size_t k = random.below(4); n > 0 && k > 0; --k)
          set.push_back(random.below(n));
      return out;
    }();
    const snug::UserOrder user_order(order, sets);
    for (std::size_t a = 0; a < sets.size(); ++a)
      for (std::size_t b = 0; b < sets.size(); ++b) {
        bool precedes = true;
        for (const std::size_t i : sets[a])
          for (const std::size_t j : sets[b])
            precedes = precedes && (i == j || before[i][j]);
        REQUIRE(user_order.precedes(a, b) == precedes);
      }
  }
  CHECK(ordered > 10000);
  CHECK(unordered > 10000);
  CHECK(merged > 30);
}

TEST_CASE("separations: two streams") {
  // The picture in the header: a by operators 0 and 1, b by 2 and 3.
  Problem<> problem;
  problem.buffers.push_back({{0, 2}, 8});
  problem.buffers.push_back({{2, 4}, 8});
  const Users users = {{0, 1}, {2, 3}};
  const std::vector<std::size_t> streams = {0, 0, 1, 1};
  CHECK(pairs_of(snug::find_separations(problem, users, streams, {})) ==
        Pairs{{0, 1}});
  // The writer of b must wait for the last reader of a, not for its writer.
  CHECK(pairs_of(snug::find_separations(problem, users, streams, {{0, 2}})) ==
        Pairs{{0, 1}});
  CHECK(pairs_of(snug::find_separations(problem, users, streams, {{1, 3}})) ==
        Pairs{{0, 1}});
  CHECK(
      snug::find_separations(problem, users, streams, {{1, 2}}).pairs.empty());
  CHECK(snug::find_separations(problem, users, {5, 5, 5, 5}, {}).pairs.empty());
}

TEST_CASE("separations: what is left out") {
  Problem<> problem;
  problem.buffers.push_back({{0, 1}, 8});
  problem.buffers.push_back({{1, 2}, 8});
  problem.buffers.push_back({{2, 3}, 8});
  const Users users = {{0}, {1}, {2}};
  const std::vector<std::size_t> streams = {0, 1, 2};
  const auto find = [&] {
    return pairs_of(snug::find_separations(problem, users, streams, {}));
  };
  REQUIRE(find() == Pairs{{0, 1}, {0, 2}, {1, 2}});
  SECTION("buffers live at one time") {
    problem.buffers[0].lifespan = {0, 2};
    CHECK(find() == Pairs{{0, 2}, {1, 2}});
  }
  SECTION("buffers of size zero") {
    problem.buffers[2].size = 0;
    CHECK(find() == Pairs{{0, 1}});
  }
  SECTION("aliases") {
    problem.aliases.push_back({2, 1, 0});
    CHECK(find() == Pairs{{0, 1}, {0, 2}});
  }
  SECTION("contiguous groups, through others") {
    problem.contiguous.push_back({2, 0});
    problem.aliases.push_back({1, 0, 4});
    CHECK(find().empty());
  }
  SECTION("pairs that may overlap") {
    problem.may_overlap.push_back({2, 0});
    CHECK(find() == Pairs{{0, 1}, {1, 2}});
  }
  SECTION("what an ill-formed tie names is no concern here") {
    problem.aliases.push_back({7, 1, 0});
    CHECK(find().size() == 3);
  }
}

TEST_CASE("separations: buffers with gaps") {
  Problem<> problem;
  problem.buffers.push_back({{0, 4}, 8, 1, {{{1, 3}, {}}}});
  problem.buffers.push_back({{1, 3}, 8});
  const Users users = {{0, 3}, {1, 2}};
  CHECK(pairs_of(snug::find_separations(problem, users, {0, 1, 1, 0}, {})) ==
        Pairs{{0, 1}});
  CHECK(pairs_of(snug::find_separations(problem, users, {0, 1, 1, 0},
                                        {{0, 1}})) == Pairs{{0, 1}});
  // A third stream, so that there is more than one chain.
  CHECK(
      snug::find_separations(problem, users, {0, 1, 1, 0, 2}, {{0, 1}, {2, 3}})
          .pairs.empty());
}

TEST_CASE("separations: faults") {
  Problem<> problem;
  problem.buffers.push_back({{0, 1}, 8});
  problem.buffers.push_back({{1, 2}, 8});
  Separations bad =
      snug::find_separations(problem, {{0}, {1}}, {0, 1}, {{0, 1}, {1, 0}});
  CHECK(bad.fault == SeparationFault::kBadDependency);
  CHECK(bad.index == 1);
  CHECK_FALSE(bad.ok());
  bad = snug::find_separations(problem, {{0}}, {0, 1}, {});
  CHECK(bad.fault == SeparationFault::kWrongUserCount);
  CHECK(bad.index == kNoIndex);
  bad = snug::find_separations(problem, {{0}, {1, 2}}, {0, 1}, {});
  CHECK(bad.fault == SeparationFault::kUnknownOperator);
  CHECK(bad.index == 1);
  CHECK(bad.pairs.empty());
  CHECK(snug::find_separations(Problem<>{}, {}, {}, {}).ok());
  std::vector<std::string> texts;
  for (int i = 0; i <= static_cast<int>(SeparationFault::kWrongOffsetCount);
       ++i)
    texts.emplace_back(snug::to_string(static_cast<SeparationFault>(i)));
  std::sort(texts.begin(), texts.end());
  CHECK(std::unique(texts.begin(), texts.end()) == texts.end());
  CHECK(std::find(texts.begin(), texts.end(), "unknown") == texts.end());
}

TEST_CASE("separations: equal the definition on random problems") {
  Random random(23);
  int apart = 0;
  int shared = 0;
  for (int round = 0; round < 400; ++round) {
    CAPTURE(round);
    const Graph graph = random_graph(random, 24);
    const std::size_t n = graph.streams.size();
    if (n == 0) continue;
    const Closure before = close(graph.streams, graph.dependencies);
    // A buffer is used by some operators of an interval of the nominal order.
    Problem<std::int32_t, std::int32_t> problem;
    Users users;
    for (int b = 0; b < 12; ++b) {
      const std::size_t first = random.below(n);
      const std::size_t last = (std::min)(n - 1, first + random.below(5));
      users.emplace_back();
      for (std::size_t op = first; op <= last; ++op)
        if (op == first || op == last || random.chance(30))
          users.back().push_back(op);
      random.shuffle(users.back());
      problem.buffers.push_back({{static_cast<std::int32_t>(2 * first),
                                  static_cast<std::int32_t>(2 * last + 1)},
                                 random.between(0, 3)});
      if (last > first + 1 && random.chance(30))
        problem.buffers.back().gaps.push_back(
            {{static_cast<std::int32_t>(2 * first + 1),
              static_cast<std::int32_t>(2 * last)},
             {}});
    }
    Pairs expected;
    for (std::size_t a = 0; a < users.size(); ++a)
      for (std::size_t b = a + 1; b < users.size(); ++b) {
        const auto& first = problem.buffers[a];
        const auto& second = problem.buffers[b];
        if (first.size == 0 || second.size == 0) continue;
        const bool meet = first.lifespan.overlaps(second.lifespan);
        if (meet && first.gaps.empty() && second.gaps.empty()) continue;
        bool all_before = true;
        bool all_after = true;
        bool all_ordered = true;
        for (const std::size_t i : users[a])
          for (const std::size_t j : users[b]) {
            all_before = all_before && before[i][j];
            all_after = all_after && before[j][i];
            all_ordered =
                all_ordered && (i == j || before[i][j] || before[j][i]);
          }
        const bool is_safe = meet ? all_ordered : all_before || all_after;
        if (!is_safe) expected.emplace_back(a, b);
        ++(is_safe ? shared : apart);
      }
    const Separations found = snug::find_separations(
        problem, users, graph.streams, graph.dependencies);
    REQUIRE(found.ok());
    REQUIRE(pairs_of(found) == expected);
  }
  CHECK(apart > 1000);
  CHECK(shared > 1000);
}

TEST_CASE("separations: equal a look at all pairs of random schedules") {
  Random random(29);
  std::size_t found = 0;
  std::size_t in_place = 0;
  std::size_t without_users = 0;
  std::size_t streams[5] = {};
  for (int round = 0; round < 500; ++round) {
    CAPTURE(round);
    const snug::Schedule schedule = random_schedule(random);
    auto made = snug::make_problem(schedule);
    REQUIRE(made.ok());
    const HappensBefore order(made.streams, made.dependencies);
    Pairs apart;
    for (const BufferPair& pair : made.problem.apart)
      apart.emplace_back(pair.first, pair.second);
    REQUIRE(apart == all_pairs(made.problem, made.users, order));
    found += apart.size();
    in_place += made.problem.aliases.size();
    for (const auto& its : made.users)
      if (its.empty()) ++without_users;
    if (order.chains() < 5) ++streams[order.chains()];

    // The same in another order, with gaps and pairs that may overlap.
    std::vector<std::size_t> positions(made.users.size());
    for (std::size_t i = 0; i < positions.size(); ++i) positions[i] = i;
    random.shuffle(positions);
    Problem<> problem;
    Users users;
    for (const std::size_t i : positions) {
      problem.buffers.push_back(made.problem.buffers[i]);
      users.push_back(made.users[i]);
      const auto life = problem.buffers.back().lifespan;
      if (life.upper - life.lower > 2 && random.chance(20))
        problem.buffers.back().gaps.push_back(
            {{life.lower + 1, life.upper - 1}, {}});
    }
    for (std::size_t k = 0; k < 20; ++k) {
      const std::size_t a = random.below(users.size());
      const std::size_t b = random.below(users.size());
      if (a != b) problem.may_overlap.push_back({a, b});
    }
    REQUIRE(pairs_of(snug::find_separations(problem, users, order)) ==
            all_pairs(problem, users, order));
  }
  CHECK(found > 10000);
  CHECK(in_place > 300);
  CHECK(without_users > 100);
  for (std::size_t k = 1; k < 5; ++k) CHECK(streams[k] > 50);
}

TEST_CASE("separations: few pairs of many buffers") {
  // Two operators of stream 0, two of stream 1, and so on. Those of stream 0 wait for
  // all before them, those of stream 1 for all but the two right before them.
  constexpr std::size_t kOperators = 50000;
  Problem<> problem;
  Users users;
  std::vector<std::size_t> streams;
  std::vector<Dependency> dependencies;
  Pairs expected;
  for (std::size_t t = 0; t < kOperators; ++t) {
    const auto step = static_cast<std::int64_t>(t);
    problem.buffers.push_back({{step, step + 1}, 8});
    users.push_back({t});
    streams.push_back(t % 4 / 2);
    if (t % 4 == 0 && t > 0) dependencies.push_back({t - 1, t});
    if (t % 4 == 2 && t > 2) dependencies.push_back({t - 5, t});
    if (t % 4 == 3)
      for (const std::size_t first : {t - 3, t - 2})
        for (const std::size_t second : {t - 1, t})
          expected.emplace_back(first, second);
  }
  const Separations found =
      snug::find_separations(problem, users, streams, dependencies);
  const bool is_equal = pairs_of(found) == expected;
  CHECK(is_equal);
}

}  // namespace separations_test
