"""The reach of a company for a purpose, under the rules of the title."""

from __future__ import annotations

from engine.board.board import Board
from engine.board.network import Reach, reach
from engine.board.ways import Purpose
from engine.core.ids import CompanyId
from engine.core.state import State
from engine.core.title import Title


def reach_for(title: Title, state: State, company: CompanyId, purpose: Purpose, board: Board | None = None) -> Reach:
    """The reach of ``company`` for a purpose, on the board of ``state`` or on another ``board``."""
    ways = title.policies.ways(title, state, company, purpose)
    return reach(state.board if board is None else board, company, ways)
