"""Companies are founded from the mail: the question offers it, and says what it costs and what goods do."""

from __future__ import annotations

import re
from functools import cache

import pytest

import engine
from engine import Game, Refused, Setup
from engine.core import orders as o
from engine.core.ids import CompanyId, HexId
from engine.robots import sensible
from grammar import write
from moderator import render
from moderator.domain.vocabulary import vocabulary
from moderator.words.question import lots
from moderator.words.question.questions import Question, questions
from moderator.words.texts import words
from tests.kit.games.render_games import info


@cache
def at(what: str, seed: str = "plain", *, goods: bool = False) -> Game:
    """A plain game of 1863 at the first question ``what``; with ``goods``, at one whose menu has some. Shared between
    tests: do not change it."""
    game = Game.start(engine.load_title("1863"), Setup(("Ann", "Bob", "Cat"), seed=seed))
    while True:
        ask = game.asked()[0]
        if ask.what == what and not (goods and not any(_brings(c.order) for c in game.legal(ask.actor))):
            return game
        assert game.submit(sensible(game, ask))


def _brings(order: o.Order) -> bool:
    return isinstance(order, o.Float) and bool(order.privates)


def question(game: Game) -> Question:
    return questions(words(), game, game.asked()[0].player)[0]


def test_founding_is_an_answer_of_the_first_stock_round_marked_as_an_example() -> None:
    game = at("stock.turn")
    found = question(game)
    assert found.answers[0].text == "pass"
    start = found.answers[1].text
    assert start.startswith("start ") and f"`{start}`: an example; a first bid of £" in found.paying
    player = game.asked()[0].player
    mail = render.turn_mail(game, info(game, player), player, len(game.orders))
    assert "body=start%20" in mail.html and "an example" in mail.html
    taken = game.fork()
    order = next(s for c in game.legal(player) if write(s := c.sample(0), vocabulary(game.title)) == start)
    assert taken.submit(order)


def test_a_float_offers_the_plain_one_the_cheapest_and_the_dearest_with_their_costs() -> None:
    game = at("floating.float")
    ask, found, names = game.asked()[0], question(game), vocabulary(game.title)
    texts = [answer.text for answer in found.answers]
    assert texts[0] == write(sensible(game, ask), names)
    alone = [
        order
        for c in game.legal(ask.actor)
        if isinstance(order := c.sample(0), o.Float) and not (order.trains or order.privates or order.shares)
    ]
    for order in (min(alone, key=lambda each: each.price), max(alone, key=lambda each: each.price)):
        text = write(order, names)
        assert text in texts
        assert f"`{text}`: £{game.cost(order)} in cash, the bid included" in found.paying


def test_goods_of_a_float_say_what_they_count_for_and_what_they_do() -> None:
    game = at("floating.float", goods=True)
    names, found = vocabulary(game.title), question(game)
    notes = {line.order: line.note for group in found.groups for line in group.lines}
    order = next(c.sample(0) for c in game.legal(game.asked()[0].actor) if _brings(c.order))
    assert isinstance(order, o.Float)
    note, private = notes[write(order, names)], order.privates[0]
    assert f"{private} counts £{game.title.privates[private].face} of the capital" in note
    assert words().word(f"powers.{private}", title="1863") in note


@pytest.mark.parametrize("kind", ["Lay.using", "UsePrivate"])
def test_orders_with_a_private_say_which_it_is_and_what_it_does(kind: str) -> None:
    for game in _turns_with(kind):
        for group in question(game).groups:
            if group.kind != kind:
                continue
            told = [group.using] if group.lays else [line.note for line in group.lines]
            powers = [str(power) for key, power in words().own("1863")["words"].items() if key.startswith("powers.")]
            for text in told:
                assert any(power in text for power in powers), group
            if group.lays:
                assert re.match(r"`with [A-Z]{3}` at the end: ", group.using)
        return
    pytest.fail(f"no menu has {kind}")


