"""``python -m tests.kit.service.deciding_service FOLDER NAME``: a service that only decides mails, for figures.

For each line on its standard input it decides all mails that wait, and prints how many those were and the CPU time that
they took.
"""

from __future__ import annotations

import gc
import json
import sys
import time
from pathlib import Path
from secrets import token_bytes

from moderator import render
from moderator.adapters.database import Database
from moderator.domain.ports import SystemClock
from moderator.domain.vocabulary import vocabulary
from moderator.service.desk import Desk
from moderator.service.games import Games, default_titles
from moderator.service.pipeline import work_off
from moderator.settings import Settings


def main(root: Path, owner: str) -> None:
    settings = Settings(data=root, domain="example.org", pictures=False)
    games = Games(default_titles, vocabulary, settings.games_in_memory)
    desk = Desk(settings, Database(settings.database_url), games, render, SystemClock(), token_bytes, owner)
    complaints: list[str] = []
    print("ready", flush=True)  # noqa: T201
    for _ in sys.stdin:
        gc.collect()
        gc.freeze()
        decided, cpu, began = 0, time.process_time(), time.monotonic()
        while now := work_off(desk, complaints.append):
            decided += now
        spent, took = time.process_time() - cpu, time.monotonic() - began
        done = {"decided": decided, "cpu": spent, "wall": took, "complaints": complaints}
        print(json.dumps(done), flush=True)  # noqa: T201
    desk.database.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
