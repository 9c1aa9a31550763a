"""Spoilt mails by a fuzzer that looks where they lead (atheris).

To run it: ``python -m tests.kit.service.fuzz_guided RUNS SEED FOLDER``.
"""

from __future__ import annotations

import random
import resource
import sys
from pathlib import Path
from typing import Any

import atheris

with atheris.instrument_imports(include=["email", "moderator.service"]):
    import email.feedparser
    import email.message  # noqa: F401

    from moderator.service.reading import tnef  # noqa: F401

from tests.kit.service.fuzz_seeds import ORDERS, mails, turn
from tests.kit.service.fuzz_spoil import CHANGES
from tests.kit.service.fuzz_target import Seen

_LONGEST = 30_000


def main(runs: int, seed: int, folder: Path) -> None:
    """Ends the process. What it found is in the corpus ``folder``, the mail that failed beside it."""
    seeds = [one for number, orders in enumerate(ORDERS[:4]) for one in list(mails(turn(), orders).values())[number::4]]
    folder.mkdir(parents=True, exist_ok=True)
    for number, content in enumerate(seeds):
        (folder / f"seed{number}").write_bytes(content[:_LONGEST])
    seen = Seen()

    def one(content: bytes) -> None:
        seen.look(content)
        if seen.count == runs:
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
            print(f"guided, seed {seed}: {seen}; peak {peak} MB", flush=True)  # noqa: T201

    def spoil(content: bytes, largest: int, chance: int) -> bytes:
        own = random.Random(chance)
        if own.random() < 0.5:
            return bytes(atheris.Mutate(content, largest))
        return own.choice(CHANGES)(own, content, seeds)[:largest]

    options: list[Any] = [sys.argv[0], f"-runs={runs}", f"-seed={seed}", f"-max_len={_LONGEST}", "-timeout=20"]
    options += [
        "-len_control=0",
        "-rss_limit_mb=1500",
        f"-artifact_prefix={folder.parent}/",
        "-verbosity=0",
        str(folder),
    ]
    atheris.Setup(options, one, custom_mutator=spoil)
    atheris.Fuzz()


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]))
