"""Mails as Chromium shows them: on a telephone and on a desk, in light and in dark, for readers of every kind."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest

import engine
from engine.core import orders as o
from engine.core.game import Game
from engine.core.ids import PlayerId
from engine.robots import sensible
from moderator import render
from moderator.domain.ahead.invitation import Invitation
from moderator.render import Rendered
from tests.kit.browser import Window, chromium, too_wide, violations
from tests.kit.games.mail_moments import EACH_TITLE, MOMENTS, turn_mail, with_blank_pictures, with_pictures
from tests.kit.games.render_games import info, played
from tests.kit.samples import sampled
from tests.service.render.test_mails import a_transcript
from tests.service.render.test_pictures import ODD, played_by

OTHERS = ("news", "help", "welcome", "over", "answer", "notice", "stranger", "press", "invitation")
INVITATION = Invitation(
    "operating", ("GRR: run best; pay full; done", "SP-W: run best; done"), companies=((2, "GRR"), (5, "SP-W"))
)
TELEPHONE, DESK = 390, 1200
SCREEN = 844
"""Height of a telephone in pixels."""
FIRST_TABLE = "document.querySelector('.grid').getBoundingClientRect().top"
TOP = "rule => document.querySelector(rule)?.getBoundingClientRect().top ?? 0"
SEEN = {
    "tables": ".grid",
    "you": ".card:not(:has(~ .card))",
    "picture": ".picture",
    "chart": "[src$=picture-chart]",
    "map": "[src$=picture-map]",
}
"""The last card is the reader's own."""
MAP_IN_STOCK_ROUNDS = 2.2
"""Screens before the map in a stock round: it begins on the second one, or where a menu is long just below it."""
BROKEN = "[...document.images].filter(one => !one.naturalWidth).length"


@pytest.fixture(scope="module")
def window() -> Iterator[Window]:
    with chromium() as browser:
        yield Window(browser)


@pytest.fixture(scope="module", params=sampled(MOMENTS, EACH_TITLE))
def seen(request: pytest.FixtureRequest) -> str:
    game = MOMENTS[request.param]()
    return with_pictures(game, turn_mail(game))


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_a_turn_mail_can_be_read_by_everybody(window: Window, seen: str, dark: bool) -> None:
    page = window.show(seen, width=TELEPHONE, dark=dark)
    assert violations(page) == []
    assert page.evaluate(BROKEN) == 0


def test_a_turn_mail_fits_a_telephone_and_the_decision_comes_first(window: Window, seen: str) -> None:
    page = window.show(seen, width=TELEPHONE)
    assert too_wide(page) <= 0
    assert page.evaluate(FIRST_TABLE) <= 4 * SCREEN
    assert page.evaluate("document.querySelector('.picture').getBoundingClientRect().top") <= 2 * SCREEN
    assert page.evaluate("document.querySelector('.card').getBoundingClientRect().bottom") <= SCREEN
    page = window.show(seen, width=DESK)
    assert too_wide(page) <= 0


def turns(name: str, orders: int) -> Iterator[tuple[Game, PlayerId, int]]:
    """Turns of a game between plain players: the game, the player, and how many orders he has been told of."""
    game = Game.start(engine.load_title(name), engine.Setup(("Ann", "Bob", "Cat", "Dan"), seed="screens"))
    told, before = dict.fromkeys(game.state.players, 0), PlayerId("")
    while len(game.orders) < orders:
        ask = game.asked()[0]
        if ask.player != before:
            yield game, ask.player, told[ask.player]
            told[ask.player], before = len(game.orders), ask.player
        assert game.submit(sensible(game, ask))


@pytest.mark.parametrize("name", ["1861", "1844", "1841", "1863", "1867"])
def test_what_decides_stands_on_the_first_screens(window: Window, name: str) -> None:
    """Half of the turn mails reached the tables only on the third or fourth screen; orders ahead, rounds that are over
    and lays in words stood before them."""
    asked = Counter[str]()
    for game, seat, told in turns(name, 320):
        what = game.asked()[0].what
        asked[what] += 1
        if asked[what] % 12 != 1:
            continue
        mail = render.turn_mail(game, info(game, seat), seat, told)
        page = window.show(with_blank_pictures(game, mail), width=TELEPHONE)
        page.wait_for_function("[...document.images].every(one => one.complete)")
        top = {key: page.evaluate(TOP, rule) for key, rule in SEEN.items()}
        at = f"{what} at {len(game.orders)}: {top}"
        assert top["tables"] <= 4 * SCREEN, at
        assert top["you"] <= 2 * SCREEN, at
        assert not top["picture"] or top["you"] < top["picture"], at
        if what == "stock.turn":
            assert max(top["chart"], top["map"]) <= MAP_IN_STOCK_ROUNDS * SCREEN, at
    assert asked["stock.turn"] and asked["company.turn"]


