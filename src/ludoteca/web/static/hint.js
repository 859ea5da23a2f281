// The stages of a hint: where to look, with what to begin, the whole turn and why. Each press of the button tells the next one that adds
// something. In a new position they start over.
import { ghostOf } from './choose.js';

/** @typedef {import('./turn.js').Turn} Turn */
/**
 * @typedef {object} Hooks
 * @property {() => {version: number, seat: number}} position the one that a hint is asked for
 * @property {(what: string, body: object) => Promise<{ok: boolean, data: any}>} post
 * @property {() => HTMLButtonElement[]} buttons those that ask for a hint
 * @property {(key: string, values?: Record<string, string>) => string} words of the page
 * @property {(searches: boolean) => void} searching a hint is being looked for, or no longer
 * @property {(text: string) => void} say a sentence over the board
 * @property {() => void} labelled the buttons can be pressed again
 */

const LAST = 4;

export class Hint {
  /** @param {Turn} turn @param {Hooks} hooks */
  constructor(turn, hooks) {
    this.turn = turn;
    this.hooks = hooks;
    /** What was told, and of which position. */
    this.told = { stage: 0, next: 1, of: '' };
    this.asking = false;
  }

  get position() {
    const { version, seat } = this.hooks.position();
    return `${version} ${seat}`;
  }

  /** The stage reached in the present position, and the one that the next press brings. */
  get now() {
    return this.told.of === this.position ? this.told : { stage: 0, next: 1 };
  }

  /** Tell more; after the last stage, tell that again. */
  async press() {
    if (this.asking) return;
    const { hooks, position, now: { next: stage } } = this;
    this.asking = true;
    this.label();
    hooks.searching(true);
    const { version, seat } = hooks.position();
    const { ok, data } = await hooks.post('hint', { version, seat, stage });
    hooks.searching(false);
    this.asking = false;
    if (ok && position === this.position) this.tell(data);
    this.label();
    hooks.labelled();
  }

  /** @param {any} data */
  tell(data) {
    this.told = { stage: data.stage, next: data.next ?? LAST, of: this.position };
    if (data.steps) {
      this.turn.suggest(data.steps.map((/** @type {any} */ step) => ({
        name: step.name, targets: step.targets,
        ghosts: step.ghosts.map((/** @type {import('./choose.js').Packed | null} */ packed) => packed && ghostOf(packed)),
      })));
      const [first] = data.reasons;
      if (first) this.turn.pointAt(first.targets);
    } else this.turn.clue(data.targets);
    const more = this.turn.touch || data.stage === LAST ? '' : ` ${this.hooks.words('hintKey', { next: this.name(data.next) })}`;
    this.hooks.say(`${data.sentence}${more}`);
  }

  /** @param {number} stage */
  name(stage) {
    return this.hooks.words(`hint.${stage}`);
  }

  /** Have the buttons say what the next press brings. */
  label() {
    const { stage, next } = this.now;
    for (const button of this.hooks.buttons()) {
      button.disabled = this.asking;
      button.dataset.stage = String(stage);
      const text = button.lastChild;
      if (text instanceof Text && text.data !== this.name(next)) text.data = this.name(next);
      button.ariaLabel = this.name(next);
    }
  }
}
