"""Finished answers to a question, each legal as it stands: what is harmless first, and whole turns of a company.

Mails suggest the first and show all as buttons. Whole turns follow the plain player up to the run. The run itself is
not made, because the best may take long to find."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from engine.acts.act import Turn
from engine.acts.pay_out import PayOut
from engine.acts.run_trains import RunTrains
from engine.acts.turns import Turns
from engine.core import orders as o
from engine.core.agenda import Ask, Choice, Exact, Menu, Range
from engine.core.checks import Refused
from engine.core.decide import asked, decide_to_state, effects
from engine.core.game import Game
from engine.core.ids import BANK, POOL, CompanyId
from engine.core.state import State
from engine.core.title import Title
from engine.sensible import FOR, sensible
from grammar import write
from moderator.domain.asks import of_any_amount, revenue_now
from moderator.domain.vocabulary import vocabulary
from moderator.words.position.lay_views import loans_taken
from moderator.words.question.best_run import best_now, best_routes
from moderator.words.question.later import places
from moderator.words.question.menu import at_home, few_bids
from moderator.words.question.notes import price_of_train

WIDEST: Final = 64
"""The number of characters after which a text is broken, behind a semicolon. Mail programs that wrap what they send do
so from 72 characters on."""
_MOST: Final = 6
"""The maximum number of answers to a question."""
_OTHERS: Final = 3
"""The maximum number of answers besides a harmless one."""
_FEW: Final = 4
"""The maximum number of orders of a kind that are answers; the menu has the others."""
_LONGEST_TURN: Final = 8
"""The maximum number of orders for track and markers in a turn."""

_RUN: Final = (RunTrains, PayOut)
"""The acts of a suggested run."""
_DEALS: Final = (o.Train, o.BuyPrivate, o.BuyConcession, o.BuyFrom, o.BuyToken)
"""Orders that are deals if their price can be chosen; deals are never suggested."""
_HARMLESS: Final = (o.Pass, o.Drop, o.Decline, o.Refuse, o.Done)
"""Kinds of orders that come first: they commit to nothing."""
_COSTLY: Final = (o.Sell, o.SellGroup, o.Short, o.Borrow, o.Merge, o.Convert)
"""Kinds of orders that are not suggested where something harmless may be said, or nothing need be said."""
BEFORE_RUN: Final = (o.Lay, o.Tunnel, o.Token)
"""Kinds of orders before the run that a suggested turn may have."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A finished answer. ``text``: its orders on one line. ``lines``: the same as it is sent, with a head where one is
    needed. ``orders``: these orders."""

    text: str
    lines: tuple[str, ...]
    orders: tuple[o.Order, ...] = ()

    @property
    def several(self) -> bool:
        """True if there is more than one order."""
        return len(self.orders) > 1


def answers(game: Game, ask: Ask, menu: Menu, *, alone: bool = False) -> tuple[Answer, ...]:
    """The answers to ``ask``, at most six. ``alone``: its player is asked nothing else, so that his own orders need no
    head."""
    names = vocabulary(game.title)
    head = "" if alone and ask.actor == ask.player else f"{ask.actor}: "
    found: dict[str, Answer] = {}
    for orders in _courses(game, ask, menu):
        texts = [write(order, names) for order in orders]
        found.setdefault("; ".join(texts), Answer("; ".join(texts), in_lines(head, texts), tuple(orders)))
    return tuple(found.values())[:_MOST]


def in_lines(head: str, texts: Sequence[str]) -> tuple[str, ...]:
    """Orders on as few lines as fit, each line but the last with a semicolon at its end."""
    lines = [head + texts[0]]
    for text in texts[1:]:
        if len(lines[-1]) + len(text) + 3 <= WIDEST:
            lines[-1] += f"; {text}"
        else:
            lines[-1] += ";"
            lines.append(text)
    return tuple(lines)


def _courses(game: Game, ask: Ask, menu: Menu) -> Iterator[Sequence[o.Order]]:
    found = list(_turns(game, ask, menu)) if ask.what == "company.turn" else []
    if found:
        yield from found
        return
    singles = [*_floats(game, ask, menu), *_singles(game, menu)]
    harmless = [order for order in singles if isinstance(order, _HARMLESS)]
    yield from ([order] for order in harmless)
    free = bool(harmless) or ask.what.endswith(FOR)
    others = [order for order in singles if order not in harmless and not (free and isinstance(order, _COSTLY))]
    for order in others[: _OTHERS if harmless else _MOST]:
        yield _with_done(game, order) if isinstance(order, o.Pay | o.Dividend) else [order]
    if harmless and not ask.what.endswith(FOR):
        yield from ([order] for order in _founding(game, menu))
    if not singles and not free:
        kept = [choice for choice in menu if not _is_deal(choice)] or menu
        yield from ([_first_of(game.state, choice)] for choice in sorted(kept, key=lambda c: _is_final(c.order)))


def _is_deal(choice: Choice) -> bool:
    foreign = isinstance(choice.order, o.Train) and choice.order.source not in (None, BANK, POOL)
    return foreign or (isinstance(choice, Range) and isinstance(choice.order, _DEALS))


def _singles(game: Game, menu: Menu) -> Iterator[o.Order]:
    """Orders of kinds with few choices, the least bid on the only lot, the bounds of a dividend and of an offer, sealed
    bids on nothing and on two lots."""
    kinds: dict[type[o.Order], list[Choice]] = {}
    for choice in menu:
        kinds.setdefault(type(choice.order), []).append(choice)
    for choices in kinds.values():
        first = choices[0]
        if isinstance(first.order, o.SealedBids):
            yield replace(first.order, bids=())
            yield few_bids(choice.order for choice in choices)
        elif isinstance(first.order, o.Dividend):
            yield from _dividends(game.state, choices)
        elif isinstance(first.order, o.Take) and isinstance(first, Range):
            yield first.sample(0)
            yield first.sample((first.high - first.low) // first.step)
        elif isinstance(first.order, o.Open | o.Bid) and len(choices) == 1:
            yield first.sample(0)
        elif len(choices) <= _FEW:
            yield from (c.order for c in choices if isinstance(c, Exact) and not _is_final(c.order))


def _floats(game: Game, ask: Ask, menu: Menu) -> Iterator[o.Order]:
    """The float of the plain player, then with cash alone those at the lowest and the highest price."""
    found = [order for choice in menu if isinstance(order := choice.sample(0), o.Float)]
    if not found:
        return
    plain = sensible(game.seen_by(ask.player), ask)
    if isinstance(plain, o.Float):
        yield plain
    for kind in dict.fromkeys(order.kind for order in found):
        alone = [one for one in found if one == o.Float(ask.actor, one.company, kind, one.price)]
        yield from (*alone[:1], *alone[-1:])


def _founding(game: Game, menu: Menu) -> Iterator[o.Order]:
    """An example of a company that is founded, where nothing else can be done but pass."""
    starts = [choice for choice in menu if isinstance(choice.order, o.Start)]
    if starts and all(isinstance(choice.order, o.Start | o.Pass) for choice in menu):
        yield at_home(game.title, starts).sample(0)


def _dividends(state: State, choices: Sequence[Choice]) -> Iterator[o.Order]:
    """The highest dividend that the revenue covers, and the lowest."""
    able = [c for c in choices if not isinstance(c, Range) or c.low <= revenue_now(state)] or choices[:1]
    if able:
        yield _first_of(state, able[-1])
        yield able[0].sample(0)


def _with_done(game: Game, order: o.Order) -> Sequence[o.Order]:
    """A company's ``order``, and the end of its turn if it may follow at once."""
    done = o.Done(CompanyId(order.actor))
    return [order, done] if _ends_well(game, (order, done)) else [order]


