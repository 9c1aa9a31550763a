"""`railpost game new --from`: a game that was begun elsewhere goes on by mail."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from engine import Game, Setup, load_title
from engine.robots import sensible
from moderator.domain.records.record import write_record
from moderator.entrypoints.cli import app
from moderator.service.play.journal.rebuild import rebuild
from tests.kit.service.mail_service import Service

ORDERS = 40
SEATS = ("--seat=Ann <ann@players.example>", "--seat=Bob <bob@players.example>", "--seat=Cat <cat@players.example>")


def begun(orders: int = ORDERS, priority: str | None = "Ann") -> Game:
    game = Game.start(load_title("1861"), Setup(("Ann", "Bob", "Cat"), "a seed", priority))
    while len(game.orders) < orders and not game.finished:
        game.submit(sensible(game, game.asked()[0]))
    return game


def record_of(game: Game, folder: Path) -> Path:
    path = folder / "begun.txt"
    path.write_text(write_record(game, {}, sealed=False), "utf-8")
    return path


def new(root: Path, *arguments: str) -> Result:
    return CliRunner().invoke(app, ["--data", str(root), "game", "new", *arguments])


def service_of(root: Path) -> Service:
    service = Service.open(root)
    service.clock.pass_by(days=10_000)  # the command has the machine's clock
    service.run()
    return service


def test_it_goes_on_where_it_was(tmp_path: Path) -> None:
    game = begun()
    said = new(tmp_path / "var", "--from", str(record_of(game, tmp_path)), *SEATS)
    assert said.stdout.split() == ["1861-1"]
    service = service_of(tmp_path / "var")
    assert service.position("1861-1").told_digest() == game.told_digest()
    asked = str(game.asked()[0].player)
    for player in ("Ann", "Bob", "Cat"):
        welcome = " ".join(service.letters(player)[0].text.split())
        assert f"It was begun elsewhere: {ORDERS} orders have been carried out, and it goes on here." in welcome
    assert service.letters(asked)[-1].kind == "turn"
    built = rebuild(service.desk, "1861-1")
    assert built is not None
    assert built.differs == ""


def test_later_lots_follow_from_a_new_seed(tmp_path: Path) -> None:
    game = begun()
    assert not game.state.lots
    new(tmp_path / "var", "--from", str(record_of(game, tmp_path)), *SEATS)
    assert service_of(tmp_path / "var").position("1861-1").setup.seed != game.setup.seed


def test_lots_that_were_drawn_stay(tmp_path: Path) -> None:
    game = begun(priority=None)
    assert game.state.lots
    new(tmp_path / "var", "--from", str(record_of(game, tmp_path)), *SEATS)
    assert service_of(tmp_path / "var").position("1861-1").told_digest() == game.told_digest()


def test_persons_of_other_names_take_the_seats_in_order(tmp_path: Path) -> None:
    others = tuple(seat.replace("Ann", "Eve").replace("Bob", "Fay").replace("Cat", "Gus") for seat in SEATS)
    new(tmp_path / "var", "--from", str(record_of(begun(), tmp_path)), *others)
    service = service_of(tmp_path / "var")
    assert [service.seat("1861-1", name).person for name in ("Ann", "Bob", "Cat")] == ["Eve", "Fay", "Gus"]
    assert "2. Bob, played by Fay" in service.letters("Ann")[0].text


@pytest.mark.parametrize(
    ("orders", "seats", "why"),
    [(ORDERS, SEATS[:2], "2 persons for the seats of Ann, Bob, Cat"), (10_000, SEATS, "the game is over")],
)
def test_what_cannot_go_on_says_why(tmp_path: Path, orders: int, seats: tuple[str, ...], why: str) -> None:
    said = new(tmp_path / "var", "--from", str(record_of(begun(orders), tmp_path)), *seats)
    assert said.exit_code != 0
    assert why in said.output
    assert not service_of(tmp_path / "var").outcomes()


def test_an_order_that_a_rule_forbids_is_named(tmp_path: Path) -> None:
    path = record_of(begun(), tmp_path)
    path.write_text(path.read_text("utf-8").replace("open TSR", "open MRR", 1), "utf-8")
    said = new(tmp_path / "var", "--from", str(path), *SEATS)
    assert said.exit_code != 0
    assert "illegal" in said.output


def test_a_title_or_a_record_is_needed(tmp_path: Path) -> None:
    assert "say which title" in new(tmp_path / "var", *SEATS).output
