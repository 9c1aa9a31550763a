"""Occasions: the lot, turn or offer that an order given ahead is for. It is fixed when the order is received."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias, get_args

from engine import Ask, Failure, Game
from engine.acts.turns import HELP
from engine.core import orders as o
from engine.core.events import CompanyLeft, Event, RoundBegan, TurnEnded, Won
from engine.core.ids import CompanyId, PrivateId
from engine.core.order_kinds import ENDS, LAST, ON_A_LOT
from engine.steps.course import rounds_of
from moderator.domain.ahead.bids import bid_range
from moderator.domain.ahead.standing import standing_occasion
from moderator.domain.asks import answers, at_any_moment, in_company_turn, kinds_in, turn_kinds
from moderator.domain.rounds import MERGER_ROUND, OPERATING_ROUND, STOCK_ROUND

OccasionKind: TypeAlias = Literal["lot", "stock", "par", "turn", "merger", "offer", "operating", "standing"]
_ROUNDS: Final = (STOCK_ROUND, OPERATING_ROUND, MERGER_ROUND)
"""The rounds that alternate. Before the first of them there may be a round of auctions alone."""
_ROUND_OF: Final = {"merger": MERGER_ROUND, "operating": OPERATING_ROUND}
_AUCTION: Final = "auction."
"""The prefix of the names of questions about a lot."""


@dataclass(frozen=True, slots=True)
class Occasion:
    """The occasion of an order given ahead, by ``kind``. ``lot``: the auction of the item NAME. ``stock``: the player's
    next turn in the current stock round or, outside of stock rounds, in the next one. ``par``: the choice of a par for
    NAME. ``turn``: the current turn of the company NAME, or its next one. ``merger``: the current or next merger round,
    for the company NAME or for all. ``offer``: the offer of shares of NAME when it is formed. ``operating``: the
    current or next operating round. ``standing``: all questions that a standing order may answer, for the company NAME
    or for the player himself."""

    kind: OccasionKind
    name: str = ""

    def __str__(self) -> str:
        return f"{self.kind} {self.name}".strip()

    @staticmethod
    def parse(text: str) -> Occasion:
        """The occasion in the text that ``str`` gives. ``ValueError`` for any other text."""
        kind, _, name = text.partition(" ")
        if kind not in get_args(OccasionKind):
            raise ValueError(f"{text!r} is not an occasion for orders")
        return Occasion(kind, name)  # type: ignore[arg-type]

    def is_now(self, game: Game, ask: Ask, order: o.Order) -> bool:
        """True if ``ask`` is the question that ``order`` was given for. Always False for ``offer``, ``operating``
        and ``standing``: consents and standing orders are tried without this check."""
        menu = game.legal(ask.actor)
        match self.kind:
            case "lot":
                return ask.what.startswith(_AUCTION) and self.name in ask.about[:1]
            case "par":
                return ask.what == "par" and self.name in ask.about
            case "stock":
                return self.under_way(game) and "stock" in kinds_in(menu) and answers(menu, order)
            case "turn":
                own = in_company_turn(ask) and ask.what != HELP
                return ask.actor == self.name and (own or not turn_kinds(order)) and answers(menu, order)
            case "merger":
                return ask.actor == self.name and answers(menu, order)
            case "offer" | "operating" | "standing":
                return False
        raise AssertionError(self.kind)

    def under_way(self, game: Game) -> bool:
        """True if the occasion has begun."""
        match self.kind:
            case "lot":
                return (lot := game.lot()) is not None and lot.item == self.name
            case "stock":
                return game.state.round.kind == STOCK_ROUND
            case "merger" | "operating":
                return game.state.round.kind == _ROUND_OF[self.kind]
            case _:
                return any(ask.actor == self.name for ask in game.asked())

    def is_over(self, game: Game, began_in: str, events: Sequence[Event]) -> bool:
        """True if the occasion ended during ``events``, or can no longer come. ``began_in``: the kind of the round
        before the events. ``game``: the game after them."""
        ended = set(_rounds_ended(began_in, events))
        company = game.state.companies.get(CompanyId(self.name))
        match self.kind:
            case "lot":
                sold = any(isinstance(e, Won) and e.item == self.name for e in events)
                left = any(isinstance(e, CompanyLeft) and e.company == self.name for e in events)  # it may restart
                return sold or left or self.name not in game.lots_to_come()
            case "par":
                return company is None or company.par is not None or bool(ended)
            case "stock":
                return STOCK_ROUND in ended
            case "turn":
                left = any(isinstance(e, TurnEnded | CompanyLeft) and e.company == self.name for e in events)
                return left or _closed(game, self.name)
            case "merger" | "operating":
                return _ROUND_OF[self.kind] in ended or (bool(self.name) and _closed(game, self.name))
            case "standing":
                return bool(self.name) and _closed(game, self.name)
            case "offer":
                return company is None or company.status == "closed" or (bool(ended) and company.status == "open")
        raise AssertionError(self.kind)


def _closed(game: Game, company: str) -> bool:
    found = game.state.companies.get(CompanyId(company))
    return found is None or found.status == "closed"


def _rounds_ended(began_in: str, events: Iterable[Event]) -> Iterable[str]:
    now = began_in
    for event in events:
        if isinstance(event, RoundBegan):
            yield now
            now = event.round.kind


def bound(game: Game, player: str, actor: str, order: o.Order) -> tuple[Occasion, o.Order] | Failure:
    """The occasion for which ``player`` gives an ``order`` of ``actor`` ahead, and the order with its lot written out.
    A ``Failure`` if there is no such occasion, if it is over, or if it cannot be determined."""
    found = _occasion(game, player, actor, order)
    return found if isinstance(found, Failure) else (found, _written_out(game, found, order))


def _occasion(game: Game, player: str, actor: str, order: o.Order) -> Occasion | Failure:
    match order:
        case o.Standing():
            kept = standing_occasion(game, player, order)
            return kept if isinstance(kept, Failure) else Occasion(*kept)
        case o.Open(item=item) if item in game.title.companies:  # put up for auction in an ordinary stock turn
            return Occasion("stock") if item in game.lots_to_come() else Failure("ahead.sold", {"item": item})
        case o.Bid(item=item) | o.Drop(item=item) | o.Limit(item=item) | o.Open(item=item):
            return _lot(game, player, order, item)
        case o.Agree(subject=subject) | o.Refuse(subject=subject) if subject is not None:
            return _consent(game, subject)
        case o.Take(company=company) if company is not None:
            return _offer(game, company)
        case o.Pass() | o.Done() if actor == player:
            return _pass(game, player)
        case o.Start(company=company) if company in game.pars_to_come() and game.state.round.kind not in _ROUNDS:
            return Occasion("par", company)
    kinds = turn_kinds(order)
    if actor != player and (kinds or isinstance(order, o.Pass | o.UsePrivate)):
        return of_company(game, actor, (order,))
    if "stock" in kinds:
        return Occasion("stock")
    return Failure("order.not_asked", {"actor": actor, "asked": tuple(ask.actor for ask in game.asked())})


def vain(game: Game, player: str, order: o.Order, before: Iterable[o.Order]) -> tuple[Failure, ...]:
    """Every reason why a limit can never raise in the auction under way, or above the bid on its item that the same
    player gives ``before`` it; none for other orders and auctions. A limit that comes with a bid may equal it."""
    if not isinstance(order, o.Limit):
        return ()
    lot = game.lot()
    given = _bid_on(order.item, lot.item if lot is not None else None, before)
    if given is not None and order.maximum < given:
        return (Failure("ahead.vain", {"item": order.item, "maximum": order.maximum, "own": given}),)
    if given is not None or lot is None or lot.item != order.item or lot.least is None or order.maximum >= lot.least:
        return ()
    own = lot.amount if lot.holder == player else None
    return (
        Failure("bid.too_low", {"amount": order.maximum, "least": lot.least}),
        Failure("ahead.vain", {"item": order.item, "maximum": order.maximum, "own": own}),
    )


def beyond(game: Game, occasion: Occasion, orders: Sequence[o.Order]) -> int | None:
    """The index of the first of ``orders`` that comes after the one which ends ``occasion``, and so would never be
    used; None if all may be. One ``done`` may follow any end, and orders that may come at any moment do not count."""
    end: o.Order | None = None
    for number, order in enumerate(orders):
        if at_any_moment(game, order):
            continue
        closing = isinstance(order, o.Done) and not isinstance(end, o.Done)
        if end is not None and not closing and (_ends(occasion, end) or isinstance(order, o.Pass)):
            return number
        if _ends(occasion, order) or isinstance(order, o.Pass):
            end = order
    return None


def _ends(occasion: Occasion, order: o.Order) -> bool:
    """True if no order for ``occasion`` can follow ``order``. In a company's turn ``pass`` may only decline a step."""
    if isinstance(order, o.Done) or (isinstance(order, o.Pass) and occasion.kind != "turn"):
        return True
    return isinstance(order, LAST.get(occasion.kind, ()))


