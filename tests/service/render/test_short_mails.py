"""Turn mails leave out, or put below, what a decision can do without. The rest stands on the first screens."""

from __future__ import annotations

import re

import pytest

from engine.core.game import Game
from moderator import render
from moderator.render.inline_styles import unbroken
from moderator.words.position.share_views import ShareTable, heads
from tests.kit.games.mail_moments import MOMENTS, turn_mail
from tests.kit.games.render_games import info, played


def told_of_nearly_all(game: Game) -> str:
    """The text of the turn mail to a player who has not been told of the last order."""
    seat = game.asked()[0].player
    return render.turn_mail(game, info(game, seat), seat, len(game.orders) - 1).text


@pytest.mark.parametrize(
    ("names", "shown"),
    [
        (("Ann", "Bob", "pool"), ("Ann", "Bob", "pool")),
        (("Alexander", "Bartholomew", "Cat", "Dan"), ("Alexander", "Bartholomew", "Cat", "Dan")),
        (("Alexander", "Bartholomew", "Christopher", "Dan"), ("Alexan.", "Bartho.", "Christ.", "Dan")),
        (("Alexander", "Alexandra", "Christopher"), ("Alexander", "Alexandra", "Christopher")),
    ],
)
def test_names_above_the_shares_are_cut_rather_than_broken(names: tuple[str, ...], shown: tuple[str, ...]) -> None:
    assert heads(ShareTable(names, ()), str) == shown


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("<p>K-R, not AK-R</p>", '<p><span class="whole">K-R</span>, not AK-R</p>'),
        ('<a href="mailto:a?body=K-R">done</a>', '<a href="mailto:a?body=K-R">done</a>'),
        ("<b>M-B-S</b>", "<b>M-B-S</b>"),
    ],
)
def test_no_line_ends_within_the_name_of_a_company(said: str, shown: str) -> None:
    assert unbroken(f"<title>K-R</title><body>{said}", ("K-R", "M-B")) == f"<title>K-R</title><body>{shown}"


def test_a_mail_keeps_the_names_of_its_companies_whole() -> None:
    html = render.turn_mail(game := played(60), info(game, game.asked()[0].player), game.asked()[0].player, 40).html
    assert re.search(r'white-space: nowrap;">[A-Z]+-[A-Z]+</span>', html)


def test_the_text_names_tables_that_have_not_changed() -> None:
    """In a stock round only hexes that have changed are listed; a company's turn needs all of them."""
    stock, company = told_of_nearly_all(MOMENTS["1861-stock"]()), told_of_nearly_all(MOMENTS["1861-company"]())
    assert "(`show board`: all)" in stock and "MAP: tile/turn" not in stock
    assert "(`show board`: all)" not in company and "MAP: tile/turn" in company


def test_shares_that_stayed_are_named_and_the_readers_own_are_told() -> None:
    said = told_of_nearly_all(MOMENTS["1861-company"]())
    assert "SHARES of all players are as in your last turn mail" in said
    own = " ".join(said.split("\nYOU\n")[1].split("\n\n")[0].split())
    assert re.search(r" certificates; .*\b[A-Z-]+ \d+( \(director\))?", own)


def test_what_can_wait_stands_below_the_tables() -> None:
    for name in ("1861-stock", "1863-company"):
        html = turn_mail(MOMENTS[name]()).html
        tables = html.index(">Players</h2>")
        assert html.index("legal now") < html.index("certificates") < tables
        assert all(
            html.index(below) > tables for below in (">Rounds that are over<", ">Orders ahead<") if below in html
        )
