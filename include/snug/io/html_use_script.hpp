// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The last part of the page's script: zoom, search, selection and the address.
/// What is looked for, selected and shown is kept in the address
/// (`#find=conv&select=conv1&by=kind&view=0,9,0,4096`), so that a link can show
/// it, and in the canvas's data attributes.
#ifndef SNUG_IO_HTML_USE_SCRIPT_HPP
#define SNUG_IO_HTML_USE_SCRIPT_HPP

#include "snug/config.hpp"

SNUG_BEGIN_NAMESPACE
namespace detail {

inline constexpr const char* kPageUseScript = R"page(
// --- What can be done.
function setView(t0, t1, b0, b1) {
  const fit = (low, high, least, min, max) => {
    const span = Math.min(Math.max(high - low, least), max - min);
    const from = Math.min(Math.max((low + high - span) / 2, min), max - span);
    return [from, from + span];
  };
  [view.t0, view.t1] = fit(t0, t1, Math.min(1, whole.t1 - whole.t0),
                           whole.t0, whole.t1);
  [view.b0, view.b1] = fit(b0, b1, Math.min(1, whole.b1), 0, whole.b1);
  remember();
  redraw();
}
function zoom(factor, px, py, time, bytes) {
  const t = timeAt(px), b = bytesAt(py);
  const ft = time ? factor : 1, fb = bytes ? factor : 1;
  setView(t - (t - view.t0) * ft, t + (view.t1 - t) * ft,
          b - (b - view.b0) * fb, b + (view.b1 - b) * fb);
}
function showWhole() { setView(whole.t0, whole.t1, whole.b0, whole.b1); }
function showBuffer(k) {
  const b = buffers[k];
  const low = Number(b.lower), high = Number(b.upper);
  const bottom = Number(b.offset), top = bottom + Number(b.size);
  const px = x(high) - x(low), py = y(bottom) - y(top);
  const inside = low >= view.t0 && high <= view.t1 && bottom >= view.b0 &&
                 top <= view.b1;
  if (inside && px >= 40 && py >= textHeight) return;
  setView(low - 2 * (high - low), high + 2 * (high - low),
          bottom - 4 * (top - bottom), top + 4 * (top - bottom));
}
function bufferAt(px, py) {
  if (!frame || px < frame.left || px > frame.right || py < frame.top ||
      py > frame.bottom)
    return -1;
  const t = timeAt(px), b = bytesAt(py);
  for (let place = count; place-- > 0;)
    for (const tile of buffers[order[place]].tiles)
      if (t >= tile[0] && t < tile[1] && b >= tile[2] && b < tile[3])
        return order[place];
  return -1;
}
function factsOf(b) {
  const facts = [
    ['size', group(b.size) + ' bytes (' + bytesText(Number(b.size)) + ')'],
    ['lifespan', '[' + b.lower + ', ' + b.upper + ')'],
    ['offset', group(b.offset)], ['kind', data.kinds[b.kind]]];
  if (b.family >= 0)
    facts.push(['tied to', families.get(b.family)
        .filter(k => k !== b.index).slice(0, 20)
        .map(k => buffers[k].name).join(', ')]);
  if (partners.has(b.index))
    facts.push(['may overlap', partners.get(b.index).slice(0, 20)
        .map(k => buffers[k].name).join(', ')]);
  return facts;
}
function select(k) {
  selected = k;
  const about = byId('about');
  const shown = about.childElementCount > 0;
  about.textContent = '';
  if (k >= 0) {
    const name = document.createElement('h2'), list =
        document.createElement('dl');
    name.textContent = buffers[k].name;
    for (const [what, value] of factsOf(buffers[k])) {
      const term = document.createElement('dt');
      const fact = document.createElement('dd');
      term.textContent = what;
      fact.textContent = value;
      list.append(term, fact);
    }
    about.append(name, list);
  }
  remember();
  redraw();
}
function find(what) {
  byId('find').value = what;
  const needle = what.toLowerCase();
  matches = null;
  if (needle) {
    matches = new Set();
    for (const b of buffers)
      if (b.name.toLowerCase().includes(needle)) matches.add(b.index);
  }
  byId('found').textContent =
      matches ? group(matches.size) + ' of ' + group(count) : '';
  remember();
  redraw();
}
function nextMatch(back) {
  if (!matches || !matches.size) return;
  const all = [...matches], at = all.indexOf(selected);
  const step = back ? all.length - 1 : 1;
  const k = all[at < 0 ? 0 : (at + step) % all.length];
  select(k);
  showBuffer(k);
}
function hover(px, py, clientX, clientY) {
  const k = bufferAt(px, py), tip = byId('tip');
  tip.hidden = k < 0;
  canvas.dataset.hovered = k < 0 ? '' : buffers[k].name;
  if (k >= 0) {
    tip.textContent = buffers[k].name + '\n' +
        factsOf(buffers[k]).slice(0, 3).map(fact => fact.join(': '))
            .join('\n');
    const left = clientX + 14 + tip.offsetWidth > innerWidth
        ? clientX - 10 - tip.offsetWidth : clientX + 14;
    tip.style.left = Math.max(left, 0) + 'px';
    tip.style.top = Math.min(clientY + 14, innerHeight - tip.offsetHeight) +
                    'px';
  }
  if (k !== hovered) { hovered = k; redraw(); }
}

// --- The address.
// Browsers refuse to have it changed too often.
let settled = false, writer = 0;
const viewText = () => [view.t0, view.t1, view.b0, view.b1].join(',');
function remember() {
  canvas.dataset.view = viewText();
  if (!settled) return;
  clearTimeout(writer);
  writer = setTimeout(writeAddress, 200);
}
function writeAddress() {
  const parts = [];
  if (byId('find').value)
    parts.push('find=' + encodeURIComponent(byId('find').value));
  if (selected >= 0)
    parts.push('select=' + encodeURIComponent(buffers[selected].name));
  if (byId('by').value !== data.by) parts.push('by=' + byId('by').value);
  if (viewText() !== [whole.t0, whole.t1, 0, whole.b1].join(','))
    parts.push('view=' + viewText());
  if (location.protocol === 'about:') return;  // a panel has no address
  history.replaceState(null, '', '#' + parts.join('&'));
}
function recall(address) {
  settled = false;
  const asked = new URLSearchParams(address.slice(1));
  const by = asked.get('by');
  byId('by').value = ['size', 'kind', 'family'].includes(by) ? by : data.by;
  recolour();
  find(asked.get('find') || '');
  select(data.ids.indexOf(asked.get('select')));
  const shown = (asked.get('view') || '').split(',').map(Number);
  if (shown.length === 4 && shown.every(Number.isFinite) &&
      shown[0] < shown[1] && shown[2] < shown[3])
    setView(...shown);
  else
    showWhole();
  settled = true;
  remember();
}

// --- Events.
canvas.addEventListener('wheel', event => {
  event.preventDefault();
  const turned = event.deltaY || event.deltaX;
  zoom(Math.exp(Math.max(-400, Math.min(400, turned)) * .002), event.offsetX,
       event.offsetY, !event.altKey, !event.shiftKey);
}, {passive: false});
let grip = null;
canvas.addEventListener('pointerdown', event => {
  grip = {px: event.offsetX, py: event.offsetY, moved: false, view: {...view}};
});
canvas.addEventListener('pointermove', event => {
  if (!grip) {
    hover(event.offsetX, event.offsetY, event.clientX, event.clientY);
    return;
  }
  const dx = event.offsetX - grip.px, dy = event.offsetY - grip.py;
  if (!grip.moved && Math.abs(dx) + Math.abs(dy) < 4) return;
  grip.moved = true;
  byId('tip').hidden = true;
  const from = grip.view;
  const t = -dx / (frame.right - frame.left) * (from.t1 - from.t0);
  const b = dy / (frame.bottom - frame.top) * (from.b1 - from.b0);
  setView(from.t0 + t, from.t1 + t, from.b0 + b, from.b1 + b);
});
addEventListener('pointerup', event => {
  if (grip && !grip.moved && event.target === canvas)
    select(bufferAt(event.offsetX, event.offsetY));
  grip = null;
});
canvas.addEventListener('pointerleave', () => {
  byId('tip').hidden = true;
  hovered = -1;
  redraw();
});
canvas.addEventListener('dblclick', showWhole);
canvas.addEventListener('keydown', event => {
  const cx = (frame.left + frame.right) / 2, cy = (frame.top + frame.bottom) / 2;
  const t = (view.t1 - view.t0) / 8, b = (view.b1 - view.b0) / 8;
  const move = (dt, db) => setView(view.t0 + dt, view.t1 + dt, view.b0 + db,
                                   view.b1 + db);
  const keys = {
    '+': () => zoom(.7, cx, cy, true, true),
    '=': () => zoom(.7, cx, cy, true, true),
    '-': () => zoom(1 / .7, cx, cy, true, true),
    '0': showWhole, Escape: () => select(-1),
    ArrowLeft: () => move(-t, 0), ArrowRight: () => move(t, 0),
    ArrowUp: () => move(0, b), ArrowDown: () => move(0, -b)};
  if (!keys[event.key] || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  keys[event.key]();
});
addEventListener('keydown', event => {
  if (event.key !== '/' || event.target === byId('find')) return;
  event.preventDefault();
  byId('find').focus();
});
byId('find').addEventListener('input', event => find(event.target.value));
byId('find').addEventListener('keydown', event => {
  if (event.key === 'Enter') nextMatch(event.shiftKey);
  if (event.key === 'Escape') find('');
});
byId('by').addEventListener('change', () => {
  recolour();
  remember();
  redraw();
});
byId('whole').addEventListener('click', showWhole);
byId('peak').addEventListener('click', () => {
  const span = (view.t1 - view.t0) / 8;
  setView(data.peak - span, data.peak + span, whole.b0, whole.b1);
});
addEventListener('resize', redraw);
addEventListener('hashchange', () => recall(location.hash));
dark.addEventListener('change', () => { recolour(); redraw(); });
new ResizeObserver(redraw).observe(canvas);
byId('caption').textContent = data.caption;
measure();
recall(location.hash);
draw();
</script>
</body>
</html>
)page";

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_IO_HTML_USE_SCRIPT_HPP
