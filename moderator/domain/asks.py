"""The questions that a seat is asked, and the orders that answer them. This module is independent of titles."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from engine import Ask, Exact, Failure, Game, Menu, Range, Refused
from engine.acts.act import Turn
from engine.acts.run_trains import Earned
from engine.core import orders as o
from engine.core.agenda import Choice
from engine.core.ids import Actor, CompanyId, PlayerId
from engine.core.order_kinds import ENDS, KINDS_OF, STANDS_FOR, TURNS
from engine.core.state import State


def asks_of(game: Game, player: str) -> tuple[Ask, ...]:
    """The open questions that ``player`` must answer, for himself or for a company."""
    return tuple(ask for ask in game.asked() if ask.player == player)


def question(game: Game, player: str) -> str:
    """The open questions of ``player`` on one line; empty if there are none. Equal lines mean the same question only if
    it was open all the time between."""
    return "; ".join(f"{a.actor} {a.what} {' '.join(a.about)}".strip() for a in asks_of(game, player))


def full_question(game: Game, player: str) -> str:
    """The questions as in ``question``, with all legal answers, so that it changes if an answer changes its meaning."""
    asks = asks_of(game, player)
    return repr([(a.actor, a.what, a.about, game.legal(a.actor)) for a in asks]) if asks else ""


def in_company_turn(ask: Ask) -> bool:
    """True if ``ask`` is a question in a company's turn."""
    return ask.what.startswith("company.")


def kinds_in(menu: Menu) -> frozenset[str]:
    """The kinds of decision that a menu offers. Orders that belong to several kinds count only if no order of the menu
    belongs to a single one."""
    kinds = [KINDS_OF[type(choice.order)] for choice in menu]
    plain = frozenset[str]().union(*(kind for kind in kinds if len(kind) == 1))
    return plain or frozenset[str]().union(*kinds)


def turn_kinds(order: o.Order) -> frozenset[str]:
    """The kinds of turns that ``order`` may be a step of; none if it only answers a question."""
    return KINDS_OF[type(order)] & TURNS


def of_a_company(order: o.Order) -> bool:
    """True if ``order`` can only be a step of a company's turn. (False for ``done``, which people also write to end
    their own turns.)"""
    return not isinstance(order, o.Done) and bool(kinds := turn_kinds(order)) and "stock" not in kinds


def at_any_moment(game: Game, order: o.Order) -> bool:
    """True if ``order`` is of a kind that a player may give without being asked. It is carried out at once."""
    return type(order) in game.title.policies.any_moment


def giver(game: Game, order: o.Order) -> PlayerId:
    """The player who gives ``order`` in the present position of a recorded game: the one who is asked for its actor,
    else the director of the acting company, else the actor."""
    for ask in game.asked():
        if ask.actor == order.actor:
            return ask.player
    company = game.title.companies.get(CompanyId(order.actor))
    director = None if company is None else game.title.policies.director(game.title, game.state, company.id)
    return director or PlayerId(order.actor)


def acting(game: Game, order: o.Order, players: Iterable[str]) -> o.Order:
    """``order`` with the right actor: if it uses a power of a private and its actor cannot use it, one of ``players``
    who can becomes its actor."""
    if not isinstance(order, o.UsePrivate):
        return order
    choices = [choice.order for player in players for choice in game.unasked(PlayerId(player))]
    actors = [found.actor for found in choices if isinstance(found, o.UsePrivate) and found.private == order.private]
    return order if order.actor in actors or not actors else replace(order, actor=actors[0])


def answers(menu: Menu, order: o.Order) -> bool:
    """True if ``order`` is of a kind that ``menu`` asks for, legal or not. A held turn waits for this."""
    if any(type(choice.order) is type(order) for choice in menu):
        return True
    if isinstance(order, (*ENDS, o.UsePrivate)):  # also the end of a turn in which other things are asked
        return bool(kinds_in(menu) & {"stock", "operate"}) and not kinds_in(menu) & {"bid", "consent", "take"}
    return bool(KINDS_OF[type(order)] & kinds_in(menu))


