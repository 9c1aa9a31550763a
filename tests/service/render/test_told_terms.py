"""Mails tell before a decision: the cost of a start and of loans, homes, and the effects of a train."""

from __future__ import annotations

import re
from functools import cache

import pytest

import engine
from engine import Game, Setup
from engine.core import events as ev
from engine.core import orders as o
from engine.core.agenda import Exact
from engine.core.decide import effects
from engine.core.ids import CompanyId
from engine.robots import sensible
from moderator import render
from moderator.words.question import menu
from moderator.words.question.notes import note
from moderator.words.question.questions import Question, questions
from moderator.words.texts import words
from tests.kit.games.render_games import info

PLAYERS = ("Ann", "Bob", "Cat")


@cache
def asked(name: str, seed: str = "plain", most: int = 500) -> tuple[tuple[Game, Question], ...]:
    """The questions of a plain game, each with the game as it is then. Shared between tests: do not change it."""
    game, found = Game.start(engine.load_title(name), Setup(PLAYERS, seed=seed)), list[tuple[Game, Question]]()
    while not game.finished and len(game.orders) < most:
        ask = game.asked()[0]
        if ask.what in ("stock.turn", "company.turn", "auction.bid"):
            at = game.fork()
            found.append((at, next(q for q in questions(words(), at, ask.player) if q.ask == ask)))
        assert game.submit(sensible(game, ask))
    return tuple(found)


def group(question: Question, kind: str) -> menu.Group | None:
    return next((each for each in question.groups if each.kind == kind), None)


def test_a_minor_of_1861_is_offered_with_its_home_and_what_becomes_of_the_bid() -> None:
    found = [
        each for _, q in asked("1861", most=80) if (each := group(q, "Open")) is not None and q.ask.what == "stock.turn"
    ]
    assert any("at home in B4 Riga" in line.note for each in found for line in each.lines)
    assert all("half of that, rounded down to the chart, its price" in each.remark for each in found)
    bids = [(game, q) for game, q in asked("1861", most=80) if q.ask.what == "auction.bid"]
    assert bids
    for game, question in bids:
        assert ("half of it, rounded down" in question.text) == (question.ask.about[0] in game.title.companies)


@pytest.mark.parametrize(("name", "entry"), [("1863", "BAK F9"), ("1844", "SCB")])
def test_companies_that_may_be_started_stand_beside_their_homes(name: str, entry: str) -> None:
    groups = [each for _, q in asked(name, most=140) if (each := group(q, "Start")) is not None]
    listed = {company for each in groups for key, names in each.choices if key == "companies" for company in names}
    assert any(company.startswith(entry) and " " in company for company in listed)


@pytest.mark.parametrize(("name", "currency"), [("1861", "R"), ("1867", "$")])
def test_a_start_says_what_it_costs_and_who_gets_the_money(name: str, currency: str) -> None:
    game, question = next((game, q) for game, q in asked(name) if group(q, "Start") is not None)
    found = group(question, "Start")
    assert found is not None
    assert menu_heading(game, found).startswith("Start a public company (you pay it twice the price")
    choice = next(c for c in question.legal if isinstance(c.order, o.Start))
    assert isinstance(choice.order, o.Start)
    assert f"gets {currency}{2 * choice.order.price} from you" in note(words(), game.title, game.state, choice)


def menu_heading(game: Game, found: menu.Group) -> str:
    return words().word(f"group.{found.kind}", title=game.title.name)


def test_each_price_of_a_start_after_sales_is_named() -> None:
    for game, question in asked("1861"):
        if found := re.search(r"start [\w, -]+ at ([\d, or]+), as `start", question.later):
            told = found[1].replace(" or ", ", ").split(", ")
            now = {str(c.order.price) for c in question.legal if isinstance(c.order, o.Start)}
            prices = {str(game.title.chart.price(c)) for c in game.title.chart.cells_marked("par_any", "par_public")}
            assert told and set(told) <= prices - now and told == sorted(told, key=int)
            return
    pytest.fail("no such stock turn")


@pytest.mark.parametrize("name", ["1861", "1867"])
def test_a_company_with_loans_is_told_what_they_cost_and_what_follows_if_it_cannot_pay(name: str) -> None:
    with_loans = without = 0
    for game, question in asked(name):
        if question.ask.what != "company.turn":
            continue
        company = game.state.companies[CompanyId(question.ask.actor)]
        told = "Each loan brings" in question.later and "cannot pay its interest is nationalised" in question.later
        if company.loans:
            with_loans += 1
            assert told
        elif company.trains and game.state.money(question.ask.actor) > 200:
            without += 1
            assert not told
    assert with_loans and without


@pytest.mark.parametrize("name", ["1861", "1867"])
def test_no_example_takes_a_loan_for_track_or_a_marker(name: str) -> None:
    for game, question in asked(name):
        for answer in question.answers:
            built = [order for order in answer.orders if isinstance(order, o.Lay | o.Token)]
            trial = game.fork()
            for order in built:
                events = trial.submit(order)
                assert not any(isinstance(e, ev.LoansChanged) for e in events), answer.text  # type: ignore[union-attr]


def test_a_loan_of_1863_says_what_it_brings_and_costs() -> None:
    notes = [line.note for _, q in asked("1863", most=300) if (each := group(q, "Borrow")) for line in each.lines]
    assert notes and all("each brings £100, interest £5 a turn; unpaid, it is a cash crisis" in each for each in notes)


@pytest.mark.parametrize("name", ["1861", "1867", "1841"])
def test_a_train_says_what_its_first_purchase_brings(name: str) -> None:
    found = 0
    for game, question in asked(name):
        for choice in question.legal:
            if not isinstance(choice, Exact) or not isinstance(choice.order, o.Train) or choice.order.source:
                continue
            events = effects(game.title, game.state, choice.order)
            rusted = [event.train for event in events if isinstance(event, ev.TrainsRusted)]
            said = note(words(), game.title, game.state, choice)
            assert all(f"{train} rusts" in said for train in rusted)
            assert ("begins phase" in said) == any(isinstance(event, ev.PhaseBegan) for event in events)
            paid = [e for e in events if isinstance(e, ev.Paid) and e.reason == "nationalised"]
            assert all(e.about in said.partition("nationalised")[2] for e in paid)
            after = game.fork()
            assert after.submit(choice.order)
            bare = [c for c, now in after.state.companies.items() if now.status == "open" and not now.trains]
            lost = [c for c in bare if game.state.companies[c].trains]
            assert all(c in said.partition("rusts")[2] for c in lost)
            found += bool(rusted)
    assert found


def test_the_list_of_trains_says_which_of_them_rusts_which() -> None:
    game = Game.start(engine.load_title("1861"), Setup(PLAYERS, seed="plain"))
    player = game.asked()[0].player
    text = " ".join(render.turn_mail(game, info(game, player), player, -1).text.split())
    assert "4 for R350, 4 left, rusts 2; 5 for R550, 4 left; 6 for R650, 2 left, rusts 3;" in text


def test_the_figures_of_a_power_are_told_where_it_is_offered() -> None:
    game = Game.start(engine.load_title("1863"), Setup(PLAYERS, seed="plain"))
    said = " ".join(render.text_private(game, "RMR").split())
    assert (
        "Mail markers: routes through them earn more: £10 through one, £40 through both, £60 through C10 and Q10."
        in said
    )
    assert "pay a toll: £5 each, to its owner" in " ".join(render.text_private(game, "CHO").split())
