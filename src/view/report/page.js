'use strict';
/* The steps of one run, or of two side by side. A moment is a place in time that both have: a
 * checkpoint, or the end of a round. */
const data = JSON.parse(document.getElementById('data').textContent);
const $ = (id) => document.getElementById(id);
const runs = [...document.querySelectorAll('.run')].map((element, r) => ({
  element,
  witness: element.dataset.witness === '1',
  selects: element.dataset.selects === '1',
  frames: [...element.querySelectorAll('.frame')].map((frame, k) => ({
    element: frame,
    title: frame.querySelector('h2').textContent,
    stage: frame.querySelector('.stage'),
    svg: frame.querySelector('svg'),
    cells: [...frame.querySelectorAll('.after .cell')],
    run: r,
    block: frame.dataset.block,
    step: Number(frame.dataset.step),
    inside: frame.dataset.inside === '1',
    verdict: frame.dataset.verdict,
    hazards: Number(frame.dataset.hazards),
    array: frame.dataset.array,
    kernel: frame.dataset.kernel,
    ...data[r][k],
  })),
}));
const still = matchMedia('(prefers-reduced-motion: reduce)');
const moments = [];
let at = 0;
let typed = '';

/* Makes an element with text, or with others, in it. */
function make(name, attributes, ...inner) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes))
    element.setAttribute(key, value);
  element.append(...inner);
  return element;
}

function makeMoments() {
  const steps = Math.max(...runs.map((run) => run.frames.at(-1).step));
  for (let number = 0; number <= steps; number++) {
    const points = runs.map((run) => run.frames.filter((f) => f.step === number && f.inside));
    const ends = runs.map((run) => run.frames.find((f) => f.step === number && !f.inside));
    const checkpoints = Math.max(...points.map((p) => p.length));
    for (let k = 0; k <= checkpoints; k++) {
      const end = k === checkpoints;
      if (end && !ends.some(Boolean))
        continue;
      moments.push({
        number, inside: !end,
        frames: runs.map((run, r) => {
          const own = end ? ends[r] : points[r][Math.min(k, points[r].length - 1)];
          return own || moments.at(-1)?.frames[r] || run.frames[0];
        }),
      });
    }
  }
}

const worst = (frames) => ['VIOLATED', 'INCONCLUSIVE', 'HOLDS']
  .find((verdict) => frames.some((f) => f.verdict === verdict));

/* Checkpoints have a button each up to so many steps; beyond, a slider and a menu go to them. */
const BUTTONS_MAX = 40;

/* A step's number: 2 of the end of round 2, 2.1 of its first checkpoint. */
function nameMoments() {
  let inside = 0;
  for (const moment of moments) {
    inside = moment.inside ? inside + 1 : 0;
    moment.name = moment.inside ? `${moment.number}.${inside}` : String(moment.number);
    moment.worst = worst(moment.frames);
    moment.hazards = moment.frames.reduce((sum, frame) => sum + frame.hazards, 0);
    moment.title = `${moment.name}, ${moment.frames[0].title}: ${moment.worst}` +
      (moment.hazards ? `, ${moment.hazards} hazard${moment.hazards > 1 ? 's' : ''}` : '');
  }
}

function makeStops() {
  nameMoments();
  const all = moments.length <= BUTTONS_MAX;
  moments.forEach((moment, k) => {
    if (moment.inside && !all)
      return;
    moment.link = make('a', {
      href: moment.inside ? `#step=${k}` : `#round=${moment.number}`,
      class: moment.worst + (moment.inside ? ' inside' : '') + (moment.hazards ? ' hazardous' : ''),
      'aria-label': moment.title,
      title: moment.title,
    }, moment.name);
    if (moment.hazards)
      moment.link.append(make('span', {class: 'sign', 'aria-hidden': 'true'}, '\u26a0\ufe0e'));
    $('stops').append(make('li', {}, moment.link));
  });
  if (moments.some((moment) => moment.inside))
    makeMenu();
}

function makeMenu() {
  let group = null;
  moments.forEach((moment, k) => {
    const label = moment.number ? `round ${moment.number}` : 'start';
    if (group?.label !== label) {
      group = make('optgroup', {label});
      $('place').append(group);
    }
    group.append(make('option', {value: k}, moment.title));
  });
  $('step').max = moments.length - 1;
  $('steps').hidden = false;
}

/* Marks where it stands: of a checkpoint without a button, the round that it is in. */
function markStop(moment) {
  for (const {link} of moments)
    link?.removeAttribute('aria-current');
  const link = moment.link ?? moments.find((m) => m.number === moment.number && m.link)?.link;
  link?.setAttribute('aria-current', moment.link ? 'step' : 'true');
  $('stops').scrollTop = link ? link.offsetTop - $('stops').offsetTop - 40 : 0;
  $('place').value = $('step').value = at;
  $('step').setAttribute('aria-valuetext', moment.title);
}

/* ---- going ---- */

