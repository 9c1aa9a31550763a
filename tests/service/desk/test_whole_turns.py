"""Whole turns by taps on a telephone, of every kind that the first rounds of a title have: what the page foretells is
what the service does with its mail."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from engine import Game, Refused
from engine.core.agenda import Ask
from engine.core.orders import Order
from engine.robots import sensible
from grammar import write
from moderator.domain.vocabulary import vocabulary
from tests.kit.browser.desk import PATIENCE, desk_in
from tests.kit.browser.desk_memory import Memory
from tests.kit.browser.desk_table import Table, table
from tests.kit.browser.finger import Finger, foretold, shows
from tests.kit.browser.pages import PHONE
from tests.kit.samples import sampled

ORDERS = 110
"""The number of orders of each game."""
LONG = 12
"""The most orders of a turn."""
NEEDED = {
    "1844": {"auction.bid", "par", "stock.turn", "company.turn", "Lay", "Token", "RunBest", "Train"},
    "1841": {"concessions.bids", "stock.turn", "company.turn", "Lay", "RunBest", "Pay", "Train"},
    "1863": {"auction.bid", "stock.turn", "floating.float", "company.turn", "merger.turn", "Lay", "RunBest", "Train"},
}
"""Title -> kinds of questions and orders that must have been among the turns."""


def turn_of(game: Game, ask: Ask) -> tuple[list[Order], Game]:
    """The orders of the plain player until somebody else is asked, and the game after them."""
    after, orders = game.fork(), list[Order]()
    while len(orders) < LONG:
        now = next((one for one in after.asked() if one.player == ask.player), None)
        if now is None:
            break
        order = sensible(after, now)
        if isinstance(after.submit(order), Refused):
            raise AssertionError(order)
        orders.append(order)
    return orders, after


def said(game: Table, ask: Ask) -> None:
    """Answer by mail as the plain player does."""
    order = sensible(game.game, ask)
    game.service.say(ask.player, f"{order.actor}: {write(order, vocabulary(game.game.title))}")


def others(game: Table, ask: Ask) -> None:
    for one in game.game.asked():
        if one.player != ask.player:
            said(game, one)


@pytest.mark.parametrize("title", sampled(NEEDED, ["1863"]))
def test_turns_of_every_kind_are_carried_out_as_foretold(
    browser: Browser, url: str, memory: Memory, title: str, tmp_path: Path
) -> None:
    game = table(tmp_path, url, title)
    seen = set[str]()
    with desk_in(browser, PHONE, memory=memory) as desk:
        desk.open(url, "There is no position here yet.")
        while len(game.game.orders) < ORDERS:
            ask, before = game.ask, game.game
            orders, after = turn_of(before, ask)
            kinds = {ask.what, *(type(order).__name__ for order in orders)}
            if kinds <= seen:
                said(game, ask)
                if ask.sealed:
                    others(game, ask)
                continue
            seen |= kinds
            desk.follow(game.link().partition("#")[2])
            expect(desk.find("#round")).to_contain_text(f"{ask.player}: ", timeout=PATIENCE)
            finger = Finger(desk, before)
            for order in orders:
                finger.give(order)
            if ask.player not in [one.player for one in after.asked()]:
                expect(desk.find("#asked")).to_contain_text("Your turn is over")
            shows(desk, foretold(after, ask.player))
            carried = game.carries_out(desk)
            if ask.sealed:  # nothing is known until all have bid
                others(game, ask)
                assert game.service.log(game.name)[-1:] != [], "with the bids of the others, these are taken"
                continue
            assert len(carried) >= len(orders)
            if len(carried) == len(orders):
                assert game.game.told_digest() == after.told_digest()
    assert NEEDED[title] <= seen, NEEDED[title] - seen
