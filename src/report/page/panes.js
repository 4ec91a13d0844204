// The panes beside the timeline: the event, the failure's own block, sources, values, coverage.

const AROUND = 7; // source lines above and below the selected thread's line
const AROUND_OTHERS = 2;
const VALUES_SHOWN = 200;

function placeText(place) {
  if (!place) return '?';
  const where = place.file ? `${place.file}:${place.line || '?'}` : '';
  return [where, place.function].filter(Boolean).join(' ') || '?';
}

// The text, its names cut; the whole of it when the pointer rests there.
function shortened(text, most = 70) {
  const short = shortenNames(text, most);
  return short === text ? text : make('span', { title: text }, short);
}

// "std::map<…>::emplace<…>": the arguments of templates are left out.
function withoutArguments(name) {
  let depth = 0, short = '';
  for (const letter of name)
    if (letter === '<' && !/operator<?$/.test(short)) short += depth++ ? '' : '<…>';
    else if (letter === '>' && depth) depth--;
    else if (!depth) short += letter;
  return short;
}

// A function of a library is told by its name alone.
function frame(place) {
  if (!place.library || !place.function) return make('li', { class: place.library ? 'library' : undefined }, shortened(placeText(place)));
  return make('li', { class: 'library', title: placeText(place) }, shortened(withoutArguments(place.function)));
}

// Of the library, only the function that the user's innermost one called is shown; what is inside of it is folded, and
// so is what called the user's outermost function.
function stackList(trace, stack) {
  const places = (stack || []).map((number) => trace.places[number]);
  const own = places.findLastIndex((place) => !place.library) + 1 || places.length;
  const inside = Math.max(places.findIndex((place) => !place.library) - 1, 0), around = places.length - own;
  const list = make('ol', { class: 'stack', start: inside + 1 }, ...places.slice(inside, own).map(frame));
  if (!inside && !around) return list;
  const fold = (from, to) => from < to ? [make('details', { class: 'stack' },
    make('summary', { class: 'quiet' }, `${to - from} library frame${to - from === 1 ? '' : 's'}`),
    make('ol', { start: from + 1 }, ...places.slice(from, to).map(frame)))] : [];
  return make('div', {}, ...fold(0, inside), list, ...fold(own, places.length));
}

function shellWord(word) {
  return /^[\w./=:,+@%-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

// A command and a button that copies it.
function copyable(command) {
  const button = make('button', { type: 'button', class: 'copy', title: `copy: ${command}`, 'aria-label': `Copy: ${command}` }, 'Copy');
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(command);
      button.textContent = 'Copied';
    } catch (refused) { // then it is selected, to be copied by hand
      getSelection().selectAllChildren(button.previousElementSibling);
      button.textContent = 'Press Ctrl-C';
    }
    setTimeout(() => { button.textContent = 'Copy'; }, 1500);
  });
  return make('span', { class: 'command' }, make('code', {}, command), button);
}

// The whole execution from left to right: which thread ran, and the marks, each of which leads to its event.
const STRIPES = 400; // at most
function showOverview(pane, trace, go) {
  const count = trace.events.length, drawing = makeSvg('svg', { viewBox: `0 0 ${Math.max(count, 1)} 1`, preserveAspectRatio: 'none', 'aria-hidden': 'true' });
  for (let start = 0, end; start < count; start = end) {
    const least = start + Math.ceil(count / STRIPES);
    for (end = start + 1; end < count && (end < least || trace.events[end].thread === trace.events[start].thread);) end++;
    drawing.append(makeSvg('rect', { x: start, y: 0, width: end - start, height: 1, class: `thread-${Math.max(trace.events[start].thread, 0) % 8}` }));
  }
  let least = 0;
  const marks = findMarks(trace), wide = (pane.clientWidth || 600) - 24;
  const spread = Math.min(100 / marks.length, 2500 / wide); // percent from one button to the next
  const buttons = marks.map(({ index, mark, words }, number) => {
    const at = Math.max(least, Math.min(index / Math.max(count - 1, 1) * 100, 100 - spread * (marks.length - 1 - number)));
    least = at + spread;
    const button = make('button', { type: 'button', class: `mark ${{ '▶': 'preempted', '◆': 'inflection', '✗': 'end' }[mark]}`,
      title: words, 'aria-label': words, click: () => { go(index); get('timeline').focus({ preventScroll: true }); } }, mark);
    button.style.left = `calc((100% - 24px) * ${at / 100})`;
    return button;
  });
  pane.hidden = !count;
  pane.replaceChildren(drawing, ...buttons);
}

