"""Games on paper: every page has what it must, whatever the names of players are, and the same bytes each time."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from io import BytesIO

import pytest
from PIL import Image
from pypdf import PdfReader

import engine
from engine.core.game import Game
from engine.core.ids import PlayerId
from engine.svg.colors import FILLS
from moderator.adapters.pdf import pages, pdf
from moderator.render.facts import questions
from moderator.render.print.booklet import booklet, ends
from moderator.render.print.turn_sheet import Occasion, sheet
from moderator.render.words import words
from tests.kit.games.render_games import PLAYERS, played
from tests.kit.samples import prove, sampled

OCCASION = Occasion("1861-7", 143, "Tue 3 June, 20:00")
TITLES = engine.title_names()


def texts(files: Mapping[str, str]) -> list[str]:
    """The text of each page, with single blanks."""
    return [re.sub(r"\s+", " ", page.extract_text()) for page in PdfReader(BytesIO(pdf(files))).pages]


def colors_on(page: bytes) -> set[tuple[int, int, int]]:
    """The colours of a thousandth of the page or more."""
    image = Image.open(BytesIO(page)).convert("RGB")
    counts = image.getcolors(image.width * image.height) or []
    return {color for count, color in counts if count * 1000 >= image.width * image.height}  # type: ignore[misc]


def rgb(name: str) -> tuple[int, int, int]:
    code = FILLS[name]
    return int(code[1:3], 16), int(code[3:5], 16), int(code[5:], 16)


def asked(game: Game) -> PlayerId:
    return game.asked()[0].player


@pytest.fixture(scope="module")
def files() -> dict[str, str]:
    game = played(300)
    return sheet(game, asked(game), replace(OCCASION, since=280))


def test_a_sheet_has_map_holdings_pictures_and_form(files: dict[str, str]) -> None:
    game = played(300)
    map, holdings, pictures, form = texts(files)
    assert "1861-7" in map
    assert all(hex.name in map for hex in game.title.map.hexes.values() if hex.name and " " not in hex.name)
    assert "what has changed" in map
    for player in PLAYERS:
        assert f"{player} {game.state.money(PlayerId(player)):,}" in holdings.replace(" (Priority Deal)", "")
    for company, now in game.state.companies.items():
        if now.status == "open":
            assert company in holdings
    assert "540" in pictures  # the highest share price
    assert "639 ×" in pictures
    assert f"Orders of {asked(game)}" in form
    assert OCCASION.due in form
    assert "decision 143 of 1861-7" in form


def test_the_map_is_on_the_first_page_and_tiles_on_the_third(files: dict[str, str]) -> None:
    found = pages(files, 72)
    assert len(found) == 4
    first, second, third, _ = map(colors_on, found)
    assert {rgb("white"), rgb("yellow"), rgb("red")} <= first
    assert not {rgb("white"), rgb("yellow"), rgb("red")} & second
    assert {rgb("yellow"), rgb("green"), rgb("brown")} <= third
    width, height = Image.open(BytesIO(found[0])).size
    assert width > height  # the map lies across


@pytest.mark.parametrize("orders", sampled([3, 40, 300, 560], [3, 300]))
def test_every_order_of_the_menu_is_on_the_form(orders: int) -> None:
    game = played(orders)
    seat = asked(game)
    own = words("en")
    form = "".join(texts(sheet(game, seat, OCCASION))[3:]).replace(" ", "")
    listed = [line.order for q in questions(own, game.seen_by(seat), seat) for g in q.groups for line in g.lines]
    assert listed
    assert [order for order in listed if order.replace(" ", "") not in form] == []


def test_a_seat_that_is_not_asked_is_told_so() -> None:
    game = played(300)
    other = next(PlayerId(p) for p in PLAYERS if p not in {ask.player for ask in game.asked()})
    (*_, form) = texts(sheet(game, other, replace(OCCASION, due="")))
    assert "You are not asked anything now" in form
    assert "arrives by" not in form


def test_secrets_are_not_on_paper() -> None:
    game = played(300)
    written = " ".join(
        (*sheet(game, asked(game), OCCASION).values(), *booklet(game.seen_by(PlayerId("")), "x").values())
    )
    assert "a seed for tests" not in written


@pytest.mark.parametrize(
    "names",
    [
        ("<b>&\"'", '#let x = 1; #panic("no")', "*a* _b_ $x$ `c` @d #e \\ [f] // g"),
        prove((("דוד שלום", "\u202eabc", "🚂🚃"),)),
        prove((("김철수", "a\x01b", "Anna " * 12),)),
    ],
)
def test_any_name_can_be_printed(names: tuple[str, str, str]) -> None:
    game = Game.start(engine.load_title("1861"), engine.Setup(names, seed="paper"))
    for name in names:
        found = texts(sheet(game, PlayerId(name), OCCASION))
        assert len(found) == 4
        if name.isascii() and name.isprintable():
            plain = re.sub(r"\s+", "", name)
            assert plain in re.sub(r"\s+", "", found[1])
            assert plain in re.sub(r"\s+", "", found[3])
    assert len(texts(booklet(game, names[0]))) == 3


@pytest.mark.parametrize("title", TITLES)
def test_a_sheet_of_every_title(title: str) -> None:
    game = Game.start(engine.load_title(title), engine.Setup(("Ann", "Bob", "Cat"), seed="paper"))
    map, *_, form = texts(sheet(game, asked(game), OCCASION))
    assert any(hex.name in map for hex in game.title.map.hexes.values() if hex.name)
    assert f"Orders of {asked(game)}" in form


def test_a_booklet_has_two_pages_or_more_for_each_round_and_the_end() -> None:
    game = played(150)
    found = texts(booklet(game, "1861-7"))
    rounds = [round for round, _ in ends([*(before for _, before, _ in game.happened(0)), game.state])]
    assert rounds == list(dict.fromkeys(rounds))
    assert len(found) >= 1 + 2 * len(rounds)
    assert "The game is not over" in found[0]
    for player, worth in game.standings():
        assert f"{player} {worth:,}" in found[0]
    whole = " ".join(found)
    assert "Stock round 1" in whole
    assert "Operating round 1.1" in whole
    assert sum("at its end" in page and "Moscow" in page for page in found) == len(rounds)  # a map for each


def test_the_same_game_gives_the_same_bytes(files: dict[str, str]) -> None:
    assert pdf(files) == pdf(files)


def test_what_is_no_document_is_refused() -> None:
    with pytest.raises(ValueError, match="not a document"):
        pdf({"main.typ": "#panic(1)"})
