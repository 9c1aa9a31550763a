// The page: where the position comes from, the talk with Python, the draft, and what is said when something is wrong.
import { Screen, element, say, status } from "./screen.js";
import { RunPanel } from "./runs.js";
import { HexPanel } from "./tiles.js";

// ---- Python

const IDLE = 4_000; // milliseconds after the last request
let worker = null;
let wanted = false; // no memory is kept yet, and none is on its way
let idle = null;
let number = 0;
const waiting = new Map();

function begin() {
  if (worker) return true;
  if (typeof WebAssembly !== "object" || typeof Worker !== "function") {
    fault(say("no_wasm"));
    return false;
  }
  worker = new Worker("worker.js", { type: "module" });
  worker.onerror = (event) => fault(say("broken", { why: event.message ?? "the worker did not start" }));
  worker.onmessage = ({ data }) => {
    if (data.stage === "broken") fault(say("broken", { why: data.why }));
    else if (data.stage === "ready") ready(data.kept);
    else if (data.stage) status(say(data.stage));
    else {
      const { resolve, reject } = waiting.get(data.id);
      waiting.delete(data.id);
      if ("fault" in data) reject(new Error(data.fault));
      else resolve(JSON.parse(data.answer));
    }
  };
  return true;
}

function ask(name, given = {}) {
  const id = ++number;
  if (wanted) later();
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject });
    worker.postMessage({ id, request: JSON.stringify({ do: name, with: given }) });
  }).catch((error) => {
    fault(say("failed", { why: error.message }));
    throw error;
  });
}

function ready(kept) {
  status(say("opening"));
  wanted = !kept;
  if (wanted) later();
  navigator.serviceWorker?.register("offline.js").catch(() => {}); // without it, the page works with a network only
}

// Once, when nothing has been asked for a while, a second thread prepares the next visit.
function later() {
  clearTimeout(idle);
  idle = setTimeout(() => {
    wanted = false;
    const keeper = new Worker("worker.js", { type: "module", name: "keeper" });
    keeper.onmessage = ({ data }) => data.stage === "kept" && keeper.terminate();
  }, IDLE);
}

function fault(text, newer = false) {
  element("fault").hidden = !text;
  element("fault").firstElementChild.textContent = text;
  element("newer").hidden = !newer;
}

// ---- where a position comes from

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // cut in the middle of a sign; the check of the position tells
  }
}

