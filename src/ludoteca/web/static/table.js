// The table page: takes in messages, sends what was chosen, and looks after everything round the board.
import { Idiomorph } from './vendor/idiomorph.js';
import { animate, countUp, fallen, fights, scores } from './animate.js';
import { warned } from './blunder.js';
import { Board } from './board.js';
import { Explain } from './explain.js';
import { flights, land } from './fly.js';
import { Hint } from './hint.js';
import { connect, send } from './live.js';
import { covered, goOn, inSight, pointAt } from './lesson.js';
import { logKey, markRow, showLog } from './log.js';
import { showNamed } from './named.js';
import { Past, numberOf } from './past.js';
import { wholeFragments } from './pieces.js';
import { playRecap, skipRecap } from './recap.js';
import { Since } from './since.js';
import { countAway, fitCards, fitPanels, togglePanel } from './room.js';
import { supply } from './symbols.js';
import { announce, initTools, notify, signal, toast } from './tools.js';
import { Turn } from './turn.js';

/**
 * @typedef {object} Message the whole view of a seat
 * @property {number} version of what this seat can see of the match
 * @property {number} serial of all that this page could see changing; all servers count alike
 * @property {number} seat
 * @property {string} colour
 * @property {string[]} colours of all seats
 * @property {Record<string, string>} fragments HTML by the id of its element; unchanged ones and those in `changes` are left out
 * @property {Record<string, import('./pieces.js').Change>} [changes] those of which only pieces have changed
 * @property {Record<string, string>} marks of all fragments: what the next hello says we have
 * @property {import('./choose.js').Table | null} choices
 * @property {import('./animate.js').Event[]} events since the last message
 * @property {import('./animate.js').Event[]} draft what flew when steps were made that are not committed yet
 * @property {boolean} [watched] are these the steps of a bot, with all that happened in them?
 * @property {string} speak
 * @property {{count: number, last: string[]}} [notices] what happened beside the turns: how much, and the last of it ('': my doing)
 * @property {number} turns how many are committed
 * @property {number} finished how many of them people count
 * @property {boolean} mine is it my turn?
 * @property {boolean} sealed do all choose in secret now, and I have not yet?
 * @property {boolean} curtain does the screen go to another person?
 * @property {number} next to the one of this seat
 * @property {boolean} ready are the rules compiled?
 * @property {boolean} over has the match ended?
 * @property {boolean} won has somebody won who looks?
 * @property {boolean} [anew] is it the first one of its socket? Then it counts, whatever the page has shown before
 * @property {string} who name of the seat that looks, or is to come to the screen
 * @property {string[]} names of all seats
 * @property {string} [rematch] address of the next game
 * @property {string} title
 */
/**
 * @typedef {object} Page what the server wrote into the page
 * @property {string} table
 * @property {string} game
 * @property {boolean} redrafts may clicks that make no action change the draft?
 * @property {boolean} secrets may one seat know what another does not?
 * @property {{log: string, confirm: string, sound: boolean, haptics: boolean, notify: boolean, theme: string, coordinates: boolean, marks: boolean, places: boolean}} settings
 * @property {import('./signals.js').Sounds} sounds
 * @property {Record<string, string>} words
 * @property {Message} message
 * @property {string} [api] where requests go, if not to a table
 * @property {Record<string, string>} [study] words of a board for analysis, on its page
 * @property {import('./past.js').Look & {eyes: number | null}} [look] the turn at which the page is opened
 */

/** @param {string} id */
const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** @type {Page} */
const page = JSON.parse(byId('data').textContent ?? '{}');
const api = page.api ?? `/api/tables/${page.table}`;
const host = byId('drawing');
const overlay = /** @type {SVGSVGElement} */ (/** @type {unknown} */ (byId('overlay')));
const board = new Board(host, overlay);
const felt = byId('felt');
// of a player's panel, or of the player's score where the panels are out of the window
board.sign = (seat) => {
  const signs = [...document.querySelectorAll(`:is(#players, .standings) .seat-${colourOf(seat)} .sign > g`)];
  return signs.find((sign) => inWindow(sign.getBoundingClientRect())) ?? signs[0] ?? null;
};
/** @param {DOMRect} box */
const inWindow = (box) => box.width > 0 && box.top >= 0 && box.bottom <= innerHeight;

/** The message on show and, while it is being shown, the ones after it. */
let now = page.message;
/** @type {Message[]} */
const waiting = [];
let showing = false;
/** I stand up: a table that does not show itself any more is no surprise. */
let leaving = false;
/** The seat of the person who has come to the screen, where several people share it. @type {number | null} */
let here = null;
/** Who waits for a message. @type {{serial: number, resolve: (done: boolean) => void}[]} */
let settled = [];

/** The board for analysis, on its page. @type {import('./analysis.js').Study | null} */
const study = page.api && page.study ? new (await import('./analysis.js')).Study({ api: page.api, study: page.study, message: now }, board, { now: () => /** @type {any} */ (now), receive, post, preview: (steps) => turn.preview(steps) }) : null;

/**
 * Ask something of this table or board.
 * @param {string} what
 * @param {Record<string, unknown>} body
 * @returns {ReturnType<typeof send>}
 */
const asked = (what, body) => send(`${api}/${what}`, study ? study.body(body) : body);

// ---- what the board asks of us

/** Which turn of which seat it is. */
const theTurn = () => `${now.seat} ${now.turns}`;

