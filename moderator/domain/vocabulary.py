"""The vocabulary of a game for the notation, built from its title."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from engine import Title
from engine.board.map import Face
from engine.core.data import PrivateData
from engine.core.ids import POOL
from grammar import Vocabulary

_EDGES: Final = 6
_WORDS: Final = re.compile(r"\b(?!company\b)[^\W\d_]{4,}")
_MOUNTAIN: Final = "mountain"
_TUNNEL: Final = "tunnel"
"""The kinds of private that have orders of their own."""
_CONCESSION: Final = "concession"
"""The kind of private that is also named by this word and the number or the company of the concession."""


def vocabulary(title: Title, players: Sequence[str] = ()) -> Vocabulary:
    """All names that orders of a game of ``title`` between ``players`` may use.

    Calls with the same title and players return the same object, so that data cached for it is shared. ``ValueError``
    for players' names that cannot be told apart from each other or from names of the title.
    """
    return _vocabulary(_Key(title), tuple(players))


class _Key:
    """A title as a cache key, compared by identity because its maps cannot be hashed."""

    __slots__ = ("title",)

    def __init__(self, title: Title) -> None:
        self.title = title

    def __hash__(self) -> int:
        return id(self.title)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and other.title is self.title


@lru_cache(maxsize=256)
def _vocabulary(of: _Key, players: tuple[str, ...]) -> Vocabulary:
    title = of.title
    faces = {str(tile): data.face for tile, data in title.map.tiles.items() if not data.overlay}
    return Vocabulary(
        title=title.name,
        players=players,
        companies={str(c.id): c.synonyms for c in title.companies.values()},
        privates=_called((p for p in title.privates.values() if p.kind not in (_MOUNTAIN, _TUNNEL)), players),
        concessions={str(p.id): _after_the_word(p) for p in title.privates.values() if p.kind == _CONCESSION},
        mountains=_called(p for p in title.privates.values() if p.kind == _MOUNTAIN),
        tunnels=_called(p for p in title.privates.values() if p.kind == _TUNNEL),
        kinds={str(c.id): c.charter.kind for c in title.companies.values()},
        trains=tuple(str(name) for name in title.trains),
        tiles={tile: face.exits for tile, face in faces.items()},
        turns={tile: turns_alike(face) for tile, face in faces.items()},
        panels=_panels(title),
        hexes=frozenset(str(hex) for hex in title.map.hexes),
        places=_places(title),
        printed=_full_names(title),
        called=_words_of_names(title),
        edges=title.map.edge_names,
        pool=(POOL.lower(), "market"),
        currency=tuple(dict.fromkeys((title.currency, title.currency.rstrip("."), f"{title.currency.rstrip('.')}."))),
    )


def _called(privates: Iterable[PrivateData], players: tuple[str, ...] = ()) -> dict[str, tuple[str, ...]]:
    """Private -> its synonyms, none for concessions. A synonym that is also a player's name belongs to the player."""
    theirs = {player.casefold() for player in players}
    return {
        str(p.id): tuple(word for word in p.synonyms if word.casefold() not in theirs and p.kind != _CONCESSION)
        for p in privates
    }


def _after_the_word(concession: PrivateData) -> tuple[str, ...]:
    """The words that name a concession after the word ``concession``."""
    return tuple(word.removeprefix(f"{_CONCESSION} ") for word in concession.synonyms)


def _places(title: Title) -> dict[str, str]:
    """The printed names that a single hex has, each with that hex."""
    named = [(data.name, str(hex)) for hex, data in title.map.hexes.items() if data.name]
    once = Counter(name for name, _ in named)
    return {name: hex for name, hex in named if once[name] == 1}


def _full_names(title: Title) -> dict[str, str]:
    """The full names that a single company or private has, each with it."""
    named = [(c.name, str(c.id)) for c in title.companies.values()]
    named += [(p.name, str(p.id)) for p in title.privates.values()]
    once = Counter(name for name, _ in named)
    return {name: id for name, id in named if once[name] == 1}


def _words_of_names(title: Title) -> dict[str, str]:
    """The longer words that a single company or private has in its full name, each with it."""
    names = {str(c.id): c.name for c in title.companies.values()} | {str(p.id): p.name for p in title.privates.values()}
    words = [(word, id) for id, name in names.items() for word in set(_WORDS.findall(name.casefold()))]
    once = Counter(word for word, _ in words)
    return {word: name for word, name in words if once[word] == 1}


def _panels(title: Title) -> dict[str, tuple[int, ...]]:
    """The tiles that give an off-board area its incomes -> the incomes, in the order of the phases."""
    colors = dict.fromkeys(phase.colors[-1] for phase in title.phases)
    pieces = {str(tile): data.face.offboards for tile, data in title.map.tiles.items() if data.overlay}
    return {
        tile: tuple(areas[0].value(color) for color in colors)
        for tile, areas in pieces.items()
        if areas and not isinstance(areas[0].revenue, int)
    }


def turns_alike(face: Face) -> int:
    """The number of sixths of a turn after which the tile looks the same; 6 if only after a whole turn. Stops of equal
    value and size are interchangeable."""
    return next(turn for turn in (1, 2, 3, _EDGES) if turn == _EDGES or _picture(face.turned(turn)) == _picture(face))


def _picture(face: Face) -> tuple[object, ...]:
    """The appearance of a face, in a form that does not depend on the numbers of its stops."""
    joined: dict[tuple[str, int], list[tuple[str, int]]] = {}
    loose = []
    for a, b in face.paths:
        if a[0] == "e" and b[0] == "e":
            loose.append(frozenset((a[1], b[1])))
            continue
        for one, other in ((a, b), (b, a)):
            if one[0] != "e":
                joined.setdefault(one, []).append(other if other[0] == "e" else (other[0], -1))
    stops = []
    for kind, group in (("c", face.cities), ("t", face.towns), ("o", face.offboards)):
        for number, stop in enumerate(group):
            value = stop.revenue if isinstance(stop.revenue, int) else tuple(sorted(stop.revenue.items()))
            stops.append((kind, repr(value), stop.slots, tuple(sorted(joined.get((kind, number), ())))))
    return (sorted(map(sorted, loose)), sorted(stops))
