"""Positions of 1863 from a short description, and games that go on from them.

    game = situation(
        tube("MET", {"Ann": 5, "BAK": 2}, 100, cash=275, pool=1, trains="2T 3T", shorts={"Cat": 1}, markers="C10 H11"),
        tube("BAK", "Bob", 75, minor=True, loans=1, last_run=60),
        phase="III", cash={"Bob": 200}, privates={"GRE": "MET"}, tiles={"F9": "57#0"},
    )
    game.frames(SomeFrame(...))      # the frames of the title, with the course of the game beneath them
    game.do("Bob: pass")

Prices are those of the row; what is not said is as at the start of a game after the auction. Privates that nobody has
are out of the game. Money that is not described is the bank's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
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
    Owner,
    PhaseName,
    PlayerId,
    PrivateId,
    TileId,
    TrainName,
)
from engine.core.state import Frame, HoldingKey, PriceMarker, Round, State
from engine.core.title import Play, Title
from engine.holders.charters import charter_of, director_kind
from engine.holders.ledger import shares
from engine.steps.course import Course
from engine.titles.t1863.names import DIRECTOR, ORDINARY, OSI, RATE, SHORT, TEN, TWO
from engine.titles.t1863.stock.shares import PAIRS, major_charter, minor_charter
from engine.titles.t1863.turn.company_turn import TURNS
from engine.titles.t1863.turn.operating_round import OperatingRound
from engine.titles.t1863.turn.supplies import cards
from tests.kit.games.situations import Played, load

EDITIONS: Final = ("historical", "equal")


def title(edition: str = "historical", **options: str) -> Title:
    """The title; loaded once for each edition and its options."""
    return load("1863", edition, **options)


@dataclass(frozen=True, slots=True)
class Tube:
    """A company as a test describes it; made by ``tube``."""

    id: CompanyId
    holders: Mapping[str, int]
    price: int
    minor: bool
    cash: int
    loans: int
    trains: tuple[TrainName, ...]
    operated: bool
    last_run: int | None
    pool: int
    shorts: Mapping[str, int]
    markers: tuple[tuple[HexId, int], ...] | None
    tokens: int
    since: int | None


def tube(
    name: str,
    owner: str | Mapping[str, int],
    price: int = 100,
    *,
    minor: bool = False,
    cash: int = 0,
    loans: int = 0,
    trains: str = "",
    operated: bool = True,
    last_run: int | None = None,
    pool: int = 0,
    shorts: Mapping[str, int] | None = None,
    markers: str | None = None,
    tokens: int = 0,
    since: int | None = None,
) -> Tube:
    """``owner``: of a minor; of a major the shares by holder (players, companies), the president first, one name alone
    having the president's certificate only. ``pool``: shares in the pool; ``shorts``: by player. What nobody has lies
    on the charter. ``markers``: hexes, with ``/`` and the number of the city; None is its home. ``tokens``: how many it
    has in all; at least those on the map. Of equal prices who is named first came first, or has the lower ``since``."""
    places = None
    if markers is not None:
        cut = [m.partition("/") for m in markers.split()]
        places = tuple((HexId(h), int(city or 0)) for h, _, city in cut)
    holders = {owner: TWO} if isinstance(owner, str) else dict(owner)
    owned = tuple(map(TrainName, trains.split()))
    return Tube(
        CompanyId(name), holders, price, minor, cash, loans, owned, operated, last_run, pool, dict(shorts or {}),
        places, tokens, since,
    )  # fmt: skip


@dataclass(slots=True)
class London(Played):
    """A game of 1863 that began in the middle."""

    def frames(self, *frames: Frame) -> London:
        """These frames come on the agenda, the lowest first, with the course of the game beneath."""
        self.turns(Course(()), *frames)
        return self

    def turn(self, name: str, stage: str = "track", waiting: str = "") -> London:
        """The operating turn of a company at a stage; those that are ``waiting`` have theirs after it."""
        order = tuple(map(CompanyId, waiting.split()))
        return self.frames(OperatingRound(order), replace(TURNS.begin(CompanyId(name)), stage=stage))

    def play(self) -> Play:
        """A decision in the making, for tests of functions; ``take`` brings its position back."""
        return Play(self.title, self.state)

    def take(self, play: Play) -> London:
        self.state = play.state
        self.events += play.events
        return self

    # ---- looking ----------------------------------------------------------------------------------------------------

    def share_price(self, name: str) -> int:
        return self.title.price(self.state, CompanyId(name))

    def shares(self, name: str) -> dict[str, int]:
        """Shares by place: players, other companies, the pool, the charter, the open short interest."""
        places = (*self.state.players, *self.state.companies, POOL, TREASURY, OSI)
        found = {str(p): shares(self.title, self.state, p, CompanyId(name)) for p in places}
        return {p: n for p, n in found.items() if n}

    def shorts(self, name: str) -> dict[str, int]:
        """Shorts by place."""
        return {str(p): n for (p, c, kind), n in self.state.holdings.items() if c == name and kind == SHORT and n}

    def president(self, name: str) -> str:
        """The place of the president's certificate."""
        kind = director_kind(self.title, self.state, CompanyId(name))
        (found,) = (p for (p, c, k), n in self.state.holdings.items() if c == name and k == kind and n)
        return str(found)

    def money(self, name: str) -> int:
        return self.state.money(name)

    def loans(self, name: str) -> int:
        return self.state.companies[CompanyId(name)].loans

    def fleet(self, name: str) -> list[str]:
        return [str(t) for t in self.state.companies[CompanyId(name)].trains]

    def owner(self, private: str) -> Owner | None:
        """The owner of the private; None where it is gone."""
        return self.state.privates.get(PrivateId(private))

    def tokens(self, name: str) -> int:
        """Markers that the company has in all."""
        return charter_of(self.title, self.state, CompanyId(name)).markers

    def score(self, player: str) -> int:
        return self.title.score(self.title, self.state, PlayerId(player))


