"""Pictures that a mail asks for: what they show of a game at one decision. They are drawn when the mail is sent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal, TypeAlias, get_args

Kind: TypeAlias = Literal["map", "chart", "tiles"]
Wish: TypeAlias = Literal["on", "off", "map only"]
"""The pictures that a seat wants in its mails."""
WISHES: tuple[Wish, ...] = ("on", "off", "map only")

Run: TypeAlias = tuple[str, tuple[str, ...]]
"""A train and the hexes of its run."""


@dataclass(frozen=True, slots=True)
class Picture:
    """One picture of a mail. ``id``: its name in the HTML. ``at``: the decision that it shows. ``alt``: the same in
    words. ``hexes``: of a map the part round these, with ``rings`` of hexes more; all of it where there are none.
    ``since``: orders after which changes are marked. ``runs`` of ``company`` are drawn over the map. ``near``: only the
    part of the chart with markers."""

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

    def stored(self) -> dict[str, Any]:
        """As it is kept with the mail, in terms of JSON."""
        return asdict(self)

    @staticmethod
    def restored(kept: Mapping[str, Any]) -> Picture:
        """From what was ``stored``. ``TypeError``, ``KeyError`` or ``ValueError`` for anything else."""
        if kept["kind"] not in get_args(Kind):
            raise ValueError(f"no kind of picture: {kept['kind']!r}")
        runs = tuple((str(train), tuple(hexes)) for train, hexes in kept["runs"])
        return Picture(**{**kept, "hexes": tuple(kept["hexes"]), "runs": runs})


def wanted(wish: Wish, kind: Kind) -> bool:
    """True if a seat that wants ``wish`` gets pictures of ``kind`` with its mails."""
    return wish == "on" or (wish == "map only" and kind == "map")
