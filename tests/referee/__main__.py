"""``python -m tests.referee``: random games under the referee's eyes. Exits with 1 if he has found anything."""

from __future__ import annotations

import argparse
import sys
from collections import Counter

from tests.referee.games import JUDGED, TITLES, Report, play, tables


def main() -> int:
    """Play, and print each game, each deviation, and what was checked how often."""
    reader = argparse.ArgumentParser(prog="python -m tests.referee", description=__doc__)
    reader.add_argument(
        "--games", type=int, default=19, metavar="N", help="how many games (19 sit at every table once)"
    )
    reader.add_argument("--first", type=int, default=0, metavar="SEED", help="seed of the first game")
    reader.add_argument("--title", choices=JUDGED, help="games of this title only")
    given = reader.parse_args()
    checked, reports = Counter[str](), list[Report]()
    for table in tables(given.games, given.first, (given.title,) if given.title else TITLES):
        reports.append(report := play(table))
        checked += report.checked
        say(f"{table}: {report.orders} orders, {report.checked.total()} checks")
        for deviation in report.deviations:
            say(f"  {deviation}")
    say("")
    for rule, times in sorted(checked.items()):
        say(f"{times:9} {rule}")
    found = sum(len(report.deviations) for report in reports)
    say(f"\n{len(reports)} games, {sum(r.orders for r in reports)} orders, {checked.total()} checks of {len(checked)} rules, {found} deviations")  # fmt: skip  # noqa: E501
    return 1 if found else 0


def say(line: str) -> None:
    sys.stdout.write(line + "\n")


if __name__ == "__main__":
    sys.exit(main())
