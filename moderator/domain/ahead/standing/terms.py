"""The terms on which a standing order is taken: it must be able to apply, and must not contradict itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from engine import Failure, Game
from engine.acts.buy_train import new_trains
from engine.core import orders as o
from engine.core import programs as p
from engine.core.ids import CompanyId, PlayerId, TrainName
from engine.holders.ledger import shares
from grammar.write_programs import write_condition
from moderator.domain.ahead.standing.conditions import come_true, director_of, has_started


def purpose(order: o.Standing) -> object:
    """A key that is equal for standing orders of which a player can have only one. To buy and to sell shares of the
    same company is one purpose."""
    program = order.program
    match program:
        case p.BuyShares(company=company) | p.SellShares(company=company):
            return order.actor, "shares", company
        case p.PassUntil(scope=scope):
            return order.actor, "pass", scope == "other"
        case p.Terms():
            return order.actor, "terms", program.goods, program.buyer, program.agree
        case p.MergerTerms(partner=partner, into=into):
            return order.actor, "mergers", partner, into
        case _:
            return order.actor, type(program).__name__


def clash(one: o.Standing, other: o.Standing) -> bool:
    """True if one of the orders agrees to a sale to the same buyer that the other refuses."""
    if not isinstance(one.program, p.Terms) or not isinstance(other.program, p.Terms) or one.actor != other.actor:
        return False
    yes, no = (one.program, other.program) if one.program.agree else (other.program, one.program)
    if not yes.agree or no.agree or (yes.goods, yes.buyer) != (no.goods, no.buyer):
        return False
    return no.amount is None or (yes.amount or 0) < no.amount


def standing_occasion(game: Game, player: str, order: o.Standing) -> tuple[Literal["stock", "standing"], str] | Failure:
    """The kind and name of the occasion for which a standing ``order`` is kept: ``stock`` for one that ends with the
    stock round, otherwise ``standing``. A ``Failure`` if it can never apply, or has no meaning."""
    wrong = next(_wrong(game, player, order), None)
    if wrong is not None:
        return wrong
    if isinstance(order.program, p.PassUntil) and order.program.scope != "stock":
        return "standing", ""
    if isinstance(order.program, p.PassUntil | p.BuyShares | p.SellShares):
        return "stock", ""
    return "standing", order.actor if order.actor in game.title.companies else ""


def _wrong(game: Game, player: str, order: o.Standing) -> Iterator[Failure]:
    program = order.program
    match program:
        case p.PassUntil() | p.BuyShares() | p.SellShares() | p.AuctionPlan() if order.actor != player:
            yield Failure("standing.players", {"actor": order.actor})
        case p.TurnRoutine() | p.DiscardFirst() | p.DeclineMergers() if order.actor == player:
            yield Failure("standing.companies", {"actor": order.actor})
        case p.PassUntil():
            yield from _never(game, player, program.until)
        case p.BuyShares() | p.SellShares():
            yield from _of_shares(game, player, program)
        case p.AuctionPlan():
            yield from _of_plan(game, program)
        case p.TurnRoutine():
            yield from _never(game, player, program.until)
            yield from _twice(program.steps)
        case p.DeclineMergers():
            yield from _never(game, player, program.until)
        case p.MergerTerms():
            if program.partner == order.actor:
                yield Failure("standing.own_partner", {"company": order.actor})
            if (closed := closed_part(game, program)) is not None:
                yield closed
            yield from _never(game, player, program.until)
        case p.Terms() if (gone := missing(game, player, order.actor, program)) is not None:
            yield gone


def missing(game: Game, player: str, actor: str, program: p.Terms) -> Failure | None:
    """The reason why ``actor``, for whom ``player`` acts, cannot sell what ``program`` speaks of: it is not his."""
    if program.private is not None and game.state.privates.get(program.private) not in (actor, player):
        return Failure("standing.not_owner", {"actor": actor, "name": program.private})
    own = game.state.companies.get(CompanyId(actor))
    if program.train is not None and (own is None or program.train not in own.trains):
        return Failure("standing.no_train", {"actor": actor, "name": program.train, "company": own is not None})
    if program.company is not None and shares(game.title, game.state, actor, program.company) < program.count:
        return Failure("ahead.gone", {"owner": actor, "kind": "share", "name": program.company})
    hexes = [hex for hex, _ in game.state.board.places_of(CompanyId(actor))] if program.hex is not None else []
    if program.hex is not None and program.hex not in hexes:
        return Failure("ahead.gone", {"owner": actor, "kind": "token", "name": program.hex})
    return None


def closed_part(game: Game, program: p.MergerTerms) -> Failure | None:
    """The reason why no merger on these terms can come: a company that they name is closed."""
    named = (company for company in (program.partner, program.into) if company is not None)
    closed = next((company for company in named if game.state.companies[company].status == "closed"), None)
    return None if closed is None else Failure("ahead.closed", {"company": closed})


def _of_shares(game: Game, player: str, program: p.BuyShares | p.SellShares) -> Iterator[Failure]:
    company = game.state.companies.get(program.company)
    if company is None or company.status == "closed":
        yield Failure("ahead.closed", {"company": program.company})
        return
    held = shares(game.title, game.state, PlayerId(player), program.company)
    if isinstance(program, p.SellShares):
        if held <= program.keep:
            yield Failure("standing.held", {"company": program.company, "held": held})
        return
    if program.count is not None and held >= program.count:
        yield Failure("standing.reached", {"company": program.company, "held": held})
    yield from _never(game, player, program.until)


def _of_plan(game: Game, plan: p.AuctionPlan) -> Iterator[Failure]:
    if not plan.lots and not plan.drop_rest:
        yield Failure("standing.empty")
    coming, seen = game.lots_to_come(), list[str]()
    for lot in plan.lots:
        if lot.item not in coming:
            yield Failure("ahead.sold", {"item": lot.item})
        if lot.item in seen:
            yield Failure("standing.lot_twice", {"item": lot.item})
        if plan.budget is not None and lot.maximum > plan.budget:
            yield Failure("standing.budget", {"item": lot.item, "maximum": lot.maximum, "budget": plan.budget})
        if lot.unless is not None and (lot.unless not in coming or lot.unless == lot.item):
            yield Failure("standing.unless", {"item": lot.item, "unless": lot.unless})
        seen.append(lot.item)


def _twice(steps: Sequence[p.Step]) -> Iterator[Failure]:
    for first in ("run", "pay", "train", "done"):
        found = [step for step in steps if step.startswith(first)]
        if len(found) > 1:
            yield Failure("standing.step_twice", {"steps": tuple(found)})


def pointless(game: Game, player: str, orders: Iterable[o.Order]) -> tuple[int, Failure] | None:
    """The index of the first ``unless`` among the ``orders`` of a turn that ``player`` gives ahead with a condition
    that is true already or can never come true, and the reason; None if there is none."""
    for number, order in enumerate(orders):
        program = order.program if isinstance(order, o.Standing) else None
        if isinstance(program, p.Unless) and (why := next(_never(game, player, program.conditions), None)) is not None:
            return number, why
    return None


def _never(game: Game, player: str, until: Iterable[p.Condition]) -> Iterator[Failure]:
    """The conditions that are true already, or can never come true."""
    for one in until:
        true = come_true(game, (one,), player, ())
        if true is not None:
            yield Failure("standing.already", {"condition": write_condition(one)})
        elif not _possible(game, player, one):
            yield Failure("standing.never", {"condition": write_condition(one)})


def _possible(game: Game, player: str, one: p.Condition) -> bool:
    match one.what:
        case "acts" | "sells" | "founds":
            return one.name != player
        case "starts":
            return not has_started(game, one.name)
        case "floats":
            return game.state.companies[CompanyId(one.name)].status == "unstarted"
        case "on_sale":
            train = TrainName(one.name)
            return train in new_trains(game.title, game.state) or game.state.supply.get(train, 1) > 0
        case "direct":
            return director_of(game, one.name) != player
        case _:
            return True
