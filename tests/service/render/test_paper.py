"""Games on paper: every page has what it must, whatever the names of players are, and the same bytes each time."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from io import BytesIO

import pytest
from PIL import Image, ImageOps
from pypdf import PdfReader

import engine
from engine.core.game import Game
from engine.core.ids import PlayerId
from engine.svg.colors import badge_colors, contrast
from grammar import read
from moderator.adapters.pdf import pages, pdf
from moderator.domain.vocabulary import vocabulary
from moderator.render.print.booklet import booklet, ends
from moderator.render.print.ink import LIGHT, on_paper
from moderator.render.print.turn_sheet import Occasion, sheet
from moderator.words.question.questions import questions
from moderator.words.texts import words
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
    code = LIGHT[name]
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
    assert {rgb("yellow"), rgb("red")} <= first
    assert not {rgb("yellow"), rgb("red")} & second
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
    assert len(texts(booklet(game, names[0]))) == 2


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("title", TITLES)
def test_a_sheet_of_every_title(title: str) -> None:
    game = Game.start(engine.load_title(title), engine.Setup(("Ann", "Bob", "Cat"), seed="paper"))
    map, *_, form = texts(sheet(game, asked(game), OCCASION))
    assert any(hex.name in map for hex in game.title.map.hexes.values() if hex.name)
    assert f"Orders of {asked(game)}" in form


def test_a_sheet_says_what_has_happened() -> None:
    game = played(300)
    seat = asked(game)
    told = json.loads(sheet(game, seat, replace(OCCASION, since=290))["data.json"])["told"]
    heads = [p["head"] for chapter in told for p in chapter["story"]]
    actors = {str(order.actor) for order in game.orders[290:]}
    assert heads and {head for head in heads if head} <= actors | {"TSR", "BSS", "MYR", "MRR", "WVR"}
    _, holdings, *_ = texts(sheet(game, seat, replace(OCCASION, since=290)))
    assert holdings.count("What happened:") == len(told)
    assert told[-1]["story"][-1]["text"][:30] in holdings
    assert json.loads(sheet(game, seat, replace(OCCASION, since=300))["data.json"])["told"] == []


def test_without_a_previous_sheet_the_last_two_rounds_are_told() -> None:
    game = played(300)
    told = json.loads(sheet(game, asked(game), OCCASION)["data.json"])["told"]
    assert 1 <= len(told) <= 2


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("title", TITLES)
def test_the_notation_on_a_sheet_can_be_read(title: str) -> None:
    game = Game.start(engine.load_title(title), engine.Setup(("Ann", "Bob", "Cat"), seed="paper"))
    found = json.loads(sheet(game, asked(game), OCCASION)["data.json"])["notation"]
    company = next(iter(game.title.companies))
    assert len(found) >= 7
    for order, means in found:
        reading = read(f"{company}: {order}", vocabulary(game.title, game.setup.players))
        assert len(reading.orders) == 1 and not reading.errors, order
        assert means
    (*_, form) = texts(sheet(game, asked(game), OCCASION))
    assert "How orders are written" in form


@pytest.mark.parametrize("title", sampled(TITLES, TITLES[:2]))
def test_there_are_no_empty_tables_and_columns(title: str) -> None:
    game = Game.start(engine.load_title(title), engine.Setup(("Ann", "Bob", "Cat"), seed="paper"))
    files = sheet(game, asked(game), OCCASION)
    data, (_, holdings, *_) = json.loads(files["data.json"]), texts(files)
    assert ("Companies" in holdings) == bool(data["companies"])
    assert ("director's certificate" in holdings) == bool(data["shares"]["rows"])
    assert ("Privates" in holdings) == any(p["privates"] for p in data["players"])
    assert ("Loans" in holdings) == any(c["loans"] for c in data["companies"])


@pytest.mark.parametrize("title", TITLES)
def test_paper_can_be_read_in_grey(title: str) -> None:
    drawn = on_paper(engine.load_title(title))
    for company in drawn.companies.values():
        ground, letters = badge_colors(company)
        assert letters == "#000000" and contrast(ground, letters) >= 7
    game = Game.start(engine.load_title(title), engine.Setup(("Ann", "Bob", "Cat"), seed="paper"))
    files = sheet(game, asked(game), OCCASION)
    faces = {hex.face.color for hex in game.title.map.hexes.values()} - {"white"}
    assert {f"ink-{color}" for color in faces} <= set(re.findall(r'fill="url\(#(ink-\w+)\)"', files["map.svg"]))
    tiles = {tile.face.color for tile in game.title.map.tiles.values()}
    assert {f"ink-{color}" for color in tiles} <= set(re.findall(r'fill="url\(#(ink-\w+)\)"', files["tiles.svg"]))
    assert all(contrast(color, "#000000") >= 7 for color in LIGHT.values())
    edges = re.findall(r">([0-5])</text>", files["tiles.svg"])
    assert all(edges.count(str(edge)) >= len(game.title.map.tiles) for edge in range(6))


def test_the_pages_of_a_booklet_are_filled() -> None:
    for page in pages(booklet(played(150), "1861-7"), 36)[1:]:
        image = Image.open(BytesIO(page)).convert("L")
        body = image.crop((0, 0, image.width, int(image.height * 0.945)))  # without the line at the foot
        _, _, _, low = ImageOps.invert(body).getbbox() or (0, 0, 0, 0)
        assert low > 0.85 * image.height


def test_a_booklet_has_a_page_or_more_for_each_round_and_the_end() -> None:
    game = played(150)
    found = texts(booklet(game, "1861-7"))
    rounds = [round for round, _ in ends([*(before for _, before, _ in game.happened(0)), game.state])]
    assert rounds == list(dict.fromkeys(rounds))
    assert len(found) >= 1 + len(rounds)
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
