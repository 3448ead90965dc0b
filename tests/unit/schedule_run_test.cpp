// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Runs random schedules in placed memory and looks at every byte. Where streams
/// share memory at a cost, the waits that are paid for are added to the run.
///
/// Every tensor has contents of its own, that parts and parents share. The
/// machine starts and ends operators in a random order that streams,
/// dependencies and the flow of data allow. An operator reads its inputs when
/// it starts and when it ends. It soils its scratch tensors and its outputs as
/// soon as it starts, but for those that it writes in place. What it updates has
/// other contents when it ends.
#include "snug/model/check.hpp"
#include "snug/schedule.hpp"
#include "snug/validate.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/random.hpp"
#include "support/solved.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace schedule_run_test {

namespace {

using namespace snug::testing;
using snug::Dependency;
using snug::IgnoredInPlace;
using snug::kNoIndex;
using snug::make_problem;
using snug::Operator;
using snug::Problem;
using snug::Schedule;
using snug::ScheduledProblem;
using snug::Tensor;

using Indices = std::vector<std::size_t>;

// A schedule that is right by construction. `writers[x]` are the operators
// that a reader of tensor x must wait for.
struct Draft {
  Schedule schedule;
  std::vector<Indices> writers;
  Indices readable;
  std::vector<std::size_t> copies;  // operators whose output holds its inputs
};

std::size_t add_tensor(Draft& draft, std::int64_t size, Random& random) {
  Tensor tensor;
  tensor.shape = {size};
  if (random.chance(30)) tensor.alignment = std::int64_t{1} << random.below(3);
  draft.schedule.tensors.push_back(tensor);
  draft.writers.emplace_back();
  return draft.writers.size() - 1;
}

std::size_t add_part(Draft& draft, std::int64_t size, std::size_t parent,
                     std::int64_t offset) {
  Tensor tensor;
  tensor.shape = {size};
  tensor.parent = parent;
  tensor.parent_offset = offset;
  draft.schedule.tensors.push_back(tensor);
  draft.writers.emplace_back();
  return draft.writers.size() - 1;
}

// The outermost tensor, and where in it tensor x begins.
std::pair<std::size_t, std::int64_t> root_of(const Schedule& schedule,
                                             std::size_t x) {
  std::int64_t place = 0;
  for (; schedule.tensors[x].parent != kNoIndex; x = schedule.tensors[x].parent)
    place += schedule.tensors[x].parent_offset;
  return {x, place};
}

// A concat: a parent and parts that are not written yet.
struct Concat {
  std::size_t whole;
  Indices parts;
  std::size_t written;
};

Draft random_draft(Random& random, bool with_parts, std::size_t streams) {
  Draft draft;
  Schedule& schedule = draft.schedule;
  for (std::size_t k = random.between<std::size_t>(1, 3); k > 0; --k) {
    const std::size_t x = add_tensor(draft, random.between(0, 9), random);
    (random.chance(60) ? schedule.tensors[x].is_input
                       : schedule.tensors[x].lives_throughout) = true;
    draft.readable.push_back(x);
  }
  std::vector<Concat> concats;
  const std::size_t count = random.between<std::size_t>(1, 14);
  for (std::size_t t = 0; t < count; ++t) {
    Operator op;
    op.stream = random.below(streams);
    // Recent tensors are read more often, so that others die.
    for (std::size_t k = random.below(4); k > 0; --k) {
      const std::size_t n = draft.readable.size();
      const std::size_t back = (std::min)(random.below(n), random.below(n));
      op.inputs.push_back(draft.readable[n - 1 - back]);
    }
    if (with_parts && random.chance(20)) {
      Concat concat{add_tensor(draft, 0, random), {}, 0};
      std::int64_t size = 0;
      for (std::size_t k = random.between<std::size_t>(1, 3); k > 0; --k) {
        const std::int64_t length = random.between(0, 5);
        concat.parts.push_back(add_part(draft, length, concat.whole, size));
        size += length + (random.chance(20) ? 1 : 0);
      }
      schedule.tensors[concat.whole].shape = {size};
      concats.push_back(concat);
    }
    Indices made;
    for (std::size_t k = random.below(3); k > 0; --k) {
      if (!concats.empty() && random.chance(60)) {
        Concat& concat = concats[random.below(concats.size())];
        if (concat.written < concat.parts.size()) {
          made.push_back(concat.parts[concat.written++]);
          continue;
        }
      }
      made.push_back(add_tensor(draft, random.between(0, 9), random));
    }
    op.outputs = made;
    if (random.chance(20)) {
      const std::size_t x = draft.readable[random.below(draft.readable.size())];
      if (!schedule.tensors[root_of(schedule, x).first].lives_throughout) {
        if (random.chance(50)) op.inputs.insert(op.inputs.begin(), x);
        if (op.inputs.empty() || op.inputs[0] != x) op.inputs.push_back(x);
        op.outputs.push_back(x);
        // And a view of it, or what it is a view of.
        for (const std::size_t y : draft.readable)
          if (random.chance(20) &&
              root_of(schedule, y).first == root_of(schedule, x).first)
            op.inputs.push_back(y);
      }
    }
    for (std::size_t k = random.below(2); k > 0; --k)
      op.scratch.push_back(add_tensor(draft, random.between(1, 6), random));
    for (std::size_t o = 0; o < op.outputs.size(); ++o)
      for (std::size_t i = 0; i < op.inputs.size(); ++i)
        if (random.chance(70)) op.in_place.push_back({o, i});
    for (const std::size_t x : made) {
      draft.writers[x] = {t};
      draft.readable.push_back(x);
    }
    schedule.operators.push_back(op);
    for (std::size_t c = 0; c < concats.size(); ++c) {
      const Concat concat = concats[c];
      if (concat.written < concat.parts.size()) continue;
      if (random.chance(50)) {
        // It is there as soon as its parts are.
        for (const std::size_t x : concat.parts)
          draft.writers[concat.whole].push_back(draft.writers[x][0]);
      } else {
        // An operator writes it, which changes nothing in its parts.
        Operator copy;
        copy.stream = random.below(streams);
        copy.inputs = concat.parts;
        copy.outputs = {concat.whole};
        draft.copies.push_back(schedule.operators.size());
        draft.writers[concat.whole] = {schedule.operators.size()};
        schedule.operators.push_back(copy);
        t = schedule.operators.size() - 1;
      }
      draft.readable.push_back(concat.whole);
      concats.erase(concats.begin() + static_cast<std::ptrdiff_t>(c--));
    }
    if (with_parts && random.chance(30)) {
      const std::size_t of =
          draft.readable[random.below(draft.readable.size())];
      const std::int64_t size = schedule.tensors[of].shape[0];
      const std::int64_t from = random.between<std::int64_t>(0, size);
      const std::size_t view = add_part(
          draft, random.between<std::int64_t>(0, size - from), of, from);
      draft.writers[view] = draft.writers[of];
      draft.readable.push_back(view);
    }
  }
  for (const std::size_t x : draft.readable)
    if (random.chance(8)) schedule.tensors[x].is_output = true;
  const std::size_t n = schedule.operators.size();
  for (std::size_t k = random.below(4); n > 1 && streams > 1 && k > 0; --k) {
    const std::size_t after = random.between<std::size_t>(1, n - 1);
    schedule.dependencies.push_back({random.below(after), after});
  }
  return draft;
}

// The offset of each buffer, by first fit in a random order of rigid bodies.
std::vector<std::int64_t> place(const Problem<>& problem, Random& random) {
  const std::size_t n = problem.buffers.size();
  Indices body(n);
  std::vector<std::int64_t> delta(n, 0);
  for (std::size_t i = 0; i < n; ++i) body[i] = i;
  for (const auto& alias : problem.aliases) {
    const std::size_t from = body[alias.buffer];
    const std::int64_t shift =
        delta[alias.of] + alias.delta - delta[alias.buffer];
    for (std::size_t i = 0; i < n; ++i)
      if (body[i] == from) {
        if (from != body[alias.of]) delta[i] += shift;
        body[i] = body[alias.of];
      }
  }
  for (const auto& alias : problem.aliases)
    REQUIRE(delta[alias.buffer] == delta[alias.of] + alias.delta);

  std::vector<std::vector<bool>> conflict(n, std::vector<bool>(n, false));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      conflict[i][j] =
          body[i] != body[j] &&
          problem.buffers[i].lifespan.overlaps(problem.buffers[j].lifespan);
  for (const auto& pair : problem.apart)
    conflict[pair.first][pair.second] = conflict[pair.second][pair.first] =
        true;

  std::vector<std::int64_t> offsets(n, -1);
  Indices order(n);
  for (std::size_t i = 0; i < n; ++i) order[i] = i;
  random.shuffle(order);
  for (const std::size_t b : order) {
    if (body[b] != b) continue;
    bool fits = false;
    std::int64_t at = 0;
    for (; !fits; ++at) {
      fits = true;
      for (std::size_t i = 0; fits && i < n; ++i) {
        if (body[i] != b) continue;
        const auto& one = problem.buffers[i];
        const std::int64_t bottom = at + delta[i];
        fits = bottom >= 0 && bottom % one.alignment == 0;
        for (std::size_t j = 0; fits && j < n; ++j)
          fits = !conflict[i][j] || offsets[j] < 0 || one.size == 0 ||
                 problem.buffers[j].size == 0 ||
                 bottom >= offsets[j] + problem.buffers[j].size ||
                 offsets[j] >= bottom + one.size;
      }
    }
    for (std::size_t i = 0; i < n; ++i)
      if (body[i] == b) offsets[i] = at - 1 + delta[i];
  }
  return offsets;
}

class Machine {
 public:
  Machine(const Draft& draft, const ScheduledProblem<>& made,
          const std::vector<std::int64_t>& offsets)
      : draft_(draft), schedule_(draft.schedule), made_(made) {
    std::int64_t height = 1;
    for (std::size_t b = 0; b < offsets.size(); ++b)
      height = (std::max)(height, offsets[b] + made.problem.buffers[b].size);
    memory_.assign(static_cast<std::size_t>(height), 0);
    const std::size_t n = schedule_.tensors.size();
    bottoms_.assign(n, 0);
    for (std::size_t x = 0; x < n; ++x) {
      roots_.push_back(root_of(schedule_, x));
      if (made.buffer_of[x] != kNoIndex)
        bottoms_[x] = offsets[made.buffer_of[x]];
    }
    for (std::size_t t = 0; t < schedule_.operators.size(); ++t)
      for (const std::size_t x : schedule_.operators[t].outputs)
        if (schedule_.operators[t].updates(x)) updates_.push_back({t, x});
  }

