/* Keeps the files of the installed application, so that its shell starts at once. Never a document or an answer of the API: those belong to a session. */
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
