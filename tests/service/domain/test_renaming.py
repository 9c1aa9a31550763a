"""A game with other names is the same game: the same wealth, and the name that was taken out stands nowhere in it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest

import engine
from engine.robots import sensible
from moderator.domain.records import renaming
from moderator.domain.records.record import read_record, replay_record, write_record
from moderator.domain.records.renaming import renamed_game, renamed_text
from moderator.service.play.journal.export import teller

NAME = "Xanthippe"
NEW = "Player 1"
PLAYERS = (NAME, "Bob", "Cat")
TITLES = (("1861", None), ("1844", None), ("1841", "v2"), ("1863", None))


@cache
def played(title: str, edition: str | None) -> engine.Game:
    """Do not change it."""
    game = engine.Game.start(engine.load_title(title, edition), engine.Setup(PLAYERS, "a seed", NAME))
    while len(game.orders) < 120:
        game.submit(sensible(game, game.asked()[0]))
    return game


def by_playing(_monkeypatch: pytest.MonkeyPatch) -> None:
    """The game is played again with the new names."""


def by_changing(monkeypatch: pytest.MonkeyPatch) -> None:
    """As for a game whose past is not what the present rules would make of it."""

    class Departed(engine.Game):
        @classmethod
        def start(cls, *_: object, **__: object) -> engine.Game:
            raise ValueError("the rules are other ones now")

    monkeypatch.setattr(renaming, "Game", Departed)


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("how", [by_playing, by_changing])
@pytest.mark.parametrize(("title", "edition"), TITLES)
def test_the_game_stays_and_the_name_goes(
    title: str, edition: str | None, how: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = played(title, edition)
    how(monkeypatch)
    other = renamed_game(game, {NAME: NEW})
    assert other.standings() == tuple((NEW if player == NAME else player, w) for player, w in game.standings())
    assert len(other.orders) == len(game.orders) and other.state.round == game.state.round
    everything = [other.setup, other.state, other.orders, *other.happened(0), other.asked()]
    assert not [one for one in everything if NAME in repr(one)]
    text = write_record(other, {}, tell=teller(other), sealed=False)
    assert NAME not in text and NEW in text
    assert replay_record(read_record(text)).digest() == other.digest()


@pytest.mark.parametrize(
    ("text", "names", "said"),
    [
        ("Ann's train, and ANN", {"Ann": "Una"}, "Una's train, and Una"),
        ("Anna plans; Hann", {"Ann": "Una"}, "Anna plans; Hann"),
        ("Ann, Ann B", {"Ann": "Una", "Ann B": "Vic"}, "Una, Vic"),
        ("Ann met Bob", {"Ann": "Bob", "Bob": "Cat"}, "Bob met Cat"),
        ("(Ann) <Ann>, Ann.", {"Ann": r"\1"}, r"(\1) <\1>, \1."),
        ("A.B. and AxBx", {"A.B.": "Una"}, "Una and AxBx"),
        ("nobody", {}, "nobody"),
    ],
)
def test_names_in_a_text_are_words(text: str, names: dict[str, str], said: str) -> None:
    assert renamed_text(text, names) == said
