// Python in a thread of its own, so that the page stays at hand while it works. A thread with the name "keeper" leaves
// the memory of an interpreter for later visits and does nothing else.
import { again, anew, forget, keep } from "./python.js";

const tell = (stage, more = {}) => postMessage({ stage, ...more });
let restored = false;

async function start() {
  tell("loading");
  const found = await again();
  restored = found !== null;
  const { answer } = found ?? await anew(tell);
  tell("ready", { kept: restored });
  return answer;
}

// The last line of an error of Python says what it is.
function plain(error) {
  const lines = String(error.message ?? error).trim().split("\n");
  return lines[lines.length - 1].slice(0, 300);
}

if (self.name === "keeper") {
  keep().then(() => tell("kept"), () => tell("kept")); // without storage, Python is begun anew each time
} else {
  const started = start();
  started.catch((error) => tell("broken", { why: plain(error) }));
  onmessage = async ({ data: { id, request } }) => {
    try {
      const answer = await started;
      postMessage({ id, answer: answer(request) });
    } catch (error) {
      if (restored) await forget(); // the page is loaded again without it
      postMessage({ id, fault: plain(error) });
    }
  };
}
