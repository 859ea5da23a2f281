// Making a turn: pointer, touch, wheel and keys become picks; picks become ghosts, and at last actions.
import { Board, neighbour } from './board.js';
import { angle, clickable, nearest, possible, reachable, resolve, same, unpack, variants } from './choose.js';
import { distance, flipped, flips, lie, mirrored, places, point, snap, towards, turned, turnedInHand, turns } from './lay.js';

/** @typedef {import('./choose.js').Action} Action */
/** @typedef {import('./choose.js').Level} Level */
/** @typedef {import('./choose.js').Pick} Pick */
/** @typedef {import('./choose.js').Ghost} Ghost */
/** @typedef {import('./lay.js').Place} Place */
/** @typedef {import('./lay.js').Point} Point */
/**
 * What applies now.
 * @typedef {object} Ready
 * @property {boolean} confirm can the turn be done?
 * @property {boolean} turn can something be turned now,
 * @property {boolean} turnable and at all in this turn?
 * @property {boolean} flip the same for flipping it over
 * @property {boolean} flippable
 * @property {boolean} back can something be let go?
 * @property {boolean} laying is anything laid on points of the board?
 * @property {boolean} holding is something held that is to be laid?
 * @property {Action | null} laid where it would lie now
 */
/**
 * @typedef {object} Hooks
 * @property {(name: string, keep: number, targets: string[] | null) => Promise<boolean>} act play a step after the first `keep` of the
 *           draft, those after it again where they still fit; `targets`: what was clicked to choose an earlier step anew
 * @property {(targets: string[]) => Promise<string>} refused what was clicked or dragged makes no action: either it changes the draft
 *           otherwise, or the answer is the sentence that says why not
 * @property {boolean} redrafts may it ever change the draft?
 * @property {((id: string, at: {x: number, y: number}) => void) | null} pencil make a note on a thing, in games with secrets
 * @property {() => boolean} confirms is a turn to be confirmed before it is committed?
 * @property {() => boolean} arranges are things being arranged, in any order of places?
 * @property {() => boolean} seals is what ends the turn sealed, so that nothing else may look as if it did?
 * @property {(text: string, at: {x: number, y: number} | null) => void} say a sentence near a place
 * @property {(reason: 'flip' | 'turn', holding: boolean) => void} cannot what is held cannot be turned or flipped here
 * @property {(action: Action) => void} tell where what is held lies now, to those who do not see it
 * @property {(ready: Ready) => void} changed which buttons apply
 */

const TOUCH_SLOP = 22;
const TWIST = 0.45; // radians of a two-finger turn to the next variant
const WHEEL = 40;
const DRAG = 6; // pixels after which a press is a drag
const SNAP = 0.8; // of a place's size: so near a dragged thing snaps to it
const LONG_PRESS = 550; // milliseconds
const HOLD = 170; // milliseconds after which a finger drags a thing that lies beside the board; before, it scrolls the page
const TWICE = 320; // milliseconds between the taps of a double tap
const ABOVE = 62; // pixels by which what a finger drags lies above it
const STAYS = 30; // units that a pointer moves before what was just turned is laid anew
const TAP_REACH = 170; // units round a tap

export class Turn {
  /** @param {Board} board @param {Hooks} hooks */
  constructor(board, hooks) {
    this.board = board;
    this.hooks = hooks;
    /** @type {Level[]} */
    this.levels = [];
    this.turnable = false;
    this.flippable = false;
    this.colour = '';
    this.at = 0;
    /** @type {string[]} */
    this.picked = [];
    /** Which of the variants, as a turn in degrees and flipped over or not: kept from place to place. */
    this.degrees = 0;
    this.flipped = false;
    /** Steps of the draft that were played together: the first, and the one after the last. */
    this.together = { from: -1, to: -1 };
    /** How many turns the match has seen. */
    this.turns = -1;
    /** Where what is held hangs under the pointer, because it fits nowhere there: a point of the window. @type {Point | null} */
    this.hanging = null;
    /** Where the pointer was when what is held was turned, in the drawing's units. @type {Point | null} */
    this.still = null;
    /** The last tap on what is about to be laid, and where it lay then. @type {{time: number, place: Place} | null} */
    this.tapped = null;
    /** @type {{level: Level | undefined, picked: string, found: Place[]}} */
    this.known_places = { level: undefined, picked: '', found: [] };
    /** The variant wanted while requests are under way. @type {Action | null} */
    this.variant = null;
    /** @type {Pick | null} */
    this.hovered = null;
    /** What is left of a hinted turn: the first step is the one that is on show. @type {{steps: {name: string, targets: string[], ghosts: (Ghost | null)[]}[]} | null} */
    this.hint = null;
    /** Where the pointer was when the hint came. */
    this.hintedAt = { x: -1, y: -1 };
    this.focused = '';
    this.touch = matchMedia('(pointer: coarse)').matches;
    this.paused = false;
    /** @type {{name: string, keep: number, targets: string[] | null} | null} */
    this.wanted = null;
    /** The turned draft that the server is being told of. @type {{name: string, keep: number, targets: null} | null} */
    this.turning = null;
    /**
     * What is being dragged, and where it may go: ids with the step of the draft at which they would be chosen. A thing that is
     * `laid` on a point: how far its middle is from the pointer in pixels, and where it lay before.
     * @type {{id: string, pointer: number, x: number, y: number, moving: boolean, first: boolean, ends: Map<string, number>,
     *         end: string, from: number, laid: {dx: number, dy: number, before: Place | null} | null} | null}
     */
    this.drag = null;
    /** The click that ends a drag, a turn of two fingers or a long press is none. */
    this.spent = false;
    this.pressed = 0;
    /** Where the pointer was last. */
    this.pointer = { x: -1, y: -1 };
    this.sending = false;
    /** Is the board played with the keyboard? */
    this.byKey = false;
    /** Was the pick made by the page, because nothing else can be chosen? */
    this.given = false;
    this.wheel = 0;
    /** @type {Map<number, {x: number, y: number, startX: number, startY: number}>} */
    this.fingers = new Map();
    this.twist = 0;
    /** Can anything be turned now? */
    this.twists = false;
    this.listen();
  }