def _turns_with(kind: str) -> list[Game]:
    wanted = o.UsePrivate if kind == "UsePrivate" else o.Lay
    for seed in ("plain", "b", "c"):
        game = Game.start(engine.load_title("1863"), Setup(("Ann", "Bob", "Cat"), seed=seed))
        for _ in range(400):
            ask = game.asked()[0]
            orders = [choice.order for choice in game.legal(ask.actor)]
            found = [each for each in orders if isinstance(each, wanted) and (kind != "Lay.using" or each.using)]  # type: ignore[union-attr]
            if ask.what == "company.turn" and found:
                return [game]
            assert game.submit(sensible(game, ask))
    return []


@pytest.mark.parametrize("seed", ["a", "b"])
def test_a_bid_for_the_right_to_start_says_what_floating_costs_after_it(seed: str) -> None:
    game = Game.start(engine.load_title("1863"), Setup(("Ann", "Bob", "Cat"), seed=seed))
    while game.asked()[0].about[:1] not in (("MET",), ("BAK",)) or game.asked()[0].what != "auction.bid":
        if game.asked()[0].what == "stock.turn" and any(
            isinstance(c.order, o.Start) for c in game.legal(game.asked()[0].player)
        ):
            (start, *_) = [group for group in question(game).groups if group.kind == "Start"]
            assert "twice the share price, £40 to £500" in start.remark
        assert game.submit(sensible(game, game.asked()[0]))
    company, player = game.asked()[0].about[0], game.asked()[0].player
    text = " ".join(render.turn_mail(game, info(game, player), player, len(game.orders)).text.split())
    assert f"pays the bid to the bank and floats {company} at once, as a minor." in text
    assert "a share price of £40 to £500 and brings twice that as its capital: at least £80 besides the bid" in text
    hex = game.state.board.places_of(CompanyId(company))[0][0]
    free = hex == game.title.companies[company].charter.home[0]  # type: ignore[index]
    assert f"{company} pays £50 for each marker{', but none for the one at home' if free else ''}." in text
    while game.asked()[0].what == "auction.bid":
        assert game.submit(o.Drop(game.asked()[0].player))
    cheapest = min(
        paid
        for choice in game.legal(game.asked()[0].actor)
        if isinstance(choice.order, o.Float) and not (choice.order.privates or choice.order.shares)
        if (paid := game.cost(choice.order)) is not None
    )
    assert cheapest == 80 + 5  # the first bid


@pytest.mark.parametrize(
    ("edition", "place", "offered", "told"),
    [
        (
            "historical", "C10", "its first marker is free in its home C10 Paddington and costs £50 elsewhere.",
            "its first marker stands in C10 Paddington, its home.",
        ),
        (
            "historical", "N11", "its first marker is free in its home C10 Paddington and costs £50 elsewhere.",
            "its first marker stands in N11 Bank, not in its home C10 Paddington.",
        ),
        ("equal", "N11", "as its founder decides.", "its first marker stands in N11 Bank."),
    ],
)  # fmt: skip
def test_the_home_that_a_company_gets_is_named(edition: str, place: str, offered: str, told: str) -> None:
    """Bidders read that MET was at home in C10, though its marker stood elsewhere."""
    game = Game.start(engine.load_title("1863", edition=edition), Setup(("Ann", "Bob", "Cat"), seed="plain"))
    while game.asked()[0].what != "stock.turn":
        assert game.submit(sensible(game, game.asked()[0]))
    company = CompanyId("MET")
    assert offered in " ".join(lots.lot_line(words(), game.title, game.state, company).split())
    start = o.Start(game.asked()[0].player, company, 5, o.Space(HexId(place)))
    assert not isinstance(game.submit(start), Refused)
    bidder = game.asked()[0].player
    assert told in " ".join(render.turn_mail(game, info(game, bidder), bidder, len(game.orders)).text.split())
    assert f"Home: {place}" in render.text_company(game, company)
    while game.asked()[0].what != "company.turn":
        assert game.submit(sensible(game, game.asked()[0]))
    assert "Home:" not in render.text_company(game, company)
    if edition == "equal":
        assert "home" not in render.text_hex(game, "F9")
