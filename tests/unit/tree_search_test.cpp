// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tree search by itself, with a model that has nothing to do with memory:
// few variables, few values each, and pairs of values that exclude each other.
// So every promise of engine/tree_search.hpp is kept by a page of code, each
// kind of choice is common, and what the search says is compared with trying
// everything.
#include "snug/engine/tree_search.hpp"

#include "snug/engine/conflict.hpp"
#include "snug/engine/limits.hpp"
#include "snug/engine/state_key.hpp"
#include "snug/support/memory.hpp"
#include "support/catch.hpp"
#include "support/effort.hpp"
#include "support/random.hpp"
#include "support/tuned.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace tree_search_test {

using namespace snug::testing;
using snug::detail::Conflict;
using snug::detail::Decision;
using snug::detail::has_bit;
using snug::detail::Index;
using snug::detail::Key;
using snug::detail::lowest_bit;
using snug::detail::Outcome;
using snug::detail::set_bit;
using snug::detail::Word;
using Kind = Decision::Kind;

namespace {

constexpr std::int64_t kEndless = (std::numeric_limits<std::int64_t>::max)();

constexpr Index kMostVariables = 10;
/// Of each variable, the values that it may still have.
using Domains = std::array<Word, kMostVariables>;

/// Variables of `values` values each. Those of a class exclude the same.
struct Puzzle {
  /// The values left to y, of those in `domain`, when x has value a.
  [[nodiscard]] Word left(Index x, Index a, Index y, Word domain) const {
    const Word* const row = &excluded[(class_of[x] * values + a) * classes];
    return x == y ? domain : domain & ~row[class_of[y]];
  }
  [[nodiscard]] bool are_related(Index x, Index y) const {
    const Word all = (Word{1} << values) - 1;
    for (Index a = 0; a < values; ++a)
      if (left(x, a, y, all) != all) return x != y;
    return false;
  }

  /// Whether the variables of `set` have values in their domains that exclude
  /// none.
  [[nodiscard]] bool has_solution(Word set, const Domains& domains) const {
    if (set == 0) return true;
    const Index x = lowest_bit(set);
    set &= set - 1;
    for (Word rest = domains[x]; rest != 0; rest &= rest - 1) {
      Domains below = domains;
      bool is_empty = false;
      for (Word others = set; others != 0; others &= others - 1) {
        const Index y = lowest_bit(others);
        below[y] = left(x, lowest_bit(rest), y, below[y]);
        is_empty = is_empty || below[y] == 0;
      }
      if (!is_empty && has_solution(set, below)) return true;
    }
    return false;
  }
  /// The same of all values.
  [[nodiscard]] bool has_solution(Word set) const {
    return has_solution(set, all_values());
  }

  [[nodiscard]] Domains all_values() const {
    Domains all{};
    all.fill((Word{1} << values) - 1);
    return all;
  }

