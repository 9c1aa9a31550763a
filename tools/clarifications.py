"""The clarifications of 1841, and the tests that hold the engine to them.

    python -m tools.clarifications [CHECKOUT]

Reads ``docs/rules/1841-clarifications.toml`` and every ``@pytest.mark.clarification(...)`` in ``tests``. Prints what
does not fit and exits 1, or one line and exits 0. It finds:

* a row without a test, or one that 18xx.games plays otherwise without a test of that (``site=True``)
* a mark with an id that no row has, or of what the site does where it does the same
* a row with a rule that the title's list does not have
"""

from __future__ import annotations

import ast
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from engine.titles.rulebook import load_rulebook

ROWS = "docs/rules/1841-clarifications.toml"
BOOK = "engine/titles/t1841/rules.toml"
MARK = "pytest.mark.clarification"
"""A module may give it a shorter name."""


@dataclass(frozen=True, slots=True)
class Row:
    """One clarification, or one row of the chart of prices after mergers. ``site``: what 18xx.games does instead."""

    id: str
    rules: tuple[str, ...]
    text: str
    site: str = ""


@dataclass(frozen=True, slots=True)
class Mark:
    """A marked test: the id, whether it shows what the site does, and where it stands."""

    id: str
    site: bool
    where: str


def rows(checkout: Path) -> tuple[Row, ...]:
    """The rows in order. ``ValueError`` where one has an id twice, or something unknown."""
    found = []
    for entry in tomllib.loads((checkout / ROWS).read_text(encoding="utf-8"))["row"]:
        if set(entry) - {"site"} != {"id", "rules", "text"}:
            raise ValueError(f"{ROWS}: row {entry.get('id')} must have id, rules and text, and may have site")
        found.append(Row(entry["id"], tuple(entry["rules"]), entry["text"], entry.get("site", "")))
    twice = sorted({row.id for row in found if sum(other.id == row.id for other in found) > 1})
    if twice:
        raise ValueError(f"{ROWS}: listed twice: {', '.join(twice)}")
    return tuple(found)


def marks(checkout: Path) -> Iterator[Mark]:
    """Every mark in the tests."""
    for path in sorted(checkout.glob("tests/**/*.py")):
        name, tree = path.relative_to(checkout).as_posix(), ast.parse(path.read_text(encoding="utf-8"))
        names = {MARK} | {
            target.id
            for node in tree.body
            if isinstance(node, ast.Assign) and ast.unparse(node.value) == MARK
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in names:
                site = any(k.arg == "site" and ast.unparse(k.value) == "True" for k in node.keywords)
                for given in node.args:
                    id = given.value if isinstance(given, ast.Constant) else ast.unparse(given)
                    yield Mark(str(id), site, f"{name}:{node.lineno}")


def problems(checkout: Path) -> list[str]:
    """Everything that does not fit, one readable line each."""
    listed, marked = rows(checkout), list(marks(checkout))
    by_id = {row.id: row for row in listed}
    known = {rule.id for rule in load_rulebook(checkout / BOOK).rules}
    found = [f"{m.where}: there is no clarification {m.id}" for m in marked if m.id not in by_id]
    found += [
        f"{m.where}: 18xx.games does not differ from clarification {m.id}"
        for m in marked
        if m.site and m.id in by_id and not by_id[m.id].site
    ]
    for row in listed:
        found += [f"clarification {row.id}: there is no rule {rule}" for rule in row.rules if rule not in known]
        if not any(m.id == row.id and not m.site for m in marked):
            found.append(f"clarification {row.id} has no test: {row.text}")
        if row.site and not any(m.id == row.id and m.site for m in marked):
            found.append(f"clarification {row.id} has no test of what 18xx.games does: {row.site}")
    return found


def main(arguments: list[str]) -> int:
    checkout = Path(arguments[0]) if arguments else Path(__file__).resolve().parents[1]
    found = problems(checkout)
    for line in found:
        print(line)
    if found:
        print(f"{len(found)} clarifications do not fit")
        return 1
    print("clarifications: each has its test")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
