// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The first part of the page's script: the data, as html.hpp writes it, with
/// numbers as people read them, the colours and their legend.
#ifndef SNUG_IO_HTML_MODEL_SCRIPT_HPP
#define SNUG_IO_HTML_MODEL_SCRIPT_HPP

#include "snug/config.hpp"

SNUG_BEGIN_NAMESPACE
namespace detail {

inline constexpr const char* kPageModelScript = R"page(</script>
<script>
'use strict';
const data = JSON.parse(document.getElementById('data').textContent);
const byId = id => document.getElementById(id);
const canvas = byId('picture'), pen = canvas.getContext('2d');
const dark = matchMedia('(prefers-color-scheme: dark)');

// --- Numbers as people read them.
// What is too large for a double comes as text.
const group = value => String(value).replace(/\B(?=(\d{3})+$)/g, ' ');
function bytesText(value) {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];
  let unit = 0;
  for (; value >= 1023.5 && unit < 6; ++unit) value /= 1024;
  const digits = value < 10 ? 2 : value < 100 ? 1 : 0;
  return Number(value.toFixed(digits)) + ' ' + units[unit];
}
function timeStep(span, room) {
  const most = Math.max(room, 1);
  for (let power = 1;; power *= 10)
    for (const factor of [1, 2, 5])
      if (power * factor * most >= span) return power * factor;
}
function bytesStep(span, room) {
  const most = Math.max(room, 1);
  let step = 1;
  while (step * most < span) step *= 2;
  return step;
}
const timeText = time => Math.abs(time) < 1e15 ? String(time)
                                               : time.toExponential(6);

// --- The buffers: rectangles [begin, end, bottom, top] of each.
const count = data.ids.length;
const buffers = data.ids.map((name, k) => {
  const [lower, upper, size, offset, kind, family] = data.buffers[k];
  const bottom = Number(offset);
  const tiles = data.tiles[k] ||
      [[Number(lower), Number(upper), bottom, bottom + Number(size)]];
  return {index: k, name, lower, upper, size, offset, kind, family, tiles};
});
const order = data.order || buffers.map((_, k) => k);
const rank = new Int32Array(count);
order.forEach((k, place) => { rank[k] = place; });
const families = new Map();
const partners = new Map();
function join(map, key, value) {
  if (!map.has(key)) map.set(key, []);
  map.get(key).push(value);
}
for (const b of buffers) {
  if (b.family < 0) continue;
  join(families, b.family, b.index);
  b.place = families.get(b.family).length - 1;
}
for (const [a, b] of data.overlaps) {
  join(partners, a, b);
  join(partners, b, a);
}
// Who may share bytes with b; of a large family, those next to it in the list.
const companions = b => [
  ...(b.family < 0 ? [] : families.get(b.family)
      .slice(Math.max(b.place - 64, 0), b.place + 65)
      .filter(k => k !== b.index)),
  ...(partners.get(b.index) || []).slice(0, 64)];

// --- State.
const whole = {t0: data.begin, t1: data.end, b0: 0, b1: data.top};
let view = {...whole}, hovered = -1, selected = -1, matches = null;

// --- Colours.
const shades = [1, .86, .72];
let colours = [];
function recolour() {
  const by = byId('by').value, legend = [];
  const grey = data.colours.length - 1;
  let text = () => '';
  if (by === 'size') {
    let most = 1;
    for (const b of buffers)
      while (most < Number(b.size)) most *= 2;
    const bounds = Array.from({length: 8}, (_, k) => most / 4 ** (7 - k));
    colours = buffers.map(b => bounds.findIndex((bound, k) =>
        k === 7 || Number(b.size) <= bound));
    text = k => 'to ' + bytesText(bounds[k]);
  } else if (by === 'kind') {
    colours = buffers.map(b => b.kind);
    text = k => data.kinds[k];
  } else {
    const roots = [...families.keys()];
    const colourOf = new Map(roots.map((root, k) => [root, k % grey]));
    colours = buffers.map(b => b.family < 0 ? grey : colourOf.get(b.family));
    for (const root of roots.slice(0, 60))
      legend.push([colourOf.get(root), buffers[root].name + ' and ' +
                                       (families.get(root).length - 1)]);
    if (colours.includes(grey)) legend.push([grey, 'no family']);
  }
  if (by !== 'family')
    for (const k of [...new Set(colours)].sort((a, b) => a - b))
      legend.push([k, text(k)]);
  const list = byId('legend');
  list.textContent = '';
  for (const [k, name] of legend) {
    const entry = document.createElement('span');
    const patch = document.createElement('i');
    patch.style.background = data.colours[k][dark.matches ? 1 : 0];
    entry.append(patch, name);
    list.append(entry);
  }
}
)page";

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_IO_HTML_MODEL_SCRIPT_HPP
