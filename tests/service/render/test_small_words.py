"""Small words: articles, plurals, brackets, headings, and what a trial says."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest

import engine
import templates
from engine.core.checks import Failure
from engine.core.game import Game
from engine.core.ids import PlayerId
from moderator import render
from moderator.domain.transcript import Transcript
from moderator.render.print.turn_sheet import position
from moderator.words.texts import words
from tests.kit.games.render_1863 import MOMENTS, asked
from tests.kit.games.render_games import info
from tests.kit.service.mail_service import Service

PLAYERS = ("Ann", "Bob", "Cat", "Dan")
TITLES = templates.titles("en")
EN = Path(templates.__file__).parent / "en"


def started(name: str) -> Game:
    return Game.start(engine.load_title(name), engine.Setup(PLAYERS, seed="a seed for tests", priority=PLAYERS[0]))


@pytest.mark.parametrize("name", TITLES)
def test_each_train_has_its_article(name: str) -> None:
    """The answer to a mistake said `A 8-train`."""
    title, own = engine.load_title(name), words()
    for train in title.trains:
        for capital, articles in ((False, ("a", "an", "its")), (True, ("A", "An", "Its"))):
            form = own.env.from_string("{{ train|a_train(capital) }}")
            said = form.render(title=title, train=train, capital=capital)
            article, _, rest = said.partition(" ")
            assert article in articles
            assert (article.lower() == "an") == rest.startswith("8")


def test_no_text_writes_the_article_of_a_train_itself() -> None:
    for path in (*EN.rglob("*.toml"), *EN.rglob("*.j2")):
        wrong = re.search(r"\b[aA] ?\{\{ *train[^}]*\}\}-train", path.read_text(encoding="utf-8"))
        assert wrong is None or path.name == "words.toml", f"{path}: use `train|a_train`"


def test_one_tile_is_not_all_tiles() -> None:
    title = engine.load_title("1861")
    key = next(key for key, text in words().own("1861")["checks"].items() if "are on the map; an upgrade" in str(text))
    one, two = (render.describe_failure(title, Failure(key, {"count": n, "tile": "42"})) for n in (1, 2))
    assert "The only tile 42 is on the map" in one and "All 1" not in one
    assert "All 2 tiles 42 are on the map" in two


@pytest.mark.parametrize("name", TITLES)
def test_a_sheet_has_no_empty_brackets(name: str) -> None:
    """The sheet of 1844, which has no card for the first player, said `Ann ()`."""
    game = started(name)
    names = [player["name"] for player in position(words(), game.title, game.state)["players"]]
    assert len(names) == len(PLAYERS) and not any("()" in said for said in names)


@pytest.mark.parametrize("moment", MOMENTS)
def test_no_heading_of_a_menu_is_repeated(moment: str) -> None:
    """A founder read `Float the company` nine times in one mail."""
    game = MOMENTS[moment]()
    seat = PlayerId(asked(game))
    text = render.turn_mail(game, info(game, seat, id="1863-7"), seat, 0).text
    assert text.count("ANSWER LIKE THIS") <= 1
    for part in text.split("WHAT IS LEGAL NOW")[1:]:
        menu = part.partition("\n\n")[0].splitlines()[1:]
        heads = [line for line in menu if line and not line.startswith(("|", " "))]
        assert [a for a, b in pairwise(heads) if a == b] == []


def test_a_trial_does_not_say_that_the_turn_is_over() -> None:
    own, title = words(), engine.load_title("1861")
    for key, facts in (
        ("done.implied", {"actor": "NW", "lost": "", "sum": 0}),
        ("done.missing", {"actor": "NW", "failures": ("X.",)}),
    ):
        tried, done = (own.say("words", f"notes.{key}", title=title, trial=trial, **facts) for trial in (True, False))
        assert "would" in tried and " is " not in tried
        assert "would" not in done and " is " in done


def test_lines_of_employers_are_spoken_of_only_if_there_are_some(tmp_path: Path) -> None:
    service = Service.open(tmp_path)
    service.ready_game()
    plain = service.say("Ann", "opne TSR 20")
    assert plain is not None and "employer" not in plain.text
    answer = service.say("Ann", "open TSR 20\nThis mail about TSR is confidential and for its recipient only")
    assert answer is not None and "employer" in answer.text


@pytest.mark.parametrize("name", TITLES)
def test_only_options_that_differ_are_listed(name: str) -> None:
    """The welcome of 1841 listed sixty names and values, all of them those of the edition."""
    game = started(name)
    seat = PlayerId("Ann")
    usual = render.welcome_mail(game, info(game, seat, options=dict(game.title.options)), seat).text
    assert "All options and rulings have their defaults." in " ".join(usual.split())
    option, value = next(iter(game.title.options.items()))
    changed = info(game, seat, options={**game.title.options, option: "other"})
    text = " ".join(render.welcome_mail(game, changed, seat).text.split())
    assert f"Options and rulings other than its defaults: {option} = other (default {value})." in text


@pytest.mark.parametrize(("late", "told"), [(True, "Your answer was due by"), (False, "Your answer is due by")])
def test_a_deadline_that_is_past_is_told_as_past_and_one_ahead_as_ahead(late: bool, told: str) -> None:
    game = started("1861")
    seat = game.asked()[0].player
    about = info(game, seat, late=late)
    mails = {
        "catch_up": render.catch_up_mail(game, about, seat),
        "clock": render.notice_mail(about, "clock", {"reason": ""}),
        "answer": render.transcript_mail(game, about, Transcript("1861-7", seat, (), (), 0, "refused", (), 143)),
    }
    other = "is due by" if late else "was due by"
    for kind, mail in mails.items():
        for text in (" ".join(mail.text.split()), " ".join(mail.html.split())):
            assert told in text and other not in text, kind
