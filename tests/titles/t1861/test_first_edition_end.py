"""1861 in its first edition: mergers, and how it ends."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.core.events import GameOver, RoundBegan
from engine.core.ids import PlayerId, PrivateId
from engine.holders.ledger import counted
from tests.kit.games.course_1861 import (
    agreed,
    mergers,
    minor,
    operating_turn,
    stock_turn,
    whole_round,
)
from tests.kit.games.situations import Described, Played, company, situation

FIRST = "first"


def public(name: str, at: str = "r5c6", **rest: object) -> Described:
    given: dict[str, object] = {"markers": "", "trains": "5", **rest}
    return company(name, {"Ann": 2, "Bob": 2}, at=at, **given)  # type: ignore[arg-type]


def rounds(game: Played) -> list[str]:
    return [str(e.round) for e in game.told(RoundBegan)]


# ---- 7: mergers -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("14.9")
@pytest.mark.parametrize(("high", "low", "price"), [(120, 55, 165), (50, 45, 90), (40, 35, 70), (135, 100, 200)])
def test_highest_and_lowest_price_together_at_most_200(high: int, low: int, price: int) -> None:
    game = mergers(minor("K-R", "Bob", high), minor("M-V", "Bob", low), edition=FIRST)
    game.do("K-R: merge M-V into NW")
    assert int(game.price("NW").split()[0]) == price


@pytest.mark.rule("14.12", "14.11")
def test_the_owner_of_the_earliest_minor_must_buy_whoever_leads() -> None:
    """M-V leads, after K-R has declined; K-R's owner is earlier in the order all the same."""
    described = minor("K-R", "Bob", 135), minor("M-V", "Cat", 120)
    game = mergers(*described, edition=FIRST, cash={"Bob": 200, "Cat": 900})
    game.do("K-R: decline")
    agreed(game, "M-V: merge K-R into NW")
    assert game.asked == ["Bob offer.shares"]
    assert game.refusals("Bob: take 0") == {"offer.obliged"}
    assert game.menu() == ["take 1"]
    game.do("Bob: take 1")
    assert (game.director("NW"), game.money("NW")) == ("Bob", 200)


@pytest.mark.rule("14.12", "14.15")
@pytest.mark.parametrize(("privates", "refused"), [("TSR BSS", set()), ("TSR BSS MYR", {"merge.two_shares"})])
def test_beyond_his_certificate_limit_he_cannot_and_there_is_no_merger(privates: str, refused: set[str]) -> None:
    """Eleven certificates for six players. At the limit he can: his two shares become one certificate."""
    names = ("N", "M-K", "K-B", "K-K", "O-K", "R-O", "SP-W", "M-NN")
    many = [company(m, "Bob", at="r8c2") for m in names]
    described = minor("K-R", "Bob", 135), minor("M-V", "Cat", 120), *many
    game = mergers(*described, edition=FIRST, players="Ann Bob Cat Dan Eve Fay", cash={"Bob": 900, "Cat": 900},
                   privates=dict.fromkeys(privates.split(), "Bob"))  # fmt: skip
    assert counted(game.title, game.state, PlayerId("Bob")) == 9 + len(privates.split())
    assert game.refusals("K-R: merge M-V into NW") == refused


@pytest.mark.rule("14.13")
def test_two_markers_are_kept_if_possible() -> None:
    joined = mergers(minor("N", "Bob"), minor("M-K", "Bob"), edition=FIRST)
    joined.do("N: merge M-K into NW")
    assert joined.markers("NW") == ["H8"], "two in one hex are not possible"
    apart = mergers(minor("K-R", "Bob"), minor("M-V", "Bob"), edition=FIRST)
    apart.do("K-R: merge M-V into NW")
    assert apart.markers("NW") == ["G15", "I13"]


@pytest.mark.rule("14.15", "1.6", "14.7")
def test_holders_buy_up_to_six_shares() -> None:
    game = mergers(minor("K-R", "Bob", 50), minor("M-V", "Bob", 50), edition=FIRST, cash={"Bob": 900})
    game.do("K-R: merge M-V into NW")
    assert game.refusals("Bob: take 5") == {"offer.limit"}
    assert game.refusals("Bob: take 4") == set()


