"""Pictures of mails: those that a seat wants, with the same in words, and small enough for every server."""

from __future__ import annotations

from dataclasses import replace

import pytest

import engine
from engine.core.game import Game
from engine.core.ids import CompanyId, PlayerId
from engine.robots import sensible
from moderator import render
from moderator.adapters.mail.message import build
from moderator.adapters.png import png
from moderator.domain.pictures import Picture
from moderator.domain.ports import Attached
from moderator.domain.transcript import Shown
from moderator.render.pictures import drawn
from moderator.words.contrast import ink
from moderator.words.question.best_run import best_now
from moderator.words.story import split, story
from moderator.words.texts import words
from tests.kit.games.mail_moments import EACH_TITLE, MOMENTS, files, turn_mail
from tests.kit.games.render_games import info, played
from tests.kit.samples import sampled
from tests.service.post.test_outgoing import outgoing
from tests.service.render.test_mails import a_transcript

HTML, MAIL = 100_000, 400_000
"""Bytes of an HTML part, which Gmail would clip, and of a mail."""


@pytest.mark.parametrize("name", sampled(MOMENTS, EACH_TITLE))
def test_a_turn_mail_is_small_enough_for_every_server(name: str) -> None:
    game = MOMENTS[name]()
    mail = turn_mail(game)
    assert len(mail.html.encode()) < HTML
    parts = tuple(Attached(f"{i}.x@example.org", data) for i, data in enumerate(files(game, mail).values()))
    assert len(build(outgoing(text=mail.text, html=mail.html, parts=parts))) < MAIL


@pytest.mark.parametrize(("wish", "kinds"), [("on", {"map", "chart"}), ("map only", {"map"}), ("off", set())])
def test_a_seat_gets_the_pictures_that_it_wants(wish: str, kinds: set[str]) -> None:
    mail = turn_mail(played(1130), pictures=wish)
    assert {picture.kind for picture in mail.pictures} == kinds
    assert mail.html.count("<img ") == len(mail.pictures)
    for picture in mail.pictures:
        assert f'src="cid:{picture.id}"' in mail.html and picture.alt


def test_the_plain_text_is_the_same_with_pictures_and_without() -> None:
    game = played(1130)
    assert turn_mail(game, pictures="on").text == turn_mail(game, pictures="off").text


def test_the_words_of_a_chart_say_each_pile() -> None:
    game = played(905)
    (chart,) = (picture for picture in turn_mail(game).pictures if picture.kind == "chart")
    for company, marker in game.state.prices.items():
        assert str(company) in chart.alt and f"R{game.title.chart.price(marker.cell)}" in chart.alt


def test_the_map_of_a_turn_is_round_the_company_and_marks_what_is_new() -> None:
    game = played(1130)
    mail = turn_mail(game)
    part = next(picture for picture in mail.pictures if picture.id == "picture-part")
    company = CompanyId(game.asked()[0].actor)
    stands = {hex for hex, cities in game.state.board.markers.items() if any(company in city for city in cities)}
    assert stands and stands <= set(part.hexes)
    assert part.since == len(game.orders) - 20
    assert drawn(game, part).width < drawn(game, replace(part, hexes=())).width


def shown(game: Game, *asked: Shown) -> render.Rendered:
    about = info(game, "Ann", pictures="off")
    return render.transcript_mail(game, about, a_transcript(outcome="shown", lines=(), notes=(), shown=asked))


def test_what_is_asked_for_comes_as_a_picture_even_where_none_are_wanted() -> None:
    game = played(1130)
    mail = shown(game, Shown("map", "G9-K15", "MAP"), Shown("chart", "", "CHART"), Shown("tiles", "", "TILES"))
    assert [picture.kind for picture in mail.pictures] == ["map", "chart", "tiles"]
    assert mail.html.count("<img ") == 3
    for picture in mail.pictures:
        assert png(drawn(game, picture).svg, width=drawn(game, picture).width).startswith(b"\x89PNG")