  get open() {
    return Math.max(0, this.levels.length - 1);
  }

  /**
   * A new position: what can be chosen now. The pick stays if it still means something.
   * @param {import('./choose.js').Table | null} table
   * @param {string} colour
   * @param {number} turns how many the match has seen
   */
  update(table, colour, turns) {
    const before = this.levels.length;
    this.levels = unpack(table);
    this.turnable = this.levels.some(({ actions }) => {
      const seen = new Set();
      return actions.some(({ targets }) => !point(targets.at(-1)) && seen.size === seen.add(targets.join(' ')).size);
    }) || this.all().some((action) => lie(action).degrees !== 0);
    this.flippable = this.all().some((action) => lie(action).flipped);
    this.colour = colour;
    this.hint = this.hintLeft(before, turns);
    if (turns !== this.turns) {
      this.drop();
      this.together = { from: -1, to: -1 };
    }
    this.turns = turns;
    if (this.levels.length !== before || !possible(this.levels[this.at], this.picked).length || this.at !== this.open) this.drop();
    const only = this.only();
    if (only && !this.picked.length && (this.levels.length > 1 || (only.targets.length > 1 && point(only.targets.at(-1))))) {
      // one thing is left to do: it is shown at once, and one gesture does it
      this.at = this.open;
      this.picked = only.targets.slice(0, -1);
      this.given = true;
    }
    this.hovered = null;
    this.refresh();
    const focus = document.activeElement ?? document.body;
    if (this.byKey && this.levels.length && (focus === document.body || focus === this.board.stage)) {
      // what had the keyboard can be chosen no longer: it goes to what can
      const next = this.board.element(this.tabStop(clickable(this.levels, this.at, this.picked)));
      if (next) next.focus();
      else if (this.places().length) this.begin();
    }
  }

  /** What is left of the hint in a new position: the rest of it if its first step was made, else nothing. @param {number} levels before @param {number} turns */
  hintLeft(levels, turns) {
    const [first, ...rest] = this.hint?.steps ?? [];
    if (!first || turns !== this.turns) return null;
    if (this.levels.length === levels && this.hinted()) return this.hint;
    const made = this.levels.length === levels + 1 && this.levels.at(-2)?.chosen === first.name;
    return made && rest.length ? { steps: rest } : null;
  }

  /** Show a turn that is hinted at. @param {{name: string, targets: string[], ghosts: (Ghost | null)[]}[]} steps */
  suggest(steps) {
    this.drop();
    this.hovered = null;
    this.hint = { steps };
    const action = this.hinted();
    if (action && point(action.targets.at(-1))) {
      // what is to be laid is held, as the hint turns it
      this.picked = action.targets.slice(0, -1);
      const lies = lie(action);
      this.degrees = lies.degrees;
      this.flipped = lies.flipped;
    }
    this.hintedAt = { ...this.pointer };
    this.refresh();
    // the keyboard goes to where Enter does it
    const element = action && this.board.element(action.targets[0] ?? '');
    if (this.byKey && action) (this.places().length ? this.board.stage : element)?.focus({ preventScroll: true });
  }

  /** The hinted action of the open step. @returns {Action | null} */
  hinted() {
    const name = this.hint?.steps[0]?.name;
    return (name && this.levels[this.open]?.actions.find((action) => action.name === name)) || null;
  }

  /**
   * The hinted action while it is what the page shows: nothing else is picked, turned or under the pointer.
   * @returns {Action | null}
   */
  suggested() {
    const action = this.hinted();
    if (!action || this.hanging || this.at !== this.open) return null;
    const pick = this.hovered ?? { level: this.at, picked: this.picked };
    if (pick.level !== this.open || pick.picked.some((id, k) => action.targets[k] !== id)) return null;
    return this.variant && this.variant !== action ? null : action;
  }

  drop() {
    this.at = this.open;
    this.picked = [];
    this.variant = null;
    this.given = false;
    this.hanging = null;
    this.still = null;
    this.tapped = null;
  }

  /** All actions that lay something on a point. */
  all() {
    return this.levels.flatMap(({ actions }) => actions.filter(({ targets }) => point(targets.at(-1))));
  }

  // ---- laying what is held on a point of the board

  /** What is picked but for the point where it lies. */
  held() {
    return this.picked.filter((id) => !point(id));
  }

  /** The places for what is held, or for a thing. @param {string[]} [picked] @param {number} [at] @returns {Place[]} */
  places(picked = this.held(), at = this.at) {
    const level = this.levels[at];
    const key = picked.join(' ');
    const known = this.known_places;
    if (known.level === level && known.picked === key) return known.found;
    const found = places(level, picked);
    this.known_places = { level, picked: key, found };
    return found;
  }

  /** Is what is held about to be laid on a point, waiting to be confirmed? */
  isSet() {
    return Boolean(point(this.picked.at(-1)));
  }

  /** The place on show: where it is about to be laid, else where a click would lay it. @returns {Place | null} */
  place() {
    const shown = this.isSet() ? this.group().action
      : this.hovered && point(this.hovered.picked.at(-1)) ? this.group(this.hovered).action : this.suggested();
    return (shown && this.places().find(({ action }) => action === shown)) ?? null;
  }

