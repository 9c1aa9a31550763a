"""Dividends: who gets what of a company's earnings."""

from __future__ import annotations

from engine.core.ids import BANK, TREASURY, CompanyId
from engine.core.play import Play
from engine.finance.holdings import shares


def pay_shares(play: Play, company: CompanyId, per_share: int) -> None:
    """Pay every player's shares, and the treasury's to the company; the pool's part stays in the bank."""
    for player in play.state.players:
        held = shares(play.title, play.state, player, company)
        play.pay(BANK, player, held * per_share, "dividend", company)
    own = shares(play.title, play.state, TREASURY, company)
    play.pay(BANK, company, own * per_share, "dividend", company)


def half_up(revenue: int, unit: int = 10) -> int:
    """Half of ``revenue``, rounded up to a multiple of ``unit``."""
    return -(-revenue // (2 * unit)) * unit
