"""A title that lives outside the engine, built from docs/new-title.md: one of its companies owns the other."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import engine
from engine import Game, Refused, Setup
from engine.core.description import told_digest
from engine.core.events import DirectorChanged, Distributed, Paid, Ran
from engine.core.ids import BANK, CompanyId, PlayerId, TrainName
from engine.core.orders import Buy, Done, Order, Pass, Pay, Start, Train
from engine.holders.control import controller_of, owner_of
from engine.holders.ledger import shares, shares_over_chain
from engine.robots import random_order
from engine.site18xx import site_converter, site_writer
from moderator.domain.records.record import read_record, write_record
from moderator.words.wording import describe_failure
from tests.kit import twins
from tests.kit.service.mail_service import Service
from tests.kit.twins import L, U

ANN, BOB = PlayerId("Ann"), PlayerId("Bob")


@pytest.fixture(autouse=True, scope="module")
def registered() -> Iterator[None]:
    with twins.known():
        yield


def title() -> engine.Title:
    return engine.load_title(twins.NAME)


def games() -> Iterator[tuple[Game, random.Random]]:
    for seed in range(12):
        yield Game.start(title(), Setup(("Ann", "Bob", "Cat")[: 2 + seed % 2], seed=str(seed))), random.Random(seed)


def given(*orders: Order) -> Game:
    """A game of Ann and Bob after these orders."""
    game = Game.start(title(), Setup(("Ann", "Bob"), seed="given", priority="Ann"))
    for order in orders:
        found = game.submit(order)
        assert not isinstance(found, Refused), (order, found)
    return game


# ---- games of chance -------------------------------------------------------------------------------------------------


def test_what_is_offered_is_accepted_and_nothing_is_lost() -> None:
    owned = earned = 0
    for game, chance in games():
        while not game.finished:
            state = game.state
            for ask in game.asked():
                for choice in game.legal(ask.actor):
                    assert game.check(choice.sample(0)), choice
            assert sum(state.cash.values()) == game.title.bank
            for company in game.title.companies:
                held = {place for place, of, _ in state.holdings if of == company}
                assert sum(shares(game.title, state, place, company) for place in held) == 5
            found = game.submit(random_order(game, game.asked()[0], chance))
            assert not isinstance(found, Refused)
            owned += owner_of(game.title, game.state, U) == L
            earned += any(isinstance(event, Ran) and event.revenue > 0 for event in found)
    assert owned > 50 and earned > 10


def test_a_record_replays_to_the_same_position() -> None:
    for game, chance in games():
        while not game.finished:
            assert game.submit(random_order(game, game.asked()[0], chance))
        again = engine.replay(game.title, game.setup, read_record(write_record(game, {})).orders)
        assert told_digest(again.title, again.state) == told_digest(game.title, game.state)
        assert again.standings() == game.standings()


# ---- a company that owns another -------------------------------------------------------------------------------------

FOUNDED = (Start(ANN, L, 70), Pass(BOB), Buy(ANN, L), Pass(BOB), Pass(ANN), Start(L, U, 50), Done(L))
"""Ann directs L, which has bought U's director's certificate."""


def test_who_controls_the_owner_is_asked_for_the_daughter() -> None:
    game = given(*FOUNDED)
    assert owner_of(game.title, game.state, U) == L
    assert controller_of(game.title, game.state, U) == ANN
    game = given(*FOUNDED, Pass(ANN), Pass(BOB), Done(L))
    assert [(ask.player, ask.actor) for ask in game.asked()] == [(ANN, U)]


def test_a_dividend_of_the_daughter_reaches_the_owners_treasury() -> None:
    seen = 0
    for game, chance in games():
        while not game.finished:
            before, order = game.state, random_order(game, game.asked()[0], chance)
            found = game.submit(order)
            assert not isinstance(found, Refused)
            if order == Pay(U, "full") and owner_of(game.title, before, U) == L:
                (told,) = (event for event in found if isinstance(event, Distributed))
                paid = sum(e.amount for e in found if isinstance(e, Paid) and e.payee == L and e.reason == "dividend")
                assert paid == told.dividend * shares(game.title, before, L, U) >= 2 * told.dividend > 0
                seen += 1
    assert seen


def test_a_player_takes_the_daughter_over_from_the_company() -> None:
    """Bob comes to three of five shares, L has two: he is director."""
    start = (Start(ANN, L, 50), Pass(BOB), Buy(ANN, L), Pass(BOB), Pass(ANN), Start(L, U, 50), Done(L))
    game = given(*start, Pass(ANN), Buy(BOB, U), Pass(ANN), Buy(BOB, U), Pass(ANN))
    found = game.submit(Buy(BOB, U))
    assert not isinstance(found, Refused)
    assert DirectorChanged(U, BOB) in found
    assert controller_of(game.title, game.state, U) == BOB
    assert shares_over_chain(game.title, game.state, ANN, U) == 2


def test_shares_of_the_chain_count_together_for_a_players_limit() -> None:
    """Ann has two of five shares of U through L: she may buy one more, and then no other."""
    game = given(*FOUNDED)
    assert game.submit(Buy(ANN, U)) and game.submit(Pass(BOB))
    found = game.check(Buy(ANN, U))
    assert isinstance(found, Refused) and "buy.holding_limit" in [f.check for f in found.failures]


def test_players_may_not_start_the_daughter() -> None:
    found = given().check(Start(ANN, U, 50))
    assert isinstance(found, Refused) and [f.check for f in found.failures] == ["start.founder"]


def test_refusals_of_a_title_outside_the_engine_are_sentences() -> None:
    begun, founded = given().state, given(*FOUNDED, Pass(ANN), Pass(BOB)).state
    two = replace(founded.companies[L], trains=(TrainName("2"), TrainName("2")))
    poor = replace(founded, cash={**founded.cash, L: 5}, companies={**founded.companies, L: two})
    told: dict[str, str] = {}
    for state, order in (
        (begun, Start(ANN, L, 55)),
        (begun, Start(ANN, U, 50)),
        (replace(begun, cash={**begun.cash, ANN: 5}), Start(ANN, L, 50)),
        (given(*FOUNDED, Pass(ANN)).state, Start(BOB, L, 50)),
        (poor, Train(L, TrainName("2"))),
        (poor, Train(L, TrainName("3"))),
    ):
        found = replace(given(), state=state).check(order)
        assert isinstance(found, Refused), order
        told |= {f.check: describe_failure(title(), f) for f in found.failures}
    assert told.keys() == {
        "start.price", "start.founder", "start.money", "start.not_free", "train.limit", "train.money", "train.not_next",
    }  # fmt: skip
    assert [text for check, text in told.items() if check in text] == []


def test_money_of_the_bank_is_the_rest() -> None:
    game = given(*FOUNDED)
    assert game.state.cash[BANK] == 3_000 - sum(v for k, v in game.state.cash.items() if k != BANK)
    assert game.state.money(CompanyId("U")) == 200


def test_a_title_without_the_records_of_a_site_says_so() -> None:
    with pytest.raises(ValueError, match=r"cannot be read for twins: there is no engine\.site18xx\.twins"):
        site_converter(twins.NAME)
    with pytest.raises(ValueError, match="of twins is not known"):
        site_writer(twins.NAME)


# ---- by mail ---------------------------------------------------------------------------------------------------------


def test_a_mail_shows_companies_whose_colours_are_written_short(tmp_path: Path) -> None:
    service = Service.open(tmp_path)
    service.game(twins.NAME, ("Ann", "Bob"))
    answer = service.say("Ann", "start L at 60")
    assert answer is not None and answer.subject.endswith("carried out")
    assert "background-color:#aa3333;color:#ffffff" in service.letters("Bob")[-1].html.replace(" ", "")
