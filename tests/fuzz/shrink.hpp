// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A failing case made small: as long as it goes on to fail, buffers and
/// constraints are left out and numbers brought down, each as far as it goes.
///
///     buffers --> constraints --> numbers --> again, until nothing is gained
#ifndef SNUG_TESTS_FUZZ_SHRINK_HPP
#define SNUG_TESTS_FUZZ_SHRINK_HPP

#include "fuzz/decode.hpp"
#include "snug/model/subset.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace snug {
namespace fuzz {

/// `fails` says whether a case fails, and is asked of nothing else.
template <class Fails>
class CaseShrinker {
 public:
  CaseShrinker(Case c, Fails fails)
      : case_(std::move(c)), fails_(std::move(fails)) {}

  [[nodiscard]] Case run() {
    do {
      gained_ = false;
      drop_buffers();
      drop_constraints();
      lower_numbers();
    } while (gained_);
    return case_;
  }

 private:
  /// Makes a change if the case then fails, too.
  template <class Change>
  bool keep(Change change) {
    Case changed = case_;
    change(changed);
    if (!fails_(changed)) return false;
    case_ = std::move(changed);
    gained_ = true;
    return true;
  }

  void drop_buffers() {
    for (std::size_t k = case_.problem.buffers.size(); k-- > 0;)
      keep([k](Case& c) {
        std::vector<std::size_t> rest;
        for (std::size_t i = 0; i < c.problem.buffers.size(); ++i)
          if (i != k) rest.push_back(i);
        c.problem = subset(c.problem, rest);
      });
  }

  /// Leaves out entries of the list that `list` picks from a case.
  template <class List>
  void drop_entries(List list) {
    for (std::size_t k = list(case_).size(); k-- > 0;)
      keep([&](Case& c) {
        auto& entries = list(c);
        entries.erase(entries.begin() + static_cast<std::ptrdiff_t>(k));
      });
  }

  void drop_constraints() {
    drop_entries([](Case & c) -> auto& { return c.problem.aliases; });
    drop_entries([](Case & c) -> auto& { return c.problem.contiguous; });
    drop_entries([](Case & c) -> auto& { return c.problem.apart; });
    drop_entries([](Case & c) -> auto& { return c.problem.may_overlap; });
    drop_entries([](Case & c) -> auto& { return c.problem.reserved; });
    drop_entries([](Case & c) -> auto& { return c.problem.penalties; });
    for (std::size_t i = 0; i < case_.problem.buffers.size(); ++i) {
      drop_entries([i](Case & c) -> auto& {
        return c.problem.buffers[i].gaps;
      });
      const Buffer<> buffer = case_.problem.buffers[i];  // keep() changes it
      if (buffer.offset)
        keep([i](Case& c) { c.problem.buffers[i].offset.reset(); });
      if (buffer.hint)
        keep([i](Case& c) { c.problem.buffers[i].hint.reset(); });
      if (buffer.end != End::kAny)
        keep([i](Case& c) { c.problem.buffers[i].end = End::kAny; });
      for (std::size_t g = 0; g < case_.problem.buffers[i].gaps.size(); ++g)
        if (case_.problem.buffers[i].gaps[g].window)
          keep(
              [i, g](Case& c) { c.problem.buffers[i].gaps[g].window.reset(); });
    }
    for (std::size_t r = 0; r < case_.problem.reserved.size(); ++r)
      if (case_.problem.reserved[r].lifespan)
        keep([r](Case& c) { c.problem.reserved[r].lifespan.reset(); });
  }

  /// Brings a number down to `least`, else by half of the way, else by one.
  template <class Number>
  void lower(std::int64_t least, Number number) {
    for (bool again = true; again && number(case_) > least;) {
      const std::int64_t now = number(case_);
      again = false;
      for (const std::int64_t next : {least, least / 2 + now / 2, now - 1})
        if (next >= least && next < now && !again)
          again = keep([&](Case& c) { number(c) = next; });
    }
  }

  void lower_numbers() {
    lower(
        0, [](Case & c) -> auto& { return c.capacity; });
    lower(
        0, [](Case & c) -> auto& { return c.problem.base; });
    lower(
        1, [](Case & c) -> auto& { return c.problem.alignment; });
    lower(
        1, [](Case & c) -> auto& { return c.unit; });
    for (std::size_t i = 0; i < case_.problem.buffers.size(); ++i) {
      const auto of = [i](Case & c) -> auto& {
        return c.problem.buffers[i];
      };
      lower(
          0, [&](Case & c) -> auto& { return of(c).size; });
      lower(
          1, [&](Case & c) -> auto& { return of(c).alignment; });
      lower(
          0, [&](Case & c) -> auto& { return of(c).lifespan.lower; });
      lower(
          0, [&](Case & c) -> auto& { return of(c).lifespan.upper; });
      if (of(case_).offset)
        lower(
            0, [&](Case & c) -> auto& { return *of(c).offset; });
      if (of(case_).hint)
        lower(
            0, [&](Case & c) -> auto& { return *of(c).hint; });
    }
    for (std::size_t k = 0; k < case_.problem.penalties.size(); ++k)
      lower(
          0, [k](Case & c) -> auto& { return c.problem.penalties[k].cost; });
  }

  Case case_;
  Fails fails_;
  bool gained_ = false;
};

/// The smallest case that is found to fail, beginning with `c`, which does.
template <class Fails>
[[nodiscard]] Case shrink(Case c, Fails fails) {
  return CaseShrinker<Fails>(std::move(c), std::move(fails)).run();
}

}  // namespace fuzz
}  // namespace snug

#endif  // SNUG_TESTS_FUZZ_SHRINK_HPP