/* The values travel along the arrows to where they are used. */
function move(frame) {
  const arrows = [...frame.svg.querySelectorAll('.arrow')];
  if (still.matches || arrows.length > 64 || !frame.svg.querySelector('.before'))
    return;
  for (const arrow of arrows) {
    const line = arrow.querySelector('.line'), length = line.getTotalLength();
    const from = arrow.dataset.from.split('.');
    const box = from[0] === '0' && frame.svg.querySelectorAll('.before .cell')[from[1]];
    if (!box)
      continue;
    const start = line.getPointAtLength(0), path = [0, 0.25, 0.5, 0.75, 1].map((part) => {
      const point = line.getPointAtLength(length * part);
      return {transform: `translate(${point.x - start.x}px, ${point.y - start.y}px)`, opacity: 1.2 - part};
    });
    const chip = box.cloneNode(true);
    chip.classList.add('chip');
    chip.setAttribute('aria-hidden', 'true');
    frame.svg.append(chip);
    chip.animate(path, {duration: 650, easing: 'ease-in-out'}).finished
      .then(() => chip.remove(), () => chip.remove());
  }
}

function showFrame(run, frame, forward) {
  run.now = frame;
  for (const chip of run.element.querySelectorAll('.chip'))
    chip.remove();
  for (const other of run.frames)
    other.element.classList.toggle('on', other === frame);
  frame.stage.classList.toggle('moving', Boolean(forward) && !still.matches);
  for (const code of run.element.querySelectorAll('.of-kernel'))
    code.classList.toggle('on', code.dataset.kernel === frame.kernel);
  follow(run, null);
  markSites(run);
  markClaim(run);
  fitClaim(frame);
  dress(frame);
  if (run.chosen !== undefined)
    tellCell(run, run.chosen);
  if (forward)
    move(frame);
}

function show(k, forward) {
  k = Math.max(0, Math.min(moments.length - 1, k));
  const moment = moments[k];
  at = k;
  markStop(moment);
  runs.forEach((run, r) => showFrame(run, moment.frames[r], forward));
  const hazards = moment.hazards ? `, ${moment.hazards} hazard${moment.hazards > 1 ? 's' : ''}` : '';
  say(moment.frames.map((frame) => `${frame.title}: ${frame.verdict}`).join('; ') + hazards);
  $('first').disabled = $('back').disabled = at === 0;
  $('next').disabled = $('last').disabled = at === moments.length - 1;
}

/* To who listens; */
function say(text) {
  $('said').textContent = text;
  $('said').className = 'unseen';
}

/* and to who looks, too, until something else is said. */
function tell(text) {
  say(text);
  $('said').className = 'told';
}

function go(k, forward) {
  show(k, forward);
  const moment = moments[at];
  history.replaceState(null, '', moment.inside ? `#step=${at}` : `#round=${moment.number}`);
}

/* The next moment, that way, that is the end of a round. */
function round(way) {
  for (let k = at + way; k >= 0 && k < moments.length; k += way)
    if (!moments[k].inside)
      return k;
  return at;
}

function ofRound(number) {
  const k = moments.findIndex((m) => !m.inside && m.number === number);
  return k < 0 ? moments.length - 1 : k;
}

function fromHash() {
  const [, kind, number] = /^#(round|step)=(\d+)$/.exec(location.hash) || [];
  return kind === 'step' ? Number(number) : kind ? ofRound(Number(number)) : 0;
}

/* A link to what the run does not have is made one to what is shown. */
function goToLink() {
  if (location.hash)
    go(fromHash());
  else
    show(0);
}

/* To what breaks the invariant, or else to what breaks CUDA's rules. */
function toViolation() {
  const first = moments.findIndex((m) => m.worst === 'VIOLATED');
  const k = first < 0 ? moments.findIndex((m) => m.hazards) : first;
  if (k < 0) {
    tell('no step is violated, and none has a hazard');
    return;
  }
  go(k);
  if (first < 0)
    tell(`no step is violated; the first with a hazard: ${moments[k].title}`);
}

/* ---- playing ---- */

let timer = 0;
const pause = () => 6000 / (1 + Number($('speed').value));

function stop() {
  clearTimeout(timer);
  timer = 0;
  $('play').textContent = 'play';
  $('play').setAttribute('aria-pressed', 'false');
}

/* Up to the end, or to what is violated where the step before was not. */
function tick() {
  const was = moments[at].worst;
  go(at + 1, true);
  const breaks = was !== 'VIOLATED' && moments[at].worst === 'VIOLATED';
  if (breaks || at === moments.length - 1)
    stop();
  else
    timer = setTimeout(tick, pause());
  if (breaks)
    tell(`stopped: step ${moments[at].name} is violated; space plays on`);
}

function play() {
  if (timer || moments.length === 1) {
    stop();
    return;
  }
  if (at === moments.length - 1)
    go(0);
  $('play').textContent = 'stop';
  $('play').setAttribute('aria-pressed', 'true');
  timer = setTimeout(tick, pause());
}

function faster(by) {
  $('speed').value = Number($('speed').value) + by;
  say(`speed ${$('speed').value} of 9`);
}
