"""The end of the game, and who is how rich then."""

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
from engine.titles.t1863.shares import players_in, shorts_of

LAST_TRAIN: Final = "trains"
LAST_MARKER: Final = "lptb"
BANKRUPTCY: Final = "bankruptcy"
LAST_PLAYER: Final = "last_player"
STALEMATE: Final = "stalemate"
"""Why the game ends."""
FINAL_LOANS: Final = "loans"
"""The debt of a player who could not pay what a company of his lacked at the end."""


def signal_end(play: Play, reason: str) -> None:
    """The end is in sight: the set of rounds is finished, and one more follows."""  # rule 11.1
    if ENDING not in play.state.marks:
        play.emit(Marked(ENDING, reason), EndSignalled(reason, "one_more_set"))


def score(title: Title, state: State, player: PlayerId) -> int:
    """Cash and shares at their prices, less shorts and what the player could not pay for his companies; privates count
    nothing."""  # rule 11.3, 11.7
    total = state.money(player) - state.debt(player)
    for company in state.prices:
        net = shares(title, state, player, company) - shorts_of(state, player, company)
        total += net * title.price(state, company)
    return total


def finish(play: Play) -> None:
    """Loans are repaid, then the final standings; equal wealth shares the place."""  # rule 11.3
    repay_everything(play)
    rows = [(p, score(play.title, play.state, p)) for p in play.state.players]
    reason = LAST_PLAYER if len(players_in(play.state)) < 2 else play.state.marks.get(ENDING, STALEMATE)
    play.emit(GameOver(tuple(sorted(rows, key=lambda row: -row[1])), reason))


def repay_everything(play: Play) -> None:
    """Every company pays its unpaid bills and repays its loans from its own cash; what it lacks its president pays, a
    company from its cash, and in the end the player, who owes what goes beyond his."""  # rule 7.1, 11.3, 12.55
    title, void = play.title, rulings_of(play.title).final_loans == "void"
    lacking = {company: _repay(play, company, "void" if void else "settled") for company in play.state.companies}
    if OWED in play.state.marks:
        play.emit(Marked(OWED, None))
    for company, missing in () if void else lacking.items():
        for owner in chain_of(title, play.state, company):
            paid = min(missing, max(0, play.state.money(owner)))
            play.pay(owner, BANK, paid, "help", company)
            missing -= paid
        player = controller_of(title, play.state, company)
        if missing and player is not None:
            play.emit(DebtChanged(player, FINAL_LOANS, missing, "taken"))


def _repay(play: Play, company: CompanyId, beyond: str) -> int:
    """The company pays what it can; answers what it lacks. ``beyond``: what becomes of loans that it cannot repay."""
    bills: dict[CompanyId, int] = mark(play.state, OWED, {})
    bill, cash, count = bills.get(company, 0), play.state.money(company), play.state.companies[company].loans
    due = bill + count * loan(play.title)
    play.pay(company, BANK, min(bill, cash), "costs", company)
    play.pay(company, BANK, min(due, cash) - min(bill, cash), "repayment", company)
    if count:
        play.emit(LoansChanged(company, -count, "repaid" if due <= cash else beyond))
    return max(0, due - cash)


def end_at_once(play: Play) -> None:
    """End the game before the next question where only one player is solvent."""  # rule 11.2
    if not play.state.finished and len(players_in(play.state)) < 2:
        finish(play)
