"""A mail that the service has begun three times without coming to an end is tried in a process of its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from sqlmodel import select

from moderator.adapters.rehearsal import Rehearsal
from moderator.adapters.tables import MailRow
from moderator.domain.ports import NotNow
from moderator.entrypoints.processes.assembly import rehearsal_of
from moderator.service import pipeline
from tests.kit.samples import prove, sampled
from tests.kit.service.mail_service import Service, mail

pytestmark = pytest.mark.fault(87)


def mortal(root: Path, *words: str) -> Callable[[int], str]:
    """Rehearsals that end as ``words`` say, one after the other."""
    run = Rehearsal("tests.kit.service.mortal", 3 if "stay" in words else 60)
    return lambda number: run(" ".join((str(root / "runs"), *words)))


def killed(*_: object) -> None:
    raise KeyboardInterrupt


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Service:
    """Ann has bid; the service was killed three times while it decided her mail. Its lease has run out."""
    service = Service.open(tmp_path)
    service.ready_game()
    process = pipeline.process
    monkeypatch.setattr(pipeline, "process", killed)
    to = service.address("Ann")
    service.send(mail("pass", sender="ann@players.example", to=to), to)
    for _ in range(3):
        with pytest.raises(KeyboardInterrupt):
            service.run()
        service.clock.pass_by(minutes=10)
    monkeypatch.setattr(pipeline, "process", process)
    return service


def tried_by(service: Service, rehearse: Callable[[int], str]) -> str | None:
    """The outcome of Ann's mail if it is rehearsed so."""
    service.desk = replace(service.desk, rehearse=rehearse)
    service.run()
    with service.desk.looking() as sitting:
        return sitting.session.exec(select(MailRow.outcome).where(MailRow.attempts > 3)).one()


@pytest.mark.usefixtures("each_database")
def test_orders_that_three_kills_hit_are_carried_out(service: Service) -> None:
    assert tried_by(service, rehearsal_of(service.desk.settings)) == "applied"
    with service.desk.looking() as sitting:
        assert len(sitting.session.exec(select(MailRow).where(MailRow.outcome == "applied")).all()) == 1


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("SIGKILL", "SIGKILL"), "it ends the process that tries it: SIGKILL"),
        prove((("SIGKILL", "SIGSEGV"), "it ends the process that tries it: SIGSEGV")),
        prove((("alarm", "alarm"), "it ends the process that tries it: SIGALRM")),
        (("stay", "stay"), "it is not through after 3 seconds"),
    ],
)
def test_a_mail_that_kills_another_process_too_is_put_aside(
    service: Service, tmp_path: Path, words: tuple[str, ...], reason: str
) -> None:
    assert tried_by(service, mortal(tmp_path, *words)) == "error"
    told = [letter.text for letter in service.mailbox("master@example.net")]
    assert any(f"begun 3 times without coming to an end; tried apart, {reason}" in text for text in told)


def test_one_death_proves_nothing(service: Service, tmp_path: Path) -> None:
    """Whoever kills the service may kill the process that it has started a moment before."""
    assert tried_by(service, mortal(tmp_path, "SIGKILL", "0")) == "applied"


@pytest.mark.parametrize("word", sampled(["SIGTERM", "SIGINT", "SIGHUP", "1"], ["SIGTERM"]))
def test_what_ends_for_another_reason_is_tried_again_later_and_delays_nobody(
    service: Service, tmp_path: Path, word: str
) -> None:
    to = service.address("Bob")
    service.send(mail("show map", sender="bob@players.example", to=to), to)
    assert tried_by(service, mortal(tmp_path, word)) is None
    assert service.outcomes()[-1] == "shown"
    service.clock.pass_by(minutes=10)
    assert tried_by(service, mortal(tmp_path, word, "0")) == "applied"


def test_a_program_that_is_not_there_is_no_fault_of_the_mail(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("sys.executable", str(tmp_path / "nothing"))
    with pytest.raises(NotNow, match="no process can be started"):
        Rehearsal("tests.kit.service.mortal", 5)("x")
