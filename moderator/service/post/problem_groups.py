"""Gathers problems of one kind that follow each other. The operator is told the first at once, and the others later in
one mail with their number, so that a flood of the service does not flood the operator as well."""

from __future__ import annotations

import hashlib
import re
from datetime import datetime, timedelta
from typing import Final

from moderator.service.desk import Desk, Sitting
from moderator.service.service_facts import all_kept, forget, recall_to_change, remember

_GATHERED: Final = "gathered "
_QUOTED: Final = 5
"""The number of gathered problems that are quoted word by word."""
_NUMBER: Final = re.compile(r"(?<![\w-])\d+(?![\w-])")
"""A number by itself. Numbers in ``1861-7`` and in dates do not count, because they say what the problem is about."""


def is_first(sitting: Sitting, problem: str, kind: str) -> bool:
    """True if ``problem`` is to be told now. If not, it is kept for ``due``."""
    kind = kind or _NUMBER.sub("#", problem)
    key = _GATHERED + hashlib.sha256(kind.encode("utf-8", "replace")).hexdigest()[:24]
    now = sitting.now()
    before = recall_to_change(sitting.session, key)
    if before is None or (_over(sitting.desk, before, now) and not before["count"]):
        remember(sitting, key, {"since": now.isoformat(), "count": 0, "texts": []})
        return True
    texts = [*before["texts"], problem[:1_000]] if len(before["texts"]) < _QUOTED else before["texts"]
    remember(sitting, key, {**before, "count": before["count"] + 1, "texts": texts})
    return False


def due(sitting: Sitting) -> list[str]:
    """Texts about problems gathered for ``alarm_again_hours``, one for each kind. Trouble that goes on is gathered
    anew."""
    now, found = sitting.now(), []
    for name in all_kept(sitting.session, _GATHERED):
        kept = recall_to_change(sitting.session, _GATHERED + name)
        if kept is None or not _over(sitting.desk, kept, now):
            continue
        if not kept["count"]:
            forget(sitting.session, _GATHERED + name)
            continue
        facts = {
            "count": kept["count"], "texts": tuple(kept["texts"]), "left": kept["count"] - len(kept["texts"]),
            "hours": sitting.settings.alarm_again_hours,
        }  # fmt: skip
        found.append(sitting.words.operator_words("gathered", facts))
        remember(sitting, _GATHERED + name, {"since": now.isoformat(), "count": 0, "texts": []})
    return found


def _over(desk: Desk, kept: dict[str, object], now: datetime) -> bool:
    """True if the time for gathering is over, or if the clock was set back by as much."""
    return abs(now - datetime.fromisoformat(str(kept["since"]))) >= timedelta(hours=desk.settings.alarm_again_hours)
