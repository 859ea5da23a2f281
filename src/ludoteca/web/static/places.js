// The board as a list: places in grids, read and played with the keyboard. Choosing a place is a click on what it stands for, so
// picks, hints, refusals and confirming are those of the drawing (turn.js).
import { possible, resolve } from './choose.js';

/** @typedef {import('./turn.js').Turn} Turn */
/** @typedef {import('./choose.js').Action} Action */
/**
 * @typedef {object} Hooks
 * @property {(text: string) => void} say to screen readers
 * @property {(key: string, values?: Record<string, string>) => string} words of the page
 * @property {(action: Action) => string} name an action and what it brings
 * @property {(steps: string, keep: number) => Promise<string>} typed play steps by their names; the answer is why that cannot be, or ''
 */

const NEAREST = 5; // names that are offered instead of one that is not legal

/** The targets that a place stands for. @param {HTMLElement} cell */
const targetsOf = (cell) => (cell.dataset.place ?? '').split(' ');

/** The steps that a button of the prompt proposes, if one of these is such a button. @param {string[]} ids */
const stepsOf = (ids) => /** @type {HTMLElement | null} */ (document.querySelector(`#acts [data-button='${CSS.escape(ids[0] ?? '')}']`))?.dataset.steps;

/** @param {HTMLElement} cell */
const column = (cell) => Number(cell.getAttribute('aria-colindex')) + Number(cell.getAttribute('aria-colspan') ?? 1) / 2;

