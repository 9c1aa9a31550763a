"""Keeps the archive of a running service up to date. It has its own games and its own database connection, and takes no
part in the transaction of a decision. Any failure here is logged, and no mail waits for it."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final

from moderator.archive.site import Site
from moderator.domain.vocabulary import vocabulary
from moderator.service.archive.builds import bring_up_to_date
from moderator.service.desk import Desk
from moderator.service.games import Games, default_titles

log = logging.getLogger("railpost")

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

    def __call__(self) -> None:
        """Write the pages of games that have changed, then the index."""
        faults: list[str] = []
        try:
            self._write(faults)
        except Exception as error:
            faults.append(f"{type(error).__name__}: {error}")
        said = "; ".join(faults)
        if said and said != self._said:  # log it once, not every minute
            log.error("the archive is not up to date: %s", said)
        self._said = said

    def _write(self, faults: list[str]) -> None:
        site, written = Site(self._folder), 0
        own = Games(default_titles, vocabulary, _GAMES)  # the desk's games belong to the thread that decides
        for built in bring_up_to_date(replace(self._desk, games=own), site):
            written += built.written
            if built.fault:
                faults.append(built.fault)
        if written or not site.begun:
            site.finish()
