"""Positions of 1841 from a short description, and games that go on from them.

    game = situation(
        firm("SFTG", {"Ann": 3, "SFTN": 2}, "F4", cash=275, pool=1, trains="3", markers="H4/0 J6", tokens=3),
        firm("SFTN", "Bob", "E4"),                          # the president's certificate alone
        firm("SSFL", {"Pool": 2}, "C5", pool=3),            # the president's certificate is in the pool: frozen
        phase="4", cash={"Bob": 200}, privates={"Bayard": "Bob", "C-SFTC": None}, tiles={"I5": "58#0"},
    ).stock("Bob")                   # or .operating("SFTG"), .turn("SFTG", "trains"), .after_round()
    game.do("Bob: sell 1 SFTG")

The last four put frames on the agenda with the course of the game beneath them, so that the game goes on as it would.
Spaces of the chart are named as in the game: column and row, ``F4``. What is not said is as at the start of a game,
but for the concessions: those nobody has are the bank's until phase 4, and gone from then on. Money that is not
described is the bank's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any, Final

import engine
from engine.board.board import Board
from engine.core.ids import (
    BANK,
    POOL,
    TREASURY,
    Cell,
    CompanyId,
    HexId,
    PhaseName,
    PlayerId,
    PrivateId,
    TileId,
    TrainName,
)
from engine.core.state import PriceMarker, Round, State
from engine.core.title import Title
from engine.holders.charters import all_shares, charter_of, director_kind, directors_worth, ordinary_kind
from engine.holders.ledger import shares
from engine.steps.course import Course
from engine.titles.t1841.names import ACTING, HISTORY, LOAN, NO_CONCESSIONS_PHASE, RESIGNED, ROUNDS
from engine.titles.t1841.rulings import rulings_of
from engine.titles.t1841.stock.frame import StockRound
from engine.titles.t1841.turn.company_turn import TURNS
from engine.titles.t1841.turn.operating_round import OperatingRound
from engine.titles.t1841.turn.queue import WAITING
from tests.kit.games.situations import Played, load
from tests.kit.games.situations import fresh as fresh_of

EDITIONS: Final = ("clarified", "v2", "v1")
LITE: Final = {"map": "lite"}


def title(edition: str = "clarified", **options: str) -> Title:
    """The title; loaded once for each edition and its options."""
    return load("1841", edition, **options)


def space(name: str) -> Cell:
    """A space of the chart: ``F4`` is column F, row 4."""
    return int(name[1:]) - 1, "ABCDEFGHIJKLMNOPQRS".index(name[0])


def named(cell: Cell) -> str:
    """The name of a space of the chart."""
    return f"{'ABCDEFGHIJKLMNOPQRS'[cell[1]]}{cell[0] + 1}"


@dataclass(frozen=True, slots=True)
class Firm:
    """A company as a test describes it; made by ``firm``."""

    id: CompanyId
    holders: Mapping[str, int]
    at: Cell
    cash: int
    trains: tuple[TrainName, ...]
    history: bool
    pool: int
    markers: tuple[tuple[HexId, int], ...] | None
    tokens: int
    since: int | None


def firm(
    name: str,
    owner: str | Mapping[str, int],
    at: str = "F4",
    *,
    cash: int = 0,
    trains: str = "",
    history: bool = True,
    pool: int = 0,
    markers: str | None = None,
    tokens: int = 0,
    since: int | None = None,
) -> Firm:
    """``owner``: shares by holder (players, companies, ``Pool``), the one with the president's certificate first; one
    name alone has that certificate only. ``pool``: ordinary shares in the pool; what nobody has is the company's own.
    ``history``: it has performed an operating round. ``markers``: hexes, with ``/`` and the number of the city; None is
    its printed homes. ``tokens``: how many it has in all; at least those on the map. Who stands higher in a pile: those
    named first, or with the lower ``since``."""
    places = None
    if markers is not None:
        cut = [m.partition("/") for m in markers.split()]
        places = tuple((HexId(h), int(city or 0)) for h, _, city in cut)
    holders = {owner: 2} if isinstance(owner, str) else dict(owner)
    owned = tuple(map(TrainName, trains.split()))
    return Firm(CompanyId(name), holders, space(at), cash, owned, history, pool, places, tokens, since)


@dataclass(slots=True)
class Italian(Played):
    """A game of 1841 that began in the middle."""

    def stock(self, turn: str | None = None, round: str = "", **memory: Any) -> Italian:
        """A stock round with ``turn`` (or the first player) on turn, by default of the set the position is in;
        ``memory``: fields of its frame."""
        if round or self.state.round.kind != "SR":
            self.state = replace(self.state, round=_round(round or f"SR {self.state.round.set}"))
        player = next(p for p in self.state.players if p == (turn or self.state.players[0]))
        return self._on(StockRound(player, **memory))

    def operating(self, *companies: str) -> Italian:
        """The operating round of the position, these companies waiting for their turns."""
        return self._on(self._waiting(*companies))

    def turn(self, company: str, stage: str = "track", waiting: str = "") -> Italian:
        """The company's turn with the stage reached; ``waiting``: companies that operate after it."""
        player = self.director(company)
        if player is not None and rulings_of(self.title).frozen_in_turn == "goes_on":
            self.state = replace(self.state, marks={**self.state.marks, ACTING: (CompanyId(company), player)})
        return self._on(self._waiting(*waiting.split()), replace(TURNS.begin(CompanyId(company)), stage=stage))

    def after_round(self) -> Italian:
        """The round of the position is over."""
        return self._on()

    def _waiting(self, *companies: str) -> OperatingRound:
        waiting = frozenset(map(CompanyId, companies))
        self.state = replace(self.state, marks={**self.state.marks, WAITING: waiting})
        return OperatingRound(begun=True)

    def _on(self, *frames: Any) -> Italian:
        self.turns(Course(()), *frames)
        return self

    # ---- looking ----------------------------------------------------------------------------------------------------

    def place(self, name: str) -> str:
        """Price and space of a company: ``100 F4``."""
        return f"{self.title.price(self.state, CompanyId(name))} {named(self.state.prices[CompanyId(name)].cell)}"

    def pile(self, at: str) -> list[str]:
        """The companies whose markers lie in a space, from the top."""
        there = [(m.since, c) for c, m in self.state.prices.items() if m.cell == space(at)]
        return [str(c) for _, c in sorted(there)]

    def shares(self, name: str) -> dict[str, int]:
        """Shares by place: players, other companies, the pool, its own."""
        places = (*self.state.players, *self.state.companies, POOL, TREASURY)
        found = {str(p): shares(self.title, self.state, p, CompanyId(name)) for p in places}
        return {p: n for p, n in found.items() if n}

    def president(self, name: str) -> str:
        """The place of the president's certificate."""
        kind = director_kind(self.title, self.state, CompanyId(name))
        (found,) = (p for (p, c, k), n in self.state.holdings.items() if c == name and k == kind and n)
        return str(found)

    def frozen(self, name: str) -> bool:
        return self.director(name) is None

    def owner(self, concession: str) -> str | None:
        """Who has the concession; None while it is the bank's or when it is gone."""
        return self.state.privates.get(PrivateId(concession))

    def tokens(self, name: str) -> int:
        """Tokens that the company has in all."""
        return charter_of(self.title, self.state, CompanyId(name)).markers

    def left(self, train: str) -> int:
        """New trains of the type."""
        return self.state.supply[TrainName(train)]

    def score(self, player: str) -> int:
        return self.title.score(self.title, self.state, PlayerId(player))


