"""All that is read and worked out once, done before a player needs it: titles, sentences, templates, the notation."""

from __future__ import annotations

from typing import Final

from engine import Ask, Game, Setup, load_title, title_names, write_position
from engine.core import orders as o
from engine.robots import sensible
from moderator.desk.sitting import Sitting

_ORDERS: Final = 120
"""The number of orders of the game that is played of each title: to its first turns of companies, and beyond."""
_PLAYERS: Final = ("Ann", "Bob", "Cat")


def warm() -> None:
    """Play a little of each title, and show each kind of question once. Nothing of it is left but what was read."""
    for name in title_names():
        game, seen = Game.start(load_title(name), Setup(_PLAYERS, seed="warm")), set[str]()
        for _ in range(_ORDERS):
            if game.finished:
                break
            ask = game.asked()[0]
            if ask.what not in seen:
                seen.add(ask.what)
                _show(write_position(game, ask.player), ask)
            game.submit(sensible(game, ask))


def _show(position: str, ask: Ask) -> None:
    """Show all that the page shows of a position, and try an order on it."""
    desk = Sitting.open(position)
    if not isinstance(desk, Sitting):
        raise TypeError(f"the program cannot read its own position: {desk['text']}")
    first = desk.view()["asked"][0]
    for part in (desk.board, desk.chart, desk.tables, desk.runs):
        part()
    lay = next((choice.order for choice in desk.game.legal(ask.actor) if isinstance(choice.order, o.Lay)), None)
    if lay is not None:
        desk.effect(desk.lays(ask.actor, str(lay.hex))[0]["order"], ask.actor)
    for answer in first["answers"][:1]:
        desk.effect(answer["text"], ask.actor)
        desk.give(answer["text"], ask.actor)
        desk.view()
