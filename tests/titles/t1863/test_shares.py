"""Certificates: minors and majors, the open short interest, shorts and their matching."""

from __future__ import annotations

import pytest

from engine.core.ids import CompanyId, PlayerId
from engine.holders.charters import charter_of
from engine.holders.control import controller_of
from engine.holders.ledger import counted, dividend_shares
from engine.titles.t1863.names import MAJOR, MINOR
from engine.titles.t1863.stock import shares
from engine.titles.t1863.stock.limits import check_limits
from tests.kit.games.situations_1863 import London, situation, tube

MET, BAK, ANN, CAT = CompanyId("MET"), CompanyId("BAK"), PlayerId("Ann"), PlayerId("Cat")


def adds_up(game: London, company: CompanyId) -> bool:
    """Ten shares outside the open short interest, and one more for each short; pairs in it."""
    found, out = game.shares(company), shares.shorts_out(game.state, company)
    inside = found.pop("OSI", 0)
    return sum(found.values()) == 10 + out and inside == shares.open_pairs(game.state, company) == 10 - out


@pytest.mark.rule("1863:4.2")
def test_a_major_is_floated_with_ten_pairs() -> None:
    game = situation()
    play = game.play()
    shares.float_certificates(play, MET, MAJOR, ANN, 3)
    game.take(play)
    assert game.shares("MET") == {"Ann": 2, "Treasury": 8, "OSI": 10}
    assert game.shorts("MET") == {"OSI": 10}
    assert (game.tokens("MET"), controller_of(game.title, game.state, MET)) == (3, "Ann")
    assert adds_up(game, MET)


@pytest.mark.rule("1863:4.2")
def test_a_minor_is_one_certificate() -> None:
    game = situation()
    play = game.play()
    shares.float_certificates(play, MET, MINOR, ANN, 1)
    game.take(play)
    assert game.shares("MET") == {"Ann": 2}
    assert shares.share_count(game.title, game.state, MET) == 2
    assert (shares.is_minor(game.title, game.state, MET), shares.is_major(game.title, game.state, MET)) == (True, False)


@pytest.mark.rule("1863:8.1")
def test_a_minor_becomes_a_major() -> None:
    game = situation(tube("MET", "BAK", 100, minor=True), tube("BAK", "Ann"))
    play = game.play()
    shares.become_major(play, MET, 3)
    game.take(play)
    assert game.shares("MET") == {"BAK": 2, "Treasury": 8, "OSI": 10}
    assert controller_of(game.title, game.state, MET) == "Ann"
    assert adds_up(game, MET)


@pytest.mark.rule("1863:8.5")
@pytest.mark.parametrize("closed", [False, True])
def test_a_charter_returns(closed: bool) -> None:
    game = situation(tube("MET", {"Ann": 4, "Bob": 3}, pool=1, shorts={"Cat": 2}))
    before = situation().state
    play = game.play()
    shares.return_unopened(play, MET, "liquidation", closed)
    assert play.state.companies[MET].status == ("closed" if closed else "unstarted")
    assert MET not in play.state.prices
    assert charter_of(game.title, play.state, MET).markers == 0
    assert {k: n for k, n in play.state.holdings.items() if n} == {k: n for k, n in before.holdings.items() if n}


@pytest.mark.rule("1863:4.7")
def test_a_short_brings_its_share_into_the_pool() -> None:
    game = situation(tube("MET", {"Ann": 4, "Bob": 3}))
    play = game.play()
    shares.open_short(play, CAT, MET)
    game.take(play)
    assert game.shares("MET") == {"Ann": 4, "Bob": 3, "Pool": 1, "Treasury": 3, "OSI": 9}
    assert game.shorts("MET") == {"Cat": 1, "OSI": 9}
    assert dividend_shares(game.title, game.state, CAT, MET) == -1
    assert adds_up(game, MET)


@pytest.mark.rule("1863:4.7", "1863:4.38")
def test_shorts_and_shares_of_one_player_are_matched() -> None:
    game = situation(tube("MET", {"Ann": 4, "Cat": 2}, pool=1, shorts={"Cat": 3, "Bob": 1}))
    play = game.play()
    shares.match_shorts(play, MET)
    game.take(play)
    assert game.shorts("MET") == {"Cat": 1, "Bob": 1, "OSI": 8}
    assert game.shares("MET") == {"Ann": 4, "Pool": 1, "Treasury": 7, "OSI": 8}
    assert adds_up(game, MET)


@pytest.mark.rule("1863:4.1", "1863:4.12")
def test_only_certificates_in_a_players_own_hand_count() -> None:
    game = situation(
        tube("MET", {"Ann": 5}, shorts={"Bob": 2}),
        tube("BAK", {"MET": 5, "Ann": 1}),
        tube("DIS", "Ann", minor=True),
        privates={"GRE": "Ann"},
    )
    count = [counted(game.title, game.state, p) for p in game.state.players]
    assert count == [1 + 3 + 1 + 1, 0, 0]


@pytest.mark.rule("1863:4.5")
def test_shares_that_are_not_paid_for_are_on_the_charter() -> None:
    game = situation(tube("MET", {"Ann": 4, "BAK": 2}, pool=2, shorts={"Cat": 1}), tube("BAK", "Bob"))
    assert shares.own_charter(game.title, game.state, MET) == 3


def test_bankrupt_players_have_no_seats() -> None:
    game = situation(players="Ann Bob Cat Dan", marks={"out": frozenset({PlayerId("Bob")})})
    assert shares.players_in(game.state) == ("Ann", "Cat", "Dan")
    assert shares.seats_from(game.state, CAT) == ("Cat", "Dan", "Ann")
    assert shares.seats_after(game.state, PlayerId("Bob")) == ("Cat", "Dan", "Ann")


@pytest.mark.rule("1863:4.1", "1863:4.13")
@pytest.mark.parametrize(("certificates", "refused"), [(10, set[str]()), (11, {"limit.certificates"})])
def test_a_minor_is_one_certificate_more(certificates: int, refused: set[str]) -> None:
    """Six players may have eleven certificates each."""
    mine = ("BAK", "CIR", "CLR", "ELR", "HAM", "LCR", "PIC", "WCR", "WWR", "WBR", "MET")[:certificates]
    game = situation(
        *(tube(c, "Ann", 100) for c in mine), tube("CSL", "Bob", 90, minor=True), players="Ann Bob Cat Dan Eve Fay"
    )
    found = check_limits(game.title, game.state, ANN, CompanyId("CSL"), 2)
    assert {failure.check for failure in found} == refused
