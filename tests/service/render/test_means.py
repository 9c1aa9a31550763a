"""A train that a company cannot pay is not named as if it could."""

from __future__ import annotations

import re

import pytest

import engine
from engine import Ask, Game, Setup
from engine.core import orders as o
from engine.core.ids import POOL, CompanyId, TrainName
from engine.robots import sensible
from grammar import write
from moderator.domain.vocabulary import vocabulary
from moderator.words.question.questions import Question, questions
from moderator.words.texts import words

TITLES = ("1841", "1844", "1861", "1863", "1867")
_LATER = re.compile(r"`train (\S+?)(?: from pool)?` \(([^)]*)\)")


def turns(name: str, most: int) -> list[tuple[Game, Ask, Question]]:
    """The turns of companies in the first decisions of a plain game."""
    game, found = Game.start(engine.load_title(name), Setup(("Ann", "Bob", "Cat"), seed="plain")), []
    for _ in range(most):
        ask = game.asked()[0]
        if ask.what == "company.turn":
            found.append((game.fork(), ask, next(q for q in questions(words(), game, ask.player) if q.ask == ask)))
        assert game.submit(sensible(game, ask))
    return found


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("name", TITLES)
def test_a_later_train_says_how_much_is_missing_and_what_the_company_can_borrow(name: str) -> None:
    short = 0
    for game, ask, question in turns(name, 120):
        cash, company = game.state.money(ask.actor), CompanyId(ask.actor)
        credit = game.title.policies.credit(game.title, game.state, company)
        for train, told in _LATER.findall(question.later):
            missing = game.title.trains[TrainName(train)].cost - cash
            assert ("more than it has" in told) == (missing > 0)
            if missing > 0:
                short += 1
                assert str(missing) in told
                assert "besides what it keeps of its earnings" in question.later
                assert ("can borrow" in question.later) == (credit > 0)
                if name in ("1861", "1867"):  # there loans pay for a first train alone
                    assert not (credit and game.state.companies[company].trains)
    assert short


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("name", ["1861", "1867", "1844"])
def test_a_suggested_train_says_how_it_is_paid(name: str) -> None:
    """No button buys a train with loans or the director's money, unless the company must buy one."""
    dear = 0
    for game, ask, question in turns(name, 300):
        menu = [choice.order for choice in game.legal(ask.actor)]
        must = not any(isinstance(order, o.Done) for order in menu)
        cash = game.state.money(ask.actor)
        texts = {order for answer in question.answers for order in answer.text.split("; ")}
        for train in menu:
            if not isinstance(train, o.Train) or train.source not in (None, POOL) or train.trade:
                continue
            text, price = write(train, vocabulary(game.title)), game.title.trains[train.train].cost
            if text in texts:
                assert f"`{text}`: " in question.paying and str(price) in question.paying
            if price > cash and text in texts:
                dear += 1
                assert must, text
                assert re.search("loan|you pay", question.paying)
    assert dear or name == "1861"
