"""What holds in every position of 1841, beside what holds of every title."""

from __future__ import annotations

from collections import Counter
from typing import Final

from engine import Game, State, Title
from engine.acts.act import Turn
from engine.core.events import Bought, DebtChanged, Event, Paid, PrivateMoved
from engine.core.ids import POOL, TREASURY, Actor, CompanyId, PlayerId, TrainName
from engine.core.state import Company
from engine.holders.charters import all_shares, charter_of, director_kind
from engine.holders.control import chain_of, circle_of, controlled_by, controller_of, owner_of
from engine.holders.ledger import holders, shares
from engine.titles.t1841.mergers.token_orders import TokenPurchase
from engine.titles.t1841.mergers.transform import SECOND_TOKEN
from engine.titles.t1841.money.emergency import sales_for
from engine.titles.t1841.names import (
    ACTING,
    COMPANY_OF,
    CONCESSION_OF,
    FREE_START_PHASE,
    HISTORICAL,
    HISTORY,
    IRSFF,
    LOAN,
    LOAN_AMOUNT,
    MAJOR,
    MINOR,
    NO_CONCESSIONS_PHASE,
    OPEN_CHART_PHASE,
    RESIGNED,
    SFLI,
)
from engine.titles.t1841.rulings import rulings_of
from engine.titles.t1841.stock.market import MINOR_COLUMN

RUSTED: Final = {"2": "4", "3": "5", "4": "7", "5": "8"}
"""Type -> phase from which it is out of the game."""
TOKENS: Final = {MINOR: range(1, 3), MAJOR: range(2, 6)}
COLUMN_P: Final = 15
FORMING: Final = frozenset(
    {"FirstFour", "Founding", "KeepTokens", "MergerExchange", "Merging", "Secession", "Surplus", "TokenPurchase"}
    | {"TuscanMerge"}
)
"""Frames in which companies come into being or go, and are between one thing and another."""
GIVING_UP: Final = frozenset({"Discards", "Surplus"})


def hold(game: Game, before: State | None) -> None:
    """Assert everything that adds up in the position, given the one before it."""
    title, state = game.title, game.state
    events = game.events(len(game.orders)) if before is not None and game.orders else ()
    forming = _forming(state)
    for company, now in state.companies.items():
        status(title, state, company, now, forming)
        paper(title, state, company)
        control(title, state, company)
        price(title, state, company)
        if not forming:
            president(title, state, company)
            tokens(title, state, before, company)
    for player in state.players:
        resigned(state, player)
    concessions(title, state)
    loans(state, before, events)
    trains(title, state)
    bought(title, state, before, events)
    asked(game)


def _forming(state: State) -> bool:
    return any(type(frame).__name__ in FORMING for frame in state.agenda)


# ---- companies and their shares -------------------------------------------------------------------------------------


def status(title: Title, state: State, company: CompanyId, now: Company, forming: bool) -> None:
    """Companies in play have a price; others have nothing, and no history."""
    assert now.loans == 0 and now.par is None, (company, now)
    assert forming or (now.status == "open") == (company in state.prices), (company, now)
    if now.status == "open":
        assert company not in HISTORICAL or title.companies[company].available_from is None
        return
    assert not now.trains and not state.money(company), (company, now, state.money(company))
    stands = company == IRSFF and rulings_of(title).fragment_surplus == "stay"
    assert stands or not any(company in there for cities in state.board.markers.values() for there in cities), company
    assert not [key for key, n in state.holdings.items() if key[0] == company and n], f"{company} owns shares"
    assert company not in state.marks.get(HISTORY, ()), f"{company} is not in play and has a history"
    if company in set(HISTORICAL) - set(CONCESSION_OF):
        return
    if company in HISTORICAL and title.reached(state, NO_CONCESSIONS_PHASE):
        assert now.status == "closed" or forming, f"{company} may still be started"


def paper(title: Title, state: State, company: CompanyId) -> None:
    """Every certificate is somewhere, once: with players, with companies in play, in the pool or with its company."""
    held = {(place, kind): n for (place, c, kind), n in state.holdings.items() if c == company and n}
    assert all(n > 0 for n in held.values()), (company, held)
    now = state.companies[company]
    if now.status == "closed":
        assert {place for place, _ in held} <= {TREASURY}, (company, held)
        return
    for kind, (_, number) in charter_of(title, state, company).certificates.items():
        assert sum(n for (_, k), n in held.items() if k == kind) == number, (company, kind, held)
    others = {c for c, other in state.companies.items() if c != company and other.status == "open"}
    places = {*state.players, *others, POOL, TREASURY} if now.status == "open" else {TREASURY}
    assert {place for place, _ in held} <= places, (company, held)
    assert charter_of(title, state, company).kind in (MINOR, MAJOR)


