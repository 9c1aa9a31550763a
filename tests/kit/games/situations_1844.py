"""Positions of 1844 from a short description, and games that go on from them.

    game = situation(
        swiss("MOB", {"Bob": 5, "Cat": 2}, at="r4c5", cash=275, pool=1, trains="3H"),     # par 80, launched, operated
        swiss("GB", {"Ann": 2}, par=60, operated=False),      # at its par's space; no marker before its first turn
        swiss("SBB", {"Ann": (1, 3), "Bob": (2, 0)}, pool=(1, 6)),     # doubles (the director's one too) and singles
        phase="5", cash={"Bob": 200}, privates={"P4": "Bob", "T2": "Cat"},
        mountains={"B1": "H7 XM1"}, tunnels={"T2": "H19 X79 2"}, active="B1", debts={"Cat": 27},
    ).stock("Bob")                   # or .operating("MOB"), .turn("MOB", "trains"), .after_round()
    game.do("Bob: sell 4 MOB")

The last four put frames on the agenda with the course of the game beneath them, so that the game goes on as it would.
What is not said is as at the start of a game, but for the privates: those nobody has are closed, and no money but the
described is out of the bank. The rest is as in ``tests.kit.games.situations``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any, Final

import engine
from engine.acts.run_trains import Earned
from engine.board.board import Board
from engine.core import decide as rules
from engine.core.ids import BANK, IPO, POOL, Cell, CompanyId, HexId, PhaseName, PrivateId, TileId, TrainName
from engine.core.orders import Order
from engine.core.state import Company, PriceMarker, Round, State
from engine.core.title import Title
from engine.holders.charters import all_shares, charter_of, director_kind, double_kind, ordinary_kind
from engine.holders.ledger import shares
from engine.steps.course import Course
from engine.titles.t1844.names import ACTIVE, EMERGENCY, FORMATION, FURKA, MOUNTAINS, PRE_SBB, ROUNDS, SBB, TUNNELS
from engine.titles.t1844.pieces import FURKA as FURKA_PIECES
from engine.titles.t1844.stock.frame import StockRound
from engine.titles.t1844.turn.company_turn import TURNS
from engine.titles.t1844.turn.operating_round import OperatingRound
from tests.kit.games.situations import Played, cell, load
from tests.kit.games.situations import fresh as fresh_of

EDITIONS: Final = ("rulebook", "18xx.games")
BEGINS: Final = {"2": "2", "3": "3", "4": "4", "5": "5", "6": "6", "7": "8E"}
"""Phase -> the train that began it."""
Count = int | tuple[int, int]
"""Shares; of the SBB also doubles, the director's one too, and singles."""


@dataclass(frozen=True, slots=True)
class Described:
    """A company as a test describes it; made by ``swiss``."""

    id: CompanyId
    holders: Mapping[str, Count]
    par: int | None
    at: Cell | None
    cash: int
    trains: tuple[TrainName, ...]
    operated: bool
    pool: Count
    markers: tuple[tuple[HexId, int], ...] | None
    since: int | None


def swiss(
    name: str,
    owner: str | Mapping[str, Count] = (),  # type: ignore[assignment]
    at: str = "",
    *,
    par: int | None = 80,
    cash: int = 0,
    trains: str = "",
    operated: bool = True,
    pool: Count = 0,
    markers: str | None = None,
    since: int | None = None,
) -> Described:
    """``owner``: shares by player, the director first; one name alone has the director's certificate. What nobody and
    the pool have is unsold. ``par`` None: the company has no par, nobody directs it. ``at``: its space, "" is that of
    its par. ``markers``: hexes, with ``/`` and the number of the city; None is its home if it has operated. Who stands
    higher in a stack: those named first, or with the lower ``since``."""
    holders = {owner: 2} if isinstance(owner, str) else dict(owner)
    places = None
    if markers is not None:
        cut = [m.partition("/") for m in markers.split()]
        places = tuple((HexId(h), int(city or 0)) for h, _, city in cut)
    owned = tuple(map(TrainName, trains.split()))
    space = cell(at) if at else None
    return Described(CompanyId(name), holders, par, space, cash, owned, operated, pool, places, since)


