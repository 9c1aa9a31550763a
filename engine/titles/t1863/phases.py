"""Phases: what the first train of each supply brings when it is bought."""

from __future__ import annotations

from engine.core.ids import CompanyId, TrainName
from engine.core.title import Play


def train_bought(play: Play, company: CompanyId, train: TrainName) -> None:
    """All that follows from the purchase of a new train."""  # rule 3.2, 5.5
    raise NotImplementedError
