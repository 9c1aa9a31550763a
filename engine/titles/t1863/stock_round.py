"""The stock round: turns of players, each as himself or as one company that he controls."""

from __future__ import annotations

from engine.core.title import Play


def begin_stock_round(play: Play) -> None:
    """Put a stock round on the agenda; the priority holder begins."""  # rule 4.9
    raise NotImplementedError
