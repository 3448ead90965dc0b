// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Why the search for bodies says that there is no placement: the bodies it
/// names must have none by themselves, whatever becomes of the others.
///
/// An answer seldom shows a conflict that leaves a body out: small problems
/// have little to jump back over, and where some branch is left out by mistake
/// another one often tells as much. What a refutation rests on shows it at
/// once. So each is checked, by a search with no rule but to try everything;
/// and each placement, so that all answers are. Problems of groups that have
/// little to do with one another are the most telling, and rules that draw no
/// conclusions, as the conflicts then come from far down.
#include "snug/bodies/body_model.hpp"
#include "support/body_walker.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/print.hpp"
#include "support/rule_rows.hpp"
#include "support/tuned.hpp"

#include <algorithm>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

namespace constrained_conflicts_test {

namespace {

using namespace snug::testing;
using snug::Buffer;
using snug::Interval;
using snug::Options;
using snug::Problem;
using snug::Reserved;
using snug::detail::BodyModel;
using snug::detail::BodyState;
using snug::detail::Component;
using snug::detail::Index;
using snug::detail::Outcome;
using snug::detail::Word;

/// Whether some bodies of a state can be placed together, each in its domain
/// of offsets below kMost, or where it is if it is placed: by trying all, those
/// with the fewest offsets left first.
class Judge {
 public:
  static constexpr std::int64_t kMost = 64;
  enum class Verdict { kFits, kDoesNotFit, kUnknown };

  explicit Judge(const BodyState& state) : component_(state.component) {
    for (Index x = 0; x < component_->size; ++x) {
      Word offsets = 0;
      if (!state.is_unplaced(x)) {
        offsets = bit(state.offset[x]);
      } else {
        for (const auto* range = state.begin(x); range != state.end(x); ++range)
          for (std::int64_t at = range->lower; at <= range->upper;
               at += component_->steps[x].step)
            offsets |= bit(at);
      }
      offsets_.push_back(offsets);
    }
  }

  [[nodiscard]] bool has_empty_domain() const {
    return std::count(offsets_.begin(), offsets_.end(), Word{0}) != 0;
  }

  [[nodiscard]] Verdict ask(Word members) {
    steps_ = 4000;
    return place(offsets_, members);
  }

  [[nodiscard]] bool holds(const std::int64_t* offsets) const {
    for (Index x = 0; x < component_->size; ++x) {
      if (offsets[x] < 0 || offsets[x] >= kMost ||
          (offsets_[x] & bit(offsets[x])) == 0)
        return false;
      for (Index y = 0; y < x; ++y)
        if (!may_be_at(*component_, x, offsets[x], y, offsets[y])) return false;
    }
    return true;
  }

 private:
  [[nodiscard]] static Word bit(std::int64_t at) { return Word{1} << at; }
  /// The offsets below `end`.
  [[nodiscard]] static Word below(std::int64_t end) {
    return end <= 0 ? 0 : end >= kMost ? ~Word{0} : bit(end) - 1;
  }

  [[nodiscard]] Verdict place(const std::vector<Word>& offsets, Word left) {
    if (left == 0) return Verdict::kFits;
    if (--steps_ < 0) return Verdict::kUnknown;
    Index next = 0;
    std::size_t fewest = kMost + 1;
    for (Word rest = left; rest != 0; rest &= rest - 1) {
      const Index x = snug::detail::lowest_bit(rest);
      const std::size_t count = std::bitset<kMost>(offsets[x]).count();
      if (count >= fewest) continue;
      fewest = count;
      next = x;
    }
    left &= ~bit(next);
    for (Word rest = offsets[next]; rest != 0; rest &= rest - 1) {
      std::vector<Word> reduced = offsets;
      if (!take(reduced, next, snug::detail::lowest_bit(rest), left)) continue;
      const Verdict verdict = place(reduced, left);
      if (verdict != Verdict::kDoesNotFit) return verdict;
    }
    return Verdict::kDoesNotFit;
  }

