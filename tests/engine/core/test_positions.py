"""A position as a line of text: what is written can be played on, and anything else is refused with its reason."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import engine
from engine import Game, Setup
from engine.core.ids import PlayerId
from engine.core.orders import SealedBids
from engine.positions import PositionError, read_position, seat_of, write_position
from engine.robots import random_order, sensible
from tests.kit.titles import TITLES

EVERY = 40


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("title", TITLES)
def test_a_game_goes_on_from_a_position_as_it_would_have(title: str) -> None:
    game = Game.start(engine.load_title(title), Setup(("Ann", "Bob", "Cat"), seed="positions"))
    sizes = []
    while not game.finished and len(game.orders) < 400:
        if len(game.orders) % EVERY == 0:
            seat = game.asked()[0].player
            text = write_position(game, seat)
            sizes.append(len(text))
            again = read_position(text)
            assert again.told_digest() == game.seen_by(seat).told_digest()
            assert again.asked() == game.seen_by(seat).asked()
            assert seat_of(text) == seat
            trial = game.fork()
            for _ in range(10):
                if trial.finished or any(ask.sealed for ask in trial.asked()):
                    break
                order = sensible(trial, trial.asked()[0])
                events = trial.submit(order)
                assert not isinstance(events, engine.Refused)
                if any(type(event).__name__ == "LotDrawn" for event in events):
                    break
                assert again.submit(order) == events
        game.submit(sensible(game, game.asked()[0]))
    assert max(sizes) < 4_000


def test_the_options_of_a_game_go_with_its_position() -> None:
    title = engine.load_title("1861", "2020", {"blocking": "any"})
    game = Game.start(title, Setup(("Ann", "Bob", "Cat"), seed="x"))
    again = read_position(write_position(game)).title
    assert (again.edition, again.rulings) == (title.edition, title.rulings)


def test_it_has_neither_the_seed_nor_a_sealed_order() -> None:
    """Ann and Bob have sealed bids in 1841. Neither the text for Cat nor that for Ann holds them."""
    game = Game.start(engine.load_title("1841"), Setup(("Ann", "Bob", "Cat"), seed="a seed of lots"))
    for ask in game.asked()[:2]:
        choice = next(c.order for c in game.legal(ask.actor) if isinstance(c.order, SealedBids))
        assert game.submit(SealedBids(ask.player, tuple((item, 1237) for item, _ in choice.bids[:1])))
    for seat in ("Ann", "Bob", "Cat", ""):
        text = write_position(game, seat)
        again = read_position(text)
        assert "1237" not in repr(again.state.agenda)
        assert "a seed of lots" not in repr(again.state)
        other = Game.start(game.title, Setup(("Ann", "Bob", "Cat"), seed="another", priority=game.setup.priority))
        assert other.title is game.title


def spoilt(text: str) -> dict[str, str]:
    mark, head, state, _ = text.split(".")
    return {
        "cut": text[:-20], "nothing": "", "a word": "hello", "half": text[: len(text) // 2],
        "letter": text.replace("e", "f", 1),
        "other check": f"{mark}.{head}.{state}.00000000",
    }  # fmt: skip


@pytest.mark.parametrize("how", ["cut", "nothing", "a word", "half", "letter", "other check"])
def test_a_text_that_was_cut_or_changed_is_refused(how: str) -> None:
    game = Game.start(engine.load_title("1844"), Setup(("Ann", "Bob", "Cat"), seed="x"))
    with pytest.raises(PositionError) as found:
        read_position(spoilt(write_position(game))[how])
    assert found.value.why == "cut"


def test_a_mail_program_may_break_it_into_lines() -> None:
    game = Game.start(engine.load_title("1844"), Setup(("Ann", "Bob", "Cat"), seed="x"))
    text = write_position(game)
    broken = "\n".join(text[i : i + 76] for i in range(0, len(text), 76))
    assert read_position(f" {broken}\n").told_digest() == game.told_digest()


def test_another_version_and_an_unknown_title_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game.start(engine.load_title("1844"), Setup(("Ann", "Bob", "Cat"), seed="x"))
    text = write_position(game)
    with pytest.raises(PositionError, match="version 2") as other:
        read_position(text.replace("P1.", "P2."))
    assert other.value.why == "form"
    monkeypatch.setattr("engine.positions.title_names", lambda: ("1861",))
    with pytest.raises(PositionError, match="1844") as unknown:
        read_position(text)
    assert unknown.value.why == "title"


def test_corrected_facts_must_be_at_hand() -> None:
    own = engine.export_facts(engine.load_title("1844"))
    game = Game.start(engine.load_title("1844", facts=own), Setup(("Ann", "Bob", "Cat"), seed="x"))
    text = write_position(game)
    assert read_position(text, own).told_digest() == game.told_digest()
    with pytest.raises(PositionError) as missing:
        read_position(text)
    assert missing.value.why == "facts"


def test_nothing_but_its_own_errors_comes_out(tmp_path: Path) -> None:
    """A text with a right check and a wrong content, as somebody might make it."""
    from engine import positions  # the check is the text's own affair

    chance = random.Random(7)
    game = Game.start(engine.load_title("1861"), Setup(("Ann", "Bob", "Cat"), seed="x"))
    for _ in range(30):
        game.submit(random_order(game, game.asked()[0], chance))
    _, body, _ = (text := write_position(game, "Ann")).split(".", 1)[0], text.partition(".")[2].rpartition(".")[0], ""
    for _ in range(300):
        letters = list(body)
        for _ in range(chance.randint(1, 3)):
            letters[chance.randrange(len(letters))] = chance.choice("ABCabc019_-.")
        changed = "".join(letters)
        wrong = f"P1.{changed}.{positions._check(changed)}"
        try:
            read_position(wrong)
        except PositionError:
            continue
    assert PlayerId("Ann") == seat_of(text)
