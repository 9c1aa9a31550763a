"""Going back to a copy, as an operator does it, and what shows afterwards."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from sqlmodel import col, select
from typer.testing import CliRunner, Result

from moderator.adapters.tables import AliasRow, SeatToken
from moderator.entrypoints import cli
from tests.kit.postgres import empty
from tests.kit.service.mail_service import Letter, Service, mail

JOURNAL = "seats.jsonl"


def railpost(service: Service, *words: str) -> Result:
    """The command, which must succeed. It has the domain of the service, or its mails would name answer addresses into
    whose mailbox the service never looks. It draws no pictures, which would take longer than all the rest."""
    env = {"RAILPOST_PICTURES": "false", "RAILPOST_DOMAIN": service.desk.settings.domain}
    result = CliRunner().invoke(cli.app, ["--data", str(service.root), *words], env=env)
    assert result.exit_code == 0, result.output
    now = max(service.clock.moment, datetime.now(UTC))
    service.clock.moment = now  # commands have the real time
    return result


def lose_database(service: Service) -> None:
    if service.desk.database.engine.dialect.name == "postgresql":
        empty(service.desk.database)
        return
    service.desk.database.close()
    for path in service.root.glob("railpost.db*"):
        path.unlink()


def go_back(service: Service, copy: Path, kept: str = "the old database") -> str:
    """Restore ``copy`` and let mail go out; what the command says."""
    if kept != "the old database":
        lose_database(service)
    if kept != "the journal":
        (service.root / JOURNAL).unlink(missing_ok=True)
    more = ["--replace"] if kept == "the old database" else []
    said = railpost(service, "restore", str(copy), *more).output
    service.desk.games.forget_all()
    railpost(service, "outbox", "release")
    service.run()
    return " ".join(said.split())


def write(service: Service, text: str, to: str, sender: str) -> None:
    service.send(mail(text, sender=sender, to=to), to, sender)
    service.run()


def newest(service: Service, address: str, kind: str = "") -> Letter:
    return next(letter for letter in reversed(service.mailbox(address)) if kind in letter.kind)


def tokens(service: Service) -> set[str]:
    with service.session() as session:
        return set(session.exec(select(SeatToken.token)).all())


def orders(service: Service, game: str) -> list[str]:
    return [text for text in service.log(game) if not text.startswith("undo")]


def aliases(service: Service) -> dict[str, str]:
    with service.session() as session:
        found = session.exec(select(AliasRow).where(col(AliasRow.confirmed_at).is_not(None))).all()
        return {row.address: row.record for row in found}


def agree(service: Service, address: str) -> None:
    """Answer yes to the newest mail there."""
    write(service, "yes", newest(service, address, "notice").reply_to, address)
