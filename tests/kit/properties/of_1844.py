"""What holds in every position of 1844, beside what holds of every title."""

from __future__ import annotations

from collections import Counter

from engine import Game, State, Title
from engine.core.events import (
    DebtChanged,
    DirectorChanged,
    Event,
    Formed,
    Paid,
    TrainMoved,
    TrainsFlipped,
    TrainsRusted,
)
from engine.core.ids import BANK, IPO, POOL, CompanyId, PlayerId, TrainName
from engine.core.state import Company
from engine.holders.charters import all_shares, charter_of, director_kind
from engine.holders.control import controller_of
from engine.holders.ledger import counted, shares
from engine.shares.limits import limit_of
from engine.steps.discard import Discards
from engine.titles.t1844.names import (
    ACTIVE,
    EMERGENCY,
    FORMATION,
    FURKA,
    HISTORICAL,
    MOUNTAINS,
    OERLIKON,
    OWN_5H,
    PRE_SBB,
    REACHED,
    REGIONAL,
    SBB,
    TUNNELS,
)
from engine.titles.t1844.pieces import FURKA as FURKA_PIECES
from engine.titles.t1844.pieces import MOUNTAIN_HEXES, PANELS, TUNNEL_HEXES, furka_laid, panel_on, tunnel_in
from engine.titles.t1844.rulings import rulings_of

FLIPPED = {"2": "3", "3": "4", "4": "6", "5": "7"}
"""Type -> phase from which it lies with its other side up."""
SCRAPPED = {"2": "4", "2H": "4", "3": "6", "3H": "6", "4": "7", "4H": "7"}
"""Type -> phase from which it is out of the game."""


def hold(game: Game, before: State | None) -> None:
    """Assert everything that adds up in the position, given the one before it."""
    title, state = game.title, game.state
    events = game.events(len(game.orders)) if before is not None and game.orders else ()
    for company, now in state.companies.items():
        status(title, state, company, now)
        paper(title, state, company)
        director(title, state, company)
        pool(title, state, company, before, events)
    for player in state.players:
        certificates(title, state, player, before, events)
    privates(title, state)
    debts(title, state, before, events)
    trains(title, state)
    if before is not None:
        cards(title, state, before, events)
    homes(title, state)
    overlays(title, state)


# ---- companies and their shares -------------------------------------------------------------------------------------


def status(title: Title, state: State, company: CompanyId, now: Company) -> None:
    """Parred companies have a price, launched ones money and trains, merged ones nothing."""
    kind, priced = charter_of(title, state, company).kind, company in state.prices
    assert now.loans == 0, (company, now)
    standing = any(company in there for cities in state.board.markers.values() for there in cities)
    if now.status != "open":
        assert not now.trains and not state.money(company), (company, now)
        assert not standing, company
        assert company not in state.privates.values(), company
    if company == SBB:
        assert priced == (now.status == "open") and now.par is None, (company, now)
        return
    assert priced == (now.par is not None), (company, now)
    assert now.status != "closed" or (kind == PRE_SBB and not priced), (company, now)
    sold = all_shares(title, state, company) - shares(title, state, IPO, company)
    due = sold * 100 >= title.companies[company].launch_percent * all_shares(title, state, company)
    assert (now.status == "open") == (priced and due), (company, now, sold)
    assert now.operated <= standing, (company, now)
    if kind == REGIONAL and priced:
        assert title.price(state, company) <= 200, company
    if state.companies[SBB].status == "open":
        assert kind != PRE_SBB or now.status == "closed", company


def paper(title: Title, state: State, company: CompanyId) -> None:
    """Certificates of one company: none is lost or doubled, and all lie where they may."""
    held = {(place, kind): n for (place, c, kind), n in state.holdings.items() if c == company and n}
    assert all(n > 0 for n in held.values()), (company, held)
    if state.companies[company].status == "closed":
        assert not held, (company, held)
        return
    for kind, (_, number) in charter_of(title, state, company).certificates.items():
        assert sum(n for (_, k), n in held.items() if k == kind) == number, (company, kind, held)
    assert {place for place, _ in held} <= {*state.players, IPO, POOL}, (company, held)
    assert company != SBB or company not in state.prices or not shares(title, state, IPO, SBB), held


