"""A question states the sums that it is about: a price, the earnings, the payment for each share."""

from __future__ import annotations

import re
from functools import cache

import pytest

import engine
from engine import Game, Refused, Setup
from engine.core import events as ev
from engine.core import orders as o
from engine.core.ids import CompanyId
from engine.holders.ledger import shares
from engine.robots import sensible
from moderator import render
from tests.kit.games.render_games import info

PLAYERS = ("Ann", "Bob", "Cat")


@cache
def at(name: str, what: str) -> Game:
    """A plain game at the first question ``what``. Shared between tests: do not change it."""
    game = Game.start(engine.load_title(name), Setup(PLAYERS, seed="plain"))
    while game.asked()[0].what != what:
        assert game.submit(sensible(game, game.asked()[0]))
    return game


def mail(game: Game) -> render.Rendered:
    player = game.asked()[0].player
    return render.turn_mail(game, info(game, player), player, len(game.orders))


def question(game: Game) -> str:
    """The turn mail up to the example of an answer, in one line."""
    return " ".join(mail(game).text.partition("ANSWER LIKE THIS")[0].split())


def sale(game: Game, kind: type[o.Train] | type[o.BuyPrivate]) -> tuple[Game, o.Train | o.BuyPrivate] | None:
    """A purchase from another player, whose consent is asked for."""
    ask = game.asked()[0]
    for choice in game.legal(ask.actor):
        order = choice.sample(3)
        if isinstance(order, kind):
            trial = game.fork()
            if trial.submit(order) and trial.asked()[0].what == "consent":
                return trial, order
    return None


@pytest.mark.parametrize("kind", [o.Train, o.BuyPrivate])
def test_consent_to_a_sale_states_the_price_in_subject_and_question(kind: type[o.Train] | type[o.BuyPrivate]) -> None:
    game = Game.start(engine.load_title("1867"), Setup(PLAYERS, seed="plain"))
    while (found := sale(game, kind)) is None:
        assert game.submit(sensible(game, game.asked()[0]))
    asked, order = found
    price, text = f"${order.price}", question(asked)
    assert price in mail(asked).subject
    assert f"for {price}." in text and f"the {price}" in text
    if isinstance(order, o.Train):
        seller = order.source
        then = asked.state.money(seller) + order.price  # type: ignore[arg-type, operator]
        assert f"{seller} gets the {price}: it has ${then} then" in text
        assert f"printed price of such a train is ${asked.title.trains[order.train].cost}" in text
    else:
        assert f"face value is ${asked.title.privates[order.private].face}" in text


@pytest.mark.parametrize(("name", "currency"), [("1861", "R"), ("1867", "$")])
def test_consent_to_a_merger_states_the_price_that_follows(name: str, currency: str) -> None:
    game = at(name, "consent")
    text = question(game)
    formed = game.fork()
    before = {id for id, company in game.state.companies.items() if company.status != "unstarted"}
    agree = None
    while (ask := formed.asked()[0]).what == "consent":
        agree = next(c.order for c in formed.legal(ask.actor) if isinstance(c.order, o.Agree))
        assert formed.submit(agree)
    subject = agree.subject if agree is not None else None
    assert isinstance(subject, o.Merger) and subject.into not in before
    price = formed.title.price(formed.state, subject.into)
    assert f"The price of {subject.into} is then {currency}{price};" in text


@pytest.mark.parametrize(("name", "currency"), [("1861", "R"), ("1867", "$")])
def test_nationalisation_states_the_payment_for_each_share_and_to_each_player(name: str, currency: str) -> None:
    game = at(name, "nationalise")
    text, done = question(game), game.fork()
    cash = {player: game.state.money(player) for player in PLAYERS}
    company = game.asked()[0].actor
    yes = next(c.order for c in game.legal(company) if isinstance(c.order, o.Nationalise) and c.order.yes)
    assert done.submit(yes)
    received = {player: done.state.money(player) - cash[player] for player in PLAYERS}
    assert any(received.values())
    for player, amount in received.items():
        assert not amount or f"{player} {currency}{amount}" in text
    assert f"nothing of its {currency}{game.state.money(company)}" in text


@pytest.mark.parametrize("name", ["1841", "1844", "1861", "1867"])
def test_the_use_of_earnings_is_asked_with_their_sum_and_what_each_way_brings(name: str) -> None:
    game = at(name, "company.pay")
    company = game.asked()[0].actor
    text, whole = question(game), " ".join(mail(game).text.split())
    events = game.check(o.Pay(company, "none"))  # type: ignore[arg-type]
    assert not isinstance(events, Refused)
    gets = sum(e.amount for e in events if isinstance(e, ev.Paid) and e.payee == company)
    assert re.search(rf"has earned \S*?\s?{gets}\b", text)
    assert re.search(rf"pay none (?:\| )?// {re.escape(company)} gets \S*?\s?{gets}\b", whole)
    assert re.search(r"pay full (?:\| )?// \S+?\s?\d+( SFR)? a share", whole)


def test_interest_is_told_before_the_dividend() -> None:
    game = at("1867", "company.pay")
    company = game.asked()[0].actor
    owed = 5 * game.state.companies[CompanyId(company)].loans
    assert owed
    assert f"Interest of ${owed} is due" in question(game)


def test_sealed_bids_explain_what_is_bid_for() -> None:
    text = question(at("1841", "concessions.bids"))
    assert "A concession is the right to start its company" in text
    assert (
        "players who have bid the same highest sum go on bidding" in text and "seated by the sums of their bids" in text
    )


def test_the_last_pass_before_lots_is_explained() -> None:
    title = engine.load_title("1841", options={"concessions": "open"})
    game = Game.start(title, Setup(PLAYERS, seed="plain"))
    assert "are seated by lot" in question(game)
    for _ in range(2):
        assert game.submit(o.Pass(game.asked()[0].player))
    assert "All others have passed. If you pass too, this round ends; what follows is drawn by lot." in question(game)
    seated = engine.load_title("1841", options={"concessions": "open", "open_seats": "cash"})
    other = Game.start(seated, Setup(PLAYERS, seed="plain"))
    assert "by lot" not in question(other)


def test_the_exchange_of_old_shares_names_the_merger_its_price_and_the_shares() -> None:
    game = Game.start(engine.load_title("1841"), Setup((*PLAYERS, "Dan"), seed="t0 1841", priority="Bob"))
    while game.asked()[0].what != "merger.exchange":
        assert game.submit(sensible(game, game.asked()[0]))
    into = CompanyId(game.asked()[0].about[0])
    events = [event for n in range(1, len(game.orders) + 1) for event in game.events(n)]
    merged = next(event for event in events if isinstance(event, ev.Merged) and event.company == into)
    told = question(game)
    assert f"{' and '.join(merged.companies)} have become {into}, whose price is L. {merged.price}." in told
    holder = game.asked()[0].actor
    held = {part: shares(game.title, game.state, holder, part) for part in merged.companies}
    for part, number in held.items():
        assert (f"{number} share{'s' * (number > 1)} of {part}" in told) == (number > 0)
