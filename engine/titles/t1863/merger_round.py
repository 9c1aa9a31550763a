"""The round of mergers and acquisitions: liquidations and acquisitions first, then each company in its order."""

from __future__ import annotations

from engine.core.title import Play


def begin_merger_round(play: Play) -> None:
    """Put a merger round on the agenda."""  # rule 8.9
    raise NotImplementedError
