"""Faults that a fixed seed puts into the rules of 1863, one at a time: does the referee see them?

``python -m tests.referee.mutations_1863`` draws thirty over the code of the title. What is only offered or told is left
out: the referee judges what happens. The games are played once by the right rules, and their orders again with each
fault (``replayed``). It is *caught* by the referee, or the game is *diverged*: what is legal is refused, which nobody
tells him. One that is *missed* is either without effect, or hinders something that players need not do, or wants a
rarer position than the games bring.
"""

from __future__ import annotations

import argparse
import ast
import random
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from tests.referee.games import tables
from tests.referee.mutations import GAMES, verdict_on
from tests.referee.replays import record, save
from tools.mutate import CHECKOUT, Fault, faults

SEED: Final = 1863
TAKEN: Final = 30
FOLDER: Final = Path("engine/titles/t1863")
NO_RULES: Final = ("__init__", "box", "drawing", "editions", "names", "remarks", "rulings", "sequence", "unasked")
"""Modules that put the title together, or explain it."""
OFFERED: Final = (
    "list_",
    "_list",
    "menu",
    "asked",
    "offers",
    "cost",
    "_choices",
    "_ask",
    "openings",
    "all_goods",
    "_rows",
)
"""Beginnings of the names of functions that say what may be ordered."""


def drawn(number: int = TAKEN, seed: int = SEED, modules: Sequence[str] = ()) -> list[Fault]:
    """So many faults by chance, the same each time as long as the code is the same. ``modules``: only of these."""
    found = [fault for fault in all_faults() if not modules or fault.path.stem in modules]
    return random.Random(seed).sample(found, min(number, len(found)))


def all_faults() -> Iterator[Fault]:
    """Every fault that the rules of the title can have."""
    for file in sorted((CHECKOUT / FOLDER).rglob("*.py")):
        if file.stem not in NO_RULES and not file.stem.startswith("telling"):
            left_out = _offering(ast.parse(file.read_text("utf-8")))
            yield from (f for f in faults(file.relative_to(CHECKOUT)) if not any(f.line in lines for lines in left_out))


def _offering(tree: ast.Module) -> list[range]:
    """The lines of functions that only say what may be ordered."""
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    return [range(f.lineno, (f.end_lineno or f.lineno) + 1) for f in functions if f.name.startswith(OFFERED)]


def main() -> int:
    """Put the faults in, one at a time, and say which the referee sees."""
    reader = argparse.ArgumentParser(prog="python -m tests.referee.mutations_1863", description=__doc__)
    reader.add_argument("--from", type=int, default=0, metavar="N", dest="first", help="begin with fault N")
    reader.add_argument("--to", type=int, default=TAKEN, metavar="N", help="end before fault N")
    reader.add_argument("--seed", type=int, default=SEED, help="which thirty")
    reader.add_argument("--games", type=int, default=GAMES, help="how many games before a fault counts as missed")
    reader.add_argument("--of", nargs="+", default=(), metavar="MODULE", help="faults of these modules only")
    reader.add_argument("--recorded", type=Path, metavar="FILE", help="games that were saved, instead of new ones")
    given = reader.parse_args()
    counts = {"caught": 0, "diverged": 0, "broken": 0, "missed": 0}
    with tempfile.TemporaryDirectory(prefix="referee-") as name:
        games = given.recorded or Path(name) / "games"
        if given.recorded is None:
            save((record(table) for table in tables(given.games, titles=("1863",))), games)
        for number, fault in list(enumerate(drawn(seed=given.seed, modules=given.of)))[given.first : given.to]:
            found = verdict_on(fault.put_in, "tests.referee.replays", str(games))
            counts[found.partition(":")[0].partition(" ")[0]] += 1
            sys.stdout.write(f"{number} {fault}: {found[:200]}\n")
            sys.stdout.flush()
    sys.stdout.write(f"{sum(counts.values())} faults: {counts}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
