"""The operating round: the turns of the companies, dearest first."""

from __future__ import annotations

from engine.core.title import Play


def begin_operating_round(play: Play) -> None:
    """Put an operating round on the agenda."""  # rule 5.7
    raise NotImplementedError
