"""``railpost play`` as a person uses it: lines typed at a prompt, in a pipe and in terminals of several kinds."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from collections.abc import Mapping
from pathlib import Path

import pytest
from typer.testing import CliRunner

import engine
from engine import Game
from engine.core.ids import PlayerId
from engine.robots import sensible
from grammar import write
from moderator.domain.records.record import write_record
from moderator.entrypoints import cli
from moderator.entrypoints.board.table import Table
from moderator.entrypoints.board.terminal_map import terminal_map

GAME = ("1861", "--seed", "x")


def played(*words: str, typed: str, status: int = 0) -> str:
    result = CliRunner().invoke(cli.app, ["play", *words], input=typed, prog_name="railpost")
    assert result.exit_code == status, result.output
    return result.output


def on_terminal(*words: str, typed: str, width: int, **environment: str) -> str:
    """The screen of a terminal of ``width`` columns."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, width, 0, 0))
    kept: Mapping[str, str] = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "NO_COLOR", "COLORTERM")}
    command = [sys.executable, "-m", "moderator.entrypoints.cli", "play", *words]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=theirs, env={**kept, "TERM": "xterm-256color", **environment}
    ) as process:
        os.close(theirs)
        assert process.stdin is not None
        process.stdin.write(typed.encode())
        process.stdin.close()
        shown = b""
        while True:
            try:
                piece = os.read(ours, 65536)
            except OSError:  # the program has closed the terminal
                break
            shown += piece
            if not piece:
                break
        os.close(ours)
        assert process.wait() == 0
    return shown.decode().replace("\r\n", "\n")


def plain(shown: str) -> str:
    """The text without colours. What is typed does not come from the terminal, so nothing ends the line of a prompt."""
    return re.sub(r"^> ", "> \n", re.sub(r"\x1b\[[\d;]*m", "", shown), flags=re.M)


# ---- who plays -------------------------------------------------------------------------------------------------------


def test_it_says_whom_you_play() -> None:
    assert "You play everybody: Ann, Bob, Cat." in played(*GAME, typed="quit\n")
    assert "You play Ann; robots play Bob, Cat." in played(*GAME, "--robots", typed="quit\n")
    assert "You play Bob, Cat; robots play Ann." in played(*GAME, "--seat", "Cat", "--seat", "Bob", typed="quit\n")


def test_a_seat_that_is_not_there() -> None:
    assert "called Dan: the players are Ann, Bob, Cat" in played(*GAME, "--seat", "Dan", typed="", status=2)


def test_robots_answer_until_you_are_asked() -> None:
    said = played(*GAME, "--seat", "Ann", typed="menu\npass\nBob: pass\ndrop\nquit\n")
    prompts = re.findall(r"^(?:> )?\[\d+\] ([^:]+):", said, re.M)
    assert set(prompts) == {"Ann"}
    assert re.search(r"^Cat: open \w+ \d+$", said, re.M)
    assert "NOT YOURS Bob: a robot plays Bob; you play Ann." in said


def test_robots_play_a_game_to_its_end_beside_somebody_who_follows_their_advice() -> None:
    table = Table(Game.start(engine.load_title("1844"), engine.Setup(("Ann", "Bob", "Cat"), "x")), (PlayerId("Ann"),))
    assert [line for good, line in table.settle() if not good] == []
    for _ in range(12):
        (ask, *_) = table.asked()
        order = sensible(table.game, ask)
        lines = list(table.enter(f"{ask.actor}: {write(order)}"))
        assert lines and all(good for good, _ in lines), lines
        assert table.game.finished or table.asked()


def test_a_record_goes_on_with_robots(tmp_path: Path) -> None:
    game = Game.start(engine.load_title("1861"), engine.Setup(("Ann", "Bob", "Cat"), "x"))
    for _ in range(5):
        game.submit(sensible(game, game.asked()[0]))
    record = tmp_path / "game.txt"
    record.write_text(write_record(game, {}, sealed=False), encoding="utf-8")
    said = played(str(record), "--seat", "Bob", typed="undo\nquit\n")
    assert "You play Bob; robots play Ann, Cat." in said
    assert "taken back: " in said


# ---- limits, press, help ---------------------------------------------------------------------------------------------


def test_a_limit_bids() -> None:
    said = played(*GAME, typed="open TSR 20\nlimit 40\nbid 30\ndrop\nquit\n")
    assert "The limit bids for Ann on TSR up to 40, then drops." in said
    bids = re.findall(r"^(?:> )?(\w+): (bid \d+|drop)$", said, re.M)
    assert bids[:2] == [("Ann", "bid 25"), ("Bob", "bid 30")]
    assert ("Ann", "bid 35") in bids


def test_a_limit_leaves_the_auction_above_it() -> None:
    said = played(*GAME, typed="open TSR 20\nlimit 25\nlimit 10\nbid 30\ndrop\nquit\n")
    assert re.search(r"^(?:> )?Ann: drop$", said, re.M)
    assert "REFUSED Bob: limit 10 on TSR" in said


def test_a_limit_without_an_auction_says_what_it_needs() -> None:
    game = Game.start(engine.load_title("1861"), engine.Setup(("Ann", "Bob", "Cat"), "x"))
    while game.lot() is not None:
        game.submit(sensible(game, game.asked()[0]))
    lines = list(Table(game, game.state.players).enter(f"{game.state.players[0]}: limit 40"))
    assert [good for good, _ in lines] == [False]
    assert "Nothing is being auctioned" in lines[0][1]


