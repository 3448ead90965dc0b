// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What every function of the C interface does at the border: structs of
/// another version come in and go out, messages are written, and no exception
/// gets across.
///
///     struct_size   what is copied in          what is copied out
///     smaller       its members, then zeros    its members
///     larger        all, if the rest is zero   all, then zeros
///
/// Whatever the standard library throws here, it throws for want of memory: a
/// vector that is longer than can be counts as such.
#ifndef SNUG_EXAMPLES_COMPILED_C_BORDER_HPP
#define SNUG_EXAMPLES_COMPILED_C_BORDER_HPP

#include "snug/c_api.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

namespace snug_c {

/// No struct will ever be as large: the size is nonsense.
inline constexpr std::size_t kMostStructBytes = 4096;

/// The least size: struct_size and something behind it. One that ends within a
/// pointer would leave half of it to be followed; none ever does, as the size of
/// a struct is a multiple of its alignment.
template <class Struct>
[[nodiscard]] bool is_struct(const Struct* given) {
  return given->struct_size > sizeof given->struct_size &&
         given->struct_size <= kMostStructBytes &&
         given->struct_size % alignof(Struct) == 0;
}

/// Whether `given` could be read into `own`; false if it has a member that is
/// not known here.
template <class Struct>
[[nodiscard]] bool copy_in(const Struct* given, Struct& own) {
  if (!is_struct(given)) return false;
  const char* const bytes = reinterpret_cast<const char*>(given);
  const std::size_t size = given->struct_size;
  std::memset(&own, 0, sizeof own);
  std::memcpy(&own, bytes, (std::min)(size, sizeof own));
  return std::all_of(bytes + (std::min)(size, sizeof own), bytes + size,
                     [](char byte) { return byte == 0; });
}

/// The reverse. `struct_size` stays what it was.
template <class Struct>
void copy_out(Struct own, Struct* given) {
  own.struct_size = given->struct_size;
  std::memset(given, 0, own.struct_size);
  std::memcpy(given, &own, (std::min)(own.struct_size, sizeof own));
}

/// Sets the status and, as if by printf, the message.
template <class... Arguments>
void fail(snug_result& result, snug_status status, const char* format,
          Arguments... arguments) {
  result.status = status;
  std::snprintf(result.message, sizeof result.message, format, arguments...);
}

inline void refuse(snug_result& result, const char* what) {
  fail(result, SNUG_BAD_ARGUMENT, "%s", what);
}

[[nodiscard]] inline snug_result unknown_result() {
  snug_result result;
  std::memset(&result, 0, sizeof result);
  result.status = SNUG_UNKNOWN;
  result.buffer = result.other = result.entry = result.pool = -1;
  return result;
}

/// Writes as much of `text` as there is room for in `out`, which may be null if
/// that is nothing. False if that is too little, unless `out` is null.
[[nodiscard]] inline bool give_text(const std::string& text, char* out,
                                    std::size_t room) {
  std::copy_n(text.begin(), (std::min)(room, text.size()), out);
  return out == nullptr || text.size() <= room;
}

/// Runs `compute` on an empty result, copies it to `given`, unless that is
/// null, and returns its status.
template <class Compute>
[[nodiscard]] snug_status answer(snug_result* given, Compute compute) {
  if (given != nullptr && !is_struct(given)) return SNUG_BAD_ARGUMENT;
  snug_result result = unknown_result();
#ifdef __cpp_exceptions
  try {
    compute(result);
  } catch (...) {
    result = unknown_result();
    fail(result, SNUG_OUT_OF_MEMORY, "%s", "out of memory");
  }
#else
  compute(result);
#endif
  if (given != nullptr) copy_out(result, given);
  return static_cast<snug_status>(result.status);
}

}  // namespace snug_c

#endif  // SNUG_EXAMPLES_COMPILED_C_BORDER_HPP