def fresh(players: str = "Ann Bob Cat", edition: str = "clarified", **options: str) -> Italian:
    """A game at its first question; the players in this order."""
    begun = fresh_of(players, title="1841", edition=edition, **options)
    return Italian(begun.title, begun.state, begun.events)


def position(found: Title, players: str = "Ann Bob Cat", phase: str = "4", round: str = "OR 2.1") -> State:
    """A position of the phase in which nobody has anything, and nothing is asked."""
    names = tuple(players.split())
    started = engine.Game.start(found, engine.Setup(names, seed="situation", priority=names[0])).state
    begun = [p.name for p in found.phases[: found.phase_index(PhaseName(phase)) + 1]]
    concessions = dict.fromkeys(started.privates)
    state = replace(
        started,
        phase=PhaseName(phase),
        round=_round(round),
        privates={} if found.phase_index(phase) >= found.phase_index(NO_CONCESSIONS_PHASE) else concessions,
        supply=_supply(started, phase),
        bought=frozenset(TrainName(p) for p in begun),
        cash={BANK: found.bank, **dict.fromkeys(started.players, 0)},
        agenda=(),
    )
    return replace(state, marks={ROUNDS: max(1, found.phase(state).rounds), HISTORY: frozenset()})


def situation(
    *described: Firm,
    edition: str = "clarified",
    options: Mapping[str, str] | None = None,
    players: str = "Ann Bob Cat",
    cash: Mapping[str, int] | None = None,
    bank: int | None = None,
    privates: Mapping[str, str | None] | None = None,
    closed: str = "",
    loans: Mapping[str, int] | None = None,
    resigned: str = "",
    phase: str = "4",
    round: str = "OR 2.1",
    tiles: Mapping[str, str] | None = None,
    supply: Mapping[str, int] | None = None,
    pool_trains: str = "",
    marks: Mapping[str, Any] | None = None,
) -> Italian:
    """A position of 1841. ``cash``: of players and others; ``bank``: what it is to have, the rest going to the last
    player. ``privates``: owners of concessions. ``closed``: companies that are out of the game. ``loans``: debts of
    bankrupt players. ``tiles``: hex -> ``tile#rotation``. ``supply``: new trains left; one of the phase's own is gone,
    types before it are sold out."""
    found = title(edition, **(options or {}))
    state = position(found, players, phase, round)
    state = replace(
        state,
        privates={**state.privates, **{PrivateId(p): owner for p, owner in (privates or {}).items()}},
        supply={**state.supply, **{TrainName(t): n for t, n in (supply or {}).items()}},
        pool_trains=tuple(map(TrainName, pool_trains.split())),
        debts={(PlayerId(p), LOAN): n for p, n in (loans or {}).items()},
        companies={
            c: replace(now, status="closed") if c in closed.split() else now for c, now in state.companies.items()
        },
        board=_board(found, described, tiles or {}),
    )
    for number, row in enumerate(described):
        state = _in_play(found, state, row, number)
    more = {RESIGNED: frozenset(map(PlayerId, resigned.split()))} if resigned else {}
    history = {HISTORY: frozenset(row.id for row in described if row.history)}
    money = {str(p): 0 for p in state.players} | {str(row.id): row.cash for row in described} | dict(cash or {})
    if bank is not None:
        money[state.players[-1]] += found.bank - bank - sum(money.values())
    state = replace(
        state,
        tick=len(described),
        cash={BANK: found.bank - sum(money.values()), **money},
        marks={**state.marks, **history, **more, **(marks or {})},
    )
    return Italian(found, state)


