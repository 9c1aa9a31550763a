"""Whole turns by taps on a telephone, of every kind that the first rounds of a title have: what the page foretells is
what the service does with its mail."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, expect

from engine import Game, Refused
from engine.core import orders as o
from engine.core.agenda import Ask, Range
from engine.core.orders import Order
from engine.positions import write_position
from engine.robots import sensible
from grammar import write
from moderator.desk.sitting import Sitting
from moderator.domain.vocabulary import vocabulary
from tests.kit.browser.desk import PATIENCE, OpenDesk, desk_in
from tests.kit.browser.desk_table import Table, table
from tests.kit.browser.pages import PHONE

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
TAGS = re.compile(r"<[^>]*>")


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


class Finger:
    """A player's finger on the page. ``game``: the same game outside, from which each tap is told."""

    def __init__(self, desk: OpenDesk, game: Game) -> None:
        self.desk = desk
        self.game = game.fork()

    def give(self, order: Order) -> None:
        """Give an order by taps alone, and numbers by the keys of the telephone."""
        count = self.desk.find("#given li code").count()
        text = write(order, vocabulary(self.game.title))
        if isinstance(order, o.Lay):
            self._lay(str(order.hex), text)
        elif isinstance(order, o.Token):
            self.desk.find(f"#tap-{order.space.hex}").tap()
            self.desk.find("#markers button").get_by_text(text, exact=True).tap()
        else:
            self._press(order, text)
        expect(self.desk.find("#given li code")).to_have_count(count + 1)
        assert self.desk.find("#given li code").last.text_content() == text
        self.game.submit(order)

    def _lay(self, hex: str, text: str) -> None:
        said = self.desk.find("#hex-says")
        self.desk.find(f"#tap-{hex}").tap()
        expect(said).to_contain_text(": ")
        for tile in self.desk.find("#tiles button").all():
            if tile.get_attribute("aria-pressed") == "false":
                tile.tap()
                expect(tile).to_have_attribute("aria-pressed", "true")
            for _ in range(6):
                if (said.text_content() or "").partition(":")[0] == text:
                    self.desk.find("#lay").tap()
                    return
                if self.desk.find("#turn").is_enabled():
                    self.desk.find("#turn").tap()
        raise AssertionError(f"{text} is not among the tiles of {hex}")

    def _press(self, order: Order, text: str) -> None:
        part = self.desk.find("#asked")
        for folded in part.locator("details:not([open]) > summary").all():
            folded.tap()
        plain = part.get_by_role("button", name=text, exact=True)
        if plain.count():
            plain.last.tap()
            return
        menu = self.game.legal(order.actor)
        choice = next((choice for choice in menu if _has(choice, order)), None)
        if choice is None:  # bids on several things: only text can say them
            self.desk.find("#text").fill(f"{self.desk.find('#text').input_value()}\n{order.actor}: {text}")
            self.desk.find("#text-form button").tap()
            return
        first = write(choice.sample(0), vocabulary(self.game.title))
        value = getattr(order, choice.field) if isinstance(choice, Range) else None
        gap = re.sub(rf"\b{choice.low}\b(?!.*\b{choice.low}\b)", "…", first) if isinstance(choice, Range) else first
        self._choose(part, first, gap, value)

    def _choose(self, part: Locator, first: str, gap: str, value: int | None) -> None:
        """Choose an order from a list, or beside a number. ``first``: it with the least number; ``gap``: with none."""
        for row in part.locator("li:has(input[type=number])").all():
            field = row.locator("input")
            if f" for {first}," in (field.get_attribute("aria-label") or ""):
                field.fill(str(value))
                row.locator("button").tap()
                return
        for row in part.locator("p:has(select)").all():
            options = row.locator("option").all_text_contents()
            for at, option in enumerate(options):
                if option in (first, gap) or option.startswith((f"{gap} (", f"{first} (")):
                    row.locator("select").select_option(index=at)
                    if value is not None and row.locator("input").is_visible():
                        row.locator("input").fill(str(value))
                    row.locator("button").tap()
                    return
        raise AssertionError(f"{first} is nowhere on the page")


def _has(choice: object, order: Order) -> bool:
    if isinstance(choice, Range):
        return any(choice.sample(at) == order for at in range((choice.high - choice.low) // choice.step + 1))
    return getattr(choice, "order", None) == order


def plain(html: str) -> str:
    return " ".join(unescape(TAGS.sub(" ", html)).split())


def shows(desk: OpenDesk, tables: str) -> None:
    """The tables of the page come to be these: they are drawn a moment after the orders."""
    for _ in range(50):
        if plain(desk.find("#tables").inner_html()) == tables:
            return
        desk.page.wait_for_timeout(100)
    assert plain(desk.find("#tables").inner_html()) == tables


def foretold(game: Game, player: str) -> str:
    sitting = Sitting.open(write_position(game, player))
    assert isinstance(sitting, Sitting)
    return plain(sitting.tables())


def said(game: Table, ask: Ask) -> None:
    """Answer by mail as the plain player does."""
    order = sensible(game.game, ask)
    game.service.say(ask.player, f"{order.actor}: {write(order, vocabulary(game.game.title))}")


def others(game: Table, ask: Ask) -> None:
    for one in game.game.asked():
        if one.player != ask.player:
            said(game, one)


@pytest.mark.parametrize("title", NEEDED)
def test_turns_of_every_kind_are_carried_out_as_foretold(
    browser: Browser, url: str, title: str, tmp_path: Path
) -> None:
    game = table(tmp_path, url, title)
    seen = set[str]()
    with desk_in(browser, PHONE) as desk:
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
