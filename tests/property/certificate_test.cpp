// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Certificates against exhaustive search: whatever does not fit is certified,
/// and the checker believes nothing that is wrong. SNUG_CERTIFICATES=N makes it
/// N times as many problems.
#include "../../benchmarks/generate.hpp"
#include "snug/bounds/load.hpp"
#include "snug/certify.hpp"
#include "snug/model/check.hpp"
#include "snug/model/ties.hpp"
#include "support/catch.hpp"
#include "support/certified.hpp"
#include "support/effort.hpp"
#include "support/exhaustive.hpp"
#include "support/generators.hpp"
#include "support/hard_walks.hpp"
#include "support/print.hpp"
#include "support/random.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

namespace certificate_test {

namespace {

using namespace snug::testing;
using snug::Certificate;
using snug::certify;
using snug::Problem;
using snug::Status;

std::uint64_t times(std::uint64_t count) {
  const char* const more = std::getenv("SNUG_CERTIFICATES");
  return effort(more == nullptr ? count
                                : count * std::strtoul(more, nullptr, 10));
}

/// Whether a reserved range, and the base or another one, have a byte in common.
bool meets_another(const Problem<>& problem, std::size_t k) {
  const snug::Reserved<>& one = problem.reserved[k];
  bool does_meet = one.bytes.lower < problem.base;
  for (std::size_t j = 0; j < problem.reserved.size(); ++j) {
    const snug::Reserved<>& other = problem.reserved[j];
    does_meet = does_meet || (j != k && one.bytes.overlaps(other.bytes) &&
                              (!one.lifespan || !other.lifespan ||
                               one.lifespan->overlaps(*other.lifespan)));
  }
  return does_meet;
}

/// Gives a problem a base, an aligned heap, or reserved ranges that do not meet.
void restrict_memory(Problem<>& problem, Random& random) {
  if (random.chance(70)) return;
  if (random.chance(30)) set_base(problem, random);
  if (random.chance(30)) set_heap_alignment(problem, random);
  for (int ranges = random.between(0, 3); ranges > 0; --ranges)
    add_reserved(problem, random);
  std::vector<snug::Reserved<>>& reserved = problem.reserved;
  for (std::size_t k = reserved.size(); k-- > 0;)
    if (meets_another(problem, k))
      reserved.erase(reserved.begin() + static_cast<std::ptrdiff_t>(k));
}

/// A small problem of any kind that is certified whole.
Problem<> any_problem(std::uint64_t seed) {
  Random random(seed);
  Shape shape;
  shape.count = random.between(std::size_t{1}, std::size_t{7});
  shape.length = random.between(2, 6);
  shape.largest = 5;
  shape.smallest = random.chance(20) ? 0 : 1;
  shape.unit = random.chance(20) ? 3 : 1;
  Problem<> problem = random.chance(30)   ? twins(shape, random)
                      : random.chance(50) ? clique(shape, random)
                                          : uniform(shape, random);
  if (random.chance(40)) align(problem, 50, std::int64_t{1}, random);
  for (int pairs = random.chance(40) ? random.between(1, 4) : 0; pairs > 0;
       --pairs)
    add_apart(problem, random);
  // The oracle then tries every offset.
  if (problem.buffers.size() < 6 && random.chance(60))
    for (int fixed = random.between(1, 3); fixed > 0; --fixed)
      add_fixed(problem, random);
  if (problem.buffers.size() < 6) restrict_memory(problem, random);
  for (snug::Buffer<>& buffer : problem.buffers) {
    if (buffer.size > 0) continue;
    buffer.offset.reset();
    problem.base = 0;
  }
  return problem;
}

/// The text with something in it changed.
std::string mutate(std::string text, Random& random) {
  const auto any = [&] {
    return random.between(std::size_t{0}, text.size() - 1);
  };
  switch (random.between(0, 3)) {
    case 0: {  // A line is gone.
      const std::size_t begin = text.rfind('\n', any()) + 1;
      text.erase(begin, text.find('\n', begin) + 1 - begin);
      return text;
    }
    case 1: {  // A line is there twice.
      const std::size_t begin = text.rfind('\n', any()) + 1;
      const std::size_t end = text.find('\n', begin) + 1;
      text.insert(end, text.substr(begin, end - begin));
      return text;
    }
    case 2: {  // A word is gone.
      const std::size_t begin = text.find(' ', any());
      if (begin == std::string::npos) return text;
      text.erase(begin, text.find_first_of(" \n", begin + 1) - begin);
      return text;
    }
    default: {  // A digit is another one.
      for (int tries = 0; tries < 20; ++tries) {
        char& c = text[any()];
        if (c < '0' || c > '9') continue;
        c = static_cast<char>('0' + random.between(0, 9));
        break;
      }
      return text;
    }
  }
}

/// Whether two buffers may share no byte.
bool conflict(const Problem<>& problem, std::size_t x, std::size_t y) {
  const snug::detail::Ties ties = snug::detail::tie(problem);
  return ties.root[x] != ties.root[y] && !has_pair(problem.may_overlap, x, y) &&
         (problem.buffers[x].lifespan.overlaps(problem.buffers[y].lifespan) ||
          has_pair(problem.apart, x, y));
}

/// Lets some buffers of a problem share bytes, and some reserved ranges.
void let_share(Problem<>& problem, Random& random) {
  if (random.chance(40)) add_alias(problem, random);
  if (random.chance(30)) add_group(problem, random);
  for (int pairs = random.between(0, 3); pairs > 0; --pairs)
    add_may_overlap(problem, random);
  for (int ranges = random.chance(20) ? 2 : 0; ranges > 0; --ranges)
    add_reserved(problem, random);
}

/// What a certificate says of the memory.
std::string head_of(const Problem<>& problem, std::int64_t capacity) {
  const auto range = [](std::int64_t lower, std::int64_t upper) {
    return ' ' + std::to_string(lower) + ' ' + std::to_string(upper);
  };
  std::string text = "snug certificate 1\ncapacity " + std::to_string(capacity);
  if (problem.alignment > 1)
    text += "\nalignment " + std::to_string(problem.alignment);
  if (problem.base > 0) text += "\nreserved" + range(0, problem.base);
  for (const snug::Reserved<>& one : problem.reserved) {
    text += "\nreserved" + range(one.bytes.lower, one.bytes.upper);
    if (one.lifespan) text += range(one.lifespan->lower, one.lifespan->upper);
  }
  return text;
}

/// Whether a small problem has a placement with these terms, among all that is
/// fixed, by trying all.
bool can_be(const Problem<>& problem, std::int64_t capacity,
            const std::vector<std::pair<std::size_t, std::int64_t>>& terms) {
  for (const snug::Buffer<>& buffer : problem.buffers)
    if (buffer.offset && *buffer.offset + buffer.size > capacity) return false;
  std::vector<std::int64_t> offsets;
  const std::function<bool()> place = [&] {
    if (offsets.size() == terms.size()) return true;
    // Names of a structured binding could not be captured below.
    const std::size_t x = terms[offsets.size()].first;
    const std::int64_t low = terms[offsets.size()].second;
    const snug::Buffer<>& buffer = problem.buffers[x];
    for (std::int64_t at = low; at + buffer.size <= capacity; ++at) {
      bool is_free = at >= problem.base && at % problem.alignment == 0 &&
                     at % buffer.alignment == 0 &&
                     (!buffer.offset || at == *buffer.offset);
      for (const snug::Reserved<>& range : problem.reserved)
        is_free =
            is_free &&
            (!range.bytes.overlaps({at, at + buffer.size}) ||
             (range.lifespan && !range.lifespan->overlaps(buffer.lifespan)));
      const auto avoid = [&](std::size_t y, std::int64_t other_at) {
        const snug::Buffer<>& other = problem.buffers[y];
        is_free = is_free && (at + buffer.size <= other_at ||
                              other_at + other.size <= at || y == x ||
                              !conflict(problem, x, y));
      };
      for (std::size_t k = 0; k < offsets.size(); ++k)
        avoid(terms[k].first, offsets[k]);
      for (std::size_t y = 0; y < problem.buffers.size(); ++y)
        if (problem.buffers[y].offset) avoid(y, *problem.buffers[y].offset);
      if (!is_free) continue;
      offsets.push_back(at);
      if (place()) return true;
      offsets.pop_back();
    }
    return false;
  };
  return place();
}

}  // namespace

TEST_CASE("certificates: small problems against the oracle", "[certificate]") {
  std::size_t searched = 0;
  for (std::uint64_t seed = 0; seed < times(1500); ++seed) {
    const Problem<> problem = any_problem(seed);
    CAPTURE(seed, as_csv(problem));
    const std::int64_t lowest = Exhaustive(problem).lowest();
    const Certificate fits = certify(problem, lowest);
    REQUIRE(fits.status == Status::kFeasible);
    REQUIRE(fits.text.empty());
    if (lowest == 0) continue;
    const Certificate proof = certify(problem, lowest - 1);
    REQUIRE(proof.status == Status::kInfeasible);
    REQUIRE(is_proof(problem, lowest - 1, proof.text));
    // As from a writer whose bound counts one byte too many.
    REQUIRE_FALSE(is_proof(problem, lowest, with_capacity(proof.text, lowest)));
    if (proof.lemmas > 1) ++searched;
  }
  CHECK(searched > times(1500) / 50);
}

TEST_CASE("certificates: buffers that share bytes, against the oracle",
          "[certificate]") {
  std::size_t proved = 0;
  std::size_t missed = 0;
  for (std::uint64_t seed = 0; seed < times(1500); ++seed) {
    Problem<> problem = any_problem(seed);
    Random random(seed);
    let_share(problem, random);
    const std::int64_t capacity =
        random.between(std::int64_t{1}, std::int64_t{16});
    CAPTURE(seed, as_csv(problem), capacity);
    const Certificate proof = certify(problem, capacity);
    if (proof.status == Status::kInvalid) continue;
    const bool fits = Exhaustive(problem).fits(capacity);
    if (fits) {
      REQUIRE(proof.status != Status::kInfeasible);
    } else if (proof.status == Status::kInfeasible) {
      REQUIRE(is_proof(problem, capacity, proof.text));
      ++proved;
    } else {
      REQUIRE(proof.status == Status::kUnknown);
      ++missed;
    }
  }
  CHECK(proved > times(1500) / 5);
  CHECK(missed < proved / 3);
}

TEST_CASE("certificates: the checker reads who may share bytes",
          "[certificate]") {
  std::size_t apart = 0;
  std::size_t may_share = 0;
  for (std::uint64_t seed = 0; seed < times(500); ++seed) {
    Problem<> problem = any_problem(seed);
    Random random(seed);
    let_share(problem, random);
    if (!snug::check(problem).ok()) continue;
    certificate::Problem read;
    const std::string text = as_csv(problem);
    CAPTURE(seed, text);
    REQUIRE(certificate::read_problem(text, read) == "");
    REQUIRE(read.size() == problem.buffers.size());
    for (std::size_t x = 0; x < read.size(); ++x)
      for (std::size_t y = 0; y < read.size(); ++y)
        if (x != y) {
          const bool conflicts = conflict(problem, x, y);
          REQUIRE(certificate::conflict(read, x, y) == conflicts);
          ++(conflicts ? apart : may_share);
        }
  }
  CHECK(apart > times(500));
  CHECK(may_share > times(500));
}

TEST_CASE("certificates: tight walks that do not fit", "[certificate]") {
  std::size_t k = 0;
  for (const std::uint32_t seed : kHardSmallWalks) {
    if (!is_due(k++)) continue;
    CAPTURE(seed);
    const Problem<> problem = small_walk(seed, seed % 3 + 1);
    const std::int64_t load = load_of(problem);
    const Certificate proof = certify(problem, load);
    REQUIRE(is_proof(problem, load, proof.text));
    CHECK(proof.lemmas > 1);
  }
  for (const std::uint32_t seed : kHardMiddleWalks) {
    if (!is_due(k++)) continue;
    CAPTURE(seed);
    const Problem<> problem = middle_walk(seed);
    const std::int64_t load = load_of(problem);
    REQUIRE(is_proof(problem, load, certify(problem, load).text));
  }
}

TEST_CASE("certificates: none convinces of what fits", "[certificate]") {
  // Proofs for a capacity that is too small, and for a problem with a buffer
  // more, changed and unchanged, of a problem that fits.
  std::size_t tried = 0;
  std::size_t fit_with_less = 0;
  for (const std::uint32_t seed : kHardSmallWalks) {
    if (tried >= times(100) * 60) break;
    Random random(seed);
    const Problem<> problem = small_walk(seed);
    const std::int64_t load = load_of(problem);
    const std::string text = certify(problem, load).text;
    const std::int64_t lowest = Exhaustive(problem).lowest();
    Problem<> lacks = problem;
    snug::Buffer<>& left_out =
        lacks.buffers[random.between(std::size_t{0}, lacks.buffers.size() - 1)];
    --left_out.size;
    const bool lacks_fits = Exhaustive(lacks).fits(load);
    if (lacks_fits) ++fit_with_less;
    CAPTURE(seed, text);
    for (int k = 0; k < 60; ++k, ++tried) {
      const std::string other = k == 0 ? text : mutate(text, random);
      CAPTURE(other);
      const std::string higher = with_capacity(other, lowest);
      REQUIRE_FALSE(is_proof(problem, lowest, higher));
      if (lacks_fits) REQUIRE_FALSE(is_proof(lacks, load, other));
    }
  }
  CHECK(fit_with_less > 0);
}

TEST_CASE("certificates: what is changed is mostly noticed", "[certificate]") {
  // Some changes make another proof: an address that may be higher, a line that
  // stands twice. A line less never does.
  std::size_t accepted = 0;
  std::size_t tried = 0;
  for (std::size_t k = 0; k < 40; ++k) {
    const std::uint32_t seed = kHardSmallWalks[k];
    CAPTURE(seed);
    Random random(seed);
    const Problem<> problem = small_walk(seed);
    const std::int64_t load = load_of(problem);
    const std::string text = certify(problem, load).text;
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = text.find('\n', begin) + 1;
      CHECK_FALSE(
          is_proof(problem, load, text.substr(0, begin) + text.substr(end)));
      begin = end;
    }
    for (int change = 0; change < 50; ++change) {
      const std::string other = mutate(text, random);
      if (other == text) continue;
      ++tried;
      if (is_proof(problem, load, other)) ++accepted;
    }
  }
  CHECK(tried > 1000);
  CHECK(accepted < tried / 4);
}

