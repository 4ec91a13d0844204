// What can be said about a trace, without a screen: who influences whom, which values hold at a
// point, what may be folded. Events are numbered from 0 here and from 1 on the screen.

const LOCK_WORDS = /^(lock|trylock|wake|rdlock|tryrdlock|wrlock|trywrlock|spin-lock|spin-trylock|sem-wait|sem-trywait|barrier-leave)$/;
const TAKES = /^(lock|trylock|wake|rdlock|tryrdlock|wrlock|trywrlock|spin-lock|spin-trylock)$/;
const GIVES = /^(unlock|rwunlock|spin-unlock)$/;
const WRITES = 2, FAILED = 256;
const CYCLE_LARGEST = 64;
const CALLS_SHOWN = 64; // a history of more calls is folded like everything else

// The mutex that a wait releases; other operations have no second object with a name.
function mutexOf(event) {
  return event.operation === 'wait' ? event.second : undefined;
}

// A model's processes stand where a program's threads do.
function isModel(trace) {
  return trace.events.some((event) => event.statement);
}

// Does it start a thread? In a model any statement may, by `run`.
function starts(event) {
  return event.operation === 'create' || (event.operation === 'statement' && event.other !== undefined);
}

// Arrows between threads: { from, to, kind } with kind reads, hands, sends, wakes, creates or joins.
function findEdges(trace) {
  const events = trace.events, edges = [];
  const firstOf = new Map(), lastOf = new Map(), woken = new Map(), waited = new Map();
  events.forEach((event, index) => {
    if (!firstOf.has(event.thread)) firstOf.set(event.thread, index);
    lastOf.set(event.thread, index);
  });
  const add = (from, to, kind) => edges.push({ from, to, kind });
  events.forEach((event, index) => {
    const operation = event.operation, source = event.reads_from;
    if (woken.has(event.thread)) {
      add(woken.get(event.thread), index, 'wakes');
      woken.delete(event.thread);
    }
    if (starts(event) && firstOf.get(event.other) > index)
      add(index, firstOf.get(event.other), 'creates');
    else if (operation === 'join' && lastOf.get(event.other) < index)
      add(lastOf.get(event.other), index, 'joins');
    else if (source !== undefined && events[source].thread !== event.thread &&
             operation !== 'join' && operation !== 'start') {
      const hands = LOCK_WORDS.test(operation) && !(event.flags & FAILED);
      // a wait gives its mutex away, too
      const wait = hands ? waited.get(`${events[source].thread} ${event.object}`) || 0 : 0;
      add(Math.max(source, wait), index, hands ? 'hands' : operation === 'receive' ? 'sends' : 'reads');
    }
    if (operation === 'wait') {
      waited.set(`${event.thread} ${event.second}`, index);
    } else if (/^(signal|broadcast|futex-wake)$/.test(operation) && event.other !== undefined) {
      (event.woken || [event.other]).forEach((thread) => woken.set(thread, index));
    }
  });
  return edges;
}

// Which objects more than one thread touches, with the number of events of each object.
function findObjects(trace) {
  const objects = new Map();
  trace.events.forEach((event) => {
    for (const name of [event.object, mutexOf(event)]) {
      if (!name) continue;
      if (!objects.has(name)) objects.set(name, { count: 0, threads: new Set() });
      const object = objects.get(name);
      object.count++;
      object.threads.add(event.thread);
    }
  });
  return objects;
}

// The shortest sequence that stands at the end at least twice: { length, times }, or null.
function findCycle(trace) {
  const key = (index) => {
    const event = trace.events[index];
    return `${event.thread} ${event.operation} ${event.object || ''} ${event.location || ''}`;
  };
  const count = trace.events.length;
  for (let length = 1; length <= CYCLE_LARGEST && 2 * length <= count; length++) {
    let same = 0;
    while (same < count - length && key(count - 1 - same) === key(count - 1 - same - length)) same++;
    if (same >= length) return { length, times: 1 + Math.floor(same / length) };
  }
  return null;
}

function showValue(hex, size) {
  const bits = size > 0 && size < 8 ? size * 8 : 64;
  const signed = BigInt.asIntN(bits, BigInt(hex));
  return signed > -65536n && signed < 4294967296n ? String(signed) : hex;
}

