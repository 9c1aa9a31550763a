"""Station markers: the marker that a company may place in its turn."""

from __future__ import annotations

from dataclasses import dataclass

from engine.acts.place_token import PlaceToken
from engine.core.checks import Failure
from engine.core.ids import CompanyId
from engine.core.state import State
from engine.core.title import Title
from engine.titles.t1863.names import FINAL, mark
from engine.titles.t1863.rulings import rulings_of


def board_closed(title: Title, state: State) -> bool:
    """True in the last two operating rounds, in which the board does not change."""  # rule 11.1, 12.54, 11.5
    return mark(state, FINAL, False) and not rulings_of(title).last_rounds_build


@dataclass(frozen=True, slots=True)
class PlaceMarker(PlaceToken):
    """Place one marker from the charter free of charge: before, between or after the lays."""  # rule 5.2, 5.9, 5.10

    def bars(self, title: Title, state: State, company: CompanyId) -> Failure | None:
        return Failure("token.last_rounds", {"company": company}) if board_closed(title, state) else None
