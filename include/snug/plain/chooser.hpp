// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Strategies: which buffer is branched on.
///
/// A strategy is a rule and a *preorder*. All rules take a buffer of the
/// lowest release in the part: nobody can come to lie below it, so it is
/// eligible, and its release is its minimum offset. They differ in how ties
/// are broken:
///
///   0   by the preorder alone (the paper's dynamic order)
///   s   those first that span the most urgent section, then by the preorder.
///       A section is the more urgent the fewer ties span it and the larger
///       its failure weight is (weights.hpp): the least quotient counts. This
///       is dom/wdeg (Boussemart and others, ECAI 2004) with sections for
///       variables and the ties that span them for values.
///   w   those first that waste the least memory for their area, or up to half
///       more (waste.hpp); of these as in s. Near the load, where room is short,
///       it finds placements in a half to a sixth of the nodes, which take half
///       as long again.
///
/// The preorder compares by its letters in turn, larger first, then by index:
///
///   A  area: lifespan times size          T  total of the fullest section it
///   C  number of sections it spans           spans (unplaced sizes, as of now)
///   L  lower end of its lifespan, later   U  upper end, later first
///      first                              W  width: lifespan
///   O  number of overlapping buffers      Z  size
#ifndef SNUG_PLAIN_CHOOSER_HPP
#define SNUG_PLAIN_CHOOSER_HPP

#include "snug/config.hpp"
#include "snug/engine/lanes.hpp"
#include "snug/plain/state.hpp"
#include "snug/plain/waste.hpp"
#include "snug/support/memory.hpp"
#include "snug/support/random.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// What is used where Options::strategies names none. Where there is room, s is
/// enough, and its nodes are cheaper.
inline constexpr std::string_view kSolveStrategies =
    "sTCA,sTWA,sWAT,sZW,wTCA,wTWA,wWAT,wZW";
inline constexpr std::string_view kMinimizeStrategies = "wTCA,wTWA,wWAT,wZW";
/// Where w means s (constrained problems).
inline constexpr std::string_view kBodyStrategies = "sTCA,sTWA,sWAT,sZW";

/// The letters of a preorder, and what comes before it.
struct Strategy {
  static constexpr std::size_t kMaxLetters = 6;

  bool weighted = false;  ///< urgent sections
  bool frugal = false;    ///< little waste
  std::size_t letters = 0;
  char letter[kMaxLetters] = {};

  /// Reads "sTCA" and the like; false if it is none.
  [[nodiscard]] static bool parse(std::string_view text, Strategy& result) {
    if (text.size() < 2 || text.size() > 1 + kMaxLetters) return false;
    if (text[0] != '0' && text[0] != 's' && text[0] != 'w') return false;
    result.weighted = text[0] != '0';
    result.frugal = text[0] == 'w';
    result.letters = 0;
    for (const char c : text.substr(1)) {
      if (std::string_view("ACLOTUWZ").find(c) == std::string_view::npos)
        return false;
      result.letter[result.letters++] = c;
    }
    return true;
  }

  /// Writes its name, with a final zero.
  void write(char (&name)[8]) const noexcept {
    name[0] = frugal ? 'w' : weighted ? 's' : '0';
    for (std::size_t k = 0; k < letters; ++k) name[k + 1] = letter[k];
    name[letters + 1] = 0;
  }
};

/// The first few strategies of a comma-separated list, unknown ones left out.
struct Strategies {
  static constexpr std::size_t kMost = 16;

  explicit Strategies(std::string_view list) {
    while (!list.empty() && count < kMost) {
      const std::size_t comma = (std::min)(list.find(','), list.size());
      if (Strategy::parse(list.substr(0, comma), strategy[count])) ++count;
      list.remove_prefix((std::min)(comma + 1, list.size()));
    }
  }

  std::size_t count = 0;
  Strategy strategy[kMost];
};

/// Chooses buffers by a strategy; holds the keys of its preorder.
template <class Lane>
class Chooser {
 public:
  Chooser(const Instance<Lane>& instance, Memory& memory)
      : ties_(memory, instance.size),
        starts_(memory.take<std::int32_t>(std::size_t{instance.sections} + 1)),
        noise_(memory.take(instance.size, 1.0)),
        keys_(memory.take<double>(Strategy::kMaxLetters *
                                  std::size_t{instance.size})),
        degree_(memory.take<Index>(instance.size)),
        waste_(instance, memory) {
    // Of the buffers that begin before x ends, those that end before it
    // begins do not overlap it.
    for (Index x = 0; x < instance.size; ++x)
      degree_[x] = instance.first_at[instance.upper[x]] -
                   waste_.ended(instance.lower[x]) - 1;
  }

  /// Undoes shake().
  void calm(const Instance<Lane>& instance) {
    std::fill(noise_, noise_ + instance.size, 1.0);
  }

