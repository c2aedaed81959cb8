
/* ---- what cells show ---- */

const views = [
  {name: 'values', of: (frame, cell) => cell.value},
  {name: 'sets', of: (frame, cell) => frame.sets?.[cell.i]?.[0] ?? ''},
  {name: 'changes', of: (frame, cell) =>
    frame.was?.[cell.i] === undefined ? '' : `${frame.was[cell.i]}\u2192${cell.value}`},
  {name: 'expected', of: (frame, cell) => expected(frame, cell) ?? '?'},
].filter((view) => view.name !== 'sets' || runs.some((run) => run.frames.some((f) => f.sets)));
let view = views[0];

/* What the cell must hold, as text; undefined where that is not known. */
function expected(frame, cell) {
  if (frame.known?.[cell.k] !== '1')
    return undefined;
  return frame.expected?.[cell.i] ?? cell.value;
}

function prepare(frame) {
  frame.list = frame.cells.map((element, k) => {
    const text = element.querySelector('.v');
    const cell = {element, text, k, i: Number(element.dataset.i), value: text.textContent};
    cell.title = document.createElementNS('http://www.w3.org/2000/svg', 'title');
    element.append(cell.title);
    return cell;
  });
  frame.svg.setAttribute('role', 'group');
  frame.svg.style.minWidth = `${0.7 * frame.svg.viewBox.baseVal.width}px`;
}

function fit(cell, text) {
  const space = Number(cell.element.querySelector('rect').getAttribute('width')) - 8;
  const size = Math.min(16, space / (0.6 * Math.max(1, text.length)));
  const small = Math.max(8.5, size), room = Math.floor(space / (0.6 * small));
  cell.text.removeAttribute('textLength');
  cell.text.style.fontSize = size < 16 ? `${small}px` : '';
  cell.text.textContent = text.length <= room ? text : `${text.slice(0, room - 1)}\u2026`;
}

/* Puts into the boxes what the view says, and names each for whoever can't see it. */
function dress(frame) {
  if (!frame.list)
    prepare(frame);
  if (frame.view === view)
    return;
  const was = frame.view;
  frame.view = view;
  for (const cell of frame.list) {
    const text = view.of(frame, cell), has = cell.element.classList;
    if (was || view !== views[0])
      fit(cell, text);
    const marks = ['live', 'dead', 'changed', 'wrong'].filter((mark) => has.contains(mark));
    const name = `${frame.array}[${cell.i}], ${view.name}: ${text || 'none'}, ${marks.join(', ')}`;
    cell.title.textContent = name;
    cell.element.setAttribute('aria-label', name);
    cell.element.setAttribute('role', 'button');
    cell.element.setAttribute('tabindex', cell.k === 0 ? '0' : '-1');
  }
}

function nextView() {
  view = views[(views.indexOf(view) + 1) % views.length];
  $('views').textContent = view.name;
  for (const run of runs)
    dress(run.now);
  say(`cells show ${view.name}`);
}

/* ---- what is in a cell ---- */

function tree(origin) {
  const lines = origin.map(([depth, array, index, value, text, cut]) =>
    `${'   '.repeat(depth)}${depth ? '\u2514 ' : ''}${array}[${index}]${value && ` = ${value}`}  (${text})${cut ? ' \u2026' : ''}`);
  return make('pre', {class: 'tree', tabindex: '0', 'aria-label': 'how the value came about'}, lines.join('\n'));
}