  get lies() {
    return { degrees: this.degrees, flipped: this.flipped };
  }

  /** Show what is held at a place, else hanging under the pointer. @param {Place | null} place @param {Point | null} [hanging] */
  showAt(place, hanging = null) {
    this.variant = place?.action ?? null;
    this.hanging = place ? null : hanging;
    if (this.isSet()) this.picked = place ? [...place.action.targets] : this.held();
    else this.hovered = place ? { level: this.at, picked: [...place.action.targets], again: false } : null;
    this.refresh();
  }

  /** What is held follows the pointer. @param {number} x @param {number} y */
  follow(x, y) {
    const all = this.places();
    const at = this.board.units(x, y);
    if (this.still && distance(this.still, at) < STAYS) return;
    this.still = null;
    if (this.suggested() && this.board.onGhost(x, y)) return;
    const place = snap(all, at, this.lies, this.board.reach);
    if (place && place.action === this.variant && this.hovered) return;
    this.showAt(place, { x, y });
  }

  /** A click or a tap on the board while something is held. @param {number} x @param {number} y */
  lay(x, y) {
    const now = this.place();
    const at = this.board.units(x, y);
    if (now && !this.isSet() && now.action === this.suggested() && this.board.onGhost(x, y)) return this.put(now);
    // on what lies there, unless another of its places is meant
    if (this.isSet() && now && this.board.onGhost(x, y) && !this.places().some((place) => distance(place, at) < distance(now, at))) {
      const first = this.tapped;
      if (first && performance.now() - first.time < TWICE) {
        this.tapped = null;
        this.showAt(first.place); // the first tap has turned it: a double tap only flips
        this.flip();
      } else {
        this.tapped = { time: performance.now(), place: now };
        this.turn(1);
      }
      return;
    }
    const stays = !this.isSet() && now && this.still && distance(this.still, at) < STAYS;
    const place = stays ? now : snap(this.places(), at, this.lies, this.touch ? Math.max(TAP_REACH, this.board.reach) : this.board.reach);
    if (place) return this.put(place);
    void this.refuse([...this.held(), ...this.board.named(x, y)], { x, y });
  }

  /** Lay it there, at once or to be confirmed. @param {Place} place */
  put(place) {
    const { action } = place;
    this.picked = [...action.targets];
    this.variant = action;
    this.degrees = place.degrees;
    this.flipped = place.flipped;
    this.hovered = null;
    this.hanging = null;
    this.still = null;
    this.given = false;
    // a finger shows nothing before it taps
    if (!this.touch && !(action.commits && this.hooks.confirms())) return this.play(action);
    this.refresh();
    this.hooks.tell(action);
  }

  /** Let the keyboard move what is held. */
  begin() {
    const all = this.places();
    if (!all.length) return;
    this.board.stage.focus({ preventScroll: true });
    if (this.place()) return;
    const place = snap(all, this.board.middle(), this.lies, Infinity);
    this.showAt(place);
    if (place) this.hooks.tell(place.action);
  }

  /** Turn or flip what is held, if it is held. @param {number} by 1 or -1 turns, 0 flips @returns {boolean} */
  turnHeld(by) {
    const all = this.places();
    const now = this.place();
    if (!all.length || (!now && !this.hanging && !this.held().length)) return false;
    const lies = now ?? this.lies;
    if (!(by ? turns(all, lies) : flips(all, lies))) {
      this.hooks.cannot(by ? 'turn' : 'flip', false);
      return true;
    }
    if (now) {
      const next = by ? turned(all, now, by) : flipped(all, now);
      if (!next) {
        this.hooks.cannot(by ? 'turn' : 'flip', true);
        return true;
      }
      this.degrees = next.degrees;
      this.flipped = next.flipped;
      this.still = this.pointer.x >= 0 ? this.board.units(this.pointer.x, this.pointer.y) : null;
      this.showAt(next);
      this.hooks.tell(next.action);
      return true;
    }
    const next = by ? turnedInHand(all, this.lies, by) : mirrored(all, this.lies);
    this.degrees = next.degrees;
    this.flipped = next.flipped;
    const { hanging } = this;
    const place = hanging ? snap(all, this.board.units(hanging.x, hanging.y), this.lies, this.board.reach) : null;
    this.showAt(place, hanging);
    return true;
  }

  /** Flip over what is held. */
  flip() {
    return !this.paused && this.turnHeld(0);
  }

  /** The open step's only action, if there is just one. */
  only() {
    const actions = this.levels.at(-1)?.actions ?? [];
    return actions.length === 1 ? (actions[0] ?? null) : null;
  }

  /** The variants of the present pick, and which of them is shown. @param {Pick | null} [pick] */
  group(pick = null) {
    const level = pick ? pick.level : this.at;
    const picked = pick ? pick.picked : this.picked;
    // what is held shows nothing before it has a point
    if (picked.length && !point(picked.at(-1)) && this.places(picked, level).length) return { level, actions: [], now: -1, action: null };
    if (!picked.length && !(this.only() && level === this.open && this.levels.length > 1)) return { level, actions: [], now: -1, action: null };
    const actions = variants(this.levels[level], picked);
    const wanted = this.variant ? actions.findIndex((action) => action.name === this.variant?.name) : -1;
    const hinted = level === this.open ? actions.findIndex((action) => action === this.hinted()) : -1;
    const chosen = actions.findIndex((action) => action.name === this.levels[level]?.chosen);
    const now = wanted >= 0 ? wanted : hinted >= 0 ? hinted : chosen >= 0 ? chosen : nearest(actions, this.degrees);
    return { level, actions, now, action: actions[now] ?? null };
  }