def control(title: Title, state: State, company: CompanyId) -> None:
    """A company in play is controlled by a player, or frozen: the chain above it ends in the pool or in a circle. One
    that is frozen in its own turn may be led to its end."""
    if state.companies[company].status != "open":
        assert title.policies.director(title, state, company) is None
        return
    chain = chain_of(title, state, company)
    assert len(chain) <= len(state.companies) + 1, (company, chain)
    player = controller_of(title, state, company)
    frame, led = state.top if state.agenda else None, state.marks.get(ACTING)
    in_turn = player is None and isinstance(frame, Turn) and frame.company == company
    assert title.policies.director(title, state, company) == (led[1] if in_turn and led else player)
    assert player is None or player not in state.marks.get(RESIGNED, ()), (company, player)
    top = chain[-1] if chain else company
    if player is None and not circle_of(title, state, company):
        assert top in state.companies, (company, chain)
        kind = director_kind(title, state, CompanyId(top))
        place = next(p for (p, c, k), n in state.holdings.items() if c == top and k == kind and n)
        assert place in (POOL, TREASURY), (company, top, place)


def president(title: Title, state: State, company: CompanyId) -> None:
    """Nobody has more than the president, but for concessions; nobody has enough while the pool has the certificate.
    By a ruling shares that pass in a merger part a presidency from its concession."""
    if state.companies[company].status != "open":
        return
    owner, most = owner_of(title, state, company), 0
    for holder in holders(state, company):
        if holder != owner:
            most = max(most, shares(title, state, holder, company))
    concession = CONCESSION_OF.get(company)
    if concession is not None and concession in state.privates:
        parted = rulings_of(title).concession_keeps == "trades"
        assert parted or owner is None or state.privates[concession] in (owner, None), company
    elif owner is None:
        assert most < 2, f"{company} is frozen, and somebody has {most} shares"
    else:
        assert most <= shares(title, state, owner, company), f"{owner} should not be president of {company}"


def price(title: Title, state: State, company: CompanyId) -> None:
    """Minors stay left of column L, all left of column Q before the first 8-train."""
    if company in state.prices:
        _, column = state.prices[company].cell
        if charter_of(title, state, company).kind == MINOR and rulings_of(title).fragments_capped:
            assert column <= MINOR_COLUMN, (company, column)
        assert column <= COLUMN_P or title.reached(state, OPEN_CHART_PHASE), (company, column)


def tokens(title: Title, state: State, before: State | None, company: CompanyId) -> None:
    """Rules 4.13, 10.20, 10.24: a company in play has as many tokens as its kind may have, and at least one in a city,
    by a ruling anywhere.
    A major with a single one has come out of a transformation and could not pay for the second, or had one before."""
    if state.companies[company].status != "open":
        return
    charter = charter_of(title, state, company)
    if not _has_single_token(title, state, company):
        assert charter.markers in TOKENS[charter.kind], (company, charter.markers)
    elif before is None or not _has_single_token(title, before, company) or _is_buying(before, company):
        levels = {company, *chain_of(title, state, company)}
        money = sum(state.money(level) for level in levels)
        assert money < SECOND_TOKEN, f"{company} and those above it have {money}, and it goes without its second token"
        for level in levels:
            sale = next(sales_for(title, state, company, level), None)
            assert sale is None, f"{level} could sell {sale} for the second token of {company}"
    places = state.board.places_of(company)
    kinds = {state.board.face(hex).cities[city].kind for hex, city in places}
    anywhere = rulings_of(title).last_city_token == "sold"
    assert "city" in kinds or (kinds and anywhere) or company == SFLI, (company, places)


def _has_single_token(title: Title, state: State, company: CompanyId) -> bool:
    charter = charter_of(title, state, company)
    return state.companies[company].status == "open" and charter.kind == MAJOR and charter.markers == 1


def _is_buying(state: State, company: CompanyId) -> bool:
    return any(isinstance(frame, TokenPurchase) and frame.company == company for frame in state.agenda)


# ---- players, concessions, money ------------------------------------------------------------------------------------