def understood(menu: Menu, order: o.Order) -> o.Order:
    """The order that ``pass`` stands for in this menu: leave an auction, decline, refuse, take nothing, or end the
    turn. Any other order is returned unchanged."""
    if type(order) not in STANDS_FOR:
        return order
    offered = [choice.order for choice in menu if isinstance(choice, Exact)]
    for kind in STANDS_FOR[type(order)]:
        for offer in offered:
            if isinstance(offer, kind):
                return offer
    for choice in menu:
        if isinstance(choice.order, o.Take):
            return o.Take(choice.order.actor, 0, choice.order.company)
    return order


def understood_now(game: Game, actor: Actor, order: o.Order) -> o.Order:
    """As ``understood``, in the menu of ``actor`` now. It is made only for an order that stands for others: that takes
    long."""
    return understood(game.legal(actor), order) if type(order) in STANDS_FOR else order


def of_any_amount(game: Game, order: o.Order) -> o.Order:
    """``order``, or what ``pay full`` and ``pay none`` stand for where a company declares a dividend of any amount: the
    highest that its earnings cover, and the lowest."""
    if not isinstance(order, o.Pay) or order.kind == "half":
        return order
    menu = game.legal(order.actor)
    most = revenue_now(game.state) if order.kind == "full" else 0
    offered = [choice for choice in menu if isinstance(choice.order, o.Dividend)]
    amounts = [amount for choice in offered for amount in _amounts(choice)]
    if not amounts or any(isinstance(choice.order, o.Pay) for choice in menu):
        return order
    covered = [amount for amount in amounts if amount <= most]
    return o.Dividend(order.actor, max(covered, default=min(amounts)))


def revenue_now(state: State) -> int:
    """The revenue of the company in turn; 0 before its run, and if no company is."""
    top = state.top if state.agenda else None
    return (top.note(Earned).revenue or 0) if isinstance(top, Turn) else 0


def _amounts(choice: Choice) -> Iterable[int]:
    """The dividends of a choice."""
    if isinstance(choice, Range):
        return range(choice.low, choice.high + 1, choice.step)
    return (choice.order.amount,) if isinstance(choice.order, o.Dividend) else ()


def able(game: Game, asks: Sequence[Ask], orders: Mapping[str, o.Order]) -> tuple[Ask, ...]:
    """Those of ``asks`` that an order can answer now; ``orders`` has it for each actor. An order can if it is legal and
    offered in the menu; if it is that for none, those that offer it or ask for an order of its kind; if none does, all.
    """
    offered = [ask for ask in asks if _offers(game.legal(ask.actor), orders[ask.actor])]
    legal = [ask for ask in offered if _legal(game, ask, orders[ask.actor])]
    fitting = [ask for ask in asks if answers(game.legal(ask.actor), orders[ask.actor])]
    return tuple(legal or offered or fitting or asks)


def _offers(menu: Menu, order: o.Order) -> bool:
    kind = o.Bid if isinstance(order, o.Limit) else type(understood(menu, order))  # the rules do not know limits
    return any(type(choice.order) is kind for choice in menu)


def _legal(game: Game, ask: Ask, order: o.Order) -> bool:
    if isinstance(order, o.Limit):
        return True
    return not isinstance(game.check(understood_now(game, ask.actor, order)), Refused)


def controls(game: Game, player: str, actor: str) -> bool:
    """True if ``player`` may act for ``actor`` now: he is the actor, is its director, or is asked for it."""
    if actor == player:
        return True
    if any(ask.actor == actor and ask.player == player for ask in game.asked()):
        return True
    company = game.title.companies.get(CompanyId(actor))
    return company is not None and game.title.policies.director(game.title, game.state, company.id) == player


def lost_control(game: Game, player: str, actor: str) -> Failure | None:
    """The reason why ``player`` may no longer act for ``actor``; None if he may."""
    if controls(game, player, actor):
        return None
    company = game.title.companies.get(CompanyId(actor))
    director = None if company is None else game.title.policies.director(game.title, game.state, company.id)
    if company is None:
        return Failure("ahead.lost", {"company": actor, "director": director, "gone": False, "into": ""})
    kind, into = game.title.policies.unsettled(game.title, game.state).get(company.id, ("", ""))
    gone = bool(kind) or game.state.companies[company.id].status != "open"
    facts = {"company": actor, "director": director, "gone": gone, "into": into if kind == "merged" else ""}
    return Failure("ahead.lost", facts)
