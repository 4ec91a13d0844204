// What a user does with the trace page. Run by run.sh, in a directory with trace files.
'use strict';
const { chromium } = require('playwright-core');
const { execFileSync } = require('child_process');
const assert = require('assert');
const fs = require('fs');
const path = require('path');

const work = process.argv[2];
const traceOf = (name) => path.join(work, name, fs.readdirSync(path.join(work, name)).find((file) => file.endsWith('.mzt')));
const readTrace = (name) => JSON.parse(fs.readFileSync(traceOf(name), 'utf8'));

function pageOf(trace, name) {
  const page = path.join(work, `${name}.html`);
  execFileSync(process.env.MAZUR, ['view', '--no-open', '--output', page, path.relative(work, trace)], { cwd: work });
  return `file://${page}`;
}

const PATIENCE = 300000; // milliseconds: a machine may be slow
const tests = [];
const test = (name, run) => { if (!process.argv[3] || name.includes(process.argv[3])) tests.push({ name, run }); };
let browser;

// Any error of the page's script or policy fails the test that caused it.
async function open(address, options = {}) {
  const page = await browser.newPage({ viewport: { width: 1100, height: 680 }, ...options });
  page.setDefaultTimeout(PATIENCE);
  page.problems = [];
  page.on('pageerror', (error) => page.problems.push(error.message));
  page.on('console', (message) => { if (message.type() === 'error') page.problems.push(message.text()); });
  page.on('dialog', (dialog) => { page.problems.push('dialog'); dialog.dismiss(); });
  page.on('request', (request) => { if (!request.url().startsWith('file:')) page.problems.push(request.url()); });
  await page.goto(address);
  return page;
}

const selected = (page) => page.$eval('.row.selected .number', (cell) => Number(cell.textContent));
const rows = (page, kind) => page.$$eval(`.cell.${kind}`, (cells) => cells.length);
const text = (page, where) => page.$eval(where, (element) => element.textContent);
// A click that comes while the page still scrolls may miss the row: it is repeated until the row is selected.
async function choose(page, number) {
  for (let tries = 0; tries < 50 && await selected(page) !== number; tries++) {
    if (tries > 0) await new Promise((resolve) => { setTimeout(resolve, 100); });
    await page.click(`#row-${number}`);
  }
  assert.equal(await selected(page), number);
}
async function press(page, ...keys) {
  for (const key of keys) await page.keyboard.press(key);
}

test('opens at the first preemption, with columns; at the failure source and values', async () => {
  const page = await open(pageOf(traceOf('wsq'), 'wsq'));
  const trace = readTrace('wsq');
  assert.match(await text(page, '#verdict'), /^wsq_bad: assertion/);
  assert.match(await text(page, '#facts'), /1 preemption; no execution with fewer preemptions fails/);
  assert.equal(await selected(page), trace.events.findIndex((event) => event.switch === 'preempted') + 1);
  await press(page, 'End');
  assert.equal(await selected(page), trace.events.length);
  assert.equal(await page.$$eval('#columns .head', (heads) => heads.length), trace.threads.length);
  assert.equal(await rows(page, 'event'), trace.events.length);
  assert.equal(await rows(page, 'preempted'), 1);
  assert.match(await text(page, '#sources .here'), /assert\(atomic_fetch_add\(&taken\[item\], 1\) == 0\)/);
  assert.match(await text(page, '#values'), /taken\[0\]2/);
  assert.match(await text(page, '#event'), /1 → 2.*seq_cst/s);
  assert.match(await text(page, '#bounds'), /bound done/);
  assert.match(await text(page, '#gist'), /T2's load tail .* comes between T1's load head .* and store tail/);
  const key = await page.$$eval('#gist a', (links) => links.map((link) => link.getAttribute('href').replace('#event-', 'row-')));
  assert.deepEqual(await page.$$eval('.row.key', (lines) => lines.map((line) => line.id)), key.sort((a, b) => a.slice(4) - b.slice(4)));
  return page;
});

test('steps with the keyboard; source and values follow', async () => {
  const page = await open(pageOf(traceOf('wsq'), 'wsq'));
  await press(page, 'Home');
  assert.equal(await selected(page), 1);
  await press(page, 'ArrowDown', 'ArrowDown', 'ArrowDown');
  assert.equal(await selected(page), 4);
  assert.match(await text(page, '#values'), /tail2/);
  await press(page, 'ArrowRight');
  assert.equal(await selected(page), 5);
  await press(page, 'ArrowUp', 'ArrowLeft');
  assert.equal(await selected(page), 3);
  await press(page, 'End', 'Enter'); // the write that the last event saw
  assert.equal(await selected(page), readTrace('wsq').events.at(-1).reads_from + 1);
  return page;
});

