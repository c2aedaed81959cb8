'use strict';
/* The steps of one run, or of two side by side. A moment is a place in time that both have: a
 * checkpoint, or the end of a round. */
const data = JSON.parse(document.getElementById('data').textContent);
const $ = (id) => document.getElementById(id);
const runs = [...document.querySelectorAll('.run')].map((element, k) => ({
  element,
  data: data[k],
  frames: [...element.querySelectorAll('.frame')],
}));
const still = matchMedia('(prefers-reduced-motion: reduce)');
const moments = [];
let at = 0;

const step = (frame) => Number(frame.dataset.step);
const inside = (frame) => frame.dataset.inside === '1';

function makeMoments() {
  const steps = Math.max(...runs.map((run) => step(run.frames.at(-1))));
  for (let number = 0; number <= steps; number++) {
    const points = runs.map((run) => run.frames.filter((f) => step(f) === number && inside(f)));
    const ends = runs.map((run) => run.frames.find((f) => step(f) === number && !inside(f)));
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
  .find((verdict) => frames.some((f) => f.dataset.verdict === verdict));

function makeStops() {
  moments.forEach((moment, k) => {
    const item = document.createElement('li'), link = document.createElement('a');
    link.href = moment.inside ? `#step=${k}` : `#round=${moment.number}`;
    link.textContent = moment.inside ? '\u00b7' : moment.number;
    link.className = worst(moment.frames) + (moment.inside ? ' inside' : '');
    const name = moment.frames[0].querySelector('h2').textContent;
    link.setAttribute('aria-label', `${name}: ${worst(moment.frames)}`);
    link.title = name;
    item.append(link);
    $('stops').append(item);
    moment.link = link;
  });
}

/* ---- going ---- */

function show(k, forward) {
  k = Math.max(0, Math.min(moments.length - 1, k));
  const moment = moments[k];
  moments[at].link.removeAttribute('aria-current');
  at = k;
  moment.link.setAttribute('aria-current', 'step');
  moment.link.scrollIntoView({block: 'nearest', inline: 'nearest'});
  runs.forEach((run, r) => {
    for (const frame of run.frames)
      frame.classList.toggle('on', frame === moment.frames[r]);
    const now = moment.frames[r];
    now.querySelector('.stage').classList.toggle('moving', Boolean(forward) && !still.matches);
    for (const code of run.element.querySelectorAll('.of-kernel'))
      code.classList.toggle('on', code.dataset.kernel === now.dataset.kernel);
  });
  $('said').textContent = moment.frames.map((frame) =>
    `${frame.querySelector('h2').textContent}: ${frame.dataset.verdict}`).join('; ');
  $('first').disabled = $('back').disabled = at === 0;
  $('next').disabled = $('last').disabled = at === moments.length - 1;
}

function go(k, forward) {
  show(k, forward);
  const moment = moments[at];
  history.replaceState(null, '', moment.inside ? `#step=${at}` : `#round=${moment.number}`);
}

function nextRound(way) {
  for (let k = at + way; k >= 0 && k < moments.length; k += way)
    if (!moments[k].inside)
      return k;
  return at;
}

function fromHash() {
  const [, kind, number] = /^#(round|step)=(\d+)$/.exec(location.hash) || [];
  if (kind === 'step')
    return Number(number);
  const k = kind ? moments.findIndex((m) => !m.inside && m.number === Number(number)) : 0;
  return k < 0 ? moments.length - 1 : k;
}

/* ---- keys ---- */

const keys = {
  ArrowRight: () => go(nextRound(1), true), n: () => go(nextRound(1), true),
  ArrowLeft: () => go(nextRound(-1)), p: () => go(nextRound(-1)),
  ArrowDown: () => go(at + 1, true), j: () => go(at + 1, true), s: () => go(at + 1, true),
  ArrowUp: () => go(at - 1), k: () => go(at - 1),
  Home: () => go(0), End: () => go(moments.length - 1),
};

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || $('help').open)
    return;
  if (event.target.matches?.('input, summary, pre') && event.key !== '?')
    return;
  const action = keys[event.key];
  if (!action)
    return;
  event.preventDefault();
  action(event);
});

$('first').addEventListener('click', keys.Home);
$('back').addEventListener('click', keys.ArrowUp);
$('next').addEventListener('click', keys.ArrowDown);
$('last').addEventListener('click', keys.End);
addEventListener('hashchange', () => show(fromHash()));

makeMoments();
makeStops();
document.documentElement.classList.add('js');
$('walk').hidden = $('tools').hidden = false;
show(fromHash());
