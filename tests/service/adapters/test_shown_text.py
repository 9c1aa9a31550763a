"""Text of strangers is text on a terminal, in a log and in an alarm: never markup, never an escape sequence."""

from __future__ import annotations

import ast
import io
import json
import logging
import os
import pty
import re
import shutil
import subprocess
import sys
import unicodedata
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click
import pytest
import typer.main
from hypothesis import given
from hypothesis import strategies as st
from sqlmodel import select
from typer.testing import CliRunner

from moderator.adapters import tables
from moderator.adapters.hook import CommandHook
from moderator.adapters.logs import JsonLines, TextLines
from moderator.domain.escape import in_line, shown
from moderator.entrypoints import cli, output
from moderator.service.operation.alarms import Alarms
from moderator.service.post.outbox import ALARM
from moderator.service.service_facts import remember
from moderator.service.table.trust import aliases_of
from tests.kit.service.mail_service import Service, mail

RETURN_PATH = '"[/b]"@x.example'
ESCAPE = "\x1b]0;owned\x07\x1b[2J\x9b31m"
TURNED = "\u202eflorin\u2066"
HOSTILE = f"{RETURN_PATH} [name=mx1] [bold]:smile: {ESCAPE} {TURNED}\n<second line>"
SEEN = r'"[/b]"@x.example [name=mx1] [bold]:smile: \x1b]0;owned\x07\x1b[2J\x9b31m <U+202E>florin<U+2066>'


def harmless(text: str) -> bool:
    """True if a terminal prints it all, in its order, and obeys none of it."""
    return all(c in "\n\t" or unicodedata.category(c) not in ("Cc", "Cf", "Cs", "Zl", "Zp") for c in text)


@given(st.text())
def test_nothing_that_a_terminal_obeys_is_left(text: str) -> None:
    assert harmless(shown(text))
    assert "\n" not in in_line(text)


@given(st.text(st.characters(categories=["L", "N", "P", "S"])))
def test_what_can_be_seen_stays_as_it_is(text: str) -> None:
    assert in_line(text) == text


def test_what_cannot_be_seen_is_spelt_out() -> None:
    assert shown(HOSTILE) == SEEN + "\n<second line>"
    assert in_line("a\r\nb\tc") == r"a\x0ab\x09c"
    assert shown("\ud800") == "<U+D800>"


# ---- the commands


