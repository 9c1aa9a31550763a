"""Pages of the archive for tests in a browser."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import engine
from engine import Game, svg
from engine.core.events import Ran
from engine.core.orders import Run, RunBest
from engine.robots import sensible
from moderator.archive.record_files import read_volume
from moderator.archive.site import Site
from moderator.domain.records.record import write_record
from moderator.service.play.journal.export import teller


@dataclass(frozen=True)
class Built:
    """A game and its page."""

    game: Game
    index: str
    page: str


def build(record: Path, folder: Path, desk: str = "") -> Built:
    """An archive of one record in ``folder``. ``desk``: the address of the desk."""
    site = Site(folder)
    volume = replace(read_volume(record, "", teller), desk=desk)
    site.add(volume)
    site.finish()
    page = folder / "games" / volume.name / "index.html"
    return Built(volume.game, (folder / "index.html").as_uri(), page.as_uri())


def robots_record(folder: Path) -> Path:
    """The record of a game of 1844 between robots: ninety orders, and as many more as lead to a run."""
    game = Game.start(engine.load_title("1844"), engine.Setup(("Ann", "Bob", "Cat"), "a seed"))
    while len(game.orders) < 90 or not runs_of(game, len(game.orders)):
        game.submit(sensible(game, game.asked()[0]))
    path = folder / "robots.txt"
    path.write_text(write_record(game, {}, sealed=False), encoding="utf-8")
    return path


def runs_of(game: Game, number: int) -> tuple[svg.Line, ...]:
    """The runs that an order declared."""
    if not number or not isinstance(game.orders[number - 1], Run | RunBest):
        return ()
    _, before, events = next(iter(game.happened(number - 1)))
    return next((svg.lines_of(game.title, before, e.company, e.routes) for e in events if isinstance(e, Ran)), ())
