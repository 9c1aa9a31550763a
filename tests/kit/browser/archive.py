"""Pages of the archive for tests in a browser."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import engine
from engine import Game
from engine.robots import sensible
from moderator.archive.record_files import read_volume
from moderator.archive.site import Site
from moderator.domain.records.record import write_record
from moderator.service.play.export import teller


@dataclass(frozen=True)
class Built:
    """A game and its page."""

    game: Game
    index: str
    page: str


def build(record: Path, folder: Path) -> Built:
    """An archive of one record in ``folder``."""
    site = Site(folder)
    volume = read_volume(record, "", teller)
    site.add(volume)
    site.finish()
    page = folder / "games" / volume.name / "index.html"
    return Built(volume.game, (folder / "index.html").as_uri(), page.as_uri())


def robots_record(folder: Path) -> Path:
    """The record of the first ninety orders of a game of 1844 between robots."""
    game = Game.start(engine.load_title("1844"), engine.Setup(("Ann", "Bob", "Cat"), "a seed"))
    while len(game.orders) < 90:
        game.submit(sensible(game, game.asked()[0]))
    path = folder / "robots.txt"
    path.write_text(write_record(game, {}, sealed=False), encoding="utf-8")
    return path