  /// Takes what x at `at` forbids from the others. False if one has nothing
  /// left.
  [[nodiscard]] bool take(std::vector<Word>& offsets, Index x, std::int64_t at,
                          Word left) const {
    const Component& component = *component_;
    for (const snug::detail::Relation& relation : component.relations[x]) {
      if ((left & bit(relation.body)) == 0) continue;
      Word& of_other = offsets[relation.body];
      for (Index k = relation.forbidden_begin; k < relation.forbidden_end;
           ++k) {
        const snug::detail::Forbidden& forbidden = component.forbidden[k];
        of_other &= below((std::max)(forbidden.lower, -kMost) + at + 1) |
                    ~below((std::min)(forbidden.upper, kMost) + at);
      }
      if (of_other == 0) return false;
    }
    return true;
  }

  const Component* component_;
  std::vector<Word> offsets_;
  int steps_ = 0;
};

/// A buffer of any size up to `largest` that lives within [lower, upper).
Buffer<> draw_buffer(std::int64_t lower, std::int64_t upper,
                     std::int64_t largest, Random& random) {
  Buffer<> buffer;
  buffer.lifespan.lower = random.between(lower, upper - 1);
  buffer.lifespan.upper = random.between(buffer.lifespan.lower + 1, upper);
  buffer.size = random.between(std::int64_t{1}, largest);
  return buffer;
}

/// Gives the buffer a gap in each of its steps, but for about `without` of a
/// hundred, and `narrowed` of a hundred of these gaps a window.
void add_windows(Buffer<>& buffer, int without, int narrowed, Random& random) {
  for (std::int64_t t = buffer.lifespan.lower; t < buffer.lifespan.upper; ++t) {
    if (random.chance(without)) continue;
    snug::Gap<> gap{{t, t + 1}, {}};
    if (random.chance(narrowed)) {
      const std::int64_t lower =
          random.between(std::int64_t{0}, buffer.size - 1);
      gap.window =
          Interval<std::int64_t>{lower, random.between(lower + 1, buffer.size)};
    }
    buffer.gaps.push_back(gap);
  }
}

/// A few buffers, in `length` steps of each of which they have a window of
/// their own, on grids of their own: some can only hold each other up.
Problem<> towers(Random& random) {
  Problem<> problem;
  const std::int64_t length = random.between(2, 4);
  for (int k = random.between(2, 4); k > 0; --k) {
    Buffer<> buffer = draw_buffer(0, length, 6, random);
    if (random.chance(70)) buffer.lifespan = {0, length};
    buffer.size += buffer.size == 1 ? 1 : 0;
    buffer.alignment = random.between(1, 5);
    add_windows(buffer, 30, 80, random);
    problem.buffers.push_back(buffer);
  }
  return problem;
}

/// More such buffers, each of which begins when the one before it is live.
Problem<> chain(Random& random) {
  Problem<> problem;
  Interval<std::int64_t> last{0, 1};
  for (int k = random.between(4, 8); k > 0; --k) {
    Buffer<> buffer;
    buffer.lifespan.lower = random.between(last.lower, last.upper - 1);
    buffer.lifespan.upper = buffer.lifespan.lower + random.between(2, 4);
    buffer.size = random.between(2, 7);
    buffer.alignment = random.between(1, 5);
    add_windows(buffer, 15, 90, random);
    last = buffer.lifespan;
    problem.buffers.push_back(buffer);
  }
  return problem;
}

/// Buffers among many small reserved ranges, some with gaps.
Problem<> splinters(Random& random) {
  Problem<> problem;
  const std::int64_t length = random.between(1, 5);
  for (int k = random.between(3, 7); k > 0; --k) {
    problem.buffers.push_back(draw_buffer(0, length, 4, random));
    if (random.chance(20)) problem.buffers.back().alignment = 2;
  }
  std::int64_t at = random.between(1, 4);
  for (int k = random.between(1, 5); k > 0; --k) {
    Reserved<> reserved{{at, at + 1}, {}};
    if (random.chance(60))
      reserved.lifespan = draw_buffer(0, length, 1, random).lifespan;
    problem.reserved.push_back(reserved);
    at += random.between(1, 6);
  }
  add_constraint(problem, Constraint::kGaps, random);
  return problem;
}

/// Groups that have nothing to do with one another, but for one to three
/// buffers that live with all of them and whose domains are in pieces, as a
/// time of their own has reserved ranges.
Problem<> hubs(Random& random) {
  Problem<> problem;
  const std::int64_t groups = random.between(2, 3);
  const std::int64_t length = random.between(1, 3);
  const std::int64_t end = groups * length;
  for (std::int64_t begin = 0; begin < end; begin += length) {
    for (int k = random.between(1, 4); k > 0; --k) {
      Buffer<> buffer = draw_buffer(begin, begin + length, 4, random);
      if (random.chance(20)) buffer.alignment = random.between(2, 3);
      problem.buffers.push_back(buffer);
    }
    for (int k = random.between(0, 2); k > 0; --k) {
      const std::int64_t at = random.between(0, 8);
      problem.reserved.push_back(
          {{at, at + random.between(1, 2)},
           Interval<std::int64_t>{begin, begin + length}});
    }
  }
  const std::int64_t count = random.between(1, 3);
  for (std::int64_t h = 0; h < count; ++h) {
    Buffer<> hub = draw_buffer(0, end, 3, random);
    if (h == 0) hub.lifespan.lower = 0;
    hub.lifespan.upper = end + h + 1;
    std::int64_t at = hub.size - 1 + random.between(0, 2);
    for (int k = random.between(1, 4); k > 0; --k) {
      problem.reserved.push_back(
          {{at, at + 1}, Interval<std::int64_t>{end + h, end + h + 1}});
      at += hub.size + random.between(0, 3);
    }
    problem.buffers.push_back(hub);
  }
  if (random.chance(30))
    add_constraint(
        problem,
        random.chance(50) ? Constraint::kMayOverlap : Constraint::kEnds,
        random);
  return problem;
}

/// Anything.
Problem<> mixture(Random& random) {
  return draw_constrained(random.next(), 8);
}

/// Both, one after the other, with a buffer that lives with both or a pair of
/// one of each that is kept apart. Neither may be without buffers.
Problem<> joined(Problem<> a, Problem<> b, Random& random) {
  const auto end_of = [](const Problem<>& problem) {
    std::int64_t end = 1;
    for (const Buffer<>& buffer : problem.buffers)
      end = (std::max)(end, buffer.lifespan.upper);
    return end;
  };
  const std::int64_t middle = end_of(a);
  const std::int64_t end = middle + end_of(b);
  const std::size_t first = a.buffers.size();
  const auto shift = [&](Interval<std::int64_t>& time) {
    time = {time.lower + middle, time.upper + middle};
  };
  for (Reserved<>& reserved : a.reserved)
    if (!reserved.lifespan) reserved.lifespan = {{0, middle}};
  for (Reserved<>& reserved : b.reserved) {
    if (!reserved.lifespan) reserved.lifespan = {{0, end - middle}};
    shift(*reserved.lifespan);
    reserved.lifespan->lower = (std::max)(reserved.lifespan->lower, middle);
    if (!reserved.lifespan->empty()) a.reserved.push_back(reserved);
  }
  for (Buffer<>& buffer : b.buffers) {
    shift(buffer.lifespan);
    for (snug::Gap<>& gap : buffer.gaps) shift(gap.lifespan);
    a.buffers.push_back(buffer);
  }
  for (const auto& alias : b.aliases)
    a.aliases.push_back({alias.buffer + first, alias.of + first, alias.delta});
  for (std::vector<std::size_t> group : b.contiguous) {
    for (std::size_t& i : group) i += first;
    a.contiguous.push_back(group);
  }
  for (const auto& pair : b.apart)
    a.apart.push_back({pair.first + first, pair.second + first});
  for (const auto& pair : b.may_overlap)
    a.may_overlap.push_back({pair.first + first, pair.second + first});
  if (random.chance(50)) {
    a.apart.push_back({random.between(std::size_t{0}, first - 1),
                       random.between(first, a.buffers.size() - 1)});
  } else {
    Buffer<> both = draw_buffer(0, middle, 2, random);
    both.lifespan.upper = draw_buffer(middle, end, 1, random).lifespan.upper;
    a.buffers.push_back(both);
  }
  return a;
}

/// What was seen of many searches.
struct Tally {
  std::size_t placed = 0;
  std::size_t refuted = 0;  ///< in one node or more
  std::size_t partly = 0;   ///< of these, by some of the bodies only
  std::size_t unknown = 0;  ///< of these, those the judge gave up on
};

/// Which rules the searches do without, and what is searched.
enum class Kind {
  kAny,    ///< some rules or none, on any component
  kLoose,  ///< those that foresee much; bodies may hold each other up
};

/// The searches of one component at one capacity, under one setting of the
/// rules after another.
class Trial {
 public:
  Trial(const Component& component, std::int64_t capacity, Kind kind,
        Random& random, Tally& tally)
      : component_(component),
        capacity_(capacity),
        kind_(kind),
        random_(random),
        tally_(tally) {}

