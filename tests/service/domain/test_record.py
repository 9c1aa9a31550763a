"""Game records: written, read and replayed to the same position; what is wrong with one is told with its line."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from engine import Game, Setup, editions, load_title
from engine.core.events import Event
from moderator.domain.records.doubts import told_otherwise
from moderator.domain.records.import_18xx import read_import
from moderator.domain.records.record import (
    DepartedError,
    IllegalOrderError,
    RecordError,
    read_record,
    read_standings,
    replay,
    replay_record,
    write_record,
    write_standings,
)
from moderator.domain.records.tags import read_tags, write_tags

PLAYERS = ("Ann", 'Zoë "Z" de Vries', "O'Brien")
TAGS = {"Game": "1861-7", "Begun": "2026-03-01", "Engine": "0.1.0", "Commitment": "c" * 64}


def played(edition: str, orders: int, seed: int, setup: Setup | None = None) -> Game:
    """A game of random orders."""
    chance = random.Random(seed)
    game = Game.start(load_title("1861", edition), setup or Setup(PLAYERS, seed=f"lots {seed}"))
    while len(game.orders) < orders and not game.finished:
        ask = chance.choice(game.asked())
        choice = chance.choice(game.legal(ask.actor))
        assert game.submit(choice.sample(chance.randrange(1_000)))
    return game


def names_of(events: tuple[Event, ...]) -> list[str]:
    return [f"{type(event).__name__};\nwith: a // remark -" for event in events][:3]


@pytest.mark.parametrize("edition", editions("1861"))
@pytest.mark.parametrize("tell", [None, names_of])
def test_there_and_back(edition: str, tell: object) -> None:
    game = played(edition, 250, seed=7)
    text = write_record(game, TAGS, tell=names_of if tell else None, sealed=False)
    record = read_record(text)
    assert record.orders == tuple(game.orders)
    assert record.setup == game.setup
    assert record.title is game.title
    again = replay_record(record)
    assert again.digest() == game.digest()
    assert again.told_digest() == record.tags["Position"]
    assert write_record(again, TAGS, tell=names_of if tell else None, sealed=False) == text
    lines = text.splitlines()
    for order, line in zip(record.orders, record.lines, strict=True):
        assert lines[line - 1].startswith((f"{order.actor}:", "  "))


@pytest.mark.parametrize("name", ["29683", "167259"])
def test_a_recorded_game_as_our_record(records: Path, name: str) -> None:
    imported = read_import(records / "1861" / f"{name}.json")
    for _ in imported.play():
        pass
    game = imported.game
    assert game.finished
    record = read_record(write_record(game, {"Source": name}))
    again = replay_record(record)
    assert again.digest() == game.digest()
    assert again.told_digest() == record.tags["Position"]
    assert record.result == game.standings()


def test_every_option_is_pinned() -> None:
    title = load_title("1861", "v2.0", {"trains_2_2": "unlimited", "long_game": "yes"})
    record = read_record(write_record(Game.start(title, Setup(PLAYERS)), {}))
    assert record.title is title
    assert {tag for tag in record.tags if tag.startswith("Option.")} == {f"Option.{name}" for name in title.options}


def test_setup_is_kept() -> None:
    setup = Setup(("Ann", "Bob"), "seed", "Bob", ("TSR", "MYR", "WVR"))
    record = read_record(write_record(Game.start(load_title("1861", "2020"), setup), {}, sealed=False))
    assert record.setup == setup
    assert replay_record(record).asked()[0].player == "Bob"


def test_the_seed_is_secret_while_the_game_is_under_way() -> None:
    game = played("v2.0", 20, seed=1)
    text = write_record(game, TAGS)
    assert "lots 1" not in text and "Position" not in text
    record = read_record(text)
    assert record.sealed and record.result is None and record.tags["Result"] == "*"
    assert record.orders == tuple(game.orders)


def test_layout() -> None:
    game = Game.start(load_title("1861"), Setup(("Ann", "Bob", "Cat"), priority="Ann"))
    orders = "Ann: open TSR 20 // bold\nBob: drop\nCat: bid 25; Ann: drop\nAnn: pass"
    record = read_record("\n".join([*HEAD, orders]))
    game = replay_record(record)
    head, body = write_record(game, {"Site": "here"}).split("\n\n", 1)
    assert head.splitlines()[:2] == ['[Title "1861"]', '[Edition "v2.0"]']
    assert head.splitlines()[-2:] == ['[Site "here"]', '[Result "*"]']
    assert body == (
        "// ---- SR 1, after order 0 ----\nAnn: open TSR 20\nBob: drop\nCat: bid 25\nAnn:\n  drop\n  pass\n"
    )


HEAD = ['[Title "1861"]', '[Edition "v2.0"]', '[Seat1 "Ann"]', '[Seat2 "Bob"]', '[Seat3 "Cat"]', '[Priority "Ann"]']


def changed(line: int, text: str) -> str:
    return "\n".join([*HEAD[: line - 1], text, *HEAD[line:], "", "Ann: open TSR 20"])


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", ["1:1: no tag Title", "1:1: no tag Edition", "1:1: no tag Seat1"]),
        (changed(2, "[Edition v2.0]"), ["2:1: not a tag", "7:1: no tag Edition"]),
        (changed(4, '[Seat1 "Bob"]'), ["4:1: a second tag Seat1: the first is in line 3"]),
        (changed(1, '[Title "1862"]'), ["1:1: no title '1862'"]),
        (changed(2, '[Edition "v9"]'), ["2:1: 1861 has no edition 'v9'"]),
        (changed(6, '[Option.chart "cube"]'), ["6:1: option chart cannot be 'cube'"]),
        (changed(6, '[Option.colour "red"]'), ["6:1: 1861 has no option 'colour'"]),
        (changed(6, '[Priority "Dan"]'), ["6:1: Dan has no seat"]),
        (changed(6, '[Privates "TSR XYZ"]'), ["6:1: 1861 has no private XYZ"]),
        (changed(4, '[Seat2 "ann"]'), ["3:1: 'ann' and 'Ann' cannot be told apart"]),
        (changed(5, ""), ["3:1: 1861 v2.0 is for 3 to 6 players"]),
        (
            "\n".join([*HEAD, "Ann: opn TSR", "Bob: bid", "// bid", "drop; Dan: pass"]),
            [
                "7:6: `opn`; expected: an order",
                "8:9: the order ends",
                "10:7: `Dan`; expected: Ann, Bob, Cat or a company",
            ],
        ),
        ("\n".join([*HEAD, "check", "Ann: pass"]), ["7:1: `check` is said to a moderator"]),
        ("\n".join([*HEAD, "pass"]), ["7:1: `pass`; expected: before it Ann"]),
    ],
)
def test_what_is_wrong_is_told_with_its_line(text: str, told: list[str]) -> None:
    with pytest.raises(RecordError) as error:
        read_record(text, "game.txt")
    lines = str(error.value).splitlines()
    assert len(lines) == len(told)
    for line, start in zip(lines, told, strict=True):
        assert line.startswith(f"game.txt:{start}")


def test_an_illegal_order_is_named() -> None:
    record = read_record("\n".join([*HEAD, "Ann:", "  open TSR 20", "Bob: bid 21"]), "game.txt")
    with pytest.raises(IllegalOrderError, match=r"^game.txt:9:1: order 2, Bob: bid 21, is illegal: ") as error:
        replay_record(record)
    assert (error.value.number, error.value.order) == (2, record.orders[1])
    assert error.value.refused.failures


@pytest.mark.parametrize("rules", [None, 1])
def test_a_position_that_other_rules_told_does_not_stop_a_record_that_ends_as_told(rules: int | None) -> None:
    game = played("2020", 12, seed=3)
    text = other_digest(write_record(game, {}, sealed=False), 5)
    if rules is None:
        with pytest.raises(DepartedError, match="order 5, "):
            replay(read_record(text))
        return
    older = read_record(re.sub(r'\[Rules "\d+"\]', f'[Rules "{rules}"]', text))
    again = replay(older)
    assert again.departed == (5,)
    assert again.game.digest() == game.digest()
    assert f"after order 5 version {rules} of the rules told another position" in told_otherwise(older, again.departed)


def test_a_position_that_other_rules_told_stops_a_record_that_does_not_end_as_told() -> None:
    game = played("2020", 12, seed=3)
    text = re.sub(r'\[Rules "\d+"\]', '[Rules "1"]', other_digest(write_record(game, {}, sealed=False), 5))
    position = text[text.index("[Position") :].splitlines()[0]
    for end in ("", position.replace(position[-10:-2], "00000000")):
        with pytest.raises(DepartedError, match="order 5, "):
            replay(read_record(text.replace(position, end)))


def other_digest(text: str, number: int) -> str:
    """The record with another digest after order ``number``."""
    told = text[text.index("[Digests") :].split()[number + 1]
    return text.replace(f" {told}", f" {told[:-1]}{'0' if told[-1] != '0' else '1'}", 1)


def test_tags_of_the_game_cannot_be_given() -> None:
    game = Game.start(load_title("1861"), Setup(PLAYERS))
    with pytest.raises(ValueError, match="the game itself gives the tag Seat9"):
        write_record(game, {"Seat9": "Eve"})


def test_standings() -> None:
    rows = (("Ann B. 2", 8341), ("Bob", -5))
    assert write_standings(rows) == "Ann B. 2 8341; Bob -5"
    assert read_standings(write_standings(rows)) == rows
    assert read_standings("*") is None


def test_values_with_quotation_marks() -> None:
    tags = {"A": 'say "hi" \\ \\"', "B": "", "C": "two\nlines"}
    assert dict(read_tags(write_tags(tags)).tags) == {**tags, "C": "two lines"}