test('[ and ] go from switch to switch, { and } from preemption to preemption', async () => {
  const page = await open(pageOf(traceOf('wsq'), 'wsq'));
  const switches = readTrace('wsq').events.flatMap((event, index) => (event.switch ? [index + 1] : []));
  const preemption = readTrace('wsq').events.findIndex((event) => event.switch === 'preempted') + 1;
  await press(page, 'Home', ']');
  assert.equal(await selected(page), switches[0]);
  await press(page, ']');
  assert.equal(await selected(page), switches[1]);
  await press(page, '[');
  assert.equal(await selected(page), switches[0]);
  await press(page, 'End', '{');
  assert.equal(await selected(page), preemption);
  return page;
});

test('a click selects, and the address says so; a deep link comes back', async () => {
  const address = pageOf(traceOf('wsq'), 'wsq');
  const page = await open(address);
  await choose(page, 5);
  assert.equal(await selected(page), 5);
  assert.match(page.url(), /#event-5$/);
  const again = await open(`${address}#event-7`);
  assert.equal(await selected(again), 7);
  assert.deepEqual(again.problems, []);
  await page.click('#sources a[href="#event-2"]'); // where main is
  await page.waitForFunction(() => location.hash === '#event-2');
  assert.equal(await selected(page), 2);
  return page;
});

test('C++: the number of a block is no event; one long row hides no place and no other words; ended threads say so', async () => {
  const page = await open(pageOf(traceOf('stack'), 'stack'), { viewport: { width: 1280, height: 1000 } });
  assert.match(await text(page, '#gist'), /Node#2 \(new at push\(\):\d+\)/);
  const links = await page.$$eval('#gist a', (all) => all.map((each) => each.textContent));
  assert.ok(!links.includes('#2'), links.join());
  assert.ok(await page.$eval('#timeline', (grid) => grid.scrollWidth > grid.clientWidth), 'a row is longer than the pane');
  const sides = await page.$$eval('.row', (lines) => {
    const edge = document.getElementById('timeline').getBoundingClientRect();
    const right = (line, what) => { const part = line.querySelector(what); return part ? part.getBoundingClientRect().right : 0; };
    const shown = (line) => { const part = line.querySelector('.place'); return part && part.getBoundingClientRect().top < line.getBoundingClientRect().bottom; };
    return lines.map((line) => ({ wide: line.querySelector('.words').getBoundingClientRect().width, words: right(line, '.words') - edge.left,
      place: shown(line) ? right(line, '.place') - edge.left : 0, room: edge.width }));
  });
  assert.ok(sides.filter((side) => side.place > 0).length > 5);
  for (const side of sides) {
    if (side.wide + 90 < side.room) assert.ok(side.words <= side.room, JSON.stringify(side));
    if (side.words + 100 < side.room) assert.ok(side.place <= side.room, JSON.stringify(side));
  }
  const over = await open(pageOf(traceOf('buffer'), 'buffer'));
  const ended = readTrace('buffer').events.findIndex((event) => event.operation === 'thread-exit');
  await press(over, 'End');
  assert.ok(ended >= 0);
  assert.match(await text(over, '#sources'), /#\d+ has ended/);
  assert.deepEqual(over.problems, []);
  return page;
});

// A thread per event, as many as are wanted, and names as C++ has them.
function manyThreads(count, events) {
  const trace = readTrace('wsq'), worker = trace.threads[2], store = trace.events.find((event) => event.operation === 'store');
  trace.threads = [trace.threads[0], ...Array.from({ length: count - 1 }, (unused, number) => ({ ...worker, number, parent: 0 }))];
  const more = Array.from({ length: events }, (unused, number) => ({ ...store, thread: 1 + number % (count - 2), reads_from: undefined, before: '0x0', after: '0x7f5a11ab3190f2', size: 8,
    object: number % 2 ? 'std::unordered_map<std::__cxx11::basic_string<char,std::char_traits<char>>,std::vector<Account>>::_M_buckets' : `x${number}` }));
  trace.events.forEach((event) => { if (event.reads_from !== undefined) event.reads_from += events; });
  trace.events.unshift(...more);
  delete trace.inflection;
  const file = path.join(work, `threads-${count}-${events}.mzt`);
  fs.writeFileSync(file, JSON.stringify(trace));
  return pageOf(file, `threads-${count}-${events}`);
}

const inView = (page, row) => page.evaluate((id) => {
  const words = document.querySelector(`#${id} .words`).getBoundingClientRect(), grid = document.getElementById('timeline').getBoundingClientRect();
  const number = document.querySelector(`#${id} .number`).getBoundingClientRect();
  return words.left >= number.right - 1 && words.right <= grid.right + 1 && number.left >= grid.left - 1;
}, row);

test('many threads: only those that do something have a column, and the selected event comes into view', async () => {
  const page = await open(manyThreads(20, 20));
  const busy = await page.evaluate(() => new Set(data.traces[0].events.filter((event) => !event.folded).map((event) => event.thread)).size);
  assert.ok(busy < 20);
  assert.ok(await page.$$eval('#columns .head', (heads) => heads.length) <= busy + 1);
  await press(page, 'f'); // every event, hence every thread but the last, which does nothing
  assert.equal(await page.$$eval('#columns .head', (heads) => heads.length), 19);
  const heads = await page.$$eval('#columns .head', (all) => all.map((head) => head.innerText.trim()));
  assert.ok(heads.includes('T1') && heads.includes('T10'), `narrow columns have the thread and nothing else: ${heads}`);
  await press(page, 'Home');
  for (let number = 1; number <= 20; number++) {
    assert.equal(await selected(page), number);
    assert.ok(await inView(page, `row-${number}`), `row ${number}`);
    await press(page, 'ArrowDown');
  }
  return page;
});

for (const width of [1280, 400])
  test(`values are never cut, ${width} pixels`, async () => {
    const page = await open(manyThreads(20, 5000), { viewport: { width, height: 720 } });
    await press(page, 'f', 'Home');
    const texts = await page.$$eval('.row .event .words', (list) => list.map((words) => {
      const cell = words.parentElement.getBoundingClientRect(), own = words.getBoundingClientRect();
      return { text: words.textContent, whole: words.scrollWidth <= words.clientWidth + 1 && own.right <= cell.right + 1 && own.bottom <= cell.bottom + 1 };
    }));
    assert.ok(texts.length > 10);
    for (const { text: words, whole } of texts) {
      assert.match(words, /: 0 → 0x7f5a11ab3190f2$/);
      assert.ok(whole, words);
    }
    assert.ok(texts.some((each) => /^store std::u.*….*_M_buckets: /.test(each.text)), 'names are cut in the middle');
    return page;
  });

test('a phone: nothing sticks out, no columns, everything within reach', async () => {
  for (const name of ['wsq', 'counter_plain', 'deadlock_abba', 'lasso']) {
    const page = await open(pageOf(traceOf(name), name), { viewport: { width: 400, height: 800 }, hasTouch: true });
    assert.ok(await page.evaluate(() => document.scrollingElement.scrollWidth) <= 400, name);
    assert.equal(await page.$eval('#columns', (columns) => getComputedStyle(columns).display), 'none');
    await page.tap('#overview .mark.end');
    assert.equal(await selected(page), readTrace(name).events.length);
    assert.ok(await inView(page, `row-${readTrace(name).events.length}`));
    assert.deepEqual(page.problems, []);
    await page.close();
  }
});

test('the overview has every preemption, the inflection point and the failure, and leads there', async () => {
  const page = await open(pageOf(traceOf('bounds'), 'bounds')), trace = readTrace('bounds');
  const preempted = trace.events.flatMap((event, index) => (event.switch === 'preempted' ? [index + 1] : []));
  const marks = (await page.$$eval('#overview .mark', (list) => list.map((mark) => mark.textContent))).join('');
  assert.equal([...marks].filter((mark) => mark === '▶').length, preempted.length);
  assert.equal([...marks].filter((mark) => mark === '◆').length, trace.inflection && trace.inflection.event !== undefined ? 1 : 0);
  assert.ok(marks.endsWith('✗') && preempted.length === 3);
  for (let number = 0; number < preempted.length; number++) {
    await page.click(`#overview .preempted >> nth=${number}`);
    assert.equal(await selected(page), preempted[number]);
  }
  await page.focus('#overview .mark.end');
  await press(page, 'Enter');
  assert.equal(await selected(page), trace.events.length);
  return page;
});

test('commands are copied: the replay, and the way to an event in gdb', async () => {
  const page = await open(pageOf(traceOf('wsq'), 'wsq'), { permissions: ['clipboard-read', 'clipboard-write'] });
  const file = path.relative(work, traceOf('wsq')), copied = () => page.evaluate(() => navigator.clipboard.readText());
  await page.click('#facts .copy');
  await page.waitForFunction(() => document.querySelector('#facts .copy').textContent === 'Copied');
  assert.equal(await copied(), `mazur replay ${file}`);
  await choose(page, 5);
  await press(page, 'c');
  await page.waitForFunction(() => document.querySelector('#event .copy').textContent === 'Copied');
  assert.equal(await copied(), `mazur debug ${file} -- -ex 'mazur goto 5'`);
  return page;
});

test('filters by thread and by object; Escape clears', async () => {
  const page = await open(pageOf(traceOf('wsq'), 'wsq')), trace = readTrace('wsq');
  await page.click('#threads input >> nth=0');
  assert.equal(await page.$$eval('#columns .head', (heads) => heads.length), trace.threads.length - 1);
  assert.equal(await rows(page, 'event'), trace.events.filter((event) => event.thread !== 0).length);
  await page.selectOption('#object', 'head');
  assert.equal(await rows(page, 'event'), trace.events.filter((event) => event.object === 'head').length);
  await page.focus('#timeline');
  await press(page, 'Escape');
  assert.equal(await rows(page, 'event'), trace.events.length);
  return page;
});

test('/ searches, Enter and n go to the matches', async () => {
  const page = await open(pageOf(traceOf('wsq'), 'wsq'));
  const found = readTrace('wsq').events.flatMap((event, index) => (event.operation === 'store' ? [index + 1] : []));
  await press(page, 'Home', '/');
  await page.keyboard.type('store ');
  await press(page, 'Enter');
  const first = await selected(page);
  await press(page, 'n', 'N');
  assert.equal(await selected(page), first);
  assert.match(await text(page, '#matches'), /\d+ found/);
  assert.ok(found.length > 1 && await page.$$eval('.row.match', (lines) => lines.length) >= found.length);
  return page;
});

test('what the text report folds is folded, and unfolds', async () => {
  const page = await open(manyThreads(4, 60)), folds = await rows(page, 'fold');
  const shown = await page.$$eval('.row .event', (cells) => cells.length);
  const report = execFileSync(process.env.MAZUR, ['show', path.join(work, 'threads-4-60.mzt')], { cwd: work }).toString();
  assert.equal(folds, report.match(/⋮ \d+ event/g).length);
  assert.equal(shown, report.match(/^ *\d+ {2,}\S.*$/gm).length);
  assert.match(await text(page, '.cell.fold'), /^⋮ \d+ events/);
  await page.click('.cell.fold');
  assert.equal(await rows(page, 'fold'), folds - 1);
  await press(page, 'f', 'f');
  assert.equal(await rows(page, 'fold'), folds);
  const linked = await open(`${manyThreads(4, 60)}#event-7`);
  assert.equal(await selected(linked), 7, 'a deep link opens the fold');
  return page;
});

test('calls of a history are groups: one that nothing came between is closed', async () => {
  const page = await open(pageOf(traceOf('history'), 'history'));
  const calls = () => page.$$eval('.cell.call .words', (cells) => cells.map((cell) => cell.textContent));
  const events = () => rows(page, 'event');
  assert.deepEqual(await calls(), ['▾ push(1) = 1', '▾ push(2) = 1', '▸ pop() = 1', '▸ pop() = empty']);
  const before = await events(), closed = await page.$$('.row[aria-expanded=false]');
  assert.equal(closed.length, 2);
  await closed[0].click();
  assert.deepEqual(await calls(), ['▾ push(1) = 1', '▾ push(2) = 1', '▾ pop() = 1', '▸ pop() = empty']);
  const opened = await events();
  assert.ok(opened > before, 'its events are shown');
  await press(page, 'o');
  assert.equal(await events(), before, 'o closes it again');
  const inner = await selected(page) + 1;
  const linked = await open(`${pageOf(traceOf('history'), 'history')}#event-${inner}`);
  assert.equal(await selected(linked), inner, 'a deep link opens the call');
  await press(page, 'f');
  assert.equal(await page.$$eval('.row[aria-expanded=false]', (lines) => lines.length), 0, 'f opens all');
  return page;
});

test('arrows: creation, reads, hand-over; only those of the selected event when there are many', async () => {
  const page = await open(pageOf(traceOf('wsq'), 'wsq'));
  assert.equal(await page.$$eval('.arrow.creates', (arrows) => arrows.length), 2);
  assert.ok(await page.$$eval('.arrow.reads', (arrows) => arrows.length) >= 2);
  await press(page, 'a');
  assert.equal(await page.$$eval('#timeline .arrow', (arrows) => arrows.length), 1);
  const lost = await open(pageOf(traceOf('lost_wakeup'), 'lost_wakeup'));
  assert.ok(await lost.$$eval('.arrow.hands', (arrows) => arrows.length) >= 1);
  assert.match(await text(lost, '#failure'), /Lost wake-up: the signal #\d+ of T2 found nobody waiting/);
  return page;
});

test('a model: processes, message arrows, values; a cycle is drawn once', async () => {
  const page = await open(pageOf(traceOf('messages'), 'messages')), events = readTrace('messages').events;
  const receives = events.filter((event) => event.operation === 'receive');
  assert.equal(receives.length, 6);
  assert.ok(receives.every((event) => events[event.reads_from].operation === 'send'));
  assert.match(await text(page, '#columns'), /producer\(0\).*consumer\(1\)/);
  assert.equal(await text(page, '#who'), 'Processes');
  assert.ok(await page.$$eval('.arrow.sends', (arrows) => arrows.length) >= 4);
  assert.match(await text(page, '#values'), /n3/);
  await choose(page, 3);
  assert.match(await text(page, '#event'), /\[\] → \[ping,1\].*received by/s);
  const lasso = await open(pageOf(traceOf('lasso'), 'lasso'));
  assert.equal(await rows(lasso, 'loop'), 1);
  assert.equal(await lasso.$$eval('.arrow.loops', (arrows) => arrows.length), 1);
  const first = readTrace('lasso').failure.cycle, last = readTrace('lasso').events.length;
  assert.equal(await lasso.$eval('.cell.loop', (cell) => cell.parentElement.nextElementSibling.id), `row-${first}`);
  assert.match(await text(lasso, '#failure'), new RegExp(`These ${last - first + 1} events are repeated for ever`));
  assert.deepEqual(lasso.problems, []);
  const stuck = await open(pageOf(traceOf('stuck'), 'stuck')), bounds = readTrace('stuck').coverage.bounds;
  assert.ok(bounds.length >= 1);
  assert.equal(await text(stuck, '#bounds tbody tr'), `${bounds[0].bound}${bounds[0].states}${bounds[0].transitions}`);
  assert.match(await text(stuck, '#failure'), /P\(0\) waits for: !b.*Q\(1\) waits for: !a/s);
  // processes stand before their next statements, not at their last ones
  await choose(stuck, 1);
  assert.match(await text(stuck, '#sources'), /Q\(1\) before #2 .*P\(0\) before #3 /s);
  await choose(stuck, 4);
  assert.match(await text(stuck, '#sources'), /P\(0\) waits for !b .*Q\(1\) waits for !a /s);
  const started = await open(pageOf(traceOf('started'), 'started'));
  assert.equal(await started.$$eval('.arrow.creates', (arrows) => arrows.length), 2);
  await choose(started, 1);
  assert.match(await text(started, '#sources'), /W\(1\) before #/);
  assert.doesNotMatch(await text(started, '#sources'), /W\(2\) before/, 'it is not started yet');
  await choose(started, readTrace('started').events.length);
  assert.match(await text(started, '#sources'), /:init:\(0\) fails .*W\(1\) is at its end.*W\(2\) has ended/s);
  assert.deepEqual(stuck.problems, []);
  return page;
});

test('arrows: a signal and the thread that it wakes, in the order that they have', async () => {
  const page = await open(pageOf(traceOf('buffer'), 'buffer')), events = readTrace('buffer').events;
  const signal = events.findIndex((event) => event.operation === 'signal' && event.other !== undefined);
  const wake = events.findIndex((event, index) => index > signal && event.thread === events[signal].other);
  assert.ok(await page.$$eval('.arrow.wakes', (arrows) => arrows.length) >= 1);
  await page.click(`#row-${signal + 1}`);
  assert.equal(await page.$eval('#event dl a', (link) => link.getAttribute('href')), `#event-${wake + 1}`);
  const wait = events.findIndex((event) => event.operation === 'wait');
  await page.click(`#row-${wait + 1}`);
  assert.match(await text(page, '#event'), /hands it to/); // the mutex, which it releases
  return page;
});

test('the bounds have a table and a plot', async () => {
  const page = await open(pageOf(traceOf('bounds'), 'bounds')), bounds = readTrace('bounds').coverage.bounds;
  assert.ok(bounds.length > 1);
  assert.equal(await page.$$eval('#bounds tbody tr', (lines) => lines.length), bounds.length);
  assert.equal(await page.$eval('svg.plot .executions', (line) => line.getAttribute('points').split(' ').length), bounds.length);
  return page;
});

test('the page of a search: all its failures, or what was covered', async () => {
  const many = await open(`file://${path.join(work, 'many.html')}`);
  const count = await many.$$eval('#which option', (options) => options.length);
  assert.ok(count > 1, `${count} failures`);
  await many.selectOption('#which', '1');
  assert.ok((await text(many, '#verdict')).includes((await text(many, '#which option:nth-child(2)')).replace(/^2: /, '')));
  assert.deepEqual(many.problems, []);
  const none = await open(`file://${path.join(work, 'none.html')}`);
  assert.match(await text(none, '#verdict'), /no failure found/);
  assert.match(await text(none, '#search-done'), /complete: every interleaving/);
  assert.equal(await none.$eval('#timeline-section', (section) => getComputedStyle(section).display), 'none');
  return none;
});

test('each kind of failure has its block', async () => {
  const deadlock = await open(pageOf(traceOf('deadlock_abba'), 'deadlock'));
  assert.equal(await deadlock.$eval('svg.cycle', (drawing) => drawing.getAttribute('aria-label')),
    'wait-for cycle: T1 waits for T2 waits for T1');
  const long = path.join(work, 'long.mzt');
  fs.writeFileSync(long, fs.readFileSync(traceOf('deadlock_abba'), 'utf8').replaceAll(/"(left|right)"/g, '"registry.connections_[\\"$1\\"].mutex"'));
  const ring = await open(pageOf(long, 'long'));
  const why = await ring.$$eval('svg.cycle .why', (words) => words.map((each) => each.getBoundingClientRect()).map(({ left, right }) => [left, right]));
  assert.equal(why.length, 2);
  assert.ok(why[0][0] > why[1][1] || why[1][0] > why[0][1], 'what they wait for stands beside each other');
  assert.match(await text(deadlock, '#failure'), /holds left, taken at deadlock_abba_bad\.c:\d+/);
  const race = await open(pageOf(traceOf('counter_plain'), 'race'));
  assert.equal(await race.$$eval('.access', (blocks) => blocks.length), 2);
  assert.ok(await race.$$eval('.access > div > ol.stack .library', (frames) => frames.length) === 0, 'library frames are folded');
  assert.equal(await race.$$eval('.access .source', (lines) => lines.filter((line) => /counter\+\+/.test(line.textContent)).length), 2);
  assert.equal(await rows(race, 'access-row'), 2); // where it is in the timeline
  const memory = await open(pageOf(traceOf('use_after_free'), 'memory'));
  assert.match(await text(memory, '#failure'), /allocated by main.*malloc.*Freed by.*free\(/s);
  const livelock = await open(pageOf(traceOf('livelock'), 'livelock'));
  assert.match(await text(livelock, '#failure'), /These 8 events are repeated/);
  for (const page of [ring, race, memory, livelock]) assert.deepEqual(page.problems, []);
  return deadlock;
});

test('C++: a stack begins with the function of the library that the program called', async () => {
  const page = await open(pageOf(traceOf('map'), 'map'));
  const first = await page.$$eval('.access ol.stack', (lists) => lists.map((list) => list.closest('details') ? '' : list.querySelector('li').textContent).filter(Boolean));
  assert.equal(first.length, 2);
  for (const name of first) assert.match(name, /^std::map<…>::\w+/);
  assert.ok(await page.$$eval('.access details', (folds) => folds.length >= 2 && folds.every((fold) => !fold.open)));
  return page;
});

test('the point from which on every continuation fails', async () => {
  const page = await open(pageOf(traceOf('wsq'), 'inflection'));
  const trace = readTrace('wsq'), event = trace.inflection.event;
  const words = await page.$eval('.cell.inflection', (cell) => cell.textContent);
  assert.match(words, /^◆ from here on every continuation fails/);
  assert.equal(await page.$eval('.cell.inflection', (cell) => cell.parentElement.previousElementSibling.id), `row-${event + 1}`);
  await page.keyboard.press('i');
  assert.equal(await page.$eval('.row.selected', (line) => line.id), `row-${event + 1}`);
  assert.match(await text(page, '#failure'), new RegExp(`After #${event + 1} every continuation fails`));
  return page;
});

// What takes time is measured and printed. It fails only where it is slow in each of five attempts and
// a small page, on the same machine between those attempts, is not slow as well.
async function measured(address, times) {
  const page = await open(address);
  const ready = await page.evaluate(() => performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd);
  const count = await page.$$eval('.row', (lines) => lines.length), actions = await eightActions(page);
  assert.deepEqual(page.problems, []);
  await page.close();
  return { ready: Math.min(times.ready, ready), actions: Math.min(times.actions, actions), count };
}

async function eightActions(page) {
  return page.evaluate(async () => {
    const start = performance.now();
    for (const key of ['Home', 'ArrowDown', ']', 'End', 'ArrowUp', 'a', 'f'])
      document.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    document.getElementById('search').value = 'trylock';
    document.getElementById('search').dispatchEvent(new Event('input'));
    await new Promise(requestAnimationFrame);
    return performance.now() - start;
  });
}

test('10,000 events: interactive in under a second', async () => {
  const address = pageOf(traceOf('livelock'), 'livelock'), small = pageOf(traceOf('counter_plain'), 'race');
  assert.ok(readTrace('livelock').events.length >= 10000);
  let few = { ready: Infinity, actions: Infinity }, many = few;
  for (let attempt = 0; attempt < 5 && (many.ready >= 1000 || many.actions >= 1000); attempt++) {
    few = await measured(small, few);
    many = await measured(address, many);
  }
  console.log(`# 10,000 events: ready after ${Math.round(many.ready)} ms, eight actions in ${Math.round(many.actions)} ms, ` +
    `${many.count} rows in the document; a page of 5 events: ${Math.round(few.ready)} ms, ${Math.round(few.actions)} ms`);
  assert.ok(many.ready < Math.max(1000, 25 * few.ready), `ready after ${many.ready} ms`);
  assert.ok(many.actions < Math.max(1000, 100 * few.actions), `eight actions took ${many.actions} ms`);
  assert.ok(many.count < 300, `${many.count} rows in the document`);
});

test('hostile strings run no script and are shown as they are', async () => {
  const evil = '</script><script>window.hacked=1</script><img src=x onerror="window.hacked=1"><!--<script>${window.hacked=1}\u2028\'"&lt;';
  const trace = readTrace('wsq');
  trace.program = trace.failure.message = trace.output = evil;
  trace.threads.forEach((thread) => { thread.name = thread.function = evil; });
  trace.events.forEach((event) => { event.object = event.label = event.location = evil; });
  trace.places.forEach((place) => { place.function = evil; });
  trace.coverage.strategy = evil;
  trace.coverage.notes = trace.coverage.uncontrolled = [evil];
  fs.appendFileSync(path.join(work, 'wsq_bad.c'), `/* ${evil} */\n`);
  fs.writeFileSync(path.join(work, 'hostile.mzt'), JSON.stringify(trace));
  const page = await open(pageOf(path.join(work, 'hostile.mzt'), 'hostile'));
  await press(page, 'Home', 'ArrowDown', 'End', 'a', 'f');
  await page.selectOption('#object', evil);
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  assert.equal(await page.$$eval('img', (images) => images.length), 0);
  assert.equal(await page.$$eval('script', (scripts) => scripts.length), 2);
  assert.ok((await page.$eval('#verdict', (verdict) => verdict.title)).includes('<img src=x onerror='));
  assert.equal(await page.evaluate(() => { // the policy holds even for what gets into the page
    const script = document.createElement('script');
    script.textContent = 'window.hacked = 2';
    document.body.append(script);
    return window.hacked;
  }), undefined);
  page.problems = page.problems.filter((problem) => !/Content Security Policy/.test(problem));
  return page;
});

// Rules of WCAG 2.1 A and AA and what axe-core counts as good practice: roles, names, order of headings,
// contrast. Nothing is excused.
const axe = fs.readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
async function complaints(page) {
  await page.evaluate(axe); // not as a script element, which the page's policy forbids
  const { violations, passes } = await page.evaluate(() => axe.run({ resultTypes: ['violations', 'passes'] }));
  assert.ok(passes.some((rule) => rule.id === 'color-contrast'));
  return violations.map((rule) => `${rule.id} (${rule.help}): ${rule.nodes.slice(0, 3).map((node) => node.html.slice(0, 120)).join(' | ')}`);
}

for (const colorScheme of ['light', 'dark'])
  test(`accessible: axe finds nothing, ${colorScheme}`, async () => {
    const names = ['wsq', 'deadlock_abba', 'counter_plain', 'livelock', 'lasso', 'bounds'];
    const addresses = [...names.map((name) => pageOf(traceOf(name), name)), `file://${path.join(work, 'many.html')}`, `file://${path.join(work, 'none.html')}`];
    for (const address of addresses) {
      const page = await open(address, { colorScheme });
      const found = await complaints(page);
      assert.equal(found.length, 0, `${path.basename(address)}: ${found.join('\n')}`);
      await page.close();
    }
  });

test('accessible: the keyboard alone reaches and works everything, in the order of the page', async () => {
  const page = await open(pageOf(traceOf('wsq'), 'wsq')), trace = readTrace('wsq');
  const focus = () => page.evaluate(() => document.activeElement.id || document.activeElement.type || document.activeElement.className || document.activeElement.tagName);
  assert.equal(await focus(), 'timeline');
  assert.ok(await page.evaluate(() => document.getElementById(document.activeElement.getAttribute('aria-activedescendant'))));
  await page.evaluate(() => document.querySelector('.skip').focus());
  const seen = [];
  for (let presses = 0; presses < 60 && seen.at(-1) !== 'timeline'; presses++) {
    await press(page, 'Tab');
    seen.push(await focus());
    assert.ok(await page.evaluate(() => document.activeElement.matches(':focus-visible')), seen.at(-1));
  }
  const controls = seen.filter((name) => name !== 'A'); // the links of the summary
  const marks = await page.$$eval('#overview .mark', (list) => list.map(() => 'button'));
  assert.deepEqual(controls, ['button', 'search', ...trace.threads.map(() => 'checkbox'), 'object', 'fold', 'arrows', 'theme', 'keys', ...marks, 'timeline']);
  await press(page, ...marks.map(() => 'Shift+Tab'), 'Shift+Tab', 'Enter'); // Keys
  assert.ok(await page.$eval('#help', (help) => help.open));
  await press(page, 'Escape');
  assert.ok(!await page.$eval('#help', (help) => help.open));
  assert.equal(await focus(), 'keys');
  await press(page, 'Shift+Tab', 'Shift+Tab', 'Shift+Tab', 'Shift+Tab', 'Shift+Tab', 'Space'); // the last thread's box
  assert.equal(await page.$$eval('#columns .head', (heads) => heads.length), trace.threads.length - 1);
  await press(page, 'Space');
  assert.equal(await page.$$eval('#columns .head', (heads) => heads.length), trace.threads.length);
  await press(page, 'Tab', 'h'); // the object whose name begins so
  assert.equal(await page.$eval('#object', (list) => list.value), 'head');
  assert.equal(await rows(page, 'event'), trace.events.filter((event) => event.object === 'head').length);
  await press(page, 'Escape');
  assert.equal(await focus(), 'timeline');
  assert.equal(await rows(page, 'event'), trace.events.length);
  await press(page, 'End', 'Tab', 'Enter'); // the first link beside it: where the value came from
  await page.waitForFunction((wanted) => location.hash === `#event-${wanted}`, trace.events.at(-1).reads_from + 1);
  return page;
});

test('d changes the colours; the help lists the keys; printing has every row', async () => {
  const page = await open(pageOf(traceOf('livelock'), 'livelock'), { colorScheme: 'light' });
  const back = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const before = await back();
  await press(page, 'd');
  assert.notEqual(await back(), before);
  await press(page, '?');
  assert.ok(await page.$eval('#help', (help) => help.open));
  await page.click('#help-close');
  const printed = await open(pageOf(traceOf('wsq'), 'wsq'));
  await printed.emulateMedia({ media: 'print' });
  assert.equal(await rows(printed, 'event'), readTrace('wsq').events.length);
  assert.equal(await printed.$eval('#toolbar', (bar) => getComputedStyle(bar).display), 'none');
  await printed.setViewportSize({ width: 780, height: 400 }); // paper is narrow
  assert.ok(await printed.evaluate(() => document.querySelector('aside').getBoundingClientRect().top >=
    [...document.querySelectorAll('.row')].at(-1).getBoundingClientRect().bottom), 'the rows end before the panes begin');
  await press(page, 'f');
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
  assert.match(await text(page, '.left-out'), /rows are not printed/); // nobody reads a hundred pages
  assert.ok(await page.$$eval('.row .event', (cells) => cells.length > 100 && cells.length < 500));
  assert.ok(await page.$('#row-1') && await page.$(`#row-${readTrace('livelock').events.length}`));
  return page;
});

async function takePictures(directory) {
  fs.mkdirSync(directory, { recursive: true });
  for (const [name, picture, colorScheme] of [['wsq', 'assertion', 'light'], ['deadlock_abba', 'deadlock', 'light'],
    ['counter_plain', 'race', 'light'], ['livelock', 'livelock', 'dark'], ['buffer', 'tutorial', 'light']]) {
    const page = await open(pageOf(traceOf(name), name), { colorScheme, viewport: { width: 1280, height: 700 } });
    await page.screenshot({ path: path.join(directory, `page-${picture}.png`) });
    await page.close();
  }
}

async function main() {
  let passed = 0, failed = 0;
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ['--no-sandbox', '--disable-gpu'],
    timeout: PATIENCE });
  if (process.env.SCREENSHOTS) await takePictures(process.env.SCREENSHOTS);
  for (const { name, run } of tests) {
    try {
      const page = await run();
      if (page) assert.deepEqual(page.problems, []);
      passed++;
      console.log(`ok ${name}`);
    } catch (error) {
      failed++;
      console.log(`not ok ${name}\n${String(error.stack).replace(/^/gm, '#   ')}`);
    }
    for (const context of browser.contexts()) await context.close();
  }
  await browser.close();
  console.log(`${passed} passed, ${failed} failed`);
  process.exit(failed ? 1 : 0);
}
main().catch((error) => { console.error(error); process.exit(70); });
