"""Nothing that is made of a game to be passed on tells what is sealed, nor a secret word, nor anybody's address."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlmodel import select

from moderator.adapters.tables import MailRow, OutboxRow, PendingRow, PressRow, SealedRow, SeatRow, SeatToken
from moderator.domain.sealing import is_sealed
from moderator.service.operation.mbox import mbox_of
from moderator.service.people.hand_over import hand_over
from moderator.service.play.undo import undo
from moderator.service.post.list_headers import stop_words
from moderator.service.table.table import lock_seat
from tests.kit.service.going_out import going_out, plain_paper, railpost, site
from tests.kit.service.mail_service import Service, mail

PLAYERS = ("Ann", "Bob", "Cat")


@pytest.fixture(autouse=True)
def paper(monkeypatch: pytest.MonkeyPatch) -> None:
    plain_paper(monkeypatch)


# ---- sealed bids -----------------------------------------------------------------------------------------------------


def sealing(root: Path, bids: str) -> tuple[Service, str]:
    """A game of 1841 in which Ann has sealed ``bids``, and nobody anything else."""
    service = Service.open(root)
    game = service.ready_game("1841", PLAYERS)
    service.say("Ann", bids)
    return service, game


def seen_by_others(service: Service, game: str, folder: Path) -> dict[str, str]:
    return going_out(service, game, folder, ("Bob",), "Bob")


def test_what_others_have_is_the_same_whatever_is_sealed(tmp_path: Path) -> None:
    """Before the opening, and again after it was taken back; in between the bids are there for everybody."""
    high, one = sealing(tmp_path / "high", "bids 137 on Bayard")
    none, two = sealing(tmp_path / "none", "bids none")
    assert one == two

    def both() -> tuple[dict[str, str], dict[str, str]]:
        return seen_by_others(high, one, tmp_path / "a"), seen_by_others(none, two, tmp_path / "b")

    before = both()
    assert before[0] == before[1]
    for service in (high, none):
        for player in ("Bob", "Cat"):
            service.say(player, "bids none")
        assert service.position(one).orders
    told, other = both()
    differing = {name.partition("/")[0] for name in told if told[name] != other[name]}
    assert differing >= {"site", "Bob", "sheet of Bob", "booklet", "record"}
    assert "137 on Bayard" in told["record"]
    for service in (high, none):
        undo(service.desk, one, 0, "a slip")
        service.run()
        assert is_sealed(service.position(one), "Ann")
    after = both()
    assert after[0] == after[1]
    assert not any("137 on Bayard" in text for text in after[0].values())


def test_the_digest_s_salt_and_the_bid_stand_nowhere_before_the_opening(tmp_path: Path) -> None:
    service, game = sealing(tmp_path / "var", "bids 137 on Bayard")
    with service.session() as session:
        rows = session.exec(select(SealedRow)).all()
    secret = [word for row in rows for word in (row.salt, row.text)]
    assert len(secret) == 2
    for name, text in going_out(service, game, tmp_path / "out", PLAYERS, "Bob").items():
        assert not any(word in text for word in secret), name


# ---- secret words and addresses --------------------------------------------------------------------------------------


@pytest.fixture
def service(tmp_path: Path) -> Service:
    return Service.open(tmp_path / "var")


def lively(service: Service) -> str:
    """A game with questions that wait, a seat given away, mails of strangers, and press that quotes everything."""
    game = service.ready_game("1861", PLAYERS)
    service.say("Ann", "press: answer me at ann@home.example\nopen TSR 20")
    to = service.address("Bob")
    service.send(mail("bid 25", sender="elsewhere@example.com", to=to), to)
    service.run()
    service.say("Cat", "address cat@new.example")
    railpost(service, "seat", "give", game, "Bob", "Dan <dan@players.example>")
    service.run()
    with service.session() as session:
        quoted = "\n".join(f"Is {word} a secret?" for word in sorted(secrets_of(service)))
        session.add(PressRow(game=game, orders=1, player="Cat", to=[], text=quoted, created_at=service.clock.now()))
        session.commit()
    return game


def secrets_of(service: Service) -> Iterator[str]:
    """Every secret word that was given out, every Message-ID of ours without its brackets, the seed."""
    with service.session() as session:
        yield from session.exec(select(SeatToken.token)).all()
        yield from session.exec(select(PendingRow.token)).all()
        yield from stop_words(session)
        yield from (row.message_id.strip("<>").partition("@")[0] for row in session.exec(select(OutboxRow)).all())


def addresses_of(service: Service) -> set[str]:
    with service.session() as session:
        known = {*session.exec(select(SeatRow.address)).all(), *session.exec(select(OutboxRow.recipient)).all()}
        senders = {sender for sender in session.exec(select(MailRow.sender)).all() if sender}
    return known | senders | {"cat@new.example"}


def test_no_secret_word_message_id_or_address_goes_out(service: Service, tmp_path: Path) -> None:
    game = lively(service)
    secrets, addresses = set(secrets_of(service)), addresses_of(service)
    assert len(secrets) > 12 and len(addresses) > 4
    with service.session() as session:
        press = "\n".join(row.text for row in session.exec(select(PressRow)).all())
    assert sum(word in press for word in secrets) == len(secrets)
    for name, text in going_out(service, game, tmp_path / "out", PLAYERS, *PLAYERS).items():
        plain = text.lower().replace("\n", "")
        assert not [word for word in secrets if word.lower() in plain], name
        assert not [address for address in addresses if address in plain], name
        assert not re.search(r"[\w.+-]+@[\w-]+\.\w", text.replace("@import", "")), name


def test_a_seat_s_mbox_has_no_secret_word_and_nobody_else_s_address(service: Service) -> None:
    game = lively(service)
    secrets, addresses = set(secrets_of(service)), addresses_of(service)
    raw = mbox_of(service.desk, game, "Ann", raw=True)
    assert raw is not None
    assert sum(word.encode() in raw.content.replace(b"=\n", b"") for word in secrets) > 4
    for seat, own in (("Ann", {"ann@players.example"}), ("Cat", {"cat@players.example", "cat@new.example"})):
        box = mbox_of(service.desk, game, seat)
        assert box is not None
        text = box.content.decode().replace("=\n", "").lower()
        assert not [word for word in secrets if word.lower() in text], seat
        known = {*own, service.desk.settings.operator}  # whom players ask
        assert not [address for address in addresses - known if address in text], seat


# ---- press of another person -----------------------------------------------------------------------------------------


def test_a_successors_copy_has_no_press_between_others_and_the_player_before(tmp_path: Path) -> None:
    service = Service.open(tmp_path / "var")
    game = service.ready_game("1861", PLAYERS)
    service.say("Ann", "press Bob: between the two of us")
    service.say("Ann", "press: to all of you")
    assert holds(service, tmp_path / "copy", "Ann", "the two of us")
    service.clock.pass_by(hours=1)
    with service.desk.sitting() as sitting:
        hand_over(sitting, lock_seat(sitting, game, "Ann"), "Zoe", "zoe@players.example")
    for folder in ("copy", "new copy"):
        assert not holds(service, tmp_path / folder, "Ann", "the two of us")
        assert holds(service, tmp_path / folder, "Ann", "to all of you")
    assert holds(service, tmp_path / "Bob", "Bob", "the two of us")


def test_a_copy_is_of_one_person(tmp_path: Path) -> None:
    """Two people of one name play in two games: nobody gets what was written to the other."""
    service = Service.open(tmp_path / "var")
    games = [service.ready_game("1861", PLAYERS) for _ in range(2)]
    with service.desk.database.transaction() as session:
        other = session.exec(select(SeatRow).where(SeatRow.game == games[1], SeatRow.player == "Ann")).one()
        other.address = "another.ann@players.example"
    said = railpost(service, "archive", "build", tmp_path / "Ann", "--seat", "Ann", status=2)
    assert "name the games of one person" in said and not (tmp_path / "Ann" / "games").exists()
    railpost(service, "archive", "build", tmp_path / "Ann", games[0], "--seat", "Ann")
    railpost(service, "archive", "build", tmp_path / "Bob", "--seat", "Bob")


def holds(service: Service, folder: Path, seat: str, words: str) -> bool:
    return any(words in text for text in site(service, folder, seat).values())
