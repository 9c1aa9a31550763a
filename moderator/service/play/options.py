"""Options of a game that can change while it is under way.

The terms of the clocks can, and that the players are anonymous. Options of the rules cannot: a record has one set of
them, with which the whole game is replayed from its first order.
"""

from __future__ import annotations

from typing import Final

from grammar.nearest import nearest
from moderator.adapters.tables import GameRow
from moderator.domain.clocks.terms import NONE, TERMS
from moderator.domain.clocks.timetable import KINDS
from moderator.service.desk import Sitting
from moderator.service.play.holds import notice_to_all
from moderator.service.play.masters.acts import under_way
from moderator.service.play.masters.master import set_terms_in
from moderator.service.table.acts import note_act
from moderator.service.table.table import open_table

ANONYMOUS: Final = "anonymous"
OPTIONS: Final = (*TERMS, *KINDS, ANONYMOUS)
"""The options that can change."""


def set_option_in(
    sitting: Sitting, game: str, name: str, value: str, reason: str = "", *, by_table: bool, trial: bool = False
) -> None:  # fmt: skip
    """Give an option of a game another value, and tell all players. ``by_table``: all of them have agreed.
    ``ValueError`` says why it cannot be done, and what can."""
    row = under_way(sitting.session, game)
    if name in TERMS or name in KINDS:
        set_terms_in(sitting, game, ((name, value),), reason, trial=trial)
    elif name == ANONYMOUS:
        _tell_names(sitting, row, value, reason, by_table=by_table, trial=trial)
    elif name in sitting.games.title_of(row).options:
        raise ValueError(
            f"`{name}` is an option of the rules. A record has one set of those, with which the whole game is replayed "
            f"from its first order, so they stay as they were when it began. These can change: {', '.join(OPTIONS)}"
        )
    else:
        near = nearest(name, {one: one for one in OPTIONS}, lambda _: False)
        meant = f" Did you mean `{near}`?" if near else ""
        raise ValueError(f"there is no option `{name}`.{meant} These can change: {', '.join(OPTIONS)}")


def _tell_names(sitting: Sitting, row: GameRow, value: str, reason: str, *, by_table: bool, trial: bool) -> None:
    """Tell all players who plays, before the end."""
    if value.casefold() not in (*NONE, "no"):
        raise ValueError("a game is anonymous from its beginning or never; only `anonymous off` is possible")
    if not row.anonymous:
        raise ValueError(f"{row.id} is not anonymous: nothing would change")
    if not by_table:
        raise ValueError("that is for the players alone: one of them writes `propose option anonymous off`")
    if trial:
        return
    row.anonymous = False
    note_act(sitting, row, "names", reason)
    table = open_table(sitting, row)
    persons = tuple((seat.player, seat.person) for seat in table.seats if seat.person)
    notice_to_all(table, "names", {"persons": persons, "reason": reason})