  /// Draws a new factor for every buffer.
  void shake(const Instance<Lane>& instance, Random& random, double amount) {
    for (Index x = 0; x < instance.size; ++x)
      noise_[x] = 1.0 + amount * (2.0 * random.unit() - 1.0);
  }

  void use(const Instance<Lane>& instance, const Strategy& strategy) {
    strategy_ = strategy;
    for (std::size_t k = 0; k < strategy.letters; ++k)
      for (Index x = 0; x < instance.size; ++x)
        keys_[k * instance.size + x] =
            noise_[x] * key(instance, strategy.letter[k], x);
  }

  /// The buffer to branch on among the unplaced ones of [begin, end).
  [[nodiscard]] Index choose(const State<Lane>& state, Index begin, Index end) {
    const Lane lowest =
        least_in_range(state.release, begin, end, Instance<Lane>::kNever);
    ties_.shrink(0);
    for_each_at_most(state.release, begin, end, lowest,
                     [&](Index x) { ties_.push(x); });
    if (strategy_.frugal && ties_.size() > 1)
      waste_.keep_least(state, begin, end, noise_, ties_);
    if (strategy_.weighted && ties_.size() > 1) keep_most_urgent(state);
    Candidate best{ties_[0]};
    for (std::size_t k = 1; k < ties_.size(); ++k) {
      Candidate candidate{ties_[k]};
      if (before(state, candidate, best)) best = candidate;
    }
    return best.buffer;
  }

 private:
  [[nodiscard]] double key(const Instance<Lane>& instance, char letter,
                           Index x) const {
    switch (letter) {
      case 'A':
        return instance.width[x] * static_cast<double>(instance.length[x]);
      case 'C':
        return static_cast<double>(instance.upper[x] - instance.lower[x]);
      case 'L':
        return static_cast<double>(instance.lower[x]);
      case 'O':
        return static_cast<double>(degree_[x]);
      case 'U':
        return static_cast<double>(instance.upper[x]);
      case 'W':
        return instance.width[x];
      case 'Z':
        return static_cast<double>(instance.length[x]);
      default:
        return 1.0;  // T: a factor only, its total changes with the state
    }
  }

  /// Keeps the ties that span the section with the fewest ties for its weight.
  void keep_most_urgent(const State<Lane>& state) {
    const Instance<Lane>& instance = *state.instance;
    Interval<Index> hull{instance.sections, 0};
    for (const Index x : ties_) {
      hull = {(std::min)(hull.lower, instance.lower[x]),
              (std::max)(hull.upper, instance.upper[x])};
      ++starts_[instance.lower[x]];
      --starts_[instance.upper[x]];
    }
    Index urgent = hull.lower;
    std::int64_t fewest = 0;
    std::int64_t heaviest = 0;
    std::int64_t count = 0;
    for (Index s = hull.lower; s < hull.upper; ++s) {
      count += starts_[s];
      starts_[s] = 0;
      const std::int64_t weight = std::int64_t{state.section_weight[s]} + 1;
      if (count == 0 || (fewest > 0 && count * heaviest >= fewest * weight))
        continue;
      urgent = s;
      fewest = count;
      heaviest = weight;
    }
    starts_[hull.upper] = 0;
    std::size_t kept = 0;
    for (const Index x : ties_)
      if (instance.lower[x] <= urgent && urgent < instance.upper[x])
        ties_[kept++] = x;
    ties_.shrink(kept);
  }

  [[nodiscard]] static double total(const State<Lane>& state, Index x) {
    return static_cast<double>(
        state.instance->capacity -
        least_in_range(state.room, state.instance->lower[x],
                       state.instance->upper[x], state.instance->capacity));
  }

  /// A buffer, and as much of its key as was compared so far.
  struct Candidate {
    Index buffer = 0;
    std::size_t known = 0;
    double key[Strategy::kMaxLetters] = {};
  };

  [[nodiscard]] double key_of(const State<Lane>& state, Candidate& candidate,
                              std::size_t k) const {
    if (k == candidate.known) {
      const Index x = candidate.buffer;
      double value = keys_[k * state.instance->size + x];
      if (strategy_.letter[k] == 'T') value *= total(state, x);
      candidate.key[candidate.known++] = value;
    }
    return candidate.key[k];
  }

  [[nodiscard]] bool before(const State<Lane>& state, Candidate& a,
                            Candidate& b) const {
    for (std::size_t k = 0; k < strategy_.letters; ++k) {
      const double x = key_of(state, a, k);
      const double y = key_of(state, b, k);
      if (x != y) return x > y;
    }
    return a.buffer < b.buffer;
  }

  Strategy strategy_{};
  Stack<Index> ties_;
  std::int32_t* starts_;  ///< ties that start less those that end; 0 between
  double* noise_;
  double* keys_;
  Index* degree_;
  Waste<Lane> waste_;
};

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAIN_CHOOSER_HPP
