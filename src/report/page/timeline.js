// The timeline: rows of one height, of which only those near the window exist in the document,
// so that a trace of any length scrolls alike. Everything is put in as text.

const ROW = 26, TALL_ROW = 52; // pixels, on a wide and on a narrow screen; style.css has the same
const NUMBERS = 56, NARROW_NUMBERS = 40; // pixels of the column of numbers
const NARROW = 600; // pixels: a timeline of less has no columns, its rows have two lines
const STEP_LEAST = 34, STEP_MOST = 230; // pixels from column to column
const TIGHT = 50; // pixels: the names of columns that are no further apart are small
const LAST_COLUMN = 330; // pixels, if there are so many
const SPARE = 20; // rows kept above and below the window
const ARROWS_AT_MOST = 400; // drawn at once
const LETTER = 7.6, SENTENCE_LETTER = 6.6; // pixels of a letter of the words of an event, and of an average one of a sentence
const PLACE_LETTER = 6.5; // and of a place
const NAME_SHOWN = 44; // letters of a name beside values that must be seen
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
  const x1 = forward ? Math.max(from.left, from.right - GAP) : from.left, x2 = forward ? to.left : to.right - GAP;
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
    new ResizeObserver(() => { if (this.view) { this.layOut(); this.render(); } }).observe(grid);
    window.addEventListener('beforeprint', () => this.render(true));
    window.addEventListener('afterprint', () => this.render());
  }

  show(view) {
    this.view = view;
    this.rows = buildRows(view);
    this.rowOf = new Map();
    this.rows.forEach((row, position) => {
      if (row.type === 'event') this.rowOf.set(row.index, position);
      if (row.call && isClosed(view, row.call)) row.call.inner.forEach((index) => this.rowOf.set(index, position));
      if (row.type === 'fold')
        for (let index = row.index; index < row.end; index++) this.rowOf.set(index, position);
    });
    const active = threadsIn(view.trace, this.rows);
    this.threads = view.trace.threads.map((thread, number) => number).filter((number) => active.has(number) && !view.hidden.has(number));
    this.columnOf = new Map(this.threads.map((number, column) => [number, column]));
    this.grid.setAttribute('aria-rowcount', this.rows.length);
    this.grid.setAttribute('aria-colcount', this.threads.length + 1);
    this.header.replaceChildren(make('div', { class: 'columns-inner' }, make('span', { class: 'number' }),
      ...this.threads.map((number) => {
        const thread = view.trace.threads[number];
        const title = `${thread.label} ${thread.function || ''}`.trim();
        return make('span', { class: `head thread-${number % 8}`, title }, make('b', {}, thread.label),
          make('span', {}, ` ${thread.function && thread.label !== thread.function ? thread.function : ''}`));
      })));
    const last = this.header.querySelector('.head:last-child');
    if (last) last.style.gridColumn = `${this.threads.length + 1} / -1`;
    this.layOut();
    this.render();
  }

  // Columns stand a step apart, the last one has the rest; a text runs over its empty neighbours. The content is as
  // wide as its longest text.
  layOut() {
    const wide = this.grid.clientWidth || 1, count = Math.max(this.threads.length, 1);
    this.narrow = wide < NARROW;
    this.height = this.narrow ? TALL_ROW : ROW;
    this.left = this.narrow ? NARROW_NUMBERS : NUMBERS;
    const room = wide - this.left - Math.min(LAST_COLUMN, wide * 0.45);
    this.step = this.narrow ? 0 : Math.max(STEP_LEAST, Math.min(STEP_MOST, room / Math.max(count - 1, 1)));
    let longest = 0;
    if (!this.narrow)
      for (const row of this.rows)
        if (this.cell(row)[2].length * LETTER + 24 > longest) longest = Math.max(longest, this.wordsWidth(row));
    this.width = Math.max(wide, this.left + longest, this.narrow ? 0 : this.left + this.step * (count - 1) + 160);
    for (const element of [this.content, this.header]) {
      element.style.setProperty('--columns', Math.max(count - 1, 1)); // CSS has no repeat(0)
      element.style.setProperty('--step', `${count > 1 ? this.step : 0}px`);
      element.style.setProperty('--numbers', `${this.left}px`);
      element.style.setProperty('--width', `${this.width}px`);
    }
    this.grid.parentElement.classList.toggle('narrow', this.narrow);
    this.header.classList.toggle('tight', this.step < TIGHT);
  }

  // The words of a row as they are shown: names are cut, values are not.
  words(row) {
    const [kind, thread, words] = this.cell(row), letter = kind === 'event' ? LETTER : SENTENCE_LETTER;
    const room = Math.floor((this.grid.clientWidth - this.left - 30) / letter);
    return [kind, thread, words, shortenNames(words, this.narrow ? Math.floor(1.6 * Math.max(room, 20)) : Math.max(NAME_SHOWN, room - 12))];
  }

  wordsWidth(row) {
    const [kind, , , shown] = this.words(row);
    return [...shown].length * (kind === 'event' ? LETTER : SENTENCE_LETTER) + 24;
  }

  cell(row) {
    const { trace } = this.view, event = trace.events[row.index];
    if (row.type === 'switch') {
      const preempted = event.switch === 'preempted';
      return ['switch' + (preempted ? ' preempted' : ''), event.from, preempted
        ? `▶ ${event.why}; ${trace.threads[event.thread].label} runs` : `· ${event.why}`];
    }
    if (row.type === 'fold')
      return ['fold', -1, `⋮ ${row.count} event${row.count === 1 ? '' : 's'}${row.switches ? `, ${row.switches} switch${row.switches === 1 ? '' : 'es'}` : ''}`];
    if (row.type === 'inflection') return ['inflection', event.thread, `◆ ${trace.failure.inflection}`];
    if (row.type === 'cycle') return ['loop', event.thread, '↻ from here on, for ever:'];
    if (row.type === 'access') return ['access-row', row.access.thread, `○ ${accessWords(row.access)}`];
    if (row.type === 'end') return ['end', trace.failure.at, `✗ ${trace.failure.message}`];
    if (row.call && isClosed(this.view, row.call)) return ['event', event.thread, `▸ ${row.call.words}`];
    return ['event', event.thread, row.call ? `▾ ${row.call.words}` : event.words];
  }

  // Where a text fits: from its column to the right, without scrolling; from the left up to its column's end; in the whole row.
  span(column, needed) {
    if (this.narrow) return ['rightwards', '2 / -1'];
    if (this.left + column * this.step + needed <= this.grid.clientWidth) return ['rightwards', `${column + 2} / -1`];
    if (column > 0 && needed <= (column + 1) * this.step) return ['leftwards', `2 / ${column + 3}`];
    return ['whole', '2 / -1'];
  }

  // From where to where the text of a row goes, in pixels of the content.
  extent(position) {
    const row = this.rows[position], needed = this.wordsWidth(row), column = this.columnOf.get(this.cell(row)[1]) || 0;
    const [direction] = this.span(column, needed), start = this.left + column * this.step;
    const end = column === this.threads.length - 1 ? this.grid.clientWidth : start + this.step;
    if (direction === 'leftwards') return [end - needed, end];
    return direction === 'whole' || this.narrow ? [this.left, this.narrow ? this.width : this.left + needed] : [start, start + needed];
  }

  row(position) {
    const row = this.rows[position], view = this.view, { trace, selected, matching } = view;
    const [kind, thread, words, shown] = this.words(row), event = trace.events[row.index];
    const chosen = row.type === 'event' && row.index === selected;
    const column = this.columnOf.has(thread) ? this.columnOf.get(thread) : 0;
    const cell = make('span', { role: 'gridcell', 'aria-colindex': column + 2, title: words,
      class: `cell ${kind} ${row.call ? 'call' : ''} thread-${Math.max(thread, 0) % 8}` }, make('span', { class: 'words' }, shown));
    const where = row.type === 'event' ? event.location : row.type === 'access' ? locationOf(trace, row.access.stack) : '';
    const place = /:\d+$/.test(where) ? where.replace(view.oneFile ? /^.*(?=:)/ : /^.*\//, '') : '';
    if (this.narrow && thread >= 0 && (row.type === 'event' || row.type === 'access'))
      cell.append(make('span', { class: 'place' }, `${label(trace, thread)} ${place}`));
    else if (place) cell.append(make('span', { class: 'place' }, place));
    const needed = this.wordsWidth(row), [direction, columns] = this.span(column, needed), beyond = this.width - this.grid.clientWidth;
    cell.classList.add(direction);
    cell.style.gridColumn = columns;
    // what stands at the right stands at the edge of what is seen without scrolling, if the words leave it room there
    const start = direction === 'rightwards' ? this.left + column * this.step : this.left;
    if (beyond > 0 && direction === 'leftwards' && column === this.threads.length - 1) cell.style.marginRight = `${beyond}px`;
    if (beyond > 0 && direction !== 'leftwards' && start + needed + place.length * PLACE_LETTER + 20 <= this.grid.clientWidth)
      cell.style.paddingRight = `${beyond + 6}px`;
    const line = make('div', { role: 'row', 'aria-rowindex': position + 1, 'aria-selected': chosen ? 'true' : 'false',
      id: row.type === 'event' ? `row-${row.index + 1}` : undefined,
      'aria-expanded': row.call ? String(!isClosed(view, row.call)) : undefined,
      class: `row ${chosen ? 'selected' : ''} ${row.type === 'event' && view.key.has(row.index) ? 'key' : ''} ${row.type === 'event' && matching && matching.has(row.index) ? 'match' : ''}` },
    row.type === 'event' ? make('span', { class: 'number', role: 'rowheader' }, String(row.index + 1))
      : make('span', { class: 'number', 'aria-hidden': 'true' }), cell);
    line.addEventListener('click', () => this.choose(row));
    return line;
  }

  render(everything) {
    if (!this.view) return;
    const count = this.rows.length, high = this.height;
    const first = everything ? 0 : Math.max(0, Math.floor(this.grid.scrollTop / high) - SPARE);
    const last = everything ? count : Math.min(count, Math.ceil((this.grid.scrollTop + this.grid.clientHeight) / high) + SPARE);
    const lines = [];
    for (let position = first; position < last; position++) {
      if (everything && count > 2 * PRINTED && position === PRINTED) {
        position = count - PRINTED;
        lines.push(make('p', { class: 'left-out' }, `… ${(count - 2 * PRINTED).toLocaleString('en')} rows are not printed …`));
      }
      lines.push(this.row(position));
    }
    this.body.replaceChildren(...lines);
    this.above.style.height = `${first * high}px`;
    this.below.style.height = `${(count - last) * high}px`;
    this.drawArrows(first, last);
    const active = document.getElementById(`row-${this.view.selected + 1}`);
    if (active) this.grid.setAttribute('aria-activedescendant', active.id);
    else this.grid.removeAttribute('aria-activedescendant');
  }

  // Where an event's cell is, in pixels of the content.
  place(index) {
    const position = this.rowOf.get(index), column = this.columnOf.get(this.view.trace.events[index].thread);
    if (position === undefined || column === undefined) return null;
    const left = this.left + column * this.step, last = column === this.threads.length - 1;
    return { left, right: last ? this.width : left + this.step, y: position * this.height + this.height / 2, position };
  }

  drawArrows(first, last) {
    const { edges, selected, allArrows } = this.view, paths = [];
    this.drawing.style.height = `${this.rows.length * this.height}px`;
    if (this.narrow) { this.drawing.replaceChildren(); return; } // there are no columns to lead from and to
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
    const top = position * this.height, height = this.grid.clientHeight;
    if (top < this.grid.scrollTop + this.height || top > this.grid.scrollTop + height - 3 * this.height)
      this.grid.scrollTop = Math.max(0, top - height / 3);
    const [from, to] = this.extent(position), seen = this.grid.scrollLeft;
    if (from < seen + this.left || to > seen + this.grid.clientWidth)
      this.grid.scrollLeft = Math.max(0, Math.min(from - this.left, to - this.grid.clientWidth + 8));
    this.render();
  }
}