def director(title: Title, state: State, company: CompanyId) -> None:
    """The director has at least as many shares as anybody; only an unparred company and the SBB may have none."""
    found = controller_of(title, state, company)
    if company not in state.prices:
        assert found is None, (company, found)
    elif found is None:
        assert company == SBB and shares(title, state, POOL, SBB) >= 2, company
        assert state.holdings.get((POOL, SBB, director_kind(title, state, SBB))), (
            "the director's certificate is for sale"
        )
    else:
        most = max(shares(title, state, p, company) for p in state.players)
        assert shares(title, state, found, company) == most, f"{found} should not direct {company}"


def pool(title: Title, state: State, company: CompanyId, before: State | None, events: tuple[Event, ...]) -> None:
    """At most half of a company lies in the pool, but for the SBB as it was formed."""
    there = shares(title, state, POOL, company)
    if 2 * there > all_shares(title, state, company):
        formed = any(isinstance(e, Formed) for e in events)
        assert company == SBB and before is not None, (company, there)
        assert formed or there <= shares(title, before, POOL, company), (company, there)


def certificates(title: Title, state: State, player: PlayerId, before: State | None, events: tuple[Event, ...]) -> None:
    """Nobody comes over the limit but by becoming, or ceasing to be, a director."""
    now = counted(title, state, player)
    if now > limit_of(title, state):
        assert before is not None
        swapped = any(isinstance(e, Formed | DirectorChanged) for e in events)
        assert swapped or now <= counted(title, before, player), f"{player} has {now} certificates"


# ---- privates, papers and debts -------------------------------------------------------------------------------------


def privates(title: Title, state: State) -> None:
    """Who may own what, and what is used once only."""
    mountains, tunnels = state.marks.get(MOUNTAINS, {}), state.marks.get(TUNNELS, {})
    for private, owner in state.privates.items():
        kind = title.privates[private].kind
        if owner is not None and owner in state.companies:
            assert kind == "private" and charter_of(title, state, CompanyId(owner)).kind in (REGIONAL, HISTORICAL), (
                private
            )
        else:
            assert owner is None or owner in state.players, (private, owner)
        assert (private in mountains) == (kind == "mountain" and owner is not None), (private, owner)
        assert private not in tunnels or (kind == "tunnel" and owner in state.players), (private, owner)
        assert kind != "private" or owner is not None or state.round.kind == "ISR", f"{private} is unsold"
    assert state.marks.get(ACTIVE, frozenset()) <= {*mountains, *tunnels}
    if title.reached(state, "5"):
        left = {p for p in state.privates if title.privates[p].kind == "private"}
        assert left <= {OERLIKON}, f"phase {state.phase} closes {left}"


