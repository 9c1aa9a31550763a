"""The fingerprint of a title's rules: a digest of the code and data that they are made of.

It is the same wherever the same rules run, whatever the version of Python; comments, docstrings and layout do not
count. It tells that something was changed, not that a game is played otherwise: for that there is the digest of the
position (``engine.core.description``).
"""

from __future__ import annotations

import ast
import hashlib
import json
import re
import tomllib
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

ENGINE: Final = Path(__file__).parents[1]
SHARED: Final = ("acts", "board", "core", "facts", "finance", "holders", "routes", "shares", "steps")
"""Folders of the engine that the rules of every title use, beside the files directly in ``titles``."""
LEFT_OUT: Final = frozenset({
    "arguments.py",  # how mistakes of a program are named
    "order_kinds.py",  # which question an order answers
    "input_checks.py", "order_list.py", "shapes.py", "snapshot.py",  # how a game is kept
    "description.py", "descriptions.py",  # how a position is described
    "drawing.py", "picture_methods.py",  # how one is drawn
    "changelog.py", "changes.toml", "fingerprint.py", "fingerprint.txt",  # what is said about the rules
    "registry.py",  # which titles there are
    "defaults.py",  # what is done for silent players
})  # fmt: skip
"""Files that decide nothing in a game, in whatever folder."""
_FAMILY: Final = re.compile(r"^from engine\.families(?:\.| import )(\w+)", re.MULTILINE)
_IGNORED: Final = frozenset({"ctx", "kind", "type_comment"})
"""Fields of syntax trees that follow from others or from comments."""


@lru_cache(maxsize=16)
def fingerprint(title: str, engine: Path = ENGINE) -> str:
    """SHA-256 of the rules of the title in the folder ``titles/<title>`` of ``engine``. ``OSError`` where a file cannot
    be read, ``ValueError`` or ``SyntaxError`` where one does not hold."""
    found = hashlib.sha256()
    for path in _files(title, engine):
        found.update(f"{path.relative_to(engine).as_posix()} {_content(path)}\n".encode())
    return found.hexdigest()


def families(title: str, engine: Path = ENGINE) -> frozenset[str]:
    """The families in ``families`` whose code the title in the folder ``titles/<title>`` of ``engine`` imports."""
    files = (engine / "titles" / title).rglob("*.py")
    return frozenset(name for path in files for name in _FAMILY.findall(path.read_text(encoding="utf-8")))


def _files(title: str, engine: Path) -> Iterator[Path]:
    titles = engine / "titles"
    found = [path for folder in SHARED for path in (engine / folder).rglob("*.py")]
    own = [titles / title, *(engine / "families" / family for family in families(title, engine))]
    found += [path for folder in own for path in folder.rglob("*") if path.suffix in (".py", ".json", ".toml")]
    found += titles.glob("*.py")
    return (p for p in sorted(found) if p.name not in LEFT_OUT)


@lru_cache(maxsize=512)
def _content(path: Path) -> str:
    """Digest of what a file means."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        words: list[str] = []
        _spell(ast.parse(text), words)
        meant = "\0".join(words)
    else:
        meant = json.dumps(json.loads(text) if path.suffix == ".json" else tomllib.loads(text), sort_keys=True)
    return hashlib.sha256(meant.encode()).hexdigest()


def _spell(value: Any, words: list[str]) -> None:
    """A syntax tree as a row of words. What is empty is left out, because Python's versions differ in that."""
    if isinstance(value, ast.AST):
        words.append(type(value).__name__)
        for name in value._fields:
            inner = getattr(value, name, None)
            if inner is not None and inner != [] and name not in _IGNORED:
                words.append(name)
                _spell(inner, words)
        words.append(")")
    elif isinstance(value, list):
        for each in value:
            if not _is_text(each):
                _spell(each, words)
        words.append("]")
    else:
        words.append(repr(value))


def _is_text(statement: Any) -> bool:
    """True if a statement is a text alone: a docstring, of whatever it is."""
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )
