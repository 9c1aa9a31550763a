"""The duty to sell holdings over a limit before anything else, as far as legal sales reduce them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from engine.core.answer_cache import lately
from engine.core.checks import Fact, Failure
from engine.core.ids import Actor, CompanyId, PlayerId
from engine.core.state import State
from engine.core.title import Play, Title
from engine.titles.t1863.entities import companies_of
from engine.titles.t1863.stock.limits import Excess, excess
from engine.titles.t1863.stock.trading import list_sales, sell

ForcedSale = tuple[Actor, CompanyId, int]
"""A seller, a company and a number of its shares."""


@lately(8)  # the player to ask, the menu and the answer depend on this
def duties(title: Title, state: State, player: PlayerId) -> tuple[Excess, ...]:
    """The excesses of the player and his companies that at least one of their legal sales reduces."""  # rule 4.1
    found = excess(title, state, player)
    if not found:
        return ()
    sales = [sale for entity in sellers(title, state, player) for sale in _sales(title, state, entity)]
    left = [_amounts(title, _after(title, state, sale), player) for sale in sales]
    return tuple(e for e in found if any(rest.get(_key(e), 0) < e.over for rest in left))


def sellers(title: Title, state: State, player: PlayerId) -> tuple[Actor, ...]:
    """The entities for which the player can sell."""
    return (player, *companies_of(title, state, player))


def forced_sales(
    title: Title, state: State, player: PlayerId, entity: Actor, due: Iterable[Excess]
) -> Iterator[tuple[CompanyId, int]]:
    """The legal sales of an entity that reduce any of the excesses that are ``due``."""
    for sale in _sales(title, state, entity):
        if lessens(title, state, player, due, sale):
            yield sale[1:]


def lessens(title: Title, state: State, player: PlayerId, due: Iterable[Excess], sale: ForcedSale) -> bool:
    """True if a legal sale reduces any of the excesses."""
    rest = _amounts(title, _after(title, state, sale), player)
    return any(rest.get(_key(e), 0) < e.over for e in due)


def must_sell(due: Iterable[Excess]) -> list[Failure]:
    """Every reason why the player must sell before he does anything else: one for each excess."""  # rule 4.1, 4.15
    failures = []
    for e in due:
        facts: dict[str, Fact] = {"holder": e.holder, "company": e.company, "over": e.over}
        match e.what:
            case "certificates":
                failures.append(Failure("limit.sell_first", facts))
            case "circle":
                failures.append(Failure("limit.sell_circle", facts))
            case "company":
                failures.append(Failure("limit.sell_company", facts))
            case _:
                failures.append(Failure("limit.sell_player", facts))
    return failures


def _sales(title: Title, state: State, entity: Actor) -> Iterator[ForcedSale]:
    return ((entity, company, number) for company, number in list_sales(title, state, entity))


def _after(title: Title, state: State, sale: ForcedSale) -> State:
    play = Play(title, state)
    sell(play, *sale)
    return play.state


def _key(e: Excess) -> tuple[str, Actor, str]:
    return e.what, e.holder, e.company


def _amounts(title: Title, state: State, player: PlayerId) -> dict[tuple[str, Actor, str], int]:
    return {_key(e): e.over for e in excess(title, state, player)}
