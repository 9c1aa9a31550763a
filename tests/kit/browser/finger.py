"""A player's finger on the desk: each order is given by taps, and the page is held against the game outside."""

from __future__ import annotations

import re
from html import unescape

from playwright.sync_api import Locator, expect

from engine import Game, Refused
from engine.core import orders as o
from engine.core.agenda import Range
from engine.core.events import Event
from engine.core.orders import Order
from engine.positions import write_position
from grammar import write
from moderator.desk.sitting import Sitting
from moderator.domain.vocabulary import vocabulary
from tests.kit.browser.desk import OpenDesk

TAGS = re.compile(r"<[^>]*>")


class Finger:
    """A player's finger on the page. ``game``: the same game outside, from which each tap is told. ``events``: what
    followed from the last order in it."""

    def __init__(self, desk: OpenDesk, game: Game) -> None:
        self.desk = desk
        self.game = game.fork()
        self.events = tuple[Event, ...]()

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
        events = self.game.submit(order)
        assert not isinstance(events, Refused), events
        self.events = events

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
        folded = part.locator("details:not([open]) > summary")
        for _ in range(folded.count()):  # each that is opened is one less
            folded.first.tap()
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
