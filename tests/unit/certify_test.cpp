// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "snug/certify.hpp"

#include "support/catch.hpp"
#include "support/certified.hpp"
#include "support/generators.hpp"

#include <atomic>
#include <cstdint>
#include <limits>
#include <string>

namespace certify_test {

namespace {

using namespace snug::testing;
using certificate::Checker;
using snug::Certificate;
using snug::certify;
using snug::Problem;
using snug::Status;
using snug::Stop;

const std::string kHead = "snug certificate 1\ncapacity ";

/// A tight walk whose load is 12 at all times and whose lowest height is 13.
Problem<> needs_a_search() {
  Problem<> problem;
  problem.buffers = {{{0, 1}, 8}, {{0, 1}, 3},  {{1, 2}, 11}, {{2, 3}, 8},
                     {{0, 4}, 1}, {{3, 4}, 7},  {{2, 5}, 3},  {{4, 5}, 8},
                     {{3, 6}, 1}, {{5, 6}, 11}, {{6, 7}, 11}, {{6, 7}, 1}};
  return problem;
}

std::string fault_of(const certificate::Problem& problem,
                     const std::string& text) {
  return Checker(problem).check(text).fault;
}

}  // namespace

TEST_CASE("certify: what fits has no certificate", "[certify]") {
  const Certificate found = certify(running_example(), 12);
  CHECK(found.status == Status::kFeasible);
  CHECK(found.text.empty());
  CHECK(found.stopped_by == Stop::kNone);
  CHECK(certify(Problem<>{}, 0).status == Status::kFeasible);
}

TEST_CASE("certify: a load is one stack of the largest buffers", "[certify]") {
  const Certificate found = certify(running_example(), 11);
  CHECK(found.status == Status::kInfeasible);
  CHECK(found.lemmas == 1);
  CHECK(found.nodes == 0);
  CHECK(found.text == kHead + "11\nstack 0 2 4\n");
  CHECK(is_proof(running_example(), 11, found.text));
  CHECK_FALSE(is_proof(running_example(), 12, found.text));
}

TEST_CASE("certify: what no load refutes takes lemmas of both rules",
          "[certify]") {
  const Problem<> problem = needs_a_search();
  CHECK(certify(problem, 13).status == Status::kFeasible);
  const Certificate found = certify(problem, 12);
  CHECK(found.status == Status::kInfeasible);
  CHECK(found.nodes > 0);
  CHECK(found.lemmas > 1);
  CHECK(found.text.find("\nstack ") != std::string::npos);
  CHECK(found.text.find("\nsplit ") != std::string::npos);
  CHECK(is_proof(problem, 12, found.text));
}

TEST_CASE("certify: alignments", "[certify]") {
  Problem<> problem;
  problem.buffers = {{{0, 2}, 3, 4}, {{0, 2}, 3, 4}, {{1, 3}, 3, 8}};
  // They take 4 + 4 + 3 bytes at least, and 8 + 3 or 8 + 4 + 3 as they come.
  CHECK(certify(problem, 11).status == Status::kFeasible);
  const Certificate found = certify(problem, 10);
  CHECK(found.text == kHead + "10\nstack 0 1 2\n");
  CHECK(is_proof(problem, 10, found.text));
}

TEST_CASE("certify: a pile where the order of a stack matters", "[certify]") {
  // In the best order they lie at 0, 4 and 6; the load is 7.
  Problem<> problem;
  problem.buffers = {{{0, 2}, 2, 4}, {{0, 2}, 2, 4}, {{1, 3}, 3, 1}};
  CHECK(certify(problem, 9).status == Status::kFeasible);
  Certificate found = certify(problem, 8);
  CHECK(found.text == kHead + "8\npile 0 1 2\n");
  CHECK(found.lemmas == 1);
  CHECK(is_proof(problem, 8, found.text));
  CHECK_FALSE(is_proof(problem, 9, kHead + "9\npile 0 1 2\n"));
  CHECK_FALSE(is_proof(problem, 8, kHead + "8\npile 0 1\n"));
  CHECK_FALSE(is_proof(problem, 8, kHead + "8\nstack 0 1 2\n"));

  // Above what is reserved.
  problem.reserved = {{{0, 4}}};
  found = certify(problem, 12);
  CHECK(is_proof(problem, 12, found.text));
  CHECK(certify(problem, 13).status == Status::kFeasible);
}

TEST_CASE("certify: pairs kept apart are as good as overlaps", "[certify]") {
  Problem<> problem;
  problem.buffers = {{{0, 2}, 3}, {{1, 4}, 3}, {{3, 5}, 3}};
  CHECK(certify(problem, 8).status == Status::kFeasible);
  problem.apart = {{2, 0}};
  const Certificate found = certify(problem, 8);
  CHECK(found.text == kHead + "8\nstack 0 1 2\n");
  CHECK(is_proof(problem, 8, found.text));
  problem.apart.clear();
  CHECK_FALSE(is_proof(problem, 8, found.text));
}

TEST_CASE("certify: what only restricts is left out", "[certify]") {
  Problem<> problem = running_example();
  problem.buffers[0].end = snug::End::kBottom;
  problem.buffers[4].end = snug::End::kBottom;
  problem.buffers[2].end = snug::End::kTop;
  CHECK(is_proof(problem, 11, certify(problem, 11).text));
  // It does not fit, but not for a reason that certificates know.
  problem.buffers[3].end = snug::End::kTop;
  const Certificate found = certify(problem, 12);
  CHECK(found.status == Status::kUnknown);
  CHECK(found.stopped_by == Stop::kNone);
  CHECK(found.text.empty());

  problem = running_example();
  problem.buffers[2].gaps = {{{0, 1}}};
  CHECK(certify(problem, 8).text == "");
  CHECK(is_proof(problem, 7, certify(problem, 7).text));
}

TEST_CASE("certify: memory that is not all there", "[certify]") {
  // The bytes below the base are row 5.
  Problem<> problem = running_example();
  problem.base = 1;
  CHECK(certify(problem, 13).status == Status::kFeasible);
  const Certificate found = certify(problem, 12);
  CHECK(found.text == kHead + "12\nreserved 0 1\nstack 0 2 4 5\n");
  CHECK(is_proof(problem, 12, found.text));
  problem.base = 100;
  CHECK(certify(problem, 4).text == kHead + "4\nreserved 0 100\nstack 0 2\n");
  CHECK(is_proof(problem, 4, certify(problem, 4).text));

  // A range for a time is as good as a buffer, up to the capacity.
  problem = running_example();
  problem.reserved = {{{6, 9}, {{1, 2}}}};
  CHECK(certify(problem, 17).status == Status::kFeasible);
  for (const std::int64_t capacity : {12, 15, 16}) {
    const Certificate proof = certify(problem, capacity);
    CHECK(proof.status == Status::kInfeasible);
    CHECK(is_proof(problem, capacity, proof.text));
    Problem<> other = problem;
    other.reserved[0].lifespan = {{0, 2}};
    CHECK_FALSE(is_proof(other, capacity, proof.text));
  }
  problem.reserved[0].bytes = {12, 100};
  CHECK(certify(problem, 12).status == Status::kFeasible);
  CHECK(is_proof(problem, 11, certify(problem, 11).text));

  // With the heap's, alignments are 6 and 4.
  problem = Problem<>();
  problem.buffers = {{{0, 2}, 3, 3}, {{0, 2}, 3, 4}};
  problem.alignment = 2;
  CHECK(certify(problem, 7).status == Status::kFeasible);
  CHECK(is_proof(problem, 6, certify(problem, 6).text));
  CHECK(is_proof(problem, 6, kHead + "6\nalignment 2\nstack 0 1\n"));
  CHECK_FALSE(is_proof(problem, 6, kHead + "6\nstack 0 1\n"));

  // Of ranges that meet, the largest one is taken; if that is not all there is,
  // what fits beside it may not fit.
  problem.alignment = 1;
  problem.reserved = {{{2, 3}}, {{0, 4}}};
  CHECK(certify(problem, 12).status == Status::kFeasible);
  CHECK(is_proof(problem, 11, certify(problem, 11).text));
  problem.reserved = {{{2, 5}}, {{0, 4}}};
  CHECK(certify(problem, 9).text ==
        kHead + "9\nreserved 2 5\nreserved 0 4\nstack 0 1 3\n");
  CHECK(certify(problem, 30).status == Status::kUnknown);
}

TEST_CASE("certify: fixed buffers are in the way", "[certify]") {
  Problem<> problem = running_example();
  problem.buffers[0].offset = 2;
  CHECK(is_proof(problem, 11, certify(problem, 11).text));
  // What lives as long would have to be in [0, 2) or [6, 12).
  const Certificate found = certify(problem, 12);
  CHECK(found.status == Status::kInfeasible);
  CHECK(is_proof(problem, 12, found.text));
  CHECK(certify(problem, 14).status == Status::kFeasible);
  problem.buffers[0].offset = 4;
  CHECK(certify(problem, 12).status == Status::kFeasible);
  CHECK_FALSE(is_proof(problem, 12, found.text));

  // Nobody is above it: the load there is seen at once.
  problem = Problem<>();
  problem.buffers = {{{0, 2}, 3}, {{0, 2}, 4}, {{1, 3}, 2}};
  problem.buffers[0].offset = 4;
  CHECK(certify(problem, 9).status == Status::kFeasible);
  const Certificate proof = certify(problem, 8);
  CHECK(is_proof(problem, 8, proof.text));
  // Beyond the capacity by itself.
  problem.buffers.resize(1);
  CHECK(certify(problem, 6).text == kHead + "6\nstack 0@4\n");
  CHECK(is_proof(problem, 6, kHead + "6\nstack 0@4\n"));
  CHECK_FALSE(is_proof(problem, 7, kHead + "7\nstack 0@4\n"));
  CHECK_FALSE(is_proof(problem, 6, kHead + "6\nstack 0@5\n"));
  // One without bytes is in no lemma.
  problem.buffers[0].size = 0;
  CHECK(certify(problem, 4).status == Status::kFeasible);
  CHECK(certify(problem, 3).status == Status::kUnknown);
}

TEST_CASE("certify: buffers that share bytes", "[certify]") {
  // 0 and 2 are tied and live together, next to 4.
  Problem<> problem = running_example();
  problem.aliases = {{0, 2, 0}};
  CHECK(certify(problem, 7).text == kHead + "7\nstack 0 4\n");
  CHECK(is_proof(problem, 7, kHead + "7\nstack 0 4\n"));
  CHECK(is_proof(problem, 7, kHead + "7\nstack 1 2\n"));
  CHECK_FALSE(is_proof(problem, 7, kHead + "7\nstack 0 2\n"));
  // Then 1 and 2 are tied as well, through 0.
  problem.aliases = {{0, 2, 0}, {1, 0, 0}};
  CHECK_FALSE(is_proof(problem, 7, kHead + "7\nstack 1 2\n"));
  CHECK(is_proof(problem, 7, certify(problem, 7).text));
  // It fits, but that says nothing of ties.
  CHECK(certify(problem, 12).status == Status::kUnknown);

  problem = running_example();
  problem.contiguous = {{0, 2}};
  CHECK(is_proof(problem, 7, certify(problem, 7).text));
  CHECK_FALSE(is_proof(problem, 7, kHead + "7\nstack 0 2\n"));
  problem = running_example();
  problem.may_overlap = {{0, 2}, {2, 4}};
  CHECK(is_proof(problem, 7, certify(problem, 7).text));
  CHECK_FALSE(is_proof(problem, 7, kHead + "7\nstack 0 2\n"));
  CHECK_FALSE(is_proof(problem, 7, kHead + "7\nstack 2 4\n"));
  CHECK(is_proof(problem, 7, kHead + "7\nstack 0 4\n"));

  // Kept apart, but tied: what that comes to is not certified.
  problem.buffers = {{{0, 2}, 4}, {{2, 4}, 4}};
  problem.may_overlap.clear();
  problem.aliases = {{1, 0, 4}};
  problem.apart = {{0, 1}};
  CHECK(certify(problem, 7).status == Status::kUnknown);
  CHECK(certify(problem, 3).text == kHead + "3\nstack 0\n");
}

TEST_CASE("certify: what is fixed is in the way although it is left out",
          "[certify]") {
  // 3 is tied to 2, and the smaller one.
  Problem<> problem;
  problem.buffers = {
      {{0, 1}, 1, 3}, {{0, 1}, 1, 3}, {{0, 1}, 3, 1}, {{0, 1}, 1, 1}};
  problem.buffers[3].offset = 0;
  problem.aliases = {{3, 2, -2}};
  CHECK(is_proof(problem, 5, certify(problem, 5).text));

  // Of two reserved ranges that meet, one is left out.
  problem.buffers = {{{0, 1}, 2, 2}, {{0, 1}, 2, 2}, {{0, 2}, 1, 1}};
  problem.aliases.clear();
  problem.reserved = {{{1, 4}}, {{3, 6}, {{0, 1}}}};
  for (std::int64_t capacity = 6; capacity < 10; ++capacity) {
    const Certificate found = certify(problem, capacity);
    CAPTURE(capacity, found.text);
    CHECK(found.status == Status::kInfeasible);
    CHECK(is_proof(problem, capacity, found.text));
  }
  CHECK(certify(problem, 10).status == Status::kUnknown);
}

TEST_CASE("certify: bad input, limits, large numbers", "[certify]") {
  Problem<> problem = running_example();
  CHECK(certify(problem, -1).error.reason == snug::Reason::kNegativeCapacity);
  snug::Options options;
  options.node_limit = 0;
  CHECK(certify(problem, 12, options).stopped_by == Stop::kNodeLimit);
  std::atomic<bool> cancel{true};
  options = {};
  options.cancel = &cancel;
  CHECK(certify(problem, 12, options).stopped_by == Stop::kCancelled);
  problem.buffers[0].lifespan = {3, 3};
  CHECK(certify(problem, 12).status == Status::kInvalid);

  constexpr std::int64_t kMost = (std::numeric_limits<std::int64_t>::max)();
  problem.buffers = {{{0, 2}, kMost / 8, kMost / 8}, {{1, 3}, kMost / 8}};
  for (const std::int64_t capacity : {kMost / 5, std::int64_t{5}}) {
    const Certificate found = certify(problem, capacity);
    CHECK(is_proof(problem, capacity, found.text));
  }
  CHECK(certify(problem, kMost / 4).stopped_by == Stop::kNone);
  for (const std::int64_t capacity : {kMost / 4 + 1, kMost}) {
    CHECK(certify(problem, capacity).status == Status::kUnknown);
    CHECK(certify(problem, capacity).stopped_by == Stop::kNodeLimit);
  }

  Problem<std::int32_t, std::int32_t> narrow;
  narrow.buffers = {{{0, 2}, 5}, {{1, 3}, 6}};
  CHECK(is_proof(narrow, 10, certify(narrow, 10).text));
}

TEST_CASE("certificates: the checker by hand", "[certify]") {
  // 0 | 2 | 1 in time; both of 0 and 1 conflict with 2, and not with each other.
  const certificate::Problem problem = {{0, 2, 2, 1, false, {}},
                                        {3, 5, 3, 1, false, {}},
                                        {1, 4, 4, 1, false, {}}};
  const auto fault = [&](const std::string& text) {
    return fault_of(problem, kHead + text);
  };
  CHECK(fault("5\nstack 0 2") == "");
  CHECK(fault("6\nstack 0 2") == "lemma 0: the stack fits");
  CHECK(fault("6\nstack 0@1 2@1") ==
        "the last lemma does not refute the problem");
  CHECK(fault("4\nstack 0 1") == "lemma 0: buffers that do not conflict");
  CHECK(fault("4\nstack 2 0") == "lemma 0: terms do not ascend");
  CHECK(fault("3\nstack 2") == "");
  CHECK(fault("4\nstack 2") == "lemma 0: the stack fits");
  CHECK(fault("3\nstack 3") == "lemma 0: bad term");
  CHECK(fault("3\nstack 2@-1") == "lemma 0: bad term");
  CHECK(fault("3\nstack") == "lemma 0: no terms");
  CHECK(fault("3\nheap 2") == "lemma 0: unknown rule");
  CHECK(fault("3\n") == "the last lemma does not refute the problem");
  CHECK(fault("-3\nstack 2") == "no capacity");
  CHECK(fault("9223372036854775807\nstack 2") == "no capacity");
  CHECK(fault_of(problem, "3\nstack 2") == "not a certificate");
}

TEST_CASE("certificates: the head by hand", "[certify]") {
  const certificate::Problem problem = {{0, 2, 2, 4, false, {}},
                                        {1, 3, 2, 1, false, {}}};
  const auto fault = [&](const std::string& text) {
    return fault_of(problem, kHead + text);
  };
  CHECK(fault("5\nalignment 2\nstack 0 1") == "lemma 0: the stack fits");
  CHECK(fault("5\nalignment 4\nstack 0 1") == "");
  CHECK(fault("5\nalignment 0\nstack 0 1") == "bad alignment");
  CHECK(fault("5\nalignment -4\nstack 0 1") == "bad alignment");
  CHECK(fault("5\nalignment 9223372036854775807\nstack 0 1") ==
        "the alignments are too large");
  // Rows 2 and 3 are reserved ranges. They conflict unless they meet.
  CHECK(fault("8\nreserved 0 3 0 1\nreserved 3 7\nstack 0 2 3") == "");
  CHECK(fault("9\nreserved 0 3 0 1\nreserved 3 7\nstack 0 2 3") ==
        "lemma 0: the stack fits");
  CHECK(fault("8\nreserved 0 4 0 1\nreserved 3 7\nstack 0 2 3") ==
        "lemma 0: buffers that do not conflict");
  CHECK(fault("8\nreserved 0 3 0 1\nreserved 3 7\nstack 1 2 3") ==
        "lemma 0: buffers that do not conflict");
  // What is reserved above the capacity is no matter.
  CHECK(fault("5\nreserved 3 9\nstack 0 1 2") == "");
  CHECK(fault("5\nreserved 4 9\nstack 0 1 2") == "lemma 0: the stack fits");
  CHECK(fault("5\nreserved 5 9\nstack 0 1 2") ==
        "lemma 0: a buffer without bytes, or with gaps");
  CHECK(fault("5\nreserved 4 4\nstack 0") == "bad reserved range");
  CHECK(fault("5\nreserved -4 4\nstack 0") == "bad reserved range");
  CHECK(fault("5\nreserved 4\nstack 0") == "bad reserved range");
  CHECK(fault("5\nreserved 4 5 6\nstack 0") == "bad reserved range");
  CHECK(fault("5\nreserved 4 5 6 6\nstack 0") == "bad reserved range");
  CHECK(fault("5\nreserved 4 5 6 7 8\nstack 0") == "bad reserved range");
  CHECK(fault("5\nreserved 0 4 -2 -1\nstack 0 2") ==
        "lemma 0: buffers that do not conflict");
}

TEST_CASE("certificates: the rule of piles by hand", "[certify]") {
  // The least end of 0, 1 and 2 is 9, or 13 if they begin at 3.
  const certificate::Problem problem = {{0, 2, 2, 4, false, {}},
                                        {0, 2, 2, 4, false, {}},
                                        {1, 3, 3, 1, false, {}},
                                        {2, 4, 9, 1, false, {}}};
  const auto fault = [&](const std::string& text) {
    return fault_of(problem, kHead + text);
  };
  CHECK(fault("8\npile 0 1 2") == "");
  CHECK(fault("9\npile 0 1 2") == "lemma 0: the pile fits");
  CHECK(fault("13\npile 0@4 1@1 2@3") == "lemma 0: the pile fits");
  CHECK(fault("12\npile 0@4 1@1 2@3") ==
        "the last lemma does not refute the problem");
  CHECK(fault("8\npile 0 2 3") == "lemma 0: buffers that do not conflict");
  CHECK(fault("8\npile 0 4") == "lemma 0: bad term");
  // More sets than it looks at.
  certificate::Problem many;
  for (int i = 0; i < 24; ++i) many.push_back({0, 2, 5 + i, 4, false, {}});
  std::string pile = "20\npile";
  for (int i = 0; i < 24; ++i) pile += ' ' + std::to_string(i);
  CHECK(fault_of(many, kHead + pile) == "lemma 0: too many sets");
  // Equal ones are no more sets than there are of them.
  for (certificate::Buffer& buffer : many) buffer.size = 5;
  CHECK(fault_of(many, kHead + pile) == "");
}

TEST_CASE("certificates: the rule of splits by hand", "[certify]") {
  const certificate::Problem problem = {{0, 2, 2, 1, false, {}},
                                        {0, 2, 3, 1, false, {}}};
  const std::string stacks = kHead + "4\nstack 1@2\nstack 0@3\n";
  // 0 at the bottom raises 1 to 2; 0 on top of 1 is at 3.
  CHECK(fault_of(problem, stacks + "split 0 0 1 0 1") == "");
  CHECK(fault_of(problem, stacks + "split 0 1 1 0 1") ==
        "lemma 2: the first case is open");
  CHECK(fault_of(problem, stacks + "split 0 0 0 0 1") ==
        "lemma 2: the second case is open");
  CHECK(fault_of(problem, stacks + "split 0 0 - 0 1") ==
        "lemma 2: the second case is open");
  CHECK(fault_of(problem, stacks + "split 0 0 2 0 1") ==
        "lemma 2: the second case is open");
  CHECK(fault_of(problem, stacks + "split 0 0 1 0") ==
        "lemma 2: the second case is open");
  CHECK(fault_of(problem, stacks + "split 1 0 1 0") ==
        "lemma 2: a split on a buffer without a term");
  // 1 might be below 0, which says nothing of it.
  CHECK(fault_of(problem, stacks + "split 0 0 1 0@3 1") ==
        "lemma 2: a buffer has room below");
  // Nothing can hold up 0 if 1 is above it.
  CHECK(fault_of(problem, kHead + "4\nstack 1@2\nsplit 0 0 - 0 1@2") ==
        "the last lemma does not refute the problem");
  CHECK(fault_of(problem, kHead + "4\nstack 1@2\nsplit 0 0 0 0 1@2") ==
        "lemma 1: the second case is open");
}

TEST_CASE("certificates: the checker's own reader of CSV", "[certify]") {
  certificate::Problem problem;
  CHECK(certificate::read_problem("size,id,apart,start,end,alignment,note\r\n"
                                  "4,\"a, b\",,0,2,,x\r\n"
                                  "5,c,\"'a, b' d\",5,6,8,\r\n"
                                  "6,d,,-3,-1,0,\r\n\r\n",
                                  problem) == "");
  REQUIRE(problem.size() == 3);
  CHECK(problem[0].upper == 3);
  CHECK(problem[1].alignment == 8);
  CHECK(problem[1].apart == std::vector<std::size_t>{0, 2});
  CHECK(problem[2].lower == -3);
  CHECK(problem[2].alignment == 1);
  CHECK(certificate::conflict(problem, 0, 1));
  CHECK_FALSE(certificate::conflict(problem, 0, 2));

  // Ties go through others; what is an id as a whole is that id.
  REQUIRE(certificate::read_problem(
              "id,lower,upper,size,alias,follows,may_overlap\n"
              "t,0,9,1,'a b'+3,,\n"
              "t-1,0,9,1,,,'a b'\n"
              "a b,0,9,1,,,\n"
              "c,0,9,1,t-1 \t,,\n"
              "d,0,9,1,t-2,,\n"
              "e,0,9,1,,\"'a b' t\",\n",
              problem) == "");
  for (std::size_t x = 0; x < 6; ++x)
    for (std::size_t y = x + 1; y < 6; ++y) {
      CAPTURE(x, y);
      const bool is_tied = (x == 1 || x == 3) == (y == 1 || y == 3);
      const bool may_overlap = x == 1 && y == 2;
      CHECK(certificate::conflict(problem, x, y) == !(is_tied || may_overlap));
      CHECK(certificate::conflict(problem, y, x) == !(is_tied || may_overlap));
    }

  const auto fault = [&](const char* text) {
    return certificate::read_problem(text, problem);
  };
  CHECK(fault("id,lower,upper,size,follows\na,0,1,3,b\nb,0,1,3,a+1") ==
        "follows: a+1, which is not one buffer");
  CHECK(fault("id,lower,upper,size,alias\na,0,1,3,\nb,0,1,3,a+") ==
        "alias: a+, which is not one buffer");
  CHECK(fault("id,lower,upper,size,alias\na,0,1,3,\nb,0,1,3,'a'x") ==
        "alias: a, which is not one buffer");
  const std::string head = "id,lower,upper,size";
  CHECK(fault("") == "no line with the names of columns");
  CHECK(fault("id,lower,upper,size\na,0,1") ==
        "buffer 0: too many fields, or too few");
  CHECK(fault("id,lower,upper,size\na,0,x,3") ==
        "buffer 0: not an integer, or missing");
  CHECK(fault("id,lower,upper,size\na,1,1,3") ==
        "buffer 0: a negative number, or an empty lifespan");
  CHECK(fault("id,lower,upper,size,alias\na,0,1,3,b") ==
        "alias: b, which is not one buffer");
  CHECK(fault("id,lower,upper,size,size\na,0,1,3,3") ==
        "buffer 0: a column that is there twice");
  CHECK(fault("id,lower,upper,size,apart\na,0,1,3,b") ==
        "apart: b, which is not one buffer");
  CHECK(fault("id,lower,upper,size,gaps\na,0,5,3,1-2") == "");
  CHECK(fault_of(problem, kHead + "2\nstack 0") ==
        "lemma 0: a buffer without bytes, or with gaps");
}

TEST_CASE("a large problem is not even prepared once it is cancelled") {
  Problem<> problem;
  problem.buffers.assign(100000, {{0, 2}, 1});
  CHECK(certify(problem, 1).status == Status::kInfeasible);
  const std::atomic<bool> cancel = true;
  snug::Options options;
  options.cancel = &cancel;
  const Certificate result = certify(problem, 1, options);
  CHECK(result.status == Status::kUnknown);
  CHECK(result.stopped_by == Stop::kCancelled);
}

TEST_CASE("a large problem is not checked to the end once it is cancelled") {
  // The check of what is fixed would find that they overlap.
  Problem<> problem;
  problem.buffers.assign(100000, {{0, 2}, 1, 1, {}, 0});
  CHECK(certify(problem, 1).status == Status::kInvalid);
  const std::atomic<bool> cancel = true;
  snug::Options options;
  options.cancel = &cancel;
  const auto result = certify(problem, 1, options);
  CHECK(result.status == Status::kUnknown);
  CHECK(result.stopped_by == Stop::kCancelled);
}

}  // namespace certify_test
