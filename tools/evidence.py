"""Hold the rule of evidence, its page, the notation and the code against each other.

    python -m tools.evidence [CHECKOUT]          what does not fit; exits 1 if there is anything
    python -m tools.evidence --write [CHECKOUT]  write the tables into docs/trust.md

It finds:

* a word for the moderator without a column in ``moderator.domain.evidence``
* tables in ``docs/trust.md`` that are not those of the code
* code that judges a sender by itself, instead of asking ``moderator.service.table.trust``
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final, get_args

from moderator.domain.evidence import EVIDENCE, MODIFIERS, REQUESTS, Evidence, Policy, Request, Ruling, ruling
from tools.code_tables import table_of, with_table

PAGE: Final = Path("docs/trust.md")
_WORD: Final = re.compile(r"""\bWord\(\s*["']([a-z]+)["']""")
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
    build = (checkout / "grammar/builders/orders.py").read_text(encoding="utf-8")
    words = sorted(set(_WORD.findall(build)) - set(REQUESTS) - MODIFIERS)
    found = [
        f"grammar/builders/orders.py: the word `{word}` has no column in moderator/domain/evidence.py" for word in words
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