// One source file needs no naming in every cell.
function hasOneFile(trace) {
  return new Set(trace.events.map((event) => (event.location || '').replace(/:\d+$/, '')).filter(Boolean)).size <= 1;
}

// The value as its type shows it, otherwise as a number.
function shownValue(event, written) {
  const text = written ? event.after_text : event.before_text;
  return text ? { value: text } : { hex: written ? event.after : event.before, size: event.size };
}

// What holds after event `at`: [{ name, value, event }] in the order of first use; memory has
// { hex, size } instead of a value, which is made when it is shown. Locks have the holder as
// their value.
function valuesAt(trace, at) {
  const values = new Map();
  const set = (name, what, event) => {
    if (name) values.set(name, { name, event, ...what });
  };
  for (let index = 0; index <= at; index++) {
    const event = trace.events[index], failed = event.flags & FAILED;
    for (const change of event.changes || []) set(change.name, { value: change.after }, index);
    if (event.after !== undefined) {
      const writes = event.flags & WRITES;
      if (writes || !values.has(event.object))
        set(event.object, shownValue(event, writes), index);
    } else if (TAKES.test(event.operation) && !failed) {
      set(event.object, { value: `held by ${trace.threads[event.thread].label}` }, index);
    } else if (GIVES.test(event.operation)) {
      set(event.object, { value: 'free' }, index);
    } else if (event.operation === 'wait') {
      set(event.second, { value: 'free' }, index);
    }
  }
  return [...values.values()];
}

// Plain accesses are no events; those that the failure is about stand behind the event before them.
function findAccesses(trace) {
  const accesses = new Map();
  (trace.failure.accesses || []).forEach((access) => {
    if (access.event === undefined) return;
    if (!accesses.has(access.event)) accesses.set(access.event, []);
    accesses.get(access.event).push(access);
  });
  return accesses;
}

// Calls of a tested container: { begin, end, words, inner } by the event that begins them. One that nothing came
// between, and that nothing points into, is closed at first.
function findCalls(trace) {
  const calls = new Map(), open = new Map();
  trace.events.forEach((event, index) => {
    const call = open.get(event.thread);
    if (event.operation === 'history-begin') {
      calls.set(index, { begin: index, words: event.object, inner: [], closed: false });
      open.set(event.thread, calls.get(index));
    } else if (call) {
      call.inner.push(index);
      if (event.operation === 'history-end') {
        Object.assign(call, { end: index, words: event.object, closed: index - call.begin === call.inner.length });
        open.delete(event.thread);
      }
    }
  });
  const named = [trace.failure.inflection_event, ...findAccesses(trace).keys()];
  for (const call of calls.values())
    if (call.inner.some((index) => named.includes(index) || trace.events[index].why)) call.closed = false;
  return calls;
}

// Which events are inside calls that are closed; or, with `opened`, inside those that the reader has opened.
function findInner(view, opened) {
  const inner = new Set();
  for (const call of view.calls.values())
    if (opened ? call.closed && view.toggled.has(call.begin) : isClosed(view, call))
      call.inner.forEach((index) => inner.add(index));
  return inner;
}

function isClosed(view, call) {
  return (view.folding && call.closed) !== view.toggled.has(call.begin);
}

// A switch into a cycle is part of it if it is made in every round.
function repeatsSwitch(trace) {
  return trace.events.at(-1).thread !== trace.events[trace.failure.cycle - 1].thread;
}