def _bid_on(item: str | None, current: str | None, orders: Iterable[o.Order]) -> int | None:
    """The amount of the last bid on ``item`` among ``orders``; None if there is none. A bid that names no item is on
    the lot that an earlier one of them has opened, or on the ``current`` lot."""
    found = None
    for order in orders:
        if isinstance(order, o.Open | o.Bid):
            current = order.item or current
            if current == item and order.amount is not None:
                found = order.amount
    return found


def of_company(game: Game, company: str, orders: Iterable[o.Order]) -> Occasion:
    """The occasion of a company's orders: the merger round, if they merge it and the game has one; else its turn."""
    merges = any("merge" in turn_kinds(order) for order in orders)
    return Occasion("merger" if merges and MERGER_ROUND in rounds_of(game.title) else "turn", company)


def _lot(game: Game, player: str, order: o.Order, item: str | None) -> Occasion | Failure:
    """The auction of the lot that the order names, or of the current lot if it names none."""
    lot = game.lot()
    if item is None:
        if lot is None:
            return Failure("ahead.no_lot", {"word": type(order).__name__.lower()})
        item = lot.item
    if item not in game.lots_to_come():
        return Failure("ahead.sold", {"item": item})
    if lot is not None and lot.item == item and player not in (*lot.bidders, lot.holder):
        return Failure("ahead.left", {"item": item})
    return Occasion("lot", item)


