// The page as a whole: what is selected, filtered and folded; the keyboard; the address.

const data = JSON.parse(document.getElementById('data').textContent);
const get = (id) => document.getElementById(id);
const timeline = new Timeline(get('timeline'), get('columns'), chooseRow);
const VERDICT_LETTERS = 160; // more only if its names can't be cut
const noTrace = { events: [], threads: [], places: [], failure: { accesses: [], at: -1, message: '' } };
let view = null;

function openTrace(number) {
  const trace = data.traces[number] || noTrace;
  const edges = findEdges(trace), objects = findObjects(trace);
  view = { trace, edges, objects, hidden: new Set(), object: '',
    folding: get('fold').getAttribute('aria-pressed') === 'true', allArrows: get('arrows').getAttribute('aria-pressed') === 'true',
    calls: findCalls(trace), toggled: new Set(), key: new Set(), unfolded: new Set(), oneFile: hasOneFile(trace), matching: null, selected: firstOfInterest(trace) };
  showVerdict();
  fillFilters();
  showFailure(get('failure'), trace);
  if (!data.traces.length) get('failure').replaceChildren();
  showCoverage(get('search-done'), data.coverage);
  showPrinted(get('printed'), trace);
  timeline.show(view);
  showOverview(get('overview'), trace, goTo);
  followAddress() || goTo(view.selected, false);
}

function fewest(failure) {
  if (!failure.minimal) return '';
  return `; no execution with fewer preemptions fails${failure.minimal_of_its_kind ? ' in this way' : ''}`;
}

function showVerdict() {
  const failure = view.trace.failure, found = data.traces.length > 0;
  const startsWith = found && failure.message.startsWith(failure.title.split(' ')[0]);
  const verdict = found
    ? `${data.program}: ${startsWith ? '' : `${failure.title}: `}${failure.message}` : `${data.program}: no failure found`;
  get('verdict').textContent = shortenNames(verdict, VERDICT_LETTERS);
  get('verdict').title = document.title = verdict;
  document.body.classList.toggle('passed', !found);
  const plural = failure.preemptions === 1 ? '' : 's';
  const facts = found ? [failure.location && `at ${failure.location}`, failure.execution > 0 && `execution ${failure.execution.toLocaleString('en')}`,
    failure.preemptions >= 0 && `${failure.preemptions} preemption${plural}${fewest(failure)}`,
    found && `${failure.switches} switch${failure.switches === 1 ? '' : 'es'}`,
    failure.simplest, failure.inflection_event === undefined && failure.inflection,
    `${view.trace.events.length.toLocaleString('en')} events`,
    view.trace.events_lost > 0 && `${view.trace.events_lost} more were not logged`] : [`Mazur ${data.version}`];
  get('facts').replaceChildren(facts.filter(Boolean).join(' · '));
  if (found && view.trace.file) get('facts').append(' · ', copyable(`mazur replay ${shellWord(view.trace.file)}`));
  get('gist').replaceChildren(...(failure.gist || []).map((sentence, number) => make('p', {}, ...linked(`${number ? '' : 'In short: '}${sentence}.`))));
}

