"""Mergers of 1841 as 18xx.games records them: what we write is read again as the same orders."""

from __future__ import annotations

import pytest

import engine
from engine.core.agenda import Exact
from engine.core.ids import CompanyId
from engine.core.orders import Convert, Done, Keep, Merge, Sell, Take
from engine.site18xx.t1841.converter import Converter
from engine.site18xx.t1841.writer import Writer
from tests.kit.games.situations_1841 import Italian, firm, situation

COMO_BERGAMO = {"D8": "57#2", "E9": "621#2"}
"""Track that joins the two cities."""


def live(position: Italian) -> engine.Game:
    """A game that begins in this position."""
    return engine.Game(position.title, engine.Setup(position.state.players), position.state)


def read_again(position: Italian, game: engine.Game) -> engine.Game:
    """``game``, which began in ``position``, written for the site and read again. A pass of the new company belongs to
    its choice of markers."""
    players = position.state.players
    actions = Writer(game, {player: n for n, player in enumerate(players, 1)}).write()
    again = live(position)
    converter = Converter(again, {str(n): player for n, player in enumerate(players, 1)}, actions, over=False)
    for number, action in enumerate(actions):
        converted = converter.step(number)
        if (action["type"], action["entity"]) == ("pass", "ILTF"):
            assert [type(order) for order in converted.orders] == [Keep]
    return again


@pytest.mark.parametrize(
    ("first", "second", "tokens"),
    [
        ("D8", "E9 H4/1", (5, 2)),  # a city without track
        ("D8 H4/0", "E9 H4/1", (2, 2)),  # two tokens in one hex, of which one goes
        ("D8 H8 F8", "E9 K11 D16 M5", (5, 4)),  # more than may stay
    ],
)
def test_every_choice_of_markers_is_read_as_it_was_made(first: str, second: str, tokens: tuple[int, int]) -> None:
    rows = (
        firm("AFI", {"Bob": 4}, "E4", markers=first, tokens=tokens[0]),
        firm("CTS", {"Cat": 2}, "C5", markers=second, tokens=tokens[1]),
        firm("SFTC", {"Cat": 2}, "B6", markers="M3"),
    )
    position = situation(*rows, tiles=COMO_BERGAMO, edition="v2", phase="4").turn("AFI", "merge", waiting="SFTC")
    asked = live(position)
    assert not isinstance(asked.submit(Merge(CompanyId("AFI"), (CompanyId("CTS"),), CompanyId("ILTF"))), engine.Refused)
    keeps = [choice.order for choice in asked.legal(CompanyId("ILTF")) if isinstance(choice, Exact)]
    assert len(keeps) > 1 and all(isinstance(keep, Keep) for keep in keeps)
    for keep in keeps:
        game = asked.fork()
        for order in (keep, Done(CompanyId("SFTC"))):
            assert not isinstance(game.submit(order), engine.Refused), order
        assert read_again(position, game).state.board.markers == game.state.board.markers, keep


@pytest.mark.rule("8.10")
@pytest.mark.parametrize(("above", "cash"), [("Cat", 0), ("SFTC", 0), ("SFTC", 50)])
def test_those_above_a_company_sell_for_a_token_after_it_has(above: str, cash: int) -> None:
    """CGTF sells all that it may. In the record Cat's sale names no company, and a sale by SFTC names CGTF. With 50 L.
    SFTC has paid for the token before the sales."""
    rows = (
        firm("CTLP", {above: 2, "Ann": 1}, "A9", pool=2, markers="D8"),
        firm("CTS", {"Bob": 2, above: 1}, "D9"),
        firm("SFTC", {"Cat": 2}, "E9", cash=cash),
        firm("SFTN", {"Ann": 2}, "B6", markers="H4/1"),
    )
    position = situation(*rows, edition="v2", phase="4").turn("CTLP", "merge", waiting="SFTN")
    game, sellers = live(position), set[str]()
    while game.asked()[0].actor != "SFTN":
        ask = game.asked()[0]
        sale = next(
            (c.order for c in game.legal(ask.actor) if isinstance(c, Exact) and isinstance(c.order, Sell)), None
        )
        order = Convert(CompanyId("CTLP"), CompanyId("CGTF")) if not game.orders else sale
        sellers |= {ask.actor} if game.orders and sale else set()
        assert not isinstance(game.submit(order or Take(ask.actor, 0)), engine.Refused)
    assert sellers == {"CGTF", above}
    assert read_again(position, game).orders == game.orders