const turn = new Turn(board, {
  async act(name, keep, targets) {
    byId('bubble').classList.remove('on');
    if (targets && page.redrafts && (await redraft(targets)).done) return true;
    const { status } = await warned((anyway) => played(post('act', { version: now.version, seat: now.seat, steps: name, keep, rest: true, anyway })));
    if (status === 200) answered(true, (now.choices?.levels.length ?? 0) > 1);
    return status === 200;
  },
  turn: theTurn,
  async refused(targets, at) {
    if (!now.ready) return '';
    if (at) void explain.about(at); // what it is comes with why not: a slow line is waited for once
    if (page.redrafts && now.mine) return (await redraft(targets)).sentence;
    const { data } = await asked('why-not', { targets, ...mySeat() });
    return told(data);
  },
  redrafts: page.redrafts,
  pencil: page.secrets ? (id, at) => void pencil(id, at) : null,
  async explains(at, why = '') {
    // on a small board the explained thing is enlarged
    const lies = await enlarge(at, true);
    return explain.point(lies, now.mine ? why : '');
  },
  lens(side, at) {
    if (side >= TAP || !small() || lens?.open) return false;
    void enlarge(at, false).then((to) => { if (newcomer('lens')) bubble(page.words.zoomed ?? '', to, 'tip'); });
    return true;
  },
  near() {
    if (felt.classList.contains('holding')) board.stage.scrollIntoView({ block: 'nearest' }); // picked from the strip under the board
    const ahead = turn.picked.length && small() && !lens?.open ? turn.ahead().filter((id) => board.onBoard(id)) : [];
    if (Math.min(...ahead.map((id) => board.side(id))) >= TAP) return;
    const centres = ahead.flatMap((id) => board.centre(id) ?? []);
    const at = { x: mean(centres.map(({ x }) => x)), y: mean(centres.map(({ y }) => y)) };
    if (centres.every(({ x, y }) => Math.hypot(x - at.x, y - at.y) < Math.min(felt.clientWidth, felt.clientHeight) / 4)) void enlarge(at, false);
  },
  confirms() {
    const { confirm } = page.settings;
    // where a button of the game does what is left, pressing it is meant
    if (!buttons('confirm').length && !arranges()) return false;
    return now.sealed || confirm === 'on' || (confirm === 'auto' && turn.touch);
  },
  arranges,
  seals: () => now.sealed,
  say(text, where) {
    bubble(text, where);
    answered(false);
    if (ruleOf(text)) linkBubble(text, ruleOf(text));
    else if (where) void explain.about(where).then((about) => { if (about?.rules) linkBubble(text, about.rules); });
  },
  cannot: (what, here) => bubble(page.words[here ? `${what}NotHere` : `${what}Nothing`] ?? '', null, 'tip'),
  tell: (action) => announce(laidWords(action)), // how it is turned is heard only here
  changed({ confirm, turn: turns, turnable, flip, flippable, back, laying, holding, laid }) {
    for (const button of buttons('confirm')) button.disabled = !confirm;
    const steps = turn.suggested() ? turn.hint?.steps ?? [] : [];
    for (const button of buttons('follow')) {
      // a button of the game that does all of it is pressed itself
      const last = /** @type {HTMLElement | null} */ (button.nextElementSibling);
      button.hidden = !steps.length || (steps.length === 1 && steps[0]?.targets[0] === last?.dataset.target);
    }
    // where something can be turned or flipped the buttons keep their places, so that the others keep theirs
    for (const [act, can, ever] of /** @type {const} */ ([['turn', turns, turnable], ['flip', flip, flippable]])) {
      for (const button of buttons(act)) {
        button.hidden = !ever;
        button.disabled = !can;
      }
    }
    for (const button of buttons('undo')) button.disabled = !(back || button.dataset.draft === 'yes' || takesBack());
    const line = document.getElementById('held');
    if (line) {
      line.hidden = !holding;
      // the sentence of the hint names the tile and its place
      line.textContent = laid && (turn.suggested() ? gainWords(laid) : laidWords(laid, page.settings.log)) || (turn.touch ? line.dataset.taps : line.dataset.keys) || '';
    }
    felt.classList.toggle('holding', holding);
    // a pick made in the lens goes on outside of it
    if (lens?.open && lens.picked !== turn.picked.join() && turn.ahead().some((id) => lens?.hides(id))) lens.close();
    listed?.refresh();
    for (const [name, value] of [['role', 'application'], ['aria-label', page.words.board ?? '']]) {
      if (laying) board.stage.setAttribute(name ?? '', value ?? '');
      else board.stage.removeAttribute(name ?? '');
    }
  },
});

/** The lens that enlarges a part of a small board, once it was needed. @type {import('./lens.js').Lens | null} */
let lens = null;
const TAP = 44; // pixels: smaller things are hard to hit with a finger
const SMALL = 560; // pixels: a board that is no larger has a lens

/** @param {number[]} numbers */
const mean = (numbers) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;

/** Is it one of the first times that somebody in this browser meets a thing? @param {string} thing */
function newcomer(thing) {
  try {
    const times = Number(localStorage.getItem(`ludoteca.met.${thing}`)) + 1;
    localStorage.setItem(`ludoteca.met.${thing}`, String(times));
    return times <= 3;
  } catch {
    return false; // a browser that keeps nothing
  }
}

/** Is the board small, and touched? */
const small = () => turn.touch && now.ready && !now.curtain && Math.min(felt.clientWidth, felt.clientHeight) < SMALL && !document.body.classList.contains('as-list');

/** Open the lens at a point of the board, if the board is small. @param {{x: number, y: number}} at @param {boolean} explained */
async function enlarge(at, explained) {
  if (!small() || !board.over(at.x, at.y)) return at;
  const { Lens } = await import('./lens.js');
  lens ??= new Lens(board, felt, { label: page.words.closeLens ?? '', closed() {
    explain.close();
    turn.refresh();
  } });
  const least = Math.min(...turn.sides(), TAP);
  lens.picked = turn.picked.join();
  const to = lens.show(at, least, explained);
  turn.refresh();
  return to;
}

/** The board as a list, once it was asked for. @type {import('./places.js').Places | null} */
let listed = null;

async function loadListed() {
  const { Places } = await import('./places.js');
  listed ??= new Places(byId('listed'), turn, {
    say: announce,
    words: (key, values = {}) => fill(`places.${key}`, values),
    name: laidWords,
    async typed(steps, keep) {
      const { ok, data } = await warned((anyway) => played(study ? post('act', { steps, keep }) : send(`${api}/act`, { version: now.version, seat: now.seat, steps, keep, anyway })));
      return ok ? '' : data.detail ?? page.words.offline ?? '';
    },
  });
  listed.refresh(true);
  return listed;
}