@pytest.fixture(scope="module")
def hostile_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a service in which every text that a stranger, a server or a player can cause is hostile."""
    folder = tmp_path_factory.mktemp("hostile")
    service = _hostile(folder)
    service.desk.database.close()
    return folder


@pytest.fixture
def hostile(hostile_folder: Path, tmp_path: Path) -> Service:
    """A service of its own in a copy of that folder."""
    shutil.copytree(hostile_folder, tmp_path, dirs_exist_ok=True)
    return Service.open(tmp_path)


def _hostile(folder: Path) -> Service:
    service = Service.open(folder)
    game = service.game()
    service.say("Ann", "open TSR 25\nlimit 60")
    service.send(mail(HOSTILE, sender="eve@elsewhere.example", subject=HOSTILE.replace("\n", " ")), return_path="e@x.y")
    service.run()
    with service.desk.sitting() as sitting:
        for row in sitting.session.exec(select(tables.MailRow)).all():
            row.sender = row.envelope_from = row.verdict = row.detail = HOSTILE
        for sent in sitting.session.exec(select(tables.OutboxRow)).all():
            sent.error = sent.subject = sent.text = sent.recipient = HOSTILE
            sent.state = "failed"
        played = sitting.session.get_one(tables.GameRow, game)
        undone = tables.EntryRow(
            game=game, at=played.at, kind="undo", orders=played.orders, text=HOSTILE, origin="master",
            created_at=service.clock.now(),
        )  # fmt: skip
        sitting.session.add(undone)
        played.at += 1
        for held in sitting.session.exec(select(tables.HeldRow)).all():
            held.text = HOSTILE
        for seat in sitting.session.exec(select(tables.SeatRow)).all():
            seat.address, seat.question = f"{HOSTILE} {seat.player}", HOSTILE
            seat.heard_at = seat.told_at = service.clock.now()
        for deadline in sitting.session.exec(select(tables.DeadlineRow)).all():
            deadline.wall = HOSTILE
        sitting.session.add(
            tables.AliasRow(address=HOSTILE, record=f"{HOSTILE} Ann".lower(), created_at=service.clock.now())
        )
        sitting.session.flush()
        assert aliases_of(sitting.session, f"{HOSTILE} Ann")
        remember(sitting, "frozen imap", {"since": HOSTILE, "why": HOSTILE})
    assert game == "1861-1"
    return service


GAME = "1861-1"
TRIED: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "game list": ((),),
    "game log": ((GAME,),),
    "game show": ((GAME, "--at", "1"),),
    "mail list": ((), ("--outcome", "unknown_sender"), ("--game", GAME)),
    "mail show": (("1",), ("2",), ("1", "--raw")),
    "mail retry": (("1",), ("99",)),
    "mail release": (("1",),),
    "mail drop": (("1",),),
    "mail waiting": ((),),
    "desk build": (("FOLDER", "--pyodide", "FILE"), ("FILE", "--pyodide", HOSTILE), ("FOLDER", "--pyodide", HOSTILE)),
    "title list": ((),),
    "title show": (("1861",), ("\x1b]0;x\x07",), ("1844", "--sequence")),
    "title export": (("1861",), ("\x1b]0;x\x07",)),
    "title check": (("FILE",), ("\x1b]0;x\x07",)),
    "outbox list": ((), ("--state", "failed")),
    "outbox show": (("1",), ("5",), ("1", "--raw")),
    "outbox retry": (("1",), ("99",)),
    "outbox release": ((), ("1",)),
    "person list": ((),),
    "person show": (("Ann",), (HOSTILE,)),
    "seat list": ((GAME,),),
    "seat silent": (("--hours", "1"),),
    "seat zone": ((GAME, "Ann", HOSTILE), (HOSTILE, "Ann", "UTC"), (GAME, HOSTILE, "UTC")),
    "seat alias": ((GAME, "Ann"), (GAME, HOSTILE), (GAME, "Ann", HOSTILE)),
    "seat address": ((GAME, "Ann", HOSTILE), (GAME, HOSTILE, "a@b.example")),
    "seat revoke": ((GAME, HOSTILE),),
    "seat start": ((GAME, "Ann"), (GAME, HOSTILE)),
    "seat caretaker": ((GAME, "Ann", "robot", "--reason", HOSTILE), (GAME, HOSTILE, "open"), (GAME, "Ann", HOSTILE)),
    "seat give": ((GAME, "Ann", HOSTILE), (GAME, HOSTILE, "Dan <dan@x.example>")),
    "health": ((), ("--json",)),
    "breaker": ((), ("--reset",)),
    "clock accept": ((),),
    "game new": (("1861", "--seat", HOSTILE), (HOSTILE, "--seat", "Ann <a@b.example>")),
    "game adopt": ((GAME,), (HOSTILE,)),
    "game undo": ((GAME, "7", "--reason", HOSTILE), (HOSTILE, "0")),
    "game redo": ((GAME, "--reason", HOSTILE), (HOSTILE,)),
    "game export": ((GAME,), (HOSTILE,)),
    "game pause": ((GAME, "--reason", HOSTILE), (HOSTILE,)),
    "game resume": ((GAME, "--reason", HOSTILE), (HOSTILE,)),
    "game deadline": ((GAME, "--hours", "24", "--reason", HOSTILE), (GAME, "--until", HOSTILE), (HOSTILE, "--off")),
    "game clock": ((GAME,), (GAME, f"rest={HOSTILE}"), (GAME, f"{HOSTILE}=1"), (HOSTILE,)),
    "game master": ((GAME,), (GAME, HOSTILE), (GAME, "--json"), (HOSTILE,), (GAME, "--remove", HOSTILE)),
    "tournament new": ((HOSTILE, "1861", "--games", "1", "--players", "3", "--person", HOSTILE),),
    "tournament list": ((), ("--json",)),
    "tournament show": ((HOSTILE,), (HOSTILE, "--json")),
    "game form": (("1861", "--players", "3-4"), (HOSTILE, "--players", "3"), ("1861", "--players", HOSTILE)),
    "game unform": (("1861-9", "--reason", HOSTILE), (HOSTILE,)),
    "game begin": ((HOSTILE,),),
    "game guests": ((), ("--json",)),
    "game motions": ((GAME,), (GAME, "--json"), (HOSTILE,)),
    "game say": ((GAME, HOSTILE), (HOSTILE, "x")),
    "game end": ((GAME, "--reason", HOSTILE), (HOSTILE,)),
    "check": (("FILE", "--game", HOSTILE), ("FILE", "--record", "FILE")),
    "play": (("FILE",), ("FILE", "--seat", HOSTILE)),
    "record verify": (("FILE",), ("--database",)),
    "record import": (("FILE",),),
    "record show": (("FILE",), ("FILE", "--stats"), ("FILE", "--svg")),
    "record export": (("FILE",),),
    "record results": (("FILE", HOSTILE), ("FILE", "--csv")),
    "archive build": (("FOLDER",), ("FOLDER", HOSTILE), ("FOLDER", "--seat", HOSTILE), ("FOLDER", "--record", "FILE")),
    "archive redact": (("FOLDER", GAME, HOSTILE), (HOSTILE, GAME, "Ann")),
    "archive rebuild": ((GAME,), (HOSTILE,)),
    "paper sheet": ((GAME, HOSTILE), (HOSTILE, "Ann")),
    "paper booklet": (("FILE",), (HOSTILE,)),
    "game mbox": ((GAME, "--output", "OUTPUT"), (GAME, "--seat", HOSTILE), (HOSTILE,)),
    "alarm": ((HOSTILE,),),
    "backup": (("FILE",),),
    "restore": (("FILE",), ("FILE", "--replace")),
}
"""Every command with arguments that let it print what others wrote, or complain of what it was given."""
UNTRIED = {
    "run": "it goes on until it is stopped, and logs",
    "demo": "it makes a folder of its own",
    "upgrade": "it shows its tables",
}


def commands(group: Any, before: str = "") -> Iterator[str]:
    """Names of all commands, those of groups with the group's name before."""
    if not hasattr(group, "commands"):
        yield before
        return
    context = click.Context(group)
    for name in group.list_commands(context):  # loads commands that are imported only when they are used
        command = group.get_command(context, name)
        assert command is not None, name
        yield from commands(command, f"{before} {name}".strip())


