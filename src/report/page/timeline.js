// The timeline: rows of one height, of which only those near the window exist in the document,
// so that a trace of any length scrolls alike. Everything is put in as text.

const ROW = 26; // pixels; style.css has the same
const SPARE = 20; // rows kept above and below the window
const ARROWS_AT_MOST = 400; // drawn at once
const LETTER = 6.6; // pixels of an average letter of a sentence
const PRINTED = 120; // rows at the beginning and at the end that are worth their paper
const GAP = 20; // pixels at the end of a column that are left to arrows; style.css has the same
const LANES = { creates: 14, joins: 14, reads: 11, sends: 11, hands: 8, wakes: 5 };
const BEND = 5;

function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name === 'click') element.addEventListener('click', value);
    else if (value !== undefined && value !== false) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== undefined && child !== null));
  return element;
}

function makeSvg(tag, attributes) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

function eventLink(index, text) {
  return make('a', { href: `#event-${index + 1}` }, text || `#${index + 1}`);
}

// Along the row where it starts, which no other thread has anything in, to the gap at the end of a
// column, and down there: no text lies under it. Each kind has a lane of its own in the gap.
function arrow(from, to, kind, near) {
  const forward = to.left > from.left, side = forward ? 1 : -1, down = to.y > from.y ? BEND : -BEND;
  const x1 = forward ? from.right - GAP : from.left, x2 = forward ? to.left : to.right - GAP;
  const lane = (forward ? to.left : to.right) - LANES[kind], classes = `${kind} ${near ? 'near' : ''}`;
  const path = `M${x1},${from.y} H${lane - side * Math.min(BEND, side * (lane - x1))} Q${lane},${from.y} ${lane},${from.y + down}` +
    ` V${to.y - down} Q${lane},${to.y} ${x2},${to.y}`;
  return [makeSvg('path', { class: `arrow ${classes}`, d: path }),
    makeSvg('path', { class: `tip ${classes}`, d: `M${x2},${to.y} l${forward ? -7 : 7},-4 l0,8 z` })];
}

class Timeline {
  constructor(grid, header, choose) {
    this.grid = grid;
    this.header = header;
    this.choose = choose;
    this.above = make('div', { class: 'spacer' });
    this.body = make('div', { role: 'rowgroup' });
    this.below = make('div', { class: 'spacer' });
    this.drawing = makeSvg('svg', { class: 'arrows', 'aria-hidden': 'true' });
    this.content = make('div', { class: 'content' }, this.above, this.body, this.below, this.drawing);
    grid.replaceChildren(this.content);
    grid.addEventListener('scroll', () => {
      header.scrollLeft = grid.scrollLeft;
      if (!this.waiting) this.waiting = requestAnimationFrame(() => { this.waiting = 0; this.render(); });
    });
    new ResizeObserver(() => this.render()).observe(grid);
    window.addEventListener('beforeprint', () => this.render(true));
    window.addEventListener('afterprint', () => this.render());
  }

  show(view) {
    this.view = view;
    this.rows = buildRows(view);
    this.rowOf = new Map();
    this.rows.forEach((row, position) => {
      if (row.type === 'event') this.rowOf.set(row.index, position);
      if (row.type === 'fold')
        for (let index = row.index; index < row.end; index++) this.rowOf.set(index, position);
    });
    this.threads = view.trace.threads.map((thread, number) => number).filter((number) => !view.hidden.has(number));
    this.columnOf = new Map(this.threads.map((number, column) => [number, column]));
    this.content.style.setProperty('--columns', this.threads.length || 1);
    this.header.style.setProperty('--columns', this.threads.length || 1);
    this.grid.setAttribute('aria-rowcount', this.rows.length);
    this.grid.setAttribute('aria-colcount', this.threads.length + 1);
    this.header.replaceChildren(make('div', { class: 'columns-inner' }, make('span', { class: 'number' }),
      ...this.threads.map((number) => {
        const thread = view.trace.threads[number];
        return make('span', { class: `head thread-${number % 8}` }, make('b', {}, thread.label),
          ` ${thread.function && thread.label !== thread.function ? thread.function : ''}`);
      })));
    this.shown = null;
    this.render();
  }

  cell(row) {
    const { trace } = this.view, event = trace.events[row.index];
    if (row.type === 'switch') {
      const preempted = event.switch === 'preempted';
      return ['switch' + (preempted ? ' preempted' : ''), event.from, preempted
        ? `▶ ${event.why}; ${trace.threads[event.thread].label} runs` : `· ${event.why}`];
    }
    if (row.type === 'fold')
      return ['fold', event.thread, `⋮ ${row.end - row.index} events that no other thread sees`];
    if (row.type === 'inflection') return ['inflection', event.thread, `◆ ${trace.failure.inflection}`];
    if (row.type === 'cycle') return ['loop', event.thread, '↻ from here on, for ever:'];
    if (row.type === 'access') return ['access-row', row.access.thread, `⚡ ${accessWords(row.access)}`];
    if (row.type === 'end') return ['end', trace.failure.at, `✗ ${trace.failure.message}`];
    return ['event', event.thread, event.words];
  }

