"""The answer of a standing order to an open question: ordinary orders, nothing, or the reason why it ends."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from engine import Ask, Exact, Failure, Game, Refused, default_order
from engine.acts.turns import HELP
from engine.core import orders as o
from engine.core import programs as p
from engine.core.agenda import Lot
from engine.core.checks import Fact
from engine.core.events import LoansChanged, Opened, TurnEnded
from engine.core.ids import Actor, CompanyId, PlayerId
from engine.holders.ledger import shares
from moderator.domain.ahead.bids import bid_range, next_bid
from moderator.domain.ahead.standing.conditions import come_true, director_of, price_of
from moderator.domain.asks import in_company_turn, kinds_in, of_any_amount, understood
from moderator.domain.fork import Fork
from moderator.domain.section import open_ask


@dataclass(frozen=True, slots=True)
class Answer:
    """``orders`` to carry out, one after the other; or ``failures``, the reasons why the standing order ends."""

    orders: tuple[o.Order, ...] = ()
    failures: tuple[Failure, ...] = ()


TERMS: Final = 10
BID: Final = 20
DROP: Final = 30
SHARES: Final = 40
PASS: Final = 50
"""Places of orders that wait for the same question; those for a single turn come before all of them."""


def answer(fork: Fork, player: str, order: o.Standing, ask: Ask) -> Answer | None:
    """The answer of a standing ``order`` of ``player`` to ``ask``; None if it does not apply. The fork does not
    change."""
    return _ANSWERS[type(order.program)](fork, PlayerId(player), order.actor, order.program, ask)


def rank(game: Game, order: o.Standing, ask: Ask) -> int:
    """The place of a standing order among those of its player: more precise ones come first, sales before purchases. A
    limit would have the place ``BID`` or ``DROP``."""
    program = order.program
    match program:
        case p.Terms(buyer=buyer):
            return TERMS if buyer is not None else TERMS + 1
        case p.MergerTerms(partner=partner, into=into):
            return TERMS if partner or into else TERMS + 1
        case p.DiscardFirst() | p.DeclineMergers():
            return TERMS
        case p.PassUntil():
            return PASS
        case p.AuctionPlan() if (lot := game.lot()) is not None:
            return DROP if isinstance(bid_under(game, program, order.actor, ask, lot), o.Drop) else BID
        case p.BuyShares():
            return SHARES + 1
    return SHARES


# ---- stock turns ----------------------------------------------------------------------------------------------------


def _pass(fork: Fork, player: PlayerId, actor: Actor, program: p.PassUntil, ask: Ask) -> Answer | None:
    menu = fork.game.legal(ask.actor)
    turn = "stock" in kinds_in(tuple(choice for choice in menu if not isinstance(choice.order, o.Pass)))
    other = not turn and any(isinstance(choice.order, o.Pass) for choice in menu)
    wanted = {"stock": turn, "all": turn or other, "other": other}[program.scope]
    if not wanted or bid_range(fork.game, ask) is not None:
        return None
    order = understood(menu, o.Pass(player))
    result = fork.game.check(order)
    return Answer(failures=result.failures) if isinstance(result, Refused) else Answer((order,))


def _buy(fork: Fork, player: PlayerId, actor: Actor, program: p.BuyShares, ask: Ask) -> Answer | None:
    game, company = fork.game, program.company
    if not any(isinstance(choice.order, o.Buy) for choice in game.legal(ask.actor)) and not _may_buy(game, ask):
        return None
    held = shares(game.title, game.state, player, company)
    if program.count is not None and held >= program.count:
        return Answer(failures=(Failure("standing.reached", {"company": company, "held": held}),))
    wanted = o.Buy(player, company, program.source, program.certificate)  # type: ignore[arg-type]
    order = _cheapest(game, wanted)
    trial = fork.fork()
    cash = game.state.money(player)
    result = trial.submit(order, player, "standing")
    if isinstance(result, Refused):
        return Answer(failures=result.failures)
    more = shares(trial.game.title, trial.game.state, player, company) - held
    if program.count is not None and held + more > program.count:
        facts: dict[str, Fact] = {"company": company, "held": held, "more": more, "count": program.count}
        return Answer(failures=(Failure("standing.beyond", facts),))
    cost = cash - trial.game.state.money(player)
    if program.price is not None and cost > program.price:
        dear = Failure("standing.dear", {"company": company, "price": cost, "most": program.price, "more": more})
        return Answer(failures=(dear,))
    if not program.leading and director_of(game, company) != player and director_of(trial.game, company) == player:
        return Answer(failures=(Failure("standing.leading", {"company": company}),))
    return Answer((order,))


def _may_buy(game: Game, ask: Ask) -> bool:
    """True at the start of a stock turn: there the rules say why a purchase is impossible."""
    menu = game.legal(ask.actor)
    return "stock" in kinds_in(menu) and any(isinstance(choice.order, o.Pass) for choice in menu)


def _cheapest(game: Game, order: o.Buy) -> o.Buy:
    """``order``, or if it leaves the place of the shares open, the same order for the cheapest place that has them."""
    if order.source is not None or not isinstance(game.check(order), Refused):
        return order
    offered = [c.order for c in game.legal(order.actor) if isinstance(c, Exact) and isinstance(c.order, o.Buy)]
    places = [one for one in offered if one.company == order.company and one.certificate == order.certificate]
    legal = [one for one in places if not isinstance(game.check(one), Refused)]
    return min(legal, key=lambda one: _cost(game, one), default=order)


def _cost(game: Game, order: o.Buy) -> int:
    trial = game.fork()
    trial.submit(order)
    return game.state.money(order.actor) - trial.state.money(order.actor)


def _sell(fork: Fork, player: PlayerId, actor: Actor, program: p.SellShares, ask: Ask) -> Answer | None:
    game, company = fork.game, program.company
    menu = game.legal(ask.actor)
    price = price_of(game, company)
    if "stock" not in kinds_in(menu) or price is None or (program.under is not None and price >= program.under):
        return None
    more = shares(game.title, game.state, player, company) - program.keep
    if more <= 0:
        return None
    for count in range(more, 0, -1):
        if not isinstance(game.check(o.Sell(player, company, count)), Refused):
            return Answer((o.Sell(player, company, count),))
    refused = game.check(o.Sell(player, company, 1))
    return Answer(failures=refused.failures) if isinstance(refused, Refused) else None


# ---- auctions -------------------------------------------------------------------------------------------------------


def _plan(fork: Fork, player: PlayerId, actor: Actor, program: p.AuctionPlan, ask: Ask) -> Answer | None:
    game, lot = fork.game, fork.game.lot()
    if lot is not None and bid_range(game, ask) is not None:
        order = bid_under(game, program, actor, ask, lot)
        return None if order is None else Answer((order,))
    if not any(isinstance(choice.order, o.Open) for choice in game.legal(ask.actor)):
        return None
    for one in program.lots:
        opening = o.Open(player, one.item)
        events = game.check(opening)
        if isinstance(events, Refused):
            continue
        if all(event.amount <= most(program, one) for event in events if isinstance(event, Opened)):
            return Answer((opening,))
    return None


def most(program: p.AuctionPlan, lot: p.PlanLot) -> int:
    """The most that the plan bids on ``lot``: its limit, or the budget that is left."""
    return lot.maximum if program.budget is None else min(lot.maximum, program.budget)


def bid_under(game: Game, program: p.AuctionPlan, actor: Actor, ask: Ask, lot: Lot) -> o.Bid | o.Drop | None:
    """The bid or drop with which a plan answers ``ask`` for ``lot``; None if it has nothing to say about the lot."""
    bids = bid_range(game, ask)
    if bids is None or lot.item not in ask.about[:1]:
        return None
    found = next((one for one in program.lots if one.item == lot.item), None)
    if found is None:
        return o.Drop(PlayerId(actor)) if program.drop_rest else None
    return next_bid(bids, most(program, found), found.step, lot.amount)


# ---- consent and companies ------------------------------------------------------------------------------------------


def _terms(fork: Fork, player: PlayerId, actor: Actor, program: p.Terms, ask: Ask) -> Answer | None:
    offered = [choice.order for choice in fork.game.legal(ask.actor) if isinstance(choice.order, o.Agree)]
    for order in offered:
        subject = order.subject
        if subject is None or isinstance(subject, o.Merger) or not _speaks_of(program, subject):
            continue
        if program.buyer not in (None, subject.buyer):
            continue
        if program.agree and program.amount is not None and subject.price >= program.amount:
            return Answer((o.Agree(actor, subject),))
        if not program.agree and (program.amount is None or subject.price < program.amount):
            return Answer((o.Refuse(actor, subject),))
    return None


def _speaks_of(program: p.Terms, subject: o.TrainSale | o.PrivateSale | o.ShareSale | o.TokenSale) -> bool:
    """True if ``program`` has terms for what ``subject`` is a sale of. A hex alone means any space of it."""
    match subject:
        case o.TrainSale(train=train):
            return program.train == train
        case o.PrivateSale(private=private):
            return program.private == private
        case o.ShareSale(company=company, count=count):
            return (program.company, program.count) == (company, count)
        case o.TokenSale(space=space):
            place = None if program.hex is None else o.Space(program.hex, program.exit, program.beside)
            return place in (space, o.Space(space.hex))


def _mergers(fork: Fork, player: PlayerId, actor: Actor, program: p.MergerTerms, ask: Ask) -> Answer | None:
    """The answer to a proposal that concerns the company, or any company of its player if the terms are his own. The
    company that proposes it is not always among those that the question names as its parts."""
    for choice in fork.game.legal(ask.actor):
        subject = choice.order.subject if isinstance(choice.order, o.Agree) else None
        if not isinstance(subject, o.Merger):
            continue
        parts = {str(part) for part in (*subject.minors, *ask.about[:1])}
        others = parts - {str(actor)}
        fits = program.partner in (None, *others) and program.into in (None, subject.into)
        if fits and (actor in parts or actor == player):
            return Answer((o.Agree(ask.actor, subject) if program.agree else o.Refuse(ask.actor, subject),))
    return None


def _decline(fork: Fork, player: PlayerId, actor: Actor, program: p.DeclineMergers, ask: Ask) -> Answer | None:
    order = o.Decline(CompanyId(actor))
    asked = any(isinstance(choice.order, o.Decline) for choice in fork.game.legal(ask.actor))
    return Answer((order,)) if asked and not isinstance(fork.game.check(order), Refused) else None


def _routine(fork: Fork, player: PlayerId, actor: Actor, program: p.TurnRoutine, ask: Ask) -> Answer | None:
    if not in_company_turn(ask) or ask.what == HELP:
        return None
    turn = _Turn(fork.fork(), len(fork.moves), player, CompanyId(actor), program)
    for step in program.steps:
        now = turn.ask()
        if step in _ORDERS and now is not None:
            turn.give(of_any_amount(turn.trial.game, _ORDERS[step](CompanyId(actor))))
    failures = _finish(turn) or _borrowed(turn)
    return Answer(failures=failures) if failures else Answer(tuple(turn.given))


@dataclass(slots=True)
class _Turn:
    """A turn of a company as a routine plays it. ``begun``: the number of moves before it. ``given``: the orders that
    the rules accept. It stops where a condition of the routine comes true."""

    trial: Fork
    begun: int
    player: PlayerId
    company: CompanyId
    program: p.TurnRoutine
    given: list[o.Order] = field(default_factory=list)

    def ask(self) -> Ask | None:
        """The question that the company is asked in this turn; None if the turn or the routine is over."""
        moves = self.trial.moves[self.begun :]
        ask = open_ask(self.trial.game, self.player, self.company)
        if ask is None or not in_company_turn(ask) or ask.what == HELP:
            return None
        if any(isinstance(e, TurnEnded) and e.company == self.company for move in moves for e in move.events):
            return None
        return ask if come_true(self.trial.game, self.program.until, self.player, moves) is None else None

    def give(self, order: o.Order) -> tuple[Failure, ...]:
        """Give ``order`` if the rules accept it. Returns their reasons if they do not."""
        result = self.trial.submit(order, self.player, "standing")
        if isinstance(result, Refused):
            return result.failures
        self.given.append(order)
        return ()


def _finish(turn: _Turn) -> tuple[Failure, ...]:
    """End the turn, if it is still asked for; before that buy the train that the rules demand, if the routine says so.
    Returns the reasons why the turn cannot end."""
    while (ask := turn.ask()) is not None:
        failures = turn.give(o.Done(turn.company))
        if not failures:
            return ()
        needed = default_order(turn.trial.game, ask) if "train if needed" in turn.program.steps else None
        if not isinstance(needed, o.Train) or turn.give(needed):
            return failures
    return ()


def _borrowed(turn: _Turn) -> tuple[Failure, ...]:
    """The reason why a routine without loans ends: the company would take some in this turn."""
    events = (event for move in turn.trial.moves[turn.begun :] for event in move.events)
    taken = [e.change for e in events if isinstance(e, LoansChanged) and e.company == turn.company and e.change > 0]
    if turn.program.loans or not taken:
        return ()
    return (Failure("standing.loans", {"company": turn.company, "count": sum(taken)}),)


def _discard(fork: Fork, player: PlayerId, actor: Actor, program: p.DiscardFirst, ask: Ask) -> Answer | None:
    order = o.Discard(CompanyId(actor), program.train)
    asked = any(isinstance(choice.order, o.Discard) for choice in fork.game.legal(ask.actor))
    return Answer((order,)) if asked and not isinstance(fork.game.check(order), Refused) else None


_ORDERS: Final[Mapping[p.Step, Callable[[CompanyId], o.Order]]] = {
    "run best": o.RunBest,
    "run none": lambda company: o.Run(company, ()),
    "pay full": lambda company: o.Pay(company, "full"),
    "pay half": lambda company: o.Pay(company, "half"),
    "pay none": lambda company: o.Pay(company, "none"),
}
_ANSWERS: Final[Mapping[type, Callable[[Fork, PlayerId, Actor, Any, Ask], Answer | None]]] = {
    p.PassUntil: _pass,
    p.BuyShares: _buy,
    p.SellShares: _sell,
    p.AuctionPlan: _plan,
    p.Terms: _terms,
    p.MergerTerms: _mergers,
    p.DeclineMergers: _decline,
    p.TurnRoutine: _routine,
    p.DiscardFirst: _discard,
    p.OnlyIf: lambda *_: None,
    p.Unless: lambda *_: None,
}