def _ends_well(game: Game, orders: Sequence[o.Order]) -> bool:
    """True if a company's ``orders`` can be given one after the other and end its turn, with all that is due then
    paid."""
    state = game.state
    for order in orders:
        played = decide_to_state(game.title, state, order)
        if isinstance(played, Refused):
            return False
        state = played.state
    return all(ask.actor != orders[-1].actor for ask in asked(game.title, state))


def _turns(game: Game, ask: Ask, menu: Menu) -> Iterator[Sequence[o.Order]]:
    """Whole turns of a company: without track, then with the track and markers of the plain player."""
    company = CompanyId(ask.actor)
    yield from _ends(game, company, menu)
    trial, given = game.seen_by(ask.player), list[o.Order]()
    while len(given) < _LONGEST_TURN and _goes_on(trial, ask):
        order = sensible(trial, next(each for each in trial.asked() if each.actor == company))
        if not isinstance(order, BEFORE_RUN) or order.actor != company or _takes_loans(trial, order):
            break
        if isinstance(trial.submit(order), Refused):
            break
        given.append(order)
    if given and _goes_on(trial, ask):
        for end in list(_ends(trial, company, trial.legal(company)))[:2]:
            yield [*given, *end]


def _takes_loans(game: Game, order: o.Order) -> bool:
    """True if the company would have to borrow: no example should cost interest."""
    return loans_taken(effects(game.title, game.state, order)) > 0


def _goes_on(game: Game, ask: Ask) -> bool:
    """True if the same question is asked of the same player for the same company."""
    return any((now.player, now.actor, now.what) == (ask.player, ask.actor, ask.what) for now in game.asked())


