
/* ---- what cells show ---- */

/* The set of inputs in a cell: on witness values it is the text of the box. */
const setOf = (frame, cell) => frame.sets?.[cell.i]?.[0] ?? (runs[frame.run].witness ? cell.value : undefined);

/* The set in a cell of a shared array that is read: that of its block's first checkpoint in the round, if the cell had
   the same value there. */
function setAtCheckpoint(frame, {array, block}, cell) {
  const {frames} = runs[frame.run];
  const earlier = frames.slice(0, frames.indexOf(frame));
  const first = earlier.slice(earlier.findLastIndex((f) => !f.inside) + 1).find((f) => f.array === array && f.block === block);
  const text = first?.cells[cell.k]?.querySelector('.v');
  return (first?.list?.[cell.k].value ?? text?.textContent) === cell.value ? first?.sets?.[cell.k]?.[0] : undefined;
}

/* The same of a cell in the rows above: of what was, of an input, or of another array. */
function setAbove(frame, cell) {
  const {dataset} = cell.element.parentElement;
  if (dataset.array === undefined)
    return runs[frame.run].frames[frame.before]?.sets?.[cell.k]?.[0] ?? (runs[frame.run].witness ? cell.value : '?');
  if (cell.element.classList.contains('dead'))
    return '';
  if (dataset.array === 'b') /* a factor */
    return '';
  return dataset.array === 'a' ? `{${cell.k}}` : setAtCheckpoint(frame, dataset, cell) ?? '?';
}

function changes(frame, cell) {
  const was = frame.was?.[cell.i];
  return was === undefined ? '' : `${was}\u2192${cell.value}`;
}

/* The expected content of the cell, as text; undefined where it is not known. */
function expected(frame, cell) {
  const set = frame.sets?.[cell.i];
  if (runs[frame.run].witness)
    return cell.element.classList.contains('live') ? set?.[1] ?? set?.[0] : undefined;
  if (frame.known?.[cell.k] !== '1')
    return undefined;
  return frame.expected?.[cell.i] ?? cell.value;
}

/* Text of the expected value; adds the actual one if they differ, so that nobody takes the one for the other. */
function expectedText(frame, cell) {
  const text = expected(frame, cell) ?? '?';
  return cell.element.classList.contains('wrong') && text !== cell.value ? `${text}, not ${cell.value}` : text;
}

/* `above`: of the rows above, where the view has something to say of them. */
const views = [
  {name: 'values', of: (frame, cell) => cell.value},
  {name: 'sets', of: (frame, cell) => setOf(frame, cell) ?? '', above: setAbove},
  {name: 'changes', of: changes},
  {name: 'expected', of: expectedText},
].filter(({name}) =>
  name === 'values' ? !runs.every((run) => run.witness) :
  name !== 'sets' || runs.some((run) => run.witness || run.frames.some((f) => f.sets)));
let view = views[0];

function prepare(frame) {
  const of = (element, k) => {
    const text = element.querySelector('.v');
    return {element, text, k, i: Number(element.dataset.i), value: text.dataset.v ?? text.textContent};
  };
  frame.list = frame.cells.map(of);
  for (const cell of frame.list) {
    cell.title = document.createElementNS('http://www.w3.org/2000/svg', 'title');
    cell.element.append(cell.title);
  }
  frame.above = [...frame.svg.querySelectorAll('.before, .source')].flatMap((row) => [...row.querySelectorAll('.cell')].map(of));
  frame.svg.setAttribute('role', 'group');
  const {width} = frame.svg.viewBox.baseVal; /* a row of eight fits a phone's screen */
  frame.svg.style.minWidth = `${(width < 600 ? 0.62 : 0.7) * width}px`;
}

/* A long set in up to three lines: those that leave the largest type. */
function lines(text, space, high) {
  const words = text.split(/(?<=,)/);
  let best = {size: 0};
  for (let count = 1; count <= 3; count++) {
    const inner = [''], most = Math.ceil(text.length / count) + (count > 1 ? 2 : 0);
    for (const word of words)
      if (inner.at(-1) && inner.at(-1).length + word.length > most && inner.length < count)
        inner.push(word);
      else
        inner[inner.length - 1] += word;
    const longest = Math.max(1, ...inner.map((line) => line.length));
    const size = Math.min(16, space / (0.6 * longest), high / (1.2 * inner.length));
    if (size > best.size + 0.5)
      best = {size, inner};
    if (size >= 11)
      break;
  }
  return best;
}

/* Cuts text into at most `count` lines of a box; text that is too long ends with an ellipsis. */
function cut(text, room, count) {
  const all = [];
  for (let at = 0; at < text.length && all.length < count; at += all.at(-1).length) {
    const line = text.slice(at, at + room), comma = line.lastIndexOf(',');
    const last = all.length + 1 === count, ends = at + line.length === text.length;
    all.push(ends ? line : last ? `${line.slice(0, room - 1)}\u2026` : comma > 0 ? line.slice(0, comma + 1) : line);
  }
  return all;
}

