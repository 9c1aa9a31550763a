"""A Maildir in which lies what cannot be read: each entry alone is left out, and the operator is told once."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from moderator.adapters.mail.maildir import MaildirIntake
from moderator.domain.ports import Away, NotNow
from moderator.service.operation.health import findings
from tests.kit.samples import sampled
from tests.kit.service.mail_service import mail
from tests.kit.service.shop import Shop

LARGEST = 100_000


def dangling(new: Path) -> None:
    (new / "100.link").symlink_to("/nowhere/at/all")


def link_to_a_file(new: Path) -> None:
    secret = new.parent.parent / "secret"
    secret.write_bytes(b"Subject: secret\r\n\r\n")
    (new / "100.link").symlink_to(secret)


def not_utf_8(new: Path) -> None:
    Path(os.fsdecode(os.fsencode(new) + b"/100.\xff\xfe.host")).write_bytes(b"Subject: x\r\n\r\n")


def folder(new: Path) -> None:
    (new / "100.folder").mkdir()


def pipe(new: Path) -> None:
    os.mkfifo(new / "100.pipe")


THINGS = [dangling, link_to_a_file, not_utf_8, folder, pipe]


@pytest.mark.parametrize("thing", THINGS)
@pytest.mark.fault(79)
def test_what_is_no_message_is_left_out_and_the_others_are_read(thing: Callable[[Path], None], tmp_path: Path) -> None:
    box, new = MaildirIntake(tmp_path / "box"), tmp_path / "box" / "new"
    (new / "1.a").write_bytes(b"Subject: one\r\n\r\n")
    thing(new)
    (new / "2.b").write_bytes(b"Subject: two\r\n\r\n")
    assert sorted(one.reference for one in box.waiting(LARGEST)) == ["1.a", "2.b"]
    assert len(box.skipped) == 1
    assert all(name.startswith("100.") and name.isprintable() and why for name, why in box.skipped.items())
    assert box.count().messages == 2


def refuse(monkeypatch: pytest.MonkeyPatch, name: str, error: int) -> None:
    """Opening ``name`` fails, as it does for a user without the right to read it."""
    plain = os.open

    def opened(path: Path, *more: int) -> int:
        if Path(path).name == name:
            raise OSError(error, os.strerror(error), str(path))
        return plain(path, *more)

    monkeypatch.setattr(os, "open", opened)


def test_a_file_that_cannot_be_opened_is_left_out_until_it_can(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    box, new = MaildirIntake(tmp_path / "box"), tmp_path / "box" / "new"
    for name in ("1.a", "2.b"):
        (new / name).write_bytes(b"Subject: one\r\n\r\n")
    with monkeypatch.context() as patched:
        refuse(patched, "1.a", errno.EACCES)
        assert [one.reference for one in box.waiting(LARGEST)] == ["2.b"]
        assert dict(box.skipped) == {"1.a": "Permission denied"}
    assert sorted(one.reference for one in box.waiting(LARGEST)) == ["1.a", "2.b"]
    assert dict(box.skipped) == {}


def test_a_process_without_free_files_blames_no_message(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    box, new = MaildirIntake(tmp_path / "box"), tmp_path / "box" / "new"
    (new / "1.a").write_bytes(b"Subject: one\r\n\r\n")
    refuse(monkeypatch, "1.a", errno.EMFILE)
    with pytest.raises(NotNow):
        list(box.waiting(LARGEST))
    assert dict(box.skipped) == {}


def test_a_mailbox_that_is_gone_is_away(tmp_path: Path) -> None:
    box = MaildirIntake(tmp_path / "box")
    (tmp_path / "box" / "new").rmdir()
    for look in (lambda: list(box.waiting(LARGEST)), box.count, box.probe):
        with pytest.raises(Away, match="No such file"):
            look()


def health(shop: Shop) -> dict[str, str]:
    return {one.key: one.state for one in findings(shop.service.desk, "1", shop.meter) if one.state != "green"}


def about_mailbox(shop: Shop) -> list[str]:
    return [text for text in shop.told() if "cannot be read" in " ".join(text.split())]


@pytest.mark.parametrize("thing", sampled(THINGS, THINGS[1:3]))
@pytest.mark.fault(79)
def test_the_operator_is_told_once_and_orders_are_carried_out(thing: Callable[[Path], None], tmp_path: Path) -> None:
    shop = Shop(tmp_path)
    shop.game()
    before = health(shop)
    new = shop.service.desk.settings.mail_folder / shop.service.desk.settings.address / "new"
    thing(new)
    shop.service.send(mail("open TSR 25", to=shop.service.address("Ann")), shop.service.address("Ann"))
    for _ in range(3):
        shop.round.mail()
    assert shop.service.outcomes() == ["applied"]
    shop.start()  # the process begins anew, and knows what was told
    shop.pass_by(hours=30)
    (told,) = about_mailbox(shop)
    assert "100." in told
    assert health(shop) == before | {"skipped": "look"}
    (left,) = [entry for entry in new.iterdir() if entry.name.startswith("100.")]
    left.rmdir() if left.is_dir() and not left.is_symlink() else left.unlink()
    shop.round.mail()
    assert health(shop) == before


def test_health_turns_red_when_round_after_round_the_mailbox_refuses(tmp_path: Path) -> None:
    shop = Shop(tmp_path)
    shop.game()
    shop.imap.error = NotNow("SEARCH refused")
    for _ in range(12):
        shop.service.clock.pass_by(seconds=30)
        shop.round.mail()
    assert health(shop)["scheduler"] == "red"
    shop.imap.error = None
    shop.round.mail()
    assert "scheduler" not in health(shop)
