// Python in a thread of its own, so that the page stays at hand while it works.
import { loadPyodide } from "./pyodide/pyodide.mjs";

const COMPILED = `railpost-compiled-${"VERSION"}`; // not among the files that offline.js keeps
const IDLE = 4_000; // milliseconds after the last request
const SETUP = `
import os, sys
sys.path.insert(0, "/app")
sys.dont_write_bytecode = False
for folder, _, names in os.walk("/app"):
    for name in names:
        os.utime(os.path.join(folder, name), (1, 1))  # compiled modules name the time of their source
`;
const PACK = `
import os, zipfile
with zipfile.ZipFile("/tmp/compiled.zip", "w") as target:
    for folder, _, names in os.walk("/app"):
        for name in names if folder.endswith("__pycache__") else ():
            path = os.path.join(folder, name)
            target.write(path, os.path.relpath(path, "/app"))
`;

const tell = (stage) => postMessage({ stage });
let python = null;
let keeping = null;
let kept = false; // once for each window: another title may have come

async function start() {
  tell("loading");
  const archive = fetch("app.zip").then((found) => {
    if (!found.ok) throw new Error(`app.zip: ${found.status}`);
    return found.arrayBuffer();
  });
  archive.catch(() => {}); // it is told when it is waited for
  const earlier = compiled();
  python = await loadPyodide({ indexURL: new URL("./pyodide/", self.location.href).href });
  tell("rules");
  python.unpackArchive(await archive, "zip", { extractDir: "/app" });
  python.runPython(SETUP);
  const modules = await earlier;
  if (modules) python.unpackArchive(modules, "zip", { extractDir: "/app" });
  const answer = python.pyimport("moderator.desk.talk").answer;
  tell("ready");
  return answer;
}

// The modules as compiled at an earlier visit: half of the time that loading the rules takes. Without storage they are
// compiled each time.
async function compiled() {
  try {
    const found = await (await caches.open(COMPILED)).match("compiled.zip");
    return found ? await found.arrayBuffer() : null;
  } catch {
    return null;
  }
}

async function keep() {
  kept = true;
  try {
    python.runPython(PACK);
    await (await caches.open(COMPILED)).put("compiled.zip", new Response(python.FS.readFile("/tmp/compiled.zip")));
    const old = (await caches.keys()).filter((name) => name.startsWith("railpost-compiled-") && name !== COMPILED);
    await Promise.all(old.map((name) => caches.delete(name)));
  } catch {
    // without storage they are compiled each time
  }
}

const started = start();
started.catch((error) => postMessage({ stage: "broken", why: plain(error) }));

// The last line of an error of Python says what it is.
function plain(error) {
  const lines = String(error.message ?? error).trim().split("\n");
  return lines[lines.length - 1].slice(0, 300);
}

onmessage = async ({ data: { id, request } }) => {
  try {
    const answer = await started;
    postMessage({ id, answer: answer(request) });
    if (kept) return;
    clearTimeout(keeping);
    keeping = setTimeout(keep, IDLE);
  } catch (error) {
    postMessage({ id, fault: plain(error) });
  }
};
