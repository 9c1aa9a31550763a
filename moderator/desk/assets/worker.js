// Python in a thread of its own, so that the page stays at hand while it works.
import { loadPyodide } from "./pyodide/pyodide.mjs";

const tell = (stage) => postMessage({ stage });

async function start() {
  tell("loading");
  const archive = fetch("app.zip").then((found) => {
    if (!found.ok) throw new Error(`app.zip: ${found.status}`);
    return found.arrayBuffer();
  });
  archive.catch(() => {}); // it is told when it is waited for
  const python = await loadPyodide({ indexURL: new URL("./pyodide/", self.location.href).href });
  tell("rules");
  python.unpackArchive(await archive, "zip", { extractDir: "/app" });
  python.runPython("import sys; sys.path.insert(0, '/app')");
  const answer = python.pyimport("moderator.desk.talk").answer;
  tell("ready");
  return answer;
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
  } catch (error) {
    postMessage({ id, fault: plain(error) });
  }
};