def _pass(game: Game, player: str) -> Occasion | Failure:
    """The occasion of a ``pass``: the current lot if the player bids for it, otherwise his turn in a stock round."""
    lot = game.lot()
    if lot is not None and player in lot.bidders:
        return Occasion("lot", lot.item)
    private = lot is not None and lot.item in game.title.privates
    if lot is not None and (private or game.state.round.kind != STOCK_ROUND):  # his next question is unknown
        return Failure("ahead.holds" if lot.holder == player else "ahead.left", {"item": lot.item})
    return Occasion("stock") if game.state.round.kind in _ROUNDS else Failure("ahead.no_turn")


def _consent(game: Game, subject: o.Subject) -> Occasion | Failure:
    """The occasion of a consent: the buyer's turn for a sale, the merger round for a merger. In a title where companies
    merge in their turns it is the operating round, because the subject does not say in whose turn."""
    if isinstance(subject, o.Merger):
        return Occasion("merger" if MERGER_ROUND in rounds_of(game.title) else "operating")
    if subject.buyer in game.state.players:
        return Occasion("stock")
    if _closed(game, subject.buyer):
        return Failure("ahead.closed", {"company": subject.buyer})
    return Occasion("turn", subject.buyer)


def _offer(game: Game, company: CompanyId) -> Occasion | Failure:
    found = game.state.companies.get(company)
    coming = (found is not None and found.status == "unstarted") or _offered(game, company)
    if coming or (found is not None and found.status == "open" and game.state.round.kind == MERGER_ROUND):
        return Occasion("offer", company)
    return Failure("ahead.offered", {"company": company})


def _offered(game: Game, company: CompanyId) -> bool:
    """True while a player is asked whether he takes shares of ``company``."""
    asked = (choice.order for ask in game.asked() if company in ask.about for choice in game.legal(ask.actor))
    return any(isinstance(order, o.Take) for order in asked)


def named_lot(order: o.Order, lot: str) -> o.Order:
    """``order`` with the current ``lot`` written out, if it is for an auction and names none."""
    if isinstance(order, ON_A_LOT) and order.item is None:
        return replace(order, item=lot)  # type: ignore[arg-type]
    return order


def _written_out(game: Game, occasion: Occasion, order: o.Order) -> o.Order:
    """``order`` with its lot written out, if orders can name the lot. A ``pass`` on a lot for which bids are being made
    becomes a ``drop``."""
    if occasion.kind != "lot":
        return order
    item: CompanyId | PrivateId | None = None
    if occasion.name in game.title.companies:
        item = CompanyId(occasion.name)
    elif occasion.name in game.title.privates:
        item = PrivateId(occasion.name)
    if isinstance(order, ENDS):
        bidding = any(bid_range(game, ask) is not None for ask in game.asked())
        return o.Drop(order.actor, item) if bidding else order
    assert isinstance(order, ON_A_LOT)
    return replace(order, item=item)
