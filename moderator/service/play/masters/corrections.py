"""Corrections of a position by a game master. The position is written into the log, and a replay begins there."""

from __future__ import annotations

from typing import TypeAlias

from engine import Game, State
from engine.core.ids import BANK, POOL, CompanyId
from engine.correction import Correction, Payment, Transfer, corrected
from grammar.master import words as m
from moderator.service.desk import Sitting
from moderator.service.games import Live
from moderator.service.play.holds import go_on, write_position
from moderator.service.play.masters.acts import under_way
from moderator.service.table.table import open_table

Wanted: TypeAlias = m.CorrectPay | m.CorrectMove


def correct_in(sitting: Sitting, game: str, wanted: Wanted, reason: str = "", *, trial: bool = False) -> Live | None:
    """Correct the position of a game as the game master wishes, and tell everybody. Orders given ahead stay; they are
    tried when they are due. Returns the game as it stands then: it counts once the sitting is committed. In a trial
    everything is checked and nothing is done. ``ValueError`` if the game is over or on hold, if there is no reason, or
    if the correction does not hold together."""
    row = under_way(sitting.session, game)
    if row.hold is not None:
        raise ValueError(f"{game} is on hold; it goes on first")
    if not reason:
        raise ValueError("a correction needs a reason, on a line `reason: ...`, because it stays in the record")
    table = open_table(sitting, row)
    before = table.game
    state = corrected(before.title, before.state, correction_of(before.state, wanted))
    if trial:
        return None
    after = Game.resume(before.title, before.setup, list(before.orders), state)
    table = write_position(table.after(after), f"{wanted}: {reason}")
    go_on(table, "corrected", {"what": str(wanted), "reason": reason})
    return table.live


def correction_of(state: State, wanted: Wanted) -> Correction:
    """The correction with the names that it is written with. ``ValueError`` names one that nothing in the game has."""
    if isinstance(wanted, m.CorrectPay):
        source, target = (_name(state, said, bank=True) for said in (wanted.source, wanted.target))
        return Payment(wanted.amount, source, target)
    company = next((name for name in state.companies if name.casefold() == wanted.company.casefold()), None)
    if company is None:
        raise ValueError(f"no company is called {wanted.company}: there are {', '.join(state.companies)}")
    source, target = (_name(state, said, bank=False) for said in (wanted.source, wanted.target))
    return Transfer(wanted.number, CompanyId(company), source, target)


def _name(state: State, said: str, *, bank: bool) -> str:
    """The owner that is called ``said``: a player, a company, and the bank or the pool."""
    last = BANK if bank else POOL
    known = {name.casefold(): str(name) for name in (*state.players, *state.companies, last)}
    found = known.get(said.casefold())
    if found is None:
        raise ValueError(f"{said} is neither a player nor a company nor the {last.casefold()}")
    return found