def with_many_lays(name: str, hexes: int) -> Game:
    """A plain game at the first company's turn with lays in so many hexes."""
    game = Game.start(engine.load_title(name), engine.Setup(("Ann", "Bob", "Cat"), seed="plain"))
    while True:
        ask = game.asked()[0]
        lays = {choice.order.hex for choice in game.legal(ask.actor) if isinstance(choice.order, o.Lay)}
        if ask.what == "company.turn" and len(lays) >= hexes:
            return game
        assert game.submit(sensible(game, ask))


@pytest.mark.parametrize(("name", "hexes"), [("1863", 24), ("1867", 20)])
def test_many_lays_do_not_keep_the_tables_away_and_all_of_them_are_listed(
    window: Window, name: str, hexes: int
) -> None:
    """The long sheet and two or three parts of the map took six screens before the first table."""
    game = with_many_lays(name, hexes)
    ask = game.asked()[0]
    mail = render.turn_mail(game, info(game, ask.player), ask.player, max(0, len(game.orders) - 12))
    page = window.show(with_pictures(game, mail), width=TELEPHONE)
    assert page.evaluate(FIRST_TABLE) <= 4 * SCREEN
    orders = [choice.order for choice in game.legal(ask.actor)]
    lays = {(str(order.hex), str(order.tile)) for order in orders if isinstance(order, o.Lay)}
    for text in (mail.text, page.evaluate("document.body.innerText")):
        for hex, tile in lays:
            assert re.search(rf"^\s*{re.escape(hex)}\b.*\b{re.escape(tile)} \(", text, re.MULTILINE), (hex, tile)
    marked = {hex for picture in mail.pictures if picture.kind == "map" for hex in picture.marked}
    assert {hex for hex, _ in lays} <= marked
    assert any(picture.id in ("picture-map", "picture-part") and not picture.hexes for picture in mail.pictures) or all(
        any(hex in picture.hexes for picture in mail.pictures if picture.kind == "map") for hex, _ in lays
    )


@cache
def other_mails() -> dict[str, tuple[Game, Rendered]]:
    game = played(420)
    seat = game.asked()[0].player
    about = info(game, seat)
    return {
        "news": (game, render.news_mail(game, about, seat, 380)),
        "help": (game, render.help_mail(game, about, seat)),
        "welcome": (game, render.welcome_mail(game, about, seat)),
        "over": (game, render.game_over_mail(game, info(game, seat, seed="open now"), seat, since=390)),
        "answer": (game, render.transcript_mail(game, about, a_transcript())),
        "notice": (game, render.notice_mail(about, "stopped", {"asked": True, "clock": True})),
        "invitation": (game, render.invitation_mail(game, replace(about, invitation=INVITATION), seat)),
        "stranger": (game, render.stranger_mail()),
        "press": (game, render.press_mail(about, "Bob", ("Ann",), ("See you at K9?",))),
    }


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize(
    "name",
    sampled(
        ["news", "help", "welcome", "over", "answer", "notice", "stranger", "press", "invitation"],
        ["news", "answer", "stranger", "invitation"],
    ),
)
def test_all_mails_are_of_one_design(window: Window, name: str, dark: bool) -> None:
    game, mail = other_mails()[name]
    page = window.show(with_pictures(game, mail), width=TELEPHONE, dark=dark)
    assert violations(page) == []
    assert too_wide(page) <= 0


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_odd_names_break_no_mail(window: Window, dark: bool) -> None:
    game = played_by(tuple(PlayerId(name) for name in ODD))
    page = window.show(with_pictures(game, turn_mail(game)), width=TELEPHONE, dark=dark)
    assert violations(page) == []
    assert too_wide(page) <= 0
    assert page.locator("b").filter(has_text=ODD[0]).count() > 0
    assert page.evaluate(BROKEN) == 0
