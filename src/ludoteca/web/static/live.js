// The socket to the server. Every message is the whole view, so a socket that broke is simply opened again. Nobody tells a page that
// its network has been changed or that its computer has slept: a silent socket is asked whether the server still hears it.

const FIRST_WAIT = 400;
const LONGEST_WAIT = 15000;
const RESTARTED = 1012; // the close code of a server that ends, and is replaced
const MOST_PAGES = 250; // milliseconds over which the pages of such a server come back
const OTHER_FILES = 4426; // the close code of a server of another version than that which this page was loaded from
const FILES = new URL('.', import.meta.url).pathname;
const SILENCE = 20000; // milliseconds without a message after which the server is asked
const ANSWER = 8000; // milliseconds that it has to answer
const BEGINS = 30000; // milliseconds that a new socket has for its first message
const AGAIN = [150, 400, 900]; // milliseconds before what no server has answered is sent once more

/**
 * Keep a socket open. Returns a function that tells whether it is.
 * @param {string} path
 * @param {() => object} hello what to say first: the fragments that the page has
 * @param {(message: any, first: boolean) => void} receive `first`: of this socket
 * @param {(open: boolean) => void} changed
 * @param {() => void} refused the table is not shown any more
 * @returns {{readonly open: boolean, again(): void, say(what: object): void}}
 */
export function connect(path, hello, receive, changed, refused) {
  /** @type {WebSocket | null} */
  let socket = null;
  let wait = FIRST_WAIT;
  let timer = 0;
  let patience = 0;
  let heard = 0;

  const open = () => {
    clearTimeout(timer);
    if (socket && socket.readyState <= WebSocket.OPEN) return;
    const url = new URL(path, location.href);
    url.protocol = url.protocol.replace('http', 'ws');
    const opened = socket = new WebSocket(url);
    expect(BEGINS);
    socket.addEventListener('open', () => opened.send(JSON.stringify({ ...hello(), ...files() })));
    let first = true;
    socket.addEventListener('message', ({ data }) => {
      if (opened !== socket) return;
      expect(0);
      heard = Date.now();
      wait = FIRST_WAIT;
      changed(true);
      const message = JSON.parse(data);
      if (message.alive) return;
      receive(message, first);
      first = false;
    });
    socket.addEventListener('close', ({ code }) => { if (opened === socket) closed(code); });
  };

  /** @param {number} code */
  const closed = (code) => {
    expect(0);
    changed(false);
    if (code === 4404) return refused();
    if (code === OTHER_FILES) return anew();
    // a little chance, so that all pages of a restarted server do not come back at the same moment
    if (code === RESTARTED) timer = window.setTimeout(open, MOST_PAGES * Math.random()); // to another server, if there is one
    else {
      timer = window.setTimeout(open, wait * (0.7 + 0.6 * Math.random()));
      wait = Math.min(wait * 1.7, LONGEST_WAIT);
    }
  };

  /** A message must come within some milliseconds, or the socket is given up; 0: nothing is waited for. @param {number} within */
  const expect = (within) => {
    clearTimeout(patience);
    patience = within && window.setTimeout(() => {
      const lost = socket;
      socket = null;
      lost?.close();
      closed(0);
    }, within);
  };

  /** Open the socket, or ask the server whether it hears the one that is open. */
  const check = () => {
    if (socket?.readyState !== WebSocket.OPEN) return open();
    if (patience) return; // it is asked already
    socket.send('{"alive":true}');
    expect(ANSWER);
  };

  open();
  setInterval(() => { if (socket?.readyState === WebSocket.OPEN && Date.now() - heard >= SILENCE) check(); }, SILENCE / 4);
  addEventListener('online', check);
  document.addEventListener('visibilitychange', () => !document.hidden && check());
  return {
    get open() { return socket?.readyState === WebSocket.OPEN; },
    again: check,
    // words that are not sent while the socket is down are part of the next hello
    say: (what) => { if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(what)); else open(); },
  };
}

/** The files of this page, for the server to say whether they are its own; not where loading them anew did not help. */
function files() {
  try {
    return sessionStorage.getItem('ludoteca.files') === FILES ? {} : { files: FILES };
  } catch {
    return {}; // the browser stores nothing: a page must not be loaded again and again
  }
}

/** Load the page anew, with the scripts of the server as it is now. Of several servers one may still have the old ones. */
function anew() {
  sessionStorage.setItem('ludoteca.files', FILES);
  location.reload();
}

/**
 * Send something to the server. What answers a version can be sent again while a server is replaced: it counts once.
 * @param {string} path
 * @param {object} [body]
 * @param {string} [method]
 * @returns {Promise<{ok: boolean, status: number, data: any, again?: boolean}>} `again`: it may have come there before
 */
export async function send(path, body = {}, method = 'POST') {
  const answer = await once(path, body, method);
  if (answer.status || !('version' in body)) return answer;
  for (const wait of AGAIN) {
    if (!navigator.onLine) break;
    await new Promise((resolve) => setTimeout(resolve, wait));
    const next = await once(path, body, method);
    if (next.status) return { ...next, again: true };
  }
  return answer;
}

/**
 * Send something once. Its status is 0 if no server, or a proxy without one, has answered.
 * @param {string} path
 * @param {object} body
 * @param {string} method
 * @returns {Promise<{ok: boolean, status: number, data: any}>}
 */
async function once(path, body, method) {
  try {
    const answer = await fetch(path, {
      method,
      headers: { 'Content-Type': 'application/json', Accept: 'application/json', Prefer: 'return=minimal' },
      ...(method === 'GET' ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { ok: answer.ok, status: answer.status, data: text ? JSON.parse(text) : {} };
  } catch {
    return { ok: false, status: 0, data: {} };
  }
}
