// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the colours of a picture mean: each buffer has a colour, and the legend
/// says what it stands for. Three ways:
///
///     size     each colour four times larger than the one before it, the last
///              up to the power of two above the largest buffer
///     kind     which constraint a buffer is under, the strictest if several
///     family   the buffers that aliases and groups tie together, a colour a
///              family, with neighbours in the list of families differing;
///              buffers without ties are grey
///
/// Buffers of one colour that touch are told apart by three shades of it, which
/// their indices choose.
///
/// Cost: O(n log n).
#ifndef SNUG_IO_COLOURS_HPP
#define SNUG_IO_COLOURS_HPP

#include "snug/config.hpp"
#include "snug/io/quantity.hpp"
#include "snug/io/text.hpp"
#include "snug/model/problem.hpp"
#include "snug/model/ties.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

SNUG_BEGIN_NAMESPACE

/// What the colours of a picture stand for.
enum class ColourBy : std::uint8_t {
  kAuto,  ///< kFamily where buffers are tied to others, else kSize
  kSize,
  kKind,
  kFamily,
};

namespace detail {

/// A fill for light and one for dark surroundings; text on it is black or
/// white, respectively.
struct Colour {
  const char* light;
  const char* dark;
};

/// The colours, of which `size` uses the first eight from small to large.
inline constexpr Colour kColours[] = {
    {"#f4e285", "#6f6420"}, {"#c5de82", "#51691f"}, {"#8fd19e", "#2a6d43"},
    {"#79c7c5", "#226463"}, {"#86b6e8", "#2d588c"}, {"#a9a4ee", "#514a9c"},
    {"#d79ad8", "#7d3b7e"}, {"#f19cab", "#923a4c"}, {"#f2b98a", "#8a5222"},
    {"#b8c9d6", "#465a68"}, {"#d5c3a1", "#665536"}, {"#b5e0ee", "#2b6577"}};
inline constexpr std::size_t kColourCount = std::size(kColours);
/// Of buffers that have no family; not one of kColours.
inline constexpr std::size_t kGrey = kColourCount;
inline constexpr Colour kGreyColour = {"#dcdfe3", "#4a4e55"};
inline constexpr std::size_t kShades = 3;

/// The colour of each buffer, an index into kColours or kGrey, and what is
/// behind the colours in use, in the order of the legend.
struct Colouring {
  ColourBy by = ColourBy::kSize;
  std::vector<std::size_t> colour_of{};
  std::vector<std::pair<std::size_t, std::string>> legend{};
};

/// What kColours[k] stands for when colours mean the kind of a buffer.
inline constexpr const char* kKinds[] = {
    "free", "no bytes", "aligned", "gaps", "kept apart or may overlap",
    "tied", "bottom",   "top",     "fixed"};

/// The kind of each buffer, an index into kKinds.
template <class Size, class Time>
[[nodiscard]] std::vector<std::size_t> kinds_of(
    const Problem<Size, Time>& problem) {
  std::vector<std::size_t> kinds(problem.buffers.size(), 0);
  const auto raise = [&](std::size_t buffer, std::size_t kind) {
    if (buffer < kinds.size()) kinds[buffer] = (std::max)(kinds[buffer], kind);
  };
  for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
    const Buffer<Size, Time>& buffer = problem.buffers[i];
    if (buffer.size == 0) raise(i, 1);
    if (buffer.alignment > 1) raise(i, 2);
    if (!buffer.gaps.empty()) raise(i, 3);
    if (buffer.end == End::kBottom) raise(i, 6);
    if (buffer.end == End::kTop) raise(i, 7);
    if (buffer.offset) raise(i, 8);
  }
  for (const auto* pairs : {&problem.apart, &problem.may_overlap})
    for (const BufferPair& pair : *pairs) {
      raise(pair.first, 4);
      raise(pair.second, 4);
    }
  for (const Alias<Size>& alias : problem.aliases) {
    raise(alias.buffer, 5);
    raise(alias.of, 5);
  }
  for (const std::vector<std::size_t>& group : problem.contiguous)
    for (const std::size_t member : group) raise(member, 5);
  return kinds;
}