// Every "#14" of a sentence leads to its event, which is one of those that matter.
// Events are named "(#3)" or "(file:7, #3)"; a "#2" inside a name counts blocks of one line.
function linked(sentence) {
  return sentence.split(/((?<=\(|, )#\d+(?=\)))/).map((part) => {
    const index = /^#\d+$/.test(part) ? Number(part.slice(1)) - 1 : -1;
    if (index < 0 || index >= view.trace.events.length) return part;
    view.key.add(index);
    return eventLink(index);
  });
}

function fillFilters() {
  get('who').textContent = isModel(view.trace) ? 'Processes' : 'Threads';
  get('threads').replaceChildren(...view.trace.threads.map((thread, number) => {
    const box = make('input', { type: 'checkbox', checked: 'checked', 'data-thread': number });
    box.addEventListener('change', () => {
      if (box.checked) view.hidden.delete(number); else view.hidden.add(number);
      refresh();
    });
    return make('label', { class: `thread-${number % 8}` }, box, ` ${thread.label} `);
  }));
  const names = [...view.objects].sort((a, b) => b[1].threads.size - a[1].threads.size || b[1].count - a[1].count);
  get('object').replaceChildren(make('option', { value: '' }, 'all'),
    ...names.map(([name, object]) => make('option', { value: name }, `${name} (${object.count})`)));
}

function refresh() {
  timeline.show(view);
  select(view.selected, false);
}

// --- Selection and address ---------------------------------------------------------------------

function select(index, address = true) {
  const count = view.trace.events.length;
  view.selected = Math.max(0, Math.min(index, count - 1));
  if (!count) return;
  if (!timeline.rowOf.has(view.selected)) timeline.render(); else timeline.reveal(view.selected);
  showEvent(get('event'), view);
  showSources(get('sources'), view, data.sources);
  showValues(get('values'), view);
  if (address) history.replaceState(null, '', `#event-${view.selected + 1}`);
}

function unfold(index) {
  const row = timeline.rows[timeline.rowOf.get(index)];
  if (row && row.type === 'fold') {
    view.unfolded.add(row.index);
    timeline.show(view);
    unfold(index); // a call that is closed
  } else if (row && row.call && row.index !== index) {
    toggleCall(row.call);
  }
}

function toggleCall(call) {
  if (!view.toggled.delete(call.begin)) view.toggled.add(call.begin);
  timeline.show(view);
}

// A link to an event must show it, whatever is folded or filtered.
function goTo(index, address) {
  if (!timeline.rowOf.has(index)) clearFilters();
  unfold(index);
  select(index, address);
}

function followAddress() {
  const match = /^#event-(\d+)$/.exec(location.hash);
  if (!match || Number(match[1]) < 1 || Number(match[1]) > view.trace.events.length) return false;
  goTo(Number(match[1]) - 1, false);
  return true;
}

function chooseRow(row) {
  if (row.type === 'fold') unfold(row.index);
  if (row.call) toggleCall(row.call);
  select(row.index);
}

// --- Filters -----------------------------------------------------------------------------------

function clearFilters() {
  view.hidden.clear();
  view.object = get('object').value = '';
  get('search').value = '';
  findMatches();
  get('threads').querySelectorAll('input').forEach((box) => { box.checked = true; });
  refresh();
}

function toggle(button, field) {
  view[field] = !view[field];
  button.setAttribute('aria-pressed', String(view[field]));
  if (field === 'folding') { view.unfolded.clear(); view.toggled.clear(); }
  refresh();
}

function findMatches() {
  const wanted = get('search').value.toLowerCase();
  view.matching = wanted ? new Set() : null;
  if (wanted)
    view.trace.events.forEach((event, index) => {
      const text = `${event.words} ${event.why || ''} ${event.location || ''} ${event.label || ''} ${label(view.trace, event.thread)}`;
      if (text.toLowerCase().includes(wanted)) view.matching.add(index);
    });
  get('matches').textContent = wanted ? `${view.matching.size} found` : '';
}

function step(accepts, direction) {
  const events = view.trace.events;
  for (let index = view.selected + direction; index >= 0 && index < events.length; index += direction)
    if (timeline.rowOf.has(index) && accepts(events[index], index)) { unfold(index); select(index); return; }
}

// To the next row with an event; a fold counts as one, and is opened by going there.
function stepRow(direction) {
  for (let position = timeline.rowOf.get(view.selected) + direction; timeline.rows[position]; position += direction) {
    const row = timeline.rows[position];
    if (row.type === 'event') { select(row.index); return; }
    if (row.type === 'fold') { unfold(row.index); select(direction > 0 ? row.index : row.end - 1); return; }
  }
}

// --- Keyboard ----------------------------------------------------------------------------------

function changeTheme() {
  const dark = document.documentElement.dataset.theme ? document.documentElement.dataset.theme === 'dark'
    : matchMedia('(prefers-color-scheme: dark)').matches;
  document.documentElement.dataset.theme = dark ? 'light' : 'dark';
}

const keys = {
  ArrowUp: () => stepRow(-1),
  ArrowDown: () => stepRow(1),
  ArrowLeft: () => step((event) => event.thread === view.trace.events[view.selected].thread, -1),
  ArrowRight: () => step((event) => event.thread === view.trace.events[view.selected].thread, 1),
  '[': () => step((event) => event.switch, -1),
  ']': () => step((event) => event.switch, 1),
  '{': () => step((event) => event.switch === 'preempted', -1),
  '}': () => step((event) => event.switch === 'preempted', 1),
  c: () => { const button = get('event').querySelector('.copy'); if (button) button.click(); },
  i: () => { const event = view.trace.failure.inflection_event; if (event !== undefined) goTo(event); },
  Home: () => goTo(0),
  End: () => goTo(view.trace.events.length - 1),
  Enter: () => { const edge = view.edges.find((each) => each.to === view.selected); if (edge) goTo(edge.from); },
  n: () => step((event, index) => view.matching && view.matching.has(index), 1),
  N: () => step((event, index) => view.matching && view.matching.has(index), -1),
  '/': () => get('search').focus(),
  f: () => toggle(get('fold'), 'folding'),
  o: () => { const call = view.calls.get(view.selected); if (call) { toggleCall(call); select(view.selected); } },
  a: () => toggle(get('arrows'), 'allArrows'),
  d: changeTheme,
  Escape: clearFilters,
  '?': () => get('help').showModal(),
};

document.addEventListener('keydown', (press) => {
  const target = press.target, typing = /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName) && target.type !== 'checkbox';
  if (press.ctrlKey || press.metaKey || press.altKey || get('help').open || !view.trace.events.length) return;
  if (typing) {
    if (press.key === 'Escape') { clearFilters(); get('timeline').focus(); press.preventDefault(); }
    return;
  }
  if (press.key === 'Enter' && target !== get('timeline') && target !== document.body) return;
  if (!Object.hasOwn(keys, press.key)) return;
  press.preventDefault();
  keys[press.key]();
});

