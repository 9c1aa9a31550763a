"""What is asked of a seat, and which of its orders answer it. Knows kinds of orders, and no title."""

from __future__ import annotations

from typing import Final

from engine import Ask, Exact, Game, Menu
from engine.core import orders as o
from engine.core.ids import CompanyId

_KINDS: Final[tuple[tuple[str, tuple[type, ...]], ...]] = (
    ("stock", (o.Open, o.Sell, o.Buy, o.Start, o.Pass)),
    ("operate", (o.Redeem, o.Lay, o.Token, o.Run, o.RunBest, o.Pay, o.Train, o.BuyPrivate, o.Settle, o.Done)),
    ("merge", (o.Convert, o.Merge, o.Decline)),
    ("bid", (o.Bid, o.Drop, o.Limit)),
    ("take", (o.Take,)),
    ("consent", (o.Agree, o.Refuse)),
    ("discard", (o.Discard,)),
    ("keep", (o.Keep,)),
    ("nationalise", (o.Nationalise,)),
    ("announce", (o.Announce,)),
)
_TURNS: Final = frozenset({"stock", "operate", "merge"})
_KIND_OF: Final = {kind: name for name, kinds in _KINDS for kind in kinds}


def asks_of(game: Game, player: str) -> tuple[Ask, ...]:
    """The open questions that ``player`` must answer, for himself or a company."""
    return tuple(ask for ask in game.asked() if ask.player == player)


def question(game: Game, player: str) -> str:
    """What is asked of ``player`` in one line; empty if nothing is. The same words mean the same question only as long
    as it was open all the time."""
    return "; ".join(f"{a.actor} {a.what} {' '.join(a.about)}".strip() for a in asks_of(game, player))


def full_question(game: Game, player: str) -> str:
    """As ``question``, with everything that may be answered: differs where an answer would mean something else."""
    asks = asks_of(game, player)
    return repr([(a.actor, a.what, a.about, game.legal(a.actor)) for a in asks]) if asks else ""


def kinds_in(menu: Menu) -> frozenset[str]:
    """The kinds of decision that a menu offers."""
    return frozenset(_KIND_OF[type(choice.order)] for choice in menu)


def turn_kind(order: o.Order) -> str | None:
    """The kind of turn that ``order`` is a step of; None where it only answers a question."""
    kind = _KIND_OF[type(order)]
    return kind if kind in _TURNS else None


def answers(menu: Menu, order: o.Order) -> bool:
    """Whether ``order`` is of a kind that is being asked for, legal or not. A held turn waits until it is."""
    if any(type(choice.order) is type(order) for choice in menu):
        return True
    if isinstance(order, o.Pass | o.Done):  # also the end of a turn in which other things are asked
        return bool(kinds_in(menu) & {"stock", "operate"}) and not kinds_in(menu) & {"bid", "consent", "take"}
    return _KIND_OF[type(order)] in kinds_in(menu)


def understood(menu: Menu, order: o.Order) -> o.Order:
    """``pass`` where another word is meant: leave an auction, decline, refuse, take nothing, end the turn."""
    if not isinstance(order, o.Pass):
        return order
    offered = [choice.order for choice in menu if isinstance(choice, Exact)]
    for kind in (o.Pass, o.Drop, o.Decline, o.Refuse, o.Done):
        for offer in offered:
            if isinstance(offer, kind):
                return offer
    for choice in menu:
        if isinstance(choice.order, o.Take):
            return o.Take(choice.order.actor, 0, choice.order.company)
    return order


def controls(game: Game, player: str, actor: str) -> bool:
    """Whether ``player`` acts as ``actor`` now: he is it, he directs it, or he is asked for it."""
    if actor == player:
        return True
    if any(ask.actor == actor and ask.player == player for ask in game.asked()):
        return True
    company = game.title.companies.get(CompanyId(actor))
    return company is not None and game.title.policies.director(game.title, game.state, company.id) == player
