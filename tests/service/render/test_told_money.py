"""Mails say beside an offer what it costs or brings: markers of suggested turns, sales, bids, the end of a turn."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import engine
import grammar
from engine import Game, Setup
from engine.core import orders as o
from engine.core.agenda import Exact
from engine.core.ids import CompanyId, TrainName
from engine.holders.control import owner_of
from engine.robots import random_order, sensible
from moderator import render
from moderator.domain.other_subject import of_another
from moderator.domain.vocabulary import vocabulary
from moderator.words.question.questions import questions
from moderator.words.texts import words
from tests.kit.games.render_games import info
from tests.kit.service.mail_service import Service
from tests.kit.service.position_game import begin_at
from tests.kit.titles import TITLES

PLAYERS = ("Ann", "Bob", "Cat", "Dan")


def game_of(name: str, seed: str = "plain") -> Game:
    return Game.start(engine.load_title(name), Setup(PLAYERS, seed, PLAYERS[0]))


def positions(name: str, what: str, most: int = 500) -> Iterator[Game]:
    """A plain game, wherever that is asked."""
    game = game_of(name)
    while not game.finished and len(game.orders) < most:
        if game.asked()[0].what.startswith(what):
            yield game
        assert game.submit(sensible(game, game.asked()[0]))


def unfolded(game: Game) -> str:
    player = game.asked()[0].player
    text = render.turn_mail(game, info(game, player), player, len(game.orders)).text
    parts = (line.partition(" // ") for line in re.sub(r"\n\|     //", " //", text).splitlines())
    return " ".join(" ".join(head + mark + note.replace(" // ", " ") for head, mark, note in parts).split())


def amount(text: str) -> int:
    return int(re.sub(r"\D", "", text))


@pytest.mark.parametrize("name", ["1841", "1844", "1861", "1863", "1867"])
def test_a_suggested_turn_with_a_marker_says_its_price(name: str) -> None:
    found = 0
    for game in positions(name, "company.turn", 900):
        (question, *_) = questions(words("en"), game, game.asked()[0].player)
        for answer in question.answers:
            trial = game.fork()
            for order in answer.orders:
                if isinstance(order, o.Token):
                    cost = trial.cost(order)
                    text = re.escape(grammar.write(order, vocabulary(game.title)))
                    told = re.search(rf"`{text}`: ([^;`]*)", question.paying)
                    assert told and (amount(told[1]) == cost if cost else "free" in told[1])
                    found += 1
                if not isinstance(order, o.Lay | o.Token | o.Tunnel) or not trial.submit(order):
                    break
        if found > 3:
            return
    assert found or name == "1841"  # there tokens are rare, and paid beforehand


@pytest.mark.parametrize("name", TITLES)
def test_a_sale_says_the_price_and_the_director_that_it_brings(name: str) -> None:
    told = heirs = 0
    for game in positions(name, "stock.turn", 400):
        text = unfolded(game)
        for choice in game.legal(game.asked()[0].actor):
            order = choice.sample(0)
            if not isinstance(order, o.Sell):
                continue
            line = re.search(rf"\| sell {order.count} {re.escape(order.company)} // ([^|]*?)(?= \||$)", text)
            assert line, order
            after = game.fork()
            assert after.submit(order)
            price = re.search(r"price to (\D*[\d,]+)", line[1])
            told += 1
            now = after.title.price(after.state, order.company)
            assert (amount(price[1]) if price else game.title.price(game.state, order.company)) == now
            if change := re.search(r"; (\d+) makes? (\w+) (?:director|president)", line[1]):
                owner: str = order.actor
                for count in (int(change[1]) - 1, int(change[1])):
                    sold = game.fork()
                    if count:
                        assert sold.submit(o.Sell(order.actor, order.company, count))
                        owner = owner_of(sold.title, sold.state, order.company) or ""
                    assert (owner == change[2]) == (count == int(change[1]))
                heirs += 1
    assert told


def test_the_example_of_a_sale_and_a_purchase_is_legal() -> None:
    found = 0
    for game in positions("1844", "stock.turn", 300):
        text = unfolded(game)
        for example in re.findall(r"(?:purchase in one answer:|; as) `(sell [^`]*; buy [^`]*)`", text):
            reading = grammar.read(example, vocabulary(game.title, PLAYERS), default_actor=game.asked()[0].actor)
            trial = game.fork()
            assert len(reading.orders) == 2 and all(trial.submit(order) for order in reading.orders)
            found += 1
    assert found > 3


def test_an_auction_tells_who_can_still_bid_and_what_a_limit_does() -> None:
    game = game_of("1861")
    for text in ("open TSR 20", "bid 25"):
        (order,) = grammar.read(text, vocabulary(game.title, PLAYERS), default_actor=game.asked()[0].actor).orders
        assert game.submit(order)
    text = unfolded(game)
    assert "Raise, or drop out for good. Dan and Ann can still bid too." in text
    assert "| limit 50 // bids for you at once, and R5 more whenever you are outbid; drops above R50" in text
    for _ in range(2):
        assert game.submit(o.Drop(game.asked()[0].player))
    assert "Nobody else is left in it." in unfolded(game)


def test_a_limit_bids_at_once_as_the_mail_says(tmp_path: Path) -> None:
    service = Service.open(tmp_path)
    name = service.game("1861", PLAYERS[:3])
    service.run()
    service.say("Ann", "open TSR 20")
    service.say("Bob", "limit 50")
    lot = service.position(name).lot()
    assert lot is not None and (lot.holder, lot.amount) == ("Bob", 25)


def trainless_end() -> Game:
    """A game of 1861 in which a company without a train, which may lay track, may end its turn."""
    for seed in range(9):
        game, hand = game_of("1861", f"seed {seed}"), random.Random(seed)
        while not game.finished and len(game.orders) < 900:
            ask = game.asked()[0]
            kinds = {type(choice.order) for choice in game.legal(ask.actor)}
            if {o.Done, o.Lay} <= kinds and not game.state.companies[CompanyId(ask.actor)].trains:
                return game
            assert game.submit(random_order(game, ask, hand))
    raise AssertionError("no such position")


def test_an_end_of_a_turn_that_nationalises_must_be_written(tmp_path: Path) -> None:
    """Orders without `done` end a turn with nothing compulsory left, but not if that costs the company."""
    game = trainless_end()
    ask = game.asked()[0]
    (price,) = re.findall(r"\| done // it has no train then, and is nationalised at (R\d+) a share", unfolded(game))
    service = Service.open(tmp_path)
    name = begin_at(service, "1861", game.state)
    before = len(service.position(name).orders)
    lay = next(c.order for c in game.legal(ask.actor) if isinstance(c.order, o.Lay))
    letter = service.say(str(ask.player), f"{ask.actor}: {grammar.write(lay, vocabulary(game.title))}")
    assert letter is not None
    said = " ".join(letter.text.split())
    assert f"With its end it would be nationalised at {price} a share, as it has no train." in said
    assert f"If you mean that, write `{ask.actor}: done`." in said
    assert len(service.position(name).orders) == before + 1
    letter = service.say(str(ask.player), f"{ask.actor}: done")
    assert letter is not None
    assert f"{ask.actor} was nationalised at {price} a share" in " ".join(letter.text.split())


@pytest.mark.parametrize(
    ("subject", "text", "fits"),
    [
        ("sale", "agree", True), ("sale", "agree to the sale", True), ("sale", "agree to the merger", False),
        ("sale", "refuse merger", False), ("merger", "refuse merger", True), ("merger", "refuse the sale", False),
        ("merger", "agree to this deal", True),
    ],
)  # fmt: skip
def test_a_consent_to_something_else_than_is_asked_is_refused(subject: str, text: str, fits: bool) -> None:
    asked: o.Subject = o.TrainSale(TrainName("2"), CompanyId("NW"), 50)
    if subject == "merger":
        asked = o.Merger((CompanyId("N"), CompanyId("M-K")), CompanyId("SW"))
    title = engine.load_title("1861")
    (order,) = grammar.read(text, vocabulary(title, PLAYERS), default_actor="Ann").orders
    menu = (Exact(o.Agree("Ann", asked)), Exact(o.Refuse("Ann", asked)))  # type: ignore[arg-type]
    assert (of_another(lambda: menu, order, text) == ()) == fits