def _ends(game: Game, company: CompanyId, menu: Menu) -> Iterator[Sequence[o.Order]]:
    """The ways to end a company's turn from now on: to run and pay in each way; or to end it, with or without a train;
    or to declare a dividend."""
    if any(isinstance(choice.order, o.RunBest) for choice in menu):
        yield from _runs(game, company)
        return
    yield from ([choice.order] for choice in menu if isinstance(choice.order, o.Done))
    yield from (_with_done(game, train) for train in _trains(game, menu))
    dividends = list(_dividends(game.state, [choice for choice in menu if isinstance(choice.order, o.Dividend)]))
    yield from (_with_done(game, order) for order in dividends)
    if dividends and not game.state.companies[company].trains:
        paid = game.fork()
        if not isinstance(paid.submit(dividends[-1]), Refused):
            yield from ([dividends[-1], *_with_done(paid, train)] for train in _trains(paid, paid.legal(company)))


def _trains(game: Game, menu: Menu) -> list[o.Train]:
    """The first two trains of the bank or the pool that the company can pay alone; where it must buy one, of all."""
    orders = [choice.order for choice in menu if isinstance(choice, Exact)]
    trains = [order for order in orders if isinstance(order, o.Train) and order.source in (None, BANK, POOL)]
    paid = [train for train in trains if price_of_train(game.title, game.state, train) <= game.state.money(train.actor)]
    must = not any(isinstance(order, o.Done) for order in orders)
    return (paid or (trains if must else []))[:2]


def _runs(game: Game, company: CompanyId) -> Iterator[Sequence[o.Order]]:
    course = after_run(game.title, game.state, company)
    if not any(isinstance(order, o.Pay) for order in course) and (whole := list(_in_own_way(game, company))):
        yield from whole
        return
    act = next((place.act for place in places(game.title, game.state) if isinstance(place.act, PayOut)), None)
    if act is None or not any(isinstance(order, o.Pay) for order in course):
        yield course
    elif best_now(game.title, game.state, company).value == 0:
        yield [order for order in course if not isinstance(order, o.Pay)]
    else:
        for way in ("full", "half", "none"):
            if way in act.ways:
                yield [o.Pay(company, way) if isinstance(order, o.Pay) else order for order in course]


def _in_own_way(game: Game, company: CompanyId) -> Iterator[Sequence[o.Order]]:
    """Whole turns in a title with its own act for dividends: to run and pay everything, or nothing, where the company
    can then pay what is due at the end of its turn. That is tried with the run that is found with little work."""
    if all(o.Dividend not in place.act.takes for place in places(game.title, game.state)):
        return
    ran, done = game.fork(), o.Done(company)
    if isinstance(ran.submit(o.Run(company, best_routes(game.title, game.state, company).routes)), Refused):
        return
    for way in ("full", "none") if revenue_now(ran.state) else ("none",):
        order = o.Pay(company, way)
        if _ends_well(ran, (of_any_amount(ran, order), done)):
            yield [o.RunBest(company), order, done]


def _is_final(order: o.Order) -> bool:
    """True of an order that ends the game for a player or a company. It is suggested only if there is nothing else."""
    liquidates = isinstance(order, o.Crisis) and order.way == "liquidate"
    resigns = isinstance(order, o.Bankrupt) and order.way != "loan"
    return liquidates or resigns or (isinstance(order, o.Nationalise) and order.yes)


def _first_of(state: State, choice: Choice) -> o.Order:
    """The first order of a choice; for a dividend the highest that the revenue covers."""
    if isinstance(choice, Range) and isinstance(choice.order, o.Dividend):
        return choice.sample(max(0, min(revenue_now(state), choice.high) - choice.low) // choice.step)
    return choice.sample(0)


def after_run(title: Title, state: State, company: CompanyId) -> list[o.Order]:
    """The orders to suggest for a turn from the run on. There is no ``pay`` for a company of a single certificate, and
    no ``done`` if the turn has duties besides run and dividend, such as shares over a limit. In a title with its own
    act for dividends only the run is suggested, because the director chooses the dividend once he knows the revenue."""
    pay = [o.Pay(company, "full")] if len(title.companies[company].charter.certificates) > 1 else []
    step, turn = title.steps[type(state.top)], state.top
    if not isinstance(step, Turns) or not isinstance(turn, Turn):
        return [o.RunBest(company), *pay, o.Done(company)]
    if not any(isinstance(place.act, PayOut) for place in step.places):
        return [o.RunBest(company)]
    owes = step.owed_besides(title, state, turn, _RUN)
    return [o.RunBest(company), *pay, *(() if owes else (o.Done(company),))]