get('search').addEventListener('input', () => { findMatches(); timeline.render(); });
get('search').addEventListener('keydown', (press) => {
  if (press.key !== 'Enter') return;
  get('timeline').focus();
  const first = [...(view.matching || [])].find((index) => index >= view.selected) ?? [...(view.matching || [])][0];
  if (first !== undefined) goToMatch(first);
  press.preventDefault();
  press.stopPropagation();
});
function goToMatch(index) {
  unfold(index);
  select(index);
}
get('object').addEventListener('change', () => { view.object = get('object').value; refresh(); });
get('fold').addEventListener('click', () => toggle(get('fold'), 'folding'));
get('arrows').addEventListener('click', () => toggle(get('arrows'), 'allArrows'));
get('theme').addEventListener('click', changeTheme);
get('keys').addEventListener('click', () => get('help').showModal());
get('help-close').addEventListener('click', () => get('help').close());
get('which').addEventListener('change', () => openTrace(Number(get('which').value)));
window.addEventListener('hashchange', followAddress);

get('pick').hidden = data.traces.length < 2;
get('which').append(...data.traces.map((trace, number) => make('option', { value: number }, `${number + 1}: ${trace.failure.message}`)));
if (data.traces.length && data.traces[0].events.length <= 60) { // few events: room for every arrow
  get('arrows').setAttribute('aria-pressed', 'true');
}
document.body.classList.toggle('no-events', !data.traces.some((trace) => trace.events.length));
openTrace(0);
if (document.activeElement === document.body) get('timeline').focus({ preventScroll: true });