def test_every_command_is_tried_here() -> None:
    there = set(commands(typer.main.get_command(cli.app)))
    assert there == {*TRIED, *UNTRIED}, "a new command: add what lets it print text of strangers"


@pytest.mark.parametrize(
    ("command", "words"), [(name, words) for name, tried in TRIED.items() for words in tried], ids=repr
)
def test_a_command_prints_text_of_strangers_as_text(hostile: Service, command: str, words: tuple[str, ...]) -> None:
    """None ends in an error of Rich's, and none sends anything that a terminal obeys."""
    file = hostile.root / "hostile.txt"
    file.write_text(HOSTILE, encoding="utf-8")
    paths = {"FILE": file, "FOLDER": hostile.root / "site", "OUTPUT": hostile.root / "mails.mbox"}
    given = [str(paths.get(word, word)) for word in words]
    result = CliRunner().invoke(cli.app, ["--data", str(hostile.root), *command.split(), *given])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    if "--raw" not in words and command != "game export":
        assert harmless(result.output), result.output


@pytest.mark.parametrize("words", [("outbox", "list"), ("mail", "list"), ("game", "log", GAME), ("seat", "list", GAME)])
def test_a_return_path_and_an_error_of_a_server_stand_in_the_table_as_they_are(
    hostile: Service, words: tuple[str, ...]
) -> None:
    result = CliRunner().invoke(cli.app, ["--data", str(hostile.root), *words])
    assert result.exit_code == 0, result.exception
    assert SEEN + r"\x0a<second line>" in result.output


def test_a_row_is_one_line_whatever_stands_in_it(hostile: Service) -> None:
    result = CliRunner().invoke(cli.app, ["--data", str(hostile.root), "outbox", "list"])
    with hostile.desk.database.reading() as session:
        count = len(session.exec(select(tables.OutboxRow)).all())
    assert len(result.output.splitlines()) == 1 + count


def raw(hostile: Service) -> list[str]:
    command = [sys.executable, "-m", "moderator.entrypoints.cli", "--data", str(hostile.root)]
    return [*command, "mail", "show", "2", "--raw"]


def test_raw_is_the_message_byte_for_byte_in_a_file_or_pipe(hostile: Service) -> None:
    content = b"Subject: \x1b[2J\xff\xfe\r\n\r\n\x00\x9b31m [bold] \xe2\x80\xae\r\n"
    with hostile.desk.database.transaction() as session:
        session.get_one(tables.MailRow, 2).content = content
    result = subprocess.run(raw(hostile), capture_output=True, check=True)
    assert result.stdout == content