def debts(title: Title, state: State, before: State | None, events: tuple[Event, ...]) -> None:
    """Two kinds of debt; what is repaid is paid, and what is lent for trains makes half as much again."""
    assert {kind for _, kind in state.debts} <= {EMERGENCY, FORMATION}
    paid = sum(e.amount for e in events if isinstance(e, Paid) and e.reason == "repayment")
    repaid = sum(-e.change for e in events if isinstance(e, DebtChanged) and e.reason == "repaid")
    assert paid == repaid, (paid, repaid)
    lent = [e.amount for e in events if isinstance(e, Paid) and e.reason == "debt" and e.payee in state.players]
    taken = [e.change for e in events if isinstance(e, DebtChanged) and e.reason == "taken" and e.kind == EMERGENCY]
    assert [amount + (amount + 1) // 2 for amount in lent] == taken, (lent, taken)
    for (player, kind), amount in () if before is None else before.debts.items():
        change = sum(e.change for e in events if isinstance(e, DebtChanged) and (e.player, e.kind) == (player, kind))
        assert state.debt(player, kind) == amount + change, (player, kind)


# ---- trains ---------------------------------------------------------------------------------------------------------


def trains(title: Title, state: State) -> None:
    """Companies are within their limits and have trains of their kinds; what is scrapped or turned over is gone."""
    late = rulings_of(title).discard_after_export == "next_turn" and state.round.kind in ("SR", "OR")
    giving_up = any(isinstance(frame, Discards) for frame in state.agenda)
    for company, now in state.companies.items():
        if now.status == "open" and not giving_up and not late:
            limit = title.policies.train_limit(title, state, company)
            assert len(now.trains) <= limit, (company, now.trains)
        if charter_of(title, state, company).kind == REGIONAL:
            assert all(title.trains[t].reach.hexes is not None for t in now.trains), (company, now.trains)
    there = [*state.pool_trains, *(t for now in state.companies.values() for t in now.trains)]
    for train in there:
        assert train not in FLIPPED or not title.reached(state, FLIPPED[train]), f"{train} in phase {state.phase}"
        assert train not in SCRAPPED or not title.reached(state, SCRAPPED[train]), f"{train} in phase {state.phase}"
    own = state.companies[SBB].trains.count(OWN_5H)
    assert there.count(OWN_5H) == own or rulings_of(title).sbb_own_train == "discardable"
    if rulings_of(title).sbb_own_train == "kept":
        assert own == (state.companies[SBB].status == "open")
    first = next(t for t in title.trains.values() if t.quantity is None or state.supply.get(t.name, 0) > 0)
    for name, number in state.supply.items():
        assert number >= 0 and (number == 0 or title.trains[name].cost >= first.cost), state.supply


def cards(title: Title, state: State, before: State, events: tuple[Event, ...]) -> None:
    """No train comes or goes but by what happened."""
    wanted = _everywhere(title, before)
    for event in events:
        match event:
            case TrainMoved(train, source, target):
                if not source:
                    wanted[_card(title, train)] += 1
                if not target:
                    wanted[_card(title, train)] -= 1
                if source == BANK and title.trains[_card(title, train)].quantity is None:
                    wanted[_card(title, train)] += 1
            case TrainsRusted(train):
                wanted[_card(title, train)] = 0
            case TrainsFlipped(train, into):
                assert _card(title, train) == _card(title, into)
            case _:
                pass
    assert +_everywhere(title, state) == +wanted, (_everywhere(title, state), wanted)


def _card(title: Title, train: TrainName) -> TrainName:
    return title.trains[train].card or train


def _everywhere(title: Title, state: State) -> Counter[TrainName]:
    """Cards of each train with companies, in the pool and still new."""
    found = Counter(_card(title, t) for now in state.companies.values() for t in now.trains)
    found.update(_card(title, t) for t in state.pool_trains)
    found.update({t: n for t, n in state.supply.items() if n})
    return found


# ---- the map --------------------------------------------------------------------------------------------------------


def homes(title: Title, state: State) -> None:
    """Who has not operated finds a free circle at home."""
    board = state.board
    for data in title.companies.values():
        if data.charter.home is None or state.companies[data.id].status == "closed":
            continue
        hex, city = data.charter.home[0], board.home_city(*data.charter.home)
        if not any(data.id in there for there in board.circles(hex)):
            claims = [d for d in title.companies.values() if d.charter.home is not None and d.charter.home[0] == hex]
            waiting = [d for d in claims if not any(d.id in there for there in board.circles(hex))]
            waiting = [d for d in waiting if d.charter.home and board.home_city(*d.charter.home) == city]
            waiting = [d for d in waiting if state.companies[d.id].status != "closed"]
            assert board.free(hex, city) >= len(waiting), f"{data.id} has no place in {hex}"


def overlays(title: Title, state: State) -> None:
    """Tunnels, mountain railways and the Furka-Oberalp track lie where they may, each with its paper."""
    board = state.board
    tunnels, mountains = state.marks.get(TUNNELS, {}), state.marks.get(MOUNTAINS, {})
    built = [hex for hex in board.overlays if tunnel_in(board, hex) is not None]
    assert sorted(tunnels.values()) == sorted(built) and len(built) <= 5, (tunnels, built)
    assert set(built) <= set(TUNNEL_HEXES), built
    panels = {hex: panel_on(board, hex) for hex in board.overlays if panel_on(board, hex) is not None}
    assert sorted(mountains.values()) == sorted(panels) and set(panels) <= set(MOUNTAIN_HEXES), (mountains, panels)
    for panel, number in Counter(panels.values()).items():
        assert panel is not None and number <= PANELS[panel], (panel, number)
    pieces = sum(len(over) for over in board.overlays.values())
    furka = len(FURKA_PIECES) if furka_laid(board) else 0
    assert pieces == len(built) + len(panels) + furka, board.overlays
    assert furka_laid(board) == (FURKA not in state.privates)
    assert state.marks.get(REACHED, frozenset()) <= set(title.companies)
