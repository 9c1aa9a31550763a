// Keeps the files of one version for use without a network. A newer version waits until no page uses this one.
const NAME = `railpost-desk-${"VERSION"}`;
const FILES = "FILES";

self.addEventListener("install", (event) => {
  const wanted = FILES.map((name) => new Request(name, { cache: "no-cache" }));
  event.waitUntil(caches.open(NAME).then((cache) => cache.addAll(wanted)));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    caches.keys().then((names) =>
      Promise.all(names.filter((name) => name.startsWith("railpost-desk-") && name !== NAME).map((name) => caches.delete(name)))
    )
  );
});

self.addEventListener("message", (event) => {
  if (event.data === "take over") self.skipWaiting();
});

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== self.location.origin) return;
  const path = url.pathname.endsWith("/") ? `${url.pathname}index.html` : url.pathname;
  event.respondWith(
    caches.open(NAME).then((cache) => cache.match(path)).then((found) => found ?? fetch(event.request))
  );
});