  Index size = 0;
  Index values = 0;
  Index classes = 0;
  std::vector<Index> class_of{};
  /// By class, value and other class.
  std::vector<Word> excluded{};
};

Puzzle draw_puzzle(Random& random) {
  Puzzle puzzle;
  puzzle.size = random.between<Index>(4, kMostVariables);
  puzzle.values = random.between<Index>(2, 4);
  puzzle.classes =
      random.chance(50) ? puzzle.size : random.between<Index>(1, puzzle.size);
  for (Index x = 0; x < puzzle.size; ++x)
    puzzle.class_of.push_back(
        x < puzzle.classes ? x : random.between<Index>(0, puzzle.classes - 1));
  puzzle.excluded.resize(puzzle.classes * puzzle.values * puzzle.classes);
  const auto exclude = [&](Index p, Index a, Index q, Index b) {
    puzzle.excluded[(p * puzzle.values + a) * puzzle.classes + q] |= Word{1}
                                                                     << b;
  };
  const int related = random.between(20, 80);
  const int dense = random.between(15, 45);
  for (Index p = 0; p < puzzle.classes; ++p)
    for (Index q = 0; q <= p; ++q) {
      if (!random.chance(related)) continue;
      for (Index a = 0; a < puzzle.values; ++a)
        for (Index b = 0; b < puzzle.values; ++b)
          if (random.chance(dense)) {
            exclude(p, a, q, b);
            exclude(q, b, p, a);
          }
    }
  return puzzle;
}

/// What the choices may be.
struct Habits {
  bool forced = true;    ///< a variable of one value is no choice
  bool blind = true;     ///< see PuzzleModel::choose()
  bool twins = true;     ///< variables of one class are skipped together
  bool parts = true;     ///< what is not related is searched for itself
  bool chains = true;    ///< a single value left excludes others, too
  bool gives_up = true;  ///< choose() may notice that there is nothing to pick
};

/// A candidate is the lowest value of a domain. To place a variable takes from
/// the others what its value excludes; to skip it takes its candidate from it.
/// A conflict says: the domains of the members, which lack what they do because
/// of what is placed and of skips of F, have no solution.
class PuzzleModel {
 public:
  struct Part {
    Key key{};
    Index unplaced = 0;
    Word set = 0;
  };
  using PartsMark = std::size_t;
  static constexpr bool kHasLongNodes = false;

  class Parts {
   public:
    [[nodiscard]] PartsMark mark() const { return parts_.size(); }
    [[nodiscard]] std::size_t size() const { return parts_.size(); }
    [[nodiscard]] const Part& operator[](std::size_t k) const {
      return parts_[k];
    }
    void shrink(PartsMark mark) { parts_.resize(mark); }
    void push(const Part& part) { parts_.push_back(part); }

   private:
    std::vector<Part> parts_{};
  };

  PuzzleModel(const Puzzle& puzzle, const Habits& habits, Random& random,
              snug::detail::Memory& memory)
      : puzzle_(&puzzle),
        habits_(habits),
        random_(&random),
        keys_(puzzle.size, memory),
        unplaced_((Word{1} << puzzle.size) - 1),
        salt_(random.next()),
        domains_(puzzle.all_values()) {
    for (Index x = 0; x < puzzle.size; ++x) key_ += term(x);
  }

  [[nodiscard]] Index size() const { return puzzle_->size; }
  [[nodiscard]] Index words() const { return 1; }
  [[nodiscard]] bool start(const Conflict&) {
    undo_to(0);
    parts_.shrink(0);
    return true;
  }
  [[nodiscard]] Part root() const { return part_of(unplaced_); }

  /// Blind choices, of parts drawn at random. If the part has no solution, it
  /// does not matter what its variables lose, for which all of the part is the
  /// reason, and no trace of that is left: they lose what they would to a value of
  /// some variable, so that one meets the states of other branches.
  [[nodiscard]] bool choose(const Part& part, Decision& decision) {
    decision = {pick(part.set), Kind::kBranch};
    if (habits_.blind && is_blind(part.set)) {
      decision.kind = Kind::kBlind;
      if (random_->chance(50) && !puzzle_->has_solution(part.set, domains_))
        cut(part);
    } else if (habits_.forced && is_single(domains_[decision.item])) {
      decision.kind = Kind::kForced;
    }
    if (habits_.gives_up && random_->chance(20) && is_hopeless(part))
      decision.kind = Kind::kNone;
    if (domains_[decision.item] == 0) decision.kind = Kind::kNone;
    ++chosen[static_cast<std::size_t>(decision.kind)];
    return decision.kind != Kind::kNone;
  }

