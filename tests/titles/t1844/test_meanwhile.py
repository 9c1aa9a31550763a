"""What happens between an order of 1844 and the consent it waits for, and a company that has no marker on the map."""

from __future__ import annotations

import pytest

import engine
from engine.core.events import Lapsed
from engine.site18xx.t1844.writer import Writer
from tests.kit.games.situations_1844 import situation, swiss


def test_a_private_used_while_its_sale_waits_for_consent_is_not_sold() -> None:
    game = situation(
        swiss("MOB", {"Bob": 5}, cash=300),
        edition="18xx.games",
        phase="3",
        privates={"P4": "Ann"},
    ).turn("MOB", "trains")
    game.do("MOB: buy P4 for 100")
    assert game.asked == ["Ann consent"]
    game.do("Ann: use P4")
    game.do("Ann: agree")
    assert [type(e.order).__name__ for e in game.told(Lapsed)] == ["BuyPrivate"]
    assert (game.money("Ann"), game.money("MOB")) == (80, 300)


def test_a_train_that_no_longer_fits_when_its_seller_agrees_is_not_bought() -> None:
    game = situation(
        swiss("MOB", {"Bob": 5}, cash=300, trains="3H"),
        swiss("BLS", {"Ann": 5}, trains="4 4"),
        phase="5",
        privates={"P7": "Bob"},
    ).turn("MOB", "trains")
    game.do("MOB: train 4 from BLS for 300")
    game.do("Bob: use P7 for MOB")
    game.do("BLS: agree")
    assert game.told(Lapsed) and (game.trains("MOB"), game.trains("BLS")) == ("3H 5H", "4 4")


def test_a_company_without_a_marker_on_the_map_can_lay_nothing() -> None:
    game = situation(
        swiss("SBB", {"Ann": (2, 3)}, cash=300, trains="SBB5H", markers=""), phase="5", privates={"P2": "Ann"}
    ).turn("SBB")
    assert [line for line in game.menu() if line.startswith("SBB: lay")] == []


TRACK = ("choose_ability", "P4")
SALE = ("buy_company", "MOB")


@pytest.mark.parametrize(
    ("sold", "answer", "written"),
    [
        ("P2", "agree", [TRACK, SALE]),
        ("P2", "refuse", [TRACK]),
        ("P4", "agree", [TRACK]),  # closed by then: nothing is sold
    ],
)
def test_what_is_done_while_others_are_asked_is_written_for_18xx_games(
    sold: str, answer: str, written: list[tuple[str, str]]
) -> None:
    """The site asks for no consent: it has the sale, if there is one, when the owner agrees."""
    position = situation(
        swiss("MOB", {"Bob": 5}, cash=300),
        edition="18xx.games",
        phase="3",
        privates={"P2": "Ann", "P4": "Ann"},
    ).turn("MOB", "trains")
    players = position.state.players
    live = engine.Game(position.title, engine.Setup(players), position.state, _kept={0: position.state})
    for text in (f"MOB: buy {sold} for 1", "Ann: use P4", f"Ann: {answer}"):
        (order,) = position.read(text)
        assert live.submit(order), text
    actions = Writer(live, {player: number for number, player in enumerate(players, 1)}).write()
    assert [(a["type"], a["entity"]) for a in actions if a["type"] != "pass"] == written
