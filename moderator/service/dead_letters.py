"""Things in the mailbox that cannot be read: the operator is told once for each, and health shows it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from moderator.service.desk import Desk
from moderator.service.post.outbox import queue_operator
from moderator.service.service_facts import forget, recall, recall_to_change, remember

SKIPPED: Final = "skipped "
"""Prefix of the keys of what was skipped, by mailbox. A value has ``names``, to each its reason, and ``count``."""
_KEPT: Final = 500
_NAMED: Final = 5


def note_skipped(desk: Desk, source: str, skipped: Mapping[str, str]) -> None:
    """Keep what a look through the whole mailbox ``source`` could not read, in place of what an earlier look could not,
    and tell the operator what is new. ``skipped``: the reasons by name. Of very many only ``_KEPT`` are kept."""
    names = dict(sorted(skipped.items())[:_KEPT])
    value = {"names": names, "count": len(skipped)}
    with desk.database.reading() as session:
        if (recall(session, SKIPPED + source) or {"names": {}, "count": 0}) == value:
            return
    with desk.sitting() as sitting:
        before = recall_to_change(sitting.session, SKIPPED + source) or {"names": {}}
        if skipped:
            remember(sitting, SKIPPED + source, value)
        else:
            forget(sitting.session, SKIPPED + source)
        new = {name: why for name, why in names.items() if name not in before["names"]}
        if new:
            few = [{"name": name, "why": why} for name, why in list(new.items())[:_NAMED]]
            facts = {"mailbox": source, "new": few, "more": len(new) - len(few), "count": len(skipped)}
            queue_operator(sitting, sitting.words.operator_words("skipped", facts), kind=SKIPPED.strip())
