// The service worker. It keeps the shell of the pages and the ready pictures, and nothing else: KEEP, which the server writes over
// this file, lists the exact addresses, and these answer the same to everybody. Pages, tables and answers come from the network
// alone; a page that cannot be had is one that says so.

const worker = /** @type {any} */ (self); // tsc knows the page's self only

/** @param {string} path */
const whole = (path) => new URL(path, location.origin).href;
const kept = new Set([...KEEP.shell, ...KEEP.pictures].map(whole));

/** Asked as nobody: no cookie goes out, so nothing of a person can come back. @param {string} path */
const asNobody = (path) => new Request(whole(path), { credentials: 'omit' });

worker.addEventListener('install', (/** @type {any} */ event) => event.waitUntil((async () => {
  const cache = await caches.open(KEEP.name);
  await cache.addAll([...KEEP.shell, KEEP.offline].map(asNobody));
  await worker.skipWaiting();
})()));

worker.addEventListener('activate', (/** @type {any} */ event) => event.waitUntil((async () => {
  const old = (await caches.keys()).filter((name) => name.startsWith('ludoteca-') && name !== KEEP.name);
  await Promise.all(old.map((name) => caches.delete(name)));
  await worker.clients.claim();
})()));

worker.addEventListener('fetch', (/** @type {any} */ event) => {
  const { method, mode, url } = event.request;
  if (method !== 'GET') return;
  if (mode === 'navigate') event.respondWith(page(event.request));
  else if (kept.has(url)) event.respondWith(file(url));
});

/** A page from the network, always; without it the page that says so. @param {Request} request */
async function page(request) {
  try {
    return await fetch(request);
  } catch {
    const found = await caches.match(whole(KEEP.offline), { cacheName: KEEP.name });
    return found ? new Response(found.body, { status: 503, statusText: 'Service Unavailable', headers: found.headers }) : Response.error();
  }
}

/** @param {string} url */
async function file(url) {
  const cache = await caches.open(KEEP.name);
  const found = await cache.match(url, { ignoreVary: true });
  if (found) return found;
  const answer = await fetch(asNobody(url));
  // a browser without room for it goes on without
  if (answer.ok) await cache.put(url, answer.clone()).catch(() => {});
  return answer;
}

// "it is your turn": the page of the table, or a new one
worker.addEventListener('notificationclick', (/** @type {any} */ event) => {
  const { notification } = event;
  notification.close();
  event.waitUntil((async () => {
    const open = await worker.clients.matchAll({ type: 'window' });
    const found = open.find((/** @type {any} */ page) => new URL(page.url).pathname === notification.data);
    return found ? found.focus() : worker.clients.openWindow(notification.data);
  })());
});
