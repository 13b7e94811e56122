/*
 * Keeps the page for times without a connection. The build puts the list of its files and their version here.
 *
 * Files with a hash in their name never change, so the kept copy is as good as any; the page itself is fetched anew where that
 * is possible. Nothing but the page's own files is kept, and nothing of the user's.
 */
const VERSION = '__VERSION__';
const FILES = __FILES__;
const NAME = `espalier-${VERSION}`;

self.addEventListener('install', (event) => {
  event.waitUntil(
    caches
      .open(NAME)
      .then((cache) => cache.addAll(FILES.map((file) => new Request(file, { cache: 'no-cache' }))))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener('activate', (event) => {
  const old = caches
    .keys()
    .then((names) => names.filter((name) => name.startsWith('espalier-') && name !== NAME));
  event.waitUntil(
    old
      .then((names) => Promise.all(names.map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || new URL(request.url).origin !== self.location.origin) return;
  const kept = () => caches.match(request.mode === 'navigate' ? './' : request, { ignoreSearch: true });
  if (request.mode === 'navigate')
    event.respondWith(fetch(request).catch(async () => (await kept()) ?? Response.error()));
  else event.respondWith(kept().then((found) => found ?? fetch(request)));
});
