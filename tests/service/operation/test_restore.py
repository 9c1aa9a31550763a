"""Facts that outlive a restore: whose a seat is, where its mail goes, and that no older secret address counts.

Everything is done by commands and mails, on SQLite and PostgreSQL; with the database that is replaced, without it and
with the journal beside it, and without both.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlmodel import col, select
from typer.testing import CliRunner

from moderator.adapters.database import Database
from moderator.adapters.tables import OutboxRow, PendingRow, SeatRow, SeatToken
from moderator.entrypoints import cli
from moderator.service.people.address_change import sweep_pending
from moderator.service.service_facts import recall, remember
from moderator.service.table.seats import WENT_BACK
from tests.kit.postgres import Postgres
from tests.kit.samples import sampled
from tests.kit.service.mail_service import Service
from tests.kit.service.restoration import (
    JOURNAL,
    agree,
    aliases,
    go_back,
    newest,
    orders,
    railpost,
    tokens,
    write,
)  # fmt: skip

pytestmark = [pytest.mark.fault(91), pytest.mark.usefixtures("each_database")]

OTHER = "ann@holiday.example"
KEPT = ("the old database", "the journal")
"""The sources at hand for a restore."""
BY_JOURNAL = pytest.mark.parametrize("kept", sampled(KEPT, KEPT[1:]))
"""The rule is the same for both: half of the tests go back by the one, half by the other, and all by both in the
proofs."""
BY_DATABASE = pytest.mark.parametrize("kept", sampled(KEPT, KEPT[:1]))


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Service:
    monkeypatch.setenv("RAILPOST_DOMAIN", "example.org")  # for the commands
    monkeypatch.setenv("RAILPOST_OPERATOR", "master@example.net")
    (tmp_path / "var").mkdir()
    return Service.open(tmp_path / "var")


@pytest.fixture
def game(service: Service) -> str:
    """Ann has opened an auction; Bob is asked."""
    game = service.ready_game(deadline_hours=48)
    service.say("Ann", "open TSR 25")
    return game


@pytest.fixture
def copy(service: Service, game: str, tmp_path: Path) -> Path:
    """Made when everybody had been written to."""
    railpost(service, "backup", str(tmp_path / "one.db"))
    return tmp_path / "one.db"


# ---- secret addresses


@pytest.mark.parametrize("kept", sampled((*KEPT, "nothing"), ("the journal", "nothing")))
def test_every_secret_address_is_renewed_and_older_ones_change_nothing(
    service: Service, game: str, copy: Path, kept: str
) -> None:
    before = tokens(service)
    old = service.address("Bob")
    service.say("Bob", "bid 30")  # this is lost, and so is the address that Bob gets with the answer
    lost = service.address("Bob")
    assert lost != old
    go_back(service, copy, kept)
    at, log = service.at(game), orders(service, game)
    for address in (old, lost):
        for text in (
            "bid 90",
            f"BEGIN {game} at {at}\nbid 90\nEND",
            "withdraw",
            "notify all",
            "press all\nhello\nend press",
        ):
            count = len(service.letters("Bob"))
            service.clock.pass_by(hours=2)
            write(service, text, address, "bob@players.example")
            answers = service.letters("Bob")[count:]
            assert [letter.kind for letter in answers] == ["transcript"], (address == lost, text)
            assert "restored from a copy" in " ".join(answers[0].text.split())
            assert answers[0].reply_to.split(".")[2].partition("@")[0] not in before
    assert (orders(service, game), service.at(game)) == (log, at)
    assert service.seat(game, "Bob").notify == "turn"
    assert all(letter.kind != "press" for letter in service.letters("Ann"))
    service.say("Bob", "bid 90")
    assert orders(service, game)[-1] == "Bob: bid 90"


def test_the_answer_to_an_older_address_goes_to_the_address_of_record(service: Service, game: str, copy: Path) -> None:
    old = service.address("Bob")
    go_back(service, copy)
    count = len(service.letters("Bob"))
    write(service, "bid 90", old, "eve@elsewhere.example")
    assert service.mailbox("eve@elsewhere.example") == []
    assert [letter.kind for letter in service.letters("Bob")[count:]] == ["transcript"]
    with service.session() as session:
        assert session.exec(select(PendingRow)).all() == [], "he is not asked whether it was his"
    assert orders(service, game) == ["Ann: open TSR 25"]


def test_an_address_that_was_never_given_out_is_answered_to_a_player_alone(
    service: Service, game: str, copy: Path
) -> None:
    go_back(service, copy, "nothing")
    made_up = f"railpost+{game}.2.{'a' * 26}@example.org"
    counts = {player: len(service.letters(player)) for player in ("Ann", "Bob", "Cat")}
    write(service, "bid 90", made_up, "eve@elsewhere.example")
    write(service, "bid 90", made_up, "cat@players.example")
    assert service.outcomes()[-2:] == ["wrong_token", "wrong_token"]
    assert len(service.letters("Bob")) == counts["Bob"]
    write(service, "bid 90", made_up, "bob@players.example")
    assert service.outcomes()[-1] == "stale"
    assert len(service.letters("Bob")) == counts["Bob"] + 1


def test_confirmations_asked_for_before_are_void_and_orders_are_not_asked_about_again(
    service: Service, game: str, copy: Path, tmp_path: Path
) -> None:
    write(service, "bid 90", service.address("Bob"), "eve@elsewhere.example")
    ask = newest(service, "bob@players.example", "notice").reply_to
    assert "+confirm." in ask
    railpost(service, "backup", str(tmp_path / "two.db"))
    go_back(service, tmp_path / "two.db")
    write(service, "yes", ask, "bob@players.example")
    assert service.outcomes()[-1] == "stale"
    assert orders(service, game) == ["Ann: open TSR 25"]


# ---- what became of seats since the copy


@BY_DATABASE
def test_what_was_revoked_stays_revoked(service: Service, game: str, copy: Path, kept: str) -> None:
    stolen = service.address("Bob")
    railpost(service, "seat", "revoke", game, "Bob")
    said = go_back(service, copy, kept)
    count = len(service.letters("Bob"))
    for sender in ("eve@elsewhere.example", "bob@players.example"):
        write(service, "bid 90\nshow position", stolen, sender)
        assert service.outcomes()[-1] == "wrong_token"
    assert all(letter.kind == "stranger" for letter in service.letters("Bob")[count:])
    assert orders(service, game) == ["Ann: open TSR 25"]
    assert "Bob: 2 secret addresses stay revoked" in said


@BY_JOURNAL
def test_a_seat_that_was_given_away_stays_given_away(service: Service, game: str, copy: Path, kept: str) -> None:
    dan, bobs = "dan@players.example", service.address("Bob")
    railpost(service, "seat", "give", game, "Bob", f"Dan <{dan}>")
    service.run()
    dans = newest(service, dan).reply_to
    count = len(service.letters("Bob"))
    said = go_back(service, copy, kept)
    assert service.seat(game, "Bob").address == dan
    assert len(service.letters("Bob")) == count, "who has no seat any more is not written to"
    assert "Bob: given on" in said and dan in said
    write(service, "bid 90", bobs, "bob@players.example")
    assert service.outcomes()[-1] == "wrong_token"
    write(service, "bid 90", dans, dan)
    assert service.outcomes()[-1] == "stale"
    assert "restored from a copy" in " ".join(newest(service, dan).text.split())
    assert orders(service, game) == ["Ann: open TSR 25"]
    write(service, "bid 90", newest(service, dan).reply_to, dan)
    assert orders(service, game)[-1] == "Bob: bid 90"


@BY_DATABASE
def test_what_the_player_before_had_ordered_ahead_ends_with_him(
    service: Service, game: str, tmp_path: Path, kept: str
) -> None:
    service.say("Cat", "limit 60 on TSR")
    railpost(service, "backup", str(tmp_path / "two.db"))
    railpost(service, "seat", "give", game, "Cat", "Dan <dan@players.example>")
    go_back(service, tmp_path / "two.db", kept)
    assert [(player, state) for player, _, state in service.held(game)] == [("Cat", "withdrawn")]


@BY_JOURNAL
def test_a_new_address_of_record_stays(service: Service, game: str, copy: Path, kept: str) -> None:
    new, old = "bob@new.example", service.address("Bob")
    railpost(service, "seat", "address", game, "Bob", new, "--at-once")
    service.run()
    count = len(service.letters("Bob"))
    said = go_back(service, copy, kept)
    assert service.seat(game, "Bob").address == new
    assert len(service.letters("Bob")) == count, "the old address is not written to"
    assert f"Bob: mail goes to {new}" in said
    write(service, "bid 90", old, "bob@players.example")
    assert service.outcomes()[-1] == "wrong_token" and orders(service, game) == ["Ann: open TSR 25"]
    write(service, "bid 90", newest(service, new).reply_to, new)
    assert orders(service, game)[-1] == "Bob: bid 90"


@BY_DATABASE
def test_aliases_stay_as_they_were_last(service: Service, game: str, tmp_path: Path, kept: str) -> None:
    railpost(service, "seat", "alias", game, "Bob", "bob@first.example")
    service.run()
    agree(service, "bob@first.example")
    railpost(service, "backup", str(tmp_path / "two.db"))
    railpost(service, "seat", "alias", game, "Bob", "bob@first.example", "--remove")
    railpost(service, "seat", "alias", game, "Ann", OTHER)
    service.run()
    agree(service, OTHER)
    assert aliases(service) == {OTHER: "ann@players.example"}
    said = go_back(service, tmp_path / "two.db", kept)
    assert aliases(service) == {OTHER: "ann@players.example"}
    assert f"Ann: may also write from {OTHER}" in said
    assert "Bob: may not write from bob@first.example any more" in said


@BY_JOURNAL
def test_who_unsubscribed_stays_unsubscribed(service: Service, game: str, tmp_path: Path, kept: str) -> None:
    stop = str(newest(service, "bob@players.example").message["List-Unsubscribe"]).partition("<mailto:")[2]
    railpost(service, "backup", str(tmp_path / "two.db"))
    write(service, "", stop.partition("?")[0], "bob@players.example")
    assert service.seat(game, "Bob").stopped_at is not None
    count = len(service.letters("Bob"))
    said = go_back(service, tmp_path / "two.db", kept)
    assert service.seat(game, "Bob").stopped_at is not None
    assert len(service.letters("Bob")) == count
    assert "Bob: wants no more mail" in said
    service.say("Bob", "notify turn")  # to an address of before: he is answered with a new one
    service.say("Bob", "notify turn")
    assert service.seat(game, "Bob").stopped_at is None


@BY_DATABASE
def test_a_change_of_address_that_waits_is_announced_again_and_can_be_stopped(
    service: Service, game: str, tmp_path: Path, kept: str
) -> None:
    railpost(service, "seat", "address", game, "Bob", "bob@new.example")
    service.run()
    older = newest(service, "bob@players.example", "notice").reply_to
    railpost(service, "backup", str(tmp_path / "two.db"))
    service.clock.pass_by(hours=71)
    go_back(service, tmp_path / "two.db", kept)
    write(service, "no", older, "bob@players.example")
    assert service.outcomes()[-1] == "stale"
    asked = next(one for one in reversed(service.letters("Bob")) if "+confirm." in one.reply_to)
    write(service, "no", asked.reply_to, "bob@players.example")
    assert service.outcomes()[-1] == "declined"
    service.clock.pass_by(hours=200)
    sweep_pending(service.desk)
    assert service.seat(game, "Bob").address == "bob@players.example"


def test_who_may_stop_a_change_has_the_whole_time_after_mail_goes_out_again(
    service: Service, game: str, tmp_path: Path
) -> None:
    railpost(service, "seat", "address", game, "Bob", "bob@new.example")
    service.run()
    railpost(service, "backup", str(tmp_path / "two.db"))
    railpost(service, "restore", str(tmp_path / "two.db"), "--replace")
    with service.desk.sitting() as sitting:  # four days pass before the operator lets it go on
        row = sitting.session.exec(select(PendingRow).where(PendingRow.state == "confirmed")).one()
        kept = recall(sitting.session, WENT_BACK)
        assert kept is not None
        row.created_at -= timedelta(hours=96)
        row.due_at -= timedelta(hours=96)
        made = datetime.fromisoformat(kept["at"]) - timedelta(hours=96)
        remember(sitting, WENT_BACK, {**kept, "at": made.isoformat()})
    railpost(service, "outbox", "release")
    service.clock.pass_by(hours=71)
    sweep_pending(service.desk)
    assert service.seat(game, "Bob").address == "bob@players.example"
    service.clock.pass_by(hours=2)
    sweep_pending(service.desk)
    assert service.seat(game, "Bob").address == "bob@new.example"


def test_a_restore_that_was_interrupted_is_done_again(
    service: Service, game: str, copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = service.address("Bob")
    railpost(service, "seat", "address", game, "Bob", "bob@new.example")  # asked for since the copy
    service.run()

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("moderator.service.operation.restoration.go_on", killed)
        broken = CliRunner().invoke(cli.app, ["--data", str(service.root), "restore", str(copy), "--replace"])
    assert broken.exit_code != 0
    service.desk.games.forget_all()
    service.clock.moment = datetime.now(UTC)
    count = len(service.letters("Bob"))
    write(service, "bid 90", old, "bob@players.example")
    assert orders(service, game) == ["Ann: open TSR 25"], "what was given out counts no more"
    assert len(service.letters("Bob")) == count, "and nothing is sent"
    go_back(service, copy)
    asked = [letter for letter in service.letters("Bob")[count:] if "+confirm." in letter.reply_to]
    assert len(asked) == 1
    write(service, "no", asked[0].reply_to, "bob@players.example")
    assert service.outcomes()[-1] == "declined"
    service.say("Bob", "bid 90", to=newest(service, "bob@players.example", "turn").reply_to)
    assert orders(service, game)[-1] == "Bob: bid 90"


@BY_JOURNAL
def test_what_was_declined_since_the_copy_is_not_asked_again(
    service: Service, game: str, tmp_path: Path, kept: str
) -> None:
    railpost(service, "seat", "address", game, "Bob", "bob@new.example")
    service.run()
    railpost(service, "backup", str(tmp_path / "two.db"))
    write(service, "no", newest(service, "bob@players.example", "notice").reply_to, "bob@players.example")
    assert service.outcomes()[-1] == "declined"
    go_back(service, tmp_path / "two.db", kept)
    with service.session() as session:
        assert {row.state for row in session.exec(select(PendingRow)).all()} <= {"lapsed", "refused"}


def test_without_both_the_operator_is_told_whom_to_ask(service: Service, game: str, copy: Path) -> None:
    railpost(service, "seat", "give", game, "Bob", "Dan <dan@players.example>")
    said = go_back(service, copy, "nothing")
    assert service.seat(game, "Bob").address == "bob@players.example"
    assert "Ask each of these players" in said
    for player in ("Ann", "Bob", "Cat"):
        assert f"{game} {player} <{player.lower()}@players.example>" in said


@pytest.mark.parametrize("kept", KEPT)
def test_with_one_of_them_nobody_need_be_asked(service: Service, game: str, tmp_path: Path, kept: str) -> None:
    railpost(service, "seat", "revoke", game, "Ann")  # which begins the journal
    railpost(service, "backup", str(tmp_path / "two.db"))
    assert "Ask each" not in go_back(service, tmp_path / "two.db", kept)


def test_a_game_that_the_copy_does_not_have_is_named(service: Service, game: str, copy: Path) -> None:
    service.game(players=("Ann", "Dora", "Eve"))
    assert "begun since the copy, and lost: 1861-2" in go_back(service, copy)


@BY_DATABASE
def test_going_back_twice_carries_over_the_same(service: Service, game: str, copy: Path, kept: str) -> None:
    railpost(service, "seat", "give", game, "Bob", "Dan <dan@players.example>")
    railpost(service, "seat", "alias", game, "Ann", OTHER)
    service.run()
    agree(service, OTHER)
    for _ in range(2):
        go_back(service, copy, kept)
        assert service.seat(game, "Bob").address == "dan@players.example"
        assert aliases(service) == {OTHER: "ann@players.example"}


@BY_JOURNAL
def test_what_changed_goes_over_to_the_other_kind_of_database(
    service: Service, game: str, copy: Path, kept: str, postgres: Postgres, monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:  # fmt: skip
    railpost(service, "seat", "give", game, "Bob", "Dan <dan@players.example>")
    to_sqlite = service.desk.database.engine.dialect.name == "postgresql"
    url = f"sqlite:///{tmp_path / 'other.db'}" if to_sqlite else postgres.create()
    if kept == "the old database":  # it was brought there, and is replaced there
        railpost(service, "backup", str(tmp_path / "all.db"))
        monkeypatch.setenv("RAILPOST_DATABASE", url)
        railpost(service, "restore", str(tmp_path / "all.db"))
        (service.root / JOURNAL).unlink()
    monkeypatch.setenv("RAILPOST_DATABASE", url)
    railpost(service, "restore", str(copy), *(["--replace"] if kept == "the old database" else []))
    other = Database(url)
    with other.reading() as session:
        found = session.exec(select(SeatRow.address).where(SeatRow.player == "Bob")).one()
        assert not session.exec(select(SeatToken).where(SeatToken.at < 1_000, col(SeatToken.replaced).is_(False))).all()
    other.close()
    if not to_sqlite:
        postgres.drop(url)
    assert found == "dan@players.example"


# ---- what is not sent to the wrong people


@BY_JOURNAL
def test_mails_that_the_copy_had_to_send_do_not_go_to_who_was_there_before(
    service: Service, game: str, tmp_path: Path, kept: str
) -> None:
    with service.desk.database.transaction() as session:
        row = session.exec(select(OutboxRow).where(OutboxRow.player == "Bob")).first()
        assert row is not None
        row.state = "queued"
    railpost(service, "backup", str(tmp_path / "two.db"))
    service.run()
    railpost(service, "seat", "give", game, "Bob", "Dan <dan@players.example>")
    service.run()
    count = len(service.letters("Bob"))
    go_back(service, tmp_path / "two.db", kept)
    CliRunner().invoke(cli.app, ["--data", str(service.root), "outbox", "release", "--restored"])
    service.run()
    assert len(service.letters("Bob")) == count