def resigned(state: State, player: PlayerId) -> None:
    """Who has resigned has nothing any more."""
    if player in state.marks.get(RESIGNED, ()):
        assert not state.money(player), (player, state.money(player))
        assert not [key for key, n in state.holdings.items() if key[0] == player and n], player
        assert player not in state.privates.values(), player


def concessions(title: Title, state: State) -> None:
    """Concessions are players' or the bank's until the first 4-train, and gone from then on."""
    assert set(state.privates.values()) <= {None, *state.players}, state.privates
    assert not set(state.privates.values()) & set(state.marks.get(RESIGNED, ()))
    if title.reached(state, NO_CONCESSIONS_PHASE):
        assert not state.privates or any(type(frame).__name__ == "FirstFour" for frame in state.agenda), state.privates
    else:
        assert set(state.privates) == set(title.privates)
    for concession, company in COMPANY_OF.items():
        if concession in state.privates and state.companies[company].status == "open":
            assert state.round.kind != "CR", company
    if not title.reached(state, FREE_START_PHASE):
        free = [c for c in state.companies if c not in HISTORICAL and state.companies[c].status == "open"]
        assert not free, free


def loans(state: State, before: State | None, events: tuple[Event, ...]) -> None:
    """Debts are loans of bankrupt players, of 500 each, and the money of each came from the bank."""
    assert {kind for _, kind in state.debts} <= {LOAN}
    assert all(amount % LOAN_AMOUNT == 0 for amount in state.debts.values()), state.debts
    lent = sum(e.amount for e in events if isinstance(e, Paid) and e.reason == "loan")
    taken = sum(e.change for e in events if isinstance(e, DebtChanged))
    assert lent == taken, (lent, taken)
    if before is not None:
        assert sum(state.debts.values()) == sum(before.debts.values()) + taken


# ---- trains, purchases, questions -----------------------------------------------------------------------------------


def trains(title: Title, state: State) -> None:
    """Every train is somewhere, once; what has rusted is gone; companies are within their limits."""
    giving_up = any(type(frame).__name__ in GIVING_UP | FORMING for frame in state.agenda)
    found = Counter[TrainName](state.pool_trains)
    for company, now in state.companies.items():
        found.update(now.trains)
        if now.status == "open" and not giving_up:
            limit = title.policies.train_limit(title, state, company)
            assert len(now.trains) <= limit, (company, now.trains, limit)
    for name, train in title.trains.items():
        if name in RUSTED and title.reached(state, RUSTED[name]):
            assert not found[name] and not state.supply[name], f"{name} in phase {state.phase}"
        else:
            assert found[name] + state.supply[name] == train.quantity, (name, found, state.supply)


def bought(title: Title, state: State, before: State | None, events: tuple[Event, ...]) -> None:
    """Rule 5.12: after a purchase of its stock no chain has more than 60 % of a company, whoever sold it. The stock of
    companies that the purchase brings into the chain counts too, unless the ruling ``purchase_limit`` is ``before``."""
    if before is None:
        return
    for event in events:
        match event:
            case Bought(player=buyer, company=company):
                _at_most_sixty(title, state, before, buyer, company)
            case PrivateMoved(private=concession, owner=buyer) if buyer in state.players and concession in COMPANY_OF:
                _at_most_sixty(title, state, before, PlayerId(buyer), COMPANY_OF[concession])


def _at_most_sixty(title: Title, state: State, before: State, buyer: Actor, company: CompanyId) -> None:
    if any(c in state.companies and state.companies[CompanyId(c)].status != "open" for c in (buyer, company)):
        return
    control = before if rulings_of(title).purchase_limit == "before" else state
    player = buyer if buyer in state.players else controller_of(title, control, CompanyId(buyer))
    chain = {buyer} if player is None else {player, *controlled_by(title, control, PlayerId(player))}
    together = sum(shares(title, state, holder, company) for holder in chain - {company})
    assert together * 100 <= 60 * all_shares(title, state, company), (buyer, company, together)


def asked(game: Game) -> None:
    """Nobody answers for a frozen company, and nobody who has resigned is asked."""
    for ask in game.asked():
        assert ask.player not in game.state.marks.get(RESIGNED, ()), ask
        if ask.actor in game.state.companies:
            forming = _forming(game.state)
            player = game.title.policies.director(game.title, game.state, CompanyId(ask.actor))
            assert player == ask.player or forming, (ask, player)
