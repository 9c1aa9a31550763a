"""Our games of 1844 in the form in which 18xx.games records one: the opposite of the importer, for its tests.

The site asks step by step, so passes are strewn in at the places where it asks for them; which of them are there is a
matter of chance, as it is in records (the site moves on by itself where it thinks that nothing can be done).
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import engine
from engine.acts.act import Turn
from engine.core.events import (
    CertificatesMoved,
    CertificatesSet,
    ConsentAsked,
    DebtChanged,
    DestinationReached,
    Event,
    Marked,
    MarkerRemoved,
    Ran,
    TrainMoved,
    TrainsFlipped,
    TrainsRusted,
)
from engine.core.ids import BANK, IPO, POOL, CompanyId
from engine.core.orders import (
    Agree,
    Bankrupt,
    Bid,
    Buy,
    BuyMountain,
    BuyPrivate,
    BuyTunnel,
    Discard,
    Done,
    Drop,
    Keep,
    Lay,
    Order,
    Pass,
    Pay,
    Repay,
    Run,
    RunBest,
    Sell,
    Start,
    Token,
    Train,
    Tunnel,
    UsePrivate,
)
from engine.core.state import State
from engine.holders.charters import charter_of, director_kind, double_kind
from engine.routes.graph import graph_of
from engine.routes.legality import can_run, check_run
from engine.site18xx.shares import share_percent
from engine.titles.t1844.names import OWN_5H, TUNNELS
from engine.titles.t1844.turn.company_turn import TURNS

Action = dict[str, Any]
PAYMENTS = {"full": "payout", "none": "withhold"}
CARDS = {"8H": "8E"}
"""Type of card -> its normal side, where that is not the name without the H."""


@dataclass(slots=True)
class Writer:
    """``passes``: how often a pass is written where the site may have asked."""

    game: engine.Game
    passes: float = 0.5
    seed: int = 0
    actions: list[Action] = field(default_factory=list)
    chance: random.Random = field(init=False)
    players: dict[str, int] = field(init=False)
    trains: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    """Owner -> number and side of each card."""
    sold: dict[str, int] = field(default_factory=dict)
    """Cards of each type that are no longer new."""
    tiles: dict[str, str] = field(default_factory=dict)
    certificates: dict[tuple[str, str, str], list[str]] = field(default_factory=dict)
    """Place, company and kind -> numbers."""
    passed: tuple[object, str] = ((), "track")
    """The turn at hand, and the step for which no more passes are written."""

    def __post_init__(self) -> None:
        self.chance = random.Random(self.seed)
        self.players = {p: 100 + n for n, p in enumerate(self.game.setup.players)}
        holdings = sorted(self.game.at(0).holdings.items(), key=lambda held: held[0][0] == IPO)
        first: dict[tuple[str, str], int] = {}
        for (place, company, kind), number in holdings:  # those with the lowest numbers are not in the IPO
            low = first.get((company, kind), {"director": 0, "double": 11}.get(self._role(company, kind), 1))
            self.certificates[place, company, kind] = [f"{company}_{low + n}" for n in range(number)]
            first[company, kind] = low + number

    def _role(self, company: CompanyId, kind: str) -> str:
        if kind == director_kind(self.game.title, self.game.state, company):
            return "director"
        return "double" if kind == double_kind(self.game.title, self.game.state, company) else "ordinary"

    def write(self) -> list[Action]:
        self._emit([], self._nested(self.game.opening, ""))
        for order, before, events in self.game.happened(0):
            actions = [*self.waiting, *self._actions(order, before, events)]
            consent = any(isinstance(e, ConsentAsked) for e in events)  # which the site does not record
            self.waiting = actions if consent else []
            if consent:
                continue
            self._follow(events)
            given_up = [a for a in self._given_up if not isinstance(order, Discard)]
            built = isinstance(order, Tunnel) or (isinstance(order, Lay) and order.using is not None)
            self._emit([*actions, *given_up], self._nested(events, order.actor, built))
        return self.actions

    waiting: list[Action] = field(default_factory=list)
    """What waits for consent."""
    chosen: str = ""
    """The card that was given up last by choice."""
    _given_up: list[Action] = field(default_factory=list)

    # ---- actions ----------------------------------------------------------------------------------------------------

    def _emit(self, actions: Iterable[Action], nested: Sequence[Action] = ()) -> None:
        written = [{**a, "id": len(self.actions) + n} for n, a in enumerate(actions, 1)]
        self.actions.extend(written)
        if nested and self.actions:
            last = self.actions[-1]
            self.actions[-1] = {**last, "auto_actions": [*last.get("auto_actions", ()), *nested]}

    def _by(self, actor: str, action: str, **fields: Any) -> Action:
        if actor in self.players:
            return {"type": action, "entity": self.players[actor], "entity_type": "player", **fields}
        kind = "company" if actor in self.game.title.privates else "corporation"
        return {"type": action, "entity": actor, "entity_type": kind, **fields}

    def _nested(self, events: Iterable[Event], actor: str, built: bool = False) -> list[Action]:
        """What the site works out by itself. ``built``: with a private, which tells no company."""
        reached = [e.company for e in events if isinstance(e, DestinationReached)]
        if actor in self.players or not actor:
            return []
        found = [self._by(actor, "destination_connection", corporations=reached)] if reached else []
        return [*found, self._by(actor, "pass")] if reached or built else []

    def _skipped(self, order: Order, before: State) -> list[Action]:
        """Passes of the steps that the company leaves out before this order."""
        top = next((f for f in before.agenda if isinstance(f, Turn)), None)
        stages = {Token: "token", Run: "run", RunBest: "run", Sell: "trains", Train: "trains", Done: "trains"}
        if top is None or order.actor != top.company:
            return []
        turn, rank = (before.round, top.company), TURNS.stages.index
        begun = rank(self.passed[1]) if self.passed[0] == turn else 0
        until = rank(stages.get(type(order), "track"))
        self.passed = (turn, TURNS.stages[max(begun, until)])
        skipped = [stage for stage in ("track", "token") if begun <= rank(stage) < until]
        found = [self._by(top.company, "pass") for _ in skipped if self.chance.random() < self.passes]
        if isinstance(order, Done):
            found += [self._by(top.company, "pass") for _ in range(2) if self.chance.random() < self.passes]
        return found

    def _actions(self, order: Order, before: State, events: Sequence[Event]) -> list[Action]:
        return [*self._skipped(order, before), *self._own(order, before, events)]

    def _own(self, order: Order, before: State, events: Sequence[Event]) -> list[Action]:
        actor, title = order.actor, self.game.title
        match order:
            case Bid():
                return [self._by(actor, "bid", company=before.top.item, price=order.amount)]  # type: ignore[attr-defined]
            case Drop() | Pass():
                return [self._by(actor, "pass")]
            case Start():
                row, column = next(c for c in title.chart.cells_marked("par") if title.chart.price(c) == order.price)
                cell = f"{order.price},{row},{column}"
                par = self._by(actor, "par", corporation=order.company, share_price=cell)
                repaid = any(isinstance(e, DebtChanged) and e.player == actor and e.change < 0 for e in events)
                return [par, self._by(actor, "payoff_player_debt")] if repaid else [par]
            case Buy():
                moved = next(e for e in events if isinstance(e, CertificatesMoved) and e.target == actor)
                bought = self._place(moved.source, moved.company, moved.kind)[:1]
                percent = charter_of(title, before, order.company).certificates[moved.kind][0].percent
                return [self._by(actor, "buy_shares", shares=bought, percent=percent)]
            case Sell():
                return [self._sell(order, before, events)]
            case BuyMountain():
                number = sum(1 for t in self.tiles.values() if t.startswith(order.panel))
                self.tiles[order.hex] = f"{order.panel}-{number}"
                tile = {"hex": order.hex, "tile": self.tiles[order.hex], "rotation": 0}
                return [
                    self._by(actor, "buy_company", company=order.mountain, price=150),
                    self._by(order.mountain, "lay_tile", **tile),
                ]
            case BuyTunnel():
                return [self._by(actor, "buy_company", company=order.tunnel, price=50)]
            case Repay():
                return [self._by(actor, "payoff_player_debt")]
            case UsePrivate():
                return [self._by(order.private, "choose_ability", choice=order.company or "Place tile")]
            case BuyPrivate():
                return [self._by(actor, "buy_company", company=order.private, price=order.price)]
            case Lay():
                return [self._lay(order)]
            case Tunnel():
                return [self._tunnel(order, before, events)]
            case Token():
                return [self._by(actor, "place_token", city=self._city(order, before), slot=0, tokener=actor)]
            case Run() | RunBest():
                return self._run(order.actor, before, events)
            case Pay():
                return [self._by(actor, "dividend", kind=PAYMENTS[order.kind])]
            case Train():
                return [self._train(order)]
            case Done() | Agree():
                return []
            case Discard():
                self.chosen = self.chance.choice([n for n, side in self.trains[actor] if side == order.train])
                return [self._by(actor, "discard_train", train=self.chosen)]
            case Keep():
                gone = [e for e in events if isinstance(e, MarkerRemoved)]
                cities = [f"{self.tiles.get(e.hex, f'{e.hex}-0')}-{e.city}" for e in gone]
                return [self._by(actor, "remove_token", city=city, slot=0) for city in cities]
            case Bankrupt():
                return [self._by(actor, "bankrupt")]
            case _:
                raise AssertionError(f"not for the site: {order}")

    def _sell(self, order: Sell, before: State, events: Sequence[Event]) -> Action:
        title, company = self.game.title, order.company
        player = order.actor if order.actor in self.players else title.policies.director(title, before, order.actor)  # type: ignore[arg-type]
        assert player is not None
        moves = [e for e in events if isinstance(e, CertificatesMoved) and (e.source, e.target) == (player, POOL)]
        left = {
            kind: list(self._place(player, company, kind)) for kind in charter_of(title, before, company).certificates
        }
        numbers: list[str] = []
        for move in moves:
            for _ in range(move.count):
                own = left[move.kind] or left[director_kind(title, before, company)] or [numbers[0]]
                numbers.append(own.pop(0))
        percent = order.count * share_percent(title, before, company)
        return self._by(player, "sell_shares", shares=list(dict.fromkeys(numbers)), percent=percent)

    def _lay(self, order: Lay) -> Action:
        number = next(n for n in range(99) if f"{order.tile}-{n}" not in self.tiles.values())
        self.tiles[order.hex] = f"{order.tile}-{number}"
        fields = {"hex": order.hex, "tile": self.tiles[order.hex], "rotation": order.rotation}
        return self._by(order.using or order.actor, "lay_tile", **fields)

    def _tunnel(self, order: Tunnel, before: State, events: Sequence[Event]) -> Action:
        used = next(e.value for e in events if isinstance(e, Marked) and e.key == TUNNELS)
        certificate = next(c for c in used if c not in before.marks.get(TUNNELS, {}))
        low, high = sorted(order.edges)
        apart = high - low
        tile, turned = ("X79", low) if apart == 3 else ("X78", low if apart == 2 else high)
        return self._by(certificate, "lay_tile", hex=order.hex, tile=f"{tile}-0", rotation=turned)

    def _city(self, order: Token, before: State) -> str:
        city = before.board.city_at(order.space)
        if city is None:
            face = before.board.face(order.space.hex)
            city = next(i for i in range(len(face.cities)) if before.board.free(order.space.hex, i))
        return f"{self.tiles.get(order.space.hex, f'{order.space.hex}-0')}-{city}"

    def _run(self, company: CompanyId, before: State, events: Sequence[Event]) -> list[Action]:
        ran = next((e for e in events if isinstance(e, Ran)), None)
        traits = self.game.title.policies.run_traits(self.game.title, before, company)
        if ran is None or not ran.routes:
            return [self._by(company, "run_routes", routes=[])] if can_run(before.board, traits) else []
        graph, own, routes = graph_of(before.board), list(self.trains.get(company, ())), []
        tracks = check_run(before.board, traits, ran.routes).tracks
        for route, track, value in zip(ran.routes, tracks, ran.values, strict=True):
            card = next(c for c in own if c[1] == route.train)
            own.remove(card)
            legs = [list(graph.stretches[s].hexes_from(n)) for n, s in zip(track.stops, track.stretches, strict=False)]
            legs = [leg[::-1] if self.chance.random() < 0.5 else leg for leg in legs]
            routes.append({"train": card[0], "connections": legs, "revenue": value})
        return [self._by(company, "run_routes", routes=routes, extra_revenue=0)]

    # ---- trains -----------------------------------------------------------------------------------------------------

    def _train(self, order: Train) -> Action:
        price = self.game.title.trains[order.train].cost if order.price is None else order.price
        if order.source in (None, BANK):
            number = self._new(order.train)
            return self._by(order.actor, "buy_train", train=number, price=price, variant=order.train)
        return self._by(order.actor, "buy_train", train=self._card(str(order.source), order.train), price=price)

    def _new(self, side: str) -> str:
        """The number of the next new card."""
        card = CARDS.get(side, side.removesuffix("H"))
        number = self.sold.get(card, 0)
        return f"{card}-{number if card != '5' or number == 0 else number + 2}"

    def _card(self, owner: str, side: str) -> str:
        return next(number for number, lies in self.trains[owner] if lies == side)

    def _follow(self, events: Iterable[Event]) -> None:
        """Cards and certificates go where the events say."""
        self._given_up.clear()
        for event in events:
            if isinstance(event, TrainsFlipped):
                self._change(lambda side, e=event: e.into if side == e.train else side)
            elif isinstance(event, TrainsRusted):
                self._change(lambda side, e=event: None if side == e.train else side)
            elif isinstance(event, TrainMoved):
                self._train_moved(event)
            elif isinstance(event, CertificatesMoved):
                moved = self._place(event.source, event.company, event.kind)
                self._place(event.target, event.company, event.kind).extend(moved[: event.count])
                del moved[: event.count]
            elif isinstance(event, CertificatesSet):
                self._set(event)

    def _change(self, to: Any) -> None:
        for owner, cards in self.trains.items():
            self.trains[owner] = [(n, new) for n, side in cards if (new := to(side)) is not None]

    def _train_moved(self, event: TrainMoved) -> None:
        if event.source == BANK:
            number = self._new(event.train)
            card = number.rsplit("-", 1)[0]
            self.sold[card] = self.sold.get(card, 0) + 1
        elif not event.source:
            number = "5-2" if event.train == OWN_5H else "5-1"
        else:
            alike = [c for c in self.trains[event.source] if c[1] == event.train]
            bought = event.target not in ("", POOL)
            named = [c for c in alike if c[0] == self.chosen]
            found = alike[0] if bought else named[0] if named else self.chance.choice(alike)
            self.trains[event.source].remove(found)
            number = found[0]
            if not bought:
                self._given_up.append(self._by(event.source, "discard_train", train=number))
        self.trains.setdefault(event.target, []).append((number, event.train))

    # ---- certificates -----------------------------------------------------------------------------------------------

    def _place(self, place: str, company: str, kind: str) -> list[str]:
        return self.certificates.setdefault((place, company, kind), [])

    def _set(self, event: CertificatesSet) -> None:
        """Certificates are dealt out anew."""
        kinds: dict[str, list[str]] = {}
        for (place, company, kind), numbers in list(self.certificates.items()):
            if company == event.company:
                kinds.setdefault(kind, []).extend(numbers)
                self.certificates[place, company, kind] = []
        for place, kind, number in event.holdings:
            self._place(place, event.company, kind).extend(kinds[kind][:number])
            del kinds[kind][:number]


def site_record(game: engine.Game, number: int = 1, **options: Any) -> dict[str, Any]:
    """The whole file."""
    writer = Writer(game, **options)
    return {
        "id": number,
        "title": game.title.name,
        "players": [{"id": n, "name": p} for p, n in writer.players.items()],
        "settings": {"optional_rules": []},
        "actions": writer.write(),
        "status": "finished" if game.finished else "active",
        "result": {str(writer.players[p]): w for p, w in game.standings()} if game.finished else {},
    }
