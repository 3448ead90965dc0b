// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Version, namespace and assertion macros: the only header of snug with
/// preprocessor logic beyond its include guard.
///
/// Everything lives in `snug::v0_2`, an inline namespace, so that two copies
/// of different versions can meet in one program without breaking the
/// one-definition rule. Users write `snug::` and never the version.
#ifndef SNUG_CONFIG_HPP
#define SNUG_CONFIG_HPP

#include <cassert>

#define SNUG_VERSION_MAJOR 0
#define SNUG_VERSION_MINOR 2
#define SNUG_VERSION_PATCH 0

#define SNUG_BEGIN_NAMESPACE \
  namespace snug {           \
  inline namespace v0_2 {
#define SNUG_END_NAMESPACE \
  }                        \
  }

/// Checks one of snug's own invariants in debug builds, or what a caller
/// promises where no result could report it. Problems are never asserted: they
/// are checked and reported, see model/check.hpp. Define it before the first
/// include to route failures elsewhere.
#ifndef SNUG_ASSERT
#define SNUG_ASSERT(condition) assert(condition)
#endif

namespace snug {
inline namespace v0_2 {
namespace detail {
/// Numbers that one instruction works on: 16 bytes of them where the compiler
/// has vector types, else one. Of 64-bit numbers always one: SSE2, all that
/// each x86-64 processor has, cannot compare two of them at once.
template <class T, bool kNarrow = sizeof(T) <= 4>
struct VectorOf {
  using Type = T;
};
#if defined(__GNUC__) && (!defined(__i386__) || defined(__SSE2__))
template <class T>
struct VectorOf<T, true> {
  using Type __attribute__((vector_size(16))) = T;
};
#endif
template <class T>
using Vector = typename VectorOf<T>::Type;
}  // namespace detail
}  // namespace v0_2
}  // namespace snug

#endif  // SNUG_CONFIG_HPP
