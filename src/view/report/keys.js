
/* ---- keys: those of the stepper in a terminal ---- */

function escape() {
  for (const run of runs) {
    closeCell(run);
    follow(run, null);
  }
  stop();
  document.activeElement?.blur();
}

function theme(name) {
  document.documentElement.dataset.theme = name;
}

const otherTheme = () => theme(document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark');

const actions = new Map();
function on(names, action) {
  for (const name of names.split(' '))
    actions.set(name === 'space' ? ' ' : name, action);
}

on('ArrowRight n j', () => go(round(1), true));
on('ArrowLeft p k', () => go(round(-1)));
on('s .', () => go(at + 1, true));
on(',', () => go(at - 1));
on('] Shift+ArrowRight', () => nextThread(1));
on('[ Shift+ArrowLeft', () => nextThread(-1));
on('Home <', () => go(0));
on('End G >', () => go(moments.length - 1));
on('g', () => go(ofRound(Number(typed || 0))));
on('space', play);
on('+', () => faster(1));
on('-', () => faster(-1));
on('!', toViolation);
on('l', () => moveFocus(1));
on('h', () => moveFocus(-1));
on('v', nextView);
on('T', otherTheme);
on('?', () => $('help').showModal());
on('Escape', escape);

/* While a cell has the focus. */
const cellActions = new Map([
  ['ArrowDown', () => moveFocus(1)],
  ['ArrowUp', () => moveFocus(-1)],
  ['Enter', () => {
    const {run, cell} = focused();
    tellCell(run, cell.i);
  }],
]);

function actionOf(event) {
  const own = event.target.closest?.('button, a, input, select, summary, pre');
  if (own && [' ', 'Enter'].includes(event.key))
    return undefined;
  if (own?.matches('input') && /^(Arrow|Home|End)/.test(event.key))
    return undefined;
  if (own?.matches('select') && event.key !== 'Escape') /* letters look for a line of the menu */
    return undefined;
  if (event.target.closest?.('.after .cell') && cellActions.has(event.key))
    return cellActions.get(event.key);
  const shift = event.shiftKey && event.key.startsWith('Arrow');
  return actions.get(shift ? `Shift+${event.key}` : event.key);
}

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || $('help').open)
    return;
  if (/^\d$/.test(event.key)) {
    typed = (typed + event.key).slice(-6);
    return;
  }
  const action = actionOf(event);
  if (action) {
    event.preventDefault();
    if (timer && action !== play && !['+', '-'].includes(event.key))
      stop();
    action();
  }
  if (event.key !== 'Shift')
    typed = '';
});

document.querySelector('main').addEventListener('click', (event) => {
  const element = event.target.closest('.after .cell');
  const run = element && runs.find((r) => r.element.contains(element));
  if (run)
    tellCell(run, Number(element.dataset.i));
});

function button(id, action) {
  $(id).addEventListener('click', action);
}

button('first', () => go(0));
button('back', () => go(at - 1));
button('next', () => go(at + 1, true));
button('last', () => go(moments.length - 1));
button('play', play);
$('step').addEventListener('input', () => go(Number($('step').value)));
$('place').addEventListener('change', () => go(Number($('place').value)));
$('views').addEventListener('change', () => showView($('views').value));
button('theme', otherTheme);
button('keys', () => $('help').showModal());
button('close', () => $('help').close());
/* On paper all steps are there, and show what this one does, with all sources. */
const sources = [...document.querySelectorAll('.code')];
for (const box of sources)
  box.open = true;
let shut = [];
addEventListener('afterprint', () => {
  for (const box of shut)
    box.open = false;
  runs.forEach(markSites);
});
addEventListener('beforeprint', () => {
  shut = sources.filter((box) => !box.open);
  for (const box of shut)
    box.open = true;
  markAllSites();
  for (const frame of runs.flatMap((run) => run.frames))
    dress(frame);
});
addEventListener('hashchange', goToLink);

const dark = matchMedia('(prefers-color-scheme: dark)');
dark.addEventListener('change', () => theme(dark.matches ? 'dark' : 'light'));
theme(dark.matches ? 'dark' : 'light');

makeMoments();
makeStops();
document.documentElement.classList.add('js');
addEventListener('resize', () => runs.forEach((run) => fitClaim(run.now)));
$('walk').hidden = $('tools').hidden = false;
stop();
$('play').disabled = moments.length === 1;
showView(document.querySelector('main > div').dataset.view);
goToLink();
