"""A mail tells what a decision costs, and what it needs, before it is made."""

from __future__ import annotations

import re
from functools import lru_cache

import pytest

import engine
from engine import Ask, Exact, Game, Range, Refused, Setup
from engine.core import events as ev
from engine.core import orders as o
from engine.core.ids import CompanyId, PlayerId
from engine.holders.ledger import shares
from engine.robots import sensible
from grammar import read
from moderator import render
from moderator.domain.rounds import had_turn
from moderator.domain.vocabulary import vocabulary
from moderator.words.clauses import clauses
from moderator.words.question.questions import Question, questions
from moderator.words.texts import words
from tests.kit.games.render_games import info

_MOST = 420


@lru_cache(maxsize=6)
def asked_in(name: str, seed: str = "plain") -> tuple[tuple[Game, Ask], ...]:
    """Every question of the first decisions of a plain game."""
    game, found = Game.start(engine.load_title(name), Setup(("Ann", "Bob", "Cat"), seed=seed)), list[tuple[Game, Ask]]()
    while not game.finished and len(found) < _MOST:
        ask = game.asked()[0]
        found.append((game.fork(), ask))
        assert game.submit(sensible(game, ask))
    return tuple(found)


def question(game: Game, ask: Ask) -> Question:
    return next(q for q in questions(words(), game, ask.player) if q.ask == ask)


def given(game: Game, ask: Ask, text: str) -> Game | None:
    """The game after the orders in ``text``; None if one of them is refused."""
    trial = game.fork()
    for order in read(text, vocabulary(game.title, game.setup.players), default_actor=ask.actor).orders:
        if isinstance(trial.submit(order), Refused):
            return None
    return trial


def test_trains_that_need_loans_are_told_with_the_fewest_loans() -> None:
    told = 0
    for game, ask in asked_in("1863"):
        if ask.what != "company.turn" or not any(isinstance(c.order, o.Borrow) for c in game.legal(ask.actor)):
            continue
        named = re.findall(r"`loan (\d+); train (\S+)`", question(game, ask).later)
        for count, train in named:
            told += 1
            assert given(game, ask, f"loan {count}; train {train}") is not None
            fewer = f"loan {int(count) - 1}; train {train}" if count != "1" else f"train {train}"
            assert given(game, ask, fewer) is None
        could = {c.order.train for c in game.legal(ask.actor) if isinstance(c.order, o.Train)}
        assert not could & {train for _, train in named}
    assert told


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("name", ["1841", "1861", "1867"])
def test_what_sales_would_pay_for_is_told_where_money_is_short(name: str) -> None:
    told = 0
    for game, ask in asked_in(name):
        said = re.search(
            r"If you first sell shares in the same answer, you can also (.*)\.$", question(game, ask).later
        )
        if ask.what != "stock.turn" or said is None:
            continue
        told += 1
        trial = game.fork()
        while sale := next((c for c in trial.legal(ask.actor) if isinstance(c.order, o.Sell)), None):
            assert trial.submit(sale.sample(-1))
        shares = "" if said[1].startswith("start ") else re.split(r"(?:; and |^)start ", said[1])[0]
        bought, _, example = shares.partition(", as ")
        orders = re.findall(r"`([^`]*)`", bought)
        if "start " in said[1]:
            orders.append(re.search(r"as `(start [^`]*)`$", said[1])[1])  # type: ignore[index]
        for text in orders:
            assert given(game, ask, text) is None
            assert given(trial, ask, text) is not None
        assert not example or given(game, ask, example.strip("`")) is not None
        before, after = (
            {c.order.price for c in menu if isinstance(c, Exact) and isinstance(c.order, o.Start)}
            for menu in (game.legal(ask.actor), trial.legal(ask.actor))
        )
        assert ("start " in said[1]) == (max(after, default=0) > max(before, default=0))
    assert told