export class Places {
  /** @param {HTMLElement} host @param {Turn} turn @param {Hooks} hooks */
  constructor(host, turn, hooks) {
    this.host = host;
    this.turn = turn;
    this.hooks = hooks;
    /** The cell that has the keyboard, or had it last. */
    this.current = '';
    /** Does a cell have the keyboard, or had it until it went? */
    this.inside = false;
    /** Is the keyboard to go to the grid when it comes? */
    this.wanted = false;
    /** The words announced last: those of the current cell, and of the prompt. */
    this.heard = { cell: '', prompt: '' };
    /** The choices among which one was made last. @type {unknown} */
    this.answered = null;
    /** What the cells were marked by. @type {unknown[]} */
    this.known = [];
    host.addEventListener('keydown', (event) => this.key(event));
    host.addEventListener('click', (event) => {
      const cell = this.cellOf(event.target);
      if (!cell) return;
      this.go(cell);
      void this.choose(cell, false);
    });
    host.addEventListener('focusin', (event) => {
      const cell = this.cellOf(event.target);
      this.inside = cell !== null;
      if (cell) this.enter(cell);
    });
    host.addEventListener('focusout', (event) => {
      if (event.relatedTarget) this.inside = false;
      this.turn.unhover();
    });
    document.addEventListener('pointerdown', (event) => {
      if (!(event.target instanceof Node) || !host.contains(event.target)) this.inside = false;
    });
    host.querySelector('form')?.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.typed();
    });
  }

  /** @param {EventTarget | null} target @returns {HTMLElement | null} */
  cellOf(target) {
    return target instanceof Element ? target.closest('[data-place]') : null;
  }

  /** @returns {HTMLElement[]} */
  get cells() {
    return [...this.host.querySelectorAll('[data-place]')].map((cell) => /** @type {HTMLElement} */ (cell));
  }

  /** @returns {HTMLElement | null} */
  get cell() {
    const cell = this.current && document.getElementById(this.current);
    return cell && this.host.contains(cell) ? cell : null;
  }

  // ---- what can be done

  /** Mark what can be chosen. @param {boolean} [anew] the cells are new */
  refresh(anew = false) {
    const { turn } = this;
    const state = [turn.levels, turn.at, turn.picked.join(' '), turn.variant, turn.hint, turn.paused];
    if (!anew && state.every((part, k) => part === this.known[k])) return;
    this.known = state;
    for (const cell of this.cells) {
      const [kind, text] = this.offer(targetsOf(cell));
      if (kind) cell.dataset.can = kind;
      else delete cell.dataset.can;
      cell.ariaSelected = String(kind === 'picked');
      const can = cell.querySelector('.can');
      if (can) can.textContent = text && `; ${text}`;
    }
    const stop = this.cell ?? this.cells[0];
    for (const grid of this.host.querySelectorAll('[role=grid]')) {
      const own = stop && grid.contains(stop) ? stop : grid.querySelector('[data-place]');
      for (const cell of grid.querySelectorAll('[data-place]')) /** @type {HTMLElement} */ (cell).tabIndex = cell === own ? 0 : -1;
    }
    const text = this.cell?.textContent ?? '';
    if (!anew && this.inside && text !== this.heard.cell) this.hooks.say(text);
    if (!anew) this.heard.cell = text;
    if (this.wanted && this.cells.length) this.begin();
    else if (this.inside && document.activeElement === document.body) this.go(this.cell ?? this.next('can') ?? this.cells[0]);
  }

  /** What a click on these things would do: its kind, and in words. @param {string[]} ids @returns {[string, string]} */
  offer(ids) {
    const { turn } = this;
    const held = turn.held();
    if (turn.isSet() && ids.includes(turn.picked.at(-1) ?? '')) return ['picked', this.hooks.words('picked')];
    const pick = turn.levels.length && !turn.paused ? resolve(turn.levels, turn.at, held, ids) : null;
    if (!turn.paused && stepsOf(ids)) return ['steps', this.hooks.words('can')];
    if (!pick) return ['', ''];
    if (pick.again) return ['picked', this.hooks.words('picked')];
    const actions = possible(turn.levels[pick.level], pick.picked);
    const goesOn = held.length > 0 && pick.level === turn.at && pick.picked.length > held.length;
    const whole = actions.every(({ targets }) => targets.length === pick.picked.length);
    const action = whole ? turn.group(pick).action : null;
    const kind = goesOn ? 'next' : held.length || pick.level < turn.open ? 'instead' : 'can';
    if (!action || kind === 'instead') return [kind, this.hooks.words(kind)];
    const name = this.hooks.name(action);
    return [kind, actions.length > 1 ? this.hooks.words('ways', { action: name, n: String(actions.length) }) : this.hooks.words('plays', { action: name })];
  }

  /** Choose a place: what it stands for is clicked. Enter on what is picked does it. @param {HTMLElement} cell @param {boolean} enter */
  async choose(cell, enter) {
    const { turn } = this;
    const ids = targetsOf(cell);
    const steps = stepsOf(ids);
    if (turn.sending && turn.levels === this.answered) return; // one key press too many
    if (steps) {
      this.answered = turn.levels;
      return turn.steps(steps);
    }
    turn.byKey = false;
    if (enter) turn.touch = false;
    const { action } = turn.group();
    if (enter && turn.at === turn.open && action && ids.some((id) => action.targets.includes(id) && turn.picked.includes(id))) turn.play(action);
    else {
      const pressed = turn.press(ids, null);
      if (turn.sending && turn.group().action?.targets.length === turn.picked.length) this.answered = turn.levels;
      await pressed;
    }
    if (!turn.sending) this.tellPick();
  }

  /** Say what is picked, and how it goes on. */
  tellPick() {
    const { turn } = this;
    if (!turn.picked.length) return;
    const { action } = turn.group();
    const n = this.host.querySelectorAll("[data-can='next']").length;
    if (action && turn.at === turn.open && action.targets.length === turn.picked.length) this.hooks.say(this.hooks.words('ready', { action: this.hooks.name(action) }));
    else if (n) this.hooks.say(this.hooks.words('left', { n: String(n) }));
  }

  /** Play what was typed; say why that cannot be, and which names are near. */
  async typed() {
    const form = /** @type {HTMLFormElement} */ (this.host.querySelector('form'));
    const field = /** @type {HTMLInputElement} */ (form.elements.namedItem('name'));
    const output = /** @type {HTMLOutputElement} */ (form.querySelector('output'));
    const text = field.value.trim();
    if (!text) return;
    const legal = (this.turn.levels.at(-1)?.actions ?? []).map(({ name }) => name);
    field.value = ''; // what is typed before the answer is the next one
    const sentence = await this.hooks.typed(text, this.turn.open);
    if (sentence && !field.value) field.value = text;
    const near = sentence ? nearest(text, legal) : [];
    output.textContent = near.length ? this.hooks.words('nearest', { sentence, names: near.join(', ') }) : sentence;
  }

  // ---- what is heard

  /** What is said of a new position to a person in the grid. */
  news() {
    const prompt = document.querySelector('#prompt .do')?.textContent ?? '';
    const cell = this.cell?.textContent ?? '';
    const said = this.inside ? [prompt !== this.heard.prompt && prompt, cell !== this.heard.cell && cell] : [];
    this.heard = { cell, prompt };
    return said.filter(Boolean).join(' ');
  }

  /** @param {string} selector */
  tell(selector) {
    this.hooks.say([...document.querySelectorAll(selector)].map((element) => element.textContent).join(' '));
  }

  // ---- from place to place

  /** The keyboard goes to the grid, at once or when it is there. */
  begin() {
    this.wanted = !this.cells.length;
    const cell = this.cell ?? this.next('can') ?? this.cells[0];
    if (cell) this.go(cell);
  }

  /** @param {HTMLElement | null | undefined} cell */
  go(cell) {
    cell?.focus();
  }

  /** @param {HTMLElement} cell */
  enter(cell) {
    this.current = cell.id;
    this.inside = true;
    this.turn.look(targetsOf(cell)); // what it would do is shown in the drawing, as under the pointer
    this.heard.cell = cell.textContent ?? '';
    for (const other of cell.closest('[role=grid]')?.querySelectorAll('[data-place]') ?? []) /** @type {HTMLElement} */ (other).tabIndex = other === cell ? 0 : -1;
  }

  /** The next place that can be chosen (of what is picked first), or that is mine. @param {'can' | 'own'} what @param {number} [by] */
  next(what, by = 1) {
    const cells = this.cells;
    const goesOn = cells.some((cell) => cell.dataset.can === 'next');
    const fits = (/** @type {HTMLElement} */ cell) => (what === 'own' ? cell.classList.contains('own')
      : goesOn ? ['next', 'steps'].includes(cell.dataset.can ?? '') : cell.dataset.can !== undefined && cell.dataset.can !== 'picked');
    const from = this.cell ? cells.indexOf(this.cell) : by > 0 ? -1 : 0;
    for (let k = 1; k <= cells.length; k++) {
      const cell = cells.at((from + by * k + cells.length * 2) % cells.length);
      if (cell && fits(cell)) return cell;
    }
    return null;
  }

  /** The cell beside another one. @param {HTMLElement} cell @param {string} key @param {boolean} all of the grid */
  beside(cell, key, all) {
    const row = cell.parentElement;
    const grid = cell.closest('[role=grid]');
    const cellsOf = (/** @type {Element | null | undefined} */ of) => [...of?.querySelectorAll('[data-place]') ?? []].map((one) => /** @type {HTMLElement} */ (one));
    const own = cellsOf(row);
    if (key === 'ArrowLeft' || key === 'ArrowRight') return own[own.indexOf(cell) + (key === 'ArrowLeft' ? -1 : 1)];
    if (key === 'Home' || key === 'End') return cellsOf(all ? grid : row).at(key === 'Home' ? 0 : -1);
    const grids = [...this.host.querySelectorAll('[role=grid]')];
    if (key === 'PageUp' || key === 'PageDown') return cellsOf(grids[grids.findIndex((one) => one === grid) + (key === 'PageUp' ? -1 : 1)])[0];
    const other = cellsOf(key === 'ArrowUp' ? row?.previousElementSibling : row?.nextElementSibling);
    return other.sort((a, b) => Math.abs(column(a) - column(cell)) - Math.abs(column(b) - column(cell)))[0];
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const cell = this.cellOf(event.target);
    if (!cell || event.altKey || event.metaKey) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const moves = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End', 'PageUp', 'PageDown'].includes(key);
    if (event.ctrlKey && !(moves && key.length < 5)) return;
    if (moves) this.go(this.beside(cell, key, event.ctrlKey));
    else if (key === 'Enter' || key === ' ') void this.choose(cell, key === 'Enter');
    else if (key === 'r' && this.turn.vary(targetsOf(cell), event.shiftKey ? -1 : 1)) { /* another way is said */ }
    else if (key === '.' || key === ',') this.goOr(this.next('can', key === '.' ? 1 : -1), 'none');
    else if (key === 'n') this.goOr(this.next('own', event.shiftKey ? -1 : 1), 'none_own');
    else if (key === 'c') this.tell('#places .news');
    else if (key === 's') this.tell('#places .scores');
    else if (key === 't') this.tell('#prompt .do, #prompt .how');
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {HTMLElement | null} cell @param {string} otherwise */
  goOr(cell, otherwise) {
    if (cell && cell === document.activeElement) this.hooks.say(cell.textContent ?? ''); // there is no other
    else if (cell) this.go(cell);
    else this.hooks.say(this.hooks.words(otherwise));
  }
}

/**
 * The names most like what was typed: those that begin alike first.
 * @param {string} text
 * @param {string[]} names
 */
function nearest(text, names) {
  const wanted = text.toLowerCase();
  const alike = (/** @type {string} */ name) => {
    const own = name.toLowerCase();
    let same = 0;
    while (same < own.length && own[same] === wanted[same]) same++;
    return same * 100 - Math.abs(own.length - wanted.length);
  };
  return [...names].sort((a, b) => alike(b) - alike(a)).slice(0, NEAREST);
}
