"""Situations for tests of track: a position, what was laid before, and what an order there fails."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import engine
from engine.acts.lay_track import Earlier, check_lay
from engine.core.checks import Failure
from engine.core.ids import CompanyId, HexId, TileId
from engine.core.orders import Lay
from engine.core.state import State
from engine.core.title import Title
from engine.families.f1867.turn.company_turn import RULES
from tests.kit.games.positions import Markers, Tiles, position, start


@lru_cache(maxsize=8)
def title(edition: str = "v2.0", **options: str) -> Title:
    return engine.load_title("1861", edition, options)


@lru_cache(maxsize=1)
def first() -> State:
    return start(title())


@dataclass(frozen=True, slots=True)
class Where:
    """A position: tiles, markers, phase, and what was laid this turn before."""

    tiles: Tiles
    markers: Markers
    phase: str = "2"
    earlier: Earlier = ()
    money: int = 1000

    def state(self) -> State:
        return position(first(), title(), self.tiles, self.markers, self.phase)


def lay(text: str, company: str) -> Lay:
    """``8 I7 1`` as an order."""
    tile, hex, rotation = text.split()
    return Lay(CompanyId(company), TileId(tile), HexId(hex), int(rotation))


def fails(where: Where, company: str, text: str, rules: Title | None = None) -> tuple[Failure, ...]:
    order = lay(text, company)
    return check_lay(rules or title(), where.state(), order.actor, order, where.earlier, where.money, RULES)


def keys(where: Where, company: str, text: str, rules: Title | None = None) -> set[str]:
    return {f.check for f in fails(where, company, text, rules)}


BARE = Where({}, {"I13": [["M-V"]]})
HOME = Where({"I13": "57#0"}, {"I13": [["M-V"]]})
LINE = {"I13": "57#0", "I11": "9#0"}
