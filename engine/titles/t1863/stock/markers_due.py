"""The bill for the markers that a company was floated with. It is due before the stock round ends."""

from __future__ import annotations

from engine.core.checks import Failure
from engine.core.events import Marked
from engine.core.ids import BANK, CompanyId
from engine.core.state import State
from engine.core.title import Play, Title
from engine.titles.t1863.names import MARKERS_DUE, mark


def all_due(state: State) -> dict[CompanyId, int]:
    """The companies that still owe money for markers, with the amounts."""
    return mark(state, MARKERS_DUE, {})


def due(state: State, company: CompanyId) -> int:
    """The amount that the company still owes for markers."""
    return all_due(state).get(company, 0)


def owe_markers(play: Play, company: CompanyId, amount: int) -> None:
    """Set the amount that the company owes for markers; 0 clears it."""  # rule 4.2
    rest = {c: sum for c, sum in all_due(play.state).items() if c != company}
    now = {**rest, company: amount} if amount else rest
    play.emit(Marked(MARKERS_DUE, now or None))


def check_settle(title: Title, state: State, company: CompanyId) -> list[Failure]:
    """Every reason why the company may not pay for its markers now."""
    owed, cash = due(state, company), state.money(company)
    if not owed:
        return [Failure("markers.none_due", {"company": company})]
    return [Failure("markers.money", {"company": company, "due": owed, "cash": cash})] if owed > cash else []


def pay_markers(play: Play, company: CompanyId) -> None:
    """Pay the whole bill for the markers from the company's cash, which must cover it."""  # rule 4.2, 4.23
    play.pay(company, BANK, due(play.state, company), "token", company)
    owe_markers(play, company, 0)
