// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The look and the elements of the page that html.hpp writes. Nothing in it is
/// loaded from anywhere, and its policy forbids that.
#ifndef SNUG_IO_HTML_PAGE_HPP
#define SNUG_IO_HTML_PAGE_HPP

#include "snug/config.hpp"

SNUG_BEGIN_NAMESPACE
namespace detail {

/// Up to the title.
inline constexpr const char* kPageHead = R"page(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<style>
:root { color-scheme: light dark; --paper: #fff; --ink: #222; --faint: #8885;
  --panel: #f3f4f6; --limit: #c22; --load: #15c; --curve: #86b6e8 }
@media (prefers-color-scheme: dark) { :root { --paper: #16181d; --ink: #ddd;
  --panel: #23262d; --limit: #f66; --load: #8bf; --curve: #2d588c } }
* { box-sizing: border-box }
body { margin: 0; height: 100vh; display: flex; flex-direction: column;
  background: var(--paper); color: var(--ink);
  font: 13px system-ui, 'DejaVu Sans', sans-serif }
header { padding: 8px 12px 4px }
h1 { font-size: 16px; margin: 0 0 2px; overflow-wrap: anywhere }
p { margin: 0 0 4px }
.bar { display: flex; gap: 8px; flex-wrap: wrap; align-items: center }
input, select, button { font: inherit; padding: 2px 6px }
main { flex: 1; display: flex; min-height: 0; padding: 0 12px }
#picture { flex: 1; min-width: 0; width: 100%; height: 100%;
  touch-action: none; cursor: crosshair; outline-offset: -2px }
aside { width: 230px; overflow: auto; background: var(--panel);
  padding: 8px; margin: 8px 0 8px 8px; border-radius: 6px }
aside:empty { display: none }
aside h2 { font-size: 14px; margin: 0 0 6px; overflow-wrap: anywhere }
dl { margin: 0; display: grid; grid-template-columns: auto 1fr; gap: 2px 8px }
dt { opacity: .7 } dd { margin: 0; overflow-wrap: anywhere }
#tip { position: fixed; pointer-events: none; background: var(--panel);
  padding: 4px 8px; border-radius: 4px; box-shadow: 0 1px 6px #0006;
  max-width: 420px; overflow-wrap: anywhere; white-space: pre-line }
#tip[hidden] { display: none }
#legend { padding: 2px 12px 4px; display: flex; gap: 4px 14px; flex-wrap: wrap;
  max-height: 46px; overflow: auto }
#legend i { display: inline-block; width: 11px; height: 11px;
  margin-right: 4px; border-radius: 2px }
footer { padding: 0 12px 6px; opacity: .7; font-size: 12px }
</style>
<title>)page";

/// Between the title and the heading, which is the title again.
inline constexpr const char* kPageBody = R"page(</title>
</head>
<body>
<header>
<h1>)page";

/// From the heading to the data.
inline constexpr const char* kPageControls = R"page(</h1>
<p id="caption"></p>
<div class="bar">
<input id="find" type="search" placeholder="Find a buffer  ( / )" size="28" aria-label="Find a buffer">
<output id="found"></output>
<label>Colour by <select id="by"><option>size</option><option>kind</option><option>family</option></select></label>
<button id="whole" type="button">Whole picture</button>
<button id="peak" type="button">Peak</button>
</div>
</header>
<main>
<canvas id="picture" tabindex="0" role="img" aria-label="The buffers: time to the right, memory up"></canvas>
<aside id="about" aria-live="polite"></aside>
</main>
<div id="tip" hidden></div>
<div id="legend"></div>
<footer>Wheel: zoom (with Shift time only, with Alt bytes only). Drag: move. Click: select. Double click or 0: whole picture. Enter: next match.</footer>
<noscript><p>This page draws with a script, which is turned off.</p></noscript>
<script id="data" type="application/json">)page";

}  // namespace detail
SNUG_END_NAMESPACE

#endif  // SNUG_IO_HTML_PAGE_HPP
