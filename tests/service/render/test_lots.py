"""Lots and the cost of a pass are described before the decision."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

import engine
import templates
from engine.core import orders as o
from engine.core.agenda import Ask
from engine.core.game import Game
from engine.core.ids import CompanyId, PlayerId, PrivateId
from engine.robots import random_order
from moderator import render
from moderator.words.position.views import trains
from moderator.words.question.notes import note
from moderator.words.question.questions import questions
from moderator.words.texts import words
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


@pytest.mark.parametrize("name", TITLES)
def test_the_mail_to_a_company_without_a_train_tells_what_trains_cost(name: str) -> None:
    """It was told only that it earns nothing, and so could not know what withheld money is for."""
    game, chance = started(name), Random(1)
    for _ in range(300):
        ask = game.asked()[0]
        company = game.state.companies.get(CompanyId(ask.actor))
        kinds = {type(choice.order) for choice in game.legal(ask.actor)}
        if ask.what == "company.turn" and company is not None and not company.trains and o.Lay in kinds:
            (question,) = [q for q in questions(words(), game.seen_by(ask.player), ask.player) if q.ask == ask]
            price = min(face[1] for line in trains(game.title, game.state) if line.now for face in line.faces)
            said = words().env.from_string("{{ price|money }}").render(title=game.title, price=price)
            assert o.Train in kinds or ("Trains come " in question.later and said in question.later)
            return
        drops = [choice.order for choice in game.legal(ask.actor) if isinstance(choice.order, o.Drop)]
        game.submit(drops[0] if drops and chance.random() < 0.7 else random_order(game, ask, chance))
    pytest.fail("no company without a train in 300 decisions")


def test_loans_are_named_beside_the_price_of_a_train() -> None:
    game, chance = started("1861"), Random(1)
    for _ in range(400):
        ask = game.asked()[0]
        for choice in game.legal(ask.actor):
            order = choice.order
            if isinstance(order, o.Train) and order.source is None:
                cost, cash = game.title.trains[order.train].cost, game.state.money(order.actor)
                said = note(words(), game.title, game.state, choice)
                assert ("loan" in said) == (cost > cash)
                if cost > cash:
                    return
        drops = [choice.order for choice in game.legal(ask.actor) if isinstance(choice.order, o.Drop)]
        game.submit(drops[0] if drops and chance.random() < 0.7 else random_order(game, ask, chance))
    pytest.fail("no train that needs a loan in 400 decisions")


@pytest.mark.parametrize("name", TITLES)
def test_silence_is_spoken_of_only_where_a_deadline_runs(name: str) -> None:
    title, own = engine.load_title(name), words()
    asks = own.own(name)["asks"]
    silent = {
        key.removesuffix(".text"): text for key, text in asks.items() if key.endswith(".text") and "timed" in text
    }
    assert silent
    for key in silent:
        ask = Ask(PlayerId("Ann"), PlayerId("Ann"), key, ("20",) * 8)
        without, within = (render.describe_ask(title, ask, timed=timed).lower() for timed in (False, True))
        assert not re.search("silen|you send none", without)
        assert re.search("silen|you send none", within)
    for key, text in asks.items():
        assert not re.search("silen", str(text), re.IGNORECASE) or "timed" in str(text), key


@pytest.mark.parametrize("name", TITLES)
def test_a_train_and_its_price_are_told_apart(name: str) -> None:
    """`6 630 SFR` was read as one number."""
    text = render.text_trains(started(name))
    trains_told = " ".join(text.partition("New trains: ")[2].split())
    assert re.match(r"\S+ for \S", trains_told)
