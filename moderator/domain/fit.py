"""Says whether an order that was given before an undo still fits the game as it stands after it.

Nobody is bound to a decision that he took with other knowledge than he would have now. So an order fits only if all of
this holds, and ``misfit`` returns the first that does not:

* **The question is the same**: the same seat is asked for the same actor, of the same kind, about the same things, with
  the same legal answers at the same prices; for a run, with the same best run.
* **The order is legal, and the same follows from it**: exactly the same events.
* **What he decided on is the same** (``_in_view``): everything of his own and of his company, and the trains that can
  be bought; for a decision of his own, such as a purchase of shares, also the money, certificates and prices of all.
* **What the order changes is the same**: each thing that changed when it was carried out had the same value before.
  The money of others does not count, because the same is added or taken away.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from engine import Ask, Failure, Game, Refused
from engine.core.description import differences, told
from engine.core.events import Event
from engine.core.ids import CompanyId
from engine.core.orders import Order, Run, RunBest
from engine.core.state import State

Reason: TypeAlias = Literal["question", "refused", "effects", "view", "turn", "answered", "passed", "together", "lost"]
"""``question``: another question, or other answers. ``refused``: by the rules. ``effects``: other things would follow.
``view``: what he decided on, or what the order changes, is another. ``turn``: an earlier order of the same turn is
gone. ``answered``: its author has answered otherwise. ``passed``: the game has gone past it. ``together``: another
order that was opened together with it does not fit. ``lost``: what was stored of it cannot be read."""

_COMMON: Final = ("round", "phase", "order of play", "bank broke")
"""Parts of a position that count for every decision."""
_TRAINS: Final = ("new trains", "trains bought", "trains in the pool")
_MARKET: Final = ("certificates", "privates", "debts", "priority")
"""Parts that count as a whole for a decision that a player takes for himself."""
_OF_A_COMPANY: Final = ("status", "par", "director", "charter")
"""Facts about companies that count for a decision that a player takes for himself."""
_NO_FACTS: Final = ("asked", "lots drawn", "finished")
"""Parts that are no things which an order changes: the question and what follows are compared by themselves."""
_STACK: Final = "markers above"
"""The stack of markers on the chart: who acts first follows from it, and shows in the question."""

Leaf: TypeAlias = tuple[str, ...]
_NOTHING: Final = object()


@dataclass(frozen=True, slots=True)
class Given:
    """An order as it was given: ``game`` is the one before it, ``after`` the position that it led to."""

    game: Game
    player: str
    order: Order
    events: tuple[Event, ...]
    after: State


@dataclass(frozen=True, slots=True)
class Misfit:
    """The reason why an order does not fit. ``failures``: the reasons of the rules. ``lines``: what is otherwise."""

    reason: Reason
    failures: tuple[Failure, ...] = ()
    lines: tuple[str, ...] = ()


def given(game: Game, number: int, player: str) -> Given:
    """Order ``number`` of ``game``, which ``player`` gave. ``ValueError`` if there is no such order."""
    before, events = game.fork(), game.events(number)
    before.undo(number - 1)
    return Given(before, player, game.orders[number - 1], events, game.at(number))


def misfit(one: Given, now: Game) -> Misfit | None:
    """The reason why ``one`` does not fit ``now``; None if it does."""
    if now.finished:
        return Misfit("passed")
    if not _same_question(one, now):
        return Misfit("question")
    events = now.check(one.order)
    if isinstance(events, Refused):
        return Misfit("refused", events.failures)
    if events != one.events:
        return Misfit("effects")
    lines = _otherwise(one, now)
    return Misfit("view", lines=lines) if lines else None


def ask_of(game: Game, player: str, order: Order) -> Ask | None:
    """The open question that ``order`` of ``player`` answers; None if he is not asked for its actor."""
    return next((ask for ask in game.asked() if (ask.player, ask.actor) == (player, order.actor)), None)


def _same_question(one: Given, now: Game) -> bool:
    asked = ask_of(one.game, one.player, one.order)
    if asked != ask_of(now, one.player, one.order) or _answers(one.game, one) != _answers(now, one):
        return False
    company = one.order.actor
    if isinstance(one.order, Run | RunBest) and company in now.title.companies:
        return one.game.best_run(CompanyId(company)).value == now.best_run(CompanyId(company)).value
    return True


def _answers(game: Game, one: Given) -> list[tuple[str, int | None]]:
    """The legal answers of the seat with their prices, or the orders that it may give unasked."""
    if ask_of(game, one.player, one.order) is None:
        return [(repr(choice), None) for choice in game.unasked(one.player)]  # type: ignore[arg-type]
    return sorted((repr(choice), game.cost(choice.sample())) for choice in game.legal(one.order.actor))


def _otherwise(one: Given, now: Game) -> tuple[str, ...]:
    """A line for each thing that is otherwise, of all that he decided on and that the order changes."""
    title = now.title
    old, new, after = (told(title, state) for state in (one.game.state, now.state, one.after))
    was, present, became = dict(leaves(old)), dict(leaves(new)), dict(leaves(after))
    changed = {leaf for leaf in {*was, *became} if was.get(leaf, _NOTHING) != became.get(leaf, _NOTHING)}
    company = one.order.actor in title.companies
    paths = {leaf for leaf in {*was, *present} if was.get(leaf, _NOTHING) != present.get(leaf, _NOTHING)}
    counts = {
        leaf
        for leaf in paths
        if _in_view(leaf, {was.get(leaf), present.get(leaf)} if leaf[0] == "privates" else set(), one, company=company)
        or (leaf in changed and leaf[0] not in ("cash", *_NO_FACTS) and leaf[-1] != _STACK)
    }
    return tuple(differences(_only(old, counts), _only(new, counts)))


def _in_view(leaf: Leaf, owners: set[Any], one: Given, *, company: bool) -> bool:
    """True if the seat decided on this thing. ``owners``: of a private, before and now."""
    part, actor, own = leaf[0], one.order.actor, {one.player, one.order.actor}
    if part in _COMMON:
        return True
    if not company:
        players = one.game.state.players
        match part:
            case "cash":
                return leaf[1] in players
            case "companies":
                return leaf[2] in _OF_A_COMPANY
            case "prices":
                return leaf[-1] != _STACK
        return part in _MARKET
    match part:
        case "cash" | "debts":
            return leaf[1] in own
        case "certificates":
            return leaf[1] in own or (len(leaf) > 2 and leaf[2] == actor)
        case "privates":
            return bool(owners & own)
        case "companies" | "prices":
            return leaf[1] == actor and leaf[-1] != _STACK
    return part in _TRAINS


def leaves(value: Any, path: Leaf = ()) -> Iterator[tuple[Leaf, Any]]:
    """Every value of a description of a position, with its path."""
    if isinstance(value, Mapping) and value:
        for key in value:
            yield from leaves(value[key], (*path, str(key)))
    elif path:
        yield path, value


def _only(value: Any, paths: set[Leaf], path: Leaf = ()) -> Any:
    """The description without all that is not in ``paths``."""
    found: dict[str, Any] = {}
    for key, inner in value.items():
        here = (*path, str(key))
        if here in paths:
            found[str(key)] = inner
        elif isinstance(inner, Mapping) and any(one[: len(here)] == here for one in paths):
            found[str(key)] = _only(inner, paths, here)
    return found
