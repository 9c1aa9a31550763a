"""The command ``railpost`` as scripts and newcomers use it."""

from __future__ import annotations

import gc
import json
import random
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from engine import Game, Setup, load_title
from engine.robots import random_order
from moderator.domain.records.record import write_record
from moderator.entrypoints import cli
from tests.kit.service.mail_service import Service

SEATS = ["--seat", "Ann <ann@example.org>", "--seat", "Bob <bob@example.org>", "--seat", "Cat <cat@example.org>"]


class Shell:
    """Runs commands on one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(self, *words: str, status: int = 0, given: str | None = None) -> str:
        result = CliRunner().invoke(cli.app, ["--data", str(self.folder / "var"), *words], input=given)
        assert result.exit_code == status, (result.output, result.exception)
        return result.output

    def write(self, name: str, text: str) -> str:
        (self.folder / name).write_text(text, encoding="utf-8")
        return str(self.folder / name)


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    monkeypatch.chdir(tmp_path)
    return Shell(tmp_path)


def test_help_names_every_command(shell: Shell) -> None:
    text = shell("--help")
    for command in ("game", "check", "record", "demo", "run", "mail", "play"):
        assert command in text
    assert "Exit statuses" in text


@pytest.mark.usefixtures("each_database")
def test_a_game_from_new_to_export(shell: Shell) -> None:
    assert "1861-1" in shell("game", "new", "1861", *SEATS)
    assert "1861-1" in shell("game", "list")
    assert gc.isenabled()
    assert "decision 1, 0 orders" in shell("game", "show", "1861-1")
    record = shell("game", "export", "1861-1")
    assert '[Commitment "' in record
    assert "[Seed" not in record


def test_options_and_editions_are_checked(shell: Shell) -> None:
    assert "no option 'colour'" in shell("game", "new", "1861", *SEATS, "--option", "colour=red", status=2)
    shell("game", "new", "1861", *SEATS, "--edition", "1066", status=2)
    shell("game", "new", "1830", *SEATS, status=2)
    shell("game", "new", "1861", "--seat", "nobody", status=2)
    shell("game", "new", "1861", *SEATS, *SEATS, status=2)
    assert "there is no database" in shell("game", "list", status=1)
    assert not (shell.folder / "var").exists()


def test_what_is_not_there_is_answered_with_1(shell: Shell) -> None:
    for words in (["game", "show", "x"], ["game", "export", "x"], ["game", "undo", "x", "0"], ["mail", "show", "7"]):
        shell(*words, status=1)
    shell("game", "new", "1861", *SEATS)
    output = shell("game", "show", "x", status=1)
    assert "there are: 1861-1" in output
    assert "railpost.db" in output


@pytest.mark.usefixtures("each_database")
def test_a_dispute_is_followed_from_the_log_to_the_mail_and_taken_back(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "var").mkdir()
    service = Service.open(tmp_path / "var")
    game = service.game()
    service.say("Bob", "limit 30 on TSR")
    service.say("Ann", "open TSR 20")
    ahead = service.say("Ann", "limit 40")  # Cat is asked; which auction is meant is plain all the same
    assert ahead is not None
    assert "A standing bid up to R40 on TSR is kept" in ahead.text
    service.desk.database.engine.dispose()
    rows = [line.split() for line in shell("game", "log", game).splitlines()]
    assert [(row[0], row[4:6], row[6:]) for row in rows[1:3]] == [
        ("1", ["Ann", "mail"], ["2", "Ann:", "open", "TSR", "20"]),
        ("2", ["Bob", "limit"], ["1", "Bob:", "bid", "25"]),
    ]
    assert "given ahead (waiting): Bob: limit 30 on TSR" in shell("mail", "show", "1")
    assert "set off by this mail: Bob: bid 25" in shell("mail", "show", "2")
    assert "limit 30" not in shell("mail", "list", "--game", "1861-99", status=1)
    before = shell("game", "log", game)
    *effect, asked = shell("game", "undo", game, "1", "--dry-run").splitlines()
    assert effect == [
        "1 order would be taken back:", "  2. Bob: bid 25",
        "2 orders given ahead would be cancelled.", f"{game} would be at order 1, and ask:",
    ]  # fmt: skip
    assert asked.startswith("  Bob: Ann has bid R20 on TSR.")
    assert "undo can keep 0 to 1 of them" in shell("game", "undo", game, "2", "--dry-run", status=1)
    assert shell("game", "log", game) == before
    assert "1 order taken back" in shell("game", "undo", game, "1", "--reason", "Bob meant\nanother")
    log = shell("game", "log", game, "--last", "2").splitlines()
    assert log[1].startswith("(2)")
    assert log[2].endswith("back to the position after order 1: Bob meant another")
    shell("game", "log", game, "--player", "Zed", status=1)
    service.clock.pass_by(days=100_000)  # the command line goes by the true clock
    service.run()
    undone = service.letters("Ann")[-1]
    assert undone.subject == f"[{game}] the game went back"
    assert "The reason: Bob meant another" in " ".join(undone.text.split())


def test_check_tries_orders_and_changes_nothing(shell: Shell) -> None:
    shell("game", "new", "1861", *SEATS)
    good, bad = shell.write("good.txt", "open TSR 20"), shell.write("bad.txt", "open TSR 3")
    unreadable = shell.write("unreadable.txt", "opn TSR 20")
    assert "opened TSR" in shell("check", good, "--game", "1861-1")
    assert "REFUSED" in shell("check", bad, "--game", "1861-1", status=1)
    assert "`opn` begins no order" in shell("check", unreadable, "--game", "1861-1", status=1)
    assert "NOT READABLE" in shell("check", unreadable, "--game", "1861-1", status=1)
    shell("check", good, status=2)
    assert "0 orders" in shell("game", "show", "1861-1")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("poll_seconds = 0\n", "line 1: poll_seconds"),
        ('data = "x"\nfoo = 3\n', "line 2: foo: there is no such setting"),
        ('data = "x\n', "line 1"),
        ('mailbox = "a-very-long-name-for-a-mailbox"\n', "line 1: mailbox"),
    ],
)
def test_a_bad_configuration_is_refused_with_file_line_and_reason(shell: Shell, text: str, said: str) -> None:
    output = shell("--config", shell.write("bad.toml", text), "game", "list", status=2)
    assert "bad.toml" in output
    assert said in output


def test_records_are_verified(shell: Shell, records: Path) -> None:
    folder = records / "1861"
    output = shell("record", "verify", str(folder / "29683.json"), str(folder / "167259.json"))
    assert "Player 3 8341, Player 1 8216, Player 2 7679" in output
    assert "Player 4 3354, Player 1 2731, Player 2 2460, Player 3 2336" in output


def test_a_record_with_an_illegal_order_is_answered_with_the_order_and_its_rule(shell: Shell, records: Path) -> None:
    data = json.loads((records / "1861" / "29683.json").read_text())
    lay = next(action for action in data["actions"] if action["type"] == "lay_tile")
    lay["tile"] = "201-0"
    output = shell("record", "verify", shell.write("bad.json", json.dumps(data)), status=1)
    assert f"id {lay['id']}" in output
    assert "1861 2020 edition" in output or "(1861 2020" in output


def test_files_that_are_no_records(shell: Shell) -> None:
    assert "garbage.txt:1:1" in shell("record", "verify", shell.write("garbage.txt", "pass"), status=2)
    assert "line 1" in shell("record", "verify", shell.write("bad.json", "{"), status=2)
    shell("record", "verify", "nowhere.txt", status=2)


def test_an_imported_record_verifies_and_can_be_shown_and_played(shell: Shell, records: Path) -> None:
    shell("record", "import", str(records / "1861" / "29683.json"), "-o", "game.txt")
    assert "8341" in shell("record", "verify", "game.txt")
    assert "after 10 orders" in shell("record", "show", "game.txt", "--at", "10")
    Path("taken.txt").write_text("mine")
    saves = "save nowhere/x.txt\nsave taken.txt\nsave again.txt\nsave again.txt\n"
    output = shell(
        "play",
        "game.txt",
        "--at",
        "0",
        given="menu\nopen TSR 25\nopen TSR 25\nundo\n" + saves + "quit\n",
    )
    assert "REFUSED" in output
    assert "not saved: nowhere/x.txt" in output
    assert "not saved: taken.txt is there already" in output and Path("taken.txt").read_text() == "mine"
    assert output.count("saved: again.txt") == 2
    assert Path("again.txt").is_file()


@pytest.mark.parametrize("name", ["1844", "1863"])
def test_on_a_board_of_ones_own_examples_are_of_its_title(shell: Shell, name: str) -> None:
    said = shell("play", name, "--seed", "x", given="show lays\nquit\n")
    title = load_title(name)
    ((hex, company),) = re.findall(r"`lay 8 (\w+) 1`, `([^`:]+): run best", said)
    (other,) = re.findall(r"`show lays ([^`]+)`", said)
    assert hex in title.map.hexes and {company, other} <= set(title.companies)


def test_on_a_board_of_ones_own_every_page_of_a_mail_is_shown(shell: Shell) -> None:
    given = "\n".join(
        f"show {what}" for what in ("board", "hex h4", "hex Z99", "company sftg", "company X", "phase", "x")
    )
    output = shell("play", "1841", "--seed", "x", given=given + "\nquit\n")
    assert output.count("Bid on the concessions") == 8, "players who are asked the same are asked once, at each prompt"
    assert "[0] Bob, Cat, Ann: Bid" in output
    assert "HEX H4 Torino" in output and "COMPANY SFTG" in output and "begins phase 3" in output
    for missing in ("there is no hex 'Z99'", "there is no company 'X'", "there is no `show x`: position, map, board"):
        assert missing in output


def test_a_position_on_the_terminal_is_drawn_into_files(shell: Shell) -> None:
    Path("mine").mkdir()
    Path("mine/map.png").write_text("mine")
    output = shell("play", "1861", given="pictures\nopen TSR 20\npictures\npictures mine\nquit\n")
    assert output.count("drawn: pictures/map.png") == 2
    assert "not drawn: mine/map.png is there already" in output and Path("mine/map.png").read_text() == "mine"
    for name in ("map", "chart", "tiles"):
        assert Path(f"pictures/{name}.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.usefixtures("each_database")
def test_the_service_runs_until_it_is_told_to_stop(shell: Shell, tmp_path: Path) -> None:
    shell("game", "new", "1861", *SEATS)
    command = [sys.executable, "-m", "moderator.entrypoints.cli", "--data", str(tmp_path / "var"), "run"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        lines = []
        for line in process.stderr:
            lines.append(line)
            if "outbox 4: sent" in line:
                process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0, lines
    assert "stopped" in lines[-1]
    boxes = tmp_path / "var" / "mail"
    assert len(list(boxes.glob("*@example.org/new/*"))) == 4, "a welcome to everyone, a turn mail to one of them"


def test_what_nobody_foresaw_ends_with_3(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def broken() -> None:
        raise RuntimeError("a fault")

    monkeypatch.setattr(cli, "app", broken)
    with pytest.raises(SystemExit) as end:
        cli.main()
    assert end.value.code == 3
    assert "a fault" in capsys.readouterr().err


def test_the_demo_leaves_other_folders_alone(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("years of work")
    shell("demo", "--folder", "mine", status=2)
    assert (tmp_path / "mine" / "thesis.txt").is_file()


def test_a_demo_that_cannot_begin_leaves_no_folder(shell: Shell, tmp_path: Path) -> None:
    assert "there are: " in shell("demo", "--edition", "1066", status=2)
    shell("demo", "--record", "nowhere.json", status=2)
    assert not (tmp_path / "demo").exists()
    shell("game", "new", "1861", *SEATS)
    (tmp_path / "var" / "mail").mkdir(exist_ok=True)
    shell("demo", "--folder", "var", status=2)
    assert "1861-1" in shell("game", "list")


@pytest.mark.prove
@pytest.mark.parametrize("players", [3, 5])
def test_robots_play_a_whole_game_by_mail(shell: Shell, players: int) -> None:
    output = shell("demo", "--players", str(players), "--folder", "games")
    assert "1861-1 finished" in output
    assert len(re.findall(r"(?m)^\d +\S.* \d+ *$", output)) == players  # the standings
    assert Path("games/record.txt").is_file()
    assert "pictures    games/pictures/map.png" in output and Path("games/pictures/map.png").is_file()
    assert "finished" in shell("record", "verify", "games/record.txt")


@pytest.mark.prove
def test_a_recorded_game_is_sent_again_as_mails(shell: Shell, records: Path) -> None:
    output = shell("demo", "--record", str(records / "1861" / "29683.json"), "--folder", "games")
    places = [line.split() for line in output.splitlines() if "Player" in line]
    assert places == [["1", "Player", "3", "8341"], ["2", "Player", "1", "8216"], ["3", "Player", "2", "7679"]]


def test_the_second_title_from_new_to_a_verified_record(shell: Shell) -> None:
    """No command knows a title: what is typed for one is typed for the other."""
    assert "1844-1" in shell("game", "new", "1844", *SEATS, "--option", "runs=any")
    assert '[Option.runs "any"]' in shell("game", "export", "1844-1")
    assert "800\u00a0SFR" in shell("game", "show", "1844-1")
    game = Game.start(load_title("1844"), Setup(("Ann", "Bob", "Cat"), seed="s"))
    hand = random.Random(1)
    while len(game.orders) < 120:
        assert game.submit(random_order(game, game.asked()[0], hand))
    record = shell.write("record.txt", write_record(game, {}, sealed=False))
    assert "1844 rulebook, 120 orders replayed with every check" in shell("record", "verify", record)
    assert "PLAYERS, in the order of play" in shell("record", "show", record)
    assert "`drp` begins no order" in shell("check", shell.write("bad.txt", "drp"), "--game", "1844-1", status=1)
    assert "offered 20\u00a0SFR" in shell("check", shell.write("good.txt", "bid 20"), "--game", "1844-1")