/** Show the board as a list or no longer. @param {boolean} on */
function showListed(on) {
  if (on) void loadListed();
  page.settings.places = on;
  document.body.classList.toggle('as-list', on);
  for (const button of buttons('places')) if (button.ariaPressed) button.ariaPressed = String(on);
  const field = /** @type {HTMLInputElement | null} */ (document.querySelector("#settings-form [name='places']"));
  if (field) field.checked = on;
}

/** What an action would lay, and what everybody would get for it. @param {import('./choose.js').Action} action @param {string} [log] sentences
 * leave out how it is turned: that is on the board */
function laidWords(action, log) {
  return [log === 'sentences' ? action.name.replace(/ .* /, page.words.at ?? '') : action.name, gainWords(action)].filter(Boolean).join(': ');
}

/** What everybody would get for an action. @param {import('./choose.js').Action} action */
function gainWords({ ghosts }) {
  const all = ghosts.flatMap((ghost) => ghost?.gains ?? []);
  const mine = all.filter(([seat]) => seat === now.seat);
  return [...mine, ...all.filter((gain) => !mine.includes(gain))].map(([seat, points]) => (seat === now.seat
    ? fill('gainOwn', { points }) : fill('gain', { points, name: now.names[seat] ?? '' }))).join(', ');
}

