"""Keeps the archive of a running service up to date. It has its own games and its own database connection, and takes no
part in the transaction of a decision. Any failure here is logged, and no mail waits for it."""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final

from moderator.adapters.alone import alone_in
from moderator.archive.site import Site
from moderator.domain.vocabulary import vocabulary
from moderator.service.archive.builds import bring_up_to_date, pulses
from moderator.service.desk import Desk
from moderator.service.games import Games, default_titles

log = logging.getLogger("railpost")

_ALL: Final = 3_600
"""Seconds after which all pages are compared with their games again, not only those of games that have moved."""
_GAMES: Final = 2
"""Games kept in memory: few, because each page is written by itself."""


def archivist_of(desk: Desk) -> Callable[[], None] | None:
    """The job that brings the archive of the settings up to date; None if they name no archive."""
    folder = desk.settings.archive
    return None if folder is None else _Archivist(desk, folder)


class _Archivist:
    def __init__(self, desk: Desk, folder: Path) -> None:
        self._desk, self._folder = desk, folder
        self._said = ""
        self._shown: dict[str, tuple[object, ...]] = {}
        """The games whose pages are up to date, as they were then."""
        self._all_at = -math.inf

    def __call__(self) -> None:
        """Write the pages of games that have changed, then the index. While another service of this machine does so,
        this one leaves it to that, and compares the pages next time."""
        faults: list[str] = []
        try:
            with alone_in(self._folder) as alone:
                if alone:
                    self._write(faults)
        except Exception as error:
            faults.append(f"{type(error).__name__}: {error}")
        said = "; ".join(faults)
        if said and said != self._said:  # log it once, not every minute
            log.error("the archive is not up to date: %s", said)
        self._said = said

    def _write(self, faults: list[str]) -> None:
        site, written, now = Site(self._folder), 0, time.monotonic()
        if not site.begun or now - self._all_at > _ALL:  # somebody may have changed a page
            self._shown, self._all_at = {}, now
        found = pulses(self._desk)
        changed = [game for game, pulse in found.items() if self._shown.get(game) != pulse]
        if site.begun and not changed:
            return
        own = Games(default_titles, vocabulary, _GAMES)  # the desk's games belong to the thread that decides
        for built in bring_up_to_date(replace(self._desk, games=own), site, changed):
            written += built.written
            if built.fault:
                faults.append(built.fault)
            else:
                self._shown[built.game] = found[built.game]
        if written or not site.begun:
            site.finish()