// The rows of the timeline: { type: 'event' | 'switch' | 'fold' | 'access' | 'inflection' | 'cycle' | 'end', index, … }.
// What the text report folds is folded here: runs of events that it leaves out, of any thread.
function buildRows(view) {
  const { trace, hidden, object, folding, unfolded } = view, { events, failure } = trace, rows = [];
  const accesses = findAccesses(trace), closed = findInner(view, false), opened = findInner(view, true);
  const shows = (event) => !hidden.has(event.thread) &&
    (!object || event.object === object || mutexOf(event) === object);
  const fewCalls = view.calls.size <= CALLS_SHOWN;
  const folds = (index) => folding && !object && events[index] && events[index].folded && !accesses.has(index) &&
    !(fewCalls && view.calls.has(index)) && !opened.has(index);
  for (let index = 0; index < events.length; index++) {
    const event = events[index];
    if (folds(index)) {
      let end = index;
      while (folds(end)) end++;
      if (!unfolded.has(index)) {
        const inside = events.slice(index, end).filter((event, offset) => shows(event) && !closed.has(index + offset));
        if (inside.length) rows.push({ type: 'fold', index, end, count: inside.length, switches: inside.filter((each) => each.why).length });
        index = end - 1;
        continue;
      }
      for (; index < end; index++) addEventRows(index);
      index = end - 1;
      continue;
    }
    addEventRows(index);
  }
  if (events.length) rows.push({ type: 'end', index: events.length - 1 });
  return rows;

  function addEventRows(index) {
    const event = events[index], loops = failure.cycle === index + 1, early = loops && repeatsSwitch(trace);
    if (early) rows.push({ type: 'cycle', index });
    if (shows(event) && event.why && !hidden.has(event.from)) rows.push({ type: 'switch', index });
    if (loops && !early) rows.push({ type: 'cycle', index });
    if (!shows(event) || closed.has(index)) return;
    rows.push({ type: 'event', index, call: view.calls.get(index) });
    for (const access of accesses.get(index) || []) rows.push({ type: 'access', index, access });
    if (index === failure.inflection_event) rows.push({ type: 'inflection', index });
  }
}

// The threads that do something in these rows; the others need no column.
function threadsIn(trace, rows) {
  const found = new Set(trace.failure.at >= 0 ? [trace.failure.at] : []);
  for (const row of rows) {
    const event = trace.events[row.index];
    if (row.type === 'event') found.add(event.thread);
    else if (row.type === 'switch' && event.from >= 0) found.add(event.from);
    else if (row.type === 'access' && row.access.thread >= 0) found.add(row.access.thread);
  }
  return found;
}

// What the eye looks for: { index, mark, words } of preemptions, the inflection point and the failure.
function findMarks(trace) {
  const marks = [], { failure, events } = trace;
  events.forEach((event, index) => {
    if (event.switch === 'preempted') marks.push({ index, mark: '▶', words: `${event.why}, before #${index + 1}` });
    if (index === failure.inflection_event) marks.push({ index, mark: '◆', words: `#${index + 1}: ${failure.inflection}` });
  });
  if (events.length) marks.push({ index: events.length - 1, mark: '✗', words: failure.message });
  return marks;
}

// Where a reader begins: at the first preemption, else where the failure becomes certain, else at the failure.
function firstOfInterest(trace) {
  const mark = findMarks(trace).find((each) => each.mark === '▶') || findMarks(trace).find((each) => each.mark === '◆');
  return mark ? mark.index : trace.events.length - 1;
}

const SHORT_NAME = 18; // a name of so many letters is not cut

// How many letters stay before the cut. An index is kept where possible: it may be all that distinguishes two names.
function headOfCut(letters, room) {
  const usual = Math.floor((room - 1) * 2 / 5), gone = letters.length - (room - 1);
  for (let step = 0; step < room; step++)
    for (const head of [usual + step, usual - step])
      if (head >= 0 && head < room && !letters.slice(head, head + gone).some((letter) => letter === '[' || letter === ']')) return head;
  return usual;
}

// Cut the longest names of a text in the middle until it has `most` letters. Numbers and other values stay whole.
function shortenNames(text, most) {
  if (text.length <= most) return text;
  const words = text.split(' ');
  let length = [...text].length;
  while (length > most) {
    let longest = -1;
    words.forEach((word, number) => {
      if (/^[`'"(*&]*[A-Za-z_~:]/.test(word) && word.length > SHORT_NAME && (longest < 0 || word.length > words[longest].length)) longest = number;
    });
    if (longest < 0) break;
    const letters = [...words[longest]], room = Math.max(SHORT_NAME, letters.length - (length - most));
    if (room >= letters.length) break;
    const head = headOfCut(letters, room);
    words[longest] = `${letters.slice(0, head).join('')}…${letters.slice(letters.length - (room - 1 - head)).join('')}`;
    length -= letters.length - room;
  }
  return words.join(' ');
}
