"""Games as records of 18xx.games: what is the same in every title. ``site_walk`` reads such records.

The site asks step by step. It records no consent, and what it works out by itself stands in no action.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.board.board import Board
from engine.core.events import ConsentAsked, ConsentRefused, Event, Lapsed, MarkerRemoved, Ran, TrainMoved
from engine.core.game import Game
from engine.core.ids import CompanyId, HexId, PlayerId
from engine.core.orders import Agree, Done, Order, Refuse, Space, Train
from engine.core.state import State
from engine.routes.graph import Graph, Node, Track, graph_of
from engine.routes.legality import check_run
from engine.routes.reach import RunTraits
from engine.site18xx.piles import Piles, city_of
from engine.site18xx.slots import Slots
from engine.steps.consent import Consent

Action = dict[str, Any]
Step = tuple[Order | None, State, tuple[Event, ...], State]
"""An order that takes effect (None: it has none, or not yet), the position before it, what followed, the position
after it."""


class NotForTheSite(ValueError):
    """A game that 18xx.games cannot have: the reason in words."""


def carried_out(order: Order | None, events: Sequence[Event]) -> Order | None:
    """The order, if it was carried out; None if something else came before it, such as the end of its company."""
    return None if order is None or Lapsed(order) in events else order


@dataclass(slots=True)
class Sheet:
    """The actions written so far. ``players``: name -> the site's number."""

    game: Game
    players: Mapping[PlayerId, int]
    actions: list[Action] = field(default_factory=list)
    piles: Piles = field(init=False)
    slots: Slots = field(default_factory=Slots)
    printed: Mapping[HexId, int] = field(default_factory=dict)
    """The site's numbers of printed hexes that it does not count in the order of their names."""
    untold: list[Order] = field(default_factory=list)
    """The last orders of the game, for which the site has no action: turns that end, what has lapsed or still waits for
    consent. All of them follow the last action."""
    named: int | None = None
    """The place that the last action names for a marker; None where it names none."""
    _names: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.piles = Piles(self.game.title.map, self.printed)
        for company in self.game.title.companies.values():
            plain = company.id.replace("-", "")
            self._names[company.id] = plain if plain in company.synonyms else company.id

    def steps(self) -> Iterator[Step]:
        """Every step of the game with what came before and after. An order that needs consent is a step once it is
        given, if it can still be carried out; where it is refused, what is bought instead."""
        earlier: tuple[Order, State, tuple[Event, ...]] | None = None
        for order, before, events in self.game.happened(0):
            if earlier is not None:
                yield from self._written(*earlier, before)
            earlier = order, before, events
        if earlier is not None:
            yield from self._written(*earlier, self.game.state)

    def _written(self, order: Order, before: State, events: tuple[Event, ...], after: State) -> Iterator[Step]:
        """The step, and note whether an action was written for it."""
        number = len(self.actions)
        yield self._step(order, before, events, after)
        told = len(self.actions) > number and not isinstance(order, Done)
        self.untold = [] if told else [*self.untold, order]

    def _step(self, order: Order, before: State, events: tuple[Event, ...], after: State) -> Step:
        top = before.top
        waited = top if isinstance(top, Consent) and isinstance(order, Agree | Refuse) else None
        if any(isinstance(e, ConsentAsked) for e in events):
            return None, before, events, after
        if waited is None:  # also what a player may do at any moment, while others are asked
            return order, before, events, after
        if any(isinstance(e, ConsentRefused) for e in events):
            instead = waited.order.otherwise if isinstance(waited.order, Train) else None
            bought = any(isinstance(e, TrainMoved) and e.target == waited.order.actor for e in events)
            return instead if bought else None, before, events, after
        given = not any(isinstance(frame, Consent) for frame in after.agenda)
        return carried_out(waited.order, events) if given else None, before, events, after

    # ---- actions --------------------------------------------------------------------------------------------------

    def by(self, actor: str, action: str, **fields: Any) -> Action:
        """An action of a player, a company or a private."""
        if actor in self.players:
            return {"type": action, "entity": self.players[PlayerId(actor)], "entity_type": "player", **fields}
        private = actor in self.game.title.privates
        entity = actor if private else self.company(actor)
        return {"type": action, "entity": entity, "entity_type": "company" if private else "corporation", **fields}

    def company(self, company: str) -> str:
        """The site's name of a company: without the hyphen where that is no other's name."""
        return self._names[company]

    def emit(self, actions: Iterable[Action]) -> None:
        """Write actions, each with the next number."""
        self.named = None
        for action in actions:
            self.named = action["slot"] if action["type"] == "place_token" else self.named
            self.actions.append({**action, "id": len(self.actions) + 1})

    def nest(self, actions: Sequence[Action]) -> None:
        """Write actions that the site adds by itself to the last one."""
        last = self.actions[-1]
        self.actions[-1] = {**last, "auto_actions": [*last.get("auto_actions", ()), *actions]}

    # ---- the map --------------------------------------------------------------------------------------------------

    def lay(self, actor: str, tile: str, hex: HexId, rotation: int) -> Action:
        """A tile is laid."""
        number = self.piles.lay(tile, hex)  # type: ignore[arg-type]
        return self.by(actor, "lay_tile", hex=hex, tile=number, rotation=rotation)

    def place(self, actor: str, space: Space, before: State) -> Action:
        """A marker is placed: in the first place of the city that is free and not kept for another."""
        city = city_of(before.board, space)
        fields = {"city": self.piles.city(space.hex, city), "slot": self._slot(actor, space.hex, city, before)}
        return self.by(actor, "place_token", **fields, tokener=self.company(actor))

    def _slot(self, actor: str, hex: HexId, city: int, before: State) -> int:
        """The first place that is free and not kept for another. The marker will stand there."""
        title, company = self.game.title, CompanyId(actor)
        kept = sum(1 for _, at in title.policies.reserved(title, before, hex, company) if at == city)
        slot = self.slots.open_to((hex, city), company, before, kept)
        return min(slot, before.board.face(hex).cities[city].slots - 1)

    def removed(self, actor: str, events: Iterable[Event]) -> list[Action]:
        """The markers that ``actor`` has chosen to take off the map."""
        return [
            self.by(
                actor,
                "remove_token",
                city=self.piles.city(e.hex, e.city),
                slot=self.slots.of((e.hex, e.city), e.company),
            )
            for e in events
            if isinstance(e, MarkerRemoved)
        ]

    def runs(self, ran: Ran | None, before: State, trains: Sequence[tuple[str, str]]) -> Action | None:
        """The run of a company. ``trains``: number and kind of each of its own. None where nothing has run."""
        if ran is None:
            return None
        title, own = self.game.title, list(trains)
        traits: RunTraits = title.policies.run_traits(title, before, ran.company)
        graph, routes = graph_of(before.board), []
        tracks = check_run(before.board, traits, ran.routes).tracks if ran.routes else ()
        for route, track, value in zip(ran.routes, tracks, ran.values, strict=True):
            number = next(train for train in own if train[1] == route.train)
            own.remove(number)
            routes.append(_route(before.board, graph, number[0], track, value))
        return self.by(ran.company, "run_routes", routes=routes, extra_revenue=0, subsidy=0)


def _route(board: Board, graph: Graph, train: str, track: Track, value: int) -> Action:
    legs = [_leg(graph.stretches[s].hexes_from(n)) for n, s in zip(track.stops, track.stretches, strict=False)]
    stops = [graph.nodes[n] for n in track.stops]
    hexes = [stop.hex for stop in stops]
    nodes = [f"{stop.hex}-{_number(board, stop)}" for stop in stops]
    return {
        "train": train,
        "connections": legs,
        "hexes": hexes,
        "revenue": value,
        "revenue_str": "-".join(hexes),
        "nodes": nodes,
    }


def _number(board: Board, stop: Node) -> int:
    """The number of a stop in its hex: cities come first, then towns."""
    return stop.index + (len(board.face(stop.hex).cities) if stop.kind == "town" else 0)


def _leg(hexes: Sequence[HexId]) -> list[HexId]:
    """A leg between two stops of one hex is that hex alone."""
    return [hexes[0]] if set(hexes) == {hexes[0]} else list(hexes)
