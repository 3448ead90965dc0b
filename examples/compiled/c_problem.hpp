// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// snug_problem and snug_options → Problem and Options, and what check() says
/// of them → message and indices of a snug_result.
///
/// Gaps come in one list and go to their buffers, in the same order; so the
/// k-th gap of a buffer is found again in the list.
#ifndef SNUG_EXAMPLES_COMPILED_C_PROBLEM_HPP
#define SNUG_EXAMPLES_COMPILED_C_PROBLEM_HPP

#include "c_border.hpp"
#include "c_error.hpp"
#include "snug/c_api.h"
#include "snug/model/interval.hpp"
#include "snug/model/options.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/reason.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace snug_c {

/// An index as snug has it: one that no buffer has stays one.
[[nodiscard]] inline std::size_t to_index(std::int64_t given) {
  constexpr auto kMost =
      std::uint64_t{(std::numeric_limits<std::size_t>::max)()};
  return static_cast<std::size_t>(
      (std::min)(static_cast<std::uint64_t>(given), kMost));
}

/// -1 for Check::kNoBuffer.
[[nodiscard]] inline std::int64_t from_index(std::size_t index) {
  return index == snug::Check::kNoBuffer ? -1
                                         : static_cast<std::int64_t>(index);
}

/// Whether an array is missing or has a negative length.
[[nodiscard]] inline bool is_wrong(std::int64_t count, const void* array) {
  return count < 0 || (count > 0 && array == nullptr);
}

/// Where item `index` of an owner stands in a list with those of all; `owner_at(k)`
/// is that of the k-th.
template <class OwnerAt>
[[nodiscard]] std::size_t place_in_list(std::size_t owner, std::size_t index,
                                        OwnerAt owner_at) {
  std::size_t k = 0;
  while (to_index(owner_at(k)) != owner || index-- > 0) ++k;
  return k;
}

/// `Given` is snug_reserved or snug_pool_reserved.
template <class Given>
[[nodiscard]] snug::Reserved<> to_reserved(const Given& given) {
  snug::Reserved<> reserved{{given.lower, given.upper}, {}};
  if (given.begin != 0 || given.end != 0)
    reserved.lifespan = snug::Interval<std::int64_t>{given.begin, given.end};
  return reserved;
}

/// The input of a call, as snug has it. The options point into it.
class Input {
 public:
  Input() = default;
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;

  snug::Problem<> problem{};
  snug::Options options{};

  /// False, with the reason in `result`, if the input cannot be read.
  [[nodiscard]] bool read(const snug_problem* given,
                          const snug_options* given_options,
                          snug_result& result) {
    const char* const wrong = read(given, given_options);
    if (wrong != nullptr) refuse(result, wrong);
    return wrong == nullptr && read_gaps(result);
  }

  /// Says in `result` what check() has found.
  void report(snug::Check error, snug_result& result) const {
    if (error.entry == snug::Entry::kGap) {
      const auto place = [&](std::size_t gap) {
        return place_in_list(error.buffer, gap, [&](std::size_t k) {
          return given_.gaps[k].buffer;
        });
      };
      error.index = place(error.index);
      if (error.other != snug::Check::kNoBuffer)
        error.other = place(error.other);
    }
    report_listed(error, result);
  }

  /// The same, where the indices of gaps are those in the list.
  static void report_listed(snug::Check error, snug_result& result) {
    const bool is_gap = error.entry == snug::Entry::kGap;
    if (!is_gap && error.other == error.buffer)
      error.other = snug::Check::kNoBuffer;
    report(error, number_of(error.reason), is_gap ? "gap" : "buffer", result);
  }