  // Whether who updates bytes and who else uses them are ordered by streams and
  // the dependencies of the problem.
  [[nodiscard]] bool orders_updates() const {
    const std::size_t count = schedule_.operators.size();
    std::vector<std::vector<bool>> before(count,
                                          std::vector<bool>(count, false));
    for (std::size_t v = 0; v < count; ++v)
      for (std::size_t u = 0; u < v; ++u)
        before[u][v] =
            schedule_.operators[u].stream == schedule_.operators[v].stream;
    for (const Dependency& d : made_.dependencies)
      before[d.before][d.after] = true;
    for (std::size_t w = 0; w < count; ++w)
      for (std::size_t u = 0; u < w; ++u)
        for (std::size_t v = w + 1; v < count; ++v)
          if (before[u][w] && before[w][v]) before[u][v] = true;
    for (const auto& [t, updated] : updates_)
      for (std::size_t u = 0; u < count; ++u) {
        const Operator& op = schedule_.operators[u];
        for (const auto* list : {&op.inputs, &op.outputs})
          for (const std::size_t x : *list)
            if (u != t && share_bytes(x, updated) &&
                !before[(std::min)(t, u)][(std::max)(t, u)])
              return false;
      }
    return true;
  }

  // Whether every byte was right that an operator or the host read, in a run
  // that obeys `waits`, too.
  bool run(Random& random, const std::vector<Dependency>& waits = {}) {
    const std::size_t count = schedule_.operators.size();
    std::vector<std::vector<bool>> before(count,
                                          std::vector<bool>(count, false));
    for (std::size_t v = 0; v < count; ++v) {
      for (std::size_t u = 0; u < v; ++u)
        before[u][v] =
            schedule_.operators[u].stream == schedule_.operators[v].stream;
      for (const std::size_t x : schedule_.operators[v].inputs)
        for (const std::size_t u : draft_.writers[x])
          if (u != v) before[u][v] = true;
    }
    for (const auto& [t, updated] : updates_)
      for (std::size_t u = 0; u < count; ++u)
        for (const std::size_t x : schedule_.operators[u].inputs)
          if (u != t && share_bytes(x, updated))
            before[(std::min)(t, u)][(std::max)(t, u)] = true;
    for (const Dependency& d : schedule_.dependencies)
      before[d.before][d.after] = true;
    for (const Dependency& d : waits) before[d.before][d.after] = true;

    soil(memory_.size());
    for (std::size_t x = 0; x < schedule_.tensors.size(); ++x)
      if (schedule_.tensors[x].is_input ||
          schedule_.tensors[x].lives_throughout)
        write(x, 0);
    enum { kWaits, kRuns, kEnded };
    std::vector<int> states(count, kWaits);
    for (std::size_t ended = 0; ended < count;) {
      const std::size_t t = random.below(count);
      if (states[t] == kWaits) {
        bool is_ready = true;
        for (std::size_t u = 0; u < count; ++u)
          is_ready = is_ready && (!before[u][t] || states[u] == kEnded);
        if (!is_ready) continue;
        states[t] = kRuns;
        if (!start(t)) return false;
      } else if (states[t] == kRuns) {
        states[t] = kEnded;
        ++ended;
        if (!end(t)) return false;
      }
    }
    for (std::size_t x = 0; x < schedule_.tensors.size(); ++x)
      if ((schedule_.tensors[x].is_output ||
           schedule_.tensors[x].lives_throughout) &&
          !holds(x, count))
        return false;
    return true;
  }

