// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which models a call searches, as its entry point says:
///
///     M             header       constraints  what is left out, for less code
///     BothModels    solve.hpp    all          nothing
///     BodiesAlone   small.hpp    all          the plain model, guesses, walks
///     PlainAlone    plain.hpp    none         the model of bodies, guesses, walks, and
///                                             pairs and obstacles in the plain one
///
/// It is handed down as a type: no macro changes what a function does, so files that
/// call different ones can be linked together.
#ifndef SNUG_PLAN_MODELS_HPP
#define SNUG_PLAN_MODELS_HPP

#include "snug/config.hpp"

#include <type_traits>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// Templates call it M. kPlain: the plain model (plain/). kBodies: the model of bodies
/// (bodies/), which honours all constraints, and is slower for what is plain. What
/// solves many problems (explain/, penalty/, pools/) always has both, and is a template
/// so that a file compiles what it calls.
template <bool kPlain, bool kBodies_>
struct Models {
  static constexpr bool kBodies = kBodies_;
  static constexpr bool kBoth = kPlain && kBodies_;
};

using BothModels = Models<true, true>;
using PlainAlone = Models<true, false>;
using BodiesAlone = Models<false, true>;

struct Nothing {};

/// A member that only both models together need.
template <class M, class T>
using IfBoth = std::conditional_t<M::kBoth, T, Nothing>;

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_PLAN_MODELS_HPP
