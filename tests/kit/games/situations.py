"""Positions from a short description, and games that go on from them.

    game = situation(
        company("K-R", "Bob", at="r6c1", cash=135, loans=1),
        company("MVR", {"Bob": 5, "Cat": 3}, at="r3c8", pool=1, markers="M7 H8/0", trains="3 3"),
        phase="3", cash={"Bob": 200}, privates={"WVR": "K-R"}, round="OR 2.1",
    )
    game.turns(...)                  # what comes next: frames of the title, see the title's own helpers
    game.do("K-R: done")             # the events; fails with the reasons if it is refused
    game.refusals("Bob: sell 3 MVR")  # keys of the failed checks

Money not given to anybody is the bank's. Spaces of the chart are ``r3c8``: row and column from the top left, from 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, TypeVar

import engine
import grammar
from engine.board.board import Board
from engine.core import decide as rules
from engine.core.agenda import Ask
from engine.core.events import Event
from engine.core.ids import BANK, POOL, TREASURY, Cell, CompanyId, HexId, PhaseName, PrivateId, TileId, TrainName
from engine.core.orders import Decline, Done, Drop, Order, Pass, Refuse, RunBest
from engine.core.state import Frame, PriceMarker, Round, State
from engine.core.title import Play, Title
from engine.holders.charters import all_shares, charter_of, director_kind, ordinary_kind
from engine.holders.ledger import shares
from moderator.domain.vocabulary import vocabulary

E = TypeVar("E")
IDLE = (Pass, Drop, Done, Decline, Refuse, RunBest)
"""What those give who do nothing, the first that is legal."""


@lru_cache(maxsize=32)
def load(name: str, edition: str, **options: str) -> Title:
    return engine.load_title(name, edition, options)


@dataclass(frozen=True, slots=True)
class Described:
    """A company in play as a test describes it; made by ``company``."""

    id: CompanyId
    holders: Mapping[str, int]
    at: Cell | None
    cash: int
    loans: int
    trains: tuple[TrainName, ...]
    operated: bool
    pool: int
    markers: tuple[tuple[HexId, int], ...] | None


def company(
    name: str,
    owner: str | Mapping[str, int] = (),  # type: ignore[assignment]
    at: str = "",
    *,
    cash: int = 0,
    loans: int = 0,
    trains: str = "",
    operated: bool = True,
    pool: int = 0,
    markers: str | None = None,
) -> Described:
    """``owner``: of all of it, or shares by player, the director first; nobody for a company without shares.
    ``at``: its space on the chart, "" for none. ``markers``: hexes, with ``/`` and the number of the city where there
    are several; None is its printed home. Companies named first lie higher in their stack."""
    holders = {owner: 0} if isinstance(owner, str) else dict(owner)
    places = None
    if markers is not None:
        cut = [m.partition("/") for m in markers.split()]
        places = tuple((HexId(h), int(city or 0)) for h, _, city in cut)
    owned = tuple(map(TrainName, trains.split()))
    return Described(CompanyId(name), holders, cell(at) if at else None, cash, loans, owned, operated, pool, places)


def cell(text: str) -> Cell:
    """``r3c8`` as the engine counts."""
    row, _, column = text.removeprefix("r").partition("c")
    return int(row) - 1, int(column) - 1


@dataclass(slots=True)
class Played:
    """A game that began in the middle. Orders are given as players write them."""

    title: Title
    state: State
    events: list[Event] = field(default_factory=list)
    """All that happened since the position was set up."""

    def turns(self, *frames: Frame) -> Played:
        """Put ``frames`` on the agenda, the lowest first, and go on to the first question."""
        self.state = replace(self.state, agenda=frames)
        play = Play(self.title, self.state)
        rules.run_on(play)
        self.state = play.state
        self.events += play.events
        return self

    def read(self, text: str) -> tuple[Order, ...]:
        reading = grammar.read(text, vocabulary(self.title, self.state.players))
        assert not reading.errors and not reading.skipped and not reading.words, (text, reading)
        return reading.orders

    def do(self, text: str) -> tuple[Event, ...]:
        """Carry out the orders; what followed from them."""
        happened: list[Event] = []
        for order in self.read(text):
            played = rules.decide_to_state(self.title, self.state, order)
            assert not isinstance(played, engine.Refused), f"{order}: {played}; asked: {self.asked}"
            self.state = played.state
            happened += played.events
            assert sum(self.state.cash.values()) == self.title.bank
        self.events += happened
        return tuple(happened)

    def refusals(self, text: str) -> set[str]:
        """Keys of the checks that the one order fails; empty if it is legal. Nothing changes."""
        (order,) = self.read(text)
        result = rules.decide(self.title, self.state, order)
        return {f.check for f in result.failures} if isinstance(result, engine.Refused) else set()

    def failures(self, given: str | Order) -> dict[str, dict[str, Any]]:
        """The checks that the one order fails, with their facts; empty if it is legal. Nothing changes."""
        (order,) = self.read(given) if isinstance(given, str) else (given,)
        result = rules.decide(self.title, self.state, order)
        return {f.check: dict(f.facts) for f in result.failures} if isinstance(result, engine.Refused) else {}

    def accepted(self, actor: str = "") -> list[str]:
        """The menu of ``actor`` or the only one asked; fails unless every entry would be accepted, of a range both
        ends."""
        ask = self._ask(actor)
        for choice in rules.menu(self.title, self.state, ask):
            for order in dict.fromkeys((choice.sample(0), choice.sample(-1))):
                result = rules.decide(self.title, self.state, order)
                assert not isinstance(result, engine.Refused), f"{self.write(order)}: {result}"
        return self.menu(actor)

    def passes_until(self, question: str) -> Played:
        """Everybody passes until only ``question`` is asked, as ``asked`` has it."""
        while self.asked != [question]:
            self.do(f"{self.asked[0].split()[0]}: pass")
        return self

    @property
    def asked(self) -> list[str]:
        """Who is asked for what: ``Bob stock.turn``, ``Bob K-R company.turn``."""
        return [
            f"{a.player} {a.what}" if a.actor == a.player else f"{a.player} {a.actor} {a.what}"
            for a in rules.asked(self.title, self.state)
        ]

    def menu(self, actor: str = "") -> list[str]:
        """What ``actor`` or the only one asked may do, as it is ordered; of a range the least."""
        ask = self._ask(actor)
        return [self.write(choice.sample(0)) for choice in rules.menu(self.title, self.state, ask)]

    def _ask(self, actor: str) -> Ask:
        (found,) = (a for a in rules.asked(self.title, self.state) if actor in ("", a.actor))
        return found

    def told(self, kind: type[E]) -> list[E]:
        """The events of one kind since the start."""
        return [e for e in self.events if isinstance(e, kind)]

    def quietly(self, until: str = "") -> Played:
        """Everybody does the least there is, until ``until`` (a round as it is written) begins or the game is over."""
        while not self.state.finished and str(self.state.round) != until:
            ask = rules.asked(self.title, self.state)[0]
            menu = [choice.sample(0) for choice in rules.menu(self.title, self.state, ask)]
            idle = [o for kind in IDLE for o in menu if isinstance(o, kind)] or menu
            self.do(f"{ask.actor}: {self.write(idle[0])}")
        return self

    def write(self, order: Order) -> str:
        """The order without its actor, in the words of the title."""
        return grammar.write(order, vocabulary(self.title, self.state.players))

    # ---- looking ----------------------------------------------------------------------------------------------------

    def money(self, owner: str) -> int:
        return self.state.money(owner)

    def price(self, name: str) -> str:
        """Price and space of a company: ``135 r4c8``."""
        row, column = self.state.prices[CompanyId(name)].cell
        return f"{self.title.price(self.state, CompanyId(name))} r{row + 1}c{column + 1}"

    def shares(self, name: str) -> dict[str, int]:
        """Shares by place, players first; places without any are left out."""
        places = (*self.state.players, POOL, TREASURY)
        found = {str(p): shares(self.title, self.state, p, CompanyId(name)) for p in places}
        return {p: n for p, n in found.items() if n}

    def director(self, name: str) -> str | None:
        return self.title.policies.director(self.title, self.state, CompanyId(name))

    def trains(self, name: str) -> str:
        return " ".join(self.state.companies[CompanyId(name)].trains)

    def loans(self, name: str) -> int:
        return self.state.companies[CompanyId(name)].loans

    def status(self, name: str) -> str:
        return self.state.companies[CompanyId(name)].status

    def markers(self, name: str) -> list[str]:
        """Hexes of the company's markers."""
        return sorted(hex for hex, _ in self.state.board.places_of(CompanyId(name)))

    def without_agenda(self) -> State:
        """The position but for whose decision it is."""
        return replace(self.state, agenda=())

    def order(self) -> list[str]:
        return list(self.title.policies.operating_order(self.title, self.state))


