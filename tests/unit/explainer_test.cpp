// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a conflict says, tried out: of the unplaced buffers only its members
// are kept, of what was skipped only its skips; then all their offsets are
// tried, from their minimum offsets up.
#include "snug/plain/explainer.hpp"

#include "snug/plain/dominance.hpp"
#include "support/catch.hpp"
#include "support/walker.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace explainer_test {

using namespace snug::testing;
using snug::detail::Conflict;
using snug::detail::Explainer;
using snug::detail::Index;
using snug::detail::Word;

namespace {

using Units = std::int32_t;
using Offsets = std::vector<Units>;

/// Places the unplaced members of a conflict in every way that the conflict
/// allows.
class Completions {
 public:
  using Accept = std::function<bool(const Offsets&)>;

  Completions(const Walker<Units>& walker, const Conflict& conflict)
      : walker_(walker),
        skips_(elements(conflict.skips(), walker.instance.size)),
        offsets_(walker.instance.size, -1) {
    for (const Index x : walker.unplaced())
      if (snug::detail::has_bit(conflict.members(), x)) add(x);
  }

  /// Lets x be placed too.
  void add(Index x) {
    if (std::count(kept_.begin(), kept_.end(), x) == 0) kept_.push_back(x);
  }

  /// Whether some way is accepted.
  [[nodiscard]] bool any(const Accept& accept) { return place(0, accept); }

 private:
  [[nodiscard]] bool place(std::size_t depth, const Accept& accept) {
    if (depth == kept_.size()) return skips_hold() && accept(offsets_);
    const auto& instance = walker_.instance;
    const Index x = kept_[depth];
    const Units last = instance.capacity - instance.length[x];
    for (Units at = walker_.state.minimum[x]; at <= last;
         at += instance.alignment[x]) {
      bool free = true;
      for (std::size_t k = 0; k < depth && free; ++k) {
        const Index y = kept_[k];
        free = !walker_.neighbours(x, y) ||
               at >= offsets_[y] + instance.length[y] ||
               offsets_[y] >= at + instance.length[x];
      }
      if (!free) continue;
      offsets_[x] = at;
      if (place(depth + 1, accept)) return true;
    }
    offsets_[x] = -1;
    return false;
  }

  /// A skipped buffer is above its minimum offset, and rests on another that
  /// is not placed yet; it cannot drop into the slot that it was refused.
  [[nodiscard]] bool skips_hold() const {
    const auto& instance = walker_.instance;
    const auto& state = walker_.state;
    return std::all_of(skips_.begin(), skips_.end(), [&](Index x) {
      bool rests = false;
      bool taken = false;
      for (const Index y : kept_) {
        if (!walker_.neighbours(x, y)) continue;
        const Units top = offsets_[y] + instance.length[y];
        rests = rests || instance.round_up(x, top) == offsets_[x];
        taken = taken || (offsets_[y] < state.top(x) && state.minimum[x] < top);
      }
      return offsets_[x] > state.minimum[x] && rests && taken;
    });
  }

  const Walker<Units>& walker_;
  std::vector<Index> skips_;
  std::vector<Index> kept_;
  Offsets offsets_;
};

/// What every conflict must look like.
void check_form(const Walker<Units>& walker, const Conflict& conflict) {
  for (const Index x : elements(conflict.skips(), walker.instance.size)) {
    REQUIRE(walker.state.is_unplaced(x));
    REQUIRE(walker.state.is_skipped(x));
    REQUIRE(snug::detail::has_bit(conflict.members(), x));
    // Whoever may hold it up speaks with it.
    for (const Index y : walker.unplaced_neighbours(x))
      REQUIRE(snug::detail::has_bit(conflict.members(), y));
  }
  const Index size = walker.instance.size;
  REQUIRE(elements(conflict.members(), 64 * conflict.words()) ==
          elements(conflict.members(), size));
}

void for_each_small_walker(
    const std::function<void(Walker<Units>&, Random&)>& visit) {
  for (std::uint64_t seed = 0; seed < 160; ++seed) {
    snug::Problem<> problem = draw_problem(seed, 7);
    for (auto& buffer : problem.buffers)
      buffer.size = (std::min)(buffer.size, std::int64_t{4});
    const std::int64_t load = load_of(problem);
    if (load > 11) continue;
    Random random(seed);
    Walker<Units> walker(problem, load + random.between(0, 1));
    walker.place_percent = random.between(10, 75);
    visit(walker, random);
  }
}

}  // namespace

