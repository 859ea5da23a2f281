// Sounds of wood, tiles and bronze, made here, and short vibrations. Both are off until somebody asks for them, and they tell nothing
// that the page does not show anyway.

/** @typedef {'wood' | 'tile' | 'bronze' | 'draw' | 'turn' | 'won' | 'over'} Sound */
/** @typedef {{sound: boolean, haptics: boolean}} Settings */
/** @typedef {Record<string, Sound>} Sounds of a game, by kinds of events; `step` is that of a turn which goes on */

const GAP = 0.17; // seconds between two sounds
const MOST = 4; // sounds of one message
const VOLUME = 0.5;

/** Vibrations, in milliseconds: on, off, on, … */
const TOUCH = [8];
const REFUSED = [12, 50, 12];
const TURN = [25, 60, 25];
const WON = [30, 60, 30, 60, 80];

/**
 * Partials of something that is struck: pitch in hertz, loudness, and after how many seconds it is gone.
 * @typedef {[number, number, number][]} Partials
 */

/** @type {Record<'wood' | 'tile' | 'bronze', {partials: Partials, click: number}>} `click`: pitch of the noise as it is struck */
const MATERIALS = {
  wood: { partials: [[330, 0.5, 0.09], [745, 0.3, 0.06], [1460, 0.12, 0.03]], click: 900 },
  tile: { partials: [[210, 0.3, 0.05], [1720, 0.26, 0.07], [3350, 0.16, 0.05], [5100, 0.08, 0.03]], click: 3200 },
  bronze: { partials: [[294, 0.26, 0.9], [688, 0.2, 0.7], [1062, 0.16, 0.5], [1571, 0.1, 0.4], [2204, 0.07, 0.25]], click: 2400 },
};

/**
 * Strike something.
 * @param {BaseAudioContext} audio
 * @param {number} at when, in seconds of the context
 * @param {'wood' | 'tile' | 'bronze'} material
 * @param {number} [loud]
 * @param {number} [pitch] of the first partial; the others keep their distance
 */
function strike(audio, at, material, loud = 1, pitch = 0) {
  const { partials, click } = MATERIALS[material];
  const higher = pitch ? pitch / (partials[0]?.[0] ?? pitch) : 1;
  for (const [hertz, gain, gone] of partials) {
    const tone = audio.createOscillator();
    tone.frequency.value = hertz * higher;
    fade(audio, tone, at, gain * loud, pitch ? gone * 3 : gone).connect(audio.destination);
    tone.start(at);
    tone.stop(at + (pitch ? gone * 3 : gone));
  }
  const noise = audio.createBufferSource();
  noise.buffer = audio.createBuffer(1, Math.ceil(audio.sampleRate * 0.02), audio.sampleRate);
  const samples = noise.buffer.getChannelData(0);
  for (let k = 0; k < samples.length; k++) samples[k] = 2 * Math.random() - 1;
  const band = audio.createBiquadFilter();
  band.type = 'bandpass';
  band.frequency.value = click;
  noise.connect(band);
  fade(audio, band, at, 0.5 * loud, 0.02).connect(audio.destination);
  noise.start(at);
}

/** @param {BaseAudioContext} audio @param {AudioNode} source @param {number} at @param {number} loud @param {number} gone */
function fade(audio, source, at, loud, gone) {
  const gain = audio.createGain();
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(loud * VOLUME, at + 0.003);
  gain.gain.exponentialRampToValueAtTime(0.0005, at + gone);
  return source.connect(gain);
}

/** All sounds. @type {Record<Sound, (audio: BaseAudioContext, at: number) => void>} */
export const SOUNDS = {
  wood: (audio, at) => strike(audio, at, 'wood'),
  tile: (audio, at) => strike(audio, at, 'tile'),
  bronze: (audio, at) => strike(audio, at, 'bronze'),
  // a handful of things that is shaken and comes to rest
  draw: (audio, at) => [0, 0.045, 0.08, 0.14, 0.23].forEach((later, k) => strike(audio, at + later, 'wood', 0.7 - 0.12 * k, 620 + 90 * (k % 3))),
  turn: (audio, at) => [523, 784].forEach((pitch, k) => strike(audio, at + 0.14 * k, 'wood', 0.8, pitch)),
  won: (audio, at) => [523, 659, 784, 1047].forEach((pitch, k) => strike(audio, at + 0.13 * k, 'wood', 0.8, pitch)),
  over: (audio, at) => [392, 330].forEach((pitch, k) => strike(audio, at + 0.2 * k, 'wood', 0.7, pitch)),
};

/** @type {AudioContext | null} */
let audio = null;

/** May a page make itself heard and felt? Browsers want to see a click or a key first. */
const touched = () => navigator.userActivation?.hasBeenActive !== false;

/** @param {readonly Sound[]} sounds one after the other */
function play(sounds) {
  if (!sounds.length || !touched()) return;
  audio ??= new AudioContext();
  if (audio.state === 'suspended') void audio.resume();
  let at = audio.currentTime + 0.02;
  for (const sound of sounds) {
    SOUNDS[sound](audio, at);
    at += GAP;
  }
}

/** @param {number[]} pattern */
function vibrate(pattern) {
  if (touched() && !matchMedia('(prefers-reduced-motion: reduce)').matches) navigator.vibrate?.(pattern);
}

/**
 * The sound of an event: what its game says of its kind; in a game that says nothing wood for what moves, a tile for what appears.
 * @param {import('./animate.js').Event} event @param {Sounds} sounds @returns {Sound | ''}
 */
function soundOf({ kind, way, elements, flights }, sounds) {
  if (Object.keys(sounds).length) return sounds[kind] ?? '';
  return way.length > 1 ? 'wood' : elements.length || flights.length ? 'tile' : '';
}

/**
 * Something happened at the table.
 * @param {Settings} settings
 * @param {readonly import('./animate.js').Event[]} events
 * @param {Sounds} sounds
 */
export function happened(settings, events, sounds) {
  if (!settings.sound || document.hidden) return;
  const all = events.map((event) => soundOf(event, sounds)).filter(Boolean);
  play(/** @type {Sound[]} */ (all.filter((sound, k) => sound !== all[k - 1]).slice(-MOST)));
}

/** The viewer's turn begins, or the match has ended. @param {Settings} settings @param {'turn' | 'won' | 'over'} what */
export function calls(settings, what) {
  if (settings.sound) play([what]);
  if (settings.haptics && what !== 'over') vibrate(what === 'won' ? WON : TURN);
}

/** What was chosen is taken, or refused. @param {Settings} settings @param {boolean} taken @param {Sound} [sound] of a step of a turn that goes on */
export function answered(settings, taken, sound) {
  if (settings.sound && sound) play([sound]);
  if (settings.haptics) vibrate(taken ? TOUCH : REFUSED);
}
