/*
 * Keeps the files of the installed application, so that its shell starts at once. Never a document or an answer of the API: those belong to a session.
 * Shows push messages.
 */
const CACHE = 'parley-shell';
const IMMUTABLE = /^\/assets\/.+-[\w-]{8}\.\w+$/;
const FILE = /^\/assets\/[\w.-]+$/;

addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) => event.waitUntil(clients.claim()));
addEventListener('fetch', (event) => {
  const { pathname, origin } = new URL(event.request.url);
  if (event.request.method !== 'GET' || origin !== location.origin || !FILE.test(pathname)) return;
  event.respondWith(IMMUTABLE.test(pathname) ? keptOrRead(event.request) : readOrKept(event.request));
});

async function keptOrRead(request) {
  return (await caches.match(request)) ?? read(request);
}

async function readOrKept(request) {
  try {
    return await read(request);
  } catch (error) {
    const kept = await caches.match(request);
    if (kept) return kept;
    throw error;
  }
}

async function read(request) {
  const response = await fetch(request);
  if (response.ok) await (await caches.open(CACHE)).put(request, response.clone());
  return response;
}

addEventListener('push', (event) => event.waitUntil(show(event.data?.json() ?? {})));
addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(openThread(event.notification.data.path));
});

/** One notification per thread: a newer one replaces it. It makes no sound for somebody who has the thread before them. */
async function show({ title = 'Parley', body = '', phone_number: phone = '', at }) {
  const path = phone === '' ? '/dashboard/inbox' : `/dashboard/inbox/${encodeURIComponent(phone)}`;
  const isSeen = (await windows()).some(({ focused, url }) => focused && decodeURIComponent(url).endsWith(`/${phone}`));
  await registration.showNotification(title, {
    body,
    tag: phone || 'inbox',
    renotify: !isSeen,
    silent: isSeen,
    timestamp: at === undefined ? Date.now() : Date.parse(at),
    icon: '/assets/icon.svg',
    data: { path },
  });
}

/** The window shows the page itself, because loading it would interrupt a call. */
async function openThread(path) {
  const [page] = (await windows()).toSorted((one, other) => other.focused - one.focused);
  if (!page) return clients.openWindow(path);
  page.postMessage({ path });
  return page.focus();
}

/** Also those that were opened before there was a worker. */
async function windows() {
  const all = await clients.matchAll({ type: 'window', includeUncontrolled: true });
  return all.filter(({ url }) => new URL(url).pathname.startsWith('/dashboard'));
}