/** Words of the page with what stands in for its #names. @param {string} key @param {Record<string, string>} values */
function fill(key, values) {
  return (page.words[key] ?? '').replace(/#(\w+)/g, (_, name) => values[name] ?? '');
}

/** Whose knowledge of then is looked at when the match is over; null: nothing is hidden. @type {number | null} */
let eyes = null;
/** The replay, once it was asked for. @type {import('./replay.js').Replay | null} */
let replaying = null;

async function replay() {
  const { Replay } = await import('./replay.js');
  replaying ??= new Replay(past, {
    now: () => ({ ...now, eyes }),
    look(seat) {
      eyes = seat;
      return past.again();
    },
    say: announce,
  });
  return replaying;
}

const past = /** @type {Past} */ (/** @type {unknown} */ (study ?? new Past({
  path: (at) => {
    const query = String(new URLSearchParams(/** @type {any} */ ({ ...(here === null ? {} : mySeat()), ...mySight() })));
    const address = `/tables/${page.table}/at/${at}`;
    return query ? `${address}?${query}` : address;
  },
  marked: () => replaying?.mark(),
  play: async (from, until) => (await replay()).play(from, until),
  last: () => now.turns,
  closed: () => now.curtain,
  async show(look, step) {
    if (look || recapAt() !== now.turns) skipRecap();
    felt.classList.toggle('looking-back', Boolean(look));
    document.body.classList.toggle('looking-back', Boolean(look));
    turn.paused = Boolean(look);
    turn.refresh();
    since.refresh();
    if (look) {
      const gone = fallen(step === 1 ? look.events : [], board);
      // the result of a fight is not told before the fight has been seen
      const late = step === 1 && fights(look.events) ? ['cards', 'players', 'prompt', 'places'] : [];
      morph(look.fragments, (id) => !late.includes(id));
      listed?.refresh(true);
      board.fit();
      announce(look.speak);
      if (step === 1) {
        await animate(look.events, board, colourOf, -1, gone);
        if (past.at !== look.at) return;
        morph(look.fragments, (id) => late.includes(id));
        listed?.refresh(true);
        await playRecap();
      }
    } else {
      // the recap of the last turn may still be read, and count up what stands in the panels
      const reads = !byId('recap').hidden;
      morph(now.fragments, (id) => !reads || id !== 'recap' && id !== 'players');
      apply(now, false);
    }
  },
})));

const since = new Since(page.table, page.secrets, past, () => now);

const explain = new Explain({
  async ask(elements) {
    const turn = past.at === null ? {} : { turn: past.at, ...mySight() };
    const { ok, data } = await asked('explain', { elements, ...mySeat(), ...turn });
    return ok && data.title ? data : null;
  },
  rule: (why) => ruleOf(why),
  stamp: () => [now.version, now.seat, past.at, eyes, now.marks.drawing].join(),
  closed: () => !now.ready || now.curtain,
  holding: () => felt.classList.contains('holding') || document.body.classList.contains('carrying') || board.dragged !== null,
  pencil: (id, at) => void pencil(id, at),
  words: page.words,
});

/** @param {number} seat */
const colourOf = (seat) => now.colours[seat] ?? 'none';

/** @param {string} act @returns {NodeListOf<HTMLButtonElement>} */
const buttons = (act) => document.querySelectorAll(`button[data-act='${act}']`);

/**
 * Post to this table; a refusal is said in words, and so is what a lesson answers to a step that it does not wait for.
 * @param {string} what
 * @param {object} [body]
 */
async function post(what, body = {}) {
  const answer = await asked(what, { ...body });
  if (answer.data.message) receive(answer.data.message, true);
  if (!answer.ok) {
    // of what was sent twice the view tells what has become
    if (!(answer.again && answer.status === 409)) bubble(answer.data.detail ?? page.words.offline ?? '', null);
    if (answer.status === 409) line.again();
  } else if (answer.data.done === false && answer.data.sentence && what !== 'redraft') {
    bubble(answer.data.sentence, null);
    return { ok: false, status: 0, data: { detail: answer.data.sentence } };
  }
  return answer;
}

/** Post from the menu of the table, which makes way for what comes of it. @param {string} what @param {object} [body] */
function fromMenu(what, body) {
  closeDrawers();
  return post(what, body);
}

/**
 * Wait until what goes on with a turn is on show; whoever does it sees what comes meanwhile.
 * @param {ReturnType<typeof post>} posted
 * @param {() => void} [done] what is to do first if something was changed
 */
async function played(posted, done) {
  since.acting = true;
  skipRecap(); // who goes on does not wait for what a round has brought
  const { key } = since; // of the seat that acts: the curtain may fall before the answer is there
  const { turns } = now;
  try {
    const answer = await posted;
    if (answer.ok && answer.data.done !== false) {
      done?.();
      since.done(key, turns + Number(Boolean(answer.data.committed)));
      await seen(answer.data.serial);
    }
    return answer;
  } finally {
    since.acting = false;
  }
}

/** The refusal told last, and the address of the rule that it tells. */
let refusal = { sentence: '', rules: '' };

/** A refusal of the server's. @param {{sentence?: string, rules?: string}} data @returns {string} */
function told({ sentence = '', rules = '' }) {
  refusal = { sentence, rules };
  return sentence;
}

/** The address of the rule that a refusal tells. @param {string} why */
const ruleOf = (why) => (why === refusal.sentence ? refusal.rules : '');

/** Whose knowledge of then is looked at, for requests; nobody's where nothing is hidden. */
const mySight = () => (eyes === null ? {} : { eyes });

/** The seat that looks, for requests; a spectator has none. */
const mySeat = () => (now.seat >= 0 ? { seat: now.seat } : {});

/**
 * Clicks or a drag that may change the draft otherwise than by an action.
 * @param {string[]} targets
 * @returns {Promise<{done: boolean, sentence: string}>}
 */
async function redraft(targets) {
  const { ok, data } = await played(post('redraft', { version: now.version, seat: now.seat, targets }), () => turn.drop());
  return { done: Boolean(ok && data.done), sentence: ok ? told(data) : '' };
}

/** Resolves when a message at least that new has been shown. @param {number} serial */
function seen(serial) {
  return new Promise((resolve) => {
    if (now.serial >= serial) return resolve(true);
    const timer = setTimeout(async () => {
      // the socket is down: ask for the view itself
      if (!study) line.again();
      const { ok, data } = await send(here === null ? `/tables/${page.table}/view` : `/tables/${page.table}/view?here=${here}`, {}, 'GET');
      if (ok && !overtaken(data)) receive(data);
      resolve(false);
    }, 2500);
    settled.push({ serial, resolve: (/** @type {boolean} */ done) => {
      clearTimeout(timer);
      resolve(done);
    } });
  });
}

/** Has the socket brought what came after a view that was asked for? @param {Message} view */
function overtaken(view) {
  const newest = waiting.at(-1) ?? now;
  return view.seat === newest.seat && view.serial < newest.serial && view.version <= newest.version;
}

// ---- messages

/** Parts that somebody unfolded stay unfolded. @param {string} name @param {Element} element */
const beforeAttributeUpdated = (name, element) => name !== 'open' || !(element instanceof HTMLDetailsElement);

/** Parts that are drawn as before are skipped: most tiles lie as they did. @param {Node} old @param {Node} fresh */
const beforeNodeMorphed = (old, fresh) => !(old instanceof SVGElement && old.isEqualNode(fresh));

/** @param {Record<string, string>} fragments @param {(id: string) => boolean} [wanted] which of them */
function morph(fragments, wanted = () => true) {
  const changed = Object.entries(fragments).filter(([id]) => wanted(id));
  if (!changed.length) return; // flights go on
  land();
  const restore = board.lift();
  const old = scores();
  const typing = document.activeElement instanceof HTMLInputElement; // typed text stays; a button gets its new label
  for (const [id, html] of changed) {
    const element = document.getElementById(id);
    if (!element) continue;
    supply(html);
    Idiomorph.morph(element, html, { morphStyle: 'outerHTML', ignoreActiveValue: typing, restoreFocus: true, callbacks: { beforeAttributeUpdated, beforeNodeMorphed } });
  }
  fitPanels();
  fitCards();
  countAway();
  restore();
  showNamed();
  if (fragments.happened !== undefined) since.refresh();
  if (fragments.moves !== undefined && wanted('moves')) markRow(past.at ?? now.turns);
  countUp(old);
}

/** @param {Message} message */
function receive(message, first = false) {
  waiting.push(first ? { ...message, anew: true } : message);
  if (!showing) void showNext();
}

/**
 * The marks of the fragments on the page after a message. @param {Message} before @param {Message} message
 * @param {Record<string, string>} whole the fragments that came with it
 * @returns {Record<string, string>}
 */
const marksAfter = (before, message, whole) => ({
  ...before.marks, ...Object.fromEntries(Object.keys(whole).map((id) => [id, message.marks[id] ?? ''])),
});

async function showNext() {
  showing = true;
  for (let message = waiting.shift(); message; message = waiting.shift()) {
    const before = now;
    const drafted = (before.choices?.levels.length ?? 0) > 1;
    const closed = before.ready && !message.ready && message.serial > before.serial; // there is no match to look at any more
    const older = message.version < before.version && message.seat === before.seat && !closed;
    if (older && !message.anew) {
      // an older view, overtaken on its way by a newer one
      continue;
    }
    const whole = wholeFragments(message.fragments, message.changes ?? {}, before);
    const marks = whole && marksAfter(before, message, whole);
    if (!whole || !marks || Object.entries(message.marks).some(([id, mark]) => marks[id] !== mark)) {
      // a message was passed over, or a view came by another way: the server takes us to have what we have not,
      // and no page shows parts of two positions
      line.say({ have: before.marks, turns: before.turns });
      continue;
    }
    if (message.rematch && !before.rematch) location.assign(message.rematch);
    message.fragments = whole;
    now = { ...message, changes: {}, fragments: { ...before.fragments, ...whole }, marks };
    // turns were taken back, the game is over (and nothing hidden any more), or somebody else looks
    if (message.turns < before.turns || message.over !== before.over || message.seat !== before.seat) past.forget();
    curtain(message);
    if (message.over && !before.over && !byId('drawer-menu').hidden) closeDrawers(); // the result is not to be looked for
    if (message.turns !== before.turns || !message.mine) lens?.close();
    const fresh = message.events.slice(watched(before, message));
    const events = waiting.length ? fresh.slice(-2) : fresh.slice(-12);
    for (const event of events) if (flew(event, before)) event.flights = [];
    const made = newlyDrafted(before, message);
    const shown = message.watched ? [...events, ...made] : events;
    const gone = past.at === null ? fallen([...events, ...made], board) : undefined;
    const late = past.at === null ? afterwards(before, message, events) : POSITION;
    morph(message.fragments, (id) => !late.includes(id));
    if (past.at !== null) past.mark();
    const news = message.version !== before.version || message.seat !== before.seat;
    const told = noticed(before, message);
    apply(message, news, told);
    if (!document.querySelector('#status .request')) toast(told); // a request that is open has a card
    if (older) announce(page.words.restored ?? '', true); // the data of the server were put back to an earlier day
    for (const one of settled) if (one.serial <= message.serial) one.resolve(true);
    settled = settled.filter((one) => one.serial > message.serial);
    const call = news ? calls(before, message) : '';
    if (call === 'turn' && page.settings.notify) void notify(message.title);
    if (news && past.at === null) signal(page.settings, (signals) => signals.happened(page.settings, shown, page.sounds));
    if (news && past.at === null && message.events.length) {
      // many turns at once (after a long absence): only the last ones are played
      if (late.length) document.title = before.title;
      await animate(shown, board, colourOf, drafted ? before.seat : -1, gone);
      document.title = message.title;
    } else if (gone && message.watched) {
      if (!waiting.length) await animate(made, board, colourOf, -1, gone); // the next message waits until this has been seen
    } else if (gone) {
      for (const event of made) flights(event, gone.begun, board.sign, 0); // a person who chooses does not wait for it
    }
    // no sounds for a person who looks back
    if (call && past.at === null) signal(page.settings, (signals) => signals.calls(page.settings, call));
    morph(message.fragments, (id) => late.includes(id) && (past.at === null || !POSITION.includes(id)));
    if (late.includes('places')) listed?.refresh(true);
    // what a season, a draft or a round has brought, if one is over since the last message; who has won is known by then
    const brings = news && past.at === null && message.fragments.recap !== undefined && recapAt() > before.turns;
    if (brings) await playRecap();
  }
  showing = false;
}

/** What happened beside the turns since a message. @param {Message} before @param {Message} message */
function noticed(before, { notices, curtain }) {
  if (!notices || curtain) return '';
  const fresh = notices.count - (before.notices?.count ?? 0);
  return fresh > 0 ? notices.last.slice(-fresh).filter(Boolean).join(' ') : '';
}

/** The turn with which the season, the draft or the round was over whose recap is on the page; 0 if there is none. */
const recapAt = () => Number(byId('recap').dataset.at ?? 0);

/** The fragments that show a position: they stay while another position is looked at. */
const POSITION = ['drawing', 'prompt', 'cards', 'players', 'heading', 'recap', 'places'];

/**
 * What is not shown before the motion has been seen: what came of a fight, and how the match has ended.
 * @param {Message} before @param {Message} message @param {readonly import('./animate.js').Event[]} events @returns {string[]}
 */
function afterwards(before, message, events) {
  return [...(message.over && !before.over ? ['prompt', 'acts', 'result'] : []), ...(fights(events) ? ['cards', 'players', 'moves', 'happened', 'places'] : [])];
}

/**
 * Is the viewer called by a message: because the others have moved and it is the viewer's turn, or because the match has ended? Who
 * hands over at one screen is not.
 * @param {Message} before @param {Message} message @returns {'turn' | 'won' | 'over' | ''}
 */
function calls(before, message) {
  if (message.over) return before.over ? '' : message.won ? 'won' : 'over';
  const begins = message.mine && message.choices?.levels.length === 1 && message.seat === before.seat;
  return begins && message.events.some(({ seat }) => seat !== message.seat) ? 'turn' : '';
}

/** Let it be heard and felt that a choice was taken, or refused. @param {boolean} taken @param {boolean} [step] does the turn go on? */
const answered = (taken, step) => signal(page.settings, (signals) => signals.answered(page.settings, taken, step ? page.sounds.step : undefined));

/** Has it been seen to fly when the step was made? @param {import('./animate.js').Event} event @param {Message} before */
function flew({ seat, flights }, before) {
  const way = JSON.stringify(flights);
  return before.draft.some((step) => step.seat === seat && JSON.stringify(step.flights) === way);
}

/** How many of the events were seen already, step by step. @param {Message} before @param {Message} message */
function watched({ watched, draft, seat }, { events, seat: looks }) {
  return watched && seat === looks && draft.every((event, k) => JSON.stringify(event) === JSON.stringify(events[k])) ? draft.length : 0;
}

/**
 * What flies since the viewer went on with a turn (all else of it is on the board at once), or what a bot has done since.
 * @param {Message} before @param {Message} message
 */
function newlyDrafted(before, message) {
  if (message.watched && message.seat === before.seat && message.turns > before.turns) return message.draft;
  const goesOn = message.seat === before.seat && message.turns === before.turns
    && before.draft.every((event, k) => JSON.stringify(event) === JSON.stringify(message.draft[k]));
  return goesOn ? message.draft.slice(before.draft.length) : [];
}

/** @param {Message} message @param {boolean} news @param {string} [told] what happened beside the turns */
function apply(message, news, told = '') {
  board.fit();
  document.title = message.title;
  const icon = /** @type {HTMLLinkElement} */ (byId('favicon'));
  const href = message.mine ? icon.dataset[message.colour] ?? icon.dataset.turn : icon.dataset.rest;
  if (href && icon.getAttribute('href') !== href) icon.setAttribute('href', href);
  document.body.classList.toggle('my-turn', message.mine);
  Object.assign(document.body.dataset, { version: String(message.version), seat: String(message.seat), turns: String(message.turns), mine: String(message.mine) });
  pointAt(board);
  inSight(board);
  if (past.at === null) turn.update(message.choices, message.colour, message.turns);
  study?.show();
  hints.label();
  explain.refresh();
  listed?.refresh(true);
  since.look();
  const more = listed?.news() ?? '';
  announce([news && message.speak, told, news && more].filter(Boolean).join(' '));
  keepKeyboard();
}

/**
 * Draw the curtain, or open it. Behind it there is nothing: the view of whoever comes is sent when that person has said so, and what
 * the one before has seen is gone.
 * @param {Message} message
 */
function curtain(message) {
  const element = byId('curtain');
  document.body.classList.toggle('curtained', message.curtain);
  if (!message.curtain) {
    element.hidden = true;
    return;
  }
  const fresh = element.hidden || document.activeElement === document.body;
  element.hidden = false;
  here = null;
  if (past.at !== null) void past.go(null);
  past.forget();
  for (const id of ['bubble', 'speak', 'toast']) byId(id).textContent = '';
  explain.close();
  lens?.close();
  byId('bubble').classList.remove('on');
  byId('toast').classList.remove('on');
  closePencil();
  land();
  for (const layer of [byId('overlay'), board.under()]) layer.replaceChildren();
  for (const dialog of document.querySelectorAll('dialog[open]')) /** @type {HTMLDialogElement} */ (dialog).close();
  if (fresh) /** @type {HTMLButtonElement} */ (element.querySelector('button')).focus();
}

// ---- pencil marks

/** What may be pencilled on a piece, and what is. @param {string} element @param {{x: number, y: number}} at */
async function pencil(element, at) {
  if (!now.ready || now.seat < 0 || past.at !== null) return;
  const { ok, data } = await post('pencils', { seat: now.seat, element });
  if (!ok || now.curtain) return;
  if (!data.labels.length) {
    bubble(page.words.noPencil ?? '', at, 'tip');
    return;
  }
  const box = byId('pencil');
  const noted = new Set(data.noted);
  const seat = now.seat;
  const buttons = data.labels.map((/** @type {string} */ label) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = label;
    button.ariaPressed = String(noted.has(label));
    button.addEventListener('click', async () => {
      const on = !noted.has(label);
      if (on) noted.add(label);
      else noted.delete(label);
      button.ariaPressed = String(on);
      await post('notes', { seat, element, labels: [...noted] });
    });
    return button;
  });
  box.querySelector('.labels')?.replaceChildren(...buttons);
  const room = felt.getBoundingClientRect();
  box.hidden = false;
  box.style.left = `${Math.max(8, Math.min(at.x - room.x + 12, room.width - box.offsetWidth - 8))}px`;
  box.style.top = `${Math.max(8, Math.min(at.y - room.y + 12, room.height - box.offsetHeight - 8))}px`;
  buttons[0]?.focus({ preventScroll: true });
}

