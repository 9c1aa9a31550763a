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
  const begun = data.rounds.map(([before]) => before);
  const items = new Map();
  for (const item of document.querySelectorAll("#log li[id]")) {
    items.set(Number(item.id), item);
    item.querySelector("a").tabIndex = -1; // one tab stop for all orders: the one that is shown
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
      log.scrollTop = item.offsetTop - log.clientHeight / 3; // the log is what offsets count from
    }
    const before = now;
    now = n;
    slider.value = n;
    slider.setAttribute("aria-valuetext", `#${n}, ${byId("where").querySelector("[data-part]").textContent}`);
    reach(before, n);
    follow();
    graphs();
    marked();
    number.textContent = n;
    link.setAttribute("href", `#${n}`);
    tried();
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
    "round-": () => begun.filter((n) => n < now).pop() ?? 0,
    "round+": () => begun.find((n) => n > now) ?? data.orders,
  };
  const keys = {
    "ArrowLeft": "-", "ArrowRight": "+", "Shift ArrowLeft": "round-", "Shift ArrowRight": "round+",
    "Home": "first", "End": "last",
  };
  const go = (way) => show(ways[way]());

  /* ---- the desk: its positions are loaded when somebody is about to go there ---- */

  const desk = byId("desk");
  let texts = null;

  function tried() {
    if (desk && texts) desk.href = `${desk.href.split("#")[0]}#p=${texts[now]}`;
  }

  let wanted = false;
  window.railpostPositions = (found) => {
    texts = found;
    tried();
    if (wanted) location.assign(desk.href);
  };
  const load = () => document.head.append(Object.assign(document.createElement("script"), { src: desk.dataset.positions }));
  desk?.addEventListener("pointerenter", load, { once: true });
  desk?.addEventListener("focus", load, { once: true });
  desk?.addEventListener("click", (event) => {
    wanted = !texts && !event.ctrlKey && !event.metaKey && !event.shiftKey;
    if (!texts) event.preventDefault();
  });

  /* ---- the list of orders: one tab stop, the order that is shown ---- */

  const log = byId("log");
  const numberOf = (n) => items.get(n)?.querySelector("a");

  function reach(before, n) {
    const old = numberOf(before), link = numberOf(n);
    const focused = old && old === document.activeElement;
    if (old) old.tabIndex = -1;
    if (link) link.tabIndex = 0;
    if (focused) (link ?? log).focus({ preventScroll: true });
  }

  /* ---- keys and buttons ---- */

  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "Escape") return stop();
    if (event.target.closest("select, input:not(#slider)")) return; // there keys have meanings of their own
    const upright = { "ArrowUp": "-", "ArrowDown": "+" }[event.key];
    const way = event.target.closest("#log a") && upright || keys[(event.shiftKey ? "Shift " : "") + event.key];
    if (!way) return;
    const frame = event.target.closest(".frame");
    if (frame && frame.scrollWidth > frame.clientWidth) return; // there these keys move what is too wide
    event.preventDefault();
    stop();
    go(way);
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-go]");
    if (button) {
      stop();
      go(button.dataset.go);
    }
  });
  slider.addEventListener("input", () => {
    stop();
    show(Number(slider.value));
  });

  /* ---- playing: only once somebody asks for it ---- */

  const play = byId("play"), speed = byId("speed"), calm = matchMedia("(prefers-reduced-motion: reduce)");
  let playing = 0;

  function stop() {
    clearTimeout(playing);
    playing = 0;
    play.classList.remove("playing");
    play.lastElementChild.textContent = "Play";
    order.setAttribute("aria-live", "polite");
  }
  function next() {
    if (now === data.orders) return stop();
    show(now + 1);
    playing = setTimeout(next, Number(speed.value));
  }
  function begin() {
    if (now === data.orders) show(0);
    play.classList.add("playing");
    play.lastElementChild.textContent = "Pause";
    order.setAttribute("aria-live", "off"); // nobody can listen as fast as that
    playing = setTimeout(next, Number(speed.value));
  }
  function calmly() {
    stop();
    for (const option of speed.options) option.disabled = calm.matches && Number(option.value) < 2000;
    if (speed.selectedOptions[0]?.disabled ?? true) speed.value = speed.options[0].value;
  }
  play.addEventListener("click", () => (playing ? stop() : begin()));
  calm.addEventListener("change", calmly);
  document.addEventListener("visibilitychange", () => document.hidden && stop());
  calmly();

  /* ---- the orders of a company or a hex ---- */

  const spot = byId("spot"), found = byId("found");
  const spots = [...byId("spots").options].map((option) => [option.value, option.textContent]);

  function idOf(text) {
    const wanted = text.trim().toLowerCase();
    const fits = (name) => name.toLowerCase() === wanted;
    const begins = (name) => name.toLowerCase().startsWith(wanted);
    return wanted && (spots.find(([id]) => fits(id)) ?? spots.find(([, name]) => fits(name))
      ?? spots.find(([, name]) => begins(name)))?.[0];
  }
  const hexesOf = (item) => (item.dataset.hexes ?? "").split(" ");

  /* The orders that changed the hex, or that the company gave or was named in. */
  function ordersOf(id) {
    const names = (item) => hexesOf(item).includes(id) || item.querySelector("b").textContent === id
      || item.querySelector("code").textContent.split(/[\s;:,]+/).includes(id);
    return [...items].filter(([, item]) => names(item)).map(([n]) => n);
  }
  /* Marks what was asked for, as it is redrawn with each position, and says where the position is among its orders. */
  function marked(going = "") {
    const id = idOf(spot.value);
    for (const old of document.querySelectorAll(".spot")) old.classList.remove("spot");
    if (!id) {
      found.textContent = spot.value.trim() ? "no company or hex of that name" : "";
      return;
    }
    const orders = ordersOf(id);
    const to = going === "later" ? orders.find((n) => n > now) : orders.filter((n) => n < now).pop();
    if (going && to !== undefined) return show(to); // which marks it
    document.querySelector(`[data-part="map.hexes.${CSS.escape(id)}"]`)?.classList.add("spot");
    document.querySelector(`#holdings th[data-name="${CSS.escape(id)}"]`)?.closest("tr").classList.add("spot");
    const count = orders.filter((n) => n <= now).length;
    found.textContent = going && orders.length ? `${id}: no ${going} order` : `${id}: ${count} of ${orders.length}`;
  }
  function look(going) {
    stop();
    marked(going);
    if (large()) centre();
  }
  byId("tools").addEventListener("submit", (event) => {
    event.preventDefault();
    look("later");
  });
  byId("earlier").addEventListener("click", () => look("earlier"));
  spot.addEventListener("input", () => marked());
  spot.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !event.shiftKey) return;
    event.preventDefault();
    look("earlier");
  });

  /* ---- graphs: the position that is shown, and what each line is worth there ---- */

  const drawn = [...document.querySelectorAll("[data-graph]")].map((figure) => {
    const svg = figure.querySelector("svg"), make = (name) => document.createElementNS(svg.namespaceURI, name);
    const [left, top, right, low] = figure.dataset.plot.split(" ").map(Number);
    const veil = make("rect"), line = make("path");
    for (const [key, value] of Object.entries({ y: top, height: low - top, fill: "#ffffff", opacity: 0.75 })) {
      veil.setAttribute(key, value);
    }
    line.setAttribute("stroke", "#000000");
    line.setAttribute("stroke-width", 2);
    line.setAttribute("class", "cursor");
    svg.append(veil, line);
    const paths = [...svg.querySelectorAll(".lines > path")], names = [...figure.querySelectorAll("[data-line]")];
    return { figure, veil, line, paths, names, left, top, right, low };
  });

  /* How many rounds have passed, with the part of the present one. */
  function passed(n) {
    const at = Math.max(0, begun.filter((before) => before < n).length - 1);
    const from = begun[at] ?? 0, to = begun[at + 1] ?? data.orders;
    return at + (to > from ? (n - from) / (to - from) : 1);
  }
  function graphs() {
    const rounds = passed(now);
    for (const { figure, veil, line, paths, names, left, top, right, low } of drawn) {
      const along = rounds < 1 ? rounds / 2 : rounds - 0.5; // a line begins in the middle of the first round
      const x = left + (right - left) * along / Math.max(1, begun.length);
      veil.setAttribute("x", x);
      veil.setAttribute("width", Math.max(0, right - x));
      line.setAttribute("d", `M${x} ${top}V${low}`);
      const { table, graph } = figure.dataset;
      names.forEach((name, at) => {
        const row = document.querySelector(`[data-part^="${table}."] > th[data-name="${CSS.escape(name.dataset.line)}"]`);
        const value = row?.parentElement.querySelector(`[data-${graph}] > span`)?.textContent ?? "";
        name.hidden = !value;
        name.querySelector("b").textContent = value;
        paths[at].setAttribute("opacity", value ? 1 : 0.25);
      });
    }
  }

  /* ---- rounds as marks on the slider ---- */

  const strip = byId("marks");
  function mark(n, word, tall) {
    const x = `${100 * n / Math.max(1, data.orders)}%`;
    const line = document.createElementNS(strip.namespaceURI, "line");
    for (const [key, value] of Object.entries({ x1: x, x2: x, y1: 0, y2: tall ? 8 : 4 })) line.setAttribute(key, value);
    strip.append(line);
    if (!tall) return;
    const text = document.createElementNS(strip.namespaceURI, "text");
    for (const [key, value] of Object.entries({ x, y: 18 })) text.setAttribute(key, value);
    text.textContent = word;
    strip.append(text);
  }
  function room() {
    let clear = -Infinity;
    const edge = strip.getBoundingClientRect().right;
    for (const text of strip.querySelectorAll("text")) {
      text.style.display = "";
      const { left, right } = text.getBoundingClientRect();
      if (left < clear + 4 || right > edge + 8) text.style.display = "none";
      else clear = right;
    }
  }
  const usual = data.rounds.some(([, , kind]) => kind === "SR") ? "SR" : data.rounds[0]?.[2];
  for (const [before, word, kind] of data.rounds) mark(before, word, kind === usual);
  window.addEventListener("resize", room);

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

  /* ---- the larger map, with the hexes of the order in its middle ---- */

  const zoom = byId("zoom"), map = byId("map"), view = map.querySelector(".frame");
  const large = () => zoom.getAttribute("aria-pressed") === "true";

  /* The hexes of the order, or of the latest order before it that had any; first those that were asked for. */
  function middle() {
    const chosen = map.querySelector(".spot");
    if (chosen) return [chosen];
    const filled = (start) => [...map.querySelectorAll(`[data-part^="${start}"]`)].filter((part) => part.firstChild);
    const found = [...filled("map.runs."), ...filled("map.changes.")];
    if (found.length) return found;
    const latest = [...items].filter(([n, item]) => n <= now && item.dataset.hexes).pop();
    return latest ? hexesOf(latest[1]).map((hex) => map.querySelector(`[data-part="map.hexes.${CSS.escape(hex)}"]`)) : [];
  }
  function centre() {
    const boxes = middle().map((element) => element.getBoundingClientRect()), edge = view.getBoundingClientRect();
    if (!boxes.length) return;
    const left = Math.min(...boxes.map((box) => box.left)), right = Math.max(...boxes.map((box) => box.right));
    const top = Math.min(...boxes.map((box) => box.top)), low = Math.max(...boxes.map((box) => box.bottom));
    view.scrollLeft += (left + right) / 2 - edge.left - view.clientWidth / 2;
    view.scrollTop += (top + low) / 2 - edge.top - view.clientHeight / 2;
  }
  function follow() {
    if (large()) centre();
  }
  zoom.addEventListener("click", () => {
    zoom.setAttribute("aria-pressed", String(!large()));
    map.classList.toggle("large", large());
    follow();
  });

  const asked = (address) => {
    const found = /#(\d+)$/.exec(address);
    return found ? Number(found[1]) : null;
  };
  window.addEventListener("hashchange", (event) => {
    const wanted = asked(event.newURL); // by now the address may have been written again
    if (wanted === null) return;
    stop();
    show(wanted);
  });
  document.documentElement.classList.add("live");
  for (const hidden of document.querySelectorAll("#steps[hidden], #tools[hidden], .tool[hidden]")) hidden.hidden = false;
  const first = asked(location.href);
  show(first ?? data.orders);
  room();
  if (first !== null) window.scrollTo(0, 0);
}
