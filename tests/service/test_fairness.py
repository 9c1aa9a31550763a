"""Mails that wait take turns: no flood holds up a player, and mails of one person keep their order."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from sqlmodel import col, select

from moderator.adapters.mail.maildir import MaildirIntake, MaildirOutlet, folder_for
from moderator.adapters.tables import MailRow
from moderator.entrypoints.processes.worker import Worker
from moderator.service.pipeline import work_off
from tests.kit.service.mail_service import mail
from tests.kit.service.toy_service import Table

pytestmark = pytest.mark.usefixtures("each_database")

WELL = "railpost@example.org"


def put(
    table: Table, text: str, *, sender: str, to: str, path: str = "", headers: dict[str, str] | None = None
) -> None:
    ours = to if to.endswith("@example.org") else WELL
    table.send(mail(text, sender=sender, to=to, headers=headers), ours, path or sender)


def decided(table: Table) -> list[tuple[str, str]]:
    """Sender and outcome of the mails that are decided, in the order in which they were."""
    table.clock.pass_by(seconds=1)
    work_off(table.desk, table.complaints.append, 1)
    with table.session() as session:
        rows = session.exec(select(MailRow).where(col(MailRow.outcome).is_not(None))).all()
        return [(row.sender, str(row.outcome)) for row in sorted(rows, key=lambda row: (row.decided_at, row.id))]


def all_decided(table: Table, count: int) -> Sequence[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for _ in range(count):
        found = decided(table)
    return found


def test_6_a_player_s_order_is_decided_before_a_flood_that_came_first(table: Table, game: str) -> None:
    ann, bob = table.address("Ann"), table.address("Bob")
    for number in range(8):
        put(table, "hello", sender=f"{number}@crm.example", to=WELL)
        put(table, f"show map // {number}", sender="x@else.example", to=bob)
        put(table, "hello", sender="ann@players.example", to=WELL, path=f"{number}@spoof.example")
    put(table, "pass", sender="ann@players.example", to=ann)
    table.take_in()
    assert decided(table)[0] == ("ann@players.example", "applied")
    others = all_decided(table, 24)
    assert len(others) == 25
    assert len({sender for sender, _ in others[1:5]}) == 3  # none of the floods waits for another one


def test_6_a_flood_with_a_player_s_return_path_does_not_hold_up_the_player(table: Table, game: str) -> None:
    for number in range(5):
        put(table, f"buy now {number}", sender="x@else.example", to=WELL, path="ann@players.example")
        put(table, f"buy now {number}", sender="ann@players.example", to=WELL)
    put(table, "pass", sender="ann@players.example", to=table.address("Ann"))
    table.take_in()
    assert decided(table)[0] == ("ann@players.example", "applied")


def test_6_one_seat_s_flood_does_not_starve_another(table: Table, game: str) -> None:
    for number in range(9):
        put(table, f"show map // {number}", sender="ann@players.example", to=table.address("Ann"))
    put(table, "show map", sender="bob@players.example", to=table.address("Bob"))
    table.take_in()
    assert "bob@players.example" in [sender for sender, _ in all_decided(table, 2)]
    put(table, "show trains", sender="cat@players.example", to=table.address("Cat"))
    table.take_in()
    assert "cat@players.example" in [sender for sender, _ in all_decided(table, 2)]


def test_mails_of_one_person_keep_their_order(table: Table, game: str) -> None:
    """Also where one comes from another address than the return path says, and one as a block in a mail to all."""
    to = table.address("Ann")
    token = to.split("@")[0].split(".")[-1]
    put(table, "open P 10", sender="ann@players.example", to=to, path="lists@players.example")
    put(
        table,
        f"BEGIN {game} AT 1 TOKEN {token}\nopen P 15\nEND\n",
        sender="ann@players.example",
        to="railpost@example.org, all@lists.example",
    )
    put(table, "show map", sender="ann@players.example", to=to)
    table.take_in()
    assert [outcome for _, outcome in all_decided(table, 3)] == ["applied", "stale", "shown"]


@pytest.mark.parametrize("head", ["From:\r\n Ann\r\n <ANN@players.example>", 'from: "A, B" <ann@players.example>'])
def test_a_player_is_known_however_the_address_is_written(table: Table, game: str, head: str) -> None:
    to = table.address("Ann")
    for number in range(3):
        put(table, f"show map // {number}", sender="x@else.example", to=to)
    table.send(f"{head}\r\nTo: {to}\r\n\r\npass\r\n".encode(), to)
    table.take_in()
    assert decided(table) == [("ann@players.example", "applied")]


def test_a_confirmation_is_a_player_s_mail(table: Table, game: str) -> None:
    table.send(mail("pass", sender="x@else.example", to=table.address("Ann")), table.address("Ann"))
    table.run()
    asked = table.letters("Ann")[-1].reply_to
    for number in range(5):
        put(table, "hello", sender=f"{number}@crm.example", to=WELL)
    put(table, "yes", sender="ann@players.example", to=asked)
    table.take_in()
    assert decided(table)[-1] == ("ann@players.example", "applied")


def test_6_a_flooded_mailbox_is_taken_in_piece_by_piece(
    table: Table, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Mail that is here is decided before all of the flood has been stored, and nothing stays behind."""
    monkeypatch.setattr("moderator.entrypoints.processes.worker._TAKEN", 4)
    put(table, "pass", sender="ann@players.example", to=table.address("Ann"))
    for number in range(10):
        put(table, "hello", sender=f"{number}@crm.example", to=WELL)
    root = table.desk.settings.mail_folder
    intake = MaildirIntake(folder_for(root, table.desk.settings.address))
    stored: list[int] = []

    class Counted(Worker):
        def _decide(self) -> bool:
            more = super()._decide()
            stored.append(len(table.outcomes()))
            return more

    Counted(table.desk, intake, MaildirOutlet(root), table.complaints.append).mail()
    assert stored[:2] == [4, 8]
    assert table.outcomes() == ["applied", *["unknown_sender"] * 10]