function userPlace(trace, stack) {
  const places = (stack || []).map((number) => trace.places[number]);
  return places.find((place) => place.file && !place.library) || places.find((place) => place.file);
}

function label(trace, thread) {
  return thread >= 0 && trace.threads[thread] ? trace.threads[thread].label : 'an unknown thread';
}

function showEvent(pane, view) {
  const { trace, selected, edges } = view, event = trace.events[selected];
  if (!event) { pane.replaceChildren(); return; }
  const facts = make('dl', {});
  const add = (name, ...what) => facts.append(make('dt', {}, name), make('dd', {}, ...what));
  if (event.object) add('object', make('code', {}, event.object), mutexOf(event) ? make('code', {}, `, ${event.second}`) : '');
  if (event.after !== undefined) {
    const before = event.before_text || showValue(event.before, event.size);
    const after = event.after_text || showValue(event.after, event.size);
    add('value', event.flags & WRITES ? `${before} → ${after}` : before, event.size ? ` (${event.size} bytes)` : '');
  }
  if (event.order) add('memory order', event.order);
  if (event.label) add('label', event.label);
  for (const change of event.changes || []) add(change.name, `${change.before} → ${change.after}`);
  const verbs = { reads: ['sees the write of', 'is seen by'], hands: ['gets it from', 'hands it to'],
    sends: ['receives from', 'received by'], wakes: ['woken by', 'wakes'], creates: ['created by', 'creates'], joins: ['joins', 'joined by'] };
  edges.forEach((edge) => {
    const to = edge.to === selected;
    if (!to && edge.from !== selected) return;
    const other = to ? edge.from : edge.to;
    add(verbs[edge.kind][to ? 0 : 1], `${label(trace, trace.events[other].thread)} `, eventLink(other));
  });
  const debug = trace.file && !isModel(trace) && copyable(`mazur debug ${shellWord(trace.file)} -- -ex 'mazur goto ${selected + 1}'`);
  pane.replaceChildren(...[make('h2', {}, shortened(`#${selected + 1} ${label(trace, event.thread)}: ${event.words}`, 120)), facts,
    debug, stackList(trace, event.stack)].filter(Boolean));
}

// --- The failure -------------------------------------------------------------------------------

function stuckBlock(trace) {
  const list = make('ul', {});
  trace.threads.forEach((thread, number) => {
    if (thread.state !== 'blocked' && thread.state !== 'spinning') return;
    const item = make('li', {}, make('b', {}, thread.label), thread.state === 'spinning' ? ' spins: ' : ' waits for: ',
      thread.waits || '?');
    if (thread.waits_for >= 0 && !/^join/.test(thread.waits || ''))
      item.append(`, which ${thread.waits_for === number ? 'it' : label(trace, thread.waits_for)} holds`);
    const place = userPlace(trace, thread.stack);
    if (place) item.append(', at ', make('code', {}, shortened(placeText(place))));
    const locks = thread.locks.map((lock) => make('li', {}, 'holds ', make('code', {}, lock.name),
      lock.taken ? `, taken at ${placeText(trace.places[lock.taken[0]])}` : ''));
    if (locks.length) item.append(make('ul', {}, ...locks));
    list.append(item);
  });
  return list;
}

function waitCycle(trace) {
  for (let start = 0; start < trace.threads.length; start++) {
    const cycle = [start];
    for (let at = trace.threads[start].waits_for; at >= 0 && cycle.length <= trace.threads.length;
      at = trace.threads[at].waits_for === undefined ? -1 : trace.threads[at].waits_for) {
      if (at === start) return cycle;
      if (cycle.includes(at)) break;
      cycle.push(at);
    }
  }
  return null;
}

