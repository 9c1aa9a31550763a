"""What happens between an order of 1844 and the consent it waits for, and a company that has no marker on the map."""

from __future__ import annotations

from engine.core.events import Lapsed
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
