// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Version, namespace and assertion macros: the only header of snug with
/// preprocessor logic beyond its include guard.
///
/// Everything lives in `snug::v0_1`, an inline namespace, so that two copies
/// of different versions can meet in one program without breaking the
/// one-definition rule. Users write `snug::` and never the version.
#ifndef SNUG_CONFIG_HPP
#define SNUG_CONFIG_HPP

#include <cassert>

#define SNUG_VERSION_MAJOR 0
#define SNUG_VERSION_MINOR 1
#define SNUG_VERSION_PATCH 0

#define SNUG_BEGIN_NAMESPACE \
  namespace snug {           \
  inline namespace v0_1 {
#define SNUG_END_NAMESPACE \
  }                        \
  }

/// Checks one of snug's own invariants in debug builds. User input is never
/// asserted: it is checked and reported, see model/check.hpp. Define it before
/// the first include to route failures elsewhere.
#ifndef SNUG_ASSERT
#define SNUG_ASSERT(condition) assert(condition)
#endif

/// The number of zero bits below the lowest one bit of a 64-bit word that is
/// not zero.
#if defined(__GNUC__)
#define SNUG_COUNT_TRAILING_ZEROS(word) __builtin_ctzll(word)
#elif defined(_MSC_VER) && (defined(_M_X64) || defined(_M_ARM64))
#include <intrin.h>
#define SNUG_COUNT_TRAILING_ZEROS(word)        \
  ([](unsigned __int64 snug_word) noexcept {   \
    unsigned long snug_index;                  \
    _BitScanForward64(&snug_index, snug_word); \
    return snug_index;                         \
  }(word))
#else
#define SNUG_COUNT_TRAILING_ZEROS(word) \
  ::snug::detail::count_trailing_zeros_slowly(word)
namespace snug {
inline namespace v0_1 {
namespace detail {
inline unsigned count_trailing_zeros_slowly(unsigned long long word) noexcept {
  unsigned count = 0;
  for (; (word & 1) == 0; word >>= 1) ++count;
  return count;
}
}  // namespace detail
}  // namespace v0_1
}  // namespace snug
#endif

namespace snug {
inline namespace v0_1 {
namespace detail {
/// A few numbers that are computed with together: 16 bytes of them where the
/// compiler has vector types, else one. 64-bit ones come alone: the least
/// that 64-bit processors have cannot compare two of them at once.
template <class T, bool kNarrow = sizeof(T) <= 4>
struct VectorOf {
  using Type = T;
};
#if defined(__GNUC__)
template <class T>
struct VectorOf<T, true> {
  using Type __attribute__((vector_size(16))) = T;
};
#endif
template <class T>
using Vector = typename VectorOf<T>::Type;
}  // namespace detail
}  // namespace v0_1
}  // namespace snug

#endif  // SNUG_CONFIG_HPP