TEST_CASE("certificates: every lemma that the checker accepts is true",
          "[certificate]") {
  std::size_t believed = 0;
  std::size_t splits = 0;
  for (std::uint64_t seed = 0; seed < times(150); ++seed) {
    Random random(seed);
    Shape shape;
    shape.count = random.between(std::size_t{2}, std::size_t{4});
    shape.length = 3;
    shape.largest = 4;
    Problem<> problem = uniform(shape, random);
    if (random.chance(50)) align(problem, 50, std::int64_t{1}, random);
    if (random.chance(30)) add_apart(problem, random);
    if (random.chance(40)) add_fixed(problem, random);
    restrict_memory(problem, random);
    if (random.chance(40)) let_share(problem, random);
    if (!snug::check(problem).ok()) continue;
    const certificate::Problem read = for_checker(problem);
    const std::int64_t capacity = random.between(2, 8);
    std::string text = head_of(problem, capacity);
    const std::size_t rows = problem.buffers.size() + problem.reserved.size() +
                             (problem.base > 0 ? 1 : 0);
    std::size_t lemmas = 0;
    for (int k = 0; k < 150; ++k) {
      const bool is_split = lemmas > 0 && random.chance(70);
      std::vector<std::pair<std::size_t, std::int64_t>> terms;
      for (std::size_t x = 0; x < rows; ++x)
        if (random.chance(x < problem.buffers.size() ? 70 : 30))
          terms.emplace_back(
              x, random.chance(40) ? 0
                                   : random.between(std::int64_t{1}, capacity));
      std::string line = random.chance(50) ? "\nstack" : "\npile";
      if (is_split) {
        const auto any = [&] {
          return ' ' +
                 std::to_string(random.between(std::size_t{0}, lemmas - 1));
        };
        line = "\nsplit " +
               std::to_string(
                   random.between(std::size_t{0}, problem.buffers.size() - 1)) +
               any() + (random.chance(30) ? " -" : any());
      }
      for (const auto& [x, low] : terms)
        line += ' ' + std::to_string(x) +
                (low > 0 ? '@' + std::to_string(low) : "");
      const certificate::Verdict verdict =
          certificate::Checker(read).check(text + line);
      if (verdict.lemmas == lemmas) continue;
      text += line;
      ++lemmas;
      ++believed;
      if (is_split) ++splits;
      CAPTURE(seed, as_csv(problem), capacity, text);
      // What is reserved is so anyway.
      while (!terms.empty() && terms.back().first >= problem.buffers.size())
        terms.pop_back();
      REQUIRE_FALSE(can_be(problem, capacity, terms));
    }
  }
  CHECK(believed > times(1000));
  CHECK(splits > times(100));
}

}  // namespace certificate_test
