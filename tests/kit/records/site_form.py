"""Our games in the form in which 18xx.games records a game of 1861: the opposite of the importer, for its tests.

The site asks step by step, so passes are strewn in at the places where it asks for them; which of them are there is a
matter of chance, as it is in records (the site moves on by itself where it thinks that nothing can be done).
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

import engine
from engine.acts.act import Turn
from engine.acts.lay_track import Laid
from engine.core import decide
from engine.core.agenda import Range
from engine.core.events import Event, MarkerRemoved, Ran, Restored, TrainMoved
from engine.core.ids import BANK, POOL, TREASURY, CompanyId
from engine.core.orders import (
    Agree,
    Bid,
    Buy,
    BuyPrivate,
    Convert,
    Decline,
    Discard,
    Done,
    Drop,
    Keep,
    Lay,
    Merge,
    Nationalise,
    Open,
    Order,
    Pass,
    Pay,
    Redeem,
    Run,
    RunBest,
    Sell,
    Settle,
    Space,
    Start,
    Take,
    Token,
    Train,
)
from engine.core.state import State
from engine.families.f1867.mergers.formation import in_operating_order
from engine.families.f1867.stock.share_offers import OpenOffers, ShareOffers
from engine.families.f1867.turn.company_turn import TURNS
from engine.families.f1867.turn.interest import Owing
from engine.holders.charters import ordinary_kind
from engine.holders.control import controller_of, count
from engine.routes.graph import graph_of
from engine.routes.legality import can_run, check_run
from engine.steps.auction import Auction
from engine.steps.consent import Consent

Action = dict[str, Any]
PAYMENTS = {"full": "payout", "half": "half", "none": "withhold"}


@dataclass(slots=True)
class Writer:
    """``passes``: how often a pass is written where the site may have asked. ``offers_first``: as the site did before
    it changed the sequence, markers are given up after the offers."""

    game: engine.Game
    passes: float = 0.5
    offers_first: bool = False
    seed: int = 0
    actions: list[Action] = field(default_factory=list)
    chance: random.Random = field(init=False)
    players: dict[str, int] = field(init=False)
    waiting: list[Action] = field(default_factory=list)
    """What waits for consent, which the site does not record."""
    late: list[Action] = field(default_factory=list)
    """What a new company gives up after its shares have been offered."""
    trains: dict[str, list[str]] = field(default_factory=dict)
    numbers: dict[str, int] = field(default_factory=dict)
    tiles: dict[str, str] = field(default_factory=dict)
    certificates: dict[CompanyId, dict[str, list[str]]] = field(default_factory=dict)
    """Company -> place -> numbers of ordinary certificates there."""
    tracked: tuple[object, ...] = ()
    """The turn whose track is over."""
    before_merger: int = 0
    kept: tuple[Any, ...] = ()
    """Trains, their numbers and certificates before it."""

    def __post_init__(self) -> None:
        self.chance = random.Random(self.seed)
        self.players = {p: 100 + n for n, p in enumerate(self.game.setup.players)}

    def write(self) -> list[Action]:
        steps = list(self.game.happened(0))
        for number, (order, before, events) in enumerate(steps):
            after = steps[number + 1][1] if number + 1 < len(steps) else self.game.state
            self._order(order, before, after, events)
        return self.actions

    # ---- actions ----------------------------------------------------------------------------------------------------

    def _emit(self, actions: Iterable[Action]) -> None:
        for action in actions:
            self.actions.append({**action, "id": len(self.actions) + 1, "created_at": 1_600_000_000})

    def _by(self, actor: str, action: str, **fields: Any) -> Action:
        if actor in self.players:
            return {"type": action, "entity": self.players[actor], "entity_type": "player", **fields}
        return {"type": action, "entity": self._site(actor), "entity_type": "corporation", **fields}

    def _site(self, company: str) -> str:
        """As the site spells it: without the hyphen, but for M-K."""
        return company if company == "M-K" else company.replace("-", "")

    def _maybe(self, actor: str) -> list[Action]:
        return [self._by(actor, "pass")] if self.chance.random() < self.passes else []

    def _order(self, order: Order, before: State, after: State, events: Sequence[Event]) -> None:
        actions = [*self._track_done(order, before), *self._actions(order, before, events)]
        if any(isinstance(frame, Consent) for frame in after.agenda):
            self.waiting = actions or self.waiting
            return
        if isinstance(order, Agree):
            actions, self.waiting = self.waiting, []
        self._emit(actions)
        forming = any(isinstance(frame, ShareOffers | OpenOffers) for frame in (*before.agenda, *after.agenda))
        self._move_trains(events, forming or isinstance(order, Merge | Convert))
        self._move_certificates(after)
        restored = any(isinstance(e, Restored) for e in events)
        if restored:  # the players have to take such a merger back themselves
            self.late = []
            self.trains, self.numbers, self.certificates = deepcopy(self.kept)
            self._emit([self._by(self.game.setup.players[0], "undo", action_id=self.before_merger)])
        elif self.late and not any(isinstance(frame, ShareOffers | OpenOffers) for frame in after.agenda):
            late, self.late = self.late, []
            self._emit(late)

    def _track_done(self, order: Order, before: State) -> list[Action]:
        """The pass with which a company ends its track, which the site always asks for unless two tiles lie."""
        top = before.top
        if not isinstance(top, Turn) or order.actor != top.company or isinstance(order, Lay | BuyPrivate | Redeem):
            return []
        done = (before.round, top.company, top.note(Owing).loans)
        if TURNS.is_past(top, "track") or self.tracked == done or len(top.note(Laid).hexes) == 2:
            return []
        self.tracked = done
        return [self._by(top.company, "pass")]

    def _actions(self, order: Order, before: State, events: Sequence[Event]) -> list[Action]:
        actor = order.actor
        match order:
            case Agree():
                return []
            case Open() | Bid():
                return [self._bid(order, before)]
            case Drop() | Pass():
                return [self._by(actor, "pass")]
            case Sell():
                sold = self._move(order.company, order.count, actor, POOL)
                # Of a director's certificate one share may be sold, changed with the next director.
                sold = sold if len(sold) == order.count else [*sold, f"{order.company}_0"]
                return [self._by(actor, "sell_shares", shares=sold, percent=order.count * 10)]
            case Buy():
                source = order.source or ("pool" if not self._of(order.company, TREASURY) else "treasury")
                bought = self._move(order.company, 1, POOL if source == "pool" else TREASURY, actor)
                return [self._by(actor, "buy_shares", shares=bought, percent=10)]
            case Start():
                return self._start(order, before)
            case Take():
                return self._take(order, before)
            case Redeem():
                own = self._move(order.actor, order.count, POOL, TREASURY)
                return [self._by(actor, "buy_shares", shares=own, percent=10 * order.count)]
            case Lay():
                return [self._lay(order)]
            case Token():
                return [
                    *self._maybe(actor),
                    self._by(actor, "place_token", city=self._city(order.space, before), slot=0),
                ]
            case Run() | RunBest():
                return [*self._maybe(actor), *self._run(order.actor, before, events)]
            case Pay():
                return [self._by(actor, "dividend", kind=PAYMENTS[order.kind])]
            case Settle():
                return [self._by(actor, "pass")]
            case Train():
                return [*self._maybe(actor), self._train(order)]
            case BuyPrivate():
                return [self._by(actor, "buy_company", company=order.private, price=order.price)]
            case Done():
                return self._maybe(actor)
            case Discard():
                return []  # written with the events
            case Nationalise():
                return [self._by(actor, "choose", choice="nationalize") if order.yes else self._by(actor, "pass")]
            case Convert():
                self.before_merger = len(self.actions)
                self._begin(order.into)
                return [self._by(actor, "convert"), self._by(actor, "merge", corporation=order.into)]
            case Merge():
                return self._merge(order, before)
            case Keep():
                return self._remove(order.actor, before, events)
            case Decline():
                return [self._by(actor, "pass")]
            case _:
                raise AssertionError(f"not for the site: {order}")

    def _bid(self, order: Open | Bid, before: State) -> Action:
        item, price = order.item, order.amount
        if isinstance(before.top, Auction):
            item = CompanyId(before.top.item)
        elif item is None or price is None:
            ask = decide.asked(self.game.title, before)[0]
            item, price = CompanyId(ask.about[0]), price or int(ask.about[1])
        assert item is not None
        field_name = "company" if item in self.game.title.privates else "corporation"
        name = item if field_name == "company" else self._site(item)
        return self._by(order.actor, "bid", price=price, **{field_name: name})

    def _start(self, order: Start, before: State) -> list[Action]:
        self._begin(order.company)
        assert order.space is not None
        cell = self.game.title.chart.start_cell(order.price, "par_any", "par_public")
        assert cell is not None
        city = self._city(order.space, before)
        return [
            self._by(order.actor, "par", corporation=order.company, share_price=f"{order.price},{cell[0]},{cell[1]}"),
            self._by(order.company, "place_token", city=city, slot=0, tokener=self._site(order.company)),
        ]

    def _take(self, order: Take, before: State) -> list[Action]:
        frame = before.top
        assert isinstance(frame, ShareOffers | OpenOffers)
        ask = decide.ask_for(self.game.title, before, order.actor)
        assert ask is not None
        menu = decide.menu(self.game.title, before, ask)
        most = max(c.high if isinstance(c, Range) else 0 for c in menu)
        taken = []
        treasury, own = self._of(frame.company, TREASURY), self._of(frame.company, order.actor)
        led = controller_of(self.game.title, before, frame.company) is not None
        for _ in range(order.count):
            taken.append(self._by(order.actor, "buy_shares", shares=treasury[:1], percent=10))
            if not led and len(own) == 1:  # he gives both for the director's certificate
                treasury += [own.pop(), treasury.pop(0)]
                led = True
            else:
                own.append(treasury.pop(0))
        if isinstance(frame, OpenOffers):  # a pass changes nothing there
            return [*self._maybe(order.actor), *taken]
        done = order.count == most or (order.count and not frame.holders)
        return taken if done else [*taken, self._by(order.actor, "pass")]

    def _lay(self, order: Lay) -> Action:
        number = next(n for n in range(99) if f"{order.tile}-{n}" not in self.tiles.values())
        self.tiles[order.hex] = f"{order.tile}-{number}"
        fields = {"hex": order.hex, "tile": self.tiles[order.hex], "rotation": order.rotation}
        return self._by(order.actor, "lay_tile", **fields)

    def _city(self, space: Space, before: State) -> str:
        city = before.board.city_at(space)
        if city is None:
            face = before.board.face(space.hex)
            city = next(i for i in range(len(face.cities)) if before.board.free(space.hex, i))
        return f"{self.tiles.get(space.hex, f'{space.hex}-0')}-{city}"

    def _run(self, company: CompanyId, before: State, events: Sequence[Event]) -> list[Action]:
        ran = next((e for e in events if isinstance(e, Ran)), None)
        traits = self.game.title.policies.run_traits(self.game.title, before, company)
        if ran is None or not ran.routes:
            return [self._by(company, "run_routes", routes=[])] if can_run(before.board, traits) else []
        graph = graph_of(before.board)
        tracks = check_run(before.board, traits, ran.routes).tracks
        own = dict.fromkeys(self._trains(company))
        routes = []
        for route, track, value in zip(ran.routes, tracks, ran.values, strict=True):
            number = next(n for n in own if n.rsplit("-", 1)[0] == route.train)
            del own[number]
            legs = [list(graph.stretches[s].hexes_from(n)) for n, s in zip(track.stops, track.stretches, strict=False)]
            routes.append(
                {
                    "train": number,
                    "connections": [leg[::-1] if self.chance.random() < 0.5 else leg for leg in legs],
                    "revenue": value,
                    "revenue_str": "-".join(route.hexes),
                }
            )
        return [self._by(company, "run_routes", routes=routes)]

    def _train(self, order: Train) -> Action:
        source = order.source or BANK
        alike = [n for n in self._trains(source) if n.rsplit("-", 1)[0] == order.train]
        number = self._next(order.train) if source == BANK else alike[0]
        price = self.game.title.trains[order.train].cost if source in (BANK, POOL) else order.price
        return self._by(order.actor, "buy_train", train=number, price=price, variant=order.train)

    def _merge(self, order: Merge, before: State) -> list[Action]:
        self.before_merger = len(self.actions)
        self.kept = deepcopy((self.trains, self.numbers, self.certificates))
        group = in_operating_order(self.game.title, before, (order.actor, *order.minors))
        self._begin(order.into, [str(controller_of(self.game.title, before, m)) for m in group])
        added = [self._by(order.actor, "merge", corporation=self._site(m)) for m in order.minors]
        return [*added, *self._maybe(order.actor), self._by(order.actor, "merge", corporation=order.into)]

    def _remove(self, company: CompanyId, before: State, events: Sequence[Event]) -> list[Action]:
        gone = [e for e in events if isinstance(e, MarkerRemoved)]
        actions = [
            self._by(company, "remove_token", city=f"{self.tiles.get(e.hex, f'{e.hex}-0')}-{e.city}", slot=0)
            for e in gone
        ]
        if not self.offers_first:
            return actions
        self.late = actions + self.late
        return []

    # ---- certificates -----------------------------------------------------------------------------------------------

    def _begin(self, company: CompanyId, owners: Sequence[str] = ()) -> None:
        """The company's certificates; each owner of a minor gets the last one, his second is changed for the first."""
        places: dict[str, list[str]] = {TREASURY: [f"{company}_{n}" for n in range(1, 9)]}
        led = False
        for owner in owners:
            held = places.setdefault(owner, [])
            if not led and len(held) == 1:
                places[TREASURY].append(held.pop())
                led = True
            else:
                held.append(places[TREASURY].pop())
        self.certificates[company] = places

    def _of(self, company: CompanyId, place: str) -> list[str]:
        return self.certificates[company].setdefault(place, [])

    def _move(self, company: CompanyId, number: int, source: str, target: str) -> list[str]:
        """The first certificates of one place go to another."""
        moved = self._of(company, source)[:number]
        del self._of(company, source)[:number]
        self._of(company, target).extend(moved)
        return moved

    def _move_certificates(self, after: State) -> None:
        """Whatever else moved: directors change their certificates among players and pool, never with the treasury."""
        for company, places in self.certificates.items():
            if after.companies[company].status != "open":
                continue
            kind = ordinary_kind(self.game.title, after, company)
            wanted = {p: count(after, p, company, kind) for p in (*self.players, POOL, TREASURY)}
            spare = [n for place, number in wanted.items() for n in places.setdefault(place, [])[number:]]
            for place, number in wanted.items():
                del places[place][number:]
                while len(places[place]) < number:
                    places[place].append(spare.pop())
            assert not spare

    # ---- trains -----------------------------------------------------------------------------------------------------

    def _trains(self, owner: str) -> list[str]:
        return self.trains.setdefault(owner, [])

    def _next(self, train: str) -> str:
        return f"{train}-{self.numbers.get(train, 0)}"

    def _move_trains(self, events: Sequence[Event], forming: bool) -> None:
        for event in events:
            if not isinstance(event, TrainMoved):
                continue
            if event.source == BANK:
                number = self._next(event.train)
                self.numbers[event.train] = self.numbers.get(event.train, 0) + 1
            else:
                alike = [n for n in self._trains(event.source) if n.rsplit("-", 1)[0] == event.train]
                assert alike, (event, self.trains)
                number = self.chance.choice(alike) if event.target == POOL else alike[0]
                self._trains(event.source).remove(number)
            self._trains(event.target).append(number)
            if event.target == POOL:
                given_up = self._by(event.source, "discard_train", train=number)
                if forming:
                    self.late.append(given_up)
                else:
                    self._emit([given_up])


def site_record(game: engine.Game, number: int = 1, **options: Any) -> dict[str, Any]:
    """The whole file."""
    writer = Writer(game, **options)
    rules = ["column_market"] if game.title.options["chart"] == "column" else []
    return {
        "id": number,
        "title": game.title.name,
        "players": [{"id": n, "name": p} for p, n in writer.players.items()],
        "settings": {"optional_rules": rules},
        "actions": writer.write(),
        "status": "finished" if game.finished else "active",
        "result": {str(writer.players[p]): w for p, w in game.standings()} if game.finished else {},
    }