 private:
  // How many operators before operator t update byte k of tensor x.
  [[nodiscard]] std::uint64_t age(std::size_t x, std::int64_t k,
                                  std::size_t t) const {
    std::uint64_t count = 0;
    for (const auto& [op, updated] : updates_) {
      const std::int64_t at = roots_[x].second + k - roots_[updated].second;
      if (op < t && roots_[updated].first == roots_[x].first && at >= 0 &&
          at < schedule_.tensors[updated].shape[0])
        ++count;
    }
    return count;
  }

  // What byte k of tensor x holds when operator t starts: the same in a part as
  // in its parent.
  [[nodiscard]] std::uint64_t content(std::size_t x, std::int64_t k,
                                      std::size_t t) const {
    return age(x, k, t) * 1000000 + (roots_[x].first + 1) * 1000 +
           static_cast<std::uint64_t>(roots_[x].second + k);
  }

  [[nodiscard]] bool share_bytes(std::size_t x, std::size_t y) const {
    const std::int64_t from = (std::max)(roots_[x].second, roots_[y].second);
    return roots_[x].first == roots_[y].first &&
           from < roots_[x].second + schedule_.tensors[x].shape[0] &&
           from < roots_[y].second + schedule_.tensors[y].shape[0];
  }

  std::uint64_t& byte(std::size_t x, std::int64_t k) {
    return memory_.at(static_cast<std::size_t>(bottoms_[x] + k));
  }

