"""Bankruptcy: a player who cannot pay his debt loses everything and leaves the game."""

from __future__ import annotations

from engine.core.events import CertificatesMoved, Froze, Marked, PriorityMoved, Resigned
from engine.core.ids import BANK, POOL, TREASURY, CompanyId, PlayerId
from engine.core.title import Play
from engine.holders.control import count, owner_of
from engine.holders.ledger import shares
from engine.titles.t1863.ending.ends import BANKRUPTCY, signal_end
from engine.titles.t1863.failures.failure import remove_privates
from engine.titles.t1863.names import ORDINARY, OSI, OUT, SHORT, mark
from engine.titles.t1863.rulings import rulings_of
from engine.titles.t1863.stock.market import into_liquidation
from engine.titles.t1863.stock.presidency import move_shares, next_president
from engine.titles.t1863.stock.shares import is_minor, seats_after, shorts_of


def go_bankrupt(play: Play, player: PlayerId) -> None:
    """Remove the player, who has paid what he could, from the game. His privates leave the game. His shares go to the
    pool without moving any price, and his shorts go back to where they came from. His companies go to the next largest
    holders. A company that nobody can take over awaits its liquidation, or its seizure in phase V."""
    # rule 7.3, 12.39
    play.pay(player, BANK, play.state.money(player), "bankruptcy")
    out: frozenset[PlayerId] = mark(play.state, OUT, frozenset())
    play.emit(Resigned(player), Marked(OUT, out | {player}))
    remove_privates(play, player)
    for company in tuple(play.state.prices):
        _give_up(play, player, company)
        _return_shorts(play, player, company)
    heirs = seats_after(play.state, player)
    if play.state.priority == player and heirs:
        play.emit(PriorityMoved(heirs[0]))
    if rulings_of(play.title).first_bankruptcy_ends:  # rule 11.2
        signal_end(play, BANKRUPTCY)


def _give_up(play: Play, player: PlayerId, company: CompanyId) -> None:
    """Move the player's shares of a company to the pool. If nobody can take over the company, the president's
    certificate goes there too, and the company goes into liquidation."""
    title, state = play.title, play.state
    held = shares(title, state, player, company)
    if not held:
        return
    after = {player: 0, POOL: shares(title, state, POOL, company) + held}
    presides = owner_of(title, state, company) == player
    if not presides or (
        not is_minor(title, state, company) and next_president(title, state, company, after) is not None
    ):
        move_shares(play, company, held, player, POOL)
        return
    for (place, of, kind), number in state.holdings.items():
        if place == player and of == company and kind != SHORT and number:
            play.emit(CertificatesMoved(company, kind, number, player, POOL))
    play.emit(Froze(company))
    into_liquidation(play, company)


def _return_shorts(play: Play, player: PlayerId, company: CompanyId) -> None:
    """Return the player's shorts in pairs with shares from the pool, or else from the charter. Shorts for which no
    share is left go to the charter, where nobody can sell them."""
    shorts = shorts_of(play.state, player, company)
    for place in (POOL, TREASURY):
        number = min(shorts, count(play.state, place, company, ORDINARY))
        if number:
            play.emit(
                CertificatesMoved(company, SHORT, number, player, OSI),
                CertificatesMoved(company, ORDINARY, number, place, OSI),
            )
            shorts -= number
    if shorts:
        play.emit(CertificatesMoved(company, SHORT, shorts, player, TREASURY))