  /// Returns whether there is a placement.
  [[nodiscard]] bool run() {
    snug::detail::Memory memory;
    BodyState root(component_, capacity_, memory);
    if (Judge(root).has_empty_domain() || root.narrow_all() != root.nobody())
      return false;
    Judge judge(root);
    for (int k = 0; k < 5; ++k) {
      draw_rules(k);
      if (k % 2 == 1 && random_.chance(40)) {
        search_preferred();
      } else if (search(judge, known_, {})) {
        found_ = true;
      }
    }
    return found_;
  }

 private:
  static constexpr std::int64_t kNodes = 1500;
  using Known = std::map<Word, Judge::Verdict>;
  using Wanted = std::vector<std::int64_t>;

  /// All rules; some; and some of those that draw few conclusions.
  void draw_rules(int k) {
    options_ = {};
    for (const auto& one : snug::kRuleNames)
      options_.own.rules.*one.rule = k == 0 || random_.chance(50);
    if (k > 2 || kind_ == Kind::kLoose) {
      options_.own.rules.section_inference = false;
      options_.own.rules.no_hurt_placement = false;
    }
    if (kind_ == Kind::kLoose) {
      options_.own.rules.abandoned_slot = false;
      options_.own.rules.failed_states = true;
      options_.own.rules.decomposition = false;
    }
    options_.own.rules.conflict_sets = true;
    options_.own.failed_state_bytes = random_.chance(20) ? 0 : 1 << 14;
    options_.node_limit = kNodes;
  }