  void soil(std::size_t bytes) {
    for (std::size_t k = 0; k < bytes; ++k) memory_[k] = 0;
  }

  void write(std::size_t x, std::size_t t) {
    for (std::int64_t k = 0; k < schedule_.tensors[x].shape[0]; ++k)
      byte(x, k) = content(x, k, t);
  }

  // As write(), but what is not covered by a part that lives.
  void write_between(std::size_t whole, const Indices& parts, std::size_t t) {
    for (std::int64_t k = 0; k < schedule_.tensors[whole].shape[0]; ++k) {
      bool is_covered = false;
      for (const std::size_t x : parts) {
        const Tensor& part = schedule_.tensors[x];
        is_covered = is_covered || (part.parent_offset <= k &&
                                    k < part.parent_offset + part.shape[0]);
      }
      if (!is_covered) byte(whole, k) = content(whole, k, t);
    }
  }

  // Holes of an assembled tensor were written by nobody, unless updated.
  bool holds(std::size_t x, std::size_t t) {
    for (std::int64_t k = 0; k < schedule_.tensors[x].shape[0]; ++k)
      if (byte(x, k) != content(x, k, t) &&
          !(age(x, k, t) == 0 && is_hole(x, k)))
        return false;
    return true;
  }

  [[nodiscard]] bool is_hole(std::size_t x, std::int64_t k) const {
    const auto [root, place] = roots_[x];
    if (draft_.writers[root].empty() || is_written(root)) return false;
    for (std::size_t p = 0; p < schedule_.tensors.size(); ++p)
      if (roots_[p].first == root && is_written(p) &&
          roots_[p].second <= place + k &&
          place + k < roots_[p].second + schedule_.tensors[p].shape[0])
        return false;
    return true;
  }

  [[nodiscard]] bool is_written(std::size_t x) const {
    for (const Operator& op : schedule_.operators)
      if (std::count(op.outputs.begin(), op.outputs.end(), x) != 0 &&
          !op.updates(x))
        return true;
    return false;
  }

