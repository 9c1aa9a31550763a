"""Orders as people write them, and what each means: for every title, and the words of a game master.

A version collects them from what its own pages and tests write. Later ones read each again.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import engine
import grammar
from grammar.master import reading as reading_of_masters
from moderator.domain.vocabulary import vocabulary
from tools.promised.names import plain

PLAYERS: Final = ("Ann", "Bob", "Cat")
MASTER: Final = "master"
_PAGES: Final = ("docs/notation.md", "docs/joining.md", "docs/master.md", "README.md", "docs/cheatsheet-*.md")
_TESTS: Final = ("tests/grammar/*.py", "tests/kit/notation/*.py")
_REMARK: Final = re.compile(r"\s+//.*")
_LONGEST: Final = 200


def collected(checkout: Path, name: str) -> dict[str, Any]:
    """Every text of the pages and tests that is read for ``name``, a title or ``MASTER``, with its meaning."""
    found = {text: meaning(name, text) for text in sorted(set(_texts(checkout)))}
    return {text: meant for text, meant in found.items() if meant is not None}


def meaning(name: str, text: str) -> Any:
    """The meaning of ``text`` as JSON; None if anything of it cannot be read."""
    if name == MASTER:
        said = reading_of_masters.read_master(text, PLAYERS)
        return None if said.faults or not said.words else [plain(word) for _, word in said.words]
    names = vocabulary(engine.load_title(name), PLAYERS)
    reading = grammar.read(text, names, default_actor="Ann")
    if reading.errors or reading.skipped or reading.press or not (reading.orders or reading.words):
        return None
    return [*map(plain, reading.orders), *([word.kind, word.argument] for word in reading.words)]


def _texts(checkout: Path) -> Iterator[str]:
    for pattern in _PAGES:
        for path in sorted(checkout.glob(pattern)):
            page = path.read_text(encoding="utf-8")
            pieces = [*re.findall(r"`([^`\n]+)`", page), *page.splitlines()]
            yield from (text for piece in pieces if (text := _REMARK.sub("", piece).strip()))
    for pattern in _TESTS:
        for path in sorted(checkout.glob(pattern)):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) <= _LONGEST:
                    yield node.value


def changed(name: str, before: dict[str, Any]) -> Iterator[str]:
    """Each order that no longer means what it meant."""
    for text, meant in before.items():
        now = meaning(name, text)
        if now != meant:
            what = "can no longer be read" if now is None else f"means {now}, and meant {meant}"
            yield f"{name}: the order {text!r} {what}"