  void use_any_strategy(BodyModel& model) {
    constexpr std::string_view kNames[] = {"0TCA", "sZW", "0L", "0U",
                                           "sTCA", "0ZW", "sO", "0W"};
    const snug::Strategy strategy = strategy_named(kNames[random_.below(8)]);
    model.use(strategy);
  }

  /// With some bodies where they are wanted: as deep in the search without.
  void search_preferred() {
    Wanted wanted(component_.size, snug::detail::kFar);
    for (std::int64_t& at : wanted)
      if (random_.chance(30)) at = random_.between(std::int64_t{0}, capacity_);
    snug::detail::Memory memory;
    BodyState root(component_, capacity_, memory);
    if (!settle(root, wanted)) return;
    if (Judge(root).has_empty_domain() || root.narrow_all() != root.nobody())
      return;
    Judge judge(root);
    Known known;
    (void)search(judge, known, wanted);
  }

  /// Searches in one run, or in several of some nodes each under any
  /// strategies, and checks the answer. Returns whether there is a placement.
  bool search(Judge& judge, Known& known, const Wanted& wanted) {
    snug::Stats stats;
    snug::detail::Limits limits(options_);
    snug::detail::Memory memory;
    BodyModel model(component_, capacity_, options_.own.rules, memory);
    snug::detail::TreeSearch<BodyModel> search(
        model, {&options_, &stats, &limits}, memory);
    if (!wanted.empty()) REQUIRE(settle(model, wanted));
    const bool in_pieces = random_.chance(50);
    std::int64_t nodes = in_pieces ? random_.between(2, 20) : kNodes;
    Outcome outcome = Outcome::kOpen;
    while (outcome == Outcome::kOpen && stats.nodes < kNodes) {
      use_any_strategy(model);
      outcome = search.run(nodes);
      nodes += 3;
    }
    if (outcome == Outcome::kPlacedAll) {
      REQUIRE(judge.holds(model.offsets()));
      ++tally_.placed;
      return true;
    }
    if (outcome == Outcome::kOpen) return false;
    const Word members = *search.refuted();
    const auto found = known.find(members);
    const Judge::Verdict verdict =
        found != known.end() ? found->second : judge.ask(members);
    known[members] = verdict;
    CAPTURE(capacity_, members, in_pieces, wanted.empty());
    REQUIRE(verdict != Judge::Verdict::kFits);
    if (stats.nodes == 0) return false;
    ++tally_.refuted;
    if (std::bitset<64>(members).count() < component_.size) ++tally_.partly;
    if (verdict == Judge::Verdict::kUnknown) ++tally_.unknown;
    return false;
  }