def _round(text: str) -> Round:
    kind, numbers = text.split()
    of, _, number = numbers.partition(".")
    return Round(kind, int(of), int(number or 0))


def _supply(state: State, phase: str) -> dict[TrainName, int]:
    """All trains of the phase but the one that began it, and all later ones."""
    over = set(takewhile(lambda t: t != phase, state.supply))
    return {t: 0 if t in over else n - (t == phase) for t, n in state.supply.items()}


def _board(found: Title, described: tuple[Firm, ...], tiles: Mapping[str, str]) -> Board:
    laid = {HexId(h): (TileId(t.partition("#")[0]), int(t.partition("#")[2] or 0)) for h, t in tiles.items()}
    board = Board(found.map, laid, {})
    for row in described:
        places = row.markers
        if places is None:
            homes = found.companies[row.id].charter.homes
            places = tuple((hex, board.home_city(hex, city)) for hex, city in homes)
        for hex, city in places:
            board = board.place(hex, city, row.id)
    return board


def _in_play(found: Title, state: State, row: Firm, number: int) -> State:
    """The company open in the position: its shares, its price, its tokens."""
    charter = charter_of(found, state, row.id)
    on_map = len(state.board.places_of(row.id))
    charters = {**state.charters, row.id: replace(charter, markers=max(row.tokens, on_map, 1))}
    return replace(
        state,
        charters={c: new for c, new in charters.items() if new != found.companies[c].charter},
        companies={**state.companies, row.id: replace(state.companies[row.id], status="open", trains=row.trains)},
        holdings={**{k: n for k, n in state.holdings.items() if k[1] != row.id}, **_holdings(found, state, row)},
        prices={**state.prices, row.id: PriceMarker(row.at, number if row.since is None else row.since)},
    )


def _holdings(found: Title, state: State, row: Firm) -> dict[Any, int]:
    director, ordinary = director_kind(found, state, row.id), ordinary_kind(found, state, row.id)
    worth = directors_worth(found, state, row.id)
    left = all_shares(found, state, row.id) - worth - row.pool
    held: dict[Any, int] = {(POOL, row.id, ordinary): row.pool}
    for i, (place, count) in enumerate(row.holders.items()):
        singles = count - worth if i == 0 else count
        assert singles >= 0, f"{row.id}: {place} has too few for the president's certificate"
        held[place, row.id, ordinary] = held.get((place, row.id, ordinary), 0) + singles
        if i == 0:
            held[place, row.id, director] = 1
        left -= singles
    assert left >= 0, f"{row.id}: more shares than there are"
    held[TREASURY, row.id, ordinary] = left
    return {key: n for key, n in held.items() if n}


__all__ = ["EDITIONS", "LITE", "Firm", "Italian", "firm", "fresh", "named", "position", "situation", "space", "title"]