@pytest.mark.rule("14.8", "8.1")
def test_markers_of_others_block_a_merger_and_those_of_the_group_do_not() -> None:
    """The state railway's block as anybody's."""
    railway = company("RSR", markers="I13", trains="5")
    game = mergers(minor("K-R", "Bob", 120), minor("V", "Bob", 110), railway, edition=FIRST)
    assert game.refusals("K-R: merge V into NW") == {"merge.connection"}


# ---- 8: the end -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("15.6", "15.5")
@pytest.mark.parametrize("round", ["OR 7.1", "OR 7.2"])
@pytest.mark.parametrize(("edition", "reason"), [("v2.0", "last_train"), (FIRST, "bank")])
def test_the_bank_that_breaks_before_the_8_train_ends_the_game(edition: str, reason: str, round: str) -> None:
    game = situation(public("MVR", cash=1000), phase="7", supply={"7": 0}, round=round, bank=9, edition=edition,
                     privates={"TSR": "Ann"})  # fmt: skip
    whole_round(game)
    assert game.state.broke is not None
    game.do("MVR: train 8")
    game.quietly()
    assert [e.reason for e in game.told(GameOver)] == [reason]
    assert (rounds(game) == []) == (edition == FIRST)


@pytest.mark.rule("15.6", "15.4")
def test_the_bank_breaks_in_a_stock_round_and_one_operating_round_is_the_last() -> None:
    described = company("MVR", {"Bob": 3, "Ann": 2}, at="r5c6", markers="", trains="5", cash=1000)
    game = situation(described, phase="7", supply={"7": 0}, round="SR 5", bank=199, edition=FIRST)
    stock_turn(game, "Ann").do("Ann: sell 2 MVR")
    game.quietly("OR 5.1")
    game.do("MVR: train 8")
    game.quietly()
    assert rounds(game) == ["OR 5.1"]
    assert [e.reason for e in game.told(GameOver)] == ["bank"]


@pytest.mark.rule("15.6", "12.8")
def test_nor_does_the_state_railways_8_train_prolong_it() -> None:
    railway = company("RSR", cash=1000, trains="5", markers="E1/1")
    game = situation(railway, public("MVR"), phase="7", supply={"7": 0}, round="OR 7.2", bank=5, edition=FIRST,
                     privates={"TSR": "Ann"})  # fmt: skip
    whole_round(game).quietly()
    assert "8" in game.trains("RSR")
    assert rounds(game) == []


@pytest.mark.rule("15.1", "15.6")
def test_after_the_8_train_the_bank_ends_nothing() -> None:
    game = situation(public("MVR", cash=1000), phase="7", supply={"7": 0}, round="OR 6.1", edition=FIRST)
    operating_turn(game, "MVR").do("MVR: train 8")
    cash = {**game.state.cash, "Bank": 0, "Cat": game.money("Cat") + game.money("Bank")}
    game.state = replace(game.state, cash=cash, privates={PrivateId("TSR"): PlayerId("Ann")})
    game.quietly()
    assert game.state.broke is not None
    assert rounds(game) == ["OR 6.2", "OR 6.3"]
    assert [e.reason for e in game.told(GameOver)] == ["last_train"]


@pytest.mark.rule("15.7", "15.8")
@pytest.mark.parametrize(("edition", "private"), [("v2.0", 90), (FIRST, 0)])
def test_wealth_is_cash_and_stock_at_its_price(edition: str, private: int) -> None:
    game = situation(
        company("MVR", {"Ann": 4, "Bob": 2}, at="r3c8", loans=1, cash=900, trains="5", markers=""),
        company("K-R", "Cat", at="r6c4", loans=0, cash=77),
        cash={"Ann": 10, "Bob": 20, "Cat": 30}, privates={"WVR": "Cat"}, phase="5", edition=edition,
    )  # fmt: skip
    worth = [game.title.score(game.title, game.state, p) for p in game.state.players]
    assert worth == [10 + 4 * 135, 20 + 2 * 135, 30 + private + 2 * 70]
