"""The course of the game: the sequence of rounds, the end of the game and the final scores."""

from __future__ import annotations

from collections.abc import Callable

from engine.core.events import EndSignalled, GameOver, LoansChanged, Marked, PrivateClosed, RoundBegan
from engine.core.ids import CompanyId, PlayerId
from engine.core.state import Round, State
from engine.core.title import Play, Title
from engine.families.f1867.mergers.merger_round import MergerRound
from engine.families.f1867.names import MINOR, PUBLIC
from engine.families.f1867.phases import ask_what_is_due
from engine.families.f1867.rulings import rulings_of
from engine.families.f1867.stock.frame import StockRound
from engine.families.f1867.turn.operating_round import OperatingRound
from engine.holders.charters import charter_of
from engine.holders.ledger import shares
from engine.shares.price import move_price
from engine.steps.course import After, Sequence

ROUNDS_IN_A_SET = 2


def _stock_round(play: Play) -> None:
    now = play.state.round
    play.emit(RoundBegan(Round("SR", now.set + 1 if now.number else now.set)))
    play.push(StockRound(play.state.priority))
    ask_what_is_due(play)


def _operating_round(play: Play) -> None:
    now = play.state.round
    play.emit(RoundBegan(Round("OR", now.set, 1 if now.kind == "SR" else now.number + 1)))
    play.push(OperatingRound(play.title.policies.operating_order(play.title, play.state)))


def _merger_round(play: Play) -> None:
    now = play.state.round
    play.emit(RoundBegan(Round("MR", now.set, now.number)))
    order = play.title.policies.operating_order(play.title, play.state)
    play.push(MergerRound(tuple(c for c in order if charter_of(play.title, play.state, c).kind == MINOR)))
    ask_what_is_due(play)


def remove_privates(play: Play) -> None:
    """Draw the privates to remove that the number of players requires."""
    title, state = play.title, play.state
    removed = title.table[len(state.players)].privates_removed  # rule 1.1
    if removed and len(state.privates) == len(title.privates):
        for _ in range(removed):
            play.emit(PrivateClosed(play.draw("private removed", tuple(play.state.privates)), unused=True))


def rounds_in_set(state: State) -> int:
    """Number of operating rounds in the present set."""  # rule 6.11
    last = state.marks.get("last_round")
    return last[1] if last is not None and last[0] == state.round.set else ROUNDS_IN_A_SET


def _set_goes_on(title: Title, state: State) -> bool:
    """True if the set has another operating round."""
    return state.round.number < rounds_in_set(state)


def _mergers_follow(title: Title, state: State) -> bool:
    """True if a merger round follows: the operating round has ended in phases 3 to 7."""  # rule 14.1, 15.3
    return title.reached(state, "3") and not title.reached(state, "8")


def _look_at_bank(play: Play) -> None:
    """Signal the end of the game if the bank has broken, unless its last round is already known."""
    # rule 15.4, 15.5, 15.6
    broke = play.state.broke
    if broke is None or "last_round" in play.state.marks:
        return
    last = (broke.set, 1 if broke.kind == "SR" else broke.number)
    play.emit(Marked("last_round", last), EndSignalled("bank", "this_round" if broke.kind == "OR" else "next_round"))


def _is_last(title: Title, state: State) -> bool:
    """True if the last round of the game has been played."""
    last, now = state.marks.get("last_round"), state.round
    return last is not None and (now.set, now.number) >= last


def ends_now(title: Title, state: State) -> bool:
    """True if the game ends with the operating round that is being played."""
    now, broke = state.round, state.broke
    if "last_round" not in state.marks and broke is not None:
        return broke.kind == "OR" or (now.set, now.number) >= (broke.set, 1)
    return _is_last(title, state)


def _finish(play: Play) -> None:
    """Lower the prices for unpaid loans, then report the final scores."""  # rule 15.7, 15.8, 15.9
    for company in sorted(play.state.prices, key=lambda c: _charter_place(play.title, c)):
        loans = play.state.companies[company].loans
        if loans:
            move_price(play, company, "left", loans, "loan")
            play.emit(LoansChanged(company, -loans, "void"))
    rows = [(p, score(play.title, play.state, p)) for p in play.state.players]
    rows.sort(key=lambda row: -row[1])
    by_train = play.state.marks["last_round"][1] > ROUNDS_IN_A_SET  # only the last train causes a third round
    play.emit(GameOver(tuple(rows), "last_train" if by_train else "bank"))


def _charter_place(title: Title, company: CompanyId) -> tuple[int, int]:
    """Sort key for the order in which prices move left at the end: minors available from the start, then public
    companies, then the other minors, each in the order of the charters."""  # rule 15.7
    data = title.companies[company]
    later = data.charter.kind == MINOR and data.available_from is not None
    return 2 * later + (data.charter.kind == PUBLIC), list(title.companies).index(company)


def score(title: Title, state: State, player: PlayerId) -> int:
    """Cash, privates at face value or by a ruling at nothing, shares at their final price, minors at twice theirs."""
    # rule 15.7, 15.8
    total = state.money(player)
    if rulings_of(title).private_score == "face":
        total += sum(title.privates[p].face for p, owner in state.privates.items() if owner == player)
    for company, marker in state.prices.items():
        held = shares(title, state, player, company)
        if held:
            loans = state.companies[company].loans
            cell = title.chart.move(charter_of(title, state, company).kind, marker.cell, "left", loans)
            total += held * title.chart.price(cell)
    return total


def sequence(set_up: Callable[[Play], None]) -> Sequence:
    """The course of a game that begins with ``set_up``."""
    return Sequence(
        start=("set_up", "stock_round"),
        rows=(
            After("SR", "", ("operating_round",), "6.11"),
            After("OR", "is_last", ("finish",), "15.8"),
            After("OR", "mergers_follow", ("merger_round",), "14.1"),
            After("OR", "set_goes_on", ("operating_round",), "6.11"),
            After("OR", "", ("stock_round",), "6.11"),
            After("MR", "set_goes_on", ("operating_round",), "6.11"),
            After("MR", "", ("stock_round",), "6.11"),
        ),
        conditions={"is_last": _is_last, "mergers_follow": _mergers_follow, "set_goes_on": _set_goes_on},
        does={
            "set_up": set_up,
            "stock_round": _stock_round,
            "operating_round": _operating_round,
            "merger_round": _merger_round,
            "finish": _finish,
        },
        over=_look_at_bank,
    )