  [[nodiscard]] bool place(Index x, const Part& part, std::size_t mark,
                           std::size_t& raised, const Conflict& conflict) {
    trail_.push_back({x, kPlaced, domains_[x], skipped_});
    key_ -= term(x);
    unplaced_ &= ~(Word{1} << x);
    domains_[x] &= ~domains_[x] + 1;
    for (std::size_t k = mark; k < trail_.size(); ++k) {
      const Index cause = trail_[k].item;
      if (k == mark || (habits_.chains && is_single(domains_[cause])))
        exclude(cause);
    }
    raised = trail_.size();
    return propagate(mark, part, conflict);
  }
  [[nodiscard]] bool propagate(std::size_t, const Part& part,
                               const Conflict& conflict) {
    for (Index x = 0; x < size(); ++x) {
      if (!is_in(part.set & unplaced_, x) || domains_[x] != 0) continue;
      conflict.clear();
      add_member(x, conflict);
      return false;
    }
    return true;
  }
  [[nodiscard]] Index skip(const Decision& decision, const Conflict& conflict) {
    const Index x = decision.item;
    const Word set = decision.kind == Kind::kBlind ? Word{1} << x : twins_of(x);
    const Word domain = domains_[x];
    Index skips = 0;
    for (Index y = 0; y < size(); ++y) {
      if (!is_in(set, y)) continue;
      if (!is_single(set)) add_member(y, conflict);
      trail_.push_back({y, size(), domains_[y], skipped_});
      change(y, domain & (domain - 1), skipped_ | Word{1} << y);
      ++skips;
    }
    if (skips > 1) ++twins_skipped;
    return skips;
  }

  /// Variables related to each other, directly or by others.
  void split(const Part& part, const Key& key, Index) {
    Word rest = part.set & unplaced_;
    Key keys{};
    std::vector<Part> found;
    while (rest != 0) {
      const Word set = habits_.parts ? related_to(rest & (~rest + 1)) : rest;
      found.push_back(part_of(set));
      keys += found.back().key;
      rest &= ~set;
    }
    CHECK(keys == key);
    if (found.size() > 1) ++splits;
    std::sort(found.begin(), found.end(), [](const Part& a, const Part& b) {
      return a.unplaced < b.unplaced;
    });
    for (const Part& one : found) parts_.push(one);
  }

  [[nodiscard]] Parts& parts() { return parts_; }
  [[nodiscard]] const Key& key() const { return key_; }
  [[nodiscard]] std::size_t trail_size() const { return trail_.size(); }
  [[nodiscard]] Index item_at(std::size_t k) const { return trail_[k].item; }
  void undo_to(std::size_t size) {
    for (; trail_.size() > size; trail_.pop_back()) {
      const Entry& entry = trail_.back();
      if (entry.cause != kPlaced) {
        change(entry.item, entry.domain, entry.skipped);
        continue;
      }
      unplaced_ |= Word{1} << entry.item;
      domains_[entry.item] = entry.domain;
      key_ += term(entry.item);
    }
  }
  [[nodiscard]] bool is_first_skip(std::size_t k) const {
    return !is_in(trail_[k].skipped, trail_[k].item);
  }

  void blame_causes(std::size_t mark, std::size_t raised,
                    const Conflict& conflict) const {
    for (std::size_t k = raised; k-- > mark + 1;) {
      if (!has_bit(conflict.members(), trail_[k].item)) continue;
      // What was placed is where it is, whatever it had been skipped at.
      if (trail_[k].cause == trail_[mark].item)
        set_bit(conflict.members(), trail_[k].cause);
      else
        add_member(trail_[k].cause, conflict);
    }
  }
  void blame_force(const Decision& decision, const Conflict& conflict) const {
    add_member(decision.item, conflict);
  }
  void blame_part(const Part& part, const Conflict& conflict) const {
    for (Index x = 0; x < size(); ++x)
      if (is_in(part.set, x)) add_member(x, conflict);
  }
  void note_failure(const Conflict& conflict) {
    CHECK(conflict.members()[0] != 0);
  }

  /// Whether all have values that exclude none.
  [[nodiscard]] bool holds_solution() const {
    for (Index x = 0; x < size(); ++x)
      if (!is_single(domains_[x])) return false;
    return unplaced_ == 0 && puzzle_->has_solution(root_set(), domains_);
  }
  [[nodiscard]] Word root_set() const { return (Word{1} << size()) - 1; }

  std::int64_t chosen[4] = {};  ///< by kind
  std::int64_t blind_cuts = 0;
  std::int64_t twins_skipped = 0;
  std::int64_t splits = 0;