/// Colours of the sizes. Sets `legend` to the bounds of those in use.
template <class Size, class Time>
void colour_by_size(const Problem<Size, Time>& problem, Colouring& colouring) {
  constexpr std::size_t kSizes = 8;
  double largest = 1;
  for (const Buffer<Size, Time>& buffer : problem.buffers)
    largest = (std::max)(largest, static_cast<double>(buffer.size));
  double bounds[kSizes] = {};
  bounds[kSizes - 1] = 1;
  while (bounds[kSizes - 1] < largest) bounds[kSizes - 1] *= 2;
  for (std::size_t k = kSizes - 1; k-- > 0;) bounds[k] = bounds[k + 1] / 4;
  bool used[kSizes] = {};
  for (const Buffer<Size, Time>& buffer : problem.buffers) {
    std::size_t k = 0;
    while (k + 1 < kSizes && static_cast<double>(buffer.size) > bounds[k]) ++k;
    colouring.colour_of.push_back(k);
    used[k] = true;
  }
  for (std::size_t k = 0; k < kSizes; ++k)
    if (used[k])
      colouring.legend.emplace_back(k, "to " + bytes_text(bounds[k]));
}

/// Colours of the families; `ids` name the first member of each.
template <class Size, class Time>
void colour_by_family(const Problem<Size, Time>& problem,
                      const std::vector<std::string>& ids,
                      Colouring& colouring) {
  const std::size_t count = problem.buffers.size();
  const Ties ties = tie(problem);
  colouring.colour_of.assign(count, kGrey);
  std::vector<std::size_t> members(count, 0);
  for (std::size_t i = 0; i < ties.root.size(); ++i) ++members[ties.root[i]];
  std::size_t families = 0;
  bool any_grey = false;
  for (std::size_t i = 0; i < ties.root.size(); ++i) {
    const std::size_t root = ties.root[i];
    if (members[root] < 2) {
      any_grey = true;
      continue;
    }
    // A root is the smallest index of its family.
    if (root == i) {
      const std::size_t colour = families++ % kColourCount;
      colouring.colour_of[i] = colour;
      colouring.legend.emplace_back(
          colour, name_of(ids, i) + " and " + std::to_string(members[i] - 1));
    } else {
      colouring.colour_of[i] = colouring.colour_of[root];
    }
  }
  if (any_grey) colouring.legend.emplace_back(kGrey, "no family");
}

/// What kAuto stands for; the others stand for themselves.
template <class Size, class Time>
[[nodiscard]] ColourBy resolve(ColourBy by,
                               const Problem<Size, Time>& problem) {
  if (by != ColourBy::kAuto) return by;
  return has_ties(problem) ? ColourBy::kFamily : ColourBy::kSize;
}

/// A resolved one as a word.
[[nodiscard]] constexpr const char* word_of(ColourBy by) noexcept {
  return by == ColourBy::kSize   ? "size"
         : by == ColourBy::kKind ? "kind"
                                 : "family";
}

template <class Size, class Time>
[[nodiscard]] Colouring colour(const Problem<Size, Time>& problem,
                               const std::vector<std::string>& ids,
                               ColourBy by) {
  Colouring colouring;
  colouring.by = resolve(by, problem);
  if (colouring.by == ColourBy::kSize) colour_by_size(problem, colouring);
  if (colouring.by == ColourBy::kFamily)
    colour_by_family(problem, ids, colouring);
  if (colouring.by != ColourBy::kKind) return colouring;
  colouring.colour_of = kinds_of(problem);
  for (std::size_t kind = 0; kind < std::size(kKinds); ++kind)
    if (std::count(colouring.colour_of.begin(), colouring.colour_of.end(),
                   kind) > 0)
      colouring.legend.emplace_back(kind, kKinds[kind]);
  return colouring;
}

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_IO_COLOURS_HPP
