"""Pictures of the positions of many games, drawn with what was kept from the pictures before and drawn anew."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

import engine
from engine import svg
from engine.core import orders as o
from engine.core.ids import CompanyId
from engine.robots import random_order, sensible
from engine.svg.mosaic import Mosaic, board_mosaic, chart_mosaic, lays_mosaic
from moderator.adapters.mosaic import Pieces


@dataclass(frozen=True)
class Kept:
    """A store of pieces that has drawn other pictures before, and one that keeps nothing."""

    kept: Pieces
    anew: Pieces

    def check(self, mosaic: Mosaic, *others: Pieces) -> None:
        """Both draw the same file, and so do ``others``."""
        wanted = self.anew.png(mosaic)
        assert all(pieces.png(mosaic) == wanted for pieces in (self.kept, *others))


def pictures_of(game: engine.Game, chance: random.Random) -> Iterator[Mosaic]:
    """Pictures as mails have them: the whole map with a reader's marks, a part of it, runs, the chart, lays."""
    title, state, dark = game.title, game.state, chance.random() < 0.5
    hexes = list(title.map.hexes)
    since = game.at(max(0, len(game.orders) - chance.randrange(1, 30)))
    marked = chance.sample(hexes, chance.randrange(12))
    yield board_mosaic(title, state, width=1000, since=since, marked=marked, dark=dark)
    part = chance.sample(hexes, 1)
    yield board_mosaic(title, state, width=780, size=390, hexes=part, rings=2, since=since, marked=marked, dark=dark)
    yield chart_mosaic(title, state, width=780, near=True, dark=dark)
    if runs := _runs(game):
        ran = [hex for line in runs for hex in line.hexes]
        yield board_mosaic(title, state, width=600, size=390, hexes=ran, rings=0, runs=runs, dark=dark)
    if lays := _lays(game):
        yield lays_mosaic(title, state, [svg.LayGroup(("lays",), lays)], width=600, dark=dark)


def _runs(game: engine.Game) -> tuple[svg.Line, ...]:
    actors = [ask.actor for ask in game.asked() if ask.actor in game.state.companies]
    for actor in actors:
        if any(isinstance(choice.order, o.RunBest) for choice in game.legal(actor)):
            best = game.best_run(CompanyId(actor))
            return svg.lines_of(game.title, game.state, CompanyId(actor), best.routes)
    return ()


def _lays(game: engine.Game) -> tuple[svg.Lying, ...]:
    orders = [choice.order for ask in game.asked() for choice in game.legal(ask.actor)]
    return tuple(dict.fromkeys(svg.Lying(one.tile, one.rotation) for one in orders if isinstance(one, o.Lay)))[:24]


def robots_game(name: str, seed: int, every: int, most: int) -> Iterator[engine.Game]:
    """A game after every so many orders. Some of its orders are chosen by chance."""
    chance = random.Random(seed)
    title = engine.load_title(name, chance.choice(engine.editions(name)))
    game = engine.Game.start(title, engine.Setup(("Ann", "Bob", "Cat", "Dan"), seed=str(seed)))
    while not game.finished and len(game.orders) < most:
        ask = game.asked()[0]
        order = random_order(game, ask, chance) if chance.random() < 0.05 * seed else sensible(game, ask)
        assert game.submit(order)
        if len(game.orders) % every == 0:
            yield game