  /** The last step of the draft with its variants. */
  drafted() {
    const level = this.open - 1;
    const here = this.levels[level];
    const chosen = here?.actions.find((action) => action.name === here.chosen);
    if (!here || !chosen) return null;
    const actions = here.actions.filter((action) => same(action.targets, chosen.targets));
    return { level, actions, now: actions.indexOf(chosen), action: chosen };
  }

  // ---- choosing

  /**
   * A click, a tap or Enter on these things.
   * @param {string[]} ids
   * @param {{x: number, y: number} | null} where for a sentence
   */
  async press(ids, where) {
    if (this.paused) return;
    const pick = this.levels.length ? resolve(this.levels, this.at, this.held(), ids) : null;
    if (!pick) return this.refuse(this.hooks.redrafts ? [...this.picked, ...ids.slice(0, 1)] : ids, where);
    if (pick.again) return this.again(pick);
    const shown = this.hovered && same(this.hovered.picked, pick.picked) ? this.group(this.hovered).action : null;
    this.at = pick.level;
    this.picked = pick.picked;
    this.variant = null;
    this.given = false;
    if (!same(pick.picked, this.hinted()?.targets.slice(0, pick.picked.length) ?? [])) this.hint = null;
    const { action } = this.group();
    const chosen = shown ?? action;
    if (chosen && chosen.targets.length === pick.picked.length) {
      this.variant = chosen;
      this.degrees = angle(chosen);
      if (chosen.commits && this.hooks.arranges()) return this.layLast(chosen, where);
      if (!chosen.commits || !this.hooks.confirms()) return this.play(chosen);
    } else if (pick.level < this.open && !chosen) {
      this.hovered = null; // an earlier step is being chosen anew: the rest of the draft goes when it is complete
    }
    this.refresh();
  }

  /** What completes an arrangement lies where it was laid; it is sealed by what seals it. @param {Action} action @param {{x: number, y: number} | null} where */
  async layLast(action, where) {
    this.refresh();
    await this.refuse(action.targets, where);
  }

  /** The same thing a second time: turn it if it can be turned, do it if it is complete, else let go. @param {Pick} pick */
  again(pick) {
    const group = this.group(pick);
    if (group.actions.length > 1) return this.turn(1);
    if (group.action && pick.level === this.open && !this.hooks.confirms()) return this.play(group.action);
    if (pick.level === this.open && !group.action) {
      this.drop();
      this.hint = null;
    }
    // what is in the draft already, once more: it may be taken out of it
    if (pick.level < this.open && this.hooks.redrafts) void this.refuse(pick.picked.slice(-1), null, true);
    this.refresh();
  }

  /**
   * These things make no action: perhaps they change the draft otherwise.
   * @param {string[]} ids
   * @param {{x: number, y: number} | null} where for the sentence
   * @param {boolean} [quiet] no sentence
   */
  async refuse(ids, where, quiet = false) {
    const text = await this.hooks.refused(ids);
    if (text && !quiet) this.hooks.say(text, where);
  }

  /** Choose a step by its name, at whatever step of the draft it is one. @param {string} name */
  named(name) {
    for (let level = this.open; !this.paused && level >= 0; level--) {
      const action = this.levels[level]?.actions.find((one) => one.name === name);
      if (!action) continue;
      this.propose(action, level);
      if (!action.commits || !this.hooks.confirms()) this.play(action, false);
      return;
    }
  }

  /** Play several steps at once; they are taken back at once, too. @param {string} names */
  async steps(names) {
    if (this.paused) return;
    const from = this.open;
    this.wanted = { name: names, keep: from, targets: null };
    this.hint = null;
    await this.flush();
    this.together = { from, to: this.open };
  }

  /** How many steps of the draft stay when the last is taken back, if others were played together with it. */
  get stays() {
    return this.together.to === this.open ? this.together.from : undefined;
  }

  /** Show a step as the one that is about to be done. @param {Action | string} action or its name @param {number} [level] */
  propose(action, level = this.open) {
    const chosen = typeof action === 'string' ? this.levels[level]?.actions.find((one) => one.name === action) : action;
    if (!chosen) return;
    this.at = level;
    this.picked = [...chosen.targets];
    this.variant = chosen;
    this.given = false;
    this.hovered = null;
    this.refresh();
  }

  /** Do what the pick says, if it says one thing. */
  confirm() {
    const action = this.place()?.action ?? this.group().action ?? this.suggested();
    if (this.paused || !action || this.at !== this.open) return false;
    this.play(action);
    return true;
  }

  /** @param {Action} action @param {boolean} [clicked] was it chosen by what is clicked for it? */
  play(action, clicked = true) {
    const anew = this.at < this.open || (this.hooks.arranges() && !action.commits);
    this.wanted = { name: action.name, keep: this.at, targets: clicked && anew ? action.targets : null };
    this.flush();
  }

  async flush() {
    if (this.sending) return;
    this.sending = true;
    this.refresh();
    while (this.wanted) {
      const { name, keep, targets } = this.wanted;
      this.wanted = null;
      const done = await this.hooks.act(name, keep, targets);
      if (!done) {
        this.wanted = null;
        this.drop();
      }
    }
    this.sending = false;
    this.refresh();
  }