  /// Says that the snug_error `kind` is wrong with the buffers of `error`, in
  /// snug_result::pool if there is one; `other_is` names what error.other counts.
  static void report(const snug::Check& error, int kind, const char* other_is,
                     snug_result& result) {
    result.error = kind;
    result.entry_kind = number_of(error.entry);
    result.entry = from_index(error.index);
    result.buffer = from_index(error.buffer);
    result.other = from_index(error.other);
    char pool[48] = "";
    char entry[64] = "";
    char buffer[48] = "";
    char other[64] = "";
    if (result.pool != -1)
      std::snprintf(pool, sizeof pool,
                    "pool %lld: ", static_cast<long long>(result.pool));
    if (error.entry != snug::Entry::kBuffer && result.entry != -1)
      std::snprintf(entry, sizeof entry, "%s %lld: ", to_string(error.entry),
                    static_cast<long long>(result.entry));
    if (result.buffer != -1)
      std::snprintf(buffer, sizeof buffer,
                    "buffer %lld: ", static_cast<long long>(result.buffer));
    if (result.other != -1)
      std::snprintf(other, sizeof other, " (%s %lld)", other_is,
                    static_cast<long long>(result.other));
    fail(result, SNUG_INVALID, "%s%s%s%s%s", pool, entry, buffer,
         snug_error_name(kind), other);
  }

 private:
  /// What is wrong with the arguments, or null. Reads all but gaps.
  [[nodiscard]] const char* read(const snug_problem* given,
                                 const snug_options* given_options) {
    if (given == nullptr) return "problem is null";
    if (!copy_in(given, given_))
      return "snug_problem: struct_size is wrong, or a member is set that is "
             "not known";
    if (given_options != nullptr) {
      if (!copy_in(given_options, given_options_))
        return "snug_options: struct_size is wrong, or a member is set that is "
               "not known";
      read_options();
    }
    if (const char* const wrong = find_wrong_array()) return wrong;
    problem.base = given_.base;
    problem.alignment = given_.heap_alignment == 0 ? 1 : given_.heap_alignment;
    if (!read_buffers()) return "end: no snug_end";
    if (!read_groups())
      return "group_sizes: a negative size, or group_members is null";
    read_relations();
    return nullptr;
  }

  /// What is wrong with an array, or null.
  [[nodiscard]] const char* find_wrong_array() const {
    const snug_problem& p = given_;
    if (p.buffer_count < 0) return "buffer_count is negative";
    if (is_wrong(p.buffer_count, p.lower)) return "lower is null";
    if (is_wrong(p.buffer_count, p.upper)) return "upper is null";
    if (is_wrong(p.buffer_count, p.size)) return "size is null";
    if (is_wrong(p.gap_count, p.gaps))
      return "gaps: null, or gap_count is negative";
    if (is_wrong(p.alias_count, p.aliases))
      return "aliases: null, or alias_count is negative";
    if (is_wrong(p.group_count, p.group_sizes))
      return "group_sizes: null, or group_count is negative";
    if (is_wrong(p.apart_count, p.apart))
      return "apart: null, or apart_count is negative";
    if (is_wrong(p.may_overlap_count, p.may_overlap))
      return "may_overlap: null, or may_overlap_count is negative";
    if (is_wrong(p.reserved_count, p.reserved))
      return "reserved: null, or reserved_count is negative";
    if (is_wrong(p.penalty_count, p.penalties))
      return "penalties: null, or penalty_count is negative";
    return nullptr;
  }

  /// False if an end is none.
  [[nodiscard]] bool read_buffers() {
    const snug_problem& p = given_;
    problem.buffers.resize(static_cast<std::size_t>(p.buffer_count));
    std::size_t i = 0;
    for (snug::Buffer<>& buffer : problem.buffers) {
      buffer.lifespan = {p.lower[i], p.upper[i]};
      buffer.size = p.size[i];
      if (p.alignment != nullptr && p.alignment[i] != 0)
        buffer.alignment = p.alignment[i];
      if (p.offset != nullptr && p.offset[i] != -1) buffer.offset = p.offset[i];
      if (p.hint != nullptr && p.hint[i] != -1) buffer.hint = p.hint[i];
      if (p.end != nullptr && p.end[i] > SNUG_END_TOP) return false;
      if (p.end != nullptr) buffer.end = static_cast<snug::End>(p.end[i]);
      ++i;
    }
    return true;
  }

