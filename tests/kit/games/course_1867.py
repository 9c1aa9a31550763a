"""Positions of 1867 and where they go on: on the column chart, with CN in Toronto. Agendas are those of its cousin."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from tests.kit.games.course_1861 import agreed, merger_round, operating_turn, refuse_shares, stock_turn, whole_round
from tests.kit.games.situations import Described, Played, company, fresh, situation

__all__ = ["agreed", "company", "merger_round", "operating_turn", "refuse_shares", "stock_turn", "whole_round"]

EDITION: Final = "18xx.games"
PRICES: Final = (
    35, 40, 45, 50, 55, 60, 65, 70, 80, 90, 100, 110, 120, 135, 150, 165, 180, 200, 220, 245, 270, 300, 330, 360, 400,
    440, 490, 540,
)  # fmt: skip
"""The column chart from the left."""
SPACES: Final = {price: f"r1c{number}" for number, price in enumerate(PRICES, 1)}


def begun(players: str = "Ann Bob Cat", **options: str) -> Played:
    """A game at its first question."""
    return fresh(players, title="1867", edition=EDITION, **options)


def position(*described: Described, cn: str = "F16/0", **rest: Any) -> Played:
    """A position; ``cn``: the places of CN's markers."""
    return situation(company("CN", markers=cn), *described, title="1867", edition=EDITION, **rest)


def minor(name: str, owner: str, price: int = 100, **rest: Any) -> Described:
    """A minor, with no marker unless places are named."""
    return company(name, owner, at=SPACES[price], **rest)


def public(name: str, owners: Mapping[str, int] | str, price: int = 100, **rest: Any) -> Described:
    """A public company of ``owners``, the director first; a name alone has the director's certificate."""
    holders = {owners: 2} if isinstance(owners, str) else owners
    return company(name, holders, at=SPACES[price], **rest)


def stock(*described: Described, player: str = "Ann", **rest: Any) -> Played:
    """A stock round with all privates sold, ``player`` on turn."""
    return stock_turn(position(*described, **{"round": "SR 3", **rest}), player)


def turn(*described: Described, stage: str = "redeem", then: str = "", **rest: Any) -> Played:
    """The operating turn of the company described first."""
    return operating_turn(position(*described, **rest), described[0].id, stage, then)


def places(game: Played, name: str) -> list[str]:
    """Places of the company's markers, as ``F16/0``."""
    return sorted(f"{hex}/{city}" for hex, city in game.state.board.places_of(game.title.companies[name].id))  # type: ignore[index]
