"""Write the tables of defaults, what is done for silent players, from the code of the titles and the words.

    python -m tools.defaults [CHECKOUT]          what does not fit; exits 1 if there is anything
    python -m tools.defaults --write [CHECKOUT]  write the tables into docs/defaults.md

It finds:

* a question of a title's code that has no default
* a default or a decision without words, and words that belong to none
* tables in ``docs/defaults.md`` that are not those of the code
"""

from __future__ import annotations

import difflib
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, TypeAlias

import engine
from engine.titles.rulebook import load_rulebook
from moderator.words.texts import words
from tools.code_tables import run, table_of, with_table
from tools.rule_addresses import scan_checkout

PAGE: Final = Path("docs/defaults.md")
DECISIONS: Final = "decisions."
SEVERAL: Final = "several titles"
"""The name of the table of decisions that several titles answer alike; the others are named by a title."""
Rows: TypeAlias = tuple[tuple[str, str, str], ...]
"""The case, default and reason of each default of a decision."""
_SHARED: Final = frozenset({"silence", "first_choice"})
"""Defaults of titles that list none of their own."""


def tables() -> dict[str, str]:
    """The tables in Markdown, by name: first the decisions that several titles answer alike, then those that are one
    title's own. Of several defaults for a decision, the first that applies counts."""
    titles: dict[tuple[str, Rows], list[str]] = {}
    for title in engine.title_names():
        for decision in _decisions(title):
            titles.setdefault(decision, []).append(title)
    alike: dict[tuple[Rows, tuple[str, ...]], list[str]] = {}
    for (name, rows), among in titles.items():
        alike.setdefault((rows, tuple(among)), []).append(name)
    found = {SEVERAL: _table([("<br>".join(names), ", ".join(among), rows)
                              for (rows, among), names in alike.items() if len(among) > 1], ("titles",))}  # fmt: skip
    for title in engine.title_names():
        own = [("<br>".join(names), "", rows) for (rows, among), names in alike.items() if among == (title,)]
        if own:
            found[title] = _table(own)
    return found


def _decisions(title: str) -> Iterator[tuple[str, Rows]]:
    """The decisions of a title: the name, with the key of the question, and the case, default and reason of each."""
    spoken = words()
    for what, rules in engine.default_rules(engine.load_title(title)).items():
        rows = []
        for rule in rules:
            when, does, why = (spoken.find("defaults", f"{rule.key}.{part}", title) for part in ("when", "does", "why"))
            rows.append(((when or "") if len(rules) > 1 else "", does or "?", why or "?"))
        yield f"{spoken.find('defaults', DECISIONS + what, title) or '?'} (`{what}`)", tuple(rows)


def _table(decisions: Sequence[tuple[str, str, Rows]], more: tuple[str, ...] = ()) -> str:
    lines = [("decision", *more, "case", "default", "reason")]
    for name, titles, rows in decisions:
        lines += [
            ("" if number else name, *("" if number else titles for _ in more), *row) for number, row in enumerate(rows)
        ]
    head, *rest = ("| " + " | ".join(line) + " |" for line in lines)
    return "\n".join([head, "|" + "|".join("-" * (len(cell) + 2) for cell in lines[0]) + "|", *rest])


def problems(checkout: Path) -> list[str]:
    """Everything that does not fit, one readable line each."""
    found, page = [*_without_default(checkout)], (checkout / PAGE).read_text(encoding="utf-8")
    for title in engine.title_names():
        found += _wordless(title)
    for name, table in tables().items():
        lines = difflib.ndiff(table_of(page, _name(name)).splitlines(), table.splitlines())
        if changed := [line for line in lines if line.startswith(("- ", "+ "))]:
            found.append(f"{PAGE}: the table of {name} is not that of the code; `python -m tools.defaults --write`")
            found += changed
    return [*found, *_unused()]


def _without_default(checkout: Path) -> Iterator[str]:
    """The questions in the code of titles and families without a default."""
    books = {path.parent.name: load_rulebook(path) for path in sorted(checkout.glob("engine/titles/t*/rules.toml"))}
    listed = {title: engine.default_rules(engine.load_title(title)) for title in engine.title_names()}
    for ask in scan_checkout(checkout, books).asks:
        if ask.title in listed and ask.name not in listed[ask.title]:
            yield f"{ask.where}: question {ask.name} of {ask.title} has no default"


def _wordless(title: str) -> Iterator[str]:
    spoken = words()
    for what, rules in engine.default_rules(engine.load_title(title)).items():
        wanted = [DECISIONS + what, *(f"{rule.key}.{part}" for rule in rules for part in ("does", "why"))]
        for key in wanted:
            if not spoken.find("defaults", key, title):
                yield f"{title}: no words for {key} in templates/en/defaults.toml or templates/en/{title}/defaults.toml"


def _unused() -> Iterator[str]:
    """Words that no default of any title has."""
    tables = [(title, engine.default_rules(engine.load_title(title))) for title in engine.title_names()]
    decisions = {what for _, table in tables for what in table}
    keys = {rule.key for _, table in tables for rules in table.values() for rule in rules} | _SHARED
    said = {key for title, _ in tables for key in words().own(title)["defaults"]}
    for key in sorted(said):
        used = key.removeprefix(DECISIONS) in decisions if key.startswith(DECISIONS) else key.partition(".")[0] in keys
        if not used:
            yield f"words for {key}, which no title has"


def _name(of: str) -> str:
    return f"defaults of {of}"


def _write(checkout: Path) -> None:
    page = (checkout / PAGE).read_text(encoding="utf-8")
    for name, table in tables().items():
        page = with_table(page, _name(name), table)
    (checkout / PAGE).write_text(page, encoding="utf-8")


def _said() -> str:
    count = sum(len(engine.default_rules(engine.load_title(title))) for title in engine.title_names())
    return f"{count} decisions of {len(engine.title_names())} titles, and the page that lists their defaults"


def main(arguments: Sequence[str]) -> int:
    """Run from a checkout; the exit status."""
    return run(arguments, _write, problems, _said)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
