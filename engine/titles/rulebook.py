"""The list of a title's rules: what is in the file, and which address a refusal shows for a check.

A title keeps its list beside its code (``rules.toml``), so that an installed wheel has it too; the rules that cousins
share are in the list of their ``family``. Reading is strict: a list that does not hold is refused with the file, the
rule and the reason.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

_ID = re.compile(r"[1-9][0-9]*\.[1-9][0-9]*")
_CHECK = re.compile(r"[a-z][a-z0-9_]*(\.[a-z0-9_]+)+")
_PATTERN = re.compile(r"[a-z][a-z0-9_]*(\.[a-z0-9_]+)*(\.\*)?")


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule in our own words. ``sections``: edition -> section of its text; none where that text is silent."""

    id: str
    sections: Mapping[str, str]
    editions: tuple[str, ...]
    text: str
    differs: str = ""
    checks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Rulebook:
    """All rules of a title. ``general`` are checks that belong to no rule (a final ``*`` stands for the rest),
    ``unchecked`` rules that nothing can hold anybody to, with the reason. ``shared``: ids of rules in the words of the
    list of the ``family``."""

    title: str
    editions: tuple[str, ...]
    rules: tuple[Rule, ...]
    general: tuple[str, ...]
    unchecked: Mapping[str, str]
    family: str = ""
    shared: frozenset[str] = frozenset()

    def addresses(self, edition: str) -> dict[str, str]:
        """Check key -> address of its rule in an edition: ``7.13, §10.4``; several rules are parted by ``; ``."""
        found: dict[str, list[str]] = {}
        for rule in self.rules:
            if edition in rule.editions:
                for check in rule.checks:
                    found.setdefault(check, []).append(self.address(rule, edition))
        return {check: "; ".join(places) for check, places in found.items()}

    def address(self, rule: Rule, edition: str) -> str:
        """Id and section, or page (``p. 7``); the id alone where the edition's text is silent or has no numbers."""
        section = rule.sections.get(edition, "")
        return ", ".join(filter(None, (rule.id, f"§{section}" if section[:1].isdigit() else section)))

    def is_general(self, check: str) -> bool:
        """True if a check belongs to the service and to no rule."""
        return any(check.startswith(p[:-1]) if p.endswith("*") else check == p for p in self.general)


def load_addresses(path: Path, edition: str) -> Mapping[str, str]:
    """Check key -> address of its rule, as shown to people, in one edition of the title whose list is ``path``."""
    book = load_rulebook(path)
    if edition not in book.editions:
        raise ValueError(f"{path}: no edition {edition!r}; there are: {', '.join(book.editions)}")
    return book.addresses(edition)


def load_rulebook(path: Path) -> Rulebook:
    """Read and validate a title's list of rules. ``ValueError`` says file, place and reason."""
    data = _read(path)
    family = data.get("family")
    shared = {} if family is None else _read(path.parents[2] / "families" / str(family) / "rules.toml")
    try:
        book = _rulebook(_joined(data, shared))
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error
    worded = {entry["id"] for entry in _tables(data, "rule") if "text" in entry}
    theirs = frozenset(entry["id"] for entry in _tables(shared, "rule"))
    return replace(book, family=str(family or ""), shared=theirs - worded)


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{path}: {error}") from error


def _joined(data: dict[str, Any], shared: dict[str, Any]) -> dict[str, Any]:
    """The list of a title with that of its family. An entry of the title adds to the family's with its id; a rule of
    the family that the title does not name is played by all editions, none of which has a section for it."""
    own = {str(entry.get("id")): entry for entry in _tables(data, "rule")}
    theirs = {str(entry.get("id")): entry for entry in _tables(shared, "rule")}
    usual: dict[str, Any] = {"sections": {}, "editions": data.get("editions")}
    rules = [
        *({**theirs.get(str(entry.get("id")), {}), **entry} for entry in _tables(data, "rule")),
        *(entry for rule_id, entry in theirs.items() if rule_id not in own),
    ]
    return {
        **data,
        "rule": [{**usual, **entry} for entry in rules] if shared else rules,
        "general": [*data.get("general", ()), *shared.get("general", ())],
        "unchecked": [*data.get("unchecked", ()), *shared.get("unchecked", ())],
    }


