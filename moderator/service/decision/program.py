"""Recognises mail that a program wrote, unless the operator has released it."""

from __future__ import annotations

from moderator.adapters.tables import MailRow
from moderator.service.desk import Sitting
from moderator.service.operation.releases import is_released
from moderator.service.robots.classify import Automatic, classify


def program_of(sitting: Sitting, mail: MailRow) -> Automatic | None:
    """The program that wrote the mail; None for a person's mail, and for mail that the operator says is a person's."""
    found = classify(mail.content, mail.envelope_from, sitting.settings)
    return None if found is not None and is_released(sitting.session, mail.id) else found