TEST_CASE("conflict: two sets side by side", "[conflict]") {
  std::vector<Word> a_words(4, 0);
  std::vector<Word> b_words(4, ~Word{0});
  const Conflict a(a_words.data(), 2);
  const Conflict b(b_words.data(), 2);
  CHECK(a.size() == 4);
  CHECK(a.words() == 2);
  snug::detail::set_bit(a.members(), 70);
  snug::detail::set_bit(a.skips(), 3);
  CHECK(a_words == std::vector<Word>{0, Word{1} << 6, Word{1} << 3, 0});
  b.assign(a);
  CHECK(b_words == a_words);
  snug::detail::set_bit(b.skips(), 100);
  a.join(b);
  CHECK(a_words ==
        std::vector<Word>{0, Word{1} << 6, Word{1} << 3, Word{1} << 36});
  b.clear();
  CHECK(b_words == std::vector<Word>(4, 0));
}

//      +---+---+            0 [0,1) of 2, 1 [0,2) of 3, 2 [1,2) of 4,
//      | 0 |   |            3 [3,4) joined by 4 [1,4) of 1
//      +---+ 1 +---+
//          |   | 2 |        capacity 9
//          +---+---+
TEST_CASE("conflict: the reasons of a release", "[conflict]") {
  snug::Problem<> problem;
  problem.buffers = {
      {{0, 1}, 2}, {{0, 2}, 3}, {{1, 2}, 4}, {{1, 4}, 1}, {{3, 4}, 5}};
  Walker<Units> walker(problem, 9);
  auto& state = walker.state;
  Explainer<Units> explainer(walker.instance, walker.memory);
  ConflictSets sets(walker.instance.words);
  const Conflict& conflict = sets.conflict;
  using List = std::vector<Index>;
  const auto members = [&] { return elements(conflict.members(), 5); };
  const auto skips = [&] { return elements(conflict.skips(), 5); };
  // By span: 0, 1, then 2 and 3 of the second section, then 4.
  for (const Index x : {0U, 1U}) state.skip(x);
  REQUIRE(walker.releases.update(state, 0, 5) == state.nobody());
  REQUIRE(state.release[1] == 1);  // on the one of 1
  REQUIRE(state.release[0] == 4);

  SECTION("what the minimum explains needs no skip") {
    explainer.release(state, 0, 0, conflict);
    CHECK(members() == List{0});
    CHECK(skips().empty());
  }
  SECTION("one skip, while its support is low enough anyway") {
    explainer.release(state, 0, 3, conflict);
    CHECK(members() == List{0, 1});
    CHECK(skips() == List{0});
  }
  SECTION("the skip of its support with it, and all that might hold that") {
    explainer.release(state, 0, 4, conflict);
    CHECK(members() == List{0, 1, 2, 3});
    CHECK(skips() == List{0, 1});
  }
  SECTION("two demands on one buffer, the stronger one second") {
    explainer.release(state, 0, 3, conflict);
    explainer.release(state, 0, 4, conflict);
    CHECK(skips() == List{0, 1});
  }
}

TEST_CASE("conflict: releases follow from the members and skips alone",
          "[conflict]") {
  std::size_t explained = 0;
  std::size_t with_two_skips = 0;
  for_each_small_walker([&](Walker<Units>& walker, Random& random) {
    Explainer<Units> explainer(walker.instance, walker.memory);
    walker.walk(random, 12, [&](const auto& move) {
      if (!walker.propagate(move)) return false;
      for (const Index x : walker.unplaced()) {
        if (!walker.state.is_skipped(x)) continue;
        const Units needed = random.between(walker.state.minimum[x] + 1,
                                            walker.state.release[x]);
        ConflictSets sets(walker.instance.words);
        explainer.release(walker.state, x, needed, sets.conflict);
        check_form(walker, sets.conflict);
        Completions completions(walker, sets.conflict);
        REQUIRE_FALSE(completions.any(
            [&](const Offsets& offsets) { return offsets[x] < needed; }));
        ++explained;
        if (elements(sets.conflict.skips(), walker.instance.size).size() > 1)
          ++with_two_skips;
      }
      return true;
    });
  });
  CHECK(explained > 300);
  CHECK(with_two_skips > 30);
}