def fresh(
    players: str, *, title: str = "1861", edition: str = "v2.0", seed: str = "situation", **options: str
) -> Played:
    """A game at its first question; the first player holds the Priority Deal."""
    loaded, names = load(title, edition, **options), tuple(players.split())
    started = engine.Game.start(loaded, engine.Setup(names, seed=seed, priority=names[0]))
    return Played(loaded, started.state, list(started.opening))


def situation(
    *described: Described,
    title: str = "1861",
    edition: str = "v2.0",
    options: Mapping[str, str] | None = None,
    players: str = "Ann Bob Cat",
    priority: str | None = None,
    cash: Mapping[str, int] | None = None,
    bank: int | None = None,
    privates: Mapping[str, str] | None = None,
    phase: str = "3",
    round: str = "OR 2.1",
    tiles: Mapping[str, str] | None = None,
    supply: Mapping[str, int] | None = None,
    pool_trains: str = "",
    marks: Mapping[str, Any] | None = None,
    seed: str = "situation",
) -> Played:
    """A position of ``title``. ``cash``: of players and others, nobody else has any; ``bank``: what it is to have, the
    rest going to a player who does nothing with it (the last). ``privates``: owners, the others are out of the game.
    ``tiles``: hex -> ``tile#rotation``. ``supply``: new trains left; types before the phase's own are sold out."""
    loaded = load(title, edition, **(options or {}))
    names = tuple(players.split())
    started = engine.Game.start(loaded, engine.Setup(names, seed=seed, priority=priority or names[0])).state
    state = replace(
        started,
        phase=PhaseName(phase),
        round=_round(round),
        privates={PrivateId(p): owner for p, owner in (privates or {}).items()},
        supply=_supply(loaded, phase, supply or {}),
        bought=frozenset(t for t in loaded.trains if t in _begun(loaded, phase)),
        pool_trains=tuple(map(TrainName, pool_trains.split())),
        marks=dict(marks or {}),
        agenda=(),
    )
    state = replace(state, board=_board(loaded, state, described, tiles or {}))
    for number, row in enumerate(described):
        state = _in_play(loaded, state, row, number)
    state = replace(state, tick=len(described), cash=_cash(loaded, state, described, cash or {}, bank))
    return Played(loaded, state)


