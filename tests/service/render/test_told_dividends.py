"""Before the run a mail says what each way of paying does to the price, or why there is no choice."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

import engine
from engine import Game, Setup
from engine.core import orders as o
from engine.core.events import PriceSet
from engine.core.ids import CompanyId
from engine.holders.charters import charter_of
from engine.robots import sensible
from moderator import render
from moderator.words.question.best_run import best_routes
from tests.kit.games.render_games import info


def before_runs(name: str, most: int = 420) -> Iterator[tuple[Game, CompanyId, str]]:
    """Positions of a plain game in which a company may run for money, with the text of the mail."""
    game = Game.start(engine.load_title(name), Setup(("Ann", "Bob", "Cat"), seed="plain"))
    for _ in range(most):
        ask = game.asked()[0]
        if any(isinstance(choice.order, o.RunBest) for choice in game.legal(ask.actor)):
            company, best = CompanyId(ask.actor), best_routes(game.title, game.state, CompanyId(ask.actor))
            if best.value and best.proven:
                mail = render.turn_mail(game, info(game, ask.player), ask.player, len(game.orders))
                yield game, company, " ".join(mail.text.split())
        assert game.submit(sensible(game, ask))


@pytest.mark.parametrize("name", ["1841", "1844", "1861", "1867"])
def test_each_way_of_paying_says_what_becomes_of_the_price(name: str) -> None:
    told = 0
    for game, company, text in before_runs(name):
        price_then = r"(?:price \S+.*? to (.*?)|the price stays)"
        ways = re.findall(rf"`pay (full|half|none)` \({price_then}; then it has (.*?)[,)]", text)
        for way, price, cash in ways:
            later = game.fork()
            assert later.submit(o.RunBest(company))
            if later.asked()[0].actor != company:  # the others may announce a better run
                continue
            assert later.submit(o.Pay(company, way))
            ((_, _, events),) = later.happened(len(later.orders) - 1)
            moved = [e.price for e in events if isinstance(e, PriceSet) and e.company == company]
            assert moved == [_amount(price)] if price else moved == []
            assert later.state.money(company) == _amount(cash)
            told += 1
        if told > 20:
            return
    assert told


def _amount(text: str) -> int:
    return int(re.sub(r"\D", "", text.removeprefix("L.")))


def test_a_way_of_paying_names_the_trains_that_only_it_can_pay() -> None:
    told = 0
    for game, company, text in before_runs("1844"):
        for way, trains in re.findall(r"`pay (full|none)` \([^)]*enough for ([^)]*)\)", text):
            later = game.fork()
            assert later.submit(o.RunBest(company)) and later.submit(o.Pay(company, way))
            for train in re.findall(r"(\w+)-train", trains):
                assert game.title.trains[train].cost <= later.state.money(company)
                told += 1
        if told > 3:
            return
    raise AssertionError(told)


def test_the_prices_of_1863_are_told_by_bands() -> None:
    _, _, text = next(before_runs("1863", 620))
    assert re.search(r"The price becomes £\d+ with £0", text)


@pytest.mark.parametrize("name", ["1861", "1867"])
def test_a_minor_is_told_why_it_has_no_choice_of_dividend(name: str) -> None:
    kinds = set()
    for game, company, text in before_runs(name):
        kind = charter_of(game.title, game.state, company).kind
        kinds.add(kind)
        said = (
            f"There is no choice of dividend: half of what {company} earns goes to its director, half to its treasury"
        )
        assert (said in text) == (kind == "minor")
        if kind == "minor":
            prices = re.findall(
                r"on the track now, it then has \S+, and its price moves from \S+ to \D?([\d,]+)\.", text
            )
            moved = later_price(game, company)
            assert [int(price.replace(",", "")) for price in prices] in ([moved], [])
            (cash,) = re.findall(r"as on the track now, it then has \D?([\d,]+)\b", text)
            later = game.fork()
            assert later.submit(o.RunBest(company))
            assert int(cash.replace(",", "")) == later.state.money(company)
            assert prices or moved == game.title.price(game.state, company)
        if len(kinds) == 2:
            return
    assert kinds == {"minor"}


def later_price(game: Game, company: CompanyId) -> int:
    later = game.fork()
    assert later.submit(o.RunBest(company))
    return later.title.price(later.state, company)