def situation(
    *described: Tube,
    edition: str = "historical",
    options: Mapping[str, str] | None = None,
    players: str = "Ann Bob Cat",
    cash: Mapping[str, int] | None = None,
    privates: Mapping[str, str] | None = None,
    closed: str = "",
    phase: str = "III",
    round: str = "OR 2.1",
    rate: int = 5,
    tiles: Mapping[str, str] | None = None,
    supply: Mapping[str, int] | None = None,
    marks: Mapping[str, Any] | None = None,
) -> London:
    """A position of 1863. ``cash``: of players and others; ``privates``: their owners; ``closed``: companies that are
    out of the game. ``tiles``: hex -> ``tile#rotation``. ``supply``: cards left; those before the phase are sold out.
    Nobody is asked anything yet."""
    found = title(edition, **(options or {}))
    names = tuple(players.split())
    started = engine.Game.start(found, engine.Setup(names, seed="situation", priority=names[0])).state
    state = replace(
        started,
        finished=False,
        phase=PhaseName(phase),
        round=_round(round),
        privates={PrivateId(p): owner for p, owner in (privates or {}).items()},
        supply=_supply(found, started, phase) | {TrainName(t): n for t, n in (supply or {}).items()},
        companies={
            c: replace(now, status="closed") if c in closed.split() else now for c, now in started.companies.items()
        },
        board=_board(found, described, tiles or {}),
        agenda=(),
        prices={},
        marks={RATE: rate, **(marks or {})},
    )
    for number, row in enumerate(described):
        state = _in_play(found, state, row, number)
    money = {str(p): 0 for p in state.players} | {str(row.id): row.cash for row in described} | dict(cash or {})
    state = replace(state, tick=len(described), cash={BANK: found.bank - sum(money.values()), **money})
    return London(found, state)


def _round(text: str) -> Round:
    kind, numbers = text.split()
    of, _, number = numbers.partition(".")
    return Round(kind, int(of), int(number or 0))


def _supply(found: Title, state: State, phase: str) -> dict[TrainName, int]:
    """All cards of the phase but the one that began it, and all later ones."""
    at = found.phase_index(phase)
    return {
        card: 0 if i < at else state.supply.get(card, len(state.players)) - (i == at > 0)
        for i, card in enumerate(cards(found))
    }


def _board(found: Title, described: tuple[Tube, ...], tiles: Mapping[str, str]) -> Board:
    laid = {HexId(h): (TileId(t.partition("#")[0]), int(t.partition("#")[2] or 0)) for h, t in tiles.items()}
    board = Board(found.map, laid, {})
    for row in described:
        places = row.markers
        if places is None:
            places = found.companies[row.id].charter.homes
        for hex, city in places:
            board = board.place(hex, city, row.id)
    return board


def cell(found: Title, price: int) -> Cell:
    """The cell of a price."""
    return next(cell for cell, there in found.chart.prices.items() if there == price)


def _in_play(found: Title, state: State, row: Tube, number: int) -> State:
    """The company open in the position: its certificates, its price, its markers."""
    most = max(row.tokens, len(state.board.places_of(row.id)), 1)
    charter = (minor_charter if row.minor else major_charter)(found, row.id, most)
    now = replace(
        state.companies[row.id], status="open", trains=row.trains, loans=row.loans, operated=row.operated,
        last_run=row.last_run,
    )  # fmt: skip
    held = _minor(row) if row.minor else _major(row)
    return replace(
        state,
        charters={**state.charters, row.id: charter},
        companies={**state.companies, row.id: now},
        holdings={**{k: n for k, n in state.holdings.items() if k[1] != row.id}, **held},
        prices={
            **state.prices,
            row.id: PriceMarker(cell(found, row.price), number if row.since is None else row.since),
        },
    )


def _minor(row: Tube) -> dict[HoldingKey, int]:
    (owner,) = row.holders
    return {(owner, row.id, DIRECTOR): 1}


def _major(row: Tube) -> dict[HoldingKey, int]:
    out = sum(row.shorts.values())
    held = {
        (OSI, row.id, ORDINARY): PAIRS - out,
        (OSI, row.id, SHORT): PAIRS - out,
        (POOL, row.id, ORDINARY): row.pool,
        **{(player, row.id, SHORT): n for player, n in row.shorts.items()},
    }
    for i, (place, count) in enumerate(row.holders.items()):
        held[place, row.id, ORDINARY] = count - TWO if i == 0 else count
        if i == 0:
            held[place, row.id, DIRECTOR] = 1
    left = TEN + out - row.pool - sum(row.holders.values())
    assert left >= 0 and all(n >= 0 for n in held.values()), f"{row.id}: more shares than there are"
    return {key: n for key, n in (held | {(TREASURY, row.id, ORDINARY): left}).items() if n}


__all__ = ["EDITIONS", "London", "Tube", "cell", "situation", "title", "tube"]