 private:
  static constexpr Index kPlaced = 64;  ///< the cause of an item placed

  struct Entry {
    Index item;
    Index cause;  ///< who cut it
    Word domain;
    Word skipped;  ///< before
  };

  [[nodiscard]] static bool is_in(Word set, Index x) {
    return has_bit(&set, x);
  }
  [[nodiscard]] static bool is_single(Word domain) {
    return domain != 0 && (domain & (domain - 1)) == 0;
  }
  [[nodiscard]] Key term(Index x) const {
    return keys_.term(x, static_cast<std::int64_t>(domains_[x]),
                      is_in(skipped_, x));
  }
  [[nodiscard]] Part part_of(Word set) const {
    Part part;
    part.set = set;
    for (Index x = 0; x < size(); ++x) {
      if (!is_in(set, x)) continue;
      part.key += term(x);
      ++part.unplaced;
    }
    return part;
  }
  void change(Index x, Word domain, Word skipped) {
    key_ -= term(x);
    domains_[x] = domain;
    skipped_ = skipped;
    key_ += term(x);
  }
  void add_member(Index x, const Conflict& conflict) const {
    set_bit(conflict.members(), x);
    if (is_in(skipped_, x)) set_bit(conflict.skips(), x);
  }

  /// Takes from the others what the one value of `cause` excludes.
  void exclude(Index cause) {
    for (Index y = 0; y < size(); ++y) {
      if (!is_in(unplaced_, y)) continue;
      const Word domain =
          puzzle_->left(cause, lowest_bit(domains_[cause]), y, domains_[y]);
      if (domain == domains_[y]) continue;
      trail_.push_back({y, cause, domains_[y], skipped_});
      change(y, domain, skipped_);
    }
  }

  /// Takes from the part what a value of some variable would.
  void cut(const Part& part) {
    const Index z = pick(root_set());
    const Index a = random_->between<Index>(0, puzzle_->values - 1);
    for (Index y = 0; y < size(); ++y) {
      if (!is_in(part.set & ~(Word{1} << z), y)) continue;
      const Word left = puzzle_->left(z, a, y, domains_[y]);
      if (left == 0 || left == domains_[y]) continue;
      trail_.push_back({y, size(), domains_[y], skipped_});
      change(y, left, skipped_);
      ++blind_cuts;
    }
  }

  [[nodiscard]] Index pick(Word set) const {
    std::vector<Index> all;
    for (Index x = 0; x < size(); ++x)
      if (is_in(set, x)) all.push_back(x);
    return all[random_->between<std::size_t>(0, all.size() - 1)];
  }
  /// By its variables alone, so that a node has one kind of choices.
  [[nodiscard]] bool is_blind(Word set) const {
    return snug::detail::Random(salt_ + set).next() % 3 == 0;
  }
  /// Whether two variables exclude each other altogether.
  [[nodiscard]] bool is_hopeless(const Part& part) const {
    for (Index x = 0; x < size(); ++x)
      for (Index y = 0; y < x; ++y)
        if (is_in(part.set, x) && is_in(part.set, y) &&
            !puzzle_->has_solution(Word{1} << x | Word{1} << y, domains_))
          return true;
    return false;
  }
  /// The unplaced variables of the class of x that are as it is. Those in other
  /// parts are not related to it, nor then to anybody in theirs.
  [[nodiscard]] Word twins_of(Index x) const {
    Word set = Word{1} << x;
    for (Index y = 0; habits_.twins && y < size(); ++y)
      if (puzzle_->class_of[x] == puzzle_->class_of[y] && is_in(unplaced_, y) &&
          domains_[y] == domains_[x] &&
          is_in(skipped_, x) == is_in(skipped_, y))
        set |= Word{1} << y;
    return set;
  }
  [[nodiscard]] Word related_to(Word set) const {
    for (Word before = 0; before != set;) {
      before = set;
      for (Index x = 0; x < size(); ++x)
        for (Index y = 0; y < size(); ++y)
          if (is_in(set, x) && is_in(unplaced_, y) &&
              puzzle_->are_related(x, y))
            set |= Word{1} << y;
    }
    return set;
  }

