"""An IMAP server that misbehaves: connections that end, answers that never come, names that change. Rows 76 to 81."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from moderator.adapters.mail.idle import IdleWatcher
from moderator.adapters.mail.imap import ImapIntake
from moderator.adapters.mail.server import Backoff, Server
from moderator.domain.ports import Away, Incoming, Lying, NotNow
from moderator.service.intake import file_decided, take_in
from moderator.service.pipeline import work_off
from tests.kit.mail_system.fake_imap import FakeImap, Stored
from tests.kit.patience import PATIENCE, SILENCE
from tests.kit.service.mail_service import Service, mail

LARGEST = 100_000


class Remembered:
    def __init__(self) -> None:
        self.known: dict[str, Mapping[str, Any]] = {}

    def recall(self, key: str) -> Mapping[str, Any] | None:
        return self.known.get(key)

    def remember(self, key: str, value: Mapping[str, Any]) -> None:
        self.known[key] = value


class Mailbox(ImapIntake):
    """The mailbox on ``fake``; a clock for its pauses that stands still until it is moved."""

    def __init__(self, fake: FakeImap, filed: str = "Railpost", since: str = "all", timeout: float = PATIENCE) -> None:
        self.seconds = 0.0
        server = Server("127.0.0.1", fake.port, "none", "railpost@example.org", timeout=timeout)
        super().__init__(server, "INBOX", filed, since, Remembered(), Backoff(now=lambda: self.seconds))

    def all(self, known: tuple[str, ...] = ()) -> list[Incoming]:
        return list(self.waiting(LARGEST, known))

    def texts(self) -> list[bytes]:
        return [incoming.content for incoming in self.all()]

    def __enter__(self) -> Mailbox:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def filled(fake: FakeImap, count: int) -> list[bytes]:
    contents = [b"Subject: %d\r\n\r\n" % number + b"x" * 200 for number in range(count)]
    for content in contents:
        fake.put(content)
    return contents


@pytest.mark.fault(76)
@pytest.mark.parametrize("fault", ["cut", "eof", "hang"])
@pytest.mark.parametrize("command", ["FETCH", "SEARCH", "SELECT", "NOOP"])
def test_76_a_connection_that_ends_is_made_again_and_nothing_is_lost(command: str, fault: str) -> None:
    with FakeImap() as fake, Mailbox(fake, timeout=SILENCE if fault == "hang" else PATIENCE) as mailbox:
        contents = filled(fake, 3)
        assert mailbox.texts() == contents
        mailbox.close() if command == "SELECT" else None
        fake.faults[command] = [fault]
        if command == "SELECT" and fault != "cut":
            with pytest.raises(Away, match="broke off"):
                mailbox.all()
            mailbox.seconds += 60
        assert mailbox.texts() == contents


@pytest.mark.fault(76)
def test_76_half_a_fetch_twice_says_that_the_server_is_away(tmp_path: Path) -> None:
    with FakeImap() as fake, Mailbox(fake) as mailbox:
        contents = filled(fake, 3)
        fake.faults["FETCH"] = ["", "cut", "cut"]
        with pytest.raises(Away, match="broke off"):
            mailbox.all()
        with pytest.raises(Away, match="not tried again"):
            mailbox.all()
        assert fake.connections == 2
        mailbox.seconds += 60
        assert mailbox.texts() == contents


@pytest.mark.fault(76)
def test_76_half_an_answer_is_asked_for_again() -> None:
    with FakeImap() as fake, Mailbox(fake) as mailbox:
        contents = filled(fake, 2)
        fake.faults["FETCH"] = ["half"]
        assert mailbox.texts() == []
        fake.faults["FETCH"] = ["", "half"]
        assert mailbox.texts() == []
        assert mailbox.texts() == contents


@pytest.mark.fault(76)
def test_76_a_server_that_says_nothing_at_all_is_away() -> None:
    with FakeImap() as fake, Mailbox(fake, timeout=SILENCE) as mailbox:
        fake.faults["GREETING"] = ["hang"]
        with pytest.raises(Away, match="cannot be reached: timed out"):
            mailbox.all()


def test_pauses_grow_and_end() -> None:
    moment = 0.0
    backoff = Backoff(first=1, now=lambda: moment)
    pauses = []
    for _ in range(8):
        backoff.failed("away")
        pauses.append(backoff.left())
        moment += backoff.left()
    assert pauses == [1, 2, 4, 8, 16, 30, 30, 30]
    backoff.worked()
    backoff.check()


# ---- the watch for new mail


class Watch:
    def __init__(self, fake: FakeImap, renew: float = 60, timeout: float = PATIENCE) -> None:
        self.woken = threading.Semaphore(0)
        server = Server("127.0.0.1", fake.port, "none", "railpost@example.org", timeout=timeout)
        self.watcher = IdleWatcher(server, "INBOX", renew, self.woken.release)
        self.watcher._backoff.first = 0.01

    def __enter__(self) -> Watch:
        self.watcher.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.watcher.stop()

    def is_told(self, times: int = 1) -> bool:
        return all(self.woken.acquire(timeout=PATIENCE) for _ in range(times))


@pytest.mark.fault(76)
def test_76_new_mail_is_told_while_the_server_idles() -> None:
    with FakeImap() as fake, Watch(fake) as watch:
        assert watch.is_told()  # what came before the watch began
        assert fake.idling.wait(PATIENCE)
        fake.put(b"one")
        assert watch.is_told()
        assert fake.connections == 1


@pytest.mark.fault(76)
def test_76_new_mail_is_told_though_other_things_are_told_with_it() -> None:
    with FakeImap(chatter=(b"* 1 EXPUNGE", b"* 2 FETCH (FLAGS (\\Seen))")) as fake, Watch(fake) as watch:
        assert watch.is_told()
        assert fake.idling.wait(PATIENCE)
        for _ in range(5):
            fake.put(b"one")
            assert watch.is_told()


@pytest.mark.fault(76)
@pytest.mark.parametrize("fault", ["half", "cut"])
def test_76_an_idle_that_ends_or_breaks_off_in_a_line_is_begun_again(fault: str) -> None:
    with FakeImap() as fake:
        fake.faults["IDLE"] = [fault]
        with Watch(fake, timeout=SILENCE if fault == "cut" else PATIENCE) as watch:
            assert watch.is_told(2)
            assert fake.connections >= 2
            fake.put(b"one")
            assert watch.is_told()


@pytest.mark.fault(76)
def test_76_an_idle_that_does_not_end_when_it_should_is_left() -> None:
    with FakeImap() as fake:
        fake.faults["IDLE"] = ["deaf"]
        with Watch(fake, renew=0.1, timeout=SILENCE) as watch:
            assert watch.is_told(3)
            assert fake.connections >= 2


@pytest.mark.fault(76)
def test_76_idle_is_renewed() -> None:
    with FakeImap() as fake, Watch(fake, renew=0.05) as watch:
        assert watch.is_told(4)
        assert fake.connections == 1
        assert fake.said.count("IDLE") >= 4


@pytest.mark.fault(80)
def test_80_without_idle_nobody_watches(caplog: pytest.LogCaptureFixture) -> None:
    with FakeImap(capabilities=("IMAP4rev1",)) as fake, Watch(fake) as watch, caplog.at_level(logging.WARNING):
        watch.watcher._thread.join(PATIENCE)
        assert not watch.watcher._thread.is_alive()
        assert "IDLE" not in fake.said
        assert "from time to time" in caplog.text


@pytest.mark.fault(81)
def test_81_a_watch_that_cannot_log_in_does_not_knock_all_the_time(tmp_path: Path) -> None:
    with FakeImap(refuse_login=True) as fake:
        server = Server("127.0.0.1", fake.port, "none", "railpost@example.org", timeout=PATIENCE)
        watcher = IdleWatcher(server, "INBOX", 60, lambda: None)
        watcher._backoff.first = 0.05
        began = time.monotonic()
        watcher.start()
        while fake.connections < 4 and time.monotonic() - began < PATIENCE:
            time.sleep(0.01)
        took = time.monotonic() - began
        watcher.stop()
        assert fake.connections >= 4
        assert took >= 0.05 + 0.1 + 0.2, "each pause is twice the one before"
        gone = Server("127.0.0.1", fake.port, "none", "railpost@example.org", tmp_path / "none", timeout=PATIENCE)
        before = fake.connections
        blind = IdleWatcher(gone, "INBOX", 60, lambda: None)
        blind.start()
        time.sleep(0.1)
        blind.stop()
        assert fake.connections == before


@pytest.mark.fault(57)
def test_57_of_20_000_old_mails_none_is_even_asked_for() -> None:
    with FakeImap() as fake, Mailbox(fake, since="start") as mailbox:
        for uid in range(1, 20_001):
            fake.inbox.append(Stored(uid, b"old"))
        assert mailbox.count() == Lying(20_000, 0)
        assert mailbox.all() == []
        fake.put(b"new")
        assert mailbox.texts() == [b"new"]
        assert [said for said in fake.said if "FETCH" in said and "20001" not in said] == []
        assert mailbox.count() == Lying(20_001, 1)


# ---- names that change


def service_with_game(tmp_path: Path) -> tuple[Service, bytes]:
    """A service whose game asks Ann, and her order as a mail."""
    service = Service.open(tmp_path)
    service.game()
    return service, mail("open TSR 25", to=service.address("Ann"))


def go_round(service: Service, mailbox: ImapIntake) -> list[str | None]:
    take_in(service.desk, mailbox)
    work_off(service.desk, service.complaints.append)
    file_decided(service.desk, mailbox)
    return service.outcomes()


@pytest.mark.fault(77)
def test_77_after_a_change_of_uidvalidity_nothing_is_done_twice(tmp_path: Path) -> None:
    service, content = service_with_game(tmp_path)
    with FakeImap() as fake, Mailbox(fake) as mailbox:
        fake.put(content)
        fake.faults["MOVE"] = ["no", "no"]  # it stays where it was
        assert go_round(service, mailbox) == ["applied"]
        mailbox.close()
        fake.validity = 8
        told = len(service.letters("Ann"))
        assert go_round(service, mailbox) == ["applied", "duplicate"]
        service.run()
        assert len(service.letters("Ann")) == told + 1  # the answer to the first
        assert fake.inbox == []


@pytest.mark.fault(77)
def test_77_in_the_middle_of_fetching(tmp_path: Path) -> None:
    """The folder is made anew while it is read: nothing is given out under a name that means another message."""
    with FakeImap() as fake, Mailbox(fake) as mailbox:
        filled(fake, 120)
        given = mailbox.waiting(LARGEST)
        first = next(given)
        assert first.reference.startswith("7.1.")
        fake.faults["FETCH"] = ["eof"]
        fake.validity = 8
        assert all(incoming.reference.startswith("7.") for incoming in given)
        assert len(mailbox.all()) == 120


@pytest.mark.fault(77)
def test_77_a_mailbox_that_begins_now_begins_at_its_day_when_uids_are_forgotten() -> None:
    with FakeImap() as fake, Mailbox(fake, since="start") as mailbox:
        filled(fake, 3)
        assert mailbox.texts() == []
        fake.put(b"new")
        assert mailbox.texts() == [b"new"]
        mailbox.close()
        fake.validity = 8
        fake.inbox[3].date = "01-Mar-2096 12:00:00 +0000"
        assert mailbox.texts() == [b"new"]


@pytest.mark.fault(78)
def test_78_a_uid_that_is_given_again_means_another_message(tmp_path: Path) -> None:
    service, content = service_with_game(tmp_path)
    with FakeImap() as fake, Mailbox(fake) as mailbox:
        fake.put(b"Subject: nothing\r\n\r\n", uid=5)
        assert go_round(service, mailbox) == ["unknown_sender"]
        mailbox.close()
        fake.put(content, uid=5)
        assert go_round(service, mailbox) == ["unknown_sender", "applied"]


@pytest.mark.fault(78)
def test_78_what_took_a_uid_over_is_not_filed_for_what_had_it() -> None:
    with FakeImap() as fake, Mailbox(fake) as mailbox:
        fake.put(b"one", uid=5)
        (incoming,) = mailbox.all()
        mailbox.close()
        fake.inbox.clear()
        fake.put(b"another", uid=5)
        mailbox.file(incoming.reference, "applied")
        assert [stored.content for stored in fake.inbox] == [b"another"]


# ---- what a server cannot do


@pytest.mark.fault(80)
@pytest.mark.parametrize(
    "lacking", [(), ("MOVE",), ("MOVE", "UIDPLUS"), ("MOVE", "UIDPLUS", "NAMESPACE", "AUTH=PLAIN")]
)
def test_80_mail_is_filed_with_what_the_server_can(lacking: tuple[str, ...]) -> None:
    able = tuple(name for name in FakeImap().capabilities if name not in lacking)
    with FakeImap(capabilities=able) as fake, Mailbox(fake) as mailbox:
        contents = filled(fake, 3)
        fake.inbox[2].flags.add("\\Deleted")  # by somebody else, who has not expunged it
        mailbox.file(mailbox.all()[0].reference, "applied")
        separator = "/" if "NAMESPACE" in lacking else "."
        prefix = "" if "NAMESPACE" in lacking else "INBOX."
        filed = fake.folders[f"{prefix}Railpost{separator}applied"]
        assert [stored.content for stored in filed] == contents[:1]
        assert [stored.content for stored in fake.inbox] == contents[1:]
        assert [stored.flags for stored in fake.inbox] == [set(), {"\\Deleted"}]
        mailbox.file(mailbox.all()[0].reference, "applied")
        assert len(filed) == 2
        mailbox.file("7.1.209.1772366400", "applied")  # again: it is gone, and that is no error


@pytest.mark.fault(80)
def test_80_names_of_folders_may_have_any_letters() -> None:
    with FakeImap(capabilities=("IMAP4rev1", "MOVE")) as fake, Mailbox(fake, filed="Züge") as mailbox:
        filled(fake, 1)
        mailbox.file(mailbox.all()[0].reference, "applied")
        assert list(fake.folders) == ["INBOX", "Z&APw-ge/applied"]


@pytest.mark.fault(80)
def test_80_a_folder_that_cannot_be_made_leaves_the_mail_where_it_is(tmp_path: Path) -> None:
    with FakeImap() as fake, Mailbox(fake) as mailbox:
        filled(fake, 1)
        fake.faults["CREATE"] = ["no"]
        with pytest.raises(NotNow, match="not now"):
            mailbox.file(mailbox.all()[0].reference, "applied")
        assert len(fake.inbox) == 1
        mailbox.file(mailbox.all()[0].reference, "applied")
        assert fake.inbox == []


@pytest.mark.fault(80)
def test_80_sizes_that_are_only_estimated_do_not_make_a_mail_too_large() -> None:
    with FakeImap() as fake, Mailbox(fake) as mailbox:
        fake.put(b"x" * 500, size=800)
        fake.put(b"y" * (LARGEST + 500), size=300)
        honest, liar = mailbox.all()
        assert honest.size == len(honest.content) == 500
        assert liar.size > LARGEST >= len(liar.content)


def test_a_message_that_the_server_cannot_give_does_not_hold_up_the_others(caplog: pytest.LogCaptureFixture) -> None:
    with FakeImap() as fake, Mailbox(fake) as mailbox:
        contents = filled(fake, 3)
        fake.faults["FETCH"] = ["", "no", "", "no", ""]  # sizes; all three bodies; then one by one
        assert mailbox.texts() == [contents[0], contents[2]]
        assert "cannot be fetched" in caplog.text


def test_sizes_that_the_server_cannot_give_hold_up_only_their_message(caplog: pytest.LogCaptureFixture) -> None:
    with FakeImap() as fake, Mailbox(fake) as mailbox:
        contents = filled(fake, 5)
        fake.unreadable.add(4)
        for _ in range(3):
            assert mailbox.texts() == [*contents[:3], contents[4]]
        assert dict(mailbox.skipped) == {"UID 4": "fetch failed: not this one"}
        assert caplog.text.count("cannot be fetched") == 1
        mailbox.close()
        assert mailbox.texts() == [*contents[:3], contents[4]]
        assert caplog.text.count("cannot be fetched") == 1, "a new connection is no news"
        fake.unreadable.clear()
        assert sorted(mailbox.texts()) == contents
        assert dict(mailbox.skipped) == {}


@pytest.mark.parametrize("since", ["all", "2026-02-01", "2026-04-01"])
def test_what_cannot_be_read_is_forgotten_when_it_is_gone_and_is_no_older_than_the_others(since: str) -> None:
    with FakeImap() as fake, Mailbox(fake, since=since) as mailbox:
        contents = filled(fake, 3)
        wanted = [] if since == "2026-04-01" else contents
        fake.unreadable.add(2)
        assert mailbox.texts() == [content for content in wanted if content != contents[1]]
        assert list(mailbox.skipped) == ["UID 2"]
        fake.unreadable.clear()
        assert sorted(mailbox.texts()) == wanted
        fake.unreadable.add(3)
        mailbox.close()
        mailbox.texts()
        assert list(mailbox.skipped) == ["UID 3"]
        fake.inbox.pop()
        mailbox.texts()
        assert list(mailbox.skipped) == []


def test_of_many_messages_that_cannot_be_read_few_are_tried_again_in_a_look() -> None:
    with FakeImap() as fake, Mailbox(fake) as mailbox:
        filled(fake, 60)
        fake.unreadable |= set(range(1, 60))
        assert len(mailbox.texts()) == 1
        assert len(mailbox.skipped) == 59
        before = len(fake.said)
        for _ in range(12):
            assert len(mailbox.texts()) == 1
        assert sum("FETCH" in said for said in fake.said[before:]) <= 12 * 7
        fake.unreadable.clear()
        assert [len(mailbox.texts()) for _ in range(12)] == [*range(6, 60, 5), 60]


def test_a_message_whose_size_cannot_be_asked_for_is_not_taken_for_gone_when_it_is_filed() -> None:
    with FakeImap() as fake, Mailbox(fake) as mailbox:
        filled(fake, 1)
        (incoming,) = mailbox.all()
        mailbox.close()
        fake.unreadable.add(1)
        with pytest.raises(NotNow, match="not this one"):
            mailbox.file(incoming.reference, "applied")
        fake.unreadable.clear()
        mailbox.file(incoming.reference, "applied")
        assert fake.inbox == []


def test_a_message_that_the_server_could_not_give_is_tried_again_on_the_same_connection(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with FakeImap() as fake, Mailbox(fake) as mailbox:
        contents = filled(fake, 3)
        fake.faults["FETCH"] = ["", "no", "", "no", "", "", "no"]  # the second look: the others together; then this one
        assert mailbox.texts() == [contents[0], contents[2]]
        assert mailbox.texts() == [contents[0], contents[2]]
        assert caplog.text.count("cannot be fetched") == 1
        assert mailbox.texts() == [contents[0], contents[2], contents[1]]
        assert mailbox.texts() == contents
        assert fake.connections == 1


@pytest.mark.fault(22)
def test_22_of_a_message_over_the_limit_only_the_head_is_fetched() -> None:
    with FakeImap() as fake, Mailbox(fake) as mailbox:
        fake.put(b"x" * (LARGEST + 1))
        (incoming,) = mailbox.all()
        assert (incoming.size, len(incoming.content)) == (LARGEST + 1, 65_536)
        assert not any("RFC822.SIZE" not in said and "<0.65536>" not in said for said in fake.said if "FETCH" in said)


@pytest.mark.fault(81)
def test_81_a_refused_login_says_so_without_the_password(tmp_path: Path) -> None:
    secret = tmp_path / "password"
    secret.write_text("open sesame\n")
    with FakeImap(refuse_login=True) as fake:
        server = Server("127.0.0.1", fake.port, "none", "railpost@example.org", secret, timeout=PATIENCE)
        mailbox = ImapIntake(server, "INBOX", "Railpost", "all", Remembered())
        with pytest.raises(Away, match="refuses our login") as refused:
            list(mailbox.waiting(LARGEST))
        assert "sesame" not in str(refused.value) + repr(server)


@pytest.mark.fault(81)
def test_81_what_was_taken_in_is_decided_and_answered_while_the_mailbox_is_away(tmp_path: Path) -> None:
    from moderator.adapters.mail.maildir import MaildirOutlet
    from moderator.entrypoints.processes.assembly import Worker

    service, content = service_with_game(tmp_path)
    with FakeImap() as fake, Mailbox(fake) as mailbox:
        fake.put(content)
        take_in(service.desk, mailbox)
        fake.refuse_login = True
        mailbox.close()
        complaints: list[str] = []
        work = Worker(service.desk, mailbox, MaildirOutlet(service.desk.settings.mail_folder), complaints.append)
        told = len(service.letters("Ann"))
        work.mail()
        assert service.outcomes() == ["applied"]
        assert len(service.letters("Ann")) > told
        assert "refuses our login" in complaints[0]
