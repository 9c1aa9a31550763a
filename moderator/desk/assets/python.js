// Python with the rules: begun anew, or with the memory of an interpreter that an earlier visit has left.
import create from "./pyodide/pyodide.asm.mjs";
import { loadPyodide } from "./pyodide/pyodide.mjs";

const MEMORY = `railpost-memory-${"VERSION"}`; // not among the files that offline.js keeps
const HOME = self.RAILPOST_HOME ?? new URL("./pyodide/", self.location.href).href; // the page in one file has its own
const FOLDER = "/app";
const SETUP = `
import sys
sys.path.insert(0, "${FOLDER}")
sys.dont_write_bytecode = True
`;

const talk = (python) => python.pyimport("moderator.desk.talk").answer;

export async function anew(tell = () => {}, options = {}) {
  tell("loading");
  const archive = fetch("app.zip").then((found) => {
    if (!found.ok) throw new Error(`app.zip: ${found.status}`);
    return found.arrayBuffer();
  });
  archive.catch(() => {}); // it is told when it is waited for
  const python = await loadPyodide({ indexURL: HOME, createPyodideModule: create, ...options });
  tell("rules");
  python.unpackArchive(await archive, "zip", { extractDir: FOLDER });
  python.runPython(SETUP);
  return { python, answer: talk(python) };
}

// ---- the memory

// Null if no visit has left any, or if it does not fit.
export async function again() {
  try {
    const cache = await caches.open(MEMORY);
    const [memory, files] = await Promise.all(["memory", "files"].map((name) => cache.match(name)));
    if (!memory || !files) return null;
    const content = memory.arrayBuffer();
    // The module's memory is made small and does not grow by itself to what is put into it.
    const createPyodideModule = async (settings) => {
      const module = await create(settings);
      module.growMemory((await content).byteLength);
      return module;
    };
    const python = await loadPyodide({ indexURL: HOME, _loadSnapshot: content, createPyodideModule });
    unpack(python.FS, new Uint8Array(await files.arrayBuffer()));
    return { python, answer: talk(python) };
  } catch {
    await forget();
    return null;
  }
}

// A second interpreter is begun for it, in which no position of a player ever was.
export async function keep() {
  const cache = await caches.open(MEMORY);
  const { python, answer } = await anew(undefined, { _makeSnapshot: true });
  answer(JSON.stringify({ do: "warm" }));
  answer.destroy();
  python.runPython("import gc; gc.collect()");
  const memory = python.makeMemorySnapshot();
  await cache.put("files", new Response(packed(python.FS)));
  await cache.put("memory", new Response(memory));
  const old = (await caches.keys()).filter((name) => /^railpost-(memory|compiled)-/.test(name) && name !== MEMORY);
  await Promise.all(old.map((name) => caches.delete(name)));
}

export async function forget() {
  try {
    await caches.delete(MEMORY);
  } catch {
    // without storage there is none
  }
}

// ---- files, which are not in the memory: their names and lengths as JSON, a line break, and their contents

function packed(files) {
  const found = [];
  const walk = (folder) => {
    for (const name of files.readdir(folder).filter((name) => !name.startsWith("."))) {
      const path = `${folder}/${name}`;
      if (files.isDir(files.stat(path).mode)) walk(path);
      else found.push([path, files.readFile(path)]);
    }
  };
  walk(FOLDER);
  return new Blob([JSON.stringify(found.map(([path, content]) => [path, content.length])), "\n", ...found.map(([, content]) => content)]);
}

function unpack(files, data) {
  let at = data.indexOf(10) + 1;
  let last = "";
  for (const [path, length] of JSON.parse(new TextDecoder().decode(data.subarray(0, at)))) {
    const folder = path.slice(0, path.lastIndexOf("/"));
    if (folder !== last) files.mkdirTree(folder);
    last = folder;
    files.writeFile(path, data.subarray(at, at + length), { canOwn: true });
    at += length;
  }
}