  [[nodiscard]] bool is_copy(std::size_t t) const {
    return std::count(draft_.copies.begin(), draft_.copies.end(), t) != 0;
  }

  // Whether operator t writes tensor `output` over tensor `input`; kNoIndex
  // stands for any.
  [[nodiscard]] bool is_in_place(std::size_t t, std::size_t output,
                                 std::size_t input) const {
    const Operator& op = schedule_.operators[t];
    for (std::size_t k = 0; k < op.in_place.size(); ++k) {
      bool is_ignored = false;
      for (const IgnoredInPlace& index : made_.ignored)
        is_ignored = is_ignored || (index.op == t && index.pair == k);
      if (is_ignored) continue;
      if ((output == kNoIndex || op.outputs[op.in_place[k].output] == output) &&
          (input == kNoIndex || op.inputs[op.in_place[k].input] == input))
        return true;
    }
    return false;
  }

  bool start(std::size_t t) {
    const Operator& op = schedule_.operators[t];
    for (const std::size_t x : op.inputs)
      if (!holds(x, t)) return false;
    for (const std::size_t x : op.scratch) write(x, t);
    if (is_copy(t))
      write_between(op.outputs[0], op.inputs, t);
    else
      for (const std::size_t x : op.outputs)
        if (!op.updates(x) && !is_in_place(t, x, kNoIndex)) write(x, t);
    return true;
  }

  bool end(std::size_t t) {
    const Operator& op = schedule_.operators[t];
    for (const std::size_t x : op.inputs)
      if (!holds(x, t)) return false;
    for (const std::size_t x : op.outputs)
      if (op.updates(x) || is_in_place(t, x, kNoIndex)) write(x, t + 1);
    // The outputs may have taken the inputs that were given up, and no more.
    for (const std::size_t x : op.inputs)
      if ((op.updates(x) || !is_in_place(t, kNoIndex, x)) && !holds(x, t + 1))
        return false;
    for (const std::size_t x : op.outputs)
      if (!holds(x, t + 1)) return false;
    for (const std::size_t x : op.scratch)
      if (!holds(x, t + 1)) return false;
    return true;
  }

  const Draft& draft_;
  const Schedule& schedule_;
  const ScheduledProblem<>& made_;
  std::vector<std::int64_t> bottoms_;
  std::vector<std::pair<std::size_t, std::int64_t>> roots_;
  std::vector<std::pair<std::size_t, std::size_t>> updates_;  // op, tensor
  std::vector<std::uint64_t> memory_;
};

struct Tally {
  int aliases = 0;
  int ignored = 0;
  int apart = 0;
  int updates = 0;
};

void run_all(std::uint64_t seed, int rounds, bool with_parts,
             std::size_t most_streams, Tally& tally) {
  Random random(seed);
  for (int round = 0; round < rounds; ++round) {
    CAPTURE(round);
    const Draft draft = random_draft(
        random, with_parts, random.between<std::size_t>(1, most_streams));
    const auto made = make_problem(draft.schedule);
    CAPTURE(snug::to_string(made.error.reason), made.error.op,
            made.error.tensor);
    REQUIRE(made.ok());
    REQUIRE(snug::check(made.problem).ok());
    tally.ignored += static_cast<int>(made.ignored.size());
    tally.aliases += static_cast<int>(made.problem.aliases.size());
    tally.apart += static_cast<int>(made.problem.apart.size());
    for (const Operator& op : draft.schedule.operators)
      for (const std::size_t x : op.outputs)
        tally.updates += op.updates(x) ? 1 : 0;
    for (int run = 0; run < 4; ++run)
      REQUIRE(Machine(draft, made, place(made.problem, random)).run(random));
  }
}

}  // namespace

TEST_CASE("schedule: lifespans of random schedules, counted naively") {
  Random random(5);
  for (int round = 0; round < 500; ++round) {
    CAPTURE(round);
    const Draft draft = random_draft(random, false, 1);
    const Schedule& schedule = draft.schedule;
    const auto made = make_problem(schedule);
    REQUIRE(made.ok());
    const std::size_t count = schedule.operators.size();
    for (std::size_t x = 0; x < schedule.tensors.size(); ++x) {
      const Tensor& tensor = schedule.tensors[x];
      // Needed in step t: from its first mention, or the start, to its last
      // mention, or the end.
      std::size_t first = count;
      std::size_t last = 0;
      for (std::size_t t = 0; t < count; ++t) {
        const Operator& op = schedule.operators[t];
        for (const Indices* list : {&op.inputs, &op.outputs, &op.scratch})
          if (std::count(list->begin(), list->end(), x) != 0) {
            first = (std::min)(first, t);
            last = t + 1;
          }
      }
      if (tensor.is_input || tensor.lives_throughout) first = 0;
      if (tensor.is_output || tensor.lives_throughout) last = count;
      last = (std::max)(last, first + 1);
      REQUIRE(made.buffer_of[x] != kNoIndex);
      const auto& lifespan = made.problem.buffers[made.buffer_of[x]].lifespan;
      REQUIRE(lifespan.lower == static_cast<std::int64_t>(first));
      REQUIRE(lifespan.upper == static_cast<std::int64_t>(last));
    }
  }
}