def test_press_is_shown_and_kept_with_the_record(tmp_path: Path) -> None:
    record = tmp_path / "game.txt"
    said = played(*GAME, typed=f"press: nobody knows\npress Bob: a word\nshow press\nsave {record}\nquit\n")
    assert "press from Cat to all: nobody knows" in said
    assert "after order 0, press from Cat to Bob: a word" in said
    assert "// after order 0, press from Cat to Bob: a word" in record.read_text(encoding="utf-8")
    assert "You play everybody" in played(str(record), typed="quit\n")


def test_help_is_a_question_mark_away() -> None:
    said = played(*GAME, typed="?\nquit\n")
    assert said.count("take your last order back") == 2


def test_a_word_for_mails_is_not_swallowed() -> None:
    said = played(*GAME, typed="check\npass\nquit\n")
    assert "NOT HERE: `check` is a word for mails" in said


# ---- back and on -----------------------------------------------------------------------------------------------------


def test_undo_and_redo_alone() -> None:
    said = played(*GAME, typed="open TSR 20\nbid 25\nundo\nundo\nundo\nredo\nredo\nredo\nshow orders\nquit\n")
    assert said.count("taken back: ") == 2 and "there is nothing of yours to take back" in said
    assert said.count("given again: ") == 2 and "there is nothing to give again" in said
    assert "1: Cat: open TSR 20\n2: Ann: bid 25\n" in said


def test_undo_takes_back_what_robots_did_since() -> None:
    table = Table(Game.start(engine.load_title("1861"), engine.Setup(("Ann", "Bob", "Cat"), "x")), (PlayerId("Ann"),))
    list(table.settle())
    before = tuple(table.game.orders)
    (ask,) = table.asked()
    list(table.enter("drop" if any("drop" in write(c.order) for c in table.game.legal(ask.actor)) else "pass"))
    after = tuple(table.game.orders)
    assert len(after) > len(before) + 1
    assert "of robots and limits after it" in table.undo()
    assert tuple(table.game.orders) == before
    table.redo()
    assert tuple(table.game.orders) == after
    table.undo()
    list(table.enter("bid 100"))
    assert table.redo() == "there is nothing to give again"


def test_undo_takes_a_limit_back() -> None:
    table = Table(
        Game.start(engine.load_title("1861"), engine.Setup(("Ann", "Bob", "Cat"), "x")),
        tuple(map(PlayerId, ("Ann", "Bob", "Cat"))),
    )
    list(table.enter("open TSR 20; limit 90"))
    list(table.enter("bid 25"))
    assert table.limits
    said = [table.undo(), table.undo()]
    assert any("limit 90 on TSR" in line for line in said) and not table.limits
    table.redo()
    assert table.limits


# ---- terminals -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [60, 80])
def test_lines_break_between_words_at_the_width(width: int) -> None:
    typed = "open TSR 20\nshow\nlimit\nquit\n"
    shown = plain(on_terminal(*GAME, typed=typed, width=width))
    assert max(map(len, shown.splitlines())) <= width
    words = set(re.findall(r"\S+", played(*GAME, typed=typed)))
    assert set(re.findall(r"\S+", shown)) <= words
    assert not any(len(line) > width for line in shown.splitlines())


def test_the_map_in_a_terminal_with_colours() -> None:
    shown = on_terminal("1841", "--seed", "x", typed="map\nquit\n", width=120, COLORTERM="truecolor")
    assert "\x1b[" in shown and "48;2;" in shown
    text = plain(shown)
    assert {"H4", "R14"} <= set(re.findall(r"\b[A-Za-z]\d+\b", text))
    assert re.search("[\u2801-\u28ff]", text), "printed track is drawn in dots"
    assert max(map(len, text.splitlines())) <= 120


def test_the_map_in_a_terminal_without_colours() -> None:
    shown = on_terminal("1861", "--seed", "x", typed="map\nquit\n", width=120, NO_COLOR="1")
    assert "48;" not in shown
    assert "y yellow, g green" in shown
    assert re.search(r"H8y", shown)


@pytest.mark.parametrize("environment", [{"TERM": "dumb"}, {"PYTHONIOENCODING": "ascii"}])
def test_the_map_in_words_where_no_picture_can_be_shown(environment: dict[str, str]) -> None:
    shown = on_terminal("1861", "--seed", "x", typed="map\nquit\n", width=120, **environment)
    assert "MAP: tile/turn, sides joined, value" in shown
    assert not re.search("[\u2800-\u28ff]", shown)


def test_the_map_in_words_in_a_pipe_and_in_a_narrow_terminal() -> None:
    assert "MAP: tile/turn, sides joined, value" in played(*GAME, typed="map\nquit\n")
    narrow = on_terminal(*GAME, typed="map\nquit\n", width=50)
    assert "MAP: tile/turn, sides joined, value" in narrow and "more than these 50 columns" in " ".join(narrow.split())


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("title", engine.title_names())
def test_the_map_has_every_hex_of_every_title(title: str) -> None:
    game = Game.start(engine.load_title(title), engine.Setup(("Ann", "Bob", "Cat"), "x"))
    picture = terminal_map(game, 150, colored=True)
    assert picture is not None
    shown = set(re.findall(r"[A-Za-z]+\d+", picture.plain))
    assert {str(hex) for hex in game.title.map.hexes} <= shown