/** @returns {boolean} whether it was open */
function closePencil() {
  const box = document.getElementById('pencil');
  if (!box || box.hidden) return false;
  box.hidden = true;
  box.querySelector('.labels')?.replaceChildren();
  return true;
}

// ---- sentences near the pointer

let bubbleTimer = 0;

/** @param {string} text @param {{x: number, y: number} | null} where @param {string} [kind] */
function bubble(text, where, kind = 'no') {
  if (!text) return;
  const element = byId('bubble');
  const box = felt.getBoundingClientRect();
  // in the part of the board that is in sight
  const first = Math.max(8, 8 + covered() - box.y);
  const last = Math.min(box.bottom, document.querySelector('.drawers')?.getBoundingClientRect().y ?? innerHeight) - box.y - 90;
  element.classList.remove('on');
  if (last < first) return announce(text, true);
  element.textContent = text;
  element.className = `bubble on ${kind}`;
  showNamed();
  const at = where ?? { x: box.x + box.width / 2 - 120, y: box.y + 40 };
  const width = Math.min(300, box.width * 0.8);
  element.style.left = `${Math.max(8, Math.min(at.x - box.x + 14, box.width - width - 8))}px`;
  element.style.top = `${Math.max(first, Math.min(at.y - box.y + 16, last))}px`;
  announce(text);
  clearTimeout(bubbleTimer);
  bubbleTimer = window.setTimeout(() => element.classList.remove('on'), 2200 + 45 * text.length);
}