  [[nodiscard]] bool read_groups() {
    const std::int64_t* member = given_.group_members;
    for (std::int64_t g = 0; g < given_.group_count; ++g) {
      const std::int64_t size = given_.group_sizes[g];
      if (size < 0 || (size > 0 && member == nullptr)) return false;
      auto& group = problem.contiguous.emplace_back();
      group.reserve(static_cast<std::size_t>(size));
      for (std::int64_t k = 0; k < size; ++k)
        group.push_back(to_index(*member++));
    }
    return true;
  }

  void read_relations() {
    const auto read = [](std::int64_t count, const auto* array, auto& out,
                         auto convert) {
      out.reserve(static_cast<std::size_t>(count));
      for (std::int64_t k = 0; k < count; ++k) out.push_back(convert(array[k]));
    };
    const auto pair = [](const snug_pair& of) {
      return snug::BufferPair{to_index(of.first), to_index(of.second)};
    };
    const snug_problem& p = given_;
    read(p.alias_count, p.aliases, problem.aliases, [](const snug_alias& of) {
      return snug::Alias<>{to_index(of.buffer), to_index(of.of), of.delta};
    });
    read(p.apart_count, p.apart, problem.apart, pair);
    read(p.may_overlap_count, p.may_overlap, problem.may_overlap, pair);
    read(p.reserved_count, p.reserved, problem.reserved,
         [](const snug_reserved& of) { return to_reserved(of); });
    read(p.penalty_count, p.penalties, problem.penalties,
         [](const snug_penalty& of) {
           return snug::Penalty{to_index(of.first), to_index(of.second),
                                of.cost};
         });
  }

  [[nodiscard]] bool read_gaps(snug_result& result) {
    for (std::int64_t k = 0; k < given_.gap_count; ++k) {
      const snug_gap& given = given_.gaps[k];
      const std::size_t i = to_index(given.buffer);
      if (i >= problem.buffers.size()) {
        result.error = SNUG_ERROR_UNKNOWN_BUFFER;
        result.entry_kind = SNUG_ENTRY_GAP;
        result.buffer = given.buffer;
        result.entry = k;
        fail(result, SNUG_INVALID, "gap %lld: buffer %lld: %s",
             static_cast<long long>(k), static_cast<long long>(given.buffer),
             snug_error_name(result.error));
        return false;
      }
      snug::Gap<> gap{{given.lower, given.upper}, {}};
      if (given.window_lower != 0 || given.window_upper != 0)
        gap.window = snug::Interval<std::int64_t>{given.window_lower,
                                                  given.window_upper};
      problem.buffers[i].gaps.push_back(gap);
    }
    return true;
  }

  void read_options() {
    using std::chrono::nanoseconds;
    const snug_options& given = given_options_;
    if (given.time_limit_ns != 0)
      options.time_limit =
          nanoseconds((std::max)(given.time_limit_ns, std::int64_t{0}));
    if (given.node_limit != 0)
      options.node_limit = (std::max)(given.node_limit, std::int64_t{0});
    if (given.seed != 0) options.seed = given.seed;
    if (given.memory_limit != 0)
      options.memory_limit = static_cast<std::size_t>(
          (std::min)(given.memory_limit, std::uint64_t{options.memory_limit}));
    // The flag is an atomic byte, of which C need not know: only this library
    // reads and writes it while a call runs.
    static_assert(sizeof(std::atomic<bool>) == sizeof(snug_flag) &&
                  std::atomic<bool>::is_always_lock_free);
    options.cancel = reinterpret_cast<const std::atomic<bool>*>(given.cancel);
    if (given.progress_interval_ns != 0)
      options.progress_interval =
          nanoseconds((std::max)(given.progress_interval_ns, std::int64_t{0}));
    if (given.progress == nullptr) return;
    options.progress = tell;
    options.progress_data = &given_options_;
  }

  static bool tell(const snug::Progress& progress, void* data) {
    const snug_options& given = *static_cast<const snug_options*>(data);
    const snug_progress told = {sizeof told, progress.height,
                                progress.lower_bound, progress.nodes,
                                progress.seconds};
    return given.progress(&told, given.progress_data) == 0;
  }

  snug_problem given_{};
  snug_options given_options_{};
};

}  // namespace snug_c

#endif  // SNUG_EXAMPLES_COMPILED_C_PROBLEM_HPP
