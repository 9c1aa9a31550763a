"""Policies: what attentive players write."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from engine.core import orders as o
from engine.core import programs as p
from engine.core.ids import CompanyId, PlayerId
from moderator.domain.ahead.bids import next_bid
from moderator.domain.asks import controls
from tests.kit.waits.attentive import Ahead, Moment, Policy
from tests.kit.waits.course import Piece, Step

_TURNS = 10
"""The number of own stock turns that are kept at a time."""
_TURN = (o.Run, o.RunBest, o.Pay, o.Settle, o.Done)
"""Orders of a turn in which a company only runs and pays."""


_UNTIL = (
    (p.Condition("round"),),
    (p.Condition("sells"), p.Condition("founds")),
    (p.Condition("acts"),),
)
"""The conditions that end the passing of a player who has passed."""


class Naive:
    """Each mail answers one question, with the fewest orders that do not end more than the game did."""

    name = "naive"
    whole = False

    def ahead(self, moment: Moment) -> Sequence[Ahead]:
        return ()


class WholeTurn:
    """Each mail has all that its writer is asked for before somebody else is."""

    name = "whole turn"
    whole = True

    def ahead(self, moment: Moment) -> Sequence[Ahead]:
        return ()


class KnowingOneself(WholeTurn):
    """Besides, it has what the notation can keep of what the writer himself did later. It knows nothing of others."""

    name = "ahead, knowing oneself"

    def ahead(self, moment: Moment) -> Sequence[Ahead]:
        return [one for piece in _next_pieces(moment) for one in _kept(moment, piece)]


class FixedRules(WholeTurn):
    """Besides, it has what a fixed rule gives from what all can see. What would have been wrong is not given."""

    name = "ahead, not knowing"

    def ahead(self, moment: Moment) -> Sequence[Ahead]:
        return [*_pass_again(moment), *_run_again(moment), *_decline_again(moment)]


class SeveralTurns(KnowingOneself):
    """Besides, it has the writer's next turns in the stock round, one after the other."""

    name = "several turns ahead, knowing oneself"

    def ahead(self, moment: Moment) -> Sequence[Ahead]:
        first = super().ahead(moment)
        stock = ("stock.turn", moment.player)
        if any(held.kind == "turn" and held.player == held.actor == moment.player for held in moment.table.waiting):
            return [one for one in first if one.purpose != stock]  # a new one would replace those that wait
        turns = [piece for piece in moment.own if piece.first.purpose == stock and piece.first.ask is not None]
        later = [one for number, piece in enumerate(turns[1:_TURNS], 2) for one in _later_turn(moment, piece, number)]
        return [*first, *later, *_pass_all_else(moment)]


class StandingRules(FixedRules):
    """A fixed rule as before, with standing orders: who passes in a stock round goes on passing, as long as the most
    useful condition lets him; a company's turn without track stands as a routine."""

    name = "standing orders, not knowing"

    def ahead(self, moment: Moment) -> Sequence[Ahead]:
        return [*_pass_on(moment), *_run_again(moment), *_decline_again(moment)]


ALL: tuple[Policy, ...] = (Naive(), WholeTurn(), KnowingOneself(), SeveralTurns(), FixedRules(), StandingRules())


# ---- knowing oneself


def _next_pieces(moment: Moment) -> Iterator[Piece]:
    """The next piece of each purpose that the player can have now."""
    seen, game = set[tuple[str, ...]](), moment.table.game
    for piece in moment.own:
        purpose = piece.first.purpose
        if purpose in seen or piece.first.ask is None:
            continue
        seen.add(purpose)
        if purpose[0] == "lot" or controls(game, moment.player, str(piece.first.order.actor)):
            yield piece


def _kept(moment: Moment, piece: Piece) -> Iterator[Ahead]:
    """How ``piece`` may be given ahead, the most useful way first."""
    step = piece.first
    if step.purpose[0] == "lot":
        yield from _on_lot(moment, step)
        return
    orders = tuple(_named(one) for one in piece.steps)
    yield Ahead((step.purpose, step.number), step.purpose, (str(step.order.actor), orders))


def _named(step: Step) -> o.Order:
    """The order of ``step`` with the subject that an order needs which is given ahead."""
    order = step.order
    if isinstance(order, o.Take) and order.company is None and step.ask is not None and step.ask.about:
        return replace(order, company=CompanyId(step.ask.about[0]))
    return order


def _on_lot(moment: Moment, step: Step) -> Iterator[Ahead]:
    """A standing bid that gives the same answers as the player, or his next answer, and then perhaps such a bid."""
    purpose, player, lot = step.purpose, moment.player, step.purpose[1]
    own = [piece.first for piece in moment.own if piece.first.purpose == purpose]
    if (limit := _limit(player, lot, own)) is not None:
        yield Ahead((purpose, step.number, "limit"), purpose, (player, (limit,)))
    answer = step.order
    if isinstance(answer, o.Bid | o.Drop):
        answer = replace(answer, item=lot)  # type: ignore[arg-type]
    later = _limit(player, lot, own[1:])
    if later is not None and isinstance(answer, o.Bid):
        yield Ahead((purpose, step.number, "both"), purpose, (player, (answer, later)))
    yield Ahead((purpose, step.number, "next"), purpose, (str(answer.actor), (answer,)))