  /**
   * Turn to the next variant of what is under the pointer, else of what is picked, else of the draft's last step.
   * @param {number} by
   */
  turn(by) {
    if (this.paused) return false;
    if (this.turnHeld(by)) return true;
    const hovered = this.hovered && !this.hovered.again ? this.group(this.hovered) : null;
    const hinted = hovered ? null : this.suggested();
    if (hinted) this.picked = [...hinted.targets];
    const own = this.group();
    if (hovered && hovered.actions.length > 1) {
      this.variant = hovered.actions.at((hovered.now + by + hovered.actions.length) % hovered.actions.length) ?? null;
      this.degrees = angle(this.variant ?? undefined);
      this.refresh();
      return true;
    }
    if (own.actions.length > 1 && own.level === this.open) {
      this.variant = own.actions.at((own.now + by + own.actions.length) % own.actions.length) ?? null;
      this.degrees = angle(this.variant ?? undefined);
      this.refresh();
      return true;
    }
    const draft = this.drafted();
    if (draft && draft.actions.length > 1) {
      const from = this.wanted ?? this.turning;
      const at = from ? draft.actions.findIndex((action) => action.name === from.name) : -1;
      const next = draft.actions[((at >= 0 ? at : draft.now) + by + draft.actions.length) % draft.actions.length];
      if (next) {
        this.degrees = angle(next);
        this.turning = { name: next.name, keep: draft.level, targets: null };
        this.wanted = this.turning;
        this.picked = [];
        this.flush().then(() => { this.turning = null; });
      }
      return true;
    }
    return false;
  }

  /** One step back: let go of a hint or a pick. @returns {boolean} whether there was something to let go */
  back() {
    if (!this.hint && (!this.picked.length || this.given)) return false;
    const [first] = this.picked;
    this.drop();
    this.hovered = null;
    this.hint = null;
    this.refresh();
    // the keyboard goes back to what was held
    if (first && document.activeElement === this.board.stage) this.board.element(first)?.focus();
    return true;
  }

  // ---- showing

  refresh() {
    const { board, levels } = this;
    if (this.paused) {
      board.show({});
      return;
    }
    const known = clickable(levels, this.at, this.picked);
    const own = this.group();
    const hovered = this.hovered && !this.hovered.again ? this.group(this.hovered) : null;
    const seen = hovered?.action ?? own.action;
    const suggested = this.suggested();
    const place = this.place();
    // with one thing left to lay the drawing shows it
    const drawn = place !== null && place.action === this.only();
    /** @type {Ghost[]} */
    const ghosts = [];
    /** @type {Ghost[]} */
    const quiet = [];
    /** @param {Action} action @param {Ghost[]} into */
    const add = (action, into) => action.ghosts.forEach((ghost) => ghost && into.push(ghost));
    if (suggested) this.hint?.steps.forEach((step) => step.ghosts.forEach((ghost) => ghost && ghosts.push(ghost)));
    else if (drawn) { /* it is there */ }
    else if (seen && !(this.given && seen === own.action) && !(own.level < this.open && seen === own.action)) add(seen, ghosts);
    else if (!this.given && (this.hovered || this.picked.length)) {
      const pick = this.hovered && !this.hovered.again ? this.hovered : { level: this.at, picked: this.picked };
      if (!this.places(pick.picked, pick.level).length) for (const action of possible(levels[pick.level], pick.picked)) add(action, quiet);
    }
    const shown = suggested ? this.group({ level: this.open, picked: suggested.targets, again: false }) : hovered?.action ? hovered : own.action && own.level === this.open ? own : this.drafted();
    const outline = shown?.action?.targets.at(-1) ?? '';
    const chosen = new Set(suggested || this.given ? [] : this.picked);
    for (const element of board.all('.can, .chosen, .shown')) element.classList.remove('can', 'chosen', 'shown');
    for (const id of known) {
      const element = board.element(id);
      if (!element) continue;
      element.classList.add('can');
      if (element.getAttribute('role') !== 'button') element.setAttribute('role', 'button');
      element.setAttribute('tabindex', id === this.tabStop(known) ? '0' : '-1');
      if (chosen.has(id) || (suggested && this.hint?.steps.some(({ targets }) => targets.includes(id) && !board.onBoard(id)))) element.classList.add('chosen');
    }
    const marks = outline.startsWith('el:') ? document.getElementById(`turns-${outline.slice(3)}`) : null;
    marks?.classList.add('shown');
    // all places of what is held, else of what is under the pointer or has the keyboard
    const looked = this.hovered && !place ? this.hovered.picked[0] : undefined;
    for (const id of new Set([looked ?? (suggested ? undefined : this.held()[0])])) {
      if (id?.startsWith('el:')) document.getElementById(`places-${id.slice(3)}`)?.classList.add('shown');
    }
    const all = this.places();
    board.hang(this.hanging && all[0] ? this.hanging : null, all.find((one) => one.degrees === this.degrees && one.flipped === this.flipped) ?? all[0], this.lies);
    board.show({
      handles: place && this.isSet() ? { at: place, turn: turns(all, place), flip: flips(all, place) } : null,
      ghosts, quiet, colour: this.colour,
      rings: [...chosen].filter((id) => !board.element(id)?.querySelector('.mark, .chosen-ring')),
      hint: this.hint ? [...new Set(this.hint.steps.flatMap((step) => step.targets))] : [],
      focus: this.focused && !board.element(this.focused)?.querySelector('.focus') ? this.focused : '',
      outline: marks ? '' : outline,
      turns: shown && shown.actions.length > 1 ? { now: shown.now, count: shown.actions.length } : null,
    });
    const draft = this.drafted();
    const holding = all.length > 0 && (this.picked.length > 0 || place !== null);
    this.board.stage.tabIndex = all.length && !this.paused ? 0 : -1;
    this.twists = Boolean((own.level === this.open && own.actions.length > 1) || (draft && draft.actions.length > 1)) || (holding && turns(all, place ?? this.lies));
    const ready = (own.level === this.open ? own.action : null) ?? suggested ?? (this.byKey ? place?.action : null);
    this.hooks.changed({
      confirm: Boolean(ready && !this.sending && (ready.commits || !this.hooks.seals())),
      turn: this.twists,
      turnable: this.turnable,
      flip: holding && flips(all, place ?? this.lies),
      flippable: this.flippable,
      back: Boolean(this.hint) || (this.picked.length > 0 && !this.given),
      laying: all.length > 0,
      holding,
      laid: place?.action ?? null,
    });
  }

