"""Privates that companies buy, that are put up in a round of mergers, and gifts of money."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.core.events import Dropped, Won
from engine.core.ids import BANK, PlayerId, PrivateId
from engine.core.orders import OfferPrivate, Pass
from engine.titles.t1863.money.player_debt import PlayerDebt
from engine.titles.t1863.names import OFFERED, OUT
from engine.titles.t1863.privates.sales import PrivateOffers, ask_for_offers
from tests.kit.games.situations_1863 import London, situation, tube

# ---- bought by a company ---------------------------------------------------------------------------------------------


def operating(privates: dict[str, str], treasury: int = 500, **more: object) -> London:
    return situation(
        tube("MET", {"Ann": 5}, 100, cash=treasury, trains="2T", markers="C10"),
        tube("BAK", "Bob", 50, minor=True, markers="F9"), tube("CLR", "Ann", 50, minor=True, markers="I10"),
        privates=privates, tiles={"C10": "57#0"}, **more,  # type: ignore[arg-type]
    ).turn("MET", waiting="BAK CLR")  # fmt: skip


@pytest.mark.rule("1863:9.14")
def test_a_company_buys_a_private_of_its_controller_at_once() -> None:
    game = operating({"GRE": "Ann", "FOW": "Bob", "NEL": "CLR", "POR": "MET"})
    assert [line for line in game.accepted() if line.startswith("buy")] == ["buy GRE for 1"]
    game.do("MET: buy GRE for 140")
    assert (game.owner("GRE"), game.money("Ann"), game.money("MET")) == ("MET", 140, 360)
    assert game.refusals("MET: buy FOW for 10") == {"private.owner"}
    assert game.refusals("MET: buy NEL for 10") == {"private.owner"}


@pytest.mark.rule("1863:9.14", "1863:12.49")
@pytest.mark.parametrize(("price", "most"), [("double", 140), ("face", 70)])
def test_r49_the_price_is_at_most_twice_the_face(price: str, most: int) -> None:
    game = operating({"GRE": "Ann"}, options={"private_price": price})
    assert game.refusals("MET: buy GRE for 0") == {"private.price"}
    assert game.refusals(f"MET: buy GRE for {most}") == set()
    assert game.failures(f"MET: buy GRE for {most + 1}")["private.price"]["most"] == most
    assert operating({"GRE": "Ann"}, treasury=100).refusals("MET: buy GRE for 101") >= {"private.money"}


@pytest.mark.rule("1863:9.13", "1863:9.15")
def test_the_clink_club_is_never_sold() -> None:
    assert operating({"CLK": "Ann"}).refusals("MET: buy CLK for 10") == {"private.clink"}
    assert offering({"CLK": "Ann", "GRE": "Bob"}).asked == ["Bob privates.offer"]
    assert offering({"CLK": "Ann", "GRE": "Ann"}).refusals("Ann: auction CLK at 5") == {"offer.clink"}


# ---- put up in a round of mergers ------------------------------------------------------------------------------------


def offering(privates: dict[str, str], cash: dict[str, int] | None = None, **more: object) -> London:
    """The question at the beginning of a round of mergers, with the turn of a company beneath."""
    game = situation(
        tube("MET", {"Ann": 5}, 100, cash=50, trains="2T", markers="C10"),
        tube("BAK", "Bob", 50, minor=True, markers="F9", cash=0),
        privates=privates, cash={"Ann": 300, "Bob": 300, "Cat": 300, **(cash or {})}, round="MR 2.1",
        **more,  # type: ignore[arg-type]
    ).turn("MET", waiting="BAK")  # fmt: skip
    play = game.play()
    ask_for_offers(play)
    return game.take(play)


@pytest.mark.rule("1863:8.8")
def test_all_who_have_privates_are_asked_at_once() -> None:
    game = offering({"GRE": "Ann", "FOW": "MET", "NEL": "BAK", "POR": "Bob"})
    assert sorted(game.asked) == [
        "Ann MET privates.offer.for", "Ann privates.offer", "Bob BAK privates.offer.for", "Bob privates.offer",
    ]  # fmt: skip
    assert game.accepted("MET") == ["auction FOW at 5", "pass"]
    game.do("Bob: pass; BAK: pass; Ann: pass")
    assert game.asked == ["Ann MET privates.offer.for"]
    game.do("MET: pass")
    assert game.asked == ["Ann MET company.turn"]


@pytest.mark.rule("1863:8.8", "1863:9.17")
def test_it_is_sold_to_the_best_bid_at_or_above_the_minimum() -> None:
    game = offering({"GRE": "Ann", "POR": "Ann"})
    assert game.refusals("Ann: auction GRE at 4") == {"offer.minimum"}
    assert game.refusals("Bob: auction GRE at 5") == {"offer.private"}
    game.do("Ann: auction GRE at 30")
    assert sorted(game.asked) == ["Bob BAK auction.lot.for", "Bob auction.lot"]  # from the left of the seller
    assert game.refusals("Bob: bid 29") == {"bid.too_low"}
    assert game.refusals("Bob: bid 301") == {"lot.means"}
    game.do("Bob: bid 33")
    assert game.refusals("Cat: bid 37") == {"bid.too_low"}
    game.do("Cat: bid 38")
    assert game.asked == ["Ann MET auction.lot.for", "Ann auction.lot"] or sorted(game.asked) == [
        "Ann MET auction.lot.for", "Ann auction.lot",
    ]  # fmt: skip
    assert game.menu("Ann") == ["drop"]  # the seller does not bid for himself
    game.do("Ann: drop; Bob: drop")
    assert (game.owner("GRE"), game.money("Cat"), game.money("Ann")) == ("Cat", 262, 338)
    assert game.told(Won)[-1] == Won(PlayerId("Cat"), "GRE", 38)
    assert game.asked == ["Ann privates.offer"] and game.menu() == ["auction POR at 5", "pass"]


@pytest.mark.rule("1863:12.48")
def test_r48_without_a_bid_it_is_kept_and_not_put_up_again_in_the_round() -> None:
    game = offering({"GRE": "Ann"})
    game.do("Ann: auction GRE at 200; Bob: drop; Cat: drop")
    assert game.owner("GRE") == "Ann" and game.money("Ann") == 300
    assert game.asked == ["Ann MET company.turn"]
    assert game.state.marks[OFFERED] == {"GRE"}
    assert game.refusals("Ann: auction GRE at 5") == {"offer.twice"}


@pytest.mark.rule("1863:8.8", "1863:12.66")
def test_r66_a_company_of_the_seller_bids_up_to_twice_the_face_and_borrows() -> None:
    game = offering({"GRE": "Ann"})
    game.do("Ann: auction GRE at 100; Bob: drop; Cat: drop")
    assert game.refusals("Ann: bid 100") == {"lot.seller"}
    assert game.failures("MET: bid 141")["lot.means"]["means"] == 140
    game.do("MET: bid 140")
    assert (game.owner("GRE"), game.money("Ann"), game.loans("MET")) == ("MET", 440, 1)
    assert game.money("MET") == 50 + 100 - 140


@pytest.mark.rule("1863:8.8")
def test_a_company_that_sells_gets_the_money_and_does_not_bid() -> None:
    game = offering({"FOW": "MET"})
    game.do("MET: auction FOW at 5; Bob: bid 10; Cat: drop")
    assert game.refusals("MET: bid 20") == {"order.not_asked"}
    game.do("Ann: bid 20; Bob: drop")
    assert (game.owner("FOW"), game.money("MET"), game.money("Ann")) == ("Ann", 70, 280)


@pytest.mark.rule("1863:8.8", "1863:9.13")
def test_who_can_bid_with_nothing_is_out_by_itself() -> None:
    game = offering({"GRE": "Ann", "CLK": "Cat"}, cash={"Bob": 4})
    game.do("Ann: auction GRE at 100")
    assert [(e.player, e.forced) for e in game.told(Dropped)] == []
    assert game.asked == ["Bob auction.lot", "Bob BAK auction.lot.for"]  # the minor could borrow
    assert game.menu("Bob") == ["drop"] and game.menu("BAK") == ["bid 100"]
    game.do("Bob: drop")
    assert [(e.player, e.forced) for e in game.told(Dropped)] == [("Bob", False), ("Cat", True)]


@pytest.mark.rule("1863:8.8")
def test_privates_are_put_up_at_any_point_where_nothing_else_is_open() -> None:
    game = offering({"GRE": "Ann", "FOW": "MET"})
    game.do("Ann: pass; MET: pass")
    assert {"auction GRE at 5", "auction FOW at 5"} <= unasked(game, "Ann") and not any(
        line.startswith("auction") for line in unasked(game, "Cat")
    )
    assert game.refusals("Cat: auction GRE at 5") == {"offer.private"}
    game.do("Ann: auction FOW at 5")  # in his own name too
    assert game.asked[0].endswith("auction.lot")
    assert game.failures(OfferPrivate(PlayerId("Ann"), PrivateId("GRE"), 5)).keys() == {"offer.busy"}
    assert unasked(game, "Ann") == {"pay Bob 1", "pay Cat 1"}


@pytest.mark.rule("1863:8.8", "1863:9.16")
def test_in_other_rounds_privates_are_not_put_up() -> None:
    game = operating({"GRE": "Ann"})
    assert game.refusals("Ann: auction GRE at 5") == {"offer.round"}
    assert not any(line.startswith("auction") for line in unasked(game, "Ann"))


def test_silence_puts_nothing_up() -> None:
    game = offering({"GRE": "Ann"})
    (ask,) = game.title.steps[type(game.state.top)].asked(game.title, game.state, game.state.top)
    assert ask.silence == Pass(PlayerId("Ann"))


# ---- gifts -----------------------------------------------------------------------------------------------------------


def unasked(game: London, player: str) -> set[str]:
    found = game.title.policies.unasked(game.title, game.state, PlayerId(player))
    return {game.write(choice.sample(0)) for choice in found}


@pytest.mark.rule("1863:2.3", "1863:2.6")
def test_players_give_one_another_money_unasked() -> None:
    game = operating({}, cash={"Bob": 80})
    assert unasked(game, "Bob") == {"pay Ann 1", "pay Cat 1"} and not unasked(game, "Ann")
    game.do("Bob: pay Cat 30")
    assert (game.money("Bob"), game.money("Cat")) == (50, 30) and game.asked == ["Ann MET company.turn"]
    assert game.refusals("Bob: pay Ann 51") == {"pay.money"}
    assert game.refusals("Bob: pay Ann 0") == {"pay.money"}
    assert game.refusals("Bob: pay Bob 5") == {"pay.self"}


@pytest.mark.rule("1863:2.3")
def test_nobody_gives_money_away_while_he_may_owe_it() -> None:
    game = offering({"GRE": "Ann"})
    game.do("Ann: auction GRE at 30; Bob: bid 100")
    assert game.refusals("Bob: pay Cat 250") == {"pay.busy"} and not unasked(game, "Bob")
    assert not any("Bob" in ask for ask in game.asked)


@pytest.mark.rule("1863:2.3", "1863:2.6")
def test_a_player_is_paid_while_he_owes_and_is_not_asked_further() -> None:
    """Section 3.f: payments between players are allowed at any time."""
    game = operating({}, cash={"Ann": 20, "Bob": 80, "Cat": 90})
    game.state = replace(
        game.state, agenda=(*game.state.agenda, PlayerDebt(PlayerId("Ann"), 100, BANK, "short", "MET"))
    )
    assert game.asked == ["Ann debt.sell"]
    assert game.refusals("Ann: pay Cat 5") == {"pay.busy"} and not unasked(game, "Ann")
    game.do("Bob: pay Ann 50")
    assert game.asked == ["Ann debt.sell"] and game.money("Ann") == 70
    game.do("Cat: pay Ann 30")
    assert game.asked == ["Ann MET company.turn"] and (game.money("Ann"), game.shares("MET")["Ann"]) == (0, 5)


@pytest.mark.rule("1863:2.3", "1863:7.3")
def test_the_bankrupt_neither_give_nor_get() -> None:
    game = operating({}, cash={"Bob": 80}, marks={OUT: frozenset({PlayerId("Cat")})})
    assert game.refusals("Bob: pay Cat 30") == {"pay.payee"} and unasked(game, "Bob") == {"pay Ann 1"}


@pytest.mark.rule("1863:8.8", "1863:12.64")
@pytest.mark.parametrize(("price", "refused"), [(0, {"offer.private"}), (100, set())])
@pytest.mark.parametrize("actor", ["BAK", "Ann"])
def test_a_company_in_liquidation_puts_no_private_up(actor: str, price: int, refused: set[str]) -> None:
    game = situation(tube("BAK", {"Ann": 3}, price), round="MR 2.1", privates={"GRE": "BAK", "FOW": "Bob"})
    asking = PrivateOffers(((PlayerId("Bob"), PlayerId("Bob")),))
    assert game.frames(asking).refusals(f"{actor}: auction GRE at 5") == refused