// A fragment, a link with one, or the text of a position with anything around it.
function found(text) {
  const link = /[#&]p=[^\s<>"]*/.exec(text);
  if (link) {
    const fields = Object.fromEntries(text.slice(text.lastIndexOf("#", link.index + 1) + 1).split(/\s/)[0].split("&").map(
      (field) => [field.split("=")[0], decoded(field.slice(field.indexOf("=") + 1))]));
    return { position: fields.p, replyTo: fields.r ?? "", subject: fields.s ?? "", game: fields.g ?? "", decision: fields.d ?? "" };
  }
  const whole = text.trim();
  const start = whole.search(/P\d+\./);
  if (start < 0) return { position: whole, replyTo: "", subject: "", game: "", decision: "" };
  const inside = /^P\d+\.[\w.\-\s]*/.exec(whole.slice(start))[0];
  return { position: inside, replyTo: "", subject: "", game: "", decision: "" };
}

let opened = null;

async function open(source) {
  if (!begin()) return;
  fault("");
  element("bring").hidden = true;
  try {
    const answer = await ask("open", { position: source.position, reply_to: source.replyTo, subject: source.subject });
    if ("why" in answer) {
      other();
      fault(`${answer.said} (${answer.text})`, ["form", "rules", "title"].includes(answer.why));
      return;
    }
    opened = source;
    screen.refuse([]);
    hex.close();
    element("desk").hidden = false;
    element("chart-part").open = innerWidth >= 900;
    await showAll(answer.view, true);
  } catch {
    other(); // it was told why
    return;
  }
  status(say("ready"));
  await restore();
}

// Nothing is open, and another position can be brought.
function other() {
  status(say("ready"));
  element("desk").hidden = true;
  element("bring").hidden = false;
}

function fromAddress() {
  if (location.hash.includes("p=")) return open(found(location.hash));
  element("bring").hidden = false;
  element("desk").hidden = true;
  status(say("none"));
  return null;
}

// ---- the sitting

async function showAll(view, first = false) {
  screen.show(view);
  const board = await ask("board");
  const hexes = hex.show(view, board);
  if (first && hexes.length) hex.map.visit(hexes);
  await runs.show();
  element("chart").innerHTML = await ask("chart");
  const tables = element("tables");
  tables.innerHTML = await ask("tables");
  for (const chip of tables.querySelectorAll("[data-ground]")) {
    chip.style.backgroundColor = chip.dataset.ground;
    chip.style.color = chip.dataset.ink;
  }
}

async function change(name, given, told) {
  fault("");
  const answer = await ask(name, given);
  screen.refuse(answer.refused);
  if (answer.refused.length) {
    status(say("refused"));
    return;
  }
  hex.close();
  const pressed = document.activeElement;
  const shown = showAll(answer.view);
  if (!document.contains(pressed) || pressed === document.body) element("decide-head").focus({ preventScroll: true });
  status(told);
  keep(answer.view.text);
  await shown;
}

const give = (text, actor) => change("give", { text, actor }, say("given", { order: text }));
const hex = new HexPanel({ ask, give, taken: (name) => runs.tapped(name) });
const runs = new RunPanel({ ask, give, draw: (layers) => hex.map.runs(layers), visit: (hexes) => hex.map.visit(hexes) });
const screen = new Screen({
  give,
  ranged: (actor, number, value) => ask("at_value", { actor, number, value: Math.trunc(value) || 0 }),
  effect: (text, actor) => ask("effect", { text, actor }),
  prepare: (text, actor) => ask("prepare", { text, actor }),
  visit: (name, focus) => hex.open(name, focus),
});

// ---- the draft

const check = (position) => position.replace(/\s/g, "").split(".").pop();
const place = () => `railpost-desk:${opened.game && opened.decision ? `${opened.game}:${opened.decision}` : check(opened.position)}`;

function keep(text) {
  try {
    if (text) localStorage.setItem(place(), JSON.stringify({ text, when: new Date().toISOString() }));
    else localStorage.removeItem(place());
    kept(Boolean(text), text ? say("draft_kept") : "");
  } catch {
    kept(false, say("draft_none"));
  }
}

function kept(there, text) {
  element("draft-says").textContent = text;
  element("forget").hidden = !there;
}

async function restore() {
  let draft = null;
  kept(false, "");
  try {
    draft = JSON.parse(localStorage.getItem(place()));
  } catch {
    kept(false, say("draft_none"));
  }
  if (!draft?.text) return;
  const when = new Date(draft.when).toLocaleString();
  const answer = await ask("replace", { text: draft.text });
  if (answer.refused.length) {
    element("text").value = draft.text;
    screen.refuse(answer.refused);
    kept(true, say("draft_wrong", { when }));
    return;
  }
  await showAll(answer.view);
  kept(true, say("draft_back", { when }));
}

// ---- what people press

element("undo").addEventListener("click", () => change("undo", {}, say("undone")));
element("redo").addEventListener("click", () => change("redo", {}, say("redone")));
element("to-mail").addEventListener("click", () => {
  element("mail-head").scrollIntoView();
  element("mail-head").focus({ preventScroll: true });
});
element("text-form").addEventListener("submit", (event) => {
  event.preventDefault();
  change("replace", { text: element("text").value }, say("ready"));
});
element("copy").addEventListener("click", async () => {
  try {
    await navigator.clipboard.writeText(element("mail-text").value);
    status(say("copied"));
  } catch {
    element("mail-text").select();
    status(say("not_copied"));
  }
});
element("forget").addEventListener("click", () => {
  try {
    localStorage.removeItem(place());
  } catch {
    // there is no storage, and so no draft
  }
  kept(false, say("forgotten"));
});
element("bring-form").addEventListener("submit", (event) => {
  event.preventDefault();
  open(found(element("pasted").value));
});

async function read(file) {
  try {
    open(found(await file.text()));
  } catch (error) {
    fault(say("unreadable", { why: error.message }));
  }
}

element("file").addEventListener("change", ({ target }) => target.files[0] && read(target.files[0]));
document.addEventListener("dragover", (event) => event.preventDefault());
document.addEventListener("drop", (event) => {
  event.preventDefault();
  const [file] = event.dataTransfer.files;
  if (file) read(file);
  else open(found(event.dataTransfer.getData("text/plain")));
});

element("newer").addEventListener("click", async () => {
  const registration = await navigator.serviceWorker?.getRegistration();
  try {
    await registration?.update();
  } catch {
    return fault(say("offline"), true);
  }
  const next = registration?.installing ?? registration?.waiting;
  if (!next) return fault(say("no_newer"));
  navigator.serviceWorker.addEventListener("controllerchange", () => location.reload());
  const over = () => next.state === "installed" && next.postMessage("take over");
  next.addEventListener("statechange", over);
  return over();
});

window.addEventListener("hashchange", fromAddress);
fromAddress();
