// The keyboard on the board: from thing to thing, choosing, and moving what is held.
import { neighbour } from './board.js';
import { clickable } from './choose.js';
import { towards } from './lay.js';

/** @typedef {import('./turn.js').Turn} Turn */

export class Keys {
  /** @param {Turn} turn */
  constructor(turn) {
    this.turn = turn;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const target = event.target instanceof Element ? event.target : null;
    if (!target || event.altKey || event.ctrlKey || event.metaKey) return;
    const id = `el:${target.id}`;
    const known = clickable(this.turn.levels, this.turn.at, this.turn.picked);
    if (!known.has(id)) return;
    const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key] ?? [0, 0];
    if (dx || dy) {
      event.preventDefault();
      event.stopPropagation();
      const from = this.turn.board.centre(id);
      const points = [...known].filter((other) => other !== id).map((item) => ({ item, at: this.turn.board.centre(item) }))
        .flatMap(({ item, at }) => (at ? [{ ...at, item }] : []));
      const next = from && neighbour(from, points, dx ?? 0, dy ?? 0);
      if (next) this.turn.board.element(next)?.focus();
    } else if (event.key === '.' || event.key === ',') {
      // an arrow passes over what lies aslant behind something nearer; these lead to each
      event.preventDefault();
      event.stopPropagation();
      const all = [...known].filter((other) => this.turn.board.element(other));
      const next = all.at((all.indexOf(id) + (event.key === '.' ? 1 : -1)) % all.length);
      if (next) this.turn.board.element(next)?.focus();
    } else if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      event.stopPropagation();
      this.turn.touch = false;
      this.turn.byKey = true;
      const group = this.turn.group();
      if (this.turn.suggested() && !this.turn.hinted()?.targets.includes(id)) return this.turn.look([id]); // shown before it is done
      // Enter on what is already picked does it; it never turns it, R does
      if (event.key === 'Enter' && this.turn.at === this.turn.open && group.action && group.action.targets.includes(id) && this.turn.picked.includes(id)) {
        this.turn.play(group.action);
      } else {
        this.turn.press([id], this.turn.board.centre(id)).then(() => {
          // a thing that was picked to be laid is moved over the board
          if (this.turn.held().includes(id) && this.turn.places().length) this.turn.begin();
        });
      }
    }
  }

  /** Keys that move what is held over the board, and lay it. @param {KeyboardEvent} event */
  steer(event) {
    if (this.turn.paused || !this.turn.places().length || event.altKey || event.ctrlKey || event.metaKey) return;
    const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key] ?? [0, 0];
    const enter = event.key === 'Enter' || event.key === ' ';
    if (!dx && !dy && !enter) return;
    event.preventDefault();
    event.stopPropagation();
    this.turn.touch = false;
    this.turn.byKey = true;
    const now = this.turn.place();
    if (!now) return this.turn.begin();
    if (enter) {
      if (this.turn.isSet()) this.turn.play(now.action);
      else this.turn.put(now);
      return;
    }
    const next = towards(this.turn.places(), { ...now, ...this.turn.lies }, dx ?? 0, dy ?? 0);
    if (!next) return;
    this.turn.still = null;
    this.turn.showAt(next);
    this.turn.hooks.tell(next.action);
  }
}
