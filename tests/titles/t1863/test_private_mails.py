"""Privates in mails: questions about them, and the choices of their markers."""

from __future__ import annotations

import re

import pytest

import engine
from engine import Game
from engine.core.ids import PlayerId
from moderator import render
from tests.kit.games.render_games import info
from tests.kit.games.situations_1863 import London, situation, title, tube
from tests.titles.t1863.test_private_sales import offering


def game_of(position: London) -> Game:
    setup = engine.Setup(tuple(position.state.players), seed="mails")
    return Game(position.title, setup, position.state, _kept={0: position.state})


def mail(game: Game, seat: str) -> str:
    """The turn mail of a seat on one line."""
    text = render.turn_mail(game, info(game, seat, id="1863-7"), PlayerId(seat), 0).text
    return re.sub(r"[ \n]+", " ", text)


def begun(**options: str) -> Game:
    return Game.start(title(**options), engine.Setup(("Ann", "Bob", "Cat"), seed="mails", priority="Ann"))


def test_the_opener_is_told_what_is_on_offer() -> None:
    game = begun()
    *others, last = game.state.privates
    text = mail(game, "Ann")
    assert f"Open the bidding on one of {', '.join(others)} or {last} with £5 or more, or pass." in text
    assert f"| open {others[0]} 5 // 5 to 350" in text and "| Ann: pay Bob 1" in text


def test_a_private_that_was_dealt_has_its_price() -> None:
    game = begun(quick_auction="yes")
    private = game.asked()[0].about[0]
    half = game.title.privates[private].face // 2  # type: ignore[index]
    assert f"You were dealt {private}: keep it for £{half}, or return it for auction." in mail(game, "Ann")


def test_hexes_of_markers_are_listed_once() -> None:
    position = situation(
        tube("MET", {"Ann": 5}, 100, cash=500, markers="C10"), tube("BAK", "Bob", 50, minor=True, markers="F9"),
        privates={"RMR": "MET", "CHO": "MET"}, tiles={"C10": "57#0"},
    ).turn("MET", waiting="BAK")  # fmt: skip
    text = mail(game_of(position), "Ann")
    assert re.search(
        r"\| use RMR in C10, H11 \| // mail markers: [^/]*// £40 through both, [^|]* Hexes: C10, H11, M10, Q10 \|", text
    )
    assert re.search(r"\| use CHO in K2 .*pay a toll: £5 .* Hexes: K2, I6,", text) and text.count("| use ") == 2


@pytest.mark.parametrize(
    ("owned", "told"),
    [({"GRE": "Ann"}, "You may put GRE up for auction, with"),
     ({"GRE": "Ann", "POR": "Ann"}, "You may put GRE or POR up for auction, one at a time, with")],
)  # fmt: skip
def test_privates_are_put_up_one_at_a_time(owned: dict[str, str], told: str) -> None:
    """Reproduced: `put GRE and POR up for auction` read as though both went up together."""
    assert told in mail(game_of(offering(owned)), "Ann")
