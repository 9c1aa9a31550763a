"""A mail says which companies may sell trains to the company in turn, for what prices, and who must agree."""

from __future__ import annotations

import re

import pytest

from engine import Game, Range
from engine.acts.act import Turn
from engine.acts.buy_train import BuyTrains
from engine.core import events as ev
from engine.core import orders as o
from engine.core.agenda import Ask
from engine.core.decide import effects
from engine.core.ids import BANK, POOL
from moderator.words.question.later import places
from moderator.words.question.sellers import Offer, offers
from tests.kit.games.render_1844 import MOMENTS
from tests.service.render.test_told_before import asked_in, given, question

TITLES = ("1841", "1844", "1861", "1867")


def offered(game: Game) -> tuple[Offer, ...]:
    """The trains of other companies as ``offers`` finds them; none if no company is in turn."""
    if not game.state.agenda or not isinstance(game.state.top, Turn):
        return ()
    act = next(place.act for place in places(game.title, game.state) if isinstance(place.act, BuyTrains))
    return offers(game.title, game.state, act)


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("name", TITLES)
def test_the_prices_are_those_of_the_menu_once_trains_come(name: str) -> None:
    compared = 0
    for game, ask in asked_in(name)[150:]:
        menu = {
            (c.order.train, str(c.order.source)): c
            for c in game.legal(ask.actor)
            if isinstance(c.order, o.Train) and c.order.source not in (None, BANK, POOL)
        }
        found = {(offer.train, str(offer.seller)): offer for offer in offered(game)} if menu else {}
        assert set(menu) <= set(found)
        for key, choice in menu.items():
            compared += 1
            offer, order = found[key], choice.sample(0)
            assert isinstance(order, o.Train)
            low, high = (choice.low, choice.high) if isinstance(choice, Range) else (order.price, order.price)
            assert low == offer.low or not any(isinstance(c.order, o.Done) for c in game.legal(ask.actor)), "for a duty"
            assert high == offer.high or (offer.high is None)
            asked = {e.player for e in effects(game.title, game.state, order) if isinstance(e, ev.ConsentAsked)}
            assert asked == ({offer.consent} if offer.consent else set())
        for key in set(found) - set(menu):
            assert found[key].low > game.state.money(ask.actor)
    assert compared > 10


def told(game: Game, ask: Ask) -> list[tuple[str, str, str, str]]:
    """The trains that the mail names: train, company, its only price or "", and who must agree or ""."""
    said = question(game, ask).later
    found = []
    for train, of, price, consent in re.findall(
        r" an? (\S+)-train of ((?:[^\s,;:.(]+(?:, )?)+)(?: [^\d,;(]{0,2}(\d+)[^;(.]*)?(?: \((\w+) must agree\))?[;.]",
        said,
    ):
        found += [(train, one, price, consent) for one in of.split(", ")]
    return found


def too_dear(game: Game, ask: Ask) -> list[tuple[str, str, str]]:
    """The trains that cost more than the company has, in a clause of their own: train, company and price."""
    said = question(game, ask).later
    clause = re.search(r"(?:, more than it has now|; too dear now): ([^.]*)\.", said)
    found = []
    for train, price, of in re.findall(r"(\S+) for \D{0,3}(\d+)[^(]*\(([^)]*)\)", clause[1] if clause else ""):
        found += [(train, one, price) for one in of.split(", ")]
    return found


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("name", TITLES)
def test_every_company_that_may_sell_is_named_before_and_after_the_run(name: str) -> None:
    before = after = 0
    for game, ask in asked_in(name)[150:]:
        kinds = {type(choice.order) for choice in game.legal(ask.actor)}
        said = question(game, ask).later
        if not ask.what.startswith("company.") or "may own" in said or not kinds & {o.RunBest, o.Pay}:
            continue
        dear = [x for x in offered(game) if x.high is not None and x.low > game.state.money(ask.actor)]
        cheap = [x for x in offered(game) if x not in dear]
        wanted = [(x.train, x.seller, "" if x.high is None else str(x.high), x.consent or "") for x in cheap]
        assert sorted(told(game, ask)) == sorted(wanted), said
        assert sorted(too_dear(game, ask)) == sorted((x.train, x.seller, str(x.high)) for x in dear), said
        before += o.RunBest in kinds and bool(wanted)
        after += o.Pay in kinds and bool(wanted)
    assert before and (after or name in ("1861", "1867"))


@pytest.mark.rule("1844:10.9")
def test_a_train_of_another_director_has_its_printed_price() -> None:
    """The mail told of NOB's 3H for 70 SFR; it costs 150, and Ann directs NOB."""
    game = MOMENTS["company"]()
    (ask,) = game.asked()
    said = question(game, ask).later.replace("\N{NO-BREAK SPACE}", " ")
    assert "cost exactly their printed price (1844 rulebook 10.9, p. 14)" in said
    assert "a 3H-train of NOB 150 SFR (Ann must agree)" in said
    assert "train 3H from NOB for 70" not in said
    (example,) = re.findall(r"`(train \S+ from \S+ for \d+)`", said)
    assert given(game, ask, f"run best; pay none; {example}") is not None


def test_where_no_company_sells_trains_none_is_named() -> None:
    assert all("other companies" not in question(game, ask).later for game, ask in asked_in("1863"))