def _round(text: str) -> Round:
    kind, numbers = text.split()
    of, _, number = numbers.partition(".")
    return Round(kind, int(of), int(number or 0))


def _begun(title: Title, phase: str) -> list[str]:
    return [p.name for p in title.phases[: title.phase_index(phase) + 1]]


def _supply(title: Title, phase: str, given: Mapping[str, int]) -> dict[TrainName, int]:
    """All trains of the phase but the one that began it, and all later ones."""
    over = set(_begun(title, phase)[:-1])
    found = {t.name: t.quantity for t in title.trains.values() if t.quantity is not None}
    left = {name: 0 if name in over else n - (name == phase) for name, n in found.items()}
    return {**left, **{TrainName(t): n for t, n in given.items()}}


def _board(title: Title, state: State, described: tuple[Described, ...], tiles: Mapping[str, str]) -> Board:
    laid = {HexId(h): (TileId(t.partition("#")[0]), int(t.partition("#")[2] or 0)) for h, t in tiles.items()}
    board = Board(title.map, laid, {})
    for row in described:
        places = row.markers
        if places is None:
            home = charter_of(title, state, row.id).home
            places = () if home is None else ((home[0], board.home_city(*home)),)
        for hex, city in places:
            board = board.place(hex, city, row.id)
    return board


def _in_play(title: Title, state: State, row: Described, number: int) -> State:
    now = state.companies[row.id]
    now = replace(now, trains=row.trains, loans=row.loans, operated=row.operated)
    if row.at is None:
        return replace(state, companies={**state.companies, row.id: now})
    now = replace(now, status="open")
    kinds = charter_of(title, state, row.id).certificates
    director = director_kind(title, state, row.id)
    worth = kinds[director][0].shares
    holdings = {k: n for k, n in state.holdings.items() if k[1] != row.id}
    for place, count in row.holders.items():
        first = place == next(iter(row.holders))
        holdings[place, row.id, director] = int(first)
        if len(kinds) > 1:
            holdings[place, row.id, ordinary_kind(title, state, row.id)] = count - (worth if first else 0)
    if len(kinds) > 1:
        ordinary = ordinary_kind(title, state, row.id)
        holdings[POOL, row.id, ordinary] = row.pool
        holdings[TREASURY, row.id, ordinary] = all_shares(title, state, row.id) - sum(row.holders.values()) - row.pool
    return replace(
        state,
        companies={**state.companies, row.id: now},
        holdings={k: n for k, n in holdings.items() if n},
        prices={**state.prices, row.id: PriceMarker(row.at, number)},
    )


def _cash(
    title: Title, state: State, described: tuple[Described, ...], given: Mapping[str, int], bank: int | None
) -> dict[str, int]:
    cash = {str(p): 0 for p in state.players} | {str(row.id): row.cash for row in described} | dict(given)
    if bank is not None:
        cash[state.players[-1]] += title.bank - bank - sum(cash.values())
    return {BANK: title.bank - sum(cash.values()), **cash}
