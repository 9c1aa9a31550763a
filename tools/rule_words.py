"""Hold the words of refusals and questions against the code that they are for; ``tools.rule_addresses`` does it.

Words belong to the title in whose folder the code stands, or to all titles. A text that needs a fact that the code does
not give would show the key with its facts instead of a sentence.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from jinja2 import TemplateSyntaxError, meta, nodes

from moderator.words.texts import words

_ALWAYS: Final = frozenset({"title", "by", "language"})
"""Names that every text can use."""
_PARTS: Final = ("text", "short")
"""The texts that a question needs."""


@dataclass(frozen=True, slots=True)
class Found:
    """Something that names a check, a question or a rule. ``where``: file and line. ``title``: the title in whose
    folder it is; empty in shared code. ``facts``: the facts of a check; None if they cannot be read off."""

    name: str
    where: str
    title: str = ""
    facts: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class Texts:
    """The texts of one table: of all titles (``""``), and of each title with its family."""

    file: str
    by_title: Mapping[str, Mapping[str, str]]

    def of(self, title: str) -> Mapping[str, str]:
        """The texts that ``title`` uses; those of all titles if it is empty."""
        return {**self.by_title[""], **self.by_title.get(title, {})}


def read_texts(path: Path) -> Texts:
    """The table at ``path`` with the additions of the titles and families in the folders beside it."""
    own = {file.parent.name: _read(file) for file in sorted(path.parent.glob(f"*/{path.name}"))}
    for file in path.parent.glob("*/words.toml"):
        title = file.parent.name
        own[title] = own.get(_read(file).get("family", ""), {}) | own.get(title, {})
    return Texts("/".join(path.parts[-3:]), {**own, "": _read(path) if path.is_file() else {}})


def wordless_checks(checks: Iterable[Found], texts: Texts, titles: Sequence[str]) -> Iterator[str]:
    """Checks without words, and those whose words need a fact that the code does not give. Every one of ``titles`` can
    meet a check of shared code, with its own words."""
    seen: set[tuple[str, str]] = set()
    for check in sorted(checks, key=lambda found: found.name):
        for title in (check.title,) if check.title else titles:
            text = texts.of(title).get(check.name)
            if text is not None:
                yield from (f"{check.where}: the words of check {check.name} {fault}" for fault in _faults(text, check))
            elif (check.name, title) not in seen:
                yield f"{check.where}: check {check.name} has no words in {_file(texts, title)}"
                seen.add((check.name, title))


def _faults(text: str, check: Found) -> Iterator[str]:
    try:
        asked = needed(text)
    except TemplateSyntaxError as error:
        yield f"are no template: {error.message}"
        return
    if check.facts is None and asked:
        yield f"need facts that cannot be read off: {', '.join(sorted(asked))}"
    elif check.facts is not None and asked - check.facts:
        yield f"need what it does not give: {', '.join(sorted(asked - check.facts))}"


def wordless_questions(asks: Iterable[Found], texts: Texts, titles: Sequence[str]) -> Iterator[str]:
    """Questions without words; those of shared code need them for every one of ``titles``."""
    for ask in asks:
        for title in (ask.title,) if ask.title else titles:
            for part in _PARTS:
                if f"{ask.name}.{part}" not in texts.of(title):
                    yield f"{ask.where}: question {ask.name} has no {part} in {_file(texts, title)}"


def needed(text: str) -> frozenset[str]:
    """The facts that a text cannot do without. ``TemplateSyntaxError`` for one that is no template."""
    tree = words().env.parse(text)
    tests = (test for test in tree.find_all(nodes.Test) if test.name in ("defined", "undefined"))
    tested = {test.node.name for test in tests if isinstance(test.node, nodes.Name)}
    return frozenset(meta.find_undeclared_variables(tree)) - tested - _ALWAYS


def _file(texts: Texts, title: str) -> str:
    """The file for words of code in the folder of ``title``, or of shared code."""
    folder, _, name = texts.file.rpartition("/")
    return f"{texts.file} or {folder}/{title}/{name}" if title else texts.file


def _read(path: Path) -> dict[str, str]:
    return _flat(tomllib.loads(path.read_text(encoding="utf-8")))


def _flat(table: Mapping[str, Any], above: str = "") -> dict[str, str]:
    """The texts of a table by their dotted names."""
    found: dict[str, str] = {}
    for name, value in table.items():
        if isinstance(value, dict):
            found |= _flat(value, f"{above}{name}.")
        else:
            found[above + name] = str(value)
    return found
