"""The program is changed under games that are under way: what was told stands, and no upgrade is silent."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from sqlmodel import select
from typer.testing import CliRunner, Result

import engine
from engine import Game
from engine.core.ids import PrivateId
from engine.core.storage import snapshot as snapshot_form
from engine.titles.changelog import Change as Line
from moderator.adapters.tables import DeadlineRow, EntryRow, SnapshotRow
from moderator.domain.records.adopted_position import read_adopted
from moderator.domain.records.record import read_record
from moderator.entrypoints import cli
from moderator.service.games import LoadTitle, default_titles
from moderator.service.operation.health import findings
from moderator.service.operation.restoration import Replaced, go_on
from moderator.service.operation.verification import accept, replay_all
from moderator.service.play.deadlines import sweep_deadlines
from moderator.service.play.holds import adopt
from moderator.service.play.journal.export import export_record
from moderator.service.play.undo import undo
from moderator.service.table import seats
from tests.kit.samples import sampled
from tests.kit.service.mail_service import Service
from tests.kit.service.upgrades import (
    Change,
    as_before_digests,
    as_of_another_form,
    changed,
    dearer,
    entries,
    other_facts,
    other_order_of_checks,
    play_on,
    row_of,
    snapshots,
    stricter,
    sweep,
    upgraded,
)  # fmt: skip

TITLES = pytest.mark.parametrize("title", sampled(("1861", "1844", "1841", "1863"), ("1841",)))
OPEN_BIDS = {"1841": {"concessions": "open"}}
"""So that every order of the game counts at once; sealed ones have a test of their own."""
ORDERS = 12


def begun(
    root: Path, title: str, mails: int = ORDERS, deadline_hours: int | None = None, load: LoadTitle = default_titles
) -> tuple[Service, str]:
    if load is default_titles:
        return Service.made(root, _played(title, mails, deadline_hours)), f"{title}-1"
    service = Service.open(root, load)
    _played(title, mails, deadline_hours)(service)
    return service, f"{title}-1"


@cache
def _played(title: str, mails: int, deadline_hours: int | None) -> Callable[[Service], None]:
    """Begins a game and plays so many mails of it."""

    def play(service: Service) -> None:
        game = service.game(title, options=OPEN_BIDS.get(title), deadline_hours=deadline_hours)
        play_on(service, game, mails)

    return play


def finding(service: Service, key: str) -> object:
    found = next(one for one in findings(service.desk, "0") if one.key == key)
    return found.state, found.facts.get("games")


def faults(service: Service) -> list[str]:
    return [found.fault for found in replay_all(service.desk.database, service.desk.games)]


def to_operator(service: Service) -> str:
    return "\n".join(letter.text for letter in service.mailbox("master@example.net"))


def asked(service: Service, game: str) -> str:
    return str(service.position(game).asked()[0].player)


# ---- held, told, adopted, replayed -----------------------------------------------------------------------------------


@TITLES
@pytest.mark.parametrize(
    ("change", "order", "why"),
    [(other_facts, 0, "now"), (stricter, 2, "must be a multiple of"), (dearer, 1, "cash of Ann")],
    ids=["other facts", "an order is refused", "an order leads elsewhere"],
)
@pytest.mark.fault(92)
def test_a_game_whose_past_is_not_as_it_was_told_waits_until_the_operator_adopts_it(
    tmp_path: Path, title: str, change: Change, order: int, why: str
) -> None:
    service, game = begun(tmp_path, title)
    told, log = service.position(game), service.log(game)
    service = upgraded(service, changed(change))
    assert finding(service, "rules") == ("look", (game,))
    player = asked(service, game)
    before = len(service.letters("Bob"))

    answer = service.say(player, "drop")
    assert answer is not None
    assert "nothing is lost" in answer.text
    assert service.outcomes()[-1] == "waits"
    sweep(service)
    assert row_of(service, game).status == "held"
    assert row_of(service, game).hold is not None
    assert row_of(service, game).hold["order"] == order  # type: ignore[index]
    assert service.log(game) == log
    assert finding(service, "held") == ("red", (game,))
    (letter,) = [one for one in service.letters("Bob")[before:] if "waits" in one.subject and one.kind == "notice"]
    for text in (letter.text, to_operator(service)):
        assert " ".join(why.split()) in " ".join(text.split())
        assert f"order {order}" in text.lower() or "the start" in text.lower()
    assert faults(service) != [""]
    sweep(service)
    waits = [one for one in service.letters("Bob")[before:] if "the game waits" in one.subject and one.kind == "notice"]
    assert len(waits) == 1, "told once"

    adopt(service.desk, game)
    service.run()
    assert row_of(service, game).status == "running"
    assert service.position(game).state == told.state, "the position that was told"
    assert faults(service) == [""], "a replay begins at the adopted position"
    assert [one for one in service.letters("Bob")[before:] if "goes on" in one.subject]
    adopted = next(entry for entry in entries(service, game) if entry.kind == "adopt")
    assert adopted.position is not None
    assert read_adopted(adopted.position).told["cash"] == engine.core.description.told(told.title, told.state)["cash"]
    play_on(service, game, 3)

    again = upgraded(service, changed(change))
    assert again.position(game).orders == service.position(game).orders
    assert again.position(game).told_digest() == service.position(game).told_digest()
    assert faults(again) == [""]
    assert finding(again, "held") == ("green", ())


@TITLES
def test_a_change_that_leads_nowhere_else_holds_no_game(tmp_path: Path, title: str) -> None:
    service, game = begun(tmp_path, title)
    service = upgraded(service, changed(other_order_of_checks))
    play_on(service, game, 2)
    assert row_of(service, game).fingerprint == "changed"
    assert row_of(service, game).status == "running"
    assert faults(service) == [""]
    (noted,) = [entry for entry in entries(service, game) if entry.kind == "rules"]
    assert noted.text == f"{engine.load_title(title).rules_version} changed"
    sweep(service)
    assert to_operator(service) == ""


@TITLES
def test_back_with_the_program_of_before_the_game_goes_on(tmp_path: Path, title: str) -> None:
    service, game = begun(tmp_path, title)
    service = upgraded(service, changed(dearer))
    sweep(service)
    assert row_of(service, game).status == "held"
    service = upgraded(service)
    sweep(service)
    assert row_of(service, game).status == "running"
    assert "goes on" in service.letters("Ann")[-1].subject or "goes on" in service.letters("Ann")[-2].subject
    play_on(service, game, 2)
    assert faults(service) == [""]


def test_deadlines_stand_still_while_a_game_waits_and_begin_anew_when_it_goes_on(tmp_path: Path) -> None:
    service, game = begun(tmp_path, "1861", deadline_hours=24)
    service = upgraded(service, changed(dearer))
    service.clock.pass_by(hours=30)
    assert sweep_deadlines(service.desk) == 1, "this is how it comes out"
    assert row_of(service, game).status == "held"
    service.clock.pass_by(hours=30)
    assert sweep_deadlines(service.desk) == 0
    sweep(service)
    adopt(service.desk, game)
    service.run()
    with service.desk.database.reading() as session:
        due = session.exec(select(DeadlineRow).where(DeadlineRow.state == "open")).one()
    assert (due.due_at - service.clock.now()).total_seconds() == 24 * 3600


def test_a_game_that_does_not_wait_cannot_be_adopted(tmp_path: Path) -> None:
    service, game = begun(tmp_path, "1861", 2)
    with pytest.raises(ValueError, match="is not on hold"):
        adopt(service.desk, game)
    with pytest.raises(ValueError, match="there is no game"):
        adopt(service.desk, "1861-9")


def test_a_game_of_which_nothing_can_be_read_waits_for_the_program_of_before(tmp_path: Path) -> None:
    service, game = begun(tmp_path, "1861")
    told = service.position(game).state
    as_of_another_form(service)
    with service.desk.database.transaction() as session:
        for entry in session.exec(select(EntryRow)).all():
            entry.events = b"of another form"
    service = upgraded(service, changed(dearer))
    sweep(service)
    assert row_of(service, game).status == "held"
    assert "Go back to the previous program" in to_operator(service)
    with pytest.raises(ValueError, match="no stored position"):
        adopt(service.desk, game)
    service = upgraded(service)
    sweep(service)
    assert row_of(service, game).status == "running"
    assert service.position(game).state == told


def test_a_game_that_waits_waits_after_a_restore_too_and_gets_a_new_decision(tmp_path: Path) -> None:
    service, game = begun(tmp_path, "1861", 3)
    service = upgraded(service, changed(dearer))
    sweep(service)
    before = row_of(service, game).at
    assert go_on(service.desk, Replaced(service.clock.now(), 0, (), (), ())) == 1
    assert row_of(service, game).at > before + 900
    assert row_of(service, game).status == "held"


def test_a_game_of_a_title_that_is_gone_holds_up_no_sweep(tmp_path: Path) -> None:
    service, game = begun(tmp_path, "1861", 3)

    def gone(title: str, edition: str, options: object) -> engine.Title:
        raise ValueError(f"no title {title!r}")

    service = upgraded(service, gone)
    sweep(service)
    sweep(service)
    assert to_operator(service).count("no title '1861'") == 1
    assert finding(service, "games") == ("red", (game,))
    service = upgraded(service)
    sweep(service)
    assert finding(service, "games") == ("green", ())
    play_on(service, game, 1)


@pytest.mark.parametrize("held", [False, True], ids=["the same rules", "other facts"])
def test_orders_that_are_sealed_stay_so_under_another_program_and_are_opened_by_it(tmp_path: Path, held: bool) -> None:
    service = Service.open(tmp_path)
    game = service.game("1841")
    service.say("Ann", "bids 70 on C-SFTG")
    service.say("Bob", "bids 90 on C-SFTG")
    service = upgraded(service, changed(other_facts if held else other_order_of_checks))
    sweep(service)
    assert (row_of(service, game).status == "held") is held
    if held:
        adopt(service.desk, game)
        service.run()
    service.say("Cat", "bids none")
    assert service.position(game).state.privates[PrivateId("C-SFTG")] == "Bob"
    assert faults(service) == [""]


# ---- undo ------------------------------------------------------------------------------------------------------------


def test_undo_to_before_the_order_that_departs_lets_the_game_go_on(tmp_path: Path) -> None:
    service, game = begun(tmp_path, "1861")
    service = upgraded(service, changed(stricter))
    sweep(service)
    assert row_of(service, game).status == "held"
    undo(service.desk, game, 3)
    sweep(service)
    assert row_of(service, game).status == "held", "order 2 is still in the log"
    undo(service.desk, game, 1)
    service.run()
    assert row_of(service, game).status == "running"
    assert faults(service) == [""]
    service.say("Bob", "bid 30")
    assert service.outcomes()[-1] == "applied"


def test_undo_to_before_an_adopted_position_keeps_what_was_told(tmp_path: Path) -> None:
    service, game = begun(tmp_path, "1861")
    told = service.position(game).at(6)
    service = upgraded(service, changed(dearer))
    sweep(service)
    adopt(service.desk, game)
    service.run()
    play_on(service, game, 2)
    undo(service.desk, game, 6)
    service.run()
    assert service.position(game).state == told
    assert faults(service) == [""]
    play_on(service, game, 2)
    assert faults(upgraded(service, changed(dearer))) == [""]


# ---- a version of the rules ------------------------------------------------------------------------------------------


def test_a_new_version_of_the_rules_is_told_once_to_everybody_and_stands_in_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    service, game = begun(tmp_path, "1861", 3)
    finished = service.game("1861", ("Dan", "Eve", "Fay"))
    now = engine.load_title("1861").rules_version
    new = now + 1
    lines = (Line(now, "2026-01-01", "as first published", False), Line(new, "2026-03-01", "a bid is a bid", True))
    monkeypatch.setattr(seats, "changes", lambda name: lines)
    service = upgraded(service, changed(lambda title: replace(title, rules_version=new), "two"))
    before = {player: len(service.letters(player)) for player in ("Ann", "Bob", "Cat")}
    play_on(service, game, 6)
    for player, count in before.items():
        texts = [letter.text for letter in service.letters(player)[count:]]
        assert sum("From now on a bid is a bid." in text for text in texts) == 1, player
        assert all("as first published" not in text for text in texts)
    entry = next(entry for entry in entries(service, game) if entry.kind == "rules")
    assert (entry.text, entry.orders, entry.origin) == (f"{new} two", 3, "upgrade")
    text = export_record(service.desk, game)
    assert text is not None
    assert f'[Rules "{now}; {new} after order 3"]' in text
    assert row_of(service, finished).rules == now, "its log has not been looked at yet"
    sweep(service)
    assert row_of(service, finished).rules == new


# ---- what is stored --------------------------------------------------------------------------------------------------


def forbid_deciding(monkeypatch: pytest.MonkeyPatch) -> None:
    def submit(self: Game, order: object) -> None:
        raise AssertionError("it was decided again")

    monkeypatch.setattr(Game, "submit", submit)
    monkeypatch.setattr(Game, "_again", submit)


@TITLES
def test_a_game_is_brought_back_without_deciding_anything(
    tmp_path: Path, title: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    service, game = begun(tmp_path, title, 30)
    told = service.position(game)
    assert len(snapshots(service, game)) > 1
    again = upgraded(service)
    forbid_deciding(monkeypatch)
    found = again.position(game)
    assert found.state == told.state
    assert found.orders == told.orders
    for number in range(len(told.orders)):
        assert found.at(number) == told.at(number)
    assert [what for *_, what in found.happened(0)] == [what for *_, what in told.happened(0)]
    with again.desk.database.reading() as session:
        row = row_of(again, game)
        for at in (1, 2, 9, row.at - 1, row.at):
            assert again.desk.games.position(session, row, at).state == told.at(at - 1)


def test_positions_of_what_was_undone_can_still_be_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    service, game = begun(tmp_path, "1861", 28)
    count = len(service.position(game).orders)
    told = service.position(game)
    undo(service.desk, game, 20)
    service.run()
    play_on(service, game, 3)
    again = upgraded(service)
    forbid_deciding(monkeypatch)
    with again.desk.database.reading() as session:
        row = row_of(again, game)
        assert again.desk.games.position(session, row, count + 1).state == told.state
        assert again.desk.games.position(session, row, count + 2).state == told.at(20)
    assert again.position(game).state == service.position(game).state


@pytest.mark.usefixtures("each_database")
def test_another_service_takes_over_what_was_stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = Service.open(tmp_path)
    game = one.game("1861")
    play_on(one, game, 3)
    other = Service.open(tmp_path)
    assert other.position(game).orders == one.position(game).orders
    play_on(one, game, 3)
    forbid_deciding(monkeypatch)
    assert other.position(game).orders == one.position(game).orders
    assert other.position(game).state == one.position(game).state


@TITLES
def test_snapshots_of_another_form_are_left_alone_and_the_log_is_played(tmp_path: Path, title: str) -> None:
    service, game = begun(tmp_path, title, 30)
    told = service.position(game).state
    as_of_another_form(service)
    again = upgraded(service)
    assert again.position(game).state == told
    assert faults(again) == [""]
    assert next(replay_all(again.desk.database, again.desk.games)).unread == len(snapshots(again, game))
    play_on(again, game, 1)


@TITLES
def test_with_other_rules_and_another_form_at_once_what_was_told_is_still_known(tmp_path: Path, title: str) -> None:
    service, game = begun(tmp_path, title, 30)
    told = service.position(game).state
    as_of_another_form(service)
    service = upgraded(service, changed(dearer))
    sweep(service)
    assert row_of(service, game).status == "held"
    assert "cash of Ann" in to_operator(service)
    adopt(service.desk, game)
    service.run()
    assert service.position(game).state == told
    play_on(service, game, 2)
    assert faults(upgraded(service, changed(dearer))) == [""]


@TITLES
def test_games_begun_before_get_their_digests_at_the_first_load_and_the_operator_is_told(
    tmp_path: Path, title: str
) -> None:
    service, game = begun(tmp_path, title, 30)
    was = [(entry.digest, entry.events) for entry in entries(service, game)]
    kept = [(row.at, row.orders, row.digest) for row in snapshots(service, game)]
    as_before_digests(service)
    service = upgraded(service)
    sweep(service)
    assert [(entry.digest, entry.events) for entry in entries(service, game)] == was
    assert [(row.at, row.orders, row.digest) for row in snapshots(service, game)] == kept
    assert game in to_operator(service)
    assert faults(service) == [""]
    sweep(service)
    assert to_operator(service).count(game) == 1
    play_on(service, game, 1)
    as_before_digests(service)  # a mail may come before the first sweep
    service = upgraded(service)
    play_on(service, game, 1)
    assert all(entry.digest for entry in entries(service, game))


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        ("snapshot", "the snapshot after order 25 does not agree"),
        ("events", "what is stored of order 25 leads elsewhere"),
        ("digest", "does not lead to the position that players were told"),
    ],
)
def test_what_does_not_agree_with_the_log_is_found(tmp_path: Path, spoil: str, said: str) -> None:
    service, game = begun(tmp_path, "1861", 30)
    told = service.position(game)
    with service.desk.database.transaction() as session:
        snapshot = session.get(SnapshotRow, (game, 26))
        entry = session.exec(select(EntryRow).where(EntryRow.at == 25)).one()
        assert snapshot is not None
        if spoil == "snapshot":
            snapshot.data = snapshot_form.write_state(told.title, told.at(3))
        elif spoil == "events":
            entry.events = snapshot_form.write_events(told.title, told.events(24))
        else:
            entry.digest = "1:" + "0" * 64
    assert any(said in fault for fault in faults(service)), faults(service)
    again = upgraded(service)
    assert again.position(game).state == told.state, "the log stays the truth"
    if spoil != "events":
        sweep(again)
        assert finding(again, "snapshots") == ("look", (game,))


# ---- the operator ----------------------------------------------------------------------------------------------------


def railpost(service: Service, *arguments: str) -> Result:
    return CliRunner().invoke(cli.app, ["--data", str(service.root), *arguments], catch_exceptions=False)


def test_the_commands_name_where_a_game_departs_and_let_it_go_on(tmp_path: Path) -> None:
    """The program of before is the changed one here, so that the commands are the new one."""
    service = Service.open(tmp_path, changed(other_facts))
    game = service.game("1861")
    play_on(service, game, 4)
    found = railpost(service, "record", "verify", "--database", "--accept")
    assert found.exit_code == 1
    assert "the position before the first order does not lead to the position that players were told" in found.output
    assert "cash of Ann: 430, now 420" in found.output
    assert row_of(service, game).status == "held"
    assert "held" in railpost(service, "game", "list").output
    assert railpost(service, "health").output.count(game) >= 1
    result = railpost(service, "game", "adopt", game)
    assert result.exit_code == 0, result.output
    assert "kept as players were told: cash of Ann: 430, now 420" in result.output
    assert railpost(service, "record", "verify", "--database").exit_code == 0
    assert railpost(service, "game", "adopt", game).exit_code == 1
    assert "counts as players were told it" in railpost(service, "game", "log", game).output


def test_a_replay_that_was_accepted_is_not_done_again(tmp_path: Path) -> None:
    service, game = begun(tmp_path, "1861", 3)
    assert not accept(service.desk, game)
    service = upgraded(service, changed(other_order_of_checks))
    assert accept(service.desk, game)
    assert not accept(service.desk, game)


# ---- records ---------------------------------------------------------------------------------------------------------


def verified(service: Service, text: str) -> Result:
    path = service.root / "record.txt"
    path.write_text(text, encoding="utf-8")
    return railpost(service, "record", "verify", str(path))


LATER = engine.load_title("1861").rules_version + 1


def later(title: engine.Title) -> engine.Title:
    """The title in a version of the rules that is not known here."""
    return replace(title, rules_version=LATER)


def record_of(service: Service, game: str) -> str:
    """Its record without the commitment of its seed, so that it is verified as one of a finished game is."""
    text = export_record(service.desk, game)
    assert text is not None
    return "\n".join(line for line in text.splitlines() if not line.startswith("[Commitment"))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (dearer, "order 1, Ann: open TSR 20, no longer leads where it did.\n"),
        (
            lambda title: later(dearer(title)),
            f"no longer leads where it did. It was played by version {LATER} of the rules, and this",
        ),
    ],
)
def test_a_record_of_other_rules_says_at_which_order_it_departs_and_why(
    tmp_path: Path, change: Callable[[engine.Title], engine.Title], said: str
) -> None:
    service = Service.open(tmp_path, changed(change))
    game = service.game("1861")
    play_on(service, game, 4)
    found = verified(service, record_of(service, game))
    assert found.exit_code == 1
    assert said in found.output


def test_what_other_rules_allowed_is_refused_in_whole_sentences(tmp_path: Path) -> None:
    service = Service.open(tmp_path, changed(later))
    game = service.game("1861")
    play_on(service, game, 1)
    record = record_of(service, game)
    assert "Ann: open TSR 20" in record
    found = verified(service, record.replace("Ann: open TSR 20", "Ann: open TSR 10"))
    assert found.exit_code == 1
    assert "order 1, Ann: open TSR 10, is illegal: " in found.output
    assert f"§9.2). It was played by version {LATER} of the rules, and this is version" in found.output


@TITLES
def test_a_record_begins_again_at_the_position_that_was_adopted(tmp_path: Path, title: str) -> None:
    service, game = begun(tmp_path, title, 6, load=changed(dearer))
    service = upgraded(service)
    sweep(service)
    adopt(service.desk, game)
    service.run()
    play_on(service, game, 4)
    text = record_of(service, game)
    assert "[Adopted." in text
    found = verified(service, text)
    assert found.exit_code == 0, found.output
    record = read_record(text)
    assert len(record.past.digests) == len(record.orders)
    broken = text.replace("[Adopted.", "[Adopted.9")
    assert verified(service, broken).exit_code == 2
