"""Hold the rule of evidence, its page, the notation and the code against each other.

    python -m tools.evidence [CHECKOUT]          what does not fit; exits 1 if there is anything
    python -m tools.evidence --write [CHECKOUT]  write the tables into docs/trust.md

It finds:

* a word for the moderator, of a game master or of somebody without a seat, without a column in
  ``moderator.domain.evidence``
* tables in ``docs/trust.md`` that are not those of the code
* code that judges a sender by itself, instead of asking ``moderator.service.table.trust``
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final, get_args

from grammar.master.reading import FIRST_WORDS
from grammar.plain_words import FORMS
from moderator.domain.evidence import EVIDENCE, MODIFIERS, REQUESTS, Evidence, Policy, Request, Ruling, ruling
from tools.code_tables import table_of, with_table

PAGE: Final = Path("docs/trust.md")
_WORD: Final = re.compile(r"""\bWord\(\s*["']([a-z]+)["']""")
_BUILD: Final = "grammar/builders/words.py"
_NAMED: Final = re.compile(r"`([a-z ]+)`")
_OF_THE_MAIL: Final = frozenset({"reason"})
"""The word by which a game master speaks of all words of his mail."""
_JUDGES: Final = re.compile(r"\b(?:(?:mail|row)\.verdict|settings\.identity)\s*(?:==|!=|in\b|not in\b)")
_JUDGE: Final = "moderator/service/table/trust.py"
_REPORTED: Final[tuple[Request, ...]] = (
    "heard", "away", "bounce", "complaint", "unsubscribe", "unreachable", "hand over",
)  # fmt: skip
"""Columns of the second table; all others stand in the first."""


def tables() -> dict[str, str]:
    """The tables in Markdown, by name."""
    written = [request for request in get_args(Request) if request not in _REPORTED]
    return {"mails": _table(written), "seats": _table(_REPORTED)}


def _table(requests: Sequence[Request]) -> str:
    """A row for each kind of evidence with an effect, and a column for all requests that have the same rulings."""
    said: dict[str, list[Ruling]] = {}
    for evidence in get_args(Evidence):
        by_policy = {policy: [ruling(evidence, request, policy) for request in requests] for policy in get_args(Policy)}
        if by_policy["token"] == by_policy["token+authenticated"]:
            said[EVIDENCE[evidence]] = by_policy["token"]
        else:
            said |= {f"{EVIDENCE[evidence]}, under `{policy}`": rulings for policy, rulings in by_policy.items()}
    columns: dict[tuple[Ruling, ...], list[Request]] = {}
    for request, column in zip(requests, zip(*said.values(), strict=True), strict=True):
        columns.setdefault(column, []).append(request)
    heads = ("; ".join(REQUESTS[request] for request in alike) for alike in columns.values())
    lines = ["| evidence | " + " | ".join(heads) + " |", "|----------|" + "|".join("---" for _ in columns) + "|"]
    for evidence, row in zip(said, zip(*columns, strict=True), strict=True):
        if set(row) != {"nothing"}:
            lines.append(f"| {evidence} | " + " | ".join("–" if one == "nothing" else one for one in row) + " |")
    return "\n".join(lines)


def problems(checkout: Path) -> list[str]:
    """Everything that does not fit, one readable line each."""
    found = [
        f"{where}: the word `{word}` has no column in moderator/domain/evidence.py"
        for where, words in words_of(checkout).items()
        for word in sorted(words - named())
    ]
    page = (checkout / PAGE).read_text(encoding="utf-8")
    for name, table in tables().items():
        if table_of(page, name) != table:
            found.append(f"{PAGE}: the table `{name}` is not that of the code; `python -m tools.evidence --write`")
    for path in sorted((checkout / "moderator").rglob("*.py")):
        name = path.relative_to(checkout).as_posix()
        if name == _JUDGE:
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if _JUDGES.search(line):
                found.append(f"{name}:{number}: judges a sender; only {_JUDGE} does")
    return found


def words_of(checkout: Path) -> dict[str, set[str]]:
    """The words that a mail can have besides orders, by the place where they are read. ``ValueError`` if a place has
    none: then it is not the place any more."""
    build = (checkout / _BUILD).read_text(encoding="utf-8")
    there = {
        _BUILD: set(_WORD.findall(build)) - MODIFIERS,
        "grammar/master/reading.py": set(FIRST_WORDS) - _OF_THE_MAIL,
        "grammar/plain_words.py": set(FORMS),
    }
    if empty := [where for where, words in there.items() if not words]:
        raise ValueError(f"no words are read in {', '.join(empty)}")
    return there


def named() -> set[str]:
    """The first words that the columns name."""
    return {said.split()[0] for text in REQUESTS.values() for said in _NAMED.findall(text)}


def _write(checkout: Path) -> None:
    page = (checkout / PAGE).read_text(encoding="utf-8")
    for name, table in tables().items():
        page = with_table(page, name, table)
    (checkout / PAGE).write_text(page, encoding="utf-8")


def main(arguments: Sequence[str]) -> int:
    """Run from a checkout; the exit status."""
    write = "--write" in arguments
    places = [argument for argument in arguments if argument != "--write"]
    checkout = Path(places[0]) if places else Path()
    if write:
        _write(checkout)
    found = problems(checkout)
    for line in found:
        print(line)
    if not found:
        print(f"{len(EVIDENCE)} kinds of evidence, {len(REQUESTS)} requests, and the page that says so")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