  const Puzzle* puzzle_;
  Habits habits_;
  Random* random_;
  snug::detail::StateKeys<std::int64_t> keys_;
  Word unplaced_;
  Word skipped_ = 0;
  std::uint64_t salt_;
  Domains domains_;
  Key key_{};
  std::vector<Entry> trail_{};
  Parts parts_{};
};

/// The search of a puzzle.
struct PuzzleBench {
  PuzzleBench(const Puzzle& puzzle, const Habits& habits, const Tuned& options_,
              Random& random)
      : options(options_),
        limits(options),
        model(puzzle, habits, random, memory),
        search(model, {&options, &stats, &limits}, memory) {}

  Tuned options;
  snug::Stats stats;
  snug::detail::Limits limits;
  snug::detail::Memory memory;
  PuzzleModel model;
  snug::detail::TreeSearch<PuzzleModel> search;
};

Tuned draw_options(Random& random) {
  Tuned options;
  options.own.failed_state_bytes = random.chance(20) ? 0 : 1 << 14;
  options.own.rules.conflict_sets = random.chance(80);
  return options;
}

}  // namespace

TEST_CASE("tree search: small puzzles, against trying everything",
          "[tree_search]") {
  std::int64_t chosen[4] = {};
  std::int64_t blind_cuts = 0;
  std::int64_t twins_skipped = 0;
  std::int64_t splits = 0;
  std::int64_t backtracks = 0;
  std::size_t refuted = 0;
  std::size_t smaller = 0;
  const std::uint64_t seeds = effort(std::uint64_t{60000});
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    Random random(seed);
    const Puzzle puzzle = draw_puzzle(random);
    const Habits habits{random.chance(70), random.chance(70),
                        random.chance(70), random.chance(70),
                        random.chance(70), random.chance(70)};
    PuzzleBench bench(puzzle, habits, draw_options(random), random);
    // Runs of few nodes, which remember what the ones before refuted.
    const std::int64_t nodes =
        random.chance(20) ? kEndless : random.between<std::int64_t>(1, 10);
    std::int64_t allowed = nodes;
    Outcome outcome = Outcome::kOpen;
    while (outcome == Outcome::kOpen) {
      const std::int64_t before = bench.stats.nodes;
      outcome = bench.search.run(allowed);
      const std::int64_t used = bench.stats.nodes - before;
      if (outcome == Outcome::kOpen)
        REQUIRE(used == allowed);
      else
        REQUIRE(used <= allowed);
      if (allowed < kEndless) ++allowed;
    }
    CAPTURE(seed, puzzle.size, puzzle.values, nodes);
    const Word all = bench.model.root_set();
    const bool fits = puzzle.has_solution(all);
    REQUIRE(outcome == (fits ? Outcome::kPlacedAll : Outcome::kRefuted));
    if (fits) {
      REQUIRE(bench.model.holds_solution());
    } else {
      const Word core = bench.search.refuted()[0];
      REQUIRE((core & ~all) == 0);
      REQUIRE_FALSE(puzzle.has_solution(core));
      ++refuted;
      if (core != all) ++smaller;
    }
    for (std::size_t k = 0; k < 4; ++k) chosen[k] += bench.model.chosen[k];
    blind_cuts += bench.model.blind_cuts;
    twins_skipped += bench.model.twins_skipped;
    splits += bench.model.splits;
    backtracks += bench.stats.backtracks;
  }
  for (const std::int64_t count : chosen) CHECK(count > effort(10000));
  CHECK(blind_cuts > effort(10000));
  CHECK(twins_skipped > effort(5000));
  CHECK(splits > effort(20000));
  CHECK(backtracks > effort(300000));
  CHECK(refuted > effort(std::size_t{5000}));
  CHECK(smaller > effort(std::size_t{2000}));
}

}  // namespace tree_search_test
