"""The end of the game and the final wealth of the players."""

from __future__ import annotations

from typing import Final

from engine.core.events import DebtChanged, EndSignalled, GameOver, LoansChanged, Marked
from engine.core.ids import BANK, CompanyId, PlayerId
from engine.core.state import State
from engine.core.title import Play, Title
from engine.holders.control import chain_of, controller_of
from engine.holders.ledger import shares
from engine.titles.t1863.names import ENDING, OWED, mark
from engine.titles.t1863.pieces import loan
from engine.titles.t1863.rulings import rulings_of
from engine.titles.t1863.stock.shares import players_in, shorts_of

LAST_TRAIN: Final = "trains"
LAST_MARKER: Final = "lptb"
BANKRUPTCY: Final = "bankruptcy"
LAST_PLAYER: Final = "last_player"
STALEMATE: Final = "stalemate"
"""Reasons for the end of the game."""
FINAL_LOANS: Final = "loans"
"""The kind of debt of a player who could not cover what his company lacked at the end."""


def signal_end(play: Play, reason: str) -> None:
    """Signal the end of the game: this set of rounds is finished, and one more follows."""  # rule 11.1
    if ENDING not in play.state.marks:
        play.emit(Marked(ENDING, reason), EndSignalled(reason, "one_more_set"))


def score(title: Title, state: State, player: PlayerId) -> int:
    """The wealth of a player: cash and shares at their prices, less his shorts and the debts for his companies that he
    could not pay. Privates count nothing. By a ruling shorts are void."""  # rule 11.3, 11.7, 12.77
    total = state.money(player) - state.debt(player)
    for company in state.prices:
        owed = rulings_of(title).final_shorts == "owed"
        net = shares(title, state, player, company) - owed * shorts_of(state, player, company)
        total += net * title.price(state, company)
    return total


def finish(play: Play) -> None:
    """Repay all loans and end the game with the final standings. Players with equal wealth share a place."""
    # rule 11.3
    repay_everything(play)
    rows = [(p, score(play.title, play.state, p)) for p in play.state.players]
    reason = LAST_PLAYER if len(players_in(play.state)) < 2 else play.state.marks.get(ENDING, STALEMATE)
    play.emit(GameOver(tuple(sorted(rows, key=lambda row: -row[1])), reason))


def repay_everything(play: Play) -> None:
    """Let every company pay its unpaid bills and repay its loans from its own cash. Its president pays what it lacks; a
    company pays from its cash, up to the player at the top, who owes what his cash does not cover."""
    # rule 7.1, 11.3, 12.55
    title = play.title
    lacking = {company: _repay(play, company) for company in play.state.companies}
    if OWED in play.state.marks:
        play.emit(Marked(OWED, None))
    for company, missing in lacking.items():
        for owner in chain_of(title, play.state, company):
            paid = min(missing, max(0, play.state.money(owner)))
            play.pay(owner, BANK, paid, "help", company)
            missing -= paid
        player = controller_of(title, play.state, company)
        if missing and player is not None:
            play.emit(DebtChanged(player, FINAL_LOANS, missing, "taken"))


def _repay(play: Play, company: CompanyId) -> int:
    """Let the company pay what it can, and return the amount that it lacks."""
    bills: dict[CompanyId, int] = mark(play.state, OWED, {})
    bill, cash, count = bills.get(company, 0), play.state.money(company), play.state.companies[company].loans
    due = bill + count * loan(play.title)
    play.pay(company, BANK, min(bill, cash), "costs", company)
    play.pay(company, BANK, min(due, cash) - min(bill, cash), "repayment", company)
    if count:
        play.emit(LoansChanged(company, -count, "repaid" if due <= cash else "settled"))
    return max(0, due - cash)


def end_at_once(play: Play) -> None:
    """End the game at once, before the next question, if fewer than two players are solvent."""  # rule 11.2
    if not play.state.finished and len(players_in(play.state)) < 2:
        finish(play)