@pytest.mark.parametrize("name", ["1861", "1867"])
def test_the_terms_of_a_conversion_and_of_a_merger_are_told(name: str) -> None:
    kinds = set()
    for game, ask in asked_in(name):
        if ask.what != "merger.turn":
            continue
        for group in question(game, ask).groups:
            if group.kind not in ("Convert", "Merge"):
                continue
            kinds.add(group.kind)
            trial = given(game, ask, group.lines[0].order)
            assert trial is not None
            must_agree = []
            while (now := trial.asked()[0]).what == "consent":
                must_agree.append(now.player)
                assert trial.submit(next(c.order for c in trial.legal(now.actor) if isinstance(c.order, o.Agree)))
            note = group.lines[0].note
            assert all(re.search(rf"\b{player}\b[^;]* must agree", note) for player in must_agree)
            assert ("must agree" in note) == bool(must_agree)
            into = CompanyId(re.sub(r".*\b(?:to|into) (\S+).*", r"\1", group.lines[0].order))
            price = words().say("words", "amount", title=game.title, amount=trial.title.price(trial.state, into))
            assert f"share price {price};" in note
            for player in game.state.players:
                count = shares(trial.title, trial.state, player, into)
                assert (f"{player} {count}" in note) == bool(count)
    assert kinds == {"Convert", "Merge"}


def test_the_companies_whose_turns_are_over_are_named() -> None:
    game, ask = next(
        (game, ask) for game, ask in asked_in("1861") if ask.what == "company.turn" and len(had_turn(game)) > 1
    )
    over = had_turn(game)
    begun = {
        e.company
        for at in range(len(game.orders) + 1)
        for e in (game.events(at) if at else ())
        if isinstance(e, ev.TurnEnded)
    }
    assert over <= begun and ask.actor not in over
    mail = render.turn_mail(game, info(game, ask.player), PlayerId(ask.player), 0)
    for text in (mail.text, mail.html):
        (line,) = re.findall(r"Their turns in this round are over: ([^.]*)\.", " ".join(text.split()))
        assert set(re.split(r", | and ", re.sub("<[^>]*>", "", line))) == over


def test_no_company_is_named_outside_an_operating_round() -> None:
    game, ask = next((game, ask) for game, ask in asked_in("1861")[200:] if ask.what == "stock.turn")
    assert had_turn(game) == frozenset()
    assert "turns in this round" not in render.turn_mail(game, info(game, ask.player), ask.player, 0).text


@pytest.mark.parametrize("name", ["1841", "1863"])
def test_the_table_of_shares_is_never_left_out_where_shares_are_asked_about(name: str) -> None:
    table, left_out = "Shares, with a star", "Shares of all players are as in your last turn mail"
    seen = set()
    for game, ask in asked_in(name)[150:]:
        about = question(game, ask).about_shares
        if about in seen:
            continue
        seen.add(about)
        page = render.turn_mail(game, info(game, ask.player), ask.player, len(game.orders)).html
        assert (table in page) == about and (left_out in page) == (not about)
    assert seen == {True, False}


def test_only_the_last_of_several_directors_is_told() -> None:
    title, company = engine.load_title("1841"), CompanyId("SFLi")
    events = (
        ev.DirectorChanged(company, PlayerId("Cat")),
        ev.Exchanged(PlayerId("Cat"), company, 2, True),
        ev.DirectorChanged(company, PlayerId("Dan")),
        ev.Exchanged(PlayerId("Dan"), company, 3, True),
    )
    told = [text for text, _ in clauses(words(), title, events, None)]
    assert told == [
        "Cat received 2 shares of SFLi",
        "Dan is president of SFLi",
        "Dan received the president's certificate of SFLi",
    ]
    assert next(text for text, _ in clauses(words(), title, events[:2], None)) == "Cat is president of SFLi"


def test_loans_say_how_far_they_lower_the_price() -> None:
    told = 0
    for game, ask in asked_in("1863"):
        choice = next(
            (c for c in game.legal(ask.actor) if isinstance(c, Range) and isinstance(c.order, o.Borrow)), None
        )
        if choice is None or told > 20:
            continue
        trial, company = game.fork(), CompanyId(ask.actor)
        assert trial.submit(choice.sample(0))
        before, after = (g.title.price(g.state, company) for g in (game, trial))
        (line,) = [line for group in question(game, ask).groups for line in group.lines if line.order == "loan 1"]
        assert (f"from £{before} to £{after}" in line.note) == (before != after)
        told += before != after
    assert told
