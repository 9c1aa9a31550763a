"""Each merger of a menu stands there as an order that can be sent, and none names a company twice."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

import engine
from engine import Game, Setup
from engine.core import orders as o
from engine.core.agenda import Exact
from engine.core.ids import CompanyId
from engine.robots import sensible
from grammar import write
from moderator.domain.vocabulary import vocabulary
from moderator.words.question import menu
from moderator.words.texts import words
from moderator.words.wording import describe_question


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


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("name", ["1861", "1863", "1867"])
def test_a_merger_says_what_the_new_company_has(name: str) -> None:
    game = merging(name)
    actor, names = CompanyId(game.asked()[0].actor), vocabulary(game.title)
    legal = game.legal(actor)
    order = next(c.order for c in legal if isinstance(c.order, o.Merge))
    group = next(g for g in menu.groups(words(), game.title, game.state, legal) if g.kind == "Merge")
    told = f"{group.remark} {' '.join(line.note for line in group.lines)}"
    note = next(line.note for line in group.lines if line.order == write(order, names))
    trial = game.fork()
    assert trial.submit(order)
    while (ask := trial.asked()[0]).what == "consent":
        agree = next(c.order for c in trial.legal(ask.actor) if isinstance(c.order, o.Agree))
        asked = describe_question(trial, ask, trial.legal(ask.actor))
        assert trial.submit(agree)
        if trial.asked()[0].what != "consent":
            assert note.partition("it has ")[2].partition(";")[0] in asked
    has = note.partition("it has ")[2]
    assert has.startswith(words().env.from_string("{{ m|money }}").render(title=game.title, m=money(trial, order)))
    if name == "1861":  # each of two owners has a share
        assert "undone if nobody takes a share" in told
    loans = trial.state.companies[order.into].loans
    assert (f"{loans} loan" in has) == (loans > 0)
    assert all(hex in has for hex, _ in trial.state.board.places_of(order.into))


def money(game: Game, order: o.Merge) -> int:
    return game.state.money(order.into)


def test_either_company_of_a_merger_in_1863_may_survive_by_an_order_that_is_listed() -> None:
    """`merge DIS into CSL` told both results, and no order for the other one."""
    game = merging("1863")
    legal, names = game.legal(game.asked()[0].actor), vocabulary(game.title)
    group = next(g for g in menu.groups(words(), game.title, game.state, legal) if g.kind == "Merge")
    wanted = {write(choice.order, names) for choice in legal if isinstance(choice.order, o.Merge)}
    assert {line.order for line in group.lines} == wanted
    assert all("into" not in line.note for line in group.lines) and group.choices == ()
