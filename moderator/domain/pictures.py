"""Descriptions of the pictures in a mail. The pictures are drawn when the mail is sent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal, TypeAlias, get_args

Kind: TypeAlias = Literal["map", "chart", "tiles", "lays", "history"]
Wish: TypeAlias = Literal["on", "off", "map only", "dark"]
"""The pictures that a seat wants in its mails. ``dark``: all, for a dark screen."""
WISHES: tuple[Wish, ...] = ("on", "off", "map only", "dark")

Run: TypeAlias = tuple[str, tuple[str, ...]]
"""A train and the hexes of its run."""
Lay: TypeAlias = tuple[str, str, int]
"""A hex, a tile and its turn."""


@dataclass(frozen=True, slots=True)
class Picture:
    """One picture of a mail. ``id``: its name in the HTML. ``at``: the decision that it shows. ``alt``: its alternative
    text. ``hexes``: show only the part of the map around these, with ``rings`` further rings of hexes; the whole map
    if empty. ``since``: number of orders after which changes are marked; None marks none. ``company``, ``runs``: the
    runs of a company that are drawn over the map, or the company whose line in the history is thick. ``ran``:
    instead of runs, the number of orders before the one that declared them; they are drawn on the map of that time.
    ``after``: orders of the company that the picture assumes. ``near``: show only the part of the chart with
    markers. ``marked``: hexes of the map with a frame, because a legal lay is there. ``lays``: the lays on a sheet
    of lays. ``heading``: what stands above the legend of the map. ``width``: the width in pixels; 0 for the usual
    one. ``dark``: it is for a dark screen."""

    id: str
    kind: Kind
    at: int
    alt: str
    hexes: tuple[str, ...] = ()
    rings: int = 1
    since: int | None = None
    company: str = ""
    runs: tuple[Run, ...] = ()
    near: bool = False
    ran: int | None = None
    marked: tuple[str, ...] = ()
    lays: tuple[Lay, ...] = ()
    after: tuple[str, ...] = ()
    heading: str = ""
    width: int = 0
    dark: bool = False

    def stored(self) -> dict[str, Any]:
        """The picture as a JSON object, as it is stored with the mail."""
        return asdict(self)

    @staticmethod
    def restored(kept: Mapping[str, Any]) -> Picture:
        """The picture in the result of ``stored``. ``TypeError``, ``KeyError`` or ``ValueError`` for anything else."""
        if kept["kind"] not in get_args(Kind):
            raise ValueError(f"no kind of picture: {kept['kind']!r}")
        runs = tuple((str(train), tuple(hexes)) for train, hexes in kept["runs"])
        lays = tuple((str(hex), str(tile), int(turn)) for hex, tile, turn in kept.get("lays", ()))
        texts = {name: tuple(kept.get(name, ())) for name in ("hexes", "marked", "after")}
        return Picture(**{**kept, **texts, "runs": runs, "lays": lays})


def wanted(wish: Wish, kind: Kind) -> bool:
    """True if a seat with the setting ``wish`` gets pictures of ``kind`` in its mails."""
    return wish in ("on", "dark") or (wish == "map only" and kind == "map")
