// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which models a call searches: chosen by the entry point (solve.hpp, small.hpp,
/// plain.hpp), handed down as a type, so that two builds never share a name.
#ifndef SNUG_PLAN_MODELS_HPP
#define SNUG_PLAN_MODELS_HPP

#include "snug/config.hpp"

#include <type_traits>

SNUG_BEGIN_NAMESPACE
namespace detail {

/// Templates call it M. kPlain: the plain model (plain/), with pairs and obstacles
/// if there are bodies, too. kBodies: the model of bodies (bodies/), which honours
/// all constraints, and is slower for what is plain. With one of them alone it saves
/// code: there are no guesses, walks and widths of numbers then. What solves many
/// problems (explain/, penalty/, pools/) always has both, and is a template so that a
/// file compiles what it calls.
template <bool kPlain_, bool kBodies_>
struct Models {
  static constexpr bool kPlain = kPlain_;
  static constexpr bool kBodies = kBodies_;
  static constexpr bool kBoth = kPlain && kBodies;
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