/** Lead from the sentence on show to the rules that say more. @param {string} text @param {string} href */
function linkBubble(text, href) {
  const element = byId('bubble');
  if (element.textContent !== text || !element.classList.contains('on')) return;
  const link = document.createElement('a');
  Object.assign(link, { href, target: '_blank', tabIndex: -1, textContent: page.words.aboutRules ?? '' });
  element.append(' ', link);
}

// ---- buttons and keys

/** Steps back that were asked for and are under way. */
let undoing = Promise.resolve();

/** The button of the menu that takes a finished turn back, if that is possible now. @returns {HTMLElement | null} */
const takesBack = () => document.querySelector("#menu :is([data-act='retry'], [data-act='takeback']):enabled");

/** One step back, after those that were asked for before; where no turn is begun and `turns`, the last turn. */
function undo(turns = false) {
  const back = () => stepBack(turns);
  undoing = undoing.then(back, back);
  return undoing;
}

/** @param {boolean} turns */
async function stepBack(turns) {
  if (turn.back()) return;
  const button = buttons('undo')[0];
  if (button && button.dataset.draft !== 'yes' && turns) takesBack()?.click();
  if (!button || button.dataset.draft !== 'yes') return;
  if (arranges() && (await redraft(['do:undo'])).done) return;
  skipRecap();
  const { ok, data } = await post('undo', { version: now.version, seat: now.seat, keep: turn.stays });
  if (ok) await seen(data.serial);
}

const hints = new Hint(turn, {
  position: () => ({ version: now.version, seat: now.seat }),
  post,
  buttons: () => [...buttons('hint')],
  words: (key, values = {}) => fill(key, values),
  searching(on) {
    if (on) announce(page.words.thinking ?? '');
    felt.classList.toggle('thinking', on);
  },
  say: (text) => bubble(text, null, 'tip hint'),
  labelled: keepKeyboard,
});

function hint() {
  skipRecap(); // it may lie over what is hinted at
  void hints.press();
}

/** Arrange what is mine, and show the step that would seal it. @param {Promise<{ok: boolean, data: any}>} answer */
async function arranged(answer) {
  const { ok, data } = await answer;
  if (!ok) return;
  await seen(data.serial);
  turn.propose(data.last);
}

