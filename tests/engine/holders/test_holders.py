"""Who owns and who controls a company, who has how much of it, and who follows: in positions without any title."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.acts.pay_out import pay_shares
from engine.core.description import told, told_digest
from engine.core.events import CertificatesMoved, Chartered, Paid
from engine.core.ids import BANK, POOL, CompanyId, PlayerId
from engine.core.title import Play
from engine.holders.charters import all_shares, charter_of, of_kind
from engine.holders.control import chain_of, circle_of, control_facts, controlled_by, controller_of, owner_of
from engine.holders.ledger import (
    all_shares_in,
    counted,
    dividend_shares,
    held_together,
    holders,
    shares,
    shares_over_chain,
)
from engine.holders.succession import becomes_director, director_after, heirs, rearrange, settle_director, successor
from tests.kit.games.course_1861 import operating_turn
from tests.kit.games.situations import company, situation
from tests.kit.games.toy_holdings import PLAYERS, TEN, A, B, C, held, toy

ANN, BOB, CAT = PLAYERS


# ---- owner and controller -------------------------------------------------------------------------------------------


def test_a_company_directs_a_company_that_directs_a_third() -> None:
    play = held(A="Ann 60", B="A 50 Bob 30", C="B 40 Cat 30")
    title, state = play.title, play.state
    assert [owner_of(title, state, c) for c in (A, B, C)] == [ANN, A, B]
    assert chain_of(title, state, C) == (B, A, ANN)
    assert [controller_of(title, state, c) for c in (A, B, C)] == [ANN, ANN, ANN]
    assert controlled_by(title, state, ANN) == (A, B, C) and controlled_by(title, state, BOB) == ()


def test_a_company_without_owner_freezes_those_below_it() -> None:
    play = held(A="Pool 100", B="A 50", C="B 40")
    assert [owner_of(play.title, play.state, c) for c in (A, B, C)] == [None, A, B]
    assert [controller_of(play.title, play.state, c) for c in (A, B, C)] == [None, None, None]
    assert circle_of(play.title, play.state, C) == ()


def test_an_event_makes_a_circle_which_is_frozen_and_thaws() -> None:
    play = held(A="Ann 20", B="A 50", C="B 40")
    title = play.title
    assert circle_of(title, play.state, C) == ()
    play.emit(CertificatesMoved(A, "director", 1, ANN, C))  # no rule let it: a merger elsewhere has brought it about
    assert [controller_of(title, play.state, c) for c in (A, B, C)] == [None, None, None]
    assert [circle_of(title, play.state, c) for c in (A, B, C)] == [(A, C, B), (B, A, C), (C, B, A)]
    play.emit(CertificatesMoved(A, "director", 1, C, BOB))
    assert [controller_of(title, play.state, c) for c in (A, B, C)] == [BOB, BOB, BOB]
    assert circle_of(title, play.state, C) == ()


def test_a_company_beside_a_circle_is_frozen_and_says_which_circle() -> None:
    play = held(A="B 50", B="A 50", C="B 40 Ann 30")
    assert controller_of(play.title, play.state, C) is None
    assert circle_of(play.title, play.state, C) == (B, A)


# ---- how much -------------------------------------------------------------------------------------------------------


def test_sixty_in_the_hundred_count_over_the_whole_chain() -> None:
    play = held(A="Ann 60", B="A 50 Bob 30", C="Ann 20 A 20 B 20 Bob 10")
    title, state = play.title, play.state
    assert [shares(title, state, h, C) for h in (ANN, A, B, BOB)] == [2, 2, 2, 1]
    assert shares_over_chain(title, state, ANN, C) == 6
    assert {held_together(title, state, h, C) for h in (ANN, A, B)} == {6}
    assert held_together(title, state, BOB, C) == 1


def test_the_shares_of_all_companies_in_some_places_are_added_up() -> None:
    play = held(A="Ann 60 A 20", B="A 50 Bob 30", C="Ann 20 A 20 B 20 Bob 10")
    title, state = play.title, play.state
    chain = (ANN, *controlled_by(title, state, ANN))
    found = all_shares_in(title, state, chain)
    assert {c: found.get(c, 0) for c in (A, B, C)} == {A: 6, B: 5, C: 6}  # what A has of itself does not count
    assert all(found.get(c, 0) == shares_over_chain(title, state, ANN, c) for c in state.companies)
    assert all_shares_in(title, state, (POOL,)) == {A: 2, B: 2, C: 3} and all_shares_in(title, state, ()) == {}


def test_what_a_frozen_company_has_counts_for_nobody_else() -> None:
    play = held(A="Pool 100", B="A 50 Ann 30", C="Ann 20 B 20")
    assert shares_over_chain(play.title, play.state, ANN, C) == 2
    assert held_together(play.title, play.state, B, C) == 2


def test_a_dividend_goes_to_every_holder_and_not_to_the_pool() -> None:
    play = held(A="Ann 40 B 30 Bob 10", B="Cat 50")
    pay_shares(play, A, 7)
    assert [(e.payer, e.payee, e.amount) for e in play.events if isinstance(e, Paid)] == [
        (BANK, "Ann", 28), (BANK, "Bob", 7), (BANK, "B", 21),
    ]  # fmt: skip


# ---- who follows ----------------------------------------------------------------------------------------------------


def test_a_company_with_more_becomes_director_in_the_place_of_a_player() -> None:
    play = held(A="Ann 20 B 30", B="Cat 50")
    assert becomes_director(play.title, play.state, A, B, 0)
    settle_director(play, A, B)
    assert owner_of(play.title, play.state, A) == B and controller_of(play.title, play.state, A) == CAT
    assert shares(play.title, play.state, B, A) == 3 and shares(play.title, play.state, ANN, A) == 2


def test_a_player_displaces_a_company_only_with_more() -> None:
    play = held(A="B 30 Ann 30", B="Cat 50")
    settle_director(play, A, ANN)
    assert owner_of(play.title, play.state, A) == B
    play.emit(CertificatesMoved(A, "ordinary", 1, POOL, ANN))
    settle_director(play, A, ANN)
    assert owner_of(play.title, play.state, A) == ANN


def test_between_equal_holdings_the_order_is_players_from_the_left_then_companies() -> None:
    play = held(A="Bob 20 Ann 30 Cat 30 C 30", C="Ann 50")
    assert heirs(play.title, play.state, A, BOB) == (CAT, ANN, C)
    assert successor(play.title, play.state, A, BOB, 2) == CAT


def test_when_a_company_gives_up_the_players_count_from_its_controller() -> None:
    play = held(A="C 20 Ann 30 Bob 30", C="Ann 50")
    assert heirs(play.title, play.state, A, C) == (BOB, CAT, ANN)
    assert successor(play.title, play.state, A, C, 1) == BOB


def test_whoever_has_less_than_the_certificate_is_worth_does_not_follow() -> None:
    play = held(A="Ann 20 B 10 Bob 10", B="Cat 50")
    assert successor(play.title, play.state, A, ANN, 0) is None


@pytest.mark.parametrize(
    ("charter", "shares_of_bob", "director"), [("ten", 1, None), ("ten", 2, BOB), ("single", 1, BOB)]
)
def test_a_company_without_owner_goes_to_whoever_has_enough(
    charter: str, shares_of_bob: int, director: PlayerId | None
) -> None:
    play = held(toy(charter), A="Pool 100")
    assert director_after(play.title, play.state, A, (ANN, BOB, CAT), {BOB: shares_of_bob}) == director


def test_as_few_certificates_as_possible_move_and_none_of_no_shares() -> None:
    play = held(A="Ann 20 Bob 30 Cat 20 C 10")
    before = len(play.events)
    assert rearrange(play, A, {BOB: 2, CAT: 1, C: 2, POOL: 3}, ANN) == ANN
    moved = [e for e in play.events[before:] if isinstance(e, CertificatesMoved)]
    assert [e.count for e in moved] == [1, 1]
    assert [shares(play.title, play.state, place, A) for place in (ANN, BOB, CAT, C, POOL)] == [2, 2, 1, 2, 3]


# ---- a kind of holding that a title adds ----------------------------------------------------------------------------


def with_shorts(**companies: str) -> Play:
    return held(toy("short"), {"A": ("Cat", 2)}, **companies)


def test_a_short_is_no_share_and_no_certificate_and_costs_the_dividend() -> None:
    play = with_shorts(A="Ann 60 Bob 20")
    title, state = play.title, play.state
    assert (shares(title, state, CAT, A), dividend_shares(title, state, CAT, A), counted(title, state, CAT)) == (
        0,
        -2,
        0,
    )
    assert holders(state, A) == (ANN, BOB, CAT) and all_shares(title, state, A) == 10
    pay_shares(play, A, 5)
    assert [(e.payer, e.payee, e.amount) for e in play.events if isinstance(e, Paid)] == [
        (BANK, "Ann", 30), (BANK, "Bob", 10), ("Cat", BANK, 10),
    ]  # fmt: skip


def test_a_short_that_is_covered_costs_nothing_more() -> None:
    play = with_shorts(A="Ann 60 Bob 20")
    play.emit(CertificatesMoved(A, "short", 1, CAT, "OSI"), CertificatesMoved(A, "ordinary", 1, POOL, "OSI"))
    pay_shares(play, A, 5)
    assert ("Cat", BANK, 5) in [(e.payer, e.payee, e.amount) for e in play.events if isinstance(e, Paid)]
    assert shares(play.title, play.state, "OSI", A) == 1 and dividend_shares(play.title, play.state, "OSI", A) == 0


# ---- what a company is ----------------------------------------------------------------------------------------------


def test_what_a_company_has_become_is_read_in_the_position_and_told() -> None:
    play = held(A="Ann 60")
    before = told_digest(play.title, play.state)
    play.emit(Chartered(A, replace(TEN, kind="major", markers=4)))
    assert charter_of(play.title, play.state, A).kind == "major" and charter_of(play.title, play.state, B).kind == "toy"
    assert of_kind(play.title, play.state, "major") == (A,) and of_kind(play.title, play.state, "toy") == (B, C)
    assert told(play.title, play.state)["companies"]["A"]["charter"]["markers"] == 4
    assert told_digest(play.title, play.state) != before
    play.emit(Chartered(A, None))
    assert told_digest(play.title, play.state) == before


# ---- a title whose companies could own each other -------------------------------------------------------------------


@pytest.mark.parametrize("controller", ["Bob", "Cat"])
def test_the_controller_of_the_chain_is_asked_for_a_companys_turn(controller: str) -> None:
    """NW has MVR's director's certificate: whoever directs NW takes MVR's turn, and NW gets its dividend."""
    game = situation(
        company("MVR", {"NW": 5}, at="r6c4", trains="", markers="H8"),
        company("NW", {controller: 5}, at="r6c4", markers="B4", cash=600),
        phase="3", round="OR 4.1", cash={"Bob": 100},
    )  # fmt: skip
    operating_turn(game, "MVR")
    assert game.asked == [f"{controller} MVR company.turn"]
    mvr = CompanyId("MVR")
    play = Play(game.title, game.state)
    pay_shares(play, mvr, 10)
    assert next((e.payee, e.amount) for e in play.events if isinstance(e, Paid)) == ("NW", 50)
    assert successor(game.title, game.state, mvr, CompanyId("NW"), 1) is None
    assert becomes_director(game.title, game.state, mvr, PlayerId("Ann"), 6)


def test_who_acts_for_a_company_is_explained_by_its_chain() -> None:
    owned, pooled, circle = held(A="Ann 60", B="A 50"), held(A="Pool 60", B="A 50"), held(A="B 60", B="A 50")
    found = [control_facts(play.title, play.state, B) for play in (owned, pooled, circle)]
    assert found == [
        {"chain": (A, ANN), "circle": (), "frozen": False},
        {"chain": (A,), "circle": (), "frozen": True},
        {"chain": (A, B), "circle": (B, A), "frozen": True},
    ]
