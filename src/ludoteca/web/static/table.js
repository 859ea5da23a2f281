// The table page: takes in messages, sends what was chosen, and looks after everything round the board.
import { Idiomorph } from './vendor/idiomorph.js';
import { animate } from './animate.js';
import { Board } from './board.js';
import { connect, send } from './live.js';
import { Past } from './past.js';
import { Since } from './since.js';
import { announce, chime, initTools } from './tools.js';
import { Turn } from './turn.js';

/**
 * @typedef {object} Message the whole view of a seat
 * @property {number} version of what this seat can see of the match
 * @property {number} serial of all that any page of this table could see changing, while the server runs
 * @property {number} seat
 * @property {string} colour
 * @property {string[]} colours of all seats
 * @property {Record<string, string>} fragments HTML by the id of its element; unchanged ones are left out
 * @property {Record<string, string>} marks of all fragments: what the next hello says we have
 * @property {import('./choose.js').Table | null} choices
 * @property {import('./animate.js').Event[]} events since the last message
 * @property {string} speak
 * @property {number} turns how many are committed
 * @property {boolean} mine is it my turn?
 * @property {boolean} curtain does the screen go to another person?
 * @property {boolean} ready are the rules compiled?
 * @property {string} title
 */
/**
 * @typedef {object} Page what the server wrote into the page
 * @property {string} table
 * @property {string} game
 * @property {{confirm: string, sound: boolean, notify: boolean, theme: string, coordinates: boolean, marks: boolean}} settings
 * @property {Record<string, string>} words
 * @property {Message} message
 */

/** @param {string} id */
const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** @type {Page} */
const page = JSON.parse(byId('data').textContent ?? '{}');
const api = `/api/tables/${page.table}`;
const host = byId('drawing');
const overlay = /** @type {SVGSVGElement} */ (/** @type {unknown} */ (byId('overlay')));
const board = new Board(host, overlay);
const felt = byId('felt');

/** The message on show and, while it is being shown, the ones after it. */
let now = page.message;
/** @type {Message[]} */
const waiting = [];
let showing = false;
/** Who waits for a message. @type {{serial: number, resolve: (done: boolean) => void}[]} */
let settled = [];

// ---- what the board asks of us

const turn = new Turn(board, {
  async act(name, keep) {
    byId('bubble').classList.remove('on');
    const { ok, status, data } = await post('act', { version: now.version, steps: name, keep });
    if (!ok) return false;
    since.done();
    await seen(data.serial);
    return status === 200;
  },
  async whyNot(targets) {
    if (!now.ready) return '';
    const { data } = await send(`${api}/why-not`, { targets });
    return data.sentence ?? '';
  },
  confirms() {
    const { confirm } = page.settings;
    return confirm === 'on' || (confirm === 'auto' && turn.touch);
  },
  say: bubble,
  changed({ confirm, turn: turns, turnable, back }) {
    for (const button of buttons('confirm')) button.disabled = !confirm;
    for (const button of buttons('turn')) {
      // where something can be turned the button keeps its place, so that the others keep theirs
      button.hidden = !turnable;
      button.disabled = !turns;
    }
    for (const button of buttons('undo')) button.disabled = !(back || button.dataset.draft === 'yes');
  },
});

const past = new Past({
  path: (at) => `/tables/${page.table}/at/${at}`,
  last: () => now.turns,
  async show(look, step) {
    felt.classList.toggle('looking-back', Boolean(look));
    document.body.classList.toggle('looking-back', Boolean(look));
    turn.paused = Boolean(look);
    turn.refresh();
    since.refresh();
    if (look) {
      morph(look.fragments);
      board.fit();
      announce(look.speak);
      if (step === 1) await animate(look.events, host, board.under(), colourOf);
    } else {
      morph(now.fragments);
      apply(now, false);
    }
  },
});

const since = new Since(page.table, past, () => now);

/** @param {number} seat */
const colourOf = (seat) => now.colours[seat] ?? 'none';

/** @param {string} act @returns {NodeListOf<HTMLButtonElement>} */
const buttons = (act) => document.querySelectorAll(`button[data-act='${act}']`);

/**
 * Post to this table; a refusal is said in words.
 * @param {string} what
 * @param {object} [body]
 */
async function post(what, body = {}) {
  const answer = await send(`${api}/${what}`, body);
  if (!answer.ok) {
    bubble(answer.data.detail ?? page.words.offline ?? '', null);
    if (answer.status === 409) line.again();
  }
  return answer;
}

