"""The list of rules of 1863: each has code and a test, or the reason why a moderator cannot hold anybody to it."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from engine.titles.rulebook import load_rulebook
from tools.rule_addresses import scan_checkout

ELSEWHERE: Final = {
    "2.2": "all that shows a game is shared",
    "2.4": "the lots of all titles are drawn in shared code",
    "9.18": "the facts give privates no revenue, and nothing pays any",
    "12.1": "the facts give the bank no size, and sums are whole numbers in all titles",
    "12.7": "the facts have the train",
    "12.57": "the facts have the hex",
    "12.58": "it corrects an example",
    "12.60": "it corrects references",
}
"""Rules that no code of the title carries out, and what does."""


def test_each_rule_has_code_and_a_test_or_cannot_be_checked(checkout: Path) -> None:
    book = load_rulebook(checkout / "engine" / "titles" / "t1863" / "rules.toml")
    scan = scan_checkout(checkout, {"t1863": book})
    tags, marks = ({found.name for found in rows} for rows in (scan.tags, scan.marks))
    used = {found.name for found in scan.checks}
    rules = [rule for rule in book.rules if rule.id not in book.unchecked]
    coded = {rule.id for rule in rules if f"1863:{rule.id}" in tags or used.intersection(rule.checks)}
    assert {rule.id for rule in rules} - coded == set(ELSEWHERE)
    assert [rule.id for rule in rules if f"1863:{rule.id}" not in marks] == []


def test_a_rule_that_cannot_be_checked_says_why(checkout: Path) -> None:
    book = load_rulebook(checkout / "engine" / "titles" / "t1863" / "rules.toml")
    assert len(book.unchecked) == 12 and set(book.unchecked) <= {rule.id for rule in book.rules}