@dataclass(slots=True)
class Swiss(Played):
    """A game of 1844 that began in the middle."""

    def stock(self, turn: str | None = None, round: str = "", **memory: Any) -> Swiss:
        """A stock round with ``turn`` (or the first player) on turn, by default of the round the position is in;
        ``memory``: fields of its frame."""
        if round or self.state.round.kind != "SR":
            self._in_round(round or f"SR {self.state.round.set}")
        player = next(p for p in self.state.players if p == (turn or self.state.players[0]))
        return self._on(StockRound(player, **memory))

    def operating(self, *companies: str) -> Swiss:
        """The operating round of the position, these companies waiting for their turns; incomes have been paid."""
        return self._on(OperatingRound(frozenset(map(CompanyId, companies)), paid=True))

    def turn(self, company: str, stage: str = "track", revenue: int | None = None) -> Swiss:
        """The company's turn with the stage reached, the last of its operating round; the turn is not begun anew, so no
        home marker is placed and no destination looked at. ``revenue``: what it has declared."""
        turn = replace(TURNS.begin(CompanyId(company)), stage=stage)
        return self._on(OperatingRound(frozenset(), paid=True), turn.noting(Earned(revenue)))

    def after_round(self) -> Swiss:
        """The round of the position is over."""
        return self._on()

    def all_pass(self) -> Swiss:
        """Nobody does anything more in the stock round."""
        while self.asked and self.asked[0].endswith("stock.turn"):
            self.do(f"{self.asked[0].split()[0]}: pass")
        return self

    def reasons(self, order: str | Order) -> dict[str, dict[str, Any]]:
        """The failed checks of one order with their facts; as an order where it cannot be written."""
        (given,) = self.read(order) if isinstance(order, str) else (order,)
        result = rules.decide(self.title, self.state, given)
        return {f.check: dict(f.facts) for f in result.failures} if isinstance(result, engine.Refused) else {}

    def _in_round(self, text: str) -> None:
        self.state = replace(self.state, round=_round(text))

    def _on(self, *frames: Any) -> Swiss:
        self.turns(Course(()), *frames)
        return self

    # ---- looking ----------------------------------------------------------------------------------------------------

    def shares(self, name: str) -> dict[str, int]:
        places = (*self.state.players, POOL, IPO)
        found = {str(p): shares(self.title, self.state, p, CompanyId(name)) for p in places}
        return {p: n for p, n in found.items() if n}

    def certificates(self, name: str) -> dict[str, str]:
        """Certificates by place: ``D`` the director's, ``d`` doubles, ``s`` singles, as ``D 2d 3s``."""
        kinds = ((director_kind, "D"), (double_kind, "d"), (ordinary_kind, "s"))
        found = {}
        for place in (*self.state.players, POOL, IPO):
            words = []
            for kind, letter in kinds:
                number = self.state.holdings.get(
                    (place, CompanyId(name), kind(self.title, self.state, CompanyId(name)) or ""), 0
                )
                if number:
                    words.append("D" if letter == "D" else f"{number}{letter}")
            if words:
                found[str(place)] = " ".join(words)
        return found

    def debts(self, player: str) -> dict[str, int]:
        """What the player owes, by kind: ``emergency``, ``formation``."""
        return {kind: amount for (p, kind), amount in self.state.debts.items() if p == player}

    def owner(self, private: str) -> str | None:
        """Who has the private or paper; None while it is unsold or when it is closed."""
        return self.state.privates.get(PrivateId(private))

    def left(self, train: str) -> int:
        """New trains of the type."""
        return self.state.supply[TrainName(train)]

    def score(self, player: str) -> int:
        found = next(p for p in self.state.players if p == player)
        return self.title.score(self.title, self.state, found)


def fresh(players: str = "Ann Bob Cat Dan", edition: str = "rulebook", **options: str) -> Swiss:
    """A game at its first question; the players in this order."""
    begun = fresh_of(players, title="1844", edition=edition, **options)
    return Swiss(begun.title, begun.state, begun.events)