// Who waits for whom, in a ring.
function drawCycle(trace, cycle) {
  const size = 250, side = 100, radius = cycle.length === 1 ? 0 : 82, middle = size / 2; // `side`: for the words
  const drawing = makeSvg('svg', { class: 'cycle', viewBox: `${-side} 0 ${size + 2 * side} ${size}`, role: 'img',
    'aria-label': `wait-for cycle: ${[...cycle, cycle[0]].map((thread) => label(trace, thread)).join(' waits for ')}` });
  const spot = (number) => {
    const angle = (2 * Math.PI * number) / cycle.length - Math.PI / 2;
    return [middle + radius * Math.cos(angle), middle + radius * Math.sin(angle)];
  };
  cycle.forEach((thread, number) => {
    const [x1, y1] = spot(number), [x2, y2] = spot((number + 1) % cycle.length);
    const long = Math.hypot(x2 - x1, y2 - y1) || 1, ux = (x2 - x1) / long, uy = (y2 - y1) / long;
    const cx = (x1 + x2) / 2 - uy * 34, cy = (y1 + y2) / 2 + ux * 34; // the curve's control point
    const dx = x2 - cx, dy = y2 - cy, away = Math.hypot(dx, dy) || 1;
    const ex = x2 - (dx / away) * 27, ey = y2 - (dy / away) * 27;
    drawing.append(makeSvg('path', { class: 'arrow hands near', d: `M${x1},${y1} Q${cx},${cy} ${ex},${ey}` }));
    const tip = makeSvg('path', { class: 'tip hands near', d: 'M0,0 l-9,-5 l0,10 z' });
    tip.setAttribute('transform', `translate(${ex},${ey}) rotate(${(Math.atan2(dy, dx) * 180) / Math.PI})`);
    drawing.append(tip);
    const anchor = cx > middle + 9 ? 'start' : cx < middle - 9 ? 'end' : 'middle';
    const words = makeSvg('text', { x: cx - uy * 2, y: cy + ux * 22 + 4, class: `why ${anchor}` });
    const whole = makeSvg('title', {});
    whole.textContent = trace.threads[thread].waits || '';
    words.append(shortenNames(whole.textContent, 30), whole);
    drawing.append(words);
  });
  cycle.forEach((thread, number) => {
    const [x, y] = spot(number);
    drawing.append(makeSvg('circle', { cx: x, cy: y, r: 24, class: `node thread-${thread % 8}` }));
    const words = makeSvg('text', { x, y: y + 4 });
    words.textContent = label(trace, thread);
    drawing.append(words);
  });
  return drawing;
}

function lostWakeups(trace) {
  return trace.threads.filter((thread) => thread.lost_wakeup !== undefined).map((thread) => {
    const index = thread.lost_wakeup, event = trace.events[index];
    return make('p', { class: 'warning' }, 'Lost wake-up: the ', eventLink(index, `${event.operation} #${index + 1}`),
      ` of ${label(trace, event.thread)} found nobody waiting for ${event.object}.`);
  });
}

function accessWords(access) {
  const kind = access.is_free ? 'free' : access.write ? 'write' : 'read';
  return `${access.atomic ? 'atomic ' : access.is_free ? '' : 'plain '}${kind} of ${access.object || '?'}`;
}

function locationOf(trace, stack) {
  const place = userPlace(trace, stack);
  return place && place.line ? `${place.file}:${place.line}` : '';
}

// The line of source that a stack's own code stands at, if the page has it.
function lineOf(trace, stack) {
  const place = userPlace(trace, stack), source = place && data.sources[place.file];
  return source && place.line ? snippet(source, place.file, place.line, 0) : null;
}

function accessBlock(trace, access, title) {
  const kind = access.is_free ? 'free' : access.write ? 'write' : 'read';
  return make('div', { class: `access thread-${Math.max(access.thread, 0) % 8}` },
    make('h3', {}, `${title}${access.atomic ? 'atomic ' : ''}${kind} by ${label(trace, access.thread)}`),
    lineOf(trace, access.stack),
    make('p', {}, make('code', {}, shortened(access.object || '?', 60)), access.size && !access.is_free ? `, ${access.size} bytes` : '',
      access.locks.length ? `, holding ${access.locks.join(', ')}` : ', holding no lock',
      access.event !== undefined ? ', after ' : '', access.event !== undefined ? eventLink(access.event) : ''),
    stackList(trace, access.stack));
}

function memoryBlock(trace, block) {
  const parts = [make('h3', {}, `Heap block of ${block.size} bytes, allocated by ${label(trace, block.allocated_by)}`),
    lineOf(trace, block.allocated), stackList(trace, block.allocated)];
  if (block.freed_by >= 0)
    parts.push(make('h3', {}, `Freed by ${label(trace, block.freed_by)}`), lineOf(trace, block.freed), stackList(trace, block.freed));
  return parts.filter(Boolean);
}

