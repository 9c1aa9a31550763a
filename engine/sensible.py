"""A plain sensible player: deterministic, quick, and good enough to bring a game to its end in ordinary length.

He keeps money back for a first company, bids what a company needs for its first train, lays the track that makes the
most of what his company can reach, runs the best there is, pays out unless the next train is needed, converts and
merges when he can, and buys the shares that pay best.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from engine.board.board import Board
from engine.board.map import Face
from engine.board.network import StopAt, reach
from engine.core.agenda import Ask, Choice, Menu, Range
from engine.core.game import Game
from engine.core.ids import BANK, POOL, CompanyId, TrainName
from engine.core.orders import (
    Agree,
    Bid,
    Buy,
    BuyPrivate,
    Convert,
    Discard,
    Done,
    Drop,
    Lay,
    Merge,
    Open,
    Order,
    Pass,
    Pay,
    PrivateSale,
    Refuse,
    RunBest,
    Sell,
    Settle,
    Start,
    Token,
    Train,
    TrainSale,
)
from engine.core.state import State
from engine.core.title import Title

Kind = TypeVar("Kind", bound=Order)

KEPT_BACK: Final = 100
"""What a player keeps for his first company while privates are sold, and where he has the choice later."""
RAISES: Final = 60
"""So much more than his own first bid he pays for a company."""
LEAST_YIELD: Final = 4
"""Per cent of its price that a share must earn to be bought."""
SECOND_LAY: Final = 40
"""What a lay that costs a fee must be better by."""
LOOKED_AT: Final = 8
"""Of all lays so many are looked at closely."""


def sensible(game: Game, ask: Ask) -> Order:
    """What the plain player answers; the same question in the same position always has the same answer."""
    menu = game.legal(ask.actor)
    plan = _PLANS.get(ask.what)
    order = plan(game, ask, menu) if plan is not None else None
    if order is not None:
        return order
    if ask.silence is not None:
        return ask.silence
    return next((c.order for c in menu if isinstance(c.order, Pass | Drop)), menu[0].order)


def _of(menu: Menu, kind: type[Kind]) -> list[Kind]:
    return [c.order for c in menu if isinstance(c.order, kind)]


def _ranges(menu: Menu, kind: type[Order]) -> list[Range]:
    return [c for c in menu if isinstance(c, Range) and isinstance(c.order, kind)]


def _at(choice: Choice, number: int) -> Order:
    """The order with ``number``, or the nearest that is legal."""
    if not isinstance(choice, Range):
        return choice.order
    return choice.sample((min(max(number, choice.low), choice.high) - choice.low) // choice.step)


# ---- auctions -------------------------------------------------------------------------------------------------------


def _open_private(game: Game, ask: Ask, menu: Menu) -> Order | None:
    opened = _of(menu, Open)
    least = int(ask.about[1])
    if opened and game.state.money(ask.player) - least >= KEPT_BACK:
        return opened[0]
    return None


def _bid(game: Game, ask: Ask, menu: Menu) -> Order | None:
    item = ask.about[0]
    private = next((p for p in game.title.privates.values() if p.id == item), None)
    if private is not None:
        most = min(private.face - 5, game.state.money(ask.player) - KEPT_BACK)
    else:
        most = _first_bid(game.title, game.state, CompanyId(item)) + RAISES
    found = _of(menu, Bid)
    return found[0] if found and found[0].amount <= most else Drop(ask.player)


def _next_cost(title: Title, state: State) -> int:
    """Price of the next train that the bank or the pool sells."""
    costs = [title.trains[t].cost for t in state.pool_trains]
    costs += [t.cost for t in title.trains.values() if not t.special and state.supply.get(t.name, 1) > 0][:1]
    return min(costs, default=0)


def _loans(title: Title, state: State, company: CompanyId) -> int:
    """Money that loans can still bring."""
    return title.loans.received * max(
        0, title.policies.loan_limit(title, state, company) - state.companies[company].loans
    )


def _first_bid(title: Title, state: State, company: CompanyId) -> int:
    """Enough for the first train with a single loan, in steps of five."""
    return max(KEPT_BACK, -(-(_next_cost(title, state) - title.loans.received) // 5) * 5)


# ---- stock turns ----------------------------------------------------------------------------------------------------


def _stock_turn(game: Game, ask: Ask, menu: Menu) -> Order | None:
    """A company of his own first, then the share that pays best, then a public company started."""
    title, state = game.title, game.state
    if not any(not isinstance(c.order, Sell) for c in menu):
        return min(_of(menu, Sell), key=lambda s: _earns(title, state, s.company))
    return _new_minor(game, menu) or _share(game, ask, menu) or _new_public(game, menu)


def _new_minor(game: Game, menu: Menu) -> Order | None:
    title, state = game.title, game.state

    def worth(choice: Range) -> int:
        home = title.companies[_item(choice)].home
        return 0 if home is None else _stop_value(title, state, state.board, ("c", *home))

    able = [c for c in _ranges(menu, Open) if c.high + _loans(title, state, _item(c)) >= _next_cost(title, state)]
    if not able:
        return None
    best = max(able, key=worth)
    return _at(best, _first_bid(title, state, _item(best)))


def _item(choice: Range) -> CompanyId:
    assert isinstance(choice.order, Open) and choice.order.item is not None
    return CompanyId(choice.order.item)


def _earns(title: Title, state: State, company: CompanyId) -> int:
    """Last earnings in thousandths of the price of all shares; nothing without trains."""
    now = state.companies[company]
    return 100 * (now.last_run or 0) // title.price(state, company) if now.trains else 0


def _share(game: Game, ask: Ask, menu: Menu) -> Order | None:
    title, state = game.title, game.state

    def score(order: Buy) -> int:
        mine = title.policies.director(title, state, order.company) == ask.player
        capital = order.source == "treasury"
        return _earns(title, state, order.company) + (30 if mine and capital else 10 if capital else 0)

    found = _of(menu, Buy)
    best = max(found, key=score, default=None)
    return best if best is not None and score(best) >= 10 * LEAST_YIELD - 10 else None


def _new_public(game: Game, menu: Menu) -> Order | None:
    """The cheapest start with which the company can pay for its first train."""
    title, state = game.title, game.state
    need = _next_cost(title, state)
    able = [s for s in _of(menu, Start) if 2 * s.price + _loans(title, state, s.company) >= need]
    return min(able, key=lambda s: s.price, default=None)


# ---- a company's turn -----------------------------------------------------------------------------------------------


def _company_turn(game: Game, ask: Ask, menu: Menu) -> Order | None:
    title, state = game.title, game.state
    company = CompanyId(ask.actor)
    order = _track(game, company, _of(menu, Lay)) or _marker(game, company, _of(menu, Token))
    if order is not None:
        return order
    for kind in (RunBest, Settle):
        if found := _of(menu, kind):
            return found[0]
    return (
        _train(title, state, ask, company, menu)
        or _private(game, ask, menu)
        or next(iter(_of(menu, Done)), None)
        or min(_of(menu, Train), key=lambda t: title.trains[t.train].cost, default=None)
    )


def _track(game: Game, company: CompanyId, lays: Sequence[Lay]) -> Order | None:
    """The lay that adds most to what the company can reach, if it adds anything worth its price."""
    title, state = game.title, game.state
    second = bool(getattr(state.top, "laid", ()))

    def price(lay: Lay) -> int:
        return title.policies.lay_cost(title, state, lay.hex) + (title.loans.received if second else 0)

    best: Lay | None = None
    most = _promise(title, state, state.board, company) + (SECOND_LAY if second else 0)
    able = [lay for lay in lays if price(lay) <= state.money(company)] or lays[:1]
    for lay in sorted(able, key=lambda lay: price(lay) - _glance(title, state, lay))[:LOOKED_AT]:
        board = state.board.lay(lay.hex, lay.tile, lay.rotation)
        found = _promise(title, state, board, company) + _leads(title, state, board, lay) - price(lay) // 2
        if found > most:
            best, most = lay, found
    return best


def _glance(title: Title, state: State, lay: Lay) -> int:
    """What a lay looks like at first sight: what its stops gain, and what lies where its new exits lead."""
    color = title.phase(state).colors[-1]
    old, new = state.board.face(lay.hex), title.map.tiles[lay.tile].face.turned(lay.rotation)
    gain = 10 * (_best_stop(new, color) - _best_stop(old, color))
    for edge in new.exits - old.exits:
        neighbor = state.board.face(title.map.hexes[lay.hex].neighbors[edge])
        gain += _best_stop(neighbor, color) + (10 if (edge + 3) % 6 in neighbor.exits else 0)
    return gain


def _leads(title: Title, state: State, board: Board, lay: Lay) -> int:
    """What lies in the hexes that routes come to by the new track."""
    color, found = title.phase(state).colors[-1], reach(board, lay.actor)
    old, new = state.board.face(lay.hex), board.face(lay.hex)
    sides = ((title.map.hexes[lay.hex].neighbors[edge], (edge + 3) % 6) for edge in new.exits - old.exits)
    return sum(1 + _best_stop(board.face(hex), color) // 5 for hex, edge in sides if (hex, edge) in found)


def _best_stop(face: Face, color: str) -> int:
    return max((stop.value(color) for stop in (*face.cities, *face.towns, *face.offboards)), default=0)


def _promise(title: Title, state: State, board: Board, company: CompanyId) -> int:
    """Ten times the best stops that the longest train could count, and a little for every other in reach."""
    stops = reach(board, company).stops
    values = sorted((_stop_value(title, state, board, stop) for stop in stops), reverse=True)
    longest = max((title.trains[t].reach.stops for t in state.companies[company].trains), default=3)
    return 10 * sum(values[:longest]) + 2 * len(values)


def _stop_value(title: Title, state: State, board: Board, stop: StopAt) -> int:
    kind, hex, index = stop
    face = board.face(hex)
    stops = face.cities if kind == "c" else face.towns if kind == "t" else face.offboards
    return stops[index].value(title.phase(state).colors[-1])


def _marker(game: Game, company: CompanyId, tokens: Sequence[Token]) -> Order | None:
    """The richest city that costs no more than half of the treasury."""
    title, state = game.title, game.state
    if not state.companies[company].trains:
        return None

    def score(order: Token) -> int:
        hex = order.space.hex
        value = _best_stop(state.board.face(hex), title.phase(state).colors[-1])
        return 4 * value - title.policies.marker_cost(title, state, company, hex)

    able = [
        t for t in tokens if 2 * title.policies.marker_cost(title, state, company, t.space.hex) <= state.money(company)
    ]
    best = max(able, key=score, default=None)
    return best if best is not None and score(best) > 0 else None


def _train(title: Title, state: State, ask: Ask, company: CompanyId, menu: Menu) -> Order | None:
    """A train from bank or pool as far as money goes; without one also from a sister that has two."""
    found = _of(menu, Train)
    owned = state.companies[company].trains
    fixed = [t for t in found if t.source in (None, BANK, POOL)]
    if fixed and (not owned or min(title.trains[t.train].cost for t in fixed) <= state.money(company)):
        return max(fixed, key=lambda t: (-title.trains[t.train].cost, t.source == POOL))
    if owned or fixed:
        return None
    for choice in _ranges(menu, Train):
        order = choice.order
        assert isinstance(order, Train) and order.source is not None
        seller = CompanyId(order.source)
        sister = title.policies.director(title, state, seller) == ask.player
        if sister and len(state.companies[seller].trains) > 1:
            return _at(choice, choice.high // 2)
    return None


def _private(game: Game, ask: Ask, menu: Menu) -> Order | None:
    """His own private for its face value, once the company has a train and the money."""
    title, state = game.title, game.state
    for choice in _ranges(menu, BuyPrivate):
        order = choice.order
        assert isinstance(order, BuyPrivate)
        face = title.privates[order.private].face
        if state.companies[order.actor].trains and choice.high == face and state.privates[order.private] == ask.player:
            return _at(choice, face)
    return None


def _pay(game: Game, ask: Ask, menu: Menu) -> Order | None:
    """Half where the next train is wanted and not yet paid for, otherwise all."""
    title, state = game.title, game.state
    company = CompanyId(ask.actor)
    room = title.policies.train_limit(title, state, company) - len(state.companies[company].trains)
    saves = room > 0 and state.money(company) < _next_cost(title, state)
    return Pay(company, "half" if saves else "full")


# ---- asked in between -----------------------------------------------------------------------------------------------


def _consent(game: Game, ask: Ask, menu: Menu) -> Order | None:
    title, state = game.title, game.state
    agree = _of(menu, Agree)[0]
    match agree.subject:
        case TrainSale(train=train, price=price):
            spare = ask.actor in state.companies and len(state.companies[CompanyId(ask.actor)].trains) > 1
            well = spare and 2 * price >= title.trains[train].cost
        case PrivateSale(private=private, price=price):
            well = 5 * price >= 4 * title.privates[private].face
        case _:
            well = True
    return agree if well else Refuse(ask.actor, agree.subject)


def _merger(game: Game, ask: Ask, menu: Menu) -> Order | None:
    """Conversion before merger; a merger with minors of his own before others, the dearest first."""
    title, state = game.title, game.state
    if converts := _of(menu, Convert):
        return converts[0]

    def score(order: Merge) -> tuple[bool, int]:
        mine = all(title.policies.director(title, state, m) == ask.player for m in order.minors)
        return mine, sum(title.price(state, m) for m in order.minors)

    return max(_of(menu, Merge), key=score, default=None)


def _take(game: Game, ask: Ask, menu: Menu) -> Order | None:
    """As many shares as leave something in hand, but one in any case."""
    price = int(ask.about[1])
    return _at(menu[0], max(1, (game.state.money(ask.player) - KEPT_BACK) // price))


def _discard(game: Game, ask: Ask, menu: Menu) -> Order | None:
    def cost(train: TrainName) -> int:
        return game.title.trains[train].cost

    return min(_of(menu, Discard), key=lambda d: cost(d.train))


def _run(game: Game, ask: Ask, menu: Menu) -> Order | None:
    return next(iter(_of(menu, RunBest)), None)


_PLANS: Final[dict[str, Callable[[Game, Ask, Menu], Order | None]]] = {
    "auction.open": _open_private,
    "auction.bid": _bid,
    "stock.turn": _stock_turn,
    "company.turn": _company_turn,
    "company.pay": _pay,
    "consent": _consent,
    "merger.turn": _merger,
    "offer.shares": _take,
    "discard": _discard,
    "state_railway.run": _run,
}
"""By what is asked. Where nothing is planned, or the plan finds nothing, what stands for silence is answered."""
