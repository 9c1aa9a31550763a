"""A game's history is in its journal: built anew from that alone it equals what is stored, whatever has happened."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlmodel import col, select
from typer.testing import CliRunner

from engine.robots import sensible
from moderator.adapters.tables import EntryRow, GameRow, MailRow, SnapshotRow
from moderator.entrypoints import cli
from moderator.entrypoints.robot_player import as_text, orders_of_turn
from moderator.service.decision import resumption
from moderator.service.operation.retention import sweep_bodies
from moderator.service.play.deadlines import sweep_deadlines
from moderator.service.play.journal.rebuild import Rebuilt, rebuild
from moderator.service.play.masters import master, pauses
from moderator.service.play.undo import undo
from tests.kit.service.mail_service import Service

PLAYERS = ("Ann", "Bob", "Cat")


def answer(service: Service, name: str) -> None:
    """One mail of a robot."""
    game = service.position(name)
    player = game.asked()[0].player
    service.say(player, as_text(game, orders_of_turn(game, player, sensible)))


def take_back(service: Service, name: str, number: int) -> None:
    orders = len(service.position(name).orders)
    if orders:
        undo(service.desk, name, number % orders, "a mistake")


def keep_for_later(service: Service, name: str, number: int) -> None:
    """Orders ahead, of which some are used and some lapse."""
    player = PLAYERS[number % len(PLAYERS)]
    service.say(player, ("pass", "limit 40 on TSR", "limit 60")[number % 3])


def adjourn(service: Service, name: str, number: int) -> None:
    pauses.pause(service.desk, name, "holidays")
    service.run()
    resumption.resume(service.desk, name)


def wait(service: Service, name: str, number: int) -> None:
    """Deadlines end, and old mails lose their text."""
    service.clock.pass_by(days=40)
    sweep_deadlines(service.desk)
    while sweep_bodies(service.desk):
        pass
    service.run()


def mails(service: Service, name: str, number: int) -> None:
    for _ in range(1 + number % 3):
        answer(service, name)


def tell_all(service: Service, name: str, number: int) -> None:
    master.say(service.desk, name, "Good luck.")


DEEDS: dict[str, Callable[[Service, str, int], None]] = {
    "mails": mails,
    "undo": take_back,
    "ahead": keep_for_later,
    "adjourn": adjourn,
    "wait": wait,
    "say": tell_all,
}


def built(service: Service, name: str) -> Rebuilt:
    found = rebuild(service.desk, name)
    assert found is not None
    return found


@settings(max_examples=4)
@given(st.lists(st.tuples(st.sampled_from(sorted(DEEDS)), st.integers(0, 50)), min_size=4, max_size=10))
def test_whatever_has_happened_the_journal_leads_to_what_is_stored(
    tmp_path_factory: pytest.TempPathFactory, deeds: list[tuple[str, int]]
) -> None:
    service = Service.open(tmp_path_factory.mktemp("game"))
    name = service.game("1861", PLAYERS)
    for deed, number in deeds:
        DEEDS[deed](service, name, number)
    found = built(service, name)
    assert not found.differs
    assert found.orders == len(service.position(name).orders)
    assert found.entries == len(service.log(name))


def a_game(service: Service) -> str:
    """A game with mails of robots, orders ahead, an undo and an adjournment."""
    name = service.game("1861", PLAYERS)
    chance = random.Random(1)
    for deed in ("mails", "ahead", "mails", "undo", "mails", "adjourn", "mails"):
        DEEDS[deed](service, name, chance.randrange(50))
    return name


def railpost(service: Service, *words: str, status: int = 0) -> str:
    result = CliRunner().invoke(cli.app, ["--data", str(service.root), *words])
    assert result.exit_code == status, result.output
    return result.output


def test_it_is_equal_when_a_seat_was_given_away_and_the_texts_of_mails_have_gone(tmp_path: Path) -> None:
    service, name = Service.made(tmp_path, a_game), "1861-1"
    railpost(service, "seat", "give", name, "Bob", "Fay <fay@players.example>")
    with service.session() as session:
        for row in session.exec(select(MailRow)).all():
            row.content, row.emptied_at = b"", service.clock.now()
            session.add(row)
        session.commit()
    found = built(service, name)
    assert not found.differs and found.mails == found.emptied > 3
    said = railpost(service, "archive", "rebuild", name)
    assert said.startswith(f"{name}: equal: {found.entries} entries") and "of" in said and "was deleted" in said


def test_a_game_that_is_not_there_is_said(tmp_path: Path) -> None:
    service = Service.open(tmp_path)
    service.game("1861", PLAYERS)
    assert rebuild(service.desk, "1861-99") is None
    assert "no game" in railpost(service, "archive", "rebuild", "1861-99", status=1)


def _another_order(session: object, entries: list[EntryRow]) -> str:
    last = next(entry for entry in reversed(entries) if entry.kind == "order")
    last.text = "Ann: bid 999"
    return last.text


def _another_digest(session: object, entries: list[EntryRow]) -> str:
    entries[2].digest = entries[2].digest[:-4] + "0000"
    return "another position than players were told"


def _no_mail(session: object, entries: list[EntryRow]) -> str:
    entries[0].mail = None
    return "entry 1, "


def _a_missing_entry(session: object, entries: list[EntryRow]) -> str:
    entries[1].kind = "say"
    return "the journal leads to 1 order, the entry says 2"


def _undone_beyond(session: object, entries: list[EntryRow]) -> str:
    gone_back = next(entry for entry in entries if entry.kind == "undo")
    gone_back.orders = 900
    return "there is no position after 900 orders"


@pytest.mark.parametrize("spoil", [_another_order, _another_digest, _no_mail, _a_missing_entry, _undone_beyond])
def test_the_entry_at_which_they_differ_is_named(
    tmp_path: Path, spoil: Callable[[object, list[EntryRow]], str]
) -> None:
    service, name = Service.made(tmp_path, a_game), "1861-1"
    with service.session() as session:
        entries = list(session.exec(select(EntryRow).where(EntryRow.game == name).order_by(col(EntryRow.at))).all())
        said = spoil(session, entries)
        session.commit()
    assert said in built(service, name).differs
    assert railpost(service, "archive", "rebuild", name, status=1).startswith(f"{name}: NO: entry ")


def test_what_is_stored_beside_the_journal_is_not_used(tmp_path: Path) -> None:
    """Without snapshots and stored events it is equal; a row that is at another place is found."""
    service, name = Service.made(tmp_path, a_game), "1861-1"
    with service.session() as session:
        for snapshot in session.exec(select(SnapshotRow)).all():
            session.delete(snapshot)
        for entry in session.exec(select(EntryRow)).all():
            entry.events = None
        session.commit()
    assert not built(service, name).differs
    with service.session() as session:
        session.get_one(GameRow, name).orders += 1
        session.commit()
    assert "the game is at" in built(service, name).differs


def test_a_game_with_sealed_orders_is_rebuilt(tmp_path: Path) -> None:
    """The stored part of a sealed order has no contents; the log has them once they are opened."""
    service = Service.open(tmp_path)
    game = service.game("1841")
    for player, bid in zip(PLAYERS, ("bids 41 on Bayard", "bids none", "bids none"), strict=True):
        service.say(player, bid)
    found = rebuild(service.desk, game)
    assert found is not None and (found.orders, found.differs) == (3, "")


def test_orders_given_ahead_that_answer_a_default_need_no_mail_of_that_moment(tmp_path: Path) -> None:
    """The order before them came from no mail: the rules gave it for a player who was late."""
    service = Service.open(tmp_path)
    name = service.ready_game("1861", PLAYERS, deadline_hours=24, clock=[("late", "default"), ("grace", "12")])
    first = service.position(name).asked()[0].player
    second = next(player for player in PLAYERS if player != first)
    service.say(second, "plan BSS 60, TSR 40; limit 45 on MYR")
    service.clock.pass_by(days=4)
    for _ in range(12):
        sweep_deadlines(service.desk)
        service.run()
        service.clock.pass_by(hours=12)
    with service.session() as session:
        found = session.exec(select(EntryRow.origin, EntryRow.mail).where(EntryRow.kind == "order")).all()
    assert ("standing", None) in found or ("limit", None) in found
    rebuilt = rebuild(service.desk, name)
    assert rebuilt is not None and not rebuilt.differs, rebuilt
