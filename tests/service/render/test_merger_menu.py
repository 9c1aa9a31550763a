"""Each merger of a menu stands there as an order that can be sent, and none names a company twice."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

import engine
from engine import Game, Setup
from engine.core import orders as o
from engine.core.agenda import Exact
from engine.robots import sensible
from grammar import write
from moderator.domain.vocabulary import vocabulary
from moderator.words.question import menu
from moderator.words.texts import words


def merging(name: str, sets: int = 1) -> Game:
    """A plain game at the first menu with mergers of so many different sets of companies."""
    for seed in ("plain", "b", "c"):
        game = Game.start(engine.load_title(name), Setup(("Ann", "Bob", "Cat"), seed=seed))
        while not game.finished:
            orders = [choice.order for choice in game.legal(game.asked()[0].actor)]
            if len({order.minors for order in orders if isinstance(order, o.Merge)}) >= sets:
                return game
            assert game.submit(sensible(game, game.asked()[0]))
    raise AssertionError("no such menu")


@pytest.mark.in_turn(2)
@pytest.mark.parametrize(("name", "sets"), [("1861", 1), ("1867", 1), ("1841", 2), ("1863", 2)])
def test_each_set_of_companies_has_an_order_of_its_own(name: str, sets: int) -> None:
    game = merging(name, sets)
    legal, names = game.legal(game.asked()[0].actor), vocabulary(game.title)
    group = next(g for g in menu.groups(words(), game.title, game.state, legal) if g.kind == "Merge")
    wanted = {choice.order.minors for choice in legal if isinstance(choice.order, o.Merge)}
    written = {write(choice.order, names): choice.order for choice in legal if isinstance(choice.order, o.Merge)}
    assert {written[line.order].minors for line in group.lines} == wanted
    for line in group.lines:
        price = game.title.policies.merged_price(game.title, game.state, written[line.order])
        assert price is None or f"{price:,}" in line.note
    told = " ".join(
        [*(line.note + " " + line.order for line in group.lines), *(c for _, of in group.choices for c in of)]
    )
    for order in written.values():
        assert re.search(rf"(?<!\S){re.escape(order.into)}\b", told), "every company that may result is named"


def test_many_sets_are_listed_as_their_orders_begin() -> None:
    """`N, R-O` with `;` between the sets read as companies and orders by turns."""
    game = merging("1861")
    leader = game.asked()[0].actor
    one = next(c.order for c in game.legal(leader) if isinstance(c.order, o.Merge))
    others = [id for id, now in game.state.companies.items() if id in game.state.prices and id != leader][:6]
    sets = [(*one.minors, *others[:n]) for n in range(1, 6)] + [(id, *one.minors) for id in others[:5]]
    many = tuple(Exact(replace(one, minors=tuple(dict.fromkeys(each)))) for each in sets)
    group = menu.groups(words(), game.title, game.state, many)[0]
    begun = dict(group.choices)["partners"]
    assert len(begun) > menu.SHORT and len(group.lines) == 1
    names = vocabulary(game.title)
    whole = {write(choice.order, names) for choice in many}
    for text in begun:
        sent = re.sub(r" \(.*\)$", "", text)
        assert f"{sent} into {one.into}" in whole
        companies = sent.removeprefix("merge ").split(", ")
        assert len(set(companies)) == len(companies)