function fit(cell, text) {
  const rect = cell.element.querySelector('rect'), space = Number(rect.getAttribute('width')) - 8;
  const high = Number(rect.getAttribute('height'));
  const flagged = cell.element.querySelector('.flag') !== null;
  let {size, inner} = lines(text, space, high - (flagged ? 17 : 4));
  if (size < 8.5) {
    size = 8.5;
    inner = cut(text, Math.floor(space / (0.6 * size)), Math.min(3, Math.floor((high - (flagged ? 17 : 4)) / (1.2 * size))));
  }
  cell.text.removeAttribute('textLength');
  cell.text.style.fontSize = size < 16 ? `${size}px` : '';
  cell.text.replaceChildren(inner[0]);
  const band = inner.length === 1 ? 11 : flagged ? 15 : 0; /* for the marks */
  const middle = Number(rect.getAttribute('y')) + (high + band) / 2;
  cell.text.setAttribute('y', middle + 0.36 * size - 0.6 * size * (inner.length - 1));
  for (const line of inner.slice(1)) {
    const span = document.createElementNS('http://www.w3.org/2000/svg', 'tspan');
    span.setAttribute('x', cell.text.getAttribute('x'));
    span.setAttribute('dy', 1.2 * size);
    span.textContent = line;
    cell.text.append(span);
  }
}

/* Says beside the row what its boxes have, unless it is values. */
function label(frame) {
  const row = [...frame.svg.querySelectorAll(':scope > .row')].at(-1);
  if (!frame.when && row) {
    const next = row.nextElementSibling;
    frame.when = next?.matches('.when') ? next : document.createElementNS('http://www.w3.org/2000/svg', 'text');
    if (frame.when !== next) {
      const at = {class: 'when', x: row.getAttribute('x'), y: Number(row.getAttribute('y')) + 12, 'font-size': 11};
      for (const [name, value] of Object.entries(at))
        frame.when.setAttribute(name, value);
      row.after(frame.when);
    }
    frame.own = frame.when.textContent;
  }
  if (frame.when)
    frame.when.textContent = view.name === 'values' ? frame.own : view.name;
}

/* Puts into the boxes what the view says, and names each for whoever can't see it. */
function dress(frame) {
  if (!frame.list)
    prepare(frame);
  if (frame.view === view)
    return;
  label(frame);
  const asDrawn = !frame.view && view.name === 'values';
  frame.view = view;
  for (const cell of frame.list) {
    const text = view.of(frame, cell), has = cell.element.classList;
    if (!asDrawn)
      fit(cell, text);
    const marks = ['live', 'dead', 'changed', 'wrong'].filter((mark) => has.contains(mark));
    const name = `${frame.array}[${cell.i}], ${view.name}: ${text || 'none'}, ${marks.join(', ')}`;
    cell.title.textContent = name;
    cell.element.setAttribute('aria-label', name);
    cell.element.setAttribute('role', 'button');
    cell.element.setAttribute('tabindex', cell.k === 0 ? '0' : '-1');
  }
  for (const cell of asDrawn ? [] : frame.above)
    fit(cell, view.above ? view.above(frame, cell) : cell.value);
  for (const later of frame.svg.querySelectorAll('.later, .was')) /* is a value */
    later.style.visibility = view.above ? 'hidden' : '';
}

for (const {name} of views)
  $('views').append(make('option', {value: name}, name));

function showView(name) {
  view = views.find((v) => v.name === name) ?? view;
  $('views').value = view.name;
  for (const run of runs)
    if (run.now)
      dress(run.now);
}

function nextView() {
  showView(views[(views.indexOf(view) + 1) % views.length].name);
  say(`cells show ${view.name}`);
}

/* ---- what is in a cell ---- */