  /** @param {Set<string>} known */
  tabStop(known) {
    if (known.has(this.focused)) return this.focused;
    const picked = this.picked.at(-1);
    return picked && known.has(picked) ? picked : ([...known][0] ?? '');
  }

  // ---- pointer, fingers, wheel

  listen() {
    const { host, stage, cards } = this.board;
    let frame = 0;
    for (const root of [host, cards]) {
      root.addEventListener('pointermove', (event) => {
        if (event.pointerType === 'touch') return this.finger(event);
        this.pointer = { x: event.clientX, y: event.clientY };
        cancelAnimationFrame(frame);
        frame = requestAnimationFrame(() => {
          // browsers repeat the last move when the page was laid out anew: a hint stays on show until the pointer really moves
          if (!this.suggested() || distance(this.hintedAt, this.pointer) >= 1) this.hover(event.clientX, event.clientY);
        });
      });
      // what is dragged by a finger moves, and the page does not; before the script knows that the page has not begun to scroll
      root.addEventListener('touchmove', (event) => {
        const drags = this.drag && performance.now() >= this.drag.from && event.touches.length === 1;
        // two fingers turn what can be turned; else they zoom
        if ((drags || (this.twists && event.touches.length === 2)) && event.cancelable) event.preventDefault();
      }, { passive: false });
      // a pointer does not take the keyboard's place: arrow keys go on looking back
      root.addEventListener('mousedown', (event) => {
        if (root === host || (event.target instanceof Element && event.target.closest('.can'))) event.preventDefault();
      });
      root.addEventListener('pointerleave', () => { cancelAnimationFrame(frame); this.unhover(); });
      root.addEventListener('pointerdown', (event) => {
        this.touch = event.pointerType === 'touch';
        this.byKey = false;
        if (this.fingers.size === 0) this.spent = false;
        this.fingers.set(event.pointerId, { x: event.clientX, y: event.clientY, startX: event.clientX, startY: event.clientY });
        this.twist = 0;
        this.grab(event);
        clearTimeout(this.pressed);
        if (this.touch && this.hooks.pencil && this.fingers.size === 1) this.pressed = window.setTimeout(() => this.pencil(event.clientX, event.clientY), LONG_PRESS);
      });
      root.addEventListener('click', (event) => {
        if (event.detail === 0 || this.spent) return; // made by a key: handled there
        if (event.target instanceof Element && event.target.closest('[data-action], [data-steps], [data-redraft], [data-target], [data-act]')) return; // a button of the drawing
        if (event.target instanceof Element && event.target.closest('.turns') && this.turn(1)) return;
        if (!this.touch && this.suggested()) {
          // a pointer that rests where it was when the hint came: what a click would do there is shown before it is done
          cancelAnimationFrame(frame);
          this.hover(event.clientX, event.clientY);
          if (distance(this.hintedAt, { x: event.clientX, y: event.clientY }) < 1 && !this.suggested()) return;
        }
        const known = clickable(this.levels, this.at, this.picked);
        const slop = this.touch && !this.board.place(event.clientX, event.clientY) ? TOUCH_SLOP : 0;
        const found = this.board.hit(event.clientX, event.clientY, known, slop);
        if (root === host && !found.length && !this.paused && this.places().length) return this.lay(event.clientX, event.clientY);
        const ids = found.length ? found : this.board.named(event.clientX, event.clientY);
        if (found.length || (root === host && this.levels.length) || ids.length) this.press(ids, { x: event.clientX, y: event.clientY });
      });
      root.addEventListener('focusin', (event) => {
        const id = event.target instanceof Element ? `el:${event.target.id}` : '';
        this.focused = id;
        if (event.target instanceof Element && event.target.matches(':focus-visible')) this.look([id]);
        this.refresh();
      });
      root.addEventListener('focusout', () => { this.focused = ''; this.hovered = null; this.refresh(); });
      root.addEventListener('keydown', (event) => this.key(event));
    }
    addEventListener('pointermove', (event) => this.pull(event));
    for (const kind of /** @type {const} */ (['pointerup', 'pointercancel'])) {
      addEventListener(kind, (event) => {
        this.fingers.delete(event.pointerId);
        clearTimeout(this.pressed);
        if (this.drag?.pointer === event.pointerId) this.release(kind === 'pointerup' ? event : null);
      });
    }
    host.addEventListener('contextmenu', (event) => { if (this.pencil(event.clientX, event.clientY)) event.preventDefault(); });
    stage.addEventListener('focus', () => { if (stage.matches(':focus-visible')) this.begin(); });
    stage.addEventListener('blur', () => { if (this.hovered && !this.isSet()) this.unhover(); });
    stage.addEventListener('keydown', (event) => { if (event.target === stage) this.steer(event); });
    stage.addEventListener('wheel', (event) => {
      if (event.ctrlKey || !this.levels.length) return;
      this.wheel += event.deltaY;
      if (Math.abs(this.wheel) < WHEEL) return event.preventDefault();
      if (this.turn(Math.sign(this.wheel))) event.preventDefault();
      this.wheel = 0;
    }, { passive: false });
    addEventListener('resize', () => this.refresh());
  }

  // ---- dragging