// A model's cycle begins where the failure says; a program's is found at the end of its trace.
function cycleBlock(trace) {
  const start = trace.failure.cycle, cycle = start ? { length: trace.events.length - start + 1 } : findCycle(trace);
  if (!cycle) return [];
  const first = trace.events.length - cycle.length;
  return [make('h3', {}, `These ${cycle.length} events are repeated ${start ? 'for ever' : `(${cycle.times} times at the end)`}`),
    make('ol', { class: 'stack' }, ...trace.events.slice(first).map((event, number) =>
      make('li', {}, eventLink(first + number), ` ${label(trace, event.thread)}: ${event.words}`)))];
}

function callText(call) {
  return `${call.operation}(${call.arguments})`;
}

// Begins and ends of the operations of a tested container, time downwards, a column per thread.
function historyBlock(trace, history) {
  const threads = [...new Set(history.calls.map((call) => call.thread))].sort((a, b) => a - b);
  const moments = history.calls.flatMap((call) => [
    { at: call.begin, call, text: `${callText(call)} ${call.result === null ? 'waits for ever' : 'begins'}` },
    ...(call.result === null ? [] : [{ at: call.end, call, text: `${callText(call)} = ${call.result}` }])]);
  moments.sort((a, b) => a.at - b.at);
  const cells = (thread, text) => threads.map((other) => make('td', { class: `thread-${other % 8}` }, other === thread ? text : ''));
  const table = make('table', { class: 'history' },
    make('thead', {}, make('tr', {}, ...threads.map((thread) => make('th', { scope: 'col' }, label(trace, thread))))),
    make('tbody', {}, ...moments.map((moment) => make('tr', {}, ...cells(moment.call.thread, moment.text)))));
  const parts = [make('h3', {}, 'The history'), table, make('h3', {}, 'Why no serial order fits'),
    make('p', {}, `${history.fitting} of ${history.serial} serial histories make these calls and keep the order of calls that do not overlap.`)];
  if (history.orders.length)
    parts.push(make('ol', { class: 'stack' }, ...history.orders.map((order) => {
      const call = history.calls[order.differs], ends = (result) => result === null ? 'waits for ever' : `= ${result}`;
      return make('li', {}, `${order.calls.map((index) => callText(history.calls[index])).join(', ')}: there ${callText(call)} `,
        `${ends(order.serial_result)}, here ${ends(call.result)}`);
    })));
  return parts;
}

function waitingBlock(trace) {
  const cycle = waitCycle(trace); // there may be one beside a thread that goes on, too
  return [...(cycle ? [drawCycle(trace, cycle)] : []), ...lostWakeups(trace),
    ...(trace.failure.repeats ? cycleBlock(trace) : []), stuckBlock(trace)];
}

// By the block in the failure's row of failures.def. The others show the accesses, a cycle or the stack.
const failureBlocks = {
  waiting: waitingBlock,
  history: (trace) => trace.failure.history && historyBlock(trace, trace.failure.history),
};

function defaultBlock(trace) {
  const { accesses, cycle, stack } = trace.failure;
  if (accesses.length)
    return [make('div', { class: 'accesses' }, ...accesses.map((access, number) =>
      accessBlock(trace, access, accesses.length === 1 ? '' : ['first: ', 'second: '][number])))];
  if (cycle) return cycleBlock(trace);
  return stack ? [make('h3', {}, isModel(trace) ? 'Where' : 'Call stack'), stackList(trace, stack)] : [];
}

function showFailure(pane, trace) {
  const failure = trace.failure, parts = [make('h2', {}, `The failure: ${failure.title}`), make('p', {}, failure.message)];
  if (failure.inflection_event !== undefined)
    parts.push(make('p', {}, 'After ', eventLink(failure.inflection_event), ` every continuation fails.`));
  const block = failureBlocks[failure.shows];
  parts.push(...((block && block(trace)) || defaultBlock(trace)));
  if (failure.block) parts.push(...memoryBlock(trace, failure.block));
  if (failure.detail) parts.push(make('p', {}, failure.detail));
  pane.replaceChildren(...parts);
}

// --- Sources -----------------------------------------------------------------------------------

const sourceLines = new Map();

