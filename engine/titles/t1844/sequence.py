"""The course of the game: auction, then stock rounds and sets of operating rounds, until the bank ends it."""

from __future__ import annotations

from typing import Final

from engine.core.events import CertificatesMoved, EndSignalled, GameOver, Marked, OrderOfPlay, RoundBegan
from engine.core.ids import IPO, POOL, PlayerId
from engine.core.state import Round, State
from engine.core.title import Play, Title
from engine.holders.charters import ordinary_kind
from engine.holders.ledger import shares
from engine.holders.succession import from_player
from engine.steps.course import After, Sequence
from engine.titles.t1844.names import ACTIVE, FIRST_EXPORT_PHASE, FNM, MOUNTAIN, ROUNDS, SBB_DUE, TUNNEL
from engine.titles.t1844.phases import ask_for_discards, export
from engine.titles.t1844.rulings import rulings_of
from engine.titles.t1844.sbb import form
from engine.titles.t1844.stock.auction import first_auction
from engine.titles.t1844.stock.frame import StockRound
from engine.titles.t1844.turn.debts import settle_exchange
from engine.titles.t1844.turn.operating_round import operating_round

AUCTION_ROUND: Final = "ISR"
FNM_IN_POOL: Final = 3
PAPER_VALUES: Final = {MOUNTAIN: 150, TUNNEL: 50}
END_KNOWN: Final = "end_known"


def _set_up(play: Play) -> None:
    """Set the order of play, put shares of FNM in the pool and begin the auction."""  # rule 1.4, 1.11
    state = play.state
    if state.players[0] != state.priority:
        play.emit(OrderOfPlay(from_player(state, state.priority)))
    play.emit(
        CertificatesMoved(FNM, ordinary_kind(play.title, state, FNM), FNM_IN_POOL, IPO, POOL),
        RoundBegan(Round(AUCTION_ROUND, 1)),
    )
    play.push(first_auction(play.title, play.state))


def _first_stock_round(play: Play) -> None:
    play.emit(RoundBegan(Round("SR", play.state.round.set)))


def _trade(play: Play) -> None:
    for player in play.state.players:
        settle_exchange(play, player)
    play.push(StockRound(play.state.players[0]))


def _count_rounds(play: Play) -> None:
    """Fix the number of operating rounds of the set by the present phase."""  # rule 5.1
    play.emit(Marked(ROUNDS, play.title.phase(play.state).rounds))


def _operate(play: Play) -> None:
    now = play.state.round
    play.emit(RoundBegan(Round("OR", now.set, 1 if now.kind == "SR" else now.number + 1)))
    play.push(operating_round(play.title, play.state))
    if rulings_of(play.title).discard_after_export == "next_turn":  # rule 12.11
        ask_for_discards(play)


def _export(play: Play) -> None:
    """Export a train. If that begins a phase, ask for discards, unless a ruling delays them."""  # rule 5.12, 12.11
    if not play.title.reached(play.state, FIRST_EXPORT_PHASE):
        return
    if export(play) and rulings_of(play.title).discard_after_export == "at_once":
        ask_for_discards(play)


def _form(play: Play) -> None:
    """Form the SBB if it is due. This still belongs to the finished round. If it breaks the bank after the last
    operating round of a set, the end is signalled only after the stock round, so that a whole set is played."""
    # rule 14.3
    if SBB_DUE in play.state.marks:  # rule 13.1, 13.2
        form(play)


def _next_set(play: Play) -> None:
    play.emit(RoundBegan(Round("SR", play.state.round.set + 1)))


def _look_at_bank(play: Play) -> None:
    """Signal once that the broken bank ends the game."""  # rule 14.1
    if play.state.broke is not None and END_KNOWN not in play.state.marks:
        play.emit(Marked(END_KNOWN, True), EndSignalled("bank", "this_set"))


def _finish(play: Play) -> None:
    """Report the final scores."""  # rule 14.9
    rows = [(p, score(play.title, play.state, p)) for p in play.state.players]
    play.emit(GameOver(tuple(sorted(rows, key=lambda row: -row[1])), "bank"))


def score(title: Title, state: State, player: PlayerId) -> int:
    """Cash, shares at their price and active papers, less debt."""  # rule 14.6, 14.7, 14.8
    total = state.money(player) - state.debt(player)
    total += sum(shares(title, state, player, c) * title.price(state, c) for c in state.prices)
    active = state.marks.get(ACTIVE, frozenset())
    return total + sum(
        PAPER_VALUES[title.privates[paper].kind] for paper in active if state.privates.get(paper) == player
    )


def _set_goes_on(title: Title, state: State) -> bool:
    """True if the set has another operating round."""
    return bool(state.round.number < state.marks[ROUNDS])


def _bank_broken(title: Title, state: State) -> bool:
    return state.broke is not None


def _forms_before_export(title: Title, state: State) -> bool:
    """True if by a ruling the SBB is formed before the export."""  # rule 13.2
    return rulings_of(title).formation == "before_export"


SEQUENCE: Final = Sequence(
    start=("set_up",),
    rows=(
        After(AUCTION_ROUND, "", ("first_stock_round", "trade"), "2.1"),
        After("SR", "", ("count_rounds", "operate"), "5.1"),
        After("OR", "set_goes_on", ("form", "operate"), "13.1"),
        After("OR", "bank_broken", ("finish",), "14.5"),
        After("OR", "forms_before_export", ("form", "export", "form", "next_set", "trade"), "13.2"),
        After("OR", "", ("export", "form", "next_set", "trade"), "5.12"),
    ),
    conditions={
        "set_goes_on": _set_goes_on,
        "bank_broken": _bank_broken,
        "forms_before_export": _forms_before_export,
    },
    does={
        "set_up": _set_up,
        "first_stock_round": _first_stock_round,
        "trade": _trade,
        "count_rounds": _count_rounds,
        "operate": _operate,
        "export": _export,
        "form": _form,
        "next_set": _next_set,
        "finish": _finish,
    },
    over=_look_at_bank,
)