/** Resolves when a message at least that new has been shown. @param {number} serial */
function seen(serial) {
  return new Promise((resolve) => {
    if (now.serial >= serial) return resolve(true);
    const timer = setTimeout(async () => {
      // the line is down: ask for the view itself
      const { ok, data } = await send(`/tables/${page.table}/view`, {}, 'GET');
      if (ok) receive(data);
      resolve(false);
    }, 2500);
    settled.push({ serial, resolve: (/** @type {boolean} */ done) => {
      clearTimeout(timer);
      resolve(done);
    } });
  });
}

// ---- messages

/** @param {Record<string, string>} fragments */
function morph(fragments) {
  const restore = board.lift();
  for (const [id, html] of Object.entries(fragments)) {
    const element = document.getElementById(id);
    if (element) Idiomorph.morph(element, html, { morphStyle: 'outerHTML', ignoreActiveValue: true, restoreFocus: true });
  }
  restore();
}

/** @param {Message} message */
function receive(message) {
  waiting.push(message);
  if (!showing) void showNext();
}

async function showNext() {
  showing = true;
  for (let message = waiting.shift(); message; message = waiting.shift()) {
    const before = now;
    const drafted = (before.choices?.levels.length ?? 0) > 1;
    if (message.version < before.version && message.seat === before.seat) {
      // an older view that was overtaken on its way
      continue;
    }
    now = { ...message, fragments: { ...before.fragments, ...message.fragments } };
    // turns were taken back, the game is over (and nothing hidden any more), or somebody else looks
    if (message.turns < before.turns || message.fragments.status !== undefined || message.seat !== before.seat) past.forget();
    if (message.curtain) await curtain(message);
    if (past.at === null) {
      morph(message.fragments);
    } else {
      const { drawing, prompt, ...rest } = message.fragments;
      morph(rest);
      past.mark();
    }
    const news = message.version > before.version || message.seat !== before.seat;
    apply(message, news);
    for (const one of settled) if (one.serial <= message.serial) one.resolve(true);
    settled = settled.filter((one) => one.serial > message.serial);
    if (news && past.at === null && message.events.length) {
      // many turns at once (after a long absence): only the last ones are played
      await animate(message.events.slice(waiting.length ? -2 : -12), host, board.under(), colourOf, drafted ? before.seat : -1);
    }
  }
  showing = false;
}

/** @param {Message} message @param {boolean} news */
function apply(message, news) {
  board.fit();
  document.title = message.title;
  const icon = /** @type {HTMLLinkElement} */ (byId('favicon'));
  const href = message.mine ? icon.dataset[message.colour] ?? icon.dataset.turn : icon.dataset.rest;
  if (href && icon.getAttribute('href') !== href) icon.setAttribute('href', href);
  document.body.classList.toggle('my-turn', message.mine);
  Object.assign(document.body.dataset, { version: String(message.version), seat: String(message.seat), turns: String(message.turns), mine: String(message.mine) });
  if (past.at === null) turn.update(message.choices, message.colour);
  since.look();
  if (news && message.speak) announce(message.speak);
  if (news && message.mine && message.events.length && message.choices?.levels.length === 1) chime(page.settings, page.words.yourTurn ?? '');
}

/** Cover the table until the person whose turn it is has sat down. @param {Message} message */
function curtain(message) {
  const element = byId('curtain');
  const name = element.querySelector('[data-name]');
  if (name) name.textContent = message.title;
  element.hidden = false;
  const button = /** @type {HTMLButtonElement} */ (element.querySelector('button'));
  button.focus();
  return new Promise((resolve) => button.addEventListener('click', () => { element.hidden = true; resolve(true); }, { once: true }));
}

// ---- sentences near the pointer

let bubbleTimer = 0;

/** @param {string} text @param {{x: number, y: number} | null} where @param {string} [kind] */
function bubble(text, where, kind = 'no') {
  if (!text) return;
  const element = byId('bubble');
  const box = felt.getBoundingClientRect();
  element.textContent = text;
  element.className = `bubble on ${kind}`;
  const at = where ?? { x: box.x + box.width / 2 - 120, y: box.y + 40 };
  const width = Math.min(300, box.width * 0.8);
  element.style.left = `${Math.max(8, Math.min(at.x - box.x + 14, box.width - width - 8))}px`;
  element.style.top = `${Math.max(8, Math.min(at.y - box.y + 16, box.height - 90))}px`;
  announce(text);
  clearTimeout(bubbleTimer);
  bubbleTimer = window.setTimeout(() => element.classList.remove('on'), 2200 + 45 * text.length);
}

// ---- buttons and keys

async function undo() {
  if (turn.back()) return;
  const button = buttons('undo')[0];
  if (!button || button.dataset.draft !== 'yes') return;
  const { ok, data } = await post('undo', { version: now.version });
  if (ok) await seen(data.serial);
}

