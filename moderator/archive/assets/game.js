/* The page of one game: shows the position after any order. The data is a call of `railpost` in a script of its own,
   because a page that is opened from a folder may load scripts and nothing else. */
"use strict";

function railpost(data) {
  const parts = new Map();
  for (const element of document.querySelectorAll("[data-part]")) {
    const changes = data.parts[element.dataset.part];
    if (changes) parts.set(element, changes);
  }
  const boxes = [...document.querySelectorAll("svg[data-box]")];
  const shown = new Map();
  const byId = (id) => document.getElementById(id);
  const slider = byId("slider"), number = byId("number"), link = byId("link"), order = byId("order");
  const items = new Map();
  for (const item of document.querySelectorAll("#log li[id]")) {
    items.set(Number(item.id), item);
    item.removeAttribute("id"); // the fragment names a position, and the page does not jump to it
  }
  let now = null, writing = 0;

  /* Browsers bear few changes of the address in a short time: it is written once nobody steps on. */
  function address() {
    if (location.hash !== `#${now}`) history.replaceState(null, "", `#${now}`);
  }

  /* The fragment of the latest change at or before order n. */
  function fragment(changes, n) {
    let low = 0, high = changes.length / 2;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (changes[2 * middle] <= n) low = middle + 1;
      else high = middle;
    }
    return low ? changes[2 * low - 1] : 0;
  }

  function show(n) {
    n = Math.max(0, Math.min(data.orders, n));
    if (n === now) return;
    for (const [element, changes] of parts) {
      const found = fragment(changes, n);
      if (shown.get(element) !== found) {
        element.innerHTML = data.fragments[found];
        shown.set(element, found);
      }
    }
    for (const box of boxes) {
      const found = data.fragments[fragment(data.parts[box.dataset.box], n)];
      if (box.getAttribute("viewBox") !== found) box.setAttribute("viewBox", found);
    }
    if (items.has(now)) items.get(now).removeAttribute("aria-current");
    const item = items.get(n);
    order.replaceChildren(...(item ? [...item.cloneNode(true).childNodes].slice(1) : []));
    if (item) {
      item.setAttribute("aria-current", "step");
      const log = byId("log");
      log.scrollTop = item.offsetTop - log.clientHeight / 3; // the log is what offsets count from
    }
    now = n;
    slider.value = n;
    slider.setAttribute("aria-valuetext", `#${n}`);
    number.textContent = n;
    link.setAttribute("href", `#${n}`);
    document.body.dataset.order = n;
    clearTimeout(writing);
    writing = setTimeout(address, 300);
    for (const button of document.querySelectorAll("[data-go]")) {
      const back = ["first", "round-", "-"].includes(button.dataset.go);
      button.disabled = back ? n === 0 : n === data.orders;
    }
  }

  const ways = {
    "first": () => 0,
    "last": () => data.orders,
    "-": () => now - 1,
    "+": () => now + 1,
    "round-": () => data.rounds.filter((n) => n < now).pop() ?? 0,
    "round+": () => data.rounds.find((n) => n > now) ?? data.orders,
  };
  const keys = {
    "ArrowLeft": "-", "ArrowRight": "+", "Shift ArrowLeft": "round-", "Shift ArrowRight": "round+",
    "Home": "first", "End": "last",
  };
  const go = (way) => show(ways[way]());

  document.addEventListener("keydown", (event) => {
    const way = keys[(event.shiftKey ? "Shift " : "") + event.key];
    if (!way || event.altKey || event.ctrlKey || event.metaKey) return;
    const frame = event.target.closest(".frame");
    if (frame && frame.scrollWidth > frame.clientWidth) return; // there these keys move what is too wide
    event.preventDefault();
    go(way);
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-go]");
    if (button) go(button.dataset.go);
  });
  slider.addEventListener("input", () => show(Number(slider.value)));

  /* A stroke to the side over the line of the order goes one order on or back. */
  let start = null;
  const card = byId("now");
  card.addEventListener("touchstart", (event) => {
    const touch = event.changedTouches[0];
    start = event.touches.length === 1 ? { x: touch.clientX, y: touch.clientY } : null;
  }, { passive: true });
  card.addEventListener("touchend", (event) => {
    if (!start) return;
    const touch = event.changedTouches[0], x = touch.clientX - start.x, y = touch.clientY - start.y;
    if (Math.abs(x) > 40 && Math.abs(x) > 2 * Math.abs(y)) go(x < 0 ? "+" : "-");
    start = null;
  }, { passive: true });

  const zoom = byId("zoom");
  zoom.addEventListener("click", () => {
    const large = zoom.getAttribute("aria-pressed") !== "true";
    zoom.setAttribute("aria-pressed", String(large));
    byId("map").classList.toggle("large", large);
  });

  const asked = (address) => {
    const found = /#(\d+)$/.exec(address);
    return found ? Number(found[1]) : null;
  };
  window.addEventListener("hashchange", (event) => {
    const wanted = asked(event.newURL); // by now the address may have been written again
    if (wanted !== null) show(wanted);
  });
  document.documentElement.classList.add("live");
  for (const hidden of document.querySelectorAll("#steps[hidden], .tool[hidden]")) hidden.hidden = false;
  const first = asked(location.href);
  show(first ?? data.orders);
  if (first !== null) window.scrollTo(0, 0);
}