function facts(frame, cell) {
  const list = [], wanted = expected(frame, cell), set = frame.sets?.[cell.i];
  const has = cell.element.classList, claim = frame.element.querySelector('.claim').getAttribute('aria-label');
  list.push(`it holds ${cell.value || 'a value that is not known'}` +
    (frame.was?.[cell.i] === undefined ? '' : `, and before ${frame.was[cell.i]}`));
  if (has.contains('live'))
    list.push(`the invariant wants ${wanted ?? 'what is not known'}: ${claim}`);
  else
    list.push(`it is dead: the invariant does not speak of it${wanted === undefined ? '' : `, and it must stay ${wanted}`}`);
  if (has.contains('wrong'))
    list.push(`wrong: ${wanted} was expected`);
  if (set)
    list.push(`inputs in it: ${set[0]}${set[1] ? `; there should be ${set[1]}` : ''}`);
  if (frame.deviation?.[cell.i])
    list.push(frame.deviation[cell.i]);
  return list;
}

function tellCell(run, index) {
  const frame = run.now;
  closeCell(run);
  const cell = frame.list.find((c) => c.i === index);
  if (!cell)
    return;
  run.chosen = index;
  cell.element.classList.add('chosen');
  run.box = make('section', {class: 'cellbox', 'aria-live': 'polite', 'aria-label': 'the cell'},
    make('h3', {}, `${frame.array}[${index}]`),
    make('ul', {}, ...facts(frame, cell).map((fact) => make('li', {}, fact))));
  if (frame.origins?.[index])
    run.box.append(make('h3', {}, 'how it came about'), tree(frame.origins[index]));
  frame.stage.after(run.box);
}

function closeCell(run) {
  run.box?.remove();
  run.box = undefined;
  run.chosen = undefined;
  for (const cell of run.element.querySelectorAll('.chosen'))
    cell.classList.remove('chosen');
}

/* The run and cell that have the focus; of the first run where none has. */
function focused() {
  const element = document.activeElement?.closest?.('.after .cell');
  const run = runs.find((r) => r.element.contains(element)) ?? runs[0];
  return {run, cell: run.now.list.find((c) => c.element === element)};
}

function moveFocus(by) {
  const {run, cell} = focused(), list = run.now.list;
  const to = cell ? list[cell.k + by] : list[list.findIndex((c) => c.i === run.chosen)] ?? list[0];
  if (!to)
    return;
  if (cell)
    cell.element.setAttribute('tabindex', '-1');
  to.element.setAttribute('tabindex', '0');
  to.element.focus();
}

/* ---- threads ---- */

const word = ([op, array, index, value]) => `${op} ${array}[${index}]${value && ` = ${value}`}`;

/* Shows what one thread of the round did, and that alone; null: all of them. */
function follow(run, k) {
  const frame = run.now;
  run.thread = k;
  run.threadbox?.remove();
  run.threadbox = undefined;
  const thread = k === null ? null : frame.threads[k];
  frame.svg.classList.toggle('follow', thread !== null);
  for (const arrow of frame.svg.querySelectorAll('.arrow'))
    arrow.classList.toggle('followed', Boolean(thread) && arrow.dataset.t === `${thread[0]}.${thread[1]}`);
  const lines = new Set((thread ? [thread] : frame.threads ?? []).flatMap((t) => t[2].map((a) => a[4])));
  for (const line of run.element.querySelectorAll('.of-kernel.on .l'))
    line.classList.toggle('ran', lines.has(Number(line.dataset.l)));
  if (!thread)
    return;
  const more = thread[3] - thread[2].length;
  run.threadbox = make('section', {class: 'threadbox', 'aria-live': 'polite', 'aria-label': 'the thread'},
    make('b', {}, `thread ${thread[1]} of block ${thread[0]}`), ` ${thread[2].map(word).join(', ')}` +
    (more > 0 ? ` and ${more} more` : ''));
  frame.stage.after(run.threadbox);
}

function nextThread(way) {
  let any = false;
  for (const run of runs) {
    const count = run.now.threads?.length ?? 0;
    if (count === 0)
      continue;
    any = true;
    const k = run.thread === null ? (way > 0 ? 0 : count - 1) : run.thread + way;
    follow(run, k < 0 || k >= count ? null : k);
  }
  if (!any)
    say('of this step, no thread is known');
}