  /** What is dragged from a point of the window, if anything can be. @param {PointerEvent} event */
  grab(event) {
    this.letGo();
    const { clientX: x, clientY: y } = event;
    if (this.paused || !this.levels.length || this.fingers.size > 1 || event.button !== 0) return;
    const drag = { id: '', pointer: event.pointerId, x, y, moving: false, first: true, ends: new Map(), end: '', from: 0 };
    const before = this.isSet() ? this.place() : null;
    if (before && this.board.onGhost(x, y)) {
      const middle = this.board.pixels(before);
      this.drag = { ...drag, laid: { dx: middle.x - x, dy: middle.y - y, before } };
      return;
    }
    const starts = this.levels.flatMap(({ actions }) => actions.flatMap(({ targets }) => (targets.length > 1 ? [targets[0] ?? ''] : [])));
    const slop = this.touch ? TOUCH_SLOP / 2 : 0;
    let id = this.board.hit(x, y, new Set(starts), slop)[0] ?? '';
    const first = Boolean(id);
    if (!id && this.hooks.redrafts) {
      // what lies where a step of the draft has put it
      const laid = this.levels.flatMap((level) => level.actions.filter((action) => action.name === level.chosen).flatMap(({ targets }) => targets.slice(-1)));
      const found = this.board.hit(x, y, new Set(laid), 0)[0];
      const piece = this.board.piece(x, y);
      if (found || this.board.element(piece)?.matches('.movable')) id = piece || (found ?? '');
    }
    if (!id) return;
    const laid = this.places([id], this.open).length ? { dx: 0, dy: this.touch ? -ABOVE : 0, before: null } : null;
    const from = this.touch && !this.board.onBoard(id) ? performance.now() + HOLD : 0;
    this.drag = { ...drag, id, first, ends: reachable(this.levels, id), from, laid };
  }

  /** Drag on. @param {PointerEvent} event */
  pull(event) {
    const drag = this.drag;
    if (!drag || event.pointerId !== drag.pointer) {
      const finger = this.fingers.get(event.pointerId);
      if (finger && Math.hypot(event.clientX - finger.startX, event.clientY - finger.startY) > DRAG) clearTimeout(this.pressed);
      return;
    }
    const { clientX: x, clientY: y } = event;
    if (this.fingers.size > 1 || this.paused) return this.letGo();
    const begins = !drag.moving;
    if (begins) {
      if (Math.hypot(x - drag.x, y - drag.y) <= DRAG) return;
      if (performance.now() < drag.from) return this.letGo(); // the page scrolls
      drag.moving = true;
      clearTimeout(this.pressed);
      this.spent = true;
      if (drag.laid) {
        if (drag.id) {
          this.drop();
          this.picked = [drag.id];
        }
        document.body.classList.add('carrying');
      }
    }
    if (drag.laid) {
      const at = { x: x + drag.laid.dx, y: y + drag.laid.dy };
      const place = this.board.over(at.x, at.y) ? snap(this.places(), this.board.units(at.x, at.y), this.lies, this.board.reach) : null;
      this.showAt(place, at);
      return;
    }
    if (begins) {
      if (drag.first) {
        const pick = resolve(this.levels, this.open, [], [drag.id]);
        this.at = pick?.level ?? this.open;
        this.picked = [drag.id];
      } else {
        this.drop();
      }
      this.variant = null;
      this.given = false;
      this.hovered = null;
      const piece = this.board.element(drag.id)?.matches('.piece') ? drag.id : this.board.piece(drag.x, drag.y) || drag.id;
      this.board.dragged = this.board.copy(piece);
      this.board.host.classList.add('dragging');
      this.refresh();
    }
    const end = this.snap(x, y);
    if (this.board.dragged) {
      const from = this.board.units(drag.x, drag.y);
      const to = this.board.units(x, y);
      this.board.dragged.setAttribute('transform', `translate(${(to.x - from.x).toFixed(1)} ${(to.y - from.y).toFixed(1)})`);
      this.board.dragged.setAttribute('class', end ? 'dragged snapped' : 'dragged');
    }
    if (end === drag.end) return;
    drag.end = end;
    this.hovered = end ? { level: drag.ends.get(end) ?? this.open, picked: [drag.id, end], again: false } : null;
    this.refresh();
  }

  /** The place to which what is dragged would go from a point. @param {number} x @param {number} y */
  snap(x, y) {
    const ends = this.drag?.ends ?? new Map();
    const under = this.board.hit(x, y, new Set(ends.keys()), 0)[0];
    if (under) return under;
    if (this.board.place(x, y)) return ''; // where it is dropped it lies
    let best = '';
    let least = Infinity;
    for (const id of ends.keys()) {
      const rect = this.board.element(id)?.getBoundingClientRect();
      if (!rect || !rect.width) continue;
      const distance = Math.hypot(rect.x + rect.width / 2 - x, rect.y + rect.height / 2 - y) / Math.max(rect.width, rect.height);
      if (distance < SNAP && distance < least) [best, least] = [id, distance];
    }
    return best;
  }

  /** Drop what is dragged. @param {PointerEvent | null} event null: it was broken off */
  release(event) {
    const drag = this.drag;
    const place = drag?.laid ? this.place() : null;
    this.letGo();
    if (!drag?.moving) return;
    if (drag.laid) {
      if (event && place) return this.put(place);
      const { before } = drag.laid;
      if (before) {
        this.picked = [...before.action.targets];
        this.variant = before.action;
      } else if (!event || !this.board.over(event.clientX, event.clientY)) this.drop();
      return this.refresh();
    }
    const where = event && { x: event.clientX, y: event.clientY };
    if (where && drag.end) {
      this.at = drag.ends.get(drag.end) ?? this.open;
      this.picked = [drag.id];
      void this.press([drag.end], where);
      return;
    }
    const to = where ? this.board.named(where.x, where.y).filter((id) => id !== drag.id) : [];
    this.drop();
    this.refresh();
    if (to.length && this.hooks.redrafts) void this.refuse([drag.id, ...to.slice(0, 1)], where, !drag.first);
  }