/** The step that is about to be done, if it is the only one missing. */
const lastStep = () => turn.group().action?.name ?? /** @type {HTMLElement | null} */ (document.querySelector('#acts [data-steps]'))?.dataset.steps ?? '';

/** Are things arranged now, in any order? */
function arranges() {
  return buttons('shuffle').length > 0;
}

// ---- the keyboard is not lost

/** What had the keyboard last; null after somebody has pointed elsewhere. @type {Element | null} */
let last = null;
let byKeys = false;

/** Can an element have the keyboard? @param {Element} element */
const usable = (element) => element !== document.body && element.isConnected && element.checkVisibility() && !element.matches(':disabled');

/**
 * A button that was pressed may be gone, hidden or out of use by what it did. Whoever plays with keys then goes on where the match goes
 * on, not at the top of the page.
 */
function keepKeyboard() {
  if (!byKeys || !last || hints.asking || now.curtain || document.querySelector('dialog[open]')) return;
  if (usable(document.activeElement ?? document.body)) return;
  const again = usable(last) && !last.matches('input') ? last : null;
  if (again instanceof HTMLElement) again.focus({ preventScroll: true });
  else if (page.settings.places && listed) listed.begin();
  else if (!turn.begins()) {
    const next = [...document.querySelectorAll(`#acts .main, #acts button, #result button, .past [data-act='present'], .drawers button`)].find(usable);
    if (next instanceof HTMLElement) next.focus({ preventScroll: true });
  }
}

document.addEventListener('pointerdown', () => {
  byKeys = false;
  last = null;
}, true);
document.addEventListener('keydown', () => {
  byKeys = true;
  if (document.activeElement !== document.body) last = document.activeElement;
}, true);
document.addEventListener('keyup', () => requestAnimationFrame(keepKeyboard));
document.addEventListener('focusin', ({ target }) => { if (byKeys && target instanceof Element) last = target; });

/** @type {Record<string, (button: HTMLElement) => unknown>} */
const ACTS = {
  here() {
    here = now.next;
    if (listed) listed.wanted = page.settings.places;
    line.say({ here });
  },
  handover() {
    here = null;
    line.say({ here });
  },
  shuffle: () => arranged(post('shuffle', { version: now.version, seat: now.seat })),
  arrange: (button) => arranged(post('arrange', { version: now.version, seat: now.seat, favourite: button.dataset.favourite })),
  async clear() {
    if ((await redraft(['do:clear'])).done) return;
    const { ok, data } = await post('undo', { version: now.version, seat: now.seat, keep: 0 });
    if (ok) await seen(data.serial);
  },
  forget: (button) => post('forget-favourite', { favourite: button.dataset.favourite }),
  rub: () => closePencil(),
  async places(button) {
    const on = button.classList.contains('skip') || !page.settings.places;
    showListed(on);
    closeDrawers();
    if (on) (await loadListed()).begin();
    const { ok, data } = await send('/api/me', { settings: { places: on } }, 'PATCH');
    if (!ok) announce(data.detail ?? page.words.offline ?? '', true);
    study?.again();
  },
  undo: () => undo(true),
  hint,
  sound: ({ dataset }) => dataset.answer === 'no' ? send('/api/me', { settings: { sound: false } }, 'PATCH') : /** @type {HTMLElement | null} */ (document.querySelector("#settings-form [name='sound']"))?.click(),
  coach: () => /** @type {HTMLElement | null} */ (document.querySelector("#settings-form [value='never']"))?.click(),
  follow: () => turn.playHint(),
  lesson: (button) => goOn(button, post, seen),
  exercise: (button) => goOn(button, post, seen, 'exercise'),
  confirm: () => turn.confirm(),
  turn: () => turn.turn(1),
  flip: () => turn.flip(),
  resign: () => ask('resign', () => fromMenu('resign', { seat: now.seat })),
  takeback: () => fromMenu('takeback'),
  retry(button) {
    const turn = past.at;
    const again = async () => {
      await past.go(null);
      await post('retry', { seat: now.seat, turn });
    };
    return button.dataset.asks === 'yes' ? ask('retry', again) : again();
  },
  yes: () => post('answer', { yes: true }),
  no: () => post('answer', { yes: false }),
  rematch: (button) => post('rematch', { best_of: Number(button.getAttribute('value')) }),
  replace: (button) => fromMenu('replace', { seat: Number(button.dataset.seat) }),
  back: () => post('come-back'),
  copy: async (button) => announce(await (await import('./share.js')).copy(byId(button.dataset.from ?? '')), true),
  fill: () => post('fill'),
  colour: (button) => post('colour', { colour: button.dataset.colour ?? '' }),
  close: () => ask('shut', leave),
  leave,
  async share() {
    const turn = past.at ?? now.turns;
    replaying?.pause();
    (await import('./share.js')).openShare({ ...now, turn, number: numberOf(turn), eyes: mySight(), seat: mySeat(), passes: !replaying?.skips });
  },
  panel: (button) => togglePanel(button),
  play: async () => (await replay()).toggle(),
  'replay-more': async (button) => (await replay()).open(button),
  skip: () => skipRecap(),
  replay: (button) => past.hooks.play(Number(button.dataset.from), Number(button.dataset.until)),
  present: () => past.go(null),
  since: () => since.play(),
  first: () => past.go(0),
  prev: () => past.step(-1),
  next: () => past.step(1),
};

async function leave() {
  leaving = true;
  const { ok } = await post('leave');
  if (ok) location.assign('/');
  else leaving = false;
}

/** @param {string} what @param {() => unknown} then */
function ask(what, then) {
  const dialog = /** @type {HTMLDialogElement} */ (byId(`ask-${what}`));
  dialog.returnValue = '';
  dialog.showModal();
  dialog.addEventListener('close', () => dialog.returnValue === 'yes' && then(), { once: true });
}

// The second click of a double click is not meant for another turn than the first, nor for the next step of a lesson.
let clicked = '';
addEventListener('click', (event) => {
  const asks = event.target instanceof Element && event.target.closest("[data-act='lesson'], [data-act='exercise'], [data-act='yes'], [data-act='no']");
  if (event.detail < 2) clicked = theTurn();
  else if (asks || clicked !== theTurn()) {
    event.stopImmediatePropagation();
    event.preventDefault();
  }
}, true);

