"""Orders as people write them who know other games, programs and languages: what they are told, and what is right."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import engine
import grammar
from engine.robots import sensible
from grammar import without_prose
from moderator.domain.vocabulary import vocabulary
from moderator.entrypoints.robot_player import as_text, orders_of_turn
from moderator.words.texts import words
from tests.kit.service.mail_service import Service
from tests.kit.service.position_game import begin_at
from tests.kit.titles import TITLES

RUSSIA = vocabulary(engine.load_title("1861"), ("Ann", "Bob"))


@pytest.mark.parametrize(
    ("text", "piece", "nearest"),
    [
        ("skip", "skip", "pass"),
        ("biete 25", "biete", "bid"),
        ("öffne TSR 20", "öffne", "open"),
        ("zeige map", "zeige", "show"),
        ("cancel", "cancel", "withdraw"),
        ("lay 8 Moscow", "Moscow", "H8"),
        ("lay 8 St. Petersburg", "St.", "E1"),
        ("lay 8K9 1", "8K9", "8 K9"),
        ("open Nikolaev 100", "Nikolaev", "N"),
        ("buy Tsarskoye for 30", "Tsarskoye", "TSR"),
    ],
)
def test_a_word_of_other_games_leads_to_the_word_that_is_right(text: str, piece: str, nearest: str) -> None:
    read = grammar.read(without_prose(text, RUSSIA).text, RUSSIA, default_actor="Ann")
    assert [(fault.piece, fault.nearest) for fault in read.errors] == [(piece, nearest)]


def test_such_a_word_below_the_orders_is_a_remark() -> None:
    assert without_prose("pass\n\nfertig", RUSSIA).prose == ("fertig",)
    assert without_prose("The next mail may undo this.", RUSSIA).prose


@pytest.mark.parametrize("exits", ["N-SE", "SE-N", "exits N-SE"])
def test_the_sides_of_a_lay_may_be_written_as_mails_show_them(exits: str) -> None:
    read = grammar.read(f"lay 8 K9 {exits}", RUSSIA, default_actor="Ann")
    assert [grammar.write(order) for order in read.orders] == ["lay 8 K9 3"]


def test_of_orders_with_commas_the_one_that_cannot_be_read_is_named() -> None:
    read = grammar.read("run best, pay fulll, done", RUSSIA, default_actor="Ann")
    assert [(fault.piece, fault.nearest) for fault in read.errors] == [("fulll", "full")]


@pytest.mark.parametrize("name", TITLES)
@pytest.mark.parametrize("change", [str, str.lower, lambda amount: amount.replace("\N{NO-BREAK SPACE}", "")])
def test_an_amount_may_be_written_as_mails_write_it(name: str, change: Callable[[str], str]) -> None:
    title = engine.load_title(name)
    amount = words("en").say("words", "amount", amount=50, title=title)
    for order in (f"bid {change(amount)}", f"limit {change(amount)} step 10"):
        read = grammar.read(order, vocabulary(title, ("Ann",)), default_actor="Ann")
        assert not read.errors, order
        assert " 50" in grammar.write(read.orders[0])


# ---- what is answered


def said(service: Service, player: str, text: str) -> str:
    letter = service.say(player, text)
    assert letter is not None
    return " ".join(letter.text.split())


@pytest.mark.parametrize(
    ("text", "legal"),
    [
        ("I might pass", "| pass or | open TSR 20"),
        ("opne TSR 20", "| open TSR 20 or | pass"),
        ("!?", "| pass or | open TSR 20"),
    ],
)
def test_who_is_not_understood_is_shown_a_legal_answer(tmp_path: Path, text: str, legal: str) -> None:
    service = Service.open(tmp_path)
    service.ready_game()
    answer = said(service, "Ann", text)
    assert f"Legal answers would be, for example, without the bars: {legal}" in answer
    assert "egal answers would be" not in said(service, "Bob", text), "he is asked nothing"


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("open TSR 30 quickly", "because the order is complete before it. Write it as `open TSR 30`. Write another"),
        ("check open TSR 30", "`open` is not possible here, because the order is complete before it. Write another"),
        ("open TSR 30; limit 60; foo", "1> open TSR 30 not looked at, because a part of its line cannot be read."),
        ("bid 25", "you can only open the bidding on it (`open TSR`) or pass"),
        ("pass\npass", "`pass` was not needed: Ann's turn had already ended."),
        ("pass; done", "`done` was not needed: Ann's turn had already ended."),
    ],
)
def test_the_answer_says_what_would_be_right(tmp_path: Path, text: str, answer: str) -> None:
    service = Service.open(tmp_path)
    service.ready_game()
    assert answer in said(service, "Ann", text)


def test_who_still_has_to_answer_is_not_blamed_for_a_done_that_nobody_wrote(tmp_path: Path) -> None:
    """A loan in a merger round of 1863 does not end the company's turn there."""
    game = engine.Game.start(engine.load_title("1863"), engine.Setup(("Ann", "Bob", "Cat"), "a seed", "Ann"))
    while (ask := game.asked()[0]).what != "merger.turn":
        assert game.submit(sensible(game, ask))
    service = Service.open(tmp_path)
    begin_at(service, "1863", game.state)
    answer = said(service, str(ask.player), f"{ask.actor}: loan 1")
    assert f"{ask.actor} is still asked for an answer: `convert`, `merge`, `loan` or `decline`." in answer
    assert "does not answer what is asked" not in answer


def without_a_lot(service: Service) -> None:
    """Nothing is up for auction any more."""
    game = service.game("1861")
    while service.position(game).lot() is not None:
        position = service.position(game)
        ask = position.asked()[0]
        service.say(ask.player, as_text(position, orders_of_turn(position, ask.player, sensible)))


@pytest.mark.parametrize(
    ("text", "right"), [("bid 30", "bid 100 on TSR"), ("limit 30", "limit 100 on TSR"), ("drop", "drop TSR")]
)
def test_the_lot_that_is_missing_is_suggested_as_it_is_written(tmp_path: Path, text: str, right: str) -> None:
    answer = said(Service.made(tmp_path, without_a_lot), "Bob", text)
    assert f"say what `{text.split(maxsplit=1)[0]}` is for, as in `{right.replace('TSR', 'ITEM')}`" in answer
    assert not grammar.read(right, RUSSIA, default_actor="Bob").errors
