"""Facts of 1867 in the tables of a position, in addition to those of all titles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from engine.acts.buy_train import new_trains
from engine.core.ids import CompanyId, HexId, PhaseName, TrainName
from engine.core.state import State
from engine.core.title import Title
from engine.titles.t1867.homes import named
from engine.titles.t1867.names import CANADIAN_NATIONAL, HOME, MONTREAL, QUEBEC, TIMMINS, TORONTO
from engine.titles.t1867.pieces import start_markers, stubs
from engine.titles.t1867.policies import TIMMINS_BONUS, reserved
from engine.titles.t1867.trade_in import BOUGHT, TRADED, worth

Prices: TypeAlias = tuple[tuple[TrainName, int], ...]


def remarks(title: Title, state: State, name: str) -> Mapping[str, Any]:
    """The facts of ``name``. For a minor under auction: its ``home``. For the CN: it is ``national``.

    For the game: the ``homes`` of minors under auction, each with its minor; ``train``, the next new train that will be
    exported, None if none will; ``early``: trains are not exported yet; ``now``: an operating round is being played;
    and the ``trades`` of phase 8, each new train with the trains that may be given for it and what is then paid.

    For the map: circles with ``neutral`` markers, hexes that are ``closed``, and the ``rivers`` that no track crosses
    yet, by their price. For what is printed: the ``private_bonuses``, the ``bonus`` of a ``place`` with one of the
    ``others``, and the ``stubs``: each hex with the exits that its first tile must have."""
    if name == "":
        return _of_game(title, state)
    if name == "map":
        shut = (id for id, hex in title.map.hexes.items() if hex.closed_until)
        return {
            "neutral": tuple(_neutral(title, state)),
            "rivers": tuple(_rivers(title, state)),
            "closed": tuple(id for id in shut if not title.reached(state, PhaseName(title.map.hexes[id].closed_until))),
        }
    if name == "printed":
        names = title.map.edge_names
        needed = tuple((hex, tuple(names[edge] for edge in edges)) for hex, edges in stubs(title).items())
        bonuses = ((p.id, p.bonus, p.bonus_hexes) for p in title.privates.values() if p.bonus)
        return {
            "private_bonuses": tuple(bonuses),
            "bonus": TIMMINS_BONUS.amount,
            "place": TIMMINS,
            "others": (TORONTO, MONTREAL, QUEBEC),
            "stubs": needed,
        }
    if name == CANADIAN_NATIONAL:
        return {"national": True}
    home = state.marks.get(HOME + name)
    return {} if home is None else {"home": named(title, state, home)}


def _of_game(title: Title, state: State) -> Mapping[str, Any]:
    homes = ((key.removeprefix(HOME), place) for key, place in state.marks.items() if key.startswith(HOME))
    last = title.reached(state, "8")
    over = last or state.broke is not None  # a broken bank ends the game before the next export
    return {
        "homes": tuple((CompanyId(minor), named(title, state, place)) for minor, place in homes),
        "early": not title.reached(state, "4"),
        "train": None if over else new_trains(title, state)[0],
        "now": state.round.kind == "OR",
        "trades": tuple((train, tuple(_trades(title, train))) for train in title.trains if train in BOUGHT)
        if last
        else (),
    }


def _trades(title: Title, train: TrainName) -> Iterator[tuple[TrainName, int]]:
    """The trains that may be given for ``train``, each with what is paid then."""
    for trade in title.trains:
        if trade in TRADED and worth(title, train, trade):
            yield trade, title.trains[train].cost - worth(title, train, trade)


def _neutral(title: Title, state: State) -> Iterator[str]:
    for _, hex, city in start_markers(title, "neutral"):
        if any(place == city for _, place in reserved(title, state, hex, CompanyId(""))):
            yield named(title, state, (hex, city))


def _rivers(title: Title, state: State) -> Iterator[tuple[int, tuple[str, ...]]]:
    """The borders that no track crosses yet, as ``M9-M11``, by their price."""
    found: dict[int, set[tuple[HexId, HexId]]] = {}
    for id, hex in title.map.hexes.items():
        for edge, price in state.board.rivers(id).items():
            near = sorted((id, hex.neighbors[edge]), key=_from_the_left)
            found.setdefault(price, set()).add((near[0], near[1]))
    for price, pairs in sorted(found.items()):
        named = sorted(pairs, key=lambda pair: (_from_the_left(pair[0]), _from_the_left(pair[1])))
        yield price, tuple("-".join(pair) for pair in named)


def _from_the_left(hex: HexId) -> tuple[str, int]:
    """Sort key for hexes: column by column."""
    return hex[0], int(hex[1:])