document.addEventListener('click', (event) => {
  const target = event.target instanceof Element ? event.target : null;
  if (!target?.closest('#pencil')) closePencil();
  if (!target?.closest('#recap')) skipRecap();
  const button = /** @type {HTMLElement | null} */ (target?.closest('[data-act], [data-target], button[data-at], [data-action], [data-steps], [data-redraft]') ?? null);
  if (!button || (now.curtain && !button.closest('#curtain'))) return;
  // the click that ends a drag, or the rest of a finger, is none
  if (turn.pointing.spent && (host.contains(button) || board.cards.contains(button))) return;
  if (button.dataset.action) turn.named(button.dataset.action);
  else if (button.dataset.steps) void turn.steps(button.dataset.steps);
  else if (button.dataset.redraft) void turn.refuse(button.dataset.redraft.split(' '), null);
  else if (button.dataset.target) void turn.press([button.dataset.target], null);
  else if (button.dataset.at !== undefined) past.go(Number(button.dataset.at) === now.turns ? null : Number(button.dataset.at));
  else if (button.dataset.act) {
    event.preventDefault(); // there are forms for browsers without scripts
    ACTS[button.dataset.act]?.(button);
  }
});

document.addEventListener('submit', async (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  // the board for analysis begins at the position that is on the board
  if (form.matches('.analyse')) /** @type {HTMLInputElement} */ (form.elements.namedItem('turn')).value = past.at === null ? '' : String(past.at);
  if (form.id !== 'favourite-form') return;
  event.preventDefault();
  const field = /** @type {HTMLInputElement} */ (form.elements.namedItem('name'));
  const { ok } = await post('favourites', { seat: now.seat, name: field.value, last: lastStep() });
  if (!ok) return;
  field.value = '';
  field.blur();
  announce(page.words.kept ?? '', true);
});

document.addEventListener('keydown', (event) => {
  const target = event.target instanceof Element ? event.target : null;
  if (event.key === 'Escape' && !event.isComposing && target?.matches('input, textarea, select') && !target.closest('dialog') && (closeDrawers() || replaying?.close())) return event.preventDefault();
  if (target?.closest('input:not([type=radio]):not([type=checkbox]), textarea, select, dialog') || event.altKey || event.ctrlKey || event.metaKey) return;
  if (document.querySelector('dialog[open]')) return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (now.curtain) return; // the curtain's own button has the keyboard focus
  if (target?.matches('input[type=radio]') && /^(Arrow|Home|End)/.test(key)) return; // they choose among its like
  if (logKey(event)) return;
  if (event.key === 'Escape' && skipRecap()) return event.preventDefault();
  const button = document.querySelector(`[data-key='${CSS.escape(key)}']`);
  const pressed = key === 'Enter' || key === ' ' ? target?.closest('[data-action], [data-steps], [data-redraft], [data-target]') : null;
  if (pressed && !(pressed instanceof HTMLButtonElement)) click(pressed); // a button of a drawing
  else if (key === 'ArrowLeft') past.step(-1);
  else if (key === 'ArrowRight') past.step(1);
  else if (key === 'Home') past.go(0);
  else if (key === 'End') past.go(null);
  else if (key === 'r') turn.turn(event.shiftKey ? -1 : 1);
  else if (key === 'f' && turn.flip()) { /* it is flipped */ }
  else if (key === 'u') { if (past.at === null) void undo(true); }
  else if (key === 'h' && past.at === null && buttons('hint').length) hint();
  else if (key === 'Enter' && (!target || target === document.body || host.contains(target))) { if (turn.suggested() && turn.confirm()) { /* the hint is played */ } else if (button instanceof HTMLElement && button.dataset.steps) click(button); else if (turn.confirm()) { /* done */ } else if (button) click(button); else return; }
  else if (key === '?' || key === 'i') void explain.key();
  else if (key === 'p' && page.secrets && turn.pointing.pencilHere()) { /* it is open */ }
  else if ((key === 'k' || key === ' ' && !target?.closest('button, a, summary, input, .target')) && !study && (past.at !== null || now.over)) void replay().then((one) => one.toggle());
  else if ((key === '+' || key === '-') && past.at !== null) void replay().then((one) => one.quicker(key === '+' ? 1 : -1));
  else if (key === 'Escape') { if (turn.drag.cancel()) { /* that was all */ } else if (replaying?.close()) { /* that was all */ } else if (explain.close()) { /* that was all */ } else if (closePencil()) { /* that was all */ } else if (past.at !== null) past.go(null); else if (!closeDrawers()) void undo(); }
  else if (button && !event.shiftKey && !(key === 'Enter' && target?.closest('button, a, summary'))) click(button); // a focused button is pressed itself
  else return;
  event.preventDefault();
});

/** Click on something, be it of HTML or of a drawing. @param {Element} element */
function click(element) {
  if (element instanceof HTMLElement) element.click();
  else element.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
}

// ---- begin

const closeDrawers = initTools({ page, api, post, changed: () => { past.forget(); turn.refresh(); showListed(page.settings.places); } });
const line = study ?? connect(`/tables/${page.table}/live`, () => ({ merges: true, have: now.marks, turns: now.turns, seat: now.seat, here }), receive, (open) => {
  byId('net').hidden = open;
  document.body.dataset.line = open ? 'open' : 'down';
}, () => leaving ? location.assign('/') : location.reload());
fitPanels();
fitCards();
board.fit();
showNamed();
markRow(now.turns);
new ResizeObserver(showLog).observe(byId('moves')); // whatever room the log gets, its present row is in sight
curtain(now);
if (page.look && !now.curtain) {
  // a link to a turn: it is on the board already
  eyes = page.look.eyes;
  past.known.set(page.look.at, page.look);
  void past.go(page.look.at, 0);
  void replay();
}
apply(now, false);
if (page.settings.places) void loadListed();
document.body.dataset.script = 'ready';