  /** Nothing is dragged any more. */
  letGo() {
    const moving = this.drag?.moving;
    this.drag = null;
    if (!moving) return;
    document.body.classList.remove('carrying');
    this.hanging = null;
    this.board.dragged = null;
    this.board.host.classList.remove('dragging');
    this.hovered = null;
    this.refresh();
  }

  /** Make a note on the piece at a point of the window, if there is one. @param {number} x @param {number} y */
  pencil(x, y) {
    const id = this.hooks.pencil && !this.paused ? this.board.piece(x, y) : '';
    if (!id) return false;
    this.drag = null;
    this.spent = true;
    this.hooks.pencil?.(id.slice(3), { x, y });
    return true;
  }

  /** The same for what has the keyboard, else for what lies under the pointer. */
  pencilHere() {
    const focused = this.focused ? this.board.centre(this.focused) : null;
    const { x, y } = focused ?? this.pointer;
    return x >= 0 && this.pencil(x, y);
  }

  /** Two fingers that turn round each other turn the ghost. @param {PointerEvent} event */
  finger(event) {
    const own = this.fingers.get(event.pointerId);
    if (!own || this.fingers.size !== 2) return;
    const other = [...this.fingers.entries()].find(([id]) => id !== event.pointerId)?.[1];
    if (!other) return;
    const before = Math.atan2(own.y - other.y, own.x - other.x);
    own.x = event.clientX;
    own.y = event.clientY;
    let change = Math.atan2(own.y - other.y, own.x - other.x) - before;
    if (change > Math.PI) change -= 2 * Math.PI;
    if (change < -Math.PI) change += 2 * Math.PI;
    this.twist += change;
    if (Math.abs(this.twist) > TWIST) {
      this.turn(Math.sign(this.twist));
      this.twist = 0;
      this.spent = true;
    }
  }

  /** @param {number} x @param {number} y */
  hover(x, y) {
    if (this.paused || this.drag?.moving || !this.levels.length || document.elementFromPoint(x, y)?.closest('.turns, .handle')) return;
    const ids = this.board.hit(x, y, clickable(this.levels, this.at, this.picked), 0);
    if (ids.length || !this.board.over(x, y) || !this.places().length) {
      this.hanging = null;
      return this.look(ids);
    }
    if (!this.isSet()) this.follow(x, y);
  }

  unhover() {
    if (!this.hovered && !this.hanging) return;
    this.hovered = null;
    this.hanging = null;
    this.still = null;
    if (!this.picked.length || (this.places().length && !this.isSet())) this.variant = null;
    this.refresh();
  }

  /** Show what a click on these things would do. @param {string[]} ids */
  look(ids) {
    const pick = ids.length ? resolve(this.levels, this.at, this.held(), ids) : null;
    const old = this.hovered;
    if (pick === old || (pick && old && pick.level === old.level && pick.again === old.again && same(pick.picked, old.picked))) return;
    this.hovered = pick;
    if (!this.picked.length) this.variant = null;
    this.refresh();
  }

  // ---- keys on the board

  /** @param {KeyboardEvent} event */
  key(event) {
    const target = event.target instanceof Element ? event.target : null;
    if (!target || event.altKey || event.ctrlKey || event.metaKey) return;
    const id = `el:${target.id}`;
    const known = clickable(this.levels, this.at, this.picked);
    if (!known.has(id)) return;
    const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key] ?? [0, 0];
    if (dx || dy) {
      event.preventDefault();
      event.stopPropagation();
      const from = this.board.centre(id);
      const points = [...known].filter((other) => other !== id).map((item) => ({ item, at: this.board.centre(item) }))
        .flatMap(({ item, at }) => (at ? [{ ...at, item }] : []));
      const next = from && neighbour(from, points, dx ?? 0, dy ?? 0);
      if (next) this.board.element(next)?.focus();
    } else if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      event.stopPropagation();
      this.touch = false;
      this.byKey = true;
      const group = this.group();
      if (this.suggested() && !this.hinted()?.targets.includes(id)) return this.look([id]); // shown before it is done
      // Enter on what is already picked does it; it never turns it, R does
      if (event.key === 'Enter' && this.at === this.open && group.action && group.action.targets.includes(id) && this.picked.includes(id)) {
        this.play(group.action);
      } else {
        this.press([id], this.board.centre(id)).then(() => {
          // what was picked to be laid is moved over the board
          if (this.held().includes(id) && this.places().length) this.begin();
        });
      }
    }
  }

  /** Keys that move what is held over the board, and lay it. @param {KeyboardEvent} event */
  steer(event) {
    if (this.paused || !this.places().length || event.altKey || event.ctrlKey || event.metaKey) return;
    const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key] ?? [0, 0];
    const enter = event.key === 'Enter' || event.key === ' ';
    if (!dx && !dy && !enter) return;
    event.preventDefault();
    event.stopPropagation();
    this.touch = false;
    this.byKey = true;
    const now = this.place();
    if (!now) return this.begin();
    if (enter) {
      if (this.isSet()) this.play(now.action);
      else this.put(now);
      return;
    }
    const next = towards(this.places(), { ...now, ...this.lies }, dx ?? 0, dy ?? 0);
    if (!next) return;
    this.still = null;
    this.showAt(next);
    this.hooks.tell(next.action);
  }
}