def _rulebook(data: dict[str, Any]) -> Rulebook:
    _known(data, "the list", {"title", "family", "editions", "general", "unchecked", "rule"})
    editions = _texts(data, "editions", "the list")
    found = (_rule(entry, number, editions) for number, entry in enumerate(_tables(data, "rule"), start=1))
    rules = tuple(sorted(found, key=lambda rule: tuple(map(int, rule.id.split(".")))))
    ids = [rule.id for rule in rules]
    for rule_id in ids:
        _need(ids.count(rule_id) == 1, f"rule {rule_id} is listed {ids.count(rule_id)} times")
    unchecked: dict[str, str] = {}
    for entry in _tables(data, "unchecked"):
        _known(entry, "unchecked", {"id", "reason"})
        rule_id = _text(entry, "id", "unchecked")
        _need(rule_id in ids, f"unchecked: no rule {rule_id!r}")
        unchecked[rule_id] = _text(entry, "reason", f"unchecked {rule_id}")
    general = _texts(data, "general", "the list")
    for pattern in general:
        _need(_PATTERN.fullmatch(pattern) is not None, f"general: {pattern!r} is no check key")
    return Rulebook(_text(data, "title", "the list"), editions, rules, general, unchecked)


def _rule(entry: dict[str, Any], number: int, editions: tuple[str, ...]) -> Rule:
    rule_id = _text(entry, "id", f"rule number {number}")
    where = f"rule {rule_id}"
    _need(_ID.fullmatch(rule_id) is not None, f"{where}: an id is two numbers with a point between")
    _known(entry, where, {"id", "sections", "editions", "text", "differs", "checks"})
    sections = entry.get("sections")
    _need(isinstance(sections, dict), f"{where}: sections must be a table of edition and section")
    assert isinstance(sections, dict)
    played = _texts(entry, "editions", where)
    _need(bool(played), f"{where}: no edition plays it")
    for edition in (*sections, *played):
        _need(edition in editions, f"{where}: no edition {edition!r}; there are: {', '.join(editions)}")
    for edition in sections:
        _text(sections, edition, f"{where}, sections")
    checks = _texts(entry, "checks", where) if "checks" in entry else ()
    for check in checks:
        _need(_CHECK.fullmatch(check) is not None, f"{where}: {check!r} is no check key (like lay.colour)")
        _need(checks.count(check) == 1, f"{where}: check {check} is listed twice")
    differs = _text(entry, "differs", where) if "differs" in entry else ""
    text = _text(entry, "text", where)
    _need("\n" not in text + differs, f"{where}: the text must be one line")
    return Rule(rule_id, dict(sections), played, text, differs, checks)


def _need(holds: bool, reason: str) -> None:
    if not holds:
        raise ValueError(reason)


def _known(table: Mapping[str, object], where: str, names: Iterable[str]) -> None:
    strange = sorted(set(table) - set(names))
    _need(not strange, f"{where}: unknown: {', '.join(strange)}; known are: {', '.join(sorted(names))}")


def _tables(data: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    found = data.get(name, [])
    holds = isinstance(found, list) and all(isinstance(entry, dict) for entry in found)
    _need(holds, f"{name} must be written as [[{name}]]")
    return list(found)


def _text(table: Mapping[str, Any], name: str, where: str) -> str:
    found = table.get(name)
    _need(isinstance(found, str) and bool(found.strip()), f"{where}: {name} must be a text")
    return str(found)


def _texts(table: Mapping[str, Any], name: str, where: str) -> tuple[str, ...]:
    found = table.get(name)
    holds = isinstance(found, list) and all(isinstance(entry, str) for entry in found)
    _need(holds, f"{where}: {name} must be a list of texts")
    assert isinstance(found, list)
    return tuple(found)