TEST_CASE("schedule: random schedules run in their memory") {
  Tally tally;
  const int rounds = effort(1500);
  SECTION("one stream") {
    run_all(1, rounds, false, 1, tally);
    CHECK(tally.aliases > at_least(1000));
  }
  SECTION("one stream, parts and views") {
    run_all(2, rounds, true, 1, tally);
    CHECK(tally.aliases > at_least(3000));
  }
  SECTION("streams") {
    run_all(3, rounds, false, 3, tally);
    CHECK(tally.aliases > at_least(1000));
    CHECK(tally.apart > at_least(3000));
  }
  SECTION("streams, parts and views") {
    run_all(4, rounds, true, 4, tally);
    CHECK(tally.aliases > at_least(3000));
    CHECK(tally.apart > at_least(3000));
  }
  CHECK(tally.ignored > at_least(1000));
  CHECK(tally.updates > at_least(500));
}

TEST_CASE("schedule: streams that share memory and wait for it") {
  Random random(6);
  int paid = 0;
  int waits = 0;
  int free = 0;
  int needed = 0;
  int cheap = 0;
  for (int round = 0; round < effort(1500); ++round) {
    CAPTURE(round);
    const Draft draft = random_draft(random, random.chance(50),
                                     random.between<std::size_t>(2, 4));
    const auto hard = make_problem(draft.schedule);
    const auto soft = make_problem(draft.schedule, 3);
    REQUIRE(soft.ok());
    REQUIRE(snug::check(soft.problem).ok());
    REQUIRE(Machine(draft, soft, place(soft.problem, random)).orders_updates());
    // The pairs are the same ones.
    REQUIRE(soft.problem.apart.empty());
    REQUIRE(soft.problem.penalties.size() == hard.problem.apart.size());
    for (std::size_t k = 0; k < hard.problem.apart.size(); ++k) {
      const snug::Penalty& penalty = soft.problem.penalties[k];
      REQUIRE(penalty.first == hard.problem.apart[k].first);
      REQUIRE(penalty.second == hard.problem.apart[k].second);
      REQUIRE(penalty.cost == 3);
    }
    const auto judge = [&](const std::vector<std::int64_t>& offsets) {
      REQUIRE(snug::validate(soft.problem, offsets).ok());
      const snug::Waits found = snug::find_waits(soft, offsets);
      REQUIRE(found.ok());
      const std::int64_t cost = snug::penalty_cost(soft.problem, offsets);
      // Every pair that pays has users that nothing but a wait orders.
      REQUIRE(found.waits.empty() == (cost == 0));
      (cost == 0 ? free : paid) += 1;
      waits += static_cast<int>(found.waits.size());
      for (int run = 0; run < 4; ++run)
        REQUIRE(Machine(draft, soft, offsets).run(random, found.waits));
      // Without its waits, not every placement that pays is lucky.
      for (int run = 0; cost != 0 && run < 4; ++run)
        needed += Machine(draft, soft, offsets).run(random) ? 0 : 1;
    };
    for (int k = 0; k < 3; ++k) judge(place(soft.problem, random));
    judge(place(hard.problem, random));
    if (round % 20 != 0) continue;
    const std::int64_t lowest = snug::minimize(soft.problem).height;
    snug::Options options;
    options.node_limit = 2000;
    const auto cheapest = snug::minimize_penalty(
        soft.problem, random.between(lowest, lowest + 4), options);
    if (!cheapest.has_solution()) continue;
    ++cheap;
    judge(cheapest.offsets);
  }
  CHECK(paid > at_least(1000));
  CHECK(free > at_least(1500));
  CHECK(waits > 2 * paid);
  CHECK(needed > paid);
  CHECK(cheap >= at_least(50));
}

}  // namespace schedule_run_test
