"""The course of a standing order: what is left of it after moves, and why it ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine import Failure, Game
from engine.core import orders as o
from engine.core import programs as p
from engine.core.events import Won
from moderator.domain.ahead.standing.conditions import come_true, director_of
from moderator.domain.fork import Move


def ended(game: Game, player: str, order: o.Standing, moves: Sequence[Move]) -> Failure | None:
    """The reason why a standing ``order`` of ``player`` ends now, after all ``moves`` since it was given; None if it
    stands. The end of its round is not looked at here."""
    program = order.program
    match program:
        case p.PassUntil() | p.BuyShares():
            return come_true(game, program.until, player, order.actor, moves)
        case p.TurnRoutine() | p.DiscardFirst():
            if director_of(game, order.actor) != player:
                return Failure("standing.not_director", {"company": order.actor})
            until = program.until if isinstance(program, p.TurnRoutine) else ()
            return come_true(game, until, player, order.actor, moves)
        case p.AuctionPlan():
            over = not program.lots and not (program.drop_rest and game.lots_to_come())
            return Failure("standing.no_lots") if over else None
        case p.Terms():
            return _gone(game, player, order.actor, program)
        case _:
            return None


def _gone(game: Game, player: str, actor: str, program: p.Terms) -> Failure | None:
    """The reason why the sale that ``program`` speaks of can no longer come."""
    if actor in game.title.companies and director_of(game, actor) != player:
        return Failure("standing.not_director", {"company": actor})
    if program.private is not None and game.state.privates.get(program.private) not in (actor, player):
        return Failure("standing.not_owner", {"actor": actor, "name": program.private})
    return None


def advance(game: Game, player: str, plan: p.AuctionPlan, moves: Sequence[Move]) -> p.AuctionPlan:
    """The rest of a plan after ``moves``. A lot that is sold goes. If the player has won it, so do the others of its
    group and those that he wants only without it, and its price comes off the budget."""
    won = {
        event.item: event.amount
        for move in moves
        for event in move.events
        if isinstance(event, Won) and event.player == player
    }
    coming = set(game.lots_to_come())
    own = {lot.item for lot in plan.lots} & won.keys()
    groups = tuple(
        left
        for group in plan.groups
        if not any(lot.item in won for lot in group)
        and (left := tuple(_left(lot, coming) for lot in group if lot.item in coming and lot.unless not in won))
    )
    spent = sum(won[item] for item in own)
    budget = None if plan.budget is None else max(0, plan.budget - spent)
    return replace(plan, groups=groups, budget=budget)


def _left(lot: p.PlanLot, coming: set[str]) -> p.PlanLot:
    """``lot`` without its exception, if that can no longer apply."""
    return lot if lot.unless is None or lot.unless in coming else replace(lot, unless=None)
