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
  if (show) toast(text);
}

/** Show something to everybody for a moment, longer if it is longer. @param {string} text */
export function toast(text) {
  const element = byId('toast');
  if (!text || !element) return;
  element.textContent = text;
  element.classList.add('on');
  clearTimeout(toastTimer);
  toastTimer = window.setTimeout(() => element.classList.remove('on'), 2200 + 45 * text.length);
}

/** Notify somebody who looks elsewhere that it is their turn. @param {string} text the title of the page: it reveals no more */
export async function notify(text) {
  if (!document.hidden || !('Notification' in window) || Notification.permission !== 'granted') return;
  const options = { tag: location.pathname, data: location.pathname };
  const worker = await navigator.serviceWorker?.getRegistration();
  if (worker) return worker.showNotification(text, options); // phones know no other way
  const note = new Notification(text, options);
  note.addEventListener('click', () => { window.focus(); note.close(); });
}

/**
 * Let something be heard and felt by those who asked for it; its module is loaded for nobody else.
 * @param {{sound: boolean, haptics: boolean}} settings
 * @param {(signals: typeof import('./signals.js')) => void} what
 */
export function signal(settings, what) {
  if (settings.sound || settings.haptics) void import('./signals.js').then(what, () => {}); // without network nothing is heard
}

/** Turn to the chapter of the rules that is about what is chosen now, if there is one. @param {Element} rules */
function turnTo(rules) {
  const { chapter } = byId('prompt')?.dataset ?? {};
  if (chapter) rules.querySelector(`[id="${CSS.escape(chapter)}"]`)?.scrollIntoView({ block: 'start' });
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
    button.ariaExpanded = String(open);
    drawer.hidden = !open;
    if (open) {
      const source = drawer.dataset.source;
      const inside = drawer.querySelector('.inside');
      if (source && inside && !drawer.dataset.loaded) {
        drawer.dataset.loaded = 'yes';
        fetch(source).then((answer) => answer.text()).then((text) => {
          const reading = new DOMParser().parseFromString(text, 'text/html').querySelector('.reading');
          if (!reading) throw new Error(source); // a refusal, or the page of a proxy without a server
          // links to other pages open beside the table
          for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (reading.querySelectorAll("a:not([href^='#'])"))) link.target = '_blank';
          inside.replaceChildren(reading);
          turnTo(inside);
        }).catch(() => {
          delete drawer.dataset.loaded;
          inside.textContent = page.words.offline ?? '';
        });
      }
      else if (source && inside) turnTo(inside);
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
  let heard = read;
  if (chat) {
    new MutationObserver(() => {
      const count = Number(byId('chat')?.dataset.count ?? 0);
      if (count > heard) announce([...byId('chat')?.lastElementChild?.lastElementChild?.childNodes ?? []].map((part) => part.textContent).join(': ')); // who: what
      heard = count;
      if (chat.hidden) badge();
      else readChat();
    }).observe(chat, { subtree: true, attributes: true, attributeFilter: ['data-count'] });
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
    if (field.name === 'notify' && value) {
      if (!('Notification' in window) || (await Notification.requestPermission()) !== 'granted') {
        field.checked = false;
        announce(page.words.refused ?? '', true);
        return;
      }
    }
    const before = page.settings[field.name];
    /** @param {typeof before} one */
    const show = (one) => {
      page.settings[field.name] = one;
      if (field.name === 'theme') showTheme(String(one));
      if (field.name === 'sound') document.querySelector("[data-act='sound']")?.setAttribute('aria-pressed', String(one));
      changed();
    };
    show(value);
    const sample = /** @type {{sound: boolean, haptics: boolean}} */ (/** @type {unknown} */ ({ [field.name]: value }));
    signal(sample, (signals) => signals.calls(sample, 'turn'));
    const { ok, data } = await send('/api/me', { settings: { [field.name]: value } }, 'PATCH');
    if (!ok) { // it would be gone at the next visit
      show(before);
      if (field.type === 'checkbox') field.checked = Boolean(before);
      else /** @type {RadioNodeList} */ (field.form?.elements.namedItem(field.name)).value = String(before); // all buttons of the choice
      announce(data.detail ?? page.words.offline ?? '', true);
    }
  });
  return close;
}
