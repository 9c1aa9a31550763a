"""Debts of players to the bank: loans, repayment and interest."""

from __future__ import annotations

from engine.core.events import DebtChanged
from engine.core.ids import BANK, PlayerId
from engine.core.title import Play
from engine.titles.t1844.names import EMERGENCY, FORMATION
from engine.titles.t1844.rulings import rulings_of

KINDS = (FORMATION, EMERGENCY)
"""Kinds of debt in order of repayment. The first is the one that must be settled as soon as possible."""


def half_up(amount: int) -> int:
    """Half of ``amount``, rounded up."""
    return -(-amount // 2)


def borrow(play: Play, player: PlayerId, missing: int) -> None:
    """Lend ``missing`` for a train. The debt is one and a half times that amount, rounded up."""  # rule 11.4
    play.pay(BANK, player, missing, "debt")
    play.emit(DebtChanged(player, EMERGENCY, missing + half_up(missing), "taken"))


def repay(play: Play, player: PlayerId, amount: int) -> None:
    """Carry out a checked repayment, in the order of ``KINDS``."""
    play.pay(player, BANK, amount, "repayment")
    for kind in KINDS:
        part = min(amount, play.state.debt(player, kind))
        if part:
            play.emit(DebtChanged(player, kind, -part, "repaid"))
        amount -= part


def settle_exchange(play: Play, player: PlayerId) -> None:
    """Repay debt of the exchange with all available cash in a stock round, unless a ruling makes that voluntary."""
    # rule 13.12
    amount = min(play.state.debt(player, FORMATION), play.state.money(player))
    if amount > 0 and rulings_of(play.title).sbb_debt_sales == "must":
        repay(play, player, amount)


def interest(play: Play) -> None:
    """Raise debts by half, rounded up, at the end of a stock round. Debt of the exchange grows only by a ruling."""
    # rule 11.10, 13.11
    for player in play.state.players:
        emergency, formation = play.state.debt(player, EMERGENCY), play.state.debt(player, FORMATION)
        if not rulings_of(play.title).sbb_debt_interest:
            formation = 0
        first = half_up(formation)
        for kind, growth in ((FORMATION, first), (EMERGENCY, half_up(emergency + formation) - first)):
            if growth:  # rounded once, over the sum of the debts that grow
                play.emit(DebtChanged(player, kind, growth, "interest"))
