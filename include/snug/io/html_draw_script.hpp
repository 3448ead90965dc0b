// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The second part of the page's script: draws on a canvas what the view, a
/// range of time and bytes, shows, anew after each change. Names are placed as
/// labels.hpp does.
#ifndef SNUG_IO_HTML_DRAW_SCRIPT_HPP
#define SNUG_IO_HTML_DRAW_SCRIPT_HPP

#include "snug/config.hpp"

SNUG_BEGIN_NAMESPACE
namespace detail {

inline constexpr const char* kPageDrawScript = R"page(
// --- From time and bytes to the canvas and back.
let frame, strip;
function measure() {
  const ratio = devicePixelRatio || 1;
  const width = canvas.clientWidth, height = canvas.clientHeight;
  canvas.width = Math.max(1, Math.round(width * ratio));
  canvas.height = Math.max(1, Math.round(height * ratio));
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  // Some of it is left in the smallest of windows.
  frame = {left: 76, right: Math.max(width - 24, 96), top: 8,
           bottom: Math.max(height - 92, 28)};
  strip = {top: height - 66, bottom: height - 8};
}
const x = time => frame.left + (time - view.t0) / (view.t1 - view.t0) *
                                   (frame.right - frame.left);
const y = bytes => frame.bottom - (bytes - view.b0) / (view.b1 - view.b0) *
                                      (frame.bottom - frame.top);
const timeAt = px => view.t0 + (px - frame.left) /
                                   (frame.right - frame.left) *
                                   (view.t1 - view.t0);
const bytesAt = py => view.b0 + (frame.bottom - py) /
                                    (frame.bottom - frame.top) *
                                    (view.b1 - view.b0);
function boxOf(tile) {
  return {left: Math.max(x(tile[0]), frame.left - 1),
          right: Math.min(x(tile[1]), frame.right + 1),
          top: Math.max(y(tile[3]), frame.top - 1),
          bottom: Math.min(y(tile[2]), frame.bottom + 1)};
}

// --- Names.
const letterWidth = 6.7, textHeight = 10, lineHeight = 12;
function fitName(name, room) {
  let letters = [...name];
  while (letters.length > room) {
    const slash = letters.indexOf('/');
    if (slash < 0 || slash + 1 === letters.length) break;
    letters = letters.slice(slash + 1);
  }
  if (letters.length <= room) return letters;
  const kept = room - 1;
  if (kept < 3) return [];
  const tail = Math.floor(kept / 2);
  return [...letters.slice(0, kept - tail), '\u2026',
          ...letters.slice(letters.length - tail)];
}
function fitLabel(box, name) {
  const width = box.right - box.left, height = box.bottom - box.top;
  const room = length => Math.floor((length - 6) / letterWidth);
  const along = height >= textHeight ? room(width) : 0;
  const up = width >= textHeight ? room(height) : 0;
  let letters = fitName(name, along), upright = false;
  if (up > along && letters.length < [...name].length) {
    const other = fitName(name, up);
    upright = other.length > letters.length;
    if (upright) letters = other;
  }
  const cx = (box.left + box.right) / 2, cy = (box.top + box.bottom) / 2;
  const long = letters.length * letterWidth / 2, half = textHeight / 2;
  const dx = upright ? half : long, dy = upright ? long : half;
  return {text: letters.join(''), letters: letters.length, upright,
          box: {left: cx - dx, right: cx + dx, top: cy - dy, bottom: cy + dy}};
}
const meets = (a, b) => a.left < b.right && b.left < a.right &&
                        a.top < b.bottom && b.top < a.bottom;
function visibleParts(box, covers) {
  let parts = [box];
  for (const cover of covers) {
    const next = [];
    for (const part of parts) {
      if (!meets(part, cover)) { next.push(part); continue; }
      if (part.left < cover.left) next.push({...part, right: cover.left});
      if (cover.right < part.right) next.push({...part, left: cover.right});
      if (part.top < cover.top) next.push({...part, bottom: cover.top});
      if (cover.bottom < part.bottom) next.push({...part, top: cover.bottom});
    }
    parts = next.slice(0, 32);
  }
  return parts;
}
function sharedLabel(box, covers, name, placed) {
  const whole = [...name].length;
  const free = label => !placed.some(other => meets(other, label.box));
  let best = {letters: 0};
  for (const part of visibleParts(box, covers)) {
    const label = fitLabel(part, name);
    if (label.letters > best.letters && free(label)) best = label;
  }
  const middle = (box.top + box.bottom) / 2;
  for (let k = 0; k < 64 && best.letters < whole; ++k) {
    const at = middle + (k % 2 ? -(k + 1) / 2 : k / 2) * lineHeight;
    const line = {...box, top: at - lineHeight / 2, bottom: at + lineHeight / 2};
    if (line.top < box.top || line.bottom > box.bottom) {
      if (k > 1) break;
      continue;
    }
    const label = fitLabel(line, name);
    if (label.letters <= best.letters) break;
    if (free(label)) { best = label; break; }
  }
  if (best.letters) placed.push(best.box);
  return best;
}
// --- Drawing.
let waiting = false;
function redraw() {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(() => { waiting = false; draw(); });
}
function line(x0, y0, x1, y1, colour, dash) {
  pen.strokeStyle = colour;
  pen.setLineDash(dash || []);
  pen.beginPath();
  pen.moveTo(x0, y0);
  pen.lineTo(x1, y1);
  pen.stroke();
  pen.setLineDash([]);
}
function text(what, px, py, align) {
  pen.textAlign = align;
  pen.fillText(what, px, py);
}
function draw() {
  measure();
  const style = getComputedStyle(document.documentElement);
  const ink = style.getPropertyValue('--ink'),
        paper = style.getPropertyValue('--paper'),
        faint = style.getPropertyValue('--faint'),
        limit = style.getPropertyValue('--limit'),
        load = style.getPropertyValue('--load');
  const mode = dark.matches ? 1 : 0;
  pen.clearRect(0, 0, canvas.clientWidth, canvas.clientHeight);
  pen.font = "11px ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace";
  pen.textBaseline = 'middle';
  pen.lineWidth = 1;
  drawAxes(ink, faint);

  pen.save();
  pen.beginPath();
  pen.rect(frame.left, frame.top, frame.right - frame.left,
           frame.bottom - frame.top);
  pen.clip();
  for (const [t0, t1, b0, b1, name] of data.reserved)
    drawReserved(boxOf([t0, t1, b0, b1]), name, faint, ink);
  let drawn = 0;
  const labels = [], placed = [];
  for (const k of order) {
    const b = buffers[k];
    let best = null, area = 0;
    pen.fillStyle = data.colours[colours[k]][mode];
    pen.globalAlpha = matches && !matches.has(k) ? .12 : shades[k % 3];
    const shared = b.family >= 0 || partners.has(k);
    for (const tile of b.tiles) {
      if (tile[1] <= view.t0 || tile[0] >= view.t1 || tile[3] <= view.b0 ||
          tile[2] >= view.b1)
        continue;
      const box = boxOf(tile);
      const width = box.right - box.left, height = box.bottom - box.top;
      pen.fillRect(box.left, box.top, Math.max(width, .4),
                   Math.max(height, .4));
      if (Math.min(width, height) >= 4) {
        pen.strokeStyle = shared ? ink : paper;
        pen.lineWidth = .6;
        pen.strokeRect(box.left, box.top, width, height);
      }
      if (width * height > area) { best = box; area = width * height; }
    }
    if (!best) continue;
    ++drawn;
    const width = best.right - best.left, height = best.bottom - best.top;
    if (Math.min(width, height) >= textHeight && Math.max(width, height) >= 16)
      labels.push([b, best, shared]);
  }
  pen.globalAlpha = 1;
  pen.fillStyle = dark.matches ? '#fff' : '#000';
  // Of those that share bytes the largest come first; the rest waits for a
  // closer view.
  let named = 0, shares = 1000;
  for (const [b, box, shared] of labels) {
    if (matches && !matches.has(b.index)) continue;
    if (shared && shares-- <= 0) continue;
    const covers = !shared ? [] : companions(b)
        .filter(k => rank[k] > rank[b.index])
        .flatMap(k => buffers[k].tiles.map(boxOf)).slice(0, 256);
    const label = shared ? sharedLabel(box, covers, b.name, placed)
                         : fitLabel(box, b.name);
    if (!label.letters) continue;
    ++named;
    const cx = (label.box.left + label.box.right) / 2;
    const cy = (label.box.top + label.box.bottom) / 2;
    if (!label.upright) { text(label.text, cx, cy, 'center'); continue; }
    pen.save();
    pen.translate(cx, cy);
    pen.rotate(-Math.PI / 2);
    text(label.text, 0, 0, 'center');
    pen.restore();
  }
  for (const k of [hovered, selected]) {
    if (k < 0) continue;
    pen.strokeStyle = ink;
    pen.lineWidth = 2;
    for (const tile of buffers[k].tiles) {
      const box = boxOf(tile);
      pen.strokeRect(box.left, box.top, box.right - box.left,
                     box.bottom - box.top);
    }
  }
  pen.lineWidth = 1;
  line(x(data.peak), frame.top, x(data.peak), frame.bottom, limit);
  drawLimit(data.capacity, 'capacity', limit, [6, 3], paper, 0);
  drawLimit(data.height, 'height', load, [2, 2], paper, 130);
  drawLimit(data.load, 'load', load, [2, 2], paper, 250);
  pen.restore();
  drawLoad(ink, faint, limit, load, style.getPropertyValue('--curve'));
  Object.assign(canvas.dataset, {drawn, named});
}
function drawLimit(bytes, name, colour, dash, paper, from) {
  if (bytes > view.b1 || bytes < view.b0) return;
  const at = y(bytes), what = name + ' ' + bytesText(bytes);
  line(frame.left, at, frame.right, at, colour, dash);
  const width = what.length * letterWidth + 6;
  const middle = Math.min(Math.max(at, frame.top + 8), frame.bottom - 8);
  const right = frame.right - 4 - from;
  pen.fillStyle = paper;
  pen.globalAlpha = .85;
  pen.fillRect(right - width, middle - 7, width, 14);
  pen.globalAlpha = 1;
  pen.fillStyle = colour;
  text(what, right - 3, middle, 'right');
}
function drawReserved(box, name, faint, ink) {
  pen.save();
  pen.beginPath();
  pen.rect(box.left, box.top, box.right - box.left, box.bottom - box.top);
  pen.clip();
  for (let px = box.left - (box.bottom - box.top); px < box.right; px += 7)
    line(px, box.bottom, px + (box.bottom - box.top), box.top, faint);
  pen.fillStyle = ink;
  const label = fitLabel(box, name);
  if (label.letters && !label.upright)
    text(label.text, (box.left + box.right) / 2, (box.top + box.bottom) / 2,
         'center');
  pen.restore();
}
function drawAxes(ink, faint) {
  pen.fillStyle = ink;
  const bytes = bytesStep(view.b1 - view.b0, (frame.bottom - frame.top) / 26);
  const lowest = Math.ceil(view.b0 / bytes);
  for (let k = 0; (lowest + k) * bytes <= view.b1 && k < 1000; ++k) {
    const at = y((lowest + k) * bytes);
    line(frame.left, at, frame.right, at, faint);
    text(bytesText((lowest + k) * bytes), frame.left - 6, at, 'right');
  }
  const step = timeStep(view.t1 - view.t0, (frame.right - frame.left) / 90);
  const first = Math.ceil(view.t0 / step);
  for (let k = 0; (first + k) * step <= view.t1 && k < 1000; ++k) {
    const at = x((first + k) * step);
    line(at, frame.bottom, at, frame.bottom + 5, ink);
    text(timeText((first + k) * step), at, frame.bottom + 13, 'center');
  }
  pen.strokeStyle = faint;
  pen.strokeRect(frame.left, frame.top, frame.right - frame.left,
                 frame.bottom - frame.top);
}
function drawLoad(ink, faint, limit, load, curve) {
  const up = bytes => strip.bottom - bytes / Math.max(data.top, 1) *
                                         (strip.bottom - strip.top);
  pen.save();
  pen.beginPath();
  pen.rect(frame.left, strip.top, frame.right - frame.left,
           strip.bottom - strip.top);
  pen.clip();
  pen.beginPath();
  pen.moveTo(frame.left, strip.bottom);
  for (let k = 0; k + 1 < data.curve.length; ++k) {
    const [time, bytes] = data.curve[k], end = data.curve[k + 1][0];
    if (end < view.t0 || time > view.t1) continue;
    const left = Math.max(x(time), frame.left);
    pen.lineTo(left, up(bytes));
    pen.lineTo(Math.min(x(end), frame.right), up(bytes));
  }
  pen.lineTo(frame.right, strip.bottom);
  pen.fillStyle = curve;
  pen.strokeStyle = load;
  pen.fill();
  pen.stroke();
  const at = x(data.peak);
  line(at, strip.top, at, strip.bottom, limit);
  pen.fillStyle = ink;
  const right = at > (frame.left + frame.right) / 2;
  text('peak at ' + timeText(data.peak), at + (right ? -5 : 5),
       strip.bottom - 9, right ? 'right' : 'left');
  pen.restore();
  pen.strokeStyle = faint;
  pen.strokeRect(frame.left, strip.top, frame.right - frame.left,
                 strip.bottom - strip.top);
  pen.fillStyle = ink;
  text('load', frame.left - 6, (strip.top + strip.bottom) / 2, 'right');
}
)page";

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_IO_HTML_DRAW_SCRIPT_HPP
