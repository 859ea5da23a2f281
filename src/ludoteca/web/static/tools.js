// Drawers, settings, chat, sounds and notifications: what a table page has beside the board.
import { send } from './live.js';
import { showLog } from './log.js';

/** @param {string} id */
const byId = (id) => /** @type {HTMLElement | null} */ (document.getElementById(id));

let toastTimer = 0;

/** Say something to screen readers and, if `show`, to everybody. @param {string} text @param {boolean} [show] */
export function announce(text, show = false) {
  if (!text) return;
  const region = byId('speak');
  if (region) {
    // the same sentence twice is spoken twice
    region.textContent = region.textContent === text ? `${text}\u00a0` : text;
  }
  const toast = byId('toast');
  if (show && toast) {
    toast.textContent = text;
    toast.classList.add('on');
    clearTimeout(toastTimer);
    toastTimer = window.setTimeout(() => toast.classList.remove('on'), 2600);
  }
}

/** @type {AudioContext | null} */
let audio = null;

/** Two knocks on wood. */
function knock() {
  audio ??= new AudioContext();
  const start = audio.currentTime;
  for (const [at, pitch] of [[0, 520], [0.13, 690]]) {
    const tone = audio.createOscillator();
    const gain = audio.createGain();
    tone.type = 'triangle';
    tone.frequency.setValueAtTime(pitch ?? 0, start + (at ?? 0));
    tone.frequency.exponentialRampToValueAtTime((pitch ?? 1) * 0.6, start + (at ?? 0) + 0.11);
    gain.gain.setValueAtTime(0.0001, start + (at ?? 0));
    gain.gain.exponentialRampToValueAtTime(0.22, start + (at ?? 0) + 0.008);
    gain.gain.exponentialRampToValueAtTime(0.0001, start + (at ?? 0) + 0.13);
    tone.connect(gain).connect(audio.destination);
    tone.start(start + (at ?? 0));
    tone.stop(start + (at ?? 0) + 0.15);
  }
}

/** It is my turn. @param {{sound: boolean, notify: boolean}} settings @param {string} text */
export function chime(settings, text) {
  if (settings.sound) knock();
  if (settings.notify && document.hidden && 'Notification' in window && Notification.permission === 'granted') {
    const note = new Notification(text, { tag: location.pathname });
    note.addEventListener('click', () => { window.focus(); note.close(); });
  }
}

/** Show a theme. @param {string} theme */
export function showTheme(theme) {
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
}

/**
 * @param {{page: any, api: string, post: (what: string, body?: object) => Promise<{ok: boolean, data: any}>, changed: () => void}} hooks
 * @returns {() => boolean} closes what is open; true if something was
 */
export function initTools({ page, post, changed }) {
  /** @param {HTMLElement} button @param {boolean} open */
  const set = (button, open) => {
    const drawer = byId(`drawer-${button.dataset.drawer}`);
    if (!drawer) return;
    button.setAttribute('aria-expanded', String(open));
    drawer.hidden = !open;
    if (open) {
      const source = drawer.dataset.source;
      const inside = drawer.querySelector('.inside');
      if (source && inside && !drawer.dataset.loaded) {
        drawer.dataset.loaded = 'yes';
        fetch(source).then((answer) => answer.text()).then((text) => {
          const parsed = new DOMParser().parseFromString(text, 'text/html');
          inside.replaceChildren(...(parsed.querySelector('.reading') ? [/** @type {Element} */ (parsed.querySelector('.reading'))] : []));
        }, () => { delete drawer.dataset.loaded; });
      }
      if (button.dataset.drawer === 'chat') readChat();
      if (button.dataset.drawer === 'moves') showLog();
      /** @type {HTMLElement | null} */ (drawer.querySelector('[data-first]') ?? drawer.querySelector('.close'))?.focus();
    }
  };
  const buttons = () => /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('button[data-drawer]'));
  const close = () => {
    let any = false;
    for (const button of buttons()) {
      if (button.getAttribute('aria-expanded') === 'true') {
        set(button, false);
        button.focus();
        any = true;
      }
    }
    return any;
  };
  document.addEventListener('click', (event) => {
    const target = event.target instanceof Element ? event.target : null;
    const button = /** @type {HTMLElement | null} */ (target?.closest('button[data-drawer]') ?? null);
    if (button) {
      const open = button.getAttribute('aria-expanded') !== 'true';
      close();
      set(button, open);
    } else if (target?.closest('.drawer .close')) close();
  });

  // chat: what was read is counted by the page alone
  let read = Number(byId('chat')?.dataset.count ?? 0);
  const badge = () => {
    const count = Number(byId('chat')?.dataset.count ?? 0);
    const fresh = byId('drawer-chat')?.hidden === false ? 0 : count - read;
    const sign = document.querySelector("button[data-drawer='chat'] .n");
    if (sign instanceof HTMLElement) {
      sign.hidden = fresh <= 0;
      sign.textContent = String(fresh);
    }
  };
  const readChat = () => {
    read = Number(byId('chat')?.dataset.count ?? 0);
    badge();
    byId('chat')?.lastElementChild?.scrollIntoView({ block: 'end' });
  };
  const chat = byId('drawer-chat');
  if (chat) {
    new MutationObserver(() => (chat.hidden ? badge() : readChat())).observe(chat, { subtree: true, attributes: true, attributeFilter: ['data-count'] });
  }
  byId('chat-form')?.addEventListener('submit', async (event) => {
    event.preventDefault();
    const field = /** @type {HTMLInputElement} */ (/** @type {HTMLFormElement} */ (event.target).elements.namedItem('text'));
    const text = field.value.trim();
    if (!text) return;
    field.value = '';
    const { ok } = await post('chat', { text });
    if (!ok) field.value = text;
  });

  byId('settings-form')?.addEventListener('submit', (event) => event.preventDefault());
  byId('settings-form')?.addEventListener('change', async (event) => {
    const field = /** @type {HTMLInputElement} */ (event.target);
    const value = field.type === 'checkbox' ? field.checked : field.value;
    if (field.name === 'notify' && value && 'Notification' in window) {
      if ((await Notification.requestPermission()) !== 'granted') {
        field.checked = false;
        announce(page.words.refused ?? '', true);
        return;
      }
    }
    page.settings[field.name] = value;
    if (field.name === 'theme') showTheme(String(value));
    if (field.name === 'sound' && value) knock();
    changed();
    await send('/api/me', { settings: { [field.name]: value } }, 'PATCH');
  });
  return close;
}
