"""The terms of a forming game as they are stored, and as they are told."""

from __future__ import annotations

from typing import Any

from moderator.adapters.tables import FormingRow
from moderator.service.play.new_games import Person, Terms


def stored(terms: Terms) -> dict[str, Any]:
    master = terms.master
    return {
        "options": dict(terms.options), "hours": terms.deadline_hours, "time": terms.deadline_time,
        "facts": terms.facts, "clock": [list(pair) for pair in terms.clock],
        "master": None if master is None else [master.name, master.address], "anonymous": terms.anonymous,
    }  # fmt: skip


def terms_of(row: FormingRow) -> Terms:
    """The terms of a forming game."""
    kept = row.terms
    return Terms(
        row.title, row.edition, kept["options"], deadline_hours=kept["hours"], deadline_time=kept["time"],
        facts=kept["facts"], clock=tuple((name, value) for name, value in kept["clock"]),
        master=None if kept["master"] is None else Person(*kept["master"]), anonymous=kept.get("anonymous", False),
    )  # fmt: skip
