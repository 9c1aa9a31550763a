"""A game that was begun with an option which this version does not play any more: it waits, everybody is told, and the
operator may let it go on by the decision."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from sqlmodel import select
from typer.testing import CliRunner

import engine
from moderator.adapters.tables import GameRow
from moderator.domain.records.record import RecordError, read_record, replay, write_record
from moderator.entrypoints import cli
from moderator.service.operation.verification import replay_all
from moderator.service.play.holds import adopt
from tests.kit.service.mail_service import Service
from tests.kit.service.upgrades import as_of_another_form, play_on, row_of, sweep, upgraded

GONE = "sell_unoperated is no option of 1863 any more: 'yes' is played always; Railpost 0.1.0 plays 'no'"


def begun_before(root: Path, options: Mapping[str, str]) -> tuple[Service, str]:
    """A game as an older version has stored it: with its rules, and an option that was withdrawn."""
    service = Service.open(root)
    game = service.game("1863")
    play_on(service, game, 6)
    with service.desk.database.transaction() as session:
        row = session.exec(select(GameRow)).one()
        row.options, row.fingerprint = {**row.options, **options}, "of before"
    return upgraded(service), game


def to_operator(service: Service) -> str:
    return " ".join("\n".join(letter.text for letter in service.mailbox("master@example.net")).split())


def test_with_the_decision_the_game_goes_on(tmp_path: Path) -> None:
    service, game = begun_before(tmp_path, {"sell_unoperated": "yes"})
    sweep(service)
    assert row_of(service, game).status == "running"
    play_on(service, game, 2)
    assert [found.fault for found in replay_all(service.desk.database, service.desk.games)] == [""]


@pytest.mark.fault(92)
def test_with_another_value_it_is_held_and_everybody_knows_why(tmp_path: Path) -> None:
    service, game = begun_before(tmp_path, {"sell_unoperated": "no"})
    before = service.log(game)
    player = str(service.position(game).asked()[0].player)
    service.say(player, "pass")
    assert service.outcomes()[-1] == "waits"
    sweep(service)
    assert row_of(service, game).status == "held" and service.log(game) == before
    (told,) = [one for one in service.letters("Bob") if "the game waits" in one.subject and one.kind == "notice"]
    for text in (" ".join(told.text.split()), to_operator(service)):
        assert GONE in text
    (found,) = replay_all(service.desk.database, service.desk.games)
    assert found.held and GONE in found.fault
    shown = CliRunner().invoke(
        cli.app, ["--data", str(tmp_path), "record", "verify", "--database"], env={"RAILPOST_DOMAIN": "example.org"}
    )
    assert shown.exit_code == 1 and GONE in " ".join(shown.output.split())


@pytest.mark.parametrize("readable", [True, False])
def test_the_operator_lets_it_go_on_by_the_decision(tmp_path: Path, readable: bool) -> None:
    """Also where no snapshot can be read: the position that was told follows from the stored events."""
    service, game = begun_before(tmp_path, {"sell_unoperated": "no"})
    if not readable:
        as_of_another_form(service)
    sweep(service)
    told = service.position(game).told_digest()
    adopt(service.desk, game)
    service.run()
    row = row_of(service, game)
    assert row.status == "running" and row.hold is None
    assert row.options == engine.load_title("1863").options
    assert service.position(game).told_digest() == told
    play_on(service, game, 2)
    sweep(service)
    assert row_of(service, game).status == "running"
    again = upgraded(service)
    sweep(again)
    assert row_of(again, game).status == "running"


def test_a_record_with_the_decision_is_read_and_another_stops_at_its_line() -> None:
    game = engine.Game.start(engine.load_title("1844"), engine.Setup(("Ann", "Bob", "Cat"), "s", "Ann"))
    text = write_record(game, {})
    named = text.replace("[Option.", '[Option.duty_after_scrapping "kept"]\n[Option.', 1)
    assert replay(read_record(named)).game.told_digest() == game.told_digest()
    with pytest.raises(RecordError) as stopped:
        read_record(named.replace('"kept"', '"suspended"'), "old.txt")
    (fault,) = stopped.value.faults
    line = named.splitlines().index('[Option.duty_after_scrapping "kept"]') + 1
    assert str(stopped.value) == f"old.txt:{line}:1: {fault.reason}"
    assert fault.reason == (
        "duty_after_scrapping is no option of 1844 any more: 'kept' is played always; Railpost 0.1.0 plays 'suspended'"
    )


def test_record_verify_says_which_version_plays_it(tmp_path: Path) -> None:
    game = engine.Game.start(engine.load_title("1844"), engine.Setup(("Ann", "Bob", "Cat"), "s", "Ann"))
    path = tmp_path / "old.txt"
    path.write_text(
        write_record(game, {}).replace("[Option.", '[Option.duty_after_scrapping "suspended"]\n[Option.', 1)
    )
    shown = CliRunner().invoke(cli.app, ["record", "verify", str(path)])
    assert shown.exit_code == 2 and "Railpost 0.1.0 plays 'suspended'" in " ".join(shown.output.split())