function tree(origin) {
  const lines = origin.map(([depth, array, index, value, text]) =>
    `${'   '.repeat(depth)}${depth ? '\u2514 ' : ''}${array}[${index}]${value && ` = ${value}`}  (${text})`);
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
  if (set && !runs[frame.run].witness)
    list.push(`${runs[frame.run].selects ? 'inputs that it was chosen from' : 'inputs in it'}: ${set[0]}${set[1] ? `; there should be ${set[1]}` : ''}`);
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
  if (frame.origins?.[index]) {
    const [extent, whole, nodes] = frame.origins[index];
    run.box.append(make('h3', {}, 'how it came about'), make('p', {class: whole ? 'facts' : 'doubt'}, extent), tree(nodes));
  }
  else if (frame.step && cell.element.matches('.live, .changed, .wrong'))
    run.box.append(make('p', {class: 'doubt'}, 'how it came about is left out of this page; reductio step shows it'));
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

const word = ([op, array, index, value]) => `${op} ${array}[${index}]${value && (value[0] === '(' ? ' ' : ' = ') + value}`;

/* ---- the formula ---- */

/* Makes a formula that is wider than its place smaller, in steps; beyond, it scrolls. */
function fitClaim({element}) {
  const claim = element.querySelector('.claim');
  claim.style.fontSize = '';
  for (let size = 1.2; size > 0.75 && claim.scrollWidth > claim.clientWidth; size -= 0.1)
    claim.style.fontSize = `${size}rem`;
  if (claim.scrollWidth > claim.clientWidth)
    claim.setAttribute('tabindex', '0'); /* so that keys scroll it */
  else
    claim.removeAttribute('tabindex');
}

/* ---- sources ---- */

/* Marks the sentence of the law that this step claims. */
function markClaim(run) {
  const {claim = [], verdict} = run.now;
  for (const box of run.element.querySelectorAll('.of-invariant')) {
    const parts = claim.filter(([path]) => path === box.dataset.path), marked = [];
    for (const line of box.querySelectorAll('.l')) {
      const number = Number(line.dataset.l);
      const has = parts.some(([, first, last]) => first <= number && number <= last);
      line.classList.toggle('claimed', has);
      line.classList.toggle('broke', has && verdict === 'VIOLATED');
      if (has)
        marked.push(line);
    }
    const foreign = box.querySelector('summary').textContent.startsWith('its claim');
    box.classList.toggle('off', foreign && marked.length === 0);
    bringIntoSight(marked.at(-1), marked[0]);
  }
}

/* The lines at which hazards have their places, each with those of all steps. */
const sites = [...document.querySelectorAll('.code .site')].map((line) => ({
  line, words: line.dataset.site, path: line.closest('.code').dataset.path, run: line.closest('.run'), number: Number(line.dataset.l),
}));

/* Marks those of this step alone. */
function markSites(run) {
  for (const {line, path, number} of sites.filter((site) => site.run === run.element)) {
    const found = run.now.sites?.find((site) => site[0] === path && site[1] === number);
    line.classList.toggle('site', Boolean(found));
    line.dataset.site = found?.[2] ?? '';
  }
}

function markAllSites() {
  for (const {line, words} of sites) {
    line.classList.add('site');
    line.dataset.site = words;
  }
}

/* Marks the lines that the accesses were made by: in the kernel, and in what it calls. */
function markRan(run, accesses) {
  for (const box of run.element.querySelectorAll('.of-kernel.on, .of-helper')) {
    const path = box.matches('.of-helper') ? box.dataset.path : undefined;
    const ran = new Set(accesses.filter((a) => a[5] === path).map((a) => a[4])), marked = [];
    for (const line of box.querySelectorAll('.l'))
      if (line.classList.toggle('ran', ran.has(Number(line.dataset.l))))
        marked.push(line);
    if (path) {
      box.classList.toggle('off', marked.length === 0);
      bringIntoSight(marked.at(-1), marked[0]);
    }
  }
}

/* Scrolls a source alone, and not the page: to the last line, and then to the first. */
function bringIntoSight(...lines) {
  for (const line of lines.filter(Boolean)) {
    const pre = line.closest('pre'), top = line.offsetTop - pre.offsetTop;
    if (top < pre.scrollTop + 8 || top + line.offsetHeight > pre.scrollTop + pre.clientHeight)
      pre.scrollTop = top - 8;
  }
}

/* ---- one thread ---- */

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
  markRan(run, thread ? thread[2] : (frame.lines ?? []).map(([line, path]) => [,,,, line, path]));
  if (!thread)
    return;
  const more = thread[3] - thread[2].length;
  run.threadbox = make('section', {class: 'threadbox', 'aria-live': 'polite', 'aria-label': 'the thread'},
    make('b', {}, `thread ${thread[1]} of block ${thread[0]}`), ` ${thread[2].map(word).join(', ')}` +
    (more > 0 ? ` and ${more} more` : ''));
  frame.stage.after(run.threadbox);
}

function nextThread(way) {
  let any = false, why = 'nothing has run yet';
  for (const run of runs) {
    const {step, others} = run.now;
    if (step)
      why = others ? `none of the ${others} threads used a cell that is shown here; reductio step shows them` :
        'the page tells of none here; reductio step does';
    const count = run.now.threads?.length ?? 0;
    if (count === 0)
      continue;
    any = true;
    const k = run.thread === null ? (way > 0 ? 0 : count - 1) : run.thread + way;
    follow(run, k < 0 || k >= count ? null : k);
  }
  if (!any)
    tell(`of this step, no thread is known: ${why}`);
}
