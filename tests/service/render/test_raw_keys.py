"""Nobody reads a key instead of words. The fixture ``no_raw_keys`` fails a test that would show one."""

from __future__ import annotations

from typing import Any

import pytest

import engine
import templates
from engine.core.checks import Failure
from engine.core.game import Game
from engine.core.ids import CompanyId
from moderator import render
from moderator.words.texts import Words
from tests.kit.service.mail_service import Service

PLAYERS = ("Ann", "Bob", "Cat", "Dan")
TITLES = templates.titles("en")


def started(name: str) -> Game:
    return Game.start(engine.load_title(name), engine.Setup(PLAYERS, seed="a seed for tests", priority=PLAYERS[0]))


@pytest.mark.parametrize("name", TITLES)
def test_each_company_is_shown_in_words(name: str) -> None:
    """``show company UER`` in 1863 said ``more.company (kept: True)``."""
    game = started(name)
    for company in game.title.companies:
        text = render.text_company(game, company)
        assert company in text and "(kept:" not in text and "more." not in text


@pytest.mark.parametrize("name", TITLES)
def test_a_company_that_has_earned_nothing_is_told_so(name: str) -> None:
    """The answer to `pay full` after `run best` without a train was ``pay.nothing_earned (company: CGTF)``."""
    title = engine.load_title(name)
    company = CompanyId(next(iter(title.companies)))
    assert "has earned nothing" in render.describe_failure(title, Failure("pay.nothing_earned", {"company": company}))
    assert "pays all" in render.describe_failure(title, Failure("pay.half", {"company": company}))


@pytest.mark.rough
def test_a_mail_that_shows_a_key_goes_out_and_is_logged(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:  # fmt: skip
    service = Service.open(tmp_path)
    game = service.ready_game()
    real = Words.find

    def without(own: Words, table: str, key: str, title: str = "") -> Any:
        return None if key == "open.too_low" else real(own, table, key, title)

    monkeypatch.setattr(Words, "find", without)
    answer = service.say("Ann", "open TSR 3")
    assert service.outcomes() == ["refused"] and service.log(game) == []
    assert answer is not None and "open.too_low (item: TSR" in " ".join(answer.text.split())
    assert "no words for open.too_low in checks of 1861: there are none" in caplog.messages