def situation(
    *described: Described,
    edition: str = "rulebook",
    options: Mapping[str, str] | None = None,
    players: str = "Ann Bob Cat",
    cash: Mapping[str, int] | None = None,
    bank: int | None = None,
    privates: Mapping[str, str | None] | None = None,
    mountains: Mapping[str, str] | None = None,
    tunnels: Mapping[str, str] | None = None,
    active: str = "",
    furka: bool = False,
    debts: Mapping[str, int] | None = None,
    formation_debts: Mapping[str, int] | None = None,
    phase: str = "3",
    round: str = "OR 2.1",
    tiles: Mapping[str, str] | None = None,
    supply: Mapping[str, int] | None = None,
    pool_trains: str = "",
    marks: Mapping[str, Any] | None = None,
) -> Swiss:
    """A position of 1844. ``cash``: of players and others; ``bank``: what it is to have, the rest going to the last
    player. ``privates``: owners of P, B and T. ``mountains``: railway -> hex and panel. ``tunnels``: used certificate
    -> hex, tile, rotation. ``active``: papers that pay. ``tiles``: hex -> ``tile#rotation``. ``supply``: new trains
    left; one of the phase's own is gone, types before it are sold out. Where the SBB is described, the pre-SBB
    companies are closed."""
    loaded, names = load("1844", edition, **(options or {})), tuple(players.split())
    started = engine.Game.start(loaded, engine.Setup(names, seed="situation", priority=names[0])).state
    sold, owners = set(BEGINS.values()), {PrivateId(p): owner for p, owner in (privates or {}).items()}
    papers = {PrivateId(p): h.split() for p, h in {**(mountains or {}), **(tunnels or {})}.items()}
    begun = [p.name for p in loaded.phases[: loaded.phase_index(PhaseName(phase)) + 1]]
    kept: dict[PrivateId, Any] = {p: None for p in started.privates if loaded.privates[p].kind != "private"}
    state = replace(
        started,
        phase=PhaseName(phase),
        round=_round(round),
        privates={**kept, **owners},
        supply=_supply(started, phase, supply or {}),
        bought=frozenset(TrainName(BEGINS[p]) for p in begun if p in BEGINS and BEGINS[p] in sold),
        pool_trains=tuple(map(TrainName, pool_trains.split())),
        marks={
            ROUNDS: loaded.phase(started).rounds,
            MOUNTAINS: {PrivateId(p): HexId(h.split()[0]) for p, h in (mountains or {}).items()},
            TUNNELS: {PrivateId(p): HexId(h.split()[0]) for p, h in (tunnels or {}).items()},
            ACTIVE: frozenset(map(PrivateId, active.split())),
        },
        debts={
            (p, kind): n
            for kind, given in ((EMERGENCY, debts), (FORMATION, formation_debts))
            for p in started.players
            if (n := (given or {}).get(p, 0))
        },
        agenda=(),
    )
    state = replace(state, marks={**state.marks, ROUNDS: loaded.phase(state).rounds, **(marks or {})})
    state = replace(state, board=_board(loaded, described, tiles or {}, papers, furka))
    if any(row.id == SBB for row in described):
        state = _without_pre_sbb(loaded, state)
    for number, row in enumerate(described):
        state = _described(loaded, state, row, number)
    money = {str(p): 0 for p in state.players} | {str(row.id): row.cash for row in described} | dict(cash or {})
    if bank is not None:
        money[state.players[-1]] += loaded.bank - bank - sum(money.values())
    state = replace(state, tick=len(described), cash={BANK: loaded.bank - sum(money.values()), **money})
    return Swiss(loaded, state)


def _round(text: str) -> Round:
    kind, numbers = text.split()
    of, _, number = numbers.partition(".")
    return Round(kind, int(of), int(number or 0))