def _limit(player: str, lot: str, own: Sequence[Step]) -> o.Limit | None:
    """A standing bid that answers as the player did in all of his ``own`` steps on this lot; None if there is none."""
    amounts = [step.order.amount for step in own if isinstance(step.order, o.Bid)]
    for stride in (5, 10, 20, 50):
        limit = o.Limit(PlayerId(player), max(amounts, default=0), lot, stride)  # type: ignore[arg-type]
        if own and all(_would_be(step, limit) for step in own):
            return limit
    return None


def _would_be(step: Step, limit: o.Limit) -> bool:
    """True if ``limit`` gives the order of ``step``."""
    if step.bids is None or str(step.order.actor) != str(limit.actor):
        return False
    given = next_bid(step.bids, limit.maximum, limit.step, step.standing)
    return type(given) is type(step.order) and getattr(given, "amount", 0) == getattr(step.order, "amount", 0)


def _pass_all_else(moment: Moment) -> Iterator[Ahead]:
    """A pass at all questions besides stock turns and bids, once the writer has passed one."""
    mine = [step for step in moment.past if step.player == moment.player and isinstance(step.order, o.Pass)]
    if any(step.ask is not None and step.kind not in ("stock.turn", "auction.bid", "auction.open") for step in mine):
        purpose = ("other questions", moment.player)
        order = o.Standing(PlayerId(moment.player), p.PassUntil((), "other"))
        yield Ahead((*purpose, len(moment.past)), purpose, (moment.player, (order,)))


def _later_turn(moment: Moment, piece: Piece, number: int) -> Iterator[Ahead]:
    """The turn in a stock round that is the writer's next but ``number`` - 1."""
    step = piece.first
    orders = tuple(_named(one) for one in piece.steps)
    purpose = (*step.purpose, str(number))
    yield Ahead((step.purpose, step.number), purpose, (str(step.order.actor), orders))


# ---- fixed rules


def _pass_on(moment: Moment) -> Iterator[Ahead]:
    """A player who has passed in a stock round passes until something happens; the longest order first."""
    player = moment.player
    last = _last(moment, ("stock.turn", player))
    if last is None or last.round != _round_now(moment) or not isinstance(last.order, o.Pass):
        return
    purpose = ("stock.turn", player)
    for until in _UNTIL:
        order = o.Standing(PlayerId(player), p.PassUntil(until))
        yield Ahead((*purpose, len(moment.past), until), purpose, (player, (order,)))


def _pass_again(moment: Moment) -> Iterator[Ahead]:
    """A player who has passed in a stock round passes again."""
    player = moment.player
    last = _last(moment, ("stock.turn", player))
    if last is not None and last.round == _round_now(moment) and isinstance(last.order, o.Pass):
        purpose = ("stock.turn", player)
        yield Ahead((*purpose, len(moment.past)), purpose, (player, (o.Pass(PlayerId(player)),)))


def _run_again(moment: Moment) -> Iterator[Ahead]:
    """A company makes its best run and pays as the last time, in full the first time; nothing else."""
    for piece in _next_pieces(moment):
        step = piece.first
        if step.kind != "company":
            continue
        paid = [one.order for one in _past(moment, step.purpose) if isinstance(one.order, o.Pay)]
        wanted = paid[-1].kind if paid else "full"
        pays = [one.order.kind for one in piece.steps if isinstance(one.order, o.Pay)]
        plain = all(isinstance(one.order, _TURN) for one in piece.steps)
        if plain and all(kind == wanted for kind in pays) and _runs_best(moment, piece):
            orders = tuple(one.order for one in piece.steps)
            yield Ahead((step.purpose, step.number), step.purpose, (str(step.order.actor), orders))


def _decline_again(moment: Moment) -> Iterator[Ahead]:
    """A minor whose last merger was declined declines again."""
    for company in moment.table.game.state.companies:
        purpose = ("merger.turn", str(company))
        last = _last(moment, purpose)
        if last is not None and last.player == moment.player and isinstance(last.order, o.Decline):
            yield Ahead((*purpose, len(moment.past)), purpose, (str(company), (o.Decline(company),)))


def _past(moment: Moment, purpose: tuple[str, ...]) -> list[Step]:
    return [step for step in moment.past if step.purpose == purpose]


def _last(moment: Moment, purpose: tuple[str, ...]) -> Step | None:
    return next((step for step in reversed(moment.past) if step.purpose == purpose), None)


def _round_now(moment: Moment) -> str:
    round = moment.table.game.state.round
    return f"{round.kind} {round.set}.{round.number}"


def _runs_best(moment: Moment, piece: Piece) -> bool:
    return all(moment.best(step) for step in piece.steps if isinstance(step.order, o.Run))
