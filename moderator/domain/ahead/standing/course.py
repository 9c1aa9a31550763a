"""The course of a standing order: what is left of it after moves, and why it ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine import Failure, Game
from engine.core import orders as o
from engine.core import programs as p
from engine.core.events import Won
from engine.core.ids import PlayerId
from engine.holders.ledger import shares
from moderator.domain.ahead.standing.conditions import come_true, director_of
from moderator.domain.ahead.standing.terms import closed_part, missing
from moderator.domain.fork import Move


def ended(game: Game, player: str, order: o.Standing, moves: Sequence[Move]) -> Failure | None:
    """The reason why a standing ``order`` of ``player`` ends now, after all ``moves`` since it was given; None if it
    stands. The end of its round is not looked at here."""
    program = order.program
    match program:
        case p.SellShares(company=company, keep=keep):
            held = shares(game.title, game.state, PlayerId(player), company)
            return Failure("standing.sold_down", {"company": company, "held": held}) if held <= keep else None
        case p.BuyShares(company=company, count=int(count)) if (
            held := shares(game.title, game.state, PlayerId(player), company)
        ) >= count:
            return Failure("standing.reached", {"company": company, "held": held})
        case p.PassUntil() | p.BuyShares():
            return come_true(game, program.until, player, moves)
        case p.TurnRoutine() | p.DiscardFirst() | p.DeclineMergers() | p.MergerTerms():
            if order.actor != player and director_of(game, order.actor) != player:
                return Failure("standing.not_director", {"company": order.actor})
            if isinstance(program, p.MergerTerms) and (closed := closed_part(game, program)) is not None:
                return closed
            until = () if isinstance(program, p.DiscardFirst) else program.until
            return come_true(game, until, player, moves)
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
    return missing(game, player, actor, program)


def won_by(game: Game, player: str, moves: Sequence[Move]) -> tuple[Won, ...]:
    """The auctions that ``player`` or a company that he directs won in ``moves``."""
    events = (event for move in moves for event in move.events)
    return tuple(
        event
        for event in events
        if isinstance(event, Won) and player in (event.player, director_of(game, event.player))
    )


def advance(game: Game, player: str, plan: p.AuctionPlan, moves: Sequence[Move]) -> p.AuctionPlan:
    """The rest of a plan after ``moves``. A lot that is sold goes. If the player or a company of his has won it, so do
    the others of its group and those that he wants only without it. Its price comes off the budget if he paid it."""
    found = won_by(game, player, moves)
    won, lots = {event.item for event in found}, {lot.item for lot in plan.lots}
    coming = set(game.lots_to_come())
    groups = tuple(
        left
        for group in plan.groups
        if not any(lot.item in won for lot in group)
        and (left := tuple(_left(lot, coming) for lot in group if lot.item in coming and lot.unless not in won))
    )
    spent = sum(event.amount for event in found if event.player == player and event.item in lots)
    budget = None if plan.budget is None else max(0, plan.budget - spent)
    return replace(plan, groups=groups, budget=budget)


def with_limit(plan: p.AuctionPlan, limit: o.Limit) -> p.AuctionPlan:
    """``plan`` with the maximum and the step of ``limit`` for its lot."""
    groups = tuple(
        tuple(replace(lot, maximum=limit.maximum, step=limit.step) if lot.item == limit.item else lot for lot in group)
        for group in plan.groups
    )
    return replace(plan, groups=groups)


def _left(lot: p.PlanLot, coming: set[str]) -> p.PlanLot:
    """``lot`` without its exception, if that can no longer apply."""
    return lot if lot.unless is None or lot.unless in coming else replace(lot, unless=None)
