"""What one buys, and what a pass costs, is said before the decision."""

from __future__ import annotations

from pathlib import Path

import pytest

import engine
import templates
from engine.core import orders as o
from engine.core.game import Game
from engine.core.ids import PlayerId, PrivateId
from moderator import render
from tests.kit.games.render_games import info

PLAYERS = ("Ann", "Bob", "Cat", "Dan")
TITLES = templates.titles("en")
EDITIONS = [(title, edition) for title in TITLES for edition in engine.editions(title)]


def started(name: str, edition: str | None = None) -> Game:
    title = engine.load_title(name, edition=edition)
    return Game.start(title, engine.Setup(PLAYERS, seed="a seed for tests", priority=PLAYERS[0]))


def first_mail(game: Game) -> str:
    """The turn mail of the player who is asked first, in one line."""
    seat = PlayerId(game.asked()[0].player)
    return " ".join(render.turn_mail(game, info(game, seat), seat, -1).text.split())


def passed(game: Game, times: int) -> Game:
    for _ in range(times):
        ask = game.asked()[0]
        orders = [choice.sample(0) for choice in game.legal(ask.actor)]
        game.submit(next(order for order in orders if isinstance(order, o.Pass | o.Drop)))
    return game


@pytest.mark.parametrize(("name", "edition"), EDITIONS)
def test_each_private_and_company_is_found_by_both_names(name: str, edition: str) -> None:
    game = started(name, edition)
    for id, private in game.title.privates.items():
        text = " ".join(render.text_private(game, id).split())
        assert private.name in text and "Face value" in text and "powers." not in text and "lot." not in text
        assert text == " ".join(render.text_private(game, id.lower()).split())
    for short, company in game.title.companies.items():
        text = " ".join(render.text_company(game, short).split())
        assert company.name in text and short in text
        by_name = " ".join(render.text_company(game, company.name).split())
        assert by_name == text
    for private in game.title.privates.values():
        assert private.name in " ".join(render.text_private(game, private.name).split())


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("1861", "TSR, Tsarskoye Selo Railway: face value R30, income R10. It has no power."),
        ("1844", "P1, Brienzer-Rothorn-Bahn: face value 20 SFR, income 5 SFR. It has no power."),
        ("1841", "Only its owner may start SFTG, a major of 10 shares, at home in H4 Torino and J6 Alessandria."),
        ("1841", "it pays its owner that income after each stock round, and starts no company".capitalize()),
        ("1863", "THO, Thompson: face value £80. Up to two trains that rust run for one more round."),
        ("1867", "C&SL, Champlain & St. Lawrence: face value $30, income $10. It has no power."),
    ],
)
def test_the_mail_that_offers_a_lot_says_what_it_is(name: str, said: str) -> None:
    game = started(name)
    if "Thompson" in said and "THO" not in str(game.asked()[0].about):
        pytest.fail("this seed must have THO among the privates")
    assert said in first_mail(game)


def test_a_company_is_shown_with_the_name_of_its_home() -> None:
    game = started("1861")
    said = render.text_company(game, "K-B")
    assert "Home: D14 Kiev" in said


@pytest.mark.parametrize(
    ("name", "passes", "said"),
    [
        ("1861", 0, "If everybody passes now, the least bid for TSR falls to R15."),
        ("1861", 3, "All others have passed. If you pass too, the least bid for TSR falls to R15."),
        ("1861", 13, "If everybody passes now, Ann gets TSR for nothing."),
        ("1844", 0, "If everybody passes now, the least bid for P1 falls to 15 SFR."),
        ("1863", 3, "leaves the game."),
    ],
)
def test_the_price_of_a_pass_is_told_before(name: str, passes: int, said: str) -> None:
    assert said in first_mail(passed(started(name), passes))


def test_concessions_that_a_pass_gives_back_are_named() -> None:
    game = started("1841")
    for player in PLAYERS:
        bids = ((PrivateId("C-SFTG"), 50),) if player == "Bob" else ()
        game.submit(o.SealedBids(PlayerId(player), bids))
    while game.asked()[0].player != "Bob":
        passed(game, 1)
    assert "C-SFTG goes back to the bank, and you get nothing for it." in first_mail(game)


def test_texts_of_powers_are_data_of_the_titles() -> None:
    """The shared table knows only the case without a power."""
    text = (Path(templates.__file__).parent / "en" / "words.toml").read_text(encoding="utf-8")
    shared = text.partition("[powers]")[2].partition("\n\n")[0].strip()
    assert shared == 'none = "it has no power"'