def test_a_part_of_the_map_is_the_rectangle_between_two_hexes() -> None:
    game = played(1130)
    text = render.text_map(game, ("G9", "K15"))
    assert text.startswith("MAP, G9-K15")
    names = {line.split(":")[0].split(" ")[0] for line in text.splitlines()[1:] if ":" in line and line[0] != " "}
    assert "H8" not in names and "I13" in names
    (picture,) = shown(game, Shown("map", "G9-K15", text)).pictures
    assert 'id="hex-I13"' in drawn(game, picture).svg and 'id="hex-H8"' not in drawn(game, picture).svg


def test_a_hex_off_the_map_shows_nothing() -> None:
    assert render.text_map(played(300), ("ZZ99",)) == ""


def test_runs_are_shown_with_each_train_and_the_sum() -> None:
    game = played(1130)
    company = next(c for c, now in game.state.companies.items() if len(now.trains) > 1 and now.status == "open")
    routes = game.best_run(company).routes
    text = render.text_run(game, company, routes)
    value = best_now(game.title, game.state, company).value
    assert f"Together R{value}." in text if len(routes) > 1 else f"R{value}" in text
    (picture,) = shown(game, Shown("run", "", text, company, routes)).pictures
    assert drawn(game, picture).svg.count("R") and picture.runs[0][0] == routes[0].train


def test_a_picture_is_the_same_after_it_was_stored() -> None:
    for picture in turn_mail(played(1130)).pictures:
        assert Picture.restored(picture.stored()) == picture


def test_the_latest_of_what_happened_stands_first_and_nothing_is_lost() -> None:
    game = played(905)
    chapters = story(words(), game, 700)
    earlier, latest = split(chapters, 8)
    assert sum(len(chapter.paragraphs) for chapter in latest) == 8
    told = [p for chapter in (*earlier, *latest) for p in chapter.paragraphs]
    assert told == [p for chapter in chapters for p in chapter.paragraphs]


# ---- bad input


ODD = ("<b>Bold</b>&\"'", "שלום עולם", "🚂🚃 Zoë", "W" * 30)
"""Names with markup, from right to left, with emoji, and without a space."""


def played_by(players: tuple[PlayerId, ...]) -> Game:
    """A game between people of these names, after some orders."""
    game = Game.start(engine.load_title("1861"), engine.Setup(players, seed="odd"))
    for _ in range(60):
        assert game.submit(sensible(game, game.asked()[0]))
    return game


def test_odd_names_are_shown_escaped() -> None:
    game = played_by(tuple(PlayerId(name) for name in ODD))
    mail = turn_mail(game)
    assert "<b>Bold" not in mail.html and "&lt;b&gt;Bold" in mail.html
    assert all(data.startswith(b"\x89PNG") for data in files(game, mail).values())


@pytest.mark.parametrize("color", sampled(["", "none", "#12", "red; position:fixed"], ["red; position:fixed"]))
def test_a_company_without_a_color_is_shown_in_grey(color: str) -> None:
    game = played(1130)
    bare = {id: replace(company, color=color, text_color=color) for id, company in game.title.companies.items()}
    title = replace(game.title, companies=bare)
    game = Game.resume(title, game.setup, game.orders, game.state)
    mail = turn_mail(game)
    assert color == "" or f"background-color:{color}" not in mail.html.replace(" ", "")
    assert all(data.startswith(b"\x89PNG") for data in files(game, mail).values())


def contrast(one: str, other: str) -> float:
    def light(color: str) -> float:
        parts = (int(color[i : i + 2], 16) / 255 for i in (1, 3, 5))
        red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    high, low = sorted((light(one), light(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("name", engine.title_names())
def test_badges_of_companies_have_contrast(name: str) -> None:
    for company in engine.load_title(name).companies.values():
        assert contrast(company.color, ink(company.color)) >= 4.5, company.id