def _supply(state: State, phase: str, given: Mapping[str, int]) -> dict[TrainName, int]:
    """All trains of the phase but the one that began it, and all later ones."""
    now = BEGINS.get(phase)
    over = set(takewhile(lambda t: t != now, BEGINS.values())) if now else set()
    left = {t: 0 if t in over else n - (t == now) for t, n in state.supply.items()}
    return {**left, **{TrainName(t): n for t, n in given.items()}}


def _board(
    title: Title,
    described: tuple[Described, ...],
    tiles: Mapping[str, str],
    papers: Mapping[PrivateId, list[str]],
    furka: bool,
) -> Board:
    laid = {HexId(h): (TileId(t.partition("#")[0]), int(t.partition("#")[2] or 0)) for h, t in tiles.items()}
    board = Board(title.map, laid, {})
    for words in papers.values():
        board = board.add(HexId(words[0]), TileId(words[1]), int(words[2]) if len(words) > 2 else 0)
    if furka:
        for hex, (piece, rotation) in FURKA_PIECES.items():
            board = board.add(hex, piece, rotation)
    for row in described:
        home = title.companies[row.id].charter.home
        places = row.markers
        if places is None:
            places = ((home[0], board.home_city(*home)),) if home is not None and row.operated and row.par else ()
        for hex, city in places:
            board = board.place(hex, city, row.id)
    return board


def _without_pre_sbb(title: Title, state: State) -> State:
    gone = {c.id for c in title.companies.values() if c.charter.kind == PRE_SBB}
    return replace(
        state,
        companies={c: Company(status="closed") if c in gone else now for c, now in state.companies.items()},
        holdings={key: n for key, n in state.holdings.items() if key[1] not in gone},
    )


def _described(title: Title, state: State, row: Described, number: int) -> State:
    """The company in the position: what its shares are, its price, whether it is launched."""
    par = None if row.id == SBB else row.par
    holdings = {k: n for k, n in state.holdings.items() if k[1] != row.id}
    holdings |= _holdings(title, state, row)
    total = all_shares(title, state, row.id)
    unsold = sum(
        n * charter_of(title, state, row.id).certificates[k[2]][0].shares
        for k, n in holdings.items()
        if k[1:2] == (row.id,) and k[0] == IPO
    )
    launched = row.par is not None and (total - unsold) * 100 >= title.companies[row.id].launch_percent * total
    now = Company("open" if launched else "unstarted", row.trains, operated=row.operated and launched, par=par)
    prices = dict(state.prices)
    if row.par is not None:
        mark = ("sbb_start", 100) if row.id == SBB else ("par", row.par)
        at = row.at or title.chart.start_cell(mark[1], mark[0])
        assert at is not None
        prices[row.id] = PriceMarker(at, number if row.since is None else row.since)
    return replace(
        state,
        companies={**state.companies, row.id: now},
        holdings={k: n for k, n in holdings.items() if n},
        prices=prices,
    )


def _holdings(title: Title, state: State, row: Described) -> dict[Any, int]:
    director, ordinary = director_kind(title, state, row.id), ordinary_kind(title, state, row.id)
    double = double_kind(title, state, row.id)
    kinds = title.companies[row.id].charter.certificates
    left = {kind: number for kind, (_, number) in kinds.items()}
    found: dict[Any, int] = {}

    def give(place: str, kind: str | None, number: int) -> None:
        if number:
            assert kind is not None and left[kind] >= number, f"{row.id}: {place} has too many"
            left[kind] -= number
            found[place, row.id, kind] = number

    for i, (place, count) in enumerate({**row.holders, POOL: row.pool}.items()):
        directs = i == 0 and row.par is not None and bool(row.holders)
        if isinstance(count, tuple):
            give(place, director, int(directs))
            give(place, double, count[0] - directs)
            give(place, ordinary, count[1])
        else:
            give(place, director, int(directs))
            give(place, ordinary, count - 2 * directs)
    rest = POOL if row.id == SBB else IPO
    for kind, number in left.items():
        found[rest, row.id, kind] = found.get((rest, row.id, kind), 0) + number
    return found


__all__ = ["BEGINS", "EDITIONS", "FURKA", "Described", "Swiss", "fresh", "situation", "swiss"]
