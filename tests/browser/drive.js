// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Uses the page as a person does, by events, and writes what came of it into
// an element `driven`: a line for each check, and a last one with their number.
// What it makes of its address is in the variable `address`: a browser without a
// window never comes to an end where the address has a fragment.
'use strict';
(() => {
  const lines = [];
  const check = (name, good, got) => lines.push(
      good ? 'ok ' + name : 'FAILED ' + name + ': ' + JSON.stringify(got));
  const equal = (name, got, wanted) => check(name, got === wanted, got);
  // All at once, before the page has loaded: without a window, there may be no
  // frames to draw in, and timers may never come to an end.
  const settle = () => { writeAddress(); draw(); };
  const follow = address => {
    recall(address);
    settle();
  };
  const field = byId('find');
  const place = () => canvas.getBoundingClientRect();
  const send = (kind, px, py, more, target) => {
    const Kind = kind === 'wheel' ? WheelEvent : PointerEvent;
    (target || canvas).dispatchEvent(new Kind(kind, {
      clientX: place().left + px, clientY: place().top + py, bubbles: true,
      cancelable: true, ...more}));
  };
  const press = (target, key, more) => target.dispatchEvent(
      new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true,
                                    ...more}));
  const type = what => {
    field.value = what;
    field.dispatchEvent(new Event('input', {bubbles: true}));
  };
  const middle = name => {
    const b = buffers[data.ids.indexOf(name)];
    return [x((Number(b.lower) + Number(b.upper)) / 2),
            y(Number(b.offset) + Number(b.size) / 2)];
  };
  // The middle of a byte that no buffer has, as far up and as late as there is.
  const nowhere = () => {
    for (let t = data.end - .5; t > data.begin; --t) {
      for (let b = data.top - .5; b > 0; --b) {
        if (!buffers.some(
                one => Number(one.lower) <= t && t <= Number(one.upper) &&
                    Number(one.offset) <= b &&
                    b <= Number(one.offset) + Number(one.size))) {
          return [x(t), y(b)];
        }
      }
    }
    throw new Error('no byte is free');
  };
  try {
    follow('#select=weights&by=kind');
    equal('the address selects', byId('about').querySelector('h2').textContent,
          'weights');
    equal('and colours', byId('by').value, 'kind');
    follow('');
    equal('all buffers with bytes are drawn', canvas.dataset.drawn, '15');
    check('names are drawn', Number(canvas.dataset.named) >= 15,
          canvas.dataset.named);
    equal('the legend has three families and the rest',
          byId('legend').childElementCount, 4);
    equal('nothing is loaded',
          performance.getEntriesByType('resource').length, 0);

    // What is seen is what the data says.
    const ratio = canvas.width / canvas.clientWidth;
    const pixel = (px, py) => [...pen.getImageData(
        Math.round(px * ratio), Math.round(py * ratio), 1, 1).data].join();
    const [wx, wy] = middle('weights');
    check('a buffer has its colour',
          pixel(wx - 90, wy) !== pixel(x(11.5), y(data.top * .3)) &&
              pixel(wx - 90, wy) === pixel(wx + 90, wy),
          [pixel(wx - 90, wy), pixel(wx + 90, wy)]);

    send('pointermove', wx, wy);
    equal('pointing tells the name', canvas.dataset.hovered, 'weights');
    check('and the size', !byId('tip').hidden &&
          byId('tip').textContent.includes('size: 20 bytes'),
          byId('tip').textContent);
    send('pointermove', ...nowhere());
    check('pointing at nothing does not', byId('tip').hidden,
          byId('tip').textContent);
    send('pointermove', ...middle('else'));
    equal('the smaller of two in one place', canvas.dataset.hovered, 'else');

    send('pointerdown', wx, wy);
    send('pointerup', wx, wy);
    equal('a click selects', byId('about').querySelector('h2').textContent,
          'weights');
    check('and shows the kind', byId('about').textContent.includes('bottom'),
          byId('about').textContent);

    type('GRAD');
    equal('search counts', byId('found').textContent, '3 of 16');
    settle();
    check('and is in the address', address.includes('find=GRAD'),
          address);
    press(field, 'Enter');
    equal('the first match', data.ids[selected], 'grad_a');
    press(field, 'Enter');
    press(field, 'Enter');
    equal('the third', data.ids[selected], 'grad_c');
    press(field, 'Enter');
    equal('and round again', data.ids[selected], 'grad_a');
    press(field, 'Enter', {shiftKey: true});
    equal('and back', data.ids[selected], 'grad_c');
    check('it tells whom it is tied to',
          byId('about').textContent.includes('grad_a, grad_b'),
          byId('about').textContent);
    press(field, 'Escape');
    equal('Escape ends the search', byId('found').textContent, '');
    press(document.body, '/');
    equal('a slash begins one', document.activeElement, field);

    showWhole();
    settle();
    const [cx, cy] = [x(4), y(40)];
    const before = {...view}, under = [timeAt(cx), bytesAt(cy)];
    send('wheel', cx, cy, {deltaY: -300});
    settle();
    check('the wheel zooms', view.t1 - view.t0 < .8 * (before.t1 - before.t0) &&
          view.b1 - view.b0 < .8 * (before.b1 - before.b0), view);
    check('about the pointer', Math.abs(timeAt(cx) - under[0]) < .02 &&
          Math.abs(bytesAt(cy) - under[1]) < .5, [timeAt(cx), bytesAt(cy)]);
    check('which is in the address', address.includes('view='),
          address);
    const high = view.b1 - view.b0;
    send('wheel', cx, cy, {deltaY: -300, shiftKey: true});
    check('with Shift time only', Math.abs(view.b1 - view.b0 - high) < 1e-6,
          view);
    const wide = view.t1 - view.t0;
    send('wheel', cx, cy, {deltaY: -300, altKey: true});
    check('with Alt bytes only', Math.abs(view.t1 - view.t0 - wide) < 1e-6,
          view);
    const from = view.t0;
    send('pointerdown', cx, cy);
    send('pointermove', cx - 50, cy);
    send('pointerup', cx - 50, cy);
    check('a drag moves', view.t0 > from, [from, view.t0]);
    equal('and selects nothing', data.ids[selected], 'grad_c');
    for (let k = 0; k < 40; ++k) send('wheel', cx, cy, {deltaY: 400});
    equal('no further out than all of it',
          [view.t0, view.t1, view.b0, view.b1].join(),
          [data.begin, data.end, 0, data.top].join());
    press(canvas, '+');
    press(canvas, 'ArrowRight');
    check('keys move', view.t0 > data.begin, view);
    send('dblclick', cx, cy);
    equal('a double click shows all', view.t1 - view.t0, data.end - data.begin);
    byId('peak').click();
    check('to the peak', view.t0 <= data.peak && data.peak <= view.t1 &&
          view.t1 - view.t0 < data.end - data.begin, view);
    byId('whole').click();

    byId('by').value = 'kind';
    byId('by').dispatchEvent(new Event('change'));
    check('colours by kind', byId('legend').textContent.includes('fixed'),
          byId('legend').textContent);
    byId('by').value = 'size';
    byId('by').dispatchEvent(new Event('change'));
    check('colours by size', byId('legend').textContent.includes('to 32 B'),
          byId('legend').textContent);

    follow('#find=conv&select=relu&by=kind&view=0,6,64,136');
    equal('an address finds', byId('found').textContent, '1 of 16');
    equal('and selects', byId('about').querySelector('h2').textContent, 'relu');
    equal('and shows', canvas.dataset.view, '0,6,64,136');
    equal('and colours again', byId('by').value, 'kind');
    follow('#view=9,1,a,&select=nobody&by=x');
    equal('a wrong address shows all', canvas.dataset.view,
          [data.begin, data.end, 0, data.top].join());
    equal('nothing has become an element',
          document.querySelectorAll('img, iframe, link').length, 0);
  } catch (error) {
    lines.push('FAILED ' + error.stack);
  }
  const driven = document.createElement('pre');
  driven.id = 'driven';
  driven.textContent = lines.join('\n') + '\ndone ' + lines.length + '\n';
  document.body.append(driven);
})();
