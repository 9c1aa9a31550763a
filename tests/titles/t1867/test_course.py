"""1867 from its first auction to the end. Numbers in docstrings are rows of the rule sheet."""

from __future__ import annotations

import random

import pytest

import engine
from engine.core.ids import CompanyId, HexId, PrivateId, TrainName
from engine.core.orders import Drop, Open, Space
from engine.families.f1867.turn.first_marker import first_marker_spaces
from engine.robots import random_order
from engine.titles import t1867
from engine.titles.t1867 import homes, trade_in
from engine.titles.t1867.names import CANADIAN_NATIONAL, TORONTO

TITLE = t1867.load(None, {})
NAMES = ("Ann", "Bob", "Cat", "Dan", "Eve", "Fay")
CITIES = ["C17", "D8", "D16", "E13", "E15", "E17", "F8", "G15", "I15", "J12", "M9", "N12", "O7"]


def begun(players: int, seed: str = "x") -> engine.Game:
    return engine.Game.start(TITLE, engine.Setup(NAMES[:players], seed=seed))


def after_privates(players: int = 3) -> engine.Game:
    """A game in which every private has been bought at its minimum by the player on turn."""
    game = begun(players)
    while game.asked()[0].what.startswith("auction."):
        ask = game.asked()[0]
        open_ = ask.what == "auction.open"
        assert game.submit(Open(ask.player, PrivateId(ask.about[0])) if open_ else Drop(ask.player))
    return game


@pytest.mark.parametrize("players", range(2, 7))
def test_games_of_chance_reach_their_end_with_all_the_money(players: int) -> None:
    """1.1, 1.3."""
    game, chance = begun(players), random.Random(players)
    while not game.finished:
        assert game.submit(random_order(game, game.asked()[0], chance))
        assert sum(game.state.cash.values()) == 15_000
    assert len(game.standings()) == players


def test_the_national_railway_stands_in_toronto() -> None:
    """1.9."""
    assert begun(3).state.board.circles(TORONTO) == ((CANADIAN_NATIONAL,), ())


def test_homes_at_the_start() -> None:
    """4.5: 16 places in 15 hexes; neutral markers close Timmins and the third city of Montreal."""
    found = sorted(str(space.hex) for space in homes.homes(TITLE, begun(3).state))
    assert found == sorted([*CITIES, "F16", "L12", "L12"])


def test_places_of_a_public_company() -> None:
    """3.5, 3.6: Toronto never, because CN stands there."""
    found = {str(space.hex) for space in first_marker_spaces(TITLE, begun(3).state, CompanyId("GWR"))}
    assert found == {*CITIES, "L12"}


def test_the_opening_bid_names_the_home() -> None:
    """4.4: without a home, or with one that is closed, the bid is refused."""
    game = after_privates()
    player = game.asked()[0].player
    missing = game.submit(Open(player, CompanyId("CA"), 100))
    closed = game.submit(Open(player, CompanyId("CA"), 100, Space(HexId("D2"))))
    assert [failure.check for failure in getattr(missing, "failures", ())] == ["open.home_missing"]
    assert [failure.check for failure in getattr(closed, "failures", ())] == ["open.home_neutral"]
    assert game.submit(Open(player, CompanyId("CA"), 100, Space(HexId("M9"))))
    while game.asked()[0].what.startswith("auction."):
        assert game.submit(Drop(game.asked()[0].player))
    assert game.state.board.places_of(CompanyId("CA")) == ((HexId("M9"), 0),)
    assert not [mark for mark in game.state.marks if mark.startswith("home ")]


@pytest.mark.parametrize(
    ("train", "trade", "worth"),
    [("8", "5", 275), ("8", "5+5E", 750), ("2+2", "8", 500), ("2+2", "5+5E", 0), ("5+5E", "2+2", 300), ("7", "6", 0)],
)
def test_trains_given_in_part_payment(train: str, trade: str, worth: int) -> None:
    """11.3: half the price of the train, and never more than the new one costs."""
    assert trade_in.worth(TITLE, TrainName(train), TrainName(trade)) == worth
