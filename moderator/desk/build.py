"""Build the page on which a player tries his turn in his browser: a folder that any web server can host."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import tarfile
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Final

import engine
from moderator.desk.one_file import NAME, one_file
from moderator.desk.parts import NotBuilt, archive, licences, own_facts
from moderator.words.texts import words

PYODIDE: Final = "314.0.7"
"""The version of Pyodide: CPython for browsers."""
PYODIDE_SHA512: Final = "0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="
"""SHA-512 of its package, as npm's registry gives it under ``dist.integrity``."""
FETCH: Final = f"npm pack pyodide@{PYODIDE}"
"""The command that fetches the package."""
_RUNTIME: Final = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
_ASSETS: Final = ("desk.js", "screen.js", "tiles.js", "runs.js", "map.js", "desk.css", "worker.js", "python.js")
_WRITTEN: Final = ".railpost-desk"
"""The file that marks a folder as one that this program has written: the digest of the build, and its files."""


def build(folder: Path, package: Path, facts: Sequence[Path] = ()) -> int:
    """Write the page into ``folder``, from the file of Pyodide's package and with corrected ``facts``, and remove what
    an earlier version wrote beside it. Returns the number of bytes. ``NotBuilt`` says what is wrong."""
    if folder.exists() and not folder.is_dir():
        raise NotBuilt(f"{folder} is no folder")
    if folder.is_dir() and any(folder.iterdir()) and not (folder / _WRITTEN).is_file():
        raise NotBuilt(f"{folder} has other files in it: name an empty folder, or one that this command has written")
    found = _files(package, own_facts(facts))
    before = _earlier(folder)
    for name, content in found.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    for name in before - found.keys():
        (folder / name).unlink(missing_ok=True)
    return sum(map(len, found.values()))


def _earlier(folder: Path) -> set[str]:
    """The files that an earlier build has written; a host's own files beside them are none of its."""
    mark = folder / _WRITTEN
    names = mark.read_text(encoding="utf-8").splitlines()[1:] if mark.is_file() else []
    return {name for name in names if not Path(name).is_absolute() and ".." not in Path(name).parts}


def _files(package: Path, facts: Sequence[str]) -> dict[str, bytes]:
    found = {f"pyodide/{name}": content for name, content in _runtime(package).items()}
    found |= {name: _asset(name) for name in _ASSETS}
    found["app.zip"] = archive(facts)
    found["licences.txt"] = (_PYODIDE_LICENCE + "\n" + licences()).encode()
    found["index.html"] = _page().encode()
    kept = sorted(found)
    digest = hashlib.sha256(b"".join(hashlib.sha256(found[name]).digest() for name in kept)).hexdigest()[:16]
    named = json.dumps(digest).encode()
    found["python.js"] = found["python.js"].replace(b'"VERSION"', named)
    offline = _asset("offline.js").replace(b'"VERSION"', named)
    found[NAME] = one_file(_page(), _asset("one_file.js").decode(), found)
    found["offline.js"] = offline.replace(b'"FILES"', json.dumps(kept).encode())
    found[_WRITTEN] = "\n".join((digest, *sorted(found), "")).encode()
    return found


_PYODIDE_LICENCE: Final = f"""==== Pyodide {PYODIDE} (folder pyodide)

Pyodide is under the Mozilla Public License 2.0, https://www.mozilla.org/MPL/2.0/. Its source is at
https://github.com/pyodide/pyodide/tree/{PYODIDE}. It contains CPython, under the PSF License Agreement,
https://docs.python.org/3/license.html.
"""


def _runtime(package: Path) -> dict[str, bytes]:
    """The files of Pyodide that the page needs, from its package, whose hash must be the known one."""
    where = f"Fetch it with `{FETCH}`, which writes pyodide-{PYODIDE}.tgz here, and name that file."
    try:
        data = package.read_bytes()
    except OSError as error:
        raise NotBuilt(f"Pyodide's package {package} cannot be read: {error.strerror}. {where}") from error
    if base64.b64encode(hashlib.sha512(data).digest()).decode() != PYODIDE_SHA512:
        raise NotBuilt(f"{package} is not the package of Pyodide {PYODIDE}: its SHA-512 is another. {where}")
    with tarfile.open(fileobj=io.BytesIO(data)) as tar:
        return {name: _member(tar, f"package/{name}") for name in _RUNTIME}


def _member(tar: tarfile.TarFile, name: str) -> bytes:
    file = tar.extractfile(name)
    if file is None:
        raise NotBuilt(f"Pyodide's package has no {name}")
    return file.read()


def _asset(name: str) -> bytes:
    return (files("moderator.desk") / "assets" / name).read_bytes()


def _page() -> str:
    own = words("en")
    said = {key.removeprefix("desk.page."): text for key, text in own.tables["words"].items() if "desk.page." in key}
    return own.page("desk", language="en", version=engine.__version__, said=json.dumps(said, ensure_ascii=False))