function snippet(source, file, line, around) {
  if (!sourceLines.has(file)) sourceLines.set(file, source.text.split('\n'));
  const lines = sourceLines.get(file), first = Math.max(1, line - around), last = Math.min(lines.length, line + around);
  const list = make('pre', { class: 'source', tabindex: '0' });
  for (let number = first; number <= last; number++)
    list.append(make('span', { class: number === line ? 'line here' : 'line', 'aria-current': number === line ? 'true' : undefined },
      make('span', { class: 'line-number', 'aria-hidden': 'true' }, String(number).padStart(5)), ` ${around ? lines[number - 1] : lines[number - 1].trim()}\n`));
  return list;
}

// Where threads stand at the end of the trace: at an access, at the failure, or waiting.
function finalPlaces(trace) {
  const places = new Map(), { accesses, at, stack } = trace.failure;
  const set = (thread, where) => { const place = userPlace(trace, where); if (place) places.set(thread, place); };
  trace.threads.forEach((thread, number) => { if (/^(blocked|spinning)$/.test(thread.state)) set(number, thread.stack); });
  if (at >= 0) set(at, stack);
  accesses.forEach((access) => set(access.thread, access.stack));
  return places;
}

// What a pane of sources says of one thread: a line, and the source around its place.
function sourceParts(trace, sources, thread, place, around, ...words) {
  const parts = [make('h3', { class: `thread-${thread % 8}` }, `${label(trace, thread)} `, ...words)];
  if (!place) return parts;
  const source = sources[place.file];
  parts[0].append(' ', shortened(placeText(place)));
  if (source && source.newer) parts.push(make('p', { class: 'warning' }, 'The file is newer than the trace.'));
  if (source && place.line) parts.push(snippet(source, place.file, place.line, around));
  else parts.push(make('p', { class: 'quiet' }, 'The source is not in this page.'));
  return parts;
}

// A process of a model stands before its next statement: the one of its next event, or the one that it would come to.
function processParts(trace, sources, thread, selected, around) {
  const later = trace.events.findIndex((event, index) => index > selected && event.thread === thread);
  const { stack, state, waits } = trace.threads[thread];
  if (later >= 0) return sourceParts(trace, sources, thread, userPlace(trace, trace.events[later].stack), around, 'before ', eventLink(later));
  if (trace.failure.at === thread && trace.failure.stack && !waits)
    return sourceParts(trace, sources, thread, userPlace(trace, trace.failure.stack), around, 'fails');
  const stuck = state === 'blocked' && selected === trace.events.length - 1;
  if (waits) return sourceParts(trace, sources, thread, userPlace(trace, stack), around, `${stuck ? 'waits for' : 'before'} ${waits}`);
  return sourceParts(trace, sources, thread, null, around, state === 'finished' ? 'has ended' : 'is at its end');
}

function showProcesses(view, sources, here) {
  const { trace, selected, hidden } = view, started = new Map();
  trace.events.forEach((event, index) => { if (starts(event)) started.set(event.other, index); });
  return trace.threads.map((_, thread) => thread)
    .filter((thread) => !hidden.has(thread) && !(started.get(thread) > selected))
    .sort((a, b) => (b === here) - (a === here) || a - b)
    .flatMap((thread) => processParts(trace, sources, thread, selected, thread === here ? AROUND : AROUND_OTHERS));
}

// A thread is at its latest event up to the selected one; before its first event, nowhere.
function showThreads(view, sources, here) {
  const { trace, selected, hidden } = view;
  const latest = new Map(), ended = new Map();
  for (let index = 0; index <= selected && index < trace.events.length; index++) {
    const { thread, stack, operation } = trace.events[index], place = userPlace(trace, stack);
    if (operation === 'thread-exit') ended.set(thread, index);
    if (place && (!place.library || !latest.has(thread))) latest.set(thread, index);
  }
  const order = [...latest.keys()].filter((thread) => !hidden.has(thread))
    .sort((a, b) => (b === here) - (a === here) || a - b);
  const final = selected === trace.events.length - 1 ? finalPlaces(trace) : new Map();
  return order.flatMap((thread) => {
    if (ended.has(thread) && !final.has(thread)) return sourceParts(trace, sources, thread, null, 0, eventLink(ended.get(thread)), ' has ended');
    const index = latest.get(thread), place = final.get(thread) || userPlace(trace, trace.events[index].stack);
    return sourceParts(trace, sources, thread, place, thread === here ? AROUND : AROUND_OTHERS, eventLink(index));
  });
}

function showSources(pane, view, sources) {
  const { trace, selected } = view, here = trace.events[selected] && trace.events[selected].thread, model = isModel(trace);
  pane.replaceChildren(make('h2', {}, `Where the ${model ? 'processes' : 'threads'} are`),
    ...(model ? showProcesses : showThreads)(view, sources, here));
}

