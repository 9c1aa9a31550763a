"""Circles of companies of 1841 that the first 4-train closes, and how a circle is resolved."""

from __future__ import annotations

import pytest

from engine.core.events import Froze
from engine.core.ids import PlayerId
from engine.titles.t1841.first_four import FirstFour
from tests.kit.games.situations_1841 import Italian, firm, situation


def closed_by_the_secession() -> Italian:
    """The IRSFF presides over SFTG, which has the second pair: SFL will own SFTG, and SFTG owns SFL."""
    game = situation(
        firm("IRSFF", {"Ann": 2, "SFTG": 2}, "F4", cash=100),
        firm("SFTN", {"Bob": 2, "IRSFF": 1}, "K1", markers=""),
        firm("SFTG", "IRSFF", "B1", markers="H4/0"),
        firm("AFI", "Eve", "A1", markers="L12"),
        players="Ann Bob Eve",
    ).turn("AFI", "sell")
    return game.turns(*game.state.agenda, FirstFour(PlayerId("Eve")))  # type: ignore[return-value]


@pytest.mark.clarification("2.24")
@pytest.mark.clarification("3.1")
def test_the_secession_may_close_a_circle() -> None:
    """Certificates go to SFV and SFL in turn: SFTN is dearer, so SFL gets the presidency of SFTG."""
    game = closed_by_the_secession()
    assert game.asked == ["Ann secession.part"]
    game.do("Ann: choose SFV")
    assert (game.president("SFL"), game.president("SFTG")) == ("SFTG", "SFL")
    assert (game.frozen("SFL"), game.frozen("SFTG"), game.frozen("SFV")) == (True, True, False)
    assert {e.company for e in game.told(Froze)} >= {"SFL"}


def circle(edition: str) -> Italian:
    """AFI and CTS own each other; Ann has one share of CTS."""
    return situation(
        firm("AFI", "CTS", "F4", markers="D8"),
        firm("CTS", {"AFI": 3, "Ann": 2}, "E4", markers="E9"),
        edition=edition,
    ).operating("AFI")


@pytest.mark.clarification("2.24")
def test_a_company_in_a_circle_sells_its_shares_of_its_owners_at_full_price() -> None:
    """AFI goes two columns left and sells its three shares of CTS at 90: Ann presides over CTS, and so controls AFI."""
    game = circle("clarified")
    assert game.money("AFI") == 270
    assert (game.president("CTS"), game.shares("CTS")) == ("Ann", {"Ann": 2, "Pool": 3, "Treasury": 5})
    assert not game.frozen("AFI")


@pytest.mark.clarification("2.24", site=True)
def test_on_the_site_it_is_frozen_and_nothing_is_sold() -> None:
    game = circle("v2")
    assert (game.money("AFI"), game.shares("CTS")["AFI"], game.frozen("AFI")) == (0, 3, True)