async function hint() {
  for (const button of buttons('hint')) button.disabled = true;
  announce(page.words.thinking ?? '');
  felt.classList.add('thinking');
  const { ok, data } = await post('hint', { version: now.version });
  felt.classList.remove('thinking');
  for (const button of buttons('hint')) button.disabled = false;
  if (!ok || !data.steps) return;
  turn.hint = { steps: data.steps.map((/** @type {any} */ step) => ({
    targets: step.targets, ghosts: step.ghosts.map((/** @type {string[] | null} */ g) => g && { symbol: g[0] ?? '', transform: g[1] ?? '', path: g[2] ?? '', text: g[3] ?? '' }),
  })) };
  turn.refresh();
  bubble(data.sentence, null, 'tip');
}

/** @type {Record<string, (button: HTMLElement) => unknown>} */
const ACTS = {
  undo, hint,
  confirm: () => turn.confirm(),
  turn: () => turn.turn(1),
  resign: () => ask('resign', () => post('resign', { seat: now.seat })),
  takeback: () => post('takeback'),
  yes: () => post('answer', { yes: true }),
  no: () => post('answer', { yes: false }),
  async rematch() {
    const { ok, data } = await post('rematch');
    if (ok) location.assign(data.url);
  },
  replace: (button) => post('replace', { seat: Number(button.dataset.seat) }),
  back: () => post('come-back'),
  async copy(button) {
    const field = /** @type {HTMLInputElement | null} */ (document.getElementById(button.dataset.from ?? ''));
    if (!field) return;
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
      announce(page.words.copied ?? '', true);
    } catch {
      announce(page.words.selected ?? '', true);
    }
  },
  link: async (button) => { await post('invite', { seat: Number(button.dataset.seat) }); },
  fill: () => post('fill'),
  async leave() {
    const { ok } = await post('leave');
    if (ok) location.assign('/');
  },
  async share() {
    const field = /** @type {HTMLInputElement | null} */ (document.querySelector('.invites input'));
    const text = field ? field.value : location.href;
    field?.select();
    try {
      await navigator.clipboard.writeText(text);
      announce(page.words.copied ?? '', true);
    } catch {
      announce(page.words.selected ?? '', true);
    }
  },
  dismiss: () => document.body.classList.add('dismissed'),
  present: () => past.go(null),
  since: () => since.play(),
  first: () => past.go(0),
  prev: () => past.step(-1),
  next: () => past.step(1),
  last: () => past.go(null),
};

/** @param {string} what @param {() => unknown} then */
function ask(what, then) {
  const dialog = /** @type {HTMLDialogElement} */ (byId(`ask-${what}`));
  dialog.returnValue = '';
  dialog.showModal();
  dialog.addEventListener('close', () => dialog.returnValue === 'yes' && then(), { once: true });
}

document.addEventListener('click', (event) => {
  const target = event.target instanceof Element ? event.target : null;
  const button = /** @type {HTMLElement | null} */ (target?.closest('[data-act], [data-target], [data-at]') ?? null);
  if (!button) return;
  if (button.dataset.target) void turn.press([button.dataset.target], null);
  else if (button.dataset.at !== undefined) past.go(Number(button.dataset.at) === now.turns ? null : Number(button.dataset.at));
  else ACTS[button.dataset.act ?? '']?.(button);
});

document.addEventListener('keydown', (event) => {
  const target = event.target instanceof Element ? event.target : null;
  if (target?.closest('input:not([type=radio]):not([type=checkbox]), textarea, select, dialog') || event.altKey || event.ctrlKey || event.metaKey) return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const button = /** @type {HTMLElement | null} */ (document.querySelector(`[data-key='${CSS.escape(key)}']`));
  if (key === 'ArrowLeft') past.step(-1);
  else if (key === 'ArrowRight') past.step(1);
  else if (key === 'Home') past.go(0);
  else if (key === 'End') past.go(null);
  else if (key === 'r') turn.turn(event.shiftKey ? -1 : 1);
  else if (key === 'u') void undo();
  else if (key === 'h' && buttons('hint').length) void hint();
  else if (key === 'Enter' && (!target || target === document.body || host.contains(target))) { if (!turn.confirm()) return; }
  else if (key === 'Escape') { if (past.at !== null) past.go(null); else if (!closeDrawers()) void undo(); }
  else if (button && !event.shiftKey) button.click();
  else return;
  event.preventDefault();
});

// ---- begin

const closeDrawers = initTools({ page, api, post, changed: () => { past.forget(); turn.refresh(); } });
const line = connect(`/tables/${page.table}/live`, () => ({ have: now.marks, turns: now.turns, seat: now.seat }), receive, (open) => {
  byId('net').hidden = open;
  document.body.dataset.line = open ? 'open' : 'down';
});
board.fit();
apply(now, false);
document.body.dataset.script = 'ready';
