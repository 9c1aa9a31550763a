"""The part of the program that runs in a browser, as files: the rules, the notation, the words, and the libraries that
these need."""

from __future__ import annotations

import ast
import io
import json
import sys
import zipfile
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.metadata import distribution
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from engine import facts_about, load_title

START: Final = "moderator.desk.talk"
"""The module that the page calls. All that it imports goes with it."""
FACTS: Final = "moderator/desk/facts.json"
"""The file with the texts of corrected facts."""
_OWN: Final = ("engine", "grammar", "moderator", "templates")
_BY_NAME: Final = ("engine/titles", "engine/families")
"""Folders of which every module goes with it, because titles are loaded by name."""
_PAGES: Final = ("parts", "desk_tables")
"""The templates that the page fills, without those of titles and the tables of sentences, which go with it all."""
_LIBRARIES: Final = {"lark": "lark", "jinja2": "jinja2", "markupsafe": "markupsafe"}
"""Package -> its distribution. Each is pure Python, or works without its compiled part."""
_READ: Final = (".toml", ".json", ".lark", ".txt")
"""Endings of files that rules and notation read."""
_LEGAL: Final = ("LICENSE", "LICENCE", "NOTICE", "COPYING")
"""How the names of files with licences begin."""
_BLOCKS: Final = (ast.stmt, ast.excepthandler, ast.match_case)
"""The kinds of nodes that may hold an import."""
_DATE: Final = (2020, 1, 1, 0, 0, 0)
"""The date of all files, so that the same files give the same archive."""


class NotBuilt(ValueError):
    """The page cannot be built; the message says why and what to do."""


def archive(facts: Sequence[str] = ()) -> bytes:
    """``app.zip``: everything that Python needs in the browser, with the texts of corrected ``facts``."""
    found = io.BytesIO()
    kept = (FACTS, json.dumps(list(facts), ensure_ascii=False).encode())
    with zipfile.ZipFile(found, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as target:
        for name, content in sorted([*_files(), kept]):
            target.writestr(zipfile.ZipInfo(name, _DATE), content, zipfile.ZIP_DEFLATED)
    return found.getvalue()


def own_facts(paths: Sequence[Path]) -> list[str]:
    """The texts of files of corrected facts. ``NotBuilt`` for one that cannot be read or is faulty."""
    texts: list[str] = []
    for path in paths:
        try:
            text = path.read_text(encoding="utf-8")
            title, box = facts_about(text)
            load_title(title, None, box, text)
        except (OSError, ValueError) as error:
            raise NotBuilt(f"the facts in {path} cannot be used: {error}") from error
        texts.append(text)
    return texts


def licences() -> str:
    """The licences of everything in the folder but Pyodide, which names its own."""
    return "\n".join(text for name in ("railpost", *_LIBRARIES.values()) for text in _licences_of(name))


def _licences_of(name: str) -> Iterator[str]:
    found = distribution(name)
    for file in sorted(found.files or (), key=str):
        if ".dist-info" in str(file) and file.name.upper().startswith(_LEGAL):
            yield f"==== {name} {found.version}: {file.name}\n\n{file.read_text(encoding='utf-8').strip()}\n"


def _files() -> Iterator[tuple[str, bytes]]:
    """Name in the archive and content of each file."""
    seen: dict[str, Path] = {}
    outside: set[str] = set()
    waiting = [START, *_titles()]
    while waiting:
        module = waiting.pop()
        path = None if module in seen else _path(module)
        if path is None:
            continue
        seen[module] = path
        waiting += [module.rpartition(".")[0]] if "." in module else []
        for name in imported(path):
            if name.split(".")[0] in _OWN:
                waiting.append(name)
            elif name.split(".")[0] not in sys.stdlib_module_names:
                outside.add(name.split(".")[0])
    if unknown := outside - _LIBRARIES.keys():
        raise NotBuilt(f"the page would need {', '.join(sorted(unknown))}, which a browser does not have")
    files = {_name(path): path.read_bytes() for path in seen.values()}
    files |= {_name(path): path.read_bytes() for path in _data()}
    yield from files.items()
    for library in _LIBRARIES:
        folder = _folder(library)
        for path in folder.rglob("*"):
            if path.suffix in (".py", ".lark") and "__pyinstaller" not in path.parts:
                yield f"{library}/{path.relative_to(folder).as_posix()}", path.read_bytes()


def imported(path: Path) -> Iterator[str]:
    """The modules that a file imports when it is loaded, and for each ``from a import b`` both ``a`` and ``a.b``."""
    waiting: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
    own = _own_of(path)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            continue
        elif own or not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            waiting += (child for child in ast.iter_child_nodes(node) if isinstance(child, _BLOCKS))


def _own_of(path: Path) -> bool:
    """True of files of the engine and the notation: what their functions import later is needed, too."""
    return _name(path).split("/")[0] in ("engine", "grammar")


def _titles() -> Iterator[str]:
    """The modules of all titles."""
    for folder in _BY_NAME:
        for path in (_root() / folder).rglob("*.py"):
            yield _name(path).removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _data() -> Iterator[Path]:
    """The files that are read and not imported."""
    for package in ("engine", "grammar"):
        for path in (_root() / package).rglob("*"):
            if path.suffix in _READ and "site18xx" not in path.parts:
                yield path
    for path in (_root() / "templates").rglob("*"):
        of_title = path.suffix == ".j2" and path.parent.parent.parent.name == "templates"
        if path.suffix == ".toml" or path.name.split(".")[0] in _PAGES or of_title:
            yield path


def _path(module: str) -> Path | None:
    """The file of a module; None if there is none of this name, as for ``a.b`` where ``b`` is a function."""
    base = _root().joinpath(*module.split("."))
    return next((path for path in (base / "__init__.py", base.with_suffix(".py")) if path.is_file()), None)


def _name(path: Path) -> str:
    return path.relative_to(_root()).as_posix()


@cache
def _root() -> Path:
    """The folder that the four packages stand in."""
    return _folder("engine").parent


def _folder(package: str) -> Path:
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise NotBuilt(f"the package {package} is not installed")
    return Path(spec.submodule_search_locations[0])