TEST_CASE("conflict: of a failure that propagation finds", "[conflict]") {
  std::size_t unheld_seen = 0;
  std::size_t overflows = 0;
  std::size_t too_high_seen = 0;
  std::size_t abandoned_seen = 0;
  std::size_t partial = 0;
  for_each_small_walker([&](Walker<Units>& walker, Random& random) {
    auto& state = walker.state;
    const Index size = walker.instance.size;
    Explainer<Units> explainer(walker.instance, walker.memory);
    const auto refute = [&](const Conflict& conflict) {
      check_form(walker, conflict);
      Completions completions(walker, conflict);
      REQUIRE_FALSE(completions.any([](const Offsets&) { return true; }));
      for (const Index x : walker.unplaced())
        if (!snug::detail::has_bit(conflict.members(), x)) {
          ++partial;
          break;
        }
      return false;
    };
    walker.walk(random, 25, [&](const auto& move) {
      ConflictSets sets(walker.instance.words);
      const Index unheld = walker.releases.update(state, 0, size);
      if (unheld != state.nobody()) {
        ++unheld_seen;
        explainer.release(
            state, unheld,
            walker.instance.capacity - walker.instance.length[unheld] + 1,
            sets.conflict);
        return refute(sets.conflict);
      }
      const auto too_high = snug::detail::find_too_high(state, move.mark);
      if (too_high.excess > 0) {
        ++too_high_seen;
        explainer.overflow(state, too_high, 0, sets.conflict);
        (void)refute(sets.conflict);
        sets.conflict.clear();
      }
      const auto overflow = walker.bound.check(
          state, move.mark, move.placed ? move.buffer : state.nobody(), 0,
          size);
      if (overflow.excess > 0) {
        ++overflows;
        explainer.overflow(state, overflow, 0, sets.conflict);
        return refute(sets.conflict);
      }
      snug::detail::update_witnesses(state, move.mark);
      const Index abandoned = snug::detail::find_pending(state, 0, size, true);
      if (abandoned != state.nobody()) {
        ++abandoned_seen;
        explainer.release(state, abandoned, state.minimum[abandoned] + 1,
                          sets.conflict);
        explainer.no_witness(state, abandoned, sets.conflict);
        return refute(sets.conflict);
      }
      return true;
    });
  });
  CHECK(unheld_seen > 50);
  CHECK(overflows > 100);
  CHECK(too_high_seen > 20);
  CHECK(abandoned_seen > 50);
  CHECK(partial > 50);
}

TEST_CASE("conflict: why nobody comes to lie in the slot, and nobody below",
          "[conflict]") {
  std::size_t above = 0;
  std::size_t pending = 0;
  for_each_small_walker([&](Walker<Units>& walker, Random& random) {
    auto& state = walker.state;
    Explainer<Units> explainer(walker.instance, walker.memory);
    walker.walk(random, 12, [&](const auto& move) {
      if (!walker.propagate(move)) return false;
      for (const Index x : walker.candidates()) {
        // Why taking back a placement of x needs no reasons for who is above:
        // it does not, as long as no slot is abandoned.
        if (find_pending(state, 0, walker.instance.size, true) !=
            state.nobody())
          break;
        for (const Index y : walker.unplaced_neighbours(x)) {
          REQUIRE(state.top(y) > state.minimum[x]);
          ++above;
        }
      }
      for (const Index x : walker.unplaced()) {
        if (state.witness[x] != state.nobody()) continue;
        ConflictSets sets(walker.instance.words);
        explainer.no_witness(state, x, sets.conflict);
        check_form(walker, sets.conflict);
        for (const Index y : walker.unplaced_neighbours(x)) {
          REQUIRE(snug::detail::has_bit(sets.conflict.members(), y));
          Completions completions(walker, sets.conflict);
          REQUIRE_FALSE(completions.any([&](const Offsets& offsets) {
            return offsets[y] < state.top(x);
          }));
          ++pending;
        }
      }
      return true;
    });
  });
  CHECK(above > 500);
  CHECK(pending > 50);
}

}  // namespace explainer_test
