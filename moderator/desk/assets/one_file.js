// The page in one file, opened from a disk: all parts stand in it, packed, and are given to whoever asks for them.
const MODULES = "MODULES"; // each after those that it imports
const BINARY = "BINARY"; // what the thread with Python loads
const urls = {};

async function unpacked(name) {
  const part = document.getElementById(`part-${name}`);
  const packed = Uint8Array.from(atob(part.textContent.trim()), (sign) => sign.charCodeAt(0));
  part.remove();
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

const kept = (name, content, type = "text/javascript") => {
  urls[name] = URL.createObjectURL(new Blob([content], { type }));
};

// Modules name each other by paths, which lead nowhere from here.
const linked = (text) => text.replace(/ from "\.\/([\w./]+)"/g, (whole, name) => ` from "${urls[name]}"`);

async function begin() {
  const parts = {};
  for (const name of BINARY) parts[name] = await unpacked(name);
  kept("worker.js", await unpacked("worker.js"));
  kept("licences.txt", await unpacked("licences.txt"), "text/plain;charset=utf-8");
  for (const name of MODULES) kept(name, linked(new TextDecoder().decode(await unpacked(name))));
  const Plain = window.Worker;
  window.Worker = class extends Plain {
    constructor(name, { name: called }) {
      super(urls[name], { name: called });
      this.postMessage(parts);
    }
  };
  document.querySelector("a[href='licences.txt']").href = urls["licences.txt"];
  await import(urls["desk.js"]);
}

begin();
