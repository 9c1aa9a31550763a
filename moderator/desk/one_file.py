"""The page in one file, which opens from a disk or from an attachment: no server, and nothing beside it."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
from collections.abc import Mapping
from typing import Final

from moderator.desk.parts import NotBuilt

NAME: Final = "desk.html"
_MODULES: Final = ("screen.js", "map.js", "tiles.js", "runs.js", "desk.js")
"""The modules of the page, each after those that it imports."""
_THREAD: Final = ("pyodide/pyodide.asm.mjs", "pyodide/pyodide.mjs", "python.js", "worker.js")
"""The modules of the thread with Python, in the same order. It is one script: no module can be loaded there."""
_BINARY: Final = ("pyodide/pyodide.asm.wasm", "pyodide/python_stdlib.zip", "pyodide/pyodide-lock.json", "app.zip")
_IMPORT: Final = re.compile(r'^import (?:(\w+)|(\{[^}]*\})) from "\./([\w./]+)";$', re.MULTILINE)
_FUNCTION: Final = re.compile(r"^export (async function|function|const|class) (\w+)", re.MULTILINE)
_LIST: Final = re.compile(r"export\s*\{([^}]*)\};?")
_POLICY: Final = re.compile(r'(http-equiv="Content-Security-Policy" content=")[^"]*')


def one_file(page: str, script: str, files: Mapping[str, bytes]) -> bytes:
    """The page with all its parts in it. Its policy lets in the scripts that stand in it, and nothing else."""
    style = files["desk.css"].decode()
    script = script.replace('"MODULES"', json.dumps(_MODULES)).replace('"BINARY"', json.dumps(_BINARY))
    policy = (
        f"default-src 'none'; script-src {_hash(script)} blob: 'wasm-unsafe-eval'; style-src {_hash(style)}; "
        "img-src data:; worker-src blob:; base-uri 'none'; form-action 'none'"
    )
    parts = "\n".join(
        f'<script type="text/plain" id="part-{name}">{_packed(content)}</script>'
        for name, content in {
            **{name: files[name] for name in (*_MODULES, *_BINARY, "licences.txt")},
            "worker.js": _thread(files),
        }.items()
    )
    page = _POLICY.sub(lambda found: found[1] + policy, page)
    page = _instead(page, '<link rel="stylesheet" href="desk.css">', f"<style>{style}</style>")
    page = _instead(page, '<script type="module" src="desk.js"></script>\n', "")
    return _instead(page, "</body>", f'{parts}\n<script type="module">{script}</script>\n</body>').encode()


def _thread(files: Mapping[str, bytes]) -> bytes:
    """The modules of the thread as one script: each is a function that returns what it exports."""
    wrapped = (f"MODULE[{name!r}] = (() => {{\n{_function(files[name].decode())}\n}})();" for name in _THREAD)
    return "\n".join((_RECEIVE, *wrapped)).encode()


_RECEIVE: Final = """\
const MODULE = {};
self.RAILPOST_HOME = "file:///pyodide/";
const parts = new Promise((done) => {
  self.addEventListener("message", function first(event) {
    event.stopImmediatePropagation();
    self.removeEventListener("message", first);
    done(event.data);
  });
});
self.fetch = async (url) => {
  const found = Object.entries(await parts).find(([name]) => String(url).endsWith(name));
  const type = String(url).endsWith(".wasm") ? "application/wasm" : "application/octet-stream";
  return new Response(found[1], { headers: { "Content-Type": type } });
};
"""
"""The parts that are no scripts come with the first message, and are given to whoever would fetch them."""


def _function(text: str) -> str:
    """A module as the body of a function."""
    exported: dict[str, str] = {}

    def listed(found: re.Match[str]) -> str:
        pairs = (pair.split(" as ") for pair in found[1].split(","))
        exported.update({pair[-1].strip(): pair[0].strip() for pair in pairs})
        return ""

    def named(found: re.Match[str]) -> str:
        exported[found[2]] = found[2]
        return f"{found[1]} {found[2]}"

    text = _IMPORT.sub(
        lambda found: f"const {found[1] or found[2]} = MODULE[{found[3]!r}]{'.default' * bool(found[1])};", text
    )
    text = _FUNCTION.sub(named, _LIST.sub(listed, text))
    if default := re.search(r"export default (\w+);", text):
        exported["default"] = default[1]
        text = text.replace(default[0], "")
    text = text.replace("import.meta.url", '"file:///pyodide/"')
    return f"{text}\nreturn {{ {', '.join(f'{name}: {own}' for name, own in exported.items())} }};"


def _instead(page: str, old: str, new: str) -> str:
    if page.count(old) != 1:
        raise NotBuilt(f"the page has no {old} in it, for which its content could stand")
    return page.replace(old, new)


def _packed(content: bytes) -> str:
    return base64.b64encode(gzip.compress(content, mtime=0)).decode()


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
