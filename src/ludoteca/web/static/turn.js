// Making a turn: pointer, touch, wheel and keys become picks; picks become ghosts, and at last actions.
import { Board } from './board.js';
import { angle, clickable, nearest, possible, resolve, same, unpack, variants } from './choose.js';
import { distance, flipped, flips, lie, mirrored, places, point, snap, turned, turnedInHand, turns } from './lay.js';
import { Drag } from './drag.js';
import { Keys } from './keys.js';
import { Pointer } from './pointer.js';

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
 * @property {() => string} turn which turn of which seat it is
 * @property {(targets: string[], at: {x: number, y: number} | null) => Promise<string>} refused what was clicked or dragged makes no
 *           action: either it changes the draft otherwise, or the answer is the sentence that says why not; `at`: where `explains` is
 *           asked next
 * @property {boolean} redrafts may it ever change the draft?
 * @property {((id: string, at: {x: number, y: number}) => void) | null} pencil make a note on a thing, in games with secrets
 * @property {(at: {x: number, y: number}, why?: string) => Promise<boolean>} explains say what lies at a point, and why a click there is no
 *           move; whether there is anything to say
 * @property {(side: number, at: {x: number, y: number}) => boolean} lens what a finger is to hit is so small: the lens opens if it is too
 *           small; whether it does
 * @property {() => void} near what a pick has brought may be too small for a finger: the lens opens if all of it lies together
 * @property {() => boolean} confirms is a turn to be confirmed before it is committed?
 * @property {() => boolean} arranges are things being arranged, in any order of places?
 * @property {() => boolean} seals is what ends the turn sealed, so that nothing else may look as if it did?
 * @property {(text: string, at: {x: number, y: number} | null) => void} say a sentence near a place
 * @property {(reason: 'flip' | 'turn', holding: boolean) => void} cannot what is held cannot be turned or flipped here
 * @property {(action: Action) => void} tell where what is held lies now, to those who do not see it
 * @property {(ready: Ready) => void} changed which buttons apply
 */

