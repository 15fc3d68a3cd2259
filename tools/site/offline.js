// Keeps the files of a static page for when there is no network: those of the page at once, others when
// they are loaded.
const CACHE = "pasgl";

self.addEventListener("install", (event) => event.waitUntil(keepAll()));
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  if (event.request.method === "GET") event.respondWith(answer(event.request));
});

async function keepAll() {
  const files = await (await fetch("files.json")).json();
  await (await caches.open(CACHE)).addAll(files);
  await self.skipWaiting();
}

// What the network says comes first: files of different versions are never mixed.
async function answer(request) {
  const cache = await caches.open(CACHE);
  try {
    const fresh = await fetch(request);
    if (fresh.ok) await cache.put(request, fresh.clone());
    return fresh;
  } catch (error) {
    const kept = await cache.match(request, { ignoreSearch: true });
    if (!kept) throw error;
    return kept;
  }
}
