"""The tiles that a company may still lay in its turn, for those who tell a player."""

from __future__ import annotations

from dataclasses import dataclass

from engine.acts.act import Act, Turn
from engine.core.state import State
from engine.core.title import Title


@dataclass(frozen=True, slots=True)
class LaysLeft:
    """``lays``: the number of tiles that may still be laid in the turn. ``upgrades``: how many of them may be upgrades.
    ``made``: the number laid so far. ``fee``: the fee for each tile after the first. ``upgrade_first``: only the next
    tile may be an upgrade. ``apart``: each tile is laid from another token of the company."""

    lays: int
    upgrades: int
    made: int = 0
    fee: int = 0
    upgrade_first: bool = False
    apart: bool = False


class TrackAct(Act):
    """Base class of the acts that lay a company's tiles."""

    def left(self, title: Title, state: State, turn: Turn) -> LaysLeft:
        """Return what the company may still lay, apart from tiles by the power of a private."""
        raise NotImplementedError