  const Component& component_;
  std::int64_t capacity_;
  Kind kind_;
  Random& random_;
  Tally& tally_;
  Tuned options_{};
  Known known_{};
  bool found_ = false;
};

/// Searches the components of problems, at capacities that their sizes allow,
/// from the lowest to the first at which they fit.
template <class Draw>
Tally search_all(std::uint64_t seeds, Draw&& draw, Kind kind = Kind::kAny) {
  Tally tally;
  for (std::uint64_t seed = 0; seed < effort(seeds); ++seed) {
    Random random(seed);
    const Problem<> problem = draw(random);
    if (!snug::check(problem).ok()) continue;
    INFO(as_csv(problem));
    CAPTURE(seed);
    const auto bodies = bodies_of(problem);
    for (const Component& component : components_of(bodies)) {
      if (component.size < 2 || component.size > 64) continue;
      if (kind == Kind::kLoose && component.grounded) continue;
      const std::int64_t least = least_capacity(component);
      const std::int64_t most = (std::min)(least + 7, Judge::kMost - 1);
      for (std::int64_t capacity = least; capacity <= most; ++capacity)
        if (Trial(component, capacity, kind, random, tally).run()) break;
    }
  }
  return tally;
}

/// At least so many were refuted, and so many of these by some of the bodies.
void check_tally(const Tally& tally, std::size_t refuted, std::size_t partly) {
  CHECK(tally.placed > at_least(refuted));
  CHECK(tally.refuted > at_least(refuted));
  CHECK(tally.partly > effort(partly));
  CHECK(tally.unknown < tally.refuted / 10);
}

}  // namespace

TEST_CASE("constrained conflicts: problems of any kind",
          "[constrained_conflicts]") {
  const Tally tally = search_all(3500, mixture);
  check_tally(tally, 8000, 200);
}

TEST_CASE("constrained conflicts: two problems in one",
          "[constrained_conflicts]") {
  const Tally tally = search_all(300, [](Random& random) {
    Problem<> first = mixture(random);
    return joined(std::move(first), mixture(random), random);
  });
  check_tally(tally, 500, 80);
}

TEST_CASE("constrained conflicts: windows that interlock",
          "[constrained_conflicts]") {
  const Tally tally = search_all(5000, [](Random& random) {
    Problem<> first = towers(random);
    return joined(std::move(first), towers(random), random);
  });
  check_tally(tally, 8000, 3000);
}

TEST_CASE("constrained conflicts: domains in pieces",
          "[constrained_conflicts]") {
  const Tally tally = search_all(1500, [](Random& random) {
    Problem<> first = splinters(random);
    return joined(std::move(first), splinters(random), random);
  });
  check_tally(tally, 2500, 600);
}

TEST_CASE("constrained conflicts: bodies in several groups",
          "[constrained_conflicts]") {
  const Tally tally = search_all(2500, hubs);
  check_tally(tally, 3000, 500);
}

TEST_CASE("constrained conflicts: bodies that hold each other up",
          "[constrained_conflicts]") {
  // A node that reopens a body rests on all that was skipped there. That it is
  // taken to rest on less shows in one chain of twenty thousand, or fewer; it
  // does in these.
  constexpr std::uint64_t kTelling[] = {58540,  92823,  94551,  99354,
                                        146695, 158072, 168329, 33889,
                                        183058, 224226, 294201};
  const Tally some = search_all(
      200,
      [&](Random& random) {
        Random seeded(kTelling[random.below(std::size(kTelling))]);
        return chain(seeded);
      },
      Kind::kLoose);
  check_tally(some, 900, 20);
  const Tally many = search_all(3000, chain, Kind::kLoose);
  check_tally(many, 8000, 1500);
}

}  // namespace constrained_conflicts_test
