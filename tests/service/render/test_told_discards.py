"""An order after which a company must discard trains says so beforehand, with the trains and the limit."""

from __future__ import annotations

from dataclasses import replace

import pytest

import engine
from engine import Game, Setup
from engine.core.agenda import Choice
from engine.core.ids import CompanyId, TrainName
from engine.robots import sensible
from engine.titles.t1863.failures.liquidation import Failing
from engine.titles.t1863.mergers.merger_round import MergerRound
from engine.titles.t1863.turn.company_turn import TURNS
from moderator.words.position import views
from moderator.words.position.next_train import NextTrain, next_train
from moderator.words.question import menu
from moderator.words.texts import words
from tests.kit.games.situations_1863 import London, situation, tube

CASH = {"Ann": 1000, "Bob": 1000, "Cat": 1000}


def groups_of(london: London) -> dict[str, menu.Group]:
    game = Game.resume(london.title, Setup(("Ann", "Bob", "Cat"), seed="over"), (), london.state)
    asks = [ask for ask in game.asked() if ask.player == game.asked()[0].player]
    legal: list[Choice] = [choice for ask in asks for choice in game.legal(ask.actor)]
    return {group.kind: group for group in menu.groups(words(), game.title, game.state, tuple(legal))}


@pytest.mark.parametrize(
    ("first", "second", "told"),
    [
        ("2T 2T 3T", "2T 3T", "DIS must discard 1 train of 2T 2T 2T 3T 3T (limit 4)"),
        ("3T 3T 3T", "3T 3T 3T", "DIS must discard 2 trains of 3T 3T 3T 3T 3T 3T (limit 4)"),  # nothing to choose
        ("2T 3T", "2T 3T", ""),
    ],
)
def test_a_merger_of_1863(first: str, second: str, told: str) -> None:
    met, dis = tube("MET", {"Ann": 5, "Bob": 3}, 110, trains=first), tube("DIS", {"Ann": 2}, 100, trains=second)
    london = situation(met, dis, cash=CASH, round="MR 2.1").frames(MergerRound())
    group = groups_of(london)["Merge"]
    said = [group.remark, *(line.note for line in group.lines)]
    assert any(told in each for each in said) if told else not any("must discard" in each for each in said)


@pytest.mark.parametrize(
    ("trains", "told"),
    [("2T 3T 3T", "DIS must discard 1 train of 2T 2T 3T 3T 2+1e (limit 4)"), ("3T", "")],
)
def test_a_bid_of_a_company_in_an_acquisition(trains: str, told: str) -> None:
    buyer = tube("DIS", {"Bob": 4}, 110, cash=500, trains=trains)
    sold, other = tube("MET", {"Ann": 3}, 30, trains="2T 2+1e", cash=10), tube("UER", "Cat", 100, markers="", cash=60)
    london = situation(buyer, sold, other, cash=CASH).frames(TURNS.begin(other.id), Failing())
    game = Game.resume(london.title, Setup(("Ann", "Bob", "Cat"), seed="over"), (), london.state)
    notes = [
        group.lines[0].note for group in menu.groups(words(), game.title, game.state, game.legal(CompanyId("DIS")))
    ]
    assert any(note.endswith(told) for note in notes) if told else not any("discard" in note for note in notes)


def before_lower_limit(name: str) -> tuple[Game, NextTrain, views.CompanyLine]:
    """A plain game in which the next kind of train lowers the limit of a company, which stands beside it."""
    game = Game.start(engine.load_title(name), Setup(("Ann", "Bob", "Cat"), seed="plain"))
    for _ in range(900):
        title, state = game.title, game.state
        coming = next_train(title, state, views.trains(title, state))
        lower = dict(coming.limits) if coming is not None and state.prices else {}
        able = [c for c in views.companies(title, state) if c.kind in lower and c.limit and c.limit > lower[c.kind]]
        if coming is not None and able and not coming.leaves:
            return game, coming, able[0]
        assert game.submit(sensible(game, game.asked()[0]))
    raise AssertionError("no limit falls")


@pytest.mark.parametrize("name", engine.title_names())
def test_the_next_train_says_who_must_discard(name: str) -> None:
    """A company has as many trains as it may own, and the next train lowers that."""
    game, coming, company = before_lower_limit(name)
    title, state, id = game.title, game.state, CompanyId(company.id)
    assert company.limit is not None
    trains, lower = (TrainName(coming.train),) * company.limit, dict(coming.limits)[company.kind]
    full = replace(state, companies={**state.companies, id: replace(state.companies[id], trains=trains)})
    then = next_train(title, full, views.trains(title, full))
    assert then is not None
    number = company.limit - lower
    assert then.over == ((company.id, number, tuple(map(str, trains)), lower),)
    told = " ".join(words().text("next_train", title=title, next=then).split())
    assert f"{company.id} must discard {number} train" in told and f"of {' '.join(trains)} (limit" in told