def test_raw_is_shown_and_not_sent_on_a_terminal(hostile: Service) -> None:
    with hostile.desk.database.transaction() as session:
        session.get_one(tables.MailRow, 2).content = f"Subject: {ESCAPE}\r\n\r\n{TURNED}[/b]\r\n".encode()
    ours, theirs = pty.openpty()
    try:
        subprocess.run(raw(hostile), stdout=theirs, check=True)
        text = os.read(ours, 10_000).decode()
    finally:
        os.close(ours)
        os.close(theirs)
    assert text == "Subject: \\x1b]0;owned\\x07\\x1b[2J\\x9b31m\r\n\r\n<U+202E>florin<U+2066>[/b]\r\n"


def test_nothing_but_the_module_for_output_writes_to_the_terminal() -> None:
    """A new table or message cannot forget it: there is no other way to print one."""
    folder = Path(output.__file__).parent
    for path in sorted(folder.glob("*.py")):
        if path.name == "output.py":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            where = f"{path.name}:{getattr(node, 'lineno', 0)}"
            match node:
                case ast.Import(names=names):
                    assert not any(name.name.split(".")[0] in ("rich", "click") for name in names), where
                case ast.ImportFrom(module=module):
                    assert (module or "").split(".")[0] not in ("rich", "click"), where
                case ast.Call(func=ast.Name(id="print")) | ast.Attribute(attr="echo" | "secho"):
                    pytest.fail(f"{where} writes past moderator/entrypoints/output.py")
                case ast.Attribute(value=ast.Attribute(value=ast.Name(id="sys"), attr="stdout" | "stderr"), attr=name):
                    assert name == "fileno", where
                case ast.keyword(arg="markup", value=ast.Constant(value=True)):
                    pytest.fail(f"{where} asks for markup")


def test_columns_of_a_table_are_as_wide_on_the_screen_as_their_widest_cell(capsys: pytest.CaptureFixture[str]) -> None:
    table = output.Table("name", "a", "game")
    table.add_row("Zoë", "", "x\ty")
    table.add_row("林ん", "b", "")  # each character is two cells wide
    table.add_row("a\x1b[2J", "", "z")
    table.print()
    assert capsys.readouterr().out.splitlines() == [
        "name      a  game  ",
        "Zoë          x\\x09y",
        "林ん      b        ",
        "a\\x1b[2J     z     ",
    ]
    empty = output.Table("name", "game")
    empty.print()
    assert capsys.readouterr().out == "name  game\n"


def test_text_in_objects_of_rich_is_shown_as_well(capsys: pytest.CaptureFixture[str]) -> None:
    from rich.console import Group
    from rich.panel import Panel
    from rich.text import Text

    output.out.print(Panel(Group(Text(ESCAPE), ESCAPE)), "[b]", TURNED, markup=True, emoji=True)
    written = capsys.readouterr().out
    assert harmless(written)
    assert written.count(r"\x1b]0;owned") == 2
    assert "[b] <U+202E>" in written


# ---- logs and alarms


@pytest.mark.parametrize("form", [TextLines(), JsonLines()])
def test_a_log_line_is_one_line_and_holds_no_control_character(form: logging.Formatter) -> None:
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(form)
    log = logging.getLogger("railpost.shown")
    log.addHandler(handler)
    try:
        log.warning("mail %s was not sent: %s", 7, HOSTILE, extra={"player": HOSTILE})
    finally:
        log.removeHandler(handler)
    written = stream.getvalue()
    assert harmless(written)
    assert written.count("\n") == 1
    message = json.loads(written)["message"] if isinstance(form, JsonLines) else written
    assert r"\x1b]0;owned\x07\x1b[2J\x9b31m <U+202E>florin" in message


def test_a_warning_of_a_command_that_sets_up_no_log_has_the_same_form(tmp_path: Path) -> None:
    code = (
        "import logging, sys\nfrom typer.testing import CliRunner\nfrom moderator.entrypoints import cli\n"
        f"CliRunner().invoke(cli.app, ['--data', {str(tmp_path)!r}, 'game', 'list'])\n"
        f"logging.getLogger('railpost').warning({HOSTILE!r})\n"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert harmless(result.stderr)
    assert re.match(r"\S+Z WARNING ", result.stderr)


def test_the_alarm_command_gets_no_control_character(tmp_path: Path) -> None:
    told = tmp_path / "told"
    service = Service.open(tmp_path)
    with service.desk.sitting() as sitting:
        remember(sitting, f"{ALARM}1", {"text": HOSTILE, "at": "2026-03-01T12:00:00+00:00"})
    assert Alarms(service.desk, CommandHook(f"tee -a {told}", 5.0)).pass_on() == 1
    assert told.read_text(encoding="utf-8") == SEEN + "\n<second line>\n"
