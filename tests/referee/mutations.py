"""Faults put into the rules, one at a time: does the referee see them?

Each fault changes one line of the arithmetic in a copy of the engine; games are played with that copy until the referee
finds a deviation. ``python -m tests.referee.mutations`` takes twenty by a fixed seed, ``--all`` takes all of them.
A fault that the engine itself trips over counts as *broken*; one that no game shows as *missed*.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from tests.referee.games import on_course, play, tables, with_cheap_express, with_poor_banks
from tests.referee.mutation import CHEAP, POOR, ROOT, Mutation
from tests.referee.mutations_1841 import OF_1841
from tests.referee.mutations_1861 import BEYOND, MUTATIONS, RETURNED
from tests.referee.mutations_1867 import BEYOND_1867, OF_1867

SEED = 1861
TAKEN = 20
GAMES = 14
"""So many games of its title are played before a fault counts as missed."""
MOST_SECONDS = 900
"""So much of the processor's time the games of a fault may take: it may have made a loop."""
GAMES_FOR_RARE = 60
"""The same for faults that were once in the rules, and for those of 1841 and 1867: some need a rare position."""


def sample(number: int = TAKEN, seed: int = SEED) -> list[Mutation]:
    """So many by chance, the same each time."""
    return random.Random(seed).sample([m for m in MUTATIONS if m.applies()], number)


def verdict(mutation: Mutation, games: int = GAMES) -> str:
    """``caught: …``, ``broken: …`` or ``missed`` in so many games."""
    which = ("--play", mutation.title, "--course", mutation.course, "--games", str(games))
    return verdict_on(mutation.apply, "tests.referee.mutations", *which)


def verdict_on(put_in: Callable[[Path], None], *program: str) -> str:
    """The verdict on a fault that is put into a copy of the checkout: what a program says there, a module with its
    arguments, in a process of its own."""
    with tempfile.TemporaryDirectory(prefix="referee-") as name:
        root = Path(name)
        for part in ("engine", "tests/referee"):
            shutil.copytree(ROOT / part, root / part, ignore=shutil.ignore_patterns("__pycache__"))
        (root / "tests/__init__.py").touch()
        put_in(root)
        run = subprocess.run(
            [sys.executable, "-m", *program],
            cwd=root,
            env={**os.environ, "PYTHONPATH": str(root), "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            text=True,
            check=False,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS + 10)),
        )
    if run.returncode == -signal.SIGXCPU:
        return f"broken: no end after {MOST_SECONDS} seconds"
    if run.returncode:
        return "broken: " + (run.stderr.strip().splitlines() or ["?"])[-1]
    return run.stdout.strip().splitlines()[-1]


def play_until_seen(title: str, games: int, course: str = "") -> str:
    """At most so many games of ``title`` until one shows a deviation; that is told."""
    titles = (title,) if title in ("1841", "1863", "1867") else ("1861", "1844")
    found = [table for table in tables(200, titles=titles) if title in ("", table.title)][:games]
    if course:
        seek = {POOR: with_poor_banks, CHEAP: with_cheap_express}.get(course)
        found = seek(games) if seek is not None else on_course(course, games)
    for number, table in enumerate(found, 1):
        report = play(table, patient=False)
        seen = [d for d in report.deviations if d.rule != "books"] or report.deviations
        if seen:
            return f"caught in game {number}: {seen[0]}"
    return "missed"


def main() -> int:
    """Put faults in, one at a time, and say which the referee sees."""
    reader = argparse.ArgumentParser(prog="python -m tests.referee.mutations", description=__doc__)
    reader.add_argument("--all", action="store_true", help="all faults, not twenty of them")
    reader.add_argument("--from", type=int, default=0, metavar="N", dest="first", help="with --all: begin with fault N")
    reader.add_argument("--to", type=int, default=len(MUTATIONS), metavar="N", help="with --all: end before fault N")
    reader.add_argument("--seed", type=int, default=SEED, help="which twenty")
    reader.add_argument("--returned", action="store_true", help="the faults that were once in the rules")
    reader.add_argument("--of-1841", action="store_true", help="the faults in the rules of 1841")
    reader.add_argument("--of-1867", action="store_true", help="the faults in the rules of 1867")
    reader.add_argument("--play", metavar="TITLE", help=argparse.SUPPRESS)
    reader.add_argument("--course", default="", help=argparse.SUPPRESS)
    reader.add_argument("--games", type=int, default=None, help="how many games before a fault counts as missed")
    given = reader.parse_args()
    games = given.games or (GAMES_FOR_RARE if given.returned or given.of_1841 or given.of_1867 else GAMES)
    if given.play is not None:
        sys.stdout.write(play_until_seen(given.play, games, given.course) + "\n")
        return 0
    taken = [m for m in MUTATIONS[given.first : given.to] if m.applies()] if given.all else sample(seed=given.seed)
    if given.returned:
        taken = list(RETURNED)
    if given.of_1841:
        taken = list(OF_1841)[given.first : min(given.to, len(OF_1841))]
    if given.of_1867:
        taken = list(OF_1867)[given.first : min(given.to, len(OF_1867))]
    counts = {"caught": 0, "broken": 0, "missed": 0}
    for mutation in taken:
        found = verdict(mutation, games)
        counts[found.partition(":")[0].partition(" ")[0]] += 1
        sys.stdout.write(f"{mutation.title or 'both'}, {mutation.name}: {found[:200]}\n")
        sys.stdout.flush()
    sys.stdout.write(f"{len(taken)} faults: {counts}\n")
    beyond = BEYOND if given.returned else BEYOND_1867 if given.of_1867 else {}
    sys.stdout.write("".join(f"not seen: {name}: {why}\n" for name, why in beyond.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