// --- Values, coverage, output ------------------------------------------------------------------

function showValues(pane, view) {
  const { trace, selected } = view, values = valuesAt(trace, selected);
  if (!values.length) { pane.replaceChildren(); return; }
  const rows = values.slice(-VALUES_SHOWN).map((value) => make('tr', { class: value.event === selected ? 'changed' : undefined },
    make('td', {}, make('code', {}, value.name)), make('td', {}, value.hex ? showValue(value.hex, value.size) : value.value),
    make('td', {}, `${label(trace, trace.events[value.event].thread)} `, eventLink(value.event))));
  pane.replaceChildren(make('h2', {}, `Values after #${selected + 1}`), make('table', {},
    make('thead', {}, make('tr', {}, ...['object', 'value', 'since'].map((name) => make('th', { scope: 'col' }, name)))),
    make('tbody', {}, ...rows)));
}

function boundTable(bounds, titles, keys) {
  return make('table', { id: 'bounds' }, make('thead', {}, make('tr', {}, ...titles.map((name) => make('th', { scope: 'col' }, name)))),
    make('tbody', {}, ...bounds.map((row) => make('tr', {}, ...keys.map((key) => make('td', {}, row[key].toLocaleString('en')))))));
}

// Executions against distinct traces, bound by bound.
function plot(bounds) {
  const wide = 320, high = 150, left = 12, bottom = 22;
  const largest = Math.max(...bounds.map((row) => Math.max(row.executions, row.distinct)), 1);
  const drawing = makeSvg('svg', { class: 'plot', viewBox: `0 0 ${wide} ${high}`, role: 'img',
    'aria-label': 'executions and distinct traces by bound' });
  const x = (number) => left + ((wide - 2 * left) * (number + 0.5)) / bounds.length;
  const y = (value) => high - bottom - ((high - bottom - 12) * value) / largest;
  for (const key of ['executions', 'distinct']) {
    drawing.append(makeSvg('polyline', { class: key, points: bounds.map((row, number) => `${x(number)},${y(row[key])}`).join(' ') }));
    bounds.forEach((row, number) => drawing.append(makeSvg('circle', { class: key, cx: x(number), cy: y(row[key]), r: 3 })));
  }
  bounds.forEach((row, number) => {
    const words = makeSvg('text', { x: x(number), y: high - 6 });
    words.textContent = row.bound;
    drawing.append(words);
  });
  return drawing;
}

function showCoverage(pane, coverage) {
  if (!coverage) { pane.replaceChildren(); return; }
  const count = (number) => number.toLocaleString('en');
  if (coverage.states !== undefined) { // a model
    pane.replaceChildren(make('h2', {}, 'What was searched'), make('p', {}, coverage.sentence),
      make('ul', { class: 'warning' }, ...coverage.weaknesses.map((text) => make('li', {}, text))),
      ...(coverage.bounds.length ? [boundTable(coverage.bounds, ['bound done', 'states', 'transitions'], ['bound', 'states', 'transitions'])] : []));
    return;
  }
  const parts = [make('h2', {}, 'What was searched'), make('p', {}, coverage.bound_done >= 0 || coverage.complete ? coverage.sentence
    : `${count(coverage.executions)} executions up to the failure`)];
  if (coverage.weaknesses.length) parts.push(make('ul', { class: 'warning' }, ...coverage.weaknesses.map((text) => make('li', {}, text))));
  if (coverage.bounds.length) {
    parts.push(boundTable(coverage.bounds, ['bound done', 'executions', 'distinct traces'], ['bound', 'executions', 'distinct']));
    if (coverage.bounds.length > 1)
      parts.push(plot(coverage.bounds), make('p', { class: 'legend' }, make('span', { class: 'executions' }, '— executions '),
        make('span', { class: 'distinct' }, '— distinct traces'), ' (after each bound)'));
  }
  parts.push(make('p', { class: 'quiet' }, `strategy ${coverage.strategy}, ${count(coverage.executions)} executions, ` +
    `${count(coverage.distinct)} distinct, ${count(coverage.steps)} operations`));
  pane.replaceChildren(...parts);
}

function showPrinted(pane, trace) {
  pane.replaceChildren(...(trace.output ? [make('h2', {}, 'The program printed'), make('pre', { class: 'output' }, trace.output)] : []));
}