  row(position) {
    const row = this.rows[position], view = this.view, { trace, selected, matching } = view;
    const [kind, thread, words] = this.cell(row), event = trace.events[row.index];
    const chosen = row.type === 'event' && row.index === selected;
    const column = this.columnOf.has(thread) ? this.columnOf.get(thread) : 0;
    const cell = make('span', { role: 'gridcell', 'aria-colindex': column + 2, title: words,
      class: `cell ${kind} thread-${Math.max(thread, 0) % 8}` }, make('span', { class: 'words' }, words));
    const where = row.type === 'event' ? event.location : row.type === 'access' ? locationOf(trace, row.access.stack) : '';
    if (where) cell.append(make('span', { class: 'place' }, where.replace(view.oneFile ? /^.*(?=:)/ : /^.*\//, '')));
    // a sentence may go on to the right edge; where that is too near, it comes from the left
    const leftwards = kind !== 'event' && column > 0 &&
      words.length * LETTER + 20 > (this.threads.length - column) * this.columnWidth();
    cell.classList.toggle('leftwards', leftwards);
    cell.style.gridColumn = kind === 'event' ? `${column + 2}` : leftwards ? `2 / ${column + 3}` : `${column + 2} / -1`;
    const line = make('div', { role: 'row', 'aria-rowindex': position + 1, 'aria-selected': chosen ? 'true' : 'false',
      id: row.type === 'event' ? `row-${row.index + 1}` : undefined,
      class: `row ${chosen ? 'selected' : ''} ${row.type === 'event' && view.key.has(row.index) ? 'key' : ''} ${row.type === 'event' && matching && matching.has(row.index) ? 'match' : ''}` },
    row.type === 'event' ? make('span', { class: 'number', role: 'rowheader' }, String(row.index + 1))
      : make('span', { class: 'number', 'aria-hidden': 'true' }), cell);
    line.addEventListener('click', () => this.choose(row));
    return line;
  }

  render(everything) {
    if (!this.view) return;
    const count = this.rows.length;
    const first = everything ? 0 : Math.max(0, Math.floor(this.grid.scrollTop / ROW) - SPARE);
    const last = everything ? count : Math.min(count, Math.ceil((this.grid.scrollTop + this.grid.clientHeight) / ROW) + SPARE);
    const lines = [];
    for (let position = first; position < last; position++) {
      if (everything && count > 2 * PRINTED && position === PRINTED) {
        position = count - PRINTED;
        lines.push(make('p', { class: 'left-out' }, `… ${(count - 2 * PRINTED).toLocaleString('en')} rows are not printed …`));
      }
      lines.push(this.row(position));
    }
    this.body.replaceChildren(...lines);
    this.above.style.height = `${first * ROW}px`;
    this.below.style.height = `${(count - last) * ROW}px`;
    this.drawArrows(first, last);
    const active = document.getElementById(`row-${this.view.selected + 1}`);
    if (active) this.grid.setAttribute('aria-activedescendant', active.id);
    else this.grid.removeAttribute('aria-activedescendant');
  }

  columnWidth() {
    return (this.content.clientWidth - 56) / (this.threads.length || 1);
  }

  // Where an event's cell is, in pixels of the content.
  place(index) {
    const position = this.rowOf.get(index), column = this.columnOf.get(this.view.trace.events[index].thread);
    if (position === undefined || column === undefined) return null;
    const wide = this.columnWidth();
    return { left: 56 + column * wide, right: 56 + (column + 1) * wide, y: position * ROW + ROW / 2, position };
  }

  drawArrows(first, last) {
    const { edges, selected, allArrows } = this.view, paths = [];
    this.drawing.style.height = `${this.rows.length * ROW}px`;
    for (const edge of edges) {
      const near = edge.from === selected || edge.to === selected;
      if (!near && !allArrows) continue;
      const from = this.place(edge.from), to = this.place(edge.to);
      if (!from || !to || from.position === to.position) continue;
      if (to.position < first || from.position > last) continue;
      paths.push(...arrow(from, to, edge.kind, near));
      if (paths.length >= 2 * ARROWS_AT_MOST) break;
    }
    const { cycle } = this.view.trace.failure;
    const back = cycle && this.place(this.view.trace.events.length - 1), start = cycle && this.place(cycle - 1);
    if (back && start) // the lasso, in the margin
      paths.push(makeSvg('path', { class: 'arrow loops near', d: `M14,${back.y} H5 V${start.y} H10` }),
        makeSvg('path', { class: 'tip loops near', d: `M16,${start.y} l-7,-4 l0,8 z` }));
    this.drawing.replaceChildren(...paths);
  }

  reveal(index) {
    const position = this.rowOf.get(index);
    if (position === undefined) return;
    const top = position * ROW, height = this.grid.clientHeight;
    if (top < this.grid.scrollTop + ROW || top > this.grid.scrollTop + height - 3 * ROW)
      this.grid.scrollTop = Math.max(0, top - height / 2);
    const place = this.place(index), wide = this.grid.clientWidth;
    if (place && (place.left < this.grid.scrollLeft + 56 || place.right > this.grid.scrollLeft + wide))
      this.grid.scrollLeft = Math.max(0, place.left - wide / 2);
    this.render();
  }
}
