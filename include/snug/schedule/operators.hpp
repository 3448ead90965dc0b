// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A schedule: operators in execution order, and the tensors that they read
/// and write. Plain data; make_problem() in schedule.hpp computes with it.
#ifndef SNUG_SCHEDULE_OPERATORS_HPP
#define SNUG_SCHEDULE_OPERATORS_HPP

#include "snug/config.hpp"
#include "snug/schedule/happens_before.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

SNUG_BEGIN_NAMESPACE

/// A value that operators pass on, and the memory that it needs.
///
/// Its bytes are the product of its dimensions, each rounded up to its
/// multiple, times `element_bits`, rounded up to whole bytes. A tensor that is
/// no part takes the next multiple of its alignment.
struct Tensor {
  /// Dimensions >= 0, the innermost last. None: one element.
  std::vector<std::int64_t> shape{};
  std::int64_t element_bits = 8;  ///< >= 1; elements are packed
  /// Layout padding: what the innermost dimensions are rounded up to, >= 1, the
  /// innermost last. {8, 128} pads 3 x 5 x 200 to 3 x 8 x 256. Where there are
  /// more multiples than dimensions, the shape counts as if ones led it.
  std::vector<std::int64_t> multiples{};
  std::int64_t alignment = 1;     ///< of the first byte, >= 1
  bool is_input = false;          ///< filled by the host before all operators
  bool is_output = false;         ///< read by the host after all operators
  bool lives_throughout = false;  ///< weights, state: never shares its memory
  /// The tensor that this one is a part of, as an operand of a concat is of its
  /// result, or another shape of; kNoIndex: none. Parts may have parts, and may
  /// overlap.
  std::size_t parent = kNoIndex;
  /// Where in `parent` the part begins, in bytes. Counted from the outermost
  /// tensor, it is a multiple of the part's alignment.
  std::int64_t parent_offset = 0;
  std::string name{};  ///< for messages and files; no two the same, or ""
};

/// Leave for an operator to write outputs[output] over inputs[input], so that
/// each element is read before it is written.
struct InPlace {
  std::size_t output = 0;  ///< position in Operator::outputs
  std::size_t input = 0;   ///< position in Operator::inputs
};

/// One step of the schedule. Tensors are given by their index.
///
/// What is both an input and an output is *updated*: the operator changes it
/// where it is, as one that appends to a cache. It was there before, and stays
/// the same tensor: whoever reads it, or a tensor that shares its bytes, later
/// in the list of operators, reads what the operator left.
struct Operator {
  std::vector<std::size_t> inputs{};
  std::vector<std::size_t> outputs{};
  std::vector<std::size_t> scratch{};  ///< live during this operator only
  std::vector<InPlace> in_place{};     ///< tried in this order
  std::size_t stream = 0;              ///< any number
  std::string name{};                  ///< as that of a tensor

  [[nodiscard]] bool updates(std::size_t tensor) const {
    return std::find(outputs.begin(), outputs.end(), tensor) != outputs.end() &&
           std::find(inputs.begin(), inputs.end(), tensor) != inputs.end();
  }
};

struct Schedule {
  std::vector<Tensor> tensors{};
  std::vector<Operator> operators{};  ///< in execution order
  /// What orders operators on different streams, apart from the flow of data:
  /// that a reader waits for the writer is understood, and that who updates a
  /// tensor, or writes over a part of it, waits for those who used it before. Not so
  /// for tensors that live throughout.
  std::vector<Dependency> dependencies{};
};

namespace detail {

/// The names of tensors or operators, in order.
template <class T>
[[nodiscard]] std::vector<std::string> names_of(const std::vector<T>& items) {
  std::vector<std::string> names;
  names.reserve(items.size());
  for (const T& item : items) names.push_back(item.name);
  return names;
}

}  // namespace detail

/// Why a schedule was refused.
enum class ScheduleReason : std::uint8_t {
  kNone,
  kNegativeDimension,
  kBadElementBits,
  kBadMultiple,
  kBadAlignment,
  kSizeOverflow,
  kUnknownParent,
  kParentCycle,
  kPartOutsideParent,
  kMisalignedPart,
  kTooManyOperators,
  kUnknownTensor,
  kBadInPlace,
  kProducedTwice,
  kSharedScratch,
  kUsedBeforeProduced,
  kNeverProduced,
  kBadDependency,
};

[[nodiscard]] constexpr const char* to_string(ScheduleReason reason) noexcept {
  switch (reason) {
    case ScheduleReason::kNone:
      return "well formed";
    case ScheduleReason::kNegativeDimension:
      return "dimension is negative";
    case ScheduleReason::kBadElementBits:
      return "element has less than 1 bit";
    case ScheduleReason::kBadMultiple:
      return "multiple of a dimension is less than 1";
    case ScheduleReason::kBadAlignment:
      return "alignment is less than 1 or overflows the size type";
    case ScheduleReason::kSizeOverflow:
      return "size, or the sum of the sizes up to this tensor, overflows";
    case ScheduleReason::kUnknownParent:
      return "parent is an index that no tensor has";
    case ScheduleReason::kParentCycle:
      return "tensor is a part of itself";
    case ScheduleReason::kPartOutsideParent:
      return "part reaches outside its parent";
    case ScheduleReason::kMisalignedPart:
      return "part begins at no multiple of its alignment";
    case ScheduleReason::kTooManyOperators:
      return "the number of operators overflows the time type";
    case ScheduleReason::kUnknownTensor:
      return "no tensor has this index";
    case ScheduleReason::kBadInPlace:
      return "in-place pair names an input or output that is not there";
    case ScheduleReason::kProducedTwice:
      return "tensor is produced twice";
    case ScheduleReason::kSharedScratch:
      return "scratch tensor is read, an input or output of the schedule, or "
             "shares bytes with a live one";
    case ScheduleReason::kUsedBeforeProduced:
      return "tensor is used before it is produced";
    case ScheduleReason::kNeverProduced:
      return "output of the schedule is never produced";
    case ScheduleReason::kBadDependency:
      return "dependency does not point forward to an operator";
  }
  return "unknown";
}

/// The first fault of a schedule: those of tensors come first, then those of
/// operators, then that of a dependency.
struct ScheduleError {
  ScheduleReason reason = ScheduleReason::kNone;
  /// Index of the operator, or kNoIndex. For kBadDependency the index of the
  /// dependency; for kTooManyOperators of the first operator too many.
  std::size_t op = kNoIndex;
  std::size_t tensor = kNoIndex;  ///< index as given, or kNoIndex

  [[nodiscard]] bool ok() const noexcept {
    return reason == ScheduleReason::kNone;
  }
};

SNUG_END_NAMESPACE

#endif  // SNUG_SCHEDULE_OPERATORS_HPP