const TWICE = 320; // milliseconds between the taps of a double tap
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
    /** A turn that is only looked at. @type {{targets: string[], ghosts: (Ghost | null)[]}[] | null} */
    this.previewed = null;
    /** Things that a hint points at besides its turn. @type {string[]} */
    this.pointed = [];
    /** Where the pointer was when the hint came. */
    this.hintedAt = { x: -1, y: -1 };
    this.focused = '';
    this.touch = matchMedia('(pointer: coarse)').matches;
    this.paused = false;
    /** @type {{name: string, keep: number, targets: string[] | null} | null} */
    this.wanted = null;
    /** The turned draft that the server is being told of. @type {{name: string, keep: number, targets: null} | null} */
    this.turning = null;
    /** Where the pointer was last. */
    this.pointer = { x: -1, y: -1 };
    this.sending = false;
    /** Is the board played with the keyboard? */
    this.byKey = false;
    /** Was the pick made by the page, because nothing else can be chosen? */
    this.given = false;
    /** Can anything be turned now? */
    this.twists = false;
    this.drag = new Drag(this);
    this.keys = new Keys(this);
    this.pointing = new Pointer(this);
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
    this.pointed = [];
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
    // the thing with the keyboard focus can no longer be chosen: the focus goes to one that can
    if (this.byKey && (focus === document.body || focus === this.board.stage)) this.begins();
  }

  /** The keyboard goes to a thing that can be chosen. @returns {boolean} whether there is one */
  begins() {
    if (this.paused || !this.levels.length) return false;
    const next = this.board.element(this.tabStop(clickable(this.levels, this.at, this.picked)));
    if (next) next.focus();
    else if (this.places().length) this.begin();
    else return false;
    return true;
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
    this.pointed = [];
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

  /** Show a turn on the board and leave everything else as it is; null: no longer. @param {{targets: string[], ghosts: (Ghost | null)[]}[] | null} steps */
  preview(steps) {
    if (!steps && !this.previewed) return;
    this.previewed = steps;
    this.refresh();
  }

  /** Play what is left of the turn that is hinted at, all of it at once. @returns {boolean} whether there is one */
  playHint() {
    const { hint } = this;
    if (this.paused || !hint) return false;
    void this.steps(hint.steps.map(({ name }) => name).join(' '));
    return true;
  }

  /** Point at things, and show no turn yet. @param {string[]} ids */
  clue(ids) {
    this.drop();
    this.hovered = null;
    this.hint = null;
    this.pointAt(ids);
  }

  /** Point at things besides what is shown. @param {string[]} ids */
  pointAt(ids) {
    this.pointed = ids;
    this.refresh();
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

  /** The pick without the point where it lies. */
  held() {
    return this.picked.filter((id) => !point(id));
  }

  /** The things that would go on with what is picked. */
  ahead() {
    return possible(this.levels[this.at], this.picked).flatMap(({ targets }) => targets[this.picked.length] ?? []);
  }

  /** How large the things on the board are that can be chosen: their shorter sides in pixels. */
  sides() {
    return [...clickable(this.levels, this.at, this.picked)].map((id) => this.board.side(id));
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
    if (!pick) return this.refuse([...this.picked, ...(this.hooks.redrafts ? ids.slice(0, 1) : ids)], where);
    if (pick.again) return this.again(pick);
    const shown = this.hovered && same(this.hovered.picked, pick.picked) ? this.group(this.hovered).action : null;
    this.at = pick.level;
    this.picked = pick.picked;
    this.variant = null;
    this.given = false;
    this.pointed = [];
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
    if (this.touch) this.hooks.near();
  }

  /** The thing that completes an arrangement stays where it was laid; playing its step now would seal the arrangement. @param {Action} action @param {{x: number, y: number} | null} where */
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
    // a thing of the draft is clicked once more: it may be taken out
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
    const tried = this.held().length > 0;
    // a click on a thing asks what it is; with something in hand it tries a move
    const asks = tried || quiet ? null : where;
    const text = await this.hooks.refused(ids, asks);
    if (text && !quiet && !(asks && (await this.hooks.explains(asks, text)))) this.hooks.say(text, where);
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
    if (action === this.suggested()) return this.playHint();
    this.play(action);
    return true;
  }

  /** @param {Action} action @param {boolean} [clicked] was it chosen by what is clicked for it? */
  play(action, clicked = true) {
    const anew = this.at < this.open || (this.hooks.arranges() && !action.commits);
    this.wanted = { name: action.name, keep: this.at, targets: clicked && anew ? action.targets : null };
    this.flush();
  }

  /** Play what is wanted, and what is wanted meanwhile; but not in the next turn what was meant for this one. */
  async flush() {
    if (this.sending) return;
    this.sending = true;
    this.refresh();
    const meant = this.hooks.turn();
    while (this.wanted && this.hooks.turn() === meant) {
      const { name, keep, targets } = this.wanted;
      this.wanted = null;
      const done = await this.hooks.act(name, keep, targets);
      if (!done) {
        this.drop();
        break;
      }
    }
    this.wanted = null;
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

  /** The next way to choose these things, before they are chosen. @param {string[]} ids @param {number} by @returns {boolean} whether there is one */
  vary(ids, by) {
    const pick = this.paused ? null : resolve(this.levels, this.at, this.held(), ids);
    const { actions, now } = pick && !pick.again ? this.group(pick) : { actions: [], now: -1 };
    if (actions.length < 2) return false;
    this.hovered = pick;
    this.variant = actions.at((now + by + actions.length) % actions.length) ?? null;
    this.degrees = angle(this.variant ?? undefined);
    this.refresh();
    return true;
  }

  /** One step back: let go of a hint or a pick. @returns {boolean} whether there was something to let go */
  back() {
    if (!this.hint && !this.pointed.length && (!this.picked.length || this.given)) return false;
    const [first] = this.picked;
    this.drop();
    this.hovered = null;
    this.hint = null;
    this.pointed = [];
    this.refresh();
    // the keyboard goes back to what was held
    if (first && document.activeElement === this.board.stage) this.board.element(first)?.focus();
    return true;
  }

  // ---- showing

  refresh() {
    const { board, levels } = this;
    if (this.paused) {
      board.hang(null);
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
    const advised = this.previewed ?? this.hint?.steps ?? [];
    if (this.previewed || suggested) advised.forEach((step) => step.ghosts.forEach((ghost) => ghost && ghosts.push(ghost)));
    else if (drawn) { /* it is there */ }
    else if (seen && !(this.given && seen === own.action) && !(own.level < this.open && seen === own.action)) add(seen, ghosts);
    else if (!this.given && (this.hovered || this.picked.length)) {
      const pick = this.hovered && !this.hovered.again ? this.hovered : { level: this.at, picked: this.picked };
      if (!this.places(pick.picked, pick.level).length) for (const action of possible(levels[pick.level], pick.picked)) quiet.push(...action.ghosts.slice(pick.picked.length).flatMap((ghost) => ghost ?? []));
    }
    const meant = suggested ? this.group({ level: this.open, picked: suggested.targets, again: false }) : hovered?.action ? hovered : own.action && own.level === this.open ? own : this.drafted();
    const shown = meant && meant.actions.length > 1 ? meant : this.drafted() ?? meant;
    const outline = shown?.action?.targets.at(-1) ?? '';
    const chosen = new Set(suggested || this.given ? [] : this.picked);
    /** @param {string} id */
    const hinted = (id) => this.pointed.includes(id) || Boolean((this.previewed || suggested) && advised.some(({ targets }) => targets.includes(id)));
    for (const element of board.all('.can, .chosen, .shown')) element.classList.remove('can', 'chosen', 'shown');
    for (const id of known) {
      const element = board.element(id);
      if (!element) continue;
      element.classList.add('can');
      if (element.getAttribute('role') !== 'button') element.setAttribute('role', 'button');
      if (element.getAttribute('aria-hidden') === 'true') {
        // drawn for clicks alone: it gets the name of what it would do
        element.removeAttribute('aria-hidden');
        element.setAttribute('aria-label', levels.flatMap(({ actions }) => actions).find(({ targets }) => targets.includes(id))?.name ?? '');
      }
      element.setAttribute('tabindex', id === this.tabStop(known) ? '0' : '-1');
      if (chosen.has(id) || (hinted(id) && !board.onBoard(id))) element.classList.add('chosen');
    }
    for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('#acts :is([data-target], [data-button])'))) {
      button.classList.toggle('hinted', hinted(button.dataset.target ?? button.dataset.button ?? ''));
    }
    const marks = outline.startsWith('el:') ? document.getElementById(`turns-${outline.slice(3)}`) : null;
    marks?.classList.add('shown');
    // all places of what is held, else of what is under the pointer or has the keyboard
    const looked = this.hovered && !place ? this.hovered.picked[0] : undefined;
    for (const id of new Set([looked ?? (suggested ? undefined : this.held()[0])])) {
      if (id?.startsWith('el:')) board.all(`#places-${id.slice(3)}, [data-shown-by='${id.slice(3)}']`).forEach((places) => places.classList.add('shown'));
    }
    const all = this.places();
    board.hang(this.hanging && all[0] ? this.hanging : null, all.find((one) => one.degrees === this.degrees && one.flipped === this.flipped) ?? all[0], this.lies);
    board.show({
      handles: place && this.isSet() ? { at: place, turn: turns(all, place), flip: flips(all, place) } : null,
      ghosts, quiet, colour: this.colour,
      rings: [...chosen].filter((id) => !board.element(id)?.querySelector('.mark, .chosen-ring')),
      hint: [...new Set([...advised.flatMap((step) => step.targets), ...this.pointed])],
      focus: this.focused && !board.element(this.focused)?.querySelector('.focus') ? this.focused : '',
      outline: outline.startsWith('el:') ? outline : '',
      turns: shown && shown.actions.length > 1 ? { now: shown.now, count: marks ? 0 : shown.actions.length } : null,
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
      back: Boolean(this.hint) || this.pointed.length > 0 || (this.picked.length > 0 && !this.given),
      laying: all.length > 0,
      holding,
      laid: place?.action ?? null,
    });
  }

  /** @param {Set<string>} known */
  tabStop(known) {
    if (known.has(this.focused)) return this.focused;
    const picked = this.picked.at(-1);
    // a button of the prompt is reached by itself
    return picked && known.has(picked) ? picked : ([...known].find((id) => this.board.element(id)) ?? '');
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

}
