"""Values by chance for the fields of orders: any names of a game, and numbers near those that are legal."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from engine import Game, orders

_OF_1863 = frozenset({"markers", "hexes"})
_OF_1867 = frozenset({"Open.space", "trade"})
_OF_OTHERS = frozenset({"certificate", "doubles", "using"})
LATER = {
    "1861": _OF_OTHERS | _OF_1863 | _OF_1867,
    "1844": _OF_1863 | _OF_1867 | {"way"},
    "1841": _OF_1863 | _OF_1867,
    "1863": _OF_1867 | {"certificate", "doubles", "otherwise"},
    "1867": _OF_OTHERS | _OF_1863,
}
"""Fields of orders that a title knows nothing of, and that no text of it can say."""
_NUMBERS = frozenset({"amount", "count", "price", "maximum", "step"})


def value(game: Game, kind: type[Any], name: str, old: Any, chance: random.Random) -> Any:
    """Any value for the field ``name`` of an order of ``kind``; a number near ``old``."""
    if name in _NUMBERS:
        near = old if isinstance(old, int) else 100
        return chance.choice((near - 1, near + 1, near - 5, near + 5, near + 50, 10 * near, 0, -1))
    found = _VALUES.get(f"{kind.__name__}.{name}") or _VALUES[name]
    return found(game, chance)


def any_space(game: Game, chance: random.Random) -> orders.Space:
    """A hex with a city, sometimes with an exit, a company or a number."""
    hex = chance.choice([h for h in game.title.map.hexes if game.state.board.face(h).cities])
    ways: list[dict[str, Any]] = [{}, {"exit": chance.randrange(6)}, {"company": any_company(game, chance)}]
    if game.title.name == "1867":  # no other title has cities that only a number names
        ways.append({"number": chance.randint(1, 4)})
    return orders.Space(hex, **chance.choice(ways))


def any_company(game: Game, chance: random.Random) -> Any:
    return chance.choice(list(game.title.companies))


def any_private(game: Game, chance: random.Random) -> Any:
    return chance.choice(list(game.title.privates))


def any_train(game: Game, chance: random.Random) -> Any:
    return chance.choice(list(game.title.trains))


def any_edges(game: Game, chance: random.Random) -> tuple[int, int]:
    """Two edges of a hex, seldom the same one."""
    edge = chance.randrange(6)
    return edge, (edge + chance.choice((2, 2, 3, 3, 4, 1, 0))) % 6


def any_panel(game: Game, chance: random.Random) -> Any:
    over = [t.id for t in game.title.map.tiles.values() if t.overlay]
    return chance.choice(over or list(game.title.map.tiles))


def any_of_kind(game: Game, chance: random.Random, kind: str) -> Any:
    """A private of one sort, or any where the title has none of it."""
    found = [p.id for p in game.title.privates.values() if p.kind == kind]
    return chance.choice(found or list(game.title.privates))


def any_routes(game: Game, chance: random.Random) -> tuple[orders.Route, ...]:
    """One or two runs over neighbouring hexes, or over any."""
    found = []
    for _ in range(chance.randint(1, 2)):
        at = chance.choice(list(game.title.map.hexes.values()))
        stops = [at.id]
        for _ in range(chance.randint(1, 4)):
            at = game.title.map.hexes[chance.choice(list(at.neighbors.values()) or [at.id])]
            stops.append(at.id)
        found.append(orders.Route(any_train(game, chance), tuple(stops)))
    return tuple(found)


def any_bids(game: Game, chance: random.Random) -> tuple[tuple[Any, int], ...]:
    """Bids on some privates, seldom on one twice, legal or not."""
    return tuple((any_private(game, chance), chance.choice((0, 10, 20, 25, 300))) for _ in range(chance.randint(0, 3)))


def any_subject(game: Game, chance: random.Random) -> orders.Subject:
    company = any_company(game, chance)
    return chance.choice(
        (
            orders.TrainSale(any_train(game, chance), company, 70),
            orders.PrivateSale(any_private(game, chance), company, 30),
            orders.Merger((any_company(game, chance), any_company(game, chance)), company),
        )
    )


_VALUES: dict[str, Callable[[Game, random.Random], Any]] = {
    "actor": lambda g, r: r.choice([*g.state.players, *g.title.companies]),
    "item": lambda g, r: r.choice([None, *g.title.companies, *g.title.privates]),
    "company": any_company,
    "UsePrivate.company": lambda g, r: r.choice([None, *g.title.companies]),
    "into": any_company,
    "source": lambda g, r: r.choice([None, "treasury", "pool", "Pool", *g.title.companies]),
    "Buy.certificate": lambda g, r: r.choice((None, "director", "double")),
    "Tunnel.certificate": lambda g, r: r.choice((None, any_of_kind(g, r, "tunnel"))),
    "doubles": lambda g, r: r.choice((None, 0, 1, 2, 5, -1)),
    "using": lambda g, r: r.choice((None, any_private(g, r))),
    "edges": any_edges,
    "mountain": lambda g, r: any_of_kind(g, r, r.choice(("mountain", "tunnel"))),
    "tunnel": lambda g, r: any_of_kind(g, r, r.choice(("mountain", "tunnel"))),
    "panel": any_panel,
    "space": any_space,
    "trade": lambda g, r: r.choice((None, any_train(g, r))),
    "spaces": lambda g, r: tuple(any_space(g, r) for _ in range(r.randint(0, 3))),
    "keep": lambda g, r: tuple(any_space(g, r) for _ in range(r.randint(0, 3))),
    "tile": lambda g, r: r.choice(list(g.title.map.tiles)),
    "hex": lambda g, r: r.choice(list(g.title.map.hexes)),
    "rotation": lambda g, r: r.randrange(6),
    "routes": any_routes,
    "kind": lambda g, r: r.choice(("full", "half", "none")),
    "train": any_train,
    "otherwise": lambda g, r: orders.Train(any_company(g, r), any_train(g, r)),
    "private": any_private,
    "yes": lambda g, r: r.random() < 0.5,
    "minors": lambda g, r: tuple(any_company(g, r) for _ in range(r.randint(0, 3))),
    "bids": any_bids,
    "sales": lambda g, r: tuple((any_company(g, r), r.randint(0, 3)) for _ in range(r.randint(0, 3))),
    "seller": lambda g, r: r.choice(g.state.players),
    "concession": any_private,
    "owner": any_company,
    "Exchange.into": lambda g, r: r.choice(("director", "share", "cash")),
    "Bankrupt.way": lambda g, r: r.choice((None, "resign", "loan")),
    "subject": any_subject,
    "markers": lambda g, r: r.choice((1, 1, 2, 3, 4, 5, 0)),
    "hexes": lambda g, r: tuple(r.choice(list(g.title.map.hexes)) for _ in range(r.randint(0, 2))),
    "target": lambda g, r: r.choice([*g.state.players, *g.title.companies]),
    "payee": lambda g, r: r.choice(g.state.players),
    "Buy.source": lambda g, r: r.choice([None, "treasury", "ipo", "pool"]),
    "Transfer.source": any_company,
    "Float.kind": lambda g, r: r.choice(("minor", "major")),
    "trains": lambda g, r: tuple(any_train(g, r) for _ in range(r.choice((0, 0, 1, 2)))),
    "privates": lambda g, r: tuple(any_private(g, r) for _ in range(r.choice((0, 0, 1, 2)))),
    "shares": lambda g, r: tuple((any_company(g, r), r.randint(0, 3)) for _ in range(r.choice((0, 0, 1, 2)))),
    "cash": lambda g, r: r.choice((None, None, 0, 80, 200)),
    "minimum": lambda g, r: r.choice((5, 5, 50, 4, 0, -1)),
    "Crisis.way": lambda g, r: r.choice(("liquidate", "help")),
    "KeepPrivate.keep": lambda g, r: r.random() < 0.5,
    "HalfShort.keep": lambda g, r: r.random() < 0.5,
}
